// A live cluster: apps come and go, nodes join and fail, and pending replicas are planned interval by interval (P2, sections 3
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
#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/run.h"
#include "core/session/operations.h"
#include "core/session/state.h"

namespace stowage {

/// The fields of a session that an instance lacks. Table Session of instance.fbs documents them.
struct SessionExtra {
  std::uint64_t version = 0;
  std::vector<std::uint8_t> node_state;     ///< a NodeCondition per listed node
  std::vector<std::uint32_t> class_number;  ///< per class
  std::vector<Residence> waiting_pins;      ///< pins on drained and failed nodes, which the instance leaves out
  std::vector<AppId> waiting_limit_begin;   ///< apps + 1 entries, or empty: rows of limits on apps that do not exist yet
  std::vector<std::string> waiting_limit_app;
  std::vector<std::uint32_t> waiting_limit_at_most;
};

/// A session's content as raw data. `data.limits` refers to the columns of this object.
struct SessionContent {
  InstanceData data;
  std::vector<std::uint32_t> limit_begin;
  std::vector<AppId> limit_app;
  std::vector<std::uint32_t> limit_at_most;
  SessionExtra extra;
  std::vector<SessionKey> apps;   ///< per app of `data`
  std::vector<SessionKey> nodes;  ///< per listed node of `data`

  SessionContent() = default;
  SessionContent(const SessionContent&) = delete;
  SessionContent& operator=(const SessionContent&) = delete;
  SessionContent(SessionContent&&) = default;
  SessionContent& operator=(SessionContent&&) = default;
  ~SessionContent() = default;
};

/// What is committed of a plan that was made for another version. Mirrors stowage_commit_mode.
enum class CommitMode : std::uint32_t {
  kExact,    ///< nothing
  kWhole,    ///< the whole plan if all of it still fits, else nothing
  kFitting,  ///< the apps whose replicas all still fit
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
  bool committed = false;             ///< whether the plan or a part of it was committed
  std::uint64_t planned_version = 0;  ///< version that the plan was made for
  std::uint64_t version = 0;          ///< version after the commit
  std::uint64_t placed = 0;           ///< replicas that run now and did not run before
  std::uint64_t moved = 0;            ///< replicas that run on another node now
  std::uint64_t ended = 0;            ///< replicas that ran before and are pending now
  std::vector<std::string> opened;    ///< names of the nodes that were opened, in the plan's order
  std::vector<Conflict> conflicts;    ///< why parts of the plan were not committed, by app
};

/// Called with the outcome before anything changes. May throw.
using BeforeCommit = std::function<void(const CommitOutcome&)>;

/// The cluster of one version as an instance, and the keys of its apps and nodes.
struct SessionBatch {
  std::shared_ptr<const Instance> instance;
  std::vector<SessionKey> apps;   ///< per app of the instance, ascending
  std::vector<SessionKey> nodes;  ///< per listed node of the instance, ascending
  std::uint64_t version = 0;
};

/// The state of a cluster over time. Operations refer to apps and nodes by name. Plans refer to them by index: their position
/// in batch(), in the order of joining. Indices change when others leave. docs/understand/sessions.md states the rules.
///
/// A call that fails, for lack of memory or because its watch ends it too, leaves the session unchanged. One thread at a time
/// may use a session; the instances of batch() are immutable and independent of it.
class Session {
 public:
  /// Opens a session on a cluster. Apps and listed nodes without names get "app-K" and "node-K". The rules of a snapshot may
  /// contradict each other, so that they can be removed; until then, batch() and plan() refuse them.
  /// @param extra the further fields of a snapshot, or null
  /// Errors: those of Instance::build; kInvalid if a given name is empty or the snapshot contradicts itself; kLimitExceeded.
  static Result<Session> open(InstanceData data, const Limits& limits, const SessionExtra* extra, WatchRef watch = {});

  Session(const Session&) = delete;
  Session(Session&&) = default;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&&) = default;
  ~Session() = default;

  /// Number of operations and commits so far.
  [[nodiscard]] std::uint64_t version() const { return state_->globals.version; }
  [[nodiscard]] std::uint32_t resources() const { return static_cast<std::uint32_t>(state_->resources()); }

  /// Applies all operations or none. O(log of the cluster's size + nodes of the app, or apps of the node) per operation.
  /// Errors: kInvalid, kNotFound, kLimitExceeded with paths such as "operations[2].demand[1]".
  Error apply(std::span<const Operation> operations, WatchRef watch = {});

  /// The present cluster as an instance, pending replicas included: the input of a planner. It is rebuilt after the version has
  /// changed. The last kBatches instances are remembered for commit(). Errors: those of Instance::build.
  Result<std::shared_ptr<const Instance>> batch(WatchRef watch = {});

  /// Runs a planner on the batch. Errors: those of run_planner() and of batch().
  /// @param before called with the plan before it is remembered; if it throws, the session is unchanged
  Result<Plan> plan(const Request& request, Control* control, const std::function<void(const Plan&)>& before = nullptr);

  /// Commits a plan that was made for a remembered batch, or for the session's present content. Conflicts are no errors: the
  /// outcome lists them, and the replicas concerned stay pending. Errors: kInvalid if the plan belongs to no known batch or
  /// breaks constraints of its own batch, kLimitExceeded.
  /// @param before called with the outcome before the session changes; if it throws, the session is unchanged
  Result<CommitOutcome> commit(const Plan& plan, CommitMode mode, const BeforeCommit& before = nullptr, WatchRef watch = {});

  /// Forgets the batch that a plan was made for. Errors: kInvalid if it is not remembered.
  Error reject(const Plan& plan);

  /// A snapshot, from which open() restores the session. It is not complete if the watch ends the call.
  [[nodiscard]] SessionContent content(WatchRef watch = {}) const;

  static constexpr std::size_t kBatches = 8;

 private:
  explicit Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}

  /// The batch of this version. It is built if necessary, and not remembered.
  Result<std::shared_ptr<const SessionBatch>> present(WatchRef watch);
  void remember(std::shared_ptr<const SessionBatch> batch);
  /// Commits a plan that has been checked and in which every node has one copy.
  Result<CommitOutcome> commit(const SessionBatch& planned, const Plan& plan, CommitMode mode, const BeforeCommit& before,
                               WatchRef watch);
  /// Refuses a plan that opens more nodes than Limits::max_memory has room for.
  [[nodiscard]] Error check_opened(const Plan& plan) const;

  std::unique_ptr<SessionState> state_;
  std::shared_ptr<const SessionBatch> present_;                  ///< the last one built, perhaps of an earlier version
  std::vector<std::shared_ptr<const SessionBatch>> remembered_;  ///< at most kBatches, the latest last
};

}  // namespace stowage
