#include "core/session/commit.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "core/base/watched.h"
#include "core/placement/placement.h"
#include "core/plan/side_effects.h"
#include "core/session/apply.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

/// The tenants of each node, in ascending order of apps.
class Seats {
 public:
  /// Incomplete if the watch ends the call; nobody uses it then.
  /// @param entries an app, a node below `nodes` and replicas each
  template <class Entry>
  Seats(std::span<const Entry> entries, std::size_t nodes, WatchRef watch) : begin_(nodes + 1, 0) {
    in_pieces(entries, watch, [this](std::span<const Entry> piece) {
      for (const Entry& entry : piece) ++begin_[entry.node + 1];
      return true;
    });
    watched_resize(seats_, entries.size(), watch);
    if (watch.ended()) return;
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    in_pieces(entries, watch, [&](std::span<const Entry> piece) {
      for (const Entry& entry : piece) seats_[next[entry.node]++] = {entry.app, entry.replicas};
      return true;
    });
    for (std::size_t n = 0; n + 1 < begin_.size(); ++n) {
      if (watch.step(8 * (begin_[n + 1] - begin_[n]) + 1)) return;
      std::sort(seats_.begin() + static_cast<std::ptrdiff_t>(begin_[n]),
                seats_.begin() + static_cast<std::ptrdiff_t>(begin_[n + 1]),
                [](const Tenant& a, const Tenant& b) { return a.app < b.app; });
    }
  }
  [[nodiscard]] std::span<const Tenant> at(NodeId node) const {
    return std::span(seats_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Tenant> seats_;
};

/// A change of an app's replicas on a node.
struct Shift {
  AppId app;
  NodeId node;    ///< index into the plan's nodes; kNone: a listed node that the plan does not use
  NodeId listed;  ///< kNone: a node that the plan opens
  std::uint32_t before;
  std::uint32_t after;
};

/// The differences between a plan and the replicas that ran when it was made, by node and app. Incomplete if the watch ends the
/// call.
std::vector<Shift> shifts_of(const SessionBatch& planned, const Plan& plan, WatchRef watch) {
  const Seats running(std::span(planned.instance->data().running), planned.nodes.size(), watch);
  if (watch.ended()) return {};
  const Seats seats(std::span(plan.placed), plan.nodes.size(), watch);
  if (watch.ended()) return {};
  std::vector<Shift> shifts;
  const auto compare = [&](std::span<const Tenant> before, std::span<const Tenant> after, NodeId node, NodeId listed) {
    auto old = before.begin();
    for (const Tenant& tenant : after) {
      for (; old != before.end() && old->app < tenant.app; ++old) shifts.push_back({old->app, node, listed, old->replicas, 0});
      const bool ran = old != before.end() && old->app == tenant.app;
      const std::uint32_t there = ran ? old->replicas : 0;
      if (ran) ++old;
      if (there != tenant.replicas) shifts.push_back({tenant.app, node, listed, there, tenant.replicas});
    }
    for (; old != before.end(); ++old) shifts.push_back({old->app, node, listed, old->replicas, 0});
  };
  std::vector<std::uint8_t> seen(planned.nodes.size(), 0);
  for (NodeId n = 0; n < plan.nodes.size(); ++n) {
    if (watch.step(16 + 8 * seats.at(n).size())) return shifts;
    const NodeId listed = plan.nodes[n].listed;
    if (listed == kNone) {
      compare({}, seats.at(n), n, kNone);
    } else {
      seen[listed] = 1;
      compare(running.at(listed), seats.at(n), n, listed);
    }
  }
  for (NodeId listed = 0; listed < planned.nodes.size(); ++listed) {
    if (watch.step(16)) return shifts;
    if (seen[listed] == 0) compare(running.at(listed), {}, kNone, listed);
  }
  return shifts;
}

/// Keys of a plan's nodes in a session: those of listed nodes, and those of nodes that the commit opens.
class CommittedNodes {
 public:
  /// @param watch once it has ended the call, the change is good for nothing
  CommittedNodes(SessionChange& change, const SessionBatch& planned, const Plan& plan, CommitOutcome& outcome, WatchRef watch)
      : change_(change),
        planned_(planned),
        plan_(plan),
        outcome_(outcome),
        watch_(watch),
        opened_(plan.nodes.size(), kNoSessionKey) {}

  /// The key of the shift's node, which is opened if necessary. kNoSessionKey: max_nodes does not allow another node.
  SessionKey key(const Shift& shift) { return shift.listed != kNone ? planned_.nodes[shift.listed] : open(shift.node); }
  /// Opens the plan's anonymous nodes that hold nothing: they are kept for losses, or for more replicas. False: max_nodes does
  /// not allow one of them, or the watch ends the call.
  bool open_kept() {
    std::vector<std::uint8_t> holds(plan_.nodes.size(), 0);
    in_pieces(std::span(plan_.placed), watch_, [&](std::span<const Placed> piece) {
      for (const Placed& one : piece) holds[one.node] = 1;
      return true;
    });
    if (watch_.ended()) return false;
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      if (plan_.nodes[n].listed == kNone && holds[n] == 0 && open(n) == kNoSessionKey) return false;
      if (watch_.step(2)) return false;
    }
    return true;
  }

 private:
  SessionKey open(NodeId planned) {
    SessionKey& key = opened_[planned];
    if (key != kNoSessionKey) return key;
    SessionGlobals& globals = change_.globals;
    if (globals.nodes >= change_.state().bounds.max_nodes) return kNoSessionKey;
    const ClassId node_class = plan_.nodes[planned].node_class;
    auto spec = std::make_shared<NodeSpec>();
    spec->name = next_node_name(change_, node_class, watch_);
    spec->node_class = node_class;
    outcome_.opened.push_back(spec->name);
    SessionNode node;
    node.spec = std::move(spec);
    ++globals.nodes;
    ++globals.class_listed[node_class];
    key = change_.add_node(std::move(node));
    return key;
  }

  SessionChange& change_;
  const SessionBatch& planned_;
  const Plan& plan_;
  CommitOutcome& outcome_;
  WatchRef watch_;
  std::vector<SessionKey> opened_;
};

std::uint32_t running_on(const SessionApp& app, SessionKey node) {
  const auto home = std::lower_bound(app.homes.begin(), app.homes.end(), node,
                                     [](const Home& one, SessionKey key) { return one.node < key; });
  return home == app.homes.end() || home->node != node ? 0 : home->replicas;
}

Error too_many_nodes() { return {Code::kLimitExceeded, "the plan opens more nodes than max_nodes allows", "nodes"}; }

/// Calls `before`, then commits the change, which cannot fail and which nobody ends: a fraction of a microsecond per node.
Result<CommitOutcome> finish_commit(SessionChange& change, bool changed, CommitOutcome& outcome, const BeforeCommit& before,
                                    WatchRef watch) {
  outcome.committed = true;
  if (changed) ++change.globals.version;
  outcome.version = change.globals.version;
  if (before) before(outcome);
  if (watch.look()) return cancelled();
  change.commit();
  return std::move(outcome);
}

/// The new replicas of one app.
struct Wish {
  AppId app;  ///< index in the plan's batch
  std::vector<Shift> shifts;
};

/// The shifts of each app, in their order, by descending priority and then in the order of joining. Incomplete if the watch
/// ends the call.
std::vector<Wish> wishes_of(const SessionBatch& planned, const std::vector<Shift>& shifts, WatchRef watch) {
  std::vector<Wish> wishes(planned.apps.size());
  for (AppId app = 0; app < wishes.size(); ++app) wishes[app].app = app;
  for (const Shift& shift : shifts) {
    wishes[shift.app].shifts.push_back(shift);
    if (watch.step(16)) return {};
  }
  std::erase_if(wishes, [](const Wish& wish) { return wish.shifts.empty(); });
  watched_sort(wishes, watch, [&](const Wish& a, const Wish& b) {
    const std::int32_t first = planned.instance->priority(a.app);
    const std::int32_t second = planned.instance->priority(b.app);
    return first != second ? first > second : a.app < b.app;
  });
  return wishes;
}

/// Finds the apps of a plan whose new replicas still fit the present cluster.
template <class Unit>
class Refit {
 public:
  /// Once the watch has ended the call, nobody uses it.
  Refit(const SessionState& state, const SessionBatch& planned, const SessionBatch& present, const Plan& plan,
        CommitOutcome& outcome, WatchRef watch)
      : state_(state),
        planned_(planned),
        present_(present),
        plan_(plan),
        outcome_(outcome),
        watch_(watch),
        limited_costs_(within_max_cost(*present.instance, plan.max_cost_limit)),
        placement_(limited_costs_ ? *limited_costs_ : *present.instance, Request{}, nullptr, watch),
        candidate_(placement_),
        opened_(plan.nodes.size(), kNone) {}

