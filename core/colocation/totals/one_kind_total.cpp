// Proof sketch. Loads p_1 >= p_2 >= ... of one kind cost the sum of p_i x (number of replicas on its node). By exchange, larger
// loads stand on nodes with fewer replicas, so that some best plan cuts the sorted loads into runs (Pascual and Rzadca, 2015).
// A run from i to j costs (j - i)(P_j - P_i), P the prefix sums, which has the inverse quadrangle of Monge: w(a, d) + w(b, c)
// >= w(a, c) + w(b, d) for a <= b <= c <= d, as the difference is (b - a)(P_d - P_c) + (d - c)(P_b - P_a). Hence the least cost
// is convex in the number of runs, and a price per run loses nothing at the right price; at any price, the least cost with the
// price less price x nodes is a lower bound.

#include "core/colocation/totals/one_kind_total.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stowage {
namespace {

/// So many loads are looked at between two looks at the clock.
constexpr std::size_t kLoadsPerStep = 1 << 16;
constexpr std::size_t kLoadsPerUnit = 8;

// Cuts sorted loads into runs, each of which also costs a price.
class SortedRuns {
 public:
  explicit SortedRuns(std::span<const double> load)
      : prefix_(load.size() + 1, 0), cost_(prefix_.size()), runs_(prefix_.size()) {
    double rest = 0;  // Kahan's sum
    for (std::size_t i = 0; i < load.size(); ++i) {
      const double add = load[i] - rest;
      prefix_[i + 1] = prefix_[i] + add;
      rest = (prefix_[i + 1] - prefix_[i]) - add;
    }
  }

  /// Finds the least cost, in O(n log n): the best last run of a longer prefix begins no earlier. False: the clock ended it.
  bool solve(double price, WorkClock& clock) {
    struct Start {
      std::size_t begin;  // where the last run begins
      std::size_t from;   // the first prefix for which it does
    };
    const std::size_t n = prefix_.size() - 1;
    std::vector<Start> starts = {{0, 1}};
    std::size_t head = 0;
    cost_[0] = 0;
    runs_[0] = 0;
    for (std::size_t j = 1; j <= n; ++j) {
      while (head + 1 < starts.size() && starts[head + 1].from <= j) ++head;
      const std::size_t i = starts[head].begin;
      cost_[j] = with_run(i, j) + price;
      runs_[j] = runs_[i] + 1;
      while (starts.back().from > j && with_run(j, starts.back().from) <= with_run(starts.back().begin, starts.back().from))
        starts.pop_back();
      // The first prefix that is better off with j.
      std::size_t worse = std::max(starts.back().from, j);
      std::size_t better = n + 1;
      while (worse + 1 < better) {
        const std::size_t middle = worse + (better - worse) / 2;
        (with_run(j, middle) <= with_run(starts.back().begin, middle) ? better : worse) = middle;
      }
      if (better <= n) starts.push_back({j, better});
      if (j % kLoadsPerStep == 0 && clock.step(kLoadsPerStep / kLoadsPerUnit)) return false;
    }
    return true;
  }
  [[nodiscard]] double cost() const { return cost_.back(); }
  [[nodiscard]] std::size_t runs() const { return runs_.back(); }

 private:
  [[nodiscard]] double with_run(std::size_t i, std::size_t j) const {
    return cost_[i] + static_cast<double>(j - i) * (prefix_[j] - prefix_[i]);
  }

  std::vector<double> prefix_;
  std::vector<double> cost_;  // of each prefix
  std::vector<std::size_t> runs_;
};

}  // namespace

double one_kind_total(std::span<const double> load, std::uint32_t nodes, WorkClock& clock) {
  constexpr int kSteps = 40;
  double sum = 0;
  double roots = 0;
  for (const double p : load) {
    sum += p;
    roots += std::sqrt(p);
  }
  if (load.size() <= nodes) return sum * (1 - 1e-11);
  SortedRuns runs(load);
  // As if runs were fluid, they cost (sum of roots)^2 / runs; the price of a run is what one run less would cost more.
  double low = 0;
  double high = roots / nodes * (roots / nodes);
  double best = 0;
  bool above = false;  // whether `high` is known to be too high
  for (int k = 0; k < kSteps; ++k) {
    const double price = above ? low + (high - low) / 2 : high;
    if (!runs.solve(price, clock)) break;
    best = std::max(best, runs.cost() - price * nodes);
    if (clock.step(1 + load.size() % kLoadsPerStep / kLoadsPerUnit) || runs.runs() == nodes) break;
    if (runs.runs() < nodes) {
      above = true;
      high = price;
    } else {
      low = price;
      if (!above) high *= 2;
    }
  }
  return best * (1 - 1e-11);  // long sums lose more digits
}

}  // namespace stowage
