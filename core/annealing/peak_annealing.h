// Improvement with demand that changes over time: brings replicas together whose peaks do not coincide, so that they take few
// nodes.
//
// A node is full when its capacity is used up in one period; what is free in the other periods is lost. Replicas of constant
// demand lose nothing. Those that vary fill each other's dips the better, the more of them share a node.
//
// State. Every replica has a place, and nodes may exceed their capacity. The excess of a node is what it exceeds its capacity
// by, summed over all periods: it changes with every exchange that helps in any period, where the free capacity in the worst
// period changes with few.
//
// Energy. The sum of the nodes' costs, to be brought to 0. The cost of a node is its excess. Late in a pass the cost turns
// step by step into the square root of the excess, times a constant, so that the excess gathers on few nodes.
//
// Steps. A step draws a replica, mostly from a node that exceeds its capacity much, and up to 32 partners (step_draws.h). The
// first exchange whose energy the temperature accepts (Metropolis et al., 1953), and which limits allow, is made. One random
// number decides for all partners of a step. Partners with equal demand come together, so that the excess of the first
// replica's node is computed once for all of them. A large replica is also offered for several of one node that together demand
// about as much.
//
// Schedule. A pass is a number of steps, over which the temperature falls by a factor of 2^8.5, or from a lower one on where it
// is reheated. While it is hot, the total excess depends on the temperature alone, unless there are too few nodes. In the
// middle of a pass, nodes in reserve are opened if the total excess is above what is usual at the temperature.
//
// At the end, replicas leave the nodes that exceed their capacity, and wait (seating.h). The placement is written only then:
// a pass that is cut off while it is hot has nothing to offer. O(partners x lanes) per step, most of it in the first lanes, and
// O(replicas on a node) per exchange that is made.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/annealing/annealed_placement.h"
#include "core/annealing/annealing_state.h"
#include "core/annealing/profiles/profile_matrix.h"
#include "core/annealing/profiles/profile_neighbours.h"
#include "core/annealing/seating.h"
#include "core/annealing/step_draws.h"
#include "core/base/numbers/random.h"
#include "core/run/run.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Temperature and cost over a pass, by the share of its steps that is done.
class AnnealingSchedule {
 public:
  /// Steps between two looks at the clock and at the temperature; a pass has at least as many.
  static constexpr std::uint64_t kBatch = 64;

  explicit AnnealingSchedule(std::uint32_t periods) : periods_(periods) {}

  /// Starts a pass of `steps` steps; `reheated` starts it at a lower temperature.
  void begin(std::uint64_t steps, bool reheated);
  [[nodiscard]] bool under_way() const { return done_ < steps_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::uint64_t steps_left() const { return steps_ - done_; }
  void advance(std::uint64_t steps) { done_ += steps; }
  /// Sets temperature() and cost(). Returns whether the cost has changed.
  bool cool();
  /// In units of the ProfileMatrix, summed over periods.
  [[nodiscard]] double temperature() const { return temperature_; }
  [[nodiscard]] const ExcessCost& cost() const { return cost_; }
  /// Whether it is time to open nodes in reserve: true once for each of a few moments in the middle of a pass.
  bool time_to_open();
  /// How many nodes to open where `open` nodes exceed their capacity by `exceeded` nodes' worth in their worst periods.
  [[nodiscard]] std::size_t nodes_to_open(std::uint32_t open, double exceeded) const;

 private:
  // In units of the ProfileMatrix, per period.
  static constexpr double kHottest = ProfileMatrix::kFull / 2000.0;
  static constexpr double kHalvings = 8.5;  // of the temperature, in a pass
  static constexpr double kReheated = 7.7;  // halvings at which a reheated pass begins
  // From this share of a pass on, the cost turns from the excess into its root times the root of kRootOf (per period), in
  // kTurns turns.
  static constexpr double kRootFrom = 0.7;
  static constexpr double kRootOf = ProfileMatrix::kFull / 7500.0;
  static constexpr int kTurns = 32;
  // Nodes are opened at kMoments moments between these shares of a pass. At a temperature of T per period, a node usually
  // exceeds its capacity by kExcessOfHeat x T in its worst period; for each kExcessPerNode nodes' worth above that, one node is
  // opened. Measured, for the least loss, on instances of 1,200 to 1,800 nodes and 98 periods, where the usual excess depends
  // on the temperature alone.
  static constexpr double kOpenFrom = 0.5;
  static constexpr double kOpenUntil = 0.7;
  static constexpr int kMoments = 16;
  static constexpr double kExcessOfHeat = 240;
  static constexpr double kExcessPerNode = 1.4;

  [[nodiscard]] double share_done() const { return static_cast<double>(done_) / static_cast<double>(steps_); }

  double periods_;
  std::uint64_t steps_ = 0;
  std::uint64_t done_ = 0;
  bool reheated_ = false;
  double temperature_ = 0;
  int turn_ = 0;
  ExcessCost cost_;
  int moment_ = -1;  // the last one of time_to_open() in this pass
};

/// Moves what nothing ties to its node: neither pins nor a place where it runs, nor placement rules that speak of the app.
class PeakAnnealing {
 public:
  /// The arguments stay where they are.
  PeakAnnealing(AnnealedPlacement& placement, const ProfileMatrix& rows, std::uint64_t seed);
  PeakAnnealing(const PeakAnnealing&) = delete;
  PeakAnnealing(PeakAnnealing&&) = delete;
  PeakAnnealing& operator=(const PeakAnnealing&) = delete;
  PeakAnnealing& operator=(PeakAnnealing&&) = delete;
  ~PeakAnnealing() = default;

