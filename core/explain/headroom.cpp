#include "core/explain/headroom.h"

#include <algorithm>

#include "core/explain/explain_parts.h"
#include "core/explain/opened_plan.h"

namespace stowage {
Result<Headroom> find_headroom(const Instance& instance, const Plan& plan, AppId app, NodeId node, WatchRef watch) {
  if (app >= instance.apps()) return Error{Code::kInvalid, "there is no app with this index", "app"};
  const auto result = OpenedPlan::open(instance, plan, watch);
  if (!result) return result.error();
  const OpenedPlan& opened = result.value();
  if (node != kNone && node >= opened.nodes()) return Error{Code::kInvalid, "the plan has no node with this index", "node"};

  Headroom headroom;
  headroom.room.assign(opened.nodes(), 0);
  headroom.lacks_capacity.assign(opened.nodes(), 0);
  headroom.forbidden.assign(opened.nodes(), 0);
  const std::uint32_t wanted = std::max(1U, instance.replicas(app));
  AppExplainer explainer(opened, app, 0);
  std::vector<double> used;
  constexpr std::uint64_t kStepsPerDim = 16;
  for (NodeId n = 0; n < opened.nodes(); ++n) {
    if (watch.step(kStepsPerDim * instance.dims() + opened.steps_to_ask(app))) return cancelled();
    opened.use(n, used);
    const std::vector<Obstacle>& obstacles = explainer.obstacles_on(n, used);
    for (const Obstacle& one : obstacles) (is_capacity(one) ? headroom.lacks_capacity : headroom.forbidden)[n] = 1;
    if (n == node) headroom.obstacles = obstacles;
    if (!obstacles.empty()) continue;
    // Rules are asked last: their answer for many replicas takes longer than all others.
    const std::uint32_t most = most_on(instance, app, opened.spot(n, used), 1, wanted);
    headroom.room[n] = opened.allowed_by_rules(app, n, most);
    if (headroom.room[n] == 0) headroom.forbidden[n] = 1;
  }
  if (watch.look()) return cancelled();
  return headroom;
}

}  // namespace stowage
