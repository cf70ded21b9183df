#include "core/columns/column_problem.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/bounds/cost_unit.h"
#include "core/bounds/prices/capacity_prices.h"
#include "core/bounds/prices/risk.h"
#include "core/columns/best_content.h"
#include "core/model/resident_rows.h"

namespace stowage {
namespace {

/// Amounts of all items on nodes of all kinds, at most.
constexpr std::uint64_t kMostAmounts = std::uint64_t{1} << 25;

bool may_leave(const Request& request) { return request.ignore_running || request.move_budget > 0; }

/// Replicas of apps on each listed node, ascending by app.
class Holdings {
 public:
  Holdings() = default;
  /// @param runs    whether what runs counts
  /// @param pinned  whether what is pinned counts: of an app that is pinned and runs, the larger number
  /// @param watch   ends the reading; then all rows mean nothing
  Holdings(const Instance& instance, bool runs, bool pinned, WatchRef watch) {
    const std::vector<Residence> none;
    const InstanceData& data = instance.data();
    const ResidentRows running(instance.listed_nodes(), {runs ? &data.running : &none}, watch);
    const ResidentRows pins(instance.listed_nodes(), {pinned ? &data.pinned : &none}, watch);
    begin_.reserve(instance.listed_nodes() + std::size_t{1});
    std::vector<Tenant> there;
    for (NodeId node = 0; node < instance.listed_nodes() && !watch.step(kStepsPerNode); ++node) {
      there.clear();
      for (const auto& [app, replicas] : running.at(node)) entry(there, app).replicas += replicas;
      for (const auto& [app, replicas] : pins.at(node)) {
        std::uint32_t& of = entry(there, app).replicas;
        of = std::max(of, replicas);
      }
      tenants_.insert(tenants_.end(), there.begin(), there.end());
      begin_.push_back(tenants_.size());
    }
    begin_.resize(instance.listed_nodes() + std::size_t{1}, tenants_.size());
  }
  [[nodiscard]] std::span<const Tenant> at(NodeId node) const {
    if (begin_.size() == 1) return {};
    return std::span(tenants_).subspan(begin_[node], begin_[node + std::size_t{1}] - begin_[node]);
  }
  [[nodiscard]] std::span<const Tenant> all() const { return tenants_; }

  /// The entry of an app, which is added where there is none.
  static Tenant& entry(std::vector<Tenant>& there, AppId app) {
    const auto at = std::lower_bound(there.begin(), there.end(), app, before);
    return at != there.end() && at->app == app ? *at : *there.insert(at, {app, 0});
  }
  [[nodiscard]] static std::uint32_t count(std::span<const Tenant> there, AppId app) {
    const auto at = std::lower_bound(there.begin(), there.end(), app, before);
    return at != there.end() && at->app == app ? at->replicas : 0;
  }

 private:
  static constexpr std::uint64_t kStepsPerNode = 8;
  static bool before(const Tenant& one, AppId app) { return one.app < app; }

  std::vector<std::size_t> begin_ = {0};
  std::vector<Tenant> tenants_;
};

}  // namespace

class ColumnProblem::Builder {
 public:
  Builder(const Instance& instance, const Request& request, ColumnProblem& problem, WatchRef watch, bool with_limits)
      : instance_(instance),
        with_limits_(with_limits),
        problem_(problem),
        watch_(watch),
        supply_(instance, watch),
        eligible_(instance),
        stays_(instance, !may_leave(request), true, watch),
        may_stay_(may_leave(request) ? Holdings(instance, true, false, watch) : Holdings()),
        waiting_(instance.data().replicas) {
    for (const auto& [app, replicas] : stays_.all()) waiting_[app] -= std::min(waiting_[app], replicas);
  }

  bool build() {
    if (!supply_.is_whole() || watch_.ended()) return false;
    problem_.instance = &instance_;
    problem_.dims = instance_.dims();
    set_costs();
    supply_.visit_demand([&](const auto& demand_of) {
      for (AppId app = 0; app < instance_.apps(); ++app) demand_.emplace_back(demand_of(app).begin(), demand_of(app).end());
    });
    read_risks();
    make_items();
    if (problem_.dearest <= 0) return false;
    if (!make_kinds()) return false;
    add_standing_use();
    leave_out();
    return !watch_.ended();
  }

