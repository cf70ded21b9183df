// How well learned sizes and degrees of collocation do on simulated profiles, beside an oracle and other learners.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capi/lab/learning/simulator.h"

namespace stowage::cli::sizes {

/// A way to choose sizes.
struct Method {
  std::string name;
  bool latency = false;
  bool features = true;
  bool degrees = false;  ///< the size is given, and the degree of collocation is chosen
  std::uint32_t samples = 2;
  bool chosen = true;  ///< samples are those that the model asks for; else random ones
  double confidence = 0.8;
  bool by_measurement = false;  ///< goals count as met where a measurement meets them, noise included
  bool one_family = false;      ///< all apps are of one family
  std::uint32_t profiled = 300;
  std::uint32_t profiled_configurations = 0;  ///< random ones per profiled app; 0: all
};

/// What a method reached on new apps. Goals count as met where the value without noise meets them. Shares are of all apps; apps
/// without a recommendation run with the costliest configuration, or alone on their node.
struct Score {
  double rmse = 0;          ///< on configurations that were not sampled, against measurements
  double recommended = 0;   ///< share of apps with a recommendation
  double honest = 0;        ///< share of recommendations that meet the goal
  double met = 0;           ///< share of apps that meet the goal
  double near = 0;          ///< within one step per resource of the oracle; degrees: exactly the oracle's
  double extra = 0;         ///< cost beyond the oracle's; degrees: the sum of degrees over the oracle's
  double microseconds = 0;  ///< per recommendation, CPU time
};

/// One of run_method()'s new apps, where the degree of collocation is to be chosen at the oracle's size.
struct DegreeTrial {
  profiles::App app;
  double goal = 0;
  std::vector<profiles::Measurement> degrees;  ///< by degree
  std::size_t oracle = 0;                      ///< in `degrees`
};
std::vector<DegreeTrial> degree_trials(std::uint64_t seed, std::uint32_t fresh);

/// Learns from `method.profiled` apps of a seed and recommends for `fresh` others.
Score run_method(const Method& method, std::uint64_t seed, std::uint32_t fresh);

}  // namespace stowage::cli::sizes
