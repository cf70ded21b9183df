// Proof sketch. Two replicas cannot share a node if either costs more than the limit beside the other alone. Costs grow with
// loads, so if the smallest leads of two kinds, or the two smallest of one kind, cannot share a node, no two leads of these
// kinds can. Each lead then has its own node, whose set of kinds has the lead's kind; the lead takes its part of the room of
// that node. Leads of a class count as the smallest of them, which leaves more room than there is. Own.

#include "core/colocation/bounds/leads.h"

#include <algorithm>

namespace stowage {
namespace {

// Rounding errors must neither set replicas apart nor take room away.
constexpr double kApartSlack = 1e-12;
// Classes at most, times the sets of each.
constexpr std::uint32_t kMostVariables = 512;

}  // namespace

Leads::Leads(const ColocationProblem& problem, const ScaledKinds& kinds, double unit, WorkClock& clock)
    : problem_(&problem), kinds_(&kinds), unit_(unit), load_(problem.kinds), rest_(problem.kinds) {
  constexpr std::uint32_t kPiece = kReplicasPerUnit << 10;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    if (i % kPiece == kPiece - 1 && clock.step(kPiece / kReplicasPerUnit)) return;
    load_[problem.kind[i]].push_back(problem.load[i]);
  }
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if (clock.step(1 + load_[t].size() / kReplicasPerUnit)) return;
    // From the smallest one on, which keeps errors small.
    rest_[t].assign(load_[t].size() + 1, 0);
    for (std::size_t k = load_[t].size(); k-- > 0;) rest_[t][k] = rest_[t][k + 1] + load_[t][k];
  }
}

bool Leads::apart(std::uint32_t t, double p, std::uint32_t u, double q, double cost) const {
  const double most = cost * (1 + kApartSlack);
  return problem_->suffers(t, t) * p + problem_->suffers(t, u) * q > most ||
         problem_->suffers(u, u) * q + problem_->suffers(u, t) * p > most;
}

// The leads of each kind: its largest replicas.
std::vector<std::uint32_t> Leads::count(double cost, std::uint32_t first_kind) const {
  std::vector<std::uint32_t> leads(problem_->kinds, 0);
  const auto take = [&](std::uint32_t t) {
    if (kinds_->group[t] == ScaledKinds::kNoGroup) return;
    std::uint32_t& k = leads[t];
    for (; k < load_[t].size(); ++k) {
      bool possible = k == 0 || apart(t, load_[t][k - 1], t, load_[t][k], cost);
      for (std::uint32_t u = 0; u < problem_->kinds && possible; ++u)
        possible = u == t || leads[u] == 0 || apart(t, load_[t][k], u, load_[u][leads[u] - 1], cost);
      if (!possible) return;
    }
  };
  take(first_kind);
  for (std::uint32_t t = 0; t < problem_->kinds; ++t)
    if (t != first_kind) take(t);
  return leads;
}

// Divides the leads of a kind into up to `most` classes of similar size.
void Leads::add_classes(std::uint32_t kind, std::uint32_t leads, std::uint32_t most, double cost, Rest& rest) const {
  const std::vector<double>& load = load_[kind];
  struct Run {
    std::uint32_t first;
    std::uint32_t end;
    double lost;
    std::uint32_t middle;  // where dividing it saves most
  };
  // What rounding down loses.
  const auto lost = [&](std::uint32_t first, std::uint32_t end) {
    return rest_[kind][first] - rest_[kind][end] - (end - first) * load[end - 1];
  };
  const auto run_of = [&](std::uint32_t first, std::uint32_t end) {
    Run run{first, end, 0, first};
    for (std::uint32_t k = first + 1; k < end; ++k) {
      const double saved = lost(first, end) - lost(first, k) - lost(k, end);
      if (saved <= run.lost) continue;
      run.lost = saved;
      run.middle = k;
    }
    return run;
  };
  std::vector<Run> runs = {run_of(0, leads)};
  while (runs.size() < most) {
    const auto worst = std::max_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.lost < b.lost; });
    if (worst->lost <= 0) break;
    const Run run = *worst;
    *worst = run_of(run.first, run.middle);
    runs.push_back(run_of(run.middle, run.end));
  }
  const std::uint32_t group = kinds_->group[kind];
  const double room = cost / unit_ * (1 + kApartSlack);
  for (const Run& run : runs) {
    RoomClass nodes{run.end - run.first, 1u << group, std::vector<double>(kinds_->groups, room)};
    const double size = load[run.end - 1] * kinds_->scale[kind];
    for (std::uint32_t g = 0; g < kinds_->groups; ++g) nodes.room[g] -= kinds_->suffers(g, group) * size;
    nodes.room[group] = std::max(0.0, nodes.room[group]);
    rest.classes.push_back(std::move(nodes));
    rest.lead_load.push_back((rest_[kind][run.first] - rest_[kind][run.end]) * kinds_->scale[kind]);
  }
}

Leads::Rest Leads::choose(double cost, std::uint32_t first_kind) const {
  const std::vector<std::uint32_t> leads = count(cost, first_kind);
  Rest rest;
  rest.load.assign(kinds_->groups, 0);
  for (std::uint32_t t = 0; t < problem_->kinds; ++t) {
    rest.leads += leads[t];
    if (kinds_->group[t] != ScaledKinds::kNoGroup) rest.load[kinds_->group[t]] += rest_[t][leads[t]] * kinds_->scale[t];
  }
  if (rest.leads > problem_->nodes) return rest;
  const std::uint32_t classes = std::max(2 * kinds_->groups, kMostVariables >> (kinds_->groups - 1));
  for (std::uint32_t t = 0; t < problem_->kinds; ++t) {
    if (leads[t] == 0) continue;
    add_classes(t, leads[t], std::max<std::uint32_t>(1, std::uint64_t{classes} * leads[t] / rest.leads), cost, rest);
  }
  if (rest.leads < problem_->nodes) {
    rest.classes.push_back({problem_->nodes - rest.leads, 0, std::vector<double>(kinds_->groups, cost / unit_)});
    rest.lead_load.push_back(0);
  }
  return rest;
}

}  // namespace stowage
