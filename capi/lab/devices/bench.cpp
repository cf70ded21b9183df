#include <algorithm>
#include <array>
#include <cstdio>

#include "capi/cli/base/files.h"
#include "capi/cli/library/library.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/devices/online.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

using devices::kGpu;
using devices::OnlineOptions;
using devices::Rule;
using devices::Shape;
using devices::Trace;

/// What a planner is told of GPUs.
enum class GpuModel : std::uint8_t {
  kSums,     ///< a divisible amount per node
  kRounded,  ///< the same, parts rounded up to an eighth, a quarter, a half or a whole: such parts always share GPUs as sums
             ///< say
  kDevices   ///< what they are
};

struct Outcome {
  std::string name;
  double placed = 0;  ///< share of the GPUs there are
  std::uint64_t invalid_nodes = 0;
  std::uint64_t nodes = 0;  ///< in use
  double seconds = 0;
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
  for (const devices::NodeModel& one : trace.models) {
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

Outcome outcome_of(const wire::Plan& plan, const Trace& trace) {
  Outcome outcome;
  std::vector<std::vector<std::uint32_t>> parts(plan.node_class()->size());
  std::uint64_t placed = 0;
  for (const wire::Placed* entry : *plan.placed()) {
    const Shape& shape = trace.shapes[entry->app()];
    placed += std::uint64_t{shape.gpu} * entry->replicas();
    for (std::uint32_t left = shape.gpu; left > 0; left -= std::min(left, kGpu)) {
      parts[entry->node()].insert(parts[entry->node()].end(), entry->replicas(), std::min(left, kGpu));
    }
  }
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const std::uint32_t gpus = trace.models[plan.node_class()->Get(static_cast<std::uint32_t>(n))].gpus;
    outcome.invalid_nodes += devices::gpus_suffice(parts[n], gpus) ? 0 : 1;
  }
  outcome.nodes = parts.size();
  outcome.placed = static_cast<double>(placed) / static_cast<double>(trace.gpu_capacity());
  return outcome;
}

Outcome plan_trace(const Trace& trace, GpuModel model, const std::string& name, const std::string& planner,
                   std::uint64_t deadline_ms, const Console& console) {
  const Workload workload = loaded(instance_of(trace, model), name);
  RequestOptions request;
  request.planner = planner;
  request.deadline_ms = deadline_ms;
  const PlanRun run = run_plan(workload, request, console);
  Outcome outcome = outcome_of(run.root(), trace);
  outcome.name = name;
  outcome.seconds = run.seconds;
  return outcome;
}

Outcome place_trace(const Trace& trace, const OnlineOptions& options, const std::string& name) {
  const Stopwatch watch;
  Outcome outcome;
  outcome.name = name;
  outcome.placed = static_cast<double>(devices::place_online(trace, options)) / static_cast<double>(trace.gpu_capacity());
  outcome.seconds = watch.seconds();
  return outcome;
}

std::vector<Outcome> compare(const Trace& trace, const BenchDevicesCommand& command, const Console& console) {
  constexpr std::uint32_t kEighth = kGpu / 8;
  return {
      place_trace(trace, {.rule = Rule::kBestFit}, "best fit"),
      place_trace(trace, {.rule = Rule::kBestFit, .decreasing = true}, "best fit, decreasing"),
      place_trace(trace, {.rule = Rule::kFragments}, "fragmentation gradient descent"),
      place_trace(trace, {.rule = Rule::kFragments, .decreasing = true}, "the same, decreasing"),
      place_trace(trace, {.rule = Rule::kBestFit, .decreasing = true, .quantum = kEighth}, "eighths, best fit, decreasing"),
      plan_trace(trace, GpuModel::kRounded, "eighths, quarters, halves, `auto`", "auto", command.deadline_ms, console),
      plan_trace(trace, GpuModel::kSums, "sums per node, `auto`", "auto", command.deadline_ms, console),
      plan_trace(trace, GpuModel::kDevices, "devices, `fgd`", "fgd", command.deadline_ms, console),
      plan_trace(trace, GpuModel::kDevices, "devices, `auto`", "auto", command.deadline_ms, console),
  };
}

std::string fixed_percent(double share) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2f %%", share * 100);
  return text.data();
}

