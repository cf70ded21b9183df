#include "core/packing/content_pricing.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/packing/relaxed_knapsack.h"

namespace stowage {
namespace {

/// Contents that a search keeps, at most.
constexpr std::size_t kMostKept = 6;
/// A content has to be worth this much more than the floor: sums are rounded.
constexpr double kSumError = 1e-11;
/// Items looked at per step, steps per unit of work, and steps between two looks at the clock.
constexpr std::size_t kItemsPerStep = 16;
constexpr std::uint64_t kContentStepsPerUnit = 16;
constexpr std::uint64_t kContentSlice = 1024;

}  // namespace

void ContentPricing::Best::add(double worth, std::uint32_t times) {
  for (; times > 0 && worth > worth_.back(); --times) {
    std::size_t k = kHeld - 1;
    for (; k > 0 && worth_[k - 1] < worth; --k) worth_[k] = worth_[k - 1];
    worth_[k] = worth;
  }
}

double ContentPricing::Best::sum(std::uint32_t most) const {
  double sum = 0;
  for (std::size_t k = 0; k < kHeld && k < most; ++k) sum += worth_[k];
  return most > kHeld ? sum + (most - kHeld) * worth_.back() : sum;
}

ContentPricing::ContentPricing(const PackingProblem& problem, WorkClock& clock)
    : problem_(&problem), clock_(&clock), left_(problem.resources) {}

void ContentPricing::set(std::span<const double> worth, std::span<const std::uint32_t> at_hand) {
  const PackingProblem& problem = *problem_;
  const std::uint32_t width = problem.resources;
  std::vector<std::uint32_t> most(problem.items());
  for (std::uint32_t i = 0; i < problem.items(); ++i) most[i] = std::min(problem.at_most[i], at_hand[i]);
  prices_ = relaxed_prices(problem, worth, most);
  for (std::uint32_t h = 0; h < width; ++h) prices_[h] = problem.capacity[h] > 0 ? prices_[h] / problem.capacity[h] : 0;
  uncounted_ += 1 + problem.items() * width / kItemsPerStep;

  struct Ranked {
    double ratio;
    double price;
    std::uint32_t item;
  };
  std::vector<Ranked> order;
  for (std::uint32_t i = 0; i < problem.items(); ++i) {
    if (worth[i] <= 0 || most[i] == 0) continue;
    double price = 0;
    for (std::uint32_t h = 0; h < width; ++h) price += prices_[h] * problem.demand_of(i)[h];
    order.push_back({price > 0 ? worth[i] / price : std::numeric_limits<double>::max(), price, i});
  }
  std::sort(order.begin(), order.end(),
            [](const Ranked& a, const Ranked& b) { return a.ratio != b.ratio ? a.ratio > b.ratio : a.item < b.item; });
  item_.clear();
  worth_.clear();
  price_.clear();
  most_.clear();
  demand_.clear();
  for (const Ranked& ranked : order) {
    item_.push_back(ranked.item);
    worth_.push_back(worth[ranked.item]);
    price_.push_back(ranked.price);
    most_.push_back(most[ranked.item]);
    const auto demand = problem.demand_of(ranked.item);
    demand_.insert(demand_.end(), demand.begin(), demand.end());
  }
}

bool ContentPricing::fits(std::uint32_t p) const {
  const std::int32_t* demand = demand_.data() + std::size_t{p} * left_.size();
  for (std::size_t h = 0; h < left_.size(); ++h) {
    if (demand[h] > left_[h]) return false;
  }
  return true;
}

std::uint32_t ContentPricing::most_of(std::uint32_t p) const {
  std::uint32_t most = most_[p];
  const std::int32_t* demand = demand_.data() + std::size_t{p} * left_.size();
  for (std::size_t h = 0; h < left_.size() && most > 1; ++h) {
    if (demand[h] > 0) most = std::min(most, static_cast<std::uint32_t>(left_[h] / demand[h]));
  }
  return most;
}

void ContentPricing::add(std::uint32_t p, std::uint32_t replicas) {
  const std::int32_t* demand = demand_.data() + std::size_t{p} * left_.size();
  for (std::size_t h = 0; h < left_.size(); ++h) left_[h] -= demand[h] * static_cast<std::int32_t>(replicas);
}

void ContentPricing::remove(std::uint32_t p, std::uint32_t replicas) {
  const std::int32_t* demand = demand_.data() + std::size_t{p} * left_.size();
  for (std::size_t h = 0; h < left_.size(); ++h) left_[h] += demand[h] * static_cast<std::int32_t>(replicas);
}

ContentPricing::Found ContentPricing::search(double floor, std::uint64_t steps) {
  left_ = problem_->capacity;
  content_.clear();
  stack_.clear();
  found_ = {};
  floor_ = floor;
  steps_left_ = steps;
  exhausted_ = false;
  double room = 0;
  for (std::size_t h = 0; h < left_.size(); ++h) room += prices_[h] * left_[h];
  for (std::uint32_t p = 0; p < item_.size(); ++p) {
    if (most_[p] > 0) stack_.push_back(p);
  }
  const double bound = relaxed(0, stack_.size(), room);
  if (bound > floor) descend(0, stack_.size(), 0);
  found_.bound = exhausted_ ? std::max(floor_, bound) : floor_;
  return std::exchange(found_, {});
}

void ContentPricing::leave_out(const Content& content) {
  for (const PackedItem& packed : content) {
    const auto at = std::find(item_.begin(), item_.end(), packed.item);
    if (at != item_.end()) most_[static_cast<std::size_t>(at - item_.begin())] = 0;
  }
}

void ContentPricing::take(double value, std::span<const PackedItem> also) {
  if (value <= floor_ + kSumError) return;
  floor_ = value;
  Content content;
  for (const PackedItem& packed : content_) content.push_back({item_[packed.item], packed.replicas});
  for (const PackedItem& packed : also) content.push_back({item_[packed.item], packed.replicas});
  std::sort(content.begin(), content.end(), [](const PackedItem& a, const PackedItem& b) { return a.item < b.item; });
  if (found_.contents.size() == kMostKept) found_.contents.erase(found_.contents.begin());
  found_.contents.push_back(std::move(content));
}

double ContentPricing::relaxed(std::size_t from, std::size_t to, double room) const {
  double sum = 0;
  room = std::max(0.0, room);
  for (std::size_t q = from; q < to; ++q) {
    const std::uint32_t p = stack_[q];
    const double all = price_[p] * most_[p];
    if (all > room) return sum + worth_[p] * (room / price_[p]);
    room -= all;
    sum += worth_[p] * most_[p];
  }
  return sum;
}

void ContentPricing::add_one(std::size_t from, std::size_t to, double value) {
  std::uint32_t best = stack_[from];
  for (std::size_t q = from + 1; q < to; ++q) {
    if (worth_[stack_[q]] > worth_[best]) best = stack_[q];
  }
  const PackedItem one{best, 1};
  take(value + worth_[best], {&one, 1});
}

void ContentPricing::add_two(std::size_t from, std::size_t to, double value) {
  by_worth_.assign(stack_.begin() + static_cast<std::ptrdiff_t>(from), stack_.begin() + static_cast<std::ptrdiff_t>(to));
  std::sort(by_worth_.begin(), by_worth_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return worth_[a] != worth_[b] ? worth_[a] > worth_[b] : a < b; });
  std::size_t looks = 0;
  for (std::size_t a = 0; a < by_worth_.size(); ++a) {
    const std::uint32_t first = by_worth_[a];
    if (value + 2 * worth_[first] <= floor_) break;
    add(first, 1);
    for (std::size_t b = most_[first] > 1 ? a : a + 1; b < by_worth_.size(); ++b) {
      const std::uint32_t second = by_worth_[b];
      ++looks;
      if (value + worth_[first] + worth_[second] <= floor_) break;
      if (!fits(second)) continue;
      const std::array<PackedItem, 2> two{{{first, 1}, {second, 1}}};
      if (a == b) {
        const PackedItem both{first, 2};
        take(value + 2 * worth_[first], {&both, 1});
      } else {
        take(value + worth_[first] + worth_[second], two);
      }
      break;
    }
    remove(first, 1);
  }
  count((looks + by_worth_.size()) / kItemsPerStep);
}

