// Heuristics for uncertain demand (P1, sections 5.1, 5.2 and 6, algorithm 2).
//
// bf-ucac: each replica goes to the feasible node that then has the least capacity left beyond its used capacity at confidence.
// Among equal nodes, that is the one with the most used capacity. A node that took a replica is the fullest for the next
// replica of the app, so that it takes all that fit, and one ranking serves a whole app. bf-nsigma: best fit by fixed sizes.
// Every replica counts mean + n sigma, and nodes have to carry these sizes as well. biheu: nodes with most spread first, then
// new ones. Each node takes all that fit of the apps, those with the largest ratio of spread to mean first. The paper's break
// at a rest below sigma, which only saves time, is left out.
//
// The paper leaves the order of requests open: here, apps come by priority, then in their given order. Without uncertain
// demand, spreads are 0. O(K N log N + placed pairs); biheu O(N log N + K N). New nodes with equal contents are planned as one,
// so that a million of them take no longer than a few.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/measures/order.h"
#include "core/placement/placement.h"

namespace stowage {
namespace {

enum class Rule : std::uint32_t { kNSigma, kUcac };

/// The resource of the used capacity.
ResourceId main_resource(const Instance& instance) { return instance.uncertain() ? instance.uncertain_resource() : 0; }

/// Sizes of replicas and loads: mean + n standard deviations, in scaled units.
class FixedSizes {
 public:
  FixedSizes(const Instance& instance, double n) : instance_(&instance), n_(n) {
    const std::uint32_t dims = instance.dims();
    size_.resize(std::size_t{instance.apps()} * dims);
    for (AppId i = 0; i < instance.apps(); ++i) {
      for (std::uint32_t h = 0; h < dims; ++h) {
        const ResourceId r = instance.resource_of(h);
        size_[std::size_t{i} * dims + h] = units(instance.demand(i, r, instance.period_of(h)), instance.spread(i, r), r);
      }
    }
  }
  [[nodiscard]] std::span<const double> of(AppId app) const {
    return {size_.data() + std::size_t{app} * instance_->dims(), instance_->dims()};
  }
  [[nodiscard]] double of_load(NodeId listed, std::uint32_t h) const {
    const ResourceId r = instance_->resource_of(h);
    return units(instance_->load(listed, r, instance_->period_of(h)), instance_->load_spread(listed, r), r);
  }

 private:
  // The mean is rounded as the instance rounds it, so that sums are exact where nothing varies.
  [[nodiscard]] double units(double mean, double spread, ResourceId r) const {
    return static_cast<double>(instance_->scale(r).load(mean)) + n_ * std::sqrt(spread) / instance_->scale(r).unit();
  }

  const Instance* instance_;
  double n_;
  std::vector<double> size_;
};

template <class Unit>
class BestFitRun {
 public:
  BestFitRun(const PlannerInput& input, Rule rule)
      : input_(input),
        instance_(input.instance),
        rule_(rule),
        placement_(input.instance, input.request, &input.run.clock),
        candidate_(placement_),
        classes_(class_order(input.instance)),
        sizes_(input.instance, rule == Rule::kNSigma ? factor() : 0),
        first_(main_resource(input.instance) * input.instance.periods()),
        last_(first_ + input.instance.periods()) {
    if (rule_ == Rule::kUcac) return;
    for (NodeId n = 0; n < placement_.nodes(); ++n) add_left(n);
  }

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    std::uint64_t done = 0;
    for (const AppId app : app_order(instance_, {})) {
      if (input_.run.clock.stop() != Stop::kNo) break;
      if (placement_.unplaced(app) > 0) take(app);
      done += instance_.replicas(app);
      input_.run.progress.done(done);
    }
    if (placement_.hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    placement_.finish(plan);
    return {};
  }

 private:
  struct Ranked {
    double left;
    NodeId node;
  };
  static bool later(const Ranked& a, const Ranked& b) { return a.left != b.left ? a.left > b.left : a.node > b.node; }

