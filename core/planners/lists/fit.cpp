// The application-centric family (P0, section 4.2, algorithm 1): take the apps one by one; put as many replicas as possible on
// a feasible node chosen by the rule; open a node only when no open one can take a replica.
//
// With soft placement rules, each replica goes where it adds least to their violations (P2, Eq. 8). The rule chooses among
// nodes of equal cost. A new node is opened if it costs less than every open one.
//
// O(L N d) in the worst case; in practice the filter over residual columns leaves a few nodes per app. With soft rules O(R N).

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/measures/order.h"
#include "core/measures/residual.h"
#include "core/measures/size.h"
#include "core/placement/placement.h"
#include "core/planners/lists/app_by_app.h"
#include "core/planners/rules/tag_greedy.h"
#include "core/run/asked_nodes.h"

namespace stowage {
namespace {

enum class FitRule : std::uint8_t { kFirst, kBest, kWorst };
enum class FitOrder : std::uint8_t { kGiven, kDecreasing, kDegree };

struct FitVariant {
  FitRule rule;
  FitOrder order;
  Measure measure;
};

std::vector<double> order_measure(const PlannerInput& input, const FitVariant& variant) {
  const Instance& instance = input.instance;
  switch (variant.order) {
    case FitOrder::kGiven:
      return {};
    case FitOrder::kDegree: {
      std::vector<double> degree(instance.apps());
      for (AppId i = 0; i < instance.apps(); ++i) degree[i] = instance.limit_rows().degree(i);
      return degree;
    }
    case FitOrder::kDecreasing:
      break;
  }
  std::vector<double> size = sizes(instance, variant.measure, input.options.number("epsilon"));
  const double alpha = input.options.number("alpha");
  return alpha < 1 ? hybrid_sizes(instance, std::move(size), alpha) : size;
}

template <class Unit>
class FitRun {
 public:
  FitRun(const PlannerInput& input, const FitVariant& variant)
      : input_(input),
        rule_(variant.rule),
        placement_(input.instance, input.request, &input.run.clock),
        candidate_(placement_),
        classes_(class_order(input.instance)),
        measure_(input.instance, variant.measure, rule_ == FitRule::kFirst ? 0 : input.options.number("epsilon")),
        by_copies_(rule_ == FitRule::kFirst && input.instance.total_replicas() >= kReplicasByCopies) {
    if (rule_ != FitRule::kFirst && measure_.needs_totals()) placement_.residuals().track_totals();
  }

  void take(AppId app) {
    candidate_.start(placement_, app);
    bool stopped = false;
    if (rule_ == FitRule::kFirst) {
      stopped = fill_first(app);
    } else {
      stopped = fill_ranked(app);
    }
    LooksBetween looks(input_.run.clock);
    while (!stopped && placement_.unplaced(app) > 0) {
      const NodeId node = placement_.open_for(candidate_, classes_);
      if (node == kNone) break;
      place(app, node);
      looks.count(placement_.steps_to_ask(app));
      stopped = input_.run.clock.step(1);
      while (by_copies_ && !stopped && placement_.repeat(node, kCopiesAtOnce) > 0) stopped = input_.run.clock.step(1);
    }
  }

  Placement<Unit>& placement() { return placement_; }

 private:
  /// So many copies of a node are added at a time.
  static constexpr std::uint64_t kCopiesAtOnce = 65'536;

  struct Ranked {
    double key;
    NodeId node;
  };
  static bool better(const Ranked& a, const Ranked& b) { return a.key != b.key ? a.key < b.key : a.node < b.node; }

  void place(AppId app, NodeId node) {
    const std::uint32_t replicas = placement_.headroom(candidate_, node, placement_.unplaced(app));
    if (replicas == 0) return;
    if (placement_.copies(node) > 1) return placement_.place_on_copies(app, node, replicas);
    placement_.place(app, node, replicas);
    if (node < key_.size()) key_[node] = key(node);
  }

  // Sort key of a node: the smaller, the better.
  [[nodiscard]] double key(NodeId node) const {
    const double left = measure_(placement_.residuals(), node);
    return rule_ == FitRule::kBest ? left : -left;
  }

