mod support;

use std::thread;
use std::time::{Duration, Instant};

use stowage::{
    App, Cardinality, CardinalityKind, Class, Control, ControlHandle, DriverKind, ErrorKind, Instance, InstanceBuilder,
    LeftOver, Limits, Node, NodeGroup, NodeSet, NoteCode, Objective, ObstacleKind, OverriddenRule, Placement, Plan, PlanNode,
    PlanStatus, RelaxationKind, Request, Rule, RuleViolations, Uncertainty, Unplaced, EACH_NODE,
};
use support::{alike, instance_bytes, small, uncertain, workload};

#[test]
fn plan_of_the_small_instance_as_by_hand() {
    let instance = small().build().unwrap();
    let plan = instance.plan(&Request::new("ff")).unwrap();
    // Two web reach their limit on node 0; the third and db share node 1.
    let placed = |app, node, replicas| Placement { app, node, replicas };
    assert_eq!(plan.placements, [placed(0, 0, 2), placed(0, 1, 1), placed(1, 1, 1)]);
    assert_eq!(plan.nodes, [PlanNode { class: 0, listed: None, copies: 1 }; 2]);
    assert!(plan.unplaced.is_empty());
    assert_eq!((plan.status, plan.gap, plan.cost), (PlanStatus::Optimal, Some(0.0), None));
    assert_eq!((plan.instance, plan.planner.as_str()), (instance.fingerprint(), "ff"));
    assert_eq!(plan.node_bound.as_ref().unwrap().value, 2.0);

    let report = instance.verify(plan.bytes()).unwrap();
    assert!(report.ok && report.placed == 4 && report.nodes == 2);
    assert_eq!(Plan::read(plan.bytes()).unwrap(), plan);
    // From any alignment.
    let mut moved = vec![0];
    moved.extend_from_slice(plan.bytes());
    assert_eq!(Plan::read(&moved[1..]).unwrap(), plan);
}

