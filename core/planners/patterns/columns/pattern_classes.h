// Classes of patterns modulo a lattice: a bound from numbers of patterns being whole.
//
// Patterns that lose nothing, or next to nothing (group_relaxation.h defines the loss of a pattern), often have something in
// common: all of them hold four of the large replicas, say. Where the number of large replicas is no multiple of four, some
// node has to lose more. In general, patterns of little loss generate a lattice. If the lattice does not hold what is wanted,
// other patterns have to bring about the difference, modulo the lattice. There are few classes modulo it, so that a shortest
// path among them tells what these patterns lose at least.
//
// This is Gomory's group relaxation of a coarser group, which tells nothing of what patterns of the lattice lose. It therefore
// bounds from below, for any number of apps, and makes no plan. Any lattice is valid. That of patterns is widened by all
// multiples of a modulus, which keeps numbers small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/planners/patterns/columns/layout.h"

namespace stowage {

class PatternClasses {
 public:
  /// All its multiples are in the lattice. Many small primes divide it, and products of two residues fit 64 bits.
  static constexpr std::uint32_t kModulus = 64 * 81 * 25 * 7 * 11 * 13;

  /// Takes the classes modulo the lattice that the first patterns generate, as many patterns as are needed for few classes:
  /// PatternPricing makes tables per app and class. There is one class where all patterns together leave too many.
  /// @param apps     number of apps, at least 1
  /// @param patterns by ascending loss
  PatternClasses(std::size_t apps, std::span<const Pattern> patterns);

  /// Number of classes, at least 1. Class 0 is the lattice.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t of(const Pattern& pattern) const;
  /// The class of a single replica of the app.
  [[nodiscard]] std::uint32_t of_app(std::size_t app) const { return of_app_[app]; }
  [[nodiscard]] std::uint32_t sum(std::uint32_t a, std::uint32_t b) const { return sums_[a * count_ + b]; }
  [[nodiscard]] std::uint32_t difference(std::uint32_t a, std::uint32_t b) const { return differences_[a * count_ + b]; }

  /// The class of `factor` patterns of class `c`.
  [[nodiscard]] std::uint32_t times(std::uint32_t c, std::uint64_t factor) const;
  /// The least loss of patterns whose classes add up to `wanted`.
  /// @param losses per class, a lower bound on the loss of its patterns, at least 0
  [[nodiscard]] double least_loss(std::vector<double> losses, std::uint32_t wanted) const;

 private:
  std::uint32_t count_ = 1;
  std::vector<std::uint32_t> of_app_;
  std::vector<std::uint32_t> sums_;         // count x count
  std::vector<std::uint32_t> differences_;  // count x count
};

}  // namespace stowage
