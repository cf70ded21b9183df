// A start for improvement: replicas spread over the nodes in play, so that the resource that binds is left to be filled
// exactly.
//
// Spreading by the resources that do not bind leaves every node about the same of them, and none is closed to further replicas
// by what does not matter. Large items come first, the others by a mix of size and degree (P0, Eq. 3).
// O(R + visited nodes), where nodes that fit no more are visited again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/improve/pressure.h"
#include "core/improve/repack.h"
#include "core/measures/measure.h"
#include "core/measures/size.h"
#include "core/planners/order.h"
#include "core/run.h"

namespace stowage {

struct SpreadRule {
  double alpha = 1;          ///< share of demand in the order, the rest is degree
  bool by_scarcest = false;  ///< spread by all resources, not only by those that do not bind
};

/// Order in which a start takes the apps.
inline std::vector<AppId> start_order(const Instance& instance, double alpha) {
  std::vector<double> size = sizes(instance, Measure::kAverage, 0);
  if (alpha < 1) size = hybrid_sizes(instance, std::move(size), alpha);
  const double largest = size.empty() ? 0 : *std::max_element(size.begin(), size.end());
  const NormalizedDemand demand(instance);
  for (AppId app = 0; app < instance.apps(); ++app) {
    bool half = false;
    demand.for_each_share(app, [&](std::uint32_t, double share) { half = half || share > 0.5; });
    if (half) size[app] += largest;
  }
  return app_order(instance, size);
}

template <class Unit>
class SpreadStart {
 public:
  SpreadStart(Repack<Unit>& repack, const SpreadRule& rule) : repack_(&repack), candidate_(repack.placement()) {
    const std::vector<double> weight = weights(rule);
    weigh_apps(weight);
    const Instance& instance = repack.instance();
    // Levels of the measure, in steps fine enough to tell nodes apart and few enough to walk.
    level_.assign(repack.placement().nodes(), kNone);
    slot_.assign(repack.placement().nodes(), 0);
    room_.assign(repack.placement().nodes(), 0);
    at_level_.resize(kLevels);
    for (const NodeId node : repack.nodes()) {
      room_[node] = repack.placement().residuals().weighted_sum(node, weight.data());
      enter(node);
    }
    order_ = start_order(instance, rule.alpha);
  }

  /// Leaves out apps, where `out(app)` says so.
  template <class Out>
  void leave_out(Out&& out) {
    std::erase_if(order_, out);
  }
  /// Places what waits. Ends early when the run ends.
  void run(Run& run) {
    for (const AppId app : order_) {
      if (repack_->placement().unplaced(app) == 0) continue;
      if (run.step(place(app))) break;
    }
    repack_->collect_pool();
  }

 private:
  static constexpr std::uint32_t kLevels = 512;
  /// Below one in so many, the few nodes that fit are better sorted by themselves.
  static constexpr std::uint32_t kFewNodes = 16;

  [[nodiscard]] std::vector<double> weights(const SpreadRule& rule) const {
    const Instance& instance = repack_->instance();
    std::vector<double> weight = unit_shares(instance);
    const std::vector<double> pressure = resource_pressure(instance);
    const auto scarcest = static_cast<ResourceId>(std::max_element(pressure.begin(), pressure.end()) - pressure.begin());
    const bool alone = instance.resources() == 1;
    double resources = 0;
    for (ResourceId r = 0; r < instance.resources(); ++r) resources += alone || rule.by_scarcest || r != scarcest ? 1 : 0;
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      const ResourceId r = instance.resource_of(h);
      const bool counts = alone || rule.by_scarcest || r != scarcest;
      weight[h] = counts ? weight[h] / (resources * instance.periods()) : 0;
    }
    return weight;
  }
  void weigh_apps(const std::vector<double>& weight) {
    const Instance& instance = repack_->instance();
    weight_of_.resize(instance.apps());
    for (AppId app = 0; app < instance.apps(); ++app) {
      const auto demand = instance.scaled_demand<Unit>(app);
      double sum = 0;
      for (std::uint32_t h = 0; h < instance.dims(); ++h) sum += weight[h] * demand[h];
      weight_of_[app] = sum;
    }
  }

  [[nodiscard]] std::uint32_t level_for(double room) const {
    return static_cast<std::uint32_t>(std::clamp(room, 0.0, 1.0) * (kLevels - 1));
  }
  void enter(NodeId node) {
    const std::uint32_t level = level_for(room_[node]);
    level_[node] = level;
    slot_[node] = static_cast<std::uint32_t>(at_level_[level].size());
    at_level_[level].push_back(node);
  }
  void leave(NodeId node) {
    std::vector<NodeId>& list = at_level_[level_[node]];
    list[slot_[node]] = list.back();
    slot_[list.back()] = slot_[node];
    list.pop_back();
  }

  bool try_place(AppId app, NodeId node) {
    if (repack_->placement().headroom(candidate_, node, 1) == 0) return false;
    repack_->placement().place(app, node, 1);
    room_[node] -= weight_of_[app];
    if (level_for(room_[node]) == level_[node]) return true;
    leave(node);
    enter(node);
    return true;
  }

  // Work done.
  std::uint64_t place(AppId app) {
    candidate_.start(repack_->placement(), app);
    const std::uint32_t fitting = repack_->placement().residuals().filter(candidate_.need(), fits_);
    return fitting > repack_->nodes().size() / kFewNodes ? place_by_levels(app) : place_sorted(app);
  }
  std::uint64_t place_by_levels(AppId app) {
    std::uint64_t visited = 1;
    // A level is walked from the back: a node that leaves it is replaced by one that was seen already.
    for (std::uint32_t level = kLevels; level-- > 0 && repack_->placement().unplaced(app) > 0;) {
      std::vector<NodeId>& list = at_level_[level];
      // Once more while a replica takes so little that its node stays at this level.
      for (bool stays = true; stays && repack_->placement().unplaced(app) > 0;) {
        stays = false;
        for (std::size_t k = list.size(); k-- > 0 && repack_->placement().unplaced(app) > 0;) {
          const NodeId node = list[k];
          ++visited;
          if ((fits_[node / kBlock] >> (node % kBlock) & 1) == 0) continue;
          stays = (try_place(app, node) && level_[node] == level) || stays;
        }
      }
    }
    return visited;
  }
  std::uint64_t place_sorted(AppId app) {
    few_.clear();
    for (std::uint32_t block = 0; block < fits_.size(); ++block) {
      for (std::uint64_t mask = fits_[block]; mask != 0; mask &= mask - 1) {
        const NodeId node = block * kBlock + static_cast<NodeId>(std::countr_zero(mask));
        if (level_[node] != kNone) few_.push_back(node);
      }
    }
    std::sort(few_.begin(), few_.end(), [&](NodeId a, NodeId b) { return room_[a] != room_[b] ? room_[a] > room_[b] : a < b; });
    std::uint64_t visited = 1 + few_.size();
    for (bool any = true; any && repack_->placement().unplaced(app) > 0;) {
      any = false;
      for (const NodeId node : few_) {
        ++visited;
        if (repack_->placement().unplaced(app) == 0) break;
        any = try_place(app, node) || any;
      }
    }
    return visited;
  }

  Repack<Unit>* repack_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<AppId> order_;
  std::vector<double> weight_of_;  // what a replica of the app takes from a node's room
  std::vector<double> room_;       // per node
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> slot_;  // where in its level's list
  std::vector<std::vector<NodeId>> at_level_;
  std::vector<std::uint64_t> fits_;
  std::vector<NodeId> few_;
};

}  // namespace stowage
