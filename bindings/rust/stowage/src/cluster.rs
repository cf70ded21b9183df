//! What an instance or the snapshot of a session holds, by name.

use std::collections::HashMap;

use stowage_sys as sys;

use crate::control::Control;
use crate::error::{Error, ErrorKind, Result};
use crate::instance::{check_foreign, Instance, Limits};
use crate::records::{NodeState, Plan};
use crate::session::Session;
use crate::wire;

/// An app and the number of its replicas, running ones included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterApp {
    pub name: String,
    pub replicas: u32,
}

/// A listed node. In an instance that is no snapshot, a closed node is [`NodeState::Cordoned`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterNode {
    pub name: String,
    pub class: String,
    pub state: NodeState,
}

/// A number of replicas of an app on a listed node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residence {
    pub app: String,
    pub node: String,
    pub replicas: u32,
}

/// `replicas` replicas of an app on a node, and as many on each of the node's `copies` (see [`PlanNode`](crate::PlanNode)). A
/// listed node has its own name; others have their class and a number, such as `large-2`, and copies the numbers that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlacement {
    pub app: String,
    pub node: String,
    pub class: String,
    pub replicas: u32,
    pub copies: u32,
}

/// Says by name what an instance or the snapshot of a session holds: apps, nodes with their states, and what runs where.
/// Positions of apps and nodes shift when others leave, names stay. What has no name is called `#` and its position; a class
/// `node` where it is the only one, else `class` and its position.
///
/// ```
/// use stowage::{Class, Cluster, InstanceBuilder, NewNode, Operation, Session};
///
/// let mut cluster = InstanceBuilder::new("cluster");
/// cluster.resource("cpu", "cores");
/// cluster.class(Class::new("standard", [8.0]));
/// let mut session = Session::open(&cluster.bytes()?)?;
/// session.apply(&[Operation::AddNode(NewNode::new("a", "standard"))])?;
/// assert_eq!(session.cluster()?.nodes[0].name, "a");
/// # Ok::<(), stowage::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    /// Fingerprint of the instance, as in its plans.
    pub fingerprint: u64,
    /// Version of the session; 0 for an instance that is no snapshot.
    pub version: u64,
    pub resources: Vec<String>,
    pub classes: Vec<String>,
    pub apps: Vec<ClusterApp>,
    pub nodes: Vec<ClusterNode>,
    /// In the order of the instance, as `pinned`.
    pub running: Vec<Residence>,
    pub pinned: Vec<Residence>,
}

