#include "capi/cli/commands/learn/question.h"

#include <algorithm>

#include "capi/cli/base/text/csv.h"
#include "capi/cli/command_line.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/records/learning/samples_codec.h"

namespace stowage::cli {

learn::SamplesTable read_table(const InputFile& input, const Console& console) {
  const PassingNote note(console, "reading " + input.name());
  return learn::read_samples(input.text(), input.name());
}

Model load_model(const std::string& path) {
  const InputFile file(path);
  try {
    return Model::load(file.bytes());
  } catch (const Error& error) {
    throw Failure(file.name() + ": " + error.what());
  }
}

AskedGoal read_goal(const GoalOptions& command, const learn::SamplesTable& table, const std::string& file) {
  AskedGoal goal;
  if (command.goal.empty() == !command.latency_goal) throw Failure("needs either --goal or --latency-goal");
  if (command.latency_goal) {
    goal.measure = wire::Measure::Latency;
    goal.value = *command.latency_goal;
    if (!(goal.value > 0)) throw Failure("--latency-goal: must be above 0");
  } else {
    const auto share = parse_share(command.goal);
    if (!share || *share <= 0)
      throw Failure("--goal: \"" + command.goal + "\" is not a performance above 0 and up to 1 (try 0.9)");
    goal.value = *share;
  }
  if (table.has_measure && table.measure != goal.measure) {
    throw Failure(goal.measure == wire::Measure::Latency
                      ? "--latency-goal: " + file + " has the column performance; use --goal"
                      : "--goal: " + file + " has the column latency_ms; use --latency-goal");
  }
  if (!command.confidence.empty()) goal.confidence = parse_confidence("--confidence", command.confidence);
  if (command.cost.empty()) return goal;
  goal.cost.assign(table.resources.size(), 0);
  for (const std::string& part : split_fields(command.cost, ',')) {
    const std::size_t equals = part.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : parse_number(std::string_view(part).substr(equals + 1));
    if (!value || *value < 0) throw Failure("--cost: \"" + part + "\" is not RESOURCE=NUMBER (such as cpu=1)");
    const std::string name = part.substr(0, equals);
    const auto found = std::find(table.resources.begin(), table.resources.end(), name);
    if (found == table.resources.end()) {
      throw Failure("--cost: there is no resource \"" + name + "\"" +
                    did_you_mean(name, {table.resources.begin(), table.resources.end()}));
    }
    goal.cost[static_cast<std::size_t>(found - table.resources.begin())] = *value;
  }
  return goal;
}

flatbuffers::DetachedBuffer encode_question(const learn::SamplesTable& table, const AskedGoal& goal, bool keep_size,
                                            bool curves) {
  const SamplesData& samples = table;
  QuestionData data{samples, {goal.value, goal.confidence, goal.cost, keep_size}, curves};
  data.samples.measure = goal.measure;
  codec::Builder builder;
  const auto question = codec::write_question(builder, data);
  wire::FinishLearningBuffer(builder, wire::CreateLearning(builder, 1, wire::LearningBody::Question, question.Union()));
  return builder.Release();
}

}  // namespace stowage::cli
