// What does not matter to the user does not matter to `auto`: the same cluster, described in another way or with what changes
// nothing, costs the same within one per cent at the same work. And no other planner beats it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/planners/judging.h"
#include "core/planners/planner.h"
#include "tests/effort.h"
#include "tests/property/generator.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::Random;
using test::TaggedBuilder;

/// A cluster as each way of describing it begins with: 40 services on three priced sizes, of which there are enough.
struct Cluster {
  std::vector<std::string> names;
  std::vector<std::uint32_t> replicas;
  std::vector<std::vector<double>> demand;  // cpu, memory
  std::vector<std::vector<double>> capacity = {{4, 16}, {8, 24}, {16, 64}};
  std::vector<double> price = {1, 1.7, 3.6};
  std::vector<std::uint32_t> count = {60, 40, 20};

  explicit Cluster(std::uint64_t seed) {
    Random random(seed);
    for (int app = 0; app < 40; ++app) {
      names.push_back("service-" + std::to_string(app));
      replicas.push_back(random.between(1, 8));
      demand.push_back({0.25 * random.between(1, 10), 0.5 * random.between(1, 20)});
    }
  }
  void write(TaggedBuilder& builder) const {
    for (std::size_t app = 0; app < names.size(); ++app) builder.app(names[app], replicas[app], {}, demand[app]);
    for (std::size_t c = 0; c < capacity.size(); ++c) builder.add_class(capacity[c], count[c], price[c]);
  }
};

double cost_of(TaggedBuilder& builder, const Request& request) {
  const Instance instance = builder.must_build();
  Result<Plan> plan = run_planner(instance, request, nullptr);
  EXPECT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_TRUE(plan->unplaced.empty());
  return plan->cost;
}

struct Variant {
  const char* name;
  std::function<double(const Cluster&, Request)> cost;
};

Variant with_more(const char* name, const std::function<void(const Cluster&, TaggedBuilder&)>& add) {
  return {name, [add](const Cluster& cluster, const Request& request) {
            TaggedBuilder builder({"cpu", "memory"});
            cluster.write(builder);
            add(cluster, builder);
            return cost_of(builder, request);
          }};
}
Variant changed(const char* name, const std::function<void(Cluster&)>& change) {
  return {name, [change](Cluster cluster, const Request& request) {
            change(cluster);
            TaggedBuilder builder({"cpu", "memory"});
            cluster.write(builder);
            return cost_of(builder, request);
          }};
}

void list_all(const Cluster& cluster, TaggedBuilder& builder) {
  for (std::size_t c = 0; c < cluster.count.size(); ++c) {
    for (std::uint32_t k = 0; k < cluster.count[c]; ++k) builder.add_node(static_cast<ClassId>(c));
  }
}
// First fit decreasing of replicas over the largest nodes, one after the other.
void run_all(const Cluster& cluster, TaggedBuilder& builder) {
  NodeId node = cluster.count[0] + cluster.count[1];
  std::vector<double> left = {0, 0};
  const NodeId last = node + cluster.count[2];
  for (AppId app = 0; app < cluster.replicas.size() && node < last; ++app) {
    for (std::uint32_t k = 0; k < cluster.replicas[app]; ++k) {
      const auto& demand = cluster.demand[app];
      if (left[0] < demand[0] || left[1] < demand[1]) {
        if (++node == last) return;
        left = cluster.capacity[2];
      }
      left = {left[0] - demand[0], left[1] - demand[1]};
      auto& running = builder.data().running;
      if (!running.empty() && running.back().app == app && running.back().node == node) {
        ++running.back().replicas;
      } else {
        running.push_back({app, node, 1});
      }
    }
  }
}

