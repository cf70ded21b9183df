// Writes random instances, plans and operations, and the JSON of each as the C functions write it. The tests of the command and
// of the bindings write and read the same JSON and compare bytes.
//
// Usage: write_faces FOLDER INSTANCES [FILE.stow]...
// The files are instances beside the random ones. K.stow is an instance, K.json its JSON, and K-back.stow the instance of that
// JSON; K-plan.stow is a plan of K.stow, K-plan.json and K-plan-back.stow likewise; K-operations.json are operations on a
// session of K.stow, K-operations.stow their bytes, and K-after.stow is the snapshot behind them.
//
// What it writes is checked before: the instance of the JSON has the fingerprint that stowage_text.h promises.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/include/stowage_text.h"
#include "capi/src/codec.h"
#include "core/planners/planner.h"
#include "tests/faces/in_order.h"
#include "tests/faces/random_operations.h"
#include "tests/soak/calls.h"

namespace stowage::faces {
namespace {

using soak::Bytes;

std::string_view text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
const char* characters(const Bytes& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

Bytes instance_to_json(const Bytes& instance) {
  return soak::must("instance to JSON", [&](stowage_buffer* json, stowage_error* error) {
    return stowage_instance_to_json(instance.data(), instance.size(), nullptr, json, error);
  });
}
Bytes instance_from_json(const Bytes& json) {
  return soak::must("instance from JSON", [&](stowage_buffer* instance, stowage_error* error) {
    return stowage_instance_from_json(characters(json), json.size(), nullptr, instance, error);
  });
}
Bytes plan_to_json(const Bytes& instance, const Bytes& plan) {
  return soak::must("plan to JSON", [&](stowage_buffer* json, stowage_error* error) {
    return stowage_plan_to_json(instance.data(), instance.size(), plan.data(), plan.size(), nullptr, json, error);
  });
}
Bytes plan_from_json(const Bytes& instance, const Bytes& json) {
  return soak::must("plan from JSON", [&](stowage_buffer* plan, stowage_error* error) {
    return stowage_plan_from_json(instance.data(), instance.size(), characters(json), json.size(), nullptr, plan, error);
  });
}

std::uint64_t fingerprint(const Bytes& instance) { return stowage_instance_fingerprint(soak::load(instance).get()); }

/// Names that are seldom: with what JSON escapes, of any script, and such as other languages take for something else. Some have
/// none.
void give_names(test::Generated& generated, test::Random& random) {
  constexpr const char* kRare[] = {"web",
                                   "a \"b\"",
                                   "c,d\\e",
                                   "\xc3\xa9\xe4\xb8\xad",
                                   "\xf0\x9f\x9a\xa2",
                                   "#1",
                                   "7",
                                   "line\n",
                                   "\x1b[1m",
                                   "\t",
                                   "__proto__",
                                   "\xe2\x80\xa8",
                                   "</b>",
                                   " "};
  const auto name = [&](const char* stem, std::uint32_t position) {
    const std::string plain = stem + std::to_string(position);
    if (random.chance(0.6)) return plain;
    const std::string rare = kRare[random.below(std::size(kRare))];
    return random.chance(0.5) ? rare + std::to_string(position) : plain + rare;
  };
  InstanceData& data = generated.data;
  if (random.chance(0.6)) data.name = name("an instance ", 1);
  if (random.chance(0.8)) {
    for (std::uint32_t app = 0; app < generated.apps(); ++app) data.app_names.push_back(name("app-", app));
  }
  if (random.chance(0.8)) {
    for (std::uint32_t node = 0; node < generated.listed(); ++node) data.node_names.push_back(name("node-", node));
  }
  constexpr const char* kUnits[] = {"", "cores", "GiB", "MB", "Hz", "B/s"};
  for (Resource& resource : data.resources) resource.unit = kUnits[random.below(std::size(kUnits))];
  if (random.chance(0.2)) data.classes[0].name.clear();
  NodeGroup cages;  // that new nodes join
  cages.name = "cage";
  cages.sets.begin = {0};
  data.groups.push_back(cages);
}

/// Some goals, each once.
std::vector<PlanGoal> any_goals(ResourceId resources, test::Random& random) {
  std::vector<PlanGoal> goals;
  for (std::uint32_t kind = 0; kind < static_cast<std::uint32_t>(GoalKind::kEnd); ++kind) {
    if (!random.chance(0.25)) continue;
    PlanGoal goal{.what = static_cast<GoalKind>(kind)};
    if (goal.what == GoalKind::kBalance || goal.what == GoalKind::kEvenness) {
      goal.resource = random.chance(0.5) ? random.below(resources) : kNone;
    }
    goal.beside = !goals.empty() && random.chance(0.3);
    goal.weight = random.chance(0.3) ? 0.5 : 1;
    goal.tolerance = !goal.beside && random.chance(0.3) ? 0.01 : 0;
    goals.push_back(goal);
  }
  return goals;
}

/// A plan of what is random, or of less where the planner does not do it.
Bytes any_plan(const stowage_instance* instance, const test::Generated& generated, test::Random& random) {
  const auto& known = planners();
  Request request;
  request.planner = random.chance(0.5) ? "auto" : known[random.below(static_cast<std::uint32_t>(known.size()))].name;
  request.seed = random.next();
  request.work_limit = 2'000;
  request.compact = random.chance(0.3);
  request.fill = random.chance(0.2);
  request.move_budget = random.chance(0.3) ? 2 : 0;
  request.node_limit = random.chance(0.3) ? random.between(1, generated.listed() + 3) : 0;
  request.objective = static_cast<Objective>(random.chance(0.5) ? 0 : random.below(6));
  request.soft = static_cast<SoftPolicy>(random.below(3));
  request.soft_price = request.soft == SoftPolicy::kPrice ? 0.1 : 0;
  if (random.chance(0.2)) request.keep = {{random.below(generated.apps()), 1}};
  if (random.chance(0.2)) request.survive = kEachNode;
  if (random.chance(0.1)) request.leave_free = "rack";
  if (random.chance(0.3)) {
    request.objective = Objective::kNodes;
    request.soft = SoftPolicy::kFirst;
    request.soft_price = 0;
    request.goals = any_goals(static_cast<ResourceId>(generated.data.resources.size()), random);
  }
  soak::Answer answer = soak::plan(instance, soak::encode(request));
  if (answer.status == STOWAGE_OK) return answer.bytes;
  Request plain;
  plain.planner = "auto";
  plain.seed = request.seed;
  plain.work_limit = request.work_limit;
  return soak::must("plan", [&](stowage_buffer* plan, stowage_error* error) {
    const Bytes bytes = soak::encode(plain);
    return stowage_plan(instance, bytes.data(), bytes.size(), nullptr, plan, error);
  });
}

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) { std::filesystem::create_directories(path_); }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream stream(path_ + "/" + name, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    soak::require(stream.good(), "cannot write " + path_ + "/" + name);
  }
  void write(const std::string& name, const Bytes& content) const { write(name, text_of(content)); }

