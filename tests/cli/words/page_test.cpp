// The page and the picture of a plan: everything is there, nothing comes from elsewhere, names do no harm, and size has an end.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

class Page : public ::testing::Test {
 protected:
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++times;
    return times;
  }

  /// What a cluster's plan is as a file of this name.
  std::string drawn(const std::string& cluster, const std::string& name, const std::vector<std::string>& more = {}) {
    const std::string file = folder_.write("cluster.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, )" + cluster + "}");
    std::vector<std::string> arguments = {"plan", file, "--work", "1000000", "-o", folder_.file(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.code, 1) << outcome.err;
    return content(folder_.file(name));
  }

  TemporaryFolder folder_;
};

constexpr const char* kShop = R"("classes": [{"name": "small", "capacity": {"cpu": 4}, "price": 1},
    {"name": "large", "capacity": {"cpu": 8}, "price": 1.5}],
  "apps": [{"name": "web", "replicas": 5, "demand": {"cpu": 4}}])";

TEST_F(Page, HasTheAnswerThePictureAndTheTables) {
  const std::string page = drawn(kShop, "plan.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
  EXPECT_TRUE(has(page, "<title>Buy 1 small and 2 large: 3 nodes, cost 4</title>"));
  EXPECT_TRUE(has(page, "<p class=\"of\">Planned from cluster.json for the least cost.</p>\n<h1>Buy 1 small and 2 large"));
  EXPECT_TRUE(has(page, "<h1>Buy 1 small and 2 large: 3 nodes, cost 4.</h1>\n<p>Proven: no plan costs less.</p>"));
  const std::string by_goals = drawn(kShop, "plan.html", {"--goal", "cost,moves*0.5~1%", "--goal", "balance:cpu"});
  EXPECT_TRUE(has(by_goals, "Planned from cluster.json for the goals cost~1% + moves*0.5 and balance:cpu.</p>")) << by_goals;
  EXPECT_TRUE(has(page, "<p>Checked independently: no constraint is broken.</p>"));
  EXPECT_TRUE(has(page, "<svg xmlns="));
  EXPECT_TRUE(has(page, "<h2>Nodes by class</h2>"));
  EXPECT_TRUE(has(page, "<tr><td>2 x large</td><td class=\"right\">100 %</td><td>2 web</td></tr>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST_F(Page, NeedsNothingFromElsewhere) {
  const std::string page = drawn(kShop, "plan.html");
  EXPECT_EQ(count(page, "http"), 1u) << "the namespace of SVG alone";
  for (const char* part : {"<script", "<link", "<img", "src=", "@import", "url("}) EXPECT_FALSE(has(page, part)) << part;
}

TEST_F(Page, NamesAreText) {
  const std::string cluster = R"x("name": "<b>&\"", "classes": [{"name": "</style>", "capacity": {"cpu": 4}}],
    "nodes": [{"name": "\u0001<i>", "class": "</style>", "load": {"cpu": 1}}],
    "apps": [{"name": "<script>alert(1)</script>", "replicas": 3, "demand": {"cpu": 1}}])x";
  for (const char* name : {"plan.html", "plan.svg"}) {
    const std::string text = drawn(cluster, name);
    EXPECT_TRUE(has(text, "&lt;script&gt;alert(1)&lt;/script&gt;")) << name;
    for (const char* part : {"<script", "<b>", "<i>", "\u0001"}) EXPECT_FALSE(has(text, part)) << name << " " << part;
    EXPECT_EQ(count(text, "</style>"), 1u) << name;
  }
}

// Columns: 4 of 8 cores each; the node that is not in use is a column, too.
TEST_F(Page, APictureShowsWhatTakesEachNode) {
  const std::string picture = drawn(R"("classes": [{"name": "host", "capacity": {"cpu": 8}, "count": 3}],
    "apps": [{"name": "a", "replicas": 1, "demand": {"cpu": 4}, "max_per_node": 1}, {"name": "b", "replicas": 0, "demand": {"cpu": 1}}],
    "nodes": [{"name": "n1", "class": "host", "load": {"cpu": 2}}, {"name": "n2", "class": "host"}])",
                                    "plan.svg");
  EXPECT_TRUE(has(picture, "<title>Use n1</title>")) << picture;
  EXPECT_TRUE(has(picture, "<text x=\"0\" y=\"25\">cpu: 75 % taken</text>")) << picture;
  // Of 96 units, load takes 24 and the app 48, above it.
  EXPECT_TRUE(has(picture, "<path class=\"load\" d=\"M0 104h159v24h-159z\"/>")) << picture;
  EXPECT_TRUE(has(picture, "<path class=\"app0\" d=\"M0 56h159v48h-159z\"/>")) << picture;
  EXPECT_TRUE(has(picture, "<path class=\"idle\" d=\"M160 32h159v96h-159z\"/>")) << picture;
  EXPECT_TRUE(has(picture, "<title>n1: a</title>"));
  EXPECT_TRUE(has(picture, "<title>not in use</title>"));
  EXPECT_TRUE(has(picture, ">not in use</text>"));
}

TEST_F(Page, ManyNodesShareColumns) {
  const std::string many = R"("classes": [{"name": "host", "capacity": {"cpu": 8}}],
    "apps": [{"name": "a", "replicas": 100000, "demand": {"cpu": 3}}, {"name": "b", "replicas": 50000, "demand": {"cpu": 2}}])";
  const std::string page = drawn(many, "plan.html", {"--planner", "ff"});
  EXPECT_LT(page.size(), 200'000u);
  EXPECT_TRUE(has(page, ">50,000 host</text>")) << page.substr(0, 3000);
  const std::string different =
      R"("classes": [{"name": "host", "capacity": {"cpu": 8}, "count": 2000}], "apps": [{"name": "a", "replicas": 0,
    "demand": {"cpu": 1}}], "nodes": [)";
  std::string nodes;
  for (int n = 0; n < 2'000; ++n) {
    nodes += std::string(n > 0 ? "," : "") + R"({"class": "host", "load": {"cpu": )" + std::to_string(1 + n % 7) + "}}";
  }
  const std::string picture = drawn(different + nodes + "]", "plan.svg");
  EXPECT_LT(picture.size(), 200'000u);
  EXPECT_LE(count(picture, "<title>"), 242u) << "a column is at least 4 units wide";
}

TEST_F(Page, WithoutNodesThereIsNoPicture) {
  const std::string none = R"("classes": [{"capacity": {"cpu": 8}}], "apps": [{"replicas": 0, "demand": {"cpu": 4}}])";
  const std::string page = drawn(none, "plan.html");
  EXPECT_TRUE(has(page, "<h1>No node is needed.</h1>"));
  EXPECT_FALSE(has(page, "<svg"));
  EXPECT_FALSE(has(page, "<table"));
}

TEST_F(Page, ConvertMakesOneOfAPlan) {
  const std::string page = drawn(kShop, "plan.html");
  drawn(kShop, "plan.stow");
  const Outcome outcome =
      run({"convert", folder_.file("plan.stow"), folder_.file("again.html"), "--instance", folder_.file("cluster.json")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(content(folder_.file("again.html")), page);
}

}  // namespace
}  // namespace stowage::cli::testing
