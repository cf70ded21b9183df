// Lower bounds on the objectives of any complete plan. Each bound is a function in its own file, with proof sketch and source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/watch.h"
#include "core/bounds/left_over_bound.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/request.h"

namespace stowage {

/// Demand of apps and capacity of nodes for bounds: demand is rounded down, and no plan can put more on a node than it carries
/// here. A listed node carries its class's capacity less its load and daemon load, or the demand that runs or is pinned there
/// if that is more (a start that breaks a constraint may stay). Nodes with load or pinned replicas are in use in every plan:
/// they are mandatory.
struct Supply {
  struct Group {
    ClassId node_class;
    std::uint64_t count;  ///< kEndless: as many as needed
    bool mandatory;
    std::vector<std::int64_t> carries;  ///< per dimension: most that one node of the group carries, scaled units
    double price;                       ///< 0 without prices
    NodeId listed = kNone;              ///< one of its nodes, all of which admit the same apps; kNone: anonymous nodes
  };
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};
  std::vector<Group> groups;
  std::vector<std::uint32_t> group_of;  ///< per listed node
  std::uint64_t mandatory = 0;

  /// @param watch ends the reading of the nodes, and bounds that look at it
  explicit Supply(const Instance& instance, WatchRef watch = {});
  /// Whether all nodes were read. If not, there are no groups, and bounds over the supply mean nothing.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  /// Counts steps of a bound. True: the bound may end with any value, which nobody uses.
  bool ends(std::uint64_t steps) const { return watch_.step(std::max<std::uint64_t>(1, steps)); }
  /// What ends a bound; see ends().
  [[nodiscard]] WatchRef watch() const { return watch_; }
  /// Most that a node carries.
  [[nodiscard]] std::int64_t largest(std::uint32_t dim) const { return largest_[dim]; }
  /// Total demand less what mandatory nodes carry; at least 0.
  [[nodiscard]] std::int64_t left_by_mandatory(std::uint32_t dim) const { return left_by_mandatory_[dim]; }
  /// Sum of the prices of the mandatory nodes.
  [[nodiscard]] double mandatory_price() const;

  /// Most that an empty node of the class carries.
  [[nodiscard]] std::int64_t capacity(ClassId node_class, ResourceId resource) const {
    return capacity_[std::size_t{node_class} * instance_->resources() + resource];
  }
  /// Per dimension, the most that any node carries whose capacity is exceeded at the start; empty if there is no such node.
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
  void round_down();
  bool group_listed(std::vector<std::uint64_t>& left);
  void add(Group group);
  bool read_listed(NodeId n, std::span<const std::int64_t> held, std::vector<std::int64_t>& carries);
  [[nodiscard]] std::int64_t most_left(ClassId c, ResourceId r, double daemon) const;
  [[nodiscard]] std::int64_t capacity_of(NodeId node, ClassId c, std::uint32_t h) const;
  [[nodiscard]] double price_of(ClassId c) const { return instance_->has_prices() ? instance_->data().classes[c].price : 0.0; }

  const Instance* instance_;
  WatchRef watch_;
  bool is_whole_ = true;
  std::vector<std::int64_t> capacity_;
  std::vector<std::int64_t> largest_;            // per dimension
  std::vector<std::int64_t> left_by_mandatory_;  // per dimension
  std::vector<std::int64_t> roomiest_broken_;
  std::vector<std::int32_t> rounded_down_;  // empty where all units are exact
  std::vector<std::int64_t> rounded_total_;
};

/// Per listed node: whether it is mandatory. Incomplete where the watch ends it.
[[nodiscard]] std::vector<std::uint8_t> mandatory_nodes(const Instance& instance, WatchRef watch = {});

/// The fewest nodes that carry a demand.
struct Carriers {
  std::uint64_t nodes = 0;
  std::int64_t left = 0;  ///< demand that all nodes together cannot carry, or at most 0
};
/// Steps that sorting takes per group, for Supply::ends().
inline constexpr std::uint64_t kStepsToSort = 16;
/// Fewest nodes of the groups that carry `demand` in a dimension. Takes nodes that carry more first.
/// @param watch where it ends the call, the value means nothing
Carriers fewest_carriers(std::span<const Supply::Group* const> groups, std::uint32_t dim, std::int64_t demand,
                         WatchRef watch = {});

