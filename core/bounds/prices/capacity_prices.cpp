// Proof sketch. Let W_k be the demand of row k: of a group of apps in a dimension. Let n_c <= N_c be the number of nodes of
// kind c that a plan uses, each of which carries demands out of a set P_c. For any prices y >= 0, one per row, a complete plan
// has y W <= sum over c of n_c worth_c, where worth_c is the largest y p of any p in P_c. So its cost is at least
//
//   y W - sum over c of N_c max(0, worth_c - cost_c),
//
// where endless kinds (N_c infinite) require worth_c <= cost_c (Lagrangian relaxation; Fisher 1981). In each dimension a node
// carries its capacity, for whichever of the groups it may hold pays most: worth_c sums these. The best prices solve a linear
// program with a constraint for each way to divide a kind's capacity among groups. Such ways are added as cuts where they are
// exceeded. The prices found are then scaled to be valid despite rounding, and the expression is computed from them. A margin
// far above the error of the sums is subtracted. Mandatory nodes are paid for in any case, and carry for nothing.
//
// Uncertain demand: a node of capacity C holds means M and spreads V with M + D sqrt(V) <= C. Every app has a ratio of V to M
// between some r and R. On the ray of any ratio between, M + D sqrt(V) = C is a point below the chord of the points at r and R,
// as C - D sqrt(V) is convex in V. So a M + b V <= 1, the chord, holds on every node, and a group whose own ratios are between
// r' and R' is worth most at one of these two.
//
// O(cuts x rows) per simplex step, with as many cuts as there are kinds of nodes or a few more.

#include "core/bounds/prices/capacity_prices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/bounds/risk.h"
#include "core/solver/cut_program.h"

