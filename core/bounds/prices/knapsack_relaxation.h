// The linear relaxation of filling a node with replicas:
//
//   maximize    sum_k y_k x_k
//   subject to  sum_k weight_kh x_k <= 1 in every dimension h,  0 <= x_k <= most_k
//
// It is solved by the simplex method with bounds, from the basis of the call before. Its duals are a multiplier per dimension;
// any multipliers give an upper bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

class KnapsackRelaxation {
 public:
  explicit KnapsackRelaxation(std::size_t dims) : dims_(dims) {}
  /// @param weight dims entries, at least 0
  /// @param most   above 0
  void add(std::span<const double> weight, double most);

  [[nodiscard]] std::size_t dims() const { return dims_; }
  [[nodiscard]] std::size_t size() const { return most_.size(); }
  [[nodiscard]] const double* weight(std::size_t k) const { return weight_.data() + k * dims_; }
  [[nodiscard]] double most(std::size_t k) const { return most_[k]; }

  /// Sets the multipliers, to an optimum but where that takes too long.
  /// @param worth size() entries
  void solve(std::span<const double> worth);
  /// Per dimension, at least 0.
  [[nodiscard]] const std::vector<double>& multipliers() const { return multipliers_; }
  /// What the multipliers charge for one of k.
  [[nodiscard]] double surrogate(std::size_t k) const {
    double sum = 0;
    for (std::size_t h = 0; h < dims_; ++h) sum += multipliers_[h] * weight_[k * dims_ + h];
    return sum;
  }
  /// No solution is worth more.
  [[nodiscard]] double upper(std::span<const double> worth) const;

  /// Floating-point operations since the last call, roughly.
  std::uint64_t take_work() { return std::exchange(work_, 0); }

 private:
  struct Entering {
    std::size_t variable;
    double sign;
  };
  [[nodiscard]] Entering choose(std::span<const double> worth) const;
  /// Enters a variable; false where rounding hides what happens.
  bool enter(const Entering& entering);
  void invert();
  /// The column of a variable: k, or size() + h for the slack of dimension h.
  [[nodiscard]] double entry(std::size_t variable, std::size_t h) const {
    if (variable >= size()) return variable - size() == h ? 1 : 0;
    return weight_[variable * dims_ + h];
  }

  std::size_t dims_;
  std::vector<double> weight_;  // by variable and dimension
  std::vector<double> most_;
  std::vector<std::size_t> basis_;
  std::vector<double> inverse_;        // dims x dims
  std::vector<double> rest_;           // per dimension: 1 less what is at its most
  std::vector<std::uint8_t> at_most_;  // 1 at its most, 2 in the basis
  std::vector<double> multipliers_;
  std::uint64_t since_inverted_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace stowage
