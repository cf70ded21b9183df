#include "capi/k8s/pods/workloads.h"

namespace stowage::k8s {
namespace {

/// Appends values so that different ones give different texts.
class Signature {
 public:
  void add(View text) { text_.append(std::to_string(text.size())).append(":").append(text); }
  void add(std::int64_t number) { text_.append(std::to_string(number)).append(";"); }
  template <class Value>
  void add(const std::vector<Value>& list) {
    add(static_cast<std::int64_t>(list.size()));
    for (const Value& one : list) add(one);
  }
  void add(const Requirement& one) {
    add(one.key);
    add(static_cast<std::int64_t>(one.is));
    add(one.values);
  }
  void add(const Selector& one) {
    add(static_cast<std::int64_t>(one.given));
    add(one.all);
  }
  void add(const NodeTerm& one) {
    add(one.expressions);
    add(one.fields);
    add(one.weight);
  }
  void add(const PodTerm& one) {
    add(one.topology_key);
    add(one.pods);
    add(one.namespaces_by_label);
    add(one.namespaces);
    add(one.match_keys);
    add(one.mismatch_keys);
    add(one.weight);
  }
  void add(const Spread& one) {
    add(one.topology_key);
    add(one.max_skew);
    add(one.min_domains);
    add(static_cast<std::int64_t>(one.soft) + 2 * static_cast<std::int64_t>(one.honors_affinity) +
        4 * static_cast<std::int64_t>(one.honors_taints));
    add(one.pods);
    add(one.match_keys);
  }
  void add(const Port& one) {
    add(one.number);
    add(one.address);
    add(one.protocol);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string signature(const PodSpec& spec, const Labels& labels, const std::set<View>& keys, const std::vector<Taint>& taints) {
  Signature made;
  for (const auto& [key, value] : spec.node_selector) {
    made.add(key);
    made.add(value);
  }
  made.add(static_cast<std::int64_t>(spec.has_node_terms));
  made.add(spec.node_terms);
  made.add(spec.preferred_node_terms);
  made.add(spec.near);
  made.add(spec.apart);
  made.add(spec.preferred_near);
  made.add(spec.preferred_apart);
  made.add(spec.spreads);
  made.add(spec.ports);
  for (const Taint& taint : taints) made.add(static_cast<std::int64_t>(tolerates(spec, taint)));
  for (const View key : keys) {
    const View* value = labels.find(key);
    made.add(static_cast<std::int64_t>(value != nullptr));
    if (value != nullptr) made.add(*value);
  }
  return made.take();
}

}  // namespace stowage::k8s
