// Ruin and recreate: nodes are taken apart, and their replicas find places anew (Schrimpf et al. 2000). A worse plan may follow
// a better one as the temperature allows; the best plan is kept.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/rebuild/drain.h"
#include "core/rebuild/recreate.h"
#include "core/rebuild/rebuild_state.h"
#include "core/run/run.h"

#include <cstdlib>
namespace stowage {
inline double knob(const char* name, double d) { const char* v = std::getenv(name); return v ? std::atof(v) : d; }

template <class Unit>
class Rebuild {
 public:
  Rebuild(RebuildState<Unit>& state, SoftPolicy soft, std::uint64_t seed);

  /// Puts everything that waits on new nodes, a window of apps at a time.
  void place_waiting(Run& run);
  /// Rebuilds until the run ends or `is_good_enough()` holds for the kept state.
  template <class GoodEnough>
  void run(Run& run, GoodEnough&& is_good_enough);

 private:
  void step(double temperature);
  std::vector<AppId> order_of_waiting();
  void sort_waiting();
  void ruin();
  /// Takes out an app with a rule, often one whose soft rules are violated, with what it needs near.
  void ruin_app();
  /// Reopens a node from which everything has moved: what ran there waits.
  void reopen_home();
  /// Adds nodes to which waiting replicas would return.
  void add_homes();
  /// A node whose emptying saves much per move: the best of some draws.
  [[nodiscard]] NodeId worth_moving(std::uint32_t draws);
  /// Adds nodes that hold what waiting apps need near.
  void add_needed_partners();
  void choose_partners();
  void collect_waiting();
  [[nodiscard]] NodeId wasteful(std::uint32_t draws);
  [[nodiscard]] bool is_better() const;
  void take_all(NodeId node);

  RebuildState<Unit>* state_;
  SoftPolicy soft_;
  Recreate<Unit> recreate_;
  Random random_;
  LogTable log_;
  std::vector<NodeId> ruined_;
  std::vector<NodeId> partners_;
  std::vector<WaitingApp> waiting_;
  double scale_ = 1;  // cost of a usual node
};

template <class Unit>
template <class GoodEnough>
void Rebuild<Unit>::run(Run& run, GoodEnough&& is_good_enough) {
  // Each round cools from the hottest to the coldest temperature, and is twice as long as the one before.
  static const double kHottest = knob("HOT", 0.13);
  static const double kColdest = knob("COLD", 0.026);
  std::uint64_t steps = knob("STEPS",2000);
  if (state_->state().moves_matter()) {
    const double per_move = drain(*state_, run.clock);
    state_->set_prices(state_->prices().soft, per_move * knob("LAMBDA", 0.7));
    if (is_better()) state_->keep();
  }
  while (run.clock.stop() == Stop::kNo) {
    const double fall = kColdest / kHottest;
    for (std::uint64_t k = 0; k < steps; ++k) {
      // Linear between both: cheap, and near enough to geometric.
      const double share = static_cast<double>(k) / static_cast<double>(steps);
      step(scale_ * kHottest * (1 - share * (1 - fall)));
      if (run.clock.step(16 + recreate_.take_work())) return;
      run.checkpoints.rest();
      if (is_better()) {
        state_->keep();
        run.clock.improved();
        if (is_good_enough()) return;
      }
    }
    steps *= 2;
    state_->return_to_kept();
  }
}

extern template class Rebuild<std::int16_t>;
extern template class Rebuild<std::int32_t>;

}  // namespace stowage
