#include "capi/text/formats/session/operations_json.h"

#include <algorithm>
#include <array>
#include <optional>

#include "capi/text/base/failure.h"
#include "capi/text/formats/profile_column.h"
#include "capi/text/formats/resource_json.h"
#include "session_generated.h"

namespace stowage::cli {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
using Text = flatbuffers::Offset<flatbuffers::String>;
using Texts = flatbuffers::Offset<flatbuffers::Vector<Text>>;
using Amounts = flatbuffers::Offset<flatbuffers::Vector<double>>;

constexpr std::string_view kBatch = "batch";

struct OperationWord {
  std::string_view word;
  wire::OperationKind kind;
};
constexpr std::array<OperationWord, 14> kOperationWords = {{{"submit", wire::OperationKind::Submit},
                                                            {"scale", wire::OperationKind::Scale},
                                                            {"remove", wire::OperationKind::Remove},
                                                            {"pin", wire::OperationKind::Pin},
                                                            {"add-node", wire::OperationKind::AddNode},
                                                            {"remove-node", wire::OperationKind::RemoveNode},
                                                            {"cordon", wire::OperationKind::Cordon},
                                                            {"uncordon", wire::OperationKind::Uncordon},
                                                            {"drain", wire::OperationKind::Drain},
                                                            {"fail", wire::OperationKind::Fail},
                                                            {"load", wire::OperationKind::Load},
                                                            {"add-rule", wire::OperationKind::AddRule},
                                                            {"remove-rule", wire::OperationKind::RemoveRule},
                                                            {"traffic", wire::OperationKind::Traffic}}};

/// Writes one operation into a builder.
class OperationReader {
 public:
  OperationReader(Builder& builder, const SessionTerms& terms, std::size_t most_bytes)
      : builder_(builder), terms_(terms), most_bytes_(most_bytes), amounts_(terms.resources, terms.periods) {}

  flatbuffers::Offset<wire::Operation> read(const JsonAt& at, wire::OperationKind kind) {
    switch (kind) {
      case wire::OperationKind::Submit:
        return submit(at);
      case wire::OperationKind::AddNode:
      case wire::OperationKind::Load:
        return node(at, kind);
      case wire::OperationKind::AddRule:
        return add_rule(at);
      case wire::OperationKind::Traffic:
        return traffic(at);
      case wire::OperationKind::RemoveRule: {
        at.only({"op", "rule"});
        const Text name = string(required_text(at, "rule"));
        const auto rule = wire::CreateNamedRule(builder_, name);
        wire::OperationBuilder operation(builder_);
        operation.add_kind(kind);
        operation.add_rule(rule);
        return operation.Finish();
      }
      default:
        return plain(at, kind);
    }
  }

  /// Fails where the builder cannot grow by so many bytes.
  void require_room(std::size_t bytes) const {
    constexpr std::size_t kTables = 512;  // more than the fixed part of any operation
    if (bytes < most_bytes_ && builder_.GetSize() + bytes + kTables < most_bytes_) return;
    throw Failure::in("the operations", "", "take more memory than is allowed", Fault::kSize);
  }

 private:
  /// Operations that consist of names and a number.
  flatbuffers::Offset<wire::Operation> plain(const JsonAt& at, wire::OperationKind kind) {
    const bool about_app = kind <= wire::OperationKind::Pin;
    const bool about_node = kind >= wire::OperationKind::Pin;
    const bool counts = kind == wire::OperationKind::Scale || kind == wire::OperationKind::Pin;
    if (about_app && about_node) {
      at.only({"op", "app", "node", "replicas"});
    } else if (about_app) {
      counts ? at.only({"op", "app", "replicas"}) : at.only({"op", "app"});
    } else {
      at.only({"op", "node"});
    }
    if (counts && at.value().find("replicas") == nullptr) at.fail("has no \"replicas\"");
    Text app;
    Text node;
    if (about_app) app = string(required_text(at, "app"));
    if (about_node) node = string(required_text(at, "node"));
    wire::OperationBuilder operation(builder_);
    operation.add_kind(kind);
    operation.add_app(app);
    operation.add_node(node);
    at.member("replicas", [&](const JsonAt& replicas) { operation.add_replicas(replicas.count()); });
    return operation.Finish();
  }

