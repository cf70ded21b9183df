// The search for room. Its moves empty one to four nodes and refill them: applications that were there or wait, by rising cost,
// with noise, replica after replica by cosine, first on the emptied nodes. What is not placed as a whole is taken away again.
// The energy is, besides the weight admitted, what is left for more: what is admitted should cost little at the bound's prices,
// and what is free on a node should have the shape of demand, so that the smallest free share over resources counts. A move
// stays if it lowers the energy by no more than a random loss at a temperature that falls with the work done (Metropolis et
// al., 1953).
//
// O(nodes emptied x (waiting applications looked at x d) + replicas moved x N d) per move.

#include "core/planners/auto/most_admitted.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/base/sort_by.h"
#include "core/bounds/admission/node_prices.h"
#include "core/planners/admit/admission.h"
#include "core/planners/notes.h"

namespace stowage {
namespace {

/// Of the weight of an application, what its cost takes away.
constexpr double kCostInEnergy = 0.15;
/// What room for a mean replica counts, in mean weights.
constexpr double kRoomInEnergy = 0.3;
/// Temperatures at first and in the end, in mean weights; half way after so many moves per node.
constexpr double kHottestAtFirst = 0.05;
constexpr double kColdest = 0.02;
constexpr double kMovesPerNodeHalfWay = 200;
constexpr std::uint32_t kMostEmptied = 4;
/// Waiting applications that a move looks at, the cheapest ones.
constexpr std::uint32_t kMostAppsLookedAt = 256;
// So many replicas of a node or an application are moved between two looks at the clock.
constexpr std::uint64_t kManyReplicas = 4096;
/// Of the applications that a move looks at, so large a share at most is left to a second round.
constexpr double kMostLater = 0.2;
constexpr std::uint64_t kLookedAtPerUnit = 64;
/// One more priority counts so many times as much in the energy.
constexpr double kPriorityFactor = 64;
constexpr std::size_t kPrioritiesTold = 6;
/// Sums of weights that differ by a smaller share are equal.
constexpr double kRoundingOfWeights = 1e-10;
/// Maxima over nodes are brought up to date after so many moves.
constexpr std::uint64_t kMovesPerSettling = 64;
/// Work of the first turns of search and bound; each turn has twice as much as the one before.
constexpr std::uint64_t kFirstSearchTurn = 20'000;
constexpr std::uint64_t kFirstBoundTurn = 6'000;
/// Work of a search that has to do with one added node less.
constexpr std::uint64_t kWorkForOneLess = 600'000;

template <class Unit>
class RoomSearch {
 public:
  /// Searches until the clock says so or all is admitted, for `most_work` at most. At most `may_add` nodes are added.
  RoomSearch(const PlannerInput& input, const Request& request, std::uint64_t may_add, std::uint64_t most_work)
      : input_(input),
        clock_(input.run.clock),
        random_(input.request.seed),
        admission_(input.instance, request),
        last_work_(clock_.work() + std::min(most_work, WorkClock::kEndless - clock_.work())),
        start_(admission_.placement().contents()),
        applications_(whole_applications(input.instance)) {
    admission_.add_at_most(may_add);
    price();
    order();
    bound_ = input.bounds.admission().left_out;
  }

