// Plans that keep room and survive losses, from the command line: what is asked, printed, written and read again.
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// Three replicas, of which a node holds one, in two zones.
const std::string kPromiseApart = R"({"stowage": 1, "resources": {"cpu": "cores"},
  "classes": [{"name": "east", "capacity": {"cpu": 10}, "labels": ["zone=e"]},
              {"name": "west", "capacity": {"cpu": 10}, "labels": ["zone=w"]}],
  "apps": [{"name": "web=1", "replicas": 3, "demand": {"cpu": 6}}, {"name": "idle", "replicas": 0, "demand": {"cpu": 1}}]})";

class Promises : public ::testing::Test {
 protected:
  Outcome plan(const std::vector<std::string>& more) {
    return run(joined({"plan", folder_.write("apart.json", kPromiseApart), "--planner", "ff"}, more));
  }
  Json summary(const std::vector<std::string>& more) { return Json::parse(plan(joined(more, {"--summary", "json"})).out); }
  /// The plan as JSON, and the same after it was read and written again, by way of a FlatBuffer.
  Json written(const std::vector<std::string>& more) {
    const std::string path = folder_.file("plan.json");
    plan(joined(more, {"--output", path}));
    const std::string apart = folder_.file("apart.json");
    const Outcome verified = run({"verify", apart, path});
    EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
    const Json once = Json::parse(content(path));
    EXPECT_EQ(run({"convert", path, folder_.file("plan.stow"), "--instance", apart}).code, 0);
    EXPECT_EQ(run({"convert", folder_.file("plan.stow"), folder_.file("again.json"), "--instance", apart}).code, 0);
    EXPECT_EQ(Json::parse(content(folder_.file("again.json"))), once);
    return once;
  }

  TemporaryFolder folder_;
};

TEST_F(Promises, ThePlanSurvivesTheLossOfAnyNode) {
  const Outcome told = plan({"--survive", "node"});
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(has(told.out, "Use 4 east.\n  Proven: no plan needs fewer nodes.")) << told.out;
  EXPECT_TRUE(has(plan({"--survive", "node", "-v"}).out, "nodes: at least 4, by the bound survival")) << told.out;
  EXPECT_TRUE(has(told.out, "The loss of any node is survived")) << told.out;
  EXPECT_TRUE(has(told.out, "1 node of these holds nothing now")) << told.out;
  const Json short_of = summary({"--survive", "node"});
  EXPECT_EQ(short_of["survive"], "*");
  EXPECT_EQ(short_of["not_survived"], 0);
  EXPECT_EQ(short_of["nodes"], 4);
  const Json file = written({"--survive", "node"});
  EXPECT_EQ(file["survive"], "*");
  EXPECT_EQ(file["not_survived"], 0);
  EXPECT_EQ(file["nodes"].size(), 4U);
  EXPECT_EQ(std::count_if(file["nodes"].begin(), file["nodes"].end(), [](const Json& one) { return one["replicas"].empty(); }),
            1);
  const Outcome losses = run({"losses", folder_.file("apart.json"), folder_.file("plan.json")});
  EXPECT_EQ(losses.code, 0) << losses.out;
}

TEST_F(Promises, ThePlanSurvivesTheLossOfAZone) {
  const Outcome told = plan({"--survive", "zone"});
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(has(told.out, "6 nodes.\n  Proven: no plan needs fewer nodes.")) << told.out;
  EXPECT_TRUE(has(told.out, "The loss of any zone is survived")) << told.out;
  EXPECT_EQ(written({"--survive", "zone"})["survive"], "zone");
  EXPECT_EQ(run({"losses", folder_.file("apart.json"), folder_.file("plan.json"), "--label", "zone"}).code, 0);
}