/// Demand less what `count` nodes carry that carry `carries` each; at least 0, without overflow.
constexpr std::int64_t left_after(std::int64_t demand, std::int64_t carries, std::uint64_t count) {
  if (demand <= 0 || carries <= 0) return std::max<std::int64_t>(0, demand);
  const auto needed = static_cast<std::uint64_t>((demand + carries - 1) / carries);
  return needed <= count ? 0 : demand - carries * static_cast<std::int64_t>(count);
}

/// Value of a bound.
struct BoundValue {
  double value = 0;
  ResourceId resource = kNone;   ///< the resource that gives the value; kNone: no single one
  std::uint32_t period = kNone;  ///< its period
  bool infeasible = false;       ///< whether it proves that no complete plan exists
};

/// P0, Eq. 4, for several node classes: fewest nodes that carry the demand of the scarcest resource and period.
BoundValue capacity_bound(const Instance& instance, const Supply& supply);
/// Martello and Toth's L2 per resource and period: items above half a node, and the items that cannot share a node with them.
BoundValue dual_feasible_bound(const Instance& instance, const Supply& supply);
/// Fewest nodes with as many devices as whole devices and the parts of all replicas need (L2 over devices). For instances that
/// use devices.
BoundValue device_bound(const Instance& instance, const Supply& supply);
/// One node for each replica beside which no other fits, and P0, Eq. 4, for the rest.
BoundValue solitary_bound(const Instance& instance, const Supply& supply);
/// Replicas of one app, divided by the most that capacity and self limit allow on a node (P0, Eq. 1 with the floor).
BoundValue replica_bound(const Instance& instance, const Supply& supply);
/// Per app, the most replicas that capacity and self limit allow on a node, or that one holds at the start; at most all.
/// Incomplete where the supply ends it.
std::vector<std::uint64_t> most_per_node(const Instance& instance, const Supply& supply);
/// Replicas so large that no three share a node, less the most pairs of them that do.
BoundValue matching_bound(const Instance& instance, const Supply& supply);
/// Apps that exclude each other by affinity limits or by size.
BoundValue clique_bound(const Instance& instance, const Supply& supply);
/// Lagrangian relaxation of all resources and periods at once, for mixed node classes.
BoundValue lagrangian_bound(const Instance& instance, const Supply& supply);
/// Cheapest fractional choice of nodes that carries the demand, per resource and period.
BoundValue price_bound(const Instance& instance, const Supply& supply);
/// The same as lagrangian_bound, with prices.
BoundValue lagrangian_price_bound(const Instance& instance, const Supply& supply);
/// The cheapest of as many nodes as every plan has.
/// @param nodes the best bound on nodes
BoundValue cheapest_nodes_bound(const Supply& supply, const BoundValue& nodes);

/// Fewest nodes that carry the means and the linearized spreads. For instances with uncertain demand.
BoundValue confidence_bound(const Instance& instance, const Supply& supply);
/// The means plus the least capacity that the spreads take, on full nodes. For instances with uncertain demand.
BoundValue ucac_bound(const Instance& instance, const Supply& supply);

/// What the replica with the largest cost of its own costs even where it is alone (P4, section 6).
BoundValue largest_replica_bound(const Instance& instance, std::uint32_t node_limit, WatchRef watch);
/// The least worst cost if loads could be divided at will (core/colocation/fluid_bound.h); 0 where nothing limits the nodes.
BoundValue fluid_bound(const Instance& instance, std::uint32_t node_limit, WatchRef watch);
/// The least worst cost of the pairs that have to share nodes, where no three replicas do; 0 where nothing limits the nodes.
BoundValue pair_cost_bound(const Instance& instance, std::uint32_t node_limit, WatchRef watch);
/// The fewest nodes on which divisible loads keep within the limits on costs; 0 where nothing limits costs.
BoundValue fluid_nodes_bound(const Instance& instance, std::uint32_t node_limit, WatchRef watch);

/// A lower bound on what any plan of a request leaves out, where each application is placed as a whole or not at all.
struct AdmissionBound {
  /// No plan of the request leaves out applications of less weight together.
  double left_out = 0;
  /// Price of a scaled unit per dimension, dims() entries, at which what is admitted costs at most its weight; empty where
  /// nothing is short.
  std::vector<double> price;
};

/// Prices of the dimensions, the same on all nodes (surrogate relaxation, Glover 1975).
AdmissionBound admission_bound(const Instance& instance, const Supply& supply, const Request& request);

