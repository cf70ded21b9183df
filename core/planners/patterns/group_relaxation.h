// What it costs beyond the linear program that numbers of patterns are whole: the group relaxation (Gomory 1965).
//
// Call what a pattern costs beyond what the duals pay for it its loss. Those of the linear program's basis lose nothing. A plan
// is some collection of other patterns, and basic ones that cover the rest: in whole numbers if and only if the rest is an
// integer combination of them, that is, if it is 0 modulo the lattice they generate. There are |det B| classes modulo this
// lattice, and every pattern is a step from class to class. So no plan loses less than a shortest path from 0 to the class of
// what is wanted; and if basic patterns cover the rest in numbers that are not negative, as they do where much is wanted, it
// makes a best plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run.h"

namespace stowage {

class GroupRelaxation {
 public:
  using Pattern = std::vector<std::uint32_t>;  ///< per app

  /// @param basis as many independent patterns as there are apps. Nothing where they are not, or where their determinant or
  /// what
  ///              comes with it is too large to compute with.
  static std::optional<GroupRelaxation> of(const std::vector<Pattern>& basis);

  [[nodiscard]] std::uint32_t classes() const { return determinant_; }

  /// Whether, beside one such pattern, no basic one is taken less than 0 times, in fractions.
  [[nodiscard]] bool may_take(const Pattern& wanted, const Pattern& pattern) const;

  struct Step {
    Pattern pattern;
    double loss;  ///< at least 0
  };
  struct Completion {
    std::vector<std::size_t> steps;    ///< of the path, each as often as it is taken
    std::vector<std::uint64_t> times;  ///< of each basic pattern, to cover the rest
    bool found = false;
    double loss = 0;   ///< of the path; `most` where none was found
    double bound = 0;  ///< no path loses less: the loss itself where the basis covers the rest of a shortest one
  };
  /// A collection of steps of little loss, below `most`, after which the basis covers the rest of what is wanted in whole
  /// numbers.
  /// @param steps by ascending loss
  /// @param run   learns of the work, and may end it
  [[nodiscard]] Completion shortest(const Pattern& wanted, const std::vector<Step>& steps, double most, Run& run) const;

 private:
  /// How often each basic pattern is taken to cover exactly this much; empty where that is no whole number or a negative one.
  [[nodiscard]] std::vector<std::uint64_t> cover(const std::vector<std::int64_t>& rest) const;

  GroupRelaxation() = default;

  using Class = std::vector<std::uint32_t>;
  template <class Number>
  [[nodiscard]] Class class_of(const std::vector<Number>& amounts) const;

  std::size_t rows_ = 0;
  std::uint32_t determinant_ = 1;  // its absolute value
  std::vector<Pattern> basis_;
  std::vector<double> inverse_;         // of the matrix whose columns are the basis; rows_ x rows_
  std::vector<std::uint32_t> adjoint_;  // determinant x inverse, modulo the determinant; its product with a vector is its class
};

}  // namespace stowage