 private:
  void set_costs() {
    if (problem_.objective == Objective::kUcac) {
      const ResourceId r = instance_.uncertain_resource();
      for (const NodeClass& of : instance_.data().classes) problem_.dearest = std::max(problem_.dearest, of.capacity[r]);
      return;
    }
    for (const Supply::Group& group : supply_.groups) problem_.dearest = std::max(problem_.dearest, cost_of(group));
    problem_.unit = problem_.objective == Objective::kCost ? CostUnit(supply_).value() : 1;
  }
  [[nodiscard]] double cost_of(const Supply::Group& group) const {
    return problem_.objective == Objective::kUcac ? 0 : problem_.objective == Objective::kCost ? group.price : 1;
  }

  // Of something whose mean in a period is mean_of(period).
  template <class MeanOf>
  [[nodiscard]] Use use_of(double spread, const MeanOf& mean_of) const {
    Use use;
    const double factor = instance_.confidence_factor() / problem_.dearest;
    use.square = factor * (factor * spread);
    for (std::uint32_t t = 0; t < instance_.periods() && instance_.periods() > 1; ++t)
      use.means.push_back(mean_of(t) / problem_.dearest);
    return use;
  }
  [[nodiscard]] Use use_of(AppId app) const {
    if (problem_.objective != Objective::kUcac) return {};
    const ResourceId r = instance_.uncertain_resource();
    return use_of(instance_.spread(app, r), [&](std::uint32_t t) { return instance_.demand(app, r, t); });
  }
  // Of what stays on a listed node.
  [[nodiscard]] Use use_of_node(NodeId node) const {
    if (problem_.objective != Objective::kUcac) return {};
    const ResourceId r = instance_.uncertain_resource();
    double spread = instance_.load_spread(node, r);
    for (const auto& [app, replicas] : stays_.at(node)) spread += instance_.spread(app, r) * replicas;
    return use_of(spread, [&](std::uint32_t t) {
      double mean = instance_.load(node, r, t);
      for (const auto& [app, replicas] : stays_.at(node)) mean += instance_.demand(app, r, t) * replicas;
      return mean;
    });
  }
  // Used capacity that every plan has; less where the watch has ended.
  void add_standing_use() {
    if (problem_.objective != Objective::kUcac) return;
    const ResourceId r = instance_.uncertain_resource();
    double sum = 0;
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      if (watch_.step(instance_.periods() * (1 + stays_.at(node).size()) + kStepsToOpen)) return;
      const Use use = use_of_node(node);
      sum += use.peak() + std::sqrt(use.square);
      sum += use.means.empty() ? instance_.load(node, r, 0) / problem_.dearest : 0;
    }
    for (AppId app = 0; app < instance_.apps() && instance_.periods() == 1; ++app)
      sum += instance_.demand(app, r, 0) * instance_.replicas(app) / problem_.dearest;
    problem_.standing += sum * problem_.dearest;
  }

  // Instances round risks up. Where a node starts with more than it has room for, it may go on so: risks of the resource do not
  // count.
  void read_risks() {
    risk_.resize(instance_.apps());
    if (!instance_.uncertain()) return;
    for (const std::uint8_t above : starts_above(instance_, watch_)) risk_counts_.push_back(above == 0 ? 1 : 0);
    for (AppId app = 0; app < instance_.apps(); ++app) risk_[app] = least_risk(instance_.scaled_risk(app));
  }
  // Per resource; empty where no demand is uncertain.
  [[nodiscard]] std::vector<std::int64_t> least_risk(std::span<const std::int64_t> risks) const {
    std::vector<std::int64_t> result(risk_counts_.size(), 0);
    for (ResourceId r = 0; r < std::min(risks.size(), result.size()); ++r)
      result[r] = risk_counts_[r] != 0 ? std::max<std::int64_t>(0, risks[r] - 1) : 0;
    return result;
  }

