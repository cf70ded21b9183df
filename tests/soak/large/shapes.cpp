#include "tests/soak/large/shapes.h"

#include <algorithm>
#include <cmath>

#include "core/plan/objective.h"

namespace stowage::soak {
namespace {

/// Capacity of a node of the first class, of each resource.
constexpr double kCapacity = 64;
constexpr std::uint32_t kPeriods = 24;
constexpr std::uint32_t kRacks = 8;

class LargeMaker {
 public:
  LargeMaker(const LargeShape& shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  test::Generated run() {
    add_resources();
    add_apps();
    add_classes();
    if (shape_.listed > 0) add_listed();
    if (shape_.limits) add_limits();
    if (shape_.rules) add_rules();
    if (shape_.eligibility) add_eligibility();
    if (shape_.uncertain) add_uncertainty();
    if (shape_.kinds) add_kinds();
    return std::move(result_);
  }

 private:
  InstanceData& d() { return result_.data; }

  void add_resources() {
    d().resources = {{"cpu", "cores"}, {"memory", "GiB"}};
    if (shape_.devices) d().resources.push_back({"gpu", "", 8});
    d().periods = shape_.periods ? kPeriods : 1;
  }

  // Replicas of each app, and what one of them needs: about one part in per_node of a node.
  void add_apps() {
    for (std::uint32_t i = 0; i < shape_.apps; ++i) {
      d().replicas.push_back(std::max(1u, shape_.replicas / shape_.apps));
      for (std::size_t r = 0; r < 2; ++r) {
        const double most = kCapacity / shape_.per_node * (0.4 + 0.6 * random_.share());
        double value = std::floor(most * 8) / 8;
        for (std::uint32_t t = 0; t < d().periods; ++t) {
          if (t > 0) value = std::floor(most * (0.5 + 0.5 * random_.share()) * 8) / 8;
          d().demand.push_back(value);
        }
      }
      const double part = random_.chance(0.3) ? 0 : random_.between(1, 8);
      if (shape_.devices) d().demand.insert(d().demand.end(), d().periods, part);
      if (shape_.priorities) d().priority.push_back(static_cast<std::int32_t>(random_.below(3)));
    }
  }

  void add_classes() {
    const std::uint32_t classes = shape_.prices ? 3 : 1;
    for (std::uint32_t c = 0; c < classes; ++c) {
      NodeClass of;
      of.name = "class-" + std::to_string(c);
      of.capacity.assign(2, kCapacity * (1 << c));
      if (shape_.devices) of.capacity.push_back(32);
      if (shape_.prices) of.price = (1 << c) * (1 + random_.below(8) / 16.0);
      if (shape_.counts) of.count = std::max<std::uint32_t>(1, shape_.replicas / shape_.per_node * 2 / 3 / classes);
      of.labels = {"rack=" + std::to_string(c)};
      d().classes.push_back(std::move(of));
    }
  }

  void add_listed() {
    const auto classes = static_cast<std::uint32_t>(d().classes.size());
    std::vector<std::uint32_t> left;
    left.reserve(d().replicas.size());
    for (const std::uint32_t replicas : d().replicas) left.push_back(replicas / 2);
    for (NodeId n = 0; n < shape_.listed; ++n) {
      d().node_class.push_back(random_.below(classes));
      const AppId app = random_.below(result_.apps());
      const std::uint32_t some = std::min(left[app], random_.between(0, shape_.per_node));
      if (some > 0) d().running.push_back({app, n, some});
      left[app] -= some;
    }
    for (NodeClass& of : d().classes) {
      if (of.count > 0) of.count += shape_.listed;
    }
  }

  // Of each app one for itself and one for another.
  void add_limits() {
    const std::uint32_t apps = result_.apps();
    result_.row_begin.push_back(0);
    for (AppId i = 0; i < apps; ++i) {
      if (random_.chance(0.5)) {
        result_.limited.push_back(i);
        result_.at_most.push_back(random_.between(1, shape_.per_node));
      }
      const AppId other = (i + 1) % apps;
      if (other != i) {
        result_.limited.push_back(other);
        result_.at_most.push_back(random_.below(3));
      }
      result_.row_begin.push_back(static_cast<std::uint32_t>(result_.limited.size()));
    }
  }

  void add_rules() {
    const std::uint32_t apps = result_.apps();
    const auto first = static_cast<std::uint32_t>(d().tags.size());
    IndexRows rows;
    rows.begin.push_back(0);
    for (AppId i = 0; i < apps; ++i) {
      d().tags.push_back("tag-" + std::to_string(i));
      rows.index.push_back(first + i);
      rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
    }
    d().app_tags = std::move(rows);
    NodeGroup racks;
    racks.name = "rack";
    racks.by_label = "rack";
    d().groups.push_back(racks);
    const auto add = [&](CardinalityKind kind, AppId subject, AppId target, std::uint32_t min, std::uint32_t max,
                         std::uint32_t group) {
      Cardinality part;
      part.kind = kind;
      part.subject = {first + subject};
      part.target = {first + target};
      part.min = min;
      part.max = max;
      part.group = group;
      PlacementRule rule;
      rule.name = "rule-" + std::to_string(d().rules.size());
      rule.any_of = {{part}};
      rule.hard = !shape_.soft || random_.chance(0.4);
      rule.weight = 1;
      d().rules.push_back(std::move(rule));
    };
    add(CardinalityKind::kReplicas, 0, 0, 0, random_.between(1, shape_.per_node), kNone);
    if (random_.chance(0.5)) add(CardinalityKind::kReplicas, 0, apps - 1, 1, kNone, random_.chance(0.5) ? kNone : 0);
    if (random_.chance(0.5)) add(CardinalityKind::kSkew, apps - 1, apps - 1, 0, random_.between(1, 1000), 0);
    if (random_.chance(0.3)) add(CardinalityKind::kNodeSets, 0, 0, 1, 2, 0);
  }

  void add_eligibility() {
    const auto first = static_cast<std::uint32_t>(d().tags.size());
    for (std::uint32_t k = 0; k < kRacks; ++k) d().tags.push_back("rack=" + std::to_string(k));
    d().app_only.begin.push_back(0);
    for (AppId i = 0; i < result_.apps(); ++i) {
      if (random_.chance(0.3))
        d().app_only.index.push_back(first + random_.below(static_cast<std::uint32_t>(d().classes.size())));
      d().app_only.begin.push_back(static_cast<std::uint32_t>(d().app_only.index.size()));
    }
  }

  void add_uncertainty() {
    d().has_uncertainty = true;
    for (AppId i = 0; i < result_.apps(); ++i) {
      for (ResourceId r = 0; r < result_.resources(); ++r) {
        const double mean = result_.demand(i, r, 0);
        d().variance.push_back(r == 0 ? std::floor(mean * mean * 2) / 16 : 0);
      }
    }
  }

  void add_kinds() {
    constexpr std::uint32_t kKinds = 3;
    d().has_interference = true;
    d().interference.kind_count = kKinds;
    for (AppId i = 0; i < result_.apps(); ++i) d().kind.push_back(random_.below(kKinds));
    for (std::uint32_t k = 0; k < kKinds * kKinds; ++k) d().interference.coefficient.push_back(random_.between(1, 8) / 4.0);
    if (random_.chance(0.5)) d().interference.max_cost.assign(kKinds, kCapacity);
  }

  const LargeShape shape_;
  test::Random random_;
  test::Generated result_;
};

}  // namespace

std::string LargeShape::name() const {
  const auto rounded = [](std::uint32_t number) {
    std::uint32_t zeros = 0;
    std::uint32_t rest = number;
    for (; rest >= 10 && rest % 10 == 0; rest /= 10) ++zeros;
    if (zeros < 4) return std::to_string(number);
    return (rest == 1 ? std::string() : std::to_string(rest) + " x ") + "10^" + std::to_string(zeros);
  };
  std::string text = rounded(replicas) + " replicas, " + std::to_string(apps) + (apps == 1 ? " app" : " apps");
  if (listed > 0) text += ", " + rounded(listed) + " listed nodes";
  const auto add = [&](bool has, const char* what) {
    if (has) text += std::string(", ") + what;
  };
  add(periods, "periods");
  add(limits, "limits");
  add(rules, soft ? "soft rules" : "rules");
  add(devices, "devices");
  add(prices, "prices");
  add(counts, "counts");
  add(uncertain, "uncertain demand");
  add(kinds, "side effects");
  add(priorities, "priorities");
  add(eligibility, "eligibility");
  return text;
}

LargeShape draw_shape(test::Random& random, std::uint32_t most_replicas, std::uint32_t most_listed) {
  LargeShape shape;
  shape.replicas = most_replicas;
  while (shape.replicas > 100'000 && random.chance(0.5)) shape.replicas /= 10;
  shape.apps = random.between(1, 6);
  if (random.chance(0.4)) {
    shape.listed = most_listed;
    while (shape.listed > 1000 && random.chance(0.5)) shape.listed /= 10;
  }
  constexpr std::uint32_t kPerNode[] = {1, 2, 3, 10, 40, 200};
  shape.per_node = kPerNode[random.below(6)];
  for (bool* has : {&shape.periods, &shape.limits, &shape.rules, &shape.devices, &shape.prices, &shape.counts, &shape.uncertain,
                    &shape.kinds, &shape.priorities, &shape.eligibility}) {
    *has = random.chance(0.3);
  }
  // Devices have one amount for all periods, and a class of listed nodes has at least these.
  if (shape.devices) shape.uncertain = false;
  shape.soft = shape.rules && random.chance(0.4);
  return shape;
}

test::Generated make_large(const LargeShape& shape, std::uint64_t seed) { return LargeMaker(shape, seed).run(); }

Request draw_request(test::Random& random, const test::Generated& instance) {
  const InstanceData& d = instance.data;
  Request request;
  request.planner = "auto";
  request.seed = random.below(1000);
  request.compact = random.chance(0.7);
  if (!d.running.empty()) {
    request.move_budget = random.chance(0.5) ? 0 : random.between(1, 1000);
    request.ignore_running = random.chance(0.2);
  }
  if (random.chance(0.2)) request.node_limit = random.between(1, 1'000'000);
  if (random.chance(0.1)) request.all_or_nothing = true;
  if (random.chance(0.15)) request.fill = true;
  if (random.chance(0.15)) request.objective = Objective::kAdmitted;
  if (d.has_uncertainty && random.chance(0.3)) request.objective = Objective::kUcac;
  if (d.has_interference && random.chance(0.5)) {
    request.objective = random.chance(0.5) ? Objective::kWorst : Objective::kTotal;
    if (request.node_limit == 0) request.node_limit = random.between(1, 1'000'000);
  }
  if (request.objective != Objective::kNodes) return request;
  if (random.chance(0.2)) request.keep = {{random.below(instance.apps()), random.between(1, 10'000)}};
  if (random.chance(0.2)) request.survive = random.chance(0.5) ? std::string(kEachNode) : "rack";
  if (random.chance(0.1) && request.keep.empty() && request.survive.empty()) request.leave_free = "rack";
  return request;
}

}  // namespace stowage::soak
