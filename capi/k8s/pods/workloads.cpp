#include "capi/k8s/pods/workloads.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/table.h"

namespace stowage::k8s {
namespace {

constexpr std::array<View, 3> kRecreating = {"ReplicaSet", "ReplicationController", "StatefulSet"};
/// Labels in which the names of replica sets end, by the kind of their controller.
constexpr std::array<std::pair<View, View>, 2> kHashes = {
    {{"deployment", "pod-template-hash"}, {"rollout", "rollouts-pod-template-hash"}}};
constexpr std::array<std::pair<View, View>, 2> kMayNotGo = {
    {{"cluster-autoscaler.kubernetes.io/safe-to-evict", "false"}, {"karpenter.sh/do-not-disrupt", "true"}}};

std::string lower(View text) {
  std::string made(text);
  for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return made;
}

void add_label_keys(const PodTerm& term, std::set<View>& keys) {
  for (const Requirement& one : term.pods.all) keys.insert(one.key);
  keys.insert(term.match_keys.begin(), term.match_keys.end());
  keys.insert(term.mismatch_keys.begin(), term.mismatch_keys.end());
}

class WorkloadCollector {
 public:
  WorkloadCollector(Cluster& to, RequestReader& requests, const NodeFates& fates)
      : to_(to), requests_(requests), fates_(fates), budgets_(to.from) {
    for (std::size_t k = 0; k < to.nodes.size(); ++k) node_of_.emplace(to.nodes[k].name, static_cast<int>(k));
    for (const PriorityClass& one : to.from.priority_classes) priorities_[one.name] = &one;
    find_keys();
    find_taints();
  }

  void collect() {
    controllers();
    for (const Pod& pod : to_.from.pods) {
      if (!pod.ended) take(pod);
    }
    for (auto& [key, one] : wanted_) complete(key, one);
    order_apps();
    name_apps();
    note_sums();
    budgets_.collect(to_);
  }

 private:
  /// A controller, and its pods.
  struct Wanted {
    const Controller* from = nullptr;  ///< nullptr = it is not in the input
    std::shared_ptr<const PodSpec> spec{};
    std::int64_t replicas = 0;
    std::int64_t pods = 0;  ///< that exist
    std::set<std::string> names{};
    Labels hash{};  ///< the label of its newest replica set
    std::int64_t revision = -1;
    bool pinned = false;
    int different = 0;
    Amounts asked{};  ///< by the template
    Amounts have{};   ///< the last pods that ask for others
    bool is_job = false;
  };

  void find_keys() {
    const auto of_spec = [&](const PodSpec& spec) {
      for (const auto* terms : {&spec.near, &spec.apart, &spec.preferred_near, &spec.preferred_apart}) {
        for (const PodTerm& one : *terms) add_label_keys(one, keys_);
      }
      for (const Spread& one : spec.spreads) {
        for (const Requirement& its : one.pods.all) keys_.insert(its.key);
        keys_.insert(one.match_keys.begin(), one.match_keys.end());
      }
    };
    for (const auto* list : {&to_.from.controllers, &to_.from.replica_sets, &to_.from.daemon_sets}) {
      for (const Controller& one : *list) {
        if (one.spec != nullptr) of_spec(*one.spec);
      }
    }
    for (const Pod& pod : to_.from.pods) of_spec(*pod.spec);
    for (const Budget& one : to_.from.budgets) {
      for (const Requirement& its : one.pods.all) keys_.insert(its.key);
    }
  }

  void find_taints() {
    const auto add = [&](const Taint& one) {
      if (ranges::find(to_.taints, one) == to_.taints.end()) to_.taints.push_back(one);
    };
    for (const PresentNode& node : to_.nodes) {
      std::for_each(node.taints.begin(), node.taints.end(), add);
      std::for_each(node.closing.begin(), node.closing.end(), add);
    }
  }

