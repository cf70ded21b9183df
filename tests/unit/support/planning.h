// Planning in one line, for tests of planners.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/planners/planner.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

inline Request request_for(const std::string& planner) {
  Request request;
  request.planner = planner;
  return request;
}

inline Plan plan_by(const Instance& instance, const Request& request, Control* control = nullptr) {
  auto result = run_planner(instance, request, control);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? std::move(*result) : Plan{};
}
inline Plan plan_by(const Instance& instance, const std::string& planner, std::uint32_t node_limit = 0) {
  Request request = request_for(planner);
  request.node_limit = node_limit;
  return plan_by(instance, request);
}
inline Plan plan_for_ucac(const Instance& instance, const std::string& planner) {
  Request request = request_for(planner);
  request.objective = Objective::kUcac;
  return plan_by(instance, request);
}
inline Plan plan_within(const Instance& instance, const std::string& planner, std::uint64_t work_limit) {
  Request request = request_for(planner);
  request.work_limit = work_limit;
  return plan_by(instance, request);
}

/// One app of one replica per demand, on nodes of ten cores.
inline InstanceBuilder with_demands(const std::vector<double>& demands, std::uint32_t count = 0) {
  InstanceBuilder builder;
  for (std::size_t k = 0; k < demands.size(); ++k) builder.add_app("app-" + std::to_string(k), 1, {demands[k]});
  builder.add_class({10}, count);
  return builder;
}

/// Checks a planner that searches over the node count, on random instances: its plans are complete, need no more nodes than
/// those of first fit, and no fewer than the bound.
inline void expect_between_bound_and_first_fit(const std::string& planner) {
  Random random(7);
  for (int round = 0; round < 30; ++round) {
    InstanceBuilder builder({"cpu", "memory"});
    const std::uint32_t apps = 4 + random.below(8);
    for (std::uint32_t i = 0; i < apps; ++i) {
      builder.add_app("app-" + std::to_string(i), 1 + random.below(6), {1.0 + random.below(5), 1.0 + random.below(5)});
    }
    for (std::uint32_t k = 0; k < apps; ++k) builder.limit(k, (k + 1) % apps, random.below(3));
    builder.add_class({10, 10});
    const Instance instance = builder.must_build();
    const Plan first_fit = plan_by(instance, "ff");
    const Plan plan = plan_by(instance, planner);
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_LE(plan.nodes.size(), first_fit.nodes.size());
    EXPECT_GE(static_cast<double>(plan.nodes.size()), plan.bounds[Objective::kNodes]->value);
  }
}

/// A planner's name in the characters that a parameterized test's name may have.
inline std::string test_name(const testing::TestParamInfo<const char*>& planner) {
  std::string name = planner.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace stowage::test
