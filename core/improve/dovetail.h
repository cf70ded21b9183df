// Improvement with demand that changes over time: replicas whose peaks do not coincide come together on few nodes.
//
// A node is full when its free capacity is used up in one period; what is free in the others is lost. Replicas of constant
// demand lose nothing, so those that vary are gathered on nodes of their own: the more of them share a node, the better their
// dips fill each other. What is free on a node at its minimum over time, b, is worth b + gather x b^2: the sum over nodes is to
// grow. Its first term rewards nodes that are level, the second, which grows as it gets colder, gathers what is free until
// waiting replicas fit in.
//
// A step draws a replica, mostly from a node that loses much, and 64 partners that stand side by side in the order of demand in
// the scarcest period, mostly near the first one: alike in that period, they are taken to other nodes at little cost. Partners
// may also be 64 nodes that give nothing in return, and a large replica is offered for several that together demand about the
// same. What is accepted, annealing decides (Metropolis et al., 1953), with one draw of luck for all partners of a step.
//
// The worth of an exchange is at most what a few periods say in which the two nodes are fullest. That is looked up for all 64
// partners at once, in a few vectors: demand by period in columns, and beside each replica what its node would have free
// without it. The few that pass are looked at over all periods.
//
// Steps work on rows of their own (period_rows.h). The placement learns of a stretch of annealing when it has ended, cold.
// O(partners) per step, O(d) for each that passes, and O(tenants) for an exchange that is made.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/improve/period_rows.h"
#include "core/improve/random.h"
#include "core/improve/repack.h"
#include "core/model/sort_by.h"
#include "core/run.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Moves what nothing ties to its node: neither pins nor a place where it runs, nor placement rules that speak of the app.
template <class Unit>
class Dovetail {
 public:
  Dovetail(Repack<Unit>& repack, PeriodRows<Unit>& rows, std::uint64_t seed)
      : repack_(&repack), rows_(&rows), kernels_(&best_kernels<std::int16_t>()), random_(seed), bundle_row_(rows.width()) {}

  /// The nodes it works on.
  [[nodiscard]] std::vector<NodeId>& nodes() { return nodes_; }

  /// Whether it moves replicas of the app at all.
  [[nodiscard]] bool moves(AppId app) const {
    const TagModel& rules = repack_->instance().tag_model();
    return rules.empty() || (rules.subject_of(app).empty() && rules.target_of(app).empty() && rules.choices_of(app).empty());
  }

  /// Places waiting replicas of these apps, in this order, where the nodes together lose least by it.
  void start(Run& run, const std::vector<AppId>& order) {
    if (!load(run)) return;
    std::vector<std::uint32_t> rank(repack_->instance().apps(), kNone);
    for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
    std::vector<std::uint32_t> items;
    std::vector<double> rank_of(items_.size());
    for (const std::uint32_t item : waiting_) {
      rank_of[item] = rank[app_of(item)];
      if (rank[app_of(item)] != kNone) items.push_back(item);
    }
    sort_by(items, rank_of);
    fill(run, items);
    if (!run.is_moot()) store();
  }

  /// Begins a stretch of so many steps, or one that is less hot at first.
  void begin(std::uint64_t steps, bool reheated) {
    begin_ = steps_;
    end_ = steps_ + std::max(steps, kBatch);
    pause_ = steps_ + static_cast<std::uint64_t>(static_cast<double>(steps) * kPause);
    reheated_ = reheated;
    cold_seconds_ = 0;
    cold_steps_ = 0;
  }
  /// Seconds that a unit of work took when the last stretch, now at its end, was cold: hot ones exchange more, and are slower.
  [[nodiscard]] double seconds_per_work() const {
    return cold_seconds_ / static_cast<double>(std::max(cold_steps_, kBatch) * kStepWork);
  }
  /// Whether a stretch has not come to its end.
  [[nodiscard]] bool under_way() const { return steps_ < end_; }

