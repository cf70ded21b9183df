#include "capi/cli/formats/plan_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "capi/cli/base/failure.h"
#include "capi/cli/base/quantities.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/base/text/json_text.h"
#include "capi/cli/base/text/name_map.h"
#include "capi/cli/formats/instance/instance_data.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/cli/formats/names.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kCsvHeader = "node,app,replicas";

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

constexpr std::array<std::pair<std::string_view, wire::NoteCode>, 6> kNoteWords = {
    {{"search-off", wire::NoteCode::SearchOff},
     {"neighbourhood-off", wire::NoteCode::NeighbourhoodOff},
     {"ended-early", wire::NoteCode::EndedEarly},
     {"left-out", wire::NoteCode::LeftOut},
     {"idle-rule", wire::NoteCode::IdleRule},
     {"promise", wire::NoteCode::Promise}}};

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

struct BoundData {
  std::string name;
  double value = 0;
  std::uint32_t resource = kNone;
  std::uint32_t period = kNone;
};

struct PlanData {
  std::uint64_t instance = 0;
  std::string planner;
  wire::PlanStatus status = wire::PlanStatus::Partial;
  std::uint64_t seed = 0;
  std::uint64_t work = 0;
  std::uint64_t pace = 0;
  std::vector<std::uint32_t> node_class;
  std::vector<std::uint32_t> listed;
  std::vector<std::uint32_t> copies;  // of all nodes, or of none
  std::vector<wire::Placed> placed;
  std::vector<wire::Unplaced> unplaced;
  std::optional<BoundData> node_bound;
  double gap = -1;
  double cost = -1;
  std::optional<BoundData> cost_bound;
  std::uint32_t inherited_violations = 0;
  std::uint32_t moves = 0;
  double ucac = -1;
  std::uint32_t ucac_resource = kNone;
  std::optional<BoundData> ucac_bound;
  std::vector<double> node_ucac;
  double max_cost = -1;
  std::optional<BoundData> max_cost_bound;
  double total_cost = -1;
  std::optional<BoundData> total_cost_bound;
  double left_out = -1;
  std::optional<BoundData> left_out_bound;
  double remote_traffic = -1;
  std::optional<BoundData> remote_traffic_bound;
  std::vector<double> node_max_cost;
  double max_cost_limit = 0;
  std::vector<wire::Placed> reserved;
  std::vector<wire::Unplaced> unreserved;
  std::string survive;
  std::uint64_t not_survived = 0;
  std::string leave_free;
  std::uint32_t domains_in_use = 0;
  std::uint32_t domain_bound = 0;
  wire::Objective objective = wire::Objective::Nodes;
  std::uint64_t rule_violations = 0;
  std::uint64_t violating_replicas = 0;
  double violation_extent = 0;
  double violation_weight = 0;
  double violation_cost = -1;
  std::optional<double> score;
  double score_bound = 0;
  double score_gap = -1;
  wire::SoftPolicy soft = wire::SoftPolicy::First;
  double soft_price = 0;
  bool fill = false;
  std::vector<std::pair<wire::NoteCode, std::string>> notes;
  std::vector<wire::LeftOver> left_over_bound;
  bool places_most = false;
};

flatbuffers::DetachedBuffer encode(PlanData data) {
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

/// Names of an instance's apps and listed nodes, for reading. Unnamed ones are "#" and their position.
class Lookup {
 public:
  explicit Lookup(const wire::Instance& instance) : instance_(instance), names_(instance) {
    const std::uint32_t apps = instance.apps()->replicas()->size();
    app_names_.reserve(apps);
    for (std::uint32_t app = 0; app < apps; ++app) app_names_.push_back(names_.app(app));
    for (std::size_t app = 0; app < app_names_.size(); ++app) apps_.emplace(app_names_[app], static_cast<std::uint32_t>(app));
    const std::uint32_t nodes = instance.nodes() == nullptr ? 0 : instance.nodes()->node_class()->size();
    for (std::uint32_t node = 0; node < nodes; ++node) listed_.emplace(names_.listed(node), node);
    for (std::uint32_t c = 0; c < instance.classes()->size(); ++c) classes_.emplace(names_.node_class(c), c);
  }

  [[nodiscard]] std::uint32_t app(std::string_view name) const { return find(apps_, name); }
  [[nodiscard]] std::uint32_t listed(const std::string& name) const { return find(listed_, name); }
  [[nodiscard]] std::uint32_t node_class(const std::string& name) const { return find(classes_, name); }
  /// The class in an anonymous node's name, such as "large" in "large-12".
  [[nodiscard]] std::uint32_t class_of(const std::string& node) const {
    const std::size_t dash = node.find_last_of('-');
    if (dash == std::string::npos || !parse_whole(std::string_view(node).substr(dash + 1))) return kNone;
    return node_class(node.substr(0, dash));
  }
  [[nodiscard]] const wire::Instance& instance() const { return instance_; }
  [[nodiscard]] std::uint32_t class_of_listed(std::uint32_t node) const { return instance_.nodes()->node_class()->Get(node); }

 private:
  template <class Map, class Key>
  static std::uint32_t find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? kNone : found->second;
  }

  const wire::Instance& instance_;
  Names names_;
  std::vector<std::string> app_names_;
  NameMap<std::string_view, std::uint32_t> apps_;
  NameMap<std::string, std::uint32_t> listed_;
  NameMap<std::string, std::uint32_t> classes_;
};

