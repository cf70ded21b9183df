// The services of P1 (table 5), and services drawn from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::cli::stochastic {

/// CPU usage of one container in cores, and the number of containers.
struct Service {
  std::string name;
  double mean = 0;
  double deviation = 0;  ///< standard deviation
  std::uint32_t containers = 0;
  double remove_rate = 0;  ///< share of the containers that a busy cluster has lost
};

/// The 17 services of table 5, in its order.
const std::vector<Service>& table_five();

/// Mean usage of all containers together, in cores.
double total_mean(const std::vector<Service>& services);

/// `count` services drawn from table 5 without repetition; where `count` exceeds 17, the table is drawn from repeatedly. Each
/// standard deviation is multiplied by a factor uniform in [0.9, 1.1) (P1, section 6.1). Containers are scaled so that the
/// total mean is table 5's.
std::vector<Service> draw_services(std::uint32_t count, std::uint64_t seed);

}  // namespace stowage::cli::stochastic
