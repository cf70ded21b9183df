// Nodes that fail or are drained: where their pods would go.
#include <algorithm>
#include <cmath>
#include <memory>

#include "capi/k8s/questions/questions.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"

namespace stowage::k8s {
namespace {

/// What the library says about pods whose nodes fail, while all others stay where they are.
struct LossOf {
  std::map<std::string, std::string> to;  ///< the nodes of those for which there is a place, by namespace and name
  std::string short_of;                   ///< what the other nodes have too little of in all; "" = nothing
};

LossOf find_loss(Objects& from, const Options& options, const std::set<View>& down, const Evicted& gone,
                 stowage_control* control) {
  Cluster cluster = read_cluster(from);
  // Jobs start again elsewhere, where their nodes fail.
  for (App& app : cluster.apps) app.pinned = false;
  Planning planning(std::move(cluster), options, control);
  const Cluster& of = planning.model.cluster;
  cli::RequestData request;
  request.planner = options.planner;
  request.work_limit = 1;
  const Planned made = planning.plan(Scope::kHere, {}, request);
  std::vector<std::uint32_t> lost;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    if (down.contains(of.nodes[n].name)) lost.push_back(static_cast<std::uint32_t>(n));
  }
  LossOf found;
  if (lost.empty()) return found;
  const Buffer report = made.instance->losses(lost);
  const auto* losses = wire::GetReport(report.data())->body_as<wire::Losses>()->losses();
  if (losses == nullptr || losses->size() == 0) return found;
  const wire::Loss& loss = *losses->Get(0);
  if (loss.short_resource() != 4294967295U) {
    found.short_of = of.from.resources.text(planning.model.resources[loss.short_resource()], std::llround(loss.short_amount()));
  }
  std::vector<std::vector<std::string>> waiting(of.apps.size());
  for (std::size_t i = 0; i < of.apps.size(); ++i) {
    for (const std::string& pod : of.apps[i].pods) {
      const std::string name = std::string(of.apps[i].ns) + "/" + pod;
      if (gone.pods.contains(name)) waiting[i].push_back(name);
    }
  }
  for (std::uint32_t k = 0; loss.app() != nullptr && k < loss.app()->size(); ++k) {
    auto& list = waiting[loss.app()->Get(k)];
    for (std::uint32_t count = loss.count()->Get(k); count > 0 && !list.empty(); --count) {
      const std::uint32_t to = loss.to()->Get(k);
      if (to < of.nodes.size()) found.to[list.back()] = std::string(of.nodes[to].name);
      list.pop_back();
    }
  }
  return found;
}

/// The moves from nodes to where their replicas are under a plan without these nodes; `ran` by workload and node.
std::vector<Move> arrivals(const Planning& after, std::map<std::string, std::map<std::string, std::uint32_t>> ran) {
  std::vector<Move> moves;
  for (Move one : after.move_list(after.as_is)) {
    auto& from = ran[one.workload];
    while (one.from.empty() && one.replicas > 0 && !from.empty()) {
      Move part = one;
      part.from = from.begin()->first;
      part.replicas = std::min(one.replicas, from.begin()->second);
      one.replicas -= part.replicas;
      if ((from.begin()->second -= part.replicas) == 0) from.erase(from.begin());
      moves.push_back(std::move(part));
    }
  }
  return moves;
}

std::map<std::string, std::map<std::string, std::uint32_t>> running_on(const Cluster& of, const std::set<View>& nodes) {
  std::map<std::string, std::map<std::string, std::uint32_t>> all;
  for (const App& app : of.apps) {
    for (const auto& [node, count] : app.running) {
      const PresentNode& at = of.nodes[static_cast<std::size_t>(node)];
      if (nodes.contains(at.name)) all[app.workload()][std::string(at.name)] += count;
    }
  }
  return all;
}

/// The same moves, of the apps of another reading: those that ran where the moves begin.
std::vector<Move> of_apps(std::vector<Move> moves, const Cluster& of) {
  for (Move& one : moves) {
    const int from = of.find_node(one.from);
    for (std::size_t i = 0; i < of.apps.size(); ++i) {
      if (of.apps[i].workload() == one.workload && of.apps[i].running.contains(from)) one.app = static_cast<int>(i);
    }
  }
  return moves;
}

}  // namespace

