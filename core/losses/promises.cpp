#include "core/losses/promises.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/watched.h"
#include "core/losses/evacuation.h"
#include "core/losses/spares.h"
#include "core/model/data/copy.h"
#include "core/model/labels.h"
#include "core/placement/placement.h"
#include "core/plan/compact_plan.h"

namespace stowage {
namespace {

/// Steps of a Watch that an entry of a plan takes.
constexpr std::uint64_t kStepsPerReserved = 32;

/// Whether a replica less of some app can break the rule.
bool wants_replicas(const PlacementRule& rule) {
  if (!rule.hard) return false;
  for (const std::vector<Cardinality>& conjunction : rule.any_of) {
    for (const Cardinality& one : conjunction) {
      if (one.min > 0 || one.negated || one.kind == CardinalityKind::kSkew) return true;
    }
  }
  return false;
}

std::uint32_t at_most_32_bits(std::uint64_t count) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kNone)); }

Error check_keep(const Instance& instance, const Request& request) {
  if (request.keep.empty()) return {};
  std::set<AppId> seen;
  for (std::size_t k = 0; k < request.keep.size(); ++k) {
    const Kept& kept = request.keep[k];
    const std::string path = indexed("keep", k);
    if (kept.app >= instance.apps()) return invalid(path + ".app", "there is no such app");
    if (kept.replicas == 0) return invalid(path + ".replicas", "room for no replica says nothing");
    if (!seen.insert(kept.app).second) return invalid(path + ".app", "the app stands twice");
  }
  if (request.all_or_nothing)
    return {Code::kUnsupported, "room is not kept where applications are placed all or nothing", "keep"};
  const std::vector<PlacementRule>& rules = instance.rules();
  const auto at = std::find_if(rules.begin(), rules.end(), wants_replicas);
  if (at == rules.end()) return {};
  return {Code::kUnsupported,
          "room is not kept beside a hard rule that asks for replicas, such as " +
              instance.rule_name(static_cast<std::size_t>(at - rules.begin())) + ": it would not hold while the room is empty",
          "keep"};
}

/// Replicas of the app that run on a listed node or are pinned there.
std::map<std::pair<NodeId, AppId>, std::uint32_t> residents(const Instance& instance, bool ignore_running) {
  std::map<std::pair<NodeId, AppId>, std::uint32_t> all;
  for (const Residence& r : instance.data().running) {
    if (!ignore_running) all[{r.node, r.app}] += r.replicas;
  }
  for (const Residence& r : instance.data().pinned) {
    std::uint32_t& there = all[{r.node, r.app}];
    there = std::max(there, r.replicas);
  }
  return all;
}

/// What the plan reserves and does not reserve, per app. The checker has looked at both. Where the watch ends it, replicas are
/// missing, and nobody uses it.
std::vector<Kept> kept_by(const Plan& plan, WatchRef watch) {
  std::map<AppId, std::uint64_t> of_app;
  for (const Placed& one : plan.reserved) {
    if (watch.step(kStepsPerReserved)) return {};
    of_app[one.app] += std::uint64_t{one.replicas} * plan.nodes[one.node].copies;
  }
  for (const Unplaced& one : plan.unreserved) of_app[one.app] += one.replicas;
  std::vector<Kept> kept;
  kept.reserve(of_app.size());
  for (const auto& [app, replicas] : of_app) kept.push_back({app, at_most_32_bits(replicas)});
  return kept;
}

