/*
 * stowage_wire.h - write requests, and read plans and the names of instances, in C without generated code.
 *
 * Everything here is inline and needs stowage.h alone: nothing more to link, however the library is linked. It covers what most
 * programs in C need; instances are built by code that flatc or flatcc generates from the schemas, or read from JSON
 * (stowage_text.h). docs/reference/abi.md, "Without generated code", has an example.
 *
 *  - Views point into the bytes that they were read from: these have to stay, at an address that is a multiple of 8, as those
 *    of a stowage_buffer are.
 *  - Reading checks that nothing points outside of the bytes, whatever they hold. stowage_verify()
 *    tells whether a plan is a good one, stowage_instance_load() whether an instance is sound.
 *  - Needs a little-endian machine, as the library does. C99, or C++11.
 *
 * Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STOWAGE_WIRE_H
#define STOWAGE_WIRE_H

#include <string.h>

#include "stowage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An index that stands for none: the listed node of an anonymous one, the resource of a bound that is of no resource. */
#define STOWAGE_NONE UINT32_MAX

/* Made by scripts/generate-bindings.py: enumerations. */
/* clang-format off */
/* PlanStatus. */
typedef enum stowage_plan_status {
  STOWAGE_PLAN_COMPLETE = 0,
  STOWAGE_PLAN_OPTIMAL = 1,
  STOWAGE_PLAN_PARTIAL = 2,
  STOWAGE_PLAN_INFEASIBLE_PROVEN = 3,
  STOWAGE_PLAN_CANCELLED = 4,
  STOWAGE_PLAN_DEADLINE = 5
} stowage_plan_status;

/* Objective. */
typedef enum stowage_objective {
  STOWAGE_OBJECTIVE_NODES = 0,
  STOWAGE_OBJECTIVE_UCAC = 1,
  STOWAGE_OBJECTIVE_WORST = 2,
  STOWAGE_OBJECTIVE_TOTAL = 3,
  STOWAGE_OBJECTIVE_ADMITTED = 4,
  STOWAGE_OBJECTIVE_TRAFFIC = 5
} stowage_objective;

/* SoftPolicy. */
typedef enum stowage_soft {
  STOWAGE_SOFT_FIRST = 0,
  STOWAGE_SOFT_LAST = 1,
  STOWAGE_SOFT_PRICE = 2
} stowage_soft;

/* GoalKind. */
typedef enum stowage_goal_kind {
  STOWAGE_GOAL_COST = 0,
  STOWAGE_GOAL_NODES = 1,
  STOWAGE_GOAL_MOVES = 2,
  STOWAGE_GOAL_BALANCE = 3,
  STOWAGE_GOAL_EVENNESS = 4,
  STOWAGE_GOAL_SOFT_RULES = 5,
  STOWAGE_GOAL_UCAC = 6,
  STOWAGE_GOAL_WORST = 7,
  STOWAGE_GOAL_TOTAL = 8,
  STOWAGE_GOAL_ADMITTED = 9,
  STOWAGE_GOAL_TRAFFIC = 10
} stowage_goal_kind;

/* clang-format on */
/* Up to here. */

/* ------------------------------------------------------------------------------------------------------------- requests */

/* An option of the planner: a number, or a word where `text` is not NULL. */
typedef struct stowage_option {
  const char* name;
  double number;
  const char* text;
} stowage_option;

/* Replicas of an app. */
typedef struct stowage_app_replicas {
  uint32_t app;
  uint32_t replicas;
} stowage_app_replicas;

/* Made by scripts/generate-bindings.py: tables in requests. */
/* clang-format off */
/* A goal of Request.goals. */
typedef struct stowage_goal {
  /* One of stowage_goal_kind. */
  uint8_t what;
  /* Index of the resource, with GoalKind.Balance and GoalKind.Evenness; 4294967295 = all. */
  uint32_t resource;
  /* True: counts together with the goal before it, as a sum of values times weights. False: counts after it, among plans that
     are equally good by all goals before. */
  uint8_t beside;
  /* What a unit of the value counts beside other goals; above 0. */
  double weight;
  /* By how much later goals may worsen the value, as a share of it. Of goals that count together, the first one says it. */
  double tolerance;
  /* In the place of the other fields but `beside`: a goal, or several that count together, as people write them, such as
     `cost~1%`, `balance:memory` and `cost,moves*0.01`: names with commas between them, each with its resource or weight if need
     be, and a tolerance at the end. */
  const char* words;
} stowage_goal;

/* The defaults of a stowage_goal. */
#define STOWAGE_GOAL_INIT \
  { 0, STOWAGE_NONE, 0, 1, 0, NULL }
/* clang-format on */
/* Up to here. */

/*
 * A request. Start from STOWAGE_REQUEST_INIT. The fields have the names and the meaning of those of Request in request.fbs;
 * 0 and NULL are the defaults there.
 */
