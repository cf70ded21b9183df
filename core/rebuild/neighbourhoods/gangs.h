// Gangs: replicas that a hard rule keeps on few sets of nodes, such as on one rack or one node. Moved one by one, the second
// one breaks the rule or follows the first; so a gang leaves and comes back as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/rebuild/rebuild_state.h"

namespace stowage {

template <class Unit>
class Gangs {
 public:
  explicit Gangs(RebuildState<Unit>& state);

  [[nodiscard]] bool any() const { return !gangs_.empty(); }
  /// Places those that wait, the largest first, each on a set of nodes that holds most of it.
  /// @param spread any such set; otherwise the one where that costs least
  void place_waiting(bool spread, WorkClock& clock, Random& random);
  /// Sends a gang to another set of nodes: the gang, and some nodes of the set, are taken apart, and the gang is placed there.
  /// What else has lost its place waits. Gangs that wait themselves are chosen more often.
  /// @param ruined gets the nodes that were taken apart
  void move_one(Random& random, std::vector<NodeId>& ruined);
  /// Work since the last call, in looks at an app.
  std::uint64_t take_work() { return std::exchange(work_, 0); }

 private:
  struct Gang {
    std::uint32_t group;  // kNone: each node is a set
    std::vector<AppId> apps;
    double worth = 0;  // of all replicas
  };
  /// Nodes of a set: some of those in use, and kinds with empty ones.
  struct Site {
    std::vector<NodeId> used;
    std::vector<std::uint32_t> kinds;
  };

  void add(Gang gang);
  [[nodiscard]] bool waits(const Gang& gang) const;
  [[nodiscard]] std::uint32_t choose(Random& random) const;
  void take_out(const Gang& gang);
  [[nodiscard]] std::uint32_t sets(const Gang& gang) const;
  [[nodiscard]] Site site_of(const Gang& gang, std::uint32_t set, Random& random);
  /// Places what waits of the gang on nodes of the site, in use or not.
  void place(const Gang& gang, const Site& site, Random& random);
  void put(AppId app, NodeId node);

  RebuildState<Unit>* state_;
  std::vector<Gang> gangs_;
  std::vector<std::vector<std::uint32_t>> of_app_;  // per app: its gangs
  std::uint64_t work_ = 0;
};

extern template class Gangs<std::int16_t>;
extern template class Gangs<std::int32_t>;

}  // namespace stowage
