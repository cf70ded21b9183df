// Improvement with demand that changes over time: replicas whose peaks do not coincide come together on few nodes.
//
// A node is full when its free capacity is used up in one period; what is free in the others is lost. Replicas of constant
// demand lose nothing, so those that vary are gathered on nodes of their own: the more of them share a node, the better their
// dips fill each other.
//
// While it searches, everything has a place, and nodes may exceed their capacity. What they exceed it by, summed over all
// periods, is to fall to zero: that sum tells of every period in which an exchange helps, where what is free at the minimum
// over time tells of one. Annealing decides which exchanges are accepted (Metropolis et al., 1953), with one draw of luck for
// all partners of a step. Towards the end a node costs less and less than the sum, in the end about its square root: what is
// exceeded gathers on few nodes. Then replicas leave these until all is within capacity, of each node the one or two that are
// enough and demand least, and wait.
//
// A step draws a replica, mostly from a node that exceeds much - towards the end from a list of those few - and 32 partners:
// replicas whose demand over time is most like its own (near_rows.h) or, in short stretches and now and then, such that stand
// side by side in the order of demand in the scarcest period, mostly near the first one. Those with the same demand come
// together, so that what they mean for the first one's node is worked out once. Partners may also be 32 nodes that give nothing
// in return; and a large replica is offered for several of a node that together demand about the same.
//
// How many nodes it takes is told by the search itself: while it is hot, what the nodes exceed is as much as the temperature
// makes of it, unless they are too few. Then nodes are opened that were kept in reserve.
//
// Steps work on rows of their own (period_rows.h). The placement learns of a stretch of annealing when it has ended, cold.
// O(partners x d) per step, most of it in the scarcest periods, and O(tenants) for an exchange that is made.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/affinity/pair_filter.h"
#include "core/annealing/profile_matrix.h"
#include "core/annealing/profile_neighbours.h"
#include "core/base/prefetch.h"
#include "core/base/random.h"
#include "core/base/sort_by.h"
#include "core/run/run.h"
#include "core/search/search_state.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Moves what nothing ties to its node: neither pins nor a place where it runs, nor placement rules that speak of the app.
template <class Unit>
class PeakAnnealing {
 public:
  PeakAnnealing(SearchState<Unit>& state, ProfileMatrix<Unit>& rows, std::uint64_t seed)
      : state_(&state),
        rows_(&rows),
        kernels_(&best_kernels<std::int16_t>()),
        random_(seed),
        own_(rows.lanes()),
        bundle_row_(rows.width()) {}

