// Fragmentation Gradient Descent (Weng et al., Beware of Fragmentation, USENIX ATC '23, sections 4 and 5): each replica goes to
// the node on which the part of free devices that replicas cannot use grows least.
//
// Different from there, apps come by falling demand for devices, and the devices of a node are packed anew with each replica.
// Nodes of classes without a count are opened only where no other node has room. Without devices this is first fit decreasing.

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/devices/device_headroom.h"
#include "core/measures/order.h"
#include "core/measures/size.h"
#include "core/placement/node_ranking.h"
#include "core/placement/placement.h"
#include "core/planners/families.h"
#include "core/planners/lists/app_by_app.h"

namespace stowage {
namespace {

/// Apps that stand for all: those with most replicas.
constexpr std::size_t kMostShapes = 128;

template <class Unit>
class FragmentRun {
 public:
  explicit FragmentRun(const PlannerInput& input)
      : input_(input),
        table_(input.instance.devices()),
        placement_(input.instance, input.request, &input.run.clock),
        candidate_(placement_),
        classes_(class_order(input.instance)) {
    find_shapes();
  }

  Placement<Unit>& placement() { return placement_; }

  /// Places what is waiting of the app, until the run has to end.
  void take(AppId app) {
    candidate_.start(placement_, app);
    heap_.clear();
    std::uint64_t visited = 1;
    placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
      ++visited;
      if (placement_.headroom(candidate_, node, 1) > 0) heap_.append({-growth(node), node});
      return true;
    });
    heap_.settle();
    of_class_.assign(input_.instance.classes(), kUnknown);
    while (placement_.unplaced(app) > 0) {
      const NodeId node = best_node();
      if (node == kNone) break;
      // A rule that counts over several nodes may have closed the node since it was found.
      if (placement_.headroom(candidate_, node, 1) == 0) continue;
      placement_.place(app, node, 1);
      if (placement_.headroom(candidate_, node, 1) > 0) heap_.push({-growth(node), node});
      if (input_.run.clock.step(std::exchange(visited, 1))) return;
    }
    input_.run.clock.step(visited);
  }

 private:
  static constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  static constexpr double kClosed = std::numeric_limits<double>::infinity();

  struct Share {
    AppId app;
    double of_all;
  };

  void find_shapes() {
    const Instance& instance = input_.instance;
    if (table_.empty()) return;
    std::vector<double> replicas(instance.data().replicas.begin(), instance.data().replicas.end());
    std::vector<AppId> apps(instance.apps());
    std::iota(apps.begin(), apps.end(), 0);
    sort_by_largest(apps, replicas);
    apps.resize(std::min(apps.size(), kMostShapes));
    double all = 0;
    for (const AppId app : apps) all += replicas[app];
    for (const AppId app : apps) shapes_.push_back({app, replicas[app] / std::max(1.0, all)});
  }

  // The node in use, or an empty one, where fragmentation grows least; kNone: there is none.
  NodeId best_node() {
    // Nodes that the limit on nodes has closed since they were found.
    while (!heap_.empty() && !placement_.may_use(heap_.front().node)) heap_.pop();
    if (placement_.may_still_use() == 0) return heap_.empty() ? kNone : heap_.pop();
    ClassId best_class = kNone;
    double least = heap_.empty() ? kClosed : -heap_.front().key;
    for (const ClassId c : classes_) {
      if (input_.instance.data().classes[c].count == 0 || table_.empty()) continue;
      if (of_class_[c] == kUnknown) of_class_[c] = growth_on_empty(c);
      if (of_class_[c] >= least) continue;
      least = of_class_[c];
      best_class = c;
    }
    if (best_class != kNone) {
      const NodeId node = placement_.open(best_class);
      if (node != kNone && placement_.headroom(candidate_, node, 1) > 0) return node;
      of_class_[best_class] = kClosed;
      return best_node();
    }
    if (!heap_.empty()) return heap_.pop();
    const NodeId node = placement_.open_for(candidate_, classes_);
    return node != kNone && placement_.headroom(candidate_, node, 1) > 0 ? node : kNone;
  }

