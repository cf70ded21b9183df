use std::ptr::{self, NonNull};

use stowage_sys as sys;

use crate::control::{self, Control};
use crate::error::{check, Result};
use crate::instance::{Buffer, Instance, Limits};
use crate::operations;
use crate::records::{Commit, Operation, Plan, Request};
use crate::reports;
use crate::wire;

/// What a commit takes of a plan that was made for an earlier version of the cluster.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CommitMode {
    /// Nothing.
    Exact,
    /// The whole plan if everything that it places still fits, else nothing.
    Whole,
    /// Each app whose replicas all still fit.
    Fitting,
}

/// A cluster over time; `docs/understand/sessions.md` states the rules. A call that fails leaves the session unchanged. It is used by one
/// thread at a time: it is `Send`, and its calls borrow it exclusively. A dropped session cannot be used:
///
/// ```
/// use stowage::{Class, CommitMode, InstanceBuilder, Operation, Request, Session, Submission};
///
/// let mut cluster = InstanceBuilder::new("cluster");
/// cluster.resource("cpu", "cores");
/// cluster.class(Class::new("standard", [8.0]));
/// let mut session = Session::open(&cluster.bytes()?)?;
/// session.apply(&[Operation::Submit(Submission::new("web", 3, [4.0]))])?;
/// let plan = session.plan(&Request::new("ff"))?;
/// let commit = session.commit(plan.bytes(), CommitMode::Exact)?;
/// assert_eq!(commit.opened, ["standard-1", "standard-2"]);
/// # Ok::<(), stowage::Error>(())
/// ```
///
/// ```compile_fail,E0382
/// # let mut session = stowage::Session::open(&[]).unwrap();
/// drop(session);
/// session.version();
/// ```
#[derive(Debug)]
pub struct Session {
    handle: NonNull<sys::stowage_session>,
    pub(crate) limits: Limits,
}

// SAFETY: stowage.h: a session is used by one thread at a time, whichever; no thread-local state is kept.
unsafe impl Send for Session {}

impl Session {
    /// Opens a session on a cluster (`instance.fbs`, `.stow`) or on a snapshot of one. The bytes are read during the call only.
    ///
    /// # Errors
    /// As [`Instance::load`].
    pub fn open(bytes: &[u8]) -> Result<Self> {
        Self::open_raw(bytes, &Limits::default(), None)
    }

    /// [`Session::open`] with the caller's limits; the session refuses what exceeds them, now or later.
    ///
    /// # Errors
    /// As [`Instance::load`].
    pub fn open_within(bytes: &[u8], limits: &Limits) -> Result<Self> {
        Self::open_raw(bytes, limits, None)
    }

    /// [`Session::open_within`] under a control.
    ///
    /// # Errors
    /// As [`Instance::load`], and `Cancelled`.
    pub fn open_with(bytes: &[u8], limits: &Limits, control: &mut Control) -> Result<Self> {
        Self::open_raw(bytes, limits, Some(control))
    }

    fn open_raw(bytes: &[u8], limits: &Limits, control: Option<&mut Control>) -> Result<Self> {
        let (raw, control) = (limits.raw(), control::raw(control));
        let mut handle = ptr::null_mut();
        // SAFETY: all pointers are valid during the call; `control` may be null.
        check(|error| unsafe {
            sys::stowage_session_open_watched(bytes.as_ptr(), bytes.len(), &raw, control, &mut handle, error)
        })?;
        Ok(Self { handle: NonNull::new(handle).expect("a call that succeeds gives a handle"), limits: *limits })
    }

    /// Number of operations and commits so far.
    pub fn version(&self) -> u64 {
        // SAFETY: the handle is alive.
        unsafe { sys::stowage_session_version(self.handle.as_ptr()) }
    }

