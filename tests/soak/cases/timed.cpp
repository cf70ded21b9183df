#include "tests/soak/cases/timed.h"

#include <algorithm>

#include "tests/effort.h"
#include "tests/soak/clock.h"
#include "tests/soak/cut.h"
#include "tests/soak/stacks.h"

namespace stowage::soak {
namespace {

// Programs with sanitizers are not optimized either.
constexpr double kSlowness = test::kShare > 1 ? 60 : 1;

}  // namespace

Answer timed(Case& one, const std::string& name, Cut cut, double delay_ms, stowage_control* control,
             const std::function<Answer()>& call) {
  for (int attempt = 1;; ++attempt) {
    if (control != nullptr) stowage_control_reset(control);
    Answer answer;
    const bool cancels = cut == Cut::kCancel;
    Stacks stacks;
    const auto at_end = [&] {
      if (cancels) stowage_control_cancel(control);
      stacks.start();
    };
    LookMeter looks;
    const Overrun over = measure_overrun(delay_ms, at_end, [&] { answer = call(); });
    one.took("between two looks at the clock", static_cast<double>(looks.stop()));
    const double spent = std::min(over.wall, over.processor);
    if (spent <= one.late_ms * kSlowness) {
      one.took(cancels ? "after a cancel" : "after a deadline", spent * 1000);
      one.count(cancels ? "timed: cancels" : "timed: deadlines");
      return answer;
    }
    require(attempt < 3, name + std::string(kGoesOn) + std::to_string(spent) + " ms after its " +
                             (cancels ? "cancel" : "deadline") + " at " + std::to_string(delay_ms) + " ms");
  }
}

}  // namespace stowage::soak
