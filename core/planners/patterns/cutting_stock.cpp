// Cutting stock under capacity at confidence (P1, section 5.3, algorithm 1), for least used capacity at confidence: csp-ucac.
// Where nothing is uncertain, all plans use the same, and csp-mac makes the plan.
//
// Nodes in the same state (class, capacity left, risk held) form a group, see layout.h. The linear program over patterns is
// solved by column generation (column_generation.h) and rounded (whole_patterns.h). A large neighbourhood search then packs a
// few nodes again in the same way: those that the duals call least well used, and random ones. The plans of biheu and bf-ucac
// give the first columns; the best of all plans is returned.
//
// Deterministic: work is counted in steps of the pricing and pivots, randomness comes from the request's seed.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/measures/order.h"
#include "core/placement/placement.h"
#include "core/plan/objective.h"
#include "core/planners/patterns/columns/column_generation.h"
#include "core/planners/patterns/whole_patterns.h"

namespace stowage {
namespace {

/// Tables and bases grow with the number of apps; with more of them, patterns have not been of use.
constexpr std::uint32_t kMostStockApps = 200;

/// Whether no layout of all replicas costs less, given a lower bound on the cost of patterns.
bool is_optimal_cost(double cost, double bound) { return cost <= bound * (1 + 1e-10); }

// The large neighbourhood search: packs a few nodes of a layout again, until nothing improves.
class PatternSearch {
 public:
  /// @param best a layout that covers everything, which is improved
  PatternSearch(ColumnGeneration& generation, std::uint32_t apps, std::uint64_t seed, Layout& best)
      : generation_(generation), apps_(apps), random_(seed), best_(best), cost_(generation.cost(best)) {
    // A few nodes are soon packed in all ways there are.
    std::uint64_t nodes = 0;
    for (const auto& seat : best_) nodes += seat.second;
    patience_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(kFailures, 4 + 2 * nodes));
  }

  /// Ends at a layout that is optimal by the bound, after too many failures, or where the run ends. Whether the layout has
  /// changed.
  bool run(double bound) {
    bool changed = false;
    while (!generation_.stopped() && failures_ < patience_ && !is_optimal_cost(cost_, bound)) {
      Exchange exchange = choose_nodes();
      dive(generation_, exchange.part, exchange.in);
      if (generation_.stopped()) break;
      if (!improves(exchange)) continue;
      changed = true;
      apply(exchange);
    }
    return changed;
  }

 private:
  static constexpr std::uint32_t kFailures = 120;

  /// Nodes that are packed again, with their patterns before and after.
  struct Exchange {
    Subproblem part;
    Layout out;
    Layout in;
  };
  using Seats = std::vector<std::pair<double, const Layout::value_type*>>;

