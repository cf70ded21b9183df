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

static int by_size(const void* left, const void* right) {
  const double a = *(const double*)left;
  const double b = *(const double*)right;
  return (a > b) - (a < b);
}

#define MOST_RUNS 1000000

/* Median of the microseconds that plans take, over so many seconds; negative where one fails. */
static double measure(const stowage_instance* instance, const uint8_t* request, size_t size, double seconds) {
  double* times = malloc(MOST_RUNS * sizeof *times);
  const double end = now() + seconds;
  size_t runs = 0;
  while (times != NULL && runs < MOST_RUNS) {
    stowage_buffer plan = {NULL, 0};
    const double start = now();
    const stowage_status status = stowage_plan(instance, request, size, NULL, &plan, NULL);
    stowage_buffer_free(&plan);
    times[runs++] = now() - start;
    if (status != STOWAGE_OK) runs = 0;
    if (status != STOWAGE_OK || start > end) break;
  }
  if (runs > 0) qsort(times, runs, sizeof *times, by_size);
  const double median = runs > 0 ? 1e6 * times[runs / 2] : -1;
  free(times);
  return median;
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
