#include "tests/soak/cut.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <optional>
#include <thread>

namespace stowage::soak {
namespace {

double milliseconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

thread_local std::optional<Overrun> over_at;  // both clocks when the last call of the library came back

Overrun clocks_now() {
  clockid_t own{};
  pthread_getcpuclockid(pthread_self(), &own);
  return {milliseconds_of(CLOCK_MONOTONIC), milliseconds_of(own)};
}

}  // namespace

void call_is_over() { over_at = clocks_now(); }

Overrun measure_overrun(double delay_ms, const std::function<void()>& at_end, const std::function<void()>& call) {
  clockid_t own{};
  pthread_getcpuclockid(pthread_self(), &own);
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::optional<Overrun> at;  // both clocks at the moment of the end
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(delay_ms);
  std::thread watch([&] {
    std::unique_lock lock(mutex);
    if (ended.wait_until(lock, until, [&] { return done; })) return;
    if (at_end) at_end();
    at = Overrun{milliseconds_of(CLOCK_MONOTONIC), milliseconds_of(own)};
  });
  over_at.reset();
  call();
  const Overrun now = over_at.value_or(clocks_now());
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  ended.notify_all();
  watch.join();
  if (!at) return {};
  return {std::max(0.0, now.wall - at->wall), std::max(0.0, now.processor - at->processor)};
}

}  // namespace stowage::soak