namespace stowage {
namespace {

// Kinds of optional nodes with a count in the linear program. Further kinds count in the sum, but not in the choice of prices.
constexpr std::size_t kMostCounted = 64;
// Rows with a price: those with the largest demand in nodes.
constexpr std::size_t kMostPriced = 256;
constexpr std::uint64_t kMostPivots = 2000;
constexpr int kMostRounds = 30;
// A worth that exceeds a cost by less, relative to it, is no reason for another cut.
constexpr double kExcess = 1e-9;
// Relative to the sum of the absolute values of all terms.
constexpr double kPriceMargin = 1e-10;
constexpr double kSpreadMargin = 1e-8;

constexpr std::uint32_t kMostGroups = 32;
constexpr double kEndlessCount = std::numeric_limits<double>::infinity();
// A worth of a full node that is this many times the dearest node's cost is no use: the demand cannot be met.
constexpr double kMostWorth = 16;

/// What a node carries of one group in one dimension, at most: means and spreads, in the units of their rows.
struct Share {
  std::size_t mean_row;
  double mean;
  std::size_t spread_row;
  double spread;
};
/// Equal nodes. Each dimension's capacity goes to one of several shares, or is divided.
struct Kind {
  double cost = 0;
  double count = kEndlessCount;
  std::vector<std::vector<Share>> dims;
};

double amount_of(const std::vector<double>& y, const Share& share) {
  return y[share.mean_row] * share.mean + y[share.spread_row] * share.spread;
}
double worth_of(const std::vector<double>& y, const Kind& kind) {
  double sum = 0;
  for (const std::vector<Share>& shares : kind.dims) {
    double most = 0;
    for (const Share& share : shares) most = std::max(most, amount_of(y, share));
    sum += most;
  }
  return sum;
}

/// Mean and spread of some demand, as a direction.
struct Ray {
  double mean = 0;
  double spread = 0;
  /// The multiple of the ray at which mean + sqrt(spread) reaches a capacity.
  [[nodiscard]] Ray reach(double capacity) const {
    // The solution of mean u^2 + sqrt(spread) u = capacity, in a form that also holds where one of them is 0.
    const double u = 2 * capacity / (std::sqrt(spread) + std::sqrt(spread + 4 * mean * capacity));
    return {mean * u * u, spread * u * u};
  }
};
/// The rays of the least and the largest ratio of spread to mean.
struct Cone {
  Ray low;
  Ray high;
  void include(const Ray& ray) {
    if (ray.mean <= 0 && ray.spread <= 0) return;
    const auto above = [](const Ray& a, const Ray& b) { return a.spread * b.mean > b.spread * a.mean; };
    if (empty() || above(low, ray)) low = ray;
    if (high.mean <= 0 && high.spread <= 0) high = ray;
    if (above(ray, high)) high = ray;
  }
  [[nodiscard]] bool empty() const { return low.mean <= 0 && low.spread <= 0; }
};
/// a mean + b spread <= 1 on every node.
struct Chord {
  double a;
  double b;
  Chord(const Cone& cone, double capacity) {
    // A wider cone is valid, too, and keeps the two points apart.
    const Ray low = Ray{cone.low.mean, cone.low.spread * (1 - 0x1p-10)}.reach(capacity);
    const Ray high = Ray{cone.high.mean, cone.high.spread * (1 + 0x1p-10)}.reach(capacity);
    const double determinant = low.mean * high.spread - high.mean * low.spread;
    a = (high.spread - low.spread) / determinant;
    b = (low.mean - high.mean) / determinant;
  }
};

/// Demand of the groups.
struct GroupDemand {
  std::vector<double> mean;    // group x dims, scaled units
  std::vector<double> spread;  // group x dims, squares of scaled units, times the squared confidence factor; or empty
  std::vector<Cone> cone;      // group x dims; or empty
};

GroupDemand demand_of_groups(const Instance& instance, const Supply& supply, const EligibleGroups& groups) {
  const std::uint32_t dims = instance.dims();
  GroupDemand result;
  if (groups.count() == 1) {
    result.mean.assign(supply.total_demand().begin(), supply.total_demand().end());
  } else {
    result.mean.assign(std::size_t{groups.count()} * dims, 0.0);
  }
  std::vector<bool> at_confidence(instance.resources(), false);
  bool uncertain = false;
  for (ResourceId r = 0; r < instance.resources() && instance.uncertain(); ++r) {
    at_confidence[r] = !starts_above(instance, r);
    uncertain = uncertain || at_confidence[r];
  }
  if (groups.count() == 1 && !uncertain) return result;
  if (uncertain) {
    result.spread.assign(result.mean.size(), 0.0);
    result.cone.resize(result.mean.size());
  }
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (instance.replicas(i) == 0) continue;
      const auto demand = demand_of(i);
      const double replicas = instance.replicas(i);
      const std::size_t first = std::size_t{groups.of(i)} * dims;
      for (std::uint32_t h = 0; h < dims; ++h) {
        if (groups.count() > 1) result.mean[first + h] += demand[h] * replicas;
        if (!uncertain) continue;
        const ResourceId r = instance.resource_of(h);
        const double spread = at_confidence[r] ? risk_of(instance, i, r) : 0;
        result.spread[first + h] += spread * replicas;
        result.cone[first + h].include({static_cast<double>(demand[h]), spread});
      }
    }
  });
  return result;
}

