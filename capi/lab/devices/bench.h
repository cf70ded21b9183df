// Parts of GPUs: planners that know devices beside schedulers that place one task after the other, and ways around devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"

namespace stowage::cli::lab {

struct BenchDevicesCommand {
  std::uint32_t nodes = 1'500;
  std::vector<double> loads = {0.9, 1, 1.1};  ///< GPUs asked for, as shares of those that are there
  std::uint32_t seeds = 3;
  std::uint64_t deadline_ms = 30'000;
  std::optional<std::string> markdown;
  std::string command_line;
};
int run_bench_devices_command(const BenchDevicesCommand& command, const Console& console);

}  // namespace stowage::cli::lab
