#include "core/explain/explain.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/bounds/bounds.h"
#include "core/explain/explain_parts.h"
#include "core/plan/compact_plan.h"

namespace stowage {
namespace {

constexpr std::size_t kMostExplainedApps = 100;

std::vector<Unplaced> apps_to_explain(const Plan& plan, AppId app) {
  if (app != kNone) {
    const auto found =
        std::find_if(plan.unplaced.begin(), plan.unplaced.end(), [app](const Unplaced& u) { return u.app == app; });
    return {{app, found == plan.unplaced.end() ? 0 : found->replicas}};
  }
  std::vector<Unplaced> order = plan.unplaced;
  std::sort(order.begin(), order.end(), [](const Unplaced& a, const Unplaced& b) {
    return a.replicas != b.replicas ? a.replicas > b.replicas : a.app < b.app;
  });
  if (order.size() > kMostExplainedApps) order.resize(kMostExplainedApps);
  return order;
}

double best_bound(const Plan& plan, const ComputedBounds& bounds, Objective objective) {
  const std::optional<Bound>& own = plan.bounds[objective];
  const double computed = bounds.of[objective].empty() ? 0 : bounds.of[objective].front().value.value;
  return own && std::isfinite(own->value) ? std::max(own->value, computed) : computed;
}

// Both passes compute the use of one node at a time, to save memory. A pass that is cancelled returns nothing, because its
// counts would be wrong.
void look_at_nodes(const OpenedPlan& opened, AppId app, Run& run, Explanation& explanation) {
  std::vector<double> used;
  ResourceExplainer resources(opened);
  for (NodeId n = 0; n < opened.nodes(); ++n) {
    if (run.clock.step(1) || opened.watch().ended()) return;
    opened.use(n, used);
    resources.add(n, used);
  }
  resources.choose_peaks();

  std::vector<AppExplainer> apps;
  for (const Unplaced& unplaced : apps_to_explain(opened.plan(), app)) {
    apps.emplace_back(opened, unplaced.app, unplaced.replicas);
  }
  for (NodeId n = 0; n < opened.nodes(); ++n) {
    if (run.clock.step(1 + apps.size() + resources.probes()) || opened.watch().ended()) return;
    opened.use(n, used);
    resources.add_stranded(n, used);
    for (AppExplainer& explainer : apps) {
      if (opened.watch().step(explainer.steps_to_ask())) return;
      explainer.look_at(n, used);
    }
    run.progress.done(n + 1);
  }
  if (opened.watch().look()) return;
  explanation.resources = resources.result();
  for (AppExplainer& explainer : apps) {
    AppExplanation finished = explainer.finish();
    if (opened.watch().look()) return;
    explanation.apps.push_back(std::move(finished));
  }
}

}  // namespace

Result<Explanation> explain_plan(const Instance& instance, const Plan& plan, AppId app, Control* control) {
  if (app != kNone && app >= instance.apps()) return Error{Code::kInvalid, "there is no app with this index", "app"};
  Watch watch = watch_of(control);
  const auto opened = OpenedPlan::open(instance, plan, watch);
  Explanation explanation;
  explanation.nodes = nodes_in_use(plan);
  if (!opened && opened.error().code == Code::kCancelled) return explanation;
  if (!opened) return opened.error();

  Run run(Request{}, control);
  explanation.conflicts = instance.rule_conflicts();
  run.progress.enter(Phase::kBound);
  const ComputedBounds bounds = compute_bounds(instance, 0, watch);
  explanation.node_bound = best_bound(plan, bounds, Objective::kNodes);
  if (instance.has_prices()) explanation.cost_bound = best_bound(plan, bounds, Objective::kCost);
  run.progress.enter(Phase::kVerify, plan.nodes.size());
  look_at_nodes(opened.value(), app, run, explanation);
  explanation.suffering = find_suffering(opened.value(), run);
  run.clock.step(1);
  run.progress.enter(Phase::kPlan);
  run.clock.look();
  if (run.clock.stop() == Stop::kNo) explanation.drivers = find_drivers(opened.value(), control);
  run.progress.enter(Phase::kDone);
  return explanation;
}

}  // namespace stowage
