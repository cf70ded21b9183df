/* What a plan costs through the C ABI itself, to compare the bindings with: scripts/bench-bindings.sh.
 *
 * Usage: binding_overhead INSTANCE REQUEST SECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <stowage.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint8_t* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return NULL;
  const long length = ftell(file);
  uint8_t* bytes = length > 0 ? malloc((size_t)length) : NULL;
  rewind(file);
  *size = bytes != NULL ? fread(bytes, 1, (size_t)length, file) : 0;
  fclose(file);
  return bytes;
}

/* Microseconds of a plan, over so many seconds; negative where one fails. */
static double measure(const stowage_instance* instance, const uint8_t* request, size_t size, double seconds) {
  const double start = now();
  double elapsed = 0;
  long runs = 0;
  while (elapsed < seconds) {
    stowage_buffer plan = {NULL, 0};
    if (stowage_plan(instance, request, size, NULL, &plan, NULL) != STOWAGE_OK) return -1;
    stowage_buffer_free(&plan);
    ++runs;
    elapsed = now() - start;
  }
  return 1e6 * elapsed / (double)runs;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  size_t instance_size = 0;
  size_t request_size = 0;
  uint8_t* bytes = read_file(argv[1], &instance_size);
  uint8_t* request = read_file(argv[2], &request_size);
  stowage_instance* instance = NULL;
  double microseconds = -1;
  if (bytes != NULL && request != NULL && stowage_instance_load(bytes, instance_size, NULL, &instance, NULL) == STOWAGE_OK) {
    const double seconds = strtod(argv[3], NULL);
    measure(instance, request, request_size, seconds / 4);
    microseconds = measure(instance, request, request_size, seconds);
    printf("%.2f\n", microseconds);
  }
  stowage_instance_free(instance);
  free(request);
  free(bytes);
  return microseconds > 0 ? 0 : 1;
}
