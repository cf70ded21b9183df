// Few nodes: the fewest replicas that have to wait, priority by priority.
//
// Proof sketch. The request's nodes are at most as many as its limit, or as are in use at the start. Fix prices y >= 0 of the
// dimensions. What a plan places is worth, by its demand, at most K(y): what the dearest nodes carry, as many as there may be.
// Pinned replicas, and running ones where none may move, are placed in every plan. Of the others at most most_per_node() times
// the nodes are placed of an app. Taking the cheapest replicas of the highest priority first, as long as they fit into K(y),
// places the most of them that any plan can (a knapsack whose items have equal profit). A plan that leaves no more over of that
// priority places as many of them, which take at least what the cheapest ones take; the rest of K(y) is for the next priority,
// and so on. Each priority may have prices of its own (surrogate relaxation; Glover 1975). The number that is placed is a
// quasi-convex function of y. From the resource that is shortest, y moves towards the one that the cheapest replicas
// exceed most, by bisection, until they exceed none. All sums are of nonnegative terms; a margin far above their rounding
// errors is added to K(y). Replicas have equal weight: weights would divide the prices by which they are sorted.
//
// O(apps log apps) per look at prices, and O(apps x dimensions) per dimension that gets a price.

#include "core/bounds/left_over_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/sort_by.h"
#include "core/base/watched.h"
#include "core/bounds/bounds.h"

namespace stowage {
namespace {

/// Relative to what the nodes carry.
constexpr double kCarryMargin = 1e-10;
/// A dimension that is exceeded by a smaller share gets no price.
constexpr double kExceeded = 1e-6;
/// Priorities that get prices of their own; the prices of the last of them serve all later ones.
constexpr std::uint32_t kPricedLevels = 4;
/// Looks at prices per priority: fewer where there are many apps.
constexpr std::size_t kMostLooks = 160;
constexpr std::size_t kFewestLooks = 24;
constexpr std::size_t kMostLookedAt = 4'000'000;  // apps
/// Looks per dimension that gets a price.
constexpr std::size_t kBisections = 12;

/// Numbers that are read in one step, where they stand together; see Supply::ends().
constexpr std::size_t kNumbersPerStep = 4;
/// A mix of equal numbers may miss them by this share.
constexpr double kMixRounding = 1e-6;

/// Prices of the dimensions, and what they make of everything.
struct Prices {
  std::vector<double> of_dim;
  std::vector<double> of_entry;  // a replica
  std::vector<double> of_group;  // what one node carries
  double of_held = 0;

  /// The prices on the way from `a` to `b`.
  Prices(const Prices& a, const Prices& b, double share) : Prices(a) {
    const auto mix = [share](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = (1 - share) * to[k] + share * from[k];
    };
    mix(of_dim, b.of_dim);
    mix(of_entry, b.of_entry);
    mix(of_group, b.of_group);
    of_held = (1 - share) * of_held + share * b.of_held;
  }
  Prices() = default;
};

class FewNodes {
 public:
  FewNodes(const Instance& instance, const Supply& supply, const Request& request)
      : instance_(instance), supply_(supply), in_every_plan_(instance.apps(), 0), held_(instance.dims(), 0) {
    find_held(request);
    count_nodes(request);
    find_levels();
  }

  LeftOverBound run() {
    LeftOverBound bound;
    std::vector<double> demand = held_;
    std::uint32_t priced = 0;
    double room = 0;
    for (Level& level : levels_) {
      if (ended()) break;
      const auto k = static_cast<std::size_t>(&level - levels_.data());
      add_demand(level, demand);
      if (priced == 0 && !is_short(demand)) {
        level.most = level.wanted;
      } else if (priced < kPricedLevels) {
        level.most = fewest_placed(k, demand);
        if (priced++ == 0) {
          bound.price = prices_.of_dim;
          bound.mix = in_every_plan_;
          for (std::size_t e = 0; e < level.last; ++e) bound.mix[entries_[e].app] += mix_[e];
        }
        if (priced == kPricedLevels) room = room_after(prices_, k + 1);
      } else {
        level.most = place(level, prices_, room);
      }
      level.known = true;
      bound.fewest.add(level.priority, level.unplaceable + level.wanted - level.most, 1);
    }
    return bound;
  }

