// One instance in many threads, and a control that other threads read and cancel during its run. The tests serve
// ThreadSanitizer as much as their expectations.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <stowage.hpp>
#include <thread>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"
#include "tests/capi/test_data.h"

namespace {

using stowage::test::read_data;

constexpr int kThreads = 8;

/// Apps with affinity limits to their next neighbours: enough work to watch a run.
std::vector<std::uint8_t> chain_instance(std::uint32_t apps) {
  std::vector<std::uint32_t> replicas(apps, 5), row_begin, app, at_most;
  std::vector<double> demand;
  for (std::uint32_t i = 0; i < apps; ++i) {
    demand.push_back(1 + i % 7);
    demand.push_back(1 + i % 5);
    row_begin.push_back(static_cast<std::uint32_t>(app.size()));
    for (std::uint32_t next = i + 1; next < apps && next <= i + 3; ++next) {
      app.push_back(next);
      at_most.push_back(next % 3);
    }
  }
  row_begin.push_back(static_cast<std::uint32_t>(app.size()));
  flatbuffers::FlatBufferBuilder builder;
  const auto resources = builder.CreateVector(
      std::vector{stowage::wire::CreateResourceDirect(builder, "cpu"), stowage::wire::CreateResourceDirect(builder, "memory")});
  const auto wire_apps = stowage::wire::CreateAppsDirect(builder, nullptr, &replicas, &demand);
  const std::vector<double> capacity = {32, 32};
  const auto classes = builder.CreateVector(std::vector{stowage::wire::CreateNodeClassDirect(builder, nullptr, &capacity)});
  const auto limits = stowage::wire::CreateAffinityLimitsDirect(builder, &row_begin, &app, &at_most);
  stowage::wire::InstanceBuilder instance(builder);
  instance.add_resources(resources);
  instance.add_apps(wire_apps);
  instance.add_classes(classes);
  instance.add_limits(limits);
  builder.Finish(instance.Finish(), stowage::wire::InstanceIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

bool equal(const stowage::Buffer& a, const stowage::Buffer& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

TEST(Threads, ShareOneInstance) {
  const stowage::Instance instance = stowage::Instance::load(chain_instance(200));
  const std::vector<std::uint8_t> request = read_data("ff_request.stowreq");
  const stowage::Buffer expected = instance.plan(request);
  const stowage::Buffer expected_report = instance.explain(expected);
  std::atomic<int> equal_plans = 0;
  std::atomic<int> equal_reports = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const stowage::Buffer plan = instance.plan(request);
      if (equal(plan, expected)) ++equal_plans;
      instance.verify(plan);
      instance.bound();
      stowage::planners();
      if (equal(instance.explain(plan), expected_report)) ++equal_reports;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal_plans, kThreads);
  EXPECT_EQ(equal_reports, kThreads);
}

TEST(Threads, WatchARunAndCancelIt) {
  const stowage::Instance instance = stowage::Instance::load(chain_instance(2000));
  const std::vector<std::uint8_t> request = read_data("ff_request.stowreq");
  stowage::Control control;
  std::atomic<bool> finished = false;
  std::atomic<bool> sane = true;
  std::vector<std::thread> watchers;
  for (int i = 0; i < 2; ++i) {
    watchers.emplace_back([&] {
      while (!finished) {
        const stowage_progress progress = control.progress();
        if (progress.phase > STOWAGE_PHASE_DONE || progress.cancelled > 1) sane = false;
        std::this_thread::yield();
      }
    });
  }
  std::thread canceller([&] { control.cancel(); });
  const stowage::Buffer bytes = instance.plan(request, &control);
  canceller.join();
  finished = true;
  for (std::thread& watcher : watchers) watcher.join();
  EXPECT_TRUE(sane);
  EXPECT_EQ(control.progress().cancelled, 1u);
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  ASSERT_TRUE(stowage::wire::VerifyPlanBuffer(verifier));
  // Whether the cancel comes in time is a race; the plan accounts for every replica in any case.
  const auto* plan = stowage::wire::GetPlan(bytes.data());
  std::uint64_t accounted = 0;
  for (const auto* placed : *plan->placed()) accounted += placed->replicas();
  for (const auto* unplaced : *plan->unplaced()) accounted += unplaced->replicas();
  EXPECT_EQ(accounted, 2000u * 5u);
}

// Eight searches, one per thread at a time.
std::vector<std::uint8_t> portfolio_request(std::uint32_t threads) {
  namespace wire = stowage::wire;
  flatbuffers::FlatBufferBuilder builder;
  const auto options =
      builder.CreateVector(std::vector{wire::CreateOption(builder, builder.CreateString("portfolio"), kThreads)});
  const auto planner = builder.CreateString("auto");
  wire::RequestBuilder request(builder);
  request.add_planner(planner);
  request.add_options(options);
  request.add_threads(threads);
  request.add_work_limit(20'000);
  builder.Finish(request.Finish(), wire::RequestIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

TEST(Threads, APortfolioIsWatchedAndDoesNotDependOnThem) {
  const stowage::Instance instance = stowage::Instance::load(chain_instance(100));
  stowage::Control control;
  std::atomic<bool> finished = false;
  std::thread watcher([&] {
    while (!finished) {
      control.progress();
      std::this_thread::yield();
    }
  });
  const stowage::Buffer many = instance.plan(portfolio_request(kThreads), &control);
  finished = true;
  watcher.join();
  EXPECT_TRUE(equal(many, instance.plan(portfolio_request(1))));
}

}  // namespace
