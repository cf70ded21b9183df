#include <algorithm>
#include <cstring>
#include <string>

#include "capi/src/codec.h"
#include "capi/src/wire_reader.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"

namespace stowage::capi {
namespace {

Result<Cardinality> decode_cardinality(const wire::Cardinality& from, const std::string& path, Copier& copier) {
  if (from.kind() > wire::CardinalityKind::MAX) return Error{Code::kInvalid, "unknown kind of constraint", path + ".kind"};
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

Result<PlacementRule> decode_rule(const wire::PlacementRule& from, const std::string& path, Copier& copier) {
  PlacementRule to;
  to.name = copier.text(from.name());
  to.hard = from.hard();
  to.weight = from.weight();
  if (from.origin() > wire::Origin::MAX) return Error{Code::kInvalid, "unknown origin", path + ".origin"};
  to.from_operator = from.origin() == wire::Origin::Operator;
  for (flatbuffers::uoffset_t c = 0; c < from.any_of()->size(); ++c) {
    std::vector<Cardinality> conjunction;
    const auto* parts = from.any_of()->Get(c)->all_of();
    for (flatbuffers::uoffset_t k = 0; k < parts->size(); ++k) {
      if (!copier.take(sizeof(Cardinality))) return out_of_proportion();
      auto part = decode_cardinality(*parts->Get(k), path + "." + indexed("any_of", c) + "." + indexed("all_of", k), copier);
      if (!part) return part.error();
      conjunction.push_back(std::move(*part));
    }
    to.any_of.push_back(std::move(conjunction));
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
    if (!copier.take(sizeof(NodeClass))) break;
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
    if (!copier.take(sizeof(NodeGroup))) break;
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
  // Entries of the map and what the allocator adds.
  constexpr std::uint64_t kPerEntry = 96;
  if (!copier.take(std::uint64_t{entries->size()} * kPerEntry)) return out_of_proportion();
  constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 53;
  LeftOver bound;
  std::int64_t above = std::int64_t{1} << 32;
  for (flatbuffers::uoffset_t k = 0; k < entries->size(); ++k) {
    // memcpy, because the verifier does not check the alignment of a column of structs.
    wire::LeftOver entry;
    std::memcpy(&entry, entries->Data() + k * sizeof entry, sizeof entry);
    const std::string path = indexed("left_over_bound", k);
    if (entry.replicas() == 0 || entry.replicas() > kMostCounted) {
      return {Code::kMalformed, "a number of replicas out of range", path + ".replicas"};
    }
    if (entry.priority() >= above) return {Code::kMalformed, "priorities must descend", path + ".priority"};
    above = entry.priority();
    bound.add(entry.priority(), entry.replicas(), 1);
  }
  to.left_over_bound = std::move(bound);
  return {};
}

// How the plan was judged, and its notes.
/// The keys of labels that requests and plans name.
template <class From, class To>
Error decode_keys(const From& from, Copier& copier, To& to) {
  if (from.survive() != nullptr) to.survive = copier.text(from.survive());
  if (from.leave_free() != nullptr) to.leave_free = copier.text(from.leave_free());
  if (!is_utf8(to.survive)) return {Code::kMalformed, "a key that is not UTF-8", "survive"};
  if (!is_utf8(to.leave_free)) return {Code::kMalformed, "a key that is not UTF-8", "leave_free"};
  return {};
}

Error decode_judgement(const wire::Plan& from, Copier& copier, Plan& to) {
  if (from.soft() > static_cast<std::uint8_t>(wire::SoftPolicy::MAX)) {
    return {Code::kMalformed, "unknown policy for soft rules", "soft"};
  }
  to.soft = static_cast<SoftPolicy>(from.soft());
  to.soft_price = from.soft_price();
  to.fill = from.fill();
  if (from.notes() == nullptr) return {};
  for (flatbuffers::uoffset_t k = 0; k < from.notes()->size(); ++k) {
    const wire::Note& note = *from.notes()->Get(k);
    const std::string path = indexed("notes", k);
    if (note.code() > wire::NoteCode::MAX) return {Code::kMalformed, "unknown code of a note", path + ".code"};
    std::string text = copier.text(note.text());
    if (!is_utf8(text)) return {Code::kMalformed, "a text that is not UTF-8", path + ".text"};
    to.notes.push_back({static_cast<NoteCode>(note.code()), std::move(text)});
  }
  if (copier.exceeded()) return out_of_proportion();
  return {};
}

}  // namespace

AlignedBytes::AlignedBytes(const std::uint8_t* bytes, std::size_t size) : data_(bytes), size_(size) {
  constexpr std::size_t kAlignment = alignof(std::uint64_t);
  if (size == 0 || reinterpret_cast<std::uintptr_t>(bytes) % kAlignment == 0) return;
  copy_.resize((size + kAlignment - 1) / kAlignment);
  std::memcpy(copy_.data(), bytes, size);
  data_ = reinterpret_cast<const std::uint8_t*>(copy_.data());
}

Result<InstanceData> decode_instance(const AlignedBytes& bytes, const Limits& limits) {
  if (bytes.size() > limits.max_bytes || bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Error{Code::kLimitExceeded, "the buffer is larger than max_bytes allows", ""};
  }
  if (shares_strings<wire::NodeClass>(bytes, wire::Instance::VT_CLASSES, [](const auto& c) { return length_of(c.labels()); }) ||
      shares_strings<wire::NodeGroup>(bytes, wire::Instance::VT_GROUPS,
                                      [](const auto& g) { return length_of(g.set_names()); })) {
    return out_of_proportion();
  }
  // Only resources, classes, groups and rules are tables, so that their number does not grow with the apps.
  auto table = root<wire::Instance>(bytes, wire::InstanceIdentifier(), "an instance", 1'000'000);
  if (!table) return table.error();
  const wire::Instance& from = **table;
  InstanceData to;
  Copier copier(bytes.size());
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
    for (flatbuffers::uoffset_t k = 0; k < from.rules()->size(); ++k) {
      if (!copier.take(sizeof(PlacementRule))) break;
      auto rule = decode_rule(*from.rules()->Get(k), indexed("rules", k), copier);
      if (!rule) return rule.error();
      to.rules.push_back(std::move(*rule));
    }
  }
  if (const wire::Uncertainty* u = from.uncertainty(); u != nullptr) {
    if (u->model() > wire::ChanceModel::MAX) return Error{Code::kInvalid, "unknown chance model", "uncertainty.model"};
    to.has_uncertainty = true;
    to.uncertainty = {static_cast<ChanceModel>(u->model()), u->confidence(), u->factor()};
  }
  if (from.interference() != nullptr) decode_interference(*from.interference(), copier, to);
  if (from.traffic() != nullptr && copier.take(std::uint64_t{from.traffic()->size()} * sizeof(Traffic))) {
    for (const wire::Traffic* one : *from.traffic()) to.traffic.push_back({one->app(), one->peer(), one->amount()});
  }
  if (copier.exceeded()) return out_of_proportion();
  return to;
}

Result<Request> decode_request(const AlignedBytes& bytes) {
  auto table = root<wire::Request>(bytes, wire::RequestIdentifier(), "a request", 1000);
  if (!table) return table.error();
  const wire::Request& from = **table;
  Request to;
  Copier copier(bytes.size());
  to.planner = copier.text(from.planner());
  if (from.options() != nullptr) {
    for (const wire::Option* o : *from.options()) {
      to.options.push_back({copier.text(o->name()), o->number(), copier.text(o->text())});
    }
  }
  if (copier.exceeded()) return out_of_proportion();
  to.seed = from.seed();
  to.deadline_ms = from.deadline_ms();
  to.work_limit = from.work_limit();
  to.threads = std::max(1u, from.threads());
  to.node_limit = from.node_limit();
  to.ignore_running = from.ignore_running();
  to.move_budget = from.move_budget();
  if (from.objective() > wire::Objective::MAX) return Error{Code::kInvalid, "unknown objective", "objective"};
  to.objective = static_cast<Objective>(from.objective());
  to.all_or_nothing = from.all_or_nothing();
  to.compact = from.compact();
  if (from.soft() > wire::SoftPolicy::MAX) return Error{Code::kInvalid, "unknown policy for soft rules", "soft"};
  to.soft = static_cast<SoftPolicy>(from.soft());
  to.soft_price = from.soft_price();
  to.patience_ms = from.patience_ms();
  to.fill = from.fill();
  to.max_cost = from.max_cost();
  if (from.keep() != nullptr) {
    for (const wire::Kept* kept : *from.keep()) to.keep.push_back({kept->app(), kept->replicas()});
  }
  if (Error e = decode_keys(from, copier, to); failed(e)) return e;
  if (copier.exceeded()) return out_of_proportion();
  return to;
}

Result<Plan> decode_plan(const AlignedBytes& bytes) {
  auto table = root<wire::Plan>(bytes, wire::PlanIdentifier(), "a plan", 1000);
  if (!table) return table.error();
  const wire::Plan& from = **table;
  Plan to;
  to.instance = from.instance();
  to.planner = from.planner()->str();
  if (!is_utf8(to.planner)) return Error{Code::kMalformed, "a name that is not UTF-8", "planner"};
  for (const wire::Bound* b : {from.node_bound(), from.cost_bound(), from.ucac_bound()}) {
    if (b != nullptr && !is_utf8(b->name()->string_view())) {
      return Error{Code::kMalformed, "a name that is not UTF-8",
                   b == from.node_bound()   ? "node_bound.name"
                   : b == from.cost_bound() ? "cost_bound.name"
                                            : "ucac_bound.name"};
    }
  }
  if (from.status() > wire::PlanStatus::MAX) return Error{Code::kMalformed, "unknown plan status", "status"};
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
  for (flatbuffers::uoffset_t n = 0; n < from.node_class()->size(); ++n) {
    to.nodes.push_back(
        {from.node_class()->Get(n), from.listed()->Get(n), from.copies() == nullptr ? 1 : from.copies()->Get(n)});
  }
  for (const wire::Placed* p : *from.placed()) to.placed.push_back({p->app(), p->node(), p->replicas()});
  for (const wire::Unplaced* u : *from.unplaced()) to.unplaced.push_back({u->app(), u->replicas()});
  const auto bound = [](const wire::Bound& b) { return Bound{b.name()->str(), b.value(), b.resource(), b.period()}; };
  if (from.node_bound() != nullptr) to.bounds[Objective::kNodes] = bound(*from.node_bound());
  to.gap = from.gap();
  to.cost = from.cost();
  if (from.cost_bound() != nullptr) to.bounds[Objective::kCost] = bound(*from.cost_bound());
  to.inherited_violations = from.inherited_violations();
  to.moves = from.moves();
  if (from.objective() > static_cast<std::uint8_t>(wire::Objective::MAX)) {
    return Error{Code::kMalformed, "unknown objective", "objective"};
  }
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
  if (from.reserved() != nullptr) {
    for (const wire::Placed* p : *from.reserved()) to.reserved.push_back({p->app(), p->node(), p->replicas()});
  }
  if (from.unreserved() != nullptr) {
    for (const wire::Unplaced* u : *from.unreserved()) to.unreserved.push_back({u->app(), u->replicas()});
  }
  to.not_survived = from.not_survived();
  to.domains_in_use = from.domains_in_use();
  to.domain_bound = from.domain_bound();
  to.rule_costs = {from.rule_violations(), from.violating_replicas(), from.violation_extent(), from.violation_weight(),
                   from.violation_cost()};
  to.has_score = from.has_score();
  to.score = from.score();
  to.score_bound = from.score_bound();
  to.score_gap = from.score_gap();
  Copier copier(bytes.size());
  if (Error e = decode_judgement(from, copier, to); failed(e)) return e;
  if (Error e = decode_left_over(from, copier, to); failed(e)) return e;
  // memcpy, because the verifier does not check the alignment of a column of doubles.
  const auto copy = [](const flatbuffers::Vector<double>* column, std::vector<double>& to_column) {
    if (column == nullptr || column->size() == 0) return;
    to_column.resize(column->size());
    std::memcpy(to_column.data(), column->Data(), column->size() * sizeof(double));
  };
  if (Error e = decode_keys(from, copier, to); failed(e)) return e;
  if (copier.exceeded()) return out_of_proportion();
  copy(from.node_ucac(), to.node_ucac);
  copy(from.node_max_cost(), to.node_max_cost);
  return to;
}

}  // namespace stowage::capi
