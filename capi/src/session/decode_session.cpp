#include <string>

#include "capi/src/codec.h"
#include "capi/src/wire_reader.h"
#include "instance_generated.h"
#include "session_generated.h"

namespace stowage::capi {
namespace {

using Strings = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

std::size_t strings_of_rule(const wire::NamedRule* rule) {
  std::size_t strings = 0;
  if (rule == nullptr || rule->any_of() == nullptr) return 0;
  for (const wire::NamedConjunction* conjunction : *rule->any_of()) {
    for (const wire::NamedCardinality* part : *conjunction->all_of()) {
      strings += length_of(part->subject()) + length_of(part->target());
    }
  }
  return strings;
}

/// Copies names and refuses text that is not UTF-8, because snapshots and reports return it.
class NameCopier {
 public:
  explicit NameCopier(Copier& copier) : copier_(copier) {}

  bool text(const flatbuffers::String* from, const std::string& path, std::string& to) {
    to = copier_.text(from);
    return known(to, path);
  }
  bool texts(const Strings* from, const std::string& path, std::vector<std::string>& to) {
    to = copier_.texts(from);
    for (std::size_t k = 0; k < to.size(); ++k) {
      if (!known(to[k], indexed(path.c_str(), k))) return false;
    }
    return true;
  }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  bool known(const std::string& name, const std::string& path) {
    if (is_utf8(name)) return true;
    error_ = {Code::kMalformed, "a name that is not UTF-8", path};
    return false;
  }

  Copier& copier_;
  Error error_;
};

Error decode_named_rule(const wire::NamedRule& from, const std::string& path, Copier& copier, NamedRule& to) {
  NameCopier names(copier);
  if (!names.text(from.name(), path + ".name", to.name)) return names.error();
  to.hard = from.hard();
  to.weight = from.weight();
  if (from.origin() > static_cast<std::uint8_t>(wire::Origin::MAX)) {
    return {Code::kInvalid, "unknown origin", path + ".origin"};
  }
  to.from_operator = from.origin() == static_cast<std::uint8_t>(wire::Origin::Operator);
  if (from.any_of() == nullptr) return {};
  for (flatbuffers::uoffset_t c = 0; c < from.any_of()->size(); ++c) {
    auto& conjunction = to.any_of.emplace_back();
    const auto* parts = from.any_of()->Get(c)->all_of();
    for (flatbuffers::uoffset_t k = 0; k < parts->size(); ++k) {
      if (!copier.take(sizeof(NamedCardinality))) return out_of_proportion();
      const wire::NamedCardinality& part = *parts->Get(k);
      const std::string at = path + "." + indexed("any_of", c) + "." + indexed("all_of", k);
      if (part.kind() > static_cast<std::uint8_t>(wire::CardinalityKind::MAX)) {
        return {Code::kInvalid, "unknown kind of constraint", at + ".kind"};
      }
      NamedCardinality& one = conjunction.emplace_back();
      one.kind = static_cast<CardinalityKind>(part.kind());
      if (!names.texts(part.subject(), at + ".subject", one.subject) ||
          !names.texts(part.target(), at + ".target", one.target) || !names.text(part.group(), at + ".group", one.group)) {
        return names.error();
      }
      one.min = part.min();
      one.max = part.max();
      one.negated = part.negated();
    }
  }
  return {};
}

Error decode_operation(const wire::Operation& from, const std::string& path, Copier& copier, Operation& to) {
  if (from.kind() > wire::OperationKind::MAX) return {Code::kInvalid, "unknown kind of operation", path + ".kind"};
  NameCopier names(copier);
  to.kind = static_cast<OperationKind>(from.kind());
  if (!names.text(from.app(), path + ".app", to.app) || !names.text(from.node(), path + ".node", to.node) ||
      !names.texts(from.tags(), path + ".tags", to.tags) || !names.texts(from.limit_app(), path + ".limit_app", to.limit_app) ||
      !names.text(from.node_class(), path + ".node_class", to.node_class) ||
      !names.texts(from.groups(), path + ".groups", to.groups) || !names.texts(from.sets(), path + ".sets", to.sets) ||
      !names.texts(from.only(), path + ".only", to.only) || !names.texts(from.not_(), path + ".not", to.refused) ||
      !names.text(from.peer(), path + ".peer", to.peer)) {
    return names.error();
  }
  to.replicas = from.replicas();
  to.demand = copier.column(from.demand());
  to.priority = from.priority();
  to.weight = from.weight();
  to.variance = copier.column(from.variance());
  to.support_min = copier.column(from.support_min());
  to.support_max = copier.column(from.support_max());
  to.app_kind = from.app_kind();
  to.limit_at_most = copier.column(from.limit_at_most());
  to.load = copier.column(from.load());
  to.load_variance = copier.column(from.load_variance());
  to.daemon = copier.column(from.daemon());
  to.amount = from.amount();
  if (from.rule() != nullptr) return decode_named_rule(*from.rule(), path + ".rule", copier, to.rule);
  return {};
}

}  // namespace

static_assert(static_cast<std::uint8_t>(wire::OperationKind::MAX) == kLastOperationKind);

Result<std::vector<Operation>> decode_operations(const AlignedBytes& bytes) {
  const auto strings = [](const wire::Operation& o) {
    return length_of(o.tags()) + length_of(o.limit_app()) + length_of(o.groups()) + length_of(o.sets()) + length_of(o.only()) +
           length_of(o.not_()) + strings_of_rule(o.rule());
  };
  if (shares_strings<wire::Operation>(bytes, wire::Operations::VT_OPERATIONS, strings)) return out_of_proportion();
  auto table = root<wire::Operations>(bytes, wire::OperationsIdentifier(), "an operations buffer", 1'000'000);
  if (!table) return table.error();
  std::vector<Operation> operations;
  Copier copier(bytes.size());
  const auto& list = *(*table)->operations();
  for (flatbuffers::uoffset_t k = 0; k < list.size(); ++k) {
    if (!copier.take(sizeof(Operation))) return out_of_proportion();
    const Error error = decode_operation(*list.Get(k), indexed("operations", k), copier, operations.emplace_back());
    if (failed(error)) return error;
  }
  if (copier.exceeded()) return out_of_proportion();
  return operations;
}

Result<std::optional<SessionExtra>> decode_session_extra(const AlignedBytes& bytes) {
  const wire::Session* from = flatbuffers::GetRoot<wire::Instance>(bytes.data())->session();
  if (from == nullptr) return std::optional<SessionExtra>();
  Copier copier(bytes.size());
  SessionExtra to;
  to.version = from->version();
  if (!copier.take(from->node_state()->size())) return out_of_proportion();
  for (flatbuffers::uoffset_t k = 0; k < from->node_state()->size(); ++k) {
    to.node_state.push_back(static_cast<std::uint8_t>(from->node_state()->Get(k)));
  }
  to.class_number = copier.column(from->class_number());
  to.waiting_pins = copier.residences(from->waiting_pins());
  to.waiting_limit_begin = copier.column(from->waiting_limit_begin());
  to.waiting_limit_app = copier.texts(from->waiting_limit_app());
  to.waiting_limit_at_most = copier.column(from->waiting_limit_at_most());
  if (copier.exceeded()) return out_of_proportion();
  return std::optional<SessionExtra>(std::move(to));
}

}  // namespace stowage::capi
