#include "capi/k8s/questions/questions.h"

#include <algorithm>

#include "capi/k8s/model/types.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/table.h"

namespace stowage::k8s {
namespace {

void print_head(const Answer& answer, std::string& out) {
  out += std::to_string(answer.nodes) + " nodes, " + std::to_string(answer.workloads) + " workloads with " +
         std::to_string(answer.replicas) + " replicas\n";
}

}  // namespace

Cluster read_cluster(Objects& from) {
  if (from.nodes.empty()) {
    throw cli::Failure(
        "the input has no nodes; it is what this prints: kubectl get nodes,deployments,statefulsets,pods -A -o json");
  }
  Cluster made = make_cluster(from);
  if (made.nodes.empty())
    throw cli::Failure("the input has no node that takes pods: " + (made.notes.empty() ? "" : made.notes.front()));
  return made;
}

int exit_code_of(bool fits, const Cluster& of) {
  if (!fits) return cli::kExitUnmet;
  return of.missing.empty() ? cli::kExitOk : kExitUncertain;
}

Outcome answer_parts(Objects& from, const ReadCall& with, const Parts& parts, stowage_control* control) {
  Planning planning(read_cluster(from), with.options, control);
  planning.begin();
  Answer answer;
  planning.start(answer);
  if (parts.fit) planning.fit(answer);
  if (parts.afresh) planning.afresh(answer);
  if (parts.consolidate) planning.consolidate(answer, !parts.fit);
  // The answer to everything stays short.
  if (parts.consolidate && !parts.fit) planning.simulate_drains(answer);
  if (parts.table) planning.table(answer);
  const Cluster& cluster = planning.model.cluster;
  Outcome made;
  made.exit_code = parts.fit ? exit_code_of(answer.unplaced.empty(), cluster) : cli::kExitOk;
  if (with.options.script) {
    if (!parts.consolidate || parts.fit) throw cli::Failure("-script: only with consolidate");
    print_script(answer, cluster, made.text);
    return made;
  }
  if (with.options.json) {
    made.text = json_object([&](cli::JsonWriter& to) { write_answer(to, answer, planning, true); });
  } else {
    print_head(answer, made.text);
    print_answer(answer, cluster, parts, made.text);
  }
  return made;
}

Outcome answer(const Call& call, const std::vector<Input>& inputs, const std::map<std::string, std::string>& files,
               stowage_control* control, const At* groups) {
  ReadCall with = read_options(call.arguments);
  if (with.call.help) return {usage(), cli::kExitOk};
  with.options.prices = Prices::standard();
  for (const std::string& one : with.prices) {
    const auto found = files.find(one);
    with.options.prices.set(one, found == files.end() ? nullptr : &found->second);
  }
  Objects from;
  for (const Input& one : inputs) from.read(one.text, one.name);
  for (const std::string& one : with.types) {
    const auto found = files.find(one);
    if (found == files.end()) throw cli::Failure("-types: there is no file " + one);
    read_types(found->second, one, from, with.options.prices);
  }
  const std::string& question = with.call.question;
  if (question == "expand") {
    if (groups == nullptr) throw cli::Failure("expand: there are no groups");
    return answer_expand(from, with, *groups, control);
  }
  if (question == "whatif") return answer_what_if(from, with, control);
  if (question == "drain") return answer_drain(from, with, control);
  if (question == "explain") return answer_explain(from, with, control);
  if (question == "instance") return answer_instance(from, with);
  Parts parts;
  parts.fit = question != "consolidate";
  parts.afresh = question.empty() || question == "nodes";
  parts.consolidate = question.empty() || question == "consolidate";
  parts.table = question == "nodes";
  return answer_parts(from, with, parts, control);
}

}  // namespace stowage::k8s
