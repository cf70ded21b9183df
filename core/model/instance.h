// The instance: validated, frozen, and laid out for planners.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/constraints/eligibility.h"
#include "core/model/constraints/limit_rows.h"
#include "core/model/constraints/tags.h"
#include "core/model/data/instance_data.h"
#include "core/model/data/types.h"
#include "core/model/devices.h"
#include "core/model/scale.h"

namespace stowage {

/// Everything known before planning. Immutable after build(), so that threads may share it.
///
/// Demand has dims() entries per app: one per resource where demand is constant, else resources x periods, all periods of a
/// resource side by side. It is held twice: as the original doubles, for the checker and for reports, and as integers in units
/// of Scale, for the planners. The integers are std::int16_t where everything fits, else std::int32_t (see narrow()).
class Instance {
 public:
  /// How placement rules are read. kAlone: each is checked by itself, and none is made ready for planners, so that the instance
  /// is good for reading its data alone, not for planning.
  enum class Rules : std::uint8_t { kTogether, kAlone };

  /// Validates and freezes. The memory that `data.limits` views may be freed afterwards. Errors: kInvalid and kLimitExceeded
  /// with a field path; kCancelled.
  static Result<Instance> build(InstanceData data, const Limits& limits = {}, Rules rules = Rules::kTogether,
                                WatchRef watch = {});

  /// The same apps within the same affinity limits, which are shared and not read again; all other columns are those of `data`.
  /// The fingerprint leaves the affinity limits out, unless `data.limits` has them again, as limit_rows().lists().
  [[nodiscard]] Result<Instance> with_columns(InstanceData data) const { return with_columns(std::move(data), limits_); }
  [[nodiscard]] Result<Instance> with_columns(InstanceData data, const Limits& limits, WatchRef watch = {}) const;

  [[nodiscard]] const InstanceData& data() const { return data_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// Hash of the whole content, equal on every platform.
  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }
  /// The fingerprint that the same content has where its affinity limits stand in these columns. It is none if the watch ends
  /// the call.
  [[nodiscard]] std::uint64_t fingerprint_with(const LimitColumns& columns, WatchRef watch = {}) const;
  /// Features that the instance uses.
  [[nodiscard]] FeatureSet features() const { return features_; }

  [[nodiscard]] std::uint32_t apps() const { return static_cast<std::uint32_t>(data_.replicas.size()); }
  [[nodiscard]] std::uint32_t classes() const { return static_cast<std::uint32_t>(data_.classes.size()); }
  [[nodiscard]] std::uint32_t listed_nodes() const { return static_cast<std::uint32_t>(data_.node_class.size()); }
  [[nodiscard]] std::uint32_t resources() const { return static_cast<std::uint32_t>(data_.resources.size()); }
  /// Periods that planners see: 1 where neither demand nor load changes.
  [[nodiscard]] std::uint32_t periods() const { return periods_; }
  [[nodiscard]] std::uint32_t dims() const { return resources() * periods_; }
  [[nodiscard]] ResourceId resource_of(std::uint32_t dim) const { return dim / periods_; }
  [[nodiscard]] std::uint32_t period_of(std::uint32_t dim) const { return dim % periods_; }

  [[nodiscard]] std::uint32_t replicas(AppId app) const { return data_.replicas[app]; }
  [[nodiscard]] std::uint64_t total_replicas() const { return total_replicas_; }
  [[nodiscard]] std::int32_t priority(AppId app) const { return data_.priority.empty() ? 0 : data_.priority[app]; }
  /// What a replica counts within its priority where not all of them fit; 1 where no weights are given.
  [[nodiscard]] double weight(AppId app) const { return data_.weight.empty() ? 1 : data_.weight[app]; }
  [[nodiscard]] const LimitRows& limit_rows() const { return *limit_rows_; }
  [[nodiscard]] bool has_prices() const { return has_prices_; }
  /// What a node of the class adds to a plan's cost: its price or, where there are no prices, 1.
  [[nodiscard]] double node_cost(ClassId node_class) const { return has_prices_ ? data_.classes[node_class].price : 1; }

