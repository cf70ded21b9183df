// From profiles to a model, and from a model and a few samples to sizes and degrees of collocation.

#include <stowage.hpp>

#include <algorithm>
#include <cmath>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/command_line.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/commands/learn/into.h"
#include "capi/cli/commands/learn/question.h"
#include "capi/cli/learn/samples_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"
#include "capi/text/records/learning/samples_codec.h"

namespace stowage::cli {
namespace {

using learn::SamplesTable;

/// The answer, and what it is told with.
struct Recommended {
  const RecommendCommand& command;
  const std::string& file;
  const AskedGoal& goal;
  const wire::Recommendations& answer;

  [[nodiscard]] flatbuffers::uoffset_t apps() const { return answer.apps()->size(); }
  [[nodiscard]] flatbuffers::uoffset_t resources() const { return answer.resources()->size(); }
  [[nodiscard]] double amount(std::uint32_t configuration, flatbuffers::uoffset_t resource) const {
    return answer.amounts()->Get(configuration * resources() + resource);
  }
  /// Whether the model knows degrees of collocation besides 1.
  [[nodiscard]] bool has_degrees() const {
    const auto& degrees = *answer.collocation();
    return std::any_of(degrees.begin(), degrees.end(), [](std::uint32_t degree) { return degree > 1; });
  }
};

/// The size of a configuration, or null.
void write_size(JsonWriter& json, const char* key, const Recommended& told, std::uint32_t configuration) {
  json.key(key);
  if (configuration == kNone) {
    json.null();
    return;
  }
  json.begin_object();
  for (flatbuffers::uoffset_t r = 0; r < told.resources(); ++r)
    json.key(told.answer.resources()->Get(r)->str()).number(told.amount(configuration, r));
  json.end_object();
}

void write_degree(JsonWriter& json, const char* key, const Recommended& told, std::uint32_t configuration) {
  json.key(key);
  configuration == kNone ? json.null() : json.whole(told.answer.collocation()->Get(configuration));
}

void print_recommendations_json(const Recommended& told, const Console& console) {
  const wire::Recommendations& answer = told.answer;
  JsonObject json(console.out);
  json.key("model").text(told.command.model).key("file").text(told.file);
  json.key(told.goal.measure == wire::Measure::Latency ? "latency_goal_ms" : "goal").number(told.goal.value);
  json.key("confidence").number(told.goal.confidence).key("apps").begin_array();
  for (flatbuffers::uoffset_t a = 0; a < told.apps(); ++a) {
    json.begin_object().key("app").text(answer.apps()->Get(a)->str());
    json.key("reason").text(word_of<wire::RecommendationReason>(answer.reason()->Get(a)));
    write_size(json, "size", told, answer.choice()->Get(a));
    write_degree(json, "collocation", told, answer.choice()->Get(a));
    json.key("probability").number(answer.probability()->Get(a));
    write_size(json, "runner_up", told, answer.runner_up()->Get(a));
    write_degree(json, "runner_up_collocation", told, answer.runner_up()->Get(a));
    json.key("runner_up_probability").number(answer.runner_up_probability()->Get(a));
    json.key("cost").number(answer.cost()->Get(a)).key("saving_asked").number(answer.saving_asked()->Get(a));
    json.key("saving_largest").number(answer.saving_largest()->Get(a));
    write_size(json, "next_sample", told, answer.next_sample()->Get(a));
    write_degree(json, "next_collocation", told, answer.next_sample()->Get(a));
    json.key("next_saving").number(answer.next_saving()->Get(a));
    json.key("samples").whole(answer.samples()->Get(a)).key("similar").whole(answer.similar()->Get(a)).end_object();
  }
  json.end_array();
  json.print();
}

/// A configuration for people: "2 cpu, 4 memory, 3 per node".
std::string configuration_text(const Recommended& told, std::uint32_t configuration) {
  if (configuration == kNone) return "-";
  std::string text;
  for (flatbuffers::uoffset_t r = 0; r < told.resources(); ++r) {
    text += (r > 0 ? ", " : "") + for_people(told.amount(configuration, r)) + " " + told.answer.resources()->Get(r)->str();
  }
  if (told.has_degrees()) text += ", " + std::to_string(told.answer.collocation()->Get(configuration)) + " per node";
  return text;
}

void print_recommendations_text(const Recommended& told, const Console& console) {
  const wire::Recommendations& answer = told.answer;
  std::size_t met = 0;
  TextTable table({"app", "recommended", "probability", "saves of largest", "next cheaper", "probability", "next sample"});
  table.right_from(7);
  for (flatbuffers::uoffset_t a = 0; a < told.apps(); ++a) {
    const auto reason = static_cast<wire::RecommendationReason>(answer.reason()->Get(a));
    met += reason == wire::RecommendationReason::MeetsGoal ? 1 : 0;
    const std::string choice = reason == wire::RecommendationReason::MeetsGoal
                                   ? configuration_text(told, answer.choice()->Get(a))
                               : reason == wire::RecommendationReason::NotEnoughEvidence ? "not enough evidence"
                                                                                         : "goal out of reach";
    const double saving = answer.saving_largest()->Get(a);
    const std::uint32_t runner_up = answer.runner_up()->Get(a);
    table.add({answer.apps()->Get(a)->str(), choice, percent_text(answer.probability()->Get(a)),
               std::isnan(saving) ? "-" : percent_text(saving), configuration_text(told, runner_up),
               runner_up == kNone ? "-" : percent_text(answer.runner_up_probability()->Get(a)),
               configuration_text(told, answer.next_sample()->Get(a))});
  }
  const std::string goal = told.goal.measure == wire::Measure::Latency ? "latency of " + for_people(told.goal.value) + " ms"
                                                                       : "performance of " + for_people(told.goal.value);
  console.out << toned(console, Tone::kStrong, told.file) << ": " << counted(told.apps(), "app") << ", of which " << met
              << " reach a " << goal << " with a probability of " << percent_text(told.goal.confidence) << '\n';
  table.print(console);
}

learn::LearnedDemand recommended_demand(const Recommended& told) {
  const wire::Recommendations& answer = told.answer;
  learn::LearnedDemand learned;
  for (const flatbuffers::String* name : *answer.resources()) learned.resources.push_back(name->str());
  for (flatbuffers::uoffset_t a = 0; a < told.apps(); ++a) {
    const std::uint32_t choice = answer.choice()->Get(a);
    if (choice == kNone) continue;
    learn::LearnedApp& app = learned.apps.emplace_back();
    app.name = answer.apps()->Get(a)->str();
    for (flatbuffers::uoffset_t r = 0; r < told.resources(); ++r) app.demand.push_back({told.amount(choice, r)});
    if (told.has_degrees()) app.max_per_node = answer.collocation()->Get(choice);
  }
  return learned;
}

}  // namespace

int run_learn_profiles_command(const LearnProfilesCommand& command, const Console& console) {
  if (command.file.empty()) throw Failure("learn: needs PROFILES, or a subcommand; stowage learn --help explains");
  if (command.output.empty()) throw Failure("--output: is required; it names the file to write the model to");
  refuse_bytes_on_terminal(command.output);
  const InputFile input(command.file);
  SamplesTable table = read_table(input, console);
  if (!table.has_measure) throw Failure(input.name() + ":1: there is no column performance or latency_ms");
  // The columns go into the buffer.
  const std::string counts = counted(table.row_app.size(), "measurement") + " of " + counted(table.apps.size(), "app");
  codec::Builder builder;
  const auto samples = codec::write_samples(builder, table);
  wire::FinishLearningBuffer(builder, wire::CreateLearning(builder, 1, wire::LearningBody::Samples, samples.Union()));
  const Model model = with_places(table, input.name(), [&] { return Model::learn(builder.GetBufferSpan()); });
  const Buffer bytes = model.save();
  OutputFile file(command.output);
  file.write(bytes.span());
  file.commit();
  const Console answer = answer_console(console, {command.output});
  answer.out << (command.output == "-" ? "standard output" : printable(command.output)) << ": learned from " << counts << " ("
             << for_people(static_cast<double>(bytes.size()) / 1000, 0) << " kB)\n";
  return kExitOk;
}

int run_recommend_command(const RecommendCommand& command, const Console& console) {
  const Console shown = check_into(command, console);
  const Model model = load_model(command.model);
  const InputFile input(command.file);
  const SamplesTable table = read_table(input, console);
  const AskedGoal goal = read_goal(command, table, input.name());
  const flatbuffers::DetachedBuffer question = encode_question(table, goal, command.keep_size, false);
  const Buffer bytes = with_places(table, input.name(), [&] { return model.recommend(question); });
  const Recommended told{command, input.name(), goal, *wire::GetLearning(bytes.data())->body_as_Recommendations()};
  if (command.into) {
    const learn::LearnedDemand learned = recommended_demand(told);
    if (learned.apps.empty()) throw Failure("--into: nothing is recommended, so that nothing is written");
    write_demand_into(learned, command, console);
  }
  command.summary == Summary::kJson ? print_recommendations_json(told, shown) : print_recommendations_text(told, shown);
  return kExitOk;
}

}  // namespace stowage::cli
