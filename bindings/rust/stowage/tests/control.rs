//! Every function while a run is watched, and under a control that is cancelled.

mod support;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use stowage::{
    size, size_with, Cluster, CommitMode, Control, Derivation, Error, ErrorKind, Goal, Instance, InstanceBuilder, Limits,
    Model, NewNode, Operation, Plan, Question, Request, Result, Samples, Session, SizeRule, Usage,
};
use support::{small, workload};

/// What functions are called with.
struct Things {
    bytes: Vec<u8>,
    model: Vec<u8>,
    instance: Instance,
    session: Mutex<Session>,
    plan: Plan,
    session_plan: Plan,
    samples: Samples,
    usage: Usage,
}

impl Things {
    fn of(builder: &InstanceBuilder, profiled: u32) -> Self {
        let apps = 0..profiled;
        let samples = Samples {
            resources: vec!["cpu".into()],
            apps: apps.clone().map(|app| format!("a{app}")).collect(),
            row_app: apps.clone().flat_map(|app| [app, app]).collect(),
            row_amounts: [1.0, 2.0].repeat(profiled as usize),
            row_value: apps.flat_map(|app| [0.4 + f64::from(app % 10) / 100.0, 0.9]).collect(),
            ..Samples::default()
        };
        let count = 100 * profiled;
        let usage = Usage {
            apps: vec!["web".into()],
            resources: vec!["cpu".into()],
            app: vec![0; count as usize],
            time: (0..count).map(|k| f64::from(60 * k)).collect(),
            amount: (0..count).map(|k| f64::from(1 + k % 7)).collect(),
            rules: vec![SizeRule::default()],
            ..Usage::default()
        };
        let instance = builder.build().unwrap();
        let plan = instance.plan(&Request::new("ff")).unwrap();
        let model = Model::learn(&samples).unwrap().save().unwrap();
        let bytes = builder.bytes().unwrap();
        let mut session = Session::open(&bytes).unwrap();
        let session_plan = session.plan(&Request::new("ff")).unwrap();
        Self { bytes, model, instance, session: session.into(), plan, session_plan, samples, usage }
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap()
    }

    fn question(&self) -> Question {
        Question { samples: self.samples.clone(), goal: Goal::new(0.5), curves: false }
    }
}

type Function = fn(&Things, &mut Control) -> Result<()>;

