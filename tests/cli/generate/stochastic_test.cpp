// Uncertain demand on the command line: drawn services and clusters, and what happens on a plan's nodes.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "capi/cli/base/text/csv.h"
#include "capi/cli/generate/stochastic/services.h"
#include "capi/cli/generate/stochastic/stochastic_cluster.h"
#include "capi/cli/simulate/normal.h"
#include "capi/cli/simulate/simulation.h"
#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;
using stochastic::Interval;
using stochastic::Service;
using stochastic::table_five;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(StochasticServices, TableFiveAsPrinted) {
  ASSERT_EQ(table_five().size(), 17U);
  std::uint32_t containers = 0;
  for (const Service& service : table_five()) containers += service.containers;
  // 270 + 55 + 1618 + 904 + 576 + 1085 + 1035 + 118 + 1450 = 7111 in the first block, 3449 in the second.
  EXPECT_EQ(containers, 7111U + 3449U);
  EXPECT_NEAR(stochastic::total_mean(table_five()), 22821.79, 1e-6);
}

TEST(StochasticServices, DrawnWithoutRepetitionAndScaledToTheSameTotal) {
  for (const std::uint32_t count : {1U, 5U, 10U, 17U, 20U, 50U}) {
    const std::vector<Service> drawn = stochastic::draw_services(count, 7);
    ASSERT_EQ(drawn.size(), count);
    std::set<std::string> names;
    double rounding = 0;
    for (const Service& service : drawn) {
      names.insert(service.name);
      rounding += service.mean / 2;
      const auto known = std::find_if(table_five().begin(), table_five().end(), [&](const Service& one) {
        return service.name == one.name || service.name.starts_with(one.name + "-");
      });
      ASSERT_NE(known, table_five().end()) << service.name;
      EXPECT_EQ(service.mean, known->mean);
      EXPECT_GE(service.deviation, known->deviation * 0.9 - 1e-4);
      EXPECT_LE(service.deviation, known->deviation * 1.1 + 1e-4);
      EXPECT_EQ(service.remove_rate, known->remove_rate);
    }
    EXPECT_EQ(names.size(), count);
    EXPECT_NEAR(stochastic::total_mean(drawn), 22821.79, rounding);
  }
  const auto names_of = [](std::uint64_t seed) {
    std::vector<std::string> names;
    for (const Service& service : stochastic::draw_services(5, seed)) names.push_back(service.name);
    return names;
  };
  EXPECT_EQ(names_of(1), names_of(1));
  EXPECT_NE(names_of(1), names_of(2));
}

TEST(StochasticNumbers, TheLogarithmNeedsNoLibrary) {
  for (double value = 1e-300; value < 1e300; value *= 1.7) {
    EXPECT_NEAR(stochastic::exact_log(value), std::log(value), 4e-15 * std::max(1.0, std::abs(std::log(value)))) << value;
  }
  EXPECT_EQ(stochastic::exact_log(1), 0);
}

TEST(StochasticNumbers, NormalToTheTails) {
  Random random(3, 0, 0);
  stochastic::Normal normal(random);
  constexpr int kDraws = 1'000'000;
  double sum = 0;
  double squares = 0;
  std::array<int, 2> above = {0, 0};
  for (int i = 0; i < kDraws; ++i) {
    const double value = normal.draw();
    sum += value;
    squares += value * value;
    if (value > 2.3263) ++above[0];
    if (value > 3.0902) ++above[1];
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.004);
  EXPECT_NEAR(squares / kDraws, 1, 0.006);
  EXPECT_NEAR(above[0], 0.01 * kDraws, 4 * std::sqrt(0.01 * kDraws));
  EXPECT_NEAR(above[1], 0.001 * kDraws, 4 * std::sqrt(0.001 * kDraws));
}

