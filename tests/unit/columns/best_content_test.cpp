#include "core/columns/best_content.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>

#include "core/columns/attainable.h"
#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

Instance random_instance(test::Random& random, std::uint32_t periods = 1) {
  test::InstanceBuilder builder({"cpu", "memory"}, periods);
  const std::uint32_t apps = random.between(2, 6);
  for (AppId k = 0; k < apps; ++k) {
    std::vector<double> demand;
    // What wants nothing in a period may share a node with what wants something then, and raise its use by nothing.
    for (std::uint32_t t = 0; t < periods; ++t) demand.push_back(periods > 1 ? random.below(7) : random.between(1, 6));
    for (std::uint32_t t = 0; t < periods; ++t) demand.push_back(random.between(0, 6));
    builder.add_app("a" + std::to_string(k), random.between(1, 3), demand);
  }
  for (std::uint32_t k = 0; k < apps; ++k) {
    const AppId beside = random.below(apps);
    builder.limit(beside, k, beside == k ? random.between(1, 2) : random.below(3));
  }
  builder.add_class({10, 10}, 0, 1);
  if (random.chance(.5)) {
    builder.data().has_uncertainty = true;
    for (std::uint32_t k = 0; k < 2 * apps; ++k) builder.data().variance.push_back(random.chance(.3) ? 0 : random.share());
  }
  return builder.must_build();
}

// The most that any content is worth, by trying all.
double most_worth(const ColumnProblem& problem, const BestContent::Worths& worths) {
  double most = worths.fixed;
  ItemContent content;
  const std::function<void(std::uint32_t)> extend = [&](std::uint32_t item) {
    if (!problem.within_kind(0, content)) return;
    if (item == problem.items.size()) {
      double worth = worths.fixed;
      for (const auto& [i, copies] : content) worth += worths.of_item[i] * copies;
      for (const BestContent::Worths::Step& step : worths.steps) worth += holds(content, step.at_least) ? step.worth : 0;
      if (problem.objective == Objective::kUcac) worth -= problem.cost(0, content);
      most = std::max(most, worth);
      return;
    }
    extend(item + 1);
    for (std::uint32_t copies = 1; copies <= problem.items[item].replicas; ++copies) {
      content.emplace_back(item, copies);
      extend(item + 1);
      content.pop_back();
    }
  };
  extend(0);
  return most;
}

TEST(BestContentTest, FindsWhatIsWorthMost) {
  test::Random random(5);
  WorkClock clock(Request(), nullptr);
  Effort effort(clock);
  std::uint64_t used = 0;
  for (std::uint64_t k = 0; k < test::cases(600); ++k) {
    const Instance instance = random_instance(random, k % 3 == 0 ? 2 : 1);
    const bool uses = instance.uncertain() && k % 2 == 0;
    used += uses ? 1 : 0;
    const ColumnProblem problem(instance, Request(), uses ? Objective::kUcac : Objective::kNodes, {});
    ASSERT_TRUE(problem.is_whole);
    BestContent best(problem, 0);
    BestContent::Worths worths;
    std::vector<std::uint32_t> wanted;
    for (const ColumnProblem::Item& item : problem.items) {
      worths.of_item.push_back(random.chance(.2) ? 0 : random.share());
      wanted.push_back(item.replicas);
    }
    // Near what the items use.
    for (std::uint32_t i = 0; i < wanted.size() && uses; ++i)
      worths.of_item[i] = problem.kinds[0].most[i] == 0 ? 0 : problem.cost(0, {{i, 1}}) * (.3 + random.share());
    worths.fixed = random.chance(.5) ? random.share() - .5 : 0;
    const auto items = static_cast<std::uint32_t>(problem.items.size());
    for (std::uint32_t s = random.below(4); s > 0; --s) {
      ItemContent at_least{{random.below(items), random.between(1, 3)}};
      const std::uint32_t other = random.below(items);
      if (other > at_least.front().first && random.chance(.5)) at_least.emplace_back(other, 1);
      worths.steps.push_back({at_least, 2 * random.share() - 1});
    }
    const double most = most_worth(problem, worths);
    best.set(worths, effort);
    for (const double floor : {most - .5, most - 1e-3, most + .1}) {
      const BestContent::Found found = best.find({floor}, wanted, 1 << 20, effort);
      EXPECT_TRUE(found.is_exact) << "case " << k;
      EXPECT_GE(found.upper(), most - 1e-9) << "case " << k;
      EXPECT_EQ(found.contents.empty(), most <= floor) << "case " << k;
      if (found.contents.empty()) continue;
      EXPECT_NEAR(found.upper(), most, 1e-9) << "case " << k;
      EXPECT_TRUE(problem.within_kind(0, found.contents.back())) << "case " << k;
    }
    // What a part of the worths leaves of it.
    const double part = random.share();
    BestContent::Worths scaled = worths;
    for (double& worth : scaled.of_item) worth *= part;
    for (BestContent::Worths::Step& step : scaled.steps) step.worth *= part;
    scaled.fixed *= part;
    double most_of_part = -std::numeric_limits<double>::infinity();
    for (const BestContent::Most& one : best.find({most - .1, .1}, wanted, 1 << 20, effort).most)
      most_of_part = std::max(most_of_part, part * one.worth - (1 - part) * one.use);
    EXPECT_GE(most_of_part, most_worth(problem, scaled) - 1e-9) << "case " << k;
    // Without work, the relaxation still bounds.
    EXPECT_GE(best.find({most - .5}, wanted, 1, effort).upper(), most - 1e-9) << "case " << k;
  }
  EXPECT_GE(used, test::cases(100));
}

