// P3's two integer programs (section 3.3.1), solved by the caller's solver.
//
// Phase 1 (Eq. 11-17): most applications on the nodes that exist. Containers of an app are alike, so X_in counts them (Eq. 12
// and 13 become bounds), and the capacity of a node that keeps room for the smallest container is one row with the others (Eq.
// 14, 16 and 17): sum of b_i X_in + r_min Q_n <= F_n. Phase 2 (Eq. 18 and 19): what is left on as few added nodes as possible,
// at most as many as the heuristic adds. The solver starts from the plan of the planner `admit`; the better of the two plans is
// kept, and its bound on phase 1 becomes the plan's.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/planners/admit/admission.h"
#include "core/planners/families.h"
#include "core/solver/mip.h"

namespace stowage {
namespace {

constexpr std::uint64_t kIlpDeadline = 10'000;

constexpr FeatureSet kIlpFeatures = Feature::kPeriods | Feature::kNodeClasses | Feature::kFiniteNodes | Feature::kPrices |
                                    Feature::kExistingLoad | Feature::kRunning | Feature::kPins | Feature::kClosedNodes |
                                    Feature::kSelfLimits | Feature::kEligibility;

constexpr std::array<OptionInfo, 3> kIlpOptions = {
    {{"w1", "weight of admitted applications (P3, Eq. 11)", 1, 0, 1000},
     {"w2", "weight of nodes that keep room for the smallest container (P3, Eq. 11)", 0, 0, 1000},
     {"gap", "stop at this relative gap between the objective and its bound", 0, 0, 1}}};

/// Replicas of an app on a node.
struct IlpSeat {
  AppId app;
  NodeId node;
  std::uint32_t column;
};

template <class Unit>
class TwoPrograms {
 public:
  explicit TwoPrograms(const PlannerInput& input)
      : input_(input),
        instance_(input.instance),
        admission_(input.instance, input.request),
        applications_(whole_applications(input.instance)) {}

  Error run(Plan& plan) {
    Plan start;
    if (Error e = run_within(input_, "admit", start); failed(e)) return e;
    for (AppId app = 0; app < instance_.apps(); ++app) replicas_ += placement().unplaced(app);
    open_counted();
    input_.run.progress.enter(Phase::kImprove);
    if (input_.run.clock.stop() == Stop::kNo) {
      if (Error e = first_phase(start, plan); failed(e)) return e;
    }
    if (input_.run.clock.stop() == Stop::kNo) {
      if (Error e = second_phase(); failed(e)) return e;
    }
    placement().write(plan);
    if (better(instance_, input_.request.judgement(), start, plan)) plan.adopt(std::move(start));
    return {};
  }

 private:
  [[nodiscard]] Placement<Unit>& placement() { return admission_.placement(); }

  // Opens the nodes that exist, as far as replicas can use them.
  void open_counted() {
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      if (instance_.data().classes[c].count == 0) continue;
      for (std::uint64_t k = 0; k < replicas_ && placement().open(c) != kNone; ++k) {
      }
    }
    exist_ = placement().nodes();
  }

