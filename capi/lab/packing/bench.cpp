#include "capi/lab/packing/bench.h"

#include <algorithm>

#include "capi/cli/generate/packing.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::packing {
namespace {

using lab::Contender;
using lab::Grid;
using lab::Group;
using lab::Tally;

const std::vector<std::uint32_t>& published_items(const std::string& word) {
  static const std::vector<std::uint32_t> kUniform = {120, 250, 500};
  static const std::vector<std::uint32_t> kTriplets = {60, 120, 249};
  static const std::vector<std::uint32_t> kVectors = {60, 120, 249, 500};
  return word == "u" ? kUniform : word == "t" ? kTriplets : kVectors;
}

/// Planners that take apps or nodes one after the other, one or two of each kind. The best of their plans is one line.
constexpr const char* kListPlanners =
    "ffd-max,ffd-surrogate,bfd-avg,bfd-max,bfd-avgexp,bfd-extsum,wfd-avgexp,ncd-dotproduct,ncd-l2norm,ncd-fitness,"
    "ncd-tightfill,spread-wfd-avg-binsearch,spread-wfd-max-binsearch,match-dotproduct-binsearch,match-l2norm-binsearch,"
    "match-fitness-binsearch,match-tightfill-binsearch";

/// Instances of several classes: one of Falkenauer's, or Caprara and Toth's ten classes of one size together.
std::string family_of(const Class& of) {
  if (!of.word.starts_with("ct")) return of.word + std::to_string(of.items);
  return "ct, " + std::to_string(of.dims) + "-D, " + std::to_string(of.items);
}

struct Family {
  std::string name;
  std::uint64_t instances = 0;
  std::vector<std::uint64_t> proven;  ///< by group
  std::vector<std::uint64_t> fewest;
};

std::vector<Family> families_of(const std::vector<ClassResult>& results) {
  std::vector<Family> all;
  for (const ClassResult& result : results) {
    if (!result.all.has("instances")) continue;
    const std::string name = family_of(result.of);
    auto found = std::find_if(all.begin(), all.end(), [&](const Family& one) { return one.name == name; });
    const std::vector<std::uint64_t> none(result.groups.size(), 0);
    if (found == all.end()) found = all.insert(all.end(), {name, 0, none, none});
    found->instances += result.all.count("instances");
    for (std::size_t g = 0; g < none.size(); ++g) {
      found->proven[g] += result.groups[g].count("proven");
      found->fewest[g] += result.groups[g].count("fewest");
    }
  }
  return all;
}

class PackingBench final : public lab::Bench<Run> {
 public:
  explicit PackingBench(const Console& console)
      : Bench(console, {.name = "packing",
                        .summary = "Plan published classes of packing instances",
                        .help = R"(Examples:
  stowage-lab bench packing --classes t,u --seeds 1
  stowage-lab bench packing --classes ct6,ct9 --items 60,120 --dims 2 --deadline 1s
  stowage-lab bench packing --output results --markdown page.md

Classes: u and t by Falkenauer (120, 250, 500 and 60, 120, 249 items), ct1 to ct10 by Caprara and
Toth (60, 120, 249, 500 items). docs/reference/generate.md defines them. auto and csp-mac are
compared with the best plan of many list planners.)",
                        .seeds = 3,
                        .deadline_ms = 5'000}) {}

 private:
  void add_options(CLI::App* sub) override {
    list_option(sub, "--classes", words_, "Classes of instances", "LIST", "all");
    list_option(sub, "--items", items_, "Numbers of items", "LIST", "those of each class", whole_number(1, 1'000'000));
    list_option(sub, "--dims", dims_, "Numbers of dimensions of ct1 to ct10", "LIST", "2,10", whole_number(1, kMostDims));
    sub->add_flag("--merge", merge_, "Equal items are replicas of one app");
    list_option(sub, "--planners", command_.planners, "Planners to compare; NAME@10s sets a planner's deadline", "A,B@10s",
                "auto, csp-mac and the best list planner");
  }

  void prepare() override {
    for (const std::string& word : words_) check_class(word, "--classes");
    classes_ = classes_of(lab::distinct(words_), lab::distinct(dims_), lab::distinct(items_));
    if (classes_.empty()) throw Failure("--items: class t has a multiple of 3");
    groups_ = groups_or({{"auto", {"auto"}}, {"csp-mac", {"csp-mac"}}, {"best list planner", split_fields(kListPlanners, ',')}},
                        contenders_);
  }

  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (const Class& of : classes_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) all.push_back({of, seed, contenders_});
    }
    return all;
  }

