// Improvement with demand that changes over time: annealing by exchanges between two nodes, the best of all that the pair has.
//
// A node is full when its free capacity is used up in one period; what is free in the others is lost unless small items fill
// the dips. So the energy watches the free capacity b of the scarcest resource at its minimum over time, in shares: the sum
// over nodes of b + kGather b^2 is to grow. Its first term rewards replicas whose peaks do not coincide, the second gathers
// free space until waiting replicas fit in.
//
// A step takes two nodes - mostly such where much is lost in dips, drawn by how many varying replicas they hold - and looks at
// every exchange of a replica (or nothing) of one against a replica (or nothing) of the other. What an exchange can gain at
// most is known from the periods in which the two nodes are fullest now: a sum of one number per replica. So the candidates
// come sorted, and few are checked over all periods. The exchange is drawn as from a heat bath, "none" included; the
// temperature falls with the work done, so that a run can be cut off anywhere and replayed by its work.
//
// Rows of 16-bit integers hold demand (rounded up) and free capacity (rounded down) per period, the tightest periods first.
// O(tenants^2 + checked d) per step.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "core/improve/pressure.h"
#include "core/improve/repack.h"
#include "core/run.h"
#include "core/simd/kernels.h"

namespace stowage {

template <class Unit>
class Anneal {
 public:
  Anneal(Repack<Unit>& repack, std::uint64_t seed) : repack_(&repack), kernels_(&best_kernels<std::int16_t>()), random_(seed) {
    const Instance& instance = repack.instance();
    periods_ = instance.periods();
    lanes_ = (periods_ + kChunk - 1) / kChunk * kChunk;
    order_resources();
    order_lanes();
    nothing_.assign(lanes_ * resources_.size(), 0);
    read_demand();
    for (NodeId node = 0; node < repack.placement().nodes(); ++node) add_node();
    for (const NodeId node : repack.nodes()) read(node);
    for (const NodeId node : repack.nodes()) insert(node);
  }

  /// Goes on until what waits needs at most `enough` of a node (true), the run ends, or `patience` steps in a row placed
  /// nothing.
  bool run(Run& run, double enough, std::uint64_t patience) {
    std::uint64_t idle = 0;
    while (waiting() > enough) {
      if (idle >= patience || repack_->nodes().size() < 2) return false;
      set_temperature();
      std::uint64_t units = 0;
      for (std::uint32_t k = 0; k < kBatch; ++k) {
        ++steps_;
        units += kStepWork;
        if (step()) idle = 0;
      }
      idle += kBatch;
      if (run.step(units)) return false;
    }
    return true;
  }

  /// Share of a node that the waiting replicas need in the period in which they need most.
  [[nodiscard]] double waiting() const {
    if (repack_->pool().empty()) return 0;
    std::vector<std::int64_t> sum(lanes_, 0);
    for (const AppId app : repack_->pool()) {
      const std::int16_t* demand = demand_of(app);
      for (std::size_t t = 0; t < lanes_; ++t) sum[t] += std::int64_t{demand[t]} * repack_->placement().unplaced(app);
    }
    return static_cast<double>(*std::max_element(sum.begin(), sum.end())) / kFull;
  }
  /// Free share of the scarcest resource at its minimum over time.
  [[nodiscard]] double free_share(NodeId node) const { return static_cast<double>(low_[node]) / kFull; }

  /// A node has left play.
  void forget(NodeId node) { read(node); }
  /// A node has changed or come into play.
  void look_again(NodeId node) {
    while (node >= low_.size()) add_node();
    read(node);
    insert(node);
  }

 private:
  static constexpr std::size_t kChunk = 32;
  static constexpr std::int32_t kFull = 32000;    // a full node in 16-bit units: leaves room to subtract a demand
  static constexpr std::int64_t kMostOver = 700;  // a node may hold so much more than it has: less a demand still fits 16 bits
  static constexpr std::int16_t kTooFull = std::numeric_limits<std::int16_t>::min();
  static constexpr double kGather = 25;
  static constexpr double kHottest = 8e-4;
  static constexpr std::uint32_t kBatch = 64;
  static constexpr std::uint64_t kStepWork = 400;  // in the time of which a start visits so many nodes
  static constexpr std::uint32_t kUniform = 8;     // one pair in so many is drawn from all nodes alike

  struct Item {
    AppId app;  // kNone: nothing
    const std::int16_t* demand;
    std::int32_t at_own;    // demand in the period in which its node is fullest
    std::int32_t at_other;  // ... in which the other node is
    std::int32_t gain;      // what both nodes together gain in those periods by its change of place
  };

  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

