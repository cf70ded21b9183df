#include <numeric>

#include "capi/lab/imports/imports.h"
#include "capi/text/base/failure.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

class Gavel : public ::testing::Test {
 protected:
  // b slows a by half, a slows b to a quarter; two of a run at 0.8 each, two of b not at all. c runs nowhere; d needs two GPUs.
  GavelOptions small(std::uint32_t jobs, std::uint32_t gpus) {
    GavelOptions options;
    options.file = folder_.write("throughputs.json", R"json({"k80": {}, "v100": {
      "('a', 1)": {"null": 10, "('a', 1)": [8, 8], "('b', 1)": [5, 1], "('c', 1)": [0, 0]},
      "('b', 1)": {"null": 4, "('a', 1)": [1, 5], "('b', 1)": [0, 0]},
      "('c', 1)": {"null": 0},
      "('d', 2)": {"null": 7}
    }})json");
    options.jobs = jobs;
    options.gpus = gpus;
    return options;
  }
  TemporaryFolder folder_;
};

TEST_F(Gavel, CoefficientsGiveTheMeasuredSlowdowns) {
  const InstanceData data = import_gavel(small(40, 30));
  ASSERT_EQ(data.apps.names, (std::vector<std::string>{"a, first half", "a, second half", "b, first half", "b, second half"}));
  EXPECT_EQ(std::accumulate(data.apps.replicas.begin(), data.apps.replicas.end(), 0U), 40U);
  const std::vector<double> coefficient = {1,    0.25, 1, 1,  //
                                           0.25, 1,    1, 1,  //
                                           3,    3,    1, 0,  //
                                           3,    3,    0, 1};
  ASSERT_EQ(data.interference->coefficient.size(), 16U);
  for (std::size_t k = 0; k < 16; ++k) EXPECT_DOUBLE_EQ(data.interference->coefficient[k], coefficient[k]) << k;
  // Each half has a node for itself; the halves of b do not share one either.
  EXPECT_EQ(data.limits.row_begin, (std::vector<std::uint32_t>{0, 1, 2, 4, 6}));
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{0, 1, 2, 3, 3, 2}));
  EXPECT_EQ(data.limits.at_most, (std::vector<std::uint32_t>{1, 1, 1, 0, 1, 0}));
  EXPECT_EQ(data.classes[0].capacity, std::vector<double>{2});
  EXPECT_EQ(data.classes[0].count, 30U);
}

TEST_F(Gavel, RefusesWhatItCannotRead) {
  EXPECT_THROW(import_gavel(small(61, 30)), Failure);
  GavelOptions options = small(4, 4);
  options.gpu = "t4";
  EXPECT_THROW(import_gavel(options), Failure);
  options.gpu = "k80";
  EXPECT_THROW(import_gavel(options), Failure);
  options.file = folder_.write("list.json", "[1]");
  EXPECT_THROW(import_gavel(options), Failure);
  options.file = folder_.write("broken.json", "{");
  EXPECT_THROW(import_gavel(options), Failure);
}

TEST_F(Gavel, TheCommandWritesAnInstance) {
  const GavelOptions options = small(10, 8);
  const std::string file = folder_.file("jobs.json");
  const Outcome made = run_lab({"import", "gavel", "--throughputs", options.file, "--jobs", "10", "--gpus", "8", "-o", file});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(has(content(file), "first half"));
}

}  // namespace
}  // namespace stowage::cli::testing
