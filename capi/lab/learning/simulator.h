// A simulator of how the performance of applications depends on the size of their containers and on the degree of collocation.
// docs/understand/learning.md lists the formulas; no measured profiles are public.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/base/random.h"

namespace stowage::cli::profiles {

inline constexpr double kCores[] = {1, 2, 4, 8, 16};
inline constexpr double kMemory[] = {1, 2, 4, 8, 16, 32};  // GiB
inline constexpr std::uint32_t kDegrees[] = {1, 2, 4, 8, 16};

/// Brings `count` random values to the front.
template <class Values>
void draw_first(Random& random, Values& values, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    std::swap(values[k], values[k + random.below(static_cast<std::uint32_t>(values.size() - k))]);
}

/// An application: what its latency depends on, drawn by family.
struct App {
  std::string family;
  double service_ms;      ///< S0, with all data in memory and no neighbours
  double serial;          ///< sigma, contention between cores
  double coherence;       ///< kappa, cost of keeping cores coherent
  double data_gib;        ///< D
  double skew;            ///< s, of a Zipf distribution of accesses
  double miss_penalty;    ///< pi: a miss takes this many service times more
  double fixed_gib;       ///< m0, memory that holds no data
  double network_ms;      ///< per request
  double contention;      ///< a, of containers beside each other
  double contention_exp;  ///< p
  double load;            ///< lambda, requests per ms
};

/// The app of a seed and an index: the same whatever else is drawn.
App draw_app(std::uint64_t seed, std::uint32_t index);

/// An app of the same family, load and data size, whose other properties are drawn as draw_app() draws them; nothing where
/// draw_app() would not have drawn this load for them. Accepted ones are distributed as apps are, given the three.
std::optional<App> draw_alike(const App& app, Random& random);

/// 99th percentile of the latency in ms, network included, with one container per node.
double latency_ms(const App& app, double cores, double memory);
/// The same with `degree` containers on a node; the network term is of traffic between nodes, which collocation saves.
double latency_ms(const App& app, double cores, double memory, std::uint32_t degree);

/// Standard deviation of measurements, as a share of the value.
inline constexpr double kNoise = 0.03;

struct Options {
  std::uint32_t apps = 300;
  std::uint64_t seed = 0;
  bool latency = false;       ///< measured in ms instead of as performance
  bool features = true;       ///< columns x_family, x_load and x_data
  bool degrees = false;       ///< each size with each degree, instead of degree 1 alone
  std::uint32_t samples = 0;  ///< of so many random configurations per app; 0: all
};

/// What an app shows with one configuration.
struct Measurement {
  double cores;
  double memory;
  std::uint32_t degree;
  double measured;  ///< with noise: performance in [0, 1], or ms
  double exact;     ///< without
};

/// All configurations of an app, by cores, memory, degree. Performance is the least latency of them over the latency.
std::vector<Measurement> measure(const App& app, const Options& options, std::uint32_t index);

/// The table as CSV: app, x_family, x_load, x_data, cpu, memory, collocation, and performance or latency_ms. Numbers have four
/// significant digits.
std::string csv(const Options& options);

}  // namespace stowage::cli::profiles
