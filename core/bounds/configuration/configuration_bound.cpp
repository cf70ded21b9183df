// Proof sketch. Let b_i be the replicas of item i, let y_i >= 0 be any worths, and let U_c be no less than the worth of any
// content of a node of kind c. A complete plan uses n_c <= N_c nodes of kind c, and holds all replicas: y b <= sum of n_c U_c.
// So its cost is at least
//
//   L(s) = s y b - sum over c of N_c max(0, s U_c - cost_c)   for any s >= 0 with s U_c <= cost_c where N_c is infinite.
//
// L is concave and piecewise linear in s: its best value is at one of the costs cost_c / U_c. With endless kinds alone this is
// Farley's bound (1990). U_c comes from node_knapsack.h, which proves that nothing is worth more.
//
// Worths. With few items each has a worth of its own. Otherwise the worth of a replica is a sum: of what its demand is worth,
// by group and dimension, and of a worth of its shape, which items of similar size and proportions share. The linear program
// then has a row per summand, and knows less; bounds stay valid, as contents are exact.
//
// Column generation, on the dual: worths are chosen so that known contents are worth their cost at most. Contents found to be
// worth more are added as cuts. What is tried is between the worths of the program and those of the best bound so far (Wentges
// 1997), which at first are those of capacity_prices().

#include "core/bounds/configuration/configuration_bound.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "core/bounds/configuration/node_kinds.h"
#include "core/bounds/cost_unit.h"
#include "core/solver/cut_program.h"

namespace stowage {
namespace {

constexpr std::size_t kMostExactRows = 96;
// Of more items, those that only differ by whether self limits bind share a row.
constexpr std::size_t kMostOwnRows = 48;
constexpr std::size_t kSizes = 4;
constexpr std::size_t kProportions = 4;
constexpr int kMostSteps = 300;
constexpr std::size_t kFirstContents = 24;  // per kind
constexpr int kFurtherContents = 8;         // per kind and step
constexpr std::uint64_t kFirstSearch = 2000;
constexpr std::uint64_t kLongestSearch = 1 << 17;
constexpr std::uint64_t kMostPivotsPerStep = 2000;
// A known content may be worth more than its cost by this share of the dearest node.
constexpr double kViolation = 1e-8;
// Contents that are worth more than their cost by a smaller share of it are not looked for.
constexpr double kLeastExcess = 2e-6;
constexpr double kMostExcess = 1e-3;
constexpr double kSolved = 2e-5;
constexpr double kNearlySolved = 1e-4;  // where rows stand for many items
// The share of the best worths in what is tried.
constexpr double kTowardsBest = 0.5;
// Cuts that are added before those that are not tight are forgotten.
constexpr std::size_t kMostCutsPerVariable = 8;
// Relative to the sum of the absolute values of all terms.
constexpr double kConfigurationMargin = 1e-9;
// No replica is worth more than this many of the dearest nodes, unless there are too few nodes.
constexpr double kMostOfReplica = 16;
constexpr std::uint64_t kOperationsPerUnit = 16;

using NodeContent = NodeKnapsack::Content;

/// The rows of the linear program: worths of items are sums over rows.
class WorthRows {
 public:
  /// @param first_worth what replicas of the items are worth at first
  WorthRows(const PackedItems& items, std::uint32_t groups, const std::vector<double>& replicas,
            const std::vector<double>& first_worth)
      : exact_(items.count() <= kMostExactRows), coefficients_(items.count()) {
    if (exact_) {
      for (std::size_t i = 0; i < items.count(); ++i) {
        const bool shared = items.count() > kMostOwnRows && i > 0 && items.differ_by_limit(i - 1, i);
        coefficients_[i] = {{shared ? rows() - 1 : add_row(first_worth[i]), 1.0}};
      }
    } else {
      // The first worths, and what changes them.
      add_amounts(first_worth, 1);
      add_shapes(items, replicas, first_worth);
      add_loads(items, groups);
    }
    demand_.assign(rows(), 0.0);
    for (std::size_t i = 0; i < items.count(); ++i) {
      for (const auto& [row, coefficient] : coefficients_[i]) demand_[row] += replicas[i] * coefficient;
    }
  }
  [[nodiscard]] bool exact() const { return exact_; }
  /// The row of an item, if rows are exact.
  [[nodiscard]] std::size_t row_of(std::size_t item) const { return coefficients_[item].front().first; }
  [[nodiscard]] std::size_t rows() const { return first_.size(); }
  [[nodiscard]] const std::vector<double>& demand() const { return demand_; }
  [[nodiscard]] const std::vector<double>& first() const { return first_; }
  [[nodiscard]] std::vector<double> worths(const std::vector<double>& y) const {
    std::vector<double> result(coefficients_.size(), 0.0);
    for (std::size_t i = 0; i < result.size(); ++i) {
      for (const auto& [row, coefficient] : coefficients_[i]) result[i] += y[row] * coefficient;
    }
    return result;
  }
  /// Adds what a content covers.
  void cover(const NodeContent& content, std::vector<double>& row) const {
    for (const auto& [item, replicas] : content) {
      for (const auto& [k, coefficient] : coefficients_[item]) row[k] += replicas * coefficient;
    }
  }

