use flatbuffers::{Vector, WIPOffset};
use stowage_sys as sys;

use crate::codec::{known, Builder, Tables};
use crate::error::{Error, ErrorKind, Result};
use crate::instance::{check_foreign, Limits};
use crate::records::{GoalKind, Plan, PlanGoal, Request, SoftPolicy};
use crate::wire;

/// As the key of [`Request::survive`]: each node by itself.
pub const EACH_NODE: &str = "*";

impl Request {
    /// A request for a planner of the catalogue, such as `"auto"`.
    ///
    /// ```
    /// use std::time::Duration;
    /// let request = stowage::Request::new("auto").seed(7).deadline(Duration::from_millis(200)).node_limit(40);
    /// ```
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

    /// [`SoftPolicy::Price`] with the price of a unit of violation, in nodes or, where prices are given, in their currency.
    pub fn soft_price(mut self, price: f64) -> Self {
        self.soft_price = price;
        self.soft(SoftPolicy::Price)
    }

    /// Room for more replicas of an app is kept beside the replicas that are placed. Several calls keep room for several apps, all
    /// at once; no app twice. The room counts towards the nodes, and nowhere else. Only with
    /// [`Objective::Nodes`](crate::Objective::Nodes).
    pub fn keep(mut self, app: u32, replicas: u32) -> Self {
        self.keep.push((app, replicas));
        self
    }

    /// Adds a goal behind those that are there: see [`Request::goals`]. A [`GoalKind`] is a goal with nothing else, and a text
    /// stands for [`PlanGoal::words`].
    ///
    /// ```
    /// use stowage::{GoalKind, PlanGoal, Request};
    /// let cost = PlanGoal { tolerance: 0.01, ..GoalKind::Cost.into() };
    /// let request = Request::new("auto").goal(cost).goal(GoalKind::Moves).goal("balance:memory");
    /// ```
    pub fn goal(mut self, goal: impl Into<PlanGoal>) -> Self {
        self.goals.push(goal.into());
        self
    }

    pub(crate) fn finished(&self) -> Builder {
        let mut builder = Builder::with_capacity(256);
        let request = self.encode(&mut builder);
        wire::finish_request_buffer(&mut builder, request);
        builder
    }
}

impl From<&str> for PlanGoal {
    fn from(words: &str) -> Self {
        Self { words: words.to_owned(), ..Self::default() }
    }
}

impl From<GoalKind> for PlanGoal {
    fn from(what: GoalKind) -> Self {
        Self { what, ..Self::default() }
    }
}

pub(crate) fn options(
    b: &mut Builder,
    options: &[(String, f64, Option<String>)],
) -> Option<Tables<wire::RequestOption<'static>>> {
    let all: Vec<_> = options
        .iter()
        .map(|(name, number, text)| {
            let name = b.create_string(name);
            let text = text.as_ref().map(|text| b.create_string(text));
            wire::RequestOption::create(b, &wire::RequestOptionArgs { name: Some(name), number: *number, text })
        })
        .collect();
    (!all.is_empty()).then(|| b.create_vector(&all))
}

pub(crate) fn kept(b: &mut Builder, keep: &[(u32, u32)]) -> Option<WIPOffset<Vector<'static, wire::Kept>>> {
    let all: Vec<_> = keep.iter().map(|&(app, replicas)| wire::Kept::new(app, replicas)).collect();
    (!all.is_empty()).then(|| b.create_vector(&all))
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

pub(crate) fn plan_nodes(from: &wire::Plan<'_>) -> Vec<PlanNode> {
    let (classes, listed, copies) = (from.node_class(), from.listed(), from.copies());
    let node = |n: usize| PlanNode {
        class: classes.get(n),
        listed: known(listed.get(n)),
        copies: copies.map_or(1, |copies| copies.get(n)),
    };
    (0..classes.len()).map(node).collect()
}

/// Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica
/// and one rule that does not hold for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
        Ok(Self { bytes: bytes.to_vec(), ..Self::from(root) })
    }
}

#[cfg(test)]
mod tests {
    use flatbuffers::FlatBufferBuilder;

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
    fn requests_have_goals_in_their_order() {
        let cost = PlanGoal { tolerance: 0.01, ..GoalKind::Cost.into() };
        let balance = PlanGoal { what: GoalKind::Balance, resource: Some(1), beside: true, weight: 0.5, ..PlanGoal::default() };
        let builder = Request::new("auto").goals([cost, balance]).goal(GoalKind::SoftRules).goal("moves~1%").finished();
        let read = wire::root_as_request(builder.finished_data()).unwrap();
        let told: Vec<_> = read
            .goals()
            .unwrap()
            .iter()
            .map(|goal| (goal.what(), goal.resource(), goal.beside(), goal.weight(), goal.tolerance(), goal.words()))
            .collect();
        let expected = [
            (wire::GoalKind::Cost, u32::MAX, false, 1.0, 0.01, None),
            (wire::GoalKind::Balance, 1, true, 0.5, 0.0, None),
            (wire::GoalKind::SoftRules, u32::MAX, false, 1.0, 0.0, None),
            (wire::GoalKind::Cost, u32::MAX, false, 1.0, 0.0, Some("moves~1%")),
        ];
        assert_eq!(told, expected);
        let plain = Request::new("auto").finished();
        assert!(wire::root_as_request(plain.finished_data()).unwrap().goals().is_none());
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
