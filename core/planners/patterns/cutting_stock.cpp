// Cutting stock under capacity at confidence (P1, section 5.3, algorithm 1): csp-ucac for least used capacity at confidence,
// csp-mac for fewest nodes.
//
// Nodes in the same state - class, what is left, risk held - form a group. A column is a pattern of replicas added to one node
// of a group, so a busy node keeps exactly what it holds (P1, Eq. 8 as printed covers running replicas by full patterns, which
// counts replicas that do not exist). The linear program over columns (core/solver/restricted_master.h) is solved by column
// generation with exact pricing (pattern_pricing.h). Its Lagrangian bound, sum of duals x demand - sum over groups of size x
// most valuable pattern, holds whenever it stops; with a price per node, so does Farley's (1990), which scales the duals.
//
// Rounding dives: whole parts are fixed, the rest is priced again, until everything is placed. A large neighbourhood search
// then takes a few nodes - those that the duals say are least well used, and random ones - and packs them anew likewise. The
// plans of biheu and bf-ucac give the first columns; the best of all plans is returned.
//
// Where all nodes are alike and apps are few, numbers that are whole cost little beyond the program, and the group relaxation
// (group_relaxation.h) tells how little: it makes the best plan and proves it. Elsewhere, that the number of fresh nodes is
// whole, and what patterns of little loss have in common (pattern_classes.h), tell how much at least.
//
// Deterministic: work is counted in steps of the pricing and pivots, randomness comes from the request's seed.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/measures/order.h"
#include "core/placement/placement.h"
#include "core/planners/patterns/group_relaxation.h"
#include "core/planners/patterns/pattern_classes.h"
#include "core/planners/patterns/pattern_pricing.h"
#include "core/solver/restricted_master.h"

