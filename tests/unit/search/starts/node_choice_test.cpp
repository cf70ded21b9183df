#include "core/search/starts/node_choice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

// Classes of the nodes in play, in the order of the nodes.
std::vector<ClassId> chosen(SearchSetup& setup, std::uint32_t nodes) {
  WorkClock clock(Request{}, nullptr);
  choose_nodes(setup.state, nodes, classes_by_value(setup.instance), clock);
  std::vector<ClassId> classes;
  for (NodeId node = 0; node < setup.placement.nodes(); ++node) {
    if (setup.state.in_play(node)) classes.push_back(setup.placement.class_of(node));
  }
  return classes;
}

// 40 cores and 40 of memory: 4 nodes of class 0 (cost 12), 2 of class 1 (cost 8), 5 of class 2 (cost 10).
InstanceBuilder three_classes() {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 8, {5, 5});
  builder.add_app("none", 0, {1, 1});  // keeps units at 1
  builder.add_class({10, 20}, 0, 3);
  builder.add_class({20, 20}, 0, 4);
  builder.add_class({8, 10}, 0, 2);
  return builder;
}

TEST(ClassesByValueTest, CheapestForAllDemandFirst) {
  EXPECT_EQ(classes_by_value(three_classes().must_build()), (std::vector<ClassId>{1, 2, 0}));
  InstanceBuilder unpriced = three_classes();
  for (NodeClass& c : unpriced.data().classes) c.price = -1;
  EXPECT_EQ(classes_by_value(unpriced.must_build()), (std::vector<ClassId>{1, 0, 2})) << "by number of nodes";
}

TEST(ClassesByValueTest, WhatLacksAResourceComesLast) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 1, {1, 1});
  builder.add_class({100, 0}, 0, 1);
  builder.add_class({1, 1}, 0, 9);
  EXPECT_EQ(classes_by_value(builder.must_build()), (std::vector<ClassId>{1, 0}));
}

TEST(NodeChoiceTest, TheCheapestClassCarriesTheDemand) {
  SearchSetup setup(three_classes());
  EXPECT_EQ(chosen(setup, 0), (std::vector<ClassId>{1, 1}));
}

TEST(NodeChoiceTest, AtLeastTheGivenNumber) {
  SearchSetup setup(three_classes());
  EXPECT_EQ(chosen(setup, 3), (std::vector<ClassId>{1, 1, 1}));
}

TEST(NodeChoiceTest, FiniteClassesGiveWhatTheyHave) {
  InstanceBuilder builder = three_classes();
  builder.data().classes[1].count = 1;
  SearchSetup setup(builder);
  // 20 of 40 cores remain for nodes of 8.
  EXPECT_EQ(chosen(setup, 0), (std::vector<ClassId>{1, 2, 2, 2}));
}

TEST(NodeChoiceTest, NoMoreThanTheRequestAllows) {
  Request request;
  request.node_limit = 1;
  SearchSetup setup(three_classes(), request);
  EXPECT_EQ(chosen(setup, 3), (std::vector<ClassId>{1}));
}

TEST(NodeChoiceTest, NodesThatCarryNothingOfWhatIsMissingStayAway) {
  InstanceBuilder builder({"cpu", "gpu"});
  builder.add_app("a", 4, {5, 2});
  builder.add_class({10, 2}, 2);
  builder.add_class({10, 0});
  SearchSetup setup(builder);
  // 20 cores and 8 GPUs: two nodes carry the cores and all GPUs that there are.
  EXPECT_EQ(chosen(setup, 0), (std::vector<ClassId>{0, 0}));
}

TEST(NodeChoiceTest, ListedNodesBeforeNewOnesOfTheirClass) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {10});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  SearchSetup setup(builder);
  EXPECT_EQ(chosen(setup, 0).size(), 3u);
  EXPECT_EQ(setup.placement.nodes(), 3u) << "one new node";
}

TEST(NodeChoiceTest, ListedNodesThatAreNotNeededAreSetAside) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {10});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  SearchSetup setup(builder);
  EXPECT_EQ(chosen(setup, 0).size(), 1u);
  EXPECT_EQ(setup.state.spare(), std::vector<NodeId>{1});
}

TEST(NodeChoiceTest, LoadedNodesCountWithWhatTheyHaveLeft) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {5});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0, {6});
  SearchSetup setup(builder);
  // The loaded node is in use in any case and carries 4 of 15; the other 11 need two nodes.
  EXPECT_EQ(chosen(setup, 0).size(), 3u);
  EXPECT_EQ(setup.placement.nodes(), 3u);
}

TEST(NodeChoiceTest, ClosedNodesCarryNothingNew) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {10});
  builder.add_class({10});
  builder.add_node(0);
  builder.close(0);
  SearchSetup setup(builder);
  EXPECT_EQ(chosen(setup, 0).size(), 1u);
  EXPECT_FALSE(setup.state.in_play(0));
}

TEST(NodeChoiceTest, NeverMoreNodesThanReplicas) {
  InstanceBuilder builder;
  builder.add_app("a", 2, {3});
  builder.add_class({10});
  SearchSetup setup(builder);
  EXPECT_EQ(chosen(setup, 1000).size(), 2u);
}

// Neither a replica that fits on no node nor a resource that no class has needs nodes.
TEST(NodeChoiceTest, WhatFitsNowhereAsksForNothing) {
  InstanceBuilder builder({"cpu", "gpu"});
  builder.add_app("whale", 50'000, {11, 0});
  builder.add_app("gpus", 50'000, {1, 1});
  builder.add_app("a", 3, {5, 0});
  builder.add_class({10, 0});
  SearchSetup setup(builder);
  EXPECT_EQ(chosen(setup, 100).size(), 3u) << "as many as a has replicas";
  SearchSetup least(builder);
  EXPECT_EQ(chosen(least, 0).size(), 2u);
}

// Opening millions of nodes takes seconds.
TEST(NodeChoiceTest, EndsWithTheRun) {
  InstanceBuilder builder;
  builder.add_app("a", 100'000, {10});
  builder.add_class({10});
  SearchSetup setup(builder);
  Control control;
  control.cancelled = true;
  WorkClock clock(Request{}, &control);
  choose_nodes(setup.state, 0, classes_by_value(setup.instance), clock);
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
  EXPECT_LT(setup.placement.nodes(), 20'000u);
}

}  // namespace
}  // namespace stowage
