// Buffers that have every field of the schemas, and where each field stands in them.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string>
#include <vector>

#include "capi/src/check/schema_rows.h"

namespace stowage::test {

/// A field in a buffer.
struct Place {
  const capi::FieldRow* row;
  std::string path;         ///< as an error names it
  std::size_t slot = 0;     ///< position of its entry in the vtable
  std::size_t at = 0;       ///< position of the number or of the reference; of a union, of the reference
  std::size_t type_at = 0;  ///< of a union: position of its type
};

/// A buffer whose columns have the lengths that belong together.
struct Synthetic {
  std::vector<std::uint8_t> bytes;
  std::vector<Place> places;
};

/// @param kind a stowage_kind
/// @param body which of its tables the union of the root is, where it has one
Synthetic synthetic(std::uint32_t kind, std::size_t body);

/// Number of tables that the union of a kind's root can be; 1 where it has none.
std::size_t bodies(std::uint32_t kind);

}  // namespace stowage::test
