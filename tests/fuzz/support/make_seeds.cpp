// Writes the initial inputs of each fuzz target's corpus, from which the committed corpus grew. After a change of the format,
// run it again, run the fuzzers, and merge (tests/fuzz/README.md).
//
// Usage: make_seeds DIRECTORY
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "capi/cli/base/files.h"
#include "capi/lab/medea/runs.h"
#include "capi/lab/paper/runs.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/output.h"
#include "capi/text/formats/instance_json.h"
#include "capi/text/formats/names.h"
#include "capi/text/formats/plan_json.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::Bytes;
using stowage::fuzz::RequestData;
namespace wire = stowage::wire;

std::filesystem::path root;

void save(const std::string& target, const std::string& name, std::string_view content) {
  std::filesystem::create_directories(root / target);
  std::ofstream stream(root / target / name, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream) {
    std::fprintf(stderr, "cannot write %s/%s\n", target.c_str(), name.c_str());
    std::exit(1);
  }
}

void save(const std::string& target, const std::string& name, const std::uint8_t* data, std::size_t size) {
  save(target, name, std::string_view(reinterpret_cast<const char*>(data), size));
}

/// Every table and column of the schema once.
Bytes full_instance() {
  flatbuffers::FlatBufferBuilder builder;
  const auto resources = builder.CreateVector(
      std::vector{wire::CreateResourceDirect(builder, "cpu", "cores"), wire::CreateResourceDirect(builder, "memory", "GiB")});
  const auto strings = [&builder](const std::vector<std::string>& texts) { return builder.CreateVectorOfStrings(texts); };
  const auto numbers = [&builder](const std::vector<double>& values) { return builder.CreateVector(values); };
  const auto indices = [&builder](const std::vector<std::uint32_t>& values) { return builder.CreateVector(values); };
  const auto apps = wire::CreateApps(
      builder, strings({"web", "db", "batch"}), indices({4, 2, 9}), numbers({1, 2, 2, 8, 0.5, 0.25}),
      builder.CreateVector(std::vector<std::int32_t>{1, 2, -3}), numbers({0.1, 0, 0, 0, 0, 0}), numbers({0, 0, 0, 0, 0, 0}),
      numbers({2, 4, 4, 16, 1, 1}), indices({0, 1, 1}), indices({0, 1, 2, 3}), indices({0, 1, 2}));
  const auto classes = builder.CreateVector(
      std::vector{wire::CreateNodeClass(builder, builder.CreateString("small"), numbers({8, 16}), 0, 1, strings({"zone=a"})),
                  wire::CreateNodeClass(builder, builder.CreateString("large"), numbers({64, 128}), 3, 5, strings({"ssd"}))});
  const auto nodes =
      wire::CreateNodes(builder, indices({0, 1}), strings({"n0", "n1"}), numbers({1, 1, 0, 0}), numbers({0, 0, 0, 0}),
                        builder.CreateVector(std::vector<std::uint8_t>{0, 1}), indices({0, 1, 1}), indices({2}));
  const auto limits = wire::CreateAffinityLimits(builder, indices({0, 2, 3, 3}), indices({0, 1, 2}), indices({2, 1, 0}));
  const auto running = builder.CreateVectorOfStructs(std::vector<wire::Residence>{{0, 0, 2}, {2, 1, 3}});
  const auto pinned = builder.CreateVectorOfStructs(std::vector<wire::Residence>{{1, 1, 1}});
  const auto tags = strings({"front", "store", "spot"});
  const auto groups = builder.CreateVector(std::vector{
      wire::CreateNodeGroup(builder, builder.CreateString("rack"), indices({0, 1, 2}), indices({0, 1}), strings({"r0", "r1"})),
      wire::CreateNodeGroup(builder, builder.CreateString("zone"), 0, 0, 0, builder.CreateString("zone"))});
  const auto cardinality =
      wire::CreateCardinality(builder, wire::CardinalityKind::Replicas, indices({0}), indices({1}), 0, 3, 0, false);
  const auto conjunction = wire::CreateConjunction(builder, builder.CreateVector(std::vector{cardinality}));
  const auto rules = builder.CreateVector(
      std::vector{wire::CreatePlacementRule(builder, builder.CreateString("apart"),
                                            builder.CreateVector(std::vector{conjunction}), false, 2, wire::Origin::Operator)});
  const auto uncertainty = wire::CreateUncertainty(builder, wire::ChanceModel::BoundedSupport, 0.95, 1);
  const auto interference = wire::CreateInterference(builder, strings({"cpu-bound", "io-bound"}), numbers({1, 0.5, 0.5, 0}), 1,
                                                     numbers({100, std::numeric_limits<double>::infinity()}));
  const auto name = builder.CreateString("full");
  wire::FinishInstanceBuffer(builder, wire::CreateInstance(builder, 1, name, resources, 1, apps, classes, nodes, limits,
                                                           running, pinned, tags, groups, rules, uncertainty, interference));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

/// The smallest instance that loads.
Bytes tiny_instance() {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<std::uint32_t> replicas = {3};
  const std::vector<double> demand = {2};
  const std::vector<double> capacity = {5};
  const auto apps = wire::CreateAppsDirect(builder, nullptr, &replicas, &demand);
  const auto resources = builder.CreateVector(std::vector{wire::CreateResourceDirect(builder, "cpu")});
  const auto classes = builder.CreateVector(std::vector{wire::CreateNodeClassDirect(builder, nullptr, &capacity)});
  wire::FinishInstanceBuffer(builder, wire::CreateInstance(builder, 1, 0, resources, 1, apps, classes));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

/// The plan with two copies of every anonymous node.
Bytes with_copies(const wire::Plan& plan) {
  flatbuffers::FlatBufferBuilder builder;
  const auto copied = [&](const flatbuffers::Vector<std::uint32_t>* from) {
    return builder.CreateVector(std::vector<std::uint32_t>(from->begin(), from->end()));
  };
  std::vector<std::uint32_t> copies;
  for (const std::uint32_t listed : *plan.listed()) copies.push_back(listed == 4294967295U ? 2 : 1);
  const auto planner = builder.CreateString(plan.planner()->str());
  const auto node_class = copied(plan.node_class());
  const auto listed = copied(plan.listed());
  const auto placed =
      builder.CreateVectorOfStructs(reinterpret_cast<const wire::Placed*>(plan.placed()->Data()), plan.placed()->size());
  const auto unplaced =
      builder.CreateVectorOfStructs(reinterpret_cast<const wire::Unplaced*>(plan.unplaced()->Data()), plan.unplaced()->size());
  const auto wire_copies = builder.CreateVector(copies);
  wire::PlanBuilder plan_builder(builder);
  plan_builder.add_instance(plan.instance());
  plan_builder.add_planner(planner);
  plan_builder.add_node_class(node_class);
  plan_builder.add_listed(listed);
  plan_builder.add_placed(placed);
  plan_builder.add_unplaced(unplaced);
  plan_builder.add_copies(wire_copies);
  wire::FinishPlanBuffer(builder, plan_builder.Finish());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

void binary_seeds() {
  const Bytes busy = stowage::fuzz::busy_instance();
  const Bytes full = full_instance();
  const Bytes tiny = tiny_instance();
  save("fuzz_instance", "busy", busy.data(), busy.size());
  save("fuzz_instance", "full", full.data(), full.size());
  save("fuzz_instance", "tiny", tiny.data(), tiny.size());

  const auto instance = stowage::fuzz::load(busy.data(), busy.size());
  const RequestData requests[] = {
      {},
      {.planner = "bfd-avgexp", .seed = 7, .options = {{"alpha", 0.5}, {"epsilon", 2}}},
      {.planner = "wf-max", .work_limit = 3, .threads = 2, .node_limit = 2},
      {.planner = "medea-tp", .ignore_running = true, .move_budget = 2},
      {.planner = "biheu", .ignore_running = true, .compact = true},
      {.planner = "kind-lpt", .node_limit = 3, .objective = wire::Objective::Worst},
      {.planner = "bfd-avg", .max_cost = 50},
      {.planner = "bfd-max", .ignore_running = true, .survive = "*"},
      {.planner = "bf-max", .move_budget = 3, .keep = {{0, 2}, {3, 1}}, .survive = "zone"},
      {.planner = "ffd-max", .move_budget = 3, .leave_free = "zone"},
      {.planner = "auto", .work_limit = 1000, .goals = {wire::GoalKind::Cost, wire::GoalKind::Balance}},
      {.planner = "ffd-avg", .goal_words = "cost~1%"}};
  for (const RequestData& request : requests) {
    const Bytes bytes = stowage::fuzz::encode(request);
    save("fuzz_request", request.planner, bytes.data(), bytes.size());
    const auto plan = stowage::fuzz::plan(*instance, *wire::GetInstance(busy.data()), request);
    if (!plan) continue;
    save("fuzz_plan", request.planner, plan->data(), plan->size());
    save("fuzz_plan_text", request.planner + ".stow", plan->data(), plan->size());
    if (!request.compact) continue;
    const Bytes copies = with_copies(*wire::GetPlan(plan->data()));
    save("fuzz_plan", "copies", copies.data(), copies.size());
    save("fuzz_plan_text", "copies.stow", copies.data(), copies.size());
  }
}

/// What is written, in memory.
class Written final : public stowage::cli::Output {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string instance_json(const Bytes& instance) {
  Written out;
  stowage::cli::write_instance_json(*wire::GetInstance(instance.data()), out);
  return out.text();
}

/// An instance, a plan and a report as bytes, the first two as JSON, and operations.
void text_library_seeds() {
  const Bytes busy = stowage::fuzz::busy_instance();
  const auto instance = stowage::fuzz::load(busy.data(), busy.size());
  const auto plan = stowage::fuzz::plan(*instance, *wire::GetInstance(busy.data()), {});
  stowage_buffer report{nullptr, 0};
  stowage_explain(instance->get(), plan->data(), plan->size(), STOWAGE_ALL_UNPLACED, nullptr, &report, nullptr);
  const stowage::Buffer owned(report);
  Written plan_json;
  stowage::cli::write_plan_json(*wire::GetPlan(plan->data()), stowage::cli::Names(*wire::GetInstance(busy.data())), plan_json);
  save("fuzz_text", "instance", busy.data(), busy.size());
  save("fuzz_text", "plan", plan->data(), plan->size());
  save("fuzz_text", "report", owned.data(), owned.size());
  save("fuzz_text", "instance.json", instance_json(busy));
  save("fuzz_text", "plan.json", plan_json.text());
  save("fuzz_text", "operations.json",
       R"([{"op": "submit", "app": "web", "replicas": 3, "demand": {"cpu": ["500m", 1, 2], "memory": "2Gi"}, "max_per_node": 1},
{"op": "add-node", "node": "n", "class": "small", "load": {"cpu": 1}, "tags": ["ssd"], "sets": {"rack": ["r1", "r2"]}},
{"op": "add-rule", "rule": {"name": "apart", "any_of": [[{"subject": "x", "target": "x", "max": 1}]]}},
{"op": "traffic", "app": "web", "peer": "app-0", "amount": 2.5}, {"op": "cordon", "node": "n"}])");
}

/// Random bytes, from which a target draws inputs of some size from the start.
void noise_seeds(const std::string& target) {
  std::uint64_t state = 1;
  for (int k = 0; k < 24; ++k) {
    std::string bytes;
    for (int length = 0; length < 100 + 40 * k; ++length) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      bytes += static_cast<char>(state >> 56);
    }
    save(target, "noise-" + std::to_string(k), bytes);
  }
}

void text_seeds() {
  for (const auto& [name, bytes] : {std::pair("busy", stowage::fuzz::busy_instance()), std::pair("full", full_instance())}) {
    save("fuzz_instance_json", name, instance_json(bytes));
  }
  save("fuzz_instance_json", "quantities", R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "periods": 2,
 "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": ["500m", "1"], "memory": "2Gi"}, "max_per_node": 1, "limits": {"db": 0}},
          {"name": "db", "replicas": 1, "demand": {"cpu": [1, 2], "memory": 4}, "priority": 2}],
 "classes": [{"name": "small", "capacity": {"cpu": 8, "memory": "16 GiB"}, "count": 3, "price": 1.5, "labels": {"zone": "a"}}],
 "nodes": [{"name": "n0", "class": "small", "load": {"cpu": 1}, "running": {"web": 1}, "pinned": {"db": 1}, "closed": true}]}
)");
  save(
      "fuzz_session_json", "day",
      R"({"op": "submit", "app": "web", "replicas": 3, "demand": {"cpu": ["500m", 1, 2], "memory": "2Gi"}, "max_per_node": 1, "limits": {"db": 0}, "priority": -1}
{"op": "add-node", "node": "n", "class": "small", "load": {"cpu": 1}, "tags": ["ssd"]}
{"op": "batch", "operations": [{"op": "pin", "app": "web", "node": "n", "replicas": 1}, {"op": "drain", "node": "n"}]}
{"op": "add-rule", "rule": {"name": "apart", "all_of": [{"subject": "x", "target": "x", "max": 1}], "hard": false, "weight": 2}}
{"op": "plan", "planner": "ff", "deadline": "1s", "options": {"alpha": 0.5}}
{"op": "commit", "mode": "fitting"}
{"op": "scale", "app": "web", "replicas": 1}
{"op": "remove", "app": "web"}
)");
  save("fuzz_instance_json", "wrong",
       R"({"stowage": 1, "resources": [{"name": "cpu"}], "apps": [{"replicas": -1}], "classes": []})");
  save("fuzz_instance_json", "deep", std::string(200, '[') + "\"\\u0041\\ud83d\\ude00\"" + std::string(200, ']'));
  save("fuzz_instance_json", "tables",
       "name,replicas,priority,weight,max_per_node,tags,only,not,limits,cpu,memory,cpu_deviation\n"
       "web,3,5,2,2,front,zone=a,old,db=0,500m,2Gi,100m\ndb,1,,,,,,,,2,\"8\",\n"
       "\fname,count,price,labels,cpu,memory\nsmall,2,0.1,zone=a ssd,4,16\nlarge,,0.2,,8,32\n"
       "\fnode,class,app,replicas\nn2,large,web,2\nn1,small,,\n");
  save("fuzz_instance_json", "sheet", "App Name;Instances;vCPU;Memory (GiB)\r\nweb;3;0,5;2\r\n\fname;cpu;memory\nm;4;8\n");
  save("fuzz_instance_tsv", "small", "1\t2\t0.5\t[1, 2]\t1\t[(2, 0)]\n2\t1\t[1,2]\t4\t0\t[]\n");
  save("fuzz_instance_tsv", "names", "web\t2\t1\t1\t2\t[('db', 1), (web, 2)]\ndb\t1\t1\t4\t0\t[]\r\n\n");
  save("fuzz_plan_text", "csv", "node,app,replicas\n#0,#0,1\n#2,#0,2\n#2,#1,1\nsmall-1,\"#2\",4\n");
  save("fuzz_plan_text", "json",
       R"({"stowage_plan": 1, "instance": "0", "planner": "ff", "status": "partial", "seed": 1, "work": 2,
 "node_bound": {"name": "capacity", "value": 1, "resource": "cpu", "period": 0}, "gap": 0.5, "cost": 2,
 "nodes": [{"name": "#0", "replicas": {"#0": 1}}, {"class": "small", "replicas": {"#1": 1}}], "unplaced": {"#2": 8}}
)");
  save("fuzz_plan_text", "copies.json",
       R"({"stowage_plan": 1, "planner": "biheu", "nodes": [{"class": "small", "copies": 3, "replicas": {"#1": 1}, "ucac": 1},
 {"class": "small", "copies": 4294967295, "ucac": 2}], "unplaced": {}}
)");
  int number = 0;
  for (const char* text : {"500m", "2Gi\nGiB", "250 GiB\nMiB", "1.5e3 cores\ncores", "10s", "1%", "-0", "1e309",
                           "18446744073709551615", "12.5 kB/s\nMb/s"}) {
    save("fuzz_quantities", std::to_string(number++), text);
  }
  save("fuzz_tianchi", "small",
       "\1app_1,1|2,3|4,60,1,0,2\napp_2,0.5|0.5,1|1,10,0,0,0\n%\napp_1,app_2,0\napp_1,app_1,1\n%\n"
       "inst_1,app_1,machine_1\ninst_2,app_1,\ninst_3,app_2,machine_2\n%\n"
       "machine_1,32,64,600,7,3,7\nmachine_2,92,288,1024,7,7,9\n");
}

