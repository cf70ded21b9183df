#include "core/losses/spares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/losses/evacuation.h"
#include "core/losses/survival_bound.h"
#include "core/model/labels.h"
#include "core/plan/compact_plan.h"
#include "core/plan/side_effects.h"
#include "core/rebuild/nodes/spare_nodes.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

/// Spare nodes that are tried without: a careful guess of when further ones are not worth the time.
constexpr int kSpareTrials = 64;

/// Costs that differ by less are about the same: sums tell no more.
constexpr double kAboutTheSame = 1.03;

/// Times that nodes are added for a loss, and some replicas still have no place.
constexpr int kSpareFailures = 12;

/// Times that losses are gone through for spare nodes.
constexpr int kSpareRounds = 64;

/// Steps of the watch for a node that is counted.
constexpr std::uint64_t kStepsPerCount = 16;

template <class Unit>
class SpareSearch : public Evacuation<Unit>::Supplier {
 public:
  SpareSearch(const Instance& instance, const SpareQuestion& question, const Plan& plan)
      : instance_(instance),
        question_(question),
        nodes_(instance, plan, true, question.watch),
        candidate_(nodes_.placement()),
        kinds_(instance),
        exhausted_(kinds_.all().size(), 0) {
    for (NodeId n = 0; n < nodes_.nodes() && !question.watch.step(kStepsPerCount); ++n) {
      if (nodes_.in_service(n)) count(n, 1);
    }
    // The last one is taken first.
    for (NodeId n = instance.listed_nodes(); n > 0 && !question.watch.step(kStepsPerCount); --n) {
      if (!nodes_.in_service(n - 1) && !nodes_.closed(n - 1) && !instance.is_loaded(n - 1)) add_idle(n - 1);
    }
    held_.assign(instance.listed_nodes(), 0);
    for (const Residence& r : instance.data().pinned) held_[r.node] = 1;
    for (const Residence& r : instance.data().running) held_[r.node] |= question.ignore_running ? 0 : 1;
    for (const SpareNodes::Kind& kind : kinds_.all()) values_.push_back(values_of(kind.listed, kind.node_class));
  }

  /// Moves whole nodes between domains. False: nothing changed.
  bool balance(Plan& plan) {
    if (!change_domains()) return false;
    plan.nodes.clear();
    plan.placed.clear();
    plan.unplaced.clear();
    nodes_.placement().write_as_is(plan);
    return true;
  }
  void add(Plan& plan) {
    // With more nodes, places are found in another order, and a few replicas may be left that were not before.
    for (int round = 0; round < kSpareRounds && find_spares(); ++round) {
    }
    drop_spares();
    for (const NodeId spare : spares_) {
      plan.nodes.push_back({nodes_.placement().class_of(spare), spare < instance_.listed_nodes() ? spare : kNone, 1});
    }
  }

  NodeId supply(AppId app, std::uint32_t replicas, std::span<const double> rest) override;

 private:
  /// What tells a domain from others: the value of the label, or the node.
  using DomainKey = std::pair<std::string, NodeId>;
  [[nodiscard]] DomainKey key_of(const Domain& domain) const {
    return {domain.name, question_.label.empty() ? domain.nodes[0] : kNone};
  }

  [[nodiscard]] std::vector<Domain> domains() const { return nodes_.domains(question_.label); }
  [[nodiscard]] std::vector<std::string_view> values_of(NodeId listed, ClassId node_class) const;
  [[nodiscard]] bool gives_up() const { return question_.watch.look(); }
  [[nodiscard]] bool in_lost_domain(std::uint32_t kind) const {
    return std::find(values_[kind].begin(), values_[kind].end(), lost_) != values_[kind].end();
  }
  [[nodiscard]] bool available(std::uint32_t kind) {
    return kinds_.may_have_node(kind, nodes_.placement()) && exhausted_[kind] == 0;
  }
  /// Replicas of the app that a node of the kind takes while it holds nothing.
  [[nodiscard]] std::uint32_t takes(std::uint32_t kind, AppId app, std::uint32_t replicas);
  /// A node of the kind; kNone: there is none left.
  NodeId take(std::uint32_t kind);
  void add_idle(NodeId node) { kinds_.add_empty(node, kinds_.kind_of(node, nodes_.placement().class_of(node))); }
  [[nodiscard]] std::uint64_t kept_in(std::uint32_t kind) const {
    std::uint64_t most = 0;
    for (const std::string_view value : values_[kind]) {
      const auto at = kept_.find(value);
      if (at != kept_.end()) most = std::max(most, at->second);
    }
    return most;
  }
  /// Counts a node that comes into service (1) or leaves it (-1).
  void count(NodeId node, std::int64_t change);

