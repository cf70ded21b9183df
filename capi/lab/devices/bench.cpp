// Parts of GPUs: planned as devices, as sums and rounded, and placed task by task.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "capi/cli/library/library.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"

namespace stowage::cli::lab {
namespace {

/// Amounts of a GPU are in thousandths.
constexpr std::uint32_t kGpu = 1000;

struct Shape {
  std::uint32_t cores = 0;
  std::uint32_t gpu = 0;  ///< less than kGpu, a multiple of it, or 0

  auto operator<=>(const Shape&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
};

struct NodeModel {
  std::uint32_t cores;
  std::uint32_t gpus;
  std::uint32_t count;
};

struct Trace {
  std::vector<NodeModel> models;
  std::vector<Shape> shapes;         ///< different ones
  std::vector<std::uint32_t> tasks;  ///< in the order in which they arrive: indices into shapes
  [[nodiscard]] std::uint64_t gpu_capacity() const {
    std::uint64_t sum = 0;
    for (const NodeModel& model : models) sum += std::uint64_t{model.gpus} * kGpu * model.count;
    return sum;
  }
};

constexpr std::array<std::uint32_t, 18> kParts = {460, 470, 320, 220, 810, 550, 110, 230, 650,
                                                  160, 440, 270, 590, 50,  900, 700, 380, 500};

Shape draw_shape(std::mt19937_64& engine) {
  const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(engine() % count); };
  const std::uint32_t kind = below(1000);
  if (kind < 133) return {4u << below(4), 0};
  if (kind < 511) {
    // The first sizes are drawn more often.
    const std::uint32_t part = std::min(below(kParts.size()), below(kParts.size()));
    return {2 * (1 + below(6)), kParts[part]};
  }
  if (kind < 991) return {4 * (1 + below(4)), kGpu};
  const std::uint32_t gpus = kind < 993 ? 2 : kind < 995 ? 4 : 8;
  return {gpus * (8 + 3 * below(2)), gpus * kGpu};
}

/// Nodes with 1, 2, 4 and 8 GPUs. Tasks by number, as Weng et al. publish them (Beware of Fragmentation, USENIX ATC '23, table
/// 1): 13.3 % without GPU, 37.8 % with a part, 48 % with one, .2, .2 and .5 % with 2, 4 and 8. Parts have the sizes that are
/// frequent in their trace, cores go with them. Tasks arrive until they ask for `load` times the GPUs.
Trace generate_trace(std::uint32_t nodes, double load, std::uint64_t seed) {
  Trace trace;
  trace.models = {{32, 1, nodes * 3 / 20}, {64, 2, nodes / 4}, {96, 4, nodes / 5}, {128, 8, 0}};
  trace.models[3].count = nodes - trace.models[0].count - trace.models[1].count - trace.models[2].count;
  std::erase_if(trace.models, [](const NodeModel& model) { return model.count == 0; });
  std::mt19937_64 random(seed);  // the same on every platform
  const double most = load * static_cast<double>(trace.gpu_capacity());
  std::vector<Shape> arrivals;
  for (std::uint64_t asked = 0;;) {
    arrivals.push_back(draw_shape(random));
    asked += arrivals.back().gpu;
    if (static_cast<double>(asked) >= most) break;
  }
  trace.shapes = arrivals;
  std::sort(trace.shapes.begin(), trace.shapes.end());
  trace.shapes.erase(std::unique(trace.shapes.begin(), trace.shapes.end()), trace.shapes.end());
  for (const Shape& shape : arrivals) {
    const auto at = std::lower_bound(trace.shapes.begin(), trace.shapes.end(), shape);
    trace.tasks.push_back(static_cast<std::uint32_t>(at - trace.shapes.begin()));
  }
  return trace;
}

enum class Rule : std::uint8_t {
  kBestFit,   ///< the node that the task leaves with the least free share of cores and GPUs, the fullest GPU with room
  kFragments  ///< the node and GPU where fragmentation grows least: Fragmentation Gradient Descent
};

struct OnlineOptions {
  Rule rule = Rule::kBestFit;
  bool decreasing = false;    ///< tasks by falling GPUs and cores instead of as they arrive
  std::uint32_t quantum = 1;  ///< parts of a GPU are rounded up to a multiple of this
};

struct Node {
  const NodeModel* model;
  std::uint32_t cores;              // free
  std::vector<std::uint32_t> free;  // per GPU
};

constexpr double kNowhere = std::numeric_limits<double>::infinity();

std::uint32_t whole_free(const Node& node) {
  return static_cast<std::uint32_t>(std::count(node.free.begin(), node.free.end(), kGpu));
}

bool hosts(const Node& node, const Shape& shape) {
  if (node.cores < shape.cores) return false;
  if (shape.gpu == 0) return true;
  if (shape.gpu >= kGpu) return whole_free(node) >= shape.gpu / kGpu;
  return *std::max_element(node.free.begin(), node.free.end()) >= shape.gpu;
}

/// The GPUs with at least so much free, one of those with the same.
std::vector<std::size_t> gpus_with(const std::vector<std::uint32_t>& free, std::uint32_t least) {
  std::vector<std::size_t> gpus;
  for (auto at = free.begin(); at != free.end(); ++at) {
    if (*at >= least && std::find(free.begin(), at, *at) == at) gpus.push_back(static_cast<std::size_t>(at - free.begin()));
  }
  return gpus;
}

/// Where the shape can go on a node: one entry per GPU that differs, or one for whole GPUs and none.
std::vector<std::size_t> seats(const Node& node, const Shape& shape) {
  if (!hosts(node, shape)) return {};
  if (shape.gpu == 0 || shape.gpu >= kGpu) return {0};
  return gpus_with(node.free, shape.gpu);
}

void take(Node& node, const Shape& shape, std::size_t seat) {
  node.cores -= shape.cores;
  if (shape.gpu < kGpu) {
    node.free[seat] -= shape.gpu;
    return;
  }
  std::uint32_t left = shape.gpu / kGpu;
  for (std::uint32_t& gpu : node.free) {
    if (left == 0 || gpu < kGpu) continue;
    gpu = 0;
    --left;
  }
}

/// Schedulers that place one task after the other, each on a GPU of its own choice.
class Online {
 public:
  Online(const Trace& trace, const OnlineOptions& options) : trace_(trace), options_(options), shapes_(trace.shapes) {
    for (Shape& shape : shapes_) {
      if (shape.gpu < kGpu) shape.gpu = std::min(kGpu, (shape.gpu + options.quantum - 1) / options.quantum * options.quantum);
    }
    for (const NodeModel& model : trace.models) {
      nodes_.insert(nodes_.end(), model.count, {&model, model.cores, std::vector<std::uint32_t>(model.gpus, kGpu)});
    }
    popularity_.assign(shapes_.size(), 0);
    for (const std::uint32_t task : trace.tasks) popularity_[task] += 1.0 / static_cast<double>(trace.tasks.size());
    score_.resize(shapes_.size() * nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      // Nodes of a model are equal at the start.
      if (n > 0 && nodes_[n].model == nodes_[n - 1].model) {
        for (std::size_t s = 0; s < shapes_.size(); ++s) score(s, n) = score(s, n - 1);
      } else {
        look_at(n);
      }
    }
  }

