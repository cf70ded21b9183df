// Places of an instance, as messages about it name them.
#pragma once

#include <string>

#include "instance_generated.h"

namespace stowage::cli {

/// Where a value of the wire form is, such as "apps.demand[7]": with what that is about, "apps.demand[7] (app web, memory)";
/// or, where the instance was written as JSON, the path there, "apps[3].demand.memory (app web, memory)". A path that is
/// neither stays as it is.
std::string place_of(const std::string& path, const wire::Instance& instance, bool from_json);

}  // namespace stowage::cli
