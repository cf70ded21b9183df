// Labels: contents of the first items, of which one that is worth no more and leaves no more than another is dropped.

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "core/columns/content_search.h"

namespace stowage {
namespace {

/// Labels of a search, at most.
constexpr std::size_t kMostLabels = std::size_t{1} << 20;
/// Of one item: sorting them has no look at the clock.
constexpr std::size_t kMostLabelsOfItem = std::size_t{1} << 18;
constexpr std::uint64_t kOperationsToSortLabel = 16;
/// Of what a label leaves, so many numbers are copied in the time of an operation.
constexpr std::size_t kNumbersPerOperation = 16;

}  // namespace

std::uint64_t ContentSearch::label(std::uint64_t most) {
  work_left_ = most;
  sum_up();
  labels_ = {{fixed_, room_, kNone, 0}};
  std::vector<std::uint32_t> open{0};
  rooms_ = left_;
  rooms_.insert(rooms_.end(), held_.begin(), held_.end());
  for (std::uint32_t p = 0; p < item_.size() && work_left_ > 0 && !open.empty(); ++p) open = add_item(p, open);
  return work_left_;
}

void ContentSearch::sum_up() {
  const std::size_t items = item_.size();
  prices_.assign(items + 1, 0);
  units_.assign(items + 1, 0);
  for (std::size_t p = 0; p < items; ++p) {
    prices_[p + 1] = prices_[p] + price_[p] * most_[p];
    units_[p + 1] = units_[p] + unit_[p] * most_[p];
  }
  from_.assign((items + 1) * dims_, 0);
  for (std::size_t p = items; p-- > 0;) {
    for (std::size_t d = 0; d < dims_; ++d)
      from_[p * dims_ + d] = std::max(from_[(p + 1) * dims_ + d], density_[p * dims_ + d]);
  }
}

double ContentSearch::most_from(std::size_t p, double room) const {
  const auto first = prices_.begin() + static_cast<std::ptrdiff_t>(p);
  const auto last = std::upper_bound(first, prices_.end(), *first + std::max(0.0, room));
  const auto whole = static_cast<std::size_t>(last - prices_.begin()) - 1;
  double sum = units_[whole] - units_[p];
  if (whole < item_.size()) sum += (std::max(0.0, room) - (prices_[whole] - prices_[p])) / price_[whole] * unit_[whole];
  sum *= 1 + kContentRounding;
  for (const std::size_t d : tight_) sum = std::min(sum, static_cast<double>(left_[d]) * from_[p * dims_ + d]);
  return sum + kContentRounding;
}

std::vector<std::uint32_t> ContentSearch::add_item(std::uint32_t p, const std::vector<std::uint32_t>& open) {
  const std::size_t width = dims_ + held_.size();
  const std::vector<std::int64_t> before = std::move(rooms_);
  std::vector<std::uint32_t> made;
  rooms_.clear();
  for (std::size_t k = 0; k < open.size() && work_left_ > 0; ++k) {
    const auto room = before.begin() + static_cast<std::ptrdiff_t>(k * width);
    std::copy_n(room, dims_, left_.begin());
    std::copy_n(room + static_cast<std::ptrdiff_t>(dims_), held_.size(), held_.begin());
    const std::uint32_t most = tight_room_for(p);
    count(width);
    for (std::uint32_t copies = 0; copies <= most && work_left_ > 0; ++copies) {
      count(1);
      if (copies > 0) {
        for (std::size_t d = 0; d < dims_; ++d) left_[d] -= demand_[p * dims_ + d];
        for (std::size_t d = 0; d < held_.size(); ++d) held_[d] += risk_[p * dims_ + d];
      }
      Label next = labels_[open[k]];
      next = {next.value + (copies > 0 ? worth_of(p, copies) : 0), next.room - price_[p] * copies, open[k], copies};
      if (next.value > floor_) take_label(next, p);
      if (next.value + most_from(p + 1, next.room) <= floor_) continue;
      made.push_back(static_cast<std::uint32_t>(labels_.size()));
      labels_.push_back(next);
      rooms_.insert(rooms_.end(), left_.begin(), left_.end());
      rooms_.insert(rooms_.end(), held_.begin(), held_.end());
      count(width / kNumbersPerOperation);
      if (labels_.size() > kMostLabels || made.size() > kMostLabelsOfItem) work_left_ = 0;
    }
  }
  count(made.size() * kOperationsToSortLabel);
  return work_left_ > 0 ? undominated(made) : std::vector<std::uint32_t>{};
}

std::vector<std::uint32_t> ContentSearch::undominated(const std::vector<std::uint32_t>& made) {
  const std::size_t width = dims_ + held_.size();
  std::vector<std::uint32_t> order(made.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Label& x = labels_[made[a]];
    const Label& y = labels_[made[b]];
    return x.value != y.value ? x.value > y.value : x.room > y.room;
  });
  std::vector<std::uint32_t> kept;
  std::vector<std::int64_t> rooms;
  std::map<std::int64_t, std::int64_t> stairs;  // where two dimensions are tight: what the kept ones leave
  std::vector<std::int64_t> tight;  // else what they leave in tight dimensions, and the risk there, as a negative number
  std::vector<std::int64_t> own;
  for (const std::uint32_t k : order) {
    const std::int64_t* room = rooms_.data() + k * width;
    bool is_kept = false;
    if (tight_.size() == 2 && held_.empty()) {
      is_kept = add_stair(stairs, room[tight_[0]], room[tight_[1]]);
    } else {
      own.clear();
      for (const std::size_t d : tight_) own.push_back(room[d]);
      for (std::size_t t = 0; t < tight_.size() && !held_.empty(); ++t) own.push_back(-room[dims_ + tight_[t]]);
      is_kept = is_undominated(tight, kept.size(), own);
    }
    if (work_left_ == 0) break;
    if (!is_kept) continue;
    kept.push_back(made[k]);
    rooms.insert(rooms.end(), room, room + width);
    tight.insert(tight.end(), own.begin(), own.end());
  }
  rooms_ = std::move(rooms);
  return kept;
}