  void make_items() {
    const LimitRows& limits = instance_.limit_rows();
    item_of_.assign(instance_.apps(), kNone);
    std::map<std::tuple<std::uint32_t, std::vector<std::int64_t>, std::vector<std::int64_t>, Use>, std::uint32_t> alike;
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (waiting_[app] == 0) continue;
      const bool is_free = limits.degree(app) == 0 && limits.self_limit(app) >= instance_.replicas(app);
      const auto next = static_cast<std::uint32_t>(problem_.items.size());
      problem_.is_relaxed = problem_.is_relaxed || (!is_free && !with_limits_);
      Use use = use_of(app);
      const std::uint32_t item = is_free || !with_limits_
                                     ? alike.try_emplace({eligible_.of(app), demand_[app], risk_[app], use}, next).first->second
                                     : next;
      if (item == next) problem_.items.push_back({{}, 0, demand_[app], risk_[app], std::move(use)});
      problem_.items[item].apps.push_back(app);
      problem_.items[item].replicas += waiting_[app];
      item_of_[app] = item;
    }
    problem_.limits.resize(problem_.items.size());
    if (!with_limits_) return;
    find_broken_limits();
    for (std::uint32_t i = 0; i < problem_.items.size(); ++i) {
      const AppId app = problem_.items[i].apps.front();
      for (std::uint32_t k = 0; k < limits.degree(app); ++k) {
        const Neighbour to = limits.neighbour(app, k);
        if (item_of_[to.app] == kNone || broken_.contains(std::minmax(app, to.app))) continue;
        problem_.limits[i].push_back({item_of_[to.app], to.imposes, to.obeys});
      }
    }
  }

  // A start that breaks limits may stay, though it need not, also beside what is pinned.
  void find_broken_limits() {
    const LimitRows& limits = instance_.limit_rows();
    std::vector<Tenant> there;
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      if (watch_.step()) return;
      if (may_stay_.at(node).empty()) continue;
      there.assign(stays_.at(node).begin(), stays_.at(node).end());
      for (const auto& [app, replicas] : may_stay_.at(node)) Holdings::entry(there, app).replicas += replicas;
      for (const auto& [app, replicas] : may_stay_.at(node)) {
        if (limits.degree(app) == 0 || watch_.step(there.size())) continue;
        for (const auto& [other, of_other] : there) {
          const std::uint32_t codes = other == app ? 0 : limits.find(app, other);
          if (codes == 0 || (of_other <= limits.imposes(codes) && replicas <= limits.obeys(codes))) continue;
          broken_.insert(std::minmax(app, other));
        }
      }
    }
  }

  bool make_kinds() {
    std::vector<std::uint64_t> anonymous;  // per group
    for (const Supply::Group& group : supply_.groups) anonymous.push_back(group.listed == kNone ? group.count : 0);
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      const Supply::Group& group = supply_.groups[supply_.group_of[node]];
      std::vector<std::int64_t> carries = group.carries;
      std::vector<std::int64_t> risk = least_risk(instance_.scaled_load_risk(node));
      for (const auto& [app, replicas] : stays_.at(node)) {
        problem_.stays.push_back({app, node, replicas});
        for (std::size_t r = 0; r < risk.size(); ++r) risk[r] += risk_[app][r] * replicas;
        for (std::uint32_t h = 0; h < problem_.dims; ++h) {
          carries[h] -= std::min(carries[h], demand_[app][h] > carries[h] / replicas ? carries[h] : demand_[app][h] * replicas);
        }
      }
      const bool in_use = group.mandatory || !stays_.at(node).empty();
      if (in_use) problem_.standing += cost_of(group);
      problem_.standing_nodes += in_use ? 1 : 0;
      if (!add(group, in_use, {std::move(carries), std::move(risk), use_of_node(node)}, stays_.at(node), 1, node)) return false;
    }
    const std::vector<std::int64_t> none(instance_.uncertain() ? instance_.resources() : 0, 0);
    for (const Supply::Group& group : supply_.groups) {
      if (group.listed != kNone) continue;
      const Use nothing = problem_.objective == Objective::kUcac ? use_of(0, [](std::uint32_t) { return 0.0; }) : Use{};
      if (!add(group, false, {group.carries, none, nothing}, {}, group.count, kNone)) return false;
    }
    return true;
  }

  struct Room {
    std::vector<std::int64_t> carries;
    std::vector<std::int64_t> risk;
    Use use;
  };
  /// Adds nodes to their kind. False where there are too many kinds, or the watch has ended.
  bool add(const Supply::Group& group, bool in_use, Room room, std::span<const Tenant> stays, std::uint64_t count,
           NodeId listed) {
    if (watch_.step(instance_.apps() + problem_.items.size() * problem_.dims + kStepsToOpen)) return false;
    std::vector<std::uint32_t> most;
    bool any = false;
    for (const Item& item : problem_.items) {
      most.push_back(most_of(item, group, room, stays, listed));
      any = any || most.back() > 0;
    }
    if (!any) return true;
    lower_to_demand(most, room);
    const double cost = in_use ? 0 : cost_of(group);
    const double unit = problem_.unit;
    Kind kind{cost / problem_.dearest,
              in_use,
              unit > 0 ? std::llround(cost / unit) : 0,
              0,
              std::move(room.carries),
              std::move(room.risk),
              std::move(room.use),
              std::move(most),
              {},
              {}};
    const auto next = static_cast<std::uint32_t>(problem_.kinds.size());
    const auto [at, is_new] = index_.try_emplace({kind.price, in_use, kind.carries, kind.risk, kind.use, kind.most}, next);
    if (is_new) problem_.kinds.push_back(std::move(kind));
    const std::uint64_t intervals = instance_.uncertain() ? BestContent::kRiskIntervals : 1;
    if (problem_.kinds.size() * problem_.items.size() * problem_.dims * intervals > kMostAmounts) return false;
    Kind& of = problem_.kinds[at->second];
    of.count = std::max(count, of.count) == Supply::kEndless ? Supply::kEndless : of.count + count;
    if (listed != kNone) {
      of.listed.push_back(listed);
    } else {
      of.classes.push_back(group.node_class);
    }
    return true;
  }
  // Room beyond what all items together use makes no difference between nodes.
  void lower_to_demand(const std::vector<std::uint32_t>& most, Room& room) const {
    if (!room.risk.empty()) return;
    for (std::uint32_t h = 0; h < problem_.dims; ++h) {
      std::int64_t left = room.carries[h];
      for (std::size_t i = 0; i < most.size() && left > 0; ++i) {
        if (most[i] == 0) continue;
        const std::int64_t demand = problem_.items[i].demand[h];
        left = demand > left / most[i] ? 0 : left - demand * most[i];
      }
      room.carries[h] -= left;
    }
  }
  [[nodiscard]] std::uint32_t most_of(const Item& item, const Supply::Group& group, const Room& room,
                                      std::span<const Tenant> stays, NodeId listed) const {
    const LimitRows& limits = instance_.limit_rows();
    const AppId app = item.apps.front();
    if (!eligible_.admits(eligible_.of(app), group)) return 0;
    std::uint32_t by_room = item.replicas;
    for (std::uint32_t h = 0; h < problem_.dims; ++h) {
      const std::int64_t held = room.risk.empty() ? 0 : room.risk[instance_.resource_of(h)];
      by_room = problem_.most_beside(room.carries[h], held, item, h, by_room);
    }
    std::uint64_t by_limits = 0;
    for (const AppId each : item.apps) {
      const std::int64_t there = Holdings::count(stays, each);
      const std::int64_t at_start = start_count(each, listed);
      by_limits += static_cast<std::uint64_t>(
          std::clamp<std::int64_t>(std::max(at_start, std::int64_t{limits.self_limit(each)} - there), 0, waiting_[each]));
    }
    auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(by_room, by_limits));
    if (item.apps.size() > 1) return static_cast<std::uint32_t>(most);
    const std::int64_t there = Holdings::count(stays, app);
    // What runs beside what stays may stay, too. Beside more of an app, no more of another one breaks its limit.
    const std::int64_t at_start = start_count(app, listed);
    for (const auto& [other, replicas] : stays) {
      const std::uint32_t codes = limits.find(app, other);
      if (codes == 0) continue;
      const bool breaks = there == 0 && limits.imposes(codes) < replicas;
      const std::int64_t allowed = breaks ? 0 : std::int64_t{limits.obeys(codes)} - there;
      most = std::min(most, std::max(allowed, at_start));
    }
    return static_cast<std::uint32_t>(most);
  }

  // What runs on a listed node and may leave.
  [[nodiscard]] std::uint32_t start_count(AppId app, NodeId listed) const {
    return listed == kNone ? 0 : Holdings::count(may_stay_.at(listed), app);
  }

  // Items without room.
  void leave_out() {
    for (std::uint32_t i = 0; i < problem_.items.size(); ++i) {
      const bool has_room =
          std::any_of(problem_.kinds.begin(), problem_.kinds.end(), [i](const Kind& kind) { return kind.most[i] > 0; });
      if (has_room) continue;
      problem_.items[i].replicas = 0;
      problem_.leaves_out = true;
    }
  }

  using Key = std::tuple<double, bool, std::vector<std::int64_t>, std::vector<std::int64_t>, Use, std::vector<std::uint32_t>>;
  const Instance& instance_;
  bool with_limits_;
  ColumnProblem& problem_;
  WatchRef watch_;
  Supply supply_;
  EligibleGroups eligible_;
  Holdings stays_;
  Holdings may_stay_;  // what runs and may leave
  std::vector<std::uint32_t> waiting_;
  std::vector<std::vector<std::int64_t>> demand_;
  std::vector<std::vector<std::int64_t>> risk_;  // per app and resource
  std::vector<std::uint8_t> risk_counts_;        // per resource; empty where no demand is uncertain
  std::vector<std::uint32_t> item_of_;
  std::set<std::pair<AppId, AppId>> broken_;  // limits that may stay broken somewhere
  std::map<Key, std::uint32_t> index_;
};

