/*
 * stowage.h - plan where long-running applications run, before they run.
 *
 * Instances, requests, plans, reports and the catalogue travel as bytes of FlatBuffers (capi/schema). The functions here take
 * and return handles and buffers only. docs/reference/abi.md states the conventions. In short:
 *
 *  - Every call that can fail returns a stowage_status and, where the caller passes one, fills a stowage_error.
 *    `error` may always be NULL. On failure, output parameters are set to NULL or to an empty buffer.
 *  - The library keeps no global and no thread-local state, prints nothing, starts no thread that outlives the call, and lets
 *    no exception and no signal cross this boundary.
 *  - Input bytes belong to the caller, are read during the call only, and may have any alignment.
 *  - Output buffers belong to the caller, who frees them with stowage_buffer_free().
 *  - A stowage_instance is immutable: any number of threads may use it at once. A stowage_control: any thread may cancel or
 *    watch it at any time; only one call at a time may be given it. A stowage_session, too, serves one call at a time. A second
 *    call is refused with BUSY. A handle is freed once, after the last call that uses it has returned.
 *  - Functions that may take long have a control, or beside them a function "..._watched" with one. The control cancels the
 *    call from any thread and limits its time (stowage_control_set_deadline()). The call then ends within 50 ms. Where it
 *    says nothing else, it answers CANCELLED and has changed nothing. Without a control, both functions do the same.
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

/* Version of this header. stowage_version() returns the version of the library that is linked. */
#define STOWAGE_VERSION_MAJOR 0
/* The second number of the version. */
#define STOWAGE_VERSION_MINOR 1
/* The third number of the version. */
#define STOWAGE_VERSION_PATCH 0

/*
 * Whether a call did its work. The plan itself says how good it is (PlanStatus in plan.fbs): a call that returns a partial,
 * cancelled or infeasible plan is still STOWAGE_OK. The numbers are part of the ABI and never change. Treat an unknown number
 * as STOWAGE_INTERNAL.
 */
typedef enum stowage_status {
  STOWAGE_OK = 0,
  STOWAGE_INVALID_ARGUMENT = 1, /* a NULL where none is allowed, or a struct_size the library does not know */
  STOWAGE_MALFORMED = 2,        /* the bytes are not a well-formed buffer of the expected kind and version */
  STOWAGE_INVALID = 3,          /* well-formed, but a value is wrong or contradicts another; error.path names it */
  STOWAGE_UNSUPPORTED = 4,      /* the planner does not honour a feature that the instance uses */
  STOWAGE_LIMIT_EXCEEDED = 5,   /* larger than the caller's limits or than the library's number ranges */
  STOWAGE_NOT_FOUND = 6,        /* no planner, option, app, node or other item has that name */
  STOWAGE_OUT_OF_MEMORY = 7,
  STOWAGE_INTERNAL = 8,  /* a defect of the library; the message helps to report it */
  STOWAGE_CANCELLED = 9, /* the control's cancel or deadline ended the call before it had an answer; nothing changed */
  STOWAGE_BUSY = 10,     /* the control or the session is used by another call; nothing was done */
  STOWAGE_STATUS_END = 11
} stowage_status;

/* Bytes of the message of a stowage_error. */
#define STOWAGE_MESSAGE_SIZE 512
/* Bytes of the path of a stowage_error. */
#define STOWAGE_PATH_SIZE 128

/* Details of a failure. Owned by the caller, filled by a call that fails, not written by a call that succeeds. */
typedef struct stowage_error {
  stowage_status status;
  char message[STOWAGE_MESSAGE_SIZE]; /* UTF-8, NUL-terminated; truncated to fit. English, one sentence, which reads on from
                                         the path: print path, then message */
  char path[STOWAGE_PATH_SIZE];       /* the field at fault, such as "apps.demand[51]", or "" */
} stowage_error;