  // A column for each waiting app and node that takes some of it; rows that the capacity of the nodes gives.
  // @param used per node from `first` on: a column that says whether the node may hold anything; empty: all may
  Error add_seats(NodeId first, const std::vector<std::uint32_t>& used, double room_weight) {
    const std::uint32_t dims = instance_.dims();
    for (NodeId node = first; node < placement().nodes(); ++node) {
      std::vector<std::vector<Program::Term>> rows(dims);
      for (const WholeApplication& application : applications_) {
        for (const AppId app : application.apps) {
          const std::uint32_t room = admission_.headroom(app, node, placement().unplaced(app));
          if (room == 0) continue;
          const std::uint32_t column = program_.add_column(0, 0, room, true);
          seats_.push_back({app, node, column});
          const auto demand = instance_.template scaled_demand<Unit>(app);
          for (std::uint32_t h = 0; h < dims; ++h) {
            if (demand[h] > 0) rows[h].push_back({column, static_cast<double>(demand[h])});
          }
        }
      }
      if (program_.columns() > instance_.limits().max_cells) {
        return {Code::kLimitExceeded, "the program has more columns than max_cells allows", ""};
      }
      const std::uint32_t kept = room_weight > 0 ? program_.add_column(-room_weight, 0, 1, true) : kNone;
      for (std::uint32_t h = 0; h < dims; ++h) {
        const auto free = static_cast<double>(std::max<Unit>(0, placement().residuals().residual(node, h)));
        if (kept != kNone) rows[h].push_back({kept, least_[h]});
        if (!used.empty()) rows[h].push_back({used[node - first], -free});
        if (!rows[h].empty()) program_.add_row(-kInfinity, used.empty() ? free : 0, rows[h]);
      }
    }
    std::stable_sort(seats_.begin(), seats_.end(), [](const IlpSeat& a, const IlpSeat& b) { return a.app < b.app; });
    return {};
  }

  /// Eq. 15 or 19: so many replicas of the app on all nodes together, `admitted` (a column) times or once.
  void add_count(AppId app, std::uint32_t admitted) {
    std::vector<Program::Term> terms;
    const auto [from, to] = std::equal_range(seats_.begin(), seats_.end(), IlpSeat{app, 0, 0},
                                             [](const IlpSeat& a, const IlpSeat& b) { return a.app < b.app; });
    for (auto seat = from; seat != to; ++seat) terms.push_back({seat->column, 1});
    const double wanted = placement().unplaced(app);
    if (admitted != kNone) terms.push_back({admitted, -wanted});
    program_.add_row(admitted != kNone ? 0 : wanted, admitted != kNone ? 0 : wanted, terms);
  }

  Error first_phase(const Plan& start, Plan& plan) {
    const double w1 = input_.options.number("w1");
    find_least();
    if (Error e = add_seats(0, {}, input_.options.number("w2")); failed(e)) return e;
    std::vector<std::uint32_t> admitted;
    double all = 0;
    for (const WholeApplication& application : applications_) {
      admitted.push_back(program_.add_column(-w1 * application.weight, 0, 1, true));
      all += application.weight;
      for (const AppId app : application.apps) {
        if (placement().unplaced(app) > 0) add_count(app, admitted.back());
      }
    }
    if (input_.request.node_limit > 0) limit_nodes();
    set_start(start, admitted);
    const Answer answer = ask();
    if (answer.status == AnswerStatus::kOptimal || answer.status == AnswerStatus::kFeasible) place(answer);
    // Without room in the objective, the solver's bound is one on what is admitted.
    if (input_.options.number("w2") == 0 && w1 > 0 && answer.bound > -kInfinity && endless_class() == kNone) {
      const double left_out = all + answer.bound / w1;
      const double slack = kSolverTolerance * std::max(1.0, all);
      if (left_out - slack > input_.bounds.admission().left_out) {
        plan.bounds[Objective::kAdmitted] = Bound{"integer-program", rounded_up(left_out - slack)};
      }
    }
    return {};
  }

  // Rounded up where all weights are whole.
  [[nodiscard]] double rounded_up(double left_out) const {
    const bool all = std::all_of(applications_.begin(), applications_.end(),
                                 [](const WholeApplication& a) { return a.weight == std::floor(a.weight); });
    return std::max(0.0, all ? std::ceil(left_out) : left_out);
  }

  // At most as many nodes in use as the request allows.
  void limit_nodes() {
    std::vector<Program::Term> used;
    std::vector<std::uint32_t> column_of(placement().nodes(), kNone);
    for (const IlpSeat& seat : seats_) {
      if (placement().used(seat.node)) continue;
      std::uint32_t& column = column_of[seat.node];
      if (column == kNone) {
        column = program_.add_column(0, 0, 1, true);
        used.push_back({column, 1});
      }
      const Program::Term terms[] = {{seat.column, 1}, {column, -static_cast<double>(placement().unplaced(seat.app))}};
      program_.add_row(-kInfinity, 0, terms);
    }
    if (!used.empty()) program_.add_row(-kInfinity, placement().may_still_use(), used);
  }

