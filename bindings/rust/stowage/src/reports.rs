use flatbuffers::{Follow, ForwardsUOffset, Vector};

use crate::error::{Error, ErrorKind, Result};
use crate::plan::{kinds, known, RuleViolations};
use crate::wire;

kinds! {
    /// The kinds of violations; `report.fbs` defines the fields for each kind.
    ViolationKind {
        Capacity, AffinityLimit, SelfLimit, ReplicaCount, Pin, ClassCount, BadNode, BadEntry, Moves, ClosedNode, Figures,
        WrongInstance, Unchecked, CapacityAtConfidence, PlacementRule, Eligibility, SideEffects, Devices, Promise,
    }
}
kinds! {
    /// The kinds of obstacles that keep a replica off a node; see `report.fbs`.
    ObstacleKind {
        Capacity, AffinityLimit, ImposedLimit, SelfLimit, ClosedNode, CapacityAtConfidence, PlacementRule, Eligibility,
        SideEffects, Devices,
    }
}
kinds! {
    /// The kinds of changes that make room for one more replica; see `report.fbs`.
    RelaxationKind {
        None, AddNode, AddCapacity, RaiseLimit, OpenNode, RaiseMaximum, LowerMinimum, SoftenRule, AdmitTag, RaiseMaxCost,
    }
}
kinds! {
    /// The kinds of reasons for a plan's number of nodes; see `report.fbs`.
    DriverKind {
        Capacity, LargeItems, WithoutLimits, WithoutResource, WithoutPeriods, SelfLimit, WithoutUncertainty,
        WithoutCostLimits, WithoutPromises,
    }
}

kinds! {
    /// The kinds of conflicts for which a part of a plan was not taken; see `report.fbs`.
    ConflictKind { Version, AppGone, NotPending, NodeGone, NodeClosed, NoRoom, Moves, Rules }
}

/// A part of a plan that was not taken, and why. Its replicas stay pending.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub kind: ConflictKind,
    /// Empty where the conflict concerns the whole plan.
    pub app: String,
    /// Empty where the conflict concerns the whole plan, or a node that has no name yet.
    pub node: String,
    /// What was planned: replicas or, where the kind is `Version`, a version.
    pub wanted: u64,
    /// How many of these are pending or have room, or the present version.
    pub available: u64,
}

/// What a session took of a plan.
#[derive(Clone, Debug)]
pub struct Commit {
    /// True: some or all of the plan was taken.
    pub committed: bool,
    /// Version of the session that the plan was made for.
    pub planned_version: u64,
    /// Version of the session after the commit.
    pub version: u64,
    /// Replicas that were pending and run now.
    pub placed: u64,
    /// Replicas that run on another node now.
    pub moved: u64,
    /// Replicas that ran and are pending now.
    pub ended: u64,
    /// Names of the nodes that the plan opened, in the plan's order.
    pub opened: Vec<String>,
    /// The parts that were not taken.
    pub conflicts: Vec<Conflict>,
}

/// A broken constraint.
#[derive(Clone, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    /// True: the constraint was broken before planning, and the plan makes it no worse.
    pub inherited: bool,
    /// Index of the plan's node.
    pub node: Option<u32>,
    /// Index of the app.
    pub app: Option<u32>,
    /// Index of another app, a class, a rule, a tag or a kind, as `kind` says.
    pub other: Option<u32>,
    /// Index of the resource.
    pub resource: Option<u32>,
    /// Index of the period.
    pub period: Option<u32>,
    /// What there is, in the unit of the constraint.
    pub amount: f64,
    /// What is allowed.
    pub limit: f64,
    /// The figure, feature or rule that `kind` refers to, such as "cost".
    pub what: String,
}

/// The independent checker's findings on one plan.
#[derive(Clone, Debug)]
pub struct Verification {
    /// True: the plan breaks no constraint that was not already broken at the start.
    pub ok: bool,
    /// Nodes in use, copies included.
    pub nodes: u64,
    /// Replicas that are placed.
    pub placed: u64,
    /// Replicas that are not.
    pub unplaced: u64,
    /// Sum of the prices of the nodes in use; none without prices.
    pub cost: Option<f64>,
    /// Violations that are new or worse than at the start. All are counted; `violations` lists the first 1000.
    pub violation_count: u64,
    /// Violations that were there at the start and are no worse.
    pub inherited_count: u64,
    /// The first 1000, new ones and inherited ones.
    pub violations: Vec<Violation>,
    /// Utilization of each resource: demand / capacity, both summed over the nodes in use, in the period where it is highest.
    pub utilization: Vec<f64>,
    /// Used capacity at confidence as [`Plan::ucac`](crate::Plan::ucac), recomputed by the checker; none where no demand is
    /// uncertain.
    pub ucac: Option<f64>,
    /// As those of [`Plan`](crate::Plan), recomputed by the checker.
    pub max_cost: Option<f64>,
    pub total_cost: Option<f64>,
    pub node_max_cost: Vec<f64>,
    pub metrics: ClusterMetrics,
    /// Violations of placement rules, hard and soft: the first 1000.
    pub rule_violations: Vec<RuleViolation>,
}

