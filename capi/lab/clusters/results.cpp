#include "capi/lab/clusters/results.h"

#include <algorithm>
#include <map>
#include <utility>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::clusters {
namespace {

using lab::contender_text;
using lab::Grid;

std::string percent(bool known, double share) { return known ? for_people(share * 100, 3) + " %" : "-"; }

/// Mean gaps: a row per features, a column per contender.
Grid gaps_of(const SizeResult& result) {
  Grid grid = {{"features"}};
  for (const lab::Contender& one : result.contenders) grid[0].push_back(contender_text(one.label));
  for (std::size_t f = 0; f < result.features.size(); ++f) {
    std::vector<std::string> row = {result.features[f]};
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const Mean& mean = result.mean(f, c);
      row.push_back(percent(mean.bounded > 0, mean.gap));
    }
    grid.push_back(std::move(row));
  }
  return grid;
}

/// Everything: a row per features and contender.
Grid details_of(const SizeResult& result) {
  Grid grid = {{"features", "planner", "runs", "cost", "bound", "gap", "worst gap", "soft violations", "left out", "time"}};
  for (std::size_t f = 0; f < result.features.size(); ++f) {
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const Mean& mean = result.mean(f, c);
      if (mean.runs == 0) continue;
      const bool bounded = mean.bounded > 0;
      const int digits = mean.priced ? 3 : 1;
      const std::string unit = mean.priced ? "" : " nodes";
      grid.push_back({result.features[f], contender_text(result.contenders[c].label), for_people(mean.runs),
                      for_people(mean.value, digits) + unit, bounded ? for_people(mean.bound, digits) + unit : "-",
                      percent(bounded, mean.gap), percent(bounded, mean.worst_gap), for_people(mean.rule_violations, 1),
                      for_people(mean.unplaced, 1), duration_text(mean.seconds)});
    }
  }
  return grid;
}

std::string title_of(const SizeResult& result) { return counted(result.apps, "app"); }

std::string chart_name_of(const SizeResult& result) { return "clusters-" + std::to_string(result.apps); }

bool is_charted(const SizeResult& result) {
  return std::any_of(result.means.begin(), result.means.end(), [](const Mean& mean) { return mean.bounded > 0; });
}

/// A row per features, a colour per contender.
std::string chart_script(const SizeResult& result) {
  const auto rows = static_cast<int>(result.features.size());
  std::string text = lab::script_head(chart_name_of(result), 900, 120 + 34 * rows);
  std::string plots;
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    const std::string block = "$contender" + std::to_string(c);
    text += block + " << EOD\n";
    for (std::size_t f = 0; f < result.features.size(); ++f) {
      const Mean& mean = result.mean(f, c);
      text += lab::value_text(mean.bounded > 0, mean.gap * 100) + " " + std::to_string(f) + "\n";
    }
    text += "EOD\n";
    plots += (c == 0 ? "plot " : ", ") + block + " using 1:2 with points pt 7 ps 0.9 lc rgb " +
             lab::quoted(lab::kColors[(c + 1) % lab::kColors.size()]) + " title " +
             lab::quoted(contender_text(result.contenders[c].label));
  }
  text += "set title " + lab::quoted("Clusters of " + title_of(result) + ": how far plans are above their bounds") +
          "\nset xlabel 'above the bound, %'\nset xrange [0:*]\nset yrange [" + std::to_string(rows) +
          "-0.5:-0.5]\nset key outside right top\nset ytics (";
  for (std::size_t f = 0; f < result.features.size(); ++f) {
    text += (f > 0 ? ", " : "") + lab::quoted(result.features[f]) + " " + std::to_string(f);
  }
  return text + ")\n" + plots + "\n";
}

std::string setting_line(const Setting& setting) {
  return counted(setting.seeds, "cluster") +
         " per row; means. A gap is how far a plan with everything placed is above its own bound on cost (on nodes, where "
         "there "
         "are no prices); times are of the planner alone, on one thread";
}

}  // namespace

SizeResult sum_up(std::uint32_t apps, const std::vector<std::string>& features, const std::vector<lab::Contender>& contenders,
                  const std::vector<Run>& runs) {
  std::map<std::pair<std::string, std::string>, Mean> means;
  for (const Run& run : runs) {
    if (run.of.apps != apps || run.status == Run::kRefused || run.violations > 0) continue;
    Mean& mean = means[{run.of.features, run.label}];
    ++mean.runs;
    mean.priced = run.priced;
    mean.value += run.value;
    mean.rule_violations += static_cast<double>(run.rule_violations);
    mean.unplaced += static_cast<double>(run.unplaced);
    mean.seconds += run.seconds;
    const std::optional<double> gap = run.gap();
    if (!gap) continue;
    ++mean.bounded;
    mean.bound += *run.bound;
    mean.gap += *gap;
    mean.worst_gap = std::max(mean.worst_gap, *gap);
  }
  for (auto& [key, mean] : means) {
    for (double* sum : {&mean.value, &mean.rule_violations, &mean.unplaced, &mean.seconds}) *sum /= mean.runs;
    if (mean.bounded == 0) continue;
    mean.bound /= mean.bounded;
    mean.gap /= mean.bounded;
  }
  SizeResult result;
  result.apps = apps;
  result.features = features;
  result.contenders = contenders;
  for (const std::string& one : features) {
    for (const lab::Contender& contender : contenders) {
      const auto found = means.find({one, contender.label});
      result.means.push_back(found == means.end() ? Mean() : found->second);
    }
  }
  return result;
}

void print_results(const std::vector<SizeResult>& results, const Setting& setting, const Console& console) {
  for (const SizeResult& result : results) {
    console.out << toned(console, Tone::kStrong, title_of(result)) << '\n';
    lab::print_grid(details_of(result), console);
    console.out << '\n';
  }
  console.out << toned(console, Tone::kFaint, setting_line(setting)) << '\n';
}

void add_figures(const std::vector<SizeResult>& results, lab::Figures& figures) {
  for (const SizeResult& result : results) {
    for (std::size_t f = 0; f < result.features.size(); ++f) {
      for (std::size_t c = 0; c < result.contenders.size(); ++c) {
        const Mean& mean = result.mean(f, c);
        const bool bounded = mean.bounded > 0;
        figures.record().text("features", result.features[f]).whole("apps", result.apps);
        figures.text("planner", result.contenders[c].label).whole("runs", mean.runs);
        figures.text("objective", mean.priced ? "cost" : "nodes").number("value", mean.value, mean.runs > 0);
        figures.number("bound", mean.bound, bounded).number("gap", mean.gap, bounded);
        figures.number("worst_gap", mean.worst_gap, bounded).number("rule_violations", mean.rule_violations);
        figures.number("unplaced", mean.unplaced).seconds("seconds", mean.seconds);
      }
    }
  }
}

void write_markdown(const std::vector<SizeResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs);
  text += setting_line(setting) + ".\n";
  for (const SizeResult& result : results) {
    text += "\n### " + title_of(result) + "\n\nGaps:\n\n" + lab::markdown_grid(gaps_of(result));
    if (charts && is_charted(result)) {
      text += lab::markdown_chart(*charts, chart_name_of(result) + ".svg", "gaps by feature", path);
    }
    text += "\nIn detail:\n\n" + lab::markdown_grid(details_of(result));
  }
  lab::write_between(path, kMarkdownWord, text);
}

void draw_charts(const std::vector<SizeResult>& results, const std::string& folder) {
  for (const SizeResult& result : results) {
    if (is_charted(result)) lab::draw_chart(folder, chart_name_of(result), chart_script(result));
  }
}

}  // namespace stowage::cli::clusters
