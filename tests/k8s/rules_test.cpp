// Spread, affinity and preferences, as the scheduler counts them, before and after nodes come or go.
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

Json spread(const std::string& app, const std::string& key, const std::string& when = "DoNotSchedule") {
  return {
      {"maxSkew", 1}, {"topologyKey", key}, {"whenUnsatisfiable", when}, {"labelSelector", {{"matchLabels", {{"app", app}}}}}};
}
constexpr const char* kByZone = "topology.kubernetes.io/zone";
constexpr const char* kByHost = "kubernetes.io/hostname";

TEST(K8sRules, HostNamesWhereNodesAreAdded) {
  Json its = spec("1");
  its["topologySpreadConstraints"] = Json::array({spread("web", kByHost)});
  Items items{node("n1", "4", "", "m5"), node("n2", "4", "", "m5")};
  items.add(deployed("full", {"n2"}, spec("4"))).add(deployed("web", {"n1", "", ""}, its));
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"deployment team/web", 2}}));
  EXPECT_EQ(found.nodes("add"), 2);
}

TEST(K8sRules, HostNamesWhereNodesAreEmptied) {
  Json its = spec("100m");
  its["topologySpreadConstraints"] = Json::array({spread("web", kByHost)});
  Items items{node("n1"), node("n2"), node("n3")};
  // A node that is drained counts as one without pods until it is gone, so that its pods find no other.
  EXPECT_EQ(ask(Items(items).add(deployed("web", {"n1", "n2", "n3"}, its)), {"consolidate"}).names("emptied"), Names{});
  its["topologySpreadConstraints"][0]["whenUnsatisfiable"] = "ScheduleAnyway";
  EXPECT_EQ(ask(Items(items).add(deployed("web", {"n1", "n2", "n3"}, its)), {"consolidate"}).names("emptied").size(), 1U);
}

TEST(K8sRules, CordonedNodesAreNoDomainsUnderHonor) {
  Json closed = node("n3", "4", "c"), its = spec("100m");
  closed["spec"]["unschedulable"] = true;
  its["topologySpreadConstraints"] = Json::array({spread("web", kByZone)});
  Items items{node("n1", "4", "a"), node("n2", "4", "b"), closed};
  EXPECT_EQ(ask(Items(items).add(deployed("web", {"n1", "n2", "", ""}, its)), {"fit"}).unplaced().size(), 1U);
  its["topologySpreadConstraints"][0]["nodeTaintsPolicy"] = "Honor";
  const Found found = ask(Items(items).add(deployed("web", {"n1", "n2", "", ""}, its)), {"fit"});
  EXPECT_EQ(found.unplaced(), Left{});
  // One that runs on a node that is no domain is not counted, and breaks nothing.
  const Found outside = ask(Items(items).add(deployed("web", {"n1", "n3", ""}, its)), {"fit"});
  EXPECT_EQ(outside.unplaced(), Left{});
  EXPECT_EQ(outside.json["broken"], 0);
}

TEST(K8sRules, LabelsThatOnlyPodsHave) {
  Json its = spec("1");
  its["topologySpreadConstraints"] = Json::array({spread("web", kByZone)});
  its["topologySpreadConstraints"][0]["matchLabelKeys"] = Json::array({"pod-template-hash"});
  Items items{node("n1", "4", "a"), node("n2", "1", "b")};
  items.add(deployed("full", {"n2"}, spec("1"))).add(deployed("web", {"", "", ""}, its));
  EXPECT_EQ(ask(items, {"fit"}).unplaced(), (Left{{"deployment team/web", 2}}));
  // Those of another replica set do not count.
  Json old = owned(pod("web-0a-0", its, "n1", "web"), "ReplicaSet", "web-0a"),
       set = owned(object("ReplicaSet", "web-0a"), "Deployment", "web");
  old["metadata"]["labels"]["pod-template-hash"] = "0a";
  set["spec"] = {{"replicas", 1}, {"template", {{"metadata", {{"labels", {{"app", "web"}}}}}, {"spec", its}}}};
  const Found found = ask(items.add(old).add(set), {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"deployment team/web", 2}}));
}

TEST(K8sRules, DomainsThatGoWithTheirNodes) {
  Json its = spec("100m");
  its["topologySpreadConstraints"] = Json::array({spread("db", kByZone)});
  its["topologySpreadConstraints"][0]["minDomains"] = 2;
  Items items{node("n1", "4", "a"), node("n2", "4", "b")};
  EXPECT_EQ(ask(Items(items).add(deployed("db", {"n1", "n2"}, its)), {"consolidate"}).names("emptied"), Names{});
  its["topologySpreadConstraints"][0].erase("minDomains");
  its["topologySpreadConstraints"][0]["maxSkew"] = 2;
  EXPECT_EQ(ask(Items(items).add(deployed("db", {"n1", "n2"}, its)), {"consolidate"}).names("emptied").size(), 1U);
}

TEST(K8sRules, PreferencesComeBeforeFewerNodes) {
  Json its = spec("100m"), apart = spec("100m");
  its["topologySpreadConstraints"] = Json::array({spread("web", kByZone, "ScheduleAnyway")});
  apart["affinity"]["podAntiAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"] = {
      {{"weight", 100},
       {"podAffinityTerm", {{"topologyKey", kByHost}, {"labelSelector", {{"matchLabels", {{"app", "alone"}}}}}}}}};
  Items items{node("n1", "4", "a"), node("n2", "4", "b")};
  items.add(deployed("web", {"", ""}, its)).add(deployed("alone", {"", ""}, apart));
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.json["unmet"].size(), 0U);
}

TEST(K8sRules, PreferencesThatHoldAreKept) {
  Json its = spec("100m");
  its["topologySpreadConstraints"] = Json::array({spread("web", kByZone, "ScheduleAnyway")});
  Items items{node("n1", "4", "a"), node("n2", "4", "b"), node("n3", "4", "a")};
  items.add(deployed("web", {"n1", "n2"}, its)).add(deployed("other", {"n3"}, spec("1")));
  const Found found = ask(items, {"consolidate"});
  ASSERT_EQ(found.names("emptied").size(), 1U);
  EXPECT_NE(found.names("emptied")[0], "n2");
}

TEST(K8sRules, ReplicasOfOneWorkloadNearEachOther) {
  Json its = spec("2");
  its["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] = {
      {{"topologyKey", kByZone}, {"labelSelector", {{"matchLabels", {{"app", "web"}}}}}}};
  Items items{node("n1", "4", "a"), node("n2", "4", "b")};
  EXPECT_EQ(ask(items.add(deployed("web", {"n1", "", ""}, its)), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
}

TEST(K8sRules, PortsOfTheHost) {
  Json its = spec("100m");
  its["containers"][0]["ports"] = {{{"containerPort", 80}, {"hostPort", 80}}};
  EXPECT_EQ(ask(Items{node("n1"), node("n2")}.add(deployed("web", {"n1", "", ""}, its)), {"fit"}).unplaced(),
            (Left{{"deployment team/web", 1}}));
}

}  // namespace
}  // namespace stowage::k8s