  /// The nodes it works on.
  [[nodiscard]] std::vector<NodeId>& nodes() { return nodes_; }
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }

  /// Whether it moves replicas of the app at all.
  [[nodiscard]] bool moves(AppId app) const {
    const TagModel& rules = state_->instance().tag_model();
    return rules.empty() || (rules.subject_of(app).empty() && rules.target_of(app).empty() && rules.choices_of(app).empty());
  }

  /// Places waiting replicas of these apps, in this order, where the nodes together lose least by it.
  void start(Run& run, const std::vector<AppId>& order) {
    if (!load(run)) return;
    std::vector<std::uint32_t> rank(state_->instance().apps(), kNone);
    for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
    std::vector<std::uint32_t> items;
    std::vector<double> rank_of(items_.size());
    for (const std::uint32_t item : waiting_) {
      rank_of[item] = rank[app_of(item)];
      if (rank[app_of(item)] != kNone) items.push_back(item);
    }
    sort_by(items, rank_of);
    fill(run, items);
    if (!run.checkpoints.is_moot()) store();
  }

  /// Begins a stretch of so many steps, or one that is less hot at first. Empty nodes at the end of nodes() that make more than
  /// so much spare() take nothing before it is seen that they are needed, or its end.
  void begin(std::uint64_t steps, bool reheated, double spare = std::numeric_limits<double>::infinity()) {
    begin_ = steps_;
    end_ = steps_ + std::max(steps, kBatch);
    reheated_ = reheated;
    spare_at_first_ = spare;
    look_ = -1;
    seconds_ = 0;
  }
  /// How many steps a stretch of so much work has.
  [[nodiscard]] std::uint64_t steps_for(std::uint64_t work) const {
    if (!near_.empty()) return work / kNearStepWork;
    const std::uint64_t to_know = ProfileNeighbours::work(ranks_in_play().size());
    const std::uint64_t steps = (work - std::min(work, to_know)) / kNearStepWork;
    return near_pays(steps) ? steps : std::min(work, kNearPays * to_know) / kStepWork;
  }
  /// Seconds that a unit of work took in the last stretch, now at its end.
  [[nodiscard]] double seconds_per_work() const {
    return seconds_ / static_cast<double>(std::max(end_ - begin_, kBatch) * step_work());
  }
  /// Whether a stretch has not come to its end.
  [[nodiscard]] bool under_way() const { return steps_ < end_; }
  /// Free capacity of its nodes in the scarcest period when they were last looked at, less what waited: in shares of a node.
  [[nodiscard]] double spare() const { return spare_; }

  /// Goes on with the stretch until all is within capacity and what waits needs at most `enough` of a node, its end, or the
  /// run's. The placement learns of it where less waits than before; where there is not room for everything, where fewer
  /// replicas do. False where there is nothing to exchange, or the run ended before anything was.
  bool anneal(Run& run, double enough) {
    if (!load(run)) return false;
    double before = waiting();
    fill(run, largest_first());
    if (waiting() < before && !run.checkpoints.is_moot()) store();
    before = waiting();
    const std::vector<std::int32_t> priorities_before = spare_ < 0 ? waiting_priorities() : std::vector<std::int32_t>{};
    if (nodes_.size() < 2 || items_.empty()) return false;
    if (run.clock.stop() != Stop::kNo) return true;
    if (spare_ < 0) choose();
    if (!know_near(run)) return true;
    seat(run);
    bool stopped = run.clock.stop() != Stop::kNo;
    bool placed = all_within() && waiting() <= enough;
    const WorkClock::Time::time_point start = WorkClock::Time::now();
    begin_to_look();
    while (steps_ < end_ && !stopped && !placed) {
      set_temperature();
      open_if_needed();
      for (std::uint32_t k = 0; k < kBatch; ++k) {
        look_ahead();
        step(ahead_[turn_of_draw_ % kAhead]);
      }
      steps_ += kBatch;
      stopped = run.clock.step(kBatch * step_work());
      placed = all_within() && waiting() <= enough;
    }
    seconds_ += std::chrono::duration<double>(WorkClock::Time::now() - start).count();
    // What is hot when it is cut off has nothing to offer.
    if (run.checkpoints.is_moot() || (spare_ >= 0 && waiting() + exceeded() >= before)) return true;
    unseat(run);
    spare_at_first_ = std::numeric_limits<double>::infinity();
    open_ = nodes_.size();
    // A run that has ended counts no more work, and places the rest on its own.
    if (run.clock.stop() == Stop::kNo) fill(run, spare_ < 0 ? smallest_first() : largest_first());
    // Where there is not room for everything, replicas count, however large.
    if (spare_ < 0 ? waiting_priorities() < priorities_before : waiting() < before) store();
    return true;
  }

 private:
  static constexpr std::int32_t kFull = ProfileMatrix<Unit>::kFull;
  static constexpr std::uint64_t kBatch = 64;  // steps between two looks at the run
  // A step takes as long as a start needs to visit so many nodes; and once it is known which rows are near: these lie anywhere.
  static constexpr std::uint64_t kStepWork = 8;
  static constexpr std::uint64_t kNearStepWork = 11;
  static constexpr std::uint32_t kStartLooks = 48;
  // Pairs that are looked at for leaving in a unit of work, and the replicas of a node that are paired: the smallest.
  static constexpr std::uint64_t kPairsPerWork = 4;
  static constexpr std::size_t kMostInPairs = 32;
  // What it costs to begin, in work: a node, or four items; and limits between apps that are one unit.
  static constexpr std::uint64_t kLoadWork = 8;

  static constexpr std::uint32_t kPartners = 32;
  // Of 16 steps, those whose replica is one of a node that exceeds much, the worst of so many drawn; of 16 of these, those that
  // draw one of all that exceed, once they are fewer than one in so many. Of 16 steps, those whose partners have about the
  // demand of the first; and of 32, those without partners.
  static constexpr std::uint32_t kFocused = 12;
  static constexpr std::uint32_t kRivals = 4;
  static constexpr std::uint32_t kOfExceeding = 10;
  static constexpr std::size_t kFewOf = 4;
  static constexpr std::uint32_t kAlike = 15;
  static constexpr std::uint32_t kOneWay = 1;
  static constexpr std::uint32_t kFarthest = 13;  // alike: by up to 2^13 ranks
  // Of 16 steps, those with partners that are nearest over time, once it is known which are: that takes no more than one in so
  // many units of a stretch's work.
  static constexpr std::uint32_t kNear = 10;
  static constexpr std::uint32_t kNearScales = 7;  // the first 2^7 - 1
  static constexpr std::uint64_t kNearPays = 20;
  // Of 16 steps with a large one, those that offer it for several, which may demand so much less or more.
  static constexpr std::uint32_t kSeveral = 8;
  static constexpr std::int16_t kLarge = kFull / 16;
  static constexpr std::int32_t kBundleShort = kFull / 128;
  static constexpr std::int32_t kBundleOver = kFull / 64;

  // In units of a row, per period.
  static constexpr double kHottest = kFull / 2000.0;
  static constexpr double kHalvings = 8.5;  // of the temperature, in a stretch
  static constexpr double kReheated = 7.7;  // with so many halvings a reheated stretch begins
  // From this share of a stretch on, the cost of what a node exceeds turns into the root of it times the root of this, in units
  // of a row per period; in so many turns.
  static constexpr double kRootFrom = 0.7;
  static constexpr double kRootOf = kFull / 7500.0;
  static constexpr int kTurns = 32;
  // In this part of a stretch nodes are opened, in so many steps: where a node exceeds its capacity in its worst period by more
  // than so many times the temperature (per period) on average, one for each that they exceed so much more. Measured, for the
  // least loss, on instances of 1,200 to 1,800 nodes and 98 periods; there what is exceeded depends on nothing else.
  static constexpr double kOpenFrom = 0.5;
  static constexpr double kOpenUntil = 0.7;
  static constexpr int kOpenLooks = 16;
  static constexpr double kExcessOfHeat = 240;
  static constexpr double kExcessPerNode = 1.4;
  static constexpr std::size_t kFewestOpen = 2;  // to exchange between
  // Where there is not room for everything, a part of the capacity that is left out when what is to have a place is chosen.
  static constexpr std::int64_t kNotChosen = 100;

  /// A replica that may move. Items are numbered by ProfileMatrix::rank().
  struct Item {
    std::uint32_t rank;  // of its row
    std::uint32_t member;
    std::uint32_t slot;   // of the node it is on; kNone: waits
    std::int16_t others;  // most demand for a resource other than the scarcest
  };
  /// What is on a node.
  struct Guest {
    std::uint32_t member;
    std::uint32_t item;  // kNone: it may not leave
  };
  /// Partners that stand side by side, are nearest over time, give nothing, or are several of one node.
  enum class Kind : std::uint8_t { kRow, kNear, kOneWay, kSeveral };
  struct Range {
    std::uint32_t first;
    std::uint32_t count;
  };
  /// A step to come, as far as it is drawn.
  struct Draw {
    std::uint32_t slot = kNone;  // of the node whose replica is offered, kNone: of any; or to whose it is offered for several
    std::uint32_t item = kNone;  // is offered; kNone: the step is void
    Kind kind = Kind::kRow;
    std::uint32_t place = 0;  // among the nearest
    std::uint32_t ranges = 0;
    std::array<Range, kPartners> partners{};  // items or, one-way, slots
  };
  static constexpr std::size_t kAhead = 8;  // more than are begun at a time, and a power of two
  static constexpr std::size_t kLine = 64;  // bytes
  static constexpr float kNever = -1e30F;
  static constexpr std::int32_t kNoLimit = std::numeric_limits<std::int32_t>::max();

  [[nodiscard]] std::size_t row_bytes() const { return rows_->lanes() * sizeof(std::int16_t); }
  [[nodiscard]] std::int16_t* row_of(std::uint32_t slot) { return free_.data() + std::size_t{slot} * rows_->width(); }
  [[nodiscard]] const std::int16_t* demand_of(std::uint32_t item) const { return rows_->row(items_[item].rank); }

  // Between stretches, the placement holds what is where. False where the run ended meanwhile: then nothing may be done.
  bool load(Run& run) {
    const Placement<Unit>& placement = state_->placement();
    const std::size_t slots = nodes_.size();
    at_.assign(slots, {});
    changed_.assign(slots, 0);
    free_.resize(slots * rows_->width());
    low_.resize(slots);
    others_low_.assign(slots, 0);
    frozen_.assign(slots, 0);
    excess_.assign(slots, 0);
    all_excess_ = 0;
    exceeding_.clear();
    place_.assign(slots, 0);
    member_.assign(state_->instance().apps(), kNone);
    app_.clear();
    items_.clear();
    may_use_ = placement.may_still_use();
    open_ = slots;
    const auto member_of = [&](AppId app) {
      if (member_[app] == kNone) {
        member_[app] = static_cast<std::uint32_t>(app_.size());
        app_.push_back(app);
      }
      return member_[app];
    };
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const NodeId node = nodes_[slot];
      if (run.clock.step(kLoadWork)) return false;
      rows_->read_free(placement, node, row_of(slot));
      // Demand is rounded up in rows: what exceeds these alone is mended like everything else.
      const std::int16_t least = kernels_->minimum(row_of(slot), rows_->width());
      frozen_[slot] = least == rows_->kTooFull || (least < 0 && placement.residuals().exceeded(node)) ? 1 : 0;
      for (const Tenant& tenant : placement.contents().at(node)) {
        const bool tied = frozen_[slot] != 0 || !moves(tenant.app) || !state_->free_to_leave(tenant.app, node);
        for (std::uint32_t k = 0; k < tenant.replicas; ++k) {
          if (tied) {
            at_[slot].push_back({member_of(tenant.app), kNone});
          } else {
            items_.push_back({rows_->rank(tenant.app), member_of(tenant.app), slot, rows_->most_of_others(tenant.app)});
          }
        }
      }
    }
    for (const AppId app : state_->pool()) {
      if (!moves(app)) continue;
      items_.insert(items_.end(), placement.unplaced(app),
                    {rows_->rank(app), member_of(app), kNone, rows_->most_of_others(app)});
    }
    sort_items();
    waiting_.clear();
    waiting_demand_.assign(rows_->lanes(), 0);
    for (std::uint32_t item = 0; item < items_.size(); ++item) {
      if (items_[item].slot == kNone) {
        waiting_.push_back(item);
        add_waiting(item, 1);
      } else {
        at_[items_[item].slot].push_back({items_[item].member, item});
      }
    }
    spare_ = static_cast<double>(all_free()[0] - waiting_demand_[0]) / kFull;
    keep_in_reserve();
    if (!marks_.learn(state_->instance().limit_rows(), app_, member_, run.clock)) return false;
    // What waits is on a node behind all others, which takes part in nothing.
    now_.assign(slots + 1, kNever);
    node_of_item_.assign(items_.size() + kPartners, static_cast<std::uint32_t>(slots));
    node_of_slot_.assign(slots + kPartners, static_cast<std::uint32_t>(slots));
    std::iota(node_of_slot_.begin(), node_of_slot_.begin() + static_cast<std::ptrdiff_t>(slots), 0);
    for (std::uint32_t item = 0; item < items_.size(); ++item) show(item);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      if (run.clock.step(1)) return false;
      settle(slot);
      if (frozen_[slot] == 0) set_excess(slot, excess_now(slot));
      describe(slot);
    }
    return true;
  }
  void keep_in_reserve() {
    double more = spare_ - spare_at_first_;
    while (open_ > kFewestOpen && at_[open_ - 1].empty() && !state_->placement().loaded(nodes_[open_ - 1])) {
      more -= static_cast<double>(row_of(static_cast<std::uint32_t>(open_ - 1))[0]) / kFull;
      if (more < 0) return;
      --open_;
    }
  }
  // By counting: there are hundreds of thousands of items.
  void sort_items() {
    first_.assign(rows_->ranks() + 2, 0);
    for (const Item& item : items_) ++first_[item.rank + 2];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    sorted_.resize(items_.size());
    for (const Item& item : items_) sorted_[first_[item.rank + 1]++] = item;
    items_.swap(sorted_);
  }
  [[nodiscard]] std::vector<std::uint32_t> ranks_in_play() const {
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = 0; rank + 1 < first_.size(); ++rank) {
      if (first_[rank] < first_[rank + 1]) ranks.push_back(rank);
    }
    return ranks;
  }
  [[nodiscard]] bool near_pays(std::uint64_t steps) const {
    return steps * kStepWork > kNearPays * ProfileNeighbours::work(ranks_in_play().size());
  }
  [[nodiscard]] std::uint64_t step_work() const { return near_.empty() ? kStepWork : kNearStepWork; }
  // False where the run ended meanwhile.
  bool know_near(Run& run) {
    if (!near_.empty() || !near_pays(end_ - steps_)) return true;
    const std::vector<std::uint32_t> ranks = ranks_in_play();
    std::vector<double> free(rows_->lanes(), 0);
    const std::vector<std::int64_t> all = all_free();
    for (std::size_t t = 0; t < all.size(); ++t) {
      free[t] = static_cast<double>(all[t] - waiting_demand_[t]) / static_cast<double>(open_);
    }
    return near_.find(*rows_, ranks, free, run);
  }
  [[nodiscard]] AppId app_of(std::uint32_t item) const { return app_[items_[item].member]; }

  void store() {
    Placement<Unit>& placement = state_->placement();
    // What leaves goes first, so that no app ever has more replicas than it wants.
    std::vector<std::vector<Tenant>> arriving(nodes_.size());
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
      if (changed_[slot] == 0) continue;
      std::vector<Tenant>& goal = arriving[slot];
      for (const Guest& guest : at_[slot]) {
        const AppId app = app_[guest.member];
        const auto known = std::find_if(goal.begin(), goal.end(), [&](const Tenant& tenant) { return tenant.app == app; });
        if (known != goal.end()) {
          ++known->replicas;
        } else {
          goal.push_back({app, 1});
        }
      }
      const auto there = placement.contents().at(nodes_[slot]);
      const std::vector<Tenant> before(there.begin(), there.end());
      for (const Tenant& tenant : before) {
        const auto stays = std::find_if(goal.begin(), goal.end(), [&](const Tenant& one) { return one.app == tenant.app; });
        const std::uint32_t replicas = stays == goal.end() ? 0 : stays->replicas;
        if (tenant.replicas > replicas) placement.remove(tenant.app, nodes_[slot], tenant.replicas - replicas);
        if (stays != goal.end()) stays->replicas -= std::min(replicas, tenant.replicas);
      }
    }
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
      for (const Tenant& tenant : arriving[slot]) {
        if (tenant.replicas > 0) placement.place(tenant.app, nodes_[slot], tenant.replicas);
      }
    }
    state_->collect_pool();
  }

  void settle(std::uint32_t slot) {
    const std::int16_t* row = row_of(slot);
    low_[slot] = kernels_->minimum(row, rows_->lanes());
    if (rows_->width() > rows_->lanes())
      others_low_[slot] = kernels_->minimum(row + rows_->lanes(), rows_->width() - rows_->lanes());
  }
  void show(std::uint32_t item) {
    const std::uint32_t slot = items_[item].slot;
    node_of_item_[item] = slot == kNone ? static_cast<std::uint32_t>(nodes_.size()) : slot;
  }
  [[nodiscard]] std::int32_t excess_now(std::uint32_t slot) {
    return kernels_->excess(row_of(slot), rows_->nothing(), rows_->nothing(), kNoLimit, rows_->width());
  }
  void set_excess(std::uint32_t slot, std::int32_t excess) {
    if (excess > 0 && excess_[slot] == 0) {
      place_[slot] = static_cast<std::uint32_t>(exceeding_.size());
      exceeding_.push_back(slot);
    } else if (excess == 0 && excess_[slot] > 0) {
      place_[exceeding_.back()] = place_[slot];
      exceeding_[place_[slot]] = exceeding_.back();
      exceeding_.pop_back();
    }
    all_excess_ += excess - excess_[slot];
    excess_[slot] = excess;
  }
  [[nodiscard]] bool all_within() const { return all_excess_ == 0; }
  [[nodiscard]] float cost_now(std::uint32_t slot) const { return cost_(excess_[slot]); }
  void describe(std::uint32_t slot) { now_[slot] = frozen_[slot] != 0 ? kNever : cost_now(slot); }
  // Whether something may go there as far as the number of nodes in use is concerned.
  [[nodiscard]] bool may_enter(std::uint32_t slot) const {
    return may_use_ > 0 || !at_[slot].empty() || state_->placement().loaded(nodes_[slot]);
  }
  void join(std::uint32_t item, std::uint32_t slot) {
    if (at_[slot].empty() && !state_->placement().loaded(nodes_[slot])) --may_use_;
    items_[item].slot = slot;
    at_[slot].push_back({items_[item].member, item});
    show(item);
  }
  void leave(std::uint32_t item) {
    std::vector<Guest>& guests = at_[items_[item].slot];
    *std::find_if(guests.begin(), guests.end(), [&](const Guest& guest) { return guest.item == item; }) = guests.back();
    guests.pop_back();
    if (guests.empty() && !state_->placement().loaded(nodes_[items_[item].slot])) ++may_use_;
  }

  // By the share of the stretch that is done.
  void set_temperature() {
    const double done = static_cast<double>(steps_ - begin_) / static_cast<double>(end_ - begin_);
    const double first = reheated_ ? kReheated : 0;
    const double halvings = first + done * (kHalvings - first);
    const auto whole = static_cast<std::uint32_t>(halvings);
    const auto periods = static_cast<double>(rows_->periods());
    temperature_ = kHottest * periods / (1u << whole) * (1 - (halvings - whole) / 2);
    const int turn = std::max(0, static_cast<int>((done - kRootFrom) / (1 - kRootFrom) * kTurns));
    if (turn == turn_) return;
    turn_ = turn;
    const double share = static_cast<double>(turn) / kTurns;
    cost_ = {static_cast<float>(1 - share), static_cast<float>(share * std::sqrt(kRootOf * periods))};
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) describe(slot);
  }
  [[nodiscard]] double waiting() const {
    return static_cast<double>(*std::max_element(waiting_demand_.begin(), waiting_demand_.end())) / kFull;
  }

  void open_if_needed() {
    if (open_ == nodes_.size()) return;
    const double done = static_cast<double>(steps_ - begin_) / static_cast<double>(end_ - begin_);
    const int look = static_cast<int>((done - kOpenFrom) / (kOpenUntil - kOpenFrom) * kOpenLooks);
    if (done < kOpenFrom || look >= kOpenLooks || look == look_) return;
    look_ = look;
    const double usual =
        kExcessOfHeat * temperature_ / static_cast<double>(rows_->periods()) / kFull * static_cast<double>(open_);
    const double more = std::max(0.0, (exceeded() - usual) / kExcessPerNode);
    open_ += std::min(nodes_.size() - open_, static_cast<std::size_t>(more));
  }
  // Nodes' worth that has to leave at least.
  [[nodiscard]] double exceeded() const {
    std::int64_t sum = 0;
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
      if (frozen_[slot] == 0) sum -= std::min<std::int32_t>(low_[slot], 0);
    }
    return static_cast<double>(sum) / kFull;
  }

  [[nodiscard]] std::uint32_t random_slot() { return random_.below(static_cast<std::uint32_t>(open_)); }
  [[nodiscard]] std::uint32_t random_item() { return random_.below(static_cast<std::uint32_t>(items_.size())); }

  // Which replica and which partners the next steps take is drawn ahead, a little more of it each time, so that what a step
  // reads has come near by then. What they are drawn by may have changed in the meantime: that decides where to look, no more.
  void look_ahead() {
    ++turn_of_draw_;
    draw_slot(ahead_[(turn_of_draw_ + 4) % kAhead]);
    draw_item(ahead_[(turn_of_draw_ + 3) % kAhead]);
    draw_kind(ahead_[(turn_of_draw_ + 2) % kAhead]);
    draw_partners(ahead_[(turn_of_draw_ + 1) % kAhead]);
  }
  void begin_to_look() {
    ahead_.fill({});
    for (std::size_t k = 1; k < kAhead; ++k) look_ahead();
  }
  void draw_slot(Draw& draw) {
    draw.slot = kNone;
    if (random_.below(16) >= kFocused) return;
    const bool few_exceed = !exceeding_.empty() && exceeding_.size() < open_ / kFewOf;
    if (few_exceed && random_.below(16) < kOfExceeding) {
      draw.slot = exceeding_[random_.below(static_cast<std::uint32_t>(exceeding_.size()))];
    } else {
      draw.slot = random_slot();
      for (std::uint32_t k = 1; k < kRivals; ++k) {
        const std::uint32_t rival = random_slot();
        if (excess_[rival] > excess_[draw.slot]) draw.slot = rival;
      }
    }
    prefetch(at_[draw.slot].data(), kLine);
  }
  void draw_item(Draw& draw) {
    if (draw.slot == kNone) {
      draw.item = random_item();
    } else {
      const std::vector<Guest>& guests = at_[draw.slot];
      draw.item = guests.empty() ? kNone : guests[random_.below(static_cast<std::uint32_t>(guests.size()))].item;
    }
    if (draw.item != kNone) prefetch(&items_[draw.item], 1);
  }
  void draw_kind(Draw& draw) {
    if (draw.item == kNone) return;
    const std::uint32_t rank = items_[draw.item].rank;
    prefetch(rows_->row(rank), row_bytes());
    draw.kind = Kind::kRow;
    if (random_.below(32) < kOneWay) {
      draw.kind = Kind::kOneWay;
      return;
    }
    const std::span<const std::uint32_t> near = near_.of(rank);
    if (random_.below(16) < kNear && !near.empty()) {
      // Log-uniform in the place among the nearest.
      const std::uint32_t scale = random_.below(kNearScales);
      draw.kind = Kind::kNear;
      draw.place = (1u << scale) - 1 + random_.below(1u << scale);
      prefetch(&near[std::min<std::size_t>(draw.place, near.size() - 1)], kLine);
    }
  }
  void draw_partners(Draw& draw) {
    draw.ranges = 0;
    if (draw.item == kNone) return;
    const Item& x = items_[draw.item];
    if (x.slot == kNone) return;
    prefetch(row_of(x.slot), row_bytes());
    marks_.prefetch(x.member);
    if (demand_of(draw.item)[0] >= kLarge && random_.below(16) < kSeveral) {
      draw.kind = Kind::kSeveral;
      draw.slot = random_slot();
      prefetch(row_of(draw.slot), row_bytes());
      prefetch(at_[draw.slot].data(), kLine);
      return;
    }
    const auto add = [&](std::uint32_t first, std::size_t count) {
      draw.partners[draw.ranges++] = {first, static_cast<std::uint32_t>(count)};
    };
    if (draw.kind == Kind::kOneWay) return add(random_.below(most_first(open_) + 1), std::min<std::size_t>(kPartners, open_));
    if (draw.kind == Kind::kRow) {
      add(draw_block(draw.item), std::min<std::size_t>(kPartners, items_.size()));
      prefetch(&items_[draw.partners[0].first], kPartners * sizeof(Item));
      prefetch(&node_of_item_[draw.partners[0].first], kPartners * sizeof(node_of_item_[0]));
      return;
    }
    const std::span<const std::uint32_t> near = near_.of(x.rank);
    std::uint32_t left = kPartners;
    for (std::size_t k = draw.place; k < near.size() && left > 0; ++k) {
      const std::uint32_t first = first_[near[k]];
      const std::uint32_t all = first_[near[k] + 1] - first;
      if (all == 0) continue;
      prefetch(rows_->row(near[k]), row_bytes());
      prefetch(&items_[first], 1);
      prefetch(&node_of_item_[first], 1);
      const std::uint32_t from = random_.below(all);
      const std::uint32_t here = std::min(all, left);
      const std::uint32_t to_end = std::min(all - from, here);
      left -= here;
      add(first + from, to_end);
      if (here > to_end) add(first, here - to_end);
    }
  }

  void step(const Draw& draw) {
    const std::uint32_t x = draw.item;
    if (x == kNone || items_[x].slot == kNone) return;
    if (draw.kind == Kind::kSeveral) return exchange_for_several(x, draw.slot);
    const std::uint32_t a = items_[x].slot;
    const std::int16_t* demand = demand_of(x);
    const std::int16_t* free = row_of(a);
    const float most = now_[a] + draw_luck();
    for (std::size_t t = 0; t < rows_->lanes(); ++t) own_[t] = static_cast<std::int16_t>(free[t] + demand[t]);
    const bool one_way = draw.kind == Kind::kOneWay;
    const std::vector<std::uint32_t>& node_of = one_way ? node_of_slot_ : node_of_item_;
    std::size_t count = 0;
    for (const Range& range : std::span(draw.partners).first(draw.ranges)) {
      const std::uint32_t end = range.first + range.count;
      for (std::uint32_t id = range.first; id < end;) {
        // Partners with the same demand stand side by side: what it means for the node that offers is worked out once for all.
        const std::uint32_t rank = one_way ? 0 : items_[id].rank;
        const std::int16_t* row = one_way ? rows_->nothing() : rows_->row(rank);
        const std::uint32_t alike = one_way ? end : std::min(end, first_[rank + 1]);
        if (row == demand) {
          id = alike;
          continue;
        }
        const std::int32_t here = kernels_->excess(own_.data(), rows_->nothing(), row, kNoLimit, rows_->lanes());
        const float cost_here = cost_(here);
        for (; id < alike; ++id) {
          const std::uint32_t b = node_of[id];
          const float affordable = most + now_[b];
          if (affordable < cost_here || a == b) continue;
          partners_[count++] = {row, row_of(b), affordable - cost_here, here, id};
          prefetch(row_of(b), kLine);
        }
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      std::int32_t there = 0;
      k += kernels_->first_exchange(demand, partners_.data() + k, count - k, rows_->lanes(), cost_, &there);
      if (k == count) return;
      const Partner<std::int16_t>& partner = partners_[k];
      const std::span<const std::uint32_t> from_b(&partner.id, one_way ? 0 : 1);
      if (exchange(x, node_of[partner.id], from_b, partner.leaving, partner.affordable + cost_(partner.here), partner.here,
                   there))
        return;
    }
  }
  [[nodiscard]] static std::uint32_t most_first(std::size_t size) {
    return size > kPartners ? static_cast<std::uint32_t>(size - kPartners) : 0;
  }
  // Mostly alike: log-uniform in the distance from x.
  [[nodiscard]] std::uint32_t draw_block(std::uint32_t x) {
    const std::uint32_t last = most_first(items_.size());
    if (random_.below(16) >= kAlike) return random_.below(last + 1);
    const std::uint32_t scale = random_.below(kFarthest);
    const std::uint32_t distance = (1u << scale) + random_.below(1u << scale);
    if (random_.below(2) == 0) return std::min(x + distance, last);
    return std::min(x > distance + kPartners ? x - distance - kPartners : 0, last);
  }
  [[nodiscard]] float draw_luck() { return static_cast<float>(-temperature_ * log_.draw(random_)); }

  // Offers a large one for several that together demand about the same in the scarcest period.
  void exchange_for_several(std::uint32_t x, std::uint32_t b) {
    const std::uint32_t a = items_[x].slot;
    if (a == b || frozen_[b] != 0) return;
    const std::int32_t wanted = demand_of(x)[0];
    std::int32_t sum = 0;
    std::int32_t most = 0;  // in any period: rows take no more than a node
    std::int32_t others = 0;
    bundle_.clear();
    std::fill(bundle_row_.begin(), bundle_row_.end(), std::int16_t{0});
    candidates_ = at_[b];
    for (std::size_t left = candidates_.size(); left > 0 && sum <= wanted - kBundleShort; --left) {
      const std::uint32_t k = random_.below(static_cast<std::uint32_t>(left));
      const std::uint32_t item = candidates_[k].item;
      candidates_[k] = candidates_[left - 1];
      if (item == kNone) continue;
      const std::int32_t demand = demand_of(item)[0];
      const std::int32_t most_of_it = rows_->most(app_of(item));
      if (sum + demand > wanted + kBundleOver || most + most_of_it > kFull || others + items_[item].others > kFull) continue;
      sum += demand;
      most += most_of_it;
      others += items_[item].others;
      bundle_.push_back(item);
      kernels_->subtract(bundle_row_.data(), demand_of(item), -1, rows_->width());
    }
    if (bundle_.empty()) return;
    const float affordable = now_[a] + now_[b] + draw_luck();
    const std::int32_t most_at_b = cost_.largest(affordable);
    const std::int32_t at_b = kernels_->excess(row_of(b), bundle_row_.data(), demand_of(x), most_at_b, rows_->lanes());
    if (at_b > most_at_b) return;
    const float left = affordable - cost_(at_b);
    const std::int32_t most_at_a = cost_.largest(left);
    const std::int32_t at_a = kernels_->excess(row_of(a), demand_of(x), bundle_row_.data(), most_at_a, rows_->lanes());
    if (at_a <= most_at_a) exchange(x, b, bundle_, bundle_row_.data(), affordable, at_a, at_b);
  }

  // Item x goes to node b, and what leaves that, with this row, goes where x was, if both nodes then cost so much at most. What
  // they exceed is known of the scarcest resource.
  [[gnu::noinline]] bool exchange(std::uint32_t x, std::uint32_t b, std::span<const std::uint32_t> from_b,
                                  const std::int16_t* to_a, float affordable, std::int32_t at_a, std::int32_t at_b) {
    const std::uint32_t a = items_[x].slot;
    if (!may_enter(b)) return false;
    const std::int16_t* to_b = demand_of(x);
    prefetch(at_[b].data(), kLine);
    std::int32_t others = 0;
    for (const std::uint32_t y : from_b) {
      others += items_[y].others;
      marks_.prefetch(items_[y].member);
    }
    at_a += others_excess(a, to_b, to_a, others);
    at_b += others_excess(b, to_a, to_b, items_[x].others);
    if (cost_(at_a) + cost_(at_b) > affordable) return false;
    if (!rows_hold(a, to_b, to_a, at_a) || !rows_hold(b, to_a, to_b, at_b)) return false;
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
      settle(slot);
      if (!waiting_.empty()) insert_waiting(slot);
      describe(slot);
    }
    return true;
  }
  // Of the other resources; `most` is the most that arrives.
  [[nodiscard]] std::int32_t others_excess(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving,
                                           std::int32_t most) {
    if (others_low_[slot] >= most) return 0;
    const std::size_t lanes = rows_->lanes();
    return kernels_->excess(row_of(slot) + lanes, leaving + lanes, arriving + lanes, kNoLimit, rows_->width() - lanes);
  }
  // Whether no period's excess is more than a row takes, where all together it would be so much.
  [[nodiscard]] bool rows_hold(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving,
                               std::int32_t excess) {
    constexpr std::int16_t kLeast = -ProfileMatrix<Unit>::kMostExcess;
    return excess <= ProfileMatrix<Unit>::kMostExcess ||
           kernels_->exchange_minimum(row_of(slot), leaving, arriving, kLeast, rows_->width()) >= kLeast;
  }
  void replace(std::uint32_t slot, const std::int16_t* leaving, const std::int16_t* arriving) {
    kernels_->subtract(row_of(slot), arriving, 1, rows_->width());
    kernels_->subtract(row_of(slot), leaving, -1, rows_->width());
  }

  [[nodiscard]] std::uint32_t count(std::span<const std::uint32_t> items, std::uint32_t member) const {
    std::uint32_t replicas = 0;
    for (const std::uint32_t item : items) replicas += items_[item].member == member ? 1 : 0;
    return replicas;
  }
  [[nodiscard]] std::uint32_t count_at(std::uint32_t slot, std::uint32_t member) const {
    std::uint32_t replicas = 0;
    for (const Guest& guest : at_[slot]) replicas += guest.member == member ? 1 : 0;
    return replicas;
  }
  // Whether affinity and self limits let these items onto the node once the others have left it. The arriving ones come from
  // one node, or there is but one.
  [[nodiscard]] bool admits(std::span<const std::uint32_t> arriving, std::uint32_t slot,
                            std::span<const std::uint32_t> leaving) const {
    for (std::size_t k = 0; k < arriving.size(); ++k) {
      const std::uint32_t member = items_[arriving[k]].member;
      if (k > 0 && count(arriving.first(k), member) > 0) continue;
      const std::uint32_t own = count(arriving, member) + count_at(slot, member) - count(leaving, member);
      if (own > state_->instance().limit_rows().self_limit(app_[member])) return false;
      const std::span<const Guest> guests = at_[slot];
      for (std::size_t from = 0; from < guests.size(); from += 64) {
        const std::span<const Guest> some = guests.subspan(from, std::min<std::size_t>(64, guests.size() - from));
        // First without a branch per guest.
        std::uint64_t may_limit = 0;
        for (std::size_t g = 0; g < some.size(); ++g) may_limit |= marks_.may_limit(member, some[g].member) << g;
        for (; may_limit != 0; may_limit &= may_limit - 1) {
          const std::uint32_t other = some[static_cast<std::size_t>(std::countr_zero(may_limit))].member;
          if (other != member && !admits_beside(member, own, other, arriving, slot, leaving)) return false;
        }
      }
    }
    return true;
  }
  // Whether so many of the member may be beside what is there of another once all have arrived and left.
  [[nodiscard]] bool admits_beside(std::uint32_t member, std::uint32_t own, std::uint32_t other,
                                   std::span<const std::uint32_t> arriving, std::uint32_t slot,
                                   std::span<const std::uint32_t> leaving) const {
    const Compatibility pair = marks_.of(member, other);
    if (pair == Compatibility::kFree) return true;
    const std::uint32_t stay = count_at(slot, other) - count(leaving, other);
    if (stay == 0) return true;
    if (pair == Compatibility::kNever) return false;
    const std::uint32_t others = stay + count(arriving, other);
    if (marks_.known() && others == 1 && own == 1) return true;
    return stowage::admits(state_->instance().limit_rows(), {app_[member], own}, {app_[other], others});
  }

  [[nodiscard]] bool fits(std::uint32_t item, std::uint32_t slot) {
    const std::int16_t* demand = demand_of(item);
    const std::int16_t* row = row_of(slot);
    if (low_[slot] < rows_->least(app_of(item)) || !may_enter(slot)) return false;
    return kernels_->exchange_minimum(row, rows_->nothing(), demand, 0, rows_->width()) >= 0;
  }
  void add_waiting(std::uint32_t item, int times) {
    const std::int16_t* demand = demand_of(item);
    for (std::size_t t = 0; t < rows_->lanes(); ++t) waiting_demand_[t] += times * demand[t];
  }
  // Places what waits.
  [[gnu::noinline]] void put(std::uint32_t item, std::uint32_t slot) {
    add_waiting(item, -1);
    kernels_->subtract(row_of(slot), demand_of(item), 1, rows_->width());
    join(item, slot);
    settle(slot);
    changed_[slot] = 1;
  }
  // What all open nodes together have free of the scarcest resource, by period: those in use, and as many others as may be.
  [[nodiscard]] std::vector<std::int64_t> all_free() {
    std::vector<std::int64_t> free(rows_->periods(), 0);
    std::uint32_t may_use = may_use_;
    for (std::uint32_t slot = 0; slot < open_; ++slot) {
      const bool used = !at_[slot].empty() || state_->placement().loaded(nodes_[slot]);
      if (frozen_[slot] != 0 || (!used && may_use == 0)) continue;
      may_use -= used ? 0 : 1;
      for (std::size_t t = 0; t < free.size(); ++t) free[t] += row_of(slot)[t];
    }
    return free;
  }
  // Highest first: the smaller in lexicographic order, the better.
  [[nodiscard]] std::vector<std::int32_t> waiting_priorities() const {
    std::vector<std::uint32_t> order = waiting_;
    std::vector<double> priority(items_.size());
    for (const std::uint32_t item : order) priority[item] = state_->instance().priority(app_of(item));
    sort_by_largest(order, priority);
    std::vector<std::int32_t> priorities;
    priorities.reserve(order.size());
    for (const std::uint32_t item : order) priorities.push_back(state_->instance().priority(app_of(item)));
    return priorities;
  }
  // Where there is not room for everything, as many replicas as possible are to have a place: of low priority, and of those the
  // largest, wait.
  void choose() {
    const Instance& instance = state_->instance();
    std::vector<std::int64_t> free = all_free();
    const auto change = [&](std::uint32_t item, int times) {
      for (std::size_t t = 0; t < free.size(); ++t) free[t] += times * demand_of(item)[t];
    };
    std::vector<std::uint32_t> order(items_.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> last;
    for (const std::uint32_t item : order) {
      if (items_[item].slot != kNone) change(item, 1);
      // A priority counts more than any size.
      last.push_back(rows_->most(app_of(item)) - 65536.0 * instance.priority(app_of(item)));
    }
    for (std::int64_t& left : free) left -= left / kNotChosen;
    sort_by(order, last);
    for (const std::uint32_t item : order) {
      bool room = true;
      for (std::size_t t = 0; t < free.size() && room; ++t) room = free[t] >= demand_of(item)[t];
      if (room) {
        change(item, -1);
      } else if (items_[item].slot != kNone) {
        unseat(item);
      }
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> smallest_first() const {
    std::vector<std::uint32_t> items = largest_first();
    std::reverse(items.begin(), items.end());
    return items;
  }
  [[nodiscard, gnu::noinline]] std::vector<std::uint32_t> largest_first() const {
    std::vector<std::uint32_t> items = waiting_;
    std::vector<double> most(items_.size());
    for (const std::uint32_t item : items) most[item] = rows_->most(app_of(item));
    sort_by_largest(items, most);
    return items;
  }
  // Gives what waits a place, where nodes then exceed least; as much of it as there is capacity for on all nodes together.
  void seat(Run& run) {
    std::vector<std::int64_t> free = all_free();
    for (const std::uint32_t item : spare_ < 0 ? smallest_first() : largest_first()) {
      const std::int16_t* demand = demand_of(item);
      bool room = true;
      for (std::size_t t = 0; t < free.size() && room; ++t) room = free[t] >= demand[t];
      if (!room) continue;
      std::uint32_t best = kNone;
      std::int32_t best_excess = 0;
      double least = 0;
      const auto look = [&](std::uint32_t slot) {
        if (frozen_[slot] != 0 || !may_enter(slot)) return;
        const std::int32_t excess = kernels_->excess(row_of(slot), rows_->nothing(), demand, kNoLimit, rows_->width());
        if (!rows_hold(slot, rows_->nothing(), demand, excess)) return;
        // Of nodes that exceed as much, the emptiest.
        const double loss = excess - excess_[slot] - static_cast<double>(row_of(slot)[0]) / (2.0 * kFull);
        if ((best != kNone && loss >= least) || !admits({&item, 1}, slot, {})) return;
        best = slot;
        best_excess = excess;
        least = loss;
      };
      for (std::uint32_t k = 0; k < kStartLooks; ++k) look(random_slot());
      for (std::uint32_t slot = 0; slot < open_ && best == kNone; ++slot) look(slot);
      if (best != kNone) {
        for (std::size_t t = 0; t < free.size(); ++t) free[t] -= demand[t];
        put(item, best);
        set_excess(best, best_excess);
        describe(best);
      }
      if (run.clock.step(kStartLooks)) break;
    }
    std::erase_if(waiting_, [&](std::uint32_t item) { return items_[item].slot != kNone; });
  }
  // Lets replicas go until every node is within its capacity.
  void unseat(Run& run) {
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
      // As it was, it is within its capacity, whatever rounding adds.
      while (changed_[slot] != 0 && excess_[slot] > 0) {
        choose_leaving(run, slot);
        // What is tied to the node alone exceeds it by rounding.
        if (leaving_.empty()) break;
        for (const std::uint32_t item : leaving_) unseat(item);
      }
    }
  }
  // What makes it hard to find another place for it: what it demands at its peak, and over time.
  [[nodiscard]] std::int32_t burden(std::uint32_t item) const { return rows_->most(app_of(item)) + rows_->mean(app_of(item)); }
  // The one or two that are enough with the least burden; else the one that relieves the node most for what it demands. Where
  // there is not room for everything, replicas count, so that one is better than two.
  void choose_leaving(Run& run, std::uint32_t slot) {
    leaving_.clear();
    by_burden_.clear();
    for (const Guest& guest : at_[slot]) {
      if (guest.item != kNone) by_burden_.emplace_back(burden(guest.item), guest.item);
    }
    std::sort(by_burden_.begin(), by_burden_.end());
    const auto left_without = [&](const std::int16_t* leaving) {
      return kernels_->excess(row_of(slot), leaving, rows_->nothing(), excess_[slot], rows_->width());
    };
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    std::uint32_t best = kNone;
    double least_loss = 0;
    for (const auto& [of_one, item] : by_burden_) {
      const std::int32_t left = left_without(demand_of(item));
      if (left == 0) {
        leaving_ = {item};
        least = of_one;
        break;
      }
      const double loss = (spare_ < 0 ? 1 : demand_of(item)[0]) / (excess_[slot] - left + 1e-3);
      if (best != kNone && loss >= least_loss) continue;
      best = item;
      least_loss = loss;
    }
    const std::size_t most_of_pairs =
        spare_ < 0 || run.clock.stop() != Stop::kNo ? 0 : std::min(by_burden_.size(), kMostInPairs);
    std::uint64_t looks = 0;
    for (std::size_t i = 0; i < most_of_pairs; ++i) {
      for (std::size_t j = i + 1; j < most_of_pairs && by_burden_[i].first + by_burden_[j].first < least; ++j) {
        const std::int16_t* one = demand_of(by_burden_[i].second);
        const std::int16_t* other = demand_of(by_burden_[j].second);
        // No overflow: both are on the node.
        for (std::size_t t = 0; t < rows_->width(); ++t) bundle_row_[t] = static_cast<std::int16_t>(one[t] + other[t]);
        ++looks;
        if (left_without(bundle_row_.data()) > 0) continue;
        leaving_ = {by_burden_[i].second, by_burden_[j].second};
        least = by_burden_[i].first + by_burden_[j].first;
      }
    }
    if (looks > 0) static_cast<void>(run.clock.step(1 + looks / kPairsPerWork));
    if (leaving_.empty() && best != kNone) leaving_ = {best};
  }
  [[gnu::noinline]] void unseat(std::uint32_t item) {
    const std::uint32_t slot = items_[item].slot;
    replace(slot, demand_of(item), rows_->nothing());
    leave(item);
    items_[item].slot = kNone;
    show(item);
    changed_[slot] = 1;
    waiting_.push_back(item);
    add_waiting(item, 1);
    set_excess(slot, excess_now(slot));
    settle(slot);
    describe(slot);
  }
  void insert_waiting(std::uint32_t slot) {
    constexpr std::uint32_t kSample = 3;
    for (std::uint32_t k = 0; k < kSample && !waiting_.empty(); ++k) {
      std::uint32_t& drawn = waiting_[random_.below(static_cast<std::uint32_t>(waiting_.size()))];
      const std::uint32_t item = drawn;
      if (!fits(item, slot) || !admits({&item, 1}, slot, {})) continue;
      drawn = waiting_.back();
      waiting_.pop_back();
      put(item, slot);
    }
  }

  void fill(Run& run, const std::vector<std::uint32_t>& items) {
    // Nothing leaves meanwhile: where one replica of an app found no place, the others find none.
    std::vector<std::uint8_t> in_vain(app_.size(), 0);
    for (const std::uint32_t item : items) {
      std::uint8_t& vain = in_vain[items_[item].member];
      if (vain != 0) continue;
      if (!place_at_least_loss(item)) vain = 1;
      if (run.clock.step(kStartLooks)) break;
    }
    std::erase_if(waiting_, [&](std::uint32_t item) { return items_[item].slot != kNone; });
  }
  bool place_at_least_loss(std::uint32_t item) {
    std::uint32_t best = kNone;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    const auto look = [&](std::uint32_t slot) {
      const std::int16_t* demand = demand_of(item);
      const std::int16_t* row = row_of(slot);
      if (low_[slot] < rows_->least(app_of(item))) return;
      const std::int32_t low = kernels_->exchange_minimum(row, rows_->nothing(), demand, 0, rows_->lanes());
      // Of nodes that lose the same, the fullest.
      const std::int32_t loss = (low_[slot] - low - demand[0]) * 4 + low / 128;
      if (low < 0 || loss >= least || !fits(item, slot) || !admits({&item, 1}, slot, {})) return;
      best = slot;
      least = loss;
    };
    if (open_ == 0) return false;
    for (std::uint32_t k = 0; k < kStartLooks; ++k) look(random_slot());
    for (std::uint32_t slot = 0; slot < open_ && best == kNone; ++slot) look(slot);
    if (best == kNone) return false;
    put(item, best);
    describe(best);
    return true;
  }

  SearchState<Unit>* state_;
  ProfileMatrix<Unit>* rows_;
  const Kernels<std::int16_t>* kernels_;
  Random random_;
  LogTable log_;
  std::vector<NodeId> nodes_;          // a node's place here is its slot
  std::vector<AppId> app_;             // the apps here: members
  std::vector<std::uint32_t> member_;  // per app, or kNone
  PairFilter marks_;
  std::vector<Item> items_;
  std::vector<Item> sorted_;                  // of sort_items()
  std::vector<std::uint32_t> first_;          // per rank: its first item; the next rank's is the end
  std::vector<std::uint32_t> waiting_;        // items
  std::vector<std::int64_t> waiting_demand_;  // of all of them, per lane of the scarcest resource
  std::uint32_t may_use_ = 0;                 // nodes that are not in use yet and may be
  std::vector<std::vector<Guest>> at_;        // per slot
  std::vector<std::uint8_t> changed_;         // per slot
  std::vector<std::int16_t> free_;            // per slot: a row
  std::vector<std::int16_t> low_;             // per slot: smallest lane of the scarcest resource
  std::vector<std::int16_t> others_low_;      // per slot: smallest lane of the other resources
  std::vector<std::uint8_t> frozen_;          // per slot: it exceeded its capacity before, and is left as it is
  std::vector<std::int32_t> excess_;          // per slot: what it exceeds its capacity by, over all periods and resources
  std::int64_t all_excess_ = 0;
  std::vector<std::uint32_t> exceeding_;  // slots with an excess
  std::vector<std::uint32_t> place_;      // per slot with an excess: where it is among them
  double spare_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t begin_ = 0;  // of the stretch
  std::uint64_t end_ = 0;
  bool reheated_ = false;
  double spare_at_first_ = std::numeric_limits<double>::infinity();
  std::size_t open_ = 0;  // so many of the nodes, the first; the others are in reserve
  int look_ = -1;         // at what is exceeded, for nodes to open
  double seconds_ = 0;    // of the stretch
  double temperature_ = 0;
  int turn_ = 0;
  ExcessCost cost_;
  std::vector<std::uint32_t> node_of_item_;  // per item: its slot, or one behind the last
  std::vector<std::uint32_t> node_of_slot_;  // the slots themselves
  std::vector<float> now_;                   // per slot: what it costs
  ProfileNeighbours near_;
  std::array<Draw, kAhead> ahead_;
  std::size_t turn_of_draw_ = 0;
  std::array<Partner<std::int16_t>, kPartners> partners_{};
  std::vector<std::int16_t> own_;  // row of the node that offers, without what it offers
  std::vector<Guest> candidates_;
  std::vector<std::uint32_t> bundle_;
  std::vector<std::int16_t> bundle_row_;
  std::vector<std::uint32_t> leaving_;
  std::vector<std::pair<std::int32_t, std::uint32_t>> by_burden_;
};

}  // namespace stowage
