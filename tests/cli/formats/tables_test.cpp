// Instances as tables: which columns mean what, how values are written, and what is said of mistakes.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kClasses = "name,count,price,labels,cpu,memory\nsmall,2,0.1,zone=a ssd,4,16\nlarge,,0.2,zone=b,8,32\n";

class Tables : public ::testing::Test {
 protected:
  /// The instance that the tables are, as JSON; an empty object, with a failure, where they are refused.
  Json read(const std::string& apps, const std::string& classes = kClasses, const std::string& running = {}) {
    const Outcome outcome = convert(apps, classes, running);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    said_ = outcome.err;
    return outcome.code == 0 ? Json::parse(content(folder_.file("made.json"))) : Json::object();
  }
  Outcome convert(const std::string& apps, const std::string& classes = kClasses, const std::string& running = {}) {
    std::vector<std::string> arguments = {"convert", folder_.write("apps.csv", apps), folder_.file("made.json"), "--classes",
                                          folder_.write("nodes.csv", classes)};
    if (!running.empty()) {
      arguments.emplace_back("--running");
      arguments.push_back(folder_.write("running.csv", running));
    }
    return run(arguments);
  }
  bool says(const std::string& part) const { return said_.find(part) != std::string::npos; }

  TemporaryFolder folder_;
  std::string said_;
};

TEST_F(Tables, AreWhatTheirJsonIs) {
  const Json made = read(
      "name,replicas,priority,weight,max_per_node,tags,only,not,limits,cpu,memory,cpu_deviation\n"
      "web,3,5,2,2,front public,zone=a,old,db=0 cron=1,500m,2Gi,100m\n"
      "db,1,,,,,,,,2,\"8\",\n"
      "cron,,,,,,,,,1,1024Mi,\n");
  EXPECT_EQ(made["resources"], Json::parse(R"({"cpu": "cores", "memory": "GiB"})"));
  EXPECT_EQ(made["classes"][0], Json::parse(R"({"name": "small", "count": 2, "price": 0.1, "capacity": {"cpu": 4, "memory": 16},
                                                "labels": {"zone": "a", "ssd": true}})"));
  EXPECT_EQ(made["apps"][0]["limits"], Json::parse(R"({"db": 0, "cron": 1})"));
  EXPECT_EQ(made["apps"][0]["demand"], Json::parse(R"({"cpu": 0.5, "memory": 2})"));
  EXPECT_EQ(made["apps"][0]["max_per_node"], 2);
  EXPECT_EQ(made["apps"][0]["priority"], 5);
  EXPECT_EQ(made["apps"][0]["weight"], 2);
  EXPECT_EQ(made["apps"][0]["tags"], Json::parse(R"(["front", "public"])"));
  EXPECT_NEAR(made["apps"][0]["variance"]["cpu"].get<double>(), 0.01, 1e-9);
  EXPECT_EQ(made["apps"][2]["demand"]["memory"], 1);
  EXPECT_EQ(made["apps"].size(), 3u);
}

TEST_F(Tables, WordsUnitsAndSeparatorsOfSpreadsheetsAreUnderstood) {
  const Json plain = read("name,replicas,cpu,memory\nweb,3,0.5,2\n");
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "App Name;Instances;vCPU;Memory (GiB)\r\nweb;3;0,5;2\r\n"),
            plain);
  EXPECT_EQ(read("Service\tReplicas\tCores\tRAM [GiB]\nweb\t3\t500m\t2048Mi\n"), plain);
  EXPECT_EQ(read("name,replicas,cpu,memory,owner,cost centre\nweb,3,0.5,2,\"a, b\",7\n"), plain);
  EXPECT_TRUE(says("apps.csv: not used: owner, cost centre")) << said_;
}

TEST_F(Tables, AppsMayBeInAnotherUnitThanClasses) {
  const std::string classes = "name,cpu (cores),memory (GiB)\nn,4,16\n";
  const Json made = read("name,cpu (vCPU),memory (MiB)\nweb,2,512\ndb,500m,1Gi\n", classes);
  EXPECT_EQ(made["resources"], Json::parse(R"({"cpu": "cores", "memory": "GiB"})"));
  EXPECT_EQ(made["apps"][0]["demand"], Json::parse(R"({"cpu": 2, "memory": 0.5})"));
  EXPECT_EQ(made["apps"][1]["demand"], Json::parse(R"({"cpu": 0.5, "memory": 1})"));
  EXPECT_NE(convert("name,cpu (millicores)\nweb,500\n", classes).err.find("\"cpu (millicores)\": cannot be converted to cores"),
            std::string::npos);
}