impl Cluster {
    /// Reads an instance, or the snapshot of a session.
    ///
    /// # Errors
    /// As [`Instance::load`].
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Self::read_raw(bytes, &Limits::default(), None)
    }

    /// [`Cluster::read`] with the caller's limits, under a control.
    ///
    /// # Errors
    /// As [`Instance::load`], and `Cancelled`.
    pub fn read_with(bytes: &[u8], limits: &Limits, control: &mut Control) -> Result<Self> {
        Self::read_raw(bytes, limits, Some(control))
    }

    fn read_raw(bytes: &[u8], limits: &Limits, mut control: Option<&mut Control>) -> Result<Self> {
        check_foreign(sys::STOWAGE_KIND_INSTANCE, bytes, limits, control.as_deref_mut())?;
        let fingerprint = Instance::load_raw(bytes, limits, control)?.fingerprint();
        // SAFETY: the bytes have passed `check_foreign`.
        let root = unsafe { wire::root_as_instance_unchecked(bytes) };
        let (classes, apps, nodes) = (root.classes(), root.apps(), root.nodes());
        let numbered = |name: Option<&str>, position: usize| name.map_or_else(|| format!("#{position}"), str::to_owned);
        let class_name = |position: usize| match classes.get(position).name() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ if classes.len() == 1 => "node".to_owned(),
            _ => format!("class{position}"),
        };
        let mut cluster = Self {
            fingerprint,
            version: root.session().map_or(0, |session| session.version()),
            resources: root.resources().iter().map(|one| one.name().to_owned()).collect(),
            classes: (0..classes.len()).map(class_name).collect(),
            ..Self::default()
        };
        let names = apps.names().filter(|names| !names.is_empty());
        for (position, replicas) in apps.replicas().iter().enumerate() {
            cluster.apps.push(ClusterApp { name: numbered(names.map(|names| names.get(position)), position), replicas });
        }
        if let Some(nodes) = nodes {
            let names = nodes.names().filter(|names| !names.is_empty());
            let closed = nodes.closed();
            for (position, class) in nodes.node_class().iter().enumerate() {
                let state = match (root.session(), closed) {
                    (Some(session), _) => session.node_state().get(position).into(),
                    (None, Some(closed)) if !closed.is_empty() && closed.get(position) != 0 => NodeState::Cordoned,
                    _ => NodeState::Open,
                };
                let name = numbered(names.map(|names| names.get(position)), position);
                cluster.nodes.push(ClusterNode { name, class: cluster.classes[class as usize].clone(), state });
            }
        }
        let residence = |one: &wire::Residence| Residence {
            app: cluster.apps[one.app() as usize].name.clone(),
            node: cluster.nodes[one.node() as usize].name.clone(),
            replicas: one.replicas(),
        };
        let running = root.running().unwrap_or_default().iter().map(residence).collect();
        let pinned = root.pinned().unwrap_or_default().iter().map(residence).collect();
        Ok(Self { running, pinned, ..cluster })
    }

    /// The nodes on which replicas of an app run, in the order of the nodes. Nothing where none runs and where there is no such
    /// app.
    pub fn where_is<'a>(&'a self, app: &'a str) -> impl Iterator<Item = &'a Residence> {
        self.running.iter().filter(move |one| one.app == app)
    }

    /// Names the placements of a plan that was made for this cluster.
    ///
    /// # Errors
    /// `Invalid` where the plan was made for another cluster, or for an earlier state of it.
    pub fn name(&self, plan: &Plan) -> Result<Vec<NamedPlacement>> {
        let names = self.node_names(plan)?;
        let named = plan.placements.iter().map(|one| {
            let node = plan.nodes.get(one.node as usize)?;
            Some(NamedPlacement {
                app: self.apps.get(one.app as usize)?.name.clone(),
                node: names[one.node as usize].clone(),
                class: self.classes[node.class as usize].clone(),
                replicas: one.replicas,
                copies: node.copies,
            })
        });
        named.collect::<Option<_>>().ok_or_else(|| foreign("a placement refers to nothing"))
    }

    /// The names of a plan's nodes, as in [`NamedPlacement`]; of copies, that of the first.
    ///
    /// # Errors
    /// As [`Cluster::name`].
    pub fn node_names(&self, plan: &Plan) -> Result<Vec<String>> {
        if plan.instance != self.fingerprint {
            return Err(foreign("it was made for another instance"));
        }
        let mut numbers: HashMap<&str, Numbering> =
            self.classes.iter().map(|class| (&class[..], Numbering::default())).collect();
        for node in &self.nodes {
            let Some((class, number)) = node.name.rsplit_once('-') else { continue };
            if let Some(numbering) = numbers.get_mut(class) {
                numbering.leave_out(number);
            }
        }
        for one in numbers.values_mut() {
            one.taken.sort_unstable_by(|a, b| b.cmp(a));
        }
        let nodes = plan.nodes.iter().map(|node| {
            let class = self.classes.get(node.class as usize)?;
            if let Some(listed) = node.listed {
                return Some(self.nodes.get(listed as usize)?.name.clone());
            }
            let numbering = numbers.get_mut(&class[..])?;
            let name = format!("{class}-{}", numbering.advance(1));
            if node.copies > 1 {
                numbering.advance(u64::from(node.copies) - 1);
            }
            Some(name)
        });
        nodes.collect::<Option<_>>().ok_or_else(|| foreign("a node does not exist"))
    }
}

impl Session {
    /// What the session holds now, by name. A plan of the session fits to the cluster of the same version.
    ///
    /// # Errors
    /// `LimitExceeded`, `OutOfMemory`.
    pub fn cluster(&self) -> Result<Cluster> {
        self.cluster_raw(None)
    }

    /// [`Session::cluster`] under a control.
    ///
    /// # Errors
    /// As [`Session::cluster`], and `Cancelled`.
    pub fn cluster_with(&self, control: &mut Control) -> Result<Cluster> {
        self.cluster_raw(Some(control))
    }

    fn cluster_raw(&self, mut control: Option<&mut Control>) -> Result<Cluster> {
        let snapshot = self.snapshot_raw(control.as_deref_mut())?;
        // The limit on bytes is one on what comes in.
        let limits = Limits { bytes: snapshot.bytes().len() as u64, ..self.limits };
        Cluster::read_raw(snapshot.bytes(), &limits, control)
    }
}

fn foreign(why: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("the plan does not belong to the cluster: {why}"), "")
}

/// Hands out the numbers from 1 that no name takes. It steps over many at once, as a node may stand for any number.
#[derive(Default)]
struct Numbering {
    taken: Vec<u64>, // largest first
    last: u64,
}

impl Numbering {
    fn leave_out(&mut self, text: &str) {
        match text.parse::<u64>() {
            Ok(number) if number.to_string() == text => self.taken.push(number),
            _ => {}
        }
    }

    /// The `steps`-th number after the last one.
    fn advance(&mut self, mut steps: u64) -> u64 {
        while let Some(&next) = self.taken.last() {
            let free = next.saturating_sub(self.last + 1);
            if steps <= free {
                break;
            }
            steps -= free;
            self.last = self.last.max(next);
            self.taken.pop();
        }
        self.last += steps;
        self.last
    }
}
