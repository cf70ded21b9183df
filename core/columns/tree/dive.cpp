#include "core/columns/tree/dive.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

constexpr double kNearlyWholeColumn = 1e-6;
constexpr std::uint64_t kPivotsPerLook = 50;
/// Rounds of new columns, and further ones while the rest costs too much.
constexpr std::uint32_t kRoundsPerStep = 5;
constexpr std::uint32_t kMostRoundsPerStep = 12;
/// Choices that are tried at one point, and points that are remembered, at most.
constexpr std::uint32_t kTriesAtAPoint = 2;
constexpr std::size_t kMostRemembered = 8;
/// Columns from these values on are fixed, by turns; and a number that none reaches.
constexpr double kHighUse = .8;
constexpr double kLowerUse = .65;
constexpr double kLargestAlone = 2;
/// Values are raised by random amounts up to this where a dive has to go another way.
constexpr double kBlurOfUse = .2;

}  // namespace

ColumnDive::ColumnDive(const ColumnProblem& problem, const ColumnPool& pool, ColumnSolution kept,
                       const std::vector<std::uint32_t>& columns, std::uint64_t number, std::uint32_t most_retreats)
    : problem_(problem), pool_(pool), random_(number), is_blurred_(number > 0), most_retreats_(most_retreats) {
  Rest all{TreeProgram(problem, pool, {}, columns, {}), {}, {}, {}, problem.budget, {}, 0,
           number % 2 == 0 ? kHighUse : kLowerUse};
  for (const ColumnProblem::Item& item : problem.items) all.left.push_back(item.replicas);
  for (const ColumnProblem::Kind& kind : problem.kinds) all.nodes_left.push_back(kind.count);
  for (FilledNodes& nodes : kept) take(all, std::move(nodes));
  set_next(std::move(all));
}

void ColumnDive::fix(Rest& rest, std::uint32_t column, std::uint32_t times, bool partly) const {
  const PricedColumn& of = pool_[column];
  const ColumnProblem::Kind& kind = problem_.kinds[of.kind];
  std::uint64_t nodes = std::min<std::uint64_t>(times, rest.nodes_left[of.kind]);
  if (problem_.budget >= 0 && kind.units > 0) {
    nodes = std::min(nodes, static_cast<std::uint64_t>(std::max<std::int64_t>(0, rest.budget_left / kind.units)));
  }
  const std::uint64_t may = nodes;
  for (const auto& [item, copies] : of.content) nodes = std::min<std::uint64_t>(nodes, rest.left[item] / copies);
  if (nodes > 0) take(rest, {of.kind, of.content, static_cast<std::uint32_t>(nodes)});
  if (!partly || nodes == may) return;
  ItemContent content;
  for (const auto& [item, copies] : of.content) {
    if (rest.left[item] > 0) content.emplace_back(item, std::min(copies, rest.left[item]));
  }
  if (!content.empty()) take(rest, {of.kind, std::move(content), 1});
}

void ColumnDive::take(Rest& rest, FilledNodes nodes) const {
  const ColumnProblem::Kind& kind = problem_.kinds[nodes.kind];
  for (const auto& [item, copies] : nodes.content) rest.left[item] -= std::min(rest.left[item], copies * nodes.count);
  rest.nodes_left[nodes.kind] -= kind.count == Supply::kEndless ? 0 : nodes.count;
  rest.budget_left -= kind.units * nodes.count;
  rest.cost += problem_.cost(nodes.kind, nodes.content) * nodes.count;
  rest.filling.push_back(std::move(nodes));
}

bool ColumnDive::choose(Rest& rest) {
  const std::size_t before = rest.filling.size();
  for (const auto& [column, value] : rest.used) {
    if (value >= 1 - kNearlyWholeColumn) fix(rest, column, static_cast<std::uint32_t>(value + kNearlyWholeColumn), false);
  }
  if (rest.filling.size() > before) return true;
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const auto& [column, value] : rest.used) {
    order.emplace_back(value + (is_blurred_ || rest.least == kLargestAlone ? kBlurOfUse * random_.share() : 0), column);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [value, column] : order) {
    const bool is_first = rest.filling.size() == before;
    if (!is_first && value < rest.least) break;
    fix(rest, column, 1, is_first);
  }
  return rest.filling.size() > before;
}

void ColumnDive::set_next(Rest rest) {
  next_.emplace(std::move(rest));
  next_->tries = 0;
  next_->rounds = 0;
  next_->holds_what_is_left = false;
  next_->program.set_left(next_->left, next_->nodes_left, next_->budget_left);
}

bool ColumnDive::settle(const IsWanted& is_wanted, const FindColumns& find, Effort& effort) {
  Rest& rest = *next_;
  std::uint64_t pivots = 0;
  do {
    pivots = rest.program.solve(kPivotsPerLook);
    if (effort.add(rest.program.take_work())) return false;
  } while (pivots == kPivotsPerLook);
  if (!std::exchange(rest.holds_what_is_left, true) && rest.program.drop_beyond(rest.left, rest.nodes_left)) return false;
  const bool is_enough = rest.rounds >= kRoundsPerStep && is_wanted(rest.cost + rest.program.objective());
  if (is_enough || rest.rounds >= kMostRoundsPerStep) return true;
  ++rest.rounds;
  return !find(rest.program, rest.left, rest.nodes_left) && !effort.is_over();
}

// Another choice at the last point, or at an earlier one where several have failed.
void ColumnDive::take_back(const IsWanted& is_wanted) {
  while (path_.size() > 1 && path_.back().tries >= kTriesAtAPoint) path_.pop_back();
  path_.back().least = kLargestAlone;
  has_ended_ = ++retreats_ > most_retreats_ || !is_wanted(path_.back().cost + path_.back().program.objective());
}

void ColumnDive::step(const IsWanted& is_wanted, const FindColumns& find, Effort& effort) {
  if (next_) {
    if (!settle(is_wanted, find, effort)) return;
    if (is_wanted(next_->cost + next_->program.objective())) {
      next_->used = next_->program.used();
      path_.push_back(*std::exchange(next_, std::nullopt));
      if (path_.size() > kMostRemembered) path_.pop_front();
    } else {
      next_.reset();
      has_ended_ = path_.empty();
      if (!has_ended_) take_back(is_wanted);
    }
    return;
  }
  ++path_.back().tries;
  Rest rest = path_.back();
  has_ended_ = !choose(rest);
  if (has_ended_) return;
  if (std::any_of(rest.left.begin(), rest.left.end(), [](std::uint32_t replicas) { return replicas > 0; }))
    return set_next(std::move(rest));
  if (!is_wanted(rest.cost)) return take_back(is_wanted);
  found_ = std::move(rest.filling);
  cost_ = rest.cost;
  has_ended_ = true;
}

}  // namespace stowage