TEST(StochasticNumbers, WilsonsInterval) {
  // By hand for 5 of 10: middle 1/2, half width z / (1 + z^2/10) sqrt(0.25/10 + z^2/400) with z = 1.96.
  const Interval half = stochastic::wilson_interval(5, 10);
  EXPECT_NEAR(half.low, 0.2366, 1e-4);
  EXPECT_NEAR(half.high, 0.7634, 1e-4);
  const Interval none = stochastic::wilson_interval(0, 10);
  EXPECT_EQ(none.low, 0);
  // z^2 / (10 + z^2)
  EXPECT_NEAR(none.high, 3.8415 / 13.8415, 1e-4);
  EXPECT_EQ(stochastic::wilson_interval(10, 10).high, 1);
  EXPECT_EQ(stochastic::wilson_interval(0, 0).high, 1);
}

class Simulate : public ::testing::Test {
 protected:
  /// One resource; a node of class "n" with `replicas` of one app with that demand.
  std::string instance(double capacity, std::uint32_t replicas, const std::string& app) const {
    return folder_.write("instance.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "n", "capacity":
      {"cpu": )" + std::to_string(capacity) + R"(}}], "apps": [{"name": "a", "replicas": )" +
                                              std::to_string(replicas) + ", " + app +
                                              R"(}], "uncertainty": {"confidence": "99%"}})");
  }
  std::string plan(std::uint32_t replicas) const {
    return folder_.write("plan.csv", "node,app,replicas\nn-1,a," + std::to_string(replicas) + "\n");
  }

  static Json simulated(const std::string& instance, const std::string& plan, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"simulate", instance, plan, "--summary", "json"});
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }

  static std::string refused(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "simulate");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << ::testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Simulate, GaussianUsageExceedsTheCapacityAsOftenAsTheQuantileSays) {
  // Four replicas of N(2, 0.25): mean 8, deviation 1; a capacity of 8 + 2.3263 is exceeded with probability 1 %.
  const Json result = simulated(instance(10.3263, 4, R"("demand": {"cpu": 2}, "deviation": {"cpu": "500m"})"), plan(4),
                                {"--usage", "gaussian", "--samples", "100000"});
  EXPECT_NEAR(result["rate"].get<double>(), 0.01, 4 * std::sqrt(0.01 / 100000));
  EXPECT_LT(result["low"], result["rate"]);
  EXPECT_GT(result["high"], result["rate"]);
  EXPECT_EQ(result["observations"], 100000);
  EXPECT_EQ(result["violations"], result["samples_violated"]);
  EXPECT_NEAR(result["allowed"].get<double>(), 0.01, 1e-12);
  EXPECT_EQ(result["nodes_above"], 0);
  ASSERT_EQ(result["worst"].size(), 1U);
  EXPECT_EQ(result["worst"][0]["node"], "n-1");
  EXPECT_NEAR(result["worst"][0]["mean"].get<double>(), 8, 1e-12);
  EXPECT_NEAR(result["worst"][0]["deviation"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(result["worst"][0]["drawn_mean"].get<double>(), 8, 4 / std::sqrt(100000.0));
}

TEST_F(Simulate, UsageStaysWithinItsRange) {
  const std::string app = R"("demand": {"cpu": 1}, "variance": {"cpu": 1}, "support": {"cpu": [0, 2]})";
  const double deviation_of_mean = 1 / std::sqrt(20000.0);
  // Symmetric around the mean: both ways of keeping the range leave the mean as it is, and nothing passes 2.
  for (const char* usage : {"truncated", "clamped"}) {
    const Json result = simulated(instance(2, 1, app), plan(1), {"--usage", usage, "--samples", "20000"});
    EXPECT_EQ(result["violations"], 0) << usage;
    EXPECT_NEAR(result["worst"][0]["drawn_mean"].get<double>(), 1, 4 * deviation_of_mean) << usage;
  }
  EXPECT_GT(simulated(instance(2, 1, app), plan(1), {"--usage", "gaussian"})["violations"], 0);
  // N(0, 1) above 0: truncated it has mean sqrt(2/pi) = 0.798, clamped 0.399.
  const std::string half = R"("demand": {"cpu": 0}, "variance": {"cpu": 1}, "support": {"cpu": [0, 9]})";
  EXPECT_NEAR(
      simulated(instance(20, 1, half), plan(1), {"--usage", "truncated", "--samples", "40000"})["worst"][0]["drawn_mean"]
          .get<double>(),
      0.79788, 0.015);
  EXPECT_NEAR(simulated(instance(20, 1, half), plan(1), {"--usage", "clamped", "--samples", "40000"})["worst"][0]["drawn_mean"]
                  .get<double>(),
              0.39894, 0.015);
}

TEST_F(Simulate, NarrowRangesAreDrawnFromToo) {
  // N(1, 1) within [1, 1.1] is nearly uniform there.
  const std::string app = R"("demand": {"cpu": 1}, "variance": {"cpu": 1}, "support": {"cpu": [1, 1.1]})";
  const Json result = simulated(instance(1.05, 1, app), plan(1), {"--samples", "20000"});
  EXPECT_NEAR(result["worst"][0]["drawn_mean"].get<double>(), 1.05, 0.002);
  EXPECT_NEAR(result["rate"].get<double>(), 0.5, 0.02);
  // A range without width says nothing of a demand that varies.
  const std::string point = R"("demand": {"cpu": 1}, "variance": {"cpu": 1}, "support": {"cpu": [1, 1]})";
  EXPECT_NEAR(simulated(instance(1, 1, point), plan(1), {"--usage", "clamped"})["rate"].get<double>(), 0.5, 0.03);
}

TEST_F(Simulate, MeasuredUsageIsDrawnReplicaByReplica) {
  // Two replicas that use 1 or 3 each: more than 5 together with probability 1/4.
  const std::string usage = folder_.write("usage.csv", "app,usage\na,1\na,3000m\n");
  const Json result =
      simulated(instance(5, 2, R"("demand": {"cpu": 2})"), plan(2), {"--measured", usage, "--samples", "20000"});
  EXPECT_NEAR(result["rate"].get<double>(), 0.25, 0.0125);
  EXPECT_EQ(result["measurements"], 2);
  const std::string named = folder_.write("named.csv", "app,resource,usage\na,cpu,1\na,cpu,3\n");
  EXPECT_EQ(simulated(instance(5, 2, R"("demand": {"cpu": 2})"), plan(2), {"--measured", named, "--samples", "20000"})["rate"],
            result["rate"]);
}

TEST_F(Simulate, ThreadsDoNotChangeTheNumbers) {
  std::string rows = "node,app,replicas\n";
  for (int node = 1; node <= 9; ++node) rows += "n-" + std::to_string(node) + ",a,3\n";
  const std::string nine = folder_.write("nine.csv", rows);
  const std::string path = instance(8, 27, R"("demand": {"cpu": 2}, "variance": {"cpu": 0.5})");
  const auto numbers = [&](const char* threads) {
    Json result =
        simulated(path, nine, {"--threads", threads, "--samples", "500", "--seed", "5", "--csv", folder_.file("n.csv")});
    result.erase("seconds");
    return result.dump() + content(folder_.file("n.csv"));
  };
  const std::string one = numbers("1");
  EXPECT_EQ(numbers("4"), one);
  EXPECT_EQ(numbers("16"), one);
  EXPECT_NE(simulated(path, nine, {"--samples", "500", "--seed", "6"})["violations"],
            simulated(path, nine, {"--samples", "500", "--seed", "5"})["violations"]);
  const std::string csv = content(folder_.file("n.csv"));
  const auto lines = split_lines(csv);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines[0], "node,resource,mean,deviation,capacity,drawn_mean,observations,violations,rate,low,high");
  EXPECT_EQ(split_fields(lines[9], ',')[0], "n-9");
}

TEST_F(Simulate, LoadsPeriodsAndSeveralResources) {
  // Memory is certain and not simulated; the load's variance counts; each of two periods is an observation.
  const std::string path = folder_.write("rich.json", R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
    "periods": 2, "classes": [{"name": "n", "capacity": {"cpu": 10, "memory": 8}}],
    "apps": [{"name": "a", "replicas": 2, "demand": {"cpu": [1, 3], "memory": 4}, "deviation": {"cpu": 0.5}}],
    "nodes": [{"name": "old", "class": "n", "load": {"cpu": 4}, "load_deviation": {"cpu": 0.7}}],
    "uncertainty": {"confidence": 0.99}})");
  const std::string both = folder_.write("both.csv", "node,app,replicas\nold,a,2\n");
  const Json result = simulated(path, both, {"--usage", "gaussian", "--samples", "20000"});
  EXPECT_EQ(result["observations"], 40000);
  ASSERT_EQ(result["worst"].size(), 1U);
  // Period 2: mean 4 + 6 = 10, the capacity, exceeded half of the time; period 1: mean 6, 4 / 0.995 deviations below.
  EXPECT_NEAR(result["rate"].get<double>(), 0.25, 0.01);
  EXPECT_NEAR(result["worst"][0]["mean"].get<double>(), 10, 1e-12);
  EXPECT_NEAR(result["worst"][0]["deviation"].get<double>(), std::sqrt(0.49 + 2 * 0.25), 1e-12);
  EXPECT_NEAR(result["worst"][0]["drawn_mean"].get<double>(), 8, 0.02);
  EXPECT_EQ(result["worst"][0]["resource"], "cpu");
}