  /// Thousandths of GPUs that the placed tasks ask for.
  std::uint64_t run() {
    std::vector<std::uint32_t> tasks = trace_.tasks;
    if (options_.decreasing) {
      std::stable_sort(tasks.begin(), tasks.end(), [&](std::uint32_t a, std::uint32_t b) {
        return shapes_[a].gpu != shapes_[b].gpu ? shapes_[a].gpu > shapes_[b].gpu : shapes_[a].cores > shapes_[b].cores;
      });
    }
    std::uint64_t placed = 0;
    for (const std::uint32_t task : tasks) {
      const auto first = score_.begin() + static_cast<std::ptrdiff_t>(task * nodes_.size());
      const auto best = std::min_element(first, first + static_cast<std::ptrdiff_t>(nodes_.size()));
      if (*best == kNowhere) continue;
      const auto n = static_cast<std::size_t>(best - first);
      take(nodes_[n], shapes_[task], best_seat(nodes_[n], shapes_[task]).seat);
      placed += trace_.shapes[task].gpu;
      look_at(n);
    }
    return placed;
  }

 private:
  struct Choice {
    double score = kNowhere;
    std::size_t seat = 0;
  };

  double& score(std::size_t shape, std::size_t node) { return score_[shape * nodes_.size() + node]; }

  void look_at(std::size_t n) {
    for (std::size_t s = 0; s < shapes_.size(); ++s) score(s, n) = best_seat(nodes_[n], shapes_[s]).score;
  }

  [[nodiscard]] Choice best_seat(const Node& node, const Shape& shape) const {
    Choice best;
    const double before = options_.rule == Rule::kFragments ? fragments(node) : 0;
    for (const std::size_t seat : seats(node, shape)) {
      Node after = node;
      take(after, shape, seat);
      // Of equally good nodes the first, of GPUs the fullest.
      const double tightness = 1e-9 * after.free[seat];
      const double value = (options_.rule == Rule::kFragments ? fragments(after) - before : free_share(after)) + tightness;
      if (value < best.score) best = {value, seat};
    }
    return best;
  }

  static double free_share(const Node& node) {
    // As shares of the largest node, as the Kubernetes plugin of best fit does.
    return std::accumulate(node.free.begin(), node.free.end(), 0.0) / (8.0 * kGpu) + node.cores / 128.0;
  }