 private:
  std::size_t add_row(double first) {
    first_.push_back(first);
    return first_.size() - 1;
  }
  /// Adds a row by the items' amounts, as shares of the largest.
  void add_amounts(const std::vector<double>& amounts, double first) {
    const double most = *std::max_element(amounts.begin(), amounts.end());
    if (most <= 0) return;
    const std::size_t row = add_row(first * most);
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      if (amounts[i] > 0) coefficients_[i].emplace_back(row, amounts[i] / most);
    }
  }
  /// Adds rows of demand and risk, by group and dimension.
  void add_loads(const PackedItems& items, std::uint32_t groups) {
    std::vector<double> amounts(items.count());
    for (std::uint32_t g = 0; g < groups; ++g) {
      for (std::size_t h = 0; h < items.dims().size(); ++h) {
        for (const bool risk : {false, true}) {
          for (std::size_t i = 0; i < amounts.size(); ++i) {
            amounts[i] = items[i].group != g ? 0 : risk ? items.risk(i)[h] : items.mean(i)[h];
          }
          add_amounts(amounts, 0);
        }
      }
    }
  }
  /// Quantiles by worth, each by proportions: the share of the first dimension in it.
  void add_shapes(const PackedItems& items, const std::vector<double>& replicas, const std::vector<double>& first_worth) {
    const std::size_t first_row = rows();
    for (std::size_t k = 0; k < kSizes * kProportions; ++k) add_row(0);
    std::vector<std::size_t> order(items.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return first_worth[a] < first_worth[b]; });
    const auto split = [&](auto first, auto last, std::size_t parts, const auto& use) {
      double total = 0;
      for (auto at = first; at != last; ++at) total += replicas[*at];
      double sum = 0;
      for (std::size_t part = 0; part < parts; ++part) {
        const auto begin = first;
        while (first != last &&
               (sum + replicas[*first] / 2) * static_cast<double>(parts) <= total * static_cast<double>(part + 1)) {
          sum += replicas[*first++];
        }
        if (part + 1 == parts) first = last;
        use(part, begin, first);
      }
    };
    const auto proportion = [&](std::size_t i) { return first_worth[i] > 0 ? items.mean(i)[0] / first_worth[i] : 0; };
    split(order.begin(), order.end(), kSizes, [&](std::size_t size, auto first, auto last) {
      std::stable_sort(first, last, [&](std::size_t a, std::size_t b) { return proportion(a) < proportion(b); });
      split(first, last, kProportions, [&](std::size_t part, auto begin, auto end) {
        for (auto at = begin; at != end; ++at) coefficients_[*at].emplace_back(first_row + size * kProportions + part, 1.0);
      });
    });
  }

  bool exact_;
  std::vector<std::vector<std::pair<std::size_t, double>>> coefficients_;  // per item
  std::vector<double> first_;
  std::vector<double> demand_;
};

/// What one node of a kind may hold, as a cut of the linear program.
struct Column {
  std::size_t kind;
  NodeContent content;
};

