#include "tests/soak/cases/plans.h"

#include <algorithm>
#include <cmath>

#include "report_generated.h"
#include "tests/property/agreement.h"
#include "tests/property/headroom_agreement.h"
#include "tests/property/judge.h"
#include "tests/property/promises_agreement.h"

namespace stowage::soak {
namespace {

using PlanCheck = void (*)(const test::Generated&, const Instance&, const Request&, const Plan&);

// The checks of the property tests. Those that plan again are made for some of the plans.
constexpr PlanCheck kQuick[] = {test::check_feasible, test::check_statements, test::check_headroom,
                                test::check_headroom_bounds};
constexpr PlanCheck kSlow[] = {test::check_scopes,   test::check_repetition,  test::check_compact,
                               test::check_cut_runs, test::check_relaxations, test::check_promises};

}  // namespace

void require_a_search(const Plan& plan) {
  const std::string what = test::Judge::note_problem(plan);
  require(what.empty(), what);
  for (const Note& note : plan.notes) {
    require(note.code != NoteCode::kStartPlan, plan.planner + " returned the plan of the start: " + note.text);
  }
}

void compare_with_verify(const stowage_instance* instance, const Bytes& bytes, const Plan& plan) {
  const Bytes report = must("verify", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify(instance, bytes.data(), bytes.size(), output, error);
  });
  const auto& found = *wire::GetReport(report.data())->body_as_Verification();
  require(found.ok(), "verify refuses the plan of " + plan.planner);
  require(plan.work > 0, plan.planner + " states no work, which no request can repeat");
  require_a_search(plan);
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

Plan look_at_plan(Case& one, const stowage_instance* handle, const test::Generated& generated, const Instance& instance,
                  const Request& request, const Bytes& bytes) {
  SCOPED_TRACE(request.planner);
  Plan made = decode_plan(bytes);
  compare_with_verify(handle, bytes, made);
  for (const PlanCheck check : kQuick) check(generated, instance, request, made);
  // A run that its limit ends may not have come to the last replicas.
  const bool ended_early = request.work_limit > 0 && made.work >= request.work_limit;
  if (!ended_early) test::check_nothing_overlooked(generated, instance, request, made);
  if (one.random.chance(0.2)) kSlow[one.random.below(std::size(kSlow))](generated, instance, request, made);
  return made;
}

void ask_for_reports(const stowage_instance* instance, const Bytes& plan, std::uint32_t app, const std::string& planner) {
  for (const Answer& report : {explain(instance, plan), explain(instance, plan, nullptr, app), headroom(instance, plan, app),
                               order_moves(instance, plan)}) {
    require(report.status == STOWAGE_OK, "a report on a plan of " + planner + ": " + report.message);
  }
}

}  // namespace stowage::soak
