// Puts waiting replicas back: on given nodes where they fit, then on new ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/rebuild/nodes/trial_node.h"
#include "core/rebuild/rebuild_state.h"

namespace stowage {

/// Replicas of one app that wait.
struct WaitingApp {
  AppId app;
  std::uint32_t replicas;
  double rank;  ///< the largest is placed first
};

template <class Unit>
class Recreate {
 public:
  explicit Recreate(RebuildState<Unit>& state);

  /// Places what it can, first on the partners, then on new nodes, and leaves the rest in `waiting`.
  /// @param waiting in descending order of rank
  /// @param gently first without violating soft rules; what then waits goes anywhere
  /// @param clock counts the work before a new node once it is `piece` units, and may end the call there
  void run(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners, bool gently, Random& random, WorkClock& clock,
           std::uint64_t piece = 0);
  /// Puts on one node what fits of `waiting` without violating soft rules: of the orders tried, what is worth most.
  void fill(std::vector<WaitingApp>& waiting, NodeId node, Random& random);
  /// The same for a new node.
  bool open_gently(std::vector<WaitingApp>& waiting, Random& random) {
    asked_ = TagState::Asked::kAll;
    return open_one(waiting, random);
  }
  /// Sets how many replicas of an app go to a node before other apps have had their turn; kNone: all that fit.
  void share_nodes(std::uint32_t at_first) { at_first_ = at_first; }
  /// Sets by up to which share the cost per worth varies by which the kind of a new node is chosen; 0: not at all.
  void blur_kinds(double noise) { kind_noise_ = noise; }
  /// Sets the price of a node by which the kind of a new node is chosen where nodes are scarce.
  void price_nodes(double price) { node_price_ = price; }
  /// Sets in how many further orders of what waits, drawn at random, a node of fill() and a new one of each kind is tried.
  void vary_order(std::uint32_t times) { further_orders_ = times; }
  /// Whether questions took so long since this was true for the last time that a look at the clock is due.
  bool has_asked_long() {
    constexpr std::uint64_t kStepsPerLook = 1u << 18;
    if (steps_ < kStepsPerLook) return false;
    steps_ = 0;
    return true;
  }
  /// Work since the last call, in looks at an app.
  std::uint64_t take_work() { return std::exchange(work_, 0); }

 private:
  struct Choice {
    std::uint32_t kind = kNone;
    double rate = 0;  // cost per worth, weighted
    std::vector<FilledApp> apps;
  };
  /// Opens the node with the least cost per worth of what it takes of `waiting`. False: nothing was placed.
  bool open_one(std::vector<WaitingApp>& waiting, Random& random);
  /// Calls place(most) with how many replicas of an app a node takes: those of share_nodes() first, then all.
  template <class Place>
  void take_turns(Place&& place) const {
    if (at_first_ != kNone) place(at_first_);
    place(kNone);
  }
  void fill_partners(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners);
  /// Finds out which of what waits is needed near by something else that waits.
  void find_needed(const std::vector<WaitingApp>& waiting);
  /// How many of at most `most` replicas may be added to those `there` on a node. Where others need the app near, a node gets
  /// one, so that enough is left for further nodes.
  [[nodiscard]] std::uint32_t at_once(std::uint32_t index, std::uint32_t most, std::uint32_t there) const {
    if (needed_.empty() || needed_[index] == 0) return most;
    return there > 0 ? 0 : std::min(most, 1u);
  }
  /// Fills a trial node of each kind, or of one kind of a family, in the order of `order_`, and keeps the best.
  void try_kinds(const std::vector<WaitingApp>& waiting, Random& random);
  /// The cost per worth of what the trial node holds.
  [[nodiscard]] double rate_of(const std::vector<WaitingApp>& waiting, double cost, double worth) const;
  /// Fills a node of the kind and remembers it if its cost per worth, times `weight`, is the least.
  void try_kind(const std::vector<WaitingApp>& waiting, std::uint32_t kind, double weight);
  /// Fills the trial node in the order of `order_`, and remembers it if its cost per worth is the least.
  void fill_trial(const std::vector<WaitingApp>& waiting, std::uint32_t kind, double cost);
  /// Calls try_all() with what waits in its order, then in further ones.
  template <class TryAll>
  void try_orders(const std::vector<WaitingApp>& waiting, Random& random, TryAll&& try_all);
  /// Puts on a node what the best trial holds, and returns the number of replicas.
  std::uint32_t put_best(std::vector<WaitingApp>& waiting, NodeId node);
  /// Puts replicas of the app on the trial node, and before them what it needs near. Returns the worth of all that was put.
  double try_app(const std::vector<WaitingApp>& waiting, std::uint32_t index, std::uint32_t most);
  /// Puts up to `wanted` waiting replicas on the node, and before them what they need near, as far as that waits. Returns how
  /// many replicas of the app were put.
  std::uint32_t put(std::vector<WaitingApp>& waiting, std::uint32_t index, NodeId node, std::uint32_t wanted);
  bool bring_needed(std::vector<WaitingApp>& waiting, AppId app, NodeId node);
  /// An empty node of the kind: of some, the one to which most of the chosen replicas return.
  NodeId best_empty_node(const std::vector<WaitingApp>& waiting, Random& random);
  bool put_on_any_kind(std::vector<WaitingApp>& waiting, std::uint32_t index);
  void place_all(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners, Random& random, WorkClock& clock,
                 std::uint64_t piece);
  static void drop_placed(std::vector<WaitingApp>& waiting);
  /// Notes a question about the app, which takes long where rules offer a choice.
  void note_question(AppId app) {
    if (state_->has_rules(app)) steps_ += state_->placement().tags().steps_to_ask(app);
  }

  RebuildState<Unit>* state_;
  TrialNode<Unit> scratch_;
  Choice best_;
  Choice trial_;
  std::uint32_t at_first_ = kNone;
  double kind_noise_ = 0;
  double node_price_ = 0;
  std::uint32_t further_orders_ = 0;
  std::vector<const Unit*> demand_;   // per entry of the waiting list
  std::vector<std::uint32_t> order_;  // of entries of the waiting list, as a trial node takes them
  std::vector<std::pair<double, std::uint32_t>> drawn_;
  std::vector<std::uint32_t> tried_;  // per entry of the waiting list: replicas on the trial node
  std::vector<std::uint32_t> asked_parts_;
  std::vector<std::uint8_t> needed_;  // per entry of the waiting list; empty: none is
  std::vector<AppId> arriving_;       // on their way to one node, each because the one before needs it near
  TagState::Asked asked_ = TagState::Asked::kHard;
  std::uint64_t work_ = 0;
  std::uint64_t steps_ = 0;  // of questions of rules with a choice, since the last look at the clock
};

extern template class Recreate<std::int16_t>;
extern template class Recreate<std::int32_t>;

}  // namespace stowage
