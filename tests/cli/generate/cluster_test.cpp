// `stowage generate cluster`: priced node types in zones, and apps with any of many features.
#include "capi/cli/generate/cluster/cluster.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "capi/cli/library/library.h"
#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// `features` as --features takes them.
cluster::Options cluster_of(std::uint32_t apps, const std::string& features, std::uint64_t seed = 1) {
  cluster::Options options;
  options.apps = apps;
  options.seed = seed;
  cluster::add_features(features, "--features", options);
  return options;
}

std::uint64_t hash_of(const cluster::Options& options) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::uint8_t byte : bytes_of(encode_instance(cluster::generate(options)))) hash = (hash ^ byte) * 0x100000001B3ULL;
  return hash;
}

/// Rules whose names end like this.
std::vector<const PlacementRuleData*> rules_with(const InstanceData& data, const std::string& ending) {
  std::vector<const PlacementRuleData*> rules;
  for (const PlacementRuleData& rule : data.rules) {
    if (rule.name.ends_with(ending)) rules.push_back(&rule);
  }
  return rules;
}

/// The independent checker accepts a plan that leaves everything where it runs, and nothing is violated or unplaced.
void expect_running_is_sound(const cluster::Options& options, const std::string& features) {
  InstanceBytes bytes(encode_instance(cluster::generate(options)));
  Instance instance = load_bytes(bytes, "test");
  const Workload workload{"test", std::move(bytes), std::move(instance), 0};
  RequestOptions request;
  request.planner = "ff";
  std::ostringstream out;
  const PlanRun run = run_plan(workload, request, Console{out, out});
  const wire::Plan& plan = run.root();
  EXPECT_EQ(plan.unplaced()->size(), 0U) << features;
  EXPECT_EQ(plan.node_class()->size(), workload.root().nodes()->node_class()->size()) << features;
  const auto report = verify_plan(workload.instance, run.plan.span());
  EXPECT_EQ(report.body().violation_count(), 0U) << features;
  EXPECT_EQ(report.body().inherited_count(), 0U) << features;
  EXPECT_EQ(given(report.body().rule_violations()), false) << features;
}

TEST(GenerateCluster, TheSameOptionsGiveTheSameBytesEverywhere) {
  // Pinned. A deliberate change of the generator changes them, and says so in the changelog.
  EXPECT_EQ(hash_of(cluster_of(300, "none")), 17789407134278538310ULL);
  EXPECT_EQ(hash_of(cluster_of(300, "all+near+gather+exclusions")), 2012419048042431615ULL);
  EXPECT_EQ(hash_of(cluster_of(300, "continuous+periods+uncertain")), 16771124017923975426ULL);
  cluster::Options busy = cluster_of(100, "all");
  busy.running = 1.5;
  busy.priorities = 3;
  EXPECT_EQ(hash_of(busy), 1872887769347694417ULL);
  EXPECT_NE(hash_of(cluster_of(300, "none", 2)), hash_of(cluster_of(300, "none")));
}

TEST(GenerateCluster, HasPricedTypesInEveryZone) {
  const InstanceData data = cluster::generate(cluster_of(10, "none"));
  ASSERT_EQ(data.classes.size(), 18U);
  EXPECT_EQ(data.classes[6].name, "general-2-b");
  EXPECT_EQ(data.classes[6].capacity, (std::vector<double>{1.88, 7.36, 58}));
  EXPECT_EQ(data.classes[6].labels, (std::vector<std::string>{"zone=b", "arch=x86"}));
  EXPECT_EQ(data.classes[6].price, 0.096);
  EXPECT_EQ(std::count_if(data.classes.begin(), data.classes.end(),
                          [](const NodeClassData& one) { return one.labels[1] == "arch=arm"; }),
            3);
  cluster::Options options = cluster_of(10, "one-class");
  options.zones = 2;
  const InstanceData one = cluster::generate(options);
  ASSERT_EQ(one.classes.size(), 2U);
  EXPECT_LT(one.classes[0].price, 0);
}

