#include "capi/lab/stochastic/results.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "capi/cli/base/papers.h"
#include "capi/cli/simulate/normal.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::stochastic {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;

std::string percent(double share, int digits) { return for_people(share * 100, digits) + " %"; }

/// The text of a cell, or why there is none.
std::string known_text(const Mean& mean, const std::string& text) {
  if (mean.runs == 0) return "-";
  if (mean.counted == 0) return "no plan";
  return mean.counted == mean.runs ? text
                                   : text + " [" + std::to_string(mean.counted) + " of " + std::to_string(mean.runs) + "]";
}

std::string violations_text(const Mean& mean) {
  if (mean.observations == 0) return "-";
  const Interval interval = wilson_interval(mean.exceeded, mean.observations);
  return percent(mean.rate(), 3) + " (" + for_people(interval.low * 100, 3) + " - " + for_people(interval.high * 100, 3) + ")";
}

std::string gap_text(const Mean& mean) {
  return mean.bounded > 0 ? percent(mean.gap, 4) + " (" + percent(mean.worst_gap, 4) + ")" : "-";
}

std::string time_text(const Mean& mean) { return mean.counted > 0 ? duration_text(mean.seconds) : "-"; }

bool relative(const Table& table) { return table.number < 3; }

/// One table at one confidence: our figures, and P1's beside them where it prints any.
Grid table_grid(const TableResult& result, double confidence) {
  const Table& table = *result.table;
  const bool week = table.number == kWeekTable;
  Grid grid = {{"services", "planner", "UCaC", "P1", "machines", "P1", week ? "violations in all" : "violations (95 %)", "P1"}};
  if (table.number == 3) grid[0].emplace_back("least machines");
  grid[0].insert(grid[0].end(), {"UCaC above bound (worst)", "time"});
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    const ClusterClass& one = result.classes[k];
    if (one.confidence != confidence) continue;
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const Mean& mean = result.mean(k, c);
      const Printed* printed = find_printed(one, result.contenders[c].label);
      const int digits = relative(table) ? 2 : 0;
      std::vector<std::string> row = {std::to_string(one.services), contender_text(result.contenders[c].label)};
      const bool ratios = relative(table) && mean.related > 0;
      row.push_back(known_text(mean, ratios ? for_people(mean.relative_ucac, 4) : for_people(mean.ucac, 1)));
      row.push_back(printed != nullptr ? for_people(printed->ucac, week ? 1 : digits) : "-");
      row.push_back(known_text(mean, ratios ? for_people(mean.relative_nodes, 4) : for_people(mean.nodes, 1)));
      row.push_back(printed != nullptr ? for_people(printed->machines, digits) : "-");
      row.push_back(week ? (mean.counted > 0 ? for_people(mean.exceeded_in_all, 2) : "-") : violations_text(mean));
      row.push_back(printed == nullptr ? "-"
                    : week             ? for_people(printed->violations, 1)
                                       : for_people(printed->violations) + " %");
      if (table.number == 3) row.push_back(mean.counted > 0 ? for_people(mean.node_bound, 1) : "-");
      row.push_back(gap_text(mean));
      row.push_back(time_text(mean));
      grid.push_back(std::move(row));
    }
  }
  return grid;
}

std::vector<double> confidences_of(const TableResult& result) {
  std::vector<double> confidences;
  for (const ClusterClass& one : result.classes) {
    if (std::find(confidences.begin(), confidences.end(), one.confidence) == confidences.end()) {
      confidences.push_back(one.confidence);
    }
  }
  return confidences;
}

std::string heading(const Table& table) { return "Table " + std::to_string(table.number) + ": " + table.title; }

std::string chart_name(const ClusterClass& of) { return std::string("figure3-") + find_table(of.table).word; }

std::string use_title(const ClusterClass& of) { return "Used capacity of each machine, " + class_text(of); }

/// A line per contender: the used capacity of its machines, the fullest first.
std::string use_script(const std::vector<MachineUse>& uses, const ClusterClass& of, double capacity) {
  std::string text = lab::script_head(chart_name(of), 820, 420);
  std::string plots;
  std::size_t shown = 0;
  for (const MachineUse& use : uses) {
    if (use.of != of) continue;
    const std::string block = "$use" + std::to_string(shown);
    text += block + " << EOD\n";
    for (std::size_t machine = 0; machine < use.ucac.size(); ++machine) {
      text += std::to_string(machine + 1) + " " + shortest(use.ucac[machine]) + "\n";
    }
    text += "EOD\n";
    plots += (shown == 0 ? "plot " : ", ") + block + " using 1:2 with lines lw 2 lc rgb " +
             lab::quoted(lab::kColors[shown % lab::kColors.size()]) + " title " + lab::quoted(contender_text(use.label));
    ++shown;
  }
  text += "set title " + lab::quoted(use_title(of)) + "\nset xlabel 'machines, the fullest first'\n" +
          "set ylabel 'used capacity at confidence, cores'\nset yrange [0:" + shortest(capacity * 1.1) +
          "]\nset xrange [0:*]\n" + "set key outside right top\nset arrow from graph 0, first " + shortest(capacity) +
          " to graph 1, first " + shortest(capacity) + " nohead lc rgb '#999999' dt 2\n" + plots + "\n";
  return text;
}

