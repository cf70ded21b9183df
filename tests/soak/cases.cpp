#include <algorithm>
#include <utility>

#include "core/colocation/bounds/exact.h"
#include "core/model/labels.h"
#include "core/planners/planner.h"
#include "tests/property/promises_agreement.h"
#include "tests/soak/soak.h"

namespace stowage::soak {

Case::Case(std::uint64_t seed, std::uint64_t number, Tally& counts)
    : random(seed * 0x9E3779B97F4A7C15 + number * 0xBF58476D1CE4E5B9 + 1), tally(counts) {
  random.next();
}

void Case::looks_at(const test::Generated& generated) {
  instance_ = encode(generated);
  request_.clear();
}

void Case::asks(const Request& request) { request_ = encode(request); }

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
  test::Generated result = test::generate(random.next(), size);
  // As it is written to a buffer.
  if (result.limited.empty()) result.row_begin.clear();
  if (result.data.rules.empty() || !random.chance(0.7)) return result;
  test::Generated plain = result;
  plain.data.running.clear();
  plain.data.pinned.clear();
  for (PlacementRule& rule : plain.data.rules) rule.from_operator = false;
  InstanceData copy = plain.data;
  copy.limits = {plain.row_begin, plain.limited, plain.at_most};
  // Rules of one origin may contradict each other where those of two do not.
  return Instance::build(std::move(copy)).ok() ? plain : result;
}

Request promising(test::Random& random, const Instance& instance, const Request& request) {
  if (!has_label(instance, "rack") || !random.chance(0.3)) return test::promising(instance, request);
  Request asked = request;
  asked.leave_free = "rack";
  return asked;
}

bool may_refuse(const std::string& planner, const Instance& instance, const Request& request) {
  const PlannerInfo* info = find_planner(planner);
  // It does not take kinds that do not suffer from themselves.
  if (planner == "mse-ptas" && instance.has_interference()) return true;
  if (planner == "mse-exact" && instance.total_replicas() > kMostExactReplicas) return true;
  return info == nullptr || info->needs_solver || (instance.features() & ~info->honours) != 0 ||
         !info->pursues.contains(request.objective);
}

}  // namespace stowage::soak
