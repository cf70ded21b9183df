//! Made by scripts/generate-bindings.py from the schemas. Do not edit.
#![allow(clippy::all)]

use std::time::Duration;

use flatbuffers::WIPOffset;

use crate::builder::{Encoder, InstanceBuilder};
use crate::codec::*;
use crate::error::Result;
use crate::learning::Feature;
use crate::builder::Rule;
use crate::operations::*;
use crate::plan::{kept, options, plan_nodes, PlanNode, RuleViolations};
use crate::reports::{loss_moves, overridden, waves, OverriddenRule};
use crate::wire;

kinds! {
    /// How good a plan is. It claims no more than is proven.
    PlanStatus {
        /// Every replica is placed, and all that `Request::keep` and `Request::survive` ask for is kept.
        Complete,
        /// Complete, and it is proven that no plan has a better value of `Plan::objective`. With `SoftPolicy::First`, the
        /// plan violates no soft rule either; with `SoftPolicy::Price`, the cost of its violations is part of the value.
        Optimal,
        /// Some replicas are unplaced, or not all is kept; the plan makes no statement on whether another plan does better.
        Partial,
        /// Some replicas are unplaced, and it is proven that no plan places all of them.
        InfeasibleProven,
        /// The run was cancelled; this is its best plan.
        Cancelled,
        /// The deadline or the work limit ended the run; this is its best plan.
        Deadline,
    }
}

kinds! {
    /// What a note is about.
    NoteCode {
        /// As NotImproved, in plans of earlier versions.
        SearchOff,
        /// A part of the search did not run, because of a feature that the text names. Not in plans that are proven optimal.
        NotImproved,
        /// The run ended before its limit.
        EndedEarly,
        /// Replicas that fit on no node were left out; the others were planned without them.
        LeftOut,
        /// A placement rule names a tag that nothing carries, or sets no bound.
        IdleRule,
        /// There is not all the room that was to be kept, or some loss is not survived.
        Promise,
        /// The planner failed: the checker refused what it made. The plan is that of the start: what runs and is pinned stays where it
        /// is, everything else is unplaced. A defect; please report it.
        StartPlan,
    }
}

kinds! {
    /// What a run minimizes. `Planner::objectives` lists the objectives that a planner pursues.
    Objective {
        /// Fewest nodes in use; where prices are given, least cost.
        Nodes,
        /// Least used capacity at confidence (P1, section 4.1). `Planner::objectives` lists "ucac" for planners that pursue it.
        Ucac,
        /// Least cost of the replica that suffers most from side effects (P4, section 2), on at most `node_limit` nodes. Needs an
        /// interference table.
        Worst,
        /// Least sum of what side effects cost all replicas, on at most `node_limit` nodes. Needs an interference table.
        Total,
        /// Most applications admitted (P3, section 3.3.1): least weight of the applications that are left out. Each is placed as a whole
        /// or not at all, as with `all_or_nothing`; it counts the largest weight of its apps.
        Admitted,
        /// Least traffic between replicas that do not share a node. Needs an instance with traffic.
        Traffic,
    }
}

kinds! {
    /// How violated soft placement rules count beside the objective. Their cost is the sum of extent x weight, `Plan::violation_cost`.
    SoftPolicy {
        /// Before the objective: a plan with less of it is better, whatever that costs.
        First,
        /// Only among plans of the same value of the objective: violations never cost a node.
        Last,
        /// Added to the objective: a unit of it costs `Request::soft_price`.
        Price,
    }
}

kinds! {
    /// What a goal counts. A plan makes it small.
    GoalKind {
        /// Sum of the prices of the nodes in use; without prices, their number.
        Cost,
        /// Nodes in use.
        Nodes,
        /// Running replicas that go to another node.
        Moves,
        /// Largest use: the largest share of a resource's capacity that load and mean demand take on any node, in any period. Of
        /// `PlanGoal::resource` or, without one, of any resource.
        Balance,
        /// Uneven use: standard deviation of that share between the nodes in use.
        Evenness,
        /// What violated soft rules cost, `Plan::violation_cost`.
        SoftRules,
        /// Used capacity at confidence, `Plan::ucac`.
        Ucac,
        /// Side effects on the replica that suffers most, `Plan::max_cost`.
        Worst,
        /// Side effects on all replicas, `Plan::total_cost`.
        Total,
        /// Weight of the applications that are left out, `Plan::left_out`.
        Admitted,
        /// Traffic between replicas that do not share a node, `Plan::remote_traffic`.
        Traffic,
    }
}

kinds! {
    /// The state of a listed node.
    #[derive(Default)]
    NodeState {
        /// Accepts replicas.
        #[default]
        Open,
        /// Keeps its replicas, accepts no new ones.
        Cordoned,
        /// Emptied; accepts no replicas.
        Drained,
        /// Empty until it is uncordoned; empty and without load.
        Failed,
    }
}

kinds! {
    /// Which constraint is broken, and what the fields of the Violation say.
    ViolationKind {
        /// Demand above capacity: the node holds `amount` of `resource` in `period`, its capacity is `limit`.
        Capacity,
        /// The node holds `amount` replicas of `app` beside `other`, which allows `limit`.
        AffinityLimit,
        /// The node holds `amount` replicas of `app`, whose own limit per node is `limit`.
        SelfLimit,
        /// `amount` replicas of `app` are placed or reported unplaced; the instance wants `limit`.
        ReplicaCount,
        /// The node holds `amount` replicas of `app`; `limit` are pinned there.
        Pin,
        /// `amount` nodes of class `other` are in use; `limit` exist.
        ClassCount,
        /// The plan's node refers to a class or a listed node that does not exist, to a listed node that an earlier node refers to,
        /// or to the wrong class; or its number of copies is 0, is above 1 for a listed node, or raises the plan's total above
        /// max_nodes.
        BadNode,
        /// A placed entry refers to an app or node that does not exist, has 0 replicas, or repeats an earlier entry's app and node.
        BadEntry,
        /// `amount` running replicas were moved; the budget is `limit`.
        Moves,
        /// A closed node holds new replicas.
        ClosedNode,
        /// The figure `what` of the plan (nodes, cost, gap, bound, status) does not follow from the plan's content.
        Figures,
        /// The plan was made for another instance.
        WrongInstance,
        /// The instance uses the feature `what`, which the checker does not know and makes no statement about.
        Unchecked,
        /// Demand above capacity at confidence: mean + quantile x standard deviation of `resource` in `period` is `amount`, the
        /// capacity is `limit`.
        CapacityAtConfidence,
        /// The hard rule `other`, whose name is `what`, does not hold for `app` on `node`: its count is `amount`, the bound is
        /// `limit`. Both `app` and `node` are 4294967295 where the rule is about all subjects together.
        PlacementRule,
        /// `app` is not eligible for the node: it asks for the tag `other`, whose name is `what`, which the node lacks (`amount` is
        /// 0, `limit` is 1), or refuses it, and the node carries it (1 and 0).
        Eligibility,
        /// Side effects cost a replica of kind `other` on `node` `amount`; at most `limit` is allowed.
        SideEffects,
        /// The devices of `resource` do not suffice: replicas and load on the node take `amount` of them by first fit decreasing, and
        /// no other way needs only the `limit` that it has.
        Devices,
        /// What the plan says in `what` of the room that it keeps or the losses that it survives does not hold. "unreserved": with these
        /// replicas, the instance would be refused. "not_survived": the worst loss leaves more, `amount`, than the plan says, `limit`.
        Promise,
    }
}

kinds! {
    /// What keeps a replica off a node, and what the fields of the Obstacle say.
    ObstacleKind {
        /// The node lacks `amount` of `resource` in `period`, in the resource's unit.
        Capacity,
        /// `other`, which is on the node, allows `limit` replicas of the app; there would be `amount`.
        AffinityLimit,
        /// The app allows `limit` replicas of `other` beside it; the node holds `amount`.
        ImposedLimit,
        /// The app's own limit per node is `limit`; there would be `amount`.
        SelfLimit,
        /// The node is closed: it accepts no new replicas.
        ClosedNode,
        /// The mean demand fits, but at the instance's confidence the node lacks `amount` of `resource` in `period`.
        CapacityAtConfidence,
        /// The hard placement rule `other`, an index into the instance's rules, allows `limit` more replicas of the app on the node.
        PlacementRule,
        /// The app is not eligible for the node. `other` is an index into the instance's tags: the app asks for this tag, which the node
        /// lacks (`limit` is 1), or refuses it, and the node carries it (`limit` is 0).
        Eligibility,
        /// Side effects would cost a replica of kind `other`, an index into the instance's kinds, `amount`; at most `limit` is allowed.
        SideEffects,
        /// The node has room for what the replica takes of `resource`, `amount`, but not on one device or on whole ones: `limit` is
        /// free on all devices together.
        Devices,
    }
}

kinds! {
    /// How room is made for one more replica.
    RelaxationKind {
        /// No relaxation of this model helps.
        None,
        /// One more node of class `node_class`.
        AddNode,
        /// `amount` more of `resource` on node `node`; with node 4294967295, on each node of `node_class`.
        AddCapacity,
        /// Raise the limit that `beside` imposes on `app` to `amount`; seen on node `node`.
        RaiseLimit,
        /// Open node `node`.
        OpenNode,
        /// Raise `max` of condition `condition` of the hard placement rule `rule` to `amount`; seen on node `node`.
        RaiseMaximum,
        /// Lower `min` of condition `condition` of the hard placement rule `rule` to `amount`; seen on node `node`.
        LowerMinimum,
        /// Make the placement rule `rule` soft; seen on node `node`.
        SoftenRule,
        /// Take the tag `tag` out of what `app` asks for or refuses; seen on node `node`.
        AdmitTag,
        /// Let side effects cost a replica of kind `suffering_kind` up to `amount`; seen on node `node`.
        RaiseMaxCost,
    }
}

kinds! {
    /// Why a plan needs this many nodes.
    DriverKind {
        /// The demand for `resource` in `period` needs `nodes` nodes, by capacity alone.
        Capacity,
        /// Replicas that demand more than half a node's `resource` in `period` need `nodes` nodes.
        LargeItems,
        /// The same planner needs `nodes` nodes without affinity limits.
        WithoutLimits,
        /// The same planner needs `nodes` nodes without `resource`.
        WithoutResource,
        /// The same planner needs `nodes` nodes when demand is constant at its mean over the periods.
        WithoutPeriods,
        /// The replicas of `app` need `nodes` nodes by themselves: more do not fit together on a node.
        SelfLimit,
        /// The same planner needs `nodes` nodes when all demand is certain, at its mean.
        WithoutUncertainty,
        /// The same planner needs `nodes` nodes when side effects may cost any amount.
        WithoutCostLimits,
        /// `nodes` nodes of the plan hold all its replicas; the others are kept for losses, or for replicas that there is to be room
        /// for.
        WithoutPromises,
    }
}

