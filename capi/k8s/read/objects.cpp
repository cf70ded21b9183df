#include "capi/k8s/read/objects.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"

namespace stowage::k8s {
namespace {

/// Kinds that have no namespace.
constexpr std::array<View, 12> kOfCluster = {"Node",         "PersistentVolume", "StorageClass", "PriorityClass",
                                             "RuntimeClass", "CSINode",          "Namespace",    "NodePool",
                                             "DeviceClass",  "ResourceSlice",    "NodeClaim",    "VolumeAttachment"};

/// Seconds since 1970 of a time such as "2026-01-31T12:00:00Z"; 0 where it is none.
std::int64_t seconds_of(View text) {
  std::array<int, 6> parts{};
  std::size_t at = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), parts[k]);
    if (error != std::errc()) return 0;
    at = static_cast<std::size_t>(end - text.data()) + 1;
    if (at > text.size()) at = text.size();
  }
  const std::chrono::year_month_day day{std::chrono::year(parts[0]), std::chrono::month(static_cast<unsigned>(parts[1])),
                                        std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!day.ok()) return 0;
  const auto days = std::chrono::sys_days(day).time_since_epoch().count();
  return ((std::int64_t{days} * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5];
}

/// Reads objects of one text into the lists.
class ObjectReader {
 public:
  explicit ObjectReader(Objects& to) : to_(to) {}

  void object(At from, View kind_of_list) {
    const View kind = from["kind"] ? from["kind"].text() : kind_of_list;
    if (kind.empty()) from.fail("is no object of Kubernetes: it has no kind");
    kind_ = kind;
    const At meta = from["metadata"];
    const std::string key =
        std::string(kind) + " " + std::string(meta["namespace"].text()) + "/" + std::string(meta["name"].text());
    if (!to_.seen.insert(key).second) {
      ++to_.repeated;
      return;
    }
    if (!workload(from) && !placement(from) && !devices(from)) ++to_.others[std::string(kind)];
  }

 private:
  template <class Object>
  Object& add(std::vector<Object>& list, At from) {
    Object& made = list.emplace_back();
    const At meta = from["metadata"];
    made.name = meta["name"].text();
    made.ns = meta["namespace"].text();
    if (made.ns.empty() && ranges::find(kOfCluster, kind_) == kOfCluster.end()) made.ns = "default";
    made.labels = read_labels(meta["labels"]);
    made.annotations = read_labels(meta["annotations"]);
    made.annotations.erase("kubectl.kubernetes.io/last-applied-configuration");
    made.going = static_cast<bool>(meta["deletionTimestamp"]);
    made.made = seconds_of(meta["creationTimestamp"].text());
    to_.latest = std::max(to_.latest, made.made);
    for (const At owner : meta["ownerReferences"].list()) {
      if (!owner["controller"].flag()) continue;
      made.owner_kind = owner["kind"].text();
      made.owner = owner["name"].text();
    }
    return made;
  }

  bool workload(At from) {
    if (kind_ == "Pod") {
      pod(from);
    } else if (kind_ == "Deployment") {
      controller(to_.controllers, "deployment", from);
    } else if (kind_ == "StatefulSet") {
      Controller& made = controller(to_.controllers, "statefulset", from);
      for (const At one : from["spec"]["volumeClaimTemplates"].list()) {
        made.claims.push_back({one["metadata"]["name"].text(), one["spec"]["storageClassName"].text()});
      }
      made.first = from["spec"]["ordinals"]["start"].whole();
    } else if (kind_ == "ReplicaSet") {
      controller(to_.replica_sets, "replicaset", from);
    } else if (kind_ == "ReplicationController") {
      controller(to_.controllers, "replicationcontroller", from);
    } else if (kind_ == "DaemonSet") {
      controller(to_.daemon_sets, "daemonset", from);
    } else if (kind_ == "Rollout") {
      controller(to_.controllers, "rollout", from).template_of = from["spec"]["workloadRef"]["name"].text();
    } else if (kind_ == "Job") {
      job(from);
    } else if (kind_ == "CronJob") {
      if (!from["spec"]["suspend"].flag()) add(to_.cron_jobs, from);
    } else if (kind_ == "HorizontalPodAutoscaler") {
      Autoscaler& made = add(to_.autoscalers, from);
      const At spec = from["spec"];
      made.target_kind = spec["scaleTargetRef"]["kind"].text();
      made.target = spec["scaleTargetRef"]["name"].text();
      made.least = spec["minReplicas"].whole(1);
      made.most = spec["maxReplicas"].whole();
    } else if (kind_ == "PodGroup") {
      add(to_.pod_groups, from).least = from["spec"]["minMember"].whole();
    } else if (kind_ == "PodDisruptionBudget") {
      budget(from);
    } else {
      return false;
    }
    return true;
  }

