// P0, table 3, computed by hand.

#include "core/measures/score.h"

#include <gtest/gtest.h>

#include "core/measures/size.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

// A node has 10 cpu and 20 memory. Shares: a = (0.5, 0.2), two replicas; b = (0.2, 0.4), one. W = (1.2, 0.8).
class ScoreTest : public testing::Test {
 protected:
  ScoreTest() : instance_(make()), residuals_(instance_) {
    residuals_.track_totals();
    residuals_.add_node(0, {});  // holds one replica of a: (0.5, 0.8) left
    residuals_.add_node(0, {});  // empty
    residuals_.take(0, 0, 1);
  }

  static Instance make() {
    test::InstanceBuilder builder({"cpu", "memory"});
    builder.add_app("a", 2, {5, 4});
    builder.add_app("b", 1, {2, 8});
    builder.add_class({10, 20});
    return builder.must_build();
  }

  double score_of(Score kind, AppId app, NodeId node) {
    ScoreMeasure score(instance_, kind);
    score.look_at(residuals_, node);
    double row[2];
    score.app_row(app, row);
    return score(row);
  }

  Instance instance_;
  Residuals<std::int16_t> residuals_;
};

TEST_F(ScoreTest, DotProduct) {
  EXPECT_DOUBLE_EQ(score_of(Score::kDotProduct, 0, 1), 0.5 + 0.2);
  EXPECT_DOUBLE_EQ(score_of(Score::kDotProduct, 1, 0), 0.2 * 0.5 + 0.4 * 0.8);
}

TEST_F(ScoreTest, L2NormIsTheNegatedSquaredDistance) {
  EXPECT_DOUBLE_EQ(score_of(Score::kL2Norm, 1, 0), -(0.3 * 0.3 + 0.4 * 0.4));
}

TEST_F(ScoreTest, FitnessNormalizesByAllDemandAndAllResiduals) {
  // The residuals of both nodes sum up to (1.5, 1.8).
  EXPECT_NEAR(score_of(Score::kFitness, 1, 0), 0.2 / 1.2 * 0.5 / 1.5 + 0.4 / 0.8 * 0.8 / 1.8, 1e-15);
}

TEST_F(ScoreTest, TightFillDividesByWhatIsLeft) { EXPECT_DOUBLE_EQ(score_of(Score::kTightFill, 1, 0), 0.2 / 0.5 + 0.4 / 0.8); }

TEST_F(ScoreTest, TightFillIgnoresAResourceThatIsUsedUp) {
  residuals_.take(0, 0, 1);  // (0, 0.6) left
  EXPECT_DOUBLE_EQ(score_of(Score::kTightFill, 0, 0), 0.2 / 0.6);
}

}  // namespace
}  // namespace stowage