  [[nodiscard]] double growth(NodeId node) {
    if (table_.empty()) return 0;
    const auto list = placement_.contents().at(node);
    tenants_.assign(list.begin(), list.end());
    left_.clear();
    for (std::uint32_t h = 0; h < input_.instance.dims(); ++h) left_.push_back(placement_.residuals().residual(node, h));
    return growth(placement_.device_site(node));
  }
  [[nodiscard]] double growth_on_empty(ClassId c) {
    const Instance& instance = input_.instance;
    if (placement_.headroom_on_empty(candidate_, c, 1) == 0) return kClosed;
    tenants_.clear();
    left_.clear();
    const auto standing = instance.scaled_standing(kNone, c);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      left_.push_back(std::int64_t{instance.scaled_capacity(c)[instance.resource_of(h)]} -
                      (standing.empty() ? 0 : standing[h]));
    }
    return growth({kNone, c});
  }
  // On the node of tenants_ and left_.
  [[nodiscard]] double growth(const DeviceSite& site) {
    const double before = fragments(site);
    const Unit* demand = candidate_.need().demand;
    for (std::uint32_t h = 0; h < input_.instance.dims(); ++h) left_[h] -= demand[h];
    tenants_.push_back({candidate_.app(), 1});
    return fragments(site) - before;
  }

  // The devices, in expectation over the replicas of all apps, that are free on the node and of no use to a replica.
  [[nodiscard]] double fragments(const DeviceSite& site) {
    double sum = 0;
    for (std::size_t k = 0; k < table_.resources().size(); ++k) {
      if (table_.size(k) == 0) continue;  // too small for the resource's unit: nothing fits in part
      free_device_units(input_.instance, k, site, tenants_, free_);
      const double all = std::accumulate(free_.begin(), free_.end(), 0.0) / table_.size(k);
      if (all == 0) continue;
      for (const Share& shape : shapes_) sum += shape.of_all * (fits(shape.app) ? useless(shape.app, k, all) : all);
    }
    return sum;
  }
  [[nodiscard]] bool fits(AppId app) const {
    const auto demand = input_.instance.template scaled_demand<Unit>(app);
    for (std::uint32_t h = 0; h < demand.size(); ++h) {
      if (demand[h] > left_[h]) return false;
    }
    return true;
  }
  // Devices of the free ones, `all` in sum, that a replica of the app cannot use.
  [[nodiscard]] double useless(AppId app, std::size_t k, double all) const {
    const DeviceDemand& demand = table_.demand(app, k);
    if (demand.part == 0 && demand.whole == 0) return all;
    const std::int32_t least = demand.part > 0 ? demand.part : table_.size(k);
    std::int64_t small = 0;
    std::uint32_t usable = 0;
    for (const std::int32_t free : free_) {
      if (free < least) {
        small += free;
      } else {
        ++usable;
      }
    }
    if (usable < std::max(1u, demand.whole)) return all;
    return static_cast<double>(small) / table_.size(k);
  }

  const PlannerInput& input_;
  const DeviceTable& table_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<ClassId> classes_;
  std::vector<Share> shapes_;
  RankedHeap heap_;               // nodes that take the app, by falling -growth
  std::vector<double> of_class_;  // per class: growth on an empty node
  // Scratch: a node.
  std::vector<Tenant> tenants_;
  std::vector<std::int64_t> left_;  // per dimension
  std::vector<std::int32_t> free_;  // per device
};

/// What a replica takes of devices, and its average share of nodes where that is equal.
std::vector<double> device_sizes(const Instance& instance) {
  constexpr double kTieBreak = 1e-6;
  std::vector<double> size = sizes(instance, Measure::kAverage, 0);
  const DeviceTable& table = instance.devices();
  const double largest = size.empty() ? 1 : std::max(1e-300, *std::max_element(size.begin(), size.end()));
  for (AppId app = 0; app < instance.apps() && !table.empty(); ++app) {
    size[app] *= kTieBreak / largest;
    for (std::size_t k = 0; k < table.resources().size(); ++k) {
      size[app] += table.demand(app, k).whole + static_cast<double>(table.demand(app, k).part) / std::max(1, table.size(k));
    }
  }
  return size;
}

template <class Unit>
Error descend(const PlannerInput& input, Plan& plan) {
  FragmentRun<Unit> run(input);
  return place_app_by_app(input, app_order(input.instance, device_sizes(input.instance)), run, plan);
}

}  // namespace

std::span<const PlannerInfo> fragment_planners() {
  static const PlannerInfo kPlanner = {
      .name = "fgd",
      .summary = "apps by their demand for devices, each replica where the part of free devices that is of no use grows least",
      .source = "Weng et al., USENIX ATC '23, sections 4 and 5",
      .complexity = "O(L N L + R (log N + L))",
      .honours = kHeadroomFeatures,
      .function =
          [](const PlannerInput& input, Plan& plan) {
            return input.instance.visit_unit([&](auto unit) { return descend<decltype(unit)>(input, plan); });
          },
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
