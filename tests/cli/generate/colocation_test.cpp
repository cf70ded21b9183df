// `stowage generate colocation`: P4's design of instances.
#include "capi/cli/generate/colocation.h"

#include <algorithm>
#include <cmath>

#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

std::uint64_t hash_of_colocation(const colocation::Options& options) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::uint8_t byte : bytes_of(encode_instance(colocation::generate(options)))) {
    hash = (hash ^ byte) * 0x100000001B3ULL;
  }
  return hash;
}

TEST(GenerateColocation, TheSameOptionsGiveTheSameBytesEverywhere) {
  // Pinned. A deliberate change of the generator changes them, and says so in the changelog.
  EXPECT_EQ(hash_of_colocation({"mixed", 50, 5, 4, 0, 1}), 17625341987916559730ULL);
  EXPECT_EQ(hash_of_colocation({"clashing", 1000, 100, 2, 0.95, 7}), 5832679680218567132ULL);
}

TEST(GenerateColocation, LoadsAreLognormalWithinBounds) {
  std::vector<double> loads = colocation::generate({"compatible", 20'000, 10, 4, 0, 3}).apps.demand;
  std::sort(loads.begin(), loads.end());
  EXPECT_GE(loads.front(), 0.004);
  EXPECT_LE(loads.back(), 40);
  // Quantiles of the lognormal distribution, a little less above the median, since the largest are left out.
  EXPECT_NEAR(loads[loads.size() / 2], 1, 0.05);
  EXPECT_NEAR(std::log(loads[loads.size() * 8413 / 10'000]), 1.6, 0.1);
  EXPECT_NEAR(std::log(loads[loads.size() * 1587 / 10'000]), -1.6, 0.1);
}

TEST(GenerateColocation, ClassesHaveTheirCoefficients) {
  struct Expected {
    const char* word;
    double low;
    double high;
  };
  for (const Expected& one :
       {Expected{"compatible", 0, 0.999}, Expected{"incompatible", 1.001, 2}, Expected{"clashing", 2, 4}}) {
    const InstanceData data = colocation::generate({one.word, 10, 2, 20, 0, 5});
    ASSERT_EQ(data.interference->coefficient.size(), 400U);
    for (std::size_t k = 0; k < 400; ++k) {
      const double value = data.interference->coefficient[k];
      if (k % 21 == 0) {
        EXPECT_EQ(value, 1);
      } else {
        EXPECT_GE(value, one.low) << one.word;
        EXPECT_LE(value, one.high) << one.word;
      }
    }
  }
  const std::vector<double> mixed = colocation::generate({"mixed", 10, 2, 3, 0, 5}).interference->coefficient;
  // Kinds 1 and 2 suit each other, kind 3 suits neither.
  EXPECT_LT(mixed[1], 1);
  EXPECT_LT(mixed[3], 1);
  for (const std::size_t k : {2, 5, 6, 7}) EXPECT_GT(mixed[k], 1) << k;
}

TEST(GenerateColocation, CapacityBindsWhereItIsFilled) {
  const InstanceData loose = colocation::generate({"mixed", 100, 5, 3, 0, 5});
  double load = 0;
  for (const double demand : loose.apps.demand) load += demand;
  EXPECT_EQ(loose.classes[0].count, 5U);
  EXPECT_GE(loose.classes[0].capacity[0], load - 1e-9);
  const InstanceData tight = colocation::generate({"mixed", 100, 5, 3, 0.9, 5});
  EXPECT_NEAR(tight.classes[0].capacity[0] * 5 * 0.9, load, 0.01);
  EXPECT_EQ(tight.apps.demand, loose.apps.demand);
}

TEST(GenerateColocation, TheCommandWritesAnInstanceThatIsPlanned) {
  TemporaryFolder folder;
  const std::string file = folder.file("mixed.json");
  const Outcome made = run({"generate", "colocation", "--class", "mixed", "--apps", "40", "--nodes", "4", "-o", file});
  ASSERT_EQ(made.code, 0) << made.err;
  const Outcome planned =
      run({"plan", file, "--planner", "greedy-dedicated-best", "--objective", "worst", "--summary", "json"});
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_TRUE(has(planned.out, "max_cost")) << planned.out;
  EXPECT_NE(run({"generate", "colocation", "--class", "odd", "--apps", "4", "--nodes", "4", "-o", file}).code, 0);
}

}  // namespace
}  // namespace stowage::cli::testing
