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

constexpr const char* kChart = "packing-proven";

const std::vector<std::uint32_t>& published_items(const std::string& word) {
  static const std::vector<std::uint32_t> kUniform = {120, 250, 500};
  static const std::vector<std::uint32_t> kTriplets = {60, 120, 249};
  static const std::vector<std::uint32_t> kVectors = {60, 120, 249, 500};
  return word == "u" ? kUniform : word == "t" ? kTriplets : kVectors;
}

/// Planners that take apps or nodes one after the other, one or two of each kind. The best of their plans is one line.
const std::vector<std::string>& list_planners() {
  static const std::vector<std::string> kPlanners = split_fields(
      "ffd-max,ffd-surrogate,bfd-avg,bfd-max,bfd-avgexp,bfd-extsum,wfd-avgexp,ncd-dotproduct,ncd-l2norm,ncd-fitness,"
      "ncd-tightfill,spread-wfd-avg-binsearch,spread-wfd-max-binsearch,match-dotproduct-binsearch,match-l2norm-binsearch,"
      "match-fitness-binsearch,match-tightfill-binsearch",
      ',');
  return kPlanners;
}

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

class PackingBench final : public lab::Bench<Run> {
 public:
  PackingBench(const lab::BenchPackingCommand& command, const Console& console)
      : Bench(command, console, "packing"), command_(command) {}

 private:
  void prepare() override {
    const std::vector<std::string> words = lab::distinct(command_.classes.empty() ? class_words() : command_.classes);
    for (const std::string& word : words) check_class(word, "--classes");
    classes_ = classes_of(words, lab::distinct(command_.dims), lab::distinct(command_.items));
    if (classes_.empty()) throw Failure("--items: class t has a multiple of 3");
    groups_ = groups_or({{"auto", {"auto"}}, {"csp-mac", {"csp-mac"}}, {"best list planner", list_planners()}}, contenders_);
  }

  [[nodiscard]] std::vector<Job> jobs() const override {
    std::vector<Job> all;
    for (const Class& of : classes_) {
      for (std::uint64_t seed = 1; seed <= command_.seeds; ++seed) all.push_back({of, seed, contenders_, {}});
    }
    return all;
  }

  [[nodiscard]] Run blank(const Class& of, std::uint64_t seed, const Contender& contender) const override {
    Run run = Bench::blank(of, seed, contender);
    run.merged = command_.merge;
    return run;
  }

  void measure(const Job& job) override {
    const Options options{job.of.word, job.of.items, job.of.dims, command_.merge, job.seed};
    const Workload workload = lab::loaded(generate(options), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      plan_and_keep(workload, contender, blank(job.of, job.seed, contender), runs_,
                    [](const wire::Plan& plan, Run& run) { run.bound = lab::bound_of(plan.node_bound()); });
    }
  }

  void sum_up(const std::vector<Run>& asked) override {
    results_ = packing::sum_up(classes_, groups_, asked);
    families_ = families_of(results_, groups_.size());
  }

  /// Shares of proven plans and of plans that no other group undercuts.
  [[nodiscard]] Grid summary() const {
    Grid grid = {{"classes"}};
    for (const Group& group : groups_) grid[0].push_back(group.name + ": proven");
    for (const Group& group : groups_) grid[0].push_back(group.name + ": fewest nodes");
    for (const FamilyResult& family : families_) {
      std::vector<std::string>& row = grid.emplace_back(1, family_text(family.of));
      for (const Mean& sum : family.sums) row.push_back(share_text(sum.proven, family.instances));
      for (const Mean& sum : family.sums) row.push_back(share_text(sum.fewest, family.instances));
    }
    return grid;
  }

