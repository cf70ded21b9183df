/*
 * stowage.h - plan where long-running applications run, before they run.
 *
 * Bytes in, bytes out: instances, requests, plans, reports and the catalogue are FlatBuffers (capi/schema). The functions
 * here only move handles and buffers. docs/abi.md states the conventions; in short:
 *
 *  - Every call that can fail returns a stowage_status and, where the caller passes one, fills a stowage_error.
 *    `error` may always be NULL. On failure, output parameters are set to NULL or to an empty buffer.
 *  - The library keeps no global and no thread-local state, prints nothing, starts no thread that outlives the call, and lets
 *    no exception and no signal cross this boundary.
 *  - Input bytes belong to the caller, are only read during the call, and may have any alignment.
 *  - Output buffers belong to the caller, who frees them with stowage_buffer_free().
 *  - A stowage_instance is immutable: any number of threads may use it at once. A stowage_control may be touched by any thread
 *    at any time, but accompanies one run at a time. A stowage_session is used by one thread at a time. A handle is freed once,
 *    after the last call that uses it has returned.
 *
 * Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STOWAGE_H
#define STOWAGE_H

#include <stddef.h>
#include <stdint.h>

#if defined(STOWAGE_STATIC)
#define STOWAGE_API
#elif defined(_WIN32)
#if defined(STOWAGE_BUILD)
#define STOWAGE_API __declspec(dllexport)
#else
#define STOWAGE_API __declspec(dllimport)
#endif
#else
#define STOWAGE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header. stowage_version() tells the version of the library that is linked. */
#define STOWAGE_VERSION_MAJOR 0
#define STOWAGE_VERSION_MINOR 1
#define STOWAGE_VERSION_PATCH 0

/*
 * Whether a call did its work. How good a plan is stands in the plan (PlanStatus in plan.fbs): a partial, cancelled or
 * infeasible plan is still STOWAGE_OK. The numbers are part of the ABI and never change; treat an unknown one as
 * STOWAGE_INTERNAL.
 */
typedef enum stowage_status {
  STOWAGE_OK = 0,
  STOWAGE_INVALID_ARGUMENT = 1, /* a NULL where none is allowed, or a struct_size the library does not know */
  STOWAGE_MALFORMED = 2,        /* the bytes are not a well-formed buffer of the expected kind and version */
  STOWAGE_INVALID = 3,          /* well-formed, but a value is wrong or contradicts another: see error.path */
  STOWAGE_UNSUPPORTED = 4,      /* the planner does not honour a feature that the instance uses */
  STOWAGE_LIMIT_EXCEEDED = 5,   /* larger than the caller's limits or than the library's number ranges */
  STOWAGE_NOT_FOUND = 6,        /* no planner or option, app, node or the like of that name */
  STOWAGE_OUT_OF_MEMORY = 7,
  STOWAGE_INTERNAL = 8, /* a defect of the library; the message helps to report it */
  STOWAGE_STATUS_END = 9
} stowage_status;

#define STOWAGE_MESSAGE_SIZE 512
#define STOWAGE_PATH_SIZE 128

/* Details of a failure. Owned by the caller, filled by the call that failed, left alone by a call that succeeded. */
typedef struct stowage_error {
  stowage_status status;
  char message[STOWAGE_MESSAGE_SIZE]; /* one English sentence, UTF-8, NUL-terminated, shortened where too long */
  char path[STOWAGE_PATH_SIZE];       /* the offending field, such as "apps.demand[51]", or "" */
} stowage_error;

/* Bytes that the library allocated. {NULL, 0} is empty. Aligned for every FlatBuffer. */
typedef struct stowage_buffer {
  uint8_t* data;
  size_t size;
} stowage_buffer;

/*
 * What a caller is ready to accept from an instance. Start from STOWAGE_LIMITS_INIT; 0 in a field means the default given
 * there. The struct grows at its end; struct_size tells the library which fields the caller knows.
 */
typedef struct stowage_limits {
  size_t struct_size;
  uint64_t max_bytes;    /* size of the buffer; default 2^31 - 1 */
  uint64_t max_apps;     /* default 10,000,000 */
  uint64_t max_replicas; /* over all apps; default 100,000,000 */
  uint64_t max_limits;   /* affinity limits; default 500,000,000 */
  uint64_t max_nodes;    /* listed, and in use in any plan; default 10,000,000 */
  uint64_t max_cells;    /* apps x resources x periods; default 500,000,000 */
  uint64_t max_threads;  /* of one run; default 256 */
} stowage_limits;

