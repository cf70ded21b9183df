#include "capi/cli/commands/session/session_json.h"

#include <algorithm>
#include <array>

#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/amounts/profile_column.h"
#include "capi/text/formats/amounts/resource_json.h"
#include "capi/text/formats/words.h"

namespace stowage::cli {

template <>
struct Words<stowage_commit_mode> {
  static constexpr std::array kAll = {"exact", "whole", "fitting"};
};

namespace {

constexpr std::array<std::string_view, 6> kOtherCommands = {"plan", "commit", "reject", "snapshot", "show", "status"};

// Milliseconds, at least one.
std::uint64_t milliseconds_at(const JsonAt& at) {
  const auto parsed = parse_duration(at.text());
  if (!parsed) at.fail("\"" + at.text() + "\" is not a duration (try \"10s\" or \"500ms\")");
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parsed->count()));
}

/// A goal: words as --goal has them, or an object.
NamedGoal goal_at(const JsonAt& at) {
  if (at.is(JsonValue::Type::kText)) return goal_in_words(at.text());
  NamedGoal goal;
  at.only({"goal", "resource", "weight", "tolerance", "beside"});
  at.required("goal", [&](const JsonAt& word) { goal.what = word_at<wire::GoalKind>(word); });
  at.read("resource", goal.of).read("weight", goal.weight).read("tolerance", goal.tolerance).read("beside", goal.beside);
  return goal;
}

/// What a plan is to keep, and what it is judged by.
void read_aims(const JsonAt& at, RequestOptions& request) {
  at.read("objective", request.objective).read("soft", request.soft).read("soft_price", request.soft_price);
  at.member("goals", [&](const JsonAt& goals) {
    goals.elements([&](std::size_t, const JsonAt& goal) { request.named_goals.push_back(goal_at(goal)); });
  });
  at.read("fill", request.fill).read("max_cost", request.max_cost);
  at.member("keep", [&](const JsonAt& keep) {
    keep.members([&](const std::string& app, const JsonAt& replicas) { request.kept.emplace_back(app, replicas.count()); });
  });
  at.member("survive", [&](const JsonAt& survive) { request.survive = survive.text() == kAnyNode ? "*" : survive.text(); });
  at.read("leave_free", request.leave_free).read("all_or_nothing", request.all_or_nothing);
  at.read("trace", request.trace);
}

void read_plan_command(const JsonAt& at, SessionCommand& command) {
  at.only({"op",    "planner",   "options",    "seed",           "deadline",   "work",  "threads",  "nodes", "ignore_running",
           "moves", "objective", "compact",    "soft",           "soft_price", "goals", "patience", "fill",  "max_cost",
           "keep",  "survive",   "leave_free", "all_or_nothing", "trace",      "output"});
  command.kind = SessionCommand::Kind::kPlan;
  RequestOptions& request = command.request;
  request.planner = "auto";
  at.read("planner", request.planner);
  at.member("options", [&](const JsonAt& options) {
    options.members([&](const std::string& name, const JsonAt& value) { request.settings.emplace_back(name, value.number()); });
  });
  at.read("seed", request.seed);
  at.member("deadline", [&](const JsonAt& deadline) { request.deadline_ms = milliseconds_at(deadline); });
  at.member("patience", [&](const JsonAt& patience) { request.patience_ms = milliseconds_at(patience); });
  at.read("work", request.work_limit).read("threads", request.threads).read("nodes", request.node_limit);
  at.read("ignore_running", request.ignore_running).read("compact", request.compact).read("moves", request.move_budget);
  read_aims(at, request);
  at.read("output", command.file);
}

}  // namespace

SessionCommand read_session_command(std::string_view line, const std::string& source, const SessionTerms& terms) {
  JsonValue object;
  object.type = JsonValue::Type::kObject;
  JsonVisitor visitor;
  visitor.member = [&](const std::string& key, const JsonValue& value) {
    object.keys.push_back(key);
    object.items.push_back(value);
  };
  read_json(line, source, visitor);
  const JsonAt at(object, source, "");
  const std::string& word = required_text(at, "op");
  SessionCommand command;
  if (is_operation(word)) {
    command.kind = SessionCommand::Kind::kOperations;
    command.operations = read_operation(at, terms, default_column_bytes(line.size()));
    command.batch = word == "batch";
  } else if (word == "plan") {
    read_plan_command(at, command);
  } else if (word == "commit") {
    at.only({"op", "mode"});
    command.kind = SessionCommand::Kind::kCommit;
    at.read("mode", command.mode);
  } else if (word == "reject") {
    at.only({"op"});
    command.kind = SessionCommand::Kind::kReject;
  } else if (word == "snapshot") {
    at.only({"op", "file"});
    command.kind = SessionCommand::Kind::kSnapshot;
    command.file = required_text(at, "file");
  } else if (word == "show") {
    at.only({"op", "app", "node"});
    command.kind = SessionCommand::Kind::kShow;
    at.read("app", command.app).read("node", command.node);
    if (command.app.has_value() == command.node.has_value()) at.fail("needs either \"app\" or \"node\"");
  } else if (word == "status") {
    at.only({"op"});
  } else {
    std::vector<std::string_view> known = operation_words();
    known.insert(known.end(), kOtherCommands.begin(), kOtherCommands.end());
    at.fail("there is no command \"" + word + "\"" + did_you_mean(word, known));
  }
  return command;
}

}  // namespace stowage::cli
