// A wave takes every move whose target has room beside all that moves at the same time. The sources of moves are chosen, and
// moves are tried, by the pressure on the source: what waits to come there, less what is free. A deadlock raises the pressure
// of the nodes that the moves left over wait for, and the order is made anew.

#include "core/moves/move_order.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "core/base/watched.h"
#include "core/placement/placement.h"
#include "core/plan/compact_plan.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

constexpr std::uint32_t kMostTries = 40;
constexpr double kTollTolerance = 1e-9;
// Nodes that are passed between two looks at the clock.
constexpr std::uint64_t kPassedBetweenLooks = 1 << 16;
// Nodes that are passed in the time that it takes to place replicas on one.
constexpr std::uint64_t kNodesPerPlacing = 32;
/// What a replica that leaves its node takes, in nodes that are passed, beside as much for each dimension.
constexpr std::uint64_t kStepsPerLeave = 64;
constexpr std::uint64_t kStepsPerDimension = 16;
/// What an entry of a plan takes, in steps of a watch.
constexpr std::uint64_t kStepsPerEntry = 8;
// Each replica that moves, begins or ends is an entry of the answer.
constexpr std::uint64_t kMostMovesInOrder = 1'000'000;

struct NodeShare {
  NodeId node;
  std::uint32_t replicas;
};

/// Where replicas of an app are too many, and where they are missing.
struct Flow {
  AppId app;
  std::vector<NodeShare> surplus;
  std::vector<NodeShare> deficit;
};

/// Rules that are no plain maximum: who leaves can break them. Of moves that touch the same rule, a wave has one at most.
class DelicateRules {
 public:
  explicit DelicateRules(const TagModel& model) : of_app_(&model) {
    for (std::uint32_t p = 0; p < model.parts(); ++p) {
      const TagPart& part = model.part(p);
      const bool plain = part.alone && part.kind == CardinalityKind::kReplicas && part.min == 0;
      is_delicate_.push_back(part.hard && !plain ? 1 : 0);
      any_ = any_ || is_delicate_.back() != 0;
      rules_ = std::max(rules_, part.rule + 1);
    }
    last_wave_.assign(rules_, 0);
  }
  [[nodiscard]] bool concern(AppId app) const {
    bool concerned = false;
    if (any_) visit(app, [&](std::uint32_t) { concerned = true; });
    return concerned;
  }
  [[nodiscard]] bool free_in(AppId app, std::uint32_t wave) const {
    bool free = true;
    visit(app, [&](std::uint32_t rule) { free = free && last_wave_[rule] != wave; });
    return free;
  }
  void take(AppId app, std::uint32_t wave) {
    visit(app, [&](std::uint32_t rule) { last_wave_[rule] = wave; });
  }

 private:
  template <class Visit>
  void visit(AppId app, Visit&& visit) const {
    for (const auto roles : {of_app_->subject_of(app), of_app_->target_of(app)}) {
      for (const TagModel::Role& role : roles) {
        if (is_delicate_[role.part] != 0) visit(of_app_->part(role.part).rule);
      }
    }
  }

  const TagModel* of_app_;
  std::vector<std::uint8_t> is_delicate_;  // per part
  std::vector<std::uint32_t> last_wave_;   // per rule: the last wave that touches it, counted from 1
  std::uint32_t rules_ = 0;
  bool any_ = false;
};