  void find_least() {
    least_.assign(instance_.dims(), 0);
    for (const WholeApplication& application : applications_) {
      for (const AppId app : application.apps) {
        const auto demand = instance_.template scaled_demand<Unit>(app);
        for (std::uint32_t h = 0; h < least_.size(); ++h) {
          if (demand[h] > 0 && (least_[h] == 0 || demand[h] < least_[h])) least_[h] = demand[h];
        }
      }
    }
  }

  // What the first plan admits on nodes that exist, as the solver's start. Anonymous nodes of a class stand in order.
  void set_start(const Plan& start, const std::vector<std::uint32_t>& admitted) {
    program_.start.assign(program_.columns(), 0);
    std::vector<NodeId> next(instance_.classes(), instance_.listed_nodes());
    std::vector<NodeId> node_of;
    for (const PlannedNode& node : start.nodes) {
      NodeId& at = next[node.node_class];
      while (node.listed == kNone && at < exist_ && placement().class_of(at) != node.node_class) ++at;
      node_of.push_back(node.listed != kNone ? node.listed : at < exist_ ? at++ : kNone);
    }
    std::vector<std::uint32_t> left(instance_.apps());
    for (AppId app = 0; app < instance_.apps(); ++app) left[app] = placement().unplaced(app);
    for (const Placed& placed : start.placed) {
      const NodeId node = node_of[placed.node];
      if (node == kNone) continue;
      const std::uint32_t before = placement().contents().count(placed.app, node);
      if (placed.replicas <= before) continue;
      const auto at =
          std::lower_bound(seats_.begin(), seats_.end(), IlpSeat{placed.app, node, 0},
                           [](const IlpSeat& a, const IlpSeat& b) { return a.app != b.app ? a.app < b.app : a.node < b.node; });
      if (at != seats_.end() && at->app == placed.app && at->node == node) {
        program_.start[at->column] = placed.replicas - before;
      }
      left[placed.app] -= std::min(left[placed.app], placed.replicas - before);
    }
    std::vector<std::uint8_t> whole(instance_.apps(), 0);
    for (std::size_t a = 0; a < applications_.size(); ++a) {
      const auto& apps = applications_[a].apps;
      if (!std::all_of(apps.begin(), apps.end(), [&](AppId app) { return left[app] == 0; })) continue;
      program_.start[admitted[a]] = 1;
      for (const AppId app : apps) whole[app] = 1;
    }
    for (const IlpSeat& seat : seats_) {
      if (whole[seat.app] == 0) program_.start[seat.column] = 0;
    }
  }

  // The first class without a count; kNone: nodes cannot be added.
  [[nodiscard]] ClassId endless_class() const {
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      if (instance_.data().classes[c].count == 0 && input_.request.node_limit == 0) return c;
    }
    return kNone;
  }

