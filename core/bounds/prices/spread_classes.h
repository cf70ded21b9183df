// Apps by how uncertain their demand is, for bounds that price demand.
//
// A node holds means M and spreads V with M + sqrt(V) <= capacity. Prices are the sharper, the less the apps that share them
// differ in their ratio of V to M.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/bounds/prices/risk.h"
#include "core/model/instance.h"

namespace stowage {

class SpreadClasses {
 public:
  /// One class, in which nothing is uncertain.
  SpreadClasses() = default;
  /// In each dimension, classes of about equal width on a logarithmic scale of the ratio.
  /// @param groups of apps that are priced apart: the more there are, the fewer classes each has
  SpreadClasses(const Instance& instance, const Supply& supply, std::uint32_t groups);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Whether capacity of the resource holds with a probability, in bounds: not where some node exceeds it at the start.
  [[nodiscard]] bool at_confidence(ResourceId r) const { return !at_confidence_.empty() && at_confidence_[r]; }
  /// The spread of one replica (risk_of()), 0 where capacity does not hold with a probability.
  [[nodiscard]] double spread(const Instance& instance, AppId app, ResourceId r) const {
    return at_confidence(r) ? risk_of(instance, app, r) : 0;
  }
  /// The class of an app with this mean and spread of one replica in dimension h.
  [[nodiscard]] std::uint32_t of(std::uint32_t h, double mean, double spread) const;

 private:
  std::uint32_t count_ = 1;
  std::vector<bool> at_confidence_;  // per resource; empty: none
  std::vector<double> lowest_;       // per dimension: count_ - 1 ratios, at which the next class begins
};

}  // namespace stowage
