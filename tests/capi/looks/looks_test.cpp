// Calls end at the look at the clock that finds their deadline over. The clock leaps over the deadline at a chosen look, so
// that no call has to take any time (tests/soak/clock.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stowage.hpp>
#include <vector>

#include "instance_generated.h"
#include "report_generated.h"
#include "request_generated.h"
#include "tests/soak/clock.h"

namespace {

namespace wire = stowage::wire;
using stowage::soak::LeapingClock;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kNever = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMinute = 60'000;

template <class Root>
Bytes finished(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<Root> root, const char* identifier) {
  builder.Finish(root, identifier);
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

/// Apps with cpu and memory on nodes of one class, with 64 of both.
stowage::Instance instance_of(const std::vector<std::uint32_t>& replicas, const std::vector<double>& demand,
                              const std::vector<wire::Traffic>& traffic = {}) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<double> capacity = {64, 64};
  const auto resources = builder.CreateVector(
      std::vector{wire::CreateResourceDirect(builder, "cpu"), wire::CreateResourceDirect(builder, "memory")});
  const auto apps = wire::CreateAppsDirect(builder, nullptr, &replicas, &demand);
  const auto classes = builder.CreateVector(std::vector{wire::CreateNodeClassDirect(builder, "m", &capacity)});
  const auto pairs = builder.CreateVectorOfStructs(traffic);
  wire::InstanceBuilder made(builder);
  made.add_resources(resources);
  made.add_apps(apps);
  made.add_classes(classes);
  if (!traffic.empty()) made.add_traffic(pairs);
  return stowage::Instance::load(finished(builder, made.Finish(), wire::InstanceIdentifier()));
}

stowage::Buffer first_fit(const stowage::Instance& instance) {
  flatbuffers::FlatBufferBuilder builder;
  return instance.plan(finished(builder, wire::CreateRequestDirect(builder, 1, "ff"), wire::RequestIdentifier()));
}

/// A call with a deadline, over which the clock leaps after so many looks.
struct Ended {
  stowage_status status = STOWAGE_OK;
  std::uint64_t looks = 0;
  Bytes report;

