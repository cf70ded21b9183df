// stowage.hpp: ownership, failures as exceptions, and the content of results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stowage.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalogue_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "tests/capi/test_data.h"

namespace {

using stowage::test::read_data;

static_assert(!std::is_copy_constructible_v<stowage::Instance> && std::is_nothrow_move_constructible_v<stowage::Instance>);
static_assert(!std::is_copy_constructible_v<stowage::Buffer> && std::is_nothrow_move_constructible_v<stowage::Buffer>);
static_assert(!std::is_copy_constructible_v<stowage::Control> && std::is_nothrow_move_constructible_v<stowage::Control>);
static_assert(std::is_nothrow_copy_constructible_v<stowage::Error>);
static_assert(std::is_convertible_v<std::string, stowage::ByteView>);
static_assert(!std::is_convertible_v<std::vector<int>, stowage::ByteView>);

/// The report's body, or a failed expectation.
template <class Body>
const Body* body_of(const stowage::Buffer& report) {
  flatbuffers::Verifier verifier(report.data(), report.size());
  if (!stowage::wire::VerifyReportBuffer(verifier)) return nullptr;
  return stowage::wire::GetReport(report.data())->body_as<Body>();
}

const stowage::wire::Plan* plan_of(const stowage::Buffer& plan) {
  flatbuffers::Verifier verifier(plan.data(), plan.size());
  return stowage::wire::VerifyPlanBuffer(verifier) ? stowage::wire::GetPlan(plan.data()) : nullptr;
}

class Wrapper : public ::testing::Test {
 protected:
  const stowage::Instance instance_ = stowage::Instance::load(read_data("small_instance.stow"));
  const std::vector<std::uint8_t> request_ = read_data("ff_request.stowreq");
};

// Nodes of 8 cores and 16 GiB, three replicas of web (2, 4) and one of db (4, 8). At most two web share a node, and at most one
// web stands beside db. First fit: two web on node 0; the third on node 1 by the self limit; db on node 1, because node 0 has
// room for it but holds two web. (3 x 2 + 4) / 8 cores = 1.25, so no plan has fewer than 2 nodes.
TEST_F(Wrapper, PlansTheSmallInstanceAsByHand) {
  const stowage::Buffer bytes = instance_.plan(request_);
  const stowage::wire::Plan* plan = plan_of(bytes);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->planner()->str(), "ff");
  EXPECT_EQ(plan->status(), stowage::wire::PlanStatus::Optimal);
  EXPECT_EQ(plan->node_class()->size(), 2u);
  ASSERT_EQ(plan->placed()->size(), 3u);
  const std::vector<stowage::wire::Placed> expected = {{0, 0, 2}, {0, 1, 1}, {1, 1, 1}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const stowage::wire::Placed* placed = plan->placed()->Get(static_cast<flatbuffers::uoffset_t>(i));
    EXPECT_EQ(placed->app(), expected[i].app()) << i;
    EXPECT_EQ(placed->node(), expected[i].node()) << i;
    EXPECT_EQ(placed->replicas(), expected[i].replicas()) << i;
  }
  EXPECT_EQ(plan->unplaced()->size(), 0u);
  ASSERT_NE(plan->node_bound(), nullptr);
  EXPECT_EQ(plan->node_bound()->value(), 2.0);
  EXPECT_EQ(plan->gap(), 0.0);
}

TEST_F(Wrapper, VerifiesItsOwnPlan) {
  const stowage::Buffer plan = instance_.plan(request_);
  EXPECT_EQ(plan_of(plan)->instance(), instance_.fingerprint());
  const stowage::Buffer report = instance_.verify(plan);
  const auto* verification = body_of<stowage::wire::Verification>(report);
  ASSERT_NE(verification, nullptr);
  EXPECT_TRUE(verification->ok());
  EXPECT_EQ(verification->nodes(), 2u);
  EXPECT_EQ(verification->placed(), 4u);
  EXPECT_EQ(verification->violation_count(), 0u);
}

