// The busy cases of `stowage generate stochastic`, and plans for them.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "capi/cli/generate/stochastic/services.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// A busy cluster of five services.
Json generated(const TemporaryFolder& folder, const std::string& which, const std::string& seed = "1") {
  const std::string path = folder.file(which + seed + ".json");
  const Outcome outcome = run({"generate", "stochastic", "--services", "5", "--alpha", "99.9%", "--case", which, "--layout",
                               "biheu", "--seed", seed, "-o", path});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.code == 0 ? Json::parse(content(path)) : Json();
}

TEST(GenerateStochastic, BusyClustersHaveLostTheirShareOfEachService) {
  const TemporaryFolder folder;
  const auto services = stochastic::draw_services(5, 1);
  for (const auto& [which, scale] : {std::pair{"scale-up", 1.2}, {"scale-down", 0.9}}) {
    const Json json = generated(folder, which);
    std::map<std::string, std::uint64_t> running;
    for (const Json& node : json["nodes"]) {
      double mean = 0;
      double variance = 0;
      for (const auto& [name, replicas] : node["running"].items()) {
        running[name] += replicas.get<std::uint64_t>();
        for (const Json& app : json["apps"]) {
          if (app["name"] != name) continue;
          mean += app["demand"]["cpu"].get<double>() * replicas.get<double>();
          variance += app["variance"]["cpu"].get<double>() * replicas.get<double>();
        }
      }
      // What is left holds at the confidence: 99.9 % of the normal distribution are below 3.0902.
      EXPECT_LE(mean + 3.0902 * std::sqrt(variance), 31.58 + 1e-6);
    }
    ASSERT_EQ(json["apps"].size(), services.size());
    for (std::size_t s = 0; s < services.size(); ++s) {
      const stochastic::Service& service = services[s];
      const auto lost = static_cast<std::uint64_t>(std::floor(service.remove_rate * service.containers + 0.5));
      EXPECT_EQ(running[service.name], service.containers - lost) << service.name;
      EXPECT_EQ(json["apps"][s]["replicas"], static_cast<std::uint64_t>(std::floor(service.containers * scale + 0.5)));
    }
    EXPECT_EQ(json["classes"][0]["count"], 4000);
  }
  EXPECT_EQ(generated(folder, "scale-up"), generated(folder, "scale-up"));
  EXPECT_NE(generated(folder, "scale-up"), generated(folder, "scale-up", "2"));
}

