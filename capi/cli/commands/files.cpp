// The commands that make and change files: convert, generate, example.
#include "capi/cli/base/files.h"

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/generate/given_apps.h"
#include "capi/cli/generate/medea_cluster.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kExample =
#include "example_json.inc"
    ;

bool is_plan(Content content) {
  return content == Content::kPlanBytes || content == Content::kPlanJson || content == Content::kPlanCsv;
}

}  // namespace

int run_convert_command(const ConvertCommand& command, const Console& console) {
  auto file = std::make_unique<InputFile>(command.from);
  const std::string name = file->name();
  if (is_plan(content_of(*file))) {
    if (!command.instance) throw Failure(name + ": is a plan; name the instance that it is for with --instance FILE");
    const Workload workload = load_workload(*command.instance, command.node, console, command.scales);
    const PlanBytes plan = read_plan(std::move(file), workload.root(), [&] { return workload.instance.fingerprint(); });
    write_plan(workload, plan.bytes(), command.to, command.cells);
    return kExitOk;
  }
  if (command.scales.empty()) {
    write_checked(read_instance(std::move(file), command.node), name, command.to, console);
  } else {
    write_checked(load_workload(std::move(file), command.node, console, command.scales).bytes, name, command.to, console);
  }
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

int run_example_command(const ExampleCommand& command, const Console& console) {
  if (command.output == "-") {
    console.out << kExample;
    return kExitOk;
  }
  OutputFile out(command.output);
  out.write(kExample);
  out.commit();
  console.err << "Written to " << printable(command.output) << "; try: stowage plan " << printable(command.output) << '\n';
  return kExitOk;
}

}  // namespace stowage::cli
