// What does not fit, what would take it, and what is needed if all is planned afresh.
#include <algorithm>

#include "capi/k8s/answer/planning.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

/// Plans with ever more moves are tried this often.
constexpr int kMostRooms = 12;

}  // namespace

/// Lists the preferences that do not hold.
void Planning::find_unmet(Answer& to) {
  if (model.rules.empty()) return;
  const Buffer report = as_is.instance->verify(*as_is.plan);
  const auto* broken = wire::GetReport(report.data())->body_as<wire::Verification>()->rule_violations();
  if (broken == nullptr) return;
  const std::vector<int> rules = model.rules_of(Scope::kHere);
  std::map<int, std::uint32_t> counts;
  for (const wire::RuleViolation* one : *broken) {
    if (!one->hard()) counts[rules[one->rule()]] += one->replicas();
  }
  std::map<std::string, std::size_t> at;
  for (const auto& [rule, count] : counts) {
    const std::string& text = model.rules[static_cast<std::size_t>(rule)].text;
    const auto [known, made] = at.try_emplace(text, to.unmet.size());
    if (made) to.unmet.push_back({text, 0});
    to.unmet[known->second].replicas += count;
  }
}

/// Pods of daemons that find no room on their nodes.
void Planning::add_daemons(Answer& to) const {
  const Cluster& cluster = model.cluster;
  for (const Daemon& one : cluster.daemons) {
    if (one.left_over.empty()) continue;
    Unplaced made{one.name,
                  static_cast<std::int64_t>(one.left_over.size()),
                  static_cast<std::int64_t>(std::max(one.on.size(), one.left_over.size())),
                  {},
                  {}};
    for (std::size_t k = 0; k < one.left_over.size() && k < 3; ++k) {
      const int node = one.left_over[k];
      const PresentNode& at = cluster.nodes[static_cast<std::size_t>(node)];
      const auto found = one.on.find(node);
      Amounts free = at.capacity;
      free.add(at.daemon, -1);
      for (const App& app : cluster.apps) {
        const auto runs = app.running.find(node);
        if (runs != app.running.end()) free.add(app.requests, -static_cast<std::int64_t>(runs->second));
      }
      std::string text = "node " + std::string(at.name) + ":";
      for (const auto& [resource, amount] : found == one.on.end() ? one.requests : found->second) {
        const std::int64_t lack = amount - free.get(resource);
        if (amount > 0 && lack > 0)
          text += (text.ends_with(':') ? " short of " : ", short of ") + cluster.from.resources.text(resource, lack);
      }
      made.why.push_back(text);
    }
    to.unplaced.push_back(std::move(made));
  }
}

void Planning::fit(Answer& to) {
  find_unmet(to);
  to.unplaced = explain_unplaced(as_is, Scope::kHere);
  if (as_is.total() > 0) {
    grow(to);
    find_room(to);
  }
  add_daemons(to);
}

/// Looks for nodes to add. None are recommended if they place no further replica.
void Planning::grow(Answer& to) {
  const Planned more = plan_groups(Scope::kGrown, request_);
  if (more.total() >= as_is.total()) return;
  to.add = needs(counts(more, true));
  keep_plan(to, "grown", more);
  to.still_unplaced = explain_unplaced(more, Scope::kGrown);
}

/// Looks for moves that make room on the present nodes, as few as it takes.
void Planning::find_room(Answer& to) {
  const bool runs = ranges::any_of(model.cluster.apps, [](const App& one) { return !one.running.empty() && !one.pinned; });
  if (options_.moves == 0 || !runs || !model.cluster.groups.empty()) return;
  cli::RequestData request = request_;
  request.soft = wire::SoftPolicy::Last;
  request.move_budget = options_.moves;
  Planned best = plan(Scope::kRoom, {}, request);
  if (best.total() >= as_is.total()) return;
  std::uint32_t budget = 1;
  for (int turn = 0; turn < kMostRooms && budget < best.root().moves(); ++turn) {
    request.move_budget = budget;
    const Planned other = plan(Scope::kRoom, {}, request);
    if (other.total() <= best.total()) {
      best = other;
      break;
    }
    budget = budget < 4 ? budget + 1 : budget * 2;
  }
  Room room;
  room.count = best.root().moves();
  for (Move& one : move_list(best)) {
    if (!one.from.empty()) room.moves.push_back(std::move(one));
  }
  if (best.total() > 0) room.unplaced = explain_unplaced(best, Scope::kHere);
  to.room = std::move(room);
}

/// Answers how many nodes of which kind all replicas need that fit on any.
void Planning::afresh(Answer& to) {
  std::vector<std::uint32_t> left(model.cluster.apps.size(), 0);
  cli::RequestData request = request_;
  request.soft = wire::SoftPolicy::Last;
  Planned made = plan(Scope::kFresh, left, request);
  if (made.total() > 0) {
    // The bound holds for plans that place everything, so that what fits nowhere must not be wanted.
    left = made.unplaced();
    made = plan(Scope::kFresh, left, request);
  }
  keep_plan(to, "afresh", made);
  std::vector<std::int64_t> all = counts(made, false);
  to.afresh = needs(all);
  if (made.root().node_bound() != nullptr) to.bound = made.root().node_bound()->value();
  std::vector<std::int64_t> present;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const NodeKind& kind = model.cluster.kinds[k];
    present.push_back(kind.fixed() ? 0 : kind.nodes);  // their cost is the same in any case
    if (kind.fixed()) all[k] = 0;
  }
  const double now = model.prices.cost(model.cluster.kinds, present), then = model.prices.cost(model.cluster.kinds, all);
  if (now >= 0 && then >= 0) {
    to.cost_now = now;
    to.cost_afresh = then;
  }
}

/// The use of each node by what runs there.
void Planning::table(Answer& to) const {
  const Cluster& cluster = model.cluster;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const PresentNode& node = cluster.nodes[n];
    const NodeKind& kind = cluster.kinds[static_cast<std::size_t>(node.kind)];
    NodeRow row{std::string(node.name), kind.name, "open", 0, node.daemon, node.capacity};
    if (!node.closed_by.empty()) {
      row.state = node.closed_by.substr(node.closed_by.starts_with("is ") ? 3 : std::string("has the condition ").size());
    } else if (kind.fixed()) {
      row.state = kind.control ? "control plane" : "for one pod";
    }
    to.table.push_back(std::move(row));
  }
  for (const App& app : cluster.apps) {
    for (const auto& [node, count] : app.running) {
      NodeRow& row = to.table[static_cast<std::size_t>(node)];
      row.pods += count;
      row.used.add(app.requests, count);
    }
  }
}

}  // namespace stowage::k8s