kinds! {
    /// Why a part of a plan was not taken.
    ConflictKind {
        /// The plan was made for version `wanted` of the cluster, which is now at version `available`.
        Version,
        /// The app was removed.
        AppGone,
        /// `wanted` replicas were planned; `available` are still pending.
        NotPending,
        /// The node was removed.
        NodeGone,
        /// The node no longer accepts new replicas.
        NodeClosed,
        /// `wanted` replicas were planned for the node; it has room for `available`.
        NoRoom,
        /// The plan moves running replicas of `app` away from `node`, from `wanted` to `available` of them. Such a plan is taken as a
        /// whole or not at all.
        Moves,
        /// The part that still fits would break a placement rule.
        Rules,
    }
}

/// What a Cardinality counts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum CardinalityKind {
    /// min <= replicas with all target tags in the subject's node set, the subject itself not counted <= max.
    #[default]
    Replicas,
    /// min <= node sets of the group that hold a subject <= max.
    NodeSets,
    /// The numbers of subjects in any two node sets of the group differ by at most `max`.
    Skew,
}

impl From<CardinalityKind> for wire::CardinalityKind {
    fn from(value: CardinalityKind) -> Self {
        match value {
            CardinalityKind::Replicas => Self::Replicas,
            CardinalityKind::NodeSets => Self::NodeSets,
            CardinalityKind::Skew => Self::Skew,
        }
    }
}

/// How variance enters the capacity constraint.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ChanceModel {
    /// mean + Phi^-1(confidence) sqrt(variance) <= capacity (P1, section 2.4).
    #[default]
    Gaussian,
    /// mean + sqrt(-ln(1 - confidence) / 2 x sum of squared supports) <= capacity (Hoeffding; P1, section 2.3).
    BoundedSupport,
    /// mean + factor x sqrt(variance) <= capacity.
    Factor,
}

impl From<ChanceModel> for wire::ChanceModel {
    fn from(value: ChanceModel) -> Self {
        match value {
            ChanceModel::Gaussian => Self::Gaussian,
            ChanceModel::BoundedSupport => Self::BoundedSupport,
            ChanceModel::Factor => Self::Factor,
        }
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Measure {
    /// In [0, 1], higher is better.
    #[default]
    Performance,
    /// In milliseconds, above 0, lower is better.
    Latency,
}

impl From<Measure> for wire::Measure {
    fn from(value: Measure) -> Self {
        match value {
            Measure::Performance => Self::Performance,
            Measure::Latency => Self::Latency,
        }
    }
}

/// Why a recommendation is as it is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum RecommendationReason {
    /// The cheapest configuration that meets the goal with the confidence.
    MeetsGoal,
    /// None does so far, and one may.
    #[default]
    NotEnoughEvidence,
    /// The most probable configuration was sampled, and its probability is below 1 - confidence.
    GoalOutOfReach,
}

impl From<wire::RecommendationReason> for RecommendationReason {
    fn from(value: wire::RecommendationReason) -> Self {
        match value {
            wire::RecommendationReason::MeetsGoal => Self::MeetsGoal,
            wire::RecommendationReason::NotEnoughEvidence => Self::NotEnoughEvidence,
            wire::RecommendationReason::GoalOutOfReach => Self::GoalOutOfReach,
            _ => Self::default(),
        }
    }
}

/// An application with identical replicas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct App {
    /// Unique, or empty for all apps.
    pub name: String,
    /// Replicas wanted in total, running ones included.
    pub replicas: u32,
    /// Demand of one replica in the resource's unit; the mean where `variance` is given. Length: resources (the same in every
    /// period) or resources x periods, row-major in that order.
    pub demand: Vec<f64>,
    /// Where not all replicas fit, apps of higher priority are placed first. May be negative.
    pub priority: i32,
    /// Variance of one replica's demand in every period, in the square of the resource's unit. Replicas vary independently. Length:
    /// resources; 0 = known exactly.
    pub variance: Vec<f64>,
    /// Smallest and largest possible demand of one replica, for `ChanceModel::BoundedSupport`. Length: resources.
    pub support_min: Vec<f64>,
    pub support_max: Vec<f64>,
    /// One of the kinds given to [`InstanceBuilder::interference`]; empty is the first.
    pub kind: String,
    /// Carried by every replica.
    pub tags: Vec<String>,
    /// What one replica counts where not all of the same priority fit: the sum over those left over is made small. Above 0. Length:
    /// apps; none = all 1. None = 1.
    pub weight: Option<f64>,
    /// Labels or tags that every node of the app carries.
    pub only: Vec<String>,
    /// Labels or tags that no node of the app carries.
    pub not: Vec<String>,
}

impl InstanceBuilder {
    pub(crate) fn encode_apps(&self, e: &mut Encoder) -> Result<WIPOffset<wire::Apps<'static>>> {
        let items = &self.apps;
        let names = e.names(items.iter().map(|item| &item.name));
        let replicas = Some(e.column(items.iter().map(|item| item.replicas)));
        let demand = self.profiles(("apps", "demand"), items.iter().map(|item| &item.demand), false)?.map(|all| e.doubles(&all));
        let priority = e.unless(items.iter().map(|item| item.priority), 0);
        let variance = self.rows(("apps", "variance"), items.iter().map(|item| &item.variance), true)?.map(|all| e.doubles(&all));
        let support_min = self.rows(("apps", "support_min"), items.iter().map(|item| &item.support_min), true)?.map(|all| e.doubles(&all));
        let support_max = self.rows(("apps", "support_max"), items.iter().map(|item| &item.support_max), true)?.map(|all| e.doubles(&all));
        let kind = self.app_kinds()?.map(|all| e.words(&all));
        let (tag_begin, tag_index) = e.tag_rows(items.iter().map(|item| &item.tags));
        let weight = e.unless(items.iter().map(|item| item.weight.unwrap_or(1.0)), 1.0);
        let (only_begin, only_index) = e.tag_rows(items.iter().map(|item| &item.only));
        let (not_begin, not_index) = e.tag_rows(items.iter().map(|item| &item.not));
        let args = wire::AppsArgs { names, replicas, demand, priority, variance, support_min, support_max, kind, tag_begin, tag_index, weight, only_begin, only_index, not_begin, not_index };
        Ok(wire::Apps::create(&mut e.builder, &args))
    }
}

/// A listed node: something runs there, an app is pinned there, or it belongs to node sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Index of its class.
    pub class: u32,
    /// Unique, or empty for all nodes.
    pub name: String,
    /// Load of each node that belongs to no app of the instance and that no plan changes, in the resource's unit. Length:
    /// resources, or resources x periods, row-major.
    pub load: Vec<f64>,
    /// Variance of that load, in the square of the resource's unit; with `ChanceModel::BoundedSupport`, the square of the width of
    /// its support. Length: resources; 0 where there is no load.
    pub load_variance: Vec<f64>,
    /// True: the node accepts no new replicas.
    pub closed: bool,
    /// Carried by the node, besides the labels of its class.
    pub tags: Vec<String>,
    /// Load that goes with the node, in place of its class's; empty = as the class says.
    pub daemon: Vec<f64>,
}

impl InstanceBuilder {
    pub(crate) fn encode_nodes(&self, e: &mut Encoder) -> Result<WIPOffset<wire::Nodes<'static>>> {
        let items = &self.nodes;
        let node_class = Some(e.column(items.iter().map(|item| item.class)));
        let names = e.names(items.iter().map(|item| &item.name));
        let load = self.profiles(("nodes", "load"), items.iter().map(|item| &item.load), true)?.map(|all| e.doubles(&all));
        let load_variance = self.rows(("nodes", "load_variance"), items.iter().map(|item| &item.load_variance), true)?.map(|all| e.doubles(&all));
        let closed = e.unless(items.iter().map(|item| u8::from(item.closed)), 0);
        let (tag_begin, tag_index) = e.tag_rows(items.iter().map(|item| &item.tags));
        let daemon = self.daemons()?.map(|all| e.doubles(&all));
        let args = wire::NodesArgs { node_class, names, load, load_variance, closed, tag_begin, tag_index, daemon };
        Ok(wire::Nodes::create(&mut e.builder, &args))
    }
}

