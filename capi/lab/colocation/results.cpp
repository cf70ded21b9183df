#include "capi/lab/colocation/results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "capi/cli/generate/colocation.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::colocation {
namespace {

using lab::Grid;

/// Bounds and costs that differ by less are equal.
constexpr double kRounding = 1e-9;

const Run* best_of(const Group& group, const std::vector<const Run*>& runs) {
  const Run* best = nullptr;
  for (const Run* run : runs) {
    if (std::find(group.labels.begin(), group.labels.end(), run->label) == group.labels.end()) continue;
    if (best == nullptr || std::pair(run->cost, run->seconds) < std::pair(best->cost, best->seconds)) best = run;
  }
  return best;
}

void add_instance(const std::vector<Group>& groups, const std::vector<const Run*>& runs, double bound, ClassResult& result) {
  ++result.instances;
  double least = std::numeric_limits<double>::infinity();
  for (const Run* run : runs) least = std::min(least, run->cost);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Run* best = best_of(groups[g], runs);
    if (best == nullptr) continue;
    Ratios& ratios = result.groups[g];
    ratios.over_paper.push_back(best->cost / best->paper_bound);
    ratios.over_best.push_back(best->cost / bound);
    ratios.proven += best->cost <= bound * (1 + kRounding) ? 1 : 0;
    ratios.least += best->cost <= least * (1 + kRounding) ? 1 : 0;
    ratios.seconds += best->seconds;
  }
}

std::string row_text(const ClassResult& result) { return result.word + (result.large ? ", large" : ", small"); }

std::string ratio_text(double ratio) { return for_people(ratio, 3); }

/// Whether another group, of several contenders, has all contenders of this one.
bool is_part_of_another(const std::vector<Group>& groups, std::size_t g) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& other) {
    return other.labels.size() > groups[g].labels.size() &&
           std::all_of(groups[g].labels.begin(), groups[g].labels.end(), [&](const std::string& label) {
             return std::find(other.labels.begin(), other.labels.end(), label) != other.labels.end();
           });
  });
}

/// Medians over P4's bound, P4's own in brackets.
Grid medians_of(const std::vector<ClassResult>& results, const Setting& setting, bool loaded_only) {
  Grid grid = {{"class", "instances"}};
  for (const Group& group : setting.groups) grid[0].push_back(group.name);
  for (const ClassResult& result : results) {
    if (result.loaded_only != loaded_only) continue;
    std::vector<std::string> row = {row_text(result), std::to_string(result.instances)};
    for (std::size_t g = 0; g < setting.groups.size(); ++g) {
      const std::vector<double>& ratios = result.groups[g].over_paper;
      std::string text = ratios.empty() ? "-" : ratio_text(quantile(ratios, 0.5));
      const auto published = published_median(result.word, result.large, setting.groups[g].labels.front());
      if (published && setting.groups[g].labels.size() == 1) text += " (" + for_people(*published, 2) + ")";
      row.push_back(std::move(text));
    }
    grid.push_back(std::move(row));
  }
  return grid;
}

/// Over the best bound: medians, and shares of instances near it.
Grid shares_of(const std::vector<ClassResult>& results, const Setting& setting) {
  Grid grid = {
      {"class", "instances", "planner", "median", "95 %", "proven", "within 0.1 %", "within 1 %", "none better", "mean time"}};
  for (const ClassResult& result : results) {
    if (!result.loaded_only) continue;
    for (std::size_t g = 0; g < setting.groups.size(); ++g) {
      const Ratios& ratios = result.groups[g];
      if (ratios.over_best.empty() || is_part_of_another(setting.groups, g)) continue;
      const auto share = [&](std::uint32_t part) { return for_people(100.0 * part / result.instances, 1) + " %"; };
      grid.push_back({row_text(result), std::to_string(result.instances), setting.groups[g].name,
                      for_people(quantile(ratios.over_best, 0.5), 4), for_people(quantile(ratios.over_best, 0.95), 4),
                      share(ratios.proven), share(ratios.within(0.001)), share(ratios.within(0.01)), share(ratios.least),
                      duration_text(ratios.seconds)});
    }
  }
  return grid;
}

/// The sentences below the tables.
std::vector<std::string> setting_lines(const Setting& setting) {
  std::vector<std::string> lines = {counted(setting.seeds, "instance") +
                                    " per combination of class, kinds, apps and nodes; each run has " +
                                    duration_text(static_cast<double>(setting.deadline_ms) / 1000) +
                                    " at most, unless its name says otherwise; times are of the planner alone, on one thread"};
  for (const Group& group : setting.groups) {
    if (group.labels.size() < 2) continue;
    std::string line = group.name + ": the best plan of";
    for (const std::string& label : group.labels) line += (label == group.labels.front() ? " " : ", ") + label;
    lines.push_back(line);
  }
  if (!setting.missing.empty()) lines.push_back(lab::missing_text(setting.missing));
  return lines;
}