  // Eq. 18 and 19 for what is left, on as many added nodes as applications by falling size and cosine need.
  Error second_phase() {
    if (endless_class() == kNone) return {};
    std::vector<std::pair<AppId, NodeId>> placed;
    const NodeId first = placement().nodes();
    for (const WholeApplication& application : applications_) {
      if (input_.run.clock.stop() != Stop::kNo) break;
      if (!admission_.admit(application, Fitness::kCosine, Opening::kAny, input_.run.clock)) continue;
      placed.insert(placed.end(), admission_.last().begin(), admission_.last().end());
    }
    const NodeId added = placement().nodes() - first;
    if (added < 2 || input_.run.clock.stop() != Stop::kNo) return {};
    for (const auto& [app, node] : placed) {
      // Of the applications that found no room on nodes that exist, all are taken off again.
      admission_.remove(app, node);
    }
    program_ = Program();
    seats_.clear();
    std::vector<std::uint32_t> used;
    for (NodeId m = 0; m < added; ++m) used.push_back(program_.add_column(1, 0, 1, true));
    if (Error e = add_seats(first, used, 0); failed(e)) return e;
    for (NodeId m = 1; m < added; ++m) {
      // Of equal nodes, the first ones.
      const Program::Term order[] = {{used[m - 1], 1}, {used[m], -1}};
      if (placement().class_of(first + m) == placement().class_of(first + m - 1)) program_.add_row(0, kInfinity, order);
    }
    std::vector<std::uint32_t> left(instance_.apps(), 0);
    for (const auto& [app, node] : placed) ++left[app];
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (left[app] > 0) add_count(app, kNone);
    }
    const Answer answer = ask();
    const bool found = answer.status == AnswerStatus::kOptimal || answer.status == AnswerStatus::kFeasible;
    if (found && place(answer)) return {};
    for (const auto& [app, node] : placed) admission_.place(app, node);
    return {};
  }

  Answer ask() {
    SolverLimits limits;
    limits.gap = input_.options.number("gap");
    limits.seed = input_.request.seed;
    limits.threads = input_.request.threads;
    const std::optional<double> seconds = input_.run.clock.seconds_left();
    if (seconds) limits.seconds = std::max(*seconds, 1e-3);
    const std::optional<std::uint64_t> nodes = input_.run.clock.work_left();
    if (nodes) limits.nodes = std::max<std::uint64_t>(*nodes, 1);
    Answer answer = check_answer(program_, input_.run.control->solver->solve(program_, limits, input_.run.control));
    input_.run.clock.step(std::min<std::uint64_t>(answer.nodes, nodes.value_or(answer.nodes)));
    input_.run.clock.look();
    return answer;
  }

  // Places what the answer says, or nothing where some of it does not fit.
  bool place(const Answer& answer) {
    std::vector<std::pair<AppId, NodeId>> placed;
    for (const IlpSeat& seat : seats_) {
      const auto replicas = static_cast<std::uint32_t>(answer.values[seat.column]);
      if (replicas == 0) continue;
      if (admission_.headroom(seat.app, seat.node, replicas) < replicas || replicas > placement().unplaced(seat.app)) {
        for (const auto& [app, node] : placed) admission_.remove(app, node);
        return false;
      }
      for (std::uint32_t r = 0; r < replicas; ++r) {
        admission_.place(seat.app, seat.node);
        placed.emplace_back(seat.app, seat.node);
      }
    }
    return true;
  }

  const PlannerInput& input_;
  const Instance& instance_;
  Admission<Unit> admission_;
  std::vector<WholeApplication> applications_;
  Program program_;
  std::vector<IlpSeat> seats_;  // by app
  std::vector<double> least_;   // per dimension: the smallest demand above 0
  NodeId exist_ = 0;            // nodes that are not added
  std::uint64_t replicas_ = 0;
};

Error lrasched_ilp(const PlannerInput& input, Plan& plan) {
  // Without solvers, run_planner refuses the request before this call.
  if constexpr (kSolversCanBeSet) {
    return input.instance.visit_unit([&](auto unit) { return TwoPrograms<decltype(unit)>(input).run(plan); });
  }
  return {Code::kInternal, "a planner that needs a solver was run without one", ""};
}

}  // namespace

std::span<const PlannerInfo> lrasched_ilp_planners() {
  static const PlannerInfo kPlanner = {
      .name = "lrasched-ilp",
      .summary = "the integer programs of most applications, then of fewest added nodes; needs a solver",
      .source = "P3, section 3.3.1, Eq. 11-19",
      .complexity = "that of the solver, on O(L N) columns",
      .honours = kIlpFeatures,
      .options = kIlpOptions,
      .function = lrasched_ilp,
      .pursues = {Objective::kAdmitted},
      .default_deadline_ms = kIlpDeadline,
      .needs_solver = true,
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
