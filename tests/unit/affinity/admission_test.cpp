#include "core/affinity/admission.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

constexpr std::uint32_t kLimits[] = {0, 1, 2, 3, kNone};

TEST(AdmissionTest, AllAnswersAgree) {
  for (const std::uint32_t imposes : kLimits) {
    for (const std::uint32_t obeys : kLimits) {
      bool any = false;
      for (std::uint32_t own = 1; own <= 4; ++own) {
        EXPECT_TRUE(admits(0, own, imposes, obeys)) << "an app that is not there limits nothing";
        for (std::uint32_t count = 1; count <= 4; ++count) {
          const bool admitted = count <= imposes && own <= obeys;
          any = any || admitted;
          EXPECT_EQ(admits(count, own, imposes, obeys), admitted);
          EXPECT_EQ(admits(own, count, obeys, imposes), admitted) << "the question is the same from either side";
          EXPECT_EQ(count <= most_beside(own, imposes, obeys), admitted);
          const BrokenLimits broken = broken_limits(count, own, imposes, obeys);
          EXPECT_EQ(broken.imposed, count > imposes);
          EXPECT_EQ(broken.obeyed, own > obeys);
          EXPECT_EQ(!broken.imposed && !broken.obeyed, admitted);
        }
      }
      EXPECT_EQ(compatibility(imposes, obeys) == Compatibility::kNever, !any);
      EXPECT_EQ(admits(1, 1, imposes, obeys), any) << "one beside one is within any limits but 0";
    }
  }
}

TEST(AdmissionTest, RoomWithinALimit) {
  EXPECT_EQ(room_within(3, 1), 2u);
  EXPECT_EQ(room_within(3, 3), 0u);
  EXPECT_EQ(room_within(3, 5), 0u);
  EXPECT_EQ(room_within(0, 0), 0u);
  EXPECT_EQ(room_within(kNone, 5), kNone);
}

TEST(AdmissionTest, UnionsOfCompatibilitiesKeepTheStrictest) {
  const auto united = [](Compatibility a, Compatibility b) {
    return static_cast<Compatibility>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
  };
  EXPECT_EQ(united(Compatibility::kFree, Compatibility::kLimited), Compatibility::kLimited);
  EXPECT_EQ(united(Compatibility::kLimited, Compatibility::kNever), Compatibility::kNever);
  EXPECT_EQ(united(Compatibility::kFree, Compatibility::kNever), Compatibility::kNever);
}

TEST(AdmissionTest, ByTheLimitsOfAnInstance) {
  test::InstanceBuilder builder({"cpu"});
  for (const char* name : {"a", "b", "c"}) builder.add_app(name, 3, {1});
  builder.add_class({10});
  builder.limit(0, 1, 2);
  builder.limit(1, 0, 1);
  const Instance instance = builder.must_build();
  const LimitRows& limits = instance.limit_rows();
  EXPECT_TRUE(admits(limits, {0, 1}, {1, 2}));
  EXPECT_FALSE(admits(limits, {0, 1}, {1, 3}));
  EXPECT_FALSE(admits(limits, {0, 2}, {1, 1}));
  EXPECT_TRUE(admits(limits, {1, 2}, {0, 1})) << "from the other side";
  EXPECT_FALSE(admits(limits, {1, 1}, {0, 2}));
  EXPECT_TRUE(admits(limits, {0, 3}, {2, 3})) << "no limits";
  EXPECT_TRUE(admits(Compatibility::kFree, limits, {0, 9}, {1, 9})) << "the answer for the pair is believed";
  EXPECT_FALSE(admits(Compatibility::kNever, limits, {0, 1}, {1, 1}));
  EXPECT_TRUE(admits(Compatibility::kNever, limits, {0, 1}, {1, 0}));
  EXPECT_TRUE(admits(Compatibility::kLimited, limits, {0, 1}, {1, 2}));
  EXPECT_FALSE(admits(Compatibility::kLimited, limits, {0, 1}, {1, 3}));
  EXPECT_EQ(most_beside(Compatibility::kFree, limits, {0, 1}, 1), kNone);
  EXPECT_EQ(most_beside(Compatibility::kNever, limits, {0, 1}, 1), 0u);
  EXPECT_EQ(most_beside(Compatibility::kLimited, limits, {0, 1}, 1), 2u);
  EXPECT_EQ(most_beside(Compatibility::kLimited, limits, {0, 2}, 1), 0u);
  EXPECT_EQ(most_beside(Compatibility::kLimited, limits, {0, 3}, 2), kNone) << "no limits";
}

}  // namespace
}  // namespace stowage