/* Bytes that the library allocated. {NULL, 0} is empty. Aligned for every FlatBuffer. */
typedef struct stowage_buffer {
  uint8_t* data;
  size_t size;
} stowage_buffer;

/*
 * The largest instance that the caller accepts. Start from STOWAGE_LIMITS_INIT; 0 in a field stands for the default stated
 * there. Later versions add fields at the end only; struct_size tells the library which fields the caller knows.
 */
typedef struct stowage_limits {
  size_t struct_size;
  uint64_t max_bytes;    /* bytes of the buffer; default 2^31 - 1 */
  uint64_t max_apps;     /* default 10,000,000 */
  uint64_t max_replicas; /* summed over all apps; default 100,000,000 */
  uint64_t max_limits;   /* affinity limits; default 500,000,000 */
  uint64_t max_nodes;    /* listed nodes, and nodes in use in a plan; default 10,000,000 */
  uint64_t max_cells;    /* apps x resources x periods; default 500,000,000 */
  uint64_t max_threads;  /* threads of one run; default 256 */
  uint64_t max_memory;   /* bytes that loading may take beside the buffer, estimated; default 2^29 and 16 times the content's */
} stowage_limits;

/* The default limits. */
#define STOWAGE_LIMITS_INIT \
  { sizeof(stowage_limits), 0, 0, 0, 0, 0, 0, 0, 0 }

/* An instance that was read and checked. Immutable: any number of threads may use it at once. */
typedef struct stowage_instance stowage_instance;

/* Watches and cancels a call, from any thread. Serves one call at a time: a second one is refused with BUSY. */
typedef struct stowage_control stowage_control;

/* The phases of a run. */
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

/* Progress of a run, read by stowage_control_progress(). Grows at its end like stowage_limits. */
typedef struct stowage_progress {
  size_t struct_size;
  uint32_t phase;                          /* one of stowage_phase */
  uint32_t cancelled;                      /* 1 once stowage_control_cancel() was called */
  uint64_t done;                           /* how far the phase has come: replicas or nodes handled; while a plan is improved,
                                              work units of the work limit, else milliseconds of the deadline */
  uint64_t total;                          /* value of `done` at the end of the phase; 0 = not known */
  uint64_t best;                           /* nodes in use in the best plan so far; 0 = none yet */
  uint64_t work;                           /* work units done in all phases */
  uint64_t nanoseconds[STOWAGE_PHASE_END]; /* wall-clock time of each phase that has ended, indexed by stowage_phase */
  double value;                            /* what the objective minimizes, in the best plan so far; negative = not known */
  uint64_t left_over;                      /* replicas that the best plan so far leaves over */
} stowage_progress;

/* A record for stowage_control_progress() to fill. */
#define STOWAGE_PROGRESS_INIT \
  { sizeof(stowage_progress), 0, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0, 0, 0}, -1, 0 }

/* Version of the library, "major.minor.patch". Static; never freed. */
STOWAGE_API const char* stowage_version(void);

/* Name of a status, such as "STOWAGE_INVALID"; "STOWAGE_INTERNAL" for an unknown number. Static; never freed. */
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

/* As stowage_instance_load(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_instance_load_watched(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                         stowage_control* control, stowage_instance** instance,
                                                         stowage_error* error);

/*
 * Fingerprint of an instance's content, the same on every platform. A plan carries the fingerprint of the instance it was made
 * for. Returns 0 for NULL.
 */
STOWAGE_API uint64_t stowage_instance_fingerprint(const stowage_instance* instance);

