// Before and after the steps of peak annealing: gives waiting replicas a place, and takes replicas off nodes that exceed their
// capacity.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/annealing/annealing_state.h"
#include "core/annealing/profiles/profile_matrix.h"
#include "core/base/numbers/random.h"
#include "core/run/work_clock.h"
#include "core/simd/kernels.h"

namespace stowage {

class Seating {
 public:
  /// The arguments stay where they are.
  Seating(AnnealingState& state, const ProfileMatrix& rows, Random& random)
      : state_(&state), rows_(&rows), kernels_(&best_kernels<std::int16_t>()), random_(&random), demand_of_two_(rows.width()) {}

  /// Places these waiting items, in this order, each on the slot that loses least capacity by it: of kTried slots drawn, else
  /// the first one that it fits. Ends early when the run ends.
  void place(const std::vector<std::uint32_t>& items, WorkClock& clock);
  /// Places a few of the waiting items on the slot where they fit.
  void place_on(std::uint32_t slot);
  /// Gives waiting items a place on the slot whose excess grows least, until nothing waits for which the open slots together
  /// have room. Ends early when the run ends.
  void place_beyond_capacity(WorkClock& clock);
  /// Where there is not room for everything: evicts items until the rest has room on all slots together. Items of low priority
  /// go first, and of equal priority the largest, so that as many as possible stay.
  void shed();
  /// Evicts items until every changed slot is within its capacity: the one or two that are enough and the least burden.
  void relieve(WorkClock& clock);

 private:
  static constexpr std::uint32_t kTried = 48;  // slots looked at for an item: as many units of work
  /// From so many items on, the guests of one slot may take milliseconds to be looked at.
  static constexpr std::uint32_t kManyItems = 50'000;
  static constexpr std::uint32_t kSampled = 3;       // waiting items looked at for a slot
  static constexpr std::int64_t kShedShare = 100;    // shed() leaves free one in as many units of capacity
  static constexpr std::uint64_t kPairsPerWork = 4;  // pairs looked at by relieve()
  static constexpr std::size_t kMostInPairs = 32;    // items of a slot that are paired: the smallest burdens

  /// Items of by_burden_ with the same demand that have not left: those from `next` to before `end`.
  struct Alike {
    const std::int16_t* demand;
    std::size_t next, end;
  };

  bool place_one(std::uint32_t item);
  [[nodiscard]] bool place_one_beyond_capacity(std::uint32_t item);
  [[nodiscard]] bool has_room(const std::vector<std::int64_t>& free, std::uint32_t item) const;
  [[nodiscard]] std::int32_t burden(std::uint32_t item) const;
  /// Lists the items of a slot.
  void list_by_burden(std::uint32_t slot);
  /// Evicts an item of by_burden_.
  void leave(std::uint32_t item);
  void choose_leaving(std::uint32_t slot, WorkClock& clock);
  void choose_pair(std::uint32_t slot, std::int32_t least, WorkClock& clock);
  [[nodiscard]] std::int32_t excess_without(std::uint32_t slot, const std::int16_t* leaving) const;

  AnnealingState* state_;
  const ProfileMatrix* rows_;
  const Kernels<std::int16_t>* kernels_;
  Random* random_;
  std::vector<std::uint32_t> leaving_;
  std::vector<std::pair<std::int32_t, std::uint32_t>> by_burden_;  // items of a slot, with their burden
  std::vector<Alike> alike_;
  std::vector<std::pair<std::int32_t, std::uint32_t>> paired_;
  std::vector<std::int16_t> demand_of_two_;
};

}  // namespace stowage