constexpr const char* kMediansTitle = "Medians over P4's bound (P4's own in brackets)";
constexpr const char* kLoadedMediansTitle = "The same, where more than the largest load decides";
constexpr const char* kSharesTitle = "Over the best bound, where more than the largest load decides";

}  // namespace

std::uint32_t Ratios::within(double share) const {
  const auto end = std::upper_bound(over_best.begin(), over_best.end(), 1 + share);
  return static_cast<std::uint32_t>(end - over_best.begin());
}

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::vector<ClassResult> sum_up(const std::vector<Group>& groups, const std::vector<Run>& runs) {
  std::map<std::pair<Cell, std::uint64_t>, std::vector<const Run*>> instances;
  for (const Run& run : runs) {
    if (run.counts()) instances[{run.of, run.seed}].push_back(&run);
  }
  std::vector<ClassResult> results;
  for (const std::string& word : class_words()) {
    for (const bool large : {false, true}) {
      for (const bool loaded_only : {false, true}) {
        results.push_back({word, large, loaded_only, 0, std::vector<Ratios>(groups.size())});
      }
    }
  }
  for (const auto& [key, of_instance] : instances) {
    const double largest = of_instance.front()->largest;
    double bound = largest;
    for (const Run* run : of_instance) bound = std::max(bound, run->bound.value_or(0));
    for (ClassResult& result : results) {
      if (result.word != key.first.word || result.large != key.first.is_large()) continue;
      if (!result.loaded_only || bound > largest * (1 + kRounding)) add_instance(groups, of_instance, bound, result);
    }
  }
  std::erase_if(results, [](const ClassResult& result) { return result.instances == 0; });
  for (ClassResult& result : results) {
    for (Ratios& ratios : result.groups) {
      std::sort(ratios.over_paper.begin(), ratios.over_paper.end());
      std::sort(ratios.over_best.begin(), ratios.over_best.end());
      ratios.seconds /= std::max(1.0, static_cast<double>(ratios.over_best.size()));
    }
  }
  return results;
}

void print_results(const std::vector<ClassResult>& results, const Setting& setting, const Console& console) {
  const auto print = [&](const char* title, const Grid& grid) {
    if (grid.size() < 2) return;
    console.out << title << ":\n";
    lab::print_grid(grid, console);
    console.out << '\n';
  };
  print(kMediansTitle, medians_of(results, setting, false));
  print(kLoadedMediansTitle, medians_of(results, setting, true));
  print(kSharesTitle, shares_of(results, setting));
  for (const std::string& line : setting_lines(setting)) console.out << toned(console, Tone::kFaint, line) << '\n';
}

void add_figures(const std::vector<ClassResult>& results, const Setting& setting, lab::Figures& figures) {
  for (const ClassResult& result : results) {
    for (std::size_t g = 0; g < setting.groups.size(); ++g) {
      const Ratios& ratios = result.groups[g];
      figures.record().text("class", result.word).text("size", result.large ? "large" : "small");
      figures.flag("loaded_only", result.loaded_only).whole("instances", result.instances);
      figures.text("planner", setting.groups[g].name).whole("runs", ratios.over_best.size());
      figures.number("over_paper", quantile(ratios.over_paper, 0.5), !ratios.over_paper.empty());
      const auto over_best = [&](const char* name, double share) {
        figures.number(name, quantile(ratios.over_best, share), !ratios.over_best.empty());
      };
      over_best("over_best", 0.5);
      over_best("p5", 0.05);
      over_best("p25", 0.25);
      over_best("p75", 0.75);
      over_best("p95", 0.95);
      figures.whole("proven", ratios.proven).whole("within_0.1%", ratios.within(0.001));
      figures.whole("within_1%", ratios.within(0.01)).whole("least", ratios.least).seconds("seconds", ratios.seconds);
    }
  }
}

void write_markdown(const std::vector<ClassResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs);
  for (const std::string& line : setting_lines(setting)) text += "\n" + line + ".\n";
  const auto add = [&](const char* title, const Grid& grid) {
    text += "\n### " + std::string(title) + "\n\n" + lab::markdown_grid(grid);
  };
  add(kMediansTitle, medians_of(results, setting, false));
  add(kLoadedMediansTitle, medians_of(results, setting, true));
  if (charts) {
    for (const std::string& name : chart_names(results)) {
      text += lab::markdown_chart(*charts, name + ".svg", "cost over the bound", path);
    }
  }
  add(kSharesTitle, shares_of(results, setting));
  lab::write_between(path, kMarkdownWord, text);
}

}  // namespace stowage::cli::colocation
