// Which nodes can be emptied, by which moves.
#include <algorithm>
#include <numeric>

#include "capi/k8s/answer/planning.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

/// A plan is repeated with fewer moves this often.
constexpr int kMostRepeats = 3;

/// Points of the curve of moves have this many times the moves of the one before.
constexpr std::uint64_t kMoreMoves = 10;

/// So many lines of one kind are shown one by one.
constexpr std::size_t kShownLines = 20;

/// How many replicas run on so many of the nodes with fewest.
std::uint32_t least_moves(const std::vector<std::uint32_t>& replicas, std::size_t nodes) {
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t one : replicas) {
    if (one > 0) counts.push_back(one);
  }
  ranges::sort(counts);
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < std::min(nodes, counts.size()); ++k) sum += counts[k];
  return sum;
}

std::vector<std::uint32_t> replicas_by_node(const Cluster& of) {
  std::vector<std::uint32_t> counts(of.nodes.size(), 0);
  for (const App& one : of.apps) {
    for (const auto& [node, count] : one.running) counts[static_cast<std::size_t>(node)] += count;
  }
  return counts;
}

}  // namespace

bool Planning::removable(std::size_t node) const {
  const PresentNode& one = model.cluster.nodes[node];
  return one.kept_by.empty() && !model.cluster.kinds[static_cast<std::size_t>(one.kind)].fixed();
}

std::vector<char> Planning::used(const Planned& of) const {
  std::vector<char> all(model.cluster.nodes.size(), 0);
  for (const wire::Placed* one : *of.root().placed()) {
    const std::uint32_t listed = of.root().listed()->Get(one->node());
    if (listed != cli::kNone && one->app() < model.cluster.apps.size()) all[listed] = 1;
  }
  return all;
}

/// What a plan frees: the cost of the nodes or, without prices that decide, their number. Of them, `busy` have replicas now.
double Planning::gain(const Planned& of, const std::vector<std::uint32_t>& replicas, std::size_t& busy) const {
  std::vector<std::int64_t> freed(model.cluster.kinds.size(), 0);
  const std::vector<char> in_use = used(of);
  double number = 0;
  busy = 0;
  for (std::size_t n = 0; n < in_use.size(); ++n) {
    if (in_use[n] != 0 || !removable(n)) continue;
    ++freed[static_cast<std::size_t>(model.cluster.nodes[n].kind)];
    ++number;
    if (replicas[n] > 0) ++busy;
  }
  if (!model.prices.decide) return number;
  const double cost = model.prices.cost(model.cluster.kinds, freed),
               added = model.prices.cost(model.cluster.kinds, counts(of, true));
  return cost >= 0 && added >= 0 ? cost - added : number;
}

/// Looks for a plan that frees as much with fewer moves, since plans spare no move of their budget. To empty some nodes takes
/// at least as many moves as the least busy of them have replicas.
Planned Planning::with_fewer_moves(Planned plan_now, cli::RequestData request, const std::vector<std::uint32_t>& left) {
  const std::vector<std::uint32_t> replicas = replicas_by_node(model.cluster);
  std::size_t busy = 0;
  double best = gain(plan_now, replicas, busy);
  for (int turn = 0; turn < kMostRepeats && busy > 0; ++turn) {
    const std::uint32_t least = least_moves(replicas, busy);
    if (plan_now.root().moves() <= least) break;
    request.move_budget = least + (plan_now.root().moves() - least) / 2;
    Planned other = plan(Scope::kMoving, left, request);
    std::size_t its_busy = 0;
    const double its_gain = gain(other, replicas, its_busy);
    if (other.root().unplaced()->size() > 0 || its_gain < best ||
        other.root().domains_in_use() > plan_now.root().domains_in_use())
      break;
    plan_now = std::move(other);
    best = its_gain;
    busy = its_busy;
  }
  return plan_now;
}

/// The plan with moves is about the replicas that have a place now: those that have none do not decide whether a node is worth
/// emptying, and a plan that loses one of the others is not used.
/// @param curve whether plans with more moves are tried where the limit is used up
void Planning::consolidate(Answer& to, bool curve) {
  const std::vector<std::uint32_t> left = as_is.unplaced();
  const cli::RequestData request = moving_request();
  Planned made = plan(Scope::kMoving, left, request);
  if (made.root().unplaced()->size() > 0) {
    made = as_is;  // the run was too short to place even what fits
  } else if (options_.goals.empty()) {
    // Plans spare no move of their budget, so that one that has many left could not use them.
    const bool used_up = options_.moves > 0 && made.root().moves() >= options_.moves - options_.moves / 10;
    made = with_fewer_moves(std::move(made), request, left);
    if (used_up && curve) find_curve(made, request, left, to);
    if (used_up && !curve) {
      model.cluster.note("the limit of " + std::to_string(options_.moves) +
                         " moves is used up: `consolidate` tells how many nodes more moves empty");
    }
  }
  keep_plan(to, "emptied", made);
  find_emptied(made, to);
}