  // Entries of the layout, those that lose most first.
  [[nodiscard]] Seats seats_by_loss() const {
    Seats seats;
    for (const auto& seat : best_) seats.emplace_back(-generation_.loss(seat.first.first, seat.first.second), &seat);
    std::stable_sort(seats.begin(), seats.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return seats;
  }

  Exchange choose_nodes() {
    const Seats seats = seats_by_loss();
    Exchange exchange;
    exchange.part.wanted.assign(apps_, 0);
    exchange.part.sizes.assign(generation_.groups().size(), 0);
    const auto pick = [&](std::size_t k) {
      const auto& [seat, count] = *seats[k].second;
      auto& taken = exchange.out[seat];
      if (taken == count) return;
      ++taken;
      ++exchange.part.sizes[seat.first];
      for (AppId i = 0; i < seat.second.size(); ++i) exchange.part.wanted[i] += seat.second[i];
    };
    // Used capacity falls in small steps.
    const std::uint32_t few = 10 * (1u << failures_ % 2);
    const auto all = static_cast<std::uint32_t>(seats.size());
    for (std::uint32_t k = 0; k < few / 2; ++k) pick(random_.below(std::min(all, 2 * few)));
    for (std::uint32_t k = few / 2; k < few; ++k) pick(random_.below(all));
    add_idle(few, exchange.part);
    std::erase_if(exchange.out, [](const auto& seat) { return seat.second == 0; });
    return exchange;
  }
  // Nodes without a pattern may be better for used capacity. The draws are the same for either cost.
  void add_idle(std::uint32_t few, Subproblem& part) {
    const std::vector<StateGroup>& groups = generation_.groups();
    std::vector<std::uint64_t> idle(groups.size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) idle[g] = groups[g].size();
    for (const auto& [seat, count] : best_) idle[seat.first] -= count;
    for (std::uint32_t k = 0; k < few; ++k) {
      const std::uint32_t g = random_.below(static_cast<std::uint32_t>(groups.size()));
      if (idle[g] == 0) continue;
      --idle[g];
      ++part.sizes[g];
    }
  }

  // Whether an exchange is taken: it places everything, and it costs less. Counts failures.
  bool improves(const Exchange& exchange) {
    ++failures_;
    if (!covers(exchange.part, exchange.in)) return false;
    if (generation_.cost(exchange.out) - generation_.cost(exchange.in) <= 1e-9) return false;
    failures_ = 0;
    return true;
  }
  static bool covers(const Subproblem& part, const Layout& layout) {
    std::vector<std::uint64_t> placed(part.wanted.size(), 0);
    for (const auto& [seat, count] : layout) {
      for (std::size_t i = 0; i < placed.size(); ++i) placed[i] += count * seat.second[i];
    }
    return std::equal(placed.begin(), placed.end(), part.wanted.begin());
  }

  void apply(const Exchange& exchange) {
    for (const auto& [seat, count] : exchange.out) {
      auto at = best_.find(seat);
      at->second -= count;
      if (at->second == 0) best_.erase(at);
    }
    for (const auto& [seat, count] : exchange.in) best_[seat] += count;
    cost_ = generation_.cost(best_);
  }

  ColumnGeneration& generation_;
  std::uint32_t apps_;
  Random random_;
  Layout& best_;
  double cost_;  // of best_
  std::uint32_t failures_ = 0;
  std::uint32_t patience_ = 0;
};

/// Whether more replicas of an app run on a node than its self limit allows. Patterns know no other affinity limits.
bool breaks_self_limit(const Instance& instance) {
  const std::vector<Residence>& running = instance.data().running;
  return std::any_of(running.begin(), running.end(), [&](const Residence& one) {
    const std::uint32_t most = instance.limit_rows().self_limit(one.app);
    return most != kNone && one.replicas > most;
  });
}

template <class Unit>
class CuttingStockRun {
 public:
  explicit CuttingStockRun(const PlannerInput& input)
      : input_(input),
        instance_(input.instance),
        placement_(input.instance, input.request, &input.run.clock),
        groups_(input.instance, placement_),
        generation_(input.instance, groups_.all(), base(), input.run.clock) {}

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    for (AppId i = 0; i < instance_.apps(); ++i) whole_.wanted.push_back(placement_.unplaced(i));
    for (const StateGroup& group : groups_.all()) whole_.sizes.push_back(group.size());

    // Two plans that are quick to make: the first columns, and something to fall back on.
    for (const char* name : {"biheu", "bf-ucac"}) {
      Plan other;
      if (Error e = run_within(input_, name, other); failed(e)) return e;
      consider(groups_.layout_of(other), other, plan);
    }
    if (groups_.all().empty() || !whole_.wants_any()) return {};
    if (generation_.stopped()) return {};

    input_.run.progress.enter(Phase::kImprove);
    recall();
    const double bound = generation_.solve(whole_, best_key_->left_over.empty() ? best_ : Layout{});
    set_bounds(bound, plan);
    std::vector<std::vector<Tenant>> used;
    if (input_.memory != nullptr)
      generation_.for_each_kept([&](std::uint32_t g, const Pattern& added) { used.push_back(groups_.tenants_with(g, added)); });
    improve(bound, plan);
    leave_behind(std::move(used), plan);
    return {};
  }

