// `stowage learn interference`: from a CSV to a report and into an instance; everything it refuses.
#include <nlohmann/json.hpp>

#include <cmath>

#include "capi/cli/learn/interference/interference_fit.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

/// Two kinds: cost = load_web + 0.5 load_db of a web, 2 load_web + load_db of a db.
constexpr const char* kTwoKinds = R"(kind,cost,load_web,load_db
web,1,1,0
web,3,2,2
web,3,1,4
db,4,1,2
db,3,0,3
db,9,4,1
)";

class Learn : public ::testing::Test {
 protected:
  [[nodiscard]] Json learned(const std::string& csv, const std::vector<std::string>& more = {}) const {
    const Outcome outcome = run(joined({"learn", "interference", folder_.write("seen.csv", csv), "--summary", "json"}, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }

  [[nodiscard]] std::string refused(const std::string& csv, const std::vector<std::string>& more = {}) const {
    const Outcome outcome = run(joined({"learn", "interference", folder_.write("seen.csv", csv)}, more));
    EXPECT_EQ(outcome.code, 1) << csv;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  /// Two apps of the kinds db and web, in this order.
  [[nodiscard]] std::string instance(const std::string& name, const std::string& interference) const {
    return folder_.write(name,
                         R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "n", "capacity": {"cpu": 8}}],
      "apps": [{"name": "a", "replicas": 2, "demand": {"cpu": 1}, "kind": 0}, {"name": "b", "replicas": 2, "demand": {"cpu": 1},
      "kind": 1}], "interference": )" +
                             interference + "}");
  }

  TemporaryFolder folder_;
};

TEST_F(Learn, TheReportAsJson) {
  const Json report = learned(kTwoKinds);
  EXPECT_EQ(report["kinds"], (Json{"web", "db"}));
  EXPECT_EQ(report["observations"], 6);
  EXPECT_EQ(report["errors"], "relative");
  EXPECT_EQ(report["baseline"], false);
  EXPECT_EQ(report["max_condition"], 30);
  EXPECT_EQ(report["interval"], "student-95");
  const double expected[2][2] = {{1, 0.5}, {2, 1}};
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t u = 0; u < 2; ++u) {
      const double value = report["coefficient"][t][u];
      EXPECT_NEAR(value, expected[t][u], 1e-9);
      EXPECT_LE(report["low"][t][u], value);
      EXPECT_GE(report["high"][t][u], value);
    }
    EXPECT_EQ(report["fits"][t]["kind"], report["kinds"][t]);
    EXPECT_EQ(report["fits"][t]["observations"], 3);
    EXPECT_NEAR(report["fits"][t]["residual"], 0, 1e-9);
    EXPECT_GE(report["fits"][t]["condition"], 1);
    EXPECT_FALSE(report["fits"][t].contains("baseline"));
  }
  EXPECT_EQ(report["warnings"], Json::array());
  EXPECT_EQ(report["ignored"], Json::array());
}

TEST_F(Learn, ColumnsInAnyOrderWeightsAndOthers) {
  const Json report = learned(
      "\xEF\xBB\xBFnode,load_db,weight,cost,kind,load_web\r\nn1,0,2,1,web,1\r\nn1,2,1,3,web,2\r\nn1,4,1,3,web,1\r\n"
      "n2,2,1,4,db,1\r\nn2,3,1,3,db,0\r\nn2,1,1,9,db,4\r\n");
  EXPECT_EQ(report["kinds"], (Json{"db", "web"}));
  EXPECT_NEAR(report["coefficient"][1][0], 0.5, 1e-9);
  EXPECT_NEAR(report["coefficient"][0][1], 2, 1e-9);
  EXPECT_EQ(report["ignored"], (Json{"node"}));
}

TEST_F(Learn, TextForPeople) {
  const Outcome outcome = run({"learn", "interference", folder_.write("seen.csv", kTwoKinds)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"6 observations of 2 kinds", "condition", "What a load of 1 costs", "95 % interval", "0.5"}) {
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  }
  EXPECT_FALSE(has(outcome.out, "Warning"));
}

