#include "core/planners/rules/future_batches.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/model/node_contents.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

/// Two racks of two nodes with 8 each; something runs, and an application of two apps waits.
class FutureBatches : public testing::Test {
 protected:
  FutureBatches() {
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

TEST_F(FutureBatches, CopiesWhatWaitsWithItsOwnRulesAndLimits) {
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

TEST_F(FutureBatches, CopiesCountInNobodyElsesRules) {
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

TEST_F(FutureBatches, TakesAsManyAsFitIntoWhatIsLeft) {
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

/// The copied rule, by the tags that its target had: of one application with one rule.
std::vector<std::uint32_t> copied_target(const Instance& ahead) { return ahead.data().rules.back().any_of[0][0].target; }

TEST(ForesightRules, OfOtherApplicationsSpeakOfThoseThatAreThere) {
  TaggedBuilder builder;
  const AppId web = builder.app("web", 1, {"web", "noisy"});
  const AppId db = builder.app("db", 1, {"db", "noisy"});
  builder.nodes(2);
  builder.running(db, 0, 1);
  // A tag that both have makes the other's no tag of the application's own.
  builder.soft(builder.replicas({"web"}, {"db", "noisy"}, 0, 0));
  const Instance instance = builder.must_build();
  NodeContents now;
  for (int node = 0; node < 2; ++node) now.add_node();
  now.add(db, 0, 1);
  auto ahead = with_successors(instance, now, std::vector<AppId>{web}, std::vector<std::vector<AppId>>{{web}});
  ASSERT_TRUE(ahead.ok()) << ahead.error().message;
  const TagModel& model = ahead->tag_model();
  EXPECT_EQ(copied_target(*ahead), instance.data().rules[0].any_of[0][0].target);
  for (AppId app = 0; app < 3; ++app) {
    EXPECT_EQ(model.is_subject(app, 1), app == 2) << app;
    EXPECT_EQ(model.is_target(app, 1), app == db) << app;
  }
}

TEST(ForesightRules, MeetTheNodesThatHaveTheTagsThemselves) {
  TaggedBuilder builder;
  const AppId app = builder.app("app", 1, {"ssd", "fast"});
  builder.nodes(2, 10, {"ssd", "zone=a"});
  builder.nodes(1, 10, {"zone=b"});
  builder.nodes(1, 10);
  builder.data().classes.back().labels = {"fast", "ssd"};
  const std::uint32_t zone = builder.group_by_label("zone", "zone");
  builder.soft(builder.replicas({"fast"}, {"ssd"}, 1, kNone));
  builder.soft(builder.replicas({"fast"}, {"ssd"}, 1, kNone, zone));
  builder.soft(builder.replicas({"fast"}, {"ssd", "fast"}, 1, kNone));
  const Instance instance = builder.must_build();
  NodeContents now;
  for (int node = 0; node < 4; ++node) now.add_node();
  auto ahead = with_successors(instance, now, std::vector<AppId>{app}, std::vector<std::vector<AppId>>{{app}, {app}});
  ASSERT_TRUE(ahead.ok()) << ahead.error().message;
  const TagModel& model = ahead->tag_model();
  ASSERT_EQ(model.parts(), 9u);
  for (std::uint32_t part = 0; part < 9; ++part) {
    EXPECT_EQ(model.part(part).static_listed, instance.tag_model().part(part % 3).static_listed) << part;
    EXPECT_EQ(model.part(part).static_sets, instance.tag_model().part(part % 3).static_sets) << part;
    for (AppId one = 0; one < 3; ++one) EXPECT_EQ(model.is_target(one, part), one == part / 3) << part;
  }
  EXPECT_EQ(model.part(0).static_listed, (std::vector<std::uint8_t>{1, 1, 0, 1}));
  EXPECT_EQ(model.part(1).static_sets, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(model.part(2).static_listed, (std::vector<std::uint8_t>{0, 0, 0, 1}));
}

TEST(ForesightRules, KeepApplicationsApartWhateverAppsAreCalled) {
  for (const bool named : {true, false}) {
    TaggedBuilder builder;
    const AppId first = builder.app("copy-0", 1, {"x"});
    builder.app("copy-1", 1, {"x"});
    for (const char* tag : {"appID:copy-0", "appID:copy-2", "appID:copy-3", "appID:1", "appID:2", "copy-5"}) builder.tag(tag);
    if (!named) builder.data().app_names.clear();
    builder.nodes(2);
    builder.soft(builder.replicas({"x"}, {"x"}, 0, 0));
    const Instance instance = builder.must_build();
    NodeContents now;
    for (int node = 0; node < 2; ++node) now.add_node();
    auto ahead = with_successors(instance, now, std::vector<AppId>{first}, std::vector<std::vector<AppId>>{{first}, {first}});
    ASSERT_TRUE(ahead.ok()) << ahead.error().message;
    for (AppId app = 0; app < 4; ++app) {
      EXPECT_EQ(ahead->application(app), app);
      EXPECT_EQ(ahead->tag_model().popularity(app), 2u) << app;
    }
  }
}

TEST_F(FutureBatches, CountsWhatACopyTakes) {
  const std::vector<std::vector<AppId>> one = {{lead_, work_}};
  const std::vector<std::vector<AppId>> three(3, one[0]);
  const std::uint64_t all = std::uint64_t{1} << 40;
  const auto per_copy = [&] {
    const Instance instance = builder_.must_build();
    const std::uint64_t with_one = size_with_successors(instance, one, all);
    EXPECT_EQ(size_with_successors(instance, three, all) - with_one, 2 * (with_one - size_with_successors(instance, {}, all)));
    return with_one - size_with_successors(instance, {}, all);
  };
  const std::uint64_t before = per_copy();
  // A limit on another app is one of the row that is gone through, and nodes with a tag have its copy too.
  builder_.limit(lead_, old_, 1);
  EXPECT_EQ(per_copy(), before + 1);
  builder_.data().classes[0].labels = {"lead"};
  EXPECT_EQ(per_copy(), before + 1 + 4);
  const Instance instance = builder_.must_build();
  EXPECT_GT(size_with_successors(instance, three, 10), 10u);
}

TEST_F(FutureBatches, IsOfNoUseWhereNodesCanBeAdded) {
  EXPECT_TRUE(has_no_more_nodes(builder_.must_build()));
  builder_.add_class({8});
  EXPECT_FALSE(has_no_more_nodes(builder_.must_build()));
}

TEST(ForesightNodes, AreLookedAtOnce) {
  // As many classes as nodes: one pass per class would be ten thousand millions of looks.
  InstanceBuilder builder;
  builder.add_app("app", 1, {1});
  for (int node = 0; node < 100'000; ++node) builder.add_node(builder.add_class({8}, 1));
  EXPECT_TRUE(has_no_more_nodes(builder.must_build()));
}

}  // namespace
}  // namespace stowage::test
