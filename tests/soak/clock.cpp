#include "tests/soak/clock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <limits>

namespace stowage::soak {
namespace {

constexpr std::uint64_t kNoLeap = std::numeric_limits<std::uint64_t>::max();
std::atomic<std::uint64_t> looks_at_clock = 0;
std::atomic<std::uint64_t> leap_after = kNoLeap;
thread_local LookMeter* look_meter = nullptr;

std::uint64_t own_microseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_nsec) / 1'000;
}

}  // namespace

LeapingClock::LeapingClock(std::uint64_t looks) {
  looks_at_clock = 0;
  leap_after = looks;
}
LeapingClock::~LeapingClock() { leap_after = kNoLeap; }
bool LeapingClock::leapt() { return looks_at_clock > leap_after; }
std::uint64_t LeapingClock::looks() { return looks_at_clock; }

LookMeter::LookMeter() : last_(own_microseconds()) { look_meter = this; }
LookMeter::~LookMeter() { look_meter = nullptr; }
void LookMeter::look() {
  const std::uint64_t now = own_microseconds();
  longest_ = std::max(longest_, now - last_);
  last_ = now;
}
std::uint64_t LookMeter::stop() {
  look();
  look_meter = nullptr;
  return longest_;
}

}  // namespace stowage::soak

// NOLINTBEGIN(bugprone-reserved-identifier): steady_clock::now() under the names that the linker gives it
extern "C" {
std::int64_t __real__ZNSt6chrono3_V212steady_clock3nowEv();
/// Nanoseconds, which is what a time point consists of.
std::int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
  using namespace stowage::soak;  // NOLINT(google-build-using-namespace)
  const std::int64_t now = __real__ZNSt6chrono3_V212steady_clock3nowEv();
  if (look_meter != nullptr) look_meter->look();
  const std::uint64_t after = leap_after.load(std::memory_order_relaxed);
  if (after == kNoLeap) return now;
  constexpr std::int64_t kHour = 3'600'000'000'000;
  return looks_at_clock.fetch_add(1, std::memory_order_relaxed) >= after ? now + kHour : now;
}
}
// NOLINTEND(bugprone-reserved-identifier)
