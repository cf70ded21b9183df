// Proof sketch. Let x be the whole numbers of nodes of each class and set, and V(pi) what a node holds at most at prices pi. If
// all room grows by a ratio r, a node holds r x V(pi) at most, so loads L need r >= pi x L / h(pi), where h(pi) is the greatest
// sum of x x V(pi) over the x within the limits of a part of the tree. For each class alone, h is greedy: the least numbers
// first, then as many as allowed of the sets that hold most. Any prices give a valid bound, so that rounding errors of the
// programs that find good prices weaken a bound but never break it.
//
// The best prices. Each x with what its nodes hold at some prices is a pattern; prices maximize pi x L with pi x pattern <= 1
// for the patterns so far, and h yields the next pattern. For a group alone, pi_g x h(unit price of g) <= h(pi) holds always.
// The weights of the patterns mix their x. If a mixed number is not whole, two parts bound it from above and from below. Own.

#include "core/colocation/bounds/support_tree.h"

#include <algorithm>
#include <cmath>

#include "core/colocation/fluid_bound.h"
#include "core/colocation/price_program.h"

namespace stowage {
namespace {

constexpr double kNoRatio = std::numeric_limits<double>::infinity();
constexpr double kWholeNumber = 1e-6;  // a number that close to a whole one is whole
constexpr double kClosePrices = 1e-9;  // relative: prices that close to the best ones are the best ones
constexpr std::uint32_t kCuts = 80;    // patterns of a part at most

}  // namespace

SupportTree::SupportTree(const ScaledKinds& kinds, std::vector<RoomClass> classes, std::vector<double> load)
    : kinds_(&kinds), classes_(std::move(classes)), load_(std::move(load)), program_(kinds) {
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    first_.push_back(static_cast<std::uint32_t>(variables_.size()));
    for (std::uint32_t set = 1; set < 1u << kinds.groups; ++set) {
      const RoomClass& nodes = classes_[c];
      if ((set & nodes.must) != nodes.must) continue;
      bool possible = true;
      for (std::uint32_t g = 0; g < kinds.groups; ++g) possible = possible && ((set >> g & 1u) == 0 || nodes.room[g] >= 0);
      if (possible) variables_.push_back({c, set});
    }
  }
  first_.push_back(static_cast<std::uint32_t>(variables_.size()));
  limits_.resize(variables_.size());
  value_.resize(variables_.size());
  holds_.resize(variables_.size());
  order_.resize(variables_.size());
}

// Whether part a comes after part b: by ratio, then by rank, so that all standard libraries agree.
bool SupportTree::later(const Part& a, const Part& b) { return a.ratio != b.ratio ? a.ratio > b.ratio : a.rank > b.rank; }

void SupportTree::set_limits(const Part& part) {
  for (std::uint32_t v = 0; v < variables_.size(); ++v) limits_[v] = {0, classes_[variables_[v].node_class].count};
  for (const auto& [variable, limits] : part.limits) limits_[variable] = limits;
}

// Fills the nodes by value_ and holds_, within limits_. Returns false if the limits allow no numbers.
bool SupportTree::fill(Filling& filling) {
  filling = {0, std::vector<double>(kinds_->groups, 0), {}};
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    const auto first = order_.begin() + first_[c];
    const auto last = order_.begin() + first_[c + 1];
    for (std::uint32_t v = first_[c]; v < first_[c + 1]; ++v) order_[v] = v;
    std::sort(first, last,
              [&](std::uint32_t a, std::uint32_t b) { return value_[a] != value_[b] ? value_[a] > value_[b] : a < b; });
    std::uint64_t least = 0;
    for (auto v = first; v != last; ++v) least += limits_[*v].least;
    if (least > classes_[c].count) return false;
    std::uint64_t left = classes_[c].count - least;
    for (auto v = first; v != last; ++v) {
      const auto more = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, limits_[*v].most - limits_[*v].least));
      const std::uint32_t count = limits_[*v].least + more;
      left -= more;
      if (count == 0) continue;
      filling.value += count * value_[*v];
      filling.shares.push_back({*v, count, holds_[*v]});
      for (std::uint32_t g = 0; g < kinds_->groups; ++g) filling.pattern[g] += count * holds_[*v][g];
    }
    // A node that has nothing it must hold may be empty.
    if (left > 0 && classes_[c].must != 0) return false;
  }
  return true;
}

