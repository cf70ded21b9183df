#include "capi/text/words/render.h"

#include <algorithm>
#include <cmath>

#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/words/judged.h"
#include "capi/text/words/use.h"

namespace stowage::cli {
namespace {

/// Number of ways out to print; the library sorts them by size.
constexpr std::size_t kRelaxations = 4;
/// Number of lines to print about rules that do not hold.
constexpr std::uint32_t kRuleLines = 10;

std::string node_text(std::uint32_t node, const std::vector<std::string>& nodes) {
  return node < nodes.size() ? nodes[node] : "#" + std::to_string(node);
}

std::string whole(double value) { return for_people(value, 0); }

/// As counted(), of a number in a report, which may be hostile.
std::string counted_value(double value, const char* word) { return whole(value) + ' ' + word + (value == 1 ? "" : "s"); }

std::string rule_count_text(double amount, double limit) {
  return whole(amount) + " where " + whole(limit) + (amount > limit ? " is the most" : " is the least");
}

std::string obstacle_text(const wire::Obstacle& obstacle, std::uint32_t app, const Names& names) {
  switch (obstacle.kind()) {
    case wire::ObstacleKind::Capacity:
      return "lacks " + names.amount(obstacle.amount(), obstacle.resource()) + " of " +
             place_text(names, obstacle.resource(), obstacle.period());
    case wire::ObstacleKind::CapacityAtConfidence:
      return "lacks " + names.amount(obstacle.amount(), obstacle.resource()) + " at confidence of " +
             place_text(names, obstacle.resource(), obstacle.period());
    case wire::ObstacleKind::AffinityLimit:
      return names.app(obstacle.other()) + " there allows at most " + whole(obstacle.limit()) + " of " + names.app(app) +
             " beside it";
    case wire::ObstacleKind::ImposedLimit:
      return names.app(app) + " allows at most " + whole(obstacle.limit()) + " of " + names.app(obstacle.other()) +
             " beside it, and " + whole(obstacle.amount()) + (obstacle.amount() == 1 ? " is there" : " are there");
    case wire::ObstacleKind::SelfLimit:
      return names.app(app) + " allows at most " + whole(obstacle.limit()) + " of itself per node";
    case wire::ObstacleKind::ClosedNode:
      return "is closed";
    case wire::ObstacleKind::Eligibility:
      return (obstacle.limit() > 0 ? "lacks the label " : "carries the label ") + names.tag(obstacle.other());
    case wire::ObstacleKind::SideEffects:
      return "side effects would cost a replica of kind " + names.kind(obstacle.other()) + ' ' +
             for_people(obstacle.amount(), 4) + "; at most " + for_people(obstacle.limit(), 4) + " is allowed";
    case wire::ObstacleKind::Devices: {
      const double device = names.device(obstacle.resource());
      const std::string resource = names.resource(obstacle.resource());
      const std::string lacks = obstacle.amount() < device || device <= 0
                                    ? "no single " + resource + " has " + names.amount(obstacle.amount(), obstacle.resource())
                                    : "fewer than " + whole(obstacle.amount() / device) + " of " + resource + " are whole and";
      return lacks + " free; " + names.amount(obstacle.limit(), obstacle.resource()) + " are free in all";
    }
    case wire::ObstacleKind::PlacementRule:
      return "the rule " + names.rule(obstacle.other()) + " keeps it away";
  }
  return "refuses it";
}

/// The number of the condition where a rule has several.
std::string condition_text(const wire::Relaxation& relaxation, const Names& names) {
  const auto* rules = names.instance().rules();
  if (rules == nullptr || relaxation.rule() >= rules->size()) return {};
  const auto* any_of = rules->Get(relaxation.rule())->any_of();
  const bool one = any_of->size() != 1 || any_of->Get(0)->all_of()->size() == 1;
  return one ? "" : " in condition " + std::to_string(relaxation.condition() + 1);
}

/// Whether an app is only for nodes with the tag; else it refuses them.
bool asks_for(const wire::Instance& instance, std::uint32_t app, std::uint32_t tag) {
  const auto* begin = instance.apps()->only_begin();
  const auto* index = instance.apps()->only_index();
  if (begin == nullptr || index == nullptr || app >= begin->size()) return false;
  const std::uint32_t end = app + 1 < begin->size() ? begin->Get(app + 1) : index->size();
  for (std::uint32_t k = begin->Get(app); k < end && k < index->size(); ++k) {
    if (index->Get(k) == tag) return true;
  }
  return false;
}

std::string relaxation_text(const wire::Relaxation& relaxation, const Names& names, const std::vector<std::string>& nodes) {
  const bool is_free = relaxation.listed() != kNone;
  const bool is_known = is_free || relaxation.node() != kNone;
  const std::string node = is_free ? names.listed(relaxation.listed()) : node_text(relaxation.node(), nodes);
  const std::string seen = is_known ? " (node " + node + ")" : "";
  switch (relaxation.kind()) {
    case wire::RelaxationKind::None:
      return "nothing within this model helps";
    case wire::RelaxationKind::AddNode:
      return "add a node of class " + names.node_class(relaxation.node_class());
    case wire::RelaxationKind::AddCapacity: {
      const std::string where = is_known ? "on node " + node : "per node of class " + names.node_class(relaxation.node_class());
      return "add " + names.amount(relaxation.amount(), relaxation.resource()) + " of " +
             names.resource(relaxation.resource()) + " " + where;
    }
    case wire::RelaxationKind::RaiseLimit:
      if (relaxation.beside() == relaxation.app()) {
        return "allow " + whole(relaxation.amount()) + " of " + names.app(relaxation.app()) + " per node" + seen;
      }
      return "allow " + whole(relaxation.amount()) + " of " + names.app(relaxation.app()) + " beside " +
             names.app(relaxation.beside()) + seen;
    case wire::RelaxationKind::OpenNode:
      return "open " + (is_known ? "node " + node : "a node of class " + names.node_class(relaxation.node_class()));
    case wire::RelaxationKind::RaiseMaximum:
    case wire::RelaxationKind::LowerMinimum: {
      const bool raise = relaxation.kind() == wire::RelaxationKind::RaiseMaximum;
      return std::string(raise ? "raise the maximum" : "lower the minimum") + " of the rule " + names.rule(relaxation.rule()) +
             " to " + whole(relaxation.amount()) + condition_text(relaxation, names) + seen;
    }
    case wire::RelaxationKind::SoftenRule:
      return "make the rule " + names.rule(relaxation.rule()) + " soft";
    case wire::RelaxationKind::RaiseMaxCost:
      return "let side effects cost a replica of kind " + names.kind(relaxation.suffering_kind()) + " up to " +
             for_people(relaxation.amount(), 4) + seen;
    case wire::RelaxationKind::AdmitTag:
      return "drop `" + std::string(asks_for(names.instance(), relaxation.app(), relaxation.tag()) ? "only: " : "not: ") +
             names.tag(relaxation.tag()) + "` of " + names.app(relaxation.app());
  }
  return "";
}

/// "5 nodes are in use: 2 are too full, 3 are too full and forbidden by a rule".
std::string nodes_text(const wire::AppExplanation& explanation, std::uint64_t in_use) {
  std::string text = counted(in_use, "node") + (in_use == 1 ? " is in use" : " are in use");
  const char* separator = ": ";
  const auto add = [&](std::uint64_t count, const char* of_one, const char* of_several) {
    if (count == 0) return;
    text += separator + whole(static_cast<double>(count)) + " " + (count == 1 ? of_one : of_several);
    separator = ", ";
  };
  add(explanation.open_nodes(), "has room for one more", "have room for one more");
  add(explanation.blocked_by_capacity(), "is too full", "are too full");
  add(explanation.blocked_by_limits(), "is forbidden by a rule", "are forbidden by a rule");
  add(explanation.blocked_by_both(), "is too full and forbidden by a rule", "are too full and forbidden by a rule");
  return text;
}

/// The nodes that came closest to taking one more replica, and what each lacks.
void print_closest(const Console& console, const wire::AppExplanation& explanation, const Names& names,
                   const std::vector<std::string>& nodes, std::size_t most_nodes) {
  if (explanation.closest() == nullptr) return;
  const std::size_t shown = std::min<std::size_t>(explanation.closest()->size(), most_nodes);
  for (std::uint32_t k = 0; k < shown; ++k) {
    const wire::CloseNode& close = *explanation.closest()->Get(k);
    std::string where = "node " + node_text(close.node(), nodes);
    if (close.listed() != kNone) {
      where = "node " + names.listed(close.listed()) + " (free)";
    } else if (close.node() == kNone) {
      where = "a new node of class " + names.node_class(close.node_class());
    }
    std::string obstacles;
    if (close.obstacles() != nullptr) {
      for (const wire::Obstacle* obstacle : *close.obstacles()) {
        if (!obstacles.empty()) obstacles += "; ";
        obstacles += obstacle_text(*obstacle, explanation.app(), names);
      }
    }
    console.out << "    " << where << ": " << (obstacles.empty() ? "has room" : obstacles) << '\n';
  }
}

void print_relaxations(const Console& console, const wire::AppExplanation& explanation, const Names& names,
                       const std::vector<std::string>& nodes) {
  if (explanation.relaxations() == nullptr || explanation.relaxations()->size() == 0) return;
  std::string help;
  const std::size_t told = std::min<std::size_t>(explanation.relaxations()->size(), kRelaxations);
  for (std::uint32_t k = 0; k < told; ++k) {
    if (!help.empty()) help += ", or ";
    help += relaxation_text(*explanation.relaxations()->Get(k), names, nodes);
  }
  console.out << "    to place one more: " << help << '\n';
}

}  // namespace

std::string place_text(const Names& names, std::uint32_t resource, std::uint32_t period) {
  if (resource == kNone) return {};
  std::string text = names.resource(resource);
  if (names.periods() > 1 && period != kNone) {
    text += " in period " + std::to_string(period + 1) + " of " + std::to_string(names.periods());
  }
  return text;
}

std::string instance_text(const wire::Instance& instance) {
  std::uint64_t replicas = 0;
  for (const std::uint32_t count : *instance.apps()->replicas()) replicas += count;
  const std::uint32_t apps = instance.apps()->replicas()->size();
  std::string text = counted(apps, "app") + " with " + counted(replicas, "replica") + ", ";
  std::vector<std::string> resources;
  for (const wire::Resource* one : *instance.resources()) resources.push_back(printable(one->name()->string_view()));
  text += enumerated(resources);
  if (instance.periods() > 1) text += " over " + counted(instance.periods(), "period");
  text += ", " + counted(instance.classes()->size(), "node class");
  if (instance.nodes() != nullptr && instance.nodes()->node_class()->size() > 0) {
    text += ", " + counted(instance.nodes()->node_class()->size(), "listed node");
  }
  if (instance.limits() != nullptr) text += ", " + counted(instance.limits()->app()->size(), "affinity limit");
  if (instance.rules() != nullptr) text += ", " + counted(instance.rules()->size(), "placement rule");
  if (const wire::Interference* table = instance.interference(); table != nullptr) {
    std::uint32_t kinds = 0;
    while (std::uint64_t{kinds} * kinds < table->coefficient()->size()) ++kinds;
    text += ", " + counted(kinds, "kind");
  }
  if (const wire::Uncertainty* uncertainty = instance.uncertainty(); uncertainty != nullptr) {
    text += ", demand uncertain, capacity to hold with ";
    text += uncertainty->model() == wire::ChanceModel::Factor
                ? for_people(uncertainty->factor(), 3) + " standard deviations"
                : "probability " + for_people(uncertainty->confidence() * 100, 6) + " %";
  }
  return text;
}

std::vector<std::string> places_of(const wire::Plan* plan, const Names& names) {
  std::vector<std::string> places;
  const auto* nodes = names.instance().nodes();
  const std::uint32_t listed = nodes != nullptr && nodes->node_class() != nullptr ? nodes->node_class()->size() : 0;
  for (std::uint32_t n = 0; n < listed; ++n) places.push_back(names.listed(n));
  if (plan == nullptr) return places;
  names.visit_copies(*plan, [&](std::uint32_t node, const std::string& name) {
    if (plan->listed()->Get(node) == kNone) places.push_back(name);
  });
  return places;
}

namespace {

/// What is wrong, by the kind of the violation.
std::string what_is_wrong(const wire::Violation& violation, const Names& names, const std::vector<std::string>& nodes) {
  const std::string node = violation.node() == kNone ? std::string() : "node " + node_text(violation.node(), nodes) + ": ";
  const std::string app = violation.app() == kNone ? std::string() : names.app(violation.app());
  const std::string amount = whole(violation.amount());
  const std::string limit = whole(violation.limit());
  switch (violation.kind()) {
    case wire::ViolationKind::Capacity:
      return node + "needs " + names.amount(violation.amount(), violation.resource()) + " of " +
             place_text(names, violation.resource(), violation.period()) + " but has " +
             names.amount(violation.limit(), violation.resource());
    case wire::ViolationKind::CapacityAtConfidence:
      return node + "needs " + names.amount(violation.amount(), violation.resource()) + " at confidence of " +
             place_text(names, violation.resource(), violation.period()) + " but has " +
             names.amount(violation.limit(), violation.resource());
    case wire::ViolationKind::AffinityLimit:
      return node + amount + " of " + app + " beside " + names.app(violation.other()) + ", which allows " + limit;
    case wire::ViolationKind::SelfLimit:
      return node + amount + " of " + app + ", which allows " + limit + " of itself per node";
    case wire::ViolationKind::ReplicaCount:
      return app + ": " + counted_value(violation.amount(), "replica") + " placed or reported unplaced, but " + limit +
             " wanted";
    case wire::ViolationKind::Pin:
      return node + amount + " of " + app + ", but " + limit + " must be there";
    case wire::ViolationKind::ClassCount:
      return counted_value(violation.amount(), "node") + " of class " + names.node_class(violation.other()) +
             " in use, but only " + limit + (violation.limit() == 1 ? " exists" : " exist");
    case wire::ViolationKind::BadNode:
      return node + "does not exist, is there twice, has the wrong class, or stands for a wrong number of nodes";
    case wire::ViolationKind::BadEntry:
      return node + "has an entry" + (app.empty() ? "" : " for " + app) + " that is empty, occurs twice or refers to nothing";
    case wire::ViolationKind::Moves:
      return counted_value(violation.amount(), "running replica") + (violation.amount() == 1 ? " is" : " are") +
             " moved, but only " + limit + " may be";
    case wire::ViolationKind::ClosedNode:
      return node + "is closed but receives new replicas" + (app.empty() ? "" : " of " + app);
    case wire::ViolationKind::Eligibility:
      return node + app + (violation.limit() > 0 ? " asks for the label " : " refuses the label ") +
             names.tag(violation.other());
    case wire::ViolationKind::SideEffects:
      return node + "side effects cost a replica of kind " + names.kind(violation.other()) + ' ' +
             for_people(violation.amount(), 4) + "; at most " + for_people(violation.limit(), 4) + " is allowed";
    case wire::ViolationKind::Devices:
      return node + "what it holds takes " + counted_value(violation.amount(), "device") + " of " +
             names.resource(violation.resource()) + "; it has " + limit;
    case wire::ViolationKind::Promise:
      if (violation.what() == nullptr || violation.what()->string_view() != "not_survived") {
        return "the room that the plan keeps is not that of replicas of the instance";
      }
      return "some loss leaves " + counted(static_cast<std::uint64_t>(violation.amount()), "replica") +
             " without a place; the plan says " + limit;
    case wire::ViolationKind::PlacementRule:
      return node + "the hard rule " + names.rule(violation.other()) + " does not hold" + (app.empty() ? "" : " for " + app) +
             ": " + rule_count_text(violation.amount(), violation.limit());
    case wire::ViolationKind::Figures:
      return "the plan's own figures do not follow from its content" +
             (violation.what() == nullptr ? std::string() : ": " + violation.what()->str());
    case wire::ViolationKind::WrongInstance:
      return "the plan was made for another instance";
    case wire::ViolationKind::Unchecked:
      return "not checked: the instance uses " +
             (violation.what() == nullptr ? std::string("a feature") : violation.what()->str()) +
             ", which the checker does not know";
  }
  return "unknown violation";
}

}  // namespace

std::string inherited_text(std::uint64_t count) {
  return counted(count, "constraint") +
         (count == 1 ? " that was broken before stays broken" : " that were broken before stay broken");
}

std::string violation_text(const wire::Violation& violation, const Names& names, const std::vector<std::string>& nodes) {
  const bool of_room = violation.what() != nullptr && violation.what()->string_view() == "reserved";
  const std::string text = what_is_wrong(violation, names, nodes);
  return of_room && violation.kind() != wire::ViolationKind::Promise ? text + ", with the replicas that room is kept for"
                                                                     : text;
}

std::string rule_violation_text(const wire::RuleViolation& violation, const Names& names,
                                const std::vector<std::string>& nodes) {
  std::string text = violation.hard() ? "hard rule " : "rule ";
  text += names.rule(violation.rule());
  if (violation.app() != kNone) {
    text += ": " + whole(violation.replicas()) + " of " + names.app(violation.app()) + " on " +
            node_text(violation.node(), nodes) + (violation.replicas() == 1 ? " has " : " have ");
  } else {
    text += ": ";
  }
  return text + rule_count_text(violation.amount(), violation.limit());
}

std::string suffering_text(const wire::Suffering& suffering, const Names& names, const std::vector<std::string>& nodes) {
  std::string text = names.app(suffering.app()) + " suffers most, on node " + node_text(suffering.node(), nodes) + ": " +
                     for_people(suffering.cost(), 4);
  if (suffering.from_kind() != nullptr && suffering.from_kind()->size() > 0 && suffering.cost() > 0) {
    const auto* parts = suffering.from_kind();
    const auto most = static_cast<std::uint32_t>(std::max_element(parts->begin(), parts->end()) - parts->begin());
    text += ", " + percent_text(parts->Get(most) / suffering.cost()) + " of it from kind " + names.kind(most);
  }
  if (suffering.moving() != kNone) {
    text += "; moving a replica of " + names.app(suffering.moving()) + " to node " + node_text(suffering.to(), nodes) +
            " would lower it to " + for_people(suffering.cost_after(), 4) + ", with " + for_people(suffering.cost_there(), 4) +
            " there";
  } else {
    text += "; no move of one replica would lower it";
  }
  return text;
}

namespace {

/// What a plan was made without, to learn whether it decides the number of nodes; empty where the driver is a bound.
std::string left_out_of_model(const wire::Driver& driver, const Names& names) {
  switch (driver.kind()) {
    case wire::DriverKind::WithoutLimits:
      return "without affinity limits";
    case wire::DriverKind::WithoutResource:
      return "without " + names.resource(driver.resource());
    case wire::DriverKind::WithoutPeriods:
      return "with demand held at its mean over the periods";
    case wire::DriverKind::WithoutUncertainty:
      return "with all demand at its mean";
    case wire::DriverKind::WithoutCostLimits:
      return "without limits on the cost of side effects";
    case wire::DriverKind::WithoutPromises:
    case wire::DriverKind::Capacity:
    case wire::DriverKind::LargeItems:
    case wire::DriverKind::SelfLimit:
      break;
  }
  return {};
}

/// The same as a noun, for several in one sentence.
std::string left_out_thing(const wire::Driver& driver, const Names& names) {
  switch (driver.kind()) {
    case wire::DriverKind::WithoutLimits:
      return "limits";
    case wire::DriverKind::WithoutResource:
      return names.resource(driver.resource());
    case wire::DriverKind::WithoutPeriods:
      return "change over time";
    case wire::DriverKind::WithoutUncertainty:
      return "uncertainty";
    default:
      return "the cost of side effects";
  }
}

/// Says of things that a plan without any one of them is no better; `without` is how it is made without the last one.
std::string in_vain_text(const std::vector<std::string>& things, const std::string& without, bool priced) {
  const char* const as_before = priced ? " a plan costs as much" : " a plan needs as many nodes";
  if (things.size() == 1) return without + as_before;
  return "neither " + enumerated(things, " nor ") + " decides: without each of them" + as_before;
}

std::uint64_t nodes_of(const wire::Driver& driver) {
  constexpr double kMost = 1e15;  // a report may be hostile
  return driver.nodes() >= 0 && driver.nodes() <= kMost ? static_cast<std::uint64_t>(std::ceil(driver.nodes() - 1e-9)) : 0;
}

}  // namespace

std::string driver_text(const wire::Driver& driver, const Names& names) {
  const std::string nodes = counted(nodes_of(driver), "node");
  const std::string cost = driver.cost() >= 0 ? ", cost " + for_people(driver.cost(), 4) : "";
  switch (driver.kind()) {
    case wire::DriverKind::Capacity:
      return "the demand for " + place_text(names, driver.resource(), driver.period()) + " fills " + nodes;
    case wire::DriverKind::LargeItems:
      return "replicas larger than half a node in " + place_text(names, driver.resource(), driver.period()) + " need " + nodes;
    case wire::DriverKind::SelfLimit:
      return "the replicas of " + names.app(driver.app()) + " alone need " + nodes;
    case wire::DriverKind::WithoutPromises:
      return "without room for losses and more replicas, " + nodes + " of these suffice" + cost;
    default:
      return left_out_of_model(driver, names) + " the same planner needs " + nodes + cost;
  }
}

namespace {

/// Prints the strongest causes, then what would save cost, or nodes without prices, if it were not there, and what would not.
void print_drivers(const Console& console, const wire::Explanation& explanation, const wire::Plan& plan, const Names& names) {
  if (explanation.drivers() == nullptr || explanation.drivers()->size() == 0) return;
  std::uint64_t most = 0;
  for (const wire::Driver* driver : *explanation.drivers()) {
    if (left_out_of_model(*driver, names).empty()) most = std::max(most, nodes_of(*driver));
  }
  const bool priced = plan.cost() >= 0;
  const auto saves = [&](const wire::Driver& driver) {
    // Sums of the same prices may differ.
    constexpr double kRounding = 1e-9;
    return priced && driver.cost() >= 0 ? driver.cost() < plan.cost() * (1 - kRounding)
                                        : nodes_of(driver) < explanation.nodes();
  };
  console.out << (priced ? "\nWhat drives the cost\n" : "\nWhat drives the number of nodes\n");
  std::vector<std::string> in_vain;
  std::string last;
  for (const wire::Driver* driver : *explanation.drivers()) {
    const std::string without = left_out_of_model(*driver, names);
    const bool is_promise = driver->kind() == wire::DriverKind::WithoutPromises;
    if (!without.empty() && !saves(*driver)) {
      in_vain.push_back(left_out_thing(*driver, names));
      last = without;
    } else if (!without.empty() || is_promise || nodes_of(*driver) == most) {
      console.out << "  " << driver_text(*driver, names) << '\n';
    }
  }
  if (!in_vain.empty()) console.out << "  " << in_vain_text(in_vain, last, priced) << '\n';
}

/// Demands that are many times what the largest node has: often, their unit is another one than was meant.
void print_far_too_large(const Console& console, std::uint32_t app, const Names& names) {
  constexpr double kManyTimes = 8;
  const wire::Apps& apps = *names.instance().apps();
  const std::uint32_t resources = names.instance().resources()->size();
  const std::uint32_t app_count = apps.replicas()->size();
  if (app >= app_count) return;
  const std::uint32_t width = apps.demand()->size() / app_count;
  for (std::uint32_t r = 0; r < resources; ++r) {
    double demand = 0;
    for (std::uint32_t k = r * (width / resources); k < (r + 1) * (width / resources); ++k) {
      demand = std::max(demand, apps.demand()->Get(app * width + k));
    }
    const double largest = largest_capacity(names.instance(), r);
    if (!(largest > 0) || demand < kManyTimes * largest) continue;
    const std::string meant = likely_quantity(demand, names.unit(r), largest);
    console.out << "    one replica asks for " << names.amount(demand, r) << " of " << names.resource(r) << ", "
                << whole(demand / largest) << " times what the largest node has (" << names.amount(largest, r)
                << "): is a unit missing" << (meant.empty() ? meant : ", as in \"" + meant + "\"") << "?\n";
  }
}

}  // namespace

void print_app_explanation(const Console& console, const wire::AppExplanation& explanation, const wire::Plan& plan,
                           const Names& names, const std::vector<std::string>& nodes, std::size_t most_nodes) {
  const auto& replicas = *names.instance().apps()->replicas();
  const std::uint32_t wanted = explanation.app() < replicas.size() ? replicas.Get(explanation.app()) : 0;
  std::string head = toned(console, Tone::kStrong, names.app(explanation.app()));
  if (explanation.unplaced() > 0) {
    head += ": " + whole(explanation.unplaced()) + " of " + counted(wanted, "replica") + " unplaced";
  } else {
    head += ": all of " + counted(wanted, "replica") + " placed";
  }
  console.out << "  " << head << "; " << nodes_text(explanation, nodes_in_use(plan)) << '\n';
  if (explanation.unplaced() > 0) print_far_too_large(console, explanation.app(), names);
  print_closest(console, explanation, names, nodes, most_nodes);
  print_relaxations(console, explanation, names, nodes);
}

std::string left_over_text(const wire::Plan& plan) {
  if (plan.places_most()) return "proven: no plan leaves less over";
  const auto* bound = plan.left_over_bound();
  if (bound == nullptr || bound->size() == 0) return {};
  std::string text = "every plan leaves at least ";
  for (flatbuffers::uoffset_t k = 0; k < bound->size(); ++k) {
    const wire::LeftOver& one = *bound->Get(k);
    // What is least of a priority holds for plans that leave the least of the ones above.
    if (k > 0) text += k == 1 ? " over; if no more, at least " : ", ";
    text += counted(one.replicas(), "replica");
    if (bound->size() > 1 || one.priority() != 0) text += " of priority " + std::to_string(one.priority());
  }
  return bound->size() > 1 ? text : text + " over";
}

void print_rule_violations(const Console& console, const wire::Verification& verification, const Names& names,
                           const std::vector<std::string>& nodes) {
  const wire::ClusterMetrics* metrics = verification.metrics();
  const auto* list = verification.rule_violations();
  if (metrics == nullptr || metrics->rule_violations() == 0 || list == nullptr) return;
  // A rule about all subjects together is violated by none of them.
  const std::uint64_t replicas = metrics->violating_replicas();
  console.out << "  Rules do not hold" << (replicas == 0 ? "" : " for " + counted(replicas, "replica")) << ": "
              << counted(metrics->rule_violations(), "violation") << ", extent " << for_people(metrics->violation_extent(), 3)
              << ", weighted " << for_people(metrics->violation_cost(), 3) << '\n';
  for (std::uint32_t k = 0; k < list->size() && k < kRuleLines; ++k) {
    const wire::RuleViolation& one = *list->Get(k);
    console.out << "    " << rule_violation_text(one, names, nodes) << (one.inherited() ? " (broken before)" : "") << '\n';
  }
  if (list->size() > kRuleLines) console.out << "    and more; see stowage verify --summary json\n";
}

void write_rule_violations(JsonWriter& json, const wire::Verification& verification, const Names& names,
                           const std::vector<std::string>& nodes) {
  json.list("rules", verification.rule_violations(), [&](const wire::RuleViolation* one) {
    json.begin_object().key("rule").text(names.rule(one->rule())).key("hard").flag(one->hard());
    if (one->inherited()) json.key("inherited").flag(true);
    if (one->app() != kNone) json.key("app").text(names.app(one->app()));
    if (one->node() != kNone) json.key("node").text(node_text(one->node(), nodes));
    json.key("replicas").whole(one->replicas()).key("extent").number(one->extent()).key("weight").number(one->weight());
    json.key("amount").number(one->amount()).key("limit").number(one->limit());
    json.key("text").text(rule_violation_text(*one, names, nodes)).end_object();
  });
}

void write_options(JsonWriter& json, const std::vector<std::pair<std::string, double>>& options) {
  json.key("options").begin_object();
  for (const auto& [name, value] : options) json.key(name).number(value);
  json.end_object();
}

void write_cluster_metrics(JsonWriter& json, const wire::ClusterMetrics& metrics, const Names& names) {
  json.key("applications").whole(metrics.applications());
  json.key("applications_placed").whole(metrics.applications_placed());
  json.key("nodes_in_all").whole(metrics.nodes());
  json.key("fragmented_nodes").whole(metrics.fragmented_nodes());
  json.key("imbalance").begin_object();
  if (metrics.imbalance() != nullptr) {
    for (std::uint32_t r = 0; r < metrics.imbalance()->size(); ++r) {
      json.key(names.resource(r)).number(metrics.imbalance()->Get(r));
    }
  }
  json.end_object();
}

namespace {

constexpr std::size_t kMostClosestNodes = 5;

}  // namespace

void print_explanation(const Console& console, const wire::Explanation& explanation, const wire::Verification& verification,
                       const wire::Plan& plan, const Names& names, const std::vector<std::string>& nodes, double bound) {
  const Judged by{.priced = plan.cost() >= 0,
                  .bound = std::max(bound, plan.cost() >= 0 ? explanation.cost_bound() : explanation.node_bound())};
  console.out << counted(explanation.nodes(), "node") << " in use";
  if (by.priced) console.out << ", cost " << for_people(plan.cost(), 4);
  if (by.bound > 0) console.out << "; " << least_text(by);
  console.out << '\n';
  print_drivers(console, explanation, plan, names);
  if (explanation.suffering() != nullptr) {
    console.out << "\nSide effects\n  " << suffering_text(*explanation.suffering(), names, nodes) << '\n';
  }
  if (explanation.resources() != nullptr && explanation.resources()->size() > 0) {
    console.out << '\n';
    TextTable table({"resource", "demand at its peak", "of capacity", "used", "stranded"});
    for (const wire::ResourceUse* use : *explanation.resources()) {
      table.add({place_text(names, use->resource(), use->peak_period()), names.amount(use->demand(), use->resource()),
                 names.amount(use->capacity(), use->resource()),
                 percent_text(use->capacity() > 0 ? use->demand() / use->capacity() : 0),
                 names.amount(use->stranded(), use->resource())});
    }
    table.print(console);
    console.out << "  Stranded: free capacity of nodes on which no further replica fits.\n";
  }
  for_each_overridden(explanation, [&](std::uint32_t rule, std::uint32_t other) {
    console.out << "The rule " << names.rule(rule) << " gives way to the operator's rule " << names.rule(other) << '\n';
  });
  print_rule_violations(console, verification, names, nodes);
  if (explanation.apps() == nullptr || explanation.apps()->size() == 0) {
    console.out << "\nEverything is placed\n";
    return;
  }
  console.out << '\n';
  if (const std::string least = left_over_text(plan); !least.empty()) {
    console.out << "Not everything is placed; " << least << '\n';
  }
  for (const wire::AppExplanation* app : *explanation.apps()) {
    print_app_explanation(console, *app, plan, names, nodes, kMostClosestNodes);
  }
}

}  // namespace stowage::cli
