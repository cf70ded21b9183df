// From a colocation problem to an assignment whose worst-off replica suffers least, or whose replicas suffer least together.
//
// Starts: replicas by load where they cost least (LoadStart), and after the pattern of groups of nodes (GroupStart). Each is
// annealed for a pass, then the best assignment in passes that grow in length, until a bound is reached or the run ends.
#pragma once

#include <cstdint>
#include <vector>

#include "core/colocation/assignment/colocation_state.h"
#include "core/colocation/assignment/kind_groups.h"
#include "core/colocation/search/colocation_annealing.h"
#include "core/run/work_clock.h"

namespace stowage {

class ColocationSearch {
 public:
  /// The problem has to outlive the search. It has at least one node.
  ColocationSearch(const ColocationProblem& problem, ColocationGoal goal, std::uint64_t seed);

  /// Makes an assignment of all replicas, also where the clock ends the run, unless the caller cancels or the run is overdue:
  /// then it returns false, and the search is of no use.
  [[nodiscard]] bool start(WorkClock& clock);
  /// The same, unless the run ends meanwhile.
  [[nodiscard]] bool start_unless_over(WorkClock& clock);
  /// Starts from an assignment of all replicas, and takes it as the best one if it is better.
  void offer(const Colocation& colocation);
  /// Starts after the pattern of these groups, and takes the assignment as the best one if it is better.
  void offer(const KindGroups& groups, WorkClock& clock);

  /// Improves the best assignment until its objective is at most `enough` or the clock stops the run. One of start() and
  /// offer() comes before. A further call goes on where the clock stopped.
  void run(double enough, WorkClock& clock);

  [[nodiscard]] double objective() const { return best_.objective(); }
  [[nodiscard]] const Colocation& best() const { return best_.colocation(); }

 private:
  /// Takes the assignment of the state, if it is one, and offers another. Returns whether it is one.
  bool go_on(bool is_assigned, WorkClock& clock);
  void take_start(const ColocationState& state);
  void begin_pass();

  ColocationState state_;
  BestColocation best_;
  ColocationAnnealing annealing_;
  std::vector<Colocation> starts_;  // not annealed yet; the last one is next, as groups get better with the bound
  double last_start_ = -1;          // the objective of the one that came last
  std::uint32_t passes_ = 0;        // from the best assignment
  bool is_over_ = true;             // the pass
};

}  // namespace stowage
