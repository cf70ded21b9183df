#include "core/colocation/heuristics/ptas/ptas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/colocation/heuristics/ptas/configurations.h"

namespace stowage {
namespace {

// Sums and quotients may be off by this much without harm: limits are so much wider, and rounded numbers so much smaller.
constexpr double kPtasSlack = 1e-12;
// The search by halves ends when the costs still possible are so close.
constexpr double kClose = 1e-9;
// Beyond so many lengths after rounding, the configurations are too many to begin with.
constexpr std::size_t kMostSizes = 256;
// Beyond this q as well.
constexpr double kMostParts = 30'000;

class Rounding {
 public:
  explicit Rounding(const ColocationProblem& problem) : problem_(problem), number_(problem.kinds, kNone) {
    for (const std::uint32_t t : problem.kind) number_[t] = 0;
    for (std::uint32_t t = 0; t < problem.kinds; ++t) {
      if (number_[t] == kNone) continue;
      number_[t] = static_cast<std::uint32_t>(kind_.size());
      kind_.push_back(t);
    }
  }

  PtasAnswer run(double limit, const PtasOptions& options, WorkClock& clock, Colocation& found) {
    const double parts = std::ceil(gamma() * options.precision);
    if (parts > kMostParts) return PtasAnswer::kTooMany;
    container_ = limit / parts;
    if (!round(static_cast<std::uint32_t>(parts))) return PtasAnswer::kTooMany;
    std::vector<Configuration> configurations;
    switch (cover(rounded_, options.most_configurations, clock, configurations)) {
      case Covering::kFound:
        found = place(configurations);
        return PtasAnswer::kFound;
      case Covering::kImpossible:
        return PtasAnswer::kImpossible;
      case Covering::kTooMany:
        return PtasAnswer::kTooMany;
      case Covering::kStopped:
        break;
    }
    return PtasAnswer::kStopped;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard]] double gamma() const {
    double most = 0;
    for (const std::uint32_t t : kind_) {
      double sum = 0;
      for (const std::uint32_t u : kind_) sum += problem_.suffers(t, u) * (2 + 1 / problem_.suffers(u, u));
      most = std::max(most, sum);
    }
    return most;
  }

  // Fills rounded_, and the replicas of each of its sizes and the short ones of each kind. False if there are too many sizes.
  bool round(std::uint32_t parts) {
    rounded_ = {};
    rounded_.nodes = std::min(problem_.nodes, problem_.replicas());
    rounded_.kinds = static_cast<std::uint32_t>(kind_.size());
    for (const std::uint32_t t : kind_) {
      for (const std::uint32_t u : kind_) rounded_.coefficient.push_back(problem_.suffers(t, u));
    }
    const double unit = container_ / parts;
    rounded_.most = double{1} * parts * parts * (1 + kPtasSlack);
    rounded_.container = parts;
    rounded_.containers.assign(kind_.size(), 0);
    long_.clear();
    short_.assign(kind_.size(), {});
    for (std::uint32_t t = 0; t < kind_.size(); ++t) {
      double short_load = 0;
      for (std::uint32_t i = 0; i < problem_.replicas(); ++i) {
        if (number_[problem_.kind[i]] != t) continue;
        if (problem_.load[i] < container_) {
          short_[t].push_back(i);
          short_load += problem_.load[i];
          continue;
        }
        const double units = std::max(double{1} * parts, std::floor(problem_.load[i] / unit * (1 - kPtasSlack)));
        if (rounded_.sizes.empty() || rounded_.sizes.back().kind != t || rounded_.sizes.back().units != units) {
          rounded_.sizes.push_back({t, units, 0});
          long_.emplace_back();
          if (rounded_.sizes.size() > kMostSizes) return false;
        }
        ++rounded_.sizes.back().count;
        long_.back().push_back(i);
      }
      const double containers = std::ceil(short_load / container_ * (1 - kPtasSlack));
      if (!short_[t].empty()) rounded_.containers[t] = std::max(1u, static_cast<std::uint32_t>(containers));
    }
    return true;
  }

  Colocation place(const std::vector<Configuration>& configurations) const {
    Colocation colocation(problem_.replicas());
    for (std::size_t s = 0; s < long_.size(); ++s) {
      std::size_t next = 0;
      for (std::uint32_t k = 0; k < configurations.size(); ++k) {
        for (std::uint32_t n = 0; n < configurations[k].count[s]; ++n) colocation[long_[s][next++]] = k;
      }
    }
    for (std::size_t t = 0; t < short_.size(); ++t) {
      std::size_t next = 0;
      for (std::uint32_t k = 0; k < configurations.size(); ++k) {
        if (configurations[k].containers[t] == 0) continue;
        const double most = configurations[k].containers[t] * container_;
        for (double load = 0; next < short_[t].size() && load < most; ++next) {
          load += problem_.load[short_[t][next]];
          colocation[short_[t][next]] = k;
        }
        // Sums that rounding has made larger leave a few over for the last node.
        for (std::size_t i = next; i < short_[t].size(); ++i) colocation[short_[t][i]] = k;
      }
    }
    return colocation;
  }

  const ColocationProblem& problem_;
  std::vector<std::uint32_t> number_;  // of each kind among those that occur
  std::vector<std::uint32_t> kind_;    // that occur
  double container_ = 0;
  RoundedProblem rounded_;
  std::vector<std::vector<std::uint32_t>> long_;   // replicas per size
  std::vector<std::vector<std::uint32_t>> short_;  // replicas per kind, largest first
};

double own_cost(const ColocationProblem& problem) {
  double most = 0;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    most = std::max(most, problem.suffers(problem.kind[i], problem.kind[i]) * problem.load[i]);
  }
  return most;
}

}  // namespace

PtasAnswer ptas_within(const ColocationProblem& problem, double limit, const PtasOptions& options, WorkClock& clock,
                       Colocation& found) {
  if (own_cost(problem) > limit * (1 + kPtasSlack)) return PtasAnswer::kImpossible;
  return Rounding(problem).run(limit, options, clock, found);
}

PtasResult mse_ptas(const ColocationProblem& problem, Colocation start, const PtasOptions& options, WorkClock& clock) {
  PtasResult result;
  result.cost = cost_of(problem, start).worst;
  result.colocation = std::move(start);
  result.bound = own_cost(problem);
  double high = result.cost;
  const double ratio = 1 + 1.0 / options.precision;
  const std::uint64_t before = clock.work();
  while (result.cost > ratio * result.bound && result.bound * (1 + kClose) < high) {
    const double limit = result.bound + (high - result.bound) / 2;
    Colocation found;
    PtasOptions left = options;
    left.most_configurations -= std::min(options.most_configurations, clock.work() - before);
    result.answer = ptas_within(problem, limit, left, clock, found);
    if (result.answer == PtasAnswer::kTooMany || result.answer == PtasAnswer::kStopped) return result;
    if (result.answer == PtasAnswer::kImpossible) {
      result.bound = limit;
      continue;
    }
    high = limit;
    const double cost = cost_of(problem, found).worst;
    if (cost >= result.cost) continue;
    result.cost = cost;
    result.colocation = std::move(found);
  }
  result.answer = PtasAnswer::kFound;
  return result;
}

bool suits_ptas(const ColocationProblem& problem) {
  return std::all_of(problem.kind.begin(), problem.kind.end(), [&](std::uint32_t t) { return problem.suffers(t, t) > 0; });
}

}  // namespace stowage