/*
 * Another instance, which differs from this one in demand, replicas, capacity, load, counts or prices, without reading bytes
 * again. It equals the instance that stowage_instance_load() makes of its bytes: same fingerprint, same plans. It stays valid
 * when `instance` is freed.
 *   derivation, size  what differs (derivation.fbs, identifier "STOD")
 *   limits            NULL for those of `instance`
 *   derived           receives the handle; free it with stowage_instance_free()
 * The path of an error is that of a field of the derivation, such as "by_app[2].demand[1]", or, where a number that results is
 * refused as in loading, of a field of the instance that results, such as "apps.replicas[7]".
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, NOT_FOUND, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_instance_derive(const stowage_instance* instance, const uint8_t* derivation, size_t size,
                                                   const stowage_limits* limits, stowage_instance** derived,
                                                   stowage_error* error);

/* As stowage_instance_derive(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_instance_derive_watched(const stowage_instance* instance, const uint8_t* derivation,
                                                           size_t size, const stowage_limits* limits, stowage_control* control,
                                                           stowage_instance** derived, stowage_error* error);

/*
 * The bytes of an instance that was derived or that a session returned: they load as an instance with the same fingerprint, so
 * that its plans can be verified elsewhere. Affinity limits stand in ascending order. An instance that was loaded with limits
 * in another order has another fingerprint than these bytes, and is refused.
 *   bytes         receives an instance (instance.fbs, identifier "STOI")
 * Statuses: OK, INVALID_ARGUMENT, INVALID, LIMIT_EXCEEDED (more than 2^31 - 1 bytes), OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_instance_save(const stowage_instance* instance, stowage_buffer* bytes, stowage_error* error);

/* As stowage_instance_save(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_instance_save_watched(const stowage_instance* instance, stowage_control* control,
                                                         stowage_buffer* bytes, stowage_error* error);

/* Free an instance. NULL is allowed. */
STOWAGE_API void stowage_instance_free(stowage_instance* instance);

/*
 * Run a planner.
 *   request, size the request (request.fbs, identifier "STOR")
 *   control       NULL, or a control by which other threads watch and cancel this run. Its deadline counts as the request's
 *   plan          receives the plan (plan.fbs, identifier "STOP"); the independent checker has accepted it
 * The run checks for cancellation, deadline and work limit after bounded work, and then returns the best plan so far. The
 * plan's status claims no more than is proven. Where several apply, the status is Cancelled rather than Deadline. With 200,000
 * replicas or more, a cancelled run returns the last plan that was ready at once.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, UNSUPPORTED, NOT_FOUND, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL, BUSY.
 */
STOWAGE_API stowage_status stowage_plan(const stowage_instance* instance, const uint8_t* request, size_t size,
                                        stowage_control* control, stowage_buffer* plan, stowage_error* error);

/*
 * Check a plan against an instance, on the original numbers and independently of the planners.
 *   plan, size    any plan buffer; it need not be trusted
 *   report        receives a report (report.fbs, identifier "STOV") with a Verification
 * For a plan that breaks constraints, the call returns STOWAGE_OK and the report has ok = false.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_verify(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                          stowage_buffer* report, stowage_error* error);

/* As stowage_verify(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_verify_watched(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                                  stowage_control* control, stowage_buffer* report, stowage_error* error);

/* Stands for all apps with unplaced replicas. */
#define STOWAGE_ALL_UNPLACED UINT32_MAX

/*
 * Explain a plan: what determines its number of nodes, and why replicas are unplaced.
 *   plan, size    the plan
 *   app           index of one app to explain, whether or not it is fully placed; or STOWAGE_ALL_UNPLACED
 *   control       NULL, or a control by which other threads cancel the call; it then returns what was found so far
 *   report        receives a report with an Explanation
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan does not belong to the instance, or there is no such app),
 * LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL, BUSY.
 */
STOWAGE_API stowage_status stowage_explain(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t app,
                                           stowage_control* control, stowage_buffer* report, stowage_error* error);

/* Stands for no node. */
#define STOWAGE_NO_NODE UINT32_MAX

