#include "core/columns/best_content.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/columns/content_search.h"

namespace stowage {
namespace {

/// Chords are lowered by this share, which is more than rounding.
constexpr double kChordMargin = 1e-9;
/// With no more operations, a search does not try labels.
constexpr std::uint64_t kFewOperations = std::uint64_t{1} << 15;
/// Capacities of more units are not lowered, times the items.
constexpr std::int64_t kMostSumsOfDemands = 1 << 20;
/// Operations to lower capacities of all kinds that do not count as work: about 20 ms.
constexpr std::uint64_t kFreeSums = std::uint64_t{1} << 23;
/// Dimensions of relaxations: without the others, nodes only hold more.
constexpr std::size_t kMostPricedDims = 12;
/// Stands for a replica that does not fit.
constexpr double kMostWeight = 2;

}  // namespace

bool holds(const ItemContent& content, std::span<const std::pair<std::uint32_t, std::uint32_t>> at_least) {
  return std::all_of(at_least.begin(), at_least.end(), [&](const auto& one) {
    const auto at = std::lower_bound(content.begin(), content.end(), std::pair(one.first, 0u));
    return at != content.end() && at->first == one.first && at->second >= one.second;
  });
}

BestContent::BestContent(const ColumnProblem& problem, std::uint32_t kind)
    : problem_(problem), kind_(problem.kinds[kind]), carries_(kind_.carries), free_sums_(kFreeSums / problem.kinds.size()) {
  for (std::uint32_t i = 0; i < problem.items.size(); ++i) {
    if (kind_.most[i] > 0) items_.push_back(i);
  }
  for (std::uint32_t h = 0; h < problem.dims; ++h) {
    if (may_be_short(h)) dims_.push_back(h);
  }
  rank_dims();
  peak_ = peak_of_full_nodes();
  add_parts();
}

double BestContent::Found::upper() const {
  double most_worth = -std::numeric_limits<double>::infinity();
  for (const Most& one : most) most_worth = std::max(most_worth, one.worth);
  return most_worth;
}

// Of nodes that are filled with some of everything.
std::uint32_t BestContent::peak_of_full_nodes() const {
  std::vector<double> means = kind_.use.means;
  if (means.empty()) return kNone;
  std::vector<double> added(means.size(), 0);
  for (const ColumnProblem::Item& item : problem_.items) {
    for (std::size_t t = 0; t < added.size(); ++t) added[t] += item.use.means[t] * item.replicas;
  }
  const double most = *std::max_element(added.begin(), added.end());
  const double room = std::max(0.0, 1 - kind_.use.peak());
  for (std::size_t t = 0; t < means.size() && most > 0; ++t) means[t] += added[t] / most * room;
  return static_cast<std::uint32_t>(std::max_element(means.begin(), means.end()) - means.begin());
}

// Those that items want most of beside capacity first.
void BestContent::rank_dims() {
  priced_ = std::min(dims_.size(), kMostPricedDims);
  if (priced_ == dims_.size()) return;
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const std::uint32_t h : dims_) {
    double wanted = 0;
    for (const std::uint32_t i : items_) {
      wanted += static_cast<double>(problem_.items[i].demand[h]) * problem_.items[i].replicas;
    }
    order.emplace_back(-wanted / static_cast<double>(std::max<std::int64_t>(1, kind_.carries[h])), h);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t d = 0; d < dims_.size(); ++d) dims_[d] = order[d].second;
}

// What all items together do not use up is never short.
bool BestContent::may_be_short(std::uint32_t dim) const {
  std::int64_t left = kind_.carries[dim];
  const ResourceId r = kind_.risk.empty() ? 0 : problem_.instance->resource_of(dim);
  std::int64_t held = kind_.risk.empty() ? 0 : kind_.risk[r];
  for (const std::uint32_t i : items_) {
    const ColumnProblem::Item& item = problem_.items[i];
    if (problem_.most_beside(left, held, item, dim, kind_.most[i]) < kind_.most[i]) return true;
    left -= item.demand[dim] * kind_.most[i];
    held += kind_.risk.empty() ? 0 : item.risk[r] * kind_.most[i];
  }
  return false;
}

