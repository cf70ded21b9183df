// A node that is filled for a try, without touching the plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/affinity_probe.h"
#include "core/placement/placement.h"
#include "core/rebuild/spare_nodes.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Replicas that a trial node holds.
struct FilledApp {
  std::uint32_t index;  ///< in the caller's list
  std::uint32_t replicas;
};

template <class Unit>
class EmptyNode {
 public:
  explicit EmptyNode(const Placement<Unit>& placement);

  /// Empties it, as a node of the kind.
  void clear(const SpareNodes::Kind& kind);
  /// Puts as many replicas of the app on it as fit, at most `wanted`; returns their number. Rules count as on a node that is
  /// empty, so that they may refuse some of these replicas later.
  /// @param asked the rules that are asked, if the app has any
  std::uint32_t fill(AppId app, std::uint32_t wanted, bool has_rules, TagState::Asked asked);
  /// How many replicas the part would have to count more, for one of its subjects to come here.
  [[nodiscard]] std::uint32_t lacking(std::uint32_t part) const;

 private:
  const Placement<Unit>* placement_;
  const Instance* instance_;
  const Kernels<Unit>* kernels_;
  SpareNodes::Kind kind_{};
  std::vector<Unit> left_;          // per dimension
  std::vector<std::int64_t> risk_;  // per resource, where demand is uncertain
  std::vector<Tenant> tenants_;     // apps with limits or rules
};

extern template class EmptyNode<std::int16_t>;
extern template class EmptyNode<std::int32_t>;

}  // namespace stowage