/* Made by scripts/generate-bindings.py: requests. */
/* clang-format off */
typedef struct stowage_request {
  /* Name from the catalogue, such as "bfd-avg". */
  const char* planner;
  const stowage_option* options;
  size_t option_count;
  uint64_t seed;
  /* Wall-clock limit of the run in milliseconds, after which it returns its best plan so far. 0 = the planner's default
     (PlannerInfo.default_deadline_ms): 1 s for `auto`; none if `work_limit` is set. */
  uint64_t deadline_ms;
  /* Limit on work units; 0 = none. The `work` of an earlier plan as the limit repeats that plan's run exactly (see Plan.work). */
  uint64_t work_limit;
  /* Number of threads that the run may use; 0 = 1. The plan does not depend on it. */
  uint32_t threads;
  /* Limit on the nodes in use; 0 = as many as the instance has. Replicas that do not fit are reported unplaced. */
  uint32_t node_limit;
  /* True: running replicas that are not pinned are planned as if they ran nowhere. */
  uint8_t ignore_running;
  /* Limit on the running replicas that move to another node; 0 = none moves. */
  uint32_t move_budget;
  /* What to minimize once all replicas are placed. A planner that does not pursue the objective refuses the request.
     One of stowage_objective. */
  uint8_t objective;
  /* True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
     one application. Replicas that already run stay. */
  uint8_t all_or_nothing;
  /* True: anonymous nodes of one class with the same content are one entry of the plan, with their number as its copies. The
     size of the plan then depends on the number of different nodes, not on the number of nodes. */
  uint8_t compact;
  /* How soft rules count beside the objective. Plans are compared, and called optimal, by this.
     One of stowage_soft. */
  uint8_t soft;
  /* What a unit of violation costs, in nodes or, where prices are given, in their currency. Above 0 only with SoftPolicy.Price. */
  double soft_price;
  /* The search ends once it has found nothing better for this many milliseconds; 0 = it does not end for that. Counts from the
     first plan on. */
  uint64_t patience_ms;
  /* Where not all replicas fit: true = the most capacity is used, false = the most replicas are placed; by priority and weight
     in either case. */
  uint8_t fill;
  /* The most that side effects may cost a replica, whatever its kind: a hard constraint beside Interference.max_cost. 0 = none. */
  double max_cost;
  /* The plan keeps room for these replicas, all at once, beside those that it places (Plan.reserved). They count towards the
     nodes, and nowhere else. Only with Objective.Nodes; no app twice. */
  const stowage_app_replicas* keep;
  size_t keep_count;
  /* The plan survives losses: its nodes have places for the replicas of lost ones, while all others stay. "*": of each node by
     itself. Else the key of a label: of all nodes with the same value, such as each zone. Spare nodes that hold nothing are added
     where needed; they count as nodes of the plan. Replicas that are pinned to a lost node are lost with it. Absent or empty: no
     loss. Only with Objective.Nodes. */
  const char* survive;
  /* The key of a label, such as rack: as many as possible of its values have no node with a replica or with load. This comes after
     placing replicas, and before soft rules, nodes and their cost. Absent or empty: nothing is left free on purpose. Only with
     Objective.Nodes; not together with `keep` or `survive`. */
  const char* leave_free;
  /* What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one
     beyond its tolerance. Takes the place of `objective` and `soft`. Soft rules come first where no goal names them. With
     GoalKind.Moves and no `move_budget`, any number of running replicas may move. Absent: what `objective` and `soft` say. */
  const stowage_goal* goals;
  size_t goal_count;
  /* True: the plan tells what the parts of the search did (Plan.trace). It is the same plan otherwise. */
  uint8_t trace;
} stowage_request;

/* The default request: planner auto, one thread. */
#define STOWAGE_REQUEST_INIT \
  { "auto", NULL, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, 0 }
/* clang-format on */
/* Up to here. */

/* A place to write to: bytes beyond `room` are counted and dropped. */
typedef struct stowage_wire_writer {
  uint8_t* data;
  size_t room;
  size_t end;
} stowage_wire_writer;

static inline void stowage_wire_put(stowage_wire_writer* to, size_t at, const void* value, size_t size) {
  if (at <= to->room && size <= to->room - at) memcpy(to->data + at, value, size);
}
static inline void stowage_wire_put16(stowage_wire_writer* to, size_t at, size_t value) {
  const uint16_t narrow = (uint16_t)value;
  stowage_wire_put(to, at, &narrow, sizeof narrow);
}
static inline void stowage_wire_put32(stowage_wire_writer* to, size_t at, size_t value) {
  const uint32_t narrow = (uint32_t)value;
  stowage_wire_put(to, at, &narrow, sizeof narrow);
}
/* The place of `size` new bytes, `ahead` bytes before a multiple of 8; all new bytes are 0. */
static inline size_t stowage_wire_reserve(stowage_wire_writer* to, size_t size, size_t ahead) {
  size_t at = to->end;
  while ((at + ahead) % 8 != 0) ++at;
  while (to->end < at + size) {
    if (to->end < to->room) to->data[to->end] = 0;
    ++to->end;
  }
  return at;
}
static inline void stowage_wire_put_string(stowage_wire_writer* to, size_t from, const char* text) {
  const size_t length = strlen(text);
  const size_t at = stowage_wire_reserve(to, 4 + length + 1, 0);
  stowage_wire_put32(to, from, at - from);
  stowage_wire_put32(to, at, length);
  stowage_wire_put(to, at + 4, text, length);
}
static inline void stowage_wire_put_option(stowage_wire_writer* to, size_t from, const stowage_option* option) {
  /* Fields of Option: name, number, text. */
  const size_t vtable = stowage_wire_reserve(to, 10, 0);
  const size_t table = stowage_wire_reserve(to, 20, 0);
  stowage_wire_put32(to, from, table - from);
  stowage_wire_put16(to, vtable, 10);
  stowage_wire_put16(to, vtable + 2, 20);
  stowage_wire_put16(to, vtable + 4, 4);
  stowage_wire_put16(to, vtable + 6, 8);
  stowage_wire_put16(to, vtable + 8, option->text != NULL ? 16 : 0);
  stowage_wire_put32(to, table, table - vtable);
  stowage_wire_put(to, table + 8, &option->number, sizeof option->number);
  stowage_wire_put_string(to, table + 4, option->name);
  if (option->text != NULL) stowage_wire_put_string(to, table + 16, option->text);
}

/* What table fields are: a number, an absent or present text, a list of structs or of options. */
static inline void stowage_wire_put_field(stowage_wire_writer* to, size_t vtable, size_t table, size_t slot, size_t place,
                                          const void* value, size_t size) {
  stowage_wire_put16(to, vtable + 4 + 2 * slot, place);
  stowage_wire_put(to, table + place, value, size);
}
static inline void stowage_wire_put_text(stowage_wire_writer* to, size_t vtable, size_t table, size_t slot, size_t place,
                                         const char* text, int required) {
  if (!required && (text == NULL || text[0] == '\0')) return;
  stowage_wire_put16(to, vtable + 4 + 2 * slot, place);
  stowage_wire_put_string(to, table + place, text != NULL ? text : "");
}
static inline size_t stowage_wire_put_list(stowage_wire_writer* to, size_t vtable, size_t table, size_t slot, size_t place,
                                           const void* list, size_t count, size_t size) {
  size_t at;
  if (count == 0) return 0;
  at = stowage_wire_reserve(to, 4 + count * size, 0);
  stowage_wire_put16(to, vtable + 4 + 2 * slot, place);
  stowage_wire_put32(to, table + place, at - (table + place));
  stowage_wire_put32(to, at, count);
  if (list != NULL) stowage_wire_put(to, at + 4, list, count * size);
  return at + 4;
}
static inline void stowage_wire_put_options(stowage_wire_writer* to, size_t vtable, size_t table, size_t slot, size_t place,
                                            const stowage_option* options, size_t count) {
  const size_t first = stowage_wire_put_list(to, vtable, table, slot, place, NULL, count, 4);
  size_t k;
  for (k = 0; k < count; ++k) stowage_wire_put_option(to, first + 4 * k, &options[k]);
}