  /// Demand of one replica, as it was given.
  [[nodiscard]] double demand(AppId app, ResourceId resource, std::uint32_t period) const {
    const std::size_t cell = std::size_t{app} * resources() + resource;
    return demand_varies_ ? data_.demand[cell * data_.periods + period] : data_.demand[cell];
  }
  /// Demand of one replica by period, as it was given; one number where no demand varies.
  [[nodiscard]] std::span<const double> demand_over_time(AppId app, ResourceId resource) const {
    const std::size_t cell = std::size_t{app} * resources() + resource;
    return demand_varies_ ? std::span(data_.demand).subspan(cell * data_.periods, data_.periods)
                          : std::span(data_.demand).subspan(cell, 1);
  }
  /// The least and the most that one replica demands over time, as it was given.
  struct DemandRange {
    double least;
    double most;
  };
  [[nodiscard]] const DemandRange& demand_range(AppId app, ResourceId resource) const {
    return demand_range_[std::size_t{app} * resources() + resource];
  }
  /// The least of all apps' largest demands over time, apps without demand left out; infinity where no app has any.
  [[nodiscard]] double least_demand(ResourceId resource) const { return least_demand_[resource]; }
  /// Load on a listed node, as it was given.
  [[nodiscard]] double load(NodeId listed, ResourceId resource, std::uint32_t period) const {
    if (data_.load.empty()) return 0;
    const std::size_t cell = std::size_t{listed} * resources() + resource;
    return load_varies_ ? data_.load[cell * data_.periods + period] : data_.load[cell];
  }

  /// Whether some node carries a daemon load: load that goes with the node. It takes capacity and keeps no node in use.
  [[nodiscard]] bool has_daemons() const { return !least_daemon_.empty(); }
  /// Daemon load of a listed node or, where `listed` is kNone, of an anonymous node of the class, as it was given.
  [[nodiscard]] double daemon(NodeId listed, ClassId node_class, ResourceId resource, std::uint32_t period) const {
    if (!has_daemons()) return 0;
    const bool own = listed != kNone && !data_.daemon.empty();
    const std::vector<double>& values = own ? data_.daemon : data_.classes[node_class].daemon;
    if (values.empty()) return 0;
    const std::size_t rows = own ? listed_nodes() : 1;
    const std::size_t cell = own ? std::size_t{listed} * resources() + resource : resource;
    return values.size() == rows * resources() ? values[cell] : values[cell * data_.periods + period];
  }
  /// The least daemon load of any node of the class, over time.
  [[nodiscard]] double least_daemon(ClassId node_class, ResourceId resource) const {
    return has_daemons() ? least_daemon_[std::size_t{node_class} * resources() + resource] : 0;
  }

