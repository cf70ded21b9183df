// Reports as sentences and tables for people.
#pragma once

#include <string>
#include <vector>

#include "capi/cli/console.h"
#include "capi/cli/names.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::cli {

/// "memory in period 2 of 4", "memory", or "" where `resource` names none.
std::string place_text(const Names& names, std::uint32_t resource, std::uint32_t period);

/// What an instance consists of, in one line.
std::string instance_text(const wire::Instance& instance);

/// One violation as a sentence. `nodes` names the plan's nodes.
std::string violation_text(const wire::Violation& violation, const Names& names, const std::vector<std::string>& nodes);

/// One reason for the number of nodes as a sentence.
std::string driver_text(const wire::Driver& driver, const Names& names);

/// What an app still needs, and the nodes that came closest: at most `most_nodes` of them.
void print_app_explanation(const Console& console, const wire::AppExplanation& explanation, const wire::Plan& plan,
                           const Names& names, const std::vector<std::string>& nodes, std::size_t most_nodes);

/// Nodes in use by class with their utilization: of each resource in the period where it is highest.
void print_utilization(const Console& console, const wire::Plan& plan, const Names& names);

}  // namespace stowage::cli
