// The instance as plain C++ columns (../records/instance_records.h), between the wire format and every other one.
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
#include "capi/text/records/instance_records.h"
#include "instance_generated.h"

namespace stowage::cli {

inline constexpr std::uint32_t kNone = 4294967295;

/// What begins the tag that an app has by its name, where the instance has that tag.
inline constexpr std::string_view kOwnTag = "appID:";
inline std::string tag_of_app(std::string_view name) { return std::string(kOwnTag) + std::string(name); }

/// Whether an optional column or text is present and not empty.
template <class Vector>
[[nodiscard]] bool given(const Vector* vector) {
  return vector != nullptr && vector->size() > 0;
}

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