/// The plan with its reserved replicas as placed ones, and with those without room as left over. Where the watch ends it,
/// entries are missing, and nobody uses it.
Plan with_reserved_placed(const Plan& plan, WatchRef watch) {
  Plan all;
  all.nodes = watched_copy(std::span(plan.nodes), watch);
  std::vector<Placed> entries;
  entries.reserve(plan.placed.size() + plan.reserved.size());
  for (const std::vector<Placed>* list : {&plan.placed, &plan.reserved}) {
    in_pieces(std::span(*list), watch, [&](std::span<const Placed> piece) {
      entries.insert(entries.end(), piece.begin(), piece.end());
      return true;
    });
  }
  watched_sort(entries, watch,
               [](const Placed& a, const Placed& b) { return a.node != b.node ? a.node < b.node : a.app < b.app; });
  all.placed.reserve(entries.size());
  for (std::size_t k = 0; k < entries.size();) {
    if (watch.step(kStepsPerReserved)) return all;
    const Placed& one = entries[k];
    std::uint64_t replicas = 0;
    for (; k < entries.size() && entries[k].node == one.node && entries[k].app == one.app; ++k) replicas += entries[k].replicas;
    all.placed.push_back({one.app, one.node, at_most_32_bits(replicas)});
  }
  std::map<AppId, std::uint64_t> missing;
  for (const std::vector<Unplaced>* list : {&plan.unplaced, &plan.unreserved}) {
    for (const Unplaced& one : *list) missing[one.app] += one.replicas;
  }
  for (const auto& [app, replicas] : missing) {
    if (replicas > 0) all.unplaced.push_back({app, at_most_32_bits(replicas)});
  }
  return all;
}

/// What of `keep` the plan does not reserve.
void find_unreserved(const std::vector<Kept>& keep, Plan& plan) {
  std::map<AppId, std::uint64_t> missing;
  for (const Kept& kept : keep) missing[kept.app] += kept.replicas;
  for (const Placed& one : plan.reserved) missing[one.app] -= std::uint64_t{one.replicas} * plan.nodes[one.node].copies;
  for (const auto& [app, replicas] : missing) {
    if (replicas > 0) plan.unreserved.push_back({app, static_cast<std::uint32_t>(replicas)});
  }
}

/// Splits `copies` copies, fewer than it has, off an anonymous node. What it holds and reserves comes last in the lists.
NodeId split_node(Plan& plan, NodeId node, std::uint32_t copies) {
  const auto part = static_cast<NodeId>(plan.nodes.size());
  plan.nodes[node].copies -= copies;
  plan.nodes.push_back({plan.nodes[node].node_class, kNone, copies});
  for (std::vector<Placed>* list : {&plan.placed, &plan.reserved}) {
    for (std::size_t k = 0, end = list->size(); k < end; ++k) {
      const Placed one = (*list)[k];
      if (one.node == node) list->push_back({one.app, part, one.replicas});
    }
  }
  return part;
}

/// Reserves what an entry of the plan places, as far as more of its app is to be reserved, and it does not run there. Where
/// that are not all copies of the node, those are split off that keep their replicas, and one that keeps some.
void reserve_some(const std::map<std::pair<NodeId, AppId>, std::uint32_t>& resident, std::size_t entry,
                  std::vector<std::uint64_t>& open, Plan& plan) {
  const Placed one = plan.placed[entry];
  if (open[one.app] == 0) return;
  const NodeId listed = plan.nodes[one.node].listed;
  const auto at = listed == kNone ? resident.end() : resident.find({listed, one.app});
  const std::uint32_t stays = at == resident.end() ? 0 : std::min(at->second, one.replicas);
  const auto reserved = static_cast<std::uint32_t>(std::min<std::uint64_t>(open[one.app], one.replicas - stays));
  if (reserved == 0) return;
  const auto whole = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.nodes[one.node].copies, open[one.app] / reserved));
  if (whole < plan.nodes[one.node].copies) split_node(plan, one.node, plan.nodes[one.node].copies - whole);
  open[one.app] -= std::uint64_t{whole} * reserved;
  plan.placed[entry].replicas -= reserved;
  plan.reserved.push_back({one.app, one.node, reserved});
}