TEST(GenerateCluster, DrawsTheStatedDistributions) {
  constexpr std::uint32_t kApps = 20'000;
  const InstanceData data = cluster::generate(cluster_of(kApps, "none"));
  std::map<std::uint32_t, double> replicas;
  double cpu = 0;
  double per_core = 0;
  for (std::uint32_t app = 0; app < kApps; ++app) {
    replicas[data.apps.replicas[app]] += 1.0 / kApps;
    cpu += data.apps.demand[3 * app] / kApps;
    per_core += data.apps.demand[3 * app + 1] / data.apps.demand[3 * app] / kApps;
    ASSERT_EQ(data.apps.demand[3 * app + 2], 1);
  }
  EXPECT_EQ(replicas.size(), 7U);
  EXPECT_NEAR(replicas[3], 0.3, 0.01);
  EXPECT_NEAR(replicas[20], 0.1, 0.01);
  EXPECT_NEAR(cpu, 8.35 / 8, 0.02);
  EXPECT_NEAR(per_core, 3.8, 0.05);
  // Each demand times 0.85 to 1.15, and nothing else changes.
  const InstanceData varied = cluster::generate(cluster_of(kApps, "continuous"));
  EXPECT_EQ(varied.apps.replicas, data.apps.replicas);
  for (std::size_t k = 0; k < data.apps.demand.size(); ++k) {
    ASSERT_NEAR(varied.apps.demand[k] / data.apps.demand[k], 1, 0.156);
  }
}

TEST(GenerateCluster, GivesEachFeatureItsShare) {
  constexpr std::uint32_t kApps = 10'000;
  const InstanceData data = cluster::generate(cluster_of(kApps, "all"));
  EXPECT_NEAR(static_cast<double>(data.limits.app.size()) / kApps, 0.4, 0.02);
  EXPECT_NEAR(static_cast<double>(rules_with(data, ": on x86").size()) / kApps, 0.2, 0.02);
  EXPECT_NEAR(static_cast<double>(rules_with(data, ": apart").size()) / kApps, 0.3, 0.02);
  // Half of the 90 % with two replicas and more.
  EXPECT_NEAR(static_cast<double>(rules_with(data, ": even over zones").size()) / kApps, 0.45, 0.02);
  EXPECT_TRUE(rules_with(data, ": even over zones").front()->hard);
  EXPECT_FALSE(rules_with(data, ": apart").front()->hard);
  EXPECT_FALSE(rules_with(cluster::generate(cluster_of(100, "spread-soft")), ": even over zones").front()->hard);
  // Turning on another feature keeps sizes and limits.
  const InstanceData limited = cluster::generate(cluster_of(kApps, "limits"));
  EXPECT_EQ(limited.limits.app, data.limits.app);
  EXPECT_EQ(limited.apps.demand, data.apps.demand);
}

TEST(GenerateCluster, ExclusionsAreMutual) {
  const InstanceData data = cluster::generate(cluster_of(200, "exclusions"));
  std::set<std::pair<std::size_t, std::uint32_t>> arcs;
  for (std::size_t app = 0; app < 200; ++app) {
    for (std::size_t k = data.limits.row_begin[app]; k < data.limits.row_begin[app + 1]; ++k) {
      arcs.emplace(app, data.limits.app[k]);
      EXPECT_EQ(data.limits.at_most[k], 0U);
    }
  }
  EXPECT_EQ(arcs.size(), 200U * 6);
  for (const auto& [one, other] : arcs) EXPECT_TRUE(arcs.contains({other, one}));
}