// Without risk, there is one part. Where the run ends, the next call goes on.
void BestContent::lower_capacities(Effort& effort) {
  if (lowered_ == priced_ || !kind_.risk.empty()) return;
  for (bool is_over = false; lowered_ < priced_ && !is_over;) {
    const std::uint64_t sums = lower_capacity(dims_[lowered_++]);
    const std::uint64_t free = std::min(free_sums_, sums);
    free_sums_ -= free;
    is_over = sums > free && effort.add(sums - free);
  }
  parts_.front().relaxation = relaxation(std::vector<Roots>(priced_));
}

// To the largest sum of demands that it holds: no content uses more.
std::uint64_t BestContent::lower_capacity(std::uint32_t dim) {
  std::int64_t unit = 0;
  for (const std::uint32_t i : items_) unit = std::gcd(unit, problem_.items[i].demand[dim]);
  const std::int64_t most = carries_[dim] / unit;
  if (most >= kMostSumsOfDemands / static_cast<std::int64_t>(items_.size())) return items_.size();
  std::vector<bool> sums(static_cast<std::size_t>(most) + 1, false);
  sums[0] = true;
  for (const std::uint32_t i : items_) {
    const auto demand = static_cast<std::size_t>(problem_.items[i].demand[dim] / unit);
    // How many replicas of the item the sum needs; it is counted anew for each.
    std::vector<std::uint32_t> copies(sums.size(), 0);
    for (std::size_t sum = demand; demand > 0 && sum < sums.size(); ++sum) {
      if (sums[sum] || !sums[sum - demand] || copies[sum - demand] == kind_.most[i]) continue;
      sums[sum] = true;
      copies[sum] = copies[sum - demand] + 1;
    }
  }
  std::size_t largest = sums.size() - 1;
  while (!sums[largest]) --largest;
  carries_[dim] = static_cast<std::int64_t>(largest) * unit;
  return items_.size() * sums.size();
}

// In squares of scaled units.
double BestContent::risk_of(std::uint32_t item, std::uint32_t dim) const {
  if (kind_.risk.empty()) return 0;
  const ResourceId r = problem_.instance->resource_of(dim);
  const double root = problem_.instance->root_of_risk(problem_.items[item].risk[r], r);
  return root * root;
}

// Where all demand has the ratio q of risk to mean, a full node has the root s of (s s - H) / q + s = C.
BestContent::Roots BestContent::of_full_nodes(std::uint32_t dim) const {
  const ResourceId r = problem_.instance->resource_of(dim);
  const double held = problem_.instance->root_of_risk(kind_.risk[r], r);
  const auto capacity = static_cast<double>(kind_.carries[dim]);
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const std::uint32_t i : items_) {
    const auto mean = static_cast<double>(problem_.items[i].demand[dim]);
    const double risk = risk_of(i, dim);
    if (mean <= 0 && risk <= 0) continue;
    const double ratio = mean > 0 ? risk / mean : std::numeric_limits<double>::infinity();
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  const auto root = [&](double ratio) {
    const double sum = held * held + ratio * capacity;
    const double full = ratio <= 0          ? held
                        : std::isinf(ratio) ? capacity
                                            : 2 * sum / (ratio + std::sqrt(ratio * ratio + 4 * sum));
    return std::clamp(full, held, std::max(held, capacity)) * (1 + kChordMargin);
  };
  return {held, most > 0 ? root(least) : held, root(most)};
}

