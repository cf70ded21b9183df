#include "capi/cli/generate/generate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"
#include "tests/effort.h"

namespace stowage::cli::testing {
namespace {

std::uint64_t fnv(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3ULL;
  return hash;
}

GenerateOptions options(std::uint32_t apps, double density, Graph graph, bool profile = false, std::uint64_t seed = 1) {
  GenerateOptions result;
  result.apps = apps;
  result.density = density;
  result.graph = graph;
  result.profile = profile;
  result.seed = seed;
  return result;
}

/// Every row in ascending order, without the app itself.
void expect_sound(const InstanceData& data) {
  const AffinityLimitsData& limits = data.limits;
  ASSERT_EQ(limits.row_begin.size(), data.apps.replicas.size() + 1);
  ASSERT_EQ(limits.row_begin.back(), limits.app.size());
  ASSERT_EQ(limits.at_most.size(), limits.app.size());
  for (std::size_t app = 0; app + 1 < limits.row_begin.size(); ++app) {
    for (std::size_t k = limits.row_begin[app]; k < limits.row_begin[app + 1]; ++k) {
      ASSERT_LT(limits.app[k], data.apps.replicas.size());
      ASSERT_NE(limits.app[k], app);
      if (k > limits.row_begin[app]) {
        ASSERT_LT(limits.app[k - 1], limits.app[k]);
      }
      ASSERT_LE(limits.at_most[k], 4U);
    }
  }
}

double density(const InstanceData& data) {
  const double apps = static_cast<double>(data.apps.replicas.size());
  return static_cast<double>(data.limits.app.size()) / apps / apps;
}

TEST(Random, KnownSequence) {
  // Pinned, so that a change of platform or compiler that changes the numbers is noticed.
  Random random(1, 2, 3);
  const std::uint64_t first = random.bits();
  Random again(1, 2, 3);
  EXPECT_EQ(again.bits(), first);
  EXPECT_NE(Random(1, 2, 4).bits(), first);
  EXPECT_NE(Random(1, 3, 3).bits(), first);
  EXPECT_NE(Random(2, 2, 3).bits(), first);
  EXPECT_EQ(first, 4641420492877510846ULL);
}

TEST(Random, BelowIsUniform) {
  Random random(7, 0, 0);
  std::vector<int> count(7, 0);
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) ++count[random.below(7)];
  for (const int n : count) EXPECT_NEAR(n, kDraws / 7.0, 500);
}

TEST(Random, NearlyNormal) {
  Random random(7, 0, 0);
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.nearly_normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.03);
}

TEST(Generate, TheSameOptionsGiveTheSameBytesEverywhere) {
  // Pinned. A deliberate change of the generator or of the fitted tables changes them, and says so in the changelog.
  EXPECT_EQ(fnv(bytes_of(encode_instance(generate_instance(options(300, 0.02, Graph::kArbitrary))))), 16802707624604417468ULL);
  EXPECT_EQ(fnv(bytes_of(encode_instance(generate_instance(options(300, 0.02, Graph::kNormal))))), 17513766333383547705ULL);
  EXPECT_EQ(fnv(bytes_of(encode_instance(generate_instance(options(300, 0.02, Graph::kThreshold))))), 913524246627046210ULL);
  EXPECT_EQ(fnv(bytes_of(encode_instance(generate_instance(options(60, 0.02, Graph::kArbitrary, true, 9))))),
            1900250975151632245ULL);
}

TEST(Generate, SizesDependOnNeitherGraphNorProfile) {
  const InstanceData fixed = generate_instance(options(500, 0.01, Graph::kArbitrary));
  const InstanceData profiled = generate_instance(options(500, 0.05, Graph::kThreshold, true));
  EXPECT_EQ(fixed.apps.replicas, profiled.apps.replicas);
  ASSERT_EQ(profiled.periods, 98U);
  for (std::size_t cell = 0; cell < fixed.apps.demand.size(); ++cell) {
    const double* row = profiled.apps.demand.data() + cell * 98;
    const double top = *std::max_element(row, row + 98);
    EXPECT_GT(*std::min_element(row, row + 98), 0);
    EXPECT_LE(top, fixed.apps.demand[cell]);
    EXPECT_GE(top, fixed.apps.demand[cell] - 1);
  }
}

