#include "core/packing/content_pricing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/packing/relaxed_knapsack.h"
#include "tests/effort.h"
#include "tests/unit/packing/packing_problems.h"

namespace stowage {
namespace {

// The most valuable content, by trying all.
double best_of_all(const PackingProblem& problem, const std::vector<double>& worth, std::uint32_t item,
                   std::vector<std::int32_t> left) {
  if (item == problem.items()) return 0;
  double best = 0;
  for (std::uint32_t k = 0;; ++k) {
    best = std::max(best, k * worth[item] + best_of_all(problem, worth, item + 1, left));
    if (k == std::min(problem.count[item], problem.at_most[item])) return best;
    for (std::uint32_t h = 0; h < problem.resources; ++h) {
      left[h] -= problem.demand_of(item)[h];
      if (left[h] < 0) return best;
    }
  }
}

TEST(ContentPricingTest, FindsTheBestContent) {
  test::Random random(11);
  for (std::uint64_t k = 0; k < test::cases(400); ++k) {
    const std::uint32_t least = random.between(5, 40);
    const PackingProblem problem = test::random_packing(random, 10, least, least + random.between(5, 50));
    std::vector<double> worth;
    for (std::uint32_t i = 0; i < problem.items(); ++i) worth.push_back(random.chance(.1) ? 0 : random.share());
    const double best = best_of_all(problem, worth, 0, problem.capacity);
    WorkClock clock(Request{}, nullptr);
    ContentPricing pricing(problem, clock);
    pricing.set(worth, problem.count);
    const double floor = best * random.share();
    const ContentPricing::Found found = pricing.search(floor, 10'000'000);
    EXPECT_NEAR(found.bound, best, 1e-9) << "case " << k;
    if (best == 0) continue;
    ASSERT_FALSE(found.contents.empty()) << "case " << k;
    double sum = 0;
    std::vector<std::uint32_t> here(problem.items(), 0);
    for (const PackedItem& packed : found.contents.back()) {
      sum += packed.replicas * worth[packed.item];
      here[packed.item] = packed.replicas;
    }
    EXPECT_NEAR(sum, best, 1e-9) << "case " << k;
    EXPECT_TRUE(test::is_valid(problem, {found.contents.back()}, here)) << "case " << k;
    EXPECT_TRUE(pricing.search(best + 1e-6, 10'000'000).contents.empty()) << "case " << k;
    // Cut off, it still knows a bound.
    EXPECT_GE(pricing.search(floor, random.between(1, 20)).bound, best - 1e-9) << "case " << k;
  }
}

TEST(ContentPricingTest, PricesAreThoseOfTheRelaxedKnapsack) {
  // By cpu, the first is worth .5 per share, and the second 1: memory is in plenty.
  PackingProblem problem{2, {10, 10}, {4, 1, 2, 1}, {1, 9}, {1, 9}};
  const std::vector<double> prices = relaxed_prices(problem, std::vector<double>{.2, .2}, std::vector<std::uint32_t>{1, 3});
  EXPECT_NEAR(prices[0], .5, 1e-9);  // after three of the second, a part of the first
  EXPECT_NEAR(prices[1], 0, 1e-9);
}

TEST(ContentPricingTest, LeavesOutWhatIsTaken) {
  const PackingProblem problem{1, {10}, {6, 4, 3}, {1, 1, 1}, {1, 1, 1}};
  WorkClock clock(Request{}, nullptr);
  ContentPricing pricing(problem, clock);
  pricing.set(std::vector<double>{.6, .5, .4}, problem.count);
  const Content best = pricing.search(0, 1000).contents.back();
  EXPECT_EQ(best, (Content{{0, 1}, {1, 1}}));
  pricing.leave_out(best);
  EXPECT_EQ(pricing.search(0, 1000).contents.back(), (Content{{2, 1}}));
}

}  // namespace
}  // namespace stowage