class ConfigurationProgram {
 public:
  /// @param first the bound of the capacity, in units of cost
  ConfigurationProgram(const NodeKinds& nodes, const WorthRows& rows, const std::vector<double>& replicas, double first)
      : nodes_(nodes),
        rows_(rows),
        replicas_(replicas),
        program_(gains(nodes, rows)),
        upper_(nodes.kinds.size(), 0.0),
        limit_(nodes.kinds.size(), kFirstSearch),
        best_(first),
        best_y_(rows.first()),
        best_worth_(rows.worths(best_y_)) {
    for (const NodeKind& kind : nodes.kinds) pieces_.push_back(kind.pieces);
  }

  /// Generates columns, from where the last run ended. False: there is nothing more to find.
  bool run(WorkClock& clock);

  [[nodiscard]] double bound() const { return best_; }
  [[nodiscard]] double at_most() const { return at_most_; }
  [[nodiscard]] const std::vector<double>& worth() const { return best_worth_; }
  /// Columns used in the last solution, with their numbers of nodes.
  [[nodiscard]] std::vector<std::pair<const Column*, double>> solution() const {
    std::vector<std::pair<const Column*, double>> result;
    for (const CutProgram::Used& used : program_.used()) {
      if (used.cut < columns_.size()) result.emplace_back(&columns_[used.cut], used.multiplier);
    }
    return result;
  }

 private:
  static std::vector<double> gains(const NodeKinds& nodes, const WorthRows& rows) {
    std::vector<double> result = rows.demand();
    for (std::size_t k = nodes.endless; k < nodes.kinds.size(); ++k) result.push_back(-nodes.kinds[k].count);
    return result;
  }
  /// Adds a column where it is worth more than it costs by the program's worths `values`. Returns whether it is.
  bool add(Column column, const std::vector<double>& values, bool anyway = false);
  void add_first();
  /// Adds the first columns. False where the run has ended.
  bool begin(WorkClock& clock);
  /// Prices all kinds at the worths of rows y, adds columns, and takes a better bound over. False where the run has ended.
  bool price(const std::vector<double>& y, const std::vector<double>& values, double excess, bool& added, WorkClock& clock);
  /// Adds columns of different items that are worth much.
  bool add_others(std::size_t kind, const std::vector<double>& worth, const std::vector<double>& values);
  /// Sets the best bound by upper_.
  void evaluate(const std::vector<double>& y, const std::vector<double>& worth);
  [[nodiscard]] double paid(const std::vector<double>& values, std::size_t kind) const {
    return kind < nodes_.endless ? 0 : values[rows_.rows() + kind - nodes_.endless];
  }

  const NodeKinds& nodes_;
  const WorthRows& rows_;
  const std::vector<double>& replicas_;  // per item
  CutProgram program_;
  std::vector<std::vector<NodeKnapsack>> pieces_;  // per kind
  std::vector<double> upper_;                      // per kind
  std::vector<std::uint64_t> limit_;               // of searches, per kind
  SearchMemory memory_;
  std::vector<Column> columns_;  // by number of cut
  bool begun_ = false;
  int steps_ = 0;
  double excess_ = kMostExcess;
  double towards_best_ = kTowardsBest;
  std::size_t dropped_ = 0;  // cuts when those that were not tight were forgotten last
  double best_;
  double at_most_ = std::numeric_limits<double>::infinity();
  std::vector<double> best_y_;      // worths of rows with the best bound
  std::vector<double> best_worth_;  // of items, scaled to be valid
};

bool ConfigurationProgram::add(Column column, const std::vector<double>& values, bool anyway) {
  std::vector<double> row(program_.variables(), 0.0);
  rows_.cover(column.content, row);
  if (column.kind >= nodes_.endless) row[rows_.rows() + column.kind - nodes_.endless] = -1;
  const double cost = nodes_.kinds[column.kind].cost;
  const double worth = std::inner_product(row.begin(), row.end(), values.begin(), 0.0);
  const bool exceeds = worth > cost + kViolation;
  if (!exceeds && !anyway) return false;
  program_.add(row, cost);
  columns_.push_back(std::move(column));
  return exceeds;
}

