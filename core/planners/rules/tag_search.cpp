// An anytime planner for soft placement rules: a search for the objective of P2, section 5.2. It builds a placement replica by
// replica, apps with the most popular tags first. Then it repeats: remove an application that violates rules or lacks replicas,
// sometimes together with a second one (often one that shares a node with it), and place both again, from another node and in
// another order. A change that is not worse is kept, so the search crosses plateaus. The option `tries` limits the failures in
// a row per application; an improvement resets the count.
//
// The cost, weight x extent (P2, Eq. 8), is kept by differences: a replica's share is known when it is placed and when it is
// removed. O(N) per app placed, and per replica one scan over the nodes' costs.
//
// Pinned replicas stay where they are. Running replicas stay as well, except for the moves that the request allows (P2, section
// 5.4). Each move has a cost, so it must save more than that. Where the request is all or nothing, incomplete applications are
// removed, and their room goes to those that fit as a whole.
//
// A cluster that fills batch by batch loses quality long before it is full, because early plans leave room that suits no later
// application. Where the nodes hold only a few more batches like this one, copies of it are placed behind it with negligible
// weight and moved together with it (future_batches.h). Among plans of equal cost, the one with the least violations of these
// copies is kept.

#include "core/planners/families.h"

#include <array>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/planners/rules/future_batches.h"
#include "core/planners/rules/tag_builder.h"
#include "core/run/asked_nodes.h"

namespace stowage {
namespace {

constexpr double kSearchRounding = 1e-9;
/// A loss of up to this is attributed to rules of future batches, whose weights are 1e-6 of the originals'. A larger one
/// violates rules of the instance's own apps.
constexpr double kAheadRounding = 1e-3;

/// Work limit of looking ahead: kAheadWork (some tens of milliseconds) plus kAheadWorkPerApplication (a few milliseconds) per
/// new application. It is at most kAheadTimes the work of the plan itself, or kAheadWorkOfBatch (20 applications) if that is
/// more.
constexpr std::uint64_t kAheadWork = 100'000;
constexpr std::uint64_t kAheadWorkPerApplication = 25'000;
constexpr std::uint64_t kAheadWorkOfBatch = kAheadWork + 20 * kAheadWorkPerApplication;
constexpr std::uint64_t kAheadTimes = 4;
/// Looking ahead is skipped where its instance would have more numbers than this.
constexpr std::uint64_t kAheadSize = 2'000'000;

/// One unit of work is this many numbers read, or this many replicas placed or removed.
constexpr std::uint64_t kLooksPerWork = 16;
constexpr std::uint64_t kSeatsPerWork = 4;

/// A replica of an app on a node, from which the search may remove it.
struct Seat {
  AppId app;
  NodeId node;
};

template <class Unit>
class TagSearchRun {
 public:
  /// @param work_end while looking ahead: the run's work at which this ends; kNoEnd otherwise
  explicit TagSearchRun(const PlannerInput& input, std::uint64_t work_end = kNoEnd)
      : input_(input),
        instance_(input.instance),
        work_end_(work_end),
        builder_(input, TagCosts::Parts::kAll),
        random_(input.request.seed) {
    if (is_in_vain()) return;
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      start_.add_node();
      for (const Tenant& tenant : builder_.placement().contents().at(node)) start_.add(tenant.app, node, tenant.replicas);
    }
    move_budget_ = input.request.ignore_running || instance_.data().running.empty() ? 0 : input.request.move_budget;
    if (move_budget_ == 0) {
      fixed_ = start_;
    } else {
      for (NodeId node = 0; node < instance_.listed_nodes(); ++node) fixed_.add_node();
      for (const Residence& pin : instance_.data().pinned) fixed_.add(pin.app, pin.node, pin.replicas);
      builder_.set_homes(start_, input.options.number("move-cost"));
    }
    members_.resize(instance_.apps());
    for (AppId app = 0; app < instance_.apps(); ++app) {
      // Apps without replicas that may change are not members.
      if (move_budget_ > 0 || builder_.placement().unplaced(app) > 0) members_[instance_.application(app)].push_back(app);
    }
    for (AppId first = 0; first < instance_.apps(); ++first) {
      if (!members_[first].empty()) movable_.push_back(first);
    }
    on_.resize(instance_.apps());
    std::vector<double> first;
    for (AppId app = 0; app < instance_.apps(); ++app) first.push_back(instance_.tag_model().popularity(app));
    order_ = app_order(instance_, first);
    position_.resize(instance_.apps());
    for (std::size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = k;
  }

