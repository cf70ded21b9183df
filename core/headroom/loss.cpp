#include "core/headroom/loss.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/headroom/headroom_of_apps.h"
#include "core/placement/node_ranking.h"
#include "core/placement/placement.h"
#include "core/plan/compact_plan.h"
#include "core/run/control.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

// Attempts to place the replicas of one domain.
constexpr int kLossAttempts = 4;

template <class Unit>
class Losses {
 public:
  Losses(const Instance& instance, const Plan& plan);
  [[nodiscard]] std::uint32_t nodes() const { return placement_.nodes(); }
  [[nodiscard]] std::vector<Domain> domains(std::string_view key) const;
  [[nodiscard]] std::vector<Domain> single_nodes() const;
  Loss lose(Domain domain);

 private:
  struct Lost {
    AppId app;
    std::uint32_t replicas;
    std::uint32_t pinned;  // among them, without another place
    double size;
  };
  using Seats = std::vector<Loss::Entry>;

  void rank();
  [[nodiscard]] bool closed(NodeId node) const {
    const auto& closed = instance_.data().closed;
    return node < closed.size() && closed[node] != 0;
  }
  void see_label(std::string_view label, std::string_view key, NodeId node,
                 std::map<std::string_view, std::vector<NodeId>>& values) const;
  std::vector<Lost> take_away(const Domain& domain, Seats& before);
  void find_shortage(const Domain& domain, const std::vector<Lost>& lost, Loss& loss) const;
  /// Places what can be placed. Returns what is left per entry of `lost`.
  std::vector<std::uint32_t> place(const std::vector<Lost>& lost, const std::vector<std::size_t>& order, Seats& seats);
  void place_app(AppId app, std::uint32_t& left, Seats& seats);
  /// Takes back seats whose hard rules miss their minimum.
  void withdraw(const std::vector<Lost>& lost, std::vector<std::uint32_t>& left, Seats& seats);
  void take_back(const Seats& seats) {
    for (const Loss::Entry& seat : seats) placement_.remove(seat.app, seat.to, seat.replicas);
  }
  [[nodiscard]] double fullness(NodeId node) const;

  const Instance& instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::uint32_t columns_;
  NodeRanking<Unit> ranking_;
  NodeRanking<Unit> now_;           // the ranking while a domain is lost
  std::vector<std::uint8_t> gone_;  // per node
  std::vector<double> free_;        // per node and dim, as far as it is above 0; of closed nodes 0
  std::vector<double> total_free_;
  std::vector<std::map<NodeId, std::uint32_t>> pinned_;
};

Request without_running() {
  Request request;
  request.ignore_running = true;
  return request;
}

template <class Unit>
Losses<Unit>::Losses(const Instance& instance, const Plan& plan)
    : instance_(instance),
      placement_(instance, without_running()),
      candidate_(placement_),
      columns_(std::min(placement_.residuals().column_count(), NodeRanking<Unit>::kMostColumns)),
      ranking_(placement_.residuals().column_count()),
      now_(ranking_) {
  Plan expanded = plan;
  expand(expanded);
  std::vector<NodeId> node_of(expanded.nodes.size());
  for (std::size_t k = 0; k < node_of.size(); ++k) {
    const PlannedNode& node = expanded.nodes[k];
    node_of[k] = node.listed != kNone ? node.listed : placement_.open(node.node_class);
  }
  placement_.residuals().defer();
  for (const Placed& placed : expanded.placed) {
    const NodeId node = node_of[placed.node];
    const std::uint32_t there = placement_.contents().count(placed.app, node);
    if (placed.replicas > there) placement_.place(placed.app, node, placed.replicas - there);
  }
  placement_.residuals().settle();
  gone_.assign(nodes(), 0);
  rank();
  const std::uint32_t dims = instance.dims();
  free_.assign(std::size_t{nodes()} * dims, 0);
  total_free_.assign(dims, 0);
  for (NodeId n = 0; n < nodes(); ++n) {
    const ClassId c = placement_.class_of(n);
    const NodeId listed = n < instance.listed_nodes() ? n : kNone;
    for (std::uint32_t h = 0; h < dims && !closed(n); ++h) {
      const ResourceId r = instance.resource_of(h);
      const std::uint32_t t = instance.period_of(h);
      double free = instance.data().classes[c].capacity[r] * (1 + kCheckerTolerance) - instance.daemon(listed, c, r, t);
      if (listed != kNone) free -= instance.load(listed, r, t);
      for (const Tenant& tenant : placement_.contents().at(n)) free -= tenant.replicas * instance.demand(tenant.app, r, t);
      free_[std::size_t{n} * dims + h] = std::max(0.0, free);
      total_free_[h] += std::max(0.0, free);
    }
  }
}

/// The share of the node that is taken, of the resource and period of which most is.
template <class Unit>
double Losses<Unit>::fullness(NodeId node) const {
  double least = 1;
  const auto capacity = instance_.scaled_capacity(placement_.class_of(node));
  for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
    const std::int32_t all = capacity[instance_.resource_of(h)];
    if (all > 0) least = std::min(least, static_cast<double>(placement_.residuals().residual(node, h)) / all);
  }
  return -least;
}