  bool change_domains();
  bool may_leave(NodeId node) const;
  bool change_domain(NodeId node, std::uint64_t level);
  bool hold_all(NodeId node, std::span<const Tenant> tenants);

  /// False: there is nothing left to find nodes for, or no further node helps.
  bool find_spares();
  void drop_spares();
  void retire(NodeId spare);
  void take_out_of_service(NodeId spare);
  void give_up_on(const DomainKey& key);
  bool bears_all(const std::map<DomainKey, std::uint64_t>& allowed);

  const Instance& instance_;
  const SpareQuestion& question_;
  Evacuation<Unit> nodes_;
  typename Placement<Unit>::Candidate candidate_;
  SpareNodes kinds_;                                   // their empty nodes: those out of service
  std::vector<std::uint8_t> exhausted_;                // per kind: no further node can be opened
  std::vector<std::vector<std::string_view>> values_;  // per kind: of the label's key
  std::vector<std::uint8_t> held_;                     // per listed node: whether something there may not leave it
  std::map<std::string_view, std::uint64_t> kept_;     // per value of the label: nodes in service
  std::uint64_t in_service_ = 0;
  std::string_view lost_;  // the value that is lost
  std::vector<NodeId> spares_;
  std::map<NodeId, DomainKey> spare_for_;
  std::map<DomainKey, int> failures_;
  std::set<DomainKey> hopeless_;  // losses that no spare nodes were found for
};

template <class Unit>
std::vector<std::string_view> SpareSearch<Unit>::values_of(NodeId listed, ClassId node_class) const {
  std::vector<std::string_view> values;
  if (question_.label.empty()) return values;
  visit_values(instance_, listed, node_class, question_.label, [&](std::string_view value) { values.push_back(value); });
  return values;
}

template <class Unit>
void SpareSearch<Unit>::count(NodeId node, std::int64_t change) {
  in_service_ += static_cast<std::uint64_t>(change);
  const NodeId listed = node < instance_.listed_nodes() ? node : kNone;
  for (const std::string_view value : values_of(listed, nodes_.placement().class_of(node))) {
    kept_[value] += static_cast<std::uint64_t>(change);
  }
}

template <class Unit>
std::uint32_t SpareSearch<Unit>::takes(std::uint32_t kind, AppId app, std::uint32_t replicas) {
  Placement<Unit>& placement = nodes_.placement();
  candidate_.start(placement, app);
  const std::vector<NodeId>& idle = kinds_.empty(kind);
  return idle.empty() ? placement.headroom_on_empty(candidate_, kinds_.all()[kind].node_class, replicas)
                      : placement.headroom(candidate_, idle.back(), replicas);
}

template <class Unit>
NodeId SpareSearch<Unit>::take(std::uint32_t kind) {
  if (kinds_.empty(kind).empty()) {
    const NodeId node = nodes_.placement().open(kinds_.all()[kind].node_class);
    exhausted_[kind] = node == kNone ? 1 : 0;
    return node;
  }
  const NodeId node = kinds_.empty(kind).back();
  kinds_.remove_empty(node, kind);
  return node;
}

/// The kind of which the fewest, or the cheapest, nodes hold all the rest, as far as sums tell; among those that cost about the
/// same, the one of which fewest do: few large nodes leave less room unused than many small ones.
template <class Unit>
NodeId SpareSearch<Unit>::supply(AppId app, std::uint32_t replicas, std::span<const double> rest) {
  if (question_.node_limit > 0 && in_service_ >= question_.node_limit) return kNone;
  struct Offer {
    std::uint32_t kind;
    double count, cost;
  };
  std::vector<Offer> offers;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t kind = 0; kind < kinds_.all().size(); ++kind) {
    if (question_.watch.step(nodes_.placement().steps_to_ask(app))) return kNone;
    if (!available(kind) || in_lost_domain(kind)) continue;
    const auto& [node_class, listed, price, family] = kinds_.all()[kind];
    const std::uint32_t taken = takes(kind, app, replicas);
    if (taken == 0) continue;
    double count = std::ceil(static_cast<double>(replicas) / taken);
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      const ResourceId r = instance_.resource_of(h);
      const double room =
          instance_.data().classes[node_class].capacity[r] - instance_.daemon(listed, node_class, r, instance_.period_of(h));
      if (rest[h] > 0 && room > 0) count = std::max(count, std::ceil(rest[h] / room * (1 - kCheckerTolerance)));
    }
    offers.push_back({kind, count, count * price});
    least = std::min(least, offers.back().cost);
  }
  const auto key = [&](const Offer& offer) {
    return std::tuple(offer.cost > least * kAboutTheSame, offer.count, kept_in(offer.kind), offer.cost);
  };
  const auto found =
      std::min_element(offers.begin(), offers.end(), [&](const Offer& a, const Offer& b) { return key(a) < key(b); });
  if (found == offers.end()) return kNone;
  const NodeId node = take(found->kind);
  if (node == kNone) return supply(app, replicas, rest);
  nodes_.put_in_service(node);
  spares_.push_back(node);
  count(node, 1);
  return node;
}

