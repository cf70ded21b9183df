// In which order nodes are emptied, what the scheduler makes of it, and types of nodes that are not there yet.
#include "capi/text/base/failure.h"
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

/// Three nodes of which two can be emptied: n2 by one eviction, n3 by two, n1 by four.
Items half_empty() {
  Items items{node("n1", "8", "a", "m"), node("n2", "8", "a", "m"), node("n3", "8", "a", "m")};
  items.add(deployed("large", {"n1", "n1", "n1", "n1"}, spec("1"))).add(deployed("one", {"n2"}, spec("1")));
  return items.add(deployed("two", {"n3", "n3"}, spec("1")));
}

Names order_of(const Json& answer) {
  Names all;
  for (const Json& one : answer.at("order")) all.push_back(one.at("node"));
  return all;
}

TEST(K8sDrains, ThoseThatSaveMostForEachEvictionComeFirst) {
  const Found found = ask(half_empty(), {"consolidate"});
  EXPECT_EQ(order_of(found.json), (Names{"n2", "n3"}));
  EXPECT_EQ(found.json["order"][0]["evictions"], 1);
  EXPECT_EQ(found.json["order"][1]["evictions"], 2);
  EXPECT_EQ(found.json["order"][0]["saves"], 1);
  EXPECT_EQ(found.json["order"][0]["rounds"], 0);
  EXPECT_EQ(found.json["waiting"], (Json{{"leastAllocated", 0}, {"mostAllocated", 0}, {"safe", 2}}));
  EXPECT_TRUE(found.says("no pod waits"));
  // With prices, what a node costs counts.
  const Found priced = ask(half_empty(), {"consolidate", "-price", "m=.5"});
  EXPECT_EQ(priced.json["order"][1]["saves"], .5);
}

TEST(K8sDrains, BudgetsMakeRounds) {
  Json budget = object("PodDisruptionBudget", "two");
  budget["spec"] = {{"maxUnavailable", 1}, {"selector", {{"matchLabels", {{"app", "two"}}}}}};
  const Found found = ask(half_empty().add(budget), {"consolidate"});
  ASSERT_EQ(order_of(found.json), (Names{"n2", "n3"}));
  EXPECT_EQ(found.json["order"][1]["rounds"], 2);
}

/// Twelve nodes with two pods each, all of which fit on three.
Items hardly_used() {
  Items items{node("n10", "8")};
  for (int n = 10; n < 22; ++n) {
    const std::string name = "n" + std::to_string(n);
    if (n > 10) items.add(node(name, "8"));
    items.add(deployed("app" + name, {name, name}, spec("1")));
  }
  return items;
}

TEST(K8sDrains, ACurveTellsWhatMoreMovesEmpty) {
  const Found found = ask(hardly_used(), {"consolidate", "-moves", "2"});
  EXPECT_EQ(found.names("emptied").size(), 1U);
  const Json& curve = found.json["curve"];
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[0], (Json{{"limit", 2}, {"moves", 2}, {"emptied", 1}, {"saves", 1}}));
  EXPECT_EQ(curve[1]["limit"], 20);
  EXPECT_EQ(curve[1]["emptied"], 9);
  EXPECT_TRUE(found.says("What more moves empty"));
  EXPECT_FALSE(ask(hardly_used(), {"consolidate", "-moves", "100"}).json.contains("curve"));
  EXPECT_TRUE(ask(hardly_used(), {"-moves", "2"}).says("`consolidate` tells how many nodes more moves empty"));
}