/*
 * How many more replicas of an app each node of a plan takes, the plan being otherwise as it is. It does not matter whether
 * they are wanted.
 *   plan, size    the plan
 *   app           index of the app
 *   node          index of a node of the plan whose obstacles are reported as well; or STOWAGE_NO_NODE
 *   report        receives a report with a Headroom
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan does not belong to the instance, or there is no such app or
 * node), LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_headroom(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t app,
                                            uint32_t node, stowage_buffer* report, stowage_error* error);

/* As stowage_headroom(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_headroom_watched(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                                    uint32_t app, uint32_t node, stowage_control* control,
                                                    stowage_buffer* report, stowage_error* error);

/*
 * How many more replicas of each app a cluster takes, one app growing at a time: stowage_headroom() for all apps at once.
 *   plan, size    the plan; or NULL and 0: what runs or is pinned in the instance
 *   most          counts on each node end there, at most 1,000,000,000; 0: at the number of replicas that the app wants,
 *                 at least 1
 *   report        receives a report with a HeadroomOfApps
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan does not belong to the instance, or `most` is too large),
 * LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_headroom_of_apps(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                                    uint32_t most, stowage_buffer* report, stowage_error* error);

/* As stowage_headroom_of_apps(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_headroom_of_apps_watched(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                                            uint32_t most, stowage_control* control, stowage_buffer* report,
                                                            stowage_error* error);

/*
 * What if nodes were lost: which of their replicas find a place on what remains, while all others stay where they are.
 *   plan, size         the plan, which has to be valid; or NULL and 0: what runs or is pinned in the instance
 *   nodes, node_count  nodes that are lost together: the instance's listed nodes by their index, then the plan's
 *                      anonymous nodes in its order, each copy by itself. NULL and 0: `label` decides
 *   label, label_size  the key of a label, UTF-8: nodes with the same value of it are lost together, one value after the
 *                      other. NULL and 0: each node by itself
 *   control            NULL, or a control by which other threads cancel the call; what was not looked at by then is left
 *                      out
 *   report             receives a report with Losses
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan does not belong to the instance or breaks constraints, there
 * is no such node, no node has such a label), LIMIT_EXCEEDED (the plan has more nodes than the instance's limits allow, or
 * than a million), OUT_OF_MEMORY, INTERNAL, BUSY.
 */
STOWAGE_API stowage_status stowage_losses(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                          const uint32_t* nodes, size_t node_count, const uint8_t* label, size_t label_size,
                                          stowage_control* control, stowage_buffer* report, stowage_error* error);

/*
 * Put the moves of a plan in an order: waves that lead from what runs in the instance to the plan. The moves of a wave run at
 * the same time; every hard constraint holds at every step, a moving replica taking its place on both nodes.
 *   plan, size      the plan, which has to be valid
 *   moves_per_node  at most so many moves of one wave from or to the same node; 0: any number
 *   app_share       at most this share of an app's replicas moves in one wave, but at least one; above 0, at most 1
 *   control         NULL, or a control by which other threads cancel the call; what is not ordered by then is reported as
 *                   stuck; where the moves are not known by then, the answer is CANCELLED
 *   report          receives a report with a MoveOrder
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan does not belong to the instance or breaks constraints),
 * LIMIT_EXCEEDED (the plan has more nodes than the instance's limits allow, or than a million; or more than a million
 * replicas move, begin or end), OUT_OF_MEMORY, INTERNAL, CANCELLED, BUSY.
 */
STOWAGE_API stowage_status stowage_order_moves(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                               uint32_t moves_per_node, double app_share, stowage_control* control,
                                               stowage_buffer* report, stowage_error* error);

/*
 * Lower bounds that hold for every complete plan: on the nodes, on the cost where prices are given, and on the used capacity
 * at confidence where demand is uncertain. The report (report.fbs, identifier "STOV") has Bounds, best first.
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_bound(const stowage_instance* instance, stowage_buffer* report, stowage_error* error);

/* As stowage_bound(), under a control. At its end, the bounds found so far are the answer. Statuses: those, and BUSY. */
STOWAGE_API stowage_status stowage_bound_watched(const stowage_instance* instance, stowage_control* control,
                                                 stowage_buffer* report, stowage_error* error);