/// A placement rule and replicas for which it does not hold.
#[derive(Clone, Debug)]
pub struct RuleViolation {
    /// Index of the rule in the instance.
    pub rule: u32,
    pub hard: bool,
    /// True: the rule is hard, was broken before planning, and the plan makes it no worse.
    pub inherited: bool,
    /// Index of the plan's node; none for conditions on the number of sets or on skew, which are about all subjects together.
    pub node: Option<u32>,
    /// Index of the app; none where the rule is about all subjects together.
    pub app: Option<u32>,
    /// Replicas of the app on the node; 1 where there is no node.
    pub replicas: u32,
    /// Extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq. 8).
    pub extent: f64,
    /// The count that misses its bound by most.
    pub amount: f64,
    /// The bound of that count.
    pub limit: f64,
    /// Weight of the rule.
    pub weight: f64,
}

/// The state of the cluster under a plan.
#[derive(Clone, Debug)]
pub struct ClusterMetrics {
    /// Applications that want replicas. Apps that share a tag that begins with `appID:` are one application.
    pub applications: u64,
    /// Applications that are placed in full.
    pub applications_placed: u64,
    /// Nodes that exist; of a class without a count, only nodes in use.
    pub nodes: u64,
    pub nodes_used: u64,
    /// Fragmented nodes (P2, section 7.4): less of some resource is free than the smallest demand for it, and some resource is
    /// not full.
    pub fragmented_nodes: u64,
    /// Coefficient of variation of the nodes' peak utilization over periods, per resource.
    pub imbalance: Vec<f64>,
    /// As in [`Plan::rule_violations`](crate::Plan::rule_violations), recounted by the checker.
    pub rule_violations: RuleViolations,
}

/// What keeps a replica off a node.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    /// Index of the resource that lacks.
    pub resource: Option<u32>,
    /// Index of the period in which it does.
    pub period: Option<u32>,
    /// Index of another app, a rule, a tag or a kind, as `kind` says.
    pub other: Option<u32>,
    /// What lacks or what there would be, as `kind` says.
    pub amount: f64,
    /// What is allowed.
    pub limit: f64,
}

/// How many more replicas of each app a cluster takes, one app growing at a time. One entry per app.
#[derive(Clone, Debug)]
pub struct HeadroomOfApps {
    /// Sum over the plan's nodes, each copy by itself, of the most replicas that the node takes.
    pub room: Vec<u64>,
    /// Nodes of the plan that take at least one.
    pub nodes: Vec<u64>,
    /// The most that one node of the plan takes.
    pub most: Vec<u32>,
    /// The sum over nodes that exist and that the plan does not use.
    pub spare_room: Vec<u64>,
    /// A hard placement rule counts the app over several nodes: `room` and `spare_room` are upper bounds.
    pub coupled: Vec<bool>,
}

/// What becomes of the replicas of nodes that are lost together, all others staying where they are.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The value of the label; empty where nodes were asked for by number.
    pub name: String,
    /// The lost nodes: the instance's listed nodes by their index, then the plan's anonymous nodes, each copy by itself.
    pub nodes: Vec<u32>,
    /// Replicas on them.
    pub replicas: u64,
    /// Replicas without a place.
    pub left: u64,
    /// App, node (`None`: nowhere) and number of replicas.
    pub moves: Vec<(u32, Option<u32>, u32)>,
    /// A resource of which what remains has too little free, so that no way to place all exists.
    pub short_resource: Option<u32>,
    /// The period in which it is.
    pub short_period: Option<u32>,
    /// How much is missing, in the resource's unit.
    pub short_amount: f64,
}

