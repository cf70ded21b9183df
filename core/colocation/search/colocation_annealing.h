// Simulated annealing over moves and exchanges of replicas: of the sum of (value / reference)^p over the nodes, a smooth
// stand-in for the greatest value, or of the sum of the values. The closer the greatest value is to its bound, the greater is
// p: differences within that gap are those that matter.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/colocation/assignment/colocation_state.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Lets everything happen.
struct FreeColocation {
  /// Whether replica i may go to the node, and j of the node (or nothing()) to that of i.
  static constexpr bool may_exchange(std::uint32_t /*i*/, std::uint32_t /*node*/, std::uint32_t /*j*/) { return true; }
  /// That happens next.
  static constexpr void exchanging(std::uint32_t /*i*/, std::uint32_t /*node*/, std::uint32_t /*j*/) {}
};

/// Asks what the class that derives from it knows.
class ColocationGate {
 public:
  ColocationGate() = default;
  ColocationGate(const ColocationGate&) = delete;
  ColocationGate(ColocationGate&&) = delete;
  ColocationGate& operator=(const ColocationGate&) = delete;
  ColocationGate& operator=(ColocationGate&&) = delete;
  virtual ~ColocationGate() = default;
  /// As FreeColocation.
  [[nodiscard]] virtual bool may_exchange(std::uint32_t i, std::uint32_t node, std::uint32_t j) = 0;
  virtual void exchanging(std::uint32_t i, std::uint32_t node, std::uint32_t j) = 0;
};

/// The best assignment that a state has been in, kept up by what has changed since.
class BestColocation {
 public:
  explicit BestColocation(const ColocationState& state) : state_(&state), is_stale_(state.replicas(), 0) {}
  /// Infinite before the first take().
  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] const Colocation& colocation() const { return colocation_; }
  /// States that a replica of the state has moved, or any number of them.
  void moved(std::uint32_t i) {
    if (is_stale_[i] != 0) return;
    is_stale_[i] = 1;
    stale_.push_back(i);
  }
  void reassigned() { all_stale_ = true; }
  /// Takes an assignment that is not the state's, if it is better.
  /// @param objective its objective
  void offer(const Colocation& colocation, double objective);
  /// Takes the state's assignment, or only if it is better.
  void take();
  void offer() {
    if (state_->objective() < objective_) take();
  }

 private:
  const ColocationState* state_;
  double objective_ = std::numeric_limits<double>::infinity();
  Colocation colocation_;
  bool all_stale_ = true;
  std::vector<std::uint32_t> stale_;
  std::vector<std::uint8_t> is_stale_;
};

/// How a pass cools, and how sharply it looks at the greatest values.
struct Cooling {
  double hot;           ///< temperature at the begin, where the node of the greatest value has an energy of 1
  std::uint64_t steps;  ///< until the temperature is nearly 0
  double focus;         ///< the energy falls to 1/e by 1/focus of the gap between the objective and the bound

  /// For passes that begin from good assignments: they grow in length, and by turns they are cold and refine, or hot and
  /// look elsewhere.
  static Cooling of_pass(std::uint32_t pass, const ColocationState& state);
};

class ColocationAnnealing {
 public:
  /// @param best of the state; what is found goes there
  ColocationAnnealing(ColocationState& state, BestColocation& best, std::uint64_t seed);

  /// Begins a pass.
  void begin(const Cooling& cooling);
  /// Anneals until the steps of the pass are taken, the best objective is at most `enough` or the clock stops the run. Every
  /// replica is on a node. Returns whether the pass is over; otherwise, a further call goes on with it, if the state is as it
  /// was.
  /// @param enough at least 0
  template <class Gate>
  bool run(double enough, Gate& gate, WorkClock& clock);

 private:
  static constexpr std::uint32_t kStepsPerLook = 256;
  static constexpr std::uint32_t kChangesPerRefresh = 1u << 20;

  template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
  void run_as(double enough, Gate& gate, WorkClock& clock);
  /// A replica, and the replica or the node that it changes places with or moves to.
  struct Draw {
    std::uint32_t i;
    std::uint32_t j;     ///< nothing(): a move
    std::uint32_t node;  ///< of a move
  };
  void draw();
  template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
  void take_steps(double temperature, Gate& gate);
  template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
  void step(const Draw& draw, double temperature, Gate& gate);
  template <ColocationGoal kGoal>
  [[nodiscard]] double energy(double value) const;
  void apply(std::uint32_t i, std::uint32_t node, std::uint32_t j);
  /// A replica of a node with a high value, or any.
  [[nodiscard]] std::uint32_t draw_replica(std::uint64_t draw);
  void watch(std::uint32_t node);
  /// Makes the objective the reference, and chooses p.
  template <ColocationGoal kGoal>
  void refer(double objective, double enough);
  /// Notes a better assignment.
  /// Returns whether there was one.
  template <ColocationGoal kGoal>
  bool look(double enough);
  void watch(double enough);

  ColocationState* state_;
  BestColocation* best_;
  Random random_;
  LogTable logs_;
  std::vector<Draw> draws_;
  Cooling cooling_{};
  std::uint64_t steps_ = 0;      // of the pass that have been taken
  std::uint32_t squarings_ = 0;  // kWorst: p = 2^squarings
  double per_reference_ = 1;     // 1 / reference value
  std::vector<double> energy_;   // per node
  double sum_ = 0;               // of the energies, by the changes since refer()
  double limit_ = 0;             // kWorst: an assignment with no value above it is worth noting
  std::uint32_t above_ = 0;      // kWorst: nodes whose value is not below it
  double high_limit_ = 0;        // nodes whose value is above it are high
  std::vector<std::uint32_t> high_;
  std::vector<std::uint32_t> high_at_;  // per node: its place in high_; kNone: it is not high
  std::uint32_t changes_ = 0;           // since the state's sums were computed
};

}  // namespace stowage
