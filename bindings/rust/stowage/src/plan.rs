use std::time::Duration;

use flatbuffers::FlatBufferBuilder;
use stowage_sys as sys;

use crate::error::{Error, ErrorKind, Result};
use crate::instance::{check_foreign, Limits};
use crate::wire;

/// As the key of [`Request::survive`]: each node by itself.
pub const EACH_NODE: &str = "*";

/// Which planner to run, its options, and the limits of the run.
///
/// ```
/// use std::time::Duration;
/// let request = stowage::Request::new("auto").seed(7).deadline(Duration::from_millis(200)).node_limit(40);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Request {
    planner: String,
    options: Vec<(String, f64, Option<String>)>,
    seed: u64,
    deadline_ms: u64,
    work_limit: u64,
    threads: u32,
    node_limit: u32,
    ignore_running: bool,
    move_budget: u32,
    objective: wire::Objective,
    all_or_nothing: bool,
    compact: bool,
    soft: wire::SoftPolicy,
    soft_price: f64,
    patience_ms: u64,
    fill: bool,
    max_cost: f64,
    keep: Vec<(u32, u32)>,
    survive: String,
    leave_free: String,
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

impl Request {
    /// A request for a planner of the catalogue, such as `"auto"`.
    pub fn new(planner: impl Into<String>) -> Self {
        Self { planner: planner.into(), ..Self::default() }
    }

    /// An option that is a number, as the catalogue declares it.
    pub fn option(mut self, name: impl Into<String>, number: f64) -> Self {
        self.options.push((name.into(), number, None));
        self
    }

    /// An option that is a word.
    pub fn word(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.options.push((name.into(), 0.0, Some(text.into())));
        self
    }

