// From cheap bounds to dear ones. Whether a cost can be kept is decided for single costs; a cost that cannot is a bound.

#include "core/colocation/bounds/worst_bound.h"

#include <algorithm>
#include <cmath>

#include "core/colocation/bounds/leads.h"
#include "core/colocation/bounds/support_tree.h"
#include "core/colocation/fluid_bound.h"
#include "core/colocation/scaled_kinds.h"

namespace stowage {
namespace {

// A ratio above proves that the room does not suffice, in spite of rounding errors.
constexpr double kExceeds = 1 + 1e-9;

class WorstBounding {
 public:
  WorstBounding(const ColocationProblem& problem, WorkClock& clock, double upper, std::uint64_t work)
      : problem_(problem),
        clock_(clock),
        end_(clock.work() + std::min(work, WorkClock::kEndless - clock.work())),
        top_(upper * (1 - 1e-12)),
        total_(exact_total_load(problem)),
        unit_(unit_of(problem, total_)),
        kinds_(scaled_kinds(problem, total_, std::vector<double>(problem.kinds, unit_))),
        leads_(problem, kinds_, unit_, clock) {}

  WorstBound run() {
    raise(largest_replica_bound(problem_), "largest-replica");
    raise(fluid_bound(problem_, total_).value, "fluid");
    if (kinds_.groups == 0 || done()) return result_;
    supports();
    // Each round allows more programs for each cost, and looks closer.
    attained_ = top_;
    for (const auto& [budget, close] : {Round{2'000, 1e-4}, Round{30'000, 1e-5}, Round{500'000, 1e-6}}) {
      if (done()) break;
      leads(budget, close);
    }
    return result_;
  }

 private:
  struct Round {
    std::uint64_t budget;  // for each cost
    double close;          // relative difference of costs that is not looked into
  };

  static double unit_of(const ColocationProblem& problem, const std::vector<double>& total) {
    double unit = 0;
    for (std::uint32_t t = 0; t < problem.kinds; ++t) unit = std::max(unit, total[t] * problem.suffers(t, t));
    return unit > 0 && std::isfinite(unit) ? unit / problem.nodes : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] bool done() const { return result_.value >= top_ || clock_.stop() != Stop::kNo || clock_.work() >= end_; }

  [[nodiscard]] std::uint64_t left(std::uint64_t budget) const {
    return clock_.work() < end_ ? std::min(budget, end_ - clock_.work()) : 0;
  }

  void raise(double value, std::string_view name) {
    if (value <= result_.value) return;
    result_.value = value;
    result_.name = name;
  }

  void supports() {
    std::vector<RoomClass> all = {{problem_.nodes, 0, std::vector<double>(kinds_.groups, 1)}};
    SupportTree tree(kinds_, std::move(all), kinds_.load);
    tree.minimize(clock_, top_ / unit_, left(500'000));
    raise(std::min(top_, tree.ratio() * unit_), "supports");
    set_targets(tree, {});
  }

  // Looks for the greatest cost that cannot be kept: away from the bound in growing steps, then by halves.
  void leads(std::uint64_t budget, double close) {
    if (std::isfinite(top_) && refuted(top_, budget)) return;
    double most = attained_;
    for (double step = 1e-4; !done() && result_.value * (1 + step) < most; step *= 2) {
      const double cost = result_.value * (1 + step);
      if (!refuted(cost, budget)) most = cost;
    }
    while (!done() && most > result_.value * (1 + close)) {
      const double cost = result_.value + (most - result_.value) / 2;
      if (!refuted(cost, budget)) most = cost;
    }
  }

  // Whether no plan costs at most `cost`; if so, it is the bound.
  bool refuted(double cost, std::uint64_t budget) {
    std::vector<std::uint32_t> before;
    for (std::uint32_t t = 0; t < problem_.kinds; ++t) {
      if (clock_.stop() != Stop::kNo) return false;
      const Leads::Rest rest = leads_.choose(cost, t);
      const bool ends = clock_.step(1 + problem_.kinds);
      if (rest.leads > problem_.nodes) {
        raise(cost, "leads");
        return true;
      }
      if (ends) return false;
      if (std::find(before.begin(), before.end(), rest.leads) != before.end()) continue;
      before.push_back(rest.leads);
      SupportTree tree(kinds_, rest.classes, rest.load);
      tree.decide(clock_, kExceeds, left(budget));
      if (tree.ratio() > kExceeds) {
        raise(cost, rest.leads > 0 ? "leads" : "supports");
        return true;
      }
      if (tree.uses_ratio() > kExceeds) continue;
      attained_ = std::min(attained_, cost);
      set_targets(tree, rest);
    }
    return false;
  }

  void set_targets(const SupportTree& tree, const Leads::Rest& rest) {
    if (tree.uses().empty()) return;
    result_.targets.clear();
    for (const SupportTree::Use& use : tree.uses()) {
      NodeTarget target{use.count, std::vector<double>(problem_.kinds, 0)};
      GroupVector load = use.load;
      if (!rest.classes.empty() && rest.classes[use.node_class].must != 0) {
        for (std::uint32_t g = 0; g < kinds_.groups; ++g) {
          if ((rest.classes[use.node_class].must >> g & 1u) != 0) {
            load[g] += rest.lead_load[use.node_class] * use.count / rest.classes[use.node_class].count;
          }
        }
      }
      // A group's load is its kinds' in proportion.
      for (std::uint32_t t = 0; t < problem_.kinds; ++t) {
        if (kinds_.group[t] == ScaledKinds::kNoGroup) continue;
        target.load[t] = load[kinds_.group[t]] / kinds_.load[kinds_.group[t]] * total_[t];
      }
      result_.targets.push_back(std::move(target));
    }
  }

  const ColocationProblem& problem_;
  WorkClock& clock_;
  std::uint64_t end_;          // the work at which it ends
  double top_;                 // reaching it proves the known plan best
  std::vector<double> total_;  // load of each kind
  double unit_;
  ScaledKinds kinds_;
  Leads leads_;
  double attained_ = 0;  // least cost that cannot be refuted
  WorstBound result_;
};

}  // namespace

WorstBound worst_cost_bound(const ColocationProblem& problem, WorkClock& clock, double upper, std::uint64_t work) {
  return WorstBounding(problem, clock, upper, work).run();
}

}  // namespace stowage