namespace stowage {
namespace {

enum class Goal : std::uint32_t { kUcac, kNodes };

using Pattern = PatternPricing::Pattern;

/// Nodes in the same state.
struct Group {
  NodeState state;
  std::vector<NodeId> nodes;    ///< listed ones
  std::uint64_t anonymous = 0;  ///< and so many new ones of the class
  [[nodiscard]] std::uint64_t size() const { return nodes.size() + anonymous; }
};

/// Which patterns are added to how many nodes of which group.
using Layout = std::map<std::pair<std::uint32_t, Pattern>, std::uint64_t>;

/// A part of the problem: what is to be placed, and on how many nodes of each group.
struct Part {
  Pattern wanted;
  std::vector<std::uint64_t> sizes;
  std::uint32_t filled = kNone;  ///< a group of which no node stays empty
};

constexpr std::uint64_t kLeastQuickSteps = 60;
constexpr std::uint64_t kExactSteps = 50'000;
constexpr std::uint64_t kMostExactSteps = kExactSteps * 512;
/// The clock is looked at after pivots of so many multiplications.
constexpr std::uint64_t kPivotSteps = 1'000'000;
/// Bounds are rounded up to whole nodes, less this.
constexpr double kCeilMargin = 1e-6;
/// Used capacity is bounded closely enough at this share of all there is.
constexpr double kCloseShare = 4e-6;
constexpr std::size_t kColumnsPerSweep = 400;
/// The group relaxation takes so many patterns at most, found in so many steps, for so many apps.
constexpr std::size_t kMostListed = 40'000;
constexpr std::uint64_t kListSteps = 2'000'000;
constexpr std::size_t kMostGroupApps = 16;
/// So many lists are made: of less loss, or after columns that were missing.
constexpr std::uint32_t kMostLists = 32;
constexpr std::uint32_t kMostGroupClasses = 1 << 20;
/// Numbers that are so close to a whole one are whole.
constexpr double kWhole = 1e-5;
/// The search for the best pattern of a class takes so many steps at most, in each interval.
constexpr std::uint64_t kClassSteps = 20'000;
/// And so many searches are made, in each interval.
constexpr std::uint64_t kMostClassSearches = 4096;
/// How hard is tried. A whole node hangs on the last few thousandths of a bound, so that tables pay that leave searches little
/// to do; used capacity falls in small steps, over as many groups as there are busy nodes.
struct Effort {
  PatternPricing::Grid coarse;
  PatternPricing::Grid fine;
  std::uint64_t quick_steps;      // of a search for columns, at most
  std::uint32_t rounds_per_dive;  // of column generation
  std::uint32_t neighbourhood;    // nodes that are packed anew together, at first
};
constexpr Effort kEffortForNodes = {{12, 2000}, {40, 8000}, 1000, 9, 5};
constexpr Effort kEffortForUcac = {{12, 800}, {40, 2000}, 2000, 12, 10};
const Effort& effort(PatternCost cost) { return cost == PatternCost::kNode ? kEffortForNodes : kEffortForUcac; }
/// Tables and bases grow with the number of apps, and patterns of so many have not been of use.
constexpr std::uint32_t kMostStockApps = 200;
/// An uncovered replica costs so many full nodes.
constexpr double kPenalty = 8;

class ColumnGeneration {
 public:
  /// @param base what a plan has besides the cost of patterns, in units of the cost
  ColumnGeneration(const Instance& instance, PatternCost cost, const std::vector<Group>& groups, double base, Run& run)
      : cost_(cost),
        groups_(groups),
        states_(states(groups)),
        pricing_(instance, cost, states_, effort(cost).coarse, &run),
        fine_(instance, cost, states_, effort(cost).fine, &run),
        run_(run),
        base_(base) {
    double largest = 1;
    for (const NodeState& state : states_) {
      largest = std::max(largest, static_cast<double>(state.left[pricing_.main_resource()]));
    }
    penalty_ = kPenalty * (cost == PatternCost::kUcac ? largest : 1);
    // With many groups, little is done for each before the duals are looked at again.
    quick_steps_ = std::clamp(std::uint64_t{40'000} / (groups.size() + 1), kLeastQuickSteps, effort(cost).quick_steps);
    tolerance_ = cost == PatternCost::kUcac ? 1e-8 * largest : 1e-8;
  }

  [[nodiscard]] PatternPricing& pricing() { return pricing_; }
  [[nodiscard]] const std::vector<double>& duals() const { return duals_; }
  [[nodiscard]] bool stopped() const { return run_.clock.stop() != Stop::kNo; }

  [[nodiscard]] double cost(const Layout& layout) const {
    double sum = 0;
    for (const auto& [seat, count] : layout)
      sum += static_cast<double>(count) * pricing_.cost(groups_[seat.first].state, seat.second);
    return sum;
  }

  /// Solves the linear program of the whole part; returns a lower bound on the cost of covering it.
  double solve(const Part& part, const Layout& start) {
    RestrictedMaster master = make_master(part, start);
    double best = 0;
    generate(master, part, kNone, &best);
    duals_ = master.row_duals();
    remember(master);
    return best;
  }

  /// What is known of whole numbers of patterns where all nodes are alike.
  struct Whole {
    double bound = 0;  ///< on the cost of covering the part
    Layout layout;     ///< that costs less than the known one, or nothing
  };
  /// @param known cost of a layout that covers the part
  Whole complete(const Part& part, double known) {
    Whole result;
    if (groups_.size() != 1 || part.wanted.size() > kMostGroupApps) return result;
    RestrictedMaster master = make_master(part, {});
    double bound = 0;
    generate(master, part, kNone, &bound);
    std::vector<GroupRelaxation::Step> steps;
    double most = 0;
    if (!list_steps(master, part, known, steps, most)) return result;
    const double optimum = paid(master, part);
    const std::optional<GroupRelaxation> group = GroupRelaxation::of(basis(master, steps));
    if (!group || group->classes() > kMostGroupClasses) return result;
    GroupRelaxation::Completion path = group->shortest(part.wanted, steps, known - optimum, run_);
    // A path with a step that is not listed loses more than that one.
    result.bound = optimum + std::min(path.bound, most);
    if (!path.found) {
      // Steps for which there is not enough of some basic pattern do harm.
      std::erase_if(steps, [&](const GroupRelaxation::Step& step) { return !group->may_take(part.wanted, step.pattern); });
      path = group->shortest(part.wanted, steps, known - optimum, run_);
    }
    if (!path.found) return result;
    for (const std::size_t step : path.steps) ++result.layout[{0, steps[step].pattern}];
    for (std::size_t k = 0; k < path.times.size(); ++k) {
      if (path.times[k] > 0) result.layout[{0, basis_[k]}] += path.times[k];
    }
    return result;
  }

  /// What is known of a whole number of fresh nodes.
  struct Sides {
    double bound = 0;             ///< on the cost of covering the part
    std::vector<Layout> layouts;  ///< rounded; something may be left over
  };
  /// The program uses a fraction of a fresh node, and a node that is filled in part costs much: the spread of few replicas is
  /// large beside their mean. A plan has no more fresh nodes than the whole ones of the program, or it has at least one more.
  /// The program on so many nodes, in the latter case none of them empty, bounds either side, and spreads what room is left
  /// over many patterns. So Gilmore and Gomory's program is branched on its number of rolls.
  Sides round_nodes(const Part& part, double known) {
    Sides result;
    const std::uint32_t fresh = largest_fresh_group(part);
    if (fresh == kNone) return result;
    RestrictedMaster master = make_master(part, {});
    generate(master, part, kNone, &result.bound);
    double nodes = 0;
    for (const RestrictedMaster::Used& used : master.solution())
      nodes += master.group_of(used.column) == fresh ? used.value : 0;
    if (std::abs(nodes - std::round(nodes)) < kWhole) return result;
    double least = std::numeric_limits<double>::infinity();
    for (const bool more : {false, true}) {
      Part side = part;
      if (more) side.filled = fresh;
      side.sizes[fresh] = static_cast<std::uint64_t>(nodes) + (more ? 1 : 0);
      if (side.sizes[fresh] > part.sizes[fresh]) continue;  // no plan has so many
      RestrictedMaster there = make_master(side, {});
      double bound = 0;
      generate(there, side, kNone, &bound);
      remember(there);
      least = std::min(least, bound);
      if (bound < known && !stopped()) dive(side, result.layouts.emplace_back());
    }
    result.bound = std::max(result.bound, least);
    return result;
  }

  /// Where patterns of little loss have something in common that the whole lacks (pattern_classes.h): a lower bound on the cost
  /// of covering the part. What a node in use takes beside, or instead of, its group's usual pattern is a class.
  double bound_by_classes(const Part& part) {
    RestrictedMaster master = make_master(part, {});
    double bound = 0;
    generate(master, part, kNone, &bound);
    for (std::size_t i = 0; i < part.wanted.size(); ++i) {
      if (part.wanted[i] > 0 && master.row_duals()[i] <= 0)
        return bound;  // patterns of what is worth nothing are not looked at
    }
    const std::vector<Pattern> usual = usual_patterns(master, part);
    const PatternClasses classes(part.wanted.size(), differences(master, usual));
    if (classes.count() == 1 || classes.count() * groups_.size() > kMostClassSearches) return bound;
    pricing_.set_worths(master.row_duals(), part.wanted);
    const std::vector<std::vector<double>> best = pricing_.best_of_classes(states_, classes, kClassSteps);
    run_.clock.step(pricing_.take_work());
    if (best.empty()) return bound;

    double all = paid(master, part);
    std::uint32_t missing = classes.of(part.wanted);
    std::vector<double> losses(classes.count(), std::numeric_limits<double>::infinity());
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (part.sizes[g] == 0) continue;
      const std::uint32_t here = classes.of(usual[g]);
      const double most = *std::max_element(best[g].begin(), best[g].end());
      all -= static_cast<double>(part.sizes[g]) * most;
      missing = classes.difference(missing, classes.times(here, part.sizes[g]));
      for (std::uint32_t c = 0; c < classes.count(); ++c) losses[c] = std::min(losses[c], most - best[g][classes.sum(c, here)]);
    }
    return std::max(bound, all + classes.least_loss(std::move(losses), missing));
  }

  /// Rounds: patterns for everything that can be placed, into `layout`. Fixes whole parts and goes on with the rest.
  void dive(Part part, Layout& layout) {
    while (!stopped() && std::any_of(part.wanted.begin(), part.wanted.end(), [](std::uint32_t n) { return n > 0; })) {
      RestrictedMaster master = make_master(part, {});
      generate(master, part, effort(cost_).rounds_per_dive, nullptr);
      remember(master);
      if (!fix(master, part, layout)) return;
      part.filled = kNone;  // what room there is has been spread
    }
  }

  /// A column that may be of use.
  void know(std::uint32_t group, Pattern pattern) {
    if (!known_.insert({{group, pattern}, 1}).second) return;
    const double cost = pricing_.cost(groups_[group].state, pattern);
    pool_.push_back({group, cost, std::move(pattern)});
  }
  /// Calls visit(group, pattern) for the columns known so far.
  template <class Visit>
  void for_each_known(Visit&& visit) const {
    for (const Column& column : pool_) visit(column.group, column.pattern);
  }

  [[nodiscard]] double squared_losses(const Layout& layout) const {
    double sum = 0;
    for (const auto& [seat, count] : layout) {
      const double lost = loss(seat.first, seat.second);
      sum += static_cast<double>(count) * lost * lost;
    }
    return sum;
  }

  /// What the node's pattern costs beyond what the duals pay for it; at least 0 but for rounding.
  [[nodiscard]] double loss(std::uint32_t group, const Pattern& pattern) const {
    double sum = pricing_.cost(groups_[group].state, pattern);
    for (AppId i = 0; i < pattern.size(); ++i) sum -= pattern[i] > 0 ? duals_[i] * pattern[i] : 0;
    return sum;
  }

 private:
  struct Column {
    std::uint32_t group;
    double cost;
    Pattern pattern;
  };

  static std::vector<NodeState> states(const std::vector<Group>& groups) {
    std::vector<NodeState> result;
    result.reserve(groups.size());
    for (const Group& group : groups) result.push_back(group.state);
    return result;
  }

  [[nodiscard]] std::uint32_t largest_fresh_group(const Part& part) const {
    std::uint32_t largest = kNone;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].state.in_use || part.sizes[g] == 0) continue;
      if (largest == kNone || part.sizes[g] > part.sizes[largest]) largest = g;
    }
    return largest;
  }

