// One operation after the other, as a change of a session.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/session/operations.h"
#include "core/session/state.h"

namespace stowage {

/// Adds an operation to a change. Where it fails, the change is of no use any more.
/// @param path of the operation, such as "operations[2]"
/// Errors: kInvalid, kNotFound, kLimitExceeded.
Error apply_operation(SessionChange& change, const Operation& operation, const std::string& path);

/// Counts an app, or a node's load, into the totals; `by` is 1, or 2^64 - 1 to take it out again.
void count_session_app(SessionGlobals& totals, std::size_t resources, const SessionApp& app, std::uint64_t by);
void count_session_load(SessionGlobals& totals, std::size_t resources, const SessionNode& node, std::uint64_t by);

/// A name for a node that is opened: its class and a number, such as "large-3", that no node has had.
std::string next_node_name(SessionChange& change, ClassId node_class);

/// What happens to the replicas that run on a node: they wait again.
void empty_node(SessionChange& change, SessionKey node);

/// Replicas that have their places already: what runs, and what is pinned and does not run yet.
std::uint64_t bound_replicas(const SessionApp& app);

/// Whether no entry of a row changes over the periods.
bool constant_over_periods(std::span<const double> values, std::uint32_t periods);

/// One value per resource where it never changes over the periods, else the values as they are.
std::vector<double> compressed_profile(std::span<const double> values, std::size_t resources, std::uint32_t periods);

}  // namespace stowage
