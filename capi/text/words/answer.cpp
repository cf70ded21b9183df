#include "capi/text/words/answer.h"

#include <algorithm>
#include <set>
#include <vector>

#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/judged.h"
#include "capi/text/words/render.h"
#include "capi/text/words/use.h"

namespace stowage::cli {
namespace {

/// Nodes, classes or apps that a sentence names one by one; of more, it says the number.
constexpr std::size_t kNamed = 3;
/// Where no resource is taken by more than this, none is what nodes lack.
constexpr double kScarce = 0.8;

bool is_complete(const wire::Plan& plan) { return plan.unplaced()->size() == 0; }

std::string number(double value) { return for_people(value, 0); }
std::string number(std::uint64_t value) { return for_people(static_cast<double>(value), 0); }

/// What becomes of nodes: of new ones by class, of listed ones by what ran there.
struct NodeChoice {
  std::vector<std::uint64_t> opened;  // by class
  double cost_of_opened = 0;
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> used;
  std::vector<std::uint32_t> freed;
};

NodeChoice choice_of(const wire::Plan& plan, const wire::Instance& instance) {
  NodeChoice choice;
  choice.opened.assign(instance.classes()->size(), 0);
  const std::uint32_t listed = instance.nodes() == nullptr ? 0 : instance.nodes()->node_class()->size();
  std::vector<std::uint8_t> ran(listed, 0);
  std::vector<std::uint8_t> in_use(listed, 0);
  if (instance.running() != nullptr) {
    for (const wire::Residence* one : *instance.running()) ran[one->node()] = 1;
  }
  for (std::uint32_t node = 0; node < plan.node_class()->size(); ++node) {
    const std::uint32_t which = plan.listed()->Get(node);
    if (which == kNone) {
      const std::uint32_t node_class = plan.node_class()->Get(node);
      choice.opened[node_class] += copies_of(plan, node);
      choice.cost_of_opened += instance.classes()->Get(node_class)->price() * copies_of(plan, node);
    } else {
      in_use[which] = 1;
    }
  }
  for (std::uint32_t node = 0; node < listed; ++node) {
    if (in_use[node] != 0) {
      (ran[node] != 0 ? choice.kept : choice.used).push_back(node);
    } else if (ran[node] != 0) {
      choice.freed.push_back(node);
    }
  }
  return choice;
}

/// Adds "keep old-1", "keep 287 nodes"; nothing where there are none. Returns whether that says how many.
bool add_listed(std::vector<std::string>& parts, const char* verb, const std::vector<std::uint32_t>& nodes,
                const Names& names) {
  if (nodes.empty()) return false;
  std::vector<std::string> named;
  for (const std::uint32_t node : nodes) {
    if (named.size() == kNamed) break;
    named.push_back(names.listed(node));
  }
  parts.push_back(std::string(verb) + ' ' + (nodes.size() > kNamed ? counted(nodes.size(), "node") : enumerated(named)));
  return nodes.size() == 1 || nodes.size() > kNamed;
}

/// Adds "buy 5 large", "use 34 nodes of 12 classes". Returns whether that says how many.
bool add_opened(std::vector<std::string>& parts, const NodeChoice& choice, const Names& names) {
  std::vector<std::string> by_class;
  std::uint64_t all = 0;
  for (std::uint32_t c = 0; c < choice.opened.size(); ++c) {
    if (choice.opened[c] == 0) continue;
    all += choice.opened[c];
    by_class.push_back(number(choice.opened[c]) + ' ' + names.node_class(c));
  }
  if (all == 0) return false;
  const bool priced = names.instance().classes()->Get(0)->price() >= 0;
  const std::string verb = priced ? "buy " : "use ";
  if (choice.opened.size() == 1) {
    parts.push_back(verb + counted(all, "node"));
  } else if (by_class.size() > kNamed) {
    parts.push_back(verb + counted(all, "node") + " of " + counted(by_class.size(), "class"));
  } else {
    parts.push_back(verb + enumerated(by_class));
    return by_class.size() == 1;
  }
  return true;
}

/// What a partial plan lacks.
std::string what_is_missing(const wire::Plan& plan) {
  if (!is_complete(plan)) {
    return counted(replicas_of(plan.unplaced()), "replica") + " of " + counted(plan.unplaced()->size(), "app") +
           (replicas_of(plan.unplaced()) == 1 ? " has" : " have") + " no place";
  }
  if (plan.unreserved() == nullptr) return plan.not_survived() > 0 ? "not every loss is survived" : "";
  return plan.not_survived() == 0 ? "there is not all the room that is to be kept"
                                  : "there is not all the room that is to be kept, and not every loss is survived";
}

void print_sureness(const Console& console, const wire::Plan& plan) {
  const std::string missing = what_is_missing(plan);
  if (!missing.empty()) {
    console.out << "  " << toned(console, Tone::kBad, capitalized(missing));
    const std::string least = is_complete(plan) ? std::string() : left_over_text(plan);
    if (!least.empty()) {
      console.out << "; " << least;
    } else if (plan.status() == wire::PlanStatus::InfeasibleProven) {
      console.out << "; proven: not everything can be placed";
    }
    console.out << ".\n";
  }
  if (plan.status() == wire::PlanStatus::Cancelled) console.out << "  Cancelled: this is the best plan so far.\n";
  if (!counts_nodes(plan)) return;
  const Judged by = judged(plan);
  console.out << "  " << toned(console, by.proven ? Tone::kGood : Tone::kPlain, sureness_text(by));
  if (plan.soft_price() > 0 && by.gap >= 0 && !by.proven) {
    console.out << ", violations at " << for_people(plan.soft_price(), 4) << " each included";
  }
  console.out << ".\n";
}

/// Prints the used capacity at confidence of all nodes and its distance to the bound.
void print_ucac(const Console& console, const wire::Plan& plan, const Names& names) {
  if (plan.ucac() < 0) return;
  const std::uint32_t resource = plan.ucac_resource();
  console.out << "  Used at confidence: " << names.amount(plan.ucac(), resource) << " of " << names.resource(resource) << " on "
              << counted(nodes_in_use(plan), "node");
  if (const wire::Bound* bound = plan.ucac_bound(); bound != nullptr && bound->value() > 0) {
    console.out << "; a complete plan uses at least " << names.amount(bound->value(), resource);
    if (is_complete(plan)) console.out << ": " << above_text(std::max(0.0, plan.ucac() / bound->value() - 1));
  }
  console.out << ".\n";
}

/// Prints a cost of side effects and its bound; where it is the objective, also the gap.
void print_side_effects(const Console& console, const wire::Plan& plan) {
  if (plan.max_cost() < 0) return;
  const auto print = [&](const char* whose, double cost, const wire::Bound* bound, wire::Objective objective) {
    console.out << "  Side effects cost " << whose << ' ' << for_people(cost, 4);
    if (bound != nullptr) console.out << "; no complete plan makes it less than " << for_people(bound->value(), 4);
    if (plan.objective() == static_cast<std::uint8_t>(objective) && plan.gap() >= 0) {
      console.out << ": " << above_text(plan.gap());
    }
    console.out << ".\n";
  };
  print("the replica that suffers most", plan.max_cost(), plan.max_cost_bound(), wire::Objective::Worst);
  print("all replicas together", plan.total_cost(), plan.total_cost_bound(), wire::Objective::Total);
}

/// Prints how many applications are admitted, and how far that is from what can be.
void print_admission(const Console& console, const wire::Plan& plan, const wire::ClusterMetrics* metrics) {
  if (plan.left_out() < 0 || metrics == nullptr) return;
  console.out << "  Admitted " << metrics->applications_placed() << " of " << counted(metrics->applications(), "application")
              << "; left out: weight " << for_people(plan.left_out(), 6);
  if (plan.left_out_bound() != nullptr) console.out << ", at least " << for_people(plan.left_out_bound()->value(), 6);
  if (plan.gap() >= 0) console.out << "; at most " << percent_text(plan.gap()) << " more can be admitted";
  console.out << ".\n";
}

/// Prints how much traffic stays on nodes, and how much can.
void print_traffic(const Console& console, const wire::Plan& plan, const wire::Instance& instance) {
  const double all = plan.remote_traffic() < 0 ? 0 : all_traffic(instance);
  if (!(all > 0)) return;
  console.out << "  Traffic that stays on its node: " << percent_text(std::max(0.0, 1 - plan.remote_traffic() / all));
  if (plan.remote_traffic_bound() != nullptr) {
    console.out << ", at most " << percent_text(std::max(0.0, 1 - plan.remote_traffic_bound()->value() / all));
  }
  console.out << ".\n";
}

/// Prints the score that a planner maximized on its own terms, and its proven gap.
void print_score(const Console& console, const wire::Plan& plan) {
  if (!plan.has_score()) return;
  console.out << "  Score of " << printable(plan.planner()->string_view()) << ": " << for_people(plan.score(), 6);
  if (plan.score_gap() < 0) {
    console.out << "; no bound is known.\n";
  } else {
    console.out << "; at most " << for_people(plan.score_bound(), 6) << ", a gap of " << for_people(plan.score_gap() * 100, 4)
                << " %.\n";
  }
}

/// Prints what the plan keeps: spare nodes, and room for more replicas. What it fails to keep, its notes say.
void print_promises(const Console& console, const wire::Plan& plan) {
  if (plan.survive() == nullptr && plan.reserved() == nullptr) return;
  std::vector<std::uint8_t> holds(plan.node_class()->size(), 0);
  for (const wire::Placed* one : *plan.placed()) holds[one->node()] = 1;
  std::uint64_t empty = 0;
  for (std::uint32_t node = 0; node < holds.size(); ++node) empty += holds[node] != 0 ? 0 : copies_of(plan, node);
  if (plan.reserved() != nullptr) {
    console.out << "  Room is kept for " << counted(reserved_replicas(plan), "more replica") << ".\n";
  }
  if (plan.survive() != nullptr && plan.not_survived() == 0) {
    const std::string what = plan.survive()->string_view() == "*" ? "any node" : "any " + printable(plan.survive()->str());
    console.out << "  The loss of " << what << " is survived: its replicas find places on the other nodes.\n";
  }
  if (empty > 0)
    console.out << "  " << counted(empty, "node") << " of these " << (empty == 1 ? "holds" : "hold") << " nothing now.\n";
}

/// Prints how many values of the label are in use, and how few can be.
void print_free_domains(const Console& console, const wire::Plan& plan) {
  if (plan.leave_free() == nullptr) return;
  const std::uint32_t used = plan.domains_in_use();
  console.out << "  " << counted(used, "value") << " of the label " << printable(plan.leave_free()->str())
              << (used == 1 ? " is" : " are") << " in use";
  if (plan.domain_bound() >= used && is_complete(plan)) {
    console.out << ", the fewest possible";
  } else {
    console.out << "; at least " << plan.domain_bound() << (plan.domain_bound() == 1 ? " is" : " are") << " needed";
  }
  console.out << ".\n";
}

/// Adds the names of tags, of which there may be none.
template <class Tags>
void add_tags(const wire::Instance& instance, const Tags* tags, std::set<std::string>& names) {
  if (tags == nullptr) return;
  for (const std::uint32_t tag : *tags) names.insert(instance.tags()->Get(tag)->str());
}

/// The tags that apps and nodes carry, labels and those of apps' names included.
std::set<std::string> carried_tags(const wire::Instance& instance) {
  std::set<std::string> carried;
  add_tags(instance, instance.apps()->tag_index(), carried);
  if (instance.nodes() != nullptr) add_tags(instance, instance.nodes()->tag_index(), carried);
  for (const wire::NodeClass* one : *instance.classes()) {
    if (one->labels() == nullptr) continue;
    for (const flatbuffers::String* label : *one->labels()) carried.insert(label->str());
  }
  if (const auto* names = instance.apps()->names(); names != nullptr) {
    for (const flatbuffers::String* name : *names) carried.insert(tag_of_app(name->string_view()));
  }
  return carried;
}

/// The tags that conditions of rules, and apps for their nodes, ask for.
std::set<std::string> asked_tags(const wire::Instance& instance) {
  std::set<std::string> asked;
  add_tags(instance, instance.apps()->only_index(), asked);
  if (instance.rules() == nullptr) return asked;
  for (const wire::PlacementRule* rule : *instance.rules()) {
    for (const wire::Conjunction* conjunction : *rule->any_of()) {
      for (const wire::Cardinality* one : *conjunction->all_of()) {
        add_tags(instance, one->subject(), asked);
        add_tags(instance, one->target(), asked);
      }
    }
  }
  return asked;
}

/// Prints what is likely to be meant by tags that are asked for, but that nothing carries.
void print_meant_tags(const Console& console, const wire::Instance& instance) {
  constexpr std::size_t kFewToCompare = 10'000;
  const std::set<std::string> carried = carried_tags(instance);
  std::size_t left = kNamed;
  for (const std::string& tag : asked_tags(instance)) {
    if (carried.contains(tag)) continue;
    if (left-- == 0) break;
    std::string meant;
    if (carried.contains(tag_of_app(tag))) {
      meant = " (did you mean \"" + tag_of_app(tag) + "\"?)";
    } else if (carried.size() <= kFewToCompare) {
      meant = did_you_mean(tag, {carried.begin(), carried.end()});
    }
    if (!meant.empty()) console.out << "  Nothing carries the tag \"" << printable(tag) << '"' << printable(meant) << '\n';
  }
}

/// Prints what the reader of the plan can act on.
void print_notes(const Console& console, const wire::Plan& plan, const wire::Instance& instance) {
  if (plan.notes() == nullptr) return;
  bool may_be_misspelt = false;
  for (const wire::Note* note : *plan.notes()) {
    const bool of_search = note->code() == wire::NoteCode::SearchOff || note->code() == wire::NoteCode::NotImproved ||
                           note->code() == wire::NoteCode::EndedEarly;
    if (!of_search) console.out << "  " << printable(note_text(*note)) << '\n';
    may_be_misspelt |= note->code() == wire::NoteCode::IdleRule || note->code() == wire::NoteCode::LeftOut;
  }
  if (may_be_misspelt && instance.tags() != nullptr) print_meant_tags(console, instance);
}

/// What decides how many nodes there are: a resource that a node less cannot hold; or, if nothing is proven, what is scarcest.
std::string what_decides(const UseTable& use, const wire::Plan& plan, const Names& names) {
  const auto period = [&](std::size_t r) {
    return names.periods() > 1 ? " in period " + std::to_string(use.peak(r) + 1) + " of " + std::to_string(names.periods())
                               : std::string();
  };
  const auto nodes = static_cast<double>(nodes_in_use(plan));
  std::vector<std::string> deciding;
  std::string scarcest;
  double most = kScarce;
  // A node that exceeds its capacity from the start may hold more than the largest one has.
  const bool may_exceed = plan.inherited_violations() > 0;
  for (std::uint32_t r = 0; r < use.resources(); ++r) {
    const double held = use.demand(r, use.peak(r));
    const double less = held - (nodes - 1) * largest_capacity(names.instance(), r);
    if (nodes > 1 && less > 1e-9 * held && !may_exceed) {
      deciding.push_back("Decided by " + names.resource(r) + ": " + names.amount(held, r) + period(r) + " is " +
                         names.amount(less, r) + " more than " + number(nodes - 1) + " of the largest nodes hold");
    }
    // Nodes hold uncertain demand with a margin, which is part of what they lack.
    const bool uncertain = plan.ucac() >= 0 && plan.ucac_resource() == r;
    const double taken = uncertain ? plan.ucac() : held;
    const double share = use.capacity(r) > 0 ? taken / use.capacity(r) : 0;
    if (share <= most) continue;
    most = share;
    scarcest = "Scarcest is " + names.resource(r) + ": " + for_people(taken) + " of " + names.amount(use.capacity(r), r) +
               " are taken" + (uncertain ? " at confidence" : period(r)) + " (" + percent_text(share) + ")";
  }
  return deciding.size() == 1 ? deciding.front() : scarcest;
}

void print_decides(const Console& console, const UseTable& use, const wire::Plan& plan, const Names& names) {
  if (!counts_nodes(plan) || !is_complete(plan) || nodes_in_use(plan) == 0) return;
  const std::string text = what_decides(use, plan, names);
  if (!text.empty()) {
    console.out << "  " << text << ".\n";
  } else if (nodes_in_use(plan) > 1) {
    console.out << "  No resource is scarce: sizes of replicas, limits or rules decide. `stowage explain` says which.\n";
  }
}

/// Prints the constraints that were broken at the start and still are.
void print_inherited(const Console& console, const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                     const std::vector<std::string>& nodes, Moves moves) {
  const std::uint64_t all = plan.inherited_violations();
  if (all == 0) return;
  std::vector<std::string> told;
  for (const wire::Violation* one : *verification.violations()) {
    if (one->inherited() && told.size() < kNamed) told.push_back(violation_text(*one, names, nodes));
  }
  const std::string what = inherited_text(all);
  const std::string remedy =
      std::string(moves == Moves::kAllowed ? "more --moves" : "--moves N") + " may repair " + (all == 1 ? "it" : "them");
  if (all == 1 && told.size() == 1) {
    console.out << "  " << toned(console, Tone::kBad, what) << ": " << told.front() << "; " << remedy << ".\n";
    return;
  }
  console.out << "  " << toned(console, Tone::kBad, what) << "; " << remedy << (told.empty() ? "." : ":") << '\n';
  for (const std::string& one : told) console.out << "    " << one << '\n';
  if (!told.empty() && all > told.size()) console.out << "    and " << number(all - told.size()) << " more\n";
}

/// Whether a rule does not hold that held at the start, or that is soft.
bool breaks_rules(const wire::Verification& verification) {
  const auto* list = verification.rule_violations();
  if (verification.metrics() == nullptr || list == nullptr) return false;
  return verification.metrics()->rule_violations() > list->size() ||
         std::any_of(list->begin(), list->end(), [](const wire::RuleViolation* one) { return !one->inherited(); });
}

void print_checked(const Console& console, const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                   const std::vector<std::string>& nodes) {
  const bool any_rule = breaks_rules(verification);
  if (verification.violation_count() == 0) {
    const std::string what = plan.inherited_violations() > 0
                                 ? "nothing new is broken."
                                 : std::string("no ") + (any_rule ? "hard constraint" : "constraint") + " is broken.";
    console.out << "  " << toned(console, Tone::kGood, "Checked independently: " + what) << '\n';
  } else {
    console.out << "  " << toned(console, Tone::kBad, counted(verification.violation_count(), "broken constraint")) << '\n';
    for (const wire::Violation* one : *verification.violations()) {
      if (!one->inherited()) console.out << "    " << violation_text(*one, names, nodes) << '\n';
    }
  }
  if (any_rule) print_rule_violations(console, verification, names, nodes);
}

}  // namespace

TextTable goals_table(const wire::Plan& plan, const Names& names) {
  TextTable table({"goal", "value", "at least", ""});
  if (plan.goals() == nullptr) return table;
  for (const wire::ReachedGoal* goal : *plan.goals()) {
    table.add({goal_words(*goal, names), goal_value(*goal, goal->value()),
               goal->bound() < 0 ? "-" : goal_value(*goal, goal->bound()), goal->proven() ? "proven best" : ""});
  }
  return table;
}

std::string answer_text(const wire::Plan& plan, const Names& names) {
  std::vector<std::string> parts;
  const NodeChoice choice = choice_of(plan, names.instance());
  bool says_all = add_opened(parts, choice, names);
  // The cost of the plan is that of kept nodes, too: what new ones cost is another number.
  const bool owns_some = !choice.used.empty() || !choice.kept.empty();
  if (!parts.empty() && owns_some && plan.cost() >= 0) parts.back() += " for " + for_people(choice.cost_of_opened, 4);
  says_all |= add_listed(parts, "use", choice.used, names);
  says_all |= add_listed(parts, "keep", choice.kept, names);
  if (parts.empty()) parts.emplace_back("no node is needed");
  says_all &= parts.size() == 1;
  add_listed(parts, "free", choice.freed, names);
  // "Buy 1 small and 2 large, keep n1": one "and" is enough.
  const bool has_and =
      std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.find(" and ") != std::string::npos; });
  std::string text = capitalized(enumerated(parts, has_and ? ", " : " and "));
  if (!says_all && nodes_in_use(plan) > 0) text += ": " + counted(nodes_in_use(plan), "node");
  if (plan.cost() >= 0) text += (says_all ? ": cost " : ", cost ") + for_people(plan.cost(), 4);
  if (plan.moves() > 0) text += ", by " + counted(plan.moves(), "move");
  return text;
}