Outcome answer_what_if(Objects& from, const ReadCall& with, stowage_control* control) {
  if (with.change.texts.empty()) throw cli::Failure("whatif: give at least one of --replicas, --zone-down, --node-down, --add");
  Planning before(read_cluster(from), with.options, control);
  before.begin();
  Objects after_objects = from;
  std::set<View> down;
  const Evicted gone = apply(after_objects, with.change, down);
  LossOf loss;
  if (with.change.replicas.empty() && with.change.add.empty()) {
    Objects whole = from;
    std::erase_if(whole.pods, [&](const Pod& pod) { return ranges::find(gone.lost, pod.path()) != gone.lost.end(); });
    loss = find_loss(whole, with.options, down, gone, control);
  }
  // Twice, where it has to be: with the pods of failed nodes where the answer about the loss puts them, and with them waiting
  // like all others. The plan that leaves fewer over is kept.
  auto after = std::make_unique<Planning>(make_cluster(after_objects), with.options, control);
  after->begin();
  Objects moved = after_objects;
  if (after->as_is.total() > before.as_is.total() && !loss.to.empty()) {
    place_pods(moved, loss.to);
    auto other = std::make_unique<Planning>(make_cluster(moved), with.options, control);
    other->begin();
    if (other->as_is.total() < after->as_is.total()) after = std::move(other);
  }
  Answer answer;
  after->start(answer);
  after->fit(answer);
  std::vector<Move> moves = arrivals(*after, running_on(before.model.cluster, down));
  for (const auto& [pod, node] : loss.to) {
    // Pods that were put on their new nodes wait no more.
    if (&after->model.cluster.from != &moved) break;
    for (const App& app : after->model.cluster.apps) {
      const std::string name = pod.substr(pod.find('/') + 1);
      if (ranges::find(app.pods, name) == app.pods.end() || pod.substr(0, pod.find('/')) != app.ns) continue;
      moves.push_back({app.workload(), 1, gone.pods.at(pod), node, 0});
    }
  }
  const std::string short_text = loss.short_of.empty() ? ""
                                                       : "the nodes that remain are short of " + loss.short_of +
                                                             " in all: no way to place all of them exists";
  const Cluster& cluster = after->model.cluster;
  Outcome made;
  made.exit_code = exit_code_of(answer.unplaced.empty(), cluster);
  if (with.options.json) {
    made.text = json_object([&](cli::JsonWriter& to) {
      write_answer(to, answer, *after, false);
      write_texts(to, "changes", with.change.texts);
      to.line(2).key("evicted").whole(gone.pods.size());
      write_texts(to, "lost", gone.lost);
      to.line(2).key("before").whole(before.as_is.total());
      write_moves(to, "moves", moves);
      if (!short_text.empty()) to.line(2).key("short").text(short_text);
    });
    return made;
  }
  std::string changes;
  for (const std::string& one : with.change.texts) changes += (changes.empty() ? "" : ", and ") + one;
  made.text = "If " + changes + "\n" + std::to_string(answer.nodes) + " nodes, " + std::to_string(answer.workloads) +
              " workloads with " + std::to_string(answer.replicas) + " replicas; " + std::to_string(gone.pods.size()) +
              " pods lose their node; replicas that did not fit before: " + std::to_string(before.as_is.total()) + "\n";
  if (!moves.empty()) {
    made.text += "\nWhere pods of failed nodes would go\n";
    print_moves(made.text, moves);
  }
  print_fit(made.text, answer);
  if (!short_text.empty()) made.text += "\nThere is no better way: " + short_text + "\n";
  print_lines(made.text, "Pods that are lost, because no controller makes them again", gone.lost);
  print_tail(made.text, cluster);
  return made;
}

