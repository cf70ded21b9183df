// The starts of the search, best first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/planner.h"
#include "core/search/starts/spread_start.h"

namespace stowage {

/// Makes starts one after the other, by different ways, until one is good, and hands out the best that is left.
template <class Unit>
class Starts {
 public:
  /// @param nodes nodes of each start, or more where they do not carry the demand
  /// @param any_broken see Attempt::key()
  Starts(const PlannerInput& input, std::uint32_t nodes, bool any_broken, const TiedApps& tied)
      : input_(input), nodes_(nodes), any_broken_(any_broken), tied_(tied) {}

  [[nodiscard]] bool any_left() const { return tried_ < ways().size() || !made_.empty(); }
  /// The best of the starts that are left; makes more of them while none is good.
  /// @param short_of_nodes whether nodes are too few for everything, so that starts compare by what they place, and high
  ///     priorities go first
  Error next(bool short_of_nodes, std::unique_ptr<Attempt<Unit>>& next);

 private:
  /// A way to make a start: by a planner or, where it names none, by spreading.
  struct Way {
    const char* planner = nullptr;
    SpreadRule spread;
  };
  struct Start {
    const Way* way;
    std::unique_ptr<Attempt<Unit>> attempt;
    double waiting;  // in shares of a node
  };

  [[nodiscard]] std::span<const Way> ways() const;
  [[nodiscard]] bool dense() const;
  Error make(const Way& way, bool short_of_nodes, std::unique_ptr<Attempt<Unit>>& attempt) const;

  const PlannerInput& input_;
  std::uint32_t nodes_;
  bool any_broken_;
  const TiedApps& tied_;
  std::size_t tried_ = 0;    // ways
  std::vector<Start> made_;  // that nobody has taken
};

extern template class Starts<std::int16_t>;
extern template class Starts<std::int32_t>;

}  // namespace stowage
