// Builds a placement replica by replica under soft rules: finds the node where a replica costs least.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/measures/order.h"
#include "core/measures/size.h"
#include "core/placement/placement.h"
#include "core/placement/tag_costs.h"
#include "core/planners/planner.h"
#include "core/run/asked_nodes.h"

namespace stowage {

/// Which of several nodes with the same cost to take. Remaining ties go to the first node in the order of the scan.
enum class TagTies : std::uint8_t {
  kFirst,      ///< the one with the lowest index
  kRoomiest,   ///< the one with the most room
  kGathering,  ///< the one whose set has the most nodes with room, if a rule wants the app's replicas in one set; then
               ///< kRoomiest
  kTightest    ///< likewise, but the one whose set keeps the least room once it holds all waiting replicas of the app; then
               ///< kRoomiest
};

/// Which nodes are candidates from the beginning. Others are opened when no candidate takes a replica, or when they cost less.
enum class TagNodes : std::uint8_t {
  kListed,
  kFinite  ///< also the nodes of classes with a count, per class at most as many as replicas wait
};

/// Keeps a placement, the costs of soft rules for the current app (the one of the last start()), and the total cost added.
///
/// Each node that has room for the current app is a spot. A placed replica changes only its own spot and the costs of that
/// node's sets, so the next replica is placed by one scan over the spots' costs.
template <class Unit>
class TagBuilder {
 public:
  /// The room of a node as a number: the larger, the better. Without a function: the sum of the residuals' shares of all
  /// resources.
  struct RoomMeasure {
    double (*of)(const void* context, const Placement<Unit>& placement, AppId app, NodeId node) = nullptr;
    const void* context = nullptr;
  };
  struct Spot {
    double on_node;  ///< cost by the node alone, without its sets
    double room;
    NodeId node;
    std::uint32_t place;  ///< see TagCosts
  };

  TagBuilder(const PlannerInput& input, TagCosts::Parts parts, RoomMeasure measure = {}, TagNodes nodes = TagNodes::kFinite)
      : instance_(&input.instance),
        placement_(input.instance, input.request, &input.run.clock),
        candidate_(placement_),
        costs_(input.instance, placement_.tags(), parts),
        measure_(measure),
        nodes_(nodes),
        classes_(class_order(input.instance)),
        share_(unit_shares(input.instance)),
        clock_(input.run.clock) {
    if (nodes == TagNodes::kListed) return;
    std::uint64_t waiting = 0;
    for (AppId app = 0; app < instance_->apps(); ++app) waiting += placement_.unplaced(app);
    stowage::Watch watch = clock_.watch();
    for (const ClassId c : classes_) {
      if (instance_->data().classes[c].count == 0) continue;
      for (std::uint64_t opened = 0; opened < waiting && !watch.step(kStepsToOpen) && placement_.open(c) != kNone; ++opened) {
        // Time for the end of the run is left as well.
        if (opened % kOpenedAtOnce == kOpenedAtOnce - 1 && clock_.seconds_left() == 0.0) return;
      }
    }
  }

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  [[nodiscard]] const Placement<Unit>& placement() const { return placement_; }
  [[nodiscard]] TagCosts& costs() { return costs_; }
  [[nodiscard]] typename Placement<Unit>::Candidate& candidate() { return candidate_; }
  [[nodiscard]] AppId app() const { return candidate_.app(); }
  /// Total cost of the replicas placed through this, minus the cost of those removed.
  [[nodiscard]] double cost() const { return cost_; }
  void set_cost(double cost) { cost_ = cost; }
  /// Nodes, node sets and entries of nodes (app and count) visited since the last call.
  std::uint64_t take_work() { return std::exchange(work_, 0) + costs_.take_work(); }

