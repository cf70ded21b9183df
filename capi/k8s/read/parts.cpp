// Parts of objects: labels, selectors, taints, and the specification of pods.
#include <algorithm>

#include "capi/k8s/read/objects.h"
#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {

void Labels::add(View key, View value) {
  const auto at = ranges::lower_bound(list_, key, &std::pair<View, View>::first);
  if (at != list_.end() && at->first == key) {
    at->second = value;
  } else {
    list_.insert(at, {key, value});
  }
}

const View* Labels::find(View key) const {
  const auto at = ranges::lower_bound(list_, key, &std::pair<View, View>::first);
  return at != list_.end() && at->first == key ? &at->second : nullptr;
}

void Labels::erase(View key) {
  std::erase_if(list_, [&](const auto& one) { return one.first == key; });
}

std::string Taint::text() const {
  constexpr std::array<View, 3> kEffects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  return std::string(key) + (value.empty() ? "" : "=" + std::string(value)) + ":" +
         std::string(kEffects[static_cast<std::size_t>(effect)]);
}

bool Toleration::tolerates(const Taint& taint) const {
  if (effect && *effect != taint.effect) return false;
  if (key.empty()) return any_value;
  return key == taint.key && (any_value || value == taint.value);
}

bool Port::clashes(const Port& other) const {
  constexpr View kAny = "0.0.0.0";
  return number == other.number && protocol == other.protocol &&
         (address == other.address || address == kAny || other.address == kAny);
}

std::vector<View> read_texts(At list) {
  std::vector<View> all;
  for (const At one : list.list()) all.push_back(one.text());
  return all;
}

Labels read_labels(At labels) {
  Labels all;
  for (const At one : labels.members()) all.add(one.key(), one.text());
  return all;
}

namespace {

Requirement read_requirement(At from) {
  constexpr std::array<std::pair<View, Operator>, 6> kOperators = {{{"In", Operator::kIn},
                                                                    {"NotIn", Operator::kNotIn},
                                                                    {"Exists", Operator::kExists},
                                                                    {"DoesNotExist", Operator::kAbsent},
                                                                    {"Gt", Operator::kAbove},
                                                                    {"Lt", Operator::kBelow}}};
  Requirement made;
  made.key = from["key"].text();
  const View name = from["operator"].text();
  const auto found = ranges::find(kOperators, name, &std::pair<View, Operator>::first);
  if (found == kOperators.end()) from.fail("\"" + std::string(name) + "\" is no operator");
  made.is = found->second;
  made.values = read_texts(from["values"]);
  ranges::sort(made.values);
  return made;
}

std::vector<Requirement> read_requirements(At list) {
  std::vector<Requirement> all;
  for (const At one : list.list()) all.push_back(read_requirement(one));
  return all;
}

std::optional<Effect> read_effect(At effect) {
  const View name = effect.text();
  if (name.empty()) return std::nullopt;
  if (name == "NoSchedule") return Effect::kNoSchedule;
  if (name == "PreferNoSchedule") return Effect::kPreferNoSchedule;
  if (name == "NoExecute") return Effect::kNoExecute;
  effect.fail("\"" + std::string(name) + "\" is no effect of a taint");
}

PodTerm read_pod_term(At from) {
  PodTerm made;
  made.topology_key = from["topologyKey"].text();
  made.pods = read_selector(from["labelSelector"]);
  made.namespaces_by_label = read_selector(from["namespaceSelector"]);
  made.namespaces = read_texts(from["namespaces"]);
  made.match_keys = read_texts(from["matchLabelKeys"]);
  made.mismatch_keys = read_texts(from["mismatchLabelKeys"]);
  return made;
}

void read_pod_terms(At from, std::vector<PodTerm>& required, std::vector<PodTerm>& preferred) {
  for (const At one : from["requiredDuringSchedulingIgnoredDuringExecution"].list()) required.push_back(read_pod_term(one));
  for (const At one : from["preferredDuringSchedulingIgnoredDuringExecution"].list()) {
    PodTerm made = read_pod_term(one["podAffinityTerm"]);
    made.weight = one["weight"].whole(1);
    preferred.push_back(std::move(made));
  }
}

NodeTerm read_node_term(At from) {
  return {read_requirements(from["matchExpressions"]), read_requirements(from["matchFields"])};
}

void read_affinity(At from, PodSpec& spec) {
  const At nodes = from["nodeAffinity"];
  if (const At required = nodes["requiredDuringSchedulingIgnoredDuringExecution"]) {
    spec.has_node_terms = true;
    spec.node_terms = read_node_terms(required["nodeSelectorTerms"]);
  }
  for (const At one : nodes["preferredDuringSchedulingIgnoredDuringExecution"].list()) {
    NodeTerm made = read_node_term(one["preference"]);
    made.weight = one["weight"].whole(1);
    spec.preferred_node_terms.push_back(std::move(made));
  }
  read_pod_terms(from["podAffinity"], spec.near, spec.preferred_near);
  read_pod_terms(from["podAntiAffinity"], spec.apart, spec.preferred_apart);
}

Spread read_spread(At from) {
  Spread made;
  made.topology_key = from["topologyKey"].text();
  made.max_skew = std::max<std::int64_t>(from["maxSkew"].whole(1), 1);
  made.min_domains = from["minDomains"].whole();
  made.soft = from["whenUnsatisfiable"].text() == "ScheduleAnyway";
  made.honors_affinity = from["nodeAffinityPolicy"].text() != "Ignore";
  made.honors_taints = from["nodeTaintsPolicy"].text() == "Honor";
  made.pods = read_selector(from["labelSelector"]);
  made.match_keys = read_texts(from["matchLabelKeys"]);
  return made;
}

void read_ports(At list, bool of_host, PodSpec& spec) {
  for (const At one : list.list()) {
    Port made;
    made.number = one["hostPort"].whole();
    if (made.number == 0 && of_host) made.number = one["containerPort"].whole();
    if (made.number == 0) continue;
    made.address = one["hostIP"].text().empty() ? View("0.0.0.0") : one["hostIP"].text();
    made.protocol = one["protocol"].text().empty() ? View("TCP") : one["protocol"].text();
    spec.ports.push_back(made);
  }
}

void read_containers(At list, bool initial, bool of_host, ResourceNames& resources, PodSpec& spec) {
  for (const At one : list.list()) {
    Container made;
    made.name = one["name"].text();
    made.initial = initial;
    made.sidecar = initial && one["restartPolicy"].text() == "Always";
    const At its = one["resources"];
    made.requests = amounts_of(its["requests"], resources);
    made.limits = amounts_of(its["limits"], resources);
    if (!initial || made.sidecar) read_ports(one["ports"], of_host, spec);
    spec.containers.push_back(std::move(made));
  }
}

void read_volumes(At list, PodSpec& spec) {
  for (const At one : list.list()) {
    VolumeUse made;
    made.name = one["name"].text();
    if (const At claim = one["persistentVolumeClaim"]) {
      made.claim = claim["claimName"].text();
    } else if (const At ephemeral = one["ephemeral"]) {
      made.made_with_pod = true;
      made.storage_class = ephemeral["volumeClaimTemplate"]["spec"]["storageClassName"].text();
    } else if (const At csi = one["csi"]) {
      made.driver = csi["driver"].text();
    } else if (const At empty = one["emptyDir"]; empty || one["emptyDir"].is(Dom::Kind::kObject)) {
      made.empty_dir = true;
      made.in_memory = empty["medium"].text() == "Memory";
    } else if (const At host = one["hostPath"]) {
      made.host_path = host["path"].text();
    } else {
      continue;
    }
    spec.volumes.push_back(made);
  }
}

}  // namespace

