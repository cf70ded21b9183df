#include "core/planners/planner.h"
#include "tests/property/workload.h"
#include "tests/soak/cases/timed.h"

namespace stowage::soak {
namespace {

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
  const ControlHandle control = new_control();
  for (int runs = 0; runs < 6; ++runs) {
    const PlannerInfo& info = any_planner(one.random);
    const bool cancels = one.random.chance(0.5);
    const double delay = one.random.between(1, 60);
    Request request;
    request.planner = info.name;
    request.seed = one.random.next();
    request.deadline_ms = cancels ? 10'000 : static_cast<std::uint64_t>(delay);
    if (!info.pursues.contains(Objective::kNodes)) request.objective = Objective::kAdmitted;
    request = maybe_with_goals(one, instance, request);
    const bool promises = request.goals.empty() && one.random.chance(0.4);
    if (promises) request = promising(one.random, instance, request);
    const Answer answer = timed(one, info.name, cancels ? Cut::kCancel : Cut::kDeadline, delay, control.get(),
                                [&] { return one.plans(handle.get(), request, control.get()); });
    if (answer.status == STOWAGE_UNSUPPORTED && (promises || may_refuse(info.name, instance, request))) continue;
    require(answer.status == STOWAGE_OK || answer.status == STOWAGE_INVALID, info.name + ": " + answer.message);
    if (answer.status != STOWAGE_OK) continue;
    require(verify(handle.get(), answer.bytes).status == STOWAGE_OK, "verify fails");
    require_a_search(decode_plan(answer.bytes));
  }
}

}  // namespace stowage::soak