  Controller& controller(std::vector<Controller>& list, View kind, At from) {
    Controller& made = add(list, from);
    made.kind = kind;
    const At spec = from["spec"];
    if (const At one = spec["template"]) {
      made.template_labels = read_labels(one["metadata"]["labels"]);
      made.template_annotations = read_labels(one["metadata"]["annotations"]);
      made.spec = read_pod_spec(one["spec"], to_.resources);
    }
    if (const At replicas = spec["replicas"]) made.replicas = std::clamp<std::int64_t>(replicas.whole(), 0, 1'000'000'000);
    return made;
  }

  void job(At from) {
    Controller& made = controller(to_.controllers, "job", from);
    const At spec = from["spec"];
    made.replicas = std::clamp<std::int64_t>(spec["parallelism"].whole(1), 0, 1'000'000'000);
    if (const At completions = spec["completions"]) made.completions = completions.whole();
    made.suspended = spec["suspend"].flag();
    made.succeeded = from["status"]["succeeded"].whole();
    for (const At one : from["status"]["conditions"].list()) {
      const View type = one["type"].text();
      made.ended = made.ended || ((type == "Complete" || type == "Failed") && one["status"].text() == "True");
    }
  }

  void pod(At from) {
    Pod& made = add(to_.pods, from);
    made.spec = read_pod_spec(from["spec"], to_.resources);
    made.node = made.spec->node;
    const At status = from["status"];
    const View phase = status["phase"].text();
    made.ended = phase == "Succeeded" || phase == "Failed";
    made.nominated = status["nominatedNodeName"].text();
    for (const At one : status["conditions"].list()) {
      if (one["type"].text() == "Ready") made.ready = one["status"].text() == "True";
    }
    if (made.node.empty()) return;
    for (const View list : {View("containerStatuses"), View("initContainerStatuses")}) {
      for (const At one : status[list].list()) {
        Amounts most = amounts_of(one["allocatedResources"], to_.resources);
        most.raise(amounts_of(one["resources"]["requests"], to_.resources));
        if (!most.empty()) made.given.emplace_back(one["name"].text(), std::move(most));
      }
    }
  }

  void budget(At from) {
    Budget& made = add(to_.budgets, from);
    const At spec = from["spec"];
    made.pods = read_selector(spec["selector"]);
    made.min_available = spec["minAvailable"].written();
    made.max_unavailable = spec["maxUnavailable"].written();
    made.always_unready = spec["unhealthyPodEvictionPolicy"].text() == "AlwaysAllow";
    const At status = from["status"];
    made.observed = status["observedGeneration"].whole() > 0 || status["expectedPods"].whole() > 0;
    made.allowed = std::max<std::int64_t>(status["disruptionsAllowed"].whole(), 0);
    made.healthy = status["currentHealthy"].whole();
    made.desired = status["desiredHealthy"].whole();
  }

  bool placement(At from) {
    const At spec = from["spec"];
    if (kind_ == "Node") {
      Node& made = add(to_.nodes, from);
      made.cordoned = spec["unschedulable"].flag();
      made.taints = read_taints(spec["taints"]);
      made.allocatable = amounts_of(from["status"]["allocatable"], to_.resources);
      made.has_status = !made.allocatable.empty();
    } else if (kind_ == "PersistentVolumeClaim") {
      Claim& made = add(to_.claims, from);
      made.volume = spec["volumeName"].text();
      if (const At its = spec["storageClassName"]) made.storage_class = its.text();
      for (const View mode : read_texts(spec["accessModes"])) made.one_pod = made.one_pod || mode == "ReadWriteOncePod";
      if (const At size = spec["resources"]["requests"]["storage"]) made.size = quantity(size, false);
    } else if (kind_ == "PersistentVolume") {
      volume(from);
    } else if (kind_ == "StorageClass") {
      StorageClass& made = add(to_.storage_classes, from);
      made.provisioner = from["provisioner"].text();
      made.waits = from["volumeBindingMode"].text() == "WaitForFirstConsumer";
      made.standard = made.annotations.get("storageclass.kubernetes.io/is-default-class") == "true";
      for (const At term : from["allowedTopologies"].list()) {
        NodeTerm one;
        for (const At its : term["matchLabelExpressions"].list()) {
          one.expressions.push_back({its["key"].text(), Operator::kIn, read_texts(its["values"])});
        }
        made.within.push_back(std::move(one));
      }
    } else if (kind_ == "CSINode") {
      VolumeLimits& made = add(to_.volume_limits, from);
      for (const At one : spec["drivers"].list()) {
        const At count = one["allocatable"]["count"];
        made.drivers.emplace_back(one["name"].text(), count ? std::optional(count.whole()) : std::nullopt);
      }
    } else {
      return rules(from);
    }
    return true;
  }

  void volume(At from) {
    Volume& made = add(to_.volumes, from);
    const At spec = from["spec"];
    made.storage_class = spec["storageClassName"].text();
    made.available = from["status"]["phase"].text() == "Available";
    made.claim_ns = spec["claimRef"]["namespace"].text();
    made.claim = spec["claimRef"]["name"].text();
    if (const At size = spec["capacity"]["storage"]) made.size = quantity(size, false);
    constexpr std::array<std::pair<View, View>, 4> kWithin = {{{"awsElasticBlockStore", "ebs.csi.aws.com"},
                                                               {"gcePersistentDisk", "pd.csi.storage.gke.io"},
                                                               {"azureDisk", "disk.csi.azure.com"},
                                                               {"cinder", "cinder.csi.openstack.org"}}};
    made.driver = spec["csi"]["driver"].text();
    for (const auto& [member, driver] : kWithin) {
      if (spec[member]) made.driver = driver;
    }
    if (const At required = spec["nodeAffinity"]["required"]) {
      made.within.push_back(read_node_terms(required["nodeSelectorTerms"]));
    }
    for (const View key : {View("topology.kubernetes.io/zone"), View("topology.kubernetes.io/region")}) {
      View values = made.labels.get(key);
      if (values.empty()) continue;
      Requirement one{key, Operator::kIn, {}};
      for (std::size_t cut = values.find("__"); cut != View::npos; cut = values.find("__")) {
        one.values.push_back(values.substr(0, cut));
        values.remove_prefix(cut + 2);
      }
      one.values.push_back(values);
      ranges::sort(one.values);
      made.within.push_back({NodeTerm{{std::move(one)}, {}}});
    }
  }

  bool rules(At from) {
    const At spec = from["spec"];
    if (kind_ == "PriorityClass") {
      PriorityClass& made = add(to_.priority_classes, from);
      made.value = from["value"].whole();
      made.standard = from["globalDefault"].flag();
      made.never_preempts = from["preemptionPolicy"].text() == "Never";
    } else if (kind_ == "RuntimeClass") {
      RuntimeClass& made = add(to_.runtime_classes, from);
      made.overhead = amounts_of(from["overhead"]["podFixed"], to_.resources);
      made.node_selector = read_labels(from["scheduling"]["nodeSelector"]);
      made.tolerations = read_tolerations(from["scheduling"]["tolerations"]);
    } else if (kind_ == "LimitRange") {
      LimitRange& made = add(to_.limit_ranges, from);
      for (const At one : spec["limits"].list()) {
        if (one["type"].text() != "Container") continue;
        made.limits = amounts_of(one["default"], to_.resources);
        made.requests = made.limits;
        for (const auto& [resource, amount] : amounts_of(one["defaultRequest"], to_.resources)) {
          made.requests.set(resource, amount);
        }
      }
    } else if (kind_ == "NodePool") {
      NodePool& made = add(to_.node_pools, from);
      made.limits = amounts_of(spec["limits"], to_.resources);
      made.used = amounts_of(from["status"]["resources"], to_.resources);
      made.startup_taints = read_taints(spec["template"]["spec"]["startupTaints"]);
    } else if (kind_ == "Namespace") {
      add(to_.namespaces, from);
    } else {
      return false;
    }
    return true;
  }

  bool devices(At from) {
    const At spec = from["spec"];
    if (kind_ == "ResourceSlice") {
      DeviceSlice& made = add(to_.device_slices, from);
      made.driver = spec["driver"].text();
      made.node = spec["nodeName"].text();
      for ([[maybe_unused]] const At one : spec["devices"].list()) ++made.devices;
    } else if (kind_ == "DeviceClass") {
      device_class(from);
    } else if (kind_ == "ResourceClaim" || kind_ == "ResourceClaimTemplate") {
      DeviceClaim& made = add(to_.device_claims, from);
      made.is_template = kind_ == "ResourceClaimTemplate";
      for (const At one : (made.is_template ? spec["spec"] : spec)["devices"]["requests"].list()) {
        const At asked = one["exactly"] ? one["exactly"] : one;
        DeviceRequest request;
        request.device_class = asked["deviceClassName"].text();
        request.count = std::max<std::int64_t>(asked["count"].whole(1), 1);
        request.exact = !asked["selectors"] && asked["allocationMode"].text() != "All" && !request.device_class.empty();
        made.requests.push_back(request);
      }
    } else {
      return false;
    }
    return true;
  }

  /// A class selects by expressions. Of these, one that compares the driver is read.
  void device_class(At from) {
    DeviceClass& made = add(to_.device_classes, from);
    constexpr View kDriver = "device.driver";
    for (const At one : from["spec"]["selectors"].list()) {
      View text = one["cel"]["expression"].text();
      const auto trim = [&] {
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
      };
      trim();
      bool read = text.starts_with(kDriver);
      if (read) text.remove_prefix(kDriver.size());
      trim();
      read = read && text.starts_with("==");
      if (read) text.remove_prefix(2);
      trim();
      const char quote = text.empty() ? '\0' : text.front();
      const std::size_t end = text.find(quote, 1);
      read = read && (quote == '\'' || quote == '"') && end != View::npos;
      if (read) made.driver = text.substr(1, end - 1);
      made.exact = made.exact && read && text.find_first_not_of(' ', end + 1) == View::npos;
    }
  }

  Objects& to_;
  View kind_;
};

}  // namespace

void Objects::add(At object, View kind) { ObjectReader(*this).object(object, kind); }

void Objects::read(std::string_view text, const std::string& file) {
  ObjectReader reader(*this);
  scan_objects(text, file, texts, [&](At object, std::string_view kind) { reader.object(object, kind); });
}

}  // namespace stowage::k8s