// Many small items, of which a search by depth alone looks at too many contents: labels end it, or a table where one dimension
// alone is short.
TEST(BestContentTest, LabelsAndTablesFindWhatDepthFirstFinds) {
  test::Random random(7);
  WorkClock clock(Request(), nullptr);
  Effort effort(clock);
  std::array<std::uint64_t, 2> others{};  // by labels, and by tables
  for (std::uint64_t k = 0; k < test::cases(100); ++k) {
    const bool is_flat = k % 2 == 1;
    test::InstanceBuilder builder({"cpu", "memory", "pods"});
    const std::uint32_t apps = is_flat ? 40 : 16;
    for (std::uint32_t a = 0; a < apps; ++a) {
      const double cpu = is_flat ? random.between(201, 799) : random.between(2, 19);
      const double memory = is_flat ? 0 : random.between(2, 19);
      const double pods = !is_flat && random.chance(.5) ? 1 : 0;
      builder.add_app("a" + std::to_string(a), random.between(2, 8), {cpu, memory, pods});
    }
    builder.add_class({is_flat ? 6000.0 : 120.0, 120, 12}, 0, 1);
    if (random.chance(.3)) {
      builder.data().has_uncertainty = true;
      for (std::uint32_t a = 0; a < 3 * apps; ++a) builder.data().variance.push_back(a % 3 == 0 ? random.share() : 0);
    }
    const Instance instance = builder.must_build();
    const ColumnProblem problem(instance, Request(), Objective::kNodes, {});
    BestContent best(problem, 0);
    BestContent::Worths worths;
    std::vector<std::uint32_t> wanted;
    for (const ColumnProblem::Item& item : problem.items) {
      worths.of_item.push_back(static_cast<double>(item.demand[0] + item.demand[1]) * (.98 + .04 * random.share()));
      wanted.push_back(item.replicas);
    }
    best.set(worths, effort);
    // Few operations are for depth first alone, of more it gets a half.
    if (best.find({0}, wanted, 1 << 15, effort).is_exact) continue;
    const BestContent::Found some = best.find({0}, wanted, 1 << 22, effort);
    const BestContent::Found all = best.find({0}, wanted, std::uint64_t{1} << 30, effort);
    ASSERT_TRUE(all.is_exact) << "case " << k;
    EXPECT_TRUE(problem.within_kind(0, all.contents.back())) << "case " << k;
    EXPECT_GE(some.upper(), all.upper() * (1 - 1e-9)) << "case " << k;
    if (!some.is_exact) continue;
    EXPECT_NEAR(some.upper(), all.upper(), 1e-9 * all.upper()) << "case " << k;
    EXPECT_TRUE(problem.within_kind(0, some.contents.back())) << "case " << k;
    ++others[k % 2];
  }
  EXPECT_GE(others[0], test::cases(5));
  EXPECT_GE(others[1], test::cases(5));
}

// Where no dimension is short, everything fits, also in a search that the end of a run cuts off.
TEST(BestContentTest, TakesEverythingWhereNothingIsShort) {
  test::InstanceBuilder builder;
  for (std::uint32_t a = 0; a < 40; ++a) builder.add_app("a" + std::to_string(a), 3, {1});
  for (AppId a = 0; a < 40; ++a) builder.limit(a, a, 2);
  builder.add_class({1000}, 0, 1);
  const Instance instance = builder.must_build();
  const ColumnProblem problem(instance, Request(), Objective::kNodes, {});
  BestContent::Worths worths;
  const std::vector<std::uint32_t> wanted(problem.items.size(), 3);
  for (std::size_t i = 0; i < problem.items.size(); ++i) worths.of_item.push_back(1 + static_cast<double>(i));
  for (const std::uint64_t work : {0u, 1u, 1000u}) {
    Request request;
    request.work_limit = work;
    WorkClock clock(request, nullptr);
    Effort effort(clock);
    BestContent best(problem, 0);
    best.set(worths, effort);
    for (int k = 0; k < 50; ++k) EXPECT_GE(best.find({0}, wanted, 1 << 20, effort).upper(), 2 * 820.0 - 1e-6);
  }
}

