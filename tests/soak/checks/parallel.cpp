#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "core/planners/planner.h"
#include "report_generated.h"
#include "tests/property/agreement.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

/// A plan that is known: whatever else goes on, the same request gives the same bytes.
struct Known {
  Request request;
  Bytes bytes;
  Bytes plan;
};

// One thread's share. Failures are Findings, because GoogleTest's would end the process here.
class Worker {
 public:
  Worker(const stowage_instance* instance, const std::vector<Known>& known, std::uint64_t seed)
      : instance_(instance), known_(known), random_(seed) {}

  void run() {
    for (int step = 0; step < 12; ++step) {
      const Known& one = known_[random_.below(static_cast<std::uint32_t>(known_.size()))];
      switch (random_.below(4)) {
        case 0:
          repeat(one);
          break;
        case 1:
          cut(one, true);
          break;
        case 2:
          cut(one, false);
          break;
        default:
          report(one);
      }
    }
  }
  std::uint64_t repeated = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t deadlines = 0;

 private:
  void repeat(const Known& one) {
    const Answer answer = plan(instance_, one.bytes);
    require(answer.status == STOWAGE_OK && answer.bytes == one.plan, one.request.planner + " plans otherwise beside others");
    ++repeated;
  }

  void cut(const Known& one, bool cancels) {
    Request request = one.request;
    request.work_limit = 0;
    request.deadline_ms = cancels ? 5'000 : random_.between(1, 10);
    const Bytes bytes = encode(request);
    const ControlHandle control = new_control();
    const auto delay = std::chrono::microseconds(random_.below(3000));
    std::thread other([&] {
      stowage_progress progress = STOWAGE_PROGRESS_INIT;
      std::this_thread::sleep_for(delay);
      require(stowage_control_progress(control.get(), &progress) == STOWAGE_OK, "no progress");
      if (cancels) stowage_control_cancel(control.get());
    });
    const Answer answer = plan(instance_, bytes, control.get());
    other.join();
    require(answer.status == STOWAGE_OK, request.planner + ", cut short: " + answer.message);
    verify_ok(answer.bytes, request.planner);
    ++(cancels ? cancelled : deadlines);
  }

  void report(const Known& one) {
    verify_ok(one.plan, one.request.planner);
    require(explain(instance_, one.plan).status == STOWAGE_OK, "explain fails");
    require(bound(instance_).status == STOWAGE_OK, "bound fails");
  }

  void verify_ok(const Bytes& bytes, const std::string& planner) {
    const Answer report = verify(instance_, bytes);
    require(report.status == STOWAGE_OK && wire::GetReport(report.bytes.data())->body_as_Verification()->ok(),
            "verify refuses a plan of " + planner);
  }

  const stowage_instance* instance_;
  const std::vector<Known>& known_;
  test::Random random_;
};

}  // namespace

void check_parallel(Case& one) {
  const test::Generated generated = any_instance(one.random, middle_size());
  one.looks_at(generated);
  const Instance instance = generated.build();
  const InstanceHandle handle = load(one.instance());
  std::vector<Known> known;
  while (known.size() < 5) {
    const PlannerInfo& info = any_planner(one.random);
    Known next;
    next.request = maybe_with_goals(one, instance, test::any_request(info, generated, instance, one.random));
    if (next.request.work_limit > 0) next.request.work_limit = 20'000;
    const Answer answer = one.plans(handle.get(), next.request);
    next.bytes = one.request();
    if (answer.status != STOWAGE_OK) continue;
    next.plan = answer.bytes;
    known.push_back(std::move(next));
  }
  std::vector<Worker> workers;
  for (int k = 0; k < 4; ++k) workers.emplace_back(handle.get(), known, one.random.next());
  std::mutex mutex;
  std::exception_ptr found;
  std::vector<std::thread> threads;
  for (Worker& worker : workers) {
    threads.emplace_back([&] {
      try {
        worker.run();
      } catch (...) {
        const std::lock_guard lock(mutex);
        found = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (found) std::rethrow_exception(found);
  one.count("parallel: instances");
  for (const Worker& worker : workers) {
    one.count("parallel: the same plan again", worker.repeated);
    one.count("parallel: cancels", worker.cancelled);
    one.count("parallel: deadlines", worker.deadlines);
  }
}

}  // namespace stowage::soak