  static Pattern pattern_of(const RestrictedMaster& master, std::size_t column) {
    const auto amounts = master.amounts_of(column);
    Pattern pattern(amounts.size());
    for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<std::uint32_t>(amounts[i]);
    return pattern;
  }
  /// Per group, the pattern that the solution uses most, the empty one included.
  [[nodiscard]] std::vector<Pattern> usual_patterns(const RestrictedMaster& master, const Part& part) const {
    std::vector<Pattern> usual(groups_.size(), Pattern(part.wanted.size(), 0));
    std::vector<double> idle(part.sizes.begin(), part.sizes.end());
    for (const RestrictedMaster::Used& used : master.solution()) idle[master.group_of(used.column)] -= used.value;
    std::vector<double> most = std::move(idle);
    for (const RestrictedMaster::Used& used : master.solution()) {
      const std::uint32_t g = master.group_of(used.column);
      if (used.value <= most[g]) continue;
      most[g] = used.value;
      usual[g] = pattern_of(master, used.column);
    }
    return usual;
  }
  /// By what columns differ from the usual patterns of their groups, modulo what lattices are taken by; those of little loss
  /// first.
  [[nodiscard]] static std::vector<Pattern> differences(const RestrictedMaster& master, const std::vector<Pattern>& usual) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t c = 0; c < master.columns(); ++c) order.emplace_back(master.reduced_cost(c), c);
    std::sort(order.begin(), order.end());
    std::vector<Pattern> result;
    for (const auto& [loss, column] : order) {
      result.push_back(pattern_of(master, column));
      const Pattern& from = usual[master.group_of(column)];
      for (std::size_t i = 0; i < from.size(); ++i)
        result.back()[i] += PatternClasses::kModulus - from[i] % PatternClasses::kModulus;
    }
    return result;
  }

  RestrictedMaster make_master(const Part& part, const Layout& start) {
    std::vector<double> demand(part.wanted.begin(), part.wanted.end());
    std::vector<double> sizes(part.sizes.begin(), part.sizes.end());
    std::vector<double> idle(sizes.size(), 0);
    if (part.filled != kNone) idle[part.filled] = penalty_;
    RestrictedMaster master(std::move(demand), std::vector<double>(part.wanted.size(), penalty_), std::move(sizes),
                            std::move(idle));
    // The most frequent pattern of each group starts the basis; all others are there to be used.
    std::uint32_t group = kNone;
    std::uint64_t most = 0;
    std::size_t best = 0;
    const auto settle = [&] {
      if (group != kNone && most > 0) master.start_with(best);
    };
    for (const auto& [seat, count] : start) {
      if (seat.first != group) {
        settle();
        group = seat.first;
        most = 0;
      }
      const std::size_t column = master.add(seat.first, pricing_.cost(groups_[seat.first].state, seat.second), seat.second);
      // Only where it fills the group: others would have it cover more than there is.
      if (count > most && count == part.sizes[seat.first]) {
        most = count;
        best = column;
      }
    }
    settle();
    if (!start.empty()) master.restart();
    for (const Column& column : pool_) {
      if (part.sizes[column.group] == 0 || !within(column.pattern, part.wanted)) continue;
      master.add(column.group, column.cost, column.pattern);
    }
    return master;
  }
  static bool within(const Pattern& pattern, const Pattern& most) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] > most[i]) return false;
    }
    return true;
  }

  /// Keeps the columns of a solution for the programs to come.
  void remember(const RestrictedMaster& master) {
    for (const RestrictedMaster::Used& used : master.solution()) {
      const auto amounts = master.amounts_of(used.column);
      Pattern pattern(amounts.size());
      for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<std::uint32_t>(amounts[i]);
      know(master.group_of(used.column), std::move(pattern));
    }
  }

  /// Adds columns until none is missing, or `rounds` are over.
  /// @param best NULL, or where the best lower bound is raised; then it ends as soon as the bound is close enough
  void generate(RestrictedMaster& master, const Part& part, std::uint32_t rounds, double* best) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (optimize(master)) break;
      if (best != nullptr && is_close(*best, master.objective())) return;
      pricing_.set_worths(master.row_duals(), part.wanted);
      if (sweep(master, part)) continue;
      if (best == nullptr) return;
      if (stopped()) break;
      fine_.set_worths(master.row_duals(), part.wanted);
      bool found = false;
      for (std::uint64_t steps = kExactSteps; !found && steps <= kMostExactSteps && !stopped(); steps *= 8) {
        found = prove(master, part, steps, *best);
        if (is_close(*best, master.objective())) return;
      }
      if (stopped()) break;
      if (!found) return;
    }
    // Ended early: the tables alone bound what columns could be missing.
    if (best == nullptr) return;
    fine_.set_worths(master.row_duals(), part.wanted);
    Tally tally;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (part.sizes[g] > 0) tally.add(part, g, states_[g].in_use, fine_.bound(states_[g]));
    }
    raise(*best, tally, master, part);
  }
  /// Pivots until the columns there are have been used as well as can be; true where the run has to end.
  bool optimize(RestrictedMaster& master) {
    const std::uint64_t rows = master.rows();
    const std::uint64_t few = std::clamp<std::uint64_t>(kPivotSteps / (rows * rows + 1), 8, 400);
    while (true) {
      const std::uint64_t pivots = master.solve(few);
      if (run_.clock.step(1 + pivots * (1 + rows * rows / 400))) return true;
      if (pivots < few) return false;
    }
  }
  /// Whether nothing of interest lies between a bound and the program's optimum.
  [[nodiscard]] bool is_close(double bound, double optimum) const {
    if (cost_ == PatternCost::kNode) return std::ceil(bound - kCeilMargin) >= std::ceil(optimum - 10 * kCeilMargin);
    return optimum - bound <= kCloseShare * base_;
  }

  /// Patterns that lose at most what a better layout could, by ascending loss; fewer, and then `most` is what they lose, where
  /// there are too many. Columns that the program lacks are added. False where there is no such list.
  bool list_steps(RestrictedMaster& master, const Part& part, double known, std::vector<GroupRelaxation::Step>& steps,
                  double& most) {
    const double nothing = tolerance_ * 1e-3;
    most = known - paid(master, part);
    std::vector<Pattern> patterns;
    for (std::uint32_t round = 0; round < kMostLists && !stopped() && most > nothing; ++round) {
      // A pattern for each of many nodes, and none where apps are worth nothing: then what they lose tells too little.
      const std::vector<double>& duals = master.row_duals();
      if (master.group_dual(0) != 0 || *std::min_element(duals.begin(), duals.end()) <= 0) return false;
      fine_.set_worths(duals, part.wanted);
      const bool all = fine_.list(states_[0], -most - nothing, kMostListed, kListSteps, patterns);
      if (run_.clock.step(fine_.take_work())) return false;
      if (!all) {
        most /= 2;
        continue;
      }
      std::vector<std::pair<double, std::size_t>> order;
      bool lacked = false;
      for (const Pattern& pattern : patterns) {
        const double cost = pricing_.cost(states_[0], pattern);
        const double loss = master.reduced_cost(0, cost, pattern);
        if (loss < -nothing) {
          master.add(0, cost, pattern);
          lacked = true;
        }
        order.emplace_back(std::max(0.0, loss), order.size());
      }
      if (!lacked) {
        std::sort(order.begin(), order.end());
        for (const auto& [loss, k] : order) steps.push_back({std::move(patterns[k]), loss});
        return true;
      }
      if (optimize(master)) return false;
      most = std::min(most, known - paid(master, part));
    }
    return false;
  }
  /// As many independent patterns that lose nothing as there are apps, those of the solution first; fewer where there are not.
  const std::vector<Pattern>& basis(const RestrictedMaster& master, const std::vector<GroupRelaxation::Step>& steps) {
    basis_.clear();
    std::vector<std::vector<double>> reduced;  // rows of a triangle, by leading column
    const std::size_t rows = master.rows();
    reduced.resize(rows);
    const auto consider = [&](const Pattern& pattern) {
      std::vector<double> row(pattern.begin(), pattern.end());
      for (std::size_t c = 0; c < rows; ++c) {
        if (std::abs(row[c]) < 1e-7) continue;
        if (reduced[c].empty()) {
          for (std::size_t k = rows; k-- > c;) row[k] /= row[c];
          reduced[c] = std::move(row);
          basis_.push_back(pattern);
          return;
        }
        const double times = row[c];
        for (std::size_t k = c; k < rows; ++k) row[k] -= times * reduced[c][k];
      }
    };
    for (const RestrictedMaster::Used& one : master.solution()) {
      const auto amounts = master.amounts_of(one.column);
      Pattern pattern(rows);
      for (std::size_t i = 0; i < rows; ++i) pattern[i] = static_cast<std::uint32_t>(amounts[i]);
      consider(pattern);
    }
    for (const GroupRelaxation::Step& step : steps) {
      if (basis_.size() == rows || step.loss > tolerance_ * 1e-3) break;
      consider(step.pattern);
    }
    if (basis_.size() < rows) basis_.clear();
    return basis_;
  }

  /// What the most valuable patterns of all groups are worth.
  struct Tally {
    double used = 0;     // sum over groups in use
    double fresh = 0;    // sum over the others
    double largest = 0;  // of the others
    double filled = 0;   // of the group of which no node stays empty
    void add(const Part& part, std::uint32_t group, bool in_use, double value) {
      double& sum = part.filled == group ? filled : in_use ? used : fresh;
      sum += static_cast<double>(part.sizes[group]) * value;
      if (!in_use) largest = std::max(largest, value);
    }
  };
  void raise(double& best, const Tally& tally, const RestrictedMaster& master, const Part& part) const {
    if (part.filled != kNone) {
      // It is to hold for more nodes as well, and patterns of what is worth nothing were not looked at.
      bool holds = tally.filled <= 0;
      for (std::size_t i = 0; i < part.wanted.size(); ++i) holds = holds && (part.wanted[i] == 0 || master.row_duals()[i] > 0);
      if (!holds) return;
    }
    const double all = paid(master, part);
    best = std::max(best, all - tally.used - tally.fresh - tally.filled);
    if (cost_ == PatternCost::kNode) best = std::max(best, (all - tally.used) / (1 + tally.largest));
  }
  // What the duals pay for everything that is wanted. (The program's own demand is a little larger, so that its basis is never
  // degenerate.)
  [[nodiscard]] static double paid(const RestrictedMaster& master, const Part& part) {
    double sum = 0;
    for (std::size_t i = 0; i < part.wanted.size(); ++i) sum += master.row_duals()[i] * part.wanted[i];
    return sum;
  }

  /// What patterns have to be worth more than. An empty node costs nothing, unless there is to be none.
  [[nodiscard]] double floor_of(const RestrictedMaster& master, const Part& part, std::uint32_t group) const {
    const double floor = -master.group_dual(group);
    return (part.filled == group ? floor : std::max(0.0, floor)) + tolerance_;
  }

  /// Looks for columns, briefly, in one group after the other until there are many; true where it found some.
  bool sweep(RestrictedMaster& master, const Part& part) {
    std::size_t found = 0;
    std::uint32_t visited = 0;
    for (; visited < groups_.size() && found < kColumnsPerSweep; ++visited) {
      const auto g = static_cast<std::uint32_t>((first_ + visited) % groups_.size());
      if (part.sizes[g] == 0) continue;
      const PatternPricing::Found result = pricing_.search(states_[g], floor_of(master, part, g), quick_steps_, true);
      for (const Pattern& pattern : result.patterns) master.add(g, pricing_.cost(states_[g], pattern), pattern);
      found += result.patterns.size();
      if (run_.clock.step(pricing_.take_work())) return false;
    }
    if (found >= kColumnsPerSweep) first_ = static_cast<std::uint32_t>((first_ + visited) % groups_.size());
    return found > 0;
  }

  /// Raises the bound. The tables bound what columns of each group could be missing; where that matters most, a search settles
  /// it or finds them. True where it found some.
  bool prove(RestrictedMaster& master, const Part& part, std::uint64_t steps, double& best) {
    struct Open {
      double weight;
      std::uint32_t group;
    };
    std::vector<Open> order;
    std::vector<double> bound(groups_.size(), 0);
    double excess = 0;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (part.sizes[g] == 0) continue;
      const double floor = floor_of(master, part, g);
      bound[g] = std::max(floor, fine_.bound(states_[g]));
      if (bound[g] > floor) order.push_back({(bound[g] - floor) * static_cast<double>(part.sizes[g]), g});
      excess += (bound[g] - floor) * static_cast<double>(part.sizes[g]);
      if (run_.clock.step(fine_.take_work())) return false;
    }
    std::stable_sort(order.begin(), order.end(), [](const Open& a, const Open& b) { return a.weight > b.weight; });
    const double close = cost_ == PatternCost::kUcac ? kCloseShare * base_ / 2 : 0;
    std::size_t found = 0;
    for (const Open& open : order) {
      if (excess <= close || found >= kColumnsPerSweep) break;
      const double floor = floor_of(master, part, open.group);
      const PatternPricing::Found result = fine_.search(states_[open.group], floor, steps);
      for (const Pattern& pattern : result.patterns) master.add(open.group, fine_.cost(states_[open.group], pattern), pattern);
      found += result.patterns.size();
      bound[open.group] = std::min(bound[open.group], result.bound);
      excess -= open.weight - (bound[open.group] - floor) * static_cast<double>(part.sizes[open.group]);
      if (run_.clock.step(fine_.take_work())) break;
    }
    Tally tally;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (part.sizes[g] > 0) tally.add(part, g, states_[g].in_use, bound[g]);
    }
    raise(best, tally, master, part);
    return found > 0;
  }

  /// Fixes the whole parts of the solution, or else the largest fraction; false where there is nothing to fix.
  bool fix(const RestrictedMaster& master, Part& part, Layout& layout) {
    bool any = false;
    const auto take = [&](const RestrictedMaster::Used& used, std::uint64_t times) {
      const auto amounts = master.amounts_of(used.column);
      Pattern pattern(amounts.size());
      const std::uint32_t g = master.group_of(used.column);
      times = std::min(times, part.sizes[g]);
      for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<std::uint32_t>(amounts[i]);
      for (; times > 0; --times) {
        // What is covered twice is left out of the last ones.
        bool empty = true;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
          pattern[i] = std::min(pattern[i], part.wanted[i]);
          empty = empty && pattern[i] == 0;
        }
        if (empty) return;
        std::uint64_t same = times;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
          if (pattern[i] > 0) same = std::min<std::uint64_t>(same, part.wanted[i] / pattern[i]);
        }
        for (std::size_t i = 0; i < pattern.size(); ++i) part.wanted[i] -= static_cast<std::uint32_t>(same * pattern[i]);
        part.sizes[g] -= same;
        layout[{g, pattern}] += same;
        any = true;
        times -= same - 1;
      }
    };
    const std::vector<RestrictedMaster::Used> solution = master.solution();
    for (const RestrictedMaster::Used& used : solution) {
      if (used.value >= 1 - kWhole) take(used, static_cast<std::uint64_t>(used.value + kWhole));
    }
    if (any) return true;
    std::vector<RestrictedMaster::Used> order = solution;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    for (const RestrictedMaster::Used& used : order) {
      take(used, 1);
      if (any) return true;
    }
    return false;
  }

  PatternCost cost_;
  const std::vector<Group>& groups_;
  std::vector<NodeState> states_;
  PatternPricing pricing_;
  PatternPricing fine_;
  Run& run_;
  double penalty_ = 0;
  double tolerance_ = 0;
  double base_ = 0;
  std::uint64_t quick_steps_ = kLeastQuickSteps;
  std::vector<double> duals_;
  std::vector<Pattern> basis_;
  std::vector<Column> pool_;
  Layout known_;
  std::uint32_t first_ = 0;  // where the next sweep begins
};