  void start(AppId app) {
    candidate_.start(placement_, app);
    costs_.start(app);
    simple_ = costs_.is_simple();
    spotted_ = false;
    counted_replicas_ = false;
  }
  void place(NodeId node, double cost) {
    placement_.place(candidate_.app(), node, 1);
    costs_.refresh(placement_.tag_view(), node);
    cost_ += cost;
    last_node_ = node;
    if (spotted_) look_again(node);
    if (counted_replicas_) take_room(node);
  }
  /// Removes one replica of the current app.
  void remove(NodeId node) {
    placement_.remove(candidate_.app(), node, 1);
    costs_.refresh(placement_.tag_view(), node);
    cost_ -= cost_there(node) - worth_of_home(candidate_.app(), node);
    spotted_ = false;
    counted_replicas_ = false;
  }
  /// Cost of one more replica of the current app on a node, whether or not the node has room for it.
  [[nodiscard]] double cost_there(NodeId node) const { return costs_(placement_.tag_view(), placement_.tag_view().site(node)); }
  /// From now on, a replica placed on a node where the app has more replicas in `homes` costs `worth` less.
  /// @param homes must outlive this
  void set_homes(const NodeContents& homes, double worth) {
    homes_ = &homes;
    home_worth_ = worth;
  }

  /// Nodes that have room for one more replica of the current app, by index.
  [[nodiscard]] const std::vector<Spot>& spots() {
    find_spots();
    return spots_;
  }
  [[nodiscard]] double cost(const Spot& spot) const {
    if (simple_) return spot.on_node + costs_.of_places()[spot.place];
    const TagView view = placement_.tag_view();
    return costs_.elsewhere(view, view.site(spot.node), spot.on_node);
  }
  [[nodiscard]] bool allows_one(const Spot& spot) { return placement_.allows_one(candidate_, spot.node); }

  /// Places one replica of the current app where it costs least; false where no node takes it, or the run has ended.
  /// @param from the first node in the order by which ties are broken; after the last node the order continues at node 0
  bool place_cheapest(TagTies ties, NodeId from = 0) {
    if (!find_spots()) return false;
    work_ += spots_.size();
    const bool gathers = ties == TagTies::kGathering || ties == TagTies::kTightest;
    const std::uint32_t group = gathers ? costs_.gathering_group() : kNone;
    const std::uint32_t wanted = ties == TagTies::kTightest ? placement_.unplaced(candidate_.app()) : 0;
    if (group != kNone && (wanted == 0 || !counted_replicas_)) count_rooms(group, wanted);
    const Spot* best = nullptr;
    double least = 0;
    double most_room = 0;
    std::uint32_t most_mates = 0;
    const double* const places = simple_ ? costs_.of_places() : nullptr;
    const bool by_room = ties != TagTies::kFirst;
    // Visits every spot once, from the first one at or after `from`, and wraps around.
    const Spot* const begin = spots_.data();
    const Spot* const end = begin + spots_.size();
    const Spot* next = begin + (spot_at(from) - spots_.begin());
    LooksBetween looks(clock_);
    const std::uint64_t steps = simple_ ? 0 : placement_.steps_to_ask(candidate_.app());
    for (std::size_t left = spots_.size(); left > 0; --left, ++next) {
      if (looks.count(steps) && clock_.step(1)) return false;
      if (next == end) next = begin;
      const Spot& spot = *next;
      const double cost = places != nullptr ? spot.on_node + places[spot.place] : this->cost(spot);
      if (best != nullptr && cost > least) continue;
      const bool tie = best != nullptr && cost == least;
      if (tie && (!by_room || (group == kNone && spot.room <= most_room))) continue;
      std::uint32_t mates = group == kNone ? 0 : mates_of(spot, group);
      if (wanted > 0 && mates >= wanted) mates = kNone - mates;
      if (tie && (mates < most_mates || (mates == most_mates && spot.room <= most_room))) continue;
      if (!allows_one(spot)) continue;
      best = &spot;
      least = cost;
      most_room = spot.room;
      most_mates = mates;
    }
    NodeId node = best == nullptr ? kNone : best->node;
    if (node == kNone || least > 0) open_cheaper(node, least);
    if (node == kNone) return false;
    place(node, least);
    return true;
  }
  /// The node of the last placed replica.
  [[nodiscard]] NodeId last_node() const { return last_node_; }

 private:
  static constexpr std::uint64_t kOpenedAtOnce = 4'096;

  // What looking at a node takes, in steps of questions.
  static constexpr std::uint64_t kStepsToSpot = 8;

