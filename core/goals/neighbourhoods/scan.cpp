// A replica goes where that changes most to the better, of some nodes.

#include <cstdint>
#include <memory>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

template <class Unit>
class ScanNodes : public Neighbourhood<Unit> {
 public:
  bool step(Site<Unit>& site) override {
    const NodeId from = site.burdened_node(1 + site.random().below(3));
    if (from == kNone) return false;
    const AppId app = site.any_tenant(from);
    if (app == kNone) return false;
    site.goals().take(app, from);
    site.begin_choice(kNodes);
    if (site.random().below(kEmptyEvery) == 0) site.add_empty_nodes();
    site.add(from);
    const NodeId to = site.draw_place(app);
    site.count(2);
    if (to == kNone || to == from) return false;
    site.goals().put(app, to);
    return true;
  }

 private:
  static constexpr std::uint32_t kNodes = 12;
  static constexpr std::uint32_t kEmptyEvery = 8;
};

}  // namespace

template <class Unit>
std::unique_ptr<Neighbourhood<Unit>> make_scan() {
  return std::make_unique<ScanNodes<Unit>>();
}

template std::unique_ptr<Neighbourhood<std::int16_t>> make_scan();
template std::unique_ptr<Neighbourhood<std::int32_t>> make_scan();

}  // namespace stowage