  void order_resources() {
    const std::vector<double> pressure = resource_pressure(repack_->instance());
    for (ResourceId r = 0; r < pressure.size(); ++r) resources_.push_back(r);
    std::stable_sort(resources_.begin(), resources_.end(),
                     [&](ResourceId a, ResourceId b) { return pressure[a] > pressure[b]; });
    for (const ResourceId r : resources_) full_.push_back(std::max(1, repack_->instance().scale(r).largest_capacity()));
  }
  // Periods by falling total demand of the scarcest resource; the lanes beyond repeat the first.
  void order_lanes() {
    const auto total = repack_->instance().total_demand().subspan(std::size_t{resources_[0]} * periods_, periods_);
    for (std::uint32_t t = 0; t < periods_; ++t) period_.push_back(t);
    std::stable_sort(period_.begin(), period_.end(), [&](std::uint32_t a, std::uint32_t b) { return total[a] > total[b]; });
    period_.resize(lanes_, period_[0]);
  }
  // Apps with the same demand share a row.
  void read_demand() {
    const Instance& instance = repack_->instance();
    std::map<std::vector<std::int16_t>, std::uint32_t> known;
    std::vector<std::int16_t> row(lanes_ * resources_.size());
    for (AppId app = 0; app < instance.apps(); ++app) {
      const auto demand = instance.scaled_demand<Unit>(app);
      for (std::size_t k = 0; k < resources_.size(); ++k) {
        for (std::size_t t = 0; t < lanes_; ++t) {
          const std::int64_t units = demand[resources_[k] * periods_ + period_[t]];
          row[k * lanes_ + t] =
              static_cast<std::int16_t>(std::min<std::int64_t>(kFull + 1, (units * kFull + full_[k] - 1) / full_[k]));
        }
      }
      const auto [at, fresh] = known.try_emplace(row, static_cast<std::uint32_t>(known.size()));
      if (fresh) {
        demand_.insert(demand_.end(), row.begin(), row.end());
        const auto [least, most] = std::minmax_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(lanes_));
        least_.push_back(*least);
        varies_.push_back(*least != *most ? 1 : 0);
      }
      profile_.push_back(at->second);
    }
  }

  void add_node() {
    free_.resize(free_.size() + lanes_ * resources_.size(), 0);
    low_.push_back(0);
    when_.push_back(0);
    varying_here_.push_back(0);
  }
  [[nodiscard]] std::int16_t* row_of(NodeId node) { return free_.data() + std::size_t{node} * lanes_ * resources_.size(); }
  [[nodiscard]] const std::int16_t* demand_of(AppId app) const {
    return demand_.data() + std::size_t{profile_[app]} * lanes_ * resources_.size();
  }
  [[nodiscard]] static double energy(std::int32_t low) {
    const double free = low * (1.0 / kFull);
    return free + kGather * free * free;
  }

  // A minimum below which a node that reaches `most` at best has less than this energy: energy is convex, so it lies below the
  // chord from 0 to `most`.
  [[nodiscard]] static std::int16_t least_low(double wanted, std::int32_t most) {
    if (wanted <= 0) return 0;
    return static_cast<std::int16_t>(std::min<double>(most, wanted * kFull / (1 + kGather * most * (1.0 / kFull))));
  }

