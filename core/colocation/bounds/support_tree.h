// Whole numbers of nodes for each set of kinds.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/colocation/node_program.h"
#include "core/colocation/scaled_kinds.h"
#include "core/run/work_clock.h"

namespace stowage {

/// `count` nodes with the same room for each group, each of which holds the groups of `must` (bits) and others.
struct RoomClass {
  std::uint32_t count = 0;
  std::uint32_t must = 0;
  std::vector<double> room;
};

/// Branch and bound over the number of nodes of each class that hold each set of groups. It bounds the least ratio by which all
/// room must grow so that the nodes hold the loads; loads may be divided at will. Deterministic; ends after any node of the
/// tree.
class SupportTree {
 public:
  /// A whole number of nodes of a class that hold exactly the groups of `set`, and what all of them hold together, at a room
  /// that has grown by the ratio.
  struct Use {
    std::uint32_t node_class = 0;
    std::uint32_t set = 0;
    std::uint32_t count = 0;
    GroupVector load{};
  };

  /// `load`: of each group, at least 0.
  SupportTree(const ScaledKinds& kinds, std::vector<RoomClass> classes, std::vector<double> load);

  /// Grows the tree until the least ratio is known, or is known to exceed `enough`, or `budget` programs of a node have been
  /// solved, or the clock says so. Each program counts a unit of work. After the clock has stopped, the tree grows no more.
  void minimize(WorkClock& clock, double enough, std::uint64_t budget) { grow(clock, enough, false, budget); }
  /// The same until it is known whether the least ratio exceeds `enough`, no further.
  void decide(WorkClock& clock, double enough, std::uint64_t budget) { grow(clock, enough, true, budget); }

  /// No ratio below is possible. Rounded down.
  [[nodiscard]] double ratio() const { return ratio_; }
  /// Whether whole numbers attain ratio(), but for rounding.
  [[nodiscard]] bool solved() const { return solved_; }
  /// Whole numbers that need the least ratio found so far, and that ratio; none and infinity if none is found yet.
  [[nodiscard]] const std::vector<Use>& uses() const { return uses_; }
  [[nodiscard]] double uses_ratio() const { return uses_ratio_; }

 private:
  struct Variable {
    std::uint32_t node_class;
    std::uint32_t set;
  };
  struct Limits {
    std::uint32_t least;
    std::uint32_t most;
  };
  // A node of the tree.
  struct Part {
    double ratio = 0;
    std::uint64_t rank = 0;                                // in the order of their making
    std::vector<std::pair<std::uint32_t, Limits>> limits;  // the variables that are limited
    std::vector<double> price;
    std::uint32_t branch = kNone;  // a variable whose number is not whole
    double number = 0;
  };
  // What holds most at some prices.
  struct Filling {
    double value = 0;
    std::vector<double> pattern;
    struct Share {
      std::uint32_t variable;
      std::uint32_t count;
      GroupVector load;  // of each node
    };
    std::vector<Share> shares;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  void grow(WorkClock& clock, double enough, bool decide, std::uint64_t budget);
  void branch(WorkClock& clock, const Part& part);
  static bool later(const Part& a, const Part& b);
  void set_limits(const Part& part);
  [[nodiscard]] bool fill(Filling& filling);
  [[nodiscard]] bool fill_alone(std::uint32_t group, Filling& filling);
  [[nodiscard]] bool fill_priced(WorkClock& clock, std::span<const double> price, Filling& filling);
  bool evaluate(WorkClock& clock, Part& part, std::vector<Filling>& fillings, std::vector<double>& weight);
  void study(WorkClock& clock, Part part);
  void round(WorkClock& clock, const std::vector<double>& number);
  void keep(const std::vector<Filling>& fillings, const std::vector<double>& weight, double ratio);
  [[nodiscard]] std::vector<double> numbers(const std::vector<Filling>& fillings, const std::vector<double>& weight) const;

  const ScaledKinds* kinds_;
  std::vector<RoomClass> classes_;
  std::vector<double> load_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> first_;  // variables of class c: first_[c] to first_[c + 1]
  std::vector<Limits> limits_;        // of the part that is looked at
  std::vector<double> value_;         // what a node of each variable holds at the present prices; below 0: it cannot be
  std::vector<GroupVector> holds_;
  std::vector<std::uint32_t> order_;
  NodeProgram program_;
  std::vector<Part> open_;  // a heap, least ratio first
  double enough_ = 0;
  bool decide_ = false;
  std::uint64_t programs_ = 0;
  std::uint64_t studied_ = 0;
  bool solved_ = false;
  double ratio_ = 0;
  double closed_ = std::numeric_limits<double>::infinity();  // least ratio of the parts that are not looked into
  double uses_ratio_ = std::numeric_limits<double>::infinity();
  std::vector<Use> uses_;
};

}  // namespace stowage