#define STOWAGE_LIMITS_INIT \
  { sizeof(stowage_limits), 0, 0, 0, 0, 0, 0, 0 }

typedef struct stowage_instance stowage_instance;
typedef struct stowage_control stowage_control;

/* What a run is busy with. */
typedef enum stowage_phase {
  STOWAGE_PHASE_IDLE = 0,
  STOWAGE_PHASE_PREPARE = 1,
  STOWAGE_PHASE_PLAN = 2,
  STOWAGE_PHASE_IMPROVE = 3,
  STOWAGE_PHASE_BOUND = 4,
  STOWAGE_PHASE_VERIFY = 5,
  STOWAGE_PHASE_DONE = 6,
  STOWAGE_PHASE_END = 7
} stowage_phase;

/* What a run has done so far, as polled by stowage_control_progress(). Grows at its end like stowage_limits. */
typedef struct stowage_progress {
  size_t struct_size;
  uint32_t phase;                          /* one of stowage_phase */
  uint32_t cancelled;                      /* 1 once stowage_control_cancel() was called */
  uint64_t done;                           /* replicas handled in this phase (or work units, for planners that improve) */
  uint64_t total;                          /* of so many; 0 = not known */
  uint64_t best;                           /* nodes of the best complete plan so far; 0 = none yet */
  uint64_t work;                           /* work units done in all */
  uint64_t nanoseconds[STOWAGE_PHASE_END]; /* wall-clock time spent in each phase that has ended, by stowage_phase */
} stowage_progress;

#define STOWAGE_PROGRESS_INIT                                           \
  {                                                                     \
    sizeof(stowage_progress), 0, 0, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0, 0 } \
  }

/* Version of the library, "major.minor.patch". Static; never freed. */
STOWAGE_API const char* stowage_version(void);

/* Name of a status, such as "STOWAGE_INVALID"; "STOWAGE_INTERNAL" for a number it does not know. Static; never freed. */
STOWAGE_API const char* stowage_status_text(stowage_status status);

/*
 * Read and check an instance (instance.fbs, identifier "STOI").
 *   bytes, size   the buffer; may be freed as soon as the call returns
 *   limits        NULL for the defaults
 *   instance      receives the handle; free it with stowage_instance_free()
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_instance_load(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                 stowage_instance** instance, stowage_error* error);

/*
 * Fingerprint of an instance's content, the same on every platform. A plan carries that of the instance it was made for.
 * 0 for NULL.
 */
STOWAGE_API uint64_t stowage_instance_fingerprint(const stowage_instance* instance);

/* Free an instance. NULL is allowed. */
STOWAGE_API void stowage_instance_free(stowage_instance* instance);

/*
 * Run a planner.
 *   request, size the request (request.fbs, identifier "STOR")
 *   control       NULL, or a control by which other threads watch and cancel this run
 *   plan          receives the plan (plan.fbs, identifier "STOP"), checked by the independent checker before it is returned
 * Cancel, deadline and work limit are looked at after bounded work and return the best plan so far, with a status in the plan
 * that claims no more than was proven. When several apply, cancelled goes before deadline. A run with 200,000 replicas and
 * more that is cancelled returns at once, with the last plan that was ready.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, UNSUPPORTED, NOT_FOUND, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_plan(const stowage_instance* instance, const uint8_t* request, size_t size,
                                        stowage_control* control, stowage_buffer* plan, stowage_error* error);

/*
 * Check a plan against an instance, on the original numbers and independently of the planners.
 *   plan, size    any plan buffer, hostile ones included
 *   report        receives a report (report.fbs, identifier "STOV") with a Verification
 * A plan that breaks constraints is STOWAGE_OK with ok = false in the report.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_verify(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                          stowage_buffer* report, stowage_error* error);

/*
 * Explain a plan: what makes it need this many nodes, and why replicas are unplaced.
 *   plan, size    the plan
 *   app           index of one app to explain whether or not it is fully placed, or STOWAGE_ALL_UNPLACED
 *   control       NULL, or a control to cancel by: what was found until then is returned
 *   report        receives a report with an Explanation
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan does not belong to the instance, or there is no such app),
 * OUT_OF_MEMORY, INTERNAL.
 */
#define STOWAGE_ALL_UNPLACED UINT32_MAX
STOWAGE_API stowage_status stowage_explain(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t app,
                                           stowage_control* control, stowage_buffer* report, stowage_error* error);

