#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/commands/session/session_json.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/formats/names.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

template <class List, class Get>
std::uint64_t replicas_in(const List* list, Get counts) {
  std::uint64_t sum = 0;
  if (list == nullptr) return 0;
  for (const auto* one : *list) sum += counts(*one) ? one->replicas() : 0;
  return sum;
}

/// Only a .stow file can be a snapshot; other formats hold an instance.
const Formats& snapshot_formats() {
  static const Formats kFormats = {"snapshots", {"stow"}, "stow"};
  return kFormats;
}

/// Standard output has the answers, or takes the snapshot of -o.
void refuse_standard_output(const std::string& file, const char* key) {
  if (file == "-") throw Failure(std::string("\"") + key + "\": names a file; standard output has other uses here");
}

/// A session and the answers to its commands, one JSON object each.
class SessionRun {
 public:
  SessionRun(const InstanceBytes& bytes, const std::string& source, CsvCells cells, const Console& console)
      : source_(source), cells_(cells), console_(console), session_(open(bytes, source)), terms_(root(session_.snapshot())) {}

  /// Carries out a line and prints its answer; returns false where the line is refused.
  bool run(std::string_view line, std::size_t number) {
    const auto answer = [&](const auto& write) {
      JsonObject json(console_.out);
      json.key("line").whole(number);
      const bool done = write(json);
      json.print();
      console_.out << std::flush;
      return done;
    };
    try {
      return answer([&](JsonWriter& json) {
        return carry_out(read_session_command(line, "line " + std::to_string(number), terms_), json);
      });
    } catch (const Failure& failure) {
      if (failure.exit_code() == kExitInternal) throw;
      return answer([&](JsonWriter& json) {
        json.key("ok").flag(false).key("message").text(failure.what());
        return false;
      });
    }
  }

  void write_snapshot(const std::string& path) {
    OutputFile out(path);
    out.write(session_.snapshot().span());
    out.commit();
  }
  /// Prints what came of `lines` commands: on standard error for people, else as one more object.
  void print_summary(Summary summary, std::size_t lines, std::size_t refused) {
    const State state = present_state();
    if (summary == Summary::kJson) {
      JsonObject json(console_.out);
      json.key("commands").whole(lines).key("refused").whole(refused);
      write_state(json, state);
      json.print();
      return;
    }
    std::string nodes;
    for (const wire::NodeState one : wire::EnumValuesNodeState()) {
      const std::uint64_t count = state.nodes.at(static_cast<std::size_t>(one));
      if (count > 0) nodes += (nodes.empty() ? "" : ", ") + std::to_string(count) + " " + word_of<wire::NodeState>(one);
    }
    console_.err << counted(lines, "command") << ", " << refused << " refused; version " << state.version << ": "
                 << counted(state.apps, "app") << ", of which " << counted(state.running, "replica") << " run and "
                 << state.pending << " are pending; nodes: " << (nodes.empty() ? "none" : nodes) << '\n';
  }

 private:
  static Session open(const InstanceBytes& bytes, const std::string& source) {
    try {
      return Session::open(bytes.bytes());
    } catch (const Error& error) {
      const bool internal = error.status() == STOWAGE_INTERNAL || error.status() == STOWAGE_OUT_OF_MEMORY;
      throw Failure(source + ": " + describe_error(error, &bytes.root()), internal ? kExitInternal : kExitInput);
    }
  }
  static const wire::Instance& root(const Buffer& snapshot) { return *wire::GetInstance(snapshot.data()); }

  bool carry_out(const SessionCommand& command, JsonWriter& json) {
    try {
      switch (command.kind) {
        case SessionCommand::Kind::kOperations:
          session_.apply({command.operations.data(), command.operations.size()});
          json.key("ok").flag(true).key("version").whole(session_.version());
          return true;
        case SessionCommand::Kind::kPlan:
          plan(command, json);
          return true;
        case SessionCommand::Kind::kCommit:
          commit(command, json);
          return true;
        case SessionCommand::Kind::kReject:
          session_.reject(made_plan());
          plan_ = Buffer();
          json.key("ok").flag(true).key("version").whole(session_.version());
          return true;
        case SessionCommand::Kind::kSnapshot:
          refuse_standard_output(command.file, "file");
          format_of(command.file, {}, snapshot_formats());
          write_snapshot(command.file);
          json.key("ok").flag(true).key("file").text(command.file);
          return true;
        case SessionCommand::Kind::kShow:
          show(command, json);
          return true;
        case SessionCommand::Kind::kStatus:
          status(json);
          return true;
      }
    } catch (const Error& error) {
      if (error.status() == STOWAGE_INTERNAL || error.status() == STOWAGE_OUT_OF_MEMORY) {
        throw Failure(describe_error(error, nullptr), kExitInternal);
      }
      std::string path = error.path();
      // A line is one operation, unless it is a batch.
      constexpr std::string_view kOnly = "operations[0].";
      if (!command.batch && path.starts_with(kOnly)) path.erase(0, kOnly.size());
      json.key("ok").flag(false).key("status").text(stowage_status_text(error.status()));
      json.key("path").text(path).key("message").text(error.what());
    }
    return false;
  }

