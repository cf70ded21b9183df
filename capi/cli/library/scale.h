// --scale: instances derived from the one in a file.
#pragma once

#include <string>
#include <vector>

#include "instance_generated.h"

namespace stowage::cli {

/// Encodes a derivation (derivation.fbs) from factors such as "demand=1.3", "demand.cpu=1.3" or "replicas.web=2". Fails for
/// what is no factor, for what the instance does not have and for what is given twice.
flatbuffers::DetachedBuffer encode_derivation(const std::vector<std::string>& scales, const wire::Instance& instance);

}  // namespace stowage::cli
