#include <algorithm>
#include <cmath>
#include <map>

#include "capi/cli/base/papers.h"
#include "capi/cli/generate/given_apps.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/paper/runs.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::paper {
namespace {

using lab::Contender;
using lab::Grid;
using lab::Tally;

constexpr const char* kProven = "✓";

/// Lower bound on the nodes of one class: P0, Eq. 4, over all resources and periods.
std::uint64_t equation_four(const InstanceData& data) {
  const std::size_t apps = data.apps.replicas.size();
  const std::size_t width = data.apps.demand.size() / apps;
  const std::size_t periods = width / data.resources.size();
  double most = 0;
  for (std::size_t at = 0; at < width; ++at) {
    double total = 0;
    for (std::size_t app = 0; app < apps; ++app) total += data.apps.replicas[app] * data.apps.demand[app * width + at];
    most = std::max(most, total / data.classes[0].capacity[at / periods]);
  }
  // A sum above a whole number by a rounding error counts as that number.
  constexpr double kRounding = 1e-12;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(most * (1 - kRounding))));
}

std::string gap_text(double gap) { return for_people(gap * 100, gap < 0.01 ? 2 : 1) + " %"; }

/// The text of a cell for our runs, with " ✓" where all are proven, " n✓" where n are, and " [n of m]" where only n of m runs
/// count; or why there is none.
std::string ours_text(const Tally& ours, const std::string& text) {
  if (!ours.has("runs")) return "-";
  if (!ours.has("counted")) return ours.has("cut") ? "not in time" : "no plan";
  const auto count = [&](const char* figure) { return std::to_string(ours.count(figure)); };
  std::string marks;
  if (ours.has("proven")) marks = " " + (count("proven") == count("runs") ? "" : count("proven")) + kProven;
  if (count("counted") != count("runs")) marks += " [" + count("counted") + " of " + count("runs") + "]";
  return text + marks;
}

std::string time_text(const Tally& ours, const Contender& contender) {
  if (!ours.has("counted")) return "-";
  return (ours.has("cut") && contender.deadline_ms == 0 ? "> " : "") + duration_text(ours.mean("seconds"));
}

/// The gap and, `with_nodes`, the nodes before it.
std::string value_text(const Tally& tally, bool with_nodes) {
  const std::string gap = gap_text(tally.mean("gap"));
  return with_nodes ? for_people(tally.mean("nodes"), 1) + " (" + gap + ")" : gap;
}

/// The averages of a figure: one row per contender.
Grid average_grid(const FigureResult& result) {
  Grid grid = {{"planner", "above bound", "time"}};
  if (result.has_published) grid[0].insert(grid[0].end(), {"P0 calls it", "P0: above bound", "P0: time", "time ratio"});
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    const auto& [ours, published] = result.averages[c];
    const Contender& contender = result.contenders[c];
    std::vector<std::string>& row = grid.emplace_back();
    row = {lab::contender_text(contender.label), ours_text(ours, value_text(ours, false)), time_text(ours, contender)};
    if (!result.has_published) continue;
    const FigurePlanner* known = find_figure_planner(contender.label);
    const bool has_theirs = published.has("gap");
    const bool has_both = has_theirs && ours.has("counted") && ours.mean("seconds") > 0;
    row.emplace_back(known != nullptr && known->paper_name != nullptr ? known->paper_name : "-");
    row.push_back(has_theirs ? value_text(published, false) : "-");
    row.push_back(has_theirs ? duration_text(published.mean("seconds")) : "-");
    row.push_back(has_both ? for_people(published.mean("seconds") / ours.mean("seconds"), 0) : "-");
  }
  return grid;
}

/// One row per contender, with columns for each class of one graph; with or without the number of nodes.
Grid class_grid(const FigureResult& result, Graph graph, bool with_nodes) {
  Grid grid = {{"planner"}};
  const std::string value = with_nodes ? ": nodes" : ": above";
  for (const std::size_t k : result.classes_with(graph)) {
    grid[0].insert(grid[0].end(), {variation_text(*result.figure, result.classes[k]) + value, "time"});
    if (result.has_published) grid[0].insert(grid[0].end(), {"P0" + value, "time"});
  }
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    std::vector<std::string>& row = grid.emplace_back(1, lab::contender_text(result.contenders[c].label));
    for (const std::size_t k : result.classes_with(graph)) {
      const auto& [ours, published] = result.cell(k, c);
      row.push_back(ours_text(ours, value_text(ours, with_nodes)));
      row.push_back(time_text(ours, result.contenders[c]));
      if (!result.has_published) continue;
      row.push_back(published.has("gap") ? value_text(published, with_nodes) : "-");
      row.push_back(published.has("gap") ? duration_text(published.mean("seconds")) : "-");
    }
  }
  return grid;
}

