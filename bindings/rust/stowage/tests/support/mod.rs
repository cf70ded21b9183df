//! What the tests share: the conformance set, small instances.
#![allow(dead_code)]

use std::path::PathBuf;

use stowage::{App, ChanceModel, Class, InstanceBuilder, Uncertainty};

pub fn conformance(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/conformance").join(name)
}

/// Cells of the lines of a file, less its comments and its first line, which names the columns.
pub fn table(name: &str) -> Vec<Vec<String>> {
    let content = std::fs::read_to_string(conformance(name)).expect(name);
    let lines = content.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

pub fn instance_bytes(name: &str) -> Vec<u8> {
    std::fs::read(conformance(&format!("instances/{name}.stow"))).expect(name)
}

/// Three replicas of web and one of db, at most two web on a node, beside db at most one.
pub fn small() -> InstanceBuilder {
    let mut builder = InstanceBuilder::new("small");
    builder.resource("cpu", "cores");
    builder.resource("memory", "GiB");
    builder.class(Class::new("standard", [8.0, 16.0]));
    let web = builder.app(App::new("web", 3, [2.0, 4.0]));
    let db = builder.app(App::new("db", 1, [4.0, 8.0]));
    builder.limit(web, web, 2);
    builder.limit(db, web, 1);
    builder
}

/// A replica each with mean 2, 2 and 3 cores and variance 0.5, 1 and 1.5 at 99 % (P1, section 4.1), and one known exactly.
pub fn uncertain() -> InstanceBuilder {
    let mut builder = InstanceBuilder::new("uncertain");
    builder.resource("cpu", "cores");
    builder.class(Class::new("machine", [12.0]));
    for (mean, variance) in [(2.0, 0.5), (2.0, 1.0), (3.0, 1.5)] {
        builder.app(App { variance: vec![variance], ..App::new("", 1, [mean]) });
    }
    builder.app(App::new("", 1, [4.0]));
    builder.uncertainty(Uncertainty { model: ChanceModel::Gaussian, confidence: 0.99, factor: 0.0 });
    builder
}

/// Many apps of different sizes with limits between them, the same every time. The more limits there are, the further a plan
/// stays from the bound, so that planners that improve do not end by themselves.
pub fn workload(apps: u32, limits: u32) -> InstanceBuilder {
    let mut random = fastrand::Rng::with_seed(1);
    let mut builder = InstanceBuilder::new("workload");
    builder.resource("cpu", "cores");
    builder.resource("memory", "GiB");
    builder.class(Class::new("", [64.0, 128.0]));
    for _ in 0..apps {
        builder.app(App::new("", random.u32(1..=12), [f64::from(random.u32(1..=8)), f64::from(random.u32(1..=16))]));
    }
    for app in 0..apps {
        for other in random.choose_multiple(0..apps, limits as usize) {
            if other != app {
                builder.limit(app, other, random.u32(0..6).saturating_sub(3));
            }
        }
    }
    builder
}
