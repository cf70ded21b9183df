#include <algorithm>

#include "capi/cli/commands/commands.h"
#include "capi/cli/failure.h"
#include "capi/cli/json_text.h"
#include "capi/cli/quantities.h"

namespace stowage::cli {
namespace {

std::string text_of(const flatbuffers::String* text) { return text == nullptr ? std::string() : text->str(); }

void print_json(const wire::Catalogue& catalogue, const std::optional<std::string>& only, const Console& console) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("version").text(text_of(catalogue.version())).key("planners").begin_array();
  for (const wire::PlannerInfo* planner : *catalogue.planners()) {
    if (only && planner->name()->str() != *only) continue;
    json.line(2).begin_object();
    json.key("name").text(planner->name()->str());
    json.key("summary").text(text_of(planner->summary()));
    json.key("source").text(text_of(planner->source()));
    json.key("complexity").text(text_of(planner->complexity()));
    json.key("default_deadline_ms").number(planner->default_deadline_ms());
    json.key("needs_solver").flag(planner->needs_solver());
    json.key("objectives").begin_array();
    if (planner->objectives() != nullptr) {
      for (const flatbuffers::String* objective : *planner->objectives()) json.text(objective->str());
    }
    json.end_array();
    json.key("options").begin_array();
    if (planner->options() != nullptr) {
      for (const wire::OptionInfo* option : *planner->options()) {
        json.begin_object().key("name").text(option->name()->str()).key("summary").text(text_of(option->summary()));
        json.key("default").number(option->default_number()).key("min").number(option->min()).key("max").number(option->max());
        json.end_object();
      }
    }
    json.end_array();
    json.key("honours").begin_array();
    if (planner->honours() != nullptr) {
      for (const flatbuffers::String* feature : *planner->honours()) json.text(feature->str());
    }
    json.end_array().end_object();
  }
  json.line(0).end_array().end_object();
  console.out << text << '\n';
}

void print_one(const wire::PlannerInfo& planner, const Console& console) {
  console.out << toned(console, Tone::kStrong, planner.name()->str()) << ": " << text_of(planner.summary()) << '\n';
  console.out << "  source      " << text_of(planner.source()) << '\n';
  console.out << "  complexity  " << text_of(planner.complexity()) << '\n';
  if (planner.default_deadline_ms() > 0) {
    console.out << "  ends        after " << planner.default_deadline_ms() << " ms unless the request has a limit\n";
  }
  if (planner.needs_solver()) {
    console.out << "  needs       a solver of linear programs" << (kHasSolver ? "" : ", which this build has not") << '\n';
  }
  if (planner.objectives() != nullptr) {
    std::string objectives;
    for (const flatbuffers::String* one : *planner.objectives()) {
      objectives += (objectives.empty() ? "" : ", ") + one->str();
    }
    console.out << "  pursues     " << objectives << '\n';
  }
  if (planner.honours() != nullptr) {
    std::string features;
    for (const flatbuffers::String* feature : *planner.honours()) features += (features.empty() ? "" : ", ") + feature->str();
    console.out << "  honours     " << features << '\n';
  }
  if (planner.options() == nullptr) return;
  for (const wire::OptionInfo* option : *planner.options()) {
    console.out << "  --option " << option->name()->str() << '=' << shortest(option->default_number()) << "  "
                << text_of(option->summary()) << " (from " << shortest(option->min()) << " to " << shortest(option->max())
                << ")\n";
  }
}

}  // namespace

int run_planners_command(const PlannersCommand& command, const Console& console) {
  const Catalogue catalogue = planner_catalogue();
  const auto& planners = *catalogue.root().planners();
  if (command.name) {
    std::vector<std::string> names;
    for (const wire::PlannerInfo* planner : planners) {
      names.push_back(planner->name()->str());
      if (names.back() != *command.name || command.summary == Summary::kJson) continue;
      print_one(*planner, console);
      return kExitOk;
    }
    if (std::find(names.begin(), names.end(), *command.name) == names.end()) {
      throw Failure("there is no planner \"" + *command.name + "\"" +
                    did_you_mean(*command.name, {names.begin(), names.end()}));
    }
  }
  if (command.summary == Summary::kJson) {
    print_json(catalogue.root(), command.name, console);
    return kExitOk;
  }
  TextTable table({"planner", "what it does", "source"});
  table.right_from(3);
  for (const wire::PlannerInfo* planner : planners) {
    table.add({planner->name()->str(), text_of(planner->summary()), text_of(planner->source())});
  }
  table.print(console, 0);
  console.out << "\nstowage planners NAME tells more about one, its options included.\n";
  return kExitOk;
}

}  // namespace stowage::cli
