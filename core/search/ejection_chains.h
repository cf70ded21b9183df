// A way in for replicas that find no node: others go out for them.
//
// Every app has a count of how often it was looked for a place in vain. A waiting replica is put on a node at the expense of
// what stands in its way there - tenants whose limits exclude it, and then whatever the capacity demands - if those together
// count less than it does. What goes out waits in its turn, or finds another node at once. So apps that are hard to place push
// out those that are not, and the counts rise until something gives (the ejection pool of Nagata and Braysy, 2009, who route
// vehicles with it).
//
// O(nodes looked at x tenants x log degree) per step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
class EjectionChains {
 public:
  /// @param nodes in play, and kept so by the caller: where it looks for room
  /// @param mine per node: whether it is one of them
  EjectionChains(SearchState<Unit>& state, const std::vector<NodeId>& nodes, const std::vector<std::uint8_t>& mine,
                 std::uint64_t seed)
      : state_(&state),
        nodes_(&nodes),
        mine_(&mine),
        random_(seed),
        vain_(state.instance().apps(), 1),
        candidate_(state.placement()) {}

  /// Tries to bring a waiting replica in. Nodes that changed are listed in changed() afterwards.
  void step() {
    changed_.clear();
    if (state_->pool().empty() || nodes_->empty()) return;
    const AppId app = state_->pool()[random_.below(static_cast<std::uint32_t>(state_->pool().size()))];
    NodeId best = kNone;
    std::uint64_t cheapest = vain_[app]++;
    for (std::uint32_t k = 0; k < kLooks; ++k) {
      const NodeId node = (*nodes_)[random_.below(static_cast<std::uint32_t>(nodes_->size()))];
      if (!make_way(app, node, cheapest) || !is_light_enough(app)) continue;
      best = node;
      cheapest = price_;
      best_out_ = out_;
    }
    if (best == kNone) return;
    for (const Tenant& tenant : best_out_) {
      for (std::uint32_t n = 0; n < tenant.replicas; ++n) state_->evict(tenant.app, best);
    }
    state_->admit(app, best);
    changed_.push_back(best);
    for (const Tenant& tenant : best_out_) settle(tenant);
  }

  [[nodiscard]] const std::vector<NodeId>& changed() const { return changed_; }

 private:
  static constexpr std::uint32_t kLooks = 64;
  static constexpr std::size_t kMostOut = 4;  // apps
  /// After so many tries in vain, an app may push out as much again as it needs.
  static constexpr std::uint32_t kVainPerTime = 32;

