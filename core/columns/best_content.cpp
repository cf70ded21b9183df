#include "core/columns/best_content.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace stowage {
namespace {

/// Relative to the sum of what is added up.
constexpr double kContentRounding = 1e-10;
/// Contents that were best for a while, at most.
constexpr std::size_t kMostFoundContents = 6;

}  // namespace

bool holds(const ItemContent& content, std::span<const std::pair<std::uint32_t, std::uint32_t>> at_least) {
  return std::all_of(at_least.begin(), at_least.end(), [&](const auto& one) {
    const auto at = std::lower_bound(content.begin(), content.end(), std::pair(one.first, 0u));
    return at != content.end() && at->first == one.first && at->second >= one.second;
  });
}

BestContent::BestContent(const ColumnProblem& problem, std::uint32_t kind)
    : problem_(problem), kind_(problem.kinds[kind]), relaxation_(0) {
  for (std::uint32_t i = 0; i < problem.items.size(); ++i) {
    if (kind_.most[i] > 0) items_.push_back(i);
  }
  for (std::uint32_t h = 0; h < problem.dims; ++h) {
    // What all items together do not use up is never short.
    std::int64_t left = kind_.carries[h];
    for (const std::uint32_t i : items_) {
      const std::int64_t demand = problem.items[i].demand[h];
      if (demand > 0 && left >= 0) left = demand > left / kind_.most[i] ? -1 : left - demand * kind_.most[i];
    }
    if (left < 0) dims_.push_back(h);
  }
  relaxation_ = KnapsackRelaxation(dims_.size());
  std::vector<double> weight(dims_.size());
  for (const std::uint32_t i : items_) {
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      const std::int64_t carries = kind_.carries[dims_[d]];
      weight[d] = carries > 0 ? static_cast<double>(problem.items[i].demand[dims_[d]]) / static_cast<double>(carries) : 0;
    }
    relaxation_.add(weight, kind_.most[i]);
  }
}

class BestContent::Search {
 public:
  Search(const BestContent& of, const Worths& worths, std::span<const double> unit, std::span<const std::uint32_t> wanted,
         double floor, double upper, std::uint64_t work)
      : problem_(of.problem_), worths_(worths), dims_(of.dims_.size()), floor_(floor), work_left_(work) {
    // An item that is worth nothing by itself may be part of what is.
    std::vector<std::uint8_t> is_part(problem_.items.size(), 0);
    for (const Worths::Step& step : worths_.steps) {
      for (const auto& [item, copies] : step.at_least) is_part[item] |= step.at_least.size() > 1 && step.worth > 0 ? 1 : 0;
    }
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < of.items_.size(); ++k) {
      const double price = of.relaxation_.surrogate(k);
      if (wanted[of.items_[k]] == 0 || (unit[k] <= 0 && is_part[of.items_[k]] == 0)) continue;
      // One replica loses at least this much against the relaxation.
      if (unit[k] - price < floor - upper) continue;
      order.emplace_back(price > 0 ? unit[k] / price : std::numeric_limits<double>::infinity(), k);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    position_.assign(problem_.items.size(), kNone);
    for (const auto& [density, k] : order) {
      const std::uint32_t i = of.items_[k];
      position_[i] = static_cast<std::uint32_t>(item_.size());
      item_.push_back(i);
      unit_.push_back(unit[k]);
      price_.push_back(of.relaxation_.surrogate(k));
      most_.push_back(std::min(of.kind_.most[i], wanted[i]));
      for (const std::uint32_t h : of.dims_) demand_.push_back(problem_.items[i].demand[h]);
    }
    for (const std::uint32_t h : of.dims_) left_.push_back(of.kind_.carries[h]);
    chosen_.assign(item_.size(), 0);
    sort_steps();
    stack_.resize(item_.size());
    std::iota(stack_.begin(), stack_.end(), 0u);
    bonus_ = 0;
    for (const Worths::Step* step : joint_) bonus_ += std::max(0.0, step->worth);
    const auto& multipliers = of.relaxation_.multipliers();
    take(worths.fixed);
    visit(0, item_.size(), worths.fixed, std::accumulate(multipliers.begin(), multipliers.end(), 0.0) + kContentRounding);
  }

