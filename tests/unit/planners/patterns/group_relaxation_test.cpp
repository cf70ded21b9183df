#include "core/planners/patterns/group_relaxation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using Step = GroupRelaxation::Step;

// Numbers of the basic patterns that cover the rest, by Cramer's rule; empty where they are not whole. Two or three rows.
std::vector<std::int64_t> solve(const std::vector<Pattern>& basis, const std::vector<std::int64_t>& rest) {
  const std::size_t n = basis.size();
  const auto determinant = [&](std::size_t replaced) {
    const auto at = [&](std::size_t r, std::size_t c) { return c == replaced ? rest[r] : std::int64_t{basis[c][r]}; };
    if (n == 2) return at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t a = (c + 1) % 3;
      const std::size_t b = (c + 2) % 3;
      sum += at(0, c) * (at(1, a) * at(2, b) - at(1, b) * at(2, a));
    }
    return sum;
  };
  const std::int64_t whole = determinant(n);
  std::vector<std::int64_t> times;
  for (std::size_t k = 0; k < n; ++k) {
    if (determinant(k) % whole != 0) return {};
    times.push_back(determinant(k) / whole);
  }
  return times;
}

/// The least loss of steps after which the rest is covered in whole numbers, by trying all collections.
class AllCollections {
 public:
  AllCollections(const std::vector<Pattern>& basis, const Pattern& wanted, const std::vector<Step>& steps, double most,
                 bool negative_too)
      : basis_(basis), steps_(steps), best_(most), negative_too_(negative_too) {
    go(0, {wanted.begin(), wanted.end()}, 0);
  }
  [[nodiscard]] double best() const { return best_; }

 private:
  void go(std::size_t first, const std::vector<std::int64_t>& rest, double loss) {
    if (loss >= best_) return;
    const std::vector<std::int64_t> times = solve(basis_, rest);
    if (!times.empty() && (negative_too_ || *std::min_element(times.begin(), times.end()) >= 0)) {
      best_ = loss;
      return;
    }
    for (std::size_t k = first; k < steps_.size(); ++k) {
      std::vector<std::int64_t> less = rest;
      for (std::size_t i = 0; i < less.size(); ++i) less[i] -= steps_[k].pattern[i];
      go(k, less, loss + steps_[k].loss);
    }
  }

  const std::vector<Pattern>& basis_;
  const std::vector<Step>& steps_;
  double best_;
  bool negative_too_;
};

TEST(GroupRelaxationTest, AgreesWithTryingAllCollections) {
  test::Random random(9);
  std::uint32_t found = 0;
  std::uint32_t bare = 0;
  for (std::uint64_t round = 0; round < test::cases(400); ++round) {
    const std::uint32_t rows = random.between(2, 3);
    const auto draw = [&] {
      Pattern pattern(rows);
      for (std::uint32_t& amount : pattern) amount = random.below(5);
      return pattern;
    };
    std::vector<Pattern> basis;
    for (std::uint32_t k = 0; k < rows; ++k) basis.push_back(draw());
    const auto group = GroupRelaxation::of(basis);
    if (!group) continue;
    Pattern wanted(rows);
    for (std::uint32_t& amount : wanted) amount = random.between(5, 60);
    std::vector<Step> steps;
    for (std::uint32_t k = random.between(1, 8); k > 0; --k) steps.push_back({draw(), 1.0 + random.below(50) / 10.0});
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.loss < b.loss; });
    constexpr double kMost = 9;
    WorkClock run(Request{}, nullptr);
    const GroupRelaxation::Completion path = group->shortest(wanted, steps, kMost, run);
    const double relaxed = AllCollections(basis, wanted, steps, kMost, true).best();
    const double whole = AllCollections(basis, wanted, steps, kMost, false).best();
    ASSERT_NEAR(path.bound, relaxed, 1e-9) << "round " << round;
    ASSERT_LE(path.bound, path.loss + 1e-9);
    ASSERT_GE(path.loss, whole - 1e-9);
    if (relaxed < kMost && whole == relaxed) ++bare;
    if (!path.found) {
      ASSERT_EQ(path.loss, kMost);
      continue;
    }
    ++found;
    std::vector<std::uint64_t> covered(rows, 0);
    double loss = 0;
    for (const std::size_t step : path.steps) {
      for (std::uint32_t i = 0; i < rows; ++i) covered[i] += steps[step].pattern[i];
      loss += steps[step].loss;
    }
    ASSERT_EQ(path.times.size(), rows);
    for (std::uint32_t k = 0; k < rows; ++k) {
      for (std::uint32_t i = 0; i < rows; ++i) covered[i] += path.times[k] * basis[k][i];
    }
    ASSERT_NEAR(loss, path.loss, 1e-9);
    ASSERT_TRUE(std::equal(covered.begin(), covered.end(), wanted.begin()));
  }
  EXPECT_GE(found, test::cases(60));
  EXPECT_GE(2 * found, bare) << "mostly, where a shortest path will do";
}