TEST_F(Tables, ATitleStandsInOneRow) {
  EXPECT_EQ(read("name,cpu,title\nweb,1,\ndb,1,the shop\n")["name"], "the shop");
  EXPECT_FALSE(read("name,cpu,title\nweb,1,\n").contains("name"));
  EXPECT_FALSE(read("name,cpu,title\nweb,1,front\ndb,1,back\n").contains("name"));
  EXPECT_TRUE(says("not used: title")) << said_;
}

// Texts in JSON keep the order of their parts, and so do tables.
TEST_F(Tables, ResourcesAreInTheOrderOfTheColumnsOfClasses) {
  read("name,memory,cpu\nweb,1,1\n", "name,memory,cpu\nn,4,4\n");
  const std::string text = content(folder_.file("made.json"));
  EXPECT_LT(text.find("\"memory\": \"GiB\""), text.find("\"cpu\": \"cores\"")) << text;
}

TEST_F(Tables, WhatRunsIsOnListedNodes) {
  const Json made = read("name,replicas,cpu\nweb,3,1\ndb,2,2\n", kClasses,
                         "node,class,app,replicas\nn2,large,web,2\nn1,small,db,1\nn2,large,db,\nn3,small,,\n");
  EXPECT_EQ(made["nodes"], Json::parse(R"([{"name": "n2", "class": "large", "running": {"web": 2, "db": 1}},
                                           {"name": "n1", "class": "small", "running": {"db": 1}}, {"name": "n3", "class": "small"}])")
                               .get<Json>())
      << made["nodes"];
}

TEST_F(Tables, APlanOfTablesIsThatOfTheirJson) {
  const std::string apps = "name,replicas,cpu,memory\nweb,7,1,4\ndb,2,2,16\n";
  read(apps);
  const auto plan = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"plan", "--work", "5000", "--summary", "json"});
    Json summary = Json::parse(run(more).out);
    summary.erase("seconds");
    return summary;
  };
  const std::string classes = folder_.file("nodes.csv");
  EXPECT_EQ(plan({folder_.file("apps.csv"), "--classes", classes}), plan({folder_.file("made.json")}));
  const Outcome one = run({"plan", folder_.file("apps.csv"), "--node", "cpu=4,memory=16"});
  EXPECT_EQ(one.code, 0) << one.err;
}

TEST_F(Tables, MistakesAreToldByFileAndLine) {
  const auto refusal = [&](const std::string& apps, const std::string& classes = kClasses, const std::string& running = {}) {
    const Outcome outcome = convert(apps, classes, running);
    EXPECT_EQ(outcome.code, 1) << apps;
    return outcome.err;
  };
  const auto tells = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
  };
  tells(refusal("name,cpu\nweb,1\n\ndb,much\n"), "apps.csv:4: demand.cpu: \"much\" is not a quantity");
  tells(refusal("name,cpu,replicas\nweb,1,x\n"), "apps.csv:2: replicas: must be a whole number");
  tells(refusal("name,cpu,limits\nweb,1,dp=1\n"), "apps.csv:2: limits.dp: there is no app \"dp\"");
  tells(refusal("name,cpu\nweb,1,2\n"), "apps.csv:2: has a different number of fields than the header");
  tells(refusal("name,CPU,vcpu\nweb,1,2\n"), "\"CPU\" and \"vcpu\" mean the same");
  tells(refusal("name,disk\nweb,1\n"), "apps.csv: has no column of a resource that");
  tells(refusal("name,cpu\nweb,1\n", "name,cpu,price\na,4,x\n"), "nodes.csv:2: price \"x\" is not a number; write 1360.00");
  tells(refusal("name,cpu\nweb,1\n", kClasses, "host,app\nn1,web\n"), "running.csv: needs the columns node and app");
  tells(refusal("name,cpu\nweb,1\n", kClasses, "node,class,app\nn1,small,web\nn1,,dp\n"),
        "running.csv:3: running.dp: there is no app \"dp\"");
  tells(refusal("name,cpu,replicas\nweb,1,2\n", kClasses, "node,class,app\nn1,small,web\nn1,,web\n"),
        "running.csv:3: \"web\" stands twice on node \"n1\"");
  tells(refusal("name,cpu\nweb,1\ndb,1\n", kClasses, "node,class,app\nn1,small,web\nn1,large,db\n"),
        "running.csv:3: node \"n1\" is also of class \"small\"");
  tells(refusal("name,cpu,limits\nweb,1,db=1 db=2\ndb,1,\n"), "apps.csv:2: ");
  tells(refusal("name,cpu\nw\xFF,1\n"), "apps.csv:2: is not UTF-8 (in Excel, save as CSV UTF-8)");
  tells(run({"plan", folder_.write("apps.csv", "name,cpu\nweb,1\n")}).err,
        "is a table of apps; say what the nodes are by --classes");
  tells(run({"plan", folder_.write("e.json", "{\"stowage\": 1}"), "--classes", folder_.file("nodes.csv")}).err,
        "says itself what the nodes are");
  tells(run({"plan", folder_.file("apps.csv"), "--classes", folder_.file("none.csv")}).err, "none.csv");
}

