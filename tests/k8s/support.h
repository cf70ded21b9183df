// Small clusters as kubectl prints them, and questions about them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "capi/k8s/k8s.h"

namespace stowage::k8s {

using Json = nlohmann::json;

inline Json object(const std::string& kind, const std::string& name, const std::string& ns = "team") {
  Json made = {{"apiVersion", "v1"}, {"kind", kind}, {"metadata", {{"name", name}}}};
  if (!ns.empty()) made["metadata"]["namespace"] = ns;
  return made;
}

inline Json node(const std::string& name, const std::string& cpu = "4", const std::string& zone = "",
                 const std::string& type = "") {
  Json made = object("Node", name, "");
  made["metadata"]["labels"]["kubernetes.io/hostname"] = name;
  if (!zone.empty()) made["metadata"]["labels"]["topology.kubernetes.io/zone"] = zone;
  if (!type.empty()) made["metadata"]["labels"]["node.kubernetes.io/instance-type"] = type;
  made["spec"] = Json::object();
  made["status"]["allocatable"] = {{"cpu", cpu}, {"memory", "16Gi"}, {"pods", "110"}};
  return made;
}

inline Json spec(const std::string& cpu, const std::string& memory = "64Mi") {
  return {{"containers", {{{"name", "main"}, {"resources", {{"requests", {{"cpu", cpu}, {"memory", memory}}}}}}}}};
}

inline Json owned(Json made, const std::string& kind, const std::string& name) {
  made["metadata"]["ownerReferences"] = {{{"kind", kind}, {"name", name}, {"controller", true}}};
  return made;
}

/// A pod; without a node it waits.
inline Json pod(const std::string& name, const Json& its_spec, const std::string& on = "", const std::string& app = "") {
  Json made = object("Pod", name);
  if (!app.empty()) made["metadata"]["labels"]["app"] = app;
  made["spec"] = its_spec;
  if (!on.empty()) made["spec"]["nodeName"] = on;
  made["status"]["phase"] = on.empty() ? "Pending" : "Running";
  return made;
}

inline Json deployment(const std::string& name, int replicas, const Json& its_spec) {
  Json made = object("Deployment", name);
  made["spec"] = {{"replicas", replicas}, {"template", {{"metadata", {{"labels", {{"app", name}}}}}, {"spec", its_spec}}}};
  return made;
}

/// A deployment, its replica set, and a pod on each of these nodes; "" = one that waits.
inline std::vector<Json> deployed(const std::string& name, const std::vector<std::string>& nodes, const Json& its_spec) {
  std::vector<Json> all = {deployment(name, static_cast<int>(nodes.size()), its_spec)};
  Json set = owned(object("ReplicaSet", name + "-1a"), "Deployment", name);
  set["spec"] = all[0]["spec"];
  set["spec"]["template"]["metadata"]["labels"]["pod-template-hash"] = "1a";
  all.push_back(set);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    Json one = owned(pod(name + "-1a-" + std::to_string(k), its_spec, nodes[k], name), "ReplicaSet", name + "-1a");
    one["metadata"]["labels"]["pod-template-hash"] = "1a";
    all.push_back(one);
  }
  return all;
}

/// Objects of one cluster.
class Items {
 public:
  Items(std::initializer_list<Json> all) : all_(all) {}
  Items& add(const Json& one) {
    all_.push_back(one);
    return *this;
  }
  Items& add(const std::vector<Json>& more) {
    all_.insert(all_.end(), more.begin(), more.end());
    return *this;
  }
  [[nodiscard]] std::string text() const { return Json{{"kind", "List"}, {"apiVersion", "v1"}, {"items", all_}}.dump(); }

 private:
  std::vector<Json> all_;
};

struct Found {
  int code = 0;
  Json json;
  std::string text;
  /// Replicas without a place, by workload.
  [[nodiscard]] std::map<std::string, int> unplaced() const {
    std::map<std::string, int> all;
    for (const Json& one : json.at("unplaced")) all[one.at("workload")] = one.at("replicas");
    return all;
  }
  [[nodiscard]] int nodes(const char* list) const {
    int sum = 0;
    if (!json.contains(list)) return 0;
    for (const Json& one : json.at(list)) sum += one.at("nodes").get<int>();
    return sum;
  }
  [[nodiscard]] std::vector<std::string> names(const char* list) const { return json.at(list).get<std::vector<std::string>>(); }
  [[nodiscard]] bool says(const std::string& what) const { return text.find(what) != std::string::npos; }
};

inline Outcome ask_text(const std::string& text, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-work", "100000"});
  const Call call = read_call(arguments, [](const std::string&) { return false; });
  return answer(call, {{"the input", text}}, {});
}

inline Found ask(const Items& items, const std::vector<std::string>& arguments) {
  const std::string text = items.text();
  Found found;
  const Outcome printed = ask_text(text, arguments);
  found.code = printed.exit_code;
  found.text = printed.text;
  std::vector<std::string> more = arguments;
  more.insert(more.end(), {"-json", "-placements"});
  const Outcome outcome = ask_text(text, more);
  EXPECT_EQ(outcome.exit_code, found.code);
  found.json = Json::parse(outcome.text);
  return found;
}

using Left = std::map<std::string, int>;
using Names = std::vector<std::string>;

}  // namespace stowage::k8s
