#include <functional>
#include <utility>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/lrasched/bench.h"

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

using Bound = std::function<double(const CellResult& result)>;

/// What a figure shows of the cells, over x.
struct Shown {
  std::function<double(const Cell& of)> x;
  std::function<double(const CellResult& result, const Mean& mean)> figure;
  Bound bound = nullptr;  ///< of any plan, where there is one
};

class Charts {
 public:
  Charts(const Results& results, const std::vector<std::string>& labels) : results_(results), labels_(labels) {}

  std::vector<lab::Chart> all() {
    if (results_.learned) add_learned(*results_.learned);
    add_testbed();
    const auto percent_admitted = [](const CellResult& result, const Mean& mean) {
      return 100 * mean.admitted / result.of.apps;
    };
    const auto percent_bound = [](const CellResult& result) { return 100 * result.most / result.of.apps; };
    const auto percent_used = [](const CellResult&, const Mean& mean) { return 100 * mean.utilization; };
    for (const std::string load : {"literal", "scaled"}) {
      add_by_dims("figure8-" + load, "applications admitted, %, by number of resources", load,
                  {"Figure 8: applications admitted, " + load + " load", "resources", "%", kOverDims},
                  {dims_of, percent_admitted, percent_bound});
    }
    for (const std::string load : {"literal", "scaled"}) {
      add_by_dims("figure9-" + load, "utilization, %, by number of resources", load,
                  {"Figure 9: utilization, " + load + " load", "resources", "%", kOverDims}, {dims_of, percent_used});
    }
    add_by_dims("figure10", "nodes added, by number of resources", "added",
                {"Figure 10: nodes added, so that all applications are placed", "resources", "nodes", kOverDims},
                {dims_of, [](const CellResult&, const Mean& mean) { return mean.added; },
                 [](const CellResult& result) { return result.least_added; }});
    add_latency(11, 3);
    add_latency(12, 6);
    return std::move(charts_);
  }

 private:
  using Cells = std::vector<const CellResult*>;
  static constexpr const char* kOverDims = "set xtics 1\nset offsets 0.2, 0.2, 0, 0\nset yrange [0:*]\n";

  static double dims_of(const Cell& of) { return of.dims; }

  [[nodiscard]] Cells cells_where(const std::function<bool(const Cell&)>& wanted) const {
    Cells shown;
    for (const CellResult& result : results_.cells) {
      if (wanted(result.of)) shown.push_back(&result);
    }
    return shown;
  }

  void add(const std::string& file, const std::string& title, const Axes& axes, const std::vector<Panel>& panels) {
    charts_.push_back({file, title, panels_script(file, axes, panels)});
  }

  /// A line per contender over the cells, and one of the bound if there is one.
  [[nodiscard]] std::vector<Line> lines_of(const Cells& cells, const Shown& shown) const {
    std::vector<Line> lines;
    for (std::size_t g = 0; g < labels_.size(); ++g) {
      Line& line = lines.emplace_back(Line{lab::contender_text(labels_[g]), ""});
      for (const CellResult* cell : cells) {
        const Mean& mean = cell->means[g];
        if (mean.runs > 0) line.points += shortest(shown.x(cell->of)) + " " + shortest(shown.figure(*cell, mean)) + "\n";
      }
    }
    if (!shown.bound) return lines;
    Line& line = lines.emplace_back(Line{kBound, ""});
    for (const CellResult* cell : cells) line.points += shortest(shown.x(cell->of)) + " " + shortest(shown.bound(*cell)) + "\n";
    return lines;
  }

  /// A panel per number of apps and nodes, over the number of resources.
  void add_by_dims(const std::string& file, const std::string& title, const std::string& load, const Axes& axes,
                   const Shown& shown) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes;
    for (const CellResult* cell : cells_where([&](const Cell& of) { return of.load == load; })) {
      sizes.emplace_back(cell->of.apps, cell->of.nodes);
    }
    std::vector<Panel> panels;
    for (const auto& [apps, nodes] : lab::distinct(sizes)) {
      const Cells cells = cells_where([apps = apps, nodes = nodes, &load](const Cell& of) {
        return of.load == load && of.apps == apps && of.nodes == nodes;
      });
      panels.push_back({counted(apps, "app") + ", " + counted(nodes, "node"), lines_of(cells, shown)});
    }
    if (!panels.empty()) add(file, title, axes, panels);
  }

  void add_learned(const sizes::BaselineScore& learned) {
    Panel panel;
    for (const sizes::FamilyErrors& family : learned.over_time) {
      Line& line = panel.lines.emplace_back(Line{family.family, ""});
      for (std::size_t t = 0; t < family.by_tenth.size(); ++t) {
        line.points += std::to_string(10 * t + 5) + " " + shortest(family.by_tenth[t]) + "\n";
      }
    }
    add("figure5", "error of the factorization machine over time, by family",
        {"Figure 5: error of the factorization machine on what it learns next", "measurements learned in the first pass, %",
         "RMSE", "set yrange [0:*]\n"},
        {panel});
  }

  void add_testbed() {
    const Cells cells = cells_where([](const Cell& of) { return of.load == "testbed"; });
    if (cells.empty()) return;
    const auto arrived = [](const Cell& of) { return of.apps; };
    add("figure6", "utilization of the testbed, and applications admitted, over arrivals",
        {"Figure 6: the testbed as applications arrive", "applications that have arrived", "", "set yrange [0:*]\n"},
        {{"utilization, %",
          lines_of(cells, {arrived, [](const CellResult&, const Mean& mean) { return 100 * mean.utilization; }})},
         {"applications admitted",
          lines_of(cells, {arrived, [](const CellResult&, const Mean& mean) { return mean.admitted; }})}});
  }

  void add_latency(int figure, std::uint32_t dims) {
    const Cells cells = cells_where([&](const Cell& of) { return of.load == "latency" && of.dims == dims; });
    if (cells.empty()) return;
    const std::string name = std::to_string(figure);
    add("figure" + name, "time per application, by number of nodes, with " + std::to_string(dims) + " resources",
        {"Figure " + name + ": time per application, " + counted(dims, "resource"), "nodes", "microseconds",
         "set logscale xy\n"},
        {{"",
          lines_of(cells, {[](const Cell& of) { return of.nodes; },
                           [](const CellResult& result, const Mean& mean) { return 1e6 * mean.seconds / result.of.apps; }})}});
  }

  const Results& results_;
  const std::vector<std::string>& labels_;
  std::vector<lab::Chart> charts_;
};

}  // namespace

std::vector<lab::Chart> charts_of(const Results& results, const std::vector<std::string>& labels) {
  return Charts(results, labels).all();
}

}  // namespace stowage::cli::lrasched
