// The most that can be learned: degrees of collocation chosen by who knows the simulator's law and ranges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stowage::cli::sizes {

/// Shares of all apps, as in Score.
struct KnowingScore {
  double met = 0;
  double exact = 0;
  double honest = 0;  ///< share of recommendations that meet the goal
  double recommended = 0;
};

/// Which samples are taken.
enum class KnowingChoice : std::uint8_t {
  kLargestSaving,  ///< two, by the library's rule
  kMostTelling,    ///< two, after which the oracle's degree is expected to be known most surely
  kAll,            ///< of each degree
};
inline constexpr std::size_t kKnowingChoices = 3;

/// Chooses degrees for `apps` new apps of a seed, those of run_method() with degrees; a score per KnowingChoice. What is not
/// known of an app is drawn as the simulator draws it, given its family, load and data size, and weighed by how well it
/// explains the samples: exact Bayesian inference, up to the number of draws. The largest degree with P(goal met) >=
/// `confidence` is chosen.
std::array<KnowingScore, kKnowingChoices> choose_knowing(std::uint64_t seed, std::uint32_t apps, double confidence);

}  // namespace stowage::cli::sizes
