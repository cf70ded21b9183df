#include "capi/text/formats/session/operations_json.h"

#include <algorithm>

#include "capi/text/base/failure.h"
#include "capi/text/formats/amounts/profile_column.h"
#include "capi/text/formats/amounts/resource_json.h"
#include "capi/text/formats/rule_json.h"
#include "capi/text/formats/words.h"
#include "capi/text/records/session_codec.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kBatch = "batch";

/// Reads single operations.
class OperationReader {
 public:
  OperationReader(const SessionTerms& terms, std::uint64_t most_bytes)
      : terms_(terms), most_bytes_(most_bytes), amounts_(terms.resources, terms.periods) {}

  [[nodiscard]] OperationData read(const JsonAt& at, wire::OperationKind kind) const {
    OperationData to;
    to.kind = kind;
    switch (kind) {
      case wire::OperationKind::Submit:
        submit(at, to);
        break;
      case wire::OperationKind::AddNode:
      case wire::OperationKind::Load:
        node(at, to);
        break;
      case wire::OperationKind::AddRule:
        add_rule(at, to);
        break;
      case wire::OperationKind::Traffic:
        traffic(at, to);
        break;
      case wire::OperationKind::RemoveRule:
        at.only({"op", "rule"});
        to.rule.emplace().name = required_text(at, "rule");
        break;
      default:
        plain(at, to);
    }
    return to;
  }

 private:
  /// Operations that consist of names and a number.
  static void plain(const JsonAt& at, OperationData& to) {
    const bool about_app = to.kind <= wire::OperationKind::Pin;
    const bool about_node = to.kind >= wire::OperationKind::Pin;
    const bool counts = to.kind == wire::OperationKind::Scale || to.kind == wire::OperationKind::Pin;
    if (about_app && about_node) {
      at.only({"op", "app", "node", "replicas"});
    } else if (about_app) {
      counts ? at.only({"op", "app", "replicas"}) : at.only({"op", "app"});
    } else {
      at.only({"op", "node"});
    }
    if (counts && at.value().find("replicas") == nullptr) at.fail("has no \"replicas\"");
    if (about_app) to.app = required_text(at, "app");
    if (about_node) to.node = required_text(at, "node");
    at.read("replicas", to.replicas);
  }

  void submit(const JsonAt& at, OperationData& to) const {
    std::vector<std::string_view> known = {"op",           "app",    "replicas", "demand",    "tags",    "only", "not",
                                           "max_per_node", "limits", "variance", "deviation", "support", "kind"};
    codec::app_numbers(to, [&](const char* key, auto& number) {
      known.emplace_back(key);
      at.member(key, [&](const JsonAt& value) { value.read(number); });
    });
    at.only(known);
    to.app = required_text(at, "app");
    if (at.value().find("demand") == nullptr) at.fail("has no \"demand\"");
    to.demand = profile(at, "demand");
    to.variance = read_variance(at, "");
    at.member("support", [&](const JsonAt& support) { read_support(support, to); });
    read_tags(at, "tags", to.tags);
    read_tags(at, "only", to.only);
    read_tags(at, "not", to.not_);
    const auto add_limit = [&](const std::string& app, const JsonAt& limit) {
      to.limit_app.push_back(app);
      to.limit_at_most.push_back(limit.count());
    };
    at.member("max_per_node", [&](const JsonAt& limit) { add_limit(to.app, limit); });
    at.member("limits", [&](const JsonAt& limits) { limits.members(add_limit); });
    to.replicas = 1;
    at.read("replicas", to.replicas);
    at.member("kind", [&](const JsonAt& kind) { to.app_kind = kind_of(kind); });
  }

  [[nodiscard]] std::uint32_t kind_of(const JsonAt& at) const {
    if (at.is(JsonValue::Type::kWhole)) return at.count();
    const auto found = std::find(terms_.kinds.begin(), terms_.kinds.end(), at.text());
    if (found == terms_.kinds.end()) {
      at.fail("there is no kind \"" + at.text() + "\"" + did_you_mean(at.text(), {terms_.kinds.begin(), terms_.kinds.end()}));
    }
    return static_cast<std::uint32_t>(found - terms_.kinds.begin());
  }

  void node(const JsonAt& at, OperationData& to) const {
    if (to.kind == wire::OperationKind::AddNode) {
      at.only({"op", "node", "class", "load", "load_variance", "load_deviation", "daemon", "tags", "sets"});
    } else {
      at.only({"op", "node", "load", "load_variance", "load_deviation"});
    }
    to.node = required_text(at, "node");
    at.read("class", to.node_class);
    if (at.value().find("load") != nullptr) to.load = profile(at, "load");
    to.load_variance = read_variance(at, "load_");
    if (at.value().find("daemon") != nullptr) to.daemon = profile(at, "daemon");
    read_tags(at, "tags", to.tags);
    at.member("sets", [&](const JsonAt& members) {
      members.members([&](const std::string& group, const JsonAt& set) {
        read_tags_json(set, [&](const std::string& one) {
          to.groups.push_back(group);
          to.sets.push_back(one);
        });
      });
    });
  }

