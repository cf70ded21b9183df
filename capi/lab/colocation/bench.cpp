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
const std::vector<std::string>& heuristics() {
  static const std::vector<std::string> kPlanners = split_fields(
      "fill-greedy,sched-mixed,sched-juxtapose,best-schedule,greedy-dedicated-mixed,greedy-dedicated-juxtapose,"
      "greedy-dedicated-best",
      ',');
  return kPlanners;
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

/// One chart: instances of one size, over one of the two bounds.
struct BoxChart {
  bool large;
  bool loaded_only;  ///< over our bound; all instances are over P4's
};
constexpr BoxChart kCharts[] = {{false, false}, {true, false}, {false, true}, {true, true}};

std::string chart_name(const BoxChart& chart) {
  return std::string("colocation-") + (chart.large ? "large" : "small") + (chart.loaded_only ? "-best-bound" : "-paper-bound");
}

constexpr const char* kMediansTitle = "Medians over P4's bound (P4's own in brackets)";
constexpr const char* kLoadedMediansTitle = "The same, where more than the largest load decides";
constexpr const char* kSharesTitle = "Over the best bound, where more than the largest load decides";

class ColocationBench final : public lab::Bench<Run> {
 public:
  ColocationBench(const lab::BenchColocationCommand& command, const Console& console)
      : Bench(command, console, "colocation"), command_(command) {}

 private:
  void prepare() override {
    const std::vector<std::string> words = lab::distinct(command_.classes.empty() ? class_words() : command_.classes);
    for (const std::string& word : words) check_class(word, "--classes");
    for (const std::string& size : command_.sizes) {
      if (size != "small" && size != "large") throw Failure("--sizes: \"" + size + "\" is neither small nor large");
    }
    cells_ = cells_of(words, lab::distinct(command_.kinds), lab::distinct(command_.sizes));
    if (cells_.empty()) throw Failure("--kinds: mixed instances have at least three");
    std::vector<Group> own;
    for (const std::string& label : heuristics()) own.push_back({label, {label}});
    own.insert(own.end(), {{"kind-lpt", {"kind-lpt"}}, {"auto", {"auto"}}, {"best of P4", heuristics()}});
    groups_ = groups_or(own, contenders_);
    for (Contender& one : contenders_) one.objective = wire::Objective::Worst;
  }

  /// The instances of one cell: `seed` says how many, from 1 up to it.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (const Cell& cell : cells_) all.push_back({cell, command_.seeds, contenders_, {}});
    return all;
  }
  [[nodiscard]] std::vector<Run> blanks(const Job& job, const Contender& contender) const override {
    std::vector<Run> runs;
    for (std::uint64_t seed = 1; seed <= job.seed; ++seed) runs.push_back(blank(job.of, seed, contender));
    return runs;
  }

  void measure(const Job& job) override {
    for (std::uint64_t seed = 1; seed <= job.seed && !InterruptGuard::interrupted(); ++seed) {
      const InstanceData data = generate({job.of.word, job.of.apps, job.of.nodes, job.of.kinds, 0, seed});
      const Workload workload = lab::loaded(data, class_text(job.of));
      for (const Contender& contender : job.contenders) {
        Run run = blank(job.of, seed, contender);
        if (is_done(run)) continue;
        run.largest = largest_load(data);
        run.paper_bound = paper_bound(job.of, data);
        plan_and_keep(workload, contender, std::move(run), runs_, [](const wire::Plan& plan, Run& made) {
          made.cost = plan.max_cost();
          made.bound = lab::bound_of(plan.max_cost_bound());
        });
      }
    }
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
        const auto published = published_median(result.word, result.large, groups_[g].labels.front());
        if (published && groups_[g].labels.size() == 1) text += " (" + for_people(*published, 2) + ")";
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

  /// Box plots by size: over P4's bound and, of the loaded instances, over ours.
  [[nodiscard]] std::vector<lab::Chart> charts() const override {
    std::vector<lab::Chart> all;
    for (const BoxChart& chart : kCharts) {
      std::vector<const ClassResult*> shown;
      for (const ClassResult& result : results_) {
        if (result.large == chart.large && result.loaded_only == chart.loaded_only) shown.push_back(&result);
      }
      if (!shown.empty()) all.push_back({chart_name(chart), "cost over the bound", box_script(chart, shown)});
    }
    return all;
  }

  /// The boxes of a group, and the points beyond them, as rows of data.
  struct Boxes {
    std::string boxes;
    std::string outside;
  };
  [[nodiscard]] Boxes boxes_of(const BoxChart& chart, const std::vector<const ClassResult*>& shown, std::size_t g) const {
    Boxes data;
    for (std::size_t c = 0; c < shown.size(); ++c) {
      const Ratios& of = shown[c]->groups[g];
      const std::vector<double>& ratios = chart.loaded_only ? of.over_best : of.over_paper;
      if (ratios.empty()) continue;
      const std::string x = std::to_string(c * (groups_.size() + 1) + g);
      data.boxes += x;
      for (const double share : {0.25, 0.05, 0.95, 0.75, 0.5}) data.boxes += " " + shortest(quantile(ratios, share));
      data.boxes += "\n";
      // Points that would hide each other are drawn once.
      std::set<long> drawn;
      for (const double ratio : ratios) {
        const bool beyond = ratio < quantile(ratios, 0.05) || ratio > quantile(ratios, 0.95);
        const long hundredths = std::lround(100 * ratio);
        if (beyond && drawn.insert(hundredths).second) {
          data.outside += x + " " + shortest(static_cast<double>(hundredths) / 100) + "\n";
        }
      }
    }
    return data;
  }

  /// As in P4's figure 1: the median, the quarters, whiskers to 5 % and 95 %, and what lies beyond as points.
  [[nodiscard]] std::string box_script(const BoxChart& chart, const std::vector<const ClassResult*>& shown) const {
    const auto groups = static_cast<int>(groups_.size());
    const int width = 200 + 26 * static_cast<int>(shown.size()) * (groups + 1);
    lab::Plot plot(chart_name(chart), std::max(width, 640), 460);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Boxes data = boxes_of(chart, shown, g);
      if (data.boxes.empty()) continue;
      const std::string number = std::to_string(g);
      // The second turn of the colours is filled.
      const std::string fill = g < lab::kColors.size() ? "empty" : "solid 0.4 border";
      plot.add("boxes" + number, data.boxes,
               "using 1:2:3:4:5 with candlesticks whiskerbars 0.5 fs " + fill + " lw 1.2 lc rgb " + lab::color(g) + " title " +
                   lab::quoted(groups_[g].name));
      plot.again("using 1:6:6:6:6 with candlesticks lw 2.5 lc rgb " + lab::color(g) + " notitle");
      plot.add("outside" + number, data.outside, "using 1:2 with points pt 3 ps 0.3 lc rgb " + lab::color(g) + " notitle");
    }
    std::string text =
        "set title " +
        lab::quoted(std::string(chart.large ? "Large" : "Small") + " instances" +
                    (chart.loaded_only ? " where more than the largest load decides" : "")) +
        "\nset ylabel " + lab::quoted(chart.loaded_only ? "cost over the best bound" : "cost over P4's bound") +
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
    add(kMediansTitle, medians(false));
    add(kLoadedMediansTitle, medians(true));
    if (page.links_charts()) {
      for (const lab::Chart& chart : charts()) page.chart(chart.file, chart.title);
    }
    add(kSharesTitle, shares());
    page.closing(lines);
  }

  const lab::BenchColocationCommand& command_;
  std::vector<Cell> cells_;
  std::vector<Group> groups_;
  std::vector<Contender> contenders_;
  std::vector<ClassResult> results_;
};

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.checked("class", run.of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("kinds", run.of.kinds).field("apps", run.of.apps).field("nodes", run.of.nodes).field("seed", run.seed);
  line.field("largest", run.largest).field("paper_bound", run.paper_bound).contender(run);
  line.field("cost", run.cost).field("bound", run.bound).defects(run).origin(run);
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
  for (const auto& [key, of_instance] : lab::by_instance(runs)) {
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

namespace {

struct Size {
  std::array<std::uint32_t, 3> apps;
  std::vector<std::uint32_t> nodes;
};

const Size& size_of(bool large) {
  static const Size kSmall = {{10, 20, 50}, {2, 3, 5, 10}};
  static const Size kLarge = {{200, 500, 1000}, {20, 50, 100}};
  return large ? kLarge : kSmall;
}

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

}  // namespace

std::string class_text(const Cell& of) {
  return of.word + ", " + counted(of.kinds, "kind") + ", " + counted(of.apps, "app") + ", " + counted(of.nodes, "node");
}

std::vector<Cell> cells_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& kinds,
                           const std::vector<std::string>& sizes) {
  std::vector<Cell> cells;
  for (const std::string& word : words) {
    for (const std::uint32_t count : kinds) {
      if (word == "mixed" && count < 3) continue;
      for (const std::string& size : sizes) {
        const Size& of = size_of(size == "large");
        for (const std::uint32_t apps : of.apps) {
          for (const std::uint32_t nodes : of.nodes) {
            const bool apart = word == "incompatible" || word == "clashing";
            if (!apart || nodes >= count) cells.push_back({word, count, apps, nodes});
          }
        }
      }
    }
  }
  return cells;
}

double largest_load(const InstanceData& data) { return *std::max_element(data.apps.demand.begin(), data.apps.demand.end()); }

double paper_bound(const Cell& cell, const InstanceData& data) {
  std::vector<double> load(cell.kinds, 0);
  for (std::size_t i = 0; i < data.apps.demand.size(); ++i) load[data.apps.kind[i]] += data.apps.demand[i];
  const double total = std::accumulate(load.begin(), load.end(), 0.0);
  const std::size_t half = (cell.kinds + 1) / 2;
  double average = total / cell.nodes;
  if (cell.word == "compatible") average = average_cost(*data.interference, load, 0, cell.kinds, cell.nodes);
  if (cell.word == "mixed") {
    average = std::max(average_cost(*data.interference, load, 0, half, cell.nodes),
                       average_cost(*data.interference, load, half, cell.kinds, cell.nodes));
  }
  return std::max(largest_load(data), average);
}

std::optional<double> published_median(const std::string& word, bool large, const std::string& planner) {
  const bool dedicated = planner.starts_with("greedy-dedicated");
  const auto of = [&](double of_small, double of_large) { return std::optional(large ? of_large : of_small); };
  if (word == "compatible" && planner == "sched-mixed") return of(1.06, 1.18);
  if (word == "compatible" && planner == "best-schedule") return of(1.01, 1.01);
  // P4 prints the same figure for both classes: dedicated nodes never see the coefficients.
  if ((word == "incompatible" || word == "clashing") && dedicated) return of(1.12, 1.02);
  if (word == "mixed" && planner == "greedy-dedicated-best") return of(1.46, 1.22);
  if (word == "mixed" && planner == "sched-mixed") return of(1.77, 1.91);
  return std::nullopt;
}

}  // namespace stowage::cli::colocation

namespace stowage::cli::lab {

int run_bench_colocation_command(const BenchColocationCommand& command, const Console& console) {
  return colocation::ColocationBench(command, console).run();
}

}  // namespace stowage::cli::lab
