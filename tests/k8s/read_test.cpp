// Objects that decide where pods may be, beside pods and nodes.
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

Json claim(const std::string& name, const std::string& volume, const std::string& mode = "ReadWriteOnce") {
  Json made = object("PersistentVolumeClaim", name);
  made["spec"] = {{"accessModes", {mode}}, {"storageClassName", "fast"}};
  if (!volume.empty()) made["spec"]["volumeName"] = volume;
  return made;
}

Json volume(const std::string& name, const std::string& key = "", const std::string& value = "") {
  Json made = object("PersistentVolume", name, "");
  made["spec"]["csi"] = {{"driver", "disk.example.com"}, {"volumeHandle", name}};
  if (!key.empty()) {
    made["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"] = {
        {{"matchExpressions", {{{"key", key}, {"operator", "In"}, {"values", {value}}}}}}};
  }
  return made;
}

Json csi_node(const std::string& name, int count) {
  Json made = object("CSINode", name, "");
  made["spec"]["drivers"] = {{{"name", "disk.example.com"}, {"allocatable", {{"count", count}}}}};
  return made;
}

Json with_claim(const std::string& name) {
  Json made = spec("100m");
  made["volumes"] = {{{"name", "data"}, {"persistentVolumeClaim", {{"claimName", name}}}}};
  return made;
}

TEST(K8sObjects, NodesTakeSoManyVolumes) {
  Items items{node("n1"), csi_node("n1", 2)};
  for (int k = 0; k < 3; ++k) {
    const std::string name = "c" + std::to_string(k);
    items.add(claim(name, "v" + std::to_string(k)))
        .add(volume("v" + std::to_string(k)))
        .add(deployed("d" + std::to_string(k), {""}, with_claim(name)));
  }
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.unplaced().size(), 1U);
  EXPECT_EQ(found.code, 2);
  EXPECT_EQ(ask(items.add(node("n2")).add(csi_node("n2", 1)), {"fit"}).unplaced(), Left{});
}

TEST(K8sObjects, WhatIsMissingIsSaidByTheExitCode) {
  Items items{node("n1"), claim("c", "v"), volume("v")};
  const Found found = ask(items.add(deployed("web", {""}, with_claim("c"))), {"fit"});
  EXPECT_EQ(found.code, 4);
  EXPECT_TRUE(found.says("CSINode"));
  Json its = spec("100m");
  its["runtimeClassName"] = "sandbox";
  const Found runtime = ask(Items{node("n1")}.add(deployed("web", {""}, its)), {"fit"});
  EXPECT_EQ(runtime.code, 4);
  EXPECT_TRUE(runtime.says("sandbox"));
}

