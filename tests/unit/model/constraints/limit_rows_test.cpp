#include "core/model/constraints/limit_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/support/random.h"

namespace stowage {
namespace {

struct Arc {
  AppId from;
  AppId to;
  std::uint32_t at_most;
};

// Columns as on the wire, with the arcs of a row in the order given.
class Columns {
 public:
  Columns(std::uint32_t apps, const std::vector<Arc>& arcs) : begin(std::size_t{apps} + 1, 0) {
    std::vector<Arc> by_row(arcs);
    std::stable_sort(by_row.begin(), by_row.end(), [](const Arc& a, const Arc& b) { return a.from < b.from; });
    for (const Arc& arc : by_row) {
      ++begin[arc.from + 1];
      app.push_back(arc.to);
      at_most.push_back(arc.at_most);
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
  }
  [[nodiscard]] LimitColumns view() const { return {begin, app, at_most}; }

  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> app;
  std::vector<std::uint32_t> at_most;
};

LimitRows build(std::uint32_t apps, const std::vector<Arc>& arcs) {
  const Columns columns(apps, arcs);
  auto rows = LimitRows::build(columns.view(), apps);
  EXPECT_TRUE(rows.ok()) << (rows.ok() ? "" : rows.error().message);
  return std::move(rows.value());
}

void expect_refused(const LimitColumns& columns, std::uint32_t apps, Code code, const std::string& path) {
  const auto rows = LimitRows::build(columns, apps);
  ASSERT_FALSE(rows.ok()) << path;
  EXPECT_EQ(rows.error().code, code) << path;
  EXPECT_EQ(rows.error().path, path);
  EXPECT_FALSE(rows.error().message.empty());
}

// All queries of the rows, compared with a map of the arcs.
void expect_same(const LimitRows& rows, std::uint32_t apps, const std::vector<Arc>& arcs) {
  std::map<std::pair<AppId, AppId>, std::uint32_t> limit;
  std::vector<std::set<AppId>> neighbours(apps);
  std::vector<std::uint32_t> self(apps, kNone);
  std::uint64_t selfs = 0;
  for (const Arc& arc : arcs) {
    if (arc.from == arc.to) {
      self[arc.from] = arc.at_most;
      ++selfs;
      continue;
    }
    limit[{arc.from, arc.to}] = arc.at_most;
    neighbours[arc.from].insert(arc.to);
    neighbours[arc.to].insert(arc.from);
  }
  const auto at_most = [&](AppId i, AppId j) {
    const auto found = limit.find({i, j});
    return found == limit.end() ? kNone : found->second;
  };
  ASSERT_EQ(rows.apps(), apps);
  EXPECT_EQ(rows.arc_count(), limit.size());
  std::vector<Arc> ascending;
  for (const Arc& arc : arcs) {
    if (arc.from != arc.to || arc.at_most != kNone) ascending.push_back(arc);
  }
  std::sort(ascending.begin(), ascending.end(),
            [](const Arc& a, const Arc& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  const Columns listed(apps, ascending);
  const LimitLists lists = rows.lists();
  EXPECT_EQ(lists.row_begin, ascending.empty() ? std::vector<std::uint32_t>() : listed.begin);
  EXPECT_EQ(lists.app, listed.app);
  EXPECT_EQ(lists.at_most, listed.at_most);
  EXPECT_EQ(rows.self_limit_count(), selfs);
  for (AppId i = 0; i < apps; ++i) {
    EXPECT_EQ(rows.self_limit(i), self[i]) << i;
    ASSERT_EQ(rows.degree(i), neighbours[i].size()) << i;
    std::uint32_t k = 0;
    for (const AppId j : neighbours[i]) {
      const Neighbour n = rows.neighbour(i, k++);
      EXPECT_EQ(n.app, j);
      EXPECT_EQ(n.imposes, at_most(i, j)) << i << " " << j;
      EXPECT_EQ(n.obeys, at_most(j, i)) << i << " " << j;
    }
    for (AppId j = 0; j < apps; ++j) {
      const std::uint32_t codes = rows.find(i, j);
      ASSERT_EQ(codes != 0, neighbours[i].count(j) > 0) << i << " " << j;
      EXPECT_EQ(rows.imposes(codes), i == j ? kNone : at_most(i, j)) << i << " " << j;
      EXPECT_EQ(rows.obeys(codes), i == j ? kNone : at_most(j, i)) << i << " " << j;
    }
  }
}

TEST(LimitRowsTest, WithoutLimits) {
  const LimitRows rows = build(3, {});
  EXPECT_EQ(rows.degree(2), 0);
  EXPECT_EQ(rows.find(0, 1), 0);
  EXPECT_EQ(rows.self_limit(0), kNone);
  EXPECT_EQ(rows.arc_count(), 0);
  // Absent columns have the same meaning.
  auto absent = LimitRows::build({}, 3);
  ASSERT_TRUE(absent.ok());
  EXPECT_EQ(absent->apps(), 3);
  EXPECT_EQ(absent->find(0, 1), 0);
}

TEST(LimitRowsTest, BothDirectionsOfAPairAreOneEntry) {
  // Beside app 0 at most 2 of app 1; beside app 1 at most 5 of app 0; beside app 2 none of app 0.
  const std::vector<Arc> arcs = {{0, 1, 2}, {1, 0, 5}, {2, 0, 0}};
  const LimitRows rows = build(3, arcs);
  EXPECT_EQ(rows.degree(0), 2);
  EXPECT_EQ(rows.imposes(rows.find(0, 1)), 2);
  EXPECT_EQ(rows.obeys(rows.find(0, 1)), 5);
  EXPECT_EQ(rows.imposes(rows.find(0, 2)), kNone);
  EXPECT_EQ(rows.obeys(rows.find(0, 2)), 0) << "a limit of 0 is a limit";
  EXPECT_EQ(rows.imposes(rows.find(2, 0)), 0);
  expect_same(rows, 3, arcs);
}

TEST(LimitRowsTest, SelfLimitsLiveApart) {
  const std::vector<Arc> arcs = {{0, 0, 3}, {0, 1, 2}, {1, 1, 1}, {1, 2, 2}, {2, 2, 7}};
  const LimitRows rows = build(4, arcs);
  EXPECT_EQ(rows.self_limit(0), 3);
  EXPECT_EQ(rows.self_limit(3), kNone);
  EXPECT_EQ(rows.find(0, 0), 0);
  expect_same(rows, 4, arcs);
}

TEST(LimitRowsTest, UnsortedRowsGiveTheSameAsSortedOnes) {
  const std::vector<Arc> sorted = {{0, 0, 9}, {0, 1, 4}, {0, 3, 1}, {2, 0, 8}, {2, 1, 0}, {2, 2, 1}, {2, 3, 2}, {3, 0, 6}};
  const std::vector<Arc> shuffled = {{0, 3, 1}, {0, 0, 9}, {0, 1, 4}, {2, 3, 2}, {2, 1, 0}, {2, 2, 1}, {2, 0, 8}, {3, 0, 6}};
  expect_same(build(4, sorted), 4, sorted);
  expect_same(build(4, shuffled), 4, sorted);
}

TEST(LimitRowsTest, RandomGraphsInBothWordWidths) {
  test::Random random(1);
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t apps = 1 + random.below(60);
    const bool many_values = round % 2 == 1;
    const bool sorted = round % 4 < 2;
    std::vector<Arc> arcs;
    for (AppId i = 0; i < apps; ++i) {
      std::set<AppId> row;
      for (std::uint32_t k = random.below(apps + 1); k > 0; --k) row.insert(random.below(apps));
      std::vector<AppId> order(row.begin(), row.end());
      for (std::size_t k = order.size(); !sorted && k > 1; --k)
        std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
      for (const AppId j : order) arcs.push_back({i, j, many_values ? random.below(1u << 30) : random.below(4)});
    }
    SCOPED_TRACE(round);
    expect_same(build(apps, arcs), apps, arcs);
  }
}

// The search in a long row starts at the interpolated position.
TEST(LimitRowsTest, LongRowsWhoseIdsCrowd) {
  test::Random random(2);
  for (int round = 0; round < 12; ++round) {
    const std::uint32_t apps = 700;
    const std::uint32_t crowd = 60 + random.below(300);
    const std::uint32_t first = round % 3 == 0 ? 0 : round % 3 == 1 ? apps - crowd : random.below(apps - crowd);
    std::vector<Arc> arcs;
    for (const AppId i : {AppId{0}, AppId{350}, apps - 1}) {
      std::set<AppId> row;
      for (AppId j = first; j < first + crowd; ++j) row.insert(j);
      for (std::uint32_t k = random.below(80); k > 0; --k) row.insert(random.below(apps));
      for (const AppId j : row) arcs.push_back({i, j, random.below(round % 2 == 0 ? 4 : 1u << 30)});
    }
    SCOPED_TRACE(round);
    expect_same(build(apps, arcs), apps, arcs);
  }
}

TEST(LimitRowsTest, WordsGrowWhereIdsAndCodesDoNotFit) {
  // 200 distinct values take 8 bits of code. 65535 apps take 16 bits of id: 16 + 2 x 8 = 32. One more app needs one bit too
  // many.
  for (const std::uint32_t apps : {65535u, 65536u}) {
    std::vector<Arc> arcs;
    for (std::uint32_t k = 0; k < 200; ++k) arcs.push_back({apps - 1 - k, k, k});
    const LimitRows rows = build(apps, arcs);
    EXPECT_EQ(rows.code_bits(), 8);
    EXPECT_EQ(rows.wide(), apps == 65536);
    for (std::uint32_t k = 0; k < 200; ++k) {
      ASSERT_EQ(rows.degree(apps - 1 - k), 1);
      ASSERT_EQ(rows.neighbour(apps - 1 - k, 0).app, k);
      ASSERT_EQ(rows.imposes(rows.find(apps - 1 - k, k)), k);
      ASSERT_EQ(rows.obeys(rows.find(k, apps - 1 - k)), k);
      ASSERT_EQ(rows.find(k, apps - 2 - k), 0);
    }
  }
}

TEST(LimitRowsTest, LargeValues) {
  const std::vector<Arc> arcs = {{0, 1, 65535}, {1, 0, 65536}, {0, 2, 0xFFFFFFFEu}, {2, 0, 100'000}, {1, 1, 65537}};
  expect_same(build(3, arcs), 3, arcs);
}

TEST(LimitRowsTest, AsManyDistinctValuesAsFifteenBitsCodeButNoMore) {
  const auto star = [](std::uint32_t values) {
    std::vector<Arc> arcs;
    for (std::uint32_t k = 0; k < values; ++k) arcs.push_back({0, k + 1, 3 * k});
    return arcs;
  };
  const LimitRows rows = build(32768, star(32767));
  EXPECT_TRUE(rows.wide());
  EXPECT_EQ(rows.imposes(rows.find(0, 32767)), 3 * 32766);
  EXPECT_EQ(rows.obeys(rows.find(32767, 0)), 3 * 32766);
  EXPECT_EQ(rows.degree(0), 32767);
  const Columns columns(32769, star(32768));
  expect_refused(columns.view(), 32769, Code::kLimitExceeded, "limits.at_most");
  // Many more are refused as early, so that they are not sorted repeatedly.
  const Columns many(400'001, star(400'000));
  expect_refused(many.view(), 400'001, Code::kLimitExceeded, "limits.at_most");
}

TEST(LimitRowsTest, ManyRowsOfUnequalLength) {
  // Enough for several blocks of the transposition and many merges; rows from empty to full, with and without reverse arcs.
  const std::uint32_t apps = 1800;
  std::vector<Arc> arcs;
  std::vector<std::uint64_t> degrees(apps, 0);
  const auto limits = [](AppId i, AppId j) { return i % 7 != 0 && (i * 31 + j * 17) % 1800 < i && (i + j) % 5 != 0; };
  for (AppId i = 0; i < apps; ++i) {
    for (AppId j = 0; j < apps; ++j) {
      if (limits(i, j)) arcs.push_back({i, j, (i + 3 * j) % 11});
      degrees[i] += i != j && (limits(i, j) || limits(j, i)) ? 1 : 0;
    }
  }
  ASSERT_GT(arcs.size(), std::size_t{1} << 20);
  const LimitRows rows = build(apps, arcs);
  for (AppId i = 0; i < apps; ++i) {
    ASSERT_EQ(rows.degree(i), degrees[i]) << i;
    AppId before = 0;
    for (std::uint32_t k = 0; k < rows.degree(i); ++k) {
      const Neighbour to = rows.neighbour(i, k);
      ASSERT_TRUE(k == 0 || before < to.app);
      before = to.app;
      ASSERT_EQ(to.imposes, limits(i, to.app) ? (i + 3 * to.app) % 11 : kNone) << i << " " << to.app;
      ASSERT_EQ(to.obeys, limits(to.app, i) ? (to.app + 3 * i) % 11 : kNone) << i << " " << to.app;
    }
  }
}

// A self limit of "no limit" is an ordinary entry: the row continues after it.
TEST(LimitRowsTest, AnEndlessSelfLimitAmongSortedEntries) {
  const Columns columns(3, {{1, 0, 4}, {1, 1, kNone}, {1, 2, 5}});
  const auto rows = LimitRows::build(columns.view(), 3);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows.value().degree(1), 2u);
  EXPECT_EQ(rows.value().self_limit(1), kNone);
  EXPECT_EQ(rows.value().imposes(rows.value().find(1, 0)), 4u);
  EXPECT_EQ(rows.value().imposes(rows.value().find(1, 2)), 5u);
  EXPECT_EQ(rows.value().degree(0), 1u);
}

TEST(LimitRowsTest, AnAppTwiceInARowIsRefused) {
  const Columns sorted(3, {{0, 1, 2}, {1, 0, 1}, {1, 0, 1}});
  expect_refused(sorted.view(), 3, Code::kInvalid, "limits.app[2]");
  const Columns unsorted(4, {{0, 3, 2}, {0, 1, 1}, {0, 2, 1}, {0, 1, 5}});
  expect_refused(unsorted.view(), 4, Code::kInvalid, "limits.app[3]");
  const Columns self(3, {{0, 1, 2}, {1, 1, 1}, {1, 2, 1}, {1, 1, 4}});
  expect_refused(self.view(), 3, Code::kInvalid, "limits.app[3]");
  const Columns endless_self(2, {{0, 0, kNone}, {0, 0, kNone}});
  expect_refused(endless_self.view(), 2, Code::kInvalid, "limits.app[1]");
}

TEST(LimitRowsTest, ColumnsThatDoNotAddUpAreRefused) {
  using Values = std::vector<std::uint32_t>;
  const Values none;
  const auto refused = [&](const Values& begin, const Values& app, const Values& at_most, const std::string& path) {
    expect_refused({begin, app, at_most}, 2, Code::kInvalid, path);
  };
  refused({0, 1}, {1}, {1}, "limits.row_begin");
  refused({0, 1, 1, 1}, {1}, {1}, "limits.row_begin");
  refused(none, {1}, {1}, "limits.row_begin");
  refused({0, 1, 1}, {1}, none, "limits.at_most");
  refused({1, 1, 1}, {1}, {1}, "limits.row_begin[0]");
  refused({0, 1, 0}, {1}, {1}, "limits.row_begin[2]");
  refused({0, 2, 1}, {1}, {1}, "limits.row_begin[1]");
  refused({0, 0, 0}, {1}, {1}, "limits.row_begin[2]");
  refused({0, 1, 1}, {2}, {1}, "limits.app[0]");
}

}  // namespace
}  // namespace stowage