/// reserve_greedily() on an expanded plan, whose nodes are in no order then. False: the watch ended it.
template <class Unit>
bool reserve_on_nodes(const Instance& instance, const std::vector<Kept>& keep, std::uint32_t node_limit, WatchRef watch,
                      Plan& plan) {
  Request request;
  request.ignore_running = true;
  request.node_limit = node_limit;
  Placement<Unit> placement(instance, request, nullptr, watch);
  const std::vector<NodeId> node_of = placement.add(plan, watch);
  if (watch.look()) return false;
  std::vector<NodeId> index(placement.nodes(), kNone);  // of nodes in the plan
  for (NodeId n = 0; n < node_of.size(); ++n) index[node_of[n]] = n;
  typename Placement<Unit>::Candidate candidate(placement);
  std::vector<ClassId> classes(instance.classes());
  std::iota(classes.begin(), classes.end(), 0);
  for (const Kept& kept : keep) {
    std::uint32_t left = kept.replicas;
    candidate.start(placement, kept.app);
    const auto put = [&](NodeId node) {
      const std::uint32_t takes = left == 0 ? 0 : placement.headroom(candidate, node, left);
      if (takes == 0) return false;
      placement.place(kept.app, node, takes);
      left -= takes;
      if (node >= index.size()) index.resize(std::size_t{node} + 1, kNone);
      if (index[node] == kNone) {
        index[node] = static_cast<NodeId>(plan.nodes.size());
        plan.nodes.push_back({placement.class_of(node), node < instance.listed_nodes() ? node : kNone, 1});
      }
      plan.reserved.push_back({kept.app, index[node], takes});
      return true;
    };
    for (const NodeId node : node_of) {
      if (watch.step(placement.steps_to_ask(kept.app))) return false;
      put(node);
    }
    for (NodeId n = 0; n < placement.nodes(); ++n) {
      if (watch.step(placement.steps_to_ask(kept.app))) return false;
      put(n);
    }
    for (bool takes = true; takes && left > 0;) {
      if (watch.step(placement.steps_to_ask(kept.app))) return false;
      const NodeId node = placement.open_for(candidate, classes);
      takes = node != kNone && put(node);
    }
  }
  return true;
}

void add_violation(Violation violation, Verification& verification) {
  verification.ok = false;
  ++verification.violation_count;
  if (verification.violations.size() < Verification::kMaxListed) verification.violations.push_back(std::move(violation));
}

void verify_reserved(const Instance& instance, const Plan& plan, WatchRef watch, Verification& verification) {
  if (plan.reserved.empty() && plan.unreserved.empty()) return;
  const Result<Instance> more = with_kept_replicas(instance, kept_by(plan, watch), watch);
  Plan all = with_reserved_placed(plan, watch);
  if (watch.ended()) {
    verification.given_up = true;
    return;
  }
  if (!more) {
    add_violation({.kind = ViolationKind::kPromise, .what = "unreserved"}, verification);
    return;
  }
  all.instance = more.value().fingerprint();
  all.max_cost_limit = plan.max_cost_limit;
  Verification with_reserved = check_plan(more.value(), all, CheckScope::kViolations, watch);
  verification.given_up = with_reserved.given_up;
  for (Violation& violation : with_reserved.violations) {
    if (violation.inherited || violation.kind == ViolationKind::kFigures || violation.kind == ViolationKind::kMoves) continue;
    violation.what = "reserved";
    add_violation(std::move(violation), verification);
  }
}

}  // namespace

Error check_promises_asked(const Instance& instance, const Request& request) {
  if (request.keep.empty() && request.survive.empty()) return {};
  if (request.objective != Objective::kNodes) {
    return {Code::kUnsupported, "plans keep room and survive losses only where nodes or their cost count",
            request.keep.empty() ? "survive" : "keep"};
  }
  const std::string label = survived_label(request.survive);
  if (!label.empty() && !has_label(instance, label)) {
    return invalid("survive", "no node has a label with the key " + label);
  }
  return check_keep(instance, request);
}

