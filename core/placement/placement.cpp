// The parts of a placement that run once per plan or node; those that run once per replica are inline.

#include "core/placement/placement.h"

#include <algorithm>

namespace stowage {
namespace {

/// Steps of a Watch that an entry of a plan takes.
constexpr std::uint64_t kStepsToPlace = 16;
/// Dimensions of a node that are passed in a step.
constexpr std::uint32_t kDimsPerStep = 8;

}  // namespace

template <class Unit>
Placement<Unit>::Placement(const Instance& instance, const Request& request, WorkClock* clock, WatchRef watch)
    : instance_(&instance),
      clock_(clock, instance.dims()),
      drops_late_(request.drop_late),
      is_compact_(request.compact),
      residuals_(instance),
      tags_(instance),
      all_or_nothing_(request.all_or_nothing),
      node_limit_(request.node_limit == 0 ? kNone : request.node_limit),
      opened_(instance.classes(), 0),
      unplaced_(instance.data().replicas) {
  const InstanceData& data = instance.data();
  residuals_.reserve(instance.listed_nodes());
  node_class_.reserve(instance.listed_nodes());
  loaded_.reserve(instance.listed_nodes());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (watch.step(kStepsToOpen + instance.dims())) return;
    add_node(n, data.node_class[n]);
    ++opened_[data.node_class[n]];
    loaded_.push_back(instance.is_loaded(n) ? 1 : 0);
    in_use_ += loaded_[n];
  }
  place_start(request, watch);
  if (watch.ended()) return;
  for (NodeId n = 0; n < data.closed.size(); ++n) {
    if (data.closed[n] == 0) continue;
    if (watch.step(kStepsToOpen)) return;
    residuals_.close(n);
  }
  if (may_withdraw()) start_ = contents_;
  if (tags_.active()) tags_.settle_start();
}

template <class Unit>
void Placement<Unit>::place_start(const Request& request, WatchRef watch) {
  const InstanceData& data = instance_->data();
  const std::uint64_t steps = kStepsToPlace + instance_->dims() / kDimsPerStep;
  residuals_.defer();
  if (!request.ignore_running) {
    for (const Residence& r : data.running) {
      if (watch.step(steps)) return;
      place(r.app, r.node, r.replicas);
    }
  }
  for (const Residence& p : data.pinned) {
    if (watch.step(steps)) return;
    const std::uint32_t there = contents_.count(p.app, p.node);
    if (p.replicas > there) place(p.app, p.node, p.replicas - there);
  }
  if (watch.look()) return;
  residuals_.settle(watch);
  for (const auto* list : {&data.running, &data.pinned}) {
    for (const Residence& r : *list) {
      if (watch.step(steps)) return;
      residuals_.note_exceeded(r.node);
    }
  }
}

template <class Unit>
bool Placement<Unit>::rules_let_exchange(AppId app, NodeId node, AppId other, NodeId other_node) {
  if (!tags_.active()) return true;
  const auto change = [&](AppId who, NodeId where, std::int64_t replicas) {
    if (replicas > 0) {
      contents_.add(who, where, 1);
    } else {
      contents_.remove(who, where, 1);
    }
    tags_.change(tag_view(), who, where, replicas);
  };
  const auto allows = [&](AppId who, NodeId where) { return tags_.allowed(tag_view(), who, tag_view().site(where), 1) > 0; };
  change(app, node, -1);
  if (other != kNone) change(other, other_node, -1);
  bool allowed = allows(app, other_node);
  if (allowed && other != kNone) {
    change(app, other_node, 1);
    allowed = allows(other, node);
    change(app, other_node, -1);
  }
  if (other != kNone) change(other, other_node, 1);
  change(app, node, 1);
  return allowed;
}

template <class Unit>
std::uint32_t Placement<Unit>::repeat(NodeId node, std::uint64_t most) {
  if (contents_.at(node).empty() || tags_.active() || may_withdraw()) return 0;
  auto times = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, kNone));
  for (const Tenant& tenant : contents_.at(node)) times = std::min(times, unplaced_[tenant.app] / tenant.replicas);
  times = static_cast<std::uint32_t>(std::min<std::uint64_t>({times, left_of(node_class_[node]), ceiling()}));
  if (times == 0) return 0;
  for (const Tenant& tenant : contents_.at(node)) unplaced_[tenant.app] -= times * tenant.replicas;
  opened_[node_class_[node]] += times;
  in_use_ += times;
  set_more(node, copies(node) - 1 + times);
  reserve_time();
  return times;
}

