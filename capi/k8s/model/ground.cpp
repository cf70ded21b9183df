#include "capi/k8s/model/ground.h"

#include <algorithm>
#include <charconv>

#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {
namespace {

bool number_of(View text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool matches_value(const Requirement& one, const View* value) {
  const bool listed = value != nullptr && std::binary_search(one.values.begin(), one.values.end(), *value);
  switch (one.is) {
    case Operator::kIn:
      return listed;
    case Operator::kNotIn:
      return !listed;
    case Operator::kExists:
      return value != nullptr;
    case Operator::kAbsent:
      return value == nullptr;
    case Operator::kAbove:
    case Operator::kBelow:
      break;
  }
  std::int64_t its = 0, bound = 0;
  if (value == nullptr || one.values.size() != 1 || !number_of(*value, its) || !number_of(one.values[0], bound)) return false;
  return one.is == Operator::kAbove ? its > bound : its < bound;
}

std::string joined(const std::vector<View>& keys) {
  std::string text;
  for (const View key : keys) text += (text.empty() ? "" : ", ") + std::string(key);
  return text;
}

/// The label that a required spread or affinity needs a node to have; "" = none is missing. A name is always there.
View missing_key(View key, const Ground& at) { return key == kHostname || at.labels.has(key) ? View() : key; }

/// Calls `say` with each reason; stops where that returns false.
template <class Say>
void each_refusal(const PodSpec& spec, const Ground& at, Say&& say) {
  for (const Taint& taint : at.taints) {
    if (taint.effect == Effect::kPreferNoSchedule || tolerates(spec, taint)) continue;
    if (!say([&] {
          const std::string text = taint.text();
          return Refusal{"its taint " + text + " is not tolerated", "with the taint " + text + ", which is not tolerated",
                         text};
        })) {
      return;
    }
  }
  for (const auto& [key, value] : spec.node_selector) {
    const View* its = key == kHostname && !at.labels.has(key) && !at.name.empty() ? &at.name : at.labels.find(key);
    if (its != nullptr && *its == value) continue;
    if (!say([&, k = key, v = value] {
          const std::string wanted = std::string(k) + "=" + std::string(v);
          return Refusal{"the node selector asks for " + wanted, "without " + wanted + ", which the node selector asks for"};
        })) {
      return;
    }
  }
  if (std::vector<View> keys; spec.has_node_terms && !meets_one(spec.node_terms, at, &keys)) {
    if (!say([&] {
          return Refusal{"the required node affinity by " + joined(keys) + " excludes it",
                         "that the required node affinity by " + joined(keys) + " excludes"};
        })) {
      return;
    }
  }
  for (const Spread& one : spec.spreads) {
    const View key = one.soft ? View() : missing_key(one.topology_key, at);
    if (key.empty()) continue;
    if (!say([&] {
          return Refusal{"it has no label " + std::string(key) + " to spread over",
                         "without the label " + std::string(key) + " to spread over"};
        })) {
      return;
    }
  }
  for (const PodTerm& one : spec.near) {
    const View key = missing_key(one.topology_key, at);
    if (key.empty()) continue;
    if (!say([&] {
          return Refusal{"it has no label " + std::string(key) + " to be near others by",
                         "without the label " + std::string(key) + " to be near others by"};
        })) {
      return;
    }
  }
}

template <class Say>
void each_other_refusal(const PodSpec& spec, const std::vector<Within>& within, const Ground& at, Say&& say) {
  for (const Port& port : spec.ports) {
    for (const UsedPort& its : at.ports) {
      if (!port.clashes(its.port)) continue;
      if (!say([&] {
            const std::string text = "host port " + std::to_string(port.number) + " of " + its.by;
            return Refusal{"it has the " + text, "with the " + text};
          })) {
        return;
      }
    }
  }
  for (const Within& one : within) {
    std::vector<View> keys;
    if (meets_one(one.terms, at, &keys)) continue;
    if (!say([&] {
          if (one.terms.empty()) {
            return Refusal{"there is no volume for the claim " + one.claim, "without a volume for the claim " + one.claim};
          }
          return Refusal{"the volume of claim " + one.claim + " is elsewhere by " + joined(keys),
                         "where its volume cannot be used, by " + joined(keys)};
        })) {
      return;
    }
  }
}

}  // namespace

bool tolerates(const PodSpec& spec, const Taint& taint) {
  return ranges::any_of(spec.tolerations, [&](const Toleration& one) { return one.tolerates(taint); });
}

bool matches(const Requirement& one, const Labels& labels) { return matches_value(one, labels.find(one.key)); }

bool selects(const Selector& selector, const Labels& labels) {
  return selector.given && ranges::all_of(selector.all, [&](const Requirement& one) { return matches(one, labels); });
}

bool meets_one(const std::vector<NodeTerm>& terms, const Ground& at, std::vector<View>* keys) {
  for (const NodeTerm& term : terms) {
    // An empty term matches no node.
    bool met = !term.expressions.empty() || !term.fields.empty();
    if (!met && keys != nullptr && ranges::find(*keys, "an empty term") == keys->end()) keys->push_back("an empty term");
    const auto check = [&](const Requirement& one, const View* value) {
      if (matches_value(one, value)) return;
      met = false;
      if (keys != nullptr && ranges::find(*keys, one.key) == keys->end()) keys->push_back(one.key);
    };
    for (const Requirement& one : term.expressions) check(one, at.labels.find(one.key));
    for (const Requirement& one : term.fields) check(one, one.key == "metadata.name" ? &at.name : nullptr);
    if (met) return true;
  }
  return false;
}

bool allows(const PodSpec& spec, const Ground& at) {
  bool free = true;
  each_refusal(spec, at, [&](auto&&) { return free = false; });
  return free;
}

bool allows(const PodSpec& spec, const std::vector<Within>& within, const Ground& at) {
  bool free = allows(spec, at);
  if (free) each_other_refusal(spec, within, at, [&](auto&&) { return free = false; });
  return free;
}

std::vector<Refusal> refusals(const PodSpec& spec, const std::vector<Within>& within, const Ground& at) {
  std::vector<Refusal> all;
  const auto add = [&](auto&& made) {
    all.push_back(made());
    return true;
  };
  each_refusal(spec, at, add);
  each_other_refusal(spec, within, at, add);
  return all;
}

bool names_nodes(const std::vector<NodeTerm>& terms) {
  return ranges::any_of(terms, [](const NodeTerm& term) {
    return !term.fields.empty() ||
           ranges::any_of(term.expressions, [](const Requirement& one) { return one.key == kHostname; });
  });
}

}  // namespace stowage::k8s