/// The program's data: kinds of nodes and rows of demand.
class CapacityModel {
 public:
  CapacityModel(const Instance& instance, const Supply& supply, const EligibleGroups& groups, NodeCost cost)
      : instance_(instance), supply_(supply), groups_(groups), demand_(demand_of_groups(instance, supply, groups)) {
    for (const Supply::Group& group : supply.groups) {
      largest_cost_ = std::max(largest_cost_, group.mandatory ? 0 : cost == NodeCost::kOne ? 1 : group.price);
    }
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      Cone all;
      for (std::uint32_t g = 0; g < groups.count() && !demand_.cone.empty(); ++g) {
        const Cone& cone = demand_.cone[g * instance.dims() + h];
        all.include(cone.low);
        all.include(cone.high);
      }
      cones_.push_back(all);
    }
    merge_nodes(cost);
    find_rows();
    for (const auto& [key, count] : merged_) add_kind(key, count);
    for (const auto& [admits, sum] : in_use_) add_kind({0, false, sum, admits}, 1);
    // Endless kinds first: they have to be in the program, because they limit prices most.
    std::stable_partition(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.count == kEndlessCount; });
  }

  /// Prices of the rows, and one 0 for the row that stands for no row.
  [[nodiscard]] std::vector<double> solve() const;
  /// Sets bound and prices.
  void evaluate(std::vector<double> y, CapacityPrices& prices) const;

 private:
  struct Key {
    double cost;
    bool endless;
    std::vector<double> carries;
    std::vector<bool> admits;
    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.cost, a.endless, a.carries, a.admits) < std::tie(b.cost, b.endless, b.carries, b.admits);
    }
  };
  struct Row {
    std::size_t cell;  // group x dims + dimension; those of spread follow those of means
    double unit;
    double demand;  // in these units
  };

  /// Whether capacity in the dimension holds at confidence.
  [[nodiscard]] bool has_chord(std::uint32_t h) const { return cones_[h].low.mean > 0 && cones_[h].high.spread > 0; }
  void merge_nodes(NodeCost cost);
  void find_rows();
  void add_kind(const Key& key, double count);
  /// Calls work(cell of the mean, mean, spread) for each way in which a node with the capacity serves the group.
  template <class Work>
  void each_way(std::uint32_t group, std::uint32_t h, double capacity, Work&& work) const {
    const std::size_t cell = std::size_t{group} * instance_.dims() + h;
    if (capacity <= 0 || demand_.mean[cell] + (demand_.spread.empty() ? 0 : demand_.spread[cell]) <= 0) return;
    if (!has_chord(h)) return work(cell, capacity, 0.0);
    const Chord chord(cones_[h], capacity * (1 + kSpreadMargin));
    const Cone& cone = demand_.cone[cell];
    for (const Ray& ray : {cone.low, cone.high}) {
      const double times = 1 / (chord.a * ray.mean + chord.b * ray.spread);
      work(cell, ray.mean * times, ray.spread * times);
    }
  }

  const Instance& instance_;
  const Supply& supply_;
  const EligibleGroups& groups_;
  GroupDemand demand_;
  std::vector<Cone> cones_;  // per dimension: of all groups
  double largest_cost_ = 0;
  std::map<Key, double> merged_;                             // number of nodes
  std::map<std::vector<bool>, std::vector<double>> in_use_;  // by groups admitted: all that mandatory nodes carry
  std::vector<Row> rows_;
  std::vector<std::size_t> row_of_;  // per cell; rows_.size(): none
  std::vector<Kind> kinds_;
};

void CapacityModel::merge_nodes(NodeCost cost) {
  const auto chord_anywhere = [&] {
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      if (has_chord(h)) return true;
    }
    return false;
  };
  const bool sums = !chord_anywhere();
  for (const Supply::Group& group : supply_.groups) {
    Key key{0, group.count == Supply::kEndless, {group.carries.begin(), group.carries.end()}, {}};
    for (std::uint32_t g = 0; g < groups_.count(); ++g) key.admits.push_back(groups_.admits(g, group));
    const auto count = static_cast<double>(group.count);
    if (group.mandatory && sums) {
      // What they carry is free, so that all of it can be added up.
      std::vector<double>& sum = in_use_[key.admits];
      sum.resize(instance_.dims(), 0.0);
      for (std::uint32_t h = 0; h < instance_.dims(); ++h) sum[h] += count * key.carries[h];
      continue;
    }
    if (!group.mandatory) key.cost = cost == NodeCost::kOne ? 1 : group.price / std::max(largest_cost_, 1e-300);
    double& nodes = merged_[std::move(key)];
    nodes = group.count == Supply::kEndless ? kEndlessCount : nodes + count;
  }
}

void CapacityModel::find_rows() {
  const std::uint32_t dims = instance_.dims();
  const std::size_t cells = demand_.mean.size();
  std::vector<double> unit(2 * cells, 0.0);
  std::vector<double> most(cells, 0.0);
  std::vector<bool> free(cells, false);
  for (const auto& [key, count] : merged_) {
    const bool costs_nothing = key.endless && key.cost <= 0;
    for (std::uint32_t g = 0; g < groups_.count(); ++g) {
      if (!key.admits[g]) continue;
      for (std::uint32_t h = 0; h < dims; ++h) {
        each_way(g, h, key.carries[h], [&](std::size_t cell, double mean, double spread) {
          unit[cell] = std::max(unit[cell], mean);
          unit[cells + cell] = std::max(unit[cells + cell], spread);
          // Demand that endless nodes of cost 0 carry costs nothing.
          free[cell] = free[cell] || costs_nothing;
        });
        if (key.carries[h] > 0) most[std::size_t{g} * dims + h] += count * key.carries[h];
      }
    }
  }
  for (const auto& [admits, sum] : in_use_) {
    for (std::size_t cell = 0; cell < cells; ++cell) most[cell] += admits[cell / dims] ? sum[cell % dims] : 0;
  }
  for (std::size_t cell = 0; cell < unit.size(); ++cell) {
    if (unit[cell] <= 0 || free[cell % cells]) continue;
    if (cell >= cells && demand_.spread.empty()) break;
    const double demand = cell < cells ? std::min(demand_.mean[cell], most[cell]) : demand_.spread[cell - cells];
    if (demand > 0) rows_.push_back({cell, unit[cell], demand / unit[cell]});
  }
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.demand > b.demand; });
  rows_.resize(std::min(rows_.size(), kMostPriced));
  row_of_.assign(2 * cells, rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) row_of_[rows_[k].cell] = k;
}

