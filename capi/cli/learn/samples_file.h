// Profiles and samples of performance, from a CSV. docs/cookbook/size.md describes the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/records/learning/samples_records.h"

namespace stowage::cli::learn {

struct SamplesTable : SamplesData {
  bool has_measure = false;           ///< whether the file has a column with a measure
  std::vector<std::size_t> row_line;  ///< in the file
  std::vector<std::size_t> app_line;  ///< where each app is first
};

/// Reads a CSV with the column `app`, columns `x_NAME` with features, one column per resource, perhaps `asked_RESOURCE` and
/// `collocation`, and `performance` or `latency_ms`. A row without amounts and measurement only introduces its app. Fails, with
/// file, line and column, where a column is missing, a number is none or out of range, or rows of an app contradict each other.
SamplesTable read_samples(std::string_view text, const std::string& file);

/// The place in the file that a path of the library's errors means: "profiles.csv:17: performance: "; the file alone for
/// others.
std::string place_of(const std::string& path, const SamplesTable& table, const std::string& file);

}  // namespace stowage::cli::learn
