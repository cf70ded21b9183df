use flatbuffers::{Follow, ForwardsUOffset, Vector};

use crate::error::{Error, ErrorKind, Result};
use crate::plan::{kinds, known, RuleViolations};
use crate::wire;

kinds! {
    /// What a violation breaks; `report.fbs` says what its fields mean for each.
    ViolationKind {
        Capacity, AffinityLimit, SelfLimit, ReplicaCount, Pin, ClassCount, BadNode, BadEntry, Moves, ClosedNode, Figures,
        WrongInstance, Unchecked, CapacityAtConfidence, PlacementRule,
    }
}
kinds! {
    /// What keeps a replica off a node; see `report.fbs`.
    ObstacleKind { Capacity, AffinityLimit, ImposedLimit, SelfLimit, ClosedNode, CapacityAtConfidence, PlacementRule }
}
kinds! {
    /// What would let one more replica in; see `report.fbs`.
    RelaxationKind { None, AddNode, AddCapacity, RaiseLimit, OpenNode, RaiseMaximum, LowerMinimum, SoftenRule }
}
kinds! {
    /// What makes a plan need its number of nodes; see `report.fbs`.
    DriverKind { Capacity, LargeItems, WithoutLimits, WithoutResource, WithoutPeriods, SelfLimit, WithoutUncertainty }
}

kinds! {
    /// Why something of a plan was not taken; see `report.fbs`.
    ConflictKind { Version, AppGone, NotPending, NodeGone, NodeClosed, NoRoom, Moves, Rules }
}

/// Something of a plan that was not taken; what it concerns stays pending.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub kind: ConflictKind,
    /// Empty where it concerns all.
    pub app: String,
    /// Empty where it concerns all, or a node without a name yet.
    pub node: String,
    pub wanted: u64,
    pub available: u64,
}

/// What became of a plan in a session.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Something of it was taken.
    pub committed: bool,
    pub planned_version: u64,
    pub version: u64,
    /// Replicas that run now and did not before.
    pub placed: u64,
    /// Replicas that run elsewhere now.
    pub moved: u64,
    /// Replicas that ran and wait now.
    pub ended: u64,
    /// Names given to nodes that the plan opened.
    pub opened: Vec<String>,
    pub conflicts: Vec<Conflict>,
}

/// A broken constraint.
#[derive(Clone, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    /// Broken before planning and no worse now.
    pub inherited: bool,
    pub node: Option<u32>,
    pub app: Option<u32>,
    pub other: Option<u32>,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    pub amount: f64,
    pub limit: f64,
    pub what: String,
}

/// What the independent checker found on one plan.
#[derive(Clone, Debug)]
pub struct Verification {
    /// No constraint is broken that was not broken at the start.
    pub ok: bool,
    pub nodes: u64,
    pub placed: u64,
    pub unplaced: u64,
    pub cost: Option<f64>,
    /// New or worsened; all are counted, the first 1000 are listed.
    pub violation_count: u64,
    pub inherited_count: u64,
    pub violations: Vec<Violation>,
    /// Highest utilization of each resource over periods, over the nodes in use.
    pub utilization: Vec<f64>,
    /// Used capacity at confidence, as [`Plan::ucac`](crate::Plan::ucac), counted anew; none where no demand is uncertain.
    pub ucac: Option<f64>,
    pub metrics: ClusterMetrics,
    /// Placement rules that do not hold, hard and soft: the first 1000.
    pub rule_violations: Vec<RuleViolation>,
}

/// Replicas for which a placement rule does not hold.
#[derive(Clone, Debug)]
pub struct RuleViolation {
    /// Position among the instance's rules.
    pub rule: u32,
    pub hard: bool,
    /// Hard, broken before planning and no worse now.
    pub inherited: bool,
    /// Of the plan; none for conditions on the number of sets or on skew, which are about all subjects together.
    pub node: Option<u32>,
    pub app: Option<u32>,
    /// Of the app on the node; 1 where there is none.
    pub replicas: u32,
    /// For one replica: how far counts are outside of their bounds, as a share of these (P2, Eq. 8).
    pub extent: f64,
    /// The count that is furthest out.
    pub amount: f64,
    /// The bound that it misses.
    pub limit: f64,
    pub weight: f64,
}

