// Whether all replicas can cost at most some limit is decided by filling one node after the other (bin completion, as Korf does
// for number partitioning, 2009): the next node holds the largest replica left, and every set of others with it that matters is
// tried. The limit begins near the lower bound, where few sets waste little enough, and approaches the best known cost.
//
// What can be left out. (1) A node that could hold one more replica: moving that replica there makes no other node dearer.
// (2) A node in which a replica could be exchanged for a larger one of its kind, for the same reason. Both increase what the
// node holds, so that they end. (3) A node with a replica, but without an equal one of lower index. (4) Sets of replicas left
// that could not be placed on as many nodes before, at no lower limit. (5) At prices of the fluid bound for some kinds, a node
// holds at most the limit's worth: what is left must not be worth more than its nodes hold, so that a node must be worth at
// least what the others cannot hold. (6) More replicas left, no two of which share a node, than nodes. Own but for the order of
// the search.

#include "core/colocation/bounds/exact.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <span>

#include "core/colocation/bounds/worst_bound.h"
#include "core/colocation/fluid_bound.h"

namespace stowage {
namespace {

// Rounding errors leave nothing out.
constexpr double kLimitSlack = 1e-13;

// Units of work for the bound at the start: with few replicas, the search itself soon knows more.
constexpr std::uint64_t kBoundWork = 5'000;
// And for the first look at each limit.
constexpr std::uint64_t kFirstWork = 20'000;

using ReplicaSet = std::uint64_t;  // of replicas

// Decides whether a limit can be kept.
class NodeCompletion {
 public:
  NodeCompletion(const ColocationProblem& problem, WorkClock& clock)
      : problem_(problem), clock_(clock), nodes_(std::min(problem.nodes, problem.replicas())), known_(kKnown) {
    order_replicas();
    add_prices();
  }

  /// Whether an assignment keeps the limit; then assignment() is one. Nothing: not known after `work` units.
  std::optional<bool> keeps(double limit, std::uint64_t work) {
    limit_ = limit * (1 + kLimitSlack);
    set_conflicts();
    node_of_.assign(problem_.replicas(), 0);
    steps_left_ = work * kStepsPerUnit;
    const ReplicaSet all = replicas() == 64 ? ~ReplicaSet{0} : (ReplicaSet{1} << replicas()) - 1;
    if (complete(all, nodes_)) return true;
    if (ended()) return std::nullopt;
    return false;
  }
  [[nodiscard]] Colocation assignment() const {
    Colocation colocation(problem_.replicas());
    for (std::uint32_t i = 0; i < replicas(); ++i) colocation[order_[i]] = node_of_[i];
    return colocation;
  }

 private:
  static constexpr std::size_t kKnown = std::size_t{1} << 16;
  static constexpr std::uint64_t kStepsPerUnit = 8;

  // Replicas left, as many as nodes could not hold at a limit.
  struct Known {
    ReplicaSet left = 0;
    std::uint32_t nodes = 0;
    double limit = 0;
  };
  // A node that is being filled.
  struct Node {
    std::vector<double> suffers;       // of each kind: what a replica of it costs here
    std::vector<std::uint32_t> count;  // of each kind
    std::vector<double> worth;         // by each pricing
  };
  // The choice of a node's replicas.
  struct Choice {
    ReplicaSet left = 0;  // before
    std::uint32_t nodes = 0;
    std::vector<std::uint32_t> candidate;
    std::vector<double> after;   // candidates + 1 x pricings: the worth of the candidates from one on
    std::vector<double> needed;  // by each pricing
  };

  [[nodiscard]] std::uint32_t replicas() const { return static_cast<std::uint32_t>(order_.size()); }
  [[nodiscard]] std::size_t pricings() const { return price_.size(); }

