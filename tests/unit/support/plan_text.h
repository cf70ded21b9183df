// Plans as short texts, for comparisons in one line.
#pragma once

#include <string>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage::test {

/// Placed replicas, node by node: "web:2 cache:1 | web:1". The instance must have app names.
inline std::string who_sits_where(const Instance& instance, const Plan& plan) {
  std::string text;
  std::size_t k = 0;
  for (NodeId n = 0; n < plan.nodes.size(); ++n) {
    if (n > 0) text += " | ";
    for (bool first = true; k < plan.placed.size() && plan.placed[k].node == n; ++k, first = false) {
      if (!first) text += " ";
      text += instance.data().app_names[plan.placed[k].app] + ":" + std::to_string(plan.placed[k].replicas);
    }
  }
  return text;
}

/// Unplaced replicas: "web:2 cache:1".
inline std::string left_over(const Instance& instance, const Plan& plan) {
  std::string text;
  for (const Unplaced& u : plan.unplaced) {
    if (!text.empty()) text += " ";
    text += instance.data().app_names[u.app] + ":" + std::to_string(u.replicas);
  }
  return text;
}

}  // namespace stowage::test
