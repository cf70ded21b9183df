// Demand and free capacity over time in rows of 16-bit integers, for searches that look at many exchanges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// One row per distinct demand profile. A row has lanes() entries per resource, the scarcest resource first. The first
/// periods() lanes of a resource are its periods by falling total demand, so that an exchange that does not fit fails early;
/// the other lanes are padding, in which demand is 0 and free capacity is kFull. One unit is 1 / kFull of the largest capacity
/// of the resource. Demand is rounded up and free capacity down, so that what fits here fits the node.
class ProfileMatrix {
 public:
  /// Divisible by powers of two and by ten, so that common shares of a node are whole.
  static constexpr std::int32_t kFull = 19200;
  /// The most by which a node may exceed its capacity in a lane: a demand can still be subtracted within 16 bits.
  static constexpr std::int32_t kMostExcess = 32767 - kFull - 1;
  /// Lanes per resource are a multiple of this.
  static constexpr std::size_t kChunk = 32;
  /// Stands in all lanes of a node that exceeds its capacity by more than kMostExcess in some lane.
  static constexpr std::int16_t kTooFull = std::numeric_limits<std::int16_t>::min();

  explicit ProfileMatrix(const Instance& instance);

  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  [[nodiscard]] std::size_t periods() const { return periods_; }
  /// Entries of a row.
  [[nodiscard]] std::size_t width() const { return lanes_ * resources_.size(); }
  /// Demand of one replica.
  [[nodiscard]] const std::int16_t* demand(AppId app) const { return row(rank_[app]); }
  /// Demand of one replica of the apps with this rank().
  [[nodiscard]] const std::int16_t* row(std::uint32_t rank) const { return demand_.data() + std::size_t{rank} * width(); }
  /// A row of zeros.
  [[nodiscard]] const std::int16_t* nothing() const { return nothing_.data(); }
  /// Smallest demand over time, of the scarcest resource.
  [[nodiscard]] std::int16_t least(AppId app) const { return least_[rank_[app]]; }
  /// Largest demand over time, of the scarcest resource.
  [[nodiscard]] std::int16_t most(AppId app) const { return most_[rank_[app]]; }
  /// Mean demand over time, of the scarcest resource, rounded down.
  [[nodiscard]] std::int16_t mean(AppId app) const { return mean_[rank_[app]]; }
  /// Index of the app's row. Rows are in ascending order of demand in the scarcest period; apps with equal rows share one.
  [[nodiscard]] std::uint32_t rank(AppId app) const { return rank_[app]; }
  [[nodiscard]] std::size_t ranks() const { return least_.size(); }
  /// Largest demand over time, of all resources but the scarcest; 0 where there is one resource.
  [[nodiscard]] std::int16_t most_of_others(AppId app) const { return most_of_others_[rank_[app]]; }
  [[nodiscard]] bool varies(AppId app) const { return least(app) != most(app); }

  /// Writes the free capacity of a node.
  /// @param tenants what is on the node
  /// @param row width() entries
  void read_free(NodeId node, ClassId node_class, std::span<const Tenant> tenants, std::int16_t* row) const;

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
  void order_resources();
  void order_periods();
  void read_demand();
  void add_row(const std::vector<std::int16_t>& row);

  const Instance* instance_;
  std::uint32_t periods_;
  std::size_t lanes_ = 0;
  std::vector<ResourceId> resources_;         // scarcest first
  std::vector<std::int64_t> full_;            // per resource in that order: capacity in scaled units that is kFull here
  std::vector<std::uint32_t> period_;         // per lane of a resource that is a period
  std::vector<std::uint32_t> rank_;           // per app
  std::vector<std::int16_t> demand_;          // per rank: a row
  std::vector<std::int16_t> least_;           // per rank
  std::vector<std::int16_t> most_;            // per rank
  std::vector<std::int16_t> mean_;            // per rank
  std::vector<std::int16_t> most_of_others_;  // per rank
  std::vector<std::int16_t> nothing_;
};

}  // namespace stowage