template <class Unit>
bool SpareSearch<Unit>::may_leave(NodeId node) const {
  return node >= instance_.listed_nodes() || held_[node] == 0;
}

template <class Unit>
bool SpareSearch<Unit>::hold_all(NodeId node, std::span<const Tenant> tenants) {
  Placement<Unit>& placement = nodes_.placement();
  for (std::size_t k = 0; k < tenants.size(); ++k) {
    candidate_.start(placement, tenants[k].app);
    if (placement.headroom(candidate_, node, tenants[k].replicas) == tenants[k].replicas) {
      placement.place(tenants[k].app, node, tenants[k].replicas);
      continue;
    }
    while (k > 0) {
      --k;
      placement.remove(tenants[k].app, node, tenants[k].replicas);
    }
    return false;
  }
  return true;
}

/// Moves the replicas of a node to one of a domain with fewer than `level` nodes. False: there is none that takes them all.
template <class Unit>
bool SpareSearch<Unit>::change_domain(NodeId node, std::uint64_t level) {
  Placement<Unit>& placement = nodes_.placement();
  const auto held = placement.contents().at(node);
  const std::vector<Tenant> tenants(held.begin(), held.end());
  const double price = instance_.node_cost(placement.class_of(node));
  for (const Tenant& tenant : tenants) placement.remove(tenant.app, node, tenant.replicas);
  for (std::uint32_t kind = 0; kind < kinds_.all().size(); ++kind) {
    if (values_[kind].empty() || !available(kind) || kinds_.all()[kind].cost > price || kept_in(kind) >= level) continue;
    const NodeId to = take(kind);
    if (to == kNone) continue;
    if (hold_all(to, tenants)) {
      nodes_.put_in_service(to);
      nodes_.take_out(node);
      count(to, 1);
      count(node, -1);
      add_idle(node);
      return true;
    }
    kinds_.add_empty(to, kind);
  }
  for (const Tenant& tenant : tenants) placement.place(tenant.app, node, tenant.replicas);
  return false;
}

/// False: nothing changed.
template <class Unit>
bool SpareSearch<Unit>::change_domains() {
  // Where the watch has ended, nodes or replicas may be missing.
  if (gives_up()) return false;
  // A change might cost soft rules, or take away what hard rules want near.
  if (instance_.tag_model().has_hard_minimum() || instance_.tag_model().has_soft()) return false;
  const auto level = DomainSizes(instance_, question_.label, false).level(in_service_);
  if (!level) return false;
  bool changed = false;
  for (const Domain& domain : domains()) {
    const auto at = kept_.find(domain.name);
    if (at == kept_.end()) continue;
    for (auto node = domain.nodes.rbegin(); node != domain.nodes.rend() && at->second > *level; ++node) {
      if (gives_up()) break;
      if (nodes_.placement().contents().at(*node).empty() || nodes_.placement().loaded(*node) || !may_leave(*node)) continue;
      changed = change_domain(*node, *level) || changed;
    }
  }
  return changed;
}