bool ContentSearch::add_stair(std::map<std::int64_t, std::int64_t>& stairs, std::int64_t first, std::int64_t second) {
  count(4);
  const auto at = stairs.lower_bound(first);
  if (at != stairs.end() && at->second >= second) return false;
  auto below = at;
  if (below != stairs.end() && below->first == first) ++below;
  while (below != stairs.begin() && std::prev(below)->second <= second) below = stairs.erase(std::prev(below));
  stairs[first] = second;
  return true;
}

bool ContentSearch::is_undominated(const std::vector<std::int64_t>& others, std::size_t kept,
                                   const std::vector<std::int64_t>& own) {
  const std::int64_t* other = others.data();
  const auto leaves_as_much = [&] { return std::equal(own.begin(), own.end(), other, std::less_equal<>()); };
  std::size_t k = 0;
  for (; k < kept && !leaves_as_much(); ++k) other += own.size();
  count(1 + k / 4);
  return k == kept;
}

std::uint32_t ContentSearch::tight_room_for(std::uint32_t p) const {
  std::uint32_t copies = most_[p];
  for (const std::size_t d : tight_) {
    copies = room_in(d, p, copies);
  }
  return copies;
}

bool ContentSearch::is_too_large() const {
  for (std::size_t d = 0; d < dims_; ++d) {
    if (left_[d] < 0 || (!of_dim_.empty() && held_[d] > 0 && problem_.instance->risk_room(left_[d], of_dim_[d]) < held_[d])) {
      return true;
    }
  }
  return false;
}

void ContentSearch::take_label(const Label& label, std::uint32_t p) {
  if (is_too_large()) {
    too_large_ = std::max(too_large_, label.value);
    return;
  }
  chosen_[p] = label.copies;
  std::uint32_t at = label.parent;
  for (std::uint32_t q = p; q-- > 0; at = labels_[at].parent) chosen_[q] = labels_[at].copies;
  take(label.value);
  std::fill(chosen_.begin(), chosen_.end(), 0);
}

}  // namespace stowage