    /// The seed of the planner's random choices; 0 unless it is given.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Wall-clock limit of the run, rounded up to whole milliseconds, after which the run returns its best plan so far. Without
    /// a deadline and a work limit, the planner's default deadline applies if it has one.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline_ms = milliseconds(deadline);
        self
    }

    /// Limit on work units. An earlier plan's [`Plan::work`] as the limit repeats its run exactly, together with [`Plan::pace`]
    /// as the option `pace` if that is above 0.
    pub fn work_limit(mut self, work: u64) -> Self {
        self.work_limit = work;
        self
    }

    /// Number of threads that the run may use. The plan does not depend on it.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Limit on the nodes in use. Replicas that do not fit are reported unplaced.
    pub fn node_limit(mut self, nodes: u32) -> Self {
        self.node_limit = nodes;
        self
    }

    /// True: running replicas that are not pinned are planned as if they ran nowhere.
    pub fn ignore_running(mut self, ignore: bool) -> Self {
        self.ignore_running = ignore;
        self
    }

    /// Limit on the running replicas that move to another node.
    pub fn move_budget(mut self, replicas: u32) -> Self {
        self.move_budget = replicas;
        self
    }

    /// The objective to minimize once all replicas are placed; default: [`Objective::Nodes`]. A planner that does not pursue it
    /// refuses with `Unsupported`.
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = match objective {
            Objective::Nodes => wire::Objective::Nodes,
            Objective::Ucac => wire::Objective::Ucac,
            Objective::Worst => wire::Objective::Worst,
            Objective::Total => wire::Objective::Total,
            Objective::Admitted => wire::Objective::Admitted,
            Objective::Traffic => wire::Objective::Traffic,
            Objective::Unknown(number) => wire::Objective(number),
        };
        self
    }

    /// An application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with `appID:` are one
    /// application. Replicas that already run stay. A planner that does not honour placement rules refuses with `Unsupported`.
    pub fn all_or_nothing(mut self, whole: bool) -> Self {
        self.all_or_nothing = whole;
        self
    }

    /// True: anonymous nodes of one class with the same content are one entry of the plan, with their number in
    /// [`PlanNode::copies`].
    pub fn compact(mut self, compact: bool) -> Self {
        self.compact = compact;
        self
    }

    /// How soft rules count beside the objective; default: [`SoftPolicy::First`]. [`Request::soft_price`] sets a price.
    pub fn soft(mut self, policy: SoftPolicy) -> Self {
        self.soft = match policy {
            SoftPolicy::First => wire::SoftPolicy::First,
            SoftPolicy::Last => wire::SoftPolicy::Last,
            SoftPolicy::Price => wire::SoftPolicy::Price,
            SoftPolicy::Unknown(number) => wire::SoftPolicy(number),
        };
        self
    }

    /// [`SoftPolicy::Price`] with the price of a unit of violation, in nodes or, where prices are given, in their currency.
    pub fn soft_price(mut self, price: f64) -> Self {
        self.soft_price = price;
        self.soft(SoftPolicy::Price)
    }

    /// The search ends once it has found nothing better for this time, rounded up to whole milliseconds.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience_ms = milliseconds(patience);
        self
    }

    /// True: where not all replicas fit, the most capacity is used instead of placing the most replicas.
    pub fn fill(mut self, fill: bool) -> Self {
        self.fill = fill;
        self
    }

    /// The most that side effects may cost a replica, whatever its kind, beside the instance's own limits.
    pub fn max_cost(mut self, most: f64) -> Self {
        self.max_cost = most;
        self
    }

    /// Room for more replicas of an app is kept beside the replicas that are placed. Several calls keep room for several apps, all
    /// at once; no app twice. The room counts towards the nodes, and nowhere else. [`Objective::Nodes`] only.
    pub fn keep(mut self, app: u32, replicas: u32) -> Self {
        self.keep.push((app, replicas));
        self
    }

    /// The plan's nodes have places for the replicas of lost ones, while all others stay. [`EACH_NODE`]: of each node by itself;
    /// else the key of a label, such as `"zone"`: of all nodes with the same value. Spare nodes without replicas are added where
    /// they are needed, and count as nodes in use. Replicas that are pinned to a lost node are lost with it.
    /// [`Objective::Nodes`] only.
    pub fn survive(mut self, key: impl Into<String>) -> Self {
        self.survive = key.into();
        self
    }

    /// As many as possible of the values of the label with this key, such as `rack`, have no node with a replica or with load.
    /// This comes after placing replicas, and before soft rules, nodes and their cost. [`Objective::Nodes`] only; not together
    /// with [`Request::keep`] or [`Request::survive`].
    pub fn leave_free(mut self, key: impl Into<String>) -> Self {
        self.leave_free = key.into();
        self
    }

    pub(crate) fn encode(&self) -> FlatBufferBuilder<'static> {
        let mut builder = FlatBufferBuilder::with_capacity(256);
        let options: Vec<_> = self
            .options
            .iter()
            .map(|(name, number, text)| {
                let name = builder.create_string(name);
                let text = text.as_ref().map(|text| builder.create_string(text));
                let args = wire::RequestOptionArgs { name: Some(name), number: *number, text };
                wire::RequestOption::create(&mut builder, &args)
            })
            .collect();
        let options = (!options.is_empty()).then(|| builder.create_vector(&options));
        let planner = builder.create_string(&self.planner);
        let keep: Vec<_> = self.keep.iter().map(|&(app, replicas)| wire::Kept::new(app, replicas)).collect();
        let keep = (!keep.is_empty()).then(|| builder.create_vector(&keep));
        let survive = (!self.survive.is_empty()).then(|| builder.create_string(&self.survive));
        let leave_free = (!self.leave_free.is_empty()).then(|| builder.create_string(&self.leave_free));
        let args = wire::RequestArgs {
            planner: Some(planner),
            options,
            seed: self.seed,
            deadline_ms: self.deadline_ms,
            work_limit: self.work_limit,
            threads: self.threads,
            node_limit: self.node_limit,
            ignore_running: self.ignore_running,
            move_budget: self.move_budget,
            objective: self.objective,
            all_or_nothing: self.all_or_nothing,
            compact: self.compact,
            soft: self.soft,
            soft_price: self.soft_price,
            patience_ms: self.patience_ms,
            fill: self.fill,
            max_cost: self.max_cost,
            keep,
            survive,
            leave_free,
            ..wire::RequestArgs::default()
        };
        let request = wire::Request::create(&mut builder, &args);
        wire::finish_request_buffer(&mut builder, request);
        builder
    }
}

