// Lower bounds on what any complete plan needs. Each is a function in a file of its own, with its proof sketch and source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// What apps demand and nodes can carry, as bounds see it: never more than apps really need, and an upper limit on what any
/// plan can put on nodes, whatever else holds. Listed nodes carry their class's capacity less their load, or what runs there
/// already where that is more (a start that breaks a constraint may stay). Nodes that are in use in every plan - because of
/// load or pins - are mandatory.
struct Supply {
  struct Group {
    ClassId node_class;
    std::uint64_t count;  ///< kEndless: as many as needed
    bool mandatory;
    std::vector<std::int64_t> carries;  ///< per dimension, scaled units, for each node of the group
    double price;                       ///< 0 without prices
  };
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};
  std::vector<Group> groups;
  std::uint64_t mandatory = 0;

  explicit Supply(const Instance& instance);
  [[nodiscard]] std::int64_t largest(std::uint32_t dim) const;
  /// What mandatory nodes leave of the total demand; at least 0.
  [[nodiscard]] std::int64_t left_by_mandatory(std::uint32_t dim) const;
  /// What mandatory nodes cost.
  [[nodiscard]] double mandatory_price() const;

  /// Most that an empty node of the class carries.
  [[nodiscard]] std::int64_t capacity(ClassId node_class, ResourceId resource) const {
    return capacity_[std::size_t{node_class} * instance_->resources() + resource];
  }
  /// Most that a node carries whose capacity is broken at the start, taken over all such nodes; empty where there is none.
  [[nodiscard]] std::span<const std::int64_t> roomiest_broken() const { return roomiest_broken_; }
  /// Calls work(demand_of), where demand_of(app) is the least demand of one replica, dims() entries.
  template <class Work>
  void visit_demand(Work&& work) const {
    if (!rounded_down_.empty()) {
      work([this](AppId app) {
        const std::uint32_t dims = instance_->dims();
        return std::span<const std::int32_t>(rounded_down_.data() + std::size_t{app} * dims, dims);
      });
    } else {
      instance_->visit_unit(
          [&](auto unit) { work([this](AppId app) { return instance_->scaled_demand<decltype(unit)>(app); }); });
    }
  }
  /// Least demand of all replicas together, dims() entries.
  [[nodiscard]] std::span<const std::int64_t> total_demand() const {
    return rounded_down_.empty() ? instance_->total_demand() : std::span<const std::int64_t>(rounded_total_);
  }

 private:
  const Instance* instance_;
  std::vector<std::int64_t> capacity_;
  std::vector<std::int64_t> roomiest_broken_;
  std::vector<std::int32_t> rounded_down_;  // empty where all units are exact
  std::vector<std::int64_t> rounded_total_;
};

/// Nodes that it takes to carry a demand, and what of it is left where there are too few.
struct Carriers {
  std::uint64_t nodes = 0;
  std::int64_t left = 0;
};
/// Fewest nodes of the groups that carry so much of a dimension: those first that carry most. Sorts the groups.
Carriers fewest_carriers(std::vector<const Supply::Group*>& groups, std::uint32_t dim, std::int64_t demand);

/// What `count` nodes that carry so much each leave of a demand, without overflow; at least 0.
constexpr std::int64_t left_after(std::int64_t demand, std::int64_t carries, std::uint64_t count) {
  if (demand <= 0 || carries <= 0) return std::max<std::int64_t>(0, demand);
  const auto needed = static_cast<std::uint64_t>((demand + carries - 1) / carries);
  return needed <= count ? 0 : demand - carries * static_cast<std::int64_t>(count);
}

enum class Objective : std::uint8_t { kNodes, kCost, kUcac };

/// Value of a bound; `infeasible` where it proves that no complete plan exists.
struct BoundValue {
  double value = 0;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  bool infeasible = false;
};

/// P0, Eq. 4, for several node classes: nodes carry the demand of the scarcest resource and period.
BoundValue capacity_bound(const Instance& instance, const Supply& supply);
/// Martello and Toth's L2 per resource and period: items above half a node, and what cannot sit beside them.
BoundValue dual_feasible_bound(const Instance& instance, const Supply& supply);
/// P0, Eq. 4, for what is left when replicas beside which nothing fits have a node each.
BoundValue solitary_bound(const Instance& instance, const Supply& supply);
/// Replicas of one app, spread as thin as capacity and self limit force them (P0, Eq. 1 with the floor).
BoundValue replica_bound(const Instance& instance, const Supply& supply);
/// Lagrangian relaxation of all resources and periods at once: kinds of nodes make up for what others lack.
BoundValue lagrangian_bound(const Instance& instance, const Supply& supply);
/// Cheapest fractional choice of nodes that carries the demand, per resource and period.
BoundValue price_bound(const Instance& instance, const Supply& supply);
/// As lagrangian_bound, with prices.
BoundValue lagrangian_price_bound(const Instance& instance, const Supply& supply);

/// Nodes that carry means and, linearized, their spreads (instances with uncertain demand).
BoundValue confidence_bound(const Instance& instance, const Supply& supply);
/// Means plus the least that their spreads cost on full nodes (instances with uncertain demand).
BoundValue ucac_bound(const Instance& instance, const Supply& supply);

struct BoundInfo {
  std::string_view name;
  Objective objective;
  std::string_view source;
  BoundValue (*function)(const Instance&, const Supply&);
};

/// All bounds.
std::span<const BoundInfo> bound_table();

struct ComputedBound {
  const BoundInfo* info;
  BoundValue value;
};

/// Every bound that applies to the instance, best first within each objective; and whether one proves infeasibility.
struct ComputedBounds {
  std::vector<ComputedBound> nodes;
  std::vector<ComputedBound> cost;
  std::vector<ComputedBound> ucac;  ///< empty where no demand is uncertain
  bool infeasible = false;
};
ComputedBounds compute_bounds(const Instance& instance);

/// The bounds of an instance, computed when somebody first asks. For one thread.
class LazyBounds {
 public:
  explicit LazyBounds(const Instance& instance) : instance_(&instance) {}
  const ComputedBounds& get() {
    if (!computed_) computed_ = compute_bounds(*instance_);
    return *computed_;
  }

 private:
  const Instance* instance_;
  std::optional<ComputedBounds> computed_;
};

}  // namespace stowage
