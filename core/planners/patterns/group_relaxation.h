// The group relaxation (Gomory 1965): what whole numbers of patterns cost beyond the linear program.
//
// The loss of a pattern is what it costs beyond what the duals pay for it. Patterns of the linear program's basis lose nothing.
// A plan is a collection of other patterns, and basic ones that cover the rest. Their numbers are whole if and only if the rest
// is an integer combination of basic patterns, that is, if it is 0 modulo the lattice that these generate. There are |det B|
// classes modulo the lattice, and every pattern is a step from class to class. Therefore no plan loses less than a shortest
// path from class 0 to the class of what is wanted. If basic patterns cover the rest in numbers that are not negative, as they
// do where much is wanted, the path makes a best plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/planners/patterns/columns/layout.h"
#include "core/run/work_clock.h"

namespace stowage {

class GroupRelaxation {
 public:
  /// @param basis independent patterns, one per app
  /// @return nothing where they are dependent, or where their determinant or adjoint is too large to compute with
  static std::optional<GroupRelaxation> of(const std::vector<Pattern>& basis);

  [[nodiscard]] std::uint32_t classes() const { return determinant_; }

  /// Whether basic patterns cover what is wanted less this pattern in numbers that are not negative; fractions count.
  [[nodiscard]] bool may_take(const Pattern& wanted, const Pattern& pattern) const;

  struct Step {
    Pattern pattern;
    double loss;  ///< at least 0
  };
  struct Completion {
    std::vector<std::size_t> steps;    ///< indices of the path's steps, each as often as it is taken
    std::vector<std::uint64_t> times;  ///< per basic pattern, how often it is taken to cover the rest
    bool found = false;
    double loss = 0;   ///< of the path; `most` where none was found
    double bound = 0;  ///< no path loses less; the loss itself where the basis covers the rest of a shortest path
  };
  /// A collection of steps that loses little, less than `most`, after which the basis covers the rest of what is wanted in
  /// whole numbers.
  /// @param steps by ascending loss
  /// @param clock counts the work and may end it
  [[nodiscard]] Completion shortest(const Pattern& wanted, const std::vector<Step>& steps, double most, WorkClock& clock) const;

 private:
  class PathSearch;

  /// How often each basic pattern is taken to cover exactly this; empty where some number is not whole or is negative.
  [[nodiscard]] std::vector<std::uint64_t> cover(const std::vector<std::int64_t>& rest) const;

  GroupRelaxation() = default;

  using Class = std::vector<std::uint32_t>;
  template <class Number>
  [[nodiscard]] Class class_of(const std::vector<Number>& amounts) const;

  std::size_t rows_ = 0;
  std::uint32_t determinant_ = 1;  // of the basis, absolute
  std::vector<Pattern> basis_;
  std::vector<double> inverse_;         // of the matrix whose columns are the basis; rows_ x rows_
  std::vector<std::uint32_t> adjoint_;  // determinant x inverse, modulo the determinant; its product with a vector is its class
};

}  // namespace stowage
