// Mistakes that people make in instances, and what they are told: the place, the reason, and often the right word.
#include <string>
#include <vector>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

/// An instance of one app, of which some parts are written otherwise.
struct Parts {
  std::string resources = R"({"cpu": "cores", "memory": "GiB"})";
  std::string app = R"("demand": {"cpu": 1, "memory": 4})";
  std::string node = R"({"name": "n1", "class": "large"})";
  std::string more = {};
};

struct Mistake {
  Parts parts;
  std::string told;
};

std::string text_of(const Parts& parts) {
  return R"({"stowage": 1, "resources": )" + parts.resources +
         R"(, "classes": [{"name": "large", "capacity": {"cpu": 16, "memory": 64}, "labels": {"zone": "a"}}],
             "apps": [{"name": "web", )" +
         parts.app + "}], \"nodes\": [" + parts.node + "]" + parts.more + "}";
}

std::vector<Mistake> mistakes() {
  return {
      {{.app = R"("demnd": {"cpu": 1})"}, R"(apps[0].demnd: unknown key (did you mean "demand"?))"},
      {{.app = R"("requests": {"cpu": 1})"}, R"(apps[0].requests: unknown key (did you mean "demand"?))"},
      {{.app = R"("demand": {"mem": 1})"}, R"(apps[0].demand.mem: there is no resource of that name (did you mean "memory"?))"},
      {{.app = R"("demand": {"RAM": 1})"}, R"(there is no resource of that name (did you mean "memory"?))"},
      {{.app = R"("demand": {"disk": 1})"}, "there is no resource of that name (there are cpu and memory)"},
      {{.app = R"("demand": {"cpu": "0,5"})"}, R"("0,5" is not a quantity (try "0.5"))"},
      {{.app = R"("demand": {"memory": "4gb"})"}, R"("4gb" is not a quantity (try "4G"))"},
      {{.app = R"("replicas": 12.5, "demand": {"cpu": 1})"}, "apps[0].replicas: must be a whole number of at least 0"},
      {{.app = R"("replicas": 1e300, "demand": {"cpu": 1})"}, "apps[0].replicas: must be at most 4294967295"},
      {{.app = R"("replicas": -2.0, "demand": {"cpu": 1})"}, "apps[0].replicas: must be a whole number of at least 0"},
      {{.app = R"("demand": {"cpu": 1}, "max_per_node": 0)"},
       "apps[0].max_per_node: allows no replica of the app, which wants 1 (leave it out where there is no limit)"},
      {{.app = R"("demand": {"cpu": 1}, "limits": {"web": 0})"}, "apps[0].limits.web: allows no replica of the app"},
      {{.app = R"("demand": {"cpu": 1}, "limits": {"appID:web": 0})"}, R"(no app "appID:web" (did you mean "web"?))"},
      {{.app = R"("demand": {"cpu": 1}, "only": {"zone": false})"}, "apps[0].only.zone: must be a string, or true"},
      {{.resources = R"({"cpu": "cores", "memory": "gib"})"}, R"(resources.memory: "gib" is not a unit (did you mean "GiB"?))"},
      {{.resources = R"({"cpu": "cores", "memory": "mb"})"}, R"("mb" is not a unit (did you mean "MB"?))"},
      {{.node = R"({"name": "n1", "class": "lrage"})"}, R"(nodes[0].class: there is no class "lrage" (did you mean "large"?))"},
      {{.node = R"({"name": "n1", "class": "large", "running": {"web": 3}})"},
       "nodes[0].running.web (app web on node n1): more running replicas than the app has"},
      {{.more = R"(, "rules": [{"kind": "replicas", "subject": "w", "max": 0}])"},
       R"(rules[0].kind: belongs into a condition, in the list "all_of" of the rule)"},
      {{.more = R"(, "rules": [{"all_of": [{"kind": "node-sets", "subject": "w", "min": 2, "group": "zone"}]}])"},
       R"(there is no group "zone"; "groups": [{"name": "zone", "by_label": "zone"}] makes one of the nodes' label)"},
      {{.more = R"(, "rules": [{"all_of": [{"subject": "w", "min": 2, "group": "host"}]}])"},
       R"(rules[0].all_of[0].group: there is no group "host" (there are node and rack))"},
      {{.more = R"(, "rules": [{"all_of": [{"subject": "w", "min": 2}]}])"},
       "rules[0].all_of[0].target: a constraint on replicas needs"},
      {{.more = R"(, "rules": [{"any_of": [[{"subject": "w", "target": "w"}], [{"subject": "w"}]]}])"},
       "rules[0].any_of[1][0].target: a constraint on replicas needs"},
      {{.app = R"("demand": {"cpu": 1}, "support": {"memory": [2, 1]})"},
       "apps[0].support.memory (app web, memory): above support_max"},
      {{.node = R"({"name": "n1", "class": "large", "load_deviation": {"memory": 1}})"},
       "nodes[0] (node n1, memory): a load of 0 does not vary"},
      {{.resources = R"({"cpu": "cores", "memory": {"unit": "GiB", "device": 5}})"},
       "classes[0].capacity.memory (class large): no whole number of devices"},
      {{.more = R"(, "apiVersion": "v1", "kind": "List")"}, "is what kubectl prints; stowage-k8s reads that"},
  };
}

/// @param files contents of files that are no instances, and a part of what is said of each
void expect_told(const std::vector<std::pair<std::string, std::string>>& files) {
  const TemporaryFolder folder;
  for (const auto& [content, told] : files) {
    const Outcome outcome = run({"plan", folder.write("file.json", content)});
    EXPECT_EQ(outcome.code, 1) << content;
    EXPECT_NE(outcome.err.find(told), std::string::npos) << outcome.err << content;
  }
}

TEST(Mistakes, AreToldByTheirPlaceAndTheRightWord) {
  const TemporaryFolder folder;
  for (const Mistake& mistake : mistakes()) {
    const std::string text = text_of(mistake.parts);
    const Outcome outcome = run({"plan", folder.write("cluster.json", text), "--work", "1000"});
    EXPECT_EQ(outcome.code, 1) << text;
    EXPECT_NE(outcome.err.find(mistake.told), std::string::npos) << outcome.err << text;
  }
}

TEST(Mistakes, TextsThatAreNoJsonSayWhatIsMissing) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"{\"stowage\": 1\n \"apps\": []}", R"(line 2, column 7: not well-formed JSON: a comma is missing before "apps")"},
      {"{\"apps\": [{} {}]}", "a comma is missing before {"},
      {"{\"apps\": [],}", "line 1, column 13: not well-formed JSON: the comma before this bracket is one too many"},
      {"{\"apps\": [{},]}", "the comma before this bracket is one too many"},
      {"{\"apps\": [}", "unexpected '}'"},
      {"{\"apps\": []", "the text ends before all of its brackets are closed"},
      {"{\"apps\": []}}", "the value ends before this, and nothing may follow it"},
      {"{\"name\": \"a\n\"}", "line 1, column 11: not well-formed JSON: a quote is not closed on its line"},
      {"{\"stowage\": 1, # one\n}", "JSON knows no comments"},
      {"{'stowage': 1}", "names and texts stand in double quotes"},
      {"{stowage: 1}", R"(a name stands in double quotes, as in "stowage")"},
      {"{\"stowage\": NaN}", "NaN is no value of JSON; texts stand in double quotes"},
      {"{\"stowage\": 4Gi}", "4Gi is no value of JSON; texts stand in double quotes"},
      {"{\"stowage\": .5}", "a number begins with a digit or a minus sign"},
      {"{\"stowage\": 1e999}", "not well-formed JSON: number overflow"},
  };
  expect_told(files);
}

