// What P0's figures 3 to 7 compare: classes of instances and planners, and what its published result tables call them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "capi/cli/generate/generate.h"

namespace stowage::cli::paper {

/// A class of instances that differ in the seed only.
struct InstanceClass {
  bool profile = false;
  std::uint32_t apps = 0;
  double density = 0;
  Graph graph = Graph::kArbitrary;

  bool operator==(const InstanceClass&) const = default;
  bool operator<(const InstanceClass& other) const {
    return std::tie(profile, apps, density, graph) < std::tie(other.profile, other.apps, other.density, other.graph);
  }
};

/// "98 periods, 9,338 apps, density 5 %, arbitrary graph".
std::string class_text(const InstanceClass& one);
/// "5 %", "0.5 %".
std::string density_text(double density);
const char* demand_word(bool profile);

/// One of P0's algorithms, or a contender that P0 does not have.
struct FigurePlanner {
  const char* contender;
  const char* paper_name;  ///< nullptr where P0 has none
  const char* column;      ///< in the published tables
  std::uint8_t figures;    ///< bit n: shown in figure n + kFirstFigure
};
inline constexpr int kFirstFigure = 3;
inline constexpr int kLastFigure = 7;

const std::vector<FigurePlanner>& figure_planners();
/// The entry of a contender, or nullptr.
const FigurePlanner* find_figure_planner(std::string_view label);

struct Figure {
  int number;
  bool profile;
  bool by_apps;  ///< classes differ in the number of apps, not in density
  const char* title;
};
/// Fails on a number other than 3 to 7.
const Figure& find_figure(int number);

/// Which classes to compare; the defaults are P0's (table 5).
struct Scale {
  std::uint32_t apps = 9338;                                       ///< figures 3, 4, 6
  std::vector<double> densities = {0.01, 0.05, 0.1};               ///< figures 3, 4, 6
  std::vector<std::uint32_t> app_counts = {10000, 50000, 100000};  ///< figures 5, 7
  std::vector<Graph> graphs = {Graph::kArbitrary, Graph::kNormal, Graph::kThreshold};
};
/// The density where the number of apps varies.
inline constexpr double kDensityOfLarge = 0.005;

/// Graph by graph, in the order of the scale.
std::vector<InstanceClass> classes_of(const Figure& figure, const Scale& scale);

}  // namespace stowage::cli::paper