void CapacityModel::add_kind(const Key& key, double count) {
  Kind kind{key.cost, count, {}};
  const std::size_t cells = demand_.mean.size();
  const auto in_units = [&](std::size_t row, double amount) { return row < rows_.size() ? amount / rows_[row].unit : 0; };
  for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
    std::vector<Share> shares;
    for (std::uint32_t g = 0; g < groups_.count(); ++g) {
      if (!key.admits[g]) continue;
      each_way(g, h, key.carries[h], [&](std::size_t cell, double mean, double spread) {
        const std::size_t mean_row = row_of_[cell];
        const std::size_t spread_row = row_of_[cells + cell];
        if (mean_row == rows_.size() && spread_row == rows_.size()) return;
        shares.push_back({mean_row, in_units(mean_row, mean), spread_row, in_units(spread_row, spread)});
      });
    }
    if (!shares.empty()) kind.dims.push_back(std::move(shares));
  }
  if (!kind.dims.empty()) kinds_.push_back(std::move(kind));
}

std::vector<double> CapacityModel::solve() const {
  std::size_t endless = 0;
  while (endless < kinds_.size() && kinds_[endless].count == kEndlessCount) ++endless;
  const std::size_t chosen = std::min(kinds_.size(), endless + kMostCounted);
  const std::size_t rows = rows_.size();
  std::vector<double> gains;
  for (const Row& row : rows_) gains.push_back(row.demand);
  for (std::size_t k = endless; k < chosen; ++k) gains.push_back(-kinds_[k].count);
  CutProgram program(gains);
  std::vector<double> cut(gains.size());
  const auto add = [&](std::size_t k, const auto& choose) {
    std::fill(cut.begin(), cut.end(), 0.0);
    for (const std::vector<Share>& shares : kinds_[k].dims) {
      const Share& share = choose(shares);
      if (share.mean_row < rows) cut[share.mean_row] += share.mean;
      if (share.spread_row < rows) cut[share.spread_row] += share.spread;
    }
    if (k >= endless) cut[rows + k - endless] = -1;
    program.add(cut, kinds_[k].cost);
  };
  for (std::size_t k = 0; k < chosen; ++k) {
    std::size_t ways = 1;
    for (const std::vector<Share>& shares : kinds_[k].dims) ways = std::max(ways, shares.size());
    for (std::size_t way = 0; way < ways; ++way) {
      add(k, [&](const std::vector<Share>& shares) -> const Share& { return shares[way % shares.size()]; });
    }
  }
  for (std::size_t k = 0; k < rows; ++k) {
    std::fill(cut.begin(), cut.end(), 0.0);
    cut[k] = 1;
    program.add(cut, kMostWorth);
  }
  std::uint64_t left = kMostPivots;
  for (int round = 1;; ++round) {
    left -= program.solve(left);
    const std::vector<double> values = program.values();
    std::vector<double> y(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rows));
    y.push_back(0);
    if (left == 0 || round == kMostRounds) return y;
    bool exceeded = false;
    for (std::size_t k = 0; k < chosen; ++k) {
      const double paid = k < endless ? 0 : values[rows + k - endless];
      if (worth_of(y, kinds_[k]) <= (kinds_[k].cost + paid) * (1 + kExcess) + kExcess) continue;
      exceeded = true;
      add(k, [&](const std::vector<Share>& shares) -> const Share& {
        return *std::max_element(shares.begin(), shares.end(),
                                 [&](const Share& a, const Share& b) { return amount_of(y, a) < amount_of(y, b); });
      });
    }
    if (!exceeded) return y;
  }
}

