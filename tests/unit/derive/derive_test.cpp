#include "core/derive/derive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

constexpr double kNoFactor = std::numeric_limits<double>::quiet_NaN();
constexpr double kEndlessFactor = std::numeric_limits<double>::infinity();

/// DerivedNumbers of an instance that tests multiply by hand.
struct DerivedNumbers {
  std::uint32_t web = 10;
  std::uint32_t db = 3;
  std::vector<double> web_demand = {2, 4};
  std::vector<double> db_demand = {1, 8};
  std::vector<double> small = {8, 16};
  std::vector<double> large = {32, 64};
  std::vector<double> load = {1, 2};
  std::uint32_t large_count = 5;
  double small_price = 1;
  double large_price = 3;
  std::vector<double> variance = {4, 0, 1, 0};
  std::vector<double> load_variance = {1, 0};
  std::string name;
};

/// Two apps that limit each other and themselves, two classes, a listed node with load, random demand.
InstanceBuilder derivable_builder(const DerivedNumbers& n) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId web = builder.add_app("web", n.web, n.web_demand);
  const AppId db = builder.add_app("db", n.db, n.db_demand);
  builder.add_class(n.small, 0, n.small_price);
  const ClassId large = builder.add_class(n.large, n.large_count, n.large_price);
  const NodeId node = builder.add_node(large, n.load);
  builder.limit(web, web, 4).limit(web, db, 1).limit(db, web, 2).limit(db, db, 1);
  builder.running(web, node, 1);
  InstanceData& data = builder.data();
  data.name = n.name;
  data.variance = n.variance;
  data.load_variance = n.load_variance;
  data.has_uncertainty = true;
  data.uncertainty = {ChanceModel::kFactor, 0.99, 1};
  return builder;
}
Instance derivable_instance(const DerivedNumbers& n) { return derivable_builder(n).must_build(); }

/// Expects the derived instance to be the one with these numbers. The fingerprint covers all content.
void expect_derived(const Derivation& derivation, const DerivedNumbers& expected) {
  const Instance from = derivable_instance({});
  const auto derived = derive_instance(from, derivation, from.limits());
  ASSERT_TRUE(derived) << derived.error().path << ": " << derived.error().message;
  const Instance built = derivable_instance(expected);
  EXPECT_EQ(derived.value().fingerprint(), built.fingerprint());
  EXPECT_EQ(derived.value().features(), built.features());
  EXPECT_EQ(derived.value().total_replicas(), built.total_replicas());
  EXPECT_EQ(derived.value().data().demand, built.data().demand);
  EXPECT_EQ(derived.value().data().variance, built.data().variance);
  EXPECT_EQ(derived.value().limit_rows().arc_count(), built.limit_rows().arc_count());
}

TEST(DeriveTest, NothingChanges) { expect_derived({}, {}); }

TEST(DeriveTest, FactorsForAll) {
  Derivation derivation;
  derivation.name = "grown";
  derivation.demand = 2;
  derivation.replicas = 1.1;
  derivation.capacity = 0.5;
  derivation.load = 3;
  derivation.price = 10;
  DerivedNumbers expected;
  expected.name = "grown";
  expected.web = 11;  // 1.1 x 10 is 11, though it is a little more in floating point
  expected.db = 4;
  expected.web_demand = {4, 8};
  expected.db_demand = {2, 16};
  expected.variance = {16, 0, 4, 0};
  expected.small = {4, 8};
  expected.large = {16, 32};
  expected.load = {3, 6};
  expected.load_variance = {9, 0};
  expected.small_price = 10;
  expected.large_price = 30;
  expect_derived(derivation, expected);
}

TEST(DeriveTest, FactorsOfResourcesAppsAndClassesMultiply) {
  Derivation derivation;
  derivation.demand = 2;
  derivation.by_resource.push_back({"memory", kNone, 0.5, 2, 4});
  derivation.by_resource.push_back({"", 0, 3, 1, 1});
  derivation.by_app.push_back({"db", kNone, kNone, 2, {}, 10});
  derivation.by_class.push_back({"", 1, kNone, {}, 0.25});
  DerivedNumbers expected;
  expected.web_demand = {12, 4};
  expected.db_demand = {60, 80};
  expected.variance = {144, 0, 3600, 0};
  expected.db = 6;
  expected.small = {8, 32};
  expected.large = {8, 32};
  expected.load = {1, 8};
  expect_derived(derivation, expected);
}

