// Each case in a process of its own, so that a crash, a call that does not end, or too much memory is a finding like others.
#pragma once

#include <functional>
#include <string>

#include "tests/soak/soak.h"

namespace stowage::soak {

/// What became of a case.
struct Outcome {
  std::string found;     ///< empty: nothing
  Tally tally;           ///< empty after a crash
  double processor = 0;  ///< seconds of all threads
  double peak_megabytes = 0;
};

/// Runs `work` in a process of its own. It ends there with an exception where it finds something. Where a signal
/// ends that process, it calls `leave_files` before.
Outcome run_apart(const std::function<void(Tally&)>& work, void (*leave_files)());

}  // namespace stowage::soak
