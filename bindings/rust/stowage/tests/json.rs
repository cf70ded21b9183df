//! JSON that people write, and explanations in words.
#![cfg(feature = "text")]

mod support;

use stowage::{
    instance_from_json, instance_from_json_within, instance_to_json, operations_from_json, operations_from_json_within,
    ErrorKind, Instance, Limits, Plan, Request, Session,
};
use support::{conformance, instance_bytes};

fn shop() -> Vec<u8> {
    let json = std::fs::read(conformance("../../capi/cli/examples/shop.json")).unwrap();
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
    let told = plan.to_text(&content, 2).unwrap();
    assert!(told.starts_with("Buy ") && told.contains("more node"), "{told}");
    let page = plan.to_html(&content).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<h1>Buy "), "{page}");
    assert!(plan.to_svg(&content).unwrap().starts_with("<svg "));
    let words = instance.explain(&plan).unwrap().to_text(&content, &plan).unwrap();
    assert!(words.starts_with("5 nodes in use, cost 6.1; no complete plan costs less than 7.7\n"), "{words}");
    assert!(words.contains("to place one more: add "), "{words}");
}

#[test]
fn what_is_wrong_is_refused_by_its_place() {
    let head = r#"{"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 4}}], "apps": "#;
    for (rest, path, message, kind) in [
        ("[}", "", "line 1, column", ErrorKind::Malformed),
        (r#"[{"demand": {"cpu": -1}}]}"#, "apps[0].demand.cpu", "must not be negative", ErrorKind::Invalid),
        (r#"[{"demand": {"cpu": [1, 2]}}], "periods": 2}"#, "apps.demand", "more memory", ErrorKind::LimitExceeded),
    ] {
        let little = Limits { memory: 8, ..Limits::default() };
        let failure = instance_from_json_within(format!("{head}{rest}").as_bytes(), &little).unwrap_err();
        assert_eq!((failure.kind(), failure.path()), (kind, path));
        assert!(failure.message().contains(message), "{failure}");
    }
    // What is equal in all periods is stated once.
    let flat =
        instance_from_json(format!(r#"{head}[{{"demand": {{"cpu": 1}}}}], "periods": 4294967295}}"#).as_bytes()).unwrap();
    assert!(flat.len() < 1000, "{}", flat.len());
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

#[test]
fn operations_change_a_session() {
    let content = shop();
    let mut session = Session::open(&content).unwrap();
    let list = br#"[{"op": "submit", "app": "mail", "replicas": 2, "demand": {"cpu": ["500m", 1, 1, 1], "memory": "2Gi"}},
        {"op": "add-node", "node": "new-1", "class": "large"}, {"op": "cordon", "node": "new-1"}]"#;
    session.apply_bytes(&operations_from_json(&content, list).unwrap()).unwrap();
    let snapshot = session.snapshot().unwrap();
    for one in [
        &br#"{"op": "scale", "app": "mail", "replicas": 7}"#[..],
        br#"{"op": "batch", "operations": [{"op": "remove", "app": "cache"}]}"#,
    ] {
        session.apply_bytes(&operations_from_json(&snapshot, one).unwrap()).unwrap();
    }
    assert_eq!(session.version(), 5);
    let json = instance_to_json(&session.snapshot().unwrap()).unwrap();
    for part in [
        r#""name": "mail", "replicas": 7, "demand": {"cpu": [0.5, 1, 1, 1], "memory": 2}"#,
        r#""name": "new-1", "class": "large", "closed": true"#,
    ] {
        assert!(json.contains(part), "{json}");
    }
    assert!(!json.contains(r#""name": "cache""#), "{json}");
}

#[test]
fn wrong_operations_are_refused_by_their_place() {
    let content = shop();
    let read = |json: &str| operations_from_json(&content, json.as_bytes()).unwrap_err();
    for (json, path, message, kind) in [
        ("", "", "not well-formed JSON", ErrorKind::Malformed),
        (r#"[{"op": "cordon", "node": "old-1"}"#, "", "line 1, column", ErrorKind::Malformed),
        (
            r#"[{"op": "cordon", "node": "old-1"}, {"op": "scale", "app": "cache", "replicas": "5"}]"#,
            "[1].replicas",
            "whole number",
            ErrorKind::Invalid,
        ),
        (r#"[{"op": "scale", "app": "cache", "replica": 5}]"#, "[0].replica", "did you mean", ErrorKind::Invalid),
        (r#"{"op": "plan"}"#, "op", "there is no operation", ErrorKind::Invalid),
    ] {
        let failure = read(json);
        assert_eq!((failure.kind(), failure.path()), (kind, path));
        assert!(failure.message().contains(message), "{failure}");
    }
    assert_eq!(operations_from_json(b"", b"[]").unwrap_err().kind(), ErrorKind::Malformed);
    let few = Limits { apps: 1, ..Limits::default() };
    assert_eq!(operations_from_json_within(&content, b"[]", &few).unwrap_err().kind(), ErrorKind::LimitExceeded);
}
