#include "core/bounds/prices/capacity_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/base/numbers/random.h"

namespace stowage {
namespace {

using Kind = CapacityProgram::Kind;
using ProgramShare = CapacityProgram::Share;

constexpr double kEndlessKind = CapacityProgram::kEndlessCount;

/// What prices gain where no endless kind is worth more than its cost, after a common factor that sees to it; less what nodes
/// with a count are worth beyond their cost.
double bound_of_prices(const std::vector<Kind>& kinds, const std::vector<double>& gains, std::vector<double> y) {
  double factor = 1;
  for (const Kind& kind : kinds) {
    if (kind.count == kEndlessKind && kind.worth(y) > kind.cost) factor = std::min(factor, kind.cost / kind.worth(y));
  }
  for (double& price : y) price *= factor;
  double value = std::inner_product(gains.begin(), gains.end(), y.begin(), 0.0);
  for (const Kind& kind : kinds) {
    if (kind.count != kEndlessKind) value -= kind.count * std::max(0.0, kind.worth(y) - kind.cost);
  }
  return value;
}

double solved(const std::vector<Kind>& kinds, std::size_t endless, const std::vector<double>& gains) {
  CapacityProgram program(kinds, endless, gains);
  const auto bound = [&](const std::vector<double>& y) { return bound_of_prices(kinds, gains, y); };
  return bound(program.solve(bound));
}

TEST(CapacityProgramTest, TheScarcerDimensionHasThePrice) {
  // Row 2 stands for no row. A node carries one unit of each dimension for one group.
  const std::vector<Kind> kinds = {{1, kEndlessKind, {{{0, 1, 2, 0}}, {{1, 1, 2, 0}}}}};
  EXPECT_NEAR(solved(kinds, 1, {3, 5}), 5, 1e-9);
}

TEST(CapacityProgramTest, GroupsThatShareADimensionAddUp) {
  const std::vector<Kind> kinds = {{1, kEndlessKind, {{{0, 1, 2, 0}, {1, 1, 2, 0}}}}};
  EXPECT_NEAR(solved(kinds, 1, {3, 5}), 8, 1e-9);
}

TEST(CapacityProgramTest, CheapNodesWithACountComeFirst) {
  // Demand for 10 nodes: 4 at a price of one half, 6 at 1.
  const std::vector<Kind> kinds = {{1, kEndlessKind, {{{0, 1, 1, 0}}}}, {0.5, 4, {{{0, 1, 1, 0}}}}};
  EXPECT_NEAR(solved(kinds, 1, {10}), 4 * 0.5 + 6, 1e-9);
}

TEST(CapacityProgramTest, LargeProgramsEndWithTheBestPricesSoFar) {
  // 30 kinds of nodes x 12 dimensions, each for any of 20 groups: most of the program would have to be cut off.
  constexpr std::size_t kGroups = 20;
  constexpr std::size_t kDims = 12;
  Random random(7);
  std::vector<Kind> kinds;
  for (int k = 0; k < 30; ++k) {
    Kind kind{1 + random.share(), k < 2 ? kEndlessKind : 1.0 + random.below(9), {}};
    for (std::size_t h = 0; h < kDims; ++h) {
      kind.dims.emplace_back();
      for (std::size_t g = 0; g < kGroups; ++g) {
        if (random.below(3) != 0) kind.dims.back().push_back({g * kDims + h, 0.2 + random.share(), kGroups * kDims, 0});
      }
    }
    kinds.push_back(std::move(kind));
  }
  std::vector<double> gains(kGroups * kDims);
  for (double& gain : gains) gain = 20 * random.share();
  CapacityProgram program(kinds, 2, gains);
  double most = 0;
  int calls = 0;
  const auto bound = [&](const std::vector<double>& y) {
    const double value = bound_of_prices(kinds, gains, y);
    most = std::max(most, value);
    ++calls;
    return value;
  };
  const std::vector<double> y = program.solve(bound);
  EXPECT_GT(most, 0);
  EXPECT_EQ(bound_of_prices(kinds, gains, y), most);
  EXPECT_LE(calls, 600);
}

}  // namespace
}  // namespace stowage