/// How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant.
#[derive(Clone, Debug)]
pub struct Headroom {
    /// Most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none.
    pub room: Vec<u32>,
    /// The node lacks capacity for one more.
    pub lacks_capacity: Vec<bool>,
    /// Limits, rules, side effects, tags or its being closed refuse one more there.
    pub forbidden: Vec<bool>,
    /// What keeps one more off the node that was asked for.
    pub obstacles: Vec<Obstacle>,
}

/// The way from what runs to a plan. Every hard constraint holds at every step.
#[derive(Clone, Debug)]
pub struct MoveOrder {
    /// The moves of a wave run at the same time, in any order. Replicas that begin to run come last.
    pub waves: Vec<Vec<Move>>,
    /// Moves that cannot be ordered; those of a circle on full nodes, for example, need a third place that does not exist.
    pub stuck: Vec<Move>,
    /// Replicas that change their node, each counted once.
    pub moved: u32,
    /// Further moves over third places.
    pub detours: u32,
    /// No order has fewer waves, by the limits on what happens at the same time.
    pub least_waves: u32,
}

/// One replica that changes its node. Nodes are the instance's listed nodes by their index, then the plan's anonymous nodes in
/// its order, each copy by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub app: u32,
    /// None: the replica starts.
    pub from: Option<u32>,
    /// None: the replica ends.
    pub to: Option<u32>,
    /// To a node where the plan does not have it; a later wave takes it on.
    pub detour: bool,
}

/// A node that comes close to accepting one more replica of the app.
#[derive(Clone, Debug)]
pub struct CloseNode {
    /// None = a new, empty node of the class.
    pub node: Option<u32>,
    /// Index of its class.
    pub class: u32,
    /// What keeps the replica off it.
    pub obstacles: Vec<Obstacle>,
    /// A smaller distance is closer; see `report.fbs`.
    pub distance: f64,
}

/// A change that makes room for one more replica.
#[derive(Clone, Debug)]
pub struct Relaxation {
    pub kind: RelaxationKind,
    /// The node that changes, or on which the change was seen.
    pub node: Option<u32>,
    /// The class that gets a node, or whose nodes get capacity.
    pub class: Option<u32>,
    /// The app that imposes the limit to raise.
    pub beside: Option<u32>,
    /// The app that the limit, the rule or the tag is of.
    pub app: Option<u32>,
    /// The resource to add.
    pub resource: Option<u32>,
    /// How much to add, or the new value of a limit.
    pub amount: f64,
    /// Index of the rule in the instance.
    pub rule: Option<u32>,
    /// Index of the condition in the rule's only conjunction.
    pub condition: Option<u32>,
    /// Index of a tag of the instance.
    pub tag: Option<u32>,
    /// Index of a kind given to [`InstanceBuilder::interference`](crate::InstanceBuilder::interference).
    pub suffering_kind: Option<u32>,
}

/// Why an app's replicas are unplaced.
#[derive(Clone, Debug)]
pub struct AppExplanation {
    /// Index of the app.
    pub app: u32,
    /// Number of its unplaced replicas.
    pub unplaced: u32,
    /// Nodes of the plan that accept one more replica.
    pub open_nodes: u64,
    /// Nodes of the plan that refuse one more for lack of capacity alone.
    pub blocked_by_capacity: u64,
    /// Nodes of the plan that refuse one more for limits or rules alone.
    pub blocked_by_limits: u64,
    /// Nodes of the plan that refuse one more for both.
    pub blocked_by_both: u64,
    /// The nodes that come closest to accepting one more.
    pub closest: Vec<CloseNode>,
    /// Smallest first.
    pub relaxations: Vec<Relaxation>,
}

/// A reason for a plan's number of nodes.
#[derive(Clone, Debug)]
pub struct Driver {
    pub kind: DriverKind,
    /// The resource that the reason is about.
    pub resource: Option<u32>,
    /// The period that it is about.
    pub period: Option<u32>,
    /// The app that it is about.
    pub app: Option<u32>,
    /// How many nodes it asks for.
    pub nodes: f64,
}

/// The use of a resource in its peak period, in its unit.
#[derive(Clone, Debug)]
pub struct ResourceUse {
    /// Index of the resource.
    pub resource: u32,
    /// The period of highest demand.
    pub peak_period: u32,
    /// Demand in that period, load included.
    pub demand: f64,
    /// Capacity of the nodes in use.
    pub capacity: f64,
    /// Free capacity on nodes that accept no replica of any app that demands the resource; of these, the 64 smallest are tried.
    pub stranded: f64,
}

