#include "capi/cli/commands/session/session_json.h"

#include <algorithm>
#include <array>

#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/resource_json.h"
#include "session_generated.h"

namespace stowage::cli {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
using Text = flatbuffers::Offset<flatbuffers::String>;
using Texts = flatbuffers::Offset<flatbuffers::Vector<Text>>;
using Amounts = flatbuffers::Offset<flatbuffers::Vector<double>>;

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
constexpr std::array<std::string_view, 7> kOtherWords = {"batch", "plan", "commit", "reject", "snapshot", "show", "status"};

/// Writes one operation into a builder.
class OperationReader {
 public:
  OperationReader(Builder& builder, const SessionTerms& terms)
      : builder_(builder), terms_(terms), amounts_(terms.resources, terms.periods) {}

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
        const Text name = builder_.CreateString(required(at, "rule"));
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

  static const std::string& required(const JsonAt& at, std::string_view key) {
    if (at.value().find(key) == nullptr) at.fail("has no \"" + std::string(key) + "\"");
    const std::string* text = nullptr;
    at.member(key, [&](const JsonAt& value) { text = &value.text(); });
    return *text;
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
    if (about_app) app = builder_.CreateString(required(at, "app"));
    if (about_node) node = builder_.CreateString(required(at, "node"));
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
    const std::string& name = required(at, "app");
    const Text app = builder_.CreateString(name);
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
    const Text name = builder_.CreateString(required(at, "node"));
    Text node_class;
    at.member("class", [&](const JsonAt& value) { node_class = builder_.CreateString(value.text()); });
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
    const Text app = builder_.CreateString(required(at, "app"));
    const Text peer = builder_.CreateString(required(at, "peer"));
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
    const Text name = builder_.CreateString(required(at, "name"));
    std::vector<flatbuffers::Offset<wire::NamedConjunction>> conjunctions;
    const auto add_conjunction = [&](const JsonAt& all_of) {
      std::vector<flatbuffers::Offset<wire::NamedCardinality>> parts;
      all_of.elements([&](std::size_t, const JsonAt& one) { parts.push_back(read_named_cardinality(one)); });
      conjunctions.push_back(wire::CreateNamedConjunction(builder_, builder_.CreateVector(parts)));
    };
    at.member("all_of", add_conjunction);
    at.member("any_of", [&](const JsonAt& any_of) {
      any_of.elements([&](std::size_t, const JsonAt& all_of) { add_conjunction(all_of); });
    });
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
    const auto subject = builder_.CreateVectorOfStrings(read_tags(at, "subject"));
    const Texts target = texts(read_tags(at, "target"));
    Text group;
    at.member("group", [&](const JsonAt& value) { group = builder_.CreateString(value.text()); });
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

  /// One entry per resource where all members are single amounts, else one per resource and period.
  std::vector<double> profile(const JsonAt& at, std::string_view key) const {
    std::vector<double> row;
    at.member(key, [&](const JsonAt& values) {
      bool varies = false;
      values.members([&](const std::string&, const JsonAt& value) { varies = varies || value.is(JsonValue::Type::kArray); });
      row.assign(terms_.resources.size() * (varies ? terms_.periods : 1), 0);
      amounts_.per_resource(values, [&](std::size_t resource, const JsonAt& value) {
        if (varies) {
          amounts_.profile(value, resource, row.data());
        } else {
          row[resource] = amounts_.quantity(value, resource);
        }
      });
    });
    return row;
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

  Amounts amounts(const std::vector<double>& row) { return row.empty() ? Amounts() : builder_.CreateVector(row); }
  Texts texts(const std::vector<std::string>& list) { return list.empty() ? Texts() : builder_.CreateVectorOfStrings(list); }

  Builder& builder_;
  const SessionTerms& terms_;
  ResourceJson amounts_;
};

std::optional<wire::OperationKind> operation_kind(std::string_view word) {
  for (const OperationWord& known : kOperationWords) {
    if (known.word == word) return known.kind;
  }
  return std::nullopt;
}

[[noreturn]] void unknown_word(const JsonAt& at, const std::string& word) {
  std::vector<std::string_view> known(kOtherWords.begin(), kOtherWords.end());
  for (const OperationWord& one : kOperationWords) known.push_back(one.word);
  at.fail("there is no command \"" + word + "\"" + did_you_mean(word, known));
}

void finish_operations(Builder& builder, const std::vector<flatbuffers::Offset<wire::Operation>>& list,
                       SessionCommand& command) {
  wire::FinishOperationsBuffer(builder, wire::CreateOperations(builder, 1, builder.CreateVector(list)));
  command.kind = SessionCommand::Kind::kOperations;
  command.operations = builder.Release();
}

void read_batch(const JsonAt& at, const SessionTerms& terms, SessionCommand& command) {
  at.only({"op", "operations"});
  if (at.value().find("operations") == nullptr) at.fail("has no \"operations\"");
  Builder builder;
  std::vector<flatbuffers::Offset<wire::Operation>> list;
  at.member("operations", [&](const JsonAt& operations) {
    operations.elements([&](std::size_t, const JsonAt& one) {
      one.expect(JsonValue::Type::kObject);
      const std::string& word = OperationReader::required(one, "op");
      const auto kind = operation_kind(word);
      if (!kind) unknown_word(one, word);
      list.push_back(OperationReader(builder, terms).read(one, *kind));
    });
  });
  finish_operations(builder, list, command);
  command.batch = true;
}

// Milliseconds, at least one.
std::uint64_t milliseconds_at(const JsonAt& at) {
  const auto parsed = parse_duration(at.text());
  if (!parsed) at.fail("\"" + at.text() + "\" is not a duration (try \"10s\" or \"500ms\")");
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parsed->count()));
}

void read_plan_command(const JsonAt& at, SessionCommand& command) {
  at.only({"op", "planner", "options", "seed", "deadline", "work", "threads", "nodes", "ignore_running", "moves", "objective",
           "compact", "soft", "soft_price", "patience", "fill", "max_cost", "output"});
  command.kind = SessionCommand::Kind::kPlan;
  RequestOptions& request = command.request;
  request.planner = "auto";
  at.member("planner", [&](const JsonAt& planner) { request.planner = planner.text(); });
  at.member("options", [&](const JsonAt& options) {
    options.members([&](const std::string& name, const JsonAt& value) { request.options.emplace_back(name, value.number()); });
  });
  at.member("seed", [&](const JsonAt& seed) { request.seed = seed.whole(); });
  at.member("deadline", [&](const JsonAt& deadline) { request.deadline_ms = milliseconds_at(deadline); });
  at.member("patience", [&](const JsonAt& patience) { request.patience_ms = milliseconds_at(patience); });
  at.member("work", [&](const JsonAt& work) { request.work_limit = work.whole(); });
  at.member("threads", [&](const JsonAt& threads) { request.threads = threads.count(); });
  at.member("nodes", [&](const JsonAt& nodes) { request.node_limit = nodes.count(); });
  at.member("ignore_running", [&](const JsonAt& ignore) { request.ignore_running = ignore.flag(); });
  at.member("compact", [&](const JsonAt& compact) { request.compact = compact.flag(); });
  at.member("moves", [&](const JsonAt& moves) { request.move_budget = moves.count(); });
  at.member("objective", [&](const JsonAt& objective) {
    request.objective = json_word<wire::Objective>(objective, {{"nodes", wire::Objective::Nodes},
                                                               {"ucac", wire::Objective::Ucac},
                                                               {"worst", wire::Objective::Worst},
                                                               {"total", wire::Objective::Total},
                                                               {"admitted", wire::Objective::Admitted},
                                                               {"traffic", wire::Objective::Traffic}});
  });
  at.member("soft", [&](const JsonAt& soft) {
    request.soft = json_word<wire::SoftPolicy>(
        soft, {{"first", wire::SoftPolicy::First}, {"last", wire::SoftPolicy::Last}, {"price", wire::SoftPolicy::Price}});
  });
  at.member("soft_price", [&](const JsonAt& price) { request.soft_price = price.number(); });
  at.member("fill", [&](const JsonAt& fill) { request.fill = fill.flag(); });
  at.member("max_cost", [&](const JsonAt& cost) { request.max_cost = cost.number(); });
  at.member("output", [&](const JsonAt& output) { command.file = output.text(); });
}

}  // namespace