  /// All controllers that make pods and are made by none of the others.
  void controllers() {
    std::unordered_map<std::string, const Controller*> templates;
    for (const Controller& one : to_.from.controllers) {
      if (one.kind == "deployment") templates[one.path()] = &one;
    }
    for (const View kind : {"deployment", "rollout", "statefulset", "replicationcontroller"}) {
      for (const Controller& one : to_.from.controllers) {
        if (one.kind == kind) controller(one, templates);
      }
    }
    for (const Controller& one : to_.from.replica_sets) replica_set(one);
    for (const Controller& one : to_.from.controllers) {
      if (one.kind == "job") controller(one, templates);
    }
    for (const Meta& one : to_.from.cron_jobs) to_.leave_out("cronjob " + one.path() + ": jobs that it starts later");
  }

  void controller(const Controller& one, const std::unordered_map<std::string, const Controller*>& templates) {
    auto spec = one.spec;
    if (spec == nullptr && !one.template_of.empty()) {
      const auto found = templates.find(std::string(one.ns) + "/" + std::string(one.template_of));
      if (found != templates.end()) spec = found->second->spec;
    }
    if (spec == nullptr) {
      to_.leave_out(std::string(one.kind) + " " + one.path() + ": its template is not in the input");
      return;
    }
    if (one.ended) return;
    Wanted& made = add_wanted(key_of(one.kind, one.ns, one.name), &one, spec, one.replicas.value_or(1));
    if (one.kind != "job") return;
    made.is_job = made.pinned = true;
    if (one.completions) made.replicas = std::min(made.replicas, std::max<std::int64_t>(*one.completions - one.succeeded, 0));
    if (one.suspended) made.replicas = 0;
  }

  Wanted& add_wanted(const std::string& key, const Controller* from, std::shared_ptr<const PodSpec> spec,
                     std::int64_t replicas) {
    const auto [at, made] = by_key_.try_emplace(key, wanted_.size());
    if (made) wanted_.emplace_back(key, Wanted{from, std::move(spec), replicas});
    return wanted_[at->second].second;
  }

  Wanted* find_wanted(const std::string& key) {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : &wanted_[found->second].second;
  }

  void replica_set(const Controller& one) {
    const std::string parent = owner_key(one);
    const std::string key = key_of(one.kind, one.ns, one.name);
    Wanted* of = parent.empty() ? nullptr : find_wanted(parent);
    if (of == nullptr) {
      if (one.replicas.value_or(1) > 0 && one.spec != nullptr) add_wanted(key, &one, one.spec, one.replicas.value_or(1));
      return;
    }
    parents_[key] = parent;
    std::int64_t revision = one.replicas.value_or(1) > 0 ? 1 : 0;
    const View text = one.annotations.get("deployment.kubernetes.io/revision");
    std::from_chars(text.data(), text.data() + text.size(), revision);
    if (revision < of->revision) return;
    of->revision = revision;
    of->hash = {};
    for (const auto& [kind, label] : kHashes) {
      if (const View* value = one.template_labels.find(label)) of->hash.add(label, *value);
    }
  }

  /// The key of the controller that makes a pod again; "" = there is none.
  std::string controller_of(const Pod& pod) {
    if (pod.owner.empty()) return {};
    const std::string key = owner_key(pod);
    if (const auto found = parents_.find(key); found != parents_.end()) return found->second;
    if (pod.owner_kind == "ReplicaSet") {
      // Without the replica set, its name says which controller made it: it ends in the hash that its pods carry as a label.
      for (const auto& [kind, label] : kHashes) {
        const std::string end = "-" + std::string(pod.labels.get(label));
        if (end.size() < 2 || pod.owner.size() <= end.size() || !pod.owner.ends_with(end)) continue;
        const std::string name = key_of(kind, pod.ns, pod.owner.substr(0, pod.owner.size() - end.size()));
        if (find_wanted(name) != nullptr) return name;
      }
    }
    return key;
  }

  void take(const Pod& pod) {
    if (pod.owner_kind == "DaemonSet" || pod.owner_kind == "Node") return;
    const std::string key = pod.owner.empty() ? key_of("pod", pod.ns, pod.name) : controller_of(pod);
    if (pod.going) return take_going(pod);
    const bool known = find_wanted(key) != nullptr;
    Wanted& of = add_wanted(key, nullptr, pod.spec, 0);
    if (!known && ranges::find(kRecreating, pod.owner_kind) == kRecreating.end()) of.pinned = true;
    ++of.pods;
    of.names.insert(std::string(pod.name));
    if (of.from == nullptr) ++of.replicas;
    int node = -1;
    if (!pod.node.empty()) {
      const auto found = node_of_.find(pod.node);
      if (found != node_of_.end()) {
        node = found->second;
      } else if (!take_homeless(pod)) {
        return;
      }
    } else if (pod.spec->gated) {
      ++gated_[key];
      return;
    }
    take_as(pod, key, of, node);
  }

