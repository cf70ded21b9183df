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

struct Example {
  std::string_view name;
  std::string_view json;
};
constexpr Example kExamples[] = {
#include "examples.inc"
};

/// What an example shows, after `stowage plan FILE`.
std::string options_for(std::string_view example) {
  if (example == "moves") return " --moves 8";
  if (example == "n+1") return " --survive node";
  if (example == "effects") return " --objective worst";
  return "";
}

/// The instance's name says what the example is about.
std::string about(const Example& example) {
  constexpr std::string_view kKey = "\"name\": \"";
  const std::string_view from = example.json.substr(example.json.find(kKey) + kKey.size());
  return std::string(from.substr(0, from.find('"')));
}

const Example& example_of(const std::string& name) {
  for (const Example& one : kExamples) {
    if (one.name == name) return one;
  }
  std::vector<std::string> names;
  for (const Example& one : kExamples) names.emplace_back(one.name);
  throw Failure("there is no example \"" + name + "\"; there are " + enumerated(names));
}

int list_examples(const Console& console) {
  constexpr std::size_t kColumn = 13;
  for (const Example& one : kExamples) {
    const std::string options = options_for(one.name);
    const std::string text = about(one) + (options.empty() ? "" : " (stowage plan FILE" + options + ")");
    console.out << hanging_text("  " + std::string(one.name), text, kColumn, kTextWidth);
  }
  console.out << "\nTry: stowage example sizes -o cluster.json, then stowage plan cluster.json\n";
  return kExitOk;
}

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
  if (command.list) return list_examples(console);
  const Example& example = example_of(command.name);
  if (command.output == "-") {
    console.out << example.json;
    return kExitOk;
  }
  OutputFile out(command.output);
  out.write(example.json);
  out.commit();
  console.err << "Written to " << printable(command.output) << "; try: stowage plan " << printable(command.output)
              << options_for(example.name) << '\n';
  return kExitOk;
}

}  // namespace stowage::cli