TEST(Mistakes, FilesThatAreNoInstancesAreCalledWhatTheyAre) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"", "is empty"},
      {" \n", "is empty"},
      {"// my cluster\n{}", "begins with a comment"},
      {"stowage: 1\nresources: {cpu: cores\n", "line 3, column 1: "},
      {"name,replicas,cpu\nweb,3,1\n", "is a table of apps; say what the nodes are by --classes FILE"},
      {"host;zone\n", "looks like a table"},
      {"[{\"name\": \"web\"}]", "is a list; an instance is one JSON object"},
      {"PAR1....", "is Parquet"},
      {"PK\x03\x04....", "is a spreadsheet or an archive"},
      {"hello", "is not an instance"},
  };
  expect_told(files);
}

TEST(Mistakes, WhatIsMeantIsTaken) {
  const TemporaryFolder folder;
  for (const Parts& parts :
       std::vector<Parts>{{.app = R"("replicas": 12.0, "demand": {"cpu": 1})"},
                          {.app = R"("demand": {"cpu": 1}, "only": {"zone": "a"})"},
                          {.resources = R"({"cpu": "millicores", "memory": "GiB"})", .app = R"("demand": {"cpu": "5m"})"}}) {
    const Outcome outcome = run({"plan", folder.write("cluster.json", text_of(parts)), "--work", "1000"});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  }
}