/// Plans with ever more moves, as long as they save more.
/// @param first  the plan of the answer, which uses its limit up
void Planning::find_curve(const Planned& first, cli::RequestData request, const std::vector<std::uint32_t>& left, Answer& to) {
  const std::vector<std::uint32_t> replicas = replicas_by_node(model.cluster);
  const std::uint64_t all = std::accumulate(replicas.begin(), replicas.end(), std::uint64_t{0});
  const auto point = [&](const Planned& of) {
    CurvePoint made{request.move_budget, of.root().moves(), 0, 0};
    made.saves = gain(of, replicas, made.emptied);
    return made;
  };
  to.curve.push_back(point(first));
  while (request.move_budget < all) {
    request.move_budget = static_cast<std::uint32_t>(std::min(request.move_budget * kMoreMoves, all));
    const Planned other = plan(Scope::kMoving, left, request);
    const CurvePoint next = point(other);
    if (other.root().unplaced()->size() > 0 || next.saves <= to.curve.back().saves) return;
    to.curve.push_back(next);
  }
}

cli::RequestData Planning::moving_request() const {
  cli::RequestData request = request_;
  request.move_budget = options_.moves;
  request.leave_free = options_.leave_free;
  request.soft = wire::SoftPolicy::Last;
  if (!options_.goals.empty()) {
    bool named = false;
    for (const std::string& words : options_.goals) {
      cli::PlanGoalData goal;
      goal.words = words;
      request.goals.push_back(goal);
      named = named || words.find("soft-rules") != std::string::npos;
    }
    if (!named) {
      cli::PlanGoalData goal;
      goal.what = wire::GoalKind::SoftRules;
      request.goals.push_back(goal);
    }
    request.soft = wire::SoftPolicy::First;
  }
  return request;
}

/// Finds the nodes with running replicas that are empty under a plan, and those that are empty now and stay so.
void Planning::find_emptied(const Planned& of, Answer& to) {
  const Cluster& cluster = model.cluster;
  const std::vector<char> in_use = used(of);
  const std::vector<std::uint32_t> replicas = replicas_by_node(cluster);
  std::vector<std::int64_t> freed(cluster.kinds.size(), 0);
  for (std::size_t n = 0; n < in_use.size(); ++n) {
    const PresentNode& node = cluster.nodes[n];
    if (!node.kept_by.empty()) to.held.push_back(std::string(node.name) + ": it stays by " + node.kept_by);
    if (in_use[n] != 0 || !removable(n)) continue;
    ++freed[static_cast<std::size_t>(node.kind)];
    (replicas[n] > 0 ? to.emptied : to.idle).emplace_back(node.name);
  }
  for (std::size_t n = 0; n < in_use.size(); ++n) {
    if (cluster.kinds[static_cast<std::size_t>(cluster.nodes[n].kind)].fixed()) continue;
    std::string reasons;
    for (const App& one : cluster.apps) {
      if (!one.running.contains(static_cast<int>(n)) || (!one.pinned && !one.held)) continue;
      reasons += (reasons.empty() ? "" : ", ") + one.workload() + " (" + one.held_by + ")";
    }
    if (!reasons.empty()) to.held.push_back(std::string(cluster.nodes[n].name) + ": " + reasons);
  }
  if (!options_.leave_free.empty()) {
    FreeValues free{options_.leave_free, {}, 0, of.root().domain_bound()};
    std::map<View, bool> busy;
    for (std::size_t n = 0; n < in_use.size(); ++n) {
      if (const View* value = cluster.nodes[n].labels.find(model.leave_free)) busy[*value] = busy[*value] || in_use[n] != 0;
    }
    for (const auto& [value, is_busy] : busy) {
      if (is_busy) {
        ++free.in_use;
      } else {
        free.values.emplace_back(value);
      }
    }
    to.free = std::move(free);
  }
  const std::vector<std::int64_t> added = counts(of, true);
  to.replace = needs(added);
  const double saved = model.prices.cost(cluster.kinds, freed), spent = model.prices.cost(cluster.kinds, added);
  if (saved >= 0 && spent >= 0 && !(to.emptied.empty() && to.idle.empty())) to.saved = saved - spent;
  if (!to.emptied.empty()) {
    to.moves = of.root().moves();
    to.move_list = ordered_moves(of);
    to.rounds = rounds(to.move_list);
    order_drains(to);
  }
  note_moves(to);
}