std::vector<Variant> variants() {
  const auto endless = [](Cluster& cluster) { cluster.count = {1000, 1000, 1000}; };
  return {
      changed("apps in reverse order",
              [](Cluster& cluster) {
                std::reverse(cluster.replicas.begin(), cluster.replicas.end());
                std::reverse(cluster.demand.begin(), cluster.demand.end());
              }),
      changed("other names", [](Cluster& cluster) { std::reverse(cluster.names.begin(), cluster.names.end()); }),
      changed("more nodes than anyone needs", endless),
      changed("a class in two parts",
              [](Cluster& cluster) {
                cluster.capacity.push_back(cluster.capacity[1]);
                cluster.price.push_back(cluster.price[1]);
                cluster.count[1] /= 2;
                cluster.count.push_back(cluster.count[1]);
              }),
      changed("a size that is too dear",
              [](Cluster& cluster) {
                cluster.capacity.push_back({16, 64});
                cluster.price.push_back(9);
                cluster.count.push_back(0);
              }),
      changed("a hundred sizes that are too dear",
              [](Cluster& cluster) {
                for (std::uint32_t k = 0; k < 100; ++k) {
                  const auto capacity = cluster.capacity[k % 3];
                  cluster.capacity.push_back({capacity[0] * (1 - 0.001 * k), capacity[1] * (1 - 0.002 * k)});
                  cluster.price.push_back(cluster.price[k % 3] * (1.05 + 0.01 * k));
                  cluster.count.push_back(0);
                }
                std::fill(cluster.count.begin(), cluster.count.end(), 0);
              }),
      changed("other units",
              [](Cluster& cluster) {
                for (auto* rows : {&cluster.demand, &cluster.capacity}) {
                  for (auto& row : *rows) row[1] *= 1024;
                }
              }),
      with_more("listed instead of counted", list_all),
      with_more("a rule that binds nobody",
                [](const Cluster&, TaggedBuilder& builder) { builder.hard(builder.replicas({"nobody"}, {"nobody"}, 0, 0)); }),
      with_more("a soft rule that binds nobody",
                [](const Cluster&, TaggedBuilder& builder) { builder.soft(builder.replicas({"nobody"}, {"nobody"}, 0, 0)); }),
      with_more("racks that no rule speaks of",
                [](const Cluster& cluster, TaggedBuilder& builder) {
                  list_all(cluster, builder);
                  for (NodeId node = 0; node < builder.data().node_class.size(); ++node) {
                    if (node == 0) builder.data().node_tags.begin.push_back(0);
                    builder.data().node_tags.index.push_back(builder.tag("rack=" + std::to_string(node)));
                    builder.data().node_tags.begin.push_back(node + 1);
                  }
                }),
      with_more("limits that bind nobody",
                [](const Cluster& cluster, TaggedBuilder& builder) {
                  for (AppId app = 0; app < cluster.replicas.size(); ++app) builder.limit(app, app, 1000);
                }),
      {"running, and all may move",
       [](const Cluster& cluster, Request request) {
         TaggedBuilder builder({"cpu", "memory"});
         cluster.write(builder);
         list_all(cluster, builder);
         run_all(cluster, builder);
         request.move_budget = 1'000'000;
         return cost_of(builder, request);
       }},
      {"running, which is ignored",
       [](const Cluster& cluster, Request request) {
         TaggedBuilder builder({"cpu", "memory"});
         cluster.write(builder);
         list_all(cluster, builder);
         run_all(cluster, builder);
         request.ignore_running = true;
         return cost_of(builder, request);
       }},
      {"an unused resource",
       [](const Cluster& cluster, const Request& request) {
         TaggedBuilder builder({"cpu", "memory", "disk"});
         for (std::size_t app = 0; app < cluster.names.size(); ++app)
           builder.app(cluster.names[app], cluster.replicas[app], {}, {cluster.demand[app][0], cluster.demand[app][1], 0});
         for (std::size_t c = 0; c < cluster.count.size(); ++c)
           builder.add_class({cluster.capacity[c][0], cluster.capacity[c][1], 100}, cluster.count[c], cluster.price[c]);
         return cost_of(builder, request);
       }},
  };
}

constexpr std::uint64_t kEnough = 2'500'000;

Request within(std::uint64_t work) {
  Request request;
  request.planner = "auto";
  request.work_limit = work;
  return request;
}

TEST(Quality, WhatDoesNotMatterChangesNothing) {
  for (std::uint64_t seed = 1; seed <= test::cases(4); ++seed) {
    const Cluster cluster(seed);
    TaggedBuilder builder({"cpu", "memory"});
    cluster.write(builder);
    const double cost = cost_of(builder, within(kEnough));
    for (const Variant& variant : variants()) {
      EXPECT_LE(variant.cost(cluster, within(kEnough)), cost * 1.01) << variant.name << ", seed " << seed;
    }
  }
}

TEST(Quality, MoreWorkIsNeverWorse) {
  for (std::uint64_t seed = 1; seed <= test::cases(8); ++seed) {
    const Cluster cluster(seed);
    double before = 1e300;
    for (const std::uint64_t work : {20'000u, 40'000u, 80'000u, 160'000u, 320'000u, 640'000u, 1'280'000u}) {
      TaggedBuilder builder({"cpu", "memory"});
      cluster.write(builder);
      const double cost = cost_of(builder, within(work));
      EXPECT_LE(cost, before * (1 + 1e-12)) << "seed " << seed << ", work " << work;
      before = cost;
    }
  }
}

// Random instances with every feature; each planner of the catalogue that takes them.
TEST(Quality, NoPlannerBeatsAuto) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < test::cases(90); ++seed) {
    const Instance instance = test::generate(seed, {}).build();
    Request request = within(kEnough);
    Result<Plan> best = run_planner(instance, request, nullptr);
    ASSERT_TRUE(best.ok()) << best.error().message;
    prepare_to_compare(instance, request, *best);
    for (const PlannerInfo& info : planners()) {
      if (info.name == "auto" || info.needs_solver || !info.pursues.contains(Objective::kNodes)) continue;
      request.planner = info.name;
      request.work_limit = kEnough / 8;
      Result<Plan> plan = run_planner(instance, request, nullptr);
      if (!plan) continue;
      prepare_to_compare(instance, request, *plan);
      EXPECT_FALSE(better(instance, request.judgement(), *plan, *best)) << "seed " << seed << ", " << info.name;
      ++compared;
    }
  }
  EXPECT_GE(compared, test::cases(300));
}

}  // namespace
}  // namespace stowage
