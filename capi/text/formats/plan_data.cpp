#include "capi/text/formats/plan_data.h"

#include <algorithm>
#include <array>

#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

/// Nodes without replicas that a compact plan may stand for: as many as the library takes by default.
constexpr std::uint64_t kMostEmptyNodes = 10'000'000;

constexpr std::array<std::pair<std::string_view, wire::PlanStatus>, 6> kStatusWords = {
    {{"complete", wire::PlanStatus::Complete},
     {"optimal", wire::PlanStatus::Optimal},
     {"partial", wire::PlanStatus::Partial},
     {"infeasible-proven", wire::PlanStatus::InfeasibleProven},
     {"cancelled", wire::PlanStatus::Cancelled},
     {"deadline", wire::PlanStatus::Deadline}}};

constexpr std::array<std::pair<std::string_view, wire::SoftPolicy>, 3> kSoftWords = {
    {{"first", wire::SoftPolicy::First}, {"last", wire::SoftPolicy::Last}, {"price", wire::SoftPolicy::Price}}};

constexpr std::array<std::pair<std::string_view, wire::Objective>, 6> kObjectiveWords = {
    {{"nodes", wire::Objective::Nodes},
     {"ucac", wire::Objective::Ucac},
     {"worst", wire::Objective::Worst},
     {"total", wire::Objective::Total},
     {"admitted", wire::Objective::Admitted},
     {"traffic", wire::Objective::Traffic}}};

constexpr std::array<std::pair<std::string_view, wire::NoteCode>, 7> kNoteWords = {
    {{"search-off", wire::NoteCode::SearchOff},
     {"neighbourhood-off", wire::NoteCode::NeighbourhoodOff},
     {"ended-early", wire::NoteCode::EndedEarly},
     {"left-out", wire::NoteCode::LeftOut},
     {"idle-rule", wire::NoteCode::IdleRule},
     {"promise", wire::NoteCode::Promise},
     {"start-plan", wire::NoteCode::StartPlan}}};

/// The value of a word in a table of words; nothing where it has none.
template <class Table>
std::optional<typename Table::value_type::second_type> value_of(const Table& words, std::string_view word) {
  const auto* found = std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.first == word; });
  if (found == words.end()) return std::nullopt;
  return found->second;
}
template <class Table, class Value>
const char* word_of(const Table& words, Value value) {
  const auto* found = std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.second == value; });
  return found == words.end() ? "unknown" : found->first.data();
}

}  // namespace

