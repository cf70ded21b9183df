// The simplex method with bounded variables (Dantzig 1955). There is a row per resource, so the inverse of the basis is tiny.

#include "core/packing/relaxed_knapsack.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

constexpr double kTiny = 1e-10;

class RelaxedKnapsack {
 public:
  RelaxedKnapsack(const PackingProblem& problem, std::span<const double> worth, std::span<const std::uint32_t> at_most)
      : rows_(problem.resources), worth_(worth), at_most_(at_most) {
    for (ResourceIndex h = 0; h < rows_; ++h) per_unit_.push_back(problem.capacity[h] > 0 ? 1.0 / problem.capacity[h] : 0);
    for (std::uint32_t i = 0; i < problem.items(); ++i) {
      if (worth[i] <= 0 || at_most[i] == 0) continue;
      items_.push_back(i);
      for (ResourceIndex h = 0; h < rows_; ++h) weight_.push_back(problem.demand_of(i)[h] * per_unit_[h]);
    }
    at_upper_.assign(items_.size(), 0);
    inverse_.assign(rows_ * rows_, 0);
    for (ResourceIndex h = 0; h < rows_; ++h) {
      basis_.push_back(kSlack + h);
      slack_basic_.push_back(1);
      inverse_[h * rows_ + h] = 1;
      value_.push_back(1);
    }
    prices_.assign(rows_, 0);
    step_.assign(rows_, 0);
  }

  std::vector<double> run() {
    for (std::size_t pivots = 0; pivots < 40 + 10 * rows_; ++pivots) {
      if (!pivot()) break;
    }
    for (double& price : prices_) price = std::max(0.0, price);
    return prices_;
  }

 private:
  using ResourceIndex = std::size_t;
  /// Variables from here on are slacks, the others indices into items_.
  static constexpr std::size_t kSlack = std::size_t{1} << 30;

  [[nodiscard]] double gain(std::size_t k) const {
    double sum = worth_[items_[k]];
    for (ResourceIndex h = 0; h < rows_; ++h) sum -= prices_[h] * weight_[k * rows_ + h];
    return sum;
  }
  [[nodiscard]] double most(std::size_t variable) const {
    return variable >= kSlack ? 1e300 : static_cast<double>(at_most_[items_[variable]]);
  }

  bool pivot() {
    std::fill(prices_.begin(), prices_.end(), 0.0);
    for (ResourceIndex i = 0; i < rows_; ++i) {
      if (basis_[i] >= kSlack) continue;
      for (ResourceIndex h = 0; h < rows_; ++h) prices_[h] += worth_[items_[basis_[i]]] * inverse_[i * rows_ + h];
    }
    std::size_t entering = kSlack + rows_;
    double best = kTiny;
    bool falls = false;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      if (at_upper_[k] == kBasic) continue;
      const double now = gain(k);
      if ((at_upper_[k] != 0 ? -now : now) <= best) continue;
      best = std::abs(now);
      entering = k;
      falls = at_upper_[k] != 0;
    }
    for (ResourceIndex h = 0; h < rows_; ++h) {
      if (slack_basic_[h] != 0 || -prices_[h] <= best) continue;
      best = -prices_[h];
      entering = kSlack + h;
      falls = false;
    }
    if (entering == kSlack + rows_) return false;
    enter(entering, falls ? -1 : 1);
    return true;
  }

  // The variable grows, or falls, until it or a basic one reaches a bound.
  void enter(std::size_t variable, double direction) {
    for (ResourceIndex i = 0; i < rows_; ++i) {
      double sum = 0;
      for (ResourceIndex h = 0; h < rows_; ++h) {
        const double entry = variable >= kSlack ? (variable - kSlack == h ? 1.0 : 0.0) : weight_[variable * rows_ + h];
        sum += inverse_[i * rows_ + h] * entry;
      }
      step_[i] = sum * direction;
    }
    double length = most(variable);
    ResourceIndex leaving = rows_;
    for (ResourceIndex i = 0; i < rows_; ++i) {
      double room = 1e300;
      if (step_[i] > kTiny) room = std::max(0.0, value_[i]) / step_[i];
      if (step_[i] < -kTiny) room = std::max(0.0, most(basis_[i]) - value_[i]) / -step_[i];
      if (room >= length) continue;
      length = room;
      leaving = i;
    }
    for (ResourceIndex i = 0; i < rows_; ++i) value_[i] -= length * step_[i];
    const double start = direction > 0 ? 0 : most(variable);
    if (leaving == rows_) {
      at_upper_[variable] = at_upper_[variable] != 0 ? 0 : 1;
      return;
    }
    set_place(basis_[leaving], step_[leaving] < 0 ? 1 : 0);
    set_place(variable, kBasic);
    basis_[leaving] = variable;
    value_[leaving] = start + direction * length;
    const double scale = direction / step_[leaving];
    for (ResourceIndex h = 0; h < rows_; ++h) inverse_[leaving * rows_ + h] *= scale;
    for (ResourceIndex i = 0; i < rows_; ++i) {
      if (i == leaving) continue;
      for (ResourceIndex h = 0; h < rows_; ++h) inverse_[i * rows_ + h] -= step_[i] * direction * inverse_[leaving * rows_ + h];
    }
  }
  void set_place(std::size_t variable, std::uint8_t place) {
    if (variable >= kSlack) {
      slack_basic_[variable - kSlack] = place == kBasic ? 1 : 0;
    } else {
      at_upper_[variable] = place;
    }
  }

  static constexpr std::uint8_t kBasic = 2;

  std::size_t rows_;
  std::span<const double> worth_;
  std::span<const std::uint32_t> at_most_;
  std::vector<double> per_unit_;
  std::vector<std::uint32_t> items_;
  std::vector<double> weight_;          // item x resource, as shares of the capacity
  std::vector<std::uint8_t> at_upper_;  // per item: at its upper bound, or kBasic
  std::vector<std::uint8_t> slack_basic_;
  std::vector<std::size_t> basis_;
  std::vector<double> value_;
  std::vector<double> inverse_;
  std::vector<double> prices_;
  std::vector<double> step_;
};

}  // namespace

std::vector<double> relaxed_prices(const PackingProblem& problem, std::span<const double> worth,
                                   std::span<const std::uint32_t> at_most) {
  return RelaxedKnapsack(problem, worth, at_most).run();
}

}  // namespace stowage
