#include "core/base/graph_matching.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

void join(Graph& graph, std::uint32_t a, std::uint32_t b) {
  graph[a].push_back(b);
  graph[b].push_back(a);
}

// Most pairs among the vertices of the set, by trying all.
std::uint64_t most_pairs(const Graph& graph, std::uint32_t free) {
  if (free == 0) return 0;
  std::uint32_t v = 0;
  while ((free >> v & 1u) == 0) ++v;
  const std::uint32_t rest = free & ~(1u << v);
  std::uint64_t best = most_pairs(graph, rest);
  for (const std::uint32_t w : graph[v]) {
    if ((rest >> w & 1u) != 0) best = std::max(best, 1 + most_pairs(graph, rest & ~(1u << w)));
  }
  return best;
}

TEST(GraphMatchingTest, OddCyclesWithTails) {
  // Two triangles, joined by an edge: the three pairs need it.
  Graph graph(6);
  join(graph, 0, 1);
  join(graph, 1, 2);
  join(graph, 2, 0);
  join(graph, 2, 3);
  join(graph, 3, 4);
  join(graph, 4, 5);
  join(graph, 5, 3);
  EXPECT_EQ(largest_matching(graph, 1000).pairs, 3u);
}

TEST(GraphMatchingTest, VerticesThatStayFreeAreSearchedOnce) {
  Graph graph(420);
  for (std::uint32_t a = 0; a < 20; ++a) {
    for (std::uint32_t b = 20; b < 420; ++b) join(graph, a, b);
  }
  // A search from each of the 380 free vertices would take 3 million steps.
  const GraphMatching matching = largest_matching(graph, 50'000);
  EXPECT_EQ(matching.pairs, 20u);
  EXPECT_EQ(matching.most, 20u);
}

TEST(GraphMatchingTest, AllGraphsOfRandomDensity) {
  test::Random random(7);
  for (std::uint64_t k = 0; k < test::cases(600); ++k) {
    const std::uint32_t size = random.between(1, 11);
    const double density = random.share();
    Graph graph(size);
    for (std::uint32_t a = 0; a < size; ++a) {
      for (std::uint32_t b = a + 1; b < size; ++b) {
        if (random.chance(density)) join(graph, a, b);
      }
    }
    const GraphMatching matching = largest_matching(graph, 100'000);
    EXPECT_EQ(matching.pairs, most_pairs(graph, (1u << size) - 1)) << "case " << k;
    EXPECT_EQ(matching.most, matching.pairs) << "case " << k;
    const GraphMatching cut = largest_matching(graph, random.below(20));
    EXPECT_LE(cut.pairs, matching.pairs) << "case " << k;
    EXPECT_GE(cut.most, matching.pairs) << "case " << k;
  }
}

}  // namespace
}  // namespace stowage
