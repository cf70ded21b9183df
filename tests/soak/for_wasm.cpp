#include <fstream>

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

}  // namespace

// K.stow is an instance, K-PLANNER.stowreq a request, and K-PLANNER.stowplan the native plan.
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
      one.asks(request);
      const Answer answer = plan(handle.get(), one.request());
      if (answer.status != STOWAGE_OK) continue;
      write_file(stem + "-" + info.name + ".stowreq", one.request());
      write_file(stem + "-" + info.name + ".stowplan", answer.bytes);
    }
  }
}

}  // namespace stowage::soak
