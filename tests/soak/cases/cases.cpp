#include <algorithm>

#include "core/colocation/bounds/exact.h"
#include "core/colocation/problem.h"
#include "core/model/labels.h"
#include "core/terms/asked/goals.h"
#include "tests/property/agreement.h"
#include "tests/property/promises_agreement.h"
#include "tests/property/random_goals.h"
#include "tests/soak/soak.h"

namespace stowage::soak {

// Random numbers of different seeds are far apart: otherwise, what is drawn until it suits is drawn again by the next seed.
Case::Case(std::uint64_t seed, std::uint64_t number, Tally& tally)
    : random(test::Random(test::Random(seed).next() ^ number).next()), tally_(tally) {}

void Case::took(const std::string& what, double microseconds) {
  std::uint64_t& longest = tally_.longest[what];
  longest = std::max(longest, static_cast<std::uint64_t>(microseconds));
}

void Case::looks_at(const test::Generated& generated) {
  count("instances");
  instance_ = encode(generated);
  request_.clear();
}

void Case::asks(const Request& request) { request_ = encode(request); }

Answer Case::plans(const stowage_instance* instance, const Request& request, stowage_control* control) {
  asks(request);
  count("plans");
  count("plans by auto", request.planner == "auto" ? 1 : 0);
  return plan(instance, request_, control);
}

const PlannerInfo& any_planner(test::Random& random) {
  if (random.chance(0.5)) return *find_planner("auto");
  return planners()[random.below(static_cast<std::uint32_t>(planners().size()))];
}

Request rebalancing(const PlannerInfo& info, const test::Generated& generated, const Instance& instance, test::Random& random) {
  Request request = test::any_request(info, generated, instance, random);
  request.ignore_running = random.chance(0.1);
  request.move_budget = request.ignore_running || random.chance(0.2) ? 0 : random.chance(0.9) ? random.between(1, 4) : 1'000;
  const bool suffering = request.objective == Objective::kWorst || request.objective == Objective::kTotal;
  const bool counted = !suffering || most_nodes(instance, 0) != kNone;  // without a number of nodes there is no least suffering
  request.node_limit = !counted || random.chance(0.5) ? random.between(1, generated.listed() + 2) : 0;
  if (random.chance(0.3)) request.work_limit = std::uint64_t{1} << random.between(0, 14);
  return request;
}

Request maybe_with_goals(Case& one, const Instance& instance, const Request& request) {
  if (request.planner != "auto" || !one.random.chance(0.3)) return request;
  Request asked = request;
  asked.objective = Objective::kNodes;
  asked.soft = SoftPolicy::kFirst;
  asked.soft_price = 0;
  asked.goals = test::draw_goals(one.random, instance, one.random.between(1, 3));
  if (failed(read_goals(instance, asked))) return request;
  one.count("requests with goals");
  return asked;
}

bool asks_for_traffic(const Request& request) {
  return request.objective == Objective::kTraffic ||
         std::any_of(request.goals.begin(), request.goals.end(),
                     [](const PlanGoal& goal) { return goal.what == GoalKind::kTraffic; });
}

Request promising(test::Random& random, const Instance& instance, const Request& request) {
  if (!has_label(instance, "rack") || !random.chance(0.3)) return test::promising(instance, request);
  Request asked = request;
  asked.leave_free = "rack";
  return asked;
}

bool may_refuse(const std::string& planner, const Instance& instance, const Request& request) {
  const PlannerInfo* info = find_planner(planner);
  // It does not take kinds that do not suffer from themselves.
  if (planner == "mse-ptas" && instance.has_interference()) return true;
  if (planner == "mse-exact" && instance.total_replicas() > kMostExactReplicas) return true;
  const bool is_of_p4 = info != nullptr && info->pursues.contains(Objective::kWorst) && planner != "auto";
  if (is_of_p4 && instance.total_replicas() > kMostColocatedReplicas) return true;
  return info == nullptr || info->needs_solver || (instance.features() & ~info->honours) != 0 ||
         !info->pursues.contains(by_goals(request).objective);
}

}  // namespace stowage::soak