  flatbuffers::Offset<wire::Operation> submit(const JsonAt& at) {
    at.only({"op", "app", "replicas", "demand", "priority", "weight", "tags", "only", "not", "max_per_node", "limits",
             "variance", "deviation", "support", "kind"});
    const std::string& name = required_text(at, "app");
    const Text app = string(name);
    if (at.value().find("demand") == nullptr) at.fail("has no \"demand\"");
    const std::vector<double> demand_row = profile(at, "demand");
    const Amounts demand = amounts(demand_row);
    const Amounts variance = amounts(read_variance(at, ""));
    std::vector<double> least;
    std::vector<double> most;
    at.member("support", [&](const JsonAt& support) { read_support(support, demand_row, least, most); });
    const Amounts support_min = amounts(least);
    const Amounts support_max = amounts(most);
    const Texts tags = texts(read_tags(at, "tags"));
    const Texts only = texts(read_tags(at, "only"));
    const Texts refused = texts(read_tags(at, "not"));
    std::vector<std::string> limit_names;
    std::vector<std::uint32_t> limit_values;
    at.member("max_per_node", [&](const JsonAt& limit) {
      limit_names.push_back(name);
      limit_values.push_back(limit.count());
    });
    at.member("limits", [&](const JsonAt& limits) {
      limits.members([&](const std::string& other, const JsonAt& limit) {
        limit_names.push_back(other);
        limit_values.push_back(limit.count());
      });
    });
    std::uint32_t replicas = 1;
    at.member("replicas", [&](const JsonAt& count) { replicas = count.count(); });
    const Texts limit_app = texts(limit_names);
    flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> limit_at_most;
    require_room(limit_values.size() * sizeof(limit_values[0]));
    if (!limit_values.empty()) limit_at_most = builder_.CreateVector(limit_values);
    wire::OperationBuilder operation(builder_);
    operation.add_kind(wire::OperationKind::Submit);
    operation.add_app(app);
    operation.add_replicas(replicas);
    operation.add_demand(demand);
    at.member("priority", [&](const JsonAt& priority) { operation.add_priority(priority.integer()); });
    at.member("weight", [&](const JsonAt& weight) { operation.add_weight(weight.number()); });
    operation.add_variance(variance);
    operation.add_support_min(support_min);
    operation.add_support_max(support_max);
    at.member("kind", [&](const JsonAt& kind) { operation.add_app_kind(kind_of(kind)); });
    operation.add_tags(tags);
    operation.add_limit_app(limit_app);
    operation.add_limit_at_most(limit_at_most);
    operation.add_only(only);
    operation.add_not_(refused);
    return operation.Finish();
  }

  std::uint32_t kind_of(const JsonAt& at) const {
    if (at.is(JsonValue::Type::kWhole)) return at.count();
    const auto found = std::find(terms_.kinds.begin(), terms_.kinds.end(), at.text());
    if (found == terms_.kinds.end()) {
      at.fail("there is no kind \"" + at.text() + "\"" + did_you_mean(at.text(), {terms_.kinds.begin(), terms_.kinds.end()}));
    }
    return static_cast<std::uint32_t>(found - terms_.kinds.begin());
  }

  flatbuffers::Offset<wire::Operation> node(const JsonAt& at, wire::OperationKind kind) {
    const bool joins = kind == wire::OperationKind::AddNode;
    if (joins) {
      at.only({"op", "node", "class", "load", "load_variance", "load_deviation", "daemon", "tags", "sets"});
    } else {
      at.only({"op", "node", "load", "load_variance", "load_deviation"});
    }
    const Text name = string(required_text(at, "node"));
    Text node_class;
    at.member("class", [&](const JsonAt& value) { node_class = string(value.text()); });
    Amounts load;
    if (at.value().find("load") != nullptr) load = amounts(profile(at, "load"));
    const Amounts load_variance = amounts(read_variance(at, "load_"));
    Amounts daemon;
    if (at.value().find("daemon") != nullptr) daemon = amounts(profile(at, "daemon"));
    const Texts tags = texts(read_tags(at, "tags"));
    std::vector<std::string> groups;
    std::vector<std::string> sets;
    at.member("sets", [&](const JsonAt& members) {
      members.members([&](const std::string& group, const JsonAt& set) {
        const auto join = [&](const JsonAt& one) {
          groups.push_back(group);
          sets.push_back(one.text());
        };
        if (set.is(JsonValue::Type::kArray)) {
          set.elements([&](std::size_t, const JsonAt& one) { join(one); });
        } else {
          join(set);
        }
      });
    });
    const Texts group_list = texts(groups);
    const Texts set_list = texts(sets);
    wire::OperationBuilder operation(builder_);
    operation.add_kind(kind);
    operation.add_node(name);
    operation.add_node_class(node_class);
    operation.add_load(load);
    operation.add_load_variance(load_variance);
    operation.add_tags(tags);
    operation.add_groups(group_list);
    operation.add_sets(set_list);
    operation.add_daemon(daemon);
    return operation.Finish();
  }

