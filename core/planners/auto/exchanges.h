// The parts of `auto` that exchange replicas between nodes (docs/research/search.md).
#pragma once

#include <cstdint>
#include <memory>

#include "core/planners/planner.h"

namespace stowage {

/// Plans by first fit, then by exchanges between nodes, in portions, until the bound is reached, the run ends, or nothing more
/// comes of it. Exchanges keep the classes of the nodes with which they begin.
class Exchanges {
 public:
  Exchanges() = default;
  Exchanges(const Exchanges&) = delete;
  Exchanges(Exchanges&&) = delete;
  Exchanges& operator=(const Exchanges&) = delete;
  Exchanges& operator=(Exchanges&&) = delete;
  virtual ~Exchanges() = default;

  /// Goes on for `units` of work, the first time after first fit; kEndless: for all that is left of the run.
  /// @param plan becomes the best plan so far
  /// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
  virtual Error go_on(std::uint64_t units, Plan& plan) = 0;
  /// Whether nothing more comes of it.
  [[nodiscard]] virtual bool has_ended() const = 0;
  /// Whether the next step is planned for all that is left of the run: go_on() does nothing for less.
  [[nodiscard]] virtual bool wants_all() const = 0;
  /// Whether such a step comes later.
  [[nodiscard]] virtual bool plans_ahead() const = 0;
  /// States a lower bound on the nodes of any complete plan.
  virtual void raise_bound(double nodes) = 0;
};

/// @param input outlives the result
std::unique_ptr<Exchanges> make_exchanges(const PlannerInput& input);

/// Exchanges replicas until the plan's used capacity at confidence falls no further.
void exchange_for_used_capacity(const PlannerInput& input, Plan& plan);

}  // namespace stowage