TEST(Generate, ArbitraryGraphsHaveExactlyTheDensity) {
  for (const double wanted : {0.0, 0.003, 0.1, 0.5, 0.93, 1.0}) {
    const InstanceData data = generate_instance(options(400, wanted, Graph::kArbitrary));
    EXPECT_EQ(data.limits.app.size(), static_cast<std::size_t>(wanted * 400 * 399));
    if (wanted > 0) expect_sound(data);
  }
}

TEST(Generate, NormalGraphsHaveDegreesAroundTheMean) {
  const InstanceData data = generate_instance(options(4000, 0.02, Graph::kNormal));
  expect_sound(data);
  EXPECT_NEAR(density(data), 0.02, 0.001);
  double squares = 0;
  for (std::size_t app = 0; app < 4000; ++app) {
    const double off = data.limits.row_begin[app + 1] - data.limits.row_begin[app] - 80.0;
    squares += off * off;
  }
  EXPECT_NEAR(std::sqrt(squares / 4000), 40, 2);
}

TEST(Generate, ThresholdGraphsAreNested) {
  constexpr std::uint32_t kApps = test::kShare > 1 ? 500 : 1500;
  for (const double wanted : {0.005, 0.1, 0.7}) {
    const InstanceData data = generate_instance(options(kApps, wanted, Graph::kThreshold));
    expect_sound(data);
    double sum = 0;
    constexpr int kSeeds = 10;
    for (int seed = 0; seed < kSeeds; ++seed)
      sum += density(generate_instance(options(kApps, wanted, Graph::kThreshold, false, seed)));
    EXPECT_NEAR(sum / kSeeds, wanted, wanted * 0.08) << wanted;
    // Of two apps, one limits all that the other limits, but for the two themselves.
    std::vector<std::set<std::uint32_t>> rows;
    for (std::uint32_t app = 0; app < kApps; ++app) {
      rows.emplace_back(data.limits.app.begin() + data.limits.row_begin[app],
                        data.limits.app.begin() + data.limits.row_begin[app + 1]);
    }
    std::vector<std::uint32_t> order(rows.size());
    for (std::uint32_t app = 0; app < order.size(); ++app) order[app] = app;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rows[a].size() < rows[b].size(); });
    for (std::size_t i = 0; i + 2 < order.size(); i += 2) {
      // Two apart, so that a row is not compared with one that is shorter only by its own app.
      for (const std::uint32_t other : rows[order[i]]) {
        EXPECT_TRUE(rows[order[i + 2]].contains(other) || other == order[i + 2] ||
                    rows[order[i]].size() == rows[order[i + 2]].size());
      }
    }
  }
}

TEST(Generate, LimitsFollowThePublishedDistribution) {
  const InstanceData data = generate_instance(options(3000, 0.05, Graph::kArbitrary));
  std::vector<double> count(5, 0);
  for (const std::uint32_t at_most : data.limits.at_most) ++count[at_most];
  const double total = static_cast<double>(data.limits.at_most.size());
  EXPECT_NEAR(count[0] / total, 13144.0 / 24078, 0.005);
  EXPECT_NEAR(count[2] / total, 6556.0 / 24078, 0.005);
  EXPECT_NEAR(count[1] / total, 3992.0 / 24078, 0.005);
  EXPECT_NEAR(count[3] / total, 361.0 / 24078, 0.002);
  EXPECT_NEAR(count[4] / total, 25.0 / 24078, 0.001);
}

