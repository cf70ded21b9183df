// Headroom by limits on what side effects may cost a replica (P4, section 2).
#pragma once

#include <cstdint>
#include <span>

#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// How many more replicas of the app a node with these tenants takes, at most `wanted`, so that nobody there costs more than
/// its kind may. Where somebody does already, 0 if the app would make that worse. Sums of doubles count as within a limit that
/// they exceed by a relative 1e-12. For instances that limit costs. O(tenants + kinds present^2).
[[nodiscard]] std::uint32_t cost_headroom(const Instance& instance, AppId app, std::span<const Tenant> tenants,
                                          std::uint32_t wanted);

/// The same for one replica where one of `leaving` leaves the node, if that is not kNone.
[[nodiscard]] bool costs_admit(const Instance& instance, AppId arriving, AppId leaving, std::span<const Tenant> tenants);

/// Kinds that cost more than they may on a node with these tenants.
[[nodiscard]] std::uint32_t broken_cost_limits(const Instance& instance, std::span<const Tenant> tenants);

}  // namespace stowage