TEST_F(Learn, WarnsOfWhatMakesCoefficientsUnsure) {
  const std::string alike = "kind,cost,load_a,load_b\na,2,1,1\na,2.2,1.1,1.1\na,2,1,0.8\nb,2,1,1\nb,3,2,1\n";
  const Json report = learned(alike);
  std::vector<std::string> codes;
  for (const Json& warning : report["warnings"]) codes.push_back(warning["code"]);
  EXPECT_EQ(codes, (std::vector<std::string>{"condition", "no-freedom"}));
  EXPECT_TRUE(has(report["warnings"][0]["text"], "loads of a and b are most alike")) << report;
  EXPECT_GT(report["fits"][0]["condition"], 10);
  EXPECT_TRUE(report["high"][1][0].is_null());
  const Json foreign = learned(std::string(kTwoKinds) + "web,2,0,4\n");
  EXPECT_EQ(foreign["warnings"][0]["code"], "own-load");
  const Outcome text = run({"learn", "interference", folder_.write("alike.csv", alike)});
  EXPECT_TRUE(has(text.out, "Warning:")) << text.out;
  EXPECT_TRUE(has(text.out, "unknown")) << text.out;
}

TEST_F(Learn, KindsWhoseLoadsGoTogetherAreRefusedByName) {
  std::string csv = "kind,cost,load_web,load_db,load_log\n";
  for (int i = 0; i < 30; ++i) {
    const double web = 1 + i % 5;
    const double db = 1 + i % 7;
    for (const char* kind : {"web", "db", "log"}) {
      csv += kind + ("," + std::to_string(web + db)) + "," + std::to_string(web) + "," + std::to_string(db) + "," +
             std::to_string(0.2 * db) + "\n";
    }
  }
  const std::string message = refused(csv);
  EXPECT_TRUE(has(message, "cannot tell these two kinds apart: db, log (observations of web, db and log: condition infinite"))
      << message;
  EXPECT_TRUE(has(refused(csv, {"--max-condition", "1000000"}), "db, log"));

  std::string constant = "kind,cost,load_web\n";
  for (int i = 0; i < 9; ++i) constant += "web," + std::to_string(i + 1) + ",2\n";
  EXPECT_TRUE(has(refused(constant, {"--baseline"}), "cannot tell the baseline from web"));
  EXPECT_EQ(learned(constant)["kinds"], Json{"web"});
}

TEST_F(Learn, TheStrictestConditionIsAnOption) {
  EXPECT_TRUE(has(refused(kTwoKinds, {"--max-condition", "1.01"}), "cannot tell these two kinds apart: web, db"));
  EXPECT_TRUE(has(refused(kTwoKinds, {"--max-condition", "0.5"}), "--max-condition"));
}

TEST_F(Learn, BaselineAndAbsoluteErrors) {
  std::string csv = "kind,cost,load_a\n";
  for (int i = 0; i < 6; ++i) csv += "a," + std::to_string(3 + 2 * i) + "," + std::to_string(i) + "\n";
  for (const char* errors : {"relative", "absolute"}) {
    const Json report = learned(csv, {"--baseline", "--errors", errors});
    EXPECT_EQ(report["errors"], errors);
    EXPECT_NEAR(report["fits"][0]["baseline"], 3, 1e-6);
    EXPECT_LE(report["fits"][0]["baseline_low"], report["fits"][0]["baseline"]);
    EXPECT_GE(report["fits"][0]["baseline_high"], report["fits"][0]["baseline"]);
    EXPECT_NEAR(report["coefficient"][0][0], 2, 1e-6);
  }
  EXPECT_TRUE(has(run({"learn", "interference", folder_.file("seen.csv"), "--baseline"}).out, "(baseline)"));
  EXPECT_TRUE(has(refused(csv), ":2: has no load that could explain its cost"));
  EXPECT_TRUE(has(refused(csv, {"--errors", "square"}), "neither relative nor absolute"));
  const std::string zero = "kind,cost,load_a\na,1,1\na,0,2\n";
  EXPECT_TRUE(has(refused(zero), ":3: cost: must be above 0"));
  EXPECT_EQ(learned(zero, {"--errors", "absolute"})["observations"], 2);
}

