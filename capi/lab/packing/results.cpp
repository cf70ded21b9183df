#include "capi/lab/packing/results.h"

#include <algorithm>
#include <map>
#include <utility>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::packing {
namespace {

using lab::Grid;

constexpr const char* kChart = "packing-proven";

/// Instances of several classes: "Falkenauer" and its letter, or Caprara and Toth's ten classes of one size together.
struct Family {
  std::string name;
  std::uint32_t dims = 0;
  std::uint32_t items = 0;

  bool operator==(const Family&) const = default;
};

Family family_of(const Class& of) { return {of.word.starts_with("ct") ? "ct" : of.word, of.dims, of.items}; }

std::string family_text(const Family& family) {
  if (family.name != "ct") return family.name + std::to_string(family.items);
  return "ct, " + std::to_string(family.dims) + "-D, " + std::to_string(family.items);
}

struct FamilyResult {
  Family of;
  std::uint32_t instances = 0;
  std::vector<Mean> sums;  ///< by group: `runs`, `proven` and `fewest` only
};

std::vector<FamilyResult> families_of(const std::vector<ClassResult>& results, std::size_t groups) {
  std::vector<FamilyResult> all;
  for (const ClassResult& result : results) {
    const Family family = family_of(result.of);
    auto found = std::find_if(all.begin(), all.end(), [&](const FamilyResult& one) { return one.of == family; });
    if (found == all.end()) found = all.insert(all.end(), {family, 0, std::vector<Mean>(groups)});
    found->instances += result.instances;
    for (std::size_t g = 0; g < groups; ++g) {
      found->sums[g].runs += result.means[g].runs;
      found->sums[g].proven += result.means[g].proven;
      found->sums[g].fewest += result.means[g].fewest;
    }
  }
  std::erase_if(all, [](const FamilyResult& one) { return one.instances == 0; });
  return all;
}

std::string share_text(std::uint32_t part, std::uint32_t all) {
  return std::to_string(part) + " of " + std::to_string(all) + " (" + for_people(100.0 * part / std::max(1u, all), 0) + " %)";
}

/// Shares of proven plans and of plans that no other group undercuts.
Grid summary_of(const std::vector<ClassResult>& results, const std::vector<Group>& groups) {
  Grid grid = {{"classes"}};
  for (const Group& group : groups) grid[0].push_back(group.name + ": proven");
  for (const Group& group : groups) grid[0].push_back(group.name + ": fewest nodes");
  for (const FamilyResult& family : families_of(results, groups.size())) {
    std::vector<std::string> row = {family_text(family.of)};
    for (const Mean& sum : family.sums) row.push_back(share_text(sum.proven, family.instances));
    for (const Mean& sum : family.sums) row.push_back(share_text(sum.fewest, family.instances));
    grid.push_back(std::move(row));
  }
  return grid;
}

Grid details_of(const std::vector<ClassResult>& results, const std::vector<Group>& groups) {
  Grid grid = {{"class", "dims", "items", "instances", "bound"}};
  for (const Group& group : groups) {
    for (const char* word : {"nodes", "proven", "time"}) grid[0].push_back(group.name + ": " + word);
  }
  for (const ClassResult& result : results) {
    if (result.instances == 0) continue;
    std::vector<std::string> row = {result.of.word, std::to_string(result.of.dims), std::to_string(result.of.items),
                                    std::to_string(result.instances), for_people(result.bound, 1)};
    for (const Mean& mean : result.means) {
      row.push_back(mean.runs == 0 ? "-" : for_people(mean.nodes, 1));
      row.push_back(mean.runs == 0 ? "-" : std::to_string(mean.proven));
      row.push_back(mean.runs == 0 ? "-" : duration_text(mean.seconds));
    }
    grid.push_back(std::move(row));
  }
  return grid;
}

/// Bars of proven shares: a cluster per family, a colour per group.
std::string chart_script(const std::vector<FamilyResult>& families, const std::vector<Group>& groups) {
  std::string text = lab::script_head(kChart, 320 + 44 * static_cast<int>(families.size()), 420);
  text += "$proven << EOD\n";
  for (const FamilyResult& family : families) {
    text += "\"" + family_text(family.of) + "\"";
    for (const Mean& sum : family.sums) text += " " + shortest(100.0 * sum.proven / family.instances);
    text += "\n";
  }
  text +=
      "EOD\nset title 'Packing classes: proven optimal'\nset ylabel 'instances, %'\nset yrange [0:100]\nset style data "
      "histograms\nset style histogram clustered gap 1\nset style fill solid\nset xtics rotate by -45\nset key outside right "
      "top\n";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    text += (g == 0 ? "plot $proven using " : ", $proven using ") + std::to_string(g + 2) + (g == 0 ? ":xtic(1)" : "") +
            " lc rgb " + lab::quoted(lab::kColors[(g + 1) % lab::kColors.size()]) + " title " + lab::quoted(groups[g].name);
  }
  return text + "\n";
}

