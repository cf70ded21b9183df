// What side effects cost the replicas of one node, for the checker (P4, section 2).
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/instance.h"

namespace stowage {

/// Sums one node after another, from the original doubles.
class KindCosts {
 public:
  explicit KindCosts(const Instance& instance);

  /// Begins an empty node.
  void clear();
  void add(AppId app, std::uint64_t replicas);

  /// The kinds present, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& kinds() const { return kinds_; }
  /// Replicas of the kind on the node.
  [[nodiscard]] std::uint64_t replicas(std::uint32_t kind) const { return replicas_[kind]; }
  /// What a replica of the kind costs if it stands on the node: sum of coefficient x load over the kinds present.
  [[nodiscard]] double cost(std::uint32_t kind) const;

 private:
  const InstanceData& data_;
  const Instance& instance_;
  std::vector<double> load_;             // per kind
  std::vector<std::uint64_t> replicas_;  // per kind
  std::vector<std::uint32_t> kinds_;
};

}  // namespace stowage