  template <class Body>
  [[nodiscard]] const Body* body() const {
    return wire::GetReport(report.data())->body_as<Body>();
  }
};

template <class Call>
Ended ended_after(std::uint64_t looks, Call&& call) {
  stowage::Control control;
  control.set_deadline(kMinute);
  stowage_buffer report{nullptr, 0};
  Ended ended;
  {
    const LeapingClock clock(looks);
    ended.status = call(control.get(), &report);
    ended.looks = LeapingClock::looks();
  }
  if (report.data != nullptr) ended.report.assign(report.data, report.data + report.size);
  stowage_buffer_free(&report);
  return ended;
}

// A question about an app that does not exist ends before the plan is opened, one about a node before its room is looked for.
TEST(Looks, HeadroomEndsAtAnyOfThem) {
  constexpr std::uint32_t kNodes = 10'000;
  const stowage::Instance instance = instance_of({kNodes}, {40, 1});
  const stowage::Buffer plan = first_fit(instance);
  const auto ask = [&](std::uint32_t app, std::uint32_t node) {
    return [&, app, node](stowage_control* control, stowage_buffer* report) {
      return stowage_headroom_watched(instance.get(), plan.data(), plan.size(), app, node, control, report, nullptr);
    };
  };
  const Ended no_app = ended_after(kNever, ask(1, 0));
  const Ended no_node = ended_after(kNever, ask(0, kNodes));
  const Ended whole = ended_after(kNever, ask(0, 0));
  ASSERT_EQ(no_app.status, STOWAGE_INVALID);
  ASSERT_EQ(no_node.status, STOWAGE_INVALID);
  ASSERT_EQ(whole.status, STOWAGE_OK);
  EXPECT_GT(no_node.looks, no_app.looks) << "while the plan is opened";
  EXPECT_GT(whole.looks, no_node.looks + 1) << "while room is looked for, and after that";
  for (std::uint64_t looks = 1; looks < whole.looks; ++looks) {
    const Ended ended = ended_after(looks, ask(0, 0));
    EXPECT_EQ(ended.status, STOWAGE_CANCELLED) << looks;
    EXPECT_TRUE(ended.report.empty()) << looks;
  }
}

TEST(Looks, LossesAreThoseKnownByThen) {
  constexpr std::uint32_t kNodes = 50;
  const stowage::Instance instance = instance_of({kNodes}, {40, 1});
  const stowage::Buffer plan = first_fit(instance);
  const auto ask = [&](stowage_control* control, stowage_buffer* report) {
    return stowage_losses(instance.get(), plan.data(), plan.size(), nullptr, 0, nullptr, 0, control, report, nullptr);
  };
  const Ended whole = ended_after(kNever, ask);
  ASSERT_EQ(whole.status, STOWAGE_OK);
  ASSERT_EQ(whole.body<wire::Losses>()->losses()->size(), kNodes);
  EXPECT_GT(whole.looks, kNodes) << "after each";
  for (std::uint64_t looks = 1; looks < whole.looks; ++looks) {
    const Ended ended = ended_after(looks, ask);
    ASSERT_EQ(ended.status, STOWAGE_OK) << looks;
    EXPECT_LT(ended.body<wire::Losses>()->losses()->size(), kNodes) << looks;
  }
}

// Few apps have all of these bounds before the first look.
TEST(Looks, BoundsOfManyAppsEndAtTheFirst) {
  constexpr std::uint32_t kApps = 40'000;
  const stowage::Instance instance =
      instance_of(std::vector<std::uint32_t>(kApps, 1), std::vector<double>(std::size_t{2} * kApps, 20));
  const auto ask = [&](stowage_control* control, stowage_buffer* report) {
    return stowage_bound_watched(instance.get(), control, report, nullptr);
  };
  const Ended ended = ended_after(1, ask);
  ASSERT_EQ(ended.status, STOWAGE_OK);
  for (const wire::BoundEntry* bound : *ended.body<wire::Bounds>()->entries())
    EXPECT_EQ(bound->value(), 0) << bound->name()->str();
}

/// Expects that the bounds are looked for at a clock that is looked at often, and that its leap ends them, wherever it comes.
void expect_end_of_bounds(const stowage::Instance& instance) {
  const auto ask = [&](stowage_control* control, stowage_buffer* report) {
    return stowage_bound_watched(instance.get(), control, report, nullptr);
  };
  const Ended whole = ended_after(kNever, ask);
  ASSERT_EQ(whole.status, STOWAGE_OK);
  constexpr std::uint64_t kOften = 100;
  constexpr std::uint64_t kFew = 10;
  ASSERT_GT(whole.looks, kOften);
  for (const std::uint64_t looks : {std::uint64_t{2}, whole.looks / 2, whole.looks - kFew}) {
    const Ended ended = ended_after(looks, ask);
    ASSERT_EQ(ended.status, STOWAGE_OK) << looks;
    EXPECT_LE(ended.looks, looks + kFew) << looks;
  }
}

TEST(Looks, BoundsByColumnsEndSoon) {
  std::vector<std::uint32_t> replicas;
  std::vector<double> demand;
  for (std::uint32_t k = 0; k < 100; ++k) {
    replicas.push_back(1 + k % 5);
    demand.push_back(3 + k * 7919 % 31);
    demand.push_back(3 + k * 104'729 % 29);
  }
  expect_end_of_bounds(instance_of(replicas, demand));
}

TEST(Looks, BoundsOnTrafficEndSoon) {
  constexpr std::uint32_t kApps = 20;
  std::vector<wire::Traffic> traffic;
  for (std::uint32_t k = 0; k + 1 < kApps; ++k) traffic.emplace_back(k, k + 1, 1 + k % 3);
  expect_end_of_bounds(
      instance_of(std::vector<std::uint32_t>(kApps, 4), std::vector<double>(std::size_t{2} * kApps, 8), traffic));
}

}  // namespace
