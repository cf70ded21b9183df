// Why a pod is where it is, or waits.
#include <algorithm>

#include "capi/k8s/questions/questions.h"
#include "capi/text/base/failure.h"

namespace stowage::k8s {
namespace {

struct Explained {
  std::string pod, workload, state, held;
  std::vector<std::string> requests;
  std::int64_t priority = 0;
  Why why;
  std::vector<std::string> left_out;
  bool placed = true;
};

void join(std::string& to, const std::string& text, const char* between = ", ") { to += (to.empty() ? "" : between) + text; }

/// The app of a pod, or of a workload by its own name; and the pod's path if it is one.
std::size_t find_app(const Cluster& of, const std::string& name, std::string& pod) {
  std::vector<std::size_t> found;
  std::vector<std::string> pods;
  for (std::size_t i = 0; i < of.apps.size(); ++i) {
    for (const std::string& one : of.apps[i].pods) {
      const std::string path = std::string(of.apps[i].ns) + "/" + one;
      if (one != name && path != name) continue;
      found.push_back(i);
      pods.push_back(path);
    }
  }
  if (found.empty()) {
    // Of several variants of one workload, the one that waits is meant.
    std::map<std::string, std::size_t> best;
    for (std::size_t i = 0; i < of.apps.size(); ++i) {
      const App& one = of.apps[i];
      const std::string path = one.key.substr(one.key.find(' ') + 1);
      const std::string own = path.substr(path.find('/') + 1);
      if (own != name && path != name && one.key != name && one.workload() != name && one.title != name) continue;
      const auto [at, made] = best.try_emplace(one.workload(), i);
      if (!made && of.apps[at->second].run() == of.apps[at->second].replicas) at->second = i;
    }
    for (const auto& [workload, i] : best) found.push_back(i);
    pods.resize(found.size());
  }
  if (found.empty()) throw cli::Failure("explain: there is no pod or workload \"" + name + "\" that the plans place");
  if (found.size() > 1) {
    std::string names;
    for (const std::size_t i : found) join(names, of.apps[i].title, "; ");
    throw cli::Failure("explain: \"" + name + "\" may be one of: " + names);
  }
  pod = pods.front();
  return found.front();
}

/// Where a pod runs or, where it waits, where the plan puts it.
std::string state_of(const Planning& of, std::size_t i, const std::string& pod, bool& placed) {
  const Cluster& cluster = of.model.cluster;
  const App& app = cluster.apps[i];
  for (const Pod& one : cluster.from.pods) {
    if (!pod.empty() && one.path() == pod && !one.node.empty()) return "runs on node " + std::string(one.node);
  }
  std::string state =
      pod.empty() ? std::to_string(app.run()) + " of " + std::to_string(app.replicas) + " replicas run" : "waits";
  std::string names;
  for (const auto& [node, count] : app.running) join(names, std::string(cluster.nodes[static_cast<std::size_t>(node)].name));
  if (pod.empty() && !names.empty()) state += " on " + names;
  std::string room;
  for (const Move& one : of.move_list(of.as_is)) {
    if (one.app == static_cast<int>(i)) join(room, one.to);
  }
  if (!room.empty()) state += "; there is room on " + room;
  const std::uint32_t left = of.as_is.unplaced()[i];
  placed = left == 0;
  if (left > 0) state += "; there is no room for " + std::to_string(left);
  return state;
}

/// A daemon set: on which nodes its pods find no room.
bool explain_daemon(const Cluster& of, const std::string& name, Explained& to) {
  for (const Daemon& one : of.daemons) {
    const std::string path = one.name.substr(one.name.rfind(' ') + 1);
    if (one.name != name && path != name && path.substr(path.find('/') + 1) != name) continue;
    to.workload = one.name;
    to.placed = one.left_over.empty();
    to.state = std::to_string(one.on.size() - one.waits.size()) + " of its pods run";
    for (const int node : one.left_over) {
      const PresentNode& at = of.nodes[static_cast<std::size_t>(node)];
      Amounts free = at.capacity;
      free.add(at.daemon, -1);
      for (const App& app : of.apps) {
        const auto runs = app.running.find(node);
        if (runs != app.running.end()) free.add(app.requests, -static_cast<std::int64_t>(runs->second));
      }
      const auto found = one.on.find(node);
      std::string lacks;
      for (const auto& [resource, amount] : found == one.on.end() ? one.requests : found->second) {
        const std::int64_t lack = amount - free.get(resource);
        if (amount > 0 && lack > 0) join(lacks, "short of " + of.from.resources.text(resource, lack));
      }
      to.why.why.push_back("node " + std::string(at.name) + ": " + lacks);
    }
    return true;
  }
  return false;
}

void print_explained(const Explained& one, std::string& out) {
  out += one.pod.empty() ? one.workload + "\n" : "pod " + one.pod + " of " + one.workload + "\n";
  out += "  " + one.state + "\n";
  std::string requests;
  for (const std::string& text : one.requests) join(requests, text);
  if (!requests.empty()) out += "  requests " + requests + "\n";
  if (one.priority != 0) out += "  priority " + std::to_string(one.priority) + "\n";
  if (!one.held.empty()) out += "  cannot leave its node: " + one.held + "\n";
  print_lines(out, "Nodes that take one more", one.why.takes.empty() ? std::vector<std::string>{"none"} : one.why.takes);
  print_lines(out, "Why others do not", one.why.why);
  print_lines(out, "What would help", one.why.help);
  print_lines(out, "Not taken into account", one.left_out);
}

}  // namespace

Outcome answer_explain(Objects& from, const ReadCall& with, stowage_control* control) {
  if (with.call.operands.size() != 1)
    throw cli::Failure("explain: which pod? NAMESPACE/POD, POD, or NAMESPACE/NAME of a workload");
  const std::string& operand = with.call.operands.front();
  const std::string name = operand.starts_with("pod/") ? operand.substr(4) : operand;
  Planning planning(read_cluster(from), with.options, control);
  planning.begin();
  const Cluster& cluster = planning.model.cluster;
  Explained made;
  if (!explain_daemon(cluster, name, made)) {
    const std::size_t i = find_app(cluster, name, made.pod);
    const App& app = cluster.apps[i];
    made.workload = app.workload();
    made.priority = app.priority;
    made.state = state_of(planning, i, made.pod, made.placed);
    made.held = app.held_by;
    for (const int resource : planning.model.resources) {
      const std::int64_t amount = app.requests.get(resource);
      if (amount > 0 && resource != ResourceNames::kPods)
        made.requests.push_back(cluster.from.resources.text(resource, amount));
    }
    made.why = planning.why(planning.as_is, Scope::kHere, i);
    if (made.why.takes.size() == cluster.nodes.size()) made.why.why.clear();
    for (const auto* list : {&cluster.left_out, &cluster.missing}) {
      for (const std::string& text : *list) {
        const bool about = text.find(app.key) != std::string::npos || text.starts_with("shared GPUs") ||
                           text.find("PreferNoSchedule") != std::string::npos;
        if (about) made.left_out.push_back(text);
      }
    }
  }
  Outcome outcome;
  outcome.exit_code = made.placed ? 0 : static_cast<int>(cli::kExitUnmet);
  if (!with.options.json) {
    print_explained(made, outcome.text);
    return outcome;
  }
  cli::JsonWriter to(outcome.text);
  to.begin_object()
      .line(2)
      .key("pod")
      .text(made.pod)
      .line(2)
      .key("workload")
      .text(made.workload)
      .line(2)
      .key("state")
      .text(made.state);
  write_texts(to, "requests", made.requests);
  to.line(2).key("priority").integer(made.priority);
  write_texts(to, "takes", made.why.takes);
  write_texts(to, "why", made.why.why);
  write_texts(to, "help", made.why.help);
  if (!made.held.empty()) to.line(2).key("held").text(made.held);
  write_texts(to, "leftOut", made.left_out);
  to.line(0).end_object();
  outcome.text += "\n";
  return outcome;
}

}  // namespace stowage::k8s
