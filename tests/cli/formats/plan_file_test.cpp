#include "capi/cli/formats/plan_file.h"

#include "capi/text/base/failure.h"
#include "capi/text/formats/names.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

const std::string kInstance = R"({"stowage": 1, "resources": {"cpu": "cores"},
  "classes": [{"name": "big", "capacity": {"cpu": 8}, "price": 2}, {"name": "small", "capacity": {"cpu": 4}, "price": 1}],
  "apps": [{"name": "web, \"one\"", "replicas": 3, "demand": {"cpu": 1}}, {"name": "db", "replicas": 2, "demand": {"cpu": 2}}],
  "nodes": [{"name": "big-1", "class": "small"}, {"name": "old", "class": "big"}]})";

class PlanFile : public ::testing::Test {
 protected:
  [[nodiscard]] const wire::Instance& instance() const { return *wire::GetInstance(bytes_.data()); }

  PlanBytes read(const std::string& name) {
    return read_plan(std::make_unique<InputFile>(folder_.file(name)), instance(), [] { return std::uint64_t{0xABCDEF}; });
  }
  PlanBytes read_text(const std::string& text) {
    folder_.write("text", text);
    return read("text");
  }
  std::string refusal_of(const std::string& text) {
    try {
      read_text(text);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "accepted";
  }

  TemporaryFolder folder_;
  std::vector<std::uint8_t> bytes_ = encoded(kInstance);
};

const std::string kCsv =
    "node,app,replicas\n"
    "small-2,db,1\n"
    "old,\"web, \"\"one\"\"\",2\n"
    "big-2,db,1\n";

TEST_F(PlanFile, CsvSaysWhoSitsWhereAndTheRestFollows) {
  const PlanBytes plan = read_text(kCsv);
  const wire::Plan& root = plan.root();
  // Listed nodes first; then in the order of the file.
  ASSERT_EQ(root.node_class()->size(), 3U);
  EXPECT_EQ(root.listed()->Get(0), 1U);
  EXPECT_EQ(root.node_class()->Get(0), 0U);
  EXPECT_EQ(root.listed()->Get(1), kNone);
  EXPECT_EQ(root.node_class()->Get(1), 1U);
  EXPECT_EQ(root.node_class()->Get(2), 0U);
  ASSERT_EQ(root.unplaced()->size(), 1U);
  EXPECT_EQ(root.unplaced()->Get(0)->app(), 0U);
  EXPECT_EQ(root.unplaced()->Get(0)->replicas(), 1U);
  EXPECT_EQ(root.status(), wire::PlanStatus::Partial);
  EXPECT_EQ(root.cost(), 5);
  EXPECT_EQ(root.instance(), 0xABCDEFU);
}

TEST_F(PlanFile, ColumnsHaveAnyOrderCaseAndSeparator) {
  const PlanBytes plan = read_text(kCsv);
  for (const std::string text :
       {"app,node,replicas\ndb,small-2,1\n\"web, \"\"one\"\"\",old,2\ndb,big-2,1\n",
        "\xEF\xBB\xBFReplicas; App ;NODE\n1;db;small-2\n"
        "2;\"web, \"\"one\"\"\";old\n1;db;big-2\n",
        "node\tnote\tapp\treplicas\nsmall-2\t\tdb\t1\nold\tx\t\"web, \"\"one\"\"\"\t2\nbig-2\t\tdb\t1\n"}) {
    const PlanBytes other = read_text(text);
    EXPECT_TRUE(std::equal(plan.bytes().begin(), plan.bytes().end(), other.bytes().begin(), other.bytes().end())) << text;
  }
  EXPECT_TRUE(has(refusal_of("node,app\nold,db\n"), "a plan's header has the columns node,app,replicas; here it is node,app"));
  EXPECT_TRUE(has(refusal_of("name,replicas,cpu\ndb,1,2\n"), "here it is name,replicas,cpu"));
}

TEST_F(PlanFile, AnonymousNodesAvoidNamesOfListedOnes) {
  // "big-1" is a listed node, so that the first anonymous one of class big is big-2.
  const Names names(instance());
  const PlanBytes plan = read_text(R"({"stowage_plan": 1, "planner": "ff", "nodes": [{"name": "big-1"}, {"class": "big"},
      {"class": "big"}, {"class": "small"}]})");
  EXPECT_EQ(names.plan_nodes(plan.root()), (std::vector<std::string>{"big-1", "big-2", "big-3", "small-1"}));
}

