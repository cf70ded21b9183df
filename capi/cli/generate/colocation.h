// Instances of colocation with side effects, in the design of P4, section 6. docs/reference/generate.md describes what is
// drawn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli::colocation {

struct Options {
  std::string of = "mixed";  ///< a class of coefficients: compatible, incompatible, clashing, mixed
  std::uint32_t apps = 0;    ///< each with one replica
  std::uint32_t nodes = 0;
  std::uint32_t kinds = 3;
  /// Share of the capacity of all nodes that the load takes; 0: no capacity binds.
  double fill = 0;
  std::uint64_t seed = 0;
};

/// All classes, as words.
const std::vector<std::string>& class_words();
/// Fails where `word` is no class; `option` is named then.
void check_class(std::string_view word, const std::string& option);

/// The same options give the same instance on every platform. Loads do not depend on the class, nor coefficients on apps and
/// nodes.
InstanceData generate(const Options& options);

}  // namespace stowage::cli::colocation