 private:
  std::string path_;
};

/// The same text comes of what is read from it, and the fingerprint of what is in the order of the format stays.
void check_round_trip(const test::Generated& generated, const Bytes& json, const Bytes& back) {
  soak::require(instance_to_json(back) == json, "the JSON of an instance that was read is another text");
  soak::require(fingerprint(back) == fingerprint(soak::encode(in_order(generated))),
                "an instance of JSON is not the instance in the order of the format");
}

test::Generated any_instance(test::Random& random) {
  test::Size size;
  size.apps = random.chance(0.5) ? 5 : 15;
  size.listed = 5;
  size.weights = 0.2;
  test::Generated generated = test::generate(random.next(), size);
  if (generated.limited.empty()) generated.row_begin.clear();
  give_names(generated, random);
  return generated;
}

test::Generated instance_in(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(stream), {}};
  Watch nobody;
  const capi::AlignedBytes aligned(bytes.data(), bytes.size(), nobody);
  auto decoded = capi::decode_instance(aligned, Limits{}, nobody);
  soak::require(decoded.ok(), path + " is no instance");
  test::Generated result{std::move(*decoded), {}, {}, {}};
  const LimitColumns limits = std::exchange(result.data.limits, {});
  result.row_begin.assign(limits.row_begin.begin(), limits.row_begin.end());
  result.limited.assign(limits.app.begin(), limits.app.end());
  result.at_most.assign(limits.at_most.begin(), limits.at_most.end());
  return result;
}

