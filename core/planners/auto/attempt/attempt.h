// A plan in the making, as the search improves it: a placement, the nodes in play, and the replicas that wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/watch.h"
#include "core/placement/placement.h"
#include "core/plan/objective.h"
#include "core/plan/plan.h"
#include "core/planners/planner.h"
#include "core/search/search_state.h"

namespace stowage {

/// Apps whose rules exchanges do not see: rules that are soft, that need a minimum, that limit node sets or skew, or that offer
/// a choice; and apps that use devices, of which exchanges see the sum. Exchanges leave them where a start puts them.
class TiedApps {
 public:
  explicit TiedApps(const Instance& instance);
  /// The same by placement rules alone. Otherwise, limits on costs tie every app.
  static TiedApps by_rules(const Instance& instance);
  /// Per app; empty: none is tied.
  [[nodiscard]] std::span<const std::uint8_t> flags() const { return flags_; }
  /// Replicas of tied apps, as a share of all.
  [[nodiscard]] double share() const { return share_; }
  /// Whether they are so few that little is lost where they stay.
  [[nodiscard]] bool are_few() const { return share_ <= 0.25; }

 private:
  TiedApps() = default;
  void find(const Instance& instance);
  void find_devices(const Instance& instance);

  std::vector<std::uint8_t> flags_;
  double share_ = 0;
};

/// Brings a placement, in which only what runs at the start is placed, and its search state to the nodes and replicas of a plan
/// that lists each node once. Replicas that the plan moves leave their nodes.
/// @param watch ends it: then it returns false, and both are of no use
template <class Unit>
bool load_plan(const Plan& plan, Placement<Unit>& placement, SearchState<Unit>& state, WatchRef watch = {});

template <class Unit>
struct Attempt {
  /// Empty new nodes. Repairs what is broken at the start within the move budget, then brings `nodes` nodes into play, or more
  /// where they do not carry the demand. Tied apps are placed and stay.
  Attempt(const PlannerInput& input, std::uint32_t nodes, const TiedApps& tied);
  /// The same with classes in this order. Tied apps wait; where the search places them, they stay.
  Attempt(const PlannerInput& input, std::uint32_t nodes, const TiedApps& tied, std::vector<ClassId> order);
  /// The nodes and replicas of a plan. Tied apps stay where they are. Not whole where the watch ends it.
  Attempt(const PlannerInput& input, const Plan& plan, const TiedApps& tied, WatchRef watch = {});
  /// A copy, to be completed on its own.
  Attempt(const Attempt& other) : placement(other.placement), state(other.state.copy_on(placement)), classes(other.classes) {}
  Attempt(Attempt&&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  Attempt& operator=(Attempt&&) = delete;
  ~Attempt() = default;

  /// What questions about spare nodes take, in steps of a Watch.
  struct Asking {
    std::uint64_t most = WorkClock::kEndless;
    std::uint64_t steps = 0;
  };
  /// Brings a node into play that takes a replica of the app: a spare one, else a new one. kNone: there is none, or asking
  /// takes more than it may.
  NodeId further_node(AppId app, Asking& asking);
  /// Places what waits on the nodes in use wherever it fits, and on further ones. Once the run has ended, the work spent on
  /// looking at all nodes is limited in proportion to what waits; after that only the last further nodes are looked at.
  /// @param at_once behaves as if the run had just ended; returns false where the run is cancelled meanwhile
  /// @param watch   ends it: returns false
  bool place_rest(Run& run, bool at_once = false, WatchRef watch = {}) {
    return place_rest(run, at_once, std::vector<AppId>(state.pool()), watch);
  }
  /// The same for these apps, which wait, in this order.
  bool place_rest(Run& run, bool at_once, const std::vector<AppId>& apps, WatchRef watch = {});
  /// Replicas that wait.
  [[nodiscard]] std::uint64_t waiting() const;
  /// What waits, as a share of a node in the resource and period of which it needs most.
  [[nodiscard]] double waiting_share() const;
  /// What plans are compared by: cost stands for nodes where there are prices.
  /// @param any_broken whether a constraint was broken at the start, so that broken ones are counted
  /// @param fill as in Judgement
  [[nodiscard]] PlanKey key(bool any_broken, bool fill);

  /// Puts replicas of tied apps on nodes in play, where soft rules cost least, until the run is cancelled or late.
  void place_tied(const TiedApps& tied, std::uint64_t seed, WorkClock& clock);

  Placement<Unit> placement;
  SearchState<Unit> state;
  std::vector<ClassId> classes;  ///< by value for the demand, in the order in which nodes are opened
  bool is_whole = true;          ///< false: it is of no use
};

/// Places what a plan leaves over wherever it fits, on its nodes and on further ones: searches exchange replicas until they
/// end, and the last exchange may have made room. High priorities come first, then what counts most. At the end of a run, only
/// in plans that are soon loaded. Where applications are placed all or nothing, the plan stays as it is.
void place_rest(const PlannerInput& input, Plan& plan);

extern template bool load_plan(const Plan& plan, Placement<std::int16_t>& placement, SearchState<std::int16_t>& state,
                               WatchRef watch);
extern template bool load_plan(const Plan& plan, Placement<std::int32_t>& placement, SearchState<std::int32_t>& state,
                               WatchRef watch);
extern template struct Attempt<std::int16_t>;
extern template struct Attempt<std::int32_t>;

}  // namespace stowage
