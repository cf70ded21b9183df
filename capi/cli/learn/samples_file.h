// Profiles and samples of performance, from a CSV. docs/how-to-size.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learning_generated.h"

namespace stowage::cli::learn {

/// A feature of apps. Of its two columns, the one that counts has an entry per app.
struct FeatureColumn {
  std::string name;
  bool of_words = false;
  std::vector<double> numbers;     ///< NaN: not known
  std::vector<std::string> words;  ///< empty: not known
  std::size_t column = 0;          ///< in the file
};

/// Measurements in the columns of the table Samples in learning.fbs.
struct SamplesTable {
  std::optional<wire::Measure> measure;  ///< absent where the file has no column with one
  std::vector<std::string> resources;
  std::vector<std::string> apps;
  std::vector<FeatureColumn> features;
  std::vector<double> asked;  ///< apps x resources, or empty
  std::vector<std::uint32_t> row_app;
  std::vector<double> row_amounts;
  std::vector<std::uint32_t> row_collocation;
  std::vector<double> row_value;
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

/// The table Samples. `measure` is taken where the table has none.
flatbuffers::Offset<wire::Samples> encode_samples(flatbuffers::FlatBufferBuilder& builder, const SamplesTable& table,
                                                  wire::Measure measure);

}  // namespace stowage::cli::learn
