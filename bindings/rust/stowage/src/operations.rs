use flatbuffers::{Vector, WIPOffset};

use crate::builder::Rule;
use crate::codec::{optional as text, tables, Builder, Tables};
use crate::records::Cardinality;
use crate::wire::{self, OperationKind};

/// A new app, whose replicas are pending. Amounts are in each resource's unit, one per resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Submission {
    pub app: String,
    pub replicas: u32,
    /// Demand of one replica. Length: resources, or resources x periods with the periods of a resource side by side.
    pub demand: Vec<f64>,
    /// Where not all replicas fit, apps of higher priority are placed first.
    pub priority: i32,
    /// What a replica counts within its priority where not all of them fit; none = 1.
    pub weight: Option<f64>,
    /// Variance per resource, in the square of its unit; empty = known exactly.
    pub variance: Vec<f64>,
    /// Smallest demand per resource; empty = none.
    pub support_min: Vec<f64>,
    /// Largest demand per resource; empty = none.
    pub support_max: Vec<f64>,
    /// Index of one of the cluster's kinds; none where the cluster has no kinds.
    pub app_kind: Option<u32>,
    /// Carried by every replica.
    pub tags: Vec<String>,
    /// Labels or tags that every node of the app carries.
    pub only: Vec<String>,
    /// Labels or tags that no node of the app carries.
    pub not: Vec<String>,
    /// Affinity limits: beside a replica of this app, the maximum number of replicas of each named app on the same node. A
    /// named app need not exist yet. The app's own name limits its replicas per node.
    pub limits: Vec<(String, u32)>,
}

impl Submission {
    /// An app with the properties that every app has.
    pub fn new(app: impl Into<String>, replicas: u32, demand: impl Into<Vec<f64>>) -> Self {
        Self { app: app.into(), replicas, demand: demand.into(), ..Self::default() }
    }
}

/// A new node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewNode {
    pub node: String,
    /// May be empty where there is one class.
    pub class: String,
    /// Length as [`Submission::demand`]; empty = none.
    pub load: Vec<f64>,
    /// Variance per resource, in the square of its unit; empty = known exactly.
    pub load_variance: Vec<f64>,
    /// Load that goes with the node. Length as [`Submission::demand`]; empty = as its class says.
    pub daemon: Vec<f64>,
    pub tags: Vec<String>,
    /// Groups, and the set of each that the node joins. A set that does not exist is created.
    pub sets: Vec<(String, String)>,
}

impl NewNode {
    /// A node of a class.
    pub fn new(node: impl Into<String>, class: impl Into<String>) -> Self {
        Self { node: node.into(), class: class.into(), ..Self::default() }
    }
}

/// A change of a [`Session`](crate::Session)'s cluster. Apps, nodes, classes, groups, sets and rules are given by name.
/// `docs/sessions.md` describes each operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Adds an app.
    Submit(Submission),
    /// Sets the number of replicas of an app.
    Scale { app: String, replicas: u32 },
    /// Removes an app.
    Remove { app: String },
    /// Requires `replicas` replicas of the app on the node; 0 removes the pin.
    Pin { app: String, node: String, replicas: u32 },
    /// Adds a node.
    AddNode(NewNode),
    /// Removes a node for good. Its replicas are pending again.
    RemoveNode { node: String },
    /// The node keeps its replicas and accepts no new ones.
    Cordon { node: String },
    /// The node accepts replicas again, whatever its state was.
    Uncordon { node: String },
    /// Empties the node, which accepts no replicas. Its replicas are pending again.
    Drain { node: String },
    /// The node and its load are absent until it is uncordoned. Its replicas are pending again.
    Fail { node: String },
    /// Sets the load of the node.
    Load { node: String, load: Vec<f64>, load_variance: Vec<f64> },
    /// Adds a placement rule.
    AddRule(Rule),
    /// Removes a placement rule.
    RemoveRule { name: String },
    /// Sets the traffic between two apps; 0 = they exchange none.
    Traffic { app: String, peer: String, amount: f64 },
}

pub(crate) fn encode(operations: &[Operation]) -> Builder {
    let mut builder = Builder::with_capacity(1024);
    let all: Vec<_> = operations.iter().map(|one| encode_one(&mut builder, one)).collect();
    let args = wire::OperationsArgs { operations: Some(builder.create_vector(&all)), ..wire::OperationsArgs::default() };
    let operations = wire::Operations::create(&mut builder, &args);
    wire::finish_operations_buffer(&mut builder, operations);
    builder
}

fn texts<'a>(builder: &mut Builder, values: impl Iterator<Item = &'a String>) -> Option<Tables<&'static str>> {
    let all: Vec<_> = values.map(|value| builder.create_string(value)).collect();
    (!all.is_empty()).then(|| builder.create_vector(&all))
}