/// What determines a plan's number of nodes, and why replicas are unplaced.
#[derive(Clone, Debug)]
pub struct Explanation {
    bytes: Vec<u8>,
    /// Nodes in use.
    pub nodes: u64,
    /// A lower bound on the nodes of any complete plan.
    pub node_bound: f64,
    /// What determines the number of nodes.
    pub drivers: Vec<Driver>,
    /// The use of each resource.
    pub resources: Vec<ResourceUse>,
    /// The app asked for, or the apps with the most unplaced replicas, at most 100.
    pub apps: Vec<AppExplanation>,
    /// Placement rules of applications that contradict a rule of the operator, which prevails.
    pub overridden: Vec<OverriddenRule>,
    /// The replica that suffers most from side effects; none without kinds or without replicas.
    pub suffering: Option<Suffering>,
}

impl Explanation {
    /// The bytes of the report (`report.fbs`).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The replica that suffers most from side effects, and one move that would help.
#[derive(Clone, Debug)]
pub struct Suffering {
    /// Index of the plan's node.
    pub node: u32,
    /// The first app of the replica's kind on the node.
    pub app: u32,
    /// What side effects cost it.
    pub cost: f64,
    /// What the load of each kind on the node adds to the cost.
    pub from_kind: Vec<f64>,
    /// The move of one replica of this app to the node `to` of the plan, which takes it: of those tried, the one that helps most.
    pub moving: Option<u32>,
    /// The node that it would move to.
    pub to: Option<u32>,
    /// Cost of who then suffers most on `node` and on `to`.
    pub cost_after: f64,
    /// Of who then suffers most on `to`.
    pub cost_there: f64,
}

/// A placement rule and the rule that overrides it, as indices of the instance's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverriddenRule {
    pub rule: u32,
    pub by: u32,
}

/// A lower bound on `"nodes"`, `"cost"`, `"ucac"` (used capacity at confidence), or `"worst"` or `"total"` (costs of side effects).
#[derive(Clone, Debug)]
pub struct BoundEntry {
    pub name: String,
    /// What it bounds.
    pub objective: String,
    pub value: f64,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    /// Paper, section, equation.
    pub source: String,
}

/// An option of a planner.
#[derive(Clone, Debug)]
pub struct PlannerOption {
    pub name: String,
    pub summary: String,
    pub default: f64,
    pub min: f64,
    pub max: f64,
}

/// An entry of the catalogue.
#[derive(Clone, Debug)]
pub struct Planner {
    pub name: String,
    pub summary: String,
    /// Paper, section, equation.
    pub source: String,
    /// The order of its time.
    pub complexity: String,
    pub options: Vec<PlannerOption>,
    /// Features of the model that the planner honours. It refuses an instance that uses any other feature.
    pub honours: Vec<String>,
    /// Milliseconds after which a run ends where the request has neither a deadline nor a work limit.
    pub default_deadline_ms: Option<u64>,
    /// Objectives that the planner pursues: `"nodes"`, `"ucac"`, `"worst"`, `"total"`, `"admitted"`, `"traffic"`.
    pub objectives: Vec<String>,
}

fn list<'a, T, To>(vector: Option<Vector<'a, ForwardsUOffset<T>>>, to: impl FnMut(T::Inner) -> To) -> Vec<To>
where
    T: Follow<'a> + 'a,
{
    vector.map(|vector| vector.iter().map(to).collect()).unwrap_or_default()
}

fn text(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

fn internal(what: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("the library returned {what} that cannot be read"), "")
}

fn report(bytes: &[u8]) -> Result<wire::Report<'_>> {
    wire::root_as_report(bytes).map_err(|_| internal("a report"))
}

pub(crate) fn commit(bytes: &[u8]) -> Result<Commit> {
    let from = report(bytes)?.body_as_commit().ok_or_else(|| internal("another report"))?;
    Ok(Commit {
        committed: from.committed(),
        planned_version: from.planned_version(),
        version: from.version(),
        placed: from.placed(),
        moved: from.moved(),
        ended: from.ended(),
        opened: from.opened().map(|all| all.iter().map(str::to_owned).collect()).unwrap_or_default(),
        conflicts: list(from.conflicts(), |one| Conflict {
            kind: one.kind().into(),
            app: text(one.app()),
            node: text(one.node()),
            wanted: one.wanted(),
            available: one.available(),
        }),
    })
}