  flatbuffers::Offset<wire::Operation> traffic(const JsonAt& at) {
    at.only({"op", "app", "peer", "amount"});
    if (at.value().find("amount") == nullptr) at.fail("has no \"amount\"");
    const Text app = string(required_text(at, "app"));
    const Text peer = string(required_text(at, "peer"));
    wire::OperationBuilder operation(builder_);
    operation.add_kind(wire::OperationKind::Traffic);
    operation.add_app(app);
    operation.add_peer(peer);
    at.member("amount", [&](const JsonAt& amount) { operation.add_amount(amounts_.not_negative(amount)); });
    return operation.Finish();
  }

  flatbuffers::Offset<wire::Operation> add_rule(const JsonAt& at) {
    at.only({"op", "rule"});
    if (at.value().find("rule") == nullptr) at.fail("has no \"rule\"");
    flatbuffers::Offset<wire::NamedRule> rule;
    at.member("rule", [&](const JsonAt& value) { rule = read_named_rule(value); });
    wire::OperationBuilder operation(builder_);
    operation.add_kind(wire::OperationKind::AddRule);
    operation.add_rule(rule);
    return operation.Finish();
  }

  flatbuffers::Offset<wire::NamedRule> read_named_rule(const JsonAt& at) {
    at.only({"name", "any_of", "all_of", "hard", "weight", "origin"});
    if ((at.value().find("any_of") == nullptr) == (at.value().find("all_of") == nullptr)) {
      at.fail("needs either \"all_of\" (a list of conditions) or \"any_of\" (a list of such lists)");
    }
    const Text name = string(required_text(at, "name"));
    std::vector<flatbuffers::Offset<wire::NamedConjunction>> conjunctions;
    const auto add_conjunction = [&](const JsonAt& all_of) {
      std::vector<flatbuffers::Offset<wire::NamedCardinality>> parts;
      all_of.elements([&](std::size_t, const JsonAt& one) { parts.push_back(read_named_cardinality(one)); });
      require_room(parts.size() * sizeof(parts[0]));
      conjunctions.push_back(wire::CreateNamedConjunction(builder_, builder_.CreateVector(parts)));
    };
    at.member("all_of", add_conjunction);
    at.member("any_of", [&](const JsonAt& any_of) {
      any_of.elements([&](std::size_t, const JsonAt& all_of) { add_conjunction(all_of); });
    });
    require_room(conjunctions.size() * sizeof(conjunctions[0]));
    const auto any_of = builder_.CreateVector(conjunctions);
    wire::NamedRuleBuilder rule(builder_);
    rule.add_name(name);
    rule.add_any_of(any_of);
    at.member("hard", [&](const JsonAt& hard) { rule.add_hard(hard.flag()); });
    at.member("weight", [&](const JsonAt& weight) { rule.add_weight(amounts_.not_negative(weight)); });
    at.member("origin", [&](const JsonAt& origin) {
      const auto which =
          json_word<wire::Origin>(origin, {{"application", wire::Origin::Application}, {"operator", wire::Origin::Operator}});
      rule.add_origin(static_cast<std::uint8_t>(which));
    });
    return rule.Finish();
  }

