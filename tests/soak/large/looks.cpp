#include "tests/soak/large/looks.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace stowage::soak {
namespace {

struct Measuring {
  bool active = false;
  double last = 0;
  Looks looks;
};
thread_local Measuring measuring;

double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void look() {
  if (!measuring.active) return;
  const double now = processor_milliseconds();
  measuring.looks.longest = std::max(measuring.looks.longest, now - measuring.last);
  ++measuring.looks.count;
  measuring.last = now;
}

}  // namespace

void begin_looks() { measuring = {true, processor_milliseconds(), {}}; }

Looks end_looks() {
  look();
  measuring.active = false;
  return measuring.looks;
}

using SteadyTime = std::chrono::steady_clock::time_point;
SteadyTime real_now() asm("__real__ZNSt6chrono3_V212steady_clock3nowEv");
SteadyTime counted_now() asm("__wrap__ZNSt6chrono3_V212steady_clock3nowEv");
SteadyTime counted_now() {
  look();
  return real_now();
}

}  // namespace stowage::soak