template <class Unit>
bool SpareSearch<Unit>::find_spares() {
  const std::size_t before = spares_.size();
  struct Left {
    std::uint64_t replicas;
    AppId app;  // one of those that are left
    Domain domain;
  };
  std::vector<Left> worst;
  if (gives_up()) return false;
  for (Domain& domain : domains()) {
    if (gives_up()) return false;
    const Loss loss = nodes_.lose(domain);
    if (loss.left == loss.pinned || hopeless_.contains(key_of(domain))) continue;
    const auto one = std::find_if(loss.entries.begin(), loss.entries.end(), [](const auto& e) { return e.to == kNone; });
    worst.push_back({loss.left - loss.pinned, one->app, std::move(domain)});
  }
  std::stable_sort(worst.begin(), worst.end(), [](const Left& a, const Left& b) { return a.replicas > b.replicas; });
  for (Left& one : worst) {
    if (gives_up()) return false;
    // Spare nodes of this domain are lost with it.
    if (!question_.label.empty()) {
      for (Domain& now : domains()) {
        if (now.name == one.domain.name) one.domain = std::move(now);
      }
    }
    lost_ = one.domain.name;
    const std::size_t had = spares_.size();
    const DomainKey key = key_of(one.domain);
    const Loss loss = nodes_.lose(one.domain, this);
    for (std::size_t k = had; k < spares_.size(); ++k) spare_for_[spares_[k]] = key;
    if (gives_up()) return false;
    // The next round goes on from what was found, if anything was.
    if (loss.left > loss.pinned && (spares_.size() == had || ++failures_[key] == kSpareFailures)) give_up_on(key);
    lost_ = {};
  }
  if (spares_.size() == before && !worst.empty()) {
    // Another order found places. Without a node more, the next one might not.
    lost_ = worst[0].domain.name;
    supply(worst[0].app, 1, std::vector<double>(instance_.dims(), 0));
    lost_ = {};
  }
  return spares_.size() > before;
}

/// A loss that cannot be borne costs no spare nodes.
template <class Unit>
void SpareSearch<Unit>::give_up_on(const DomainKey& key) {
  hopeless_.insert(key);
  std::vector<NodeId> kept = spares_;
  std::sort(kept.begin(), kept.end());
  std::vector<NodeId> leaving;  // sorted
  for (const auto& [node, domain] : spare_for_) {
    if (domain == key && std::binary_search(kept.begin(), kept.end(), node)) leaving.push_back(node);
  }
  std::erase_if(spare_for_, [&](const auto& one) { return one.second == key; });
  std::erase_if(spares_, [&](NodeId node) { return std::binary_search(leaving.begin(), leaving.end(), node); });
  for (const NodeId node : leaving) take_out_of_service(node);
}

template <class Unit>
bool SpareSearch<Unit>::bears_all(const std::map<DomainKey, std::uint64_t>& allowed) {
  for (Domain& domain : domains()) {
    if (gives_up()) return false;
    const auto at = allowed.find(key_of(domain));
    const Loss loss = nodes_.lose(std::move(domain));
    if (loss.left - loss.pinned > (at == allowed.end() ? 0 : at->second)) return false;
  }
  // Domains may be missing, and a loss empty, where the watch has ended.
  return !gives_up();
}

template <class Unit>
void SpareSearch<Unit>::drop_spares() {
  if (spares_.empty() || gives_up()) return;
  std::vector<NodeId> order(spares_.rbegin(), spares_.rend());
  const auto price = [&](NodeId n) { return instance_.data().classes[nodes_.placement().class_of(n)].price; };
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return price(a) > price(b); });
  // What is left with all of them, none of them helps.
  std::map<DomainKey, std::uint64_t> left;
  for (Domain& domain : domains()) {
    if (gives_up()) return;
    const DomainKey key = key_of(domain);
    const Loss loss = nodes_.lose(std::move(domain));
    if (loss.left > loss.pinned) left.emplace(key, loss.left - loss.pinned);
  }
  int trials = 0;
  for (const NodeId spare : order) {
    if (++trials > kSpareTrials || gives_up()) return;
    nodes_.take_out(spare);
    if (bears_all(left)) {
      retire(spare);
    } else {
      nodes_.put_in_service(spare);
    }
  }
}

/// A spare node that is not one any more, and may become one again.
template <class Unit>
void SpareSearch<Unit>::retire(NodeId spare) {
  std::erase(spares_, spare);
  take_out_of_service(spare);
}

template <class Unit>
void SpareSearch<Unit>::take_out_of_service(NodeId spare) {
  nodes_.take_out(spare);
  count(spare, -1);
  add_idle(spare);
}

/// Lists the nodes in an order that depends on the plan's content only, and with it what a loss finds.
void make_canonical(Plan& plan) {
  compact(plan);
  expand(plan);
}

}  // namespace