template <class Unit>
void Losses<Unit>::rank() {
  std::vector<Unit> columns(columns_);
  for (NodeId n = 0; n < nodes(); ++n) {
    if (closed(n)) continue;
    placement_.residuals().read_columns(n, columns);
    ranking_.add(n, fullness(n), columns.data());
  }
}

template <class Unit>
std::vector<Domain> Losses<Unit>::single_nodes() const {
  std::vector<Domain> all(nodes());
  for (NodeId n = 0; n < nodes(); ++n) all[n].nodes = {n};
  return all;
}

template <class Unit>
void Losses<Unit>::see_label(std::string_view label, std::string_view key, NodeId node,
                             std::map<std::string_view, std::vector<NodeId>>& values) const {
  if (label.size() <= key.size() || label[key.size()] != '=' || label.substr(0, key.size()) != key) return;
  std::vector<NodeId>& of = values[label.substr(key.size() + 1)];
  if (of.empty() || of.back() != node) of.push_back(node);
}

template <class Unit>
std::vector<Domain> Losses<Unit>::domains(std::string_view key) const {
  std::map<std::string_view, std::vector<NodeId>> values;
  const InstanceData& data = instance_.data();
  for (NodeId n = 0; n < nodes(); ++n) {
    for (const std::string& label : data.classes[placement_.class_of(n)].labels) see_label(label, key, n, values);
    if (n >= instance_.listed_nodes() || data.node_tags.empty()) continue;
    for (std::uint32_t k = data.node_tags.begin[n]; k < data.node_tags.begin[n + 1]; ++k) {
      see_label(data.tags[data.node_tags.index[k]], key, n, values);
    }
  }
  std::vector<Domain> all;
  all.reserve(values.size());
  for (auto& [name, nodes] : values) all.push_back({std::string(name), std::move(nodes)});
  return all;
}

template <class Unit>
std::vector<typename Losses<Unit>::Lost> Losses<Unit>::take_away(const Domain& domain, Seats& before) {
  std::map<AppId, Lost> apps;
  for (const NodeId n : domain.nodes) {
    gone_[n] = 1;
    for (const Tenant& tenant : placement_.contents().at(n)) {
      Lost& lost = apps.try_emplace(tenant.app, Lost{tenant.app, 0, 0, 0}).first->second;
      lost.replicas += tenant.replicas;
      before.push_back({tenant.app, n, tenant.replicas});
    }
  }
  for (const Residence& pinned : instance_.data().pinned) {
    if (gone_[pinned.node] != 0) apps.at(pinned.app).pinned += pinned.replicas;
  }
  take_back(before);
  std::vector<Lost> all;
  for (auto& [app, lost] : apps) {
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      const double capacity = instance_.largest_capacity(r);
      if (capacity > 0) lost.size = std::max(lost.size, instance_.demand_range(app, r).most / capacity);
    }
    all.push_back(lost);
  }
  return all;
}

template <class Unit>
void Losses<Unit>::find_shortage(const Domain& domain, const std::vector<Lost>& lost, Loss& loss) const {
  double worst = 0;
  for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
    const ResourceId r = instance_.resource_of(h);
    double free = total_free_[h];
    for (const NodeId n : domain.nodes) free -= free_[std::size_t{n} * instance_.dims() + h];
    double needed = 0;
    for (const Lost& one : lost) needed += one.replicas * instance_.demand(one.app, r, instance_.period_of(h));
    // Sums over many nodes are inexact by less than this.
    const double missing = needed - free - kCheckerTolerance * (needed + total_free_[h]);
    if (missing <= 0 || missing / needed <= worst) continue;
    worst = missing / needed;
    loss.short_resource = r;
    loss.short_period = instance_.period_of(h);
    loss.short_amount = missing;
  }
}

template <class Unit>
void Losses<Unit>::place_app(AppId app, std::uint32_t& left, Seats& seats) {
  candidate_.start(placement_, app);
  std::vector<typename NodeRanking<Unit>::Change> changes;
  for (typename NodeRanking<Unit>::Pass pass(now_, candidate_.need().column.data()); left > 0 && !pass.at_end(); pass.pop()) {
    const NodeId node = pass.front().node;
    if (gone_[node] != 0) continue;
    const std::uint32_t takes = placement_.headroom(candidate_, node, left);
    if (takes == 0) continue;
    placement_.place(app, node, takes);
    seats.push_back({app, node, takes});
    left -= takes;
    changes.push_back({{fullness(node), node}, pass.place(), {}});
    placement_.residuals().read_columns(node, std::span(changes.back().columns).first(columns_));
  }
  now_.change(changes);
}

