// The multi-node family with application-node matching (P0, section 4.4, algorithm 4): activate n nodes at once; of all
// feasible pairs of an app and a node, take the one with the highest score and put one replica there; score anew. Search
// versions call this for several n.
//
// O(R G d) per n in practice, G being the number of different demands: a replica changes the scores of one node alone, so each
// node keeps its best pair, and a heap the nodes. A pair is checked when it comes out on top: its apps may be finished by then,
// which only lowers what the node has to offer. Fitness relates residuals to what all nodes have left, so that every replica
// changes all scores a little: these sums are taken anew 64 times on the way, and all nodes evaluated. Nodes that are still
// empty are alike, and only the first of a class is in the heap.

#include "core/planners/families.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/measures/order.h"
#include "core/measures/score.h"
#include "core/placement/placement.h"
#include "core/planners/lists/app_groups.h"
#include "core/planners/lists/group_scores.h"
#include "core/planners/lists/node_search.h"

namespace stowage {
namespace {

struct MatchVariant {
  Score score;
  NodeSearch search;
  std::uint32_t step;  // percent
};

constexpr std::uint32_t encode_match(const MatchVariant& v) {
  return static_cast<std::uint32_t>(v.score) | static_cast<std::uint32_t>(v.search) << 4 | v.step << 8;
}
constexpr MatchVariant decode_match(std::uint32_t code) {
  return {static_cast<Score>(code & 15), static_cast<NodeSearch>(code >> 4 & 15), code >> 8};
}

/// One trial with a given number of nodes.
template <class Unit>
class MatchTrial {
 public:
  MatchTrial(const PlannerInput& input, const Request& request, Score score, std::uint32_t nodes)
      : input_(input),
        placement_(input.instance, request),
        groups_(input.instance),
        scores_(input.instance, placement_.residuals(), groups_, score),
        classes_(class_order(input.instance)),
        next_group_(input.instance.classes(), 0),
        empty_(input.instance.classes()) {
    for (AppId i = 0; i < input.instance.apps(); ++i) left_ += placement_.unplaced(i);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) compact(g);
    activate(nodes);
    if (scores_.needs_totals()) {
      placement_.residuals().track_totals();
      take_totals();
    }
  }

  /// Returns whether everything was placed.
  bool run() {
    for (NodeId node = 0; node < input_.instance.listed_nodes() && !stopped(); ++node) {
      if (!is_fresh(node)) offer(node);
    }
    for (std::vector<NodeId>& empty : empty_) {
      std::reverse(empty.begin(), empty.end());
      if (!empty.empty() && !stopped()) offer(empty.back());
    }
    while (left_ > 0 && !stopped()) {
      if (scores_.needs_totals() && left_ <= next_totals_) renew();
      if (stopped()) break;
      if (!match() && (stopped() || !overflow())) break;
      input_.run.progress.done(input_.instance.total_replicas() - left_);
    }
    return left_ == 0;
  }

  [[nodiscard]] const Placement<Unit>& placement() const { return placement_; }

 private:
  /// The best pair of a node, without the app: that is the group's first that the node takes.
  struct Pair {
    std::int32_t priority;
    double score;
    std::uint32_t group;
    NodeId node;
  };
  // True where a comes after b: priority, score, the group's position, then the node's.
  static bool after(const Pair& a, const Pair& b) {
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.score != b.score) return a.score < b.score;
    return a.group != b.group ? a.group > b.group : a.node > b.node;
  }

  [[nodiscard]] bool stopped() const { return input_.run.clock.stop() != Stop::kNo; }