std::uint64_t ColumnProblem::replicas() const {
  std::uint64_t sum = 0;
  for (const Item& item : items) sum += item.replicas;
  return sum;
}

double ColumnProblem::as_bound(double cost) const {
  const double bound = standing + cost * dearest;
  return objective == Objective::kNodes ? std::nearbyint(bound) : bound * (1 - 0x1p-40);
}

double ColumnProblem::Use::peak() const { return means.empty() ? 0 : *std::max_element(means.begin(), means.end()); }

void ColumnProblem::Use::add(const Use& each, std::uint32_t copies) {
  square += each.square * copies;
  for (std::size_t t = 0; t < means.size(); ++t) means[t] += each.means[t] * copies;
}

double ColumnProblem::Use::beyond(const Use& before) const {
  return peak() - before.peak() + std::sqrt(square) - std::sqrt(before.square);
}

double ColumnProblem::added_use(std::uint32_t kind, const ItemContent& content) const {
  Use use = kinds[kind].use;
  for (const auto& [item, copies] : content) use.add(items[item].use, copies);
  return use.beyond(kinds[kind].use);
}

ColumnProblem ColumnProblem::of_nodes_within(double cost) const {
  ColumnProblem nodes = *this;
  nodes.budget = std::llround(cost * dearest / unit);
  nodes.objective = Objective::kNodes;
  nodes.dearest = 1;
  nodes.unit = 1;
  nodes.standing = static_cast<double>(standing_nodes);
  for (Kind& kind : nodes.kinds) {
    kind.price = kind.in_use ? 0 : 1;
    kind.units = std::min(kind.units, nodes.budget + 1);
  }
  return nodes;
}