/// What an engineer should know before carrying a plan out: data that stays behind, and workloads that may grow again.
void Planning::note_moves(const Answer& of) {
  Cluster& cluster = model.cluster;
  std::set<std::string> data;
  for (const Move& one : of.move_list) {
    const App& app = cluster.apps[static_cast<std::size_t>(one.app)];
    for (const std::string& its : app.local_data) {
      if (!one.from.empty()) data.insert(app.workload() + " moves away from its local storage: " + its);
    }
  }
  std::size_t shown = 0;
  for (const std::string& one : data) {
    if (shown++ == kShownLines) break;
    cluster.note(one);
  }
  if (data.size() > kShownLines)
    cluster.note(std::to_string(data.size() - kShownLines) + " more workloads move away from local storage");
  if (of.emptied.empty() && of.idle.empty()) return;
  shown = 0;
  for (const Autoscaler& one : cluster.from.autoscalers) {
    std::string kind(one.target_kind);
    for (char& c : kind) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const std::string key = key_of(kind, one.ns, one.target);
    std::int64_t now = 0;
    for (const App& app : cluster.apps) now += app.key == key ? app.replicas : 0;
    if (now == 0 || one.most <= now || shown++ >= kShownLines) continue;
    cluster.note(key + " has " + cli::counted(static_cast<std::uint64_t>(now), "replica") +
                 " now, and its autoscaler lets it have up to " + std::to_string(one.most) +
                 ": nodes that are emptied may be needed again");
  }
}

/// For each budget, how many rounds the moves of its pods take, where one is not enough.
std::vector<std::string> Planning::rounds(const std::vector<Move>& moves) const {
  std::vector<std::string> lines;
  std::map<int, std::int64_t> by_app;
  for (const Move& one : moves) {
    if (!one.from.empty()) by_app[one.app] += one.replicas;
  }
  for (const BudgetOf& one : model.cluster.budgets) {
    std::int64_t count = 0;
    for (const int app : one.apps) {
      const auto found = by_app.find(app);
      if (found != by_app.end()) count += found->second;
    }
    if (one.allowed <= 0 || count <= one.allowed) continue;
    lines.push_back("budget " + one.name + " lets " + std::to_string(one.allowed) + " of its pods go at once: " +
                    std::to_string(count) + " moves in " + std::to_string((count + one.allowed - 1) / one.allowed) + " rounds");
  }
  return lines;
}

/// Pairs the nodes that replicas leave with those where they are under the plan.
std::vector<Move> Planning::move_list(const Planned& of) const {
  const Cluster& cluster = model.cluster;
  const wire::Plan& plan = of.root();
  std::vector<std::map<int, std::uint32_t>> then(cluster.apps.size());
  std::map<int, std::string> added;
  for (const wire::Placed* one : *plan.placed()) {
    if (one->app() >= cluster.apps.size()) continue;
    const std::uint32_t listed = plan.listed()->Get(one->node());
    int at = static_cast<int>(listed);
    if (listed == cli::kNone) {
      at = static_cast<int>(cluster.nodes.size() + one->node());
      added[at] = "a new node of " + cluster.kinds[plan.node_class()->Get(one->node())].name;
    }
    then[one->app()][at] += one->replicas() * (plan.copies() == nullptr ? 1 : plan.copies()->Get(one->node()));
  }
  const auto name = [&](int node) {
    const auto found = added.find(node);
    return found == added.end() ? std::string(cluster.nodes[static_cast<std::size_t>(node)].name) : found->second;
  };
  std::vector<Move> list;
  for (std::size_t i = 0; i < cluster.apps.size(); ++i) {
    const App& app = cluster.apps[i];
    std::vector<std::pair<int, std::uint32_t>> from;
    for (const auto& [node, count] : app.running) {
      const auto stays = then[i].find(node);
      const std::uint32_t kept = stays == then[i].end() ? 0 : std::min(stays->second, count);
      if (count > kept) from.emplace_back(node, count - kept);
    }
    std::size_t next = 0;
    for (const auto& [node, count] : then[i]) {
      const auto runs = app.running.find(node);
      std::uint32_t more = count - (runs == app.running.end() ? 0 : std::min(runs->second, count));
      while (more > 0) {
        Move made{app.workload(), more, "", name(node), static_cast<int>(i)};
        if (next < from.size()) {
          made.from = name(from[next].first);
          made.replicas = std::min(more, from[next].second);
          if ((from[next].second -= made.replicas) == 0) ++next;
        }
        more -= made.replicas;
        list.push_back(std::move(made));
      }
    }
  }
  return list;
}

}  // namespace stowage::k8s
