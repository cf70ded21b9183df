// What P0's figures 3 to 7 compare: classes of instances and planners, what its published result tables say of them, and what
// is measured: one record per instance and planner, and runs summed up by figure.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "capi/cli/generate/generate.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"

namespace stowage::cli::paper {

/// A class of instances that differ in the seed only.
struct InstanceClass {
  bool profile = false;
  std::uint32_t apps = 0;
  double density = 0;
  Graph graph = Graph::kArbitrary;

  auto operator<=>(const InstanceClass&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
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
/// The varied quantity: "10,000" or "5 %".
std::string variation_text(const Figure& figure, const InstanceClass& one);

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

/// P0's published result tables: four tab-separated files with one line per instance.
class Published {
 public:
  /// Fails where a table is missing or malformed.
  static Published read(const std::string& folder);

  /// `instances`, `nodes`, `bound`, `gap` and `seconds` of a class; empty where the tables have no such class or column.
  /// `column` may be nullptr.
  [[nodiscard]] const lab::Tally& find(const InstanceClass& one, const char* column) const;

 private:
  void read_table(const std::string& path, bool profile);

  lab::Tallies<InstanceClass> tallies_;  ///< by column
};

struct Run : lab::MeasuredRun {
  InstanceClass of;
  std::string sizes;  ///< where apps' sizes and replicas come from: kDrawnSizes, or a file's name
  std::uint64_t seed = 0;
  std::uint64_t bound = 0;            ///< P0, Eq. 4
  std::optional<double> lower_bound;  ///< the library's, at least as good

  [[nodiscard]] double gap() const { return static_cast<double>(nodes) / static_cast<double>(bound) - 1; }
  /// `runs`, `cut` (ended by the deadline) and `counted` (a plan that counts), of these `proven` (optimal), `nodes`, `bound`,
  /// `gap` and `seconds`.
  void add_to(lab::Tally& tally) const;
  void fields(lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, sizes, seed, label, deadline_ms); }
};
inline constexpr const char* kDrawnSizes = "drawn";

/// One contender on one class, or on all classes of a figure.
struct Cell {
  lab::Tally ours;
  lab::Tally published;
};

struct FigureResult {
  const Figure* figure = nullptr;
  std::vector<InstanceClass> classes;
  std::vector<lab::Contender> contenders;
  std::vector<Cell> cells;     ///< class by class
  std::vector<Cell> averages;  ///< per contender, over the classes that were run; counts are sums
  bool has_published = false;

  [[nodiscard]] const Cell& cell(std::size_t of, std::size_t contender) const {
    return cells[of * contenders.size() + contender];
  }
  /// The graphs of its classes, and the classes of a graph.
  [[nodiscard]] std::vector<Graph> graphs() const;
  [[nodiscard]] std::vector<std::size_t> classes_with(Graph graph) const;
};

/// Gap and time by graph, then gap against time, where there are runs that count.
std::vector<lab::Chart> charts_of(const FigureResult& result);

}  // namespace stowage::cli::paper