SessionTerms::SessionTerms(const wire::Instance& instance) : periods(instance.periods()) {
  for (const wire::Resource* resource : *instance.resources()) {
    resources.push_back({resource->name()->str(), resource->unit() == nullptr ? std::string() : resource->unit()->str()});
  }
  has_interference = instance.interference() != nullptr;
  if (has_interference && instance.interference()->kinds() != nullptr) {
    for (const flatbuffers::String* kind : *instance.interference()->kinds()) kinds.push_back(kind->str());
  }
}

SessionCommand read_session_command(std::string_view line, const std::string& source, const SessionTerms& terms) {
  JsonValue object;
  object.type = JsonValue::Type::kObject;
  JsonVisitor visitor;
  visitor.member = [&](const std::string& key, const JsonValue& value) {
    object.keys.push_back(key);
    object.items.push_back(value);
  };
  read_json(line, source, visitor);
  const JsonAt at(object, source, "");
  const std::string& word = OperationReader::required(at, "op");
  SessionCommand command;
  if (const auto kind = operation_kind(word)) {
    Builder builder;
    const auto operation = OperationReader(builder, terms).read(at, *kind);
    finish_operations(builder, {operation}, command);
  } else if (word == "batch") {
    read_batch(at, terms, command);
  } else if (word == "plan") {
    read_plan_command(at, command);
  } else if (word == "commit") {
    at.only({"op", "mode"});
    command.kind = SessionCommand::Kind::kCommit;
    at.member("mode", [&](const JsonAt& mode) {
      command.mode = json_word<stowage_commit_mode>(
          mode, {{"exact", STOWAGE_COMMIT_EXACT}, {"whole", STOWAGE_COMMIT_WHOLE}, {"fitting", STOWAGE_COMMIT_FITTING}});
    });
  } else if (word == "reject") {
    at.only({"op"});
    command.kind = SessionCommand::Kind::kReject;
  } else if (word == "snapshot") {
    at.only({"op", "file"});
    command.kind = SessionCommand::Kind::kSnapshot;
    command.file = OperationReader::required(at, "file");
  } else if (word == "show") {
    at.only({"op", "app", "node"});
    command.kind = SessionCommand::Kind::kShow;
    at.member("app", [&](const JsonAt& app) { command.app = app.text(); });
    at.member("node", [&](const JsonAt& node) { command.node = node.text(); });
    if (command.app.has_value() == command.node.has_value()) at.fail("needs either \"app\" or \"node\"");
  } else if (word == "status") {
    at.only({"op"});
  } else {
    unknown_word(at, word);
  }
  return command;
}

}  // namespace stowage::cli