/// How a plan leaves the cluster.
#[derive(Clone, Debug)]
pub struct ClusterMetrics {
    /// Those that want replicas. Apps that share a tag that begins with `appID:` are one application.
    pub applications: u64,
    /// Those of which nothing is left over.
    pub applications_placed: u64,
    /// Nodes that exist (of classes without a count: that are used).
    pub nodes: u64,
    pub nodes_used: u64,
    /// Nodes with less left of some resource than any app needs of it that are not full in all (P2, section 7.4).
    pub fragmented_nodes: u64,
    /// Coefficient of variation of the nodes' utilization at their peaks, by resource.
    pub imbalance: Vec<f64>,
    /// As in [`Plan::rule_violations`](crate::Plan::rule_violations), counted anew.
    pub rule_violations: RuleViolations,
}

/// What keeps a replica off a node.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    pub other: Option<u32>,
    pub amount: f64,
    pub limit: f64,
}

/// A node that came close to taking one more replica.
#[derive(Clone, Debug)]
pub struct CloseNode {
    /// None: a new, empty node of the class.
    pub node: Option<u32>,
    pub class: u32,
    pub obstacles: Vec<Obstacle>,
    /// Smaller is closer.
    pub distance: f64,
}

/// A change that would let one more replica in.
#[derive(Clone, Debug)]
pub struct Relaxation {
    pub kind: RelaxationKind,
    pub node: Option<u32>,
    pub class: Option<u32>,
    pub beside: Option<u32>,
    pub app: Option<u32>,
    pub resource: Option<u32>,
    pub amount: f64,
    /// Index into the instance's rules.
    pub rule: Option<u32>,
    /// Position in the rule's only conjunction.
    pub condition: Option<u32>,
}

/// Why an app's replicas are unplaced.
#[derive(Clone, Debug)]
pub struct AppExplanation {
    pub app: u32,
    pub unplaced: u32,
    /// Nodes of the plan that could take one more replica.
    pub open_nodes: u64,
    pub blocked_by_capacity: u64,
    pub blocked_by_limits: u64,
    pub blocked_by_both: u64,
    pub closest: Vec<CloseNode>,
    /// Smallest first.
    pub relaxations: Vec<Relaxation>,
}

/// A reason why a plan needs so many nodes.
#[derive(Clone, Debug)]
pub struct Driver {
    pub kind: DriverKind,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    pub app: Option<u32>,
    pub nodes: f64,
}

/// How much of a resource is used in its peak period, in its unit.
#[derive(Clone, Debug)]
pub struct ResourceUse {
    pub resource: u32,
    pub peak_period: u32,
    pub demand: f64,
    pub capacity: f64,
    pub stranded: f64,
}

/// What makes a plan as it is.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub nodes: u64,
    pub node_bound: f64,
    pub drivers: Vec<Driver>,
    pub resources: Vec<ResourceUse>,
    /// The app asked for, or the (at most 100) with the most unplaced replicas.
    pub apps: Vec<AppExplanation>,
    /// Placement rules of applications that give way to an operator's, which they contradict.
    pub overridden: Vec<OverriddenRule>,
}

/// A placement rule that gives way to another, both by their positions among the instance's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverriddenRule {
    pub rule: u32,
    pub by: u32,
}

/// A lower bound on `"nodes"`, `"cost"` or `"ucac"` (used capacity at confidence).
#[derive(Clone, Debug)]
pub struct BoundEntry {
    pub name: String,
    pub objective: String,
    pub value: f64,
    pub resource: Option<u32>,
    pub period: Option<u32>,
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
    pub complexity: String,
    pub options: Vec<PlannerOption>,
    /// Features of the model; an instance that uses another is refused.
    pub honours: Vec<String>,
    /// When planners that would go on end, where the request has no limit.
    pub default_deadline_ms: Option<u64>,
    /// What it pursues: `"nodes"`, `"ucac"`.
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
            obstacles: list(one.obstacles(), |it| Obstacle {
                kind: it.kind().into(),
                resource: known(it.resource()),
                period: known(it.period()),
                other: known(it.other()),
                amount: it.amount(),
                limit: it.limit(),
            }),
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
