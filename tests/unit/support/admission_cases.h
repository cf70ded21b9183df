// Applications on nodes with a count, small enough to try every plan.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/request.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

/// Up to six apps with up to three replicas, some with self limits and weights, on two or three nodes of different sizes.
inline InstanceBuilder tiny_admission(Random& random) {
  const std::uint32_t resources = random.between(1, 3);
  std::vector<std::string> names;
  for (std::uint32_t r = 0; r < resources; ++r) names.push_back("r" + std::to_string(r));
  InstanceBuilder builder(names);
  const auto amounts = [&](std::uint32_t first, std::uint32_t last) {
    std::vector<double> result;
    for (std::uint32_t r = 0; r < resources; ++r) result.push_back(random.between(first, last));
    return result;
  };
  const std::uint32_t apps = random.between(2, 6);
  const bool weighted = random.chance(0.4);
  for (AppId app = 0; app < apps; ++app) {
    builder.add_app("app-" + std::to_string(app), random.chance(0.6) ? 1 : random.between(1, 3), amounts(0, 6));
    if (weighted) builder.data().weight.push_back(random.between(1, 6) / 2.0);
    if (random.chance(0.3)) builder.limit(app, app, random.between(1, 2));
  }
  const std::uint32_t nodes = random.between(2, 3);
  for (std::uint32_t n = 0; n < nodes; ++n) builder.add_class(amounts(2, 10), 1);
  return builder;
}

/// The least weight left out of an instance of tiny_admission(), by trying every way to place each app as a whole.
class LeastLeftOut {
 public:
  explicit LeastLeftOut(const Instance& instance) : instance_(&instance) {
    for (ClassId c = 0; c < instance.classes(); ++c) free_.push_back(instance.data().classes[c].capacity);
  }
  double find() {
    try_app(0, 0);
    return best_;
  }

 private:
  void try_app(AppId app, double left_out) {
    if (left_out >= best_) return;
    if (app == instance_->apps()) {
      best_ = left_out;
      return;
    }
    place(app, 0, instance_->replicas(app), left_out);
    try_app(app + 1, left_out + instance_->weight(app));
  }
  void place(AppId app, std::size_t node, std::uint32_t left, double left_out) {
    if (left == 0) return try_app(app + 1, left_out);
    if (node == free_.size()) return;
    const std::uint32_t most = std::min(left, instance_->limit_rows().self_limit(app));
    for (std::uint32_t here = 0; here <= most; ++here) {
      if (here > 0 && !take(app, node, 1)) {
        take(app, node, -static_cast<double>(here - 1));
        return;
      }
      place(app, node + 1, left - here, left_out);
    }
    take(app, node, -static_cast<double>(most));
  }
  // Takes capacity, or gives it back; false, and nothing taken, where there is not enough.
  bool take(AppId app, std::size_t node, double replicas) {
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      if (instance_->demand(app, r, 0) * replicas > free_[node][r]) return false;
    }
    for (ResourceId r = 0; r < instance_->resources(); ++r) free_[node][r] -= instance_->demand(app, r, 0) * replicas;
    return true;
  }

  const Instance* instance_;
  std::vector<std::vector<double>> free_;
  double best_ = 1e9;
};

inline Request request_to_admit(const std::string& planner) {
  Request request;
  request.planner = planner;
  request.objective = Objective::kAdmitted;
  return request;
}

}  // namespace stowage::test