/* Made by scripts/generate-bindings.py: the fields of requests. */
/* clang-format off */
static inline void stowage_wire_put_plan_goal(stowage_wire_writer* to, size_t at, const stowage_goal* from) {
  const size_t vtable = stowage_wire_reserve(to, 16, 0);
  const size_t table = stowage_wire_reserve(to, 32, 0);
  uint8_t flag;
  stowage_wire_put32(to, at, table - at);
  stowage_wire_put16(to, vtable, 16);
  stowage_wire_put16(to, vtable + 2, 32);
  stowage_wire_put32(to, table, table - vtable);
  stowage_wire_put_field(to, vtable, table, 0, 28, &from->what, 1);
  stowage_wire_put_field(to, vtable, table, 1, 4, &from->resource, 4);
  flag = from->beside != 0;
  stowage_wire_put_field(to, vtable, table, 2, 29, &flag, 1);
  stowage_wire_put_field(to, vtable, table, 3, 8, &from->weight, 8);
  stowage_wire_put_field(to, vtable, table, 4, 16, &from->tolerance, 8);
  stowage_wire_put_text(to, vtable, table, 5, 24, from->words, 0);
}
static inline void stowage_wire_put_plan_goals(stowage_wire_writer* to, size_t vtable, size_t table, size_t slot, size_t place, const stowage_goal* list, size_t count) {
  const size_t first = stowage_wire_put_list(to, vtable, table, slot, place, NULL, count, 4);
  size_t k;
  for (k = 0; k < count; ++k) stowage_wire_put_plan_goal(to, first + 4 * k, &list[k]);
}
enum { STOWAGE_WIRE_REQUEST_FIELDS = 23, STOWAGE_WIRE_REQUEST_SIZE = 100 };
static inline void stowage_wire_put_request(stowage_wire_writer* to, size_t vtable, size_t table, const stowage_request* request) {
  const uint16_t format = 1;
  uint8_t flag;
  stowage_wire_put_field(to, vtable, table, 0, 88, &format, 2);
  stowage_wire_put_text(to, vtable, table, 1, 4, request->planner, 1);
  stowage_wire_put_options(to, vtable, table, 2, 56, request->options, request->option_count);
  stowage_wire_put_field(to, vtable, table, 3, 8, &request->seed, 8);
  stowage_wire_put_field(to, vtable, table, 4, 16, &request->deadline_ms, 8);
  stowage_wire_put_field(to, vtable, table, 5, 24, &request->work_limit, 8);
  stowage_wire_put_field(to, vtable, table, 6, 60, &request->threads, 4);
  stowage_wire_put_field(to, vtable, table, 7, 64, &request->node_limit, 4);
  flag = request->ignore_running != 0;
  stowage_wire_put_field(to, vtable, table, 8, 90, &flag, 1);
  stowage_wire_put_field(to, vtable, table, 9, 68, &request->move_budget, 4);
  stowage_wire_put_field(to, vtable, table, 10, 91, &request->objective, 1);
  flag = request->all_or_nothing != 0;
  stowage_wire_put_field(to, vtable, table, 11, 92, &flag, 1);
  flag = request->compact != 0;
  stowage_wire_put_field(to, vtable, table, 12, 93, &flag, 1);
  stowage_wire_put_field(to, vtable, table, 13, 94, &request->soft, 1);
  stowage_wire_put_field(to, vtable, table, 14, 32, &request->soft_price, 8);
  stowage_wire_put_field(to, vtable, table, 15, 40, &request->patience_ms, 8);
  flag = request->fill != 0;
  stowage_wire_put_field(to, vtable, table, 16, 95, &flag, 1);
  stowage_wire_put_field(to, vtable, table, 17, 48, &request->max_cost, 8);
  stowage_wire_put_list(to, vtable, table, 18, 72, request->keep, request->keep_count, sizeof request->keep[0]);
  stowage_wire_put_text(to, vtable, table, 19, 76, request->survive, 0);
  stowage_wire_put_text(to, vtable, table, 20, 80, request->leave_free, 0);
  stowage_wire_put_plan_goals(to, vtable, table, 21, 84, request->goals, request->goal_count);
  flag = request->trace != 0;
  stowage_wire_put_field(to, vtable, table, 22, 96, &flag, 1);
}
/* clang-format on */
/* Up to here. */

/*
 * Write a request as bytes for stowage_plan().
 *   data, room    where to write; NULL and 0 to learn the size
 * Returns the size of the request. If it is above `room`, `data` is incomplete: do not pass it on, give more room.
 */
static inline size_t stowage_request_write(const stowage_request* request, uint8_t* data, size_t room) {
  const size_t vtable_size = 4 + 2 * (size_t)STOWAGE_WIRE_REQUEST_FIELDS;
  stowage_wire_writer to;
  size_t vtable, table;
  to.data = data;
  to.room = data != NULL ? room : 0;
  to.end = 0;
  stowage_wire_reserve(&to, 8, 0);
  vtable = stowage_wire_reserve(&to, vtable_size, 0);
  table = stowage_wire_reserve(&to, STOWAGE_WIRE_REQUEST_SIZE, 0);
  stowage_wire_put32(&to, 0, table);
  stowage_wire_put(&to, 4, "STOR", 4);
  stowage_wire_put16(&to, vtable, vtable_size);
  stowage_wire_put16(&to, vtable + 2, STOWAGE_WIRE_REQUEST_SIZE);
  stowage_wire_put32(&to, table, table - vtable);
  stowage_wire_put_request(&to, vtable, table, request);
  return to.end;
}

/* -------------------------------------------------------------------------------------------------- reading, for the rest */

/* Bytes under examination; `bad` once anything was outside of them. */
typedef struct stowage_wire_reader {
  const uint8_t* data;
  size_t size;
  int bad;
} stowage_wire_reader;

/* A vector or a string; {NULL, 0} where it is absent. */
typedef struct stowage_wire_span {
  const void* data;
  uint32_t count;
} stowage_wire_span;