  flatbuffers::Offset<wire::NamedCardinality> read_named_cardinality(const JsonAt& at) {
    at.only({"kind", "subject", "target", "min", "max", "group", "negated"});
    if (at.value().find("subject") == nullptr) at.fail("has no \"subject\" (the tags of the replicas it is about)");
    const auto subject = strings(read_tags(at, "subject"));
    const Texts target = texts(read_tags(at, "target"));
    Text group;
    at.member("group", [&](const JsonAt& value) { group = string(value.text()); });
    wire::NamedCardinalityBuilder part(builder_);
    at.member("kind", [&](const JsonAt& kind) {
      const auto which = json_word<wire::CardinalityKind>(kind, {{"replicas", wire::CardinalityKind::Replicas},
                                                                 {"node-sets", wire::CardinalityKind::NodeSets},
                                                                 {"skew", wire::CardinalityKind::Skew}});
      part.add_kind(static_cast<std::uint8_t>(which));
    });
    part.add_subject(subject);
    part.add_target(target);
    at.member("min", [&](const JsonAt& min) { part.add_min(min.count()); });
    at.member("max", [&](const JsonAt& max) { part.add_max(max.count()); });
    part.add_group(group);
    at.member("negated", [&](const JsonAt& negated) { part.add_negated(negated.flag()); });
    return part.Finish();
  }

  /// One entry per resource where all amounts are constant over the periods, else one per resource and period.
  std::vector<double> profile(const JsonAt& at, std::string_view key) const {
    std::uint64_t budget = most_bytes_;
    ProfileColumn row(1, terms_.resources.size(), terms_.periods, budget, at.file(), "");
    at.member(key, [&](const JsonAt& values) {
      amounts_.per_resource(values, [&](std::size_t resource, const JsonAt& value) {
        const auto set = [&](const auto& amount) { row.set(0, resource, amount); };
        amounts_.profile(value, resource, set, set);
      });
    });
    return std::move(row).values();
  }

  std::vector<double> read_variance(const JsonAt& at, const std::string& prefix) const {
    std::vector<double> row;
    const std::string variance_key = prefix + "variance";
    at.member(variance_key, [&](const JsonAt& variance) {
      row.assign(terms_.resources.size(), 0);
      amounts_.per_resource(variance,
                            [&](std::size_t resource, const JsonAt& value) { row[resource] = amounts_.not_negative(value); });
    });
    at.member(prefix + "deviation", [&](const JsonAt& deviation) {
      if (!row.empty()) deviation.fail("is given twice: here and as \"" + variance_key + "\"");
      row.assign(terms_.resources.size(), 0);
      amounts_.per_resource(deviation, [&](std::size_t resource, const JsonAt& value) {
        const double one = amounts_.quantity(value, resource);
        row[resource] = one * one;
      });
    });
    return row;
  }

  /// A resource without a support gets the range of the demand over the periods.
  void read_support(const JsonAt& at, const std::vector<double>& demand, std::vector<double>& least,
                    std::vector<double>& most) const {
    const std::size_t width = demand.size() / terms_.resources.size();
    for (std::size_t r = 0; r < terms_.resources.size(); ++r) {
      const auto first = demand.begin() + static_cast<std::ptrdiff_t>(r * width);
      const auto [low, high] = std::minmax_element(first, first + static_cast<std::ptrdiff_t>(width));
      least.push_back(*low);
      most.push_back(*high);
    }
    amounts_.per_resource(at, [&](std::size_t resource, const JsonAt& range) {
      range.expect(JsonValue::Type::kArray);
      if (range.value().items.size() != 2) range.fail("must be [smallest, largest]");
      range.elements([&](std::size_t end, const JsonAt& value) {
        (end == 0 ? least : most)[resource] = amounts_.quantity(value, resource);
      });
    });
  }

  static std::vector<std::string> read_tags(const JsonAt& at, std::string_view key) {
    std::vector<std::string> tags;
    at.member(key, [&](const JsonAt& list) {
      if (list.is(JsonValue::Type::kText)) {
        tags.push_back(list.text());
        return;
      }
      list.elements([&](std::size_t, const JsonAt& tag) { tags.push_back(tag.text()); });
    });
    return tags;
  }

  Text string(const std::string& text) {
    require_room(text.size());
    return builder_.CreateString(text);
  }
  Texts strings(const std::vector<std::string>& list) {
    std::vector<Text> all;
    all.reserve(list.size());
    for (const std::string& one : list) all.push_back(string(one));
    require_room(all.size() * sizeof(all[0]));
    return builder_.CreateVector(all);
  }
  Texts texts(const std::vector<std::string>& list) { return list.empty() ? Texts() : strings(list); }
  Amounts amounts(const std::vector<double>& row) {
    require_room(row.size() * sizeof(double));
    return row.empty() ? Amounts() : builder_.CreateVector(row);
  }