// -------------------------------------------------------------------------------------------------------------------- JSON

class PlanJsonReader {
 public:
  PlanJsonReader(const InputFile& file, const wire::Instance& instance) : file_(file), lookup_(instance) {}

  PlanData read(const std::function<std::uint64_t()>& fingerprint) {
    JsonVisitor visitor;
    visitor.by_element = {"nodes"};
    visitor.member = [&](const std::string& key, const JsonValue& value) {
      read_member(JsonAt(value, file_.name(), key), key);
    };
    visitor.element = [&](const std::string& key, std::size_t index, const JsonValue& value) {
      read_node(JsonAt(value, file_.name(), key, index));
    };
    read_json(file_.text(), file_.name(), visitor);
    if (!has_planner_) throw Failure(file_.name() + ": has no \"planner\"");
    if (!has_instance_) data_.instance = fingerprint();
    if (!data_.node_ucac.empty() && data_.node_ucac.size() != data_.node_class.size()) {
      throw Failure(file_.name() + ": nodes: give a \"ucac\" for all of them or for none");
    }
    if (!data_.node_max_cost.empty() && data_.node_max_cost.size() != data_.node_class.size()) {
      throw Failure(file_.name() + ": nodes: give a \"max_cost\" for all of them or for none");
    }
    return std::move(data_);
  }

 private:
  /// A member of the plan's object, and how it is read.
  struct Member {
    std::string_view key;
    void (*read)(PlanJsonReader& self, const JsonAt& at);
  };

