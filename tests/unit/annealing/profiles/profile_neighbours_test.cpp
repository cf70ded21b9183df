#include "core/annealing/profiles/profile_neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

std::vector<std::uint32_t> all_ranks(const ProfileMatrix& rows) {
  std::vector<std::uint32_t> ranks(rows.ranks());
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

std::vector<double> free_in(const ProfileMatrix& rows, double each) { return std::vector<double>(rows.lanes(), each); }

// All periods count, not only the scarcest one.
TEST(ProfileNeighboursTest, TheNearestOverTimeComeFirst) {
  InstanceBuilder builder({"cpu"}, 3);
  builder.add_app("one", 1, {60, 10, 10});
  builder.add_app("other peak", 1, {60, 10, 50});
  builder.add_app("like one", 1, {57, 12, 11});
  builder.add_class({100});
  const Instance instance = builder.must_build();
  const ProfileMatrix rows(instance);
  WorkClock clock(Request{}, nullptr);
  ProfileNeighbours neighbours;
  EXPECT_TRUE(neighbours.empty());
  ASSERT_TRUE(neighbours.find(rows, all_ranks(rows), free_in(rows, 0), clock));
  ASSERT_FALSE(neighbours.empty());
  const auto of_one = neighbours.of(rows.rank(0));
  EXPECT_EQ(std::vector<std::uint32_t>(of_one.begin(), of_one.end()), (std::vector<std::uint32_t>{rows.rank(2), rows.rank(1)}));
  const auto of_other = neighbours.of(rows.rank(1));
  EXPECT_EQ(std::vector<std::uint32_t>(of_other.begin(), of_other.end()),
            (std::vector<std::uint32_t>{rows.rank(0), rows.rank(2)}));
}

TEST(ProfileNeighboursTest, PeriodsInWhichMuchIsFreeCountLittle) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("one", 1, {60, 10});
  builder.add_app("as scarce", 1, {60, 40});
  builder.add_app("as free", 1, {50, 10});
  builder.add_class({100});
  const Instance instance = builder.must_build();
  const ProfileMatrix rows(instance);
  WorkClock clock(Request{}, nullptr);
  for (const bool much : {false, true}) {
    std::vector<double> free(rows.lanes(), 0);
    if (much) free[1] = ProfileMatrix::kFull / 2.0;
    ProfileNeighbours neighbours;
    ASSERT_TRUE(neighbours.find(rows, all_ranks(rows), free, clock));
    EXPECT_EQ(neighbours.of(rows.rank(0)).front(), rows.rank(much ? 1 : 2));
  }
}

TEST(ProfileNeighboursTest, AgreesWithTheDefinition) {
  constexpr AppId kApps = 300;
  test::Random random(1);
  InstanceBuilder builder({"cpu"}, 5);
  for (AppId app = 0; app < kApps; ++app) {
    std::vector<double> demand;
    demand.reserve(5);
    for (int t = 0; t < 5; ++t) demand.push_back(random.between(1, 500));
    builder.add_app("app-" + std::to_string(app), 1, demand);
  }
  builder.add_class({1000});
  const Instance instance = builder.must_build();
  const ProfileMatrix rows(instance);
  ASSERT_EQ(rows.ranks(), std::size_t{kApps});
  std::vector<std::uint32_t> ranks = all_ranks(rows);
  const std::uint32_t missing = ranks[7];
  ranks.erase(ranks.begin() + 7);
  WorkClock clock(Request{}, nullptr);
  ProfileNeighbours neighbours;
  ASSERT_TRUE(neighbours.find(rows, ranks, free_in(rows, 0), clock));
  EXPECT_TRUE(neighbours.of(missing).empty());
  const auto distance = [&](std::uint32_t a, std::uint32_t b) {
    std::int32_t sum = 0;
    for (std::size_t t = 0; t < rows.lanes(); ++t) sum += std::abs(rows.row(a)[t] - rows.row(b)[t]);
    return sum;
  };
  for (const std::uint32_t rank : ranks) {
    const auto found = neighbours.of(rank);
    ASSERT_EQ(found.size(), ProfileNeighbours::kMost);
    std::vector<std::uint8_t> is_neighbour(kApps, 0);
    for (std::size_t k = 0; k < found.size(); ++k) {
      is_neighbour[found[k]] = 1;
      EXPECT_LE(distance(rank, found[k == 0 ? 0 : k - 1]), distance(rank, found[k]));
    }
    EXPECT_EQ(is_neighbour[rank] + is_neighbour[missing], 0);
    for (const std::uint32_t other : ranks) {
      if (other == rank || is_neighbour[other] != 0) continue;
      EXPECT_GE(distance(rank, other), distance(rank, found.back()));
    }
  }
}

// Among thousands of rows, only those with about the same demand in the scarcest period are compared.
TEST(ProfileNeighboursTest, ManyRows) {
  InstanceBuilder builder({"cpu"}, 2);
  constexpr AppId kApps = 4000;
  for (AppId app = 0; app < kApps; ++app) builder.add_app("app-" + std::to_string(app), 1, {1.0 * (app + 1), 1});
  builder.add_class({8000});
  const Instance instance = builder.must_build();
  const ProfileMatrix rows(instance);
  WorkClock clock(Request{}, nullptr);
  ProfileNeighbours neighbours;
  ASSERT_TRUE(neighbours.find(rows, all_ranks(rows), free_in(rows, 0), clock));
  for (std::uint32_t rank = 0; rank < kApps; ++rank) {
    std::int64_t farthest = 0;
    for (const std::uint32_t other : neighbours.of(rank)) {
      farthest = std::max<std::int64_t>(farthest, std::abs(std::int64_t{other} - rank));
    }
    EXPECT_LE(farthest, std::int64_t{ProfileNeighbours::kMost} + 1) << rank;
  }
  EXPECT_LE(clock.work(), 2 * ProfileNeighbours::work(kApps));
  EXPECT_GE(2 * clock.work(), ProfileNeighbours::work(kApps));
}

TEST(ProfileNeighboursTest, FewRows) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("alone", 3, {2, 1});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const ProfileMatrix rows(instance);
  WorkClock clock(Request{}, nullptr);
  ProfileNeighbours neighbours;
  ASSERT_TRUE(neighbours.find(rows, {}, free_in(rows, 0), clock));
  EXPECT_TRUE(neighbours.of(0).empty());
  ASSERT_TRUE(neighbours.find(rows, {0}, free_in(rows, 0), clock));
  EXPECT_TRUE(neighbours.of(0).empty());
}

TEST(ProfileNeighboursTest, EndsWithTheRun) {
  InstanceBuilder builder({"cpu"}, 2);
  for (int app = 0; app < 400; ++app) builder.add_app("app-" + std::to_string(app), 1, {1.0 + app, 1});
  builder.add_class({500});
  const Instance instance = builder.must_build();
  const ProfileMatrix rows(instance);
  Request request;
  request.work_limit = 1;
  WorkClock clock(request, nullptr);
  ProfileNeighbours neighbours;
  EXPECT_FALSE(neighbours.find(rows, all_ranks(rows), free_in(rows, 0), clock));
  EXPECT_NE(clock.stop(), Stop::kNo);
  EXPECT_TRUE(neighbours.empty());
}

}  // namespace
}  // namespace stowage