 private:
  // Rounds, and searches.
  void improve(double bound, Plan& plan) {
    if (generation_.stopped() || is_optimal(bound)) return;
    Layout rounded;
    dive(generation_, whole_, rounded);
    if (generation_.stopped()) return;
    offer(rounded, plan);
    const bool searches = input_.options.number("search") > 0 && best_key_->left_over.empty() && input_.request.node_limit == 0;
    if (!searches || is_optimal(bound)) return;
    bound = heed_whole_numbers(bound, plan);
    PatternSearch search(generation_, instance_.apps(), input_.request.seed, best_);
    if (!search.run(bound)) return;
    // The layout that was found may cost as much as the plan's: it is taken all the same.
    best_key_->value = std::numeric_limits<double>::infinity();
    offer(best_, plan);
  }
  // Takes better plans and bounds from numbers of patterns being whole. Returns the best bound.
  double heed_whole_numbers(double bound, Plan& plan) {
    const auto raise = [&](double known) {
      if (known <= bound) return;
      bound = known;
      set_bounds(bound, plan);
    };
    const auto heed = [&](const WholeResult& result) {
      for (const Layout& layout : result.layouts) offer(layout, plan);
      raise(result.bound);
      return is_optimal(bound) || generation_.stopped();
    };
    if (heed(complete_by_group(generation_, whole_, best_key_->value))) return bound;
    if (heed(branch_on_nodes(generation_, whole_, best_key_->value))) return bound;
    raise(bound_by_classes(generation_, whole_));
    return bound;
  }
  [[nodiscard]] bool is_optimal(double bound) const {
    return best_key_->left_over.empty() && is_optimal_cost(best_key_->value, bound);
  }

  // Columns from patterns of earlier runs: what completes a node to one of them.
  void recall() {
    if (input_.memory == nullptr) return;
    const Pattern nothing(instance_.apps(), 0);
    for (std::uint32_t g = 0; g < groups_.all().size(); ++g) {
      const std::vector<Tenant> here = groups_.tenants_with(g, nothing);
      for (const std::vector<Tenant>& pattern : input_.memory->patterns) {
        Pattern added = nothing;
        for (const Tenant& tenant : pattern) added[tenant.app] = tenant.replicas;
        const bool covers =
            std::all_of(here.begin(), here.end(), [&](const Tenant& tenant) { return added[tenant.app] >= tenant.replicas; });
        if (!covers) continue;
        for (const Tenant& tenant : here) added[tenant.app] -= tenant.replicas;
        for (AppId i = 0; i < added.size(); ++i) added[i] = std::min(added[i], placement_.unplaced(i));
        if (added != nothing && generation_.coarse_pricing().fits(groups_.all()[g].state, added))
          generation_.keep(g, std::move(added));
      }
    }
  }
  // For the next run: what nodes of the plan hold, then what nodes of the linear program's solution do.
  void leave_behind(std::vector<std::vector<Tenant>> used, const Plan& plan) const {
    if (input_.memory == nullptr) return;
    std::vector<std::vector<Tenant>> nodes(plan.nodes.size());
    for (const Placed& p : plan.placed) nodes[p.node].push_back({p.app, p.replicas});
    nodes.insert(nodes.end(), std::make_move_iterator(used.begin()), std::make_move_iterator(used.end()));
    const auto key = [](const std::vector<Tenant>& pattern) {
      std::vector<std::uint32_t> numbers;
      for (const Tenant& tenant : pattern) numbers.insert(numbers.end(), {tenant.app, tenant.replicas});
      return numbers;
    };
    std::set<std::vector<std::uint32_t>> seen;
    input_.memory->patterns.clear();
    for (std::vector<Tenant>& pattern : nodes) {
      if (input_.memory->patterns.size() == PatternMemory::kMost) break;
      if (!pattern.empty() && seen.insert(key(pattern)).second) input_.memory->patterns.push_back(std::move(pattern));
    }
  }

