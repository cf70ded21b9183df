use std::ptr;

use stowage_sys as sys;

use crate::codec::Builder;
use crate::control::{self, Control};
use crate::error::Result;
use crate::instance::{Buffer, Instance, Limits};
use crate::records::{AppChange, ClassChange, Derivation, ResourceFactors};
use crate::wire;

impl ResourceFactors {
    /// Changes nothing of the resource with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Changes nothing of the resource with this index.
    pub fn new(resource: u32) -> Self {
        Self { resource, ..Self::default() }
    }
}

impl AppChange {
    /// Changes nothing of the app with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Changes nothing of the app with this index.
    pub fn new(app: u32) -> Self {
        Self { app, ..Self::default() }
    }
}

impl ClassChange {
    /// Changes nothing of the class with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Changes nothing of the class with this index.
    pub fn new(class: u32) -> Self {
        Self { class, ..Self::default() }
    }
}

impl Derivation {
    fn finished(&self) -> Builder {
        let mut builder = Builder::with_capacity(256);
        let derivation = self.encode(&mut builder);
        wire::finish_derivation_buffer(&mut builder, derivation);
        builder
    }
}

impl Instance {
    /// Another instance, which differs from this one as the derivation says, without reading bytes again. It has the limits of
    /// this one and is independent of it. Factors multiply each other: those for all, of a resource, and of an app or a class. A
    /// number that is given outright stands as it is.
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
        let (encoded, limits, control) = (derivation.finished(), limits.map(Limits::raw), control::raw(control));
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
