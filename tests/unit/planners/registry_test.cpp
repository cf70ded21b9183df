#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "core/planners/planner.h"

namespace stowage {
namespace {

TEST(RegistryTest, EveryPlannerIsDescribedAndFoundByItsName) {
  std::set<std::string> names;
  ASSERT_FALSE(planners().empty());
  for (const PlannerInfo& info : planners()) {
    SCOPED_TRACE(info.name);
    EXPECT_TRUE(names.insert(info.name).second) << "the name stands twice";
    EXPECT_EQ(find_planner(info.name), &info);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_FALSE(info.source.empty());
    EXPECT_FALSE(info.complexity.empty());
    EXPECT_NE(info.function, nullptr);
    EXPECT_EQ(info.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-+"), std::string::npos);
  }
}

TEST(RegistryTest, OptionsHaveSensibleDefaults) {
  for (const PlannerInfo& info : planners()) {
    std::set<std::string_view> names;
    for (const OptionInfo& option : info.options) {
      SCOPED_TRACE(info.name + " " + std::string(option.name));
      EXPECT_TRUE(names.insert(option.name).second);
      EXPECT_FALSE(option.summary.empty());
      EXPECT_LE(option.min, option.default_number);
      EXPECT_LE(option.default_number, option.max);
    }
  }
}

TEST(RegistryTest, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(find_planner(""), nullptr);
  EXPECT_EQ(find_planner("FF"), nullptr);
  EXPECT_EQ(find_planner("ff "), nullptr);
}

TEST(RegistryTest, TheFitFamilyIsComplete) {
  for (const char* rule : {"bf", "wf", "ffd", "bfd", "wfd"}) {
    EXPECT_NE(find_planner(rule), nullptr) << rule;
    for (const char* measure : {"avg", "max", "avgexp", "surrogate", "extsum"}) {
      EXPECT_NE(find_planner(std::string(rule) + "-" + measure), nullptr) << rule << " " << measure;
    }
  }
  EXPECT_NE(find_planner("ff"), nullptr);
  EXPECT_NE(find_planner("medea-tp"), nullptr);
}

}  // namespace
}  // namespace stowage
