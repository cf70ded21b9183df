// Bounds by the group relaxation and by classes of patterns, computed from the linear program over patterns.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/planners/patterns/columns/pattern_classes.h"
#include "core/planners/patterns/group_relaxation.h"
#include "core/planners/patterns/whole_patterns.h"

namespace stowage {
namespace {

/// Limits of the group relaxation: apps, patterns in a list, steps of the search that lists them, lists that are made (of less
/// loss, or after columns that were missing), and classes.
constexpr std::size_t kMostGroupApps = 16;
constexpr std::size_t kMostListed = 40'000;
constexpr std::uint64_t kListSteps = 2'000'000;
constexpr std::uint32_t kMostLists = 32;
constexpr std::uint32_t kMostGroupClasses = 1 << 20;
/// Limits of the bound by classes, per interval: steps of the search for the best pattern of a class, and searches.
constexpr std::uint64_t kClassSteps = 20'000;
constexpr std::uint64_t kMostClassSearches = 4096;

using Steps = std::vector<GroupRelaxation::Step>;

/// Losses below this are rounding.
double no_loss(const ColumnGeneration& generation) { return generation.tolerance() * 1e-3; }

/// Lists patterns that lose at most what a better layout could, by ascending loss. Where there are too many, the list has those
/// that lose at most `most`, which is lowered. Columns that the program lacks are added to it. False where there is no such
/// list.
bool list_steps(ColumnGeneration& generation, RestrictedMaster& program, const Subproblem& part, double known, Steps& steps,
                double& most) {
  const NodeState& state = generation.states()[0];
  PatternPricing& pricing = generation.fine_pricing();
  const double nothing = no_loss(generation);
  most = known - dual_value(program, part);
  std::vector<Pattern> patterns;
  for (std::uint32_t round = 0; round < kMostLists && !generation.stopped() && most > nothing; ++round) {
    // Where nodes stay empty, or some app is worth nothing, losses tell too little.
    const std::vector<double>& duals = program.row_duals();
    if (program.group_dual(0) != 0 || *std::min_element(duals.begin(), duals.end()) <= 0) return false;
    pricing.set_worths(duals, part.wanted);
    const bool all = pricing.list(state, -most - nothing, kMostListed, kListSteps, patterns);
    if (generation.clock().step(pricing.take_work())) return false;
    if (!all) {
      most /= 2;
      continue;
    }
    std::vector<std::pair<double, std::size_t>> order;
    bool lacked = false;
    for (const Pattern& pattern : patterns) {
      const double cost = pricing.cost(state, pattern);
      const double loss = program.reduced_cost(0, cost, pattern);
      if (loss < -nothing) {
        program.add(0, cost, pattern);
        lacked = true;
      }
      order.emplace_back(std::max(0.0, loss), order.size());
    }
    if (!lacked) {
      std::sort(order.begin(), order.end());
      for (const auto& [loss, k] : order) steps.push_back({std::move(patterns[k]), loss});
      return true;
    }
    if (generation.optimize(program)) return false;
    most = std::min(most, known - dual_value(program, part));
  }
  return false;
}

/// Patterns none of which is a linear combination of the others.
class IndependentPatterns {
 public:
  explicit IndependentPatterns(std::size_t apps) : reduced_(apps) {}

  /// Adds the pattern if it depends on none of those there.
  void consider(const Pattern& pattern) {
    std::vector<double> row(pattern.begin(), pattern.end());
    for (std::size_t c = 0; c < reduced_.size(); ++c) {
      if (std::abs(row[c]) < 1e-7) continue;
      if (reduced_[c].empty()) {
        for (std::size_t k = reduced_.size(); k-- > c;) row[k] /= row[c];
        reduced_[c] = std::move(row);
        patterns_.push_back(pattern);
        return;
      }
      const double times = row[c];
      for (std::size_t k = c; k < reduced_.size(); ++k) row[k] -= times * reduced_[c][k];
    }
  }
  [[nodiscard]] bool complete() const { return patterns_.size() == reduced_.size(); }
  [[nodiscard]] const std::vector<Pattern>& patterns() const { return patterns_; }