pub(crate) fn verification(bytes: &[u8]) -> Result<Verification> {
    let from = report(bytes)?.body_as_verification().ok_or_else(|| internal("another report"))?;
    let metrics = from.metrics().ok_or_else(|| internal("a verification"))?;
    Ok(Verification {
        ok: from.ok(),
        nodes: from.nodes(),
        placed: from.placed(),
        unplaced: from.unplaced(),
        cost: (from.cost() >= 0.0).then(|| from.cost()),
        violation_count: from.violation_count(),
        inherited_count: from.inherited_count(),
        violations: list(from.violations(), |one| Violation {
            kind: one.kind().into(),
            inherited: one.inherited(),
            node: known(one.node()),
            app: known(one.app()),
            other: known(one.other()),
            resource: known(one.resource()),
            period: known(one.period()),
            amount: one.amount(),
            limit: one.limit(),
            what: text(one.what()),
        }),
        utilization: from.utilization().map(|all| all.iter().collect()).unwrap_or_default(),
        ucac: (from.ucac() >= 0.0).then(|| from.ucac()),
        max_cost: (from.max_cost() >= 0.0).then(|| from.max_cost()),
        total_cost: (from.total_cost() >= 0.0).then(|| from.total_cost()),
        node_max_cost: from.node_max_cost().map(|all| all.iter().collect()).unwrap_or_default(),
        metrics: ClusterMetrics {
            applications: metrics.applications(),
            applications_placed: metrics.applications_placed(),
            nodes: metrics.nodes(),
            nodes_used: metrics.nodes_used(),
            fragmented_nodes: metrics.fragmented_nodes(),
            imbalance: metrics.imbalance().map(|all| all.iter().collect()).unwrap_or_default(),
            rule_violations: RuleViolations {
                count: metrics.rule_violations(),
                replicas: metrics.violating_replicas(),
                extent: metrics.violation_extent(),
                weight: metrics.violation_weight(),
                cost: metrics.violation_cost(),
            },
        },
        rule_violations: list(from.rule_violations(), |one| RuleViolation {
            rule: one.rule(),
            hard: one.hard(),
            inherited: one.inherited(),
            node: known(one.node()),
            app: known(one.app()),
            replicas: one.replicas(),
            extent: one.extent(),
            amount: one.amount(),
            limit: one.limit(),
            weight: one.weight(),
        }),
    })
}

pub(crate) fn explanation(bytes: &[u8]) -> Result<Explanation> {
    let from = report(bytes)?.body_as_explanation().ok_or_else(|| internal("another report"))?;
    let overridden = from.overridden().into_iter().flatten();
    Ok(Explanation {
        bytes: bytes.to_vec(),
        nodes: from.nodes(),
        node_bound: from.node_bound(),
        drivers: list(from.drivers(), |one| Driver {
            kind: one.kind().into(),
            resource: known(one.resource()),
            period: known(one.period()),
            app: known(one.app()),
            nodes: one.nodes(),
        }),
        resources: list(from.resources(), |one| ResourceUse {
            resource: one.resource(),
            peak_period: one.peak_period(),
            demand: one.demand(),
            capacity: one.capacity(),
            stranded: one.stranded(),
        }),
        apps: list(from.apps(), app_explanation),
        overridden: overridden
            .zip(from.overridden_by().into_iter().flatten())
            .map(|(rule, by)| OverriddenRule { rule, by })
            .collect(),
        suffering: from.suffering().map(|one| Suffering {
            node: one.node(),
            app: one.app(),
            cost: one.cost(),
            from_kind: one.from_kind().map(|all| all.iter().collect()).unwrap_or_default(),
            moving: known(one.moving()),
            to: known(one.to()),
            cost_after: one.cost_after(),
            cost_there: one.cost_there(),
        }),
    })
}

fn obstacle(from: wire::Obstacle<'_>) -> Obstacle {
    Obstacle {
        kind: from.kind().into(),
        resource: known(from.resource()),
        period: known(from.period()),
        other: known(from.other()),
        amount: from.amount(),
        limit: from.limit(),
    }
}

pub(crate) fn headroom(bytes: &[u8]) -> Result<Headroom> {
    let from = report(bytes)?.body_as_headroom().ok_or_else(|| internal("another report"))?;
    Ok(Headroom {
        room: from.room().into_iter().flatten().collect(),
        lacks_capacity: from.lacks_capacity().into_iter().flatten().map(|one| one != 0).collect(),
        forbidden: from.forbidden().into_iter().flatten().map(|one| one != 0).collect(),
        obstacles: list(from.obstacles(), obstacle),
    })
}

