// The plan as plain C++ columns (../records/plan_records.h), between the wire format and every other one.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/base/name_map.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/names.h"
#include "capi/text/records/plan_records.h"
#include "instance_generated.h"
#include "plan_generated.h"

namespace stowage::cli {

inline constexpr std::string_view kPlanIdentifier = "STOP";

/// The wire form, with entries in the order that it asks for.
flatbuffers::DetachedBuffer encode_plan(PlanData data);

/// Names of an instance's apps and listed nodes, for reading. Unnamed ones are "#" and their position.
class PlanLookup {
 public:
  explicit PlanLookup(const wire::Instance& instance) : instance_(instance), names_(instance) {
    const std::uint32_t apps = instance.apps()->replicas()->size();
    app_names_.reserve(apps);
    for (std::uint32_t app = 0; app < apps; ++app) app_names_.push_back(names_.app(app));
    for (std::size_t app = 0; app < app_names_.size(); ++app) apps_.emplace(app_names_[app], static_cast<std::uint32_t>(app));
    const std::uint32_t nodes = instance.nodes() == nullptr ? 0 : instance.nodes()->node_class()->size();
    for (std::uint32_t node = 0; node < nodes; ++node) listed_.emplace(names_.listed(node), node);
    for (std::uint32_t c = 0; c < instance.classes()->size(); ++c) classes_.emplace(names_.node_class(c), c);
  }

  [[nodiscard]] std::uint32_t app(std::string_view name) const { return find(apps_, name); }
  [[nodiscard]] std::uint32_t listed(const std::string& name) const { return find(listed_, name); }
  [[nodiscard]] std::uint32_t node_class(const std::string& name) const { return find(classes_, name); }
  /// The class in an anonymous node's name, such as "large" in "large-12".
  [[nodiscard]] std::uint32_t class_of(const std::string& node) const {
    const std::size_t dash = node.find_last_of('-');
    if (dash == std::string::npos || !parse_whole(std::string_view(node).substr(dash + 1))) return kNone;
    return node_class(node.substr(0, dash));
  }
  [[nodiscard]] const wire::Instance& instance() const { return instance_; }
  [[nodiscard]] std::uint32_t class_of_listed(std::uint32_t node) const { return instance_.nodes()->node_class()->Get(node); }

 private:
  template <class Map, class Key>
  static std::uint32_t find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? kNone : found->second;
  }

  const wire::Instance& instance_;
  Names names_;
  std::vector<std::string> app_names_;
  NameMap<std::string_view, std::uint32_t> apps_;
  NameMap<std::string, std::uint32_t> listed_;
  NameMap<std::string, std::uint32_t> classes_;
};

/// Fails where the bytes are not a well-formed plan.
const wire::Plan* checked_plan(std::span<const std::uint8_t> bytes, const std::string& name);

/// Fails where a well-formed plan refers to nodes, classes or apps that the instance does not have, or has entries out of
/// order.
void refuse_dangling(const wire::Plan& plan, const wire::Instance& instance);

}  // namespace stowage::cli