TEST_F(Tables, ManyWordsMeanReplicas) {
  const std::string classes = "name,cpu\ns,4\n";
  const Json plain = read("name,replicas,cpu\nweb,3,0.5\n", classes);
  EXPECT_FALSE(says("how many replicas")) << said_;
  for (const char* word : {"# Instances", "No. of instances", "Instance count", "Number of instances", "count", "Qty",
                           "quantity", "number", "copies", "pods", "Anzahl", "Instanzen", "Instances (#)"}) {
    EXPECT_EQ(read(std::string("name;") + word + ";cpu\nweb;3;0,5\n", classes), plain) << word;
  }
  EXPECT_EQ(read("name,replicas,number,cpu\nweb,3,7,0.5\n", classes), plain);
  EXPECT_TRUE(says("apps.csv: not used: number")) << said_;
  read("name,how many,cpu\nweb,3,0.5\n", classes);
  EXPECT_TRUE(says("apps.csv: no column says how many replicas there are: each app counts once")) << said_;
}

TEST_F(Tables, WordsForNamesAndPricesAreKnown) {
  const std::string apps = "name,replicas,cpu,memory\nweb,3,0.5,2\n";
  const Json plain = read(apps, "name,cpu,memory,price\ns,4,16,360\nm,8,32,700\n");
  for (const char* word :
       {"EUR", "Preis", "Monatspreis (EUR)", "USD per month", "$/hour", "Cost per hour", "Kosten", "Monthly (EUR)"}) {
    EXPECT_EQ(read(apps, std::string("Machine type;cpu;memory;") + word + "\ns;4;16;360,00\nm;8;32;700\n"), plain) << word;
  }
  for (const char* word : {"size", "Machine", "server", "node type", "Flavour"}) {
    EXPECT_EQ(read(apps, std::string("cpu,memory,price,") + word + "\n4,16,360,s\n8,32,700,m\n"), plain) << word;
  }
  EXPECT_EQ(read("Komponente,vCPU,RAM,Anzahl\nweb,0.5,2,3\n", content(folder_.file("nodes.csv"))), plain);
  read(apps, "name,cpu,memory,Tarif\ns,4,16,360\n");
  EXPECT_TRUE(says("nodes.csv: not used: Tarif; no column says prices: nodes are counted, not cost")) << said_;
}

TEST_F(Tables, UnitsMayStandBehindTheName) {
  const Json plain = read("name,replicas,cpu,memory (GB)\nweb,3,0.5,2\n", "name,cpu,memory (GB)\ns,4,16\n");
  for (const char* word : {"RAM in GB", "RAM GB", "memory_gb", "Memory [GB]"}) {
    EXPECT_EQ(read(std::string("name,replicas,CPU cores,") + word + "\nweb,3,0.5,2\n", "name,cpu,RAM (GB)\ns,4,16\n"), plain)
        << word;
  }
}

TEST_F(Tables, AResourceOfOneTableIsRefused) {
  const auto refusal = [&](const std::string& apps, const std::string& classes) {
    const Outcome outcome = convert(apps, classes);
    EXPECT_EQ(outcome.code, 1) << apps;
    return outcome.err;
  };
  EXPECT_NE(refusal("name,cpu,RAM in GB\nweb,1,2\n", "name,cpu\ns,4\n").find("apps.csv: memory (RAM in GB) has no column in "),
            std::string::npos);
  EXPECT_NE(refusal("name,cpu,Platten (GB)\nweb,1,2\n", "name,cpu\ns,4\n").find("nodes.csv; name it there too, or drop it"),
            std::string::npos);
  EXPECT_NE(refusal("name,cpu,Hauptspeicher\nweb,1,2\n", "name,cpu,RAM (GB)\ns,4,16\n")
                .find("nodes.csv: memory (RAM (GB)) has no column in "),
            std::string::npos);
  const Outcome node = run({"plan", folder_.write("apps.csv", "name,cpu,memory\nweb,1,2\n"), "--node", "cpu=4"});
  EXPECT_NE(node.err.find("apps.csv: memory has no amount in --node"), std::string::npos) << node.err;
  read("name,cpu,latency (ms)\nweb,1,2\n", "name,cpu\ns,4\n");
  read("name,cpu\nweb,1\n", "name,cpu,memory\ns,4,10\n");
}

