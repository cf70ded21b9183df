#include "core/annealing/annealing_state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "core/base/prefetch.h"
#include "core/base/sort_by.h"

namespace stowage {

AnnealingState::AnnealingState(const Instance& instance, const ProfileMatrix& rows)
    : instance_(&instance), rows_(&rows), kernels_(&best_kernels<std::int16_t>()), width_(rows.width()) {}

bool AnnealingState::moves(const Instance& instance, AppId app) {
  if (instance.limits_costs() || instance.devices().uses(app)) return false;
  const TagModel& rules = instance.tag_model();
  return rules.empty() || (rules.subject_of(app).empty() && rules.target_of(app).empty() && rules.choices_of(app).empty());
}

// Load and store.

bool AnnealingState::load(const AnnealedPlacement& placement, std::span<const NodeId> nodes, WorkClock& clock) {
  reset(nodes.size());
  may_use_ = placement.may_still_use();
  if (!load_nodes(placement, nodes, clock)) return false;
  load_pool(placement);
  sort_items();
  if (!index_items(clock)) return false;
  spare_ = static_cast<double>(free_less_waiting()[0]) / kFull;
  return filter_.learn(instance_->limit_rows(), apps_, members_, clock) && price_slots(clock);
}

void AnnealingState::reset(std::size_t slots) {
  guests_.assign(slots, {});
  changed_.assign(slots, 0);
  free_.resize(slots * width_);
  lowest_.resize(slots);
  others_lowest_.assign(slots, 0);
  listed_.assign(slots, kNone);
  class_.assign(slots, 0);
  loaded_.assign(slots, 0);
  frozen_.assign(slots, 0);
  excess_.assign(slots, 0);
  all_excess_ = 0;
  exceeding_.clear();
  place_in_exceeding_.assign(slots, 0);
  open_ = static_cast<std::uint32_t>(slots);
  members_.assign(instance_->apps(), kNone);
  apps_.clear();
  items_.clear();
}

std::uint32_t AnnealingState::member_of(AppId app) {
  if (members_[app] == kNone) {
    members_[app] = members();
    apps_.push_back(app);
  }
  return members_[app];
}

bool AnnealingState::load_nodes(const AnnealedPlacement& placement, std::span<const NodeId> nodes, WorkClock& clock) {
  for (std::uint32_t slot = 0; slot < nodes.size(); ++slot) {
    const NodeId node = nodes[slot];
    if (clock.step(kLoadWork)) return false;
    rows_->read_free(node, placement.class_of(node), placement.tenants(node), mutable_row(slot));
    if (node < instance_->listed_nodes()) listed_[slot] = node;
    class_[slot] = placement.class_of(node);
    loaded_[slot] = placement.loaded(node) ? 1 : 0;
    // A row that exceeds its capacity only because demand is rounded up is mended like any other.
    const std::int16_t least = kernels_->minimum(row(slot), width_);
    frozen_[slot] = least == ProfileMatrix::kTooFull || (least < 0 && placement.exceeded(node)) ? 1 : 0;
    for (const Tenant& tenant : placement.tenants(node)) {
      const bool tied = frozen(slot) || !moves(*instance_, tenant.app) || !placement.free_to_leave(tenant.app, node);
      const std::uint32_t member = member_of(tenant.app);
      if (tied) {
        guests_[slot].insert(guests_[slot].end(), tenant.replicas, {member, kNone});
      } else {
        items_.insert(items_.end(), tenant.replicas,
                      {rows_->rank(tenant.app), member, slot, rows_->most_of_others(tenant.app)});
      }
    }
  }
  return true;
}

void AnnealingState::load_pool(const AnnealedPlacement& placement) {
  for (const AppId app : placement.pool()) {
    if (!moves(*instance_, app)) continue;
    items_.insert(items_.end(), placement.unplaced(app), {rows_->rank(app), member_of(app), kNone, rows_->most_of_others(app)});
  }
}

// By counting, for hundreds of thousands of items.
void AnnealingState::sort_items() {
  first_.assign(rows_->ranks() + 2, 0);
  for (const Item& item : items_) ++first_[item.rank + 2];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  unsorted_.swap(items_);
  items_.resize(unsorted_.size());
  for (const Item& item : unsorted_) items_[first_[item.rank + 1]++] = item;
}

bool AnnealingState::index_items(WorkClock& clock) {
  constexpr std::uint32_t kLookEvery = 1u << 14;
  waiting_.clear();
  waiting_demand_.assign(rows_->lanes(), 0);
  slot_of_item_.resize(items_.size());
  for (std::uint32_t item = 0; item < items_.size(); ++item) {
    if (item % kLookEvery == kLookEvery - 1) clock.look();
    if (clock.stop() != Stop::kNo) return false;
    note_slot(item);
    if (items_[item].slot == kNone) {
      waiting_.push_back(item);
      add_waiting(item, 1);
    } else {
      guests_[items_[item].slot].push_back({items_[item].member, item});
    }
  }
  slot_of_slot_.resize(slots());
  std::iota(slot_of_slot_.begin(), slot_of_slot_.end(), 0);
  return true;
}

bool AnnealingState::price_slots(WorkClock& clock) {
  cost_of_.assign(slots() + std::size_t{1}, kNoPrice);
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    if (clock.step(1)) return false;
    find_lowest(slot);
    if (!frozen(slot)) set_excess(slot, compute_excess(slot));
    set_price(slot);
  }
  return true;
}

