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

/// A goal: its word, or an object.
NamedGoal goal_at(const JsonAt& at) {
  NamedGoal goal;
  if (at.is(JsonValue::Type::kText)) {
    goal.what = word_at<wire::GoalKind>(at);
    return goal;
  }
  at.only({"goal", "resource", "weight", "tolerance", "beside"});
  at.required("goal", [&](const JsonAt& word) { goal.what = word_at<wire::GoalKind>(word); });
  at.member("resource", [&](const JsonAt& resource) { goal.of = resource.text(); });
  at.member("weight", [&](const JsonAt& weight) { goal.weight = weight.number(); });
  at.member("tolerance", [&](const JsonAt& tolerance) { goal.tolerance = tolerance.number(); });
  at.member("beside", [&](const JsonAt& beside) { goal.beside = beside.flag(); });
  return goal;
}

/// What a plan is to keep, and what it is judged by.
void read_aims(const JsonAt& at, RequestOptions& request) {
  at.member("objective", [&](const JsonAt& objective) { request.objective = word_at<wire::Objective>(objective); });
  at.member("soft", [&](const JsonAt& soft) { request.soft = word_at<wire::SoftPolicy>(soft); });
  at.member("soft_price", [&](const JsonAt& price) { request.soft_price = price.number(); });
  at.member("goals", [&](const JsonAt& goals) {
    goals.elements([&](std::size_t, const JsonAt& goal) { request.named_goals.push_back(goal_at(goal)); });
  });
  at.member("fill", [&](const JsonAt& fill) { request.fill = fill.flag(); });
  at.member("max_cost", [&](const JsonAt& cost) { request.max_cost = cost.number(); });
  at.member("keep", [&](const JsonAt& keep) {
    keep.members([&](const std::string& app, const JsonAt& replicas) { request.kept.emplace_back(app, replicas.count()); });
  });
  at.member("survive", [&](const JsonAt& survive) { request.survive = survive.text() == kAnyNode ? "*" : survive.text(); });
  at.member("leave_free", [&](const JsonAt& key) { request.leave_free = key.text(); });
  at.member("all_or_nothing", [&](const JsonAt& whole) { request.all_or_nothing = whole.flag(); });
}

void read_plan_command(const JsonAt& at, SessionCommand& command) {
  at.only({"op",    "planner",   "options",    "seed",           "deadline",   "work",  "threads",  "nodes", "ignore_running",
           "moves", "objective", "compact",    "soft",           "soft_price", "goals", "patience", "fill",  "max_cost",
           "keep",  "survive",   "leave_free", "all_or_nothing", "output"});
  command.kind = SessionCommand::Kind::kPlan;
  RequestOptions& request = command.request;
  request.planner = "auto";
  at.member("planner", [&](const JsonAt& planner) { request.planner = planner.text(); });
  at.member("options", [&](const JsonAt& options) {
    options.members([&](const std::string& name, const JsonAt& value) { request.settings.emplace_back(name, value.number()); });
  });
  at.member("seed", [&](const JsonAt& seed) { request.seed = seed.whole(); });
  at.member("deadline", [&](const JsonAt& deadline) { request.deadline_ms = milliseconds_at(deadline); });
  at.member("patience", [&](const JsonAt& patience) { request.patience_ms = milliseconds_at(patience); });
  at.member("work", [&](const JsonAt& work) { request.work_limit = work.whole(); });
  at.member("threads", [&](const JsonAt& threads) { request.threads = threads.count(); });
  at.member("nodes", [&](const JsonAt& nodes) { request.node_limit = nodes.count(); });
  at.member("ignore_running", [&](const JsonAt& ignore) { request.ignore_running = ignore.flag(); });
  at.member("compact", [&](const JsonAt& compact) { request.compact = compact.flag(); });
  at.member("moves", [&](const JsonAt& moves) { request.move_budget = moves.count(); });
  read_aims(at, request);
  at.member("output", [&](const JsonAt& output) { command.file = output.text(); });
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
    at.member("mode", [&](const JsonAt& mode) { command.mode = word_at<stowage_commit_mode>(mode); });
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
    at.member("app", [&](const JsonAt& app) { command.app = app.text(); });
    at.member("node", [&](const JsonAt& node) { command.node = node.text(); });
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
