// Plans instances with every planner of the catalogue, with 1 and 2 threads, also as a portfolio if the planner has that
// option, and prints a digest of each plan's bytes. All builds of the library have to print the same;
// scripts/check-determinism.sh compares them.
//
// Usage: plan_digests WORK INSTANCE...    WORK: work limit of planners that search until their deadline
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

flatbuffers::DetachedBuffer request_for(const std::string& planner, std::uint64_t work, std::uint32_t threads,
                                        double portfolio) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<wire::Option>> given;
  if (portfolio > 1) given.push_back(wire::CreateOption(builder, builder.CreateString("portfolio"), portfolio));
  const auto options = builder.CreateVector(given);
  const auto name = builder.CreateString(planner);
  wire::RequestBuilder request(builder);
  request.add_planner(name);
  request.add_options(options);
  request.add_seed(1);
  request.add_threads(threads);
  request.add_work_limit(work);
  builder.Finish(request.Finish(), wire::RequestIdentifier());
  return builder.Release();
}

/// Prints a line. Returns false if the plan depends on the number of threads.
bool plan_and_print(const stowage::Instance& instance, const std::string& label, const std::string& planner, std::uint64_t work,
                    double portfolio) {
  try {
    const stowage::Buffer one = instance.plan(request_for(planner, work, 1, portfolio));
    const stowage::Buffer two = instance.plan(request_for(planner, work, 2, portfolio));
    std::printf("%s %s x %.0f %zu bytes %016llx\n", label.c_str(), planner.c_str(), portfolio, one.size(),
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

bool has_portfolio(const wire::PlannerInfo& planner) {
  for (const wire::OptionInfo* option : *planner.options()) {
    if (option->name()->str() == "portfolio") return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const stowage::Buffer catalogue = stowage::planners();
    bool same = argc > 2;
    const std::uint64_t work = same ? std::stoull(argv[1]) : 0;
    for (int i = 2; i < argc; ++i) {
      const std::string path = argv[i];
      const stowage::Instance instance = stowage::Instance::load(read_file(path));
      const std::string label = path.substr(path.find_last_of('/') + 1);
      for (const wire::PlannerInfo* planner : *wire::GetCatalogue(catalogue.data())->planners()) {
        const std::string name = planner->name()->str();
        same = plan_and_print(instance, label, name, work, 1) && same;
        if (has_portfolio(*planner)) same = plan_and_print(instance, label, name, work, 3) && same;
      }
    }
    return same ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plan_digests: %s\n", error.what());
    return 2;
  }
}