/*
 * The catalogue of planners (catalogue.fbs, identifier "STOC").
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_planners(stowage_buffer* catalogue, stowage_error* error);

/* The kinds of buffers. */
typedef enum stowage_kind {
  STOWAGE_KIND_INSTANCE = 0,   /* instance.fbs, also a snapshot of a session */
  STOWAGE_KIND_REQUEST = 1,    /* request.fbs */
  STOWAGE_KIND_PLAN = 2,       /* plan.fbs */
  STOWAGE_KIND_REPORT = 3,     /* report.fbs */
  STOWAGE_KIND_CATALOGUE = 4,  /* catalogue.fbs */
  STOWAGE_KIND_OPERATIONS = 5, /* session.fbs */
  STOWAGE_KIND_LEARNING = 6,   /* learning.fbs */
  STOWAGE_KIND_DERIVATION = 7, /* derivation.fbs */
  STOWAGE_KIND_END = 8
} stowage_kind;

/*
 * Check bytes from elsewhere before a reader that does not verify reads them: they are a well-formed buffer of the kind;
 * columns that belong together have the same length; enumerators are known, and indices within the buffer's own columns are in
 * range; all text is UTF-8; and what a reader copies out of them is in proportion to their size, although parts of a buffer may
 * be referred to many times. The values are checked by the function that uses the buffer.
 *   kind          one of stowage_kind
 *   limits        NULL for the defaults; max_bytes counts
 *   control       NULL, or a control by which other threads cancel the call
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL, CANCELLED, BUSY.
 */
STOWAGE_API stowage_status stowage_check(uint32_t kind, const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                         stowage_control* control, stowage_error* error);

/* Free a buffer and set it to {NULL, 0}. NULL and an empty buffer are allowed. */
STOWAGE_API void stowage_buffer_free(stowage_buffer* buffer);

/* A new control. Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY. */
STOWAGE_API stowage_status stowage_control_new(stowage_control** control, stowage_error* error);

/* Free a control that no call uses any more. NULL is allowed. */
STOWAGE_API void stowage_control_free(stowage_control* control);

/*
 * Ask the call to end, with its best plan so far where it is a run. Any thread, any number of times, before or during a call;
 * it lasts until stowage_control_reset(). NULL is allowed.
 */
STOWAGE_API void stowage_control_cancel(stowage_control* control);

/*
 * Prepare a control for another call: not cancelled, phase idle. The deadline and the solver stay. While a call uses the
 * control, this does nothing, so that no cancel is lost. NULL is allowed.
 */
STOWAGE_API void stowage_control_reset(stowage_control* control);

/*
 * Limit the time of each later call that is given the control.
 *   milliseconds  wall-clock time from the beginning of a call; 0: no limit. A run of a planner ends as at the request's own
 *                 deadline, whichever comes first; any other call ends as if it were cancelled then
 * Statuses: OK, INVALID_ARGUMENT.
 */
STOWAGE_API stowage_status stowage_control_set_deadline(stowage_control* control, uint64_t milliseconds);

/*
 * Read the progress. The run may go on while the fields are read, so they need not belong to the same moment.
 *   progress      from STOWAGE_PROGRESS_INIT
 * Statuses: OK, INVALID_ARGUMENT.
 */
STOWAGE_API stowage_status stowage_control_progress(const stowage_control* control, stowage_progress* progress);

/*
 * A linear or mixed-integer program that a planner hands to a solver:
 *   minimize cost x  subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.
 * A missing bound is infinite. The arrays belong to the library; the solver may read them during the call. Grows at its end.
 */