  /// Goes on with the stretch until what waits needs at most `enough` of a node, its end, or the run's; and to where it can be
  /// told what will still wait at its end: once, for whoever has further nodes. The placement learns of it where less waits
  /// than before. False where there is nothing to exchange, or the run ended before anything was.
  bool anneal(Run& run, double enough) {
    if (!load(run)) return false;
    const double before = waiting();
    std::vector<std::uint32_t> largest_first = waiting_;
    std::vector<double> most(items_.size());
    for (const std::uint32_t item : waiting_) most[item] = rows_->most(app_of(item));
    sort_by_largest(largest_first, most);
    fill(run, largest_first);
    const std::uint64_t until = steps_ < pause_ ? pause_ : end_;
    if (nodes_.size() < 2 || items_.empty()) {
      store();
      return false;
    }
    bool stopped = run.stop() != Stop::kNo;
    bool placed = waiting() < before && waiting() <= enough;
    const Run::Clock::time_point start = Run::Clock::now();
    const std::uint64_t first = steps_;
    while (steps_ < until && !stopped && !placed) {
      set_temperature();
      const std::size_t waited = waiting_.size();
      for (std::uint32_t k = 0; k < kBatch; ++k) step();
      steps_ += kBatch;
      stopped = run.step(kBatch * kStepWork);
      placed = waiting_.size() < waited && waiting() <= enough;
    }
    if (first >= pause_) {
      cold_seconds_ += std::chrono::duration<double>(Run::Clock::now() - start).count();
      cold_steps_ += steps_ - first;
    }
    if (waiting() < before && !run.is_moot()) store();
    return true;
  }
  /// A step takes as long as a start needs to visit so many nodes.
  static constexpr std::uint64_t kStepWork = 16;

 private:
  static constexpr std::int32_t kFull = PeriodRows<Unit>::kFull;
  static constexpr std::uint64_t kBatch = 64;  // steps between two looks at the run
  static constexpr double kPause = 0.7;        // of a stretch
  static constexpr std::uint32_t kStartLooks = 48;
  // What it costs to begin, in work: a node, or four items; and limits between apps that are one unit.
  static constexpr std::uint64_t kLoadWork = 8;
  static constexpr std::uint32_t kMarksPerWork = 32;

  // Of 16 steps, those that offer a large replica for several. Of 16 others, those whose replica is one of a node that loses
  // much, the worst of so many drawn; those whose partners have about the demand of the first; those without partners.
  static constexpr std::uint32_t kSeveral = 5;
  static constexpr std::uint32_t kFocused = 12;
  static constexpr std::uint32_t kRivals = 8;
  static constexpr std::uint32_t kAlike = 15;
  static constexpr std::uint32_t kOneWay = 1;
  static constexpr std::uint32_t kFarthest = 13;             // alike: by up to 2^13 ranks
  static constexpr std::int16_t kLarge = kFull * 3 / 32;     // worth several others
  static constexpr std::int32_t kBundleShort = kFull / 128;  // several may have so much less than the one
  static constexpr std::int32_t kBundleOver = kFull / 64;

  // In units of a row.
  static constexpr double kHottest = kFull / 400.0 * kWorth;
  static constexpr double kHalvings = 4;    // of the temperature, in a stretch
  static constexpr double kReheated = 1.5;  // with so many halvings a reheated stretch begins
  static constexpr std::int32_t kGatherHot = static_cast<std::int32_t>(2.5 / kFull * kGatherUnit);
  static constexpr std::int32_t kGatherCold = static_cast<std::int32_t>(13.0 / kFull * kGatherUnit);
  // Periods that are looked up for all partners: those that are tightest for the cluster. Their number fits a byte.
  static constexpr std::size_t kMostLanes = 128;
  static constexpr std::size_t kMostColumns = 32 << 20;

