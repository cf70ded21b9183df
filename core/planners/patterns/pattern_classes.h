// What numbers of patterns cannot be, whole as they are: classes of patterns modulo a lattice.
//
// Patterns that lose nothing, or next to nothing (group_relaxation.h tells what a pattern loses), often have something in
// common: all of them hold four of the large replicas, say. Where the number of large replicas is no multiple of four, some
// node has to lose more. In general: patterns of little loss generate a lattice. If it does not hold what is wanted, other
// patterns have to bring about the difference, modulo the lattice; and as there are few classes modulo it, what they lose at
// least is a shortest path among few.
//
// This is Gomory's group relaxation once more, but of a coarser group: nothing is said of what patterns of the lattice lose.
// So it bounds from below, for however many apps, and makes no plan. Any lattice will do. That of patterns is widened by all
// multiples of a modulus, which keeps numbers small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

class PatternClasses {
 public:
  using Pattern = std::vector<std::uint32_t>;  ///< per app
  /// All multiples of it are in the lattice: many small primes divide it, and products of two residues fit 64 bits.
  static constexpr std::uint32_t kModulus = 64 * 81 * 25 * 7 * 11 * 13;

  /// Classes modulo the lattice of the first patterns, of as many as leave few classes: tables per app and class are made of
  /// them. One class where all patterns leave too many.
  /// @param apps     at least 1
  /// @param patterns of little loss first
  PatternClasses(std::size_t apps, std::span<const Pattern> patterns);

  /// At least 1. Class 0 is the lattice.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t of(const Pattern& pattern) const;
  /// The class of a single replica of the app.
  [[nodiscard]] std::uint32_t of_app(std::size_t app) const { return of_app_[app]; }
  [[nodiscard]] std::uint32_t sum(std::uint32_t a, std::uint32_t b) const { return sums_[a * count_ + b]; }
  [[nodiscard]] std::uint32_t difference(std::uint32_t a, std::uint32_t b) const { return differences_[a * count_ + b]; }

  /// So often the class.
  [[nodiscard]] std::uint32_t times(std::uint32_t c, std::uint64_t factor) const;
  /// The least that patterns lose whose classes add up to this one.
  /// @param losses per class, at least 0: what any pattern of it loses at least
  [[nodiscard]] double least_loss(std::vector<double> losses, std::uint32_t wanted) const;

 private:
  std::uint32_t count_ = 1;
  std::vector<std::uint32_t> of_app_;
  std::vector<std::uint32_t> sums_;         // count x count
  std::vector<std::uint32_t> differences_;  // likewise
};

}  // namespace stowage
