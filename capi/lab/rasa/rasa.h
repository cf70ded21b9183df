// Import of the clusters M1 to M4 that RASA was measured on (S. Wang et al., Resource Allocation with Service Affinity in
// Large-Scale Cloud Environments, ICDE 2024).
#pragma once

#include <string>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

/// An app per service, a listed node per machine, a class per capacity of machines. Containers run where they are deployed at
/// first; traffic is that of pairs of services. Services that only some machines take are refused.
InstanceData import_rasa(const std::string& file);

}  // namespace stowage::cli
