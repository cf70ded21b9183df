// Proof sketch. Let W_k be the demand of row k: of a group of apps in a dimension. Let n_c <= N_c be the number of nodes of
// kind c that a plan uses, each of which carries demands out of a set P_c. For any prices y >= 0, one per row, a complete plan
// has y W <= sum over c of n_c worth_c, where worth_c is the largest y p of any p in P_c. So its cost is at least
//
//   y W - sum over c of N_c max(0, worth_c - cost_c),
//
// where endless kinds (N_c infinite) require worth_c <= cost_c (Lagrangian relaxation; Fisher 1981). In each dimension a node
// carries its capacity, for whichever of the groups it may hold pays most: worth_c sums these. The best prices solve a linear
// program: a variable for each kind and dimension is at least the worth of each way to use it, and a constraint sums these. The
// prices found are then scaled to be valid despite rounding, and the expression is computed from them. A margin far above the
// error of the sums is subtracted. Mandatory nodes are paid for in any case, and carry for nothing.
//
// Uncertain demand: a node of capacity C holds means M and spreads V with f(M, V) = M + sqrt(V) <= C. Each group is divided
// into classes of apps, so that a row is of a class. The apps of a class have ratios of V to M between some r and R: (M, V) of
// a class is a sum of points on the rays of r and R. Let p_j be the point of ray j where f is C, and let a node hold sum over j
// of t_j p_j. f is concave and grows along rays, so that sum t_j > 1 implies f > C. So sum t_j <= 1, and the node is worth no
// more than the best p_j.
//
// O(cuts x rows) per simplex step, with as many cuts as there are kinds of nodes or a few more.

#include "core/bounds/prices/capacity_prices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/bounds/prices/capacity_program.h"
#include "core/bounds/prices/risk.h"

namespace stowage {
namespace {

// Of more sorts of nodes with a count, similar ones are one in the choice of prices.
constexpr std::size_t kManySorts = 256;
// Rows with a price. Uncertain demand has many more rows than there are scarce dimensions.
constexpr std::size_t kMostPriced = 256;
constexpr std::size_t kMostPricedAtConfidence = 80;
// Relative to the sum of the absolute values of all terms.
constexpr double kPriceMargin = 1e-10;
constexpr double kSpreadMargin = 1e-8;

constexpr std::uint32_t kMostGroups = 32;
constexpr double kEndlessCount = CapacityProgram::kEndlessCount;

using Kind = CapacityProgram::Kind;

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
/// Demand by cell: a group, a dimension, and a class of spread.
struct CellDemand {
  std::vector<double> mean;    // scaled units
  std::vector<double> spread;  // squares of scaled units, times the squared confidence factor; or empty
  std::vector<Cone> cone;      // or empty
};

CellDemand demand_of_cells(const Instance& instance, const Supply& supply, const EligibleGroups& groups,
                           const SpreadClasses& classes) {
  const std::uint32_t dims = instance.dims();
  const std::uint32_t width = classes.count();
  CellDemand result;
  const bool uncertain = instance.uncertain();
  if (groups.count() == 1 && !uncertain) {
    result.mean.assign(supply.total_demand().begin(), supply.total_demand().end());
    return result;
  }
  result.mean.assign(std::size_t{groups.count()} * dims * width, 0.0);
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
        const auto mean = static_cast<double>(demand[h]);
        const double spread = classes.spread(instance, i, instance.resource_of(h));
        const std::size_t cell = (first + h) * width + classes.of(h, mean, spread);
        result.mean[cell] += mean * replicas;
        if (!uncertain) continue;
        result.spread[cell] += spread * replicas;
        result.cone[cell].include({mean, spread});
      }
    }
  });
  return result;
}

/// The program's data: kinds of nodes and rows of demand.
class CapacityModel {
 public:
  CapacityModel(const Instance& instance, const Supply& supply, const EligibleGroups& groups, NodeCost cost)
      : instance_(instance),
        supply_(supply),
        groups_(groups),
        classes_(instance, supply, groups.count()),
        demand_(demand_of_cells(instance, supply, groups, classes_)) {
    for (const Supply::Group& group : supply.groups) {
      largest_cost_ = std::max(largest_cost_, group.mandatory ? 0 : cost == NodeCost::kOne ? 1 : group.price);
    }
    merge_nodes(cost);
    find_rows();
    // The program takes endless kinds first.
    for (const bool endless : {true, false}) {
      for (const auto& [key, count] : merged_) {
        if (supply.ends(instance.dims())) return;
        if (key.endless == endless) add_kind(key, count, kinds_);
      }
      if (endless) endless_ = kinds_.size();
    }
    for (const auto& [admits, sum] : in_use_) add_kind({0, false, sum, admits}, 1, kinds_);
  }