  // What the node has free. One that holds so much more than it has that sums in 16 bits would wrap is left alone: kTooFull
  // stands in all its lanes.
  void read(NodeId node) {
    const Instance& instance = repack_->instance();
    const Placement<Unit>& placement = repack_->placement();
    const auto capacity = instance.scaled_capacity(placement.class_of(node));
    const auto load = node < instance.listed_nodes() ? instance.scaled_load(node) : std::span<const std::int32_t>{};
    const std::size_t width = lanes_ * resources_.size();
    sums_.resize(width);
    for (std::size_t k = 0; k < resources_.size(); ++k) {
      const ResourceId r = resources_[k];
      for (std::size_t t = 0; t < lanes_; ++t) {
        const std::uint32_t h = r * periods_ + period_[t];
        const std::int64_t left = std::int64_t{capacity[r]} - (load.empty() ? 0 : load[h]);
        sums_[k * lanes_ + t] = floor_divide(left * kFull, full_[k]);
      }
    }
    varying_here_[node] = 0;
    for (const Tenant& tenant : placement.contents().at(node)) {
      const std::int16_t* demand = demand_of(tenant.app);
      for (std::size_t h = 0; h < width; ++h) sums_[h] -= std::int64_t{demand[h]} * tenant.replicas;
      varying_here_[node] += varies_[profile_[tenant.app]] * tenant.replicas;
    }
    most_varying_ = std::max(most_varying_, varying_here_[node]);
    const bool too_full = *std::min_element(sums_.begin(), sums_.end()) < -kMostOver;
    std::int16_t* row = row_of(node);
    for (std::size_t h = 0; h < width; ++h) row[h] = too_full ? kTooFull : static_cast<std::int16_t>(sums_[h]);
    settle(node);
  }
  void change(AppId app, NodeId node, std::int16_t replicas) {
    kernels_->subtract(row_of(node), demand_of(app), replicas, lanes_ * resources_.size());
    varying_here_[node] =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(varying_here_[node]) + replicas * varies_[profile_[app]]);
    most_varying_ = std::max(most_varying_, varying_here_[node]);
  }
  void settle(NodeId node) {
    const std::int16_t* row = row_of(node);
    low_[node] = kernels_->minimum(row, lanes_);
    std::uint32_t t = 0;
    while (row[t] != low_[node]) ++t;
    when_[node] = t;
  }

  // With the square root of the work: hot enough to rearrange a start, never so hot that a long run forgets.
  void set_temperature() {
    const double sweeps = static_cast<double>(steps_) / (4.0 * static_cast<double>(repack_->nodes().size() + 1));
    temperature_ = kHottest / std::sqrt(1 + sweeps);
  }

  bool insert(NodeId node) {
    if (low_[node] == kTooFull) return false;
    const std::size_t others = lanes_ * (resources_.size() - 1);
    return repack_->insert(
        node, random_,
        [&](AppId app) {
          if (low_[node] < least_[profile_[app]]) return false;
          const std::int16_t* demand = demand_of(app);
          const std::int16_t* row = row_of(node);
          return kernels_->exchange_minimum(row, nothing_.data(), demand, 0, lanes_) >= 0 &&
                 (others == 0 || kernels_->exchange_minimum(row + lanes_, nothing_.data(), demand + lanes_, 0, others) >= 0);
        },
        [&](AppId app) {
          change(app, node, 1);
          settle(node);
        });
  }

  NodeId draw_by_varying() {
    const auto& nodes = repack_->nodes();
    NodeId node = kNone;
    // Rejection: a node stays with the probability of its share in the most varying one.
    for (int k = 0; k < 32; ++k) {
      node = nodes[random_.below(static_cast<std::uint32_t>(nodes.size()))];
      if (random_.below(most_varying_) < varying_here_[node]) break;
    }
    return node;
  }
  // What the node loses in dips, as seen in the period in which the cluster is fullest.
  [[nodiscard]] std::int32_t lost(NodeId node) { return row_of(node)[0] - low_[node]; }

  bool step() {
    const auto& nodes = repack_->nodes();
    NodeId a = kNone;
    NodeId b = kNone;
    if (most_varying_ == 0 || random_.below(kUniform) == 0) {
      a = nodes[random_.below(static_cast<std::uint32_t>(nodes.size()))];
      b = nodes[random_.below(static_cast<std::uint32_t>(nodes.size()))];
    } else {
      a = draw_by_varying();
      const NodeId rival = draw_by_varying();
      if (lost(rival) > lost(a)) a = rival;
      b = draw_by_varying();
    }
    if (a == b || low_[a] == kTooFull || low_[b] == kTooFull || !exchange_best(a, b)) return false;
    const bool placed = insert(a);
    return insert(b) || placed;
  }

  void list_items(NodeId node, NodeId other, std::vector<Item>& items) {
    items.clear();
    // What weighs much where its node is fullest and little where the other is comes first.
    const auto insert = [&](const Item& item) {
      std::size_t at = items.size();
      items.push_back(item);
      for (; at > 0 && items[at - 1].gain < item.gain; --at) items[at] = items[at - 1];
      items[at] = item;
    };
    for (const Tenant& tenant : repack_->placement().contents().at(node)) {
      const std::int16_t* demand = demand_of(tenant.app);
      const std::int32_t own = demand[when_[node]];
      const std::int32_t others = demand[when_[other]];
      insert({tenant.app, demand, own, others, own - others});
    }
    insert({kNone, nothing_.data(), 0, 0, 0});
  }

  bool exchange_best(NodeId a, NodeId b) {
    list_items(a, b, from_a_);
    list_items(b, a, from_b_);
    const double now = energy(low_[a]) + energy(low_[b]);
    double best = temperature_ * gumbel_.draw(random_);  // to do nothing gains nothing
    // What the first term has to gain, in units, for the luckiest draw to be the best; the second term follows the first.
    const double luck = temperature_ * gumbel_.largest();
    const auto least_gain = [&] { return static_cast<std::int32_t>((best - luck) * kFull); };
    std::int32_t least = least_gain();
    const Item* best_a = nullptr;
    const Item* best_b = nullptr;
    std::int16_t* row_a = row_of(a);
    std::int16_t* row_b = row_of(b);
    for (const Item& x : from_a_) {
      if (x.gain + from_b_.front().gain <= least) break;
      for (const Item& y : from_b_) {
        if (x.gain + y.gain <= least) break;
        if (x.app == y.app) continue;
        const std::int32_t most_a = low_[a] + x.at_own - y.at_other;
        const std::int32_t most_b = low_[b] + y.at_own - x.at_other;
        if (most_a < 0 || most_b < 0) continue;
        const double energy_a = energy(most_a);
        const double energy_b = energy(most_b);
        if (energy_a + energy_b + luck <= now + best) continue;
        const double noise = temperature_ * gumbel_.draw(random_);
        const double wanted = now + best - noise;
        if (energy_a + energy_b <= wanted) continue;
        const std::int16_t least_a = least_low(wanted - energy_b, most_a);
        const std::int16_t low_a = kernels_->exchange_minimum(row_a, x.demand, y.demand, least_a, lanes_);
        if (low_a < least_a) continue;
        const std::int16_t least_b = least_low(wanted - energy(low_a), most_b);
        const std::int16_t low_b = kernels_->exchange_minimum(row_b, y.demand, x.demand, least_b, lanes_);
        if (low_b < least_b || energy(low_a) + energy(low_b) <= wanted) continue;
        if (!possible(a, x, b, y)) continue;
        best = energy(low_a) + energy(low_b) - now + noise;
        least = least_gain();
        best_a = &x;
        best_b = &y;
      }
    }
    if (best_a == nullptr) return false;
    AppId mover = best_a->app;
    AppId other = best_b->app;
    NodeId from = a;
    NodeId to = b;
    if (mover == kNone) {
      std::swap(mover, other);
      std::swap(from, to);
    }
    repack_->exchange(mover, from, other, to);
    change(mover, from, -1);
    change(mover, to, 1);
    if (other != kNone) {
      change(other, to, -1);
      change(other, from, 1);
    }
    settle(a);
    settle(b);
    return true;
  }

  // The other resources, the limits, pins and moves.
  bool possible(NodeId a, const Item& x, NodeId b, const Item& y) {
    const std::size_t others = lanes_ * (resources_.size() - 1);
    if (others > 0) {
      if (kernels_->exchange_minimum(row_of(a) + lanes_, x.demand + lanes_, y.demand + lanes_, 0, others) < 0) return false;
      if (kernels_->exchange_minimum(row_of(b) + lanes_, y.demand + lanes_, x.demand + lanes_, 0, others) < 0) return false;
    }
    if (y.app != kNone && !repack_->admits(y.app, a, x.app)) return false;
    if (x.app != kNone && !repack_->admits(x.app, b, y.app)) return false;
    return x.app != kNone ? repack_->may_leave(x.app, a, y.app, b) : repack_->may_leave(y.app, b, kNone, a);
  }

  Repack<Unit>* repack_;
  const Kernels<std::int16_t>* kernels_;
  Random random_;
  GumbelTable gumbel_;
  std::uint32_t periods_ = 1;
  std::size_t lanes_ = 0;
  std::vector<ResourceId> resources_;        // scarcest first
  std::vector<std::int64_t> full_;           // capacity in scaled units that is kFull here, per resource in that order
  std::vector<std::uint32_t> period_;        // of each lane
  std::vector<std::uint32_t> profile_;       // per app
  std::vector<std::int16_t> demand_;         // per profile: lanes of each resource
  std::vector<std::int16_t> least_;          // per profile: smallest demand of the scarcest resource
  std::vector<std::uint8_t> varies_;         // per profile
  std::vector<std::int16_t> nothing_;        // a row of zeros
  std::vector<std::int16_t> free_;           // per node: lanes of each resource
  std::vector<std::int16_t> low_;            // per node: smallest lane of the scarcest resource
  std::vector<std::uint32_t> when_;          // and which lane that is
  std::vector<std::uint32_t> varying_here_;  // per node: replicas with varying demand
  std::uint32_t most_varying_ = 0;
  std::uint64_t steps_ = 0;
  double temperature_ = 0;
  std::vector<std::int64_t> sums_;
  std::vector<Item> from_a_;
  std::vector<Item> from_b_;
};

}  // namespace stowage