/// The output of a table writer.
template <class Write>
std::string table(Write&& write) {
  const std::string path = stowage::fuzz::Scratch::folder().path("seed.csv");
  write(path);
  return std::string(stowage::cli::InputFile(path).text());
}

void measured(stowage::cli::lab::MeasuredRun& run, const std::string& label, const std::string& status) {
  run.label = label;
  run.deadline_ms = 1000;
  run.status = status;
  run.nodes = 110;
  run.seconds = 0.002328762;
  run.call_seconds = 1.5;
  run.repeats = 3;
  run.machine = "a processor, 2 cores";
  run.build = "stowage 1.0, \"some\" compiler";
}

std::string paper_table() {
  namespace paper = stowage::cli::paper;
  std::vector<paper::Run> runs(2);
  measured(runs[0], "ff", "complete");
  runs[0].of = {false, 200, 0.005, stowage::cli::Graph::kArbitrary};
  runs[0].sizes = paper::kDrawnSizes;
  runs[0].bound = 100;
  runs[0].lower_bound = 101.5;
  measured(runs[1], "bf-nsigma:n=1.15@10s", paper::Run::kRefused);
  runs[1].of = {true, 9338, 0.1, stowage::cli::Graph::kThreshold};
  runs[1].sizes = "apps.stow";
  runs[1].seed = 1;
  runs[1].bound = 1;
  runs[1].unplaced = 2;
  runs[1].violations = 3;
  return table([&](const std::string& path) { stowage::cli::lab::write_runs(runs, path); });
}

