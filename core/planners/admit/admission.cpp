#include "core/planners/admit/admission.h"

#include <algorithm>

#include "core/measures/order.h"
#include "core/plan/objective.h"

namespace stowage {
namespace {

constexpr std::uint32_t kNodesPerUnit = 64;

}  // namespace

bool may_add_nodes(const Instance& instance, const Request& request) {
  const auto& classes = instance.data().classes;
  return request.node_limit == 0 &&
         std::any_of(classes.begin(), classes.end(), [](const NodeClass& c) { return c.count == 0; });
}

std::vector<WholeApplication> whole_applications(const Instance& instance) {
  const std::vector<double> weight = application_weights(instance);
  std::vector<double> size(instance.apps(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) {
    double& sum = size[instance.application(app)];
    instance.visit_unit([&](auto unit) {
      const auto demand = instance.scaled_demand<decltype(unit)>(app);
      for (std::uint32_t h = 0; h < instance.dims(); ++h) {
        if (demand[h] > 0)
          sum += static_cast<double>(demand[h]) / static_cast<double>(instance.total_demand()[h]) * instance.replicas(app);
      }
    });
  }
  std::vector<double> by_app(instance.apps());
  for (AppId app = 0; app < instance.apps(); ++app) by_app[app] = size[instance.application(app)];
  std::vector<WholeApplication> all;
  std::vector<std::uint32_t> place(instance.apps(), kNone);
  for (const AppId app : app_order(instance, by_app)) {
    if (instance.replicas(app) == 0) continue;
    const AppId first = instance.application(app);
    if (place[first] == kNone) {
      place[first] = static_cast<std::uint32_t>(all.size());
      all.push_back({{}, instance.priority(app), weight[first], size[first]});
    }
    WholeApplication& one = all[place[first]];
    one.apps.push_back(app);
    one.priority = std::max(one.priority, instance.priority(app));
  }
  return all;
}

template <class Unit>
Admission<Unit>::Admission(const Instance& instance, const Request& request)
    : instance_(&instance),
      placement_(instance, request),
      candidate_(placement_),
      share_(instance.dims(), 0),
      free_(instance.dims(), 0),
      weight_(instance.dims(), 0) {
  const std::vector<ClassId> order = class_order(instance);
  std::vector<std::uint64_t> further(instance.classes(), 0);
  for (const ClassId c : order) further[c] = instance.data().classes[c].count;
  for (NodeId node = 0; node < placement_.nodes(); ++node) {
    if (further[placement_.class_of(node)] > 0) --further[placement_.class_of(node)];
  }
  for (const ClassId c : order) {
    if (instance.data().classes[c].count == 0) {
      endless_.push_back(c);
    } else if (further[c] == 1 && placement_.nodes() < instance.limits().max_nodes) {
      // A node of its own kind is quicker to ask about once it is open.
      placement_.open(c);
      further[c] = 0;
    } else if (further[c] > 0) {
      counted_.push_back(c);
    }
  }
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    std::int32_t largest = 1;
    for (ClassId c = 0; c < instance.classes(); ++c) {
      const std::int32_t capacity = instance.scaled_capacity(c)[instance.resource_of(h)];
      largest = std::max(largest, capacity);
      free_[h] += static_cast<double>(capacity) * static_cast<double>(further[c]);
    }
    share_[h] = 1.0 / largest;
    for (NodeId node = 0; node < placement_.nodes(); ++node) {
      free_[h] += std::max<double>(0, placement_.residuals().residual(node, h));
    }
  }
}

template <class Unit>
void Admission<Unit>::weigh(AppId app, Fitness fitness) {
  const auto demand = instance_->template scaled_demand<Unit>(app);
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
    const auto all = static_cast<double>(instance_->total_demand()[h]);
    weight_[h] = demand[h] <= 0             ? 0
                 : fitness == Fitness::kDot ? demand[h] / all / std::max(1.0, free_[h])
                                            : demand[h] * share_[h];
  }
}

template <class Unit>
double Admission<Unit>::score(NodeId node, Fitness fitness) const {
  const Residuals<Unit>& residuals = placement_.residuals();
  if (fitness == Fitness::kFirst) return 0;
  if (fitness == Fitness::kDot) return residuals.weighted_sum(node, weight_.data());
  double product = 0;
  double square = 0;
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
    const double free = residuals.residual(node, h) * share_[h];
    product += weight_[h] * free;
    square += free * free;
  }
  // The square of the cosine, but for a factor that is the same for all nodes.
  return square > 0 ? product * product / square : 0;
}

template <class Unit>
double Admission<Unit>::score_of_new(ClassId node_class, Fitness fitness) const {
  if (fitness == Fitness::kFirst) return 0;
  const std::span<const std::int32_t> standing = instance_->scaled_standing(kNone, node_class);
  double product = 0;
  double square = 0;
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
    const double free = instance_->scaled_capacity(node_class)[instance_->resource_of(h)] -
                        (standing.empty() ? 0.0 : static_cast<double>(standing[h]));
    const double share = fitness == Fitness::kDot ? free : free * share_[h];
    product += weight_[h] * share;
    square += share * share;
  }
  if (fitness == Fitness::kDot) return product;
  return square > 0 ? product * product / square : 0;
}

