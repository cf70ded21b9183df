// Workloads like those of P0, section 5.1: sizes, replicas and profiles from distributions fitted to the published data, and
// affinity graphs of a given density. docs/reference/generate.md explains the model and how well it matches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

enum class Graph : std::uint8_t { kArbitrary, kNormal, kThreshold };

struct GenerateOptions {
  std::uint32_t apps = 0;
  /// Average number of affinity limits per app, divided by the number of apps; from 0 to 1.
  double density = 0;
  Graph graph = Graph::kArbitrary;
  /// 98 periods instead of the largest demand over time, rounded up.
  bool profile = false;
  /// Replicas drawn independently of the sizes, instead of more for large apps as in the published data.
  bool independent_replicas = false;
  std::uint64_t seed = 0;
  /// Capacity of the one, open-ended node class.
  std::string node = "cores=64,memory=128";
};

/// The same options give the same instance on every platform. Sizes and replicas depend on neither graph nor profile.
InstanceData generate_instance(const GenerateOptions& options);

/// Replaces the limits of `data`, which has `options.apps` apps, by those that generate_instance() would make.
void generate_limits(const GenerateOptions& options, InstanceData& data);

/// "arbitrary", "normal", "threshold"; fails on any other word.
Graph parse_graph(std::string_view word);
/// Nothing for any other word.
std::optional<Graph> find_graph(std::string_view word);
const char* graph_word(Graph graph);

}  // namespace stowage::cli
