// Sums of what cases counted, as text.
#pragma once

#include <cstdint>
#include <string>

#include "tests/soak/soak.h"

namespace stowage::soak {

void add(Tally& sum, const Tally& more);
std::string to_text(const Tally& tally);
Tally from_text(const std::string& text);

/// A run, as it is recorded.
struct Ran {
  std::string build;
  std::uint64_t seed = 0;
  std::uint64_t cases = 0;
  std::uint64_t findings = 0;
  double wall = 0;       ///< seconds
  double processor = 0;  ///< seconds
  double peak_megabytes = 0;
  Tally tally;
};

void print(const Ran& ran);
/// Appends a line to the record (docs/contribute/reliability.md).
void record(const Ran& ran, const std::string& file);

}  // namespace stowage::soak
