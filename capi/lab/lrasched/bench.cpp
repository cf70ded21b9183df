#include "capi/lab/lrasched/bench.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "capi/lab/commands/commands.h"
#include "capi/lab/learning/testbed.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lrasched {
namespace {

using lab::Contender;
using lab::Grid;

constexpr std::uint32_t kProfiledForFigure5 = 300;

/// Loads that the command's options name.
bool is_load(const std::string& word) { return word == "literal" || word == "scaled" || word == "added"; }

constexpr std::uint32_t kAppsPerNode = 4;  // as P3's largest cluster, 2,000 apps on 500 nodes

std::uint32_t number_in(const std::string& size, const char* from, const char* to) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(from, to, number);
  if (error != std::errc() || end != to || number == 0) {
    throw Failure("--sizes: \"" + size + "\" is not a number of apps and one of nodes (try \"500/100\")");
  }
  return number;
}

/// P3's sizes, and the factor of containers at which its percentages come out; other sizes get the first one's.
double scale_of(const Cell& of) {
  if (of.apps == 1000 && of.nodes == 300) return 0.62;
  if (of.apps == 2000 && of.nodes == 500) return 0.54;
  return 0.41;
}

/// A row per cell that `wanted` names, with the bound and a figure per contender.
Grid grid_of(const std::vector<CellResult>& results, const std::vector<std::string>& labels,
             const std::function<bool(const Cell&)>& wanted, const std::function<std::string(const CellResult&)>& bound,
             const std::function<std::string(const Cell&, const Mean&)>& figure) {
  Grid grid = {{"load", "apps/nodes", "dims"}};
  for (const std::string& label : labels) grid[0].push_back(lab::contender_text(label));
  if (bound) grid[0].push_back("bound");
  for (const CellResult& result : results) {
    if (!wanted(result.of)) continue;
    const Cell& of = result.of;
    std::vector<std::string> row = {of.load, std::to_string(of.apps) + "/" + std::to_string(of.nodes), std::to_string(of.dims)};
    for (const Mean& mean : result.means) row.push_back(mean.runs == 0 ? "-" : figure(of, mean));
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

std::vector<Table> tables_of(const Results& results, const std::vector<std::string>& labels) {
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
                 grid_of(cells, labels, shown_arrival, nullptr, utilization)});
  all.push_back({"Applications of the testbed admitted, %", grid_of(cells, labels, shown_arrival, nullptr, admitted)});
  all.push_back(
      {"Applications admitted, % (figure 8)",
       grid_of(
           cells, labels, with_these_nodes, [&](const CellResult& r) { return share(r.most, r.of.apps); }, admitted)});
  all.push_back({"At most so many more can be admitted by the run's own bound, % of what is admitted",
                 grid_of(cells, labels, with_these_nodes, nullptr,
                         [](const Cell&, const Mean& mean) { return for_people(100 * mean.gap, 1); })});
  all.push_back({"Utilization, % (figure 9)", grid_of(cells, labels, with_these_nodes, nullptr, utilization)});
  all.push_back({"Nodes added (figure 10)",
                 grid_of(
                     cells, labels, with_added_nodes, [](const CellResult& r) { return for_people(r.least_added, 1); },
                     [](const Cell&, const Mean& mean) { return for_people(mean.added, 1); })});
  all.push_back({"Time per application, microseconds",
                 grid_of(
                     cells, labels, [](const Cell& of) { return with_these_nodes(of) || with_added_nodes(of); }, nullptr,
                     microseconds_text)});
  all.push_back({"Time per application by size of the cluster, microseconds (figures 11 and 12)",
                 grid_of(cells, labels, for_latency, nullptr, microseconds_text)});
  std::erase_if(all, [](const Table& table) { return table.grid.size() < 2; });
  return all;
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
  LraschedBench(const lab::BenchLraschedCommand& command, const Console& console)
      : Bench(command, console, "lrasched"), command_(command) {}

 private:
  void prepare() override {
    contenders_ = command_.planners.empty() ? own_contenders({"lrasched", "lrasched-ffd", "admit", "auto"})
                                            : known_contenders(command_.planners);
    for (Contender& one : contenders_) {
      one.objective = wire::Objective::Admitted;
      labels_.push_back(one.label);
    }
    plan_jobs();
  }

  [[nodiscard]] bool asks_for(int figure) const {
    return std::find(command_.figures.begin(), command_.figures.end(), figure) != command_.figures.end();
  }

  /// Each cell of the figures asked for, and each seed.
  void plan_jobs() {
    std::vector<std::vector<Cell>> groups;
    if (asks_for(6)) groups.push_back(testbed_cells());
    for (const Cell& of : cells_of(lab::distinct(command_.loads), lab::distinct(command_.sizes), lab::distinct(command_.dims),
                                   command_.containers)) {
      if (of.load == "added" ? asks_for(10) : asks_for(8) || asks_for(9)) groups.push_back({of});
    }
    for (const auto& [figure, dims] : {std::pair(11, 3u), std::pair(12, 6u)}) {
      if (!asks_for(figure)) continue;
      for (const Cell& of : latency_cells(lab::distinct(command_.latency_nodes), dims)) groups.push_back({of});
    }
    for (const std::vector<Cell>& cells : groups) {
      cells_.insert(cells_.end(), cells.begin(), cells.end());
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        jobs_.push_back({cells.back(), seed, contenders_, cells});
        // Planners that use all the time there is have no time per application.
        if (cells.front().load == "latency")
          std::erase_if(jobs_.back().contenders, [&](const Contender& one) { return !ends_by_itself(one); });
      }
    }
  }

  [[nodiscard]] std::vector<Job> jobs() const override { return jobs_; }

  void measure(const Job& job) override { job.of.load == "testbed" ? measure_testbed(job) : measure_instance(job); }

  /// Plans one instance by one contender; appends the run to `runs`.
  std::optional<PlanRun> measure_cell(const InstanceData& data, const Workload& workload, const Cell& of, std::uint64_t seed,
                                      const Contender& contender, std::vector<Run>& runs) {
    return plan_and_keep(workload, contender, blank(of, seed, contender), runs,
                         [&](const wire::Plan& plan, Run& run) { describe(data, plan, run); });
  }

  void measure_instance(const Job& job) {
    const InstanceData data = lras::generate(options_of(job.of, job.seed));
    const Workload workload = lab::loaded(data, class_text(job.of));
    for (const Contender& contender : job.contenders) measure_cell(data, workload, job.of, job.seed, contender, runs_);
  }

  /// What runs stays where it is from arrival to arrival; what found no room waits. Only whole series are kept.
  void measure_testbed(const Job& job) {
    const std::vector<sizes::TestbedApp> apps = sizes::draw_testbed(job.seed);
    for (const Contender& contender : job.contenders) {
      std::vector<Run> series;
      InstanceData data = empty_testbed();
      for (const Cell& of : job.series) {
        arrive(apps[of.apps - 1], data);
        const auto made = measure_cell(data, lab::loaded(data, class_text(of)), of, job.seed, contender, series);
        if (!made) break;
        keep_running(made->root(), data);
      }
      if (series.size() == job.series.size()) runs_.insert(runs_.end(), series.begin(), series.end());
    }
  }

  static void describe(const InstanceData& data, const wire::Plan& plan, Run& run) {
    const auto apps = static_cast<double>(data.apps.replicas.size());
    run.admitted = data.apps.replicas.size() - plan.unplaced()->size();
    if (plan.left_out_bound() != nullptr) run.most = apps - plan.left_out_bound()->value();
    if (plan.cost() >= 0) run.added = static_cast<std::uint64_t>(std::llround(plan.cost()));
    run.least_added = lab::bound_of(plan.cost_bound());
    const std::size_t dims = data.resources.size();
    std::vector<double> used(dims, 0);
    std::vector<double> all(dims, 0);
    for (const NodeClassData& node : data.classes) {
      for (std::size_t k = 0; k < dims; ++k) all[k] += node.count * node.capacity[k];
    }
    for (const wire::Placed* placed : *plan.placed()) {
      for (std::size_t k = 0; k < dims; ++k) used[k] += placed->replicas() * data.apps.demand[placed->app() * dims + k];
    }
    for (std::size_t k = 0; k < dims; ++k) run.utilization += used[k] / all[k] / static_cast<double>(dims);
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
        const Mean& mean = result.means[g];
        if (mean.runs == 0) continue;
        figures.record().text("load", result.of.load).whole("apps", result.of.apps).whole("nodes", result.of.nodes);
        figures.whole("dims", result.of.dims).whole("containers", result.of.containers).text("planner", labels_[g]);
        figures.whole("runs", mean.runs).number("admitted", mean.admitted).number("most", result.most).number("gap", mean.gap);
        figures.number("utilization", mean.utilization).number("added", mean.added).number("least_added", result.least_added);
        figures.seconds("seconds", mean.seconds);
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

  [[nodiscard]] std::vector<lab::Chart> charts() const override { return charts_of(results_, labels_); }

  void show(lab::Page& page) const override {
    const std::vector<std::string> lines = notes("row", "means, the bound being the best that any run proved; ");
    page.opening(lines);
    for (const Table& table : tables_of(results_, labels_)) {
      page.title(table.title).markdown("\n").grid(table.grid).terminal("\n");
    }
    if (page.links_charts()) {
      page.markdown("\n### Charts\n");
      for (const lab::Chart& chart : charts()) page.chart(chart.file, chart.title);
    }
    page.closing(lines);
  }

  const lab::BenchLraschedCommand& command_;
  std::vector<Cell> cells_;
  std::vector<std::string> labels_;
  std::vector<Contender> contenders_;
  std::vector<Job> jobs_;
  Results results_;
};

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.field("load", run.of.load);
  line.refuse_if(!is_load(run.of.load) && run.of.load != "latency" && run.of.load != "testbed");
  line.field("apps", run.of.apps).field("nodes", run.of.nodes).field("dims", run.of.dims);
  line.field("containers", run.of.containers).field("seed", run.seed).contender(run).field("admitted", run.admitted);
  line.field("most", run.most).field("utilization", run.utilization).field("added", run.added);
  line.field("least_added", run.least_added).defects(run).origin(run);
}

