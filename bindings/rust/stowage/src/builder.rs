use std::collections::HashMap;

use flatbuffers::{FlatBufferBuilder, ForwardsUOffset, Vector, WIPOffset};

use crate::error::{Error, ErrorKind, Result};
use crate::instance::Instance;
use crate::wire;

/// An application with identical replicas. Amounts are in each resource's unit, one per resource.
#[derive(Clone, Debug, Default)]
pub struct App {
    /// Unique, or empty for all apps.
    pub name: String,
    /// Replicas wanted in total, running ones included.
    pub replicas: u32,
    /// Demand of one replica; the mean where `variance` is given. Length: resources, or resources x periods with the periods of
    /// a resource side by side.
    pub demand: Vec<f64>,
    /// Where not all replicas fit, apps of higher priority are placed first.
    pub priority: i32,
    /// What a replica counts within its priority where not all of them fit; none = 1.
    pub weight: Option<f64>,
    /// Variance of one replica's demand per resource, in the square of its unit; empty = known exactly. Replicas vary
    /// independently.
    pub variance: Vec<f64>,
    /// Smallest possible demand of a replica per resource, in its unit, for [`ChanceModel::BoundedSupport`].
    pub support_min: Vec<f64>,
    /// Largest possible demand of a replica.
    pub support_max: Vec<f64>,
    /// One of the kinds given to [`InstanceBuilder::interference`]; empty is the first.
    pub kind: String,
    /// Carried by every replica.
    pub tags: Vec<String>,
    /// Labels or tags that every node of the app carries.
    pub only: Vec<String>,
    /// Labels or tags that no node of the app carries.
    pub not: Vec<String>,
}

impl App {
    /// An app with the properties that every app has.
    pub fn new(name: impl Into<String>, replicas: u32, demand: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), replicas, demand: demand.into(), ..Self::default() }
    }
}

/// Capacity, price and labels that the nodes of a class share.
#[derive(Clone, Debug, Default)]
pub struct Class {
    pub name: String,
    /// Per resource, in its unit.
    pub capacity: Vec<f64>,
    /// Number of nodes, listed ones included; 0 = as many as needed.
    pub count: u32,
    /// Price of one node in use, in any currency. Either all classes have a price or none has.
    pub price: Option<f64>,
    /// `"key=value"`, or a bare word.
    pub labels: Vec<String>,
    /// Load that goes with each node of the class: it takes capacity and does not keep the node in use. Length: resources, or
    /// resources x periods; empty = none.
    pub daemon: Vec<f64>,
}

impl Class {
    /// A class of as many nodes as needed.
    pub fn new(name: impl Into<String>, capacity: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), capacity: capacity.into(), ..Self::default() }
    }
}

/// A listed node: something runs there, an app is pinned there, or it belongs to node sets.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Unique, or empty for all nodes.
    pub name: String,
    /// Index of its class.
    pub class: u32,
    /// Load that belongs to no app of the instance, in each resource's unit. Length: resources, or resources x periods; empty =
    /// none.
    pub load: Vec<f64>,
    /// Variance of the load per resource, in the square of its unit; with [`ChanceModel::BoundedSupport`], the square of the
    /// width of its support. Empty = none.
    pub load_variance: Vec<f64>,
    /// True: the node accepts no new replicas.
    pub closed: bool,
    /// Carried by the node, besides the labels of its class.
    pub tags: Vec<String>,
    /// Load that goes with the node, in place of its class's; empty = as the class says.
    pub daemon: Vec<f64>,
}

/// A set of listed nodes.
#[derive(Clone, Debug, Default)]
pub struct NodeSet {
    pub name: String,
    /// Indices of listed nodes.
    pub nodes: Vec<u32>,
}

/// A family of node sets, such as the zones: either sets of listed nodes, or nodes with the same value of a label.
#[derive(Clone, Debug, Default)]
pub struct NodeGroup {
    pub name: String,
    /// Sets of listed nodes.
    pub sets: Vec<NodeSet>,
    /// Instead of sets, the key of a label; empty = none.
    pub by_label: String,
}