TEST(GenerateStochastic, LayoutsThatDoNotFitOrCannotBeMadeAreRefused) {
  const TemporaryFolder folder;
  const std::vector<std::string> base = {"generate", "stochastic", "--services", "5",  "--alpha",
                                         "99%",      "--case",     "scale-up",   "-o", folder.file("x.stow")};
  EXPECT_TRUE(has(run(joined(base, {"--layout", "biheu", "--nodes", "100"})).err, "--nodes: 100 machines"));
  EXPECT_TRUE(has(run(joined(base, {"--layout", "magic"})).err, "magic"));
  EXPECT_EQ(run(joined(base, {"--layout", "magic"})).code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.stow")));
}

TEST(PlanStochastic, TheSummaryHasUsedCapacityAtConfidence) {
  // P1, section 4.1: N(2, 0.5), N(2, 1), N(3, 1.5) on one machine use 7 + 2.3263 sqrt(3) = 11.0294 at 99 %.
  const TemporaryFolder folder;
  const std::string path = folder.write("three.json", R"({"stowage": 1, "resources": {"cpu": "cores"},
    "classes": [{"name": "m", "capacity": {"cpu": 12}, "count": 3}],
    "apps": [{"name": "a", "demand": {"cpu": 2}, "variance": {"cpu": 0.5}}, {"name": "b", "demand": {"cpu": 2}, "variance": {"cpu": 1}},
             {"name": "c", "demand": {"cpu": 3}, "variance": {"cpu": 1.5}}],
    "uncertainty": {"confidence": 0.99}})");
  const Outcome json = run({"plan", path, "--planner", "bf-ucac", "--summary", "json"});
  ASSERT_EQ(json.code, 0) << json.err;
  const Json summary = Json::parse(json.out);
  EXPECT_NEAR(summary["ucac"].get<double>(), 7 + 2.326347874 * std::sqrt(3.0), 1e-6);
  EXPECT_EQ(summary["nodes_used"], 1);
  EXPECT_EQ(summary["nodes"], 1);
  ASSERT_TRUE(summary.contains("bound_ucac"));
  EXPECT_LE(summary["bound_ucac"].get<double>(), summary["ucac"].get<double>() + 1e-9);
  EXPECT_EQ(summary["violations"], 0);
  const Outcome text = run({"plan", path, "--planner", "bf-ucac"});
  EXPECT_TRUE(has(text.out, "Used at confidence: 11.03 cores of cpu on 1 node")) << text.out;
  EXPECT_TRUE(has(text.out, "capacity to hold with probability 99 %")) << text.out;
  // Each with 2.3263 standard deviations of its own: 3.645 + 4.326 + 5.849 = 13.82 do not fit together.
  EXPECT_EQ(Json::parse(run({"plan", path, "--planner", "bf-nsigma", "--summary", "json"}).out)["nodes_used"], 2);
  // A certain instance has none of it.
  EXPECT_EQ(run({"example", "-o", folder.file("certain.json")}).code, 0);
  const Json certain = Json::parse(run({"plan", folder.file("certain.json"), "--planner", "ff", "--summary", "json"}).out);
  for (const char* key : {"ucac", "nodes_used", "bound_ucac", "objective"}) EXPECT_FALSE(certain.contains(key)) << key;
  const Outcome refused = run({"plan", path, "--objective", "beauty"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "use nodes, ucac, worst, total, admitted or traffic")) << refused.err;
}

TEST(PlanStochastic, PlansSurviveTheWayThroughJsonAndCsv) {
  const TemporaryFolder folder;
  const std::string path = folder.file("busy.stow");
  ASSERT_EQ(run({"generate", "stochastic", "--services", "5", "--alpha", "99%", "--case", "scale-up", "--layout", "biheu", "-o",
                 path})
                .code,
            0);
  const std::string stow = folder.file("plan.stow");
  const std::string json = folder.file("plan.json");
  const std::string csv = folder.file("plan.csv");
  ASSERT_EQ(run({"plan", path, "--planner", "biheu", "-o", stow, "-o", json, "-o", csv}).code, 0);
  ASSERT_EQ(run({"convert", json, folder.file("back.stow"), "--instance", path}).code, 0);
  ASSERT_EQ(run({"convert", folder.file("back.stow"), folder.file("back.json"), "--instance", path}).code, 0);
  EXPECT_EQ(content(folder.file("back.json")), content(json));
  const Json plan = Json::parse(content(json));
  double sum = 0;
  for (const Json& node : plan["nodes"]) sum += node["ucac"].get<double>();
  EXPECT_NEAR(sum, plan["ucac"].get<double>(), 1e-6 * sum);
  EXPECT_EQ(plan["ucac_resource"], "cpu");
  for (const std::string& one : {stow, json, csv, folder.file("back.stow")}) {
    EXPECT_EQ(run({"verify", path, one}).code, 0) << one << run({"verify", path, one}).out;
  }
  // All forms of the plan use the same.
  const auto rate = [&](const std::string& one) {
    return Json::parse(run({"simulate", path, one, "--samples", "20", "--summary", "json"}).out)["violations"];
  };
  EXPECT_EQ(rate(stow), rate(csv));
  std::string broken = content(json);
  broken.replace(broken.rfind("\"ucac\":"), 7, "\"uca\":");
  const Outcome refused = run({"verify", path, folder.write("broken.json", broken)});
  EXPECT_TRUE(has(refused.err, "unknown key (did you mean \"ucac\"?)")) << refused.err;
}

}  // namespace
}  // namespace stowage::cli::testing