/// Traffic that leaves nodes because a node has no room for enough replicas of both apps, pair by pair. Holds for plans that
/// leave replicas over, too.
BoundValue traffic_pair_bound(const Instance& instance, const Supply& supply);
/// Per pair with traffic, in the order of the instance, the share of it that all nodes together keep at most. Pairs without an
/// amount, or with an app that wants no replicas, are left out.
std::vector<double> traffic_pair_shares(const Instance& instance, const Supply& supply);

struct BoundInfo {
  std::string_view name;
  Objective objective;
  std::string_view source;
  BoundValue (*function)(const Instance&, const Supply&);  ///< null for bounds that take a clock, and where of_nodes is set
  /// Follows from the best bound on nodes of those before it in the table, which is the second argument.
  BoundValue (*of_nodes)(const Supply&, const BoundValue&) = nullptr;
  /// Depends on the request's node_limit, 0 for none; null where `function` or `of_nodes` is set.
  BoundValue (*of_limit)(const Instance&, std::uint32_t, WatchRef) = nullptr;
};

/// All bounds but those that take a clock (see core/columns/tree/column_bound.h).
std::span<const BoundInfo> bound_table();

struct ComputedBound {
  const BoundInfo* info;
  BoundValue value;
};

/// All bounds that apply to the instance, best first within each objective. Bounds on the cost are rounded up to what prices
/// add up to (see CostUnit).
struct ComputedBounds {
  ByObjective<std::vector<ComputedBound>> of;  ///< empty: the objective does not apply to the instance; never for kNodes
  bool infeasible = false;                     ///< whether a bound proves that no complete plan exists
  /// The largest lower bound on the number of nodes.
  [[nodiscard]] double fewest_nodes() const { return of[Objective::kNodes].front().value.value; }
};
/// @param watch ends the computation: bounds that are not known by then are 0, which always holds
ComputedBounds compute_bounds(const Instance& instance, std::uint32_t node_limit = 0, WatchRef watch = {});
/// Adds a bound that takes a clock to those of its objective.
void add_bound(const BoundInfo& info, double value, ComputedBounds& bounds);

/// The bounds of an instance and of a request, each computed at its first use. For one thread.
class LazyBounds {
 public:
  LazyBounds(const Instance& instance, const Request& request) : instance_(&instance), request_(&request) {}
  /// With bounds that are computed already.
  LazyBounds(const Instance& instance, const Request& request, ComputedBounds computed)
      : instance_(&instance), request_(&request), computed_(std::move(computed)) {}
  /// From now on, the watch ends what is computed: bounds that are not known by then say nothing. Those of most instances are
  /// known before, so that a run that its deadline cuts off, whenever that is, and one that repeats it have the same.
  void end_by(const Watch& watch) {
    watch_ = watch;
    watch_.spare(kStepsOfBounds);
  }
  const ComputedBounds& get() {
    if (!computed_) computed_ = compute_bounds(*instance_, request_->node_limit, watch_);
    return *computed_;
  }
  /// What no plan of the request can help leaving over.
  const LeftOverBound& left_over() {
    if (!left_over_) {
      left_over_ = of_supply<LeftOverBound>([&](const Supply& all) { return left_over_bound(*instance_, all, *request_); });
    }
    return *left_over_;
  }
  /// What no plan of the request can help leaving out, where applications are placed as a whole or not at all.
  const AdmissionBound& admission() {
    if (!admission_) {
      admission_ = of_supply<AdmissionBound>([&](const Supply& all) { return admission_bound(*instance_, all, *request_); });
    }
    return *admission_;
  }

 private:
  /// Some milliseconds.
  static constexpr std::uint64_t kStepsOfBounds = std::uint64_t{1} << 21;

  template <class Bound, class Compute>
  Bound of_supply(Compute&& compute) {
    const Supply supply(*instance_, watch_);
    if (!supply.is_whole() || watch_.ended()) return {};
    Bound bound = compute(supply);
    return watch_.ended() ? Bound{} : std::move(bound);
  }

  const Instance* instance_;
  const Request* request_;
  Watch watch_;
  std::optional<ComputedBounds> computed_;
  std::optional<LeftOverBound> left_over_;
  std::optional<AdmissionBound> admission_;
};

}  // namespace stowage
