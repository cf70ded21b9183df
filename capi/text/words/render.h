// Reports as sentences and tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capi/text/base/json_text.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/names.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::cli {

/// "memory in period 2 of 4", "memory", or "" where `resource` names none.
std::string place_text(const Names& names, std::uint32_t resource, std::uint32_t period);

/// What an instance consists of, in one line.
std::string instance_text(const wire::Instance& instance);

/// Names of nodes as reports of moves and losses number them: listed nodes, then the anonymous ones of the plan, if there is
/// one.
std::vector<std::string> places_of(const wire::Plan* plan, const Names& names);

/// "1 constraint that was broken before stays broken".
std::string inherited_text(std::uint64_t count);

/// One violation as a sentence. `nodes` names the plan's nodes.
std::string violation_text(const wire::Violation& violation, const Names& names, const std::vector<std::string>& nodes);

/// A line about replicas for which a placement rule does not hold: "rule near: 2 of web on node-1 have 0 where 1 is the least".
std::string rule_violation_text(const wire::RuleViolation& violation, const Names& names,
                                const std::vector<std::string>& nodes);

/// One reason for the number of nodes as a sentence.
std::string driver_text(const wire::Driver& driver, const Names& names);
/// Who suffers most from side effects, from which kind most of it comes, and the move that would help.
std::string suffering_text(const wire::Suffering& suffering, const Names& names, const std::vector<std::string>& nodes);

/// Prints the number of unplaced replicas of an app, up to `most_nodes` nodes that came closest to taking one more, and what
/// would help.
void print_app_explanation(const Console& console, const wire::AppExplanation& explanation, const wire::Plan& plan,
                           const Names& names, const std::vector<std::string>& nodes, std::size_t most_nodes);

/// What is proven about the unplaced replicas of a plan, such as "no plan leaves less over"; empty where nothing is.
std::string left_over_text(const wire::Plan& plan);

/// Prints the number of placement rules that do not hold, and the first of them. Prints nothing where all hold.
void print_rule_violations(const Console& console, const wire::Verification& verification, const Names& names,
                           const std::vector<std::string>& nodes);

/// Writes the rules that do not hold as the member "rules" of an object.
void write_rule_violations(JsonWriter& json, const wire::Verification& verification, const Names& names,
                           const std::vector<std::string>& nodes);

/// Writes the options that a planner got as the member "options" of an object.
void write_options(JsonWriter& json, const std::vector<std::pair<std::string, double>>& options);

/// Writes applications, nodes, fragmentation and balance as members of an object.
void write_cluster_metrics(JsonWriter& json, const wire::ClusterMetrics& metrics, const Names& names);

/// Calls visit(rule, other) for every rule that gives way to another.
template <class Visit>
void for_each_overridden(const wire::Explanation& explanation, Visit&& visit) {
  if (explanation.overridden() == nullptr || explanation.overridden_by() == nullptr) return;
  for (std::uint32_t k = 0; k < explanation.overridden()->size() && k < explanation.overridden_by()->size(); ++k) {
    visit(explanation.overridden()->Get(k), explanation.overridden_by()->Get(k));
  }
}

/// Prints what determines the number of nodes, what is used of the resources, the rules that do not hold, and why replicas are
/// unplaced. `plan` belongs to the instance; `explanation` need not be trusted. `nodes` names the plan's nodes.
/// @param bound on what the plan is judged by, where one is known that the explanation may lack
void print_explanation(const Console& console, const wire::Explanation& explanation, const wire::Verification& verification,
                       const wire::Plan& plan, const Names& names, const std::vector<std::string>& nodes, double bound = 0);

}  // namespace stowage::cli
