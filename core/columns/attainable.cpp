#include "core/columns/attainable.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stowage {
namespace {

/// A sum may be above a cost by this share of it and of a unit, and counts as equal.
constexpr double kSumRounding = 1e-7;
constexpr std::int64_t kMostSums = std::int64_t{1} << 26;
constexpr std::int64_t kWordBits = 64;
/// Of larger costs, a double does not tell units.
constexpr double kMostUnitsOfCost = 0x1p53;

// Adds `step` to some of the sums.
void add_once(std::vector<std::uint64_t>& sums, std::int64_t step) {
  const auto words = static_cast<std::size_t>(step / kWordBits);
  const auto bits = static_cast<unsigned>(step % kWordBits);
  for (std::size_t k = sums.size(); k > words; --k) {
    const std::size_t from = k - 1 - words;
    std::uint64_t moved = sums[from] << bits;
    if (bits > 0 && from > 0) moved |= sums[from - 1] >> (kWordBits - bits);
    sums[k - 1] |= moved;
  }
}

}  // namespace

AttainableSums::AttainableSums(const ColumnProblem& problem, std::int64_t most, Effort& effort) : AttainableSums(problem) {
  if (unit_ <= 0 || most > kMostSums) return;
  size_ = std::max<std::int64_t>(0, most) + 1;
  attained_.assign(static_cast<std::size_t>((size_ + kWordBits - 1) / kWordBits), 0);
  attained_[0] = 1;
  for (const ColumnProblem::Kind& kind : problem.kinds) {
    const std::int64_t units = std::llround(kind.price / unit_);
    if (units <= 0) continue;
    // 1, 2, 4, ... nodes at a time, and the rest; more would be dearer than all sums.
    auto left = static_cast<std::int64_t>(std::min<std::uint64_t>(kind.count, static_cast<std::uint64_t>(size_ / units)));
    for (std::int64_t part = 1; left > 0; part *= 2) {
      if (effort.add(attained_.size())) {
        size_ = 0;
        return;
      }
      add_once(attained_, std::min(part, left) * units);
      left -= std::min(part, left);
    }
  }
}

double AttainableSums::round_up(double cost) const {
  if (unit_ <= 0 || cost <= 0) return std::max(0.0, cost);
  if (cost / unit_ > kMostUnitsOfCost) return cost;
  const auto least = static_cast<std::int64_t>(std::ceil(cost / unit_ - kSumRounding * std::max(1.0, cost)));
  return static_cast<double>(next_sum(least)) * unit_;
}

std::int64_t AttainableSums::next_sum(std::int64_t least) const {
  std::int64_t sum = std::max<std::int64_t>(0, least);
  while (sum < size_) {
    const std::uint64_t rest = attained_[static_cast<std::size_t>(sum / kWordBits)] >> (sum % kWordBits);
    if (rest != 0) return std::min(sum + std::countr_zero(rest), size_);
    sum += kWordBits - sum % kWordBits;
  }
  return std::max(least, size_);
}

}  // namespace stowage