typedef struct stowage_program {
  size_t struct_size;
  uint64_t columns;
  uint64_t rows;
  uint64_t entries;             /* entries of A that are stored */
  const double* cost;           /* columns */
  const double* lower;          /* columns */
  const double* upper;          /* columns */
  const uint8_t* whole;         /* columns; 1 = integer column */
  const double* row_lower;      /* rows */
  const double* row_upper;      /* rows */
  const uint64_t* row_begin;    /* rows + 1: row r has the entries row_begin[r] .. row_begin[r + 1] - 1 */
  const uint32_t* entry_column; /* entries; a row has no column twice */
  const double* entry_value;    /* entries */
  const double* start;          /* columns: values to start from, which need not be feasible; or NULL */
  double seconds;               /* wall-clock limit; 0 = no limit */
  double gap;                   /* end once |objective - bound| <= gap x |objective| */
  uint64_t max_nodes;           /* limit on search-tree nodes; 0 = no limit */
  uint64_t seed;
  uint64_t threads; /* threads that the request allows; at least 1 */
} stowage_program;

/* What a solver found. */
typedef enum stowage_answer_status {
  STOWAGE_ANSWER_FAILED = 0,     /* no result */
  STOWAGE_ANSWER_OPTIMAL = 1,    /* values within `gap` of the optimum */
  STOWAGE_ANSWER_FEASIBLE = 2,   /* values; a limit or a cancel ended the search */
  STOWAGE_ANSWER_UNSOLVED = 3,   /* no values; a limit or a cancel ended the search */
  STOWAGE_ANSWER_INFEASIBLE = 4, /* the program has no solution */
  STOWAGE_ANSWER_UNBOUNDED = 5,  /* the cost is unbounded, or there is no solution */
  STOWAGE_ANSWER_END = 6
} stowage_answer_status;

/* The answer, which the solver fills. The memory behind the pointers belongs to the library. Grows at its end. */
typedef struct stowage_answer {
  size_t struct_size;
  uint32_t status; /* one of stowage_answer_status; initially FAILED */
  double bound;    /* lower bound on the cost of any solution; initially minus infinity */
  double* values;  /* columns; to be filled where the status promises values */
  double* duals;   /* rows; may be filled for a program without integer columns, for others NULL */
  uint64_t nodes;  /* search-tree nodes explored */
} stowage_answer;

/*
 * Solve a program. Runs on the thread that called the planner, may take `seconds` of wall-clock time, and should end soon after
 * the control reports a cancellation (stowage_control_progress()). No exception may leave it. The library checks the answer and
 * drops values that do not solve the program.
 */
typedef void (*stowage_solve)(void* context, const stowage_program* program, const stowage_control* control,
                              stowage_answer* answer);

/* A solver: a function and its first argument. Start from STOWAGE_SOLVER_INIT. Grows at its end like stowage_limits. */
typedef struct stowage_solver {
  size_t struct_size;
  stowage_solve solve;
  void* context;
} stowage_solver;

/* A solver without a function, to be set. */
#define STOWAGE_SOLVER_INIT \
  { sizeof(stowage_solver), NULL, NULL }

/*
 * Set the solver for the runs of a control. Without a solver, planners that need one are refused with UNSUPPORTED.
 * stowage_control_reset() keeps the solver.
 *   solver        copied; the object behind its context has to outlive the runs that use it. NULL removes the solver
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY, BUSY (a call uses the control).
 */
STOWAGE_API stowage_status stowage_control_set_solver(stowage_control* control, const stowage_solver* solver,
                                                      stowage_error* error);

/*
 * A session: a cluster over time. Apps are submitted, scaled and removed; nodes join, are cordoned, drained, fail and leave.
 * Pending replicas are planned interval by interval, and run once their plan is committed. docs/understand/sessions.md states
 * the rules. A call that fails, for lack of memory too, leaves the session unchanged.
 */
typedef struct stowage_session stowage_session;