template <class Unit>
class CuttingStockRun {
 public:
  CuttingStockRun(const PlannerInput& input, Goal goal)
      : input_(input),
        instance_(input.instance),
        cost_(goal == Goal::kUcac && input.instance.uncertain() ? PatternCost::kUcac : PatternCost::kNode),
        placement_(input.instance, input.request),
        start_in_use_(placement_.nodes_in_use()) {
    find_groups();
  }

  Error run(Plan& plan) {
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    Part whole;
    for (AppId i = 0; i < instance_.apps(); ++i) whole.wanted.push_back(placement_.unplaced(i));
    for (const Group& group : groups_) whole.sizes.push_back(group.size());

    // Two plans that are quick to make: the first columns, and something to fall back on.
    ColumnGeneration generation(instance_, cost_, groups_, base(), input_.run);
    Layout best;
    for (const char* name : {"biheu", "bf-ucac"}) {
      Plan other;
      if (Error e = run_within(input_, name, other); failed(e)) return e;
      Layout layout = layout_of(other);
      if (best_left_ == kUnknown || is_better(generation, layout, other, best)) {
        best = std::move(layout);
        best_left_ = left_over(other);
        plan.adopt(std::move(other));
      }
    }
    best_cost_ = generation.cost(best);
    if (groups_.empty() || std::all_of(whole.wanted.begin(), whole.wanted.end(), [](std::uint32_t n) { return n == 0; })) {
      return {};
    }
    if (input_.run.clock.stop() != Stop::kNo) return {};

    input_.run.progress.enter(Phase::kImprove);
    recall(generation);
    const double bound = generation.solve(whole, best_left_ == 0 ? best : Layout{});
    set_bounds(bound, plan);
    std::vector<std::vector<Tenant>> used;
    if (input_.memory != nullptr)
      generation.for_each_known([&](std::uint32_t g, const Pattern& added) { used.push_back(whole_node(g, added)); });
    improve(generation, bound, whole, plan, best);
    leave_behind(std::move(used), plan);
    return {};
  }