void print_conclusion(const Console& console, const wire::Plan& plan, const wire::Verification& verification,
                      const UseTable& use, const Names& names, const std::vector<std::string>& nodes, Moves moves) {
  print_inherited(console, plan, verification, names, nodes, moves);
  if (moves == Moves::kForbidden && keeps_what_runs(plan, names.instance())) {
    console.out << "  Nothing may move: all " << number(nodes_in_use(plan))
                << " nodes have running replicas. --moves N may free some.\n";
  } else {
    print_sureness(console, plan);
    print_decides(console, use, plan, names);
  }
  print_promises(console, plan);
  print_free_domains(console, plan);
  print_ucac(console, plan, names);
  print_side_effects(console, plan);
  print_admission(console, plan, verification.metrics());
  print_traffic(console, plan, names.instance());
  print_score(console, plan);
  print_notes(console, plan, names.instance());
  print_checked(console, plan, verification, names, nodes);
}

void print_answer(const Console& console, const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                  std::size_t shown, Moves moves) {
  const std::vector<std::string> nodes = names.plan_nodes(plan);
  const UseTable use(plan, names.instance());
  const auto print = [&](const TextTable& table) {
    if (table.empty()) return;
    console.out << '\n';
    table.print(console);
  };
  console.out << toned(console, Tone::kStrong, answer_text(plan, names) + ".") << '\n';
  print_conclusion(console, plan, verification, use, names, nodes, moves);
  print(goals_table(plan, names));
  print(classes_table(plan, use, names));
  if (shown > 0) print(nodes_table(plan, use, names, nodes, shown));
}