/// What a run returns: which replicas run on which node, how good that is, and which replicas are unplaced. Indices are those of
/// the instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub(crate) bytes: Vec<u8>,
    /// Fingerprint of the instance that the plan was made for.
    pub instance: u64,
    /// Name of the planner that made the plan.
    pub planner: String,
    /// How good the plan is.
    pub status: PlanStatus,
    /// Seed of the run that made the plan: the request's or, where several seeds were tried, the best one.
    pub seed: u64,
    /// Work units done. A request with this work limit, and with the option "pace" set to `pace` if that is above 0, repeats
    /// the run.
    pub work: u64,
    /// Nodes in use, listed ones first. [`Plan::nodes_in_use`] includes their copies.
    pub nodes: Vec<PlanNode>,
    /// All placed replicas, running ones included, ordered by node and then by app.
    pub placements: Vec<Placement>,
    /// Ordered by app.
    pub unplaced: Vec<Unplaced>,
    /// Lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave running replicas in
    /// place, unless the request ignores them or has a move budget.
    pub node_bound: Option<Bound>,
    /// How far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The value is
    /// the cost where there are prices, else the nodes, or `ucac`, `max_cost` or `total_cost` where that is the objective; with
    /// `SoftPolicy::Price`, `soft_price` x `violation_cost` is added to it. With `Objective::Admitted`, it is (`left_out` - `left_out_bound`) as
    /// a share of the weight admitted, whether or not replicas are unplaced; with `Objective::Traffic`, (`remote_traffic` -
    /// `remote_traffic_bound`) as a share of the traffic that stays on nodes, likewise. None where replicas are unplaced or no
    /// bound is above 0.
    pub gap: Option<f64>,
    /// Sum of the prices of the nodes in use; none without prices.
    pub cost: Option<f64>,
    /// Lower bound on `cost` of any complete plan; "columns" as for `node_bound`.
    pub cost_bound: Option<Bound>,
    /// Number of constraints that were broken at the start, that the run was not allowed to repair, and that the plan makes no
    /// worse.
    pub inherited_violations: u32,
    /// Number of running replicas that the plan puts on another node.
    pub moves: u32,
    /// Used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of `node_ucac`\[n] x copies\[n], in
    /// the unit of `ucac_resource`. None where no demand is uncertain.
    pub ucac: Option<f64>,
    /// The resource of `ucac`: the first one with uncertain demand; None where none is uncertain.
    pub ucac_resource: Option<u32>,
    /// Lower bound on `ucac` of any complete plan; "columns" as for `node_bound`.
    pub ucac_bound: Option<Bound>,
    /// Used capacity at confidence of each node, of a single copy (P1, definition 1): mean + quantile x standard deviation of its
    /// demand, in the period where this is highest. Length: that of `nodes`, or empty where no demand is uncertain.
    pub node_ucac: Vec<f64>,
    /// The objective that the run minimized, as `Request::objective`. `PlanStatus::Optimal` refers to it.
    pub objective: Objective,
    /// None where the instance has no placement rules.
    pub rule_violations: Option<RuleViolations>,
    /// Total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the search
    /// does at each point of a run.
    pub pace: u64,
    /// How soft violations counted, as `Request::soft`. `PlanStatus::Optimal` and `gap` refer to it.
    pub soft: SoftPolicy,
    /// What a unit of violation cost.
    pub soft_price: f64,
    /// Whether capacity counted, instead of replicas, where not all of them fit.
    pub fill: bool,
    /// What the reader of the plan should know of the run.
    pub notes: Vec<Note>,
    /// No plan of the request leaves less over than this: replicas per priority, highest priority first; priorities of which
    /// nothing has to be left over are absent. The highest priority in which a plan differs from it decides. Empty where
    /// everything is placed, where nothing is known, and where not every replica counts the same: with weights or `fill`.
    pub left_over_bound: Vec<LeftOver>,
    /// Whether `unplaced` is no more than `left_over_bound`: it is proven that no plan of the request leaves less over.
    pub places_most: bool,
    /// What side effects cost the replica that suffers most; none without an interference table. A
    /// replica of kind t costs the sum over all kinds u of coefficient\[t]\[u] x the load of kind u on its node.
    pub max_cost: Option<f64>,
    /// Lower bound on `max_cost` of any complete plan.
    pub max_cost_bound: Option<Bound>,
    /// What side effects cost all replicas together; none without an interference table.
    pub total_cost: Option<f64>,
    /// Lower bound on `total_cost` of any complete plan.
    pub total_cost_bound: Option<Bound>,
    /// Cost of the replica that suffers most on each node. Length: that of `nodes`, or empty without an interference table.
    pub node_max_cost: Vec<f64>,
    /// `Request::max_cost` of the run.
    pub max_cost_limit: Option<f64>,
    /// With `Objective::Admitted`: weight of the applications that lack replicas. None with other objectives.
    pub left_out: Option<f64>,
    /// Lower bound on `left_out` of any plan of the request.
    pub left_out_bound: Option<Bound>,
    /// Traffic between replicas that do not share a node; none without traffic.
    pub remote_traffic: Option<f64>,
    /// Lower bound on `remote_traffic` of any complete plan.
    pub remote_traffic_bound: Option<Bound>,
    /// `Request::keep`: where there is room for these replicas, all at once. Ordered as `placements`.
    pub reserved: Vec<Placement>,
    /// The replicas of `Request::keep` without room, ordered by app.
    pub unreserved: Vec<Unplaced>,
    /// `Request::survive` of the run.
    pub survive: Option<String>,
    /// Replicas that the worst of these losses leaves without a place; 0 = the plan survives each of them;
    /// None = the run ended before all were looked at.
    pub not_survived: Option<u64>,
    /// `Request::leave_free` of the run.
    pub leave_free: Option<String>,
    /// Number of values of this label that have a node with a replica or with load.
    pub domains_in_use: u32,
    /// Lower bound on `domains_in_use` of any complete plan.
    pub domain_bound: u32,
    /// `Request::goals` of the run, in their order, with what the plan reaches.
    pub goals: Vec<ReachedGoal>,
    /// With `Request::trace`: the parts of the run that made the plan, in the order in which they were first asked.
    pub trace: Vec<TracedPart>,
}

impl From<wire::Plan<'_>> for Plan {
    fn from(from: wire::Plan<'_>) -> Self {
        Self {
            bytes: Vec::new(),
            instance: from.instance(),
            planner: from.planner().to_owned(),
            status: from.status().into(),
            seed: from.seed(),
            work: from.work(),
            nodes: plan_nodes(&from),
            placements: list(Some(from.placed())),
            unplaced: list(Some(from.unplaced())),
            node_bound: from.node_bound().map(Into::into),
            gap: Some(from.gap()).filter(|&value| value >= 0.0),
            cost: Some(from.cost()).filter(|&value| value >= 0.0),
            cost_bound: from.cost_bound().map(Into::into),
            inherited_violations: from.inherited_violations(),
            moves: from.moves(),
            ucac: Some(from.ucac()).filter(|&value| value >= 0.0),
            ucac_resource: given(from.ucac_resource(), u32::MAX),
            ucac_bound: from.ucac_bound().map(Into::into),
            node_ucac: list(from.node_ucac()),
            objective: wire::Objective(from.objective()).into(),
            rule_violations: (from.violation_cost() >= 0.0).then(|| RuleViolations { count: from.rule_violations(), replicas: from.violating_replicas(), extent: from.violation_extent(), weight: from.violation_weight(), cost: from.violation_cost() }),
            pace: from.pace(),
            soft: wire::SoftPolicy(from.soft()).into(),
            soft_price: from.soft_price(),
            fill: from.fill(),
            notes: list(from.notes()),
            left_over_bound: list(from.left_over_bound()),
            places_most: from.places_most(),
            max_cost: Some(from.max_cost()).filter(|&value| value >= 0.0),
            max_cost_bound: from.max_cost_bound().map(Into::into),
            total_cost: Some(from.total_cost()).filter(|&value| value >= 0.0),
            total_cost_bound: from.total_cost_bound().map(Into::into),
            node_max_cost: list(from.node_max_cost()),
            max_cost_limit: Some(from.max_cost_limit()).filter(|&value| value > 0.0),
            left_out: Some(from.left_out()).filter(|&value| value >= 0.0),
            left_out_bound: from.left_out_bound().map(Into::into),
            remote_traffic: Some(from.remote_traffic()).filter(|&value| value >= 0.0),
            remote_traffic_bound: from.remote_traffic_bound().map(Into::into),
            reserved: list(from.reserved()),
            unreserved: list(from.unreserved()),
            survive: from.survive().map(str::to_owned),
            not_survived: given(from.not_survived(), u64::MAX),
            leave_free: from.leave_free().map(str::to_owned),
            domains_in_use: from.domains_in_use(),
            domain_bound: from.domain_bound(),
            goals: list(from.goals()),
            trace: list(from.trace()),
        }
    }
}

/// A lower bound on what any plan needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Name of the bound, such as "capacity" or "dual-feasible".
    pub name: String,
    pub value: f64,
    /// Resource and period from which the bound follows; None = from none.
    pub resource: Option<u32>,
    pub period: Option<u32>,
}

impl From<wire::Bound<'_>> for Bound {
    fn from(from: wire::Bound<'_>) -> Self {
        Self {
            name: from.name().to_owned(),
            value: from.value(),
            resource: given(from.resource(), u32::MAX),
            period: given(from.period(), u32::MAX),
        }
    }
}

/// A number of replicas of an app on a node of the plan, and as many on each of the node's copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub app: u32,
    pub node: u32,
    pub replicas: u32,
}

impl From<&wire::Placed> for Placement {
    fn from(from: &wire::Placed) -> Self {
        Self {
            app: from.app(),
            node: from.node(),
            replicas: from.replicas(),
        }
    }
}

/// The number of unplaced replicas of an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unplaced {
    pub app: u32,
    pub replicas: u32,
}

impl From<&wire::Unplaced> for Unplaced {
    fn from(from: &wire::Unplaced) -> Self {
        Self {
            app: from.app(),
            replicas: from.replicas(),
        }
    }
}

/// A number of replicas of one priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOver {
    pub replicas: u64,
    pub priority: i32,
}

impl From<&wire::LeftOver> for LeftOver {
    fn from(from: &wire::LeftOver) -> Self {
        Self {
            replicas: from.replicas(),
            priority: from.priority(),
        }
    }
}

/// Something that the reader of the plan should know of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub code: NoteCode,
    /// The particulars, as a sentence.
    pub text: String,
}

impl From<wire::Note<'_>> for Note {
    fn from(from: wire::Note<'_>) -> Self {
        Self {
            code: from.code().into(),
            text: text(from.text()),
        }
    }
}

/// A goal of `Request::goals`, and what a plan reaches of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedGoal {
    /// As `PlanGoal::what`.
    pub what: GoalKind,
    /// As `PlanGoal::resource`; None = all.
    pub resource: Option<u32>,
    /// As `PlanGoal::beside`.
    pub beside: bool,
    /// As `PlanGoal::weight`.
    pub weight: f64,
    /// As `PlanGoal::tolerance`.
    pub tolerance: f64,
    /// What the plan makes of it, without the weight.
    pub value: f64,
    /// Lower bound on the value of any complete plan that is as good by the goals before; none = none is known.
    pub bound: Option<f64>,
    /// Whether no plan that is as good by the goals before has a smaller value. Of goals that count together, of their sum.
    pub proven: bool,
}

impl From<wire::ReachedGoal<'_>> for ReachedGoal {
    fn from(from: wire::ReachedGoal<'_>) -> Self {
        Self {
            what: wire::GoalKind(from.what()).into(),
            resource: given(from.resource(), u32::MAX),
            beside: from.beside(),
            weight: from.weight(),
            tolerance: from.tolerance(),
            value: from.value(),
            bound: Some(from.bound()).filter(|&value| value >= 0.0),
            proven: from.proven(),
        }
    }
}

/// A planner, a search or a neighbourhood that a run asked, and what came of it. Planners have their names in the catalogue;
/// docs/research/search.md names the others.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedPart {
    pub name: String,
    /// How often it was asked.
    pub calls: u64,
    /// Calls that found a better plan than their search had before.
    pub gains: u64,
    /// Units of work, with those of the parts that it asked in turn.
    pub work: u64,
}

impl From<wire::TracedPart<'_>> for TracedPart {
    fn from(from: wire::TracedPart<'_>) -> Self {
        Self {
            name: from.name().to_owned(),
            calls: from.calls(),
            gains: from.gains(),
            work: from.work(),
        }
    }
}

/// The independent checker's findings on one plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    pub ok: bool,
    pub nodes: u64,
    pub placed: u64,
    pub unplaced: u64,
    pub cost: Option<f64>,
    /// Violations that are new or worse than at the start. All are counted, on each copy of a node. `violations` lists the first
    /// 1000, where a node and its copies are one entry.
    pub violation_count: u64,
    pub inherited_count: u64,
    pub violations: Vec<Violation>,
    /// Highest utilization of each resource over the periods: (load + daemon load + demand) / capacity, both summed over the
    /// nodes in use. Length: resources.
    pub utilization: Vec<f64>,
    /// Used capacity at confidence as `Plan::ucac`, recomputed by the checker; none where no demand is uncertain.
    pub ucac: Option<f64>,
    pub metrics: ClusterMetrics,
    /// Violations of placement rules, hard and soft: the first 1000.
    pub rule_violations: Vec<RuleViolation>,
    /// As `Plan::max_cost`, `Plan::total_cost` and `Plan::node_max_cost`, recomputed by the checker.
    pub max_cost: Option<f64>,
    pub total_cost: Option<f64>,
    pub node_max_cost: Vec<f64>,
}