#[test]
fn explains_bounds_and_lists_planners() {
    let instance = small().build().unwrap();
    let tight = instance.plan(&Request::new("ff").node_limit(1)).unwrap();
    let explanation = instance.explain(&tight).unwrap();
    assert_eq!((explanation.apps.len(), explanation.node_bound), (2, 2.0));
    let web = &instance.explain_app(&tight, 0).unwrap().apps[0];
    let obstacles = || web.closest.iter().flat_map(|node| &node.obstacles);
    assert!(obstacles().any(|one| one.kind == ObstacleKind::SelfLimit && one.limit == 2.0));
    assert!(web.relaxations.iter().any(|one| one.kind == RelaxationKind::RaiseLimit));
    assert_eq!(instance.explain_app(&tight, 7).unwrap_err().kind(), ErrorKind::Invalid);
    let room = instance.headroom(&tight, 0, Some(0)).unwrap();
    assert!(room.room[0] == 0 && room.forbidden[0]);
    assert!(room.obstacles.iter().any(|one| one.kind == ObstacleKind::SelfLimit));
    assert_eq!(instance.headroom(&tight, 7, None).unwrap_err().kind(), ErrorKind::Invalid);
    let every = instance.headroom_of_apps(Some(&tight), 0).unwrap();
    assert_eq!(every.room[0], room.room.iter().map(|&one| u64::from(one)).sum::<u64>());
    assert_eq!(instance.headroom_of_apps(None, 2_000_000_000).unwrap_err().kind(), ErrorKind::Invalid);
    let losses = instance.losses(Some(&tight), &[], "", None).unwrap();
    assert!(losses[0].left > 0 && losses[0].moves.iter().any(|&(_, to, _)| to.is_none()));
    assert_eq!(instance.losses(None, &[99], "", None).unwrap_err().kind(), ErrorKind::Invalid);
    let mut control = Control::new().unwrap();
    assert_eq!(instance.explain_with(&tight, &mut control).unwrap().apps.len(), 2);
    let order = instance.order_moves(&tight, 1, 1.0, Some(&mut control)).unwrap();
    assert_eq!((order.stuck.len(), order.moved, order.waves.len()), (0, 0, 1));
    assert_eq!(order.waves[0][0].from, None, "nothing runs yet");
    assert_eq!(instance.order_moves(&tight, 0, 2.0, None).unwrap_err().kind(), ErrorKind::Invalid);

    let bounds = instance.bounds().unwrap();
    assert_eq!((bounds[0].objective.as_str(), bounds[0].value), ("nodes", 2.0));
    let planners = stowage::planners().unwrap();
    assert!(planners.iter().any(|one| one.name == "auto" && one.default_deadline_ms.is_some()));
    assert!(planners.iter().any(|one| one.options.iter().any(|option| option.name == "epsilon")));
    assert_eq!(stowage::version(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn used_capacity_at_confidence_as_by_hand() {
    let instance = uncertain().build().unwrap();
    let plan = instance.plan(&Request::new("csp-ucac").objective(Objective::Ucac)).unwrap();
    // The three apps with variance share a node, 7 + 2.32635 x sqrt(3); the fourth does not fit beside them.
    let near = |found: f64, want: f64| (found - want).abs() < 1e-4;
    let want = 11.02935;
    assert!(plan.unplaced.is_empty());
    assert_eq!((plan.objective, plan.ucac_resource), (Objective::Ucac, Some(0)));
    assert!(near(plan.ucac.unwrap(), want + 4.0), "{:?}", plan.ucac);
    assert!(near(plan.ucac_bound.as_ref().unwrap().value, want + 4.0), "{:?}", plan.ucac_bound);
    let mut used = plan.node_ucac.clone();
    used.sort_by(f64::total_cmp);
    assert!(used.len() == plan.nodes.len() && used.len() == 2 && near(used[0], 4.0) && near(used[1], want), "{used:?}");
    let report = instance.verify(plan.bytes()).unwrap();
    assert!(report.ok && near(report.ucac.unwrap(), want + 4.0), "{report:?}");
    assert_eq!(Plan::read(plan.bytes()).unwrap(), plan);
    let bounds = instance.bounds().unwrap();
    assert!(bounds.iter().any(|one| one.objective == "ucac" && one.value > 0.0 && one.value <= want + 4.001), "{bounds:?}");
    let drivers = instance.explain(&plan).unwrap().drivers;
    assert!(drivers.iter().any(|one| one.kind == DriverKind::WithoutUncertainty && one.nodes == 1.0), "{drivers:?}");
    let tight = instance.plan(&Request::new("bf-ucac").node_limit(1)).unwrap();
    let apps = instance.explain(&tight).unwrap().apps;
    let mut obstacles = apps[0].closest.iter().flat_map(|node| &node.obstacles);
    assert!(obstacles.any(|one| one.kind == ObstacleKind::CapacityAtConfidence), "{apps:?}");

    let refused = instance.plan(&Request::new("ff").objective(Objective::Ucac)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported);
    let planners = stowage::planners().unwrap();
    assert!(planners.iter().any(|one| one.name == "csp-ucac" && one.objectives.iter().any(|objective| objective == "ucac")));
    let certain = small().build().unwrap().plan(&Request::new("ff")).unwrap();
    assert_eq!((certain.ucac, certain.ucac_resource, certain.ucac_bound), (None, None, None));
    assert!(certain.node_ucac.is_empty());
}

// calm costs 1 per load of calm and 2 per load of noisy, noisy 0.5 and 1. Loads are memory: 4 and 2.
#[test]
fn side_effects_as_by_hand() {
    let build = |max_cost: Vec<f64>| {
        let mut b = InstanceBuilder::new("colocation");
        b.resource("cpu", "cores");
        let memory = b.resource("memory", "GiB");
        b.class(Class { count: 2, ..Class::new("node", [16.0, 100.0]) });
        b.app(App { kind: "calm".into(), ..App::new("web", 2, [1.0, 4.0]) });
        b.app(App { kind: "noisy".into(), ..App::new("batch", 2, [1.0, 2.0]) });
        b.interference(vec!["calm".into(), "noisy".into()], vec![1.0, 2.0, 0.5, 1.0]);
        b.interference_resource(memory);
        b.max_cost(max_cost);
        b.build().unwrap()
    };
    let instance = build(vec![]);
    let plan = instance.plan(&Request::new("kind-lpt").objective(Objective::Worst)).unwrap();
    // Kinds apart: 8 and 4. Mixed: 8 on both nodes.
    assert_eq!((plan.objective, plan.max_cost, plan.max_cost_limit), (Objective::Worst, Some(8.0), None));
    assert!(plan.max_cost_bound.is_some() && plan.total_cost.unwrap() >= 16.0, "{plan:?}");
    assert_eq!(plan.node_max_cost.len(), plan.nodes.len());
    let report = instance.verify(plan.bytes()).unwrap();
    assert!(report.ok, "{report:?}");
    assert_eq!(
        (report.max_cost, report.total_cost, &report.node_max_cost),
        (plan.max_cost, plan.total_cost, &plan.node_max_cost)
    );
    let crowded = instance.plan(&Request::new("ff")).unwrap();
    assert_eq!(crowded.max_cost, Some(16.0));
    // web costs 8 of its own kind and 8 of the other; the plan has no other node.
    let worst = instance.explain(&crowded).unwrap().suffering.unwrap();
    assert_eq!((worst.cost, worst.from_kind, worst.to), (16.0, vec![8.0, 8.0], None));
    let limited = instance.plan(&Request::new("ff").max_cost(8.0)).unwrap();
    assert!(limited.max_cost_limit == Some(8.0) && limited.max_cost <= Some(8.0), "{limited:?}");

    let strict = build(vec![5.0, f64::INFINITY]);
    assert_ne!(strict.fingerprint(), instance.fingerprint());
    let own = strict.plan(&Request::new("ff")).unwrap();
    assert!(own.max_cost <= Some(5.0) && !own.unplaced.is_empty(), "{own:?}");
    let app = &strict.explain(&own).unwrap().apps[0];
    assert!(
        app.closest[0].obstacles.iter().any(|one| one.kind == ObstacleKind::SideEffects && one.other == Some(0)),
        "{app:?}"
    );
    let raise = app.relaxations.iter().find(|one| one.kind == RelaxationKind::RaiseMaxCost).unwrap();
    assert_eq!(raise.suffering_kind, Some(0));
    assert_eq!(instance.plan(&Request::new("ff").max_cost(3.0)).unwrap_err().kind(), ErrorKind::Invalid);
    let plain = small().build().unwrap().plan(&Request::new("ff")).unwrap();
    assert!(plain.max_cost.is_none() && plain.total_cost.is_none() && plain.node_max_cost.is_empty());
}

#[test]
fn placement_rules_as_by_hand() {
    let mut b = InstanceBuilder::new("ruled");
    b.resource("cpu", "cores");
    b.class(Class::new("standard", [8.0]));
    let web = b.app(App { tags: vec!["web".into()], ..App::new("web", 3, [2.0]) });
    b.app(App { tags: vec!["db".into()], ..App::new("db", 1, [4.0]) });
    b.limit(web, web, 2);
    let condition = |subject: &str, min, max| {
        let tags = |tag: &str| vec![tag.to_owned()];
        let group = Some("node".into());
        vec![vec![Cardinality { subject: tags(subject), target: tags("db"), min, max, group, ..Cardinality::default() }]]
    };
    b.rule(Rule { name: "near".into(), any_of: condition("web", 1, None), weight: Some(2.0), operator: false });
    b.rule(Rule { name: "crowd".into(), any_of: condition("db", 1, None), weight: None, operator: false });
    b.rule(Rule { name: "alone".into(), any_of: condition("db", 0, Some(0)), weight: None, operator: true });
    let instance = b.build().unwrap();
    let plan = instance.plan(&Request::new("ff")).unwrap();
    // Two web and db fill node 0; the third web has no db near. The operator's rule overrides "crowd".
    let want = RuleViolations { count: 1, replicas: 1, extent: 1.0, weight: 2.0, cost: 2.0 };
    assert_eq!(plan.rule_violations, Some(want));
    let report = instance.verify(plan.bytes()).unwrap();
    let [near] = &report.rule_violations[..] else { panic!("{report:?}") };
    assert!(report.ok && !near.hard && !near.inherited);
    assert_eq!((near.rule, near.node, near.app, near.replicas), (0, Some(1), Some(0), 1));
    assert_eq!((near.extent, near.amount, near.limit, near.weight), (1.0, 0.0, 1.0, 2.0));
    let metrics = &report.metrics;
    assert_eq!((metrics.applications, metrics.applications_placed), (2, 2));
    assert_eq!((metrics.nodes, metrics.nodes_used, metrics.fragmented_nodes), (2, 2, 0));
    // 8 and 2 of 8 are used: mean 5/8, standard deviation 3/8.
    assert_eq!((metrics.imbalance.clone(), metrics.rule_violations), (vec![0.6], want));
    assert_eq!(instance.explain(&plan).unwrap().overridden, [OverriddenRule { rule: 1, by: 2 }]);
    let whole = instance.plan(&Request::new("medea-tp").node_limit(1).all_or_nothing(true)).unwrap();
    assert_eq!(whole.unplaced, [Unplaced { app: 0, replicas: 3 }]);
    assert_eq!(small().build().unwrap().plan(&Request::new("ff")).unwrap().rule_violations, None);
}

#[test]
fn compact_plan_as_by_hand() {
    let instance = alike().build().unwrap();
    let plan = instance.plan(&Request::new("ff").compact(true)).unwrap();
    // Four replicas fill a node: two nodes have the same content, and the ninth replica is alone.
    let node = |copies| PlanNode { class: 0, listed: None, copies };
    assert_eq!(plan.nodes, [node(2), node(1)]);
    let placed = |node, replicas| Placement { app: 0, node, replicas };
    assert_eq!(plan.placements, [placed(0, 4), placed(1, 1)]);
    assert_eq!((plan.nodes_in_use(), plan.cost, plan.gap), (3, Some(4.5), Some(0.0)));
    let report = instance.verify(plan.bytes()).unwrap();
    assert!(report.ok && report.placed == 9 && report.nodes == 3, "{report:?}");
    assert_eq!(Plan::read(plan.bytes()).unwrap(), plan);
    let each = instance.plan(&Request::new("ff")).unwrap();
    assert_eq!((each.nodes, each.cost), (vec![node(1); 3], plan.cost));
}

#[test]
fn what_is_left_over_as_by_hand() {
    let mut b = alike();
    b.app(App { priority: 1, ..App::new("whale", 2, [9.0]) });
    let plan = b.build().unwrap().plan(&Request::new("ff").node_limit(1)).unwrap();
    // Four of nine fit on a node; no node has room for a whale.
    let left = |priority, replicas| LeftOver { priority, replicas };
    assert_eq!((plan.left_over_bound, plan.places_most), (vec![left(1, 2), left(0, 5)], true));
    let [note] = &plan.notes[..] else { panic!("{:?}", plan.notes) };
    assert!(note.code == NoteCode::LeftOut && note.text.contains("whale"), "{note:?}");
    let whole = alike().build().unwrap().plan(&Request::new("ff")).unwrap();
    assert_eq!((whole.left_over_bound, whole.places_most, whole.notes), (vec![], false, vec![]));
}

#[test]
fn errors_have_kind_and_path() {
    let mut negative = small();
    negative.app(App::new("sick", 1, [1.0, -1.0]));
    let mut short = small();
    short.app(App::new("short", 1, [1.0]));
    let mut ruled = small();
    let cardinality = Cardinality { subject: vec!["x".into()], group: Some("racks".into()), ..Cardinality::default() };
    ruled.rule(Rule { any_of: vec![vec![cardinality]], ..Rule::default() });
    let mut beside = small();
    beside.limit(5, 0, 1);
    for (builder, path) in [
        (negative, "apps.demand[5]"),
        (short, "apps[2].demand"),
        (ruled, "rules[0].any_of[0].all_of[0].group"),
        (beside, "limits"),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Invalid, path));
    }

    assert_eq!(Instance::load(b"no instance at all").unwrap_err().kind(), ErrorKind::Malformed);
    let limits = Limits { apps: 1, ..Limits::default() };
    let bytes = small().bytes().unwrap();
    assert_eq!(Instance::load_within(&bytes, &limits).unwrap_err().kind(), ErrorKind::LimitExceeded);
    let instance = small().build().unwrap();
    let error = instance.plan(&Request::new("best")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(error.to_string(), "planner: there is no planner \"best\"");
    assert_eq!(instance.verify(b"no plan").unwrap_err().kind(), ErrorKind::Malformed);
}

#[test]
fn hostile_plans_are_refused_or_read() {
    let plan = small().build().unwrap().plan(&Request::new("ff").node_limit(1)).unwrap();
    assert_eq!(Plan::read(&instance_bytes("small")).unwrap_err().kind(), ErrorKind::Malformed);
    let mut refused = 0;
    for at in 0..plan.bytes().len() {
        refused += usize::from(Plan::read(&plan.bytes()[..at]).is_err());
        for value in [0, 0x7f, 0xff] {
            let mut bytes = plan.bytes().to_vec();
            bytes[at] = value;
            refused += usize::from(Plan::read(&bytes).is_err());
        }
    }
    assert!(refused > plan.bytes().len());
}

#[test]
fn every_part_of_the_model_arrives() {
    let build = |confidence: f64| {
        let mut b = InstanceBuilder::new("all");
        b.periods(2);
        b.resource("cpu", "cores");
        let class = b.class(Class { count: 3, price: Some(2.5), labels: vec!["zone=a".into()], ..Class::new("c", [8.0]) });
        let node = b.node(Node {
            name: "n".into(),
            class,
            load: vec![1.0],
            load_variance: vec![0.5],
            closed: true,
            tags: vec!["ssd".into()],
            ..Node::default()
        });
        let flat = b.app(App {
            priority: -3,
            variance: vec![0.25],
            kind: "io".into(),
            tags: vec!["web".into()],
            ..App::new("flat", 2, [1.0])
        });
        b.app(App { support_min: vec![0.0], support_max: vec![3.0], ..App::new("day", 2, [1.0, 2.0]) });
        b.running(flat, node, 1);
        b.pin(flat, node, 1);
        b.node_group(NodeGroup { name: "zone".into(), by_label: "zone".into(), ..NodeGroup::default() });
        let rack = NodeSet { name: "r1".into(), nodes: vec![node] };
        b.node_group(NodeGroup { name: "rack".into(), sets: vec![rack], ..NodeGroup::default() });
        let web = || vec!["web".to_owned()];
        let few = Cardinality {
            subject: web(),
            target: web(),
            max: Some(3),
            group: Some("rack".into()),
            negated: true,
            ..Cardinality::default()
        };
        let skew = Cardinality {
            kind: CardinalityKind::Skew,
            subject: web(),
            max: Some(3),
            group: Some("zone".into()),
            ..Cardinality::default()
        };
        let any_of = vec![vec![few], vec![skew]];
        b.rule(Rule { name: "spread".into(), any_of, weight: Some(2.0), operator: true });
        b.uncertainty(Uncertainty { model: Default::default(), confidence, factor: 0.0 });
        b.interference(vec!["cpu".into(), "io".into()], vec![0.0, 1.0, 1.0, 0.0]);
        b.build().unwrap()
    };
    let instance = build(0.95);
    if let Err(error) = instance.plan(&Request::new("ff")) {
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
    assert_ne!(instance.fingerprint(), build(0.96).fingerprint());
}

#[test]
fn instances_and_handles_go_to_other_threads() {
    fn goes<T: Send + Sync>() {}
    goes::<Instance>();
    goes::<Plan>();
    goes::<ControlHandle>();
    goes::<Control>();

    let instance = workload(40, 8).build().unwrap();
    let want = instance.plan(&Request::new("bfd-avg")).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let plan = instance.plan(&Request::new("bfd-avg")).unwrap();
                    assert_eq!(plan, want);
                    assert!(instance.verify(plan.bytes()).unwrap().ok);
                }
            });
        }
    });
    // The instance is freed by another thread than the one that created it.
    thread::spawn(move || drop(instance)).join().unwrap();
}

