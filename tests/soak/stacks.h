// Stacks of calls that go on after their end.
#pragma once

#include <ctime>

namespace stowage::soak {

/// Stacks are printed each `milliseconds` of processor time; 0, the default: none is.
void print_stacks(double milliseconds);

/// Prints the stack of the thread that made it, from start() on, each time that the thread has used some processor time:
/// addresses, for addr2line.
class Stacks {
 public:
  Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks();
  /// May be called on any thread.
  void start();

 private:
  bool made_ = false;
  timer_t timer_{};
};

}  // namespace stowage::soak