impl From<wire::Verification<'_>> for Verification {
    fn from(from: wire::Verification<'_>) -> Self {
        Self {
            ok: from.ok(),
            nodes: from.nodes(),
            placed: from.placed(),
            unplaced: from.unplaced(),
            cost: Some(from.cost()).filter(|&value| value >= 0.0),
            violation_count: from.violation_count(),
            inherited_count: from.inherited_count(),
            violations: list(from.violations()),
            utilization: list(from.utilization()),
            ucac: Some(from.ucac()).filter(|&value| value >= 0.0),
            metrics: from.metrics().map(Into::into).unwrap_or_default(),
            rule_violations: list(from.rule_violations()),
            max_cost: Some(from.max_cost()).filter(|&value| value >= 0.0),
            total_cost: Some(from.total_cost()).filter(|&value| value >= 0.0),
            node_max_cost: list(from.node_max_cost()),
        }
    }
}

/// A broken constraint. Its kind says what the other fields are; an index that does not apply is 4294967295.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    pub kind: ViolationKind,
    /// True: the constraint was broken before planning, and the plan makes it no worse.
    pub inherited: bool,
    pub node: Option<u32>,
    pub app: Option<u32>,
    pub other: Option<u32>,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    pub amount: f64,
    pub limit: f64,
    /// The figure, feature or rule that the kind refers to, such as "cost" for kind Figures.
    pub what: String,
}

impl From<wire::Violation<'_>> for Violation {
    fn from(from: wire::Violation<'_>) -> Self {
        Self {
            kind: from.kind().into(),
            inherited: from.inherited(),
            node: given(from.node(), u32::MAX),
            app: given(from.app(), u32::MAX),
            other: given(from.other(), u32::MAX),
            resource: given(from.resource(), u32::MAX),
            period: given(from.period(), u32::MAX),
            amount: from.amount(),
            limit: from.limit(),
            what: text(from.what()),
        }
    }
}

/// A placement rule and replicas for which it does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleViolation {
    /// Index into the instance's rules.
    pub rule: u32,
    pub hard: bool,
    /// True: the rule is hard, was broken before planning, and the plan makes it no worse.
    pub inherited: bool,
    /// The rule does not hold for `replicas` replicas of `app` on the plan's node `node` and on each of its copies. For
    /// conditions on the number of sets or on skew, node and app are None and `replicas` is 1.
    pub node: Option<u32>,
    pub app: Option<u32>,
    pub replicas: u32,
    /// Extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq. 8).
    pub extent: f64,
    /// The count that misses its bound by most, and that bound.
    pub amount: f64,
    pub limit: f64,
    pub weight: f64,
}

impl From<wire::RuleViolation<'_>> for RuleViolation {
    fn from(from: wire::RuleViolation<'_>) -> Self {
        Self {
            rule: from.rule(),
            hard: from.hard(),
            inherited: from.inherited(),
            node: given(from.node(), u32::MAX),
            app: given(from.app(), u32::MAX),
            replicas: from.replicas(),
            extent: from.extent(),
            amount: from.amount(),
            limit: from.limit(),
            weight: from.weight(),
        }
    }
}

/// The state of the cluster under a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterMetrics {
    /// Applications that want replicas, and applications that are placed in full. Apps that share a tag that begins with "appID:"
    /// are one application.
    pub applications: u64,
    pub applications_placed: u64,
    /// Nodes that exist, and nodes in use. Of a class without a count, only nodes in use exist.
    pub nodes: u64,
    pub nodes_used: u64,
    /// Fragmented nodes (P2, section 7.4): less of some resource is free than the smallest demand for it, and some resource is
    /// not full.
    pub fragmented_nodes: u64,
    /// Coefficient of variation of the nodes' peak utilization over periods. Length: resources.
    pub imbalance: Vec<f64>,
    /// As in [`Plan::rule_violations`], recounted by the checker.
    pub rule_violations: RuleViolations,
}

impl From<wire::ClusterMetrics<'_>> for ClusterMetrics {
    fn from(from: wire::ClusterMetrics<'_>) -> Self {
        Self {
            applications: from.applications(),
            applications_placed: from.applications_placed(),
            nodes: from.nodes(),
            nodes_used: from.nodes_used(),
            fragmented_nodes: from.fragmented_nodes(),
            imbalance: list(from.imbalance()),
            rule_violations: RuleViolations { count: from.rule_violations(), replicas: from.violating_replicas(), extent: from.violation_extent(), weight: from.violation_weight(), cost: from.violation_cost() },
        }
    }
}

/// What determines a plan's number of nodes, and why replicas are unplaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub(crate) bytes: Vec<u8>,
    pub nodes: u64,
    /// The largest bound of the plan and of those that need no search; 0 where none is known.
    pub node_bound: f64,
    pub drivers: Vec<Driver>,
    pub resources: Vec<ResourceUse>,
    /// The app asked for, or the apps with the most unplaced replicas: at most 100, in descending order.
    pub apps: Vec<AppExplanation>,
    /// Placement rules of applications that contradict a rule of the operator, which prevails.
    pub overridden: Vec<OverriddenRule>,
    /// None without an interference table or without replicas.
    pub suffering: Option<Suffering>,
    /// The same of the cost; 0 without prices, too.
    pub cost_bound: f64,
}

impl From<wire::Explanation<'_>> for Explanation {
    fn from(from: wire::Explanation<'_>) -> Self {
        Self {
            bytes: Vec::new(),
            nodes: from.nodes(),
            node_bound: from.node_bound(),
            drivers: list(from.drivers()),
            resources: list(from.resources()),
            apps: list(from.apps()),
            overridden: overridden(&from),
            suffering: from.suffering().map(Into::into),
            cost_bound: from.cost_bound(),
        }
    }
}

/// Why an app's replicas are unplaced.
#[derive(Clone, Debug, PartialEq)]
pub struct AppExplanation {
    pub app: u32,
    pub unplaced: u32,
    /// Nodes of the plan that accept one more replica.
    pub open_nodes: u64,
    /// Nodes of the plan that refuse one more replica: for lack of capacity alone, for limits or rules alone, for both.
    pub blocked_by_capacity: u64,
    pub blocked_by_limits: u64,
    pub blocked_by_both: u64,
    pub closest: Vec<CloseNode>,
    /// Smallest first.
    pub relaxations: Vec<Relaxation>,
}

impl From<wire::AppExplanation<'_>> for AppExplanation {
    fn from(from: wire::AppExplanation<'_>) -> Self {
        Self {
            app: from.app(),
            unplaced: from.unplaced(),
            open_nodes: from.open_nodes(),
            blocked_by_capacity: from.blocked_by_capacity(),
            blocked_by_limits: from.blocked_by_limits(),
            blocked_by_both: from.blocked_by_both(),
            closest: list(from.closest()),
            relaxations: list(from.relaxations()),
        }
    }
}

/// A node that comes close to accepting one more replica of the app, with all obstacles there.
#[derive(Clone, Debug, PartialEq)]
pub struct CloseNode {
    /// Index into the plan's nodes; None = a new, empty node of `class`.
    pub node: Option<u32>,
    pub class: u32,
    pub obstacles: Vec<Obstacle>,
    /// Sum of the shortfalls as shares of capacity, plus 1 per failing limit. A smaller distance is closer.
    pub distance: f64,
    /// Index of the listed node that is meant, where the plan does not use it; None = a node of the plan or a new one.
    pub listed: Option<u32>,
}

impl From<wire::CloseNode<'_>> for CloseNode {
    fn from(from: wire::CloseNode<'_>) -> Self {
        Self {
            node: given(from.node(), u32::MAX),
            class: from.node_class(),
            obstacles: list(from.obstacles()),
            distance: from.distance(),
            listed: given(from.listed(), u32::MAX),
        }
    }
}

/// What keeps a replica off a node. Its kind says what the other fields are; an index that does not apply is 4294967295.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    pub other: Option<u32>,
    pub amount: f64,
    pub limit: f64,
}

impl From<wire::Obstacle<'_>> for Obstacle {
    fn from(from: wire::Obstacle<'_>) -> Self {
        Self {
            kind: from.kind().into(),
            resource: given(from.resource(), u32::MAX),
            period: given(from.period(), u32::MAX),
            other: given(from.other(), u32::MAX),
            amount: from.amount(),
            limit: from.limit(),
        }
    }
}

/// A change of the instance that makes room for one more replica.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    pub kind: RelaxationKind,
    pub node: Option<u32>,
    pub class: Option<u32>,
    /// The app that imposes the limit to raise, and the app that it limits.
    pub beside: Option<u32>,
    pub app: Option<u32>,
    pub resource: Option<u32>,
    pub amount: f64,
    /// Index into the instance's rules.
    pub rule: Option<u32>,
    /// Index of the condition in the rule's only conjunction.
    pub condition: Option<u32>,
    /// Index into the instance's tags.
    pub tag: Option<u32>,
    /// Index into the instance's kinds.
    pub suffering_kind: Option<u32>,
    /// As `CloseNode::listed`: the listed node that the plan does not use and on which this was seen; None = none.
    pub listed: Option<u32>,
}

impl From<wire::Relaxation<'_>> for Relaxation {
    fn from(from: wire::Relaxation<'_>) -> Self {
        Self {
            kind: from.kind().into(),
            node: given(from.node(), u32::MAX),
            class: given(from.node_class(), u32::MAX),
            beside: given(from.beside(), u32::MAX),
            app: given(from.app(), u32::MAX),
            resource: given(from.resource(), u32::MAX),
            amount: from.amount(),
            rule: given(from.rule(), u32::MAX),
            condition: given(from.condition(), u32::MAX),
            tag: given(from.tag(), u32::MAX),
            suffering_kind: given(from.suffering_kind(), u32::MAX),
            listed: given(from.listed(), u32::MAX),
        }
    }
}

/// One reason why a plan needs this many nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    pub kind: DriverKind,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    pub app: Option<u32>,
    pub nodes: f64,
    /// What these nodes cost; none without prices, and where any nodes would do.
    pub cost: Option<f64>,
}

impl From<wire::Driver<'_>> for Driver {
    fn from(from: wire::Driver<'_>) -> Self {
        Self {
            kind: from.kind().into(),
            resource: given(from.resource(), u32::MAX),
            period: given(from.period(), u32::MAX),
            app: given(from.app(), u32::MAX),
            nodes: from.nodes(),
            cost: Some(from.cost()).filter(|&value| value >= 0.0),
        }
    }
}

/// The use of a resource in the period where it is highest.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceUse {
    pub resource: u32,
    /// Period of highest demand.
    pub peak_period: u32,
    /// Demand placed in the peak period, load and daemon load included, and capacity of the nodes in use, in the resource's unit.
    pub demand: f64,
    pub capacity: f64,
    /// Free capacity in the peak period on nodes that accept no replica of any app that demands the resource. Only the 64
    /// smallest such apps are tried.
    pub stranded: f64,
}

impl From<wire::ResourceUse<'_>> for ResourceUse {
    fn from(from: wire::ResourceUse<'_>) -> Self {
        Self {
            resource: from.resource(),
            peak_period: from.peak_period(),
            demand: from.demand(),
            capacity: from.capacity(),
            stranded: from.stranded(),
        }
    }
}