TEST_F(Promises, APromiseThatNoPlanKeepsCostsNoMore) {
  const std::string shop = folder_.file("shop.json");
  run({"example", "-o", shop});
  const auto planned = [&](const std::vector<std::string>& more) {
    return run(joined({"plan", shop, "--work", "20000", "--summary", "json"}, more));
  };
  const Json without = Json::parse(planned({}).out);
  const Outcome asked = planned({"--survive", "zone"});
  // Zone a has two nodes, which cannot hold what zone b does; a node more holds what zone a does.
  EXPECT_TRUE(has(asked.out, "No plan survives every such loss")) << asked.out;
  EXPECT_LE(Json::parse(asked.out)["cost"].get<double>(), without["cost"].get<double>() + 1.5 + 1e-9);
}

TEST_F(Promises, WhatIsNotSurvivedIsExitCodeTwo) {
  const Outcome told = plan({"--survive", "node", "--nodes", "3"});
  EXPECT_EQ(told.code, 2);
  EXPECT_TRUE(has(told.out, "Use 3 east.\n  Not every loss is survived.")) << told.out;
  EXPECT_TRUE(has(told.out, "  The loss of a new node of class east leaves 1 replica without a place.")) << told.out;
  EXPECT_FALSE(has(told.out, "is survived: ")) << told.out;
  EXPECT_EQ(summary({"--survive", "node", "--nodes", "3"})["not_survived"], 1);
  EXPECT_EQ(written({"--survive", "node", "--nodes", "3"})["notes"][0]["code"], "promise");
}

TEST_F(Promises, ZonesAreLeftFree) {
  const Outcome told = plan({"--leave-free", "zone"});
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(has(told.out, "1 value of the label zone is in use, the fewest possible.")) << told.out;
  const Json short_of = summary({"--leave-free", "zone"});
  EXPECT_EQ(short_of["leave_free"], "zone");
  EXPECT_EQ(short_of["domains_in_use"], 1);
  EXPECT_EQ(short_of["domain_bound"], 1);
  const Json file = written({"--leave-free", "zone"});
  EXPECT_EQ(file["leave_free"], "zone");
  EXPECT_EQ(file["domains_in_use"], 1);
  EXPECT_FALSE(summary(std::vector<std::string>{}).contains("domains_in_use"));
}

TEST_F(Promises, RoomIsKept) {
  const Outcome told = plan({"--keep", "web=1=2"});
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(has(told.out, "Use 5 east.\n")) << told.out;
  EXPECT_TRUE(has(told.out, "Room is kept for 2 more replicas.")) << told.out;
  EXPECT_TRUE(has(told.out, "2 nodes of these hold nothing now")) << told.out;
  const Json short_of = summary({"--keep", "web=1=2"});
  EXPECT_EQ(short_of["reserved"], 2);
  EXPECT_EQ(short_of["unreserved"], 0);
  EXPECT_FALSE(short_of.contains("survive"));
  const Json file = written({"--keep", "web=1=2"});
  ASSERT_EQ(file["nodes"].size(), 5U);
  EXPECT_EQ(file["nodes"][4]["reserved"], Json::parse(R"({"web=1": 1})"));
  EXPECT_TRUE(file["nodes"][4]["replicas"].empty());
  EXPECT_FALSE(file["nodes"][0].contains("reserved"));
  EXPECT_FALSE(file.contains("unreserved"));
}

TEST_F(Promises, RoomThatThereIsNotIsExitCodeTwo) {
  const Outcome told = plan({"--keep", "web=1=2", "--nodes", "4"});
  EXPECT_EQ(told.code, 2);
  EXPECT_TRUE(has(told.out, "Use 4 east.\n  There is not all the room that is to be kept.")) << told.out;
  EXPECT_EQ(written({"--keep", "web=1=2", "--nodes", "4"})["unreserved"], Json::parse(R"({"web=1": 1})"));
  EXPECT_EQ(summary({"--keep", "web=1=2", "--nodes", "4"})["unreserved"], 1);
  const Outcome both = plan({"--keep", "web=1=1", "--survive", "node", "--nodes", "3"});
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(has(both.out, "There is not all the room that is to be kept, and not every loss is survived.")) << both.out;
  const Outcome less = plan({"--keep", "web=1=1", "--nodes", "2"});
  EXPECT_TRUE(has(less.out, " no place; ")) << less.out;
}