  /// The expected free GPU that a task of the trace cannot use (Weng et al., section 4).
  [[nodiscard]] double fragments(const Node& node) const {
    const double all = std::accumulate(node.free.begin(), node.free.end(), 0.0);
    if (all == 0) return 0;
    double sum = 0;
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      const Shape& shape = shapes_[s];
      if (shape.gpu == 0 || !hosts(node, shape)) {
        sum += popularity_[s] * all;
        continue;
      }
      const std::uint32_t least = std::min(shape.gpu, kGpu);
      for (const std::uint32_t free : node.free) sum += free < least ? popularity_[s] * free : 0;
    }
    return sum;
  }

  const Trace& trace_;
  OnlineOptions options_;
  std::vector<Shape> shapes_;  // rounded
  std::vector<Node> nodes_;
  std::vector<double> popularity_;  // per shape
  std::vector<double> score_;       // per shape and node: of the best seat, to be small
};

/// Whether parts and whole GPUs fit on so many GPUs. Exact search.
bool gpus_suffice(std::vector<std::uint32_t> parts, std::uint32_t gpus) {
  std::sort(parts.begin(), parts.end(), std::greater<>());
  std::vector<std::uint32_t> free(gpus, kGpu);
  const std::function<bool(std::size_t)> place = [&](std::size_t next) {
    if (next == parts.size()) return true;
    for (const std::size_t k : gpus_with(free, parts[next])) {
      free[k] -= parts[next];
      const bool placed = place(next + 1);
      free[k] += parts[next];
      if (placed) return true;
    }
    return false;
  };
  return place(0);
}

/// What a planner is told of GPUs.
enum class GpuModel : std::uint8_t {
  kSums,     ///< a divisible amount per node
  kRounded,  ///< the same, parts rounded up to an eighth, a quarter, a half or a whole: such parts always share GPUs as sums
             ///< say
  kDevices   ///< what they are
};

std::uint32_t rounded(std::uint32_t gpu) {
  std::uint32_t size = kGpu / 8;
  while (gpu > 0 && size < gpu && size < kGpu) size *= 2;
  return gpu == 0 || gpu >= kGpu ? gpu : size;
}

InstanceData instance_of(const Trace& trace, GpuModel model) {
  InstanceData data;
  data.name = "devices";
  data.resources = {{"cpu", "cores"}, {"gpu", "thousandths"}};
  if (model == GpuModel::kDevices) data.resources[1].device = kGpu;
  for (const NodeModel& one : trace.models) {
    NodeClassData& node_class = data.classes.emplace_back();
    node_class.name = "gpus-" + std::to_string(one.gpus);
    node_class.capacity = {static_cast<double>(one.cores), static_cast<double>(one.gpus * kGpu)};
    node_class.count = one.count;
  }
  for (const Shape& shape : trace.shapes) {
    data.apps.names.push_back(std::to_string(shape.cores) + "-" + std::to_string(shape.gpu));
    const std::uint32_t gpu = model == GpuModel::kRounded ? rounded(shape.gpu) : shape.gpu;
    data.apps.demand.insert(data.apps.demand.end(), {static_cast<double>(shape.cores), static_cast<double>(gpu)});
    // What does not fit is to be small in GPUs.
    data.apps.weight.push_back(std::max(1.0, static_cast<double>(shape.gpu)));
  }
  data.apps.replicas.assign(trace.shapes.size(), 0);
  for (const std::uint32_t task : trace.tasks) ++data.apps.replicas[task];
  return data;
}

class BenchDevices {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "--nodes", nodes_, "Number of nodes", "N", kOwn, whole_number(10, 100'000));
    list_option(sub, "--loads", loads_, "GPUs asked for, as shares of those that are there", "A,B", "0.9,1,1.1",
                CLI::Range(0.01, 10.0));
    option(sub, "--seeds", seeds_, "Number of seeds", "N", kOwn, whole_number(1, 1'000));
    option(sub, "--deadline", deadline_ms_, "Most milliseconds of a plan", "MS", kOwn, whole_number(1, 3'600'000));
  }

  int run(const Console& console) {
    const InterruptGuard guard;
    for (std::size_t load = 0; load < loads_.size(); ++load) {
      for (std::uint64_t seed = 1; seed <= seeds_; ++seed) {
        compare(generate_trace(nodes_, loads_[load], seed), load, console);
        if (InterruptGuard::interrupted()) return kExitUnmet;
      }
    }
    print_results(console);
    return kExitOk;
  }

 private:
  /// Plans a trace in every way, and adds up what comes out.
  void compare(const Trace& trace, std::size_t load, const Console& console) {
    const auto place = [&](const char* name, const OnlineOptions& options) {
      const Stopwatch watch;
      add(name, load, Online(trace, options).run(), trace).add("seconds", watch.seconds());
    };
    const auto plan = [&](const char* name, GpuModel model, const char* planner) {
      RequestOptions request;
      request.planner = planner;
      request.deadline_ms = deadline_ms_;
      const PlanRun run = run_plan(loaded(instance_of(trace, model), name), request, console);
      add_plan(name, load, run.root(), trace).add("seconds", run.seconds);
    };
    place("best fit", {.rule = Rule::kBestFit});
    place("best fit, decreasing", {.rule = Rule::kBestFit, .decreasing = true});
    place("fragmentation gradient descent", {.rule = Rule::kFragments});
    place("the same, decreasing", {.rule = Rule::kFragments, .decreasing = true});
    place("eighths, best fit, decreasing", {.rule = Rule::kBestFit, .decreasing = true, .quantum = kGpu / 8});
    plan("eighths, quarters, halves, `auto`", GpuModel::kRounded, "auto");
    plan("sums per node, `auto`", GpuModel::kSums, "auto");
    plan("devices, `fgd`", GpuModel::kDevices, "fgd");
    plan("devices, `auto`", GpuModel::kDevices, "auto");
  }

  /// Adds the GPUs that a way has placed.
  Tally& add(const std::string& name, std::size_t load, std::uint64_t placed, const Trace& trace) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    const double share = static_cast<double>(placed) / static_cast<double>(trace.gpu_capacity());
    return tallies_[name].add("placed " + std::to_string(load), share);
  }

  Tally& add_plan(const std::string& name, std::size_t load, const wire::Plan& plan, const Trace& trace) {
    std::vector<std::vector<std::uint32_t>> parts(plan.node_class()->size());
    std::uint64_t placed = 0;
    for (const wire::Placed* entry : *plan.placed()) {
      const Shape& shape = trace.shapes[entry->app()];
      placed += std::uint64_t{shape.gpu} * entry->replicas();
      for (std::uint32_t left = shape.gpu; left > 0; left -= std::min(left, kGpu)) {
        parts[entry->node()].insert(parts[entry->node()].end(), entry->replicas(), std::min(left, kGpu));
      }
    }
    Tally& tally = add(name, load, placed, trace).add("nodes", static_cast<double>(parts.size()));
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const std::uint32_t gpus = trace.models[plan.node_class()->Get(static_cast<std::uint32_t>(n))].gpus;
      if (!gpus_suffice(parts[n], gpus)) tally.add("invalid");
    }
    return tally;
  }