pub(crate) fn headroom_of_apps(bytes: &[u8]) -> Result<HeadroomOfApps> {
    let from = report(bytes)?.body_as_headroom_of_apps().ok_or_else(|| internal("another report"))?;
    Ok(HeadroomOfApps {
        room: from.room().into_iter().flatten().collect(),
        nodes: from.nodes().into_iter().flatten().collect(),
        most: from.most().into_iter().flatten().collect(),
        spare_room: from.spare_room().into_iter().flatten().collect(),
        coupled: from.coupled().into_iter().flatten().map(|one| one != 0).collect(),
    })
}

pub(crate) fn losses(bytes: &[u8]) -> Result<Vec<Loss>> {
    let from = report(bytes)?.body_as_losses().ok_or_else(|| internal("another report"))?;
    Ok(list(from.losses(), |one| {
        let (apps, targets) = (one.app().into_iter().flatten(), one.to().into_iter().flatten());
        let counts = one.count().into_iter().flatten();
        Loss {
            name: one.name().unwrap_or_default().to_owned(),
            nodes: one.nodes().into_iter().flatten().collect(),
            replicas: one.replicas(),
            left: one.left(),
            moves: apps.zip(targets).zip(counts).map(|((app, to), count)| (app, known(to), count)).collect(),
            short_resource: known(one.short_resource()),
            short_period: known(one.short_period()),
            short_amount: one.short_amount(),
        }
    }))
}

pub(crate) fn move_order(bytes: &[u8]) -> Result<MoveOrder> {
    let from = report(bytes)?.body_as_move_order().ok_or_else(|| internal("another report"))?;
    let one = |it: &wire::Move| Move { app: it.app(), from: known(it.from()), to: known(it.to()), detour: it.detour() };
    let moves: Vec<Move> = from.moves().into_iter().flatten().map(one).collect();
    let mut begin = 0;
    let waves = from.wave_ends().into_iter().flatten().map(|end| {
        let wave = moves[begin..end as usize].to_vec();
        begin = end as usize;
        wave
    });
    Ok(MoveOrder {
        waves: waves.collect(),
        stuck: from.stuck().into_iter().flatten().map(one).collect(),
        moved: from.moved(),
        detours: from.detours(),
        least_waves: from.least_waves(),
    })
}

fn app_explanation(from: wire::AppExplanation<'_>) -> AppExplanation {
    AppExplanation {
        app: from.app(),
        unplaced: from.unplaced(),
        open_nodes: from.open_nodes(),
        blocked_by_capacity: from.blocked_by_capacity(),
        blocked_by_limits: from.blocked_by_limits(),
        blocked_by_both: from.blocked_by_both(),
        closest: list(from.closest(), |one| CloseNode {
            node: known(one.node()),
            class: one.node_class(),
            obstacles: list(one.obstacles(), obstacle),
            distance: one.distance(),
        }),
        relaxations: list(from.relaxations(), |one| Relaxation {
            kind: one.kind().into(),
            node: known(one.node()),
            class: known(one.node_class()),
            beside: known(one.beside()),
            app: known(one.app()),
            resource: known(one.resource()),
            amount: one.amount(),
            rule: known(one.rule()),
            condition: known(one.condition()),
            tag: known(one.tag()),
            suffering_kind: known(one.suffering_kind()),
        }),
    }
}

pub(crate) fn bounds(bytes: &[u8]) -> Result<Vec<BoundEntry>> {
    let from = report(bytes)?.body_as_bounds().ok_or_else(|| internal("another report"))?;
    Ok(list(from.entries(), |one| BoundEntry {
        name: one.name().to_owned(),
        objective: one.objective().to_owned(),
        value: one.value(),
        resource: known(one.resource()),
        period: known(one.period()),
        source: text(one.source()),
    }))
}

pub(crate) fn catalogue(bytes: &[u8]) -> Result<Vec<Planner>> {
    let from = wire::root_as_catalogue(bytes).map_err(|_| internal("a catalogue"))?;
    Ok(list(from.planners(), |one| Planner {
        name: one.name().to_owned(),
        summary: text(one.summary()),
        source: text(one.source()),
        complexity: text(one.complexity()),
        options: list(one.options(), |it| PlannerOption {
            name: it.name().to_owned(),
            summary: text(it.summary()),
            default: it.default_number(),
            min: it.min(),
            max: it.max(),
        }),
        honours: list(one.honours(), str::to_owned),
        default_deadline_ms: Some(one.default_deadline_ms()).filter(|&limit| limit != 0),
        objectives: list(one.objectives(), str::to_owned),
    }))
}