  static const std::vector<Member>& members() {
    static const std::vector<Member> kMembers = {
        {"stowage_plan",
         [](PlanJsonReader&, const JsonAt& at) {
           if (at.count() != 1) at.fail("is a version of the format that this program does not know; it knows 1");
         }},
        {"instance", [](PlanJsonReader& self, const JsonAt& at) { self.read_instance(at); }},
        {"planner", [](PlanJsonReader& self, const JsonAt& at) { self.read_planner(at); }},
        {"status", [](PlanJsonReader& self, const JsonAt& at) { self.read_status(at); }},
        {"seed", [](PlanJsonReader& self, const JsonAt& at) { self.data_.seed = at.whole(); }},
        {"work", [](PlanJsonReader& self, const JsonAt& at) { self.data_.work = at.whole(); }},
        {"pace", [](PlanJsonReader& self, const JsonAt& at) { self.data_.pace = at.whole(); }},
        {"node_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.node_bound = self.read_bound(at); }},
        {"gap", [](PlanJsonReader& self, const JsonAt& at) { self.data_.gap = at.number(); }},
        {"cost", [](PlanJsonReader& self, const JsonAt& at) { self.data_.cost = at.number(); }},
        {"cost_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.cost_bound = self.read_bound(at); }},
        {"inherited_violations", [](PlanJsonReader& self, const JsonAt& at) { self.data_.inherited_violations = at.count(); }},
        {"moves", [](PlanJsonReader& self, const JsonAt& at) { self.data_.moves = at.count(); }},
        {"ucac", [](PlanJsonReader& self, const JsonAt& at) { self.data_.ucac = at.number(); }},
        {"ucac_resource", [](PlanJsonReader& self, const JsonAt& at) { self.data_.ucac_resource = self.resource(at); }},
        {"ucac_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.ucac_bound = self.read_bound(at); }},
        {"max_cost", [](PlanJsonReader& self, const JsonAt& at) { self.data_.max_cost = at.number(); }},
        {"max_cost_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.max_cost_bound = self.read_bound(at); }},
        {"total_cost", [](PlanJsonReader& self, const JsonAt& at) { self.data_.total_cost = at.number(); }},
        {"left_out", [](PlanJsonReader& self, const JsonAt& at) { self.data_.left_out = at.number(); }},
        {"left_out_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.left_out_bound = self.read_bound(at); }},
        {"remote_traffic", [](PlanJsonReader& self, const JsonAt& at) { self.data_.remote_traffic = at.number(); }},
        {"remote_traffic_bound",
         [](PlanJsonReader& self, const JsonAt& at) { self.data_.remote_traffic_bound = self.read_bound(at); }},
        {"total_cost_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.total_cost_bound = self.read_bound(at); }},
        {"max_cost_limit", [](PlanJsonReader& self, const JsonAt& at) { self.data_.max_cost_limit = at.number(); }},
        {"survive", [](PlanJsonReader& self, const JsonAt& at) { self.data_.survive = at.text(); }},
        {"not_survived", [](PlanJsonReader& self, const JsonAt& at) { self.read_not_survived(at); }},
        {"leave_free", [](PlanJsonReader& self, const JsonAt& at) { self.data_.leave_free = at.text(); }},
        {"domains_in_use", [](PlanJsonReader& self, const JsonAt& at) { self.data_.domains_in_use = at.count(); }},
        {"domain_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.domain_bound = at.count(); }},
        {"unreserved", [](PlanJsonReader& self, const JsonAt& at) { self.read_counts(at, self.data_.unreserved); }},
        {"objective", [](PlanJsonReader& self, const JsonAt& at) { self.read_objective(at); }},
        {"soft", [](PlanJsonReader& self, const JsonAt& at) { self.read_soft(at); }},
        {"soft_price", [](PlanJsonReader& self, const JsonAt& at) { self.data_.soft_price = at.number(); }},
        {"fill", [](PlanJsonReader& self, const JsonAt& at) { self.data_.fill = at.flag(); }},
        {"notes", [](PlanJsonReader& self, const JsonAt& at) { self.read_notes(at); }},
        {"left_over_bound", [](PlanJsonReader& self, const JsonAt& at) { self.read_left_over(at); }},
        {"places_most", [](PlanJsonReader& self, const JsonAt& at) { self.data_.places_most = at.flag(); }},
        {"rule_violations", [](PlanJsonReader& self, const JsonAt& at) { self.data_.rule_violations = at.whole(); }},
        {"violating_replicas", [](PlanJsonReader& self, const JsonAt& at) { self.data_.violating_replicas = at.whole(); }},
        {"violation_extent", [](PlanJsonReader& self, const JsonAt& at) { self.data_.violation_extent = at.number(); }},
        {"violation_weight", [](PlanJsonReader& self, const JsonAt& at) { self.data_.violation_weight = at.number(); }},
        {"violation_cost", [](PlanJsonReader& self, const JsonAt& at) { self.data_.violation_cost = at.number(); }},
        {"score", [](PlanJsonReader& self, const JsonAt& at) { self.data_.score = at.number(); }},
        {"score_bound", [](PlanJsonReader& self, const JsonAt& at) { self.data_.score_bound = at.number(); }},
        {"score_gap", [](PlanJsonReader& self, const JsonAt& at) { self.data_.score_gap = at.number(); }},
        // Read node by node (read_node).
        {"nodes", [](PlanJsonReader&, const JsonAt& at) { at.expect(JsonValue::Type::kArray); }},
        {"unplaced", [](PlanJsonReader& self, const JsonAt& at) { self.read_counts(at, self.data_.unplaced); }},
    };
    return kMembers;
  }

  void read_member(const JsonAt& at, const std::string& key) {
    const std::vector<Member>& all = members();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Member& one) { return one.key == key; });
    if (found == all.end()) {
      std::vector<std::string_view> known(all.size());
      std::transform(all.begin(), all.end(), known.begin(), [](const Member& one) { return one.key; });
      at.fail("unknown key" + did_you_mean(key, known));
    }
    found->read(*this, at);
  }

  void read_soft(const JsonAt& at) {
    const auto policy = find_soft(at.text());
    if (!policy) at.fail("must be \"first\", \"last\" or \"price\"");
    data_.soft = *policy;
  }

  void read_notes(const JsonAt& at) {
    at.elements([&](std::size_t, const JsonAt& note) {
      note.only({"code", "text"});
      if (note.value().find("code") == nullptr) note.fail("has no \"code\"");
      note.member("code", [&](const JsonAt& code) {
        const auto known = value_of(kNoteWords, code.text());
        if (!known) code.fail("is no code of a note");
        data_.notes.emplace_back(*known, std::string());
      });
      note.member("text", [&](const JsonAt& text) { data_.notes.back().second = text.text(); });
    });
  }

  void read_left_over(const JsonAt& at) {
    at.elements([&](std::size_t, const JsonAt& entry) {
      entry.only({"priority", "replicas"});
      std::int32_t priority = 0;
      std::uint64_t replicas = 0;
      entry.member("priority", [&](const JsonAt& value) { priority = value.integer(); });
      entry.member("replicas", [&](const JsonAt& value) { replicas = value.whole(); });
      data_.left_over_bound.emplace_back(replicas, priority);
    });
  }

  void read_instance(const JsonAt& at) {
    std::uint64_t value = 0;
    const std::string& text = at.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size()) at.fail("must be a fingerprint of hexadecimal digits");
    data_.instance = value;
    has_instance_ = true;
  }

  void read_planner(const JsonAt& at) {
    data_.planner = at.text();  // may be empty, as in a .stow
    has_planner_ = true;
  }

  void read_status(const JsonAt& at) {
    const auto status = find_status(at.text());
    if (!status) at.fail("\"" + at.text() + "\" is not the status of a plan");
    data_.status = *status;
  }

  void read_objective(const JsonAt& at) {
    const auto objective = find_objective(at.text());
    if (!objective) at.fail("must be one of \"nodes\", \"ucac\", \"worst\", \"total\", \"admitted\", \"traffic\"");
    data_.objective = *objective;
  }

  void read_counts(const JsonAt& at, std::vector<wire::Unplaced>& counts) {
    at.members(
        [&](const std::string& name, const JsonAt& replicas) { counts.emplace_back(app(replicas, name), replicas.count()); });
  }

  void read_not_survived(const JsonAt& at) {
    data_.not_survived = at.is(JsonValue::Type::kNull) ? std::numeric_limits<std::uint64_t>::max() : at.whole();
  }

  BoundData read_bound(const JsonAt& at) const {
    at.only({"name", "value", "resource", "period"});
    BoundData bound;
    at.member("name", [&](const JsonAt& name) { bound.name = name.text(); });
    at.member("value", [&](const JsonAt& value) { bound.value = value.number(); });
    at.member("resource", [&](const JsonAt& name) { bound.resource = resource(name); });
    at.member("period", [&](const JsonAt& period) { bound.period = period.count(); });
    return bound;
  }

  [[nodiscard]] std::uint32_t resource(const JsonAt& at) const {
    const auto& resources = *lookup_.instance().resources();
    for (std::uint32_t r = 0; r < resources.size(); ++r) {
      if (resources.Get(r)->name()->str() == at.text()) return r;
    }
    at.fail("there is no resource \"" + at.text() + "\"");
  }

  [[nodiscard]] std::uint32_t app(const JsonAt& at, const std::string& name) const {
    const std::uint32_t index = lookup_.app(name);
    if (index == kNone) at.fail("the instance has no app \"" + name + "\"");
    return index;
  }

  void read_node(const JsonAt& at) {
    at.only({"name", "class", "copies", "replicas", "reserved", "ucac", "max_cost"});
    std::uint32_t listed = kNone;
    std::uint32_t node_class = kNone;
    at.member("name", [&](const JsonAt& name) { listed = lookup_.listed(name.text()); });
    at.member("class", [&](const JsonAt& name) {
      node_class = lookup_.node_class(name.text());
      if (node_class == kNone) name.fail("the instance has no class \"" + name.text() + "\"");
    });
    if (node_class == kNone && listed != kNone) node_class = lookup_.class_of_listed(listed);
    if (node_class == kNone) at.fail("has neither a \"class\" nor the name of a listed node");
    const auto node = static_cast<std::uint32_t>(data_.node_class.size());
    data_.node_class.push_back(node_class);
    data_.listed.push_back(listed);
    data_.copies.push_back(1);
    at.member("copies", [&](const JsonAt& copies) {
      data_.copies.back() = copies.count();
      if (data_.copies.back() == 0) copies.fail("must be 1 or more");
      if (data_.copies.back() > 1 && listed != kNone) copies.fail("a listed node stands for itself");
    });
    at.member("ucac", [&](const JsonAt& ucac) { data_.node_ucac.push_back(ucac.number()); });
    at.member("max_cost", [&](const JsonAt& cost) { data_.node_max_cost.push_back(cost.number()); });
    at.member("replicas", [&](const JsonAt& replicas) {
      replicas.members([&](const std::string& name, const JsonAt& count) {
        data_.placed.emplace_back(app(count, name), node, count.count());
      });
    });
    at.member("reserved", [&](const JsonAt& reserved) {
      reserved.members([&](const std::string& name, const JsonAt& count) {
        data_.reserved.emplace_back(app(count, name), node, count.count());
      });
    });
  }

  const InputFile& file_;
  Lookup lookup_;
  PlanData data_;
  bool has_instance_ = false;
  bool has_planner_ = false;
};

void write_bound(JsonWriter& json, const char* key, const wire::Bound* bound, const wire::Instance& instance) {
  if (bound == nullptr) return;
  json.line(2).key(key).begin_object().key("name").text(bound->name()->str()).key("value").number(bound->value());
  if (bound->resource() < instance.resources()->size()) {
    json.key("resource").text(instance.resources()->Get(bound->resource())->name()->str());
  }
  if (bound->period() != kNone) json.key("period").whole(bound->period());
  json.end_object();
}

void write_notes(JsonWriter& json, const wire::Plan& plan) {
  if (plan.notes() == nullptr || plan.notes()->size() == 0) return;
  json.line(2).key("notes").begin_array();
  for (const wire::Note* note : *plan.notes()) {
    json.line(4).begin_object().key("code").text(note_word(note->code()));
    if (note->text() != nullptr) json.key("text").text(note->text()->string_view());
    json.end_object();
  }
  json.line(2).end_array();
}

void write_json(const wire::Plan& plan, const Names& names, OutputFile& out) {
  std::string buffer;
  JsonWriter json(buffer);
  std::array<char, 20> fingerprint;
  std::snprintf(fingerprint.data(), fingerprint.size(), "%016llx", static_cast<unsigned long long>(plan.instance()));
  json.begin_object();
  json.line(2).key("stowage_plan").whole(1);
  json.line(2).key("instance").text(fingerprint.data());
  json.line(2).key("planner").text(plan.planner()->str());
  json.line(2).key("status").text(status_word(plan.status()));
  json.line(2).key("seed").whole(plan.seed());
  json.line(2).key("work").whole(plan.work());
  if (plan.pace() > 0) json.line(2).key("pace").whole(plan.pace());
  write_bound(json, "node_bound", plan.node_bound(), names.instance());
  if (plan.gap() >= 0) json.line(2).key("gap").number(plan.gap());
  if (plan.cost() >= 0) json.line(2).key("cost").number(plan.cost());
  write_bound(json, "cost_bound", plan.cost_bound(), names.instance());
  json.line(2).key("inherited_violations").whole(plan.inherited_violations());
  json.line(2).key("moves").whole(plan.moves());
  if (plan.ucac() >= 0) json.line(2).key("ucac").number(plan.ucac());
  if (plan.ucac_resource() < names.instance().resources()->size()) {
    json.line(2).key("ucac_resource").text(names.resource(plan.ucac_resource()));
  }
  write_bound(json, "ucac_bound", plan.ucac_bound(), names.instance());
  if (plan.max_cost() >= 0) json.line(2).key("max_cost").number(plan.max_cost());
  write_bound(json, "max_cost_bound", plan.max_cost_bound(), names.instance());
  if (plan.total_cost() >= 0) json.line(2).key("total_cost").number(plan.total_cost());
  write_bound(json, "total_cost_bound", plan.total_cost_bound(), names.instance());
  if (plan.left_out() >= 0) json.line(2).key("left_out").number(plan.left_out());
  write_bound(json, "left_out_bound", plan.left_out_bound(), names.instance());
  if (plan.remote_traffic() >= 0) json.line(2).key("remote_traffic").number(plan.remote_traffic());
  write_bound(json, "remote_traffic_bound", plan.remote_traffic_bound(), names.instance());
  if (plan.max_cost_limit() > 0) json.line(2).key("max_cost_limit").number(plan.max_cost_limit());
  if (plan.survive() != nullptr) {
    json.line(2).key("survive").text(plan.survive()->string_view());
    json.line(2).key("not_survived");
    plan.not_survived() == std::numeric_limits<std::uint64_t>::max() ? json.null() : json.whole(plan.not_survived());
  }
  if (plan.leave_free() != nullptr) {
    json.line(2).key("leave_free").text(plan.leave_free()->string_view());
    json.line(2).key("domains_in_use").whole(plan.domains_in_use());
    json.line(2).key("domain_bound").whole(plan.domain_bound());
  }
  if (plan.objective() != 0) json.line(2).key("objective").text(objective_word(plan.objective()));
  if (plan.soft() != 0) json.line(2).key("soft").text(soft_word(plan.soft()));
  if (plan.soft_price() > 0) json.line(2).key("soft_price").number(plan.soft_price());
  if (plan.fill()) json.line(2).key("fill").flag(true);
  write_notes(json, plan);
  if (plan.left_over_bound() != nullptr) {
    json.line(2).key("left_over_bound");
    write_left_over(json, plan);
  }
  if (plan.left_over_bound() != nullptr || plan.places_most()) json.line(2).key("places_most").flag(plan.places_most());
  if (plan.violation_cost() >= 0) {
    json.line(2).key("rule_violations").whole(plan.rule_violations());
    json.line(2).key("violating_replicas").whole(plan.violating_replicas());
    json.line(2).key("violation_extent").number(plan.violation_extent());
    json.line(2).key("violation_weight").number(plan.violation_weight());
    json.line(2).key("violation_cost").number(plan.violation_cost());
  }
  if (plan.has_score()) {
    json.line(2).key("score").number(plan.score());
    if (plan.score_gap() >= 0) {
      json.line(2).key("score_bound").number(plan.score_bound());
      json.line(2).key("score_gap").number(plan.score_gap());
    }
  }
  json.line(2).key("nodes").begin_array();
  const std::vector<std::string> nodes = names.plan_nodes(plan);
  const bool each_cost = plan.node_max_cost() != nullptr && plan.node_max_cost()->size() == nodes.size();
  const bool each_ucac = plan.node_ucac() != nullptr && plan.node_ucac()->size() == nodes.size();
  std::uint32_t entry = 0, kept = 0;
  const std::uint32_t all_kept = plan.reserved() == nullptr ? 0 : plan.reserved()->size();
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    json.line(4).begin_object().key("name").text(nodes[node]).key("class").text(names.node_class(plan.node_class()->Get(node)));
    if (copies_of(plan, node) != 1) json.key("copies").whole(copies_of(plan, node));
    json.key("replicas").begin_object();
    for (; entry < plan.placed()->size() && plan.placed()->Get(entry)->node() == node; ++entry) {
      json.key(names.app(plan.placed()->Get(entry)->app())).whole(plan.placed()->Get(entry)->replicas());
    }
    json.end_object();
    if (kept < all_kept && plan.reserved()->Get(kept)->node() == node) {
      json.key("reserved").begin_object();
      for (; kept < all_kept && plan.reserved()->Get(kept)->node() == node; ++kept) {
        json.key(names.app(plan.reserved()->Get(kept)->app())).whole(plan.reserved()->Get(kept)->replicas());
      }
      json.end_object();
    }
    if (each_cost) json.key("max_cost").number(plan.node_max_cost()->Get(node));
    if (each_ucac) json.key("ucac").number(plan.node_ucac()->Get(node));
    json.end_object();
    if (buffer.size() >= OutputFile::kFlushSize) {
      out.write(buffer);
      buffer.clear();
    }
  }
  json.line(2).end_array();
  json.line(2).key("unplaced").begin_object();
  for (const wire::Unplaced* one : *plan.unplaced()) json.key(names.app(one->app())).whole(one->replicas());
  json.end_object();
  if (plan.unreserved() != nullptr) {
    json.line(2).key("unreserved").begin_object();
    for (const wire::Unplaced* one : *plan.unreserved()) json.key(names.app(one->app())).whole(one->replicas());
    json.end_object();
  }
  json.line(0).end_object();
  buffer += '\n';
  out.write(buffer);
}

// --------------------------------------------------------------------------------------------------------------------- CSV

void write_csv(const wire::Plan& plan, const Names& names, CsvCells cells, OutputFile& out) {
  std::string buffer(kCsvHeader);
  buffer += '\n';
  std::uint32_t next = 0;
  names.visit_copies(plan, [&](std::uint32_t node, const std::string& name) {
    // All copies of a node hold the same replicas.
    while (next < plan.placed()->size() && plan.placed()->Get(next)->node() < node) ++next;
    for (std::uint32_t k = next; k < plan.placed()->size() && plan.placed()->Get(k)->node() == node; ++k) {
      const wire::Placed& one = *plan.placed()->Get(k);
      buffer += csv_field(name, cells);
      buffer += ',';
      buffer += csv_field(names.app(one.app()), cells);
      buffer += ',';
      buffer += std::to_string(one.replicas());
      buffer += '\n';
    }
    if (buffer.size() >= OutputFile::kFlushSize) {
      out.write(buffer);
      buffer.clear();
    }
  });
  out.write(buffer);
}

class PlanCsvReader {
 public:
  PlanCsvReader(const InputFile& file, const wire::Instance& instance) : file_(file), rest_(file.text()), lookup_(instance) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  PlanData read(std::uint64_t fingerprint) {
    std::array<std::string, 3> fields;
    next_record(fields);
    while (!rest_.empty()) {
      if (next_record(fields)) read_record(fields);
    }
    finish(fingerprint);
    return std::move(data_);
  }

 private:
  struct Node {
    std::uint32_t node_class;
    std::uint32_t listed;
    std::uint32_t first_line;
  };

  [[noreturn]] void fail(const std::string& message) const {
    throw Failure(file_.name() + ": line " + std::to_string(line_) + ": " + message);
  }

  /// One record into `fields`; false for an empty line.
  bool next_record(std::array<std::string, 3>& fields) {
    ++line_;
    std::size_t count = 0;
    std::string field;
    bool any = false;
    const auto finish_field = [&] {
      if (count == fields.size()) fail("has more than 3 fields");
      fields[count++] = std::move(field);
      field.clear();
    };
    while (!rest_.empty()) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '\n') break;
      if (letter == '\r') continue;
      any = true;
      if (letter == '"') {
        read_quoted(field);
      } else if (letter == ',') {
        finish_field();
      } else {
        field += letter;
      }
    }
    if (!any) return false;
    finish_field();
    if (count != fields.size()) fail("has " + std::to_string(count) + " fields; expected node,app,replicas");
    return true;
  }

  void read_quoted(std::string& field) {
    for (;;) {
      if (rest_.empty()) fail("a quoted field has no end");
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '"') {
        if (!rest_.starts_with('"')) return;
        rest_.remove_prefix(1);
      }
      if (letter == '\n') ++line_;
      field += letter;
    }
  }

