#include <algorithm>
#include <array>
#include <filesystem>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/lab/paper/runs.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::paper {
namespace {

constexpr std::array<Figure, kLastFigure - kFirstFigure + 1> kFigures = {{
    {3, false, false, "gap and time of all planners, static demand"},
    {4, false, false, "by density of affinity limits, static demand"},
    {5, false, true, "by number of apps, static demand, density 0.5 %"},
    {6, true, false, "by density of affinity limits, 98 periods"},
    {7, true, true, "by number of apps, 98 periods, density 0.5 %"},
}};

constexpr std::uint8_t bit(int figure) { return static_cast<std::uint8_t>(1 << (figure - kFirstFigure)); }
constexpr std::uint8_t kAll = bit(3) | bit(4) | bit(5) | bit(6) | bit(7);
constexpr std::uint8_t kStatic = bit(3) | bit(4) | bit(5);

/// The number of apps in the instances that differ in density.
constexpr std::uint32_t kPublishedApps = 9338;

/// "arbitrary_d5_0" is the first instance of density 5 %, "large_scale_50000_normal_d005_3" the fourth of 50,000 apps.
std::optional<InstanceClass> parse_name(const std::string& name, bool profile) {
  const std::vector<std::string> parts = split_fields(name, '_');
  InstanceClass one{profile, kPublishedApps};
  std::optional<Graph> graph;
  if (parts.size() == 6 && parts[0] == "large" && parts[1] == "scale") {
    const auto apps = parse_whole(parts[2]);
    if (!apps || *apps > UINT32_MAX || parts[4] != "d005") return std::nullopt;
    one.apps = static_cast<std::uint32_t>(*apps);
    one.density = kDensityOfLarge;
    graph = find_graph(parts[3]);
  } else if (parts.size() == 3 && parts[1].starts_with('d')) {
    const auto percent = parse_whole(std::string_view(parts[1]).substr(1));
    if (!percent) return std::nullopt;
    one.density = static_cast<double>(*percent) / 100;
    graph = find_graph(parts[0]);
  }
  if (!graph) return std::nullopt;
  one.graph = *graph;
  return one;
}

}  // namespace

std::string density_text(double density) { return for_people(density * 100, 4) + " %"; }

const char* demand_word(bool profile) { return profile ? "98 periods" : "static"; }

std::string class_text(const InstanceClass& one) {
  return std::string(one.profile ? "98 periods" : "static demand") + ", " + for_people(one.apps, 0) + " apps, density " +
         density_text(one.density) + ", " + graph_word(one.graph) + " graph";
}

const std::vector<FigurePlanner>& figure_planners() {
  // The published tables call the search of SpreadWFD in steps "Refine", Medea-TP "FFD-Degree", Medea-NC "NodeCount",
  // LRASched-Fitness "NCD-Fitness" and TightFill "DotDivision".
  static const std::vector<FigurePlanner> kPlanners = {
      {"ff", "FF", "FF", kAll},
      {"medea-tp", "Medea-TP", "FFD-Degree", kAll},
      {"medea-nc", "Medea-NC", "NodeCount", kAll},
      {"ffd-avg", "FFD-Avg", "FFD-Avg", bit(3)},
      {"ffd-max", "FFD-Max", "FFD-Max", bit(3)},
      {"ffd-avgexp", "FFD-AvgExp", "FFD-AvgExpo", bit(3)},
      {"ffd-surrogate", "FFD-Surrogate", "FFD-Surrogate", bit(3)},
      {"ffd-extsum", "FFD-ExtendedSum", "FFD-ExtendedSum", bit(3)},
      {"bfd-avg", "BFD-Avg", "BFD-Avg", kAll},
      {"bfd-max", "BFD-Max", "BFD-Max", bit(3)},
      {"bfd-avgexp", "BFD-AvgExp", "BFD-AvgExpo", bit(3)},
      {"bfd-surrogate", "BFD-Surrogate", "BFD-Surrogate", bit(3)},
      {"bfd-extsum", "BFD-ExtendedSum", "BFD-ExtendedSum", bit(3)},
      {"wfd-avg", "WFD-Avg", "WFD-Avg", bit(3)},
      {"wfd-max", "WFD-Max", "WFD-Max", bit(3)},
      {"wfd-avgexp", "WFD-AvgExp", "WFD-AvgExpo", kAll},
      {"wfd-surrogate", "WFD-Surrogate", "WFD-Surrogate", bit(3)},
      {"wfd-extsum", "WFD-ExtendedSum", "WFD-ExtendedSum", bit(3)},
      {"ncd-dotproduct", "NCD-DotProduct", "NCD-DotProduct", kAll},
      {"ncd-l2norm", "NCD-L2Norm", "NCD-L2Norm", bit(3)},
      {"ncd-tightfill", "NCD-TightFill", "NCD-DotDivision", bit(3)},
      {"lrasched-fitness", "LRASched-Fitness", "NCD-Fitness", kAll},
      {"spread-wfd-avg-decr5", "SpreadWFD-Avg-Decr5", "RefineWFD-Avg-5", bit(3)},
      {"spread-wfd-avg-decr3", "SpreadWFD-Avg-Decr3", "RefineWFD-Avg-3", bit(3)},
      {"spread-wfd-avg-decr2", "SpreadWFD-Avg-Decr2", "RefineWFD-Avg-2", kAll},
      {"spread-wfd-avg-binsearch", "SpreadWFD-Avg-BinSearch", "SpreadWFD-Avg", kAll},
      {"spread-wfd-max-binsearch", "SpreadWFD-Max-BinSearch", "SpreadWFD-Max", bit(3)},
      {"spread-wfd-surrogate-binsearch", "SpreadWFD-Surrogate-BinSearch", "SpreadWFD-Surrogate", bit(3)},
      // P0 left matching out, as too slow.
      {"match-tightfill-binsearch", nullptr, nullptr, bit(3) | bit(4)},
      {"auto@1s", nullptr, nullptr, kStatic},
      {"auto@10s", nullptr, nullptr, kAll},
  };
  return kPlanners;
}