TEST_F(PlanFile, TheNotesOfEarlierVersionsAreRead) {
  const PlanBytes plan = read_text(R"({"stowage_plan": 1, "planner": "ff", "notes": [{"code": "neighbourhood-off", "text": "a"},
      {"code": "search-off", "text": "b"}], "nodes": []})");
  EXPECT_EQ(plan.root().notes()->Get(0)->code(), wire::NoteCode::NotImproved);
  EXPECT_EQ(plan.root().notes()->Get(1)->code(), wire::NoteCode::SearchOff);
}

const std::string kCompact = R"({"stowage_plan": 1, "planner": "ff", "nodes": [
    {"class": "small", "copies": 2, "replicas": {"web, \"one\"": 1}}, {"class": "small", "replicas": {"web, \"one\"": 1}},
    {"class": "big", "copies": 2, "replicas": {"db": 1}}]})";

TEST_F(PlanFile, CopiesHaveTheNumbersAfterTheFirst) {
  const PlanBytes plan = read_text(kCompact);
  ASSERT_NE(plan.root().copies(), nullptr);
  EXPECT_EQ(nodes_in_use(plan.root()), 5U);
  const Names names(instance());
  EXPECT_EQ(names.plan_nodes(plan.root()), (std::vector<std::string>{"small-1", "small-3", "big-2"}));
  std::string each;
  names.visit_copies(plan.root(),
                     [&](std::uint32_t node, const std::string& name) { each += std::to_string(node) + "=" + name + " "; });
  EXPECT_EQ(each, "0=small-1 0=small-2 1=small-3 2=big-2 2=big-3 ");
  // A CSV has every copy; JSON says how many there are.
  write_plan(plan.bytes(), instance(), {}, folder_.file("c.csv"));
  EXPECT_EQ(content(folder_.file("c.csv")),
            "node,app,replicas,class,state,price,cpu\nsmall-1,\"web, \"\"one\"\"\",1,small,new,1,1\n"
            "small-2,\"web, \"\"one\"\"\",1,small,new,1,1\nsmall-3,\"web, \"\"one\"\"\",1,small,new,1,1\n"
            "big-2,db,1,big,new,2,2\nbig-3,db,1,big,new,2,2\n");
  write_plan(plan.bytes(), instance(), {}, folder_.file("c.json"));
  const PlanBytes again = read("c.json");
  EXPECT_TRUE(std::equal(plan.bytes().begin(), plan.bytes().end(), again.bytes().begin(), again.bytes().end()));
}

// A few bytes may claim any number of nodes: names skip them, texts are not written.
TEST_F(PlanFile, HostileCopiesCostNothing) {
  const PlanBytes plan = read_text(R"({"stowage_plan": 1, "planner": "ff", "nodes": [
      {"class": "small", "copies": 4294967295, "replicas": {"db": 1}}, {"class": "small"}]})");
  EXPECT_EQ(Names(instance()).plan_nodes(plan.root()), (std::vector<std::string>{"small-1", "small-4294967296"}));
  EXPECT_THROW(write_plan(plan.bytes(), instance(), {}, folder_.file("x.csv")), Failure);
  const PlanBytes empty = read_text(R"({"stowage_plan": 1, "planner": "ff", "nodes": [{"class": "small", "copies": 3}]})");
  EXPECT_THROW(write_plan(empty.bytes(), instance(), {}, folder_.file("x.csv")), Failure);
}

