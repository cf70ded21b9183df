use std::ptr;

use flatbuffers::{FlatBufferBuilder, WIPOffset};
use stowage_sys as sys;

use crate::control::{self, Control};
use crate::error::Result;
use crate::instance::{Buffer, Instance, Limits};
use crate::wire;

/// How an instance differs from another one. Factors multiply each other: those for all, of a resource, and of an app or a class.
/// A number that is given outright stands as it is.
///
/// ```
/// use stowage::{App, Class, Derivation, InstanceBuilder, Request};
///
/// let mut builder = InstanceBuilder::new("small");
/// builder.resource("cpu", "cores");
/// builder.class(Class::new("standard", [8.0]));
/// builder.app(App::new("web", 10, [2.0]));
/// let instance = builder.build()?;
/// let grown = instance.derive(&Derivation { replicas: 1.5, ..Derivation::default() })?;
/// assert_eq!(grown.plan(&Request::new("ff"))?.nodes.len(), 4);
/// # Ok::<(), stowage::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// Name of the instance that results; empty = the name stays.
    pub name: String,
    /// Factor on the demand of all apps. Uncertain demand scales as a whole.
    pub demand: f64,
    /// Factor on the replicas of all apps, rounded up.
    pub replicas: f64,
    /// Factor on the capacity of all classes. Daemon load stays.
    pub capacity: f64,
    /// Factor on the load of listed nodes. Daemon load stays.
    pub load: f64,
    /// Factor on the prices of all classes.
    pub price: f64,
    /// Share of the affinity limits between different apps that stays, at most 1.
    pub limits: f64,
    pub resources: Vec<ResourceFactors>,
    pub apps: Vec<AppChange>,
    pub classes: Vec<ClassChange>,
}

impl Default for Derivation {
    /// Changes nothing.
    fn default() -> Self {
        Self {
            name: String::new(),
            demand: 1.0,
            replicas: 1.0,
            capacity: 1.0,
            load: 1.0,
            price: 1.0,
            limits: 1.0,
            resources: Vec::new(),
            apps: Vec::new(),
            classes: Vec::new(),
        }
    }
}

/// Factors on what concerns one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceFactors {
    /// The resource, by its name or, where that is empty, by its index.
    pub name: String,
    pub resource: u32,
    pub demand: f64,
    pub capacity: f64,
    pub load: f64,
}

impl ResourceFactors {
    /// Changes nothing of the resource with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::new(0) }
    }

    /// Changes nothing of the resource with this index.
    pub fn new(resource: u32) -> Self {
        Self { name: String::new(), resource, demand: 1.0, capacity: 1.0, load: 1.0 }
    }
}

/// What changes of one app.
#[derive(Clone, Debug, PartialEq)]
pub struct AppChange {
    /// The app, by its name or, where that is empty, by its index.
    pub name: String,
    pub app: u32,
    /// None = not given.
    pub replicas: Option<u32>,
    pub replica_factor: f64,
    /// Demand of one replica; empty = not given. Length: resources, or resources x periods.
    pub demand: Vec<f64>,
    pub demand_factor: f64,
}

impl AppChange {
    /// Changes nothing of the app with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::new(0) }
    }

    /// Changes nothing of the app with this index.
    pub fn new(app: u32) -> Self {
        Self { name: String::new(), app, replicas: None, replica_factor: 1.0, demand: Vec::new(), demand_factor: 1.0 }
    }
}

/// What changes of one node class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassChange {
    /// The class, by its name or, where that is empty, by its index.
    pub name: String,
    pub class: u32,
    /// Number of nodes of the class, 0 = as many as needed; none = as it is.
    pub count: Option<u32>,
    /// Capacity per resource; empty = not given.
    pub capacity: Vec<f64>,
    pub capacity_factor: f64,
    /// None = not given.
    pub price: Option<f64>,
}

impl ClassChange {
    /// Changes nothing of the class with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::new(0) }
    }

    /// Changes nothing of the class with this index.
    pub fn new(class: u32) -> Self {
        Self { name: String::new(), class, count: None, capacity: Vec::new(), capacity_factor: 1.0, price: None }
    }
}

const NOT_GIVEN: u32 = u32::MAX;

