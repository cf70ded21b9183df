/* Asks whether a cluster has room for a pod that waits, and prints the answer. */
#include <stdio.h>
#include <stowage.h>
#include <stowage_k8s.h>
#include <string.h>

int main(void) {
  static const char request[] = "{\"arguments\": [\"fit\", \"-work\", \"100000\"]}";
  static const char objects[] =
      "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n1\"}, \"status\": {\"allocatable\": {\"cpu\": \"4\", \"pods\": "
      "\"9\"}}}\n"
      "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"web\"}, \"spec\": {\"containers\": [{\"resources\": {\"requests\": "
      "{\"cpu\": \"5\"}}}]}}\n";
  stowage_buffer answer = {NULL, 0};
  stowage_error error;
  int32_t code = 0;
  const stowage_status status =
      stowage_k8s_answer(request, strlen(request), objects, strlen(objects), NULL, &code, &answer, &error);
  if (status == STOWAGE_OK) {
    fputs((const char*)answer.data, stdout);
  } else {
    fprintf(stderr, "%s: %s %s\n", stowage_status_text(status), error.path, error.message);
  }
  stowage_buffer_free(&answer);
  return status == STOWAGE_OK && code == 2 ? 0 : 1;
}