void write_case(const Folder& folder, const std::string& stem, const test::Generated& generated, test::Random& random) {
  const Bytes instance = soak::encode(generated);
  const Bytes json = instance_to_json(instance);
  const Bytes back = instance_from_json(json);
  check_round_trip(generated, json, back);
  folder.write(stem + ".stow", instance);
  folder.write(stem + ".json", json);
  folder.write(stem + "-back.stow", back);

  const Bytes plan = any_plan(soak::load(instance).get(), generated, random);
  const Bytes plan_json = plan_to_json(instance, plan);
  const Bytes plan_back = plan_from_json(instance, plan_json);
  soak::require(plan_to_json(instance, plan_back) == plan_json, "the JSON of a plan that was read is another text");
  folder.write(stem + "-plan.stow", plan);
  folder.write(stem + "-plan.json", plan_json);
  folder.write(stem + "-plan-back.stow", plan_back);

  const std::string operations_json = any_operations(generated, random);
  const Bytes operations = soak::must("operations from JSON", [&](stowage_buffer* bytes, stowage_error* error) {
    return stowage_operations_from_json(instance.data(), instance.size(), operations_json.data(), operations_json.size(),
                                        nullptr, bytes, error);
  });
  stowage_session* opened = nullptr;
  stowage_error error{};
  stowage_status status = stowage_session_open(instance.data(), instance.size(), nullptr, &opened, &error);
  soak::require(status == STOWAGE_OK, error.message);
  const soak::SessionHandle session(opened);
  status = stowage_session_apply(opened, operations.data(), operations.size(), &error);
  soak::require(status == STOWAGE_OK, std::string(error.path) + ": " + error.message + " in " + operations_json);
  folder.write(stem + "-operations.json", operations_json);
  folder.write(stem + "-operations.stow", operations);
  folder.write(stem + "-after.stow", soak::must("snapshot", [&](stowage_buffer* snapshot, stowage_error* failure) {
                 return stowage_session_snapshot(opened, snapshot, failure);
               }));
}

}  // namespace
}  // namespace stowage::faces

int main(int argc, char** argv) {
  using namespace stowage::faces;  // NOLINT(google-build-using-namespace)
  if (argc < 3) {
    std::fprintf(stderr, "usage: write_faces FOLDER INSTANCES [FILE.stow]...\n");
    return 2;
  }
  std::string stem;
  try {
    const Folder folder(argv[1]);
    const std::uint64_t instances = std::stoull(argv[2]);
    for (std::uint64_t number = 0; number < instances; ++number) {
      stowage::test::Random random(number * 0x9E3779B97F4A7C15 + 1);
      random.next();
      stem = std::to_string(number);
      write_case(folder, stem, any_instance(random), random);
    }
    for (int k = 3; k < argc; ++k) {
      stowage::test::Random random(static_cast<std::uint64_t>(k));
      stem = std::filesystem::path(argv[k]).stem().string();
      write_case(folder, stem, instance_in(argv[k]), random);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_faces: %s: %s\n", stem.c_str(), error.what());
    return 1;
  }
}