TEST_F(Simulate, OfARangeAloneTheMostExtremeUsageIsDrawn) {
  // 0 with probability 3/4, else 4: two of them pass 5 when both are 4.
  const std::string path = folder_.write("bounded.json", R"({"stowage": 1, "resources": {"cpu": ""},
    "classes": [{"name": "n", "capacity": {"cpu": 5}}],
    "apps": [{"name": "a", "replicas": 2, "demand": {"cpu": 1}, "support": {"cpu": [0, 4]}}],
    "uncertainty": {"model": "bounded-support", "confidence": 0.9}})");
  const Json result = simulated(path, plan(2), {"--samples", "20000"});
  EXPECT_NEAR(result["rate"].get<double>(), 0.0625, 0.007);
  EXPECT_NEAR(result["worst"][0]["deviation"].get<double>(), std::sqrt(2 * 3.0), 1e-12);
  EXPECT_NEAR(result["worst"][0]["drawn_mean"].get<double>(), 2, 0.07);
  EXPECT_NEAR(result["allowed"].get<double>(), 0.1, 1e-12);
}

TEST_F(Simulate, TextForPeople) {
  const Outcome outcome = run({"simulate", instance(9, 4, R"("demand": {"cpu": 2}, "variance": {"cpu": 0.25})"), plan(4)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"Capacity exceeded in", "95 % interval", "Allowed: 1 %", "1 node with an interval above", "n-1"}) {
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  }
}