TEST(GenerateCluster, WhatIsNearAnotherCanBe) {
  const cluster::Options options = cluster_of(2'000, "near+gather+spread-hard+exclusions");
  const InstanceData data = cluster::generate(options);
  const NameIndex names(data.apps.names);
  std::set<std::string> taken;
  std::size_t near = 0;
  for (const PlacementRuleData& rule : data.rules) {
    const std::size_t at = rule.name.find(": beside ");
    if (at == std::string::npos) continue;
    ++near;
    const std::uint32_t app = names.find(rule.name.substr(0, at));
    const std::uint32_t other = names.find(rule.name.substr(at + 9));
    ASSERT_LT(std::max(app, other), 2'000U);
    EXPECT_LE(data.apps.replicas[app], data.apps.replicas[other]);
    // An app is in one pair at most, and in no group.
    for (const std::uint32_t one : {app, other}) {
      EXPECT_TRUE(taken.insert(data.apps.names[one]).second);
      EXPECT_EQ(data.apps.tag_begin[one], data.apps.tag_begin[one + 1]);
    }
    const auto* row = data.limits.app.data();
    EXPECT_EQ(std::count(row + data.limits.row_begin[app], row + data.limits.row_begin[app + 1], other), 0);
  }
  EXPECT_NEAR(static_cast<double>(near), 0.1 * 2'000, 50);
  const auto groups = rules_with(data, ": in one zone");
  EXPECT_NEAR(static_cast<double>(groups.size()), 0.2 * 0.8 * 2'000 / 3, 25);
  EXPECT_EQ(groups.front()->any_of[0][0].kind, wire::CardinalityKind::NodeSets);
}

TEST(GenerateCluster, ProfilesStayBelowTheConstantDemand) {
  const InstanceData fixed = cluster::generate(cluster_of(500, "none"));
  const InstanceData day = cluster::generate(cluster_of(500, "periods+uncertain"));
  ASSERT_EQ(day.periods, 24U);
  std::vector<double> total(24, 0);
  for (std::size_t app = 0; app < 500; ++app) {
    const double* row = day.apps.demand.data() + app * 72;
    for (std::size_t period = 0; period < 24; ++period) total[period] += row[period];
    EXPECT_LE(*std::max_element(row, row + 24), fixed.apps.demand[3 * app]);
    EXPECT_GT(*std::min_element(row, row + 24), 0);
    EXPECT_EQ(*std::min_element(row + 24, row + 48), fixed.apps.demand[3 * app + 1]);
    EXPECT_EQ(*std::max_element(row + 24, row + 48), fixed.apps.demand[3 * app + 1]);
    const double deviation = 0.2 * fixed.apps.demand[3 * app];
    EXPECT_DOUBLE_EQ(day.apps.variance[3 * app], deviation * deviation);
    EXPECT_EQ(day.apps.variance[3 * app + 1], 0);
  }
  EXPECT_GT(*std::max_element(total.begin(), total.end()), 1.4 * *std::min_element(total.begin(), total.end()));
  EXPECT_EQ(day.uncertainty->confidence, 0.99);
}

TEST(GenerateCluster, WhatRunsKeepsEveryRule) {
  for (const char* features : {"none", "all", "all+near+gather+exclusions+periods+uncertain+continuous", "spread-soft+near",
                               "one-class+near+uncertain+limits"}) {
    cluster::Options options = cluster_of(200, features);
    options.running = 1.5;
    expect_running_is_sound(options, features);
  }
}

TEST(GenerateCluster, WhatRunsCostsAboutTheFactor) {
  const auto cost_of = [](double factor) {
    cluster::Options options = cluster_of(1'000, "limits");
    options.running = factor;
    const InstanceData data = cluster::generate(options);
    double cost = 0;
    for (const std::uint32_t node_class : data.nodes.node_class) cost += data.classes[node_class].price;
    return cost;
  };
  const InstanceBytes bytes(encode_instance(cluster::generate(cluster_of(1'000, "limits"))));
  const Instance instance = load_bytes(bytes, "test");
  double bound = 0;
  const auto report = bounds(instance);
  for (const wire::BoundEntry* one : *report.body().entries()) {
    if (one->objective()->str() == "cost") bound = std::max(bound, one->value());
  }
  ASSERT_GT(bound, 0);
  EXPECT_NEAR(cost_of(1.5) / bound, 1.5, 0.05);
  EXPECT_NEAR(cost_of(3) / bound, 3, 0.1);
}

TEST(GenerateCluster, OptionsOverrideFeaturesAndWrongOnesAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cluster.json");
  const auto outcome = run({"generate", "cluster", "--apps", "50", "--features", "all", "--limits", "0", "--soft-apart",
                            "--selectors", "100%", "--spread", "soft", "--priorities", "3", "-o", path});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(content(path));
  std::map<std::string, int> rules;
  std::set<int> priorities;
  for (const Json& rule : json["rules"]) {
    const std::string name = rule["name"];
    ++rules[name.substr(name.find(": "))];
  }
  for (const Json& app : json["apps"]) {
    EXPECT_FALSE(app.contains("max_per_node"));
    priorities.insert(app.value("priority", 0));
  }
  EXPECT_EQ(rules[": on x86"], 50);
  EXPECT_GT(rules[": apart"], 0);
  EXPECT_EQ(priorities, (std::set<int>{0, 1, 2}));
  const auto refusal_of = [&](const std::vector<std::string>& arguments) {
    return run(joined({"generate", "cluster", "-o", path}, arguments)).err;
  };
  EXPECT_TRUE(has(refusal_of({"--limits", "2"}), "--limits: \"2\" is not a share up to 100 %"));
  EXPECT_TRUE(has(refusal_of({"--uncertain", "0.6"}), "--uncertain: \"0.6\" is not a share up to 50 %"));
  EXPECT_TRUE(has(refusal_of({"--spread", "wide"}), "--spread: \"wide\""));
  EXPECT_TRUE(has(refusal_of({"--classes", "two"}), "--classes: \"two\""));
  EXPECT_TRUE(has(refusal_of({"--features", "all+magic"}), "--features: \"magic\" is not a feature"));
  EXPECT_TRUE(has(refusal_of({"--exclusions", "many"}), "--exclusions: \"many\""));
  EXPECT_TRUE(has(refusal_of({"--apps", "10", "--exclusions", "5"}), "--exclusions: must be less than half"));
}

}  // namespace
}  // namespace stowage::cli::testing
