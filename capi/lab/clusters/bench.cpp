#include "capi/lab/clusters/bench.h"

#include "capi/cli/generate/cluster/cluster.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/experiment/gnuplot.h"

namespace stowage::cli::clusters {
namespace {

using lab::Contender;
using lab::contender_text;
using lab::Grid;
using lab::Tally;

std::string percent(bool known, double share) { return known ? for_people(share * 100, 3) + " %" : "-"; }

cluster::Options options_of(const std::string& features) {
  cluster::Options options;
  cluster::add_features(features, "--features", options);
  return options;
}

class ClustersBench final : public lab::Bench<Run> {
 public:
  explicit ClustersBench(const Console& console)
      : Bench(console, {.name = "clusters",
                        .summary = "Plan generated clusters, feature by feature",
                        .help = R"(Examples:
  stowage-lab bench clusters --sizes 300 --features none,all --deadlines 100ms,1s --seeds 1
  stowage-lab bench clusters --output results --markdown page.md
  stowage-lab bench clusters --features limits+near,gather --planners auto,ff@1s

Plans clusters that stowage generate cluster makes: every list of features (its help names them;
"+" joins several) with every number of apps and every deadline. Gaps are to the plans' own bounds.)",
                        .seeds = 3}) {}

 private:
  void add_options(CLI::App* sub) override {
    list_option(sub, "--features", features_, "Features to measure; + joins several", "A,B+C", enumerated(features_, ", "));
    list_option(sub, "--sizes", sizes_, "Numbers of apps", "LIST", "300, 1000, 5000", whole_number(1, 10'000'000));
    list_option(sub, "--deadlines", deadlines_, "Deadlines of each planner", "LIST", "100ms, 1s, 10s");
    list_option(sub, "--planners", command_.planners, "Planners to compare; NAME@10s has only that deadline", "A,B@10s",
                "auto");
  }

  void prepare() override {
    features_ = lab::distinct(features_);
    sizes_ = lab::distinct(sizes_);
    for (const std::string& words : features_) options_of(words);
    if (command_.planners.empty()) command_.planners = {"auto"};
    std::vector<std::string> labels;
    for (const std::string& planner : command_.planners) {
      if (lab::parse_contender(planner).deadline_ms > 0) {
        labels.push_back(planner);
        continue;
      }
      for (const std::string& deadline : deadlines_) labels.emplace_back(planner).append("@").append(deadline);
    }
    contenders_ = known_contenders(labels);
  }

  /// Small clusters first, all features of a size before the next, seed by seed.
  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (const std::uint32_t apps : sizes_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) {
        for (const std::string& features : features_) all.push_back({{features, apps}, seed, contenders_});
      }
    }
    return all;
  }

  [[nodiscard]] InstanceData make(const Class& of, std::uint64_t seed) const override {
    cluster::Options options = options_of(of.features);
    options.apps = of.apps;
    options.seed = seed;
    return cluster::generate(options);
  }

  void note_plan(const Workload&, const wire::Plan& plan, Run& run) override {
    run.priced = plan.cost() >= 0;
    run.value = run.priced ? plan.cost() : static_cast<double>(run.nodes);
    run.bound = lab::bound_of(run.priced ? plan.cost_bound() : plan.node_bound());
    run.rule_violations = plan.rule_violations();
  }

  void sum_up(const std::vector<Run>& asked) override { tallies_ = lab::tallied(asked); }

  /// Calls show(features, contender, tally) for everything of a size.
  template <class Show>
  void for_each(std::uint32_t apps, Show&& show) const {
    for (const std::string& features : features_) {
      for (const Contender& one : contenders_) show(features, one, tallies_.of({features, apps}, one.label));
    }
  }

  /// Mean gaps: a row per features, a column per contender.
  [[nodiscard]] Grid gaps_of(std::uint32_t apps) const {
    Grid grid = {{"features"}};
    for (const Contender& one : contenders_) grid[0].push_back(contender_text(one.label));
    for_each(apps, [&](const std::string& features, const Contender& one, const Tally& tally) {
      if (one == contenders_.front()) grid.push_back({features});
      grid.back().push_back(percent(tally.has("gap"), tally.mean("gap")));
    });
    return grid;
  }

  /// Everything: a row per features and contender.
  [[nodiscard]] Grid details_of(std::uint32_t apps) const {
    Grid grid = {{"features", "planner", "runs", "cost", "bound", "gap", "worst gap", "soft violations", "left out", "time"}};
    for_each(apps, [&](const std::string& features, const Contender& one, const Tally& tally) {
      if (!tally.has("runs")) return;
      const bool priced = tally.has("priced");
      const bool bounded = tally.has("gap");
      const auto amount = [&](const char* name) {
        return for_people(tally.mean(name), priced ? 3 : 1) + (priced ? "" : " nodes");
      };
      grid.push_back({features, contender_text(one.label), for_people(tally.sum("runs")), amount("value"),
                      bounded ? amount("bound") : "-", percent(bounded, tally.mean("gap")), percent(bounded, tally.most("gap")),
                      for_people(tally.mean("rule_violations"), 1), for_people(tally.mean("unplaced"), 1),
                      duration_text(tally.mean("seconds"))});
    });
    return grid;
  }