impl Derivation {
    fn encode(&self) -> FlatBufferBuilder<'static> {
        let mut b = FlatBufferBuilder::with_capacity(256);
        let index = |name: &str, index| if name.is_empty() { index } else { NOT_GIVEN };
        let text = |b: &mut FlatBufferBuilder<'static>, value: &str| (!value.is_empty()).then(|| b.create_string(value));
        let resources: Vec<WIPOffset<_>> = self
            .resources
            .iter()
            .map(|one| {
                let args = wire::ResourceFactorsArgs {
                    name: text(&mut b, &one.name),
                    resource: index(&one.name, one.resource),
                    demand: one.demand,
                    capacity: one.capacity,
                    load: one.load,
                };
                wire::ResourceFactors::create(&mut b, &args)
            })
            .collect();
        let apps: Vec<WIPOffset<_>> = self
            .apps
            .iter()
            .map(|one| {
                let args = wire::AppChangeArgs {
                    name: text(&mut b, &one.name),
                    app: index(&one.name, one.app),
                    replicas: one.replicas.unwrap_or(NOT_GIVEN),
                    replica_factor: one.replica_factor,
                    demand: (!one.demand.is_empty()).then(|| b.create_vector(&one.demand)),
                    demand_factor: one.demand_factor,
                };
                wire::AppChange::create(&mut b, &args)
            })
            .collect();
        let classes: Vec<WIPOffset<_>> = self
            .classes
            .iter()
            .map(|one| {
                let args = wire::ClassChangeArgs {
                    name: text(&mut b, &one.name),
                    node_class: index(&one.name, one.class),
                    count: one.count.unwrap_or(NOT_GIVEN),
                    capacity: (!one.capacity.is_empty()).then(|| b.create_vector(&one.capacity)),
                    capacity_factor: one.capacity_factor,
                    price: one.price.unwrap_or(-1.0),
                };
                wire::ClassChange::create(&mut b, &args)
            })
            .collect();
        let args = wire::DerivationArgs {
            name: text(&mut b, &self.name),
            demand: self.demand,
            replicas: self.replicas,
            capacity: self.capacity,
            load: self.load,
            price: self.price,
            limits: self.limits,
            by_resource: Some(b.create_vector(&resources)),
            by_app: Some(b.create_vector(&apps)),
            by_class: Some(b.create_vector(&classes)),
            ..wire::DerivationArgs::default()
        };
        let derivation = wire::Derivation::create(&mut b, &args);
        wire::finish_derivation_buffer(&mut b, derivation);
        b
    }
}

impl Instance {
    /// Another instance, which differs from this one as the derivation says, without reading bytes again. It has the limits of
    /// this one and is independent of it.
    ///
    /// # Errors
    /// `Invalid`, `NotFound`, `LimitExceeded`, `OutOfMemory`.
    pub fn derive(&self, derivation: &Derivation) -> Result<Self> {
        self.derive_raw(derivation, None, None)
    }

    /// [`Instance::derive`] with the caller's limits.
    ///
    /// # Errors
    /// As [`Instance::derive`].
    pub fn derive_within(&self, derivation: &Derivation, limits: &Limits) -> Result<Self> {
        self.derive_raw(derivation, Some(limits), None)
    }

    /// [`Instance::derive`] under a control; with the caller's limits where they are given.
    ///
    /// # Errors
    /// As [`Instance::derive`], and `Cancelled`.
    pub fn derive_with(&self, derivation: &Derivation, limits: Option<&Limits>, control: &mut Control) -> Result<Self> {
        self.derive_raw(derivation, limits, Some(control))
    }

    fn derive_raw(&self, derivation: &Derivation, limits: Option<&Limits>, control: Option<&mut Control>) -> Result<Self> {
        let (encoded, limits, control) = (derivation.encode(), limits.map(Limits::raw), control::raw(control));
        let (bytes, limits) = (encoded.finished_data(), limits.as_ref().map_or(ptr::null(), ptr::from_ref));
        // SAFETY: the handle is alive, all pointers are valid during the call, or null where null is allowed.
        Self::made(|handle, error| unsafe {
            sys::stowage_instance_derive_watched(self.0.as_ptr(), bytes.as_ptr(), bytes.len(), limits, control, handle, error)
        })
    }

    /// The bytes of an instance that was derived or that a session returned (`instance.fbs`, `.stow`): they load as an instance
    /// with the same fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the bytes
    /// that were loaded are the only ones: it is refused.
    ///
    /// # Errors
    /// `Invalid`, `LimitExceeded`, `OutOfMemory`.
    pub fn save(&self) -> Result<Vec<u8>> {
        self.save_raw(None)
    }

    /// [`Instance::save`] under a control.
    ///
    /// # Errors
    /// As [`Instance::save`], and `Cancelled`.
    pub fn save_with(&self, control: &mut Control) -> Result<Vec<u8>> {
        self.save_raw(Some(control))
    }

    fn save_raw(&self, control: Option<&mut Control>) -> Result<Vec<u8>> {
        let control = control::raw(control);
        // SAFETY: as in `derive_raw`.
        let saved = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_instance_save_watched(self.0.as_ptr(), control, buffer, error)
        })?;
        Ok(saved.bytes().to_vec())
    }
}
