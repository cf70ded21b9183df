// Which replica and which partners the next steps of peak annealing take, drawn some steps ahead.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/annealing/annealing_state.h"
#include "core/annealing/profiles/profile_matrix.h"
#include "core/annealing/profiles/profile_neighbours.h"
#include "core/base/numbers/random.h"

namespace stowage {

/// What the partners of a step are.
enum class PartnerKind : std::uint8_t {
  kAlike,       ///< items side by side in the order of demand in the scarcest period, mostly near the first one
  kNeighbours,  ///< items whose demand over time is most like that of the first one
  kSlots,       ///< slots, which give nothing in return
  kSeveral      ///< several items of one slot, which together demand about as much
};

/// A step to come, as far as it is drawn.
struct StepDraw {
  static constexpr std::uint32_t kPartners = 32;
  struct Range {
    std::uint32_t first;
    std::uint32_t count;
  };
  std::uint32_t item = kNone;  ///< the item that is offered; kNone: the step does nothing
  std::uint32_t slot = kNone;  ///< kSeveral: the partner. Before that is known: the slot of the item; kNone: any
  PartnerKind kind = PartnerKind::kAlike;
  std::uint32_t place = 0;  ///< kNeighbours: the first one, by nearness
  std::uint32_t ranges = 0;
  std::array<Range, kPartners> partners{};  ///< the first `ranges`: of items or, for kSlots, of slots
};

/// Each step is drawn in four stages, one per step that is taken meanwhile. A stage prefetches what the next one reads, so that
/// a step finds its data in the cache. What was drawn may be outdated by then: that changes which exchanges are looked at, not
/// whether they are allowed.
class StepDraws {
 public:
  /// The arguments stay where they are.
  StepDraws(const AnnealingState& state, const ProfileMatrix& rows, const ProfileNeighbours& neighbours, Random& random)
      : state_(&state), rows_(&rows), neighbours_(&neighbours), random_(&random) {}

  /// Drops what was drawn, and draws the first steps. There are items and slots.
  void restart();
  /// The next step. Valid until the next call.
  const StepDraw& next();
  /// Any open slot.
  [[nodiscard]] std::uint32_t any_slot() { return random_->below(state_->open()); }

 private:
  static constexpr std::uint32_t kPartners = StepDraw::kPartners;
  static constexpr std::size_t kAhead = 8;  // a power of two, above the number of stages

  // Shares of steps.
  static constexpr std::uint32_t kFocusedOf16 = 12;    // whose item is on a slot that exceeds its capacity much
  static constexpr std::uint32_t kExceedingOf16 = 10;  // of these: drawn from all slots that exceed it, where these are few:
  static constexpr std::uint32_t kFewOf = 4;           // fewer than one in kFewOf
  static constexpr std::uint32_t kRivals = 4;          // else the slot with most excess of as many
  static constexpr std::uint32_t kSlotsOf32 = 1;
  static constexpr std::uint32_t kNeighboursOf16 = 10;  // once they are known
  static constexpr std::uint32_t kNeighbourScales = 7;  // the first one is among the nearest 2^7 - 1
  static constexpr std::uint32_t kNearOf16 = 15;        // kAlike: near the first one
  static constexpr std::uint32_t kNearScales = 13;      // by up to 2^13 items
  static constexpr std::uint32_t kSeveralOf16 = 8;      // of those with a large item
  static constexpr std::int16_t kLarge = ProfileMatrix::kFull / 16;

  void advance();
  void draw_slot(StepDraw& draw);
  void draw_item(StepDraw& draw);
  void draw_kind(StepDraw& draw);
  void draw_partners(StepDraw& draw);
  void draw_neighbours(StepDraw& draw, std::uint32_t rank);
  [[nodiscard]] std::uint32_t draw_alike(std::uint32_t item);
  [[nodiscard]] std::size_t row_bytes() const { return rows_->lanes() * sizeof(std::int16_t); }

  const AnnealingState* state_;
  const ProfileMatrix* rows_;
  const ProfileNeighbours* neighbours_;
  Random* random_;
  std::array<StepDraw, kAhead> ahead_;
  std::size_t turn_ = 0;
};

}  // namespace stowage