void ConfigurationProgram::add_first() {
  const std::vector<double> none(program_.variables(), 0.0);
  const std::vector<double> worth = rows_.worths(best_y_);
  const auto fill = [&](std::size_t kind, const NodeKnapsack& knapsack, const std::vector<double>& by,
                        std::vector<double>& left) {
    NodeContent content = knapsack.fill(by, left);
    if (content.empty()) return false;
    add({kind, std::move(content)}, none, true);
    return true;
  };
  const std::vector<double> one(replicas_.size(), 1.0);
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const std::size_t contents = std::max<std::size_t>(2, kFirstContents / pieces_[k].size());
    for (const NodeKnapsack& knapsack : pieces_[k]) {
      std::vector<double> left = replicas_;
      for (std::size_t n = 0; n < contents && fill(k, knapsack, worth, left); ++n) continue;
    }
    for (std::size_t i = 0; i < replicas_.size() && rows_.exact(); ++i) {
      std::vector<double> alone(replicas_.size(), 0.0);
      alone[i] = replicas_[i];
      fill(k, pieces_[k].back(), one, alone);
    }
  }
}

bool ConfigurationProgram::add_others(std::size_t kind, const std::vector<double>& worth, const std::vector<double>& values) {
  std::vector<double> left = replicas_;
  bool added = false;
  for (int n = 0; n < kFurtherContents; ++n) {
    NodeContent content = pieces_[kind].front().fill(worth, left);
    if (content.empty()) break;
    added = add({kind, std::move(content)}, values) || added;
  }
  return added;
}

void ConfigurationProgram::evaluate(const std::vector<double>& y, const std::vector<double>& worth) {
  double most_scale = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < nodes_.endless; ++k) {
    if (upper_[k] > 0) most_scale = std::min(most_scale, nodes_.kinds[k].cost / upper_[k]);
  }
  const double covered = std::inner_product(y.begin(), y.end(), rows_.demand().begin(), 0.0);
  const auto try_scale = [&](double scale) {
    if (scale > most_scale || !(scale < 1e100)) return;
    double value = scale * covered;
    double terms = value;
    for (std::size_t k = nodes_.endless; k < nodes_.kinds.size(); ++k) {
      const double more = nodes_.kinds[k].count * std::max(0.0, scale * upper_[k] - nodes_.kinds[k].cost);
      value -= more;
      terms += more;
    }
    value -= terms * kConfigurationMargin;
    if (value <= best_) return;
    best_ = value;
    best_y_ = y;
    best_worth_ = worth;
    for (double& w : best_worth_) w *= scale;
    for (double& w : best_y_) w *= scale;
  };
  try_scale(most_scale);
  try_scale(std::min(1.0, most_scale));
  for (std::size_t k = nodes_.endless; k < nodes_.kinds.size(); ++k) {
    if (upper_[k] > 0) try_scale(nodes_.kinds[k].cost / upper_[k]);
  }
}

bool ConfigurationProgram::price(const std::vector<double>& y, const std::vector<double>& values, double excess, bool& added,
                                 WorkClock& clock) {
  const std::vector<double> worth = rows_.worths(y);
  Watch watch = clock.watch();
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const NodeKind& kind = nodes_.kinds[k];
    const double floor = (kind.cost + paid(values, k)) * (1 + excess);
    upper_[k] = 0;
    bool found = false;
    bool failed = false;
    for (NodeKnapsack& knapsack : pieces_[k]) {
      const NodeKnapsack::Priced priced = knapsack.price(worth, floor, kind.whole ? limit_[k] : 0, memory_, watch);
      upper_[k] = std::max(upper_[k], priced.upper);
      if (priced.value > floor) {
        found = true;
        added = add({k, priced.content}, values) || added;
      } else if (!kind.whole && priced.upper > floor) {
        added = add({k, knapsack.relaxed()}, values) || added;
      } else if (priced.upper > floor) {
        failed = true;
      }
      if (clock.step(1 + knapsack.take_work() / kOperationsPerUnit)) return false;
    }
    if (found) added = add_others(k, worth, values) || added;
    if (failed && !found) limit_[k] = std::min(8 * limit_[k], kLongestSearch);
  }
  evaluate(y, worth);
  return true;
}

