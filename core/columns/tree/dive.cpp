#include "core/columns/tree/dive.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

constexpr double kNearlyWholeColumn = 1e-6;
constexpr std::uint64_t kMostPivotsOfDive = 2000;
constexpr int kRoundsPerStep = 3;

}  // namespace

ColumnDive::ColumnDive(const ColumnProblem& problem, const ColumnPool& pool, std::vector<std::pair<std::uint32_t, double>> used,
                       const std::vector<std::uint32_t>& columns)
    : problem_(problem),
      pool_(pool),
      program_(problem, pool, {}, columns, {}),
      used_(std::move(used)),
      budget_left_(problem.budget) {
  for (const ColumnProblem::Item& item : problem.items) left_.push_back(item.replicas);
  for (const ColumnProblem::Kind& kind : problem.kinds) nodes_left_.push_back(kind.count);
}

void ColumnDive::fix(std::uint32_t column, std::uint32_t times, bool partly) {
  const PricedColumn& of = pool_[column];
  for (; times > 0 && nodes_left_[of.kind] > 0; --times) {
    ItemContent content;
    for (const auto& [item, copies] : of.content) {
      const std::uint32_t held = std::min(copies, left_[item]);
      if (held < copies && !partly) return;
      if (held > 0) content.emplace_back(item, held);
    }
    if (content.empty() || (problem_.budget >= 0 && problem_.kinds[of.kind].units > budget_left_)) return;
    for (const auto& [item, copies] : content) left_[item] -= copies;
    nodes_left_[of.kind] -= nodes_left_[of.kind] == Supply::kEndless ? 0 : 1;
    cost_ += problem_.kinds[of.kind].price;
    budget_left_ -= problem_.kinds[of.kind].units;
    filling_.push_back({of.kind, std::move(content), 1});
  }
}

std::uint64_t ColumnDive::step(double cutoff, const FindColumns& find) {
  const std::size_t before = filling_.size();
  for (const auto& [column, value] : used_) {
    if (value >= 1 - kNearlyWholeColumn) fix(column, static_cast<std::uint32_t>(value + kNearlyWholeColumn), false);
  }
  if (filling_.size() == before && !used_.empty()) {
    const auto most =
        std::max_element(used_.begin(), used_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    fix(most->first, 1, true);
  }
  const bool is_complete = std::all_of(left_.begin(), left_.end(), [](std::uint32_t replicas) { return replicas == 0; });
  if (is_complete && cost_ < cutoff) found_ = std::move(filling_);
  has_ended_ = is_complete || filling_.size() == before;
  if (has_ended_) return 1;
  program_.set_left(left_, nodes_left_, budget_left_);
  std::uint64_t work = 0;
  for (int round = 0; round < kRoundsPerStep; ++round) {
    program_.solve(kMostPivotsOfDive);
    work += program_.take_work();
    if (cost_ + program_.objective() >= cutoff && round + 1 == kRoundsPerStep) has_ended_ = true;
    if (round + 1 < kRoundsPerStep) work += find(program_, left_);
  }
  used_ = program_.used();
  return work;
}

}  // namespace stowage