  /// Prices of the rows at which no endless node is worth more than it costs, and one 0 for the row that stands for no row.
  [[nodiscard]] std::vector<double> solve() const;
  /// Sets bound and prices.
  /// @param y prices of the rows, shrunk
  void evaluate(const std::vector<double>& y, CapacityPrices& prices) const;

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
    std::size_t cell;  // (group x dims + dimension) x classes + class; those of spread follow those of means
    double unit;
    double demand;  // in these units
  };

  /// Whether demand in the dimension is uncertain.
  [[nodiscard]] bool spreads(std::uint32_t h) const { return classes_.at_confidence(instance_.resource_of(h)); }
  [[nodiscard]] std::uint32_t dim_of(std::size_t cell) const {
    return static_cast<std::uint32_t>(cell % demand_.mean.size() / classes_.count() % instance_.dims());
  }
  /// Lowers all prices by one factor, so that no endless node is worth more than it costs.
  void shrink(std::vector<double>& y) const;
  /// What prices prove, relative to the largest cost.
  /// @param y shrunk
  [[nodiscard]] double bound(const std::vector<double>& y) const;
  void merge_nodes(NodeCost cost);
  void find_rows();
  /// Keeps as many rows as may have prices: those of the scarcest dimension of each resource, then those of the next, and so
  /// on.
  void keep_scarcest();
  void add_kind(const Key& key, double count, std::vector<Kind>& kinds) const;
  /// All kinds; where there are many with a count, similar ones as so many nodes of their mean.
  [[nodiscard]] std::vector<Kind> kinds_to_choose_by() const;
  /// Calls work(cell of the mean, mean, spread) for each way in which a node with the capacity serves the group.
  template <class Work>
  void each_way(std::uint32_t group, std::uint32_t h, double capacity, Work&& work) const {
    const std::uint32_t width = classes_.count();
    const std::size_t first = (std::size_t{group} * instance_.dims() + h) * width;
    if (capacity <= 0) return;
    for (std::size_t cell = first; cell < first + width; ++cell) {
      if (demand_.mean[cell] + (demand_.spread.empty() ? 0 : demand_.spread[cell]) <= 0) continue;
      if (demand_.cone.empty() || demand_.cone[cell].high.spread <= 0) {
        work(cell, capacity, 0.0);
        continue;
      }
      for (const Ray& ray : {demand_.cone[cell].low, demand_.cone[cell].high}) {
        const Ray point = ray.reach(capacity * (1 + kSpreadMargin));
        work(cell, point.mean, point.spread);
      }
    }
  }

  const Instance& instance_;
  const Supply& supply_;
  const EligibleGroups& groups_;
  SpreadClasses classes_;
  CellDemand demand_;
  double largest_cost_ = 0;
  std::map<Key, double> merged_;                             // number of nodes
  std::map<std::vector<bool>, std::vector<double>> in_use_;  // by groups admitted: all that mandatory nodes carry
  std::vector<Row> rows_;
  std::vector<std::size_t> row_of_;  // per cell; rows_.size(): none
  std::vector<Kind> kinds_;
  std::size_t endless_ = 0;  // of kinds_, the first
};

