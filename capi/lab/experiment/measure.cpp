#include "capi/lab/experiment/measure.h"

#include <algorithm>
#include <utility>

#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"

namespace stowage::cli::lab {

Measurement measure(const Workload& workload, const Contender& contender, std::uint64_t deadline_ms, std::uint32_t most_repeats,
                    const std::string& which, const Console& console) {
  Measurement result;
  RequestOptions request;
  request.planner = contender.planner;
  request.settings = contender.options;
  request.deadline_ms = deadline_ms;
  request.move_budget = contender.move_budget;
  request.objective = contender.objective;
  // A long run is not repeated: disturbances average out within it.
  constexpr double kWorthRepeating = 1;
  double spent = 0;
  while (result.repeats == 0 || (result.repeats < most_repeats && spent + spent / result.repeats < kWorthRepeating)) {
    std::optional<PlanRun> made;
    try {
      made = run_plan(workload, request, console);
    } catch (const Failure& failure) {
      console.err << console.program << ": " << contender.label << " on " << printable(workload.source) << ", " << which << ": "
                  << printable(failure.what()) << '\n';
      result.refused = failure.exit_code() == kExitInput;
      result.run.reset();
      return result;
    }
    if (InterruptGuard::interrupted()) {
      result.interrupted = true;
      return result;
    }
    const bool first = result.repeats == 0;
    result.seconds = first ? made->planning_seconds : std::min(result.seconds, made->planning_seconds);
    result.call_seconds = first ? made->seconds : std::min(result.call_seconds, made->seconds);
    spent += made->seconds;
    ++result.repeats;
    if (first) result.run = std::move(made);
  }
  return result;
}

}  // namespace stowage::cli::lab