  [[nodiscard]] const Buffer& made_plan() const {
    if (plan_.empty()) throw Failure("there is no plan; use \"plan\" first");
    return plan_;
  }

  void plan(const SessionCommand& command, JsonWriter& json) {
    refuse_standard_output(command.file, "output");
    if (!command.file.empty()) format_of(command.file, {}, plan_formats());
    const Workload workload{source_, InstanceBytes(session_.snapshot()), session_.instance()};
    PlanRun run = run_plan(session_, workload, command.request, console_);
    const wire::Plan& plan = run.root();
    if (!command.file.empty()) write_plan(workload, run.plan.span(), command.file, cells_);
    json.key("ok").flag(true).key("version").whole(session_.version());
    json.key("planner").text(plan.planner()->str()).key("status").text(word_of<wire::PlanStatus>(plan.status()));
    json.key("nodes").whole(nodes_in_use(plan));
    const auto every = [](const auto&) { return true; };
    json.key("placed").whole(replicas_placed(plan)).key("unplaced").whole(replicas_in(plan.unplaced(), every));
    json.key("moves").whole(plan.moves()).key("work").whole(plan.work());
    if (plan.pace() > 0) json.key("pace").whole(plan.pace());
    write_options(json, run.options);
    plan_ = std::move(run.plan);
  }

  void commit(const SessionCommand& command, JsonWriter& json) {
    const Buffer report = session_.commit(made_plan(), command.mode);
    const wire::Commit& commit = *wire::GetReport(report.data())->body_as_Commit();
    json.key("ok").flag(true).key("committed").flag(commit.committed());
    json.key("planned_version").whole(commit.planned_version()).key("version").whole(commit.version());
    json.key("placed").whole(commit.placed()).key("moved").whole(commit.moved()).key("ended").whole(commit.ended());
    json.list("opened", commit.opened(), [&](const flatbuffers::String* name) { json.text(name->string_view()); })
        .list("conflicts", commit.conflicts(), [&](const wire::Conflict* one) {
          json.begin_object().key("kind").text(word_of<wire::ConflictKind>(one->kind()));
          if (one->app() != nullptr) json.key("app").text(one->app()->string_view());
          if (one->node() != nullptr) json.key("node").text(one->node()->string_view());
          json.key("wanted").whole(one->wanted()).key("available").whole(one->available()).end_object();
        });
  }

  struct State {
    std::uint64_t version = 0;
    std::uint64_t apps = 0;
    std::uint64_t running = 0;
    std::uint64_t pending = 0;
    std::uint64_t waiting = 0;
    std::array<std::uint64_t, 4> nodes{};  ///< by their state
  };

  State present_state() {
    const Buffer snapshot = session_.snapshot();
    const wire::Instance& instance = root(snapshot);
    const auto every = [](const auto&) { return true; };
    const auto& wanted = *instance.apps()->replicas();
    State state;
    state.version = session_.version();
    state.apps = wanted.size();
    state.running = replicas_in(instance.running(), every);
    state.pending = std::accumulate(wanted.begin(), wanted.end(), std::uint64_t{0}) - state.running;
    state.waiting = replicas_in(instance.session()->waiting_pins(), every);
    for (flatbuffers::uoffset_t n = 0; n < instance.session()->node_state()->size(); ++n) {
      ++state.nodes.at(static_cast<std::size_t>(instance.session()->node_state()->Get(n)));
    }
    return state;
  }

  static void write_state(JsonWriter& json, const State& state) {
    json.key("version").whole(state.version).key("apps").whole(state.apps);
    json.key("running").whole(state.running).key("pending").whole(state.pending).key("waiting").whole(state.waiting);
    json.key("nodes").begin_object();
    for (const wire::NodeState one : wire::EnumValuesNodeState()) {
      json.key(word_of<wire::NodeState>(one)).whole(state.nodes.at(static_cast<std::size_t>(one)));
    }
    json.end_object();
  }

  void status(JsonWriter& json) {
    json.key("ok").flag(true);
    write_state(json, present_state());
  }