  void read_record(const std::array<std::string, 3>& fields) {
    const std::uint32_t app = lookup_.app(fields[1]);
    if (app == kNone) fail("app: the instance has no app \"" + fields[1] + "\"");
    const auto replicas = parse_whole(fields[2]);
    if (!replicas || *replicas == 0 || *replicas > UINT32_MAX)
      fail("replicas: \"" + fields[2] + "\" is not a number of replicas");
    const auto [found, inserted] = positions_.emplace(fields[0], static_cast<std::uint32_t>(nodes_.size()));
    if (inserted) add_node(fields[0]);
    data_.placed.emplace_back(app, found->second, static_cast<std::uint32_t>(*replicas));
  }

  void add_node(const std::string& name) {
    const std::uint32_t listed = lookup_.listed(name);
    const std::uint32_t node_class = listed != kNone ? lookup_.class_of_listed(listed) : lookup_.class_of(name);
    if (node_class == kNone) {
      fail("node: \"" + name + "\" is neither a listed node nor a class and a number, such as large-1");
    }
    nodes_.push_back({node_class, listed, line_});
  }

  /// Puts listed nodes first, in the instance's order, and computes the figures that follow from the placement.
  void finish(std::uint64_t fingerprint) {
    std::vector<std::uint32_t> order(nodes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].listed < nodes_[b].listed; });
    std::vector<std::uint32_t> position(order.size());
    const auto& classes = *lookup_.instance().classes();
    double cost = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      position[order[i]] = static_cast<std::uint32_t>(i);
      data_.node_class.push_back(nodes_[order[i]].node_class);
      data_.listed.push_back(nodes_[order[i]].listed);
      cost += classes.Get(nodes_[order[i]].node_class)->price();
    }
    const bool priced = std::all_of(classes.begin(), classes.end(), [](const auto* one) { return one->price() >= 0; });
    if (priced && classes.size() > 0) data_.cost = cost;
    const auto& wanted = *lookup_.instance().apps()->replicas();
    std::vector<std::uint64_t> sitting(wanted.size(), 0);
    for (wire::Placed& one : data_.placed) {
      one = wire::Placed(one.app(), position[one.node()], one.replicas());
      sitting[one.app()] += one.replicas();
    }
    for (std::uint32_t app = 0; app < wanted.size(); ++app) {
      if (sitting[app] < wanted.Get(app)) {
        data_.unplaced.emplace_back(app, wanted.Get(app) - static_cast<std::uint32_t>(sitting[app]));
      }
    }
    data_.moves = moves();
    data_.status = data_.unplaced.empty() ? wire::PlanStatus::Complete : wire::PlanStatus::Partial;
    data_.planner = "csv";
    data_.instance = fingerprint;
  }

  /// Running replicas that are not where they run.
  [[nodiscard]] std::uint32_t moves() const {
    if (lookup_.instance().running() == nullptr) return 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> there;  // by listed node and app
    for (const wire::Placed& one : data_.placed) there[{data_.listed[one.node()], one.app()}] += one.replicas();
    std::uint64_t moves = 0;
    for (const wire::Residence* one : *lookup_.instance().running()) {
      const auto found = there.find({one->node(), one->app()});
      const std::uint64_t stay = found == there.end() ? 0 : found->second;
      moves += one->replicas() - std::min<std::uint64_t>(stay, one->replicas());
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(moves, UINT32_MAX));
  }

  const InputFile& file_;
  std::string_view rest_;
  Lookup lookup_;
  std::uint32_t line_ = 0;
  std::vector<Node> nodes_;
  NameMap<std::string, std::uint32_t> positions_;
  PlanData data_;
};

}  // namespace