  /// Whether a pod of a node that is in no plan comes back elsewhere.
  bool take_homeless(const Pod& pod) {
    const NodeFate fate = fates_.fate(pod.node);
    const std::string name = "pod " + pod.path();
    if (fate == NodeFate::kStays || fate == NodeFate::kNoStatus) {
      to_.leave_out(name + ": it runs on node " + std::string(pod.node) + ", " +
                    (fate == NodeFate::kStays ? "which is not in the input" : "which is left out"));
      return false;
    }
    if (pod.owner.empty()) {
      to_.note(name + " is lost with node " + std::string(pod.node) + ": no controller makes it again");
      return false;
    }
    if (fate == NodeFate::kUnreachable && pod.owner_kind == "StatefulSet") {
      to_.note(name + " of a stateful set comes back only once node " + std::string(pod.node) + " answers or is deleted");
      return false;
    }
    const bool stays = ranges::any_of(pod.spec->tolerations, [](const Toleration& one) {
      return !one.for_a_time && one.tolerates({"node.kubernetes.io/unreachable", "", Effect::kNoExecute});
    });
    return fate == NodeFate::kGoes || !stays;
  }

  /// A pod that is being deleted leaves its room to others.
  void take_going(const Pod& pod) {
    if (!pod.node.empty() && node_of_.contains(pod.node)) {
      to_.note("pod " + pod.path() + " is being deleted on node " + std::string(pod.node) + ": its room there counts as free");
    }
  }

  std::string hold(const Pod& pod) const {
    for (const auto& [key, value] : kMayNotGo) {
      if (pod.annotations.get(key) == value) return "its annotation " + std::string(key) + "=" + std::string(value);
    }
    return budgets_.hold(pod);
  }

  void take_as(const Pod& pod, const std::string& key, Wanted& of, int node) {
    Asked asked = requests_.of_pod(pod, key, of.from == nullptr ? nullptr : &of.from->claims);
    const Labels& labels = pod.labels;
    const bool placed = node >= 0;
    const bool single = placed && to_.kinds[static_cast<std::size_t>(to_.nodes[static_cast<std::size_t>(node)].kind)].single;
    const bool pinned = of.pinned || single;
    const std::string held = placed ? hold(pod) : "";
    if (of.from != nullptr && placed) compare(asked.requests, of);
    const std::string group = group_of(pod.ns, pod.labels, pod.annotations);
    App& app = app_of(key, pod.ns, std::move(asked), labels, pinned && placed, held, group, outside(*pod.spec, node));
    if (placed && pinned) app.held_by = pinned_by(pod, of, single);
    app.pods.emplace_back(pod.name);
    ++app.replicas;
    if (placed) ++app.running[node];
    if (!pod.nominated.empty() && !placed && node_of_.contains(pod.nominated)) {
      to_.note("pod " + pod.path() + " is nominated for node " + std::string(pod.nominated) + " by the scheduler");
    }
  }

  static std::string pinned_by(const Pod& pod, const Wanted& of, bool single) {
    if (single) return "its node exists for it alone";
    if (of.is_job) return "a job would start again elsewhere";
    if (pod.owner.empty()) return "no controller would make it again";
    return "it is not known whether its " + std::string(pod.owner_kind) + " would make it again";
  }

  /// The node on which a pod runs although it takes none like it any more; -1 = there is none. What decides where pods start is
  /// not looked at again once they run.
  [[nodiscard]] int outside(const PodSpec& spec, int node) const {
    if (node < 0) return -1;
    const PresentNode& at = to_.nodes[static_cast<std::size_t>(node)];
    const auto refused = [&](const Taint& one) { return one.effect != Effect::kPreferNoSchedule && !tolerates(spec, one); };
    return ranges::any_of(at.closing, refused) || !allows(spec, at.ground()) ? node : -1;
  }