void ContentPricing::descend(std::size_t from, std::size_t to, double value) {
  count(1 + (to - from) / kItemsPerStep);
  if (exhausted_) return;
  const std::size_t width = left_.size();
  // What fits, and how many more of it at most.
  const std::size_t first = to;
  stack_.resize(to);
  least_.assign(width, std::numeric_limits<std::int32_t>::max());
  Best best;
  std::uint32_t at_hand = 0;
  for (std::size_t q = from; q < to; ++q) {
    const std::uint32_t p = stack_[q];
    if (!fits(p)) continue;
    stack_.push_back(p);
    const std::int32_t* demand = demand_.data() + std::size_t{p} * width;
    for (std::size_t h = 0; h < width; ++h) least_[h] = std::min(least_[h], demand[h]);
    best.add(worth_[p], most_[p]);
    at_hand += most_[p];
  }
  const std::size_t last = stack_.size();
  if (first == last) return;
  std::uint32_t most = at_hand;
  double room = 0;
  for (std::size_t h = 0; h < width; ++h) {
    if (least_[h] > 0) most = std::min(most, static_cast<std::uint32_t>(left_[h] / least_[h]));
    room += prices_[h] * left_[h];
  }
  if (value + best.sum(most) <= floor_ + kSumError) return;
  if (most == 1) return add_one(first, last, value);
  if (most == 2) add_one(first, last, value);
  if (most == 2) return add_two(first, last, value);
  for (std::size_t q = first; q < last && !exhausted_; ++q) {
    if (value + relaxed(q, last, room) <= floor_ + kSumError) return;
    const std::uint32_t p = stack_[q];
    for (std::uint32_t k = most_of(p); k > 0 && !exhausted_; --k) {
      add(p, k);
      content_.push_back({p, k});
      take(value + k * worth_[p], {});
      descend(q + 1, last, value + k * worth_[p]);
      stack_.resize(last);
      content_.pop_back();
      remove(p, k);
    }
  }
}

void ContentPricing::count(std::uint64_t steps) {
  uncounted_ += steps;
  exhausted_ = exhausted_ || steps >= steps_left_;
  steps_left_ -= std::min(steps, steps_left_);
  if (uncounted_ < kContentSlice || clock_->stop() != Stop::kNo) return;
  exhausted_ = clock_->step(uncounted_ / kContentStepsPerUnit) || exhausted_;
  uncounted_ %= kContentStepsPerUnit;
}

}  // namespace stowage