/// What a [`Cardinality`] counts; see `docs/schema.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardinalityKind {
    #[default]
    /// Replicas with all target tags in the subject's node set, the subject itself not counted.
    Replicas,
    /// Node sets of the group that hold a subject.
    NodeSets,
    /// The difference between the numbers of subjects in any two node sets of the group.
    Skew,
}

impl CardinalityKind {
    pub(crate) fn wire(self) -> wire::CardinalityKind {
        match self {
            Self::Replicas => wire::CardinalityKind::Replicas,
            Self::NodeSets => wire::CardinalityKind::NodeSets,
            Self::Skew => wire::CardinalityKind::Skew,
        }
    }
}

/// One condition of a rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cardinality {
    pub kind: CardinalityKind,
    /// The subjects are the replicas that carry all these tags.
    pub subject: Vec<String>,
    /// The replicas that carry all these tags are counted.
    pub target: Vec<String>,
    /// The least count.
    pub min: u32,
    /// The largest count; none = any.
    pub max: Option<u32>,
    /// Name of a [`NodeGroup`]; none or `"node"` = each node is a set of its own.
    pub group: Option<String>,
    /// True: the cardinality holds exactly where the condition does not.
    pub negated: bool,
}

/// A placement rule, which holds where all cardinalities of at least one conjunction hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    pub name: String,
    /// Conjunctions of conditions.
    pub any_of: Vec<Vec<Cardinality>>,
    /// Cost per violation of a soft rule; none = a hard rule, which no plan violates.
    pub weight: Option<f64>,
    /// True: the rule comes from the cluster's operator, not from an application.
    pub operator: bool,
}

impl Rule {
    pub(crate) fn origin(&self) -> wire::Origin {
        if self.operator {
            wire::Origin::Operator
        } else {
            wire::Origin::Application
        }
    }
}

/// How variance enters the capacity constraint; see `docs/schema.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChanceModel {
    /// Mean + normal quantile of the confidence x standard deviation <= capacity (P1, section 2.4).
    #[default]
    Gaussian,
    /// Hoeffding's bound, from the supports (P1, section 2.3).
    BoundedSupport,
    /// Mean + the given factor x standard deviation <= capacity.
    Factor,
}

/// The demand on a node stays within its capacity with probability `confidence`, in (0, 1).
#[derive(Clone, Copy, Debug)]
pub struct Uncertainty {
    pub model: ChanceModel,
    /// With the Gaussian model at least 0.5.
    pub confidence: f64,
    /// Used by the model of that name, which uses no confidence.
    pub factor: f64,
}

/// Collects an instance. Its methods return the position of the added item, by which later calls and plans refer to it.
/// [`InstanceBuilder::build`] checks the values and reports the path of a wrong one.
#[derive(Clone, Debug)]
pub struct InstanceBuilder {
    name: String,
    periods: u32,
    resources: Vec<(String, String, f64)>,
    apps: Vec<App>,
    classes: Vec<Class>,
    nodes: Vec<Node>,
    limits: Vec<(u32, u32, u32)>,
    running: Vec<(u32, u32, u32)>,
    traffic: Vec<(u32, u32, f64)>,
    pinned: Vec<(u32, u32, u32)>,
    groups: Vec<NodeGroup>,
    rules: Vec<Rule>,
    uncertainty: Option<Uncertainty>,
    interference: Option<(Vec<String>, Vec<f64>)>,
    interference_resource: u32,
    max_cost: Vec<f64>,
}

fn position(count: usize) -> u32 {
    u32::try_from(count - 1).expect("an instance has fewer than 2^32 entries of a kind")
}