TEST(K8sDrains, AKneeIsWhereMostOfTheSavingIsThereByFewEvictions) {
  Items items{node("big", "64"), node("n1", "8"), node("n2", "8"), node("n3", "8")};
  items.add(deployed("base", {"big"}, spec("20")))
      .add(deployed("one", {"n1"}, spec("1")))
      .add(deployed("two", {"n2"}, spec("1")));
  items.add(deployed("many", {"n3", "n3", "n3", "n3", "n3", "n3"}, spec("1")));
  const Found found = ask(items, {"consolidate"});
  ASSERT_EQ(order_of(found.json), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(found.json["knee"]["nodes"], 2);
  EXPECT_DOUBLE_EQ(found.json["knee"]["evictions"].get<double>(), .25);
  EXPECT_TRUE(found.says("the first 2 nodes bring 67 % of the saving by 25 % of the evictions"));
}

TEST(K8sDrains, AScriptEmptiesThemInThisOrder) {
  const std::string script = ask_text(half_empty().text(), {"consolidate", "-script"}).text;
  const std::size_t cordon = script.find("kubectl cordon n2 n3\nempty n2\nempty n3\n");
  EXPECT_NE(cordon, std::string::npos) << script;
  EXPECT_NE(script.find("# To go back: kubectl uncordon n2 n3\n"), std::string::npos);
  EXPECT_EQ(script.find("emptydir"), std::string::npos);
  EXPECT_THROW(ask_text(half_empty().text(), {"fit", "-script"}), cli::Failure);
}

TEST(K8sDrains, AScriptHasNoNamesThatAreNone) {
  Items items{node("n1", "8"), node("n2\nrm -rf x", "8")};
  items.add(deployed("large", {"n1"}, spec("4"))).add(deployed("one", {"n2\nrm -rf x"}, spec("1")));
  EXPECT_THROW(ask_text(items.text(), {"consolidate", "-script"}), cli::Failure);
}

/// The scheduler, which prefers free nodes, puts the small pod of n3 on n2, so that the large one of n4 fits nowhere.
TEST(K8sDrains, WhatTheSchedulerWouldLeaveWaitingIsCounted) {
  Items items{node("n1", "8"), node("n2", "8"), node("n3", "8"), node("n4", "8")};
  items.add(deployed("base", {"n1"}, spec("6")))
      .add(deployed("small", {"n3"}, spec("2")))
      .add(deployed("big", {"n4"}, spec("7")));
  items.add(deployed("tiny", {"n2"}, spec("500m")));
  const Found found = ask(items, {"consolidate"});
  ASSERT_TRUE(found.json.contains("waiting")) << found.text;
  const auto emptied = found.names("emptied").size();
  const Json& waiting = found.json["waiting"];
  EXPECT_LE(waiting["safe"].get<std::size_t>(), emptied);
  if (waiting["leastAllocated"].get<int>() + waiting["mostAllocated"].get<int>() > 0) {
    EXPECT_LT(waiting["safe"].get<std::size_t>(), emptied);
    EXPECT_TRUE(found.says("would wait"));
  }
}

Outcome ask_types(const Items& items, const std::string& table, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-types", "types.csv", "-work", "100000"});
  const Call call = read_call(arguments, [](const std::string&) { return false; });
  EXPECT_EQ(call.price_files, Names{"types.csv"});
  return answer(call, {{"the input", items.text()}}, {{"types.csv", table}});
}

Items needs_sixteen() {
  Items items{node("n1", "4", "a", "m"), node("n2", "4", "b", "m")};
  return items.add(deployed("large", {""}, spec("16"))).add(deployed("small", {"n1"}, spec("1")));
}

constexpr const char* kTypes =
    "# What may be bought\n"
    "type,cpu,memory,price,nvidia.com/gpu\n"
    "x.large,32,128Gi,1.5,\n"
    "g.large,32,128Gi,4,1\n";

TEST(K8sTypes, ThatAreNotThereYetAreAdded) {
  const Items items = needs_sixteen();
  EXPECT_EQ(ask(items, {"fit"}).nodes("add"), 0);
  const Json found = Json::parse(ask_types(items, kTypes, {"fit", "-json", "-price", "m=.2"}).text);
  ASSERT_EQ(found["add"].size(), 1U) << found.dump(1);
  EXPECT_TRUE(found["add"][0]["class"].get<std::string>().starts_with("x.large in "));
  EXPECT_TRUE(found["stillUnplaced"].empty());
  // What runs is not put on nodes that are not there.
  EXPECT_EQ(found["unplaced"].size(), 1U);
}

TEST(K8sTypes, ReplaceDearNodes) {
  Items items{node("n1", "4", "a", "m"), node("n2", "4", "a", "m"), node("n3", "4", "a", "m"), node("n4", "4", "a", "m")};
  items.add(deployed("web", {"n1", "n2", "n3", "n4"}, spec("3500m")));
  const Json found = Json::parse(ask_types(items, kTypes, {"consolidate", "-json", "-price", "m=1"}).text);
  EXPECT_EQ(found["emptied"].size(), 4U) << found.dump(1);
  ASSERT_EQ(found["replace"].size(), 1U);
  EXPECT_EQ(found["replace"][0]["class"], "x.large in a");
  EXPECT_DOUBLE_EQ(found["saved"].get<double>(), 2.5);
}

TEST(K8sTypes, HaveZonesAndAMost) {
  const std::string table = "type,cpu,memory,zones,most\nx.large,32,128Gi,b c,1\n";
  Items items = needs_sixteen();
  items.add(deployed("huge", {"", "", ""}, spec("30")));
  const Json found = Json::parse(ask_types(items, table, {"fit", "-json"}).text);
  int nodes = 0;
  for (const Json& one : found["add"]) {
    EXPECT_EQ(one["nodes"], 1);
    nodes += one["nodes"].get<int>();
  }
  EXPECT_EQ(nodes, 2);
}

TEST(K8sTypes, AreRefusedByLine) {
  const auto refusal = [](const std::string& table) -> std::string {
    try {
      ask_types(needs_sixteen(), table, {"fit"});
    } catch (const cli::Failure& failure) {
      return failure.what();
    }
    return "";
  };
  EXPECT_NE(refusal("type,cpu\nx,4\n").find("line 1: the first line names the columns, of which memory"), std::string::npos);
  EXPECT_NE(refusal("type,cpu,memory\nx,four,1Gi\n").find("line 2: \"four\" is no quantity, as of cpu"), std::string::npos);
  EXPECT_NE(refusal("type,cpu,memory\nx,4,1Gi\nx,4,1Gi\n").find("line 3: x is there twice"), std::string::npos);
  EXPECT_NE(refusal("type,cpu,memory,price\nx,4,1Gi,cheap\n").find("line 2: \"cheap\" is no price"), std::string::npos);
  EXPECT_NE(refusal("type,cpu,memory\nx,4,1Gi,7\n").find("line 2: there are more values"), std::string::npos);
  EXPECT_NE(refusal("type,cpu,memory\n").find("no type in it"), std::string::npos);
}

}  // namespace
}  // namespace stowage::k8s
