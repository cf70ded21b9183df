// The node-centric family (P0, section 4.3, algorithm 2): fill one node after the other; each time, the feasible app with the
// highest score goes in with as many replicas as possible (LraSched, P3 algorithm 3, phase 2: with one replica).
//
// O(R L d) in the worst case. Apps of equal demand share their score, so that a step looks at the groups that still fit, and
// within the best group at the first app that the node's tenants allow. What failed once on a node fails until the node is
// left: headroom only falls.

#include "core/planners/node_centric.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/measures/score.h"
#include "core/model/placement.h"
#include "core/planners/app_groups.h"
#include "core/planners/order.h"

namespace stowage {
namespace {

template <class Unit>
class NodeCentricRun {
 public:
  NodeCentricRun(const PlannerInput& input, Score score, bool one_by_one)
      : input_(input),
        instance_(input.instance),
        one_by_one_(one_by_one),
        placement_(input.instance, input.request),
        score_(input.instance, score),
        groups_(input.instance),
        classes_(class_order(input.instance)),
        cursor_(groups_.size()),
        bounded_(score == Score::kDotProduct && input.instance.dims() > 8) {
    if (score_.needs_totals()) placement_.residuals().track_totals();
    const std::size_t dims = instance_.dims();
    rows_.resize(groups_.size() * dims);
    needs_.resize(groups_.size());
    node_columns_.resize(placement_.residuals().column_count());
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      score_.app_row(groups_.members(g)[0], rows_.data() + g * dims);
      placement_.residuals().prepare(groups_.members(g)[0], needs_[g]);
      need_columns_.insert(need_columns_.end(), needs_[g].column.begin(), needs_[g].column.end());
    }
    if (bounded_) prepare_bounds();
  }

  Error run(Plan& plan) {
    input_.run.enter(Phase::kPlan, instance_.total_replicas());
    std::uint64_t left = 0;
    for (AppId i = 0; i < instance_.apps(); ++i) left += placement_.unplaced(i);
    bool stopped = false;
    for (NodeId node = 0; node < instance_.listed_nodes() && left > 0 && !stopped; ++node) stopped = fill(node, left);
    while (left > 0 && !stopped) {
      const NodeId node = open();
      if (node == kNone) break;
      stopped = fill(node, left);
      input_.run.progress(instance_.total_replicas() - left);
    }
    if (placement_.hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    placement_.write(plan);
    return {};
  }

 private:
  struct Entry {
    double score;
    std::int32_t priority;
    std::uint32_t group;
  };
  // True where a comes after b: priority, then score, then the group's position.
  static bool after(const Entry& a, const Entry& b) {
    if (a.priority != b.priority) return a.priority < b.priority;
    return a.score != b.score ? a.score < b.score : a.group > b.group;
  }

  // Opens a node of the cheapest class in which some unplaced app fits.
  NodeId open() {
    for (const ClassId c : classes_) {
      for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        compact(g);
        if (groups_.members(g).empty() || placement_.residuals().copies_on_empty(needs_[g], c, 1) == 0) continue;
        const NodeId node = placement_.open(c);
        if (node != kNone) return node;
        break;
      }
    }
    return kNone;
  }

  // Drops fully placed apps from the group, now and then.
  void compact(std::uint32_t group) {
    std::vector<AppId>& members = groups_.members(group);
    const auto placed = [this](AppId app) { return placement_.unplaced(app) == 0; };
    if (!members.empty() && placed(members.front())) {
      members.erase(std::remove_if(members.begin(), members.end(), placed), members.end());
      if (members.empty()) ++dead_;
    }
  }

  bool fill(NodeId node, std::uint64_t& left) {
    score_.look_at(placement_.residuals(), node);
    collect(node);
    bool stopped = input_.run.step(1 + active_.size() / 64);
    while (left > 0 && !stopped) {
      Entry entry;
      const AppId app = next_app(node, entry);
      if (app == kNone) break;
      const std::uint32_t wanted = one_by_one_ ? 1 : placement_.unplaced(app);
      const std::uint32_t replicas =
          placement_.residuals().copies(needs_[entry.group], node, placement_.allowed(app, node, wanted));
      placement_.place(app, node, replicas);
      left -= replicas;
      active_.push_back(entry);  // the group may have more apps
      score_.look_at(placement_.residuals(), node);
      update(node, entry.group, replicas);
      stopped = input_.run.step(1 + active_.size() / 256);
    }
    return stopped;
  }

  // All groups with apps left. Where scores are bounds, they start exact: on empty nodes of a class always the same.
  void collect(NodeId node) {
    const bool empty = node >= instance_.listed_nodes();
    const ClassId node_class = empty ? placement_.class_of(node) : kNone;
    if (dead_ > alive_.size() / 8 || (bounded_ && (!empty || alive_class_ != node_class))) {
      alive_.clear();
      alive_class_ = node_class;
      for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        compact(g);
        if (groups_.members(g).empty()) continue;
        alive_.push_back({bounded_ ? score(g) : 0, instance_.priority(groups_.members(g)[0]), g});
      }
      dead_ = 0;
    }
    std::fill(cursor_.begin(), cursor_.end(), 0);
    active_ = alive_;
    if (bounded_) {
      keep_fitting(node, [](Entry&) {});
    } else {
      keep_fitting(node, [this](Entry& entry) { entry.score = score(entry.group); });
    }
  }

  [[nodiscard]] double score(std::uint32_t group) const { return score_(rows_.data() + std::size_t{group} * instance_.dims()); }

