#include "capi/lab/clusters/bench.h"

#include <algorithm>

#include "capi/cli/generate/cluster/cluster.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/gnuplot.h"

namespace stowage::cli::clusters {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;

std::string percent(bool known, double share) { return known ? for_people(share * 100, 3) + " %" : "-"; }

std::string chart_name_of(std::uint32_t apps) { return "clusters-" + std::to_string(apps); }

class ClustersBench final : public lab::Bench<Run> {
 public:
  ClustersBench(const lab::BenchClustersCommand& command, const Console& console)
      : Bench(command, console, "clusters"), command_(command) {}

 private:
  void prepare() override {
    features_ = lab::distinct(command_.features.empty() ? default_features() : command_.features);
    sizes_ = lab::distinct(command_.sizes.empty() ? default_sizes() : command_.sizes);
    for (const std::string& words : features_) options_of({words, 0}, 0);
    const std::vector<std::string>& deadlines = command_.deadlines.empty() ? default_deadlines() : command_.deadlines;
    std::vector<std::string> labels;
    for (const std::string& planner : command_.planners.empty() ? std::vector<std::string>{"auto"} : command_.planners) {
      if (lab::parse_contender(planner).deadline_ms > 0) {
        labels.push_back(planner);
        continue;
      }
      for (const std::string& deadline : deadlines) labels.emplace_back(planner).append("@").append(deadline);
    }
    contenders_ = known_contenders(labels);
  }

  static cluster::Options options_of(const Class& of, std::uint64_t seed) {
    cluster::Options options;
    cluster::add_features(of.features, "--features", options);
    options.apps = of.apps;
    options.seed = seed;
    return options;
  }

  /// Small clusters first, all features of a size before the next, seed by seed.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (const std::uint32_t apps : sizes_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        for (const std::string& features : features_) all.push_back({{features, apps}, seed, contenders_, {}});
      }
    }
    return all;
  }

  void measure(const Job& job) override {
    const Workload workload = lab::loaded(cluster::generate(options_of(job.of, job.seed)), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      plan_and_keep(workload, contender, blank(job.of, job.seed, contender), runs_, [](const wire::Plan& plan, Run& run) {
        run.priced = plan.cost() >= 0;
        run.value = run.priced ? plan.cost() : static_cast<double>(run.nodes);
        run.bound = lab::bound_of(run.priced ? plan.cost_bound() : plan.node_bound());
        run.rule_violations = plan.rule_violations();
      });
    }
  }

  void sum_up(const std::vector<Run>& asked) override { means_ = means_of(asked); }

  /// Calls show(features, contender, mean) for everything of a size.
  template <class Show>
  void for_each(std::uint32_t apps, Show&& show) const {
    for (const std::string& features : features_) {
      for (const Contender& one : contenders_) show(features, one, means_.of({features, apps}, one.label));
    }
  }

  /// Mean gaps: a row per features, a column per contender.
  [[nodiscard]] Grid gaps_of(std::uint32_t apps) const {
    Grid grid = {{"features"}};
    for (const Contender& one : contenders_) grid[0].push_back(contender_text(one.label));
    for_each(apps, [&](const std::string& features, const Contender& one, const Mean& mean) {
      if (one == contenders_.front()) grid.push_back({features});
      grid.back().push_back(percent(mean.bounded > 0, mean.gap));
    });
    return grid;
  }

  /// Everything: a row per features and contender.
  [[nodiscard]] Grid details_of(std::uint32_t apps) const {
    Grid grid = {{"features", "planner", "runs", "cost", "bound", "gap", "worst gap", "soft violations", "left out", "time"}};
    for_each(apps, [&](const std::string& features, const Contender& one, const Mean& mean) {
      if (mean.runs == 0) return;
      const bool bounded = mean.bounded > 0;
      const int digits = mean.priced ? 3 : 1;
      const std::string unit = mean.priced ? "" : " nodes";
      grid.push_back({features, contender_text(one.label), for_people(mean.runs), for_people(mean.value, digits) + unit,
                      bounded ? for_people(mean.bound, digits) + unit : "-", percent(bounded, mean.gap),
                      percent(bounded, mean.worst_gap), for_people(mean.rule_violations, 1), for_people(mean.unplaced, 1),
                      duration_text(mean.seconds)});
    });
    return grid;
  }

  void add_figures(lab::Figures& figures) const override {
    for (const std::uint32_t apps : sizes_) {
      for_each(apps, [&](const std::string& features, const Contender& one, const Mean& mean) {
        const bool bounded = mean.bounded > 0;
        figures.record().text("features", features).whole("apps", apps);
        figures.text("planner", one.label).whole("runs", mean.runs);
        figures.text("objective", mean.priced ? "cost" : "nodes").number("value", mean.value, mean.runs > 0);
        figures.number("bound", mean.bound, bounded).number("gap", mean.gap, bounded);
        figures.number("worst_gap", mean.worst_gap, bounded).number("rule_violations", mean.rule_violations);
        figures.number("unplaced", mean.unplaced).seconds("seconds", mean.seconds);
      });
    }
  }

  [[nodiscard]] bool is_charted(std::uint32_t apps) const {
    bool any = false;
    for_each(apps, [&](const auto&, const auto&, const Mean& mean) { any |= mean.bounded > 0; });
    return any;
  }

  [[nodiscard]] std::vector<lab::Chart> charts() const override {
    std::vector<lab::Chart> all;
    for (const std::uint32_t apps : sizes_) {
      if (is_charted(apps)) all.push_back({chart_name_of(apps), "gaps by feature", script_of(apps)});
    }
    return all;
  }

  /// A row per features, a colour per contender.
  [[nodiscard]] std::string script_of(std::uint32_t apps) const {
    const auto rows = static_cast<int>(features_.size());
    lab::Plot plot(chart_name_of(apps), 900, 120 + 34 * rows);
    for (std::size_t c = 0; c < contenders_.size(); ++c) {
      std::string points;
      for (int f = 0; f < rows; ++f) {
        const Mean& mean = means_.of({features_[static_cast<std::size_t>(f)], apps}, contenders_[c].label);
        points += lab::value_text(mean.bounded > 0, mean.gap * 100) + " " + std::to_string(f) + "\n";
      }
      plot.add("contender" + std::to_string(c), points,
               "using 1:2 with points pt 7 ps 0.9 lc rgb " + lab::color(c + 1) + " title " +
                   lab::quoted(contender_text(contenders_[c].label)));
    }
    return plot.script("set title " +
                       lab::quoted("Clusters of " + counted(apps, "app") + ": how far plans are above their bounds") +
                       "\nset xlabel 'above the bound, %'\nset xrange [0:*]\nset yrange [" + std::to_string(rows) +
                       "-0.5:-0.5]\nset key outside right top\nset ytics (" + lab::tics(features_) + ")\n");
  }

  void show(lab::Page& page) const override {
    const std::string note =
        counted(command_.seeds, "cluster") +
        " per row; means. A gap is how far a plan with everything placed is above its own bound on cost (on nodes, where there "
        "are no prices); times are of the planner alone, on one thread";
    page.markdown(note + ".\n");
    for (const std::uint32_t apps : sizes_) {
      page.title(counted(apps, "app")).markdown("\nGaps:\n\n" + lab::markdown_grid(gaps_of(apps)));
      if (is_charted(apps)) page.chart(chart_name_of(apps), "gaps by feature");
      page.markdown("\nIn detail:\n\n").grid(details_of(apps)).terminal("\n");
    }
    page.closing({note});
  }

  const lab::BenchClustersCommand& command_;
  std::vector<std::string> features_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Contender> contenders_;
  lab::Means<Class, Mean> means_;
};

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.checked("features", run.of.features, [](const std::string& features) {
    cluster::Options options;
    cluster::add_features(features, "features", options);
  });
  line.field("apps", run.of.apps).field("seed", run.seed).contender(run);
  std::string objective = run.priced ? "cost" : "nodes";
  line.field("objective", objective).refuse_if(objective != "cost" && objective != "nodes");
  run.priced = objective == "cost";
  line.field("value", run.value).field("bound", run.bound).field("nodes", run.nodes).defects(run);
  line.field("rule_violations", run.rule_violations).origin(run);
}

