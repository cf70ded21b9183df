#include "core/colocation/heuristics/ptas/configurations.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/base/hash.h"

namespace stowage {
namespace {

// What is left to do: the count of each size, then the containers of each kind. A configuration has the same form.
using Counts = std::vector<std::uint32_t>;

struct CountsHash {
  std::size_t operator()(const Counts& counts) const {
    Hash hash;
    hash.add_column(std::span<const std::uint32_t>(counts));
    return static_cast<std::size_t>(hash.value());
  }
};

// Lists the configurations that hold the first item left, and to which none can be added.
class Lister {
 public:
  Lister(const RoundedProblem& problem, std::uint64_t most, WorkClock& clock)
      : problem_(problem), to_look_at_(most), clock_(clock), cost_(problem.kinds, 0), items_(problem.kinds, 0) {
    for (std::uint32_t s = 0; s < problem.sizes.size(); ++s) by_kind_.push_back(s);
    // The containers of a kind come after its sizes: whether it is there is then known, unless a container brings it.
    for (std::uint32_t t = 0; t < problem.kinds; ++t) {
      const auto end = std::find_if(by_kind_.begin(), by_kind_.end(), [&](std::uint32_t p) { return kind_of(p) > t; });
      by_kind_.insert(end, static_cast<std::uint32_t>(problem.sizes.size()) + t);
    }
  }

  // kTooMany or kStopped if the list is cut short.
  std::optional<Covering> list(const Counts& left, std::vector<Counts>& result) {
    left_ = &left;
    result_ = &result;
    chosen_.assign(left.size(), 0);
    const auto first = std::find_if(by_kind_.begin(), by_kind_.end(), [&](std::uint32_t p) { return left[p] > 0; });
    needed_ = static_cast<std::size_t>(first - by_kind_.begin());
    choose(needed_);
    return end_;
  }

 private:
  [[nodiscard]] bool is_container(std::uint32_t position) const { return position >= problem_.sizes.size(); }
  [[nodiscard]] std::uint32_t kind_of(std::uint32_t position) const {
    return is_container(position) ? position - static_cast<std::uint32_t>(problem_.sizes.size())
                                  : problem_.sizes[position].kind;
  }
  [[nodiscard]] double units_of(std::uint32_t position) const {
    return is_container(position) ? problem_.container : problem_.sizes[position].units;
  }
  [[nodiscard]] double suffers(std::uint32_t t, std::uint32_t u) const {
    return problem_.coefficient[std::size_t{t} * problem_.kinds + u];
  }
  // Whether kind t may be there with so many more units.
  [[nodiscard]] bool fits(std::uint32_t t, double units) const {
    for (std::uint32_t v = 0; v < problem_.kinds; ++v) {
      if ((items_[v] > 0 || v == t) && cost_[v] + suffers(v, t) * units > problem_.most) return false;
    }
    return true;
  }
  void add(std::uint32_t t, double units) {
    for (std::uint32_t v = 0; v < problem_.kinds; ++v) cost_[v] += suffers(v, t) * units;
  }

  void choose(std::size_t k) {
    if (end_) return;
    if (k == by_kind_.size()) {
      if (to_look_at_-- == 0) {
        end_ = Covering::kTooMany;
      } else if (clock_.step(1)) {
        end_ = Covering::kStopped;
      }
      if (nothing_fits_beside()) result_->push_back(chosen_);
      return;
    }
    const std::uint32_t position = by_kind_[k];
    if ((*left_)[position] == 0) return choose(k + 1);
    const std::uint32_t t = kind_of(position);
    const std::vector<double> before = cost_;
    // The first container of a kind takes no units.
    const std::uint32_t free = is_container(position) ? 1 : 0;
    const std::uint32_t least = k == needed_ || (free > 0 && items_[t] > 0) ? 1 : 0;
    for (std::uint32_t count = (*left_)[position]; count > 0; --count) {
      const double units = units_of(position) * (count - free);
      if (!fits(t, units)) continue;
      chosen_[position] = count;
      items_[t] += count;
      add(t, units);
      choose(k + 1);
      cost_ = before;
      items_[t] -= count;
    }
    chosen_[position] = 0;
    if (least == 0) choose(k + 1);
  }

  [[nodiscard]] bool nothing_fits_beside() const {
    for (const std::uint32_t position : by_kind_) {
      if (chosen_[position] == (*left_)[position]) continue;
      const std::uint32_t t = kind_of(position);
      const bool is_free = is_container(position) && items_[t] == 0;
      if (fits(t, is_free ? 0 : units_of(position))) return false;
    }
    return true;
  }

