// Turns operations into a change of a session.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/model/data/instance_data.h"
#include "core/session/operations.h"
#include "core/session/state.h"

namespace stowage {

/// Adds an operation to a change. After an error, the change has to be dropped.
/// @param path the operation's path for errors, such as "operations[2]"
/// Errors: kInvalid, kNotFound, kLimitExceeded. Returns early if the watch ends the call.
Error apply_operation(SessionChange& change, const Operation& operation, const std::string& path, WatchRef watch);

/// Adds an app, or a node's load, to the totals (`by` 1), or takes it out of them (`by` 2^64 - 1).
void count_session_app(SessionGlobals& totals, std::size_t resources, const SessionApp& app, std::uint64_t by);
void count_session_load(SessionGlobals& totals, std::size_t resources, const SessionNode& node, std::uint64_t by);

/// A name for a node that is opened: its class and the next number, such as "large-3". No other node has it or got it before,
/// unless the watch ends the call.
std::string next_node_name(SessionChange& change, ClassId node_class, WatchRef watch = {});

/// Ends all replicas that run on the node; they become pending. Some still run if the watch ends the call.
void empty_node(SessionChange& change, SessionKey node, WatchRef watch = {});

/// Number of replicas whose node is fixed: those that run, and those that are pinned and do not run yet.
std::uint64_t bound_replicas(const SessionApp& app);

/// Whether every row of `periods` values is constant.
bool constant_over_periods(std::span<const double> values, std::uint32_t periods);

/// One value per resource if every row is constant over the periods, else the values unchanged.
std::vector<double> compressed_profile(std::span<const double> values, std::size_t resources, std::uint32_t periods);

// Rules (session_rules.cpp): whether every batch could still be planned.

/// The rule as an instance has it.
/// @param number the number of a tag
PlacementRule written_rule(const SessionRule& rule, const std::function<std::uint32_t(const std::string&)>& number);

/// Refuses a rule that no instance may have, whatever else there is: see check_negations().
/// @param path of the rule
Error check_session_rule(const SessionRule& rule, const std::string& path);

/// The subjects that hard rules leave no number of replicas: see contradictions().
std::vector<SessionContradiction> session_contradictions(const std::vector<SessionRule>& rules);

/// The first of the contradictions that a replica of the app would be subject to; null where it may have replicas.
const SessionContradiction* contradiction_for(const std::vector<SessionContradiction>& all, const AppSpec& app);

}  // namespace stowage
