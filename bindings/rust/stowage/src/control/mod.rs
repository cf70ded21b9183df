//! Watching and cancelling calls from other threads.

use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::time::Duration;

use stowage_sys as sys;

use crate::error::{check, Result};

/// Watches and cancels a call. It serves one call at a time, as the exclusive borrow of [`Instance::plan_with`] and of all other
/// functions whose name ends in `_with` ensures.
///
/// ```
/// # use stowage::{Control, InstanceBuilder, App, Class, PlanStatus, Request};
/// # let mut builder = InstanceBuilder::new("");
/// # builder.resource("cpu", "cores");
/// # builder.class(Class::new("", [8.0]));
/// # builder.app(App::new("", 10, [3.0]));
/// # let instance = builder.build()?;
/// let mut control = Control::new()?;
/// let handle = control.handle();
/// std::thread::scope(|scope| {
///     scope.spawn(move || handle.cancel());
///     instance.plan_with(&Request::new("auto"), &mut control)
/// })?;
/// # Ok::<(), stowage::Error>(())
/// ```
///
/// In asynchronous code, the call runs on a thread for blocking work, and a [`CancelGuard`] ends it where its future is dropped:
///
/// ```
/// # use stowage::{Control, Instance, Plan, Request, Result};
/// # async fn spawn_blocking<T>(work: impl FnOnce() -> T) -> T { work() }
/// async fn plan(instance: std::sync::Arc<Instance>, request: Request) -> Result<Plan> {
///     let mut control = Control::new()?;
///     let _guard = control.handle().cancel_on_drop();
///     spawn_blocking(move || instance.plan_with(&request, &mut control)).await
/// }
/// ```
///
/// [`Instance::plan_with`]: crate::Instance::plan_with
#[derive(Debug)]
pub struct Control {
    handle: ControlHandle,
}

/// Watches and cancels the call that is given a [`Control`], from any thread.
#[derive(Clone, Debug)]
pub struct ControlHandle(Arc<RawControl>);

#[derive(Debug)]
struct RawControl(NonNull<sys::stowage_control>);

// SAFETY: stowage.h: a control may be touched by any thread at any time, but for free, which happens when the last owner is gone.
unsafe impl Send for RawControl {}
unsafe impl Sync for RawControl {}

impl Drop for RawControl {
    fn drop(&mut self) {
        // SAFETY: freed once, by the last owner.
        unsafe { sys::stowage_control_free(self.0.as_ptr()) }
    }
}

impl Control {
    /// A new control.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub fn new() -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: both pointers are valid during the call.
        check(|error| unsafe { sys::stowage_control_new(&mut raw, error) })?;
        let raw = NonNull::new(raw).expect("a call that succeeds gives a handle");
        Ok(Self { handle: ControlHandle(Arc::new(RawControl(raw))) })
    }

    /// A handle for another thread.
    pub fn handle(&self) -> ControlHandle {
        self.handle.clone()
    }

    /// Prepares the control for another call: not cancelled, phase idle. The deadline stays.
    pub fn reset(&mut self) {
        // SAFETY: alive.
        unsafe { sys::stowage_control_reset(raw(Some(self))) }
    }

    /// Limits the wall-clock time of each later call, rounded up to whole milliseconds; none: no limit. A run of a planner ends as by
    /// its request's deadline. Other calls end as if they were cancelled then.
    pub fn set_deadline(&mut self, time: Option<Duration>) {
        // 0 stands for no limit.
        let milliseconds = time.map_or(0, |time| crate::codec::milliseconds(time).max(1));
        // SAFETY: alive. It fails for null only.
        let status = unsafe { sys::stowage_control_set_deadline(raw(Some(self)), milliseconds) };
        debug_assert_eq!(status, sys::STOWAGE_OK);
    }
}

/// The control as the library takes it: null for none. It stays alive as long as the caller holds the borrow.
pub(crate) fn raw(control: Option<&mut Control>) -> *mut sys::stowage_control {
    control.map_or(ptr::null_mut(), |one| one.handle.0 .0.as_ptr())
}