  [[nodiscard]] const Scale& scale(ResourceId resource) const { return scales_[resource]; }
  /// True: scaled demand is std::int16_t; false: std::int32_t.
  [[nodiscard]] bool narrow() const { return narrow_; }
  /// Scaled demand of one replica, dims() entries. Unit must be the type by narrow().
  template <class Unit>
  [[nodiscard]] std::span<const Unit> scaled_demand(AppId app) const {
    const auto& all = scaled_demands<Unit>();
    return {all.data() + std::size_t{app} * dims(), dims()};
  }
  /// Scaled capacity of a class less its least_daemon(), per resource.
  [[nodiscard]] std::span<const std::int32_t> scaled_capacity(ClassId node_class) const {
    return {scaled_capacity_.data() + std::size_t{node_class} * resources(), resources()};
  }
  /// Scaled load of a listed node, dims() entries; empty where the instance has no load.
  [[nodiscard]] std::span<const std::int32_t> scaled_load(NodeId listed) const {
    if (scaled_load_.empty()) return {};
    return {scaled_load_.data() + std::size_t{listed} * dims(), dims()};
  }
  /// Whether the listed node carries load, and hence is in use whatever is planned.
  [[nodiscard]] bool is_loaded(NodeId listed) const {
    const auto load = scaled_load(listed);
    return std::any_of(load.begin(), load.end(), [](std::int32_t units) { return units > 0; });
  }
  /// What takes capacity of a listed node or, where `listed` is kNone, of an anonymous node of the class, whatever is planned:
  /// load, and by how much the daemon load exceeds the class's least_daemon(). Scaled, dims() entries; empty for nothing.
  [[nodiscard]] std::span<const std::int32_t> scaled_standing(NodeId listed, ClassId node_class) const {
    if (listed == kNone) {
      if (scaled_class_daemon_.empty()) return {};
      return {scaled_class_daemon_.data() + std::size_t{node_class} * dims(), dims()};
    }
    if (scaled_standing_.empty()) return scaled_load(listed);
    return {scaled_standing_.data() + std::size_t{listed} * dims(), dims()};
  }
  /// Whether some demand or load varies at random, so that capacities have to hold with a confidence.
  [[nodiscard]] bool uncertain() const { return uncertain_resource_ != kNone; }
  /// The first resource with uncertain demand or load; kNone where none is.
  [[nodiscard]] ResourceId uncertain_resource() const { return uncertain_resource_; }
  /// D of P1, Eq. 2: mean + D x sqrt(sum of spreads) may not exceed a capacity.
  [[nodiscard]] double confidence_factor() const { return confidence_factor_; }
  /// The uncertainty b of one replica (P1, Eq. 2), which is summed over a node: the variance, or the square of the support's
  /// width.
  [[nodiscard]] double spread(AppId app, ResourceId resource) const;
  /// The uncertainty of a listed node's load.
  [[nodiscard]] double load_spread(NodeId listed, ResourceId resource) const;
  /// The risk of one replica: D^2 x spread in the units of risk_room(), rounded up; resources() entries. Empty where nothing is
  /// uncertain.
  [[nodiscard]] std::span<const std::int64_t> scaled_risk(AppId app) const {
    if (!uncertain()) return {};
    return {scaled_risk_.data() + std::size_t{app} * resources(), resources()};
  }
  /// The risk of a listed node's load, resources() entries; empty where no load varies.
  [[nodiscard]] std::span<const std::int64_t> scaled_load_risk(NodeId listed) const {
    if (scaled_load_risk_.empty()) return {};
    return {scaled_load_risk_.data() + std::size_t{listed} * resources(), resources()};
  }
  /// The most risk that fits in where the means leave `left` units: the square of `left`, exactly, at most 2^60; -1 where
  /// `left` is negative.
  [[nodiscard]] std::int64_t risk_room(std::int64_t left, ResourceId resource) const {
    if (left < 0) return -1;
    const int shift = risk_shift_[resource];
    return shift >= 0 ? left * left << shift : left * left >> -shift;
  }
  /// Replicas of a mean and a risk that fit in where the means leave `left` units and the risk there is `held`, at most `most`.
  [[nodiscard]] std::uint32_t most_beside(std::int64_t left, std::int64_t held, std::int64_t mean, std::int64_t risk,
                                          ResourceId resource, std::uint32_t most) const {
    // Exact for any `left`: what exceeds a node from the start may be more than risk_room() has numbers for.
    if (held == 0 && risk == 0 && left >= 0) {
      return mean == 0 ? most : static_cast<std::uint32_t>(std::min<std::int64_t>(most, left / mean));
    }
    const std::int64_t room = risk_room(left, resource);
    if (room < held) return 0;
    // What each number alone has room for keeps the products below small.
    if (mean > 0) most = static_cast<std::uint32_t>(std::min<std::int64_t>(most, left / mean));
    if (risk > 0) most = static_cast<std::uint32_t>(std::min<std::int64_t>(most, (room - held) / risk));
    const auto fits = [&](std::uint32_t copies) { return risk_room(left - mean * copies, resource) >= held + risk * copies; };
    if (most == 0 || fits(most)) return most;
    // Near the root of the equation; what is decided is decided on integers.
    const double per_unit = static_cast<double>(room) / static_cast<double>(left);  // room of a unit of `left`
    const double fall = 2 * per_unit * static_cast<double>(mean) + static_cast<double>(risk);
    const double bend = per_unit / static_cast<double>(left) * static_cast<double>(mean) * static_cast<double>(mean);
    const double rest = static_cast<double>(room - held);
    const double root = 2 * rest / (fall + std::sqrt(std::max(0.0, fall * fall - 4 * bend * rest)));
    auto copies = static_cast<std::uint32_t>(std::min<double>(root, most - 1));
    while (!fits(copies)) --copies;
    while (fits(copies + 1)) ++copies;
    return copies;
  }
  /// The square root of a risk, in scaled units, to double precision: for measures; feasibility is decided by risk_room().
  [[nodiscard]] double root_of_risk(std::int64_t risk, ResourceId resource) const {
    return std::sqrt(static_cast<double>(risk) * risk_unit_[resource]);
  }
  /// The least number of units whose risk_room() holds the risk, at most 3e9, which is more than any node has.
  [[nodiscard]] std::int64_t units_for_risk(std::int64_t risk, ResourceId resource) const;

