#include "core/planners/foresight.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/model/node_contents.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

/// Two racks of two nodes with 8 each; something runs, and an application of two apps waits.
class Foresight : public testing::Test {
 protected:
  Foresight() {
    old_ = builder_.app("old", 3, {"appID:old", "db"});
    lead_ = builder_.app("lead", 1, {"appID:new", "lead"}, {2});
    work_ = builder_.app("work", 2, {"appID:new", "work", "db"}, {3});
    builder_.nodes(4, 8);
    const std::uint32_t rack = builder_.group("rack", {{0, 1}, {2, 3}});
    builder_.soft(builder_.replicas({"appID:new"}, {"appID:new"}, 2, kNone, rack), 2);
    builder_.soft(builder_.replicas({"db"}, {"db"}, 0, 1), 3);
    builder_.soft(builder_.replicas({"appID:old"}, {"db"}, 0, 1));
    builder_.limit(lead_, work_, 1);
    builder_.limit(work_, work_, 1);
    builder_.limit(old_, work_, 0);
    builder_.running(old_, 0, 2);
  }
  [[nodiscard]] static NodeContents contents(std::span<const Residence> who) {
    NodeContents now;
    for (int node = 0; node < 4; ++node) now.add_node();
    for (const Residence& one : who) now.add(one.app, one.node, one.replicas);
    return now;
  }

  TaggedBuilder builder_;
  AppId old_;
  AppId lead_;
  AppId work_;
};

TEST_F(Foresight, CopiesWhatWaitsWithItsOwnRulesAndLimits) {
  const Instance instance = builder_.must_build();
  const std::vector<AppId> batch = {lead_, work_};
  const std::vector<std::vector<AppId>> successors = {{lead_, work_}, {lead_, work_}};
  auto ahead = with_successors(instance, contents(std::vector<Residence>{{old_, 0, 2}, {lead_, 1, 1}, {work_, 2, 2}}), batch,
                               successors);
  ASSERT_TRUE(ahead.ok()) << ahead.error().message;
  const Instance& both = *ahead;
  ASSERT_EQ(both.apps(), 7u);
  // What is there stays there, and what else the same app wants is no concern.
  ASSERT_EQ(both.data().running.size(), 1u);
  EXPECT_EQ(both.data().running[0].app, old_);
  EXPECT_EQ(both.replicas(old_), 2u);
  for (const AppId copy : {3u, 5u}) {
    EXPECT_EQ(both.application(copy), copy);
    EXPECT_EQ(both.application(copy + 1), copy);
    EXPECT_EQ(both.replicas(copy), 1u);
    EXPECT_EQ(both.replicas(copy + 1), 2u);
    EXPECT_EQ(both.demand(copy, 0, 0), 2);
    EXPECT_EQ(both.demand(copy + 1, 0, 0), 3);
    EXPECT_EQ(both.limit_rows().self_limit(copy + 1), 1u);
    ASSERT_EQ(both.limit_rows().degree(copy), 1u);
    EXPECT_EQ(both.limit_rows().neighbour(copy, 0).app, copy + 1);
    EXPECT_EQ(both.limit_rows().neighbour(copy, 0).imposes, 1u);
    EXPECT_EQ(both.limit_rows().neighbour(copy, 0).obeys, kNone);
  }
  // Their limits among each other are as they were.
  for (const AppId app : {old_, lead_, work_}) {
    EXPECT_EQ(both.limit_rows().self_limit(app), instance.limit_rows().self_limit(app));
    ASSERT_EQ(both.limit_rows().degree(app), instance.limit_rows().degree(app));
    for (std::uint32_t k = 0; k < both.limit_rows().degree(app); ++k) {
      EXPECT_EQ(both.limit_rows().neighbour(app, k).app, instance.limit_rows().neighbour(app, k).app);
      EXPECT_EQ(both.limit_rows().neighbour(app, k).imposes, instance.limit_rows().neighbour(app, k).imposes);
      EXPECT_EQ(both.limit_rows().neighbour(app, k).obeys, instance.limit_rows().neighbour(app, k).obeys);
    }
  }
}

TEST_F(Foresight, CopiesCountInNobodyElsesRules) {
  const Instance instance = builder_.must_build();
  const std::vector<std::vector<AppId>> successors = {{lead_, work_}};
  auto ahead =
      with_successors(instance, contents(std::vector<Residence>{{old_, 0, 2}}), std::vector<AppId>{lead_, work_}, successors);
  ASSERT_TRUE(ahead.ok()) << ahead.error().message;
  const TagModel& model = ahead->tag_model();
  // The rules of the two that wait, once more: the third one is of what runs.
  ASSERT_EQ(model.parts(), 5u);
  for (std::uint32_t part = 0; part < model.parts(); ++part) {
    const bool copied = model.part(part).rule >= 3;
    for (AppId app = 0; app < ahead->apps(); ++app) {
      if (!model.is_subject(app, part) && !model.is_target(app, part)) continue;
      EXPECT_EQ(app >= 3, copied) << "app " << app << ", part " << part;
    }
    if (copied) {
      EXPECT_LT(model.part(part).weight, 1e-3);
      EXPECT_GT(model.part(part).weight, 0);
    } else {
      EXPECT_EQ(model.part(part).weight, instance.tag_model().part(part).weight);
    }
  }
  const auto is_subject = [&](AppId app) { return model.subject_of(app).size(); };
  EXPECT_EQ(is_subject(3), instance.tag_model().subject_of(lead_).size());
  EXPECT_EQ(is_subject(4), instance.tag_model().subject_of(work_).size());
}

TEST_F(Foresight, TakesAsManyAsFitIntoWhatIsLeft) {
  const Instance instance = builder_.must_build();
  const std::vector<std::vector<AppId>> applications = {{lead_}, {work_}};
  const auto fit = [&](double left, std::size_t most) {
    const double unit = static_cast<double>(instance.scaled_capacity(0)[0]) / 8;
    return successors_that_fit(instance, applications, {static_cast<std::int64_t>(left * unit)}, most);
  };
  EXPECT_TRUE(fit(1, 9).empty());
  EXPECT_EQ(fit(2, 9), (std::vector<std::vector<AppId>>{{lead_}}));
  EXPECT_EQ(fit(8, 9), (std::vector<std::vector<AppId>>{{lead_}, {work_}}));
  EXPECT_EQ(fit(100, 3).size(), 3u);
}

TEST_F(Foresight, IsOfNoUseWhereNodesCanBeAdded) {
  EXPECT_TRUE(is_worth_copying(builder_.must_build()));
  builder_.add_class({8});
  EXPECT_FALSE(is_worth_copying(builder_.must_build()));
}

}  // namespace
}  // namespace stowage::test
