//! Sessions: intervals, conflicts, snapshots, and the state after failures and cancellations.

mod support;

use std::thread;
use std::time::{Duration, Instant};

use stowage::{
    Class, CommitMode, ConflictKind, Control, ErrorKind, InstanceBuilder, Limits, NewNode, Operation, PlanStatus, Request,
    Session, Submission,
};
use support::{instance_bytes, workload};

fn empty() -> Vec<u8> {
    let mut cluster = InstanceBuilder::new("session");
    cluster.resource("cpu", "cores");
    cluster.class(Class::new("standard", [8.0]));
    cluster.bytes().unwrap()
}

fn web() -> Operation {
    Operation::Submit(Submission { limits: vec![("web".into(), 1)], ..Submission::new("web", 3, [4.0]) })
}

/// A session with one node and three pending replicas.
fn started() -> Session {
    let mut session = Session::open(&empty()).unwrap();
    let node = NewNode { tags: vec!["ssd".into()], ..NewNode::new("a", "standard") };
    session.apply(&[Operation::AddNode(node), web()]).unwrap();
    session
}

#[test]
fn an_interval_with_a_conflict() {
    let mut session = started();
    let ff = Request::new("ff");
    let plan = session.plan(&ff).unwrap();
    session.apply(&[Operation::Load { node: "a".into(), load: vec![6.0], load_variance: vec![] }]).unwrap();
    let exact = session.commit(plan.bytes(), CommitMode::Exact).unwrap();
    assert!(!exact.committed && exact.conflicts[0].kind == ConflictKind::Version, "{exact:?}");
    assert_eq!((exact.planned_version, exact.version), (2, 3));
    let fitting = session.commit(plan.bytes(), CommitMode::Fitting).unwrap();
    let [conflict] = &fitting.conflicts[..] else { panic!("{fitting:?}") };
    assert!(!fitting.committed && conflict.kind == ConflictKind::NoRoom && conflict.node == "a", "{fitting:?}");
    session.reject(plan.bytes()).unwrap();
    assert_eq!(session.reject(plan.bytes()).unwrap_err().kind(), ErrorKind::Invalid);

    let plan = session.plan(&ff).unwrap();
    let instance = session.instance().unwrap();
    assert_eq!(plan.instance, instance.fingerprint());
    assert!(instance.verify(plan.bytes()).unwrap().ok);
    let commit = session.commit(plan.bytes(), CommitMode::Exact).unwrap();
    assert!(commit.committed && commit.conflicts.is_empty());
    assert_eq!((commit.placed, commit.moved, commit.ended), (3, 0, 0));
    assert_eq!(commit.opened, ["standard-1", "standard-2", "standard-3"]);
}

#[test]
fn a_snapshot_goes_on_as_the_session_would_have() {
    let mut session = started();
    let plan = session.plan(&Request::new("ff")).unwrap();
    session.commit(plan.bytes(), CommitMode::Exact).unwrap();
    let snapshot = session.snapshot().unwrap();
    let mut again = Session::open(&snapshot).unwrap();
    assert_eq!(again.snapshot().unwrap(), snapshot);
    assert_eq!(again.version(), session.version());
    assert_eq!(again.instance().unwrap().fingerprint(), session.instance().unwrap().fingerprint());
    let more = [Operation::Drain { node: "standard-1".into() }, Operation::Scale { app: "web".into(), replicas: 5 }];
    for one in [&mut session, &mut again] {
        one.apply(&more).unwrap();
    }
    assert_eq!(again.snapshot().unwrap(), session.snapshot().unwrap());
}

#[test]
fn failures_leave_the_session_as_it_was() {
    let mut session = started();
    let before = session.snapshot().unwrap();
    // The first operation alone would be accepted; the second is refused.
    let error = session
        .apply(&[Operation::Scale { app: "web".into(), replicas: 9 }, Operation::Remove { app: "nobody".into() }])
        .unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::NotFound, "operations[1].app"));
    let error = session.apply(&[web()]).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Invalid, "operations[0].app"));
    assert_eq!(session.apply_bytes(b"no operations").unwrap_err().kind(), ErrorKind::Malformed);
    assert_eq!(session.plan(&Request::new("best")).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(session.commit(b"no plan", CommitMode::Exact).unwrap_err().kind(), ErrorKind::Malformed);
    let elsewhere = Session::open(&instance_bytes("shop")).unwrap().plan(&Request::new("ff")).unwrap();
    assert_eq!(session.commit(elsewhere.bytes(), CommitMode::Whole).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(session.snapshot().unwrap(), before);
    assert_eq!(session.version(), 2);

    let mut small = Session::open_within(&empty(), &Limits { apps: 1, ..Limits::default() }).unwrap();
    small.apply(&[web()]).unwrap();
    let db = Operation::Submit(Submission::new("db", 1, [1.0]));
    assert_eq!(small.apply(&[db]).unwrap_err().kind(), ErrorKind::LimitExceeded);
    assert_eq!(Session::open(b"no cluster").unwrap_err().kind(), ErrorKind::Malformed);
}

#[test]
fn a_batch_is_planned_on_another_thread_while_the_session_goes_on() {
    fn goes<T: Send>() {}
    goes::<Session>();

    let mut session = started();
    let batch = session.instance().unwrap();
    let planner = thread::spawn(move || batch.plan(&Request::new("ff")).unwrap());
    session.apply(&[Operation::Submit(Submission::new("db", 1, [1.0]))]).unwrap();
    let plan = planner.join().unwrap();
    // The session moves to another thread and is dropped there.
    let commit = thread::spawn(move || session.commit(plan.bytes(), CommitMode::Fitting).unwrap()).join().unwrap();
    assert!(commit.committed && commit.placed == 3, "{commit:?}");
}

#[test]
fn cancel_from_another_thread_returns_a_plan_that_can_be_committed_within_60_milliseconds() {
    let mut session = Session::open(&workload(200, 60).bytes().unwrap()).unwrap();
    let before = session.snapshot().unwrap();
    let request = Request::new("auto").deadline(Duration::from_secs(60));
    let mut control = Control::new().unwrap();
    let mut plan = None;
    let mut latencies: Vec<Duration> = (0..5)
        .map(|_| {
            control.reset();
            let handle = control.handle();
            thread::scope(|scope| {
                let canceller = scope.spawn(move || {
                    while handle.progress().best.is_none() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    let start = Instant::now();
                    handle.cancel();
                    start
                });
                plan = Some(session.plan_with(&request, &mut control).unwrap());
                let end = Instant::now();
                end.saturating_duration_since(canceller.join().unwrap())
            })
        })
        .collect();
    latencies.sort();
    println!("latencies {latencies:?}");
    assert!(latencies[2] <= Duration::from_millis(60), "{latencies:?}");
    assert_eq!(session.snapshot().unwrap(), before);
    let plan = plan.unwrap();
    assert_eq!(plan.status, PlanStatus::Cancelled);
    assert!(session.commit(plan.bytes(), CommitMode::Exact).unwrap().committed);
}
