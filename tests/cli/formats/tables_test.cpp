// Instances as tables: which columns mean what, how values are written, and what is said of mistakes.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kClasses = "name,count,price,labels,cpu,memory\nsmall,2,0.1,zone=a ssd,4,16\nlarge,,0.2,zone=b,8,32\n";

class Tables : public ::testing::Test {
 protected:
  /// The instance that the tables are, as JSON; an empty object, with a failure, where they are refused.
  Json read(const std::string& apps, const std::string& classes = kClasses, const std::string& running = {}) {
    const Outcome outcome = convert(apps, classes, running);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    said_ = outcome.err;
    return outcome.code == 0 ? Json::parse(content(folder_.file("made.json"))) : Json::object();
  }
  Outcome convert(const std::string& apps, const std::string& classes = kClasses, const std::string& running = {}) {
    std::vector<std::string> arguments = {"convert", folder_.write("apps.csv", apps), folder_.file("made.json"), "--classes",
                                          folder_.write("nodes.csv", classes)};
    if (!running.empty()) {
      arguments.emplace_back("--running");
      arguments.push_back(folder_.write("running.csv", running));
    }
    return run(arguments);
  }
  bool says(const std::string& part) const { return said_.find(part) != std::string::npos; }

  TemporaryFolder folder_;
  std::string said_;
};

TEST_F(Tables, AreWhatTheirJsonIs) {
  const Json made = read(
      "name,replicas,priority,weight,max_per_node,tags,only,not,limits,cpu,memory,cpu_deviation\n"
      "web,3,5,2,2,front public,zone=a,old,db=0 cron=1,500m,2Gi,100m\n"
      "db,1,,,,,,,,2,\"8\",\n"
      "cron,,,,,,,,,1,1024Mi,\n");
  EXPECT_EQ(made["resources"], Json::parse(R"({"cpu": "cores", "memory": "GiB"})"));
  EXPECT_EQ(made["classes"][0], Json::parse(R"({"name": "small", "count": 2, "price": 0.1, "capacity": {"cpu": 4, "memory": 16},
                                                "labels": {"zone": "a", "ssd": true}})"));
  EXPECT_EQ(made["apps"][0]["limits"], Json::parse(R"({"db": 0, "cron": 1})"));
  EXPECT_EQ(made["apps"][0]["demand"], Json::parse(R"({"cpu": 0.5, "memory": 2})"));
  EXPECT_EQ(made["apps"][0]["max_per_node"], 2);
  EXPECT_EQ(made["apps"][0]["priority"], 5);
  EXPECT_EQ(made["apps"][0]["weight"], 2);
  EXPECT_EQ(made["apps"][0]["tags"], Json::parse(R"(["front", "public"])"));
  EXPECT_NEAR(made["apps"][0]["variance"]["cpu"].get<double>(), 0.01, 1e-9);
  EXPECT_EQ(made["apps"][2]["demand"]["memory"], 1);
  EXPECT_EQ(made["apps"].size(), 3u);
}

TEST_F(Tables, WordsUnitsAndSeparatorsOfSpreadsheetsAreUnderstood) {
  const Json plain = read("name,replicas,cpu,memory\nweb,3,0.5,2\n");
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "App Name;Instances;vCPU;Memory (GiB)\r\nweb;3;0,5;2\r\n"),
            plain);
  EXPECT_EQ(read("Service\tReplicas\tCores\tRAM [GiB]\nweb\t3\t500m\t2048Mi\n"), plain);
  EXPECT_EQ(read("name,replicas,cpu,memory,owner,cost centre\nweb,3,0.5,2,\"a, b\",7\n"), plain);
  EXPECT_TRUE(says("apps.csv: not used: owner, cost centre")) << said_;
}

