// The instance as plain C++ columns, mirroring instance.fbs, between the wire format and every other one.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/text/base/name_map.h"
#include "instance_generated.h"

namespace stowage::cli {

inline constexpr std::uint32_t kNone = 4294967295;

/// Whether an optional column or text is present and not empty.
template <class Vector>
[[nodiscard]] bool given(const Vector* vector) {
  return vector != nullptr && vector->size() > 0;
}

struct ResourceData {
  std::string name;
  std::string unit{};
  double device = 0;
};

/// Tags per item in compressed rows; `begin` is empty where no item has any.
struct TagRows {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> index;
};

struct AppsData {
  std::vector<std::string> names;
  std::vector<std::uint32_t> replicas;
  std::vector<double> demand;
  std::vector<std::int32_t> priority;
  std::vector<double> variance;
  std::vector<double> support_min;
  std::vector<double> support_max;
  std::vector<std::uint32_t> kind;
  TagRows tags;
  TagRows only;     ///< tags that a node has to carry
  TagRows refused;  ///< tags that a node may not carry
  std::vector<double> weight;
};

struct NodeClassData {
  std::string name;
  std::vector<double> capacity;
  std::uint32_t count = 0;
  double price = -1;
  std::vector<std::string> labels;
  std::vector<double> daemon{};
};

struct NodesData {
  std::vector<std::uint32_t> node_class;
  std::vector<std::string> names;
  std::vector<double> load;
  std::vector<double> load_variance;
  std::vector<std::uint8_t> closed;
  TagRows tags;
  std::vector<double> daemon;  ///< in place of the classes'; empty: as the classes say
};

struct LimitsData {
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> app;
  std::vector<std::uint32_t> at_most;
};

struct ResidenceData {
  std::uint32_t app = 0;
  std::uint32_t node = 0;
  std::uint32_t replicas = 0;
};

struct GroupData {
  std::string name;
  std::vector<std::uint32_t> set_begin;
  std::vector<std::uint32_t> node;
  std::vector<std::string> set_names;
  std::string by_label;
};

struct CardinalityData {
  wire::CardinalityKind kind = wire::CardinalityKind::Replicas;
  std::vector<std::uint32_t> subject;
  std::vector<std::uint32_t> target;
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  std::uint32_t group = kNone;
  bool negated = false;
};

struct RuleData {
  std::string name;
  std::vector<std::vector<CardinalityData>> any_of;
  bool hard = true;
  double weight = 1;
  wire::Origin origin = wire::Origin::Application;
};

struct UncertaintyData {
  wire::ChanceModel model = wire::ChanceModel::Gaussian;
  double confidence = 0.99;
  double factor = 0;
};

struct InterferenceData {
  std::vector<std::string> kinds;
  std::vector<double> coefficient;  ///< kinds x kinds
  std::uint32_t resource = 0;       ///< whose demand is the load
  std::vector<double> max_cost{};   ///< per kind, or empty; infinity: no limit
};

struct TrafficData {
  std::uint32_t app = 0;
  std::uint32_t peer = 0;
  double amount = 0;
};

struct InstanceData {
  std::string name;
  std::vector<ResourceData> resources;
  std::uint32_t periods = 1;
  AppsData apps;
  std::vector<NodeClassData> classes;
  NodesData nodes;
  LimitsData limits;
  std::vector<ResidenceData> running;
  std::vector<ResidenceData> pinned;
  std::vector<std::string> tags;
  std::vector<GroupData> groups;
  std::vector<RuleData> rules;
  std::optional<UncertaintyData> uncertainty;
  std::optional<InterferenceData> interference;
  std::vector<TrafficData> traffic;
};

/// Position of names in a list, for resolving references.
class NameIndex {
 public:
  explicit NameIndex(const std::vector<std::string>& names);
  /// The position of `name`, or kNone.
  [[nodiscard]] std::uint32_t find(std::string_view name) const;
  /// Both positions of the first name that occurs twice, or nothing.
  [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>> duplicate() const { return duplicate_; }

 private:
  NameMap<std::string_view, std::uint32_t> positions_;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> duplicate_;
};

/// The wire form. The same content gives the same bytes: columns of defaults are left out; demand and load that are constant
/// over the periods are stored once; an app's limit on itself is first in its row; replicas on nodes are in the order of the
/// nodes; tags are numbered by first use. Fails where the result would exceed 2 GiB.
flatbuffers::DetachedBuffer encode_instance(InstanceData data);

/// The columns of an instance whose indices are known to be in range (the library has accepted it).
InstanceData decode_instance(const wire::Instance& instance);

/// The instance's periods; 1 where neither demand nor load has entries for each of them, so that all periods are as one. The
/// library has accepted the instance.
std::uint32_t periods_told_apart(const wire::Instance& instance);

/// The root of a buffer that holds an instance; fails where the bytes are not a well-formed one.
const wire::Instance* checked_instance(std::span<const std::uint8_t> bytes, const std::string& name);

}  // namespace stowage::cli