 private:
  // Rounds, and searches.
  void improve(ColumnGeneration& generation, double bound, const Part& whole, Plan& plan, Layout& best) {
    if (input_.run.clock.stop() != Stop::kNo || reached(bound)) return;
    Layout rounded;
    generation.dive(whole, rounded);
    if (input_.run.clock.stop() != Stop::kNo) return;
    offer(generation, rounded, whole, plan, best);
    const bool searches = input_.options.number("search") > 0 && best_left_ == 0 && input_.request.node_limit == 0;
    if (!searches || reached(bound)) return;
    if (cost_ == PatternCost::kUcac) bound = heed_whole_numbers(generation, bound, whole, plan, best);
    search(generation, bound, whole, plan, best);
  }
  // What follows from numbers being whole: better plans, and better bounds. Returns the best bound.
  double heed_whole_numbers(ColumnGeneration& generation, double bound, const Part& whole, Plan& plan, Layout& best) {
    const auto raise = [&](double known) {
      if (known <= bound) return;
      bound = known;
      set_bounds(bound, plan);
    };
    const ColumnGeneration::Whole completed = generation.complete(whole, best_cost_);
    if (!completed.layout.empty()) offer(generation, completed.layout, whole, plan, best);
    raise(completed.bound);
    if (reached(bound) || generation.stopped()) return bound;
    const ColumnGeneration::Sides sides = generation.round_nodes(whole, best_cost_);
    for (const Layout& layout : sides.layouts) offer(generation, layout, whole, plan, best);
    raise(sides.bound);
    if (reached(bound) || generation.stopped()) return bound;
    raise(generation.bound_by_classes(whole));
    return bound;
  }

  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  static constexpr std::uint32_t kFailures = 120;
  /// Squares of nodes that have to be gathered by an exchange that saves no node.
  static constexpr double kLeastGathered = 1e-6;

