// For each row of demand over time, the rows most like it: exchanges between replicas that differ little change nodes little.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/annealing/profiles/profile_matrix.h"
#include "core/run/work_clock.h"
#include "core/simd/kernels.h"

namespace stowage {

/// The distance of two rows is the weighted sum of their absolute differences over the periods of the scarcest resource. The
/// weight of a period falls with the capacity that is free in it.
class ProfileNeighbours {
 public:
  /// Neighbours per row; all other rows where there are fewer.
  static constexpr std::size_t kMost = 128;

  [[nodiscard]] bool empty() const { return place_.empty(); }
  /// Ranks of the neighbours of a row, nearest first; none for rows that find() was not asked for.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t rank) const {
    if (place_.empty() || place_[rank] == kNone) return {};
    return {neighbours_.data() + std::size_t{place_[rank]} * each_, each_};
  }

  /// Units of work of find() for `ranks` ranks.
  static std::uint64_t work(std::size_t ranks) { return ranks * (std::min(ranks, 2 * kWindow) / kPairsPerWork + 1); }
  /// Finds the neighbours of each of these rows among these rows.
  /// @param ranks in ascending order (ProfileMatrix::rank)
  /// @param free what a node has free on average, per lane of the scarcest resource, in units of a row
  /// @return false where the run ended meanwhile: then there are none
  bool find(const ProfileMatrix& rows, const std::vector<std::uint32_t>& ranks, const std::vector<double>& free,
            WorkClock& clock) {
    const std::size_t lanes = rows.lanes();
    const std::vector<std::int16_t> weighted = weigh(rows, ranks, free);
    const Kernels<std::int16_t>& kernels = best_kernels<std::int16_t>();
    constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::max();
    each_ = std::min(kMost, ranks.empty() ? 0 : ranks.size() - 1);
    neighbours_.clear();
    neighbours_.reserve(ranks.size() * each_);
    std::vector<std::pair<std::int32_t, std::uint32_t>> others;
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      // Rows that differ much in the scarcest period are far from each other: a window of ranks is enough.
      const std::size_t first = std::min(k > kWindow ? k - kWindow : 0, ranks.size() - std::min(ranks.size(), 2 * kWindow));
      const std::size_t end = std::min(ranks.size(), std::max(k + kWindow, 2 * kWindow));
      others.clear();
      const std::int16_t* row = weighted.data() + k * lanes;
      for (std::size_t other = first; other < end; ++other) {
        if (other == k) continue;
        const std::int16_t* row_of_other = weighted.data() + other * lanes;
        const std::int32_t distance = kernels.excess(row, rows.nothing(), row_of_other, kAny, lanes) +
                                      kernels.excess(row_of_other, rows.nothing(), row, kAny, lanes);
        others.emplace_back(distance, ranks[other]);
      }
      std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(each_), others.end());
      for (std::size_t n = 0; n < each_; ++n) neighbours_.push_back(others[n].second);
      if (clock.step(others.size() / kPairsPerWork + 1)) return false;
    }
    place_.assign(rows.ranks(), kNone);
    for (std::uint32_t k = 0; k < ranks.size(); ++k) place_[ranks[k]] = k;
    return true;
  }

 private:
  static constexpr std::size_t kWindow = 1024;  // ranks on each side; at least kMost
  static constexpr std::size_t kPairsPerWork = 3;
  /// Free capacity per node at which a period has half its weight.
  static constexpr double kScarce = ProfileMatrix::kFull / 384.0;

  static std::vector<std::int16_t> weigh(const ProfileMatrix& rows, const std::vector<std::uint32_t>& ranks,
                                         const std::vector<double>& free) {
    const std::size_t lanes = rows.lanes();
    std::vector<std::int16_t> weighted(ranks.size() * lanes);
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      for (std::size_t t = 0; t < lanes; ++t) {
        const double weight = kScarce / (kScarce + std::max(0.0, free[t]));
        weighted[k * lanes + t] = static_cast<std::int16_t>(weight * rows.row(ranks[k])[t]);
      }
    }
    return weighted;
  }

  std::size_t each_ = 0;
  std::vector<std::uint32_t> neighbours_;  // each_ ranks per place
  std::vector<std::uint32_t> place_;       // per rank: its place among those that were asked for, or kNone
};

}  // namespace stowage
