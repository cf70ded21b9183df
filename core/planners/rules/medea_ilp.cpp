// Places waiting applications by P2's integer program (section 5.2). tag-search makes a first plan, medea_program.h makes the
// program, the caller's solver starts from the first plan, and the better of the two plans is kept. The solver's answer is
// rounded, scored by the program, and kept only where all of its replicas fit. Running and pinned replicas stay.
//
// Nodes in the same state are interchangeable. The number of nodes of each state in the program is at most the number of
// waiting replicas: when 20 replicas wait, 1,000 equal nodes make the program no larger than 20.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/placement/placement.h"
#include "core/planners/ask_solver.h"
#include "core/planners/rules/medea_program.h"
#include "core/solver/mip.h"

namespace stowage {
namespace {

constexpr std::uint64_t kMedeaDeadline = 10'000;  // P2's scheduling interval

/// All features but priorities and uncertainty, which the program cannot express.
constexpr FeatureSet kMedeaFeatures = (kDeterministicFeatures & ~static_cast<FeatureSet>(Feature::kPriorities)) |
                                      Feature::kPlacementRules | Feature::kEligibility;

template <class Unit>
class MedeaIlpRun {
 public:
  explicit MedeaIlpRun(const PlannerInput& input)
      : input_(input),
        instance_(input.instance),
        placement_(input.instance, input.request, &input.run.clock),
        candidate_(placement_) {}

  Error run(Plan& plan) {
    Plan first;
    Request stay = input_.request;
    stay.move_budget = 0;
    if (Error e = run_within(input_, "tag-search", stay, first); failed(e)) return e;
    input_.run.clock.look();
    if (input_.run.clock.stop() != Stop::kNo) {
      plan.adopt(std::move(first));
      return {};
    }
    input_.run.progress.enter(Phase::kImprove);
    find_waiting();
    open_nodes();
    const std::vector<MedeaSeat> seats = choose_sites(first);
    MedeaProgram program(setting());
    if (Error e = program.build(); failed(e)) return e;
    program.set_start(program.values_of(seats));
    const Answer answer = ask_solver(input_, program.program());
    double best = cost_of(program, seats);
    bool improved = false;
    const auto status = answer.status;
    if (status == AnswerStatus::kOptimal || status == AnswerStatus::kFeasible) {
      const std::vector<MedeaSeat> found = program.seats_of(answer.values);
      const double cost = cost_of(program, found);
      if (cost < best && place(found)) {
        best = cost;
        improved = true;
        placement_.write(plan);
      }
    }
    if (!improved) plan.adopt(std::move(first));
    plan.has_score = true;
    plan.score = program.score(best);
    // A bound of the solver that a plan undercuts is wrong, and not used.
    const double slack = kSolverTolerance * std::max(1.0, std::fabs(best));
    double bound = program.least_cost();
    if (answer.bound <= best + slack) bound = std::max(bound, answer.bound);
    if (bound > -kInfinity) {
      plan.score_bound = program.score(std::min(bound, best));
      plan.score_gap = (plan.score_bound - plan.score) / std::max(std::fabs(plan.score), kSolverTolerance);
    }
    return {};
  }

 private:
  void find_waiting() {
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (placement_.unplaced(app) == 0) continue;
      apps_.push_back(app);
      waiting_.push_back(placement_.unplaced(app));
    }
    all_waiting_ = std::accumulate(waiting_.begin(), waiting_.end(), std::uint64_t{0});
  }

  // Opens as many nodes of each class as replicas wait: more cannot be used.
  void open_nodes() {
    opened_.resize(instance_.classes());
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      while (opened_[c].size() < all_waiting_) {
        const NodeId node = placement_.open(c);
        if (node == kNone) break;
        opened_[c].push_back(node);
      }
    }
  }