    /// Applies operations: all of them, or none if one is refused.
    ///
    /// # Errors
    /// `Invalid`, `NotFound`, `LimitExceeded`, `OutOfMemory`.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<()> {
        self.apply_raw(operations::encode(operations).finished_data(), None)
    }

    /// [`Session::apply`] under a control.
    ///
    /// # Errors
    /// As [`Session::apply`], and `Cancelled`.
    pub fn apply_with(&mut self, operations: &[Operation], control: &mut Control) -> Result<()> {
        self.apply_raw(operations::encode(operations).finished_data(), Some(control))
    }

    /// [`Session::apply`] for operations that are encoded already (`session.fbs`).
    ///
    /// # Errors
    /// As [`Session::apply`], and `Malformed`.
    pub fn apply_bytes(&mut self, operations: &[u8]) -> Result<()> {
        self.apply_raw(operations, None)
    }

    /// [`Session::apply_bytes`] under a control.
    ///
    /// # Errors
    /// As [`Session::apply_bytes`], and `Cancelled`.
    pub fn apply_bytes_with(&mut self, operations: &[u8], control: &mut Control) -> Result<()> {
        self.apply_raw(operations, Some(control))
    }

    fn apply_raw(&mut self, operations: &[u8], control: Option<&mut Control>) -> Result<()> {
        let control = control::raw(control);
        // SAFETY: the handle is alive, all pointers are valid during the call, `control` may be null and is not freed meanwhile.
        check(|error| unsafe {
            sys::stowage_session_apply_watched(self.handle.as_ptr(), operations.as_ptr(), operations.len(), control, error)
        })
    }

    /// The cluster as it is now, with all pending replicas. Other threads may plan it while the session goes on.
    ///
    /// # Errors
    /// `LimitExceeded`, `OutOfMemory`.
    pub fn instance(&mut self) -> Result<Instance> {
        self.instance_raw(None)
    }

    /// [`Session::instance`] under a control.
    ///
    /// # Errors
    /// As [`Session::instance`], and `Cancelled`.
    pub fn instance_with(&mut self, control: &mut Control) -> Result<Instance> {
        self.instance_raw(Some(control))
    }

    fn instance_raw(&mut self, control: Option<&mut Control>) -> Result<Instance> {
        let control = control::raw(control);
        // SAFETY: as in `apply_raw`.
        Instance::made(|handle, error| unsafe {
            sys::stowage_session_instance_watched(self.handle.as_ptr(), control, handle, error)
        })
    }

    /// Runs a planner on the cluster as it is now.
    ///
    /// # Errors
    /// As [`Instance::plan`].
    pub fn plan(&mut self, request: &Request) -> Result<Plan> {
        self.plan_raw(request, None)
    }

    /// [`Session::plan`] with a control, as [`Instance::plan_with`].
    ///
    /// # Errors
    /// As [`Instance::plan`].
    pub fn plan_with(&mut self, request: &Request, control: &mut Control) -> Result<Plan> {
        self.plan_raw(request, Some(control))
    }

    fn plan_raw(&mut self, request: &Request, control: Option<&mut Control>) -> Result<Plan> {
        let (request, control) = (request.finished(), control::raw(control));
        let bytes = request.finished_data();
        // SAFETY: as in `apply_raw`.
        let plan = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_session_plan(self.handle.as_ptr(), bytes.as_ptr(), bytes.len(), control, buffer, error)
        })?;
        Plan::decode(plan.bytes())
    }

    /// Commits a plan: its replicas run from now on. A conflict is no error; the result lists conflicts.
    ///
    /// # Errors
    /// `Malformed`, `Invalid` (the plan breaks constraints, or the session does not remember its state), `LimitExceeded`,
    /// `OutOfMemory`.
    pub fn commit(&mut self, plan: &[u8], mode: CommitMode) -> Result<Commit> {
        self.commit_raw(plan, mode, None)
    }

    /// [`Session::commit`] under a control.
    ///
    /// # Errors
    /// As [`Session::commit`], and `Cancelled`.
    pub fn commit_with(&mut self, plan: &[u8], mode: CommitMode, control: &mut Control) -> Result<Commit> {
        self.commit_raw(plan, mode, Some(control))
    }

    fn commit_raw(&mut self, plan: &[u8], mode: CommitMode, control: Option<&mut Control>) -> Result<Commit> {
        let mode = match mode {
            CommitMode::Exact => sys::STOWAGE_COMMIT_EXACT,
            CommitMode::Whole => sys::STOWAGE_COMMIT_WHOLE,
            CommitMode::Fitting => sys::STOWAGE_COMMIT_FITTING,
        };
        let control = control::raw(control);
        // SAFETY: as in `apply_raw`.
        let report = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_session_commit_watched(self.handle.as_ptr(), plan.as_ptr(), plan.len(), mode, control, buffer, error)
        })?;
        reports::body(report.bytes(), wire::Report::body_as_commit)
    }

    /// Drops a plan; its replicas stay pending.
    ///
    /// # Errors
    /// `Malformed`, `Invalid` (the session does not remember the plan's state of the cluster), `OutOfMemory`.
    pub fn reject(&mut self, plan: &[u8]) -> Result<()> {
        self.reject_raw(plan, None)
    }

    /// [`Session::reject`] under a control.
    ///
    /// # Errors
    /// As [`Session::reject`], and `Cancelled`.
    pub fn reject_with(&mut self, plan: &[u8], control: &mut Control) -> Result<()> {
        self.reject_raw(plan, Some(control))
    }

    fn reject_raw(&mut self, plan: &[u8], control: Option<&mut Control>) -> Result<()> {
        let control = control::raw(control);
        // SAFETY: as in `apply_raw`.
        check(|error| unsafe {
            sys::stowage_session_reject_watched(self.handle.as_ptr(), plan.as_ptr(), plan.len(), control, error)
        })
    }

    /// The complete state of the session as the bytes of an instance. [`Session::open`] continues from it; [`Instance::load`]
    /// reads it.
    ///
    /// # Errors
    /// `LimitExceeded`, `OutOfMemory`.
    pub fn snapshot(&self) -> Result<Vec<u8>> {
        Ok(self.snapshot_raw(None)?.bytes().to_vec())
    }

    /// [`Session::snapshot`] under a control.
    ///
    /// # Errors
    /// As [`Session::snapshot`], and `Cancelled`.
    pub fn snapshot_with(&self, control: &mut Control) -> Result<Vec<u8>> {
        Ok(self.snapshot_raw(Some(control))?.bytes().to_vec())
    }

    pub(crate) fn snapshot_raw(&self, control: Option<&mut Control>) -> Result<Buffer> {
        let control = control::raw(control);
        // SAFETY: as in `apply_raw`.
        Buffer::fill(|buffer, error| unsafe {
            sys::stowage_session_snapshot_watched(self.handle.as_ptr(), control, buffer, error)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: freed once; borrows of `self` keep it from happening during a call.
        unsafe { sys::stowage_session_free(self.handle.as_ptr()) }
    }
}