std::vector<ClusterClass> charted(const std::vector<MachineUse>& uses) {
  std::vector<ClusterClass> classes;
  for (const MachineUse& use : uses) {
    if (std::find(classes.begin(), classes.end(), use.of) == classes.end()) classes.push_back(use.of);
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

std::string setting_text(const Setting& setting) {
  return counted(setting.seeds, "instance") + " per class on " + for_people(setting.machines, 0) + " machines; usage drawn " +
         for_people(setting.samples, 0) + " times, " + usage_word(setting.usage);
}

std::string markdown_text(const std::vector<TableResult>& results, const std::vector<Run>& runs,
                          const std::vector<MachineUse>& uses, const Setting& setting, const std::optional<std::string>& charts,
                          const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs, "; one thread");
  text += setting_text(setting) + ".\n";
  text +=
      "In tables 1 and 2, UCaC and machines are relative to `bf-nsigma` on the same instance. Times are of the planner "
      "alone.\n";
  if (!setting.missing.empty()) text += lab::missing_text(setting.missing, "`") + ".\n";
  for (const TableResult& result : results) {
    text += "\n### " + heading(*result.table) + "\n";
    for (const double confidence : confidences_of(result)) {
      text += "\nConfidence " + confidence_text(confidence) + ":\n\n" + lab::markdown_grid(table_grid(result, confidence));
    }
  }
  const std::vector<ClusterClass> drawn = charted(uses);
  if (charts && !drawn.empty()) {
    text += "\n### Figure 3: machines by used capacity\n";
    for (const ClusterClass& of : drawn) text += lab::markdown_chart(*charts, chart_name(of) + ".svg", use_title(of), path);
  }
  return text;
}

}  // namespace

TableResult sum_up(const Table& table, const Scale& scale, const std::vector<Contender>& contenders,
                   const std::vector<Run>& runs) {
  using Key = std::tuple<ClusterClass, std::string>;
  using Instance = std::tuple<ClusterClass, std::uint64_t, std::uint32_t, std::string>;
  // In the week, the instances of a planner depend on its plans of the days before.
  const auto instance_of = [](const Run& run) {
    return Instance{run.of, run.seed, run.day, run.of.table == kWeekTable ? run.label : std::string()};
  };
  std::map<Instance, const Run*> baseline;
  std::map<Instance, double> ucac_bound;
  std::map<Instance, double> node_bound;
  for (const Run& run : runs) {
    if (!run.counts()) continue;
    const Instance instance = instance_of(run);
    if (run.label == kBaseline) baseline[instance] = &run;
    ucac_bound[instance] = std::max(ucac_bound[instance], run.ucac_bound.value_or(0));
    node_bound[instance] = std::max(node_bound[instance], run.node_bound.value_or(0));
  }
  std::map<Key, Mean> means;
  std::map<Key, std::set<std::uint64_t>> seeds;
  for (const Run& run : runs) {
    const Key key{run.of, run.label};
    Mean& mean = means[key];
    ++mean.runs;
    if (!run.counts()) continue;
    ++mean.counted;
    seeds[key].insert(run.seed);
    mean.requested += static_cast<double>(run.requested);
    mean.ucac += run.ucac;
    mean.nodes += static_cast<double>(run.nodes);
    const Instance instance = instance_of(run);
    mean.node_bound += node_bound[instance];
    mean.seconds += run.seconds;
    mean.worst_seconds = std::max(mean.worst_seconds, run.seconds);
    mean.observations += run.observations;
    mean.exceeded += run.exceeded;
    mean.exceeded_in_all += static_cast<double>(run.exceeded) / run.samples;
    if (const double bound = ucac_bound[instance]; bound > 0) {
      const double gap = std::max(0.0, run.ucac / bound - 1);
      ++mean.bounded;
      mean.gap += gap;
      mean.worst_gap = std::max(mean.worst_gap, gap);
    }
    if (const auto base = baseline.find(instance); base != baseline.end()) {
      ++mean.related;
      mean.relative_ucac += run.ucac / base->second->ucac;
      mean.relative_nodes += static_cast<double>(run.nodes) / static_cast<double>(base->second->nodes);
    }
  }
  for (auto& [key, mean] : means) {
    const auto divide = [](double& value, double by) { value = by > 0 ? value / by : 0; };
    for (double* value : {&mean.requested, &mean.ucac, &mean.nodes, &mean.node_bound, &mean.seconds})
      divide(*value, mean.counted);
    divide(mean.exceeded_in_all, static_cast<double>(seeds[key].size()));
    divide(mean.gap, mean.bounded);
    divide(mean.relative_ucac, mean.related);
    divide(mean.relative_nodes, mean.related);
  }
  TableResult result;
  result.table = &table;
  result.classes = classes_of(table, scale);
  for (const Contender& contender : contenders) {
    if (std::any_of(result.classes.begin(), result.classes.end(), [&](const ClusterClass& one) {
          return means.contains({one, contender.label}) || find_printed(one, contender.label) != nullptr;
        })) {
      result.contenders.push_back(contender);
    }
  }
  for (const ClusterClass& one : result.classes) {
    for (const Contender& contender : result.contenders) {
      const auto found = means.find({one, contender.label});
      result.means.push_back(found == means.end() ? Mean() : found->second);
    }
  }
  return result;
}

