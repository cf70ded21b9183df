// `stowage learn PROFILES` and `stowage recommend`: from profiles to a model, to recommendations, into an instance.
#include <nlohmann/json.hpp>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// Twelve apps whose performance is 1 from a size on that their load says: cpu of at least load.
std::string profiles(const std::string& measure = "performance") {
  std::string text = "app,x_family,x_load,cpu,memory," + measure + "\n";
  for (int app = 0; app < 12; ++app) {
    const double load = 1 + app % 4;
    for (const double cpu : {1, 2, 4, 8}) {
      for (const double memory : {1, 4}) {
        const double reached = std::min(1.0, cpu / load) * (memory == 1 ? 0.9 : 1.0);
        const double value = measure == "performance" ? reached : 10 / reached;
        text += "app-" + std::to_string(app) + ",web," + std::to_string(load) + "," + std::to_string(cpu) + "," +
                std::to_string(memory) + "," + std::to_string(value * (1 - 0.01 * (app % 3))) + "\n";
      }
    }
  }
  return text;
}

constexpr const char* kSamples = "app,x_family,x_load,cpu,memory,performance\nnew,web,2,2,4,0.99\nknown,web,4,,,\n";

class Recommend : public ::testing::Test {
 protected:
  [[nodiscard]] std::string model(const std::string& csv = profiles()) const {
    const Outcome outcome = run({"learn", folder_.write("profiles.csv", csv), "-o", folder_.file("model.stowm")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto measurements = std::count(csv.begin(), csv.end(), '\n') - 1;
    EXPECT_TRUE(has(outcome.out, ": learned from " + std::to_string(measurements) + " measurements of ")) << outcome.out;
    return folder_.file("model.stowm");
  }

  [[nodiscard]] Json recommended(const std::string& csv, const std::vector<std::string>& more) const {
    const Outcome outcome = run(joined({"recommend", model(), folder_.write("samples.csv", csv), "--summary", "json"}, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }

  [[nodiscard]] std::string refused(const std::string& csv, const std::vector<std::string>& more) const {
    const Outcome outcome = run(joined({"recommend", model(), folder_.write("samples.csv", csv)}, more));
    EXPECT_EQ(outcome.code, 1) << csv;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  [[nodiscard]] std::string not_learned(const std::string& csv) const {
    const Outcome outcome = run({"learn", folder_.write("bad.csv", csv), "-o", folder_.file("bad.stowm")});
    EXPECT_EQ(outcome.code, 1) << csv;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("bad.stowm")));
    return outcome.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Recommend, EachAppHasASizeOrAReason) {
  const Json report = recommended(kSamples, {"--goal", "0.8"});
  ASSERT_EQ(report["apps"].size(), 2U);
  EXPECT_EQ(report["goal"], 0.8);
  for (const Json& app : report["apps"]) {
    EXPECT_EQ(app["size"].is_null(), app["reason"] != "meets-goal") << app;
    EXPECT_GE(app["probability"].get<double>(), app["size"].is_null() ? 0 : 0.8) << app;
    EXPECT_TRUE(app.contains("next_sample"));
  }
  EXPECT_EQ(report["apps"][0]["app"], "new");
  EXPECT_EQ(report["apps"][0]["samples"], 1);
  EXPECT_EQ(report["apps"][1]["samples"], 0);
  EXPECT_GE(report["apps"][0]["size"]["cpu"].get<double>(), 2) << report;
}

TEST_F(Recommend, CostsDecideWhatIsCheapest) {
  const Json cheap_cpu = recommended(kSamples, {"--goal", "0.8", "--cost", "cpu=0.001,memory=1"});
  const Json cheap_memory = recommended(kSamples, {"--goal", "0.8", "--cost", "cpu=1,memory=0.001"});
  EXPECT_LE(cheap_cpu["apps"][0]["size"]["memory"], cheap_memory["apps"][0]["size"]["memory"]);
  EXPECT_GE(cheap_cpu["apps"][0]["size"]["cpu"], cheap_memory["apps"][0]["size"]["cpu"]);
}

TEST_F(Recommend, AnInstanceTakesTheSizes) {
  const std::string cluster = folder_.write("cluster.json", R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
      "classes": [{"name": "n", "capacity": {"cpu": 64, "memory": 64}}],
      "apps": [{"name": "new", "replicas": 2, "demand": {"cpu": 32, "memory": 32}}]})");
  const Outcome outcome = run({"recommend", model(), folder_.write("samples.csv", kSamples), "--goal", "0.8", "--into", cluster,
                               "-o", folder_.file("sized.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_LE(Json::parse(content(folder_.file("sized.json")))["apps"][0]["demand"]["cpu"].get<double>(), 8);
}

TEST_F(Recommend, LatencyNeedsNoNormalizer) {
  const std::string path = model(profiles("latency_ms"));
  const std::string samples = folder_.write("samples.csv", "app,x_family,x_load,cpu,memory,latency_ms\nnew,web,2,2,4,10\n");
  const Outcome outcome = run({"recommend", path, samples, "--latency-goal", "14", "--summary", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["latency_goal_ms"], 14);
  EXPECT_TRUE(has(run({"recommend", path, samples, "--goal", "0.9"}).err, "use --latency-goal"));
}

TEST_F(Recommend, RefusesBadProfilesWithLineAndColumn) {
  const auto message = [&](const std::string& rows) { return not_learned("app,x_load,cpu,performance\n" + rows); };
  EXPECT_TRUE(has(message("a,1,1,nan\n"), "bad.csv:2: performance: "));
  EXPECT_TRUE(has(message("a,1,1,1.5\n"), "bad.csv:2: performance: must be from 0 to 1"));
  EXPECT_TRUE(has(message("a,1,-1,0.5\n"), "bad.csv:2: cpu: must be above 0"));
  EXPECT_TRUE(has(message("a,1,1,0.5\na,2,2,0.5\n"), "bad.csv:3: x_load: "));
  EXPECT_TRUE(has(message("a,1,1,0.5\na,1,1,0.6\n"), "bad.csv:3: "));
  EXPECT_TRUE(has(message("a,1,1\n"), "bad.csv:2: has a different number of fields"));
  EXPECT_TRUE(has(message(""), "holds no app"));
  EXPECT_TRUE(has(not_learned(""), "is empty"));
  EXPECT_TRUE(has(not_learned("app,cpu\na,1\n"), "no column performance"));
  EXPECT_TRUE(has(not_learned("app,performance\na,1\n"), "no column with a resource"));
  EXPECT_TRUE(has(not_learned("app,cpu,performance,latency_ms\na,1,1,1\n"), "both"));
  EXPECT_TRUE(has(not_learned("app,cpu,collocation,performance\na,1,0,1\n"), "bad.csv:2: collocation: "));
  EXPECT_EQ(run({"learn", folder_.write("p.csv", profiles())}).code, 1) << "without --output";
}

TEST_F(Recommend, RefusesBadSamplesWithLineAndColumn) {
  const auto message = [&](const std::string& rows) {
    return refused("app,x_family,x_load,cpu,memory,performance\n" + rows, {"--goal", "0.8"});
  };
  EXPECT_TRUE(has(message("new,web,2,3,4,0.9\n"), "samples.csv:2: ")) << "a configuration that no profile has";
  EXPECT_TRUE(has(message("new,web,2,2,4,x\n"), "samples.csv:2: performance: "));
  const std::string asked = "app,x_family,x_load,asked_cpu,asked_memory,cpu,memory,performance\n";
  EXPECT_TRUE(
      has(refused(asked + "one,web,2,1,1,,,\ntwo,web,2,1,-1,,,\n", {"--goal", "0.8"}), "samples.csv:3: asked_memory: "));
  EXPECT_TRUE(has(refused("app,gpu,performance\nnew,1,1\n", {"--goal", "0.8"}), "samples.csv"));
  EXPECT_TRUE(has(refused(kSamples, {}), "--goal or --latency-goal"));
  EXPECT_TRUE(has(refused(kSamples, {"--goal", "1.5"}), "--goal: "));
  EXPECT_TRUE(has(refused(kSamples, {"--goal", "0.8", "--confidence", "1"}), "--confidence: "));
  EXPECT_TRUE(has(refused(kSamples, {"--goal", "0.8", "--cost", "gpu=1"}), "--cost: "));
  EXPECT_TRUE(has(refused(kSamples, {"--goal", "0.8", "--cost", "cpu=-1"}), "--cost: "));
}

TEST_F(Recommend, RefusesDamagedModels) {
  const std::string bytes = content(model());
  const std::string samples = folder_.write("samples.csv", kSamples);
  const auto code = [&](const std::string& damaged) {
    return run({"recommend", folder_.write("damaged.stowm", damaged), samples, "--goal", "0.8"}).code;
  };
  EXPECT_EQ(code(bytes), 0);
  EXPECT_EQ(code(bytes.substr(0, bytes.size() - 1)), 1);
  EXPECT_EQ(code(""), 1);
  EXPECT_EQ(code("not a model"), 1);
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 50 + 1) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_EQ(code(damaged), 1) << "byte " << at;
  }
}

TEST_F(Recommend, LearnInterferenceStaysWhereItWas) {
  EXPECT_TRUE(has(run({"learn", "interference", "--help"}).out, "load_KIND"));
  EXPECT_EQ(run({"learn"}).code, 1);
}

}  // namespace
}  // namespace stowage::cli::testing
