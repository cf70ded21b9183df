#include <algorithm>
#include <span>
#include <string>

#include "capi/src/codec.h"
#include "capi/src/wire_reader.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"

namespace stowage::capi {
namespace {

Cardinality decode_cardinality(const wire::Cardinality& from, Copier& copier) {
  Cardinality to;
  to.kind = static_cast<CardinalityKind>(from.kind());
  to.subject = copier.column(from.subject());
  to.target = copier.column(from.target());
  to.min = from.min();
  to.max = from.max();
  to.group = from.group();
  to.negated = from.negated();
  return to;
}

PlacementRule decode_rule(const wire::PlacementRule& from, Copier& copier) {
  PlacementRule to;
  to.name = copier.text(from.name());
  to.hard = from.hard();
  to.weight = from.weight();
  to.from_operator = from.origin() == wire::Origin::Operator;
  for (const wire::Conjunction* conjunction : *from.any_of()) {
    auto& parts = to.any_of.emplace_back();
    for (const wire::Cardinality* part : *conjunction->all_of()) parts.push_back(decode_cardinality(*part, copier));
    if (copier.step(1)) break;
  }
  return to;
}

void decode_apps(const wire::Apps& apps, Copier& copier, InstanceData& to) {
  to.app_names = copier.texts(apps.names());
  to.replicas = copier.column(apps.replicas());
  to.demand = copier.column(apps.demand());
  to.priority = copier.column(apps.priority());
  to.variance = copier.column(apps.variance());
  to.support_min = copier.column(apps.support_min());
  to.support_max = copier.column(apps.support_max());
  to.kind = copier.column(apps.kind());
  to.app_tags = {copier.column(apps.tag_begin()), copier.column(apps.tag_index())};
  to.weight = copier.column(apps.weight());
  to.app_only = {copier.column(apps.only_begin()), copier.column(apps.only_index())};
  to.app_not = {copier.column(apps.not_begin()), copier.column(apps.not_index())};
}

/// Node classes and listed nodes.
void decode_nodes(const wire::Instance& from, Copier& copier, InstanceData& to) {
  for (const wire::NodeClass* c : *from.classes()) {
    if (copier.step(1)) break;
    to.classes.push_back({copier.text(c->name()), copier.column(c->capacity()), c->count(), c->price(),
                          copier.texts(c->labels()), copier.column(c->daemon())});
  }
  if (const wire::Nodes* nodes = from.nodes(); nodes != nullptr) {
    to.node_class = copier.column(nodes->node_class());
    to.node_names = copier.texts(nodes->names());
    to.load = copier.column(nodes->load());
    to.load_variance = copier.column(nodes->load_variance());
    to.closed = copier.column(nodes->closed());
    to.node_tags = {copier.column(nodes->tag_begin()), copier.column(nodes->tag_index())};
    to.daemon = copier.column(nodes->daemon());
  }
}

void decode_groups(const wire::Instance& from, Copier& copier, InstanceData& to) {
  if (from.groups() == nullptr) return;
  for (const wire::NodeGroup* g : *from.groups()) {
    if (copier.step(1)) break;
    to.groups.push_back({copier.text(g->name()),
                         {copier.column(g->set_begin()), copier.column(g->node())},
                         copier.texts(g->set_names()),
                         copier.text(g->by_label())});
  }
}

void decode_interference(const wire::Interference& from, Copier& copier, InstanceData& to) {
  to.has_interference = true;
  to.interference.kinds = copier.texts(from.kinds());
  to.interference.coefficient = copier.column(from.coefficient());
  // The table is square: its size tells the number of kinds.
  std::uint32_t kinds = 0;
  while (std::uint64_t{kinds} * kinds < to.interference.coefficient.size()) ++kinds;
  to.interference.kind_count = kinds;
  to.interference.resource = from.resource();
  to.interference.max_cost = copier.column(from.max_cost());
}

// The bound on what is left over, and whether it is reached.
Error decode_left_over(const wire::Plan& from, Copier& copier, Plan& to) {
  to.places_most = from.places_most();
  const auto* entries = from.left_over_bound();
  if (entries == nullptr || entries->size() == 0) return {};
  constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 53;
  LeftOver bound;
  std::int64_t above = std::int64_t{1} << 32;
  for (flatbuffers::uoffset_t k = 0; k < entries->size() && !copier.step(1); ++k) {
    const wire::LeftOver& entry = *entries->Get(k);
    const auto path = [k] { return indexed("left_over_bound", k); };
    if (entry.replicas() == 0 || entry.replicas() > kMostCounted) {
      return {Code::kMalformed, "a number of replicas out of range", path() + ".replicas"};
    }
    if (entry.priority() >= above) return {Code::kMalformed, "priorities must descend", path() + ".priority"};
    above = entry.priority();
    bound.add(entry.priority(), entry.replicas(), 1);
  }
  to.left_over_bound = std::move(bound);
  return {};
}

/// The keys of labels that requests and plans name.
template <class From, class To>
void decode_keys(const From& from, Copier& copier, To& to) {
  to.survive = copier.text(from.survive());
  to.leave_free = copier.text(from.leave_free());
}

/// How the plan was judged, and its notes.
void decode_judgement(const wire::Plan& from, Copier& copier, Plan& to) {
  to.soft = static_cast<SoftPolicy>(from.soft());
  to.soft_price = from.soft_price();
  to.fill = from.fill();
  if (from.notes() == nullptr) return;
  for (const wire::Note* note : *from.notes()) {
    to.notes.push_back({static_cast<NoteCode>(note->code()), copier.text(note->text())});
    if (copier.ended()) return;
  }
}

}  // namespace

AlignedBytes::AlignedBytes(const std::uint8_t* bytes, std::size_t size, WatchRef watch) : data_(bytes), size_(size) {
  constexpr std::size_t kAlignment = alignof(std::uint64_t);
  if (size == 0 || reinterpret_cast<std::uintptr_t>(bytes) % kAlignment == 0) return;
  copy_.reset(new std::uint64_t[(size + kAlignment - 1) / kAlignment]);
  auto* const copy = reinterpret_cast<std::uint8_t*>(copy_.get());
  watched_copy(std::span(bytes, size), copy, watch);
  data_ = copy;
}

Result<InstanceData> decode_instance(const AlignedBytes& bytes, const Limits& limits, WatchRef watch) {
  if (bytes.size() > limits.max_bytes || bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Error{Code::kLimitExceeded, "the buffer is larger than max_bytes allows", ""};
  }
  auto table = root<wire::Instance>(bytes, Kind::kInstance, watch);
  if (!table) return table.error();
  const wire::Instance& from = **table;
  if (from.session() != nullptr) {
    if (Error e = BufferCheck(Kind::kInstance, bytes.data(), bytes.size(), watch).session_relations(); failed(e)) return e;
  }
  InstanceData to;
  Copier copier(watch);
  to.name = copier.text(from.name());
  for (const wire::Resource* r : *from.resources()) {
    to.resources.push_back({copier.text(r->name()), copier.text(r->unit()), r->device()});
  }
  to.periods = from.periods();

  const wire::Apps& apps = *from.apps();
  if (apps.replicas()->size() > limits.max_apps) {
    return Error{Code::kLimitExceeded, "more apps than max_apps allows", "apps.replicas"};
  }
  decode_apps(apps, copier, to);
  decode_nodes(from, copier, to);
  if (const wire::AffinityLimits* rows = from.limits(); rows != nullptr) {
    to.limits = {view(rows->row_begin()), view(rows->app()), view(rows->at_most())};
    if (to.limits.row_begin.empty())
      return Error{Code::kInvalid, "affinity limits need apps + 1 row starts", "limits.row_begin"};
  }
  to.running = copier.residences(from.running());
  to.pinned = copier.residences(from.pinned());
  to.tags = copier.texts(from.tags());
  decode_groups(from, copier, to);
  if (from.rules() != nullptr) {
    for (const wire::PlacementRule* rule : *from.rules()) {
      to.rules.push_back(decode_rule(*rule, copier));
      if (copier.step(1)) break;
    }
  }
  if (const wire::Uncertainty* u = from.uncertainty(); u != nullptr) {
    to.has_uncertainty = true;
    to.uncertainty = {static_cast<ChanceModel>(u->model()), u->confidence(), u->factor()};
  }
  if (from.interference() != nullptr) decode_interference(*from.interference(), copier, to);
  to.traffic = copier.structs<Traffic>(from.traffic(), [](const wire::Traffic& one) {
    return Traffic{one.app(), one.peer(), one.amount()};
  });
  if (copier.ended()) return cancelled();
  return to;
}

Result<Request> decode_request(const AlignedBytes& bytes, WatchRef watch) {
  auto table = root<wire::Request>(bytes, Kind::kRequest, watch);
  if (!table) return table.error();
  const wire::Request& from = **table;
  Request to;
  Copier copier(watch);
  to.planner = copier.text(from.planner());
  if (from.options() != nullptr) {
    for (const wire::Option* o : *from.options()) {
      to.options.push_back({copier.text(o->name()), o->number(), copier.text(o->text())});
    }
  }
  to.seed = from.seed();
  to.deadline_ms = from.deadline_ms();
  to.work_limit = from.work_limit();
  to.threads = std::max(1u, from.threads());
  to.node_limit = from.node_limit();
  to.ignore_running = from.ignore_running();
  to.move_budget = from.move_budget();
  to.objective = static_cast<Objective>(from.objective());
  to.all_or_nothing = from.all_or_nothing();
  to.compact = from.compact();
  to.soft = static_cast<SoftPolicy>(from.soft());
  to.soft_price = from.soft_price();
  to.patience_ms = from.patience_ms();
  to.fill = from.fill();
  to.max_cost = from.max_cost();
  to.keep = copier.structs<Kept>(from.keep(), [](const wire::Kept& kept) { return Kept{kept.app(), kept.replicas()}; });
  decode_keys(from, copier, to);
  if (copier.ended()) return cancelled();
  return to;
}

Result<Plan> decode_plan(const AlignedBytes& bytes, WatchRef watch) {
  auto table = root<wire::Plan>(bytes, Kind::kPlan, watch);
  if (!table) return table.error();
  const wire::Plan& from = **table;
  Copier copier(watch);
  const auto placed = [](const wire::Placed& p) { return Placed{p.app(), p.node(), p.replicas()}; };
  const auto unplaced = [](const wire::Unplaced& u) { return Unplaced{u.app(), u.replicas()}; };
  Plan to;
  to.instance = from.instance();
  to.planner = copier.text(from.planner());
  to.status = static_cast<PlanStatus>(from.status());
  to.seed = from.seed();
  to.work = from.work();
  to.pace = from.pace();
  if (from.listed()->size() != from.node_class()->size()) {
    return Error{Code::kMalformed, "needs one entry per node", "listed"};
  }
  if (from.copies() != nullptr && from.copies()->size() != from.node_class()->size()) {
    return Error{Code::kMalformed, "needs one entry per node", "copies"};
  }
  to.nodes.reserve(from.node_class()->size());
  for (flatbuffers::uoffset_t n = 0; n < from.node_class()->size() && !copier.step(1); ++n) {
    to.nodes.push_back(
        {from.node_class()->Get(n), from.listed()->Get(n), from.copies() == nullptr ? 1 : from.copies()->Get(n)});
  }
  to.placed = copier.structs<Placed>(from.placed(), placed);
  to.unplaced = copier.structs<Unplaced>(from.unplaced(), unplaced);
  const auto bound = [&](const wire::Bound& b) { return Bound{copier.text(b.name()), b.value(), b.resource(), b.period()}; };
  if (from.node_bound() != nullptr) to.bounds[Objective::kNodes] = bound(*from.node_bound());
  to.gap = from.gap();
  to.cost = from.cost();
  if (from.cost_bound() != nullptr) to.bounds[Objective::kCost] = bound(*from.cost_bound());
  to.inherited_violations = from.inherited_violations();
  to.moves = from.moves();
  to.objective = static_cast<Objective>(from.objective());
  to.ucac = from.ucac();
  to.ucac_resource = from.ucac_resource();
  if (from.ucac_bound() != nullptr) to.bounds[Objective::kUcac] = bound(*from.ucac_bound());
  to.max_cost = from.max_cost();
  to.total_cost = from.total_cost();
  to.max_cost_limit = from.max_cost_limit();
  if (from.max_cost_bound() != nullptr) to.bounds[Objective::kWorst] = bound(*from.max_cost_bound());
  if (from.total_cost_bound() != nullptr) to.bounds[Objective::kTotal] = bound(*from.total_cost_bound());
  to.left_out = from.left_out();
  if (from.left_out_bound() != nullptr) to.bounds[Objective::kAdmitted] = bound(*from.left_out_bound());
  to.remote_traffic = from.remote_traffic();
  if (from.remote_traffic_bound() != nullptr) to.bounds[Objective::kTraffic] = bound(*from.remote_traffic_bound());
  to.reserved = copier.structs<Placed>(from.reserved(), placed);
  to.unreserved = copier.structs<Unplaced>(from.unreserved(), unplaced);
  to.not_survived = from.not_survived();
  to.domains_in_use = from.domains_in_use();
  to.domain_bound = from.domain_bound();
  to.rule_costs = {from.rule_violations(), from.violating_replicas(), from.violation_extent(), from.violation_weight(),
                   from.violation_cost()};
  to.has_score = from.has_score();
  to.score = from.score();
  to.score_bound = from.score_bound();
  to.score_gap = from.score_gap();
  decode_judgement(from, copier, to);
  if (Error e = decode_left_over(from, copier, to); failed(e)) return e;
  decode_keys(from, copier, to);
  to.node_ucac = copier.column(from.node_ucac());
  to.node_max_cost = copier.column(from.node_max_cost());
  if (copier.ended()) return cancelled();
  return to;
}

}  // namespace stowage::capi