TEST(K8sObjects, ClassesOfVolumesAllowZones) {
  Json fast = object("StorageClass", "fast", "");
  fast["provisioner"] = "disk.example.com";
  fast["volumeBindingMode"] = "WaitForFirstConsumer";
  fast["allowedTopologies"] = {{{"matchLabelExpressions", {{{"key", "topology.kubernetes.io/zone"}, {"values", {"b"}}}}}}};
  Items items{node("n1", "4", "a"), fast, claim("c", ""), csi_node("n1", 5)};
  items.add(deployed("web", {""}, with_claim("c")));
  EXPECT_EQ(ask(items, {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  EXPECT_EQ(ask(items.add(node("n2", "4", "b")), {"fit"}).unplaced(), Left{});
}

TEST(K8sObjects, ClaimsWithoutAProvisionerNeedAVolume) {
  Json local = object("StorageClass", "fast", "");
  local["provisioner"] = "kubernetes.io/no-provisioner";
  local["volumeBindingMode"] = "WaitForFirstConsumer";
  Items items{node("n1"), node("n2"), local, claim("c", "")};
  items.add(deployed("web", {""}, with_claim("c")));
  EXPECT_EQ(ask(items, {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  Json free = volume("v", "kubernetes.io/hostname", "n2");
  free["spec"]["storageClassName"] = "fast";
  free["status"]["phase"] = "Available";
  const Found found = ask(items.add(free), {"fit"});
  EXPECT_EQ(found.unplaced(), Left{});
  EXPECT_EQ(found.json["placements"]["present"][1]["holds"].size(), 1U);
}

TEST(K8sObjects, AClaimForOnePod) {
  Items items{node("n1"), claim("c", "v", "ReadWriteOncePod"), volume("v"), csi_node("n1", 9)};
  std::vector<Json> wiki = deployed("wiki", {"n1", ""}, with_claim("c"));
  EXPECT_EQ(ask(Items(items).add(wiki), {"fit"}).unplaced(), (Left{{"deployment team/wiki", 1}}));
  EXPECT_EQ(ask(Items(items).add(deployed("wiki", {""}, with_claim("c"))), {"fit"}).unplaced(), Left{});
}

TEST(K8sObjects, LabelsOfVolumesOfOneNodeMakeNoKinds) {
  Items items{};
  for (int k = 0; k < 3; ++k) {
    const std::string name = "n" + std::to_string(k);
    Json one = node(name, "4", "", "m5.xlarge");
    one["metadata"]["labels"]["topology.lvm.example/node"] = name;
    items.add(one).add(volume("v" + std::to_string(k), "topology.lvm.example/node", name));
  }
  items.add(claim("c", "v1")).add(deployed("db", {""}, with_claim("c")));
  const Found found = ask(items, {"nodes"});
  EXPECT_EQ(found.json["table"][0]["class"], found.json["table"][2]["class"]);
  EXPECT_EQ(found.json["placements"]["present"][1]["holds"].size(), 1U);
}

TEST(K8sObjects, RuntimeClassesAddOverheadAndASelector) {
  Json sandbox = object("RuntimeClass", "sandbox", "");
  sandbox["overhead"]["podFixed"]["cpu"] = "500m";
  sandbox["scheduling"]["nodeSelector"]["sandbox"] = "yes";
  Json its = spec("1");
  its["runtimeClassName"] = "sandbox";
  Json special = node("n2");
  special["metadata"]["labels"]["sandbox"] = "yes";
  // 1.5 cores each, on n2 only: two.
  Items items{node("n1", "8"), special, sandbox};
  EXPECT_EQ(ask(items.add(deployment("web", 3, its)), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
}

TEST(K8sObjects, NamespacesAreSelectedByLabel) {
  Json its = spec("1");
  its["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] = {
      {{"topologyKey", "kubernetes.io/hostname"},
       {"labelSelector", {{"matchLabels", {{"app", "db"}}}}},
       {"namespaceSelector", {{"matchLabels", {{"color", "red"}}}}}}};
  Json team = object("Namespace", "team", "");
  team["metadata"]["labels"]["color"] = "red";
  Items items{node("n1")};
  items.add(deployed("db", {"n1"}, spec("1"))).add(deployed("web", {""}, its));
  EXPECT_EQ(ask(items, {"fit"}).code, 4);
  EXPECT_EQ(ask(Items(items).add(team), {"fit"}).unplaced(), (Left{{"deployment team/web", 1}}));
  team["metadata"]["labels"]["color"] = "green";
  EXPECT_EQ(ask(Items(items).add(team), {"fit"}).unplaced(), Left{});
}

TEST(K8sObjects, GangsStartTogetherOrNotAtAll) {
  Json group = object("PodGroup", "train");
  group["spec"]["minMember"] = 3;
  Items items{node("n1"), group};
  for (int k = 0; k < 3; ++k) {
    Json one = owned(pod("train-" + std::to_string(k), spec("2"), "", "train"), "Job", "train");
    one["metadata"]["annotations"]["scheduling.k8s.io/group-name"] = "train";
    items.add(one);
  }
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"job team/train", 3}}));
  EXPECT_EQ(found.nodes("add"), 1);
  EXPECT_EQ(ask(items.add(node("n2")), {"fit"}).unplaced(), Left{});
}

TEST(K8sObjects, ClaimedDevicesAreCounted) {
  Json slice = object("ResourceSlice", "s1", ""), kind = object("DeviceClass", "gpu.example.com", "");
  slice["spec"] = {{"driver", "gpu.example.com"}, {"nodeName", "n1"}, {"devices", {{{"name", "a"}}, {{"name", "b"}}}}};
  kind["spec"]["selectors"] = {{{"cel", {{"expression", "device.driver == 'gpu.example.com'"}}}}};
  Json one = object("ResourceClaimTemplate", "one");
  one["spec"]["spec"]["devices"]["requests"] = {
      {{"name", "gpu"}, {"exactly", {{"deviceClassName", "gpu.example.com"}, {"count", 1}}}}};
  Json its = spec("1");
  its["resourceClaims"] = {{{"name", "gpu"}, {"resourceClaimTemplateName", "one"}}};
  Items items{node("n1"), slice, kind, one};
  EXPECT_EQ(ask(items.add(deployed("infer", {"n1", "", ""}, its)), {"fit"}).unplaced(), (Left{{"deployment team/infer", 1}}));
}

TEST(K8sObjects, AnnotationsOfNodesForbidEmptying) {
  Json one = node("n1"), two = node("n2");
  one["metadata"]["annotations"]["cluster-autoscaler.kubernetes.io/scale-down-disabled"] = "true";
  two["metadata"]["annotations"]["karpenter.sh/do-not-disrupt"] = "true";
  Items items{one, two, node("n3")};
  const Found found = ask(items.add(deployed("web", {"n1", "n2", "n3"}, spec("1"))), {"consolidate"});
  EXPECT_EQ(found.names("emptied"), Names{"n3"});
  EXPECT_EQ(found.names("idle"), Names{});
  EXPECT_TRUE(found.says("scale-down-disabled"));
}

TEST(K8sObjects, TwoBudgetsLetNothingGo) {
  Json first = object("PodDisruptionBudget", "a"), second = object("PodDisruptionBudget", "b");
  first["spec"] = {{"maxUnavailable", 1}, {"selector", {{"matchLabels", {{"app", "web"}}}}}};
  second["spec"] = first["spec"];
  Items items{node("n1"), node("n2"), first};
  items.add(deployed("web", {"n1", "n2"}, spec("1")));
  EXPECT_EQ(ask(items, {"consolidate"}).names("emptied").size(), 1U);
  const Found found = ask(items.add(second), {"consolidate"});
  EXPECT_EQ(found.names("emptied"), Names{});
  EXPECT_TRUE(found.says("more than one budget"));
}

TEST(K8sObjects, PodsThatAreNotReadyMayGo) {
  Json budget = object("PodDisruptionBudget", "pay");
  budget["spec"] = {
      {"minAvailable", 2}, {"selector", {{"matchLabels", {{"app", "pay"}}}}}, {"unhealthyPodEvictionPolicy", "AlwaysAllow"}};
  budget["status"] = {
      {"observedGeneration", 1}, {"expectedPods", 2}, {"currentHealthy", 1}, {"desiredHealthy", 2}, {"disruptionsAllowed", 0}};
  std::vector<Json> pay = deployed("pay", {"n1", "n2"}, spec("1"));
  pay[2]["status"]["conditions"] = {{{"type", "Ready"}, {"status", "False"}}};
  Items items{node("n1"), node("n2"), budget};
  items.add(pay);
  EXPECT_EQ(ask(items, {"drain", "n1"}).code, 0);
  EXPECT_EQ(ask(items, {"drain", "n2"}).code, 2);
}

TEST(K8sObjects, AutoscalersAreNamedBesideASaving) {
  Json autoscaler = object("HorizontalPodAutoscaler", "web");
  autoscaler["spec"] = {{"scaleTargetRef", {{"kind", "Deployment"}, {"name", "web"}}}, {"maxReplicas", 17}};
  const Found found =
      ask(Items{node("n1"), node("n2"), autoscaler}.add(deployed("web", {"n1", "n2"}, spec("1"))), {"consolidate"});
  EXPECT_TRUE(found.says("up to 17")) << found.text;
}

TEST(K8sObjects, LocalDataIsNamedWhenANodeIsDrained) {
  Json its = spec("1");
  its["volumes"] = {{{"name", "scratch"}, {"emptyDir", Json::object()}}, {{"name", "host"}, {"hostPath", {{"path", "/data"}}}}};
  const Found found = ask(Items{node("n1"), node("n2")}.add(deployed("cache", {"n1"}, its)), {"drain", "n1"});
  EXPECT_TRUE(found.says("emptyDir scratch"));
  EXPECT_TRUE(found.says("hostPath /data"));
}

}  // namespace
}  // namespace stowage::k8s