/// The replica that suffers most from side effects, and one move that would help.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffering {
    /// Index into the plan's nodes.
    pub node: u32,
    /// The first app of its kind on the node.
    pub app: u32,
    pub cost: f64,
    /// What the load of each kind on the node adds to the cost. Length: kinds.
    pub from_kind: Vec<f64>,
    /// The move of one replica of `moving` to node `to` of the plan, which takes it: of those tried, the one after which the worse
    /// of both nodes suffers least. None: none helps. At most 16 apps and 4,096 nodes are tried.
    pub moving: Option<u32>,
    pub to: Option<u32>,
    /// Cost of who then suffers most on `node` and on `to`.
    pub cost_after: f64,
    pub cost_there: f64,
}

impl From<wire::Suffering<'_>> for Suffering {
    fn from(from: wire::Suffering<'_>) -> Self {
        Self {
            node: from.node(),
            app: from.app(),
            cost: from.cost(),
            from_kind: list(from.from_kind()),
            moving: given(from.moving(), u32::MAX),
            to: given(from.to(), u32::MAX),
            cost_after: from.cost_after(),
            cost_there: from.cost_there(),
        }
    }
}

/// How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Headroom {
    /// Most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none. Length: nodes of the
    /// plan, as of the next two.
    pub room: Vec<u32>,
    /// True: the node lacks capacity for one more. True: limits, rules, side effects, tags or its being closed refuse one more there.
    pub lacks_capacity: Vec<bool>,
    pub forbidden: Vec<bool>,
    /// What keeps one more off the node that was asked for; empty if it takes one or none was asked for.
    pub obstacles: Vec<Obstacle>,
}

impl From<wire::Headroom<'_>> for Headroom {
    fn from(from: wire::Headroom<'_>) -> Self {
        Self {
            room: list(from.room()),
            lacks_capacity: flags(from.lacks_capacity()),
            forbidden: flags(from.forbidden()),
            obstacles: list(from.obstacles()),
        }
    }
}

/// How many more replicas of each app a cluster takes, where one app grows at a time. Length of each vector: apps.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadroomOfApps {
    /// Sum over the plan's nodes, each copy by itself, of the most replicas that the node takes.
    pub room: Vec<u64>,
    /// Nodes of the plan, each copy by itself, that take at least one, and the most that one of them takes.
    pub nodes: Vec<u64>,
    pub most: Vec<u32>,
    /// The sum over nodes that exist and that the plan does not use. Of a class without a count, none exists.
    pub spare_room: Vec<u64>,
    /// True: a hard placement rule counts the app over several nodes, or asks for something near it, so that what one node takes
    /// changes what others take: `room` and `spare_room` are upper bounds. False: they are exact.
    pub coupled: Vec<bool>,
}

impl From<wire::HeadroomOfApps<'_>> for HeadroomOfApps {
    fn from(from: wire::HeadroomOfApps<'_>) -> Self {
        Self {
            room: list(from.room()),
            nodes: list(from.nodes()),
            most: list(from.most()),
            spare_room: list(from.spare_room()),
            coupled: flags(from.coupled()),
        }
    }
}

/// What becomes of the replicas of nodes that are lost together, all others staying where they are. Nodes are numbered as for
/// Move: the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The value of the label; empty where nodes were asked for by number.
    pub name: String,
    /// The lost nodes, ascending.
    pub nodes: Vec<u32>,
    /// Replicas on them, and how many of these find no place.
    pub replicas: u64,
    pub left: u64,
    /// App, node (`None`: nowhere) and number of replicas.
    pub moves: Vec<(u32, Option<u32>, u32)>,
    /// What remains has `short_amount` too little of this resource free in `short_period`, in the resource's unit, so that no way to
    /// place all of them exists. None: no resource is short in all.
    pub short_resource: Option<u32>,
    pub short_period: Option<u32>,
    pub short_amount: f64,
}

impl From<wire::Loss<'_>> for Loss {
    fn from(from: wire::Loss<'_>) -> Self {
        Self {
            name: text(from.name()),
            nodes: list(from.nodes()),
            replicas: from.replicas(),
            left: from.left(),
            moves: loss_moves(&from),
            short_resource: given(from.short_resource(), u32::MAX),
            short_period: given(from.short_period(), u32::MAX),
            short_amount: from.short_amount(),
        }
    }
}

/// The way from what runs to a plan. Every hard constraint holds at every step.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveOrder {
    /// The moves of a wave run at the same time, in any order. Replicas that begin to run come last.
    pub waves: Vec<Vec<Move>>,
    /// Moves that cannot be ordered: those of a circle on full nodes, for example, need a third place that does not exist.
    pub stuck: Vec<Move>,
    /// Replicas that change their node, each counted once, and further moves over third places.
    pub moved: u32,
    pub detours: u32,
    /// No order has fewer waves: by the limits on what happens at the same time.
    pub least_waves: u32,
}

impl From<wire::MoveOrder<'_>> for MoveOrder {
    fn from(from: wire::MoveOrder<'_>) -> Self {
        Self {
            waves: waves(&from),
            stuck: list(from.stuck()),
            moved: from.moved(),
            detours: from.detours(),
            least_waves: from.least_waves(),
        }
    }
}

/// One replica that changes its node. Nodes: the instance's listed nodes by their index, then the plan's anonymous nodes in its
/// order, each copy by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub app: u32,
    /// None: the replica starts.
    pub from: Option<u32>,
    /// None: the replica ends.
    pub to: Option<u32>,
    /// True: to a node where the plan does not have it; a later wave takes it on.
    pub detour: bool,
}

impl From<&wire::Move> for Move {
    fn from(from: &wire::Move) -> Self {
        Self {
            app: from.app(),
            from: given(from.from(), u32::MAX),
            to: given(from.to(), u32::MAX),
            detour: from.detour(),
        }
    }
}

/// A lower bound on any complete plan.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundEntry {
    pub name: String,
    /// The quantity that it bounds: "nodes", "cost", "ucac", "worst" or "total".
    pub objective: String,
    pub value: f64,
    pub resource: Option<u32>,
    pub period: Option<u32>,
    /// Source: paper, section, equation.
    pub source: String,
}

impl From<wire::BoundEntry<'_>> for BoundEntry {
    fn from(from: wire::BoundEntry<'_>) -> Self {
        Self {
            name: from.name().to_owned(),
            objective: from.objective().to_owned(),
            value: from.value(),
            resource: given(from.resource(), u32::MAX),
            period: given(from.period(), u32::MAX),
            source: text(from.source()),
        }
    }
}

/// What a session took of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// True: some or all of the plan was taken.
    pub committed: bool,
    /// Version of the cluster that the plan was made for, and present version.
    pub planned_version: u64,
    pub version: u64,
    /// Replicas that were pending and run now; replicas that run on another node now; replicas that ran and are pending now.
    pub placed: u64,
    pub moved: u64,
    pub ended: u64,
    /// Names of the nodes that the plan opened, in the plan's order.
    pub opened: Vec<String>,
    pub conflicts: Vec<Conflict>,
}

impl From<wire::Commit<'_>> for Commit {
    fn from(from: wire::Commit<'_>) -> Self {
        Self {
            committed: from.committed(),
            planned_version: from.planned_version(),
            version: from.version(),
            placed: from.placed(),
            moved: from.moved(),
            ended: from.ended(),
            opened: list(from.opened()),
            conflicts: list(from.conflicts()),
        }
    }
}

/// A part of a plan that was not taken, and why. Its replicas stay pending.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    pub kind: ConflictKind,
    /// Empty where the conflict concerns the whole plan; `node` also where the node has no name yet.
    pub app: String,
    pub node: String,
    pub wanted: u64,
    pub available: u64,
}

impl From<wire::Conflict<'_>> for Conflict {
    fn from(from: wire::Conflict<'_>) -> Self {
        Self {
            kind: from.kind().into(),
            app: text(from.app()),
            node: text(from.node()),
            wanted: from.wanted(),
            available: from.available(),
        }
    }
}

/// An entry of the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct Planner {
    pub name: String,
    pub summary: String,
    /// Paper, section, equation.
    pub source: String,
    pub complexity: String,
    pub options: Vec<PlannerOption>,
    /// Features of the model that the planner honours. It refuses an instance that uses any other feature.
    pub honours: Vec<String>,
    /// Milliseconds after which a run ends where the request has neither a deadline nor a work limit; 0 = the planner ends by
    /// itself.
    pub default_deadline_ms: Option<u64>,
    /// Objectives that the planner pursues: "nodes", "ucac", "worst" and "total" as in `Request::objective`. "soft-rules" says that it
    /// also reduces violations of soft placement rules, whatever the request's objective; a planner without it ignores soft rules.
    pub objectives: Vec<String>,
}

impl From<wire::PlannerInfo<'_>> for Planner {
    fn from(from: wire::PlannerInfo<'_>) -> Self {
        Self {
            name: from.name().to_owned(),
            summary: text(from.summary()),
            source: text(from.source()),
            complexity: text(from.complexity()),
            options: list(from.options()),
            honours: list(from.honours()),
            default_deadline_ms: given(from.default_deadline_ms(), 0),
            objectives: list(from.objectives()),
        }
    }
}

/// An option of a planner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannerOption {
    pub name: String,
    pub summary: String,
    pub default: f64,
    pub min: f64,
    pub max: f64,
}

impl From<wire::OptionInfo<'_>> for PlannerOption {
    fn from(from: wire::OptionInfo<'_>) -> Self {
        Self {
            name: from.name().to_owned(),
            summary: text(from.summary()),
            default: from.default_number(),
            min: from.min(),
            max: from.max(),
        }
    }
}

/// The answer to a Question: a column per property, with an entry per app of the samples. Configurations are referred to by
/// index; 4294967295 = none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recommendations {
    pub resources: Vec<String>,
    /// The configurations that the model knows. Length: configurations x resources.
    pub amounts: Vec<f64>,
    /// Length: configurations.
    pub collocation: Vec<u32>,
    pub apps: Vec<String>,
    pub reason: Vec<RecommendationReason>,
    /// The recommended configuration; none unless the reason is MeetsGoal.
    pub choice: Vec<Option<u32>>,
    /// That the choice meets the goal or, where there is none, that the most probable configuration does.
    pub probability: Vec<f64>,
    /// The next cheaper size, which misses the confidence; where there is no choice, the most probable configuration.
    pub runner_up: Vec<Option<u32>>,
    pub runner_up_probability: Vec<f64>,
    /// Of one container of the chosen size; 0 without a choice.
    pub cost: Vec<f64>,
    /// Share of the cost that the choice saves against what the app asks for; negative where it costs more, NaN where nothing was
    /// asked or chosen.
    pub saving_asked: Vec<f64>,
    /// The same against the configuration that costs most; NaN where nothing was chosen.
    pub saving_largest: Vec<f64>,
    /// The sample to take next: the one with the largest expected saving.
    pub next_sample: Vec<Option<u32>>,
    /// What it is expected to save, as a share of the cost of the configuration that costs most.
    pub next_saving: Vec<f64>,
    /// Number of samples of the app that the recommendation rests on.
    pub samples: Vec<u32>,
    /// Number of profiled apps that it rests on, in effect.
    pub similar: Vec<u32>,
    /// For a Question with `curves`, what is known of each configuration: the mean of the measure, what one in twenty is below and
    /// above, and the probability of meeting the goal. Length: apps x configurations; empty otherwise.
    pub curve_mean: Vec<f64>,
    pub curve_low: Vec<f64>,
    pub curve_high: Vec<f64>,
    pub curve_probability: Vec<f64>,
}