#[test]
fn cancel_returns_the_best_plan_so_far_within_60_milliseconds() {
    let instance = workload(200, 60).build().unwrap();
    let request = Request::new("auto").deadline(Duration::from_secs(60));
    let mut control = Control::new().unwrap();
    let mut latencies: Vec<Duration> = (0..5)
        .map(|_| {
            control.reset();
            let handle = control.handle();
            let (plan, latency) = thread::scope(|scope| {
                let canceller = scope.spawn(move || {
                    while handle.progress().best.is_none() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    thread::sleep(Duration::from_millis(20));
                    let start = Instant::now();
                    handle.cancel();
                    start
                });
                let plan = instance.plan_with(&request, &mut control).unwrap();
                let end = Instant::now();
                (plan, end.saturating_duration_since(canceller.join().unwrap()))
            });
            assert_eq!(plan.status, PlanStatus::Cancelled);
            assert!(plan.unplaced.is_empty() && instance.verify(plan.bytes()).unwrap().ok);
            assert!(control.handle().progress().cancelled);
            latency
        })
        .collect();
    latencies.sort();
    println!("latencies {latencies:?}");
    assert!(latencies[2] <= Duration::from_millis(60), "{latencies:?}");
}

#[test]
fn a_deadline_is_repeated_by_its_work() {
    let instance = workload(200, 60).build().unwrap();
    let plan = instance.plan(&Request::new("auto").deadline(Duration::from_millis(50))).unwrap();
    assert_eq!(plan.status, PlanStatus::Deadline);
    let again = instance.plan(&Request::new("auto").work_limit(plan.work)).unwrap();
    assert_eq!(again.placements, plan.placements);
}

