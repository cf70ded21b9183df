#include "tests/property/agreement.h"
#include "tests/soak/checks/timed.h"

namespace stowage::soak {
namespace {

constexpr double kDelay = 100;  // milliseconds

class Crowd {
 public:
  Crowd(Case& one, const test::Generated& generated)
      : one_(one), generated_(generated), instance_(generated.build()), control_(new_control()) {
    timed(one_, "load", Cut::kDeadline, kDelay, nullptr, [&] {
      handle_ = load(one_.instance());
      return Answer();
    });
  }

  void run() {
    report("bound", [&](stowage_control*) { return bound(handle_.get()); });
    for (int plans = 0; plans < 2; ++plans) plan_and_report();
  }

 private:
  void plan_and_report() {
    const PlannerInfo& info = any_planner(one_.random);
    const bool cancels = one_.random.chance(0.3);
    const double delay = one_.random.between(1, 150);
    Request request = one_.random.chance(0.5) ? rebalancing(info, generated_, instance_, one_.random)
                                              : test::any_request(info, generated_, instance_, one_.random);
    request.work_limit = 0;
    request.deadline_ms = cancels ? 10'000 : static_cast<std::uint64_t>(delay);
    request.compact = one_.random.chance(0.8);
    const bool promises = one_.random.chance(0.2);
    if (promises) request = promising(one_.random, instance_, request);
    const Answer made = timed(one_, info.name, cancels ? Cut::kCancel : Cut::kDeadline, delay, control_.get(),
                              [&] { return one_.plans(handle_.get(), request, control_.get()); });
    if (made.status == STOWAGE_UNSUPPORTED && (promises || may_refuse(info.name, instance_, request))) return;
    // More nodes than a plan may list.
    if (made.status == STOWAGE_LIMIT_EXCEEDED && instance_.total_replicas() > Limits{}.max_nodes) return;
    require(made.status == STOWAGE_OK, info.name + ": " + made.message);
    require_a_search(decode_plan(made.bytes));
    const Bytes& bytes = made.bytes;
    const std::uint32_t app = one_.random.below(generated_.apps());
    report("verify", [&](stowage_control*) { return verify(handle_.get(), bytes); });
    report("explain", [&](stowage_control* control) { return explain(handle_.get(), bytes, control); });
    report("explain an app", [&](stowage_control* control) { return explain(handle_.get(), bytes, control, app); });
    report("headroom", [&](stowage_control*) { return headroom(handle_.get(), bytes, app); });
    report("order_moves", [&](stowage_control* control) { return order_moves(handle_.get(), bytes, control); });
    report("losses", [&](stowage_control* control) { return losses(handle_.get(), bytes, control); });
  }

  void report(const std::string& name, const std::function<Answer(stowage_control*)>& call) {
    const Answer answer = timed(one_, name, Cut::kCancel, kDelay, control_.get(), [&] { return call(control_.get()); });
    // Losses and moves count each copy of a node by itself.
    if (answer.status == STOWAGE_LIMIT_EXCEEDED && instance_.total_replicas() > Limits{}.max_nodes) return;
    require(answer.status == STOWAGE_OK, name + ": " + answer.message);
  }

  Case& one_;
  const test::Generated& generated_;
  Instance instance_;
  ControlHandle control_;
  InstanceHandle handle_;
};

}  // namespace

void check_crowd(Case& one) {
  const test::Generated generated = crowded_instance(one.random);
  one.looks_at(generated);
  Crowd(one, generated).run();
}

}  // namespace stowage::soak