std::string stochastic_table() {
  namespace stochastic = stowage::cli::stochastic;
  std::vector<stochastic::Run> runs(2);
  measured(runs[0], "biheu", "optimal");
  runs[0].of = {1, 5, 0.999};
  measured(runs[1], "csp-mac", "deadline");
  runs[1].of = {stochastic::kWeekTable, 17, 0.99};
  runs[1].day = 6;
  runs[1].ucac_bound = 300.25;
  runs[1].node_bound = 42;
  for (stochastic::Run& run : runs) {
    run.machines = 4000;
    run.layout = "csp-ucac";
    run.usage = "truncated";
    run.requested = 2952;
    run.ucac = 310.5;
    run.samples = 200;
    run.observations = 22000;
    run.exceeded = 5;
  }
  return table([&](const std::string& path) { stowage::cli::lab::write_runs(runs, path); });
}

std::string machine_table() {
  const std::vector<stowage::cli::stochastic::MachineUse> uses = {{{1, 5, 0.999}, 1, "biheu", {31.5, 31.5, 0}},
                                                                  {{3, 20, 0.9}, 1, "auto@10s", {1e-3}}};
  return table([&](const std::string& path) { stowage::cli::stochastic::write_uses(uses, path); });
}

std::string medea_table() {
  namespace medea = stowage::cli::medea;
  std::vector<medea::Run> runs(2);
  measured(runs[0], "tag-search", "complete");
  runs[0].of = {medea::Sweep::kUtilization, 0.3};
  measured(runs[1], "medea-ilp", "infeasible-proven");
  runs[1].of = {medea::Sweep::kResilience, 20};
  runs[1].mean_gap = 0.01;
  runs[1].worst_gap = 0.02;
  runs[1].median_unavailable = 0.05;
  runs[1].most_unavailable = 1;
  for (medea::Run& run : runs) {
    run.cluster = 500;
    run.applications = 10;
    run.given_up = 1;
    run.containers = 130;
    run.violating = 4;
    run.cost = 6.5;
    run.fragmented = 7;
    run.imbalance = 0.125;
  }
  return table([&](const std::string& path) { stowage::cli::lab::write_runs(runs, path); });
}

