#include "capi/lab/lrasched/bench.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lrasched {
namespace {

using lab::Contender;
using lab::Grid;
using lab::Tally;

constexpr std::uint32_t kProfiledForFigure5 = 300;
constexpr std::uint32_t kAppsPerNode = 4;  // as P3's largest cluster, 2,000 apps on 500 nodes

/// Loads that the command's options name.
bool is_load(const std::string& word) { return word == "literal" || word == "scaled" || word == "added"; }

/// Of a size such as "500/100": the number of apps, or of nodes.
std::uint32_t number_in(const std::string& size, std::string_view part) {
  const auto number = parse_whole(part);
  if (!number || *number == 0 || *number > kMostOf32Bits) {
    throw Failure("--sizes: \"" + size + "\" is not a number of apps and one of nodes (try \"500/100\")");
  }
  return static_cast<std::uint32_t>(*number);
}

/// P3's sizes, and the factor of containers at which its percentages come out; other sizes get the first one's.
double scale_of(const Cell& of) {
  if (of.apps == 1000 && of.nodes == 300) return 0.62;
  if (of.apps == 2000 && of.nodes == 500) return 0.54;
  return 0.41;
}

/// What is shown of a cell for a contender and, where there is one, the bound on it of any plan.
struct Measure {
  double (*figure)(const CellResult& result, const lab::Tally& tally);
  double (*bound)(const CellResult& result) = nullptr;
};
constexpr Measure kAdmitted = {
    [](const CellResult& result, const lab::Tally& tally) { return 100 * tally.mean("admitted") / result.of.apps; },
    [](const CellResult& result) { return 100 * result.most / result.of.apps; }};
constexpr Measure kUtilization = {[](const CellResult&, const lab::Tally& tally) { return 100 * tally.mean("utilization"); }};
constexpr Measure kAdded = {[](const CellResult&, const lab::Tally& tally) { return tally.mean("added"); },
                            [](const CellResult& result) { return result.least_added; }};
constexpr Measure kMicroseconds = {
    [](const CellResult& result, const lab::Tally& tally) { return 1e6 * tally.mean("seconds") / result.of.apps; }};

struct Table {
  std::string title;
  Grid grid;
};

/// Table 2: what the learners that P3 compares reach.
Grid learned_grid(const sizes::BaselineScore& learned) {
  Grid grid = {{"learner", "RMSE, profiled apps", "RMSE, new apps", "microseconds", "P3: RMSE", "P3: ms"}};
  const auto add = [&](const char* name, auto part, const std::string& microseconds, const char* paper, const char* paper_ms) {
    grid.push_back(
        {name, for_people(learned.held_out.*part, 3), for_people(learned.fresh.*part, 3), microseconds, paper, paper_ms});
  };
  add("mean per configuration", &sizes::LearnerErrors::mean, "", "", "");
  add("factorization machine", &sizes::LearnerErrors::machine, for_people(learned.machine_microseconds, 2), "0.243", "1.15");
  add("matrix factorization", &sizes::LearnerErrors::matrix, for_people(learned.matrix_microseconds, 2), "0.582", "0.73");
  return grid;
}

/// Figure 5.
Grid over_time_grid(const sizes::BaselineScore& learned) {
  Grid grid = {{"measurements learned, %"}};
  for (std::size_t t = 0; t < 10; ++t) grid.push_back({std::to_string(10 * t) + "-" + std::to_string(10 * t + 10)});
  for (const auto& [family, by_tenth] : learned.over_time) {
    grid[0].push_back(family);
    for (std::size_t t = 0; t < by_tenth.size(); ++t) grid[t + 1].push_back(for_people(by_tenth[t], 3));
  }
  return grid;
}

std::vector<Table> tables_of(const Results& results, const std::vector<std::string>& labels) {
  std::vector<Table> all;
  if (results.learned) {
    all.push_back({"Accuracy and time of prediction (table 2)", learned_grid(*results.learned)});
    all.push_back({"RMSE of the factorization machine in its first pass (figure 5)", over_time_grid(*results.learned)});
  }
  // A row per cell that `wanted` names, with a figure per contender, and the bound.
  const auto add = [&](const char* title, bool (*wanted)(const Cell&), const Measure& measure) {
    Grid grid = {{"load", "apps/nodes", "dims"}};
    for (const std::string& label : labels) grid[0].push_back(lab::contender_text(label));
    if (measure.bound != nullptr) grid[0].emplace_back("bound");
    for (const CellResult& result : results.cells) {
      if (!wanted(result.of)) continue;
      std::vector<std::string> row = {result.of.load, result.of.size_text(), std::to_string(result.of.dims)};
      for (const Tally& tally : result.groups) {
        row.push_back(tally.has("runs") ? for_people(measure.figure(result, tally), 1) : "-");
      }
      if (measure.bound != nullptr) row.push_back(for_people(measure.bound(result), 1));
      grid.push_back(std::move(row));
    }
    if (grid.size() > 1) all.push_back({title, grid});
  };
  // Every eighth arrival.
  const auto testbed = [](const Cell& of) { return of.load == "testbed" && of.apps % 8 == 0; };
  const auto with_these_nodes = [](const Cell& of) { return of.load == "literal" || of.load == "scaled"; };
  const auto with_added_nodes = [](const Cell& of) { return of.load == "added"; };
  const auto for_latency = [](const Cell& of) { return of.load == "latency"; };
  const auto with_any_nodes = [](const Cell& of) { return is_load(of.load); };
  const Measure gap = {[](const CellResult&, const Tally& tally) { return 100 * tally.mean("gap"); }};
  add("Utilization of the testbed as applications arrive, % (figure 6)", testbed, kUtilization);
  add("Applications of the testbed admitted, %", testbed, {kAdmitted.figure});
  add("Applications admitted, % (figure 8)", with_these_nodes, kAdmitted);
  add("At most so many more can be admitted by the run's own bound, % of what is admitted", with_these_nodes, gap);
  add("Utilization, % (figure 9)", with_these_nodes, kUtilization);
  add("Nodes added (figure 10)", with_added_nodes, kAdded);
  add("Time per application, microseconds", with_any_nodes, kMicroseconds);
  add("Time per application by size of the cluster, microseconds (figures 11 and 12)", for_latency, kMicroseconds);
  return all;
}

struct Line {
  std::string name;
  std::string points{};  ///< "x y" per line
};
struct Panel {
  std::string title;
  std::vector<Line> lines;
};
struct Axes {
  std::string title;
  std::string x;
  std::string y;
  std::string more;  ///< settings of gnuplot
};

constexpr int kPanelWidth = 380;
constexpr int kChartHeight = 400;
constexpr int kKeyWidth = 210;
constexpr int kMargin = 60;
constexpr const char* kBound = "bound";  // its line is dashed

/// Panels side by side, with one key for all.
std::string panels_script(const std::string& name, const Axes& axes, const std::vector<Panel>& panels) {
  const int width = kPanelWidth * static_cast<int>(panels.size()) + kKeyWidth;
  const auto across = [&](int pixels) { return shortest(static_cast<double>(pixels) / width); };
  std::string text = lab::script_head(name, width, kChartHeight);
  text += "set multiplot title " + lab::quoted(axes.title) + "\nset tmargin at screen 0.83\nset bmargin at screen 0.15\n";
  text += "set xlabel " + lab::quoted(axes.x) + "\nset ylabel " + lab::quoted(axes.y) + "\n" + axes.more;
  int block = 0;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const int left = kPanelWidth * static_cast<int>(p) + kMargin + 10;
    const bool last = p + 1 == panels.size();
    text += "set lmargin at screen " + across(left) + "\nset rmargin at screen " + across(left + kPanelWidth - kMargin - 20) +
            "\n" + (last ? "set key outside right top\n" : "unset key\n");
    if (!panels[p].title.empty()) text += "set title " + lab::quoted(panels[p].title) + "\n";
    lab::Plot plot;
    for (std::size_t l = 0; l < panels[p].lines.size(); ++l) {
      const auto& [title, points] = panels[p].lines[l];
      if (points.empty()) continue;
      plot.add("data" + std::to_string(block++), points,
               std::string("using 1:2 with linespoints lw 1.5 ps 0.6 pt ") + (title == kBound ? "0 dt 2" : "7") +
                   lab::colored(l, title));
    }
    text += plot.script();
  }
  return text + "unset multiplot\n";
}

