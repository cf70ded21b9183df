// Clusters of services with varying usage, as in P1, section 6.1: empty, or busy with the remainder of an earlier layout.
// docs/reference/generate.md lists what the paper leaves open and how it is filled in here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/generate/stochastic/services.h"
#include "capi/text/formats/instance_data.h"
#include "plan_generated.h"

namespace stowage::cli::stochastic {

enum class Case : std::uint8_t { kEmpty, kScaleUp, kScaleDown };

/// "empty", "scale-up", "scale-down"; fails on any other word.
Case parse_case(std::string_view word);
const char* case_word(Case one);

/// Containers that a service wants, relative to the initial layout.
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

/// The cluster after `plan`, a plan for it, was carried out and each service has lost its share of containers. Losses are drawn
/// by (`seed`, `day`). The nodes on which containers still run are listed, in the plan's order. Each service wants `wanted`
/// containers, but at least those that still run.
InstanceData after_losses(const InstanceData& cluster, const wire::Plan& plan, const std::vector<Service>& services,
                          const std::vector<std::uint32_t>& wanted, std::uint64_t seed, std::uint64_t day);

/// Each service's containers times `scale`, rounded.
std::vector<std::uint32_t> scaled_containers(const std::vector<Service>& services, double scale);

}  // namespace stowage::cli::stochastic