TEST_F(Promises, CompactPlansKeepRoomOnEachCopy) {
  const std::vector<std::string> compact{"--keep", "web=1=2", "--survive", "node", "--compact"};
  const Outcome told = plan(compact);
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(has(told.out, "is survived")) << told.err;
  EXPECT_EQ(summary(compact)["reserved"], 2);
  const Json file = written(compact);
  EXPECT_LT(file["nodes"].size(), 4U);
}

TEST_F(Promises, RefusalsNameTheOption) {
  const auto refusal = [&](const std::vector<std::string>& more) {
    const Outcome outcome = plan(more);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    return outcome.err;
  };
  EXPECT_TRUE(has(refusal({"--survive", "rack"}), "--survive: no node has a label with the key rack"));
  EXPECT_TRUE(has(refusal({"--leave-free", "rack"}), "--leave-free: no node has a label with the key rack"));
  EXPECT_TRUE(has(refusal({"--leave-free", "zone", "--survive", "node"}),
                  "--leave-free: domains are not left free by plans that keep room or survive losses"));
  EXPECT_TRUE(has(refusal({"--keep", "web=1"}), "--keep: the instance has no app \"web\""));
  EXPECT_TRUE(has(refusal({"--keep", "web"}), "--keep: \"web\" is not APP=REPLICAS"));
  for (const char* wrong : {"web=1=0", "web=1=-1", "web=1=x", "web=1=", "web=1=4294967296", "web=1=99999999999999999999"}) {
    EXPECT_TRUE(has(refusal({"--keep", wrong}), "is not APP=REPLICAS")) << wrong;
  }
  EXPECT_TRUE(has(refusal({"--keep", "web=1=1", "--keep", "web=1=2"}), "--keep: the app stands twice"));
  EXPECT_TRUE(has(refusal({"--keep", "idle=4294967295"}), "--keep: "));
  const Outcome other = run({"plan", folder_.file("apart.json"), "--keep", "web=1=1", "--objective", "traffic"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(has(other.err, "--keep: plans keep room and survive losses only where nodes or their cost count")) << other.err;
}

TEST_F(Promises, WhatAPlanFileSaysOfThemIsChecked) {
  Json file = written({"--keep", "web=1=2", "--survive", "node"});
  const auto refused = [&](const Json& changed) {
    const Outcome outcome = run({"verify", folder_.file("apart.json"), folder_.write("changed.json", changed.dump())});
    EXPECT_NE(outcome.code, 0) << outcome.out;
    return outcome.out + outcome.err;
  };
  Json changed = file;
  changed["nodes"][0]["reserved"]["web=1"] = 1;
  EXPECT_TRUE(has(refused(changed), "with the replicas that room is kept for")) << refused(changed);
  changed = file;
  for (Json& node : changed["nodes"]) node.erase("reserved");
  changed["nodes"] = Json::array({file["nodes"][0], file["nodes"][1], file["nodes"][2]});
  changed.erase("node_bound");
  changed.erase("gap");
  changed["status"] = "complete";
  EXPECT_TRUE(has(refused(changed), "some loss leaves 1 replica without a place; the plan says 0")) << refused(changed);
  changed = file;
  changed["not_survived"] = "none";
  EXPECT_TRUE(has(refused(changed), "not_survived")) << refused(changed);
  changed["not_survived"] = -1;
  EXPECT_TRUE(has(refused(changed), "not_survived")) << refused(changed);
  changed = file;
  changed["unreserved"] = {{"web", 1}};
  EXPECT_TRUE(has(refused(changed), "unreserved.web")) << refused(changed);
}

}  // namespace
}  // namespace stowage::cli::testing
