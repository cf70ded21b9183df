#include <algorithm>

#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/workload.h"
#include "tests/soak/cut.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

// Programs with sanitizers are not optimized either.
constexpr double kSlowness = test::kShare > 1 ? 60 : 1;

test::Generated large_instance(test::Random& random) {
  if (random.chance(0.4)) {
    test::Size size = middle_size();
    size.apps = 150;
    size.replicas = 40;
    size.listed = 30;
    return any_instance(random, size);
  }
  test::Workload workload;
  workload.seed = random.next();
  workload.apps = random.between(200, 2500);
  workload.density = random.chance(0.5) ? 0.01 : 0.05;
  workload.periods = random.chance(0.4) ? random.between(2, 24) : 1;
  return test::make_workload(workload);
}

}  // namespace

void check_overrun(Case& one) {
  const test::Generated generated = large_instance(one.random);
  one.looks_at(generated);
  const InstanceHandle handle = load(one.instance());
  const Instance instance = generated.build();
  for (int runs = 0; runs < 6; ++runs) {
    const PlannerInfo& info = planners()[one.random.below(static_cast<std::uint32_t>(planners().size()))];
    const bool cancels = one.random.chance(0.5);
    const double delay = one.random.between(1, 60);
    Request request;
    request.planner = info.name;
    request.seed = one.random.next();
    request.deadline_ms = cancels ? 10'000 : static_cast<std::uint64_t>(delay);
    if (!info.pursues.contains(Objective::kNodes)) request.objective = Objective::kAdmitted;
    const bool promises = one.random.chance(0.4);
    if (promises) request = promising(one.random, instance, request);
    one.asks(request);
    const ControlHandle control = new_control();
    // A second try, because the machine may have stopped this process at the wrong moment.
    for (int attempt = 0;; ++attempt) {
      stowage_control_reset(control.get());
      Answer answer;
      const auto cancel = cancels ? std::function<void()>([&] { stowage_control_cancel(control.get()); }) : nullptr;
      const Overrun over = measure_overrun(delay, cancel, [&] { answer = plan(handle.get(), one.request(), control.get()); });
      if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(info.name, instance, request)) break;
      if (answer.status == STOWAGE_UNSUPPORTED && promises) break;
      require(answer.status == STOWAGE_OK || answer.status == STOWAGE_INVALID, info.name + ": " + answer.message);
      if (attempt == 0) one.count(cancels ? "overruns: cancels" : "overruns: deadlines");
      const double spent = std::min(over.wall, over.processor);
      std::uint64_t& longest = one.tally.counts["overruns: longest, microseconds of processor time"];
      if (spent <= one.late_ms * kSlowness) {
        longest = std::max(longest, static_cast<std::uint64_t>(spent * 1000));
        if (answer.status != STOWAGE_OK) break;
        require(verify(handle.get(), answer.bytes).status == STOWAGE_OK, "verify fails");
        break;
      }
      require(attempt < 2,
              info.name + " goes on for " + std::to_string(spent) + " ms after its " + (cancels ? "cancel" : "deadline"));
    }
  }
}

}  // namespace stowage::soak