  // What a node of the group holds with a pattern added.
  [[nodiscard]] std::vector<Tenant> whole_node(std::uint32_t group, const Pattern& added) const {
    std::vector<Tenant> result;
    for (AppId i = 0; i < added.size(); ++i) {
      const std::uint32_t replicas = added[i] + held(group, i);
      if (replicas > 0) result.push_back({i, replicas});
    }
    return result;
  }
  // Of nodes in the same state, what the first one holds.
  [[nodiscard]] std::uint32_t held(std::uint32_t group, AppId app) const {
    return groups_[group].nodes.empty() ? 0 : placement_.contents().count(app, groups_[group].nodes.front());
  }
  // Columns from patterns of earlier runs: what completes a node to one of them.
  void recall(ColumnGeneration& generation) const {
    if (input_.memory == nullptr) return;
    Pattern added(instance_.apps());
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      const Pattern nothing(instance_.apps(), 0);
      const std::vector<Tenant> here = whole_node(g, nothing);
      for (const std::vector<Tenant>& pattern : input_.memory->patterns) {
        added = nothing;
        for (const Tenant& tenant : pattern) added[tenant.app] = tenant.replicas;
        const bool covers =
            std::all_of(here.begin(), here.end(), [&](const Tenant& tenant) { return added[tenant.app] >= tenant.replicas; });
        if (!covers) continue;
        for (const Tenant& tenant : here) added[tenant.app] -= tenant.replicas;
        for (AppId i = 0; i < added.size(); ++i) added[i] = std::min(added[i], placement_.unplaced(i));
        if (added != nothing && generation.pricing().fits(groups_[g].state, added)) generation.know(g, added);
      }
    }
  }
  // For the next run: what nodes of the plan hold, and what those of the linear program do.
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

  static std::uint64_t left_over(const Plan& plan) {
    std::uint64_t sum = 0;
    for (const Unplaced& u : plan.unplaced) sum += u.replicas;
    return sum;
  }
  bool is_better(const ColumnGeneration& generation, const Layout& layout, const Plan& plan, const Layout& best) const {
    const std::uint64_t left = left_over(plan);
    return left != best_left_ ? left < best_left_ : generation.cost(layout) < generation.cost(best);
  }
  [[nodiscard]] bool reached(double bound) const {
    if (best_left_ > 0) return false;
    return cost_ == PatternCost::kNode ? best_cost_ <= std::ceil(bound - kCeilMargin) : best_cost_ <= bound * (1 + 1e-10);
  }

  void find_groups() {
    const InstanceData& data = instance_.data();
    const LimitRows& rows = instance_.limit_rows();
    group_of_.assign(instance_.listed_nodes(), kNone);
    class_group_.assign(instance_.classes(), kNone);
    std::map<std::vector<std::int64_t>, std::uint32_t> known;
    std::uint64_t wanted = 0;
    for (AppId i = 0; i < instance_.apps(); ++i) wanted += placement_.unplaced(i);
    std::vector<std::uint64_t> listed(instance_.classes(), 0);
    const auto group_for = [&](NodeState state) {
      std::vector<std::int64_t> key = {state.node_class, state.in_use ? 1 : 0};
      key.insert(key.end(), state.left.begin(), state.left.end());
      key.insert(key.end(), state.risk.begin(), state.risk.end());
      if (rows.self_limit_count() > 0) key.insert(key.end(), state.at_most.begin(), state.at_most.end());
      const auto [at, fresh] = known.try_emplace(std::move(key), static_cast<std::uint32_t>(groups_.size()));
      if (fresh) groups_.push_back({std::move(state), {}, 0});
      return at->second;
    };
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
      const ClassId c = data.node_class[n];
      ++listed[c];
      if (!data.closed.empty() && data.closed[n] != 0) continue;
      NodeState state{c, placement_.used(n), {}, {}, {}};
      if (rows.self_limit_count() > 0) state.at_most.assign(instance_.apps(), kNone);
      bool broken = false;
      for (ResourceId r = 0; r < instance_.resources(); ++r) {
        state.left.push_back(instance_.uncertain() ? placement_.residuals().mean_left(n, r)
                                                   : std::int64_t{placement_.residuals().residual(n, r)});
        state.risk.push_back(instance_.uncertain() ? placement_.residuals().risk(n, r) : 0);
        broken =
            broken || state.left[r] < 0 || (instance_.uncertain() && instance_.risk_room(state.left[r], r) < state.risk[r]);
      }
      if (broken) continue;  // takes nothing
      for (AppId i = 0; i < instance_.apps() && rows.self_limit_count() > 0; ++i) {
        const std::uint32_t limit = rows.self_limit(i);
        if (limit == kNone) continue;
        const std::uint32_t here = placement_.contents().count(i, n);
        state.at_most[i] = limit > here ? limit - here : 0;
      }
      group_of_[n] = group_for(std::move(state));
      groups_[group_of_[n]].nodes.push_back(n);
    }
    for (const ClassId c : class_order(instance_)) {
      const std::uint64_t count = data.classes[c].count == 0 ? wanted : data.classes[c].count - listed[c];
      if (count == 0) continue;
      NodeState state{c, false, {}, std::vector<std::int64_t>(instance_.resources(), 0), {}};
      for (const std::int32_t units : instance_.scaled_capacity(c)) state.left.push_back(units);
      for (AppId i = 0; i < instance_.apps() && rows.self_limit_count() > 0; ++i) state.at_most.push_back(rows.self_limit(i));
      class_group_[c] = group_for(std::move(state));
      groups_[class_group_[c]].anonymous += std::min(count, wanted);
    }
  }

  // Means and what the start adds to them, in scaled units of the resource that counts.
  [[nodiscard]] double base() const {
    if (!instance_.uncertain()) return 0;
    const ResourceId r = instance_.uncertain_resource();
    return static_cast<double>(instance_.total_demand()[r]) + roots_at_start(r);
  }
  [[nodiscard]] double roots_at_start(ResourceId r) const {
    double sum = 0;
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) sum += instance_.root_of_risk(placement_.residuals().risk(n, r), r);
    return sum;
  }

  // Risks are rounded up to whole units: what the root of one is at least, as a share of what it is taken for.
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

  // What a plan adds to the start.
  Layout layout_of(const Plan& plan) const {
    std::vector<Pattern> added(plan.nodes.size(), Pattern(instance_.apps(), 0));
    for (const Placed& p : plan.placed) {
      const NodeId listed = plan.nodes[p.node].listed;
      added[p.node][p.app] = p.replicas - (listed == kNone ? 0 : placement_.contents().count(p.app, listed));
    }
    Layout layout;
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      if (std::all_of(added[n].begin(), added[n].end(), [](std::uint32_t k) { return k == 0; })) continue;
      const PlannedNode& node = plan.nodes[n];
      layout[{node.listed == kNone ? class_group_[node.node_class] : group_of_[node.listed], std::move(added[n])}] +=
          node.copies;
    }
    return layout;
  }

  // Takes the layout as the best plan, once what it leaves over has found its place, where it is better.
  bool offer(ColumnGeneration& generation, const Layout& layout, const Part& whole, Plan& plan, Layout& best) {
    Placement<Unit> placement(instance_, input_.request);
    std::vector<std::size_t> next(groups_.size(), 0);
    for (const auto& [seat, count] : layout) {
      const Group& group = groups_[seat.first];
      for (std::uint64_t k = 0; k < count; ++k) {
        const bool is_listed = next[seat.first] < group.nodes.size();
        const NodeId node = is_listed ? group.nodes[next[seat.first]++] : placement.open(group.state.node_class);
        if (node == kNone || !placement.may_use(node)) continue;
        for (AppId i = 0; i < seat.second.size(); ++i) {
          const std::uint32_t replicas = std::min(seat.second[i], placement.unplaced(i));
          if (replicas > 0) placement.place(i, node, replicas);
        }
        if (!is_listed) k += placement.repeat(node, count - k - 1);
      }
    }
    place_rest(placement, whole);
    Plan fresh;
    placement.write(fresh);
    Layout real = layout_of(fresh);
    const std::uint64_t left = left_over(fresh);
    const double cost = generation.cost(real);
    if (left > best_left_ || (left == best_left_ && cost >= best_cost_)) return false;
    best_left_ = left;
    best_cost_ = cost;
    best = std::move(real);
    plan.adopt(std::move(fresh));
    return true;
  }
  void place_rest(Placement<Unit>& placement, const Part& whole) const {
    typename Placement<Unit>::Candidate candidate(placement);
    const std::vector<ClassId> classes = class_order(instance_);
    for (AppId i = 0; i < whole.wanted.size(); ++i) {
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

  void set_bounds(double bound, Plan& plan) const {
    // Rounded units would have to be rounded back; and running replicas that may move are not considered.
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      if (!instance_.scale(r).exact()) return;
    }
    if (input_.request.move_budget > 0 && !input_.request.ignore_running) return;
    if (cost_ == PatternCost::kNode) {
      plan.node_bound = {"patterns", start_in_use_ + std::ceil(bound - kCeilMargin), kNone, kNone};
      return;
    }
    const ResourceId r = instance_.uncertain_resource();
    double sum = (bound * (1 - 1e-9) + roots_at_start(r)) * least_root(r);
    sum *= instance_.scale(r).unit();
    for (AppId i = 0; i < instance_.apps(); ++i) sum += instance_.demand(i, r, 0) * instance_.replicas(i);
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) sum += instance_.load(n, r, 0);
    plan.ucac_bound = {"patterns", sum * (1 - 1e-11), r, 0};
    plan.has_ucac_bound = true;
  }

  // Packs a few nodes anew, again and again.
  void search(ColumnGeneration& generation, double bound, const Part& whole, Plan& plan, Layout& best) {
    Random random(input_.request.seed);
    std::uint32_t failures = 0;
    bool changed = false;
    // A few nodes are soon packed in all ways there are.
    std::uint64_t nodes = 0;
    for (const auto& seat : best) nodes += seat.second;
    const auto patience = static_cast<std::uint32_t>(std::min<std::uint64_t>(kFailures, 4 + 2 * nodes));
    while (input_.run.clock.stop() == Stop::kNo && failures < patience && !reached(bound)) {
      // One entry per node with a pattern, by loss.
      std::vector<std::pair<double, const Layout::value_type*>> seats;
      for (const auto& seat : best) seats.emplace_back(-generation.loss(seat.first.first, seat.first.second), &seat);
      std::stable_sort(seats.begin(), seats.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      Part part;
      part.wanted.assign(instance_.apps(), 0);
      part.sizes.assign(groups_.size(), 0);
      Layout out;
      const auto pick = [&](std::size_t k) {
        const auto& [seat, count] = *seats[k].second;
        auto& taken = out[seat];
        if (taken == count) return;
        ++taken;
        ++part.sizes[seat.first];
        for (AppId i = 0; i < seat.second.size(); ++i) part.wanted[i] += seat.second[i];
      };
      // A whole node is saved where many leave a little; used capacity falls in small steps.
      const std::uint32_t growth = cost_ == PatternCost::kNode ? 1u << failures % 6 : 1u << failures % 2;
      const auto all = static_cast<std::uint32_t>(seats.size());
      const std::uint32_t few = effort(cost_).neighbourhood * growth;
      if (cost_ == PatternCost::kNode) pick(0);
      for (std::uint32_t k = 0; k < few / 2; ++k) pick(random.below(std::min(all, 2 * few)));
      for (std::uint32_t k = few / 2; k < few; ++k) pick(random.below(all));
      // Nodes that got nothing may be better.
      std::vector<std::uint64_t> idle(groups_.size());
      for (std::uint32_t g = 0; g < groups_.size(); ++g) idle[g] = groups_[g].size();
      for (const auto& [seat, count] : best) idle[seat.first] -= count;
      for (std::uint32_t k = 0; k < few; ++k) {
        const std::uint32_t g = random.below(static_cast<std::uint32_t>(groups_.size()));
        if (idle[g] == 0 || cost_ == PatternCost::kNode) continue;
        --idle[g];
        ++part.sizes[g];
      }
      std::erase_if(out, [](const auto& seat) { return seat.second == 0; });
      Layout in;
      generation.dive(part, in);
      if (generation.stopped()) break;
      if (!complete(part, in)) {
        ++failures;
        continue;
      }
      const double gain = generation.cost(out) - generation.cost(in);
      if (gain > 1e-9) {
        failures = 0;
      } else {
        // As many nodes: all of them together lose as much as before. What is lost on few nodes is soon one node's worth.
        const bool gathers = cost_ == PatternCost::kNode && gain > -1e-9 &&
                             generation.squared_losses(in) > generation.squared_losses(out) + kLeastGathered;
        ++failures;
        if (!gathers) continue;
      }
      changed = true;
      for (const auto& [seat, count] : out) {
        auto at = best.find(seat);
        at->second -= count;
        if (at->second == 0) best.erase(at);
      }
      for (const auto& [seat, count] : in) best[seat] += count;
      best_cost_ = generation.cost(best);
    }
    if (!changed) return;
    const Layout final_layout = best;
    best_cost_ = std::numeric_limits<double>::infinity();
    offer(generation, final_layout, whole, plan, best);
  }
  static bool complete(const Part& part, const Layout& layout) {
    std::vector<std::uint64_t> placed(part.wanted.size(), 0);
    for (const auto& [seat, count] : layout) {
      for (std::size_t i = 0; i < placed.size(); ++i) placed[i] += count * seat.second[i];
    }
    return std::equal(placed.begin(), placed.end(), part.wanted.begin());
  }

  const PlannerInput& input_;
  const Instance& instance_;
  PatternCost cost_;
  Placement<Unit> placement_;  // as everything starts
  std::uint32_t start_in_use_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;     // per listed node; kNone where nothing can be added
  std::vector<std::uint32_t> class_group_;  // per class: the group of its new nodes
  std::uint64_t best_left_ = kUnknown;
  double best_cost_ = 0;
};

