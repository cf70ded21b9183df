// What the configuration bound packs: apps of equal demand that may be on the same nodes, as one item.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/bounds/prices/capacity_prices.h"

namespace stowage {

class PackedItems {
 public:
  struct Item {
    std::uint32_t group;  ///< of EligibleGroups
    bool limited;         ///< by self limits below the number of replicas
    double replicas;
    double most;              ///< replicas on one node, at most, but for nodes that hold more at the start
    std::vector<AppId> apps;  ///< ascending
  };

  /// @param prices choose the dimensions that items have: those that are worth most, see kMostDims
  PackedItems(const Instance& instance, const Supply& supply, const EligibleGroups& groups, const CapacityPrices& prices);

  [[nodiscard]] std::size_t count() const { return items_.size(); }
  [[nodiscard]] const Item& operator[](std::size_t item) const { return items_[item]; }
  /// The instance's dimensions that items have: without the others, nodes only hold more.
  [[nodiscard]] const std::vector<std::uint32_t>& dims() const { return dims_; }
  /// Whether two items differ by Item::limited alone. Such items follow each other.
  [[nodiscard]] bool differ_by_limit(std::size_t a, std::size_t b) const {
    const std::size_t width = dims_.size();
    return items_[a].group == items_[b].group && std::equal(mean(a), mean(a) + width, mean(b)) &&
           std::equal(risk(a), risk(a) + width, risk(b));
  }
  /// Demand of a replica, in the order of dims().
  [[nodiscard]] const double* mean(std::size_t item) const { return mean_.data() + item * dims_.size(); }
  /// Risk of a replica (see risk_of()) in the order of dims(); 0 where starts_above().
  [[nodiscard]] const double* risk(std::size_t item) const { return risk_.data() + item * dims_.size(); }
  /// The resource with most risk; kNone where nothing is uncertain.
  [[nodiscard]] ResourceId riskiest() const { return riskiest_; }

  static constexpr std::size_t kMostDims = 12;

 private:
  void choose_dims(const Instance& instance, const Supply& supply, const EligibleGroups& groups, const CapacityPrices& prices);

  std::vector<Item> items_;
  std::vector<std::uint32_t> dims_;
  std::vector<double> mean_;
  std::vector<double> risk_;
  ResourceId riskiest_ = kNone;
};

}  // namespace stowage
