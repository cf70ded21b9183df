// What peak annealing works on: who is on which node, in numbers that are read quickly, and by how much nodes exceed their
// capacity.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/affinity/pair_filter.h"
#include "core/annealing/annealed_placement.h"
#include "core/annealing/profiles/profile_matrix.h"
#include "core/plan/objective.h"
#include "core/run/work_clock.h"
#include "core/simd/kernels.h"

namespace stowage {

/// A copy of part of a placement: load() reads it, store() writes the slots that changed.
///
/// - A slot is one of the nodes, by its index. The first open() slots take part; the rest is in reserve and empty.
/// - An item is a replica that may move. Items are in ascending order of ProfileMatrix::rank(). Those without a slot wait.
/// - A member is an app that has replicas here, by its number in the PairFilter.
/// - A guest is a replica on a slot: an item, or tied to the node.
///
/// The row of a slot is its free capacity: negative where the slot exceeds its capacity. Its excess is what it exceeds its
/// capacity by, summed over all periods and resources, in units of the ProfileMatrix; its cost is an ExcessCost of that. Items
/// that wait count as on one more slot, number slots(), with which no exchange is affordable.
class AnnealingState {
 public:
  struct Item {
    std::uint32_t rank;  ///< of its row
    std::uint32_t member;
    std::uint32_t slot;   ///< kNone: it waits
    std::int16_t others;  ///< ProfileMatrix::most_of_others()
  };
  struct Guest {
    std::uint32_t member;
    std::uint32_t item;  ///< kNone: it is tied to the node
  };
  /// As the limit of Kernels::excess(): the exact excess, however large.
  static constexpr std::int32_t kNoLimit = std::numeric_limits<std::int32_t>::max();

  AnnealingState(const Instance& instance, const ProfileMatrix& rows);

  /// Whether replicas of the app may move at all: no placement rule speaks of it.
  [[nodiscard]] static bool moves(const Instance& instance, AppId app);

  /// Reads the nodes and what waits. All slots are open. Returns false where the run ended meanwhile: then only load() may
  /// follow.
  bool load(const AnnealedPlacement& placement, std::span<const NodeId> nodes, WorkClock& clock);
  /// Writes what has changed since load().
  /// @param nodes those of load()
  void store(AnnealedPlacement& placement, std::span<const NodeId> nodes) const;
  /// Takes empty slots at the end into reserve, but keeps open what all items demand and `spare` nodes' worth more. Two slots
  /// stay open: exchanges take two.
  void keep_in_reserve(double spare);

  // Slots.
  [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(guests_.size()); }
  [[nodiscard]] std::uint32_t open() const { return open_; }
  void open_further(std::uint32_t slots) { open_ += slots; }
  [[nodiscard]] const std::vector<Guest>& guests(std::uint32_t slot) const { return guests_[slot]; }
  [[nodiscard]] const std::int16_t* row(std::uint32_t slot) const { return free_.data() + std::size_t{slot} * width_; }
  /// Free capacity of the scarcest resource in the period with least.
  [[nodiscard]] std::int16_t lowest(std::uint32_t slot) const { return lowest_[slot]; }
  /// True where the node exceeded its capacity before: it is left as it is.
  [[nodiscard]] bool frozen(std::uint32_t slot) const { return frozen_[slot] != 0; }
  /// True where the slot has changed since load().
  [[nodiscard]] bool changed(std::uint32_t slot) const { return changed_[slot] != 0; }
  /// Whether the number of nodes that may be in use lets something onto the slot.
  [[nodiscard]] bool may_enter(std::uint32_t slot) const { return may_use_ > 0 || used(slot); }