  [[nodiscard]] double factor() const {
    const double n = input_.options.number("n");
    return n > 0 ? n : input_.instance.confidence_factor();
  }

  /// Capacity less the daemon load.
  [[nodiscard]] double left_on_empty(NodeId listed, ClassId c, std::uint32_t h) const {
    const ResourceId r = instance_.resource_of(h);
    const double daemon = instance_.daemon(listed, c, r, instance_.period_of(h));
    return static_cast<double>(instance_.scale(r).left(instance_.data().classes[c].capacity[r], daemon));
  }
  void add_left(NodeId node) {
    const ClassId c = placement_.class_of(node);
    const NodeId listed = node < instance_.listed_nodes() ? node : kNone;
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      double left = left_on_empty(listed, c, h);
      if (listed != kNone) left -= sizes_.of_load(node, h);
      for (const Tenant& tenant : placement_.contents().at(node)) left -= sizes_.of(tenant.app)[h] * tenant.replicas;
      left_.push_back(left);
    }
  }
  void take_left(AppId app, NodeId node, std::uint32_t replicas) {
    const auto size = sizes_.of(app);
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) left_[std::size_t{node} * instance_.dims() + h] -= size[h] * replicas;
  }
  [[nodiscard]] std::uint32_t headroom(NodeId node, std::uint32_t wanted) {
    std::uint32_t most = placement_.headroom(candidate_, node, wanted);
    if (rule_ == Rule::kUcac) return most;
    const auto size = sizes_.of(candidate_.app());
    for (std::uint32_t h = 0; h < instance_.dims() && most > 0; ++h) {
      const double left = left_[std::size_t{node} * instance_.dims() + h];
      if (left < size[h]) return 0;
      if (size[h] > 0) most = static_cast<std::uint32_t>(std::min<double>(most, left / size[h]));
    }
    return most;
  }
  bool place(NodeId node) {
    const AppId app = candidate_.app();
    const std::uint32_t replicas = headroom(node, placement_.unplaced(app));
    if (replicas == 0) return false;
    const NodeId known = placement_.nodes();
    const std::uint32_t there = placement_.contents().count(app, node);
    placement_.place_on_copies(app, node, replicas);
    if (rule_ == Rule::kUcac) return true;
    // Copies that split off had as much left as the node.
    const std::size_t dims = instance_.dims();
    left_.resize(placement_.nodes() * dims);
    for (NodeId part = known; part < placement_.nodes(); ++part) {
      std::copy_n(left_.begin() + static_cast<std::ptrdiff_t>(node * dims), dims,
                  left_.begin() + static_cast<std::ptrdiff_t>(part * dims));
      take_left(app, part, placement_.contents().count(app, part) - there);
    }
    take_left(app, node, replicas);
    return true;
  }