using Wanted = std::function<bool(const Cell& of)>;
using Place = std::function<double(const Cell& of)>;  ///< on the axis of x

/// A line per contender over the cells that are wanted, and one of the bound if there is one; nothing without such cells.
std::vector<Line> lines_of(const Results& results, const std::vector<std::string>& labels, const Wanted& wanted, const Place& x,
                           const Measure& measure) {
  std::vector<Line> lines;
  for (const CellResult& cell : results.cells) {
    if (!wanted(cell.of)) continue;
    lines.resize(labels.size() + (measure.bound != nullptr ? 1 : 0));
    for (std::size_t g = 0; g < labels.size(); ++g) {
      lines[g].name = lab::contender_text(labels[g]);
      const Tally& tally = cell.groups[g];
      if (tally.has("runs")) lines[g].points += lab::row_of({x(cell.of), measure.figure(cell, tally)});
    }
    if (measure.bound == nullptr) continue;
    lines.back().name = kBound;
    lines.back().points += lab::row_of({x(cell.of), measure.bound(cell)});
  }
  return lines;
}

/// A panel per number of apps and nodes with this load, over the number of resources.
std::vector<Panel> panels_by_size(const Results& results, const std::vector<std::string>& labels, const std::string& load,
                                  const Measure& measure) {
  std::vector<Panel> panels;
  const Place dims = [](const Cell& of) { return of.dims; };
  for (const auto& [first, most, least_added, groups] : results.cells) {
    const std::string title = counted(first.apps, "app") + ", " + counted(first.nodes, "node");
    const auto same_title = [&](const Panel& one) { return one.title == title; };
    if (first.load != load || std::any_of(panels.begin(), panels.end(), same_title)) continue;
    const std::string size = first.size_text();
    const Wanted wanted = [&](const Cell& of) { return of.load == load && of.size_text() == size; };
    panels.push_back({title, lines_of(results, labels, wanted, dims, measure)});
  }
  return panels;
}

