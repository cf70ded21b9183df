#include "capi/lab/medea/results.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::medea {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;

/// A measure that is shown: its value from a mean, its title and its scale.
struct Measure {
  const char* word;
  const char* title;
  double Mean::*value;
  double factor;  ///< of the value, in charts and tables
  int digits;
};
constexpr Measure kViolating = {"violations", "containers that violate a rule, %", &Mean::violating, 100, 2};
constexpr Measure kFragmented = {"fragmentation", "fragmented nodes, %", &Mean::fragmented, 100, 2};
constexpr Measure kImbalance = {"imbalance", "coefficient of variation of nodes' memory, %", &Mean::imbalance, 100, 1};
constexpr Measure kGivenUp = {"given-up", "applications that were not placed, %", &Mean::given_up, 100, 2};
constexpr Measure kLatency = {"latency", "time per application, ms", &Mean::per_application, 1000, 2};
constexpr Measure kMedian = {"median", "median of the hours, % of its containers", &Mean::median_unavailable, 100, 2};
constexpr Measure kMost = {"most", "worst hour, % of its containers", &Mean::most_unavailable, 100, 2};

std::vector<Measure> measures_of(Sweep sweep) {
  switch (sweep) {
    case Sweep::kResilience:
      return {kMedian, kMost, kViolating};
    case Sweep::kUtilization:
      return {kViolating, kFragmented, kImbalance, kGivenUp, kLatency};
    case Sweep::kNodes:
      return {kLatency, kViolating};
    case Sweep::kTwoSchedulers:
    case Sweep::kOneScheduler:
      return {kLatency};
    default:
      return {kViolating, kGivenUp, kLatency};
  }
}

std::string value_of(const Mean& mean, const Measure& measure) {
  return mean.runs == 0 ? "-" : for_people(mean.*measure.value * measure.factor, measure.digits);
}

Grid grid_of(const SweepResult& result, const Measure& measure) {
  Grid grid = {{sweep_info(result.sweep).axis}};
  for (const Contender& one : result.contenders) grid[0].push_back(contender_text(one.label));
  for (std::size_t k = 0; k < result.points.size(); ++k) {
    std::vector<std::string> row = {x_text(result.points[k])};
    for (std::size_t c = 0; c < result.contenders.size(); ++c) row.push_back(value_of(result.mean(k, c), measure));
    grid.push_back(std::move(row));
  }
  return grid;
}

/// Mean and worst gap per point, for contenders that prove one.
Grid gap_grid(const SweepResult& result) {
  Grid grid = {{sweep_info(result.sweep).axis}};
  std::vector<std::size_t> proving;
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    bool any = false;
    for (std::size_t k = 0; k < result.points.size(); ++k) any = any || result.mean(k, c).with_gap > 0;
    if (!any) continue;
    proving.push_back(c);
    grid[0].push_back(contender_text(result.contenders[c].label));
  }
  if (proving.empty()) return {};
  for (std::size_t k = 0; k < result.points.size(); ++k) {
    std::vector<std::string> row = {x_text(result.points[k])};
    for (const std::size_t c : proving) {
      const Mean& mean = result.mean(k, c);
      row.push_back(
          mean.with_gap == 0 ? "-" : for_people(mean.mean_gap * 100, 3) + " % (" + for_people(mean.worst_gap * 100, 3) + " %)");
    }
    grid.push_back(std::move(row));
  }
  return grid;
}

std::string chart_name(Sweep sweep, const Measure& measure) {
  return std::string("medea-") + sweep_info(sweep).word + "-" + measure.word;
}

std::string chart_script(const SweepResult& result, const Measure& measure) {
  const SweepInfo& info = sweep_info(result.sweep);
  std::string text = lab::script_head(chart_name(result.sweep, measure), 820, 420);
  text += "$means << EOD\n";
  for (std::size_t k = 0; k < result.points.size(); ++k) {
    text += shortest(result.points[k].x * (info.shares ? 100 : 1));
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const Mean& mean = result.mean(k, c);
      text += " " + lab::value_text(mean.runs > 0, mean.*measure.value * measure.factor);
    }
    text += "\n";
  }
  text += "EOD\nset title " + lab::quoted(info.title) + "\nset xlabel " +
          lab::quoted(std::string(info.axis) + (info.shares ? ", %" : "")) + "\nset ylabel " + lab::quoted(measure.title) +
          "\n";
  const bool logarithmic = measure.value == kLatency.value;
  text += logarithmic ? "set logscale y\n" : "set yrange [0:1<*]\n";
  if (result.sweep == Sweep::kNodes) text += "set logscale x\n";
  text += "set key outside right top\n";
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    text += (c == 0 ? "plot " : ", ") + std::string("$means using 1:") + std::to_string(c + 2) +
            " with linespoints lw 2 pt 7 lc rgb " + lab::quoted(lab::kColors[c % lab::kColors.size()]) + " title " +
            lab::quoted(contender_text(result.contenders[c].label));
  }
  return text + "\n";
}

bool is_charted(const SweepResult& result) { return result.points.size() > 1 && !result.contenders.empty(); }

/// Calls show(heading, grid) for every table of a sweep.
void for_each_grid(const SweepResult& result, const std::function<void(const std::string&, const Grid&)>& show) {
  for (const Measure& measure : measures_of(result.sweep)) show(measure.title, grid_of(result, measure));
  if (const Grid gaps = gap_grid(result); !gaps.empty()) show("gap of the scores per interval, mean (worst)", gaps);
}