/// Orders what stands by node or in any order by app, then by node. In no order where the watch ends it.
void order_by_app(std::uint32_t apps, WatchRef watch, std::vector<std::pair<AppId, NodeShare>>& shares) {
  watched_sort(shares, watch, [](const auto& a, const auto& b) { return a.second.node < b.second.node; });
  std::vector<std::size_t> next(std::size_t{apps} + 1, 0);
  for (const auto& share : shares) {
    if (watch.step(kStepsPerEntry)) return;
    ++next[std::size_t{share.first} + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::pair<AppId, NodeShare>> ordered;
  watched_resize(ordered, shares.size(), watch);
  for (const auto& share : shares) {
    if (watch.step(kStepsPerEntry)) return;
    ordered[next[share.first]++] = share;
  }
  shares = std::move(ordered);
}

template <class Unit>
class Ordering {
 public:
  Ordering(const Instance& instance, const Plan& plan, const MoveLimits& limits, WorkClock& clock)
      : instance_(instance),
        limits_(limits),
        clock_(clock),
        watch_(clock.watch()),
        plan_(plan),
        start_(instance, Request{}, nullptr, watch_) {
    if (is_over()) return;
    expand(plan_);
    if (!is_over()) find_flows();
    is_ready_ = !is_over();
    if (!is_ready_) return;
    for (NodeId node = 0; node < start_.nodes(); ++node) class_of_.push_back(start_.class_of(node));
    weight_.assign(class_of_.size(), 0);
    bound_waves();
  }

  /// Whether it has what the order is made of: the moves.
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  /// Replicas that move, begin or end.
  [[nodiscard]] std::uint64_t entries() const {
    std::uint64_t sum = result_.moves;
    for (const Flow& flow : new_) {
      for (const NodeShare& share : flow.deficit) sum += share.replicas;
    }
    for (const Flow& flow : ending_) {
      for (const NodeShare& share : flow.surplus) sum += share.replicas;
    }
    return sum;
  }

  MoveOrder run() {
    std::pair<std::size_t, std::size_t> best_rank;  // moves that are left, waves
    for (std::uint32_t tries = 0; tries < kMostTries; ++tries) {
      // Most orders are found at once, and a start is as large as all nodes: it is made again rather than copied.
      if (tries > 0) start_ = start();
      if (tries > 0 && is_over()) break;
      Attempt attempt(*this, std::move(start_));
      attempt.run();
      const std::vector<Move> left = attempt.left();
      for (const Move& move : left) {
        if (move.to != kNone) weight_[move.to] += 1;
      }
      const std::pair rank(left.size(), attempt.waves.size());
      if (best_ == nullptr || rank < best_rank) {
        best_ = std::make_unique<Attempt>(std::move(attempt));
        best_rank = rank;
      }
      if (best_rank.first == 0 || is_over()) break;
    }
    best_->take_detours();
    best_->start_new();
    result_.waves = std::move(best_->waves);
    result_.stuck = best_->left();
    result_.detours = best_->detours;
    return std::move(result_);
  }

 private:
  class Attempt;

  /// Looks at the time and the cancel flag. The clock alone does not stop before its first unit of work.
  bool is_over() const { return watch_.look() || clock_.stop() != Stop::kNo; }
  /// Parts the replicas that are there from those that are not.
  void split(Flow flow);
  /// Incomplete where the watch ends it.
  void find_flows();
  /// What runs, with the plan's nodes. Nodes or replicas are missing where the watch ends it.
  [[nodiscard]] Placement<Unit> start() const {
    Placement<Unit> start(instance_, Request{}, nullptr, watch_);
    (void)start.open_nodes_of(plan_, watch_);
    return start;
  }
  void bound_waves();
  /// The largest share of any resource that a replica takes of the node; for orders only.
  [[nodiscard]] double share(AppId app, NodeId node) const {
    const NodeClass& of = instance_.data().classes[class_of_[node]];
    double most = 0;
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      if (of.capacity[r] > 0) most = std::max(most, instance_.demand_range(app, r).most / of.capacity[r]);
    }
    return most;
  }
  [[nodiscard]] std::uint32_t most_at_once(AppId app) const {
    const double share = limits_.app_share * instance_.replicas(app);
    return std::max(1u, static_cast<std::uint32_t>(std::min<double>(share, instance_.replicas(app))));
  }

  const Instance& instance_;
  MoveLimits limits_;
  WorkClock& clock_;
  mutable Watch watch_;
  Plan plan_;  // node by node
  Placement<Unit> start_;
  std::vector<ClassId> class_of_;  // per node
  std::vector<Flow> flows_;
  std::vector<Flow> new_;       // replicas that do not run yet
  std::vector<Flow> ending_;    // replicas that the plan has nowhere
  std::vector<double> weight_;  // per node: further pressure, from deadlocks
  std::unique_ptr<Attempt> best_;
  MoveOrder result_;
  bool is_ready_ = false;
};

// What runs, as a placement knows it, against the plan.
template <class Unit>
void Ordering<Unit>::find_flows() {
  const std::vector<NodeId> node_of = start_.open_nodes_of(plan_, watch_);
  if (watch_.look()) return;
  std::vector<std::pair<AppId, NodeShare>> there;
  there.reserve(instance_.data().running.size() + instance_.data().pinned.size());
  for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
    const auto tenants = start_.contents().at(n);
    if (watch_.step(kStepsPerEntry * (1 + tenants.size()))) return;
    for (const Tenant& tenant : tenants) there.push_back({tenant.app, {n, tenant.replicas}});
  }
  std::vector<std::pair<AppId, NodeShare>> planned;
  planned.reserve(plan_.placed.size());
  for (const Placed& placed : plan_.placed) {
    if (watch_.step(kStepsPerEntry)) return;
    planned.push_back({placed.app, {node_of[placed.node], placed.replicas}});
  }
  order_by_app(instance_.apps(), watch_, there);
  order_by_app(instance_.apps(), watch_, planned);
  if (watch_.look()) return;
  auto now = there.begin();
  auto next = planned.begin();
  while (now != there.end() || next != planned.end()) {
    const AppId app = std::min(now != there.end() ? now->first : kNone, next != planned.end() ? next->first : kNone);
    Flow flow{app, {}, {}};
    while ((now != there.end() && now->first == app) || (next != planned.end() && next->first == app)) {
      if (watch_.step(kStepsPerEntry)) return;
      const NodeId before = now != there.end() && now->first == app ? now->second.node : kNone;
      const NodeId after = next != planned.end() && next->first == app ? next->second.node : kNone;
      const NodeId node = std::min(before, after);
      const std::uint32_t had = before == node ? (now++)->second.replicas : 0;
      const std::uint32_t gets = after == node ? (next++)->second.replicas : 0;
      if (had > gets) flow.surplus.push_back({node, had - gets});
      if (gets > had) flow.deficit.push_back({node, gets - had});
    }
    split(std::move(flow));
  }
}