  // By what they cost alone, largest first; equal ones stand together.
  void order_replicas() {
    for (std::uint32_t i = 0; i < problem_.replicas(); ++i) order_.push_back(i);
    const auto alone = [&](std::uint32_t i) { return problem_.suffers(problem_.kind[i], problem_.kind[i]) * problem_.load[i]; };
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (alone(a) != alone(b)) return alone(a) > alone(b);
      if (problem_.kind[a] != problem_.kind[b]) return problem_.kind[a] < problem_.kind[b];
      return problem_.load[a] > problem_.load[b];
    });
    for (const std::uint32_t i : order_) {
      kind_.push_back(problem_.kind[i]);
      load_.push_back(problem_.load[i]);
    }
  }

  // The prices of the fluid bound for all kinds, and for each of few sets of kinds.
  void add_prices() {
    constexpr std::uint32_t kFew = 4;
    std::vector<std::uint32_t> sets;
    if (problem_.kinds <= kFew) {
      for (std::uint32_t set = 1; set < 1u << problem_.kinds; ++set) sets.push_back(set);
    } else {
      sets.push_back(~0u);
      for (std::uint32_t t = 0; t < std::min(problem_.kinds, 31u); ++t) sets.push_back(1u << t);
    }
    for (const std::uint32_t set : sets) {
      ColocationProblem part = problem_;
      for (std::uint32_t i = 0; i < part.replicas(); ++i)
        if (set != ~0u && (part.kind[i] >= 32 || (set >> part.kind[i] & 1u) == 0)) part.load[i] = 0;
      const std::vector<double> price = fluid_bound(part).prices;
      if (std::all_of(price.begin(), price.end(), [](double p) { return p <= 0; })) continue;
      std::vector<double> worth;
      for (std::uint32_t i = 0; i < replicas(); ++i) worth.push_back(price[kind_[i]] * load_[i] * problem_.nodes);
      price_.push_back(std::move(worth));
    }
  }

  // Which pairs cannot share a node.
  void set_conflicts() {
    conflict_.assign(replicas(), 0);
    for (std::uint32_t i = 0; i < replicas(); ++i) {
      for (std::uint32_t j = 0; j < replicas(); ++j) {
        if (i == j) continue;
        const double cost = problem_.suffers(kind_[i], kind_[i]) * load_[i] + problem_.suffers(kind_[i], kind_[j]) * load_[j];
        if (cost <= limit_) continue;
        conflict_[i] |= ReplicaSet{1} << j;
        conflict_[j] |= ReplicaSet{1} << i;
      }
    }
  }

  [[nodiscard]] Known& known(ReplicaSet left, std::uint32_t nodes) {
    return known_[((left + nodes) * 0x9E3779B97F4A7C15u) >> (64 - std::countr_zero(kKnown))];
  }

  // Whether the replicas left need more nodes, by (6).
  [[nodiscard]] bool too_many_apart(ReplicaSet left, std::uint32_t nodes) const {
    std::uint32_t apart = 0;
    while (left != 0) {
      if (++apart > nodes) return true;
      left &= conflict_[std::countr_zero(left)];
    }
    return false;
  }

  // Places the replicas left on the last `nodes` nodes.
  bool complete(ReplicaSet left, std::uint32_t nodes) {
    if (left == 0) return true;
    if (nodes == 0 || too_many_apart(left, nodes) || step()) return false;
    Known& before = known(left, nodes);
    if (before.left == left && before.nodes == nodes && before.limit >= limit_) return false;
    Choice choice;
    if (!prepare(left, nodes, choice)) return false;
    const auto lead = static_cast<std::uint32_t>(std::countr_zero(left));
    Node node{std::vector<double>(problem_.kinds, 0), std::vector<std::uint32_t>(problem_.kinds, 0),
              std::vector<double>(pricings(), 0)};
    add(node, lead, 1);
    bool placed = false;
    if (fits(node)) {
      placed = choose(choice, 0, node, ReplicaSet{1} << lead);
      if (placed) node_of_[lead] = nodes - 1;
    }
    if (!placed && !ended()) known(left, nodes) = {left, nodes, limit_};
    return placed;
  }