  void add_figures(lab::Figures& figures) const override {
    for (const std::uint32_t apps : sizes_) {
      for_each(apps, [&](const std::string& features, const Contender& one, const Tally& tally) {
        figures.record().text("features", features).whole("apps", apps).text("planner", one.label).counts(tally, {"runs"});
        figures.text("objective", tally.has("priced") ? "cost" : "nodes").means(tally, {"value", "bound", "gap"});
        figures.number("worst_gap", tally.most("gap"), tally.has("gap"));
        figures.number("rule_violations", tally.mean("rule_violations")).number("unplaced", tally.mean("unplaced"));
        figures.seconds("seconds", tally.mean("seconds"));
      });
    }
  }

  /// A row per features, a colour per contender; nothing where no gap is known.
  [[nodiscard]] std::vector<lab::Chart> charts_of(std::uint32_t apps) const {
    bool any = false;
    for_each(apps, [&](const auto&, const auto&, const Tally& tally) { any |= tally.has("gap"); });
    if (!any) return {};
    const auto rows = static_cast<int>(features_.size());
    const std::string file = "clusters-" + std::to_string(apps);
    lab::Plot plot(file, 900, 120 + 34 * rows);
    for (std::size_t c = 0; c < contenders_.size(); ++c) {
      std::string points;
      for (std::size_t f = 0; f < features_.size(); ++f) {
        const Tally& tally = tallies_.of({features_[f], apps}, contenders_[c].label);
        points += lab::row_of({lab::or_missing(tally.has("gap"), tally.mean("gap") * 100), static_cast<double>(f)});
      }
      plot.add("contender" + std::to_string(c), points,
               "using 1:2 with points pt 7 ps 0.9" + lab::colored(c + 1, contender_text(contenders_[c].label)));
    }
    return {{file, "gaps by feature",
             plot.script("set title " +
                         lab::quoted("Clusters of " + counted(apps, "app") + ": how far plans are above their bounds") +
                         "\nset xlabel 'above the bound, %'\nset xrange [0:*]\nset yrange [" + std::to_string(rows) +
                         "-0.5:-0.5]\nset key outside right top\nset ytics (" + lab::tics(features_) + ")\n")}};
  }

  void show(lab::Page& page) const override {
    const std::string note =
        counted(command_.seeds, "cluster") +
        " per row; means. A gap is how far a plan with everything placed is above its own bound on cost (on nodes, where there "
        "are no prices); times are of the planner alone, on one thread";
    page.markdown(note + ".\n");
    for (const std::uint32_t apps : sizes_) {
      page.title(counted(apps, "app")).markdown("\nGaps:\n\n" + lab::markdown_grid(gaps_of(apps))).link(charts_of(apps));
      page.markdown("\nIn detail:\n\n").grid(details_of(apps)).terminal("\n");
    }
    page.closing({note});
  }

  std::vector<std::string> features_ = {"none",        "limits",     "selectors",  "spread-hard",
                                        "spread-soft", "soft-apart", "all",        "continuous",
                                        "periods",     "uncertain",  "exclusions", "periods+uncertain+exclusions",
                                        "one-class"};
  std::vector<std::uint32_t> sizes_ = {300, 1000, 5000};
  std::vector<std::string> deadlines_ = {"100ms", "1s", "10s"};  ///< as labels of contenders have them
  std::vector<Contender> contenders_;
  lab::Tallies<Class> tallies_;
};

}  // namespace

void Run::fields(lab::RunLine& line) {
  line.checked("features", of.features, options_of);
  line.field("apps", of.apps).field("seed", seed).contender(*this);
  line.word(
      "objective", priced, [](bool is_priced) { return is_priced ? "cost" : "nodes"; },
      [](const std::string& word) { return word == "cost" || word == "nodes" ? std::optional(word == "cost") : std::nullopt; });
  line.field("value", value).field("bound", bound).field("nodes", nodes).defects(*this);
  line.field("rule_violations", rule_violations).origin(*this);
}

std::string class_text(const Class& of) { return counted(of.apps, "app") + ", " + of.features; }

std::optional<double> Run::gap() const {
  if (!counts() || !bound || *bound <= 0) return std::nullopt;
  return value / *bound - 1;
}

void Run::add_to(lab::Tally& tally) const {
  if (!accepted()) return;
  tally.add("runs").add("value", value).add("unplaced", unplaced).add("rule_violations", rule_violations);
  tally.add("seconds", seconds).add("gap", gap());
  if (gap()) tally.add("bound", *bound);
  if (priced) tally.add("priced");
}

}  // namespace stowage::cli::clusters

void stowage::cli::lab::add_bench_clusters(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<clusters::ClustersBench>(line.console()));
}
