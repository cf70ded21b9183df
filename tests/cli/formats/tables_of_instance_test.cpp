// Instances as tables and back: the same instance, or a refusal that names what tables lack.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/commands/commands.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

class TablesOfInstances : public ::testing::Test {
 protected:
  /// Converts a file or a folder; the bytes of the instance.
  std::string bytes_of_path(const std::string& path) const {
    const Outcome outcome = run({"convert", path, folder_.file("bytes.stow")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return content(folder_.file("bytes.stow"));
  }
  /// Writes tables into the folder "tables", and reads them again.
  void expect_the_same(const std::string& path) const {
    const std::string tables = folder_.file("tables/");
    std::filesystem::remove_all(tables);
    const Outcome outcome = run({"convert", path, tables});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(bytes_of_path(tables), bytes_of_path(path)) << content(tables + "apps.csv");
  }
  std::string refusal(const std::string& path) const {
    const Outcome outcome = run({"convert", path, folder_.file("refused/")});
    EXPECT_EQ(outcome.code, 1) << path;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("refused")));
    return outcome.err;
  }

  TemporaryFolder folder_;
};

// Planning the tables of an example is planning the example: the fingerprints are equal.
TEST_F(TablesOfInstances, ExamplesGoThereAndBackOrAreRefusedByTheFieldThatTablesLack) {
  const std::vector<std::pair<std::string, std::string>> lacking = {{"shop", "periods"},
                                                                    {"day", "periods"},
                                                                    {"zones", "groups"},
                                                                    {"groups", "groups"},
                                                                    {"gpu", "resources.gpu.device"},
                                                                    {"uncertain", "uncertainty"},
                                                                    {"effects", "interference"}};
  for (const std::string& name : example_names()) {
    if (name == "learn") continue;
    const std::string tables = folder_.file(name + "/");
    const Outcome written = run({"example", name, "-o", tables});
    const auto lacks = std::find_if(lacking.begin(), lacking.end(), [&](const auto& one) { return one.first == name; });
    if (lacks != lacking.end()) {
      EXPECT_EQ(written.code, 1) << name;
      EXPECT_EQ(written.err, "stowage: tables have no column for " + lacks->second + "; write .json, .yaml or .stow\n");
      EXPECT_FALSE(std::filesystem::exists(tables));
      continue;
    }
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_TRUE(has(written.err, "try: stowage plan " + tables)) << written.err;
    const std::string json = folder_.file(name + ".json");
    ASSERT_EQ(run({"example", name, "-o", json}).code, 0);
    const auto planned = [&](const std::vector<std::string>& instance) {
      const std::string plan = folder_.file("plan.json");
      const Outcome outcome = run(joined(joined({"plan"}, instance), {"--work", "2000", "-o", plan}));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return Json::parse(content(plan));
    };
    std::vector<std::string> files = {tables + "apps.csv", "--classes", tables + "classes.csv"};
    if (std::filesystem::exists(tables + "running.csv")) files = joined(files, {"--running", tables + "running.csv"});
    EXPECT_EQ(std::filesystem::exists(tables + "running.csv"), name == "moves");
    EXPECT_EQ(planned({tables})["instance"], planned({json})["instance"]) << name;
    EXPECT_EQ(planned(files), planned({json})) << name;
    EXPECT_EQ(bytes_of_path(tables), bytes_of_path(json)) << name;
  }
}

TEST_F(TablesOfInstances, EverythingThatTablesSayComesBack) {
  expect_the_same(folder_.write("all.json", R"({"stowage": 1, "name": "a \"title\", with a comma",
    "resources": {"memory": "MiB", "cpu": "millicores", "licences": ""},
    "classes": [{"capacity": {"memory": 4096.5, "cpu": 4000, "licences": 2}, "price": 0, "labels": ["zone=a", "ssd"]},
                {"name": "b, c", "capacity": {"memory": 8192, "cpu": 8000.1, "licences": 0}, "count": 4, "price": 1e-7}],
    "apps": [{"name": "web", "replicas": 3, "demand": {"memory": 1, "cpu": 500}, "priority": -2, "weight": 0.25, "max_per_node": 1,
              "tags": ["front", "public"], "limits": {"db": 0, "cron": 7}, "variance": {"cpu": 0.1}},
             {"name": "db", "demand": {"memory": 0.3, "licences": 1}, "only": "zone=a", "not": ["old", "slow"]},
             {"name": "cron", "replicas": 1, "demand": {}}],
    "nodes": [{"name": "idle", "class": "#0"}, {"name": "=n, 2", "class": "b, c", "running": {"cron": 1, "web": 1}},
              {"name": "empty", "class": "b, c"}, {"name": "n4", "class": "#0", "running": {"db": 1}}]})"));
  expect_the_same(folder_.write("none.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 1}}], "apps": []})"));
}