/// Figure 5.
Panel learned_panel(const sizes::BaselineScore& learned) {
  Panel panel;
  for (const auto& [family, by_tenth] : learned.over_time) {
    Line& line = panel.lines.emplace_back(Line{family});
    double percent = 5;
    for (const double error : by_tenth) {
      line.points += lab::row_of({percent, error});
      percent += 10;
    }
  }
  return panel;
}

/// The servers of P3's testbed (section 4.2.1), without apps.
InstanceData empty_testbed() {
  InstanceData data;
  data.name = "testbed";
  data.resources = {{"cpu", ""}, {"memory", ""}};
  NodeClassData server;
  server.name = "server";
  server.count = sizes::kTestbedNodes;
  server.capacity = {sizes::kTestbedCores, sizes::kTestbedMemory};
  data.classes.push_back(std::move(server));
  for (std::uint32_t n = 0; n < sizes::kTestbedNodes; ++n) {
    data.nodes.node_class.push_back(0);
    data.nodes.names.push_back("server-" + std::to_string(n + 1));
  }
  data.limits.row_begin = {0};
  return data;
}

/// Adds an app that waits.
void arrive(const sizes::TestbedApp& app, InstanceData& data) {
  const auto id = static_cast<std::uint32_t>(data.apps.names.size());
  data.apps.names.push_back(app.name);
  data.apps.replicas.push_back(app.containers);
  data.apps.demand.insert(data.apps.demand.end(), {app.cores, app.memory});
  if (app.together < app.containers) {
    data.limits.app.push_back(id);
    data.limits.at_most.push_back(app.together);
  }
  data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
}

