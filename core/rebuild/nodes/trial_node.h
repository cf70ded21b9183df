// A node that is filled for a try, without touching the plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/affinity_probe.h"
#include "core/placement/placement.h"
#include "core/rebuild/nodes/spare_nodes.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Replicas that a trial node holds.
struct FilledApp {
  std::uint32_t index;  ///< in the caller's list
  std::uint32_t replicas;
};

template <class Unit>
class TrialNode {
 public:
  explicit TrialNode(const Placement<Unit>& placement);

  /// Empties it, as a node of the kind.
  void clear(const SpareNodes::Kind& kind);
  /// Makes it equal to a node of the plan.
  void copy(NodeId node);
  /// Before apps are tried: forgets which ones.
  void expect_none();
  /// The app is among those that will be tried.
  void expect(AppId app);
  /// Whether capacity has room for the means of one replica: a quick no for most apps that fill() would refuse. What needs
  /// nothing of a resource may join a node that is beyond its capacity at the start.
  [[nodiscard]] bool covers(const Unit* demand) const {
    const std::size_t dims = nothing_.size();
    if (dims >= kVector && !is_exceeded_) return kernels_->covers(left_.data(), demand, dims);
    for (std::size_t h = 0; h < dims; ++h) {
      if (left_[h] < demand[h] && demand[h] > 0) return false;
    }
    return true;
  }
  /// Whether no app that is expected has room. May be false although none has.
  [[nodiscard]] bool is_full() const;
  /// Puts as many replicas of the app on it as fit, at most `wanted`; returns their number. Rules count as before the first
  /// call, so that they may refuse some of these replicas later.
  /// @param asked the rules that are asked, if the app has any
  std::uint32_t fill(AppId app, std::uint32_t wanted, bool has_rules, TagState::Asked asked);
  /// How many replicas the part would have to count more, for one of its subjects to come here.
  [[nodiscard]] std::uint32_t lacking(std::uint32_t part) const;

 private:
  /// So many entries are worth a call of a kernel.
  static constexpr std::size_t kVector = 9;

  [[nodiscard]] bool needs_nothing(const Unit* demand, ResourceId r) const;
  /// Room for `count` replicas of this demand and, where demand is uncertain, risk.
  [[nodiscard]] bool has_room(const Unit* demand, const std::int64_t* risk, std::uint32_t count) const;
  /// The least that is left of a resource over periods after `count` replicas.
  [[nodiscard]] std::int64_t least_left(const Unit* demand, ResourceId r, std::uint32_t count) const;

  const Placement<Unit>* placement_;
  const Instance* instance_;
  const Kernels<Unit>* kernels_;
  TagSite site_{};
  std::vector<Unit> left_;                // per dimension
  bool is_exceeded_ = false;              // whether it has less than nothing of some dimension
  std::vector<std::int64_t> risk_;        // per resource, where demand is uncertain
  std::vector<Unit> nothing_;             // zeros, per dimension
  std::vector<Tenant> tenants_;           // apps with limits, rules or devices; all where costs are limited
  std::vector<Unit> least_;               // per dimension: least demand of expected apps
  std::vector<std::int64_t> least_risk_;  // per resource, where demand is uncertain: their least risk
};

extern template class TrialNode<std::int16_t>;
extern template class TrialNode<std::int32_t>;

}  // namespace stowage