/*
 * Lower bounds on the nodes (and the cost, where prices are given) of any complete plan: a report with Bounds, best first.
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_bound(const stowage_instance* instance, stowage_buffer* report, stowage_error* error);

/*
 * The catalogue of planners (catalogue.fbs, identifier "STOC").
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_planners(stowage_buffer* catalogue, stowage_error* error);

/* Free a buffer and set it to {NULL, 0}. NULL and empty buffers are allowed. */
STOWAGE_API void stowage_buffer_free(stowage_buffer* buffer);

/* A new control. Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY. */
STOWAGE_API stowage_status stowage_control_new(stowage_control** control, stowage_error* error);

/* Free a control that no run uses any more. NULL is allowed. */
STOWAGE_API void stowage_control_free(stowage_control* control);

/* Ask the run to end with what it has. Any thread, any number of times, before or during a run; NULL is allowed. */
STOWAGE_API void stowage_control_cancel(stowage_control* control);

/* Make a control ready for another run: not cancelled, phase idle. Only while no run uses it. NULL is allowed. */
STOWAGE_API void stowage_control_reset(stowage_control* control);

/*
 * Read the progress. The fields are read one by one while the run goes on.
 *   progress      from STOWAGE_PROGRESS_INIT
 * Statuses: OK, INVALID_ARGUMENT.
 */
STOWAGE_API stowage_status stowage_control_progress(const stowage_control* control, stowage_progress* progress);

/*
 * A linear program, some of whose columns may have to be whole, as a planner hands it to a solver:
 *   minimize cost x  subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.
 * Bounds that are missing are infinite. Everything belongs to the library and is only read during the call. Grows at its end.
 */
typedef struct stowage_program {
  size_t struct_size;
  uint64_t columns;
  uint64_t rows;
  uint64_t entries;             /* of A */
  const double* cost;           /* columns */
  const double* lower;          /* columns */
  const double* upper;          /* columns */
  const uint8_t* whole;         /* columns; 1: the value has to be whole */
  const double* row_lower;      /* rows */
  const double* row_upper;      /* rows */
  const uint64_t* row_begin;    /* rows + 1: row r has the entries row_begin[r] .. row_begin[r + 1] - 1 */
  const uint32_t* entry_column; /* entries; no column twice in a row */
  const double* entry_value;    /* entries */
  const double* start;          /* columns: values to start from, feasible or not; or NULL */
  double seconds;               /* wall-clock time to end in; 0 = no limit */
  double gap;                   /* end where |objective - bound| <= gap x |objective| */
  uint64_t max_nodes;           /* nodes of a search tree to end after; 0 = no limit */
  uint64_t seed;
  uint64_t threads; /* that the request allows; at least 1 */
} stowage_program;

/* What a solver found. */
typedef enum stowage_answer_status {
  STOWAGE_ANSWER_FAILED = 0,     /* nothing can be said */
  STOWAGE_ANSWER_OPTIMAL = 1,    /* values, within the gap that was asked for */
  STOWAGE_ANSWER_FEASIBLE = 2,   /* values, ended by a limit or cancelled */
  STOWAGE_ANSWER_UNSOLVED = 3,   /* no values, ended by a limit or cancelled */
  STOWAGE_ANSWER_INFEASIBLE = 4, /* there are no values */
  STOWAGE_ANSWER_UNBOUNDED = 5,  /* values of any cost, or none */
  STOWAGE_ANSWER_END = 6
} stowage_answer_status;

/* What a solver fills. The memory behind the pointers belongs to the library. Grows at its end. */
typedef struct stowage_answer {
  size_t struct_size;
  uint32_t status; /* one of stowage_answer_status; FAILED at first */
  double bound;    /* no values cost less; minus infinity at first */
  double* values;  /* columns, to be filled where there are values */
  double* duals;   /* rows, may be filled for programs without whole columns */
  uint64_t nodes;  /* of a search tree, that it looked at */
} stowage_answer;

/*
 * Solves a program. Runs on the thread that called the planner, may take as long as `seconds` says, and should end soon after
 * the control says that it was cancelled (stowage_control_progress()). No exception may leave it. The library believes nothing:
 * values that do not solve the program are dropped.
 */
typedef void (*stowage_solve)(void* context, const stowage_program* program, const stowage_control* control,
                              stowage_answer* answer);

/* A solver: a function, and what it is called with. Start from STOWAGE_SOLVER_INIT. Grows at its end like stowage_limits. */
typedef struct stowage_solver {
  size_t struct_size;
  stowage_solve solve;
  void* context;
} stowage_solver;

#define STOWAGE_SOLVER_INIT \
  { sizeof(stowage_solver), NULL, NULL }