// Spare nodes and room: copies that hold no replicas, up to as many nodes as the library takes.
TEST_F(PlanFile, NodesThatAreKeptMayHoldNothing) {
  const auto kept = [&](const std::string& more) {
    const PlanBytes plan = read_text(R"({"stowage_plan": 1, "planner": "ff", )" + more + "}");
    write_plan(plan.bytes(), instance(), {}, folder_.file("x.csv"));
    return content(folder_.file("x.csv"));
  };
  const std::string rows = "node,app,replicas,class,state,price,cpu\nsmall-1,,0,small,new,1,0\nsmall-2,,0,small,new,1,0\n";
  EXPECT_EQ(kept(R"("survive": "*", "nodes": [{"class": "small", "copies": 2}])"), rows);
  EXPECT_EQ(read("x.csv").root().node_class()->size(), 0u) << "they are for people; a CSV holds placements";
  EXPECT_EQ(kept(R"("nodes": [{"class": "small", "copies": 2, "reserved": {"db": 1}}])"), rows);
  const std::string many = R"("nodes": [{"class": "small", "copies": 4294967295}])";
  EXPECT_THROW(kept(R"("survive": "*", )" + many), Failure);
  EXPECT_THROW(kept(R"("nodes": [{"class": "small", "copies": 4294967295, "reserved": {"db": 1}}])"), Failure);
  EXPECT_THROW(kept(many), Failure);
  EXPECT_NE(refusal_of(R"({"stowage_plan": 1, "planner": "ff", "nodes": [{"class": "small", "reserved": {"bd": 1}}]})")
                .find("nodes[0].reserved.bd"),
            std::string::npos);
}

TEST_F(PlanFile, EveryFormatCarriesThePlan) {
  const PlanBytes plan = read_text(kCsv);
  write_plan(plan.bytes(), instance(), {}, folder_.file("a.json"));
  const PlanBytes from_json = read("a.json");
  EXPECT_TRUE(std::equal(plan.bytes().begin(), plan.bytes().end(), from_json.bytes().begin(), from_json.bytes().end()));
  write_plan(from_json.bytes(), instance(), {}, folder_.file("b.stow"));
  write_plan(read("b.stow").bytes(), instance(), {}, folder_.file("c.csv"));
  EXPECT_EQ(content(folder_.file("c.csv")),
            "node,app,replicas,class,state,price,cpu\nold,\"web, \"\"one\"\"\",2,big,used,2,2\n"
            "small-1,db,1,small,new,1,2\nbig-2,db,1,big,new,2,2\n");
  write_plan(read("c.csv").bytes(), instance(), {}, folder_.file("again.csv"));
  EXPECT_EQ(content(folder_.file("again.csv")), content(folder_.file("c.csv")));
  EXPECT_THROW(write_plan(plan.bytes(), instance(), {}, folder_.file("d.txt")), Failure);
}

// The price of a node stands in its first row alone, so that a spreadsheet adds up the cost of the plan. Of periods, a row has
// the one in which its replicas need most.
TEST_F(PlanFile, CsvSaysWhatEachRowNeeds) {
  bytes_ = encoded(R"({"stowage": 1, "resources": {"price": "", "memory": "GiB"}, "periods": 2,
      "classes": [{"name": "n", "capacity": {"price": 8, "memory": "8GiB"}, "price": 0.25}],
      "apps": [{"name": "a", "replicas": 3, "demand": {"price": [1, 2], "memory": "512Mi"}},
               {"name": "b", "replicas": 1, "demand": {"price": 0, "memory": [2, 1]}}]})");
  const PlanBytes plan = read_text("node,app,replicas\nn-1,a,3\nn-1,b,1\n");
  write_plan(plan.bytes(), instance(), {}, folder_.file("p.csv"));
  EXPECT_EQ(content(folder_.file("p.csv")),
            "node,app,replicas,class,state,price,price needed,memory\nn-1,a,3,n,new,0.25,6,1.5\nn-1,b,1,n,new,,0,2\n");
}

TEST_F(PlanFile, CsvSaysWhichNodesAreNewAndHasShortNumbers) {
  bytes_ = encoded(R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "n", "capacity": {"cpu": 8}}],
      "nodes": [{"name": "n1", "class": "n", "running": {"a": 1}}, {"name": "n2", "class": "n"}],
      "apps": [{"name": "a", "replicas": 7, "demand": {"cpu": 0.1}}]})");
  const PlanBytes plan = read_text("node,app,replicas\nn1,a,1\nn2,a,3\nn-1,a,3\n");
  write_plan(plan.bytes(), instance(), {}, folder_.file("p.csv"));
  const std::string written = content(folder_.file("p.csv"));
  EXPECT_EQ(written, "node,app,replicas,class,state,cpu\nn1,a,1,n,kept,0.1\nn2,a,3,n,used,0.3\nn-1,a,3,n,new,0.3\n");
  const PlanBytes again = read("p.csv");
  EXPECT_TRUE(std::equal(plan.bytes().begin(), plan.bytes().end(), again.bytes().begin(), again.bytes().end()));
}

