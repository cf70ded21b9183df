// `stowage size`: from a CSV of usage to a report and into an instance; everything it refuses.
#include <nlohmann/json.hpp>

#include "capi/cli/learn/usage_file.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// Two apps over four hours; db is measured in cpu only.
constexpr const char* kUsage = R"(app,time,replica,oom,cpu,memory
web,0,a,0,1,2
web,3600,a,0,2,2
web,7200,a,1,3,4
web,10800,a,0,4,2
db,0,x,,0.5,
db,3600,x,,0.5,
)";

class Size : public ::testing::Test {
 protected:
  [[nodiscard]] Json sized(const std::string& csv, const std::vector<std::string>& more = {}) const {
    const Outcome outcome = run(joined({"size", folder_.write("usage.csv", csv), "--summary", "json"}, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }

  [[nodiscard]] std::string refused(const std::string& csv, const std::vector<std::string>& more = {}) const {
    const Outcome outcome = run(joined({"size", folder_.write("usage.csv", csv)}, more));
    EXPECT_EQ(outcome.code, 1) << csv;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  [[nodiscard]] std::string cluster(const std::string& more = "") const {
    return folder_.write("cluster.json", R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
      "classes": [{"name": "n", "capacity": {"cpu": 64, "memory": 64}}], "apps": [
      {"name": "db", "replicas": 2, "demand": {"cpu": 8, "memory": 16}},
      {"name": "web", "replicas": 2, "demand": {"cpu": 8, "memory": 16}},
      {"name": "other", "replicas": 1, "demand": {"cpu": 1, "memory": 1}}])" +
                                             more + "}");
  }

  TemporaryFolder folder_;
};

const std::vector<std::string> kPlain = {"--percentile", "75%", "--half-life", "none", "--margin", "0", "--bump", "1"};

TEST_F(Size, PercentilesAndWhatTheyCost) {
  const Json report = sized(kUsage, kPlain);
  const Json& web = report["apps"][0];
  EXPECT_EQ(web["app"], "web");
  EXPECT_EQ(web["samples"], 4);
  EXPECT_EQ(web["killed"], 1);
  EXPECT_EQ(web["size"], (Json{{"cpu", 3}, {"memory", 2}}));
  EXPECT_EQ(web["exceeded"], (Json{{"cpu", 0.25}, {"memory", 0.25}}));
  EXPECT_NEAR(web["slack"]["cpu"].get<double>(), (2.0 / 3 + 1.0 / 3) / 4, 1e-12);
  EXPECT_FALSE(web.contains("demand"));
  // What was not measured is left out.
  EXPECT_EQ(report["apps"][1]["size"], (Json{{"cpu", 0.5}}));
  EXPECT_NEAR(report["exceeded"]["cpu"].get<double>(), 1.0 / 6, 1e-12);
}

TEST_F(Size, DefaultsAddMarginAndBumpMemory) {
  const Json web = sized(kUsage)["apps"][0];
  EXPECT_NEAR(web["size"]["cpu"].get<double>(), 4 * 1.15, 1e-12);
  EXPECT_NEAR(web["size"]["memory"].get<double>(), 4 * 1.2 * 1.15, 1e-12);
}

TEST_F(Size, OptionsByResource) {
  const auto cpu = [&](const std::vector<std::string>& more) {
    return sized(kUsage, joined(kPlain, more))["apps"][0]["size"]["cpu"];
  };
  EXPECT_EQ(cpu({"--floor", "cpu=7"}), 7);
  EXPECT_EQ(cpu({"--ceiling", "memory=1"}), 3);
  EXPECT_EQ(cpu({"--ceiling", "cpu=2.5"}), 2.5);
  EXPECT_EQ(cpu({"--peaks", "cpu=2h"}), 4) << "the peaks of two windows are 2 and 4";
}

TEST_F(Size, DemandOverPeriods) {
  const Json report = sized(kUsage, joined(kPlain, {"--periods", "2", "--cycle", "all"}));
  EXPECT_EQ(report["periods"], 2);
  EXPECT_EQ(report["apps"][0]["demand"]["cpu"], (Json{2, 4}));
  EXPECT_EQ(report["apps"][0]["demand_exceeded"]["cpu"], 0);
}

TEST_F(Size, MeanAndVariance) {
  const Json web = sized(kUsage, joined(kPlain, {"--uncertain=cpu"}))["apps"][0];
  EXPECT_EQ(web["demand"], (Json{{"cpu", 2.5}, {"memory", 2}}));
  EXPECT_EQ(web["variance"], (Json{{"cpu", 1.25}, {"memory", 0}}));
}

TEST_F(Size, AnInstanceTakesTheSizes) {
  const std::string path = cluster();
  const Outcome outcome =
      run(joined({"size", folder_.write("usage.csv", kUsage), "--into", path, "-o", folder_.file("sized.json")}, kPlain));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json apps = Json::parse(content(folder_.file("sized.json")))["apps"];
  EXPECT_EQ(apps[0]["demand"], (Json{{"cpu", 0.5}, {"memory", 16}})) << "memory of db was not measured";
  EXPECT_EQ(apps[1]["demand"], (Json{{"cpu", 3}, {"memory", 2}}));
  EXPECT_EQ(apps[2]["demand"], (Json{{"cpu", 1}, {"memory", 1}}));
  EXPECT_TRUE(has(content(path), "\"cpu\": 8")) << "the instance itself stays";
}

TEST_F(Size, AnInstanceTakesPeriodsAndConfidence) {
  const Outcome outcome = run(joined({"size", folder_.write("usage.csv", kUsage), "--into", cluster(), "--periods", "2",
                                      "--cycle", "all", "--uncertain=cpu", "--confidence", "99.9%"},
                                     kPlain));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json instance = Json::parse(content(folder_.file("cluster.json")));
  EXPECT_EQ(instance["periods"], 2);
  EXPECT_EQ(instance["uncertainty"]["confidence"], 0.999);
  EXPECT_EQ(instance["apps"][1]["demand"]["cpu"], (Json{1.5, 3.5}));
  EXPECT_EQ(instance["apps"][1]["variance"], (Json{{"cpu", 0.25}}));
}

TEST_F(Size, RefusesWhatTheInstanceCannotTake) {
  const std::string usage = folder_.write("usage.csv", kUsage);
  const auto refusal = [&](const std::string& instance, const std::vector<std::string>& more) {
    const Outcome outcome = run(joined({"size", usage, "--into", instance}, more));
    EXPECT_EQ(outcome.code, 1);
    return outcome.err;
  };
  EXPECT_TRUE(has(refusal(cluster(R"(, "periods": 3)"), {"--periods", "2"}), "use --periods 3"));
  const std::string strangers = folder_.write("strangers.csv", "app,time,cpu\nnobody,0,1\n");
  EXPECT_TRUE(has(run({"size", strangers, "--into", cluster()}).err, "none of the apps"));
  EXPECT_TRUE(has(run({"size", folder_.write("gpus.csv", "app,time,gpu\nweb,0,1\n"), "--into", cluster()}).err,
                  "none of the resources"));
  EXPECT_TRUE(has(run({"size", usage, "-o", "x.json"}).err, "needs --into"));
}

TEST_F(Size, NamesLineAndColumn) {
  const auto message = [&](const std::string& rows) { return refused("app,time,replica,cpu\n" + rows); };
  EXPECT_TRUE(has(message("web,0,a,1\nweb,1,a,x\n"), "usage.csv:3: cpu: \"x\" is not a number"));
  EXPECT_TRUE(has(message("web,0,a,-1\n"), "usage.csv:2: cpu: must not be negative"));
  EXPECT_TRUE(has(message("web,0,a,nan\n"), "usage.csv:2: cpu: "));
  EXPECT_TRUE(has(message("web,0,a,1e200\n"), "usage.csv:2: cpu: "));
  EXPECT_TRUE(has(message("web,soon,a,1\n"), "usage.csv:2: time: "));
  EXPECT_TRUE(has(message("web,1e14,a,1\n"), "usage.csv:2: time: "));
  EXPECT_TRUE(has(message("web,0,a,1\nweb,0,a,2\n"), "usage.csv:3: time: the replica has another sample"));
  EXPECT_TRUE(has(message("web,0,a\n"), "usage.csv:2: has a different number of fields"));
  EXPECT_TRUE(has(message(",0,a,1\n"), "usage.csv:2: app: "));
  EXPECT_TRUE(has(message(""), "holds no sample"));
  EXPECT_TRUE(has(refused(""), "is empty"));
  EXPECT_TRUE(has(refused("app,cpu\nweb,1\n"), "no column \"time\""));
  EXPECT_TRUE(has(refused("app,time\nweb,1\n"), "no column with a resource"));
  EXPECT_TRUE(has(refused("app,time,cpu,cpu\nweb,1,1,1\n"), "stands twice"));
  EXPECT_TRUE(has(refused("app,time,oom,cpu\nweb,1,yes,1\n"), "usage.csv:2: oom: "));
}

TEST_F(Size, RefusesWrongOptions) {
  EXPECT_TRUE(has(refused(kUsage, {"--percentile", "0"}), "--percentile: "));
  EXPECT_TRUE(has(refused(kUsage, {"--percentile", "gpu=90%"}), "no resource \"gpu\""));
  EXPECT_TRUE(has(refused(kUsage, {"--half-life", "soon"}), "--half-life: "));
  EXPECT_TRUE(has(refused(kUsage, {"--bump", "0.5"}), "--bump: "));
  EXPECT_TRUE(has(refused(kUsage, {"--floor", "2", "--ceiling", "1"}), "--ceiling: "));
  EXPECT_TRUE(has(refused(kUsage, {"--uncertain=gpu"}), "--uncertain: "));
  EXPECT_TRUE(has(refused(kUsage, {"--confidence", "99%"}), "needs --uncertain"));
  EXPECT_TRUE(has(refused(kUsage, {"--cycle", "0"}), "--cycle: "));
}

TEST(UsageTime, SecondsAndDates) {
  EXPECT_EQ(learn::parse_time("12.5"), 12.5);
  EXPECT_EQ(learn::parse_time("1970-01-02T00:00:01Z"), 86'401);
  EXPECT_EQ(learn::parse_time("2026-01-31T12:00:00Z"), 1'769'860'800);
  EXPECT_EQ(learn::parse_time("2026-01-31T13:00:00.5+01:00"), 1'769'860'800.5);
  EXPECT_EQ(learn::parse_time("2026-01-31 10:30:00-01:30"), 1'769'860'800);
  for (const char* text : {"", "2026-02-30T00:00:00Z", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T25:00:00Z",
                           "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00+1:00", "nan", "inf"}) {
    EXPECT_TRUE(std::isnan(learn::parse_time(text))) << text;
  }
}

}  // namespace
}  // namespace stowage::cli::testing
