#include "core/session/session.h"

#include <algorithm>

#include "core/plan/compact_plan.h"
#include "core/planners/planner.h"
#include "core/session/apply.h"
#include "core/session/commit.h"
#include "core/session/content.h"

namespace stowage {

Result<Session> Session::open(InstanceData data, const Limits& limits, const SessionExtra* extra, WatchRef watch) {
  auto instance =
      Instance::build(std::move(data), limits, extra == nullptr ? Instance::Rules::kTogether : Instance::Rules::kAlone, watch);
  if (!instance) return instance.error();
  Session session(std::make_unique<SessionState>());
  session.remembered_.reserve(kBatches);
  if (Error e = read_session(*instance, extra, *session.state_, watch); failed(e)) return e;
  return session;
}

Error Session::apply(std::span<const Operation> operations, WatchRef watch) {
  SessionChange change(*state_);
  for (std::size_t k = 0; k < operations.size(); ++k) {
    if (Error e = apply_operation(change, operations[k], indexed("operations", k), watch); failed(e)) return e;
    // One operation may take a pass over all rules, or over the nodes of an app.
    if (watch.look()) return cancelled();
  }
  change.globals.version += operations.size();
  change.commit();
  return {};
}

Result<std::shared_ptr<const SessionBatch>> Session::present(WatchRef watch) {
  if (present_ != nullptr && present_->version == version()) return present_;
  SessionContent content = write_session(*state_, watch);
  if (watch.ended()) return cancelled();
  auto instance = Instance::build(std::move(content.data), state_->bounds, Instance::Rules::kTogether, watch);
  if (!instance) return instance.error();
  auto batch = std::make_shared<SessionBatch>();
  batch->instance = std::make_shared<const Instance>(std::move(*instance));
  batch->apps = std::move(content.apps);
  batch->nodes = std::move(content.nodes);
  batch->version = version();
  present_ = std::move(batch);
  return present_;
}

void Session::remember(std::shared_ptr<const SessionBatch> batch) {
  if (std::find(remembered_.begin(), remembered_.end(), batch) != remembered_.end()) return;
  // open() has reserved room for kBatches, so push_back() cannot fail.
  if (remembered_.size() == kBatches) remembered_.erase(remembered_.begin());
  remembered_.push_back(std::move(batch));
}

Result<std::shared_ptr<const Instance>> Session::batch(WatchRef watch) {
  auto batch = present(watch);
  if (!batch) return batch.error();
  remember(*batch);
  return (*batch)->instance;
}

Result<Plan> Session::plan(const Request& request, Control* control, const std::function<void(const Plan&)>& before) {
  // A run that is cancelled before it begins has a plan, too.
  const bool begins = control == nullptr || !control->cancelled.load(std::memory_order_relaxed);
  Watch watch = begins ? watch_of(control) : Watch();
  auto batch = present(watch);
  if (!batch) return batch.error();
  auto plan = run_planner(*(*batch)->instance, request, control);
  if (!plan) return plan;
  if (before) before(plan.value());
  remember(*batch);
  return plan;
}

Error Session::check_opened(const Plan& plan) const {
  std::uint64_t opened = 0;
  for (const PlannedNode& node : plan.nodes) opened += node.listed == kNone ? node.copies : 0;
  return opened <= state_->most_opened - std::min(state_->most_opened, state_->globals.opened())
             ? Error{}
             : too_large("nodes", "the plan opens more nodes than max_memory allows");
}

Result<CommitOutcome> Session::commit(const Plan& plan, CommitMode mode, const BeforeCommit& before, WatchRef watch) {
  const auto made_for = [&](const auto& batch) { return batch->instance->fingerprint() == plan.instance; };
  const auto known = std::find_if(remembered_.rbegin(), remembered_.rend(), made_for);
  std::shared_ptr<const SessionBatch> planned = known == remembered_.rend() ? nullptr : *known;
  if (planned == nullptr || planned->version != version()) {
    auto now = present(watch);
    if (!now) return now.error();
    // The present content may equal that of an earlier version.
    if (made_for(*now)) planned = *now;
  }
  if (planned == nullptr) {
    return Error{Code::kInvalid, "the plan was made for no state of the cluster that the session remembers", "instance"};
  }
  if (Error e = check_committed(*planned, plan, watch); failed(e)) return e;
  if (Error e = check_opened(plan); failed(e)) return e;
  if (nodes_in_use(plan) != plan.nodes.size()) {
    Plan expanded = plan;
    if (watch.look()) return cancelled();
    expand(expanded);
    if (watch.look()) return cancelled();
    return commit(*planned, expanded, mode, before, watch);
  }
  return commit(*planned, plan, mode, before, watch);
}

Result<CommitOutcome> Session::commit(const SessionBatch& planned, const Plan& plan, CommitMode mode,
                                      const BeforeCommit& before, WatchRef watch) {
  if (planned.version == version()) return commit_as_planned(*state_, planned, plan, before, watch);
  if (mode == CommitMode::kExact) {
    CommitOutcome outcome;
    outcome.planned_version = planned.version;
    outcome.version = version();
    outcome.conflicts.push_back({ConflictKind::kVersion, {}, {}, planned.version, version()});
    if (before) before(outcome);
    return outcome;
  }
  const auto now = present(watch);
  if (!now) return now.error();
  return commit_what_fits(*state_, planned, *now.value(), plan, mode, before, watch);
}

Error Session::reject(const Plan& plan) {
  const auto made_for = [&](const auto& batch) { return batch->instance->fingerprint() == plan.instance; };
  if (std::erase_if(remembered_, made_for) > 0) return {};
  return {Code::kInvalid, "the plan was made for no state of the cluster that the session remembers", "instance"};
}

SessionContent Session::content(WatchRef watch) const { return write_session(*state_, watch); }

}  // namespace stowage
