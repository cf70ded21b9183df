// The commands that make and change files: convert, import, generate, example.
#include "capi/cli/files.h"

#include "capi/cli/commands/commands.h"
#include "capi/cli/failure.h"
#include "capi/cli/given_apps.h"
#include "capi/cli/medea/workload.h"
#include "capi/cli/plan_file.h"
#include "capi/cli/render.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kExample =
#include "example_json.inc"
    ;

bool is_plan(Content content) {
  return content == Content::kPlanBytes || content == Content::kPlanJson || content == Content::kPlanCsv;
}

/// Only instances that the library accepts are written, so that nobody finds the mistake later.
void write_checked(const InstanceBytes& bytes, const std::string& source, const std::string& output, const Console& console) {
  load_bytes(bytes, source);
  write_instance(bytes, output);
  if (output == "-") return;
  console.err << output << ": " << instance_text(bytes.root()) << '\n';
  if (extension(output) == "tsv") console.err << "A .tsv does not hold the nodes: pass --node when it is read\n";
}

}  // namespace

int run_convert_command(const ConvertCommand& command, const Console& console) {
  auto file = std::make_unique<InputFile>(command.from);
  const std::string name = file->name();
  if (is_plan(content_of(*file))) {
    if (!command.instance) throw Failure(name + ": is a plan; name the instance that it is for with --instance FILE");
    const Workload workload = load_workload(*command.instance, command.node, console);
    const PlanBytes plan = read_plan(std::move(file), workload.root(), [&] { return workload.instance.fingerprint(); });
    write_plan(plan.bytes(), workload.root(), command.to);
    return kExitOk;
  }
  write_checked(read_instance(std::move(file), command.node), name, command.to, console);
  return kExitOk;
}

int run_import_tianchi_command(const ImportTianchiCommand& command, const Console& console) {
  write_checked(InstanceBytes(encode_instance(import_tianchi(command.options))), "tianchi", command.output, console);
  return kExitOk;
}

int run_generate_command(const GenerateCommand& command, const Console& console) {
  const auto make = [&] {
    if (!command.apps_file) return generate_instance(command.options);
    GenerateOptions options = command.options;
    const GivenApps given(*command.apps_file, options.node, console);
    if (options.profile && !given.has_profile()) throw Failure("--profile: " + given.name() + " has one period");
    if (options.apps == 0) options.apps = given.apps();
    InstanceData data = given.generate(options);
    data.name = std::to_string(options.apps) + " apps from " + given.name() + ", " + graph_word(options.graph) +
                " graph, seed " + std::to_string(options.seed);
    return data;
  };
  write_checked(InstanceBytes(encode_instance(make())), "generate", command.output, console);
  return kExitOk;
}

int run_generate_stochastic_command(const GenerateStochasticCommand& command, const Console& console) {
  const InterruptGuard guard;
  InstanceData data = stochastic::generate_cluster(command.options, console);
  write_checked(InstanceBytes(encode_instance(std::move(data))), "generate stochastic", command.output, console);
  return kExitOk;
}

int run_generate_medea_command(const GenerateMedeaCommand& command, const Console& console) {
  InstanceData data = medea::generate_waiting(command.options, command.utilization);
  write_checked(InstanceBytes(encode_instance(std::move(data))), "generate medea", command.output, console);
  return kExitOk;
}

int run_example_command(const ExampleCommand& command, const Console& console) {
  if (command.output == "-") {
    console.out << kExample;
    return kExitOk;
  }
  OutputFile out(command.output);
  out.write(kExample);
  out.commit();
  console.err << "Written to " << command.output << "; try: stowage plan " << command.output << '\n';
  return kExitOk;
}

}  // namespace stowage::cli
