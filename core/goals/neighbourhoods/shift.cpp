// A replica goes to another node.

#include <cstdint>
#include <memory>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

template <class Unit>
class ShiftOne : public Neighbourhood<Unit> {
 public:
  bool step(Site<Unit>& site) override {
    const NodeId from = site.burdened_node(1 + site.random().below(3));
    if (from == kNone) return false;
    const AppId app = site.any_tenant(from);
    if (app == kNone) return false;
    const NodeId to = site.any_node();
    site.count(1);
    if (to == from || !site.goals().has_room(app, to)) return false;
    site.goals().take(app, from);
    // Rules may count what has left.
    if (!site.goals().has_room(app, to)) return false;
    site.goals().put(app, to);
    site.count(2);
    return true;
  }
};

}  // namespace

template <class Unit>
std::unique_ptr<Neighbourhood<Unit>> make_shift() {
  return std::make_unique<ShiftOne<Unit>>();
}

template std::unique_ptr<Neighbourhood<std::int16_t>> make_shift();
template std::unique_ptr<Neighbourhood<std::int32_t>> make_shift();

}  // namespace stowage
