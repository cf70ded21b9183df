#include "core/measures/order.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using Apps = std::vector<AppId>;

InstanceBuilder four_apps() {
  InstanceBuilder builder;
  for (int i = 0; i < 4; ++i) builder.add_app("app-" + std::to_string(i), 1, {1});
  builder.add_class({10});
  return builder;
}

TEST(AppOrderTest, AsGiven) { EXPECT_EQ(app_order(four_apps().must_build(), {}), (Apps{0, 1, 2, 3})); }

TEST(AppOrderTest, LargerFirstAndEqualOnesAsGiven) {
  EXPECT_EQ(app_order(four_apps().must_build(), {1, 3, 1, 3}), (Apps{1, 3, 0, 2}));
}

TEST(AppOrderTest, PriorityGoesBeforeEverything) {
  InstanceBuilder builder = four_apps();
  builder.priority(0, -1).priority(2, 5);
  EXPECT_EQ(app_order(builder.must_build(), {}), (Apps{2, 1, 3, 0}));
  EXPECT_EQ(app_order(builder.must_build(), {9, 1, 0, 2}), (Apps{2, 3, 1, 0}));
}

TEST(ClassOrderTest, WithoutPricesAsGiven) {
  InstanceBuilder builder;
  builder.add_class({3});
  builder.add_class({9});
  builder.add_class({1});
  EXPECT_EQ(class_order(builder.must_build()), (std::vector<ClassId>{0, 1, 2}));
}

TEST(ClassOrderTest, CheapestFirstAndEqualOnesAsGiven) {
  InstanceBuilder builder;
  builder.add_class({3}, 0, 2);
  builder.add_class({9}, 0, 1);
  builder.add_class({1}, 0, 2);
  builder.add_class({1}, 0, 0);
  EXPECT_EQ(class_order(builder.must_build()), (std::vector<ClassId>{3, 1, 0, 2}));
}

}  // namespace
}  // namespace stowage