template <class Unit>
void Ordering<Unit>::split(Flow flow) {
  const auto sum = [](const std::vector<NodeShare>& shares) {
    std::uint64_t all = 0;
    for (const NodeShare& share : shares) all += share.replicas;
    return all;
  };
  const auto cut = [&](std::vector<NodeShare>& shares, std::uint64_t most) {
    std::vector<NodeShare> rest;
    for (std::uint64_t over = sum(shares) - std::min(sum(shares), most); over > 0;) {
      const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(over, shares.back().replicas));
      rest.push_back({shares.back().node, part});
      over -= part;
      shares.back().replicas -= part;
      if (shares.back().replicas == 0) shares.pop_back();
    }
    return rest;
  };
  Flow starts{flow.app, {}, cut(flow.deficit, sum(flow.surplus))};
  Flow ends{flow.app, cut(flow.surplus, sum(flow.deficit)), {}};
  if (!starts.deficit.empty()) new_.push_back(std::move(starts));
  if (!ends.surplus.empty()) ending_.push_back(std::move(ends));
  result_.moves += static_cast<std::uint32_t>(sum(flow.deficit));
  if (!flow.deficit.empty()) flows_.push_back(std::move(flow));
}

template <class Unit>
void Ordering<Unit>::bound_waves() {
  std::vector<std::uint64_t> of_node(class_of_.size(), 0);
  const auto least = [&](std::uint64_t moves, std::uint64_t at_once) {
    const auto waves = static_cast<std::uint32_t>((moves + at_once - 1) / at_once);
    result_.least_waves = std::max(result_.least_waves, waves);
  };
  for (const Flow& flow : flows_) {
    std::uint64_t moves = 0;
    for (const NodeShare& share : flow.surplus) of_node[share.node] += share.replicas;
    for (const NodeShare& share : flow.deficit) {
      of_node[share.node] += share.replicas;
      moves += share.replicas;
    }
    least(moves, most_at_once(flow.app));
  }
  if (limits_.per_node == 0) return;
  for (const std::uint64_t moves : of_node) least(moves, limits_.per_node);
}