/// The bound of each class of the graph, from the first contender that has one.
std::string bounds_text(const FigureResult& result, Graph graph) {
  std::string text;
  for (const std::size_t k : result.classes_with(graph)) {
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      const Tally& ours = result.cell(k, c).ours;
      if (!ours.has("bound")) continue;
      if (!text.empty()) text += "; ";
      text += variation_text(*result.figure, result.classes[k]) + ": " + for_people(ours.mean("bound"), 1);
      break;
    }
  }
  return text;
}

bool any_cut(const FigureResult& result) {
  return std::any_of(result.cells.begin(), result.cells.end(),
                     [](const Cell& cell) { return cell.ours.count("counted") < cell.ours.count("runs"); });
}

/// The mean over the classes that were run, and over those that are published; counts are sums.
Cell average_of(const FigureResult& result, std::size_t contender) {
  Cell average;
  const auto add = [](const char* figure, const Tally& of, Tally& to) {
    if (of.has(figure)) to.add(figure, of.mean(figure));
  };
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    const auto& [ours, published] = result.cell(k, contender);
    for (const char* figure : {"runs", "counted", "proven", "cut"}) {
      if (ours.has(figure)) average.ours.add(figure, ours.sum(figure));
    }
    for (const char* figure : {"gap", "seconds"}) {
      add(figure, ours, average.ours);
      add(figure, published, average.published);
    }
  }
  return average;
}

/// `published` may be nullptr. Contenders without runs or published figures are left out.
FigureResult sum_up_figure(const Figure& figure, const Scale& scale, const std::vector<Contender>& contenders,
                           const lab::Tallies<InstanceClass>& tallies, const Published* published) {
  FigureResult result;
  result.figure = &figure;
  result.classes = classes_of(figure, scale);
  const auto theirs = [&](const InstanceClass& one, const std::string& label) {
    const FigurePlanner* known = find_figure_planner(label);
    return published != nullptr && known != nullptr ? published->find(one, known->column) : Tally();
  };
  result.contenders = tallies.known(contenders, result.classes, [&](const InstanceClass& one, const std::string& label) {
    return theirs(one, label).has("gap");
  });
  for (const InstanceClass& one : result.classes) {
    for (const Contender& contender : result.contenders) {
      result.cells.push_back({tallies.of(one, contender.label), theirs(one, contender.label)});
      result.has_published |= result.cells.back().published.has("gap");
    }
  }
  for (std::size_t c = 0; c < result.contenders.size(); ++c) result.averages.push_back(average_of(result, c));
  return result;
}

