#include <cstdio>
#include <fstream>
#include <string>

#include "core/planners/planner.h"
#include "tests/property/agreement.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

void write_file(const std::string& path, const Bytes& bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  require(stream.good(), "cannot write " + path);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// The request as the package's PlanRequest in JSON. Its seed is small enough for a JSON number.
std::string json(const Request& request) {
  constexpr const char* kObjectives[] = {"nodes", "ucac", "worst", "total", "admitted"};
  constexpr const char* kSoft[] = {"first", "last", "price"};
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  std::string options;
  for (const RequestOption& option : request.options) {
    options += (options.empty() ? "\"" : ", \"") + option.name + "\": " + number(option.number);
  }
  return "{\"planner\": \"" + request.planner + "\", \"options\": {" + options +
         "}, \"seed\": " + std::to_string(request.seed) + ", \"workLimit\": " + std::to_string(request.work_limit) +
         ", \"nodeLimit\": " + std::to_string(request.node_limit) + ", \"ignoreRunning\": " + flag(request.ignore_running) +
         ", \"moveBudget\": " + std::to_string(request.move_budget) + ", \"objective\": \"" +
         kObjectives[static_cast<std::size_t>(request.objective)] + "\", \"allOrNothing\": " + flag(request.all_or_nothing) +
         ", \"soft\": \"" + kSoft[static_cast<std::size_t>(request.soft)] + "\", \"softPrice\": " + number(request.soft_price) +
         ", \"fill\": " + flag(request.fill) + ", \"maxCost\": " + number(request.max_cost) + "}\n";
}

}  // namespace

// K.stow is an instance, K-PLANNER.json a request, and K-PLANNER.stowplan the native plan.
void write_for_wasm(const std::string& folder, std::uint64_t seed, std::uint64_t cases) {
  Tally tally;
  for (std::uint64_t k = 0; k < cases; ++k) {
    Case one(seed, k, tally);
    const test::Generated generated = any_instance(one.random, one.random.chance(0.5) ? small_size() : middle_size());
    one.looks_at(generated);
    const std::string stem = folder + "/" + std::to_string(k);
    write_file(stem + ".stow", one.instance());
    const InstanceHandle handle = load(one.instance());
    const Instance instance = generated.build();
    for (const PlannerInfo& info : planners()) {
      Request request = test::any_request(info, generated, instance, one.random);
      if (info.needs_solver || one.random.chance(0.7)) continue;
      if (request.work_limit > 0) request.work_limit = 50'000;
      request.threads = 1;
      request.seed %= 1u << 31;
      one.asks(request);
      const Answer answer = plan(handle.get(), one.request());
      if (answer.status != STOWAGE_OK) continue;
      const std::string text = json(request);
      write_file(stem + "-" + info.name + ".json", Bytes(text.begin(), text.end()));
      write_file(stem + "-" + info.name + ".stowplan", answer.bytes);
    }
  }
}

}  // namespace stowage::soak
