// Random operations on a session as JSON, all of which the session accepts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/property/generator.h"

namespace stowage::faces {

/// Operations of every kind on a session that was opened on the instance. Apps and nodes of the instance stay, so that its
/// limits, pins and traffic refuse nothing.
class RandomOperations {
 public:
  RandomOperations(const test::Generated& generated, test::Random& random) : generated_(generated), random_(random) {}

  std::string run() {
    for (std::uint32_t k = random_.between(1, 3); k > 0; --k) submit();
    for (std::uint32_t k = random_.between(1, 3); k > 0; --k) add_node();
    for (std::uint32_t k = random_.between(0, 6); k > 0; --k) change();
    if (random_.chance(0.2)) return "{\"op\": \"batch\", \"operations\": [" + text_ + "]}";
    return "[" + text_ + "]\n";
  }

 private:
  static std::string quoted(const std::string& name) { return "\"" + name + "\""; }
  static std::string new_app(std::uint32_t number) { return "new \\\"" + std::to_string(number) + "\\\""; }
  static std::string new_node(std::uint32_t number) { return "n\xc3\xb6" + std::to_string(number); }
  std::string any_app() { return new_app(random_.below(apps_)); }
  std::string any_node() { return new_node(random_.below(nodes_)); }

  void add(const std::string& op, const std::string& members) {
    text_ += (text_.empty() ? "" : ",\n ") + std::string("{\"op\": \"") + op + "\", " + members + "}";
  }

  std::string number() {
    constexpr const char* kNumbers[] = {"0", "1", "0.5", "\"500m\"", "\"2\"", "1e-1", "0.1", "\"1.25\""};
    return kNumbers[random_.below(std::size(kNumbers))];
  }

  /// Whether any amount is accepted: not of devices, of what kinds suffer from, or of what a node has none.
  [[nodiscard]] bool is_free(ResourceId r) const {
    const InstanceData& data = generated_.data;
    return data.resources[r].device == 0 && !(data.has_interference && data.interference.resource == r) &&
           std::all_of(data.classes.begin(), data.classes.end(), [&](const NodeClass& one) { return one.capacity[r] > 0; });
  }

  /// Amounts of some resources, of one period or of all.
  std::string amounts(bool profiles) {
    std::string result;
    for (std::uint32_t r = 0; r < generated_.resources(); ++r) {
      if (!is_free(r) || random_.chance(0.3)) continue;
      std::string amount = number();
      if (profiles && generated_.data.periods > 1 && random_.chance(0.4)) {
        for (std::uint32_t t = 1; t < generated_.data.periods; ++t) amount += ", " + number();
        amount = "[" + amount + "]";
      }
      result += (result.empty() ? "" : ", ") + quoted(generated_.data.resources[r].name) + ": " + amount;
    }
    return "{" + result + "}";
  }

  void submit() {
    const InstanceData& data = generated_.data;
    std::string app = "\"app\": " + quoted(new_app(apps_)) + ", \"demand\": " + amounts(true);
    if (random_.chance(0.7)) app += ", \"replicas\": " + std::to_string(random_.between(1, 4));
    if (random_.chance(0.3)) app += ", \"priority\": -" + std::to_string(random_.below(3));
    if (random_.chance(0.3)) app += ", \"weight\": 2.5";
    if (random_.chance(0.3)) app += ", \"max_per_node\": 2";
    if (random_.chance(0.3)) app += R"(, "limits": {"absent": 0, "7": 3, "5": 1})";
    if (random_.chance(0.3)) app += random_.chance(0.5) ? R"(, "tags": "front")" : R"(, "tags": ["front", "back"])";
    if (random_.chance(0.2)) app += R"(, "not": "slow")";
    if (data.has_uncertainty && data.uncertainty.model != ChanceModel::kBoundedSupport && random_.chance(0.5))
      app += ", \"deviation\": " + amounts(false);
    if (data.has_interference) app += ", \"kind\": " + std::to_string(random_.below(kinds()));
    add("submit", app);
    ++apps_;
  }

  [[nodiscard]] std::uint32_t kinds() const {
    std::uint32_t size = 1;
    while (size * size < generated_.data.interference.coefficient.size()) ++size;
    return size;
  }

  /// The last class; the only one needs no name.
  [[nodiscard]] std::string of_class() const {
    const std::string& name = generated_.data.classes.back().name;
    return name.empty() ? "" : ", \"class\": " + quoted(name);
  }

  [[nodiscard]] bool has_cages() const {
    const auto& groups = generated_.data.groups;
    return std::any_of(groups.begin(), groups.end(), [](const NodeGroup& group) { return group.name == "cage"; });
  }

  void add_node() {
    std::string node = "\"node\": " + quoted(new_node(nodes_)) + of_class();
    if (random_.chance(0.4)) node += ", \"load\": " + amounts(true);
    if (random_.chance(0.3)) node += R"(, "tags": ["slow"])";
    if (has_cages() && random_.chance(0.3)) node += R"(, "sets": {"cage": ["west", "1"]})";
    add("add-node", node);
    ++nodes_;
  }

  void change() {
    const std::string app = "\"app\": " + quoted(any_app());
    const std::string node = "\"node\": " + quoted(any_node());
    switch (random_.below(7)) {
      case 0:
        return add("scale", app + ", \"replicas\": " + std::to_string(random_.between(4, 9)));
      case 1:
        return add("pin", app + ", " + node + ", \"replicas\": 0");
      case 2: {
        constexpr const char* kStates[] = {"cordon", "uncordon", "drain"};
        return add(kStates[random_.below(3)], node);
      }
      case 3:
        return add("load", node + ", \"load\": " + amounts(true));
      case 4: {
        const std::string name = quoted("rule \xe2\x98\xba " + std::to_string(rules_++));
        add("add-rule",
            "\"rule\": {\"name\": " + name +
                R"(, "all_of": [{"subject": ["front"], "target": "back", "max": 3, "group": "node"}], "hard": false)" +
                R"(, "weight": 0.25, "origin": "operator"})");
        if (random_.chance(0.5)) add("remove-rule", "\"rule\": " + name);
        return;
      }
      case 5:
        if (apps_ > 1)
          add("traffic", R"("app": ")" + new_app(0) + R"(", "peer": ")" + new_app(1) + R"(", "amount": )" + "0.75");
        return;
      default:
        add("submit",
            R"("app": "short", "demand": {})" + (generated_.data.has_interference ? std::string(", \"kind\": 0") : ""));
        add("remove", R"("app": "short")");
        add("add-node", R"("node": "short")" + of_class());
        add("fail", R"("node": "short")");
        add("remove-node", R"("node": "short")");
    }
  }

  const test::Generated& generated_;
  test::Random& random_;
  std::string text_;
  std::uint32_t apps_ = 0;
  std::uint32_t nodes_ = 0;
  std::uint32_t rules_ = 0;
};

inline std::string any_operations(const test::Generated& generated, test::Random& random) {
  return RandomOperations(generated, random).run();
}

}  // namespace stowage::faces