void print_results(const std::vector<TableResult>& results, const Setting& setting, const Console& console) {
  for (const TableResult& result : results) {
    console.out << toned(console, Tone::kStrong, heading(*result.table)) << '\n';
    for (const double confidence : confidences_of(result)) {
      console.out << "confidence " << confidence_text(confidence) << '\n';
      lab::print_grid(table_grid(result, confidence), console);
    }
    console.out << '\n';
  }
  console.out << toned(console, Tone::kFaint,
                       setting_text(setting) + ". P1: as printed there. UCaC and machines in tables 1 and 2: relative to " +
                           kBaseline + " on the same instance; time: the planner alone")
              << '\n'
              << papers_legend("P1");
  if (!setting.missing.empty()) console.out << lab::missing_text(setting.missing) << '\n';
}

void add_figures(const std::vector<TableResult>& results, lab::Figures& figures) {
  for (const TableResult& result : results) {
    for (std::size_t k = 0; k < result.classes.size(); ++k) {
      const ClusterClass& one = result.classes[k];
      for (std::size_t c = 0; c < result.contenders.size(); ++c) {
        const Mean& mean = result.mean(k, c);
        const std::string& label = result.contenders[c].label;
        const bool counted = mean.counted > 0;
        const bool seen = mean.observations > 0;
        const Interval interval = wilson_interval(mean.exceeded, mean.observations);
        const char* name = paper_name(label);
        const Printed* printed = find_printed(one, label);
        const Printed theirs = printed != nullptr ? *printed : Printed();
        figures.record().whole("table", static_cast<std::uint64_t>(result.table->number)).text("case", result.table->word);
        figures.whole("services", one.services).number("confidence", one.confidence).text("planner", label);
        figures.whole("runs", mean.runs).whole("counted", mean.counted).number("requested", mean.requested, counted);
        figures.number("ucac", mean.ucac, counted).number("nodes", mean.nodes, counted);
        figures.number("node_bound", mean.node_bound, counted);
        figures.number("relative_ucac", mean.relative_ucac, mean.related > 0);
        figures.number("relative_nodes", mean.relative_nodes, mean.related > 0);
        figures.number("gap", mean.gap, mean.bounded > 0).number("worst_gap", mean.worst_gap, mean.bounded > 0);
        figures.number("rate", mean.rate(), seen).number("low", interval.low, seen).number("high", interval.high, seen);
        figures.whole("observations", mean.observations).whole("exceeded", mean.exceeded);
        figures.number("exceeded_in_all", mean.exceeded_in_all, counted);
        figures.number("seconds", mean.seconds, counted).number("worst_seconds", mean.worst_seconds, counted);
        figures.text("paper_name", name != nullptr ? name : "", name != nullptr);
        figures.part("printed", printed != nullptr, [&](lab::Figures& part) {
          part.number("ucac", theirs.ucac).number("nodes", theirs.machines).number("violations", theirs.violations);
        });
      }
    }
  }
}

void write_markdown(const std::vector<TableResult>& results, const std::vector<Run>& runs, const std::vector<MachineUse>& uses,
                    const Setting& setting, const std::optional<std::string>& charts, const std::string& path) {
  lab::write_between(path, kMarkdownWord, markdown_text(results, runs, uses, setting, charts, path));
}

ClusterClass charted_class(const Table& table, const Scale& scale) {
  return {table.number, *std::max_element(scale.services.begin(), scale.services.end()),
          *std::max_element(scale.confidences.begin(), scale.confidences.end())};
}

void draw_uses(const std::vector<MachineUse>& uses, double capacity, const std::string& folder) {
  for (const ClusterClass& of : charted(uses)) lab::draw_chart(folder, chart_name(of), use_script(uses, of, capacity));
}

}  // namespace stowage::cli::stochastic