  /// Whether apps have kinds that slow each other down (P4, section 2).
  [[nodiscard]] bool has_interference() const { return data_.has_interference; }
  [[nodiscard]] std::uint32_t kinds() const { return data_.interference.kind_count; }
  [[nodiscard]] std::uint32_t kind(AppId app) const { return data_.kind[app]; }
  /// What a replica of kind `suffering` costs per load of kind `beside`.
  [[nodiscard]] double coefficient(std::uint32_t suffering, std::uint32_t beside) const {
    return data_.interference.coefficient[std::size_t{suffering} * kinds() + beside];
  }
  /// The load that one replica is to those beside it and to itself: its largest demand over time of the resource that the
  /// interference table names.
  [[nodiscard]] double interfering_load(AppId app) const { return demand_range(app, data_.interference.resource).most; }
  /// Whether some kind's cost is limited.
  [[nodiscard]] bool limits_costs() const { return (features_ & static_cast<FeatureSet>(Feature::kInterference)) != 0; }
  /// The same instance, with the same fingerprint, where no replica may cost more than `most`, whatever its kind. For instances
  /// with interference.
  [[nodiscard]] Instance with_max_cost(double most) const;
  /// Per kind: what its replica with the largest load costs where it is alone; 0 for a kind without replicas.
  [[nodiscard]] std::vector<double> costs_alone() const;
  /// The most that a replica of the kind may cost; infinity where nothing limits it.
  [[nodiscard]] double max_cost(std::uint32_t kind) const {
    return data_.interference.max_cost.empty() ? std::numeric_limits<double>::infinity() : data_.interference.max_cost[kind];
  }

  /// The placement rules that hold, see effective_rules(); in the order of data().rules.
  [[nodiscard]] const std::vector<PlacementRule>& rules() const { return rules_; }
  /// The rule, or the app, as people name it; its number where it has no name.
  [[nodiscard]] std::string rule_name(std::size_t rule) const {
    return rules_[rule].name.empty() ? "#" + std::to_string(rule) : rules_[rule].name;
  }
  [[nodiscard]] std::string app_name(AppId app) const {
    return data_.app_names.empty() ? "#" + std::to_string(app) : data_.app_names[app];
  }
  /// Rules that give way to others.
  [[nodiscard]] const std::vector<RuleConflict>& rule_conflicts() const { return rule_conflicts_; }
  /// The tags of each app, automatic ones included.
  [[nodiscard]] const IndexRows& app_tags() const { return app_tags_; }
  /// The application that an app belongs to, by the lowest index of its apps.
  [[nodiscard]] AppId application(AppId app) const { return applications_[app]; }
  /// Which nodes apps may be on at all.
  [[nodiscard]] const Eligibility& eligibility() const { return eligibility_; }
  /// Whether the app may be on a listed node or, where `listed` is kNone, on an anonymous node of the class.
  [[nodiscard]] bool admits(AppId app, NodeId listed, ClassId node_class) const {
    return eligibility_.admits(app, listed, node_class);
  }
  /// What of the resources comes in devices that replicas share; empty where that binds nothing.
  [[nodiscard]] const DeviceTable& devices() const { return devices_; }
  /// The rules but for selectors, made ready for planners.
  [[nodiscard]] const TagModel& tag_model() const { return tag_model_; }

  /// Scaled demand of all replicas together, dims() entries.
  [[nodiscard]] std::span<const std::int64_t> total_demand() const { return total_demand_; }
  /// The largest capacity of any node class, as it was given, less its least_daemon().
  [[nodiscard]] double largest_capacity(ResourceId resource) const {
    double largest = 0;
    for (ClassId c = 0; c < classes(); ++c) {
      largest = std::max(largest, data_.classes[c].capacity[resource] - least_daemon(c, resource));
    }
    return largest;
  }

  /// Calls `work` with a value of the type of scaled demand: visit_unit([&](auto unit) { using Unit = decltype(unit); ... }).
  template <class Work>
  decltype(auto) visit_unit(Work&& work) const {
    if (narrow_) return work(std::int16_t{});
    return work(std::int32_t{});
  }