  /// The nodes it works on.
  [[nodiscard]] std::vector<NodeId>& nodes() { return nodes_; }
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  /// Whether it moves replicas of the app at all.
  [[nodiscard]] bool moves(AppId app) const { return AnnealingState::moves(placement_->instance(), app); }

  /// Places waiting replicas of these apps, in this order, where the nodes together lose least by it.
  void place_first(Run& run, const std::vector<AppId>& order);

  /// Starts an annealing pass of `steps` steps; `reheated` starts it at a lower temperature.
  /// @param spare nodes' worth of spare() to begin with: empty nodes at the end of nodes() beyond that are in reserve until it
  ///              is seen that they are needed, or the steps end
  void begin(std::uint64_t steps, bool reheated, double spare = std::numeric_limits<double>::infinity());
  /// Steps of a pass that takes `work` units of work.
  [[nodiscard]] std::uint64_t steps_for(std::uint64_t work) const;
  /// Seconds per unit of work in the last pass, at its end.
  [[nodiscard]] double seconds_per_work() const { return seconds_ / static_cast<double>(schedule_.steps() * work_per_step()); }
  /// Whether steps of the pass are left.
  [[nodiscard]] bool under_way() const { return schedule_.under_way(); }
  /// AnnealingState::spare() when the nodes were last read.
  [[nodiscard]] double spare() const { return state_.spare(); }

  /// Goes on with the pass: until all is within capacity and what waits needs at most `enough` of a node, or to its end, or the
  /// run's. The placement is written where less waits than before; where there is not room for everything, where fewer
  /// replicas wait. Returns false where there is nothing to exchange, or the run ended before any step.
  bool anneal(Run& run, double enough);

 private:
  static constexpr std::uint32_t kPartners = StepDraw::kPartners;
  // Units of work per step; and once neighbours are known, whose rows are scattered in memory. A unit is a node that a start
  // visits.
  static constexpr std::uint64_t kStepWork = 8;
  static constexpr std::uint64_t kNeighbourStepWork = 11;
  // Neighbours are found if that takes at most one in kNeighboursPay units of work of a pass.
  static constexpr std::uint64_t kNeighboursPay = 20;
  // Several items for one: how much less, or more, they may demand than it.
  static constexpr std::int32_t kSeveralLess = ProfileMatrix::kFull / 128;
  static constexpr std::int32_t kSeveralMore = ProfileMatrix::kFull / 64;

  bool load(Run& run);
  [[nodiscard]] bool neighbours_pay(std::uint64_t steps) const;
  [[nodiscard]] std::uint64_t work_per_step() const { return neighbours_.empty() ? kStepWork : kNeighbourStepWork; }
  bool find_neighbours(WorkClock& clock);
  void take_steps(WorkClock& clock, double enough);
  void step(const StepDraw& draw);
  void exchange_for_several(std::uint32_t x, std::uint32_t b);
  void choose_several(std::uint32_t x, std::uint32_t b);
  bool exchange(std::uint32_t x, std::uint32_t b, std::span<const std::uint32_t> from_b, const std::int16_t* to_a,
                float affordable, std::int32_t at_a, std::int32_t at_b);
  [[nodiscard]] float draw_luck() { return static_cast<float>(-schedule_.temperature() * log_.draw(random_)); }

  AnnealedPlacement* placement_;
  const ProfileMatrix* rows_;
  const Kernels<std::int16_t>* kernels_;
  Random random_;
  LogTable log_;
  std::vector<NodeId> nodes_;
  AnnealingState state_;
  AnnealingSchedule schedule_;
  ProfileNeighbours neighbours_;
  StepDraws draws_;
  Seating seating_;
  double spare_at_first_ = std::numeric_limits<double>::infinity();
  double seconds_ = 0;  // of the pass
  std::array<Partner<std::int16_t>, kPartners> partners_{};
  std::vector<std::int16_t> own_;  // row of the slot that offers, without what it offers
  std::vector<AnnealingState::Guest> candidates_;
  std::vector<std::uint32_t> several_;
  std::vector<std::int16_t> demand_of_several_;
};

}  // namespace stowage