class PaperBench final : public lab::Bench<Run> {
 public:
  explicit PaperBench(const Console& console)
      : Bench(console, {.name = "paper",
                        .summary = "Repeat the experiments of P0's figures 3 to 7",
                        .help = R"(Examples:
  stowage-lab bench paper --figures 4 --apps 1000 --densities 1%,10% --graphs arbitrary
  stowage-lab bench paper --figures 3,4,5 --seeds 10 --published published-results --output results
  stowage-lab bench paper --figures 6 --planners ff,auto@10s,auto@60s --apps-from profiles.stow

The defaults are P0's classes of instances at full size, with one instance each.
--published names a folder with P0's four result tables (density2D_64_128.csv, large2D_...,
densityTS_..., largeTS_...).)",
                        .deadline_ms = 60'000,
                        .on = "; one thread"}) {}

 private:
  void add_options(CLI::App* sub) override {
    list_option(sub, "--figures", numbers_, "Figures to repeat", "LIST", "3,4,5,6,7");
    list_option(sub, "--graphs", graphs_, "Kinds of affinity graphs", "LIST", "arbitrary,normal,threshold");
    CLI::Option* apps =
        option(sub, "--apps", scale_.apps, "Number of apps in figures 3, 4 and 6", "N", kOwn, whole_number(1, 10'000'000));
    list_option(sub, "--densities", densities_, "Densities of affinity limits in figures 3, 4 and 6", "LIST", "1%,5%,10%");
    list_option(sub, "--app-counts", scale_.app_counts, "Numbers of apps in figures 5 and 7, at density 0.5%", "LIST",
                "10000,50000,100000", whole_number(1, 10'000'000));
    option(sub, "--apps-from", apps_file_,
           "Instance to take the apps from, as P0 did; in figures 5 and 7 each app has the demand of a random one and "
           "the replicas of another",
           "FILE")
        ->excludes(apps);
    list_option(sub, "--planners", command_.planners, "Planners to compare; NAME@10s sets a planner's deadline", "A,B@10s",
                "the figure's own");
    list_option(sub, "--also", also_, "Planners to compare beside the figure's own", "A,B@10s");
    option(sub, "--published", published_folder_, "Folder with P0's result tables, whose means then stand beside", "DIR");
  }

  void prepare() override {
    if (!graphs_.empty()) scale_.graphs.clear();
    for (const std::string& word : graphs_) scale_.graphs.push_back(parse_graph(word));
    if (!densities_.empty()) scale_.densities.clear();
    for (const std::string& text : densities_) {
      const auto density = parse_share(text);
      if (!density) throw Failure("--densities: \"" + text + "\" is not a share (try \"1%\" or \"0.01\")");
      scale_.densities.push_back(*density);
    }
    for (const int number : numbers_) figures_.push_back(&find_figure(number));
    for (const Figure* figure : figures_) contenders_.push_back(contenders_of(*figure));
    if (published_folder_) published_ = Published::read(*published_folder_);
    if (apps_file_) take_apps();
  }

  std::vector<Contender> contenders_of(const Figure& figure) {
    std::vector<std::string> own;
    for (const FigurePlanner& one : figure_planners()) {
      if ((one.figures >> (figure.number - kFirstFigure) & 1) != 0) own.emplace_back(one.contender);
    }
    std::vector<Contender> contenders = contenders_or(own);
    for (const Contender& one : known_contenders(also_)) contenders.push_back(one);
    return lab::distinct(contenders);
  }

  void take_apps() {
    given_apps_.emplace(*apps_file_, GenerateOptions().node, console());
    scale_.apps = given_apps_->apps();
    sizes_ = given_apps_->name();
    if (std::count(scale_.app_counts.begin(), scale_.app_counts.end(), scale_.apps) > 0) {
      throw Failure("--apps-from: " + sizes_ + " has the same number of apps as one of --app-counts, whose apps are drawn");
    }
    for (const Figure* figure : figures_) {
      if (!figure->profile || given_apps_->has_profile()) continue;
      throw Failure("--apps-from: " + sizes_ + " has one period; figure " + std::to_string(figure->number) +
                    " needs demand over time");
    }
  }

  /// Jobs seed by seed, so that an early end leaves runs of every class; small instances first.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::map<InstanceClass, std::vector<Contender>> by_class;
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      for (const InstanceClass& one : classes_of(*figures_[f], scale_)) {
        std::vector<Contender>& contenders = by_class[one];
        contenders.insert(contenders.end(), contenders_[f].begin(), contenders_[f].end());
      }
    }
    std::vector<Job> all;
    for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
      for (const auto& [of, contenders] : by_class) all.push_back({of, seed, lab::distinct(contenders)});
    }
    return all;
  }

  [[nodiscard]] InstanceData make(const InstanceClass& of, std::uint64_t seed) const override {
    GenerateOptions options;
    options.apps = of.apps;
    options.density = of.density;
    options.graph = of.graph;
    options.profile = of.profile;
    options.seed = seed;
    // Of the last figure that has the class: figures 5 and 7 are of large instances.
    for (const Figure* figure : figures_) {
      const std::vector<InstanceClass> classes = classes_of(*figure, scale_);
      if (std::find(classes.begin(), classes.end(), of) != classes.end()) options.independent_replicas = figure->by_apps;
    }
    return given_apps_ ? given_apps_->generate(options) : generate_instance(options);
  }
  void note_command(Run& run) const override { run.sizes = sizes_; }
  void note_instance(const InstanceData& data, Run& run) const override { run.bound = equation_four(data); }
  void note_plan(const Workload&, const wire::Plan& plan, Run& run) override {
    run.lower_bound = lab::bound_of(plan.node_bound());
  }

  void sum_up(const std::vector<Run>& asked) override {
    const lab::Tallies<InstanceClass> tallies = lab::tallied(asked);
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      results_.push_back(sum_up_figure(*figures_[f], scale_, contenders_[f], tallies, published_ ? &*published_ : nullptr));
    }
  }

  void add_figures(lab::Figures& figures) const override {
    for (const FigureResult& result : results_) {
      for (std::size_t k = 0; k < result.classes.size(); ++k) {
        const InstanceClass& one = result.classes[k];
        for (std::size_t c = 0; c < result.contenders.size(); ++c) {
          const Cell& cell = result.cell(k, c);
          const std::string& label = result.contenders[c].label;
          const FigurePlanner* known = find_figure_planner(label);
          const char* name = known != nullptr ? known->paper_name : nullptr;
          figures.record().whole("figure", static_cast<std::uint64_t>(result.figure->number));
          figures.text("demand", demand_word(one.profile)).whole("apps", one.apps).number("density", one.density);
          figures.text("graph", graph_word(one.graph)).text("planner", label).whole("instances", cell.ours.count("runs"));
          figures.counts(cell.ours, {"counted", "proven", "cut"}).means(cell.ours, {"nodes", "bound", "gap", "seconds"});
          figures.text("paper_name", name != nullptr ? name : "", name != nullptr);
          figures.part("published", cell.published.has("gap"), [&](lab::Figures& part) {
            part.counts(cell.published, {"instances"}).means(cell.published, {"nodes", "bound", "gap", "seconds"});
          });
        }
      }
    }
  }

  void open(lab::Page& page) const {
    page.markdown(counted(command_.seeds, "instance") + " per class");
    if (sizes_ != kDrawnSizes) page.markdown("; apps from " + sizes_);
    page.markdown(". Times are of the planner alone, the best of a few runs where one is short.\n");
    page.markdown("Nodes are means over the instances; in brackets is how far they are above the bound (P0, Eq. 4). " +
                  std::string(kProven) + " means proven\noptimal; a number before it says how many of the instances are.\n");
    if (!missing().empty()) page.markdown(lab::missing_text(missing(), "`") + ".\n");
  }

  static void show_figure(const FigureResult& result, lab::Page& page) {
    page.title("Figure " + std::to_string(result.figure->number) + ": " + result.figure->title);
    if (result.has_published && !result.figure->profile) {
      page.markdown(
          "P0's code uses an integer division here, so that its planners with size measures or scores work in other orders\n"
          "than the paper's formulas give. FF and Medea-TP have no measure and are not affected.\n");
    }
    if (any_cut(result))
      page.markdown("[n of m]: only n of m runs ended with a complete plan in time; means are over these.\n");
    page.link(charts_of(result));
    if (result.figure->number == kFirstFigure) {
      page.terminal("averages over " + counted(result.classes.size(), "class") + " of instances\n");
      page.markdown("\n").grid(average_grid(result));
      return;
    }
    for (const Graph graph : result.graphs()) {
      const std::string bounds = bounds_text(result, graph);
      page.terminal(std::string(graph_word(graph)) + " graph" + (bounds.empty() ? "" : "; bounds: " + bounds) + "\n");
      page.markdown("\n#### " + std::string(graph_word(graph)) + " graph\nBounds: " + bounds + "\n\n");
      page.grid(class_grid(result, graph, page.is_markdown()));
    }
  }

  void show(lab::Page& page) const override {
    open(page);
    for (const FigureResult& result : results_) {
      show_figure(result, page);
      page.terminal("\n");
    }
    const bool any = std::any_of(results_.begin(), results_.end(), [](const FigureResult& one) { return one.has_published; });
    page.closing({"above: nodes above the bound (P0, Eq. 4); " + std::string(kProven) +
                  ": proven optimal; time: the planner alone" +
                  (any ? "; P0: as published"
                       : "; published figures are shown beside with --published DIR, at P0's numbers of apps and densities")});
    page.terminal(papers_legend("P0"));
    if (!missing().empty()) page.terminal(lab::missing_text(missing()) + "\n");
  }

  std::vector<int> numbers_ = {3, 4, 5, 6, 7};
  std::vector<std::string> graphs_;     ///< empty: those of the scale
  std::vector<std::string> densities_;  ///< likewise
  Scale scale_;
  std::optional<std::string> apps_file_;  ///< instead of fitted distributions
  std::vector<std::string> also_;         ///< planners beside a figure's own
  std::optional<std::string> published_folder_;
  std::vector<const Figure*> figures_;
  std::vector<std::vector<Contender>> contenders_;  ///< of each figure
  std::optional<Published> published_;
  std::optional<GivenApps> given_apps_;
  std::string sizes_ = kDrawnSizes;
  std::vector<FigureResult> results_;
};

}  // namespace

