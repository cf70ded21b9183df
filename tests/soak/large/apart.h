// Measurements in processes of their own, each of which has its own peak of memory.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <type_traits>

#include "tests/soak/calls.h"

namespace stowage::soak {

/// Bytes of this process at most so far.
inline double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// Runs `work` in a process of its own and returns what it measured; a Measured as made where that process fails.
template <class Measured>
Measured apart(const std::function<Measured()>& work) {
  static_assert(std::is_trivially_copyable_v<Measured>);
  int ends[2];
  if (pipe(ends) != 0) throw Finding("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    Measured measured;
    try {
      measured = work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    if (write(ends[1], &measured, sizeof measured) < 0) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  Measured measured;
  if (read(ends[0], &measured, sizeof measured) != sizeof measured) measured = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return measured;
}

}  // namespace stowage::soak