void print_how(const Console& console, const wire::Plan& plan, const Names& names) {
  console.out << "\nHow it was found\n  by " << printable(plan.planner()->string_view()) << ", seed " << plan.seed() << ", "
              << number(plan.work()) << " units of work";
  if (plan.pace() > 0) console.out << ", pace " << plan.pace();
  console.out << '\n';
  const auto print = [&](const char* what, const wire::Bound* bound) {
    if (bound == nullptr) return;
    const std::string place = place_text(names, bound->resource(), bound->period());
    console.out << "  " << what << ": at least " << for_people(bound->value(), 4) << ", by the bound "
                << printable(bound->name()->string_view()) << (place.empty() ? "" : " on ") << place << '\n';
  };
  print("nodes", plan.node_bound());
  print("cost", plan.cost_bound());
  print("used capacity at confidence", plan.ucac_bound());
  print("side effects on who suffers most", plan.max_cost_bound());
  print("side effects on all", plan.total_cost_bound());
  print("weight left out", plan.left_out_bound());
  print("traffic between nodes", plan.remote_traffic_bound());
  if (plan.notes() == nullptr) return;
  for (const wire::Note* note : *plan.notes()) console.out << "  note: " << printable(note_text(*note)) << '\n';
}

bool keeps_what_runs(const wire::Plan& plan, const wire::Instance& instance) {
  const NodeChoice choice = choice_of(plan, instance);
  const bool opens =
      !choice.used.empty() || std::any_of(choice.opened.begin(), choice.opened.end(), [](auto n) { return n > 0; });
  return counts_nodes(plan) && is_complete(plan) && plan.unreserved() == nullptr && plan.not_survived() == 0 && !opens &&
         choice.freed.empty() && choice.kept.size() > 1 && plan.status() != wire::PlanStatus::Optimal;
}