std::vector<Graph> FigureResult::graphs() const {
  std::vector<Graph> all;
  for (const InstanceClass& one : classes) all.push_back(one.graph);
  return lab::distinct(all);
}

std::vector<std::size_t> FigureResult::classes_with(Graph graph) const {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (classes[k].graph == graph) all.push_back(k);
  }
  return all;
}

void Run::add_to(lab::Tally& tally) const {
  tally.add("runs");
  if (status == "deadline") tally.add("cut");
  if (!counts()) return;
  if (proven()) tally.add("proven");
  tally.add("counted").add("nodes", nodes).add("bound", bound).add("gap", gap()).add("seconds", seconds);
}

void Run::fields(lab::RunLine& line) {
  const auto find_demand = [](const std::string& word) -> std::optional<bool> {
    for (const bool profile : {false, true}) {
      if (word == demand_word(profile)) return profile;
    }
    return std::nullopt;
  };
  line.word("demand", of.profile, demand_word, find_demand).field("apps", of.apps).field("density", of.density);
  line.word("graph", of.graph, graph_word, find_graph).field("sizes", sizes).field("seed", seed).contender(*this);
  line.field("nodes", nodes).field("bound_eq4", bound).refuse_if(bound == 0);
  line.field("lower_bound", lower_bound).defects(*this).origin(*this);
}

}  // namespace stowage::cli::paper

void stowage::cli::lab::add_bench_paper(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<paper::PaperBench>(line.console()));
}
