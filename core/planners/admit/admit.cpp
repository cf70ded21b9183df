// Whole applications in an order of their size, each replica where the angle between its demand and what is free is smallest.
//
// Small applications first where nodes are given: they leave the fewest out under overload. Large ones first where nodes may be
// added, so that nothing has to be left out: small ones then fill the gaps. The size is P3's, Eq. 20, divided by the weight
// where nodes are given. P3's fitness, a dot product, favours the emptiest node; the cosine favours the node whose shape suits.
//
// O(L log L + R N d).

#include <algorithm>
#include <vector>

#include "core/base/sort_by.h"
#include "core/planners/admit/admission.h"
#include "core/planners/families.h"

namespace stowage {
namespace {

template <class Unit>
Error admit(const PlannerInput& input, Plan& plan) {
  Admission<Unit> admission(input.instance, input.request);
  std::vector<WholeApplication> applications = whole_applications(input.instance);
  if (!may_add_nodes(input.instance, input.request)) {
    std::stable_sort(applications.begin(), applications.end(), [](const WholeApplication& a, const WholeApplication& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.size * b.weight < b.size * a.weight;
    });
  }
  input.run.progress.enter(Phase::kPlan, applications.size());
  for (std::size_t k = 0; k < applications.size() && input.run.clock.stop() == Stop::kNo; ++k) {
    admission.admit(applications[k], Fitness::kCosine, Opening::kAny, input.run.clock);
    input.run.progress.done(k + 1);
  }
  if (admission.placement().hit_ceiling()) {
    return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
  }
  admission.placement().finish(plan);
  return {};
}

}  // namespace

std::span<const PlannerInfo> admit_planners() {
  static const PlannerInfo kPlanner = {
      .name = "admit",
      .summary = "whole applications, small ones first (large ones where nodes may be added), by cosine",
      .source = "own; P3, Eq. 20, for the size",
      .complexity = "O(L log L + R N d)",
      .honours = kHeadroomFeatures,
      .function =
          [](const PlannerInput& input, Plan& plan) {
            return input.instance.visit_unit([&](auto unit) { return admit<decltype(unit)>(input, plan); });
          },
      .pursues = {Objective::kAdmitted},
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