TEST_F(Simulate, RefusesByName) {
  const std::string good = instance(9, 4, R"("demand": {"cpu": 2}, "variance": {"cpu": 0.25})");
  const std::string rows = plan(4);
  EXPECT_TRUE(has(refused({good, rows, "--usage", "magic"}), "truncated, clamped or gaussian"));
  EXPECT_TRUE(has(refused({good, rows, "--samples", "0"}), "--samples"));
  EXPECT_TRUE(has(refused({good, good}), "is an instance; a plan is needed"));
  EXPECT_TRUE(has(refused({good, folder_.write("more.csv", "node,app,replicas\nn-1,a,5\n")}), "more replicas of a"));
  const std::array<std::pair<const char*, const char*>, 8> tables = {
      {{"", "is not a table of measured usage"},
       {"usage\n1\n", "is not a table of measured usage"},
       {"app,usage\n", "holds no measurement"},
       {"app,usage\nb,1\n", ":2: there is no app \"b\""},
       {"app,usage\na,1\na\n", ":3: has a different number of fields"},
       {"app,usage\na,-1\n", ":2: usage: \"-1\" is not an amount"},
       {"app,usage\na,nan\n", ":2: usage: \"nan\" is not an amount"},
       {"app,resource,usage\na,disk,1\n", ":2: there is no resource \"disk\""}}};
  for (const auto& [table, expected] : tables) {
    const std::string message = refused({good, rows, "--measured", folder_.write("usage.csv", table)});
    EXPECT_TRUE(has(message, expected)) << message;
  }
  EXPECT_TRUE(has(refused({instance(9, 4, R"("demand": {"cpu": 2})"), rows}), "nothing varies"));
  const std::string outside = R"("demand": {"cpu": 2}, "variance": {"cpu": 1}, "support": {"cpu": [3, 4]})";
  EXPECT_TRUE(has(refused({instance(9, 4, outside), rows}), "outside of its range"));
}

