#include "core/planners/shards/cut.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

/// An app with more replicas than this part of a shard is dealt in pieces.
constexpr std::uint64_t kPiecesPerShard = 64;
/// Demand over time is dealt by so many stretches of time.
constexpr std::uint32_t kMostStretches = 4;
/// Shards that a piece is compared with in the time of a unit of work.
constexpr std::uint32_t kComparedPerWork = 64;
/// Apps, and pieces, between which the clock is asked.
constexpr std::uint32_t kAppsAtOnce = 4096;
constexpr std::size_t kSortedAtOnce = 65536;

/// Apps that have to stay together: disjoint sets with path halving, the lowest app stands for its set.
class AppSets {
 public:
  explicit AppSets(std::uint32_t apps) : parent_(apps) { std::iota(parent_.begin(), parent_.end(), AppId{0}); }
  AppId find(AppId app) {
    while (parent_[app] != app) app = parent_[app] = parent_[parent_[app]];
    return app;
  }
  void unite(AppId a, AppId b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<AppId> parent_;
};

/// What has to go to one shard: replicas of an app, or all replicas of the apps of a set.
struct Piece {
  AppId app;  ///< stands for its set
  std::uint32_t replicas;
  double size;  ///< the largest share of all demand for a resource
};

class Cutting {
 public:
  Cutting(const Instance& instance, const Request& request, WorkClock& clock)
      : instance_(instance),
        request_(request),
        clock_(clock),
        sets_(instance.apps()),
        whole_(instance.apps(), request.all_or_nothing ? 1 : 0) {
    const std::uint32_t periods = instance.periods();
    const std::uint32_t stretches = std::min(periods, kMostStretches);
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      for (std::uint32_t s = 0; s < stretches; ++s) {
        Stretch one{r * periods + periods * s / stretches, r * periods + periods * (s + 1) / stretches, 0};
        std::int64_t total = 0;
        for (std::uint32_t h = one.begin; h < one.end; ++h) total += instance.total_demand()[h];
        if (total > 0) one.weight = 1 / static_cast<double>(total);
        stretch_.push_back(one);
      }
    }
    dims_ = static_cast<std::uint32_t>(stretch_.size()) + 1;
  }

  Cut run(std::uint32_t wanted) {
    std::uint32_t shards = most_shards(wanted);
    if (shards > 1) tie_apps();
    if (!cut_.whole_because.empty()) shards = 1;
    if (shards > 1) shards = at_most_by_sets(shards);
    cut_.shares.resize(shards);
    cut_.shares[0].is_all = shards == 1;
    for (Share& share : cut_.shares) share.further.assign(instance_.classes(), 0);
    deal_nodes();
    if (!deal_apps()) cut_.shares.clear();
    return std::move(cut_);
  }

 private:
  // --- How many shards ------------------------------------------------------------------------------------------------------