/// Defines an enumeration of the schemas, with a variant for enumerators that only a later library knows.
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
            /// An enumerator that this crate does not know.
            Unknown(u8),
        }

        impl From<$crate::wire::$name> for $name {
            fn from(kind: $crate::wire::$name) -> Self {
                match kind {
                    $($crate::wire::$name::$variant => Self::$variant,)*
                    other => Self::Unknown(other.0),
                }
            }
        }
    };
}
pub(crate) use kinds;

kinds! {
    /// The quantity that a run minimizes. [`Planner::objectives`](crate::Planner::objectives) lists the objectives that a
    /// planner pursues.
    Objective {
        /// Fewest nodes; where prices are given, least cost.
        Nodes,
        /// Least used capacity at confidence (P1, section 4.1).
        Ucac,
        /// Least cost of the replica that suffers most from side effects (P4, section 2).
        Worst,
        /// Least sum of what side effects cost all replicas.
        Total,
        /// Least weight of the applications that are left out, each placed as a whole or not at all (P3, section 3.3.1).
        Admitted,
        /// Least traffic between replicas that do not share a node.
        Traffic,
    }
}

kinds! {
    /// How violated soft placement rules count beside the objective.
    SoftPolicy {
        /// Before the objective: as few violations as possible, whatever that costs.
        First,
        /// Only among plans that are equal otherwise: violations never cost a node.
        Last,
        /// Added to the objective, at [`Request::soft_price`] per unit of violation.
        Price,
    }
}

kinds! {
    /// What a note is about.
    NoteCode {
        /// The plan was not searched for improvements.
        SearchOff,
        /// A part of the search was switched off.
        NeighbourhoodOff,
        /// The run ended before its limit.
        EndedEarly,
        /// Replicas that fit on no node were left out.
        LeftOut,
        /// A placement rule names a tag that nothing carries, or sets no bound.
        IdleRule,
        /// There is not all the room that was to be kept, or some loss is not survived.
        Promise,
        /// The planner failed, and the plan is that of the start.
        StartPlan,
    }
}

/// A number of replicas of one priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOver {
    pub priority: i32,
    /// At least 1.
    pub replicas: u64,
}

/// Something that the reader of a plan should know of its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub code: NoteCode,
    /// A sentence.
    pub text: String,
}

kinds! {
    /// How good a plan is. A status claims no more than is proven.
    PlanStatus {
        /// Every replica is placed, and what the request asks to keep is kept.
        Complete,
        /// Complete, and it is proven that no plan is better by the objective.
        Optimal,
        /// Some replicas are unplaced, or not all is kept.
        Partial,
        /// Some replicas are unplaced, and it is proven that no plan places all.
        InfeasibleProven,
        /// The run was cancelled; this is its best plan.
        Cancelled,
        /// The deadline or the work limit ended the run; this is its best plan.
        Deadline,
    }
}

/// An index, or none.
pub(crate) fn known(index: u32) -> Option<u32> {
    (index != u32::MAX).then_some(index)
}

/// A lower bound that holds for every complete plan, and the resource and period from which it follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Such as "capacity".
    pub name: String,
    pub value: f64,
    pub resource: Option<u32>,
    pub period: Option<u32>,
}

/// A node in use, or one that is kept without replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanNode {
    /// Index of its class.
    pub class: u32,
    /// Index among the listed nodes; none for an anonymous node of its class.
    pub listed: Option<u32>,
    /// Number of nodes with this content for which it stands: 1 except for anonymous nodes of compact plans.
    pub copies: u32,
}

/// `replicas` replicas of an app on a node of the plan, and as many on each of the node's copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub app: u32,
    pub node: u32,
    pub replicas: u32,
}

/// The number of unplaced replicas of an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unplaced {
    pub app: u32,
    pub replicas: u32,
}

/// Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica
/// and one rule that does not hold for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleViolations {
    /// Number of violations.
    pub count: u64,
    /// Number of different replicas among the violations.
    pub replicas: u64,
    /// Sum of the violations' extents (P2, Eq. 8).
    pub extent: f64,
    /// Sum of the rules' weights over the violations.
    pub weight: f64,
    /// Sum of extent x weight over the violations.
    pub cost: f64,
}