  Error run(Plan& plan) {
    build_up();
    if (admission_.placement().hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    if (input_.instance.tag_model().has_hard_minimum()) {
      note_minimum(input_);
      admission_.placement().write(plan);
      return {};
    }
    keep_best();
    input_.run.progress.enter(Phase::kImprove);
    search_and_bound();
    admission_.placement().write(best_, plan);
    if (!bound_name_.empty()) plan.bounds[Objective::kAdmitted] = Bound{bound_name_, bound_};
    return {};
  }

 private:
  struct Change {
    AppId app;
    NodeId node;
    bool placed;
  };

  // What a replica of an app costs: by the prices of the bound or, where nothing is short, by Eq. 20.
  void price() {
    const Instance& instance = input_.instance;
    const std::vector<double>& prices = input_.bounds.admission().price;
    const std::uint32_t dims = instance.dims();
    cost_.assign(applications_.size(), 0);
    inverse_mean_.assign(dims, 0);
    application_.assign(instance.apps(), kNone);
    double weights = 0;
    for (std::uint32_t a = 0; a < applications_.size(); ++a) {
      weights += applications_[a].weight;
      cost_[a] = prices.empty() ? applications_[a].size : 0;
      for (const AppId app : applications_[a].apps) {
        application_[app] = a;
        if (prices.empty()) continue;
        const auto demand = instance.scaled_demand<Unit>(app);
        for (std::uint32_t h = 0; h < dims; ++h) cost_[a] += prices[h] * demand[h] * instance.replicas(app);
      }
    }
    mean_weight_ = applications_.empty() ? 1 : weights / static_cast<double>(applications_.size());
    for (std::uint32_t h = 0; h < dims; ++h) {
      const auto all = static_cast<double>(instance.total_demand()[h]);
      if (all > 0) inverse_mean_[h] = static_cast<double>(instance.total_replicas()) / all;
    }
  }

  // Ranks the applications by priority and by cost per weight, and weighs priorities for the energy.
  void order() {
    std::vector<std::uint32_t> by_rank(applications_.size());
    for (std::uint32_t a = 0; a < by_rank.size(); ++a) by_rank[a] = a;
    std::stable_sort(by_rank.begin(), by_rank.end(), [&](std::uint32_t a, std::uint32_t b) {
      const WholeApplication& one = applications_[a];
      const WholeApplication& other = applications_[b];
      return one.priority != other.priority ? one.priority > other.priority : cost_[a] * other.weight < cost_[b] * one.weight;
    });
    std::vector<WholeApplication> ranked;
    std::vector<double> cost;
    for (const std::uint32_t a : by_rank) {
      ranked.push_back(std::move(applications_[a]));
      cost.push_back(cost_[a]);
    }
    applications_ = std::move(ranked);
    cost_ = std::move(cost);
    worth_.assign(applications_.size(), 0);
    double factor = 1;
    std::size_t told = 1;
    for (std::uint32_t a = static_cast<std::uint32_t>(applications_.size()); a-- > 0;) {
      const bool higher = a + 1 < applications_.size() && applications_[a].priority > applications_[a + 1].priority;
      if (higher && told++ < kPrioritiesTold) factor *= kPriorityFactor;
      worth_[a] =
          (applications_[a].weight - kCostInEnergy * std::min(cost_[a], 4 * applications_[a].weight)) * factor / mean_weight_;
      for (const AppId app : applications_[a].apps) application_[app] = a;
    }
    for (std::uint32_t a = 0; a < applications_.size(); ++a) {
      const bool lower = a > 0 && applications_[a].priority < applications_[a - 1].priority;
      level_.push_back(a == 0 ? 0 : level_.back() + (lower ? 1 : 0));
    }
    out_.assign(level_.empty() ? 0 : level_.back() + std::size_t{1}, 0);
  }

  void build_up() {
    admitted_.assign(applications_.size(), 1);
    waiting_.assign((applications_.size() + 63) / 64, 0);
    before_.assign(applications_.size(), 2);
    for (std::uint32_t a = 0; a < applications_.size(); ++a) {
      const bool all =
          clock_.stop() == Stop::kNo && admission_.admit(applications_[a], Fitness::kCosine, Opening::kAny, clock_);
      set_admitted(a, all);
    }
  }

  void set_admitted(std::uint32_t a, bool admitted) {
    if (admitted_[a] == (admitted ? 1 : 0)) return;
    admitted_[a] = admitted ? 1 : 0;
    out_[level_[a]] += admitted ? -applications_[a].weight : applications_[a].weight;
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    admitted ? waiting_[a / 64] &= ~bit : waiting_[a / 64] |= bit;
  }

  [[nodiscard]] double left_out() const {
    double sum = 0;
    for (std::uint32_t a = 0; a < applications_.size(); ++a) sum += admitted_[a] != 0 ? 0 : applications_[a].weight;
    return sum;
  }

  void keep_best() {
    best_ = admission_.placement().contents();
    best_out_ = out_;
    best_left_out_ = left_out();
    std::uint64_t left_over = 0;
    for (AppId app = 0; app < input_.instance.apps(); ++app) left_over += admission_.placement().left_over(app);
    input_.run.improved({admission_.placement().nodes_in_use(), best_left_out_, left_over}, Objective::kAdmitted);
  }

  [[nodiscard]] bool over() const {
    return clock_.stop() != Stop::kNo || clock_.work() >= last_work_ || input_.run.checkpoints.is_moot() ||
           reaches(Objective::kAdmitted, best_left_out_, bound_);
  }

  // Search and bound take turns.
  void search_and_bound() {
    if (over() || admission_.placement().nodes() == 0) return;
    NodePrices prices(input_.instance, Supply(input_.instance), input_.request, input_.bounds.admission());
    double all = 0;
    for (const WholeApplication& one : applications_) all += one.weight;
    bool bound_grows = true;
    begin_search();
    for (std::uint64_t turn = 1; !over(); turn *= 2) {
      clock_.begin_part(turn * kFirstSearchTurn);
      while (!over()) move();
      clock_.end_part();
      if (over() || !bound_grows) continue;
      clock_.begin_part(turn * kFirstBoundTurn);
      bound_grows = prices.run(all - best_left_out_, clock_);
      clock_.end_part();
      if (prices.left_out() <= bound_) continue;
      bound_ = prices.left_out();
      bound_name_ = "node-prices";
    }
  }

  // What is free on a node, in mean replicas.
  [[nodiscard]] double room(NodeId node) const {
    double least = std::numeric_limits<double>::max();
    for (std::uint32_t h = 0; h < inverse_mean_.size(); ++h) {
      if (inverse_mean_[h] > 0)
        least = std::min(least, admission_.placement().residuals().residual(node, h) * inverse_mean_[h]);
    }
    return least < std::numeric_limits<double>::max() ? std::max(0.0, least) : 0;
  }

  void begin_search() {
    admission_.placement().residuals().loosen_maxima();
    room_.clear();
    touched_.assign(admission_.placement().nodes(), 0);
    for (NodeId node = 0; node < admission_.placement().nodes(); ++node) room_.push_back(room(node));
  }

  // Replicas that came to the node since the start; the others stay.
  [[nodiscard]] std::uint32_t movable(const Tenant& tenant, NodeId node) const { return start_.newcomers(tenant, node); }

  void place(AppId app, NodeId node) {
    admission_.place(app, node);
    changes_.push_back({app, node, true});
    touch(node);
  }
  void remove(AppId app, NodeId node) {
    admission_.remove(app, node);
    changes_.push_back({app, node, false});
    touch(node);
  }
  void touch(NodeId node) {
    while (touched_.size() <= node) {
      touched_.push_back(0);
      room_.push_back(0);
    }
    if (touched_[node] != 0) return;
    touched_[node] = 1;
    changed_nodes_.push_back(node);
  }

  void move() {
    changes_.clear();
    changed_nodes_.clear();
    flipped_.clear();
    empty_some();
    if (clock_.stop() == Stop::kNo) refill();
    // The best plan is kept elsewhere.
    if (clock_.is_over()) return;
    double gain = 0;
    for (const std::uint32_t a : flipped_) {
      if (admitted_[a] != before_admitted(a)) gain += admitted_[a] != 0 ? worth_[a] : -worth_[a];
    }
    for (const NodeId node : changed_nodes_) gain += kRoomInEnergy * (room(node) - room_[node]);
    const double nodes = std::max<double>(1, static_cast<double>(room_.size()));
    const double way = kMovesPerNodeHalfWay * nodes / (kMovesPerNodeHalfWay * nodes + static_cast<double>(moves_++));
    const double temperature = kColdest + (kHottestAtFirst - kColdest) * way;
    // Once the clock has said that the run ends, the move was cut short.
    const bool stays = clock_.stop() == Stop::kNo && gain >= temperature * draws_.draw(random_);
    stays ? accept() : undo();
    for (const NodeId node : changed_nodes_) touched_[node] = 0;
    if (moves_ % kMovesPerSettling != 0) return;
    admission_.placement().residuals().settle();
    admission_.placement().residuals().loosen_maxima();
  }

  void accept() {
    for (const NodeId node : changed_nodes_) room_[node] = room(node);
    for (const std::uint32_t a : flipped_) before_[a] = 2;
    // Sums of doubles that went up and down by the same numbers may differ.
    for (std::size_t k = 0; k < out_.size(); ++k) {
      if (std::abs(out_[k] - best_out_[k]) <= kRoundingOfWeights * best_out_[k]) continue;
      if (out_[k] < best_out_[k]) keep_best();
      break;
    }
  }

  void undo() {
    for (std::size_t k = changes_.size(); k-- > 0;) {
      const Change& change = changes_[k];
      change.placed ? admission_.remove(change.app, change.node) : admission_.place(change.app, change.node);
    }
    for (const std::uint32_t a : flipped_) {
      set_admitted(a, before_[a] != 0);
      before_[a] = 2;
    }
  }

  // Remembers whether the application was admitted before the move.
  void note_before(std::uint32_t a) {
    if (before_[a] != 2) return;
    before_[a] = admitted_[a];
    flipped_.push_back(a);
  }
  [[nodiscard]] std::uint8_t before_admitted(std::uint32_t a) const { return before_[a]; }

  void empty_some() {
    emptied_.clear();
    taken_.clear();
    const std::uint32_t nodes = admission_.placement().nodes();
    const std::uint32_t wanted = 1 + random_.below(std::min(kMostEmptied, nodes));
    std::uint64_t removed = 0;
    for (std::uint32_t k = 0; k < wanted; ++k) {
      const NodeId node = random_.below(nodes);
      if (std::find(emptied_.begin(), emptied_.end(), node) != emptied_.end()) continue;
      emptied_.push_back(node);
      const auto tenants = admission_.placement().contents().at(node);
      tenants_.assign(tenants.begin(), tenants.end());
      for (const Tenant& tenant : tenants_) {
        const std::uint32_t a = application_[tenant.app];
        const std::uint32_t replicas = movable(tenant, node);
        if (replicas == 0) continue;
        note_before(a);
        if (admitted_[a] != 0) taken_.push_back(a);
        set_admitted(a, false);
        for (std::uint32_t r = 0; r < replicas; ++r) {
          remove(tenant.app, node);
          if (++removed % kManyReplicas == 0 && clock_.step(kManyReplicas / 8)) return;
        }
      }
    }
    clock_.step(1 + removed % kManyReplicas / 8);
  }

  // What waits, the applications of the emptied nodes among it, by rising cost; some of them only in a second round.
  void refill() {
    queue_.clear();
    for (std::size_t w = 0; w < waiting_.size() && queue_.size() < kMostAppsLookedAt; ++w) {
      for (std::uint64_t bits = waiting_[w]; bits != 0; bits &= bits - 1) {
        queue_.push_back(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
      }
    }
    // Those that were admitted come at their rank, too, even if many cheaper ones wait.
    const std::size_t cheapest = queue_.size();
    for (const std::uint32_t a : taken_) {
      if (cheapest == 0 || a > queue_[cheapest - 1]) queue_.push_back(a);
    }
    std::sort(queue_.begin() + static_cast<std::ptrdiff_t>(cheapest), queue_.end());
    read_room();
    clock_.step(1 + queue_.size() / kLookedAtPerUnit);
    const auto later = static_cast<std::uint32_t>(random_.share() * kMostLater * 0x1p32);
    passed_.clear();
    for (const std::uint32_t a : queue_) {
      if (clock_.stop() != Stop::kNo) return;
      if (!has_hope(a)) continue;
      if (random_.next() >> 32 < later) {
        passed_.push_back(a);
      } else {
        offer_room(a);
      }
    }
    for (const std::uint32_t a : passed_) {
      if (clock_.stop() != Stop::kNo) return;
      if (has_hope(a)) offer_room(a);
    }
    for (const std::uint32_t a : taken_) {
      if (clock_.stop() != Stop::kNo) return;
      if (admitted_[a] == 0) take_away(a);
    }
  }

  // Copies what is free on the emptied nodes.
  void read_room() {
    const std::uint32_t dims = input_.instance.dims();
    free_.resize(emptied_.size() * dims);
    for (std::size_t k = 0; k < emptied_.size(); ++k) {
      for (std::uint32_t h = 0; h < dims; ++h)
        free_[k * dims + h] = admission_.placement().residuals().residual(emptied_[k], h);
    }
  }

  // Whether the application may find room: where it waited before, some replica has to be on an emptied node.
  [[nodiscard]] bool has_hope(std::uint32_t a) const {
    if (before_[a] == 1) return true;
    for (const AppId app : applications_[a].apps) {
      const auto demand = input_.instance.scaled_demand<Unit>(app);
      for (const Unit* free = free_.data(); free != free_.data() + free_.size(); free += demand.size()) {
        std::size_t h = 0;
        while (h < demand.size() && demand[h] <= free[h]) ++h;
        if (h == demand.size()) return true;
      }
    }
    return false;
  }

  // Places all of the application, or what it had.
  void offer_room(std::uint32_t a) {
    const std::size_t from = changes_.size();
    if (try_admit(a)) {
      note_before(a);
      set_admitted(a, true);
      read_room();
      return;
    }
    // A run that has ended leaves what it tried as it is.
    while (changes_.size() > from && !clock_.is_over()) {
      const Change change = changes_.back();
      changes_.pop_back();
      admission_.remove(change.app, change.node);
    }
  }

  // Places the application's waiting replicas: on emptied nodes by cosine, others where they fit.
  bool try_admit(std::uint32_t a) {
    std::uint64_t placed = 0;
    for (const AppId app : applications_[a].apps) {
      while (admission_.placement().unplaced(app) > 0) {
        if (++placed % kManyReplicas == 0 && clock_.step(kManyReplicas / 8)) return false;
        const NodeId node = admission_.fittest_of(app, emptied_);
        if (node != kNone) {
          place(app, node);
          continue;
        }
        if (applications_[a].apps.size() == 1 && input_.instance.replicas(app) == 1 && before_[a] != 1) return false;
        const NodeId other = admission_.find_room(app, Fitness::kCosine, clock_);
        if (other == kNone || clock_.stop() != Stop::kNo) return false;
        place(app, other);
      }
    }
    return true;
  }

  // Takes away the replicas of the application that are left on other nodes.
  void take_away(std::uint32_t a) {
    std::uint64_t removed = 0;
    for (const AppId app : applications_[a].apps) {
      if (admission_.placement().unplaced(app) == input_.instance.replicas(app)) continue;
      for (NodeId node = 0; node < admission_.placement().nodes(); ++node) {
        const std::uint32_t there = admission_.placement().contents().count(app, node);
        if (there == 0) continue;
        const std::uint32_t replicas = movable({app, there}, node);
        for (std::uint32_t r = 0; r < replicas; ++r) {
          remove(app, node);
          if (++removed % kManyReplicas == 0 && clock_.step(kManyReplicas / 8)) return;
        }
      }
      if (clock_.step(1 + admission_.placement().nodes() / 16)) return;
    }
  }

  const PlannerInput& input_;
  WorkClock& clock_;
  Random random_;
  LogTable draws_;
  Admission<Unit> admission_;
  const std::uint64_t last_work_;
  NodeContents start_;
  std::vector<WholeApplication> applications_;  // by priority, then by cost per weight
  std::vector<std::uint32_t> application_;      // per app
  std::vector<double> cost_;
  std::vector<double> worth_;  // in the energy
  std::vector<double> inverse_mean_;
  double mean_weight_ = 1;
  std::vector<std::uint32_t> level_;  // per application: number of higher priorities
  std::vector<double> out_;           // per level: weight that waits
  std::vector<std::uint8_t> admitted_;
  std::vector<std::uint64_t> waiting_;  // one bit per application
  std::vector<double> room_;            // per node, as of the last move that stayed
  std::vector<std::uint8_t> touched_;   // per node: in changed_nodes_
  std::uint64_t moves_ = 0;
  // The present move.
  std::vector<Change> changes_;
  std::vector<NodeId> changed_nodes_;
  std::vector<NodeId> emptied_;
  std::vector<std::uint32_t> taken_;  // admitted applications with replicas on emptied nodes
  std::vector<std::uint32_t> flipped_;
  std::vector<std::uint8_t> before_;  // per application: whether it was admitted; 2: not noted
  std::vector<Tenant> tenants_;
  std::vector<std::uint32_t> queue_;   // applications to be tried, by rank
  std::vector<std::uint32_t> passed_;  // of them, those of the second round
  std::vector<Unit> free_;             // per emptied node and dimension
  // The best plan.
  NodeContents best_;
  std::vector<double> best_out_;
  double best_left_out_ = 0;
  double bound_ = 0;
  std::string bound_name_;  // empty: the bound is one that every plan has
};

Error search_for_room(const PlannerInput& input, const Request& request, std::uint64_t may_add, std::uint64_t most_work,
                      Plan& plan) {
  return input.instance.visit_unit(
      [&](auto unit) { return RoomSearch<decltype(unit)>(input, request, may_add, most_work).run(plan); });
}

std::uint64_t added_nodes(const Instance& instance, const Plan& plan) {
  std::uint64_t added = 0;
  for (const PlannedNode& node : plan.nodes) {
    if (node.listed == kNone && instance.data().classes[node.node_class].count == 0) added += node.copies;
  }
  return added;
}

// Whether a class has nodes that exist, and fulfils the condition.
bool exists(const Instance& instance, const auto& condition) {
  const auto& classes = instance.data().classes;
  for (ClassId c = 0; c < classes.size(); ++c) {
    if (classes[c].count > 0 && condition(c)) return true;
  }
  const auto& listed = instance.data().node_class;
  return std::any_of(listed.begin(), listed.end(), condition);
}

// Nodes may be added: everything that has room is admitted; then the searches for fewer nodes.
Error admit_on_added_nodes(const PlannerInput& input, Plan& plan) {
  if (Error e = run_within(input, "admit", plan); failed(e)) return e;
  if (Error e = add_fewer_nodes(input, plan); failed(e)) return e;
  if (input.run.clock.stop() != Stop::kNo) return {};
  Request fewer = input.request;
  fewer.planner = "auto";
  fewer.objective = Objective::kNodes;
  fewer.goals.clear();
  fewer.options = {{"pace", input.options.number("pace"), {}}};
  Plan other;
  if (Error e = run_within(input, "auto", fewer, other); failed(e)) return e;
  if (better(input.instance, input.request.judgement(), other, plan)) plan.adopt(std::move(other));
  return {};
}

}  // namespace

Error admit_most(const PlannerInput& input, Plan& plan) {
  if (may_add_nodes(input.instance, input.request)) return admit_on_added_nodes(input, plan);
  return search_for_room(input, start_request(input.instance, input.request), kAnyNodes, WorkClock::kEndless, plan);
}

bool adds_to_free_nodes(const PlannerInput& input) {
  const Instance& instance = input.instance;
  return instance.has_prices() && may_add_nodes(instance, input.request) &&
         exists(instance, [&](ClassId c) { return instance.node_cost(c) == 0; });
}

Error add_fewer_nodes(const PlannerInput& input, Plan& plan) {
  if (!exists(input.instance, [](ClassId) { return true; })) return {};
  const Request request = start_request(input.instance, input.request);
  while (input.run.clock.stop() == Stop::kNo && !reaches_bound(input, plan)) {
    const std::uint64_t added = added_nodes(input.instance, plan);
    if (added == 0) break;
    Plan other;
    if (Error e = search_for_room(input, request, added - 1, kWorkForOneLess, other); failed(e)) return e;
    if (!better(input.instance, input.request.judgement(), other, plan)) break;
    plan.adopt(std::move(other));
  }
  return {};
}

}  // namespace stowage
