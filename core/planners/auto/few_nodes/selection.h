// Which replicas are placed where nodes are too few for all: the others are held back (Placement::hold_back).
#pragma once

#include <cstdint>
#include <vector>

#include "core/bounds/left_over_bound.h"
#include "core/planners/auto/attempt/attempt.h"

namespace stowage {

/// Of replicas with equal priority, which come first.
enum class TakeFirst : std::uint8_t {
  kCheapest,  ///< those that cost least: most replicas are placed
  kDearest,   ///< those that cost most: what is short is used up by few replicas
};

/// Takes replicas in an order, those of the highest priority first, as long as the nodes in play have the capacity for them in
/// total. O(apps x dimensions) per call.
template <class Unit>
class Selection {
 public:
  /// Prices come from a bound that has some. Of the cheapest, its mix comes before all others of their priority.
  Selection(Attempt<Unit>& attempt, const LeftOverBound& bound, TakeFirst first = TakeFirst::kCheapest);

  /// Lets go of held replicas while what the nodes have left, less the share `loss` of what they had at first, has room for
  /// them. Once an app of some priority has to wait, no app of a lower one is taken. Returns the number of replicas.
  std::uint64_t take(double loss) { return take(loss, free()); }
  /// Holds back what waits.
  void hold_back();
  /// The same, and take() passes these apps over until pass_over_none().
  void pass_over();
  void pass_over_none() { passed_over_.assign(passed_over_.size(), 0); }
  /// Apps of which replicas are left over, held back or not, in the order of the selection. Lets go of them.
  std::vector<AppId> let_go(Attempt<Unit>& attempt) const;
  /// What a replica costs, per app.
  [[nodiscard]] const std::vector<double>& cost() const { return cost_; }

 private:
  [[nodiscard]] std::vector<std::int64_t> free() const;
  std::uint64_t take(double loss, std::vector<std::int64_t> room);
  std::uint64_t take_some(const std::vector<std::uint32_t>* most, std::vector<std::int64_t>& room);

  Attempt<Unit>* attempt_;
  const std::vector<std::uint32_t>* mix_;  // null: the order alone decides
  std::vector<double> cost_;
  std::vector<AppId> order_;
  std::vector<std::int64_t> at_first_;     // per dimension: free capacity
  std::vector<std::uint8_t> passed_over_;  // per app
};

extern template class Selection<std::int16_t>;
extern template class Selection<std::int32_t>;

}  // namespace stowage