Error cutting_stock(const PlannerInput& input, Plan& plan) {
  if (input.instance.apps() > kMostStockApps) {
    return {Code::kUnsupported, input.info.name + " takes at most " + std::to_string(kMostStockApps) + " apps", "planner"};
  }
  const auto goal = static_cast<Goal>(input.info.variant);
  return input.instance.visit_unit([&](auto unit) { return CuttingStockRun<decltype(unit)>(input, goal).run(plan); });
}

constexpr std::array<OptionInfo, 1> kSearchOption = {
    {{"search", "1: after rounding, a few nodes are packed anew until nothing improves; 0: the rounded plan is the answer", 1,
      0, 1}}};

constexpr FeatureSet kHonours = Feature::kNodeClasses | Feature::kFiniteNodes | Feature::kExistingLoad | Feature::kRunning |
                                Feature::kPins | Feature::kClosedNodes | Feature::kSelfLimits | Feature::kUncertainDemand;

}  // namespace

std::span<const PlannerInfo> cutting_stock_planners() {
  static const std::vector<PlannerInfo> kPlanners = {
      {"csp-ucac", "cutting stock by column generation, least used capacity at confidence", "P1, section 5.3, algorithm 1",
       "column generation, then until nothing improves", kHonours, kSearchOption, cutting_stock,
       static_cast<std::uint32_t>(Goal::kUcac), true},
      {"csp-mac", "cutting stock by column generation, fewest nodes", "P1, sections 5.3 and 6, algorithm 1",
       "column generation, then until nothing improves", kHonours, kSearchOption, cutting_stock,
       static_cast<std::uint32_t>(Goal::kNodes), false},
  };
  return kPlanners;
}

}  // namespace stowage
