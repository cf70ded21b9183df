//! Shared by the tests: the conformance set, and small instances.
#![allow(dead_code)]

use std::path::PathBuf;

use stowage::{
    App, Cardinality, CardinalityKind, ChanceModel, Class, InstanceBuilder, Node, NodeGroup, NodeSet, Rule, Uncertainty,
};

pub fn conformance(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/conformance").join(name)
}

/// The cells of each line of a file, without comments and without the first line, which names the columns.
pub fn table(name: &str) -> Vec<Vec<String>> {
    let content = std::fs::read_to_string(conformance(name)).expect(name);
    let lines = content.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

pub fn instance_bytes(name: &str) -> Vec<u8> {
    std::fs::read(conformance(&format!("instances/{name}.stow"))).expect(name)
}

/// Three replicas of web and one of db; at most two web per node, and at most one web beside db.
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

/// Nine replicas, four of which fill a node.
pub fn alike() -> InstanceBuilder {
    let mut builder = InstanceBuilder::new("alike");
    builder.resource("cpu", "cores");
    builder.class(Class { price: Some(1.5), ..Class::new("standard", [8.0]) });
    builder.app(App::new("web", 9, [2.0]));
    builder
}

/// Six nodes in three racks, with rules of all kinds: tests/data/racks_instance.json.
pub fn racks() -> InstanceBuilder {
    let tags = |list: &[&str]| list.iter().map(|&tag| tag.to_owned()).collect::<Vec<_>>();
    let mut b = InstanceBuilder::new("six nodes in three racks");
    b.resource("cpu", "cores");
    b.resource("memory", "GiB");
    let machine = b.class(Class { count: 8, labels: tags(&["zone=a"]), ..Class::new("machine", [8.0, 32.0]) });
    let large = b.class(Class { count: 2, labels: tags(&["zone=b", "ssd"]), ..Class::new("large", [16.0, 64.0]) });
    let web = b.app(App { tags: tags(&["web", "appID:shop"]), ..App::new("web", 6, [2.0, 2.0]) });
    let cache = b.app(App { tags: tags(&["cache", "appID:shop"]), ..App::new("cache", 3, [1.0, 8.0]) });
    let db = b.app(App { tags: tags(&["db"]), priority: 5, ..App::new("db", 2, [4.0, 16.0]) });
    let batch = b.app(App { tags: tags(&["batch"]), ..App::new("batch", 4, [3.0, 4.0]) });
    b.limit(cache, cache, 1);
    let node = |name: &str, class| Node { name: name.into(), class, ..Node::default() };
    let nodes = [
        b.node(node("n1", machine)),
        b.node(Node { load: vec![1.0, 0.0], ..node("n2", machine) }),
        b.node(Node { tags: tags(&["gpu"]), ..node("n3", machine) }),
        b.node(node("n4", machine)),
        b.node(node("n5", large)),
        b.node(node("n6", large)),
    ];
    b.running(batch, nodes[0], 1);
    b.running(web, nodes[1], 1);
    b.running(db, nodes[4], 1);
    let set = |name: &str, nodes: &[u32]| NodeSet { name: name.into(), nodes: nodes.to_vec() };
    let sets = vec![set("r1", &nodes[..2]), set("r2", &nodes[2..4]), set("r3", &nodes[4..])];
    b.node_group(NodeGroup { name: "rack".into(), sets, ..NodeGroup::default() });
    b.node_group(NodeGroup { name: "zone".into(), by_label: "zone".into(), ..NodeGroup::default() });

    let of = |subject: &str, group: &str| Cardinality {
        subject: tags(&[subject]),
        group: Some(group.into()),
        ..Cardinality::default()
    };
    let count = |subject, target, group, min, max| Cardinality { target: tags(&[target]), min, max, ..of(subject, group) };
    let mut rule = |name: &str, weight, operator, any_of| b.rule(Rule { name: name.into(), any_of, weight, operator });
    let skew = Cardinality { kind: CardinalityKind::Skew, max: Some(2), ..of("web", "rack") };
    rule("spread", None, false, vec![vec![skew]]);
    rule("apart", None, false, vec![vec![count("db", "batch", "node", 0, Some(0))]]);
    let near = vec![count("web", "cache", "rack", 1, None), count("web", "batch", "node", 0, Some(0))];
    rule("near", Some(3.0), false, vec![vec![count("web", "cache", "node", 1, None)], near]);
    let sets = Cardinality { kind: CardinalityKind::NodeSets, min: 2, max: Some(3), ..of("web", "zone") };
    let none = Cardinality { target: tags(&["cache", "appID:shop"]), min: 1, negated: true, ..of("batch", "rack") };
    rule("wide", Some(0.5), false, vec![vec![sets, none]]);
    rule("few", Some(1.0), true, vec![vec![count("batch", "batch", "node", 0, Some(1))]]);
    b
}

/// Three replicas with means 2, 2 and 3 cores and variances 0.5, 1 and 1.5 at 99 % (P1, section 4.1), and one with certain
/// demand.
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

/// Many apps of different sizes with limits between them, the same in every run. The more limits there are, the further plans
/// stay above the bound, so that planners that improve a plan do not end by themselves.
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
