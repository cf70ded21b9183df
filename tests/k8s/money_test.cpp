// Prices, limits of pools, and room by moves.
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

TEST(K8sMoney, SpotIsCheaper) {
  Json spot = node("spot", "4", "a", "m5.xlarge"), demand = node("demand", "4", "a", "m5.xlarge");
  spot["metadata"]["labels"]["karpenter.sh/capacity-type"] = "spot";
  Items items{spot, demand};
  items.add(deployed("web", {"spot", "demand"}, spec("500m")));
  const Found found = ask(items, {"consolidate", "-price", "default"});
  EXPECT_EQ(found.names("emptied"), Names{"demand"});
  EXPECT_TRUE(found.says("spot nodes of m5.xlarge count 30 %"));
  EXPECT_EQ(ask(items, {"consolidate", "-price", "m5.xlarge=.1", "-price", "m5.xlarge/spot=.4"}).names("emptied"),
            Names{"spot"});
}

TEST(K8sMoney, ANodeIsReplacedByACheaperOne) {
  Items items{node("big", "16", "a", "m5.4xlarge"), node("small", "4", "a", "m5.xlarge")};
  items.add(deployed("lone", {"big"}, spec("3"))).add(deployed("full", {"small"}, spec("3500m")));
  const Found found = ask(items, {"consolidate", "-price", "m5.4xlarge=.8", "-price", "m5.xlarge=.2"});
  EXPECT_EQ(found.names("emptied"), Names{"big"});
  EXPECT_NEAR(found.json["saved"].get<double>(), .6, 1e-9);
  EXPECT_EQ(found.nodes("replace"), 1);
  // Without prices, nodes are not replaced.
  EXPECT_EQ(ask(items, {"consolidate"}).nodes("replace"), 0);
}

TEST(K8sMoney, PoolsHaveLimits) {
  Json one = node("n1", "4", "a", "m5.xlarge"), pool = object("NodePool", "general", "");
  one["metadata"]["labels"]["karpenter.sh/nodepool"] = "general";
  pool["spec"]["limits"]["cpu"] = "8";
  Items items{one, pool};
  items.add(deployed("web", {"n1", "", "", ""}, spec("3")));
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.nodes("add"), 1);
  EXPECT_TRUE(found.says("limit of 8 cores"));
}

TEST(K8sMoney, MovesMakeRoom) {
  Items items{node("n1"), node("n2")};
  items.add(deployed("a", {"n1"}, spec("2"))).add(deployed("b", {"n2"}, spec("2"))).add(deployed("large", {""}, spec("4")));
  const Found found = ask(items, {"fit"});
  EXPECT_EQ(found.unplaced(), (Left{{"deployment team/large", 1}}));
  EXPECT_TRUE(found.says("By moving 1 running replica"));
  EXPECT_EQ(found.json["room"]["moves"], 1);
  EXPECT_FALSE(ask(items, {"fit", "-moves", "0"}).says("By moving"));
}

TEST(K8sMoney, PricesHaveToBeKnown) {
  Items items{node("n1", "4", "a", "own.large")};
  EXPECT_ANY_THROW(ask(items, {"consolidate", "-price", "default"}));
  EXPECT_ANY_THROW(ask(items, {"consolidate", "-price", "other=1"}));
  EXPECT_ANY_THROW(ask(items, {"consolidate", "-price", "own.large=x"}));
}

}  // namespace
}  // namespace stowage::k8s
