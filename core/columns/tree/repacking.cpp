#include "core/columns/tree/repacking.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/numbers/random.h"
#include "core/columns/tree/branches.h"

namespace stowage {
namespace {

/// Nodes that are packed again: this number, doubled up to so many times.
constexpr std::size_t kFewestRepacked = 5;
constexpr std::uint64_t kDoublings = 6;
/// Solutions of more nodes are not packed again.
constexpr std::uint64_t kMostRepacked = 100'000;
/// A change that saves nothing has to raise the sum of squared losses by more than this.
constexpr double kLeastGathered = 1e-6;
constexpr std::uint64_t kOperationsOfSort = 32;

}  // namespace

// Without what is held more than once.
void Repacking::set_best(const ColumnSolution& filling) {
  best_.clear();
  cost_ = 0;
  std::uint64_t size = 0;
  for (const FilledNodes& nodes : filling) size += nodes.count;
  if (size > kMostRepacked) return;
  std::vector<std::uint32_t> left;
  for (const ColumnProblem::Item& item : problem_.items) left.push_back(item.replicas);
  std::map<PricedColumn, std::uint32_t> counts;
  for (const FilledNodes& nodes : filling) {
    for (std::uint32_t n = 0; n < nodes.count;) {
      PricedColumn one{nodes.kind, {}};
      std::uint32_t alike = nodes.count - n;
      for (const auto& [item, copies] : nodes.content) {
        const std::uint32_t held = std::min(copies, left[item]);
        if (held > 0) one.content.emplace_back(item, held);
        alike = held < copies ? 1 : std::min(alike, left[item] / copies);
      }
      n += alike;
      for (const auto& [item, held] : one.content) left[item] -= held * alike;
      if (!one.content.empty()) counts[std::move(one)] += alike;
    }
  }
  if (std::any_of(left.begin(), left.end(), [](std::uint32_t replicas) { return replicas > 0; })) return;
  for (const auto& [one, count] : counts) {
    best_.push_back({one.kind, one.content, count});
    cost_ += problem_.cost(one.kind, one.content) * count;
  }
}

double Repacking::loss(const FilledNodes& nodes) const {
  double loss = problem_.cost(nodes.kind, nodes.content);
  for (const auto& [item, copies] : nodes.content) loss -= worth_[item] * copies;
  return std::max(0.0, loss);
}

double Repacking::squared_losses(const ColumnSolution& filling) const {
  double sum = 0;
  for (const FilledNodes& nodes : filling) sum += nodes.count * loss(nodes) * loss(nodes);
  return sum;
}

void Repacking::take_if_gathered(const ColumnSolution& filling) {
  if (squared_losses(filling) > squared_losses(best_) + kLeastGathered) set_best(filling);
}

ColumnSolution Repacking::keep_some(std::uint64_t number, Effort& effort) const {
  Random random(number);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < best_.size(); ++n) order.emplace_back(-loss(best_[n]), n);
  std::sort(order.begin(), order.end());
  effort.add(kOperationsOfSort * order.size());
  std::vector<std::uint32_t> first;  // rank of the first of equal nodes, those that lose most first
  std::uint32_t ranks = 0;
  for (const auto& [loss, n] : order) {
    first.push_back(ranks);
    ranks += best_[n].count;
  }
  ColumnSolution kept = best_;
  const auto take_out = [&](std::uint32_t rank) {
    const auto at = std::upper_bound(first.begin(), first.end(), rank) - first.begin() - 1;
    std::uint32_t& count = kept[order[static_cast<std::size_t>(at)].second].count;
    count -= std::min(count, 1u);
  };
  const auto few = static_cast<std::uint32_t>(kFewestRepacked << (number % kDoublings));
  take_out(0);
  for (std::uint32_t k = 0; k < few / 2; ++k) take_out(random.below(std::min(ranks, 2 * few)));
  for (std::uint32_t k = few / 2; k < few; ++k) take_out(random.below(ranks));
  std::erase_if(kept, [](const FilledNodes& nodes) { return nodes.count == 0; });
  return kept;
}

}  // namespace stowage