  // False where the run has ended before all spots were found.
  bool find_spots() {
    if (spotted_) return true;
    spots_.clear();
    LooksBetween looks(clock_);
    bool stopped = false;
    placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
      spots_.push_back(spot(node));
      stopped = looks.count(kStepsToSpot) && clock_.step(1);
      return !stopped;
    });
    spotted_ = !stopped;
    return spotted_;
  }
  [[nodiscard]] Spot spot(NodeId node) const {
    const TagView view = placement_.tag_view();
    const TagSite site = view.site(node);
    const double room = measure_.of != nullptr ? measure_.of(measure_.context, placement_, candidate_.app(), node)
                                               : placement_.residuals().weighted_sum(node, share_.data());
    return {costs_.on_node(view, site) - worth_of_home(candidate_.app(), node), room, node, simple_ ? costs_.place(site) : 0};
  }
  [[nodiscard]] double worth_of_home(AppId app, NodeId node) const {
    if (homes_ == nullptr || node >= homes_->nodes()) return 0;
    return homes_->count(app, node) > placement_.contents().count(app, node) ? home_worth_ : 0;
  }
  [[nodiscard]] typename std::vector<Spot>::iterator spot_at(NodeId node) {
    return std::lower_bound(spots_.begin(), spots_.end(), node, [](const Spot& s, NodeId n) { return s.node < n; });
  }
  // Updates the spot of a node that a replica was placed on; the node may have been opened for it.
  void look_again(NodeId node) {
    const bool fits = placement_.residuals().fits(candidate_.need(), node);
    const auto at = spot_at(node);
    const bool known = at != spots_.end() && at->node == node;
    if (fits && known) *at = spot(node);
    if (fits && !known) spots_.insert(at, spot(node));
    if (!fits && known) spots_.erase(at);
  }

  // Counts, per set, the nodes with room for the app (`wanted` is 0), or the replicas with room, up to `wanted` per node.
  void count_rooms(std::uint32_t group, std::uint32_t wanted) {
    const TagModel& model = instance_->tag_model();
    rooms_.assign(std::size_t{model.sets(group)} + 1, 0);
    work_ += spots_.size();
    for (const Spot& spot : spots_) {
      const std::uint32_t room = wanted == 0 ? 1 : placement_.residuals().copies(candidate_.need(), spot.node, wanted);
      if (simple_) {
        rooms_[spot.place] += room;
      } else {
        for_each_set(spot, group, [&](std::uint32_t set) { rooms_[set] += room; });
      }
    }
    rooms_.back() = 0;  // nodes outside every set share none
    counted_replicas_ = wanted > 0;
  }
  // Takes the room of one replica from the sets of its node.
  void take_room(NodeId node) {
    const TagSite site = placement_.tag_view().site(node);
    const auto take = [&](std::uint32_t place) { rooms_[place] -= rooms_[place] > 0 ? 1 : 0; };
    if (simple_) {
      take(costs_.place(site));
    } else {
      for (const std::uint32_t set : instance_->tag_model().sets_of(costs_.gathering_group(), site.listed, site.node_class))
        take(set);
    }
  }
  [[nodiscard]] std::uint32_t mates_of(const Spot& spot, std::uint32_t group) const {
    if (simple_) return rooms_[spot.place];
    std::uint32_t mates = 0;
    for_each_set(spot, group, [&](std::uint32_t set) { mates = std::max(mates, rooms_[set]); });
    return mates;
  }
  template <class Visit>
  void for_each_set(const Spot& spot, std::uint32_t group, Visit&& visit) const {
    const TagSite site = placement_.tag_view().site(spot.node);
    for (const std::uint32_t set : instance_->tag_model().sets_of(group, site.listed, site.node_class)) visit(set);
  }
  void open_cheaper(NodeId& best, double& least) {
    for (const ClassId c : classes_) {
      if (nodes_ == TagNodes::kFinite && instance_->data().classes[c].count != 0) continue;
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
  RoomMeasure measure_;
  TagNodes nodes_;
  std::vector<ClassId> classes_;
  std::vector<double> share_;
  WorkClock& clock_;
  const NodeContents* homes_ = nullptr;
  double home_worth_ = 0;
  bool simple_ = false;
  bool spotted_ = false;
  bool counted_replicas_ = false;  // rooms_ counts replicas and is up to date
  std::vector<Spot> spots_;
  std::vector<std::uint32_t> rooms_;
  double cost_ = 0;
  NodeId last_node_ = kNone;
  std::uint64_t work_ = 0;
};

}  // namespace stowage