template <class Unit>
NodeId Placement<Unit>::split(NodeId node, std::uint32_t copies) {
  const std::uint32_t all = this->copies(node);
  if (copies == all) return node;
  const NodeId part = add_node(kNone, node_class_[node]);
  // A copy: adding to contents_ may move its lists.
  const std::vector<Tenant> tenants(contents_.at(node).begin(), contents_.at(node).end());
  for (const Tenant& tenant : tenants) {
    contents_.add(tenant.app, part, tenant.replicas);
    residuals_.take(tenant.app, part, tenant.replicas);
  }
  set_more(node, all - copies - 1);
  set_more(part, copies - 1);
  return part;
}

template <class Unit>
void Placement<Unit>::place_on_copies(AppId app, NodeId node, std::uint32_t each) {
  // The copies that take a full share keep the lower index: among equal nodes, later steps prefer the lowest.
  const std::uint32_t full = std::min(copies(node), unplaced(app) / each);
  const NodeId rest = full < copies(node) ? split(node, copies(node) - full) : node;
  place(app, node, each);
  if (rest == node || unplaced(app) == 0) return;
  if (copies(rest) > 1) split(rest, copies(rest) - 1);
  place(app, rest, unplaced(app));
}

template <class Unit>
void Placement<Unit>::write(Plan& plan) const {
  if (!may_withdraw() || may_stay()) return write_as_is(plan);
  Placement after = *this;
  after.put_right();
  after.write_as_is(plan);
}

template <class Unit>
void Placement<Unit>::write(const NodeContents& contents, Plan& plan) const {
  if (may_withdraw()) {
    Placement after = *this;
    after.hold_back_nothing();
    std::vector<Tenant> tenants;
    for (NodeId node = 0; node < nodes(); ++node) {
      tenants.assign(contents_.at(node).begin(), contents_.at(node).end());
      for (const Tenant& tenant : tenants) after.remove(tenant.app, node, tenant.replicas);
    }
    for (NodeId node = 0; node < contents.nodes(); ++node) {
      for (const Tenant& tenant : contents.at(node)) after.place(tenant.app, node, tenant.replicas);
    }
    return after.write(plan);
  }
  write_contents(contents, plan);
  std::vector<std::uint32_t> left(instance_->data().replicas);
  for (NodeId node = 0; node < contents.nodes(); ++node) {
    for (const Tenant& tenant : contents.at(node)) left[tenant.app] -= tenant.replicas * copies(node);
  }
  for (AppId app = 0; app < instance_->apps(); ++app) {
    if (left[app] > 0) plan.unplaced.push_back({app, left[app]});
  }
}

template <class Unit>
std::vector<NodeId> Placement<Unit>::open_nodes_of(const Plan& plan, WatchRef watch) {
  std::vector<NodeId> node_of;
  node_of.reserve(plan.nodes.size());
  const auto is_new = [](const PlannedNode& node) { return node.listed == kNone; };
  residuals_.reserve(nodes() + static_cast<std::uint32_t>(std::count_if(plan.nodes.begin(), plan.nodes.end(), is_new)));
  for (const PlannedNode& node : plan.nodes) {
    if (watch.step(kStepsToOpen)) break;
    node_of.push_back(node.listed != kNone ? node.listed : open_regardless(node.node_class));
  }
  return node_of;
}

template <class Unit>
std::vector<NodeId> Placement<Unit>::add(const Plan& plan, WatchRef watch) {
  std::vector<NodeId> node_of = open_nodes_of(plan, watch);
  residuals_.defer();
  for (const Placed& placed : plan.placed) {
    if (watch.step(kStepsToPlace)) break;
    const NodeId node = node_of[placed.node];
    const std::uint32_t there = contents_.count(placed.app, node);
    if (placed.replicas > there) place(placed.app, node, placed.replicas - there);
  }
  if (!watch.look()) residuals_.settle(watch);
  return node_of;
}

template <class Unit>
void Placement<Unit>::write_as_is(Plan& plan, WatchRef watch) const {
  write_contents(contents_, plan, watch);
  for (AppId app = 0; app < instance_->apps(); ++app) {
    if (left_over(app) > 0) plan.unplaced.push_back({app, left_over(app)});
  }
}

