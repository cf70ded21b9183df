// The least number of patterns that holds loads, and the prices that prove it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Minimizes the sum of weights w_k >= 0 of patterns, with the sum of w_k x pattern[k][g] at least load[g] for each g: a linear
/// program, by the primal simplex method. Its dual maximizes price x load with price x pattern[k] at most 1 for all k.
class PriceProgram {
 public:
  /// Begins with a pattern for each g alone: `alone[g]` of g, above 0. `load` is at least 0.
  PriceProgram(std::span<const double> load, std::span<const double> alone);

  /// Adds a pattern of `size` nonnegative entries. Its index is the number of patterns before.
  void add(std::span<const double> pattern);
  /// Solves with the patterns so far, from where the last call ended. Ends after a bounded number of steps, perhaps early.
  void solve();

  /// After solve(): the prices, at least 0.
  [[nodiscard]] const std::vector<double>& price() const { return price_; }
  /// After solve(): the weight of each pattern; the first ones are those of the constructor.
  [[nodiscard]] std::vector<double> weights() const;
  [[nodiscard]] std::size_t patterns() const { return pattern_.size() / size_; }

 private:
  static constexpr std::uint32_t kSurplus = 0x80000000u;

  void set_prices();
  [[nodiscard]] bool step();
  bool enter(std::uint32_t variable, std::span<const double> column);

  std::uint32_t size_;
  std::vector<double> load_;
  std::vector<double> pattern_;       // patterns x size
  std::vector<double> inverse_;       // of the basis; size x size, row-major
  std::vector<std::uint32_t> basis_;  // a pattern, or kSurplus + g
  std::vector<double> value_;         // of the basis
  std::vector<double> price_;
};

}  // namespace stowage
