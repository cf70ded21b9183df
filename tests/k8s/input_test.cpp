// What may be put in, and what is said of the rest.
#include "capi/text/base/failure.h"
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
  EXPECT_NE(refusal(node("n1").dump(), {"fit", "-plannner", "ff"}).find("did you mean"), std::string::npos);
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

}  // namespace
}  // namespace stowage::k8s
