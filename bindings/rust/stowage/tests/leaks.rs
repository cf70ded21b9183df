//! A program of its own, so that nothing else allocates meanwhile.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod support;

use stowage::{size, Control, Goal, Instance, Model, Question, Request, Samples, SizeRule, Usage};
use support::{instance_bytes, small};

#[repr(C)]
struct Mallinfo2 {
    fields: [usize; 10],
}

extern "C" {
    fn mallinfo2() -> Mallinfo2;
}

/// Bytes that malloc has allocated and that were not freed: `hblkhd` + `uordblks`.
fn in_use() -> usize {
    // SAFETY: takes nothing, and returns a struct of ten sizes.
    let info = unsafe { mallinfo2() };
    info.fields[4] + info.fields[7]
}

/// Learns, saves, loads, recommends and sizes; a question and a history are refused.
fn learning_round() {
    let samples = Samples {
        resources: vec!["cpu".into()],
        apps: vec!["a".into(), "b".into()],
        row_app: vec![0, 0, 1, 1],
        row_amounts: vec![1.0, 2.0, 1.0, 2.0],
        row_value: vec![0.4, 0.9, 0.5, 0.9],
        ..Samples::default()
    };
    let model = Model::load(&Model::learn(&samples).unwrap().save().unwrap()).unwrap();
    let mut question = Question { samples, goal: Goal::new(0.8), curves: true };
    assert_eq!(model.recommend(&question).unwrap().apps.len(), 2);
    question.goal.value = 2.0;
    assert!(model.recommend(&question).is_err());
    let mut usage = Usage {
        apps: vec!["web".into()],
        resources: vec!["cpu".into()],
        app: vec![0],
        time: vec![0.0],
        amount: vec![1.0],
        rules: vec![SizeRule::default()],
        ..Usage::default()
    };
    assert_eq!(size(&usage).unwrap().size, [1.0]);
    usage.amount[0] = -1.0;
    assert!(size(&usage).is_err());
}

/// An instance goes to JSON and back, is refused when it is cut, and is named.
#[cfg(feature = "text")]
fn json_round(bytes: &[u8]) {
    let json = stowage::instance_to_json(bytes).unwrap();
    let again = stowage::instance_from_json(json.as_bytes()).unwrap();
    assert_eq!(stowage::Cluster::read(&again).unwrap().fingerprint, stowage::Cluster::read(bytes).unwrap().fingerprint);
    assert!(stowage::instance_from_json(&json.as_bytes()[..json.len() / 2]).is_err());
    let operation = br#"[{"op": "remove", "app": "web"}]"#;
    assert!(stowage::operations_from_json(bytes, operation).is_ok());
    assert!(stowage::operations_from_json(bytes, &operation[..operation.len() - 1]).is_err());
}

#[test]
fn a_thousand_plans_and_models_leave_nothing_behind() {
    let bytes = small().bytes().unwrap();
    let round = || {
        #[cfg(feature = "text")]
        json_round(&bytes);
        assert_eq!(stowage::Cluster::read(&bytes).unwrap().apps.len(), 2);
        let instance = Instance::load(&bytes).unwrap();
        let mut control = Control::new().unwrap();
        let handle = control.handle();
        let plan = instance.plan_with(&Request::new("ff").node_limit(1), &mut control).unwrap();
        assert!(instance.verify(plan.bytes()).unwrap().ok);
        assert_eq!(instance.explain_app(&plan, 0).unwrap().apps.len(), 1);
        assert!(instance.plan(&Request::new("best")).is_err());
        assert!(!handle.progress().cancelled);
        learning_round();
    };
    for _ in 0..20 {
        round();
    }
    let before = in_use();
    for _ in 0..1000 {
        round();
    }
    // Leaking one plan per round would add half a megabyte.
    let after = in_use();
    assert!(after < before + (16 << 10), "{} bytes more than before", after - before);

    // The counter sees an allocation.
    let profile = instance_bytes("profile");
    let held: Vec<_> = (0..100).map(|_| Instance::load(&profile).unwrap()).collect();
    assert!(in_use() > before + (1 << 20));
    drop(held);
    assert!(in_use() < before + (64 << 10));
}
