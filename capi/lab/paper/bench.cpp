#include <algorithm>
#include <cmath>
#include <map>

#include "capi/cli/base/papers.h"
#include "capi/cli/base/random.h"
#include "capi/cli/generate/given_apps.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/paper/results.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::paper {
namespace {

using lab::Contender;
using Means = lab::Means<InstanceClass, Mean>;

constexpr const char* kProven = "✓";

template <class Value>
bool has(const std::vector<Value>& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

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

bool any_cut(const FigureResult& result) {
  return std::any_of(result.cells.begin(), result.cells.end(),
                     [](const Cell& cell) { return cell.ours.counted < cell.ours.runs; });
}

/// Means over the runs of each class and contender that count.
Means means_of(const std::vector<Run>& runs) {
  Means means;
  for (const Run& run : runs) {
    Mean& mean = means.add(run.of, run.label);
    ++mean.runs;
    if (run.status == "deadline") ++mean.cut;
    if (!run.counts()) continue;
    ++mean.counted;
    if (run.proven()) ++mean.proven;
    mean.nodes += static_cast<double>(run.nodes);
    mean.bound += static_cast<double>(run.bound);
    mean.gap += run.gap();
    mean.seconds += run.seconds;
  }
  means.finish([](Mean& mean) { lab::divide({&mean.nodes, &mean.bound, &mean.gap, &mean.seconds}, mean.counted); });
  return means;
}

/// The mean over the classes that were run, and over those that are published; counts are sums.
Cell average_of(const FigureResult& result, std::size_t contender) {
  Mean ours;
  PublishedMean theirs;
  std::uint32_t our_classes = 0;
  std::uint32_t their_classes = 0;
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    const auto& [mean, published] = result.cell(k, contender);
    ours.runs += mean.runs;
    ours.counted += mean.counted;
    ours.proven += mean.proven;
    ours.cut += mean.cut;
    if (mean.counted > 0) {
      ++our_classes;
      ours.gap += mean.gap;
      ours.seconds += mean.seconds;
    }
    if (!published) continue;
    ++their_classes;
    theirs.instances += published->instances;
    theirs.gap += published->gap;
    theirs.seconds += published->seconds;
  }
  lab::divide({&ours.gap, &ours.seconds}, our_classes);
  lab::divide({&theirs.gap, &theirs.seconds}, their_classes);
  return {ours, their_classes > 0 ? std::optional(theirs) : std::nullopt};
}

/// `published` may be nullptr. Contenders without runs or published figures are left out.
FigureResult sum_up(const Figure& figure, const Scale& scale, const std::vector<lab::Contender>& all_contenders,
                    const Means& means, const Published* published) {
  FigureResult result;
  result.figure = &figure;
  result.classes = classes_of(figure, scale);
  const auto published_mean = [&](const InstanceClass& one, const std::string& label) -> const PublishedMean* {
    const FigurePlanner* known = find_figure_planner(label);
    return published != nullptr && known != nullptr ? published->find(one, known->column) : nullptr;
  };
  for (const lab::Contender& contender : all_contenders) {
    if (std::any_of(result.classes.begin(), result.classes.end(), [&](const InstanceClass& one) {
          return means.has(one, contender.label) || published_mean(one, contender.label) != nullptr;
        })) {
      result.contenders.push_back(contender);
    }
  }
  const std::vector<lab::Contender>& contenders = result.contenders;
  result.averages.resize(contenders.size());
  for (const InstanceClass& one : result.classes) {
    for (const lab::Contender& contender : contenders) {
      Cell cell{means.of(one, contender.label), std::nullopt};
      const PublishedMean* theirs = published_mean(one, contender.label);
      if (theirs != nullptr) cell.published = *theirs;
      result.has_published |= theirs != nullptr;
      result.cells.push_back(cell);
    }
  }
  for (std::size_t c = 0; c < contenders.size(); ++c) result.averages[c] = average_of(result, c);
  return result;
}

class PaperBench final : public lab::Bench<Run> {
 public:
  PaperBench(const lab::BenchPaperCommand& command, const Console& console)
      : Bench(command, console, "paper", "; one thread"), command_(command), scale_(command.scale) {}

