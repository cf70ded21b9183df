// Amounts are counted as the scheduler counts them: whole milli-cores and bytes.
#include <random>

#include "capi/k8s/read/amounts.h"
#include "tests/k8s/support.h"

namespace stowage::k8s {
namespace {

std::int64_t read(const std::string& text, bool milli) {
  Texts texts;
  Dom dom;
  const std::string json = "\"" + text + "\"";
  scan_value(json, "text", texts, dom);
  return quantity(dom.root(), milli);
}

TEST(K8sAmounts, QuantitiesAreExact) {
  const std::map<std::string, std::int64_t> milli = {{"700m", 700}, {"0.1", 100}, {"1", 1000}, {"1e1", 10000},  {"1.5", 1500},
                                                     {"100u", 1},   {"1n", 1},    {"0", 0},    {"2k", 2000000}, {".5", 500}};
  for (const auto& [text, amount] : milli) EXPECT_EQ(read(text, true), amount) << text;
  const std::map<std::string, std::int64_t> whole = {{"1Ki", 1024},
                                                     {"1.5Gi", 1610612736},
                                                     {"500M", 500000000},
                                                     {"123456789", 123456789},
                                                     {"100m", 1},
                                                     {"16Ti", 17592186044416},
                                                     {"1E3", 1000},
                                                     {"12e6", 12000000},
                                                     {"128974848", 128974848},
                                                     {"1Ei", std::int64_t{1} << 53}};
  for (const auto& [text, amount] : whole) EXPECT_EQ(read(text, false), amount) << text;
  for (const char* bad : {"", "x", "1.2.3", "1Kib", "-1", "1 Gi", "e3", "."}) EXPECT_ANY_THROW(read(bad, false)) << bad;
}

TEST(K8sAmounts, DecimalsFitExactly) {
  const Found found =
      ask(Items{node("n1", "3300m")}.add(deployed("a", {""}, spec("1100m"))).add(deployed("b", {""}, spec("2200m"))), {"fit"});
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.unplaced(), Left{});
  const Found more =
      ask(Items{node("n1", "3300m")}.add(deployed("a", {""}, spec("1101m"))).add(deployed("b", {""}, spec("2200m"))), {"fit"});
  EXPECT_EQ(more.unplaced().size(), 1U);
}

/// Clusters whose nodes are exactly full are not refused.
TEST(K8sAmounts, RandomExactFits) {
  std::mt19937 dice(1);  // NOLINT(cert-msc51-cpp)
  const auto draw = [&](int most) { return 1 + static_cast<int>(dice() % static_cast<unsigned>(most)); };
  for (int turn = 0; turn < 150; ++turn) {
    Items items{};
    int number = 0;
    for (int n = 0; n < draw(4); ++n) {
      std::int64_t cpu = 0, memory = 0;
      const std::string name = "n" + std::to_string(n);
      for (int k = 0; k < draw(6); ++k) {
        const std::int64_t own_cpu = draw(2000),
                           own_memory = turn % 2 == 0 ? std::int64_t{draw(4000)} * 1024 * 1024 : draw(2'000'000'000);
        cpu += own_cpu;
        memory += own_memory;
        Json its = spec(std::to_string(own_cpu) + "m", std::to_string(own_memory));
        its["nodeSelector"]["kubernetes.io/hostname"] = name;
        items.add(deployment("d" + std::to_string(number++), 1, its));
      }
      Json one = node(name, std::to_string(cpu) + "m");
      one["status"]["allocatable"]["memory"] = std::to_string(memory);
      items.add(one);
    }
    EXPECT_EQ(ask(items, {"fit"}).unplaced(), Left{}) << items.text();
  }
}

TEST(K8sAmounts, NodesOfOneKindHaveTheirOwnCapacity) {
  Json less = node("n2", "3970m", "", "m5.xlarge");
  const Items items = Items{node("n1", "4", "", "m5.xlarge"), less}.add(deployed("web", {"n1", "n1", "n1", "n1"}, spec("1")));
  const Found found = ask(items, {"nodes"});
  EXPECT_EQ(found.json["broken"], 0);
  EXPECT_EQ(found.json["table"][0]["class"], found.json["table"][1]["class"]);
  EXPECT_EQ(found.json["table"][1]["capacity"]["cpu"], 3.97);
  // What fits on the larger one only.
  const Found waits = ask(Items{node("n1", "4", "", "m5.xlarge"), less}.add(deployed("big", {"", ""}, spec("3980m"))), {"fit"});
  EXPECT_EQ(waits.unplaced(), (Left{{"deployment team/big", 1}}));
}

TEST(K8sAmounts, BytesArePrintedAsSizes) {
  Json one = node("n1");
  one["status"]["allocatable"]["hugepages-2Mi"] = "256Mi";
  Json its = spec("1");
  its["containers"][0]["resources"]["limits"] = {{"hugepages-2Mi", "768Mi"}};
  const Found found = ask(Items{one}.add(deployed("dpdk", {""}, its)), {"fit"});
  EXPECT_TRUE(found.says("512 MiB of hugepages-2Mi")) << found.text;
}

}  // namespace
}  // namespace stowage::k8s
