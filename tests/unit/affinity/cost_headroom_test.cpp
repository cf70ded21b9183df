#include "core/affinity/cost_headroom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Apps with loads that are whole numbers, 0 among them, and coefficients in quarters, so that sums are exact. Half of the
/// kinds have a limit; some limits are what the largest replica costs alone.
Instance random_kinds(test::Random& random, std::uint32_t kinds) {
  test::InstanceBuilder builder({"memory", "cpu"});
  const std::uint32_t apps = random.between(kinds, kinds + 6);
  InstanceData& data = builder.data();
  std::vector<double> largest(kinds, 0);
  for (AppId i = 0; i < apps; ++i) {
    const std::uint32_t kind = i < kinds ? i : random.below(kinds);
    const double load = random.chance(.15) ? 0 : random.between(1, 6);
    builder.add_app("app-" + std::to_string(i), 100, {1, load});
    data.kind.push_back(kind);
    largest[kind] = std::max(largest[kind], load);
  }
  builder.add_class({1000, 1000});
  data.has_interference = true;
  data.interference.kind_count = kinds;
  data.interference.resource = 1;
  for (std::uint32_t k = 0; k < kinds * kinds; ++k) {
    data.interference.coefficient.push_back(random.chance(.25) ? 0 : random.between(1, 8) / 4.0);
  }
  for (std::uint32_t k = 0; k < kinds; ++k) {
    const double alone = data.interference.coefficient[k * kinds + k] * largest[k];
    data.interference.max_cost.push_back(random.chance(.4) ? kUnlimited : alone + random.below(40));
  }
  data.interference.max_cost[0] = data.interference.coefficient[0] * largest[0] + random.below(20);
  return builder.must_build();
}

struct KindState {
  double cost = 0;
  bool present = false;
};

/// By definition: the cost of a replica of each kind beside these tenants, and which kinds are there.
std::vector<KindState> states(const Instance& instance, const std::vector<Tenant>& tenants) {
  std::vector<KindState> result(instance.kinds());
  for (std::uint32_t t = 0; t < instance.kinds(); ++t) {
    for (const Tenant& tenant : tenants) {
      result[t].cost +=
          instance.coefficient(t, instance.kind(tenant.app)) * instance.interfering_load(tenant.app) * tenant.replicas;
      result[t].present = result[t].present || (tenant.replicas > 0 && instance.kind(tenant.app) == t);
    }
  }
  return result;
}

/// Whether `more` replicas of the app may join: they keep within their limit, and so does who is there, or costs as before.
bool may_join(const Instance& instance, AppId app, std::vector<Tenant> tenants, std::uint32_t more) {
  const std::vector<KindState> before = states(instance, tenants);
  tenants.push_back({app, more});
  const std::vector<KindState> after = states(instance, tenants);
  for (std::uint32_t t = 0; t < instance.kinds(); ++t) {
    if (!after[t].present || after[t].cost <= instance.max_cost(t)) continue;
    if (t == instance.kind(app) || after[t].cost > before[t].cost) return false;
  }
  return true;
}

std::vector<Tenant> random_tenants(test::Random& random, const Instance& instance) {
  std::vector<Tenant> tenants;
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (random.chance(2.5 / instance.apps())) tenants.push_back({i, random.between(1, 4)});
  }
  return tenants;
}

TEST(CostHeadroomTest, IsTheMostOfAllNumbersThatMayJoin) {
  std::uint64_t some = 0;
  std::uint64_t none = 0;
  std::uint64_t beyond = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    // Some instances have more kinds than fit into the memory on the stack.
    const Instance instance = random_kinds(random, random.chance(.1) ? random.between(17, 24) : random.between(1, 4));
    ASSERT_TRUE(instance.limits_costs());
    for (int draw = 0; draw < 10; ++draw) {
      const std::vector<Tenant> tenants = random_tenants(random, instance);
      const AppId app = random.below(instance.apps());
      const std::uint32_t wanted = random.between(1, 12);
      std::uint32_t most = 0;
      while (most < wanted && may_join(instance, app, tenants, most + 1)) ++most;
      ASSERT_EQ(cost_headroom(instance, app, tenants, wanted), most);
      ++(most == 0 ? none : some);
      ASSERT_EQ(costs_admit(instance, app, kNone, tenants), most > 0);
      std::uint32_t broken = 0;
      const std::vector<KindState> now = states(instance, tenants);
      for (std::uint32_t t = 0; t < instance.kinds(); ++t) {
        broken += now[t].present && now[t].cost > instance.max_cost(t) ? 1 : 0;
      }
      ASSERT_EQ(broken_cost_limits(instance, tenants), broken);
      beyond += broken;
    }
  }
  EXPECT_GT(some, 500u);
  EXPECT_GT(none, 500u);
  EXPECT_GT(beyond, 500u);
}

TEST(CostHeadroomTest, AReplicaMayTakeAnothersPlace) {
  std::uint64_t opened = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const Instance instance = random_kinds(random, random.between(1, 4));
    const std::vector<Tenant> tenants = random_tenants(random, instance);
    if (tenants.empty()) continue;
    const AppId app = random.below(instance.apps());
    for (std::size_t k = 0; k < tenants.size(); ++k) {
      std::vector<Tenant> stay = tenants;
      --stay[k].replicas;
      const bool may = may_join(instance, app, stay, 1);
      ASSERT_EQ(costs_admit(instance, app, tenants[k].app, tenants), may);
      opened += may && !costs_admit(instance, app, kNone, tenants) ? 1 : 0;
    }
  }
  EXPECT_GT(opened, 20u) << "where nobody leaves, they may not";
}

// 0.1 + 0.1 + 0.1 is above 0.3 in doubles.
TEST(CostHeadroomTest, RoundingOfSumsDoesNotCount) {
  test::InstanceBuilder builder;
  const AppId app = builder.add_app("web", 10, {0.1});
  builder.add_class({10});
  builder.data().kind = {0};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 1, {1}, 0, {0.3}};
  const Instance instance = builder.must_build();
  ASSERT_GT(0.1 + 0.1 + 0.1, 0.3);
  for (std::uint32_t there = 0; there < 3; ++there) {
    const std::vector<Tenant> tenants(there > 0 ? 1 : 0, Tenant{app, there});
    EXPECT_EQ(cost_headroom(instance, app, tenants, 10), 3 - there);
  }
  EXPECT_EQ(broken_cost_limits(instance, std::vector<Tenant>{{app, 3}}), 0u);
  EXPECT_EQ(broken_cost_limits(instance, std::vector<Tenant>{{app, 4}}), 1u);
}

}  // namespace
}  // namespace stowage
