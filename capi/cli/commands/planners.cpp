#include <algorithm>

#include "capi/cli/base/papers.h"
#include "capi/cli/commands/commands.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

std::string text_of(const flatbuffers::String* text) { return text == nullptr ? std::string() : text->str(); }

void print_json(const wire::Catalogue& catalogue, const std::optional<std::string>& only, const Console& console) {
  JsonObject json(console.out);
  json.key("version").text(text_of(catalogue.version())).key("planners").begin_array();
  for (const wire::PlannerInfo* planner : *catalogue.planners()) {
    if (only && planner->name()->str() != *only) continue;
    json.line(2).begin_object();
    json.key("name").text(planner->name()->str());
    json.key("summary").text(text_of(planner->summary()));
    json.key("source").text(text_of(planner->source()));
    json.key("complexity").text(text_of(planner->complexity()));
    json.key("default_deadline_ms").number(planner->default_deadline_ms());
    json.key("needs_solver").flag(planner->needs_solver());
    json.list("objectives", planner->objectives(), [&](const flatbuffers::String* objective) { json.text(objective->str()); });
    json.list("options", planner->options(), [&](const wire::OptionInfo* option) {
      json.begin_object().key("name").text(option->name()->str()).key("summary").text(text_of(option->summary()));
      json.key("default").number(option->default_number()).key("min").number(option->min()).key("max").number(option->max());
      json.end_object();
    });
    json.list("honours", planner->honours(), [&](const flatbuffers::String* feature) { json.text(feature->str()); })
        .end_object();
  }
  json.line(0).end_array();
  json.print();
}

std::string joined_words(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>& words) {
  std::string text;
  for (const flatbuffers::String* word : words) text += (text.empty() ? "" : ", ") + word->str();
  return text;
}

void print_one(const wire::PlannerInfo& planner, const Console& console) {
  constexpr std::size_t kColumn = 14;
  constexpr std::size_t kOptionColumn = 6;
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += hanging_text("  " + std::string(name), value, kColumn, kTextWidth);
  };
  line("source", text_of(planner.source()));
  line("complexity", text_of(planner.complexity()));
  if (planner.default_deadline_ms() > 0) {
    line("deadline", std::to_string(planner.default_deadline_ms()) + " ms unless the request has a limit");
  }
  if (planner.needs_solver()) {
    line("needs", std::string("a solver of linear programs") + (kHasSolver ? "" : ", which this build lacks"));
  }
  if (planner.objectives() != nullptr) line("objectives", joined_words(*planner.objectives()));
  if (planner.honours() != nullptr) line("features", joined_words(*planner.honours()));
  if (planner.options() != nullptr) {
    for (const wire::OptionInfo* option : *planner.options()) {
      text += "  --option " + option->name()->str() + "=NUMBER\n";
      text += hanging_text("",
                           text_of(option->summary()) + " (default: " + shortest(option->default_number()) + "; from " +
                               shortest(option->min()) + " to " + shortest(option->max()) + ")",
                           kOptionColumn, kTextWidth);
    }
  }
  console.out << toned(console, Tone::kStrong, planner.name()->str()) << ": " << text_of(planner.summary()) << '\n' << text;
  if (const std::string legend = papers_legend(text); !legend.empty()) console.out << '\n' << legend;
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
  std::string sources;
  for (const wire::PlannerInfo* planner : planners) sources += text_of(planner->source()) + '\n';
  console.out << "\nstowage planners NAME describes one, with its options and their defaults.\n" << papers_legend(sources);
  return kExitOk;
}

}  // namespace stowage::cli
