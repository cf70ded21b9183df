// The people's format: an instance as a JSON object with names instead of indices. docs/json-format.md describes it, and
// instance.schema.json checks it in editors.
#pragma once

#include <string>
#include <string_view>

#include "capi/cli/base/files.h"
#include "capi/cli/formats/instance/instance_data.h"

namespace stowage::cli {

/// Reads an instance. Fails, naming file and path, where a member is unknown, missing or of the wrong kind.
InstanceData read_instance_json(std::string_view text, const std::string& file);

/// Writes an instance that the library has accepted. Reading it back and encoding it gives the same bytes as encoding the
/// decoded original.
void write_instance_json(const wire::Instance& instance, OutputFile& out);

}  // namespace stowage::cli