  // The main resource's capacity left after one more replica, in scaled units; the least over the periods.
  [[nodiscard]] double left_after(NodeId node) const {
    const AppId app = candidate_.app();
    if (rule_ == Rule::kNSigma) {
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t h = first_; h < last_; ++h) {
        least = std::min(least, left_[std::size_t{node} * instance_.dims() + h] - sizes_.of(app)[h]);
      }
      return least;
    }
    std::int64_t left = std::numeric_limits<std::int64_t>::max();
    const auto demand = instance_.template scaled_demand<Unit>(app);
    const bool uncertain = instance_.uncertain();
    for (std::uint32_t h = first_; h < last_; ++h) {
      const std::int64_t now = uncertain ? placement_.residuals().mean_left(node, h) : placement_.residuals().residual(node, h);
      left = std::min(left, now - demand[h]);
    }
    if (!uncertain) return static_cast<double>(left);
    const ResourceId r = instance_.uncertain_resource();
    const std::int64_t risk = placement_.residuals().risk(node, r) + instance_.scaled_risk(app)[r];
    return static_cast<double>(left) - instance_.root_of_risk(risk, r);
  }

  void take(AppId app) {
    candidate_.start(placement_, app);
    ranked_.clear();
    if (rule_ == Rule::kNSigma) {
      // Fixed sizes leave out most nodes: by them, nodes are full much earlier.
      for (NodeId node = 0; node < placement_.nodes(); ++node) {
        const double left = left_after(node);
        if (left >= 0) ranked_.push_back({left, node});
      }
    } else {
      placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
        ranked_.push_back({left_after(node), node});
        return true;
      });
    }
    const std::uint64_t work = ranked_.size() + 1;
    std::make_heap(ranked_.begin(), ranked_.end(), later);
    while (!ranked_.empty() && placement_.unplaced(app) > 0) {
      place(ranked_.front().node);
      std::pop_heap(ranked_.begin(), ranked_.end(), later);
      ranked_.pop_back();
    }
    bool stopped = input_.run.clock.step(work);
    while (!stopped && placement_.unplaced(app) > 0 && open()) stopped = input_.run.clock.step(1);
  }
  // Opens a node of the first class that takes the candidate by both measures, and places it there; false where there is none.
  bool open() {
    for (const ClassId c : classes_) {
      if (placement_.headroom_on_empty(candidate_, c, 1) == 0 || !fits_empty(c)) continue;
      const NodeId node = placement_.open(c);
      if (node == kNone) continue;
      if (rule_ == Rule::kNSigma) add_left(node);
      if (!place(node)) return false;
      placement_.repeat(node);
      return true;
    }
    return false;
  }
  [[nodiscard]] bool fits_empty(ClassId c) const {
    if (rule_ == Rule::kUcac) return true;
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      if (sizes_.of(candidate_.app())[h] > left_on_empty(kNone, c, h)) return false;
    }
    return true;
  }

  const PlannerInput& input_;
  const Instance& instance_;
  Rule rule_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<ClassId> classes_;
  FixedSizes sizes_;
  std::uint32_t first_;  // dimensions of the main resource
  std::uint32_t last_;
  std::vector<double> left_;  // per node and dimension, by fixed sizes; for bf-nsigma
  std::vector<Ranked> ranked_;
};

template <class Unit>
class BiLevelRun {
 public:
  explicit BiLevelRun(const PlannerInput& input)
      : input_(input),
        instance_(input.instance),
        placement_(input.instance, input.request, &input.run.clock),
        classes_(class_order(input.instance)) {
    std::vector<double> ratio(instance_.apps());
    const ResourceId r = main_resource(instance_);
    for (AppId i = 0; i < instance_.apps(); ++i) {
      const double mean = instance_.demand_range(i, r).most;
      const double spread = instance_.spread(i, r);
      ratio[i] = spread == 0 ? 0 : mean > 0 ? spread / mean : std::numeric_limits<double>::infinity();
    }
    for (const AppId app : app_order(instance_, ratio)) {
      if (placement_.unplaced(app) > 0) waiting_.push_back(app);
    }
    candidates_.reserve(waiting_.size());
    for (const AppId app : waiting_) {
      candidates_.emplace_back(placement_);
      candidates_.back().start(placement_, app);
      left_ += placement_.unplaced(app);
    }
    placement_.residuals().loosen_maxima();
  }

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    for (const NodeId node : nodes_by_spread()) {
      if (done() || input_.run.clock.step(1 + fill(node))) break;
    }
    for (const ClassId c : classes_) {
      while (!done() && input_.run.clock.stop() == Stop::kNo && any_fits(c)) {
        const NodeId node = placement_.open(c);
        if (node == kNone) break;
        const std::uint64_t work = 1 + fill(node);
        repeat(node);
        if (input_.run.clock.step(work)) break;
      }
    }
    if (placement_.hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    placement_.finish(plan);
    return {};
  }

