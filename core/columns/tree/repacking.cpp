#include "core/columns/tree/repacking.h"

#include <algorithm>
#include <utility>

#include "core/base/numbers/random.h"

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
  for (const FilledNodes& nodes : filling) {
    for (std::uint32_t n = 0; n < nodes.count; ++n) {
      FilledNodes one{nodes.kind, {}, 1};
      for (const auto& [item, copies] : nodes.content) {
        const std::uint32_t held = std::min(copies, left[item]);
        left[item] -= held;
        if (held > 0) one.content.emplace_back(item, held);
      }
      if (one.content.empty()) continue;
      cost_ += problem_.kinds[one.kind].price;
      best_.push_back(std::move(one));
    }
  }
  if (std::any_of(left.begin(), left.end(), [](std::uint32_t replicas) { return replicas > 0; })) best_.clear();
}

double Repacking::loss(const FilledNodes& nodes) const {
  double loss = problem_.kinds[nodes.kind].price;
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
  const auto size = static_cast<std::uint32_t>(order.size());
  const auto few = static_cast<std::uint32_t>(kFewestRepacked << (number % kDoublings));
  std::vector<std::uint8_t> is_out(size, 0);
  const auto take_out = [&](std::uint32_t rank) { is_out[order[rank].second] = 1; };
  take_out(0);
  for (std::uint32_t k = 0; k < few / 2; ++k) take_out(random.below(std::min(size, 2 * few)));
  for (std::uint32_t k = few / 2; k < few; ++k) take_out(random.below(size));
  ColumnSolution kept;
  for (std::uint32_t n = 0; n < size; ++n) {
    if (is_out[n] == 0) kept.push_back(best_[n]);
  }
  return kept;
}

}  // namespace stowage
