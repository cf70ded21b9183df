#include "core/packing/greedy_packing.h"

#include <algorithm>
#include <utility>

namespace stowage {

GreedyPacking::GreedyPacking(const PackingProblem& problem) : problem_(&problem) {
  for (std::uint32_t i = 0; i < problem.items(); ++i) {
    for (std::uint32_t h = 0; h < problem.resources; ++h)
      share_.push_back(problem.capacity[h] > 0 ? static_cast<double>(problem.demand_of(i)[h]) / problem.capacity[h] : 0);
  }
}

void GreedyPacking::weigh(std::span<const std::uint32_t> wanted, double blur, Random& random) {
  const std::uint32_t width = problem_->resources;
  weight_.assign(width, 0);
  for (std::uint32_t i = 0; i < problem_->items(); ++i) {
    for (std::uint32_t h = 0; h < width; ++h) weight_[h] += wanted[i] * share_[std::size_t{i} * width + h];
  }
  const double largest = *std::max_element(weight_.begin(), weight_.end());
  for (double& weight : weight_) {
    const double scarcity = largest > 0 ? weight / largest : 1;
    const double square = scarcity * scarcity;
    weight = square * square * (1 - blur + 2 * blur * random.share());
  }
}

Packing GreedyPacking::first_fit(std::span<const std::uint32_t> wanted, double blur, Random& random) {
  const PackingProblem& problem = *problem_;
  const std::uint32_t width = problem.resources;
  weigh(wanted, blur, random);
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < problem.items(); ++i) {
    if (wanted[i] == 0) continue;
    double size = 0;
    for (std::uint32_t h = 0; h < width; ++h) size += weight_[h] * share_[std::size_t{i} * width + h];
    order.emplace_back(-size * (1 + .3 * blur * (random.share() - .5)), i);
  }
  std::sort(order.begin(), order.end());
  Packing packing;
  std::vector<std::int32_t> left;
  for (const auto& ranked : order) {
    const std::uint32_t i = ranked.second;
    const auto demand = problem.demand_of(i);
    std::uint32_t rest = wanted[i];
    for (std::size_t n = 0; rest > 0; ++n) {
      if (n == packing.size()) {
        packing.emplace_back();
        left.insert(left.end(), problem.capacity.begin(), problem.capacity.end());
      }
      std::int32_t* const room = left.data() + n * width;
      std::uint32_t most = std::min(rest, problem.at_most[i]);
      for (std::uint32_t h = 0; h < width && most > 0; ++h) {
        if (demand[h] > 0) most = std::min(most, static_cast<std::uint32_t>(room[h] / demand[h]));
      }
      if (most == 0) continue;
      for (std::uint32_t h = 0; h < width; ++h) room[h] -= demand[h] * static_cast<std::int32_t>(most);
      packing[n].push_back({i, most});
      rest -= most;
    }
    work_ += 1 + packing.size() / 8;
  }
  for (Content& content : packing)
    std::sort(content.begin(), content.end(), [](const PackedItem& a, const PackedItem& b) { return a.item < b.item; });
  return packing;
}

Packing GreedyPacking::by_node(std::span<const std::uint32_t> wanted, double blur, Random& random) {
  const PackingProblem& problem = *problem_;
  const std::uint32_t width = problem.resources;
  weigh(wanted, blur, random);
  std::vector<std::uint32_t> rest(wanted.begin(), wanted.end());
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < problem.items(); ++i) {
    if (rest[i] > 0) open.push_back(i);
  }
  Packing packing;
  std::vector<double> pull(width);
  std::vector<std::int32_t> left;
  while (!open.empty()) {
    left = problem.capacity;
    std::vector<std::uint32_t> here(problem.items(), 0);
    std::vector<std::uint32_t> fitting = open;
    while (true) {
      for (std::uint32_t h = 0; h < width; ++h)
        pull[h] = problem.capacity[h] > 0 ? weight_[h] * left[h] / problem.capacity[h] : 0;
      double best = -1;
      std::uint32_t chosen = 0;
      std::size_t kept = 0;
      work_ += 1 + fitting.size() / 8;
      for (const std::uint32_t i : fitting) {
        const auto demand = problem.demand_of(i);
        bool fits = here[i] < std::min(rest[i], problem.at_most[i]);
        for (std::uint32_t h = 0; h < width && fits; ++h) fits = demand[h] <= left[h];
        if (!fits) continue;
        fitting[kept++] = i;
        double score = 0;
        for (std::uint32_t h = 0; h < width; ++h) score += pull[h] * share_[std::size_t{i} * width + h];
        score *= 1 + .2 * blur * (random.share() - .5);
        if (score <= best) continue;
        best = score;
        chosen = i;
      }
      fitting.resize(kept);
      if (kept == 0) break;
      ++here[chosen];
      for (std::uint32_t h = 0; h < width; ++h) left[h] -= problem.demand_of(chosen)[h];
    }
    Content content;
    for (const std::uint32_t i : open) {
      if (here[i] > 0) content.push_back({i, here[i]});
      rest[i] -= here[i];
    }
    packing.push_back(std::move(content));
    std::erase_if(open, [&](std::uint32_t i) { return rest[i] == 0; });
  }
  return packing;
}

std::uint64_t GreedyPacking::take_work() { return std::exchange(work_, 0); }

}  // namespace stowage
