// A plan under improvement, and what goals make of it: the value of each level, and what a change of a node would do to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/rebuild/rebuild_state.h"
#include "core/terms/term.h"

namespace stowage {

/// The terms of all levels. Outlives the states that use it.
struct GoalTerms {
  struct Level {
    std::size_t begin;  ///< its terms
    std::size_t end;
    double tolerance;
  };
  std::vector<std::unique_ptr<Term>> terms;
  std::vector<double> weight;  ///< per term
  std::vector<Level> levels;
};

/// Wraps a RebuildState. Every change goes through put() and take(). Values of levels are exact but for rounding; each is
/// recomputed from the plan where that is judged.
///
/// A search follows the *slope* of a term, which tells better from worse where the value does not: of a largest contribution, a
/// sum of high powers.
template <class Unit>
class GoalState {
 public:
  GoalState(RebuildState<Unit>& state, const GoalTerms& terms);

  [[nodiscard]] const Instance& instance() const { return state_->instance(); }
  [[nodiscard]] RebuildState<Unit>& state() { return *state_; }
  [[nodiscard]] const RebuildState<Unit>& state() const { return *state_; }
  [[nodiscard]] const GoalTerms& goals() const { return *goals_; }

  // Changes.
  void put(AppId app, NodeId node) {
    touch(node);
    state_->put(app, node, 1);
  }
  void take(AppId app, NodeId node) {
    touch(node);
    state_->take(app, node, 1);
  }
  /// Begins a step, which roll_back() undoes.
  void begin();
  void roll_back();

  // Values.
  [[nodiscard]] double value(std::size_t level);
  [[nodiscard]] double slope(std::size_t level);
  /// Largest contributions are compared with the present one from now on.
  /// @param gentle slopes are less steep: changes at random, some of them far beyond the largest contribution, have a mean
  void rescale(bool gentle = false);

  // What guides a search.
  /// Sets what a unit of each level's slope counts in change().
  void set_prices(std::vector<double> prices);
  /// By how much the priced slopes change, about, where one more replica of the app comes to the node.
  [[nodiscard]] double change(AppId app, NodeId node);
  /// Whether one more replica of the app may be on the node.
  [[nodiscard]] bool has_room(AppId app, NodeId node) const { return state_->room(app, node, 1, TagState::Asked::kHard) > 0; }
  /// What the node contributes to the priced slopes: what there is to gain.
  [[nodiscard]] double burden(NodeId node);

 private:
  void touch(NodeId node);
  void settle(NodeId node);
  void settle_all();
  void resize();
  [[nodiscard]] NodeView view(NodeId node, std::span<const Tenant> tenants) const;
  /// Adds what a node contributes to the sums of a term, `times` times.
  void count(std::size_t term, double of_node, bool in_use, double times);
  void set_largest(std::size_t term, NodeId node, double of_node);
  [[nodiscard]] double term_value(std::size_t term) const;
  [[nodiscard]] double term_slope(std::size_t term) const;
  [[nodiscard]] double steep(std::size_t term, double of_node) const;

  /// What is known of a term.
  struct Sums {
    Term::Fold fold;
    double scale = 1;  // largest contribution when rescale() was called
    double sum = 0;    // of contributions or, where the largest counts, of their powers
    double squares = 0;
    double price = 0;             // of a unit of slope
    std::vector<double> of_node;  // per node
    std::vector<double> largest;  // a tree over the nodes; empty where the largest does not count
  };
  struct Before {
    NodeId node;
    bool in_use;
    std::size_t values;  // position in before_values_
  };
  RebuildState<Unit>* state_;
  const GoalTerms* goals_;
  std::vector<Sums> sums_;  // per term
  double in_use_ = 0;       // nodes
  bool gentle_ = false;
  std::vector<std::uint8_t> is_in_use_;
  std::vector<std::uint8_t> is_touched_;  // per node: since begin()
  std::vector<std::uint8_t> is_stale_;    // per node: changed since its contributions were computed
  std::vector<NodeId> stale_;
  std::vector<Before> before_;  // of the nodes touched since begin()
  std::vector<double> before_values_;
  struct Totals {
    double sum;
    double squares;
  };
  std::vector<Totals> totals_before_;
  double in_use_before_ = 0;
  std::vector<Tenant> tenants_;
};

extern template class GoalState<std::int16_t>;
extern template class GoalState<std::int32_t>;

}  // namespace stowage