impl From<wire::Recommendations<'_>> for Recommendations {
    fn from(from: wire::Recommendations<'_>) -> Self {
        Self {
            resources: list(Some(from.resources())),
            amounts: list(Some(from.amounts())),
            collocation: list(Some(from.collocation())),
            apps: list(Some(from.apps())),
            reason: list(Some(from.reason())),
            choice: indices(Some(from.choice())),
            probability: list(Some(from.probability())),
            runner_up: indices(Some(from.runner_up())),
            runner_up_probability: list(Some(from.runner_up_probability())),
            cost: list(Some(from.cost())),
            saving_asked: list(Some(from.saving_asked())),
            saving_largest: list(Some(from.saving_largest())),
            next_sample: indices(Some(from.next_sample())),
            next_saving: list(Some(from.next_saving())),
            samples: list(Some(from.samples())),
            similar: list(Some(from.similar())),
            curve_mean: list(from.curve_mean()),
            curve_low: list(from.curve_low()),
            curve_high: list(from.curve_high()),
            curve_probability: list(from.curve_probability()),
        }
    }
}

/// The answer to Usage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    pub apps: Vec<String>,
    pub resources: Vec<String>,
    pub periods: u32,
    /// NaN = never measured. Length: apps x resources.
    pub size: Vec<f64>,
    /// Share of the size that was not used, on average over the samples. Length: apps x resources.
    pub slack: Vec<f64>,
    /// Share of the samples above the size: throttled or, for memory, out of memory. Length: apps x resources.
    pub exceeded: Vec<f64>,
    /// Demand of one replica for an instance; NaN = never measured. Length: apps x resources x periods.
    pub demand: Vec<f64>,
    /// Variance of the demand. Length: apps x resources; empty where no rule is uncertain.
    pub variance: Vec<f64>,
    /// As `slack` and `exceeded`, of the demand.
    pub demand_slack: Vec<f64>,
    pub demand_exceeded: Vec<f64>,
    /// Number of samples that were measured. Length: apps x resources.
    pub measured: Vec<u64>,
    /// Times of the first and the last sample. Length: apps.
    pub first: Vec<f64>,
    pub last: Vec<f64>,
    /// Number of samples that were out of memory. Length: apps.
    pub killed: Vec<u64>,
}

impl From<wire::Sizes<'_>> for Sizes {
    fn from(from: wire::Sizes<'_>) -> Self {
        Self {
            apps: list(Some(from.apps())),
            resources: list(Some(from.resources())),
            periods: from.periods(),
            size: list(Some(from.size())),
            slack: list(Some(from.slack())),
            exceeded: list(Some(from.exceeded())),
            demand: list(Some(from.demand())),
            variance: list(from.variance()),
            demand_slack: list(Some(from.demand_slack())),
            demand_exceeded: list(Some(from.demand_exceeded())),
            measured: list(Some(from.measured())),
            first: list(Some(from.first())),
            last: list(Some(from.last())),
            killed: list(Some(from.killed())),
        }
    }
}

/// A change of a [`Session`](crate::Session)'s cluster. Apps, nodes, classes, groups, sets and rules are given by name.
/// `docs/understand/sessions.md` describes each operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Adds the app `app` with `replicas` and `demand`, and with the optional fields from `priority` to `limit_at_most`, `only`
    /// and `not`.
    Submit(Submission),
    /// Sets the number of replicas that `app` wants to `replicas`.
    Scale { app: String, replicas: u32 },
    /// Removes `app` with all its replicas.
    Remove { app: String },
    /// Requires `replicas` replicas of `app` on `node`; 0 removes the pin.
    Pin { app: String, node: String, replicas: u32 },
    /// Adds the node `node` of class `node_class`, with `load`, `load_variance`, `daemon` and `tags`, to the given `sets`.
    AddNode(NewNode),
    /// Removes `node` for good. Its replicas are pending again.
    RemoveNode { node: String },
    /// `node` keeps its replicas and accepts no new ones.
    Cordon { node: String },
    /// `node` accepts replicas again, whatever its state was.
    Uncordon { node: String },
    /// Empties `node`, which accepts no replicas. Its replicas are pending again.
    Drain { node: String },
    /// `node` and its load are absent until it is uncordoned. Its replicas are pending again.
    Fail { node: String },
    /// Sets the load of `node` to `load` and `load_variance`.
    Load { node: String, load: Vec<f64>, load_variance: Vec<f64> },
    /// Adds the placement rule `rule`.
    AddRule(Rule),
    /// Removes the placement rule with the name in `rule`.
    RemoveRule { name: String },
    /// Sets the traffic between the apps `app` and `peer` to `amount`; 0 = they exchange none.
    Traffic { app: String, peer: String, amount: f64 },
}

impl Operation {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Operation<'static>> {
        let args = match self {
            Self::Submit(one) => wire::OperationArgs {
                kind: wire::OperationKind::Submit,
                app: optional(b, &one.app),
                replicas: one.replicas,
                demand: some(b, &one.demand),
                priority: one.priority,
                weight: one.weight.unwrap_or(1.0),
                variance: some(b, &one.variance),
                support_min: some(b, &one.support_min),
                support_max: some(b, &one.support_max),
                app_kind: one.app_kind.unwrap_or(u32::MAX),
                tags: texts_of(b, one.tags.iter()),
                limit_app: texts_of(b, one.limits.iter().map(|(app, _)| app)),
                limit_at_most: some(b, &one.limits.iter().map(|&(_, at_most)| at_most).collect::<Vec<u32>>()),
                only: texts_of(b, one.only.iter()),
                not: texts_of(b, one.not.iter()),
                ..wire::OperationArgs::default()
            },
            Self::Scale { app, replicas } => wire::OperationArgs {
                kind: wire::OperationKind::Scale,
                app: optional(b, app),
                replicas: *replicas,
                ..wire::OperationArgs::default()
            },
            Self::Remove { app } => wire::OperationArgs {
                kind: wire::OperationKind::Remove,
                app: optional(b, app),
                ..wire::OperationArgs::default()
            },
            Self::Pin { app, node, replicas } => wire::OperationArgs {
                kind: wire::OperationKind::Pin,
                app: optional(b, app),
                node: optional(b, node),
                replicas: *replicas,
                ..wire::OperationArgs::default()
            },
            Self::AddNode(one) => wire::OperationArgs {
                kind: wire::OperationKind::AddNode,
                node: optional(b, &one.node),
                node_class: optional(b, &one.class),
                load: some(b, &one.load),
                load_variance: some(b, &one.load_variance),
                daemon: some(b, &one.daemon),
                tags: texts_of(b, one.tags.iter()),
                groups: texts_of(b, one.sets.iter().map(|(group, _)| group)),
                sets: texts_of(b, one.sets.iter().map(|(_, set)| set)),
                ..wire::OperationArgs::default()
            },
            Self::RemoveNode { node } => wire::OperationArgs {
                kind: wire::OperationKind::RemoveNode,
                node: optional(b, node),
                ..wire::OperationArgs::default()
            },
            Self::Cordon { node } => wire::OperationArgs {
                kind: wire::OperationKind::Cordon,
                node: optional(b, node),
                ..wire::OperationArgs::default()
            },
            Self::Uncordon { node } => wire::OperationArgs {
                kind: wire::OperationKind::Uncordon,
                node: optional(b, node),
                ..wire::OperationArgs::default()
            },
            Self::Drain { node } => wire::OperationArgs {
                kind: wire::OperationKind::Drain,
                node: optional(b, node),
                ..wire::OperationArgs::default()
            },
            Self::Fail { node } => wire::OperationArgs {
                kind: wire::OperationKind::Fail,
                node: optional(b, node),
                ..wire::OperationArgs::default()
            },
            Self::Load { node, load, load_variance } => wire::OperationArgs {
                kind: wire::OperationKind::Load,
                node: optional(b, node),
                load: some(b, load),
                load_variance: some(b, load_variance),
                ..wire::OperationArgs::default()
            },
            Self::AddRule(one) => wire::OperationArgs {
                kind: wire::OperationKind::AddRule,
                rule: Some(one.encode(b)),
                ..wire::OperationArgs::default()
            },
            Self::RemoveRule { name } => wire::OperationArgs {
                kind: wire::OperationKind::RemoveRule,
                rule: Some(named_rule(b, name)),
                ..wire::OperationArgs::default()
            },
            Self::Traffic { app, peer, amount } => wire::OperationArgs {
                kind: wire::OperationKind::Traffic,
                app: optional(b, app),
                peer: optional(b, peer),
                amount: *amount,
                ..wire::OperationArgs::default()
            },
        };
        wire::Operation::create(b, &args)
    }
}

/// Nodes that share capacity, price and labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub name: String,
    /// Capacity per resource. Length: resources.
    pub capacity: Vec<f64>,
    /// Number of nodes of this class, listed ones included; 0 = as many as needed.
    pub count: u32,
    /// Cost of one node in use, in any currency; none = not given. Either all classes have a price or none has.
    pub price: Option<f64>,
    /// Static labels as "key=value" (or a bare word). A label is also a static tag of every node of the class.
    pub labels: Vec<String>,
    /// Load that goes with each node of the class, in the resource's unit: it takes capacity and does not keep the node in use.
    /// At most the capacity. Length: resources, or resources x periods.
    pub daemon: Vec<f64>,
}

impl Default for Class {
    fn default() -> Self {
        Self {
            name: Default::default(),
            capacity: Default::default(),
            count: 0,
            price: None,
            labels: Default::default(),
            daemon: Default::default(),
        }
    }
}

impl Class {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::NodeClass<'static>> {
        let args = wire::NodeClassArgs {
            name: optional(b, &self.name),
            capacity: Some(b.create_vector(&self.capacity)),
            count: self.count,
            price: self.price.unwrap_or(-1.0),
            labels: (!self.labels.is_empty()).then(|| texts(b, &self.labels)),
            daemon: (!self.daemon.is_empty()).then(|| b.create_vector(&self.daemon)),
        };
        wire::NodeClass::create(b, &args)
    }
}

