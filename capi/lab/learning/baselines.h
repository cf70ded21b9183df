// The learners of LraSched's table 2 on simulated profiles: how far off their predictions are.
#pragma once

#include <cstdint>
#include <vector>

namespace stowage::cli::sizes {

/// Root mean square errors of performance in [0, 1].
struct LearnerErrors {
  double mean = 0;     ///< mean of the configuration over profiled apps
  double machine = 0;  ///< LraSched's factorization machine
  double matrix = 0;   ///< matrix factorization
};

struct BaselineScore {
  LearnerErrors held_out;  ///< a fifth of the profiled apps' measurements, not learned from
  LearnerErrors fresh;     ///< new apps, measurements beside two random samples
  /// The factorization machine's errors on what it learns next, in its first pass, by tenths of the pass.
  std::vector<double> over_time;
};

/// `apps` profiled apps of a seed, and as many new ones.
BaselineScore run_baselines(std::uint64_t seed, std::uint32_t apps);

}  // namespace stowage::cli::sizes
