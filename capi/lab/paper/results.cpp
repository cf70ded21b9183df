#include "capi/lab/paper/results.h"

#include <algorithm>
#include <map>

#include "capi/cli/base/papers.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/paper/charts.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::paper {
namespace {

constexpr const char* kProven = "✓";

std::string gap_text(double gap) { return for_people(gap * 100, gap < 0.01 ? 2 : 1) + " %"; }

/// "[n of m]" where only n of m runs count, else "".
std::string share_text(const Mean& mean) {
  if (mean.counted == mean.runs) return {};
  return " [" + std::to_string(mean.counted) + " of " + std::to_string(mean.runs) + "]";
}

std::string proven_text(const Mean& mean) {
  if (mean.proven == 0) return {};
  return mean.proven == mean.runs ? std::string(" ") + kProven : " " + std::to_string(mean.proven) + kProven;
}

/// The text of a cell for our runs, or why there is none.
std::string ours_text(const Mean& mean, const std::string& text) {
  if (mean.runs == 0) return "-";
  if (mean.counted == 0) return mean.cut > 0 ? "not in time" : "no plan";
  return text + proven_text(mean) + share_text(mean);
}

std::string time_text(const Mean& mean, const lab::Contender& contender) {
  if (mean.counted == 0) return "-";
  return (mean.cut > 0 && contender.deadline_ms == 0 ? "> " : "") + duration_text(mean.seconds);
}

std::string nodes_text(double nodes, double gap) { return for_people(nodes, 1) + " (" + gap_text(gap) + ")"; }

/// The varied quantity as a column's heading.
std::string variation_text(const Figure& figure, const InstanceClass& one) {
  return figure.by_apps ? for_people(one.apps, 0) : density_text(one.density);
}

/// The averages of a figure: one row per contender.
lab::Grid average_grid(const FigureResult& result) {
  lab::Grid grid = {{"planner", "above bound", "time"}};
  if (result.has_published) grid[0].insert(grid[0].end(), {"P0 calls it", "P0: above bound", "P0: time", "time ratio"});
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    const Cell& cell = result.averages[c];
    const lab::Contender& contender = result.contenders[c];
    std::vector<std::string> row = {lab::contender_text(contender.label), ours_text(cell.ours, gap_text(cell.ours.gap)),
                                    time_text(cell.ours, contender)};
    if (result.has_published) {
      const FigurePlanner* known = find_figure_planner(contender.label);
      row.emplace_back(known != nullptr && known->paper_name != nullptr ? known->paper_name : "-");
      row.push_back(cell.published ? gap_text(cell.published->gap) : "-");
      row.push_back(cell.published ? duration_text(cell.published->seconds) : "-");
      row.push_back(cell.published && cell.ours.counted > 0 && cell.ours.seconds > 0
                        ? for_people(cell.published->seconds / cell.ours.seconds, 0)
                        : "-");
    }
    grid.push_back(std::move(row));
  }
  return grid;
}

/// One row per contender, with columns for each class of one graph; with or without the number of nodes.
lab::Grid class_grid(const FigureResult& result, Graph graph, bool with_nodes) {
  lab::Grid grid = {{"planner"}};
  const std::string value = with_nodes ? ": nodes" : ": above";
  for (const InstanceClass& one : result.classes) {
    if (one.graph != graph) continue;
    const std::string variation = variation_text(*result.figure, one);
    grid[0].insert(grid[0].end(), {variation + value, "time"});
    if (result.has_published) grid[0].insert(grid[0].end(), {"P0" + value, "time"});
  }
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    std::vector<std::string> row = {lab::contender_text(result.contenders[c].label)};
    for (std::size_t k = 0; k < result.classes.size(); ++k) {
      if (result.classes[k].graph != graph) continue;
      const auto& [ours, published] = result.cell(k, c);
      row.push_back(ours_text(ours, with_nodes ? nodes_text(ours.nodes, ours.gap) : gap_text(ours.gap)));
      row.push_back(time_text(ours, result.contenders[c]));
      if (!result.has_published) continue;
      row.push_back(!published ? "-" : with_nodes ? nodes_text(published->nodes, published->gap) : gap_text(published->gap));
      row.push_back(published ? duration_text(published->seconds) : "-");
    }
    grid.push_back(std::move(row));
  }
  return grid;
}

std::vector<Graph> graphs_of(const FigureResult& result) {
  std::vector<Graph> graphs;
  for (const InstanceClass& one : result.classes) {
    if (std::find(graphs.begin(), graphs.end(), one.graph) == graphs.end()) graphs.push_back(one.graph);
  }
  return graphs;
}

