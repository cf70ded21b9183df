#include <algorithm>
#include <charconv>

#include "capi/k8s/pods/workloads.h"

namespace stowage::k8s {
namespace {

/// A number of pods, or a share of them, which rounds up as the controller does it.
std::int64_t scaled(View text, std::int64_t of) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return text.ends_with('%') ? (number * of + 99) / 100 : number;
}

}  // namespace

Budgets::Budgets(const Objects& from) : from_(from), allowed_(from.budgets.size(), 0) {
  for (std::size_t k = 0; k < from.budgets.size(); ++k) by_namespace_[from.budgets[k].ns].push_back(static_cast<int>(k));
  std::vector<std::int64_t> wanted(from.budgets.size(), 0), healthy(from.budgets.size(), 0);
  for (const Pod& pod : from.pods) {
    if (pod.ended || pod.going) continue;
    for (const int k : of(pod.ns, pod.labels)) {
      ++wanted[static_cast<std::size_t>(k)];
      if (!pod.node.empty() && pod.ready) ++healthy[static_cast<std::size_t>(k)];
    }
  }
  for (std::size_t k = 0; k < from.budgets.size(); ++k) {
    const Budget& one = from.budgets[k];
    if (one.observed) {
      allowed_[k] = one.allowed;
      continue;
    }
    std::int64_t needed = 0;
    if (!one.max_unavailable.empty()) {
      needed = wanted[k] - scaled(one.max_unavailable, wanted[k]);
    } else if (!one.min_available.empty()) {
      needed = scaled(one.min_available, wanted[k]);
    }
    allowed_[k] = std::max<std::int64_t>(healthy[k] - std::max<std::int64_t>(needed, 0), 0);
  }
}

std::vector<int> Budgets::of(View ns, const Labels& labels) const {
  std::vector<int> all;
  const auto found = by_namespace_.find(ns);
  if (found == by_namespace_.end()) return all;
  for (const int k : found->second) {
    if (selects(from_.budgets[static_cast<std::size_t>(k)].pods, labels)) all.push_back(k);
  }
  return all;
}

std::string Budgets::hold(const Pod& pod) const {
  const std::vector<int> all = of(pod.ns, pod.labels);
  const auto budget = [&](int k) -> const Budget& { return from_.budgets[static_cast<std::size_t>(k)]; };
  if (all.size() > 1) {
    return "it has more than one budget (" + std::string(budget(all[0]).name) + ", " + std::string(budget(all[1]).name) +
           "), with which nothing can be evicted";
  }
  if (all.empty() || allowed_[static_cast<std::size_t>(all[0])] > 0) return {};
  const Budget& its = budget(all[0]);
  // Pods that are not ready go whatever the budget allows, or where enough others are.
  const bool enough = its.observed && its.healthy >= its.desired && its.desired > 0;
  if (!pod.ready && (its.always_unready || enough)) return {};
  return "the budget " + its.path() + " allows no disruption";
}

void Budgets::collect(Cluster& to) const {
  std::vector<BudgetOf> all(from_.budgets.size());
  for (std::size_t i = 0; i < to.apps.size(); ++i) {
    for (const int k : of(to.apps[i].ns, to.apps[i].labels))
      all[static_cast<std::size_t>(k)].apps.push_back(static_cast<int>(i));
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].apps.empty()) continue;
    all[k].name = from_.budgets[k].path();
    all[k].allowed = allowed_[k];
    to.budgets.push_back(std::move(all[k]));
  }
}

}  // namespace stowage::k8s
