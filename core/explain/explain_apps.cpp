// Why one more replica of an app does not fit: all obstacles on each node, and the smallest changes that would help.
//
// Relaxations are compared by effort, in shares of a node. Added capacity counts as a share of the node's capacity. A new or
// reopened node counts 1. A raised limit counts its growth as a share of what it allows now (from 0 to 1 counts 1); so does a
// changed bound of a placement rule, and a raised limit on what side effects may cost. A rule that becomes soft counts 1, and
// so does a tag that an app no longer asks for. At equal effort, changes of rules go before changes of hardware.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/explain/explain_parts.h"

namespace stowage {
namespace {

constexpr std::size_t kClosest = 5;
constexpr std::size_t kRelaxations = 5;

// A resource of which the node has no capacity counts as much as a failing limit.
double distance_of(const Obstacle& obstacle) {
  const bool lacks = is_capacity(obstacle) && obstacle.kind != ObstacleKind::kDevices;
  return lacks && obstacle.limit > 0 ? obstacle.amount / obstacle.limit : 1;
}

int rank_of(RelaxationKind kind) {
  switch (kind) {
    case RelaxationKind::kRaiseLimit:
    case RelaxationKind::kRaiseMaximum:
    case RelaxationKind::kLowerMinimum:
    case RelaxationKind::kRaiseMaxCost:
      return 0;
    case RelaxationKind::kSoftenRule:
    case RelaxationKind::kAdmitTag:
      return 1;
    case RelaxationKind::kOpenNode:
      return 2;
    case RelaxationKind::kAddCapacity:
      return 3;
    case RelaxationKind::kAddNode:
      return 4;
    case RelaxationKind::kNothing:
      break;
  }
  return 5;
}

}  // namespace

bool is_capacity(const Obstacle& obstacle) {
  return obstacle.kind == ObstacleKind::kCapacity || obstacle.kind == ObstacleKind::kCapacityAtConfidence ||
         obstacle.kind == ObstacleKind::kDevices;
}

AppExplainer::AppExplainer(const OpenedPlan& opened, AppId app, std::uint32_t unplaced)
    : opened_(&opened), instance_(&opened.instance()) {
  result_.app = app;
  result_.unplaced = unplaced;
  for (const std::uint32_t rule : instance_->eligibility().selectors()) {
    const auto& any_of = instance_->rules()[rule].any_of;
    const bool concerns = std::any_of(any_of.begin(), any_of.end(), [this](const auto& conditions) {
      return std::any_of(conditions.begin(), conditions.end(), [this](const Cardinality& one) { return is_subject(one); });
    });
    if (concerns) selectors_.push_back(rule);
  }
}

bool AppExplainer::is_subject(const Cardinality& condition) const {
  const IndexRows& tags = instance_->app_tags();
  const auto first = tags.index.begin() + tags.begin[result_.app];
  const auto last = tags.index.begin() + tags.begin[result_.app + 1];
  return std::all_of(condition.subject.begin(), condition.subject.end(),
                     [&](std::uint32_t tag) { return std::binary_search(first, last, tag); });
}

void AppExplainer::find_obstacles(const Spot& spot, const std::vector<TagState::Refusal>& refusals) {
  refusals_.clear();
  for (const TagState::Refusal& one : refusals) {
    RuleRefusal& refusal = refusals_.emplace_back(RuleRefusal{.rule = one.rule});
    if (one.part == kNone) continue;
    const TagPart& part = instance_->tag_model().part(one.part);
    // The bounds of a negated condition are not those of its parts.
    if (instance_->rules()[one.rule].any_of[0][part.condition].negated) continue;
    refusal = {one.rule, part.condition, part.min, part.max, one.min, one.max};
  }
  if (!instance_->admits(result_.app, spot.listed, spot.node_class)) find_refusing_selectors(spot);
  obstacles_.clear();
  visit_obstacles(*instance_, result_.app, spot, [this](const Obstacle& obstacle) {
    obstacles_.push_back(obstacle);
    return true;
  });
  for (const RuleRefusal& one : refusals_) {
    obstacles_.push_back({.kind = ObstacleKind::kPlacementRule, .other = one.rule, .amount = 1});
  }
}

// A selector holds where one of the conjunctions that concern the app holds, by those of their conditions that concern it.
void AppExplainer::find_refusing_selectors(const Spot& spot) {
  const Eligibility& eligibility = instance_->eligibility();
  for (const std::uint32_t rule : selectors_) {
    const auto& any_of = instance_->rules()[rule].any_of;
    RuleRefusal refusal{.rule = rule};
    bool holds = false;
    for (const auto& conditions : any_of) {
      std::size_t concern = 0;
      std::size_t refuse = 0;
      for (std::uint32_t k = 0; k < conditions.size(); ++k) {
        const Cardinality& one = conditions[k];
        if (!is_subject(one)) continue;
        ++concern;
        const bool all = std::all_of(one.target.begin(), one.target.end(),
                                     [&](std::uint32_t tag) { return eligibility.carries(spot.listed, spot.node_class, tag); });
        const std::uint32_t count = all ? 1 : 0;
        if ((count >= one.min && count <= one.max) != one.negated) continue;
        ++refuse;
        refusal = {rule, k, one.min, one.max, std::min(one.min, count), std::max(one.max, count)};
        if (one.negated) refusal.condition = kNone;
      }
      holds = holds || (concern > 0 && refuse == 0);
      if (refuse > 1 || any_of.size() > 1) refusal = {.rule = rule};
    }
    if (!holds) refusals_.push_back(refusal);
  }
  std::sort(refusals_.begin(), refusals_.end(), [](const RuleRefusal& a, const RuleRefusal& b) { return a.rule < b.rule; });
}

bool takes_one(const OpenedPlan& opened, AppId app, NodeId node, std::span<const double> used) {
  const Spot spot = opened.spot(node, used);
  bool free = opened.instance().admits(app, spot.listed, spot.node_class) && opened.refusals(app, node).empty();
  if (free) {
    visit_obstacles(opened.instance(), app, spot, [&](const Obstacle&) {
      free = false;
      return false;
    });
  }
  return free;
}

const std::vector<Obstacle>& AppExplainer::obstacles_on(NodeId node, std::span<const double> used) {
  find_obstacles(opened_->spot(node, used), opened_->refusals(result_.app, node));
  return obstacles_;
}

void AppExplainer::look_at(NodeId node, std::span<const double> used) {
  const PlannedNode& planned = opened_->plan().nodes[node];
  obstacles_on(node, used);
  bool capacity = false;
  bool limits = false;
  for (const Obstacle& obstacle : obstacles_) (is_capacity(obstacle) ? capacity : limits) = true;
  const std::uint32_t copies = opened_->copies(node);
  if (capacity && limits) {
    result_.blocked_by_both += copies;
  } else if (capacity) {
    result_.blocked_by_capacity += copies;
  } else if (limits) {
    result_.blocked_by_limits += copies;
  } else {
    result_.open_nodes += copies;
  }
  keep_close(node, planned.node_class);
  relax(node, planned.node_class);
}

void AppExplainer::keep_close(NodeId node, ClassId node_class) {
  double distance = 0;
  for (const Obstacle& obstacle : obstacles_) distance += distance_of(obstacle);
  std::vector<CloseNode>& closest = result_.closest;
  if (closest.size() == kClosest) {
    if (distance >= closest.back().distance) return;
    closest.pop_back();
  }
  const auto at = std::upper_bound(closest.begin(), closest.end(), distance,
                                   [](double value, const CloseNode& other) { return value < other.distance; });
  closest.insert(at, {node, node_class, obstacles_, distance, unused_});
}

double AppExplainer::capacity_to_add(const Obstacle& obstacle) const {
  const double device = instance_->data().resources[obstacle.resource].device;
  if (device == 0) return obstacle.amount;
  // On new devices the replica is alone. Where the node is overloaded without it, further ones take what is too much.
  const double demand = instance_->demand_range(result_.app, obstacle.resource).most;
  const double excess = obstacle.kind == ObstacleKind::kDevices ? 0 : std::max(0.0, obstacle.amount - demand);
  const auto devices = [device](double amount) { return std::ceil(amount / device * (1 - kCheckerTolerance)); };
  return (devices(demand) + devices(excess)) * device;
}

void AppExplainer::relax(NodeId node, ClassId node_class) {
  if (obstacles_.size() != 1) return;
  const Obstacle& obstacle = obstacles_.front();
  const AppId app = result_.app;
  const auto raise = [&](AppId beside, AppId limited) {
    suggest({RelaxationKind::kRaiseLimit, beside, limited}, (obstacle.amount - obstacle.limit) / std::max(1.0, obstacle.limit),
            {.kind = RelaxationKind::kRaiseLimit,
             .node = node,
             .node_class = node_class,
             .beside = beside,
             .app = limited,
             .amount = obstacle.amount});
  };
  switch (obstacle.kind) {
    case ObstacleKind::kCapacity:
    case ObstacleKind::kCapacityAtConfidence:
    case ObstacleKind::kDevices: {
      const double more = capacity_to_add(obstacle);
      suggest({RelaxationKind::kAddCapacity, obstacle.resource, node_class},
              distance_of({.kind = ObstacleKind::kCapacity,
                           .amount = more,
                           .limit = instance_->data().classes[node_class].capacity[obstacle.resource]}),
              {.kind = RelaxationKind::kAddCapacity,
               .node = node,
               .node_class = node_class,
               .resource = obstacle.resource,
               .amount = more});
      break;
    }
    case ObstacleKind::kAffinityLimit:
      raise(obstacle.other, app);
      break;
    case ObstacleKind::kImposedLimit:
      raise(app, obstacle.other);
      break;
    case ObstacleKind::kSelfLimit:
      raise(app, app);
      break;
    case ObstacleKind::kPlacementRule:
      relax_rule(refusals_.front(), {.node = node, .node_class = node_class});
      break;
    case ObstacleKind::kEligibility:
      suggest({RelaxationKind::kAdmitTag, obstacle.other, 0}, 1,
              {.kind = RelaxationKind::kAdmitTag, .node = node, .node_class = node_class, .app = app, .tag = obstacle.other});
      break;
    case ObstacleKind::kSideEffects:
      suggest({RelaxationKind::kRaiseMaxCost, obstacle.other, 0},
              obstacle.limit > 0 ? (obstacle.amount - obstacle.limit) / obstacle.limit : 1,
              {.kind = RelaxationKind::kRaiseMaxCost,
               .node = node,
               .node_class = node_class,
               .amount = obstacle.amount,
               .suffering_kind = obstacle.other});
      break;
    case ObstacleKind::kClosedNode:
      suggest({RelaxationKind::kOpenNode, node_class, 0}, 1,
              {.kind = RelaxationKind::kOpenNode, .node = node, .node_class = node_class});
      break;
  }
}

void AppExplainer::relax_rule(const RuleRefusal& refusal, const Relaxation& there) {
  Relaxation change = there;
  change.rule = refusal.rule;
  change.kind = RelaxationKind::kSoftenRule;
  suggest({change.kind, refusal.rule, 0}, 1, change);
  const bool raise = refusal.wanted_max != refusal.max;
  // A relaxation changes one bound, not two.
  if (refusal.condition == kNone || raise == (refusal.wanted_min != refusal.min)) return;
  change.kind = raise ? RelaxationKind::kRaiseMaximum : RelaxationKind::kLowerMinimum;
  change.condition = refusal.condition;
  change.amount = raise ? refusal.wanted_max : refusal.wanted_min;
  const double from = raise ? refusal.max : refusal.min;
  suggest({change.kind, refusal.rule, refusal.condition}, std::abs(change.amount - from) / std::max(1.0, from), change);
}

void AppExplainer::suggest(const Change& change, double effort, const Relaxation& relaxation) {
  Candidate candidate{effort, relaxation};
  candidate.relaxation.listed = unused_;
  const auto [at, fresh] = candidates_.try_emplace(change, candidate);
  if (!fresh && effort < at->second.effort) at->second = candidate;
}

// Looks at the listed nodes that the plan does not use, and at new nodes of all classes. Equal empty nodes are looked at once.
void AppExplainer::look_at_unused() {
  constexpr std::uint64_t kStepsPerDim = 16;
  const InstanceData& data = instance_->data();
  std::vector<double> used;
  std::vector<NodeId> open_left(instance_->classes(), kNone);  // per class: the first of equal ones
  std::vector<NodeId> closed_left(instance_->classes(), kNone);
  for (NodeId listed = 0; listed < instance_->listed_nodes(); ++listed) {
    if (opened_->in_use(listed)) continue;
    if (opened_->watch().step(instance_->dims() * kStepsPerDim + steps_to_ask())) return;
    const ClassId c = data.node_class[listed];
    opened_->use_of_load(listed, c, used);
    // With rules, no two nodes are taken for equal.
    const Eligibility& eligibility = instance_->eligibility();
    const bool alone = !instance_->rules().empty() || eligibility.kind(listed, c) != eligibility.kind(kNone, c) ||
                       std::any_of(used.begin(), used.end(), [](double a) { return a > 0; });
    if (alone) {
      find_obstacles(opened_->empty_spot(listed, c, opened_->closed(listed), used), opened_->refusals(result_.app, listed, c));
      unused_ = listed;
      keep_close(kNone, c);
      relax(kNone, c);
      unused_ = kNone;
    } else {
      NodeId& first = (opened_->closed(listed) ? closed_left : open_left)[c];
      first = std::min(first, listed);
    }
  }
  for (ClassId c = 0; c < instance_->classes(); ++c) {
    if (opened_->watch().step(instance_->dims() * kStepsPerDim + steps_to_ask())) return;
    opened_->use_of_load(kNone, c, used);
    const std::vector<TagState::Refusal> refusals = opened_->refusals(result_.app, kNone, c);
    find_obstacles(opened_->empty_spot(kNone, c, false, used), refusals);
    if (obstacles_.empty()) {
      suggest({RelaxationKind::kAddNode, c, 0}, 1, {.kind = RelaxationKind::kAddNode, .node_class = c});
    }
    const bool available = opened_->has_anonymous_left(c) || open_left[c] != kNone;
    if (!available && closed_left[c] == kNone) continue;
    unused_ = available ? open_left[c] : closed_left[c];
    if (!available) find_obstacles(opened_->empty_spot(kNone, c, true, used), refusals);
    keep_close(kNone, c);
    relax(kNone, c);
    unused_ = kNone;
  }
}

void AppExplainer::choose_relaxations() {
  std::vector<Candidate> order;
  for (const auto& [change, candidate] : candidates_) order.push_back(candidate);
  const auto key = [this](const Candidate& c) {
    const Relaxation& r = c.relaxation;
    const double price = r.kind == RelaxationKind::kAddNode ? instance_->data().classes[r.node_class].price : 0;
    return std::tuple(c.effort, rank_of(r.kind), price, r.node, r.node_class);
  };
  std::stable_sort(order.begin(), order.end(), [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
  if (order.size() > kRelaxations) order.resize(kRelaxations);
  for (const Candidate& candidate : order) result_.relaxations.push_back(candidate.relaxation);
  if (order.empty()) result_.relaxations.push_back({.kind = RelaxationKind::kNothing});
}

AppExplanation AppExplainer::finish() {
  look_at_unused();
  // If a node of the plan can take a replica, nothing has to change.
  if (result_.open_nodes == 0) choose_relaxations();
  return std::move(result_);
}

}  // namespace stowage
