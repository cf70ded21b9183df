// stowage replay: traces, figures that are computed by hand, and pictures.
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

constexpr const char* kReplayCluster = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "apps": [],
  "classes": [{"name": "n", "capacity": {"cpu": 4, "memory": 8}, "price": 2}]})";

class ReplayTest : public ::testing::Test {
 protected:
  Outcome replay(const std::string& cluster, const std::string& trace, std::vector<std::string> options = {}) {
    folder_.write("c.json", cluster);
    folder_.write("t.csv", trace);
    std::vector<std::string> arguments = {"replay", folder_.file("c.json"), folder_.file("t.csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
  std::string mistake(const std::string& trace) {
    const Outcome outcome = replay(kReplayCluster, trace);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    const std::string text = outcome.err.substr(0, outcome.err.find('\n'));
    return text.substr(std::min(text.size(), text.find("t.csv")));
  }
  TemporaryFolder folder_;
};

TEST_F(ReplayTest, FiguresAreThoseComputedByHand) {
  // Of 3 cores each, a and b take a node each. c comes at 30 and waits until 60; b leaves at 70, which counts from 120 on.
  const Outcome outcome = replay(kReplayCluster,
                                 "app,arrives,departs,replicas,cpu,memory\n"
                                 "a,0,,1,3,2Gi\n"
                                 "b,0,70,1,3,2\n"
                                 "c,30,240,2,500m,1\n",
                                 {"--csv", folder_.file("s.csv"), "--summary", "json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["plans"], 4);
  EXPECT_EQ(json["seconds"], 240);
  // Two nodes for 120 seconds, one for 120: b's node goes, since c and a share the other.
  EXPECT_DOUBLE_EQ(json["nodes"]["mean"], json["nodes"]["hours"].get<double>() * 3600 / 240);
  EXPECT_EQ(json["nodes"]["most"], 2);
  EXPECT_DOUBLE_EQ(json["cost"], json["nodes"]["hours"].get<double>() * 2);
  EXPECT_DOUBLE_EQ(json["wait"]["mean"], 60.0 / 4);
  EXPECT_EQ(json["wait"]["most"], 30);
  EXPECT_EQ(json["ran"], 4);
  EXPECT_EQ(json["never_ran"], 0);
  const std::string series = content(folder_.file("s.csv"));
  EXPECT_TRUE(series.starts_with(
      "time,apps,running,waiting,started,nodes,moves,violations,cost,planning_seconds,use of cpu,use of memory\n"));
  EXPECT_TRUE(has(series, "\n0,2,2,0,2,2,0,0,4,")) << series;
  EXPECT_TRUE(has(series, "\n60,3,4,0,2,2,0,0,4,")) << series;
  EXPECT_TRUE(has(series, "\n240,1,1,0,0,1,0,0,2,")) << series;
}

TEST_F(ReplayTest, NodesOfACountStayAndWhatDoesNotFitWaits) {
  const std::string cluster = R"({"stowage": 1, "resources": {"cpu": "cores"}, "apps": [{"name": "base", "demand": {"cpu": 1}}],
    "classes": [{"name": "n", "capacity": {"cpu": 4}, "count": 1}]})";
  const Outcome outcome = replay(cluster,
                                 "app,arrives,departs,cpu,priority\n"
                                 "first,0,100,3,\n"
                                 "late,50,500,3,\n"
                                 "never,50,110,3,-1\n"
                                 "brief,61,62,1,\n",
                                 {"--interval", "10", "--summary", "json"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["nodes"]["most"], 1);
  EXPECT_EQ(json["never_ran"], 2);
  EXPECT_EQ(json["still_waiting"], 0);
  EXPECT_EQ(json["wait"]["most"], 50) << "late starts when first has gone";
  EXPECT_FALSE(json.contains("cost"));
}

TEST_F(ReplayTest, MovesEmptyNodes) {
  const std::string trace =
      "app,arrives,departs,cpu,memory\n"
      "a,0,100,3,1\nb,0,,1,1\nc,1,100,3,1\nd,1,,1,1\n";
  const nlohmann::json stays = nlohmann::json::parse(replay(kReplayCluster, trace, {"--summary", "json"}).out);
  const nlohmann::json moves =
      nlohmann::json::parse(replay(kReplayCluster, trace + "e,200,,500m,1\n", {"--moves", "5", "--summary", "json"}).out);
  EXPECT_EQ(stays["moves"], 0);
  EXPECT_EQ(moves["moves"], 1) << "b and d share a node in the end";
}

TEST_F(ReplayTest, TheSameTraceGivesTheSameFigures) {
  std::string trace = "app,arrives,departs,replicas,cpu,memory,limits\n";
  for (int k = 0; k < 60; ++k) {
    trace += "a" + std::to_string(k) + "," + std::to_string(k * 37 % 600) + "," + std::to_string(700 + k * 91 % 500) + "," +
             std::to_string(1 + k % 3) + "," + std::to_string(1 + k % 2) + ",1,a" + std::to_string(k) + ":1\n";
  }
  const auto figures = [&] {
    nlohmann::json json = nlohmann::json::parse(replay(kReplayCluster, trace, {"--moves", "3", "--summary", "json"}).out);
    json.erase("planning");
    return json;
  };
  EXPECT_EQ(figures(), figures());
}

TEST_F(ReplayTest, PicturesAreWellFormed) {
  const Outcome outcome = replay(R"({"stowage": 1, "resources": {"<&>": "x"}, "apps": [],
                                     "classes": [{"name": "n", "capacity": {"<&>": 4}}]})",
                                 "app,arrives,departs,<&>\na,0,50,1\nb,10,9000,2\n", {"--picture", folder_.file("p.svg")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string svg = content(folder_.file("p.svg"));
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_FALSE(has(svg, "<&>"));
  EXPECT_FALSE(has(svg, "nan") || has(svg, "inf"));
  for (const char* const title : {"nodes in use", "use of the nodes in use", "replicas", "moves and broken rules", "minutes"}) {
    EXPECT_TRUE(has(svg, title)) << title;
  }
  EXPECT_FALSE(has(svg, "cost")) << "there are no prices";
}

TEST_F(ReplayTest, WrongTracesAreRefusedWithTheLine) {
  const std::string header = "app,arrives,departs,replicas,cpu,memory,limits\n";
  EXPECT_EQ(mistake(""), "t.csv: is empty; its first line must name the columns app, arrives and the resources");
  EXPECT_EQ(mistake(header), "t.csv: holds no application");
  EXPECT_EQ(mistake("app,cpu,memory\n"), "t.csv:1: there is no column \"arrives\"");
  EXPECT_EQ(mistake("app,arrives,cpu\n"), "t.csv:1: there is no column \"memory\", a resource of the cluster");
  EXPECT_EQ(mistake("app,arrives,cpu,memory,gpu\n"),
            "t.csv:1: the column \"gpu\" is neither known nor a resource of the cluster");
  EXPECT_EQ(mistake("app,app,arrives,cpu,memory\n"), "t.csv:1: the column \"app\" stands twice");
  EXPECT_EQ(mistake(header + "a,0,5,1,1\n"), "t.csv:2: has a different number of fields than the header");
  EXPECT_EQ(mistake(header + ",0,5,1,1,1,\n"), "t.csv:2: app: is empty or not UTF-8");
  EXPECT_EQ(mistake(header + "a,soon,5,1,1,1,\n"),
            "t.csv:2: arrives: \"soon\" is neither seconds nor such as 2026-01-31T12:00:00Z");
  EXPECT_EQ(mistake(header + "a,1e300,,1,1,1,\n"), "t.csv:2: arrives: \"1e300\" is further away than 10^12 seconds");
  EXPECT_EQ(mistake(header + "a,9,5,1,1,1,\n"), "t.csv:2: departs: is before it arrives");
  EXPECT_EQ(mistake(header + "a,0,5,-1,1,1,\n"), "t.csv:2: replicas: \"-1\" is not a whole number up to 4,294,967,295");
  EXPECT_EQ(mistake(header + "a,0,5,1,x,1,\n"), "t.csv:2: cpu: \"x\" is not an amount");
  EXPECT_EQ(mistake(header + "a,0,5,1,1,-1,\n"), "t.csv:2: memory: \"-1\" is not an amount");
  EXPECT_EQ(mistake(header + "a,0,5,1,1,1,b\n"), "t.csv:2: limits: \"b\" is not app:number (such as db:1)");
  EXPECT_EQ(mistake(header + "a,0,5,1,1,1,\na,4,9,1,1,1,\n"),
            "t.csv:3: \"a\" arrives while an application of this name is there");
  EXPECT_EQ(replay(kReplayCluster, header + "a,0,5,1,1,1,\na,5,9,1,1,1,\n").code, 2) << "one after the other is fine";
  EXPECT_EQ(replay(kReplayCluster, header + "a,0,500,1,1,1,\n", {"--interval", "0"}).code, 1);
}

}  // namespace
}  // namespace stowage::cli::testing
