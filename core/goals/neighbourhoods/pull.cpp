// A replica comes to a node, and what is in its way leaves.

#include <cstdint>
#include <memory>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

template <class Unit>
class PullHome : public Neighbourhood<Unit> {
 public:
  bool step(Site<Unit>& site) override {
    NodeId from = site.burdened_node(1 + site.random().below(3));
    if (from == kNone) return false;
    const AppId app = site.any_tenant(from);
    if (app == kNone) return false;
    const NodeId to = target(site, app);
    if (to == kNone || to == from) return false;
    site.goals().take(app, from);
    site.count(1);
    // The last one that leaves may make room alone, so that the others can stay: the best place of these is this node.
    for (std::uint32_t k = 0; !site.goals().has_room(app, to); ++k) {
      const AppId in_the_way = k < kMost ? site.any_tenant(to) : kNone;
      if (in_the_way == kNone || in_the_way == app) {
        site.forget_waiting();
        return false;
      }
      site.take(in_the_way, to);
    }
    site.goals().put(app, to);
    site.begin_choice(kNodes);
    site.add(from);
    site.add(to);
    return site.place_waiting();
  }

 private:
  static constexpr std::uint32_t kMost = 4;
  static constexpr std::uint32_t kNodes = 16;

  // A node where the app has run, or any.
  static NodeId target(Site<Unit>& site, AppId app) {
    const auto homes = site.state().homes(app);
    if (homes.empty() || site.random().below(4) == 0) return site.any_node();
    const NodeId home = homes[site.random().below(static_cast<std::uint32_t>(homes.size()))];
    const auto& state = site.state().state();
    return state.in_play(home) && state.away(app, home) > 0 ? home : kNone;
  }
};

}  // namespace

template <class Unit>
std::unique_ptr<Neighbourhood<Unit>> make_pull() {
  return std::make_unique<PullHome<Unit>>();
}

template std::unique_ptr<Neighbourhood<std::int16_t>> make_pull();
template std::unique_ptr<Neighbourhood<std::int32_t>> make_pull();

}  // namespace stowage
