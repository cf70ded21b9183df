#include "core/planners/patterns/columns/pattern_pricing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/planners/patterns/columns/pattern_classes.h"
#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

NodeState state_of(const Instance& instance, bool in_use) {
  NodeState state;
  state.in_use = in_use;
  for (const std::int32_t units : instance.scaled_capacity(0)) state.left.push_back(units);
  state.risk.assign(instance.resources(), 0);
  return state;
}

/// Classes modulo the lattice of a few patterns; all multiples of 2 or 3 are in it.
PatternClasses draw_classes(std::size_t apps, test::Random& random) {
  std::vector<Pattern> patterns;
  const std::uint32_t multiple = random.between(2, 3);
  for (std::size_t i = 0; i < apps; ++i) {
    patterns.emplace_back(apps, 0);
    patterns.back()[i] = multiple;
  }
  for (std::uint32_t k = random.below(3); k > 0; --k) {
    for (std::uint32_t& n : patterns.emplace_back(apps)) n = random.below(5);
    std::swap(patterns.front(), patterns.back());
  }
  return PatternClasses(apps, patterns);
}

/// The most valuable pattern, found by trying all.
class Enumeration {
 public:
  Enumeration(const PatternPricing& pricing, const NodeState& state, const std::vector<double>& worth,
              const std::vector<std::uint32_t>& at_most)
      : pricing_(pricing), state_(state), worth_(worth), at_most_(at_most), pattern_(worth.size(), 0) {}
  double run() {
    visit(0, 0);
    return best_;
  }
  /// Patterns but the empty one that are worth more than this.
  [[nodiscard]] std::vector<Pattern> above(double floor) const {
    std::vector<Pattern> result;
    for (const auto& [value, pattern] : all_) {
      const bool empty = std::all_of(pattern.begin(), pattern.end(), [](std::uint32_t n) { return n == 0; });
      if (value > floor && !empty) result.push_back(pattern);
    }
    std::sort(result.begin(), result.end());
    return result;
  }
  /// The largest value of a pattern of the class.
  [[nodiscard]] double best_of(const PatternClasses& classes, std::uint32_t of) const {
    double best = -std::numeric_limits<double>::infinity();
    for (const auto& [value, pattern] : all_) best = classes.of(pattern) == of ? std::max(best, value) : best;
    return best;
  }

 private:
  void visit(std::size_t k, double worth) {
    if (k == pattern_.size()) {
      const double value = worth - pricing_.cost(state_, pattern_);
      best_ = std::max(best_, value);
      all_.emplace_back(value, pattern_);
      return;
    }
    for (pattern_[k] = 0; pattern_[k] <= at_most_[k] && pricing_.fits(state_, pattern_); ++pattern_[k]) {
      visit(k + 1, worth + pattern_[k] * worth_[k]);
    }
    pattern_[k] = 0;
  }
  const PatternPricing& pricing_;
  const NodeState& state_;
  const std::vector<double>& worth_;
  const std::vector<std::uint32_t>& at_most_;
  std::vector<std::uint32_t> pattern_;
  double best_ = 0;
  std::vector<std::pair<double, Pattern>> all_;
};