  // Items.
  [[nodiscard]] std::uint32_t items() const { return static_cast<std::uint32_t>(items_.size()); }
  [[nodiscard]] const Item& item(std::uint32_t item) const { return items_[item]; }
  /// First item with the rank. The items of the rank end before first(rank + 1).
  [[nodiscard]] std::uint32_t first(std::uint32_t rank) const { return first_[rank]; }
  /// Ranks that have items, ascending.
  [[nodiscard]] std::vector<std::uint32_t> ranks_in_play() const;
  [[nodiscard]] AppId app(std::uint32_t item) const { return apps_[items_[item].member]; }
  [[nodiscard]] std::int32_t priority(std::uint32_t item) const { return instance_->priority(app(item)); }
  [[nodiscard]] std::uint32_t members() const { return static_cast<std::uint32_t>(apps_.size()); }
  [[nodiscard]] const std::int16_t* demand(std::uint32_t item) const { return rows_->row(items_[item].rank); }
  /// Per item: its slot, or slots() where it waits.
  [[nodiscard]] const std::vector<std::uint32_t>& slot_of_item() const { return slot_of_item_; }
  /// Per slot: its number. Steps whose partners are slots read this where others read slot_of_item().
  [[nodiscard]] const std::vector<std::uint32_t>& slot_of_slot() const { return slot_of_slot_; }
  void prefetch_limits(std::uint32_t member) const { filter_.prefetch(member); }

  // What waits.
  [[nodiscard]] const std::vector<std::uint32_t>& waiting() const { return waiting_; }
  [[nodiscard]] std::vector<std::uint32_t> waiting_largest_first() const;
  [[nodiscard]] std::vector<std::uint32_t> waiting_smallest_first() const;
  /// What waits, as plans compare it.
  [[nodiscard]] LeftOver left_over() const;
  /// Demand of the scarcest resource that waits, in the period with most of it: in nodes' worth.
  [[nodiscard]] double waiting_share() const;
  /// Takes the item at this index of waiting() out of it, for a caller that puts it on a slot.
  std::uint32_t take_waiting(std::uint32_t index);
  /// Takes all items out of waiting() that have been put on a slot.
  void erase_placed();

  // Capacity.
  /// Free capacity of the scarcest resource of the open slots that may be used, per period.
  [[nodiscard]] std::vector<std::int64_t> all_free() const;
  /// The same less the demand that waits.
  [[nodiscard]] std::vector<std::int64_t> free_less_waiting() const;
  /// That in the scarcest period at load(), with all slots open: in nodes' worth.
  [[nodiscard]] double spare() const { return spare_; }
  /// Whether the nodes had less capacity at load() than all items demand. Then the number of replicas placed decides.
  [[nodiscard]] bool short_of_room() const { return spare_ < 0; }
  [[nodiscard]] std::int32_t excess(std::uint32_t slot) const { return excess_[slot]; }
  [[nodiscard]] bool all_within() const { return all_excess_ == 0; }
  /// Slots that exceed their capacity.
  [[nodiscard]] const std::vector<std::uint32_t>& exceeding() const { return exceeding_; }
  /// Sum over the slots of what each lacks of the scarcest resource in its worst period: at least this has to leave. In nodes'
  /// worth.
  [[nodiscard]] double exceeded() const;

  // Cost.
  [[nodiscard]] const ExcessCost& cost() const { return cost_; }
  void set_cost(const ExcessCost& cost);
  /// Cost of a slot. For slots() and for frozen slots, a number with which no exchange is affordable.
  [[nodiscard]] float cost_of(std::uint32_t slot) const { return cost_of_[slot]; }

  // Questions.
  /// Whether the slot has the capacity for the item, and may be used. Asks no limits.
  [[nodiscard]] bool fits(std::uint32_t item, std::uint32_t slot) const;
  /// Whether eligibility, affinity and self limits let the arriving items onto the slot once the leaving ones are gone. The
  /// arriving items come from one node, or there is one.
  [[nodiscard]] bool admits(std::span<const std::uint32_t> arriving, std::uint32_t slot,
                            std::span<const std::uint32_t> leaving) const;
  /// Whether 16 bits hold the row after this exchange. `excess` is the slot's excess after it.
  [[nodiscard]] bool row_holds(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving,
                               std::int32_t excess) const;

  // Changes.
  /// Puts a waiting item on a slot that it fits. The caller takes it out of waiting().
  void put(std::uint32_t item, std::uint32_t slot);
  /// The same for any slot. `excess` is the slot's excess with the item.
  void put(std::uint32_t item, std::uint32_t slot, std::int32_t excess);
  /// Takes an item off its slot; it waits.
  void evict(std::uint32_t item);
  /// Moves item x to slot b, and the items `from_b` of slot b to the slot of x, if limits allow it and both slots then cost at
  /// most `affordable` together. Returns whether it did.
  /// @param to_a demand of from_b, summed
  /// @param at_a, at_b excess of the scarcest resource after the exchange, on the slot of x and on b
  bool try_exchange(std::uint32_t x, std::uint32_t b, std::span<const std::uint32_t> from_b, const std::int16_t* to_a,
                    float affordable, std::int32_t at_a, std::int32_t at_b);