/// The plan: which replicas run on which node, how good the plan is, and which replicas are unplaced. Indices are those of the
/// instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    bytes: Vec<u8>,
    /// Fingerprint of the instance that the plan was made for.
    pub instance: u64,
    pub planner: String,
    pub status: PlanStatus,
    pub seed: u64,
    /// Work units done. A request with this work limit, and with the option `pace` set to this plan's `pace` if above 0,
    /// repeats the run.
    pub work: u64,
    /// Total work units for which the search scheduled itself; 0 where it had no schedule.
    pub pace: u64,
    /// Nodes in use, listed ones first. [`Plan::nodes_in_use`] includes their copies.
    pub nodes: Vec<PlanNode>,
    /// All placed replicas, running ones included, ordered by node and then by app.
    pub placements: Vec<Placement>,
    /// Ordered by app.
    pub unplaced: Vec<Unplaced>,
    /// Lower bound on the nodes of any complete plan.
    pub node_bound: Option<Bound>,
    /// How far the plan is above the bound on what it is judged by, as a share of the bound, where a statement is possible: cost
    /// where there are prices, else nodes, or used capacity where that is the objective; with [`SoftPolicy::Price`], violations
    /// are included.
    pub gap: Option<f64>,
    /// Sum of the prices of the nodes in use, where there are prices.
    pub cost: Option<f64>,
    /// Lower bound on `cost` of any complete plan.
    pub cost_bound: Option<Bound>,
    /// Number of constraints that were broken at the start and that the plan makes no worse.
    pub inherited_violations: u32,
    /// Number of running replicas that the plan puts on another node.
    pub moves: u32,
    /// Used capacity at confidence of the nodes in use (P1, definition 2, Eq. 6), the sum of `node_ucac` over all copies,
    /// in the unit of `ucac_resource`; none where no demand is uncertain.
    pub ucac: Option<f64>,
    /// The first resource with uncertain demand.
    pub ucac_resource: Option<u32>,
    /// Lower bound on `ucac` of any complete plan.
    pub ucac_bound: Option<Bound>,
    /// Used capacity at confidence of each node, of a single copy (P1, definition 1, Eq. 2): mean + quantile x standard
    /// deviation of its demand, in the period where this is highest. Length: that of `nodes`; empty where no demand is
    /// uncertain.
    pub node_ucac: Vec<f64>,
    /// What side effects cost the replica that suffers most (P4, section 2); none without kinds.
    pub max_cost: Option<f64>,
    /// Lower bound on `max_cost` of any complete plan.
    pub max_cost_bound: Option<Bound>,
    /// What side effects cost all replicas together; none without kinds.
    pub total_cost: Option<f64>,
    /// Lower bound on `total_cost` of any complete plan.
    pub total_cost_bound: Option<Bound>,
    /// Weight of the applications that lack replicas; none unless the objective is [`Objective::Admitted`].
    pub left_out: Option<f64>,
    /// Lower bound on `left_out` of any plan of the request.
    pub left_out_bound: Option<Bound>,
    /// Traffic between replicas that do not share a node; none without traffic.
    pub remote_traffic: Option<f64>,
    /// Lower bound on `remote_traffic` of any plan.
    pub remote_traffic_bound: Option<Bound>,
    /// Cost of the replica that suffers most on each node. Length: that of `nodes`; empty without kinds.
    pub node_max_cost: Vec<f64>,
    /// [`Request::max_cost`] of the run.
    pub max_cost_limit: Option<f64>,
    /// None where the instance has no placement rules.
    pub rule_violations: Option<RuleViolations>,
    /// The objective that the run minimized. The status `Optimal` and `gap` refer to it and to how soft rules counted.
    pub objective: Objective,
    /// How soft rules counted beside the objective.
    pub soft: SoftPolicy,
    /// What a unit of violation cost.
    pub soft_price: f64,
    /// Whether capacity counted, instead of replicas, where not all of them fit.
    pub fill: bool,
    /// What the reader of the plan should know of the run.
    pub notes: Vec<Note>,
    /// No plan of the request leaves less over than this, highest priority first; the highest priority in which a plan differs
    /// from it decides. Empty where everything is placed or nothing is known.
    pub left_over_bound: Vec<LeftOver>,
    /// Whether `unplaced` is no more than `left_over_bound`: it is proven that no plan of the request leaves less over.
    pub places_most: bool,
    /// Where there is room for the replicas of [`Request::keep`], all at once, ordered as `placements`.
    pub reserved: Vec<Placement>,
    /// The replicas of [`Request::keep`] without room, ordered by app.
    pub unreserved: Vec<Unplaced>,
    /// [`Request::survive`] of the run.
    pub survive: Option<String>,
    /// Number of replicas that the worst of these losses leaves without a place; 0: the plan survives each of them. None: not
    /// known, for the run ended before all were looked at.
    pub not_survived: Option<u64>,
    /// [`Request::leave_free`] of the run.
    pub leave_free: Option<String>,
    /// Number of values of this label that have a node with a replica or with load.
    pub domains_in_use: u32,
    /// Lower bound on `domains_in_use` for any complete plan.
    pub domain_bound: u32,
}

