#include "core/planners/columns/column_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/columns/tree/column_bound.h"
#include "core/columns/tree/column_tree.h"
#include "core/placement/placement.h"
#include "core/plan/compact_plan.h"
#include "core/run/asked_nodes.h"

namespace stowage {
namespace {

/// Nodes where apps run that are looked at for a plan, at most, and in a unit of work.
constexpr std::uint64_t kMostHosts = std::uint64_t{1} << 19;
constexpr std::uint64_t kHostsPerUnit = 8;

class Columns : public ColumnSearch {
 public:
  Columns(const PlannerInput& input, Objective objective) : input_(input), objective_(judged_by(input.instance, objective)) {}

  bool go_on(std::uint64_t units, const Plan& best, Plan& plan) override {
    WorkClock& clock = input_.run.clock;
    if (has_ended() || units < work_to_begin() || (problem_ == nullptr && !begin(best, false))) return false;
    if (tree_ == nullptr || units < tree_->work_to_begin()) return false;
    const Traced traced(input_.run, "columns");
    const Plan* known = &best;
    clock.begin_part(units);
    while (!has_ended_ && !is_best(*known) && clock.stop() == Stop::kNo) {
      tree_->suggest(possible_contents_of(*known));
      if (search(*tree_, false, *known, plan)) known = &plan;
      has_ended_ = tree_->has_ended() && !problem_->is_relaxed;
      if (start_.nodes.empty() && makes_plans()) start_ = start_of(seats_of(tree_->rounded()));
      const bool is_bound = known->unplaced.empty() || (tree_->has_ended() && !tree_->is_infeasible());
      if (!problem_->leaves_out && is_bound) {
        plan.bounds[objective_] = bound();
      }
      if (problem_->is_relaxed && is_settled(*tree_) && clock.stop() == Stop::kNo) begin(*known, true);
    }
    if (clock.stop() == Stop::kNo && begin_ties(*known)) {
      Plan tied;
      if (search(*ties_, true, *known, tied)) {
        tied.bounds = plan.bounds;
        plan = std::move(tied);
        known = &plan;
      }
    }
    clock.end_part();
    return known == &plan;
  }
  [[nodiscard]] bool makes_plans() const override {
    const Request start = start_request(input_.instance, input_.request);
    return start.move_budget == 0 || start.ignore_running || input_.instance.data().running.empty();
  }
  ColumnStart take_start() override { return std::exchange(start_, {}); }
  [[nodiscard]] bool has_ended() const override { return has_ended_ && (ties_ == nullptr || ties_->has_ended()); }

 private:
  static constexpr double kNoPlan = 1e300;
  /// Amounts of the budget's row.
  static constexpr double kMostUnits = 1 << 30;

  /// Looks for better plans than `best`, until none exists or the part of the run is over. True: it has found one.
  bool search(ColumnTree& tree, bool by_nodes, const Plan& best, Plan& plan) {
    double cutoff = within(best, by_nodes);
    bool found = false;
    do {
      tree.set_cutoff(cutoff);
      tree.run(input_.run.clock);
      Plan next;
      if (!tree.found() || !seat(*tree.found(), next)) continue;
      plan = std::move(next);
      cutoff = within(plan, by_nodes);
      found = true;
    } while (!tree.has_ended() && input_.run.clock.stop() == Stop::kNo && !(problem_->is_relaxed && is_settled(tree)));
    return found;
  }

  [[nodiscard]] bool is_best(const Plan& plan) const { return objective_ != Objective::kUcac && reaches_bound(input_, plan); }
  [[nodiscard]] bool may_have_ties() const {
    return objective_ == Objective::kCost && problem_->unit > 0 &&
           tree_->bound() * problem_->dearest < kMostUnits * problem_->unit;
  }
  // Where the plan costs least, it may do so on fewer nodes. False where nobody has to look for that.
  bool begin_ties(const Plan& plan) {
    if (ties_ != nullptr) return !ties_->has_ended();
    if (tree_ == nullptr) return false;
    const bool is_proven = has_ended_ && tree_->bound() >= within(plan, false);
    if (!plan.unplaced.empty() || !(is_proven || reaches_bound(input_, plan)) || !may_have_ties()) return false;
    has_ended_ = true;
    fewest_ = std::make_unique<ColumnProblem>(problem_->of_nodes_within(within(plan, false)));
    ties_ = std::make_unique<ColumnTree>(*fewest_);
    ties_->suggest(possible_contents_of(plan));
    return true;
  }

