#include "capi/lab/colocation/bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "capi/cli/base/console.h"
#include "capi/cli/generate/colocation.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::colocation {
namespace {

using lab::Contender;
using lab::Grid;
using lab::Group;

/// Bounds and costs that differ by less are equal.
constexpr double kRounding = 1e-9;

/// P4's heuristics, with LPT.
constexpr const char* kHeuristics =
    "fill-greedy,sched-mixed,sched-juxtapose,best-schedule,greedy-dedicated-mixed,greedy-dedicated-juxtapose,"
    "greedy-dedicated-best";

/// The medians over P4's bound that P4's text states, for small and large instances of a class. It prints the same figures for
/// incompatible and clashing kinds: dedicated nodes never see the coefficients.
struct PublishedMedian {
  const char* word;
  const char* planners;  ///< those whose names begin with this
  double small;
  double large;
};
constexpr std::array<PublishedMedian, 6> kPublished = {{{"compatible", "sched-mixed", 1.06, 1.18},
                                                        {"compatible", "best-schedule", 1.01, 1.01},
                                                        {"incompatible", "greedy-dedicated", 1.12, 1.02},
                                                        {"clashing", "greedy-dedicated", 1.12, 1.02},
                                                        {"mixed", "greedy-dedicated-best", 1.46, 1.22},
                                                        {"mixed", "sched-mixed", 1.77, 1.91}}};

/// P4's numbers of apps and nodes.
struct Size {
  std::array<std::uint32_t, 3> apps;
  std::vector<std::uint32_t> nodes;
};

double largest_load(const InstanceData& data) { return *std::max_element(data.apps.demand.begin(), data.apps.demand.end()); }

/// The largest average cost of a kind of [first, last) among the loads of these kinds, spread evenly.
double average_cost(const InterferenceData& interference, const std::vector<double>& load, std::size_t first, std::size_t last,
                    std::uint32_t nodes) {
  double most = 0;
  for (std::size_t t = first; t < last; ++t) {
    if (!(load[t] > 0)) continue;
    double cost = 0;
    for (std::size_t u = first; u < last; ++u) cost += interference.coefficient[t * load.size() + u] * load[u];
    most = std::max(most, cost / nodes);
  }
  return most;
}

void add_instance(const std::vector<Group>& groups, const std::vector<const Run*>& runs, double bound, ClassResult& result) {
  ++result.instances;
  double least = std::numeric_limits<double>::infinity();
  for (const Run* run : runs) least = std::min(least, run->cost);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Run* best = lab::best_of(groups[g], runs, [](const Run& run) { return std::pair(run.cost, run.seconds); });
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

/// Whether another group, of several contenders, has all contenders of this one.
bool is_part_of_another(const std::vector<Group>& groups, const Group& group) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& other) {
    return other.labels.size() > group.labels.size() &&
           std::all_of(group.labels.begin(), group.labels.end(), [&](const std::string& label) { return other.has(label); });
  });
}

