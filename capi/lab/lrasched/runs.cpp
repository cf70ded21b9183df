#include "capi/lab/lrasched/runs.h"

#include <algorithm>
#include <charconv>

#include "capi/cli/base/console.h"
#include "capi/lab/learning/testbed.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lrasched {
namespace {

/// Loads that the command's options name.
bool is_load(const std::string& word) { return word == "literal" || word == "scaled" || word == "added"; }

constexpr std::uint32_t kAppsPerNode = 4;  // as P3's largest cluster, 2,000 apps on 500 nodes

std::uint32_t number_in(const std::string& size, const char* from, const char* to) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(from, to, number);
  if (error != std::errc() || end != to || number == 0) {
    throw Failure("--sizes: \"" + size + "\" is not a number of apps and one of nodes (try \"500/100\")");
  }
  return number;
}

/// P3's sizes, and the factor of containers at which its percentages come out; other sizes get the first one's.
double scale_of(const Cell& of) {
  if (of.apps == 1000 && of.nodes == 300) return 0.62;
  if (of.apps == 2000 && of.nodes == 500) return 0.54;
  return 0.41;
}

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.field("load", run.of.load);
  line.refuse_if(!is_load(run.of.load) && run.of.load != "latency" && run.of.load != "testbed");
  line.field("apps", run.of.apps).field("nodes", run.of.nodes).field("dims", run.of.dims);
  line.field("containers", run.of.containers).field("seed", run.seed).contender(run).field("admitted", run.admitted);
  line.field("most", run.most).field("utilization", run.utilization).field("added", run.added);
  line.field("least_added", run.least_added).defects(run).origin(run);
}

std::string class_text(const Cell& of) {
  return of.load + ", " + counted(of.apps, "app") + ", " + counted(of.nodes, "node") + ", " + counted(of.dims, "dimension");
}

std::vector<Cell> cells_of(const std::vector<std::string>& loads, const std::vector<std::string>& sizes,
                           const std::vector<std::uint32_t>& dims, std::uint32_t containers) {
  std::vector<Cell> all;
  for (const std::string& load : loads) {
    if (!is_load(load)) throw Failure("--loads: \"" + load + "\" is no load; use literal, scaled or added");
    for (const std::string& size : sizes) {
      const std::size_t slash = std::min(size.find('/'), size.size());
      const char* begin = size.data();
      const std::uint32_t apps = number_in(size, begin, begin + slash);
      const std::uint32_t nodes = number_in(size, begin + std::min(slash + 1, size.size()), begin + size.size());
      for (const std::uint32_t one : dims) all.push_back({load, apps, nodes, one, containers});
    }
  }
  return all;
}

std::vector<Cell> latency_cells(const std::vector<std::uint32_t>& nodes, std::uint32_t dims) {
  std::vector<Cell> all;
  all.reserve(nodes.size());
  for (const std::uint32_t count : nodes) all.push_back({"latency", kAppsPerNode * count, count, dims, 1});
  return all;
}

std::vector<Cell> testbed_cells() {
  std::vector<Cell> all;
  const std::uint32_t apps = sizes::kTestbedFamilies * sizes::kTestbedAppsPerFamily;
  for (std::uint32_t arrived = 1; arrived <= apps; ++arrived)
    all.push_back({"testbed", arrived, sizes::kTestbedNodes, 2, sizes::kTestbedContainers});
  return all;
}

lras::Options options_of(const Cell& of, std::uint64_t seed) {
  lras::Options options;
  options.apps = of.apps;
  options.nodes = of.nodes;
  options.dims = of.dims;
  options.containers = of.containers;
  // The same demand from several containers: a mean of (1 + containers) / 2 of them.
  options.scale = of.load == "literal" || of.load == "latency" ? 1 : scale_of(of) * 2 / (1 + of.containers);
  options.add = of.load == "added";
  options.seed = seed;
  return options;
}

}  // namespace stowage::cli::lrasched