  // Of all nodes that the plan uses.
  [[nodiscard]] double cost_of(const Plan& plan) const {
    double sum = 0;
    for (const PlannedNode& node : plan.nodes) {
      sum += node.copies * (objective_ == Objective::kCost ? input_.instance.node_cost(node.node_class) : 1);
    }
    return sum;
  }
  // What a tree counts of a plan: nodes, or cost in units of the dearest one, without what stands.
  [[nodiscard]] double within(const Plan& plan, bool by_nodes) const {
    if (!plan.unplaced.empty()) return kNoPlan;
    if (objective_ == Objective::kUcac) return use_of(plan);
    if (by_nodes) return static_cast<double>(nodes_in_use(plan)) - static_cast<double>(problem_->standing_nodes);
    return problem_->within(cost_of(plan));
  }

  [[nodiscard]] double use_of(const Plan& plan) const {
    double sum = 0;
    for (const FilledNodes& nodes : contents_of(plan)) sum += nodes.count * problem_->cost(nodes.kind, nodes.content);
    return sum;
  }
  [[nodiscard]] Bound bound() const {
    const bool is_used = objective_ == Objective::kUcac;
    return {std::string(column_bound_info(objective_).name), problem_->as_bound(tree_->bound()),
            is_used ? input_.instance.uncertain_resource() : kNone, is_used ? 0 : kNone};
  }

  [[nodiscard]] std::uint64_t work_to_begin() const { return ColumnProblem::work_to_make(input_.instance); }

  // Without limits, most is soon known: the other problem follows once that is so.
  static bool is_settled(const ColumnTree& tree) { return tree.is_divided() || tree.has_ended(); }

  bool begin(const Plan& best, bool with_limits) {
    const double known = tree_ == nullptr || problem_->leaves_out ? 0 : problem_->as_bound(tree_->bound());
    Watch watch = input_.run.clock.watch();
    tree_.reset();
    problem_ = std::make_unique<ColumnProblem>(input_.instance, input_.request, objective_, watch, with_limits);
    find_running();
    input_.run.clock.step(work_to_begin());
    has_ended_ = !problem_->is_whole || problem_->items.empty();
    if (has_ended_) return false;
    tree_ = std::make_unique<ColumnTree>(*problem_);
    const std::vector<ComputedBound>& of_instance = input_.bounds.get().of[objective_];
    tree_->raise_bound(problem_->within(std::max(known, of_instance.empty() ? 0 : of_instance.front().value.value)));
    const std::optional<Bound>& of_plan = best.bounds[objective_];
    if (of_plan) tree_->raise_bound(problem_->within(of_plan->value));
    return true;
  }
  // kNone: it takes nothing.
  [[nodiscard]] std::vector<std::uint32_t> kinds_of_listed() const {
    std::vector<std::uint32_t> result(input_.instance.listed_nodes(), kNone);
    for (std::uint32_t k = 0; k < problem_->kinds.size(); ++k) {
      for (const NodeId node : problem_->kinds[k].listed) result[node] = k;
    }
    return result;
  }
  [[nodiscard]] ColumnSolution contents_of(const Plan& plan) const {
    const Instance& instance = input_.instance;
    std::vector<std::uint32_t> item_of(instance.apps(), kNone);
    for (std::uint32_t i = 0; i < problem_->items.size(); ++i) {
      for (const AppId app : problem_->items[i].apps) item_of[app] = i;
    }
    const std::vector<std::uint32_t> of_listed = kinds_of_listed();
    std::vector<std::uint32_t> of_class(instance.classes(), kNone);
    for (std::uint32_t k = 0; k < problem_->kinds.size(); ++k) {
      for (const ClassId c : problem_->kinds[k].classes) of_class[c] = k;
    }
    ColumnSolution filling(plan.nodes.size());
    std::map<std::pair<NodeId, AppId>, std::uint32_t> stays;
    for (const Residence& one : problem_->stays) stays[{one.node, one.app}] = one.replicas;
    for (const Placed& placed : plan.placed) {
      const std::uint32_t item = item_of[placed.app];
      const auto at = stays.find({plan.nodes[placed.node].listed, placed.app});
      const std::uint32_t stay = at == stays.end() ? 0 : std::min(at->second, placed.replicas);
      if (item != kNone && placed.replicas > stay) filling[placed.node].content.emplace_back(item, placed.replicas - stay);
    }
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      const PlannedNode& node = plan.nodes[n];
      filling[n].count = node.copies;
      filling[n].kind = node.listed != kNone ? of_listed[node.listed] : of_class[node.node_class];
      merge(filling[n]);
    }
    std::erase_if(filling, [](const FilledNodes& nodes) { return nodes.kind == kNone || nodes.content.empty(); });
    return filling;
  }
  // Without what breaks what the kind allows.
  [[nodiscard]] ColumnSolution possible_contents_of(const Plan& plan) const {
    ColumnSolution filling = contents_of(plan);
    std::erase_if(filling, [&](const FilledNodes& nodes) { return !problem_->within_kind(nodes.kind, nodes.content); });
    return filling;
  }
  // Adds up what is there of an item.
  static void merge(FilledNodes& nodes) {
    std::sort(nodes.content.begin(), nodes.content.end());
    ItemContent merged;
    for (const auto& [item, replicas] : nodes.content) {
      if (!merged.empty() && merged.back().first == item) {
        merged.back().second += replicas;
      } else {
        merged.emplace_back(item, replicas);
      }
    }
    nodes.content = std::move(merged);
  }