impl InstanceBuilder {
    /// Starts an instance; the name is for people and may be empty.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            periods: 1,
            resources: Vec::new(),
            apps: Vec::new(),
            classes: Vec::new(),
            nodes: Vec::new(),
            limits: Vec::new(),
            running: Vec::new(),
            traffic: Vec::new(),
            pinned: Vec::new(),
            groups: Vec::new(),
            rules: Vec::new(),
            uncertainty: None,
            interference: None,
            interference_resource: 0,
            max_cost: Vec::new(),
        }
    }

    /// Sets the number of periods of demand profiles; default: 1 = constant demand.
    pub fn periods(&mut self, count: u32) {
        self.periods = count;
    }

    /// Adds a resource, such as `"cpu"` in `"cores"`. All demands and capacities list the resources in this order.
    pub fn resource(&mut self, name: impl Into<String>, unit: impl Into<String>) -> u32 {
        self.resources.push((name.into(), unit.into(), 0.0));
        position(self.resources.len())
    }

    /// Sets the amount of one device of a resource, such as one GPU; default: 0 = divisible at will. A replica takes a part of one
    /// device, or whole ones.
    ///
    /// # Panics
    /// If there is no such resource.
    pub fn device(&mut self, resource: u32, amount: f64) {
        self.resources[resource as usize].2 = amount;
    }

    /// Adds a node class.
    pub fn class(&mut self, class: Class) -> u32 {
        self.classes.push(class);
        position(self.classes.len())
    }

    /// Adds an app.
    pub fn app(&mut self, app: App) -> u32 {
        self.apps.push(app);
        position(self.apps.len())
    }

    /// Adds a listed node.
    pub fn node(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        position(self.nodes.len())
    }

    /// Adds an affinity limit: beside at least one replica of app `beside`, at most `at_most` replicas of app `limited` on the
    /// same node. If both are the same app, at most `at_most` of its replicas per node.
    pub fn limit(&mut self, beside: u32, limited: u32, at_most: u32) {
        self.limits.push((beside, limited, at_most));
    }

    /// States that replicas of an app run on a listed node.
    pub fn running(&mut self, app: u32, node: u32, replicas: u32) {
        self.running.push((app, node, replicas));
    }

    /// Requires replicas of an app on a listed node in every plan.
    pub fn pin(&mut self, app: u32, node: u32, replicas: u32) {
        self.pinned.push((app, node, replicas));
    }

    /// Adds a family of node sets.
    pub fn node_group(&mut self, group: NodeGroup) {
        self.groups.push(group);
    }

    /// Adds a placement rule.
    pub fn rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    /// Sets the chance constraint: how variance enters the capacity constraint.
    pub fn uncertainty(&mut self, uncertainty: Uncertainty) {
        self.uncertainty = Some(uncertainty);
    }

    /// States that the replicas of two apps exchange traffic: of all replicas together, in any unit. Each pair stands once. With the
    /// objective [`Objective::Traffic`](crate::Objective::Traffic), plans keep it on nodes.
    pub fn traffic(&mut self, app: u32, peer: u32, amount: f64) {
        self.traffic.push((app, peer, amount));
    }

    /// Names the kinds of apps, and sets the coefficients: how much a kind (row) is slowed by load of a kind (column). Length:
    /// kinds x kinds, row-major.
    pub fn interference(&mut self, kinds: Vec<String>, coefficient: Vec<f64>) {
        self.interference = Some((kinds, coefficient));
    }

    /// The resource that is the load in the sense of [`InstanceBuilder::interference`]: of an app, its largest demand over time.
    /// Default: the first resource.
    pub fn interference_resource(&mut self, resource: u32) {
        self.interference_resource = resource;
    }

    /// Limits what side effects may cost a replica of each kind, its own load included: the sum over all kinds of coefficient x
    /// load on its node. Length: kinds; infinity = no limit.
    pub fn max_cost(&mut self, max_cost: Vec<f64>) {
        self.max_cost = max_cost;
    }

    /// Encodes and loads the instance.
    ///
    /// # Errors
    /// `Invalid`, with the path of the field; and those of [`Instance::load`].
    pub fn build(&self) -> Result<Instance> {
        let encoder = self.encode()?;
        Instance::load(encoder.finished_data())
    }

    /// Encodes the instance (`instance.fbs`). Fails only for values that the encoding cannot represent.
    ///
    /// # Errors
    /// `Invalid`, with the path of the field.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        Ok(self.encode()?.finished_data().to_vec())
    }

    fn encode(&self) -> Result<FlatBufferBuilder<'static>> {
        let mut e = Encoder { builder: FlatBufferBuilder::with_capacity(self.size()), tags: HashMap::new(), names: Vec::new() };
        let limits = self.encode_limits(&mut e)?;
        let apps = self.encode_apps(&mut e)?;
        let nodes = self.encode_nodes(&mut e)?;
        let classes: Vec<_> = self
            .classes
            .iter()
            .map(|class| {
                let args = wire::NodeClassArgs {
                    name: e.text(&class.name),
                    capacity: Some(e.doubles(&class.capacity)),
                    count: class.count,
                    price: class.price.unwrap_or(-1.0),
                    labels: e.texts(&class.labels),
                    daemon: (!class.daemon.is_empty()).then(|| e.doubles(&class.daemon)),
                };
                wire::NodeClass::create(&mut e.builder, &args)
            })
            .collect();
        let classes = e.builder.create_vector(&classes);
        let resources: Vec<_> = self
            .resources
            .iter()
            .map(|(name, unit, device)| {
                let name = Some(e.builder.create_string(name));
                let args = wire::ResourceArgs { name, unit: e.text(unit), device: *device };
                wire::Resource::create(&mut e.builder, &args)
            })
            .collect();
        let resources = e.builder.create_vector(&resources);
        let running = e.residences(&self.running);
        let pinned = e.residences(&self.pinned);
        let traffic = (!self.traffic.is_empty()).then(|| {
            let all: Vec<_> = self.traffic.iter().map(|&(app, peer, amount)| wire::Traffic::new(app, peer, amount)).collect();
            e.builder.create_vector(&all)
        });
        let groups = self.encode_groups(&mut e);
        let rules = self.encode_rules(&mut e)?;
        let uncertainty = self.uncertainty.map(|one| {
            let model = match one.model {
                ChanceModel::Gaussian => wire::ChanceModel::Gaussian,
                ChanceModel::BoundedSupport => wire::ChanceModel::BoundedSupport,
                ChanceModel::Factor => wire::ChanceModel::Factor,
            };
            let args = wire::UncertaintyArgs { model, confidence: one.confidence, factor: one.factor };
            wire::Uncertainty::create(&mut e.builder, &args)
        });
        let interference = self.interference.as_ref().map(|(kinds, coefficient)| {
            let args = wire::InterferenceArgs {
                kinds: e.texts(kinds),
                coefficient: Some(e.doubles(coefficient)),
                resource: self.interference_resource,
                max_cost: (!self.max_cost.is_empty()).then(|| e.doubles(&self.max_cost)),
            };
            wire::Interference::create(&mut e.builder, &args)
        });
        let name = e.text(&self.name);
        let names = std::mem::take(&mut e.names);
        let tags = e.texts(&names);
        let args = wire::InstanceArgs {
            name,
            resources: Some(resources),
            periods: self.periods,
            apps: Some(apps),
            classes: Some(classes),
            nodes,
            limits,
            running,
            pinned,
            tags,
            groups,
            rules,
            uncertainty,
            interference,
            traffic,
            ..wire::InstanceArgs::default()
        };
        let instance = wire::Instance::create(&mut e.builder, &args);
        wire::finish_instance_buffer(&mut e.builder, instance);
        Ok(e.builder)
    }

    /// Estimate of the encoded instance in bytes, on the high side, so that the buffer need not grow.
    fn size(&self) -> usize {
        let apps = self.apps.iter().map(|app| 64 + 2 * app.name.len() + 8 * (app.demand.len() + 3 * self.resources.len()));
        let nodes = self.nodes.iter().map(|node| 64 + 2 * node.name.len() + 8 * (node.load.len() + self.resources.len()));
        4096 + apps.sum::<usize>()
            + nodes.sum::<usize>()
            + 16 * self.traffic.len()
            + 12 * (self.limits.len() + self.running.len() + self.pinned.len())
    }

    /// Number of amounts per item: resources, or resources x periods where any item has a profile.
    fn profile_width<'a>(&self, mut rows: impl Iterator<Item = &'a Vec<f64>>) -> usize {
        let width = self.resources.len();
        if rows.any(|row| row.len() > width) {
            width * self.periods as usize
        } else {
            width
        }
    }

    /// Collects amounts per item, with the same number of entries for each item; nothing where no item has any and the column
    /// may be absent.
    fn rows<'a>(
        &self,
        field: (&str, &str),
        rows: impl ExactSizeIterator<Item = &'a Vec<f64>> + Clone,
        width: usize,
        optional: bool,
    ) -> Result<Option<Vec<f64>>> {
        if optional && rows.clone().all(Vec::is_empty) {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(rows.len() * width);
        for (item, row) in rows.enumerate() {
            if row.len() == width {
                all.extend_from_slice(row);
            } else if row.is_empty() && optional {
                all.resize(all.len() + width, 0.0);
            } else if width != self.resources.len() && row.len() == self.resources.len() {
                for &amount in row {
                    all.resize(all.len() + self.periods as usize, amount);
                }
            } else {
                let path = format!("{}[{item}].{}", field.0, field.1);
                return Err(invalid(format!("has {} entries, not {width}", row.len()), path));
            }
        }
        Ok(Some(all))
    }

    fn encode_limits(&self, e: &mut Encoder) -> Result<Option<WIPOffset<wire::AffinityLimits<'static>>>> {
        if self.limits.is_empty() {
            return Ok(None);
        }
        let mut row_begin = vec![0_u32; self.apps.len() + 1];
        for &(beside, ..) in &self.limits {
            match row_begin.get_mut(beside as usize + 1) {
                Some(count) => *count += 1,
                None => return Err(invalid(format!("there is no app {beside}"), "limits")),
            }
        }
        for app in 0..self.apps.len() {
            row_begin[app + 1] += row_begin[app];
        }
        let mut next = row_begin.clone();
        let (mut app, mut at_most) = (vec![0; self.limits.len()], vec![0; self.limits.len()]);
        for &(beside, limited, most) in &self.limits {
            let at = &mut next[beside as usize];
            app[*at as usize] = limited;
            at_most[*at as usize] = most;
            *at += 1;
        }
        let args = wire::AffinityLimitsArgs {
            row_begin: Some(e.words(&row_begin)),
            app: Some(e.words(&app)),
            at_most: Some(e.words(&at_most)),
        };
        Ok(Some(wire::AffinityLimits::create(&mut e.builder, &args)))
    }

    fn encode_apps(&self, e: &mut Encoder) -> Result<WIPOffset<wire::Apps<'static>>> {
        let resources = self.resources.len();
        let apps = &self.apps;
        let width = self.profile_width(apps.iter().map(|app| &app.demand));
        let demand = self.rows(("apps", "demand"), apps.iter().map(|app| &app.demand), width, false)?;
        let variance = self.rows(("apps", "variance"), apps.iter().map(|app| &app.variance), resources, true)?;
        let support_min = self.rows(("apps", "support_min"), apps.iter().map(|app| &app.support_min), resources, true)?;
        let support_max = self.rows(("apps", "support_max"), apps.iter().map(|app| &app.support_max), resources, true)?;
        let kind = match &self.interference {
            Some((kinds, _)) => Some(e.words(&self.app_kinds(kinds)?)),
            None => None,
        };
        let priority = apps.iter().any(|app| app.priority != 0).then(|| {
            let all: Vec<i32> = apps.iter().map(|app| app.priority).collect();
            e.builder.create_vector(&all)
        });
        let weight = apps.iter().any(|app| app.weight.is_some()).then(|| {
            let all: Vec<f64> = apps.iter().map(|app| app.weight.unwrap_or(1.0)).collect();
            e.doubles(&all)
        });
        let (tag_begin, tag_index) = e.tag_rows(apps.iter().map(|app| &app.tags));
        let (only_begin, only_index) = e.tag_rows(apps.iter().map(|app| &app.only));
        let (not_begin, not_index) = e.tag_rows(apps.iter().map(|app| &app.not));
        let args = wire::AppsArgs {
            names: e.names(apps.iter().map(|app| &app.name)),
            replicas: Some(e.words(&apps.iter().map(|app| app.replicas).collect::<Vec<_>>())),
            demand: demand.map(|all| e.doubles(&all)),
            priority,
            variance: variance.map(|all| e.doubles(&all)),
            support_min: support_min.map(|all| e.doubles(&all)),
            support_max: support_max.map(|all| e.doubles(&all)),
            kind,
            tag_begin,
            tag_index,
            only_begin,
            only_index,
            not_begin,
            not_index,
            weight,
        };
        Ok(wire::Apps::create(&mut e.builder, &args))
    }

    fn app_kinds(&self, kinds: &[String]) -> Result<Vec<u32>> {
        let index = |(k, app): (usize, &App)| {
            if app.kind.is_empty() {
                return Ok(0);
            }
            let found = kinds.iter().position(|kind| *kind == app.kind);
            let unknown = || invalid(format!("there is no kind \"{}\"", app.kind), format!("apps[{k}].kind"));
            found.map(|at| position(at + 1)).ok_or_else(unknown)
        };
        self.apps.iter().enumerate().map(index).collect()
    }

    fn encode_nodes(&self, e: &mut Encoder) -> Result<Option<WIPOffset<wire::Nodes<'static>>>> {
        let nodes = &self.nodes;
        if nodes.is_empty() {
            return Ok(None);
        }
        let width = self.profile_width(nodes.iter().map(|node| &node.load));
        let load = self.rows(("nodes", "load"), nodes.iter().map(|node| &node.load), width, true)?;
        let variances = nodes.iter().map(|node| &node.load_variance);
        let variance = self.rows(("nodes", "load_variance"), variances, self.resources.len(), true)?;
        let closed = nodes.iter().any(|node| node.closed).then(|| {
            let all: Vec<u8> = nodes.iter().map(|node| u8::from(node.closed)).collect();
            e.builder.create_vector(&all)
        });
        let (tag_begin, tag_index) = e.tag_rows(nodes.iter().map(|node| &node.tags));
        let daemon = if nodes.iter().any(|node| !node.daemon.is_empty()) {
            let width = self.profile_width(nodes.iter().map(|node| self.daemon_of(node)));
            self.rows(("nodes", "daemon"), nodes.iter().map(|node| self.daemon_of(node)), width, true)?
        } else {
            None
        };
        let args = wire::NodesArgs {
            node_class: Some(e.words(&nodes.iter().map(|node| node.class).collect::<Vec<_>>())),
            names: e.names(nodes.iter().map(|node| &node.name)),
            load: load.map(|all| e.doubles(&all)),
            load_variance: variance.map(|all| e.doubles(&all)),
            closed,
            tag_begin,
            tag_index,
            daemon: daemon.map(|all| e.doubles(&all)),
        };
        Ok(Some(wire::Nodes::create(&mut e.builder, &args)))
    }

    /// The node's own daemon load or else its class's.
    fn daemon_of<'a>(&'a self, node: &'a Node) -> &'a Vec<f64> {
        match self.classes.get(node.class as usize) {
            Some(class) if node.daemon.is_empty() => &class.daemon,
            _ => &node.daemon,
        }
    }

    fn encode_groups(&self, e: &mut Encoder) -> Option<Tables<wire::NodeGroup<'static>>> {
        let mut all = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let mut args = wire::NodeGroupArgs {
                name: Some(e.builder.create_string(&group.name)),
                by_label: e.text(&group.by_label),
                ..wire::NodeGroupArgs::default()
            };
            if !group.sets.is_empty() {
                let mut begin = vec![0];
                let mut members = Vec::new();
                for set in &group.sets {
                    members.extend_from_slice(&set.nodes);
                    begin.push(members.len() as u32);
                }
                args.set_begin = Some(e.words(&begin));
                args.node = Some(e.words(&members));
                args.set_names = e.names(group.sets.iter().map(|set| &set.name));
            }
            all.push(wire::NodeGroup::create(&mut e.builder, &args));
        }
        (!all.is_empty()).then(|| e.builder.create_vector(&all))
    }

    fn encode_rules(&self, e: &mut Encoder) -> Result<Option<Tables<wire::PlacementRule<'static>>>> {
        let mut all = Vec::with_capacity(self.rules.len());
        for (k, rule) in self.rules.iter().enumerate() {
            let mut any_of = Vec::with_capacity(rule.any_of.len());
            for (c, conjunction) in rule.any_of.iter().enumerate() {
                let mut all_of = Vec::with_capacity(conjunction.len());
                for (i, one) in conjunction.iter().enumerate() {
                    all_of.push(self.encode_cardinality(e, one, &format!("rules[{k}].any_of[{c}].all_of[{i}]"))?);
                }
                let args = wire::ConjunctionArgs { all_of: Some(e.builder.create_vector(&all_of)) };
                any_of.push(wire::Conjunction::create(&mut e.builder, &args));
            }
            let args = wire::PlacementRuleArgs {
                name: e.text(&rule.name),
                any_of: Some(e.builder.create_vector(&any_of)),
                hard: rule.weight.is_none(),
                weight: rule.weight.unwrap_or(1.0),
                origin: rule.origin(),
            };
            all.push(wire::PlacementRule::create(&mut e.builder, &args));
        }
        Ok((!all.is_empty()).then(|| e.builder.create_vector(&all)))
    }

    fn encode_cardinality(
        &self,
        e: &mut Encoder,
        one: &Cardinality,
        path: &str,
    ) -> Result<WIPOffset<wire::Cardinality<'static>>> {
        let group = match one.group.as_deref() {
            None | Some("" | "node") => u32::MAX,
            Some(name) => {
                let found = self.groups.iter().position(|group| group.name == name);
                let unknown = || invalid(format!("there is no group \"{name}\""), format!("{path}.group"));
                position(found.ok_or_else(unknown)? + 1)
            }
        };
        let subject = e.tag_indices(&one.subject);
        let target = e.tag_indices(&one.target);
        let args = wire::CardinalityArgs {
            kind: one.kind.wire(),
            subject: Some(e.words(&subject)),
            target: (!target.is_empty()).then(|| e.words(&target)),
            min: one.min,
            max: one.max.unwrap_or(u32::MAX),
            group,
            negated: one.negated,
        };
        Ok(wire::Cardinality::create(&mut e.builder, &args))
    }
}