std::string bounds_text(const FigureResult& result, Graph graph) {
  std::string text;
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    if (result.classes[k].graph != graph) continue;
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const Mean& ours = result.cell(k, c).ours;
      if (ours.counted == 0) continue;
      if (!text.empty()) text += "; ";
      text += variation_text(*result.figure, result.classes[k]) + ": " + for_people(ours.bound, 1);
      break;
    }
  }
  return text;
}

std::string figure_heading(const Figure& figure) { return "Figure " + std::to_string(figure.number) + ": " + figure.title; }

bool any_cut(const FigureResult& result) {
  return std::any_of(result.cells.begin(), result.cells.end(),
                     [](const Cell& cell) { return cell.ours.counted < cell.ours.runs; });
}

/// The tables as Markdown, without the lines around them.
std::string markdown_text(const std::vector<FigureResult>& results, const std::vector<Run>& runs, const Setting& setting,
                          const std::optional<std::string>& charts, const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs, "; one thread");
  text += counted(setting.seeds, "instance") + " per class";
  if (setting.sizes != kDrawnSizes) text += "; apps from " + setting.sizes;
  text += ". Times are of the planner alone, the best of a few runs where one is short.\n";
  text += "Nodes are means over the instances; in brackets is how far they are above the bound (P0, Eq. 4). " +
          std::string(kProven) + " means proven\noptimal; a number before it says how many of the instances are.\n";
  if (!setting.missing.empty()) text += lab::missing_text(setting.missing, "`") + ".\n";
  for (const FigureResult& result : results) {
    text += "\n### " + figure_heading(*result.figure) + "\n";
    if (result.has_published && !result.figure->profile) {
      text +=
          "P0's code uses an integer division here, so that its planners with size measures or scores work in other orders\n"
          "than the paper's formulas give. FF and Medea-TP have no measure and are not affected.\n";
    }
    if (any_cut(result)) text += "[n of m]: only n of m runs ended with a complete plan in time; means are over these.\n";
    if (charts) {
      for (const std::string& name : chart_names(result)) {
        text += lab::markdown_chart(*charts, name, result.figure->title, path);
      }
    }
    if (result.figure->number == kFirstFigure) {
      text += "\n" + lab::markdown_grid(average_grid(result));
      continue;
    }
    for (const Graph graph : graphs_of(result)) {
      text += "\n#### " + std::string(graph_word(graph)) + " graph\n";
      text += "Bounds: " + bounds_text(result, graph) + "\n\n" + lab::markdown_grid(class_grid(result, graph, true));
    }
  }
  return text;
}

// Sums over the runs of each class and contender; those of runs that count are divided by `counted` later.
std::map<std::pair<InstanceClass, std::string>, Mean> sums_of(const std::vector<Run>& runs) {
  std::map<std::pair<InstanceClass, std::string>, Mean> means;
  for (const Run& run : runs) {
    Mean& mean = means[{run.of, run.label}];
    ++mean.runs;
    if (run.status == "deadline") ++mean.cut;
    if (!run.counts()) continue;
    ++mean.counted;
    if (run.status == "optimal") ++mean.proven;
    mean.nodes += static_cast<double>(run.nodes);
    mean.bound += static_cast<double>(run.bound);
    mean.gap += run.gap();
    mean.seconds += run.seconds;
  }
  return means;
}

}  // namespace