  /// Returns the wishes that fit, in order. The outcome's conflicts list the others.
  /// None if the watch ends the call.
  std::vector<Wish> run(std::vector<Wish> wishes) {
    if (watch_.look()) return {};
    // Apps come after those that a rule with a minimum needs near them.
    const TagModel& rules = planned_.instance->tag_model();
    std::stable_sort(wishes.begin(), wishes.end(),
                     [&](const Wish& a, const Wish& b) { return rules.depth(a.app) < rules.depth(b.app); });
    std::erase_if(wishes, [&](const Wish& wish) { return watch_.step() || !fits(wish); });
    if (watch_.ended()) return {};
    if (!wishes.empty() && !holds()) {
      if (watch_.ended()) return {};
      wishes.clear();
      outcome_.conflicts.push_back({ConflictKind::kRules, {}, {}, 0, 0});
    }
    return wishes;
  }

 private:
  [[nodiscard]] static std::uint32_t index_in(const std::vector<SessionKey>& keys, SessionKey key) {
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    return found != keys.end() && *found == key ? static_cast<std::uint32_t>(found - keys.begin()) : kNone;
  }

  bool refuse_wish(ConflictKind kind, AppId app, const Shift& shift, std::uint64_t wanted, std::uint64_t available) {
    const InstanceData& data = planned_.instance->data();
    std::string node = shift.listed == kNone ? std::string() : data.node_names[shift.listed];
    outcome_.conflicts.push_back({kind, data.app_names[app], std::move(node), wanted, available});
    return false;
  }

