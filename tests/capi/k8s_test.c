/*
 * The function of stowage_k8s.h from a C99 program: argument checks, failures and results. Exit status 0 where every check
 * holds.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "stowage.h"
#include "stowage_k8s.h"
#include "tests/capi/c_checks.h"

#define NODE                                                                                                  \
  "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n1\", \"labels\": {\"kubernetes.io/hostname\": \"n1\"}}, " \
  "\"status\": {\"allocatable\": {\"cpu\": \"4\", \"pods\": 10}}}"
#define WEB(replicas)                                                                                \
  "{\"kind\": \"Deployment\", \"metadata\": {\"name\": \"web\"}, \"spec\": {\"replicas\": " replicas \
  ", \"template\": {\"spec\": {\"containers\": [{\"resources\": {\"requests\": {\"cpu\": \"1500m\"}}}]}}}}"

static stowage_status ask(const char* request, const char* objects, int32_t* code, stowage_buffer* answer,
                          stowage_error* error) {
  return stowage_k8s_answer(request, strlen(request), objects, strlen(objects), NULL, code, answer, error);
}

static void check_answers(void) {
  stowage_buffer answer = stale_buffer();
  stowage_error error;
  int32_t code = -1;
  CHECK(ask("{\"arguments\": [\"fit\", \"-work\", \"1000\"]}", NODE WEB("2"), &code, &answer, &error) == STOWAGE_OK);
  CHECK(code == 0 && answer.data[answer.size] == 0 &&
        strstr((const char*)answer.data, "1 nodes, 1 workloads with 2 replicas") != NULL);
  stowage_buffer_free(&answer);
  CHECK(ask("{\"arguments\": [\"fit\", \"-json\", \"-work\", \"1000\"]}", NODE WEB("3"), &code, &answer, NULL) == STOWAGE_OK);
  CHECK(code == 2 &&
        strstr((const char*)answer.data, "\"workload\": \"deployment default/web\", \"replicas\": 1, \"of\": 3") != NULL);
  stowage_buffer_free(&answer);
  CHECK(ask("{\"arguments\": [\"-f\", \"x.json\", \"-price\", \"p.csv\"], \"look\": true}", "", &code, &answer, &error) ==
        STOWAGE_OK);
  CHECK(strstr((const char*)answer.data, "{\"files\": [\"x.json\"], \"prices\": [\"p.csv\"]") != NULL);
  stowage_buffer_free(&answer);
  CHECK(ask("{\"arguments\": [\"fit\", \"-f\", \"x.json\", \"-work\", \"1000\"], \"read\": true}", NODE, &code, &answer,
            &error) == STOWAGE_OK);
  stowage_buffer_free(&answer);
}

static void check_failures(void) {
  stowage_buffer answer = stale_buffer();
  stowage_error error;
  int32_t code = -1;
  CHECK(ask("{\"arguments\": []}", "{\"kind\": \"Node\", \"metadata\": 1}", &code, &answer, &error) == STOWAGE_INVALID);
  CHECK(is_empty(&answer) && strcmp(error.path, "metadata") == 0);
  CHECK(ask("{\"arguments\": []}", "{\"kind\"", &code, &answer, &error) == STOWAGE_MALFORMED);
  CHECK(ask("{\"arguments\": [\"-no\"]}", NODE, &code, &answer, &error) == STOWAGE_INVALID);
  CHECK(ask("{\"argument\": []}", NODE, &code, &answer, &error) == STOWAGE_INVALID);
  CHECK(ask("{\"arguments\": [\"-f\", \"x.json\"]}", NODE, &code, &answer, &error) == STOWAGE_INVALID);
  CHECK(strstr(error.message, "\"x.json\" is not read") != NULL);
  CHECK(ask("nothing", NODE, &code, &answer, &error) == STOWAGE_MALFORMED);
  CHECK(stowage_k8s_answer(NULL, 0, "", 0, NULL, &code, &answer, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(strcmp(error.path, "request") == 0);
  CHECK(stowage_k8s_answer("{}", 2, "", 0, NULL, NULL, &answer, &error) == STOWAGE_INVALID_ARGUMENT);
  CHECK(stowage_k8s_answer("{}", 2, "", 0, NULL, &code, NULL, &error) == STOWAGE_INVALID_ARGUMENT);
}

int main(void) {
  check_answers();
  check_failures();
  return end_of_checks();
}
