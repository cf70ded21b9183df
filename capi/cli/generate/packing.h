// Published classes of packing instances: one-dimensional ones by Falkenauer, and vector packing by Caprara and Toth, also in
// more than two dimensions. docs/reference/generate.md defines them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli::packing {

struct Options {
  std::string of = "u";     ///< a class: u, t, or ct1 to ct10
  std::uint32_t items = 0;  ///< each a replica
  std::uint32_t dims = 0;   ///< resources; 0: usual_dims()
  bool merge = false;       ///< equal items are replicas of one app, instead of an app each
  std::uint64_t seed = 0;
};

/// All classes, as words.
const std::vector<std::string>& class_words();
/// Fails where `word` is no class; `option` is named then.
void check_class(std::string_view word, const std::string& option);
/// The published number of dimensions: 1 or 2.
std::uint32_t usual_dims(std::string_view word);
inline constexpr std::uint32_t kMostDims = 1'000;

/// The same options give the same instance on every platform. Fails where class t has no multiple of 3 as number of items, and
/// where the class does not have these dimensions.
InstanceData generate(Options options);

}  // namespace stowage::cli::packing
