#include <algorithm>
#include <cmath>

#include "core/planners/planner.h"
#include "report_generated.h"
#include "tests/property/agreement.h"
#include "tests/property/headroom_agreement.h"
#include "tests/property/promises_agreement.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

// What verify says of a plan that a planner made, beside what the plan says of itself.
void compare_with_verify(const stowage_instance* instance, const Bytes& bytes, const Plan& plan) {
  const Bytes report = must("verify", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify(instance, bytes.data(), bytes.size(), output, error);
  });
  const auto& found = *wire::GetReport(report.data())->body_as_Verification();
  require(found.ok(), "verify refuses the plan");
  const auto same = [](double stated, double counted, const char* what) {
    require(std::abs(stated - counted) <= 1e-9 * std::max(1.0, std::abs(counted)),
            std::string("planner and verify differ in ") + what + ": " + std::to_string(stated) + " and " +
                std::to_string(counted));
  };
  same(plan.inherited_violations, static_cast<double>(found.inherited_count()), "inherited violations");
  same(plan.cost, found.cost(), "cost");
  same(plan.ucac, found.ucac(), "used capacity at confidence");
  same(plan.max_cost, found.max_cost(), "the worst cost of side effects");
  same(plan.total_cost, found.total_cost(), "the total cost of side effects");
  same(static_cast<double>(nodes_in_use(plan)), static_cast<double>(found.nodes()), "nodes");
}

using PlanCheck = void (*)(const test::Generated&, const Instance&, const Request&, const Plan&);

// The checks of the property tests. Those that plan again are made for some of the plans.
constexpr PlanCheck kQuick[] = {test::check_feasible, test::check_statements, test::check_nothing_overlooked,
                                test::check_headroom};
constexpr PlanCheck kSlow[] = {test::check_scopes,   test::check_repetition,  test::check_compact,
                               test::check_cut_runs, test::check_relaxations, test::check_promises};

// Reports on a plan that the library made.
void ask_for_reports(const stowage_instance* instance, const Bytes& plan, std::uint32_t app, const std::string& planner) {
  for (const Answer& report : {explain(instance, plan), explain(instance, plan, nullptr, app), headroom(instance, plan, app),
                               order_moves(instance, plan)}) {
    require(report.status == STOWAGE_OK, "a report on a plan of " + planner + ": " + report.message);
  }
}

// Plans that promise something, through the C API: verify agrees, and the reports answer.
void check_promised(Case& one, const stowage_instance* handle, const Instance& instance, const Request& request) {
  const Request asked = promising(one.random, instance, request);
  one.asks(asked);
  const Answer answer = plan(handle, one.request());
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
  one.count("agreement: instances");
  for (const PlannerInfo& info : planners()) {
    const Request request = test::any_request(info, generated, instance, one.random);
    if (one.random.chance(0.6)) continue;
    one.asks(request);
    const Answer answer = plan(handle.get(), one.request());
    if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(info.name, instance, request)) continue;
    require(answer.status == STOWAGE_OK, info.name + ": " + answer.message);
    SCOPED_TRACE(info.name);
    one.count("agreement: plans");
    const Plan made = decode_plan(answer.bytes);
    compare_with_verify(handle.get(), answer.bytes, made);
    for (const PlanCheck check : kQuick) check(generated, instance, request, made);
    if (one.random.chance(0.3)) kSlow[one.random.below(std::size(kSlow))](generated, instance, request, made);
    ask_for_reports(handle.get(), answer.bytes, one.random.below(generated.apps()), info.name);
    if (one.random.chance(0.2)) check_promised(one, handle.get(), instance, request);
  }
}

}  // namespace stowage::soak