template <class Unit>
void Placement<Unit>::write_contents(const NodeContents& contents, Plan& plan, WatchRef watch) const {
  std::vector<Tenant> tenants;
  std::size_t entries = 0;
  for (NodeId node = 0; node < contents.nodes(); ++node) entries += contents.at(node).size();
  plan.placed.reserve(entries);
  for (NodeId node = 0; node < contents.nodes(); ++node) {
    const auto list = contents.at(node);
    if (watch.step(1 + kStepsToPlace * list.size())) return;
    if (list.empty() && !loaded(node)) continue;
    tenants.assign(list.begin(), list.end());
    std::sort(tenants.begin(), tenants.end(), [](const Tenant& a, const Tenant& b) { return a.app < b.app; });
    const auto index = static_cast<NodeId>(plan.nodes.size());
    plan.nodes.push_back({node_class_[node], node < instance_->listed_nodes() ? node : kNone, copies(node)});
    for (const Tenant& tenant : tenants) plan.placed.push_back({tenant.app, index, tenant.replicas});
  }
}

template <class Unit>
NodeId Placement<Unit>::add_node(NodeId listed, ClassId node_class) {
  contents_.add_node();
  node_class_.push_back(node_class);
  if (nodes() % kReserveEvery == 0) reserve_time();
  return residuals_.add_node(node_class, instance_->scaled_standing(listed, node_class),
                             listed == kNone ? std::span<const std::int64_t>{} : instance_->scaled_load_risk(listed));
}

template <class Unit>
void Placement<Unit>::put_right() {
  hold_back_nothing();
  remove_what_goes();
  if (!any_away()) return;
  const bool has_rules = tags_.active() && instance_->tag_model().has_hard();
  const TagState at_start = has_rules ? rules_at_start() : tags_;
  // Whether what was there at the start breaks no rule further. Newcomers may, where something came home beside them.
  const auto is_settled = [&] {
    for (NodeId node = 0; has_rules && node < start_.nodes(); ++node) {
      for (const Tenant& tenant : contents_.at(node)) {
        const bool was_there = start_.count(tenant.app, node) > 0;
        if (was_there && tags_.breaks_further(tag_view(), tenant.app, node, at_start, view_of_start())) return false;
      }
    }
    return may_stay();
  };
  for (const bool all : {false, true}) {
    bring_home(all);
    remove_what_goes();
    if (is_settled()) return;
  }
  for (NodeId node = 0; node < nodes(); ++node) remove_newcomers(node);
  bring_home(false);
}

template <class Unit>
bool Placement<Unit>::any_away() const {
  for (NodeId node = 0; node < start_.nodes(); ++node) {
    for (const Tenant& tenant : start_.at(node)) {
      if (away(tenant, node) > 0) return true;
    }
  }
  return false;
}

template <class Unit>
bool Placement<Unit>::may_stay() const {
  std::vector<std::uint8_t> incomplete;
  find_incomplete(incomplete);
  for (NodeId node = 0; node < nodes(); ++node) {
    if (any_goes(incomplete, node)) return false;
  }
  bool is_any_away = false;
  for (NodeId node = 0; node < start_.nodes(); ++node) {
    for (const Tenant& tenant : start_.at(node)) {
      if (away(tenant, node) == 0) continue;
      if (incomplete[instance_->application(tenant.app)] != 0) return false;
      is_any_away = true;
    }
  }
  if (!is_any_away || !tags_.active() || !instance_->tag_model().has_hard()) return true;
  const TagState at_start = rules_at_start();
  for (NodeId node = 0; node < nodes(); ++node) {
    for (const Tenant& tenant : contents_.at(node)) {
      // No newcomer breaks a rule: any_goes() says so.
      if (start_.newcomers(tenant, node) > 0) continue;
      if (tags_.breaks_further(tag_view(), tenant.app, node, at_start, view_of_start())) return false;
    }
  }
  return true;
}

template <class Unit>
TagState Placement<Unit>::rules_at_start() const {
  TagState rules(*instance_);
  NodeContents contents;
  for (NodeId node = 0; node < start_.nodes(); ++node) contents.add_node();
  const TagView view{&contents, &node_class_, start_.nodes()};
  for (NodeId node = 0; node < start_.nodes(); ++node) {
    for (const Tenant& tenant : start_.at(node)) {
      contents.add(tenant.app, node, tenant.replicas);
      rules.change(view, tenant.app, node, tenant.replicas);
    }
  }
  return rules;
}

template <class Unit>
void Placement<Unit>::find_incomplete(std::vector<std::uint8_t>& incomplete) const {
  incomplete.assign(instance_->apps(), 0);
  for (AppId app = 0; app < instance_->apps() && all_or_nothing_; ++app) {
    if (left_over(app) > 0) incomplete[instance_->application(app)] = 1;
  }
}