  /// A replica that may move. Items are numbered by ascending demand in the scarcest period.
  struct Item {
    const std::int16_t* demand;
    std::uint32_t member;
    std::uint32_t slot;  // of the node it is on; kNone: waits
  };
  /// What is on a node.
  struct Guest {
    std::uint32_t member;
    std::uint32_t item;  // kNone: it may not leave
  };
  /// Of partners, as Kernels::may_exchange reads it: what is free then, and what their node is worth now. Whole blocks.
  struct View {
    std::vector<std::int32_t> free;
    std::vector<std::int32_t> worth;
    void reset(std::size_t size) {
      free.assign(size, kNever);
      worth.assign(size, 0);
    }
  };
  static constexpr std::int32_t kNever = -256;

  [[nodiscard]] std::int16_t* row_of(std::uint32_t slot) { return free_.data() + std::size_t{slot} * rows_->width(); }
  [[nodiscard]] const std::int16_t* demand_of(std::uint32_t item) const { return items_[item].demand; }
  [[nodiscard]] std::int32_t worth(std::int32_t low) const { return worth_of_free(low, gather_); }

  // A minimum below which a node that reaches `most` at best is worth less than this: worth is convex, so it lies below the
  // chord from 0 to `most`.
  [[nodiscard]] std::int16_t least_low(std::int32_t wanted, std::int32_t most) const {
    if (wanted <= 0) return 0;
    const double chord = kWorth + static_cast<double>(gather_) * most * kWorth / kGatherUnit;
    return static_cast<std::int16_t>(std::min<double>(most, wanted / chord));
  }

