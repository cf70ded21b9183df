//! Names and states of instances and sessions.

mod support;

use stowage::{
    App, Class, Cluster, ClusterApp, ClusterNode, CommitMode, ErrorKind, InstanceBuilder, NamedPlacement, NewNode, Node,
    NodeState, Operation, Request, Residence, Session, Submission,
};
use support::small;

fn named(app: &str, node: &str) -> NamedPlacement {
    NamedPlacement { app: app.into(), node: node.into(), class: "standard".into(), replicas: 1, copies: 1 }
}

fn node(name: &str, state: NodeState) -> ClusterNode {
    ClusterNode { name: name.into(), class: "standard".into(), state }
}

/// Nodes and apps keep their names while positions shift: an app leaves, a node is drained.
#[test]
fn a_session_by_name() {
    let mut empty = InstanceBuilder::new("session");
    empty.resource("cpu", "cores");
    empty.class(Class::new("standard", [8.0]));
    let mut session = Session::open(&empty.bytes().unwrap()).unwrap();
    let web = Submission { limits: vec![("web".into(), 1)], ..Submission::new("web", 3, [4.0]) };
    session
        .apply(&[
            Operation::AddNode(NewNode::new("a", "standard")),
            Operation::Submit(web),
            Operation::Submit(Submission::new("first", 1, [1.0])),
            Operation::Submit(Submission::new("last", 1, [2.0])),
            Operation::AddNode(NewNode::new("b", "standard")),
        ])
        .unwrap();
    let before = session.cluster().unwrap();
    let plan = session.plan(&Request::new("ff")).unwrap();
    // web needs 4 of 8 cores and allows one per node; first and last go beside the first of them.
    let want = [named("web", "a"), named("first", "a"), named("last", "a"), named("web", "b"), named("web", "standard-1")];
    assert_eq!(before.name(&plan).unwrap(), want);
    session.commit(plan.bytes(), CommitMode::Exact).unwrap();
    session
        .apply(&[
            Operation::Remove { app: "first".into() },
            Operation::Cordon { node: "b".into() },
            Operation::Drain { node: "standard-1".into() },
        ])
        .unwrap();
    let after = session.cluster().unwrap();
    assert_eq!(after.version, session.version());
    assert!(after.version > before.version);
    let app = |name: &str, replicas| ClusterApp { name: name.into(), replicas };
    assert_eq!(after.apps, [app("web", 3), app("last", 1)]);
    let states = [node("a", NodeState::Open), node("b", NodeState::Cordoned), node("standard-1", NodeState::Drained)];
    assert_eq!(after.nodes, states);
    let at: Vec<_> = after.where_is("last").collect();
    assert_eq!(at, [&Residence { app: "last".into(), node: "a".into(), replicas: 1 }]);
    assert_eq!(after.where_is("first").count(), 0);
    // The positions of the plan are no longer those of the cluster.
    assert_eq!(after.name(&plan).unwrap_err().kind(), ErrorKind::Invalid);
}

#[test]
fn an_instance_by_name() {
    let mut builder = InstanceBuilder::new("numbers");
    builder.resource("cpu", "cores");
    builder.class(Class::new("", [8.0]));
    builder.app(App::new("web", 9, [8.0]));
    builder.app(App::new("db", 1, [5.0]));
    // Names of new nodes skip those of listed ones.
    builder.node(Node { name: "node-2".into(), load: vec![8.0], ..Node::default() });
    builder.node(Node { name: "node-4".into(), load: vec![8.0], closed: true, ..Node::default() });
    let cluster = Cluster::read(&builder.bytes().unwrap()).unwrap();
    let instance = builder.build().unwrap();
    assert_eq!((cluster.fingerprint, cluster.version), (instance.fingerprint(), 0));
    assert_eq!((&cluster.resources[..], &cluster.classes[..]), (&["cpu".to_owned()][..], &["node".to_owned()][..]));
    assert_eq!((cluster.nodes[0].state, cluster.nodes[1].state), (NodeState::Open, NodeState::Cordoned));
    let each = [2, 4, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12];
    // node-1 stands for nine nodes.
    for (compact, numbers) in [(false, &each[..]), (true, &[2, 4, 1, 12][..])] {
        let plan = instance.plan(&Request::new("ff").compact(compact)).unwrap();
        let want: Vec<_> = numbers.iter().map(|number| format!("node-{number}")).collect();
        assert_eq!(cluster.node_names(&plan).unwrap(), want);
    }
}

#[test]
fn a_trace_tells_what_the_search_asked() {
    let instance = small().build().unwrap();
    let plan = instance.plan(&Request::new("auto").work_limit(1000).trace(true)).unwrap();
    assert_eq!((plan.trace[0].name.as_str(), plan.trace[0].calls), ("exchanges", 1));
}

#[test]
fn bytes_that_are_cut_are_refused() {
    let bytes = small().bytes().unwrap();
    for size in 0..bytes.len() {
        assert!(Cluster::read(&bytes[..size]).is_err(), "{size} of {} bytes", bytes.len());
    }
}