  [[nodiscard]] Grid details() const {
    Grid grid = {{"class", "dims", "items", "instances", "bound"}};
    for (const Group& group : groups_) {
      for (const char* word : {"nodes", "proven", "time"}) grid[0].push_back(group.name + ": " + word);
    }
    for (const ClassResult& result : results_) {
      if (result.instances == 0) continue;
      grid.push_back({result.of.word, std::to_string(result.of.dims), std::to_string(result.of.items),
                      std::to_string(result.instances), for_people(result.bound, 1)});
      for (const Mean& mean : result.means) {
        grid.back().push_back(mean.runs == 0 ? "-" : for_people(mean.nodes, 1));
        grid.back().push_back(mean.runs == 0 ? "-" : std::to_string(mean.proven));
        grid.back().push_back(mean.runs == 0 ? "-" : duration_text(mean.seconds));
      }
    }
    return grid;
  }

  /// Bars of proven shares: a cluster per family, a colour per group.
  [[nodiscard]] std::vector<lab::Chart> charts() const override {
    if (families_.empty()) return {};
    std::string text = lab::script_head(kChart, 320 + 44 * static_cast<int>(families_.size()), 420) + "$proven << EOD\n";
    for (const FamilyResult& family : families_) {
      text += "\"" + family_text(family.of) + "\"";
      for (const Mean& sum : family.sums) text += " " + shortest(100.0 * sum.proven / family.instances);
      text += "\n";
    }
    text +=
        "EOD\nset title 'Packing classes: proven optimal'\nset ylabel 'instances, %'\nset yrange [0:100]\nset style data "
        "histograms\nset style histogram clustered gap 1\nset style fill solid\nset xtics rotate by -45\nset key outside right "
        "top\n";
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      text += (g == 0 ? "plot $proven using " : ", $proven using ") + std::to_string(g + 2) + (g == 0 ? ":xtic(1)" : "") +
              " lc rgb " + lab::color(g + 1) + " title " + lab::quoted(groups_[g].name);
    }
    return {{kChart, "proven optimal", text + "\n"}};
  }

  void add_figures(lab::Figures& figures) const override {
    for (const ClassResult& result : results_) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Mean& mean = result.means[g];
        figures.record().text("class", result.of.word).whole("dims", result.of.dims).whole("items", result.of.items);
        figures.whole("instances", result.instances).number("bound", result.bound).text("planner", groups_[g].name);
        figures.whole("runs", mean.runs).whole("proven", mean.proven).whole("fewest", mean.fewest);
        figures.number("nodes", mean.nodes, mean.runs > 0).seconds("seconds", mean.seconds, mean.runs > 0);
      }
    }
  }

  void show(lab::Page& page) const override {
    const std::vector<std::string> lines =
        notes("class", "means, the bound being the best that any run proved; ", "plan with fewest nodes", groups_);
    page.opening(lines).markdown("\n### Proven optimal\n\n" + lab::markdown_grid(summary()));
    if (!families_.empty()) page.chart(kChart, "proven optimal");
    page.markdown("\n### By class\n\n").grid(details()).terminal("\n");
    if (!page.is_markdown()) page.grid(summary()).terminal("\n");
    page.closing(lines);
  }

  const lab::BenchPackingCommand& command_;
  std::vector<Class> classes_;
  std::vector<Group> groups_;
  std::vector<Contender> contenders_;
  std::vector<ClassResult> results_;
  std::vector<FamilyResult> families_;
};

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.checked("class", run.of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("dims", run.of.dims).field("items", run.of.items).field("merged", run.merged).field("seed", run.seed);
  line.contender(run).field("nodes", run.nodes).field("bound", run.bound).defects(run).origin(run);
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
  std::map<Class, ClassResult> results;
  for (const auto& [key, of_instance] : lab::by_instance(runs)) {
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
      const Run* best = lab::best_of(groups[g], of_instance, [](const Run& run) { return std::pair(run.nodes, run.seconds); });
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
    ClassResult& result = all.emplace_back(results[of]);
    result.of = of;
    result.means.resize(groups.size());
    lab::divide({&result.bound}, result.instances);
    for (Mean& mean : result.means) lab::divide({&mean.nodes, &mean.seconds}, mean.runs);
  }
  return all;
}

}  // namespace stowage::cli::packing

namespace stowage::cli::lab {

int run_bench_packing_command(const BenchPackingCommand& command, const Console& console) {
  return packing::PackingBench(command, console).run();
}

}  // namespace stowage::cli::lab
