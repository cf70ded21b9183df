#include <algorithm>
#include <utility>

#include "core/model/data/memory_budget.h"
#include "core/plan/compact_plan.h"
#include "tests/property/agreement.h"
#include "tests/soak/cases/timed.h"

namespace stowage::soak {
namespace {

constexpr double kDelay = 100;  // milliseconds
/// What a commit of more nodes may refuse (docs/reference/schema.md), and what it refuses to hold by itself (compact_plan.h).
constexpr std::uint64_t kNodesOpened = std::min(default_memory(0) / 1024, kMostNodesHeld);

class Crowd {
 public:
  Crowd(Case& one, const test::Generated& generated)
      : one_(one), generated_(generated), instance_(generated.build()), control_(new_control()) {}

  void run() {
    stowage_instance* loaded = nullptr;
    const Bytes& bytes = one_.instance();
    const bool is_loaded = report("load", [&](stowage_control* control) {
      return ask([&](stowage_buffer*, stowage_error* error) {
        return stowage_instance_load_watched(bytes.data(), bytes.size(), nullptr, control, &loaded, error);
      });
    });
    if (!is_loaded) return;
    handle_.reset(std::exchange(loaded, nullptr));
    report("bound", [&](stowage_control* control) { return bound(handle_.get(), control); });
    for (int plans = 0; plans < 2; ++plans) plan_and_report();
    if (one_.random.chance(0.4)) live();
  }

 private:
  [[nodiscard]] Request any_request() {
    const PlannerInfo& info = any_planner(one_.random);
    Request request = one_.random.chance(0.5) ? rebalancing(info, generated_, instance_, one_.random)
                                              : test::any_request(info, generated_, instance_, one_.random);
    request.work_limit = 0;
    // Up to 10^6 nodes are listed one by one in time.
    request.compact = one_.random.chance(0.8) || instance_.total_replicas() > 1'000'000;
    return maybe_with_goals(one_, instance_, request);
  }

  // A run that ends by its own deadline, by that of its control, or by a cancel.
  Answer timed_plan(Request& request, const std::function<Answer(stowage_control*)>& call) {
    const std::uint32_t delay = one_.random.between(1, 150);
    const std::uint32_t how = one_.random.below(4);
    request.deadline_ms = how == 0 ? 10'000 : how == 1 ? 0 : delay;
    stowage_control_set_deadline(control_.get(), how == 1 ? delay : 0);
    one_.asks(request);
    return timed(one_, request.planner, how == 0 ? Cut::kCancel : Cut::kDeadline, delay, control_.get(),
                 [&] { return call(control_.get()); });
  }
  // Whether there is a plan.
  bool is_planned(const Request& request, const Answer& made) {
    const bool promises = !request.keep.empty() || !request.survive.empty() || !request.leave_free.empty();
    if (made.status == STOWAGE_UNSUPPORTED && (promises || may_refuse(request.planner, instance_, request))) return false;
    // More nodes than a plan may list: those that are listed, and one for each replica.
    std::uint64_t nodes = instance_.listed_nodes() + instance_.total_replicas();
    for (const Kept& kept : request.keep) nodes += kept.replicas;
    if (made.status == STOWAGE_LIMIT_EXCEEDED && nodes > Limits{}.max_nodes) return false;
    require(made.status == STOWAGE_OK, request.planner + ": " + made.message);
    const Plan plan = decode_plan(made.bytes);
    require_a_search(plan);
    holds_many_ = holds_many_ || nodes_in_use(plan) > kNodesOpened;
    return true;
  }

  void plan_and_report() {
    Request request = any_request();
    if (one_.random.chance(0.2) && request.goals.empty()) request = promising(one_.random, instance_, request);
    const Answer made =
        timed_plan(request, [&](stowage_control* control) { return one_.plans(handle_.get(), request, control); });
    if (!is_planned(request, made)) return;
    const Bytes& bytes = made.bytes;
    const std::uint32_t app = one_.random.below(generated_.apps());
    report("verify", [&](stowage_control* control) { return verify(handle_.get(), bytes, control); });
    report("explain", [&](stowage_control* control) { return explain(handle_.get(), bytes, control); });
    report("explain an app", [&](stowage_control* control) { return explain(handle_.get(), bytes, control, app); });
    report("headroom", [&](stowage_control* control) { return headroom(handle_.get(), bytes, app, control); });
    report("headroom of apps", [&](stowage_control* control) { return headroom_of_apps(handle_.get(), bytes, control); });
    report("order_moves", [&](stowage_control* control) { return order_moves(handle_.get(), bytes, control); });
    report("losses", [&](stowage_control* control) { return losses(handle_.get(), bytes, control); });
  }

  // The same cluster in a session: a plan, its commit, and a snapshot.
  void live() {
    const Bytes& bytes = one_.instance();
    stowage_session* opened = nullptr;
    const bool is_open = report("session_open", [&](stowage_control* control) {
      return ask([&](stowage_buffer*, stowage_error* error) {
        return stowage_session_open_watched(bytes.data(), bytes.size(), nullptr, control, &opened, error);
      });
    });
    if (!is_open) return;
    const SessionHandle session(opened);
    Request request = any_request();
    request.ignore_running = false;
    // A session keeps no traffic of amount 0.
    if (asks_for_traffic(request) && !generated_.has_traffic()) return;
    const Answer made = timed_plan(request, [&](stowage_control* control) {
      return ask([&](stowage_buffer* output, stowage_error* error) {
        return stowage_session_plan(opened, one_.request().data(), one_.request().size(), control, output, error);
      });
    });
    if (!is_planned(request, made)) return;
    report("commit", [&](stowage_control* control) {
      return ask([&](stowage_buffer* output, stowage_error* error) {
        return stowage_session_commit_watched(opened, made.bytes.data(), made.bytes.size(), STOWAGE_COMMIT_EXACT, control,
                                              output, error);
      });
    });
    report("snapshot", [&](stowage_control* control) {
      return ask([&](stowage_buffer* output, stowage_error* error) {
        return stowage_session_snapshot_watched(opened, control, output, error);
      });
    });
  }

  // A call that ends by the deadline of its control, or by a cancel. Whether it has an answer.
  bool report(const std::string& name, const std::function<Answer(stowage_control*)>& call) {
    const bool cancels = one_.random.chance(0.5);
    stowage_control_set_deadline(control_.get(), cancels ? 0 : static_cast<std::uint64_t>(kDelay));
    const Answer answer = timed(one_, name, cancels ? Cut::kCancel : Cut::kDeadline, kDelay, control_.get(),
                                [&] { return call(control_.get()); });
    if (answer.status == STOWAGE_CANCELLED) return false;
    // Copies of a node count each by itself, in losses, moves and sessions.
    if (answer.status == STOWAGE_LIMIT_EXCEEDED && (holds_many_ || instance_.total_replicas() > kNodesOpened)) return false;
    require(answer.status == STOWAGE_OK, name + ": " + answer.message);
    return true;
  }

  Case& one_;
  const test::Generated& generated_;
  Instance instance_;
  ControlHandle control_;
  InstanceHandle handle_;
  bool holds_many_ = false;  // whether a plan had more nodes than are certain to be held by themselves
};

}  // namespace

void check_crowd(Case& one) {
  const test::Generated generated = crowded_instance(one.random);
  one.looks_at(generated);
  Crowd(one, generated).run();
}

}  // namespace stowage::soak
