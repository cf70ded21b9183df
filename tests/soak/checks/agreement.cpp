#include "tests/property/agreement.h"

#include "tests/soak/cases/plans.h"

namespace stowage::soak {
namespace {

// Plans that promise something, through the C API: verify agrees, and the reports answer.
void check_promised(Case& one, const stowage_instance* handle, const Instance& instance, const Request& request) {
  const Request asked = promising(one.random, instance, request);
  const Answer answer = one.plans(handle, asked);
  if (answer.status == STOWAGE_UNSUPPORTED) return;
  require(answer.status == STOWAGE_OK, asked.planner + " promising: " + answer.message);
  one.count("agreement: plans that promise");
  compare_with_verify(handle, answer.bytes, decode_plan(answer.bytes));
  ask_for_reports(handle, answer.bytes, one.random.below(instance.apps()), asked.planner);
}

}  // namespace

void check_agreement(Case& one) {
  const test::Generated generated = any_instance(one.random, one.random.chance(0.5) ? small_size() : middle_size());
  one.looks_at(generated);
  const Instance instance = generated.build();
  const InstanceHandle handle = load(one.instance());
  require(bound(handle.get()).status == STOWAGE_OK, "bound fails");
  for (int plans = 0; plans < 6; ++plans) {
    const PlannerInfo& info = any_planner(one.random);
    Request request = test::any_request(info, generated, instance, one.random);
    if (request.work_limit > 0) request.work_limit = 30'000;
    request = maybe_with_goals(one, instance, request);
    const Answer answer = one.plans(handle.get(), request);
    if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(info.name, instance, request)) continue;
    require(answer.status == STOWAGE_OK, info.name + ": " + answer.message);
    look_at_plan(one, handle.get(), generated, instance, request, answer.bytes);
    ask_for_reports(handle.get(), answer.bytes, one.random.below(generated.apps()), info.name);
    if (request.goals.empty() && one.random.chance(0.2)) check_promised(one, handle.get(), instance, request);
  }
}

}  // namespace stowage::soak
