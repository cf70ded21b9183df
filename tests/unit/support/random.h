// Random numbers for tests: the same on every platform, unlike the distributions of <random>.
#pragma once

#include <cstdint>

#include "core/base/numbers/random.h"

namespace stowage::test {

class Random : public stowage::Random {
 public:
  using stowage::Random::Random;

  /// From 0 to count - 1. For small counts, so that the bias of the remainder does not matter.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }
  /// From first to last, both included.
  std::uint32_t between(std::uint32_t first, std::uint32_t last) { return first + below(last - first + 1); }
  bool chance(double probability) { return share() < probability; }
};

}  // namespace stowage::test