  /// As many as there is something to share for: replicas, nodes, and nodes of the request's limit.
  std::uint32_t most_shards(std::uint32_t wanted) {
    std::uint64_t most = std::max<std::uint64_t>(1, instance_.total_replicas());
    if (most < wanted) cut_.whole_because = "there are too few replicas";
    std::uint64_t nodes = 0;
    bool endless = false;
    for (const NodeClass& one : instance_.data().classes) {
      endless = endless || one.count == 0;
      nodes += one.count;
    }
    if (!endless && nodes < std::min<std::uint64_t>(most, wanted)) {
      most = std::max<std::uint64_t>(1, nodes);
      cut_.whole_because = "there are too few nodes";
    }
    if (request_.node_limit > 0) {
      for (NodeId node = 0; node < instance_.listed_nodes(); ++node) loaded_ += instance_.is_loaded(node) ? 1 : 0;
      const std::uint64_t rest = request_.node_limit > loaded_ ? request_.node_limit - loaded_ : 0;
      if (rest < std::min<std::uint64_t>(most, wanted)) {
        most = std::max<std::uint64_t>(1, rest);
        cut_.whole_because = "the node limit leaves too few nodes";
      }
    }
    const auto shards = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, wanted));
    if (shards > 1 || wanted <= 1) cut_.whole_because.clear();
    return shards;
  }

  // --- What stays together --------------------------------------------------------------------------------------------------

  /// Whether a condition looks at one node at a time.
  static bool is_local(const TagPart& part) { return part.kind == CardinalityKind::kReplicas && part.group == kNone; }

  /// Unites the apps of rules that look at more than one node, or ask for something near.
  void tie_apps() {
    const TagModel& rules = instance_.tag_model();
    std::vector<std::uint8_t> is_wide(instance_.rules().size(), 0);
    for (std::uint32_t p = 0; p < rules.parts(); ++p) {
      const TagPart& part = rules.part(p);
      if (is_local(part) || rules.apps_of(p).empty()) continue;
      is_wide[part.rule] = 1;
      if (part.kind == CardinalityKind::kSkew && part.group == kNone) {
        cut_.whole_because = "a rule compares single nodes with each other";
      } else if (has_counted_nodes()) {
        // A set of nodes that is empty, or whose nodes count themselves, is another one in each shard.
        cut_.whole_because = "rules over groups of nodes speak of nodes that are listed or counted";
      }
    }
    if (!cut_.whole_because.empty()) return;
    std::vector<AppId> first_of(is_wide.size(), kNone);
    for (std::uint32_t p = 0; p < rules.parts(); ++p) {
      const TagPart& part = rules.part(p);
      if (is_wide[part.rule] == 0 && part.min == 0) continue;
      AppId first = is_wide[part.rule] != 0 ? first_of[part.rule] : kNone;
      for (const AppId app : rules.apps_of(p)) {
        if (first == kNone) first = app;
        sets_.unite(first, app);
        whole_[app] = 1;
        if (is_wide[part.rule] == 0) continue;
        cut_.wide.resize(instance_.apps(), 0);
        cut_.wide[app] = 1;
      }
      if (is_wide[part.rule] != 0) first_of[part.rule] = first;
    }
    for (AppId app = 0; request_.all_or_nothing && app < instance_.apps(); ++app) sets_.unite(app, instance_.application(app));
  }
  [[nodiscard]] bool has_counted_nodes() const {
    const auto& classes = instance_.data().classes;
    return instance_.listed_nodes() > 0 ||
           std::any_of(classes.begin(), classes.end(), [](const NodeClass& one) { return one.count > 0; });
  }

  /// A set that stays together takes at most a shard.
  std::uint32_t at_most_by_sets(std::uint32_t shards) {
    if (std::find(whole_.begin(), whole_.end(), 1) == whole_.end()) return shards;
    std::vector<double> of_set(std::size_t{instance_.apps()} * dims_, 0);
    double largest = 0;
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (whole_[app] == 0) continue;
      add_demand(app, instance_.replicas(app), &of_set[std::size_t{sets_.find(app)} * dims_]);
    }
    for (const double share : of_set) largest = std::max(largest, share);
    if (largest * shards <= 1) return shards;
    const auto most = static_cast<std::uint32_t>(std::max(1.0, 1 / largest));
    if (most == 1) cut_.whole_because = "rules tie most of the replicas together";
    return std::min(most, shards);
  }

  // --- Replicas -------------------------------------------------------------------------------------------------------------

  /// Adds what replicas of an app need, as shares of all demand: per resource and stretch of time; last comes their number.
  void add_demand(AppId app, std::uint32_t replicas, double* sum) const {
    instance_.visit_unit([&](auto unit) {
      const auto demand = instance_.scaled_demand<decltype(unit)>(app);
      for (std::uint32_t d = 0; d + 1 < dims_; ++d) {
        std::int64_t of_app = 0;
        for (std::uint32_t h = stretch_[d].begin; h < stretch_[d].end; ++h) of_app += demand[h];
        sum[d] += static_cast<double>(of_app) * replicas * stretch_[d].weight;
      }
    });
    sum[dims_ - 1] += replicas / static_cast<double>(std::max<std::uint64_t>(1, instance_.total_replicas()));
  }

  std::vector<Piece> pieces() {
    const std::uint64_t largest = std::max<std::uint64_t>(1, instance_.total_replicas() / cut_.shares.size() / kPiecesPerShard);
    std::vector<Piece> all;
    std::vector<double> need(dims_);
    const auto add = [&](AppId app, std::uint32_t replicas) {
      std::fill(need.begin(), need.end(), 0);
      add_demand(app, replicas, need.data());
      all.push_back({app, replicas, *std::max_element(need.begin(), need.end())});
    };
    members_.resize(instance_.apps());
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (app % kAppsAtOnce == 0 && clock_.step(1 + kAppsAtOnce / kComparedPerWork)) return {};
      const std::uint32_t replicas = instance_.replicas(app);
      if (replicas == 0) continue;
      if (whole_[app] != 0) {
        members_[sets_.find(app)].push_back(app);
        continue;
      }
      const auto count =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(cut_.shares.size(), (replicas + largest - 1) / largest));
      for (std::uint32_t k = 0; k < count; ++k) add(app, replicas / count + (k < replicas % count ? 1 : 0));
    }
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (members_[app].empty()) continue;
      std::fill(need.begin(), need.end(), 0);
      for (const AppId member : members_[app]) add_demand(member, instance_.replicas(member), need.data());
      all.push_back({app, 0, *std::max_element(need.begin(), need.end())});
    }
    sort(all);
    return all;
  }

  /// Largest first; of equal size, the lowest app and its larger pieces come first. In parts between which the clock is asked.
  void sort(std::vector<Piece>& all) {
    const auto before = [](const Piece& a, const Piece& b) {
      if (a.size != b.size) return a.size > b.size;
      return a.app != b.app ? a.app < b.app : a.replicas > b.replicas;
    };
    const auto at = [&](std::size_t k) { return all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size())); };
    for (std::size_t k = 0; k < all.size(); k += kSortedAtOnce) {
      if (clock_.step(1)) return;
      std::sort(at(k), at(k + kSortedAtOnce), before);
    }
    for (std::size_t width = kSortedAtOnce; width < all.size(); width *= 2) {
      for (std::size_t k = 0; k + width < all.size(); k += 2 * width) {
        if (clock_.step(1)) return;
        std::inplace_merge(at(k), at(k + width), at(k + 2 * width), before);
      }
    }
  }

  /// Each piece goes where the sum of squares of all shards' demand grows least; of equals, to the first shard.
  bool deal_apps() {
    const auto shards = static_cast<std::uint32_t>(cut_.shares.size());
    const std::uint64_t work = 1 + (shards > 1 ? shards / kComparedPerWork : 0);
    std::vector<double> load(std::size_t{shards} * dims_, 0);
    std::vector<double> need(dims_);
    const std::vector<Piece> all = pieces();
    if (clock_.stop() != Stop::kNo) return false;
    for (const Piece& piece : all) {
      if (clock_.step(work)) return false;
      const bool is_set = piece.replicas == 0;
      std::fill(need.begin(), need.end(), 0);
      if (is_set) {
        for (const AppId member : members_[piece.app]) add_demand(member, instance_.replicas(member), need.data());
      } else {
        add_demand(piece.app, piece.replicas, need.data());
      }
      std::uint32_t best = 0;
      double least = 0;
      for (std::uint32_t s = 0; s < shards; ++s) {
        const double* const of_shard = &load[std::size_t{s} * dims_];
        double growth = 0;
        for (std::uint32_t d = 0; d < dims_; ++d) growth += need[d] * of_shard[d];
        if (s > 0 && growth >= least) continue;
        best = s;
        least = growth;
      }
      for (std::uint32_t d = 0; d < dims_; ++d) load[std::size_t{best} * dims_ + d] += need[d];
      std::vector<AppShare>& apps = cut_.shares[best].apps;
      if (!is_set) apps.push_back({piece.app, piece.replicas});
      for (const AppId member : members_[piece.app]) apps.push_back({member, instance_.replicas(member)});
    }
    for (Share& share : cut_.shares) sum_by_app(share.apps);
    return true;
  }

  // --- Nodes ----------------------------------------------------------------------------------------------------------------

  /// Class by class, one after the other, so that each shard gets as many as any other, but for one.
  void deal_nodes() {
    const auto shards = static_cast<std::uint32_t>(cut_.shares.size());
    const InstanceData& data = instance_.data();
    std::vector<std::vector<NodeId>> listed(instance_.classes());
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) listed[data.node_class[node]].push_back(node);
    std::uint32_t turn = 0;
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      for (const NodeId node : listed[c]) {
        cut_.shares[turn].listed.push_back(node);
        turn = (turn + 1) % shards;
      }
      if (data.classes[c].count == 0) {
        for (Share& share : cut_.shares) share.further[c] = Share::kEndless;
        continue;
      }
      const auto further = static_cast<std::uint32_t>(data.classes[c].count - listed[c].size());
      for (std::uint32_t k = 0; k < shards; ++k) {
        cut_.shares[(turn + k) % shards].further[c] = further / shards + (k < further % shards ? 1 : 0);
      }
      turn = (turn + further % shards) % shards;
    }
    for (Share& share : cut_.shares) std::sort(share.listed.begin(), share.listed.end());
    limit_nodes();
  }
  /// Nodes that are in use whatever is planned count in the shard that has them.
  void limit_nodes() {
    if (request_.node_limit == 0) return;
    if (cut_.shares.size() == 1) {
      cut_.shares[0].node_limit = request_.node_limit;
      return;
    }
    const auto shards = static_cast<std::uint32_t>(cut_.shares.size());
    const auto rest = static_cast<std::uint32_t>(request_.node_limit - loaded_);
    for (std::uint32_t k = 0; k < shards; ++k) {
      Share& share = cut_.shares[k];
      share.node_limit = rest / shards + (k < rest % shards ? 1 : 0);
      for (const NodeId node : share.listed) share.node_limit += instance_.is_loaded(node) ? 1 : 0;
    }
  }

  const Instance& instance_;
  const Request& request_;
  WorkClock& clock_;
  /// Some periods of a resource, as dimensions of the instance; one over all demand there.
  struct Stretch {
    std::uint32_t begin;
    std::uint32_t end;
    double weight;
  };
  std::vector<Stretch> stretch_;
  std::uint32_t dims_ = 1;
  AppSets sets_;
  std::vector<std::uint8_t> whole_;          // per app: not dealt in pieces
  std::vector<std::vector<AppId>> members_;  // per app that stands for a set
  std::uint64_t loaded_ = 0;
  Cut cut_;
};

}  // namespace

Cut cut_instance(const Instance& instance, const Request& request, std::uint32_t wanted, WorkClock& clock) {
  return Cutting(instance, request, clock).run(wanted);
}

}  // namespace stowage
