#include <benchmark/benchmark.h>

#include "tests/bench/benchmarks.h"

int main(int argc, char** argv) {
  stowage::add_kernel_benchmarks();
  stowage::add_planner_benchmarks();
  stowage::add_cluster_benchmarks();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