 private:
  [[nodiscard]] std::vector<NodeId> nodes_by_spread() const {
    std::vector<NodeId> order(placement_.nodes());
    std::iota(order.begin(), order.end(), 0);
    if (!instance_.uncertain()) return order;
    const ResourceId r = instance_.uncertain_resource();
    std::vector<std::pair<std::int64_t, NodeId>> keys;  // in one array, so that comparisons are quick
    keys.reserve(order.size());
    for (const NodeId node : order) keys.emplace_back(-placement_.residuals().risk(node, r), node);
    std::sort(keys.begin(), keys.end());
    for (std::size_t k = 0; k < keys.size(); ++k) order[k] = keys[k].second;
    return order;
  }
  [[nodiscard]] bool done() const { return left_ == 0; }
  [[nodiscard]] bool any_fits(ClassId c) const {
    for (std::size_t k = 0; k < waiting_.size(); ++k) {
      if (placement_.unplaced(waiting_[k]) > 0 && placement_.headroom_on_empty(candidates_[k], c, 1) > 0) return true;
    }
    return false;
  }

  // Returns the work done.
  std::uint64_t fill(NodeId node) {
    for (std::size_t k = 0; k < waiting_.size(); ++k) {
      const std::uint32_t wanted = placement_.unplaced(waiting_[k]);
      if (wanted == 0 || !placement_.residuals().may_fit(candidates_[k].need(), node)) continue;
      const std::uint32_t replicas = placement_.headroom(candidates_[k], node, wanted);
      if (replicas == 0) continue;
      placement_.place(waiting_[k], node, replicas);
      left_ -= replicas;
    }
    return waiting_.size();
  }
  // Repeats the new node until an app runs out.
  void repeat(NodeId node) {
    std::uint64_t replicas = 0;
    for (const Tenant& tenant : placement_.contents().at(node)) replicas += tenant.replicas;
    left_ -= replicas * placement_.repeat(node);
  }

  const PlannerInput& input_;
  const Instance& instance_;
  Placement<Unit> placement_;
  std::vector<ClassId> classes_;
  std::vector<AppId> waiting_;
  std::vector<typename Placement<Unit>::Candidate> candidates_;  // of waiting_
  std::uint64_t left_ = 0;                                       // replicas that are not placed yet
};

PlannerFunction best_fit(Rule rule) {
  return [rule](const PlannerInput& input, Plan& plan) {
    return input.instance.visit_unit([&](auto unit) { return BestFitRun<decltype(unit)>(input, rule).run(plan); });
  };
}
Error bi_level(const PlannerInput& input, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return BiLevelRun<decltype(unit)>(input).run(plan); });
}

constexpr std::array<OptionInfo, 1> kNOption = {
    {{"n", "standard deviations that a replica counts beyond its mean; 0 = the quantile of the instance's confidence", 0, 0,
      100}}};

}  // namespace

std::span<const PlannerInfo> confidence_fit_planners() {
  static const std::vector<PlannerInfo> kPlanners = {
      {.name = "bf-nsigma",
       .summary = "best fit, every replica counts its mean + n standard deviations",
       .source = "P1, section 6 (BF-n sigma)",
       .complexity = "O(K N log N)",
       .honours = kHeadroomFeatures,
       .options = kNOption,
       .function = best_fit(Rule::kNSigma),
       .pursues = {Objective::kNodes, Objective::kUcac}},
      {.name = "bf-ucac",
       .summary = "best fit by used capacity at confidence",
       .source = "P1, section 5.1",
       .complexity = "O(K N log N)",
       .honours = kHeadroomFeatures,
       .function = best_fit(Rule::kUcac),
       .pursues = {Objective::kNodes, Objective::kUcac}},
      {.name = "biheu",
       .summary = "nodes with most spread first, on each the apps with most spread per mean first",
       .source = "P1, section 5.2, algorithm 2",
       .complexity = "O(N log N + K N)",
       .honours = kHeadroomFeatures,
       .function = bi_level,
       .pursues = {Objective::kNodes, Objective::kUcac}},
  };
  return kPlanners;
}

}  // namespace stowage
