// Clusters whose services vary, as P1, section 6.1 makes them: empty, or busy with what is left of an earlier layout.
// docs/generate.md tells what the paper leaves open and what is done about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/formats/instance_data.h"
#include "capi/cli/generate/services.h"
#include "plan_generated.h"

namespace stowage::cli::stochastic {

enum class Case : std::uint8_t { kEmpty, kScaleUp, kScaleDown };

/// "empty", "scale-up", "scale-down"; fails on any other word.
Case parse_case(std::string_view word);
const char* case_word(Case one);

/// Containers of a service in the end, relative to the initial layout.
double scale_of(Case one);

struct ClusterOptions {
  std::uint32_t services = 0;
  double confidence = 0;  ///< that a machine's capacity holds; in (0, 1)
  Case of = Case::kEmpty;
  std::uint32_t machines = 4000;
  double capacity = 31.58;  ///< cores of a machine
  std::uint64_t seed = 0;
  std::string layout = "csp-ucac";  ///< planner of the initial layout
};

/// The same options give the same instance wherever the planner of the layout gives the same plan. Fails where `machines` do
/// not hold the initial layout.
InstanceData generate_cluster(const ClusterOptions& options, const Console& console);

/// `services` on machines where nothing runs, with all their containers wanted.
InstanceData empty_cluster(const ClusterOptions& options, const std::vector<Service>& services);

/// The services of `cluster` where `plan`, which is for it, was carried out and each service has lost its share of containers:
/// `day` tells apart losses with the same seed. The nodes where something still runs are listed, in the plan's order. Wanted is
/// what `wanted` says, and not less than what still runs.
InstanceData after_losses(const InstanceData& cluster, const wire::Plan& plan, const std::vector<Service>& services,
                          const std::vector<std::uint32_t>& wanted, std::uint64_t seed, std::uint64_t day);

/// Each service's containers times `scale`, rounded.
std::vector<std::uint32_t> scaled_containers(const std::vector<Service>& services, double scale);

}  // namespace stowage::cli::stochastic
