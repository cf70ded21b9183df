/*
 * The C API from a C99 program: every function of stowage.h with its argument checks, failures and results.
 *
 * Usage: c_api_test DIRECTORY, which holds small_instance.stow, negative_demand.stow, ff_request.stowreq,
 * unknown_planner.stowreq and session_operations.stowops (made from tests/data/). Exit status 0 where every check holds.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stowage.h"
#include "tests/capi/c_checks.h"

/* An error filled with a pattern, to detect whether a call wrote to it. */
static stowage_error untouched_error(void) {
  stowage_error error;
  memset(&error, 0x5a, sizeof error);
  return error;
}

static int is_untouched(const stowage_error* error) {
  const stowage_error pattern = untouched_error();
  return memcmp(error, &pattern, sizeof pattern) == 0;
}

/* Whether an error describes a failure of that status, with a message that ends within its array. */
static int describes(const stowage_error* error, stowage_status status) {
  return error->status == status && error->message[0] != '\0' && memchr(error->message, '\0', sizeof error->message) != NULL &&
         memchr(error->path, '\0', sizeof error->path) != NULL;
}

static void test_version(void) {
  char expected[64];
  snprintf(expected, sizeof expected, "%d.%d.%d", STOWAGE_VERSION_MAJOR, STOWAGE_VERSION_MINOR, STOWAGE_VERSION_PATCH);
  CHECK(strcmp(stowage_version(), expected) == 0);
}

static void test_status_text(void) {
  /* The numbers are written out: they are part of the ABI. */
  CHECK(STOWAGE_STATUS_END == 11);
  CHECK(strcmp(stowage_status_text((stowage_status)0), "STOWAGE_OK") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)1), "STOWAGE_INVALID_ARGUMENT") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)2), "STOWAGE_MALFORMED") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)3), "STOWAGE_INVALID") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)4), "STOWAGE_UNSUPPORTED") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)5), "STOWAGE_LIMIT_EXCEEDED") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)6), "STOWAGE_NOT_FOUND") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)7), "STOWAGE_OUT_OF_MEMORY") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)8), "STOWAGE_INTERNAL") == 0);
  CHECK(strcmp(stowage_status_text(STOWAGE_STATUS_END), "STOWAGE_INTERNAL") == 0);
  CHECK(strcmp(stowage_status_text((stowage_status)15), "STOWAGE_INTERNAL") == 0);
}

static void test_buffer_free(void) {
  stowage_buffer empty = {NULL, 0};
  stowage_buffer catalogue = {NULL, 0};
  stowage_buffer_free(NULL);
  stowage_buffer_free(&empty);
  CHECK(is_empty(&empty));
  CHECK(stowage_planners(&catalogue, NULL) == STOWAGE_OK);
  CHECK(!is_empty(&catalogue));
  stowage_buffer_free(&catalogue);
  CHECK(is_empty(&catalogue));
  stowage_buffer_free(&catalogue);
  CHECK(is_empty(&catalogue));
}

