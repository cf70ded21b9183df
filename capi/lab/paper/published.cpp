#include "capi/lab/paper/published.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::paper {
namespace {

/// The number of apps in the instances that differ in density.
constexpr std::uint32_t kPublishedApps = 9338;

/// "arbitrary_d5_0" is the first instance of density 5 %, "large_scale_50000_normal_d005_3" the fourth of 50,000 apps.
std::optional<InstanceClass> parse_name(const std::string& name, bool profile) {
  std::vector<std::string> parts = split_fields(name, '_');
  InstanceClass one{profile, kPublishedApps};
  if (parts.size() == 6 && parts[0] == "large" && parts[1] == "scale") {
    const auto apps = parse_whole(parts[2]);
    if (!apps || *apps > UINT32_MAX || parts[4] != "d005") return std::nullopt;
    one.apps = static_cast<std::uint32_t>(*apps);
    one.density = kDensityOfLarge;
    parts.erase(parts.begin(), parts.begin() + 3);
  } else if (parts.size() == 3 && parts[1].starts_with('d')) {
    const auto percent = parse_whole(std::string_view(parts[1]).substr(1));
    if (!percent) return std::nullopt;
    one.density = static_cast<double>(*percent) / 100;
  } else {
    return std::nullopt;
  }
  for (const Graph graph : {Graph::kArbitrary, Graph::kNormal, Graph::kThreshold}) {
    if (parts[0] != graph_word(graph)) continue;
    one.graph = graph;
    return one;
  }
  return std::nullopt;
}

}  // namespace

Published Published::read(const std::string& folder) {
  Published published;
  for (const auto& [name, profile] : {std::pair{"density2D_64_128.csv", false},
                                      {"large2D_64_128.csv", false},
                                      {"densityTS_64_128.csv", true},
                                      {"largeTS_64_128.csv", true}}) {
    published.read_table((std::filesystem::path(folder) / name).string(), profile);
  }
  for (auto& [key, mean] : published.means_) {
    for (double* value : {&mean.nodes, &mean.bound, &mean.gap, &mean.seconds}) *value /= mean.instances;
  }
  return published;
}

void Published::read_table(const std::string& path, bool profile) {
  const InputFile file(path);
  const std::vector<std::string_view> lines = split_lines(file.text());
  const auto refuse = [&](std::size_t line, const std::string& what) {
    throw Failure("--published: " + path + ":" + std::to_string(line + 1) + ": " + what);
  };
  if (lines.empty()) refuse(0, "is empty");
  const std::vector<std::string> header = split_fields(lines[0], '\t');
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  const std::size_t bound_column = column("LB");
  if (header[0] != "instance_name" || bound_column == header.size()) refuse(0, "has no columns instance_name and LB");
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const std::vector<std::string> fields = split_fields(lines[l], '\t');
    if (fields.size() != header.size()) refuse(l, "has a different number of fields than the header");
    const auto one = parse_name(fields[0], profile);
    if (!one) refuse(l, "\"" + fields[0] + "\" does not name one of P0's instances");
    const auto number = [&](std::size_t c) {
      const auto value = parse_number(fields[c]);
      if (!value) refuse(l, header[c] + ": \"" + fields[c] + "\" is not a number");
      return *value;
    };
    const double bound = number(bound_column);
    if (bound <= 0) refuse(l, "LB is not positive");
    for (std::size_t c = 0; c < header.size(); ++c) {
      const std::size_t time_column = column(header[c] + "_time");
      if (time_column == header.size()) continue;
      PublishedMean& mean = means_[{*one, header[c]}];
      const double nodes = number(c);
      ++mean.instances;
      mean.nodes += nodes;
      mean.bound += bound;
      mean.gap += nodes / bound - 1;
      mean.seconds += number(time_column);
    }
  }
}

const PublishedMean* Published::find(const InstanceClass& one, const char* column) const {
  if (column == nullptr) return nullptr;
  const auto found = means_.find({one, column});
  return found == means_.end() ? nullptr : &found->second;
}

}  // namespace stowage::cli::paper