bool SupportTree::fill_alone(std::uint32_t group, Filling& filling) {
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    const auto [c, set] = variables_[v];
    holds_[v].fill(0);
    value_[v] = 0;
    if ((set >> group & 1u) == 0) continue;
    double most = kNoRatio;
    for (std::uint32_t g = 0; g < kinds_->groups; ++g) {
      if ((set >> g & 1u) != 0 && kinds_->suffers(g, group) > 0) {
        most = std::min(most, classes_[c].room[g] / kinds_->suffers(g, group));
      }
    }
    value_[v] = most;
    holds_[v][group] = most;
  }
  return fill(filling);
}

bool SupportTree::fill_priced(WorkClock& clock, std::span<const double> price, Filling& filling) {
  std::uint32_t solved = 0;
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    const auto [c, set] = variables_[v];
    if (limits_[v].most == 0) {
      value_[v] = 0;
      holds_[v].fill(0);
      continue;
    }
    value_[v] = program_.solve(set, price, classes_[c].room);
    holds_[v] = program_.loads();
    ++solved;
  }
  programs_ += solved;
  return !clock.step(solved) && fill(filling);
}

// Sets the ratio and the price of the part, and the fillings whose weights make up the numbers. Returns false if the ratio
// exceeds what is enough, or the clock has stopped.
bool SupportTree::evaluate(WorkClock& clock, Part& part, std::vector<Filling>& fillings, std::vector<double>& weight) {
  const std::uint32_t groups = kinds_->groups;
  if (clock.stop() != Stop::kNo) return false;
  set_limits(part);
  programs_ += groups;
  clock.step(groups);
  fillings.assign(groups, {});
  std::vector<double> alone(groups, 0);
  for (std::uint32_t g = 0; g < groups; ++g) {
    if (!fill_alone(g, fillings[g]) || (fillings[g].value <= 0 && load_[g] > 0)) {
      part.ratio = kNoRatio;
      return false;
    }
    // Where there is no load, a price is of no use.
    alone[g] = fillings[g].value > 0 ? fillings[g].value : 1;
    // The pattern of the program has no other group.
    for (Filling::Share& share : fillings[g].shares)
      for (std::uint32_t h = 0; h < groups; ++h) share.load[h] = h == g ? share.load[h] : 0;
  }
  PriceProgram program(load_, alone);
  if (part.price.empty()) {
    program.solve();
    part.price = program.price();
  }
  std::vector<double> price = part.price;
  for (std::uint32_t cut = 0; cut < kCuts; ++cut) {
    Filling filling;
    if (clock.stop() != Stop::kNo || !fill_priced(clock, price, filling)) return false;
    double worth = 0;
    for (std::uint32_t g = 0; g < groups; ++g) worth += price[g] * load_[g];
    if (filling.value <= 0) break;
    const double ratio = rounded_down(worth / filling.value);
    if (ratio > part.ratio) {
      part.ratio = ratio;
      part.price = price;
    }
    if (part.ratio > enough_) return false;
    program.add(filling.pattern);
    fillings.push_back(std::move(filling));
    program.solve();
    price = program.price();
    weight = program.weights();
    double most = 0;
    for (const double w : weight) most += w;
    if (most <= part.ratio * (1 + kClosePrices) || (decide_ && most <= enough_)) break;
  }
  return true;
}

std::vector<double> SupportTree::numbers(const std::vector<Filling>& fillings, const std::vector<double>& weight) const {
  std::vector<double> number(variables_.size(), 0);
  double sum = 0;
  for (const double w : weight) sum += w;
  if (!(sum > 0)) return number;  // nothing has to be held
  for (std::size_t k = 0; k < weight.size(); ++k) {
    for (const Filling::Share& share : fillings[k].shares) number[share.variable] += weight[k] / sum * share.count;
  }
  return number;
}

// Keeps whole numbers, and what the nodes hold at them.
void SupportTree::keep(const std::vector<Filling>& fillings, const std::vector<double>& weight, double ratio) {
  if (ratio >= uses_ratio_) return;
  uses_ratio_ = ratio;
  const std::vector<double> number = numbers(fillings, weight);
  std::vector<Use> use(variables_.size());
  for (std::size_t k = 0; k < weight.size(); ++k) {
    for (const Filling::Share& share : fillings[k].shares) {
      for (std::uint32_t g = 0; g < kinds_->groups; ++g) use[share.variable].load[g] += weight[k] * share.count * share.load[g];
    }
  }
  uses_.clear();
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    const auto count = static_cast<std::uint32_t>(std::floor(number[v] + .5));
    if (count > 0) uses_.push_back({variables_[v].node_class, variables_[v].set, count, use[v].load});
  }
}