  // What has to leave the node for one replica of the app, into out_, and its price_; false where that is not possible below
  // `most`.
  bool make_way(AppId app, NodeId node, std::uint64_t most) {
    const Instance& instance = state_->instance();
    const LimitRows& rows = instance.limit_rows();
    const Placement<Unit>& placement = state_->placement();
    const auto tenants = placement.contents().at(node);
    if (tenants.empty() && !placement.may_use(node)) return false;
    // What leaves could only help: a node that rules close as it is, is left alone.
    if (placement.allowed_by_rules(app, node, 1) == 0) return false;
    out_.clear();
    price_ = 0;
    std::uint32_t own = 1;
    for (const Tenant& tenant : tenants) own += tenant.app == app ? tenant.replicas : 0;
    if (own > rows.self_limit(app)) return false;
    for (const Tenant& tenant : tenants) {
      if (tenant.app == app) continue;
      const Compatibility pair = state_->pairs().of(app, tenant.app);
      if (pair == Compatibility::kFree) continue;
      std::uint32_t leave = tenant.replicas;
      if (pair == Compatibility::kLimited) {
        const std::uint32_t codes = rows.find(app, tenant.app);
        if (codes == 0) continue;
        leave -= std::min(leave, most_beside(own, rows.imposes(codes), rows.obeys(codes)));
      }
      if (leave > 0 && !send_out(tenant.app, node, leave, most)) return false;
    }
    const Unit* need = instance.template scaled_demand<Unit>(app).data();
    while (true) {
      const std::uint32_t tight = first_short(app, need, node);
      if (tight == kNone) return true;
      // Of what holds the missing resource, one that is there and not yet out.
      if (tenants.empty()) return false;
      const Tenant& tenant = tenants[random_.below(static_cast<std::uint32_t>(tenants.size()))];
      if (tenant.app == app || gone(tenant.app) >= tenant.replicas) return false;
      if (instance.template scaled_demand<Unit>(tenant.app)[tight] == 0) return false;
      if (!send_out(tenant.app, node, 1, most)) return false;
    }
  }
  bool send_out(AppId app, NodeId node, std::uint32_t replicas, std::uint64_t most) {
    price_ += std::uint64_t{replicas} * vain_[app];
    if (price_ >= most || !state_->free_to_leave(app, node)) return false;
    for (Tenant& tenant : out_) {
      if (tenant.app != app) continue;
      tenant.replicas += replicas;
      return true;
    }
    if (out_.size() == kMostOut) return false;
    out_.push_back({app, replicas});
    return true;
  }
  // Whether what goes out needs no more than what comes in, of everything, so that what waits does not become more: but the
  // longer an app waits in vain, the more it may cost. One that is small, and that nearly all others exclude, has no other way.
  [[nodiscard]] bool is_light_enough(AppId app) const {
    const Instance& instance = state_->instance();
    const std::int64_t most_times = 1 + std::int64_t{vain_[app]} / kVainPerTime;
    const Unit* need = instance.template scaled_demand<Unit>(app).data();
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      std::int64_t out = 0;
      for (const Tenant& tenant : out_) {
        out += std::int64_t{instance.template scaled_demand<Unit>(tenant.app)[h]} * tenant.replicas;
      }
      if (out > need[h] * most_times) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint32_t gone(AppId app) const {
    for (const Tenant& tenant : out_) {
      if (tenant.app == app) return tenant.replicas;
    }
    return 0;
  }
  // The first dimension in which the node is short of the need once out_ has left; kNone where it fits.
  [[nodiscard]] std::uint32_t first_short(AppId app, const Unit* need, NodeId node) const {
    const Instance& instance = state_->instance();
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      if (need[h] == 0 && !instance.uncertain()) continue;
      const auto& residuals = state_->placement().residuals();
      // One replica in is one out that was not there: means and spreads are counted together.
      const std::int64_t left = residuals.residual_without(node, h, [&](auto&& visit) {
        for (const Tenant& tenant : out_) visit(tenant.app, tenant.replicas);
        if (instance.uncertain()) visit(app, -1);
      });
      if (left < (instance.uncertain() ? 0 : need[h])) return h;
    }
    return kNone;
  }

  // Looks for another node for what went out, from a random one on.
  void settle(const Tenant& tenant) {
    Placement<Unit>& placement = state_->placement();
    candidate_.start(placement, tenant.app);
    std::uint32_t left = tenant.replicas;
    const NodeId from = random_.below(placement.nodes());
    placement.residuals().for_each_fitting(candidate_.need(), from, [&](NodeId node) {
      if (node >= mine_->size() || (*mine_)[node] == 0 || placement.headroom(candidate_, node, 1) == 0) return true;
      state_->admit(tenant.app, node);
      changed_.push_back(node);
      return --left > 0;
    });
  }

  SearchState<Unit>* state_;
  const std::vector<NodeId>* nodes_;
  const std::vector<std::uint8_t>* mine_;
  Random random_;
  std::vector<std::uint32_t> vain_;  // per app
  typename Placement<Unit>::Candidate candidate_;
  std::vector<Tenant> out_;
  std::uint64_t price_ = 0;
  std::vector<Tenant> best_out_;
  std::vector<NodeId> changed_;
};

}  // namespace stowage
