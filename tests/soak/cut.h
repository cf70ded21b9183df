// How long a call goes on after it was asked to end.
#pragma once

#include <functional>

namespace stowage::soak {

/// Milliseconds after the moment at which a call should have ended: on the wall clock, and of the calling thread's processor
/// time, which is the one that counts on a machine with other work. 0: the call had ended before.
struct Overrun {
  double wall = 0;
  double processor = 0;
};

/// States that the call of the library has come back: what its caller does with the answer, such as a copy, does not count.
void call_is_over();

/// Calls `call` on this thread. `delay_ms` after its start, another thread calls `at_end`, which may be empty, and looks at
/// the clocks.
Overrun measure_overrun(double delay_ms, const std::function<void()>& at_end, const std::function<void()>& call);

/// Most milliseconds that a call may go on (docs/contribute/reliability.md).
inline constexpr double kMostOverrun = 50;

}  // namespace stowage::soak
