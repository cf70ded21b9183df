mod support;

use stowage::{
    App, AppChange, Class, ClassChange, Derivation, ErrorKind, Instance, InstanceBuilder, Limits, Request, ResourceFactors,
};
use support::small;

/// Six web and two db, with 8 GiB to a node: two web to a node, or one db.
#[test]
fn derived_instances_are_those_of_their_bytes() {
    let instance = small().build().unwrap();
    let half = ResourceFactors { capacity: 0.5, ..ResourceFactors::named("memory") };
    let derivation = Derivation { replicas: 2.0, resources: vec![half], ..Derivation::default() };
    let derived = instance.derive(&derivation).unwrap();
    assert_ne!(derived.fingerprint(), instance.fingerprint());
    drop(instance);
    let plan = derived.plan(&Request::new("ff")).unwrap();
    assert_eq!(plan.nodes.len(), 5);
    let loaded = Instance::load(&derived.save().unwrap()).unwrap();
    assert_eq!(loaded.fingerprint(), derived.fingerprint());
    assert_eq!(loaded.plan(&Request::new("ff")).unwrap().bytes(), plan.bytes());
    assert!(loaded.verify(plan.bytes()).unwrap().ok);
    assert_eq!(loaded.derive(&Derivation::default()).unwrap().fingerprint(), loaded.fingerprint());
}

#[test]
fn every_change_of_a_derivation() {
    let instance = small().build().unwrap();
    let derivation = Derivation {
        name: "grown".into(),
        demand: 2.0,
        load: 3.0,
        resources: vec![ResourceFactors { demand: 0.25, ..ResourceFactors::new(0) }],
        apps: vec![
            AppChange { replicas: Some(5), demand_factor: 3.0, ..AppChange::named("web") },
            AppChange { replica_factor: 2.0, demand: vec![1.0, 2.0], ..AppChange::new(1) },
        ],
        classes: vec![ClassChange { count: Some(7), capacity_factor: 4.0, price: Some(2.5), ..ClassChange::named("standard") }],
        ..Derivation::default()
    };
    let mut builder = InstanceBuilder::new("grown");
    builder.resource("cpu", "cores");
    builder.resource("memory", "GiB");
    builder.class(Class { count: 7, price: Some(2.5), ..Class::new("standard", [32.0, 64.0]) });
    let web = builder.app(App::new("web", 5, [3.0, 24.0]));
    let db = builder.app(App::new("db", 2, [1.0, 2.0]));
    builder.limit(web, web, 2);
    builder.limit(db, web, 1);
    let derived = instance.derive(&derivation).unwrap();
    assert_eq!(derived.fingerprint(), builder.build().unwrap().fingerprint());
    let smaller = ClassChange { capacity: vec![9.0, 30.0], ..ClassChange::new(0) };
    let again = Derivation { price: 2.0, capacity: 0.5, limits: 0.0, classes: vec![smaller], ..Derivation::default() };
    assert_ne!(derived.derive(&again).unwrap().fingerprint(), derived.fingerprint());
}

#[test]
fn derivations_that_are_refused() {
    let instance = small().build().unwrap();
    let unknown = |apps, classes| Derivation { apps, classes, ..Derivation::default() };
    for (derivation, kind, path) in [
        (Derivation { demand: -1.0, ..Derivation::default() }, ErrorKind::Invalid, "demand"),
        (Derivation { replicas: f64::NAN, ..Derivation::default() }, ErrorKind::Invalid, "replicas"),
        (Derivation { replicas: 1e9, ..Derivation::default() }, ErrorKind::LimitExceeded, "apps.replicas[0]"),
        (unknown(vec![AppChange::named("cache")], vec![]), ErrorKind::NotFound, "by_app[0].name"),
        (unknown(vec![], vec![ClassChange::new(9)]), ErrorKind::NotFound, "by_class[0].node_class"),
    ] {
        let error = instance.derive(&derivation).unwrap_err();
        assert_eq!((error.kind(), error.path()), (kind, path), "{error}");
    }
    let twice = Derivation { replicas: 2.0, ..Derivation::default() };
    let limits = Limits { replicas: 7, ..Limits::default() };
    assert_eq!(instance.derive_within(&twice, &limits).unwrap_err().kind(), ErrorKind::LimitExceeded);
}
