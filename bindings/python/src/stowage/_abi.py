# Made by scripts/generate-bindings.py from stowage.h. Do not edit.
"""The functions, structs and constants of stowage.h and stowage_text.h, as they are."""

import ctypes
from collections.abc import Callable
from typing import Any

STOWAGE_VERSION_MAJOR = 0
STOWAGE_VERSION_MINOR = 1
STOWAGE_VERSION_PATCH = 0
STOWAGE_MESSAGE_SIZE = 512
STOWAGE_PATH_SIZE = 128
STOWAGE_ALL_UNPLACED = 4294967295
STOWAGE_NO_NODE = 4294967295
STOWAGE_OK = 0
STOWAGE_INVALID_ARGUMENT = 1
STOWAGE_MALFORMED = 2
STOWAGE_INVALID = 3
STOWAGE_UNSUPPORTED = 4
STOWAGE_LIMIT_EXCEEDED = 5
STOWAGE_NOT_FOUND = 6
STOWAGE_OUT_OF_MEMORY = 7
STOWAGE_INTERNAL = 8
STOWAGE_CANCELLED = 9
STOWAGE_BUSY = 10
STOWAGE_STATUS_END = 11
STOWAGE_PHASE_IDLE = 0
STOWAGE_PHASE_PREPARE = 1
STOWAGE_PHASE_PLAN = 2
STOWAGE_PHASE_IMPROVE = 3
STOWAGE_PHASE_BOUND = 4
STOWAGE_PHASE_VERIFY = 5
STOWAGE_PHASE_DONE = 6
STOWAGE_PHASE_END = 7
STOWAGE_KIND_INSTANCE = 0
STOWAGE_KIND_REQUEST = 1
STOWAGE_KIND_PLAN = 2
STOWAGE_KIND_REPORT = 3
STOWAGE_KIND_CATALOGUE = 4
STOWAGE_KIND_OPERATIONS = 5
STOWAGE_KIND_LEARNING = 6
STOWAGE_KIND_DERIVATION = 7
STOWAGE_KIND_END = 8
STOWAGE_ANSWER_FAILED = 0
STOWAGE_ANSWER_OPTIMAL = 1
STOWAGE_ANSWER_FEASIBLE = 2
STOWAGE_ANSWER_UNSOLVED = 3
STOWAGE_ANSWER_INFEASIBLE = 4
STOWAGE_ANSWER_UNBOUNDED = 5
STOWAGE_ANSWER_END = 6
STOWAGE_COMMIT_EXACT = 0
STOWAGE_COMMIT_WHOLE = 1
STOWAGE_COMMIT_FITTING = 2
STOWAGE_COMMIT_END = 3


class stowage_error(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_uint32),
        ("message", ctypes.c_char * 512),
        ("path", ctypes.c_char * 128),
    ]


class stowage_buffer(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
    ]


class stowage_limits(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("max_bytes", ctypes.c_uint64),
        ("max_apps", ctypes.c_uint64),
        ("max_replicas", ctypes.c_uint64),
        ("max_limits", ctypes.c_uint64),
        ("max_nodes", ctypes.c_uint64),
        ("max_cells", ctypes.c_uint64),
        ("max_threads", ctypes.c_uint64),
        ("max_memory", ctypes.c_uint64),
    ]


class stowage_progress(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("phase", ctypes.c_uint32),
        ("cancelled", ctypes.c_uint32),
        ("done", ctypes.c_uint64),
        ("total", ctypes.c_uint64),
        ("best", ctypes.c_uint64),
        ("work", ctypes.c_uint64),
        ("nanoseconds", ctypes.c_uint64 * 7),
        ("value", ctypes.c_double),
        ("left_over", ctypes.c_uint64),
    ]


