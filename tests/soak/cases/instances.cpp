#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tests/property/claims.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

/// Whether the instance can be built: rules of one origin may contradict each other where those of two do not, and the replicas
/// that run may be too many.
bool can_be_built(const test::Generated& generated) {
  InstanceData copy = generated.data;
  copy.limits = {generated.row_begin, generated.limited, generated.at_most};
  return Instance::build(std::move(copy)).ok();
}

/// As it is written to a buffer.
test::Generated drawn(test::Random& random, const test::Size& size) {
  test::Generated result = test::generate(random.next(), size);
  if (result.limited.empty()) result.row_begin.clear();
  return result;
}

/// What runs and what is pinned, on half of the pairs of an app and a node.
void settle(test::Generated& generated, test::Random& random) {
  InstanceData& data = generated.data;
  data.running.clear();
  data.pinned.clear();
  const double running = random.chance(0.5) ? 0.5 : 0.25;
  const double pinned = random.chance(0.5) ? 0 : 0.25;
  for (AppId app = 0; app < generated.apps(); ++app) {
    std::uint32_t free = data.replicas[app];
    for (NodeId n = 0; n < generated.listed(); ++n) {
      std::uint32_t here = 0;
      if (free > 0 && random.chance(running)) {
        here = random.between(1, free);
        free -= here;
        data.running.push_back({app, n, here});
      }
      if (here + free == 0 || !random.chance(pinned)) continue;
      const std::uint32_t replicas = random.between(1, here + free);
      free -= replicas > here ? replicas - here : 0;
      data.pinned.push_back({app, n, replicas});
    }
  }
}

/// A hard rule that wants replicas: beside each other, over sets, or evenly.
void add_minimum(test::Generated& generated, test::Random& random) {
  InstanceData& data = generated.data;
  if (data.app_tags.empty()) return;
  Cardinality part;
  part.kind = static_cast<CardinalityKind>(random.below(3));
  part.subject = {random.below(static_cast<std::uint32_t>(data.tags.size()))};
  part.target = random.chance(0.5) ? part.subject
                                   : std::vector<std::uint32_t>{random.below(static_cast<std::uint32_t>(data.tags.size()))};
  if (part.kind == CardinalityKind::kSkew) {
    part.max = random.between(1, 2);
  } else {
    part.min = random.between(1, 3);
  }
  if (!data.groups.empty() && random.chance(0.5)) part.group = random.below(static_cast<std::uint32_t>(data.groups.size()));
  PlacementRule rule;
  rule.name = "minimum";
  rule.any_of = {{part}};
  rule.from_operator = random.chance(0.3);
  data.rules.push_back(rule);
}

/// Less capacity than what runs was placed with.
void shrink(test::Generated& generated, test::Random& random) {
  for (NodeClass& one : generated.data.classes) {
    for (ResourceId r = 0; r < one.capacity.size(); ++r) {
      if (generated.data.resources[r].device == 0 && random.chance(0.5)) one.capacity[r] = std::floor(one.capacity[r] / 2);
    }
  }
}

/// Of the decade: from 10^5 to below 10^9.
std::uint32_t many(test::Random& random) {
  constexpr std::uint32_t kDecades[] = {100'000, 1'000'000, 10'000'000, 100'000'000};
  return kDecades[random.below(4)];
}

}  // namespace

test::Size small_size() {
  return {.apps = 5,
          .replicas = 3,
          .resources = 2,
          .periods = 3,
          .classes = 2,
          .listed = 2,
          .rules = 0.5,
          .daemons = 0.25,
          .eligibility = 0.3,
          .kinds = 0.3,
          .weights = 0.2};
}

test::Size middle_size() {
  test::Size size = small_size();
  size.apps = 20;
  size.replicas = 6;
  size.resources = 3;
  size.periods = 6;
  size.classes = 3;
  size.listed = 6;
  size.rules = 0.4;
  return size;
}

test::Generated any_instance(test::Random& random, const test::Size& size) {
  test::Generated result = drawn(random, size);
  if (result.data.rules.empty() || !random.chance(0.7)) return result;
  test::Generated plain = result;
  plain.data.running.clear();
  plain.data.pinned.clear();
  for (PlacementRule& rule : plain.data.rules) rule.from_operator = false;
  return can_be_built(plain) ? plain : result;
}

test::Generated running_instance(test::Random& random) {
  test::Size size = small_size();
  size.replicas = 6;
  size.classes = 3;
  size.listed = 4;
  size.rules = 0.6;
  for (;;) {
    test::Generated result = drawn(random, size);
    if (result.listed() == 0) continue;
    settle(result, random);
    if (result.data.running.empty()) continue;
    if (random.chance(0.3)) shrink(result, random);
    if (random.chance(0.2)) std::fill(result.data.demand.begin(), result.data.demand.end(), 0);
    if (random.chance(0.4)) add_minimum(result, random);
    if (random.chance(0.3)) {
      for (PlacementRule& rule : result.data.rules) rule.from_operator = random.chance(0.7);
    }
    if (can_be_built(result)) return result;
  }
}

test::Generated crowded_instance(test::Random& random) {
  test::Size size = small_size();
  size.apps = 4;
  size.listed = 3;
  size.replicas = 8;
  size.resources = 4;
  size.periods = 24;
  size.classes = 3;
  size.devices = 0.3;
  for (;;) {
    test::Generated result = drawn(random, size);
    InstanceData& data = result.data;
    const std::uint64_t total = std::accumulate(data.replicas.begin(), data.replicas.end(), std::uint64_t{0});
    if (total == 0) continue;
    const std::uint32_t times = many(random) / static_cast<std::uint32_t>(total);
    for (std::uint32_t& replicas : data.replicas) replicas *= random.chance(0.8) ? times : 1;
    // As many run as before, or as large a share as before.
    if (random.chance(0.5)) {
      for (auto* list : {&data.running, &data.pinned}) {
        for (Residence& one : *list) one.replicas = std::max(1u, static_cast<std::uint32_t>(one.replicas * random.share()));
      }
    } else {
      for (auto* list : {&data.running, &data.pinned}) {
        for (Residence& one : *list) one.replicas *= std::max(1u, times / 8);
      }
    }
    // Few nodes hold them all, or none of them, or each takes a node of its own.
    const double roomier = std::pow(10.0, random.below(9));
    for (NodeClass& one : data.classes) {
      if (one.count > 0) one.count = random.chance(0.5) ? std::min(times, 5'000'000u) : one.count;
      for (ResourceId r = 0; r < one.capacity.size(); ++r) {
        if (data.resources[r].device == 0) one.capacity[r] *= roomier;
      }
    }
    if (random.chance(0.3)) {
      for (std::uint32_t& most : result.at_most) most *= random.between(1, 1'000'000);
    }
    if (can_be_built(result)) return result;
  }
}

test::Generated priced_instance(test::Random& random) {
  test::Size size = small_size();
  size.apps = 3;
  size.resources = 2;
  size.periods = 2;
  size.classes = 4;
  size.rules = 0;
  size.kinds = 0.1;
  size.devices = 0.1;
  size.traffic = 0;
  for (;;) {
    test::Generated result = drawn(random, size);
    const auto total = std::accumulate(result.data.replicas.begin(), result.data.replicas.end(), 0u);
    if (total == 0 || !test::Claims::tiny(result) || random.chance(result.listed() > 0 ? 0.5 : 0)) continue;
    for (NodeClass& one : result.data.classes) one.price = random.chance(0.2) ? 0 : random.between(1, 20) / 4.0;
    return result;
  }
}

}  // namespace stowage::soak