/// Three replicas, of which a node holds one.
fn apart() -> Instance {
    let mut b = InstanceBuilder::new("apart");
    b.resource("cpu", "cores");
    b.class(Class { labels: vec!["rack=r1".to_owned()], ..Class::new("standard", [10.0]) });
    b.app(App::new("web", 3, [6.0]));
    b.build().unwrap()
}

#[test]
fn plans_survive_losses_as_by_hand() {
    let instance = apart();
    let request = Request::new("ff").survive(EACH_NODE);
    let plan = instance.plan(&request).unwrap();
    assert_eq!((plan.survive.as_deref(), plan.not_survived, plan.status), (Some("*"), Some(0), PlanStatus::Optimal));
    // One node more than hold replicas: the loss of any is borne.
    assert_eq!((plan.nodes_in_use(), plan.placements.len()), (4, 3));
    let bound = plan.node_bound.as_ref().unwrap();
    assert_eq!((bound.name.as_str(), bound.value), ("survival", 4.0));
    assert!(instance.verify(plan.bytes()).unwrap().ok);
    assert_eq!(Plan::read(plan.bytes()).unwrap(), plan);
    let tight = instance.plan(&request.clone().node_limit(3)).unwrap();
    assert_eq!((tight.not_survived, tight.status, tight.notes[0].code), (Some(1), PlanStatus::Partial, NoteCode::Promise));
    let plain = instance.plan(&Request::new("ff")).unwrap();
    assert_eq!((plain.survive, plain.not_survived), (None, Some(0)));
    assert!(plain.reserved.is_empty() && plain.unreserved.is_empty());
}

