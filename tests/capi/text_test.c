/*
 * The functions of stowage_text.h from a C99 program: argument checks, failures and results.
 *
 * Usage: text_test DIRECTORY INSTANCE.json EVERYTHING.json. The directory holds ff_request.stowreq and small_instance.stow
 * (made from tests/data/). Exit status 0 where every check holds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stowage.h"
#include "stowage_text.h"
#include "tests/capi/c_checks.h"

/* Whether a buffer is a text that ends in a NUL and has `part` in it. */
static int says(const stowage_buffer* buffer, const char* part) {
  return buffer->data != NULL && buffer->data[buffer->size] == 0 && strlen((const char*)buffer->data) == buffer->size &&
         strstr((const char*)buffer->data, part) != NULL;
}

static int same_bytes(const stowage_buffer* a, const stowage_buffer* b) {
  return a->size == b->size && a->size > 0 && memcmp(a->data, b->data, a->size) == 0;
}

static stowage_status from_json(const char* text, const stowage_limits* limits, stowage_error* error) {
  stowage_buffer instance = stale_buffer();
  const stowage_status status = stowage_instance_from_json(text, strlen(text), limits, &instance, error);
  if (status == STOWAGE_OK) {
    stowage_buffer_free(&instance);
  } else {
    CHECK(is_empty(&instance));
    CHECK(error == NULL || error->status == status);
  }
  return status;
}

#define HEAD "{\"stowage\": 1, \"resources\": {\"cpu\": \"cores\"}, \"classes\": [{\"capacity\": {\"cpu\": 4}}], "
/* Two apps over ten periods. */
#define VARYING                                              \
  "\"periods\": 10, \"apps\": [{\"demand\": {\"cpu\": 1}}, " \
  "{\"demand\": {\"cpu\": [1, 2, 1, 1, 1, 1, 1, 1, 1, 1]}}]}"

static void test_refused_instances(void) {
  stowage_error error;
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  CHECK(from_json(HEAD "\"apps\": [{\"demand\": {\"cpu\": 1}}]}", NULL, &error) == STOWAGE_OK);
  CHECK(from_json(HEAD "\"apps\": [{\"demand\": {\"cpu\": 1}}]}", NULL, NULL) == STOWAGE_OK);
  CHECK(from_json("", NULL, &error) == STOWAGE_MALFORMED);
  CHECK(from_json("[]", NULL, NULL) == STOWAGE_MALFORMED);

  CHECK(from_json("{\"stowage\": 1,\n  \"apps\": [}", NULL, &error) == STOWAGE_MALFORMED);
  CHECK(strstr(error.message, "line 2, column 12") != NULL && error.path[0] == '\0');

  CHECK(from_json(HEAD "\"apps\": [{\"demand\": {\"cpu\": 1}}, {\"demand\": {\"cpu\": -1}}]}", NULL, &error) ==
        STOWAGE_INVALID);
  CHECK(strcmp(error.path, "apps[1].demand.cpu") == 0 && strcmp(error.message, "must not be negative") == 0);
  CHECK(from_json(HEAD "\"apps\": [{\"demand\": {\"cpu\": 1}, \"replica\": 2}]}", NULL, &error) == STOWAGE_INVALID);
  CHECK(strcmp(error.path, "apps[0].replica") == 0 && strstr(error.message, "did you mean \"replicas\"") != NULL);
  CHECK(from_json(HEAD "\"app\": []}", NULL, &error) == STOWAGE_INVALID && strcmp(error.path, "app") == 0);
  CHECK(from_json("{\"stowage\": 2, \"apps\": []}", NULL, &error) == STOWAGE_INVALID && strcmp(error.path, "stowage") == 0);

  limits.max_bytes = 20;
  CHECK(from_json(HEAD "\"apps\": []}", &limits, &error) == STOWAGE_LIMIT_EXCEEDED);
  /* What is equal in all periods is not written out. */
  limits.max_bytes = 0;
  limits.max_memory = 1000;
  CHECK(from_json(HEAD "\"periods\": 4294967295, \"apps\": [{\"demand\": {\"cpu\": 1}}]}", &limits, NULL) == STOWAGE_OK);
  CHECK(from_json("{\"stowage\": 1, \"resources\": {\"cpu\": \"\"}, \"periods\": 4000000000, \"apps\": [], "
                  "\"classes\": [{\"capacity\": {\"cpu\": 4}, \"daemon\": {\"cpu\": 1}}]}",
                  &limits, NULL) == STOWAGE_OK);
  /* A short text that asks for more memory than it may: the constant demand of all other apps counts per period, too. */
  limits.max_memory = 175;
  CHECK(from_json(HEAD VARYING, &limits, &error) == STOWAGE_LIMIT_EXCEEDED && strcmp(error.path, "apps.demand") == 0);
  limits.max_memory = 176;
  CHECK(from_json(HEAD VARYING, &limits, NULL) == STOWAGE_OK);
  limits.struct_size = 3;
  CHECK(from_json(HEAD "\"apps\": []}", &limits, &error) == STOWAGE_INVALID_ARGUMENT);
}