  static void traffic(const JsonAt& at, OperationData& to) {
    at.only({"op", "app", "peer", "amount"});
    to.app = required_text(at, "app");
    to.peer = required_text(at, "peer");
    at.required("amount", [&](const JsonAt& amount) { to.amount = not_negative(amount); });
  }

  static void add_rule(const JsonAt& at, OperationData& to) {
    at.only({"op", "rule"});
    at.required("rule", [&](const JsonAt& rule) {
      check_rule_keys(rule);
      required_text(rule, "name");
      read_rule_json(rule, to.rule.emplace(), read_condition);
    });
  }

  static void read_condition(const JsonAt& at, NamedCardinalityData& to) {
    const auto add_tags = [](const JsonAt& list, std::vector<std::string>& tags) {
      read_tags_json(list, [&](const std::string& tag) { tags.push_back(tag); });
    };
    read_condition_json(at, to, add_tags, [&](const JsonAt& group) { to.group = group.text(); });
  }

  /// One entry per resource where all amounts are constant over the periods, else one per resource and period.
  [[nodiscard]] std::vector<double> profile(const JsonAt& at, std::string_view key) const {
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

  [[nodiscard]] std::vector<double> read_variance(const JsonAt& at, const std::string& prefix) const {
    std::vector<double> row;
    amounts_.variance(at, prefix, [&](std::size_t resource, double variance) {
      row.resize(terms_.resources.size(), 0);
      row[resource] = variance;
    });
    return row;
  }

  /// A resource without a support gets the range of the demand over the periods.
  void read_support(const JsonAt& at, OperationData& to) const {
    const std::size_t width = to.demand.size() / terms_.resources.size();
    for (std::size_t r = 0; r < terms_.resources.size(); ++r) {
      const auto first = to.demand.begin() + static_cast<std::ptrdiff_t>(r * width);
      const auto [low, high] = std::minmax_element(first, first + static_cast<std::ptrdiff_t>(width));
      to.support_min.push_back(*low);
      to.support_max.push_back(*high);
    }
    amounts_.ranges(at, [&](std::size_t resource, bool largest, double quantity) {
      (largest ? to.support_max : to.support_min)[resource] = quantity;
    });
  }

  static void read_tags(const JsonAt& at, std::string_view key, std::vector<std::string>& to) {
    at.member(key, [&](const JsonAt& list) { read_tags_json(list, [&](const std::string& tag) { to.push_back(tag); }); });
  }

  const SessionTerms& terms_;
  std::uint64_t most_bytes_;
  ResourceJson amounts_;
};

/// Operations on their way to the wire form.
class OperationList {
 public:
  OperationList(const SessionTerms& terms, std::uint64_t most_bytes)
      : most_bytes_(std::min<std::uint64_t>(most_bytes, FLATBUFFERS_MAX_BUFFER_SIZE)),
        most_estimated_(std::min<std::uint64_t>(2 * most_bytes_, FLATBUFFERS_MAX_BUFFER_SIZE)),
        reader_(terms, most_bytes_) {}

  void add(const JsonAt& at) {
    at.expect(JsonValue::Type::kObject);
    const std::string& word = required_text(at, "op");
    const auto kind = find_word<wire::OperationKind>(word);
    if (!kind) {
      const auto& known = Words<wire::OperationKind>::kAll;
      at.member("op", [&](const JsonAt& op) {
        op.fail("there is no operation \"" + word + "\"" + did_you_mean(word, {known.begin(), known.end()}));
      });
    }
    list_.push_back(reader_.read(at, *kind));
    bytes_ += sizeof(std::uint32_t) + codec::size_of_operation(list_.back());
    if (bytes_ > most_estimated_) fail();
  }

  /// Adds the operations of a batch.
  void add_batch(const JsonAt& at) {
    at.only({"op", "operations"});
    at.required("operations",
                [&](const JsonAt& operations) { operations.elements([&](std::size_t, const JsonAt& one) { add(one); }); });
  }

  flatbuffers::DetachedBuffer finish() {
    codec::Builder builder(static_cast<std::size_t>(bytes_));
    const auto operations = builder.must_all(list_, codec::write_operation);
    wire::FinishOperationsBuffer(builder, wire::CreateOperations(builder, 1, operations));
    if (builder.GetSize() > most_bytes_) fail();
    return builder.Release();
  }

 private:
  [[noreturn]] static void fail() { throw Failure::in("the operations", "", "take more memory than is allowed", Fault::kSize); }

  std::uint64_t most_bytes_;
  std::uint64_t most_estimated_;  // the estimate is up to a quarter above
  OperationReader reader_;
  std::vector<OperationData> list_;
  std::uint64_t bytes_ = 512;  // of the rest
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
  const std::string* text = nullptr;
  at.required(key, [&](const JsonAt& value) { text = &value.text(); });
  return *text;
}

bool is_operation(std::string_view op) { return op == kBatch || find_word<wire::OperationKind>(op).has_value(); }

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
  words.insert(words.end(), Words<wire::OperationKind>::kAll.begin(), Words<wire::OperationKind>::kAll.end());
  return words;
}

}  // namespace stowage::cli