FigureResult sum_up(const Figure& figure, const Scale& scale, const std::vector<lab::Contender>& all_contenders,
                    const std::vector<Run>& runs, const Published* published) {
  const std::map<std::pair<InstanceClass, std::string>, Mean> means = sums_of(runs);
  FigureResult result;
  result.figure = &figure;
  result.classes = classes_of(figure, scale);
  const auto published_mean = [&](const InstanceClass& one, const std::string& label) -> const PublishedMean* {
    const FigurePlanner* known = find_figure_planner(label);
    return published != nullptr && known != nullptr ? published->find(one, known->column) : nullptr;
  };
  for (const lab::Contender& contender : all_contenders) {
    if (std::any_of(result.classes.begin(), result.classes.end(), [&](const InstanceClass& one) {
          return means.contains({one, contender.label}) || published_mean(one, contender.label) != nullptr;
        })) {
      result.contenders.push_back(contender);
    }
  }
  const std::vector<lab::Contender>& contenders = result.contenders;
  result.averages.resize(contenders.size());
  for (const InstanceClass& one : result.classes) {
    for (const lab::Contender& contender : contenders) {
      Cell cell;
      if (const auto found = means.find({one, contender.label}); found != means.end()) cell.ours = found->second;
      if (cell.ours.counted > 0) {
        for (double* value : {&cell.ours.nodes, &cell.ours.bound, &cell.ours.gap, &cell.ours.seconds}) {
          *value /= cell.ours.counted;
        }
      }
      const PublishedMean* theirs = published_mean(one, contender.label);
      if (theirs != nullptr) cell.published = *theirs;
      result.has_published |= theirs != nullptr;
      result.cells.push_back(cell);
    }
  }
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    Mean& ours = result.averages[c].ours;
    PublishedMean theirs;
    std::uint32_t our_classes = 0;
    std::uint32_t their_classes = 0;
    for (std::size_t k = 0; k < result.classes.size(); ++k) {
      const auto& [mean, theirs_here] = result.cell(k, c);
      ours.runs += mean.runs;
      ours.counted += mean.counted;
      ours.proven += mean.proven;
      ours.cut += mean.cut;
      if (mean.counted > 0) {
        ++our_classes;
        ours.gap += mean.gap;
        ours.seconds += mean.seconds;
      }
      if (theirs_here) {
        ++their_classes;
        theirs.instances += theirs_here->instances;
        theirs.gap += theirs_here->gap;
        theirs.seconds += theirs_here->seconds;
      }
    }
    if (our_classes > 0) {
      ours.gap /= our_classes;
      ours.seconds /= our_classes;
    }
    if (their_classes > 0) {
      theirs.gap /= their_classes;
      theirs.seconds /= their_classes;
      result.averages[c].published = theirs;
    }
  }
  return result;
}

void print_results(const std::vector<FigureResult>& results, const Setting& setting, const Console& console) {
  for (const FigureResult& result : results) {
    console.out << toned(console, Tone::kStrong, figure_heading(*result.figure)) << '\n';
    if (result.figure->number == kFirstFigure) {
      console.out << "averages over " << counted(result.classes.size(), "class") << " of instances\n";
      lab::print_grid(average_grid(result), console);
    } else {
      for (const Graph graph : graphs_of(result)) {
        const std::string bounds = bounds_text(result, graph);
        console.out << graph_word(graph) << " graph";
        if (!bounds.empty()) console.out << "; bounds: " << bounds;
        console.out << '\n';
        lab::print_grid(class_grid(result, graph, false), console);
      }
    }
    console.out << '\n';
  }
  std::string note =
      "above: nodes above the bound (P0, Eq. 4); " + std::string(kProven) + ": proven optimal; time: the planner alone";
  if (std::any_of(results.begin(), results.end(), [](const FigureResult& one) { return one.has_published; })) {
    note += "; P0: as published";
  } else {
    note += "; published figures are shown beside with --published DIR, at P0's numbers of apps and densities";
  }
  console.out << toned(console, Tone::kFaint, note) << '\n';
  console.out << papers_legend("P0");
  if (!setting.missing.empty()) console.out << lab::missing_text(setting.missing) << '\n';
}

void add_figures(const std::vector<FigureResult>& results, lab::Figures& figures) {
  for (const FigureResult& result : results) {
    for (std::size_t k = 0; k < result.classes.size(); ++k) {
      const InstanceClass& one = result.classes[k];
      for (std::size_t c = 0; c < result.contenders.size(); ++c) {
        const auto& [ours, published] = result.cell(k, c);
        const std::string& label = result.contenders[c].label;
        const FigurePlanner* known = find_figure_planner(label);
        const char* name = known != nullptr ? known->paper_name : nullptr;
        const PublishedMean theirs = published.value_or(PublishedMean{});
        const bool counted = ours.counted > 0;
        figures.record().whole("figure", static_cast<std::uint64_t>(result.figure->number));
        figures.text("demand", demand_word(one.profile)).whole("apps", one.apps).number("density", one.density);
        figures.text("graph", graph_word(one.graph)).text("planner", label).whole("instances", ours.runs);
        figures.whole("counted", ours.counted).whole("proven", ours.proven).whole("cut", ours.cut);
        figures.number("nodes", ours.nodes, counted).number("bound", ours.bound, counted);
        figures.number("gap", ours.gap, counted).number("seconds", ours.seconds, counted);
        figures.text("paper_name", name != nullptr ? name : "", name != nullptr);
        figures.part("published", published.has_value(), [&](lab::Figures& part) {
          part.whole("instances", theirs.instances).number("nodes", theirs.nodes).number("bound", theirs.bound);
          part.number("gap", theirs.gap).number("seconds", theirs.seconds);
        });
      }
    }
  }
}

void write_markdown(const std::vector<FigureResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path) {
  lab::write_between(path, kMarkdownWord, markdown_text(results, runs, setting, charts, path));
}

}  // namespace stowage::cli::paper
