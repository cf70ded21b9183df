#include "core/columns/tree/branches.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace stowage {
namespace {

constexpr double kNearlyWholeNodes = 1e-6;

double distance_from_whole(double value) { return std::abs(value - std::nearbyint(value)); }

class ConditionFinder {
 public:
  ConditionFinder(const std::vector<UsedColumn>& used, std::size_t most) : used_(used), most_(most) {}

  void offer(Condition condition) {
    double sum = 0;
    for (const auto& [column, value] : used_) sum += condition.is_met(*column) ? value : 0;
    if (distance_from_whole(sum) > kNearlyWholeNodes) found_.emplace_back(std::move(condition), sum);
  }
  [[nodiscard]] bool any() const { return !found_.empty(); }
  std::vector<std::pair<Condition, double>> take() {
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
      return distance_from_whole(a.second) > distance_from_whole(b.second);
    });
    if (found_.size() > most_) found_.resize(most_);
    return std::move(found_);
  }

 private:
  const std::vector<UsedColumn>& used_;
  std::size_t most_;
  std::vector<std::pair<Condition, double>> found_;
};

}  // namespace

std::vector<std::pair<Condition, double>> fractional_conditions(const ColumnProblem& problem,
                                                                const std::vector<UsedColumn>& used, std::size_t most) {
  std::vector<UsedColumn> fractions;
  std::copy_if(used.begin(), used.end(), std::back_inserter(fractions),
               [](const UsedColumn& one) { return distance_from_whole(one.second) > kNearlyWholeNodes; });
  if (fractions.empty()) return {};
  ConditionFinder finder(used, most);
  finder.offer({});
  for (std::uint32_t k = 0; k < problem.kinds.size(); ++k) finder.offer({k, {}});
  if (finder.any()) return finder.take();

  std::set<std::pair<std::uint32_t, std::uint32_t>> levels;
  for (const auto& [column, value] : fractions) levels.insert(column->content.begin(), column->content.end());
  for (const auto& level : levels) finder.offer({kNone, {level}});
  if (finder.any()) return finder.take();
  std::set<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> of_kinds;
  for (const auto& [column, value] : fractions) {
    for (const auto& level : column->content) of_kinds.emplace(column->kind, level);
  }
  for (const auto& [kind, level] : of_kinds) finder.offer({kind, {level}});
  if (finder.any()) return finder.take();

  std::set<ItemContent> pairs;
  for (const auto& [column, value] : fractions) {
    for (std::size_t a = 0; a < column->content.size(); ++a) {
      for (std::size_t b = a + 1; b < column->content.size(); ++b) pairs.insert({column->content[a], column->content[b]});
    }
  }
  for (const ItemContent& pair : pairs) finder.offer({kNone, pair});
  if (finder.any()) return finder.take();
  // A content that no other fraction exceeds meets the condition of its own alone.
  for (const auto& [column, value] : fractions) finder.offer({column->kind, column->content});
  return finder.take();
}

}  // namespace stowage
