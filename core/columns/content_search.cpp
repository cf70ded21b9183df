#include "core/columns/content_search.h"

#include <array>
#include <numeric>

namespace stowage {
namespace {

/// Contents that were best for a while, at most.
constexpr std::size_t kMostFoundContents = 6;
/// Dimensions with a smaller multiplier cost nothing.
constexpr double kLeastMultiplier = 1e-9;
/// Of a search with a table: what the table takes; cells that are filled in an operation; cells, at most.
constexpr std::uint64_t kPartOfTable = 4;
constexpr std::uint64_t kCellsPerOperation = 8;
constexpr std::uint64_t kMostCellsOfTable = std::uint64_t{1} << 20;

}  // namespace

ContentSearch::ContentSearch(const BestContent& of, const BestContent::Part& part, std::span<const std::uint32_t> wanted,
                             double floor, Effort& effort)
    : of_(of),
      part_(part),
      problem_(of.problem_),
      worths_(of.worths_),
      effort_(effort),
      dims_(of.dims_.size()),
      floor_(floor),
      fixed_(of.worths_.fixed - part.fixed_use) {
  const KnapsackRelaxation& relaxation = part.relaxation;
  const std::vector<double>& unit = part.unit;
  // An item that is worth nothing by itself may be part of what is.
  std::vector<std::uint8_t> is_part(problem_.items.size(), 0);
  for (const Worths::Step& step : worths_.steps) {
    for (const auto& [item, copies] : step.at_least) is_part[item] |= step.at_least.size() > 1 && step.worth > 0 ? 1 : 0;
  }
  for (const std::uint32_t h : of.dims_) {
    if (!of.kind_.risk.empty()) of_dim_.push_back(problem_.instance->resource_of(h));
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < of.items_.size(); ++k) {
    const double price = relaxation.surrogate(k);
    // What costs more than it is worth by the part's slope may cost less beside others.
    if (wanted[of.items_[k]] == 0 || (of.worth_of_one_[k] <= 0 && is_part[of.items_[k]] == 0)) continue;
    // One replica loses at least this much against the relaxation.
    if (unit[k] - price < floor - part.upper) continue;
    order.emplace_back(price > 0 ? unit[k] / price : std::numeric_limits<double>::infinity(), k);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  position_.assign(problem_.items.size(), kNone);
  for (const auto& [density, k] : order) {
    const std::uint32_t i = of.items_[k];
    position_[i] = static_cast<std::uint32_t>(item_.size());
    item_.push_back(i);
    worth_.push_back(worths_.of_item[i] - of.least_use(part, i));
    unit_.push_back(unit[k]);
    price_.push_back(relaxation.surrogate(k));
    most_.push_back(std::min(of.kind_.most[i], wanted[i]));
    for (const std::uint32_t h : of.dims_) {
      const std::int64_t demand = problem_.items[i].demand[h];
      demand_.push_back(demand);
      density_.push_back(demand > 0 ? unit[k] / static_cast<double>(demand) * (1 + kContentRounding)
                                    : std::numeric_limits<double>::infinity());
    }
    for (const ResourceId r : of_dim_) risk_.push_back(problem_.items[i].risk[r]);
  }
  for (const std::uint32_t h : of.dims_) left_.push_back(of.carries_[h]);
  for (const ResourceId r : of_dim_) held_.push_back(of.kind_.risk[r]);
  chosen_.assign(item_.size(), 0);
  sort_steps();
  stack_.resize(item_.size());
  std::iota(stack_.begin(), stack_.end(), 0u);
  bonus_ = 0;
  for (const Worths::Step* step : joint_) bonus_ += std::max(0.0, step->worth);
  const auto& multipliers = relaxation.multipliers();
  room_ = std::accumulate(multipliers.begin(), multipliers.end(), 0.0) + kContentRounding;
  for (std::size_t d = 0; d < multipliers.size(); ++d) {
    if (multipliers[d] > kLeastMultiplier) tight_.push_back(d);
  }
  effort_.add(4 * item_.size() * (dims_ + 1));
  take(fixed_);
}

std::uint64_t ContentSearch::descend(std::uint64_t most) {
  work_left_ = most;
  visit(0, item_.size(), fixed_, room_);
  return work_left_;
}

// Labels are compared by least use.
bool ContentSearch::may_label() const {
  return joint_.empty() && problem_.objective != Objective::kUcac &&
         std::all_of(item_.begin(), item_.end(), [&](std::uint32_t i) { return problem_.limits[i].empty(); });
}

void ContentSearch::sort_steps() {
  single_.resize(item_.size());
  for (const Worths::Step& step : worths_.steps) {
    if (step.at_least.size() > 1) {
      joint_.push_back(&step);
    } else if (const std::uint32_t p = position_[step.at_least.front().first]; p != kNone) {
      single_[p].emplace_back(step.at_least.front().second, step.worth);
    }
  }
}

std::uint64_t ContentSearch::descend_by_table(std::uint64_t most) {
  const std::size_t cells = std::min<std::uint64_t>(kMostCellsOfTable, most / kPartOfTable * kCellsPerOperation);
  fill_table(cells);
  work_left_ = most;
  count(cells / kCellsPerOperation);
  extend_by_table(0, fixed_, room_);
  return work_left_;
}

void ContentSearch::extend_by_table(std::size_t p, double value, double room) {
  for (; p < item_.size() && work_left_ > 0; ++p) {
    if (value + by_table(p, room) + bonus_ <= floor_) return;
    count(1);
    for (std::uint32_t copies = most_within(p, room); copies >= 1 && work_left_ > 0; --copies) {
      const double rest = std::max(0.0, room - price_[p] * copies);
      const double now = value + worth_of(p, copies);
      count(1);
      if (now + by_table(p + 1, rest) + bonus_ <= floor_) continue;
      put(p, copies);
      take(now);
      extend_by_table(p + 1, now, rest);
      put_back(p, copies);
    }
  }
}

// A knapsack in one dimension: room at the relaxation's prices. Prices are rounded down to cells.
void ContentSearch::fill_table(std::size_t cells) {
  width_ = cells / (item_.size() + 1) + 2;
  cells_per_room_ = static_cast<double>(width_ - 1) / room_ * (1 + kContentRounding);
  table_.assign((item_.size() + 1) * width_, 0);
  for (std::size_t p = item_.size(); p-- > 0;) {
    double* const row = table_.data() + p * width_;
    std::copy_n(row + width_, width_, row);
    const auto each = static_cast<std::size_t>(price_[p] * cells_per_room_ * (1 - 4 * kContentRounding));
    if (each == 0) {
      const double all = unit_[p] * most_[p];
      for (std::size_t c = 0; c < width_; ++c) row[c] += all;
      continue;
    }
    // One, two, four ... of them: as many as there are.
    std::size_t left = std::min<std::size_t>(most_[p], (width_ - 1) / each);
    for (std::size_t part = 1; left > 0; part *= 2) {
      const std::size_t copies = std::min(part, left);
      left -= copies;
      const double worth = unit_[p] * static_cast<double>(copies);
      const std::size_t shift = copies * each;
      for (std::size_t c = width_ - 1; c >= shift; --c) row[c] = std::max(row[c], row[c - shift] + worth);
    }
  }
  for (double& worth : table_) worth *= 1 + kContentRounding;
}

void ContentSearch::visit(std::size_t from, std::size_t to, double value, double room) {
  const std::size_t begin = stack_.size();
  const std::uint32_t more = keep_what_fits(from, to, floor_ - value - bonus_);
  const std::size_t end = stack_.size();
  if (more <= 2 && joint_.empty()) {
    if (more > 0) add_one(begin, end, value);
    if (more > 1) add_two(begin, end, value);
  } else if (more > 0) {
    extend(begin, end, value, room);
  }
  stack_.resize(begin);
}

void ContentSearch::extend(std::size_t begin, std::size_t end, double value, double room) {
  for (std::size_t at = begin; at < end && work_left_ > 0; ++at) {
    if (value + relaxed(at, end, room) + bonus_ <= floor_) break;
    const std::uint32_t p = stack_[at];
    // Beside others, what is worth less than nothing by the part's slope may cost less.
    const bool costs = worth_[p] < 0 && single_[p].empty();
    const double spare = costs ? value + relaxed(at + 1, end, room) + bonus_ - floor_ : 0;
    std::uint32_t copies = most_within(p, room);
    if (costs) copies = static_cast<std::uint32_t>(std::min<double>(copies, std::max(0.0, spare) / -worth_[p]));
    for (; copies >= 1 && work_left_ > 0; --copies) {
      const double rest = room - price_[p] * copies;
      const double now = value + worth_of(p, copies);
      if (now + relaxed(at + 1, end, rest) + bonus_ <= floor_) {
        // What replaces more of the densest item is worth less.
        if (single_[p].empty() && !costs) break;
        continue;
      }
      put(p, copies);
      take(now);
      if (at + 1 < end) visit(at + 1, end, now, rest);
      put_back(p, copies);
    }
  }
}

std::uint32_t ContentSearch::keep_what_fits(std::size_t from, std::size_t to, double wanted) {
  least_.assign(dims_, std::numeric_limits<std::int64_t>::max());
  densest_.assign(dims_, 0);
  std::array<double, kLargest> largest{};
  std::uint64_t more = 0;
  for (std::size_t at = from; at < to; ++at) {
    const std::uint32_t p = stack_[at];
    if (!has_room(p)) continue;
    stack_.push_back(p);
    more += most_[p];
    for (std::size_t d = 0; d < dims_; ++d) {
      least_[d] = std::min(least_[d], demand_[p * dims_ + d]);
      densest_[d] = std::max(densest_[d], density_[p * dims_ + d]);
    }
    for (std::uint32_t k = std::min<std::uint32_t>(most_[p], kLargest); k > 0 && unit_[p] > largest.back(); --k) {
      std::size_t place = kLargest - 1;
      for (; place > 0 && largest[place - 1] < unit_[p]; --place) largest[place] = largest[place - 1];
      largest[place] = unit_[p];
    }
  }
  count((to - from) * (1 + dims_ / 8) + 1);
  for (std::size_t d = 0; d < dims_; ++d) {
    if (least_[d] > 0) more = std::min<std::uint64_t>(more, static_cast<std::uint64_t>(left_[d] / least_[d]));
  }
  double sum = 0;
  for (std::size_t k = 0; k < kLargest && k < more; ++k) sum += largest[k];
  if (more > kLargest) sum += static_cast<double>(more - kLargest) * largest.back();
  for (std::size_t d = 0; d < dims_; ++d) sum = std::min(sum, static_cast<double>(left_[d]) * densest_[d]);
  return sum <= wanted ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(more, kNone));
}

void ContentSearch::add_one(std::size_t begin, std::size_t end, double value) {
  double most = floor_ - value;
  std::uint32_t best = kNone;
  for (std::size_t at = begin; at < end; ++at) {
    const std::uint32_t p = stack_[at];
    double worth = worth_of(p, 1);
    if (worth <= most) continue;
    chosen_[p] = 1;
    if (problem_.objective == Objective::kUcac) worth -= more_use();
    chosen_[p] = 0;
    if (worth <= most) continue;
    most = worth;
    best = p;
  }
  count(end - begin);
  if (best == kNone) return;
  chosen_[best] = 1;
  take(value + worth_of(best, 1));
  chosen_[best] = 0;
}

double ContentSearch::more_use() const {
  ColumnProblem::Use use = of_.kind_.use;
  double least = part_.fixed_use;
  for (std::uint32_t p = 0; p < chosen_.size(); ++p) {
    if (chosen_[p] == 0) continue;
    use.add(problem_.items[item_[p]].use, chosen_[p]);
    least += of_.least_use(part_, item_[p]) * chosen_[p];
  }
  return use.beyond(of_.kind_.use) - least;
}

void ContentSearch::add_two(std::size_t begin, std::size_t end, double value) {
  by_worth_.assign(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.begin() + static_cast<std::ptrdiff_t>(end));
  std::stable_sort(by_worth_.begin(), by_worth_.end(), [&](std::uint32_t a, std::uint32_t b) { return unit_[a] > unit_[b]; });
  for (std::size_t a = 0; a < by_worth_.size() && work_left_ > 0; ++a) {
    const std::uint32_t first = by_worth_[a];
    if (value + 2 * unit_[first] <= floor_) break;
    if (room_for(first) > 1) {
      chosen_[first] = 2;
      take(value + worth_of(first, 2));
    }
    put(first, 1);
    for (std::size_t b = a + 1; b < by_worth_.size(); ++b) {
      const std::uint32_t second = by_worth_[b];
      if (value + unit_[first] + unit_[second] <= floor_) break;
      count(1 + dims_ / 8);
      if (!has_room(second)) continue;
      chosen_[second] = 1;
      take(value + worth_of(first, 1) + worth_of(second, 1));
      chosen_[second] = 0;
    }
    put_back(first, 1);
  }
}

bool ContentSearch::has_room(std::uint32_t p) const {
  if (most_[p] == 0) return false;
  const std::size_t row = p * dims_;
  for (std::size_t d = 0; d < dims_; ++d) {
    if (demand_[row + d] > left_[d]) return false;
  }
  for (std::size_t d = 0; d < of_dim_.size(); ++d) {
    const std::int64_t risk = risk_[row + d];
    if (risk == 0 && (demand_[row + d] == 0 || held_[d] == 0)) continue;
    if (problem_.instance->risk_room(left_[d] - demand_[row + d], of_dim_[d]) < held_[d] + risk) return false;
  }
  return true;
}

// What is beyond an interval of risk is found in another one.
std::uint32_t ContentSearch::most_within(std::uint32_t p, double room) const {
  const std::uint32_t copies = room_for(p);
  return price_[p] * copies > room ? static_cast<std::uint32_t>(room / price_[p]) : copies;
}

std::uint32_t ContentSearch::room_for(std::uint32_t p) const {
  if (!of_dim_.empty()) return room_at_confidence(p);
  std::int64_t copies = most_[p];
  const std::int64_t* demand = demand_.data() + p * dims_;
  for (std::size_t d = 0; d < dims_ && copies > 0; ++d) {
    if (demand[d] * copies > left_[d]) copies = left_[d] / demand[d];
  }
  return static_cast<std::uint32_t>(copies);
}

std::uint32_t ContentSearch::room_at_confidence(std::uint32_t p) const {
  std::uint32_t copies = most_[p];
  for (std::size_t d = 0; d < dims_ && copies > 0; ++d) copies = room_in(d, p, copies);
  return copies;
}

std::uint32_t ContentSearch::room_in(std::size_t d, std::uint32_t p, std::uint32_t most) const {
  const std::size_t at = p * dims_ + d;
  const std::int64_t risk = of_dim_.empty() ? 0 : risk_[at];
  if (demand_[at] == 0 && risk == 0) return most;
  if (of_dim_.empty()) return static_cast<std::uint32_t>(std::min<std::int64_t>(most, left_[d] / demand_[at]));
  return problem_.instance->most_beside(left_[d], held_[d], demand_[at], risk, of_dim_[d], most);
}

double ContentSearch::relaxed(std::size_t at, std::size_t end, double room) {
  double sum = 0;
  count(1);
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

void ContentSearch::put(std::uint32_t p, std::uint32_t copies) {
  chosen_[p] = copies;
  for (std::size_t d = 0; d < dims_; ++d) left_[d] -= demand_[p * dims_ + d] * copies;
  for (std::size_t d = 0; d < of_dim_.size(); ++d) held_[d] += risk_[p * dims_ + d] * copies;
  marks_.push_back(saved_.size());
  for (const ColumnProblem::Limit& limit : problem_.limits[item_[p]]) {
    const std::uint32_t other = position_[limit.item];
    if (other == kNone || other == p) continue;
    const std::uint32_t allowed = copies > limit.obeys ? 0 : std::min(most_[other], limit.imposes);
    if (allowed == most_[other]) continue;
    saved_.emplace_back(other, most_[other]);
    most_[other] = allowed;
  }
  count(1 + dims_ + problem_.limits[item_[p]].size());
}

void ContentSearch::put_back(std::uint32_t p, std::uint32_t copies) {
  chosen_[p] = 0;
  for (std::size_t d = 0; d < dims_; ++d) left_[d] += demand_[p * dims_ + d] * copies;
  for (std::size_t d = 0; d < of_dim_.size(); ++d) held_[d] -= risk_[p * dims_ + d] * copies;
  while (saved_.size() > marks_.back()) {
    most_[saved_.back().first] = saved_.back().second;
    saved_.pop_back();
  }
  marks_.pop_back();
}

void ContentSearch::take(double value) {
  if (value + bonus_ <= floor_) return;
  ItemContent content;
  for (std::uint32_t p = 0; p < chosen_.size(); ++p) {
    if (chosen_[p] > 0) content.emplace_back(item_[p], chosen_[p]);
  }
  std::sort(content.begin(), content.end());
  for (const Worths::Step* step : joint_) value += holds(content, step->at_least) ? step->worth : 0;
  if (problem_.objective == Objective::kUcac) value -= more_use();
  if (value <= floor_) return;
  floor_ = value;
  if (contents_.size() == kMostFoundContents) contents_.erase(contents_.begin());
  contents_.push_back(std::move(content));
}

}  // namespace stowage