 private:
  static constexpr std::int32_t kFull = ProfileMatrix::kFull;
  static constexpr std::uint32_t kFewestOpen = 2;
  static constexpr std::uint64_t kLoadWork = 8;  // units of work per node that is read
  static constexpr float kNoPrice = -1e30F;      // stands for the cost of a slot with which no exchange is affordable

  [[nodiscard]] std::int16_t* mutable_row(std::uint32_t slot) { return free_.data() + std::size_t{slot} * width_; }
  [[nodiscard]] bool used(std::uint32_t slot) const { return !guests_[slot].empty() || loaded_[slot] != 0; }
  std::uint32_t member_of(AppId app);
  void reset(std::size_t slots);
  bool load_nodes(const AnnealedPlacement& placement, std::span<const NodeId> nodes, WorkClock& clock);
  void load_pool(const AnnealedPlacement& placement);
  void sort_items();
  bool index_items(WorkClock& clock);
  bool price_slots(WorkClock& clock);

  void add_waiting(std::uint32_t item, int times);
  void join(std::uint32_t item, std::uint32_t slot);
  void leave(std::uint32_t item);
  void note_slot(std::uint32_t item);
  void find_lowest(std::uint32_t slot);
  void set_excess(std::uint32_t slot, std::int32_t excess);
  void set_price(std::uint32_t slot) { cost_of_[slot] = frozen(slot) ? kNoPrice : cost_(excess_[slot]); }
  [[nodiscard]] std::int32_t compute_excess(std::uint32_t slot) const;
  [[nodiscard]] std::int32_t others_excess(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving,
                                           std::int32_t most) const;
  void replace(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving);

  [[nodiscard]] std::uint32_t count(std::span<const std::uint32_t> items, std::uint32_t member) const;
  [[nodiscard]] std::uint32_t count_at(std::uint32_t slot, std::uint32_t member) const;
  [[nodiscard]] bool admits_beside(std::uint32_t member, std::uint32_t own, std::uint32_t other,
                                   std::span<const std::uint32_t> arriving, std::uint32_t slot,
                                   std::span<const std::uint32_t> leaving) const;

  const Instance* instance_;
  const ProfileMatrix* rows_;
  const Kernels<std::int16_t>* kernels_;
  std::size_t width_;  // of a row

  std::vector<AppId> apps_;             // per member
  std::vector<std::uint32_t> members_;  // per app, or kNone
  PairFilter filter_;

  std::vector<Item> items_;
  std::vector<Item> unsorted_;
  std::vector<std::uint32_t> first_;         // per rank
  std::vector<std::uint32_t> slot_of_item_;  // per item
  std::vector<std::uint32_t> slot_of_slot_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::int64_t> waiting_demand_;  // per lane of the scarcest resource

  std::uint32_t open_ = 0;
  std::uint32_t may_use_ = 0;  // nodes that are not in use and may come into use
  double spare_ = 0;
  std::vector<std::vector<Guest>> guests_;   // per slot
  std::vector<std::int16_t> free_;           // per slot: a row
  std::vector<std::int16_t> lowest_;         // per slot
  std::vector<std::int16_t> others_lowest_;  // per slot: the same of the other resources
  std::vector<NodeId> listed_;               // per slot: its node if the instance lists it, else kNone
  std::vector<ClassId> class_;               // per slot
  std::vector<std::uint8_t> loaded_;         // per slot: it is in use whatever its guests
  std::vector<std::uint8_t> frozen_;         // per slot
  std::vector<std::uint8_t> changed_;        // per slot
  std::vector<std::int32_t> excess_;         // per slot
  std::int64_t all_excess_ = 0;
  std::vector<std::uint32_t> exceeding_;
  std::vector<std::uint32_t> place_in_exceeding_;  // per slot with an excess
  ExcessCost cost_;
  std::vector<float> cost_of_;  // per slot, and one for what waits
};

}  // namespace stowage