void AnnealingState::store(AnnealedPlacement& placement, std::span<const NodeId> nodes) const {
  // What leaves goes first, so that no app ever has more replicas than it wants.
  std::vector<std::vector<Tenant>> arriving(slots());
  std::vector<Tenant> before;
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    if (!changed(slot)) continue;
    std::vector<Tenant>& goal = arriving[slot];
    const auto find = [&](AppId app) {
      return std::find_if(goal.begin(), goal.end(), [&](const Tenant& tenant) { return tenant.app == app; });
    };
    for (const Guest& guest : guests_[slot]) {
      const AppId app = apps_[guest.member];
      const auto known = find(app);
      if (known != goal.end()) {
        ++known->replicas;
      } else {
        goal.push_back({app, 1});
      }
    }
    // By value: removing changes the list.
    const auto tenants = placement.tenants(nodes[slot]);
    before.assign(tenants.begin(), tenants.end());
    for (const Tenant& tenant : before) {
      const auto stays = find(tenant.app);
      const std::uint32_t replicas = stays == goal.end() ? 0 : stays->replicas;
      if (tenant.replicas > replicas) placement.remove(tenant.app, nodes[slot], tenant.replicas - replicas);
      if (stays != goal.end()) stays->replicas -= std::min(replicas, tenant.replicas);
    }
  }
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    for (const Tenant& tenant : arriving[slot]) {
      if (tenant.replicas > 0) placement.place(tenant.app, nodes[slot], tenant.replicas);
    }
  }
  placement.collect_pool();
}

void AnnealingState::keep_in_reserve(double spare) {
  double more = spare_ - spare;
  while (open_ > kFewestOpen && !used(open_ - 1)) {
    more -= static_cast<double>(row(open_ - 1)[0]) / kFull;
    if (more < 0) return;
    --open_;
  }
}

// What waits, and capacity.

std::vector<std::uint32_t> AnnealingState::ranks_in_play() const {
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t rank = 0; rank + 1 < first_.size(); ++rank) {
    if (first_[rank] < first_[rank + 1]) ranks.push_back(rank);
  }
  return ranks;
}

std::vector<std::uint32_t> AnnealingState::waiting_largest_first() const {
  std::vector<std::uint32_t> items = waiting_;
  std::vector<double> most(items_.size());
  for (const std::uint32_t item : items) most[item] = rows_->most(app(item));
  sort_by_largest(items, most);
  return items;
}

std::vector<std::uint32_t> AnnealingState::waiting_smallest_first() const {
  std::vector<std::uint32_t> items = waiting_largest_first();
  std::reverse(items.begin(), items.end());
  return items;
}

LeftOver AnnealingState::left_over() const {
  LeftOver left;
  for (const std::uint32_t item : waiting_) left.add(priority(item), 1, instance_->weight(app(item)));
  return left;
}

double AnnealingState::waiting_share() const {
  return static_cast<double>(*std::max_element(waiting_demand_.begin(), waiting_demand_.end())) / kFull;
}

std::uint32_t AnnealingState::take_waiting(std::uint32_t index) {
  const std::uint32_t item = waiting_[index];
  waiting_[index] = waiting_.back();
  waiting_.pop_back();
  return item;
}

void AnnealingState::erase_placed() {
  std::erase_if(waiting_, [&](std::uint32_t item) { return items_[item].slot != kNone; });
}

void AnnealingState::add_waiting(std::uint32_t item, int times) {
  const std::int16_t* of_item = demand(item);
  for (std::size_t t = 0; t < waiting_demand_.size(); ++t) waiting_demand_[t] += times * of_item[t];
}

std::vector<std::int64_t> AnnealingState::all_free() const {
  std::vector<std::int64_t> free(rows_->periods(), 0);
  std::uint32_t may_use = may_use_;
  for (std::uint32_t slot = 0; slot < open_; ++slot) {
    if (frozen(slot) || (!used(slot) && may_use == 0)) continue;
    may_use -= used(slot) ? 0 : 1;
    for (std::size_t t = 0; t < free.size(); ++t) free[t] += row(slot)[t];
  }
  return free;
}

