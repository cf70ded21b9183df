// Lets a caller end a call whose work has no units of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace stowage {

/// Says whether a call has to end, because its caller has cancelled it or because its time is over. Once it says so, it says so
/// for ever. A watch that was made without arguments never ends a call.
class Watch {
 public:
  using Time = std::chrono::steady_clock;

  Watch() = default;
  /// @param cancelled the caller's flag, which outlives the watch; null: nobody cancels
  /// @param deadline  nothing: the call may take any time
  Watch(const std::atomic<bool>* cancelled, std::optional<Time::time_point> deadline)
      : cancelled_(cancelled), deadline_(deadline) {}

  /// Counts `units` steps of some nanoseconds each, such as bytes that are read. Looks at the flag and the clock every kEvery
  /// units. Returns ended().
  bool step(std::uint64_t units = 1) {
    units_ += units;
    if (units_ >= next_look_) look();
    return ended_;
  }
  /// step() looks for the first time after so many units more: what takes no longer is the same whenever the call ends.
  void spare(std::uint64_t units) { next_look_ += units; }
  /// Looks at the flag and the clock at once. For use around calls that take long.
  bool look() {
    units_ = 0;
    next_look_ = kEvery;
    if (!ended_) {
      ended_ =
          (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) || (deadline_ && Time::now() >= *deadline_);
    }
    return ended_;
  }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  /// Steps between two looks: less than a millisecond.
  static constexpr std::uint64_t kEvery = std::uint64_t{1} << 16;

  const std::atomic<bool>* cancelled_ = nullptr;
  std::optional<Time::time_point> deadline_;
  std::uint64_t units_ = 0;
  std::uint64_t next_look_ = kEvery;
  bool ended_ = false;
};

/// Steps of a Watch that it takes to open a node.
inline constexpr std::uint64_t kStepsToOpen = 64;

/// What a call is given to look at: a watch, which outlives it, or nothing, so that nobody ends it.
class WatchRef {
 public:
  WatchRef() = default;
  WatchRef(Watch& watch) : watch_(&watch) {}  // NOLINT(google-explicit-constructor)

  bool step(std::uint64_t units = 1) const { return watch_ != nullptr && watch_->step(units); }
  bool look() const { return watch_ != nullptr && watch_->look(); }
  [[nodiscard]] bool ended() const { return watch_ != nullptr && watch_->ended(); }

 private:
  Watch* watch_ = nullptr;
};

}  // namespace stowage
