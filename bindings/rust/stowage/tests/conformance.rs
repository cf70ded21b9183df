//! The conformance set that all bindings share.

mod support;

use std::collections::BTreeMap;

use stowage::{Instance, Request};
use support::{instance_bytes, small, table};

/// FNV-1a of 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

fn request(cells: &[String]) -> Request {
    let number = |cell: usize| cells[cell].parse::<u64>().unwrap();
    let request = Request::new(&cells[1])
        .seed(number(2))
        .work_limit(number(3))
        .threads(number(4) as u32)
        .node_limit(number(5) as u32)
        .ignore_running(cells[6] == "1")
        .move_budget(number(7) as u32);
    match cells[8].split_once('=') {
        Some((name, value)) => request.option(name, value.parse().unwrap()),
        None => request,
    }
}

#[test]
fn every_request_on_every_instance() {
    let mut expected: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in table("expected.tsv") {
        expected.entry(row[0].clone()).or_default().insert(row[1].clone(), row[2].clone());
    }
    assert!(expected.len() >= 7);
    let requests = table("requests.tsv");
    for (name, outcomes) in &expected {
        let instance = Instance::load(&instance_bytes(name)).unwrap();
        let mut found = BTreeMap::from([("fingerprint".to_owned(), format!("{:016x}", instance.fingerprint()))]);
        for cells in &requests {
            let outcome = match instance.plan(&request(cells)) {
                Ok(plan) => format!("{:016x}", hash(plan.bytes())),
                Err(error) => format!("{} {}", error.kind().name(), error.path()),
            };
            found.insert(cells[0].clone(), outcome);
        }
        assert_eq!(&found, outcomes, "{name}");
    }
    let built = small().build().unwrap().fingerprint();
    assert_eq!(format!("{built:016x}"), expected["small"]["fingerprint"]);
}
