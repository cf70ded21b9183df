// An anytime planner for soft placement rules (the objective of P2, section 5.2, by other means): build a placement replica by
// replica, the most popular tags first; then take an application that violates rules or lacks replicas, sometimes with one that
// is in its way, off its nodes and place it anew, from another node on and in another order. What is no worse stays; so
// plateaus are walked. Each application has so many tries, which an improvement gives back.
//
// The cost - weight x extent (P2, Eq. 8) - is never counted anew: a replica's share is known when it comes and when it goes.
// O(N) per app placed, and per replica a walk over the nodes' costs.
//
// Pinned replicas stay where they are. So do running ones, but for as many as the request lets move (P2, section 5.4); each
// move counts like a violation, so that it has to save more. Where an application is placed as a whole or not at all, those of
// which something is left over are taken off again, and the rest of the room is for those that fit as a whole.
//
// A cluster that fills up batch after batch goes wrong long before it is full: what fits nicely today leaves corners that suit
// nobody tomorrow. So, where nodes hold no more than a few batches like this one, as many as fit are placed behind it, at next
// to no weight, and moved together with it (foresight.h); of equal plans, that of the least trouble to come stays.

#include "core/planners/families.h"

#include <array>
#include <vector>

#include "core/base/random.h"
#include "core/planners/rules/future_batches.h"
#include "core/planners/rules/tag_builder.h"