// A second replica costs more than it is worth, which the relaxation does not know: a search by depth alone tries most
// contents, and labels end it. No dimension tells them apart.
TEST(BestContentTest, LabelsNeedNoDimensionThatIsShort) {
  test::InstanceBuilder builder;
  constexpr std::uint32_t kApps = 40;
  for (std::uint32_t a = 0; a < kApps; ++a) builder.add_app("a" + std::to_string(a), 2, {1 + a / 64.0});
  builder.add_class({1000}, 0, 1);
  const Instance instance = builder.must_build();
  const ColumnProblem problem(instance, Request(), Objective::kNodes, {});
  ASSERT_EQ(problem.items.size(), kApps);
  BestContent::Worths worths;
  worths.of_item.assign(kApps, 1);
  for (std::uint32_t i = 0; i < kApps; ++i) worths.steps.push_back({{{i, 2}}, -1.5});
  const std::vector<std::uint32_t> wanted(kApps, 2);
  WorkClock clock(Request(), nullptr);
  Effort effort(clock);
  BestContent best(problem, 0);
  best.set(worths, effort);
  // Few operations are for depth first alone.
  EXPECT_FALSE(best.find({0}, wanted, 1 << 15, effort).is_exact);
  const BestContent::Found found = best.find({0}, wanted, 1 << 20, effort);
  EXPECT_TRUE(found.is_exact);
  EXPECT_NEAR(found.upper(), kApps, 1e-6);
}

TEST(AttainableSumsTest, KnowsPricesAndCounts) {
  test::InstanceBuilder builder;
  builder.add_app("a", 6, {1});
  builder.add_class({4}, 2, 5);
  builder.add_class({4}, 0, 7);
  const Instance instance = builder.must_build();
  const ColumnProblem problem(instance, Request(), Objective::kNodes, {});
  ASSERT_TRUE(problem.is_whole);
  WorkClock clock(Request(), nullptr);
  Effort effort(clock);
  const AttainableSums sums(problem, 30, effort);
  const auto rounded = [&](double cost) { return sums.round_up(cost / 7) * 7; };
  EXPECT_NEAR(rounded(0), 0, 1e-9);
  EXPECT_NEAR(rounded(.1), 5, 1e-9);
  EXPECT_NEAR(rounded(5.5), 7, 1e-9);
  EXPECT_NEAR(rounded(7.5), 10, 1e-9);   // 5 + 5
  EXPECT_NEAR(rounded(14.5), 17, 1e-9);  // 5 + 5 + 7: there is no third node of 5
  EXPECT_NEAR(rounded(17.5), 19, 1e-9);  // 5 + 7 + 7
  EXPECT_EQ(sums.round_up(1e30), 1e30) << "no number of units is that large";
}

TEST(AttainableSumsTest, AreThoseOfAllNumbersOfNodes) {
  Random random(5);
  for (std::uint64_t round = 0; round < test::cases(200); ++round) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> classes;  // price, count; 0: as many as needed
    test::InstanceBuilder builder;
    builder.add_app("a", 400, {1});
    for (std::uint32_t k = 0; k < 1 + random.below(3); ++k) {
      classes.emplace_back(3 + random.below(90), random.below(3) == 0 ? 0 : 1 + random.below(7));
      // A capacity of its own: kinds that differ in price alone would be one.
      builder.add_class({4.0 + k}, classes.back().second, classes.back().first);
    }
    const Instance instance = builder.must_build();
    const ColumnProblem problem(instance, Request(), Objective::kNodes, {});
    ASSERT_TRUE(problem.is_whole);
    constexpr std::uint32_t kMost = 700;
    std::vector<bool> attained(kMost + 1, false);
    attained[0] = true;
    for (const auto& [price, count] : classes) {
      std::vector<bool> with = attained;
      for (std::uint32_t nodes = 1; (count == 0 || nodes <= count) && nodes * price <= kMost; ++nodes) {
        for (std::uint32_t sum = nodes * price; sum <= kMost; ++sum) with[sum] = with[sum] || attained[sum - nodes * price];
      }
      attained = with;
    }
    const double unit = problem.unit;
    WorkClock clock(Request(), nullptr);
    Effort effort(clock);
    const AttainableSums sums(problem, static_cast<std::int64_t>(std::llround(kMost / unit)), effort);
    std::uint32_t expected = kMost + 1;
    for (std::uint32_t sum = kMost; sum > 0; --sum) {
      if (attained[sum]) expected = sum;
      if (expected > kMost) continue;  // beyond what is told apart
      ASSERT_NEAR(sums.round_up(sum / problem.dearest) * problem.dearest, expected, 1e-6) << "round " << round << ", " << sum;
    }
  }
}

}  // namespace
}  // namespace stowage
