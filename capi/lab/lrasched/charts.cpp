#include <algorithm>
#include <functional>
#include <utility>

#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/lrasched/results.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lrasched {
namespace {

struct Line {
  std::string name;
  std::string points;  ///< "x y" per line
};
struct Panel {
  std::string title;
  std::vector<Line> lines;
};
struct Axes {
  std::string title;
  std::string x;
  std::string y;
  std::string more;  ///< settings of gnuplot
};

constexpr int kPanelWidth = 380;
constexpr int kChartHeight = 400;
constexpr int kKeyWidth = 210;
constexpr int kMargin = 60;
constexpr const char* kBound = "bound";  // its line is dashed

/// Panels side by side, with one key for all.
std::string panels_script(const std::string& name, const Axes& axes, const std::vector<Panel>& panels) {
  const int width = kPanelWidth * static_cast<int>(panels.size()) + kKeyWidth;
  const auto across = [&](int pixels) { return shortest(static_cast<double>(pixels) / width); };
  std::string text = lab::script_head(name, width, kChartHeight);
  text += "set multiplot title " + lab::quoted(axes.title) + "\nset tmargin at screen 0.83\nset bmargin at screen 0.15\n";
  text += "set xlabel " + lab::quoted(axes.x) + "\nset ylabel " + lab::quoted(axes.y) + "\n" + axes.more;
  int block = 0;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const int left = kPanelWidth * static_cast<int>(p) + kMargin + 10;
    const bool last = p + 1 == panels.size();
    text += "set lmargin at screen " + across(left) + "\nset rmargin at screen " + across(left + kPanelWidth - kMargin - 20) +
            "\n" + (last ? "set key outside right top\n" : "unset key\n");
    if (!panels[p].title.empty()) text += "set title " + lab::quoted(panels[p].title) + "\n";
    std::string plots;
    for (std::size_t l = 0; l < panels[p].lines.size(); ++l) {
      const Line& line = panels[p].lines[l];
      if (line.points.empty()) continue;
      const std::string data = "$data" + std::to_string(block++);
      text.append(data).append(" << EOD\n").append(line.points).append("EOD\n");
      const std::string color = lab::quoted(lab::kColors[l % lab::kColors.size()]);
      plots.append(plots.empty() ? "plot " : ", ").append(data).append(" using 1:2 with linespoints lw 1.5 ps 0.6 pt ");
      plots.append(line.name == kBound ? "0 dt 2" : "7").append(" lc rgb ").append(color);
      plots.append(" title ").append(lab::quoted(line.name));
    }
    text += plots + "\n";
  }
  return text + "unset multiplot\n";
}

using Figure = std::function<double(const CellResult& result, const Mean& mean)>;

/// A line per contender over the cells of `shown`, and one of `bound` if there is one.
std::vector<Line> lines_of(const std::vector<const CellResult*>& shown, const Setting& setting,
                           const std::function<double(const Cell&)>& x, const Figure& figure,
                           const std::function<double(const CellResult&)>& bound) {
  std::vector<Line> lines;
  for (std::size_t g = 0; g < setting.labels.size(); ++g) {
    Line line{lab::contender_text(setting.labels[g]), ""};
    for (const CellResult* result : shown) {
      const Mean& mean = result->means[g];
      if (mean.runs > 0) line.points += shortest(x(result->of)) + " " + shortest(figure(*result, mean)) + "\n";
    }
    lines.push_back(std::move(line));
  }
  if (bound) {
    lines.push_back({kBound, ""});
    for (const CellResult* result : shown)
      lines.back().points += shortest(x(result->of)) + " " + shortest(bound(*result)) + "\n";
  }
  return lines;
}

std::vector<const CellResult*> cells_where(const Results& results, const std::function<bool(const Cell&)>& wanted) {
  std::vector<const CellResult*> shown;
  for (const CellResult& result : results.cells)
    if (wanted(result.of)) shown.push_back(&result);
  return shown;
}

/// Figures 8 to 10: a panel per number of apps and nodes, over the number of resources.
std::string by_dims_script(const Results& results, const Setting& setting, const std::string& name, const std::string& load,
                           const Axes& axes, const Figure& figure, const std::function<double(const CellResult&)>& bound) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes;
  for (const CellResult* result : cells_where(results, [&](const Cell& of) { return of.load == load; })) {
    const std::pair size(result->of.apps, result->of.nodes);
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  }
  std::vector<Panel> panels;
  for (const auto& [apps, nodes] : sizes) {
    const auto shown = cells_where(results, [apps = apps, nodes = nodes, &load](const Cell& of) {
      return of.load == load && of.apps == apps && of.nodes == nodes;
    });
    panels.push_back({counted(apps, "app") + ", " + counted(nodes, "node"),
                      lines_of(
                          shown, setting, [](const Cell& of) { return of.dims; }, figure, bound)});
  }
  return panels_script(name, axes, panels);
}