static void test_arguments(const stowage_buffer* instance) {
  stowage_error error;
  stowage_buffer out = stale_buffer();
  CHECK(stowage_instance_from_json(NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out) && strcmp(error.path, "json") == 0);
  CHECK(stowage_instance_from_json("{}", 2, NULL, NULL, NULL) == STOWAGE_INVALID_ARGUMENT);
  out = stale_buffer();
  CHECK(stowage_instance_to_json(NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT && is_empty(&out));
  CHECK(stowage_instance_to_json(instance->data, instance->size, NULL, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  out = stale_buffer();
  CHECK(stowage_plan_from_json(instance->data, instance->size, NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out));
  out = stale_buffer();
  CHECK(stowage_plan_to_json(instance->data, instance->size, NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out));
  out = stale_buffer();
  CHECK(stowage_plan_to_text(instance->data, instance->size, NULL, 0, 1, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out) && strcmp(error.path, "plan") == 0);
  out = stale_buffer();
  CHECK(stowage_plan_to_html(instance->data, instance->size, NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out) && strcmp(error.path, "plan") == 0);
  out = stale_buffer();
  CHECK(stowage_plan_to_svg(instance->data, instance->size, NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out) && strcmp(error.path, "plan") == 0);
  out = stale_buffer();
  CHECK(stowage_explanation_to_text(instance->data, instance->size, instance->data, instance->size, NULL, 0, NULL, &out,
                                    &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out) && strcmp(error.path, "report") == 0);
}

/* JSON and bytes are the same instance, in both directions. */
static void test_round_trip(file json) {
  stowage_error error;
  stowage_buffer first, text, second;
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  CHECK(stowage_instance_from_json((const char*)json.data, json.size, NULL, &first, &error) == STOWAGE_OK);
  CHECK(has_identifier(&first, "STOI"));
  CHECK(stowage_instance_to_json(first.data, first.size, NULL, &text, &error) == STOWAGE_OK);
  CHECK(says(&text, "\"stowage\": 1"));
  CHECK(stowage_instance_from_json((const char*)text.data, text.size, NULL, &second, &error) == STOWAGE_OK);
  CHECK(same_bytes(&first, &second));
  stowage_buffer_free(&text);
  stowage_buffer_free(&second);
  /* The limits of loading hold. */
  limits.max_apps = 1;
  CHECK(stowage_instance_to_json(first.data, first.size, &limits, &text, &error) == STOWAGE_LIMIT_EXCEEDED && is_empty(&text));
  CHECK(error.status == STOWAGE_LIMIT_EXCEEDED);
  CHECK(stowage_instance_to_json(first.data, first.size / 2, NULL, &text, &error) == STOWAGE_MALFORMED);
  stowage_buffer_free(&first);
}

/* Each byte of `bytes` changed, one at a time: calls return, and free what they took. */
static void test_damaged(const stowage_buffer* instance, const stowage_buffer* plan, const stowage_buffer* report,
                         const stowage_buffer* bytes) {
  size_t at;
  for (at = 0; at < bytes->size; ++at) {
    stowage_buffer text;
    const uint8_t before = bytes->data[at];
    bytes->data[at] = (uint8_t)(before ^ (at % 2 ? 0xff : 0x11));
    if (stowage_plan_to_json(instance->data, instance->size, plan->data, plan->size, NULL, &text, NULL) == STOWAGE_OK) {
      CHECK(says(&text, "{"));
      stowage_buffer_free(&text);
    }
    if (stowage_plan_to_text(instance->data, instance->size, plan->data, plan->size, 9, NULL, &text, NULL) == STOWAGE_OK) {
      CHECK(says(&text, ".\n"));
      stowage_buffer_free(&text);
    }
    if (stowage_plan_to_html(instance->data, instance->size, plan->data, plan->size, NULL, &text, NULL) == STOWAGE_OK) {
      CHECK(says(&text, "</html>\n"));
      stowage_buffer_free(&text);
    }
    if (stowage_plan_to_svg(instance->data, instance->size, plan->data, plan->size, NULL, &text, NULL) == STOWAGE_OK) {
      CHECK(says(&text, "</svg>\n"));
      stowage_buffer_free(&text);
    }
    if (stowage_explanation_to_text(instance->data, instance->size, plan->data, plan->size, report->data, report->size, NULL,
                                    &text, NULL) == STOWAGE_OK) {
      CHECK(says(&text, "\n"));
      stowage_buffer_free(&text);
    }
    bytes->data[at] = before;
  }
}

static void test_refused_plans(const stowage_buffer* instance, const stowage_buffer* plan, const stowage_buffer* report,
                               file other) {
  stowage_error error;
  stowage_buffer out = stale_buffer();
  const char* unknown = "{\"stowage_plan\": 1, \"planner\": \"\", \"nodes\": [{\"class\": \"huge\"}]}";
  const char* cut = "{\"stowage_plan\": 1,";
  CHECK(stowage_plan_to_json(instance->data, instance->size, report->data, report->size, NULL, &out, &error) ==
        STOWAGE_MALFORMED);
  CHECK(is_empty(&out));
  CHECK(stowage_plan_to_json(other.data, other.size, plan->data, plan->size, NULL, &out, &error) == STOWAGE_INVALID);
  CHECK(strstr(error.message, "does not belong to the instance") != NULL);
  CHECK(stowage_plan_from_json(instance->data, instance->size, unknown, strlen(unknown), NULL, &out, &error) ==
        STOWAGE_INVALID);
  CHECK(is_empty(&out) && strcmp(error.path, "nodes[0].class") == 0);
  CHECK(stowage_plan_from_json(instance->data, instance->size, cut, strlen(cut), NULL, &out, &error) == STOWAGE_MALFORMED);
  CHECK(strstr(error.message, "line 1, column") != NULL);
  CHECK(stowage_plan_to_text(other.data, other.size, plan->data, plan->size, 9, NULL, &out, &error) == STOWAGE_INVALID);
  CHECK(strstr(error.message, "does not belong to the instance") != NULL);
  CHECK(stowage_plan_to_html(other.data, other.size, plan->data, plan->size, NULL, &out, &error) == STOWAGE_INVALID);
  CHECK(stowage_plan_to_svg(other.data, other.size, plan->data, plan->size, NULL, &out, &error) == STOWAGE_INVALID);
  CHECK(stowage_explanation_to_text(instance->data, instance->size, plan->data, plan->size, plan->data, plan->size, NULL, &out,
                                    &error) == STOWAGE_MALFORMED);
}

static void test_plan(file json, file request, file other) {
  stowage_error error;
  stowage_buffer bytes, plan, text, again, report, verification, words;
  stowage_instance* instance = NULL;
  uint8_t* misaligned;
  CHECK(stowage_instance_from_json((const char*)json.data, json.size, NULL, &bytes, &error) == STOWAGE_OK);
  CHECK(stowage_instance_load(bytes.data, bytes.size, NULL, &instance, &error) == STOWAGE_OK);
  CHECK(stowage_plan(instance, request.data, request.size, NULL, &plan, &error) == STOWAGE_OK);

  CHECK(stowage_plan_to_json(bytes.data, bytes.size, plan.data, plan.size, NULL, &text, &error) == STOWAGE_OK);
  CHECK(says(&text, "\"planner\": \"ff\"") && says(&text, "{\"name\": \"old-1\", \"class\": \"medium\""));
  CHECK(stowage_plan_from_json(bytes.data, bytes.size, (const char*)text.data, text.size, NULL, &again, &error) == STOWAGE_OK);
  CHECK(has_identifier(&again, "STOP"));
  CHECK(stowage_verify(instance, again.data, again.size, &verification, &error) == STOWAGE_OK);
  stowage_buffer_free(&text);
  CHECK(stowage_plan_to_json(bytes.data, bytes.size, again.data, again.size, NULL, &text, &error) == STOWAGE_OK);
  stowage_buffer_free(&again);
  CHECK(stowage_plan_from_json(bytes.data, bytes.size, (const char*)text.data, text.size, NULL, &again, &error) == STOWAGE_OK);
  stowage_buffer_free(&text);

  CHECK(stowage_plan_to_text(bytes.data, bytes.size, plan.data, plan.size, 9, NULL, &words, &error) == STOWAGE_OK);
  CHECK(says(&words, "Buy ") && says(&words, "  No complete plan costs less than 7.7") &&
        says(&words, "Checked independently: no constraint is"));
  CHECK(says(&words, "  node ") && says(&words, "  old-1 "));
  stowage_buffer_free(&words);
  CHECK(stowage_plan_to_text(bytes.data, bytes.size, plan.data, plan.size, 0, NULL, &words, &error) == STOWAGE_OK);
  CHECK(!says(&words, "  old-1 "));
  stowage_buffer_free(&words);
  CHECK(stowage_plan_to_html(bytes.data, bytes.size, plan.data, plan.size, NULL, &words, &error) == STOWAGE_OK);
  CHECK(says(&words, "<!doctype html>") && says(&words, "<h1>Buy ") && says(&words, "<svg ") && says(&words, "<td>old-1</td>"));
  stowage_buffer_free(&words);
  CHECK(stowage_plan_to_svg(bytes.data, bytes.size, plan.data, plan.size, NULL, &words, &error) == STOWAGE_OK);
  CHECK(says(&words, "<svg xmlns=") && says(&words, "<title>Buy ") && says(&words, ">database</text>"));
  stowage_buffer_free(&words);

  CHECK(stowage_explain(instance, plan.data, plan.size, STOWAGE_ALL_UNPLACED, NULL, &report, &error) == STOWAGE_OK);
  CHECK(stowage_explanation_to_text(bytes.data, bytes.size, plan.data, plan.size, report.data, report.size, NULL, &words,
                                    &error) == STOWAGE_OK);
  CHECK(says(&words, "nodes in use, cost 9.1; no complete plan costs less than 7.7\n"));
  CHECK(says(&words, "\nWhat drives the cost\n  the demand for memory in period 1 of 4 fills 6 nodes\n"));
  CHECK(says(&words, "Stranded: free capacity"));
  stowage_buffer_free(&words);
  CHECK(stowage_explanation_to_text(bytes.data, bytes.size, plan.data, plan.size, verification.data, verification.size, NULL,
                                    &words, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&words) && strstr(error.message, "is not an explanation") != NULL);

  misaligned = malloc(bytes.size + plan.size + 2);
  if (misaligned == NULL) exit(2);
  memcpy(misaligned + 1, bytes.data, bytes.size);
  memcpy(misaligned + 1 + bytes.size, plan.data, plan.size);
  CHECK(stowage_plan_to_json(misaligned + 1, bytes.size, misaligned + 1 + bytes.size, plan.size, NULL, &text, NULL) ==
        STOWAGE_OK);
  CHECK(says(&text, "\"stowage_plan\": 1"));
  stowage_buffer_free(&text);
  free(misaligned);

  test_arguments(&bytes);
  test_refused_plans(&bytes, &plan, &report, other);
  test_damaged(&bytes, &plan, &report, &plan);
  test_damaged(&bytes, &plan, &report, &report);
  stowage_buffer_free(&again);
  stowage_buffer_free(&verification);
  stowage_buffer_free(&report);
  stowage_buffer_free(&plan);
  stowage_buffer_free(&bytes);
  stowage_instance_free(instance);
}

/* A snapshot is written as the instance that planners see. */
static void test_snapshot(file instance_bytes) {
  stowage_error error;
  stowage_session* session = NULL;
  stowage_instance *before = NULL, *after = NULL;
  stowage_buffer snapshot, text, bytes;
  CHECK(stowage_session_open(instance_bytes.data, instance_bytes.size, NULL, &session, &error) == STOWAGE_OK);
  CHECK(stowage_session_instance(session, &before, &error) == STOWAGE_OK);
  CHECK(stowage_session_snapshot(session, &snapshot, &error) == STOWAGE_OK);
  CHECK(stowage_instance_to_json(snapshot.data, snapshot.size, NULL, &text, &error) == STOWAGE_OK);
  CHECK(stowage_instance_from_json((const char*)text.data, text.size, NULL, &bytes, &error) == STOWAGE_OK);
  CHECK(stowage_instance_load(bytes.data, bytes.size, NULL, &after, &error) == STOWAGE_OK);
  CHECK(stowage_instance_fingerprint(before) == stowage_instance_fingerprint(after));
  stowage_buffer_free(&bytes);
  stowage_buffer_free(&text);
  stowage_buffer_free(&snapshot);
  stowage_instance_free(after);
  stowage_instance_free(before);
  stowage_session_free(session);
}

#define SHOP_OPERATIONS                                                                                               \
  "[{\"op\": \"submit\", \"app\": \"mail\", \"replicas\": 2, \"demand\": {\"cpu\": [\"500m\", 1, 1, 1], \"memory\": " \
  "\"2Gi\"}, "                                                                                                        \
  "\"limits\": {\"reports\": 0}},"                                                                                    \
  " {\"op\": \"add-node\", \"node\": \"new-1\", \"class\": \"large\"},"                                               \
  " {\"op\": \"pin\", \"app\": \"mail\", \"node\": \"new-1\", \"replicas\": 1}]"

/* Reads operations for `instance` and applies them where a session is given. */
static stowage_status operate(const stowage_buffer* instance, const char* text, const stowage_limits* limits,
                              stowage_session* session, stowage_error* error) {
  stowage_buffer operations = stale_buffer();
  stowage_status status =
      stowage_operations_from_json(instance->data, instance->size, text, strlen(text), limits, &operations, error);
  if (status != STOWAGE_OK) {
    CHECK(is_empty(&operations));
    CHECK(error == NULL || error->status == status);
    return status;
  }
  CHECK(has_identifier(&operations, "STOS"));
  if (session != NULL) status = stowage_session_apply(session, operations.data, operations.size, error);
  stowage_buffer_free(&operations);
  return status;
}

static void test_operations(file json) {
  stowage_error error;
  stowage_session* session = NULL;
  stowage_buffer bytes, snapshot, text;
  size_t cut;
  const char* list = SHOP_OPERATIONS;
  CHECK(stowage_instance_from_json((const char*)json.data, json.size, NULL, &bytes, &error) == STOWAGE_OK);
  CHECK(stowage_session_open(bytes.data, bytes.size, NULL, &session, &error) == STOWAGE_OK);
  CHECK(operate(&bytes, list, NULL, session, &error) == STOWAGE_OK);
  CHECK(stowage_session_version(session) == 3);
  /* One object is one operation, or a batch. */
  CHECK(operate(&bytes, "{\"op\": \"scale\", \"app\": \"mail\", \"replicas\": 5}", NULL, session, NULL) == STOWAGE_OK);
  CHECK(operate(&bytes, "\xEF\xBB\xBF {\"op\": \"batch\", \"operations\": [{\"op\": \"cordon\", \"node\": \"new-1\"}]}", NULL,
                session, &error) == STOWAGE_OK);
  CHECK(operate(&bytes, " [] ", NULL, session, &error) == STOWAGE_OK);
  CHECK(stowage_session_version(session) == 5);
  CHECK(stowage_session_snapshot(session, &snapshot, &error) == STOWAGE_OK);
  CHECK(stowage_instance_to_json(snapshot.data, snapshot.size, NULL, &text, &error) == STOWAGE_OK);
  CHECK(says(&text, "\"name\": \"mail\", \"replicas\": 5, \"demand\": {\"cpu\": [0.5, 1, 1, 1], \"memory\": 2}"));
  /* A snapshot serves as the instance does. All are applied or none. */
  CHECK(operate(&snapshot, "[{\"op\": \"remove\", \"app\": \"mail\"}, {\"op\": \"drain\", \"node\": \"new-2\"}]", NULL, session,
                &error) == STOWAGE_NOT_FOUND);
  CHECK(strcmp(error.path, "operations[1].node") == 0 && stowage_session_version(session) == 5);
  CHECK(operate(&snapshot, "[{\"op\": \"remove\", \"app\": \"mail\"}]", NULL, session, &error) == STOWAGE_OK);
  for (cut = 0; cut < strlen(list); ++cut) {
    stowage_buffer operations = stale_buffer();
    CHECK(stowage_operations_from_json(bytes.data, bytes.size, list, cut, NULL, &operations, &error) == STOWAGE_MALFORMED);
    CHECK(is_empty(&operations));
  }
  stowage_buffer_free(&text);
  stowage_buffer_free(&snapshot);
  stowage_session_free(session);
  stowage_buffer_free(&bytes);
}

static void test_refused_operations(file json) {
  static const struct {
    const char* text;
    stowage_status status;
    const char* path;
    const char* message;
  } kRefused[] = {
      {"1", STOWAGE_MALFORMED, "", "must be a JSON list or object"},
      {"[{\"op\": \"remove\",\n  \"app\": }]", STOWAGE_MALFORMED, "", "line 2, column 10"},
      {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", STOWAGE_MALFORMED, "", "64 deep"},
      {"[{\"op\": \"remove\", \"op\": \"remove\", \"app\": \"cache\"}]", STOWAGE_MALFORMED, "[0]", "occurs twice"},
      {"[]\n[]", STOWAGE_MALFORMED, "", "line 2"},
      {"{}", STOWAGE_INVALID, "", "has no \"op\""},
      {"[{\"op\": \"remove\", \"app\": \"cache\"}, []]", STOWAGE_INVALID, "[1]", "must be an object, not an array"},
      {"[null]", STOWAGE_INVALID, "[0]", "must be an object, not null"},
      {"[{\"op\": 1}]", STOWAGE_INVALID, "[0].op", "must be a string"},
      {"[{\"op\": \"scal\"}]", STOWAGE_INVALID, "[0].op", "did you mean \"scale\"?"},
      {"{\"op\": \"commit\"}", STOWAGE_INVALID, "op", "there is no operation \"commit\""},
      {"[{\"op\": \"batch\", \"operations\": []}]", STOWAGE_INVALID, "[0].op", "there is no operation \"batch\""},
      {"{\"op\": \"batch\", \"operations\": [{\"op\": \"status\"}]}", STOWAGE_INVALID, "operations[0].op", "no operation"},
      {"{\"op\": \"batch\", \"operations\": {}}", STOWAGE_INVALID, "operations", "must be an array"},
      {"{\"op\": \"batch\"}", STOWAGE_INVALID, "", "has no \"operations\""},
      {"[{\"op\": \"cordon\", \"node\": \"old-1\"}, {\"op\": \"scale\", \"app\": \"cache\", \"replica\": 1}]", STOWAGE_INVALID,
       "[1].replica", "did you mean \"replicas\"?"},
      {"[{\"op\": \"scale\", \"app\": \"cache\", \"replicas\": -1}]", STOWAGE_INVALID, "[0].replicas", "at least 0"},
      {"[{\"op\": \"scale\", \"app\": \"cache\", \"replicas\": 4294967296}]", STOWAGE_INVALID, "[0].replicas",
       "at most 4294967295"},
      {"[{\"op\": \"scale\", \"app\": \"cache\"}]", STOWAGE_INVALID, "[0]", "has no \"replicas\""},
      {"[{\"op\": \"submit\", \"app\": \"a\", \"demand\": {\"gpu\": 1}}]", STOWAGE_INVALID, "[0].demand.gpu", "no resource"},
      {"[{\"op\": \"submit\", \"app\": \"a\", \"demand\": {\"cpu\": \"2GI\"}}]", STOWAGE_INVALID, "[0].demand.cpu",
       "not a quantity"},
      {"[{\"op\": \"submit\", \"app\": \"a\", \"demand\": {\"cpu\": [1]}}]", STOWAGE_INVALID, "[0].demand.cpu",
       "\"periods\" is 4"},
      {"[{\"op\": \"submit\", \"app\": \"a\", \"demand\": {\"cpu\": 1}, \"kind\": \"hot\"}]", STOWAGE_INVALID, "[0].kind",
       "no kind"},
      {"[{\"op\": \"add-node\", \"node\": \"n\", \"sets\": {\"rack\": [1]}}]", STOWAGE_INVALID, "[0].sets.rack[0]", "a string"},
      {"[{\"op\": \"add-rule\", \"rule\": {\"name\": \"r\", \"all_of\": [{\"max\": 1}]}}]", STOWAGE_INVALID,
       "[0].rule.all_of[0]", "has no \"subject\""},
  };
  stowage_error error;
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  stowage_buffer bytes, out;
  char* many;
  size_t k;
  CHECK(stowage_instance_from_json((const char*)json.data, json.size, NULL, &bytes, &error) == STOWAGE_OK);
  for (k = 0; k < sizeof kRefused / sizeof kRefused[0]; ++k) {
    const stowage_status status = operate(&bytes, kRefused[k].text, NULL, NULL, &error);
    const int as_expected = status == kRefused[k].status && strcmp(error.path, kRefused[k].path) == 0 &&
                            strstr(error.message, kRefused[k].message) != NULL;
    if (!as_expected) fprintf(stderr, "%s: %d, %s: %s\n", kRefused[k].text, (int)status, error.path, error.message);
    CHECK(as_expected);
    CHECK(operate(&bytes, kRefused[k].text, NULL, NULL, NULL) == kRefused[k].status);
  }
  /* Limits: of the text, of the instance, and of what a text of any size asks for. */
  limits.max_apps = 1;
  CHECK(operate(&bytes, "[]", &limits, NULL, &error) == STOWAGE_LIMIT_EXCEEDED);
  limits.max_apps = 0;
  limits.max_bytes = bytes.size;
  many = malloc(bytes.size + 2);
  if (many == NULL) exit(2);
  memset(many, ' ', bytes.size + 1);
  memcpy(many, "[]", 2);
  many[bytes.size] = '\0';
  CHECK(operate(&bytes, many, &limits, NULL, &error) == STOWAGE_OK);
  memcpy(many + bytes.size, " ", 2);
  CHECK(operate(&bytes, many, &limits, NULL, &error) == STOWAGE_LIMIT_EXCEEDED);
  CHECK(strstr(error.message, "bytes; at most") != NULL);
  free(many);

  out = stale_buffer();
  CHECK(stowage_operations_from_json(NULL, 0, "[]", 2, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT && is_empty(&out));
  CHECK(strcmp(error.path, "bytes") == 0);
  out = stale_buffer();
  CHECK(stowage_operations_from_json(bytes.data, bytes.size, NULL, 0, NULL, &out, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(is_empty(&out) && strcmp(error.path, "json") == 0);
  CHECK(stowage_operations_from_json(bytes.data, bytes.size, "[]", 2, NULL, NULL, NULL) == STOWAGE_INVALID_ARGUMENT);
  out = stale_buffer();
  CHECK(stowage_operations_from_json(bytes.data, bytes.size / 2, "[]", 2, NULL, &out, &error) == STOWAGE_MALFORMED);
  CHECK(is_empty(&out));
  limits.struct_size = 3;
  CHECK(operate(&bytes, "[]", &limits, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
  stowage_buffer_free(&bytes);
}

/* Few bytes of text that ask for a profile of many resources and periods, many times. */
static void test_huge_operations(void) {
  enum { kOperations = 1000 };
  static const char kLoad[] = "{\"op\": \"load\", \"node\": \"n\", \"load\": {\"r0\": 1}},";
  char* text = malloc(kOperations * sizeof kLoad + 4000);
  stowage_buffer instance;
  stowage_error error;
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  size_t k;
  if (text == NULL) exit(2);
  strcpy(text, "{\"stowage\": 1, \"periods\": 1, \"apps\": [], \"classes\": [{\"capacity\": {");
  for (k = 0; k < 100; ++k) sprintf(text + strlen(text), "%s\"r%d\": 1", k == 0 ? "" : ", ", (int)k);
  strcat(text, "}}], \"resources\": {");
  for (k = 0; k < 100; ++k) sprintf(text + strlen(text), "%s\"r%d\": \"\"", k == 0 ? "" : ", ", (int)k);
  strcat(text, "}}");
  CHECK(stowage_instance_from_json(text, strlen(text), NULL, &instance, &error) == STOWAGE_OK);
  CHECK(operate(&instance, "[{\"op\": \"load\", \"node\": \"n\", \"load\": {\"r0\": []}}]", NULL, NULL, &error) ==
        STOWAGE_INVALID);
  CHECK(strcmp(error.path, "[0].load.r0") == 0);
  strcpy(text, "[");
  for (k = 0; k < kOperations; ++k) strcat(text, kLoad);
  strcpy(text + strlen(text) - 1, "]");
  CHECK(operate(&instance, text, NULL, NULL, &error) == STOWAGE_OK);
  /* The amounts alone take 800,000 bytes. */
  limits.max_memory = 500000;
  CHECK(operate(&instance, text, &limits, NULL, &error) == STOWAGE_LIMIT_EXCEEDED);
  CHECK(strstr(error.message, "more memory than is allowed") != NULL);
  limits.max_memory = 1000000;
  CHECK(operate(&instance, text, &limits, NULL, &error) == STOWAGE_OK);
  stowage_buffer_free(&instance);
  free(text);
}

int main(int argc, char** argv) {
  file json, everything, request, small;
  if (argc != 4) {
    fprintf(stderr, "usage: text_test DIRECTORY INSTANCE.json EVERYTHING.json\n");
    return 2;
  }
  request = file_in(argv[1], "ff_request.stowreq");
  small = file_in(argv[1], "small_instance.stow");
  json = read_file(argv[2]);
  everything = read_file(argv[3]);
  test_refused_instances();
  test_round_trip(json);
  test_round_trip(everything);
  test_plan(json, request, small);
  test_snapshot(small);
  test_operations(json);
  test_refused_operations(json);
  test_huge_operations();
  free(json.data);
  free(everything.data);
  free(request.data);
  free(small.data);
  return end_of_checks();
}