 private:
  /// An app with replicas that are not in every plan.
  struct Entry {
    AppId app;
    std::uint32_t wanted;
  };
  /// The apps of one priority.
  struct Level {
    std::int32_t priority;
    std::size_t first;              // entry
    std::size_t last;               // one past the end
    std::uint64_t unplaceable = 0;  // replicas for which nodes are too few whatever else is placed
    std::uint64_t wanted = 0;       // the others that are not in every plan
    std::uint64_t most = 0;         // placed of them
    bool known = false;             // whether `most` is
  };

  /// Whether the supply has ended the bound: then nobody uses it, and what is left to do is left out.
  [[nodiscard]] bool ended() const { return supply_.watch().ended(); }

  /// What stays where it is in every plan, and the nodes that are in use at the start.
  void find_held(const Request& request) {
    const InstanceData& data = instance_.data();
    std::vector<std::pair<std::pair<NodeId, AppId>, std::uint32_t>> held;
    std::vector<std::uint8_t> in_use(instance_.listed_nodes(), 0);
    const auto add = [&](const std::vector<Residence>& list, bool stays) {
      for (const Residence& r : list) {
        if (supply_.ends(1)) return;
        in_use[r.node] = 1;
        if (stays) held.push_back({{r.node, r.app}, r.replicas});
      }
    };
    if (!request.ignore_running) add(data.running, request.move_budget == 0);
    add(data.pinned, true);
    watched_sort(held, supply_.watch());
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (supply_.ends(1)) return;
      // What runs and is pinned counts once: the larger number, which comes last.
      if (k + 1 == held.size() || held[k + 1].first != held[k].first) in_every_plan_[held[k].first.second] += held[k].second;
    }
    supply_.visit_demand([&](const auto& demand_of) {
      for (AppId app = 0; app < instance_.apps(); ++app) {
        if (in_every_plan_[app] == 0 || supply_.ends(held_.size())) continue;
        const auto demand = demand_of(app);
        for (std::size_t h = 0; h < held_.size(); ++h) held_[h] += static_cast<double>(demand[h]) * in_every_plan_[app];
      }
    });
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      const auto load = instance_.scaled_load(node);
      if (supply_.ends(1 + load.size() / kNumbersPerStep)) return;
      if (in_use[node] != 0 || std::any_of(load.begin(), load.end(), [](std::int32_t units) { return units > 0; })) ++in_use_;
    }
  }