TEST(GenerateStochastic, EmptyClusters) {
  const TemporaryFolder folder;
  const std::string path = folder.file("empty.json");
  const Outcome outcome = run({"generate", "stochastic", "--services", "17", "--alpha", "99.9%", "--seed", "4", "-o", path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(content(path));
  EXPECT_EQ(json["uncertainty"]["confidence"], 0.999);
  EXPECT_EQ(json["uncertainty"]["model"], "gaussian");
  EXPECT_EQ(json["classes"][0]["capacity"]["cpu"], 31.58);
  EXPECT_EQ(json["classes"][0]["count"], 4000);
  ASSERT_EQ(json["apps"].size(), 17U);
  std::uint64_t containers = 0;
  for (const Json& app : json["apps"]) {
    containers += app["replicas"].get<std::uint64_t>();
    EXPECT_EQ(app["support"]["cpu"][0], 0);
    EXPECT_GT(app["support"]["cpu"][1], app["demand"]["cpu"]);
  }
  // All 17 services have table 5's total already.
  EXPECT_EQ(containers, 10560U);
  EXPECT_FALSE(json.contains("nodes"));
  const std::string again = folder.file("again.json");
  EXPECT_EQ(run({"generate", "stochastic", "--services", "17", "--alpha", "0.999", "--seed", "4", "-o", again}).code, 0);
  EXPECT_EQ(content(again), content(path));
}

TEST(GenerateStochastic, RefusesByName) {
  const TemporaryFolder folder;
  const std::string out = folder.file("x.stow");
  for (const auto& [arguments, expected] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--alpha", "99%", "-o", out}, "--services"},
           {{"--services", "5", "-o", out}, "--alpha"},
           {{"--services", "0", "--alpha", "99%", "-o", out}, "--services"},
           {{"--services", "5", "--alpha", "100%", "-o", out}, "--alpha: \"100%\" is not a probability"},
           {{"--services", "5", "--alpha", "0", "-o", out}, "--alpha: \"0\" is not a probability"},
           {{"--services", "5", "--alpha", "lots", "-o", out}, "--alpha: \"lots\""},
           {{"--services", "5", "--alpha", "99%", "--case", "up", "-o", out}, "--case: \"up\" is not a case"},
           {{"--services", "5", "--alpha", "99%", "-o", folder.file("x.tsv")}, "the .tsv layout cannot express"},
           {{"--services", "5", "--alpha", "99%"}, "--output"}}) {
    std::vector<std::string> all = {"generate", "stochastic"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(has(outcome.err, expected)) << outcome.err;
  }
  // Without the subcommand, everything is as it was.
  EXPECT_TRUE(has(run({"generate", "--density", "1%", "-o", out}).err, "--lras is required"));
  EXPECT_TRUE(has(run({"generate", "--lras", "3", "-o", out}).err, "--density is required"));
  EXPECT_TRUE(has(run({"generate", "--lras", "3", "--density", "1%"}).err, "--output is required"));
}

}  // namespace
}  // namespace stowage::cli::testing
