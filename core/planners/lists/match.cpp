// The multi-node family with application-node matching (P0, section 4.4, algorithm 4): activate n nodes at once; of all
// feasible pairs of an app and a node, take the one with the highest score, put one replica there, and update the
// scores. Search versions call this for several n.
//
// O(R G d) per n in practice, G being the number of different demands. A replica changes the scores of one node alone, so each
// node keeps its best pair, and a heap orders the nodes. A pair is checked when it comes out on top: its apps may be finished
// by then, which only lowers the node's best score. Fitness divides by the residuals of all nodes, so that every replica
// changes all scores a little: these sums are renewed 64 times during the run, and all nodes evaluated again. Empty nodes of a
// class are alike, and only the first of them is in the heap.

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

/// One trial with a given number of nodes.
template <class Unit>
class MatchTrial {
 public:
  MatchTrial(const PlannerInput& input, const Request& request, Score score, std::uint32_t nodes)
      : input_(input),
        placement_(input.instance, request, &input.run.clock),
        groups_(input.instance),
        scores_(input.instance, placement_.residuals(), groups_, score),
        classes_(class_order(input.instance)),
        next_group_(input.instance.classes(), 0),
        empty_(input.instance.classes()) {
    for (AppId i = 0; i < input.instance.apps(); ++i) left_ += placement_.unplaced(i);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) compact(g);
    for (NodeId node = 0; node < input.instance.listed_nodes(); ++node) {
      if (is_fresh(node)) empty_[placement_.class_of(node)].push_back(node);
    }
    activate(input, classes_, nodes, placement_, [this](ClassId c, NodeId node) { empty_[c].push_back(node); });
    has_begun_ = !stopped();
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

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  /// Whether there was time for more than the nodes.
  [[nodiscard]] bool has_begun() const { return has_begun_; }

 private:
  /// The best pair of a node. It names the group; the app is the group's first one that the node admits.
  struct Pair {
    std::int32_t priority;
    double score;
    std::uint32_t group;
    NodeId node;
  };
  // True where a comes after b: by priority, score, index of the group, then index of the node.
  static bool after(const Pair& a, const Pair& b) {
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.score != b.score) return a.score < b.score;
    return a.group != b.group ? a.group > b.group : a.node > b.node;
  }

  [[nodiscard]] bool stopped() const { return input_.run.clock.stop() != Stop::kNo; }

  // True for a listed node in the same state as a newly opened one of its class.
  [[nodiscard]] bool is_fresh(NodeId node) const {
    const Instance& instance = input_.instance;
    if (!placement_.contents().at(node).empty() || placement_.has_rules()) return false;
    const ClassId c = placement_.class_of(node);
    if (instance.eligibility().kind(node, c) != instance.eligibility().kind(kNone, c)) return false;
    if (!instance.data().closed.empty() && instance.data().closed[node] != 0) return false;
    if (placement_.loaded(node)) return false;
    const auto standing = instance.scaled_standing(node, c);
    const auto of_new = instance.scaled_standing(kNone, c);
    if (of_new.empty()) return std::all_of(standing.begin(), standing.end(), [](std::int32_t units) { return units == 0; });
    return std::equal(standing.begin(), standing.end(), of_new.begin(), of_new.end());
  }

  // Opens one more node, of the cheapest class in which an unplaced app fits, for replicas that the active nodes cannot take.
  bool overflow() {
    for (const ClassId c : classes_) {
      std::uint32_t& g = next_group_[c];
      while (g < groups_.size() &&
             (groups_.members(g).empty() || placement_.residuals().copies_on_empty(scores_.need(g), c, 1) == 0)) {
        ++g;
      }
      // While no app can join an empty node of the class, another one is useless.
      if (g == groups_.size() || !empty_[c].empty()) continue;
      const NodeId node = placement_.open(c);
      if (node == kNone) continue;
      empty_[c].push_back(node);
      if (scores_.needs_totals()) take_totals();  // no other node has a feasible pair
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

  // The node's best pair in its current state; its group is kNone where no app can join.
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

  // Places a replica of the app on the pair's node, and returns the affected nodes to the heap.
  void place(const Pair& pair, AppId app) {
    placement_.place(app, pair.node, 1);
    --left_;
    if (placement_.unplaced(app) == 0) compact(pair.group);
    offer(pair.node);
    std::vector<NodeId>& empty = empty_[placement_.class_of(pair.node)];
    if (!empty.empty() && empty.back() == pair.node) {
      empty.pop_back();
      // The next empty node has the same best pair. Whether its group is finished is checked when it comes out on top.
      if (!empty.empty()) push({pair.priority, pair.score, pair.group, empty.back()});
    }
  }

  // Places a replica by the best pair; false where no pair is feasible.
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
  // Renews the totals and evaluates by them all nodes in the heap. A node without a feasible pair still has none.
  void renew() {
    take_totals();
    std::vector<Pair> old;
    old.swap(heap_);
    for (const Pair& pair : old) {
      if (stopped()) return;
      offer(pair.node);
    }
  }
  /// How often totals are renewed in a run.
  static constexpr std::uint64_t kRenewals = 64;

  const PlannerInput& input_;
  Placement<Unit> placement_;
  AppGroups<Unit> groups_;
  GroupScores<Unit> scores_;
  std::vector<ClassId> classes_;
  std::vector<std::uint32_t> next_group_;   // per class: the first group with apps left that fits
  std::vector<std::vector<NodeId>> empty_;  // per class: empty nodes, the first at the back
  std::uint64_t left_ = 0;                  // replicas to place
  std::uint64_t asked_ = 0;                 // apps asked about since work was counted
  std::vector<Pair> heap_;
  std::vector<std::int64_t> totals_;  // residual sums that scores refer to
  std::uint64_t next_totals_ = 0;     // they are renewed when this many replicas are left
  bool has_begun_ = false;
};

template <class Unit>
Error match(const PlannerInput& input, const MatchVariant& variant, Plan& plan) {
  return plan_on_nodes(input, variant.search, variant.step, plan,
                       [&](const Request& request, std::uint32_t nodes, bool all_or_nothing, Plan& result) -> Result<bool> {
                         MatchTrial<Unit> trial(input, request, variant.score, nodes);
                         return finish_attempt(trial, trial.run(), variant.search, all_or_nothing, result);
                       });
}

std::vector<PlannerInfo> make_match_planners() {
  std::vector<PlannerInfo> all;
  for (const Score score : kScores) {
    const std::string score_text(score_name(score));
    const std::string name = "match-" + score_text;
    const std::string summary = "the pair of app and node with the highest " + score_text + " score first, ";
    const auto member = [&](const std::string& suffix, const std::string& nodes, NodeSearch search, std::uint32_t step) {
      const MatchVariant variant = {score, search, step};
      all.push_back({.name = name + suffix,
                     .summary = summary + nodes,
                     .source = "P0, section 4.4, algorithm 4",
                     .complexity = "O(R (G d + log N)) per number of nodes",
                     .honours = kHeadroomFeatures,
                     .function = [variant](const PlannerInput& input, Plan& plan) {
                       return input.instance.visit_unit([&](auto unit) { return match<decltype(unit)>(input, variant, plan); });
                     }});
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