std::string with(std::string text, std::string_view old_part, std::string_view new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

void table_seeds() {
  const std::string paper = "0" + paper_table();
  const std::string stochastic = "1" + stochastic_table();
  const std::string machines = "2" + machine_table();
  const std::string medea = "3" + medea_table();
  const auto save_table = [](const std::string& name, const std::string& content) { save("fuzz_run_table", name, content); };
  save_table("paper", paper);
  save_table("stochastic", stochastic);
  save_table("machines", machines);
  save_table("medea", medea);
  save_table("no-runs", paper.substr(0, paper.find('\n') + 1));
  save_table("another-table", "1" + paper.substr(1));
  save_table("unknown-graph", with(paper, "arbitrary", "circular"));
  save_table("unknown-case", with(machines, "scale-down", "scale-up-and-down"));
  save_table("unknown-axis", with(medea, "utilization,", "usage,"));
  save_table("unknown-status", with(medea, "complete", "done"));
  save_table("missing-field", with(stochastic, ",4000", ""));
  save_table("negative-density", with(paper, "0.005", "-0.005"));
  save_table("count-beyond-32-bits", with(paper, ",200,", ",4294967496,"));
  save_table("times-beyond-nanoseconds", with(medea, ",1.5,", ",1e300,"));
  save_table("line-break-in-a-field", with(paper, "apps.stow", "\"apps\n.stow\""));
  save_table("quoted-field-that-goes-on", with(paper, "cores\"", "cores\" or so"));
  save_table("quote-without-end", paper.substr(0, paper.size() - 2) + "\n");
  save_table("cut-off", machines.substr(0, machines.size() - 3));
  save_table("run-twice", paper + paper.substr(paper.find('\n') + 1));
  save_table("empty-lines", with(with(stochastic, "\n", "\r\n\n"), "week", "weeks"));
}

/// The first letter selects the model by its bits: 0 relative errors, 1 absolute ones, 2 a baseline, 4 a large condition.
void observation_seeds() {
  const std::string header = "kind,cost,load_web,load_db\n";
  const std::string rows = "web,1,1,0\nweb,3.1,2,2\nweb,3,1,4\ndb,4,1,2\ndb,3,0,3\ndb,9.5,4,1\n";
  const std::string table = header + rows;
  const auto save_rows = [](const std::string& name, const std::string& content) { save("fuzz_observations", name, content); };
  save_rows("relative", "0" + table);
  save_rows("absolute", "1" + with(table, "web,1,", "web,0,"));
  save_rows("baseline", "2" + with(table, "web,1,1,0", "web,1,0,0"));
  save_rows("large-condition", "4" + with(table, "db,9.5,4,1", "db,9.5,4,8.01"));
  save_rows("alike", "4kind,cost,load_a,load_b\na,1,1,2\na,2,2,4\na,3,3,6\nb,1,1,0\nb,1,0,1\n");
  save_rows("weights-and-others", "0kind,cost,weight,node,load_a\r\na,1,0.5,n1,1\r\na,2,1e3,\"n\n2\",2\r\n");
  save_rows("as-many-as-values", "0kind,cost,load_a\na,1,1\n");
  save_rows("far-apart", "0kind,cost,load_a,load_b\na,1e15,1e-15,0\na,1e-15,0,1e15\na,1,1,1\nb,1,1,0\nb,1,0,1\n");
  save_rows("zero-cost", "0" + with(table, "db,4,", "db,0,"));
  save_rows("not-a-number", "0" + with(table, "3.1", "nan"));
  save_rows("negative", "0" + with(table, "db,3,", "db,-3,"));
  save_rows("out-of-range", "0" + with(table, "9.5", "1e300"));
  save_rows("unknown-kind", "0" + with(table, "db,4", "bd,4"));
  save_rows("never-beside", "0" + with(with(table, "2,2", "2,0"), "1,4", "1,0"));
  save_rows("never-observed", "0" + with(table, "load_db", "load_db,load_log"));
  save_rows("missing-column", "0" + with(table, "cost", "price"));
  save_rows("header-alone", "0" + header);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_seeds DIRECTORY\n");
    return 2;
  }
  root = argv[1];
  binary_seeds();
  text_library_seeds();
  noise_seeds("fuzz_structured");
  noise_seeds("fuzz_session");
  text_seeds();
  table_seeds();
  observation_seeds();
  return 0;
}