class ColocationBench final : public lab::Bench<Run> {
 public:
  explicit ColocationBench(const Console& console)
      : Bench(console, {.name = "colocation",
                        .summary = "Repeat P4's experiments, with side effects of colocation",
                        .help = R"(Examples:
  stowage-lab bench colocation --sizes small --classes mixed --seeds 3
  stowage-lab bench colocation --output results --markdown page.md
  stowage-lab bench colocation --planners kind-lpt,auto@100ms,auto@1s --seeds 5

P4's design: 213 combinations of a class of coefficients, kinds, apps and nodes, 30 instances each.
docs/reference/generate.md defines the classes. Costs are those of who suffers most, over P4's bound
and over the best bound that any run proved. The medians that P4 prints stand beside.)",
                        .seeds = 30,
                        .deadline_ms = 1'000}) {}

 private:
  void add_options(CLI::App* sub) override {
    list_option(sub, "--classes", words_, "Classes of coefficients", "LIST", "compatible,incompatible,clashing,mixed");
    list_option(sub, "--kinds", kinds_, "Numbers of kinds", "LIST", "2,3,4", whole_number(1, 1'000));
    list_option(sub, "--sizes", sizes_, "P4's small or large numbers of apps and nodes", "LIST", "small,large");
    list_option(sub, "--planners", command_.planners,
                "Planners to compare; NAME:OPTION=NUMBER sets an option, NAME@10s a deadline", "A,B:multifit=1@10s",
                "P4's heuristics, kind-lpt and auto");
  }

  void prepare() override {
    for (const std::string& word : words_) check_class(word, "--classes");
    for (const std::string& size : sizes_) {
      if (size != "small" && size != "large") throw Failure("--sizes: \"" + size + "\" is neither small nor large");
    }
    cells_ = cells_of(lab::distinct(words_), lab::distinct(kinds_), lab::distinct(sizes_));
    if (cells_.empty()) throw Failure("--kinds: mixed instances have at least three");
    const std::vector<std::string> heuristics = split_fields(kHeuristics, ',');
    std::vector<Group> own;
    own.reserve(heuristics.size() + 3);
    for (const std::string& label : heuristics) own.push_back({label, {label}});
    own.insert(own.end(), {{"kind-lpt", {"kind-lpt"}}, {"auto", {"auto"}}, {"best of P4", heuristics}});
    groups_ = groups_or(own, contenders_);
    for (Contender& one : contenders_) one.objective = wire::Objective::Worst;
  }

  /// The instances of one cell: `seed` says how many, from 1 up to it.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (const Cell& cell : cells_) all.push_back({cell, command_.seeds, contenders_});
    return all;
  }
  [[nodiscard]] std::vector<Run> blanks(const Job& job, const Contender& contender) const override {
    std::vector<Run> runs;
    for (std::uint64_t seed = 1; seed <= job.seed; ++seed) runs.push_back(blank(job.of, seed, contender));
    return runs;
  }

  void measure(const Job& job) override {
    for (std::uint64_t seed = 1; seed <= job.seed && !InterruptGuard::interrupted(); ++seed) {
      measure_instance({job.of, seed, job.contenders});
    }
  }
  [[nodiscard]] InstanceData make(const Cell& of, std::uint64_t seed) const override {
    return generate({of.word, of.apps, of.nodes, of.kinds, 0, seed});
  }
  void note_instance(const InstanceData& data, Run& run) const override {
    run.largest = largest_load(data);
    run.paper_bound = paper_bound(run.of, data);
  }
  void note_plan(const Workload&, const wire::Plan& plan, Run& run) override {
    run.cost = plan.max_cost();
    run.bound = lab::bound_of(plan.max_cost_bound());
  }

  void sum_up(const std::vector<Run>& asked) override { results_ = colocation::sum_up(groups_, asked); }

  /// Medians over P4's bound, P4's own in brackets.
  [[nodiscard]] Grid medians(bool loaded_only) const {
    Grid grid = {{"class", "instances"}};
    for (const Group& group : groups_) grid[0].push_back(group.name);
    for (const ClassResult& result : results_) {
      if (result.loaded_only != loaded_only) continue;
      grid.push_back({row_text(result), std::to_string(result.instances)});
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const std::vector<double>& ratios = result.groups[g].over_paper;
        std::string text = ratios.empty() ? "-" : for_people(quantile(ratios, 0.5), 3);
        const std::vector<std::string>& labels = groups_[g].labels;
        for (const PublishedMedian& one : kPublished) {
          if (result.word != one.word || labels.size() > 1 || !labels.front().starts_with(one.planners)) continue;
          text += " (" + for_people(result.large ? one.large : one.small, 2) + ")";
        }
        grid.back().push_back(std::move(text));
      }
    }
    return grid;
  }

  /// Over the best bound: medians, and shares of instances near it.
  [[nodiscard]] Grid shares() const {
    Grid grid = {{"class", "instances", "planner", "median", "95 %", "proven", "within 0.1 %", "within 1 %", "none better",
                  "mean time"}};
    for (const ClassResult& result : results_) {
      if (!result.loaded_only) continue;
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Ratios& ratios = result.groups[g];
        if (ratios.over_best.empty() || is_part_of_another(groups_, groups_[g])) continue;
        const auto share = [&](std::uint32_t part) { return for_people(100.0 * part / result.instances, 1) + " %"; };
        grid.push_back({row_text(result), std::to_string(result.instances), groups_[g].name,
                        for_people(quantile(ratios.over_best, 0.5), 4), for_people(quantile(ratios.over_best, 0.95), 4),
                        share(ratios.proven), share(ratios.within(0.001)), share(ratios.within(0.01)), share(ratios.least),
                        duration_text(ratios.seconds)});
      }
    }
    return grid;
  }

