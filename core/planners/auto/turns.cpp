// Searches in turns: none of them is the best for every instance, and nothing that is known before tells which one is.
//
// Each goes on from where its last turn ended. The turns of one round have equally long portions of work, but for one that
// leads, as a rule the search with the best plan; portions double from round to round. Rebuilding goes on from the best plan,
// and has all that is left once the others have ended (docs/research/search.md, "Turns").

#include "core/planners/auto/turns.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/bounds/bounds.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/attempt/search_size.h"
#include "core/planners/auto/exchanges.h"
#include "core/planners/auto/least_suffering.h"
#include "core/planners/auto/rebuilding.h"
#include "core/planners/columns/column_search.h"
#include "core/planners/judging.h"
#include "core/planners/notes.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

/// Work of the first portions, per replica that waits or may move, and at least.
constexpr std::uint64_t kFirstPerReplica = 8;
constexpr std::uint64_t kFirstPortion = 4000;
/// The portion of the search with the best plan, in portions of the others.
constexpr std::uint64_t kLead = 8;
/// That of columns, in quarters; half of it after each turn of which nothing came, until the others find nothing either.
constexpr std::uint64_t kOfColumns = 16;
/// Work before columns give rebuilding a start, per replica, and at most.
constexpr std::uint64_t kBeforeStartPerReplica = 1'000;
constexpr std::uint64_t kMostBeforeStart = 1'500'000;
/// From portions of this size on, per replica, rebuilding has the longer ones where exchanges have the best plan.
constexpr std::uint64_t kOldPerReplica = 32;

/// Replicas that wait, or of which some may move.
std::uint64_t replicas_to_place(const PlannerInput& input) {
  const std::uint64_t all = input.instance.total_replicas();
  if (input.request.ignore_running || input.request.move_budget > 0) return all;
  std::uint64_t running = 0;
  for (const Residence& one : input.instance.data().running) running += one.replicas;
  return all - std::min(all, running);
}

class Turns : public Rounds {
 public:
  /// @param shares whether the run has more to do than these searches: then none of them has all that is left
  Turns(const PlannerInput& input, bool shares)
      : input_(input),
        checkpoint_(input.checkpoint),
        shares_(shares),
        to_place_(replicas_to_place(input)),
        next_start_(std::min(kMostBeforeStart, kBeforeStartPerReplica * to_place_)) {
    if (!checkpoint_) return;
    input_.checkpoint = [this](Plan plan) {
      if (is_better(plan)) checkpoint_(std::move(plan));
    };
  }

  Error run(Plan& plan) {
    do {
      if (Error e = next_round(); failed(e)) return e;
    } while (!is_over());
    // What costs least may do so on fewer nodes.
    if (may_have_ties()) {
      if (Error e = turn_of_columns(kLead * first_portion()); failed(e)) return e;
    }
    plan = std::move(best_);
    return {};
  }
  Error round(Plan& plan) override {
    Error e = next_round();
    if (!failed(e)) plan = best_;
    return e;
  }
  [[nodiscard]] bool has_ended() const override { return is_over(); }

 private:
  enum class Who : std::uint8_t { kExchanges, kRebuilding, kColumns };

  [[nodiscard]] std::uint64_t first_portion() const { return std::max(kFirstPortion, kFirstPerReplica * to_place_); }
  Error next_round() {
    if (portion_ == 0) {
      portion_ = first_portion();
      // Two searches at the same time would take too much memory.
      if (is_large(input_.instance)) {
        if (Error e = exchanges_alone(); failed(e) || is_over()) return e;
      } else {
        exchanges_ = make_exchanges(input_);
      }
    }
    if (Error e = turn_of_exchanges(portion_); failed(e)) return e;
    if (is_over()) return {};
    if (Error e = turn_of_rebuilding(portion_); failed(e)) return e;
    if (is_over()) return {};
    if (Error e = turn_of_columns(portion_); failed(e)) return e;
    begin_from_columns();
    idle_rounds_ = std::exchange(gained_, false) ? 0 : idle_rounds_ + 1;
    if (idle_rounds_ > 0) of_columns_ = kOfColumns;
    portion_ *= 2;
    return {};
  }

  Error exchanges_alone() {
    if (!begins_with_exchanges(input_)) return {};
    exchanges_ = make_exchanges(input_);
    Error e = turn_of_exchanges(WorkClock::kEndless);
    has_room_ = failed(e) || is_over() || may_search(input_, nodes_in_use(best_));
    return e;
  }

  [[nodiscard]] std::uint64_t portion_of(Who who, std::uint64_t portion) const {
    // Exchanges gain most while they are young. After that, rebuilding leads until a round has found nothing better; then both
    // lead in turns, until something better is found.
    const bool old = portion >= kOldPerReplica * to_place_;
    const Who leader = better_ == Who::kExchanges && old && (idle_rounds_ % 2 == 0) ? Who::kRebuilding : better_;
    // Both have the same work until the long pass is given to the better one.
    const bool compared = exchanges_ != nullptr && exchanges_->plans_ahead();
    return who == leader && !compared && portion < WorkClock::kEndless / kLead ? kLead * portion : portion;
  }

