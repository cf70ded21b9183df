// Made by scripts/generate-bindings.py from stowage.h. Do not edit.
use core::ffi::{c_char, c_uint, c_void};

pub const STOWAGE_VERSION_MAJOR: u32 = 0;
pub const STOWAGE_VERSION_MINOR: u32 = 1;
pub const STOWAGE_VERSION_PATCH: u32 = 0;
pub const STOWAGE_MESSAGE_SIZE: usize = 512;
pub const STOWAGE_PATH_SIZE: usize = 128;
pub const STOWAGE_ALL_UNPLACED: u32 = 4294967295;
pub const STOWAGE_NO_NODE: u32 = 4294967295;

pub type stowage_status = c_uint;
pub const STOWAGE_OK: stowage_status = 0;
pub const STOWAGE_INVALID_ARGUMENT: stowage_status = 1;
pub const STOWAGE_MALFORMED: stowage_status = 2;
pub const STOWAGE_INVALID: stowage_status = 3;
pub const STOWAGE_UNSUPPORTED: stowage_status = 4;
pub const STOWAGE_LIMIT_EXCEEDED: stowage_status = 5;
pub const STOWAGE_NOT_FOUND: stowage_status = 6;
pub const STOWAGE_OUT_OF_MEMORY: stowage_status = 7;
pub const STOWAGE_INTERNAL: stowage_status = 8;
pub const STOWAGE_CANCELLED: stowage_status = 9;
pub const STOWAGE_BUSY: stowage_status = 10;
pub const STOWAGE_STATUS_END: stowage_status = 11;

pub type stowage_phase = c_uint;
pub const STOWAGE_PHASE_IDLE: stowage_phase = 0;
pub const STOWAGE_PHASE_PREPARE: stowage_phase = 1;
pub const STOWAGE_PHASE_PLAN: stowage_phase = 2;
pub const STOWAGE_PHASE_IMPROVE: stowage_phase = 3;
pub const STOWAGE_PHASE_BOUND: stowage_phase = 4;
pub const STOWAGE_PHASE_VERIFY: stowage_phase = 5;
pub const STOWAGE_PHASE_DONE: stowage_phase = 6;
pub const STOWAGE_PHASE_END: stowage_phase = 7;

pub type stowage_kind = c_uint;
pub const STOWAGE_KIND_INSTANCE: stowage_kind = 0;
pub const STOWAGE_KIND_REQUEST: stowage_kind = 1;
pub const STOWAGE_KIND_PLAN: stowage_kind = 2;
pub const STOWAGE_KIND_REPORT: stowage_kind = 3;
pub const STOWAGE_KIND_CATALOGUE: stowage_kind = 4;
pub const STOWAGE_KIND_OPERATIONS: stowage_kind = 5;
pub const STOWAGE_KIND_LEARNING: stowage_kind = 6;
pub const STOWAGE_KIND_DERIVATION: stowage_kind = 7;
pub const STOWAGE_KIND_END: stowage_kind = 8;

pub type stowage_answer_status = c_uint;
pub const STOWAGE_ANSWER_FAILED: stowage_answer_status = 0;
pub const STOWAGE_ANSWER_OPTIMAL: stowage_answer_status = 1;
pub const STOWAGE_ANSWER_FEASIBLE: stowage_answer_status = 2;
pub const STOWAGE_ANSWER_UNSOLVED: stowage_answer_status = 3;
pub const STOWAGE_ANSWER_INFEASIBLE: stowage_answer_status = 4;
pub const STOWAGE_ANSWER_UNBOUNDED: stowage_answer_status = 5;
pub const STOWAGE_ANSWER_END: stowage_answer_status = 6;

pub type stowage_commit_mode = c_uint;
pub const STOWAGE_COMMIT_EXACT: stowage_commit_mode = 0;
pub const STOWAGE_COMMIT_WHOLE: stowage_commit_mode = 1;
pub const STOWAGE_COMMIT_FITTING: stowage_commit_mode = 2;
pub const STOWAGE_COMMIT_END: stowage_commit_mode = 3;