std::uint32_t ColumnProblem::most_beside(std::int64_t left, std::int64_t held, const Item& item, std::uint32_t dim,
                                         std::uint32_t most) const {
  const std::int64_t demand = item.demand[dim];
  if (item.risk.empty()) return demand == 0 ? most : static_cast<std::uint32_t>(std::min<std::int64_t>(most, left / demand));
  const std::int64_t risk = item.risk[instance->resource_of(dim)];
  if (demand == 0 && risk == 0) return most;
  return instance->most_beside(left, held, demand, risk, instance->resource_of(dim), most);
}

bool ColumnProblem::within_kind(std::uint32_t kind, const ItemContent& content) const {
  const Kind& of = kinds[kind];
  std::vector<std::int64_t> left = of.carries;
  std::vector<std::int64_t> held = of.risk;
  for (const auto& [item, copies] : content) {
    if (copies > of.most[item]) return false;
    for (std::uint32_t h = 0; h < dims; ++h) {
      const ResourceId r = held.empty() ? 0 : instance->resource_of(h);
      if (most_beside(left[h], held.empty() ? 0 : held[r], items[item], h, copies) < copies) return false;
      left[h] -= items[item].demand[h] * copies;
    }
    for (std::size_t r = 0; r < held.size(); ++r) held[r] += items[item].risk[r] * copies;
    for (const Limit& limit : limits[item]) {
      const auto at = std::lower_bound(content.begin(), content.end(), std::pair(limit.item, 0u));
      if (at == content.end() || at->first != limit.item) continue;
      if (at->second > limit.imposes || copies > limit.obeys) return false;
    }
  }
  return true;
}

std::uint64_t ColumnProblem::work_to_make(const Instance& of) {
  constexpr std::uint64_t kQuestionsPerUnit = 32;
  const std::uint64_t nodes = std::uint64_t{of.classes()} + of.dims() + of.listed_nodes();
  return nodes * of.apps() / kQuestionsPerUnit;
}

ColumnProblem::ColumnProblem(const Instance& of, const Request& request, Objective costs, WatchRef watch, bool with_limits)
    : objective(judged_by(of, costs)) {
  is_whole = Builder(of, request, *this, watch, with_limits).build();
}

}  // namespace stowage