bool is_plan_csv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!text.starts_with(kCsvHeader)) return false;
  text.remove_prefix(kCsvHeader.size());
  return text.empty() || text.front() == '\n' || text.front() == '\r';
}

void refuse_dangling(const wire::Plan& plan, const wire::Instance& instance) {
  const auto refuse = [](const std::string& what) {
    throw Failure("the plan does not belong to the instance (" + what + "); see stowage verify");
  };
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
    throw Failure(name + ": is damaged: not a well-formed plan");
  }
  return wire::GetPlan(bytes.data());
}

PlanBytes read_plan(std::unique_ptr<InputFile> file, const wire::Instance& instance,
                    const std::function<std::uint64_t()>& fingerprint) {
  switch (content_of(*file)) {
    case Content::kPlanBytes:
      checked_plan(file->bytes(), file->name());
      return PlanBytes(std::move(file));
    case Content::kPlanJson:
      return PlanBytes(encode(PlanJsonReader(*file, instance).read(fingerprint)));
    case Content::kPlanCsv:
      return PlanBytes(encode(PlanCsvReader(*file, instance).read(fingerprint())));
    case Content::kInstanceBytes:
    case Content::kInstanceJson:
    case Content::kInstanceTsv:
      throw Failure(file->name() + ": is an instance; a plan is needed here");
    case Content::kUnknown:
      break;
  }
  throw Failure(file->name() + ": is not a plan: neither plan bytes, nor JSON with \"stowage_plan\", nor CSV with the header " +
                std::string(kCsvHeader));
}