  const RoundedProblem& problem_;
  std::uint64_t to_look_at_;
  WorkClock& clock_;
  std::vector<std::uint32_t> by_kind_;  // positions in the order of choice
  std::vector<double> cost_;            // per kind, whether it is there or not
  std::vector<std::uint32_t> items_;    // per kind; above 0: it is there
  const Counts* left_ = nullptr;
  Counts chosen_;
  std::size_t needed_ = 0;
  std::optional<Covering> end_;
  std::vector<Counts>* result_ = nullptr;
};

class Cover {
 public:
  Cover(const RoundedProblem& problem, std::uint64_t most_configurations, WorkClock& clock)
      : problem_(problem), lister_(problem, most_configurations, clock) {}

  Covering run(std::vector<Configuration>& found) {
    Counts all;
    for (const RoundedProblem::Size& size : problem_.sizes) all.push_back(size.count);
    all.insert(all.end(), problem_.containers.begin(), problem_.containers.end());
    std::optional<Covering> answer = enter(std::move(all));
    while (!answer && !path_.empty()) {
      Step& step = path_.back();
      if (step.next == step.configurations.size()) {
        std::uint32_t& too_few = too_few_[step.left];
        too_few = std::max(too_few, nodes_left());
        path_.pop_back();
        continue;
      }
      Counts left = step.left;
      const Counts& taken = step.configurations[step.next++];
      for (std::size_t p = 0; p < left.size(); ++p) left[p] -= taken[p];
      answer = enter(std::move(left));
    }
    if (answer == Covering::kFound) {
      for (const Step& step : path_) found.push_back(configuration(step.configurations[step.next - 1]));
    }
    return answer.value_or(Covering::kImpossible);
  }

 private:
  struct Step {
    Counts left;
    std::vector<Counts> configurations;
    std::size_t next = 0;
  };

  // Nodes that the last step of the path, and those after it, may take.
  [[nodiscard]] std::uint32_t nodes_left() const { return problem_.nodes - static_cast<std::uint32_t>(path_.size()) + 1; }

  // Makes a step of the path, unless nothing is left or the nodes left do not suffice. The answer, if that ends the search.
  std::optional<Covering> enter(Counts left) {
    if (std::all_of(left.begin(), left.end(), [](std::uint32_t n) { return n == 0; })) return Covering::kFound;
    const auto nodes = problem_.nodes - static_cast<std::uint32_t>(path_.size());
    if (nodes == 0 || exceeds(left, nodes)) return std::nullopt;
    const auto known = too_few_.find(left);
    if (known != too_few_.end() && known->second >= nodes) return std::nullopt;
    Step step{std::move(left), {}, 0};
    if (const std::optional<Covering> end = lister_.list(step.left, step.configurations)) return end;
    path_.push_back(std::move(step));
    return std::nullopt;
  }

  // Whether a kind alone has more units than the nodes can hold.
  [[nodiscard]] bool exceeds(const Counts& left, std::uint32_t nodes) const {
    std::vector<double> units(problem_.kinds, 0);
    for (std::size_t s = 0; s < problem_.sizes.size(); ++s) {
      units[problem_.sizes[s].kind] += problem_.sizes[s].units * left[s];
    }
    for (std::uint32_t t = 0; t < problem_.kinds; ++t) {
      const double containers = double{1} * problem_.container * left[problem_.sizes.size() + t];
      const double own = problem_.coefficient[std::size_t{t} * problem_.kinds + t];
      if (units[t] + containers > nodes * (problem_.most / own + problem_.container)) return true;
    }
    return false;
  }

  [[nodiscard]] Configuration configuration(const Counts& counts) const {
    const auto sizes = static_cast<std::ptrdiff_t>(problem_.sizes.size());
    return {{counts.begin(), counts.begin() + sizes}, {counts.begin() + sizes, counts.end()}};
  }

  const RoundedProblem& problem_;
  Lister lister_;
  std::vector<Step> path_;
  // The most nodes with which a state was found to be impossible.
  std::unordered_map<Counts, std::uint32_t, CountsHash> too_few_;
};

}  // namespace

Covering cover(const RoundedProblem& problem, std::uint64_t most_configurations, WorkClock& clock,
               std::vector<Configuration>& found) {
  return Cover(problem, most_configurations, clock).run(found);
}

}  // namespace stowage