/// A Cardinality of instance.fbs whose tags and group are given by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Cardinality {
    /// As CardinalityKind.
    pub kind: CardinalityKind,
    pub subject: Vec<String>,
    pub target: Vec<String>,
    pub min: u32,
    pub max: Option<u32>,
    /// Name of a NodeGroup; absent, "" or "node" = each node is a set of its own.
    pub group: Option<String>,
    pub negated: bool,
}

impl Default for Cardinality {
    fn default() -> Self {
        Self {
            kind: CardinalityKind::Replicas,
            subject: Default::default(),
            target: Default::default(),
            min: 0,
            max: None,
            group: None,
            negated: Default::default(),
        }
    }
}

impl Cardinality {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::NamedCardinality<'static>> {
        let args = wire::NamedCardinalityArgs {
            kind: wire::CardinalityKind::from(self.kind).0,
            subject: Some(texts(b, &self.subject)),
            target: (!self.target.is_empty()).then(|| texts(b, &self.target)),
            min: self.min,
            max: self.max.unwrap_or(u32::MAX),
            group: self.group.as_deref().and_then(|value| optional(b, value)),
            negated: self.negated,
        };
        wire::NamedCardinality::create(b, &args)
    }
}

/// The chance constraint: how `App::variance` or the supports enter the capacity constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertainty {
    pub model: ChanceModel,
    /// Probability that a node's demand stays within its capacity, in (0, 1); with `ChanceModel::Gaussian` at least 0.5.
    pub confidence: f64,
    pub factor: f64,
}

impl Default for Uncertainty {
    fn default() -> Self {
        Self {
            model: ChanceModel::Gaussian,
            confidence: 0.99,
            factor: 0.0,
        }
    }
}

impl Uncertainty {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Uncertainty<'static>> {
        let args = wire::UncertaintyArgs {
            model: wire::ChanceModel::from(self.model),
            confidence: self.confidence,
            factor: self.factor,
        };
        wire::Uncertainty::create(b, &args)
    }
}

/// Which planner runs, its options, and the limits of the run. Only `planner` must be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub(crate) planner: String,
    pub(crate) options: Vec<(String, f64, Option<String>)>,
    pub(crate) seed: u64,
    pub(crate) deadline: Duration,
    pub(crate) work_limit: u64,
    pub(crate) threads: u32,
    pub(crate) node_limit: u32,
    pub(crate) ignore_running: bool,
    pub(crate) move_budget: u32,
    pub(crate) objective: Objective,
    pub(crate) all_or_nothing: bool,
    pub(crate) compact: bool,
    pub(crate) soft: SoftPolicy,
    pub(crate) soft_price: f64,
    pub(crate) patience: Duration,
    pub(crate) fill: bool,
    pub(crate) max_cost: f64,
    pub(crate) keep: Vec<(u32, u32)>,
    pub(crate) survive: String,
    pub(crate) leave_free: String,
    pub(crate) goals: Vec<PlanGoal>,
    pub(crate) trace: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            planner: Default::default(),
            options: Default::default(),
            seed: 0,
            deadline: Default::default(),
            work_limit: 0,
            threads: 1,
            node_limit: 0,
            ignore_running: Default::default(),
            move_budget: 0,
            objective: Objective::Nodes,
            all_or_nothing: Default::default(),
            compact: Default::default(),
            soft: SoftPolicy::First,
            soft_price: 0.0,
            patience: Default::default(),
            fill: Default::default(),
            max_cost: 0.0,
            keep: Default::default(),
            survive: Default::default(),
            leave_free: Default::default(),
            goals: Default::default(),
            trace: Default::default(),
        }
    }
}

impl Request {
    /// Sets seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Wall-clock limit of the run, rounded up to milliseconds, after which it returns its best plan so far. 0 = the planner's default
    /// (`Planner::default_deadline_ms`): 1 s for `auto`; none if `work_limit` is set.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Limit on work units; 0 = none. The `work` of an earlier plan as the limit repeats that plan's run exactly (see `Plan::work`).
    pub fn work_limit(mut self, work_limit: u64) -> Self {
        self.work_limit = work_limit;
        self
    }

    /// Number of threads that the run may use; 0 = 1. The plan does not depend on it.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Limit on the nodes in use; 0 = as many as the instance has. Replicas that do not fit are reported unplaced.
    pub fn node_limit(mut self, node_limit: u32) -> Self {
        self.node_limit = node_limit;
        self
    }

    /// True: running replicas that are not pinned are planned as if they ran nowhere.
    pub fn ignore_running(mut self, ignore_running: bool) -> Self {
        self.ignore_running = ignore_running;
        self
    }

    /// Limit on the running replicas that move to another node; 0 = none moves.
    pub fn move_budget(mut self, move_budget: u32) -> Self {
        self.move_budget = move_budget;
        self
    }

    /// What to minimize once all replicas are placed. A planner that does not pursue the objective refuses the request.
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
    /// one application. Replicas that already run stay.
    pub fn all_or_nothing(mut self, all_or_nothing: bool) -> Self {
        self.all_or_nothing = all_or_nothing;
        self
    }

    /// True: anonymous nodes of one class with the same content are one entry of the plan, with their number as its copies. The
    /// size of the plan then depends on the number of different nodes, not on the number of nodes.
    pub fn compact(mut self, compact: bool) -> Self {
        self.compact = compact;
        self
    }

    /// How soft rules count beside the objective. Plans are compared, and called optimal, by this.
    pub fn soft(mut self, soft: SoftPolicy) -> Self {
        self.soft = soft;
        self
    }

    /// The search ends once it has found nothing better for this time, rounded up to milliseconds; 0 = it does not end for that. Counts from the
    /// first plan on.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Where not all replicas fit: true = the most capacity is used, false = the most replicas are placed; by priority and weight
    /// in either case.
    pub fn fill(mut self, fill: bool) -> Self {
        self.fill = fill;
        self
    }

    /// The most that side effects may cost a replica, whatever its kind: a hard constraint beside the instance's max cost. 0 = none.
    pub fn max_cost(mut self, max_cost: f64) -> Self {
        self.max_cost = max_cost;
        self
    }

    /// The plan survives losses: its nodes have places for the replicas of lost ones, while all others stay. "*": of each node by
    /// itself. Else the key of a label: of all nodes with the same value, such as each zone. Spare nodes that hold nothing are added
    /// where needed; they count as nodes of the plan. Replicas that are pinned to a lost node are lost with it. Empty: no
    /// loss. Only with `Objective::Nodes`.
    pub fn survive(mut self, survive: impl Into<String>) -> Self {
        self.survive = survive.into();
        self
    }

    /// The key of a label, such as rack: as many as possible of its values have no node with a replica or with load. This comes after
    /// placing replicas, and before soft rules, nodes and their cost. Empty: nothing is left free on purpose. Only with
    /// `Objective::Nodes`; not together with `keep` or `survive`.
    pub fn leave_free(mut self, leave_free: impl Into<String>) -> Self {
        self.leave_free = leave_free.into();
        self
    }

    /// What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one
    /// beyond its tolerance. Takes the place of `objective` and `soft`. Soft rules come first where no goal names them. With
    /// `GoalKind::Moves` and no `move_budget`, any number of running replicas may move. Empty: what `objective` and `soft` say.
    pub fn goals(mut self, goals: impl IntoIterator<Item = impl Into<PlanGoal>>) -> Self {
        self.goals = goals.into_iter().map(Into::into).collect();
        self
    }

    /// True: the plan tells what the parts of the search did (`Plan::trace`). It is the same plan otherwise.
    pub fn trace(mut self, trace: bool) -> Self {
        self.trace = trace;
        self
    }
}

impl Request {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Request<'static>> {
        let args = wire::RequestArgs {
            planner: Some(b.create_string(&self.planner)),
            options: options(b, &self.options),
            seed: self.seed,
            deadline_ms: milliseconds(self.deadline),
            work_limit: self.work_limit,
            threads: self.threads,
            node_limit: self.node_limit,
            ignore_running: self.ignore_running,
            move_budget: self.move_budget,
            objective: wire::Objective::from(self.objective),
            all_or_nothing: self.all_or_nothing,
            compact: self.compact,
            soft: wire::SoftPolicy::from(self.soft),
            soft_price: self.soft_price,
            patience_ms: milliseconds(self.patience),
            fill: self.fill,
            max_cost: self.max_cost,
            keep: kept(b, &self.keep),
            survive: optional(b, &self.survive),
            leave_free: optional(b, &self.leave_free),
            goals: (!self.goals.is_empty()).then(|| tables(b, &self.goals, PlanGoal::encode)),
            trace: self.trace,
            ..wire::RequestArgs::default()
        };
        wire::Request::create(b, &args)
    }
}

/// A goal of `Request::goals`.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanGoal {
    pub what: GoalKind,
    /// Index of the resource, with `GoalKind::Balance` and `GoalKind::Evenness`; None = all.
    pub resource: Option<u32>,
    /// True: counts together with the goal before it, as a sum of values times weights. False: counts after it, among plans that
    /// are equally good by all goals before.
    pub beside: bool,
    /// What a unit of the value counts beside other goals; above 0.
    pub weight: f64,
    /// By how much later goals may worsen the value, as a share of it. Of goals that count together, the first one says it.
    pub tolerance: f64,
    /// In the place of the other fields but `beside`: a goal, or several that count together, as people write them, such as
    /// `cost~1%`, `balance:memory` and `cost,moves*0.01`: names with commas between them, each with its resource or weight if need
    /// be, and a tolerance at the end.
    pub words: String,
}

impl Default for PlanGoal {
    fn default() -> Self {
        Self {
            what: GoalKind::Cost,
            resource: None,
            beside: Default::default(),
            weight: 1.0,
            tolerance: 0.0,
            words: Default::default(),
        }
    }
}

impl PlanGoal {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::PlanGoal<'static>> {
        let args = wire::PlanGoalArgs {
            what: wire::GoalKind::from(self.what),
            resource: self.resource.unwrap_or(u32::MAX),
            beside: self.beside,
            weight: self.weight,
            tolerance: self.tolerance,
            words: optional(b, &self.words),
        };
        wire::PlanGoal::create(b, &args)
    }
}

/// How an instance differs from another one. What is not given stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// Name of the instance that results; empty = the name stays.
    pub name: String,
    /// Factor on the demand of all apps. Uncertain demand scales as a whole: its deviation and its support by the same factor.
    pub demand: f64,
    /// Factor on the replicas of all apps, rounded up.
    pub replicas: f64,
    /// Factor on the capacity of all classes. Daemon load stays.
    pub capacity: f64,
    /// Factor on the load of listed nodes and its deviation. Daemon load stays.
    pub load: f64,
    /// Factor on the prices of all classes, where there are prices.
    pub price: f64,
    /// Share of the affinity limits between different apps that stays, at most 1. Which ones follows from the two apps alone, so
    /// that those of a smaller share are among those of a larger one. Limits of an app on itself stay.
    pub limits: f64,
    pub resources: Vec<ResourceFactors>,
    pub apps: Vec<AppChange>,
    pub classes: Vec<ClassChange>,
}