TEST(DeriveTest, NumbersThatAreGivenStandWhateverTheFactors) {
  Derivation derivation;
  derivation.demand = 7;
  derivation.replicas = 7;
  derivation.capacity = 7;
  derivation.price = 7;
  derivation.by_app.push_back({"web", kNone, 2, 1, {5, 6}, 1});
  derivation.by_class.push_back({"class-0", kNone, 9, {11, 12}, 1, 2.5});
  DerivedNumbers expected;
  expected.web = 2;
  expected.web_demand = {5, 6};
  expected.db = 21;
  expected.db_demand = {7, 56};
  expected.variance = {4, 0, 49, 0};
  expected.small = {11, 12};
  expected.small_price = 2.5;
  expected.large = {224, 448};
  expected.large_price = 21;
  InstanceBuilder built = derivable_builder(expected);
  built.data().classes[0].count = 9;
  const Instance from = derivable_instance({});
  const auto derived = derive_instance(from, derivation, from.limits());
  ASSERT_TRUE(derived) << derived.error().path << ": " << derived.error().message;
  EXPECT_EQ(derived.value().fingerprint(), built.must_build().fingerprint());
}

TEST(DeriveTest, CountsOfClasses) {
  Derivation derivation;
  derivation.by_class.push_back({"class-1", kNone, 0});
  DerivedNumbers expected;
  expected.large_count = 0;
  expect_derived(derivation, expected);
}

TEST(DeriveTest, SupportsScaleWithTheDemand) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("a", 1, {2});
  builder.add_class({8});
  builder.data().support_min = {1};
  builder.data().support_max = {3};
  Derivation derivation;
  derivation.demand = 2;
  const auto derived = derive_instance(builder.must_build(), derivation, {});
  ASSERT_TRUE(derived);
  EXPECT_EQ(derived.value().data().support_min, std::vector<double>{2});
  EXPECT_EQ(derived.value().data().support_max, std::vector<double>{6});
}