flatbuffers::DetachedBuffer encode_plan(PlanData data) {
  for (std::vector<wire::Placed>* list : {&data.placed, &data.reserved}) {
    std::sort(list->begin(), list->end(), [](const wire::Placed& a, const wire::Placed& b) {
      return a.node() != b.node() ? a.node() < b.node() : a.app() < b.app();
    });
  }
  for (std::vector<wire::Unplaced>* list : {&data.unplaced, &data.unreserved}) {
    std::sort(list->begin(), list->end(), [](const wire::Unplaced& a, const wire::Unplaced& b) { return a.app() < b.app(); });
  }
  flatbuffers::FlatBufferBuilder builder(65536 + data.placed.size() * sizeof(wire::Placed) + data.listed.size() * 8);
  const auto bound = [&](const std::optional<BoundData>& one) {
    if (!one) return flatbuffers::Offset<wire::Bound>();
    return wire::CreateBound(builder, builder.CreateString(one->name), one->value, one->resource, one->period);
  };
  const auto planner = builder.CreateString(data.planner);
  const auto node_class = builder.CreateVector(data.node_class);
  const auto listed = builder.CreateVector(data.listed);
  const auto placed = builder.CreateVectorOfStructs(data.placed);
  const auto unplaced = builder.CreateVectorOfStructs(data.unplaced);
  const auto node_bound = bound(data.node_bound);
  const auto cost_bound = bound(data.cost_bound);
  const auto ucac_bound = bound(data.ucac_bound);
  const auto max_cost_bound = bound(data.max_cost_bound);
  const auto total_cost_bound = bound(data.total_cost_bound);
  const auto left_out_bound = bound(data.left_out_bound);
  const auto remote_traffic_bound = bound(data.remote_traffic_bound);
  const auto node_max_cost = data.node_max_cost.empty() ? 0 : builder.CreateVector(data.node_max_cost);
  const auto node_ucac = data.node_ucac.empty() ? 0 : builder.CreateVector(data.node_ucac);
  const bool repeats = std::any_of(data.copies.begin(), data.copies.end(), [](std::uint32_t copies) { return copies != 1; });
  const auto copies = repeats ? builder.CreateVector(data.copies) : 0;
  std::vector<flatbuffers::Offset<wire::Note>> note_list;
  note_list.reserve(data.notes.size());
  for (const auto& [code, text] : data.notes) note_list.push_back(wire::CreateNote(builder, code, builder.CreateString(text)));
  const auto notes = note_list.empty() ? 0 : builder.CreateVector(note_list);
  const auto reserved = data.reserved.empty() ? 0 : builder.CreateVectorOfStructs(data.reserved);
  const auto unreserved = data.unreserved.empty() ? 0 : builder.CreateVectorOfStructs(data.unreserved);
  const auto survive = data.survive.empty() ? 0 : builder.CreateString(data.survive);
  const auto leave_free = data.leave_free.empty() ? 0 : builder.CreateString(data.leave_free);
  const auto left_over_bound = data.left_over_bound.empty() ? 0 : builder.CreateVectorOfStructs(data.left_over_bound);
  wire::PlanBuilder plan(builder);
  plan.add_instance(data.instance);
  plan.add_planner(planner);
  plan.add_status(data.status);
  plan.add_seed(data.seed);
  plan.add_work(data.work);
  plan.add_pace(data.pace);
  plan.add_node_class(node_class);
  plan.add_listed(listed);
  plan.add_placed(placed);
  plan.add_unplaced(unplaced);
  plan.add_node_bound(node_bound);
  plan.add_gap(data.gap);
  plan.add_cost(data.cost);
  plan.add_cost_bound(cost_bound);
  plan.add_inherited_violations(data.inherited_violations);
  plan.add_moves(data.moves);
  plan.add_ucac(data.ucac);
  plan.add_ucac_resource(data.ucac_resource);
  plan.add_ucac_bound(ucac_bound);
  plan.add_node_ucac(node_ucac);
  plan.add_max_cost(data.max_cost);
  plan.add_max_cost_bound(max_cost_bound);
  plan.add_total_cost(data.total_cost);
  plan.add_total_cost_bound(total_cost_bound);
  plan.add_left_out(data.left_out);
  plan.add_left_out_bound(left_out_bound);
  plan.add_remote_traffic(data.remote_traffic);
  plan.add_remote_traffic_bound(remote_traffic_bound);
  plan.add_node_max_cost(node_max_cost);
  plan.add_max_cost_limit(data.max_cost_limit);
  plan.add_objective(static_cast<std::uint8_t>(data.objective));
  plan.add_rule_violations(data.rule_violations);
  plan.add_violating_replicas(data.violating_replicas);
  plan.add_violation_extent(data.violation_extent);
  plan.add_violation_weight(data.violation_weight);
  plan.add_violation_cost(data.violation_cost);
  plan.add_has_score(data.score.has_value());
  plan.add_score(data.score.value_or(0));
  plan.add_score_bound(data.score_bound);
  plan.add_score_gap(data.score_gap);
  plan.add_copies(copies);
  plan.add_soft(static_cast<std::uint8_t>(data.soft));
  plan.add_soft_price(data.soft_price);
  plan.add_fill(data.fill);
  plan.add_notes(notes);
  plan.add_left_over_bound(left_over_bound);
  plan.add_places_most(data.places_most);
  plan.add_reserved(reserved);
  plan.add_unreserved(unreserved);
  plan.add_survive(survive);
  plan.add_not_survived(data.not_survived);
  plan.add_leave_free(leave_free);
  plan.add_domains_in_use(data.domains_in_use);
  plan.add_domain_bound(data.domain_bound);
  wire::FinishPlanBuffer(builder, plan.Finish());
  return builder.Release();
}