TEST_F(Learn, BadTablesAreRefusedWithTheirLine) {
  const std::string row = "a,1,1,1\n";
  const std::string header = "kind,cost,load_a,load_b\n";
  for (const auto& [csv, expected] : std::vector<std::pair<std::string, const char*>>{
           {"", "seen.csv: is empty"},
           {header, "seen.csv: holds no observation"},
           {"cost,load_a\n1,1\n", ":1: there is no column \"kind\""},
           {"kind,load_a\na,1\n", ":1: there is no column \"cost\""},
           {"kind,cost\na,1\n", ":1: there is no column with a load"},
           {"kind,cost,load_\na,1,1\n", ":1: there is no column with a load"},
           {"kind,cost,load_a,load_a\n" + row, ":1: the column \"load_a\" stands twice"},
           {"kind,cost,load_a,weigth\n" + row, ":1: there is no column \"weigth\" (did you mean \"weight\"?)"},
           {header + "a,1,1\n", ":2: has a different number of fields"},
           {header + row + "\n\nc,1,1,1\n", ":5: kind: there is no column load_c"},
           {header + "a,1,nan,1\n", ":2: load_a: \"nan\" is not a number"},
           {header + "a,1,1,inf\n", ":2: load_b: \"inf\" is not a number"},
           {header + "a,1,1,\n", ":2: load_b: \"\" is not a number"},
           {header + row + "a,1,-2,1\n", ":3: load_a: must not be negative"},
           {header + "a,-1,1,1\n", ":2: cost: must not be negative"},
           {header + "a,nan,1,1\n", ":2: cost: \"nan\" is not a number"},
           {header + "a,0,1,1\n", ":2: cost: must be above 0"},
           {header + "a,1,1e300,1\n", ":2: load_a: 1e300 is out of range"},
           {header + "a,1e-300,1,1\n", ":2: cost: 1e-300 is out of range"},
           {header + "a,1,0,0\n", ":2: has no load"},
           {header + "\"a,1,1,1\n", ":2: a quoted field has no end"},
           {"kind,cost,load_a,weight\na,1,1,0\n", ":2: weight: must be above 0"},
           {header + row + row + row, "kind b has a load, but no row observes it"},
           {header + row + "b,1,1,2\nb,1,3,1\n", "1 observation of kind a, but 2 values to fit"},
           {header + "a,1,1,0\na,1,2,0\nb,1,1,2\nb,1,3,1\n", "no observation of kind a has a load of b"}}) {
    const std::string message = refused(csv);
    EXPECT_TRUE(has(message, expected)) << expected << "\n" << message;
    EXPECT_TRUE(has(message, "seen.csv")) << message;
  }
  std::string many = "kind,cost";
  for (std::size_t k = 0; k <= learn::kMostKinds; ++k) many += ",load_" + std::to_string(k);
  EXPECT_TRUE(has(refused(many + "\n"), "more than 64 kinds"));
  EXPECT_EQ(run({"learn", "interference", folder_.file("nowhere.csv")}).code, 1);
  EXPECT_EQ(run({"learn"}).code, 1);
}

TEST_F(Learn, ManyReasonsAreCut) {
  std::string csv = "kind,cost";
  for (int k = 0; k < 40; ++k) csv += ",load_" + std::to_string(k);
  csv += "\n0,1" + [] {
    std::string ones;
    for (int k = 0; k < 40; ++k) ones += ",1";
    return ones;
  }() + "\n";
  EXPECT_TRUE(has(refused(csv), "\nand 20 more"));
}