static inline uint16_t stowage_wire_get16(const stowage_wire_reader* from, size_t at) {
  uint16_t value;
  memcpy(&value, from->data + at, sizeof value);
  return value;
}
static inline uint32_t stowage_wire_get32(const stowage_wire_reader* from, size_t at) {
  uint32_t value;
  memcpy(&value, from->data + at, sizeof value);
  return value;
}
/* Whether `size` bytes are there. */
static inline int stowage_wire_holds(stowage_wire_reader* from, size_t at, uint64_t size) {
  if (at <= from->size && size <= from->size - at) return 1;
  from->bad = 1;
  return 0;
}
/* Where the offset at `at` leads to; 0 where that is outside. */
static inline size_t stowage_wire_follow(stowage_wire_reader* from, size_t at) {
  uint32_t offset;
  if (!stowage_wire_holds(from, at, 4)) return 0;
  offset = stowage_wire_get32(from, at);
  if (offset == 0 || !stowage_wire_holds(from, at, (uint64_t)offset + 4)) {
    from->bad = 1;
    return 0;
  }
  return at + offset;
}
/* Where field `slot` of a table is; 0 where it is absent. */
static inline size_t stowage_wire_field(stowage_wire_reader* from, size_t table, unsigned slot, size_t size) {
  int32_t back;
  int64_t vtable;
  size_t length, field;
  if (table == 0 || !stowage_wire_holds(from, table, 4)) return 0;
  memcpy(&back, from->data + table, sizeof back);
  vtable = (int64_t)table - back;
  if (vtable < 0 || !stowage_wire_holds(from, (size_t)vtable, 4)) {
    from->bad = 1;
    return 0;
  }
  length = stowage_wire_get16(from, (size_t)vtable);
  if (!stowage_wire_holds(from, (size_t)vtable, length)) return 0;
  if (4 + 2 * (size_t)slot + 2 > length) return 0;
  field = stowage_wire_get16(from, (size_t)vtable + 4 + 2 * (size_t)slot);
  if (field == 0 || !stowage_wire_holds(from, table + field, size)) return 0;
  return table + field;
}
static inline void stowage_wire_scalar(stowage_wire_reader* from, size_t table, unsigned slot, void* value, size_t size) {
  const size_t at = stowage_wire_field(from, table, slot, size);
  if (at != 0) memcpy(value, from->data + at, size);
}
static inline size_t stowage_wire_table(stowage_wire_reader* from, size_t table, unsigned slot) {
  const size_t at = stowage_wire_field(from, table, slot, 4);
  return at == 0 ? 0 : stowage_wire_follow(from, at);
}
/* A vector of elements of `size` bytes, each at a multiple of `align`. */
static inline stowage_wire_span stowage_wire_vector(stowage_wire_reader* from, size_t table, unsigned slot, size_t size,
                                                    size_t align) {
  stowage_wire_span span = {NULL, 0};
  const size_t at = stowage_wire_table(from, table, slot);
  if (at == 0) return span;
  span.count = stowage_wire_get32(from, at);
  if ((at + 4) % align != 0 || !stowage_wire_holds(from, at + 4, (uint64_t)span.count * size)) {
    from->bad = 1;
    span.count = 0;
    return span;
  }
  span.data = from->data + at + 4;
  return span;
}
/* The string at `at`; NULL where it is not one that ends in a NUL. */
static inline const char* stowage_wire_string_at(stowage_wire_reader* from, size_t at) {
  uint32_t length;
  if (at == 0 || !stowage_wire_holds(from, at, 4)) return NULL;
  length = stowage_wire_get32(from, at);
  if (!stowage_wire_holds(from, at + 4, (uint64_t)length + 1) || from->data[at + 4 + length] != 0) {
    from->bad = 1;
    return NULL;
  }
  return (const char*)(from->data + at + 4);
}
static inline const char* stowage_wire_string(stowage_wire_reader* from, size_t table, unsigned slot) {
  return stowage_wire_string_at(from, stowage_wire_table(from, table, slot));
}
/* The table or string that entry `index` of a vector of offsets leads to; 0 where there is none. */
static inline size_t stowage_wire_entry(stowage_wire_reader* from, stowage_wire_span list, uint32_t index) {
  if (list.data == NULL || index >= list.count) return 0;
  return stowage_wire_follow(from, (size_t)((const uint8_t*)list.data - from->data) + 4 * (size_t)index);
}
/* The root table of a buffer with this identifier, of a format that this header knows; 0 where there is none. */
static inline size_t stowage_wire_root(stowage_wire_reader* from, const char* identifier) {
  uint16_t format = 1;
  size_t root;
  if (((uintptr_t)from->data) % 8 != 0 || !stowage_wire_holds(from, 0, 8) || memcmp(from->data + 4, identifier, 4) != 0) {
    from->bad = 1;
    return 0;
  }
  root = stowage_wire_follow(from, 0);
  stowage_wire_scalar(from, root, 0, &format, sizeof format);
  if (format != 1) from->bad = 1;
  return root;
}

/* ---------------------------------------------------------------------------------------------------------------- plans */

/* Replicas of an app on a node, and as many on each of the node's copies. */
typedef struct stowage_placed {
  uint32_t app;
  uint32_t node;
  uint32_t replicas;
} stowage_placed;

/* Replicas of one priority. */
typedef struct stowage_left_over {
  uint64_t replicas;
  int32_t priority;
  int32_t unused;
} stowage_left_over;

/* A lower bound. `name` is NULL where there is none. */
typedef struct stowage_plan_bound {
  const char* name;
  double value;
  uint32_t resource; /* STOWAGE_NONE where it is of none */
  uint32_t period;
} stowage_plan_bound;

/* Made by scripts/generate-bindings.py: tables in plans. */
/* clang-format off */
/* A goal of Request.goals, and what a plan reaches of it. */
typedef struct stowage_reached_goal {
  /* As PlanGoal.what.
     One of stowage_goal_kind. */
  uint8_t what;
  /* As PlanGoal.resource; 4294967295 = all. */
  uint32_t resource;
  /* As PlanGoal.beside. */
  uint8_t beside;
  /* As PlanGoal.weight. */
  double weight;
  /* As PlanGoal.tolerance. */
  double tolerance;
  /* What the plan makes of it, without the weight. */
  double value;
  /* Lower bound on the value of any complete plan that is as good by the goals before; negative = none is known. */
  double bound;
  /* Whether no plan that is as good by the goals before has a smaller value. Of goals that count together, of their sum. */
  uint8_t proven;
} stowage_reached_goal;

/* clang-format on */
/* Up to here. */

/*
 * A plan. The fields have the names and the meaning of those of Plan in plan.fbs. Lists are pointers with a count; columns of
 * nodes have `nodes` entries: stowage_plan_nodes_in_use() says how many nodes that are, copies included. A pointer is NULL
 * where the plan has no such list.
 */