/// One way through, from the start.
template <class Unit>
class Ordering<Unit>::Attempt {
 public:
  Attempt(const Ordering& all, Placement<Unit> start)
      : all_(&all),
        placement_(std::move(start)),
        flows_(all.flows_),
        candidate_(placement_),
        delicate_(all.instance_.tag_model()) {}

  void run() {
    // A caller who has cancelled meanwhile does not wait for what follows.
    if (!all_->is_over()) begin();
    if (all_->is_over()) return;
    end_surplus();
    while (wave()) {
    }
  }
  void take_detours();
  void start_new();

  /// What is not ordered.
  [[nodiscard]] std::vector<Move> left() const;

  std::vector<std::vector<Move>> waves;
  std::uint32_t detours = 0;

 private:
  struct Item {
    double pressure;
    std::uint32_t flow;
    std::uint32_t deficit;
  };
  struct Busy {
    std::uint32_t wave;
    std::uint32_t moves;
  };

  /// Where the watch ends it, nothing may be asked of the nodes.
  void begin() {
    inflow_ = all_->weight_;
    const std::uint64_t resources = all_->instance_.resources();
    watched_resize(use_, placement_.nodes() * resources, all_->watch_);
    node_moves_.assign(placement_.nodes(), {0, 0});
    for (const Flow& flow : flows_) {
      if (all_->watch_.step(kStepsPerEntry * resources * flow.deficit.size())) return;
      for (const NodeShare& share : flow.deficit) inflow_[share.node] += share.replicas * all_->share(flow.app, share.node);
    }
    for (NodeId n = 0; n < placement_.nodes(); ++n) {
      const auto tenants = placement_.contents().at(n);
      if (all_->watch_.step(kStepsPerEntry * (1 + resources * tenants.size()))) return;
      for (const Tenant& tenant : tenants) count_use(tenant.app, n, tenant.replicas);
    }
  }

  /// Counts nodes that were passed, and looks at the clock now and then. True: the call has to end.
  bool ends(std::uint64_t nodes) {
    passed_ += nodes;
    if (passed_ >= kPassedBetweenLooks) {
      passed_ = 0;
      all_->watch_.look();
    }
    return all_->watch_.ended() || all_->clock_.stop() != Stop::kNo;
  }
  bool wave();
  void end_surplus();
  bool detour(std::uint32_t flow, NodeId from);
  /// A node for a replica of the app, candidate_, that leaves `from`; kNone: there is none, or the call has to end.
  [[nodiscard]] NodeId third_place(AppId app, NodeId from);
  /// The surplus of the flow that has to go first, among the nodes that are not busy.
  NodeShare* source_of(Flow& flow);
  bool move(Flow& flow, NodeShare& target, std::vector<Move>& moves);
  /// Whether the replica may go now; if so, it stands on both nodes. candidate_ is the app.
  bool come(AppId app, NodeId from, NodeId to);
  void leave(const Move& move);
  [[nodiscard]] double hard_toll(AppId app, NodeId node) const { return placement_.toll(app, node).hard; }
  [[nodiscard]] bool is_busy(NodeId node) const {
    const std::uint32_t most = all_->limits_.per_node;
    return most != 0 && node_moves_[node].wave == wave_ && node_moves_[node].moves >= most;
  }
  void make_busy(NodeId node) {
    if (node_moves_[node].wave != wave_) node_moves_[node] = {wave_, 0};
    ++node_moves_[node].moves;
  }
  void count_use(AppId app, NodeId node, double replicas) {
    const Instance& instance = all_->instance_;
    const NodeClass& of = instance.data().classes[placement_.class_of(node)];
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      if (of.capacity[r] <= 0) continue;
      use_[std::size_t{node} * instance.resources() + r] += replicas * instance.demand_range(app, r).most / of.capacity[r];
    }
  }
  [[nodiscard]] double pressure(NodeId node) const {
    const std::size_t resources = all_->instance_.resources();
    const double* first = use_.data() + node * resources;
    return inflow_[node] + *std::max_element(first, first + resources);
  }

  const Ordering* all_;
  Placement<Unit> placement_;
  std::vector<Flow> flows_;
  typename Placement<Unit>::Candidate candidate_;
  DelicateRules delicate_;
  std::vector<double> inflow_;  // per node: shares of it that wait to come, and its weight
  std::vector<double> use_;     // per node and resource: the sum of the tenants' peaks
  std::vector<Busy> node_moves_;
  std::uint32_t wave_ = 0;
  std::uint64_t passed_ = 0;  // nodes since the last look at the clock
  std::vector<Move> lost_;    // starts and ends that rules do not allow
};

