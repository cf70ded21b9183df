#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

double matching_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return matching_bound(instance, Supply(instance)).value;
}

InstanceBuilder three_resources() { return InstanceBuilder({"a", "b", "c"}); }

TEST(MatchingBound, PairsMissInDifferentResources) {
  // Any two of these exceed some resource, and no resource sees it: 12 / 10 each.
  InstanceBuilder builder = three_resources();
  builder.add_app("ab", 1, {6, 6, 0});
  builder.add_app("bc", 1, {0, 6, 6});
  builder.add_app("ac", 1, {6, 0, 6});
  builder.add_class({10, 10, 10});
  EXPECT_EQ(matching_of(builder), 3);
}

TEST(MatchingBound, AsManyNodesAsPairsLeave) {
  // Large ones share a node with a small one of the other resource, never with each other; there are three of either.
  InstanceBuilder builder({"a", "b"});
  builder.add_app("large", 3, {6, 4});
  builder.add_app("other", 4, {4, 6});
  builder.add_class({10, 10});
  EXPECT_EQ(matching_of(builder), 4);  // seven less three pairs
}

TEST(MatchingBound, LimitsOfZeroKeepPairsApart) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {4});
  const AppId b = builder.add_app("b", 1, {5});
  builder.add_app("c", 1, {6});
  builder.add_class({10});
  EXPECT_EQ(matching_of(builder), 2);
  builder.limit(a, b, 0);
  EXPECT_EQ(matching_of(builder), 2);  // a joins c
  builder.limit(2, a, 0);
  EXPECT_EQ(matching_of(builder), 3);
}

TEST(MatchingBound, WhereThreeFitNothingIsKnown) {
  InstanceBuilder builder;
  builder.add_app("third", 9, {3});
  builder.add_class({9});
  EXPECT_EQ(matching_of(builder), 0);
}

TEST(MatchingBound, TheRoomiestClassCounts) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {6});
  builder.add_class({10});
  builder.add_class({12}, 1);
  EXPECT_EQ(matching_of(builder), 2);  // as if all nodes took two
}

// Jobs of a load of 1, two of which fill a node. `per_kind` says how many there are of each kind.
InstanceBuilder two_jobs_per_node(const std::vector<std::uint32_t>& per_kind, std::vector<double> coefficient) {
  InstanceBuilder builder({"jobs"});
  for (std::uint32_t t = 0; t < per_kind.size(); ++t) {
    builder.add_app("kind-" + std::to_string(t), per_kind[t], {1});
    builder.data().kind.push_back(t);
  }
  builder.add_class({2});
  builder.data().has_interference = true;
  builder.data().interference = {{}, static_cast<std::uint32_t>(per_kind.size()), std::move(coefficient)};
  return builder;
}

TEST(PairCostBound, TheNodesNeedPairs) {
  // Two of a cost 2, a beside b 1.2 and 2, two of b 3. On two nodes a shares with b, twice; on three, one pair is enough, and
  // the others have nodes of their own.
  InstanceBuilder builder = two_jobs_per_node({2, 2}, {1, 0.2, 0.5, 1.5});
  EXPECT_DOUBLE_EQ(pair_cost_bound(builder.must_build(), 2, {}).value, 2);
  EXPECT_EQ(pair_cost_bound(builder.must_build(), 4, {}).value, 0);
  EXPECT_EQ(pair_cost_bound(builder.must_build(), 0, {}).value, 0);
  // Beside a limit, a shares with a and b with b.
  builder.limit(0, 1, 0);
  EXPECT_DOUBLE_EQ(pair_cost_bound(builder.must_build(), 2, {}).value, 3);
  EXPECT_DOUBLE_EQ(pair_cost_bound(builder.must_build(), 3, {}).value, 2);
  // Three share no node.
  EXPECT_EQ(pair_cost_bound(builder.must_build(), 1, {}).value, 0);
}

TEST(PairCostBound, EndsWithItsWatch) {
  const Instance instance = two_jobs_per_node({740, 740}, {1, 0.2, 0.5, 1.5}).must_build();
  Watch watch(nullptr, Watch::Time::now());
  pair_cost_bound(instance, 1000, watch);
  EXPECT_TRUE(watch.ended());
}

// Every way to pair the jobs up, by taking the first one left.
double least_pairing(const Instance& instance, std::vector<AppId> left, std::uint32_t nodes, double worst) {
  if (left.empty()) return worst;
  if (nodes == 0) return std::numeric_limits<double>::infinity();
  const AppId a = left.back();
  left.pop_back();
  double best = least_pairing(instance, left, nodes - 1, std::max(worst, instance.coefficient(a, a)));
  for (std::size_t k = 0; k < left.size(); ++k) {
    const AppId b = left[k];
    std::vector<AppId> rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    const double cost = std::max(instance.coefficient(a, a) + instance.coefficient(a, b),
                                 instance.coefficient(b, b) + instance.coefficient(b, a));
    best = std::min(best, least_pairing(instance, std::move(rest), nodes - 1, std::max(worst, cost)));
  }
  return best;
}

TEST(PairCostBound, IsTheLeastCostOfPairs) {
  test::Random random(13);
  for (int k = 0; k < 300; ++k) {
    const std::uint32_t kinds = random.between(1, 4);
    std::vector<double> coefficient;
    for (std::uint32_t t = 0; t < kinds * kinds; ++t) {
      coefficient.push_back(t % (kinds + 1) == 0 ? 1 : random.below(300) / 100.0);
    }
    std::vector<std::uint32_t> per_kind;
    std::vector<AppId> jobs;
    for (AppId t = 0; t < kinds; ++t) {
      per_kind.push_back(random.between(1, 2));
      jobs.insert(jobs.end(), per_kind.back(), t);
    }
    const auto all = static_cast<std::uint32_t>(jobs.size());
    const std::uint32_t nodes = random.between((all + 1) / 2, all);
    const Instance instance = two_jobs_per_node(per_kind, coefficient).must_build();
    // Jobs alone cost 1; a bound on pairs says nothing of them.
    const double bound = pair_cost_bound(instance, nodes, {}).value;
    EXPECT_DOUBLE_EQ(std::max(1.0, bound), least_pairing(instance, jobs, nodes, 0)) << k;
  }
}

}  // namespace
}  // namespace stowage
