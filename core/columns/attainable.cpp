#include "core/columns/attainable.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stowage {
namespace {

/// A sum may be above a cost by this share of it and of a unit, and counts as equal.
constexpr double kSumRounding = 1e-7;
constexpr std::int64_t kMostSums = std::int64_t{1} << 22;
constexpr std::uint64_t kSumsPerOperation = 2;
/// Of larger costs, a double does not tell units.
constexpr double kMostUnitsOfCost = 0x1p53;

}  // namespace

AttainableSums::AttainableSums(const ColumnProblem& problem, std::int64_t most, Effort& effort) : AttainableSums(problem) {
  if (unit_ <= 0 || most > kMostSums) return;
  attained_.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, most)) + 1, false);
  attained_[0] = true;
  const auto size = static_cast<std::int64_t>(attained_.size());
  for (const ColumnProblem::Kind& kind : problem.kinds) {
    const std::int64_t units = std::llround(kind.price / unit_);
    if (units <= 0) continue;
    const auto passes = kind.count >= static_cast<std::uint64_t>(size) ? 1 : std::bit_width(kind.count);
    if (effort.add(static_cast<std::uint64_t>(passes) * attained_.size() / kSumsPerOperation)) {
      attained_.clear();
      return;
    }
    if (kind.count >= static_cast<std::uint64_t>(size)) {
      for (std::int64_t sum = units; sum < size; ++sum) {
        if (attained_[static_cast<std::size_t>(sum - units)]) attained_[static_cast<std::size_t>(sum)] = true;
      }
      continue;
    }
    // 1, 2, 4, ... nodes at a time, and the rest.
    auto left = static_cast<std::int64_t>(kind.count);
    for (std::int64_t part = 1; left > 0; part *= 2) {
      const std::int64_t step = std::min(part, left) * units;
      left -= std::min(part, left);
      for (std::int64_t sum = size - 1; sum >= step; --sum) {
        if (attained_[static_cast<std::size_t>(sum - step)]) attained_[static_cast<std::size_t>(sum)] = true;
      }
    }
  }
}

double AttainableSums::round_up(double cost) const {
  if (unit_ <= 0 || cost <= 0) return std::max(0.0, cost);
  if (cost / unit_ > kMostUnitsOfCost) return cost;
  auto sum = static_cast<std::int64_t>(std::ceil(cost / unit_ - kSumRounding * std::max(1.0, cost)));
  while (sum < static_cast<std::int64_t>(attained_.size()) && !attained_[static_cast<std::size_t>(sum)]) ++sum;
  return static_cast<double>(sum) * unit_;
}

}  // namespace stowage
