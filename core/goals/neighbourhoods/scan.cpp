// A replica goes where that changes most to the better, of some nodes.

#include <cstdint>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

constexpr std::uint32_t kNodesToScan = 12;
constexpr std::uint32_t kEmptyEveryForScan = 8;

}  // namespace

template <class Unit>
bool try_scan(Site<Unit>& site) {
  const auto [app, from] = site.any_replica();
  if (app == kNone) return false;
  site.goals().take(app, from);
  site.begin_choice(kNodesToScan);
  if (site.random().below(kEmptyEveryForScan) == 0) site.add_empty_nodes();
  site.add(from);
  const NodeId to = site.draw_place(app);
  site.count(2);
  if (to == kNone || to == from) return false;
  site.goals().put(app, to);
  return true;
}

template bool try_scan(Site<std::int16_t>& site);
template bool try_scan(Site<std::int32_t>& site);

}  // namespace stowage
