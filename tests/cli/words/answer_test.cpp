// What `stowage plan` says of a plan: what to buy, keep and free, how sure that is, what decides, and the tables.
#include <string>
#include <vector>

#include "capi/text/words/judged.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

class Answer : public ::testing::Test {
 protected:
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  /// What the command says of a cluster whose nodes and apps are given.
  std::string told(const std::string& content, const std::vector<std::string>& more = {}) {
    const std::string file = folder_.write("cluster.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, )" + content + "}");
    std::vector<std::string> arguments = {"plan", file, "--work", "20000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.code, 1) << outcome.err;
    return outcome.out;
  }

  TemporaryFolder folder_;
};

constexpr const char* kTwoSizes = R"("classes": [{"name": "small", "capacity": {"cpu": 4}, "price": 1},
                                                 {"name": "large", "capacity": {"cpu": 8}, "price": 1.5}], )";

TEST_F(Answer, SaysWhatToBuy) {
  const std::string text = told(std::string(kTwoSizes) + R"("apps": [{"name": "a", "replicas": 5, "demand": {"cpu": 4}}])");
  EXPECT_TRUE(has(text, "\nBuy 1 small and 2 large: 3 nodes, cost 4.\n  Proven: no plan costs less.\n")) << text;
  EXPECT_TRUE(has(text, "Decided by cpu: 20 cores is 4 cores more than 2 of the largest nodes hold.")) << text;
  EXPECT_TRUE(has(text,
                  "\n  class  nodes  cost    cpu\n  small      1     1  100 %\n  large      2     3  100 %\n"
                  "  all        3     4  100 %\n"))
      << text;
  EXPECT_TRUE(has(text, "  2 x large  100 %  2 a\n")) << text;
}

TEST_F(Answer, SaysNothingTwice) {
  const std::string one = R"("classes": [{"capacity": {"cpu": 8}}], "apps": [{"replicas": 4, "demand": {"cpu": 4}}])";
  EXPECT_TRUE(has(told(one), "\nUse 2 nodes.\n  Proven: no plan needs fewer nodes.\n")) << told(one);
  const std::string none = R"("classes": [{"capacity": {"cpu": 8}}], "apps": [{"replicas": 0, "demand": {"cpu": 4}}])";
  EXPECT_TRUE(has(told(none), "\nNo node is needed.\n")) << told(none);
}

TEST_F(Answer, SaysWhatToKeepAndWhatToFree) {
  const std::string running = R"("classes": [{"name": "host", "capacity": {"cpu": 8}, "count": 3}],
    "apps": [{"name": "a", "replicas": 3, "demand": {"cpu": 2}}],
    "nodes": [{"name": "n1", "class": "host", "running": {"a": 2}}, {"name": "n2", "class": "host", "running": {"a": 1}}])";
  EXPECT_TRUE(has(told(running, {"--moves", "2"}), "\nKeep n1 and free n2, by 1 move.\n")) << told(running, {"--moves", "2"});
  EXPECT_TRUE(has(told(running), "\nKeep n1 and n2: 2 nodes.\n")) << told(running);
}

// The cost of a plan is that of all of its nodes: where some are owned, what is bought has a price of its own.
TEST_F(Answer, SaysWhatNewNodesCostBesideTheOnesThatOneHas) {
  const std::string nodes = R"("nodes": [{"name": "n1", "class": "small", "running": {"a": 1}},
                                         {"name": "n2", "class": "small"}], )";
  const std::string apps = R"("apps": [{"name": "a", "replicas": 6, "demand": {"cpu": 4}}])";
  const std::string text = told(R"("classes": [{"name": "small", "capacity": {"cpu": 4}, "price": 1, "count": 2},
                                               {"name": "large", "capacity": {"cpu": 8}, "price": 1.5}], )" +
                                nodes + apps);
  EXPECT_TRUE(has(text, "\nBuy 2 large for 3, use n2 and keep n1: 4 nodes, cost 5.\n")) << text;
  const std::string unpriced = told(R"("classes": [{"name": "small", "capacity": {"cpu": 4}}], )" + nodes + apps);
  EXPECT_TRUE(has(unpriced, "\nUse 4 nodes, use n2 and keep n1: 6 nodes.\n")) << unpriced;
}