/// Calls every function of the C ABI by the interface of this crate. A function beside which one with a control stands is the same
/// without it.
fn functions() -> BTreeMap<&'static str, Function> {
    BTreeMap::from([
        ("stowage_bound_watched", (|of, control| of.instance.bounds_with(control).map(drop)) as Function),
        ("stowage_buffer_free", |_, _| stowage::planners().map(drop)),
        ("stowage_check", |of, control| Cluster::read_with(&of.bytes, &Limits::default(), control).map(drop)),
        ("stowage_control_cancel", |of, _| {
            let mut own = Control::new()?;
            drop(own.handle().cancel_on_drop());
            of.instance.plan_with(&Request::new("ff"), &mut own).map(drop)
        }),
        ("stowage_control_free", |_, _| Control::new().map(drop)),
        ("stowage_control_new", |_, _| Control::new().map(drop)),
        ("stowage_control_progress", |_, control| {
            control.handle().progress();
            Ok(())
        }),
        ("stowage_control_reset", |_, _| {
            Control::new()?.reset();
            Ok(())
        }),
        ("stowage_control_set_deadline", |of, _| {
            let mut own = Control::new()?;
            own.set_deadline(Some(Duration::from_secs(3600)));
            of.instance.verify_with(of.plan.bytes(), &mut own).map(drop)
        }),
        ("stowage_explain", |of, control| of.instance.explain_with(&of.plan, control).map(drop)),
        ("stowage_headroom_of_apps_watched", |of, control| {
            of.instance.headroom_of_apps_with(Some(&of.plan), 0, control).map(drop)
        }),
        ("stowage_headroom_watched", |of, control| of.instance.headroom_with(&of.plan, 0, None, control).map(drop)),
        ("stowage_instance_derive_watched", |of, control| {
            let derivation = Derivation { demand: 0.5, ..Derivation::default() };
            of.instance.derive_with(&derivation, None, control).map(drop)
        }),
        ("stowage_instance_fingerprint", |of, _| {
            assert_eq!(of.instance.fingerprint(), of.plan.instance);
            Ok(())
        }),
        ("stowage_instance_free", |of, _| Instance::load(&of.bytes).map(drop)),
        ("stowage_instance_load_watched", |of, control| Instance::load_with(&of.bytes, &Limits::default(), control).map(drop)),
        ("stowage_instance_save_watched", |of, control| {
            of.instance.derive(&Derivation::default())?.save_with(control).map(drop)
        }),
        ("stowage_losses", |of, control| of.instance.losses(Some(&of.plan), &[], "", Some(control)).map(drop)),
        ("stowage_model_free", |of, _| Model::load(&of.model).map(drop)),
        ("stowage_model_learn_watched", |of, control| Model::learn_with(&of.samples, control).map(drop)),
        ("stowage_model_load_watched", |of, control| Model::load_with(&of.model, &Limits::default(), control).map(drop)),
        ("stowage_model_recommend_watched", |of, control| {
            Model::load(&of.model)?.recommend_with(&of.question(), control).map(drop)
        }),
        ("stowage_model_save_watched", |of, control| Model::load(&of.model)?.save_with(control).map(drop)),
        ("stowage_order_moves", |of, control| of.instance.order_moves(&of.plan, 0, 1.0, Some(control)).map(drop)),
        ("stowage_plan", |of, control| of.instance.plan_with(&Request::new("ff"), control).map(drop)),
        ("stowage_planners", |_, _| stowage::planners().map(drop)),
        ("stowage_session_apply_watched", |of, control| {
            of.session().apply_with(&[Operation::AddNode(NewNode::new("more", ""))], control)
        }),
        ("stowage_session_commit_watched", |of, control| {
            of.session().commit_with(of.session_plan.bytes(), CommitMode::Fitting, control).map(drop)
        }),
        ("stowage_session_free", |of, _| Session::open(&of.bytes).map(drop)),
        ("stowage_session_instance_watched", |of, control| of.session().instance_with(control).map(drop)),
        ("stowage_session_open_watched", |of, control| Session::open_with(&of.bytes, &Limits::default(), control).map(drop)),
        ("stowage_session_plan", |of, control| of.session().plan_with(&Request::new("ff"), control).map(drop)),
        ("stowage_session_reject_watched", |of, control| {
            match of.session().reject_with(of.session_plan.bytes(), control) {
                // It was committed before.
                Err(error) if error.kind() == ErrorKind::Invalid => Ok(()),
                other => other,
            }
        }),
        ("stowage_session_snapshot_watched", |of, control| of.session().cluster_with(control).map(drop)),
        ("stowage_session_version", |of, _| {
            of.session().version();
            Ok(())
        }),
        ("stowage_size_watched", |of, control| {
            size(&of.usage)?;
            size_with(&of.usage, control).map(drop)
        }),
        ("stowage_status_text", |of, _| {
            assert_eq!(of.instance.plan(&Request::new("best")).unwrap_err().kind().name(), "STOWAGE_NOT_FOUND");
            Ok(())
        }),
        ("stowage_verify_watched", |of, control| of.instance.verify_with(of.plan.bytes(), control).map(drop)),
        ("stowage_version", |_, _| {
            stowage::version();
            Ok(())
        }),
    ])
}