template <class Unit>
void Losses<Unit>::withdraw(const std::vector<Lost>& lost, std::vector<std::uint32_t>& left, Seats& seats) {
  if (!instance_.tag_model().has_hard_minimum()) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (Loss::Entry& seat : seats) {
      if (seat.replicas == 0 || !placement_.tags().is_broken(placement_.tag_view(), seat.app, seat.to)) continue;
      const auto at = std::find_if(lost.begin(), lost.end(), [&](const Lost& one) { return one.app == seat.app; });
      left[static_cast<std::size_t>(at - lost.begin())] += seat.replicas;
      placement_.remove(seat.app, seat.to, seat.replicas);
      seat.replicas = 0;
      changed = true;
    }
  }
  std::erase_if(seats, [](const Loss::Entry& seat) { return seat.replicas == 0; });
}

template <class Unit>
std::vector<std::uint32_t> Losses<Unit>::place(const std::vector<Lost>& lost, const std::vector<std::size_t>& order,
                                               Seats& seats) {
  std::vector<std::uint32_t> left(lost.size());
  now_ = ranking_;
  for (const std::size_t k : order) {
    left[k] = lost[k].replicas - lost[k].pinned;
    if (left[k] > 0) place_app(lost[k].app, left[k], seats);
    left[k] += lost[k].pinned;
  }
  withdraw(lost, left, seats);
  return left;
}

template <class Unit>
Loss Losses<Unit>::lose(Domain domain) {
  Loss loss;
  Seats before;
  const std::vector<Lost> lost = take_away(domain, before);
  find_shortage(domain, lost, loss);
  std::vector<std::size_t> order(lost.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lost[a].size > lost[b].size; });
  Seats best;
  std::vector<std::uint32_t> best_left;
  std::uint64_t least = ~std::uint64_t{0};
  for (int attempt = 0; attempt < kLossAttempts && least > 0; ++attempt) {
    Seats seats;
    const std::vector<std::uint32_t> left = place(lost, order, seats);
    take_back(seats);
    const std::uint64_t sum = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return left[k] > lost[k].pinned; });
    if (sum < least) {
      least = sum;
      best = std::move(seats);
      best_left = left;
    }
    if (loss.short_resource != kNone) break;
  }
  for (const Loss::Entry& seat : before) placement_.place(seat.app, seat.to, seat.replicas);
  for (const NodeId n : domain.nodes) gone_[n] = 0;
  for (std::size_t k = 0; k < lost.size(); ++k) {
    loss.replicas += lost[k].replicas;
    loss.left += best_left[k];
    if (best_left[k] > 0) best.push_back({lost[k].app, kNone, best_left[k]});
  }
  std::sort(best.begin(), best.end(),
            [](const Loss::Entry& a, const Loss::Entry& b) { return a.app != b.app ? a.app < b.app : a.to < b.to; });
  loss.entries = std::move(best);
  loss.domain = std::move(domain);
  return loss;
}

template <class Unit>
Result<std::vector<Loss>> losses_of(const Instance& instance, const Plan& plan, const LossQuestion& question,
                                    Control* control) {
  Losses<Unit> losses(instance, plan);
  std::vector<Domain> domains;
  if (!question.nodes.empty()) {
    Domain together{"", question.nodes};
    std::sort(together.nodes.begin(), together.nodes.end());
    together.nodes.erase(std::unique(together.nodes.begin(), together.nodes.end()), together.nodes.end());
    if (together.nodes.back() >= losses.nodes()) return Error{Code::kInvalid, "there is no node with this number", "nodes"};
    domains.push_back(std::move(together));
  } else {
    domains = question.label.empty() ? losses.single_nodes() : losses.domains(question.label);
    if (domains.empty() && !question.label.empty()) {
      return Error{Code::kInvalid, "no node has a label with the key " + question.label, "label"};
    }
  }
  std::vector<Loss> all;
  for (Domain& domain : domains) {
    if (control != nullptr && control->cancelled.load(std::memory_order_relaxed)) break;
    all.push_back(losses.lose(std::move(domain)));
  }
  std::stable_sort(all.begin(), all.end(), [](const Loss& a, const Loss& b) {
    if (a.left != b.left) return a.left > b.left;
    if (a.replicas != b.replicas) return a.replicas > b.replicas;
    return a.domain.nodes < b.domain.nodes;
  });
  return all;
}

}  // namespace

Result<std::vector<Loss>> find_losses(const Instance& instance, const Plan* plan, const LossQuestion& question,
                                      Control* control) {
  if (plan != nullptr) {
    const Verification checked = check_plan(instance, *plan, CheckScope::kViolations);
    if (!checked.ok) {
      return Error{Code::kInvalid, "does not belong to the instance or breaks constraints; its verification says which",
                   "plan"};
    }
    if (checked.nodes > instance.limits().max_nodes) {
      return Error{Code::kLimitExceeded, "has more nodes than the limits of the instance allow", "plan.nodes"};
    }
  }
  const Plan start = plan == nullptr ? plan_of_start(instance) : Plan{};
  const Plan& looked_at = plan != nullptr ? *plan : start;
  return instance.visit_unit([&](auto unit) { return losses_of<decltype(unit)>(instance, looked_at, question, control); });
}

}  // namespace stowage
