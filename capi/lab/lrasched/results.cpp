#include "capi/lab/lrasched/results.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lrasched {
namespace {

using lab::Grid;

std::vector<std::string> cell_fields(const Cell& of) {
  return {of.load, std::to_string(of.apps) + "/" + std::to_string(of.nodes), std::to_string(of.dims)};
}

/// A row per cell that `wanted` names, with the bound and a figure per contender.
Grid grid_of(const std::vector<CellResult>& results, const Setting& setting, const std::function<bool(const Cell&)>& wanted,
             const std::function<std::string(const CellResult&)>& bound,
             const std::function<std::string(const Cell&, const Mean&)>& figure) {
  Grid grid = {{"load", "apps/nodes", "dims"}};
  for (const std::string& label : setting.labels) grid[0].push_back(lab::contender_text(label));
  if (bound) grid[0].push_back("bound");
  for (const CellResult& result : results) {
    if (!wanted(result.of)) continue;
    std::vector<std::string> row = cell_fields(result.of);
    for (const Mean& mean : result.means) row.push_back(mean.runs == 0 ? "-" : figure(result.of, mean));
    if (bound) row.push_back(bound(result));
    grid.push_back(std::move(row));
  }
  return grid;
}

struct Table {
  std::string title;
  Grid grid;
};

/// Table 2: what the learners that P3 compares reach.
Grid learned_grid(const sizes::BaselineScore& learned) {
  const auto error = [](double value) { return for_people(value, 3); };
  const auto of = [&](const char* name, auto part, const std::string& microseconds, const char* paper, const char* paper_ms) {
    return std::vector<std::string>{name,    error(learned.held_out.*part), error(learned.fresh.*part), microseconds, paper,
                                    paper_ms};
  };
  return {
      {"learner", "RMSE, profiled apps", "RMSE, new apps", "microseconds", "P3: RMSE", "P3: ms"},
      of("mean per configuration", &sizes::LearnerErrors::mean, "", "", ""),
      of("factorization machine", &sizes::LearnerErrors::machine, for_people(learned.machine_microseconds, 2), "0.243", "1.15"),
      of("matrix factorization", &sizes::LearnerErrors::matrix, for_people(learned.matrix_microseconds, 2), "0.582", "0.73")};
}

/// Figure 5.
Grid over_time_grid(const sizes::BaselineScore& learned) {
  Grid grid = {{"measurements learned, %"}};
  for (const sizes::FamilyErrors& family : learned.over_time) grid[0].push_back(family.family);
  for (std::size_t t = 0; t < learned.over_time.front().by_tenth.size(); ++t) {
    grid.push_back({std::to_string(10 * t) + "-" + std::to_string(10 * t + 10)});
    for (const sizes::FamilyErrors& family : learned.over_time) grid.back().push_back(for_people(family.by_tenth[t], 3));
  }
  return grid;
}

/// Every eighth arrival of the testbed.
bool shown_arrival(const Cell& of) { return of.load == "testbed" && of.apps % 8 == 0; }
bool with_these_nodes(const Cell& of) { return of.load == "literal" || of.load == "scaled"; }
bool with_added_nodes(const Cell& of) { return of.load == "added"; }
bool for_latency(const Cell& of) { return of.load == "latency"; }

std::string microseconds_text(const Cell& of, const Mean& mean) { return for_people(1e6 * mean.seconds / of.apps, 1); }

std::vector<Table> tables_of(const Results& results, const Setting& setting) {
  const std::vector<CellResult>& cells = results.cells;
  const auto share = [](double part, std::uint32_t all) { return for_people(100 * part / all, 1); };
  const auto utilization = [](const Cell&, const Mean& mean) { return for_people(100 * mean.utilization, 1); };
  const auto admitted = [&](const Cell& of, const Mean& mean) { return share(mean.admitted, of.apps); };
  std::vector<Table> all;
  if (results.learned) {
    all.push_back({"Accuracy and time of prediction (table 2)", learned_grid(*results.learned)});
    all.push_back({"RMSE of the factorization machine in its first pass (figure 5)", over_time_grid(*results.learned)});
  }
  all.push_back({"Utilization of the testbed as applications arrive, % (figure 6)",
                 grid_of(cells, setting, shown_arrival, nullptr, utilization)});
  all.push_back({"Applications of the testbed admitted, %", grid_of(cells, setting, shown_arrival, nullptr, admitted)});
  all.push_back(
      {"Applications admitted, % (figure 8)",
       grid_of(
           cells, setting, with_these_nodes, [&](const CellResult& r) { return share(r.most, r.of.apps); }, admitted)});
  all.push_back({"At most so many more can be admitted by the run's own bound, % of what is admitted",
                 grid_of(cells, setting, with_these_nodes, nullptr,
                         [](const Cell&, const Mean& mean) { return for_people(100 * mean.gap, 1); })});
  all.push_back({"Utilization, % (figure 9)", grid_of(cells, setting, with_these_nodes, nullptr, utilization)});
  all.push_back({"Nodes added (figure 10)",
                 grid_of(
                     cells, setting, with_added_nodes, [](const CellResult& r) { return for_people(r.least_added, 1); },
                     [](const Cell&, const Mean& mean) { return for_people(mean.added, 1); })});
  all.push_back({"Time per application, microseconds",
                 grid_of(
                     cells, setting, [](const Cell& of) { return with_these_nodes(of) || with_added_nodes(of); }, nullptr,
                     microseconds_text)});
  all.push_back({"Time per application by size of the cluster, microseconds (figures 11 and 12)",
                 grid_of(cells, setting, for_latency, nullptr, microseconds_text)});
  std::erase_if(all, [](const Table& table) { return table.grid.size() < 2; });
  return all;
}

std::vector<std::string> setting_lines(const Setting& setting) {
  std::vector<std::string> lines = {
      counted(setting.seeds, "instance") + " per row; each run has " +
      duration_text(static_cast<double>(setting.deadline_ms) / 1000) +
      " at most, unless its name says otherwise; means, the bound being the best that any run proved; times are of the planner "
      "alone, on one thread"};
  if (!setting.missing.empty()) lines.push_back(lab::missing_text(setting.missing));
  return lines;
}

}  // namespace