  Builder& builder_;
  const SessionTerms& terms_;
  std::size_t most_bytes_;
  ResourceJson amounts_;
};

std::optional<wire::OperationKind> operation_kind(std::string_view word) {
  for (const OperationWord& known : kOperationWords) {
    if (known.word == word) return known.kind;
  }
  return std::nullopt;
}

/// Operations on their way to the wire form.
class OperationList {
 public:
  OperationList(const SessionTerms& terms, std::uint64_t most_bytes)
      : reader_(builder_, terms, std::min<std::uint64_t>(most_bytes, FLATBUFFERS_MAX_BUFFER_SIZE)) {}

  void add(const JsonAt& at) {
    at.expect(JsonValue::Type::kObject);
    const std::string& word = required_text(at, "op");
    const auto kind = operation_kind(word);
    if (!kind) {
      at.member("op", [&](const JsonAt& op) {
        std::vector<std::string_view> known;
        known.reserve(std::size(kOperationWords));
        for (const OperationWord& one : kOperationWords) known.push_back(one.word);
        op.fail("there is no operation \"" + word + "\"" + did_you_mean(word, known));
      });
    }
    reader_.require_room((list_.size() + 1) * sizeof(list_[0]));
    list_.push_back(reader_.read(at, *kind));
  }

  /// Adds the operations of a batch.
  void add_batch(const JsonAt& at) {
    at.only({"op", "operations"});
    if (at.value().find("operations") == nullptr) at.fail("has no \"operations\"");
    at.member("operations",
              [&](const JsonAt& operations) { operations.elements([&](std::size_t, const JsonAt& one) { add(one); }); });
  }

  flatbuffers::DetachedBuffer finish() {
    wire::FinishOperationsBuffer(builder_, wire::CreateOperations(builder_, 1, builder_.CreateVector(list_)));
    return builder_.Release();
  }

 private:
  Builder builder_;
  OperationReader reader_;
  std::vector<flatbuffers::Offset<wire::Operation>> list_;
};

}  // namespace

SessionTerms::SessionTerms(const wire::Instance& instance) : periods(instance.periods()) {
  for (const wire::Resource* resource : *instance.resources()) {
    resources.push_back({resource->name()->str(), resource->unit() == nullptr ? std::string() : resource->unit()->str()});
  }
  if (instance.interference() != nullptr && instance.interference()->kinds() != nullptr) {
    for (const flatbuffers::String* kind : *instance.interference()->kinds()) kinds.push_back(kind->str());
  }
}

const std::string& required_text(const JsonAt& at, std::string_view key) {
  if (at.value().find(key) == nullptr) at.fail("has no \"" + std::string(key) + "\"");
  const std::string* text = nullptr;
  at.member(key, [&](const JsonAt& value) { text = &value.text(); });
  return *text;
}

bool is_operation(std::string_view op) { return op == kBatch || operation_kind(op).has_value(); }

flatbuffers::DetachedBuffer read_operation(const JsonAt& at, const SessionTerms& terms, std::uint64_t most_bytes) {
  OperationList list(terms, most_bytes);
  if (required_text(at, "op") == kBatch) {
    list.add_batch(at);
  } else {
    list.add(at);
  }
  return list.finish();
}

flatbuffers::DetachedBuffer read_operations_json(std::string_view text, const std::string& file, const SessionTerms& terms,
                                                 std::uint64_t most_bytes) {
  OperationList list(terms, most_bytes);
  JsonValue object;
  object.type = JsonValue::Type::kObject;
  JsonVisitor visitor;
  visitor.list = true;
  visitor.element = [&](const std::string& key, std::size_t index, const JsonValue& value) {
    list.add(JsonAt(value, file, key, index));
  };
  visitor.member = [&](const std::string& key, const JsonValue& value) {
    object.keys.push_back(key);
    object.items.push_back(value);
  };
  if (read_json(text, file, visitor) == JsonValue::Type::kArray) return list.finish();
  return read_operation(JsonAt(object, file, ""), terms, most_bytes);
}

std::vector<std::string_view> operation_words() {
  std::vector<std::string_view> words = {kBatch};
  for (const OperationWord& one : kOperationWords) words.push_back(one.word);
  return words;
}

}  // namespace stowage::cli
