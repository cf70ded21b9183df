// When machines fail, for P2's figure 8.
#pragma once

#include <cstdint>
#include <vector>

namespace stowage::cli::medea {

/// Share of each service unit's machines that is unavailable, hour by hour (P2, figure 3): mostly below 3 %, at times a quarter
/// or all of a unit, each unit at its own times.
std::vector<std::vector<double>> draw_unavailability(std::uint32_t service_units, std::uint32_t hours, std::uint64_t seed);

}  // namespace stowage::cli::medea