TEST_F(Tables, NumbersForPeopleAreRefused) {
  const auto refusal = [&](const std::string& prices, char separator = ';') {
    std::string classes = std::string("name;cpu;price\n") + prices;
    std::replace(classes.begin(), classes.end(), ';', separator);
    return convert("name,cpu\nweb,1\n", classes).err;
  };
  EXPECT_NE(refusal("s;4;360,00\nm;8;1.360\n").find("nodes.csv:3: price \"1.360\" may be 1360 or 1.36; write 1360,00"),
            std::string::npos);
  for (const char* cell : {"1.360,00", "360,00 EUR", "$140"}) {
    const std::string told = refusal(std::string("s;4;") + cell + "\n");
    EXPECT_NE(told.find(std::string("price \"") + cell +
                        "\" is not a number; write 1360,00 without thousands separators or currency"),
              std::string::npos)
        << told;
  }
  EXPECT_NE(refusal("s;4;$140\n", ',').find("write 1360.00"), std::string::npos);
  EXPECT_EQ(refusal("s;4;1,360\n").find("may be"), std::string::npos);
}

TEST_F(Tables, WhatRunsNeedsItsClass) {
  const std::string apps = "name,replicas,cpu\nweb,3,1\n";
  EXPECT_NE(convert(apps, kClasses, "node,app\nn1,web\n").err.find("running.csv: needs the column class (small, large)"),
            std::string::npos);
  EXPECT_NE(convert(apps, kClasses, "node,service,type\nn1,web,small\n")
                .err.find("\"type\" may be the app or the class; write class"),
            std::string::npos);
}

TEST_F(Tables, WhatMayBeDoneNextHasTheTables) {
  read("name,replicas,cpu\nweb,3,1\n");
  const std::string apps = folder_.file("apps.csv");
  const std::string given = " --classes " + folder_.file("nodes.csv") + " --scale demand=2";
  for (const auto& [command, next] : {std::pair("plan", "stowage explain "), std::pair("sizes", "stowage plan ")}) {
    const Outcome outcome =
        run({command, apps, "--classes", folder_.file("nodes.csv"), "--scale", "demand=2", "--work", "1000"});
    EXPECT_NE(outcome.out.find(next + apps + given), std::string::npos) << outcome.out << outcome.err;
  }
}

TEST_F(Tables, PricesOfAListReplaceThoseOfAnyFile) {
  const std::string cluster = folder_.file("cluster.json");
  ASSERT_EQ(run({"example", "sizes", "-o", cluster}).code, 0);
  const auto planned = [&](const std::string& prices) {
    return run({"convert", cluster, folder_.file("made.json"), "--price-list", folder_.write("prices.csv", prices)});
  };
  const Outcome outcome = planned("Instance type;Hourly price\nsmall;0,1\nmedium;0\nlarge;3\nhuge;9\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json made = Json::parse(content(folder_.file("made.json")));
  EXPECT_EQ(made["classes"][0]["price"], 0.1);
  EXPECT_EQ(made["classes"][1]["price"], 0);
  EXPECT_EQ(made["classes"][2]["price"], 3);
  for (const auto& [prices, told] : std::vector<std::pair<std::string, std::string>>{
           {"name,price\nsmall,1\nmedium,1\n", "prices.csv: has no price of the class \"large\""},
           {"name,price\nsmall,free\nmedium,1\nlarge,1\n", "prices.csv:2: price: \"free\" is not a number of at least 0"},
           {"name,price\nsmall,1\nmedium,-1\nlarge,1\n", "prices.csv:3: price: \"-1\" is not a number of at least 0"},
           {"name,price\nsmall,1\nsmall,2\n", "prices.csv:3: name: \"small\" stands twice"},
           {"type,hours\nsmall,1\n", "prices.csv: needs the columns name and price"}}) {
    const Outcome refused = planned(prices);
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.err.find(told), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace stowage::cli::testing