impl ControlHandle {
    /// Asks the call to end: a run with its best plan so far, `explain`, `losses`, `order_moves` and `bounds` with what they have, all
    /// others with the error `Cancelled`. Any number of times, before or during a call; stays in effect until [`Control::reset`].
    pub fn cancel(&self) {
        // SAFETY: alive; may be called from any thread.
        unsafe { sys::stowage_control_cancel(self.0 .0.as_ptr()) }
    }

    /// A guard that cancels when it is dropped.
    pub fn cancel_on_drop(self) -> CancelGuard {
        CancelGuard(self)
    }

    /// Progress of the run.
    pub fn progress(&self) -> Progress {
        let mut raw = sys::stowage_progress {
            struct_size: size_of::<sys::stowage_progress>(),
            phase: sys::STOWAGE_PHASE_IDLE,
            cancelled: 0,
            done: 0,
            total: 0,
            best: 0,
            work: 0,
            nanoseconds: [0; sys::STOWAGE_PHASE_END as usize],
            value: -1.0,
            left_over: 0,
        };
        // SAFETY: both pointers are valid during the call. It fails for null and for an unknown size only.
        let status = unsafe { sys::stowage_control_progress(self.0 .0.as_ptr(), &mut raw) };
        debug_assert_eq!(status, sys::STOWAGE_OK);
        Progress {
            phase: Phase::of(raw.phase),
            cancelled: raw.cancelled != 0,
            done: raw.done,
            total: (raw.total != 0).then_some(raw.total),
            best: (raw.best != 0).then_some(raw.best),
            value: (raw.value >= 0.0).then_some(raw.value),
            left_over: raw.left_over,
            work: raw.work,
            spent: raw.nanoseconds.map(Duration::from_nanos),
        }
    }
}

/// Cancels the call of a [`Control`] when it is dropped. A call that has ended does not notice.
#[derive(Debug)]
#[must_use = "it cancels at once if it is not kept"]
pub struct CancelGuard(ControlHandle);

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The phases of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// Nothing runs.
    Idle,
    /// The instance is prepared for the planner.
    Prepare,
    /// A first plan is made.
    Plan,
    /// It is improved.
    Improve,
    /// Lower bounds are computed.
    Bound,
    /// The plan is checked.
    Verify,
    /// The run has ended.
    Done,
    /// A phase that this crate does not know.
    Unknown(u32),
}

impl Phase {
    fn of(number: u32) -> Self {
        match number {
            sys::STOWAGE_PHASE_IDLE => Self::Idle,
            sys::STOWAGE_PHASE_PREPARE => Self::Prepare,
            sys::STOWAGE_PHASE_PLAN => Self::Plan,
            sys::STOWAGE_PHASE_IMPROVE => Self::Improve,
            sys::STOWAGE_PHASE_BOUND => Self::Bound,
            sys::STOWAGE_PHASE_VERIFY => Self::Verify,
            sys::STOWAGE_PHASE_DONE => Self::Done,
            other => Self::Unknown(other),
        }
    }
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub struct Progress {
    pub phase: Phase,
    pub cancelled: bool,
    /// How far the phase has come: replicas or nodes handled; while a plan is improved, work units of the work limit, else
    /// milliseconds of the deadline.
    pub done: u64,
    /// Value of `done` at the end of the phase, where it is known.
    pub total: Option<u64>,
    /// Nodes in use in the best plan so far.
    pub best: Option<u64>,
    /// What the objective minimizes, in the best plan so far, where it is known.
    pub value: Option<f64>,
    /// Replicas that the best plan so far leaves over.
    pub left_over: u64,
    /// Work units done in all phases.
    pub work: u64,
    /// Wall-clock time of each phase that has ended, in the order of [`Phase`].
    pub spent: [Duration; sys::STOWAGE_PHASE_END as usize],
}