  bool fill_first(AppId app) {
    AskedNodes asked(input_.run.clock);
    bool stopped = asked.count(1, 0);
    placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
      stopped = asked.count(1, placement_.steps_to_ask(app));
      place(app, node);
      return !stopped && placement_.unplaced(app) > 0;
    });
    return stopped || input_.run.clock.step(asked.left());
  }

  // A node that took as many replicas as possible has no headroom left for this app, so one ranking serves all its replicas.
  // Most apps need few nodes: passes over the ranking pick them, at one comparison for most other nodes.
  bool fill_ranked(AppId app) {
    ranked_.clear();
    if (measure_.needs_totals()) {
      measure_.refresh(placement_.residuals().totals(), placement_.nodes());
      placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
        ranked_.push_back({key(node), node});
        return true;
      });
    } else {
      while (key_.size() < placement_.nodes()) key_.push_back(key(static_cast<NodeId>(key_.size())));
      placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId node) {
        ranked_.push_back({key_[node], node});
        return true;
      });
    }
    Ranked last{};
    std::size_t count = 8;
    std::uint64_t left = ranked_.size() + 1;  // work that is not yet counted
    for (std::size_t seen = 0; seen < ranked_.size() && placement_.unplaced(app) > 0; seen += picked_.size(), count *= 8) {
      pick(count, seen > 0 ? &last : nullptr);
      last = picked_.back();
      AskedNodes asked(input_.run.clock);
      for (std::size_t k = 0; k < picked_.size() && placement_.unplaced(app) > 0; ++k) {
        const std::uint64_t before = asked.left() + 1;
        if (asked.count(1, placement_.steps_to_ask(app))) return true;
        if (asked.left() == 0) left -= before;
        place(app, picked_[k].node);
      }
    }
    return input_.run.clock.step(left);
  }

  // Picks the best `count` nodes after `last`, best first; ties go to the lowest index. While picking, the heap's front is the
  // worst picked node.
  void pick(std::size_t count, const Ranked* last) {
    picked_.clear();
    for (const Ranked& ranked : ranked_) {
      const bool full = picked_.size() == count;
      if (full && !better(ranked, picked_.front())) continue;
      if (last != nullptr && !better(*last, ranked)) continue;
      if (full) {
        std::pop_heap(picked_.begin(), picked_.end(), better);
        picked_.pop_back();
      }
      picked_.push_back(ranked);
      std::push_heap(picked_.begin(), picked_.end(), better);
    }
    std::sort_heap(picked_.begin(), picked_.end(), better);
  }

  const PlannerInput& input_;
  FitRule rule_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<ClassId> classes_;
  ResidualMeasure measure_;
  bool by_copies_;
  std::vector<double> key_;  // per node, for measures that depend on the node alone
  std::vector<Ranked> ranked_;
  std::vector<Ranked> picked_;
};

template <class Unit>
Error fit(const PlannerInput& input, const FitVariant& variant, Plan& plan) {
  const std::vector<AppId> order = app_order(input.instance, order_measure(input, variant));
  FitRun<Unit> run(input, variant);
  return place_app_by_app(input, order, run, plan);
}

Error fit_any(const PlannerInput& input, const FitVariant& variant, Plan& plan) {
  if (input.instance.tag_model().has_soft()) {
    const bool first = variant.rule == FitRule::kFirst;
    ResidualMeasure measure(input.instance, variant.measure, first ? 0 : input.options.number("epsilon"));
    return tag_fit(input, plan, app_order(input.instance, order_measure(input, variant)),
                   {first ? nullptr : &measure, variant.rule == FitRule::kBest ? -1.0 : 1.0});
  }
  return input.instance.visit_unit([&](auto unit) { return fit<decltype(unit)>(input, variant, plan); });
}

Error medea_tp(const PlannerInput& input, Plan& plan) {
  constexpr FitVariant kByDegree = {FitRule::kFirst, FitOrder::kDegree, Measure::kAverage};
  return input.instance.tag_model().empty() ? fit_any(input, kByDegree, plan) : tag_popularity(input, plan);
}