bool counts_nodes(const wire::Plan& plan) {
  return plan.goals() == nullptr && plan.objective() == static_cast<std::uint8_t>(wire::Objective::Nodes);
}

bool has_soft_rules(const wire::Instance& instance) {
  const auto* rules = instance.rules();
  return rules != nullptr && std::any_of(rules->begin(), rules->end(), [](const auto* one) { return !one->hard(); });
}

double all_traffic(const wire::Instance& instance) {
  double all = 0;
  if (instance.traffic() == nullptr) return all;
  const auto& replicas = *instance.apps()->replicas();
  for (const wire::Traffic* one : *instance.traffic()) {
    if (replicas.Get(one->app()) > 0 && replicas.Get(one->peer()) > 0) all += one->amount();
  }
  return all;
}

std::uint64_t reserved_replicas(const wire::Plan& plan) {
  std::uint64_t sum = 0;
  if (plan.reserved() == nullptr) return sum;
  for (const wire::Placed* one : *plan.reserved()) sum += std::uint64_t{one->replicas()} * copies_of(plan, one->node());
  return sum;
}

std::uint64_t replicas_of(const flatbuffers::Vector<const wire::Unplaced*>* list) {
  std::uint64_t sum = 0;
  if (list == nullptr) return sum;
  for (const wire::Unplaced* one : *list) sum += one->replicas();
  return sum;
}

std::string note_text(const wire::Note& note) {
  return note.text() == nullptr ? word_of<wire::NoteCode>(note.code()) : note.text()->str();
}

}  // namespace stowage::cli
