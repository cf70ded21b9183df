// One instance, many threads: planners that run at the same time give the same plans as alone, and cancelling another run does
// not change them. Also run with ThreadSanitizer.
#include <algorithm>
#include <atomic>
#include <thread>

#include "catalogue_generated.h"
#include "tests/bad_input/harness.h"

namespace {

using stowage::test::Answer;
using stowage::test::Bytes;
using stowage::test::Loaded;
namespace test = stowage::test;
namespace wire = stowage::wire;

constexpr std::size_t kThreads = 4;

/// The busy instance with many more apps of every kind, limits between neighbours, and some running replicas.
wire::InstanceT crowd(std::uint32_t apps) {
  wire::InstanceT instance = test::busy_instance();
  instance.apps->names.clear();
  instance.apps->priority.clear();
  instance.limits->row_begin = {0};
  instance.limits->app.clear();
  instance.limits->at_most.clear();
  instance.apps->replicas.clear();
  instance.apps->demand.clear();
  for (std::uint32_t i = 0; i < apps; ++i) {
    instance.apps->replicas.push_back(4 + i % 5);
    const double cpu = 0.5 + i % 7;
    instance.apps->demand.insert(instance.apps->demand.end(), {cpu, cpu / 2, 1.0 + i % 5, 2.0 + i % 3});
    for (std::uint32_t next = i + 1; next < std::min(apps, i + 4); ++next) {
      instance.limits->app.push_back(next);
      instance.limits->at_most.push_back(next % 3);
    }
    instance.limits->row_begin.push_back(static_cast<std::uint32_t>(instance.limits->app.size()));
  }
  return instance;
}

bool same(const stowage::Buffer& a, const stowage::Buffer& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

std::vector<Bytes> requests() {
  std::vector<Bytes> result;
  const stowage::Buffer catalogue = stowage::planners();
  for (const auto* info : *wire::GetCatalogue(catalogue.data())->planners()) {
    if (info->needs_solver()) continue;
    // The limit ends planners that search until their deadline.
    result.push_back(test::request_for(info->name()->str(), 1'000'000));
  }
  return result;
}

// No planner has run in this process before, so that all threads try to set up shared tables at the same time.
TEST(Threads, PlanAtOnceFromTheStart) {
  const Loaded instance(test::pack(crowd(40)));
  ASSERT_TRUE(instance.ok()) << instance.result().message;
  const char* const planners[kThreads] = {"ff", "bfd-max", "wfd-avgexp", "ncd-dotproduct"};
  std::vector<Answer> plans(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] { plans[k] = test::plan(instance, test::request_for(planners[k])); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < kThreads; ++k) {
    ASSERT_TRUE(plans[k].ok()) << planners[k] << ": " << plans[k].result.message;
    EXPECT_TRUE(same(plans[k].buffer, test::plan(instance, test::request_for(planners[k])).buffer)) << planners[k];
  }
}

TEST(Threads, EveryPlannerBesideACancelledRun) {
  const Loaded instance(test::pack(crowd(40)));
  const std::vector<Bytes> all = requests();
  std::vector<Answer> expected;
  for (const Bytes& request : all) expected.push_back(test::plan(instance, request));

  std::atomic<bool> finished = false;
  std::atomic<int> wrong = 0;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < kThreads; ++k) {
    threads.emplace_back([&] {
      // Every planner runs twice, so that it runs at the same time as several others.
      for (std::size_t at = next++; at < 2 * all.size(); at = next++) {
        const std::size_t planner = at % all.size();
        const Answer plan = test::plan(instance, all[planner]);
        const bool fine = plan.ok() == expected[planner].ok() && same(plan.buffer, expected[planner].buffer) &&
                          (!plan.ok() || test::verify(instance, plan.buffer).verification().ok());
        if (!fine) ++wrong;
      }
    });
  }
  // One more run is repeated, while its own thread reads its progress and cancels it.
  const stowage::Control control;
  std::thread watcher([&] {
    while (!finished) {
      if (control.progress().phase > STOWAGE_PHASE_DONE) ++wrong;
      stowage_control_cancel(control.get());
      std::this_thread::yield();
    }
  });
  const Bytes request = test::request_for("wfd-avgexp");
  int cancelled = 0;
  // Repeated at least until the watcher has cancelled it; from then on every run ends at once.
  while (next < 2 * all.size() || cancelled == 0) {
    const Answer plan = test::ask([&](auto* buffer, auto* error) {
      return stowage_plan(instance.get(), request.data(), request.size(), control.get(), buffer, error);
    });
    ASSERT_TRUE(plan.ok());
    EXPECT_TRUE(test::verify(instance, plan.buffer).verification().ok());
    cancelled += plan.plan().status() == wire::PlanStatus::Cancelled ? 1 : 0;
  }
  for (std::thread& thread : threads) thread.join();
  finished = true;
  watcher.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(cancelled, 0);
  EXPECT_EQ(control.progress().cancelled, 1u);
}

// A run that is cancelled before it starts ends at once, with a plan that claims nothing.
TEST(Threads, CancelledBeforeTheRun) {
  const Loaded instance(test::pack(crowd(40)));
  for (const Bytes& request : requests()) {
    stowage::Control control;
    control.cancel();
    const Answer plan = test::ask([&](auto* buffer, auto* error) {
      return stowage_plan(instance.get(), request.data(), request.size(), control.get(), buffer, error);
    });
    if (plan.result.status == STOWAGE_UNSUPPORTED) continue;
    ASSERT_TRUE(plan.ok()) << plan.result.message;
    EXPECT_TRUE(test::verify(instance, plan.buffer).verification().ok());
    EXPECT_EQ(plan.plan().status(), wire::PlanStatus::Cancelled) << plan.plan().planner()->str();
    // At the end of a run, auto places what is left over, with bounded work.
    const std::string planner = plan.plan().planner()->str();
    EXPECT_TRUE(planner == "auto" || plan.plan().unplaced()->size() > 0) << planner << ", work " << plan.plan().work();
    // A request with the plan's work as its limit repeats a run that was cancelled.
    wire::RequestT replay;
    replay.planner = planner;
    replay.work_limit = plan.plan().work();
    const Answer again = test::plan(instance, test::pack(replay));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.plan().placed()->size(), plan.plan().placed()->size()) << planner << ", work " << plan.plan().work();
  }
}

TEST(Threads, ExplainAndBoundBesidePlanning) {
  const Loaded instance(test::pack(crowd(30)));
  const Bytes request = test::request_for("ff");
  const Answer plan = test::plan(instance, request);
  const Answer explanation = test::explain(instance, plan.buffer, 0);
  const Answer bounds = test::bound(instance);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] {
      for (int round = 0; round < 3; ++round) {
        const bool fine = k % 2 == 0 ? same(test::explain(instance, plan.buffer, 0).buffer, explanation.buffer)
                                     : same(test::plan(instance, request).buffer, plan.buffer) &&
                                           same(test::bound(instance).buffer, bounds.buffer);
        if (!fine) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
