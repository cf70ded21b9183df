#include "capi/lab/tianchi/tianchi.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "capi/cli/formats/instance/instance_tsv.h"
#include "capi/text/base/failure.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

class Tianchi : public ::testing::Test {
 protected:
  TianchiOptions small() {
    TianchiOptions options;
    options.apps = folder_.write("apps", "app_1,0.5|1.25|1,4|4|4,60,0,0,0\napp_2,1|1|1,7.5|8|7,100,7,3,10\n");
    options.interference = folder_.write("interference", "app_1,app_1,0\napp_1,app_2,1\napp_2,app_2,2\n");
    options.deploy =
        folder_.write("deploy", "inst_1,app_1,machine_1\ninst_2,app_1,\ninst_3,app_2,machine_3\ninst_4,app_2,machine_3\n");
    options.machines =
        folder_.write("machines", "machine_1,32,64,1440,7,3,7\nmachine_2,92,288,2457,7,7,9\nmachine_3,32,64,1440,7,3,7\n");
    return options;
  }

  TemporaryFolder folder_;
};

TEST_F(Tianchi, ReadsTheRawFiles) {
  const InstanceData data = import_tianchi(small());
  EXPECT_EQ(data.periods, 3U);
  ASSERT_EQ(data.resources.size(), 6U);
  EXPECT_EQ(data.apps.replicas, (std::vector<std::uint32_t>{2, 2}));
  EXPECT_EQ(std::vector<double>(data.apps.demand.begin(), data.apps.demand.begin() + 9),
            (std::vector<double>{0.5, 1.25, 1, 4, 4, 4, 60, 60, 60}));
  // app_1 beside itself: 0 + 1 in all; app_2: 2 + 1.
  EXPECT_EQ(data.limits.row_begin, (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(data.limits.at_most, (std::vector<std::uint32_t>{1, 1, 3}));
  ASSERT_EQ(data.classes.size(), 2U);
  EXPECT_EQ(data.classes[0].name, "32x64");
  EXPECT_EQ(data.classes[0].count, 2U);
  EXPECT_EQ(data.classes[1].capacity, (std::vector<double>{92, 288, 2457, 7, 7, 9}));
  EXPECT_EQ(data.nodes.node_class, (std::vector<std::uint32_t>{0, 1, 0}));
  ASSERT_EQ(data.running.size(), 2U);
  EXPECT_EQ(data.running[1].app(), 1U);
  EXPECT_EQ(data.running[1].node(), 2U);
  EXPECT_EQ(data.running[1].replicas(), 2U);
}

TEST_F(Tianchi, StaticTakesTheMaximumAndCeilRoundsUp) {
  TianchiOptions options = small();
  options.fixed = true;
  options.resources = {"memory", "cpu"};
  EXPECT_EQ(import_tianchi(options).apps.demand, (std::vector<double>{1.25, 4, 1, 8}));
  options.round_up = true;
  EXPECT_EQ(import_tianchi(options).apps.demand, (std::vector<double>{2, 4, 1, 8}));
}

TEST_F(Tianchi, ANodeReplacesMachinesAndDeployment) {
  TianchiOptions options = small();
  options.resources = {"cpu"};
  options.node = "cores=16";
  options.machines.clear();
  const InstanceData data = import_tianchi(options);
  EXPECT_TRUE(data.running.empty());
  EXPECT_TRUE(data.nodes.node_class.empty());
  EXPECT_EQ(data.classes[0].capacity, (std::vector<double>{16}));
  EXPECT_EQ(data.apps.replicas, (std::vector<std::uint32_t>{2, 2}));
}

TEST_F(Tianchi, P0SettingHasNoSelfLimits) {
  TianchiOptions options = small();
  options.p0 = true;
  options.fixed = true;
  const InstanceData data = import_tianchi(options);
  EXPECT_EQ(data.apps.demand, (std::vector<double>{2, 4, 1, 8}));
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(data.classes[0].capacity, (std::vector<double>{64, 128}));
}

TEST_F(Tianchi, RefusalsNameFileAndLine) {
  const auto refusal_of = [](const TianchiOptions& options) -> std::string {
    try {
      import_tianchi(options);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "accepted";
  };
  TianchiOptions options = small();
  options.interference = folder_.write("interference", "app_1,app_9,0\n");
  EXPECT_NE(refusal_of(options).find("interference:1: there is no app \"app_9\""), std::string::npos) << refusal_of(options);
  options = small();
  options.apps = folder_.write("apps", "app_1,0.5|x,4|4,60,0,0,0\n");
  EXPECT_NE(refusal_of(options).find("apps:1: \"x\" is not a number"), std::string::npos);
  options = small();
  options.apps = folder_.write("apps", "app_1,0.5|1,4,60,0,0,0\n");
  EXPECT_NE(refusal_of(options).find("different numbers of CPU and memory samples"), std::string::npos);
  options = small();
  options.deploy = folder_.write("deploy", "inst_1,app_1\n");
  EXPECT_NE(refusal_of(options).find("has 2 columns; expected 3 for --deploy"), std::string::npos);
  options = small();
  options.deploy = folder_.write("deploy", "inst_1,app_1,machine_7\n");
  EXPECT_NE(refusal_of(options).find("there is no machine \"machine_7\""), std::string::npos);
  options = small();
  options.resources = {"gpu"};
  EXPECT_NE(refusal_of(options).find("there is no resource \"gpu\""), std::string::npos);
  options = small();
  options.machines.clear();
  EXPECT_NE(refusal_of(options).find("--machines: is missing"), std::string::npos);
}

TianchiOptions published(const std::string& apps) {
  const std::string folder = apps.substr(0, apps.find_last_of('/') + 1) + "scheduling_preliminary_b_";
  TianchiOptions options;
  options.apps = apps;
  options.interference = folder + "app_interference_20180726.csv";
  options.deploy = folder + "instance_deploy_20180726.csv";
  options.machines = folder + "machine_resources_20180726.csv";
  return options;
}

TEST(TianchiPublished, P0StaticIsThePublishedExtract) {
  STOWAGE_NEEDS_SHARED(apps, "data/tianchi-2018-b/scheduling_preliminary_b_app_resources_20180726.csv");
  STOWAGE_NEEDS_SHARED(extract, "data/tianchi-2018-b/TClab_dataset_2D.csv");
  TianchiOptions options = published(apps);
  options.p0 = true;
  options.fixed = true;
  const InstanceData ours = import_tianchi(options);
  const InputFile file(extract);
  const InstanceData theirs = read_instance_tsv(file.text(), file.name());
  EXPECT_EQ(ours.apps.replicas, theirs.apps.replicas);
  EXPECT_EQ(ours.apps.demand, theirs.apps.demand);
  ASSERT_EQ(ours.limits.row_begin, theirs.limits.row_begin);
  EXPECT_EQ(ours.limits.app.size(), 24078U);
  const auto sorted_rows = [](const AffinityLimitsData& limits) {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> rows;
    for (std::size_t app = 0; app + 1 < limits.row_begin.size(); ++app) {
      auto& row = rows.emplace_back();
      for (std::size_t k = limits.row_begin[app]; k < limits.row_begin[app + 1]; ++k)
        row.emplace_back(limits.app[k], limits.at_most[k]);
      std::sort(row.begin(), row.end());
    }
    return rows;
  };
  EXPECT_EQ(sorted_rows(ours.limits), sorted_rows(theirs.limits));
  for (std::size_t app = 0; app < ours.apps.names.size(); ++app)
    EXPECT_EQ(ours.apps.names[app], "app_" + theirs.apps.names[app]);
}

TEST(TianchiPublished, WholeClusterWithItsDeployment) {
  STOWAGE_NEEDS_SHARED(apps, "data/tianchi-2018-b/scheduling_preliminary_b_app_resources_20180726.csv");
  const InstanceData data = import_tianchi(published(apps));
  EXPECT_EQ(data.periods, 98U);
  EXPECT_EQ(data.limits.app.size(), 33416U);
  ASSERT_EQ(data.classes.size(), 2U);
  EXPECT_EQ(data.classes[0].count, 3000U);
  EXPECT_EQ(data.classes[1].count, 3000U);
  EXPECT_EQ(data.nodes.names.size(), 6000U);
  std::uint64_t replicas = 0;
  for (const std::uint32_t count : data.apps.replicas) replicas += count;
  EXPECT_EQ(replicas, 68224U);
  EXPECT_FALSE(data.running.empty());
}

TEST(TianchiPublished, P0ProfilesHaveTheKnownBounds) {
  STOWAGE_NEEDS_SHARED(apps, "data/tianchi-2018-b/scheduling_preliminary_b_app_resources_20180726.csv");
  const std::string prefix = apps.substr(0, apps.find("app_resources"));
  const TemporaryFolder folder;
  const std::string path = folder.file("profiles.stow");
  ASSERT_EQ(run_lab({"import", "tianchi", "--p0", "--profile", "--apps", apps, "--interference",
                     prefix + "app_interference_20180726.csv", "--deploy", prefix + "instance_deploy_20180726.csv", "-o", path})
                .code,
            0);
  const nlohmann::json bounds = nlohmann::json::parse(run({"bound", path, "--summary", "json"}).out)["bounds"];
  EXPECT_EQ(bounds[0]["value"], 4953);
  EXPECT_EQ(bounds[0]["name"], "solitary");
  EXPECT_EQ(bounds[1]["value"], 4953);
  EXPECT_EQ(bounds[1]["name"], "columns");
  EXPECT_EQ(bounds[2]["value"], 4952);
  EXPECT_EQ(bounds[2]["resource"], "memory");
}

}  // namespace
}  // namespace stowage::cli::testing
