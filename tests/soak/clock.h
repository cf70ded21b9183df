// The steady clock of the soak: the linker turns each look at std::chrono::steady_clock into a call of clock.cpp (--wrap), so
// that deadlines pass at a chosen look, and the time between looks is known.
#pragma once

#include <cstdint>

namespace stowage::soak {

/// While it lives, the steady clock goes an hour ahead for all threads once it has been looked at `looks` times. One at a time.
class LeapingClock {
 public:
  explicit LeapingClock(std::uint64_t looks);
  LeapingClock(const LeapingClock&) = delete;
  LeapingClock& operator=(const LeapingClock&) = delete;
  ~LeapingClock();
  [[nodiscard]] static bool leapt();
  /// At the clock, while it lives.
  [[nodiscard]] static std::uint64_t looks();
};

/// Measures the processor time of the calling thread between two looks at the steady clock, from its construction to stop().
class LookMeter {
 public:
  LookMeter();
  LookMeter(const LookMeter&) = delete;
  LookMeter& operator=(const LookMeter&) = delete;
  ~LookMeter();
  /// The longest time without a look, in microseconds.
  std::uint64_t stop();

  /// What the clock calls.
  void look();

 private:
  std::uint64_t last_;
  std::uint64_t longest_ = 0;
};

}  // namespace stowage::soak