  // Drops entries that no longer fit by the node's columns, rescores the others and makes a heap of them.
  template <class Rescore>
  void keep_fitting(NodeId node, Rescore&& rescore) {
    placement_.residuals().read_columns(node, node_columns_.data());
    const std::size_t width = node_columns_.size();
    std::size_t kept = 0;
    for (const Entry& entry : active_) {
      const Unit* need = need_columns_.data() + entry.group * width;
      bool fits = true;
      for (std::size_t c = 0; c < width; ++c) fits = fits & (node_columns_[c] >= need[c]);
      if (!fits) continue;
      active_[kept] = entry;
      rescore(active_[kept]);
      ++kept;
    }
    active_.resize(kept);
    std::make_heap(active_.begin(), active_.end(), after);
  }

  // Takes the best entry out of the heap: its app is the group's first that wants replicas and is allowed some. Entries on the
  // way that cannot join this node any more are gone for good.
  AppId next_app(NodeId node, Entry& entry) {
    while (!active_.empty()) {
      std::pop_heap(active_.begin(), active_.end(), after);
      entry = active_.back();
      active_.pop_back();
      if (bounded_) {
        entry.score = score(entry.group);
        if (!active_.empty() && after(entry, active_.front())) {
          active_.push_back(entry);
          std::push_heap(active_.begin(), active_.end(), after);
          continue;
        }
      }
      if (!placement_.residuals().fits(needs_[entry.group], node)) continue;
      const std::vector<AppId>& members = groups_.members(entry.group);
      for (std::uint32_t& k = cursor_[entry.group]; k < members.size(); ++k) {
        const AppId app = members[k];
        if (placement_.unplaced(app) > 0 && placement_.allowed(app, node, 1) > 0) return app;
      }
      compact(entry.group);
    }
    return kNone;
  }

  // After a placement. With many periods, a dot product is worth avoiding: a placed replica of demand s lowers the score of
  // every other group by at least its demand summed over time, times the least of s over time. So a score, once known, becomes
  // an upper bound, and only entries that come out on top are scored again.
  void update(NodeId node, std::uint32_t group, std::uint32_t replicas) {
    if (!bounded_) {
      keep_fitting(node, [this](Entry& entry) { entry.score = score(entry.group); });
      return;
    }
    const std::uint32_t resources = instance_.resources();
    const double* least = least_.data() + std::size_t{group} * resources;
    keep_fitting(node, [&](Entry& entry) {
      const double* sum = sums_.data() + std::size_t{entry.group} * resources;
      double fall = 0;
      for (std::uint32_t r = 0; r < resources; ++r) fall += sum[r] * least[r];
      entry.score -= fall * replicas * kSlack;
    });
  }

  void prepare_bounds() {
    const std::uint32_t resources = instance_.resources();
    const std::uint32_t periods = instance_.periods();
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      const double* row = rows_.data() + std::size_t{g} * instance_.dims();
      for (std::uint32_t r = 0; r < resources; ++r) {
        const double* first = row + std::size_t{r} * periods;
        sums_.push_back(std::accumulate(first, first + periods, 0.0));
        least_.push_back(*std::min_element(first, first + periods));
      }
    }
  }

  /// Keeps bounds above exact scores whatever the rounding: they fall a little less than they might.
  static constexpr double kSlack = 1 - 1e-9;

  const PlannerInput& input_;
  const Instance& instance_;
  bool one_by_one_;
  Placement<Unit> placement_;
  ScoreMeasure score_;
  AppGroups<Unit> groups_;
  std::vector<ClassId> classes_;
  std::vector<double> rows_;
  std::vector<typename Residuals<Unit>::Need> needs_;
  std::vector<Unit> need_columns_;  // the columns of all needs side by side
  std::vector<Unit> node_columns_;
  std::vector<std::uint32_t> cursor_;
  bool bounded_;                 // scores in active_ are upper bounds
  std::vector<double> sums_;     // per group and resource: demand summed over periods
  std::vector<double> least_;    // and its minimum over periods
  std::vector<Entry> alive_;     // groups with apps left
  ClassId alive_class_ = kNone;  // their scores are those on an empty node of it
  std::size_t dead_ = 1;         // groups that lost their last app since alive_ was made
  std::vector<Entry> active_;    // heap of the groups that may join the node in hand
};

constexpr std::uint32_t kOneByOne = 16;

Error node_centric(const PlannerInput& input, Plan& plan) {
  const auto score = static_cast<Score>(input.info.variant & 15);
  const bool one_by_one = (input.info.variant & kOneByOne) != 0;
  return input.instance.visit_unit(
      [&](auto unit) { return NodeCentricRun<decltype(unit)>(input, score, one_by_one).run(plan); });
}

std::vector<PlannerInfo> make_planners() {
  constexpr FeatureSet kHonours = kDeterministicFeatures;
  std::vector<PlannerInfo> all;
  for (const Score score : kScores) {
    all.push_back({"ncd-" + std::string(score_name(score)),
                   "node after node, app with the highest " + std::string(score_name(score)) + " score first",
                   "P0, section 4.3, table 3",
                   "O(R L d)",
                   kHonours,
                   {},
                   node_centric,
                   static_cast<std::uint32_t>(score)});
  }
  all.push_back({"lrasched-fitness",
                 "node after node, replica with the highest fitness first",
                 "P3, algorithm 3, phase 2; P0, section 5.1",
                 "O(R L d)",
                 kHonours,
                 {},
                 node_centric,
                 static_cast<std::uint32_t>(Score::kFitness) | kOneByOne});
  return all;
}

}  // namespace

std::span<const PlannerInfo> node_centric_planners() {
  static const std::vector<PlannerInfo> kPlanners = make_planners();
  return kPlanners;
}

}  // namespace stowage
