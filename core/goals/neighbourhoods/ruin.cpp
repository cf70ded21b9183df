// Some nodes lose some or all of what they hold, and it goes where it is best.

#include <algorithm>
#include <cstdint>
#include <memory>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

template <class Unit>
class RuinNodes : public Neighbourhood<Unit> {
 public:
  bool step(Site<Unit>& site) override {
    const std::uint32_t nodes = 1 + site.random().below(kMostNodes);
    // Whole nodes are emptied few at a time.
    const bool whole = site.random().below(4) == 0;
    site.begin_choice(kNodes);
    std::uint32_t taken = 0;
    NodeId emptied = kNone;
    for (std::uint32_t k = 0; k < (whole ? 1 : nodes) && taken < kMostReplicas; ++k) {
      const NodeId node = site.burdened_node(1 + site.random().below(6));
      if (node == kNone) return false;
      const std::uint32_t wanted = whole ? kMostReplicas : 1 + site.random().below(kMostOfNode);
      for (std::uint32_t j = 0; j < wanted && taken < kMostReplicas; ++j) {
        const AppId app = site.any_tenant(node);
        if (app == kNone) break;
        site.take(app, node);
        ++taken;
      }
      if (whole) emptied = node;
      if (!whole || site.random().below(2) == 0) site.add(node);
    }
    if (taken == 0) return false;
    if (emptied != kNone || site.random().below(4) == 0) site.add_empty_nodes();
    return site.place_waiting();
  }

 private:
  static constexpr std::uint32_t kMostNodes = 4;
  static constexpr std::uint32_t kMostOfNode = 6;
  static constexpr std::uint32_t kMostReplicas = 32;
  static constexpr std::uint32_t kNodes = 12;
};

}  // namespace

template <class Unit>
std::unique_ptr<Neighbourhood<Unit>> make_ruin() {
  return std::make_unique<RuinNodes<Unit>>();
}

template std::unique_ptr<Neighbourhood<std::int16_t>> make_ruin();
template std::unique_ptr<Neighbourhood<std::int32_t>> make_ruin();

}  // namespace stowage