std::vector<NodeTerm> read_node_terms(At terms) {
  std::vector<NodeTerm> all;
  for (const At one : terms.list()) all.push_back(read_node_term(one));
  return all;
}

Selector read_selector(At selector) {
  Selector made;
  made.given = static_cast<bool>(selector);
  for (const At one : selector["matchLabels"].members()) made.all.push_back({one.key(), Operator::kIn, {one.text()}});
  for (Requirement& one : read_requirements(selector["matchExpressions"])) made.all.push_back(std::move(one));
  return made;
}

std::vector<Taint> read_taints(At taints) {
  std::vector<Taint> all;
  for (const At one : taints.list()) {
    all.push_back({one["key"].text(), one["value"].text(), read_effect(one["effect"]).value_or(Effect::kNoSchedule)});
  }
  return all;
}

std::vector<Toleration> read_tolerations(At tolerations) {
  std::vector<Toleration> all;
  for (const At one : tolerations.list()) {
    all.push_back({one["key"].text(), one["value"].text(), one["operator"].text() == "Exists", read_effect(one["effect"]),
                   static_cast<bool>(one["tolerationSeconds"])});
  }
  return all;
}

std::shared_ptr<const PodSpec> read_pod_spec(At spec, ResourceNames& resources) {
  auto made = std::make_shared<PodSpec>();
  const bool of_host = spec["hostNetwork"].flag();
  read_containers(spec["initContainers"], true, of_host, resources, *made);
  read_containers(spec["containers"], false, of_host, resources, *made);
  made->pod_requests = amounts_of(spec["resources"]["requests"], resources);
  made->pod_limits = amounts_of(spec["resources"]["limits"], resources);
  made->has_overhead = static_cast<bool>(spec["overhead"]);
  made->overhead = amounts_of(spec["overhead"], resources);
  made->node_selector = read_labels(spec["nodeSelector"]);
  read_affinity(spec["affinity"], *made);
  for (const At one : spec["topologySpreadConstraints"].list()) made->spreads.push_back(read_spread(one));
  made->tolerations = read_tolerations(spec["tolerations"]);
  made->node = spec["nodeName"].text();
  made->scheduler = spec["schedulerName"].text();
  made->priority_class = spec["priorityClassName"].text();
  made->runtime_class = spec["runtimeClassName"].text();
  if (const At priority = spec["priority"]) made->priority = priority.whole();
  made->never_preempts = spec["preemptionPolicy"].text() == "Never";
  for (const At one : spec["schedulingGates"].list()) made->gated = made->gated || one;
  read_volumes(spec["volumes"], *made);
  for (const At one : spec["resourceClaims"].list()) {
    made->devices.push_back({one["name"].text(), one["resourceClaimName"].text(), one["resourceClaimTemplateName"].text()});
  }
  return made;
}

}  // namespace stowage::k8s
