// P0's published layout: one tab-separated line per app with the header
// app_id nb_instances core memory inter_degree inter_aff. `core` and `memory` may be lists over periods.
#pragma once

#include <string>
#include <string_view>

#include "capi/cli/base/files.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

/// Whether a text starts with the header of the layout.
bool is_instance_tsv(std::string_view text);

/// Reads apps and affinity limits, with the resources cpu (cores) and memory (GiB). The layout has no nodes. Fails, naming
/// file, line and column, where a line does not follow the layout.
InstanceData read_instance_tsv(std::string_view text, const std::string& file);

/// Writes the apps and limits of an instance that the library has accepted. Fails, naming the feature, where the instance uses
/// one that the layout cannot express. Node classes are left out.
void write_instance_tsv(const wire::Instance& instance, OutputFile& out);

}  // namespace stowage::cli
