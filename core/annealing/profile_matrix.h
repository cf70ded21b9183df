// Demand and free capacity over time in rows of 16-bit integers, for searches that look at many exchanges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/sort_by.h"
#include "core/measures/scarcity.h"
#include "core/model/instance.h"
#include "core/placement/placement.h"

namespace stowage {

/// A row has lanes() entries per resource, the scarcest resource first, and in it the periods by falling total demand, so that
/// what fails, fails early; behind them lanes in which nothing is demanded and all is free. A unit is the kFull-th part of the
/// largest capacity: demand is rounded up, free capacity down.
template <class Unit>
class ProfileMatrix {
 public:
  static constexpr std::int32_t kFull = 19200;  // powers of two and tenths of it are whole
  /// By so much a node may exceed its capacity: 16 bits still have room to subtract a demand.
  static constexpr std::int32_t kMostExcess = 32767 - kFull - 1;
  static constexpr std::size_t kChunk = 32;  // of lanes
  /// Stands in all lanes of a node that holds so much more than it has that sums would wrap.
  static constexpr std::int16_t kTooFull = std::numeric_limits<std::int16_t>::min();

  explicit ProfileMatrix(const Instance& instance) : instance_(&instance), periods_(instance.periods()) {
    lanes_ = (periods_ + kChunk - 1) / kChunk * kChunk;
    order_resources();
    order_periods();
    nothing_.assign(width(), 0);
    read_demand();
  }

  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  /// Of the lanes of a resource, the first so many are periods.
  [[nodiscard]] std::size_t periods() const { return periods_; }
  [[nodiscard]] std::size_t width() const { return lanes_ * resources_.size(); }
  /// Demand of one replica.
  [[nodiscard]] const std::int16_t* demand(AppId app) const { return row(profile_[app]); }
  /// The same by rank().
  [[nodiscard]] const std::int16_t* row(std::uint32_t rank) const { return demand_.data() + std::size_t{rank} * width(); }
  /// A row of zeros.
  [[nodiscard]] const std::int16_t* nothing() const { return nothing_.data(); }
  /// Least and most of the scarcest resource over time.
  [[nodiscard]] std::int16_t least(AppId app) const { return least_[profile_[app]]; }
  [[nodiscard]] std::int16_t most(AppId app) const { return most_[profile_[app]]; }
  /// Its mean over time, rounded down.
  [[nodiscard]] std::int16_t mean(AppId app) const { return mean_[profile_[app]]; }
  /// Where the app's row comes in the order of demand in the scarcest period; apps with the same row come together.
  [[nodiscard]] std::uint32_t rank(AppId app) const { return profile_[app]; }
  [[nodiscard]] std::size_t ranks() const { return least_.size(); }
  /// Most of the other resources.
  [[nodiscard]] std::int16_t most_of_others(AppId app) const { return most_of_others_[profile_[app]]; }
  [[nodiscard]] bool varies(AppId app) const { return least(app) != most(app); }

  /// What a node has free: width() entries.
  void read_free(const Placement<Unit>& placement, NodeId node, std::int16_t* row) {
    const auto capacity = instance_->scaled_capacity(placement.class_of(node));
    const auto load = node < instance_->listed_nodes() ? instance_->scaled_load(node) : std::span<const std::int32_t>{};
    sums_.resize(width());
    for (std::size_t k = 0; k < resources_.size(); ++k) {
      const ResourceId r = resources_[k];
      std::fill_n(sums_.data() + k * lanes_, lanes_, std::int64_t{kFull});
      if (load.empty()) {
        std::fill_n(sums_.data() + k * lanes_, periods_, std::int64_t{capacity[r]} * kFull / full_[k]);
        continue;
      }
      for (std::size_t t = 0; t < periods_; ++t) {
        const std::int64_t left = std::int64_t{capacity[r]} - load[r * periods_ + period_[t]];
        sums_[k * lanes_ + t] = floor_divide(left * kFull, full_[k]);
      }
    }
    for (const Tenant& tenant : placement.contents().at(node)) {
      const std::int16_t* row_of_app = demand(tenant.app);
      for (std::size_t h = 0; h < width(); ++h) sums_[h] -= std::int64_t{row_of_app[h]} * tenant.replicas;
    }
    const bool too_full = *std::min_element(sums_.begin(), sums_.end()) < -kMostExcess;
    for (std::size_t h = 0; h < width(); ++h) row[h] = too_full ? kTooFull : static_cast<std::int16_t>(sums_[h]);
  }

