#include "core/annealing/step_draws.h"

#include <algorithm>
#include <span>

#include "core/base/prefetch.h"

namespace stowage {
namespace {

// Where a range of kPartners among `size` begins at the latest.
std::uint32_t last_first(std::uint32_t size) { return size > StepDraw::kPartners ? size - StepDraw::kPartners : 0; }

}  // namespace

void StepDraws::restart() {
  ahead_.fill({});
  for (std::size_t k = 1; k < kAhead; ++k) advance();
}

const StepDraw& StepDraws::next() {
  advance();
  return ahead_[turn_ % kAhead];
}

void StepDraws::advance() {
  ++turn_;
  draw_slot(ahead_[(turn_ + 4) % kAhead]);
  draw_item(ahead_[(turn_ + 3) % kAhead]);
  draw_kind(ahead_[(turn_ + 2) % kAhead]);
  draw_partners(ahead_[(turn_ + 1) % kAhead]);
}

void StepDraws::draw_slot(StepDraw& draw) {
  draw.slot = kNone;
  if (random_->below(16) >= kFocusedOf16) return;
  const std::vector<std::uint32_t>& exceeding = state_->exceeding();
  const bool few_exceed = !exceeding.empty() && exceeding.size() < state_->open() / kFewOf;
  if (few_exceed && random_->below(16) < kExceedingOf16) {
    draw.slot = exceeding[random_->below(static_cast<std::uint32_t>(exceeding.size()))];
  } else {
    draw.slot = any_slot();
    for (std::uint32_t k = 1; k < kRivals; ++k) {
      const std::uint32_t rival = any_slot();
      if (state_->excess(rival) > state_->excess(draw.slot)) draw.slot = rival;
    }
  }
  prefetch(state_->guests(draw.slot).data(), 1);
}

void StepDraws::draw_item(StepDraw& draw) {
  if (draw.slot == kNone) {
    draw.item = random_->below(state_->items());
  } else {
    const std::vector<AnnealingState::Guest>& guests = state_->guests(draw.slot);
    draw.item = guests.empty() ? kNone : guests[random_->below(static_cast<std::uint32_t>(guests.size()))].item;
  }
  if (draw.item != kNone) prefetch(&state_->item(draw.item), 1);
}

void StepDraws::draw_kind(StepDraw& draw) {
  if (draw.item == kNone) return;
  const std::uint32_t rank = state_->item(draw.item).rank;
  prefetch(rows_->row(rank), row_bytes());
  draw.kind = PartnerKind::kAlike;
  if (random_->below(32) < kSlotsOf32) {
    draw.kind = PartnerKind::kSlots;
    return;
  }
  const std::span<const std::uint32_t> neighbours = neighbours_->of(rank);
  if (random_->below(16) < kNeighboursOf16 && !neighbours.empty()) {
    // Log-uniform in nearness.
    const std::uint32_t scale = random_->below(kNeighbourScales);
    draw.kind = PartnerKind::kNeighbours;
    draw.place = (1u << scale) - 1 + random_->below(1u << scale);
    prefetch(&neighbours[std::min<std::size_t>(draw.place, neighbours.size() - 1)], 1);
  }
}

void StepDraws::draw_partners(StepDraw& draw) {
  draw.ranges = 0;
  if (draw.item == kNone) return;
  const AnnealingState::Item& item = state_->item(draw.item);
  if (item.slot == kNone) return;
  prefetch(state_->row(item.slot), row_bytes());
  state_->prefetch_limits(item.member);
  if (state_->demand(draw.item)[0] >= kLarge && random_->below(16) < kSeveralOf16) {
    draw.kind = PartnerKind::kSeveral;
    draw.slot = any_slot();
    prefetch(state_->row(draw.slot), row_bytes());
    prefetch(state_->guests(draw.slot).data(), 1);
  } else if (draw.kind == PartnerKind::kSlots) {
    draw.partners[draw.ranges++] = {random_->below(last_first(state_->open()) + 1), std::min(kPartners, state_->open())};
  } else if (draw.kind == PartnerKind::kAlike) {
    const std::uint32_t first = draw_alike(draw.item);
    draw.partners[draw.ranges++] = {first, std::min(kPartners, state_->items())};
    prefetch(&state_->item(first), kPartners * sizeof(AnnealingState::Item));
    prefetch(&state_->slot_of_item()[first], kPartners * sizeof(std::uint32_t));
  } else {
    draw_neighbours(draw, item.rank);
  }
}

// Items of one rank that follow each other, in a circle from any of them on, then those of the next neighbour.
void StepDraws::draw_neighbours(StepDraw& draw, std::uint32_t rank) {
  const std::span<const std::uint32_t> neighbours = neighbours_->of(rank);
  std::uint32_t left = kPartners;
  for (std::size_t k = draw.place; k < neighbours.size() && left > 0; ++k) {
    const std::uint32_t first = state_->first(neighbours[k]);
    const std::uint32_t all = state_->first(neighbours[k] + 1) - first;
    if (all == 0) continue;
    prefetch(rows_->row(neighbours[k]), row_bytes());
    prefetch(&state_->item(first), 1);
    prefetch(&state_->slot_of_item()[first], 1);
    const std::uint32_t from = random_->below(all);
    const std::uint32_t here = std::min(all, left);
    const std::uint32_t to_end = std::min(all - from, here);
    left -= here;
    draw.partners[draw.ranges++] = {first + from, to_end};
    if (here > to_end) draw.partners[draw.ranges++] = {first, here - to_end};
  }
}

// The first of the partners: mostly log-uniform in the distance from the item.
std::uint32_t StepDraws::draw_alike(std::uint32_t item) {
  const std::uint32_t last = last_first(state_->items());
  if (random_->below(16) >= kNearOf16) return random_->below(last + 1);
  const std::uint32_t scale = random_->below(kNearScales);
  const std::uint32_t distance = (1u << scale) + random_->below(1u << scale);
  if (random_->below(2) == 0) return std::min(item + distance, last);
  return std::min(item > distance + kPartners ? item - distance - kPartners : 0, last);
}

}  // namespace stowage