namespace stowage {
namespace {

constexpr double kSearchRounding = 1e-9;
/// What rules of what may come may amount to, with next to no weight, beside what is here.
constexpr double kAheadRounding = 1e-3;

/// What looking ahead may cost, in work: some tens of milliseconds, and a few for each application that waits, but beyond the
/// work for a batch of twenty no more than so many times what the plan has cost.
constexpr std::uint64_t kAheadWork = 100'000;
constexpr std::uint64_t kAheadWorkPerApplication = 25'000;
constexpr std::uint64_t kAheadWorkOfBatch = kAheadWork + 20 * kAheadWorkPerApplication;
constexpr std::uint64_t kAheadTimes = 4;
/// An instance to look ahead with has no more numbers than this.
constexpr std::uint64_t kAheadSize = 2'000'000;

/// How many numbers are looked at, and how many replicas come or go, for a unit of work.
constexpr std::uint64_t kLooksPerWork = 16;
constexpr std::uint64_t kSeatsPerWork = 4;

/// A replica of an app on a node from which it may be taken.
struct Seat {
  AppId app;
  NodeId node;
};

template <class Unit>
class TagSearchRun {
 public:
  /// @param work_end where it only looks ahead: the run's work at which it ends
  explicit TagSearchRun(const PlannerInput& input, std::uint64_t work_end = kNoEnd)
      : input_(input),
        instance_(input.instance),
        work_end_(work_end),
        builder_(input, TagCosts::Parts::kAll),
        random_(input.request.seed) {
    start_ = builder_.placement().contents();
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
      // What runs and stays is of no concern.
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
    input_.run.progress.enter(Phase::kPlan, instance_.total_replicas());
    // Whoever gave no deadline is better served by a first plan that is complete than by one that is early.
    input_.run.clock.heed_deadline(input_.request.deadline_ms > 0);
    build_up(TagTies::kGathering);
    if (builder_.placement().hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    input_.run.clock.heed_deadline(true);
    input_.run.progress.enter(Phase::kImprove);
    if (input_.request.all_or_nothing && input_.run.clock.stop() == Stop::kNo) place_whole();
    improve();
    look_ahead();
    builder_.placement().write(plan);
    return {};
  }

  /// Goes on from a placement of some of the waiting apps, and places the others: where the first `apps` are in the end, app by
  /// app. Nothing where its end came before all had their turn.
  /// @param seats app by app
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

  // Counts work; true where this has to end.
  bool step(std::uint64_t units) {
    input_.run.clock.step(units);
    return is_over();
  }
  [[nodiscard]] bool is_ahead() const { return work_end_ != kNoEnd; }
  [[nodiscard]] bool is_over() const { return input_.run.clock.stop() != Stop::kNo || input_.run.clock.work() >= work_end_; }

  // Places what waits, app by app.
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
  // Places what is left of an app; adds to `fresh_`. Where it has no set to fill, kTightest is another way half of the time:
  // from a node on.
  void fill(AppId app, TagTies ties, NodeId from) {
    if (placement().unplaced(app) == 0 || is_over()) return;
    builder_.start(app);
    const bool fills_no_set = ties == TagTies::kTightest && builder_.costs().gathering_group() == kNone;
    if (fills_no_set && random_.below(2) == 0) ties = TagTies::kFirst;
    for (bool goes_on = true; goes_on && placement().unplaced(app) > 0;) {
      goes_on = builder_.place_cheapest(ties, ties == TagTies::kFirst ? from : 0);
      if (goes_on) fresh_.push_back({app, builder_.last_node()});
      if (step(1 + builder_.take_work() / kLooksPerWork)) return;
    }
  }
  // Calls change_one(node) for seats that come app by app, with that app in hand: what it costs is worked out once for all of
  // its seats. Where this has to end, it ends between two apps. Returns how many seats had their turn.
  template <class Change>
  std::size_t change(std::span<const Seat> seats, Change&& change_one) {
    std::size_t k = 0;
    while (k < seats.size() && !is_over()) {
      const std::size_t first = k;
      builder_.start(seats[first].app);
      for (; k < seats.size() && seats[k].app == seats[first].app; ++k) change_one(seats[k].node);
      step((k - first) / kSeatsPerWork + builder_.take_work() / kLooksPerWork);
    }
    return k;
  }
  void seat(NodeId node) { builder_.place(node, builder_.cost_there(node)); }

  // Apps whose going could break a hard rule of others stay.
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

  // Every replica that may be taken from where it sits, from the contents of nodes.
  void find_seats() {
    for (auto& seats : on_) seats.clear();
    const auto& contents = placement().contents();
    for (NodeId node = 0; node < contents.nodes(); ++node) {
      for (const Tenant& tenant : contents.at(node)) {
        on_[tenant.app].insert(on_[tenant.app].end(), fixed_.newcomers(tenant, node), node);
      }
    }
  }

  // What a replica of the app, to which the costs have turned, costs on the node where it is.
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

  // Applications that lack replicas or violate something, in order.
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

  // Gives the room that applications take of which something is left over to those that fit as a whole, those of which least
  // waits first. What ran before stays where it is.
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
      // Also of what the end of the run has cut off.
      if (lacks_replicas(application)) take_off([&](AppId other) { return other == application; });
      input_.run.clock.conclude();
      if (input_.run.clock.stop() != Stop::kNo) return;
    }
  }