  void count_nodes(const Request& request) {
    nodes_ = request.node_limit == 0 ? Supply::kEndless : std::max<std::uint64_t>(request.node_limit, in_use_);
    further_ = nodes_ - std::min(nodes_, supply_.mandatory);
    std::uint64_t all = 0;
    for (const Supply::Group& group : supply_.groups) {
      if (supply_.ends(1)) break;
      all = std::max(all, group.count) == Supply::kEndless ? Supply::kEndless : all + group.count;
    }
    limited_ = all > nodes_;
    nodes_ = std::min(nodes_, all);
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      const std::vector<double> column = group_column(h);
      carried_.push_back(carried(column, column));
    }
  }

  void find_levels() {
    const std::vector<std::uint64_t> most = most_per_node(instance_, supply_);
    if (ended()) return;
    std::vector<AppId> apps(instance_.apps());
    std::iota(apps.begin(), apps.end(), 0);
    std::stable_sort(apps.begin(), apps.end(), [&](AppId a, AppId b) { return instance_.priority(a) > instance_.priority(b); });
    for (const AppId app : apps) {
      if (supply_.ends(kStepsToSort)) break;
      if (levels_.empty() || levels_.back().priority != instance_.priority(app)) {
        levels_.push_back({.priority = instance_.priority(app), .first = entries_.size(), .last = entries_.size()});
      }
      Level& level = levels_.back();
      const std::uint32_t replicas = instance_.replicas(app);
      std::uint32_t placeable = replicas;
      if (most[app] == 0 || (replicas + most[app] - 1) / most[app] > nodes_) {
        placeable = static_cast<std::uint32_t>(most[app] * nodes_);  // less than replicas
      }
      const std::uint32_t wanted = placeable - std::min(placeable, in_every_plan_[app]);
      level.unplaceable += replicas - in_every_plan_[app] - wanted;
      level.wanted += wanted;
      if (wanted > 0) entries_.push_back({app, wanted});
      level.last = entries_.size();
    }
    taken_.assign(entries_.size(), 0);
  }

  // What the nodes carry.

  [[nodiscard]] std::vector<double> group_column(std::uint32_t h) const {
    std::vector<double> column(supply_.groups.size(), 0);
    for (std::size_t g = 0; g < column.size() && !supply_.ends(1); ++g) {
      column[g] = static_cast<double>(supply_.groups[g].carries[h]);
    }
    return column;
  }
  /// What the nodes carry of `what`: the mandatory ones and as many others as there may be, those of most `worth` first.
  /// Infinite where endless nodes carry any of it.
  [[nodiscard]] double carried(const std::vector<double>& worth, const std::vector<double>& what) const {
    double sum = 0;
    std::vector<std::uint32_t> others;
    for (std::uint32_t g = 0; g < what.size() && !supply_.ends(1); ++g) {
      const Supply::Group& group = supply_.groups[g];
      if (limited_ && !group.mandatory) {
        others.push_back(g);
      } else if (what[g] > 0) {
        if (group.count == Supply::kEndless) return std::numeric_limits<double>::infinity();
        sum += what[g] * static_cast<double>(group.count);
      }
    }
    watched_sort(others, supply_.watch(),
                 [&worth](std::uint32_t a, std::uint32_t b) { return worth[a] != worth[b] ? worth[a] > worth[b] : a < b; });
    std::uint64_t left = further_;
    for (const std::uint32_t g : others) {
      if (supply_.ends(1)) break;
      const std::uint64_t taken = std::min(left, supply_.groups[g].count);
      sum += what[g] * static_cast<double>(taken);
      left -= taken;
    }
    return sum;
  }

  // What is placed.

  void add_demand(const Level& level, std::vector<double>& sum) const {
    supply_.visit_demand([&](const auto& demand_of) {
      for (std::size_t e = level.first; e < level.last && !supply_.ends(sum.size()); ++e) {
        const auto demand = demand_of(entries_[e].app);
        for (std::size_t h = 0; h < sum.size(); ++h) sum[h] += static_cast<double>(demand[h]) * entries_[e].wanted;
      }
    });
  }
  [[nodiscard]] bool is_short(const std::vector<double>& demand) const {
    for (std::size_t h = 0; h < demand.size(); ++h) {
      if (demand[h] > carried_[h] * (1 + kCarryMargin)) return true;
    }
    return false;
  }

  /// Prices at which only this dimension is worth anything, and all nodes together 1.
  [[nodiscard]] Prices prices_of(std::uint32_t h) const {
    const double unit = 1 / std::max(1.0, carried_[h]);
    Prices prices;
    prices.of_dim.assign(instance_.dims(), 0);
    prices.of_dim[h] = unit;
    prices.of_group = group_column(h);
    for (double& worth : prices.of_group) worth *= unit;
    supply_.visit_demand([&](const auto& demand_of) {
      prices.of_entry.assign(entries_.size(), 0);
      for (std::size_t e = 0; e < entries_.size() && !supply_.ends(1); ++e) {
        prices.of_entry[e] = demand_of(entries_[e].app)[h] * unit;
      }
    });
    prices.of_held = held_[h] * unit;
    return prices;
  }

  /// Places replicas of the level, the cheapest ones first: all that have room or, where it is known how many are placed, as
  /// many. Takes their worth off `room`, and returns their number.
  std::uint64_t place(const Level& level, const Prices& prices, double& room) {
    if (supply_.ends(kStepsToSort * (level.last - level.first))) return 0;
    const std::vector<double>& price = prices.of_entry;
    double all = 0;
    for (std::size_t e = level.first; e < level.last; ++e) all += price[e] * entries_[e].wanted;
    if (level.known ? level.most == level.wanted : all <= room) {
      for (std::size_t e = level.first; e < level.last; ++e) taken_[e] = entries_[e].wanted;
      room = std::max(0.0, room - all);
      return level.wanted;
    }
    order_.resize(level.last - level.first);
    std::iota(order_.begin(), order_.end(), static_cast<std::uint32_t>(level.first));
    sort_by(order_, price);
    std::uint64_t left = level.known ? level.most : level.wanted;
    std::uint64_t placed = 0;
    for (const std::uint32_t e : order_) {
      std::uint64_t taken = std::min<std::uint64_t>(left, entries_[e].wanted);
      if (!level.known && price[e] * static_cast<double>(taken) > room) taken = static_cast<std::uint64_t>(room / price[e]);
      taken_[e] = static_cast<std::uint32_t>(taken);
      room = std::max(0.0, room - price[e] * static_cast<double>(taken));
      left -= taken;
      placed += taken;
      // Of the next ones, none costs less.
      if (taken < entries_[e].wanted) left = 0;
    }
    return placed;
  }
  /// What is left to the level once those before it, which are known, are placed.
  double room_after(const Prices& prices, std::size_t levels) {
    double room = std::max(0.0, carried(prices.of_group, prices.of_group) * (1 + kCarryMargin) - prices.of_held);
    for (std::size_t k = 0; k < levels; ++k) place(levels_[k], prices, room);
    return room;
  }
  /// Most replicas of the level that these prices let be placed.
  std::uint64_t look(const Prices& prices, std::size_t k) {
    double room = room_after(prices, k);
    return place(levels_[k], prices, room);
  }

  // Which prices.

  /// The dimension in which what the last look placed exceeds most what the nodes carry; kNone where it exceeds none.
  [[nodiscard]] std::uint32_t most_exceeded(const Prices& prices, std::size_t k) const {
    std::vector<double> sum = held_;
    supply_.visit_demand([&](const auto& demand_of) {
      for (std::size_t e = 0; e < levels_[k].last; ++e) {
        if (taken_[e] == 0) continue;
        if (supply_.ends(sum.size())) return;
        const auto demand = demand_of(entries_[e].app);
        for (std::size_t h = 0; h < sum.size(); ++h) sum[h] += static_cast<double>(demand[h]) * taken_[e];
      }
    });
    std::uint32_t worst = kNone;
    double most = 1 + kExceeded;
    for (std::uint32_t h = 0; h < sum.size(); ++h) {
      if (ended()) return kNone;
      if (sum[h] <= most * std::max(1.0, carried_[h]) && !limited_) continue;
      const double carries = limited_ ? carried(prices.of_group, group_column(h)) : carried_[h];
      const double ratio = sum[h] / std::max(1.0, carries);
      if (ratio <= most) continue;
      most = ratio;
      worst = h;
    }
    return worst;
  }
  /// What taken_ uses of a dimension beyond what the nodes carry of it at these prices.
  [[nodiscard]] double excess(const Prices& prices, const Prices& only, std::size_t k) const {
    double sum = only.of_held;
    for (std::size_t e = 0; e < levels_[k].last; ++e) sum += only.of_entry[e] * taken_[e];
    return sum - carried(prices.of_group, only.of_group);
  }

  /// The least of most replicas of the level that any prices let be placed, as far as they are sought; prices_ becomes these.
  std::uint64_t fewest_placed(std::size_t k, const std::vector<double>& demand) {
    if (prices_.of_dim.empty()) {
      std::uint32_t shortest = 0;
      for (std::uint32_t h = 1; h < demand.size(); ++h) {
        if (demand[h] * std::max(1.0, carried_[shortest]) > demand[shortest] * std::max(1.0, carried_[h])) shortest = h;
      }
      prices_ = prices_of(shortest);
    }
    Prices now = prices_;
    std::uint64_t fewest = look(now, k);
    mix_ = taken_;
    in_mix_ = std::accumulate(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(levels_[k].last), 0.0);
    const std::size_t most_looks =
        std::clamp(kMostLookedAt / std::max<std::size_t>(1, entries_.size()), kFewestLooks, kMostLooks);
    for (std::size_t looks = kBisections; looks <= most_looks; looks += kBisections) {
      const std::uint32_t h = most_exceeded(now, k);
      if (h == kNone || ended()) break;
      const Prices only = prices_of(h);
      const Prices from = now;
      double less = 0;
      double more = 1;
      std::vector<std::uint32_t> taken_at_less = taken_;
      look(only, k);
      std::vector<std::uint32_t> taken_at_more = taken_;
      for (std::size_t n = 0; n < kBisections && !ended(); ++n) {
        const double share = (less + more) / 2;
        now = Prices(from, only, share);
        const std::uint64_t placed = look(now, k);
        if (placed < fewest) {
          fewest = placed;
          prices_ = now;
        }
        const bool over = excess(now, only, k) > 0;
        (over ? less : more) = share;
        (over ? taken_at_less : taken_at_more) = taken_;
      }
      mix(now, only, k, taken_at_less, taken_at_more);
    }
    return fewest;
  }
  /// Mixes what is taken where this dimension costs too little with what is taken where it costs enough, so that what the nodes
  /// carry of it is used up. Keeps the mix unless one before is smaller: none is smaller than what may be placed. Leaves
  /// in taken_ what the last look took.
  void mix(const Prices& prices, const Prices& only, std::size_t k, const std::vector<std::uint32_t>& at_less,
           const std::vector<std::uint32_t>& at_more) {
    const std::vector<std::uint32_t> last = std::exchange(taken_, at_less);
    const double over = excess(prices, only, k);
    taken_ = at_more;
    const double under = -excess(prices, only, k);
    taken_ = last;
    const double share = over > 0 && under > 0 ? under / (over + under) : 0;
    std::vector<double> mixed(mix_.size(), 0);
    double placed = 0;
    for (std::size_t e = 0; e < levels_[k].last; ++e) {
      mixed[e] = share * at_less[e] + (1 - share) * at_more[e];
      placed += mixed[e];
    }
    if (placed > in_mix_ * (1 + kMixRounding)) return;
    in_mix_ = placed;
    for (std::size_t e = 0; e < mix_.size(); ++e) mix_[e] = static_cast<std::uint32_t>(mixed[e] + kMixRounding);
  }

  const Instance& instance_;
  const Supply& supply_;
  std::vector<std::uint32_t> in_every_plan_;  // per app: replicas
  std::vector<double> held_;                  // per dimension: their demand
  std::uint64_t in_use_ = 0;                  // nodes, at the start
  std::uint64_t nodes_ = 0;                   // that a plan may use
  std::uint64_t further_ = 0;                 // of them, besides mandatory ones
  bool limited_ = false;                      // whether there are more
  std::vector<double> carried_;               // per dimension: most that the nodes carry
  std::vector<Level> levels_;                 // highest priority first
  std::vector<Entry> entries_;                // by level
  std::vector<std::uint32_t> taken_;          // per entry: replicas that the last look places
  std::vector<std::uint32_t> mix_;            // per entry, see LeftOverBound::mix
  double in_mix_ = 0;                         // replicas, before they are rounded
  std::vector<std::uint32_t> order_;
  Prices prices_;
};

}  // namespace

LeftOverBound left_over_bound(const Instance& instance, const Supply& supply, const Request& request) {
  return FewNodes(instance, supply, request).run();
}

}  // namespace stowage