bool ConfigurationProgram::begin(WorkClock& clock) {
  // The first evaluation finds bases and multipliers, by which the first columns are filled.
  const std::vector<double> values(program_.variables(), 0.0);
  const std::vector<double> first_y = best_y_;
  bool added = false;
  if (!price(first_y, values, kMostExcess, added, clock)) return false;
  begun_ = true;
  add_first();
  std::vector<double> row(program_.variables(), 0.0);
  for (std::size_t k = 0; k < rows_.rows(); ++k) {
    row[k] = 1;
    program_.add(row, kMostOfReplica);
    columns_.push_back({0, {}});
    row[k] = 0;
  }
  dropped_ = program_.cuts();
  return true;
}

bool ConfigurationProgram::run(WorkClock& clock) {
  if (!begun_ && !begin(clock)) return true;
  for (; steps_ < kMostSteps; ++steps_) {
    if (program_.cuts() - dropped_ > kMostCutsPerVariable * program_.variables()) {
      program_.drop_loose();
      dropped_ = program_.cuts();
    }
    const std::uint64_t pivots = program_.solve(kMostPivotsPerStep);
    at_most_ = std::min(at_most_, program_.objective());
    if (clock.step(1 + (pivots + 1) * program_.cuts() * program_.variables() / kOperationsPerUnit)) return true;
    const std::vector<double> values = program_.values();
    const double gap = program_.objective() - best_;
    if (gap <= (rows_.exact() ? kSolved : kNearlySolved) * std::max(best_, 1e-9)) return false;
    // Less than what the worths between may gain.
    excess_ = std::clamp((1 - towards_best_) * gap / std::max(best_, 1e-9) / 4, kLeastExcess, excess_);
    std::vector<double> y(rows_.rows());
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = towards_best_ * best_y_[k] + (1 - towards_best_) * values[k];
    bool added = false;
    const double before = best_;
    if (!price(y, values, excess_, added, clock)) return true;
    if (added) {
      if (best_ > before) towards_best_ = kTowardsBest;
      continue;
    }
    // Nothing between shows that the program is wrong: nearer to it, or closer.
    if (towards_best_ > 0) {
      towards_best_ = towards_best_ > 0.2 ? towards_best_ / 2 : 0;
    } else if (excess_ > kLeastExcess) {
      excess_ = std::max(kLeastExcess, excess_ / 8);
    } else {
      return false;
    }
  }
  return false;
}

}  // namespace

/// All that a search goes on from.
struct ConfigurationSearch::State {
  State(const Instance& of, const Supply& by, const EligibleGroups& groups, NodeCost node_cost)
      : instance(of),
        supply(by),
        cost(node_cost),
        prices(capacity_prices(of, by, groups, node_cost)),
        items(of, by, groups, prices),
        nodes(of, by, groups, items, node_cost),
        fixed(node_cost == NodeCost::kOne ? static_cast<double>(by.mandatory) : by.mandatory_price()) {
    for (AppId app = 0; app < of.apps(); ++app) worth.push_back(prices.worth(of, groups, app));
    std::size_t knapsacks = 0;
    for (const NodeKind& kind : nodes.kinds) knapsacks += kind.pieces.size();
    if (nodes.cost_unit <= 0 || knapsacks == 0 || items.count() == 0) return;
    // An item that fits nowhere proves that there is no complete plan; other bounds say so.
    replicas.assign(items.count(), 0.0);
    for (const NodeKind& kind : nodes.kinds) {
      for (const NodeKnapsack& knapsack : kind.pieces) {
        for (const std::uint32_t item : knapsack.numbers()) replicas[item] = items[item].replicas;
      }
    }
    std::vector<double> first(items.count());
    for (std::size_t i = 0; i < items.count(); ++i) first[i] = worth[items[i].apps.front()] / nodes.cost_unit;
    rows.emplace(items, groups.count(), replicas, first);
    program.emplace(nodes, *rows, replicas, std::max(0.0, prices.bound - fixed) / nodes.cost_unit);
  }

