//! A program of its own, so that nothing else allocates meanwhile.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod support;

use stowage::{Control, Instance, Request};
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

#[test]
fn a_thousand_plans_leave_nothing_behind() {
    let bytes = small().bytes().unwrap();
    let round = || {
        let instance = Instance::load(&bytes).unwrap();
        let mut control = Control::new().unwrap();
        let handle = control.handle();
        let plan = instance.plan_with(&Request::new("ff").node_limit(1), &mut control).unwrap();
        assert!(instance.verify(plan.bytes()).unwrap().ok);
        assert_eq!(instance.explain_app(&plan, 0).unwrap().apps.len(), 1);
        assert!(instance.plan(&Request::new("best")).is_err());
        assert!(!handle.progress().cancelled);
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