  void add_figures(lab::Figures& figures) const override {
    for (const ClassResult& result : results_) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Ratios& ratios = result.groups[g];
        figures.record().text("class", result.word).text("size", result.large ? "large" : "small");
        figures.flag("loaded_only", result.loaded_only).whole("instances", result.instances);
        figures.text("planner", groups_[g].name).whole("runs", ratios.over_best.size());
        figures.number("over_paper", quantile(ratios.over_paper, 0.5), !ratios.over_paper.empty());
        for (const auto& [name, share] :
             {std::pair("over_best", 0.5), {"p5", 0.05}, {"p25", 0.25}, {"p75", 0.75}, {"p95", 0.95}})
          figures.number(name, quantile(ratios.over_best, share), !ratios.over_best.empty());
        figures.whole("proven", ratios.proven).whole("within_0.1%", ratios.within(0.001));
        figures.whole("within_1%", ratios.within(0.01)).whole("least", ratios.least).seconds("seconds", ratios.seconds);
      }
    }
  }

  /// Box plots by size: over P4's bound and, of the loaded instances, over ours.
  [[nodiscard]] std::vector<lab::Chart> charts() const {
    std::vector<lab::Chart> all;
    for (const bool loaded_only : {false, true}) {
      for (const bool large : {false, true}) {
        std::vector<const ClassResult*> shown;
        for (const ClassResult& result : results_) {
          if (result.large == large && result.loaded_only == loaded_only) shown.push_back(&result);
        }
        const std::string file =
            std::string("colocation-") + (large ? "large" : "small") + (loaded_only ? "-best-bound" : "-paper-bound");
        if (!shown.empty()) all.push_back({file, "cost over the bound", box_script(file, shown)});
      }
    }
    return all;
  }

  /// The boxes of a group, and the points beyond them, as rows of data.
  struct Boxes {
    std::string boxes;
    std::string outside;
  };
  [[nodiscard]] Boxes boxes_of(const std::vector<const ClassResult*>& shown, std::size_t g) const {
    Boxes data;
    for (std::size_t c = 0; c < shown.size(); ++c) {
      const Ratios& of = shown[c]->groups[g];
      const std::vector<double>& ratios = shown[c]->loaded_only ? of.over_best : of.over_paper;
      if (ratios.empty()) continue;
      std::vector<double> box = {static_cast<double>(c * (groups_.size() + 1) + g)};
      for (const double share : {0.25, 0.05, 0.95, 0.75, 0.5}) box.push_back(quantile(ratios, share));
      data.boxes += lab::row_of(box);
      // Points that would hide each other are drawn once.
      std::set<long> drawn;
      for (const double ratio : ratios) {
        const bool beyond = ratio < quantile(ratios, 0.05) || ratio > quantile(ratios, 0.95);
        const long hundredths = std::lround(100 * ratio);
        if (beyond && drawn.insert(hundredths).second) {
          data.outside += lab::row_of({box[0], static_cast<double>(hundredths) / 100});
        }
      }
    }
    return data;
  }

  /// As in P4's figure 1: the median, the quarters, whiskers to 5 % and 95 %, and what lies beyond as points.
  [[nodiscard]] std::string box_script(const std::string& file, const std::vector<const ClassResult*>& shown) const {
    const auto groups = static_cast<int>(groups_.size());
    const int width = 200 + 26 * static_cast<int>(shown.size()) * (groups + 1);
    lab::Plot plot(file, std::max(width, 640), 460);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Boxes data = boxes_of(shown, g);
      if (data.boxes.empty()) continue;
      const std::string number = std::to_string(g);
      // The second turn of the colours is filled.
      const std::string fill = g < lab::kColors ? "empty" : "solid 0.4 border";
      plot.add("boxes" + number, data.boxes,
               "using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs " + fill + " lw 1.2" + lab::colored(g, groups_[g].name));
      plot.again("using 1:6:6:6:6 with candlesticks lw 2.5" + lab::colored(g));
      plot.add("outside" + number, data.outside, "using 1:2 with points pt 3 ps 0.3" + lab::colored(g));
    }
    const bool loaded_only = shown.front()->loaded_only;
    std::string text =
        "set title " +
        lab::quoted(std::string(shown.front()->large ? "Large" : "Small") + " instances" +
                    (loaded_only ? " where more than the largest load decides" : "")) +
        "\nset ylabel " + lab::quoted(loaded_only ? "cost over the best bound" : "cost over P4's bound") +
        "\nset logscale y\nset yrange [0.8:*]\nset ytics (0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4, 6, 10)\nset boxwidth 0.7\nset "
        "key outside right top\nset xtics (";
    for (std::size_t c = 0; c < shown.size(); ++c) {
      text += (c > 0 ? ", " : "") + lab::quoted(shown[c]->word) + " " +
              shortest(static_cast<double>(c) * (groups + 1) + (groups - 1) / 2.0);
    }
    return plot.script(text + ")\nset xrange [-1:" + std::to_string(static_cast<int>(shown.size()) * (groups + 1) - 1) + "]\n");
  }

  void show(lab::Page& page) const override {
    const std::vector<std::string> lines = notes("combination of class, kinds, apps and nodes", "", "best plan", groups_);
    const auto add = [&](const std::string& title, const Grid& grid) {
      page.markdown("\n### " + title + "\n\n");
      if (page.is_markdown() || grid.size() > 1) page.terminal(title + ":\n").grid(grid).terminal("\n");
    };
    page.opening(lines);
    add("Medians over P4's bound (P4's own in brackets)", medians(false));
    add("The same, where more than the largest load decides", medians(true));
    page.link(charts());
    add("Over the best bound, where more than the largest load decides", shares());
    page.closing(lines);
  }

  std::vector<std::string> words_ = class_words();
  std::vector<std::uint32_t> kinds_ = {2, 3, 4};
  std::vector<std::string> sizes_ = {"small", "large"};
  std::vector<Cell> cells_;
  std::vector<Group> groups_;
  std::vector<Contender> contenders_;
  std::vector<ClassResult> results_;
};

}  // namespace