// Two replicas need two nodes, with memory or without it. What memory decides is how dear they are.
TEST_F(Answer, ExplainSpeaksOfCostWhereNodesHavePrices) {
  const auto explained = [&](const std::string& price) {
    const std::string file = folder_.write("dear.json", R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
      "classes": [{"name": "lean", "capacity": {"cpu": 4, "memory": 4})" +
                                                            price + R"(1},
                  {"name": "rich", "capacity": {"cpu": 4, "memory": 8})" +
                                                            price + R"(3}],
      "apps": [{"name": "a", "replicas": 2, "demand": {"cpu": 4, "memory": 8}}]})");
    const Outcome outcome = run({"explain", file, "--work", "20000"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string dear = explained(R"(, "price": )");
  EXPECT_TRUE(has(dear, "2 nodes in use, cost 6; no complete plan costs less than 6\n\nWhat drives the cost\n")) << dear;
  EXPECT_TRUE(has(dear, "  without memory the same planner needs 2 nodes, cost 2\n")) << dear;
  const std::string plain = explained(R"(, "count": )");
  EXPECT_TRUE(has(plain, "2 nodes in use; no complete plan needs fewer than 2 nodes\n\nWhat drives the number of nodes\n"))
      << plain;
  EXPECT_TRUE(has(plain, " decides: without each of them a plan needs as many nodes\n")) << plain;
}

TEST_F(Answer, WhatIsNotZeroDoesNotReadAsZero) {
  EXPECT_EQ(above_text(0.00001), "this one is at most 0.001 % above the best");
  EXPECT_EQ(above_text(0.2), "this one is at most 20 % above the best");
}

TEST_F(Answer, NothingDecidesWhereANodeExceedsItsCapacity) {
  const std::string text = told(R"("classes": [{"name": "host", "capacity": {"cpu": 8}}],
    "apps": [{"name": "a", "replicas": 4, "demand": {"cpu": 4}}],
    "nodes": [{"name": "n1", "class": "host", "running": {"a": 3}}, {"name": "n2", "class": "host", "running": {"a": 1}}])");
  EXPECT_TRUE(has(text, "\nKeep n1 and n2: 2 nodes.\n")) << text;
  EXPECT_FALSE(has(text, "Decided by")) << text;
}

TEST_F(Answer, SaysWhatHasNoPlaceAndWhy) {
  const std::string text = told(R"("classes": [{"name": "host", "capacity": {"cpu": 8}, "count": 1}],
                                   "apps": [{"name": "a", "replicas": 3, "demand": {"cpu": 4}}])");
  EXPECT_TRUE(has(text, "\nUse 1 node.\n  1 replica of 1 app has no place; proven: no plan leaves less over.\n")) << text;
  EXPECT_TRUE(has(text, "\nWhat has no place\n  a: 1 of 3 replicas unplaced; ")) << text;
  EXPECT_FALSE(has(text, "Decided by")) << text;
}

TEST_F(Answer, OfManyNodesTheFullestAndTheEmptiestAreShown) {
  // No two share a node: each allows none of any other one.
  std::string apps = R"("classes": [{"capacity": {"cpu": 20}}], "apps": [)";
  std::string before;
  for (int k = 1; k <= 9; ++k) {
    const std::string name = "a" + std::to_string(k);
    apps += std::string(k > 1 ? ", " : "") + R"({"name": ")" + name + R"(", "demand": {"cpu": )" + std::to_string(k) +
            R"(}, "limits": {)" + before + "}}";
    before += (before.empty() ? "\"" : ", \"") + name + "\": 0";
  }
  apps += "]";
  const std::string text = told(apps, {"--show", "3"});
  EXPECT_TRUE(has(text, "  fullest nodes   cpu  apps\n")) << text;
  EXPECT_TRUE(has(text, "  45 %  a9\n")) << text;
  EXPECT_TRUE(has(text, "  40 %  a8\n")) << text;
  EXPECT_TRUE(has(text, "  ...             ...  6 more nodes\n")) << text;
  EXPECT_TRUE(has(text, "   5 %  a1\n")) << text;
  EXPECT_TRUE(has(text, "No resource is scarce: sizes of replicas, limits or rules decide.")) << text;
  EXPECT_TRUE(has(told(apps, {"--show", "all"}), "  25 %  a5\n"));
  EXPECT_FALSE(has(told(apps, {"--show", "0"}), "  apps\n"));
}

TEST_F(Answer, EachColumnIsAboutOnePeriod) {
  const std::string text = told(std::string(kTwoSizes) + R"("periods": 2, "apps": [
    {"name": "day", "replicas": 2, "demand": {"cpu": [8, 1]}}, {"name": "night", "demand": {"cpu": [1, 4]}}])");
  EXPECT_TRUE(has(text, "cpu, period 1")) << text;
  EXPECT_TRUE(has(text,
                  "  small      1     1           25 %\n  large      2     3          100 %\n"
                  "  all        3     4           85 %\n"))
      << text;
}

TEST_F(Answer, NotesOfTheSearchAreForWhoAsks) {
  const std::string quiet = told(std::string(kTwoSizes) + R"("apps": [{"name": "a", "replicas": 5, "demand": {"cpu": 3}}])");
  for (const char* part : {"bound", "seed", "work", "How it was found"}) EXPECT_FALSE(has(quiet, part)) << quiet;
  const std::string verbose =
      told(std::string(kTwoSizes) + R"("apps": [{"name": "a", "replicas": 5, "demand": {"cpu": 3}}])", {"--verbose"});
  EXPECT_TRUE(has(verbose, "\nHow it was found\n  by auto, seed 0, ")) << verbose;
  EXPECT_TRUE(has(verbose, "\n  cost: at least ")) << verbose;
}

TEST_F(Answer, SaysWhatMayComeNext) {
  const std::string cluster =
      folder_.write("cluster.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, )" + std::string(kTwoSizes) +
                                        R"("apps": [{"demand": {"cpu": 3}}]})");
  const Outcome shown = run({"plan", cluster});
  EXPECT_TRUE(has(shown.out, "\nNext: -o plan.csv ")) << shown.out;
  const Outcome written = run({"plan", cluster, "-o", folder_.file("plan.csv")});
  EXPECT_FALSE(has(written.out, "-o plan.csv ")) << written.out;
  EXPECT_EQ(run({"plan", cluster, "--show", "some"}).code, 1);
}

}  // namespace
}  // namespace stowage::cli::testing