  /// Share of a node that replicas need in the period in which they need most of the scarcest resource.
  /// @param for_each calls visit(app, replicas) for them
  template <class ForEach>
  [[nodiscard]] double share(ForEach&& for_each) const {
    std::vector<std::int64_t> sum(lanes_, 0);
    for_each([&](AppId app, std::uint32_t replicas) {
      const std::int16_t* row = demand(app);
      for (std::size_t t = 0; t < lanes_; ++t) sum[t] += std::int64_t{row[t]} * replicas;
    });
    return static_cast<double>(*std::max_element(sum.begin(), sum.end())) / kFull;
  }

 private:
  static std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

  void order_resources() {
    const std::vector<double> scarcity = resource_scarcity(*instance_);
    for (ResourceId r = 0; r < scarcity.size(); ++r) resources_.push_back(r);
    sort_by_largest(resources_, scarcity);
    for (const ResourceId r : resources_) full_.push_back(std::max(1, instance_->scale(r).largest_capacity()));
  }
  void order_periods() {
    const auto sum = instance_->total_demand().subspan(std::size_t{resources_[0]} * periods_, periods_);
    const std::vector<double> total(sum.begin(), sum.end());
    for (std::uint32_t t = 0; t < periods_; ++t) period_.push_back(t);
    sort_by_largest(period_, total);
  }
  // Apps with the same demand share a row. Rows lie in the order of their demand in the scarcest period.
  void read_demand() {
    std::map<std::vector<std::int16_t>, std::uint32_t> known;
    std::vector<std::int16_t> row(width());
    for (AppId app = 0; app < instance_->apps(); ++app) {
      const auto demand = instance_->scaled_demand<Unit>(app);
      for (std::size_t k = 0; k < resources_.size(); ++k) {
        for (std::size_t t = 0; t < periods_; ++t) {
          const std::int64_t units = demand[resources_[k] * periods_ + period_[t]];
          row[k * lanes_ + t] =
              static_cast<std::int16_t>(std::min<std::int64_t>(kFull + 1, (units * kFull + full_[k] - 1) / full_[k]));
        }
      }
      profile_.push_back(known.try_emplace(row, static_cast<std::uint32_t>(known.size())).first->second);
    }
    // The map's order, which is that of the first entries.
    std::vector<std::uint32_t> rank(known.size());
    std::uint32_t next = 0;
    for (const auto& [of_row, profile] : known) {
      rank[profile] = next++;
      demand_.insert(demand_.end(), of_row.begin(), of_row.end());
      const auto [least, most] = std::minmax_element(of_row.begin(), of_row.begin() + static_cast<std::ptrdiff_t>(periods_));
      least_.push_back(*least);
      most_.push_back(*most);
      mean_.push_back(static_cast<std::int16_t>(std::accumulate(of_row.begin(), of_row.begin() + periods_, 0) /
                                                static_cast<std::int32_t>(periods_)));
      const auto others = of_row.begin() + static_cast<std::ptrdiff_t>(lanes_);
      most_of_others_.push_back(others == of_row.end() ? std::int16_t{0} : *std::max_element(others, of_row.end()));
    }
    for (std::uint32_t& profile : profile_) profile = rank[profile];
  }

  const Instance* instance_;
  std::uint32_t periods_;
  std::size_t lanes_ = 0;
  std::vector<ResourceId> resources_;         // scarcest first
  std::vector<std::int64_t> full_;            // capacity in scaled units that is kFull here, per resource in that order
  std::vector<std::uint32_t> period_;         // of each lane
  std::vector<std::uint32_t> profile_;        // per app
  std::vector<std::int16_t> demand_;          // per profile: a row
  std::vector<std::int16_t> least_;           // per profile
  std::vector<std::int16_t> most_;            // per profile
  std::vector<std::int16_t> mean_;            // per profile
  std::vector<std::int16_t> most_of_others_;  // per profile
  std::vector<std::int16_t> nothing_;
  std::vector<std::int64_t> sums_;
};

}  // namespace stowage
