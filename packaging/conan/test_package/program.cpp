#include <stowage.h>
#include <cstdio>

// Succeeds where the library has planners and the version of its header.
int main() {
  stowage_error error;
  stowage_buffer planners = {nullptr, 0};
  stowage_status status = stowage_planners(&planners, &error);
  std::printf("stowage %s: a catalogue of %zu bytes\n", stowage_version(), planners.size);
  stowage_buffer_free(&planners);
  return status == STOWAGE_OK ? 0 : 1;
}