  // Opens nodes in class order until n are there, listed ones included, or no class has more.
  void activate(std::uint32_t nodes) {
    // No plan uses more nodes than it has replicas.
    const Instance& instance = input_.instance;
    const std::uint64_t useful = std::min(instance.listed_nodes() + instance.total_replicas(), instance.limits().max_nodes);
    nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, useful));
    for (NodeId node = 0; node < instance.listed_nodes(); ++node) {
      if (is_fresh(node)) empty_[placement_.class_of(node)].push_back(node);
    }
    for (const ClassId c : classes_) {
      while (placement_.nodes() < nodes) {
        const NodeId node = placement_.open(c);
        if (node == kNone) break;
        empty_[c].push_back(node);
      }
    }
  }

  // Whether a listed node is as good as one just opened.
  [[nodiscard]] bool is_fresh(NodeId node) const {
    const Instance& instance = input_.instance;
    if (!placement_.contents().at(node).empty() || placement_.has_rules()) return false;
    if (!instance.data().closed.empty() && instance.data().closed[node] != 0) return false;
    const auto load = instance.scaled_load(node);
    return std::all_of(load.begin(), load.end(), [](std::int32_t units) { return units == 0; });
  }

  // What the active nodes cannot take goes to a further one, of the cheapest class in which some unplaced app fits.
  bool overflow() {
    for (const ClassId c : classes_) {
      std::uint32_t& g = next_group_[c];
      while (g < groups_.size() &&
             (groups_.members(g).empty() || placement_.residuals().copies_on_empty(scores_.need(g), c, 1) == 0)) {
        ++g;
      }
      // While the class has empty nodes that nothing could join, another one is of no use.
      if (g == groups_.size() || !empty_[c].empty()) continue;
      const NodeId node = placement_.open(c);
      if (node == kNone) continue;
      empty_[c].push_back(node);
      if (scores_.needs_totals()) take_totals();  // no other node has anything to offer
      offer(node);
      return true;
    }
    return false;
  }

  // Drops fully placed apps from the group, and the group with its last app.
  void compact(std::uint32_t group) {
    std::vector<AppId>& members = groups_.members(group);
    members.erase(std::remove_if(members.begin(), members.end(), [this](AppId app) { return placement_.unplaced(app) == 0; }),
                  members.end());
    if (members.empty()) scores_.drop(group);
  }

  AppId first_allowed(std::uint32_t group, NodeId node) {
    for (const AppId app : groups_.members(group)) {
      ++asked_;
      if (placement_.allowed(app, node, 1) > 0) return app;
    }
    return kNone;
  }

  // The node's best pair now; its group is kNone where no app can join.
  Pair evaluate(NodeId node) {
    scores_.look_at(placement_.residuals(), node, totals_);
    typename GroupScores<Unit>::Best best;
    for (best = scores_.best(); best.group != kNone; best = scores_.best()) {
      if (first_allowed(best.group, node) != kNone) break;
      scores_.exclude(best.group);
    }
    scores_.include_all();
    input_.run.clock.step(1 + scores_.take_work() + asked_ / 16);
    asked_ = 0;
    return {best.priority, best.score, best.group, node};
  }
  void offer(NodeId node) {
    const Pair pair = evaluate(node);
    if (pair.group != kNone) push(pair);
  }
  void push(const Pair& pair) {
    heap_.push_back(pair);
    std::push_heap(heap_.begin(), heap_.end(), after);
  }
  Pair pop() {
    std::pop_heap(heap_.begin(), heap_.end(), after);
    const Pair pair = heap_.back();
    heap_.pop_back();
    return pair;
  }

  // Puts a replica of the pair's app there, and the nodes concerned back into the heap.
  void place(const Pair& pair, AppId app) {
    placement_.place(app, pair.node, 1);
    --left_;
    if (placement_.unplaced(app) == 0) compact(pair.group);
    offer(pair.node);
    std::vector<NodeId>& empty = empty_[placement_.class_of(pair.node)];
    if (!empty.empty() && empty.back() == pair.node) {
      empty.pop_back();
      // It has what the node just taken had to offer; if the group is finished, that shows later.
      if (!empty.empty()) push({pair.priority, pair.score, pair.group, empty.back()});
    }
  }

  // Takes the best pair; false where no pair is feasible.
  bool match() {
    while (!heap_.empty() && !stopped()) {
      const Pair pair = pop();
      const AppId app = first_allowed(pair.group, pair.node);
      if (app != kNone) {
        place(pair, app);
        return true;
      }
      offer(pair.node);
    }
    return false;
  }

  void take_totals() {
    totals_.assign(placement_.residuals().totals().begin(), placement_.residuals().totals().end());
    next_totals_ = left_ - std::min(left_, input_.instance.total_replicas() / kRenewals + 1);
  }
  // Takes the totals anew and evaluates all nodes by them. A node that had nothing to offer still has nothing.
  void renew() {
    take_totals();
    std::vector<Pair> old;
    old.swap(heap_);
    for (const Pair& pair : old) {
      if (stopped()) return;
      offer(pair.node);
    }
  }
  /// How often totals are taken anew.
  static constexpr std::uint64_t kRenewals = 64;

  const PlannerInput& input_;
  Placement<Unit> placement_;
  AppGroups<Unit> groups_;
  GroupScores<Unit> scores_;
  std::vector<ClassId> classes_;
  std::vector<std::uint32_t> next_group_;   // per class: the first group with apps left that fits
  std::vector<std::vector<NodeId>> empty_;  // per class: empty nodes, the first at the back
  std::uint64_t left_ = 0;                  // replicas
  std::uint64_t asked_ = 0;                 // apps since work was counted
  std::vector<Pair> heap_;
  std::vector<std::int64_t> totals_;  // residual sums that scores refer to
  std::uint64_t next_totals_ = 0;     // number of replicas left at which they are taken anew
};

template <class Unit>
Error match(const PlannerInput& input, Plan& plan) {
  const MatchVariant variant = decode_match(input.info.variant);
  return plan_on_nodes(input, variant.search, variant.step, plan,
                       [&](const Request& request, std::uint32_t nodes, bool all_or_nothing, Plan& result) -> Result<bool> {
                         MatchTrial<Unit> trial(input, request, variant.score, nodes);
                         const bool complete = trial.run();
                         if (trial.placement().hit_ceiling()) {
                           return Error{Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
                         }
                         if (!complete && all_or_nothing) return false;
                         trial.placement().write(result);
                         return true;
                       });
}

Error match_any(const PlannerInput& input, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return match<decltype(unit)>(input, plan); });
}

std::vector<PlannerInfo> make_match_planners() {
  std::vector<PlannerInfo> all;
  for (const Score score : kScores) {
    const std::string score_text(score_name(score));
    const std::string name = "match-" + score_text;
    const std::string summary = "the pair of app and node with the highest " + score_text + " score first, ";
    const auto member = [&](const std::string& suffix, const std::string& nodes, NodeSearch search, std::uint32_t step) {
      all.push_back({name + suffix,
                     summary + nodes,
                     "P0, section 4.4, algorithm 4",
                     "O(R (G d + log N)) per number of nodes",
                     kHeadroomFeatures,
                     {},
                     match_any,
                     encode_match({score, search, step})});
    };
    member("", "on node_limit nodes (default: the bound)", NodeSearch::kGiven, 0);
    member("-binsearch", "fewest nodes by binary search", NodeSearch::kBinary, 0);
    for (const std::uint32_t step : {2u, 3u, 5u}) {
      const std::string percent = std::to_string(step);
      member("-decr" + percent, "nodes falling by " + percent + " % of the bound", NodeSearch::kDecrement, step);
    }
  }
  return all;
}

}  // namespace

std::span<const PlannerInfo> match_planners() {
  static const std::vector<PlannerInfo> kPlanners = make_match_planners();
  return kPlanners;
}

}  // namespace stowage