/* Made by scripts/generate-bindings.py: plans. */
/* clang-format off */
typedef struct stowage_plan_view {
  /* Fingerprint of the instance that the plan was made for. */
  uint64_t instance;
  /* Name of the planner that made the plan. */
  const char* planner;
  /* How good the plan is.
     One of stowage_plan_status. */
  uint8_t status;
  /* Seed of the run that made the plan: the request's or, where several seeds were tried, the best one. */
  uint64_t seed;
  /* Work units done. A request with this work limit, and with the option "pace" set to `Plan.pace` if that is above 0, repeats
     the run. */
  uint64_t work;
  /* The nodes in use and those that are kept, one entry per node. Node n is of class node_class[n]; listed[n] is its index among
     the instance's listed nodes, or 4294967295 for an anonymous node of the class. Listed nodes come first, in the instance's
     order. */
  const uint32_t* node_class;
  uint32_t nodes;
  const uint32_t* listed;
  /* All placed replicas, running ones included, ordered by node and then by app. */
  const stowage_placed* placed;
  uint32_t placed_count;
  /* Ordered by app. */
  const stowage_app_replicas* unplaced;
  uint32_t unplaced_count;
  /* Lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave running replicas in
     place, unless the request ignores them or has a move budget. */
  stowage_plan_bound node_bound;
  /* How far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The value is
     the cost where there are prices, else the nodes, or `ucac`, `max_cost` or `total_cost` where that is the objective; with
     SoftPolicy.Price, soft_price x violation_cost is added to it. With Objective.Admitted, it is (left_out - left_out_bound) as
     a share of the weight admitted, whether or not replicas are unplaced; with Objective.Traffic, (remote_traffic -
     remote_traffic_bound) as a share of the traffic that stays on nodes, likewise. Negative where replicas are unplaced or no
     bound is above 0. */
  double gap;
  /* Sum of the prices of the nodes in use; negative without prices. */
  double cost;
  /* Lower bound on `cost` of any complete plan; "columns" as for `node_bound`. */
  stowage_plan_bound cost_bound;
  /* Number of constraints that were broken at the start, that the run was not allowed to repair, and that the plan makes no
     worse. */
  uint32_t inherited_violations;
  /* Number of running replicas that the plan puts on another node. */
  uint32_t moves;
  /* Used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of node_ucac[n] x copies[n], in
     the unit of `ucac_resource`. Negative where no demand is uncertain. */
  double ucac;
  /* The resource of `ucac`: the first one with uncertain demand; 4294967295 where none is uncertain. */
  uint32_t ucac_resource;
  /* Lower bound on `ucac` of any complete plan; "columns" as for `node_bound`. */
  stowage_plan_bound ucac_bound;
  /* Used capacity at confidence of each node, of a single copy (P1, definition 1): mean + quantile x standard deviation of its
     demand, in the period where this is highest. Length: that of `node_class`, or absent where no demand is uncertain. */
  const double* node_ucac;
  /* The objective that the run minimized, as Request.objective. PlanStatus.Optimal refers to it.
     One of stowage_objective. */
  uint8_t objective;
  /* Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica
     and one rule that does not hold for it. In this order: violations; different replicas among them; sum of the extents (P2,
     Eq. 8); sum of the rules' weights; sum of extent x weight, which is negative where the instance has no rules. */
  uint64_t rule_violations;
  uint64_t violating_replicas;
  double violation_extent;
  double violation_weight;
  double violation_cost;
  /* For planners that maximize a score of their own, which docs/reference/algorithms.md defines: the score, an upper bound on the score
     of any plan, and (score_bound - score) / score. Where no bound is proven, `score_gap` is negative and `score_bound` has no
     meaning. */
  uint8_t has_score;
  double score;
  double score_bound;
  double score_gap;
  /* Total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the search
     does at each point of a run. */
  uint64_t pace;
  /* Node n stands for copies[n] anonymous nodes of its class, each with the same content; a listed node has one copy. Length:
     that of `node_class`; absent = all 1, as in plans whose request is not `compact`. */
  const uint32_t* copies;
  /* How soft violations counted, as Request.soft. PlanStatus.Optimal and `gap` refer to it.
     One of stowage_soft. */
  uint8_t soft;
  /* What a unit of violation cost. */
  double soft_price;
  /* Whether capacity counted, instead of replicas, where not all of them fit. */
  uint8_t fill;
  /* What the reader of the plan should know of the run. */
  stowage_wire_span notes;
  uint32_t note_count;
  /* No plan of the request leaves less over than this: replicas per priority, highest priority first; priorities of which
     nothing has to be left over are absent. The highest priority in which a plan differs from it decides. Absent where
     everything is placed, where nothing is known, and where not every replica counts the same: with weights or `fill`. */
  const stowage_left_over* left_over_bound;
  uint32_t left_over_count;
  /* Whether `unplaced` is no more than `left_over_bound`: it is proven that no plan of the request leaves less over. */
  uint8_t places_most;
  /* What side effects cost the replica that suffers most; negative without an interference table. A
     replica of kind t costs the sum over all kinds u of coefficient[t][u] x the load of kind u on its node. */
  double max_cost;
  /* Lower bound on `max_cost` of any complete plan. */
  stowage_plan_bound max_cost_bound;
  /* What side effects cost all replicas together; negative without an interference table. */
  double total_cost;
  /* Lower bound on `total_cost` of any complete plan. */
  stowage_plan_bound total_cost_bound;
  /* Cost of the replica that suffers most on each node. Length: that of `node_class`, or absent without an interference table. */
  const double* node_max_cost;
  /* Request.max_cost of the run; 0 = none. */
  double max_cost_limit;
  /* With Objective.Admitted: weight of the applications that lack replicas. Negative with other objectives. */
  double left_out;
  /* Lower bound on `left_out` of any plan of the request. */
  stowage_plan_bound left_out_bound;
  /* Traffic between replicas that do not share a node; negative without traffic. */
  double remote_traffic;
  /* Lower bound on `remote_traffic` of any complete plan. */
  stowage_plan_bound remote_traffic_bound;
  /* Request.keep: where there is room for these replicas, all at once. Ordered as `placed`. */
  const stowage_placed* reserved;
  uint32_t reserved_count;
  /* The replicas of Request.keep without room, ordered by app. */
  const stowage_app_replicas* unreserved;
  uint32_t unreserved_count;
  /* Request.survive of the run; absent = none. */
  const char* survive;
  /* Replicas that the worst of these losses leaves without a place; 0 = the plan survives each of them;
     18446744073709551615 = the run ended before all were looked at. */
  uint64_t not_survived;
  /* Request.leave_free of the run; absent = none. */
  const char* leave_free;
  /* Number of values of this label that have a node with a replica or with load. */
  uint32_t domains_in_use;
  /* Lower bound on `domains_in_use` of any complete plan. */
  uint32_t domain_bound;
  /* Request.goals of the run, in their order, with what the plan reaches. */
  stowage_wire_span goals;
  uint32_t goal_count;
  /* With Request.trace: the parts of the run that made the plan, in the order in which they were first asked. */
  stowage_wire_span trace;
  uint32_t traced_count;
  stowage_wire_reader reader;
} stowage_plan_view;
/* clang-format on */
/* Up to here. */

