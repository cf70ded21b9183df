// Prices of nodes per hour: by kind, by instance type, and less for spot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capi/k8s/model/cluster.h"

namespace stowage::k8s {

/// What spot costs of the price on demand, where no price for spot is given. Clouds' prices move around it.
inline constexpr double kSpotShare = 0.3;

struct Prices {
  std::map<std::string, double, std::less<>> by_type, by_class;
  bool decide = false;     ///< plans are for the least cost, not the fewest nodes
  bool estimated = false;  ///< by what nodes have

  /// The prices that the library knows: on-demand list prices of common types in US dollars, for comparisons only.
  static Prices standard();
  /// Takes what the option says: CLASS=AMOUNT, "default", or the text of a file that replaces the standard prices.
  void set(const std::string& option, const std::string* file);

  /// Negative = not known.
  [[nodiscard]] double of(const NodeKind& kind) const;
  /// Of numbers of nodes by kind; negative where one is not known.
  [[nodiscard]] double cost(const std::vector<NodeKind>& kinds, const std::vector<std::int64_t>& counts) const;
  /// These, where every kind has one, else an estimate for each: what general machines cost per core and GiB, and what an
  /// accelerator adds.
  [[nodiscard]] Prices for_all(const std::vector<NodeKind>& kinds, const ResourceNames& names) const;
  /// Fails for prices of kinds that do not exist and, where prices decide, for kinds without one.
  void check(Cluster& of) const;
};

}  // namespace stowage::k8s
