// Instances of few bytes or many nodes whose plans are large: few apps with up to 10^8 replicas, up to 10^6 listed nodes, and
// any features of the model beside each other. A seed gives the same instance on every platform.
#pragma once

#include <cstdint>
#include <string>

#include "core/run/request.h"
#include "tests/property/generator.h"

namespace stowage::soak {

/// What a large instance is made of.
struct LargeShape {
  std::uint32_t replicas = 100'000'000;  ///< of all apps together
  std::uint32_t apps = 3;
  std::uint32_t listed = 0;     ///< listed nodes, on which a half of the replicas runs as far as they fit
  std::uint32_t per_node = 10;  ///< replicas that fill an empty node, about
  bool periods = false;
  bool limits = false;
  bool rules = false;
  bool soft = false;  ///< among the rules
  bool devices = false;
  bool prices = false;
  bool counts = false;  ///< classes have as many nodes as two thirds of the replicas need
  bool uncertain = false;
  bool kinds = false;
  bool priorities = false;
  bool eligibility = false;

  /// Such as "10^8 replicas, 3 apps, 10^6 nodes, periods, prices".
  [[nodiscard]] std::string name() const;
};

/// Any shape, small ones more often than large ones.
LargeShape draw_shape(test::Random& random, std::uint32_t most_replicas, std::uint32_t most_listed);
test::Generated make_large(const LargeShape& shape, std::uint64_t seed);
/// A request that the instance admits, with objectives, promises, limits and moves.
Request draw_request(test::Random& random, const test::Generated& instance);

}  // namespace stowage::soak