TEST_F(TablesOfInstances, NamesAreSafeForSpreadsheetsWhereThatIsAskedFor) {
  const std::string path = folder_.write("formula.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "n", "capacity": {"cpu": 1}}], "apps": [{"name": "=1+1", "demand": {"cpu": 1}}]})");
  ASSERT_EQ(run({"convert", path, folder_.file("exact/")}).code, 0);
  ASSERT_EQ(run({"convert", path, folder_.file("safe/"), "--csv-safe"}).code, 0);
  EXPECT_EQ(content(folder_.file("exact/apps.csv")), "name,replicas,cpu (cores)\n=1+1,1,1\n");
  EXPECT_EQ(content(folder_.file("safe/apps.csv")), "name,replicas,cpu (cores)\n'=1+1,1,1\n");
}

TEST_F(TablesOfInstances, WhatTablesLackIsRefusedByItsName) {
  const auto with = [&](const std::string& app, const std::string& node, const std::string& resources = R"({"cpu": "cores"})") {
    return refusal(folder_.write("one.json",
                                 R"({"stowage": 1, "resources": )" + resources + R"(, "apps": [{)" + app +
                                     R"("replicas": 2, "demand": {}}], "nodes": [{)" + node +
                                     R"("class": "n"}], "classes": [{"name": "n", "capacity": )" +
                                     (resources.find("CPU") == std::string::npos ? R"({"cpu": 4})" : R"({"CPU": 4})") + "}]}"));
  };
  const std::string a = R"("name": "a", )";
  const std::string x = R"("name": "x", )";
  EXPECT_TRUE(has(with(a, x + R"("load": {"cpu": 1}, )"), "tables have no column for nodes[].load; write .json"));
  EXPECT_TRUE(has(with(a, x + R"("closed": true, )"), "tables have no column for nodes[].closed"));
  EXPECT_TRUE(has(with(a, x + R"("tags": "gpu", )"), "tables have no column for nodes[].tags"));
  EXPECT_TRUE(has(with(a, x + R"("pinned": {"a": 1}, )"), "tables have no column for nodes[].pinned"));
  EXPECT_TRUE(has(with("", x), "tables need names of apps"));
  EXPECT_TRUE(has(with(a, ""), "tables need names of nodes"));
  EXPECT_TRUE(has(with(a + R"("tags": "a b", )", x), "apps[0].tags: a list in a table cannot hold \"a b\""));
  EXPECT_TRUE(has(with(a, x, R"({"CPU": "cores"})"), "resources.CPU: tables would read it as cpu in \"cores\""));
  EXPECT_TRUE(has(with(a, x, R"({"cpu": ""})"), "resources.cpu: tables would read it as cpu in \"cores\""));
}

TEST_F(TablesOfInstances, AFolderIsAnInstance) {
  const std::string tables = folder_.file("tables");
  ASSERT_EQ(run({"example", "moves", "-o", tables + "/"}).code, 0);
  EXPECT_EQ(run({"bound", tables}).code, 0);
  EXPECT_EQ(run({"headroom", tables}).code, 0);
  EXPECT_TRUE(has(run({"plan", tables, "--node", "cpu=8,memory=32"}).err, "class"));
  const Outcome stale = run({"example", "sizes", "-o", tables});
  EXPECT_EQ(stale.code, 1);
  EXPECT_TRUE(has(stale.err, "running.csv: would be read with the tables, in which nothing runs; remove it")) << stale.err;
  ASSERT_TRUE(std::filesystem::remove(tables + "/classes.csv"));
  EXPECT_TRUE(has(run({"plan", tables}).err, "classes.csv: cannot be read"));
  ASSERT_TRUE(std::filesystem::remove(tables + "/apps.csv"));
  EXPECT_TRUE(has(run({"plan", tables}).err, "tables: is a folder without apps.csv, the table of apps"));
}

}  // namespace
}  // namespace stowage::cli::testing
