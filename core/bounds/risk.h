// Uncertain demand in bounds.
#pragma once

#include "core/model/instance.h"

namespace stowage {

/// The app's spread in squares of scaled units, times the squared confidence factor: means M and risks V of what a node holds
/// obey M + sqrt(V) <= capacity. Beyond a limit that no node has room for, more makes no difference.
double risk_of(const Instance& instance, AppId app, ResourceId r);

/// Whether some node holds more than its capacity at confidence at the start. It may go on to do so, with other replicas.
bool starts_above(const Instance& instance, ResourceId r);

}  // namespace stowage
