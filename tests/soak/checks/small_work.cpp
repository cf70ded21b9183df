#include <algorithm>
#include <utility>

#include "tests/property/agreement.h"
#include "tests/soak/cases/plans.h"
#include "tests/soak/clock.h"

namespace stowage::soak {
namespace {

struct Asked {
  Case& one;
  const stowage_instance* handle;
  const test::Generated& generated;
  const Instance& instance;
};

// A plan that is cut short is valid, and its work repeats it.
Plan take(const Asked& at, const Request& request, const Answer& answer, const std::string& how) {
  require(answer.status == STOWAGE_OK, request.planner + " " + how + ": " + answer.message);
  Plan plan = decode_plan(answer.bytes);
  SCOPED_TRACE(request.planner + " " + how);
  compare_with_verify(at.handle, answer.bytes, plan);
  test::check_feasible(at.generated, at.instance, request, plan);
  at.one.count("small work: plans cut short", plan.status == PlanStatus::kDeadline ? 1 : 0);
  return plan;
}

void replay(const Asked& at, Request request, const Plan& plan, const std::string& how) {
  request = test::that_repeats(std::move(request), plan);
  const Answer answer = at.one.plans(at.handle, request);
  const Plan again = take(at, request, answer, "replayed at work " + std::to_string(plan.work));
  const std::string difference = test::same_plan(plan, again);
  require(difference.empty(),
          request.planner + " " + how + " is not repeated by its work " + std::to_string(plan.work) + ": " + difference);
}

// Work limits 1, 2, 4, 8, ... until the run ends by itself.
void cut_by_work(const Asked& at, Request request) {
  const std::uint64_t most = std::uint64_t{1} << at.one.random.between(4, 14);
  for (std::uint64_t limit = 1; limit <= most; limit *= 2) {
    request.work_limit = limit;
    const Answer answer = at.one.plans(at.handle, request);
    if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(request.planner, at.instance, request)) return;
    const std::string how = "at work " + std::to_string(limit);
    const Plan plan = take(at, request, answer, how);
    replay(at, request, plan, how);
    if (plan.work < limit) return;
  }
}

// A deadline that has passed at the first look at the clock, at the second, third, ...
void cut_by_deadline(const Asked& at, Request request) {
  request.work_limit = 0;
  request.deadline_ms = 60'000;
  for (std::uint64_t looks = 1; looks <= 64; ++looks) {
    Answer answer;
    bool leapt = false;
    {
      const LeapingClock clock(looks);
      answer = at.one.plans(at.handle, request);
      leapt = LeapingClock::leapt();
    }
    if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(request.planner, at.instance, request)) return;
    const std::string how = "after a deadline at look " + std::to_string(looks);
    const Plan plan = take(at, request, answer, how);
    at.one.count("small work: deadlines that have passed");
    replay(at, request, plan, how);
    if (!leapt) return;
  }
}

// A cancel before the run begins.
void cut_by_cancel(const Asked& at, Request request) {
  request.work_limit = 0;
  request.deadline_ms = 60'000;
  const ControlHandle control = new_control();
  stowage_control_cancel(control.get());
  const Answer answer = at.one.plans(at.handle, request, control.get());
  if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(request.planner, at.instance, request)) return;
  take(at, request, answer, "cancelled before it began");
}

}  // namespace

void check_small_work(Case& one) {
  const std::uint32_t sort = one.random.below(4);
  const test::Generated generated = sort < 2    ? running_instance(one.random)
                                    : sort == 2 ? any_instance(one.random, small_size())
                                                : any_instance(one.random, middle_size());
  one.looks_at(generated);
  const Instance instance = generated.build();
  const InstanceHandle handle = load(one.instance());
  const Asked at{one, handle.get(), generated, instance};
  for (const auto cut : {cut_by_work, cut_by_work, cut_by_deadline, cut_by_cancel}) {
    const PlannerInfo& info = any_planner(one.random);
    const Request request = sort < 2 ? rebalancing(info, generated, instance, one.random)
                                     : test::any_request(info, generated, instance, one.random);
    cut(at, maybe_with_goals(one, instance, request));
  }
}

}  // namespace stowage::soak