template <class Unit>
bool Ordering<Unit>::Attempt::wave() {
  ++wave_;
  std::vector<Item> items;
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    if (flows_[f].deficit.empty()) continue;
    double most = 0;
    for (const NodeShare& share : flows_[f].surplus) most = std::max(most, pressure(share.node));
    for (std::uint32_t d = 0; d < flows_[f].deficit.size(); ++d) items.push_back({most, f, d});
  }
  watched_sort(items, all_->watch_, [](const Item& a, const Item& b) {
    return a.pressure != b.pressure ? a.pressure > b.pressure : std::pair(a.flow, a.deficit) < std::pair(b.flow, b.deficit);
  });
  std::vector<Move> moves;
  std::uint32_t flow = kNone;
  std::uint32_t at_once = 0;
  for (const Item& item : items) {
    if (all_->clock_.step(1)) break;
    Flow& of = flows_[item.flow];
    if (flow != item.flow) {
      flow = item.flow;
      at_once = all_->most_at_once(of.app);
      candidate_.start(placement_, of.app);
    }
    NodeShare& target = of.deficit[item.deficit];
    while (target.replicas > 0 && at_once > 0 && move(of, target, moves)) --at_once;
  }
  for (const Move& move : moves) {
    // Nothing is asked of the nodes any more where the watch has ended.
    if (all_->watch_.step(kStepsPerLeave + all_->instance_.dims())) break;
    leave(move);
  }
  const auto is_done = [](const NodeShare& share) { return share.replicas == 0; };
  for (Flow& of : flows_) {
    std::erase_if(of.surplus, is_done);
    std::erase_if(of.deficit, is_done);
  }
  if (moves.empty()) return false;
  waves.push_back(std::move(moves));
  return all_->clock_.stop() == Stop::kNo;
}

template <class Unit>
NodeShare* Ordering<Unit>::Attempt::source_of(Flow& flow) {
  NodeShare* best = nullptr;
  double most = 0;
  for (NodeShare& share : flow.surplus) {
    if (share.replicas == 0 || is_busy(share.node)) continue;
    const double now = pressure(share.node);
    if (best != nullptr && now <= most) continue;
    best = &share;
    most = now;
  }
  return best;
}

template <class Unit>
bool Ordering<Unit>::Attempt::move(Flow& flow, NodeShare& target, std::vector<Move>& moves) {
  if (is_busy(target.node) || ends(flow.surplus.size() + placement_.steps_to_ask(flow.app))) return false;
  const bool is_delicate = delicate_.concern(flow.app);
  if (is_delicate && !delicate_.free_in(flow.app, wave_)) return false;
  NodeShare* source = source_of(flow);
  if (source == nullptr || !come(flow.app, source->node, target.node)) return false;
  if (is_delicate) delicate_.take(flow.app, wave_);
  make_busy(source->node);
  make_busy(target.node);
  --source->replicas;
  --target.replicas;
  inflow_[target.node] -= all_->share(flow.app, target.node);
  moves.push_back({flow.app, source->node, target.node, false});
  return true;
}

