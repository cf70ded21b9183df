#include <algorithm>
#include <cmath>

#include "core/bounds/configuration/configuration_bound.h"

namespace stowage {
namespace {

// A number of nodes may be rounded down from a whole one.
constexpr double kNearlyWhole = 1e-6;

/// Replicas to place, per item.
std::vector<std::uint64_t> waiting(std::span<const std::uint32_t> wanted, const ConfigurationBound& bound) {
  std::vector<std::uint64_t> of_items;
  for (const std::vector<AppId>& apps : bound.items) {
    of_items.push_back(0);
    for (const AppId app : apps) of_items.back() += wanted[app];
  }
  return of_items;
}

/// Nodes of patterns, one after the other.
class NodeList {
 public:
  NodeList(std::span<const std::uint32_t> wanted, const Supply& supply, const ConfigurationBound& bound,
           const std::function<bool(const FilledNode&)>& visit)
      : supply_(supply), left_(waiting(wanted, bound)), visit_(visit) {
    for (const Supply::Group& group : supply.groups) free_.push_back(group.count);
  }
  /// Whether all replicas of one more node of the pattern are left.
  [[nodiscard]] bool are_left(const ConfigurationBound::Pattern& pattern) const {
    return std::all_of(pattern.held.begin(), pattern.held.end(),
                       [&](const auto& held) { return left_[held.first] >= held.second; });
  }
  /// Makes a node of the pattern, as far as replicas are left, and shows it; false where none is, or there is nobody to see it.
  bool add(const ConfigurationBound::Pattern& pattern) {
    if (is_over_) return false;
    std::uint32_t chosen = kNone;
    for (std::size_t k = 0; k < pattern.groups.size() && chosen == kNone; ++k) {
      const std::uint32_t next = pattern.groups[(turn_ + k) % pattern.groups.size()];
      if (free_[next] > 0) chosen = next;
    }
    ++turn_;
    if (chosen == kNone) return false;
    FilledNode node{supply_.groups[chosen], {}};
    for (const auto& [item, replicas] : pattern.held) {
      const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(left_[item], replicas));
      if (taken == 0) continue;
      left_[item] -= taken;
      node.held.emplace_back(item, taken);
    }
    if (node.held.empty()) return false;
    free_[chosen] -= free_[chosen] == Supply::kEndless ? 0 : 1;
    is_over_ = !visit_(node);
    return !is_over_;
  }

 private:
  const Supply& supply_;
  std::vector<std::uint64_t> left_;  // per item
  std::vector<std::uint64_t> free_;  // per group
  std::size_t turn_ = 0;             // of the groups
  const std::function<bool(const FilledNode&)>& visit_;
  bool is_over_ = false;
};

}  // namespace

void whole_nodes(std::span<const std::uint32_t> wanted, const Supply& supply, const ConfigurationBound& bound,
                 const std::function<bool(const FilledNode&)>& visit) {
  NodeList list(wanted, supply, bound, visit);
  std::vector<std::pair<double, const ConfigurationBound::Pattern*>> fractions;
  for (const ConfigurationBound::Pattern& pattern : bound.patterns) {
    const double whole = std::floor(pattern.nodes + kNearlyWhole);
    for (double k = 0; k < whole && list.add(pattern); ++k) continue;
    if (pattern.nodes - whole > kNearlyWhole) fractions.emplace_back(pattern.nodes - whole, &pattern);
  }
  std::stable_sort(fractions.begin(), fractions.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [fraction, pattern] : fractions) {
    if (list.are_left(*pattern)) list.add(*pattern);
  }
}

}  // namespace stowage