// Three web on one node: one over the self limit of two.
TEST_F(Wrapper, VerifyFindsABrokenPlan) {
  flatbuffers::FlatBufferBuilder builder;
  const auto good_bytes = instance_.plan(request_);
  const stowage::wire::Plan* good = plan_of(good_bytes);
  ASSERT_NE(good, nullptr);
  const std::vector<std::uint32_t> node_class = {0, 0};
  const std::vector<std::uint32_t> listed = {UINT32_MAX, UINT32_MAX};
  const std::vector<stowage::wire::Placed> placed = {{0, 0, 3}, {1, 1, 1}};
  const std::vector<stowage::wire::Unplaced> unplaced;
  builder.Finish(stowage::wire::CreatePlanDirect(builder, 1, good->instance(), "ff", stowage::wire::PlanStatus::Complete, 0, 0,
                                                 &node_class, &listed, &placed, &unplaced),
                 stowage::wire::PlanIdentifier());
  const stowage::Buffer report = instance_.verify({builder.GetBufferPointer(), builder.GetSize()});
  const auto* verification = body_of<stowage::wire::Verification>(report);
  ASSERT_NE(verification, nullptr);
  EXPECT_FALSE(verification->ok());
  const auto* violations = verification->violations();
  ASSERT_NE(violations, nullptr);
  const auto self_limit = std::find_if(violations->begin(), violations->end(), [](const stowage::wire::Violation* violation) {
    return violation->kind() == stowage::wire::ViolationKind::SelfLimit;
  });
  ASSERT_NE(self_limit, violations->end());
  EXPECT_EQ(self_limit->app(), 0u);
  EXPECT_EQ(self_limit->node(), 0u);
  EXPECT_EQ(self_limit->amount(), 3.0);
  EXPECT_EQ(self_limit->limit(), 2.0);
}

TEST_F(Wrapper, ExplainsAndBounds) {
  const stowage::Buffer plan = instance_.plan(request_);
  const stowage::Buffer explained = instance_.explain(plan);
  const auto* explanation = body_of<stowage::wire::Explanation>(explained);
  ASSERT_NE(explanation, nullptr);
  EXPECT_EQ(explanation->nodes(), 2u);
  EXPECT_EQ(explanation->node_bound(), 2.0);

  const stowage::Buffer one = instance_.explain(plan, 1);
  const auto* of_one = body_of<stowage::wire::Explanation>(one);
  ASSERT_NE(of_one, nullptr);
  ASSERT_NE(of_one->apps(), nullptr);
  ASSERT_EQ(of_one->apps()->size(), 1u);
  EXPECT_EQ(of_one->apps()->Get(0)->app(), 1u);

  const stowage::Buffer asked = instance_.headroom(plan, 1, 0);
  const auto* headroom = body_of<stowage::wire::Headroom>(asked);
  ASSERT_NE(headroom, nullptr);
  ASSERT_NE(headroom->room(), nullptr);
  ASSERT_EQ(headroom->room()->size(), 2u);
  EXPECT_EQ(headroom->room()->Get(0) == 0, headroom->obstacles()->size() > 0);

  const stowage::Buffer every = instance_.headroom_of_apps(plan);
  const auto* of_apps = body_of<stowage::wire::HeadroomOfApps>(every);
  ASSERT_NE(of_apps, nullptr);
  EXPECT_EQ(of_apps->room()->Get(1), headroom->room()->Get(0) + headroom->room()->Get(1));
  const stowage::Buffer both = instance_.losses(plan, {1, 0});
  const auto* losses = body_of<stowage::wire::Losses>(both);
  ASSERT_NE(losses, nullptr);
  ASSERT_EQ(losses->losses()->size(), 1u);
  EXPECT_EQ(losses->losses()->Get(0)->left(), losses->losses()->Get(0)->replicas());

  const stowage::Buffer moves = instance_.order_moves(plan, 2);
  const auto* order = body_of<stowage::wire::MoveOrder>(moves);
  ASSERT_NE(order, nullptr);
  EXPECT_EQ(order->stuck()->size(), 0u);
  EXPECT_EQ(order->wave_ends()->size() == 0, order->moves()->size() == 0);

  const stowage::Buffer bounded = instance_.bound();
  const auto* bounds = body_of<stowage::wire::Bounds>(bounded);
  ASSERT_NE(bounds, nullptr);
  ASSERT_NE(bounds->entries(), nullptr);
  ASSERT_GT(bounds->entries()->size(), 0u);
  EXPECT_EQ(bounds->entries()->Get(0)->objective()->str(), "nodes");
  EXPECT_EQ(bounds->entries()->Get(0)->value(), 2.0);
}

