// The part of `auto` that takes a plan apart and rebuilds it (docs/research/search.md).
#pragma once

#include <cstdint>
#include <memory>

#include "core/planners/columns/column_search.h"
#include "core/planners/planner.h"

namespace stowage {

/// Builds a plan up from nothing and improves it by ruin and recreate, in portions, until its bound is reached or the run ends.
class Rebuilding {
 public:
  Rebuilding() = default;
  Rebuilding(const Rebuilding&) = delete;
  Rebuilding(Rebuilding&&) = delete;
  Rebuilding& operator=(const Rebuilding&) = delete;
  Rebuilding& operator=(Rebuilding&&) = delete;
  virtual ~Rebuilding() = default;

  /// Builds a plan up, the first time; then goes on for `units` of work; kEndless: at once, for all that is left of the run.
  /// @param plan becomes the best plan so far
  /// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
  virtual Error go_on(std::uint64_t units, Plan& plan) = 0;
  /// Goes on from this plan, if it is better than its own.
  virtual void consider(const Plan& plan) = 0;
  /// Puts on the nodes what limits and rules allow, completes that, and goes on from it if it becomes better than its own.
  virtual void start_from(ColumnStart start) = 0;
  /// No plan has fewer nodes, or costs less.
  virtual void raise_bound(double bound) = 0;
  /// Whether no plan is better than its own.
  [[nodiscard]] virtual bool has_ended() const = 0;
};

/// @param input outlives the result
std::unique_ptr<Rebuilding> make_rebuilding(const PlannerInput& input);

}  // namespace stowage
