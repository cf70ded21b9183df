#include "core/losses/evacuation.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/watched.h"
#include "core/model/labels.h"
#include "core/plan/compact_plan.h"
#include "core/run/request.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

// Attempts to place the replicas of one domain.
constexpr int kLossAttempts = 4;
// What a node takes per dimension, in steps of a watch.
constexpr std::uint64_t kStepsPerEvacuatedDim = 16;
constexpr std::uint64_t kStepsPerDomain = 16;
// Dimensions of a node that are passed in a step.
constexpr std::uint32_t kDimsPerLossStep = 8;

Request without_running() {
  Request request;
  request.ignore_running = true;
  return request;
}

}  // namespace

template <class Unit>
Evacuation<Unit>::Evacuation(const Instance& instance, const Plan& plan, bool only_planned, WatchRef watch)
    : instance_(instance),
      placement_(instance, without_running(), nullptr, watch),
      candidate_(placement_),
      columns_(std::min(placement_.residuals().column_count(), NodeRanking<Unit>::kMostColumns)),
      ranking_(placement_.residuals().column_count()),
      now_(ranking_),
      watch_(watch) {
  if (watch_.look()) return;
  Plan expanded = plan;
  expand(expanded);
  const std::vector<NodeId> node_of = placement_.add(expanded, watch_);
  gone_.assign(nodes(), 0);
  if (only_planned) {
    std::fill_n(gone_.begin(), instance.listed_nodes(), kOut);
    for (const NodeId node : node_of) gone_[node] = 0;
  }
  watched_resize(free_, std::size_t{nodes()} * instance.dims(), watch_);
  total_free_.assign(instance.dims(), 0);
  for (NodeId n = 0; n < nodes() && !watch_.step(kStepsPerEvacuatedDim * instance.dims()); ++n) rank(n);
}

template <class Unit>
void Evacuation<Unit>::rank(NodeId node) {
  if (closed(node) || !in_service(node)) return;
  ranked_.resize(nodes(), 0);
  ranked_[node] = 1;
  const std::uint32_t dims = instance_.dims();
  const ClassId c = placement_.class_of(node);
  const NodeId listed = node < instance_.listed_nodes() ? node : kNone;
  for (std::uint32_t h = 0; h < dims; ++h) {
    const ResourceId r = instance_.resource_of(h);
    const std::uint32_t t = instance_.period_of(h);
    double free = instance_.data().classes[c].capacity[r] * (1 + kCheckerTolerance) - instance_.daemon(listed, c, r, t);
    if (listed != kNone) free -= instance_.load(listed, r, t);
    for (const Tenant& tenant : placement_.contents().at(node)) free -= tenant.replicas * instance_.demand(tenant.app, r, t);
    free_[std::size_t{node} * dims + h] = std::max(0.0, free);
    total_free_[h] += std::max(0.0, free);
  }
  std::vector<Unit> columns(columns_);
  placement_.residuals().read_columns(node, columns);
  ranking_.add(node, fullness(node), columns.data());
}

template <class Unit>
void Evacuation<Unit>::put_in_service(NodeId node) {
  gone_.resize(nodes(), 0);
  free_.resize(std::size_t{nodes()} * instance_.dims(), 0);
  gone_[node] = 0;
  if (node >= ranked_.size() || ranked_[node] == 0) rank(node);
}

/// The share of the node that is taken, of the resource and period of which most is.
template <class Unit>
double Evacuation<Unit>::fullness(NodeId node) const {
  double least = 1;
  const auto capacity = instance_.scaled_capacity(placement_.class_of(node));
  for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
    const std::int32_t all = capacity[instance_.resource_of(h)];
    if (all > 0) least = std::min(least, static_cast<double>(placement_.residuals().residual(node, h)) / all);
  }
  return -least;
}

template <class Unit>
std::vector<Domain> Evacuation<Unit>::domains(std::string_view key) const {
  std::vector<Domain> all;
  if (key.empty()) {
    for (NodeId n = 0; n < nodes() && !watch_.step(kStepsPerDomain); ++n) {
      if (in_service(n)) all.push_back({"", {n}});
    }
    return all;
  }
  std::map<std::string_view, std::vector<NodeId>> values;
  for (NodeId n = 0; n < nodes() && !watch_.step(kStepsPerDomain); ++n) {
    if (!in_service(n)) continue;
    const NodeId listed = n < instance_.listed_nodes() ? n : kNone;
    visit_values(instance_, listed, placement_.class_of(n), key, [&](std::string_view value) {
      std::vector<NodeId>& of = values[value];
      if (of.empty() || of.back() != n) of.push_back(n);
    });
  }
  all.reserve(values.size());
  for (auto& [name, nodes] : values) all.push_back({std::string(name), std::move(nodes)});
  return all;
}

