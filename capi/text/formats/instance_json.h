// The people's format: an instance as a JSON object with names instead of indices. docs/reference/json-format.md describes it,
// and instance.schema.json checks it in editors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "capi/text/base/output.h"
#include "capi/text/formats/amounts/profile_column.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

/// Reads an instance. Fails, naming file and path, where a member is unknown, missing or of the wrong kind.
/// @param most_column_bytes the most that demand and load over the periods may take, such as default_column_bytes(). These
///     alone can be any number of times larger than the text.
InstanceData read_instance_json(std::string_view text, const std::string& file, std::uint64_t most_column_bytes);

/// Writes an instance that the library has accepted. Reading it back and encoding it gives the same bytes as encoding the
/// decoded original.
void write_instance_json(const wire::Instance& instance, Output& out);

}  // namespace stowage::cli