  bool fits(const Wish& wish) {
    taken_.clear();
    for (const Shift& shift : wish.shifts) {
      if (watch_.step(64)) return false;
      if (fits(wish.app, shift)) continue;
      for (const auto& [node, replicas] : taken_) {
        if (watch_.step(64)) break;
        placement_.remove(index_in(present_.apps, planned_.apps[wish.app]), node, replicas);
      }
      return false;
    }
    return true;
  }

  bool fits(AppId planned_app, const Shift& shift) {
    const std::uint32_t more = shift.after - shift.before;
    const SessionKey key = planned_.apps[planned_app];
    const AppId app = index_in(present_.apps, key);
    if (app == kNone) return refuse_wish(ConflictKind::kAppGone, planned_app, shift, more, 0);
    NodeId node = kNone;
    std::uint32_t needed = more;
    if (shift.listed != kNone) {
      node = index_in(present_.nodes, planned_.nodes[shift.listed]);
      if (node == kNone) return refuse_wish(ConflictKind::kNodeGone, planned_app, shift, more, 0);
      // The placement holds the pinned replicas already.
      const std::uint64_t wanted =
          std::uint64_t{running_on(*state_.apps.find(key)->second, planned_.nodes[shift.listed])} + more;
      const std::uint32_t there = placement_.contents().count(app, node);
      needed = static_cast<std::uint32_t>(wanted > there ? wanted - there : 0);
      if (needed > 0 && !present_.instance->data().closed.empty() && present_.instance->data().closed[node] != 0) {
        return refuse_wish(ConflictKind::kNodeClosed, planned_app, shift, more, 0);
      }
    }
    if (needed > placement_.unplaced(app)) {
      return refuse_wish(ConflictKind::kNotPending, planned_app, shift, needed, placement_.unplaced(app));
    }
    if (needed == 0) return true;
    if (node == kNone) {
      node = opened_[shift.node];
      if (node == kNone) node = opened_[shift.node] = placement_.open(plan_.nodes[shift.node].node_class);
      if (node == kNone) return refuse_wish(ConflictKind::kNoRoom, planned_app, shift, needed, 0);
    }
    if (watch_.step(placement_.steps_to_ask(app))) return false;
    candidate_.start(placement_, app);
    const std::uint32_t room = placement_.headroom(candidate_, node, needed);
    if (room < needed) return refuse_wish(ConflictKind::kNoRoom, planned_app, shift, needed, room);
    placement_.place(app, node, needed);
    taken_.emplace_back(node, needed);
    return true;
  }

  /// Whether the independent checker accepts the result. A rule with a minimum may be broken because apps that it counts did
  /// not fit. The plan states no figures, so wrong figures do not count. No answer if the watch ends the call.
  [[nodiscard]] bool holds() const {
    Plan plan;
    plan.instance = present_.instance->fingerprint();
    placement_.write_as_is(plan, watch_);
    if (watch_.look()) return false;
    const Verification verification = check_plan(*present_.instance, plan, CheckScope::kViolations, watch_);
    return std::all_of(verification.violations.begin(), verification.violations.end(), [](const Violation& violation) {
      return violation.inherited || violation.kind == ViolationKind::kFigures;
    });
  }

  const SessionState& state_;
  const SessionBatch& planned_;
  const SessionBatch& present_;
  const Plan& plan_;
  CommitOutcome& outcome_;
  WatchRef watch_;
  std::optional<Instance> limited_costs_;  // the plan's limit holds for every part of it
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<NodeId> opened_;  ///< per node of the plan: the node opened for it in the placement, or kNone
  std::vector<std::pair<NodeId, std::uint32_t>> taken_;  ///< placed replicas of the present wish
};

}  // namespace

