// Benchmarks of building and deriving an instance, of headroom, and of whole plans, on workloads of the size of P0's (9,338
// apps).

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/derive/derive.h"
#include "core/placement/placement.h"
#include "core/planners/planner.h"
#include "tests/bench/benchmarks.h"
#include "tests/property/workload.h"

namespace stowage {
namespace {

using test::Generated;
using test::make_workload;
using test::Random;

constexpr std::uint32_t kApps = 9338;

// Generated once per shape, since generating takes longer than measuring.
const Generated& workload(double density, std::uint32_t periods) {
  static std::map<std::pair<double, std::uint32_t>, Generated> made;
  const auto [at, fresh] = made.try_emplace({density, periods});
  if (fresh) at->second = make_workload({.seed = 1, .apps = kApps, .density = density, .periods = periods});
  return at->second;
}

void build(benchmark::State& state, double density, std::uint32_t periods) {
  const Generated& generated = workload(density, periods);
  for (auto _ : state) {
    state.PauseTiming();
    InstanceData data = generated.data;
    data.limits = {generated.row_begin, generated.limited, generated.at_most};
    state.ResumeTiming();
    benchmark::DoNotOptimize(Instance::build(std::move(data)));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(generated.limited.size()));
}

void derive(benchmark::State& state, double density, std::uint32_t periods) {
  const Instance instance = workload(density, periods).build();
  Derivation derivation;
  derivation.demand = 1.3;
  for (auto _ : state) benchmark::DoNotOptimize(derive_instance(instance, derivation, instance.limits()));
}

// Half of the pairs are neighbours.
void find_limit(benchmark::State& state, double density) {
  const Instance instance = workload(density, 1).build();
  const LimitRows& rows = instance.limit_rows();
  Random random(2);
  std::vector<std::pair<AppId, AppId>> pairs;
  for (int k = 0; k < 4096; ++k) {
    const AppId app = random.below(kApps);
    const bool neighbour = rows.degree(app) > 0 && random.chance(0.5);
    pairs.emplace_back(app, neighbour ? rows.neighbour(app, random.below(rows.degree(app))).app : random.below(kApps));
  }
  for (auto _ : state) {
    std::uint32_t sum = 0;
    for (const auto& [app, other] : pairs) sum += rows.find(app, other);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs.size()));
}

// Headroom of some apps on every node of a first-fit plan.
void headroom(benchmark::State& state, double density, std::uint32_t periods) {
  const Instance instance = workload(density, periods).build();
  Request request;
  request.planner = "ff";
  const auto plan = run_planner(instance, request, nullptr);
  instance.visit_unit([&](auto unit) {
    using Unit = decltype(unit);
    Placement<Unit> placement(instance, request);
    for (const PlannedNode& node : plan.value().nodes) placement.open(node.node_class);
    for (const Placed& p : plan.value().placed) placement.place(p.app, p.node, p.replicas);
    typename Placement<Unit>::Candidate candidate(placement);
    AppId app = 0;
    for (auto _ : state) {
      candidate.start(placement, app);
      std::uint64_t sum = 0;
      for (NodeId node = 0; node < placement.nodes(); ++node) sum += placement.headroom(candidate, node, 10);
      benchmark::DoNotOptimize(sum);
      app = (app + 1) % kApps;
    }
    state.SetItemsProcessed(state.iterations() * placement.nodes());
  });
}

void bounds(benchmark::State& state, std::uint32_t periods) {
  const Instance instance = workload(0.01, periods).build();
  for (auto _ : state) benchmark::DoNotOptimize(compute_bounds(instance));
}

// The planner's own time, without bounds and the final check.
void plan(benchmark::State& state, const std::string& planner, double density, std::uint32_t periods) {
  const Instance instance = workload(density, periods).build();
  const PlannerInfo* const info = find_planner(planner);
  Request request;
  request.planner = planner;
  std::size_t nodes = 0;
  for (auto _ : state) {
    Run run(request, nullptr);
    LazyBounds bounds(instance, request);
    Plan result;
    const PlannerInput input = {instance, request, *info, Options(info->options, request), run, bounds};
    if (info->function(input, result).code != Code::kOk) state.SkipWithError("the planner failed");
    nodes = result.nodes.size();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
}

}  // namespace

void add_planner_benchmarks() {
  const auto add = [](const std::string& name, auto&&... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->Unit(benchmark::kMillisecond);
  };
  add("build/density-1", build, 0.01, 1u);
  add("build/density-10", build, 0.1, 1u);
  add("build/periods-98", build, 0.01, 98u);
  add("derive/density-1", derive, 0.01, 1u);
  add("derive/density-10", derive, 0.1, 1u);
  add("derive/periods-98", derive, 0.01, 98u);
  benchmark::RegisterBenchmark("find_limit/density-1", find_limit, 0.01);
  benchmark::RegisterBenchmark("find_limit/density-10", find_limit, 0.1);
  add("headroom/density-1", headroom, 0.01, 1u);
  add("headroom/density-10", headroom, 0.1, 1u);
  add("headroom/periods-98", headroom, 0.01, 98u);
  add("bounds/static", bounds, 1u);
  add("bounds/periods-98", bounds, 98u);
  for (const char* planner : {"ff", "bfd-avg", "wfd-avgexp"}) {
    const std::string name = std::string("plan/") + planner;
    add(name + "/density-1", plan, planner, 0.01, 1u);
    add(name + "/density-10", plan, planner, 0.1, 1u);
    add(name + "/periods-98", plan, planner, 0.01, 98u);
  }
}

}  // namespace stowage