TEST(Mistakes, ADemandManyTimesTheLargestNodeMayLackItsUnit) {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& demand) {
    return run({"plan", folder.write("cluster.json", text_of({.app = "\"demand\": " + demand})), "--work", "1000"}).out;
  };
  EXPECT_NE(told(R"({"memory": 4096})")
                .find("4,096 GiB of memory, 64 times what the largest node has (64 GiB): is a unit missing, as in "
                      "\"4096Mi\"?"),
            std::string::npos);
  EXPECT_NE(told(R"({"cpu": 500})").find("31 times what the largest node has (16 cores): is a unit missing, as in \"500m\"?"),
            std::string::npos);
  EXPECT_NE(told(R"({"cpu": "500M"})").find("is a unit missing, as in \"500m\"?"), std::string::npos);
  EXPECT_NE(told(R"({"memory": 4294967296})").find("is a unit missing, as in \"4294967296B\"?"), std::string::npos);
  EXPECT_EQ(told(R"({"cpu": 17})").find("is a unit missing"), std::string::npos);
}

TEST(Mistakes, TagsThatNothingCarriesAreToldWhatTheyMayMean) {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& subject) {
    const std::string rule =
        R"(, "rules": [{"name": "r", "all_of": [{"subject": ")" + subject + R"(", "target": "w", "max": 0}]}])";
    const std::string text = text_of({.app = R"("demand": {"cpu": 1}, "tags": ["w", "front"])", .more = rule});
    return run({"plan", folder.write("cluster.json", text), "--work", "1000"}).out;
  };
  EXPECT_NE(told("web").find(R"(Nothing carries the tag "web" (did you mean "appID:web"?))"), std::string::npos) << told("web");
  EXPECT_NE(told("fornt").find(R"(Nothing carries the tag "fornt" (did you mean "front"?))"), std::string::npos);
  EXPECT_EQ(told("appID:web").find("Nothing carries"), std::string::npos) << told("appID:web");
  const std::string text = text_of({.app = R"("demand": {"cpu": 1}, "only": "zone=b")"});
  const std::string out = run({"plan", folder.write("cluster.json", text), "--work", "1000"}).out;
  EXPECT_NE(out.find(R"(Nothing carries the tag "zone=b" (did you mean "zone=a"?))"), std::string::npos) << out;
}

TEST(Mistakes, APlannerSaysWhatItPursues) {
  const TemporaryFolder folder;
  const Outcome outcome = run({"plan", folder.write("cluster.json", text_of({})), "--planner", "admit"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("--planner: admit does not pursue the objective nodes, but admitted (say which by --objective)"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(run({"plan", folder.file("cluster.json"), "--planner", "admit", "--objective", "worst"}).err.find("--objective: "),
            std::string::npos);
}

}  // namespace
}  // namespace stowage::cli::testing
