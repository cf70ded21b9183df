#include "capi/lab/app.h"

#include <initializer_list>

#include "capi/lab/commands/commands.h"

namespace stowage::cli::lab {

LabLine::LabLine(const Console& console)
    : CommandLine(console, "Repeat experiments with Stowage, and import published data.", R"(Examples:
  stowage-lab bench paper --figures 4              repeat the experiments of P0
  stowage-lab bench stochastic --tables 2          repeat those of P1, with uncertain demand
  stowage-lab bench medea --figures 9              repeat those of P2, with placement rules
  stowage-lab bench clusters --sizes 300           plan generated clusters, feature by feature
  stowage-lab bench packing --classes t,u          plan published classes of packing instances
  stowage-lab bench colocation --sizes small       repeat those of P4, with side effects
  stowage-lab bench lrasched --dims 3              repeat those of P3, with whole applications
  stowage-lab bench usage --apps 200               compare ways from usage to demand
  stowage-lab draw curve model.stowm samples.csv --goal 0.9 -o curve.svg
  stowage-lab generate usage --days 7 -o usage.csv
  stowage-lab import tianchi --p0 --static --apps ... --interference ... --deploy ... -o static.tsv
  stowage-lab import gavel --throughputs ... --jobs 150 --gpus 100 -o jobs.json
  stowage-lab import rasa --cluster M3.json -o m3.stow

The command stowage plans, verifies and explains.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)") {
  using Add = void (*)(LabLine&, CLI::App*);
  const auto add_group = [this](const char* name, const char* summary, std::initializer_list<Add> commands) {
    CLI::App* group = app().add_subcommand(name, summary);
    group->require_subcommand(1);
    for (const Add add_command : commands) add_command(*this, group);
  };
  add_group("bench", "Repeat experiments, published ones among them",
            {add_bench_paper, add_bench_stochastic, add_bench_medea, add_bench_clusters, add_bench_packing,
             add_bench_colocation, add_bench_devices, add_bench_lrasched, add_bench_usage, add_bench_sizes});
  add_group("generate", "Generate data to learn from", {add_generate_usage, add_generate_profiles});
  add_group("draw", "Draw what is learned", {add_draw_curve});
  add_group("import", "Import published workloads", {add_imports});
}

int run_app(const std::vector<std::string>& arguments, const Console& console) {
  Console of_lab = console;
  of_lab.program = "stowage-lab";
  return run_reporting(of_lab, [&] { return LabLine(of_lab).run(arguments); });
}

}  // namespace stowage::cli::lab