#[test]
fn functions_are_those_of_the_inventory() {
    let abi = std::fs::read_to_string("../../../capi/abi/abi.json").unwrap();
    let all = abi.split("\"functions\"").nth(1).unwrap();
    let names: Vec<&str> =
        all.split('"').filter(|name| name.starts_with("stowage_") && all.contains(&format!("\"{name}\": {{"))).collect();
    assert!(names.len() > 30, "{names:?}");
    let known = functions();
    for name in &names {
        let watched = names.contains(&&format!("{name}_watched")[..]);
        // A solver is called back.
        assert!(known.contains_key(name) || watched || *name == "stowage_control_set_solver", "nothing calls {name}");
    }
    for name in known.keys() {
        assert!(names.contains(name), "there is no {name}");
    }
}

/// The library never calls into Rust. What stands for a callback is a thread that watches a run: every function may be called there,
/// on the same instance too.
#[test]
fn every_function_while_a_run_is_watched() {
    let of = Things::of(&workload(60, 20), 4);
    let mut control = Control::new().unwrap();
    let handle = control.handle();
    thread::scope(|scope| {
        scope.spawn(|| {
            while handle.progress().best.is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            for (name, function) in functions() {
                let start = Instant::now();
                function(&of, &mut Control::new().unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
                // Nothing waits for the run, which lasts a minute.
                assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
            }
            assert!(!handle.progress().cancelled);
            handle.cancel();
        });
        let plan = of.instance.plan_with(&Request::new("auto").deadline(Duration::from_secs(60)), &mut control).unwrap();
        assert_eq!(plan.status, stowage::PlanStatus::Cancelled);
    });
}

#[test]
fn every_function_ends_soon_after_its_cancel() {
    let of = Things::of(&workload(3000, 30), 60);
    for (name, function) in functions() {
        let mut control = Control::new().unwrap();
        let handle = control.handle();
        let (result, late) = thread::scope(|scope| {
            let canceller = scope.spawn(move || {
                thread::sleep(Duration::from_millis(5));
                handle.cancel();
                Instant::now()
            });
            let result = function(&of, &mut control);
            let end = Instant::now();
            (result, end.saturating_duration_since(canceller.join().unwrap()))
        });
        println!("{name}: {late:?} {result:?}");
        assert!(matches!(result.as_ref().map_err(Error::kind), Ok(()) | Err(ErrorKind::Cancelled)), "{name}: {result:?}");
        // Also where other processes keep the processors busy.
        assert!(late < Duration::from_secs(2), "{name}: {late:?}");
    }
}

#[test]
fn a_cancelled_control_ends_every_call_and_changes_nothing() {
    let of = Things::of(&small(), 4);
    let before = of.session().snapshot().unwrap();
    let mut control = Control::new().unwrap();
    control.handle().cancel();
    for (name, function) in functions() {
        let result = function(&of, &mut control).map_err(|error| error.kind());
        // Those that answer in part have an answer, but for an order of moves that are not known yet.
        let ends = name == "stowage_check"
            || name == "stowage_order_moves"
            || name.ends_with("_watched") && name != "stowage_bound_watched";
        assert_eq!(result, if ends { Err(ErrorKind::Cancelled) } else { Ok(()) }, "{name}");
    }
    assert_eq!(of.session().snapshot().unwrap(), before);
    control.reset();
    assert_eq!(of.instance.plan_with(&Request::new("ff"), &mut control).unwrap(), of.plan);
}

#[test]
fn a_deadline_of_a_control_ends_runs_with_their_plan() {
    let instance = workload(200, 60).build().unwrap();
    let mut control = Control::new().unwrap();
    control.set_deadline(Some(Duration::from_millis(50)));
    let request = Request::new("auto").deadline(Duration::from_secs(60));
    let start = Instant::now();
    let plan = instance.plan_with(&request, &mut control).unwrap();
    assert_eq!(plan.status, stowage::PlanStatus::Deadline);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    control.set_deadline(None);
    assert_eq!(instance.plan_with(&Request::new("ff"), &mut control).unwrap().unplaced, []);
}
