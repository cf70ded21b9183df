// Clusters that run and are planned anew by `auto`, cut off after every small amount of work: nothing ends in an error, no plan
// breaks a constraint, and none places less than what runs.

#include <gtest/gtest.h>

#include <string>

#include "tests/effort.h"
#include "tests/property/auto/rebalance.h"

namespace stowage {
namespace {

constexpr std::uint64_t kRebalanceBlocks = 8;
constexpr std::uint64_t kRebalancesPerBlock = 100 / test::kShare;

class RebalanceTest : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Block, RebalanceTest, ::testing::Range(std::uint64_t{0}, kRebalanceBlocks));

TEST_P(RebalanceTest, EveryCutIsAPlan) {
  for (std::uint64_t k = 0; k < kRebalancesPerBlock; ++k) {
    const std::uint64_t seed = GetParam() * kRebalancesPerBlock + k;
    test::Rebalance rebalance(seed);
    for (int turn = 0; turn < 2; ++turn) {
      Request request = rebalance.request();
      for (const std::uint64_t work : {1, 2, 4, 8, 16, 32, 64, 128, 512, 4096}) {
        request.work_limit = work;
        ASSERT_EQ(rebalance.problem(request), "") << "seed " << seed << ", turn " << turn << ", work " << work;
      }
    }
  }
}

}  // namespace
}  // namespace stowage