impl Plan {
    /// The bytes of the plan (`plan.fbs`), which every part of Stowage reads.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of nodes in use, copies included.
    pub fn nodes_in_use(&self) -> u64 {
        self.nodes.iter().map(|node| u64::from(node.copies)).sum()
    }

    /// Reads the bytes of a plan from another source, at any alignment. Only [`Instance::verify`](crate::Instance::verify)
    /// checks whether the plan belongs to the instance and satisfies its constraints.
    ///
    /// # Errors
    /// `Malformed`, `Invalid`, `LimitExceeded` (parts that are referred to many times make it larger than its bytes).
    pub fn read(bytes: &[u8]) -> Result<Self> {
        check_foreign(sys::STOWAGE_KIND_PLAN, bytes, &Limits::default(), None)?;
        // The verifier refuses misaligned buffers.
        let mut aligned = vec![0_u64; bytes.len().div_ceil(8)];
        // SAFETY: the allocation has at least this many bytes, and any bytes are valid numbers.
        let copy = unsafe { std::slice::from_raw_parts_mut(aligned.as_mut_ptr().cast::<u8>(), bytes.len()) };
        copy.copy_from_slice(bytes);
        Self::decode(copy)
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self> {
        let malformed = |why: &str| Error::new(ErrorKind::Malformed, format!("the bytes are not a plan: {why}"), "");
        if bytes.len() < 8 || !wire::plan_buffer_has_identifier(bytes) {
            return Err(malformed("no identifier STOP"));
        }
        let root = wire::root_as_plan(bytes).map_err(|error| malformed(&error.to_string()))?;
        let (classes, listed, copies) = (root.node_class(), root.listed(), root.copies());
        if classes.len() != listed.len() || copies.is_some_and(|copies| copies.len() != classes.len()) {
            return Err(malformed("its columns differ in length"));
        }
        let bound = |bound: Option<wire::Bound>| {
            bound.map(|bound| Bound {
                name: bound.name().to_owned(),
                value: bound.value(),
                resource: known(bound.resource()),
                period: known(bound.period()),
            })
        };
        let note = |one: wire::Note| Note { code: one.code().into(), text: one.text().unwrap_or_default().to_owned() };
        let left_over = |one: &wire::LeftOver| LeftOver { priority: one.priority(), replicas: one.replicas() };
        let node = |n: usize| PlanNode {
            class: classes.get(n),
            listed: known(listed.get(n)),
            copies: copies.map_or(1, |copies| copies.get(n)),
        };
        let from = |one: &wire::Placed| Placement { app: one.app(), node: one.node(), replicas: one.replicas() };
        let count = |one: &wire::Unplaced| Unplaced { app: one.app(), replicas: one.replicas() };
        Ok(Self {
            bytes: bytes.to_vec(),
            instance: root.instance(),
            planner: root.planner().to_owned(),
            status: root.status().into(),
            seed: root.seed(),
            work: root.work(),
            pace: root.pace(),
            nodes: (0..classes.len()).map(node).collect(),
            placements: root.placed().iter().map(from).collect(),
            unplaced: root.unplaced().iter().map(count).collect(),
            node_bound: bound(root.node_bound()),
            gap: (root.gap() >= 0.0).then(|| root.gap()),
            cost: (root.cost() >= 0.0).then(|| root.cost()),
            cost_bound: bound(root.cost_bound()),
            inherited_violations: root.inherited_violations(),
            moves: root.moves(),
            ucac: (root.ucac() >= 0.0).then(|| root.ucac()),
            ucac_resource: known(root.ucac_resource()),
            ucac_bound: bound(root.ucac_bound()),
            node_ucac: root.node_ucac().map(|all| all.iter().collect()).unwrap_or_default(),
            max_cost: (root.max_cost() >= 0.0).then(|| root.max_cost()),
            max_cost_bound: bound(root.max_cost_bound()),
            total_cost: (root.total_cost() >= 0.0).then(|| root.total_cost()),
            total_cost_bound: bound(root.total_cost_bound()),
            left_out: (root.left_out() >= 0.0).then(|| root.left_out()),
            left_out_bound: bound(root.left_out_bound()),
            remote_traffic: (root.remote_traffic() >= 0.0).then(|| root.remote_traffic()),
            remote_traffic_bound: bound(root.remote_traffic_bound()),
            node_max_cost: root.node_max_cost().map(|all| all.iter().collect()).unwrap_or_default(),
            max_cost_limit: (root.max_cost_limit() > 0.0).then(|| root.max_cost_limit()),
            rule_violations: (root.violation_cost() >= 0.0).then(|| RuleViolations {
                count: root.rule_violations(),
                replicas: root.violating_replicas(),
                extent: root.violation_extent(),
                weight: root.violation_weight(),
                cost: root.violation_cost(),
            }),
            objective: wire::Objective(root.objective()).into(),
            soft: wire::SoftPolicy(root.soft()).into(),
            soft_price: root.soft_price(),
            fill: root.fill(),
            notes: root.notes().map(|all| all.iter().map(note).collect()).unwrap_or_default(),
            left_over_bound: root.left_over_bound().map(|all| all.iter().map(left_over).collect()).unwrap_or_default(),
            places_most: root.places_most(),
            reserved: root.reserved().map(|all| all.iter().map(from).collect()).unwrap_or_default(),
            unreserved: root.unreserved().map(|all| all.iter().map(count).collect()).unwrap_or_default(),
            survive: root.survive().map(str::to_owned),
            not_survived: (root.not_survived() != u64::MAX).then(|| root.not_survived()),
            leave_free: root.leave_free().map(str::to_owned),
            domains_in_use: root.domains_in_use(),
            domain_bound: root.domain_bound(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan of class-0 nodes with the given number of entries in each column. It does not know which losses of zones it survives.
    fn read(classes: usize, listed: usize, copies: Option<&[u32]>) -> Result<Plan> {
        let mut builder = FlatBufferBuilder::new();
        let args = wire::PlanArgs {
            planner: Some(builder.create_string("mine")),
            node_class: Some(builder.create_vector(&vec![0_u32; classes])),
            listed: Some(builder.create_vector(&vec![u32::MAX; listed])),
            placed: Some(builder.create_vector::<wire::Placed>(&[])),
            unplaced: Some(builder.create_vector::<wire::Unplaced>(&[])),
            copies: copies.map(|copies| builder.create_vector(copies)),
            survive: Some(builder.create_string("zone")),
            not_survived: u64::MAX,
            ..wire::PlanArgs::default()
        };
        let plan = wire::Plan::create(&mut builder, &args);
        wire::finish_plan_buffer(&mut builder, plan);
        Plan::read(builder.finished_data())
    }

    #[test]
    fn columns_of_nodes_have_one_length() {
        let node = |copies| PlanNode { class: 0, listed: None, copies };
        let each = read(2, 2, None).unwrap();
        assert_eq!((each.survive.as_deref(), each.not_survived), (Some("zone"), None));
        assert_eq!((&each.nodes[..], each.nodes_in_use()), (&[node(1), node(1)][..], 2));
        let many = read(2, 2, Some(&[3, u32::MAX])).unwrap();
        assert_eq!((&many.nodes[..], many.nodes_in_use()), (&[node(3), node(u32::MAX)][..], 3 + u64::from(u32::MAX)));
        let wrong: [(usize, usize, Option<&[u32]>); 6] =
            [(2, 1, None), (2, 3, None), (2, 2, Some(&[])), (2, 2, Some(&[3])), (2, 2, Some(&[3, 1, 1])), (0, 0, Some(&[1]))];
        for (classes, listed, copies) in wrong {
            let refused = read(classes, listed, copies).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Malformed, "{classes} {listed} {copies:?}");
        }
    }
}
