/* Plans an instance that is written as JSON, and prints the plan as JSON: text INSTANCE.json REQUEST. */
#include <stdio.h>
#include <stowage.h>
#include <stowage_text.h>

static size_t read_file(const char* path, char* bytes, size_t room) {
  FILE* stream = fopen(path, "rb");
  size_t size;
  if (stream == NULL) return 0;
  size = fread(bytes, 1, room, stream);
  fclose(stream);
  return size;
}

int main(int argc, char** argv) {
  static char json[65536], request[4096];
  size_t json_size, request_size;
  stowage_buffer bytes, plan = {NULL, 0}, text = {NULL, 0};
  stowage_instance* instance = NULL;
  stowage_error error;
  stowage_status status;
  if (argc != 3) return 2;
  json_size = read_file(argv[1], json, sizeof json);
  request_size = read_file(argv[2], request, sizeof request);

  status = stowage_instance_from_json(json, json_size, NULL, &bytes, &error);
  if (status == STOWAGE_OK) status = stowage_instance_load(bytes.data, bytes.size, NULL, &instance, &error);
  if (status == STOWAGE_OK) status = stowage_plan(instance, (const uint8_t*)request, request_size, NULL, &plan, &error);
  if (status == STOWAGE_OK) status = stowage_plan_to_json(bytes.data, bytes.size, plan.data, plan.size, NULL, &text, &error);
  if (status == STOWAGE_OK) {
    fputs((const char*)text.data, stdout);
  } else {
    fprintf(stderr, "%s: %s %s\n", stowage_status_text(status), error.path, error.message);
  }
  stowage_buffer_free(&text);
  stowage_buffer_free(&plan);
  stowage_instance_free(instance);
  stowage_buffer_free(&bytes);
  return status == STOWAGE_OK ? 0 : 1;
}
