// The node-centric family (P0, section 4.3, algorithm 2): fill one node after the other; in each step, place as many replicas
// as possible of the feasible app with the highest score (LraSched, P3 algorithm 3, phase 2: one replica).
//
// O(R L d) in the worst case. Apps of equal demand share their score, so a step finds the best group that still fits (see
// group_scores.h), and in it the first app that the node's tenants admit. An app that failed once on a node fails until the
// next node: headroom only falls.

#include "core/planners/families.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/measures/order.h"
#include "core/measures/score.h"
#include "core/placement/placement.h"
#include "core/planners/lists/app_groups.h"
#include "core/planners/lists/group_scores.h"

namespace stowage {
namespace {

template <class Unit>
class NodeCentricRun {
 public:
  NodeCentricRun(const PlannerInput& input, Score score, bool one_by_one)
      : input_(input),
        instance_(input.instance),
        one_by_one_(one_by_one),
        placement_(input.instance, input.request, &input.run.clock),
        groups_(input.instance),
        scores_(input.instance, placement_.residuals(), groups_, score),
        classes_(class_order(input.instance)),
        next_group_(input.instance.classes(), 0),
        barren_(input.instance.classes(), 0),
        before_(input.instance.apps() + groups_.size()),
        after_(before_.size()),
        cursor_(groups_.size(), kNone) {
    if (scores_.needs_totals()) placement_.residuals().track_totals();
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      std::uint32_t last = start_of(g);
      for (const AppId app : groups_.members(g)) {
        if (placement_.unplaced(app) == 0) continue;
        after_[last] = app;
        before_[app] = last;
        last = app;
      }
      after_[last] = start_of(g);
      before_[start_of(g)] = last;
      if (is_finished(g)) scores_.drop(g);
    }
  }

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    std::uint64_t left = 0;
    for (AppId i = 0; i < instance_.apps(); ++i) left += placement_.unplaced(i);
    bool stopped = false;
    for (NodeId node = 0; node < instance_.listed_nodes() && left > 0 && !stopped; ++node) stopped = fill(node, left);
    while (left > 0 && !stopped) {
      const NodeId node = open();
      if (node == kNone) break;
      const std::uint64_t before = left;
      stopped = fill(node, left);
      // Where rules exclude all apps from a new node, they also do from the next one of the class, until a replica is placed.
      if (left < before) {
        std::fill(barren_.begin(), barren_.end(), 0);
      } else {
        barren_[placement_.class_of(node)] = 1;
      }
      input_.run.progress.done(instance_.total_replicas() - left);
    }
    if (placement_.hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    placement_.finish(plan);
    return {};
  }

 private:
  // Opens a node of the cheapest class in which some unplaced app fits.
  NodeId open() {
    for (const ClassId c : classes_) {
      if (barren_[c] != 0) continue;
      std::uint32_t& g = next_group_[c];
      while (g < groups_.size() && (is_finished(g) || placement_.residuals().copies_on_empty(scores_.need(g), c, 1) == 0)) {
        ++g;
      }
      if (g == groups_.size()) continue;
      const NodeId node = placement_.open(c);
      if (node != kNone) return node;
    }
    return kNone;
  }

  // The apps of a group with unplaced replicas form a ring, which begins and ends at an entry of the group. An app that has
  // left the ring still points to a later one.
  [[nodiscard]] std::uint32_t start_of(std::uint32_t group) const { return instance_.apps() + group; }
  [[nodiscard]] bool is_finished(std::uint32_t group) const { return after_[start_of(group)] == start_of(group); }
  void take_out(AppId app) {
    after_[before_[app]] = after_[app];
    before_[after_[app]] = before_[app];
    finished_.push_back(groups_.group_of(app));
  }

  bool fill(NodeId node, std::uint64_t& left) {
    bool stopped = false;
    scores_.look_at(placement_.residuals(), node);
    while (left > 0 && !stopped) {
      const std::uint32_t group = scores_.best().group;
      stopped = input_.run.clock.step(1 + scores_.take_work());
      if (group == kNone) break;
      const AppId app = first_allowed(group, node);
      if (app == kNone) {
        scores_.exclude(group);
        continue;
      }
      const std::uint32_t wanted = one_by_one_ ? 1 : placement_.unplaced(app);
      const std::uint32_t replicas =
          placement_.residuals().copies(scores_.need(group), node, placement_.allowed(app, node, wanted));
      placement_.place(app, node, replicas);
      left -= replicas;
      if (placement_.unplaced(app) == 0) take_out(app);
      scores_.look_at(placement_.residuals(), node);
    }
    scores_.include_all();
    for (const std::uint32_t group : moved_) cursor_[group] = kNone;
    moved_.clear();
    for (const std::uint32_t group : finished_) {
      if (is_finished(group)) scores_.drop(group);
    }
    finished_.clear();
    return stopped;
  }

  // The group's first app with unplaced replicas that the node admits. Apps before it cannot join this node any more.
  AppId first_allowed(std::uint32_t group, NodeId node) {
    AppId& app = cursor_[group];
    if (app == kNone) {
      app = after_[start_of(group)];
      moved_.push_back(group);
    }
    for (; app != start_of(group); app = after_[app]) {
      if (placement_.unplaced(app) > 0 && placement_.allowed(app, node, 1) > 0) return app;
    }
    return kNone;
  }

  const PlannerInput& input_;
  const Instance& instance_;
  bool one_by_one_;
  Placement<Unit> placement_;
  AppGroups<Unit> groups_;
  GroupScores<Unit> scores_;
  std::vector<ClassId> classes_;
  std::vector<std::uint32_t> next_group_;  // per class: the first group with apps left that fits
  std::vector<std::uint8_t> barren_;       // per class: 1 if no app could join the node opened last
  std::vector<std::uint32_t> before_;      // by app, then group: the rings of apps with unplaced replicas
  std::vector<std::uint32_t> after_;
  std::vector<AppId> cursor_;            // per group: the first app that may join the current node; kNone: any
  std::vector<std::uint32_t> moved_;     // groups whose cursor is set
  std::vector<std::uint32_t> finished_;  // groups that lost an app on the current node
};

PlannerFunction node_centric(Score score, bool one_by_one) {
  return [score, one_by_one](const PlannerInput& input, Plan& plan) {
    return input.instance.visit_unit(
        [&](auto unit) { return NodeCentricRun<decltype(unit)>(input, score, one_by_one).run(plan); });
  };
}

std::vector<PlannerInfo> make_node_centric_planners() {
  std::vector<PlannerInfo> all;
  for (const Score score : kScores) {
    const std::string name(score_name(score));
    all.push_back({.name = "ncd-" + name,
                   .summary = "node after node, app with the highest " + name + " score first",
                   .source = "P0, section 4.3, table 3",
                   .complexity = "O(R L d)",
                   .honours = kHeadroomFeatures,
                   .function = node_centric(score, false)});
  }
  all.push_back({.name = "lrasched-fitness",
                 .summary = "node after node, replica with the highest fitness first",
                 .source = "P3, algorithm 3, phase 2; P0, section 5.1",
                 .complexity = "O(R L d)",
                 .honours = kHeadroomFeatures,
                 .function = node_centric(Score::kFitness, true)});
  return all;
}

}  // namespace

std::span<const PlannerInfo> node_centric_planners() {
  static const std::vector<PlannerInfo> kPlanners = make_node_centric_planners();
  return kPlanners;
}

}  // namespace stowage