/// Divides points, in halves of equal weight, until there are `parts` parts, none has two different points, or the watch ends.
/// @param group points of different groups are never in one part; per point, like `weight` and `coordinates`
/// @return the points of each part
std::vector<std::vector<std::size_t>> divide(const std::vector<std::vector<bool>>& group, const std::vector<double>& weight,
                                             const std::vector<std::vector<double>>& coordinates, std::size_t parts,
                                             WatchRef watch) {
  struct Part {
    std::vector<std::size_t> points;
    std::size_t widest = 0;  // coordinate
    double extent = 0;       // its range, times the weight of the points
  };
  const auto measured = [&](std::vector<std::size_t> points) {
    Part part{std::move(points)};
    double sum = 0;
    for (const std::size_t point : part.points) sum += weight[point];
    for (std::size_t d = 0; d < coordinates[part.points.front()].size(); ++d) {
      const auto [least, most] = std::minmax_element(part.points.begin(), part.points.end(), [&](std::size_t a, std::size_t b) {
        return coordinates[a][d] < coordinates[b][d];
      });
      const double extent = (coordinates[*most][d] - coordinates[*least][d]) * sum;
      if (extent <= part.extent) continue;
      part.extent = extent;
      part.widest = d;
    }
    return part;
  };
  std::map<std::vector<bool>, std::vector<std::size_t>> groups;
  for (std::size_t point = 0; point < group.size(); ++point) groups[group[point]].push_back(point);
  std::vector<Part> found;
  const auto less = [](const Part& a, const Part& b) { return a.extent < b.extent; };
  const auto add = [&](std::vector<std::size_t> points) {
    found.push_back(measured(std::move(points)));
    std::push_heap(found.begin(), found.end(), less);
  };
  for (auto& [key, points] : groups) add(std::move(points));
  while (!found.empty() && found.size() < parts && found.front().extent > 0 && !watch.ended()) {
    std::pop_heap(found.begin(), found.end(), less);
    Part part = std::move(found.back());
    found.pop_back();
    const auto at = [&](std::size_t point) { return coordinates[point][part.widest]; };
    std::stable_sort(part.points.begin(), part.points.end(), [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
    double half = 0;
    for (const std::size_t point : part.points) half += weight[point] / 2;
    watch.step(part.points.size() * (kStepsToSort + coordinates[part.points.front()].size()));
    auto middle = part.points.begin();
    for (double sum = 0; sum < half; ++middle) sum += weight[*middle];
    middle = std::clamp(middle, part.points.begin() + 1, part.points.end() - 1);
    add({middle, part.points.end()});
    add({part.points.begin(), middle});
  }
  std::vector<std::vector<std::size_t>> result;
  result.reserve(found.size());
  for (Part& part : found) result.push_back(std::move(part.points));
  return result;
}

void CapacityModel::merge_nodes(NodeCost cost) {
  bool sums = true;
  for (std::uint32_t h = 0; h < instance_.dims(); ++h) sums = sums && !spreads(h);
  for (const Supply::Group& group : supply_.groups) {
    if (supply_.ends(instance_.dims() * kStepsToSort)) return;
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
    if (supply_.ends(dims)) return;
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
        if (key.carries[h] <= 0) continue;
        const std::size_t first = (std::size_t{g} * dims + h) * classes_.count();
        for (std::size_t cell = first; cell < first + classes_.count(); ++cell) most[cell] += count * key.carries[h];
      }
    }
  }
  for (const auto& [admits, sum] : in_use_) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      most[cell] += admits[cell / classes_.count() / dims] ? sum[dim_of(cell)] : 0;
    }
  }
  for (std::size_t cell = 0; cell < unit.size(); ++cell) {
    if (unit[cell] <= 0 || free[cell % cells]) continue;
    if (cell >= cells && demand_.spread.empty()) break;
    const double demand = cell < cells ? std::min(demand_.mean[cell], most[cell]) : demand_.spread[cell - cells];
    if (demand > 0) rows_.push_back({cell, unit[cell], demand / unit[cell]});
  }
  keep_scarcest();
  row_of_.assign(2 * cells, rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) row_of_[rows_[k].cell] = k;
}

void CapacityModel::keep_scarcest() {
  const std::uint32_t dims = instance_.dims();
  std::vector<double> nodes(dims, 0);
  for (const Row& row : rows_) nodes[dim_of(row.cell)] += row.cell < demand_.mean.size() ? row.demand : 0;
  std::vector<std::uint32_t> order(dims);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return nodes[a] > nodes[b]; });
  std::vector<std::uint32_t> turn(dims);
  std::vector<std::uint32_t> of_resource(instance_.resources(), 0);
  for (const std::uint32_t h : order) turn[h] = of_resource[instance_.resource_of(h)]++;
  // Within a dimension, the largest rows come first.
  std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
    const std::uint32_t left = dim_of(a.cell);
    const std::uint32_t right = dim_of(b.cell);
    if (turn[left] != turn[right]) return turn[left] < turn[right];
    if (left != right) return nodes[left] != nodes[right] ? nodes[left] > nodes[right] : left < right;
    return a.demand > b.demand;
  });
  rows_.resize(std::min(rows_.size(), demand_.spread.empty() ? kMostPriced : kMostPricedAtConfidence));
}

void CapacityModel::add_kind(const Key& key, double count, std::vector<Kind>& kinds) const {
  Kind kind{key.cost, count, {}};
  const std::size_t cells = demand_.mean.size();
  const auto in_units = [&](std::size_t row, double amount) { return row < rows_.size() ? amount / rows_[row].unit : 0; };
  for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
    std::vector<CapacityProgram::Share> shares;
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
  if (!kind.dims.empty()) kinds.push_back(std::move(kind));
}

