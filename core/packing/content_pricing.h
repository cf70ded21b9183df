// The pricing problem of column generation for few large items per node: which content of a node is worth most.
//
// Depth-first search. Items stand by worth per price, where resources have the prices of the relaxed knapsack: what is left of
// the node at these prices bounds what can still be added (Dantzig 1957). So does the number of replicas that can still be
// added, by the least demand of what fits. Where at most one or two more fit, the best of them is found at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/packing/packing_problem.h"
#include "core/run/work_clock.h"

namespace stowage {

class ContentPricing {
 public:
  /// @param clock counts the work of searches and may end them
  ContentPricing(const PackingProblem& problem, WorkClock& clock);

  /// Sets what a replica of each item is worth, and how many are at hand; none is left out where it is worth nothing.
  void set(std::span<const double> worth, std::span<const std::uint32_t> at_hand);

  struct Found {
    std::vector<Content> contents;  ///< worth more than the floor, the best one last, some that were best before it first
    double bound = 0;  ///< no content is worth more, unless the floor is; the floor itself where the search was finished
  };
  /// Looks for the content that is worth most, in at most `steps` steps.
  /// @param floor only contents above it are found
  Found search(double floor, std::uint64_t steps);
  /// Takes the content's items out until the next set().
  void leave_out(const Content& content);

 private:
  /// The largest worths among what fits.
  class Best {
   public:
    void add(double worth, std::uint32_t times);
    /// No more than this is what `most` replicas are worth together.
    [[nodiscard]] double sum(std::uint32_t most) const;

   private:
    static constexpr std::size_t kHeld = 4;
    std::array<double, kHeld> worth_{};
  };

  [[nodiscard]] bool fits(std::uint32_t p) const;
  [[nodiscard]] std::uint32_t most_of(std::uint32_t p) const;
  void add(std::uint32_t p, std::uint32_t replicas);
  void remove(std::uint32_t p, std::uint32_t replicas);
  /// Extends the content by items of stack_[from, to).
  void descend(std::size_t from, std::size_t to, double value);
  /// The best one or two replicas of stack_[from, to), all of which fit one by one.
  void add_one(std::size_t from, std::size_t to, double value);
  void add_two(std::size_t from, std::size_t to, double value);
  /// What fractions of stack_[from, to) are worth at most.
  [[nodiscard]] double relaxed(std::size_t from, std::size_t to, double room) const;
  /// Takes the content with `also` added, if it is worth more than the floor.
  void take(double value, std::span<const PackedItem> also);
  /// Counts steps; ends the search where they run out, or the run ends.
  void count(std::uint64_t steps);

  const PackingProblem* problem_;
  WorkClock* clock_;
  // By position in the order of worth per price.
  std::vector<std::uint32_t> item_;
  std::vector<double> worth_;
  std::vector<double> price_;
  std::vector<std::uint32_t> most_;
  std::vector<std::int32_t> demand_;  // position x resources
  std::vector<double> prices_;        // per unit of a resource

  // The search at hand.
  std::vector<std::int32_t> left_;
  std::vector<PackedItem> content_;  // positions
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> by_worth_;  // scratch
  std::vector<std::int32_t> least_;      // scratch, by depth
  double floor_ = 0;
  std::uint64_t steps_left_ = 0;
  bool exhausted_ = false;
  Found found_;
  std::uint64_t uncounted_ = 0;  // steps that the clock has not counted
};

}  // namespace stowage
