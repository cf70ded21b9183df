#include "capi/k8s/questions/options.h"

#include <array>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"

namespace stowage::k8s {
namespace {

using cli::Failure;

struct Question {
  View name, about;
};
constexpr std::array<Question, 9> kQuestions = {
    {{"", "everything: fit, nodes and consolidate"},
     {"all", "the same"},
     {"consolidate", "which nodes could be emptied, by which moves"},
     {"drain", "drain NODE...: where the pods of these nodes would go"},
     {"explain", "explain POD: which nodes take the pod, and why others do not"},
     {"fit", "what does not fit and why, and nodes to add"},
     {"instance", "the cluster as an instance in JSON, for the other commands; with -json also what the instance leaves out"},
     {"nodes", "the use of the nodes, and how many of which class are needed"},
     {"whatif", "with --replicas, --zone-down, --node-down, --add: what does not fit then"}}};

std::uint64_t whole(const std::string& name, const std::string& text, std::uint64_t most) {
  const auto number = cli::parse_whole(text);
  if (!number || *number > most) {
    throw Failure("-" + name + ": \"" + text + "\" is not a whole number up to " + std::to_string(most));
  }
  return *number;
}

/// "NAME=COUNT".
std::pair<std::string, std::int64_t> number_of(const std::string& name, const std::string& text, const char* form) {
  constexpr std::uint64_t kMost = 1'000'000;
  const std::size_t equals = text.rfind('=');
  const auto number = equals == std::string::npos ? std::nullopt : cli::parse_whole(View(text).substr(equals + 1));
  if (!number || *number > kMost) throw Failure("--" + name + ": must be " + form + ", with a number up to 1000000");
  return {text.substr(0, equals), static_cast<std::int64_t>(*number)};
}

struct OptionOf {
  View name, shown, about;
  void (*take)(ReadCall& to, const std::string& value);
  bool is_flag = false;
};

void take_flag(bool& to, const std::string& value) {
  if (value != "true" && value != "false") throw Failure("\"" + value + "\" is neither true nor false");
  to = value == "true";
}

const std::vector<OptionOf>& all_options() {
  static const std::vector<OptionOf> all = {
      {"f", "FILE",
       "a file of JSON or, with stowage k8s, YAML or a folder of such files, in place of standard input; may be given several "
       "times",
       [](ReadCall& to, const std::string& value) { to.call.files.push_back(value); }},
      {"json", "", "print JSON", [](ReadCall& to, const std::string& value) { take_flag(to.options.json, value); }, true},
      {"placements", "", "with -json: add the plans, node by node",
       [](ReadCall& to, const std::string& value) { take_flag(to.options.placements, value); }, true},
      {"script", "", "consolidate: a shell script that empties the nodes one after the other, and stops where pods wait",
       [](ReadCall& to, const std::string& value) { take_flag(to.options.script, value); }, true},
      {"planner", "NAME", "the planner (auto)", [](ReadCall& to, const std::string& value) { to.options.planner = value; }},
      {"deadline", "TIME", "time for each plan of an answer (1s)",
       [](ReadCall& to, const std::string& value) {
         const auto time = cli::parse_duration(value);
         if (!time || time->count() <= 0) throw Failure("-deadline: \"" + value + "\" is no time (try 1s)");
         to.options.deadline_ms = static_cast<std::uint64_t>(time->count());
       }},
      {"work", "N", "work units for each plan instead of a time: the same input then gives the same answer on any machine",
       [](ReadCall& to, const std::string& value) { to.options.work = whole("work", value, ~std::uint64_t{0}); }},
      {"moves", "N", "how many running replicas may move to empty nodes (1000)",
       [](ReadCall& to, const std::string& value) {
         to.options.moves = static_cast<std::uint32_t>(whole("moves", value, 4294967295U));
       }},
      {"leave-free", "LABEL",
       "consolidate: a label of nodes, such as that of racks; as many of its values as possible are left without pods",
       [](ReadCall& to, const std::string& value) { to.options.leave_free = value; }},
      {"goal", "GOAL",
       "consolidate: what to make small, such as cost~1%, moves or balance:memory; may be given several times, the most "
       "important "
       "goal first",
       [](ReadCall& to, const std::string& value) {
         if (value.empty()) throw Failure("-goal: no goal");
         to.options.goals.push_back(value);
       }},
      {"price", "PRICE",
       "CLASS=AMOUNT, a file of prices by instance type (CSV or JSON; TYPE/spot is that of spot), or default: plan for the "
       "least "
       "cost, not the fewest nodes",
       [](ReadCall& to, const std::string& value) { to.prices.push_back(value); }},
      {"types", "FILE",
       "a table of instance types that may be added (CSV: type,cpu,memory and, where given, price, zones, arch, most, pods and "
       "other resources)",
       [](ReadCall& to, const std::string& value) { to.types.push_back(value); }},
      {"context", "NAME", "where kubectl is asked: its context",
       [](ReadCall& to, const std::string& value) { to.call.context = value; }},
      {"kubeconfig", "FILE", "where kubectl is asked: its configuration",
       [](ReadCall& to, const std::string& value) { to.call.kubeconfig = value; }},
      {"replicas", "NAMESPACE/NAME=COUNT", "whatif: a workload has this many replicas",
       [](ReadCall& to, const std::string& value) {
         const auto [name, count] = number_of("replicas", value, "NAMESPACE/NAME=COUNT");
         to.change.replicas[name] = count;
         to.change.texts.push_back(name + " has " + std::to_string(count) + " replicas");
       }},
      {"add", "CLASS=COUNT", "whatif: so many nodes more, of the instance type or the class of an existing node",
       [](ReadCall& to, const std::string& value) {
         const auto [name, count] = number_of("add", value, "CLASS=COUNT");
         to.change.add[name] += count;
         to.change.texts.push_back(std::to_string(count) + " more nodes of " + name);
       }},
      {"zone-down", "ZONE", "whatif: all nodes of the zone fail",
       [](ReadCall& to, const std::string& value) {
         to.change.zones.push_back(value);
         to.change.texts.push_back("zone " + value + " is down");
       }},
      {"node-down", "NODE", "whatif: the node fails",
       [](ReadCall& to, const std::string& value) {
         to.change.nodes.push_back(value);
         to.change.texts.push_back("node " + value + " is down");
       }},
  };
  return all;
}

}  // namespace

ReadCall read_options(const std::vector<std::string>& arguments) {
  ReadCall made;
  made.call.arguments = arguments;
  std::size_t k = 0;
  const auto is_question = [&](const std::string& word) {
    return !word.empty() && ranges::find(kQuestions, View(word), &Question::name) != kQuestions.end();
  };
  if (k < arguments.size() && is_question(arguments[k])) made.call.question = arguments[k++];
  // What programs ask, and people do not.
  if (k == 0 && !arguments.empty() && arguments[0] == "expand") made.call.question = arguments[k++];
  if (made.call.question == "all") made.call.question.clear();
  for (; k < arguments.size(); ++k) {
    const std::string& word = arguments[k];
    if (word.size() < 2 || word[0] != '-') {
      made.call.operands.push_back(word);
      continue;
    }
    std::string name = word.substr(word.starts_with("--") ? 2 : 1);
    if (name == "help" || name == "h") {
      made.call.help = true;
      return made;
    }
    std::optional<std::string> value;
    if (const std::size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    const auto found = ranges::find(all_options(), View(name), &OptionOf::name);
    if (found == all_options().end()) {
      std::vector<View> known;
      for (const OptionOf& one : all_options()) known.push_back(one.name);
      throw Failure("there is no option -" + name + cli::did_you_mean(name, known));
    }
    if (!value && found->is_flag) value = "true";
    if (!value && k + 1 == arguments.size()) throw Failure("-" + name + ": needs a value");
    found->take(made, value ? *value : arguments[++k]);
  }
  const bool names_objects = made.call.question == "drain" || made.call.question == "explain";
  if (!names_objects) {
    if (made.call.operands.size() > 1)
      throw Failure("one file at most, not " + made.call.operands[0] + " " + made.call.operands[1]);
    made.call.files.insert(made.call.files.end(), made.call.operands.begin(), made.call.operands.end());
    made.call.operands.clear();
  }
  return made;
}

Call read_call(const std::vector<std::string>& arguments, const std::function<bool(const std::string&)>& is_file) {
  ReadCall made = read_options(arguments);
  made.call.prices = made.prices;
  for (const std::string& one : made.prices) {
    if (one != "default" && is_file(one)) made.call.price_files.push_back(one);
  }
  for (auto* list : {&made.call.prices, &made.call.price_files})
    list->insert(list->end(), made.types.begin(), made.types.end());
  return std::move(made.call);
}

std::string described(const Call& call) {
  std::string text;
  cli::JsonWriter to(text);
  to.begin_object();
  const auto add = [&](const std::string& one) { to.text(one); };
  to.list("files", call.files, add).list("prices", call.prices, add);
  to.key("context").text(call.context).key("kubeconfig").text(call.kubeconfig);
  if (call.help) to.key("help").text(usage());
  to.end_object();
  return text;
}

std::string usage() {
  std::string text =
      "Usage: kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage k8s [QUESTION] [OPTION]... "
      "[FILE]\n\nQuestions:\n";
  const auto row = [&](const std::string& head, View about) {
    text += "  " + head + std::string(head.size() < 22 ? 22 - head.size() : 1, ' ') + std::string(about) + "\n";
  };
  for (const Question& one : kQuestions) row(one.name.empty() ? "(none)" : std::string(one.name), one.about);
  text += "\nOptions:\n";
  for (const OptionOf& one : all_options())
    row("-" + std::string(one.name) + (one.shown.empty() ? "" : " " + std::string(one.shown)), one.about);
  return text;
}

}  // namespace stowage::k8s
