use std::collections::HashMap;

use flatbuffers::{FlatBufferBuilder, Push, Vector, WIPOffset};

use crate::codec::{tables, Tables};
use crate::error::{Error, ErrorKind, Result};
use crate::instance::Instance;
use crate::records::{App, Cardinality, Class, Node, Uncertainty};
use crate::wire;

impl App {
    /// An app with the properties that every app has.
    pub fn new(name: impl Into<String>, replicas: u32, demand: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), replicas, demand: demand.into(), ..Self::default() }
    }
}

impl Class {
    /// A class of as many nodes as needed.
    pub fn new(name: impl Into<String>, capacity: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), capacity: capacity.into(), ..Self::default() }
    }
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

/// Collects an instance. Its methods return the position of the added item, by which later calls and plans refer to it.
/// [`InstanceBuilder::build`] checks the values and reports the path of a wrong one.
#[derive(Clone, Debug)]
pub struct InstanceBuilder {
    name: String,
    periods: u32,
    resources: Vec<(String, String, f64)>,
    pub(crate) apps: Vec<App>,
    classes: Vec<Class>,
    pub(crate) nodes: Vec<Node>,
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
        let nodes = if self.nodes.is_empty() { None } else { Some(self.encode_nodes(&mut e)?) };
        let classes = tables(&mut e.builder, &self.classes, Class::encode);
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
        let uncertainty = self.uncertainty.as_ref().map(|one| one.encode(&mut e.builder));
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

    /// Collects amounts per item, one per resource.
    pub(crate) fn rows<'a>(
        &self,
        field: (&str, &str),
        rows: impl ExactSizeIterator<Item = &'a Vec<f64>> + Clone,
        optional: bool,
    ) -> Result<Option<Vec<f64>>> {
        self.amounts(field, rows, self.resources.len(), optional)
    }

    /// Collects amounts per item: one per resource, or per resource and period where any item has a profile.
    pub(crate) fn profiles<'a>(
        &self,
        field: (&str, &str),
        rows: impl ExactSizeIterator<Item = &'a Vec<f64>> + Clone,
        optional: bool,
    ) -> Result<Option<Vec<f64>>> {
        let resources = self.resources.len();
        let periods = if rows.clone().any(|row| row.len() > resources) { self.periods as usize } else { 1 };
        self.amounts(field, rows, resources * periods, optional)
    }

    /// Collects amounts per item, with the same number of entries for each item; nothing where no item has any and the column
    /// may be absent.
    fn amounts<'a>(
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

    /// The kind of each app; none without an interference table.
    pub(crate) fn app_kinds(&self) -> Result<Option<Vec<u32>>> {
        let Some((kinds, _)) = &self.interference else { return Ok(None) };
        let index = |(k, app): (usize, &App)| {
            if app.kind.is_empty() {
                return Ok(0);
            }
            let found = kinds.iter().position(|kind| *kind == app.kind);
            let unknown = || invalid(format!("there is no kind \"{}\"", app.kind), format!("apps[{k}].kind"));
            found.map(|at| position(at + 1)).ok_or_else(unknown)
        };
        self.apps.iter().enumerate().map(index).collect::<Result<_>>().map(Some)
    }

    /// The daemon load of the nodes; none where no node has one of its own.
    pub(crate) fn daemons(&self) -> Result<Option<Vec<f64>>> {
        if self.nodes.iter().all(|node| node.daemon.is_empty()) {
            return Ok(None);
        }
        self.profiles(("nodes", "daemon"), self.nodes.iter().map(|node| self.daemon_of(node)), true)
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
            kind: one.kind.into(),
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

type Words = WIPOffset<Vector<'static, u32>>;
type Texts = Tables<&'static str>;

/// Writes vectors and assigns positions to tags.
pub(crate) struct Encoder {
    pub(crate) builder: FlatBufferBuilder<'static>,
    tags: HashMap<String, u32>,
    names: Vec<String>,
}

impl Encoder {
    pub(crate) fn words(&mut self, values: &[u32]) -> Words {
        self.builder.create_vector(values)
    }

    pub(crate) fn doubles(&mut self, values: &[f64]) -> WIPOffset<Vector<'static, f64>> {
        self.builder.create_vector(values)
    }

    pub(crate) fn column<T: Push + Copy>(&mut self, values: impl Iterator<Item = T>) -> WIPOffset<Vector<'static, T::Output>> {
        let all: Vec<T> = values.collect();
        self.builder.create_vector(&all)
    }

    /// Writes a column, or nothing where all entries are what an absent column stands for.
    pub(crate) fn unless<T: Push + Copy + PartialEq>(
        &mut self,
        values: impl Iterator<Item = T> + Clone,
        absent: T,
    ) -> Option<WIPOffset<Vector<'static, T::Output>>> {
        values.clone().any(|value| value != absent).then(|| self.column(values))
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
    pub(crate) fn names<'a>(&mut self, names: impl Iterator<Item = &'a String> + Clone) -> Option<Texts> {
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

    pub(crate) fn tag_rows<'a>(&mut self, items: impl Iterator<Item = &'a Vec<String>>) -> (Option<Words>, Option<Words>) {
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
