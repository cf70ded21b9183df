// --scale: instances derived from the one in a file.
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// Four web of 2 cores and one db.x of 4 GiB on nodes of 8 cores and 16 GiB.
const std::string kScaled = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
  "classes": [{"name": "standard", "capacity": {"cpu": 8, "memory": 16}}],
  "apps": [{"name": "web", "replicas": 4, "demand": {"cpu": 2, "memory": 1}},
           {"name": "db.x=1", "replicas": 1, "demand": {"cpu": 0, "memory": 4}, "limits": {"web": 4}}]})";

class Scale : public ::testing::Test {
 protected:
  std::string file() { return folder_.write("cluster.json", kScaled); }
  int nodes(const std::vector<std::string>& scales) {
    std::vector<std::string> arguments = {"plan", file(), "--planner", "ff", "--summary", "json"};
    for (const std::string& one : scales) arguments.insert(arguments.end(), {"--scale", one});
    const Outcome planned = run(arguments);
    EXPECT_EQ(planned.code, 0) << planned.err;
    return planned.code == 0 ? Json::parse(planned.out)["nodes"].get<int>() : -1;
  }
  std::string refusal(const std::string& scale) {
    const Outcome refused = run({"plan", file(), "--scale", scale});
    EXPECT_EQ(refused.code, 1) << scale;
    EXPECT_EQ(refused.out, "") << scale;
    return refused.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Scale, PlansAsByHand) {
  EXPECT_EQ(nodes({}), 1);                   // 8 of 8 cores
  EXPECT_EQ(nodes({"demand=1.3"}), 2);       // 3 web of 2.6 cores to a node
  EXPECT_EQ(nodes({"demand.cpu=4"}), 4);     // one web to a node
  EXPECT_EQ(nodes({"demand.memory=2"}), 1);  // 16 of 16 GiB
  EXPECT_EQ(nodes({"replicas=2"}), 2);       // 8 web and 2 db
  EXPECT_EQ(nodes({"replicas=1.2"}), 2);     // 5 web and 2 db
  EXPECT_EQ(nodes({"replicas.web=3"}), 3);
  EXPECT_EQ(nodes({"replicas.db.x=1=5"}), 2);  // 5 db of 4 GiB beside 4 web
  EXPECT_EQ(nodes({"capacity=0.5"}), 2);
  EXPECT_EQ(nodes({"demand.cpu=4", "capacity.cpu=4"}), 1);
  EXPECT_EQ(nodes({"demand=2", "demand.cpu=2"}), 4) << "factors multiply";
}

TEST_F(Scale, PlansAreVerifiedExplainedAndBoundedOnTheSameInstance) {
  const std::string plan = folder_.file("plan.stow");
  ASSERT_EQ(run({"plan", file(), "--planner", "ff", "--scale", "demand=1.3", "-o", plan}).code, 0);
  EXPECT_EQ(run({"verify", file(), plan, "--scale", "demand=1.3"}).code, 0);
  EXPECT_EQ(run({"verify", file(), plan}).code, 2) << "another instance";
  const Outcome explained = run({"explain", file(), plan, "--scale", "demand=1.3", "--summary", "json"});
  ASSERT_EQ(explained.code, 0) << explained.err;
  EXPECT_EQ(Json::parse(explained.out)["nodes"], 2);
  EXPECT_NE(run({"bound", file(), "--scale", "replicas=10"}).out, run({"bound", file()}).out);
}

TEST_F(Scale, TheInstanceIsWrittenByConvert) {
  const std::string grown = folder_.file("grown.json");
  const Outcome converted = run({"convert", file(), grown, "--scale", "demand.cpu=1.5", "--scale", "replicas=3"});
  ASSERT_EQ(converted.code, 0) << converted.err;
  const Json written = Json::parse(content(grown));
  EXPECT_EQ(written["apps"][0]["replicas"], 12);
  EXPECT_EQ(written["apps"][0]["demand"]["cpu"], 3);
  EXPECT_EQ(written["apps"][1]["replicas"], 3);
  const std::string plan = folder_.file("plan.stow");
  ASSERT_EQ(run({"plan", file(), "--planner", "ff", "--scale", "demand.cpu=1.5", "--scale", "replicas=3", "-o", plan}).code, 0);
  EXPECT_EQ(run({"verify", grown, plan}).code, 0) << "the instance that was written has the fingerprint of the plan";
}

TEST_F(Scale, WhatIsNoFactorIsRefusedByName) {
  EXPECT_TRUE(has(refusal("demand"), "--scale: \"demand\" is not WHAT=FACTOR"));
  EXPECT_TRUE(has(refusal("demand=much"), "is not WHAT=FACTOR"));
  EXPECT_TRUE(has(refusal("demand=nan"), "is not WHAT=FACTOR"));
  EXPECT_TRUE(has(refusal("demand=-1"), "below 0"));
  EXPECT_TRUE(has(refusal("demands=2"), "scales none of demand, replicas"));
  EXPECT_TRUE(has(refusal("demand.=2"), "names nothing after the dot"));
  EXPECT_TRUE(has(refusal("price.cpu=2"), "scales as a whole"));
  EXPECT_TRUE(has(refusal("demand.gpu=2"), "there is no resource \"gpu\""));
  EXPECT_TRUE(has(refusal("replicas.wed=2"), "no app \"wed\""));
  EXPECT_TRUE(has(refusal("price=2"), "the instance has no prices"));
  EXPECT_TRUE(has(refusal("replicas=1e9"), "app web"));
  EXPECT_TRUE(has(refusal("limits=2"), "not above 1"));
  const Outcome twice = run({"plan", file(), "--scale", "demand=1", "--scale", "demand=2"});
  EXPECT_EQ(twice.code, 1);
  EXPECT_TRUE(has(twice.err, "gives demand twice")) << twice.err;
}

}  // namespace
}  // namespace stowage::cli::testing
