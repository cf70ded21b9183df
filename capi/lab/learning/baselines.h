// The learners of LraSched's table 2 on simulated profiles: how far off their predictions are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::cli::sizes {

/// Root mean square errors of performance in [0, 1].
struct LearnerErrors {
  double mean = 0;     ///< mean of the configuration over profiled apps
  double machine = 0;  ///< LraSched's factorization machine
  double matrix = 0;   ///< matrix factorization
};

/// The factorization machine's errors on what it learns next, in its first pass, by tenths of the pass (P3, figure 5).
struct FamilyErrors {
  std::string family;  ///< "all": of all families
  std::vector<double> by_tenth;
};

struct BaselineScore {
  LearnerErrors held_out;               ///< a fifth of the profiled apps' measurements, not learned from
  LearnerErrors fresh;                  ///< new apps, measurements beside two random samples
  std::vector<FamilyErrors> over_time;  ///< of all apps, then by family, in alphabetical order
  double machine_microseconds = 0;      ///< to predict all configurations of an app, CPU time
  double matrix_microseconds = 0;
};

/// `apps` profiled apps of a seed, and as many new ones.
BaselineScore run_baselines(std::uint64_t seed, std::uint32_t apps);

/// The means over the seeds `seed` .. `seed` + `seeds` - 1.
BaselineScore mean_baselines(std::uint64_t seed, std::uint32_t seeds, std::uint32_t apps);

}  // namespace stowage::cli::sizes
