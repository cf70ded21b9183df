//! Plan where long-running applications run, before they run. The input is apps with replicas and demand, nodes with capacity,
//! and constraints on which apps may share a node. The result is a plan that an independent checker has verified, a lower bound
//! that shows how good the plan is, and a reason for every replica that does not fit.
//!
//! ```
//! use stowage::{App, Class, InstanceBuilder, PlanStatus, Request};
//!
//! let mut builder = InstanceBuilder::new("first");
//! builder.resource("cpu", "cores");
//! builder.resource("memory", "GiB");
//! builder.class(Class::new("standard", [8.0, 16.0]));
//! let web = builder.app(App::new("web", 3, [2.0, 4.0]));
//! let db = builder.app(App::new("db", 1, [4.0, 8.0]));
//! builder.limit(web, web, 2); // at most two web on a node
//! builder.limit(db, web, 1); // beside db at most one web
//! let cluster = builder.build()?;
//!
//! let plan = cluster.plan(&Request::new("auto"))?;
//! assert_eq!(plan.status, PlanStatus::Optimal);
//! assert_eq!(plan.nodes.len(), 2);
//! # Ok::<(), stowage::Error>(())
//! ```
//!
//! An [`Instance`] is built with an [`InstanceBuilder`] or loaded from bytes. It is immutable, and any number of threads may
//! use it at once. A [`Control`] watches and cancels a run. Plans and reports are plain values. The same instance, request and
//! seed give the same plan, byte for byte.
#![warn(missing_debug_implementations)]

mod builder;
mod cluster;
mod codec;
mod control;
mod derivation;
mod error;
mod instance;
#[cfg(feature = "text")]
mod json;
mod learning;
mod operations;
#[cfg(test)]
mod overhead;
mod plan;
#[rustfmt::skip]
mod records;
mod reports;
mod session;
mod wire;

pub use builder::{InstanceBuilder, NodeGroup, NodeSet, Rule};
pub use cluster::{Cluster, ClusterApp, ClusterNode, NamedPlacement, Residence};
pub use control::{CancelGuard, Control, ControlHandle, Phase, Progress};
pub use error::{Error, ErrorKind, Result};
pub use instance::{planners, version, Instance, Limits};
#[cfg(feature = "text")]
pub use json::{
    instance_from_json, instance_from_json_within, instance_to_json, operations_from_json, operations_from_json_within,
};
pub use learning::{size, size_with, Feature, Model};
pub use operations::{NewNode, Submission};
pub use plan::{PlanNode, RuleViolations, EACH_NODE};
pub use records::*;
pub use reports::OverriddenRule;
pub use session::{CommitMode, Session};
