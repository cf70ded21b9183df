// Shared by all C functions of the library.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "capi/include/stowage.h"
#include "capi/src/base/boundary.h"
#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/run/control.h"
#include "core/solver/mip.h"

struct stowage_instance {
  std::shared_ptr<const stowage::Instance> instance;
};

struct stowage_control {
  stowage::Control control;
  std::atomic<bool> in_use{false};
  std::atomic<std::uint64_t> deadline_ms{0};  // of each call; 0: none
  std::unique_ptr<stowage::Solver> solver;    // owns the object behind control.solver
};

namespace stowage::capi {

inline stowage_status fail(stowage_error* error, Code code, std::string_view message, std::string_view path = {}) {
  return fill_error(error, static_cast<stowage_status>(code), message, path);
}

inline stowage_status fail(stowage_error* error, const Error& e) { return fail(error, e.code, e.message, e.path); }

/// Marks an object as used by one call. Only one of several calls at the same time gets it.
class Use {
 public:
  /// @param in_use null: there is nothing to mark
  explicit Use(std::atomic<bool>* in_use) : in_use_(in_use), granted_(in_use == nullptr || !in_use->exchange(true)) {}
  ~Use() {
    if (in_use_ != nullptr && granted_) in_use_->store(false);
  }
  Use(const Use&) = delete;
  Use(Use&&) = delete;
  Use& operator=(const Use&) = delete;
  Use& operator=(Use&&) = delete;
  [[nodiscard]] bool granted() const { return granted_; }

 private:
  std::atomic<bool>* in_use_;
  bool granted_;
};

/// Runs the body of a call under a control, which may be null: body(watch). Its time begins now. BUSY where the control serves
/// another call.
template <class Body>
stowage_status watched(stowage_control* control, stowage_error* error, Body&& body) {
  const Use use(control == nullptr ? nullptr : &control->in_use);
  if (!use.granted()) return fail(error, Code::kBusy, "the control serves another call", "control");
  if (control != nullptr) {
    constexpr std::uint64_t kYear = 365ull * 24 * 3600 * 1000;
    const std::uint64_t span = std::min(control->deadline_ms.load(), kYear);
    const auto end = Watch::Time::now() + std::chrono::milliseconds(span);
    control->control.ends_at.store(span == 0 ? 0 : std::chrono::nanoseconds(end.time_since_epoch()).count());
  }
  return guarded(error, [&]() -> stowage_status {
    Watch watch = watch_of(control == nullptr ? nullptr : &control->control);
    return body(watch);
  });
}

/// As watched(), for a call that has no answer in part: CANCELLED at once where the control was cancelled before.
template <class Body>
stowage_status watched_whole(stowage_control* control, stowage_error* error, Body&& body) {
  return watched(control, error,
                 [&](WatchRef watch) -> stowage_status { return watch.look() ? fail(error, cancelled()) : body(watch); });
}

inline Control* control_of(stowage_control* control) { return control == nullptr ? nullptr : &control->control; }

/// Reads the caller's limits. False, and the error is filled, for an unknown struct_size.
inline bool read_limits(const stowage_limits* given, Limits* limits, stowage_error* error) {
  stowage_limits known;
  if (!copy_limits(given, &known, error)) return false;
  const auto set = [](std::uint64_t value, std::uint64_t* to) {
    if (value != 0) *to = value;
  };
  set(known.max_bytes, &limits->max_bytes);
  set(known.max_apps, &limits->max_apps);
  set(known.max_replicas, &limits->max_replicas);
  set(known.max_limits, &limits->max_limits);
  set(known.max_nodes, &limits->max_nodes);
  set(known.max_cells, &limits->max_cells);
  set(known.max_threads, &limits->max_threads);
  set(known.max_memory, &limits->max_memory);
  // The library's own number ranges end here.
  limits->max_apps = std::min<std::uint64_t>(limits->max_apps, 0x7FFFFFFF);
  limits->max_nodes = std::min<std::uint64_t>(limits->max_nodes, 0x7FFFFFFF);
  limits->max_replicas = std::min<std::uint64_t>(limits->max_replicas, 0xFFFFFFFF);
  limits->max_cells = std::min<std::uint64_t>(limits->max_cells, 0x7FFFFFFF);
  return true;
}

}  // namespace stowage::capi