  Error run(Plan& plan) {
    if (is_in_vain()) return {};
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    // Without a deadline in the request, the default deadline does not cut the first placement: a complete plan comes first.
    input_.run.clock.heed_deadline(input_.request.deadline_ms > 0);
    build_up(TagTies::kGathering);
    if (builder_.placement().hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    state_present();
    input_.run.clock.heed_deadline(true);
    input_.run.progress.enter(Phase::kImprove);
    if (input_.request.all_or_nothing && input_.run.clock.stop() == Stop::kNo) place_whole();
    improve();
    look_ahead();
    builder_.placement().finish(plan);
    return {};
  }

  /// Takes a placement of some of the waiting apps, places the others, and improves all of them. Returns the final seats of
  /// apps 0 to `apps` - 1, ordered by app; empty where the work ended before all apps were placed.
  /// @param seats ordered by app
  std::vector<Seat> improve_from(std::span<const Seat> seats, AppId apps) {
    change(seats, [&](NodeId node) { seat(node); });
    build_up(TagTies::kTightest);
    if (is_over()) return {};
    improve();
    std::vector<Seat> found;
    for (AppId app = 0; app < apps; ++app) {
      for (const NodeId node : on_[app]) found.push_back({app, node});
    }
    return found;
  }

 private:
  static constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

  Placement<Unit>& placement() { return builder_.placement(); }
  /// Whether the run is late and its caller wants no late plan.
  [[nodiscard]] bool is_in_vain() const { return input_.request.drop_late && input_.run.clock.is_overdue(); }

  // Counts work; true where the search has to end.
  bool step(std::uint64_t units) {
    input_.run.clock.step(units);
    return is_over();
  }
  [[nodiscard]] bool is_ahead() const { return work_end_ != kNoEnd; }
  [[nodiscard]] bool is_over() const { return input_.run.clock.stop() != Stop::kNo || input_.run.clock.work() >= work_end_; }

  // Places the waiting replicas, app by app.
  void build_up(TagTies ties) {
    std::uint64_t done = 0;
    for (const AppId app : order_) {
      if (is_over()) break;
      fill(app, ties, 0);
      input_.run.clock.conclude();
      done += instance_.replicas(app);
      if (!is_ahead()) input_.run.progress.done(done);
    }
  }
  // Places the waiting replicas of an app and adds their seats to `fresh_`. Where no rule wants the app in one set, kTightest
  // becomes kFirst from node `from` with probability 1/2.
  void fill(AppId app, TagTies ties, NodeId from) {
    if (placement().unplaced(app) == 0 || is_over()) return;
    builder_.start(app);
    const bool fills_no_set = ties == TagTies::kTightest && builder_.costs().gathering_group() == kNone;
    if (fills_no_set && random_.below(2) == 0) ties = TagTies::kFirst;
    for (bool goes_on = true; goes_on && placement().unplaced(app) > 0;) {
      goes_on = builder_.place_cheapest(ties, ties == TagTies::kFirst ? from : 0);
      if (goes_on) fresh_.push_back({app, builder_.last_node()});
      const std::uint64_t looks = builder_.take_work();
      looks_.count(looks * placement().steps_to_ask(app));
      if (step(1 + looks / kLooksPerWork)) return;
    }
  }
  // Calls change_one(node) for each seat, with the seat's app as the builder's current one. Seats are ordered by app, so that
  // an app's costs are computed once. Ends only between two apps, unless the run is overdue. Returns the number of seats
  // visited.
  template <class Change>
  std::size_t change(std::span<const Seat> seats, Change&& change_one) {
    std::size_t k = 0;
    stowage::Watch watch = input_.run.clock.watch();
    while (k < seats.size() && !is_over()) {
      const std::size_t first = k;
      builder_.start(seats[first].app);
      for (; k < seats.size() && seats[k].app == seats[first].app; ++k) {
        change_one(seats[k].node);
        if (!watch.step()) continue;
        input_.run.clock.cut();
        return k + 1;
      }
      step((k - first) / kSeatsPerWork + builder_.take_work() / kLooksPerWork);
    }
    return k;
  }
  void seat(NodeId node) { builder_.place(node, builder_.cost_there(node)); }

  // False where removing the app could break a hard rule of other apps.
  [[nodiscard]] bool may_move(AppId app) const {
    const TagModel& model = instance_.tag_model();
    if (!model.has_hard_minimum()) return true;
    const auto is_needed = [&](const TagModel::Role& role) {
      const TagPart& part = model.part(role.part);
      return part.hard && (part.min > 0 || part.kind == CardinalityKind::kSkew || !part.alone);
    };
    const auto subject = model.subject_of(app);
    const auto target = model.target_of(app);
    return std::none_of(subject.begin(), subject.end(), is_needed) && std::none_of(target.begin(), target.end(), is_needed);
  }

  // Lists every replica that may be removed from its node.
  void find_seats() {
    for (auto& seats : on_) seats.clear();
    const auto& contents = placement().contents();
    for (NodeId node = 0; node < contents.nodes(); ++node) {
      for (const Tenant& tenant : contents.at(node)) {
        on_[tenant.app].insert(on_[tenant.app].end(), fixed_.newcomers(tenant, node), node);
      }
    }
  }

  // Cost of one placed replica of the app on its node. Needs costs().start(app).
  double price(AppId app, NodeId node) {
    TagCosts& costs = builder_.costs();
    const TagView view = placement().tag_view();
    placement().remove(app, node, 1);
    costs.refresh(view, node);
    const double cost = costs(view, view.site(node));
    placement().place(app, node, 1);
    costs.refresh(view, node);
    return cost;
  }
  [[nodiscard]] bool is_troubled(AppId app) {
    if (placement().unplaced(app) > 0) return true;
    builder_.costs().start(app);
    const auto& seats = on_[app];
    for (std::size_t k = 0; k < seats.size(); ++k) {
      if ((k == 0 || seats[k] != seats[k - 1]) && price(app, seats[k]) > kSearchRounding) return true;
    }
    return false;
  }

  // Applications that lack replicas or violate a rule, by index.
  std::vector<AppId> find_troubled() {
    std::vector<AppId> troubled;
    for (const AppId first : movable_) {
      for (const AppId app : members_[first]) {
        if (!may_move(app)) continue;
        const bool trouble = is_troubled(app);
        if (step(1 + builder_.take_work() / kLooksPerWork + on_[app].size() / kSeatsPerWork)) return troubled;
        if (!trouble) continue;
        troubled.push_back(first);
        break;
      }
    }
    return troubled;
  }

  [[nodiscard]] bool lacks_replicas(AppId application) {
    const auto& apps = members_[application];
    return std::any_of(apps.begin(), apps.end(), [&](AppId app) { return placement().unplaced(app) > 0; });
  }

  // Removes incomplete applications and gives their room to those that fit as a whole: by priority, then fewest waiting
  // replicas first. Replicas that ran before stay where they are.
  void place_whole() {
    std::vector<AppId> lacking;
    std::vector<Seat> seats;
    const auto take_off = [&](auto&& wanted) {
      seats.clear();
      const auto& contents = placement().contents();
      for (NodeId node = 0; node < contents.nodes(); ++node) {
        for (const Tenant& tenant : contents.at(node)) {
          if (!wanted(instance_.application(tenant.app))) continue;
          for (std::uint32_t k = start_.newcomers(tenant, node); k > 0; --k) seats.push_back({tenant.app, node});
        }
      }
      for (const Seat& seat : seats) {
        builder_.start(seat.app);
        builder_.remove(seat.node);
      }
    };
    for (AppId first = 0; first < instance_.apps(); ++first) {
      if (lacks_replicas(first)) lacking.push_back(first);
    }
    if (lacking.size() < 2) return;
    take_off([&](AppId application) { return std::binary_search(lacking.begin(), lacking.end(), application); });
    const auto waiting = [&](AppId application) {
      std::uint64_t sum = 0;
      for (const AppId app : members_[application]) sum += placement().unplaced(app);
      return sum;
    };
    std::stable_sort(lacking.begin(), lacking.end(), [&](AppId a, AppId b) {
      return std::pair(instance_.priority(b), waiting(a)) < std::pair(instance_.priority(a), waiting(b));
    });
    for (const AppId application : lacking) {
      moving_ = members_[application];
      arrange();
      for (const AppId app : moving_) fill(app, TagTies::kGathering, 0);
      // This also removes an application that the end of the run left incomplete.
      if (lacks_replicas(application)) take_off([&](AppId other) { return other == application; });
      input_.run.clock.conclude();
      if (input_.run.clock.stop() != Stop::kNo) return;
    }
  }

  void state_present() {
    const Placement<Unit>& placement = builder_.placement();
    BestSoFar best{placement.nodes_in_use()};
    for (AppId app = 0; app < instance_.apps(); ++app) best.left_over += placement.left_over(app);
    if (judged_by(instance_, Objective::kNodes) == Objective::kNodes) best.value = static_cast<double>(best.nodes);
    input_.run.improved(best, Objective::kNodes);
  }

  // Repeats rounds over the troubled applications until a round gains nothing.
  void improve() {
    if (is_over()) return;
    const auto tries = static_cast<std::uint32_t>(input_.options.number("tries"));
    find_seats();
    for (bool gained = true; gained && !is_over();) {
      gained = false;
      const std::vector<AppId> troubled = find_troubled();
      if (is_over()) return;
      for (const AppId application : troubled) {
        for (std::uint32_t failures = 0; failures < tries;) {
          const Outcome outcome = rebuild(application);
          input_.run.clock.conclude();
          if (is_over()) return;
          if (outcome == Outcome::kBetter) {
            gained = true;
            state_present();
            failures = 0;
            const auto& apps = members_[application];
            if (std::none_of(apps.begin(), apps.end(), [&](AppId app) { return is_troubled(app); })) break;
          } else {
            ++failures;
          }
        }
      }
    }
  }
  // Moves newly placed applications, at equal or lower cost, so that future batches like this one find room. Changes nothing
  // where the run ends meanwhile.
  void look_ahead() {
    const auto most = static_cast<std::size_t>(input_.options.number("foresight"));
    if (input_.run.clock.stop() != Stop::kNo || most == 0 || !has_no_more_nodes(instance_)) return;
    const std::vector<std::vector<AppId>> applications = find_new();
    if (applications.empty()) return;
    std::vector<std::int64_t> left(instance_.dims(), 0);
    for (NodeId node = 0; node < placement().nodes(); ++node) {
      for (std::uint32_t h = 0; h < instance_.dims(); ++h)
        left[h] += std::max<std::int64_t>(0, placement().residuals().residual(node, h));
    }
    const auto successors = successors_that_fit(instance_, applications, left, most * applications.size() + 1);
    // Where more than `most` batches fit, room is not scarce yet.
    if (successors.empty() || successors.size() > most * applications.size()) return;
    std::vector<AppId> batch;
    for (const auto& apps : applications) batch.insert(batch.end(), apps.begin(), apps.end());
    std::sort(batch.begin(), batch.end());
    before_.clear();
    for (const AppId app : batch) {
      for (const NodeId node : on_[app]) before_.push_back({app, node});
    }
    const std::uint64_t most_work = std::min(kAheadWork + kAheadWorkPerApplication * applications.size(),
                                             std::max(kAheadWorkOfBatch, kAheadTimes * input_.run.clock.work()));
    const std::uint64_t size = size_with_successors(instance_, successors, kAheadSize);
    // Each seat is placed three times: once in the other instance, once removed here, once placed here.
    const std::uint64_t seats_work = 3 * before_.size() / kSeatsPerWork;
    if (size > kAheadSize || size / kLooksPerWork + seats_work > most_work) return;
    const std::uint64_t work_end = input_.run.clock.work() + most_work;
    if (step(1 + size / kLooksPerWork)) return;
    auto foreseen = with_successors(instance_, placement().contents(), batch, successors);
    if (!foreseen) return;
    Request request = input_.request;
    request.ignore_running = false;
    request.move_budget = 0;
    request.all_or_nothing = false;
    const PlannerInput ahead{*foreseen, request, input_.info, input_.options, input_.run, input_.bounds};
    fresh_ = foreseen->visit_unit(
        [&](auto unit) { return TagSearchRun<decltype(unit)>(ahead, work_end).improve_from(before_, instance_.apps()); });
    if (fresh_.empty() || is_over()) return;
    const double cost = builder_.cost();
    before_.resize(change(before_, [&](NodeId node) { builder_.remove(node); }));
    fresh_.resize(change(fresh_, [&](NodeId node) { seat(node); }));
    if (is_over() || builder_.cost() > cost + kSearchRounding) restore(cost);
  }
  // Applications without a replica at the start that are now complete.
  [[nodiscard]] std::vector<std::vector<AppId>> find_new() const {
    std::vector<std::uint8_t> is_old(instance_.apps(), 0);
    for (NodeId node = 0; node < start_.nodes(); ++node) {
      for (const Tenant& tenant : start_.at(node)) is_old[instance_.application(tenant.app)] = 1;
    }
    std::vector<std::vector<AppId>> applications;
    for (const AppId first : movable_) {
      const auto& apps = members_[first];
      const auto waits = [&](AppId app) { return builder_.placement().unplaced(app) > 0; };
      if (is_old[first] == 0 && std::none_of(apps.begin(), apps.end(), waits)) applications.push_back(apps);
    }
    return applications;
  }

  enum class Outcome : std::uint8_t { kBetter, kSame, kWorse };

  // Removes the application and places it again. A second application joins it with probability 1/2, and always where it lacks
  // replicas. Where running replicas may move, a complete application moves one replica alone with probability 1/2.
  Outcome rebuild(AppId application) {
    moving_.clear();
    for (const AppId app : members_[application]) {
      if (may_move(app)) moving_.push_back(app);
    }
    const bool lacks = lacks_replicas(application);
    const bool alone = move_budget_ > 0 && !lacks && !moving_.empty() && random_.below(2) == 0;
    if (alone) {
      moving_ = {moving_[random_.below(static_cast<std::uint32_t>(moving_.size()))]};
    } else if (lacks || random_.below(2) == 0) {
      const AppId other = neighbour(application);
      if (other != kNone && other != application) {
        for (const AppId app : members_[other]) {
          if (may_move(app)) moving_.push_back(app);
        }
      }
    }
    if (moving_.empty()) return Outcome::kWorse;
    const double before = builder_.cost();
    before_.clear();
    left_before_.clear();
    const std::uint64_t moves_before = moves_of(moving_);
    for (const AppId app : moving_) left_before_.push_back(placement().unplaced(app));
    fresh_.clear();
    const bool moves_one = alone && !on_[moving_[0]].empty();
    if (moves_one) {
      const AppId app = moving_[0];
      before_.push_back({app, on_[app][random_.below(static_cast<std::uint32_t>(on_[app].size()))]});
      builder_.start(app);
      builder_.remove(before_[0].node);
    } else {
      for (const AppId app : moving_) {
        for (const NodeId node : on_[app]) before_.push_back({app, node});
      }
      before_.resize(change(before_, [&](NodeId node) { builder_.remove(node); }));
    }
    const std::vector<AppId> apps = moving_;
    // An application that lacks replicas goes before the other one with probability 1/2.
    if (!lacks || random_.below(2) == 0) arrange();
    const bool shuffled = random_.below(4) == 0;
    if (shuffled && moving_.size() > 1) {
      std::swap(moving_[random_.below(static_cast<std::uint32_t>(moving_.size()))],
                moving_[random_.below(static_cast<std::uint32_t>(moving_.size()))]);
    }
    // kTightest with probability 1/2, kGathering with 1/4, kFirst from a random node with 1/4.
    const std::uint32_t way = random_.below(4);
    const TagTies ties = way < 2 ? TagTies::kTightest : way == 2 ? TagTies::kGathering : TagTies::kFirst;
    const NodeId from = placement().nodes() == 0 ? 0 : random_.below(placement().nodes());
    for (const AppId app : moving_) fill(app, ties, from);

    const std::uint64_t moves = moves_ + moves_of(apps) - moves_before;
    std::int64_t more_left = 0;
    bool worse = moves > move_budget_;
    for (std::size_t k = 0; k < apps.size(); ++k) {
      const std::int64_t change = std::int64_t{placement().unplaced(apps[k])} - left_before_[k];
      more_left += change;
      // In all-or-nothing requests, more replicas of an incomplete application gain nothing.
      const bool in_vain = change < 0 && input_.request.all_or_nothing && lacks_replicas(instance_.application(apps[k]));
      worse = worse || change > 0 || in_vain;
    }
    const double gain = before - builder_.cost();
    // While looking ahead, one more replica of a future batch must not cost violations of the instance's own apps.
    const bool fits_more = more_left < 0 && (!is_ahead() || gain > -kAheadRounding);
    const bool better = fits_more || gain > kSearchRounding;
    if (worse || (!better && gain < -kSearchRounding)) {
      restore(before);
      return Outcome::kWorse;
    }
    moves_ = moves;
    take_seats(apps, moves_one);
    return better ? Outcome::kBetter : Outcome::kSame;
  }
  // Number of running replicas of these apps that have left their node.
  [[nodiscard]] std::uint64_t moves_of(const std::vector<AppId>& apps) {
    std::uint64_t moves = 0;
    if (move_budget_ == 0) return moves;
    for (const Residence& home : instance_.data().running) {
      if (std::find(apps.begin(), apps.end(), home.app) == apps.end()) continue;
      const std::uint32_t here = placement().contents().count(home.app, home.node);
      moves += home.replicas > here ? home.replicas - here : 0;
    }
    return moves;
  }
  // Sorts the apps by the order of the first placement.
  void arrange() {
    std::sort(moving_.begin(), moving_.end(), [&](AppId a, AppId b) { return position_[a] < position_[b]; });
  }
  // Replaces the seats in `fresh_` by those in `before_`.
  void restore(double cost) {
    for_each_run(fresh_, [&](const Seat& seat, std::uint32_t count) { placement().remove(seat.app, seat.node, count); });
    for_each_run(before_, [&](const Seat& seat, std::uint32_t count) { placement().place(seat.app, seat.node, count); });
    builder_.set_cost(cost);
  }
  // Calls visit(seat, count) for equal seats that stand together.
  template <class Visit>
  static void for_each_run(const std::vector<Seat>& seats, Visit&& visit) {
    for (std::size_t k = 0; k < seats.size();) {
      std::size_t end = k + 1;
      while (end < seats.size() && seats[end].app == seats[k].app && seats[end].node == seats[k].node) ++end;
      visit(seats[k], static_cast<std::uint32_t>(end - k));
      k = end;
    }
  }
  // Notes where the apps are now: all their replicas, or the one that has moved, are in `fresh_`.
  void take_seats(const std::vector<AppId>& apps, bool one) {
    if (one) {
      auto& nodes = on_[apps[0]];
      nodes.erase(std::lower_bound(nodes.begin(), nodes.end(), before_[0].node));
    } else {
      for (const AppId app : apps) on_[app].clear();
    }
    for (const Seat& seat : fresh_) on_[seat.app].push_back(seat.node);
    for (const AppId app : apps) std::sort(on_[app].begin(), on_[app].end());
  }

  // A random application: one on a node of this application, one on a random node (where this one lacks replicas), or any;
  // kNone where the random node is empty.
  AppId neighbour(AppId application) {
    const auto& apps = members_[application];
    const auto& seats = on_[apps[random_.below(static_cast<std::uint32_t>(apps.size()))]];
    if (!seats.empty() && random_.below(2) == 0) {
      const auto tenants = placement().contents().at(seats[random_.below(static_cast<std::uint32_t>(seats.size()))]);
      const AppId app = tenants[random_.below(static_cast<std::uint32_t>(tenants.size()))].app;
      return instance_.application(app);
    }
    // Replicas that lack room may find it on any node.
    if (lacks_replicas(application) && placement().nodes() > 0 && random_.below(2) == 0) {
      const auto tenants = placement().contents().at(random_.below(placement().nodes()));
      if (tenants.empty()) return kNone;
      return instance_.application(tenants[random_.below(static_cast<std::uint32_t>(tenants.size()))].app);
    }
    return movable_[random_.below(static_cast<std::uint32_t>(movable_.size()))];
  }

  const PlannerInput& input_;
  const Instance& instance_;
  std::uint64_t work_end_;
  TagBuilder<Unit> builder_;
  LooksBetween looks_{input_.run.clock};
  Random random_;
  NodeContents start_;             // of the listed nodes
  NodeContents fixed_;             // of them, replicas that must stay: all at the start, or the pinned ones alone
  std::uint64_t move_budget_ = 0;  // of running replicas
  std::uint64_t moves_ = 0;
  std::vector<std::vector<AppId>> members_;  // by an application's first app: its apps that may change
  std::vector<AppId> movable_;               // applications that have members
  std::vector<std::vector<NodeId>> on_;      // per app: the nodes of its replicas that may be removed
  std::vector<AppId> order_;
  std::vector<std::size_t> position_;
  std::vector<AppId> moving_;
  std::vector<Seat> before_;
  std::vector<Seat> fresh_;
  std::vector<std::uint32_t> left_before_;
};

Error tag_search(const PlannerInput& input, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return TagSearchRun<decltype(unit)>(input).run(plan); });
}

constexpr std::array<OptionInfo, 3> kTagSearchOptions = {
    {{"tries", "attempts in a row without improvement before the search turns to the next application", 300, 0, 10000},
     {"foresight", "where room remains for at most this many batches like this one, they decide between equal plans; 0: off", 8,
      0, 1000},
     {"move-cost", "least saving for a move of a running replica, as weight x extent", 0.1, 0.001, 1e6}}};

}  // namespace

std::span<const PlannerInfo> tag_search_planners() {
  static const PlannerInfo kPlanner = {
      .name = "tag-search",
      .summary = "least violation of soft rules: builds a plan, then removes and places applications again",
      .source = "the objective of P2, section 5.2",
      .complexity = "O(L N) for the start, O(N) per app placed again",
      .honours = kHeadroomFeatures,
      .options = kTagSearchOptions,
      .function = tag_search,
      .pursues = {Objective::kNodes, Objective::kSoftRules},
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
