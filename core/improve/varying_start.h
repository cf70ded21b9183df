// A start for demand that changes over time: what varies gathered on few nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/improve/pressure.h"
#include "core/improve/repack.h"
#include "core/run.h"
#include "core/simd/kernels.h"

namespace stowage {

template <class Unit>
class VaryingStart {
 public:
  explicit VaryingStart(Repack<Unit>& repack)
      : repack_(&repack), kernels_(&best_kernels<std::int32_t>()), candidate_(repack.placement()) {
    const Instance& instance = repack.instance();
    const std::vector<double> pressure = resource_pressure(instance);
    scarcest_ = static_cast<ResourceId>(std::max_element(pressure.begin(), pressure.end()) - pressure.begin());
    periods_ = instance.periods();
    const auto total = instance.total_demand().subspan(std::size_t{scarcest_} * periods_, periods_);
    fullest_ = static_cast<std::uint32_t>(std::max_element(total.begin(), total.end()) - total.begin());
    nothing_.assign(periods_, 0);
    demand_.resize(std::size_t{periods_});
  }

  void run(Run& run) {
    const Instance& instance = repack_->instance();
    struct Entry { std::int32_t peak; AppId app; };
    std::vector<Entry> order;
    for (AppId app = 0; app < instance.apps(); ++app) {
      if (repack_->placement().unplaced(app) == 0 || !repack_->placeable(app)) continue;
      read(app);
      const auto [least, most] = std::minmax_element(demand_.begin(), demand_.end());
      if (*least != *most) order.push_back({*most, app});
    }
    std::stable_sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) { return a.peak > b.peak; });
    nodes_ = repack_->nodes();
    for (const Entry& e : order) {
      read(e.app);
      while (repack_->placement().unplaced(e.app) > 0 && place(e.app)) {
      }
      if (run.step(1)) break;
    }
    repack_->collect_pool();
  }

 private:
  struct Wish { std::int64_t cost; std::uint32_t slot; };
  void read(AppId app) {
    const auto d = repack_->instance().template scaled_demand<Unit>(app);
    for (std::uint32_t t = 0; t < periods_; ++t) demand_[t] = d[scarcest_ * periods_ + t];
  }
  bool open() {
    if (opened_ == nodes_.size()) return false;
    const NodeId node = nodes_[opened_++];
    const auto& residuals = repack_->placement().residuals();
    for (std::uint32_t t = 0; t < periods_; ++t) free_.push_back(residuals.at(node, scarcest_ * periods_ + t));
    low_.push_back(*std::min_element(free_.end() - periods_, free_.end()));
    return true;
  }
  bool place(AppId app) {
    candidate_.start(repack_->placement(), app);
    const std::int32_t peak = *std::max_element(demand_.begin(), demand_.end());
    wishes_.clear();
    for (std::uint32_t s = 0; s < opened_; ++s) {
      if (low_[s] <= 0) continue;
      const std::int32_t after = kernels_->exchange_minimum(free_.data() + std::size_t{s} * periods_, nothing_.data(), demand_.data(), 0, periods_);
      if (after < 0) continue;
      wishes_.push_back({std::int64_t{low_[s] - after - demand_[fullest_]} * 1000 + after, s});
    }
    (void)peak;
    const auto worse = [](const Wish& a, const Wish& b) { return a.cost != b.cost ? a.cost > b.cost : a.slot > b.slot; };
    std::make_heap(wishes_.begin(), wishes_.end(), worse);
    while (!wishes_.empty()) {
      const std::uint32_t s = wishes_.front().slot;
      if (put(app, s)) return true;
      std::pop_heap(wishes_.begin(), wishes_.end(), worse);
      wishes_.pop_back();
    }
    if (opened_ >= cap_) return false;
    if (!open()) return false;
    return put(app, opened_ - 1);
  }
  bool put(AppId app, std::uint32_t s) {
    if (repack_->placement().headroom(candidate_, nodes_[s], 1) == 0) return false;
    repack_->placement().place(app, nodes_[s], 1);
    std::int32_t* row = free_.data() + std::size_t{s} * periods_;
    kernels_->subtract(row, demand_.data(), 1, periods_);
    low_[s] = kernels_->minimum(row, periods_);
    return true;
  }

  Repack<Unit>* repack_;
  const Kernels<std::int32_t>* kernels_;
  typename Placement<Unit>::Candidate candidate_;
  ResourceId scarcest_ = 0;
  std::uint32_t periods_ = 1;
  std::uint32_t fullest_ = 0;
 public:
  std::uint32_t cap_ = ~0u;
 private:
  std::uint32_t opened_ = 0;
  std::vector<NodeId> nodes_;
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> low_;
  std::vector<std::int32_t> demand_;
  std::vector<std::int32_t> nothing_;
  std::vector<Wish> wishes_;
};

}  // namespace stowage