/// What the plan places runs from now on, where it is.
void keep_running(const wire::Plan& plan, InstanceData& data) {
  data.running.clear();
  for (const wire::Placed* placed : *plan.placed())
    data.running.emplace_back(placed->app(), plan.listed()->Get(placed->node()), placed->replicas());
}

class LraschedBench final : public lab::Bench<Run> {
 public:
  explicit LraschedBench(const Console& console)
      : Bench(console, {.name = "lrasched",
                        .summary = "Repeat P3's experiments: learning, applications admitted, nodes added, time",
                        .help = R"(Examples:
  stowage-lab bench lrasched --sizes 500/100 --dims 3,6 --seeds 1
  stowage-lab bench lrasched --planners lrasched,lrasched-ilp@60s,auto@1s --loads literal
  stowage-lab bench lrasched --figures 5,6 --output results --markdown page.md

P3's experiments: learning (table 2, figure 5), its testbed (figure 6), and its simulation (section
4.2.2, figures 8 to 12). As printed (literal), apps ask for more than the nodes have: a bound
shows that no plan reaches the percentages of the paper. With smaller containers (scaled) they come
out. With added, nodes may be added until everything is placed.)",
                        .seeds = 3,
                        .deadline_ms = 1'000}) {}

 private:
  void add_options(CLI::App* sub) override {
    list_option(sub, "--figures", figures_, "P3's figures; with 5 goes table 2", "LIST", "5,6,8,9,10,11,12",
                CLI::IsMember({5, 6, 8, 9, 10, 11, 12}));
    list_option(sub, "--sizes", sizes_, "Numbers of apps and nodes", "LIST", "500/100,1000/300,2000/500");
    list_option(sub, "--latency-nodes", latency_nodes_, "Numbers of nodes of figures 11 and 12", "LIST",
                "100,500,1000,5000,10000", CLI::Range(1, 100'000));
    list_option(sub, "--dims", dims_, "Numbers of resources", "LIST", "3,4,5,6", whole_number(1, lras::kMostDims));
    list_option(sub, "--loads", loads_,
                "Of figures 8 to 10: literal, as printed; scaled, so that nearly all fits; added, where nodes may be added",
                "LIST", "literal,scaled,added");
    option(sub, "--containers", containers_, "Most containers of an app", "C", kOwn, whole_number(1, 1'000));
    list_option(sub, "--planners", command_.planners, "Planners to compare; NAME@10s sets a planner's deadline", "A,B@10s",
                "lrasched, lrasched-ffd, admit, auto");
  }

  void prepare() override {
    contenders_ = contenders_or({"lrasched", "lrasched-ffd", "admit", "auto"});
    for (Contender& one : contenders_) {
      one.objective = wire::Objective::Admitted;
      labels_.push_back(one.label);
    }
    plan_jobs();
  }

  [[nodiscard]] bool asks_for(int figure) const {
    return std::find(figures_.begin(), figures_.end(), figure) != figures_.end();
  }

  /// The cells of figures 8 to 10. Fails where a word is no load, or no size.
  [[nodiscard]] std::vector<Cell> simulated_cells() const {
    std::vector<Cell> all;
    for (const std::string& load : lab::distinct(loads_)) {
      if (!is_load(load)) throw Failure("--loads: \"" + load + "\" is no load; use literal, scaled or added");
      for (const std::string& size : lab::distinct(sizes_)) {
        const std::size_t slash = std::min(size.find('/'), size.size());
        const std::string_view text = size;
        const std::uint32_t apps = number_in(size, text.substr(0, slash));
        const std::uint32_t nodes = number_in(size, text.substr(std::min(slash + 1, size.size())));
        for (const std::uint32_t dims : lab::distinct(dims_)) all.push_back({load, apps, nodes, dims, containers_});
      }
    }
    return all;
  }

  /// Each cell of the figures asked for, and each seed.
  void plan_jobs() {
    std::vector<std::vector<Cell>> groups;
    if (asks_for(6)) groups.push_back(testbed_cells());
    for (const Cell& of : simulated_cells()) {
      if (of.load == "added" ? asks_for(10) : asks_for(8) || asks_for(9)) groups.push_back({of});
    }
    for (const auto& [figure, dims] : {std::pair(11, 3u), std::pair(12, 6u)}) {
      if (!asks_for(figure)) continue;
      for (const Cell& of : latency_cells(lab::distinct(latency_nodes_), dims)) groups.push_back({of});
    }
    for (const std::vector<Cell>& cells : groups) {
      cells_.insert(cells_.end(), cells.begin(), cells.end());
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        jobs_.push_back({cells.back(), seed, contenders_, cells});
        // Planners that use all the time there is have no time per application.
        if (cells.front().load != "latency") continue;
        std::erase_if(jobs_.back().contenders, [&](const Contender& one) {
          const wire::PlannerInfo* info = info_of(one);
          return info == nullptr || info->default_deadline_ms() > 0;
        });
      }
    }
  }

  [[nodiscard]] std::vector<Job> jobs() const override { return jobs_; }

  /// What the generator draws. The scales are those at which the percentages that P3 prints come out.
  [[nodiscard]] InstanceData make(const Cell& of, std::uint64_t seed) const override {
    lras::Options options;
    options.apps = of.apps;
    options.nodes = of.nodes;
    options.dims = of.dims;
    options.containers = of.containers;
    // The same demand from several containers: a mean of (1 + containers) / 2 of them.
    options.scale = of.load == "literal" || of.load == "latency" ? 1 : scale_of(of) * 2 / (1 + of.containers);
    options.add = of.load == "added";
    options.seed = seed;
    return lras::generate(options);
  }

  /// In the testbed, what runs stays where it is from arrival to arrival; what found no room waits. Only whole series are kept.
  void measure(const Job& job) override {
    if (job.of.load != "testbed") return measure_instance(job);
    const std::vector<sizes::TestbedApp> apps = sizes::draw_testbed(job.seed);
    for (const Contender& contender : job.contenders) {
      const std::size_t before = runs_.size();
      InstanceData data = empty_testbed();
      for (const Cell& of : job.series) {
        arrive(apps[of.apps - 1], data);
        const auto made = plan_and_keep(lab::loaded(data, class_text(of)), contender, blank(of, job.seed, contender));
        if (!made) break;
        keep_running(made->root(), data);
      }
      if (runs_.size() < before + job.series.size()) runs_.resize(before);
    }
  }

  void note_plan(const Workload& workload, const wire::Plan& plan, Run& run) override {
    const InstanceData data = decode_instance(workload.root());
    run.admitted = data.apps.replicas.size() - plan.unplaced()->size();
    if (plan.left_out_bound() != nullptr)
      run.most = static_cast<double>(data.apps.replicas.size()) - plan.left_out_bound()->value();
    if (plan.cost() >= 0) run.added = static_cast<std::uint64_t>(std::llround(plan.cost()));
    run.least_added = lab::bound_of(plan.cost_bound());
    const std::size_t dims = data.resources.size();
    for (std::size_t k = 0; k < dims; ++k) {
      double used = 0;
      double all = 0;
      for (const NodeClassData& node : data.classes) all += node.count * node.capacity[k];
      for (const wire::Placed* placed : *plan.placed()) used += placed->replicas() * data.apps.demand[placed->app() * dims + k];
      run.utilization += used / all / static_cast<double>(dims);
    }
  }

  void sum_up(const std::vector<Run>& asked) override {
    results_.cells = lrasched::sum_up(cells_, labels_, asked);
    if (asks_for(5)) {
      results_.learned = sizes::mean_baselines(1, static_cast<std::uint32_t>(command_.seeds), kProfiledForFigure5);
    }
  }

  void add_figures(lab::Figures& figures) const override {
    for (const CellResult& result : results_.cells) {
      for (std::size_t g = 0; g < labels_.size(); ++g) {
        const Tally& tally = result.groups[g];
        if (!tally.has("runs")) continue;
        figures.record().text("load", result.of.load).whole("apps", result.of.apps).whole("nodes", result.of.nodes);
        figures.whole("dims", result.of.dims).whole("containers", result.of.containers).text("planner", labels_[g]);
        figures.counts(tally, {"runs"}).means(tally, {"admitted"}).number("most", result.most);
        figures.means(tally, {"gap", "utilization", "added"}).number("least_added", result.least_added);
        figures.seconds("seconds", tally.mean("seconds"));
      }
    }
    // Learners have other figures, which a table has no columns for.
    if (!results_.learned || !figures.is_json()) return;
    const auto learner = [&](const char* name, auto part, double microseconds) {
      figures.record().text("learner", name).number("rmse_profiled", results_.learned->held_out.*part);
      figures.number("rmse_new", results_.learned->fresh.*part).number("microseconds", microseconds);
    };
    learner("factorization-machine", &sizes::LearnerErrors::machine, results_.learned->machine_microseconds);
    learner("matrix-factorization", &sizes::LearnerErrors::matrix, results_.learned->matrix_microseconds);
  }

  void show(lab::Page& page) const override {
    const std::vector<std::string> lines = notes("row", "means, the bound being the best that any run proved; ");
    page.opening(lines);
    for (const Table& table : tables_of(results_, labels_)) {
      page.title(table.title).markdown("\n").grid(table.grid).terminal("\n");
    }
    if (page.links_charts()) page.markdown("\n### Charts\n");
    page.link(charts_of(results_, labels_)).closing(lines);
  }

  std::vector<int> figures_ = {5, 6, 8, 9, 10, 11, 12};
  std::vector<std::string> sizes_ = {"500/100", "1000/300", "2000/500"};  ///< apps and nodes
  std::vector<std::uint32_t> latency_nodes_ = {100, 500, 1'000, 5'000, 10'000};
  std::vector<std::uint32_t> dims_ = {3, 4, 5, 6};
  std::vector<std::string> loads_ = {"literal", "scaled", "added"};
  std::uint32_t containers_ = 1;
  std::vector<Cell> cells_;
  std::vector<std::string> labels_;
  std::vector<Contender> contenders_;
  std::vector<Job> jobs_;
  Results results_;
};

}  // namespace

void Run::fields(lab::RunLine& line) {
  line.field("load", of.load);
  line.refuse_if(!is_load(of.load) && of.load != "latency" && of.load != "testbed");
  line.field("apps", of.apps).field("nodes", of.nodes).field("dims", of.dims);
  line.field("containers", of.containers).field("seed", seed).contender(*this).field("admitted", admitted);
  line.field("most", most).field("utilization", utilization).field("added", added);
  line.field("least_added", least_added).defects(*this).origin(*this);
}

std::string class_text(const Cell& of) {
  return of.load + ", " + counted(of.apps, "app") + ", " + counted(of.nodes, "node") + ", " + counted(of.dims, "dimension");
}

std::vector<Cell> latency_cells(const std::vector<std::uint32_t>& nodes, std::uint32_t dims) {
  std::vector<Cell> all;
  all.reserve(nodes.size());
  for (const std::uint32_t count : nodes) all.push_back({"latency", kAppsPerNode * count, count, dims, 1});
  return all;
}

std::vector<Cell> testbed_cells() {
  std::vector<Cell> all;
  const std::uint32_t apps = sizes::kTestbedFamilies * sizes::kTestbedAppsPerFamily;
  for (std::uint32_t arrived = 1; arrived <= apps; ++arrived)
    all.push_back({"testbed", arrived, sizes::kTestbedNodes, 2, sizes::kTestbedContainers});
  return all;
}

std::vector<lab::Chart> charts_of(const Results& results, const std::vector<std::string>& labels) {
  std::vector<lab::Chart> all;
  const auto add = [&](const std::string& file, const std::string& title, const Axes& axes, const std::vector<Panel>& panels) {
    if (!panels.empty() && !panels[0].lines.empty()) all.push_back({file, title, panels_script(file, axes, panels)});
  };
  const std::string from_zero = "set yrange [0:*]\n";
  if (results.learned) {
    add("figure5", "error of the factorization machine over time, by family",
        {"Figure 5: error of the factorization machine on what it learns next", "measurements learned in the first pass, %",
         "RMSE", from_zero},
        {learned_panel(*results.learned)});
  }
  const Wanted arrivals = [](const Cell& of) { return of.load == "testbed"; };
  const Place arrived = [](const Cell& of) { return of.apps; };
  const Measure admitted = {[](const CellResult&, const Tally& tally) { return tally.mean("admitted"); }};
  add("figure6", "utilization of the testbed, and applications admitted, over arrivals",
      {"Figure 6: the testbed as applications arrive", "applications that have arrived", "", from_zero},
      {{"utilization, %", lines_of(results, labels, arrivals, arrived, kUtilization)},
       {"applications admitted", lines_of(results, labels, arrivals, arrived, admitted)}});
  const auto add_by_size = [&](const std::string& file, const std::string& title, const std::string& load,
                               const std::string& heading, const char* unit, const Measure& measure) {
    add(file, title + ", by number of resources",
        {heading, "resources", unit, "set xtics 1\nset offsets 0.2, 0.2, 0, 0\n" + from_zero},
        panels_by_size(results, labels, load, measure));
  };
  for (const std::string load : {"literal", "scaled"}) {
    add_by_size("figure8-" + load, "applications admitted, %", load, "Figure 8: applications admitted, " + load + " load", "%",
                kAdmitted);
  }
  for (const std::string load : {"literal", "scaled"}) {
    add_by_size("figure9-" + load, "utilization, %", load, "Figure 9: utilization, " + load + " load", "%", kUtilization);
  }
  add_by_size("figure10", "nodes added", "added", "Figure 10: nodes added, so that all applications are placed", "nodes",
              kAdded);
  for (const auto& [figure, dims] : {std::pair<std::string, std::uint32_t>("11", 3), {"12", 6}}) {
    const Wanted wanted = [dims = dims](const Cell& of) { return of.load == "latency" && of.dims == dims; };
    const Place nodes = [](const Cell& of) { return of.nodes; };
    add("figure" + figure, "time per application, by number of nodes, with " + std::to_string(dims) + " resources",
        {"Figure " + figure + ": time per application, " + counted(dims, "resource"), "nodes", "microseconds",
         "set logscale xy\n"},
        {{"", lines_of(results, labels, wanted, nodes, kMicroseconds)}});
  }
  return all;
}

std::vector<CellResult> sum_up(const std::vector<Cell>& cells, const std::vector<std::string>& labels,
                               const std::vector<Run>& runs) {
  auto instances = lab::by_instance(runs);
  std::vector<CellResult> all;
  for (const Cell& of : cells) {
    const auto& of_cell = instances[of];
    if (of_cell.empty()) continue;
    CellResult& result = all.emplace_back(CellResult{of, 0, 0, std::vector<Tally>(labels.size())});
    for (const auto& [seed, of_instance] : of_cell) {
      double most = of.apps;
      double least_added = 0;
      for (const Run* run : of_instance) {
        const auto label = std::find(labels.begin(), labels.end(), run->label);
        if (label == labels.end()) continue;
        most = std::min(most, run->most.value_or(of.apps));
        least_added = std::max(least_added, run->least_added.value_or(0));
        const double admitted = std::max(1.0, static_cast<double>(run->admitted));
        Tally& tally = result.groups[static_cast<std::size_t>(label - labels.begin())].add("runs");
        tally.add("admitted", run->admitted).add("gap", run->most.value_or(of.apps) / admitted - 1);
        tally.add("utilization", run->utilization).add("added", run->added).add("seconds", run->seconds);
      }
      result.most += most / static_cast<double>(of_cell.size());
      result.least_added += least_added / static_cast<double>(of_cell.size());
    }
  }
  return all;
}

}  // namespace stowage::cli::lrasched

void stowage::cli::lab::add_bench_lrasched(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<lrasched::LraschedBench>(line.console()));
}