std::string class_text(const Cell& of) {
  return of.load + ", " + counted(of.apps, "app") + ", " + counted(of.nodes, "node") + ", " + counted(of.dims, "dimension");
}

std::vector<Cell> cells_of(const std::vector<std::string>& loads, const std::vector<std::string>& sizes,
                           const std::vector<std::uint32_t>& dims, std::uint32_t containers) {
  std::vector<Cell> all;
  for (const std::string& load : loads) {
    if (!is_load(load)) throw Failure("--loads: \"" + load + "\" is no load; use literal, scaled or added");
    for (const std::string& size : sizes) {
      const std::size_t slash = std::min(size.find('/'), size.size());
      const char* begin = size.data();
      const std::uint32_t apps = number_in(size, begin, begin + slash);
      const std::uint32_t nodes = number_in(size, begin + std::min(slash + 1, size.size()), begin + size.size());
      for (const std::uint32_t one : dims) all.push_back({load, apps, nodes, one, containers});
    }
  }
  return all;
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

lras::Options options_of(const Cell& of, std::uint64_t seed) {
  lras::Options options;
  options.apps = of.apps;
  options.nodes = of.nodes;
  options.dims = of.dims;
  options.containers = of.containers;
  // The same demand from several containers: a mean of (1 + containers) / 2 of them.
  options.scale = of.load == "literal" || of.load == "latency" ? 1 : scale_of(of) * 2 / (1 + of.containers);
  options.add = of.load == "added";
  options.seed = seed;
  return options;
}

std::vector<CellResult> sum_up(const std::vector<Cell>& cells, const std::vector<std::string>& labels,
                               const std::vector<Run>& runs) {
  std::vector<CellResult> all;
  for (const Cell& of : cells) {
    CellResult result{of, 0, 0, std::vector<Mean>(labels.size())};
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
      lab::divide({&mean.admitted, &mean.gap, &mean.utilization, &mean.added, &mean.seconds}, mean.runs);
    }
    if (!bounds.empty()) all.push_back(std::move(result));
  }
  return all;
}

}  // namespace stowage::cli::lrasched

namespace stowage::cli::lab {

int run_bench_lrasched_command(const BenchLraschedCommand& command, const Console& console) {
  return lrasched::LraschedBench(command, console).run();
}

}  // namespace stowage::cli::lab
