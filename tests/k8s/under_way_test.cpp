// What is under way: nodes that come and go, pods that are being deleted, wait behind gates or are preempted.
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

Json tainted(const std::string& name, const std::string& key, const std::string& effect = "NoSchedule") {
  Json made = node(name);
  made["spec"]["taints"] = {{{"key", key}, {"effect", effect}}};
  return made;
}

TEST(K8sUnderWay, NodesBeingDeletedGiveTheirPodsBack) {
  for (const char* key : {"ToBeDeletedByClusterAutoscaler", "karpenter.sh/disrupted"}) {
    Items items{node("n1"), tainted("n2", key)};
    items.add(deployed("web", {"n1", "n2"}, spec("2")));
    EXPECT_EQ(ask(items, {"fit"}).unplaced(), Left{}) << key;
    const Found found = ask(items.add(deployed("more", {"n2"}, spec("1"))), {"fit"});
    EXPECT_EQ(found.unplaced(), (Left{{"deployment team/more", 1}})) << key;
    EXPECT_FALSE(found.says("tolerating the taint"));
  }
  Json going = node("n2");
  going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_EQ(ask(Items{node("n1"), going}.add(deployed("web", {"n1", "n2"}, spec("3"))), {"fit"}).unplaced(),
            (Left{{"deployment team/web", 1}}));
}

TEST(K8sUnderWay, UnreachableNodesGiveTheirPodsBack) {
  Items items{node("n1"), tainted("n2", "node.kubernetes.io/unreachable", "NoExecute")};
  items.add(deployed("web", {"n1", "n2"}, spec("3")));
  EXPECT_EQ(ask(items, {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
}

TEST(K8sUnderWay, StartingNodesWillTakePods) {
  for (const char* key :
       {"node.cilium.io/agent-not-ready", "node.cloudprovider.kubernetes.io/uninitialized", "karpenter.sh/unregistered"}) {
    const Found found = ask(Items{tainted("n1", key, "NoExecute")}.add(deployed("web", {""}, spec("1"))), {"fit"});
    EXPECT_EQ(found.unplaced(), Left{}) << key;
    EXPECT_TRUE(found.says("is starting"));
  }
  Json pool = object("NodePool", "general", "");
  pool["spec"]["template"]["spec"]["startupTaints"] = {{{"key", "my/starting"}, {"effect", "NoSchedule"}}};
  EXPECT_EQ(ask(Items{tainted("n1", "my/starting"), pool}.add(deployed("web", {""}, spec("1"))), {"fit"}).unplaced(), Left{});
  EXPECT_EQ(ask(Items{tainted("n1", "my/starting")}.add(deployed("web", {""}, spec("1"))), {"fit"}).unplaced().size(), 1U);
}

TEST(K8sUnderWay, YoungNodesThatAreNotReadyWillTakePods) {
  Json young = tainted("n1", "node.kubernetes.io/not-ready", "NoExecute"), old = node("n2", "1");
  old["metadata"]["creationTimestamp"] = "2026-01-31T12:00:00Z";
  young["metadata"]["creationTimestamp"] = "2026-01-31T11:50:00Z";
  Items items{old};
  items.add(deployed("web", {""}, spec("3")));
  EXPECT_EQ(ask(Items(items).add(young), {"fit"}).unplaced(), Left{});
  young["metadata"]["creationTimestamp"] = "2026-01-30T11:50:00Z";
  EXPECT_EQ(ask(Items(items).add(young), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
}

TEST(K8sUnderWay, PodsBeingDeletedLeaveTheirRoom) {
  std::vector<Json> old = deployed("old", {"n1"}, spec("3"));
  old[2]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  old[0]["spec"]["replicas"] = 0;
  const Found found = ask(Items{node("n1")}.add(old).add(deployed("web", {""}, spec("3"))), {"fit"});
  EXPECT_EQ(found.unplaced(), Left{});
  EXPECT_TRUE(found.says("is being deleted on node n1"));
  // Its controller makes another.
  old[0]["spec"]["replicas"] = 1;
  EXPECT_EQ(ask(Items{node("n1")}.add(old).add(deployed("web", {""}, spec("3"))), {"fit"}).unplaced().size(), 1U);
}

TEST(K8sUnderWay, GatedPodsNeedNoNode) {
  Json its = spec("3");
  its["schedulingGates"] = {{{"name", "kueue.x-k8s.io/admission"}}};
  const Found found = ask(Items{node("n1")}.add(deployed("sweep", {"", ""}, its)), {"fit"});
  EXPECT_EQ(found.unplaced(), Left{});
  EXPECT_EQ(found.nodes("add"), 0);
  EXPECT_TRUE(found.says("2 pods of deployment team/sweep behind a scheduling gate"));
}

TEST(K8sUnderWay, HigherPrioritiesPreempt) {
  Json low = spec("2"), high = spec("2"), never = spec("2");
  low["priority"] = -10;
  high["priority"] = 5;
  never["priority"] = 5;
  never["preemptionPolicy"] = "Never";
  Items items{node("n1")};
  items.add(deployed("low", {"n1", "n1"}, low));
  const Found found = ask(Items(items).add(deployed("high", {""}, high)), {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"deployment team/low", 1}}));
  EXPECT_TRUE(found.says("preempts 1 replica of deployment team/low (priority -10) on node n1"));
  EXPECT_EQ(ask(Items(items).add(deployed("high", {""}, never)), {"fit"}).unplaced(), (Left{{"deployment team/high", 1}}));
}

TEST(K8sUnderWay, PodsThatTolerateACordonAreScheduled) {
  Json closed = node("n1"), its = spec("1");
  closed["spec"]["unschedulable"] = true;
  its["tolerations"] = {{{"operator", "Exists"}}};
  Items items{closed};
  items.add(deployed("web", {"n1", ""}, spec("1"))).add(deployed("any", {""}, its));
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"deployment team/web", 1}}));
  EXPECT_EQ(found.json["broken"], 0);
  EXPECT_TRUE(found.says("uncordoning node n1")) << found.text;
}

TEST(K8sUnderWay, DaemonsThatDoNotFitAreLeftOver) {
  Json set = object("DaemonSet", "agent", "ops");
  set["spec"]["template"] = {{"metadata", {{"labels", {{"app", "agent"}}}}}, {"spec", spec("500m")}};
  Items items{node("n1"), node("n2"), set};
  items.add(deployed("web", {"n1"}, spec("3600m")));
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"daemonset ops/agent", 1}}));
  EXPECT_EQ(found.code, 2);
  EXPECT_TRUE(found.says("node n1: short of 0.1 cores of cpu"));
  EXPECT_EQ(ask(items, {"explain", "ops/agent"}).code, 2);
}

}  // namespace
}  // namespace stowage::k8s
