use flatbuffers::{Push, Vector, WIPOffset};

use crate::builder::Rule;
use crate::codec::{tables, Builder, Tables};
use crate::records::{Cardinality, Operation};
use crate::wire;

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

pub(crate) fn encode(operations: &[Operation]) -> Builder {
    let mut builder = Builder::with_capacity(1024);
    let all: Vec<_> = operations.iter().map(|one| one.encode(&mut builder)).collect();
    let args = wire::OperationsArgs { operations: Some(builder.create_vector(&all)), ..wire::OperationsArgs::default() };
    let operations = wire::Operations::create(&mut builder, &args);
    wire::finish_operations_buffer(&mut builder, operations);
    builder
}

pub(crate) fn texts_of<'a>(b: &mut Builder, values: impl Iterator<Item = &'a String>) -> Option<Tables<&'static str>> {
    let all: Vec<_> = values.map(|value| b.create_string(value)).collect();
    (!all.is_empty()).then(|| b.create_vector(&all))
}

/// A vector, or none of nothing.
pub(crate) fn some<T: Push + Copy>(b: &mut Builder, values: &[T]) -> Option<WIPOffset<Vector<'static, T::Output>>> {
    (!values.is_empty()).then(|| b.create_vector(values))
}

/// A rule of which the name alone is given.
pub(crate) fn named_rule(b: &mut Builder, name: &str) -> WIPOffset<wire::NamedRule<'static>> {
    let args = wire::NamedRuleArgs { name: Some(b.create_string(name)), ..wire::NamedRuleArgs::default() };
    wire::NamedRule::create(b, &args)
}

impl Rule {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::NamedRule<'static>> {
        let conjunctions: Vec<_> = self.any_of.iter().map(|all_of| conjunction(b, all_of)).collect();
        let args = wire::NamedRuleArgs {
            name: Some(b.create_string(&self.name)),
            any_of: Some(b.create_vector(&conjunctions)),
            hard: self.weight.is_none(),
            weight: self.weight.unwrap_or(1.0),
            origin: self.origin().0,
        };
        wire::NamedRule::create(b, &args)
    }
}

fn conjunction(b: &mut Builder, all_of: &[Cardinality]) -> WIPOffset<wire::NamedConjunction<'static>> {
    let all_of = tables(b, all_of, Cardinality::encode);
    wire::NamedConjunction::create(b, &wire::NamedConjunctionArgs { all_of: Some(all_of) })
}