  void compare(const Amounts& has, Wanted& of) {
    if (of.asked.empty()) {
      Labels none;
      of.asked = requests_
                     .of_template({of.from->ns, of.from->template_labels, of.from->template_annotations, of.spec},
                                  key_of(of.from->kind, of.from->ns, of.from->name))
                     .requests;
    }
    for (const int resource : {ResourceNames::kCpu, ResourceNames::kMemory}) {
      if (has.get(resource) == of.asked.get(resource)) continue;
      ++of.different;
      of.have = has;
      return;
    }
  }

  std::string group_of(View ns, const Labels& labels, const Labels& annotations) {
    constexpr std::array<View, 4> kNames = {"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name",
                                            "scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io"};
    for (const View name : kNames) {
      for (const Labels* of : {&annotations, &labels}) {
        const View* value = of->find(name);
        if (value == nullptr) continue;
        const std::string key = std::string(ns) + "/" + std::string(*value);
        if (to_.groups.contains(key)) return key;
        const auto found = ranges::find_if(to_.from.pod_groups, [&](const PodGroup& one) { return one.path() == key; });
        if (found == to_.from.pod_groups.end()) {
          to_.miss("pods of the group " + key + ": how many of them must start together: its PodGroup is not in the input");
          return {};
        }
        to_.groups[key] = found->least;
        return key;
      }
    }
    return {};
  }

  App& app_of(const std::string& key, View ns, Asked&& asked, const Labels& labels, bool pinned, const std::string& held,
              const std::string& group, int outside) {
    std::string mark =
        key + "\n" + std::to_string(outside) + (pinned ? "p" : "") + held + "\n" + group + "\n" + asked.too_large;
    for (const auto& [resource, amount] : asked.requests) mark += std::to_string(resource) + "=" + std::to_string(amount) + ",";
    mark += signature(*asked.spec, labels, keys_, to_.taints);
    const std::string place = place_key(asked.within);
    mark += place;
    for (const std::string& one : asked.one_pod_claims) mark += "\n" + one;
    for (const std::string& one : asked.local_data) mark += "\n" + one;
    App draft;
    take_priority(*asked.spec, key, draft);
    mark += std::to_string(draft.priority) + (draft.never_preempts ? "n" : "");
    const auto [at, made] = by_mark_.try_emplace(std::move(mark), to_.apps.size());
    if (!made) return to_.apps[at->second];
    draft.ns = ns;
    draft.key = key;
    draft.labels = labels;
    draft.spec = std::move(asked.spec);
    draft.requests = std::move(asked.requests);
    draft.within = std::move(asked.within);
    draft.one_pod_claims = std::move(asked.one_pod_claims);
    draft.local_data = std::move(asked.local_data);
    draft.too_large = std::move(asked.too_large);
    draft.group = group;
    draft.outside = outside;
    draft.pinned = pinned;
    draft.held = !held.empty();
    draft.held_by = held;
    places_.push_back(place);
    return to_.apps.emplace_back(std::move(draft));
  }

  static std::string place_key(const std::vector<Within>& within) {
    std::string key;
    PodSpec spec;
    for (const Within& one : within) {
      spec.node_terms = one.terms;
      key += "\n" + signature(spec, {}, {}, {});
    }
    return key;
  }

  void take_priority(const PodSpec& spec, const std::string& name, App& to) {
    constexpr std::array<std::pair<View, std::int64_t>, 2> kOfSystem = {
        {{"system-cluster-critical", 2'000'000'000}, {"system-node-critical", 2'000'001'000}}};
    to.never_preempts = spec.never_preempts;
    const auto found = priorities_.find(spec.priority_class);
    if (found != priorities_.end()) {
      to.priority = found->second->value;
      to.never_preempts = to.never_preempts || found->second->never_preempts;
    }
    const auto of_system = ranges::find(kOfSystem, spec.priority_class, &std::pair<View, std::int64_t>::first);
    if (of_system != kOfSystem.end()) to.priority = of_system->second;
    if (spec.priority) {
      to.priority = *spec.priority;
    } else if (spec.priority_class.empty()) {
      for (const PriorityClass& one : to_.from.priority_classes) {
        if (one.standard) to.priority = one.value;
      }
    } else if (found == priorities_.end() && of_system == kOfSystem.end()) {
      to_.miss(name + ": priority class " + std::string(spec.priority_class) + ", whose value is not in the input");
    }
  }