void Run::fields(lab::RunLine& line) {
  line.checked("class", of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("kinds", of.kinds).field("apps", of.apps).field("nodes", of.nodes).field("seed", seed);
  line.field("largest", largest).field("paper_bound", paper_bound).contender(*this);
  line.field("cost", cost).field("bound", bound).defects(*this).origin(*this);
}

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
  std::vector<ClassResult> results;
  for (const std::string& word : class_words()) {
    for (const bool large : {false, true}) {
      for (const bool loaded_only : {false, true}) {
        results.push_back({word, large, loaded_only, 0, std::vector<Ratios>(groups.size())});
      }
    }
  }
  for (const auto& [of, instances] : lab::by_instance(runs)) {
    for (const auto& [seed, of_instance] : instances) {
      const double largest = of_instance.front()->largest;
      double bound = largest;
      for (const Run* run : of_instance) bound = std::max(bound, run->bound.value_or(0));
      for (ClassResult& result : results) {
        if (result.word != of.word || result.large != of.is_large()) continue;
        if (!result.loaded_only || bound > largest * (1 + kRounding)) add_instance(groups, of_instance, bound, result);
      }
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

std::string class_text(const Cell& of) {
  return of.word + ", " + counted(of.kinds, "kind") + ", " + counted(of.apps, "app") + ", " + counted(of.nodes, "node");
}

std::vector<Cell> cells_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& kinds,
                           const std::vector<std::string>& sizes) {
  static const Size kSmall = {{10, 20, 50}, {2, 3, 5, 10}};
  static const Size kLarge = {{200, 500, 1000}, {20, 50, 100}};
  std::vector<Cell> cells;
  for (const std::string& word : words) {
    const bool apart = word == "incompatible" || word == "clashing";
    for (const std::uint32_t count : kinds) {
      if (word == "mixed" && count < 3) continue;
      for (const std::string& size : sizes) {
        const Size& of = size == "large" ? kLarge : kSmall;
        for (const std::uint32_t apps : of.apps) {
          for (const std::uint32_t nodes : of.nodes) {
            if (!apart || nodes >= count) cells.push_back({word, count, apps, nodes});
          }
        }
      }
    }
  }
  return cells;
}

double paper_bound(const Cell& cell, const InstanceData& data) {
  std::vector<double> load(cell.kinds, 0);
  for (std::size_t i = 0; i < data.apps.demand.size(); ++i) load[data.apps.kind[i]] += data.apps.demand[i];
  const std::size_t half = (cell.kinds + 1) / 2;
  double average = std::accumulate(load.begin(), load.end(), 0.0) / cell.nodes;
  if (cell.word == "compatible") average = average_cost(*data.interference, load, 0, cell.kinds, cell.nodes);
  if (cell.word == "mixed") {
    average = std::max(average_cost(*data.interference, load, 0, half, cell.nodes),
                       average_cost(*data.interference, load, half, cell.kinds, cell.nodes));
  }
  return std::max(largest_load(data), average);
}

}  // namespace stowage::cli::colocation

void stowage::cli::lab::add_bench_colocation(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<colocation::ColocationBench>(line.console()));
}
