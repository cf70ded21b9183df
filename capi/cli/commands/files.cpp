// The commands that make and change files: convert, generate, example.
#include <array>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <system_error>

#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/generate/given_apps.h"
#include "capi/cli/generate/medea_cluster.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/formats/instance_json.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/answer.h"
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

/// The example of measurements: a folder of files that `size`, `learn` and `recommend` read.
constexpr const char* kLearnExample = "learn";
constexpr const char* kLearnAbout = "measurements: usage over a day, performance by size, what kinds of apps cost each other";

struct ExampleFile {
  std::string_view name;
  std::string_view text;
};
constexpr ExampleFile kLearnFiles[] = {
#include "measurements.inc"
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
  throw Failure("there is no example \"" + name + "\"; there are " + enumerated(example_names()));
}

int list_examples(const Console& console) {
  constexpr std::size_t kColumn = 13;
  for (const Example& one : kExamples) {
    const std::string options = options_for(one.name);
    const std::string text = about(one) + (options.empty() ? "" : " (stowage plan FILE" + options + ")");
    console.out << hanging_text("  " + std::string(one.name), text, kColumn, kTextWidth);
  }
  const std::string measured = std::string(kLearnAbout) + " (stowage example learn -o FOLDER/)";
  console.out << hanging_text(std::string("  ") + kLearnExample, measured, kColumn, kTextWidth);
  console.out << "\nTry: stowage example sizes -o cluster.json, then stowage plan cluster.json\n";
  return kExitOk;
}

int write_learn_example(const ExampleCommand& command, const Console& console) {
  if (!command.format.empty()) throw Failure("--format: the files of the example learn are .csv");
  if (!names_folder(command.output)) {
    throw Failure("the example learn is several files; name a folder for them, such as -o learn/, or -o . for this one");
  }
  std::error_code error;
  std::filesystem::create_directories(command.output, error);  // what fails is told by the first file
  std::vector<std::string> names;
  for (const ExampleFile& one : kLearnFiles) {
    names.push_back(std::string(one.name) + ".csv");
    OutputFile out(file_in(command.output, names.back()));
    out.write(one.text);
    out.commit();
  }
  console.err << "Written to " << printable(command.output) << ": " << enumerated(names) << "; try: stowage size "
              << printable(file_in(command.output, names.front())) << '\n';
  return kExitOk;
}

bool is_plan(Content content) {
  return content == Content::kPlanBytes || content == Content::kPlanJson || content == Content::kPlanCsv;
}

/// What begins each summary of `convert`. `instance` is a fingerprint, as plans in JSON have it.
void write_converted(JsonWriter& json, const ConvertCommand& command, const Formats& formats, std::uint64_t instance) {
  std::array<char, 17> fingerprint;
  std::snprintf(fingerprint.data(), fingerprint.size(), "%016llx", static_cast<unsigned long long>(instance));
  json.key("from").text(command.from).key("to").text(command.to);
  json.key("format").text(format_of(command.to, command.format, formats)).key("instance").text(fingerprint.data());
}

void print_converted_instance(const Workload& workload, const ConvertCommand& command, std::ostream& out) {
  const wire::Instance& instance = workload.root();
  const auto size = [](const auto* list) { return std::uint64_t{list == nullptr ? 0 : list->size()}; };
  const auto& replicas = *instance.apps()->replicas();
  JsonObject json(out);
  write_converted(json, command, instance_formats(), workload.instance.fingerprint());
  if (instance.name() != nullptr) json.key("name").text(instance.name()->string_view());
  json.list("resources", instance.resources(), [&](const wire::Resource* one) { json.text(one->name()->string_view()); });
  json.key("periods").whole(instance.periods()).key("apps").whole(replicas.size());
  json.key("replicas").whole(std::accumulate(replicas.begin(), replicas.end(), std::uint64_t{0}));
  json.key("classes").whole(size(instance.classes()));
  json.key("nodes").whole(instance.nodes() == nullptr ? 0 : size(instance.nodes()->node_class()));
  json.key("limits").whole(instance.limits() == nullptr ? 0 : size(instance.limits()->app()));
  json.key("rules").whole(size(instance.rules()));
  json.print();
}

void print_converted_plan(const wire::Plan& plan, const ConvertCommand& command, std::ostream& out) {
  JsonObject json(out);
  write_converted(json, command, plan_formats(), plan.instance());
  json.key("planner").text(plan.planner()->string_view()).key("status").text(word_of<wire::PlanStatus>(plan.status()));
  json.key("nodes").whole(nodes_in_use(plan)).key("placed").whole(replicas_placed(plan));
  json.key("unplaced").whole(replicas_of(plan.unplaced()));
  if (plan.cost() >= 0) json.key("cost").number(plan.cost());
  json.print();
}

int convert_plan(std::unique_ptr<InputFile> file, const ConvertCommand& command, const Console& console) {
  if (!command.instance) throw Failure(file->name() + ": is a plan; name the instance that it is for with --instance FILE");
  check_outputs({command.to}, command.format, plan_formats());
  const Workload workload = load_workload(*command.instance, command.node, console, command.scales);
  const PlanBytes plan = plan_in(std::move(file), workload);
  std::ostringstream summary;  // made before the file is written, which may be the one that was read
  print_converted_plan(plan.root(), command, summary);
  write_plan(workload, plan.bytes(), command.to, command.cells, command.format);
  if (command.summary == Summary::kJson) answer_console(console, {command.to}).out << summary.str();
  return kExitOk;
}

}  // namespace

int run_convert_command(const ConvertCommand& command, const Console& console) {
  GivenNodes nodes = command.node;
  auto file = open_instance(command.from, nodes);
  const bool of_instance = command.instance && is_plan_table(file->text());
  if (of_instance || is_plan(content_of(*file))) return convert_plan(std::move(file), command, console);
  check_outputs({command.to}, command.format, instance_formats());
  const Workload workload = load_workload(std::move(file), nodes, console, command.scales);
  std::ostringstream summary;
  print_converted_instance(workload, command, summary);
  if (command.summary == Summary::kText) {
    write_loaded(workload.bytes, command.to, console, command.format, command.cells);
  } else {
    write_instance(workload.bytes, command.to, command.format, command.cells);
    answer_console(console, {command.to}).out << summary.str();
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
  check_outputs({command.output}, command.format, instance_formats());
  write_checked(InstanceBytes(encode_instance(make())), "generate", command.output, console, command.format);
  return kExitOk;
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const Example& one : kExamples) names.emplace_back(one.name);
  names.emplace_back(kLearnExample);
  return names;
}

int run_example_command(const ExampleCommand& command, const Console& console) {
  if (command.list) return list_examples(console);
  if (command.name == kLearnExample) return write_learn_example(command, console);
  const Example& example = example_of(command.name);
  if (!command.format.empty()) check_outputs({command.output}, command.format, instance_formats());
  // A name without an extension gets JSON, as standard output does.
  const std::string format = format_of(command.output, command.format.empty() ? "json" : command.format, instance_formats());
  if (format != "json") {
    const std::string source = "the example " + command.name;
    InstanceData data = read_instance_json(example.json, source, default_column_bytes(example.json.size()));
    write_instance(InstanceBytes(encode_instance(std::move(data))), command.output, command.format);
  } else if (command.output == "-") {
    console.out << example.json;
  } else {
    OutputFile out(command.output);
    out.write(example.json);
    out.commit();
  }
  if (command.output == "-") return kExitOk;
  console.err << "Written to " << printable(command.output) << "; try: stowage plan " << printable(command.output)
              << options_for(example.name) << '\n';
  return kExitOk;
}

}  // namespace stowage::cli