std::vector<std::int64_t> AnnealingState::free_less_waiting() const {
  std::vector<std::int64_t> free = all_free();
  for (std::size_t t = 0; t < free.size(); ++t) free[t] -= waiting_demand_[t];
  return free;
}

double AnnealingState::exceeded() const {
  std::int64_t sum = 0;
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    if (!frozen(slot)) sum -= std::min<std::int32_t>(lowest_[slot], 0);
  }
  return static_cast<double>(sum) / kFull;
}

void AnnealingState::set_cost(const ExcessCost& cost) {
  cost_ = cost;
  for (std::uint32_t slot = 0; slot < slots(); ++slot) set_price(slot);
}

// Questions.

bool AnnealingState::fits(std::uint32_t item, std::uint32_t slot) const {
  if (lowest_[slot] < rows_->least(app(item)) || !may_enter(slot)) return false;
  return kernels_->exchange_minimum(row(slot), rows_->nothing(), demand(item), 0, width_) >= 0;
}

bool AnnealingState::row_holds(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving,
                               std::int32_t excess) const {
  constexpr std::int16_t kLeast = -ProfileMatrix::kMostExcess;
  // No lane exceeds more than all lanes together.
  return excess <= ProfileMatrix::kMostExcess ||
         kernels_->exchange_minimum(row(slot), leaving, arriving, kLeast, width_) >= kLeast;
}

std::uint32_t AnnealingState::count(std::span<const std::uint32_t> items, std::uint32_t member) const {
  std::uint32_t replicas = 0;
  for (const std::uint32_t item : items) replicas += items_[item].member == member ? 1 : 0;
  return replicas;
}

std::uint32_t AnnealingState::count_at(std::uint32_t slot, std::uint32_t member) const {
  std::uint32_t replicas = 0;
  for (const Guest& guest : guests_[slot]) replicas += guest.member == member ? 1 : 0;
  return replicas;
}

bool AnnealingState::admits(std::span<const std::uint32_t> arriving, std::uint32_t slot,
                            std::span<const std::uint32_t> leaving) const {
  for (std::size_t k = 0; k < arriving.size(); ++k) {
    const std::uint32_t member = items_[arriving[k]].member;
    if (!instance_->admits(apps_[member], listed_[slot], class_[slot])) return false;
    if (k > 0 && count(arriving.first(k), member) > 0) continue;
    const std::uint32_t own = count(arriving, member) + count_at(slot, member) - count(leaving, member);
    if (own > instance_->limit_rows().self_limit(apps_[member])) return false;
    const std::span<const Guest> guests = guests_[slot];
    // Each other member counts once. Where there are few of them, the last ones are all of them.
    std::array<std::uint32_t, 4> asked = {kNone, kNone, kNone, kNone};
    std::size_t next = 0;
    for (std::size_t from = 0; from < guests.size(); from += 64) {
      const std::span<const Guest> some = guests.subspan(from, std::min<std::size_t>(64, guests.size() - from));
      // The Bloom filter first, without a branch per guest: most guests have no limit with the member.
      std::uint64_t may_limit = 0;
      for (std::size_t g = 0; g < some.size(); ++g) may_limit |= filter_.may_limit(member, some[g].member) << g;
      for (; may_limit != 0; may_limit &= may_limit - 1) {
        const std::uint32_t other = some[static_cast<std::size_t>(std::countr_zero(may_limit))].member;
        if (other == member || std::find(asked.begin(), asked.end(), other) != asked.end()) continue;
        if (!admits_beside(member, own, other, arriving, slot, leaving)) return false;
        asked[next++ % asked.size()] = other;
      }
    }
  }
  return true;
}

// Whether `own` replicas of the member may be beside those of the other once all items have arrived and left.
bool AnnealingState::admits_beside(std::uint32_t member, std::uint32_t own, std::uint32_t other,
                                   std::span<const std::uint32_t> arriving, std::uint32_t slot,
                                   std::span<const std::uint32_t> leaving) const {
  const Compatibility pair = filter_.of(member, other);
  if (pair == Compatibility::kFree) return true;
  const std::uint32_t stay = count_at(slot, other) - count(leaving, other);
  if (stay == 0) return true;
  if (pair == Compatibility::kNever) return false;
  const std::uint32_t others = stay + count(arriving, other);
  if (filter_.known() && others == 1 && own == 1) return true;
  return stowage::admits(instance_->limit_rows(), {apps_[member], own}, {apps_[other], others});
}

// Changes.

void AnnealingState::put(std::uint32_t item, std::uint32_t slot) {
  add_waiting(item, -1);
  kernels_->subtract(mutable_row(slot), demand(item), 1, width_);
  join(item, slot);
  find_lowest(slot);
  changed_[slot] = 1;
  set_price(slot);
}

