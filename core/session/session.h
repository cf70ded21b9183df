// A live cluster: apps come and go, nodes join and fail, and what waits is planned interval by interval (P2, section 3
// and 5.4).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/run.h"
#include "core/session/operations.h"
#include "core/session/state.h"

namespace stowage {

/// What a session knows beyond an instance; Session of instance.fbs documents the fields.
struct SessionExtra {
  std::uint64_t version = 0;
  std::vector<std::uint8_t> node_state;     ///< a NodeCondition per listed node
  std::vector<std::uint32_t> class_number;  ///< per class
  std::vector<Residence> waiting_pins;      ///< pins on drained and failed nodes, left out of the instance
  std::vector<AppId> waiting_limit_begin;   ///< apps + 1, or empty: rows of limits on apps that are not there
  std::vector<std::string> waiting_limit_app;
  std::vector<std::uint32_t> waiting_limit_at_most;
};

/// A session's content as raw data. `data.limits` views the columns beside it.
struct SessionContent {
  InstanceData data;
  std::vector<std::uint32_t> limit_begin;
  std::vector<AppId> limit_app;
  std::vector<std::uint32_t> limit_at_most;
  SessionExtra extra;
  std::vector<SessionKey> apps;  ///< by index in `data`
  std::vector<SessionKey> nodes;

  SessionContent() = default;
  SessionContent(const SessionContent&) = delete;
  SessionContent& operator=(const SessionContent&) = delete;
  SessionContent(SessionContent&&) = default;
  SessionContent& operator=(SessionContent&&) = default;
  ~SessionContent() = default;
};

/// How a plan that was made for another version is taken. Mirrors stowage_commit_mode.
enum class CommitMode : std::uint32_t {
  kExact,    ///< not at all
  kWhole,    ///< where everything that it places still fits
  kFitting,  ///< app by app, those whose replicas all still fit
};

/// Mirrors ConflictKind of report.fbs, number by number.
enum class ConflictKind : std::uint8_t {
  kVersion,
  kAppGone,
  kNotPending,
  kNodeGone,
  kNodeClosed,
  kNoRoom,
  kMoves,
  kRules,
};

struct Conflict {
  ConflictKind kind;
  std::string app;
  std::string node;
  std::uint64_t wanted = 0;
  std::uint64_t available = 0;
};

struct CommitOutcome {
  bool committed = false;             ///< something of the plan was taken
  std::uint64_t planned_version = 0;  ///< version that the plan was made for
  std::uint64_t version = 0;          ///< afterwards
  std::uint64_t placed = 0;           ///< replicas that run now and did not before
  std::uint64_t moved = 0;            ///< replicas that ran and run elsewhere now
  std::uint64_t ended = 0;            ///< replicas that ran and wait now
  std::vector<std::string> opened;    ///< names that nodes of classes got, in the plan's order
  std::vector<Conflict> conflicts;    ///< what was not taken, by app
};

/// What is done with an outcome while nothing has changed yet: it may throw.
using BeforeCommit = std::function<void(const CommitOutcome&)>;

/// The cluster of one version as planners see it, and what its indices stand for.
struct SessionBatch {
  std::shared_ptr<const Instance> instance;
  std::vector<SessionKey> apps;   ///< by index, ascending
  std::vector<SessionKey> nodes;  ///< by index, ascending
  std::uint64_t version = 0;
};

/// The state of a cluster over time. Names are what apps and nodes are known by; indices, which plans refer to, are positions
/// in batch(), in the order of joining, and change as others leave. docs/sessions.md states the rules.
///
/// A call that fails, for lack of memory too, leaves the session as it was. One thread at a time; the instances of batch() are
/// immutable and independent of the session.
class Session {
 public:
  /// Opens a session on a cluster. Apps and listed nodes without names get "app-K" and "node-K".
  /// @param extra where the data is a snapshot
  /// Errors: those of Instance::build; kInvalid for what a session cannot name.
  static Result<Session> open(InstanceData data, const Limits& limits, const SessionExtra* extra);

  Session(const Session&) = delete;
  Session(Session&&) = default;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&&) = default;
  ~Session() = default;

  /// Counts operations and commits.
  [[nodiscard]] std::uint64_t version() const { return state_->globals.version; }
  [[nodiscard]] std::uint32_t resources() const { return static_cast<std::uint32_t>(state_->resources()); }

  /// Applies all operations or none. O(log of the cluster + what is touched: the app's nodes, the node's apps).
  /// Errors: kInvalid, kNotFound, kLimitExceeded with paths such as "operations[2].demand[1]".
  Error apply(std::span<const Operation> operations);

  /// The cluster as it is, with everything that waits: what a planner of this interval gets. Built anew where the version has
  /// changed; the last kBatches of them are remembered for commit(). Errors: those of Instance::build.
  Result<std::shared_ptr<const Instance>> batch();

  /// Runs a planner on the batch; one that works with patterns begins with those of the session's last plan by patterns, so
  /// that the plan depends on the session's history as well. Errors: those of run_planner() and of batch().
  /// @param before called with the plan before it is remembered; what it throws leaves the session as it was
  Result<Plan> plan(const Request& request, Control* control, const std::function<void(const Plan&)>& before = nullptr);

  /// Takes a plan that was made for a batch that the session remembers, or for its present content. Conflicts are no errors:
  /// they stand in the outcome, and what they concern stays pending. Errors: kInvalid where the plan belongs to no known batch
  /// or breaks constraints of its own batch, kLimitExceeded.
  /// @param before called with the outcome before the session changes; what it throws leaves the session as it was
  Result<CommitOutcome> commit(const Plan& plan, CommitMode mode, const BeforeCommit& before = nullptr);

  /// Forgets the batch that a plan was made for; everything stays pending. Errors: kInvalid where there is none.
  Error reject(const Plan& plan);

  /// Everything, to be opened again: an instance and what goes beyond.
  [[nodiscard]] SessionContent content() const;

  static constexpr std::size_t kBatches = 8;

 private:
  explicit Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}

  /// The batch of this version, built where it is not there yet; not remembered.
  Result<std::shared_ptr<const SessionBatch>> present();
  void remember(std::shared_ptr<const SessionBatch> batch);
  /// Of a plan that has been checked, and lists every node by itself.
  Result<CommitOutcome> commit(const SessionBatch& planned, const Plan& plan, CommitMode mode, const BeforeCommit& before);

  /// What a node held in an earlier plan: apps, ascending, and their replicas.
  using Pattern = std::vector<std::pair<SessionKey, std::uint32_t>>;

  std::unique_ptr<SessionState> state_;
  std::shared_ptr<const SessionBatch> present_;                  ///< of some version, not always this one
  std::vector<std::shared_ptr<const SessionBatch>> remembered_;  ///< the latest last
  std::vector<Pattern> patterns_;                                ///< of the last plan that was made of patterns
};

}  // namespace stowage
