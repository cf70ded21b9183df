// Coefficients of the side-effects model from simulated observations with known coefficients.
#include "capi/cli/learn/interference/interference_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "capi/cli/simulate/normal.h"

namespace stowage::cli::learn {
namespace {

TEST(StudentQuantile, AsInTables) {
  for (const auto& [freedom, quantile] : std::vector<std::pair<std::size_t, double>>{{1, 12.706},
                                                                                     {2, 4.303},
                                                                                     {3, 3.182},
                                                                                     {4, 2.776},
                                                                                     {5, 2.571},
                                                                                     {10, 2.228},
                                                                                     {30, 2.042},
                                                                                     {100, 1.984},
                                                                                     {1000000, 1.96}}) {
    EXPECT_NEAR(student_quantile(freedom) / quantile, 1, 0.002) << freedom;
  }
}

/// A row of loads and what it costs.
void add_row(KindObservations& to, const std::vector<double>& load, double cost) {
  to.load.insert(to.load.end(), load.begin(), load.end());
  to.cost.push_back(cost);
}

TEST(InterferenceFit, ExactCostsGiveExactCoefficients) {
  // cost = 1 x first + 0.5 x second
  KindObservations seen;
  add_row(seen, {1, 0}, 1);
  add_row(seen, {2, 2}, 3);
  add_row(seen, {1, 4}, 3);
  const KindFit fit = fit_kind(seen, 2, {});
  ASSERT_EQ(fit.coefficient.size(), 2U);
  EXPECT_NEAR(fit.coefficient[0].value, 1, 1e-12);
  EXPECT_NEAR(fit.coefficient[1].value, 0.5, 1e-12);
  EXPECT_NEAR(fit.coefficient[1].high, 0.5, 1e-9);
  EXPECT_NEAR(fit.residual, 0, 1e-12);
}

TEST(InterferenceFit, ConditionOfTwoColumnsByHand) {
  // Costs of 1 and absolute errors leave the columns as they are: (3, 4) / 5 and (1, 0), whose product is 0.6.
  KindObservations seen;
  add_row(seen, {3, 1}, 1);
  add_row(seen, {4, 0}, 1);
  FitOptions options;
  options.model.relative = false;
  const KindFit fit = fit_kind(seen, 2, options);
  EXPECT_NEAR(fit.condition, std::sqrt(1.6 / 0.4), 1e-12);
  EXPECT_EQ(fit.most_alike, (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
}

TEST(InterferenceFit, NoCoefficientIsNegative) {
  // Least squares alone would give (1, -0.5). Without the second kind, the sum over rows of (a l - cost) l is 0 at
  // a = (1 x 1 + 2 x 1 + 1 x 0) / (1 + 4 + 1).
  KindObservations seen;
  add_row(seen, {1, 0}, 1);
  add_row(seen, {2, 2}, 1);
  add_row(seen, {1, 2}, 0);
  FitOptions options;
  options.model.relative = false;
  const KindFit fit = fit_kind(seen, 2, options);
  EXPECT_NEAR(fit.coefficient[0].value, 0.5, 1e-12);
  EXPECT_EQ(fit.coefficient[1].value, 0);
  EXPECT_EQ(fit.coefficient[1].low, 0);
  EXPECT_GT(fit.coefficient[1].high, 0);
}

TEST(InterferenceFit, WeightsCountLikeRepetitions) {
  KindObservations weighted;
  KindObservations repeated;
  Random random(1, 0, 0);
  for (int i = 0; i < 30; ++i) {
    const std::vector<double> load = {random.uniform(), random.uniform()};
    const double cost = 0.5 + random.uniform();
    add_row(weighted, load, cost);
    weighted.weight.push_back(1 + i % 3);
    for (int k = 0; k <= i % 3; ++k) add_row(repeated, load, cost);
  }
  const KindFit one = fit_kind(weighted, 2, {});
  const KindFit other = fit_kind(repeated, 2, {});
  for (std::size_t u = 0; u < 2; ++u) EXPECT_NEAR(one.coefficient[u].value, other.coefficient[u].value, 1e-8);
}

TEST(InterferenceFit, TheBaselineIsWhatNoLoadExplains) {
  KindObservations seen;
  for (int i = 1; i <= 9; ++i) add_row(seen, {double(i), double(i % 3)}, 7 + 2.0 * i + 0.25 * (i % 3));
  FitOptions options;
  options.model.baseline = true;
  const KindFit fit = fit_kind(seen, 2, options);
  EXPECT_NEAR(fit.baseline.value, 7, 1e-9);
  EXPECT_NEAR(fit.coefficient[0].value, 2, 1e-9);
  EXPECT_NEAR(fit.coefficient[1].value, 0.25, 1e-9);
}

TEST(InterferenceFit, WithoutSpareObservationsNothingIsKnownOfErrors) {
  KindObservations seen;
  add_row(seen, {1, 0}, 1);
  add_row(seen, {2, 2}, 3);
  const KindFit fit = fit_kind(seen, 2, {});
  EXPECT_EQ(fit.coefficient[0].low, 0);
  EXPECT_TRUE(std::isinf(fit.coefficient[0].high));
}

constexpr std::size_t kKinds = 4;
constexpr std::uint64_t kPurpose = 4001;

/// How observations are drawn: coefficients of 1 on the own kind and of 0.5 to 2 on others, log-normal loads, normal errors.
struct Design {
  std::size_t observations = 0;
  bool sparse = false;  ///< each other kind is absent from half of the observations
  double noise = 0.1;   ///< relative
};

struct Drawn {
  std::vector<double> coefficient;
  KindObservations seen;
};

Drawn draw(const Design& design, std::uint64_t seed, std::size_t kind) {
  Random random(seed, kPurpose, kind);
  stochastic::Normal normal(random);
  Drawn drawn;
  for (std::size_t u = 0; u < kKinds; ++u) drawn.coefficient.push_back(u == kind ? 1 : 0.5 + 1.5 * random.uniform());
  for (std::size_t i = 0; i < design.observations; ++i) {
    std::vector<double> load;
    double cost = 0;
    for (std::size_t u = 0; u < kKinds; ++u) {
      const bool absent = design.sparse && u != kind && random.uniform() < 0.5;
      load.push_back(absent ? 0 : std::exp(1.6 * normal.draw()));
      cost += drawn.coefficient[u] * load.back();
    }
    add_row(drawn.seen, load, cost * std::max(0.05, 1 + design.noise * normal.draw()));
  }
  return drawn;
}

/// The middle one.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Quality {
  double of_kind = 0;   ///< median over kinds of the largest relative error of what one suffers
  double of_table = 0;  ///< median over tables of all kinds of the largest relative error
  double covered = 0;   ///< share of the intervals that hold the true coefficient
};

Quality quality(const Design& design, std::uint64_t seeds) {
  std::vector<double> kinds;
  std::vector<double> tables;
  double covered = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    double of_table = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const Drawn drawn = draw(design, seed, kind);
      const KindFit fit = fit_kind(drawn.seen, kKinds, {});
      double of_kind = 0;
      for (std::size_t u = 0; u < kKinds; ++u) {
        const Estimate& one = fit.coefficient.at(u);
        of_kind = std::max(of_kind, std::abs(one.value / drawn.coefficient[u] - 1));
        covered += one.low <= drawn.coefficient[u] && drawn.coefficient[u] <= one.high ? 1 : 0;
      }
      kinds.push_back(of_kind);
      of_table = std::max(of_table, of_kind);
    }
    tables.push_back(of_table);
  }
  return {median(std::move(kinds)), median(std::move(tables)), covered / static_cast<double>(seeds * kKinds * kKinds)};
}

TEST(InterferenceFit, FewObservationsSuffice) {
  for (const Design& design : {Design{200, false}, Design{75, true}}) {
    const Quality found = quality(design, 100);
    EXPECT_LE(found.of_kind, 0.05) << design.observations;
    EXPECT_LE(found.of_table, design.sparse ? 0.08 : 0.05) << design.observations;
    EXPECT_GE(found.covered, 0.92) << design.observations;
    EXPECT_LE(found.covered, 0.97) << design.observations;
  }
}

TEST(InterferenceFit, IntervalsHoldWithManyObservationsAndWithLargeErrors) {
  // Weights by observed costs alone would bias the coefficients by twice the square of the error: 18 % at 30 %.
  for (const Design& design : {Design{2000, false, 0.1}, Design{400, true, 0.3}, Design{12, false, 0.1}}) {
    const Quality found = quality(design, design.observations > 1000 ? 30 : 100);
    EXPECT_GE(found.covered, 0.92) << design.observations;
    EXPECT_LE(found.covered, 0.97) << design.observations;
  }
}

TEST(InterferenceFit, ColumnsThatGoTogetherAreNamed) {
  Drawn drawn = draw({200, false}, 5, 0);
  Random random(5, kPurpose, 99);
  KindObservations alike = drawn.seen;
  KindObservations sum = drawn.seen;
  for (std::size_t i = 0; i < alike.size(); ++i) {
    double* row = &alike.load[i * kKinds];
    row[3] = row[1] * 0.2 * (0.99 + 0.02 * random.uniform());
    row = &sum.load[i * kKinds];
    row[3] = row[1] + row[2];
  }
  using Sets = std::vector<std::vector<std::uint32_t>>;
  const KindFit pair = fit_kind(alike, kKinds, {});
  EXPECT_TRUE(pair.coefficient.empty());
  EXPECT_GT(pair.condition, 100);
  EXPECT_EQ(pair.inseparable, (Sets{{1, 3}}));
  EXPECT_EQ(fit_kind(sum, kKinds, {}).inseparable, (Sets{{1, 2, 3}}));
  FitOptions lenient;
  lenient.max_condition = 10'000;
  EXPECT_EQ(fit_kind(alike, kKinds, lenient).coefficient.size(), kKinds);

  KindObservations missing = drawn.seen;
  for (std::size_t i = 0; i < missing.size(); ++i) missing.load[i * kKinds + 2] = 0;
  const KindFit without = fit_kind(missing, kKinds, {});
  EXPECT_EQ(without.absent, (std::vector<std::uint32_t>{2}));
  EXPECT_TRUE(without.coefficient.empty());
}

}  // namespace
}  // namespace stowage::cli::learn