void AnnealingState::put(std::uint32_t item, std::uint32_t slot, std::int32_t excess) {
  set_excess(slot, excess);
  put(item, slot);
}

void AnnealingState::evict(std::uint32_t item) {
  const std::uint32_t slot = items_[item].slot;
  replace(slot, demand(item), rows_->nothing());
  leave(item);
  items_[item].slot = kNone;
  note_slot(item);
  waiting_.push_back(item);
  add_waiting(item, 1);
  set_excess(slot, compute_excess(slot));
  find_lowest(slot);
  changed_[slot] = 1;
  set_price(slot);
}

bool AnnealingState::try_exchange(std::uint32_t x, std::uint32_t b, std::span<const std::uint32_t> from_b,
                                  const std::int16_t* to_a, float affordable, std::int32_t at_a, std::int32_t at_b) {
  const std::uint32_t a = items_[x].slot;
  if (!may_enter(b)) return false;
  const std::int16_t* to_b = demand(x);
  prefetch(guests_[b].data(), 1);
  std::int32_t others = 0;
  for (const std::uint32_t y : from_b) {
    others += items_[y].others;
    filter_.prefetch(items_[y].member);
  }
  at_a += others_excess(a, to_b, to_a, others);
  at_b += others_excess(b, to_a, to_b, items_[x].others);
  if (cost_(at_a) + cost_(at_b) > affordable) return false;
  if (!row_holds(a, to_b, to_a, at_a) || !row_holds(b, to_a, to_b, at_b)) return false;
  const std::span<const std::uint32_t> from_a(&x, 1);
  if (!admits(from_b, a, from_a) || !admits(from_a, b, from_b)) return false;
  replace(a, to_b, to_a);
  replace(b, to_a, to_b);
  leave(x);
  for (const std::uint32_t y : from_b) leave(y);
  for (const std::uint32_t y : from_b) join(y, a);
  join(x, b);
  set_excess(a, at_a);
  set_excess(b, at_b);
  for (const std::uint32_t slot : {a, b}) {
    changed_[slot] = 1;
    find_lowest(slot);
    set_price(slot);
  }
  return true;
}

void AnnealingState::join(std::uint32_t item, std::uint32_t slot) {
  if (!used(slot)) --may_use_;
  items_[item].slot = slot;
  guests_[slot].push_back({items_[item].member, item});
  note_slot(item);
}

void AnnealingState::leave(std::uint32_t item) {
  const std::uint32_t slot = items_[item].slot;
  std::vector<Guest>& guests = guests_[slot];
  *std::find_if(guests.begin(), guests.end(), [&](const Guest& guest) { return guest.item == item; }) = guests.back();
  guests.pop_back();
  if (!used(slot)) ++may_use_;
}

void AnnealingState::note_slot(std::uint32_t item) {
  const std::uint32_t slot = items_[item].slot;
  slot_of_item_[item] = slot == kNone ? slots() : slot;
}

void AnnealingState::find_lowest(std::uint32_t slot) {
  const std::size_t lanes = rows_->lanes();
  lowest_[slot] = kernels_->minimum(row(slot), lanes);
  if (width_ > lanes) others_lowest_[slot] = kernels_->minimum(row(slot) + lanes, width_ - lanes);
}

void AnnealingState::set_excess(std::uint32_t slot, std::int32_t excess) {
  if (excess > 0 && excess_[slot] == 0) {
    place_in_exceeding_[slot] = static_cast<std::uint32_t>(exceeding_.size());
    exceeding_.push_back(slot);
  } else if (excess == 0 && excess_[slot] > 0) {
    place_in_exceeding_[exceeding_.back()] = place_in_exceeding_[slot];
    exceeding_[place_in_exceeding_[slot]] = exceeding_.back();
    exceeding_.pop_back();
  }
  all_excess_ += excess - excess_[slot];
  excess_[slot] = excess;
}

std::int32_t AnnealingState::compute_excess(std::uint32_t slot) const {
  return kernels_->excess(row(slot), rows_->nothing(), rows_->nothing(), kNoLimit, width_);
}

// Excess of the other resources after an exchange; of none of them more than `most` arrives in a period.
std::int32_t AnnealingState::others_excess(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving,
                                           std::int32_t most) const {
  if (others_lowest_[slot] >= most) return 0;
  const std::size_t lanes = rows_->lanes();
  return kernels_->excess(row(slot) + lanes, leaving + lanes, arriving + lanes, kNoLimit, width_ - lanes);
}

void AnnealingState::replace(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving) {
  kernels_->subtract(mutable_row(slot), arriving, 1, width_);
  kernels_->subtract(mutable_row(slot), leaving, -1, width_);
}

}  // namespace stowage