TEST_F(Learn, CoefficientsGoIntoAnInstanceByName) {
  const std::string csv = folder_.write("seen.csv", kTwoKinds);
  const std::string json =
      instance("cluster.json", R"({"kinds": ["db", "web"], "coefficient": [[0, 0], [0, 0]], "max_cost": {"web": 9}})");
  const std::string before = content(json);
  const std::string other = folder_.file("learned.stow");
  ASSERT_EQ(run({"learn", "interference", csv, "--into", json, "-o", other}).code, 0);
  EXPECT_EQ(content(json), before);
  ASSERT_EQ(run({"learn", "interference", csv, "--into", json}).code, 0);
  const std::string back = folder_.file("back.json");
  ASSERT_EQ(run({"convert", other, back}).code, 0);
  EXPECT_EQ(content(back), content(json));
  const Json written = Json::parse(content(json));
  EXPECT_EQ(written["apps"][0]["kind"], "db");
  EXPECT_EQ(written["apps"][1]["kind"], "web");
  EXPECT_EQ(written["interference"]["kinds"], (Json{"db", "web"}));
  EXPECT_EQ(written["interference"]["max_cost"], (Json{{"web", 9}}));
  const double expected[2][2] = {{1, 2}, {0.5, 1}};
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t u = 0; u < 2; ++u) EXPECT_NEAR(written["interference"]["coefficient"][t][u], expected[t][u], 1e-9);
  }
  // Replicas of one kind side by side cost 1 + 1 each. A db beside a web would cost 1 + 2.
  const Outcome plan = run({"plan", json, "--objective", "worst", "--nodes", "2", "--summary", "json"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_NEAR(Json::parse(plan.out).value("max_cost", 0.0), 2, 1e-6) << plan.out;
}

TEST_F(Learn, KindsThatOnlyOneSideHas) {
  const std::string csv = folder_.write("seen.csv", kTwoKinds);
  const std::string unnamed = instance("unnamed.json", R"({"coefficient": [[0, 0], [0, 0]]})");
  ASSERT_EQ(run({"learn", "interference", csv, "--into", unnamed}).code, 0);
  EXPECT_EQ(Json::parse(content(unnamed))["apps"][0]["kind"], "web");

  const std::string other = instance("other.json", R"({"kinds": ["web", "mail"], "coefficient": [[0, 0], [0, 0]]})");
  const std::string before = content(other);
  EXPECT_TRUE(has(run({"learn", "interference", csv, "--into", other}).err, "its kind \"mail\" was not learned"));
  EXPECT_EQ(content(other), before);

  const std::string three = folder_.write(
      "three.csv",
      std::string("kind,cost,load_web,load_db,load_log\nweb,1,1,0,0\nweb,1,1,2,0\nweb,2,1,0,3\ndb,1,1,1,0\ndb,2,0,1,1\n") +
          "db,1,0,1,0\nlog,1,0,0,1\nlog,2,1,0,1\nlog,2,0,1,1\n");
  const std::string two = instance("two.json", R"({"kinds": ["db", "web"], "coefficient": [[0, 0], [0, 0]]})");
  const Outcome outcome = run({"learn", "interference", three, "--into", two});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "has no kind \"log\", which is left out")) << outcome.err;
  EXPECT_TRUE(
      has(run({"learn", "interference", three, "--into", instance("u.json", R"({"coefficient": [[0, 0], [0, 0]]})")}).err,
          "has 2 kinds without names, but 3 were learned"));
}

TEST_F(Learn, InstancesThatCannotTakeCoefficients) {
  const std::string csv = folder_.write("seen.csv", kTwoKinds);
  const std::string plain =
      folder_.write("plain.json", R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity":
    {"cpu": 8}}], "apps": [{"demand": {"cpu": 1}}]})");
  EXPECT_TRUE(has(run({"learn", "interference", csv, "--into", plain}).err, "plain.json: its apps have no kinds"));
  EXPECT_TRUE(has(run({"learn", "interference", csv, "--output", folder_.file("x.json")}).err, "needs --into"));
  EXPECT_TRUE(has(run({"learn", "interference", csv, "--into", "-"}).err, "names a file"));
  EXPECT_EQ(run({"learn", "interference", csv, "--into", plain, "--output", folder_.file("x.doc")}).code, 1);
  EXPECT_EQ(run({"learn", "interference", csv, "--into", folder_.file("nowhere.json")}).code, 1);
}

}  // namespace
}  // namespace stowage::cli::testing