static inline stowage_plan_bound stowage_wire_bound(stowage_wire_reader* from, size_t table, unsigned slot) {
  stowage_plan_bound bound = {NULL, 0, 0, 0};
  const size_t at = stowage_wire_table(from, table, slot);
  if (at == 0) return bound;
  bound.name = stowage_wire_string(from, at, 0);
  if (bound.name == NULL) from->bad = 1;
  stowage_wire_scalar(from, at, 1, &bound.value, 8);
  stowage_wire_scalar(from, at, 2, &bound.resource, 4);
  stowage_wire_scalar(from, at, 3, &bound.period, 4);
  return bound;
}
/* A column of nodes. */
static inline const void* stowage_wire_column(stowage_wire_reader* from, size_t table, unsigned slot, size_t size,
                                              uint32_t nodes) {
  const stowage_wire_span span = stowage_wire_vector(from, table, slot, size, size);
  if (span.data != NULL && span.count != nodes) from->bad = 1;
  return span.data;
}
static inline const stowage_placed* stowage_wire_placed(stowage_wire_reader* from, size_t table, unsigned slot, uint32_t nodes,
                                                        uint32_t* count) {
  const stowage_wire_span span = stowage_wire_vector(from, table, slot, sizeof(stowage_placed), 4);
  const stowage_placed* list = (const stowage_placed*)span.data;
  uint32_t k;
  for (k = 0; k < span.count; ++k) {
    if (list[k].node >= nodes) from->bad = 1;
  }
  *count = span.count;
  return list;
}

/* Made by scripts/generate-bindings.py: the fields of plans. */
/* clang-format off */
static inline int stowage_wire_reached_goal(stowage_wire_reader from, stowage_wire_span list, uint32_t index, stowage_reached_goal* to) {
  const size_t table = stowage_wire_entry(&from, list, index);
  memset(to, 0, sizeof *to);
  stowage_wire_scalar(&from, table, 0, &to->what, 1);
  to->resource = STOWAGE_NONE;
  stowage_wire_scalar(&from, table, 1, &to->resource, 4);
  stowage_wire_scalar(&from, table, 2, &to->beside, 1);
  to->weight = 1;
  stowage_wire_scalar(&from, table, 3, &to->weight, 8);
  stowage_wire_scalar(&from, table, 4, &to->tolerance, 8);
  stowage_wire_scalar(&from, table, 5, &to->value, 8);
  to->bound = -1;
  stowage_wire_scalar(&from, table, 6, &to->bound, 8);
  stowage_wire_scalar(&from, table, 7, &to->proven, 1);
  return table != 0 && !from.bad;
}
static inline void stowage_wire_plan_numbers(stowage_wire_reader* from, size_t root, stowage_plan_view* plan) {
  stowage_wire_scalar(from, root, 1, &plan->instance, 8);
  stowage_wire_scalar(from, root, 3, &plan->status, 1);
  stowage_wire_scalar(from, root, 4, &plan->seed, 8);
  stowage_wire_scalar(from, root, 5, &plan->work, 8);
  plan->node_bound = stowage_wire_bound(from, root, 10);
  plan->gap = -1;
  stowage_wire_scalar(from, root, 11, &plan->gap, 8);
  plan->cost = -1;
  stowage_wire_scalar(from, root, 12, &plan->cost, 8);
  plan->cost_bound = stowage_wire_bound(from, root, 13);
  stowage_wire_scalar(from, root, 14, &plan->inherited_violations, 4);
  stowage_wire_scalar(from, root, 15, &plan->moves, 4);
  plan->ucac = -1;
  stowage_wire_scalar(from, root, 16, &plan->ucac, 8);
  plan->ucac_resource = STOWAGE_NONE;
  stowage_wire_scalar(from, root, 17, &plan->ucac_resource, 4);
  plan->ucac_bound = stowage_wire_bound(from, root, 18);
  stowage_wire_scalar(from, root, 20, &plan->objective, 1);
  stowage_wire_scalar(from, root, 21, &plan->rule_violations, 8);
  stowage_wire_scalar(from, root, 22, &plan->violating_replicas, 8);
  stowage_wire_scalar(from, root, 23, &plan->violation_extent, 8);
  stowage_wire_scalar(from, root, 24, &plan->violation_weight, 8);
  plan->violation_cost = -1;
  stowage_wire_scalar(from, root, 25, &plan->violation_cost, 8);
  stowage_wire_scalar(from, root, 26, &plan->has_score, 1);
  stowage_wire_scalar(from, root, 27, &plan->score, 8);
  stowage_wire_scalar(from, root, 28, &plan->score_bound, 8);
  plan->score_gap = -1;
  stowage_wire_scalar(from, root, 29, &plan->score_gap, 8);
  stowage_wire_scalar(from, root, 30, &plan->pace, 8);
  stowage_wire_scalar(from, root, 32, &plan->soft, 1);
  stowage_wire_scalar(from, root, 33, &plan->soft_price, 8);
  stowage_wire_scalar(from, root, 34, &plan->fill, 1);
  stowage_wire_scalar(from, root, 37, &plan->places_most, 1);
  plan->max_cost = -1;
  stowage_wire_scalar(from, root, 38, &plan->max_cost, 8);
  plan->max_cost_bound = stowage_wire_bound(from, root, 39);
  plan->total_cost = -1;
  stowage_wire_scalar(from, root, 40, &plan->total_cost, 8);
  plan->total_cost_bound = stowage_wire_bound(from, root, 41);
  stowage_wire_scalar(from, root, 43, &plan->max_cost_limit, 8);
  plan->left_out = -1;
  stowage_wire_scalar(from, root, 44, &plan->left_out, 8);
  plan->left_out_bound = stowage_wire_bound(from, root, 45);
  plan->remote_traffic = -1;
  stowage_wire_scalar(from, root, 46, &plan->remote_traffic, 8);
  plan->remote_traffic_bound = stowage_wire_bound(from, root, 47);
  stowage_wire_scalar(from, root, 51, &plan->not_survived, 8);
  stowage_wire_scalar(from, root, 53, &plan->domains_in_use, 4);
  stowage_wire_scalar(from, root, 54, &plan->domain_bound, 4);
}
static inline void stowage_wire_plan_lists(stowage_wire_reader* from, size_t root, stowage_plan_view* plan) {
  stowage_wire_span span;
  plan->planner = stowage_wire_string(from, root, 2);
  if (plan->planner == NULL) from->bad = 1;
  span = stowage_wire_vector(from, root, 6, sizeof plan->node_class[0], 4);
  plan->node_class = (const uint32_t*)span.data;
  plan->nodes = span.count;
  if (plan->node_class == NULL) from->bad = 1;
  plan->listed = (const uint32_t*)stowage_wire_column(from, root, 7, 4, plan->nodes);
  if (plan->listed == NULL) from->bad = 1;
  plan->placed = stowage_wire_placed(from, root, 8, plan->nodes, &plan->placed_count);
  if (plan->placed == NULL) from->bad = 1;
  span = stowage_wire_vector(from, root, 9, sizeof plan->unplaced[0], 4);
  plan->unplaced = (const stowage_app_replicas*)span.data;
  plan->unplaced_count = span.count;
  if (plan->unplaced == NULL) from->bad = 1;
  plan->node_ucac = (const double*)stowage_wire_column(from, root, 19, 8, plan->nodes);
  plan->copies = (const uint32_t*)stowage_wire_column(from, root, 31, 4, plan->nodes);
  plan->notes = stowage_wire_vector(from, root, 35, 4, 4);
  plan->note_count = plan->notes.count;
  span = stowage_wire_vector(from, root, 36, sizeof plan->left_over_bound[0], 8);
  plan->left_over_bound = (const stowage_left_over*)span.data;
  plan->left_over_count = span.count;
  plan->node_max_cost = (const double*)stowage_wire_column(from, root, 42, 8, plan->nodes);
  plan->reserved = stowage_wire_placed(from, root, 48, plan->nodes, &plan->reserved_count);
  span = stowage_wire_vector(from, root, 49, sizeof plan->unreserved[0], 4);
  plan->unreserved = (const stowage_app_replicas*)span.data;
  plan->unreserved_count = span.count;
  plan->survive = stowage_wire_string(from, root, 50);
  plan->leave_free = stowage_wire_string(from, root, 52);
  plan->goals = stowage_wire_vector(from, root, 55, 4, 4);
  plan->goal_count = plan->goals.count;
  plan->trace = stowage_wire_vector(from, root, 56, 4, 4);
  plan->traced_count = plan->trace.count;
}
/* clang-format on */
/* Up to here. */