  // Longer than those of others where plans may come of them. Shorter where only bounds do, and where more follows: plans of
  // columns move more than others, which later goals do not make up for.
  [[nodiscard]] std::uint64_t portion_of_columns(std::uint64_t portion) const {
    const std::uint64_t quarters = columns_->makes_plans() && !(shares_ && may_go_home()) ? of_columns_ : 1;
    return portion < WorkClock::kEndless / kOfColumns ? quarters * portion / 4 : portion;
  }

  // Columns do not know where replicas run.
  [[nodiscard]] bool may_go_home() const { return input_.request.move_budget > 0 && !input_.instance.data().running.empty(); }
  // A turn counts a unit of its own: a run that ends at its beginning is not one that ends within the turn before.
  [[nodiscard]] bool may_begin() { return !has_best_ || !input_.run.clock.step(1); }

  Error turn_of_exchanges(std::uint64_t portion) {
    if (exchanges_ == nullptr || !may_begin()) return {};
    do {
      const bool all = exchanges_->wants_all();
      if (all && (shares_ || better_ != Who::kExchanges || holder_ == Who::kColumns)) {
        exchanges_.reset();
        return {};
      }
      const std::optional<Bound>& bound = bounds_[Objective::kNodes];
      if (bound) exchanges_->raise_bound(bound->value);
      Plan own;
      const std::uint64_t units = all ? WorkClock::kEndless : portion_of(Who::kExchanges, portion);
      const Traced traced(input_.run, "exchanges");
      if (Error e = exchanges_->go_on(units, own); failed(e)) return e;
      take(Who::kExchanges, std::move(own));
    } while (rebuilding_ != nullptr && exchanges_->wants_all() && !is_over());
    if (exchanges_->has_ended()) exchanges_.reset();
    return {};
  }

  Error turn_of_rebuilding(std::uint64_t portion) {
    if (!may_begin()) return {};
    const bool begins = rebuilding_ == nullptr;
    if (begins) {
      rebuilding_ = make_rebuilding(input_);
      if (input_.instance.limits_costs() && input_.instance.classes() == 1 && may_search_replicas(input_, 0)) {
        if (const std::optional<Plan> start = few_nodes_within_costs(input_)) rebuilding_->consider(*start);
      }
    }
    // Its first plan is its own, and so is every one while exchanges have a long pass before them: both are compared.
    const bool compared = exchanges_ != nullptr && (begins || exchanges_->plans_ahead());
    if (has_best_ && holder_ != Who::kRebuilding && !compared) rebuilding_->consider(best_);
    const std::optional<Bound>& bound = bounds_[judged_by(input_.instance, Objective::kNodes)];
    if (bound) rebuilding_->raise_bound(bound->value);
    const bool alone = exchanges_ == nullptr && !shares_ && columns_ != nullptr && columns_->has_ended();
    Plan own;
    const Traced traced(input_.run, "rebuilding");
    if (Error e = rebuilding_->go_on(alone ? WorkClock::kEndless : portion_of(Who::kRebuilding, portion), own); failed(e)) {
      return e;
    }
    const bool gained = std::exchange(gained_, false);
    take(Who::kRebuilding, std::move(own));
    if (std::exchange(is_start_new_, false) && gained_) of_columns_ = kOfColumns;
    gained_ = gained_ || gained;
    return {};
  }

  Error turn_of_columns(std::uint64_t portion) {
    if (!has_best_) return {};
    if (columns_ == nullptr) columns_ = make_column_search(input_, Objective::kNodes);
    if (columns_->has_ended() || !may_begin()) return {};
    Plan own;
    const ByObjective<std::optional<Bound>> before = bounds_;
    const bool found = columns_->go_on(portion_of_columns(portion), best_, own);
    if (found) {
      take(Who::kColumns, std::move(own));
    } else {
      raise_bounds(own);
    }
    const Objective objective = judged_by(input_.instance, Objective::kNodes);
    const bool is_raised = bounds_[objective] && (!before[objective] || bounds_[objective]->value > before[objective]->value);
    of_columns_ = found || is_raised ? kOfColumns : std::max<std::uint64_t>(1, of_columns_ / 2);
    return found && may_go_home() && holder_ == Who::kColumns ? turn_of_rebuilding(first_portion()) : Error{};
  }
  // A start takes as long as some turns: each has to wait until the work has doubled.
  void begin_from_columns() {
    const std::uint64_t work = input_.run.clock.work();
    if (holder_ == Who::kColumns || rebuilding_ == nullptr || columns_ == nullptr || work < next_start_) return;
    ColumnStart start = columns_->take_start();
    if (start.nodes.empty()) return;
    rebuilding_->start_from(std::move(start));
    next_start_ = 2 * work;
    is_start_new_ = true;
  }
  [[nodiscard]] bool may_have_ties() const {
    return input_.instance.has_prices() && input_.run.clock.stop() == Stop::kNo && reaches_bound(input_, best_) &&
           static_cast<double>(nodes_in_use(best_)) > input_.bounds.get().fewest_nodes();
  }

