// What replicas used over time, from a CSV. docs/cookbook/size.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/cli/learn/size_rules.h"
#include "capi/text/records/learning/usage_records.h"

namespace stowage::cli::learn {

/// Samples in the columns of the table Usage in learning.fbs.
struct UsageTable : UsageData {
  std::vector<std::size_t> line;  ///< of each sample, in the file
};

/// Reads a CSV with the columns `app`, `time`, perhaps `replica` and `oom`, and one column per resource. Fails, with file, line
/// and column, where one is missing, a number is not finite or is negative, or a row has another number of fields.
UsageTable read_usage(std::string_view text, const std::string& file);

/// The question for the library: learning.fbs, body Usage. `cycle` is in seconds.
flatbuffers::DetachedBuffer encode_usage(const UsageTable& table, const std::vector<SizeRuleData>& rules, std::uint32_t periods,
                                         double cycle);

/// Seconds since 1970 of a number of seconds or of a date and time such as 2026-01-31T12:00:00Z; NaN where it is neither.
double parse_time(std::string_view text);

}  // namespace stowage::cli::learn