std::string setting_line(const Setting& setting) {
  return counted(setting.seeds, "cluster") + " per point; each run of a planner has " +
         duration_text(static_cast<double>(setting.deadline_ms) / 1000) +
         " at most, unless its name says otherwise; times are of the planner alone";
}

}  // namespace

SweepResult sum_up(Sweep sweep, const Scale& scale, const std::vector<Contender>& contenders, const std::vector<Run>& runs) {
  std::map<std::pair<Point, std::string>, Mean> means;
  for (const Run& run : runs) {
    if (run.of.sweep != sweep || run.status == Run::kRefused || run.violations > 0) continue;
    Mean& mean = means[{run.of, run.label}];
    ++mean.runs;
    const auto containers = static_cast<double>(std::max<std::uint64_t>(1, run.containers));
    mean.violating += static_cast<double>(run.violating) / containers;
    mean.fragmented += static_cast<double>(run.fragmented) / std::max(1u, run.cluster);
    mean.imbalance += run.imbalance;
    mean.given_up += static_cast<double>(run.given_up) / std::max(1u, run.applications);
    mean.per_application += run.seconds / std::max(1u, run.applications);
    mean.median_unavailable += run.median_unavailable.value_or(0);
    mean.most_unavailable += run.most_unavailable.value_or(0);
    if (!run.mean_gap) continue;
    ++mean.with_gap;
    mean.mean_gap += *run.mean_gap;
    mean.worst_gap = std::max(mean.worst_gap, run.worst_gap.value_or(0));
  }
  for (auto& [key, mean] : means) {
    for (double* value : {&mean.violating, &mean.fragmented, &mean.imbalance, &mean.given_up, &mean.per_application,
                          &mean.median_unavailable, &mean.most_unavailable}) {
      *value /= mean.runs;
    }
    if (mean.with_gap > 0) mean.mean_gap /= mean.with_gap;
  }
  SweepResult result;
  result.sweep = sweep;
  for (const double x : points_of(sweep, scale)) result.points.push_back({sweep, x});
  for (const Contender& contender : contenders) {
    const bool known = std::any_of(result.points.begin(), result.points.end(), [&](const Point& point) {
      return means.contains({point, contender.label});
    });
    if (known) result.contenders.push_back(contender);
  }
  for (const Point& point : result.points) {
    for (const Contender& contender : result.contenders) {
      const auto found = means.find({point, contender.label});
      result.means.push_back(found == means.end() ? Mean() : found->second);
    }
  }
  return result;
}

void print_results(const std::vector<SweepResult>& results, const Setting& setting, const Console& console) {
  for (const SweepResult& result : results) {
    console.out << toned(console, Tone::kStrong, sweep_info(result.sweep).title) << '\n';
    for_each_grid(result, [&](const std::string& heading, const Grid& grid) {
      console.out << heading << '\n';
      lab::print_grid(grid, console);
    });
    console.out << '\n';
  }
  console.out << toned(console, Tone::kFaint, setting_line(setting)) << '\n';
  if (!setting.missing.empty()) console.out << lab::missing_text(setting.missing) << '\n';
}

void add_figures(const std::vector<SweepResult>& results, lab::Figures& figures) {
  for (const SweepResult& result : results) {
    for (std::size_t k = 0; k < result.points.size(); ++k) {
      for (std::size_t c = 0; c < result.contenders.size(); ++c) {
        const Mean& mean = result.mean(k, c);
        const bool proven = mean.with_gap > 0;
        figures.record().text("axis", sweep_info(result.sweep).word).number("x", result.points[k].x);
        figures.text("planner", result.contenders[c].label).whole("runs", mean.runs).number("violating", mean.violating);
        figures.number("fragmented", mean.fragmented).number("imbalance", mean.imbalance).number("given_up", mean.given_up);
        figures.number("seconds_per_application", mean.per_application);
        figures.number("mean_gap", mean.mean_gap, proven).number("worst_gap", mean.worst_gap, proven);
        figures.number("median_unavailable", mean.median_unavailable).number("most_unavailable", mean.most_unavailable);
      }
    }
  }
}

void write_markdown(const std::vector<SweepResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs, "; one thread");
  text += setting_line(setting) + ".\n";
  if (!setting.missing.empty()) text += lab::missing_text(setting.missing, "`") + ".\n";
  for (const SweepResult& result : results) {
    text += "\n### " + std::string(sweep_info(result.sweep).title) + "\n";
    for_each_grid(result, [&](const std::string& heading, const Grid& grid) {
      text += "\n" + heading + ":\n\n" + lab::markdown_grid(grid);
    });
    if (!charts || !is_charted(result)) continue;
    for (const Measure& measure : measures_of(result.sweep)) {
      text += lab::markdown_chart(*charts, chart_name(result.sweep, measure) + ".svg", measure.title, path);
    }
  }
  lab::write_between(path, kMarkdownWord, text);
}

void draw_charts(const std::vector<SweepResult>& results, const std::string& folder) {
  for (const SweepResult& result : results) {
    if (!is_charted(result)) continue;
    for (const Measure& measure : measures_of(result.sweep)) {
      lab::draw_chart(folder, chart_name(result.sweep, measure), chart_script(result, measure));
    }
  }
}

}  // namespace stowage::cli::medea