// With risk, intervals of the resource whose full nodes have most risk beside their capacity, or of which used capacity counts:
// up to what a full node has at least, and from there to the most.
void BestContent::add_parts() {
  std::vector<Roots> of_dims;
  ResourceId split = kNone;
  double most_share = 0;
  const bool is_used = problem_.objective == Objective::kUcac;
  for (std::size_t d = 0; d < priced_ && !kind_.risk.empty(); ++d) {
    const ResourceId r = problem_.instance->resource_of(dims_[d]);
    of_dims.push_back(of_full_nodes(dims_[d]));
    if (is_used && r != problem_.instance->uncertain_resource()) continue;
    const double share = of_dims.back().most / static_cast<double>(std::max<std::int64_t>(1, kind_.carries[dims_[d]]));
    if (share > most_share) split = r;
    most_share = std::max(most_share, share);
  }
  if (split == kNone) {
    add_part(std::vector<Roots>(priced_), of_all_nodes());
    return;
  }
  // A node has to fit in all periods.
  Roots full{0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t d = 0; d < priced_; ++d) {
    if (problem_.instance->resource_of(dims_[d]) != split) continue;
    full = {of_dims[d].stays, std::min(full.first, of_dims[d].first), std::min(full.most, of_dims[d].most)};
  }
  for (Roots& roots : of_dims) roots.first = roots.stays;
  double first = full.stays;
  for (std::size_t k = 0; k < kRiskIntervals; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(kRiskIntervals - 1);
    const double last = full.first + (full.most - full.first) * share;
    if (last <= first && k + 1 < kRiskIntervals) continue;
    for (std::size_t d = 0; d < priced_; ++d) {
      if (problem_.instance->resource_of(dims_[d]) == split) of_dims[d] = {full.stays, first, std::max(first, last)};
    }
    add_part(of_dims, {full.stays, first, std::max(first, last)});
    first = last;
  }
}

// In scaled units, as of risks that are not rounded.
BestContent::Roots BestContent::of_all_nodes() const {
  if (problem_.objective != Objective::kUcac) return {};
  const double unit = problem_.dearest / problem_.instance->scale(problem_.instance->uncertain_resource()).unit();
  double square = kind_.use.square;
  for (const std::uint32_t i : items_) square += problem_.items[i].use.square * kind_.most[i];
  const double held = std::sqrt(kind_.use.square) * unit;
  return {held, held, std::sqrt(square) * unit};
}

void BestContent::add_part(const std::vector<Roots>& between, Roots used) {
  Part part{relaxation(between), 0, 0, 0, {}, 0};
  if (problem_.objective == Objective::kUcac) {
    const ResourceId r = problem_.instance->uncertain_resource();
    const double unit = problem_.instance->scale(r).unit() / problem_.dearest;
    const double held = std::sqrt(kind_.use.square);
    // Each replica's risk, and that of what stays, is rounded by a unit at most.
    double replicas = 2;
    double least_square = std::numeric_limits<double>::infinity();
    for (const std::uint32_t i : items_) {
      replicas += 2.0 * kind_.most[i];
      least_square = std::min(least_square, problem_.items[i].use.square);
    }
    const double rounding = problem_.instance->root_of_risk(1, r) * unit;
    const double low = std::max(held, used.first * unit * (1 - kChordMargin));
    const double high =
        std::max(low, std::sqrt(used.most * used.most * unit * unit + replicas * rounding * rounding)) * (1 + kChordMargin);
    if (high > 0) {
      part.per_square = 1 / (low + high);
      part.fixed_use = (kind_.use.square + low * high) * part.per_square - held;
    }
    if (peak_ != kNone) part.fixed_use += kind_.use.means[peak_] - kind_.use.peak();
    part.least_use = std::max(low - held, std::sqrt(kind_.use.square + least_square) - held) * (1 - kChordMargin);
    most_use_ = std::max(most_use_, high - held + (peak_ == kNone ? 0 : 1));
  }
  parts_.push_back(std::move(part));
}

