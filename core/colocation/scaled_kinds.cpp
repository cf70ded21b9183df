// Proof sketch. Load l of kind u in units of limit / coefficient[u, u] turns a node's conditions, coefficient x l <= limit,
// into those of ScaledKinds. Three steps only weaken the conditions. A kind with coefficient[u, u] = 0, or without limit, needs
// no room: all of it fits on a node, so it is left out, as is any other kind. A coefficient is lowered. Kinds become one group
// whose coefficients are the least ones between their members: each member suffers at most what it did. Own.

#include "core/colocation/scaled_kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stowage {
namespace {

// Coefficients above are lowered to it: kinds that harm each other that much share no node anyway.
constexpr double kMostCoefficient = 1e9;
// Loads below it, in nodes, are left out, so that no product loses digits.
constexpr double kLeastLoad = 1e-200;

// Groups while they are being merged.
class KindMerging {
 public:
  KindMerging(std::vector<double> coefficient, std::vector<double> load)
      : size_(static_cast<std::uint32_t>(load.size())), coefficient_(std::move(coefficient)), load_(std::move(load)) {
    for (std::uint32_t g = 0; g < size_; ++g) {
      alive_.push_back(g);
      group_.push_back(g);
      scale_.push_back(1);
    }
  }

  void reduce_to(std::uint32_t most) {
    while (alive_.size() > most) reduce();
  }

  ScaledKinds result() const {
    ScaledKinds kinds;
    kinds.groups = static_cast<std::uint32_t>(alive_.size());
    for (const std::uint32_t g : alive_) {
      kinds.load.push_back(load_[g]);
      for (const std::uint32_t h : alive_) kinds.coefficient.push_back(at(g, h));
    }
    for (std::uint32_t t = 0; t < size_; ++t) {
      const auto place = std::find(alive_.begin(), alive_.end(), group_[t]);
      const bool grouped = place != alive_.end();
      kinds.group.push_back(grouped ? static_cast<std::uint32_t>(place - alive_.begin()) : ScaledKinds::kNoGroup);
      kinds.scale.push_back(grouped ? scale_[t] : 0);
    }
    kinds.exact = alive_.size() == size_;
    return kinds;
  }

 private:
  [[nodiscard]] double at(std::uint32_t g, std::uint32_t h) const { return coefficient_[std::size_t{g} * size_ + h]; }
  double& at(std::uint32_t g, std::uint32_t h) { return coefficient_[std::size_t{g} * size_ + h]; }

  // The coefficient of a group of g and h on itself.
  [[nodiscard]] double own(std::uint32_t g, std::uint32_t h) const { return std::min({1.0, at(g, h), at(h, g)}); }

  // A guess at the nodes that the bound loses if g and h become one group.
  [[nodiscard]] double loss(std::uint32_t g, std::uint32_t h) const {
    const double both = load_[g] + load_[h];
    double lost = both * (1 - own(g, h));
    const auto apart = [](double x, double y) { return std::abs(std::min(x, 1.0) - std::min(y, 1.0)); };
    for (const std::uint32_t o : alive_)
      if (o != g && o != h) lost += std::min(load_[o], both) * (apart(at(g, o), at(h, o)) + apart(at(o, g), at(o, h))) / 2;
    return lost;
  }

  // Merges the pair, or leaves out the group, that loses least; the first ones of equals. Of very many groups, the one of least
  // load goes: to compare all pairs takes the third power of their number each time.
  void reduce() {
    constexpr std::size_t kFew = 64;
    const auto lightest = static_cast<std::size_t>(
        std::min_element(alive_.begin(), alive_.end(), [&](std::uint32_t g, std::uint32_t h) { return load_[g] < load_[h]; }) -
        alive_.begin());
    const auto is_compared = [&](std::size_t i, std::size_t j) {
      return alive_.size() <= kFew || i == lightest || j == lightest;
    };
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t first = 0;
    std::uint32_t second = 0;  // equal to first: leave it out
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      for (std::size_t j = i; j < alive_.size(); ++j) {
        if (!is_compared(i, j)) continue;
        const double lost = i == j ? load_[alive_[i]] : loss(alive_[i], alive_[j]);
        if (lost >= least) continue;
        least = lost;
        first = alive_[i];
        second = alive_[j];
      }
    }
    if (first != second) merge(first, second);
    alive_.erase(std::find(alive_.begin(), alive_.end(), second));
  }

  void merge(std::uint32_t g, std::uint32_t h) {
    const double self = own(g, h);  // above 0: otherwise leaving one of them out loses less
    for (const std::uint32_t o : alive_) {
      if (o == g || o == h) continue;
      at(g, o) = std::min(at(g, o), at(h, o));
      at(o, g) = std::min(kMostCoefficient, std::min(at(o, g), at(o, h)) / self);
    }
    load_[g] = (load_[g] + load_[h]) * self;
    for (std::uint32_t t = 0; t < size_; ++t) {
      if (group_[t] == h) group_[t] = g;
      if (group_[t] == g) scale_[t] *= self;
    }
  }

  std::uint32_t size_;
  std::vector<double> coefficient_;
  std::vector<double> load_;
  std::vector<std::uint32_t> alive_;
  std::vector<std::uint32_t> group_;  // of each kind
  std::vector<double> scale_;         // of each kind
};

}  // namespace

std::vector<double> exact_total_load(const ColocationProblem& problem) {
  // Kahan's sum.
  std::vector<double> total(problem.kinds, 0);
  std::vector<double> rest(problem.kinds, 0);
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    const std::uint32_t t = problem.kind[i];
    const double add = problem.load[i] - rest[t];
    const double sum = total[t] + add;
    rest[t] = (sum - total[t]) - add;
    total[t] = sum;
  }
  return total;
}

ScaledKinds scaled_kinds(const ColocationProblem& problem, std::span<const double> total, std::span<const double> limit,
                         std::uint32_t most) {
  std::vector<std::uint32_t> present;
  std::vector<double> unit(problem.kinds, 0);
  std::vector<double> load;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    unit[t] = problem.suffers(t, t) / limit[t];
    if (!(total[t] * unit[t] >= kLeastLoad)) continue;
    present.push_back(t);
    load.push_back(total[t] * unit[t]);
  }
  std::vector<double> coefficient;
  coefficient.reserve(present.size() * present.size());
  for (const std::uint32_t t : present) {
    for (const std::uint32_t u : present) {
      coefficient.push_back(t == u ? 1 : std::min(kMostCoefficient, problem.suffers(t, u) / limit[t] / unit[u]));
    }
  }
  KindMerging merging(std::move(coefficient), std::move(load));
  merging.reduce_to(most);
  ScaledKinds kinds = merging.result();
  std::vector<std::uint32_t> group(problem.kinds, ScaledKinds::kNoGroup);
  std::vector<double> scale(problem.kinds, 0);
  for (std::size_t k = 0; k < present.size(); ++k) {
    group[present[k]] = kinds.group[k];
    scale[present[k]] = kinds.scale[k] * unit[present[k]];
  }
  kinds.group = std::move(group);
  kinds.scale = std::move(scale);
  return kinds;
}

}  // namespace stowage
