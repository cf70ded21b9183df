// Two bounds on the sum of what replicas cost. Both count loads in units of coefficient[u, u] x load, so that each kind's
// coefficient on itself is 1.
//
// (1) If no coefficient between kinds is below z <= 1, each replica costs at least z x (load beside it, of any kind) + (1 - z)
// x (load of its kind): in sum z x f(all) + (1 - z) x sum of f(one kind), where f is the least total of one kind. The authors'
// earlier model of total cost (Pascual and Rzadca, 2015) gives f; the bound is own.
//
// (2) A node with k_t replicas and loads l_t of each kind costs the sum over u of l_u x q_u, where q_u is the sum over t of
// coefficient[t, u] x k_t. For any worths C_u >= 0, let sigma_u(p) be the minimum over q >= 1 of p x q + C_u / (4 q): the root
// of C_u x p, or p + C_u / 4 if p > C_u / 4. As q_u >= 1 where kind u is, the sigmas of a node's replicas sum to at most its
// cost
// + a quarter of the sum of C_u x k_u / q_u, which is at most a quarter of M(C), the maximum over all k. So
// total >= sum of sigmas - nodes x M(C) / 4 for any C. The sum of sigmas is concave in C and M is convex. With one kind this is
// (sum of roots of loads)^2 / nodes where no node would hold less than one replica; with kinds that do not harm each other it
// is the sum of that over kinds. Own.
//
// The best C. At y_u nodes' worth for kind u, C_u is the slope at which sigmas grow by y_u / 4. Nodes of several mixtures k,
// with weights, make up y; each round adds the mixture that keeps most at the present C, and weights grow with what their
// mixture keeps (as multiplicative algorithms for optimal designs do), until no mixture keeps more.

#include "core/colocation/bounds/total_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/colocation/scaled_kinds.h"
#include "core/colocation/totals/one_kind_total.h"
#include "core/colocation/totals/shared_nodes.h"

namespace stowage {
namespace {

// The sigmas of a group, for any C.
class LoadRoots {
 public:
  explicit LoadRoots(std::vector<double> load) : load_(std::move(load)) {
    std::sort(load_.begin(), load_.end(), std::greater<>());
    rest_.assign(load_.size() + 1, 0);
    first_.assign(load_.size() + 1, 0);
    for (std::size_t k = load_.size(); k-- > 0;) rest_[k] = rest_[k + 1] + std::sqrt(load_[k]);
    for (std::size_t k = 0; k < load_.size(); ++k) first_[k + 1] = first_[k] + load_[k];
  }

  [[nodiscard]] double sum(double worth) const {
    const auto tail = std::partition_point(load_.begin(), load_.end(), [&](double p) { return p > worth / 4; });
    const auto k = static_cast<std::size_t>(tail - load_.begin());
    return first_[k] + static_cast<double>(k) * worth / 4 + std::sqrt(worth) * rest_[k];
  }
  // The C at which sum() grows by nodes / 4.
  [[nodiscard]] double worth_of(double nodes) const {
    if (nodes >= static_cast<double>(load_.size())) return 0;
    std::size_t low = 0;
    std::size_t high = load_.size() - 1;
    while (low < high) {
      const std::size_t k = low + (high - low) / 2;
      if (static_cast<double>(k) + rest_[k] / std::sqrt(load_[k]) >= nodes) {
        high = k;
      } else {
        low = k + 1;
      }
    }
    const double root = 2 * rest_[low] / (nodes - static_cast<double>(low));
    return root * root;
  }

 private:
  std::vector<double> load_;   // above 0, largest first
  std::vector<double> rest_;   // the sum of the roots from each load on
  std::vector<double> first_;  // the sum of the loads before each
};

// Bound (2).
class SharedBound {
 public:
  SharedBound(const ColocationProblem& problem, const ScaledKinds& kinds, WorkClock& clock)
      : kinds_(kinds), nodes_(problem.nodes), clock_(clock) {
    std::vector<std::vector<double>> load(kinds.groups);
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
      const std::uint32_t group = kinds.group[problem.kind[i]];
      const double scaled = group == ScaledKinds::kNoGroup ? 0 : problem.load[i] * kinds.scale[problem.kind[i]];
      if (scaled > 0) load[group].push_back(scaled);
    }
    for (std::vector<double>& loads : load) roots_.emplace_back(std::move(loads));
    clock.step(1 + problem.replicas() / 8);
  }