 private:
  void prepare() override {
    for (const int number : command_.figures) figures_.push_back(&find_figure(number));
    given_ = known_contenders(command_.planners);
    also_ = known_contenders(command_.also);
    if (command_.published) published_ = Published::read(*command_.published);
    if (command_.apps_file) {
      given_apps_.emplace(*command_.apps_file, GenerateOptions().node, console());
      scale_.apps = given_apps_->apps();
      sizes_ = given_apps_->name();
      if (std::count(scale_.app_counts.begin(), scale_.app_counts.end(), scale_.apps) > 0) {
        throw Failure("--apps-from: " + sizes_ + " has the same number of apps as one of --app-counts, whose apps are drawn");
      }
    }
    for (const Figure* figure : figures_) {
      contenders_.push_back(contenders_of(*figure));
      if (given_apps_ && figure->profile && !given_apps_->has_profile()) {
        throw Failure("--apps-from: " + given_apps_->name() + " has one period; figure " + std::to_string(figure->number) +
                      " needs demand over time");
      }
    }
  }

  std::vector<Contender> contenders_of(const Figure& figure) {
    std::vector<std::string> own;
    for (const FigurePlanner& one : figure_planners()) {
      if ((one.figures >> (figure.number - kFirstFigure) & 1) != 0) own.emplace_back(one.contender);
    }
    std::vector<Contender> contenders = given_.empty() ? own_contenders(own) : given_;
    contenders.insert(contenders.end(), also_.begin(), also_.end());
    return lab::distinct(contenders);
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
      for (const auto& [of, contenders] : by_class) all.push_back({of, seed, lab::distinct(contenders), {}});
    }
    return all;
  }
  /// Of the last figure that has the class: figures 5 and 7 are of large instances.
  [[nodiscard]] bool is_large(const InstanceClass& of) const {
    bool large = false;
    for (const Figure* figure : figures_) {
      if (has(classes_of(*figure, scale_), of)) large = figure->by_apps;
    }
    return large;
  }

  [[nodiscard]] Run blank(const InstanceClass& of, std::uint64_t seed, const Contender& contender) const override {
    Run run = Bench::blank(of, seed, contender);
    run.sizes = sizes_;
    return run;
  }

  void measure(const Job& job) override {
    InstanceData data = [&] {
      const PassingNote note(console(), "making " + class_text(job.of));
      GenerateOptions options;
      options.apps = job.of.apps;
      options.density = job.of.density;
      options.graph = job.of.graph;
      options.profile = job.of.profile;
      options.seed = job.seed;
      options.independent_replicas = is_large(job.of);
      if (!given_apps_) return generate_instance(options);
      return given_apps_->generate(options);
    }();
    const std::uint64_t bound = equation_four(data);
    const Workload workload = lab::loaded(std::move(data), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      Run run = blank(job.of, job.seed, contender);
      run.bound = bound;
      plan_and_keep(workload, contender, std::move(run), runs_,
                    [](const wire::Plan& plan, Run& made) { made.lower_bound = lab::bound_of(plan.node_bound()); });
    }
  }

  void sum_up(const std::vector<Run>& asked) override {
    const Means means = means_of(asked);
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      results_.push_back(paper::sum_up(*figures_[f], scale_, contenders_[f], means, published_ ? &*published_ : nullptr));
    }
  }

  void add_figures(lab::Figures& figures) const override {
    for (const FigureResult& result : results_) {
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

  [[nodiscard]] std::vector<lab::Chart> charts() const override {
    std::vector<lab::Chart> all;
    for (const FigureResult& result : results_) {
      for (lab::Chart& chart : charts_of(result)) all.push_back(std::move(chart));
    }
    return all;
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
    if (page.links_charts()) {
      for (const lab::Chart& chart : charts_of(result)) page.chart(chart.file, chart.title);
    }
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

  const lab::BenchPaperCommand& command_;
  Scale scale_;
  std::vector<const Figure*> figures_;
  std::vector<std::vector<Contender>> contenders_;  ///< of each figure
  std::vector<Contender> given_;
  std::vector<Contender> also_;
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

void Run::fields(Run& run, lab::RunLine& line) {
  const auto find_demand = [](const std::string& word) -> std::optional<bool> {
    for (const bool profile : {false, true}) {
      if (word == demand_word(profile)) return profile;
    }
    return std::nullopt;
  };
  line.word("demand", run.of.profile, demand_word, find_demand).field("apps", run.of.apps).field("density", run.of.density);
  line.word("graph", run.of.graph, graph_word, find_graph).field("sizes", run.sizes).field("seed", run.seed).contender(run);
  line.field("nodes", run.nodes).field("bound_eq4", run.bound).refuse_if(run.bound == 0);
  line.field("lower_bound", run.lower_bound).defects(run).origin(run);
}

}  // namespace stowage::cli::paper

namespace stowage::cli::lab {

int run_bench_paper_command(const BenchPaperCommand& command, const Console& console) {
  return paper::PaperBench(command, console).run();
}

}  // namespace stowage::cli::lab