void CapacityModel::evaluate(std::vector<double> y, CapacityPrices& prices) const {
  double shrink = 1;
  for (const Kind& kind : kinds_) {
    if (kind.count != kEndlessCount) continue;
    const double worth = worth_of(y, kind);
    if (worth > kind.cost) shrink = std::min(shrink, kind.cost / worth);
  }
  for (double& price : y) price *= shrink;
  const std::size_t cells = demand_.mean.size();
  const std::uint32_t dims = instance_.dims();
  prices.per_unit.assign(cells, 0.0);
  if (!demand_.spread.empty()) prices.per_spread.assign(cells, 0.0);
  double value = 0;
  double most = -1;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double gain = y[k] * rows_[k].demand;
    value += gain;
    const std::size_t cell = rows_[k].cell;
    (cell < cells ? prices.per_unit[cell] : prices.per_spread[cell - cells]) = y[k] / rows_[k].unit * largest_cost_;
    if (gain <= most) continue;
    most = gain;
    const auto h = static_cast<std::uint32_t>(cell % dims);
    prices.resource = instance_.resource_of(h);
    prices.period = instance_.period_of(h);
  }
  double terms = value;
  for (const Kind& kind : kinds_) {
    if (kind.count == kEndlessCount) continue;
    const double paid = kind.count * std::max(0.0, worth_of(y, kind) - kind.cost);
    value -= paid;
    terms += paid;
  }
  const double margin = terms * (demand_.spread.empty() ? kPriceMargin : kSpreadMargin);
  prices.bound = std::max(0.0, value - margin) * largest_cost_;
}

}  // namespace

EligibleGroups::EligibleGroups(const Instance& instance) : instance_(&instance) {
  const Eligibility& eligibility = instance.eligibility();
  count_ = std::min(eligibility.groups(), kMostGroups);
  members_.resize(count_);
  std::vector<bool> known(eligibility.groups(), false);
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (known[eligibility.group(i)]) continue;
    known[eligibility.group(i)] = true;
    members_[of(i)].push_back(i);
  }
  for (const std::vector<Residence>* list : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& at : *list) {
      const ClassId c = instance.data().node_class[at.node];
      if (!eligibility.admits(at.app, at.node, c)) kept_.emplace_back(of(at.app), eligibility.kind(at.node, c));
    }
  }
  std::sort(kept_.begin(), kept_.end());
  kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
}

bool EligibleGroups::admits(std::uint32_t group, const Supply::Group& nodes) const {
  const Eligibility& eligibility = instance_->eligibility();
  const auto may_hold = [&](AppId app) { return eligibility.admits(app, nodes.listed, nodes.node_class); };
  return std::any_of(members_[group].begin(), members_[group].end(), may_hold) ||
         std::binary_search(kept_.begin(), kept_.end(), std::pair(group, eligibility.kind(nodes.listed, nodes.node_class)));
}

double CapacityPrices::worth(const Instance& instance, const EligibleGroups& groups, AppId app) const {
  const std::size_t first = std::size_t{groups.of(app)} * instance.dims();
  double sum = 0;
  instance.visit_unit([&](auto unit) {
    const auto demand = instance.scaled_demand<decltype(unit)>(app);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) sum += per_unit[first + h] * demand[h];
  });
  for (std::uint32_t h = 0; h < instance.dims() && !per_spread.empty(); ++h) {
    sum += per_spread[first + h] * risk_of(instance, app, instance.resource_of(h));
  }
  return sum;
}

CapacityPrices capacity_prices(const Instance& instance, const Supply& supply, const EligibleGroups& groups, NodeCost cost) {
  const CapacityModel model(instance, supply, groups, cost);
  CapacityPrices prices;
  model.evaluate(model.solve(), prices);
  prices.bound += cost == NodeCost::kOne ? static_cast<double>(supply.mandatory) : supply.mandatory_price();
  return prices;
}

BoundValue lagrangian_bound(const Instance& instance, const Supply& supply) {
  const CapacityPrices prices = capacity_prices(instance, supply, EligibleGroups(instance), NodeCost::kOne);
  return {std::ceil(prices.bound), prices.resource, prices.period};
}

BoundValue lagrangian_price_bound(const Instance& instance, const Supply& supply) {
  const CapacityPrices prices = capacity_prices(instance, supply, EligibleGroups(instance), NodeCost::kPrice);
  return {prices.bound * (1 - 0x1p-40), prices.resource, prices.period};
}

}  // namespace stowage
