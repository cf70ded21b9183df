// P3's two-phase heuristic (section 3.3.2, algorithm 3), and the baseline that it is compared with.
//
// Phase 1: applications by falling size (Eq. 20); each replica goes to the node that exists with the highest fitness (Eq. 21),
// or the application is not placed at all. Phase 2, where there are classes of nodes without a count: such a node is added and
// takes the waiting replica of highest fitness as long as one fits; then the next one. Eq. 16 and 17 forbid nothing (an
// indicator of 0 always satisfies them), so they have no part in either phase. The baseline takes the first node instead of the
// fittest, and at most one replica of an app on each node (section 4.1).
//
// O(L log L + R N d) in phase 1, O(L d) per replica in phase 2.

#include <vector>

#include "core/planners/admit/admission.h"
#include "core/planners/families.h"

namespace stowage {
namespace {

template <class Unit>
class TwoPhases {
 public:
  TwoPhases(const PlannerInput& input, Fitness fitness)
      : input_(input),
        fitness_(fitness),
        admission_(input.instance, input.request),
        applications_(whole_applications(input.instance)) {
    if (fitness == Fitness::kFirst) admission_.keep_apart();
  }

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, applications_.size());
    for (std::size_t k = 0; k < applications_.size() && !over(); ++k) {
      const WholeApplication& application = applications_[k];
      if (!admission_.admit(application, fitness_, Opening::kCounted, input_.run.clock)) {
        waiting_.insert(waiting_.end(), application.apps.begin(), application.apps.end());
      }
      input_.run.progress.done(k + 1);
    }
    fitness_ == Fitness::kFirst ? add_nodes_by_order() : add_nodes();
    if (admission_.placement().hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    admission_.placement().finish(plan);
    return {};
  }

 private:
  [[nodiscard]] bool over() const { return input_.run.clock.stop() != Stop::kNo || admission_.placement().hit_ceiling(); }

  // Phase 2: fills one added node after another.
  void add_nodes() {
    std::vector<AppId> fitting;
    while (!waiting_.empty() && !over()) {
      const NodeId node = admission_.add_node_for(waiting_.front());
      if (node == kNone) {
        // No node that may be added takes a replica of this app.
        waiting_.erase(waiting_.begin());
        continue;
      }
      fitting = waiting_;
      while (!over()) {
        const AppId app = fittest(node, fitting);
        if (app == kNone) break;
        admission_.place(app, node);
      }
      std::erase_if(waiting_, [&](AppId app) { return admission_.placement().unplaced(app) == 0; });
      // A new node may differ from what its class promises, by placement rules.
      if (admission_.placement().contents().at(node).empty() && !waiting_.empty()) waiting_.erase(waiting_.begin());
    }
  }

  // The app with the highest fitness of those that the node still takes; the others are taken out of `fitting`.
  AppId fittest(NodeId node, std::vector<AppId>& fitting) {
    std::erase_if(fitting, [&](AppId app) {
      return admission_.placement().unplaced(app) == 0 || admission_.headroom(app, node, 1) == 0;
    });
    input_.run.clock.step(1 + fitting.size());
    AppId best = kNone;
    double most = -1;
    for (const AppId app : fitting) {
      const double own = admission_.dot(app, node);
      if (own <= most) continue;
      most = own;
      best = app;
    }
    return best;
  }

  // Phase 2 of the baseline: first fit on the added nodes.
  void add_nodes_by_order() {
    std::vector<NodeId> added;
    for (const AppId app : waiting_) {
      std::size_t from = 0;
      while (admission_.placement().unplaced(app) > 0 && !over()) {
        while (from < added.size() && admission_.headroom(app, added[from], 1) == 0) ++from;
        input_.run.clock.step(1 + from / 8);
        if (from == added.size()) {
          const NodeId node = admission_.add_node_for(app);
          if (node == kNone || admission_.headroom(app, node, 1) == 0) break;
          added.push_back(node);
        }
        admission_.place(app, added[from]);
      }
    }
  }

  const PlannerInput& input_;
  Fitness fitness_;
  Admission<Unit> admission_;
  std::vector<WholeApplication> applications_;
  std::vector<AppId> waiting_;
};

PlannerInfo two_phases(std::string name, std::string summary, std::string source, Fitness fitness) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .source = std::move(source),
      .complexity = "O(L log L + R N d + R L d)",
      .honours = kHeadroomFeatures,
      .function =
          [fitness](const PlannerInput& input, Plan& plan) {
            return input.instance.visit_unit([&](auto unit) { return TwoPhases<decltype(unit)>(input, fitness).run(plan); });
          },
      .pursues = {Objective::kAdmitted}};
}

}  // namespace

std::span<const PlannerInfo> lrasched_planners() {
  static const std::vector<PlannerInfo> kPlanners = {
      two_phases("lrasched",
                 "whole applications, large ones first, by the dot product of demand and what is free; then adds nodes",
                 "P3, section 3.3.2, algorithm 3, Eq. 20 and 21", Fitness::kDot),
      two_phases("lrasched-ffd", "first fit of whole applications, large ones first, replicas of an app on different nodes",
                 "P3, section 4.1", Fitness::kFirst),
  };
  return kPlanners;
}

}  // namespace stowage