  const Instance& instance;
  const Supply& supply;
  NodeCost cost;
  CapacityPrices prices;
  PackedItems items;
  NodeKinds nodes;
  double fixed;                  // cost of mandatory nodes
  std::vector<double> worth;     // per app, by capacity
  std::vector<double> replicas;  // per item
  std::optional<WorthRows> rows;
  std::optional<ConfigurationProgram> program;  // nothing where there is nothing to find
};

void ConfigurationSearch::add_patterns(const State& of, ConfigurationBound& result) {
  result.items.resize(of.rows->rows());
  for (std::size_t i = 0; i < of.items.count(); ++i) {
    std::vector<AppId>& apps = result.items[of.rows->row_of(i)];
    apps.insert(apps.end(), of.items[i].apps.begin(), of.items[i].apps.end());
  }
  for (const auto& [column, times] : of.program->solution()) {
    const NodeKind& kind = of.nodes.kinds[column->kind];
    if (!kind.whole || kind.groups.empty() || column->content.empty()) continue;
    std::map<std::uint32_t, std::uint32_t> held;
    for (const auto& [item, count] : column->content) {
      held[static_cast<std::uint32_t>(of.rows->row_of(item))] += static_cast<std::uint32_t>(count);
    }
    result.patterns.push_back({kind.groups, times, {held.begin(), held.end()}});
  }
}

ConfigurationSearch::ConfigurationSearch(const Instance& instance, const Supply& supply, const EligibleGroups& groups,
                                         NodeCost cost)
    : state_(std::make_unique<State>(instance, supply, groups, cost)) {}

ConfigurationSearch::~ConfigurationSearch() = default;

bool ConfigurationSearch::run(WorkClock& clock) { return state_->program && state_->program->run(clock); }

ConfigurationBound ConfigurationSearch::result() const {
  const State& of = *state_;
  ConfigurationBound result;
  result.bound = of.prices.bound;
  result.at_most = std::numeric_limits<double>::infinity();
  result.worth = of.worth;
  if (of.program) {
    const double unit = of.nodes.cost_unit;
    result.bound = std::max(result.bound, of.fixed + of.program->bound() * unit);
    result.at_most = of.fixed + of.program->at_most() * unit;
    for (std::size_t i = 0; i < of.items.count(); ++i) {
      for (const AppId app : of.items[i].apps) result.worth[app] = of.program->worth()[i] * unit;
    }
    if (of.rows->exact()) add_patterns(of, result);
  }
  result.bound =
      of.cost == NodeCost::kOne ? std::ceil(result.bound) : CostUnit(of.supply).round_up(result.bound * (1 - 0x1p-40));
  return result;
}

const BoundInfo& configuration_bound_info(const Instance& instance) {
  static constexpr std::string_view kSource = "column generation (Gilmore and Gomory 1961; Farley 1990)";
  static constexpr BoundInfo kNodes = {"configuration", Objective::kNodes, kSource, nullptr};
  static constexpr BoundInfo kCost = {"configuration-price", Objective::kCost, kSource, nullptr};
  return instance.has_prices() ? kCost : kNodes;
}

void add_configuration_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds) {
  if (bounds.infeasible) return;
  const BoundInfo& info = configuration_bound_info(instance);
  const NodeCost cost = instance.has_prices() ? NodeCost::kPrice : NodeCost::kOne;
  Watch watch = clock.watch();
  const Supply supply(instance, watch);
  if (!supply.is_whole()) return;
  const ConfigurationBound found = configuration_bound(instance, supply, EligibleGroups(instance), cost, clock);
  if (!watch.ended()) add_bound(info, found.bound, bounds);
}

ConfigurationBound configuration_bound(const Instance& instance, const Supply& supply, const EligibleGroups& groups,
                                       NodeCost cost, WorkClock& clock) {
  ConfigurationSearch search(instance, supply, groups, cost);
  search.run(clock);
  return search.result();
}

}  // namespace stowage
