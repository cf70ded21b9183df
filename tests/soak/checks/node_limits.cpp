#include <cstdint>
#include <map>

#include "tests/property/optimum.h"
#include "tests/soak/cases/plans.h"

namespace stowage::soak {
namespace {

/// Whether two apps run, or are pinned, on one node beyond a limit between them: no replica of either joins it, which exact
/// search does not ask for.
bool starts_beyond_a_limit(const Instance& instance) {
  const LimitRows& limits = instance.limit_rows();
  std::map<NodeId, std::map<AppId, std::uint32_t>> start;
  for (const auto* there : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& one : *there) start[one.node][one.app] += one.replicas;
  }
  for (const auto& [node, held] : start) {
    for (const auto& [app, replicas] : held) {
      for (const auto& [other, others] : held) {
        const std::uint32_t codes = app == other ? 0 : limits.find(app, other);
        if (codes != 0 && others > limits.imposes(codes)) return true;
      }
    }
  }
  return false;
}

}  // namespace

void check_node_limits(Case& one) {
  const test::Generated generated = priced_instance(one.random);
  one.looks_at(generated);
  const InstanceHandle handle = load(one.instance());
  const bool beyond = starts_beyond_a_limit(generated.build());
  test::ClaimCounts counts;
  test::Claims claims(generated, counts);
  // Without a limit, and with each that may matter.
  for (std::uint32_t nodes = 0; nodes <= 4; ++nodes) {
    Request request;
    request.planner = "auto";
    request.seed = one.random.next();
    request.work_limit = 1'000'000;  // some milliseconds; the default is a second
    request.node_limit = nodes;
    const Answer answer = one.plans(handle.get(), request);
    require(answer.status == STOWAGE_OK, "auto: " + answer.message);
    const Plan made = decode_plan(answer.bytes);
    SCOPED_TRACE("at most " + std::to_string(nodes) + " nodes");
    compare_with_verify(handle.get(), answer.bytes, made);
    claims.check_plan_claims(request, made);
    test::Freedom freedom;
    freedom.may_move = generated.data.running.empty();
    if (nodes > 0) freedom.nodes = std::max(nodes, test::Judge(generated).in_use_at_start(request));
    const test::Optimum best = test::OptimumSearch(generated, freedom).run();
    if (!best.feasible || beyond) continue;
    one.count("node limits: plans that place all by exact search");
    require(made.unplaced.empty(),
            "auto leaves replicas over on at most " + std::to_string(nodes) + " nodes, where a complete plan exists");
    if (made.cost <= best.cost * (1 + 1e-9)) one.count("node limits: of them at least cost");
  }
}

}  // namespace stowage::soak