// Capacity and limits have to hold with the replica on both nodes. Rules count it once, where it goes.
template <class Unit>
bool Ordering<Unit>::Attempt::come(AppId app, NodeId from, NodeId to) {
  if (!placement_.has_rules()) {
    if (placement_.headroom(candidate_, to, 1) == 0) return false;
    placement_.place(app, to, 1);
    count_use(app, to, 1);
    return true;
  }
  double rise = -hard_toll(app, from);
  placement_.remove(app, from, 1);
  rise += hard_toll(app, from);
  bool comes = placement_.headroom(candidate_, to, 1) > 0;
  if (comes) {
    rise -= hard_toll(app, to);
    placement_.place(app, to, 1);
    rise += hard_toll(app, to);
    comes = rise <= kTollTolerance;
    if (!comes) placement_.remove(app, to, 1);
  }
  placement_.place(app, from, 1);
  if (comes) count_use(app, to, 1);
  return comes;
}

template <class Unit>
void Ordering<Unit>::Attempt::leave(const Move& move) {
  placement_.remove(move.app, move.from, 1);
  count_use(move.app, move.from, -1);
}

// What the plan has nowhere ends first: that makes room.
template <class Unit>
void Ordering<Unit>::Attempt::end_surplus() {
  const std::uint64_t steps = kStepsPerLeave + std::uint64_t{kStepsPerDimension} * all_->instance_.dims();
  std::vector<Move> moves;
  for (const Flow& flow : all_->ending_) {
    const std::uint64_t asking = placement_.steps_to_ask(flow.app);
    for (const NodeShare& share : flow.surplus) {
      for (std::uint32_t k = 0; k < share.replicas; ++k) {
        const Move move{flow.app, share.node, kNone, false};
        if (ends(steps + asking)) {
          lost_.push_back(move);
          continue;
        }
        const double before = hard_toll(flow.app, share.node);
        leave(move);
        if (hard_toll(flow.app, share.node) <= before + kTollTolerance) {
          moves.push_back(move);
          continue;
        }
        placement_.place(flow.app, share.node, 1);
        count_use(flow.app, share.node, 1);
        lost_.push_back(move);
      }
    }
  }
  if (!moves.empty()) waves.push_back(std::move(moves));
}

// Of the nodes that moves wait for, one sends a replica that leaves it anyway to a third place; then waves go on.
template <class Unit>
void Ordering<Unit>::Attempt::take_detours() {
  bool any = true;
  while (any && detours < all_->result_.moves && !all_->is_over()) {
    any = false;
    std::vector<std::uint8_t> waited_for(placement_.nodes(), 0);
    for (const Flow& flow : flows_) {
      for (const NodeShare& share : flow.deficit) waited_for[share.node] = 1;
    }
    for (std::uint32_t f = 0; f < flows_.size() && !any; ++f) {
      for (std::size_t k = 0; k < flows_[f].surplus.size() && !any; ++k) {
        const NodeId from = flows_[f].surplus[k].node;
        any = waited_for[from] != 0 && detour(f, from);
      }
    }
    while (any && wave()) {
    }
  }
}

template <class Unit>
bool Ordering<Unit>::Attempt::detour(std::uint32_t flow, NodeId from) {
  if (ends(1)) return false;
  ++wave_;
  const AppId app = flows_[flow].app;
  candidate_.start(placement_, app, true);
  const NodeId to = third_place(app, from);
  if (to == kNone || !come(app, from, to)) return false;
  const Move move{app, from, to, true};
  leave(move);
  std::vector<NodeShare>& surplus = flows_[flow].surplus;
  for (NodeShare& share : surplus) {
    if (share.node == from) --share.replicas;
  }
  std::erase_if(surplus, [](const NodeShare& share) { return share.replicas == 0; });
  const auto there = std::find_if(surplus.begin(), surplus.end(), [&](const NodeShare& share) { return share.node == to; });
  if (there == surplus.end()) {
    surplus.push_back({to, 1});
  } else {
    ++there->replicas;
  }
  waves.push_back({move});
  ++detours;
  return true;
}

