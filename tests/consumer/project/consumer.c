/* Plans an instance: consumer INSTANCE REQUEST. */
#include <stdio.h>
#include <stdlib.h>
#include <stowage.h>

static uint8_t* read_file(const char* path, size_t* size) {
  static uint8_t bytes[2][65536];
  static int used = 0;
  FILE* stream = fopen(path, "rb");
  if (stream == NULL) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  *size = fread(bytes[used], 1, sizeof bytes[used], stream);
  fclose(stream);
  return bytes[used++];
}

int main(int argc, char** argv) {
  size_t instance_size, request_size;
  uint8_t *instance_bytes, *request_bytes;
  stowage_instance* instance;
  stowage_buffer plan;
  stowage_error error;
  stowage_status status;
  if (argc != 3) return 2;
  instance_bytes = read_file(argv[1], &instance_size);
  request_bytes = read_file(argv[2], &request_size);

  status = stowage_instance_load(instance_bytes, instance_size, NULL, &instance, &error);
  if (status == STOWAGE_OK) status = stowage_plan(instance, request_bytes, request_size, NULL, &plan, &error);
  if (status != STOWAGE_OK) {
    fprintf(stderr, "%s: %s %s\n", stowage_status_text(status), error.path, error.message);
    return 1;
  }
  printf("stowage %s: a plan of %lu bytes\n", stowage_version(), (unsigned long)plan.size);
  stowage_buffer_free(&plan);
  stowage_instance_free(instance);
  return 0;
}
