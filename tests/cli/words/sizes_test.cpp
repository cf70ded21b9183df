// `stowage sizes`: an instance on each node class alone, and on all together.

#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

class SizesTest : public ::testing::Test {
 protected:
  /// Six replicas of 3 cores and one of `large`, on classes of 4, 8 and 16 cores with prices in proportion.
  [[nodiscard]] std::string instance(const std::string& large, const std::string& more = "") const {
    return folder_.write("sizes.json",
                         R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [
    {"name": "small", "capacity": {"cpu": 4}, "price": 1},
    {"name": "medium", "capacity": {"cpu": 8}, "price": 2},
    {"name": "big", "capacity": {"cpu": 16}, "price": 4}],
  "apps": [{"name": "web", "replicas": 6, "demand": {"cpu": 3}},
           {"name": "db", "replicas": 1, "demand": {"cpu": )" +
                             large + "}}]" + more + "}");
  }

  TemporaryFolder folder_;
};

// Small: seven nodes. Medium: two web each, and one for db. Big: five web on the first, one web and db on the second.
TEST_F(SizesTest, ClassesAreComparedByCost) {
  const Outcome outcome = run({"sizes", instance("4"), "--work", "200000", "--summary", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto sizes = nlohmann::json::parse(outcome.out)["sizes"];
  ASSERT_EQ(sizes.size(), 4u);
  std::map<std::string, std::pair<int, double>> of;
  for (const auto& one : sizes) {
    EXPECT_EQ(one["unplaced"], 0);
    EXPECT_TRUE(one["proven"]) << one;
    of[one["class"].is_null() ? "all" : one["class"].get<std::string>()] = {one["nodes"], one["cost"]};
  }
  EXPECT_EQ(of["small"], std::make_pair(7, 7.0));
  EXPECT_EQ(of["medium"], std::make_pair(4, 8.0));
  EXPECT_EQ(of["big"], std::make_pair(2, 8.0));
  // Five web on a big node and db with the sixth on a medium one: 6.
  EXPECT_EQ(of["all"].second, 6.0);
  EXPECT_TRUE(sizes[0]["class"].is_null());
}

TEST_F(SizesTest, ClassesThatDoNotHoldEverythingComeLast) {
  const std::string csv = folder_.file("sizes.csv");
  const Outcome outcome = run({"sizes", instance("5"), "--work", "200000", "-o", csv});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Best alone: ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\nsmall")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\nNext: stowage plan ")) << outcome.out;
  const std::string rows = content(csv);
  EXPECT_EQ(rows.substr(0, rows.find('\n')), "class,nodes,cost,bound,proven,unplaced,fullest,share");
  EXPECT_GT(rows.find("\nsmall,"), rows.find("\nbig,"));
  EXPECT_GT(rows.find("\nsmall,"), rows.find("\nmedium,"));
  const Outcome none = run({"sizes", instance("17"), "--work", "200000"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.out, "No class holds everything alone.")) << none.out;
}

TEST_F(SizesTest, NodesOfItsOwnAreRefused) {
  const Outcome outcome = run({"sizes", instance("4", R"(, "nodes": [{"name": "n1", "class": "big"}])")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "this instance has nodes of its own")) << outcome.err;
  EXPECT_EQ(run({"sizes", instance("4"), "-o", folder_.file("sizes.svg")}).code, 1);
}

}  // namespace
}  // namespace stowage::cli::testing