template <class Unit>
bool Placement<Unit>::goes(const std::vector<std::uint8_t>& incomplete, const Tenant& tenant, NodeId node) const {
  if (start_.newcomers(tenant, node) == 0) return false;
  if (incomplete[instance_->application(tenant.app)] != 0) return true;
  return tags_.active() && tags_.is_broken(tag_view(), tenant.app, node);
}

template <class Unit>
bool Placement<Unit>::any_goes(const std::vector<std::uint8_t>& incomplete, NodeId node) const {
  const auto tenants = contents_.at(node);
  return std::any_of(tenants.begin(), tenants.end(), [&](const Tenant& tenant) { return goes(incomplete, tenant, node); });
}

template <class Unit>
void Placement<Unit>::remove_what_goes() {
  std::vector<std::uint8_t> incomplete;
  std::vector<Tenant> tenants;
  for (bool changed = true; changed;) {
    changed = false;
    find_incomplete(incomplete);
    for (NodeId node = 0; node < nodes(); ++node) {
      if (!any_goes(incomplete, node)) continue;
      // A copy: remove() changes the list.
      tenants.assign(contents_.at(node).begin(), contents_.at(node).end());
      for (const Tenant& tenant : tenants) {
        if (!goes(incomplete, tenant, node)) continue;
        remove(tenant.app, node, start_.newcomers(tenant, node));
        changed = true;
      }
    }
  }
}

template <class Unit>
void Placement<Unit>::remove_newcomers(NodeId node) {
  const std::vector<Tenant> tenants(contents_.at(node).begin(), contents_.at(node).end());
  for (const Tenant& tenant : tenants) {
    const std::uint32_t newcomers = start_.newcomers(tenant, node);
    if (newcomers > 0) remove(tenant.app, node, newcomers);
  }
}

// Each round brings replicas home, of which there are ever fewer. Those that make room may have a home of their own.
template <class Unit>
void Placement<Unit>::bring_home(bool all) {
  if (all) call_back();
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId home = 0; home < start_.nodes(); ++home) {
      for (const Tenant& tenant : start_.at(home)) {
        const std::uint32_t returning = std::min(away(tenant, home), unplaced_[tenant.app]);
        if (returning == 0) continue;
        make_room(tenant.app, home, returning);
        place(tenant.app, home, returning);
        changed = true;
      }
    }
    keep_node_limit();
  }
}

// Makes as many newcomers of each app wait as are missing where it was at the start.
template <class Unit>
void Placement<Unit>::call_back() {
  std::vector<std::uint32_t> missing(instance_->apps(), 0);
  for (NodeId home = 0; home < start_.nodes(); ++home) {
    for (const Tenant& tenant : start_.at(home)) missing[tenant.app] += away(tenant, home);
  }
  for (AppId app = 0; app < instance_->apps(); ++app) missing[app] -= std::min(missing[app], unplaced_[app]);
  for (NodeId node = nodes(); node-- > 0;) {
    const std::vector<Tenant> tenants(contents_.at(node).begin(), contents_.at(node).end());
    for (const Tenant& tenant : tenants) {
      const std::uint32_t called = std::min(missing[tenant.app], start_.newcomers(tenant, node));
      if (called == 0) continue;
      remove(tenant.app, node, called);
      missing[tenant.app] -= called;
    }
  }
}

// What was on the node at the start needs no room besides: whatever it breaks was broken then.
template <class Unit>
void Placement<Unit>::make_room(AppId app, NodeId home, std::uint32_t replicas) {
  const auto tenants = contents_.at(home);
  const auto is_new = [&](const Tenant& tenant) { return start_.newcomers(tenant, home) > 0; };
  if (std::none_of(tenants.begin(), tenants.end(), is_new)) return;
  Candidate candidate(*this);
  candidate.start(*this, app);
  std::uint32_t room = std::min(replicas, candidate.affinity_.headroom(tenants));
  if (room > 0) room = allowed_beside(app, device_site(home), tenants, room);
  if (room > 0) room = residuals_.copies(candidate.need_, home, room);
  if (room < replicas) remove_newcomers(home);
}

template <class Unit>
void Placement<Unit>::keep_node_limit() {
  for (NodeId node = nodes(); node-- > 0 && in_use_ > node_limit_;) {
    if (node >= start_.nodes() || start_.at(node).empty()) remove_newcomers(node);
  }
}

template class Placement<std::int16_t>;
template class Placement<std::int32_t>;

}  // namespace stowage