TEST(Generate, MarginalsAreThoseOfThePublishedData) {
  // docs/reference/generate.md states them: per 9,338 apps 68,224 replicas and 5,086 nodes' worth of memory.
  const InstanceData data = generate_instance(options(100'000, 0, Graph::kArbitrary));
  double replicas = 0;
  double cpu = 0;
  double memory = 0;
  double total_memory = 0;
  double single = 0;
  for (std::size_t app = 0; app < 100'000; ++app) {
    replicas += data.apps.replicas[app];
    cpu += data.apps.demand[2 * app];
    memory += data.apps.demand[2 * app + 1];
    total_memory += data.apps.replicas[app] * data.apps.demand[2 * app + 1];
    if (data.apps.replicas[app] == 1) ++single;
  }
  EXPECT_NEAR(replicas / 100'000, 68224.0 / 9338, 0.05 * 68224 / 9338);
  EXPECT_NEAR(total_memory / 128 / 100'000 * 9338, 5086, 0.05 * 5086);
  EXPECT_NEAR(memory / 100'000, 8.034, 0.05 * 8.034);
  EXPECT_NEAR(cpu / 100'000, 2.158, 0.05 * 2.158);
  EXPECT_NEAR(single / 100'000, 0.292, 0.01);
}

TEST(Generate, IndependentReplicasKnowNothingOfTheSize) {
  GenerateOptions wanted = options(100'000, 0, Graph::kArbitrary);
  const InstanceData together = generate_instance(wanted);
  wanted.independent_replicas = true;
  const InstanceData independent = generate_instance(wanted);
  EXPECT_EQ(together.apps.demand, independent.apps.demand);
  const auto nodes_of_memory = [&](const InstanceData& data) {
    double total = 0;
    for (std::size_t app = 0; app < wanted.apps; ++app) total += data.apps.replicas[app] * data.apps.demand[2 * app + 1];
    return total / 128;
  };
  // 45,855 by the data's means; P0's instances have 45,988 on average.
  EXPECT_NEAR(nodes_of_memory(independent), 45'855, 0.04 * 45'855);
  EXPECT_GT(nodes_of_memory(together), 52'000);
}

TEST(Generate, ProfilesLookLikeThePublishedOnes) {
  const InstanceData data = generate_instance(options(10'000, 0, Graph::kArbitrary, true, 4));
  double constant_memory = 0;
  double constant_cpu = 0;
  std::vector<double> memory(98, 0);
  std::vector<double> cpu(98, 0);
  double memory_of_maxima = 0;
  for (std::size_t app = 0; app < 10'000; ++app) {
    const double* row = data.apps.demand.data() + app * 196;
    const auto constant = [](const double* values) {
      return std::all_of(values, values + 98, [&](double x) { return x == *values; });
    };
    if (constant(row)) ++constant_cpu;
    if (constant(row + 98)) ++constant_memory;
    for (std::size_t t = 0; t < 98; ++t) {
      cpu[t] += data.apps.replicas[app] * row[t];
      memory[t] += data.apps.replicas[app] * row[98 + t];
    }
    memory_of_maxima += data.apps.replicas[app] * *std::max_element(row + 98, row + 196);
  }
  EXPECT_NEAR(constant_memory / 10'000, 0.560, 0.02);
  EXPECT_NEAR(constant_cpu / 10'000, 0.407, 0.02);
  // Memory binds, and its peak is a little below the sum of the maxima (0.978 in the published data).
  const double peak_memory = *std::max_element(memory.begin(), memory.end());
  EXPECT_GT(peak_memory / 128, 1.2 * *std::max_element(cpu.begin(), cpu.end()) / 64);
  EXPECT_NEAR(peak_memory / memory_of_maxima, 0.978, 0.02);
}

TEST(Generate, RefusesWhatCannotBe) {
  EXPECT_THROW(generate_instance(options(0, 0.1, Graph::kArbitrary)), Failure);
  EXPECT_THROW(generate_instance(options(100'000, 0.5, Graph::kArbitrary)), Failure);
  EXPECT_THROW(parse_graph("circular"), Failure);
  EXPECT_TRUE(generate_instance(options(1, 1, Graph::kArbitrary)).limits.app.empty());
}

}  // namespace
}  // namespace stowage::cli::testing
