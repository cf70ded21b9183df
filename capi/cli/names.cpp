#include "capi/cli/names.h"

#include <algorithm>
#include <unordered_set>

#include "capi/cli/instance_data.h"
#include "capi/cli/quantities.h"

namespace stowage::cli {

std::string Names::app(std::uint32_t index) const {
  const auto* names = instance_.apps()->names();
  if (names != nullptr && index < names->size()) return names->Get(index)->str();
  return "#" + std::to_string(index);
}

std::string Names::node_class(std::uint32_t index) const {
  const auto& classes = *instance_.classes();
  if (index < classes.size() && classes.Get(index)->name() != nullptr && classes.Get(index)->name()->size() > 0) {
    return classes.Get(index)->name()->str();
  }
  return classes.size() == 1 && index == 0 ? "node" : "class" + std::to_string(index);
}

std::string Names::listed(std::uint32_t index) const {
  const auto* nodes = instance_.nodes();
  if (nodes != nullptr && nodes->names() != nullptr && index < nodes->names()->size()) return nodes->names()->Get(index)->str();
  return "#" + std::to_string(index);
}

std::string Names::resource(std::uint32_t index) const {
  const auto& resources = *instance_.resources();
  return index < resources.size() ? resources.Get(index)->name()->str() : "resource " + std::to_string(index);
}

std::string Names::rule(std::uint32_t index) const {
  const auto* rules = instance_.rules();
  if (rules != nullptr && index < rules->size() && rules->Get(index)->name() != nullptr &&
      rules->Get(index)->name()->size() > 0) {
    return rules->Get(index)->name()->str();
  }
  return "rule " + std::to_string(index);
}

std::string Names::amount(double value, std::uint32_t resource) const {
  const auto& resources = *instance_.resources();
  std::string text = for_people(value, value != 0 && value < 1 && value > -1 ? 4 : 2);
  if (resource < resources.size() && resources.Get(resource)->unit() != nullptr &&
      resources.Get(resource)->unit()->size() > 0) {
    text += " " + resources.Get(resource)->unit()->str();
  }
  return text;
}

std::vector<std::string> Names::plan_nodes(const std::uint32_t* node_class, const std::uint32_t* listed,
                                           std::size_t count) const {
  std::unordered_set<std::string> taken;
  if (instance_.nodes() != nullptr) {
    for (std::uint32_t node = 0; node < instance_.nodes()->node_class()->size(); ++node) taken.insert(this->listed(node));
  }
  std::vector<std::uint64_t> used(instance_.classes()->size() + 1, 0);
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t node = 0; node < count; ++node) {
    if (listed[node] != kNone) {
      names.push_back(this->listed(listed[node]));
      continue;
    }
    const std::string prefix = this->node_class(node_class[node]) + "-";
    std::uint64_t& number = used[std::min<std::size_t>(node_class[node], used.size() - 1)];
    do {
      ++number;
    } while (taken.contains(prefix + std::to_string(number)));
    names.push_back(prefix + std::to_string(number));
  }
  return names;
}

std::vector<std::string> Names::plan_nodes(const wire::Plan& plan) const {
  const std::size_t count = std::min(plan.node_class()->size(), plan.listed()->size());
  return plan_nodes(plan.node_class()->data(), plan.listed()->data(), count);
}

}  // namespace stowage::cli
