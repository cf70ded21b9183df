#include <algorithm>
#include <cmath>
#include <set>

#include "capi/lab/colocation/results.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::colocation {
namespace {

/// One chart: instances of one size, over one of the two bounds.
struct Chart {
  bool large;
  bool loaded_only;  ///< over our bound; all instances are over P4's
};
constexpr Chart kCharts[] = {{false, false}, {true, false}, {false, true}, {true, true}};

std::string chart_name(const Chart& chart) {
  return std::string("colocation-") + (chart.large ? "large" : "small") + (chart.loaded_only ? "-best-bound" : "-paper-bound");
}

std::vector<const ClassResult*> shown_in(const Chart& chart, const std::vector<ClassResult>& results) {
  std::vector<const ClassResult*> shown;
  for (const ClassResult& result : results) {
    if (result.large == chart.large && result.loaded_only == chart.loaded_only) shown.push_back(&result);
  }
  return shown;
}

/// Boxes as in P4's figure 1: the median, the quarters, whiskers to 5 % and 95 %, and what lies beyond as points.
std::string box_script(const Chart& chart, const std::vector<const ClassResult*>& shown, const Setting& setting) {
  const auto groups = static_cast<int>(setting.groups.size());
  const int width = 200 + 26 * static_cast<int>(shown.size()) * (groups + 1);
  std::string text = lab::script_head(chart_name(chart), std::max(width, 640), 460);
  std::string plots;
  for (int g = 0; g < groups; ++g) {
    std::string boxes;
    std::string outside;
    for (std::size_t c = 0; c < shown.size(); ++c) {
      const Ratios& of = shown[c]->groups[static_cast<std::size_t>(g)];
      const std::vector<double>& ratios = chart.loaded_only ? of.over_best : of.over_paper;
      if (ratios.empty()) continue;
      const std::string x = std::to_string(static_cast<int>(c) * (groups + 1) + g);
      boxes += x;
      for (const double share : {0.25, 0.05, 0.95, 0.75, 0.5}) boxes += " " + shortest(quantile(ratios, share));
      boxes += "\n";
      // Points that would hide each other are drawn once.
      std::set<long> drawn;
      for (const double ratio : ratios) {
        const bool beyond = ratio < quantile(ratios, 0.05) || ratio > quantile(ratios, 0.95);
        const long hundredths = std::lround(100 * ratio);
        if (beyond && drawn.insert(hundredths).second) {
          outside += x + " " + shortest(static_cast<double>(hundredths) / 100) + "\n";
        }
      }
    }
    const std::string number = std::to_string(g);
    const std::string color = lab::quoted(lab::kColors[static_cast<std::size_t>(g) % lab::kColors.size()]);
    if (boxes.empty()) continue;
    // The second turn of the colours is filled.
    const std::string fill = static_cast<std::size_t>(g) < lab::kColors.size() ? "empty" : "solid 0.4 border";
    const std::string name = lab::quoted(setting.groups[static_cast<std::size_t>(g)].name);
    text.append("$boxes").append(number).append(" << EOD\n").append(boxes).append("EOD\n");
    plots.append(plots.empty() ? "plot $boxes" : ", $boxes").append(number);
    plots.append(" using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs ").append(fill);
    plots.append(" lw 1.2 lc rgb ").append(color).append(" title ").append(name).append(", $boxes").append(number);
    plots.append(" using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb ").append(color).append(" notitle");
    if (outside.empty()) continue;
    text.append("$outside").append(number).append(" << EOD\n").append(outside).append("EOD\n");
    plots.append(", $outside").append(number).append(" using 1:2 with points pt 3 ps 0.3 lc rgb ");
    plots.append(color).append(" notitle");
  }
  text += "set title " +
          lab::quoted(std::string(chart.large ? "Large" : "Small") + " instances" +
                      (chart.loaded_only ? " where more than the largest load decides" : "")) +
          "\nset ylabel " + lab::quoted(chart.loaded_only ? "cost over the best bound" : "cost over P4's bound") +
          "\nset logscale y\nset yrange [0.8:*]\nset ytics (0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4, 6, 10)\nset boxwidth 0.7\nset "
          "key outside "
          "right top\nset xtics (";
  for (std::size_t c = 0; c < shown.size(); ++c) {
    text += (c > 0 ? ", " : "") + lab::quoted(shown[c]->word) + " " +
            shortest(static_cast<double>(c) * (groups + 1) + (groups - 1) / 2.0);
  }
  text += ")\nset xrange [-1:" + std::to_string(static_cast<int>(shown.size()) * (groups + 1) - 1) + "]\n";
  return text + plots + "\n";
}

}  // namespace

std::vector<std::string> chart_names(const std::vector<ClassResult>& results) {
  std::vector<std::string> names;
  for (const Chart& chart : kCharts) {
    if (!shown_in(chart, results).empty()) names.push_back(chart_name(chart));
  }
  return names;
}

void draw_charts(const std::vector<ClassResult>& results, const Setting& setting, const std::string& folder) {
  for (const Chart& chart : kCharts) {
    const std::vector<const ClassResult*> shown = shown_in(chart, results);
    if (!shown.empty()) lab::draw_chart(folder, chart_name(chart), box_script(chart, shown, setting));
  }
}

}  // namespace stowage::cli::colocation
