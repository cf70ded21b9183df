// What can be learned of the sizes of containers, on simulated profiles: by the library, beside an oracle and other learners.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

/// Learns from `method.profiled` apps of a seed and recommends for `fresh` others.
Score run_method(const Method& method, std::uint64_t seed, std::uint32_t fresh);

/// The most that can be learned: degrees for `apps` new apps of a seed, those of run_method() with degrees, chosen by who knows
/// the simulator's law and ranges; after two samples by the library's rule, and after samples of all degrees. What is not known
/// of an app is drawn as the simulator draws it, given its family, load and data size, and weighed by how well it explains the
/// samples: exact Bayesian inference, up to the number of draws. The largest degree with P(goal met) >= `confidence` is chosen.
std::array<Score, 2> choose_knowing(std::uint64_t seed, std::uint32_t apps, double confidence);

/// Root mean square errors of performance in [0, 1], of the learners of LraSched's table 2.
struct LearnerErrors {
  double mean = 0;     ///< mean of the configuration over profiled apps
  double machine = 0;  ///< LraSched's factorization machine
  double matrix = 0;   ///< matrix factorization
};

struct BaselineScore {
  LearnerErrors held_out;  ///< a fifth of the profiled apps' measurements, not learned from
  LearnerErrors fresh;     ///< new apps, measurements beside two random samples
  /// The factorization machine's errors on what it learns next, in its first pass, by tenths of the pass (P3, figure 5): by
  /// family, and of "all", which comes first.
  std::map<std::string, std::vector<double>> over_time;
  double machine_microseconds = 0;  ///< to predict all configurations of an app, CPU time
  double matrix_microseconds = 0;
};

/// `apps` profiled apps of a seed, and as many new ones.
BaselineScore run_baselines(std::uint64_t seed, std::uint32_t apps);

/// The means over the seeds `seed` .. `seed` + `seeds` - 1.
BaselineScore mean_baselines(std::uint64_t seed, std::uint32_t seeds, std::uint32_t apps);

/// LraSched's testbed (P3, section 4.2.1): two processors of 8 cores and 32 GB in each of 10 servers, and 10 apps of each of 4
/// families.
inline constexpr std::uint32_t kTestbedNodes = 10;
inline constexpr double kTestbedCores = 16;
inline constexpr double kTestbedMemory = 32;  // GiB
inline constexpr std::uint32_t kTestbedFamilies = 4;
inline constexpr std::uint32_t kTestbedAppsPerFamily = 10;
/// Containers of an app: uniform in 1 .. this. P3 does not state it; with more, most apps find no room.
inline constexpr std::uint32_t kTestbedContainers = 2;

struct TestbedApp {
  std::string name;  ///< with its family
  double cores;
  double memory;
  std::uint32_t containers;
  std::uint32_t together;  ///< of its containers on a node: the degree of collocation
};

/// The apps of a seed, in the order in which they arrive. Each is sized for a goal U[.5, .95] from two samples that the model
/// asks for; the model has learned from 300 simulated apps.
std::vector<TestbedApp> draw_testbed(std::uint64_t seed);

}  // namespace stowage::cli::sizes