  [[nodiscard]] InstanceData make(const Class& of, std::uint64_t seed) const override {
    return generate({of.word, of.items, of.dims, merge_, seed});
  }
  void note_command(Run& run) const override { run.merged = merge_; }
  void note_plan(const Workload&, const wire::Plan& plan, Run& run) override { run.bound = lab::bound_of(plan.node_bound()); }

  void sum_up(const std::vector<Run>& asked) override {
    results_ = packing::sum_up(classes_, groups_, asked);
    families_ = families_of(results_);
  }

  /// Shares of proven plans and of plans that no other group undercuts.
  [[nodiscard]] Grid summary() const {
    Grid grid = {{"classes"}};
    for (const Family& family : families_) grid.push_back({family.name});
    const auto add = [&](const char* what, std::vector<std::uint64_t> Family::*part) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        grid[0].push_back(groups_[g].name + what);
        for (std::size_t f = 0; f < families_.size(); ++f) {
          const std::uint64_t count = (families_[f].*part)[g];
          const std::uint64_t all = families_[f].instances;
          grid[f + 1].push_back(std::to_string(count) + " of " + std::to_string(all) + " (" +
                                for_people(100.0 * count / all, 0) + " %)");
        }
      }
    };
    add(": proven", &Family::proven);
    add(": fewest nodes", &Family::fewest);
    return grid;
  }

  [[nodiscard]] Grid details() const {
    Grid grid = {{"class", "dims", "items", "instances", "bound"}};
    for (const Group& group : groups_) {
      for (const char* word : {"nodes", "proven", "time"}) grid[0].push_back(group.name + ": " + word);
    }
    for (const auto& [of, all, groups] : results_) {
      if (!all.has("instances")) continue;
      grid.push_back({of.word, std::to_string(of.dims), std::to_string(of.items), std::to_string(all.count("instances")),
                      for_people(all.mean("bound"), 1)});
      for (const Tally& tally : groups) {
        const bool known = tally.has("runs");
        grid.back().push_back(known ? for_people(tally.mean("nodes"), 1) : "-");
        grid.back().push_back(known ? std::to_string(tally.count("proven")) : "-");
        grid.back().push_back(known ? duration_text(tally.mean("seconds")) : "-");
      }
    }
    return grid;
  }

  /// Bars of proven shares: a cluster per family, a colour per group.
  [[nodiscard]] std::vector<lab::Chart> charts() const {
    if (families_.empty()) return {};
    constexpr const char* kChart = "packing-proven";
    std::string rows;
    for (const Family& family : families_) {
      std::vector<double> shares;
      for (const std::uint64_t proven : family.proven) shares.push_back(100.0 * proven / family.instances);
      rows += "\"" + family.name + "\" " + lab::row_of(shares);
    }
    lab::Plot plot(kChart, 320 + 44 * static_cast<int>(families_.size()), 420);
    plot.add("proven", rows, "using 2:xtic(1)" + lab::colored(1, groups_[0].name));
    for (std::size_t g = 1; g < groups_.size(); ++g) {
      plot.again("using " + std::to_string(g + 2) + lab::colored(g + 1, groups_[g].name));
    }
    return {{kChart, "proven optimal",
             plot.script("set title 'Packing classes: proven optimal'\nset ylabel 'instances, %'\nset yrange [0:100]\n"
                         "set style data histograms\nset style histogram clustered gap 1\nset style fill solid\n"
                         "set xtics rotate by -45\nset key outside right top\n")}};
  }

  void add_figures(lab::Figures& figures) const override {
    for (const auto& [of, all, groups] : results_) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        figures.record().text("class", of.word).whole("dims", of.dims).whole("items", of.items).counts(all, {"instances"});
        figures.number("bound", all.mean("bound")).text("planner", groups_[g].name);
        figures.counts(groups[g], {"runs", "proven", "fewest"}).means(groups[g], {"nodes"});
        figures.seconds("seconds", groups[g].mean("seconds"), groups[g].has("runs"));
      }
    }
  }

  void show(lab::Page& page) const override {
    const std::vector<std::string> lines =
        notes("class", "means, the bound being the best that any run proved; ", "plan with fewest nodes", groups_);
    page.opening(lines).markdown("\n### Proven optimal\n\n" + lab::markdown_grid(summary())).link(charts());
    page.markdown("\n### By class\n\n").grid(details()).terminal("\n");
    if (!page.is_markdown()) page.grid(summary()).terminal("\n");
    page.closing(lines);
  }

  std::vector<std::string> words_ = class_words();
  std::vector<std::uint32_t> items_;           ///< empty: as published
  std::vector<std::uint32_t> dims_ = {2, 10};  ///< of Caprara and Toth's classes
  bool merge_ = false;
  std::vector<Class> classes_;
  std::vector<Group> groups_;
  std::vector<Contender> contenders_;
  std::vector<ClassResult> results_;
  std::vector<Family> families_;
};

}  // namespace