std::vector<Kind> CapacityModel::kinds_to_choose_by() const {
  if (kinds_.size() - endless_ <= kManySorts) return kinds_;
  std::vector<Kind> result(kinds_.begin(), kinds_.begin() + static_cast<std::ptrdiff_t>(endless_));
  std::vector<const Key*> keys;
  std::vector<std::vector<bool>> admits;
  std::vector<double> counts;
  std::vector<std::vector<double>> coordinates;  // of each sort: its cost and what it carries, as shares of the most
  std::vector<double> most(instance_.dims(), 1e-300);
  for (const auto& [key, count] : merged_) {
    for (std::size_t h = 0; h < most.size(); ++h) most[h] = std::max(most[h], key.carries[h]);
  }
  for (const auto& [key, count] : merged_) {
    if (key.endless) continue;
    if (supply_.ends(most.size())) return result;
    keys.push_back(&key);
    admits.push_back(key.admits);
    counts.push_back(count);
    std::vector<double>& at = coordinates.emplace_back(1, key.cost);
    for (std::size_t h = 0; h < most.size(); ++h) at.push_back(key.carries[h] / most[h]);
  }
  for (const std::vector<std::size_t>& part : divide(admits, counts, coordinates, kManySorts, supply_.watch())) {
    Key mean{0, false, std::vector<double>(instance_.dims(), 0.0), admits[part.front()]};
    double count = 0;
    for (const std::size_t sort : part) count += counts[sort];
    for (const std::size_t sort : part) {
      const double share = counts[sort] / count;
      mean.cost += share * keys[sort]->cost;
      for (std::size_t h = 0; h < mean.carries.size(); ++h) mean.carries[h] += share * keys[sort]->carries[h];
    }
    add_kind(mean, count, result);
  }
  for (const auto& [admit, sum] : in_use_) add_kind({0, false, sum, admit}, 1, result);
  return result;
}

std::vector<double> CapacityModel::solve() const {
  const std::vector<Kind> kinds = kinds_to_choose_by();
  std::vector<double> gains;
  for (const Row& row : rows_) gains.push_back(row.demand);
  CapacityProgram program(kinds, endless_, std::move(gains));
  std::vector<double> y = program.solve([&](std::vector<double> prices) {
    shrink(prices);
    return bound(prices);
  });
  shrink(y);
  return y;
}

void CapacityModel::shrink(std::vector<double>& y) const {
  double factor = 1;
  for (const Kind& kind : kinds_) {
    if (kind.count != kEndlessCount) continue;
    const double worth = kind.worth(y);
    if (worth > kind.cost) factor = std::min(factor, kind.cost / worth);
  }
  for (double& price : y) price *= factor;
}

double CapacityModel::bound(const std::vector<double>& y) const {
  if (supply_.ends(kinds_.size() * (1 + rows_.size()))) return 0;
  double value = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) value += y[k] * rows_[k].demand;
  double terms = value;
  for (const Kind& kind : kinds_) {
    if (kind.count == kEndlessCount) continue;
    const double paid = kind.count * std::max(0.0, kind.worth(y) - kind.cost);
    value -= paid;
    terms += paid;
  }
  const double margin = terms * (demand_.spread.empty() ? kPriceMargin : kSpreadMargin);
  return std::max(0.0, value - margin);
}

void CapacityModel::evaluate(const std::vector<double>& y, CapacityPrices& prices) const {
  const std::size_t cells = demand_.mean.size();
  prices.classes = classes_;
  prices.per_unit.assign(cells, 0.0);
  if (!demand_.spread.empty()) prices.per_spread.assign(cells, 0.0);
  double most = -1;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double gain = y[k] * rows_[k].demand;
    const std::size_t cell = rows_[k].cell;
    (cell < cells ? prices.per_unit[cell] : prices.per_spread[cell - cells]) = y[k] / rows_[k].unit * largest_cost_;
    if (gain <= most) continue;
    most = gain;
    const std::uint32_t h = dim_of(cell);
    prices.resource = instance_.resource_of(h);
    prices.period = instance_.period_of(h);
  }
  prices.bound = bound(y) * largest_cost_;
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

void CapacityPrices::add_worth(const Instance& instance, const EligibleGroups& groups, AppId app,
                               std::span<double> of_resource) const {
  const std::size_t first = std::size_t{groups.of(app)} * instance.dims();
  instance.visit_unit([&](auto unit) {
    const auto demand = instance.scaled_demand<decltype(unit)>(app);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      const ResourceId r = instance.resource_of(h);
      const double spread = classes.spread(instance, app, r);
      const std::size_t cell = (first + h) * classes.count() + classes.of(h, demand[h], spread);
      of_resource[r] += per_unit[cell] * demand[h] + (spread > 0 ? per_spread[cell] * spread : 0);
    }
  });
}

double CapacityPrices::worth(const Instance& instance, const EligibleGroups& groups, AppId app) const {
  std::vector<double> of_resource(instance.resources(), 0);
  add_worth(instance, groups, app, of_resource);
  return std::accumulate(of_resource.begin(), of_resource.end(), 0.0);
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
