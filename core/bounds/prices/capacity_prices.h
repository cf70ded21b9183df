// The least cost of capacity, and what capacity is worth: the linear program that chooses fractions of nodes.
//
//   minimize    sum over c of cost_c n_c
//   subject to  sum over g of f[g][c][h] <= carries_c[h] n_c     for every kind of node c and dimension h
//               sum over c of f[g][c][h] >= demand[g][h]         for every group g of apps that may be on the same nodes
//               n_c <= N_c, f[g][c][h] = 0 where g may not be on nodes of kind c
//
// Where demand is uncertain, a group is divided further (spread_classes.h), and demand is a pair of mean and spread.
//
// Its optimum bounds the cost of any complete plan. Its duals are prices of a unit of demand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/bounds/prices/spread_classes.h"

namespace stowage {

/// Apps that may be on the same nodes form a group. Beyond a number, further groups form one, which may be where any of them
/// may.
class EligibleGroups {
 public:
  explicit EligibleGroups(const Instance& instance);
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t of(AppId app) const { return std::min(instance_->eligibility().group(app), count_ - 1); }
  /// Whether some plan may have an app of the group on the nodes: it is eligible, or like nodes hold it at the start.
  [[nodiscard]] bool admits(std::uint32_t group, const Supply::Group& nodes) const;

 private:
  const Instance* instance_;
  std::uint32_t count_;
  std::vector<std::vector<AppId>> members_;  // per group: an app of each group of the instance
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      kept_;  // (group, kind of node) of what is where it may not be; ascending
};

/// What the bound pays for a node.
enum class NodeCost : std::uint8_t { kOne, kPrice };

struct CapacityPrices {
  /// A lower bound on the cost of any complete plan, mandatory nodes included; rounding is allowed for.
  double bound = 0;
  ResourceId resource = kNone;   ///< of the dimension that contributes most
  std::uint32_t period = kNone;  ///< its period
  /// By which apps of a group are priced apart.
  SpreadClasses classes;
  /// Groups x dimensions x classes: what a scaled unit of demand is worth, at least 0.
  std::vector<double> per_unit;
  /// The same of a unit of spread; empty where no demand is uncertain.
  std::vector<double> per_spread;

  /// What one replica is worth: no node holds replicas that are worth more than its cost but for classes with a count.
  [[nodiscard]] double worth(const Instance& instance, const EligibleGroups& groups, AppId app) const;
  /// Adds to `of_resource`, one entry per resource, what a replica's demand of the resource is worth.
  void add_worth(const Instance& instance, const EligibleGroups& groups, AppId app, std::span<double> of_resource) const;
};

CapacityPrices capacity_prices(const Instance& instance, const Supply& supply, const EligibleGroups& groups, NodeCost cost);

}  // namespace stowage