template <class Unit>
std::vector<typename Evacuation<Unit>::Lost> Evacuation<Unit>::take_away(const Domain& domain, Seats& before) {
  std::map<AppId, Lost> apps;
  for (const NodeId n : domain.nodes) {
    if (watch_.step(kStepsPerDomain * (1 + placement_.contents().at(n).size()))) return {};
    gone_[n] |= kLost;
    for (const Tenant& tenant : placement_.contents().at(n)) {
      Lost& lost = apps.try_emplace(tenant.app, Lost{tenant.app, 0, 0, 0}).first->second;
      lost.replicas += tenant.replicas;
      before.push_back({tenant.app, n, tenant.replicas});
    }
  }
  for (const Residence& pinned : instance_.data().pinned) {
    if (watch_.step(kStepsPerDomain)) return {};
    if ((gone_[pinned.node] & kLost) != 0) apps.at(pinned.app).pinned += pinned.replicas;
  }
  take_back(before);
  std::vector<Lost> all;
  for (auto& [app, lost] : apps) {
    if (watch_.step(instance_.resources())) return {};
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      const double capacity = instance_.largest_capacity(r);
      if (capacity > 0) lost.size = std::max(lost.size, instance_.demand_range(app, r).most / capacity);
    }
    all.push_back(lost);
  }
  return all;
}

template <class Unit>
void Evacuation<Unit>::find_shortage(const Domain& domain, const std::vector<Lost>& lost, Loss& loss) const {
  const std::uint32_t dims = instance_.dims();
  std::vector<double> free = total_free_;
  for (const NodeId n : domain.nodes) {
    if (watch_.step(1 + dims)) return;
    const double* of_node = free_.data() + std::size_t{n} * dims;
    for (std::uint32_t h = 0; h < dims; ++h) free[h] -= of_node[h];
  }
  double worst = 0;
  for (std::uint32_t h = 0; h < dims; ++h) {
    if (watch_.step(kStepsPerDomain * lost.size())) return;
    const ResourceId r = instance_.resource_of(h);
    double needed = 0;
    for (const Lost& one : lost) needed += one.replicas * instance_.demand(one.app, r, instance_.period_of(h));
    // Sums over many nodes are inexact by less than this.
    const double missing = needed - free[h] - kCheckerTolerance * (needed + total_free_[h]);
    if (missing <= 0 || missing / needed <= worst) continue;
    worst = missing / needed;
    loss.short_resource = r;
    loss.short_period = instance_.period_of(h);
    loss.short_amount = missing;
  }
}

template <class Unit>
bool Evacuation<Unit>::ends_at_seat() const {
  return watch_.step(kStepsPerDomain + instance_.dims() / kDimsPerLossStep);
}

template <class Unit>
void Evacuation<Unit>::take_back(const Seats& seats) {
  for (const Loss::Entry& seat : seats) {
    if (ends_at_seat()) return;
    placement_.remove(seat.app, seat.to, seat.replicas);
  }
}

template <class Unit>
void Evacuation<Unit>::place_app(AppId app, std::uint32_t& left, Seats& seats) {
  candidate_.start(placement_, app);
  std::vector<typename NodeRanking<Unit>::Change> changes;
  for (typename NodeRanking<Unit>::Pass pass(now_, candidate_.need().column.data()); left > 0 && !pass.at_end(); pass.pop()) {
    const NodeId node = pass.front().node;
    if (watch_.step(placement_.steps_to_ask(app))) break;
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
  if (left > 0 && supplier_ != nullptr) place_on_supplies(app, left, seats);
}

template <class Unit>
void Evacuation<Unit>::place_on_supplies(AppId app, std::uint32_t& left, Seats& seats) {
  std::vector<Unit> columns(columns_);
  while (left > 0 && !watch_.step(kStepsToOpen + kStepsPerEvacuatedDim * instance_.dims())) {
    const NodeId node = supplier_->supply(app, left, rest_);
    if (node == kNone) return;
    candidate_.start(placement_, app);
    const std::uint32_t takes = placement_.headroom(candidate_, node, left);
    if (takes == 0) return;
    placement_.place(app, node, takes);
    seats.push_back({app, node, takes});
    left -= takes;
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      rest_[h] -= takes * instance_.demand(app, instance_.resource_of(h), instance_.period_of(h));
    }
    placement_.residuals().read_columns(node, columns);
    now_.add(node, fullness(node), columns.data());
  }
}