const FigurePlanner* find_figure_planner(std::string_view label) {
  const auto& all = figure_planners();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FigurePlanner& one) { return label == one.contender; });
  return found == all.end() ? nullptr : &*found;
}

const Figure& find_figure(int number) {
  if (number < kFirstFigure || number > kLastFigure) {
    throw Failure("--figures: " + std::to_string(number) + " is not one of P0's figures with results; use 3 to 7");
  }
  return kFigures[static_cast<std::size_t>(number - kFirstFigure)];
}

std::string variation_text(const Figure& figure, const InstanceClass& one) {
  return figure.by_apps ? for_people(one.apps, 0) : density_text(one.density);
}

std::vector<InstanceClass> classes_of(const Figure& figure, const Scale& scale) {
  std::vector<InstanceClass> classes;
  for (const Graph graph : scale.graphs) {
    if (figure.by_apps) {
      for (const std::uint32_t apps : scale.app_counts) classes.push_back({figure.profile, apps, kDensityOfLarge, graph});
    } else {
      for (const double density : scale.densities) classes.push_back({figure.profile, scale.apps, density, graph});
    }
  }
  return classes;
}

Published Published::read(const std::string& folder) {
  Published published;
  for (const auto& [name, profile] : {std::pair{"density2D_64_128.csv", false},
                                      {"large2D_64_128.csv", false},
                                      {"densityTS_64_128.csv", true},
                                      {"largeTS_64_128.csv", true}}) {
    published.read_table((std::filesystem::path(folder) / name).string(), profile);
  }
  return published;
}

void Published::read_table(const std::string& path, bool profile) {
  const InputFile file(path);
  CsvTable table(file.text(), "--published: " + path, "instance_name and LB", '\t');
  const std::vector<std::string>& header = table.header();
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  const std::size_t bound_column = column("LB");
  if (header[0] != "instance_name" || bound_column == header.size()) table.fail("has no columns instance_name and LB");
  while (table.next()) {
    const std::vector<std::string>& fields = table.fields();
    const auto one = parse_name(fields[0], profile);
    if (!one) table.fail("\"" + fields[0] + "\" does not name one of P0's instances");
    const auto number = [&](std::size_t c) { return table.number(header[c], fields[c]); };
    const double bound = number(bound_column);
    if (bound <= 0) table.fail("LB is not positive");
    for (std::size_t c = 0; c < header.size(); ++c) {
      const std::size_t time_column = column(header[c] + "_time");
      if (time_column == header.size()) continue;
      const double nodes = number(c);
      lab::Tally& tally = tallies_.at(*one, header[c]).add("instances").add("nodes", nodes).add("bound", bound);
      tally.add("gap", nodes / bound - 1).add("seconds", number(time_column));
    }
  }
}

const lab::Tally& Published::find(const InstanceClass& one, const char* column) const {
  return tallies_.of(one, column != nullptr ? column : "");
}

}  // namespace stowage::cli::paper