  /// Adds the pods that a controller wants and that do not exist yet.
  void complete(const std::string& key, Wanted& of) {
    if (of.from == nullptr) return;
    if (of.different > 0) note_different(key, of);
    std::int64_t lack = of.replicas - of.pods;
    if (of.from->kind == "statefulset") return complete_set(key, of);
    if (of.pods > of.replicas) {
      to_.note(key + " wants " + std::to_string(of.replicas) + " replicas, and " + std::to_string(of.pods) +
               " pods of it exist: it is counted with these");
    }
    if (of.spec->gated && lack > 0) {
      gated_[key] += lack;
      lack = 0;
    }
    if (lack > 0) add_lacking(key, of, lack, "");
    if (of.pods == 0 && lack <= 0) add_lacking(key, of, 0, "");
  }

  void complete_set(const std::string& key, Wanted& of) {
    bool any = of.pods > 0;
    std::int64_t lack = of.replicas - of.pods;  // pods that are too many go before others come
    if (!of.from->claims.empty() && to_.from.claims.empty()) to_.miss(key + ": where its volumes are");
    if (of.spec->gated && lack > 0) {
      gated_[key] += lack;
      lack = 0;
    }
    if (of.from->claims.empty() && lack > 0) return add_lacking(key, of, lack, "");
    for (std::int64_t k = of.from->first; lack > 0 && k < of.from->first + of.replicas; ++k) {
      const std::string pod = std::string(of.from->name) + "-" + std::to_string(k);
      if (of.names.contains(pod)) continue;
      add_lacking(key, of, 1, pod);
      any = true;
      --lack;
    }
    if (!any) add_lacking(key, of, 0, "");
  }

  void add_lacking(const std::string& key, Wanted& of, std::int64_t lack, const std::string& pod) {
    Labels labels = of.from->template_labels;
    Labels hash = of.hash;
    for (const auto& [kind, label] : kHashes) {
      if (!hash.empty() || labels.has(label) || of.from->kind != kind) continue;
      if (const View* value = common_label(key, label)) hash.add(label, *value);
    }
    for (const auto& [name, value] : hash) labels.add(name, value);
    Asked asked =
        requests_.of_template({of.from->ns, labels, of.from->template_annotations, of.spec, &of.from->claims, pod}, key);
    App& app = app_of(key, of.from->ns, std::move(asked), labels, false, "",
                      group_of(of.from->ns, labels, of.from->template_annotations), -1);
    app.replicas += lack;
    if (!pod.empty()) app.members.push_back(pod);
  }

  /// The value of a label that all pods of a controller have.
  [[nodiscard]] const View* common_label(const std::string& key, View label) const {
    const View* common = nullptr;
    for (const App& one : to_.apps) {
      const View* value = one.key == key ? one.labels.find(label) : nullptr;
      if (value == nullptr) continue;
      if (common != nullptr && *common != *value) return nullptr;
      common = value;
    }
    return common;
  }

  void note_different(const std::string& key, const Wanted& of) {
    std::string what;
    for (const int resource : {ResourceNames::kCpu, ResourceNames::kMemory}) {
      const std::int64_t now = of.have.get(resource), then = of.asked.get(resource);
      if (now == then) continue;
      what += (what.empty() ? "" : ", ") + to_.from.resources.text(resource, now) + ", not " +
              to_.from.resources.text(resource, then);
    }
    to_.note(key + ": " + std::to_string(of.different) + " of its pods request other amounts than its template (" + what +
             "); each counts with its own");
  }