  // Until it gains nothing more.
  void improve() {
    if (is_over()) return;
    const auto tries = static_cast<std::uint32_t>(input_.options.number("tries"));
    find_seats();
    // Rounds end when one of them gained nothing.
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
  // Moves what has just been placed, at no cost, so that more like it find room next time. Where the end of the run comes in
  // between, all stays.
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
    // Where there is room for more than so many, nothing is scarce yet.
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
    // The seats are taken there, left here, and taken anew.
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
  // Applications of which nothing was there at the start, and all is now.
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

  // Takes the application, and half of the time (always where it lacks replicas) another one, off its nodes and places both
  // anew; where running replicas may move, half of the time one replica alone.
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
    for (const AppId app : moving_) {
      left_before_.push_back(placement().unplaced(app));
      for (const NodeId node : on_[app]) before_.push_back({app, node});
    }
    fresh_.clear();
    if (alone && !before_.empty()) {
      const std::uint32_t goes = random_.below(static_cast<std::uint32_t>(before_.size()));
      fresh_ = before_;
      fresh_.erase(fresh_.begin() + goes);
      builder_.start(before_[goes].app);
      builder_.remove(before_[goes].node);
    } else {
      before_.resize(change(before_, [&](NodeId node) { builder_.remove(node); }));
    }
    const std::vector<AppId> apps = moving_;
    // What lacks room comes before the one that gives way to it, half of the time.
    if (!lacks || random_.below(2) == 0) arrange();
    const bool shuffled = random_.below(4) == 0;
    if (shuffled && moving_.size() > 1) {
      std::swap(moving_[random_.below(static_cast<std::uint32_t>(moving_.size()))],
                moving_[random_.below(static_cast<std::uint32_t>(moving_.size()))]);
    }
    // Where it fits most closely, the first way again, or from a node somewhere.
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
      // A part of an application is nothing where all of it is wanted.
      const bool in_vain = change < 0 && input_.request.all_or_nothing && lacks_replicas(instance_.application(apps[k]));
      worse = worse || change > 0 || in_vain;
    }
    const double gain = before - builder_.cost();
    // One more of what may come is worth what its rules weigh, not those of what is here.
    const bool fits_more = more_left < 0 && (!is_ahead() || gain > -kAheadRounding);
    const bool better = fits_more || gain > kSearchRounding;
    if (worse || (!better && gain < -kSearchRounding)) {
      restore(before);
      return Outcome::kWorse;
    }
    moves_ = moves;
    take_seats(apps);
    return better ? Outcome::kBetter : Outcome::kSame;
  }
  // How many replicas that ran somewhere are elsewhere now.
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
  // By the order of the first placement.
  void arrange() {
    std::sort(moving_.begin(), moving_.end(), [&](AppId a, AppId b) { return position_[a] < position_[b]; });
  }
  // Back from `fresh_` to `before_`.
  void restore(double cost) {
    for (const Seat& seat : fresh_) placement().remove(seat.app, seat.node, 1);
    for (const Seat& seat : before_) placement().place(seat.app, seat.node, 1);
    builder_.set_cost(cost);
  }
  void take_seats(const std::vector<AppId>& apps) {
    for (const AppId app : apps) on_[app].clear();
    for (const Seat& seat : fresh_) on_[seat.app].push_back(seat.node);
    for (const AppId app : apps) std::sort(on_[app].begin(), on_[app].end());
  }

  // An application on one of this one's nodes or, failing that, any.
  AppId neighbour(AppId application) {
    const auto& apps = members_[application];
    const auto& seats = on_[apps[random_.below(static_cast<std::uint32_t>(apps.size()))]];
    if (!seats.empty() && random_.below(2) == 0) {
      const auto tenants = placement().contents().at(seats[random_.below(static_cast<std::uint32_t>(seats.size()))]);
      const AppId app = tenants[random_.below(static_cast<std::uint32_t>(tenants.size()))].app;
      return instance_.application(app);
    }
    // What lacks room may find it where anyone is.
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
  Random random_;
  NodeContents start_;
  NodeContents fixed_;             // what stays where it is: all that is there at the start, or pins alone
  std::uint64_t move_budget_ = 0;  // of running replicas
  std::uint64_t moves_ = 0;
  std::vector<std::vector<AppId>> members_;  // of an application that may change, at its first app
  std::vector<AppId> movable_;               // applications that have members
  std::vector<std::vector<NodeId>> on_;      // per app: the nodes of its replicas that may be taken from there
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
    {{"tries", "how often an application that violates rules is placed anew in vain before the next one's turn", 300, 0, 10000},
     {"foresight",
      "looks so many batches like this one ahead: their rules decide between equal plans where nodes hold no more of them", 8,
      0, 1000},
     {"move-cost", "what a move of a running replica has to save at least, as weight x extent", 0.1, 0.001, 1e6}}};

}  // namespace

std::span<const PlannerInfo> tag_search_planners() {
  static const PlannerInfo kPlanner = {"tag-search",
                                       "least violation of soft rules: built up, then applications placed anew",
                                       "the objective of P2, section 5.2",
                                       "O(L N) for the start, O(N) per app placed anew",
                                       kHeadroomFeatures,
                                       kTagSearchOptions,
                                       tag_search,
                                       0,
                                       false,
                                       0,
                                       false,
                                       true};
  return {&kPlanner, 1};
}

}  // namespace stowage