  [[nodiscard]] bool is_finished() const { return work_left_ > 0; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] std::vector<ItemContent>& contents() { return contents_; }
  [[nodiscard]] std::uint64_t work_left() const { return work_left_; }

 private:
  /// Steps of one item count as soon as its replicas are chosen, others when a content is complete.
  void sort_steps() {
    single_.resize(item_.size());
    for (const Worths::Step& step : worths_.steps) {
      if (step.at_least.size() > 1) {
        joint_.push_back(&step);
      } else if (const std::uint32_t p = position_[step.at_least.front().first]; p != kNone) {
        single_[p].emplace_back(step.at_least.front().second, step.worth);
      }
    }
  }
  [[nodiscard]] double worth_of(std::uint32_t p, std::uint32_t copies) const {
    double worth = worths_.of_item[item_[p]] * copies;
    for (const auto& [least, added] : single_[p]) worth += copies >= least ? added : 0;
    return worth;
  }
  void count(std::uint64_t work) { work_left_ -= std::min(work_left_, work); }

  /// Extends the content by items of stack_[from, to), which are positions by density.
  void visit(std::size_t from, std::size_t to, double value, double room) {
    const std::size_t begin = stack_.size();
    keep_what_fits(from, to);
    const std::size_t end = stack_.size();
    for (std::size_t at = begin; at < end && work_left_ > 0; ++at) {
      if (value + relaxed(at, end, room) + bonus_ <= floor_) break;
      const std::uint32_t p = stack_[at];
      for (std::uint32_t copies = room_for(p); copies >= 1 && work_left_ > 0; --copies) {
        put(p, copies);
        const double now = value + worth_of(p, copies);
        take(now);
        if (at + 1 < end) visit(at + 1, end, now, room - price_[p] * copies);
        put_back(p, copies);
      }
    }
    stack_.resize(begin);
  }
  void keep_what_fits(std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      if (room_for(stack_[at]) > 0) stack_.push_back(stack_[at]);
    }
    count((to - from) * (dims_ + 1) + 1);
  }
  [[nodiscard]] std::uint32_t room_for(std::uint32_t p) const {
    std::int64_t copies = most_[p];
    const std::int64_t* demand = demand_.data() + p * dims_;
    for (std::size_t d = 0; d < dims_ && copies > 0; ++d) {
      if (demand[d] * copies > left_[d]) copies = left_[d] / demand[d];
    }
    return static_cast<std::uint32_t>(copies);
  }
  [[nodiscard]] double relaxed(std::size_t at, std::size_t end, double room) {
    double sum = 0;
    for (; at < end; ++at) {
      const std::uint32_t p = stack_[at];
      const double price = price_[p] * most_[p];
      count(1);
      if (price > room) return sum + std::max(0.0, room) / price_[p] * unit_[p];
      room -= price;
      sum += unit_[p] * most_[p];
    }
    return sum;
  }
  void put(std::uint32_t p, std::uint32_t copies) {
    chosen_[p] = copies;
    for (std::size_t d = 0; d < dims_; ++d) left_[d] -= demand_[p * dims_ + d] * copies;
    marks_.push_back(saved_.size());
    for (const ColumnProblem::Limit& limit : problem_.limits[item_[p]]) {
      const std::uint32_t other = position_[limit.item];
      if (other == kNone || other == p) continue;
      const std::uint32_t allowed = copies > limit.obeys ? 0 : std::min(most_[other], limit.imposes);
      if (allowed == most_[other]) continue;
      saved_.emplace_back(other, most_[other]);
      most_[other] = allowed;
    }
    count(dims_ + problem_.limits[item_[p]].size());
  }
  void put_back(std::uint32_t p, std::uint32_t copies) {
    chosen_[p] = 0;
    for (std::size_t d = 0; d < dims_; ++d) left_[d] += demand_[p * dims_ + d] * copies;
    while (saved_.size() > marks_.back()) {
      most_[saved_.back().first] = saved_.back().second;
      saved_.pop_back();
    }
    marks_.pop_back();
  }
  /// Takes the content that is chosen, if it is worth more than the floor.
  void take(double value) {
    if (value + bonus_ <= floor_) return;
    ItemContent content;
    for (std::uint32_t p = 0; p < chosen_.size(); ++p) {
      if (chosen_[p] > 0) content.emplace_back(item_[p], chosen_[p]);
    }
    std::sort(content.begin(), content.end());
    for (const Worths::Step* step : joint_) value += holds(content, step->at_least) ? step->worth : 0;
    if (value <= floor_) return;
    floor_ = value;
    if (contents_.size() == kMostFoundContents) contents_.erase(contents_.begin());
    contents_.push_back(std::move(content));
  }

  const ColumnProblem& problem_;
  const Worths& worths_;
  std::size_t dims_;
  double floor_;
  double bonus_ = 0;  // what steps of several items may add
  std::uint64_t work_left_;
  // By position: items by density.
  std::vector<std::uint32_t> item_;
  std::vector<double> unit_;   // the most that a replica is worth
  std::vector<double> price_;  // what capacity charges for it
  std::vector<std::uint32_t> most_;
  std::vector<std::int64_t> demand_;
  std::vector<std::vector<std::pair<std::uint32_t, double>>> single_;
  std::vector<std::uint32_t> position_;  // per item
  std::vector<const Worths::Step*> joint_;
  // The content at hand.
  std::vector<std::uint32_t> chosen_;
  std::vector<std::int64_t> left_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> saved_;  // (position, most) before limits of what was put
  std::vector<std::size_t> marks_;
  std::vector<ItemContent> contents_;
};

