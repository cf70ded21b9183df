/* What the C99 tests share: counted checks, files, and buffers that show what a call did to them. */
#ifndef STOWAGE_TESTS_C_CHECKS_H
#define STOWAGE_TESTS_C_CHECKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stowage.h"

static int checks = 0;
static int failures = 0;

#define CHECK(condition)                                                            \
  do {                                                                              \
    ++checks;                                                                       \
    if (!(condition)) {                                                             \
      ++failures;                                                                   \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    }                                                                               \
  } while (0)

/* Prints the counts. Returns the program's exit status. */
static inline int end_of_checks(void) {
  printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}

typedef struct file {
  uint8_t* data;
  size_t size;
} file;

/* The bytes of a file, which the caller frees. Ends the program where it cannot be read. */
static inline file read_file(const char* path) {
  file content = {NULL, 0};
  FILE* stream = fopen(path, "rb");
  long size;
  if (stream == NULL || fseek(stream, 0, SEEK_END) != 0 || (size = ftell(stream)) <= 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  rewind(stream);
  content.data = malloc((size_t)size);
  content.size = (size_t)size;
  if (content.data == NULL || fread(content.data, 1, content.size, stream) != content.size) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  fclose(stream);
  return content;
}

static inline file file_in(const char* directory, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return read_file(path);
}

static inline int has_identifier(const stowage_buffer* buffer, const char* identifier) {
  return buffer->data != NULL && buffer->size > 8 && memcmp(buffer->data + 4, identifier, 4) == 0;
}

static inline int is_empty(const stowage_buffer* buffer) { return buffer->data == NULL && buffer->size == 0; }

/* A non-empty buffer, to detect whether a failing call empties it. Never freed. */
static uint8_t stale_byte;
static inline stowage_buffer stale_buffer(void) {
  stowage_buffer buffer;
  buffer.data = &stale_byte;
  buffer.size = 1;
  return buffer;
}

#endif
