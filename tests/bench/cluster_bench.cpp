// Benchmarks of questions about a whole cluster: headroom of 10,000 apps on about 1,000 nodes, and losses of nodes.

#include <benchmark/benchmark.h>

#include <string>

#include "core/headroom/headroom_of_apps.h"
#include "core/losses/loss.h"
#include "core/planners/planner.h"
#include "tests/bench/benchmarks.h"
#include "tests/property/workload.h"

namespace stowage {
namespace {

using test::Generated;
using test::Random;

/// A cluster of three zones that "ff" fills, and its plan on nodes that are `larger` times as large.
struct FilledCluster {
  Instance instance;
  Plan plan;
  FilledCluster(std::uint32_t apps, std::uint32_t most_replicas, double share, std::uint32_t periods, double larger)
      : instance(make(apps, most_replicas, share, periods, larger)) {
    Request request;
    request.planner = "ff";
    plan = run_planner(make(apps, most_replicas, share, periods, 1), request, nullptr).value();
    plan.instance = instance.fingerprint();
    plan.bounds = {};
    plan.gap = -1;
    plan.status = PlanStatus::kComplete;
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) plan.nodes[n].node_class = n % 3;
  }

 private:
  static Instance make(std::uint32_t apps, std::uint32_t most_replicas, double share, std::uint32_t periods, double larger) {
    Generated generated = test::make_workload({.seed = 1, .apps = apps, .density = 10.0 / apps, .periods = periods});
    InstanceData& data = generated.data;
    Random random(3);
    for (std::uint32_t& replicas : data.replicas) replicas = random.between(1, most_replicas);
    for (double& demand : data.demand) demand *= share;
    for (double& capacity : data.classes[0].capacity) capacity *= larger;
    data.classes.assign(3, data.classes[0]);
    for (std::uint32_t c = 0; c < 3; ++c) {
      data.classes[c].name = "node-" + std::to_string(c);
      data.classes[c].labels = {"zone=" + std::to_string(c)};
    }
    return generated.build();
  }
};

void headroom_of_apps(benchmark::State& state, std::uint32_t periods, double larger) {
  const FilledCluster cluster(10'000, 2, 0.55, periods, larger);
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_headroom_of_apps(cluster.instance, &cluster.plan, kMostHeadroom));
  }
  state.counters["nodes"] = static_cast<double>(cluster.plan.nodes.size());
}

void losses(benchmark::State& state, const LossQuestion& question, double larger) {
  const FilledCluster cluster(3000, 5, 1, 1, larger);
  std::uint64_t replicas = 0;
  std::uint64_t left = 0;
  for (auto _ : state) {
    const auto found = find_losses(cluster.instance, &cluster.plan, question, nullptr);
    replicas = found.value()[0].replicas;
    left = found.value()[0].left;
  }
  state.counters["nodes"] = static_cast<double>(cluster.plan.nodes.size());
  state.counters["replicas"] = static_cast<double>(replicas);
  state.counters["left"] = static_cast<double>(left);
}

LossQuestion one_zone() {
  LossQuestion question;
  for (NodeId n = 0; n < 1200; n += 3) question.nodes.push_back(n);
  return question;
}

}  // namespace

void add_cluster_benchmarks() {
  const auto add = [](const std::string& name, auto&&... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->Unit(benchmark::kMillisecond);
  };
  add("headroom-of-apps/full", headroom_of_apps, 1u, 1.0);
  add("headroom-of-apps/half-free", headroom_of_apps, 1u, 2.0);
  add("headroom-of-apps/periods-24", headroom_of_apps, 24u, 1.0);
  add("headroom-of-apps/periods-24-half-free", headroom_of_apps, 24u, 2.0);
  add("losses/zone", losses, one_zone(), 1.7);
  add("losses/zone-short", losses, one_zone(), 1.0);
  add("losses/each-zone", losses, LossQuestion{{}, "zone"}, 1.7);
  add("losses/each-node", losses, LossQuestion{}, 1.7);
}

}  // namespace stowage
