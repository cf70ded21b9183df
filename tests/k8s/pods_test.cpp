// A pod counts by its own specification, labels and annotations; the template only for pods that do not exist yet.
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

TEST(K8sPods, RunningPodsCountByTheirOwnRequests) {
  std::vector<Json> web = deployed("web", {"n1", "n1", ""}, spec("500m"));
  for (std::size_t k = 2; k < web.size(); ++k) {
    web[k]["spec"]["containers"].push_back({{"name", "proxy"}, {"resources", {{"requests", {{"cpu", "1"}}}}}});
  }
  // 1.5 cores each: two are on n1, and the third fits no more.
  EXPECT_EQ(ask(Items{node("n1")}.add(web), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  EXPECT_EQ(ask(Items{node("n1", "4500m")}.add(web), {"fit"}).unplaced(), Left{});
}

TEST(K8sPods, ResizedPodsCountWhatTheyWereGiven) {
  std::vector<Json> web = deployed("web", {"n1", ""}, spec("1"));
  web[2]["status"]["containerStatuses"] = {{{"name", "main"}, {"allocatedResources", {{"cpu", "3500m"}}}}};
  EXPECT_EQ(ask(Items{node("n1")}.add(web), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  web[2]["status"]["containerStatuses"] = {{{"name", "main"}, {"resources", {{"requests", {{"cpu", "3500m"}}}}}}};
  EXPECT_EQ(ask(Items{node("n1")}.add(web), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  web[2]["status"]["containerStatuses"] = {{{"name", "main"}, {"allocatedResources", {{"cpu", "500m"}}}}};
  EXPECT_EQ(ask(Items{node("n1")}.add(web), {"fit"}).unplaced(), Left{});
}

TEST(K8sPods, LimitRangesCountForPodsToCome) {
  Json range = object("LimitRange", "defaults");
  range["spec"]["limits"] = {{{"type", "Container"}, {"defaultRequest", {{"cpu", "2"}}}, {"default", {{"cpu", "3"}}}}};
  Json none = {{"containers", {{{"name", "main"}}}}};
  EXPECT_EQ(ask(Items{node("n1"), range}.add(deployment("web", 3, none)), {"fit"}).unplaced(),
            (Left{{"deployment team/web", 1}}));
  // A limit of its own is the request.
  none["containers"][0]["resources"]["limits"]["cpu"] = "1";
  EXPECT_EQ(ask(Items{node("n1"), range}.add(deployment("web", 4, none)), {"fit"}).unplaced(), Left{});
}

TEST(K8sPods, SurgePodsOfRolloutsWait) {
  Items items{node("n1"), node("n2")};
  items.add(deployed("web", {"n1", "n2"}, spec("3")));
  Json set = owned(object("ReplicaSet", "web-2b"), "Deployment", "web");
  set["spec"] = {{"replicas", 1}, {"template", {{"metadata", {{"labels", {{"app", "web"}}}}}, {"spec", spec("3")}}}};
  items.add(set).add(owned(pod("web-2b-0", spec("3"), "", "web"), "ReplicaSet", "web-2b"));
  EXPECT_EQ(ask(items, {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  const Found found = ask(items, {"explain", "team/web-2b-0"});
  EXPECT_EQ(found.code, 2);
  EXPECT_EQ(ask(items, {"explain", "team/web-1a-0"}).code, 0);
}

TEST(K8sPods, AnnotationsHoldOnePod) {
  std::vector<Json> web = deployed("web", {"n1", "n2"}, spec("500m"));
  web[2]["metadata"]["annotations"]["cluster-autoscaler.kubernetes.io/safe-to-evict"] = "false";
  const Found found = ask(Items{node("n1"), node("n2")}.add(web), {"consolidate"});
  EXPECT_EQ(found.names("emptied"), Names{"n2"});
  EXPECT_TRUE(found.says("safe-to-evict=false"));
}

TEST(K8sPods, NodesForOnePodStay) {
  Items items{node("n1")};
  for (const char* name : {"f1", "f2"}) {
    Json one = node(name, "2");
    one["metadata"]["labels"]["eks.amazonaws.com/compute-type"] = "fargate";
    one["spec"]["taints"] = {{{"key", "eks.amazonaws.com/compute-type"}, {"value", "fargate"}, {"effect", "NoSchedule"}}};
    items.add(one);
  }
  std::vector<Json> dns = deployed("dns", {"f1", "f2"}, spec("500m"));
  for (std::size_t k = 2; k < dns.size(); ++k) {
    dns[k]["spec"]["tolerations"] = {{{"key", "eks.amazonaws.com/compute-type"}, {"operator", "Exists"}}};
  }
  const Found found = ask(items.add(dns).add(deployed("web", {"n1"}, spec("1"))), {});
  EXPECT_EQ(found.names("emptied"), Names{});
  EXPECT_EQ(found.json["broken"], 0);
}

TEST(K8sPods, StatefulPodsTooManyReplaceNone) {
  Json set = object("StatefulSet", "db");
  set["spec"] = {{"replicas", 2}, {"template", {{"metadata", {{"labels", {{"app", "db"}}}}}, {"spec", spec("1")}}}};
  Items items{node("n1"), set};
  items.add(owned(pod("db-7", spec("1"), "n1", "db"), "StatefulSet", "db"))
      .add(owned(pod("db-8", spec("1"), "n1", "db"), "StatefulSet", "db"));
  EXPECT_EQ(ask(items, {"fit"}).json["replicas"], 2);
}

TEST(K8sPods, PodsOfSetsThatAreNotInTheInput) {
  Items items{node("n1"), node("n2")};
  items.add(owned(pod("web-0", spec("500m"), "n1", "web"), "ReplicaSet", "web-9f"))
      .add(owned(pod("web-1", spec("500m"), "n2", "web"), "ReplicaSet", "web-9f"));
  EXPECT_EQ(ask(items, {"consolidate"}).names("emptied").size(), 1U);
  Items bare{node("n1"), node("n2"), pod("a", spec("500m"), "n1"), pod("b", spec("500m"), "n2")};
  EXPECT_EQ(ask(bare, {"consolidate"}).names("emptied"), Names{});
}

TEST(K8sPods, WithoutRequestsIsSaid) {
  const Json none = {{"containers", {{{"name", "main"}}}}};
  const Found found = ask(Items{node("n1")}.add(deployed("web", {"n1"}, none)), {"fit"});
  EXPECT_EQ(found.code, 0);
  EXPECT_TRUE(found.says("requests neither cpu nor memory"));
}

}  // namespace
}  // namespace stowage::k8s
