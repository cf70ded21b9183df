#include <algorithm>

#include "report_generated.h"
#include "tests/property/agreement.h"
#include "tests/soak/cases/plans.h"

namespace stowage::soak {
namespace {

// A few intervals in the life of the cluster: each plan is committed, and the next one starts from what runs then.
void live(Case& one, const test::Generated& generated, const Instance& instance) {
  stowage_session* opened = nullptr;
  stowage_error error{};
  const Bytes& bytes = one.instance();
  const stowage_status status = stowage_session_open(bytes.data(), bytes.size(), nullptr, &opened, &error);
  require(status == STOWAGE_OK, std::string("a session is refused: ") + error.path + " " + error.message);
  const SessionHandle session(opened);
  for (int interval = 0; interval < 3; ++interval) {
    Request request = rebalancing(any_planner(one.random), generated, instance, one.random);
    // What was planned as if it ran nowhere cannot be committed.
    request.ignore_running = false;
    request = maybe_with_goals(one, instance, request);
    // A session keeps no traffic of amount 0.
    if (asks_for_traffic(request) && !generated.has_traffic()) continue;
    if (request.work_limit > 0) request.work_limit = std::min<std::uint64_t>(request.work_limit, 30'000);
    one.asks(request);
    const Answer answer = ask([&](stowage_buffer* output, stowage_error* problem) {
      return stowage_session_plan(opened, one.request().data(), one.request().size(), nullptr, output, problem);
    });
    if (answer.status == STOWAGE_UNSUPPORTED) continue;
    require(answer.status == STOWAGE_OK, "a session's plan by " + request.planner + ": " + answer.message);
    require_a_search(decode_plan(answer.bytes));
    one.count("rebalance: plans of sessions");
    const Bytes report = must("commit", [&](stowage_buffer* output, stowage_error* problem) {
      return stowage_session_commit(opened, answer.bytes.data(), answer.bytes.size(), STOWAGE_COMMIT_EXACT, output, problem);
    });
    require(wire::GetReport(report.data())->body_as_Commit()->committed(), "a plan of the present state is not committed");
  }
  const Bytes snapshot = must("snapshot", [&](stowage_buffer* output, stowage_error* problem) {
    return stowage_session_snapshot(opened, output, problem);
  });
  load(snapshot);
}

}  // namespace

void check_rebalance(Case& one) {
  const test::Generated generated = running_instance(one.random);
  one.looks_at(generated);
  const Instance instance = generated.build();
  const InstanceHandle handle = load(one.instance());
  for (int plans = 0; plans < 4; ++plans) {
    const PlannerInfo& info = any_planner(one.random);
    Request request = rebalancing(info, generated, instance, one.random);
    if (request.work_limit > 0) request.work_limit = std::min<std::uint64_t>(request.work_limit, 30'000);
    request = maybe_with_goals(one, instance, request);
    if (one.random.chance(0.1) && request.goals.empty()) request = promising(one.random, instance, request);
    const Answer answer = one.plans(handle.get(), request);
    if (answer.status == STOWAGE_UNSUPPORTED && may_refuse(info.name, instance, request)) continue;
    const bool promises = !request.keep.empty() || !request.survive.empty() || !request.leave_free.empty();
    if (answer.status == STOWAGE_UNSUPPORTED && promises) continue;
    require(answer.status == STOWAGE_OK, info.name + ": " + answer.message);
    if (promises) {
      compare_with_verify(handle.get(), answer.bytes, decode_plan(answer.bytes));
    } else {
      look_at_plan(one, handle.get(), generated, instance, request, answer.bytes);
    }
    ask_for_reports(handle.get(), answer.bytes, one.random.below(generated.apps()), info.name);
  }
  if (one.random.chance(0.3)) live(one, generated, instance);
}

}  // namespace stowage::soak
