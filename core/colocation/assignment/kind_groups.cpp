#include "core/colocation/assignment/kind_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/solver/cut_program.h"

namespace stowage {
namespace {

// There are 2^kinds sets of kinds.
constexpr std::uint32_t kMostGroupedKinds = 10;
constexpr std::uint64_t kMostGroupPivots = 2000;

/// Solves a square system by elimination with row exchanges. Returns false where it is (nearly) singular.
/// @param rows n rows of n + 1 entries, the last of which is the right side, and then the solution
bool eliminate(std::vector<double>& rows, std::size_t n) {
  constexpr double kLeastPivot = 1e-9;
  const std::size_t width = n + 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t r = k + 1; r < n; ++r) {
      if (std::abs(rows[r * width + k]) > std::abs(rows[best * width + k])) best = r;
    }
    if (std::abs(rows[best * width + k]) < kLeastPivot) return false;
    for (std::size_t c = 0; c < width; ++c) std::swap(rows[best * width + c], rows[k * width + c]);
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = rows[r * width + k] / rows[k * width + k];
      if (r == k || factor == 0) continue;
      for (std::size_t c = k; c < width; ++c) rows[r * width + c] -= factor * rows[k * width + c];
    }
  }
  for (std::size_t k = 0; k < n; ++k) rows[k * width + n] /= rows[k * width + k];
  return true;
}

/// The load of each kind on a node with exactly the kinds of the set, all of which cost 1; empty where there is none.
std::vector<double> balanced_load(const ColocationProblem& problem, std::uint32_t set) {
  constexpr double kLeastLoad = 1e-9;
  std::vector<std::uint32_t> kinds;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if ((set >> t & 1) != 0) kinds.push_back(t);
  }
  const std::size_t n = kinds.size();
  std::vector<double> rows;
  for (const std::uint32_t t : kinds) {
    for (const std::uint32_t u : kinds) rows.push_back(problem.suffers(t, u));
    rows.push_back(1);
  }
  if (!eliminate(rows, n)) return {};
  std::vector<double> load(problem.kinds, 0);
  for (std::size_t k = 0; k < n; ++k) {
    load[kinds[k]] = rows[k * (n + 1) + n];
    if (load[kinds[k]] < kLeastLoad) return {};
  }
  return load;
}

/// Whole numbers that add up to `sum`, at most 1 from the shares of it; at least 1 each, as far as that goes.
std::vector<std::uint32_t> rounded(const std::vector<double>& shares, std::uint32_t sum) {
  std::vector<std::uint32_t> whole;
  whole.reserve(shares.size());
  for (const double share : shares) whole.push_back(std::max(1u, static_cast<std::uint32_t>(share)));
  const auto excess = [&](std::size_t k) { return static_cast<double>(whole[k]) - shares[k]; };
  std::uint32_t used = std::accumulate(whole.begin(), whole.end(), 0u);
  for (; used != sum; used < sum ? ++used : --used) {
    std::size_t chosen = 0;
    for (std::size_t k = 1; k < whole.size(); ++k) {
      if (used < sum ? excess(k) < excess(chosen) : excess(k) > excess(chosen)) chosen = k;
    }
    used < sum ? ++whole[chosen] : --whole[chosen];
  }
  return whole;
}

}  // namespace

KindGroups fluid_groups(const ColocationProblem& problem) {
  if (problem.kinds > kMostGroupedKinds) return {};
  const std::vector<double> total = problem.total_load();
  std::vector<double> largest_total = total;
  const double scale = *std::max_element(total.begin(), total.end());
  if (scale <= 0) return {};
  for (double& gain : largest_total) gain /= scale;
  CutProgram program(largest_total);
  std::vector<std::vector<double>> loads;
  std::vector<std::uint8_t> is_held(problem.kinds, 0);
  for (std::uint32_t set = 1; set < 1u << problem.kinds; ++set) {
    std::vector<double> load = balanced_load(problem, set);
    if (load.empty()) continue;
    for (std::uint32_t t = 0; t < problem.kinds; ++t) is_held[t] |= load[t] > 0 ? 1 : 0;
    program.add(load, 1);
    loads.push_back(std::move(load));
  }
  // What no set bounds costs nothing by itself: one node holds all of it.
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if (is_held[t] != 0) continue;
    std::vector<double> load(problem.kinds, 0);
    load[t] = 1;
    program.add(load, 1);
    loads.push_back(std::move(load));
  }
  program.solve(kMostGroupPivots);
  const double objective = program.objective();
  const std::vector<CutProgram::Used> used = program.used();
  if (!(objective > 0) || used.size() > problem.nodes) return {};
  std::vector<double> shares;
  shares.reserve(used.size());
  for (const CutProgram::Used& group : used) shares.push_back(group.multiplier / objective * problem.nodes);
  const std::vector<std::uint32_t> nodes = rounded(shares, problem.nodes);
  const double cost = objective * scale / problem.nodes;
  KindGroups groups;
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (nodes[k] == 0) continue;
    std::vector<double> load = loads[used[k].cut];
    for (double& kind_load : load) kind_load *= cost;
    groups.push_back({nodes[k], std::move(load)});
  }
  return groups;
}

}  // namespace stowage