/*
 * Read a plan.
 *   bytes, size   the plan, as stowage_plan() returned it or from elsewhere
 *   plan          receives the view
 * Returns STOWAGE_OK, STOWAGE_INVALID_ARGUMENT, or STOWAGE_MALFORMED: not a plan, of a newer format, damaged, or at an address
 * that is no multiple of 8.
 */
static inline stowage_status stowage_plan_read(const uint8_t* bytes, size_t size, stowage_plan_view* plan) {
  stowage_wire_reader from;
  size_t root;
  if (bytes == NULL || plan == NULL) return STOWAGE_INVALID_ARGUMENT;
  memset(plan, 0, sizeof *plan);
  from.data = bytes;
  from.size = size;
  from.bad = 0;
  root = stowage_wire_root(&from, "STOP");
  stowage_wire_plan_numbers(&from, root, plan);
  stowage_wire_plan_lists(&from, root, plan);
  plan->reader = from;
  if (!from.bad) return STOWAGE_OK;
  memset(plan, 0, sizeof *plan);
  return STOWAGE_MALFORMED;
}

/* The number of nodes that an entry stands for. */
static inline uint32_t stowage_plan_copies(const stowage_plan_view* plan, uint32_t node) {
  if (node >= plan->nodes) return 0;
  return plan->copies != NULL ? plan->copies[node] : 1;
}

/* The number of nodes of a plan, copies included. */
static inline uint64_t stowage_plan_nodes_in_use(const stowage_plan_view* plan) {
  uint64_t sum = 0;
  uint32_t node;
  for (node = 0; node < plan->nodes; ++node) sum += stowage_plan_copies(plan, node);
  return sum;
}

/* What is on a node (of each copy): `count` entries from the one that is returned on. */
static inline const stowage_placed* stowage_plan_on(const stowage_plan_view* plan, uint32_t node, uint32_t* count) {
  uint32_t first = 0, last = plan->placed_count;
  *count = 0;
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    if (plan->placed[middle].node < node) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  while (first + *count < plan->placed_count && plan->placed[first + *count].node == node) ++*count;
  return plan->placed == NULL ? NULL : plan->placed + first;
}

/* The number of replicas of an app on a node (on each copy). */
static inline uint32_t stowage_plan_replicas(const stowage_plan_view* plan, uint32_t app, uint32_t node) {
  uint32_t count, k;
  const stowage_placed* on = stowage_plan_on(plan, node, &count);
  for (k = 0; k < count; ++k) {
    if (on[k].app == app) return on[k].replicas;
  }
  return 0;
}

/* The number of replicas of an app that the plan leaves unplaced. */
static inline uint32_t stowage_plan_unplaced(const stowage_plan_view* plan, uint32_t app) {
  uint32_t k;
  for (k = 0; k < plan->unplaced_count; ++k) {
    if (plan->unplaced[k].app == app) return plan->unplaced[k].replicas;
  }
  return 0;
}

/* The sentence of a note, and its NoteCode of plan.fbs where `code` is not NULL; NULL where it has none. */
static inline const char* stowage_plan_note(const stowage_plan_view* plan, uint32_t index, uint8_t* code) {
  stowage_wire_reader from = plan->reader;
  const size_t note = stowage_wire_entry(&from, plan->notes, index);
  if (code != NULL) {
    *code = 0;
    stowage_wire_scalar(&from, note, 0, code, 1);
  }
  return note == 0 ? NULL : stowage_wire_string(&from, note, 1);
}

/* A part of the run, with Request.trace: its name, and its calls, gains and work where these are not NULL; NULL where there is
   none. */
static inline const char* stowage_plan_traced(const stowage_plan_view* plan, uint32_t index, uint64_t* calls, uint64_t* gains,
                                              uint64_t* work) {
  stowage_wire_reader from = plan->reader;
  const size_t part = stowage_wire_entry(&from, plan->trace, index);
  uint64_t* const numbers[3] = {calls, gains, work};
  uint32_t k;
  for (k = 0; k < 3; ++k) {
    if (numbers[k] == NULL) continue;
    *numbers[k] = 0;
    stowage_wire_scalar(&from, part, 1 + k, numbers[k], 8);
  }
  return part == 0 ? NULL : stowage_wire_string(&from, part, 0);
}