/*
 * Give the runs that a control accompanies a solver. Planners that need one are refused with UNSUPPORTED without it. Only while
 * no run uses the control; stowage_control_reset() leaves it.
 *   solver        copied; what its context points to has to live as long as runs use it. NULL: none from now on
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY.
 */
STOWAGE_API stowage_status stowage_control_set_solver(stowage_control* control, const stowage_solver* solver,
                                                      stowage_error* error);

/*
 * A session: a cluster over time. Apps come, are scaled and go, nodes join, are cordoned, drained, fail and leave; what waits
 * is planned interval by interval, and a plan becomes what runs when it is committed. docs/sessions.md states the rules. A call
 * that fails, for lack of memory too, leaves the session as it was.
 */
typedef struct stowage_session stowage_session;

/* How stowage_session_commit() takes a plan that was made for an earlier version of the cluster. */
typedef enum stowage_commit_mode {
  STOWAGE_COMMIT_EXACT = 0,   /* not at all */
  STOWAGE_COMMIT_WHOLE = 1,   /* where everything that it places still fits */
  STOWAGE_COMMIT_FITTING = 2, /* app by app, those whose replicas all still fit */
  STOWAGE_COMMIT_END = 3
} stowage_commit_mode;

/*
 * Open a session on a cluster, or on a snapshot of one.
 *   bytes, size   an instance (instance.fbs, identifier "STOI"); apps and listed nodes without names get "app-K" and "node-K"
 *   limits        NULL for the defaults; they hold for the session's whole life
 *   session       receives the handle; free it with stowage_session_free()
 * Statuses: those of stowage_instance_load().
 */
STOWAGE_API stowage_status stowage_session_open(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                stowage_session** session, stowage_error* error);

/* Free a session. NULL is allowed. Instances that it handed out stay. */
STOWAGE_API void stowage_session_free(stowage_session* session);

/* Operations and commits so far, those before a snapshot included. 0 for NULL. */
STOWAGE_API uint64_t stowage_session_version(const stowage_session* session);

/*
 * Apply operations (session.fbs, identifier "STOS"): all of them, or none where one is refused. error.path then names it, such
 * as "operations[2].demand[1]". Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, NOT_FOUND, LIMIT_EXCEEDED, OUT_OF_MEMORY,
 * INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_apply(stowage_session* session, const uint8_t* operations, size_t size,
                                                 stowage_error* error);

/*
 * The cluster as it is now, with everything that waits: an instance like any other, to be planned on other threads while the
 * session goes on, and to verify and explain its plans by.
 *   instance      receives the handle; free it with stowage_instance_free(), before or after the session
 * The session remembers the last 8 states that were handed out or planned: plans for them can be committed.
 * Statuses: OK, INVALID_ARGUMENT, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_instance(stowage_session* session, stowage_instance** instance,
                                                    stowage_error* error);

/*
 * Run a planner on the cluster as it is now: stowage_session_instance() and stowage_plan() in one. The session does not change.
 * Statuses: those of stowage_plan().
 */
STOWAGE_API stowage_status stowage_session_plan(stowage_session* session, const uint8_t* request, size_t size,
                                                stowage_control* control, stowage_buffer* plan, stowage_error* error);

/*
 * Make a plan what runs.
 *   plan, size    a plan for a state of the cluster that the session remembers, or for the one that it is in; of a compact one
 *                 every copy becomes a node
 *   mode          one of stowage_commit_mode
 *   report        receives a report (report.fbs, identifier "STOV") with a Commit: what was taken, and the conflicts. That
 *                 nothing was taken is STOWAGE_OK with committed = false.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan breaks constraints, or belongs to no state that is remembered),
 * LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_commit(stowage_session* session, const uint8_t* plan, size_t size, uint32_t mode,
                                                  stowage_buffer* report, stowage_error* error);

/*
 * Drop a plan: the state that it was made for is remembered no more, and what it would have placed stays pending.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (there is no such state), OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_reject(stowage_session* session, const uint8_t* plan, size_t size,
                                                  stowage_error* error);

/*
 * Everything that the session knows, as an instance with a Session table: what stowage_session_open() goes on from, and what
 * stowage_instance_load() reads as the very instance that stowage_session_instance() hands out.
 * Statuses: OK, INVALID_ARGUMENT, LIMIT_EXCEEDED (more than 2^31 - 1 bytes), OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_snapshot(const stowage_session* session, stowage_buffer* snapshot,
                                                    stowage_error* error);

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_H */