Error check_committed(const SessionBatch& planned, const Plan& plan, WatchRef watch) {
  const Verification verification = check_plan(*planned.instance, plan, CheckScope::kViolations, watch);
  if (watch.look()) return cancelled();
  for (const Violation& violation : verification.violations) {
    if (violation.inherited) continue;
    std::string what = "violation kind " + std::to_string(static_cast<int>(violation.kind));
    if (!violation.what.empty()) what += ", " + violation.what;
    const InstanceData& data = planned.instance->data();
    if (violation.app < data.app_names.size()) what += ", app \"" + data.app_names[violation.app] + "\"";
    return {Code::kInvalid, "the plan breaks constraints (" + what + ")",
            violation.node < plan.nodes.size() ? indexed("nodes", violation.node) : ""};
  }
  return {};
}

Result<CommitOutcome> commit_as_planned(SessionState& state, const SessionBatch& planned, const Plan& plan,
                                        const BeforeCommit& before, WatchRef watch) {
  CommitOutcome outcome;
  outcome.planned_version = planned.version;
  SessionChange change(state);
  CommittedNodes nodes(change, planned, plan, outcome, watch);
  const std::vector<Shift> shifts = shifts_of(planned, plan, watch);
  if (watch.ended()) return cancelled();
  std::vector<std::int64_t> difference(planned.apps.size(), 0);
  std::vector<std::vector<Home>> homes(planned.apps.size());
  std::uint64_t left = 0;
  for (const Shift& shift : shifts) {
    const SessionKey node = nodes.key(shift);
    if (node == kNoSessionKey) return too_many_nodes();
    if (watch.step(64)) return cancelled();
    homes[shift.app].push_back({node, shift.after});
    difference[shift.app] += std::int64_t{shift.after} - shift.before;
    if (shift.after < shift.before) left += shift.before - shift.after;
  }
  for (AppId app = 0; app < homes.size(); ++app) {
    if (!homes[app].empty()) change.settle(planned.apps[app], std::move(homes[app]), watch);
    if (watch.ended()) return cancelled();
  }
  for (const std::int64_t more : difference)
    (more > 0 ? outcome.placed : outcome.ended) += static_cast<std::uint64_t>(std::abs(more));
  outcome.moved = left - outcome.ended;
  if (!nodes.open_kept()) return watch.ended() ? cancelled() : too_many_nodes();
  return finish_commit(change, !shifts.empty() || !outcome.opened.empty(), outcome, before, watch);
}

Result<CommitOutcome> commit_what_fits(SessionState& state, const SessionBatch& planned, const SessionBatch& present,
                                       const Plan& plan, CommitMode mode, const BeforeCommit& before, WatchRef watch) {
  CommitOutcome outcome;
  outcome.planned_version = planned.version;
  outcome.version = state.globals.version;
  const std::vector<Shift> shifts = shifts_of(planned, plan, watch);
  if (watch.ended()) return cancelled();
  const InstanceData& data = planned.instance->data();
  for (const Shift& shift : shifts) {
    if (watch.step(16)) return cancelled();
    if (shift.after >= shift.before) continue;
    // A plan with moves may use room that the moved replicas free, so it is committed as a whole or not at all.
    outcome.conflicts.push_back(
        {ConflictKind::kMoves, data.app_names[shift.app], data.node_names[shift.listed], shift.before, shift.after});
  }
  const auto nothing_taken = [&]() -> Result<CommitOutcome> {
    if (before) before(outcome);
    return std::move(outcome);
  };
  if (!outcome.conflicts.empty()) return nothing_taken();
  std::vector<Wish> wishes = wishes_of(planned, shifts, watch);
  if (watch.ended()) return cancelled();
  return present.instance->visit_unit([&](auto unit) -> Result<CommitOutcome> {
    wishes = Refit<decltype(unit)>(state, planned, present, plan, outcome, watch).run(std::move(wishes));
    if (watch.ended()) return cancelled();
    if (wishes.empty() || (mode == CommitMode::kWhole && !outcome.conflicts.empty())) return nothing_taken();
    SessionChange change(state);
    CommittedNodes nodes(change, planned, plan, outcome, watch);
    if (watch.look()) return cancelled();
    for (const auto& wish : wishes) {
      const SessionKey app = planned.apps[wish.app];
      std::vector<Home> homes;
      for (const Shift& shift : wish.shifts) {
        if (watch.step(64)) return cancelled();
        const SessionKey node = nodes.key(shift);
        if (node == kNoSessionKey) return too_many_nodes();
        const std::uint32_t more = shift.after - shift.before;
        homes.push_back({node, running_on(*change.app(app), node) + more});
        outcome.placed += more;
      }
      change.settle(app, std::move(homes), watch);
    }
    if (!nodes.open_kept()) return watch.ended() ? cancelled() : too_many_nodes();
    return finish_commit(change, true, outcome, before, watch);
  });
}

}  // namespace stowage
