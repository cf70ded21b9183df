// stowage.hpp: sessions, from operations to commits and snapshots.
#include <gtest/gtest.h>

#include <algorithm>
#include <stowage.hpp>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "tests/capi/test_data.h"

namespace {

using stowage::Session;
using stowage::test::read_data;
namespace wire = stowage::wire;

static_assert(!std::is_copy_constructible_v<Session> && std::is_nothrow_move_constructible_v<Session>);

class WrapperSession : public ::testing::Test {
 protected:
  static const wire::Commit& commit_of(const stowage::Buffer& report) {
    return *wire::GetReport(report.data())->body_as_Commit();
  }

  Session session_ = Session::open(read_data("small_instance.stow"));
  const std::vector<std::uint8_t> request_ = read_data("ff_request.stowreq");
  const std::vector<std::uint8_t> operations_ = read_data("session_operations.stowops");
};

// Web wants 3 replicas of (2, 4), one of them pinned to node a; db 1 of (4, 8); cache 2 of (4, 4), one per node. At most two
// web share a node of 8 cores and 16 GiB, beside db at most one. First fit: node a holds the pinned web and another one. db
// then does not fit on a beside two web, and so on; nodes are opened from the class.
TEST_F(WrapperSession, AnInterval) {
  session_.apply(operations_);
  EXPECT_EQ(session_.version(), 3u);
  const stowage::Instance batch = session_.instance();
  const stowage::Buffer plan = session_.plan(request_);
  EXPECT_EQ(wire::GetPlan(plan.data())->instance(), batch.fingerprint());
  EXPECT_TRUE(wire::GetReport(batch.verify(plan).data()) != nullptr);
  const stowage::Buffer report = session_.commit(plan);
  EXPECT_TRUE(commit_of(report).committed());
  EXPECT_EQ(commit_of(report).placed(), 6u);
  EXPECT_EQ(commit_of(report).version(), 4u);
  EXPECT_GE(commit_of(report).opened()->size(), 1u);
  EXPECT_EQ(commit_of(report).opened()->Get(0)->str(), "standard-1");
  const stowage::Buffer snapshot = session_.snapshot();
  const wire::Instance& cluster = *wire::GetInstance(snapshot.data());
  std::uint32_t running = 0;
  for (const wire::Residence* one : *cluster.running()) running += one->replicas();
  EXPECT_EQ(running, 6u);
  // What runs now, without a plan: the headroom of all apps, and the replicas that the loss of each node concerns.
  const stowage::Instance now = session_.instance();
  const stowage::Buffer asked = now.headroom_of_apps();
  const auto* room = wire::GetReport(asked.data())->body_as_HeadroomOfApps();
  ASSERT_NE(room, nullptr);
  EXPECT_EQ(room->room()->size(), cluster.apps()->replicas()->size());
  const stowage::Buffer lost = now.losses({});
  std::uint64_t on_nodes = 0;
  for (const wire::Loss* loss : *wire::GetReport(lost.data())->body_as_Losses()->losses()) on_nodes += loss->replicas();
  EXPECT_EQ(on_nodes, 6u);
}

// The snapshot is the instance that the session returns, so that a plan of it can be committed in the session.
TEST_F(WrapperSession, PlansMadeFromSnapshots) {
  session_.apply(operations_);
  const stowage::Instance elsewhere = stowage::Instance::load(session_.snapshot());
  EXPECT_EQ(elsewhere.fingerprint(), session_.instance().fingerprint());
  EXPECT_TRUE(commit_of(session_.commit(elsewhere.plan(request_))).committed());
}

// The batch is planned on another thread while an operation arrives.
TEST_F(WrapperSession, PlansWhileTheClusterChanges) {
  const stowage::Instance batch = session_.instance();
  stowage::Buffer plan;
  std::thread planner([&] { plan = batch.plan(request_); });
  session_.apply(operations_);
  planner.join();
  const stowage::Buffer exact = session_.commit(plan);
  EXPECT_FALSE(commit_of(exact).committed());
  EXPECT_EQ(commit_of(exact).conflicts()->Get(0)->kind(), wire::ConflictKind::Version);
  const stowage::Buffer fitting = session_.commit(plan, STOWAGE_COMMIT_FITTING);
  EXPECT_TRUE(commit_of(fitting).committed());
  EXPECT_EQ(commit_of(fitting).planned_version(), 0u);
}

TEST_F(WrapperSession, FailuresThrowAndLeaveTheSessionAsItWas) {
  session_.apply(operations_);
  const stowage::Buffer before = session_.snapshot();
  try {
    session_.apply(operations_);
    FAIL() << "the node was added twice";
  } catch (const stowage::Error& error) {
    EXPECT_EQ(error.status(), STOWAGE_INVALID);
    EXPECT_STREQ(error.path(), "operations[0].node");
  }
  const stowage::Buffer plan = session_.plan(request_);
  session_.reject(plan);
  EXPECT_THROW(session_.reject(plan), stowage::Error);
  const stowage::Buffer after = session_.snapshot();
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end()));
}

TEST_F(WrapperSession, CancelledRuns) {
  session_.apply(operations_);
  stowage::Control control;
  control.cancel();
  const stowage::Buffer before = session_.snapshot();
  EXPECT_GT(session_.plan(request_, &control).size(), 0u);
  const stowage::Buffer after = session_.snapshot();
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end()));
}

TEST_F(WrapperSession, MovesHandOverOwnership) {
  stowage_session* const handle = session_.get();
  Session moved = std::move(session_);
  EXPECT_EQ(moved.get(), handle);
  session_ = std::move(moved);
  EXPECT_EQ(session_.get(), handle);
  const stowage::Instance outlives = [&] {
    const Session gone = std::move(session_);
    return Session::open(gone.snapshot()).instance();
  }();
  EXPECT_GT(outlives.plan(request_).size(), 0u);
}

}  // namespace