std::vector<CellResult> sum_up(const std::vector<Cell>& cells, const std::vector<std::string>& labels,
                               const std::vector<Run>& runs) {
  std::vector<CellResult> all;
  for (const Cell& of : cells) {
    CellResult result;
    result.of = of;
    result.means.resize(labels.size());
    std::map<std::uint64_t, std::pair<double, double>> bounds;
    for (const Run& run : runs) {
      if (!(run.of == of) || !run.counts()) continue;
      const auto label = std::find(labels.begin(), labels.end(), run.label);
      if (label == labels.end()) continue;
      auto& [most, added] = bounds.try_emplace(run.seed, of.apps, 0.0).first->second;
      most = std::min(most, run.most.value_or(of.apps));
      added = std::max(added, run.least_added.value_or(0));
      Mean& mean = result.means[static_cast<std::size_t>(label - labels.begin())];
      ++mean.runs;
      mean.admitted += static_cast<double>(run.admitted);
      mean.gap += run.most.value_or(of.apps) / std::max(1.0, static_cast<double>(run.admitted)) - 1;
      mean.utilization += run.utilization;
      mean.added += static_cast<double>(run.added);
      mean.seconds += run.seconds;
    }
    for (const auto& [seed, bound] : bounds) {
      result.most += bound.first / static_cast<double>(bounds.size());
      result.least_added += bound.second / static_cast<double>(bounds.size());
    }
    for (Mean& mean : result.means) {
      for (double* sum : {&mean.admitted, &mean.gap, &mean.utilization, &mean.added, &mean.seconds}) {
        *sum /= std::max(1u, mean.runs);
      }
    }
    if (!bounds.empty()) all.push_back(std::move(result));
  }
  return all;
}

void print_results(const Results& results, const Setting& setting, const Console& console) {
  for (const Table& table : tables_of(results, setting)) {
    console.out << toned(console, Tone::kStrong, table.title) << '\n';
    lab::print_grid(table.grid, console);
    console.out << '\n';
  }
  for (const std::string& line : setting_lines(setting)) console.out << toned(console, Tone::kFaint, line) << '\n';
}

void add_figures(const Results& results, const Setting& setting, lab::Figures& figures) {
  for (const CellResult& result : results.cells) {
    for (std::size_t g = 0; g < setting.labels.size(); ++g) {
      const Mean& mean = result.means[g];
      if (mean.runs == 0) continue;
      figures.record().text("load", result.of.load).whole("apps", result.of.apps).whole("nodes", result.of.nodes);
      figures.whole("dims", result.of.dims).whole("containers", result.of.containers).text("planner", setting.labels[g]);
      figures.whole("runs", mean.runs).number("admitted", mean.admitted).number("most", result.most).number("gap", mean.gap);
      figures.number("utilization", mean.utilization).number("added", mean.added).number("least_added", result.least_added);
      figures.seconds("seconds", mean.seconds);
    }
  }
  // Learners have other figures, which a table has no columns for.
  if (!results.learned || !figures.is_json()) return;
  const auto learner = [&](const char* name, auto part, double microseconds) {
    figures.record().text("learner", name).number("rmse_profiled", results.learned->held_out.*part);
    figures.number("rmse_new", results.learned->fresh.*part).number("microseconds", microseconds);
  };
  learner("factorization-machine", &sizes::LearnerErrors::machine, results.learned->machine_microseconds);
  learner("matrix-factorization", &sizes::LearnerErrors::matrix, results.learned->matrix_microseconds);
}

void write_markdown(const Results& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs);
  for (const std::string& line : setting_lines(setting)) text += "\n" + line + ".\n";
  for (const Table& table : tables_of(results, setting))
    text += "\n### " + table.title + "\n\n" + lab::markdown_grid(table.grid);
  if (charts) {
    text += "\n### Charts\n";
    for (const ChartName& chart : chart_names(results))
      text += lab::markdown_chart(*charts, chart.file + ".svg", chart.title, path);
  }
  lab::write_between(path, kMarkdownWord, text);
}

}  // namespace stowage::cli::lrasched