TEST(PatternPricingTest, IsExact) {
  test::Random random(11);
  for (std::uint64_t round = 0; round < test::cases(150); ++round) {
    const bool two = random.chance(0.3);
    InstanceBuilder builder(two ? std::vector<std::string>{"cpu", "memory"} : std::vector<std::string>{"cpu"});
    const std::uint32_t apps = random.between(1, 5);
    std::vector<double> variance;
    for (std::uint32_t i = 0; i < apps; ++i) {
      std::vector<double> demand = {0.5 + random.below(250) / 100.0};
      if (two) demand.push_back(random.below(300) / 100.0);
      builder.add_app("a" + std::to_string(i), 30, demand);
      variance.push_back(random.chance(0.2) ? 0 : random.below(200) / 100.0);
      if (two) variance.push_back(random.chance(0.5) ? 0 : random.below(100) / 100.0);
    }
    builder.add_class(two ? std::vector<double>{8, 9} : std::vector<double>{8});
    builder.data().variance = variance;
    builder.data().uncertainty = {ChanceModel::kFactor, 0.9, random.below(4) * 1.0};
    const Instance instance = builder.must_build();
    std::vector<NodeState> states = {state_of(instance, false), state_of(instance, true)};
    // A busy node, with capacity used and some variance.
    states[1].left[0] -= states[1].left[0] / 3;
    if (instance.uncertain()) states[1].risk[0] = instance.risk_room(states[1].left[0] / 2, 0);
    if (random.chance(0.5)) {
      states[1].at_most.assign(apps, kNone);
      states[1].at_most[0] = random.below(3);
    }
    const PatternPricing::Grid grid = random.chance(0.5) ? PatternPricing::Grid{3, 64} : PatternPricing::Grid{20, 1000};
    PatternPricing pricing(instance, states, grid);
    std::vector<double> worth(apps);
    std::vector<std::uint32_t> at_most(apps);
    const double unit = 0.7 * states[0].left[0] / 8;
    for (std::uint32_t i = 0; i < apps; ++i) {
      worth[i] = random.chance(0.1) ? 0 : unit * (0.5 + random.below(100) / 100.0) * instance.demand(i, 0, 0);
      at_most[i] = random.below(8);
    }
    pricing.set_worths(worth, at_most);
    for (const NodeState& state : states) {
      std::vector<std::uint32_t> most = at_most;
      for (std::uint32_t i = 0; i < apps; ++i) most[i] = std::min(most[i], state.most_of(i));
      Enumeration all(pricing, state, worth, most);
      const double best = all.run();
      const double tiny = 1e-9 * (1 + best);
      const PatternPricing::Found found = pricing.search(state, 0, 100'000'000);
      EXPECT_NEAR(found.value, best, tiny);
      EXPECT_NEAR(found.bound, best, tiny);
      EXPECT_GE(pricing.bound(state), best - tiny);
      for (const Pattern& p : found.patterns) EXPECT_TRUE(pricing.fits(state, p));
      if (best > 0) {
        ASSERT_FALSE(found.patterns.empty());
        double value = -pricing.cost(state, found.patterns.back());
        for (std::uint32_t i = 0; i < apps; ++i) value += worth[i] * found.patterns.back()[i];
        EXPECT_NEAR(value, best, tiny);
      }
      // All patterns above a floor; apps without value are not used.
      if (*std::min_element(worth.begin(), worth.end()) > 0) {
        const double floor = best * random.below(100) / 100.0 - unit * random.below(2);
        std::vector<Pattern> listed;
        ASSERT_TRUE(pricing.list(state, floor + tiny, 1'000'000, 100'000'000, listed));
        std::vector<Pattern> more;
        ASSERT_TRUE(pricing.list(state, floor - tiny, 1'000'000, 100'000'000, more));
        std::sort(listed.begin(), listed.end());
        std::sort(more.begin(), more.end());
        EXPECT_EQ(std::adjacent_find(more.begin(), more.end()), more.end()) << "each once";
        const auto expected = all.above(floor);
        EXPECT_TRUE(std::includes(expected.begin(), expected.end(), listed.begin(), listed.end()));
        EXPECT_TRUE(std::includes(more.begin(), more.end(), expected.begin(), expected.end()));
        if (!more.empty()) {
          EXPECT_FALSE(pricing.list(state, floor - tiny, more.size() - 1, 100'000'000, listed));
          EXPECT_FALSE(pricing.list(state, floor - tiny, 1'000'000, 0, listed));
        }
      }
      if (*std::min_element(worth.begin(), worth.end()) > 0) {
        const PatternClasses classes = draw_classes(apps, random);
        const std::vector<double> found_of = pricing.best_of_classes(states, classes, 100'000'000)[&state - states.data()];
        const std::vector<double> hasty_of =
            pricing.best_of_classes(states, classes, 1 + random.below(20))[&state - states.data()];
        for (std::uint32_t c = 0; c < classes.count(); ++c) {
          const double expected = all.best_of(classes, c);
          if (std::isinf(expected)) {
            EXPECT_TRUE(std::isinf(found_of[c])) << c;
            continue;
          }
          EXPECT_NEAR(found_of[c], expected, 1e-9 * (1 + std::abs(expected))) << c;
          EXPECT_GE(hasty_of[c], expected - 1e-9 * (1 + std::abs(expected))) << c;
        }
      }
      // If the search ends early, the bound still holds, and no pattern is below the floor.
      const PatternPricing::Found hasty = pricing.search(state, 0, 1 + random.below(5));
      EXPECT_GE(hasty.bound, best - tiny);
      const PatternPricing::Found above = pricing.search(state, best + 2 * tiny, 1'000'000);
      EXPECT_TRUE(above.patterns.empty());
      const PatternPricing::Found many = pricing.search(state, 0, 100'000'000, true);
      EXPECT_NEAR(many.value, best, tiny);
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace stowage