/* What stowage_session_commit() takes of a plan that was made for an earlier version of the cluster. */
typedef enum stowage_commit_mode {
  STOWAGE_COMMIT_EXACT = 0,   /* nothing, if the cluster has changed since */
  STOWAGE_COMMIT_WHOLE = 1,   /* the whole plan, if everything that it places still fits; else nothing */
  STOWAGE_COMMIT_FITTING = 2, /* each app whose replicas all still fit */
  STOWAGE_COMMIT_END = 3
} stowage_commit_mode;

/*
 * Open a session on a cluster, or on a snapshot of one.
 *   bytes, size   an instance (instance.fbs, identifier "STOI"); apps and listed nodes without names get "app-K" and "node-K"
 *   limits        NULL for the defaults; they apply for the life of the session
 *   session       receives the handle; free it with stowage_session_free()
 * Statuses: those of stowage_instance_load().
 */
STOWAGE_API stowage_status stowage_session_open(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                stowage_session** session, stowage_error* error);

/* As stowage_session_open(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_session_open_watched(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                        stowage_control* control, stowage_session** session,
                                                        stowage_error* error);

/* Free a session. NULL is allowed. Instances that it returned stay valid. */
STOWAGE_API void stowage_session_free(stowage_session* session);

/*
 * The version of the cluster: counts applied operations, and commits that changed something, including those before a snapshot
 * that was opened. Returns 0 for NULL.
 */
STOWAGE_API uint64_t stowage_session_version(const stowage_session* session);

/*
 * Apply operations (session.fbs, identifier "STOS"): all of them, or none if one is refused. error.path then names the field at
 * fault, such as "operations[2].demand[1]".
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, NOT_FOUND, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_apply(stowage_session* session, const uint8_t* operations, size_t size,
                                                 stowage_error* error);

/* As stowage_session_apply(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_session_apply_watched(stowage_session* session, const uint8_t* operations, size_t size,
                                                         stowage_control* control, stowage_error* error);

/*
 * The cluster as it is now, with all pending replicas, as an ordinary instance. Other threads may plan it while the session
 * goes on; it also serves to verify and explain those plans.
 *   instance      receives the handle; free it with stowage_instance_free(), before or after the session
 * The session remembers the last 8 states that were returned or planned; plans for these can be committed.
 * Statuses: OK, INVALID_ARGUMENT, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_instance(stowage_session* session, stowage_instance** instance,
                                                    stowage_error* error);

/* As stowage_session_instance(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_session_instance_watched(stowage_session* session, stowage_control* control,
                                                            stowage_instance** instance, stowage_error* error);

/*
 * Run a planner on the cluster as it is now: stowage_session_instance() and stowage_plan() in one call. The cluster does not
 * change.
 * Statuses: those of stowage_plan().
 */
STOWAGE_API stowage_status stowage_session_plan(stowage_session* session, const uint8_t* request, size_t size,
                                                stowage_control* control, stowage_buffer* plan, stowage_error* error);