fn invalid(message: String, path: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, message, path)
}

type Tables<T> = WIPOffset<Vector<'static, ForwardsUOffset<T>>>;
type Words = WIPOffset<Vector<'static, u32>>;
type Texts = Tables<&'static str>;

/// Writes vectors and assigns positions to tags.
struct Encoder {
    builder: FlatBufferBuilder<'static>,
    tags: HashMap<String, u32>,
    names: Vec<String>,
}

impl Encoder {
    fn words(&mut self, values: &[u32]) -> Words {
        self.builder.create_vector(values)
    }

    fn doubles(&mut self, values: &[f64]) -> WIPOffset<Vector<'static, f64>> {
        self.builder.create_vector(values)
    }

    fn text(&mut self, value: &str) -> Option<WIPOffset<&'static str>> {
        (!value.is_empty()).then(|| self.builder.create_string(value))
    }

    fn texts(&mut self, values: &[String]) -> Option<Texts> {
        if values.is_empty() {
            return None;
        }
        let all: Vec<_> = values.iter().map(|value| self.builder.create_string(value)).collect();
        Some(self.builder.create_vector(&all))
    }

    /// Writes the names, or nothing where no item has a name.
    fn names<'a>(&mut self, names: impl Iterator<Item = &'a String> + Clone) -> Option<Texts> {
        if names.clone().all(String::is_empty) {
            return None;
        }
        let all: Vec<_> = names.map(|name| self.builder.create_string(name)).collect();
        Some(self.builder.create_vector(&all))
    }

    fn tag_indices(&mut self, tags: &[String]) -> Vec<u32> {
        let mut indices = Vec::with_capacity(tags.len());
        for tag in tags {
            let next = self.names.len() as u32;
            indices.push(*self.tags.entry(tag.clone()).or_insert(next));
            if indices.last() == Some(&next) {
                self.names.push(tag.clone());
            }
        }
        indices
    }

    fn tag_rows<'a>(&mut self, items: impl Iterator<Item = &'a Vec<String>>) -> (Option<Words>, Option<Words>) {
        let (mut begin, mut index) = (vec![0], Vec::new());
        for tags in items {
            index.extend(self.tag_indices(tags));
            begin.push(index.len() as u32);
        }
        if index.is_empty() {
            return (None, None);
        }
        (Some(self.words(&begin)), Some(self.words(&index)))
    }

    fn residences(&mut self, list: &[(u32, u32, u32)]) -> Option<WIPOffset<Vector<'static, wire::Residence>>> {
        let all: Vec<_> = list.iter().map(|&(app, node, replicas)| wire::Residence::new(app, node, replicas)).collect();
        (!all.is_empty()).then(|| self.builder.create_vector(&all))
    }
}