  // What every plan has: means of all demand and roots of the start's risks, in scaled units of the uncertain resource.
  [[nodiscard]] double base() const {
    const ResourceId r = instance_.uncertain_resource();
    return static_cast<double>(instance_.total_demand()[r]) + roots_at_start(r);
  }
  [[nodiscard]] double roots_at_start(ResourceId r) const {
    double sum = 0;
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) sum += instance_.root_of_risk(placement_.residuals().risk(n, r), r);
    return sum;
  }
  // Risks are rounded up to whole units: the least that the root of an exact risk is, as a share of the root of the rounded
  // one.
  [[nodiscard]] double least_root(ResourceId r) const {
    double rounding = 0;
    for (AppId i = 0; i < instance_.apps(); ++i) {
      const std::int64_t risk = instance_.scaled_risk(i)[r];
      if (risk > 0) rounding = std::max(rounding, 1 / static_cast<double>(risk));
    }
    double of_load = 0;
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
      if (instance_.load_spread(n, r) > 0) {
        of_load = std::max(of_load, 1 / static_cast<double>(std::max<std::int64_t>(placement_.residuals().risk(n, r), 1)));
      }
    }
    return std::sqrt(std::max(0.0, 1 - rounding - of_load));
  }

  // Makes a plan of a layout, places what the layout leaves over, and takes the plan where it is better.
  void offer(const Layout& layout, Plan& plan) {
    Placement<Unit> placement(instance_, input_.request);
    std::vector<std::size_t> next(groups_.all().size(), 0);
    for (const auto& [seat, count] : layout) {
      const StateGroup& group = groups_.all()[seat.first];
      for (std::uint64_t k = 0; k < count; ++k) {
        const bool is_listed = next[seat.first] < group.nodes.size();
        const NodeId node = is_listed ? group.nodes[next[seat.first]++] : placement.open(group.state.node_class);
        if (node == kNone || !placement.may_use(node)) {
          if (is_listed) continue;
          break;  // there is none for the others either, of which there may be millions
        }
        for (AppId i = 0; i < seat.second.size(); ++i) {
          const std::uint32_t replicas = std::min(seat.second[i], placement.unplaced(i));
          if (replicas > 0) placement.place(i, node, replicas);
        }
        if (!is_listed) k += placement.repeat(node, count - k - 1);
      }
    }
    place_rest(placement);
    Plan fresh;
    placement.write(fresh);
    Layout real = groups_.layout_of(fresh);
    consider(std::move(real), fresh, plan);
  }
  // Takes a plan and its layout where they are better than the best so far.
  void consider(Layout&& layout, Plan& fresh, Plan& plan) {
    PlanKey now;
    now.left_over = LeftOver(instance_, fresh, input_.request.fill);
    now.value = generation_.cost(layout);
    if (best_key_ && !(now < *best_key_)) return;
    state_better(input_, fresh);
    best_key_ = std::move(now);
    best_ = std::move(layout);
    plan.adopt(std::move(fresh));
  }
  void place_rest(Placement<Unit>& placement) const {
    typename Placement<Unit>::Candidate candidate(placement);
    const std::vector<ClassId> classes = class_order(instance_);
    for (AppId i = 0; i < whole_.wanted.size(); ++i) {
      if (placement.unplaced(i) == 0) continue;
      candidate.start(placement, i);
      // All of them first: copies that split off join the nodes.
      std::vector<NodeId> fitting;
      placement.residuals().for_each_fitting(candidate.need(), 0, [&](NodeId node) {
        fitting.push_back(node);
        return true;
      });
      for (const NodeId node : fitting) {
        if (placement.unplaced(i) == 0) break;
        const std::uint32_t replicas = placement.headroom(candidate, node, placement.unplaced(i));
        if (replicas > 0) placement.place_on_copies(i, node, replicas);
      }
      while (placement.unplaced(i) > 0) {
        const NodeId node = placement.open_for(candidate, classes);
        if (node == kNone) break;
        placement.place(i, node, placement.headroom(candidate, node, placement.unplaced(i)));
        placement.repeat(node);
      }
    }
  }

  // Whether some node starts with what no pattern holds. It may stay there, also where it is planned as if it ran nowhere.
  [[nodiscard]] bool any_broken() const {
    if (groups_.any_exceeded() || !Supply(instance_).roomiest_broken().empty()) return true;
    if (!input_.request.ignore_running) return false;
    if (breaks_self_limit(instance_) || runs_on_closed_node()) return true;
    Request as_it_runs = input_.request;
    as_it_runs.ignore_running = false;
    const Placement<Unit> start(instance_, as_it_runs);
    return StateGroups(instance_, start).any_exceeded();
  }

  [[nodiscard]] bool runs_on_closed_node() const {
    const InstanceData& data = instance_.data();
    return !data.closed.empty() && std::any_of(data.running.begin(), data.running.end(),
                                               [&](const Residence& one) { return data.closed[one.node] != 0; });
  }

  void set_bounds(double bound, Plan& plan) const {
    // Rounded units would have to be rounded back, and running replicas that may move are not considered.
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      if (!instance_.scale(r).exact()) return;
    }
    if (input_.request.move_budget > 0 && !input_.request.ignore_running) return;
    if (any_broken()) return;
    const ResourceId r = instance_.uncertain_resource();
    double sum = (bound * (1 - 1e-9) + roots_at_start(r)) * least_root(r);
    sum *= instance_.scale(r).unit();
    for (AppId i = 0; i < instance_.apps(); ++i) sum += instance_.demand(i, r, 0) * instance_.replicas(i);
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) sum += instance_.load(n, r, 0);
    plan.bounds[Objective::kUcac] = {"patterns", sum * (1 - 1e-11), r, 0};
  }

  const PlannerInput& input_;
  const Instance& instance_;
  Placement<Unit> placement_;  // at the start
  StateGroups groups_;
  ColumnGeneration generation_;
  Subproblem whole_;
  Layout best_;                      // of the plan
  std::optional<PlanKey> best_key_;  // of the plan; its value is the cost of the patterns
};