void order_nodes(Plan& plan) {
  // Most of it is in order: what came last is not.
  const auto sort_last = [](auto& list, auto&& before) {
    const auto middle = std::is_sorted_until(list.begin(), list.end(), before);
    std::stable_sort(middle, list.end(), before);
    std::inplace_merge(list.begin(), middle, list.end(), before);
  };
  // Anonymous nodes have the largest number.
  const auto before = [](const PlannedNode& a, const PlannedNode& b) { return a.listed < b.listed; };
  if (!std::is_sorted(plan.nodes.begin(), plan.nodes.end(), before)) {
    const auto nodes = static_cast<NodeId>(plan.nodes.size());
    std::vector<NodeId> order(nodes), index(nodes);
    std::iota(order.begin(), order.end(), 0);
    sort_last(order, [&](NodeId a, NodeId b) { return before(plan.nodes[a], plan.nodes[b]); });
    std::vector<PlannedNode> ordered;
    ordered.reserve(nodes);
    for (NodeId n = 0; n < nodes; ++n) {
      index[order[n]] = n;
      ordered.push_back(plan.nodes[order[n]]);
    }
    plan.nodes = std::move(ordered);
    for (std::vector<Placed>* list : {&plan.placed, &plan.reserved}) {
      for (Placed& p : *list) p.node = index[p.node];
    }
  }
  for (std::vector<Placed>* list : {&plan.placed, &plan.reserved}) {
    sort_last(*list, [](const Placed& a, const Placed& b) { return a.node != b.node ? a.node < b.node : a.app < b.app; });
  }
  // Figures of nodes are measured anew.
  plan.node_ucac.clear();
  plan.node_max_cost.clear();
}

void add_spares(const Instance& instance, const SpareQuestion& question, Plan& plan) {
  if (nodes_in_use(plan) > kMostNodesHeld || question.watch.look()) return;
  instance.visit_unit([&](auto unit) {
    using Search = SpareSearch<decltype(unit)>;
    make_canonical(plan);
    std::optional<Search> search(std::in_place, instance, question, plan);
    // Nodes that keep room for more replicas stay as they are.
    if (!question.label.empty() && plan.reserved.empty() && search->balance(plan)) {
      order_nodes(plan);
      make_canonical(plan);
      search.emplace(instance, question, plan);
    }
    if (!question.watch.look()) search->add(plan);
    order_nodes(plan);
  });
}

namespace {

/// What is lost, in words. Nodes are numbered as in a Placement of the plan.
std::string lost_thing(const Instance& instance, const Plan& plan, const std::string& label, const Domain& lost) {
  if (!label.empty()) return label + "=" + lost.name;
  NodeId node = lost.nodes.front();
  const InstanceData& data = instance.data();
  if (node < instance.listed_nodes()) {
    return "node " + (data.node_names.empty() ? "#" + std::to_string(node) : data.node_names[node]);
  }
  node -= instance.listed_nodes();
  for (const PlannedNode& one : plan.nodes) {
    if (one.listed != kNone) continue;
    if (node < one.copies) {
      const std::string& name = data.classes[one.node_class].name;
      return name.empty() ? "a new node" : "a new node of class " + name;
    }
    node -= one.copies;
  }
  return "a node";
}

}  // namespace

std::uint64_t worst_loss(const Instance& instance, const Plan& plan, const std::string& label, WatchRef watch,
                         std::string* worst) {
  if (nodes_in_use(plan) > kMostNodesHeld || watch.look()) return Plan::kUnknown;
  Plan looked_at = plan;
  make_canonical(looked_at);
  // What the plan keeps side effects to holds for replicas that find a new place, too.
  const std::optional<Instance> limited = within_max_cost(instance, plan.max_cost_limit);
  const Instance& asked = limited ? *limited : instance;
  return asked.visit_unit([&](auto unit) {
    Evacuation<decltype(unit)> nodes(asked, looked_at, true, watch);
    std::uint64_t most = 0;
    for (Domain& domain : nodes.domains(label)) {
      if (watch.look()) return Plan::kUnknown;
      const Loss loss = nodes.lose(std::move(domain));
      if (loss.left - loss.pinned <= most) continue;
      most = loss.left - loss.pinned;
      if (worst != nullptr) *worst = lost_thing(instance, looked_at, label, loss.domain);
    }
    return watch.look() ? Plan::kUnknown : most;
  });
}

}  // namespace stowage