  double run() {
    constexpr int kRounds = 40;
    constexpr double kClose = 1e-3;
    for (std::uint32_t g = 0; g < kinds_.groups; ++g) {
      std::vector<double> share(kinds_.groups, 0);
      share[g] = 1;
      add(share);
    }
    double best = 0;
    for (int round = 0; round < kRounds && clock_.stop() == Stop::kNo; ++round) {
      const double kept = settle();
      const SharedNode node = best_shared_node(kinds_, worth_, kClose, 4'000, clock_);
      double sum = -(nodes_ * node.most / 4);
      for (std::uint32_t g = 0; g < kinds_.groups; ++g) sum += roots_[g].sum(worth_[g]);
      best = std::max(best, sum);
      if (node.value <= kept * (1 + kClose)) break;
      add(node.share);
    }
    return best;
  }

 private:
  void add(const std::vector<double>& share) {
    // A new mixture gets its part of the weight.
    const double part = 1.0 / static_cast<double>(weight_.size() + 1);
    for (double& weight : weight_) weight *= 1 - part;
    weight_.push_back(part);
    share_.push_back(share);
  }

  // Sets weights and C for the mixtures so far; returns the most that one of them keeps.
  double settle() {
    constexpr int kSteps = 200;
    double most = 0;
    std::vector<double> kept(weight_.size());
    for (int step = 0; step < kSteps; ++step) {
      worth_.assign(kinds_.groups, 0);
      for (std::uint32_t g = 0; g < kinds_.groups; ++g) {
        double share = 0;
        for (std::size_t k = 0; k < weight_.size(); ++k) share += weight_[k] * share_[k][g];
        worth_[g] = roots_[g].worth_of(nodes_ * share);
      }
      most = 0;
      double mean = 0;
      for (std::size_t k = 0; k < weight_.size(); ++k) {
        kept[k] = 0;
        for (std::uint32_t g = 0; g < kinds_.groups; ++g) kept[k] += worth_[g] * share_[k][g];
        most = std::max(most, kept[k]);
        mean += weight_[k] * kept[k];
      }
      if (most <= mean * (1 + 1e-4)) break;
      double sum = 0;
      for (std::size_t k = 0; k < weight_.size(); ++k) sum += weight_[k] *= std::sqrt(kept[k] / most);
      for (double& weight : weight_) weight /= sum;
    }
    return most;
  }

  const ScaledKinds& kinds_;
  double nodes_;
  WorkClock& clock_;
  std::vector<LoadRoots> roots_;            // of each group
  std::vector<std::vector<double>> share_;  // of each mixture: of each group
  std::vector<double> weight_;              // of each mixture; they sum to 1
  std::vector<double> worth_;               // C, of each group
};

// Bound (1).
double one_coefficient_bound(const ColocationProblem& problem, WorkClock& clock) {
  std::vector<std::vector<double>> load(problem.kinds);
  std::vector<double> all;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    const std::uint32_t t = problem.kind[i];
    load[t].push_back(problem.suffers(t, t) * problem.load[i]);
    all.push_back(load[t].back());
  }
  double least = 1;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    for (std::uint32_t u = 0; u < problem.kinds; ++u) {
      if (t != u && !load[t].empty() && !load[u].empty() && problem.suffers(t, u) < problem.suffers(u, u)) {
        least = std::min(least, problem.suffers(t, u) / problem.suffers(u, u));
      }
    }
  }
  double bound = 0;
  if (least > 0) {
    std::sort(all.begin(), all.end(), std::greater<>());
    bound += least * one_kind_total(all, problem.nodes, clock);
  }
  if (least < 1) {
    for (const std::vector<double>& loads : load) {
      if (clock.stop() == Stop::kNo) bound += (1 - least) * one_kind_total(loads, problem.nodes, clock);
    }
  }
  return bound;
}

}  // namespace

double total_cost_bound(const ColocationProblem& problem, WorkClock& clock) {
  // Of the groups that M(C) can be bounded for in short time.
  constexpr std::uint32_t kMostGroups = 6;
  const std::vector<double> total = exact_total_load(problem);
  double unit = 0;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) unit = std::max(unit, total[t] * problem.suffers(t, t));
  if (!(unit > 0) || !std::isfinite(unit)) return 0;
  const double one = one_coefficient_bound(problem, clock);
  if (clock.stop() != Stop::kNo) return one;
  const ScaledKinds kinds = scaled_kinds(problem, total, std::vector<double>(problem.kinds, unit), kMostGroups);
  // Long sums lose digits.
  return std::max(one, SharedBound(problem, kinds, clock).run() * unit * (1 - 1e-10));
}

}  // namespace stowage
