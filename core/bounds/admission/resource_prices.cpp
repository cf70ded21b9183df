// Admission: the least weight of the applications that have to be left out.
//
// Proof sketch. Fix prices y >= 0 of the dimensions. What a plan admits costs at most what the nodes carry is worth, less what
// is in every plan. So the weight admitted is at most worth(y) + sum over applications of max(0, weight - cost(y)) (Lagrangian
// relaxation of one knapsack with all nodes in one; its least value over y is that of the linear program). y follows
// subgradients, with steps by Polyak's rule towards a target a little below the best value so far. Where all weights are whole,
// so is what is left out. Applications for which no set of nodes has room are left out in every plan.
//
// O(applications x dimensions) per look at prices.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/sort_by.h"
#include "core/bounds/admission/candidates.h"
#include "core/bounds/bounds.h"
#include "core/plan/objective.h"

namespace stowage {
namespace {

/// Looks at prices: fewer where there are many applications.
constexpr std::size_t kMostPriceLooks = 300;
constexpr std::size_t kFewestPriceLooks = 20;
constexpr std::size_t kMostTermsLookedAt = 20'000'000;
/// The target is so much below the best value at first; after so many looks without a better value, it is nearer by half.
constexpr double kFirstTarget = 0.05;
constexpr std::size_t kLooksPerTarget = 8;

class AdmissionPrices {
 public:
  explicit AdmissionPrices(const Candidates& candidates) : candidates_(candidates) {
    const std::size_t dims = candidates.carried.size();
    std::vector<double> all(dims, 0);
    for (const Candidates::Application& a : candidates.applications) {
      for (std::size_t h = 0; h < dims; ++h) all[h] += a.demand[h];
    }
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (all[h] > candidates.carried[h]) short_.push_back(h);
    }
    for (const Candidates::Application& a : candidates.applications) {
      for (const std::uint32_t h : short_) share_.push_back(a.demand[h] / std::max(1.0, candidates.carried[h]));
      weight_.push_back(a.weight);
    }
  }

  AdmissionBound run() {
    AdmissionBound bound;
    double most = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    if (!short_.empty()) {
      most = std::min(most, descend());
      bound.price.assign(candidates_.carried.size(), 0);
      for (std::size_t k = 0; k < short_.size(); ++k) {
        bound.price[short_[k]] = best_price_[k] / std::max(1.0, candidates_.carried[short_[k]]);
      }
    }
    bound.left_out = candidates_.left_out(most);
    return bound;
  }

 private:
  // The most that these prices let be admitted; fills in the subgradient.
  double look(const std::vector<double>& price, std::vector<double>& slope) const {
    const std::size_t width = short_.size();
    std::fill(slope.begin(), slope.end(), 1.0);
    double value = std::accumulate(price.begin(), price.end(), 0.0) * (1 + Candidates::kMargin);
    for (std::size_t a = 0; a < weight_.size(); ++a) {
      const double* share = share_.data() + a * width;
      double cost = 0;
      for (std::size_t k = 0; k < width; ++k) cost += price[k] * share[k];
      if (cost >= weight_[a]) continue;
      value += weight_[a] - cost;
      for (std::size_t k = 0; k < width; ++k) slope[k] -= share[k];
    }
    return value;
  }

  // The best equal prices: those at which the cheapest applications fill the nodes.
  [[nodiscard]] double best_equal_price() const {
    const std::size_t width = short_.size();
    std::vector<double> sum(weight_.size(), 0);
    std::vector<double> worth(weight_.size(), 0);
    for (std::size_t a = 0; a < weight_.size(); ++a) {
      for (std::size_t k = 0; k < width; ++k) sum[a] += share_[a * width + k];
      worth[a] = sum[a] > 0 ? weight_[a] / sum[a] : std::numeric_limits<double>::max();
    }
    std::vector<std::uint32_t> order(weight_.size());
    std::iota(order.begin(), order.end(), 0u);
    sort_by_largest(order, worth);
    double room = static_cast<double>(width);
    for (const std::uint32_t a : order) {
      room -= sum[a];
      if (room <= 0) return worth[a];
    }
    return 0;
  }

  double descend() {
    const std::size_t width = short_.size();
    std::vector<double> price(width, best_equal_price());
    std::vector<double> slope(width);
    double best = look(price, slope);
    best_price_ = price;
    const std::size_t terms = std::max<std::size_t>(1, weight_.size() * width);
    const std::size_t looks = std::clamp(kMostTermsLookedAt / terms, kFewestPriceLooks, kMostPriceLooks);
    double target = kFirstTarget;
    double value = best;
    for (std::size_t k = 0, since = 0; k < looks; ++k) {
      double square = 0;
      for (std::size_t h = 0; h < width; ++h) {
        // A price of 0 does not fall.
        if (price[h] <= 0 && slope[h] > 0) slope[h] = 0;
        square += slope[h] * slope[h];
      }
      if (!(square > 0)) break;
      const double step = (value - best * (1 - target)) / square;
      for (std::size_t h = 0; h < width; ++h) price[h] = std::max(0.0, price[h] - step * slope[h]);
      value = look(price, slope);
      if (value < best) {
        best = value;
        best_price_ = price;
        since = 0;
      } else if (++since == kLooksPerTarget) {
        target /= 2;
        since = 0;
        price = best_price_;
        value = look(price, slope);
      }
    }
    return best;
  }

  const Candidates& candidates_;
  std::vector<std::uint32_t> short_;  // dimensions of which there is not enough for all
  std::vector<double> share_;         // per application and short dimension: demand as a share of what the nodes carry
  std::vector<double> weight_;
  std::vector<double> best_price_;
};

}  // namespace

AdmissionBound admission_bound(const Instance& instance, const Supply& supply, const Request& request) {
  return AdmissionPrices(Candidates(instance, supply, request)).run();
}

}  // namespace stowage
