#include <nlohmann/json.hpp>
#include <string>

#include "capi/lab/imports/imports.h"
#include "capi/text/base/failure.h"
#include "tests/lab/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

class Rasa : public ::testing::Test {
 protected:
  InstanceData import(const std::string& machines = R"("*")", const std::string& peer = "b") {
    return import_rasa(folder_.write("M.json", R"json({
      "ServiceList": [
        {"Service": "a", "RequestCPU": 2, "RequestMem": 1, "ContainerList": ["c0", "c1"], "CompatibleMachines": )json" +
                                                   machines + R"json(},
        {"Service": "b", "RequestCPU": 1, "RequestMem": 3, "ContainerList": ["c2"], "CompatibleMachines": "*"}],
      "MachineList": [
        {"MachineIP": "m0", "TotalCPU": 8, "TotalMem": 16, "InitialDeployingContainers": ["c1"]},
        {"MachineIP": "m1", "TotalCPU": 4, "TotalMem": 16, "InitialDeployingContainers": ["c0", "c2"]},
        {"MachineIP": "m2", "TotalCPU": 8, "TotalMem": 16, "InitialDeployingContainers": []}],
      "TrafficList": [{"Service1": "a", "Service2": ")json" +
                                                   peer + R"json(", "Traffic": 0.5}]})json"));
  }
  TemporaryFolder folder_;
};

TEST_F(Rasa, MachinesOfOneCapacityAreAClass) {
  const InstanceData data = import();
  EXPECT_EQ(data.apps.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.apps.replicas, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(data.apps.demand, (std::vector<double>{2, 1, 1, 3}));
  ASSERT_EQ(data.classes.size(), 2U);
  EXPECT_EQ(data.classes[0].count, 2U);
  EXPECT_EQ(data.nodes.node_class, (std::vector<std::uint32_t>{0, 1, 0}));
  ASSERT_EQ(data.running.size(), 3U);
  EXPECT_EQ(data.running[1].node(), 1U);
  ASSERT_EQ(data.traffic.size(), 1U);
  EXPECT_EQ(data.traffic[0].amount(), 0.5);
}

TEST_F(Rasa, RefusesWhatItDoesNotRead) {
  EXPECT_THROW(import(R"(["m0"])"), Failure);
  EXPECT_THROW(import(R"("*")", "z"), Failure);
}

// The best published plan keeps 84.9 % of the traffic on machines. A fixed work limit makes the run repeat.
TEST(RasaData, M3KeepsMoreTrafficThanPublished) {
  STOWAGE_NEEDS_SHARED(path, "data/public/rasa_M3.json");
  TemporaryFolder folder;
  const std::string instance = folder.file("m3.stow");
  ASSERT_EQ(run_lab({"import", "rasa", "--cluster", path, "-o", instance}).code, kExitOk);
  const Outcome planned =
      run({"plan", instance, "--objective", "traffic", "--moves", "3485", "--work", "3000000", "--summary", "json"});
  ASSERT_EQ(planned.code, kExitOk) << planned.err;
  const Json plan = Json::parse(planned.out);
  EXPECT_EQ(plan["unplaced"], 0) << planned.out;
  EXPECT_LT(plan["remote_traffic"].get<double>(), 0.151);
  EXPECT_LE(plan["remote_traffic_bound"].get<double>(), plan["remote_traffic"].get<double>());
}

}  // namespace
}  // namespace stowage::cli::testing
