use std::ffi::CStr;
use std::ptr::{self, NonNull};

use stowage_sys as sys;

use crate::control::{self, Control};
use crate::error::{check, Result};
use crate::records::{
    BoundEntry, Explanation, Headroom, HeadroomOfApps, Loss, MoveOrder, Plan, Planner, Request, Verification,
};
use crate::reports::{self, Bounds, Losses};
use crate::wire;

/// Version of the library that is linked, `"major.minor.patch"`.
pub fn version() -> &'static str {
    // SAFETY: a static string of the library, NUL-terminated ASCII.
    unsafe { CStr::from_ptr(sys::stowage_version()) }.to_str().unwrap_or("")
}

/// The catalogue of planners.
pub fn planners() -> Result<Vec<Planner>> {
    // SAFETY: both pointers are valid during the call.
    let catalogue = Buffer::fill(|buffer, error| unsafe { sys::stowage_planners(buffer, error) })?;
    reports::catalogue(catalogue.bytes())
}

/// The largest instance that the caller accepts; 0 stands for the default that `stowage.h` states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Bytes of the buffer.
    pub bytes: u64,
    pub apps: u64,
    /// Replicas, summed over all apps.
    pub replicas: u64,
    /// Affinity limits.
    pub limits: u64,
    /// Listed nodes, and nodes in use in a plan.
    pub nodes: u64,
    /// Apps x resources x periods.
    pub cells: u64,
    /// Threads of one run.
    pub threads: u64,
    /// Bytes that loading may take beside the buffer, estimated.
    pub memory: u64,
}

impl Limits {
    pub(crate) fn raw(&self) -> sys::stowage_limits {
        sys::stowage_limits {
            struct_size: size_of::<sys::stowage_limits>(),
            max_bytes: self.bytes,
            max_apps: self.apps,
            max_replicas: self.replicas,
            max_limits: self.limits,
            max_nodes: self.nodes,
            max_cells: self.cells,
            max_threads: self.threads,
            max_memory: self.memory,
        }
    }
}

/// Bytes that the library allocated; freed once, when dropped.
pub(crate) struct Buffer(sys::stowage_buffer);

impl Buffer {
    pub(crate) fn fill(
        call: impl FnOnce(*mut sys::stowage_buffer, *mut sys::stowage_error) -> sys::stowage_status,
    ) -> Result<Self> {
        let mut buffer = Self(sys::stowage_buffer { data: ptr::null_mut(), size: 0 });
        check(|error| call(&mut buffer.0, error))?;
        Ok(buffer)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if self.0.data.is_null() {
            return &[];
        }
        // SAFETY: the library filled `size` bytes, which do not change and live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.0.data, self.0.size) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: filled by the library or empty; a freed buffer is set to empty.
        unsafe { sys::stowage_buffer_free(&mut self.0) }
    }
}

/// Everything known before planning, checked and immutable. Any number of threads may use it at once: it is `Send` and `Sync`.
///
/// ```
/// use stowage::{App, Class, InstanceBuilder, Request};
///
/// let mut builder = InstanceBuilder::new("small");
/// builder.resource("cpu", "cores");
/// builder.class(Class::new("standard", [8.0]));
/// builder.app(App::new("web", 10, [2.0]));
/// let instance = builder.build()?;
/// let plan = instance.plan(&Request::new("ff"))?;
/// assert_eq!(plan.nodes.len(), 3);
/// assert!(instance.verify(plan.bytes())?.ok);
/// # Ok::<(), stowage::Error>(())
/// ```
#[derive(Debug)]
pub struct Instance(pub(crate) NonNull<sys::stowage_instance>);

// SAFETY: stowage.h: an instance is immutable, any number of threads may use it at once, and no thread-local state is kept, so
// that any thread may free it.
unsafe impl Send for Instance {}
unsafe impl Sync for Instance {}