void refuse_dangling(const wire::Plan& plan, const wire::Instance& instance) {
  const auto refuse = [](const std::string& what) { throw Failure("the plan does not belong to the instance (" + what + ")"); };
  const std::uint32_t apps = instance.apps()->replicas()->size();
  const std::uint32_t listed = instance.nodes() == nullptr ? 0 : instance.nodes()->node_class()->size();
  const bool columns_fit = plan.copies() == nullptr || plan.copies()->size() == plan.node_class()->size();
  if (plan.node_class()->size() != plan.listed()->size() || !columns_fit) refuse("its node columns differ in length");
  for (std::uint32_t node = 0; node < plan.node_class()->size(); ++node) {
    if (plan.node_class()->Get(node) >= instance.classes()->size()) refuse("a node's class does not exist");
    if (plan.listed()->Get(node) != kNone && plan.listed()->Get(node) >= listed) refuse("a listed node does not exist");
    const bool alone = plan.listed()->Get(node) != kNone;
    if (copies_of(plan, node) == 0 || (alone && copies_of(plan, node) > 1)) refuse("a node stands for a wrong number of nodes");
  }
  for (const auto* list : {plan.placed(), plan.reserved()}) {
    if (list == nullptr) continue;
    const wire::Placed* before = nullptr;
    for (const wire::Placed* one : *list) {
      if (one->app() >= apps) refuse("an app does not exist");
      if (one->node() >= plan.node_class()->size()) refuse("a node does not exist");
      if (before != nullptr && std::pair(one->node(), one->app()) <= std::pair(before->node(), before->app())) {
        refuse("its entries are out of order");
      }
      before = one;
    }
  }
  for (const auto* list : {plan.unplaced(), plan.unreserved()}) {
    if (list == nullptr) continue;
    for (const wire::Unplaced* one : *list) {
      if (one->app() >= apps) refuse("an app does not exist");
    }
  }
  if (plan.copies() == nullptr) return;
  // A few bytes must not stand for any number of nodes.
  std::vector<std::uint64_t> left(instance.apps()->replicas()->begin(), instance.apps()->replicas()->end());
  std::vector<std::uint8_t> holds(plan.node_class()->size(), 0);
  for (const wire::Placed* one : *plan.placed()) {
    const std::uint64_t replicas = std::uint64_t{one->replicas()} * copies_of(plan, one->node());
    if (replicas > left[one->app()]) refuse("it places more replicas than there are");
    left[one->app()] -= replicas;
    if (one->replicas() > 0) holds[one->node()] = 1;
  }
  const bool may_be_empty = plan.survive() != nullptr || plan.reserved() != nullptr;
  std::uint64_t empty = 0;
  for (std::uint32_t node = 0; node < holds.size(); ++node) {
    if (holds[node] != 0 || copies_of(plan, node) == 1) continue;
    if (!may_be_empty) refuse("an empty node has copies");
    empty += copies_of(plan, node);
    if (empty > kMostEmptyNodes) refuse("it has too many nodes without replicas");
  }
}

const wire::Plan* checked_plan(std::span<const std::uint8_t> bytes, const std::string& name) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (bytes.size() > FLATBUFFERS_MAX_BUFFER_SIZE || !wire::VerifyPlanBuffer(verifier)) {
    throw Failure::in(name, "", "is damaged: not a well-formed plan", Fault::kForm);
  }
  return wire::GetPlan(bytes.data());
}

const char* objective_word(std::uint8_t objective) { return word_of(kObjectiveWords, static_cast<wire::Objective>(objective)); }
std::optional<wire::Objective> find_objective(std::string_view word) { return value_of(kObjectiveWords, word); }

const char* status_word(wire::PlanStatus status) { return word_of(kStatusWords, status); }
std::optional<wire::PlanStatus> find_status(std::string_view word) { return value_of(kStatusWords, word); }

const char* soft_word(std::uint8_t policy) { return word_of(kSoftWords, static_cast<wire::SoftPolicy>(policy)); }
std::optional<wire::SoftPolicy> find_soft(std::string_view word) { return value_of(kSoftWords, word); }

const char* note_word(wire::NoteCode code) { return word_of(kNoteWords, code); }
std::optional<wire::NoteCode> find_note(std::string_view word) { return value_of(kNoteWords, word); }

}  // namespace stowage::cli
