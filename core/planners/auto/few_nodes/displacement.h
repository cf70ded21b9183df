// Room for several waiting replicas in place of one.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planners/auto/attempt/attempt.h"

namespace stowage {

/// Goes through the nodes once, those that hold a dear replica first. The dearest replica of the lowest priority on a node
/// makes way if waiting ones then find room there of which one has a higher priority, or two have the same.
/// O(questions), at most `questions` of whether a node takes a replica, and of large clusters so few that they take some tens
/// of milliseconds, besides O(replicas placed) for the order of the nodes.
/// @param apps  that wait, in the order in which they are tried
/// @param cost  per app
/// @param watch ends it: what is placed by then stays
template <class Unit>
void displace(Attempt<Unit>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost, std::uint64_t questions,
              WatchRef watch = {});

extern template void displace(Attempt<std::int16_t>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost,
                              std::uint64_t questions, WatchRef watch);
extern template void displace(Attempt<std::int32_t>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost,
                              std::uint64_t questions, WatchRef watch);

}  // namespace stowage