  // Lists what may join the first of the replicas left. Returns false if these are worth too much for the nodes.
  bool prepare(ReplicaSet left, std::uint32_t nodes, Choice& choice) const {
    choice.left = left;
    choice.nodes = nodes;
    const auto lead = static_cast<std::uint32_t>(std::countr_zero(left));
    for (ReplicaSet others = left & (left - 1) & ~conflict_[lead]; others != 0; others &= others - 1)
      choice.candidate.push_back(static_cast<std::uint32_t>(std::countr_zero(others)));
    choice.needed.assign(pricings(), 0);
    choice.after.assign((choice.candidate.size() + 1) * pricings(), 0);
    for (std::size_t q = 0; q < pricings(); ++q) {
      double worth = 0;
      for (ReplicaSet rest = left; rest != 0; rest &= rest - 1) worth += price_[q][std::countr_zero(rest)];
      if (worth > nodes * limit_ * (1 + kLimitSlack)) return false;
      choice.needed[q] = worth - (nodes - 1) * limit_ - worth * kLimitSlack;
      for (std::size_t k = choice.candidate.size(); k-- > 0;)
        choice.after[k * pricings() + q] = choice.after[(k + 1) * pricings() + q] + price_[q][choice.candidate[k]];
    }
    return true;
  }

  void add(Node& node, std::uint32_t i, int sign) const {
    for (std::uint32_t t = 0; t < problem_.kinds; ++t) node.suffers[t] += sign * problem_.suffers(t, kind_[i]) * load_[i];
    node.count[kind_[i]] += static_cast<std::uint32_t>(sign);
    for (std::size_t q = 0; q < pricings(); ++q) node.worth[q] += sign * price_[q][i];
  }
  [[nodiscard]] bool fits(const Node& node) const {
    for (std::uint32_t t = 0; t < problem_.kinds; ++t)
      if (node.count[t] > 0 && node.suffers[t] > limit_) return false;
    return true;
  }

  // Takes or leaves the candidates from the k-th one on.
  bool choose(const Choice& choice, std::size_t k, Node& node, ReplicaSet chosen) {
    if (step()) return false;
    const double* after = choice.after.data() + k * pricings();
    for (std::size_t q = 0; q < pricings(); ++q)
      if (node.worth[q] + after[q] < choice.needed[q] - limit_ * kLimitSlack) return false;
    while (k < choice.candidate.size() && (conflicts(chosen) >> choice.candidate[k] & 1u) != 0) ++k;
    if (k == choice.candidate.size()) return finish(choice, node, chosen);
    const std::uint32_t i = choice.candidate[k];
    const Node before = node;
    add(node, i, 1);
    if (fits(node) && choose(choice, k + 1, node, chosen | ReplicaSet{1} << i)) {
      node_of_[i] = choice.nodes - 1;
      return true;
    }
    node = before;
    do {
      ++k;
    } while (k < choice.candidate.size() && kind_[choice.candidate[k]] == kind_[i] && load_[choice.candidate[k]] == load_[i]);
    return choose(choice, k, node, chosen);
  }

  [[nodiscard]] ReplicaSet conflicts(ReplicaSet chosen) const {
    ReplicaSet all = 0;
    for (; chosen != 0; chosen &= chosen - 1) all |= conflict_[std::countr_zero(chosen)];
    return all;
  }

  bool finish(const Choice& choice, const Node& node, ReplicaSet chosen) {
    const ReplicaSet left = choice.left & ~chosen;
    return !dominated(node, chosen, left) && complete(left, choice.nodes - 1);
  }