// The node under the least pressure; nodes in use first, as others may be closed down soon.
template <class Unit>
NodeId Ordering<Unit>::Attempt::third_place(AppId app, NodeId from) {
  NodeId best = kNone;
  const std::uint64_t steps = placement_.steps_to_ask(app);
  for (NodeId n = 0; n < placement_.nodes(); ++n) {
    if (ends(steps)) return kNone;
    if (n == from || placement_.headroom(candidate_, n, 1) == 0) continue;
    const auto rank = [&](NodeId node) { return std::pair(!placement_.used(node), pressure(node)); };
    if (best == kNone || rank(n) < rank(best)) best = n;
  }
  return best;
}

template <class Unit>
void Ordering<Unit>::Attempt::start_new() {
  std::vector<Flow> flows = all_->new_;
  bool any = true;
  while (any) {
    std::vector<Move> moves;
    for (Flow& flow : flows) {
      candidate_.start(placement_, flow.app);
      for (NodeShare& share : flow.deficit) {
        if (ends(kNodesPerPlacing + placement_.steps_to_ask(flow.app))) break;
        const std::uint32_t fits = placement_.headroom(candidate_, share.node, share.replicas);
        if (fits > 0) placement_.place(flow.app, share.node, fits);
        share.replicas -= fits;
        moves.insert(moves.end(), fits, Move{flow.app, kNone, share.node, false});
      }
    }
    any = !moves.empty();
    if (any) waves.push_back(std::move(moves));
  }
  for (const Flow& flow : flows) {
    for (const NodeShare& share : flow.deficit) lost_.insert(lost_.end(), share.replicas, {flow.app, kNone, share.node, false});
  }
}

template <class Unit>
std::vector<Move> Ordering<Unit>::Attempt::left() const {
  std::vector<Move> left;
  for (const Flow& flow : flows_) {
    std::vector<NodeId> from;
    for (const NodeShare& share : flow.surplus) from.insert(from.end(), share.replicas, share.node);
    for (const NodeShare& share : flow.deficit) {
      for (std::uint32_t k = 0; k < share.replicas; ++k) {
        left.push_back({flow.app, from.back(), share.node, false});
        from.pop_back();
      }
    }
  }
  left.insert(left.end(), lost_.begin(), lost_.end());
  return left;
}

}  // namespace

Result<MoveOrder> order_moves(const Instance& instance, const Plan& plan, const MoveLimits& limits, WorkClock& clock) {
  return instance.visit_unit([&](auto unit) -> Result<MoveOrder> {
    Ordering<decltype(unit)> ordering(instance, plan, limits, clock);
    if (!ordering.is_ready()) return cancelled();
    if (ordering.entries() > kMostMovesInOrder) {
      return Error{Code::kLimitExceeded, "changes more than " + std::to_string(kMostMovesInOrder) + " replicas", "plan.placed"};
    }
    return ordering.run();
  });
}

Result<MoveOrder> find_move_order(const Instance& instance, const Plan& plan, const MoveLimits& limits, Control* control) {
  if (!(limits.app_share > 0 && limits.app_share <= 1)) {
    return invalid("app_share", "must be above 0 and at most 1");
  }
  Watch watch = watch_of(control);
  const Verification checked = check_plan(instance, plan, CheckScope::kViolations, watch);
  if (checked.given_up) return cancelled();
  if (!checked.ok) {
    return invalid("plan", "does not belong to the instance or breaks constraints; its verification says which");
  }
  if (Error e = check_nodes_held(instance, checked.nodes); failed(e)) return e;
  WorkClock clock(Request{}, control);
  return order_moves(instance, plan, limits, clock);
}

}  // namespace stowage