Error cutting_stock(const PlannerInput& input, Plan& plan) {
  if (!input.instance.uncertain()) return run_within(input, "csp-mac", plan);
  if (input.instance.apps() > kMostStockApps) {
    return {Code::kUnsupported, input.info.name + " takes at most " + std::to_string(kMostStockApps) + " apps", "planner"};
  }
  return input.instance.visit_unit([&](auto unit) { return CuttingStockRun<decltype(unit)>(input).run(plan); });
}

constexpr std::array<OptionInfo, 1> kSearchOption = {
    {{"search", "1: after rounding, a few nodes are packed again until nothing improves; 0: the rounded plan is the answer", 1,
      0, 1}}};

constexpr FeatureSet kHonours = Feature::kNodeClasses | Feature::kFiniteNodes | Feature::kExistingLoad | Feature::kRunning |
                                Feature::kPins | Feature::kClosedNodes | Feature::kSelfLimits | Feature::kUncertainDemand;

}  // namespace

std::span<const PlannerInfo> cutting_stock_planners() {
  static const PlannerInfo kPlanner = {
      .name = "csp-ucac",
      .summary = "cutting stock by column generation, least used capacity at confidence",
      .source = "P1, section 5.3, algorithm 1",
      .complexity = "column generation, then until nothing improves",
      .honours = kHonours,
      .options = kSearchOption,
      .function = cutting_stock,
      .pursues = {Objective::kNodes, Objective::kUcac},
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
