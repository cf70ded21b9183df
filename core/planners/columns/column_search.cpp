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

namespace stowage {
namespace {

constexpr std::uint64_t kOperationsOfColumns = 32;
/// Plans of more nodes are not made.
constexpr std::uint64_t kMostSeated = 1'000'000;

class Columns : public ColumnSearch {
 public:
  explicit Columns(const PlannerInput& input)
      : input_(input), objective_(input.instance.has_prices() ? Objective::kCost : Objective::kNodes) {}

  bool go_on(std::uint64_t units, const Plan& best, Plan& plan) override {
    WorkClock& clock = input_.run.clock;
    if (has_ended() || units < work_to_begin() || (problem_ == nullptr && !begin(best, false))) return false;
    if (tree_ == nullptr || units < tree_->work_to_begin()) return false;
    const Traced traced(input_.run, "columns");
    const Plan* known = &best;
    clock.begin_part(units);
    while (!has_ended_ && !reaches_bound(input_, *known) && clock.stop() == Stop::kNo) {
      tree_->suggest(contents_of(*known));
      if (search(*tree_, false, *known, plan)) known = &plan;
      has_ended_ = tree_->has_ended() && !problem_->is_relaxed;
      if (start_.nodes.empty() && makes_plans()) start_ = start_of(tree_->rounded());
      if (!problem_->leaves_out && (known->unplaced.empty() || tree_->has_ended())) {
        plan.bounds[objective_] =
            Bound{std::string(column_bound_info(input_.instance).name), problem_->as_bound(tree_->bound()), kNone, kNone};
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
    ties_->suggest(contents_of(plan));
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
    if (by_nodes) return static_cast<double>(nodes_in_use(plan)) - static_cast<double>(problem_->standing_nodes);
    return problem_->within(cost_of(plan));
  }

  [[nodiscard]] std::uint64_t work_to_begin() const {
    const Instance& instance = input_.instance;
    const std::uint64_t nodes = std::uint64_t{instance.classes()} + instance.dims() + instance.listed_nodes();
    return nodes * instance.apps() / kOperationsOfColumns;
  }

  // Without limits, most is soon known: the other problem follows once that is so.
  static bool is_settled(const ColumnTree& tree) { return tree.is_divided() || tree.has_ended(); }

  bool begin(const Plan& best, bool with_limits) {
    const double known = tree_ == nullptr || problem_->leaves_out ? 0 : problem_->as_bound(tree_->bound());
    Watch watch = input_.run.clock.watch();
    tree_.reset();
    problem_ = std::make_unique<ColumnProblem>(input_.instance, input_.request, watch, with_limits);
    input_.run.clock.step(work_to_begin());
    has_ended_ = !problem_->is_whole || problem_->items.empty();
    if (has_ended_) return false;
    tree_ = std::make_unique<ColumnTree>(*problem_);
    tree_->raise_bound(problem_->within(std::max(known, input_.bounds.get().of[objective_].front().value.value)));
    const std::optional<Bound>& of_plan = best.bounds[objective_];
    if (of_plan) tree_->raise_bound(problem_->within(of_plan->value));
    return true;
  }
  [[nodiscard]] ColumnSolution contents_of(const Plan& plan) const {
    const Instance& instance = input_.instance;
    std::vector<std::uint32_t> item_of(instance.apps(), kNone);
    for (std::uint32_t i = 0; i < problem_->items.size(); ++i) {
      for (const AppId app : problem_->items[i].apps) item_of[app] = i;
    }
    std::vector<std::uint32_t> of_listed(instance.listed_nodes(), kNone);
    std::vector<std::uint32_t> of_class(instance.classes(), kNone);
    for (std::uint32_t k = 0; k < problem_->kinds.size(); ++k) {
      for (const NodeId node : problem_->kinds[k].listed) of_listed[node] = k;
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
  // Adds up what is there of an item, within what the kind takes.
  void merge(FilledNodes& nodes) const {
    if (nodes.kind == kNone) return;
    std::sort(nodes.content.begin(), nodes.content.end());
    ItemContent merged;
    for (const auto& [item, replicas] : nodes.content) {
      if (!merged.empty() && merged.back().first == item) {
        merged.back().second += replicas;
      } else {
        merged.emplace_back(item, replicas);
      }
    }
    nodes.content = problem_->within_kind(nodes.kind, merged) ? std::move(merged) : ItemContent{};
  }

  // Makes a plan, if it can hold everything by all hard rules.
  bool seat(const ColumnSolution& filling, Plan& plan) {
    start_ = start_of(filling);
    if (!makes_plans() || start_.nodes.empty()) return false;
    const Request start = start_request(input_.instance, input_.request);
    bool is_complete = true;
    input_.instance.visit_unit([&](auto unit) {
      Placement<decltype(unit)> placement(input_.instance, start, &input_.run.clock);
      place(filling, placement);
      for (AppId app = 0; app < input_.instance.apps(); ++app) is_complete = is_complete && placement.unplaced(app) == 0;
      if (is_complete) placement.finish(plan);
    });
    return is_complete && plan.unplaced.empty();
  }
  [[nodiscard]] ColumnStart start_of(const ColumnSolution& filling) const {
    ColumnStart start;
    std::uint64_t size = 0;
    for (const FilledNodes& nodes : filling) size += nodes.count;
    if (size > kMostSeated) return start;
    for (const ColumnProblem::Item& item : problem_->items) start.items.push_back(item.apps);
    std::vector<std::size_t> used(problem_->kinds.size(), 0);
    for (const FilledNodes& nodes : filling) {
      const ColumnProblem::Kind& kind = problem_->kinds[nodes.kind];
      for (std::uint32_t n = 0; n < nodes.count; ++n) {
        const std::size_t turn = used[nodes.kind]++;
        const NodeId listed = turn < kind.listed.size() ? kind.listed[turn] : kNone;
        if (listed == kNone && kind.classes.empty()) break;
        const ClassId node_class =
            listed != kNone ? input_.instance.data().node_class[listed] : kind.classes[turn % kind.classes.size()];
        start.nodes.push_back({listed, node_class, nodes.content});
      }
    }
    return start;
  }
  template <class Unit>
  void place(const ColumnSolution& filling, Placement<Unit>& placement) const {
    std::vector<std::size_t> used(problem_->kinds.size(), 0);
    typename Placement<Unit>::Candidate candidate(placement);
    for (const FilledNodes& nodes : filling) {
      const ColumnProblem::Kind& kind = problem_->kinds[nodes.kind];
      for (std::uint32_t n = 0; n < nodes.count; ++n) {
        const NodeId node = next_node(kind, used[nodes.kind], placement);
        if (node == kNone) return;
        for (const auto& [item, copies] : nodes.content) {
          std::uint32_t left = copies;
          for (const AppId app : problem_->items[item].apps) {
            const std::uint32_t wanted = std::min(left, placement.unplaced(app));
            if (wanted == 0) continue;
            candidate.start(placement, app);
            const std::uint32_t room = placement.headroom(candidate, node, wanted);
            if (room > 0) placement.place(app, node, room);
            left -= room;
          }
        }
      }
    }
  }
  // Listed nodes first, then nodes of the kind's classes in turn.
  template <class Unit>
  static NodeId next_node(const ColumnProblem::Kind& kind, std::size_t& used, Placement<Unit>& placement) {
    if (used < kind.listed.size()) return kind.listed[used++];
    for (std::size_t k = 0; k < kind.classes.size(); ++k) {
      const NodeId node = placement.open(kind.classes[used++ % kind.classes.size()]);
      if (node != kNone) return node;
    }
    return kNone;
  }

  const PlannerInput& input_;
  Objective objective_;
  std::unique_ptr<ColumnProblem> problem_;
  std::unique_ptr<ColumnTree> tree_;
  bool has_ended_ = false;                 // the tree, or others have proven what it looks for
  ColumnStart start_;                      // see take_start()
  std::unique_ptr<ColumnProblem> fewest_;  // null: the cost is not known to be the least
  std::unique_ptr<ColumnTree> ties_;
};

}  // namespace

std::unique_ptr<ColumnSearch> make_column_search(const PlannerInput& input) { return std::make_unique<Columns>(input); }

}  // namespace stowage