 private:
  std::vector<std::vector<double>> reduced_;  // rows of a triangle, by leading column
  std::vector<Pattern> patterns_;
};

/// Independent patterns that lose nothing, one per app, those of the solution first; none where there are fewer.
std::vector<Pattern> free_basis(const RestrictedMaster& program, const Steps& steps, double nothing) {
  IndependentPatterns basis(program.rows());
  for (const RestrictedMaster::Used& used : program.solution()) basis.consider(pattern_of(program, used.column));
  for (const GroupRelaxation::Step& step : steps) {
    if (basis.complete() || step.loss > nothing) break;
    basis.consider(step.pattern);
  }
  return basis.complete() ? basis.patterns() : std::vector<Pattern>{};
}

/// Per group, the pattern that the solution uses most, the empty one included.
std::vector<Pattern> usual_patterns(const RestrictedMaster& program, const Subproblem& part) {
  std::vector<Pattern> usual(part.sizes.size(), Pattern(part.wanted.size(), 0));
  std::vector<double> most(part.sizes.begin(), part.sizes.end());  // of the empty one
  for (const RestrictedMaster::Used& used : program.solution()) most[program.group_of(used.column)] -= used.value;
  for (const RestrictedMaster::Used& used : program.solution()) {
    const std::uint32_t g = program.group_of(used.column);
    if (used.value <= most[g]) continue;
    most[g] = used.value;
    usual[g] = pattern_of(program, used.column);
  }
  return usual;
}

/// What columns have beyond the usual patterns of their groups, modulo PatternClasses::kModulus; columns of little loss first.
std::vector<Pattern> differences(const RestrictedMaster& program, const std::vector<Pattern>& usual) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t c = 0; c < program.columns(); ++c) order.emplace_back(program.reduced_cost(c), c);
  std::sort(order.begin(), order.end());
  std::vector<Pattern> result;
  for (const auto& [loss, column] : order) {
    Pattern& difference = result.emplace_back(pattern_of(program, column));
    const Pattern& from = usual[program.group_of(column)];
    for (std::size_t i = 0; i < from.size(); ++i)
      difference[i] += PatternClasses::kModulus - from[i] % PatternClasses::kModulus;
  }
  return result;
}

/// A lower bound on the cost of layouts: the classes of their patterns add up to what is wanted.
/// @param best per group and class, an upper bound on the value of patterns
double cost_by_classes(const RestrictedMaster& program, const Subproblem& part, const PatternClasses& classes,
                       const std::vector<Pattern>& usual, const std::vector<std::vector<double>>& best) {
  double all = dual_value(program, part);
  std::uint32_t missing = classes.of(part.wanted);
  std::vector<double> losses(classes.count(), std::numeric_limits<double>::infinity());
  for (std::uint32_t g = 0; g < best.size(); ++g) {
    if (part.sizes[g] == 0) continue;
    const std::uint32_t here = classes.of(usual[g]);
    const double most = *std::max_element(best[g].begin(), best[g].end());
    all -= static_cast<double>(part.sizes[g]) * most;
    missing = classes.difference(missing, classes.times(here, part.sizes[g]));
    for (std::uint32_t c = 0; c < classes.count(); ++c) losses[c] = std::min(losses[c], most - best[g][classes.sum(c, here)]);
  }
  return all + classes.least_loss(std::move(losses), missing);
}

}  // namespace

WholeResult complete_by_group(ColumnGeneration& generation, const Subproblem& part, double known) {
  WholeResult result;
  if (generation.groups().size() != 1 || part.wanted.size() > kMostGroupApps) return result;
  RestrictedMaster program = generation.make_program(part);
  generation.complete(program, part);
  Steps steps;
  double most = 0;
  if (!list_steps(generation, program, part, known, steps, most)) return result;
  const double optimum = dual_value(program, part);
  const std::vector<Pattern> basis = free_basis(program, steps, no_loss(generation));
  const std::optional<GroupRelaxation> group = GroupRelaxation::of(basis);
  if (!group || group->classes() > kMostGroupClasses) return result;
  GroupRelaxation::Completion path = group->shortest(part.wanted, steps, known - optimum, generation.clock());
  // A path with a step that is not listed loses more than that step.
  result.bound = optimum + std::min(path.bound, most);
  if (!path.found) {
    // Steps that leave too little for some basic pattern displace others of the same class.
    std::erase_if(steps, [&](const GroupRelaxation::Step& step) { return !group->may_take(part.wanted, step.pattern); });
    path = group->shortest(part.wanted, steps, known - optimum, generation.clock());
  }
  if (!path.found) return result;
  Layout& layout = result.layouts.emplace_back();
  for (const std::size_t step : path.steps) ++layout[{0, steps[step].pattern}];
  for (std::size_t k = 0; k < path.times.size(); ++k) {
    if (path.times[k] > 0) layout[{0, basis[k]}] += path.times[k];
  }
  return result;
}

double bound_by_classes(ColumnGeneration& generation, const Subproblem& part) {
  RestrictedMaster program = generation.make_program(part);
  const double bound = generation.complete(program, part);
  const std::vector<double>& duals = program.row_duals();
  for (std::size_t i = 0; i < part.wanted.size(); ++i) {
    if (part.wanted[i] > 0 && duals[i] <= 0) return bound;  // patterns of apps that are worth nothing are not looked at
  }
  const std::vector<Pattern> usual = usual_patterns(program, part);
  const PatternClasses classes(part.wanted.size(), differences(program, usual));
  if (classes.count() == 1 || classes.count() * generation.groups().size() > kMostClassSearches) return bound;
  PatternPricing& pricing = generation.coarse_pricing();
  pricing.set_worths(duals, part.wanted);
  const std::vector<std::vector<double>> best = pricing.best_of_classes(generation.states(), classes, kClassSteps);
  generation.clock().step(pricing.take_work());
  return best.empty() ? bound : std::max(bound, cost_by_classes(program, part, classes, usual, best));
}

}  // namespace stowage
