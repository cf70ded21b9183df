// Plans instances with every planner of the catalogue, with 1 and 2 threads, and prints a digest of each plan's bytes. The
// output of two builds of the library has to be the same; scripts/check-determinism.sh compares them.
//
// Usage: plan_digests INSTANCE...
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "catalogue_generated.h"
#include "request_generated.h"

namespace {

namespace wire = stowage::wire;

std::vector<char> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// FNV-1a.
std::uint64_t digest(const stowage::Buffer& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

flatbuffers::DetachedBuffer request_for(const std::string& planner, std::uint32_t threads) {
  flatbuffers::FlatBufferBuilder builder;
  const auto name = builder.CreateString(planner);
  wire::RequestBuilder request(builder);
  request.add_planner(name);
  request.add_seed(1);
  request.add_threads(threads);
  request.add_work_limit(10'000'000);  // for planners that would go on
  builder.Finish(request.Finish(), wire::RequestIdentifier());
  return builder.Release();
}

/// Prints a line; false where the plan depends on the number of threads.
bool plan_and_print(const stowage::Instance& instance, const std::string& label, const std::string& planner) {
  try {
    const stowage::Buffer one = instance.plan(request_for(planner, 1));
    const stowage::Buffer two = instance.plan(request_for(planner, 2));
    std::printf("%s %s %zu bytes %016llx\n", label.c_str(), planner.c_str(), one.size(),
                static_cast<unsigned long long>(digest(one)));
    if (digest(one) == digest(two)) return true;
    std::fprintf(stderr, "%s: %s plans otherwise with 2 threads\n", label.c_str(), planner.c_str());
    return false;
  } catch (const stowage::Error& error) {
    if (error.status() != STOWAGE_UNSUPPORTED) throw;
    std::printf("%s %s unsupported\n", label.c_str(), planner.c_str());
    return true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const stowage::Buffer catalogue = stowage::planners();
    bool same = argc > 1;
    for (int i = 1; i < argc; ++i) {
      const std::string path = argv[i];
      const stowage::Instance instance = stowage::Instance::load(read_file(path));
      const std::string label = path.substr(path.find_last_of('/') + 1);
      for (const wire::PlannerInfo* planner : *wire::GetCatalogue(catalogue.data())->planners()) {
        same = plan_and_print(instance, label, planner->name()->str()) && same;
      }
    }
    return same ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plan_digests: %s\n", error.what());
    return 2;
  }
}