  /// Apps are in the order of their controllers, and those of one in the order in which they were seen.
  void order_apps() {
    std::vector<std::size_t> order(to_.apps.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    ranges::stable_sort(order, {}, [&](std::size_t k) { return by_key_.at(to_.apps[k].key); });
    std::vector<App> apps;
    std::vector<std::string> places;
    for (const std::size_t k : order) {
      apps.push_back(std::move(to_.apps[k]));
      places.push_back(std::move(places_[k]));
    }
    to_.apps = std::move(apps);
    places_ = std::move(places);
  }

  /// Parts of stateful sets, and names that no other app has.
  void name_apps() {
    std::unordered_map<std::string, std::vector<std::size_t>> by_key;
    for (std::size_t k = 0; k < to_.apps.size(); ++k) by_key[to_.apps[k].key].push_back(k);
    std::unordered_map<std::string, int> used;
    for (std::size_t k = 0; k < to_.apps.size(); ++k) {
      App& one = to_.apps[k];
      const auto& all = by_key[one.key];
      if (ranges::any_of(all, [&](std::size_t other) { return places_[other] != places_[k]; })) {
        std::vector<std::string> names;
        for (const std::size_t other : all) {
          if (places_[other] != places_[k]) continue;
          names.insert(names.end(), to_.apps[other].pods.begin(), to_.apps[other].pods.end());
          names.insert(names.end(), to_.apps[other].members.begin(), to_.apps[other].members.end());
        }
        ranges::sort(names);
        const std::string first = names.empty() ? std::to_string(k) : names.front();
        one.part = names.size() > 3 ? " (" + first + " and " + std::to_string(names.size() - 1) + " more)"
                                    : " (" + enumerate(names) + ")";
      }
      one.members.insert(one.members.begin(), one.pods.begin(), one.pods.end());
      one.title = one.workload();
      if (const int number = ++used[one.title]; number > 1) one.title += " (variant " + std::to_string(number) + ")";
    }
  }

  static std::string enumerate(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& one : names) text += (text.empty() ? "" : ", ") + one;
    return text;
  }

  /// What is said of many workloads at once.
  void note_sums() {
    std::int64_t waiting = 0;
    for (const auto& [key, count] : gated_) waiting += count;
    if (waiting > 0) {
      to_.note(cli::counted(static_cast<std::uint64_t>(waiting), "pod") + " of " + gated_.begin()->first +
               (gated_.size() > 1 ? " and others" : "") + " behind a scheduling gate: they need no node yet");
    }
    std::set<std::string> without;
    for (const App& one : to_.apps) {
      const bool asks = one.requests.get(ResourceNames::kCpu) > 0 || one.requests.get(ResourceNames::kMemory) > 0;
      if (!asks && one.replicas > 0) without.insert(one.key);
      const View scheduler = one.spec->scheduler;
      if (!scheduler.empty() && scheduler != "default-scheduler") {
        to_.leave_out(one.workload() + ": it asks for the scheduler " + std::string(scheduler));
      }
    }
    if (!without.empty()) {
      to_.note(cli::counted(without.size(), "workload") + (without.size() == 1 ? " requests" : " request") +
               " neither cpu nor memory: plans say nothing about what they need (" + *without.begin() +
               (without.size() > 1 ? " and others)" : ")"));
    }
    if (const int count = requests_.unlimited(); count > 0) {
      to_.miss(cli::counted(static_cast<std::uint64_t>(count), "workload") + (count == 1 ? " has" : " have") +
               " claims; how many volumes a node takes is not known: there is no CSINode in the input that says it");
    }
  }

  Cluster& to_;
  RequestReader& requests_;
  const NodeFates& fates_;
  Budgets budgets_;
  std::unordered_map<View, int> node_of_;
  std::unordered_map<View, const PriorityClass*> priorities_;
  std::set<View> keys_;
  std::vector<std::pair<std::string, Wanted>> wanted_;
  std::unordered_map<std::string, std::size_t> by_key_, by_mark_;
  std::unordered_map<std::string, std::string> parents_;
  std::vector<std::string> places_;  ///< of each app
  std::map<std::string, std::int64_t> gated_;
};

}  // namespace

std::string key_of(View kind, View ns, View name) {
  return std::string(kind) + " " + std::string(ns) + "/" + std::string(name);
}

std::string owner_key(const Meta& of) { return of.owner.empty() ? "" : key_of(lower(of.owner_kind), of.ns, of.owner); }

void collect_workloads(Cluster& to, RequestReader& requests, const NodeFates& fates) {
  WorkloadCollector(to, requests, fates).collect();
}

}  // namespace stowage::k8s
