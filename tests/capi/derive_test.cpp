// Instances that are derived of others: each is the instance that its bytes load as.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "derivation_generated.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "request_generated.h"
#include "tests/capi/test_data.h"

namespace {

namespace wire = stowage::wire;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kNotGiven = 0xFFFFFFFF;

bool same(const stowage::Buffer& a, const stowage::Buffer& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

Bytes finished(const std::function<flatbuffers::Offset<wire::Derivation>(flatbuffers::FlatBufferBuilder&)>& make) {
  flatbuffers::FlatBufferBuilder builder;
  wire::FinishDerivationBuffer(builder, make(builder));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

Bytes factors(double demand, double replicas, double capacity, double load = 1, double limits = 1) {
  return finished([&](auto& b) { return wire::CreateDerivation(b, 1, 0, demand, replicas, capacity, load, 1, limits); });
}

Bytes request_for(const char* planner, std::uint64_t work_limit) {
  flatbuffers::FlatBufferBuilder builder;
  const auto name = builder.CreateString(planner);
  wire::RequestBuilder request(builder);
  request.add_planner(name);
  request.add_work_limit(work_limit);
  wire::FinishRequestBuffer(builder, request.Finish());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> instances() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(STOWAGE_CONFORMANCE)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Expects both instances to give the same plan, byte for byte, or the same refusal.
void expect_same_plans(const stowage::Instance& a, const stowage::Instance& b, const char* planner) {
  const Bytes request = request_for(planner, 20'000);
  stowage_error failures[2] = {};
  stowage_buffer buffers[2] = {};
  const stowage_status first = stowage_plan(a.get(), request.data(), request.size(), nullptr, &buffers[0], &failures[0]);
  const stowage_status second = stowage_plan(b.get(), request.data(), request.size(), nullptr, &buffers[1], &failures[1]);
  const stowage::Buffer plan(buffers[0]);
  const stowage::Buffer other(buffers[1]);
  ASSERT_EQ(first, second) << failures[0].message << failures[1].message;
  EXPECT_STREQ(failures[0].message, failures[1].message);
  if (first != STOWAGE_OK) return;
  EXPECT_TRUE(same(plan, other)) << planner;
  const stowage::Buffer report = b.verify(plan);
  EXPECT_TRUE(wire::GetReport(report.data())->body_as_Verification()->ok()) << planner;
}

TEST(Derive, PlansAreThoseOfTheBytesThatWereSavedAndLoaded) {
  const Bytes derivations[] = {factors(1, 1, 1), factors(1.3, 1, 1), factors(0.5, 2, 1), factors(1, 1, 1.5, 0.5),
                               factors(0.7, 1.1, 1, 1, 0.5)};
  std::size_t derived_instances = 0;
  for (const auto& path : instances()) {
    SCOPED_TRACE(path.filename());
    const Bytes bytes = read_file(path);
    const stowage::Instance instance = stowage::Instance::load(bytes);
    for (const Bytes& derivation : derivations) {
      stowage_instance* handle = nullptr;
      stowage_error error{};
      const stowage_status status =
          stowage_instance_derive(instance.get(), derivation.data(), derivation.size(), nullptr, &handle, &error);
      stowage_instance_free(handle);
      if (status != STOWAGE_OK) {
        // Devices come whole: a scaled capacity or demand need not.
        EXPECT_TRUE(status == STOWAGE_INVALID) << error.path << ": " << error.message;
        continue;
      }
      ++derived_instances;
      const stowage::Instance derived = instance.derive(derivation);
      const stowage::Buffer saved = derived.save();
      const stowage::Instance loaded = stowage::Instance::load(saved);
      EXPECT_EQ(derived.fingerprint(), loaded.fingerprint());
      EXPECT_TRUE(same(saved, loaded.save())) << "bytes that were saved are saved alike";
      for (const char* planner : {"ff", "bfd-avg", "auto"}) expect_same_plans(derived, loaded, planner);
      EXPECT_TRUE(same(derived.bound(), loaded.bound()));
    }
  }
  EXPECT_GE(derived_instances, 4 * instances().size());
}

TEST(Derive, OtherNumbersHaveOtherFingerprintsAndPlansOfTheOriginalAreNotTheirs) {
  const stowage::Instance instance = stowage::Instance::load(stowage::test::read_data("small_instance.stow"));
  const stowage::Instance same_again = instance.derive(factors(1, 1, 1));
  const stowage::Instance grown = instance.derive(factors(1.5, 1, 1));
  EXPECT_EQ(same_again.fingerprint(), instance.fingerprint());
  EXPECT_NE(grown.fingerprint(), instance.fingerprint());
  const stowage::Buffer plan = instance.plan(stowage::test::read_data("ff_request.stowreq"));
  const stowage::Buffer report = grown.verify(plan);
  EXPECT_FALSE(wire::GetReport(report.data())->body_as_Verification()->ok());
}

// Three web of 2 cores and one db of 4 on nodes of 8: 1.25 nodes, and 2 by the limits. With twice the replicas, half the
// capacity of memory (8, of which web takes 4): two web to a node, or one db alone: 3 + 2 nodes.
TEST(Derive, ChangesByNameAsByHand) {
  const stowage::Instance instance = stowage::Instance::load(stowage::test::read_data("small_instance.stow"));
  const Bytes derivation = finished([](auto& b) {
    const std::vector<flatbuffers::Offset<wire::ResourceFactors>> resources = {
        wire::CreateResourceFactors(b, b.CreateString("memory"), kNotGiven, 1, 0.5)};
    const std::vector<flatbuffers::Offset<wire::AppChange>> apps = {
        wire::CreateAppChange(b, b.CreateString("web"), kNotGiven, 6), wire::CreateAppChange(b, 0, 1, kNotGiven, 2)};
    const auto by_resource = b.CreateVector(resources);
    const auto by_app = b.CreateVector(apps);
    return wire::CreateDerivation(b, 1, 0, 1, 1, 1, 1, 1, 1, by_resource, by_app);
  });
  const stowage::Instance derived = instance.derive(derivation);
  const stowage::Buffer saved = derived.save();
  const wire::Instance& content = *wire::GetInstance(saved.data());
  EXPECT_EQ(content.apps()->replicas()->Get(0), 6u);
  EXPECT_EQ(content.apps()->replicas()->Get(1), 2u);
  EXPECT_EQ(content.classes()->Get(0)->capacity()->Get(0), 8);
  EXPECT_EQ(content.classes()->Get(0)->capacity()->Get(1), 8);
  const stowage::Buffer plan = derived.plan(stowage::test::read_data("ff_request.stowreq"));
  EXPECT_EQ(wire::GetPlan(plan.data())->node_class()->size(), 5u);
}

TEST(Derive, OutlivesTheInstanceItIsMadeOf) {
  const auto derived = [] {
    return stowage::Instance::load(stowage::test::read_data("small_instance.stow")).derive(factors(1, 2, 1));
  }();
  const stowage::Buffer plan = derived.plan(stowage::test::read_data("ff_request.stowreq"));
  EXPECT_EQ(wire::GetPlan(plan.data())->unplaced()->size(), 0u);
}

TEST(Derive, TheLimitsOfTheInstanceHoldUnlessOthersAreGiven) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_replicas = 6;
  const stowage::Instance instance = stowage::Instance::load(stowage::test::read_data("small_instance.stow"), limits);
  try {
    instance.derive(factors(1, 2, 1));
    FAIL() << "8 replicas are more than 6";
  } catch (const stowage::Error& error) {
    EXPECT_EQ(error.status(), STOWAGE_LIMIT_EXCEEDED);
    EXPECT_STREQ(error.path(), "apps.replicas[1]");
  }
  limits.max_replicas = 8;
  EXPECT_EQ(wire::GetInstance(instance.derive(factors(1, 2, 1), limits).save().data())->apps()->replicas()->Get(1), 2u);
  limits.max_bytes = 10;
  EXPECT_THROW(instance.derive(factors(1, 1, 1), limits), stowage::Error);
}

TEST(Derive, SessionsInstancesAreSavedAndDerived) {
  for (const auto& path : instances()) {
    SCOPED_TRACE(path.filename());
    stowage::Session session = stowage::Session::open(read_file(path));
    const stowage::Instance instance = session.instance();
    const stowage::Buffer saved = instance.save();
    EXPECT_EQ(stowage::Instance::load(saved).fingerprint(), instance.fingerprint());
    EXPECT_EQ(instance.derive(factors(1, 1, 1)).fingerprint(), instance.fingerprint());
    EXPECT_EQ(wire::GetInstance(saved.data())->session(), nullptr);
  }
}

TEST(Derive, LimitsThatWereLoadedInAnotherOrderAreNotSaved) {
  flatbuffers::FlatBufferBuilder b;
  const std::vector<flatbuffers::Offset<wire::Resource>> resources = {wire::CreateResource(b, b.CreateString("cpu"))};
  const std::vector<flatbuffers::Offset<wire::NodeClass>> classes = {
      wire::CreateNodeClass(b, 0, b.CreateVector(std::vector<double>{8}))};
  const auto replicas = b.CreateVector(std::vector<std::uint32_t>{1, 1, 1});
  const auto demand = b.CreateVector(std::vector<double>{1, 1, 1});
  wire::AppsBuilder apps(b);
  apps.add_replicas(replicas);
  apps.add_demand(demand);
  const auto all_apps = apps.Finish();
  const auto begin = b.CreateVector(std::vector<std::uint32_t>{0, 2, 2, 2});
  const auto app = b.CreateVector(std::vector<std::uint32_t>{2, 1});
  const auto at_most = b.CreateVector(std::vector<std::uint32_t>{0, 0});
  const auto limits = wire::CreateAffinityLimits(b, begin, app, at_most);
  const auto all_resources = b.CreateVector(resources);
  const auto all_classes = b.CreateVector(classes);
  wire::InstanceBuilder root(b);
  root.add_resources(all_resources);
  root.add_apps(all_apps);
  root.add_classes(all_classes);
  root.add_limits(limits);
  wire::FinishInstanceBuffer(b, root.Finish());
  const stowage::Instance instance = stowage::Instance::load(stowage::ByteView(b.GetBufferPointer(), b.GetSize()));
  try {
    instance.save();
    FAIL() << "other bytes have another fingerprint";
  } catch (const stowage::Error& error) {
    EXPECT_EQ(error.status(), STOWAGE_INVALID);
    EXPECT_STREQ(error.path(), "limits");
  }
  const stowage::Instance derived = instance.derive(factors(1, 1, 1));
  EXPECT_EQ(stowage::Instance::load(derived.save()).fingerprint(), derived.fingerprint());
}

}  // namespace