  void raise_bounds(const Plan& own) {
    for (const Objective one : {Objective::kNodes, Objective::kCost}) {
      const std::optional<Bound>& bound = own.bounds[one];
      if (bound && (!bounds_[one] || bound->value > bounds_[one]->value)) bounds_[one] = bound;
    }
    for (const Objective one : {Objective::kNodes, Objective::kCost}) best_.bounds[one] = bounds_[one];
  }

  // The better plan and the better bounds count.
  void take(Who who, Plan own) {
    if (input_.run.checkpoints.is_moot() && has_best_) return;
    raise_bounds(own);
    const bool is_best = is_better(own);
    if (who != Who::kColumns && (is_best || is_better_than_rival(own))) better_ = who;
    if (is_best) {
      is_measured_ = has_best_;
      const bool goes_on = input_.run.clock.stop() == Stop::kNo && !is_large(input_.instance);
      const bool counts = may_mend() || input_.instance.tag_model().has_soft();
      if (goes_on && counts && !std::exchange(is_measured_, true)) measure(own);
      if (who == Who::kColumns && holder_ != Who::kColumns) rival_ = std::move(best_);
      best_ = std::move(own);
      has_best_ = true;
      holder_ = who;
      gained_ = true;
      state_best(input_, best_);
      // A plan that is proven ends the run soon. A run that ends with the unit of work before ends with this plan.
      WorkClock& clock = input_.run.clock;
      if (checkpoint_ && clock.stop() == Stop::kNo && !reaches_bound(input_, best_) && !clock.step(1)) checkpoint_(best_);
    }
    for (const Objective one : {Objective::kNodes, Objective::kCost}) best_.bounds[one] = bounds_[one];
  }
  // Sets what plans are compared by: completely, even where the run is over, or a repetition could choose another plan.
  void measure(Plan& plan) const {
    const Request& request = input_.request;
    prepare_to_compare(input_.instance, request, plan);
    if (request.move_budget == 0 || request.ignore_running || input_.instance.data().running.empty()) return;
    plan.inherited_violations =
        static_cast<std::uint32_t>(check_plan(input_.instance, plan, CheckScope::kViolations).inherited_count);
  }
  // Columns must not decide which of the other searches goes on: these are compared with each other.
  [[nodiscard]] bool is_better_than_rival(const Plan& plan) {
    if (holder_ != Who::kColumns || !better(input_.instance, input_.request.judgement(), plan, rival_)) return false;
    rival_ = plan;
    return true;
  }
  // Measures both plans, as what is not compared need not be.
  [[nodiscard]] bool is_better(Plan& plan) {
    if (!has_best_) return true;
    if (!std::exchange(is_measured_, true)) measure(best_);
    measure(plan);
    return better(input_.instance, input_.request.judgement(), plan, best_);
  }
  // Whether moves may mend rules that are broken since the start.
  [[nodiscard]] bool may_mend() const { return may_go_home() && !input_.instance.tag_model().empty(); }
  [[nodiscard]] bool is_over() const {
    return !has_room_ || input_.run.clock.stop() != Stop::kNo || input_.run.checkpoints.is_moot() ||
           (has_best_ && reaches_bound(input_, best_) && !(may_mend() && best_.inherited_violations > 0)) ||
           (rebuilding_ != nullptr && rebuilding_->has_ended());
  }

  PlannerInput input_;
  std::function<void(Plan)> checkpoint_;
  bool shares_;
  std::uint64_t to_place_;                  // replicas that wait, or of which some may move
  std::uint64_t of_columns_ = kOfColumns;   // quarters of portions of columns
  bool is_start_new_ = false;               // rebuilding begins its next turn with a start from columns
  std::uint64_t next_start_;                // work after which columns give rebuilding a start
  bool has_room_ = true;                    // for more than one search
  std::uint64_t portion_ = 0;               // of the next round; 0: none has begun
  std::unique_ptr<Exchanges> exchanges_;    // null: they have ended
  std::unique_ptr<Rebuilding> rebuilding_;  // null: it has not begun
  std::unique_ptr<ColumnSearch> columns_;   // null: it has not begun
  Plan best_;
  bool has_best_ = false;
  bool is_measured_ = false;      // the best plan
  Who holder_ = Who::kExchanges;  // of the best plan
  Plan rival_;                    // where columns have the best plan: the best of the other searches
  Who better_ = Who::kExchanges;  // of the other searches, the one that has the better plan
  bool gained_ = false;           // in this round
  std::uint32_t idle_rounds_ = 0;
  ByObjective<std::optional<Bound>> bounds_;  // that the searches have proven
};

}  // namespace

bool begins_with_exchanges(const PlannerInput& input) {
  return !is_large(input.instance) || (input.instance.classes() == 1 && TiedApps(input.instance).are_few());
}

Error take_turns(const PlannerInput& input, Plan& plan) { return Turns(input, false).run(plan); }

std::unique_ptr<Rounds> make_turns(const PlannerInput& input) { return std::make_unique<Turns>(input, true); }

}  // namespace stowage