std::string learned_script(const sizes::BaselineScore& learned) {
  Panel panel;
  for (const sizes::FamilyErrors& family : learned.over_time) {
    Line line{family.family, ""};
    for (std::size_t t = 0; t < family.by_tenth.size(); ++t)
      line.points += std::to_string(10 * t + 5) + " " + shortest(family.by_tenth[t]) + "\n";
    panel.lines.push_back(std::move(line));
  }
  return panels_script("figure5",
                       {"Figure 5: error of the factorization machine on what it learns next",
                        "measurements learned in the first pass, %", "RMSE", "set yrange [0:*]\n"},
                       {panel});
}

std::string testbed_script(const Results& results, const Setting& setting) {
  const auto shown = cells_where(results, [](const Cell& of) { return of.load == "testbed"; });
  const auto arrived = [](const Cell& of) { return of.apps; };
  const auto used = [](const CellResult&, const Mean& mean) { return 100 * mean.utilization; };
  const auto admitted = [](const CellResult&, const Mean& mean) { return mean.admitted; };
  return panels_script(
      "figure6", {"Figure 6: the testbed as applications arrive", "applications that have arrived", "", "set yrange [0:*]\n"},
      {{"utilization, %", lines_of(shown, setting, arrived, used, nullptr)},
       {"applications admitted", lines_of(shown, setting, arrived, admitted, nullptr)}});
}

std::string latency_script(const Results& results, const Setting& setting, int figure, std::uint32_t dims) {
  const auto shown = cells_where(results, [&](const Cell& of) { return of.load == "latency" && of.dims == dims; });
  Panel panel{"", lines_of(
                      shown, setting, [](const Cell& of) { return of.nodes; },
                      [](const CellResult& result, const Mean& mean) { return 1e6 * mean.seconds / result.of.apps; }, nullptr)};
  return panels_script("figure" + std::to_string(figure),
                       {"Figure " + std::to_string(figure) + ": time per application, " + counted(dims, "resource"), "nodes",
                        "microseconds", "set logscale xy\n"},
                       {panel});
}

double percent_admitted(const CellResult& result, const Mean& mean) { return 100 * mean.admitted / result.of.apps; }
double percent_used(const CellResult&, const Mean& mean) { return 100 * mean.utilization; }
double nodes_added(const CellResult&, const Mean& mean) { return mean.added; }
double percent_bound(const CellResult& result) { return 100 * result.most / result.of.apps; }
double bound_added(const CellResult& result) { return result.least_added; }

constexpr const char* kOverDims = "set xtics 1\nset offsets 0.2, 0.2, 0, 0\nset yrange [0:*]\n";

}  // namespace

std::vector<ChartName> chart_names(const Results& results) {
  const auto any = [&](const std::string& load, std::uint32_t dims = 0) {
    return std::any_of(results.cells.begin(), results.cells.end(), [&](const CellResult& result) {
      return result.of.load == load && (dims == 0 || result.of.dims == dims);
    });
  };
  std::vector<ChartName> names;
  if (results.learned) names.push_back({"figure5", "error of the factorization machine over time, by family"});
  if (any("testbed")) names.push_back({"figure6", "utilization of the testbed, and applications admitted, over arrivals"});
  for (const char* load : {"literal", "scaled"})
    if (any(load)) names.push_back({std::string("figure8-") + load, "applications admitted, %, by number of resources"});
  for (const char* load : {"literal", "scaled"})
    if (any(load)) names.push_back({std::string("figure9-") + load, "utilization, %, by number of resources"});
  if (any("added")) names.push_back({"figure10", "nodes added, by number of resources"});
  if (any("latency", 3)) names.push_back({"figure11", "time per application, by number of nodes, with 3 resources"});
  if (any("latency", 6)) names.push_back({"figure12", "time per application, by number of nodes, with 6 resources"});
  return names;
}

void draw_charts(const Results& results, const Setting& setting, const std::string& folder) {
  for (const ChartName& chart : chart_names(results)) {
    const std::string& file = chart.file;
    const std::string load = file.find("literal") != std::string::npos ? "literal" : "scaled";
    std::string script;
    if (file == "figure5") {
      script = learned_script(*results.learned);
    } else if (file == "figure6") {
      script = testbed_script(results, setting);
    } else if (file.starts_with("figure8")) {
      script = by_dims_script(results, setting, file, load,
                              {"Figure 8: applications admitted, " + load + " load", "resources", "%", kOverDims},
                              percent_admitted, percent_bound);
    } else if (file.starts_with("figure9")) {
      script = by_dims_script(results, setting, file, load,
                              {"Figure 9: utilization, " + load + " load", "resources", "%", kOverDims}, percent_used, nullptr);
    } else if (file == "figure10") {
      script = by_dims_script(results, setting, file, "added",
                              {"Figure 10: nodes added, so that all applications are placed", "resources", "nodes", kOverDims},
                              nodes_added, bound_added);
    } else {
      script = file == "figure11" ? latency_script(results, setting, 11, 3) : latency_script(results, setting, 12, 6);
    }
    lab::draw_chart(folder, file, script);
  }
}

}  // namespace stowage::cli::lrasched
