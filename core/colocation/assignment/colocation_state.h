// An assignment of replicas to nodes under change: what each node's replicas cost, and what they would cost after a move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/prefetch.h"
#include "core/colocation/problem.h"
#include "core/model/data/types.h"

namespace stowage {

enum class ColocationGoal : std::uint8_t {
  kWorst,  ///< the least cost of whoever suffers most
  kTotal,  ///< the least sum of the costs of all replicas
};

/// Per node: the cost of each kind, how many replicas of each kind there are, and which replicas. The value of a node is the
/// cost of its worst-off replica, or the sum of the costs of its replicas, by the goal; 0 where it is empty.
///
/// A move or an exchange takes O(kinds). Sums drift by rounding; refresh() computes them anew. Rows have width() entries, those
/// beyond the kinds are 0.
class ColocationState {
 public:
  struct Replica {
    double load;
    std::uint32_t kind;  ///< kinds() for the one that stands for nothing
    std::uint32_t node;  ///< kNone: on no node
  };

  /// All replicas are on no node at first. The problem has to outlive the state. Where the problem's watch ends meanwhile, the
  /// state is of no use.
  ColocationState(const ColocationProblem& problem, ColocationGoal goal);

  [[nodiscard]] const ColocationProblem& problem() const { return *problem_; }
  [[nodiscard]] ColocationGoal goal() const { return goal_; }
  [[nodiscard]] std::uint32_t nodes() const { return problem_->nodes; }
  [[nodiscard]] std::uint32_t kinds() const { return problem_->kinds; }
  [[nodiscard]] std::uint32_t replicas() const { return problem_->replicas(); }
  [[nodiscard]] std::uint32_t width() const { return width_; }

  /// The number of the replica that stands for nothing: an exchange with it is a move.
  [[nodiscard]] std::uint32_t nothing() const { return problem_->replicas(); }
  [[nodiscard]] const Replica& replica(std::uint32_t i) const { return replicas_[i]; }
  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t node) const { return members_[node]; }
  [[nodiscard]] double value(std::uint32_t node) const { return value_[node]; }
  /// Cost of a replica of each kind, whether there is one or not.
  [[nodiscard]] const double* costs(std::uint32_t node) const { return row(node); }
  /// Replicas of each kind.
  [[nodiscard]] const double* counts(std::uint32_t node) const { return row(node) + width_; }
  /// The greatest value, or the sum of the values, by the goal.
  [[nodiscard]] double objective() const;
  [[nodiscard]] Colocation colocation() const;

  /// Puts every replica where the colocation says; kNone: on no node.
  void assign(const Colocation& colocation);
  /// Computes all sums anew.
  void refresh();
  /// Moves a replica from where it is, if anywhere, to a node or to none.
  void move(std::uint32_t i, std::uint32_t node);
  /// Exchanges two replicas on different nodes.
  void exchange(std::uint32_t i, std::uint32_t j);

  struct Values {
    double first;   ///< of the node of i
    double second;  ///< of the other node
  };
  /// The values after replica i went to `node`, where it is not, and replica j of it, or nothing(), to the node of i.
  [[nodiscard]] Values after(std::uint32_t i, std::uint32_t node, std::uint32_t j) const;
  /// The value of a node after a further replica of the kind.
  [[nodiscard]] double with(std::uint32_t node, std::uint32_t kind, double load) const;
  /// The value of its node without the replica.
  [[nodiscard]] double without(std::uint32_t i) const;

  /// As after(), for a width known where it is compiled; 0 means any.
  template <std::uint32_t kWidth, ColocationGoal kGoal>
  [[nodiscard]] Values after_of(const Replica& one, std::uint32_t node, const Replica& other) const;
  void prefetch_replica(std::uint32_t i) const { stowage::prefetch(&replicas_[i], sizeof(Replica)); }
  void prefetch(std::uint32_t node) const { stowage::prefetch(row(node), std::size_t{2} * width_ * sizeof(double)); }

 private:
  static std::uint32_t width_for(std::uint32_t kinds);
  [[nodiscard]] const double* row(std::uint32_t node) const { return rows_.data() + std::size_t{node} * 2 * width_; }
  [[nodiscard]] double* row(std::uint32_t node) { return rows_.data() + std::size_t{node} * 2 * width_; }
  /// What a load of 1 of the kind adds to the cost of each kind, and then 1 at the kind itself and 0 elsewhere.
  [[nodiscard]] const double* effect(std::uint32_t kind) const { return effects_.data() + std::size_t{kind} * 2 * width_; }
  void leave(std::uint32_t i);
  void join(std::uint32_t i, std::uint32_t node);
  void add(std::uint32_t node, const Replica& replica, double times);
  [[nodiscard]] double compute_value(std::uint32_t node) const;

  const ColocationProblem* problem_;
  ColocationGoal goal_;
  std::uint32_t width_;
  std::vector<double> effects_;                      // per kind and for nothing: 2 x width
  std::vector<double> rows_;                         // per node: costs, then counts
  std::vector<double> value_;                        // per node
  std::vector<Replica> replicas_;                    // and the one that stands for nothing
  std::vector<std::uint32_t> position_;              // per replica: among the members of its node
  std::vector<std::vector<std::uint32_t>> members_;  // per node
};

// Branches that do not depend on the data, so that compilers make vector code of it. What is not there costs nothing, however
// its sum has drifted.
template <std::uint32_t kWidth, ColocationGoal kGoal>
inline ColocationState::Values ColocationState::after_of(const Replica& one, std::uint32_t node, const Replica& other) const {
  const std::uint32_t width = kWidth == 0 ? width_ : kWidth;
  const double* a = row(one.node);
  const double* b = row(node);
  const double* leaving = effect(one.kind);
  const double* coming = effect(other.kind);
  double first = 0;
  double second = 0;
  for (std::uint32_t t = 0; t < width; ++t) {
    const double change = coming[t] * other.load - leaving[t] * one.load;
    const double more = coming[width + t] - leaving[width + t];
    const double count_a = a[width + t] + more;
    const double count_b = b[width + t] - more;
    const double cost_a = a[t] + change;
    const double cost_b = b[t] - change;
    if constexpr (kGoal == ColocationGoal::kWorst) {
      const double present_a = count_a > 0 ? cost_a : 0;
      const double present_b = count_b > 0 ? cost_b : 0;
      first = present_a > first ? present_a : first;
      second = present_b > second ? present_b : second;
    } else {
      first += count_a * cost_a;
      second += count_b * cost_b;
    }
  }
  return {first, second};
}

}  // namespace stowage