  /// One row per way: the mean over seeds per load, then invalid nodes and seconds over all.
  void print_results(const Console& console) const {
    Grid grid = {{"GPUs"}};
    for (const double load : loads_) grid[0].push_back("placed of " + fixed_percent(load, 2) + " asked for");
    grid[0].insert(grid[0].end(), {"invalid nodes", "most seconds"});
    for (const std::string& name : names_) {
      const Tally& tally = tallies_.at(name);
      std::vector<std::string>& row = grid.emplace_back(1, name);
      for (std::size_t load = 0; load < loads_.size(); ++load)
        row.push_back(fixed_percent(tally.mean("placed " + std::to_string(load)), 2));
      const auto count = [&](const char* figure) { return std::to_string(tally.count(figure)); };
      row.push_back(tally.has("nodes") ? count("invalid") + " of " + count("nodes") : "");
      row.push_back(for_people(tally.most("seconds"), 1));
    }
    Page(console).grid(grid);
  }

  std::uint32_t nodes_ = 1'500;
  std::vector<double> loads_ = {0.9, 1, 1.1};  ///< GPUs asked for, as shares of those that are there
  std::uint32_t seeds_ = 3;
  std::uint64_t deadline_ms_ = 30'000;
  std::vector<std::string> names_;  ///< of the ways, in their order
  std::map<std::string, Tally> tallies_;
};

}  // namespace

void add_bench_devices(LabLine& line, CLI::App* parent) {
  line.add<BenchDevices>(parent, "devices", "Plan parts of GPUs: as devices, as sums, rounded, and task by task",
                         R"(Examples:
  stowage-lab bench devices --nodes 100 --seeds 1 --deadline 2000
  stowage-lab bench devices --nodes 1500 --loads 1.1 --deadline 90000

Nodes have 1, 2, 4 or 8 GPUs; tasks ask for parts of a GPU or whole ones, with the shares that are
published of shared GPUs (Weng et al., USENIX ATC '23). Best fit and fragmentation gradient descent
place task after task. Sums per node, and parts rounded up to an eighth, a quarter, a half or a
whole, are ways around devices. A node is invalid where its parts fit on its GPUs in no way.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, 3 a defect of Stowage.)");
}

}  // namespace stowage::cli::lab