fn doubles(builder: &mut Builder, values: &[f64]) -> Option<WIPOffset<Vector<'static, f64>>> {
    (!values.is_empty()).then(|| builder.create_vector(values))
}

fn encode_one(b: &mut Builder, operation: &Operation) -> WIPOffset<wire::Operation<'static>> {
    let none = wire::OperationArgs::default;
    let about = |b: &mut Builder, kind, node: &str| wire::OperationArgs { kind, node: text(b, node), ..none() };
    let args = match operation {
        Operation::Submit(one) => wire::OperationArgs {
            kind: OperationKind::Submit,
            app: text(b, &one.app),
            replicas: one.replicas,
            demand: doubles(b, &one.demand),
            priority: one.priority,
            weight: one.weight.unwrap_or(1.0),
            variance: doubles(b, &one.variance),
            support_min: doubles(b, &one.support_min),
            support_max: doubles(b, &one.support_max),
            app_kind: one.app_kind.unwrap_or(u32::MAX),
            tags: texts(b, one.tags.iter()),
            only: texts(b, one.only.iter()),
            not: texts(b, one.not.iter()),
            limit_app: texts(b, one.limits.iter().map(|(app, _)| app)),
            limit_at_most: (!one.limits.is_empty()).then(|| {
                let all: Vec<u32> = one.limits.iter().map(|&(_, at_most)| at_most).collect();
                b.create_vector(&all)
            }),
            ..none()
        },
        Operation::Scale { app, replicas } => {
            wire::OperationArgs { kind: OperationKind::Scale, app: text(b, app), replicas: *replicas, ..none() }
        }
        Operation::Remove { app } => wire::OperationArgs { kind: OperationKind::Remove, app: text(b, app), ..none() },
        Operation::Pin { app, node, replicas } => wire::OperationArgs {
            kind: OperationKind::Pin,
            app: text(b, app),
            node: text(b, node),
            replicas: *replicas,
            ..none()
        },
        Operation::AddNode(one) => wire::OperationArgs {
            kind: OperationKind::AddNode,
            node: text(b, &one.node),
            node_class: text(b, &one.class),
            load: doubles(b, &one.load),
            load_variance: doubles(b, &one.load_variance),
            daemon: doubles(b, &one.daemon),
            tags: texts(b, one.tags.iter()),
            groups: texts(b, one.sets.iter().map(|(group, _)| group)),
            sets: texts(b, one.sets.iter().map(|(_, set)| set)),
            ..none()
        },
        Operation::RemoveNode { node } => about(b, OperationKind::RemoveNode, node),
        Operation::Cordon { node } => about(b, OperationKind::Cordon, node),
        Operation::Uncordon { node } => about(b, OperationKind::Uncordon, node),
        Operation::Drain { node } => about(b, OperationKind::Drain, node),
        Operation::Fail { node } => about(b, OperationKind::Fail, node),
        Operation::Load { node, load, load_variance } => wire::OperationArgs {
            load: doubles(b, load),
            load_variance: doubles(b, load_variance),
            ..about(b, OperationKind::Load, node)
        },
        Operation::AddRule(rule) => {
            wire::OperationArgs { kind: OperationKind::AddRule, rule: Some(encode_rule(b, rule)), ..none() }
        }
        Operation::RemoveRule { name } => {
            let args = wire::NamedRuleArgs { name: Some(b.create_string(name)), ..wire::NamedRuleArgs::default() };
            wire::OperationArgs { kind: OperationKind::RemoveRule, rule: Some(wire::NamedRule::create(b, &args)), ..none() }
        }
        Operation::Traffic { app, peer, amount } => wire::OperationArgs {
            kind: OperationKind::Traffic,
            app: text(b, app),
            peer: text(b, peer),
            amount: *amount,
            ..none()
        },
    };
    wire::Operation::create(b, &args)
}

fn encode_rule(b: &mut Builder, rule: &Rule) -> WIPOffset<wire::NamedRule<'static>> {
    let mut any_of = Vec::with_capacity(rule.any_of.len());
    for conjunction in &rule.any_of {
        let all_of = tables(b, conjunction, Cardinality::encode);
        let args = wire::NamedConjunctionArgs { all_of: Some(all_of) };
        any_of.push(wire::NamedConjunction::create(b, &args));
    }
    let args = wire::NamedRuleArgs {
        name: Some(b.create_string(&rule.name)),
        any_of: Some(b.create_vector(&any_of)),
        hard: rule.weight.is_none(),
        weight: rule.weight.unwrap_or(1.0),
        origin: rule.origin().0,
    };
    wire::NamedRule::create(b, &args)
}