  // Between stretches, the placement holds what is where. False where the run ended meanwhile: then nothing may be done.
  bool load(Run& run) {
    const Placement<Unit>& placement = repack_->placement();
    const std::size_t slots = nodes_.size();
    at_.assign(slots, {});
    changed_.assign(slots, 0);
    free_.resize(slots * rows_->width());
    low_.resize(slots);
    when_.resize(slots);
    lost_.resize(slots);
    member_.assign(repack_->instance().apps(), kNone);
    app_.clear();
    items_.clear();
    may_use_ = placement.may_still_use();
    const auto member_of = [&](AppId app) {
      if (member_[app] == kNone) {
        member_[app] = static_cast<std::uint32_t>(app_.size());
        app_.push_back(app);
      }
      return member_[app];
    };
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const NodeId node = nodes_[slot];
      if (run.step(kLoadWork)) return false;
      rows_->read_free(placement, node, row_of(slot));
      low_[slot] = kernels_->minimum(row_of(slot), rows_->lanes());
      for (const Tenant& tenant : placement.contents().at(node)) {
        const bool tied =
            low_[slot] == PeriodRows<Unit>::kTooFull || !moves(tenant.app) || !repack_->free_to_leave(tenant.app, node);
        for (std::uint32_t k = 0; k < tenant.replicas; ++k) {
          if (tied) {
            at_[slot].push_back({member_of(tenant.app), kNone});
          } else {
            items_.push_back({rows_->demand(tenant.app), member_of(tenant.app), slot});
          }
        }
      }
    }
    for (const AppId app : repack_->pool()) {
      if (!moves(app)) continue;
      items_.insert(items_.end(), placement.unplaced(app), {rows_->demand(app), member_of(app), kNone});
    }
    sort_items();
    waiting_.clear();
    waiting_demand_.assign(rows_->lanes(), 0);
    large_.clear();
    for (std::uint32_t item = 0; item < items_.size(); ++item) {
      if (rows_->most(app_of(item)) >= kLarge) large_.push_back(item);
      if (items_[item].slot == kNone) {
        waiting_.push_back(item);
        add_waiting(item, 1);
      } else {
        at_[items_[item].slot].push_back({items_[item].member, item});
      }
    }
    if (!mark_limits(run) || !make_columns(run)) return false;
    item_view_.reset(stride_);
    slot_view_.reset(nodes_.size() + kBlock);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      if (run.step(1)) return false;
      settle(slot);
      describe(slot);
    }
    return true;
  }
  // By counting: there are hundreds of thousands of items, and few demands.
  void sort_items() {
    std::vector<std::uint32_t> first(kFull + 3, 0);
    for (const Item& item : items_) ++first[static_cast<std::size_t>(item.demand[0]) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    sorted_.resize(items_.size());
    for (const Item& item : items_) sorted_[first[static_cast<std::size_t>(item.demand[0])]++] = item;
    items_.swap(sorted_);
  }
  // Demand by period, item after item.
  bool make_columns(Run& run) {
    stride_ = items_.size() + kBlock;
    const std::size_t most = std::max<std::size_t>(kMostColumns / stride_ / PeriodRows<Unit>::kChunk, 1);
    lanes_seen_ = std::min({rows_->lanes(), std::size_t{kMostLanes}, most * PeriodRows<Unit>::kChunk});
    columns_.assign(lanes_seen_ * stride_, 0);
    for (std::size_t first = 0; first < items_.size(); first += kBlock) {
      const std::size_t end = std::min<std::size_t>(first + kBlock, items_.size());
      if (run.step(kLoadWork * kBlock / 4)) return false;
      for (std::size_t t = 0; t < lanes_seen_; ++t) {
        for (std::size_t item = first; item < end; ++item) columns_[t * stride_ + item] = items_[item].demand[t];
      }
    }
    return true;
  }
  // Which of the apps here limit each other: few enough bits to stay near the processor.
  bool mark_limits(Run& run) {
    constexpr std::size_t kMostMembers = 20000;
    words_ = (app_.size() + 63) / 64;
    marks_.clear();
    if (app_.size() > kMostMembers) return true;
    marks_.assign(app_.size() * words_, 0);
    const LimitRows& limits = repack_->instance().limit_rows();
    for (std::size_t m = 0; m < app_.size(); ++m) {
      if (run.step(1 + limits.degree(app_[m]) / kMarksPerWork)) return false;
      for (std::uint32_t k = 0; k < limits.degree(app_[m]); ++k) {
        const std::uint32_t other = member_[limits.neighbour(app_[m], k).app];
        if (other != kNone) marks_[m * words_ + other / 64] |= std::uint64_t{1} << (other % 64);
      }
    }
    return true;
  }
  [[nodiscard]] AppId app_of(std::uint32_t item) const { return app_[items_[item].member]; }

  void store() {
    Placement<Unit>& placement = repack_->placement();
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
    repack_->collect_pool();
  }

  void settle(std::uint32_t slot) {
    const std::int16_t* row = row_of(slot);
    low_[slot] = kernels_->minimum(row, rows_->lanes());
    lost_[slot] = static_cast<std::int16_t>(row[0] - low_[slot]);
    const std::int16_t seen = lanes_seen_ == rows_->lanes() ? low_[slot] : kernels_->minimum(row, lanes_seen_);
    std::uint32_t t = 0;
    while (row[t] != seen) ++t;
    when_[slot] = t;
  }
  // What partners of the node offer.
  void describe(std::uint32_t slot) {
    const std::uint32_t when = when_[slot];
    const std::int32_t free = row_of(slot)[when];
    const auto view = [&](View& of, std::uint32_t k, std::int32_t left) {
      of.free[k] = low_[slot] < 0 ? kNever : left * 256 + static_cast<std::int32_t>(when);
      of.worth[k] = worth(low_[slot]);
    };
    view(slot_view_, slot, free);
    for (const Guest& guest : at_[slot]) {
      if (guest.item != kNone) view(item_view_, guest.item, free + demand_of(guest.item)[when]);
    }
  }
  // Whether something may go there as far as the number of nodes in use is concerned.
  [[nodiscard]] bool may_enter(std::uint32_t slot) const {
    return may_use_ > 0 || !at_[slot].empty() || repack_->placement().loaded(nodes_[slot]);
  }
  void join(std::uint32_t item, std::uint32_t slot) {
    if (at_[slot].empty() && !repack_->placement().loaded(nodes_[slot])) --may_use_;
    items_[item].slot = slot;
    at_[slot].push_back({items_[item].member, item});
  }
  void leave(std::uint32_t item) {
    std::vector<Guest>& guests = at_[items_[item].slot];
    *std::find_if(guests.begin(), guests.end(), [&](const Guest& guest) { return guest.item == item; }) = guests.back();
    guests.pop_back();
    if (guests.empty() && !repack_->placement().loaded(nodes_[items_[item].slot])) ++may_use_;
  }

  // By the share of the stretch that is done.
  void set_temperature() {
    const double done = static_cast<double>(steps_ - begin_) / static_cast<double>(end_ - begin_);
    const double first = reheated_ ? kReheated : 0;
    const double halvings = first + done * (kHalvings - first);
    const auto whole = static_cast<std::uint32_t>(halvings);
    temperature_ = kHottest / (1u << whole) * (1 - (halvings - whole) / 2);
    const std::int32_t gather = kGatherHot + static_cast<std::int32_t>(done * (kGatherCold - kGatherHot));
    if (gather == gather_) return;
    gather_ = gather;
    for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) describe(slot);
  }
  [[nodiscard]] double waiting() const {
    return static_cast<double>(*std::max_element(waiting_demand_.begin(), waiting_demand_.end())) / kFull;
  }

  [[nodiscard]] std::uint32_t random_slot() { return random_.below(static_cast<std::uint32_t>(nodes_.size())); }
  [[nodiscard]] std::uint32_t random_item() { return random_.below(static_cast<std::uint32_t>(items_.size())); }

  void step() {
    if (random_.below(16) < kSeveral) {
      exchange_for_several();
      return;
    }
    const std::uint32_t x = draw_first();
    if (x == kNone || items_[x].slot == kNone) return;
    const std::uint32_t a = items_[x].slot;
    if (low_[a] < 0) return;
    const std::int16_t* demand = demand_of(x);
    const std::int32_t least = worth(low_[a]) - draw_luck();
    const std::size_t periods = lanes_seen_ / PeriodRows<Unit>::kChunk;
    for (std::size_t t = 0; t < lanes_seen_; ++t) leaving_[t] = demand[t];
    kernels_->tightest(row_of(a), demand, lanes_seen_, tight_.data());
    for (std::size_t k = 0; k < periods; ++k) periods_[k].free = static_cast<std::int16_t>(tight_[k] >> 8);
    if (random_.below(16) < kOneWay) {
      const std::uint32_t first = random_.below(most_first(nodes_.size()) + 1);
      for (std::size_t k = 0; k < periods; ++k) periods_[k].arriving = nothing_.data();
      const auto passes = [&](std::uint32_t slot) {
        return exchange(a, {&x, 1}, demand, slot, {}, rows_->nothing(), least + slot_view_.worth[slot]);
      };
      try_block(slot_view_, periods, least, first, passes);
    } else {
      const std::uint32_t first = draw_block(x);
      for (std::size_t k = 0; k < periods; ++k) {
        periods_[k].arriving = columns_.data() + static_cast<std::size_t>(tight_[k] & 255) * stride_ + first;
      }
      const auto passes = [&](std::uint32_t y) {
        return items_[y].member != items_[x].member &&
               exchange(a, {&x, 1}, demand, items_[y].slot, {&y, 1}, demand_of(y), least + item_view_.worth[y]);
      };
      try_block(item_view_, periods, least, first, passes);
    }
  }
  /// Offers an exchange to the candidates of a block that pass by the periods that are looked up.
  template <class Passes>
  void try_block(const View& view, std::size_t periods, std::int32_t least, std::uint32_t first, Passes&& passes) {
    std::uint64_t mask = kernels_->may_exchange(periods_.data(), periods, view.free.data() + first, view.worth.data() + first,
                                                leaving_.data(), least, gather_);
    for (; mask != 0; mask &= mask - 1) {
      if (passes(first + static_cast<std::uint32_t>(std::countr_zero(mask)))) return;
    }
  }
  [[nodiscard]] static std::uint32_t most_first(std::size_t size) {
    return size > kBlock ? static_cast<std::uint32_t>(size - kBlock) : 0;
  }
  [[nodiscard]] std::uint32_t draw_first() {
    if (random_.below(16) >= kFocused) return random_item();
    std::uint32_t slot = random_slot();
    for (std::uint32_t k = 1; k < kRivals; ++k) {
      const std::uint32_t rival = random_slot();
      if (lost_[rival] > lost_[slot]) slot = rival;
    }
    const std::vector<Guest>& guests = at_[slot];
    return guests.empty() ? kNone : guests[random_.below(static_cast<std::uint32_t>(guests.size()))].item;
  }
  // Mostly alike: log-uniform in the distance from x.
  [[nodiscard]] std::uint32_t draw_block(std::uint32_t x) {
    const std::uint32_t last = most_first(items_.size());
    if (random_.below(16) >= kAlike) return random_.below(last + 1);
    const std::uint32_t scale = random_.below(kFarthest);
    const std::uint32_t distance = (1u << scale) + random_.below(1u << scale);
    if (random_.below(2) == 0) return std::min(x + distance, last);
    return std::min(x > distance + kBlock ? x - distance - kBlock : 0, last);
  }
  [[nodiscard]] std::int32_t draw_luck() { return static_cast<std::int32_t>(-temperature_ * log_.draw(random_)); }

  void exchange_for_several() {
    if (large_.empty()) return;
    const std::uint32_t x = large_[random_.below(static_cast<std::uint32_t>(large_.size()))];
    const std::uint32_t a = items_[x].slot;
    const std::uint32_t b = random_slot();
    if (a == kNone || a == b) return;
    const std::int32_t wanted = demand_of(x)[0];
    std::int32_t sum = 0;
    bundle_.clear();
    std::fill(bundle_row_.begin(), bundle_row_.end(), std::int16_t{0});
    candidates_ = at_[b];
    for (std::size_t left = candidates_.size(); left > 0 && sum <= wanted - kBundleShort; --left) {
      const std::uint32_t k = random_.below(static_cast<std::uint32_t>(left));
      const std::uint32_t item = candidates_[k].item;
      candidates_[k] = candidates_[left - 1];
      if (item == kNone) continue;
      const std::int32_t demand = demand_of(item)[0];
      if (sum + demand > wanted + kBundleOver) continue;
      sum += demand;
      bundle_.push_back(item);
      kernels_->subtract(bundle_row_.data(), demand_of(item), -1, rows_->width());
    }
    if (bundle_.empty()) return;
    exchange(a, {&x, 1}, demand_of(x), b, bundle_, bundle_row_.data(), worth(low_[a]) + worth(low_[b]) - draw_luck());
  }

  // Exchanges items of one node for items of another, where the nodes are worth so much at least then. Rows: what the items
  // demand together.
  bool exchange(std::uint32_t a, std::span<const std::uint32_t> from_a, const std::int16_t* row_from_a, std::uint32_t b,
                std::span<const std::uint32_t> from_b, const std::int16_t* row_from_b, std::int32_t wanted) {
    if (a == b || low_[a] < 0 || low_[b] < 0 || !may_enter(b)) return false;
    std::int16_t* const row_a = row_of(a);
    std::int16_t* const row_b = row_of(b);
    const std::int32_t most_a = row_a[when_[a]] + row_from_a[when_[a]] - row_from_b[when_[a]];
    const std::int32_t most_b = row_b[when_[b]] + row_from_b[when_[b]] - row_from_a[when_[b]];
    if (most_a < 0 || most_b < 0) return false;
    const std::int32_t best_a = worth(most_a);
    if (best_a + worth(most_b) < wanted) return false;
    // Of the one that offers, more has been looked up: it is the other that fails.
    const std::size_t lanes = rows_->lanes();
    const std::int16_t least_b = least_low(wanted - best_a, most_b);
    const std::int16_t low_b = kernels_->exchange_minimum(row_b, row_from_b, row_from_a, least_b, lanes);
    if (low_b < least_b) return false;
    const std::int16_t least_a = least_low(wanted - worth(low_b), most_a);
    const std::int16_t low_a = kernels_->exchange_minimum(row_a, row_from_a, row_from_b, least_a, lanes);
    if (low_a < least_a || worth(low_a) + worth(low_b) < wanted) return false;
    const std::size_t others = rows_->width() - lanes;
    if (others > 0 && (kernels_->exchange_minimum(row_a + lanes, row_from_a + lanes, row_from_b + lanes, 0, others) < 0 ||
                       kernels_->exchange_minimum(row_b + lanes, row_from_b + lanes, row_from_a + lanes, 0, others) < 0)) {
      return false;
    }
    if (!admits(from_b, a, from_a) || !admits(from_a, b, from_b)) return false;
    apply(a, from_a, row_from_a, b, from_b, row_from_b);
    return true;
  }
  void apply(std::uint32_t a, std::span<const std::uint32_t> from_a, const std::int16_t* row_from_a, std::uint32_t b,
             std::span<const std::uint32_t> from_b, const std::int16_t* row_from_b) {
    std::int16_t* const row_a = row_of(a);
    std::int16_t* const row_b = row_of(b);
    const std::size_t width = rows_->width();
    kernels_->subtract(row_a, row_from_b, 1, width);
    kernels_->subtract(row_a, row_from_a, -1, width);
    kernels_->subtract(row_b, row_from_a, 1, width);
    kernels_->subtract(row_b, row_from_b, -1, width);
    for (const std::uint32_t item : from_a) leave(item);
    for (const std::uint32_t item : from_b) leave(item);
    for (const std::uint32_t item : from_a) join(item, b);
    for (const std::uint32_t item : from_b) join(item, a);
    changed_[a] = changed_[b] = 1;
    for (const std::uint32_t slot : {a, b}) {
      settle(slot);
      insert_waiting(slot);
      describe(slot);
    }
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
  // Codes of the limits between two apps here (LimitRows), 0 where there are none.
  [[nodiscard]] std::uint32_t limits_between(std::uint32_t member, std::uint32_t other) const {
    const bool may_be = marks_.empty() || (marks_[member * words_ + other / 64] >> (other % 64) & 1) != 0;
    return may_be ? repack_->instance().limit_rows().find(app_[member], app_[other]) : 0;
  }
  // Whether affinity and self limits let these items onto the node once the others have left it. The arriving ones come from
  // one node, or there is but one.
  [[nodiscard]] bool admits(std::span<const std::uint32_t> arriving, std::uint32_t slot,
                            std::span<const std::uint32_t> leaving) const {
    const LimitRows& limits = repack_->instance().limit_rows();
    for (std::size_t k = 0; k < arriving.size(); ++k) {
      const std::uint32_t member = items_[arriving[k]].member;
      if (count(arriving.first(k), member) > 0) continue;
      const std::uint32_t own = count(arriving, member) + count_at(slot, member) - count(leaving, member);
      if (own > limits.self_limit(app_[member])) return false;
      for (const Guest& guest : at_[slot]) {
        if (guest.member == member) continue;
        const std::uint32_t codes = limits_between(member, guest.member);
        if (codes == 0) continue;
        const std::uint32_t stay = count_at(slot, guest.member) - count(leaving, guest.member);
        if (stay == 0) continue;
        if (stay + count(arriving, guest.member) > limits.imposes(codes) || own > limits.obeys(codes)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool fits(std::uint32_t item, std::uint32_t slot) {
    const std::int16_t* demand = demand_of(item);
    const std::int16_t* row = row_of(slot);
    if (low_[slot] < rows_->least(app_of(item)) || row[when_[slot]] < demand[when_[slot]] || !may_enter(slot)) return false;
    return kernels_->exchange_minimum(row, rows_->nothing(), demand, 0, rows_->width()) >= 0;
  }
  void add_waiting(std::uint32_t item, int times) {
    const std::int16_t* demand = demand_of(item);
    for (std::size_t t = 0; t < rows_->lanes(); ++t) waiting_demand_[t] += times * demand[t];
  }
  // Places what waits.
  void put(std::uint32_t item, std::uint32_t slot) {
    add_waiting(item, -1);
    kernels_->subtract(row_of(slot), demand_of(item), 1, rows_->width());
    join(item, slot);
    settle(slot);
    changed_[slot] = 1;
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
      if (run.step(kStartLooks)) break;
    }
    std::erase_if(waiting_, [&](std::uint32_t item) { return items_[item].slot != kNone; });
  }
  bool place_at_least_loss(std::uint32_t item) {
    std::uint32_t best = kNone;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    const auto look = [&](std::uint32_t slot) {
      const std::int16_t* demand = demand_of(item);
      const std::int16_t* row = row_of(slot);
      if (low_[slot] < rows_->least(app_of(item)) || row[when_[slot]] < demand[when_[slot]]) return;
      const std::int32_t low = kernels_->exchange_minimum(row, rows_->nothing(), demand, 0, rows_->lanes());
      // Of nodes that lose the same, the fullest.
      const std::int32_t loss = (low_[slot] - low - demand[0]) * 4 + low / 128;
      if (low < 0 || loss >= least || !fits(item, slot) || !admits({&item, 1}, slot, {})) return;
      best = slot;
      least = loss;
    };
    if (nodes_.empty()) return false;
    for (std::uint32_t k = 0; k < kStartLooks; ++k) look(random_slot());
    for (std::uint32_t slot = 0; slot < nodes_.size() && best == kNone; ++slot) look(slot);
    if (best == kNone) return false;
    put(item, best);
    describe(best);
    return true;
  }

  Repack<Unit>* repack_;
  PeriodRows<Unit>* rows_;
  const Kernels<std::int16_t>* kernels_;
  Random random_;
  LogTable log_;
  std::vector<NodeId> nodes_;          // a node's place here is its slot
  std::vector<AppId> app_;             // the apps here: members
  std::vector<std::uint32_t> member_;  // per app, or kNone
  std::size_t words_ = 0;              // of marks_ per member
  std::vector<std::uint64_t> marks_;   // per member, one bit per other: limits may be between them; empty: not kept
  std::vector<Item> items_;
  std::vector<Item> sorted_;                  // of sort_items()
  std::vector<std::uint32_t> large_;          // items
  std::vector<std::uint32_t> waiting_;        // items
  std::vector<std::int64_t> waiting_demand_;  // of all of them, per lane of the scarcest resource
  std::uint32_t may_use_ = 0;                 // nodes that are not in use yet and may be
  std::vector<std::vector<Guest>> at_;        // per slot
  std::vector<std::uint8_t> changed_;         // per slot
  std::vector<std::int16_t> free_;            // per slot: a row
  std::vector<std::int16_t> low_;             // per slot: smallest lane of the scarcest resource
  std::vector<std::uint32_t> when_;           // and which lane that is
  // per slot: what it loses in dips, as seen in the period in which the cluster is fullest
  std::vector<std::int16_t> lost_;
  std::uint64_t steps_ = 0;
  std::uint64_t begin_ = 0;  // of the stretch
  std::uint64_t end_ = 0;
  std::uint64_t pause_ = 0;
  bool reheated_ = false;
  double cold_seconds_ = 0;  // since the pause
  std::uint64_t cold_steps_ = 0;
  double temperature_ = 0;
  std::int32_t gather_ = kGatherHot;
  std::size_t lanes_seen_ = 0;  // of each row
  std::size_t stride_ = 0;
  std::vector<std::int16_t> columns_;  // per lane: the demand of all items, and a block of zeros
  View item_view_;
  View slot_view_;
  std::array<std::int32_t, kMostLanes> leaving_{};  // demand of the step's replica
  std::array<std::int32_t, kMostLanes / PeriodRows<Unit>::kChunk> tight_{};
  std::array<TightPeriod<std::int16_t>, kMostLanes / PeriodRows<Unit>::kChunk> periods_{};
  std::array<std::int16_t, kBlock> nothing_{};
  std::vector<Guest> candidates_;
  std::vector<std::uint32_t> bundle_;
  std::vector<std::int16_t> bundle_row_;
};

}  // namespace stowage
