// A placement that grows replica by replica under soft rules: which node costs least?
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/constraints/tag_costs.h"
#include "core/measures/size.h"
#include "core/model/placement.h"
#include "core/planners/order.h"
#include "core/planners/planner.h"

namespace stowage {

/// Whom of several nodes with the same cost to take.
enum class TagTies : std::uint8_t {
  kFirst,     ///< the one with the lowest index
  kRoomiest,  ///< the one with most left
  kGathering  ///< that in whose set most nodes have room, if the app's replicas are to share a set; then the one with most left
};

/// Keeps a placement, the costs of its soft rules for the app in hand, and the sum of what was added. All nodes of finite
/// classes are open from the start, as far as replicas can use them; of open-ended classes one is opened where nothing else
/// takes a replica, or where it costs less.
template <class Unit>
class TagBuilder {
 public:
  TagBuilder(const PlannerInput& input, TagCosts::Parts parts)
      : instance_(&input.instance),
        placement_(input.instance, input.request),
        candidate_(placement_),
        costs_(input.instance, placement_.tags(), parts),
        classes_(class_order(input.instance)),
        share_(unit_shares(input.instance)) {
    std::uint64_t waiting = 0;
    for (AppId app = 0; app < instance_->apps(); ++app) waiting += placement_.unplaced(app);
    for (const ClassId c : classes_) {
      if (instance_->data().classes[c].count == 0) continue;
      for (std::uint64_t opened = 0; opened < waiting && placement_.open(c) != kNone; ++opened) {
      }
    }
  }

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  [[nodiscard]] const Placement<Unit>& placement() const { return placement_; }
  [[nodiscard]] TagCosts& costs() { return costs_; }
  [[nodiscard]] typename Placement<Unit>::Candidate& candidate() { return candidate_; }
  [[nodiscard]] AppId app() const { return candidate_.app(); }
  /// What the replicas placed and removed through this cost, less what they saved.
  [[nodiscard]] double cost() const { return cost_; }
  void set_cost(double cost) { cost_ = cost; }
  /// Nodes looked at since the last call.
  std::uint64_t take_work() { return std::exchange(work_, 0); }

  void start(AppId app) {
    candidate_.start(placement_, app);
    costs_.start(app);
  }
  void place(NodeId node, double cost) {
    placement_.place(candidate_.app(), node, 1);
    costs_.refresh(placement_.tag_view(), node);
    cost_ += cost;
  }
  /// Takes one replica of an app away; the app in hand is another one afterwards.
  void remove(AppId app, NodeId node) {
    placement_.remove(app, node, 1);
    costs_.start(app);
    cost_ -= costs_(placement_.tag_view(), placement_.tag_view().site(node));
  }
  [[nodiscard]] double room(NodeId node) const { return placement_.residuals().weighted_sum(node, share_.data()); }

  /// Places one replica of the app in hand where it costs least; false where no node takes it.
  /// @param from where ties by kFirst begin
  bool place_cheapest(TagTies ties, NodeId from = 0) {
    const TagView view = placement_.tag_view();
    const std::uint32_t group = ties == TagTies::kGathering ? costs_.gathering_group() : kNone;
    if (group != kNone) count_rooms(group);
    NodeId best = kNone;
    double least = 0;
    double most_room = 0;
    std::uint32_t most_mates = 0;
    const auto look = [&](NodeId node) {
      ++work_;
      const double cost = costs_(view, view.site(node));
      if (best != kNone && cost > least) return true;
      const bool tie = best != kNone && cost == least;
      if (tie && ties == TagTies::kFirst) return true;
      std::uint32_t mates = 0;
      if (group != kNone) {
        for (const std::uint32_t set : instance_->tag_model().sets_of(group, view.site(node).listed, placement_.class_of(node)))
          mates = std::max(mates, rooms_[set]);
      }
      const double left = ties == TagTies::kFirst ? 0 : room(node);
      if (tie && (mates < most_mates || (mates == most_mates && left <= most_room))) return true;
      if (placement_.headroom(candidate_, node, 1) == 0) return true;
      best = node;
      least = cost;
      most_room = left;
      most_mates = mates;
      return true;
    };
    placement_.residuals().for_each_fitting(candidate_.need(), from, look);
    if (from > 0) {
      placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) { return node < from && look(node); });
    }
    if (best == kNone || least > 0) open_cheaper(best, least);
    if (best == kNone) return false;
    place(best, least);
    return true;
  }

 private:
  // How many nodes of each set have room for the app.
  void count_rooms(std::uint32_t group) {
    const TagModel& model = instance_->tag_model();
    rooms_.assign(model.sets(group), 0);
    const TagView view = placement_.tag_view();
    placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
      ++work_;
      for (const std::uint32_t set : model.sets_of(group, view.site(node).listed, placement_.class_of(node))) ++rooms_[set];
      return true;
    });
  }
  void open_cheaper(NodeId& best, double& least) {
    for (const ClassId c : classes_) {
      if (instance_->data().classes[c].count != 0) continue;
      if (placement_.headroom_on_empty(candidate_, c, 1) == 0) continue;
      const double cost = costs_(placement_.tag_view(), {kNone, kNone, c});
      if (best != kNone && cost >= least) continue;
      const NodeId node = placement_.open(c);
      if (node == kNone) continue;
      best = node;
      least = cost;
      return;
    }
  }

  const Instance* instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  TagCosts costs_;
  std::vector<ClassId> classes_;
  std::vector<double> share_;
  std::vector<std::uint32_t> rooms_;
  double cost_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace stowage