/* A goal of the run, with what the plan reaches of it. Returns 1; 0 where there is none. */
static inline int stowage_plan_goal(const stowage_plan_view* plan, uint32_t index, stowage_reached_goal* goal) {
  return stowage_wire_reached_goal(plan->reader, plan->goals, index, goal);
}

/* ------------------------------------------------------------------------------------------------------------- instances */

/* Made by scripts/generate-bindings.py: states of nodes. */
/* clang-format off */
/* NodeState. */
typedef enum stowage_node_state {
  STOWAGE_NODE_OPEN = 0,
  STOWAGE_NODE_CORDONED = 1,
  STOWAGE_NODE_DRAINED = 2,
  STOWAGE_NODE_FAILED = 3
} stowage_node_state;

/* clang-format on */
/* Up to here. */

/*
 * The names of an instance, and what runs where. A session's snapshot is an instance as well: it says where each app runs and
 * how its nodes are. Positions of apps and nodes change when others leave; names stay.
 */
typedef struct stowage_instance_view {
  uint32_t apps;
  uint32_t nodes; /* the listed ones */
  uint32_t classes;
  uint32_t resources;
  uint32_t periods;
  const uint32_t* replicas;      /* of each app, running ones included */
  const uint32_t* node_class;    /* of each listed node; NULL where there are none */
  const uint8_t* closed;         /* of each listed node: 1 = takes no new replicas; NULL = all do */
  const uint8_t* node_state;     /* of each listed node, one of stowage_node_state; NULL except in snapshots */
  const stowage_placed* running; /* `node` is a listed node */
  uint32_t running_count;
  uint32_t pinned_count;
  const stowage_placed* pinned;
  uint64_t version; /* of the session; 0 except in snapshots */
  size_t root;      /* the rest is for stowage_instance_name() */
  stowage_wire_span app_names;
  stowage_wire_span node_names;
  stowage_wire_span class_tables;
  stowage_wire_span resource_tables;
  stowage_wire_reader reader;
} stowage_instance_view;

/* What stowage_instance_name() names. */
typedef enum stowage_named {
  STOWAGE_NAMED_APP = 0,
  STOWAGE_NAMED_NODE = 1, /* a listed node */
  STOWAGE_NAMED_CLASS = 2,
  STOWAGE_NAMED_RESOURCE = 3
} stowage_named;

/* Read an instance, or a snapshot. Statuses as for stowage_plan_read(). */
static inline stowage_status stowage_instance_read(const uint8_t* bytes, size_t size, stowage_instance_view* instance) {
  stowage_wire_reader from;
  stowage_wire_span span;
  size_t root, apps, nodes, session;
  if (bytes == NULL || instance == NULL) return STOWAGE_INVALID_ARGUMENT;
  memset(instance, 0, sizeof *instance);
  from.data = bytes;
  from.size = size;
  from.bad = 0;
  root = stowage_wire_root(&from, "STOI");
  instance->resource_tables = stowage_wire_vector(&from, root, 2, 4, 4);
  instance->resources = instance->resource_tables.count;
  instance->periods = 1;
  stowage_wire_scalar(&from, root, 3, &instance->periods, 4);
  apps = stowage_wire_table(&from, root, 4);
  instance->app_names = stowage_wire_vector(&from, apps, 0, 4, 4);
  span = stowage_wire_vector(&from, apps, 1, 4, 4);
  instance->replicas = (const uint32_t*)span.data;
  instance->apps = span.count;
  instance->class_tables = stowage_wire_vector(&from, root, 5, 4, 4);
  instance->classes = instance->class_tables.count;
  nodes = stowage_wire_table(&from, root, 6);
  span = stowage_wire_vector(&from, nodes, 0, 4, 4);
  instance->node_class = (const uint32_t*)span.data;
  instance->nodes = span.count;
  instance->node_names = stowage_wire_vector(&from, nodes, 1, 4, 4);
  instance->closed = (const uint8_t*)stowage_wire_column(&from, nodes, 4, 1, instance->nodes);
  instance->running = stowage_wire_placed(&from, root, 8, instance->nodes, &instance->running_count);
  instance->pinned = stowage_wire_placed(&from, root, 9, instance->nodes, &instance->pinned_count);
  session = stowage_wire_table(&from, root, 15);
  stowage_wire_scalar(&from, session, 0, &instance->version, 8);
  instance->node_state = (const uint8_t*)stowage_wire_column(&from, session, 1, 1, instance->nodes);
  if (instance->replicas == NULL || instance->class_tables.data == NULL || instance->resource_tables.data == NULL) from.bad = 1;
  instance->root = root;
  instance->reader = from;
  if (!from.bad) return STOWAGE_OK;
  memset(instance, 0, sizeof *instance);
  return STOWAGE_MALFORMED;
}

/* The name of an app, listed node, node class or resource; NULL where it has none or does not exist. */
static inline const char* stowage_instance_name(const stowage_instance_view* instance, stowage_named what, uint32_t index) {
  stowage_wire_reader from = instance->reader;
  switch (what) {
    case STOWAGE_NAMED_APP:
      return stowage_wire_string_at(&from, stowage_wire_entry(&from, instance->app_names, index));
    case STOWAGE_NAMED_NODE:
      return stowage_wire_string_at(&from, stowage_wire_entry(&from, instance->node_names, index));
    case STOWAGE_NAMED_CLASS:
      return stowage_wire_string(&from, stowage_wire_entry(&from, instance->class_tables, index), 0);
    case STOWAGE_NAMED_RESOURCE:
      return stowage_wire_string(&from, stowage_wire_entry(&from, instance->resource_tables, index), 0);
  }
  return NULL;
}

/* The position of the app or listed node of a name; STOWAGE_NONE where there is none. Compares name by name. */
static inline uint32_t stowage_instance_find(const stowage_instance_view* instance, stowage_named what, const char* name) {
  const uint32_t counts[4] = {instance->apps, instance->nodes, instance->classes, instance->resources};
  uint32_t index;
  for (index = 0; (unsigned)what < 4 && index < counts[what]; ++index) {
    const char* const found = stowage_instance_name(instance, what, index);
    if (found != NULL && strcmp(found, name) == 0) return index;
  }
  return STOWAGE_NONE;
}

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_WIRE_H */
