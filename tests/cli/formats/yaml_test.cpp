// YAML: what words, numbers, aliases and documents mean, what is refused, and the way there and back.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/formats/instance/yaml_text.h"
#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson parsed(const std::string& yaml) { return OrderedJson::parse(json_of_yaml(yaml, "a.yaml")); }

std::string refusal(const std::string& yaml) {
  try {
    return "read as " + json_of_yaml(yaml, "a.yaml");
  } catch (const Failure& failure) {
    return failure.what();
  }
}

TEST(Yaml, WordsAndNumbersAreThoseOfTheCoreSchema) {
  const std::vector<std::pair<std::string, std::string>> meanings = {
      {"12", "12"},
      {"+12", "12"},
      {"-0.50", "-0.50"},
      {"007", "7"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1e3", "1e3"},
      {"-1.5E+2", "-150"},
      {"18446744073709551615", "18446744073709551615"},
      {"true", "true"},
      {"False", "false"},
      {"~", "null"},
      {"null", "null"},
      {"", "null"},
      {"no", "\"no\""},
      {"12:30", "\"12:30\""},
      {"0x10", "\"0x10\""},
      {"500m", "\"500m\""},
      {"4Gi", "\"4Gi\""},
      {"1e", "\"1e\""},
      {".", "\".\""},
      {"\"12\"", "\"12\""},
      {"'true'", "\"true\""},
      {"!!str 12", "\"12\""},
      {"|\n  a\n  b\n", R"("a\nb\n")"},
  };
  for (const auto& [yaml, json] : meanings) EXPECT_EQ(parsed("value: " + yaml)["value"], OrderedJson::parse(json)) << yaml;
}

TEST(Yaml, ListsMappingsAndAliasesAreWrittenOut) {
  EXPECT_EQ(parsed("# of a cluster\n---\na: {x: 1, 2: [b, c]}\nlist:\n- y: 1\n  z:\n- - 3\n- []\n- {}\n..."),
            OrderedJson::parse(R"({"a": {"x": 1, "2": ["b", "c"]}, "list": [{"y": 1, "z": null}, [3], [], {}]})"));
  EXPECT_EQ(parsed("a: &small {cpu: &one 1}\nb: *small\nc: [*one, *small]\n"),
            OrderedJson::parse(R"({"a": {"cpu": 1}, "b": {"cpu": 1}, "c": [1, {"cpu": 1}]})"));
  EXPECT_EQ(parsed("a: &x 1\nb: &x 2\nc: *x\n")["c"], 2);
  EXPECT_EQ(parsed("\xEF\xBB\xBFname: \xC3\xA4\n")["name"], "\xC3\xA4");
}

TEST(Yaml, WhatJsonCannotSayIsRefusedAtItsPlace) {
  std::string growing = "a0: &a0 [xxxxxxxxxxxxxxxx, xxxxxxxxxxxxxxxx]\n";
  for (int k = 1; k < 30; ++k) {
    const std::string below = "*a" + std::to_string(k - 1);
    growing.append("a").append(std::to_string(k)).append(": &a").append(std::to_string(k));
    growing.append(" [").append(below).append(", ").append(below).append("]\n");
  }
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"", "a.yaml: is empty"},
      {"# nothing\n", "a.yaml: is empty"},
      {"a: 1\n---\nb: 2\n", "line 2, column 1: a second document begins"},
      {"a: !money 3\n", "line 1, column 4: the tag !money has no meaning here"},
      {"a: !!set {b}\n", "the tag tag:yaml.org,2002:set has no meaning here"},
      {"a: *b\n", "there is no anchor &b above"},
      {"a: &b [*b]\n", "*b is within what &b stands for"},
      {"a: &b {x: 1}\nc:\n  <<: *b\n", "line 3, column 3: merge keys are not read"},
      {"? [a, b]\n: 1\n", "a key is a list or mapping"},
      {"a: &b x\n*b : 1\n", "a key is an alias"},
      {"a: [1, 2\nb: 3\n", "line 2"},
      {"a: 1\n b: 2\n", "line 2, column 3: mapping values are not allowed in this context"},
      {"a:\n\t- 1\n", "line 2, column 1"},
      {"a: \xFF\n", "a.yaml: byte 3: "},
      {growing, "aliases make the text more than 16 times as large"},
  };
  for (const auto& [yaml, told] : refused) EXPECT_TRUE(has(refusal(yaml), told)) << yaml << '\n' << refusal(yaml);
}

TEST(Yaml, WhatIsWrittenIsReadTheSameByReadersOfAnyVersion) {
  const std::string json =
      R"({"name": "a: b", "words": ["yes", "No", "~", "", "null", "=", "<<", ".inf", "12:30", "2024-01-01", "0x1F", "1_000", "-",)"
      R"( "plain", "500m", "two words", "#x", "line\nbreak", "\u00e4\u0001"], "numbers": [0, -1, 0.1, 1e300, 18446744073709551615],)"
      R"( "nested": {"list": [{"a": [1, 2]}, {}, [], true, null], "12": "key"}})";
  const std::string yaml = yaml_of_json(json);
  EXPECT_EQ(parsed(yaml), OrderedJson::parse(json)) << yaml;
  for (const char* quoted :
       {"\"yes\"", "\"No\"", "\"=\"", "\"<<\"", "\".inf\"", "\"12:30\"", "\"2024-01-01\"", "\"0x1F\"", "\"1_000\""}) {
    EXPECT_TRUE(has(yaml, quoted)) << quoted << yaml;
  }
  for (const char* plain : {" 500m", " plain", " two words"}) EXPECT_TRUE(has(yaml, plain)) << plain << yaml;
}

// The instance is the same in every format, so that a plan for one is a plan for each.
TEST(Yaml, EveryExampleIsTheSameInYaml) {
  const TemporaryFolder folder;
  for (const char* name :
       {"shop", "sizes", "zones", "gpu", "day", "uncertain", "moves", "n+1", "conflicts", "groups", "effects"}) {
    const std::string json = folder.file(std::string(name) + ".json");
    const std::string yaml = folder.file(std::string(name) + ".yaml");
    const std::string of_json = folder.file("of-json.stow");
    const std::string of_yaml = folder.file("of-yaml.stow");
    ASSERT_EQ(run({"example", name, "-o", json}).code, 0);
    for (const auto& [from, to] : {std::pair{json, yaml}, {json, of_json}, {yaml, of_yaml}}) {
      const Outcome outcome = run({"convert", from, to});
      ASSERT_EQ(outcome.code, 0) << name << outcome.err;
    }
    EXPECT_EQ(content(of_json), content(of_yaml)) << name;
  }
}

TEST(Yaml, MistakesAreToldByTheirPath) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "cluster.yaml", "stowage: 1\nresources: {cpu: cores}\nclasses: [{capacity: {cpu: 4}}]\napps:\n- demand: {cpu: lots}\n");
  const Outcome outcome = run({"plan", file});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "cluster.yaml: apps[0].demand.cpu")) << outcome.err;
}

}  // namespace
}  // namespace stowage::cli::testing