std::string class_text(const Class& of) { return counted(of.apps, "app") + ", " + of.features; }

const std::vector<std::string>& default_features() {
  static const std::vector<std::string> kFeatures = {"none",        "limits",     "selectors",  "spread-hard",
                                                     "spread-soft", "soft-apart", "all",        "continuous",
                                                     "periods",     "uncertain",  "exclusions", "periods+uncertain+exclusions",
                                                     "one-class"};
  return kFeatures;
}

const std::vector<std::uint32_t>& default_sizes() {
  static const std::vector<std::uint32_t> kSizes = {300, 1000, 5000};
  return kSizes;
}

const std::vector<std::string>& default_deadlines() {
  static const std::vector<std::string> kDeadlines = {"100ms", "1s", "10s"};
  return kDeadlines;
}

std::optional<double> Run::gap() const {
  if (!counts() || !bound || *bound <= 0) return std::nullopt;
  return value / *bound - 1;
}

lab::Means<Class, Mean> means_of(const std::vector<Run>& runs) {
  lab::Means<Class, Mean> means;
  for (const Run& run : runs) {
    if (run.status == Run::kRefused || run.violations > 0) continue;
    Mean& mean = means.add(run.of, run.label);
    ++mean.runs;
    mean.priced = run.priced;
    mean.value += run.value;
    mean.rule_violations += static_cast<double>(run.rule_violations);
    mean.unplaced += static_cast<double>(run.unplaced);
    mean.seconds += run.seconds;
    const std::optional<double> gap = run.gap();
    if (!gap) continue;
    ++mean.bounded;
    mean.bound += *run.bound;
    mean.gap += *gap;
    mean.worst_gap = std::max(mean.worst_gap, *gap);
  }
  means.finish([](Mean& mean) {
    lab::divide({&mean.value, &mean.rule_violations, &mean.unplaced, &mean.seconds}, mean.runs);
    lab::divide({&mean.bound, &mean.gap}, mean.bounded);
  });
  return means;
}

}  // namespace stowage::cli::clusters

namespace stowage::cli::lab {

int run_bench_clusters_command(const BenchClustersCommand& command, const Console& console) {
  return clusters::ClustersBench(command, console).run();
}

}  // namespace stowage::cli::lab
