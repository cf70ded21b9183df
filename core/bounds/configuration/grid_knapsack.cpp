#include "core/bounds/configuration/grid_knapsack.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

/// Worths are whole numbers, rounded up, which add up to this and a little more at most.
constexpr double kGridWorth = 0x1p29;

}  // namespace

GridKnapsack::GridKnapsack(std::vector<Item> items, std::span<const std::int64_t> capacity, double worth)
    : items_(std::move(items)), worth_(worth) {
  std::uint64_t grid = 1;
  for (std::size_t h = 0; h < capacity.size(); ++h) {
    std::int64_t unit = 0;
    for (const Item& item : items_) unit = std::gcd(unit, item.amount[h]);
    unit = std::max<std::int64_t>(1, unit);
    for (Item& item : items_) item.amount[h] /= unit;
    const std::int64_t most = capacity[h] / unit;
    // Beyond what all items take, capacity makes no difference.
    std::int64_t all = 0;
    for (const Item& item : items_) all = std::min(most, all + std::min(item.most, most) * item.amount[h]);
    size_[h] = std::min(most, all) + 1;
    grid = std::min<std::uint64_t>(grid * std::min<std::uint64_t>(static_cast<std::uint64_t>(size_[h]), kMostCells),
                                   2 * kMostCells);
  }
  for (std::size_t k = 0; k < items_.size(); ++k) {
    for (std::int64_t left = items_[k].most, copies = 1; left > 0; left -= copies, copies *= 2) {
      copies = std::min(copies, left);
      bundles_.push_back({k, copies});
    }
  }
  cells_ = grid * std::max<std::size_t>(1, bundles_.size());
}

std::int32_t GridKnapsack::fill(double scale, Bits* taken, WatchRef watch) const {
  const auto [n0, n1, n2] = size_;
  const auto grid = static_cast<std::size_t>(n0 * n1 * n2);
  std::vector<std::int32_t> value(grid, 0);
  for (std::size_t b = 0; b < bundles_.size(); ++b) {
    const auto [k, copies] = bundles_[b];
    const std::int64_t d0 = copies * items_[k].amount[0];
    const std::int64_t d1 = copies * items_[k].amount[1];
    const std::int64_t d2 = copies * items_[k].amount[2];
    if (d0 >= n0 || d1 >= n1 || d2 >= n2) continue;
    const auto worth = static_cast<std::int32_t>(std::ceil(std::min(items_[k].worth, worth_) * scale));
    const auto gain = static_cast<std::int32_t>(copies * worth);
    for (std::int64_t c0 = n0 - 1; c0 >= d0; --c0) {
      if (watch.step(static_cast<std::uint64_t>(n1 * n2))) return 0;
      for (std::int64_t c1 = n1 - 1; c1 >= d1; --c1) {
        std::int32_t* const to = value.data() + (c0 * n1 + c1) * n2;
        const std::int32_t* const from = value.data() + ((c0 - d0) * n1 + c1 - d1) * n2;
        const std::size_t first = b * grid + static_cast<std::size_t>((c0 * n1 + c1) * n2);
        for (std::int64_t c = d2; c < n2 && taken != nullptr; ++c) {
          if (from[c - d2] + gain > to[c]) (*taken)[first + static_cast<std::size_t>(c)] = true;
        }
        // Downwards, as both may be the same row.
        for (std::int64_t c = n2 - 1; c >= d2; --c) to[c] = std::max(to[c], from[c - d2] + gain);
      }
    }
  }
  return value.back();
}

GridKnapsack::Best GridKnapsack::solve(double floor, WatchRef watch) const {
  const double scale = kGridWorth / worth_;
  Best best{fill(scale, nullptr, watch) / scale * (1 + 0x1p-40), {}};
  if (watch.ended()) return {worth_, {}};
  if (best.upper <= floor) return best;
  const auto [n0, n1, n2] = size_;
  const auto grid = static_cast<std::size_t>(n0 * n1 * n2);
  Bits taken(grid * bundles_.size(), false);
  fill(scale, &taken, watch);
  if (watch.ended()) return best;
  best.copies.assign(items_.size(), 0);
  auto cell = static_cast<std::int64_t>(grid) - 1;
  for (std::size_t b = bundles_.size(); b-- > 0;) {
    if (!taken[b * grid + static_cast<std::size_t>(cell)]) continue;
    const auto [k, copies] = bundles_[b];
    best.copies[k] += copies;
    cell -= copies * ((items_[k].amount[0] * n1 + items_[k].amount[1]) * n2 + items_[k].amount[2]);
  }
  return best;
}

}  // namespace stowage