class stowage_program(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("columns", ctypes.c_uint64),
        ("rows", ctypes.c_uint64),
        ("entries", ctypes.c_uint64),
        ("cost", ctypes.c_void_p),
        ("lower", ctypes.c_void_p),
        ("upper", ctypes.c_void_p),
        ("whole", ctypes.c_void_p),
        ("row_lower", ctypes.c_void_p),
        ("row_upper", ctypes.c_void_p),
        ("row_begin", ctypes.c_void_p),
        ("entry_column", ctypes.c_void_p),
        ("entry_value", ctypes.c_void_p),
        ("start", ctypes.c_void_p),
        ("seconds", ctypes.c_double),
        ("gap", ctypes.c_double),
        ("max_nodes", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
        ("threads", ctypes.c_uint64),
    ]


class stowage_answer(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("status", ctypes.c_uint32),
        ("bound", ctypes.c_double),
        ("values", ctypes.c_void_p),
        ("duals", ctypes.c_void_p),
        ("nodes", ctypes.c_uint64),
    ]


class stowage_solver(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("solve", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    ]


def _declare(library: ctypes.CDLL, name: str, result: Any, *parameters: Any) -> Callable[..., Any]:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = parameters
    declared: Callable[..., Any] = function
    return declared


class Library:
    """The functions of stowage.h in a loaded library. A call releases the global interpreter lock."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.stowage_bound = _declare(
            library,
            "stowage_bound",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_bound_watched = _declare(
            library,
            "stowage_bound_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_buffer_free = _declare(
            library,
            "stowage_buffer_free",
            None,
            ctypes.POINTER(stowage_buffer),
        )
        self.stowage_check = _declare(
            library,
            "stowage_check",
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.c_void_p,
            ctypes.POINTER(stowage_error),
        )
        self.stowage_control_cancel = _declare(
            library,
            "stowage_control_cancel",
            None,
            ctypes.c_void_p,
        )
        self.stowage_control_free = _declare(
            library,
            "stowage_control_free",
            None,
            ctypes.c_void_p,
        )
        self.stowage_control_new = _declare(
            library,
            "stowage_control_new",
            ctypes.c_uint32,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_control_progress = _declare(
            library,
            "stowage_control_progress",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_progress),
        )
        self.stowage_control_reset = _declare(
            library,
            "stowage_control_reset",
            None,
            ctypes.c_void_p,
        )
        self.stowage_control_set_deadline = _declare(
            library,
            "stowage_control_set_deadline",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_uint64,
        )
        self.stowage_control_set_solver = _declare(
            library,
            "stowage_control_set_solver",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_solver),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_explain = _declare(
            library,
            "stowage_explain",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_headroom = _declare(
            library,
            "stowage_headroom",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_headroom_of_apps = _declare(
            library,
            "stowage_headroom_of_apps",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_headroom_of_apps_watched = _declare(
            library,
            "stowage_headroom_of_apps_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_headroom_watched = _declare(
            library,
            "stowage_headroom_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_derive = _declare(
            library,
            "stowage_instance_derive",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_derive_watched = _declare(
            library,
            "stowage_instance_derive_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_fingerprint = _declare(
            library,
            "stowage_instance_fingerprint",
            ctypes.c_uint64,
            ctypes.c_void_p,
        )
        self.stowage_instance_free = _declare(
            library,
            "stowage_instance_free",
            None,
            ctypes.c_void_p,
        )
        self.stowage_instance_load = _declare(
            library,
            "stowage_instance_load",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_load_watched = _declare(
            library,
            "stowage_instance_load_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_save = _declare(
            library,
            "stowage_instance_save",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_save_watched = _declare(
            library,
            "stowage_instance_save_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_losses = _declare(
            library,
            "stowage_losses",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_free = _declare(
            library,
            "stowage_model_free",
            None,
            ctypes.c_void_p,
        )
        self.stowage_model_learn = _declare(
            library,
            "stowage_model_learn",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_learn_watched = _declare(
            library,
            "stowage_model_learn_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_load = _declare(
            library,
            "stowage_model_load",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_load_watched = _declare(
            library,
            "stowage_model_load_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_recommend = _declare(
            library,
            "stowage_model_recommend",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_recommend_watched = _declare(
            library,
            "stowage_model_recommend_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_save = _declare(
            library,
            "stowage_model_save",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_model_save_watched = _declare(
            library,
            "stowage_model_save_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_order_moves = _declare(
            library,
            "stowage_order_moves",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_double,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_plan = _declare(
            library,
            "stowage_plan",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_planners = _declare(
            library,
            "stowage_planners",
            ctypes.c_uint32,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_apply = _declare(
            library,
            "stowage_session_apply",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_apply_watched = _declare(
            library,
            "stowage_session_apply_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_commit = _declare(
            library,
            "stowage_session_commit",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_commit_watched = _declare(
            library,
            "stowage_session_commit_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_free = _declare(
            library,
            "stowage_session_free",
            None,
            ctypes.c_void_p,
        )
        self.stowage_session_instance = _declare(
            library,
            "stowage_session_instance",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_instance_watched = _declare(
            library,
            "stowage_session_instance_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_open = _declare(
            library,
            "stowage_session_open",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_open_watched = _declare(
            library,
            "stowage_session_open_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_plan = _declare(
            library,
            "stowage_session_plan",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_reject = _declare(
            library,
            "stowage_session_reject",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_reject_watched = _declare(
            library,
            "stowage_session_reject_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_snapshot = _declare(
            library,
            "stowage_session_snapshot",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_snapshot_watched = _declare(
            library,
            "stowage_session_snapshot_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_session_version = _declare(
            library,
            "stowage_session_version",
            ctypes.c_uint64,
            ctypes.c_void_p,
        )
        self.stowage_size = _declare(
            library,
            "stowage_size",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_size_watched = _declare(
            library,
            "stowage_size_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_status_text = _declare(
            library,
            "stowage_status_text",
            ctypes.c_char_p,
            ctypes.c_uint32,
        )
        self.stowage_verify = _declare(
            library,
            "stowage_verify",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_verify_watched = _declare(
            library,
            "stowage_verify_watched",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_version = _declare(
            library,
            "stowage_version",
            ctypes.c_char_p,
        )


class TextLibrary:
    """The functions of stowage_text.h in a loaded library. A call releases the global interpreter lock."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.stowage_explanation_to_text = _declare(
            library,
            "stowage_explanation_to_text",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_from_json = _declare(
            library,
            "stowage_instance_from_json",
            ctypes.c_uint32,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_instance_to_json = _declare(
            library,
            "stowage_instance_to_json",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_operations_from_json = _declare(
            library,
            "stowage_operations_from_json",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_plan_from_json = _declare(
            library,
            "stowage_plan_from_json",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_plan_to_html = _declare(
            library,
            "stowage_plan_to_html",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_plan_to_json = _declare(
            library,
            "stowage_plan_to_json",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_plan_to_svg = _declare(
            library,
            "stowage_plan_to_svg",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
        self.stowage_plan_to_text = _declare(
            library,
            "stowage_plan_to_text",
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.POINTER(stowage_limits),
            ctypes.POINTER(stowage_buffer),
            ctypes.POINTER(stowage_error),
        )
