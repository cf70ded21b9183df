#include "core/measures/residual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

// Two nodes of 10 cores and 40 GiB, with one replica of (4, 10) on the first and one of (1, 30) on the second. Residual shares:
//   node 0   (0.6, 0.75)
//   node 1   (0.9, 0.25)
// W' = (1.5, 1.0); D' = W' / 2 = (0.75, 0.5); lambda' = W' / 2.5 = (0.6, 0.4).
class ResidualMeasureTest : public ::testing::Test {
 protected:
  ResidualMeasureTest() {
    InstanceBuilder builder({"cpu", "memory"});
    builder.add_app("a", 1, {4, 10});
    builder.add_app("b", 1, {1, 30});
    builder.add_class({10, 40});
    instance_ = builder.must_build();
    residuals_.emplace(instance_);
    residuals_->track_totals();
    residuals_->add_node(0, {});
    residuals_->add_node(0, {});
    residuals_->take(0, 0, 1);
    residuals_->take(1, 1, 1);
  }
  void expect_measure(Measure kind, double epsilon, double first, double second) {
    ResidualMeasure measure(instance_, kind, epsilon);
    measure.refresh(residuals_->totals(), residuals_->nodes());
    EXPECT_NEAR(measure(*residuals_, 0), first, 1e-12 * first) << measure_name(kind);
    EXPECT_NEAR(measure(*residuals_, 1), second, 1e-12 * second) << measure_name(kind);
  }

  Instance instance_;
  std::optional<Residuals<std::int16_t>> residuals_;
};

TEST_F(ResidualMeasureTest, TableTwo) {
  ASSERT_TRUE(instance_.narrow());
  expect_measure(Measure::kAverage, 0, (0.6 + 0.75) / 2, (0.9 + 0.25) / 2);
  expect_measure(Measure::kMax, 0, 0.75, 0.9);
  expect_measure(Measure::kAverageExponential, 0.01, std::exp(0.0075) * 0.6 + std::exp(0.005) * 0.75,
                 std::exp(0.0075) * 0.9 + std::exp(0.005) * 0.25);
  expect_measure(Measure::kAverageExponential, 8, std::exp(6.0) * 0.6 + std::exp(4.0) * 0.75,
                 std::exp(6.0) * 0.9 + std::exp(4.0) * 0.25);
  expect_measure(Measure::kSurrogate, 0, 0.6 * 0.6 + 0.4 * 0.75, 0.6 * 0.9 + 0.4 * 0.25);
  expect_measure(Measure::kExtendedSum, 0, 0.6 / 1.5 + 0.75 / 1.0, 0.9 / 1.5 + 0.25 / 1.0);
}

TEST_F(ResidualMeasureTest, OnlyThreeMeasuresDependOnAllNodes) {
  EXPECT_FALSE(ResidualMeasure(instance_, Measure::kAverage, 0).needs_totals());
  EXPECT_FALSE(ResidualMeasure(instance_, Measure::kMax, 0).needs_totals());
  EXPECT_TRUE(ResidualMeasure(instance_, Measure::kAverageExponential, 0).needs_totals());
  EXPECT_TRUE(ResidualMeasure(instance_, Measure::kSurrogate, 0).needs_totals());
  EXPECT_TRUE(ResidualMeasure(instance_, Measure::kExtendedSum, 0).needs_totals());
}

TEST_F(ResidualMeasureTest, FollowsWhatIsTaken) {
  residuals_->give_back(0, 0, 1);
  // Node 0 is empty again: (1, 1). W' = (1.9, 1.25).
  expect_measure(Measure::kAverage, 0, 1, (0.9 + 0.25) / 2);
  expect_measure(Measure::kExtendedSum, 0, 1 / 1.9 + 1 / 1.25, 0.9 / 1.9 + 0.25 / 1.25);
}

TEST_F(ResidualMeasureTest, NothingLeftAnywhereWeighsNothing) {
  const std::vector<std::int64_t> none = {0, -5};
  for (const Measure kind : {Measure::kSurrogate, Measure::kExtendedSum}) {
    ResidualMeasure measure(instance_, kind, 0);
    measure.refresh(none, 2);
    EXPECT_EQ(measure(*residuals_, 0), 0) << measure_name(kind);
  }
  ResidualMeasure exponential(instance_, Measure::kAverageExponential, 64);
  exponential.refresh(none, 0);
  EXPECT_NEAR(exponential(*residuals_, 0), 0.6 + 0.75, 1e-12) << "e^0 = 1";
}

}  // namespace
}  // namespace stowage