TEST(DeriveTest, DemandOfPeriods) {
  InstanceBuilder constant({"cpu", "memory"}, 2);
  constant.add_app("a", 1, {2, 3});
  constant.add_app("b", 1, {4, 5});
  constant.add_class({8, 8});
  Derivation derivation;
  derivation.by_app.push_back({"b", kNone, kNone, 1, {1, 2, 3, 4}, 1});
  const auto spread = derive_instance(constant.must_build(), derivation, {});
  ASSERT_TRUE(spread) << spread.error().message;
  EXPECT_EQ(spread.value().data().demand, (std::vector<double>{2, 2, 3, 3, 1, 2, 3, 4}));
  // DerivedNumbers without periods stand in every period.
  derivation.by_app[0].demand = {6, 7};
  derivation.by_resource.push_back({"cpu", kNone, 2, 1, 1});
  const auto again = derive_instance(spread.value(), derivation, {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again.value().data().demand, (std::vector<double>{4, 4, 3, 3, 6, 6, 7, 7}));
  Limits few;
  few.max_cells = 7;
  derivation.by_app[0].demand = {1, 2, 3, 4};
  const auto refused = derive_instance(constant.must_build(), derivation, few);
  EXPECT_EQ(refused.error().code, Code::kLimitExceeded);
  EXPECT_EQ(refused.error().path, "apps.demand");
}

TEST(DeriveTest, AShareOfTheLimitsStays) {
  constexpr AppId kApps = 60;
  InstanceBuilder builder({"cpu"});
  for (AppId app = 0; app < kApps; ++app) builder.add_app("a" + std::to_string(app), 1, {1});
  builder.add_class({8});
  for (AppId app = 0; app < kApps; ++app) {
    for (AppId other = 0; other < kApps; ++other) builder.limit(app, other, 1 + (app + other) % 3);
  }
  const Instance from = builder.must_build();
  const auto arcs = [&](double share) {
    Derivation derivation;
    derivation.limits = share;
    const auto derived = derive_instance(from, derivation, {});
    EXPECT_TRUE(derived);
    EXPECT_EQ(derived.value().limit_rows().self_limit_count(), kApps) << "limits of apps on themselves stay";
    std::vector<std::pair<AppId, AppId>> found;
    for (AppId app = 0; app < kApps; ++app) {
      for (AppId other = 0; other < kApps; ++other) {
        const LimitRows& rows = derived.value().limit_rows();
        if (app == other || rows.imposes(rows.find(app, other)) == kNone) continue;
        EXPECT_EQ(rows.imposes(rows.find(app, other)), 1 + (app + other) % 3);
        found.emplace_back(app, other);
      }
    }
    return found;
  };
  const auto none = arcs(0);
  const auto half = arcs(0.5);
  const auto most = arcs(0.9);
  EXPECT_TRUE(none.empty());
  EXPECT_NEAR(static_cast<double>(half.size()), 0.5 * kApps * (kApps - 1), 120);  // four standard deviations
  EXPECT_TRUE(std::includes(most.begin(), most.end(), half.begin(), half.end()));
  EXPECT_EQ(arcs(1).size(), std::size_t{kApps} * (kApps - 1));
}

// A limit that allows any number counts as a limit, and is none in either instance.
TEST(DeriveTest, EndlessLimitsStay) {
  InstanceBuilder builder({"cpu"});
  const AppId a = builder.add_app("a", 1, {1});
  const AppId b = builder.add_app("b", 1, {1});
  builder.add_class({8});
  builder.limit(a, b, kNone).limit(b, b, kNone);
  const auto derived = derive_instance(builder.must_build(), {}, {});
  ASSERT_TRUE(derived);
  const LimitLists lists = derived.value().limit_rows().lists();
  EXPECT_EQ(lists.app, std::vector<AppId>{b});
  EXPECT_EQ(lists.at_most, std::vector<std::uint32_t>{kNone});
  EXPECT_EQ(derived.value().fingerprint(), derived.value().fingerprint_with(lists.view()));
  EXPECT_EQ(derived.value().limit_rows().self_limit_count(), 0u);
}

struct RefusedDerivation {
  const char* name;
  std::function<void(Derivation&)> change;
  Code code;
  const char* path;
};

TEST(DeriveTest, WrongNumbersAreRefusedWithTheirPath) {
  const RefusedDerivation refusals[] = {
      {"negative factor", [](Derivation& d) { d.demand = -1; }, Code::kInvalid, "demand"},
      {"not a number", [](Derivation& d) { d.replicas = kNoFactor; }, Code::kInvalid, "replicas"},
      {"infinite", [](Derivation& d) { d.capacity = kEndlessFactor; }, Code::kInvalid, "capacity"},
      {"load", [](Derivation& d) { d.load = -0.5; }, Code::kInvalid, "load"},
      {"price", [](Derivation& d) { d.price = kNoFactor; }, Code::kInvalid, "price"},
      {"share", [](Derivation& d) { d.limits = 1.01; }, Code::kInvalid, "limits"},
      {"overflow",
       [](Derivation& d) {
         d.demand = 1e308, d.by_resource.push_back({"cpu", kNone, 1e308, 1, 1});
       },
       Code::kInvalid, "apps.demand[0]"},
      {"too many replicas of an app", [](Derivation& d) { d.replicas = 1e9; }, Code::kLimitExceeded, "apps.replicas[0]"},
      {"too many replicas", [](Derivation& d) { d.replicas = 1e7; }, Code::kLimitExceeded, "apps.replicas[1]"},
      {"fewer replicas than run", [](Derivation& d) { d.replicas = 0; }, Code::kInvalid, "running[0].replicas"},
      {"no capacity", [](Derivation& d) { d.capacity = 0; }, Code::kInvalid, "classes[0].capacity"},
      {"no such resource", [](Derivation& d) { d.by_resource.push_back({"gpu"}); }, Code::kNotFound, "by_resource[0].name"},
      {"no such index",
       [](Derivation& d) {
         d.by_resource.push_back({"", 2});
       },
       Code::kNotFound, "by_resource[0].resource"},
      {"factor of a resource",
       [](Derivation& d) {
         d.by_resource.push_back({"cpu", kNone, 1, -1, 1});
       },
       Code::kInvalid, "by_resource[0].capacity"},
      {"no such app", [](Derivation& d) { d.by_app.push_back({"wed"}); }, Code::kNotFound, "by_app[0].name"},
      {"no such app index",
       [](Derivation& d) {
         d.by_app.push_back({"", 2});
       },
       Code::kNotFound, "by_app[0].app"},
      {"neither name nor index", [](Derivation& d) { d.by_app.push_back({}); }, Code::kInvalid, "by_app[0]"},
      {"name and index",
       [](Derivation& d) {
         d.by_app.push_back({"web", 0});
       },
       Code::kInvalid, "by_app[0]"},
      {"an app twice",
       [](Derivation& d) {
         d.by_app.push_back({"web"}), d.by_app.push_back({"", 0});
       },
       Code::kInvalid, "by_app[1]"},
      {"replicas and factor",
       [](Derivation& d) {
         d.by_app.push_back({"web", kNone, 3, 2});
       },
       Code::kInvalid, "by_app[0].replica_factor"},
      {"demand and factor",
       [](Derivation& d) {
         d.by_app.push_back({"web", kNone, kNone, 1, {1, 1}, 2});
       },
       Code::kInvalid, "by_app[0].demand_factor"},
      {"length of demand",
       [](Derivation& d) {
         d.by_app.push_back({"web", kNone, kNone, 1, {1}, 1});
       },
       Code::kInvalid, "by_app[0].demand"},
      {"demand",
       [](Derivation& d) {
         d.by_app.push_back({"web", kNone, kNone, 1, {1, kNoFactor}, 1});
       },
       Code::kInvalid, "by_app[0].demand[1]"},
      {"no such class", [](Derivation& d) { d.by_class.push_back({"tiny"}); }, Code::kNotFound, "by_class[0].name"},
      {"no such class index",
       [](Derivation& d) {
         d.by_class.push_back({"", 7});
       },
       Code::kNotFound, "by_class[0].node_class"},
      {"length of capacity",
       [](Derivation& d) {
         d.by_class.push_back({"", 0, kNone, {1}});
       },
       Code::kInvalid, "by_class[0].capacity"},
      {"capacity",
       [](Derivation& d) {
         d.by_class.push_back({"", 0, kNone, {1, -1}});
       },
       Code::kInvalid, "by_class[0].capacity[1]"},
      {"capacity and factor",
       [](Derivation& d) {
         d.by_class.push_back({"", 0, kNone, {1, 1}, 2});
       },
       Code::kInvalid, "by_class[0].capacity_factor"},
      {"price of a class",
       [](Derivation& d) {
         d.by_class.push_back({"", 0, kNone, {}, 1, kNoFactor});
       },
       Code::kInvalid, "by_class[0].price"},
  };
  const Instance from = derivable_instance({});
  for (const RefusedDerivation& one : refusals) {
    Derivation derivation;
    one.change(derivation);
    const auto refused = derive_instance(from, derivation, from.limits());
    ASSERT_FALSE(refused) << one.name;
    EXPECT_EQ(refused.error().code, one.code) << one.name << ": " << refused.error().message;
    EXPECT_EQ(refused.error().path, one.path) << one.name << ": " << refused.error().message;
  }
}

TEST(DeriveTest, PricesAreNotMadeOfNothing) {
  DerivedNumbers unpriced;
  unpriced.small_price = unpriced.large_price = -1;
  Derivation derivation;
  derivation.price = 2;
  EXPECT_EQ(derive_instance(derivable_instance(unpriced), derivation, {}).error().path, "price");
  derivation.price = 1;
  derivation.by_class.push_back({"", 0, kNone, {}, 1, 4});
  EXPECT_EQ(derive_instance(derivable_instance(unpriced), derivation, {}).error().path, "classes[1].price");
  derivation.by_class.push_back({"", 1, kNone, {}, 1, 5});
  EXPECT_TRUE(derive_instance(derivable_instance(unpriced), derivation, {}));
}

TEST(DeriveTest, TheCallersLimitsHold) {
  const Instance from = derivable_instance({});
  Limits limits;
  limits.max_replicas = 20;
  Derivation derivation;
  derivation.replicas = 2;
  EXPECT_EQ(derive_instance(from, derivation, limits).error().code, Code::kLimitExceeded);
  limits.max_replicas = 26;
  const auto derived = derive_instance(from, derivation, limits);
  ASSERT_TRUE(derived);
  EXPECT_EQ(derived.value().limits().max_replicas, 26u);
}

}  // namespace
}  // namespace stowage
