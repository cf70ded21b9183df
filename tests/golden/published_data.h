// Reads the published data sets: the Tianchi 2018 workload, P0's instances, and P0's result tables.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/instance.h"

namespace stowage::test {

/// A path in the folder of the data sets: $STOWAGE_SHARED, else ../shared beside the source tree.
inline std::filesystem::path shared_data(const std::string& file) {
  const char* given = std::getenv("STOWAGE_SHARED");
  const std::filesystem::path root = given != nullptr ? given : std::filesystem::path(STOWAGE_SOURCE_DIR) / ".." / "shared";
  return root / "data" / file;
}

inline std::string read_text(const std::filesystem::path& path) {
  if (path.extension() != ".gz") {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
  }
  const std::string command = "gzip -dc '" + path.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) text.append(buffer.data(), got);
  return text;
}

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

inline double number(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

/// An instance in P0's layout: apps with two resources and affinity limits.
struct PublishedInstance {
  std::vector<std::uint32_t> id;
  std::vector<std::uint32_t> replicas;
  std::vector<double> demand;  ///< apps x resources, or apps x resources x periods
  std::uint32_t periods = 1;
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> limited;
  std::vector<std::uint32_t> at_most;

  /// The instance on as many nodes of 64 cores and 128 GiB as needed, as in P0, section 5.1.
  [[nodiscard]] Instance build() const {
    InstanceData data;
    data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
    data.periods = periods;
    data.replicas = replicas;
    data.demand = demand;
    data.classes.resize(1);
    data.classes[0].capacity = {64, 128};
    data.limits = {row_begin, limited, at_most};
    auto instance = Instance::build(std::move(data));
    if (!instance) throw std::runtime_error(instance.error().path + ": " + instance.error().message);
    return std::move(instance.value());
  }
};

/// P0's layout: app_id, nb_instances, core, memory, inter_degree, inter_aff, the last one a list such as [(5, 2), (7, 0)].
inline PublishedInstance read_published(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  PublishedInstance result;
  std::vector<std::string_view> lists;
  for (const std::string_view line : split(text, '\n')) {
    const auto field = split(line, '\t');
    if (field.size() != 6 || field[0] == "app_id") continue;
    result.id.push_back(static_cast<std::uint32_t>(number(field[0])));
    result.replicas.push_back(static_cast<std::uint32_t>(number(field[1])));
    result.demand.push_back(number(field[2]));
    result.demand.push_back(number(field[3]));
    lists.push_back(field[5]);
  }
  std::map<std::uint32_t, AppId> index;
  for (AppId i = 0; i < result.id.size(); ++i) index[result.id[i]] = i;
  result.row_begin.push_back(0);
  for (std::string_view list : lists) {
    for (std::size_t at = list.find('('); at != std::string_view::npos; at = list.find('(')) {
      list.remove_prefix(at + 1);
      const auto pair = split(list.substr(0, list.find(')')), ',');
      result.limited.push_back(index.at(static_cast<std::uint32_t>(number(pair.at(0)))));
      result.at_most.push_back(static_cast<std::uint32_t>(number(pair.at(1))));
    }
    result.row_begin.push_back(static_cast<std::uint32_t>(result.limited.size()));
  }
  return result;
}

/// Replaces static demand by the time series of the raw data: app_<id>, CPU samples, memory samples, ...
inline void use_profiles(PublishedInstance& instance, const std::filesystem::path& app_resources) {
  const std::string text = read_text(app_resources);
  std::map<std::uint32_t, std::string_view> line_of;
  for (const std::string_view line : split(text, '\n')) {
    if (line.substr(0, 4) == "app_") line_of[static_cast<std::uint32_t>(number(line.substr(4)))] = line;
  }
  instance.demand.clear();
  for (const std::uint32_t id : instance.id) {
    const auto field = split(line_of.at(id), ',');
    for (const std::size_t resource : {1, 2}) {
      const auto samples = split(field.at(resource), '|');
      instance.periods = static_cast<std::uint32_t>(samples.size());
      for (const std::string_view sample : samples) instance.demand.push_back(number(sample));
    }
  }
}

/// One of P0's result tables: instance name -> column -> value.
using ResultTable = std::map<std::string, std::map<std::string, double>>;

inline ResultTable read_results(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  ResultTable table;
  std::vector<std::string_view> columns;
  for (const std::string_view line : split(text, '\n')) {
    const auto field = split(line, '\t');
    if (columns.empty()) {
      columns = field;
      continue;
    }
    for (std::size_t k = 1; k < field.size() && field.size() == columns.size(); ++k) {
      table[std::string(field[0])][std::string(columns[k])] = number(field[k]);
    }
  }
  return table;
}

}  // namespace stowage::test
