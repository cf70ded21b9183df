// What may be put in, what is said of the rest, and the instance that is made of it.
#include "capi/k8s/answer/planning.h"
#include "capi/text/base/failure.h"
#include "capi/text/formats/instance_json.h"
#include "plan_generated.h"
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

std::string refusal(const std::string& text, const std::vector<std::string>& arguments = {"fit"}) {
  try {
    ask_text(text, arguments);
  } catch (const cli::Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(K8sInput, ListsOfTheApi) {
  Json bare = node("n1");
  bare.erase("kind");
  bare.erase("apiVersion");
  const std::string list = Json{{"kind", "NodeList"}, {"items", {bare}}}.dump();
  EXPECT_EQ(ask_text(list, {"fit"}).exit_code, 0);
  // The kind may follow the items.
  EXPECT_EQ(ask_text("{\"items\": [" + bare.dump() + "], \"kind\": \"NodeList\"}", {"fit"}).exit_code, 0);
  // One document after the other, and a list of documents.
  EXPECT_EQ(ask_text(node("n1").dump() + "\n" + deployment("a", 1, spec("1")).dump(), {"fit"}).exit_code, 0);
  EXPECT_EQ(ask_text(Json{node("n1"), deployment("a", 1, spec("5"))}.dump(), {"fit"}).exit_code, 2);
}

TEST(K8sInput, ManifestsWithoutANamespaceAreInDefault) {
  Json one = deployment("new", 1, spec("5"));
  one["metadata"].erase("namespace");
  EXPECT_EQ(ask(Items{node("n1"), one}, {"fit"}).unplaced(), (Left{{"deployment default/new", 1}}));
}

TEST(K8sInput, ANodeWithoutStatusIsLeftOut) {
  Json fresh = node("n2");
  fresh.erase("status");
  const Found found = ask(Items{node("n1"), fresh}, {"fit"});
  EXPECT_EQ(found.json["nodes"], 1);
  EXPECT_TRUE(found.says("node n2 has no status yet"));
}

TEST(K8sInput, RefusalsHaveAPath) {
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
  EXPECT_NE(refusal("{").find("line 1, column 2"), std::string::npos);
  EXPECT_NE(refusal("{}").find("it has no kind"), std::string::npos);
  EXPECT_NE(refusal("{\"kind\":\"List\",\"items\":[]}").find("has no nodes"), std::string::npos);
  Json bad = node("n1");
  bad["status"]["allocatable"]["cpu"] = "many";
  EXPECT_NE(refusal(Items{bad}.text()).find("items[0].status.allocatable.cpu: \"many\" is no quantity"), std::string::npos);
  bad = node("n1");
  bad["spec"]["taints"] = "none";
  EXPECT_NE(refusal(Items{bad}.text()).find("items[0].spec.taints: must be a list"), std::string::npos);
  std::string deep;
  for (int k = 0; k < 5000; ++k) deep += "{\"kind\": \"List\", \"items\": [";
  EXPECT_NE(refusal(deep).find("JSON input"), std::string::npos);
  EXPECT_NE(refusal(std::string(1'000'000, '[')).find("lists in each other"), std::string::npos);
  EXPECT_NE(refusal(node("n1").dump(), {"fit", "-plannner", "ff"}).find("did you mean"), std::string::npos);
}

TEST(K8sInput, NumbersAreThoseOfJson) {
  for (const std::string number : {"01x", "+1", ".5", "1.", "1e", "inf", "-"})
    EXPECT_NE(refusal("{\"kind\": " + number + "}").find("\"" + number + "\" is no value"), std::string::npos) << number;
}

TEST(K8sInput, ObjectsCountOnce) {
  const Found found = ask(Items{node("n1"), node("n1"), deployment("a", 1, spec("1")), deployment("a", 1, spec("1"))}, {"fit"});
  EXPECT_EQ(found.json["nodes"], 1);
  EXPECT_EQ(found.json["replicas"], 1);
  EXPECT_TRUE(found.says("more than once"));
}

TEST(K8sInput, KindsThatAreNotReadAreNamed) {
  EXPECT_TRUE(ask(Items{node("n1"), object("ConfigMap", "x"), object("ConfigMap", "y")}, {"fit"})
                  .says("objects of kind ConfigMap (2)"));
}

TEST(K8sInput, ZonesAndNodesFail) {
  Items items{node("n1", "4", "a"), node("n2", "4", "b")};
  items.add(deployed("web", {"n1", "n2"}, spec("3"))).add(deployed("small", {"n2"}, spec("1")));
  const Found found = ask(items, {"whatif", "--zone-down", "b"});
  EXPECT_EQ(found.unplaced(), (Left{{"deployment team/web", 1}}));
  EXPECT_EQ(found.json["evicted"], 2);
  EXPECT_EQ(ask(items, {"whatif", "--zone-down", "b", "--add", "4 cores, 16 GiB in a=1"}).unplaced(), Left{});
  EXPECT_EQ(ask(items, {"whatif", "--replicas", "team/web=1", "--node-down=n2"}).unplaced(), Left{});
  EXPECT_NE(refusal(items.text(), {"whatif", "--zone-down", "x"}).find("no node is in the zone"), std::string::npos);
}

Json instance_of(const Items& items) { return Json::parse(ask_text(items.text(), {"instance"}).text); }

/// Replicas of an app by node.
std::map<std::string, int> on(const Json& instance, const char* column, const std::string& app) {
  std::map<std::string, int> all;
  for (const Json& node : instance.at("nodes")) {
    if (node.contains(column) && node.at(column).contains(app)) all[node.at("name")] = node.at(column).at(app);
  }
  return all;
}

TEST(K8sInstance, HasWhatRunsAndWaits) {
  Items items{node("n1", "4", "a"), node("n2", "4", "b")};
  const Json made = instance_of(items.add(deployed("web", {"n1", "n2", "n2", ""}, spec("3"))));
  ASSERT_EQ(made.at("apps").size(), 1U);
  EXPECT_EQ(made["apps"][0]["name"], "deployment team/web");
  EXPECT_EQ(made["apps"][0]["replicas"], 4);
  EXPECT_EQ(on(made, "running", "deployment team/web"), (std::map<std::string, int>{{"n1", 1}, {"n2", 2}}));
  EXPECT_TRUE(on(made, "pinned", "deployment team/web").empty());
}

TEST(K8sInstance, IsOneForTheLibrary) {
  Json its = spec("1");
  its["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] = {
      {{"topologyKey", "kubernetes.io/hostname"}, {"labelSelector", {{"matchLabels", {{"app", "web"}}}}}}};
  Items items{node("n1"), node("n2")};
  items.add(deployed("web", {"n1", "", ""}, its));
  const std::string text = ask_text(items.text(), {"instance"}).text;
  const auto bytes = cli::encode_instance(cli::read_instance_json(text, "instance", 1U << 20));
  cli::RequestData request;
  request.planner = "auto";
  request.work_limit = 100'000;
  const Buffer plan = Loaded(bytes, nullptr).plan(request);
  EXPECT_EQ(wire::GetPlan(plan.data())->unplaced()->size(), 1U);
}

TEST(K8sInstance, PinsWhatMayNotBeEvictedNow) {
  Json budget = object("PodDisruptionBudget", "web");
  budget["spec"] = {{"minAvailable", 2}, {"selector", {{"matchLabels", {{"app", "web"}}}}}};
  Items items{node("n1"), node("n2"), budget};
  items.add(deployed("web", {"n1", "n2"}, spec("1"))).add(deployed("free", {"n1"}, spec("1")));
  const Json made = instance_of(items);
  EXPECT_EQ(on(made, "pinned", "deployment team/web"), (std::map<std::string, int>{{"n1", 1}, {"n2", 1}}));
  EXPECT_TRUE(on(made, "pinned", "deployment team/free").empty());
  const Json all = Json::parse(ask_text(items.text(), {"instance", "-json"}).text);
  EXPECT_EQ(all.at("instance"), made);
  ASSERT_EQ(all.at("held").size(), 1U);
  EXPECT_EQ(all["held"][0].get<std::string>().rfind("deployment team/web: ", 0), 0U);
  for (const char* list : {"leftOut", "missing", "notes"}) EXPECT_TRUE(all.at(list).is_array()) << list;
}

TEST(K8sInstance, IsUncertainWhereSomethingIsMissing) {
  Json its = spec("100m");
  its["runtimeClassName"] = "sandbox";
  Items items{node("n1")};
  const std::string text = items.add(deployed("web", {""}, its)).text();
  EXPECT_EQ(ask_text(text, {"instance"}).exit_code, kExitUncertain);
  EXPECT_EQ(Json::parse(ask_text(text, {"instance", "-json"}).text).at("missing").size(), 1U);
}

TEST(K8sInstance, RefusalsNameTheLineOfATextInLines) {
  Json bad = node("n1");
  bad["status"]["allocatable"]["cpu"] = "man\ty";
  const std::string text = bad.dump(1);
  // The line of a text with escapes is that of what it is in.
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("{", text.find("allocatable"))), '\n');
  try {
    ask_text(text, {"instance"});
    ADD_FAILURE();
  } catch (const cli::Failure& failure) {
    EXPECT_EQ(failure.path(), "status.allocatable.cpu");
    EXPECT_NE(failure.message().find(" (line " + std::to_string(line) + ")"), std::string::npos) << failure.message();
  }
}

}  // namespace
}  // namespace stowage::k8s