impl Instance {
    /// Reads and checks an instance (`instance.fbs`, `.stow`). The bytes are read during the call only.
    ///
    /// # Errors
    /// `Malformed`, `Invalid`, `LimitExceeded`, `OutOfMemory`.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        Self::load_raw(bytes, &Limits::default(), None)
    }

    /// [`Instance::load`] with the caller's limits; refuses a larger instance.
    ///
    /// # Errors
    /// As [`Instance::load`].
    pub fn load_within(bytes: &[u8], limits: &Limits) -> Result<Self> {
        Self::load_raw(bytes, limits, None)
    }

    /// [`Instance::load_within`] under a control.
    ///
    /// # Errors
    /// As [`Instance::load`], and `Cancelled`.
    pub fn load_with(bytes: &[u8], limits: &Limits, control: &mut Control) -> Result<Self> {
        Self::load_raw(bytes, limits, Some(control))
    }

    pub(crate) fn load_raw(bytes: &[u8], limits: &Limits, control: Option<&mut Control>) -> Result<Self> {
        let (control, limits) = (control::raw(control), limits.raw());
        // SAFETY: all pointers are valid during the call; `control` may be null.
        Self::made(|handle, error| unsafe {
            sys::stowage_instance_load_watched(bytes.as_ptr(), bytes.len(), &limits, control, handle, error)
        })
    }

    /// Takes the handle that a call makes.
    pub(crate) fn made(
        make: impl FnOnce(*mut *mut sys::stowage_instance, *mut sys::stowage_error) -> sys::stowage_status,
    ) -> Result<Self> {
        let mut handle = ptr::null_mut();
        check(|error| make(&mut handle, error))?;
        Ok(Self(NonNull::new(handle).expect("a call that succeeds gives a handle")))
    }

    /// Fingerprint of the content, the same on every platform. A plan carries the fingerprint of the instance it was made for.
    pub fn fingerprint(&self) -> u64 {
        // SAFETY: the handle is alive.
        unsafe { sys::stowage_instance_fingerprint(self.0.as_ptr()) }
    }

    /// Runs a planner.
    ///
    /// # Errors
    /// `Unsupported`, `NotFound`, `Invalid`, `LimitExceeded`, `OutOfMemory`. The plan's status states how good it is: a plan
    /// that is partial or that a deadline cut short is no error.
    pub fn plan(&self, request: &Request) -> Result<Plan> {
        self.plan_raw(request, None)
    }

    /// [`Instance::plan`] with a control, through which other threads watch and cancel the run. A cancelled run ends within
    /// about 50 ms with its best plan, of status `Cancelled`.
    ///
    /// # Errors
    /// As [`Instance::plan`].
    pub fn plan_with(&self, request: &Request, control: &mut Control) -> Result<Plan> {
        self.plan_raw(request, Some(control))
    }

    fn plan_raw(&self, request: &Request, control: Option<&mut Control>) -> Result<Plan> {
        let (request, control) = (request.finished(), control::raw(control));
        let bytes = request.finished_data();
        // SAFETY: the handle is alive, all pointers are valid during the call, `control` may be null and is not freed meanwhile.
        let plan = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_plan(self.0.as_ptr(), bytes.as_ptr(), bytes.len(), control, buffer, error)
        })?;
        Plan::decode(plan.bytes())
    }

    /// Checks a plan on the original numbers, independently of the planners. The bytes need not be trusted. A plan that breaks
    /// constraints is no error: the verification reports it.
    ///
    /// # Errors
    /// `Malformed`, `OutOfMemory`.
    pub fn verify(&self, plan: &[u8]) -> Result<Verification> {
        self.verify_raw(plan, None)
    }

    /// [`Instance::verify`] under a control.
    ///
    /// # Errors
    /// As [`Instance::verify`], and `Cancelled`.
    pub fn verify_with(&self, plan: &[u8], control: &mut Control) -> Result<Verification> {
        self.verify_raw(plan, Some(control))
    }

    fn verify_raw(&self, plan: &[u8], control: Option<&mut Control>) -> Result<Verification> {
        let control = control::raw(control);
        // SAFETY: as in `plan_raw`.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_verify_watched(self.0.as_ptr(), plan.as_ptr(), plan.len(), control, buffer, error)
        })?;
        reports::body(report.bytes(), wire::Report::body_as_verification)
    }

    /// Explains what determines the plan's number of nodes, and why replicas are unplaced.
    ///
    /// # Errors
    /// `Malformed`, `Invalid` (not a plan of this instance), `OutOfMemory`.
    pub fn explain(&self, plan: &Plan) -> Result<Explanation> {
        self.explain_raw(plan, sys::STOWAGE_ALL_UNPLACED, None)
    }

    /// [`Instance::explain`] with a control; a cancelled call returns what was found so far.
    ///
    /// # Errors
    /// As [`Instance::explain`].
    pub fn explain_with(&self, plan: &Plan, control: &mut Control) -> Result<Explanation> {
        self.explain_raw(plan, sys::STOWAGE_ALL_UNPLACED, Some(control))
    }

    /// [`Instance::explain`] for one app, whether or not it is fully placed.
    ///
    /// # Errors
    /// As [`Instance::explain`]; `Invalid` where there is no such app.
    pub fn explain_app(&self, plan: &Plan, app: u32) -> Result<Explanation> {
        self.explain_raw(plan, app, None)
    }

    /// [`Instance::explain_app`] with a control, as [`Instance::explain_with`].
    ///
    /// # Errors
    /// As [`Instance::explain_app`].
    pub fn explain_app_with(&self, plan: &Plan, app: u32, control: &mut Control) -> Result<Explanation> {
        self.explain_raw(plan, app, Some(control))
    }

    fn explain_raw(&self, plan: &Plan, app: u32, control: Option<&mut Control>) -> Result<Explanation> {
        let (bytes, control) = (plan.bytes(), control::raw(control));
        // SAFETY: as in `plan_raw`.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_explain(self.0.as_ptr(), bytes.as_ptr(), bytes.len(), app, control, buffer, error)
        })?;
        reports::explanation(report.bytes())
    }

    /// How many more replicas of an app each node of a plan takes, the plan being otherwise as it is. `node` is a node of the
    /// plan whose obstacles are returned as well.
    ///
    /// # Errors
    /// As [`Instance::explain`]; `Invalid` where there is no such app or node.
    pub fn headroom(&self, plan: &Plan, app: u32, node: Option<u32>) -> Result<Headroom> {
        self.headroom_raw(plan, app, node, None)
    }

    /// [`Instance::headroom`] under a control.
    ///
    /// # Errors
    /// As [`Instance::headroom`], and `Cancelled`.
    pub fn headroom_with(&self, plan: &Plan, app: u32, node: Option<u32>, control: &mut Control) -> Result<Headroom> {
        self.headroom_raw(plan, app, node, Some(control))
    }

    fn headroom_raw(&self, plan: &Plan, app: u32, node: Option<u32>, control: Option<&mut Control>) -> Result<Headroom> {
        let (bytes, node, control) = (plan.bytes(), node.unwrap_or(sys::STOWAGE_NO_NODE), control::raw(control));
        // SAFETY: as in `plan_raw`.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_headroom_watched(self.0.as_ptr(), bytes.as_ptr(), bytes.len(), app, node, control, buffer, error)
        })?;
        reports::body(report.bytes(), wire::Report::body_as_headroom)
    }

    /// How many more replicas of each app a cluster takes, one app growing at a time. Without a plan, what runs or is pinned
    /// counts. Counts on each node end at `most`, or at the number of replicas that the app wants where `most` is 0.
    ///
    /// # Errors
    /// As [`Instance::explain`]; `Invalid` where `most` is above 1e9.
    pub fn headroom_of_apps(&self, plan: Option<&Plan>, most: u32) -> Result<HeadroomOfApps> {
        self.headroom_of_apps_raw(plan, most, None)
    }

    /// [`Instance::headroom_of_apps`] under a control.
    ///
    /// # Errors
    /// As [`Instance::headroom_of_apps`], and `Cancelled`.
    pub fn headroom_of_apps_with(&self, plan: Option<&Plan>, most: u32, control: &mut Control) -> Result<HeadroomOfApps> {
        self.headroom_of_apps_raw(plan, most, Some(control))
    }

    fn headroom_of_apps_raw(&self, plan: Option<&Plan>, most: u32, control: Option<&mut Control>) -> Result<HeadroomOfApps> {
        let (start, size) = plan.map_or((ptr::null(), 0), |one| (one.bytes().as_ptr(), one.bytes().len()));
        let control = control::raw(control);
        // SAFETY: as in `plan_raw`; null stands for no plan.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_headroom_of_apps_watched(self.0.as_ptr(), start, size, most, control, buffer, error)
        })?;
        reports::body(report.bytes(), wire::Report::body_as_headroom_of_apps)
    }

    /// Which replicas of lost nodes find a place on what remains, while all others stay; worst first. `nodes` are lost together;
    /// without them, the nodes with the same value of the label `label`, one value after the other; without both, each node by
    /// itself. Nodes are the instance's listed ones by their index, then the plan's anonymous ones, each copy by itself. With a
    /// control that is cancelled, what was not looked at is left out.
    ///
    /// # Errors
    /// As [`Instance::order_moves`]; `Invalid` where there is no such node or label.
    pub fn losses(&self, plan: Option<&Plan>, nodes: &[u32], label: &str, control: Option<&mut Control>) -> Result<Vec<Loss>> {
        let (start, size) = plan.map_or((ptr::null(), 0), |one| (one.bytes().as_ptr(), one.bytes().len()));
        let control = control::raw(control);
        let label = label.as_bytes();
        // SAFETY: as in `plan_raw`; null stands for no plan, and no byte is read of what is empty.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_losses(
                self.0.as_ptr(),
                start,
                size,
                nodes.as_ptr(),
                nodes.len(),
                label.as_ptr(),
                label.len(),
                control,
                buffer,
                error,
            )
        })?;
        Ok(reports::body::<_, Losses>(report.bytes(), wire::Report::body_as_losses)?.0)
    }

    /// Puts the moves of a valid plan in waves that keep every hard constraint at every step. A wave has at most `per_node`
    /// moves from or to the same node (0 = any number), and at most `app_share` of an app's replicas, but at least one. With a
    /// control that is cancelled, what is not ordered yet is stuck.
    ///
    /// # Errors
    /// As [`Instance::explain`]; `Invalid` where the plan breaks constraints or the share is none; `LimitExceeded`.
    pub fn order_moves(&self, plan: &Plan, per_node: u32, app_share: f64, control: Option<&mut Control>) -> Result<MoveOrder> {
        let bytes = plan.bytes();
        let control = control::raw(control);
        // SAFETY: as in `plan_raw`.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_order_moves(self.0.as_ptr(), bytes.as_ptr(), bytes.len(), per_node, app_share, control, buffer, error)
        })?;
        reports::body(report.bytes(), wire::Report::body_as_move_order)
    }

    /// Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub fn bounds(&self) -> Result<Vec<BoundEntry>> {
        self.bounds_raw(None)
    }

    /// [`Instance::bounds`] with a control; a cancelled call returns the bounds found so far.
    ///
    /// # Errors
    /// As [`Instance::bounds`].
    pub fn bounds_with(&self, control: &mut Control) -> Result<Vec<BoundEntry>> {
        self.bounds_raw(Some(control))
    }

    fn bounds_raw(&self, control: Option<&mut Control>) -> Result<Vec<BoundEntry>> {
        let control = control::raw(control);
        // SAFETY: as in `plan_raw`.
        let report =
            Buffer::fill(|buffer, error| unsafe { sys::stowage_bound_watched(self.0.as_ptr(), control, buffer, error) })?;
        Ok(reports::body::<_, Bounds>(report.bytes(), wire::Report::body_as_bounds)?.0)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: freed once; borrows of `self` keep it from happening during a call.
        unsafe { sys::stowage_instance_free(self.0.as_ptr()) }
    }
}

/// Checks bytes from elsewhere, so that reading them unverified is sound: every reference stays within them, text is UTF-8, columns
/// that belong together have one length, and what is read is in proportion to their size.
pub(crate) fn check_foreign(
    kind: sys::stowage_kind,
    bytes: &[u8],
    limits: &Limits,
    control: Option<&mut Control>,
) -> Result<()> {
    let (limits, control) = (limits.raw(), control::raw(control));
    // SAFETY: all pointers are valid during the call; `control` may be null.
    check(|error| unsafe { sys::stowage_check(kind, bytes.as_ptr(), bytes.len(), &limits, control, error) })
}
