//! JSON that people write, and explanations in words.
#![cfg(feature = "text")]

mod support;

use stowage::{instance_from_json, instance_from_json_within, instance_to_json, ErrorKind, Instance, Limits, Plan, Request};
use support::{conformance, instance_bytes};

fn shop() -> Vec<u8> {
    let json = std::fs::read(conformance("../../capi/cli/example.json")).unwrap();
    instance_from_json(&json).unwrap()
}

#[test]
fn there_and_back() {
    let content = shop();
    // The conformance set has the same instance, as the command converts it.
    assert!(content == instance_bytes("shop"));
    assert!(instance_from_json(instance_to_json(&content).unwrap().as_bytes()).unwrap() == content);
    let instance = Instance::load(&content).unwrap();
    let plan = instance.plan(&Request::new("ff").node_limit(5)).unwrap();
    let json = plan.to_json(&content).unwrap();
    assert!(json.contains(r#"{"name": "old-1", "class": "medium""#), "{json}");
    let again = Plan::from_json(&content, json.as_bytes()).unwrap();
    assert_eq!((again.instance, &again.placements), (plan.instance, &plan.placements));
    let words = instance.explain(&plan).unwrap().to_text(&content, &plan).unwrap();
    assert!(words.starts_with("5 nodes in use; no complete plan uses fewer than 6\n"), "{words}");
    assert!(words.contains("what would help: add "), "{words}");
}

#[test]
fn what_is_wrong_is_refused_by_its_place() {
    let head = r#"{"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 4}}], "apps": "#;
    for (rest, path, message, kind) in [
        ("[}", "", "line 1, column", ErrorKind::Malformed),
        (r#"[{"demand": {"cpu": -1}}]}"#, "apps[0].demand.cpu", "must not be negative", ErrorKind::Invalid),
        (r#"[{"demand": {"cpu": 1}}], "periods": 4294967295}"#, "apps.demand", "more memory", ErrorKind::LimitExceeded),
    ] {
        let failure = instance_from_json(format!("{head}{rest}").as_bytes()).unwrap_err();
        assert_eq!((failure.kind(), failure.path()), (kind, path));
        assert!(failure.message().contains(message), "{failure}");
    }
    assert_eq!(instance_from_json(b"").unwrap_err().kind(), ErrorKind::Malformed);
    let short = Limits { bytes: 10, ..Limits::default() };
    assert_eq!(instance_from_json_within(head.as_bytes(), &short).unwrap_err().kind(), ErrorKind::LimitExceeded);
    assert_eq!(instance_to_json(b"").unwrap_err().kind(), ErrorKind::Malformed);
    let plan = br#"{"planner": "", "nodes": [{"class": "huge"}]}"#;
    let failure = Plan::from_json(&shop(), plan).unwrap_err();
    assert_eq!((failure.kind(), failure.path()), (ErrorKind::Invalid, "nodes[0].class"));
    // The small instance has no app, class or node that the plan refers to.
    let instance = Instance::load(&shop()).unwrap();
    let plan = instance.plan(&Request::new("ff")).unwrap();
    assert_eq!(plan.to_json(&support::small().bytes().unwrap()).unwrap_err().kind(), ErrorKind::Invalid);
}