Outcome answer_drain(Objects& from, const ReadCall& with, stowage_control* control) {
  if (with.call.operands.empty()) throw cli::Failure("drain: which nodes?");
  Planning before(read_cluster(from), with.options, control);
  before.begin();
  std::set<View> drained;
  std::vector<std::string> names;
  for (const std::string& operand : with.call.operands) {
    const View name = View(operand).substr(operand.starts_with("node/") ? 5 : 0);
    const int node = before.model.cluster.find_node(name);
    if (node < 0) throw cli::Failure("drain: there is no node \"" + std::string(name) + "\"");
    if (drained.insert(before.model.cluster.nodes[static_cast<std::size_t>(node)].name).second) names.emplace_back(name);
  }
  ranges::sort(names);
  std::vector<std::string> blocked, local;
  for (const App& app : before.model.cluster.apps) {
    for (const auto& [node, count] : app.running) {
      const View name = before.model.cluster.nodes[static_cast<std::size_t>(node)].name;
      if (!drained.contains(name)) continue;
      if (app.held) blocked.push_back(app.workload() + " on node " + std::string(name) + ": " + app.held_by);
      for (const std::string& one : app.local_data) {
        local.push_back(app.workload() + " on node " + std::string(name) + " has local storage: " + one +
                        (one.starts_with("emptyDir") ? "; kubectl drain needs --delete-emptydir-data" : ""));
      }
    }
  }
  std::map<std::string, std::int64_t> left;
  const std::vector<std::uint32_t> over = before.as_is.unplaced();
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (over[i] > 0) left[before.model.cluster.apps[i].title] = over[i];
  }
  Objects after_objects = from;
  for (Node& one : after_objects.nodes) {
    if (drained.contains(one.name)) one.cordoned = true;
  }
  const Evicted gone = evict(after_objects, drained);
  Cluster cluster = make_cluster(after_objects);
  for (PresentNode& one : cluster.nodes) {
    if (drained.contains(one.name)) one.closed_by = "is drained";
  }
  Planning after(std::move(cluster), with.options, control);
  after.begin(left);
  const std::vector<Move> moves = arrivals(after, running_on(before.model.cluster, drained));
  const std::vector<std::string> rounds = before.rounds(of_apps(moves, before.model.cluster));
  const std::vector<Unplaced> unplaced = after.explain_unplaced(after.as_is, Scope::kHere);
  Outcome made;
  made.exit_code = unplaced.empty() && blocked.empty() ? exit_code_of(true, after.model.cluster) : cli::kExitUnmet;
  if (with.options.json) {
    made.text = json_object([&](cli::JsonWriter& to) {
      write_texts(to, "drained", names);
      to.line(2).key("evicted").whole(gone.pods.size());
      write_texts(to, "lost", gone.lost);
      write_texts(to, "blocked", blocked);
      write_texts(to, "localData", local);
      write_moves(to, "moves", moves);
      if (!rounds.empty()) write_texts(to, "rounds", rounds);
      write_unplaced(to, "unplaced", unplaced);
      write_notes(to, after.model.cluster);
    });
    return made;
  }
  std::string all;
  for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
  made.text = "Draining " + all + ": " + std::to_string(gone.pods.size() + gone.lost.size()) + " pods have to leave\n";
  if (!moves.empty()) {
    made.text += "\nWhere they would go\n";
    print_moves(made.text, moves);
  }
  made.text += "\nWhat does not fit on the other nodes\n";
  print_unplaced(made.text, unplaced);
  print_lines(made.text, "Pods that may not leave now", blocked);
  print_lines(made.text, "Data that is lost or stays behind", local);
  print_lines(made.text, "Pods that are lost, because no controller makes them again", gone.lost);
  print_lines(made.text, "Moves that take several rounds", rounds);
  print_tail(made.text, after.model.cluster);
  return made;
}

}  // namespace stowage::k8s