BestContent::Found BestContent::find(const Worths& worths, double floor, std::span<const std::uint32_t> wanted,
                                     std::uint64_t work) {
  std::vector<double> unit;
  for (const std::uint32_t i : items_) unit.push_back(worths.of_item[i]);
  double bonus = 0;
  for (const Worths::Step& step : worths.steps) {
    if (step.at_least.size() > 1) bonus += std::max(0.0, step.worth);
  }
  for (std::size_t k = 0; k < items_.size(); ++k) {
    std::vector<std::pair<std::uint32_t, double>> own;  // steps of the item
    for (const Worths::Step& step : worths.steps) {
      if (step.at_least.size() == 1 && step.at_least.front().first == items_[k])
        own.emplace_back(step.at_least.front().second, step.worth);
    }
    double most = own.empty() ? unit[k] : 0;  // what is worth less than nothing is left out
    const auto ceiling = std::min(kind_.most[items_[k]], wanted[items_[k]]);
    const auto consider = [&](std::uint32_t copies) {
      if (copies == 0 || copies > ceiling) return;
      double worth = unit[k] * copies;
      for (const auto& [least, added] : own) worth += copies >= least ? added : 0;
      most = std::max(most, worth / copies);
    };
    // Between two steps, the worth of one more is the same: the largest worth per replica is at an end.
    for (const auto& [least, added] : own) {
      consider(least);
      consider(least - 1);
    }
    if (!own.empty()) {
      consider(1);
      consider(ceiling);
    }
    unit[k] = most;
  }
  relaxation_.solve(unit);
  Found found;
  found.upper = worths.fixed + bonus + relaxation_.upper(unit) * (1 + kContentRounding);
  work_ += items_.size() * (dims_.size() + 1);
  found.is_exact = found.upper <= floor;
  if (found.is_exact) return found;
  Search search(*this, worths, unit, wanted, floor, found.upper, work);
  work_ += work - search.work_left();
  found.contents = std::move(search.contents());
  found.is_exact = search.is_finished();
  if (found.is_exact) found.upper = std::min(found.upper, search.floor());
  return found;
}

}  // namespace stowage