Result<Instance> with_kept_replicas(const Instance& instance, const std::vector<Kept>& keep, WatchRef watch) {
  InstanceData data = copy_of(instance.data(), watch);
  if (watch.ended()) return cancelled();
  for (std::size_t k = 0; k < keep.size(); ++k) {
    const std::string path = indexed("keep", k);
    if (keep[k].app >= data.replicas.size()) return invalid(path + ".app", "there is no such app");
    std::uint32_t& replicas = data.replicas[keep[k].app];
    if (keep[k].replicas > kNone - 1 - replicas) return too_large(path + ".replicas", "too many replicas");
    replicas += keep[k].replicas;
  }
  Result<Instance> more = instance.with_columns(std::move(data), instance.limits(), watch);
  if (!more && more.error().code == Code::kCancelled) return more;
  if (!more) return Error{more.error().code, "with the replicas that are kept room for: " + more.error().message, "keep"};
  return more;
}

void reserve_kept(const Instance& instance, const std::vector<Kept>& keep, bool ignore_running, bool by_copies, Plan& plan) {
  std::vector<std::uint64_t> open(instance.apps(), 0);
  for (const Kept& kept : keep) open[kept.app] += kept.replicas;
  for (Unplaced& left : plan.unplaced) {
    const auto of_kept = static_cast<std::uint32_t>(std::min<std::uint64_t>(open[left.app], left.replicas));
    open[left.app] -= of_kept;
    left.replicas -= of_kept;
  }
  std::erase_if(plan.unplaced, [](const Unplaced& left) { return left.replicas == 0; });
  if (by_copies) {
    compact(plan);
  } else {
    expand(plan);
  }
  const auto resident = residents(instance, ignore_running);
  // Nodes that are split off hold what this has not looked at yet.
  for (std::size_t seen = 0; seen < plan.placed.size();) {
    const std::size_t end = plan.placed.size();
    // From the end: nodes that were opened last hold least.
    for (std::size_t k = end; k > seen; --k) reserve_some(resident, k - 1, open, plan);
    seen = end;
  }
  find_unreserved(keep, plan);
  std::erase_if(plan.placed, [](const Placed& one) { return one.replicas == 0; });
  order_nodes(plan);
}

void reserve_greedily(const Instance& instance, const std::vector<Kept>& keep, std::uint32_t node_limit, WatchRef watch,
                      Plan& plan) {
  if (!watch.look()) {
    Plan all = plan;
    expand(all);
    const bool is_whole = instance.visit_unit(
        [&](auto unit) { return reserve_on_nodes<decltype(unit)>(instance, keep, node_limit, watch, all); });
    if (is_whole) {
      order_nodes(all);
      plan = std::move(all);
    }
  }
  find_unreserved(keep, plan);
}

Verification verify_plan(const Instance& instance, const Plan& plan, WatchRef watch) {
  Verification verification = check_plan(instance, plan, CheckScope::kAll, watch);
  if (!verification.ok) return verification;
  verify_reserved(instance, plan, watch, verification);
  if (verification.given_up) return verification;
  if (plan.survive.empty()) {
    if (plan.not_survived > 0) add_violation({.kind = ViolationKind::kPromise, .what = "not_survived"}, verification);
    return verification;
  }
  if (!verification.ok || plan.not_survived == Plan::kUnknown) return verification;
  const std::uint64_t left = worst_loss(instance, plan, survived_label(plan.survive), watch);
  verification.given_up = watch.ended();
  if (left == Plan::kUnknown) {
    add_violation({.kind = ViolationKind::kUnchecked, .what = "not_survived"}, verification);
  } else if (left > plan.not_survived) {
    add_violation({.kind = ViolationKind::kPromise,
                   .amount = static_cast<double>(left),
                   .limit = static_cast<double>(plan.not_survived),
                   .what = "not_survived"},
                  verification);
  }
  return verification;
}

}  // namespace stowage
