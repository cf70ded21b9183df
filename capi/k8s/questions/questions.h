// The questions, each with its answer.
#pragma once

#include "capi/k8s/answer/output.h"
#include "capi/k8s/questions/options.h"

namespace stowage::k8s {

/// What nodes need, and which can go.
Outcome answer_parts(Objects& from, const ReadCall& with, const Parts& parts, stowage_control* control);
Outcome answer_what_if(Objects& from, const ReadCall& with, stowage_control* control);
Outcome answer_drain(Objects& from, const ReadCall& with, stowage_control* control);
/// Which node group to grow, for cluster-autoscaler: {"pods": [...], "groups": [{"id", "nodes", "node", "pods": [0, 1]}]}, with
/// the pods that wait, of which each group takes some, and a new node of each group.
Outcome answer_expand(Objects& from, const ReadCall& with, At groups, stowage_control* control);
Outcome answer_explain(Objects& from, const ReadCall& with, stowage_control* control);
/// The present nodes and what runs on them as an instance, and what the instance does not say.
Outcome answer_instance(Objects& from, const ReadCall& with);

/// Fails where the input has no node that takes pods.
Cluster read_cluster(Objects& from);

/// An object whose members `write` adds.
template <class Write>
std::string json_object(Write&& write) {
  std::string text;
  cli::JsonWriter to(text);
  to.begin_object();
  write(to);
  to.line(0).end_object();
  return text + "\n";
}

/// 2 where something is left over, 4 where that depends on what is not in the input, else 0.
int exit_code_of(bool fits, const Cluster& of);

}  // namespace stowage::k8s
