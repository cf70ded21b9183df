#include "capi/lab/medea/unavailability.h"

#include "capi/cli/base/random.h"

namespace stowage::cli::medea {
namespace {

/// Purpose of the random numbers; it has its own streams.
constexpr std::uint64_t kUnavailability = 202;

}  // namespace

std::vector<std::vector<double>> draw_unavailability(std::uint32_t service_units, std::uint32_t hours, std::uint64_t seed) {
  std::vector<std::vector<double>> shares(service_units, std::vector<double>(hours, 0));
  for (std::uint32_t unit = 0; unit < service_units; ++unit) {
    Random random(seed, kUnavailability, unit);
    double event = 0;
    std::uint32_t left = 0;
    for (double& share : shares[unit]) {
      if (left == 0 && random.below(100) == 0) {
        event = random.below(4) == 0 ? 1 : 0.25;
        left = 1 + random.below(6);
      }
      share = left > 0 ? event : 0.03 * random.uniform();
      left -= left > 0 ? 1 : 0;
    }
  }
  return shares;
}

}  // namespace stowage::cli::medea