TEST_F(Tables, WhatRunsIsOnListedNodes) {
  const Json made = read("name,replicas,cpu\nweb,3,1\ndb,2,2\n", kClasses,
                         "node,class,app,replicas\nn2,large,web,2\nn1,small,db,1\nn2,large,db,\nn3,small,,\n");
  EXPECT_EQ(made["nodes"], Json::parse(R"([{"name": "n2", "class": "large", "running": {"web": 2, "db": 1}},
                                           {"name": "n1", "class": "small", "running": {"db": 1}}, {"name": "n3", "class": "small"}])")
                               .get<Json>())
      << made["nodes"];
}

TEST_F(Tables, APlanOfTablesIsThatOfTheirJson) {
  const std::string apps = "name,replicas,cpu,memory\nweb,7,1,4\ndb,2,2,16\n";
  read(apps);
  const auto plan = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"plan", "--work", "5000", "--summary", "json"});
    Json summary = Json::parse(run(more).out);
    summary.erase("seconds");
    return summary;
  };
  const std::string classes = folder_.file("nodes.csv");
  EXPECT_EQ(plan({folder_.file("apps.csv"), "--classes", classes}), plan({folder_.file("made.json")}));
  const Outcome one = run({"plan", folder_.file("apps.csv"), "--node", "cpu=4,memory=16"});
  EXPECT_EQ(one.code, 0) << one.err;
}

TEST_F(Tables, MistakesAreToldByFileAndLine) {
  const auto refusal = [&](const std::string& apps, const std::string& classes = kClasses, const std::string& running = {}) {
    const Outcome outcome = convert(apps, classes, running);
    EXPECT_EQ(outcome.code, 1) << apps;
    return outcome.err;
  };
  const auto tells = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
  };
  tells(refusal("name,cpu\nweb,1\n\ndb,much\n"), "apps.csv:4: demand.cpu: \"much\" is not a quantity");
  tells(refusal("name,cpu,replicas\nweb,1,x\n"), "apps.csv:2: replicas: must be a whole number");
  tells(refusal("name,cpu,limits\nweb,1,dp=1\n"), "apps.csv:2: limits.dp: there is no app \"dp\"");
  tells(refusal("name,cpu\nweb,1,2\n"), "apps.csv:2: has a different number of fields than the header");
  tells(refusal("name,CPU,vcpu\nweb,1,2\n"), "\"CPU\" and \"vcpu\" mean the same");
  tells(refusal("name,disk\nweb,1\n"), "apps.csv: has no column of a resource that");
  tells(refusal("name,cpu\nweb,1\n", "name,cpu,price\na,4,x\n"), "nodes.csv:2: price: must be a number");
  tells(refusal("name,cpu\nweb,1\n", kClasses, "host,app\nn1,web\n"), "running.csv: needs the columns node and app");
  tells(refusal("name,cpu\nweb,1\n", kClasses, "node,class,app\nn1,small,web\nn1,,dp\n"),
        "running.csv:3: running.dp: there is no app \"dp\"");
  tells(refusal("name,cpu,replicas\nweb,1,2\n", kClasses, "node,class,app\nn1,small,web\nn1,,web\n"),
        "running.csv:3: \"web\" stands twice on node \"n1\"");
  tells(refusal("name,cpu\nweb,1\ndb,1\n", kClasses, "node,class,app\nn1,small,web\nn1,large,db\n"),
        "running.csv:3: node \"n1\" is also of class \"small\"");
  tells(refusal("name,cpu,limits\nweb,1,db=1 db=2\ndb,1,\n"), "apps.csv:2: ");
  tells(refusal("name,cpu\nw\xFF,1\n"), "apps.csv:2: is not UTF-8");
  tells(run({"plan", folder_.write("apps.csv", "name,cpu\nweb,1\n")}).err,
        "is a table of apps; say what the nodes are by --classes");
  tells(run({"plan", folder_.write("e.json", "{\"stowage\": 1}"), "--classes", folder_.file("nodes.csv")}).err,
        "says itself what the nodes are");
  tells(run({"plan", folder_.file("apps.csv"), "--classes", folder_.file("none.csv")}).err, "none.csv");
}

}  // namespace
}  // namespace stowage::cli::testing