TEST(GroupRelaxationTest, WhatCannotBeABasis) {
  EXPECT_FALSE(GroupRelaxation::of({}));
  EXPECT_FALSE(GroupRelaxation::of({{1, 2}, {2, 4}})) << "dependent";
  EXPECT_FALSE(GroupRelaxation::of({{0}}));
  EXPECT_FALSE(GroupRelaxation::of({{1u << 20}})) << "too large";
  std::vector<Pattern> large(10, Pattern(10, 0));
  for (std::size_t k = 0; k < large.size(); ++k) large[k][k] = 1000;
  EXPECT_FALSE(GroupRelaxation::of(large)) << "10^30 classes";
  const auto unit = GroupRelaxation::of({{1, 0}, {0, 1}});
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->classes(), 1u);
  WorkClock run(Request{}, nullptr);
  const GroupRelaxation::Completion path = unit->shortest({3, 4}, {}, 1, run);
  EXPECT_TRUE(path.found);
  EXPECT_EQ(path.times, (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(path.bound, 0);
}

TEST(GroupRelaxationTest, NotEnoughOfABasicPattern) {
  const auto group = GroupRelaxation::of({{2, 0}, {0, 2}});
  ASSERT_TRUE(group);
  EXPECT_EQ(group->classes(), 4u);
  EXPECT_TRUE(group->may_take({2, 5}, {1, 4}));
  EXPECT_FALSE(group->may_take({2, 5}, {3, 0}));
  // (3, 1) costs less than (1, 1), but the first run out.
  WorkClock run(Request{}, nullptr);
  const GroupRelaxation::Completion path = group->shortest({1, 5}, {{{3, 1}, 1}, {{1, 1}, 1.5}}, 10, run);
  EXPECT_NEAR(path.bound, 1, 1e-12) << "of the relaxation";
  EXPECT_FALSE(path.found) << "both lead to the same class, and only the shorter one is kept";
  const GroupRelaxation::Completion other = group->shortest({1, 5}, {{{1, 1}, 1.5}}, 10, run);
  EXPECT_TRUE(other.found);
  EXPECT_EQ(other.times, (std::vector<std::uint64_t>{0, 2}));
}

TEST(GroupRelaxationTest, EndsWithTheRun) {
  const auto group = GroupRelaxation::of({{997, 0}, {1, 991}});
  ASSERT_TRUE(group);
  const std::vector<Step> steps = {{{1, 0}, 1}, {{0, 1}, 1.5}};
  Request request;
  request.work_limit = 100;
  WorkClock run(request, nullptr);
  const GroupRelaxation::Completion path = group->shortest({5000, 5000}, steps, 1e9, run);
  EXPECT_EQ(run.stop(), Stop::kDeadline);
  WorkClock whole(Request{}, nullptr);
  const GroupRelaxation::Completion all = group->shortest({5000, 5000}, steps, 1e9, whole);
  EXPECT_EQ(whole.stop(), Stop::kNo);
  EXPECT_LE(path.bound, all.bound);
  EXPECT_GT(all.bound, 0);
}

// Three services on empty nodes: no planner finds a better plan than the one that is called optimal.
TEST(GroupRelaxationTest, PlansOfFewServicesAreProven) {
  test::Random random(3);
  std::uint32_t proven = 0;
  const auto rounds = static_cast<std::uint32_t>(test::cases(20));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    test::InstanceBuilder builder;
    for (std::uint32_t i = 0; i < 3; ++i) {
      builder.add_app("s" + std::to_string(i), 100 + random.below(300), {(100 + random.below(200)) / 100.0});
      builder.data().variance.push_back((1 + random.below(100)) / 100.0);
    }
    builder.add_class({16});
    builder.data().has_uncertainty = true;
    builder.data().uncertainty.confidence = 0.99;
    const Instance instance = builder.must_build();
    Request request;
    request.planner = "csp-ucac";
    request.objective = Objective::kUcac;
    request.work_limit = 20'000'000;
    const Plan plan = test::plan_by(instance, request);
    proven += plan.status == PlanStatus::kOptimal ? 1 : 0;
    EXPECT_LE(plan.bounds[Objective::kUcac]->value, plan.ucac * (1 + 1e-9));
    EXPECT_GE(plan.bounds[Objective::kUcac]->value, plan.ucac * (1 - 1e-4));
  }
  EXPECT_GE(4 * proven, 3 * rounds);
}

}  // namespace
}  // namespace stowage