template <class Unit>
void Admission<Unit>::consider_new(const std::vector<ClassId>& classes, Fitness fitness, Choice& best) const {
  for (const ClassId c : classes) {
    if (placement_.headroom_on_empty(candidate_, c, 1) == 0) continue;
    const double own = score_of_new(c, fitness);
    if (own > best.score) best = {own, kNone, c};
  }
}

template <class Unit>
NodeId Admission<Unit>::choose(Fitness fitness, Opening opening, WorkClock& clock) {
  Choice best;
  std::uint64_t looked = 0;
  placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
    ++looked;
    const double own = score(node, fitness);
    if (own <= best.score || !placement_.allows_one(candidate_, node)) return true;
    if (apart_ && placement_.contents().count(candidate_.app(), node) > 0) return true;
    best = {own, node};
    return fitness != Fitness::kFirst;
  });
  clock.step(1 + (placement_.nodes() + counted_.size()) / kNodesPerUnit + looked / 8);
  while (placement_.may_still_use() > 0) {
    const Choice open = best;
    consider_new(counted_, fitness, best);
    const bool adds = best.node == kNone && best.node_class == kNone && opening == Opening::kAny && may_add_ > 0;
    if (adds) consider_new(endless_, Fitness::kFirst, best);
    if (best.node_class == kNone) break;
    const NodeId node = placement_.open(best.node_class);
    if (node != kNone) {
      if (adds) --may_add_;
      return node;
    }
    if (placement_.hit_ceiling()) return kNone;
    std::erase(counted_, best.node_class);
    std::erase(endless_, best.node_class);
    best = open;
  }
  return best.node;
}

template <class Unit>
bool Admission<Unit>::admit(const WholeApplication& application, Fitness fitness, Opening opening, WorkClock& clock) {
  last_.clear();
  for (const AppId app : application.apps) {
    if (placement_.unplaced(app) == 0) continue;
    candidate_.start(placement_, app);
    weigh(app, fitness);
    while (placement_.unplaced(app) > 0) {
      const NodeId node = choose(fitness, opening, clock);
      // A new node may differ from what its class promises, by placement rules.
      if (node == kNone || clock.stop() != Stop::kNo || !placement_.allows_one(candidate_, node)) {
        for (std::size_t k = last_.size(); k-- > 0;) remove(last_[k].first, last_[k].second);
        last_.clear();
        return false;
      }
      place(app, node);
      last_.emplace_back(app, node);
      if (fitness == Fitness::kDot) weigh(app, fitness);
    }
  }
  return true;
}

template <class Unit>
NodeId Admission<Unit>::add_node_for(AppId app) {
  candidate_.start(placement_, app);
  return placement_.open_for(candidate_, endless_);
}

template <class Unit>
NodeId Admission<Unit>::fittest_of(AppId app, std::span<const NodeId> nodes) {
  const auto demand = instance_->template scaled_demand<Unit>(app);
  const Residuals<Unit>& residuals = placement_.residuals();
  bool started = false;
  double best = -1;
  NodeId fittest = kNone;
  for (const NodeId node : nodes) {
    std::uint32_t h = 0;
    while (h < demand.size() && demand[h] <= residuals.residual(node, h)) ++h;
    if (h < demand.size()) continue;
    if (!started) {
      started = true;
      candidate_.start(placement_, app);
      weigh(app, Fitness::kCosine);
    }
    const double own = score(node, Fitness::kCosine);
    if (own <= best || placement_.headroom(candidate_, node, 1) == 0) continue;
    best = own;
    fittest = node;
  }
  return fittest;
}

template <class Unit>
NodeId Admission<Unit>::find_room(AppId app, Fitness fitness, WorkClock& clock) {
  candidate_.start(placement_, app);
  weigh(app, fitness);
  const NodeId node = choose(fitness, Opening::kAny, clock);
  return node != kNone && placement_.headroom(candidate_, node, 1) > 0 ? node : kNone;
}

template <class Unit>
std::uint32_t Admission<Unit>::headroom(AppId app, NodeId node, std::uint32_t wanted) {
  if (apart_) wanted = placement_.contents().count(app, node) > 0 ? 0 : std::min(wanted, 1u);
  if (wanted == 0) return 0;
  candidate_.start(placement_, app);
  return placement_.headroom(candidate_, node, wanted);
}

template <class Unit>
double Admission<Unit>::dot(AppId app, NodeId node) {
  weigh(app, Fitness::kDot);
  return score(node, Fitness::kDot);
}

template <class Unit>
void Admission<Unit>::place(AppId app, NodeId node) {
  placement_.place(app, node, 1);
  const auto demand = instance_->template scaled_demand<Unit>(app);
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) free_[h] -= demand[h];
}

template <class Unit>
void Admission<Unit>::remove(AppId app, NodeId node) {
  placement_.remove(app, node, 1);
  const auto demand = instance_->template scaled_demand<Unit>(app);
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) free_[h] += demand[h];
}

template class Admission<std::int16_t>;
template class Admission<std::int32_t>;

}  // namespace stowage
