// Benchmarks of the planners' inner loops, for every instruction set of this machine.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/simd/kernels.h"
#include "tests/bench/benchmarks.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::Random;

template <class Unit>
std::vector<Unit> random_units(std::size_t size, std::uint32_t below, std::uint64_t seed) {
  Random random(seed);
  std::vector<Unit> values(size);
  for (Unit& v : values) v = static_cast<Unit>(random.below(below));
  return values;
}

// 5,120 nodes of two resources, and only the last node fits the app: the scan of a nearly full cluster.
template <class Unit>
void find_block(benchmark::State& state, const Kernels<Unit>* kernels) {
  constexpr std::uint32_t kBlocks = 80;
  constexpr std::size_t kStride = std::size_t{kBlocks} * kBlock;
  constexpr std::size_t kBlockStride = 128;
  std::vector<Unit> values = random_units<Unit>(2 * kStride, 60, 1);
  values[kStride - 1] = values[2 * kStride - 1] = 100;
  std::vector<Unit> block_max(2 * kBlockStride, -1);
  for (std::uint32_t b = 0; b < kBlocks; ++b) {
    // Maxima that exclude nothing, so that the rows themselves are read.
    block_max[b] = block_max[kBlockStride + b] = 100;
  }
  const ResidualColumns<Unit> columns = {values.data(), kStride, block_max.data(), kBlockStride, 2, kBlocks};
  const Unit need[] = {60, 60};
  for (auto _ : state) {
    std::uint64_t mask = 0;
    benchmark::DoNotOptimize(kernels->find_block(columns, need, 0, &mask));
    benchmark::DoNotOptimize(mask);
  }
  state.SetItemsProcessed(state.iterations() * kStride);
}

// 98 periods of two resources, all of which cover the demand.
template <class Unit>
void covers(benchmark::State& state, const Kernels<Unit>* kernels) {
  const std::vector<Unit> need = random_units<Unit>(196, 1000, 1);
  std::vector<Unit> residual(need);
  for (Unit& v : residual) ++v;
  for (auto _ : state) benchmark::DoNotOptimize(kernels->covers(residual.data(), need.data(), need.size()));
  state.SetItemsProcessed(state.iterations() * 196);
}

template <class Unit>
void subtract(benchmark::State& state, const Kernels<Unit>* kernels) {
  const std::vector<Unit> need = random_units<Unit>(196, 10, 1);
  std::vector<Unit> residual(196, 0);
  Unit times = 1;
  for (auto _ : state) {
    kernels->subtract(residual.data(), need.data(), times, need.size());
    times = static_cast<Unit>(-times);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 196);
}

template <class Unit>
void weighted_sum(benchmark::State& state, const Kernels<Unit>* kernels) {
  const std::vector<Unit> values = random_units<Unit>(196, 1000, 1);
  const std::vector<double> weight(196, 0.25);
  for (auto _ : state) benchmark::DoNotOptimize(kernels->weighted_sum(values.data(), weight.data(), values.size()));
  state.SetItemsProcessed(state.iterations() * 196);
}

template <class Unit>
void add_unit(const std::string& unit) {
  // Fastest first, plain C++ last.
  int set = 0;
  for (const Kernels<Unit>* const* at = all_kernels<Unit>(); *at != nullptr; ++at, ++set) {
    const std::string name = "/" + unit + "/set-" + std::to_string(set);
    benchmark::RegisterBenchmark(("find_block" + name).c_str(), find_block<Unit>, *at);
    benchmark::RegisterBenchmark(("covers" + name).c_str(), covers<Unit>, *at);
    benchmark::RegisterBenchmark(("subtract" + name).c_str(), subtract<Unit>, *at);
    benchmark::RegisterBenchmark(("weighted_sum" + name).c_str(), weighted_sum<Unit>, *at);
  }
}

}  // namespace

void add_kernel_benchmarks() {
  add_unit<std::int16_t>("int16");
  add_unit<std::int32_t>("int32");
}

}  // namespace stowage