void require_plan_format(const std::string& path) {
  const std::string format = extension(path);
  if (format != "stow" && format != "stowplan" && format != "json" && format != "csv") {
    throw Failure(path + ": the extension does not name a format for plans; use .stow, .json or .csv");
  }
}

void write_plan(std::span<const std::uint8_t> plan, const wire::Instance& instance, const std::string& path, CsvCells cells) {
  require_plan_format(path);
  const std::string format = extension(path);
  OutputFile out(path);
  if (format == "json" || format == "csv") {
    const wire::Plan& root = *checked_plan(plan, "the plan");
    // Text formats name all nodes and apps, so those must exist.
    refuse_dangling(root, instance);
    const Names names(instance);
    format == "json" ? write_json(root, names, out) : write_csv(root, names, cells, out);
  } else {
    out.write(plan);
  }
  out.commit();
}

const char* objective_word(std::uint8_t objective) { return word_of(kObjectiveWords, static_cast<wire::Objective>(objective)); }
std::optional<wire::Objective> find_objective(std::string_view word) { return value_of(kObjectiveWords, word); }

const char* status_word(wire::PlanStatus status) { return word_of(kStatusWords, status); }
std::optional<wire::PlanStatus> find_status(std::string_view word) { return value_of(kStatusWords, word); }

const char* soft_word(std::uint8_t policy) { return word_of(kSoftWords, static_cast<wire::SoftPolicy>(policy)); }
std::optional<wire::SoftPolicy> find_soft(std::string_view word) { return value_of(kSoftWords, word); }

void write_left_over(JsonWriter& json, const wire::Plan& plan) {
  json.begin_array();
  if (plan.left_over_bound() != nullptr) {
    for (const wire::LeftOver* one : *plan.left_over_bound()) {
      json.begin_object().key("priority").integer(one->priority()).key("replicas").whole(one->replicas()).end_object();
    }
  }
  json.end_array();
}

const char* note_word(wire::NoteCode code) { return word_of(kNoteWords, code); }

}  // namespace stowage::cli
