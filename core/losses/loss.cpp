#include "core/losses/loss.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/losses/evacuation.h"
#include "core/placement/placement.h"
#include "core/plan/compact_plan.h"
#include "core/plan/side_effects.h"
#include "core/run/control.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

template <class Unit>
Result<std::vector<Loss>> losses_of(const Instance& instance, const Plan& plan, const LossQuestion& question, WatchRef watch) {
  Evacuation<Unit> losses(instance, plan, question.only_planned, watch);
  if (watch.look()) return std::vector<Loss>{};
  std::vector<Domain> domains;
  if (!question.nodes.empty()) {
    Domain together{"", question.nodes};
    std::sort(together.nodes.begin(), together.nodes.end());
    together.nodes.erase(std::unique(together.nodes.begin(), together.nodes.end()), together.nodes.end());
    if (together.nodes.back() >= losses.nodes()) return Error{Code::kInvalid, "there is no node with this number", "nodes"};
    domains.push_back(std::move(together));
  } else {
    domains = losses.domains(question.label);
    if (domains.empty() && !question.label.empty()) {
      return Error{Code::kInvalid, "no node has a label with the key " + question.label, "label"};
    }
  }
  std::vector<Loss> all;
  for (Domain& domain : domains) {
    Loss loss = losses.lose(std::move(domain));
    if (watch.look()) break;
    all.push_back(std::move(loss));
  }
  std::stable_sort(all.begin(), all.end(), [](const Loss& a, const Loss& b) {
    if (a.left != b.left) return a.left > b.left;
    if (a.replicas != b.replicas) return a.replicas > b.replicas;
    return a.domain.nodes < b.domain.nodes;
  });
  return all;
}

}  // namespace

Result<std::vector<Loss>> find_losses(const Instance& instance, const Plan* plan, const LossQuestion& question,
                                      Control* control) {
  Watch watch = watch_of(control);
  if (plan != nullptr) {
    const Verification checked = check_plan(instance, *plan, CheckScope::kViolations, watch);
    if (checked.given_up) return std::vector<Loss>{};
    if (!checked.ok) {
      return Error{Code::kInvalid, "does not belong to the instance or breaks constraints; its verification says which",
                   "plan"};
    }
    if (Error e = check_nodes_held(instance, checked.nodes); failed(e)) return e;
  }
  const Plan start = plan == nullptr ? plan_of_start(instance, {}, watch) : Plan{};
  if (watch.look()) return std::vector<Loss>{};
  const Plan& looked_at = plan != nullptr ? *plan : start;
  // What the plan keeps side effects to holds for replicas that find a new place, too.
  const std::optional<Instance> limited = within_max_cost(instance, looked_at.max_cost_limit);
  const Instance& asked = limited ? *limited : instance;
  return asked.visit_unit([&](auto unit) { return losses_of<decltype(unit)>(asked, looked_at, question, watch); });
}

Plan plan_of_start(const Instance& instance, const Request& request, WatchRef watch) {
  return instance.visit_unit([&](auto unit) {
    Plan plan;
    plan.instance = instance.fingerprint();
    const Placement<decltype(unit)> placement(instance, request, nullptr, watch);
    if (!watch.ended()) placement.write_as_is(plan, watch);
    return plan;
  });
}

}  // namespace stowage