TEST_F(PlanFile, PagesAndPicturesAreWrittenAndNotRead) {
  const PlanBytes plan = read_text(kCsv);
  write_plan(plan.bytes(), instance(), {}, folder_.file("p.svg"));
  EXPECT_TRUE(content(folder_.file("p.svg")).starts_with("<svg "));
  EXPECT_NE(refusal_of(content(folder_.file("p.svg"))).find("is not a plan"), std::string::npos);
  EXPECT_EQ(extension("p.html"), "html");
}

TEST_F(PlanFile, JsonKeepsFiguresAndBounds) {
  const std::string json = R"({
  "stowage_plan": 1,
  "instance": "00000000000000ff",
  "planner": "ff",
  "status": "deadline",
  "seed": 18446744073709551615,
  "work": 12,
  "node_bound": {"name": "capacity", "value": 2.5, "resource": "cpu", "period": 0},
  "gap": 0.125,
  "cost": 3.5,
  "cost_bound": {"name": "price", "value": 1},
  "inherited_violations": 4,
  "moves": 5,
  "ucac": 4.5,
  "ucac_resource": "cpu",
  "ucac_bound": {"name": "cutting-stock", "value": 4.25, "resource": "cpu"},
  "objective": "ucac",
  "soft": "price",
  "soft_price": 0.75,
  "fill": true,
  "goals": [{"goal": "cost", "tolerance": 0.01, "value": 3.5, "bound": 1, "proven": true}, {"goal": "balance", "resource": "cpu", "value": 0.75}, {"goal": "soft-rules", "beside": true, "weight": 2, "value": 0}],
  "trace": [{"name": "rebuilding", "calls": 3, "gains": 2, "work": 123456789012}],
  "notes": [
    {"code": "ended-early", "text": "Nothing better was found for 5 ms."},
    {"code": "left-out", "text": ""}
  ],
  "left_over_bound": [{"priority": 2, "replicas": 1}, {"priority": -1, "replicas": 2}],
  "places_most": true,
  "nodes": [
    {"name": "old", "class": "big", "replicas": {"db": 2}, "ucac": 4.5}
  ],
  "unplaced": {"web, \"one\"": 3}
}
)";
  const PlanBytes plan = read_text(json);
  write_plan(plan.bytes(), instance(), {}, folder_.file("out.json"));
  EXPECT_EQ(content(folder_.file("out.json")), json);
  EXPECT_EQ(plan.root().seed(), UINT64_MAX);
  EXPECT_EQ(plan.root().node_bound()->value(), 2.5);
  EXPECT_EQ(plan.root().cost_bound()->resource(), kNone);
  EXPECT_EQ(plan.root().node_ucac()->Get(0), 4.5);
  EXPECT_EQ(plan.root().ucac_bound()->value(), 4.25);
  EXPECT_EQ(plan.root().soft(), static_cast<std::uint8_t>(wire::SoftPolicy::Price));
  EXPECT_EQ(plan.root().notes()->Get(1)->code(), wire::NoteCode::LeftOut);
  EXPECT_EQ(plan.root().left_over_bound()->Get(1)->priority(), -1);
  EXPECT_EQ(plan.root().left_over_bound()->Get(1)->replicas(), 2u);
  EXPECT_TRUE(plan.root().places_most());
  ASSERT_EQ(plan.root().goals()->size(), 3u);
  const wire::ReachedGoal& balance = *plan.root().goals()->Get(1);
  EXPECT_EQ(balance.what(), static_cast<std::uint8_t>(wire::GoalKind::Balance));
  EXPECT_EQ(balance.resource(), 0u);
  EXPECT_EQ(balance.weight(), 1);
  EXPECT_LT(balance.bound(), 0);
  ASSERT_EQ(plan.root().trace()->size(), 1u);
  EXPECT_EQ(plan.root().trace()->Get(0)->work(), 123456789012u);
}