  void show(const SessionCommand& command, JsonWriter& json) {
    const Buffer snapshot = session_.snapshot();
    const wire::Instance& instance = root(snapshot);
    const Names names(instance);
    const auto find = [](const auto* list, const std::string& name) {
      std::uint32_t at = 0;
      while (list != nullptr && at < list->size() && list->Get(at)->string_view() != name) ++at;
      return list != nullptr && at < list->size() ? at : kNone;
    };
    const auto list = [&](const char* key, const auto* residences, const auto& belongs, const auto& name) {
      json.key(key).begin_object();
      if (residences != nullptr) {
        for (const wire::Residence* one : *residences) {
          if (belongs(*one)) json.key(name(*one)).whole(one->replicas());
        }
      }
      json.end_object();
    };
    if (command.app) {
      const std::uint32_t app = find(instance.apps()->names(), *command.app);
      if (app == kNone) throw Failure("there is no app \"" + *command.app + "\"");
      const auto belongs = [&](const wire::Residence& one) { return one.app() == app; };
      const auto node = [&](const wire::Residence& one) { return names.listed(one.node()); };
      const std::uint64_t waiting = replicas_in(instance.session()->waiting_pins(), belongs);
      const std::uint64_t planned = instance.apps()->replicas()->Get(app);
      json.key("ok").flag(true).key("app").text(*command.app).key("replicas").whole(planned + waiting);
      json.key("pending").whole(planned - replicas_in(instance.running(), belongs)).key("waiting").whole(waiting);
      list("running", instance.running(), belongs, node);
      list("pinned", instance.pinned(), belongs, node);
      return;
    }
    const std::uint32_t node = find(instance.nodes() == nullptr ? nullptr : instance.nodes()->names(), *command.node);
    if (node == kNone) throw Failure("there is no node \"" + *command.node + "\"");
    const auto belongs = [&](const wire::Residence& one) { return one.node() == node; };
    const auto app = [&](const wire::Residence& one) { return names.app(one.app()); };
    json.key("ok").flag(true).key("node").text(*command.node);
    json.key("class").text(names.node_class(instance.nodes()->node_class()->Get(node)));
    json.key("state").text(word_of<wire::NodeState>(instance.session()->node_state()->Get(node)));
    list("running", instance.running(), belongs, app);
    list("pinned", instance.pinned(), belongs, app);
  }

  std::string source_;
  CsvCells cells_;
  const Console& console_;
  Session session_;
  SessionTerms terms_;
  Buffer plan_;
};

/// Reads a line of standard input; returns false at the end.
bool next_line(std::string& line) {
  line.clear();
  for (int letter = std::getc(stdin); letter != EOF; letter = std::getc(stdin)) {
    if (letter == '\n') return true;
    if (line.size() == InputFile::kMostRead) throw Failure("standard input: a line is too long");
    line += static_cast<char>(letter);
  }
  if (std::ferror(stdin) != 0) throw Failure(std::string("standard input: cannot be read: ") + std::strerror(errno));
  return !line.empty();
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

int run_session_command(const SessionCommandLine& command, const Console& console) {
  if (command.file == "-" && command.script == "-") {
    throw Failure("the instance and the commands cannot both come from standard input; name a file for one of them");
  }
  const std::vector<std::string> outputs = command.output ? std::vector{*command.output} : std::vector<std::string>();
  check_outputs(outputs, {}, snapshot_formats());
  const Console answers = answer_console(console, outputs);
  const InterruptGuard guard;
  GivenNodes nodes;
  auto file = open_instance(command.file, nodes);
  const std::string name = file->name();
  SessionRun run(read_instance(std::move(file), nodes), name, command.cells, answers);
  std::size_t number = 0;
  std::size_t commands = 0;
  std::size_t refused = 0;
  const auto next = [&](std::string_view line) {
    ++number;
    if (!is_blank(line)) {
      ++commands;
      refused += run.run(line, number) ? 0 : 1;
    }
    return !InterruptGuard::interrupted() && (refused == 0 || !command.stop);
  };
  if (command.script == "-") {
    // Flushed line by line, so that a program on the other side gets each answer at once.
    for (std::string line; next_line(line) && next(line);) {
    }
  } else {
    const InputFile script(command.script);
    std::string_view rest = script.text();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (!next(rest.substr(0, end))) break;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (command.output) run.write_snapshot(*command.output);
  if (command.summary) run.print_summary(*command.summary, commands, refused);
  if (InterruptGuard::interrupted()) return kExitUnmet;
  return refused == 0 ? kExitOk : kExitInput;
}

}  // namespace stowage::cli
