#include "core/annealing/profiles/profile_matrix.h"

#include <map>
#include <numeric>

#include "core/base/sort_by.h"
#include "core/measures/scarcity.h"

namespace stowage {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

ProfileMatrix::ProfileMatrix(const Instance& instance) : instance_(&instance), periods_(instance.periods()) {
  lanes_ = (periods_ + kChunk - 1) / kChunk * kChunk;
  order_resources();
  order_periods();
  nothing_.assign(width(), 0);
  read_demand();
}

void ProfileMatrix::order_resources() {
  const std::vector<double> scarcity = resource_scarcity(*instance_);
  for (ResourceId r = 0; r < scarcity.size(); ++r) resources_.push_back(r);
  sort_by_largest(resources_, scarcity);
  for (const ResourceId r : resources_) full_.push_back(std::max(1, instance_->scale(r).largest_capacity()));
}

void ProfileMatrix::order_periods() {
  const auto sum = instance_->total_demand().subspan(std::size_t{resources_[0]} * periods_, periods_);
  const std::vector<double> total(sum.begin(), sum.end());
  for (std::uint32_t t = 0; t < periods_; ++t) period_.push_back(t);
  sort_by_largest(period_, total);
}

void ProfileMatrix::read_demand() {
  std::map<std::vector<std::int16_t>, std::uint32_t> known;
  std::vector<std::int16_t> row(width());
  instance_->visit_unit([&](auto unit) {
    for (AppId app = 0; app < instance_->apps(); ++app) {
      const auto demand = instance_->scaled_demand<decltype(unit)>(app);
      for (std::size_t k = 0; k < resources_.size(); ++k) {
        for (std::size_t t = 0; t < periods_; ++t) {
          const std::int64_t units = demand[resources_[k] * periods_ + period_[t]];
          row[k * lanes_ + t] =
              static_cast<std::int16_t>(std::min<std::int64_t>(kFull + 1, (units * kFull + full_[k] - 1) / full_[k]));
        }
      }
      rank_.push_back(known.try_emplace(row, static_cast<std::uint32_t>(known.size())).first->second);
    }
  });
  // So far, rows are numbered as they were found. The map orders them by their first entries, which are the ranks.
  std::vector<std::uint32_t> rank(known.size());
  std::uint32_t next = 0;
  for (const auto& [of_row, found] : known) {
    rank[found] = next++;
    add_row(of_row);
  }
  for (std::uint32_t& of_app : rank_) of_app = rank[of_app];
}

void ProfileMatrix::add_row(const std::vector<std::int16_t>& row) {
  const auto periods_end = row.begin() + static_cast<std::ptrdiff_t>(periods_);
  const auto others = row.begin() + static_cast<std::ptrdiff_t>(lanes_);
  demand_.insert(demand_.end(), row.begin(), row.end());
  const auto [least, most] = std::minmax_element(row.begin(), periods_end);
  least_.push_back(*least);
  most_.push_back(*most);
  mean_.push_back(
      static_cast<std::int16_t>(std::accumulate(row.begin(), periods_end, 0) / static_cast<std::int32_t>(periods_)));
  most_of_others_.push_back(others == row.end() ? std::int16_t{0} : *std::max_element(others, row.end()));
}

void ProfileMatrix::read_free(NodeId node, ClassId node_class, std::span<const Tenant> tenants, std::int16_t* row) const {
  const auto capacity = instance_->scaled_capacity(node_class);
  const auto load = instance_->scaled_standing(node < instance_->listed_nodes() ? node : kNone, node_class);
  if (load.empty() && tenants.empty()) {
    // Starts are made of many such nodes.
    std::fill_n(row, width(), static_cast<std::int16_t>(kFull));
    for (std::size_t k = 0; k < resources_.size(); ++k) {
      const std::int64_t all = std::int64_t{capacity[resources_[k]]} * kFull / full_[k];
      std::fill_n(row + k * lanes_, periods_, static_cast<std::int16_t>(all));
    }
    return;
  }
  std::vector<std::int64_t> free(width(), kFull);
  for (std::size_t k = 0; k < resources_.size(); ++k) {
    const ResourceId r = resources_[k];
    std::int64_t* of_resource = free.data() + k * lanes_;
    if (load.empty()) {
      std::fill_n(of_resource, periods_, std::int64_t{capacity[r]} * kFull / full_[k]);
      continue;
    }
    for (std::size_t t = 0; t < periods_; ++t) {
      const std::int64_t left = std::int64_t{capacity[r]} - load[r * periods_ + period_[t]];
      of_resource[t] = floor_divide(left * kFull, full_[k]);
    }
  }
  for (const Tenant& tenant : tenants) {
    const std::int16_t* row_of_app = demand(tenant.app);
    for (std::size_t h = 0; h < free.size(); ++h) free[h] -= std::int64_t{row_of_app[h]} * tenant.replicas;
  }
  const bool too_full = *std::min_element(free.begin(), free.end()) < -kMostExcess;
  for (std::size_t h = 0; h < free.size(); ++h) row[h] = too_full ? kTooFull : static_cast<std::int16_t>(free[h]);
}

}  // namespace stowage
