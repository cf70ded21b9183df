// P0's published result tables: four tab-separated files with one line per instance.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "capi/lab/paper/figures.h"

namespace stowage::cli::paper {

/// Means over the published instances of a class.
struct PublishedMean {
  std::uint32_t instances = 0;
  double nodes = 0;
  double bound = 0;
  double gap = 0;
  double seconds = 0;
};

class Published {
 public:
  /// Fails where a table is missing or malformed.
  static Published read(const std::string& folder);

  /// Nothing where the tables have no such class or column; `column` may be nullptr.
  [[nodiscard]] const PublishedMean* find(const InstanceClass& one, const char* column) const;

 private:
  void read_table(const std::string& path, bool profile);

  std::map<std::pair<InstanceClass, std::string>, PublishedMean> means_;
};

}  // namespace stowage::cli::paper