TEST(WrapperCatalogue, NamesFirstFit) {
  const stowage::Buffer bytes = stowage::planners();
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  ASSERT_TRUE(stowage::wire::VerifyCatalogueBuffer(verifier));
  const auto* catalogue = stowage::wire::GetCatalogue(bytes.data());
  EXPECT_EQ(catalogue->version()->str(), stowage::version());
  ASSERT_NE(catalogue->planners(), nullptr);
  const auto* planners = catalogue->planners();
  EXPECT_TRUE(std::any_of(planners->begin(), planners->end(),
                          [](const stowage::wire::PlannerInfo* planner) { return planner->name()->str() == "ff"; }));
}

TEST_F(Wrapper, CancelledRunSaysSo) {
  stowage::Control control;
  control.cancel();
  EXPECT_EQ(control.progress().cancelled, 1u);
  const stowage::Buffer bytes = instance_.plan(request_, &control);
  const stowage::wire::Plan* plan = plan_of(bytes);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->status(), stowage::wire::PlanStatus::Cancelled);
  EXPECT_EQ(body_of<stowage::wire::Verification>(instance_.verify(bytes))->violation_count(), 0u);

  control.reset();
  const stowage::Buffer whole = instance_.plan(request_, &control);
  EXPECT_EQ(plan_of(whole)->status(), stowage::wire::PlanStatus::Optimal);
  EXPECT_EQ(control.progress().phase, static_cast<std::uint32_t>(STOWAGE_PHASE_DONE));
}

TEST(WrapperError, CarriesStatusSentenceAndPath) {
  try {
    const auto instance = stowage::Instance::load(read_data("negative_demand.stow"));
    FAIL() << "negative demand was accepted";
  } catch (const stowage::Error& error) {
    EXPECT_EQ(error.status(), STOWAGE_INVALID);
    EXPECT_STREQ(error.path(), "apps.demand[3]");
    EXPECT_STRNE(error.what(), "");
  }
}

TEST(WrapperError, HasASentenceEvenWithoutAMessage) {
  stowage_error details{};
  details.status = STOWAGE_MALFORMED;
  EXPECT_STREQ(stowage::Error(details).what(), "STOWAGE_MALFORMED");
}

TEST(WrapperLimits, AreTheCallers) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_apps = 1;
  try {
    const auto instance = stowage::Instance::load(read_data("small_instance.stow"), limits);
    FAIL() << "two apps were accepted";
  } catch (const stowage::Error& error) {
    EXPECT_EQ(error.status(), STOWAGE_LIMIT_EXCEEDED);
  }
}

TEST_F(Wrapper, MovesHandOverOwnership) {
  stowage::Buffer first = instance_.plan(request_);
  const std::uint8_t* const data = first.data();
  stowage::Buffer second = std::move(first);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): what a moved-from buffer is, is the question
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(static_cast<std::size_t>(second.end() - second.begin()), second.size());
  EXPECT_EQ(second.span().data(), data);
  first = std::move(second);
  EXPECT_EQ(first.data(), data);
  stowage_buffer raw = first.release();
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(raw.data, data);
  stowage_buffer_free(&raw);

  stowage::Control control;
  stowage_control* const handle = control.get();
  stowage::Control other = std::move(control);
  EXPECT_EQ(other.get(), handle);
  control = std::move(other);
  EXPECT_EQ(control.get(), handle);

  stowage::Instance instance = stowage::Instance::load(read_data("small_instance.stow"));
  const stowage_instance* const pointer = instance.get();
  stowage::Instance moved = std::move(instance);
  EXPECT_EQ(moved.get(), pointer);
  instance = std::move(moved);
  EXPECT_EQ(instance.get(), pointer);
}

}  // namespace