void Run::fields(lab::RunLine& line) {
  line.checked("class", of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("dims", of.dims).field("items", of.items).field("merged", merged).field("seed", seed).contender(*this);
  line.field("nodes", nodes).field("bound", bound).defects(*this).origin(*this);
}

std::string class_text(const Class& of) {
  return of.word + ", " + counted(of.dims, "dimension") + ", " + counted(of.items, "item");
}

std::vector<Class> classes_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& dims,
                              const std::vector<std::uint32_t>& items) {
  std::vector<Class> all;
  for (const std::string& word : words) {
    const bool vectors = word.starts_with("ct");
    for (const std::uint32_t one : vectors ? dims : std::vector<std::uint32_t>{usual_dims(word)}) {
      for (const std::uint32_t count : items.empty() ? published_items(word) : items) {
        if (word != "t" || count % 3 == 0) all.push_back({word, one, count});
      }
    }
  }
  return all;
}

std::vector<ClassResult> sum_up(const std::vector<Class>& classes, const std::vector<Group>& groups,
                                const std::vector<Run>& runs) {
  auto instances = lab::by_instance(runs);
  std::vector<ClassResult> all;
  for (const Class& of : classes) {
    ClassResult& result = all.emplace_back(ClassResult{of, {}, std::vector<Tally>(groups.size())});
    for (const auto& [seed, of_instance] : instances[of]) {
      double bound = 0;
      std::uint64_t fewest = of_instance.front()->nodes;
      for (const Run* run : of_instance) {
        bound = std::max(bound, run->bound.value_or(0));
        fewest = std::min(fewest, run->nodes);
      }
      result.all.add("instances").add("bound", bound);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const Run* best =
            lab::best_of(groups[g], of_instance, [](const Run& run) { return std::pair(run.nodes, run.seconds); });
        if (best == nullptr) continue;
        Tally& tally = result.groups[g].add("runs").add("nodes", best->nodes).add("seconds", best->seconds);
        if (best->proven()) tally.add("proven");
        if (best->nodes == fewest) tally.add("fewest");
      }
    }
  }
  return all;
}

}  // namespace stowage::cli::packing

void stowage::cli::lab::add_bench_packing(LabLine& line, CLI::App* parent) {
  add_experiment(line, parent, std::make_shared<packing::PackingBench>(line.console()));
}
