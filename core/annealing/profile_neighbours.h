// For each row of demand over time, the rows most like it: where replicas are exchanged that differ little, nodes change
// little.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/annealing/profile_matrix.h"
#include "core/run/run.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Rows are alike where the sum over the periods of the scarcest resource of what they differ by is small; a period counts the
/// more, the less of it is free.
class ProfileNeighbours {
 public:
  /// A row has so many, the nearest first, where there are as many.
  static constexpr std::size_t kNear = 128;

  [[nodiscard]] bool empty() const { return slot_.empty(); }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t rank) const {
    if (slot_.empty() || slot_[rank] == kNone) return {};
    return {near_.data() + std::size_t{slot_[rank]} * each_, each_};
  }

  /// What it takes to find them, in work.
  static std::uint64_t work(std::size_t ranks) { return ranks * (std::min(ranks, 2 * kWindow) / kPairsPerWork + 1); }
  /// @param ranks for which, and of which: in ascending order (ProfileMatrix::rank)
  /// @param free what a node has free on average, per lane of the scarcest resource, in units of a row
  /// @return false where the run ended meanwhile: then there are none
  template <class Unit>
  bool find(const ProfileMatrix<Unit>& rows, const std::vector<std::uint32_t>& ranks, const std::vector<double>& free,
            Run& run) {
    const std::size_t lanes = rows.lanes();
    std::vector<std::int16_t> weighted(ranks.size() * lanes);
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      for (std::size_t t = 0; t < lanes; ++t) {
        const double weight = kScarce / (kScarce + std::max(0.0, free[t]));
        weighted[k * lanes + t] = static_cast<std::int16_t>(weight * rows.row(ranks[k])[t]);
      }
    }
    const std::vector<std::int16_t> nothing(lanes, 0);
    const Kernels<std::int16_t>& kernels = best_kernels<std::int16_t>();
    constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::max();
    each_ = std::min(kNear, ranks.empty() ? 0 : ranks.size() - 1);
    near_.clear();
    near_.reserve(ranks.size() * each_);
    std::vector<std::pair<std::int32_t, std::uint32_t>> others;
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      // Rows that are far from each other in the scarcest period are not alike.
      const std::size_t first = std::min(k > kWindow ? k - kWindow : 0, ranks.size() - std::min(ranks.size(), 2 * kWindow));
      const std::size_t end = std::min(ranks.size(), std::max(k + kWindow, 2 * kWindow));
      others.clear();
      const std::int16_t* row = weighted.data() + k * lanes;
      for (std::size_t other = first; other < end; ++other) {
        if (other == k) continue;
        const std::int16_t* row_of_other = weighted.data() + other * lanes;
        const std::int32_t distance = kernels.excess(row, nothing.data(), row_of_other, kAny, lanes) +
                                      kernels.excess(row_of_other, nothing.data(), row, kAny, lanes);
        others.emplace_back(distance, ranks[other]);
      }
      std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(each_), others.end());
      for (std::size_t n = 0; n < each_; ++n) near_.push_back(others[n].second);
      if (run.clock.step(others.size() / kPairsPerWork + 1)) return false;
    }
    slot_.assign(rows.ranks(), kNone);
    for (std::uint32_t k = 0; k < ranks.size(); ++k) slot_[ranks[k]] = k;
    return true;
  }

 private:
  static constexpr std::size_t kWindow = 1024;  // at least kNear
  static constexpr std::size_t kPairsPerWork = 3;
  /// A period counts half where a node has so much free on average.
  static constexpr double kScarce = ProfileMatrix<std::int16_t>::kFull / 384.0;

  std::size_t each_ = 0;
  std::vector<std::uint32_t> near_;  // per slot: ranks
  std::vector<std::uint32_t> slot_;  // per rank, or kNone
};

}  // namespace stowage