/// The sentences below the tables.
std::vector<std::string> setting_lines(const Setting& setting) {
  std::vector<std::string> lines = {
      counted(setting.seeds, "instance") + " per class; each run has " +
      duration_text(static_cast<double>(setting.deadline_ms) / 1000) +
      " at most, unless its name says otherwise; means, the bound being the best that any run proved; times are of the planner "
      "alone, on one thread"};
  for (const Group& group : setting.groups) {
    if (group.labels.size() < 2) continue;
    std::string line = group.name + ": the plan with fewest nodes of";
    for (const std::string& label : group.labels) line += (label == group.labels.front() ? " " : ", ") + label;
    lines.push_back(line);
  }
  if (!setting.missing.empty()) lines.push_back(lab::missing_text(setting.missing));
  return lines;
}

}  // namespace

std::vector<ClassResult> sum_up(const std::vector<Class>& classes, const std::vector<Group>& groups,
                                const std::vector<Run>& runs) {
  std::map<std::pair<Class, std::uint64_t>, std::vector<const Run*>> instances;
  for (const Run& run : runs) {
    if (run.counts()) instances[{run.of, run.seed}].push_back(&run);
  }
  std::map<Class, ClassResult> results;
  for (const auto& [key, of_instance] : instances) {
    ClassResult& result = results[key.first];
    result.means.resize(groups.size());
    ++result.instances;
    double bound = 0;
    std::uint64_t fewest = of_instance.front()->nodes;
    for (const Run* run : of_instance) {
      bound = std::max(bound, run->bound.value_or(0));
      fewest = std::min(fewest, run->nodes);
    }
    result.bound += bound;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Run* best = nullptr;
      for (const Run* run : of_instance) {
        const std::vector<std::string>& labels = groups[g].labels;
        if (std::find(labels.begin(), labels.end(), run->label) == labels.end()) continue;
        if (best == nullptr || std::pair(run->nodes, run->seconds) < std::pair(best->nodes, best->seconds)) best = run;
      }
      if (best == nullptr) continue;
      Mean& mean = result.means[g];
      ++mean.runs;
      mean.proven += best->proven() ? 1 : 0;
      mean.fewest += best->nodes == fewest ? 1 : 0;
      mean.nodes += static_cast<double>(best->nodes);
      mean.seconds += best->seconds;
    }
  }
  std::vector<ClassResult> all;
  for (const Class& of : classes) {
    ClassResult result = results[of];
    result.of = of;
    result.means.resize(groups.size());
    result.bound /= std::max(1u, result.instances);
    for (Mean& mean : result.means) {
      mean.nodes /= std::max(1u, mean.runs);
      mean.seconds /= std::max(1u, mean.runs);
    }
    all.push_back(std::move(result));
  }
  return all;
}

void print_results(const std::vector<ClassResult>& results, const Setting& setting, const Console& console) {
  lab::print_grid(details_of(results, setting.groups), console);
  console.out << '\n';
  lab::print_grid(summary_of(results, setting.groups), console);
  console.out << '\n';
  for (const std::string& line : setting_lines(setting)) console.out << toned(console, Tone::kFaint, line) << '\n';
}

void add_figures(const std::vector<ClassResult>& results, const Setting& setting, lab::Figures& figures) {
  for (const ClassResult& result : results) {
    for (std::size_t g = 0; g < setting.groups.size(); ++g) {
      const Mean& mean = result.means[g];
      figures.record().text("class", result.of.word).whole("dims", result.of.dims).whole("items", result.of.items);
      figures.whole("instances", result.instances).number("bound", result.bound).text("planner", setting.groups[g].name);
      figures.whole("runs", mean.runs).whole("proven", mean.proven).whole("fewest", mean.fewest);
      figures.number("nodes", mean.nodes, mean.runs > 0).seconds("seconds", mean.seconds, mean.runs > 0);
    }
  }
}

void write_markdown(const std::vector<ClassResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path) {
  std::string text = lab::markdown_head(setting.command, runs);
  for (const std::string& line : setting_lines(setting)) text += "\n" + line + ".\n";
  text += "\n### Proven optimal\n\n" + lab::markdown_grid(summary_of(results, setting.groups));
  if (charts) text += lab::markdown_chart(*charts, std::string(kChart) + ".svg", "proven optimal", path);
  text += "\n### By class\n\n" + lab::markdown_grid(details_of(results, setting.groups));
  lab::write_between(path, kMarkdownWord, text);
}

void draw_charts(const std::vector<ClassResult>& results, const Setting& setting, const std::string& folder) {
  const std::vector<FamilyResult> families = families_of(results, setting.groups.size());
  if (!families.empty()) lab::draw_chart(folder, kChart, chart_script(families, setting.groups));
}

}  // namespace stowage::cli::packing
