#pragma once

#include "core/base/watch.h"
#include "core/model/data/instance_data.h"

namespace stowage {

/// A copy of all but the affinity limits. It is not complete if the watch ends the call.
InstanceData copy_of(const InstanceData& data, WatchRef watch);

}  // namespace stowage
