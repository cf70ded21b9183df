#include <string>

#include "capi/src/codec.h"
#include "capi/src/wire_reader.h"
#include "instance_generated.h"
#include "session_generated.h"

namespace stowage::capi {
namespace {

NamedRule decode_named_rule(const wire::NamedRule& from, Copier& copier) {
  NamedRule to;
  to.name = copier.text(from.name());
  to.hard = from.hard();
  to.weight = from.weight();
  to.from_operator = from.origin() == static_cast<std::uint8_t>(wire::Origin::Operator);
  if (from.any_of() == nullptr) return to;
  for (const wire::NamedConjunction* conjunction : *from.any_of()) {
    auto& parts = to.any_of.emplace_back();
    for (const wire::NamedCardinality* part : *conjunction->all_of()) {
      parts.push_back({static_cast<CardinalityKind>(part->kind()), copier.texts(part->subject()), copier.texts(part->target()),
                       part->min(), part->max(), copier.text(part->group()), part->negated()});
    }
    if (copier.step(1)) break;
  }
  return to;
}

Operation decode_operation(const wire::Operation& from, Copier& copier) {
  Operation to;
  to.kind = static_cast<OperationKind>(from.kind());
  to.app = copier.text(from.app());
  to.node = copier.text(from.node());
  to.tags = copier.texts(from.tags());
  to.limit_app = copier.texts(from.limit_app());
  to.node_class = copier.text(from.node_class());
  to.groups = copier.texts(from.groups());
  to.sets = copier.texts(from.sets());
  to.only = copier.texts(from.only());
  to.refused = copier.texts(from.not_());
  to.peer = copier.text(from.peer());
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
  if (from.rule() != nullptr) to.rule = decode_named_rule(*from.rule(), copier);
  return to;
}

}  // namespace

static_assert(static_cast<std::uint8_t>(wire::OperationKind::MAX) == kLastOperationKind);

Result<std::vector<Operation>> decode_operations(const AlignedBytes& bytes, WatchRef watch) {
  auto table = root<wire::Operations>(bytes, Kind::kOperations, watch);
  if (!table) return table.error();
  std::vector<Operation> operations;
  Copier copier(watch);
  for (const wire::Operation* one : *(*table)->operations()) {
    operations.push_back(decode_operation(*one, copier));
    if (copier.step(16)) return cancelled();
  }
  return operations;
}

Result<std::optional<SessionExtra>> decode_session_extra(const AlignedBytes& bytes, WatchRef watch) {
  const wire::Session* from = flatbuffers::GetRoot<wire::Instance>(bytes.data())->session();
  if (from == nullptr) return std::optional<SessionExtra>();
  Copier copier(watch);
  SessionExtra to;
  to.version = from->version();
  for (const auto state : *from->node_state()) to.node_state.push_back(static_cast<std::uint8_t>(state));
  to.class_number = copier.column(from->class_number());
  to.waiting_pins = copier.residences(from->waiting_pins());
  to.waiting_limit_begin = copier.column(from->waiting_limit_begin());
  to.waiting_limit_app = copier.texts(from->waiting_limit_app());
  to.waiting_limit_at_most = copier.column(from->waiting_limit_at_most());
  if (copier.ended()) return cancelled();
  return std::optional<SessionExtra>(std::move(to));
}

}  // namespace stowage::capi