KnapsackRelaxation BestContent::relaxation(const std::vector<Roots>& between) const {
  std::vector<double> per_risk(priced_, 0);
  std::vector<double> capacity;
  for (std::size_t d = 0; d < priced_; ++d) {
    const Roots& roots = between[d];
    capacity.push_back(static_cast<double>(carries_[dims_[d]]));
    const double low = roots.first * (1 - kChordMargin);
    const double high = roots.most * (1 + kChordMargin);
    if (high <= 0) continue;
    per_risk[d] = 1 / (low + high);
    const double left = capacity[d] - (roots.stays * roots.stays + low * high) * per_risk[d];
    capacity[d] = std::max(0.0, left) + kChordMargin * capacity[d];
  }
  KnapsackRelaxation result(priced_);
  std::vector<double> weight(priced_);
  for (const std::uint32_t i : items_) {
    double most = kind_.most[i];
    for (std::size_t d = 0; d < priced_; ++d) {
      const double demand = static_cast<double>(problem_.items[i].demand[dims_[d]]) + per_risk[d] * risk_of(i, dims_[d]);
      weight[d] = demand <= 0 ? 0 : capacity[d] > 0 ? std::min(demand / capacity[d], kMostWeight) : kMostWeight;
      if (weight[d] > 0 && per_risk[d] > 0) most = std::min(most, std::floor((1 + kChordMargin) / weight[d]));
    }
    result.add(weight, most);
  }
  return result;
}

void BestContent::set(Worths worths, Effort& effort) {
  lower_capacities(effort);
  worths_ = std::move(worths);
  worth_of_one_ = most_of_one();
  double anyway = worths_.fixed;
  for (const Worths::Step& step : worths_.steps) {
    if (step.at_least.size() > 1) anyway += std::max(0.0, step.worth);
  }
  order_.clear();
  for (Part& part : parts_) {
    part.unit.resize(items_.size());
    for (std::size_t k = 0; k < items_.size(); ++k) part.unit[k] = std::max(0.0, worth_of_one_[k] - least_use(part, items_[k]));
    part.relaxation.solve(part.unit);
    part.upper = anyway - part.fixed_use + part.relaxation.upper(part.unit) * (1 + kContentRounding);
    effort.add(part.relaxation.take_work() + items_.size() * (priced_ + 1));
    order_.push_back(order_.size());
  }
  std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return parts_[a].upper > parts_[b].upper; });
}

std::vector<double> BestContent::most_of_one() const {
  std::vector<double> unit;
  for (const std::uint32_t i : items_) unit.push_back(worths_.of_item[i]);
  for (std::size_t k = 0; k < items_.size() && !worths_.steps.empty(); ++k) {
    std::vector<std::pair<std::uint32_t, double>> own;  // steps of the item
    for (const Worths::Step& step : worths_.steps) {
      if (step.at_least.size() == 1 && step.at_least.front().first == items_[k])
        own.emplace_back(step.at_least.front().second, step.worth);
    }
    if (own.empty()) continue;
    double most = 0;  // what is worth less than nothing is left out
    const auto ceiling = kind_.most[items_[k]];
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
    consider(1);
    consider(ceiling);
    unit[k] = most;
  }
  return unit;
}

BestContent::Found BestContent::find(Floor floor, std::span<const std::uint32_t> wanted, std::uint64_t most, Effort& effort,
                                     bool in_each) {
  Found found;
  double best = floor.worth;
  found.is_exact = true;
  for (const std::size_t at : order_) {
    const Part& part = parts_[at];
    double upper = part.upper;
    const double least = std::max(in_each ? floor.worth : best, floor.worth + floor.per_use * part.least_use);
    if (upper > least && most == 0) {
      found.is_exact = false;
    } else if (upper > least) {
      ContentSearch search(*this, part, wanted, least, effort);
      // Neither way is the shorter one for all: each has half of the operations.
      const bool is_long = most > kFewOperations;
      const bool has_other = is_long && (search.may_fill_table() || search.may_label());
      const std::uint64_t share = has_other ? most / 2 : most;
      std::uint64_t left = search.descend(share);
      most -= share - left;
      if (left == 0 && has_other && !effort.is_over()) {
        most = left = search.may_fill_table() ? search.descend_by_table(most) : search.label(most);
      }
      if (left > 0) upper = std::min(upper, search.upper());
      found.is_exact = found.is_exact && left > 0;
      if (!search.contents().empty()) best = search.floor();
      std::move(search.contents().begin(), search.contents().end(), std::back_inserter(found.contents));
    }
    found.most.push_back({upper, part.least_use});
  }
  found.most.push_back({worths_.fixed, 0});  // without any
  return found;
}

}  // namespace stowage
