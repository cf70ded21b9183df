#include "capi/text/formats/instance_json.h"

#include <nlohmann/json.hpp>
#include <random>

#include "capi/cli/formats/instance/instance_tsv.h"
#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"
#include "tests/effort.h"

namespace stowage::cli::testing {
namespace {

std::string everything() { return content(STOWAGE_CLI_DATA "/everything.json"); }

std::string as_json(const std::vector<std::uint8_t>& bytes, const TemporaryFolder& folder) {
  const std::string path = folder.file("out.json");
  OutputFile out(path);
  write_instance_json(*wire::GetInstance(bytes.data()), out);
  out.commit();
  return content(path);
}

TEST(InstanceJson, CoversTheWholeModel) {
  const InstanceData data = read_instance_json(everything(), "everything.json", kColumnBytes);
  ASSERT_EQ(data.resources.size(), 3U);
  EXPECT_EQ(data.resources[1].unit, "GiB");
  EXPECT_EQ(data.periods, 3U);
  EXPECT_EQ(data.apps.replicas, (std::vector<std::uint32_t>{3, 2, 1}));
  // web: cpu constant, memory over three periods, no disk.
  EXPECT_EQ(std::vector<double>(data.apps.demand.begin(), data.apps.demand.begin() + 9),
            (std::vector<double>{0.5, 0.5, 0.5, 2, 1.5, 2.5, 0, 0, 0}));
  EXPECT_EQ(data.apps.priority, (std::vector<std::int32_t>{-5, 10, 0}));
  EXPECT_EQ(data.apps.weight, (std::vector<double>{2.5, 1, 1}));
  // The limits of web: itself first, then db and the cache.
  EXPECT_EQ(data.limits.row_begin, (std::vector<std::uint32_t>{0, 3, 3, 3}));
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(data.limits.at_most, (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(data.apps.variance[1 * 3 + 1], 0.25);
  EXPECT_EQ(data.apps.support_min[1 * 3 + 1], 3);
  EXPECT_EQ(data.apps.support_max[1 * 3 + 1], 6);
  // Where no support is given, it is the range of the demand.
  EXPECT_EQ(data.apps.support_min[0 * 3 + 1], 1.5);
  EXPECT_EQ(data.apps.support_max[0 * 3 + 1], 2.5);
  EXPECT_EQ(data.apps.kind, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(data.classes[0].labels, (std::vector<std::string>{"zone=a", "ssd"}));
  EXPECT_EQ(data.classes[1].count, 0U);
  EXPECT_EQ(data.classes[1].price, 1.75);
  EXPECT_EQ(data.nodes.closed, (std::vector<std::uint8_t>{0, 1}));
  ASSERT_EQ(data.running.size(), 3U);
  EXPECT_EQ(data.running[0].app(), 1U);
  ASSERT_EQ(data.pinned.size(), 1U);
  EXPECT_EQ(data.groups[0].set_begin, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(data.groups[2].by_label, "zone");
  ASSERT_EQ(data.rules.size(), 2U);
  EXPECT_EQ(data.rules[1].any_of.size(), 2U);
  EXPECT_EQ(data.rules[1].any_of[1][1].kind, wire::CardinalityKind::Skew);
  EXPECT_EQ(data.rules[1].any_of[1][1].group, kNone);
  EXPECT_EQ(data.rules[0].any_of[0][0].group, 0U);
  EXPECT_FALSE(data.rules[1].hard);
  ASSERT_TRUE(data.uncertainty);
  EXPECT_EQ(data.uncertainty->model, wire::ChanceModel::BoundedSupport);
  EXPECT_EQ(data.interference->coefficient, (std::vector<double>{0, 0.5, 0.25, 1}));
}

TEST(InstanceJson, EverythingComesBackByteForByte) {
  const TemporaryFolder folder;
  const auto bytes = encoded(everything());
  const std::string json = as_json(bytes, folder);
  EXPECT_EQ(encoded(json), bytes) << json;
  // And so does the text, once it has been through the writer.
  EXPECT_EQ(as_json(encoded(json), folder), json);
}

constexpr const char* kEligibleText = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "periods": 2,
    "classes": [{"name": "a", "capacity": {"cpu": 8, "memory": 16}, "labels": {"zone": "a"}, "daemon": {"cpu": ["250m", 1]}},
                {"name": "b", "capacity": {"cpu": 4, "memory": 8}, "daemon": {"memory": "512Mi"}}],
    "apps": [{"name": "x", "demand": {"cpu": 1}, "only": "zone=a", "not": ["old", "slow"]}, {"name": "y", "demand": {}}],
    "nodes": [{"name": "n", "class": "a", "daemon": {"cpu": 2}, "tags": ["old"]}, {"name": "m", "class": "b"},
              {"name": "o", "class": "a"}]})";

TEST(InstanceJson, DevicesComeBackByteForByte) {
  const std::string text = content(STOWAGE_CLI_DATA "/devices.json");
  const InstanceData data = read_instance_json(text, "devices.json", kColumnBytes);
  EXPECT_EQ(data.resources[0].device, 0);
  EXPECT_EQ(data.resources[1].device, 1000);
  EXPECT_EQ(data.resources[1].unit, "milli");
  const TemporaryFolder folder;
  const auto bytes = encoded(text);
  const std::string again = as_json(bytes, folder);
  EXPECT_NE(again.find(R"("cpu": "cores", "gpu": {"unit": "milli", "device": 1000})"), std::string::npos) << again;
  EXPECT_EQ(encoded(again), bytes);
}

TEST(InstanceJson, EligibilityAndDaemonLoad) {
  const std::string text = kEligibleText;
  const InstanceData data = read_instance_json(text, "test.json", kColumnBytes);
  EXPECT_EQ(data.apps.only_begin, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(data.apps.not_begin, (std::vector<std::uint32_t>{0, 2, 2}));
  EXPECT_EQ(data.tags[data.apps.not_index[1]], "slow");
  EXPECT_EQ(data.classes[0].daemon, (std::vector<double>{0.25, 1, 0, 0}));
  // A node without a daemon load of its own carries that of its class.
  EXPECT_EQ(data.nodes.daemon, (std::vector<double>{2, 2, 0, 0, 0, 0, 0.5, 0.5, 0.25, 1, 0, 0}));
  const TemporaryFolder folder;
  const auto bytes = encoded(text);
  const std::string json = as_json(bytes, folder);
  EXPECT_EQ(encoded(json), bytes) << json;
  EXPECT_NE(json.find(R"("only": ["zone=a"], "not": ["old", "slow"])"), std::string::npos) << json;
  EXPECT_NE(json.find(R"({"name": "m", "class": "b"})"), std::string::npos) << json;
}

// Daemon loads that say what the classes say, and rows without tags, are left out.
TEST(InstanceJson, WhatGoesWithoutSayingIsLeftOut) {
  const auto encoded_with = [](const std::string& of_class, const std::string& of_node, const std::string& of_app) {
    return encoded(R"({"stowage": 1, "resources": {"cpu": ""}, "classes": [{"capacity": {"cpu": 1})" + of_class +
                   R"(}], "apps": [{"demand": {"cpu": 1})" + of_app + R"(}], "nodes": [{"tags": "t")" + of_node + "}]}");
  };
  EXPECT_EQ(encoded_with(R"(, "daemon": {"cpu": 0})", R"(, "daemon": {})", R"(, "only": [])"), encoded_with("", "", ""));
  EXPECT_EQ(encoded_with(R"(, "daemon": {"cpu": 0.5})", R"(, "daemon": {"cpu": 0.5})", ""),
            encoded_with(R"(, "daemon": {"cpu": 0.5})", "", ""));
  EXPECT_NE(encoded_with(R"(, "daemon": {"cpu": 0.5})", R"(, "daemon": {})", ""),
            encoded_with(R"(, "daemon": {"cpu": 0.5})", "", ""));
}

// A buffer may omit a column or leave it empty.
TEST(InstanceJson, EmptyColumnsAreAsGoodAsNone) {
  const TemporaryFolder folder;
  flatbuffers::FlatBufferBuilder builder;
  const auto strings = [&] { return builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>()); };
  const auto doubles = [&](const std::vector<double>& values) { return builder.CreateVector(values); };
  const auto whole = [&](const std::vector<std::uint32_t>& values) { return builder.CreateVector(values); };
  const auto bytes_of = [&](bool nodes) {
    builder.Clear();
    const auto cpu = wire::CreateResource(builder, builder.CreateString("cpu"), builder.CreateString(""));
    const auto memory = wire::CreateResource(builder, builder.CreateString("memory"), builder.CreateString(""));
    const auto resources = builder.CreateVector(std::vector{cpu, memory});
    const auto apps =
        wire::CreateApps(builder, strings(), whole({2}), doubles({1, 2}), builder.CreateVector(std::vector<std::int32_t>()),
                         doubles({}), doubles({}), doubles({}), whole({}), whole({}), whole({}));
    const auto node_class = wire::CreateNodeClass(builder, builder.CreateString(""), doubles({4, 8}), 0, -1, strings());
    const auto classes = builder.CreateVector(std::vector{node_class});
    const auto listed =
        wire::CreateNodes(builder, whole(nodes ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{}), strings(),
                          doubles({}), doubles({}), builder.CreateVector(std::vector<std::uint8_t>()), whole({}), whole({}));
    const auto limits = wire::CreateAffinityLimits(builder, whole({0, 0}), whole({}), whole({}));
    const auto running = builder.CreateVectorOfStructs(std::vector<wire::Residence>());
    const auto pinned = builder.CreateVectorOfStructs(std::vector<wire::Residence>());
    const auto tags = strings();
    const auto groups = builder.CreateVector(std::vector<flatbuffers::Offset<wire::NodeGroup>>());
    const auto rules = builder.CreateVector(std::vector<flatbuffers::Offset<wire::PlacementRule>>());
    const auto name = builder.CreateString("");
    wire::FinishInstanceBuffer(builder, wire::CreateInstance(builder, 1, name, resources, 1, apps, classes, listed, limits,
                                                             running, pinned, tags, groups, rules));
    return std::vector<std::uint8_t>(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  };
  const std::string rest = R"(, "apps": [{"replicas": 2, "demand": {"cpu": 1, "memory": 2}}])";
  const std::string start = R"({"stowage": 1, "resources": {"cpu": "", "memory": ""},
    "classes": [{"capacity": {"cpu": 4, "memory": 8}}])";
  EXPECT_EQ(nlohmann::json::parse(as_json(bytes_of(false), folder)), nlohmann::json::parse(start + rest + "}"));
  EXPECT_EQ(nlohmann::json::parse(as_json(bytes_of(true), folder)),
            nlohmann::json::parse(start + rest + R"(, "nodes": [{"class": "#0"}]})"));
  OutputFile out(folder.file("out.tsv"));
  write_instance_tsv(*wire::GetInstance(bytes_of(false).data()), out);
  out.commit();
  EXPECT_NE(content(folder.file("out.tsv")).find("\n1\t2\t1\t2\t"), std::string::npos) << content(folder.file("out.tsv"));
}

TEST(InstanceJson, NamelessEntriesAreKnownByPosition) {
  const TemporaryFolder folder;
  const std::string text = R"({"stowage": 1, "resources": {"cpu": ""},
    "classes": [{"capacity": {"cpu": 4}}, {"capacity": {"cpu": 8}}],
    "apps": [{"demand": {"cpu": 1}, "limits": {"#1": 2}}, {"demand": {"cpu": 1}}],
    "nodes": [{"class": "#1", "running": {"#0": 1}}]})";
  const InstanceData data = read_instance_json(text, "t", kColumnBytes);
  EXPECT_EQ(data.limits.app, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(data.nodes.node_class, (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(data.apps.names.empty());
  const auto bytes = encoded(text);
  EXPECT_EQ(encoded(as_json(bytes, folder)), bytes);
}

/// An instance that uses a random choice of features.
InstanceData random_instance(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const auto chance = [&] { return below(2) == 0; };
  const auto number = [&] { return below(4) == 0 ? 0.0 : static_cast<double>(random()) / 1e7; };
  InstanceData data;
  const std::uint32_t resources = 1 + below(3);
  for (std::uint32_t r = 0; r < resources; ++r) data.resources.push_back({"r" + std::to_string(r), chance() ? "GiB" : ""});
  data.periods = 1 + below(3);
  const std::uint32_t apps = 1 + below(5);
  const bool named = chance();
  const std::uint32_t tags = 1 + below(4);
  for (std::uint32_t t = 0; t < tags; ++t) data.tags.push_back("tag" + std::to_string(t));
  const bool tagged = chance();
  const bool profiled = chance();
  data.limits.row_begin.push_back(0);
  if (tagged) data.apps.tag_begin.push_back(0);
  const bool variable = chance();
  const bool supported = chance();
  const bool kinds = chance();
  for (std::uint32_t app = 0; app < apps; ++app) {
    if (named) data.apps.names.push_back("app \"" + std::to_string(app) + "\"\n\x01\xC3\xA9");
    data.apps.replicas.push_back(below(100));
    for (std::uint32_t cell = 0; cell < resources * (profiled ? data.periods : 1); ++cell) data.apps.demand.push_back(number());
    data.apps.priority.push_back(chance() ? static_cast<std::int32_t>(random()) : 0);
    data.apps.weight.push_back(chance() ? 0.5 : 1);
    for (std::uint32_t r = 0; r < resources; ++r) {
      if (variable) data.apps.variance.push_back(number());
      if (supported) data.apps.support_min.push_back(number());
      if (supported) data.apps.support_max.push_back(data.apps.support_min.back() + number());
    }
    if (kinds) data.apps.kind.push_back(below(2));
    if (tagged) {
      for (std::uint32_t t = 0; t < tags; ++t) {
        if (chance()) data.apps.tag_index.push_back(t);
      }
      data.apps.tag_begin.push_back(static_cast<std::uint32_t>(data.apps.tag_index.size()));
    }
    for (std::uint32_t other = apps; other-- > 0;) {
      if (!chance()) continue;
      data.limits.app.push_back(other);
      data.limits.at_most.push_back(below(5) + (other == app ? 1 : 0));  // an app that allows none of itself is refused
    }
    data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
  }
  const std::uint32_t classes = 1 + below(3);
  for (std::uint32_t c = 0; c < classes; ++c) {
    NodeClassData& node_class = data.classes.emplace_back();
    if (chance()) node_class.name = "class" + std::to_string(c);
    for (std::uint32_t r = 0; r < resources; ++r) node_class.capacity.push_back(number());
    node_class.count = below(3);
    if (chance()) node_class.price = number();
    if (chance()) node_class.labels = {"zone=" + std::to_string(c), "bare", chance() ? "zone=x" : "a=b=c"};
  }
  const std::uint32_t nodes = below(4);
  const bool node_names = chance();
  for (std::uint32_t node = 0; node < nodes; ++node) {
    data.nodes.node_class.push_back(below(classes));
    if (node_names) data.nodes.names.push_back("node" + std::to_string(node));
    for (std::uint32_t cell = 0; cell < resources * (profiled ? data.periods : 1); ++cell) data.nodes.load.push_back(number());
    for (std::uint32_t r = 0; r < resources; ++r) data.nodes.load_variance.push_back(number());
    data.nodes.closed.push_back(static_cast<std::uint8_t>(below(2)));
    for (std::uint32_t app = 0; app < apps; ++app) {
      if (chance()) data.running.push_back({app, nodes - 1 - node, 1 + below(3)});
      if (below(4) == 0) data.pinned.push_back({app, node, 1});
    }
  }
  if (nodes > 0) {
    NodeGroupData& group = data.groups.emplace_back();
    group.name = "g0";
    group.set_begin = {0, 1, nodes + 1};
    group.node.push_back(nodes - 1);
    for (std::uint32_t node = 0; node < nodes; ++node) group.node.push_back(node);
    if (chance()) group.set_names = {"first", "second"};
  }
  NodeGroupData& labelled = data.groups.emplace_back();
  labelled.name = "g1";
  labelled.by_label = "zone";
  for (std::uint32_t rule = below(3); rule-- > 0;) {
    PlacementRuleData& target = data.rules.emplace_back();
    if (chance()) target.name = "rule";
    target.hard = chance();
    target.weight = number();
    target.origin = chance() ? wire::Origin::Operator : wire::Origin::Application;
    for (std::uint32_t conjunction = 1 + below(2); conjunction-- > 0;) {
      auto& all_of = target.any_of.emplace_back();
      for (std::uint32_t one = 1 + below(2); one-- > 0;) {
        CardinalityData cardinality;
        cardinality.kind = static_cast<wire::CardinalityKind>(below(3));
        cardinality.subject = {below(tags)};
        if (chance()) cardinality.target = {below(tags)};
        cardinality.min = below(2);
        if (chance()) cardinality.max = below(9);
        if (chance()) cardinality.group = below(static_cast<std::uint32_t>(data.groups.size()));
        cardinality.negated = chance();
        all_of.push_back(cardinality);
      }
    }
  }
  if (chance()) data.uncertainty = UncertaintyData{static_cast<wire::ChanceModel>(below(3)), 0.25 + below(3) * 0.25, number()};
  if (kinds) data.interference = InterferenceData{{}, {number(), number(), number(), number()}};
  if (kinds && chance()) data.interference->kinds = {"light", "heavy"};
  return data;
}

TEST(InstanceJson, RandomInstancesComeBackByteForByte) {
  const TemporaryFolder folder;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const auto bytes = bytes_of(encode_instance(random_instance(seed)));
    const std::string json = as_json(bytes, folder);
    ASSERT_EQ(encoded(json), bytes) << "seed " << seed << "\n" << json;
    // Decoding and encoding again changes nothing either.
    ASSERT_EQ(bytes_of(encode_instance(decode_instance(*wire::GetInstance(bytes.data())))), bytes) << "seed " << seed;
  }
}

TEST(InstanceJson, RefusalsNamePathAndFix) {
  const auto with_app = [](const std::string& app) {
    return R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "periods": 2,
      "classes": [{"name": "c", "capacity": {"cpu": 8, "memory": 16}}], "apps": [{"name": "a", "demand": {}}, )" +
           app + "]}";
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {with_app(R"({"name": "b", "demand": {"cpu": "2Gx"}})"),
       R"(test.json: apps[1].demand.cpu: "2Gx" is not a quantity (try "2Gi"))"},
      {with_app(R"({"name": "b", "demand": {"cpus": 1}})"),
       R"(apps[1].demand.cpus: there is no resource of that name (did you mean "cpu"?))"},
      {with_app(R"({"name": "b", "demand": {"cpu": [1]}})"), R"(apps[1].demand.cpu: has 1 value, but "periods" is 2)"},
      {with_app(R"({"name": "b", "demand": {"cpu": [1, -2]}})"), "apps[1].demand.cpu[1]: must not be negative"},
      {with_app(R"({"name": "b", "demand": {"cpu": true}})"), "apps[1].demand.cpu: must be a number or a quantity"},
      {with_app(R"({"name": "b", "demand": {}, "replica": 3})"), R"(apps[1].replica: unknown key (did you mean "replicas"?))"},
      {with_app(R"({"name": "b", "demand": {}, "replicas": 2.5})"), "apps[1].replicas: must be a whole number"},
      {with_app(R"({"name": "b", "demand": {}, "replicas": -1})"), "apps[1].replicas: must be a whole number"},
      {with_app(R"({"name": "b", "demand": {}, "replicas": 4294967296})"), "apps[1].replicas: must be at most 4294967295"},
      {with_app(R"({"name": "b", "demand": {}, "limits": {"A": 1}})"),
       R"(apps[1].limits.A: there is no app "A" (did you mean "a"?))"},
      {with_app(R"({"name": "b", "demand": {}, "limits": {"b": 1}, "max_per_node": 1})"), "apps[1].limits.b: is given twice"},
      {with_app(R"({"name": "b", "demand": {}, "limits": {"a": 1, "a": 2}})"), R"(apps[1]: key "a" occurs twice)"},
      {with_app(R"({"name": "a", "demand": {}})"), R"(apps[1].name: "a" is already the name of apps[0])"},
      {with_app(R"({"demand": {}})"), "apps[1]: has no name; give one to all apps or to none"},
      {with_app(R"({"name": "b"})"), R"(apps[1]: has no "demand")"},
      {with_app(R"({"name": "b", "demand": {}, "priority": 3000000000})"), "apps[1].priority: must be a whole number from"},
      {with_app(R"({"name": "b", "demand": {}, "kind": "x"})"), R"(apps[0]: has no "kind")"},
      {with_app(R"({"name": "b", "demand": {}, "support": {"cpu": [1]}})"), "apps[1].support.cpu: must be [smallest, largest]"},
      {with_app(R"(7)"), "apps[1]: must be an object, not a whole number"},
      {R"([])", "must be a JSON object"},
      {R"({"stowage": 1, "apps": [}])", "line 1, column 25: not well-formed JSON"},
      {R"({"stowage": 2, "apps": []})", "stowage: is a version of the format that this program does not know"},
      {R"({"apps": []})", R"(has no "stowage")"},
      {R"({"stowage": 1})", R"(has no "apps")"},
      {R"({"stowage": 1, "apps": [], "rresources": {}})", R"(rresources: unknown key (did you mean "resources"?))"},
      {R"({"stowage": 1, "apps": {}})", "apps: must be an array"},
      {R"({"stowage": 1, "apps": [], "apps": []})", R"(key "apps" occurs twice)"},
      {R"({"stowage": 1, "apps": [], "resources": {"cpu": ""}, "classes": [{"capacity": {}}]})",
       R"(classes[0].capacity: has no "cpu")"},
      {R"({"stowage": 1, "apps": [], "resources": {"cpu": ""}, "classes": [{"capacity": {"cpu": 1}, "price": -1}]})",
       "classes[0].price: must not be negative"},
      {R"({"stowage": 1, "apps": [], "resources": {}, "periods": 0, "classes": []})", "periods: must be at least 1"},
      {R"({"stowage": 1, "apps": [], "resources": {}, "classes": [], "groups": [{"name": "node"}]})", "predefined group"},
      {R"({"stowage": 1, "apps": [], "resources": {}, "classes": [], "rules": [{}]})", R"(rules[0]: needs either "all_of")"},
      {R"({"stowage": 1, "apps": [], "resources": {}, "classes": [], "rules": [{"all_of": [{"subject": "a", "kind": "x"}]}]})",
       R"(rules[0].all_of[0].kind: must be one of "replicas", "node-sets", "skew")"},
      {R"({"stowage": 1, "apps": [], "resources": {}, "classes": [], "nodes": [{"class": "x"}]})",
       R"(nodes[0].class: there is no class "x")"},
  };
  for (const auto& [json, expected] : cases)
    EXPECT_NE(refusal(json).find(expected), std::string::npos) << refusal(json) << "\n" << json;
}

TEST(InstanceJson, UncertainDemandAsPeopleWriteIt) {
  // A standard deviation is a quantity; it is kept, and written, as a variance.
  const std::string text = R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"},
    "classes": [{"name": "c", "capacity": {"cpu": 8, "memory": 16}}],
    "apps": [{"name": "a", "demand": {"cpu": 2}, "deviation": {"cpu": "500m"}, "variance": {"memory": 4}},
             {"name": "b", "demand": {"cpu": 1}}],
    "nodes": [{"name": "x", "load": {"memory": 4}, "load_deviation": {"memory": "512Mi"}}],
    "uncertainty": {"confidence": "99.9%"}})";
  const InstanceData data = read_instance_json(text, "test.json", kColumnBytes);
  EXPECT_EQ(data.apps.variance, (std::vector<double>{0.25, 4, 0, 0}));
  EXPECT_EQ(data.nodes.load_variance, (std::vector<double>{0, 0.25}));
  ASSERT_TRUE(data.uncertainty);
  EXPECT_EQ(data.uncertainty->confidence, 0.999);
  const TemporaryFolder folder;
  const auto bytes = encoded(text);
  EXPECT_EQ(encoded(as_json(bytes, folder)), bytes);

  const auto with = [](const std::string& app, const std::string& uncertainty) {
    return R"({"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 8}}], "apps": [{"demand": {}, )" +
           app + R"(}], "uncertainty": {)" + uncertainty + "}}";
  };
  for (const auto& [json, expected] : std::vector<std::pair<std::string, std::string>>{
           {with(R"("variance": {"cpu": 1}, "deviation": {"cpu": 1})", ""),
            R"(apps[0].deviation.cpu: is given twice: here and as "variance")"},
           {with(R"("deviation": {"cpu": -1})", ""), "apps[0].deviation.cpu: must not be negative"},
           {with(R"("deviation": {"cpu": "much"})", ""), R"(apps[0].deviation.cpu: "much" is not a quantity)"},
           {with(R"("variance": {"cpu": -1})", ""), "apps[0].variance.cpu: must not be negative"},
           {with(R"("variance": {"cpu": 1})", R"("confidence": "often")"), R"(uncertainty.confidence: "often" is not a share)"},
           {with(R"("variance": {"cpu": 1})", R"("model": "normal")"), R"(uncertainty.model: must be one of "gaussian")"}}) {
    EXPECT_NE(refusal(json).find(expected), std::string::npos) << refusal(json) << "\n" << json;
  }
}

TEST(InstanceJson, DeepNestingIsRefusedNotFollowed) {
  EXPECT_NE(refusal(R"({"stowage": 1, "name": )" + std::string(100'000, '[')).find("nested"), std::string::npos);
}

TEST(InstanceJson, EveryTruncationIsRefused) {
  const std::string text = everything();
  const std::size_t end = text.find_last_of('}');
  for (std::size_t size = 0; size <= end; ++size) EXPECT_THROW(encoded(text.substr(0, size)), Failure) << size;
}

TEST(InstanceJson, ManyLimitsOfOneAppAreReadQuickly) {
  // Quadratic behaviour in an app's limits would take minutes here; sanitizers look for something else.
  std::string text = R"({"stowage": 1, "resources": {"cpu": ""}, "classes": [{"capacity": {"cpu": 1}}], "apps": [)";
  constexpr auto kApps = static_cast<int>(test::cases(60'000));
  for (int app = 0; app < kApps; ++app) {
    text += (app == 0 ? R"({"name": "a)" : R"(, {"name": "a)") + std::to_string(app) + R"(", "demand": {"cpu": 1}})";
  }
  text += R"(, {"name": "hub", "demand": {"cpu": 1}, "limits": {)";
  for (int app = 0; app < kApps; ++app) text += (app == 0 ? R"("a)" : R"(, "a)") + std::to_string(app) + R"(": 0)";
  text += "}}]}";
  EXPECT_EQ(read_instance_json(text, "t", kColumnBytes).limits.app.size(), static_cast<std::size_t>(kApps));
}

/// As much of JSON Schema as instance.schema.json uses.
class SchemaCheck {
 public:
  explicit SchemaCheck(nlohmann::json schema) : root_(std::move(schema)) {}

  [[nodiscard]] std::string check(const nlohmann::json& value) const { return check(value, root_, "$"); }

 private:
  using Json = nlohmann::json;

  std::string check(const Json& value, const Json& schema, const std::string& path) const {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : path + ": not allowed";
    for (const auto& [keyword, rule] : schema.items()) {
      std::string problem;
      if (keyword == "$ref") {
        problem = check(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), path);
      } else if (keyword == "type") {
        problem = has_type(value, rule.get<std::string>()) ? "" : path + ": is not of type " + rule.get<std::string>();
      } else if (keyword == "const") {
        problem = value == rule ? "" : path + ": is another constant";
      } else if (keyword == "enum") {
        problem = std::find(rule.begin(), rule.end(), value) != rule.end() ? "" : path + ": is not in the list";
      } else if (keyword == "not") {
        problem = check(value, rule, path).empty() ? path + ": is excluded" : "";
      } else if (keyword == "oneOf") {
        const auto fits =
            std::count_if(rule.begin(), rule.end(), [&](const Json& one) { return check(value, one, path).empty(); });
        problem = fits == 1 ? "" : path + ": fits " + std::to_string(fits) + " alternatives";
      } else if (keyword == "required" && value.is_object()) {
        for (const Json& key : rule) {
          if (!value.contains(key.get<std::string>())) problem = path + ": lacks " + key.get<std::string>();
        }
      } else if (keyword == "items" && value.is_array()) {
        for (std::size_t i = 0; i < value.size() && problem.empty(); ++i) {
          problem = check(value[i], rule, path + "[" + std::to_string(i) + "]");
        }
      } else if (keyword == "additionalProperties" && value.is_object()) {
        const Json known = schema.value("properties", Json::object());
        for (const auto& [key, member] : value.items()) {
          if (!known.contains(key) && problem.empty()) problem = check(member, rule, below(path, key));
        }
      } else if (keyword == "properties" && value.is_object()) {
        for (const auto& [key, member] : value.items()) {
          if (rule.contains(key) && problem.empty()) problem = check(member, rule.at(key), below(path, key));
        }
      } else if (keyword == "minimum" && value.is_number()) {
        problem = value.get<double>() >= rule.get<double>() ? "" : path + ": is too small";
      } else if (keyword == "minLength" && value.is_string()) {
        problem = value.get<std::string>().size() >= rule.get<std::size_t>() ? "" : path + ": is too short";
      }
      if (!problem.empty()) return problem;
    }
    return "";
  }

  static std::string below(std::string path, const std::string& key) { return path.append(".").append(key); }

  static bool has_type(const Json& value, const std::string& type) {
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "number" && value.is_number()) ||
           (type == "integer" && value.is_number_integer()) || (type == "boolean" && value.is_boolean());
  }

  Json root_;
};

TEST(InstanceJson, TheExampleInTheDocsHolds) {
  const std::string page = content(STOWAGE_CLI_SOURCE "/../../docs/reference/json-format.md");
  const std::size_t begin = page.find("```json\n") + 8;
  const std::string json = page.substr(begin, page.find("```", begin) - begin);
  const TemporaryFolder folder;
  EXPECT_EQ(run({"plan", folder.write("docs.json", json)}).code, 0) << json;
}

TEST(InstanceJson, TheSchemaForEditorsAgrees) {
  const SchemaCheck schema(nlohmann::json::parse(content(STOWAGE_CLI_SOURCE "/schemas/instance.schema.json")));
  EXPECT_EQ(schema.check(nlohmann::json::parse(everything())), "");
  for (const auto& file : std::filesystem::directory_iterator(STOWAGE_CLI_SOURCE "/examples")) {
    EXPECT_EQ(schema.check(nlohmann::json::parse(content(file.path().string()))), "") << file.path();
  }
  const TemporaryFolder folder;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const std::string json = as_json(bytes_of(encode_instance(random_instance(seed))), folder);
    EXPECT_EQ(schema.check(nlohmann::json::parse(json)), "") << json;
  }
  EXPECT_EQ(schema.check(nlohmann::json::parse(kEligibleText)), "");
  nlohmann::json devices = nlohmann::json::parse(content(STOWAGE_CLI_DATA "/devices.json"));
  EXPECT_EQ(schema.check(devices), "");
  devices["resources"]["gpu"]["devices"] = 8;
  EXPECT_NE(schema.check(devices), "");
  // What the reader refuses, the schema refuses too.
  nlohmann::json wrong = nlohmann::json::parse(everything());
  wrong["apps"][0]["replica"] = 3;
  EXPECT_NE(schema.check(wrong), "");
  wrong = nlohmann::json::parse(everything());
  wrong["apps"][0]["demand"]["cpu"] = true;
  EXPECT_NE(schema.check(wrong), "");
  wrong = nlohmann::json::parse(everything());
  wrong["rules"][0]["any_of"] = nlohmann::json::array();
  EXPECT_NE(schema.check(wrong), "");
}

}  // namespace
}  // namespace stowage::cli::testing
