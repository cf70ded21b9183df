#include "core/predict/tables/samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stowage {
namespace {

Samples two_rows() {
  Samples samples;
  samples.resources = {"cpu"};
  samples.apps = {"a"};
  samples.row_app = {0, 0};
  samples.row_amounts = {1, 2};
  samples.row_collocation = {1, 1};
  samples.row_value = {0.5, 0.8};
  return samples;
}

TEST(CheckSamples, NamesTheRowThatIsWrong) {
  EXPECT_FALSE(failed(check_samples(two_rows())));
  Samples samples = two_rows();
  samples.row_value[1] = std::nan("");
  EXPECT_EQ(check_samples(samples).path, "rows[1].value");
  samples = two_rows();
  samples.row_amounts[1] = -2;
  EXPECT_EQ(check_samples(samples).path, "rows[1].amounts[0]");
  samples = two_rows();
  samples.row_app[1] = 1;
  EXPECT_EQ(check_samples(samples).path, "rows[1].app");
  samples = two_rows();
  samples.row_collocation[0] = 0;
  EXPECT_EQ(check_samples(samples).path, "rows[0].collocation");
  samples = two_rows();
  samples.apps.emplace_back("a");
  EXPECT_EQ(check_samples(samples).path, "apps[1]");
}

TEST(CheckSamples, RefusesContradictionsAndTakesRepetitions) {
  Samples samples = two_rows();
  samples.row_amounts = {2, 2};
  EXPECT_EQ(check_samples(samples).path, "rows[1].value");
  samples.row_value = {0.5, 0.5};
  EXPECT_FALSE(failed(check_samples(samples)));
}

}  // namespace
}  // namespace stowage
