#include "core/packing/packing_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/packing/greedy_packing.h"
#include "tests/effort.h"
#include "tests/unit/packing/packing_problems.h"

namespace stowage {
namespace {

// The fewest nodes, by trying all: the first item left goes to every node, and to a new one.
class AllPackings {
 public:
  explicit AllPackings(const PackingProblem& problem) : problem_(problem) {
    for (std::uint32_t i = 0; i < problem.items(); ++i) replicas_.insert(replicas_.end(), problem.count[i], i);
    best_ = replicas_.size();
  }
  std::size_t fewest() {
    place(0);
    return best_;
  }

 private:
  void place(std::size_t k) {
    if (left_.size() >= best_) return;
    if (k == replicas_.size()) {
      best_ = left_.size();
      return;
    }
    const std::size_t nodes = left_.size();
    for (std::size_t n = 0; n < nodes; ++n) put(k, n);
    left_.push_back(problem_.capacity);
    here_.emplace_back(problem_.items(), 0);
    put(k, nodes);
    left_.pop_back();
    here_.pop_back();
  }
  void put(std::size_t k, std::size_t n) {
    const std::uint32_t item = replicas_[k];
    if (here_[n][item] == problem_.at_most[item] || !change(n, item, -1)) return;
    ++here_[n][item];
    place(k + 1);
    --here_[n][item];
    change(n, item, 1);
  }
  bool change(std::size_t n, std::uint32_t item, std::int32_t sign) {
    for (std::uint32_t h = 0; h < problem_.resources; ++h) {
      if (sign < 0 && left_[n][h] < problem_.demand_of(item)[h]) return false;
    }
    for (std::uint32_t h = 0; h < problem_.resources; ++h) left_[n][h] += sign * problem_.demand_of(item)[h];
    return true;
  }

  const PackingProblem& problem_;
  std::vector<std::uint32_t> replicas_;
  std::size_t best_;
  std::vector<std::vector<std::int32_t>> left_;
  std::vector<std::vector<std::uint32_t>> here_;
};

TEST(PackingSearchTest, BoundsAndPackingsAgainstAll) {
  test::Random random(17);
  std::uint64_t optimal = 0;
  const std::uint64_t cases = test::cases(200);
  for (std::uint64_t k = 0; k < cases; ++k) {
    const std::uint32_t least = random.between(15, 40);
    const PackingProblem problem = test::random_packing(random, 5, least, least + random.between(5, 50));
    const std::size_t fewest = AllPackings(problem).fewest();
    WorkClock clock(Request{}, nullptr);
    PackingSearch search(problem, 0, k, clock);
    search.run();
    EXPECT_TRUE(test::is_valid(problem, search.best(), problem.count)) << "case " << k;
    EXPECT_LE(search.lower_bound(), static_cast<double>(fewest) + 1e-6) << "case " << k;
    EXPECT_GE(search.best().size(), fewest) << "case " << k;
    if (!search.is_optimal()) continue;
    ++optimal;
    EXPECT_EQ(search.best().size(), fewest) << "case " << k;
  }
  EXPECT_GT(optimal, cases * 9 / 10);
}

PackingProblem triplets(std::uint32_t nodes, std::uint64_t seed) {
  test::Random random(seed);
  PackingProblem problem;
  problem.resources = 1;
  problem.capacity = {1000};
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const auto first = static_cast<std::int32_t>(random.between(380, 490));
    const auto second = static_cast<std::int32_t>(random.between(250, static_cast<std::uint32_t>((1000 - first) / 2)));
    problem.demand.insert(problem.demand.end(), {first, second, 1000 - first - second});
  }
  problem.count.assign(problem.demand.size(), 1);
  problem.at_most = problem.count;
  return problem;
}

TEST(PackingSearchTest, TripletsFillEveryNode) {
  const PackingProblem problem = triplets(20, 1);
  WorkClock clock(Request{}, nullptr);
  PackingSearch search(problem, 0, 0, clock);
  search.run();
  EXPECT_TRUE(search.is_optimal());
  EXPECT_EQ(search.best().size(), 20u);
  EXPECT_TRUE(test::is_valid(problem, search.best(), problem.count));
}

TEST(PackingSearchTest, AWorkLimitRepeatsARun) {
  const PackingProblem problem = triplets(40, 2);
  Packing first;
  for (int times = 0; times < 2; ++times) {
    Request request;
    request.work_limit = 30'000;
    WorkClock clock(request, nullptr);
    PackingSearch search(problem, 0, 5, clock);
    search.run();
    EXPECT_NE(clock.stop(), Stop::kNo);
    EXPECT_TRUE(test::is_valid(problem, search.best(), problem.count));
    if (times == 0) first = search.best();
    EXPECT_EQ(search.best(), first);
  }
}

TEST(PackingSearchTest, AnOfferIsKept) {
  const PackingProblem problem{1, {10}, {5, 5}, {1, 1}, {1, 1}};
  WorkClock clock(Request{}, nullptr);
  PackingSearch search(problem, 1, 0, clock);
  search.offer({{{0, 1}, {1, 1}}});
  EXPECT_TRUE(search.is_optimal());
  EXPECT_EQ(search.best().size(), 1u);
}

TEST(GreedyPackingTest, BothWaysPackEverything) {
  test::Random random(23);
  for (std::uint64_t k = 0; k < test::cases(100); ++k) {
    const PackingProblem problem = test::random_packing(random, 30, 5, 60);
    std::vector<std::uint32_t> wanted = problem.count;
    for (std::uint32_t& replicas : wanted) replicas = random.below(replicas + 1);
    GreedyPacking greedy(problem);
    Random draws(k);
    EXPECT_TRUE(test::is_valid(problem, greedy.first_fit(wanted, random.share(), draws), wanted)) << "case " << k;
    EXPECT_TRUE(test::is_valid(problem, greedy.by_node(wanted, random.share(), draws), wanted)) << "case " << k;
  }
}

}  // namespace
}  // namespace stowage