impl Default for Derivation {
    fn default() -> Self {
        Self {
            name: Default::default(),
            demand: 1.0,
            replicas: 1.0,
            capacity: 1.0,
            load: 1.0,
            price: 1.0,
            limits: 1.0,
            resources: Default::default(),
            apps: Default::default(),
            classes: Default::default(),
        }
    }
}

impl Derivation {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Derivation<'static>> {
        let args = wire::DerivationArgs {
            name: optional(b, &self.name),
            demand: self.demand,
            replicas: self.replicas,
            capacity: self.capacity,
            load: self.load,
            price: self.price,
            limits: self.limits,
            by_resource: (!self.resources.is_empty()).then(|| tables(b, &self.resources, ResourceFactors::encode)),
            by_app: (!self.apps.is_empty()).then(|| tables(b, &self.apps, AppChange::encode)),
            by_class: (!self.classes.is_empty()).then(|| tables(b, &self.classes, ClassChange::encode)),
            ..wire::DerivationArgs::default()
        };
        wire::Derivation::create(b, &args)
    }
}

/// Factors on what concerns one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceFactors {
    /// The resource, by its name or by its index.
    pub name: String,
    pub resource: u32,
    pub demand: f64,
    pub capacity: f64,
    pub load: f64,
}

impl Default for ResourceFactors {
    fn default() -> Self {
        Self {
            name: Default::default(),
            resource: Default::default(),
            demand: 1.0,
            capacity: 1.0,
            load: 1.0,
        }
    }
}

impl ResourceFactors {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::ResourceFactors<'static>> {
        let args = wire::ResourceFactorsArgs {
            name: optional(b, &self.name),
            resource: unnamed(&self.name, self.resource),
            demand: self.demand,
            capacity: self.capacity,
            load: self.load,
        };
        wire::ResourceFactors::create(b, &args)
    }
}

/// What changes of one app.
#[derive(Clone, Debug, PartialEq)]
pub struct AppChange {
    /// The app, by its name or by its index.
    pub name: String,
    pub app: u32,
    /// The number of replicas; None = not given.
    pub replicas: Option<u32>,
    pub replica_factor: f64,
    /// Demand of one replica. Its variance and its support stay. Length: resources, or resources x periods; empty = not given.
    pub demand: Vec<f64>,
    pub demand_factor: f64,
}

impl Default for AppChange {
    fn default() -> Self {
        Self {
            name: Default::default(),
            app: Default::default(),
            replicas: None,
            replica_factor: 1.0,
            demand: Default::default(),
            demand_factor: 1.0,
        }
    }
}

impl AppChange {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::AppChange<'static>> {
        let args = wire::AppChangeArgs {
            name: optional(b, &self.name),
            app: unnamed(&self.name, self.app),
            replicas: self.replicas.unwrap_or(u32::MAX),
            replica_factor: self.replica_factor,
            demand: (!self.demand.is_empty()).then(|| b.create_vector(&self.demand)),
            demand_factor: self.demand_factor,
        };
        wire::AppChange::create(b, &args)
    }
}

/// What changes of one node class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassChange {
    /// The class, by its name or by its index.
    pub name: String,
    pub class: u32,
    /// Number of nodes of the class, as `Class::count`; None = as it is.
    pub count: Option<u32>,
    /// Capacity per resource. Length: resources; empty = not given.
    pub capacity: Vec<f64>,
    pub capacity_factor: f64,
    /// Cost of one node in use; none = not given.
    pub price: Option<f64>,
}

impl Default for ClassChange {
    fn default() -> Self {
        Self {
            name: Default::default(),
            class: Default::default(),
            count: None,
            capacity: Default::default(),
            capacity_factor: 1.0,
            price: None,
        }
    }
}

impl ClassChange {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::ClassChange<'static>> {
        let args = wire::ClassChangeArgs {
            name: optional(b, &self.name),
            node_class: unnamed(&self.name, self.class),
            count: self.count.unwrap_or(u32::MAX),
            capacity: (!self.capacity.is_empty()).then(|| b.create_vector(&self.capacity)),
            capacity_factor: self.capacity_factor,
            price: self.price.unwrap_or(-1.0),
        };
        wire::ClassChange::create(b, &args)
    }
}

/// Measurements of apps: how each performed with some configurations. A configuration is an amount of each resource for a
/// container, and a degree of collocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    pub measure: Measure,
    pub resources: Vec<String>,
    /// Unique names.
    pub apps: Vec<String>,
    pub features: Vec<Feature>,
    /// What each app asks for today; NaN in all resources of an app = not known. Length: apps x resources; empty = not known.
    pub asked: Vec<f64>,
    /// App of each row, an index into `apps`.
    pub row_app: Vec<u32>,
    /// Amounts of each row, above 0. Length: rows x resources.
    pub row_amounts: Vec<f64>,
    /// Containers of the app that share a node. Length: rows; empty = all 1.
    pub row_collocation: Vec<u32>,
    /// What was measured in each row. Length: rows.
    pub row_value: Vec<f64>,
}

impl Default for Samples {
    fn default() -> Self {
        Self {
            measure: Measure::Performance,
            resources: Default::default(),
            apps: Default::default(),
            features: Default::default(),
            asked: Default::default(),
            row_app: Default::default(),
            row_amounts: Default::default(),
            row_collocation: Default::default(),
            row_value: Default::default(),
        }
    }
}

impl Samples {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Samples<'static>> {
        let args = wire::SamplesArgs {
            measure: wire::Measure::from(self.measure),
            resources: Some(texts(b, &self.resources)),
            apps: Some(texts(b, &self.apps)),
            features: (!self.features.is_empty()).then(|| tables(b, &self.features, Feature::encode)),
            asked: (!self.asked.is_empty()).then(|| b.create_vector(&self.asked)),
            row_app: Some(b.create_vector(&self.row_app)),
            row_amounts: Some(b.create_vector(&self.row_amounts)),
            row_collocation: (!self.row_collocation.is_empty()).then(|| b.create_vector(&self.row_collocation)),
            row_value: Some(b.create_vector(&self.row_value)),
        };
        wire::Samples::create(b, &args)
    }
}

/// What a model is asked: a recommendation for each app of the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub samples: Samples,
    pub goal: Goal,
    /// True: the answer has what is known of every configuration for every app.
    pub curves: bool,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            samples: Default::default(),
            goal: Default::default(),
            curves: Default::default(),
        }
    }
}

impl Question {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Question<'static>> {
        let args = wire::QuestionArgs {
            samples: Some(self.samples.encode(b)),
            goal: Some(self.goal.encode(b)),
            curves: self.curves,
        };
        wire::Question::create(b, &args)
    }
}

/// What recommended configurations are to reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// A performance to reach at least, in (0, 1], or a latency in milliseconds to reach at most.
    pub value: f64,
    /// Probability with which the goal is to be met, in (0, 1).
    pub confidence: f64,
    /// Cost of one unit of each resource, not all 0. Length: resources of the samples; empty = the largest amount that any
    /// configuration has of a resource costs 1.
    pub cost: Vec<f64>,
    /// Sizes stay as the apps ask for them; only the degree of collocation is chosen.
    pub keep_asked: bool,
}

impl Default for Goal {
    fn default() -> Self {
        Self {
            value: Default::default(),
            confidence: 0.8,
            cost: Default::default(),
            keep_asked: Default::default(),
        }
    }
}

impl Goal {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Goal<'static>> {
        let args = wire::GoalArgs {
            value: self.value,
            confidence: self.confidence,
            cost: (!self.cost.is_empty()).then(|| b.create_vector(&self.cost)),
            keep_asked: self.keep_asked,
        };
        wire::Goal::create(b, &args)
    }
}

/// What replicas used over time, and how sizes follow from it. Samples are in any order; a sample is one replica at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// Unique names.
    pub apps: Vec<String>,
    /// Unique names.
    pub resources: Vec<String>,
    /// App of each sample, an index into `apps`.
    pub app: Vec<u32>,
    /// Number of the replica within its app. Length: samples; empty = not known.
    pub replica: Vec<u32>,
    /// Seconds since any origin; may be negative. Length: samples.
    pub time: Vec<f64>,
    /// In the resource's unit; NaN = not measured. Length: samples x resources.
    pub amount: Vec<f64>,
    /// 1 = the replica was killed for lack of memory. Length: samples; empty = none was.
    pub out_of_memory: Vec<u8>,
    /// Length: resources.
    pub rules: Vec<SizeRule>,
    /// Number of periods of the demand.
    pub periods: u32,
    /// Seconds after which periods repeat, counted from time 0; 0 = they divide the whole history.
    pub cycle: f64,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            apps: Default::default(),
            resources: Default::default(),
            app: Default::default(),
            replica: Default::default(),
            time: Default::default(),
            amount: Default::default(),
            out_of_memory: Default::default(),
            rules: Default::default(),
            periods: 1,
            cycle: 86400.0,
        }
    }
}

impl Usage {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Usage<'static>> {
        let args = wire::UsageArgs {
            apps: Some(texts(b, &self.apps)),
            resources: Some(texts(b, &self.resources)),
            app: Some(b.create_vector(&self.app)),
            replica: (!self.replica.is_empty()).then(|| b.create_vector(&self.replica)),
            time: Some(b.create_vector(&self.time)),
            amount: Some(b.create_vector(&self.amount)),
            out_of_memory: (!self.out_of_memory.is_empty()).then(|| b.create_vector(&self.out_of_memory)),
            rules: Some(tables(b, &self.rules, SizeRule::encode)),
            periods: self.periods,
            cycle: self.cycle,
        };
        wire::Usage::create(b, &args)
    }
}

/// How the size in one resource follows from usage.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeRule {
    /// Share of the samples, by weight, that the size covers, in (0, 1].
    pub percentile: f64,
    /// Seconds in which the weight of a sample halves; 0 = all weigh the same.
    pub half_life: f64,
    /// Seconds: of each replica, the largest usage in a window counts as one sample; 0 = each sample counts.
    pub window: f64,
    /// Usage counts (1 + margin) times.
    pub margin: f64,
    /// Usage at which a replica was killed counts `bump` times; at least 1.
    pub bump: f64,
    pub floor: f64,
    /// 0 = none.
    pub ceiling: f64,
    /// True: demand is the mean of usage, with its variance.
    pub uncertain: bool,
}

impl Default for SizeRule {
    fn default() -> Self {
        Self {
            percentile: 0.95,
            half_life: 0.0,
            window: 0.0,
            margin: 0.0,
            bump: 1.0,
            floor: 0.0,
            ceiling: 0.0,
            uncertain: Default::default(),
        }
    }
}

impl SizeRule {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::SizeRule<'static>> {
        let args = wire::SizeRuleArgs {
            percentile: self.percentile,
            half_life: self.half_life,
            window: self.window,
            margin: self.margin,
            bump: self.bump,
            floor: self.floor,
            ceiling: self.ceiling,
            uncertain: self.uncertain,
        };
        wire::SizeRule::create(b, &args)
    }
}