  // Makes a plan, if it can hold everything by all hard rules.
  bool seat(const ColumnSolution& filling, Plan& plan) {
    const std::vector<Seat> seats = seats_of(filling);
    start_ = start_of(seats);
    if (!makes_plans()) return false;
    const Request start = start_request(input_.instance, input_.request);
    bool is_complete = true;
    input_.instance.visit_unit([&](auto unit) {
      Placement<decltype(unit)> placement(input_.instance, start, &input_.run.clock);
      is_complete = place(seats, placement);
      for (AppId app = 0; app < input_.instance.apps(); ++app) is_complete = is_complete && placement.unplaced(app) == 0;
      if (is_complete) placement.finish(plan);
    });
    return is_complete && plan.unplaced.empty();
  }
  /// Nodes of a kind that hold the same: a listed one, or so many of the classes.
  struct Seat {
    std::uint32_t kind;
    NodeId listed;
    std::uint32_t count;
    ItemContent content;
  };
  // Listed nodes first: those where most of the content runs.
  [[nodiscard]] std::vector<Seat> seats_of(const ColumnSolution& filling) const {
    std::uint64_t looks = 0;
    std::vector<Seat> seats;
    std::vector<std::uint32_t> kind_of = kinds_of_listed();  // of nodes without a seat
    std::vector<std::size_t> used(problem_->kinds.size(), 0);
    for (const FilledNodes& nodes : filling) {
      const std::vector<NodeId>& listed = problem_->kinds[nodes.kind].listed;
      std::uint32_t left = nodes.count;
      for (; left > 0; --left) {
        NodeId node = where_most_runs(nodes, kind_of, looks);
        for (std::size_t& next = used[nodes.kind]; node == kNone && next < listed.size(); ++next) {
          if (kind_of[listed[next]] != kNone) node = listed[next];
        }
        if (node == kNone) break;
        kind_of[node] = kNone;
        seats.push_back({nodes.kind, node, 1, nodes.content});
      }
      if (left > 0) seats.push_back({nodes.kind, kNone, left, nodes.content});
    }
    input_.run.clock.step(looks / kHostsPerUnit);
    return seats;
  }
  // Of nodes of the kind; kNone where nothing of it runs, or where that takes long.
  [[nodiscard]] NodeId where_most_runs(const FilledNodes& nodes, const std::vector<std::uint32_t>& kind_of,
                                       std::uint64_t& looks) const {
    if (runs_.empty() || looks > kMostHosts) return kNone;
    std::map<NodeId, std::uint32_t> stay;
    for (const auto& [item, copies] : nodes.content) {
      std::map<NodeId, std::uint32_t> of_item;
      for (const AppId app : problem_->items[item].apps) {
        for (const auto& [node, replicas] : runs_[app]) {
          if (kind_of[node] == nodes.kind) of_item[node] += replicas;
        }
        looks += runs_[app].size();
      }
      for (const auto& [node, replicas] : of_item) stay[node] += std::min(copies, replicas);
    }
    const auto most =
        std::max_element(stay.begin(), stay.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
    return most == stay.end() ? kNone : most->first;
  }
  // Of what may move, where it runs.
  void find_running() {
    if (!runs_.empty() || input_.request.ignore_running || input_.request.move_budget == 0) return;
    runs_.resize(input_.instance.apps());
    for (const Residence& one : input_.instance.data().running) runs_[one.app][one.node] += one.replicas;
  }

  [[nodiscard]] ColumnStart start_of(const std::vector<Seat>& seats) const {
    ColumnStart start;
    for (const ColumnProblem::Item& item : problem_->items) start.items.push_back(item.apps);
    std::vector<std::size_t> used(problem_->kinds.size(), 0);
    for (const Seat& seat : seats) {
      const std::vector<ClassId>& classes = problem_->kinds[seat.kind].classes;
      if (seat.listed != kNone) {
        start.nodes.push_back({seat.listed, input_.instance.data().node_class[seat.listed], 1, seat.content});
      } else if (!classes.empty()) {
        start.nodes.push_back({kNone, classes[used[seat.kind]++ % classes.size()], seat.count, seat.content});
      }
    }
    return start;
  }
  // What runs on listed nodes first. False: the run ends.
  template <class Unit>
  bool place(std::vector<Seat> seats, Placement<Unit>& placement) const {
    AskedNodes asked(input_.run.clock);
    std::uint64_t opened = 0;
    for (const Seat& seat : seats) opened += seat.listed == kNone ? seat.count : 0;
    placement.expect(static_cast<std::uint32_t>(std::min<std::uint64_t>(opened, kNone)));
    typename Placement<Unit>::Candidate candidate(placement);
    for (Seat& seat : seats) {
      if (seat.listed != kNone && !runs_.empty() && !fill(seat.listed, true, seat.content, candidate, placement, asked))
        return false;
    }
    return std::all_of(seats.begin(), seats.end(), [&](Seat& seat) {
      return seat.listed == kNone ? open(seat, candidate, placement, asked)
                                  : fill(seat.listed, false, seat.content, candidate, placement, asked);
    });
  }
  // Takes from `left` what is placed on the node. False: the run ends.
  template <class Unit>
  bool fill(NodeId node, bool as_it_runs, ItemContent& left, typename Placement<Unit>::Candidate& candidate,
            Placement<Unit>& placement, AskedNodes& asked) const {
    for (auto& [item, copies] : left) {
      for (const AppId app : problem_->items[item].apps) {
        std::uint32_t wanted = std::min(copies, placement.unplaced(app));
        if (as_it_runs) wanted = std::min(wanted, running_at(node, app));
        if (wanted == 0) continue;
        if (asked.count(1, placement.steps_to_ask(app)) && input_.run.clock.is_over()) return false;
        candidate.start(placement, app);
        const std::uint32_t room = placement.headroom(candidate, node, wanted);
        if (room > 0) placement.place(app, node, room);
        copies -= room;
      }
    }
    return true;
  }
  // Nodes of the kind's classes in turn; equal ones are one. False: the run ends.
  template <class Unit>
  bool open(const Seat& seat, typename Placement<Unit>::Candidate& candidate, Placement<Unit>& placement,
            AskedNodes& asked) const {
    const std::vector<ClassId>& classes = problem_->kinds[seat.kind].classes;
    std::size_t turn = 0;
    for (std::uint32_t left = seat.count; left > 0 && turn < classes.size();) {
      const NodeId node = placement.open(classes[turn]);
      if (node == kNone) {
        ++turn;
        continue;
      }
      ItemContent content = seat.content;
      if (!fill(node, false, content, candidate, placement, asked)) return false;
      --left;
      if (content == seat.content) return true;
      const bool is_whole = std::all_of(content.begin(), content.end(), [](const auto& one) { return one.second == 0; });
      if (is_whole) left -= std::min(left, placement.repeat(node, left));
    }
    return true;
  }
  [[nodiscard]] std::uint32_t running_at(NodeId node, AppId app) const {
    const auto at = runs_[app].find(node);
    return at == runs_[app].end() ? 0 : at->second;
  }

  const PlannerInput& input_;
  Objective objective_;
  std::unique_ptr<ColumnProblem> problem_;
  std::unique_ptr<ColumnTree> tree_;
  bool has_ended_ = false;                             // the tree, or others have proven what it looks for
  ColumnStart start_;                                  // see take_start()
  std::vector<std::map<NodeId, std::uint32_t>> runs_;  // per app: replicas that may move, by node; empty where none may
  std::unique_ptr<ColumnProblem> fewest_;              // null: the cost is not known to be the least
  std::unique_ptr<ColumnTree> ties_;
};

}  // namespace

std::unique_ptr<ColumnSearch> make_column_search(const PlannerInput& input, Objective objective) {
  return std::make_unique<Columns>(input, objective);
}

}  // namespace stowage