  // By (1) and (2).
  [[nodiscard]] bool dominated(const Node& node, ReplicaSet chosen, ReplicaSet left) const {
    for (ReplicaSet others = left; others != 0; others &= others - 1) {
      const auto j = static_cast<std::uint32_t>(std::countr_zero(others));
      Node more = node;
      add(more, j, 1);
      if (fits(more)) return true;
      for (ReplicaSet own = chosen & (chosen - 1); own != 0; own &= own - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(own));
        if (kind_[i] != kind_[j] || load_[i] >= load_[j]) continue;
        Node other = more;
        add(other, i, -1);
        if (fits(other)) return true;
      }
    }
    return false;
  }

  // Counts a step. Returns true if the search has to end.
  bool step() {
    if (ended()) return true;
    --steps_left_;
    if (++steps_ % kStepsPerUnit == 0) clock_.step(1);
    return ended();
  }
  [[nodiscard]] bool ended() const { return steps_left_ == 0 || clock_.stop() != Stop::kNo; }

  const ColocationProblem& problem_;
  WorkClock& clock_;
  std::uint32_t nodes_;
  std::vector<std::uint32_t> order_;  // replicas of the problem; what follows is in this order
  std::vector<std::uint32_t> kind_;
  std::vector<double> load_;
  std::vector<std::vector<double>> price_;  // pricings x replicas: what a replica is worth; a node holds the limit at most
  std::vector<ReplicaSet> conflict_;
  std::vector<std::uint32_t> node_of_;
  std::vector<Known> known_;
  double limit_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_left_ = 0;
};

// Each replica, largest first, where it costs least: a first assignment.
Colocation first_assignment(const ColocationProblem& problem) {
  Colocation colocation(problem.replicas(), 0);
  std::vector<double> load(std::size_t{problem.nodes} * problem.kinds, 0);
  std::vector<bool> present(load.size(), false);
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t n = 0; n < problem.nodes; ++n) {
      double worst = 0;
      for (std::uint32_t t = 0; t < problem.kinds; ++t) {
        if (t != problem.kind[i] && !present[std::size_t{n} * problem.kinds + t]) continue;
        double cost = problem.suffers(t, problem.kind[i]) * problem.load[i];
        for (std::uint32_t u = 0; u < problem.kinds; ++u)
          cost += problem.suffers(t, u) * load[std::size_t{n} * problem.kinds + u];
        worst = std::max(worst, cost);
      }
      if (worst >= least) continue;
      least = worst;
      colocation[i] = n;
    }
    const std::size_t cell = std::size_t{colocation[i]} * problem.kinds + problem.kind[i];
    load[cell] += problem.load[i];
    present[cell] = true;
  }
  return colocation;
}

}  // namespace

ExactColocation exact_colocation(const ColocationProblem& problem, WorkClock& clock, const Colocation& start) {
  ExactColocation best{start.empty() ? first_assignment(problem) : start, 0, false};
  best.worst = cost_of(problem, best.colocation).worst;
  if (problem.replicas() > kMostExactReplicas) return best;
  double lower = worst_cost_bound(problem, clock, best.worst, kBoundWork).value;
  NodeCompletion completion(problem, clock);
  constexpr double kFirst = 1.0 / 32;
  double part = kFirst;  // of the gap, at which it is divided
  for (std::uint64_t work = kFirstWork; clock.stop() == Stop::kNo;) {
    const double top = best.worst * (1 - 1e-12);
    best.proven = lower >= top;
    if (best.proven) break;
    const double limit = part >= 1 ? top : lower + (top - lower) * part;
    const std::optional<bool> kept = completion.keeps(limit, work);
    if (kept == true) {
      best.colocation = completion.assignment();
      best.worst = cost_of(problem, best.colocation).worst;
      part = kFirst;
      continue;
    }
    if (kept == false) lower = limit;
    // Where a limit is hard to decide, larger ones may be easy.
    if (!kept && part >= 1) work *= 4;
    part = part >= 1 ? kFirst : part * 2;
  }
  return best;
}

}  // namespace stowage