template <class Unit>
void Evacuation<Unit>::find_rest(const std::vector<Lost>& lost, const std::vector<std::uint32_t>& left) {
  rest_.assign(instance_.dims(), 0);
  for (std::size_t k = 0; k < lost.size(); ++k) {
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      const double demand = instance_.demand(lost[k].app, instance_.resource_of(h), instance_.period_of(h));
      rest_[h] += (left[k] - lost[k].pinned) * demand;
    }
  }
}

template <class Unit>
void Evacuation<Unit>::withdraw(const std::vector<Lost>& lost, std::vector<std::uint32_t>& left, Seats& seats) {
  if (!instance_.tag_model().has_hard_minimum()) return;
  for (bool changed = true; changed && !watch_.ended();) {
    changed = false;
    for (Loss::Entry& seat : seats) {
      if (watch_.step(placement_.steps_to_ask(seat.app))) break;
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
std::vector<std::uint32_t> Evacuation<Unit>::place(const std::vector<Lost>& lost, const std::vector<std::size_t>& order,
                                                   Seats& seats) {
  std::vector<std::uint32_t> left(lost.size());
  now_ = ranking_;
  for (const std::size_t k : order) {
    left[k] = lost[k].replicas - lost[k].pinned;
    if (left[k] > 0 && !watch_.step(nodes() / kStepsPerEvacuatedDim)) place_app(lost[k].app, left[k], seats);
    left[k] += lost[k].pinned;
  }
  withdraw(lost, left, seats);
  return left;
}

template <class Unit>
Loss Evacuation<Unit>::lose(Domain domain, Supplier* supplier) {
  Loss loss;
  Seats before;
  const std::vector<Lost> lost = take_away(domain, before);
  if (watch_.ended()) return {};
  placement_.tags().hide(
      placement_.tag_view(), domain.nodes, [this](NodeId node) { return node < gone_.size() && gone_[node] == 0; }, watch_);
  find_shortage(domain, lost, loss);
  if (watch_.ended()) return {};
  std::vector<std::size_t> order(lost.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lost[a].size > lost[b].size; });
  Seats best;
  std::vector<std::uint32_t> best_left;
  std::uint64_t pinned = 0;
  for (const Lost& one : lost) pinned += one.pinned;
  std::uint64_t least = ~std::uint64_t{0};
  const auto attempt = [&] {
    Seats seats;
    const std::vector<std::uint32_t> left = place(lost, order, seats);
    take_back(seats);
    if (watch_.ended()) return;
    const std::uint64_t sum = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return left[k] > lost[k].pinned; });
    if (sum >= least) return;
    least = sum;
    best = std::move(seats);
    best_left = left;
  };
  for (int k = 0; k < kLossAttempts && least > pinned; ++k) {
    attempt();
    if (loss.short_resource != kNone || watch_.ended()) break;
  }
  if (supplier != nullptr && least > pinned && !watch_.ended()) {
    find_rest(lost, best_left);
    supplier_ = supplier;
    attempt();
    supplier_ = nullptr;
  }
  if (watch_.ended()) return {};
  loss.pinned = pinned;
  placement_.tags().show_all();
  for (const Loss::Entry& seat : before) {
    if (ends_at_seat()) return {};
    placement_.place(seat.app, seat.to, seat.replicas);
  }
  for (const NodeId n : domain.nodes) gone_[n] &= static_cast<std::uint8_t>(~kLost);
  for (std::size_t k = 0; k < lost.size(); ++k) {
    loss.replicas += lost[k].replicas;
    loss.left += best_left[k];
    if (best_left[k] > 0) best.push_back({lost[k].app, kNone, best_left[k]});
  }
  watched_sort(best, watch_,
               [](const Loss::Entry& a, const Loss::Entry& b) { return a.app != b.app ? a.app < b.app : a.to < b.to; });
  if (watch_.ended()) return {};
  loss.entries = std::move(best);
  loss.domain = std::move(domain);
  return loss;
}

template class Evacuation<std::int16_t>;
template class Evacuation<std::int32_t>;

}  // namespace stowage