  /// The state of a node as far as it matters to waiting replicas. Nodes with equal states are interchangeable.
  std::vector<std::int64_t> state_of(NodeId node) const {
    const TagModel& model = instance_.tag_model();
    const TagView view = placement_.tag_view();
    const TagSite at = view.site(node);
    std::vector<std::int64_t> state = {at.node_class, placement_.used(node) ? 1 : 0,
                                       instance_.eligibility().kind(at.listed, at.node_class)};
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) state.push_back(placement_.residuals().residual(node, h));
    for (std::uint32_t group = 0; group < model.groups(); ++group) {
      const auto sets = model.sets_of(group, at.listed, at.node_class);
      state.push_back(static_cast<std::int64_t>(sets.size()));
      state.insert(state.end(), sets.begin(), sets.end());
    }
    const auto tenants = view.tenants(node);
    for (const std::uint32_t p : node_parts_) {
      std::int64_t in = 0;
      std::int64_t out = 0;
      for (const Tenant& tenant : tenants) {
        if (model.is_subject(tenant.app, p)) (model.is_target(tenant.app, p) ? in : out) += tenant.replicas;
      }
      state.insert(state.end(), {placement_.tags().count_on(p, at, tenants), in, out});
    }
    if (by_tenants_) {
      std::vector<std::pair<AppId, std::uint32_t>> sorted;
      for (const Tenant& tenant : tenants) sorted.emplace_back(tenant.app, tenant.replicas);
      std::sort(sorted.begin(), sorted.end());
      for (const auto& [app, replicas] : sorted) state.insert(state.end(), {app, replicas});
    }
    return state;
  }

  void find_node_parts() {
    const TagModel& model = instance_.tag_model();
    for (const AppId app : apps_) {
      for (const auto& roles : {model.subject_of(app), model.target_of(app)}) {
        for (const TagModel::Role& role : roles) {
          if (model.part(role.part).group == kNone) node_parts_.push_back(role.part);
        }
      }
    }
    std::sort(node_parts_.begin(), node_parts_.end());
    node_parts_.erase(std::unique(node_parts_.begin(), node_parts_.end()), node_parts_.end());
    by_tenants_ =
        instance_.limit_rows().arc_count() > 0 || instance_.limit_rows().self_limit_count() > 0 || !model.choices().empty();
  }

  /// Chooses the nodes of the program (the sites). Returns the waiting replicas of the first plan as seats on them.
  std::vector<MedeaSeat> choose_sites(const Plan& first) {
    find_node_parts();
    std::vector<NodeId> node_of;  // of the first plan's nodes
    std::vector<std::size_t> taken(instance_.classes(), 0);
    for (const PlannedNode& node : first.nodes) {
      node_of.push_back(node.listed != kNone ? node.listed : opened_[node.node_class][taken[node.node_class]++]);
    }
    std::map<std::pair<NodeId, AppId>, std::uint32_t> arrivals;
    std::vector<std::uint8_t> wanted(placement_.nodes(), 0);
    for (const Placed& placed : first.placed) {
      const NodeId node = node_of[placed.node];
      const std::uint32_t before = placement_.contents().count(placed.app, node);
      if (placed.replicas <= before) continue;
      arrivals[{node, placed.app}] = placed.replicas - before;
      wanted[node] = 1;
    }
    const bool all = input_.options.number("as-printed") != 0;
    std::map<std::vector<std::int64_t>, std::uint64_t> kinds;
    std::map<NodeId, std::uint32_t> site_of;
    const auto& closed = instance_.data().closed;
    for (const bool first_round : {true, false}) {
      for (NodeId node = 0; node < placement_.nodes(); ++node) {
        if ((wanted[node] != 0) != first_round || (node < closed.size() && closed[node] != 0)) continue;
        const ClassId c = placement_.class_of(node);
        const bool exists = instance_.data().classes[c].count > 0;
        MedeaSite site = {placement_.tag_view().site(node), {}, exists, placement_.used(node), {}};
        for (std::uint32_t h = 0; h < instance_.dims(); ++h) site.left.push_back(placement_.residuals().residual(node, h));
        if (exists) ++nodes_;
        if ((!all && ++kinds[state_of(node)] > all_waiting_) || !takes_any(site)) {
          if (exists && keeps(site)) ++other_kept_;
          continue;
        }
        site_of[node] = static_cast<std::uint32_t>(sites_.size());
        sites_.push_back(std::move(site));
      }
    }
    // Nodes of finite classes beyond those that waiting replicas can use: they exist and keep their room.
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      const std::uint64_t listed =
          static_cast<std::uint64_t>(std::count(instance_.data().node_class.begin(), instance_.data().node_class.end(), c));
      const std::uint64_t known = listed + opened_[c].size();
      const std::uint64_t count = instance_.data().classes[c].count;
      if (count <= known) continue;
      nodes_ += static_cast<double>(count - known);
      other_kept_ += static_cast<double>(count - known);
    }
    std::vector<MedeaSeat> seats;
    for (std::uint32_t k = 0; k < apps_.size(); ++k) {
      for (const auto& [node, site] : site_of) {
        const auto at = arrivals.find({node, apps_[k]});
        if (at != arrivals.end()) seats.push_back({k, site, at->second});
      }
    }
    return seats;
  }

  bool takes_any(MedeaSite& site) {
    bool any = false;
    const auto tenants = placement_.contents().at(site.at.node);
    for (std::uint32_t k = 0; k < apps_.size(); ++k) {
      candidate_.start(placement_, apps_[k]);
      std::uint32_t room = std::min(waiting_[k], affinity_headroom(instance_.limit_rows(), apps_[k], tenants));
      if (room > 0) room = placement_.residuals().copies(candidate_.need(), site.at.node, room);
      if (!placement_.may_use(site.at.node) || !placement_.admits(apps_[k], site.at.node)) room = 0;
      site.room.push_back(room);
      any = any || room > 0;
    }
    return any;
  }
  bool keeps(const MedeaSite& site) {
    if (least_.empty()) {
      least_.assign(instance_.dims(), 0);
      for (AppId app = 0; app < instance_.apps(); ++app) {
        const auto demand = instance_.scaled_demand<Unit>(app);
        for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
          if (demand[h] > 0 && (least_[h] == 0 || demand[h] < least_[h])) least_[h] = demand[h];
        }
      }
    }
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      if (site.left[h] < least_[h]) return false;
    }
    return true;
  }

  MedeaSetting setting() {
    MedeaSetting to = {instance_, placement_.tags(), placement_.tag_view(), apps_, waiting_, std::move(sites_)};
    to.nodes = nodes_;
    to.other_kept = other_kept_;
    to.placed_weight = input_.options.number("w1");
    to.violation_weight = input_.options.number("w2");
    to.fragmentation_weight = input_.options.number("w3");
    to.as_printed = input_.options.number("as-printed") != 0;
    to.all_or_nothing = input_.request.all_or_nothing;
    for (const MedeaSite& site : to.sites) nodes_of_sites_.push_back(site.at.node);
    if (input_.request.node_limit > 0) {
      const std::uint32_t used = placement_.nodes_in_use();
      to.more_nodes = input_.request.node_limit > used ? input_.request.node_limit - used : 0;
    }
    return to;
  }

  static double cost_of(const MedeaProgram& program, const std::vector<MedeaSeat>& seats) {
    const std::vector<double> values = program.values_of(seats);
    double cost = 0;
    for (std::size_t c = 0; c < values.size(); ++c) cost += program.program().cost[c] * values[c];
    return cost;
  }

  /// Places all seats, or nothing; returns false where one does not fit.
  bool place(const std::vector<MedeaSeat>& seats) {
    std::size_t placed = 0;
    for (; placed < seats.size(); ++placed) {
      const MedeaSeat& seat = seats[placed];
      const NodeId node = nodes_of_sites_[seat.site];
      candidate_.start(placement_, apps_[seat.app]);
      const bool fits = seat.replicas <= placement_.unplaced(apps_[seat.app]) &&
                        placement_.residuals().copies(candidate_.need(), node, seat.replicas) == seat.replicas;
      if (!fits) break;
      placement_.place(apps_[seat.app], node, seat.replicas);
    }
    if (placed == seats.size()) return true;
    while (placed-- > 0) {
      placement_.remove(apps_[seats[placed].app], nodes_of_sites_[seats[placed].site], seats[placed].replicas);
    }
    return false;
  }

  const PlannerInput& input_;
  const Instance& instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<AppId> apps_;  // with waiting replicas
  std::vector<std::uint32_t> waiting_;
  std::uint64_t all_waiting_ = 0;
  std::vector<std::vector<NodeId>> opened_;  // per class
  std::vector<std::uint32_t> node_parts_;    // parts of rules on single nodes in which waiting apps have a role
  bool by_tenants_ = false;
  std::vector<MedeaSite> sites_;
  std::vector<NodeId> nodes_of_sites_;
  std::vector<std::int64_t> least_;  // per dimension: the smallest positive demand of any app
  double nodes_ = 0;
  double other_kept_ = 0;
};