static void test_control(void) {
  stowage_error error = untouched_error();
  stowage_control* control = NULL;
  stowage_progress progress = STOWAGE_PROGRESS_INIT;

  CHECK(stowage_control_new(NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_control_new(NULL, NULL) == STOWAGE_INVALID_ARGUMENT);
  error = untouched_error();
  CHECK(stowage_control_new(&control, &error) == STOWAGE_OK);
  CHECK(control != NULL && is_untouched(&error));

  CHECK(stowage_control_progress(control, &progress) == STOWAGE_OK);
  CHECK(progress.struct_size == sizeof progress);
  CHECK(progress.phase == STOWAGE_PHASE_IDLE && progress.cancelled == 0);
  CHECK(progress.done == 0 && progress.total == 0 && progress.best == 0 && progress.work == 0);
  CHECK(progress.value < 0 && progress.left_over == 0);

  stowage_control_cancel(control);
  stowage_control_cancel(control);
  CHECK(stowage_control_progress(control, &progress) == STOWAGE_OK && progress.cancelled == 1);
  stowage_control_reset(control);
  CHECK(stowage_control_progress(control, &progress) == STOWAGE_OK && progress.cancelled == 0);
  CHECK(progress.phase == STOWAGE_PHASE_IDLE);

  CHECK(stowage_control_progress(NULL, &progress) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_control_progress(control, NULL) == STOWAGE_INVALID_ARGUMENT);
  progress.struct_size = 0;
  CHECK(stowage_control_progress(control, &progress) == STOWAGE_INVALID_ARGUMENT);
  progress.struct_size = sizeof progress + sizeof(uint64_t);
  CHECK(stowage_control_progress(control, &progress) == STOWAGE_INVALID_ARGUMENT);
  /* For a caller that knows fewer fields, only these are written. */
  memset(&progress, 0x5a, sizeof progress);
  progress.struct_size = offsetof(stowage_progress, done);
  stowage_control_cancel(control);
  CHECK(stowage_control_progress(control, &progress) == STOWAGE_OK);
  CHECK(progress.struct_size == offsetof(stowage_progress, done));
  CHECK(progress.phase == STOWAGE_PHASE_IDLE && progress.cancelled == 1);
  CHECK(progress.done == UINT64_C(0x5a5a5a5a5a5a5a5a));

  stowage_control_free(control);
  stowage_control_free(NULL);
  stowage_control_cancel(NULL);
  stowage_control_reset(NULL);
}

static void test_planners(void) {
  stowage_error error = untouched_error();
  stowage_buffer catalogue = {NULL, 0};
  CHECK(stowage_planners(NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(describes(&error, STOWAGE_INVALID_ARGUMENT));
  error = untouched_error();
  CHECK(stowage_planners(&catalogue, &error) == STOWAGE_OK);
  CHECK(is_untouched(&error));
  CHECK(has_identifier(&catalogue, "STOC"));
  stowage_buffer_free(&catalogue);
}

/* A handle that a failing call has to replace by NULL. Never used. */
static stowage_instance* stale_instance(void) { return (stowage_instance*)&stale_byte; }

static void test_load_arguments(file small) {
  stowage_error error = untouched_error();
  stowage_instance* instance = stale_instance();
  stowage_limits limits = STOWAGE_LIMITS_INIT;

  CHECK(stowage_instance_load(NULL, small.size, NULL, &instance, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(instance == NULL && describes(&error, STOWAGE_INVALID_ARGUMENT));
  error = untouched_error();
  CHECK(stowage_instance_load(small.data, small.size, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_instance_load(small.data, small.size, NULL, NULL, NULL) == STOWAGE_INVALID_ARGUMENT);

  limits.struct_size = 0;
  instance = stale_instance();
  CHECK(stowage_instance_load(small.data, small.size, &limits, &instance, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(instance == NULL);
  limits.struct_size = sizeof limits + sizeof(uint64_t);
  instance = stale_instance();
  CHECK(stowage_instance_load(small.data, small.size, &limits, &instance, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(instance == NULL);

  /* For a caller that knows fewer fields, only these are read. */
  limits.struct_size = offsetof(stowage_limits, max_apps);
  limits.max_apps = 1;
  CHECK(stowage_instance_load(small.data, small.size, &limits, &instance, &error) == STOWAGE_OK);
  stowage_instance_free(instance);

  stowage_instance_free(NULL);
}

static void test_load_malformed(file small, file request) {
  stowage_error error = untouched_error();
  stowage_instance* instance = stale_instance();
  size_t size;

  CHECK(stowage_instance_load(request.data, request.size, NULL, &instance, &error) == STOWAGE_MALFORMED);
  CHECK(instance == NULL && describes(&error, STOWAGE_MALFORMED));
  for (size = 0; size < small.size; ++size) {
    stowage_status status;
    /* On the heap at its exact size, so that a sanitizer sees a read beyond it. */
    uint8_t* truncated = malloc(size > 0 ? size : 1);
    if (truncated == NULL) exit(2);
    memcpy(truncated, small.data, size);
    instance = stale_instance();
    status = stowage_instance_load(truncated, size, NULL, &instance, &error);
    /* The last bytes may be padding that nothing refers to. */
    CHECK(status == STOWAGE_MALFORMED || (status == STOWAGE_OK && small.size - size < 8));
    CHECK(status == STOWAGE_OK || instance == NULL);
    if (status == STOWAGE_OK) stowage_instance_free(instance);
    free(truncated);
  }
}

static void test_load_limits(file small) {
  static const size_t offsets[] = {offsetof(stowage_limits, max_bytes), offsetof(stowage_limits, max_apps),
                                   offsetof(stowage_limits, max_replicas), offsetof(stowage_limits, max_limits),
                                   offsetof(stowage_limits, max_cells)};
  size_t i;
  for (i = 0; i < sizeof offsets / sizeof offsets[0]; ++i) {
    stowage_error error = untouched_error();
    stowage_instance* instance = stale_instance();
    stowage_limits limits = STOWAGE_LIMITS_INIT;
    const uint64_t one = 1;
    memcpy((char*)&limits + offsets[i], &one, sizeof one);
    CHECK(stowage_instance_load(small.data, small.size, &limits, &instance, &error) == STOWAGE_LIMIT_EXCEEDED);
    CHECK(instance == NULL && describes(&error, STOWAGE_LIMIT_EXCEEDED));
  }
}

static void test_load_invalid(file negative) {
  stowage_error error = untouched_error();
  stowage_instance* instance = stale_instance();
  CHECK(stowage_instance_load(negative.data, negative.size, NULL, &instance, &error) == STOWAGE_INVALID);
  CHECK(instance == NULL && describes(&error, STOWAGE_INVALID));
  CHECK(strcmp(error.path, "apps.demand[3]") == 0);
  CHECK(stowage_instance_load(negative.data, negative.size, NULL, &instance, NULL) == STOWAGE_INVALID);
}

static void test_load_misaligned(file small) {
  size_t shift;
  uint8_t* room = malloc(small.size + 8);
  if (room == NULL) exit(2);
  for (shift = 0; shift < 8; ++shift) {
    stowage_instance* instance = NULL;
    stowage_error error = untouched_error();
    memcpy(room + shift, small.data, small.size);
    CHECK(stowage_instance_load(room + shift, small.size, NULL, &instance, &error) == STOWAGE_OK);
    CHECK(instance != NULL && is_untouched(&error));
    stowage_instance_free(instance);
  }
  free(room);
}

/* The plan needs two nodes; the caller accepts one. */
static void test_plan_limits(file small, file request) {
  stowage_error error = untouched_error();
  stowage_instance* instance = NULL;
  stowage_buffer plan = stale_buffer();
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_nodes = 1;
  CHECK(stowage_instance_load(small.data, small.size, &limits, &instance, &error) == STOWAGE_OK);
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, &error) == STOWAGE_LIMIT_EXCEEDED);
  CHECK(is_empty(&plan) && describes(&error, STOWAGE_LIMIT_EXCEEDED));
  stowage_instance_free(instance);
}

static void test_plan(const stowage_instance* instance, file request, file unknown) {
  stowage_error error = untouched_error();
  stowage_buffer plan = stale_buffer();
  stowage_buffer again = {NULL, 0};
  stowage_control* control = NULL;
  stowage_progress progress = STOWAGE_PROGRESS_INIT;

  CHECK(stowage_plan(NULL, request.data, request.size, NULL, &plan, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&plan) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  plan = stale_buffer();
  CHECK(stowage_plan(instance, NULL, request.size, NULL, &plan, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&plan));
  CHECK(stowage_plan(instance, request.data, request.size, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  plan = stale_buffer();
  CHECK(stowage_plan(instance, request.data, request.size - 8, NULL, &plan, &error) == STOWAGE_MALFORMED);
  CHECK(is_empty(&plan) && describes(&error, STOWAGE_MALFORMED));
  plan = stale_buffer();
  CHECK(stowage_plan(instance, unknown.data, unknown.size, NULL, &plan, &error) == STOWAGE_NOT_FOUND);
  CHECK(is_empty(&plan) && describes(&error, STOWAGE_NOT_FOUND));
  CHECK(stowage_plan(instance, unknown.data, unknown.size, NULL, &plan, NULL) == STOWAGE_NOT_FOUND);

  CHECK(stowage_control_new(&control, NULL) == STOWAGE_OK);
  error = untouched_error();
  CHECK(stowage_plan(instance, request.data, request.size, control, &plan, &error) == STOWAGE_OK);
  CHECK(has_identifier(&plan, "STOP") && is_untouched(&error));
  CHECK(((uintptr_t)plan.data) % 8 == 0);
  CHECK(stowage_control_progress(control, &progress) == STOWAGE_OK);
  CHECK(progress.phase == STOWAGE_PHASE_DONE && progress.cancelled == 0 && progress.best == 2);
  CHECK(progress.value == 2 && progress.left_over == 0);

  /* The same run gives the same bytes. */
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &again, &error) == STOWAGE_OK);
  CHECK(again.size == plan.size && memcmp(again.data, plan.data, plan.size) == 0);
  stowage_buffer_free(&again);

  /* A run that is cancelled before it starts returns a plan. */
  stowage_control_cancel(control);
  CHECK(stowage_plan(instance, request.data, request.size, control, &again, &error) == STOWAGE_OK);
  CHECK(has_identifier(&again, "STOP"));
  stowage_buffer_free(&again);
  stowage_control_free(control);
  stowage_buffer_free(&plan);
}

static void test_verify(const stowage_instance* instance, file request) {
  stowage_error error = untouched_error();
  stowage_buffer plan = {NULL, 0};
  stowage_buffer report = stale_buffer();
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, NULL) == STOWAGE_OK);

  CHECK(stowage_verify(NULL, plan.data, plan.size, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  report = stale_buffer();
  CHECK(stowage_verify(instance, NULL, 1, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report));
  CHECK(stowage_verify(instance, plan.data, plan.size, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  report = stale_buffer();
  CHECK(stowage_verify(instance, request.data, request.size, &report, &error) == STOWAGE_MALFORMED);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_MALFORMED));

  error = untouched_error();
  CHECK(stowage_verify(instance, plan.data, plan.size, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  stowage_buffer_free(&plan);
}

static void test_explain(const stowage_instance* instance, file request) {
  stowage_error error = untouched_error();
  stowage_buffer plan = {NULL, 0};
  stowage_buffer report = stale_buffer();
  stowage_control* control = NULL;
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, NULL) == STOWAGE_OK);

  CHECK(stowage_explain(NULL, plan.data, plan.size, 0, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_explain(instance, NULL, 1, 0, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_explain(instance, plan.data, plan.size, 0, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  report = stale_buffer();
  CHECK(stowage_explain(instance, plan.data, plan.size, 2, NULL, &report, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID));
  CHECK(stowage_explain(instance, request.data, request.size, 0, NULL, &report, &error) == STOWAGE_MALFORMED);

  error = untouched_error();
  CHECK(stowage_explain(instance, plan.data, plan.size, STOWAGE_ALL_UNPLACED, NULL, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  CHECK(stowage_control_new(&control, NULL) == STOWAGE_OK);
  stowage_control_cancel(control);
  CHECK(stowage_explain(instance, plan.data, plan.size, 1, control, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV"));
  stowage_buffer_free(&report);
  stowage_control_free(control);
  stowage_buffer_free(&plan);
}

static void test_headroom(const stowage_instance* instance, file request) {
  stowage_error error = untouched_error();
  stowage_buffer plan = stale_buffer();
  stowage_buffer report = stale_buffer();
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, NULL) == STOWAGE_OK);

  CHECK(stowage_headroom(NULL, plan.data, plan.size, 0, STOWAGE_NO_NODE, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_headroom(instance, NULL, 1, 0, STOWAGE_NO_NODE, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_headroom(instance, plan.data, plan.size, 0, STOWAGE_NO_NODE, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  report = stale_buffer();
  CHECK(stowage_headroom(instance, plan.data, plan.size, 2, STOWAGE_NO_NODE, &report, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID));
  CHECK(stowage_headroom(instance, plan.data, plan.size, 0, STOWAGE_NO_NODE - 1, &report, &error) == STOWAGE_INVALID);
  CHECK(stowage_headroom(instance, request.data, request.size, 0, 0, &report, &error) == STOWAGE_MALFORMED);

  error = untouched_error();
  CHECK(stowage_headroom(instance, plan.data, plan.size, 0, 0, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  stowage_buffer_free(&plan);
}

static void test_headroom_of_apps(const stowage_instance* instance, file request) {
  stowage_error error = untouched_error();
  stowage_buffer plan = stale_buffer();
  stowage_buffer report = stale_buffer();
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, NULL) == STOWAGE_OK);

  CHECK(stowage_headroom_of_apps(NULL, plan.data, plan.size, 0, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_headroom_of_apps(instance, NULL, 1, 0, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_headroom_of_apps(instance, plan.data, plan.size, 0, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  report = stale_buffer();
  CHECK(stowage_headroom_of_apps(instance, plan.data, plan.size, 1000000001, &report, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID) && strcmp(error.path, "most") == 0);
  CHECK(stowage_headroom_of_apps(instance, request.data, request.size, 0, &report, &error) == STOWAGE_MALFORMED);

  error = untouched_error();
  CHECK(stowage_headroom_of_apps(instance, plan.data, plan.size, 1000000000, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  CHECK(stowage_headroom_of_apps(instance, NULL, 0, 0, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  stowage_buffer_free(&plan);
}

static void test_losses(const stowage_instance* instance, file request) {
  const uint32_t first = 0;
  const uint32_t far = 99;
  const uint8_t label[] = {'r', 'a', 'c', 'k'};
  stowage_error error = untouched_error();
  stowage_buffer plan = stale_buffer();
  stowage_buffer report = stale_buffer();
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, NULL) == STOWAGE_OK);

  CHECK(stowage_losses(NULL, plan.data, plan.size, NULL, 0, NULL, 0, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_losses(instance, NULL, 1, NULL, 0, NULL, 0, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_losses(instance, plan.data, plan.size, NULL, 1, NULL, 0, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_losses(instance, plan.data, plan.size, NULL, 0, NULL, 1, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_losses(instance, plan.data, plan.size, NULL, 0, NULL, 0, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  report = stale_buffer();
  CHECK(stowage_losses(instance, plan.data, plan.size, &far, 1, NULL, 0, NULL, &report, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID) && strcmp(error.path, "nodes") == 0);
  CHECK(stowage_losses(instance, plan.data, plan.size, NULL, 0, label, 4, NULL, &report, &error) == STOWAGE_INVALID);
  CHECK(strcmp(error.path, "label") == 0);
  CHECK(stowage_losses(instance, request.data, request.size, NULL, 0, NULL, 0, NULL, &report, &error) == STOWAGE_MALFORMED);

  error = untouched_error();
  CHECK(stowage_losses(instance, plan.data, plan.size, &first, 1, NULL, 0, NULL, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  CHECK(stowage_losses(instance, NULL, 0, NULL, 0, NULL, 0, NULL, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  stowage_buffer_free(&plan);
}

static void test_order_moves(const stowage_instance* instance, file request) {
  stowage_error error = untouched_error();
  stowage_buffer plan = stale_buffer();
  stowage_buffer report = stale_buffer();
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, NULL) == STOWAGE_OK);

  CHECK(stowage_order_moves(NULL, plan.data, plan.size, 0, 1, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_order_moves(instance, NULL, 1, 0, 1, NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_order_moves(instance, plan.data, plan.size, 0, 1, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  report = stale_buffer();
  CHECK(stowage_order_moves(instance, plan.data, plan.size, 0, 0, NULL, &report, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID));
  CHECK(stowage_order_moves(instance, plan.data, plan.size, 0, NAN, NULL, &report, &error) == STOWAGE_INVALID);
  CHECK(stowage_order_moves(instance, request.data, request.size, 0, 1, NULL, &report, &error) == STOWAGE_MALFORMED);

  error = untouched_error();
  CHECK(stowage_order_moves(instance, plan.data, plan.size, 1, 0.5, NULL, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
  stowage_buffer_free(&plan);
}

static void test_derive(const stowage_instance* instance, file derivation, file unknown, file request) {
  stowage_error error = untouched_error();
  stowage_instance* derived = NULL;
  stowage_instance* loaded = NULL;
  stowage_buffer saved = stale_buffer();
  stowage_buffer plan = stale_buffer();
  CHECK(stowage_instance_derive(NULL, derivation.data, derivation.size, NULL, &derived, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(derived == NULL && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_instance_derive(instance, NULL, 0, NULL, &derived, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_instance_derive(instance, derivation.data, derivation.size, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_instance_derive(instance, request.data, request.size, NULL, &derived, &error) == STOWAGE_MALFORMED);
  CHECK(stowage_instance_derive(instance, unknown.data, unknown.size, NULL, &derived, &error) == STOWAGE_NOT_FOUND);
  CHECK(derived == NULL && describes(&error, STOWAGE_NOT_FOUND) && strcmp(error.path, "by_app[0].name") == 0);
  CHECK(stowage_instance_save(NULL, &saved, &error) == STOWAGE_INVALID_ARGUMENT && is_empty(&saved));
  CHECK(stowage_instance_save(instance, NULL, &error) == STOWAGE_INVALID_ARGUMENT);

  error = untouched_error();
  CHECK(stowage_instance_derive(instance, derivation.data, derivation.size, NULL, &derived, &error) == STOWAGE_OK);
  CHECK(derived != NULL && is_untouched(&error));
  CHECK(stowage_instance_fingerprint(derived) != stowage_instance_fingerprint(instance));
  CHECK(stowage_instance_save(derived, &saved, &error) == STOWAGE_OK && is_untouched(&error));
  CHECK(has_identifier(&saved, "STOI"));
  CHECK(stowage_instance_load(saved.data, saved.size, NULL, &loaded, &error) == STOWAGE_OK);
  CHECK(stowage_instance_fingerprint(loaded) == stowage_instance_fingerprint(derived));
  CHECK(stowage_plan(derived, request.data, request.size, NULL, &plan, &error) == STOWAGE_OK);
  stowage_buffer_free(&plan);
  stowage_buffer_free(&saved);
  stowage_instance_free(loaded);
  stowage_instance_free(derived);
}

/* A solver that fills in wrong answers. */
static void refuse_to_solve(void* context, const stowage_program* program, const stowage_control* control,
                            stowage_answer* answer) {
  int* calls = (int*)context;
  CHECK(program->struct_size == sizeof *program && answer->struct_size == sizeof *answer);
  CHECK(control != NULL && answer->status == STOWAGE_ANSWER_FAILED);
  CHECK(program->row_begin[0] == 0 && program->row_begin[program->rows] == program->entries);
  answer->status = 12345;
  answer->bound = 1e30;
  if (program->columns > 0) answer->values[0] = -1;
  ++*calls;
}

static void test_solver(const stowage_instance* instance, file request) {
  stowage_error error = untouched_error();
  stowage_buffer plan = stale_buffer();
  stowage_control* control = NULL;
  stowage_solver solver = STOWAGE_SOLVER_INIT;
  int calls = 0;
  CHECK(stowage_control_new(&control, &error) == STOWAGE_OK);
  CHECK(stowage_control_set_solver(NULL, &solver, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_control_set_solver(control, &solver, NULL) == STOWAGE_INVALID_ARGUMENT);
  solver.solve = refuse_to_solve;
  solver.context = &calls;
  solver.struct_size = sizeof solver + 8;
  CHECK(stowage_control_set_solver(control, &solver, NULL) == STOWAGE_INVALID_ARGUMENT);
  solver.struct_size = sizeof solver;
  /* Without a solver the planner is refused; with a bad solver it still returns a plan. */
  error = untouched_error();
  CHECK(stowage_plan(instance, request.data, request.size, control, &plan, &error) == STOWAGE_UNSUPPORTED);
  CHECK(describes(&error, STOWAGE_UNSUPPORTED) && strcmp(error.path, "planner") == 0 && is_empty(&plan));
  error = untouched_error();
  CHECK(stowage_control_set_solver(control, &solver, &error) == STOWAGE_OK);
  CHECK(stowage_plan(instance, request.data, request.size, control, &plan, &error) == STOWAGE_OK);
  CHECK(has_identifier(&plan, "STOP") && is_untouched(&error) && calls == 1);
  stowage_buffer_free(&plan);
  /* A reset keeps the solver; NULL removes it. */
  stowage_control_reset(control);
  CHECK(stowage_plan(instance, request.data, request.size, control, &plan, &error) == STOWAGE_OK);
  CHECK(calls == 2);
  stowage_buffer_free(&plan);
  CHECK(stowage_control_set_solver(control, NULL, &error) == STOWAGE_OK);
  CHECK(stowage_plan(instance, request.data, request.size, control, &plan, &error) == STOWAGE_UNSUPPORTED);
  stowage_control_free(control);
}

static void test_fingerprint(const stowage_instance* instance) {
  CHECK(stowage_instance_fingerprint(NULL) == 0);
  CHECK(stowage_instance_fingerprint(instance) != 0);
  CHECK(stowage_instance_fingerprint(instance) == stowage_instance_fingerprint(instance));
}

static void test_bound(const stowage_instance* instance) {
  stowage_error error = untouched_error();
  stowage_buffer report = stale_buffer();
  CHECK(stowage_bound(NULL, &report, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&report) && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_bound(instance, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  error = untouched_error();
  CHECK(stowage_bound(instance, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  stowage_buffer_free(&report);
}

static void test_session(file small, file request, file operations) {
  stowage_error error = untouched_error();
  stowage_session* session = NULL;
  stowage_session* again = NULL;
  stowage_instance* instance = NULL;
  stowage_buffer plan = stale_buffer();
  stowage_buffer report = stale_buffer();
  stowage_buffer snapshot = stale_buffer();
  CHECK(stowage_session_version(NULL) == 0);
  stowage_session_free(NULL);
  CHECK(stowage_session_open(NULL, 0, NULL, &session, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(session == NULL && describes(&error, STOWAGE_INVALID_ARGUMENT));
  error = untouched_error();
  CHECK(stowage_session_open(small.data, small.size, NULL, &session, &error) == STOWAGE_OK);
  CHECK(session != NULL && stowage_session_version(session) == 0);
  if (session == NULL) return;
  CHECK(stowage_session_apply(session, operations.data, operations.size, &error) == STOWAGE_OK);
  CHECK(stowage_session_version(session) == 3 && is_untouched(&error));
  CHECK(stowage_session_instance(session, &instance, &error) == STOWAGE_OK);
  CHECK(stowage_instance_fingerprint(instance) != 0);
  CHECK(stowage_session_plan(session, request.data, request.size, NULL, &plan, &error) == STOWAGE_OK);
  CHECK(has_identifier(&plan, "STOP"));
  CHECK(stowage_verify(instance, plan.data, plan.size, &report, &error) == STOWAGE_OK);
  stowage_buffer_free(&report);
  CHECK(stowage_session_commit(session, plan.data, plan.size, STOWAGE_COMMIT_EXACT, &report, &error) == STOWAGE_OK);
  CHECK(has_identifier(&report, "STOV") && is_untouched(&error));
  CHECK(stowage_session_version(session) == 4);
  CHECK(stowage_session_reject(session, plan.data, plan.size, &error) == STOWAGE_OK);
  CHECK(stowage_session_reject(session, plan.data, plan.size, &error) == STOWAGE_INVALID);
  CHECK(describes(&error, STOWAGE_INVALID));
  /* The same operations again are refused, because the names exist. */
  CHECK(stowage_session_apply(session, operations.data, operations.size, &error) == STOWAGE_INVALID);
  CHECK(strcmp(error.path, "operations[0].node") == 0 && stowage_session_version(session) == 4);
  error = untouched_error();
  CHECK(stowage_session_snapshot(session, &snapshot, &error) == STOWAGE_OK);
  CHECK(has_identifier(&snapshot, "STOI") && is_untouched(&error));
  stowage_session_free(session);
  CHECK(stowage_instance_fingerprint(instance) != 0);
  stowage_instance_free(instance);
  CHECK(stowage_session_open(snapshot.data, snapshot.size, NULL, &again, &error) == STOWAGE_OK);
  CHECK(stowage_session_version(again) == 4);
  stowage_session_free(again);
  stowage_buffer_free(&plan);
  stowage_buffer_free(&report);
  stowage_buffer_free(&snapshot);
}

static void test_model(file profiles, file question) {
  stowage_error error = untouched_error();
  stowage_model* model = NULL;
  stowage_model* again = NULL;
  stowage_buffer saved = stale_buffer();
  stowage_buffer answer = stale_buffer();
  stowage_buffer same = stale_buffer();
  stowage_model_free(NULL);
  CHECK(stowage_model_learn(profiles.data, profiles.size, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_model_learn(NULL, 0, NULL, &model, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(model == NULL && describes(&error, STOWAGE_INVALID_ARGUMENT));
  error = untouched_error();
  CHECK(stowage_model_learn(question.data, question.size, NULL, &model, &error) == STOWAGE_MALFORMED);
  CHECK(model == NULL && describes(&error, STOWAGE_MALFORMED));
  error = untouched_error();
  CHECK(stowage_model_learn(profiles.data, profiles.size, NULL, &model, &error) == STOWAGE_OK);
  CHECK(model != NULL && is_untouched(&error));
  if (model == NULL) return;
  CHECK(stowage_model_recommend(model, question.data, question.size, &answer, &error) == STOWAGE_OK);
  CHECK(has_identifier(&answer, "STOL") && is_untouched(&error));
  CHECK(stowage_model_save(model, &saved, &error) == STOWAGE_OK);
  CHECK(stowage_model_load(saved.data, saved.size, NULL, &again, &error) == STOWAGE_OK);
  CHECK(again != NULL && stowage_model_recommend(again, question.data, question.size, &same, &error) == STOWAGE_OK);
  CHECK(same.size == answer.size && memcmp(same.data, answer.data, same.size) == 0 && is_untouched(&error));
  stowage_model_free(again);
  again = NULL;
  CHECK(stowage_model_load(saved.data, saved.size - 1, NULL, &again, &error) == STOWAGE_MALFORMED);
  CHECK(again == NULL && describes(&error, STOWAGE_MALFORMED));
  CHECK(stowage_model_load(NULL, 0, NULL, &again, NULL) == STOWAGE_INVALID_ARGUMENT);
  stowage_buffer_free(&answer);
  answer = stale_buffer();
  CHECK(stowage_model_recommend(NULL, question.data, question.size, &answer, NULL) == STOWAGE_INVALID_ARGUMENT);
  CHECK(answer.data == NULL && answer.size == 0);
  CHECK(stowage_model_recommend(model, NULL, 0, &answer, NULL) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_model_recommend(model, profiles.data, profiles.size, &answer, NULL) == STOWAGE_MALFORMED);
  CHECK(stowage_model_save(NULL, &answer, NULL) == STOWAGE_INVALID_ARGUMENT);
  stowage_buffer_free(&same);
  stowage_buffer_free(&saved);
  stowage_model_free(model);
}

static void test_size(file usage) {
  stowage_error error = untouched_error();
  stowage_buffer sizes = stale_buffer();
  CHECK(stowage_size(NULL, 0, &sizes, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(sizes.data == NULL && sizes.size == 0 && describes(&error, STOWAGE_INVALID_ARGUMENT));
  CHECK(stowage_size(usage.data, usage.size, NULL, NULL) == STOWAGE_INVALID_ARGUMENT);
  error = untouched_error();
  CHECK(stowage_size(usage.data, usage.size, &sizes, &error) == STOWAGE_OK);
  CHECK(has_identifier(&sizes, "STOL") && is_untouched(&error));
  stowage_buffer_free(&sizes);
}

int main(int argc, char** argv) {
  file small, negative, request, unknown, solved, operations, profiles, question, usage, derivation, unknown_app;
  stowage_instance* instance = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: c_api_test DIRECTORY\n");
    return 2;
  }
  const char* const directory = argv[1];
  small = file_in(directory, "small_instance.stow");
  negative = file_in(directory, "negative_demand.stow");
  request = file_in(directory, "ff_request.stowreq");
  unknown = file_in(directory, "unknown_planner.stowreq");
  solved = file_in(directory, "solver_request.stowreq");
  operations = file_in(directory, "session_operations.stowops");
  profiles = file_in(directory, "profiles.stowl");
  question = file_in(directory, "question.stowl");
  usage = file_in(directory, "usage.stowl");
  derivation = file_in(directory, "derivation.stowderiv");
  unknown_app = file_in(directory, "unknown_app.stowderiv");

  test_version();
  test_status_text();
  test_buffer_free();
  test_control();
  test_planners();
  test_load_arguments(small);
  test_load_malformed(small, request);
  test_load_limits(small);
  test_load_invalid(negative);
  test_load_misaligned(small);
  test_plan_limits(small, request);
  test_session(small, request, operations);
  test_model(profiles, question);
  test_size(usage);
  CHECK(stowage_instance_load(small.data, small.size, NULL, &instance, NULL) == STOWAGE_OK);
  /* The handle does not refer to the bytes. */
  memset(small.data, 0, small.size);
  if (instance != NULL) {
    test_plan(instance, request, unknown);
    test_verify(instance, request);
    test_explain(instance, request);
    test_headroom(instance, request);
    test_headroom_of_apps(instance, request);
    test_losses(instance, request);
    test_order_moves(instance, request);
    test_derive(instance, derivation, unknown_app, request);
    test_fingerprint(instance);
    test_bound(instance);
    test_solver(instance, solved);
  }
  stowage_instance_free(instance);
  free(small.data);
  free(negative.data);
  free(request.data);
  free(unknown.data);
  free(solved.data);
  free(operations.data);
  free(profiles.data);
  free(question.data);
  free(usage.data);
  free(derivation.data);
  free(unknown_app.data);
  return end_of_checks();
}
