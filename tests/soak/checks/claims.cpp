#include <utility>

#include "core/plan/side_effects.h"
#include "core/planners/planner.h"
#include "tests/property/agreement.h"
#include "tests/property/endless.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

// Without options and limits, of which most plans leave nothing to claim.
Request plain_request(const PlannerInfo& info, const Instance& instance, test::Random& random) {
  Request request;
  request.planner = info.name;
  request.seed = random.next();
  if (test::may_go_on(info)) request.work_limit = 200'000;
  std::vector<Objective> wanted;
  for (const Objective objective :
       {Objective::kNodes, Objective::kUcac, Objective::kWorst, Objective::kTotal, Objective::kAdmitted}) {
    const bool costs = objective == Objective::kWorst || objective == Objective::kTotal;
    if (!info.pursues.contains(objective) || (objective == Objective::kUcac && !instance.uncertain())) continue;
    if (costs && (!instance.has_interference() || most_nodes(instance, 0) == kNone)) continue;
    wanted.push_back(objective);
  }
  if (!wanted.empty()) request.objective = wanted[random.below(static_cast<std::uint32_t>(wanted.size()))];
  return request;
}

}  // namespace

void check_claims(Case& one) {
  test::Generated generated = any_instance(one.random, small_size());
  while (!test::Claims::tiny(generated)) generated = any_instance(one.random, small_size());
  one.looks_at(generated);
  const InstanceHandle handle = load(one.instance());
  test::ClaimCounts counts;
  test::Claims claims(generated, counts);
  require(stowage_instance_fingerprint(handle.get()) == claims.instance().fingerprint(), "another instance was read");
  claims.check_bounds();
  claims.check_admission_bounds();
  for (int plans = 0; plans < 12; ++plans) {
    const PlannerInfo& info = any_planner(one.random);
    const bool plain = one.random.chance(0.6);
    const Request request = plain ? plain_request(info, claims.instance(), one.random)
                                  : test::any_request(info, generated, claims.instance(), one.random);
    const Answer answer = one.plans(handle.get(), request);
    if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(info.name, claims.instance(), request)) continue;
    require(answer.status == STOWAGE_OK, info.name + ": " + answer.message);
    SCOPED_TRACE(info.name);
    const Plan made = decode_plan(answer.bytes);
    require_a_search(made);
    claims.check_plan_claims(request, made);
  }
  one.count("claims: instances");
  one.count("claims: with a complete plan", counts.feasible);
  one.count("claims: plans", counts.plans);
  one.count("claims: bounds", counts.bounds);
  one.count("claims: plans called optimal", counts.optimal);
  one.count("claims: plans called infeasible", counts.proven_too_few);
  one.count("claims: plans said to place the most", counts.places_most);
}

}  // namespace stowage::soak