/// One row per way: the mean over seeds per load, then invalid nodes and seconds over all.
class DeviceResults {
 public:
  explicit DeviceResults(std::size_t loads) : loads_(loads) {}

  void add(std::size_t load, const std::vector<Outcome>& outcomes) {
    if (rows_.empty())
      rows_.assign(outcomes.size(), {{}, std::vector<double>(loads_, 0), std::vector<std::uint32_t>(loads_, 0)});
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      Row& row = rows_[k];
      row.name = outcomes[k].name;
      row.placed[load] += outcomes[k].placed;
      ++row.runs[load];
      row.invalid += outcomes[k].invalid_nodes;
      row.nodes += outcomes[k].nodes;
      row.seconds = std::max(row.seconds, outcomes[k].seconds);
    }
  }
  void add_rows(Grid& grid) const {
    for (const Row& row : rows_) {
      std::vector<std::string>& cells = grid.emplace_back();
      cells.push_back(row.name);
      for (std::size_t k = 0; k < loads_; ++k) cells.push_back(fixed_percent(row.placed[k] / std::max(1u, row.runs[k])));
      cells.push_back(row.nodes == 0 ? "" : std::to_string(row.invalid) + " of " + std::to_string(row.nodes));
      cells.push_back(for_people(row.seconds, 1));
    }
  }

 private:
  struct Row {
    std::string name;
    std::vector<double> placed;
    std::vector<std::uint32_t> runs;
    std::uint64_t invalid = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
  };
  std::size_t loads_;
  std::vector<Row> rows_;
};

void write_page(const BenchDevicesCommand& command, const Grid& grid, const std::string& path) {
  OutputFile out(path);
  out.write("# Parts of GPUs: devices, sums and rounding\n\n");
  out.write("Made by `" + command.command_line +
            "`. Nodes have 1, 2, 4 or 8 GPUs. By number, 13.3 % of the tasks ask for no GPU,\n");
  out.write(
      "37.8 % for a part of one, 48 % for one, the others for 2, 4 or 8: the shares that Weng et al. publish (*Beware of\n");
  out.write("Fragmentation*, USENIX ATC '23). Tasks arrive until they ask for the given share of all GPUs.\n\n");
  out.write(markdown_grid(grid));
  out.write("\n- Placed: GPUs of the placed tasks, before any rounding, as a share of all GPUs; mean over " +
            counted(command.seeds, "seed") + ".\n");
  out.write("- Invalid nodes: those whose parts fit on its GPUs in no way, by exact search; over all runs.\n");
  out.write("- Best fit and fragmentation gradient descent place one task after the other and choose a GPU for it.\n");
  out.write("- Planners may place " + for_people(static_cast<double>(command.deadline_ms) / 1000, 1) +
            " s long; the weight of a task is its share of a GPU.\n");
  out.commit();
}

}  // namespace

int run_bench_devices_command(const BenchDevicesCommand& command, const Console& console) {
  const InterruptGuard guard;
  DeviceResults results(command.loads.size());
  for (std::size_t load = 0; load < command.loads.size(); ++load) {
    for (std::uint64_t seed = 1; seed <= command.seeds; ++seed) {
      const Trace trace = devices::generate_trace(command.nodes, command.loads[load], seed);
      const std::vector<Outcome> outcomes = compare(trace, command, console);
      if (InterruptGuard::interrupted()) return kExitUnmet;
      results.add(load, outcomes);
    }
  }
  Grid grid = {{"GPUs"}};
  for (const double load : command.loads) grid[0].push_back("placed of " + fixed_percent(load) + " asked for");
  grid[0].insert(grid[0].end(), {"invalid nodes", "most seconds"});
  results.add_rows(grid);
  print_grid(grid, console);
  if (command.markdown) write_page(command, grid, *command.markdown);
  return kExitOk;
}

}  // namespace stowage::cli::lab