constexpr std::array<OptionInfo, 2> kOrderOptions = {kAlphaOption, kEpsilonOption};
constexpr std::array<OptionInfo, 1> kNodeOptions = {kEpsilonOption};

std::string measure_text(Measure measure) {
  switch (measure) {
    case Measure::kAverage:
      return "average share";
    case Measure::kMax:
      return "largest share";
    case Measure::kAverageExponential:
      return "exponentially weighted share";
    case Measure::kSurrogate:
      return "surrogate share";
    case Measure::kExtendedSum:
      return "extended sum";
  }
  return "";
}

std::vector<PlannerInfo> make_fit_planners() {
  std::vector<PlannerInfo> all;
  const auto add = [&](std::string name, std::string summary, std::string source, std::string complexity,
                       std::span<const OptionInfo> options, PlannerFunction function) {
    all.push_back({.name = std::move(name),
                   .summary = std::move(summary),
                   .source = std::move(source),
                   .complexity = std::move(complexity),
                   .honours = kHeadroomFeatures,
                   .options = options,
                   .function = std::move(function),
                   .pursues = {Objective::kNodes, Objective::kSoftRules}});
  };
  const auto plan_by = [](FitVariant variant) {
    return [variant](const PlannerInput& input, Plan& plan) { return fit_any(input, variant, plan); };
  };
  add("ff", "first fit: apps in given order, first node that fits", "P0, section 4.2 (1a)", "O(L N d)", {},
      plan_by({FitRule::kFirst, FitOrder::kGiven, Measure::kAverage}));
  const auto ranked = [&](FitRule rule, const char* prefix, const char* words) {
    const auto member = [&](std::string name, Measure m) {
      add(std::move(name),
          std::string(words) + ": apps in given order, feasible node with the " +
              (rule == FitRule::kBest ? "smallest " : "largest ") + "residual by " + measure_text(m),
          rule == FitRule::kBest ? "P0, section 4.2 (1b), table 2" : "P0, section 4.2 (1c), table 2", "O(L N (d + log N))",
          kNodeOptions, plan_by({rule, FitOrder::kGiven, m}));
    };
    member(prefix, Measure::kAverage);
    for (const Measure m : kMeasures) member(std::string(prefix) + "-" + std::string(measure_name(m)), m);
  };
  ranked(FitRule::kBest, "bf", "best fit");
  ranked(FitRule::kWorst, "wf", "worst fit");
  const auto decreasing = [&](FitRule rule, const char* prefix, const char* words, const char* source) {
    const auto member = [&](std::string name, Measure m) {
      add(std::move(name),
          std::string(words) + " decreasing: apps by " + measure_text(m) +
              (rule == FitRule::kFirst ? "" : ", nodes by the same measure of their residuals"),
          source, rule == FitRule::kFirst ? "O(L (log L + N d))" : "O(L (log L + N (d + log N)))", kOrderOptions,
          plan_by({rule, FitOrder::kDecreasing, m}));
    };
    member(prefix, Measure::kAverage);
    for (const Measure m : kMeasures) member(std::string(prefix) + "-" + std::string(measure_name(m)), m);
  };
  decreasing(FitRule::kFirst, "ffd", "first fit", "P0, section 4.2 (2a), table 1, Eq. 3");
  decreasing(FitRule::kBest, "bfd", "best fit", "P0, section 4.2 (2b), tables 1 and 2, Eq. 3");
  decreasing(FitRule::kWorst, "wfd", "worst fit", "P0, section 4.2 (2c), tables 1 and 2, Eq. 3");
  add("medea-tp",
      "first fit, apps with most neighbours in the affinity graph first; with rules: nodes with the least violation, "
      "apps whose tags are in most rules first",
      "P2, section 5.3 (tag popularity); P0, section 5.1", "O(L (log L + N d)), with rules O(R N)", {}, medea_tp);
  return all;
}

}  // namespace

std::span<const PlannerInfo> fit_planners() {
  static const std::vector<PlannerInfo> kPlanners = make_fit_planners();
  return kPlanners;
}

}  // namespace stowage
