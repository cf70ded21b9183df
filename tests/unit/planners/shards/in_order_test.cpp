#include "core/planners/shards/in_order.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace stowage {
namespace {

struct Committed {
  std::uint32_t shard;
  std::uint64_t work;
  friend bool operator==(const Committed&, const Committed&) = default;
};

// Shard k takes `needs[k]` units, or is cut off at the most that it may take.
std::vector<Committed> committed(const std::vector<std::uint64_t>& needs, std::uint64_t work_limit, std::uint64_t units,
                                 std::uint32_t threads, std::uint64_t& total) {
  Request request;
  request.work_limit = work_limit;
  stowage::Run run(request, nullptr);
  InOrder in_order(run, threads);
  std::vector<std::uint32_t> shards(needs.size());
  std::iota(shards.begin(), shards.end(), 0u);
  std::vector<Committed> all;
  const Error e = in_order.run(
      shards, units,
      [&](std::uint32_t shard, std::uint64_t most) {
        ShardOutcome outcome;
        outcome.work = std::min(most, needs[shard]);
        outcome.stop = outcome.work < needs[shard] ? Stop::kDeadline : Stop::kNo;
        return outcome;
      },
      [&](std::uint32_t shard, const ShardOutcome& outcome) {
        all.push_back({shard, outcome.work});
      });
  EXPECT_FALSE(failed(e));
  total = run.clock.work();
  return all;
}

TEST(InOrderTest, AWorkLimitCutsTheSameShardOnAnyNumberOfThreads) {
  for (const std::uint32_t threads : {1u, 2u, 3u, 8u}) {
    SCOPED_TRACE(threads);
    std::uint64_t total = 0;
    using All = std::vector<Committed>;
    EXPECT_EQ(committed({4, 4, 4, 4}, 0, 10, threads, total), (All{{0, 4}, {1, 4}, {2, 4}, {3, 4}}));
    EXPECT_EQ(total, 16u);
    EXPECT_EQ(committed({4, 4, 4, 4}, 10, 10, threads, total), (All{{0, 4}, {1, 4}, {2, 2}}));
    EXPECT_EQ(total, 10u);
    EXPECT_EQ(committed({4, 4, 4, 4}, 8, 10, threads, total), (All{{0, 4}, {1, 4}}));
    EXPECT_EQ(committed({9, 1, 9}, 12, 5, threads, total), (All{{0, 5}, {1, 1}, {2, 5}}));
    EXPECT_EQ(total, 11u);
  }
}

TEST(InOrderTest, ErrorsEndTheRun) {
  Request request;
  stowage::Run run(request, nullptr);
  InOrder in_order(run, 2);
  const std::vector<std::uint32_t> shards = {0, 1, 2};
  std::uint32_t committed = 0;
  const Error e = in_order.run(
      shards, 10,
      [](std::uint32_t shard, std::uint64_t) {
        ShardOutcome outcome;
        if (shard == 1) outcome.error = {Code::kLimitExceeded, "too large", ""};
        return outcome;
      },
      [&](std::uint32_t, const ShardOutcome&) { ++committed; });
  EXPECT_EQ(e.code, Code::kLimitExceeded);
  EXPECT_EQ(committed, 1u);
}

TEST(InOrderTest, AShardThatTimeEndedEndsTheRun) {
  Request request;
  request.deadline_ms = 3'600'000;
  stowage::Run run(request, nullptr);
  InOrder in_order(run, 1);
  const std::vector<std::uint32_t> shards = {0, 1, 2};
  std::vector<std::uint32_t> committed;
  const Error e = in_order.run(
      shards, 1000,
      [](std::uint32_t shard, std::uint64_t) {
        ShardOutcome outcome;
        outcome.work = 5;
        outcome.stop = shard == 1 ? Stop::kDeadline : Stop::kNo;
        return outcome;
      },
      [&](std::uint32_t shard, const ShardOutcome&) { committed.push_back(shard); });
  EXPECT_FALSE(failed(e));
  EXPECT_EQ(committed, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
  EXPECT_EQ(run.clock.work(), 10u) << "the work that repeats the run";
}

}  // namespace
}  // namespace stowage