/*
 * Commit a plan: its replicas run from now on.
 *   plan, size    a plan for the present state of the cluster or for one that the session remembers; in a compact plan, every
 *                 copy becomes a node
 *   mode          one of stowage_commit_mode
 *   report        receives a report (report.fbs, identifier "STOV") with a Commit: what was taken, and the conflicts. Where
 *                 nothing was taken, the call returns STOWAGE_OK and the report has committed = false.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (the plan breaks constraints, or the session does not remember its state),
 * LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_commit(stowage_session* session, const uint8_t* plan, size_t size, uint32_t mode,
                                                  stowage_buffer* report, stowage_error* error);

/* As stowage_session_commit(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_session_commit_watched(stowage_session* session, const uint8_t* plan, size_t size,
                                                          uint32_t mode, stowage_control* control, stowage_buffer* report,
                                                          stowage_error* error);

/*
 * Drop a plan: the session forgets the state that the plan was made for. The plan's replicas stay pending.
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID (there is no such state), OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_reject(stowage_session* session, const uint8_t* plan, size_t size,
                                                  stowage_error* error);

/* As stowage_session_reject(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_session_reject_watched(stowage_session* session, const uint8_t* plan, size_t size,
                                                          stowage_control* control, stowage_error* error);

/*
 * The complete state of the session, as an instance with a Session table (instance.fbs). stowage_session_open() continues from
 * it; stowage_instance_load() reads it as the same instance that stowage_session_instance() returns.
 *   snapshot      receives the instance's bytes
 * Statuses: OK, INVALID_ARGUMENT, LIMIT_EXCEEDED (more than 2^31 - 1 bytes), OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_session_snapshot(const stowage_session* session, stowage_buffer* snapshot,
                                                    stowage_error* error);

/* As stowage_session_snapshot(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_session_snapshot_watched(const stowage_session* session, stowage_control* control,
                                                            stowage_buffer* snapshot, stowage_error* error);

/*
 * A model that has learned how apps perform by size and degree of collocation. Immutable: any number of threads may use it at
 * once. docs/understand/learning.md explains what it learns.
 */
typedef struct stowage_model stowage_model;

/*
 * Learn from profiled apps.
 *   profiles, size samples (learning.fbs, identifier "STOL", body Samples): each app measured with some configurations
 *   limits        NULL for the defaults; max_bytes, max_apps and max_cells (rows) count
 *   model         receives the handle; free it with stowage_model_free()
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_model_learn(const uint8_t* profiles, size_t size, const stowage_limits* limits,
                                               stowage_model** model, stowage_error* error);

/* As stowage_model_learn(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_model_learn_watched(const uint8_t* profiles, size_t size, const stowage_limits* limits,
                                                       stowage_control* control, stowage_model** model, stowage_error* error);

/*
 * Read a model that stowage_model_save() wrote. Bytes that were truncated or changed are refused.
 *   limits, model as for stowage_model_learn()
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_model_load(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                              stowage_model** model, stowage_error* error);

/* As stowage_model_load(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_model_load_watched(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                      stowage_control* control, stowage_model** model, stowage_error* error);

/* Free a model. NULL is allowed. */
STOWAGE_API void stowage_model_free(stowage_model* model);

/*
 * The model as bytes, the same on every platform.
 *   bytes         receives them
 * Statuses: OK, INVALID_ARGUMENT, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_model_save(const stowage_model* model, stowage_buffer* bytes, stowage_error* error);

/* As stowage_model_save(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_model_save_watched(const stowage_model* model, stowage_control* control,
                                                      stowage_buffer* bytes, stowage_error* error);

/*
 * Recommend a size and a degree of collocation for each app, or the sample to take next.
 *   question, size samples of the apps and the goal (learning.fbs, identifier "STOL", body Question)
 *   recommendations receives the answer (identifier "STOL", body Recommendations)
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_model_recommend(const stowage_model* model, const uint8_t* question, size_t size,
                                                   stowage_buffer* recommendations, stowage_error* error);

/* As stowage_model_recommend(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_model_recommend_watched(const stowage_model* model, const uint8_t* question, size_t size,
                                                           stowage_control* control, stowage_buffer* recommendations,
                                                           stowage_error* error);

/*
 * From usage to size: what replicas should ask for, by what they used.
 *   usage, size   usage (learning.fbs, identifier "STOL", body Usage): samples, and how sizes follow from them
 *   sizes         receives the answer (identifier "STOL", body Sizes)
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED, INVALID, LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_API stowage_status stowage_size(const uint8_t* usage, size_t size, stowage_buffer* sizes, stowage_error* error);

/* As stowage_size(), under a control. Statuses: those, CANCELLED and BUSY. */
STOWAGE_API stowage_status stowage_size_watched(const uint8_t* usage, size_t size, stowage_control* control,
                                                stowage_buffer* sizes, stowage_error* error);

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_H */
