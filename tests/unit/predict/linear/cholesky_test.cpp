#include "core/predict/linear/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/predict/linear/elementary.h"

namespace stowage {
namespace {

TEST(Cholesky, SolvesAndInverts) {
  // A = [[4, 2], [2, 3]] has the determinant 8 and the inverse [[3, -2], [-2, 4]] / 8.
  const Cholesky lower(std::vector<double>{4, 2, 2, 3}, 2);
  std::vector<double> x = {8, 16};
  lower.solve(x);
  EXPECT_NEAR(x[0], -1, 1e-12);
  EXPECT_NEAR(x[1], 6, 1e-12);
  const std::vector<double> inverse = lower.inverse();
  EXPECT_NEAR(inverse[0], 0.375, 1e-12);
  EXPECT_NEAR(inverse[1], -0.25, 1e-12);
  EXPECT_NEAR(inverse[2], -0.25, 1e-12);
  EXPECT_NEAR(lower.inverse_diagonal()[1], 0.5, 1e-12);
}

TEST(Elementary, AgreesWithTheMathematicalLibrary) {
  for (double x = -9; x < 9; x += 0.0137) {
    EXPECT_NEAR(normal_tail()(x), std::erfc(x / std::sqrt(2.0)) / 2, 2e-6);
    EXPECT_NEAR(natural_exp(x) / std::exp(x), 1, 1e-13);
  }
}

}  // namespace
}  // namespace stowage