Error medea_ilp(const PlannerInput& input, Plan& plan) {
  // Without solvers, run_planner refuses the request before this call.
  if constexpr (kSolversCanBeSet) {
    return input.instance.visit_unit([&](auto unit) { return MedeaIlpRun<decltype(unit)>(input).run(plan); });
  }
  return {Code::kInternal, "a planner that needs a solver was run without one", ""};
}

constexpr std::array<OptionInfo, 5> kMedeaOptions = {
    {{"w1", "weight of placed applications (P2, Eq. 1)", 1, 0, 1000},
     {"w2", "weight of violated rules (P2, Eq. 1)", 0.5, 0, 1000},
     {"w3", "weight of nodes that keep room for the smallest demand (P2, Eq. 1)", 0.25, 0, 1000},
     {"gap", "stop at this relative gap between the score and its bound", 1e-4, 0, 1},
     {"as-printed", "1: the program as P2 prints it; 0: a stronger one with the same optimum", 0, 0, 1}}};

}  // namespace

std::span<const PlannerInfo> medea_ilp_planners() {
  static const PlannerInfo kPlanner = {
      .name = "medea-ilp",
      .summary = "the integer program of applications, soft rules and fragmentation; needs a solver",
      .source = "P2, section 5.2, Eq. 1-8",
      .complexity = "that of the solver, on O(waiting apps x nodes) columns",
      .honours = kMedeaFeatures,
      .options = kMedeaOptions,
      .function = medea_ilp,
      .pursues = {Objective::kNodes, Objective::kSoftRules},
      .default_deadline_ms = kMedeaDeadline,
      .needs_solver = true,
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
