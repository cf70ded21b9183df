// Improvement with demand that changes over time: replicas whose demand varies anneal on nodes of their own (PeakAnnealing),
// those of constant demand are packed on the others (FreeSpaceSearch).
//
// Replicas of constant demand lose nothing in dips, and those that vary fill each other's dips the better, the more of them
// share a node. So both are kept apart, but for a little constant demand that fills what is left of the varying side's nodes.
// That side has nodes for its demand in the scarcest period, and a little more for the dips that stay.
//
// The two sides take turns. Annealing passes grow longer until the work is known that the run will do in all (its pace); then
// one long pass is to end, cold, at about that work, and short reheated ones follow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/annealing/annealed_placement.h"
#include "core/annealing/peak_annealing.h"
#include "core/annealing/profiles/profile_matrix.h"
#include "core/base/watch.h"
#include "core/run/run.h"
#include "core/search/free_space_search.h"
#include "core/search/search_state.h"

namespace stowage {

/// The most replicas of an instance that anneals. Every replica is an item, and all items are sorted between two looks at the
/// clock.
inline constexpr std::uint64_t kMostAnnealed = 2'000'000;

/// Whether the search is for the instance: demand changes over time and is certain, and the replicas are not too many.
[[nodiscard]] bool anneals(const Instance& instance);

template <class Unit>
class PeriodSearch {
 public:
  /// @param state stays where it is
  /// @param pace  work of the run by which the long pass and the reheated ones end; 0: what the run can do until its deadline,
  ///              as estimated on the way. The run's clock learns the pace, which repeats the run.
  /// @param start whether to make a start of what waits; false: the placement is one
  PeriodSearch(SearchState<Unit>& state, Run& run, std::uint64_t pace, bool start, std::uint64_t seed);

  /// Goes on until what waits needs at most `enough` of a node (true), the run ends, or further nodes would help.
  /// @param patience of FreeSpaceSearch: trials in a row that place nothing
  bool run(Run& run, double enough, std::uint64_t patience);
  /// Further nodes with which the last run() would rather go on; they are not for all that waits.
  [[nodiscard]] double wanted() const { return wanted_; }
  /// Makes run() end once before the long pass, when expected_loss() is known.
  void end_before_long_pass() { ends_before_long_pass_ = true; }
  /// Whether the long pass comes next.
  [[nodiscard]] bool awaits_long_pass() const { return asked_ && !cold_for_good_; }
  /// What the long pass is expected to leave free or waiting, in nodes' worth; 0 as long as its length is not known.
  [[nodiscard]] double expected_loss() const { return loss_; }

  /// Share of a node that the waiting replicas need in the period in which they need most.
  [[nodiscard]] double waiting() const;
  /// Free share of a node's scarcest resource in the period with least of it.
  [[nodiscard]] double free_share(NodeId node);

  /// A node has left play.
  void forget(NodeId node);
  /// Whether a look at the clock that counts no work has ended the run before this search could begin. The state is then what
  /// it was, and nothing else may be called.
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  /// A node has come into play: for what varies, if such waits.
  void look_again(NodeId node);

 private:
  // FreeSpaceSearch has this part of its patience where there is something to anneal.
  static constexpr std::uint64_t kLessPatience = 12;
  // Passes, and steps per replica that they take together, after which run() ends before the pace is known, so that the caller
  // may give further nodes.
  static constexpr std::size_t kTrials = 5;
  static constexpr std::uint64_t kTrialsPerReplica = 1000;
  // Of the capacity that the long pass is expected to lose: the part that is free at its beginning, and the part that may be
  // missing.
  static constexpr double kSpareOfLoss = 0.4;
  static constexpr double kMostSpareOfLoss = 1;
  // The pace is estimated once one in kGuessAfter units of it is done. The long pass takes the share kPaced of the work that is
  // left then, the one after it the share kFirstLater of its steps, and the last one the share kFilled of what is left.
  static constexpr std::uint64_t kGuessAfter = 10;
  static constexpr double kPaced = 0.86;
  static constexpr double kFirstLater = 0.12;
  static constexpr double kFilled = 0.97;
  // Steps of a pass.
  static constexpr std::uint64_t kLeastSteps = 4000;
  static constexpr std::uint64_t kLeastPerReplica = 1;
  static constexpr std::uint64_t kMostPerPair = 100;  // per replica and node: slower cooling finds nothing more

  static constexpr std::size_t kFewNodes = 64;  // fewer are not parted: every node counts
  // Share of all nodes whose worth of constant demand goes to the varying side: it loses nothing there, and the rest is packed
  // sooner.
  static constexpr double kLeft = 0.0025;
  // The smallest apps of constant demand fill what others leave free: their largest demand, and the share of all nodes that
  // they take together.
  static constexpr std::int16_t kGrain = ProfileMatrix::kFull / 64;
  static constexpr double kGrains = 0.002;

  [[nodiscard]] bool anneals(AppId app) const { return anneals_[app] != 0; }
  void find_grains();
  [[nodiscard]] bool part_nodes(WatchRef watch);
  void make_start(Run& run);
  void read_free(NodeId node);
  void search_free_space(Run& run, std::uint64_t patience);
  bool begin_pass(Run& run);
  bool begin_long_pass(Run& run);
  [[nodiscard]] std::uint64_t fitting(const WorkClock& clock, std::uint64_t steps) const;
  [[nodiscard]] std::uint64_t most_steps() const;
  bool knows_pace(WorkClock& clock);

  SearchState<Unit>* state_;
  AnnealedPlacementOf<Unit> placement_;
  ProfileMatrix rows_;
  std::vector<std::int16_t> row_;
  PeakAnnealing annealing_;
  std::vector<std::uint8_t> anneals_;       // per app: it varies, and may move
  std::vector<std::uint8_t> not_at_first_;  // per app: that, or it is a grain
  std::vector<NodeId> steady_;              // nodes for constant demand
  std::optional<FreeSpaceSearch<Unit>> free_space_;
  std::uint64_t length_ = 0;      // steps of the next pass
  std::uint64_t begin_ = 0;       // work before this search
  std::uint64_t pace_ = 0;        // 0: not known
  std::uint64_t not_before_ = 0;  // an estimated pace is at least this
  std::uint64_t last_steps_ = 1;  // of the last pass but the long one
  std::uint64_t tried_steps_ = 0;
  std::uint64_t most_trial_steps_ = 0;
  double wanted_ = 0;
  double loss_ = 0;  // that the long pass is expected to leave, in nodes' worth
  bool is_cut_ = false;
  bool asked_ = false;  // for further nodes before the long pass
  bool ends_before_long_pass_ = false;
  bool guesses_ = false;        // the pace is an estimate
  bool cold_for_good_ = false;  // the long pass has begun
  std::size_t passes_ = 0;
  std::uint32_t in_vain_ = 0;  // times in a row that FreeSpaceSearch placed nothing
};

extern template class PeriodSearch<std::int16_t>;
extern template class PeriodSearch<std::int32_t>;

}  // namespace stowage