#[repr(C)]
pub struct stowage_instance {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
pub struct stowage_control {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
pub struct stowage_session {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
pub struct stowage_model {
    _opaque: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

/// Solves a program: context, program, control, answer.
pub type stowage_solve = Option<
    unsafe extern "C" fn(*mut c_void, *const stowage_program, *const stowage_control, *mut stowage_answer),
>;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_error {
    pub status: stowage_status,
    pub message: [c_char; 512],
    pub path: [c_char; 128],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_buffer {
    pub data: *mut u8,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_limits {
    pub struct_size: usize,
    pub max_bytes: u64,
    pub max_apps: u64,
    pub max_replicas: u64,
    pub max_limits: u64,
    pub max_nodes: u64,
    pub max_cells: u64,
    pub max_threads: u64,
    pub max_memory: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_progress {
    pub struct_size: usize,
    pub phase: u32,
    pub cancelled: u32,
    pub done: u64,
    pub total: u64,
    pub best: u64,
    pub work: u64,
    pub nanoseconds: [u64; 7],
    pub value: f64,
    pub left_over: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_program {
    pub struct_size: usize,
    pub columns: u64,
    pub rows: u64,
    pub entries: u64,
    pub cost: *const f64,
    pub lower: *const f64,
    pub upper: *const f64,
    pub whole: *const u8,
    pub row_lower: *const f64,
    pub row_upper: *const f64,
    pub row_begin: *const u64,
    pub entry_column: *const u32,
    pub entry_value: *const f64,
    pub start: *const f64,
    pub seconds: f64,
    pub gap: f64,
    pub max_nodes: u64,
    pub seed: u64,
    pub threads: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_answer {
    pub struct_size: usize,
    pub status: u32,
    pub bound: f64,
    pub values: *mut f64,
    pub duals: *mut f64,
    pub nodes: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stowage_solver {
    pub struct_size: usize,
    pub solve: stowage_solve,
    pub context: *mut c_void,
}

unsafe extern "C" {
    pub fn stowage_bound(
        instance: *const stowage_instance,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_bound_watched(
        instance: *const stowage_instance,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_buffer_free(
        buffer: *mut stowage_buffer,
    );
    pub fn stowage_check(
        kind: u32,
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        control: *mut stowage_control,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_control_cancel(
        control: *mut stowage_control,
    );
    pub fn stowage_control_free(
        control: *mut stowage_control,
    );
    pub fn stowage_control_new(
        control: *mut *mut stowage_control,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_control_progress(
        control: *const stowage_control,
        progress: *mut stowage_progress,
    ) -> stowage_status;
    pub fn stowage_control_reset(
        control: *mut stowage_control,
    );
    pub fn stowage_control_set_deadline(
        control: *mut stowage_control,
        milliseconds: u64,
    ) -> stowage_status;
    pub fn stowage_control_set_solver(
        control: *mut stowage_control,
        solver: *const stowage_solver,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_explain(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        app: u32,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_headroom(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        app: u32,
        node: u32,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_headroom_of_apps(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        most: u32,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_headroom_of_apps_watched(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        most: u32,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_headroom_watched(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        app: u32,
        node: u32,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_derive(
        instance: *const stowage_instance,
        derivation: *const u8,
        size: usize,
        limits: *const stowage_limits,
        derived: *mut *mut stowage_instance,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_derive_watched(
        instance: *const stowage_instance,
        derivation: *const u8,
        size: usize,
        limits: *const stowage_limits,
        control: *mut stowage_control,
        derived: *mut *mut stowage_instance,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_fingerprint(
        instance: *const stowage_instance,
    ) -> u64;
    pub fn stowage_instance_free(
        instance: *mut stowage_instance,
    );
    pub fn stowage_instance_load(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        instance: *mut *mut stowage_instance,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_load_watched(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        control: *mut stowage_control,
        instance: *mut *mut stowage_instance,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_save(
        instance: *const stowage_instance,
        bytes: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_save_watched(
        instance: *const stowage_instance,
        control: *mut stowage_control,
        bytes: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_losses(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        nodes: *const u32,
        node_count: usize,
        label: *const u8,
        label_size: usize,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_free(
        model: *mut stowage_model,
    );
    pub fn stowage_model_learn(
        profiles: *const u8,
        size: usize,
        limits: *const stowage_limits,
        model: *mut *mut stowage_model,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_learn_watched(
        profiles: *const u8,
        size: usize,
        limits: *const stowage_limits,
        control: *mut stowage_control,
        model: *mut *mut stowage_model,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_load(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        model: *mut *mut stowage_model,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_load_watched(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        control: *mut stowage_control,
        model: *mut *mut stowage_model,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_recommend(
        model: *const stowage_model,
        question: *const u8,
        size: usize,
        recommendations: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_recommend_watched(
        model: *const stowage_model,
        question: *const u8,
        size: usize,
        control: *mut stowage_control,
        recommendations: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_save(
        model: *const stowage_model,
        bytes: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_model_save_watched(
        model: *const stowage_model,
        control: *mut stowage_control,
        bytes: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_order_moves(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        moves_per_node: u32,
        app_share: f64,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_plan(
        instance: *const stowage_instance,
        request: *const u8,
        size: usize,
        control: *mut stowage_control,
        plan: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_planners(
        catalogue: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_apply(
        session: *mut stowage_session,
        operations: *const u8,
        size: usize,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_apply_watched(
        session: *mut stowage_session,
        operations: *const u8,
        size: usize,
        control: *mut stowage_control,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_commit(
        session: *mut stowage_session,
        plan: *const u8,
        size: usize,
        mode: u32,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_commit_watched(
        session: *mut stowage_session,
        plan: *const u8,
        size: usize,
        mode: u32,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_free(
        session: *mut stowage_session,
    );
    pub fn stowage_session_instance(
        session: *mut stowage_session,
        instance: *mut *mut stowage_instance,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_instance_watched(
        session: *mut stowage_session,
        control: *mut stowage_control,
        instance: *mut *mut stowage_instance,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_open(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        session: *mut *mut stowage_session,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_open_watched(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        control: *mut stowage_control,
        session: *mut *mut stowage_session,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_plan(
        session: *mut stowage_session,
        request: *const u8,
        size: usize,
        control: *mut stowage_control,
        plan: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_reject(
        session: *mut stowage_session,
        plan: *const u8,
        size: usize,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_reject_watched(
        session: *mut stowage_session,
        plan: *const u8,
        size: usize,
        control: *mut stowage_control,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_snapshot(
        session: *const stowage_session,
        snapshot: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_snapshot_watched(
        session: *const stowage_session,
        control: *mut stowage_control,
        snapshot: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_session_version(
        session: *const stowage_session,
    ) -> u64;
    pub fn stowage_size(
        usage: *const u8,
        size: usize,
        sizes: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_size_watched(
        usage: *const u8,
        size: usize,
        control: *mut stowage_control,
        sizes: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_status_text(
        status: stowage_status,
    ) -> *const c_char;
    pub fn stowage_verify(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_verify_watched(
        instance: *const stowage_instance,
        plan: *const u8,
        size: usize,
        control: *mut stowage_control,
        report: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_version() -> *const c_char;
}

/// Size of each struct, and the offset of each of its fields, where pointers have 64 bits.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(core::mem::size_of::<stowage_error>() == 644);
    assert!(core::mem::offset_of!(stowage_error, status) == 0);
    assert!(core::mem::offset_of!(stowage_error, message) == 4);
    assert!(core::mem::offset_of!(stowage_error, path) == 516);
    assert!(core::mem::size_of::<stowage_buffer>() == 16);
    assert!(core::mem::offset_of!(stowage_buffer, data) == 0);
    assert!(core::mem::offset_of!(stowage_buffer, size) == 8);
    assert!(core::mem::size_of::<stowage_limits>() == 72);
    assert!(core::mem::offset_of!(stowage_limits, struct_size) == 0);
    assert!(core::mem::offset_of!(stowage_limits, max_bytes) == 8);
    assert!(core::mem::offset_of!(stowage_limits, max_apps) == 16);
    assert!(core::mem::offset_of!(stowage_limits, max_replicas) == 24);
    assert!(core::mem::offset_of!(stowage_limits, max_limits) == 32);
    assert!(core::mem::offset_of!(stowage_limits, max_nodes) == 40);
    assert!(core::mem::offset_of!(stowage_limits, max_cells) == 48);
    assert!(core::mem::offset_of!(stowage_limits, max_threads) == 56);
    assert!(core::mem::offset_of!(stowage_limits, max_memory) == 64);
    assert!(core::mem::size_of::<stowage_progress>() == 120);
    assert!(core::mem::offset_of!(stowage_progress, struct_size) == 0);
    assert!(core::mem::offset_of!(stowage_progress, phase) == 8);
    assert!(core::mem::offset_of!(stowage_progress, cancelled) == 12);
    assert!(core::mem::offset_of!(stowage_progress, done) == 16);
    assert!(core::mem::offset_of!(stowage_progress, total) == 24);
    assert!(core::mem::offset_of!(stowage_progress, best) == 32);
    assert!(core::mem::offset_of!(stowage_progress, work) == 40);
    assert!(core::mem::offset_of!(stowage_progress, nanoseconds) == 48);
    assert!(core::mem::offset_of!(stowage_progress, value) == 104);
    assert!(core::mem::offset_of!(stowage_progress, left_over) == 112);
    assert!(core::mem::size_of::<stowage_program>() == 152);
    assert!(core::mem::offset_of!(stowage_program, struct_size) == 0);
    assert!(core::mem::offset_of!(stowage_program, columns) == 8);
    assert!(core::mem::offset_of!(stowage_program, rows) == 16);
    assert!(core::mem::offset_of!(stowage_program, entries) == 24);
    assert!(core::mem::offset_of!(stowage_program, cost) == 32);
    assert!(core::mem::offset_of!(stowage_program, lower) == 40);
    assert!(core::mem::offset_of!(stowage_program, upper) == 48);
    assert!(core::mem::offset_of!(stowage_program, whole) == 56);
    assert!(core::mem::offset_of!(stowage_program, row_lower) == 64);
    assert!(core::mem::offset_of!(stowage_program, row_upper) == 72);
    assert!(core::mem::offset_of!(stowage_program, row_begin) == 80);
    assert!(core::mem::offset_of!(stowage_program, entry_column) == 88);
    assert!(core::mem::offset_of!(stowage_program, entry_value) == 96);
    assert!(core::mem::offset_of!(stowage_program, start) == 104);
    assert!(core::mem::offset_of!(stowage_program, seconds) == 112);
    assert!(core::mem::offset_of!(stowage_program, gap) == 120);
    assert!(core::mem::offset_of!(stowage_program, max_nodes) == 128);
    assert!(core::mem::offset_of!(stowage_program, seed) == 136);
    assert!(core::mem::offset_of!(stowage_program, threads) == 144);
    assert!(core::mem::size_of::<stowage_answer>() == 48);
    assert!(core::mem::offset_of!(stowage_answer, struct_size) == 0);
    assert!(core::mem::offset_of!(stowage_answer, status) == 8);
    assert!(core::mem::offset_of!(stowage_answer, bound) == 16);
    assert!(core::mem::offset_of!(stowage_answer, values) == 24);
    assert!(core::mem::offset_of!(stowage_answer, duals) == 32);
    assert!(core::mem::offset_of!(stowage_answer, nodes) == 40);
    assert!(core::mem::size_of::<stowage_solver>() == 24);
    assert!(core::mem::offset_of!(stowage_solver, struct_size) == 0);
    assert!(core::mem::offset_of!(stowage_solver, solve) == 8);
    assert!(core::mem::offset_of!(stowage_solver, context) == 16);
};