TEST_F(PlanFile, JsonOfOnesOwnNeedsNoFingerprint) {
  EXPECT_EQ(read_text(R"({"stowage_plan": 1, "planner": "mine", "nodes": []})").root().instance(), 0xABCDEFU);
}

TEST_F(PlanFile, RefusalsNameLineOrPath) {
  const std::string head = "node,app,replicas\n";
  EXPECT_NE(refusal_of(head + "old,nobody,1\n").find("line 2: app: the instance has no app \"nobody\""), std::string::npos);
  EXPECT_NE(refusal_of(head + "huge-1,db,1\n").find("line 2: node: \"huge-1\" is neither a listed node"), std::string::npos);
  EXPECT_NE(refusal_of(head + "old,db,0\n").find("line 2: replicas: \"0\""), std::string::npos);
  EXPECT_NE(refusal_of(head + "old,db\n").find("line 2: has 2 fields"), std::string::npos);
  EXPECT_NE(refusal_of(head + "old,db,1,1\n").find("line 2: has 4 fields; the header has 3"), std::string::npos);
  EXPECT_NE(refusal_of(head + "old,\"db,1\n").find("a quoted field has no end"), std::string::npos);
  const auto json = [](const std::string& rest) { return R"({"stowage_plan": 1, "planner": "ff", )" + rest + "}"; };
  EXPECT_NE(refusal_of(json(R"("nodes": [{"name": "x"}])")).find("nodes[0]: has neither a \"class\""), std::string::npos);
  EXPECT_NE(refusal_of(json(R"("nodes": [{"class": "huge"}])")).find("nodes[0].class: the instance has no class"),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("nodes": [{"class": "big", "copies": 0}])")).find("nodes[0].copies: must be 1 or more"),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("nodes": [{"name": "old", "copies": 2}])")).find("a listed node stands for itself"),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("status": "fine")")).find("status: \"fine\" is not the status of a plan"), std::string::npos);
  EXPECT_NE(refusal_of(json(R"("objective": "beauty")")).find("objective: must be one of \"nodes\", \"ucac\""),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("nodes": [{"class": "big", "ucac": 1}, {"class": "big"}])"))
                .find("a \"ucac\" for all of them or for none"),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("trace": [{"calls": 1}])")).find("trace[0]: has no \"name\""), std::string::npos);
  EXPECT_NE(refusal_of(json(R"("trace": [{"name": "ff", "calls": -1}])")).find("trace[0].calls"), std::string::npos);
  EXPECT_NE(refusal_of(json(R"("goals": [{"value": 1}])")).find("goals[0]: has no \"goal\""), std::string::npos);
  EXPECT_NE(refusal_of(json(R"("goals": [{"goal": "luck"}])")).find("goals[0].goal: must be one of \"cost\""),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("goals": [{"goal": "balance", "resource": "gpu"}])")).find("there is no resource \"gpu\""),
            std::string::npos);
  EXPECT_NE(refusal_of(json(R"("nods": [])")).find("nods: unknown key (did you mean \"nodes\"?)"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"stowage_plan": 2})").find("is a version of the format"), std::string::npos);
  EXPECT_NE(refusal_of("nothing of the kind").find("is not a plan"), std::string::npos);
  EXPECT_NE(refusal_of(kInstance).find("is an instance; a plan is needed here"), std::string::npos);
}

TEST_F(PlanFile, HostileBytesAreRefusedNotFollowed) {
  write_plan(read_text(kCsv).bytes(), instance(), {}, folder_.file("p.stow"));
  const std::string original = content(folder_.file("p.stow"));
  for (std::size_t at = 0; at < original.size(); ++at) {
    for (const int change : {1, 0xFF}) {
      std::string edited = original;
      edited[at] = static_cast<char>(edited[at] ^ change);
      folder_.write("edited.stow", edited);
      try {
        const PlanBytes plan = read("edited.stow");
        write_plan(plan.bytes(), instance(), {}, folder_.file("edited.json"));
        write_plan(plan.bytes(), instance(), {}, folder_.file("edited.csv"));
      } catch (const Failure&) {
        continue;
      }
    }
  }
}

}  // namespace
}  // namespace stowage::cli::testing