// Rounds the numbers of each class, those that lose most up, and keeps what comes out.
void SupportTree::round(WorkClock& clock, const std::vector<double>& number) {
  Part part;
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> count;
    std::uint32_t left = classes_[c].count;
    for (std::uint32_t v = first_[c]; v < first_[c + 1]; ++v) {
      order.push_back(v);
      count.push_back(std::min(left, static_cast<std::uint32_t>(number[v] + kWholeNumber)));
      left -= count.back();
    }
    const auto lost = [&](std::uint32_t v) { return number[v] - count[v - first_[c]]; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return lost(a) > lost(b); });
    for (const std::uint32_t v : order) {
      const bool up = left > 0 && lost(v) > kWholeNumber;
      left -= up ? 1 : 0;
      const std::uint32_t whole = count[v - first_[c]] + (up ? 1 : 0);
      part.limits.emplace_back(v, Limits{whole, whole});
    }
  }
  std::vector<Filling> fillings;
  std::vector<double> weight;
  if (!evaluate(clock, part, fillings, weight)) return;
  double ratio = 0;
  for (const double w : weight) ratio += w;
  keep(fillings, weight, ratio);
}

// Evaluates a part, and opens it unless its ratio is enough.
void SupportTree::study(WorkClock& clock, Part part) {
  ++studied_;
  std::vector<Filling> fillings;
  std::vector<double> weight;
  const double parent = part.ratio;
  const bool open = evaluate(clock, part, fillings, weight);
  part.ratio = std::max(part.ratio, parent);
  if (!open) {
    // With a stopped clock, the ratio is what its parent's was at least.
    closed_ = std::min(closed_, part.ratio);
    return;
  }
  const std::vector<double> number = numbers(fillings, weight);
  double most = kWholeNumber;
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    const double fraction = number[v] - std::floor(number[v]);
    const double apart = std::min(fraction, 1 - fraction);
    if (apart <= most) continue;
    most = apart;
    part.branch = v;
    part.number = number[v];
  }
  if (part.branch == kNone) {
    double ratio = 0;
    for (const double w : weight) ratio += w;
    keep(fillings, weight, ratio);
  } else if ((studied_ & (studied_ - 1)) == 0) {
    round(clock, number);
  }
  part.rank = studied_;
  open_.push_back(std::move(part));
  std::push_heap(open_.begin(), open_.end(), later);
}

void SupportTree::grow(WorkClock& clock, double enough, bool decide, std::uint64_t budget) {
  const std::uint64_t most = programs_ + budget;
  enough_ = enough;
  decide_ = decide;
  if (studied_ == 0) study(clock, {});
  while (clock.stop() == Stop::kNo) {
    const double open = open_.empty() ? kNoRatio : open_.front().ratio;
    ratio_ = std::max(ratio_, std::min(open, closed_));
    solved_ = uses_ratio_ <= ratio_ * (1 + 2 * kClosePrices);
    if (solved_ || (decide && uses_ratio_ <= enough) || ratio_ > enough || open_.empty() || programs_ >= most) return;
    std::pop_heap(open_.begin(), open_.end(), later);
    const Part part = std::move(open_.back());
    open_.pop_back();
    branch(clock, part);
  }
}

// Divides a part in two. A part without a branch has whole numbers, and its ratio stands.
void SupportTree::branch(WorkClock& clock, const Part& part) {
  if (part.branch == kNone) {
    closed_ = std::min(closed_, part.ratio);
    return;
  }
  set_limits(part);
  const Limits limits = limits_[part.branch];
  const auto floor = static_cast<std::uint32_t>(part.number);
  for (const Limits& now : {Limits{limits.least, floor}, Limits{floor + 1, limits.most}}) {
    Part child{part.ratio, 0, part.limits, part.price, kNone, 0};
    const auto same = [&](const auto& limit) { return limit.first == part.branch; };
    const auto known = std::find_if(child.limits.begin(), child.limits.end(), same);
    if (known == child.limits.end()) {
      child.limits.emplace_back(part.branch, now);
    } else {
      known->second = now;
    }
    study(clock, std::move(child));
  }
}

}  // namespace stowage