#[test]
fn plans_leave_racks_free_as_by_hand() {
    let instance = apart();
    let plan = instance.plan(&Request::new("ff").leave_free("rack")).unwrap();
    assert_eq!((plan.leave_free.as_deref(), plan.domains_in_use, plan.domain_bound), (Some("rack"), 1, 1));
    assert_eq!(plan.status, PlanStatus::Optimal);
    let plain = instance.plan(&Request::new("ff")).unwrap();
    assert_eq!((plain.leave_free, plain.domains_in_use, plain.domain_bound), (None, 0, 0));
}

#[test]
fn plans_keep_room_as_by_hand() {
    let instance = apart();
    let request = Request::new("ff").keep(0, 2);
    let plan = instance.plan(&request).unwrap();
    let room = |node| Placement { app: 0, node, replicas: 1 };
    assert_eq!((plan.reserved.as_slice(), plan.nodes_in_use(), plan.placements.len()), (&[room(3), room(4)][..], 5, 3));
    assert!(plan.unreserved.is_empty() && instance.verify(plan.bytes()).unwrap().ok);
    let tight = instance.plan(&request.node_limit(4)).unwrap();
    assert_eq!((tight.reserved, tight.status), (vec![room(3)], PlanStatus::Partial));
    assert_eq!(tight.unreserved, [Unplaced { app: 0, replicas: 1 }]);
}

#[test]
fn refused_promises_name_the_field() {
    let instance = apart();
    let ff = || Request::new("ff");
    for (path, request) in [
        ("survive", ff().survive("zone")),
        ("leave_free", ff().leave_free("zone")),
        ("keep[0].app", ff().keep(7, 1)),
        ("keep[1].app", ff().keep(0, 1).keep(0, 2)),
        ("keep[0].replicas", ff().keep(0, 0)),
    ] {
        let refused = instance.plan(&request).unwrap_err();
        assert_eq!((refused.kind(), refused.path()), (ErrorKind::Invalid, path));
    }
}