  /// Bytes held, for the caller's bookkeeping.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  template <class Unit>
  [[nodiscard]] const std::vector<Unit>& scaled_demands() const {
    if constexpr (sizeof(Unit) == 2) {
      return demand16_;
    } else {
      return demand32_;
    }
  }

  // validation.cpp
  /// Checks the data, and sets what follows from its lengths and from whether it varies.
  Error validate(WatchRef watch);
  /// Finds what follows from daemon loads. Refuses classes whose nodes have no capacity left.
  Error find_daemons(WatchRef watch);
  /// Refuses apps that want replicas and whose own limit allows none.
  Error check_self_limits() const;
  /// Refuses limits on side effects that some replica exceeds all alone.
  [[nodiscard]] Error check_max_cost() const;
  /// Refuses apps with more running and pinned replicas than they have.
  Error check_start(WatchRef watch) const;

  // scaling.cpp
  Error scale_all(WatchRef watch);
  /// Units and capacities.
  void choose_scales(WatchRef watch);
  /// Most of a resource that any listed node holds at the start: load, daemon load, running and pinned replicas.
  [[nodiscard]] double heaviest_start(ResourceId resource, WatchRef watch) const;
  /// Scales the load. Sets `start` to what listed nodes hold at the start, listed nodes x dims() entries, which must fit 32
  /// bits. What does not fit 16 bits ends narrow_.
  Error scale_start(std::vector<std::int32_t>& start, WatchRef watch);
  /// Scales the daemon load. Adds it to `start`, as scale_start() does.
  Error scale_daemons(std::vector<std::int32_t>& start, WatchRef watch);
  void scale_demand(WatchRef watch);
  void find_confidence_factor(WatchRef watch);
  Error scale_risks(WatchRef watch);
  Error scale_risks_of(ResourceId r, WatchRef watch);
  /// D^2 x spread in squares of the resource's scaled unit, at most `most`.
  [[nodiscard]] double risk_in_units(double spread, ResourceId resource, double most) const;

  /// Validates data_ and makes everything else of it.
  Error freeze(Rules rules, WatchRef watch);
  /// Takes what the scaled numbers need off the budget.
  Error take_cells(MemoryBudget& budget) const;
  Error read_rules(MemoryBudget& budget, WatchRef watch);
  Error find_devices(WatchRef watch);
  void find_features(WatchRef watch = {});

  InstanceData data_;
  Limits limits_;
  std::shared_ptr<const LimitRows> limit_rows_;  // shared with the instances made of this one
  std::uint64_t fingerprint_ = 0;
  FeatureSet features_ = 0;
  std::uint32_t periods_ = 1;
  std::uint64_t total_replicas_ = 0;
  bool demand_varies_ = false;
  bool load_varies_ = false;
  bool has_prices_ = false;
  bool narrow_ = false;
  std::vector<Scale> scales_;
  std::vector<std::int16_t> demand16_;
  std::vector<std::int32_t> demand32_;
  std::vector<std::int32_t> scaled_capacity_;
  std::vector<double> least_daemon_;               // per class and resource; empty: no node carries daemon load
  std::vector<std::int32_t> scaled_class_daemon_;  // per class and dimension; empty: all 0
  std::vector<std::int32_t> scaled_standing_;      // per listed node and dimension; empty: scaled_load_
  std::vector<std::int32_t> scaled_load_;
  std::vector<std::int64_t> total_demand_;
  std::vector<DemandRange> demand_range_;  // per app and resource
  std::vector<double> least_demand_;       // per resource
  double confidence_factor_ = 0;
  double squared_factor_ = 0;
  ResourceId uncertain_resource_ = kNone;
  std::vector<int> risk_shift_;    // per resource: a square of scaled units is 2^shift units of risk
  std::vector<double> risk_unit_;  // per resource: a unit of risk in squares of scaled units
  std::vector<std::int64_t> scaled_risk_;
  std::vector<std::int64_t> scaled_load_risk_;
  std::vector<PlacementRule> rules_;
  std::vector<RuleConflict> rule_conflicts_;
  IndexRows app_tags_;
  std::vector<AppId> applications_;
  Eligibility eligibility_;
  DeviceTable devices_;
  TagModel tag_model_;
};

}  // namespace stowage
