#include "capi/text/formats/plan_json.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "capi/text/base/failure.h"
#include "capi/text/formats/words.h"
#include "capi/text/records/plan_codec.h"

namespace stowage::cli {
namespace {

class PlanJsonReader {
 public:
  PlanJsonReader(std::string_view text, const std::string& file, const wire::Instance& instance)
      : text_(text), file_(file), lookup_(instance) {}

  PlanData read(const std::function<std::uint64_t()>& fingerprint) {
    JsonVisitor visitor;
    visitor.by_element = {"nodes"};
    visitor.member = [&](const std::string& key, const JsonValue& value) { read_member(JsonAt(value, file_, key), key); };
    visitor.element = [&](const std::string& key, std::size_t index, const JsonValue& value) {
      read_node(JsonAt(value, file_, key, index));
    };
    read_json(text_, file_, visitor);
    if (!has_planner_) throw Failure::in(file_, "", "has no \"planner\"");
    if (!has_instance_) data_.instance = fingerprint();
    if (!data_.node_ucac.empty() && data_.node_ucac.size() != data_.node_class.size()) {
      throw Failure::in(file_, "nodes", "give a \"ucac\" for all of them or for none");
    }
    if (!data_.node_max_cost.empty() && data_.node_max_cost.size() != data_.node_class.size()) {
      throw Failure::in(file_, "nodes", "give a \"max_cost\" for all of them or for none");
    }
    return std::move(data_);
  }

 private:
  /// A member of the plan's object that is not read as the type of its field says.
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
        {"ucac_resource", [](PlanJsonReader& self, const JsonAt& at) { self.data_.ucac_resource = self.resource(at); }},
        {"not_survived", [](PlanJsonReader& self, const JsonAt& at) { self.read_not_survived(at); }},
        {"unreserved", [](PlanJsonReader& self, const JsonAt& at) { self.read_counts(at, self.data_.unreserved); }},
        {"objective", [](PlanJsonReader& self, const JsonAt& at) { self.data_.objective = word_at<wire::Objective>(at); }},
        {"soft", [](PlanJsonReader& self, const JsonAt& at) { self.data_.soft = word_at<wire::SoftPolicy>(at); }},
        {"goals", [](PlanJsonReader& self, const JsonAt& at) { self.read_goals(at); }},
        {"trace", [](PlanJsonReader& self, const JsonAt& at) { self.read_trace(at); }},
        {"notes", [](PlanJsonReader& self, const JsonAt& at) { self.read_notes(at); }},
        {"left_over_bound", [](PlanJsonReader& self, const JsonAt& at) { self.read_left_over(at); }},
        {"score", [](PlanJsonReader& self, const JsonAt& at) { self.read_score(at); }},
        // Read node by node (read_node).
        {"nodes", [](PlanJsonReader&, const JsonAt& at) { at.expect(JsonValue::Type::kArray); }},
        {"unplaced", [](PlanJsonReader& self, const JsonAt& at) { self.read_counts(at, self.data_.unplaced); }},
    };
    return kMembers;
  }

  void read_member(const JsonAt& at, const std::string& key) {
    bool found = false;
    std::vector<std::string_view> known;
    codec::plan_fields(data_, [&](std::string_view name, auto& field) {
      known.push_back(name);
      if (name != key) return;
      found = true;
      read_field(at, field);
    });
    for (const Member& one : members()) {
      known.push_back(one.key);
      if (one.key != key) continue;
      found = true;
      one.read(*this, at);
    }
    if (!found) at.fail("unknown key" + did_you_mean(key, known));
  }

  static void read_field(const JsonAt& at, std::uint64_t& to) { to = at.whole(); }
  static void read_field(const JsonAt& at, std::uint32_t& to) { to = at.count(); }
  static void read_field(const JsonAt& at, double& to) { to = at.number(); }
  static void read_field(const JsonAt& at, bool& to) { to = at.flag(); }
  static void read_field(const JsonAt& at, std::string& to) { to = at.text(); }
  void read_field(const JsonAt& at, std::optional<BoundData>& to) const { to = read_bound(at); }

  void read_score(const JsonAt& at) {
    data_.has_score = true;
    data_.score = at.number();
  }

  void read_notes(const JsonAt& at) {
    at.elements([&](std::size_t, const JsonAt& note) {
      note.only({"code", "text"});
      note.required("code", [&](const JsonAt& code) {
        // The word of earlier versions.
        const bool is_old = code.text() == "neighbourhood-off";
        data_.notes.push_back({is_old ? wire::NoteCode::NotImproved : word_at<wire::NoteCode>(code), {}});
      });
      note.read("text", data_.notes.back().text);
    });
  }

  void read_goals(const JsonAt& at) {
    at.elements([&](std::size_t, const JsonAt& one) {
      one.only({"goal", "resource", "weight", "tolerance", "beside", "value", "bound", "proven"});
      ReachedGoalData goal;
      one.required("goal", [&](const JsonAt& word) { goal.what = word_at<wire::GoalKind>(word); });
      one.member("resource", [&](const JsonAt& name) { goal.resource = resource(name); });
      one.read("weight", goal.weight).read("tolerance", goal.tolerance).read("beside", goal.beside).read("value", goal.value);
      one.read("bound", goal.bound).read("proven", goal.proven);
      data_.goals.push_back(goal);
    });
  }

  void read_trace(const JsonAt& at) {
    at.elements([&](std::size_t, const JsonAt& one) {
      one.only({"name", "calls", "gains", "work"});
      TracedPartData part;
      one.required("name", [&](const JsonAt& name) { part.name = name.text(); });
      one.read("calls", part.calls).read("gains", part.gains).read("work", part.work);
      data_.trace.push_back(std::move(part));
    });
  }

  void read_left_over(const JsonAt& at) {
    at.elements([&](std::size_t, const JsonAt& entry) {
      entry.only({"priority", "replicas"});
      std::int32_t priority = 0;
      std::uint64_t replicas = 0;
      entry.read("priority", priority).read("replicas", replicas);
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
    const auto status = find_word<wire::PlanStatus>(at.text());
    if (!status) at.fail("\"" + at.text() + "\" is not the status of a plan");
    data_.status = *status;
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
    BoundData bound{.resource = kNone, .period = kNone};
    at.read("name", bound.name).read("value", bound.value);
    at.member("resource", [&](const JsonAt& name) { bound.resource = resource(name); });
    at.read("period", bound.period);
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

  std::string_view text_;
  const std::string& file_;
  PlanLookup lookup_;
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
    json.line(4).begin_object().key("code").text(word_of<wire::NoteCode>(note->code()));
    json.key("text").text(note->text() == nullptr ? std::string_view() : note->text()->string_view());
    json.end_object();
  }
  json.line(2).end_array();
}

/// What the plan is judged by, and the bounds.
void write_values(JsonWriter& json, const wire::Plan& plan, const Names& names) {
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
}

void write_judgement(JsonWriter& json, const wire::Plan& plan, const Names& names) {
  if (plan.objective() != 0) json.line(2).key("objective").text(word_of<wire::Objective>(plan.objective()));
  if (plan.soft() != 0) json.line(2).key("soft").text(word_of<wire::SoftPolicy>(plan.soft()));
  if (plan.soft_price() > 0) json.line(2).key("soft_price").number(plan.soft_price());
  if (plan.fill()) json.line(2).key("fill").flag(true);
  if (plan.goals() != nullptr && plan.goals()->size() > 0) {
    json.line(2).key("goals");
    write_goals(json, plan, names);
  }
  if (plan.trace() != nullptr && plan.trace()->size() > 0) {
    json.line(2).key("trace");
    write_trace(json, plan);
  }
  write_notes(json, plan);
  write_left_over(json, plan, 2);
  if (plan.violation_cost() >= 0) write_rule_costs(json, plan, 2);
  if (plan.has_score()) {
    json.line(2).key("score").number(plan.score());
    if (plan.score_gap() >= 0) {
      json.line(2).key("score_bound").number(plan.score_bound());
      json.line(2).key("score_gap").number(plan.score_gap());
    }
  }
}

/// The nodes with what is on them. The buffer goes to `out` from time to time.
void write_plan_nodes(JsonWriter& json, std::string& buffer, const wire::Plan& plan, const Names& names, Output& out) {
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
    if (buffer.size() >= Output::kFlushSize) {
      out.write(buffer);
      buffer.clear();
    }
  }
  json.line(2).end_array();
}

}  // namespace

PlanData read_plan_json(std::string_view text, const std::string& file, const wire::Instance& instance,
                        const std::function<std::uint64_t()>& fingerprint) {
  return PlanJsonReader(text, file, instance).read(fingerprint);
}

void write_plan_json(const wire::Plan& plan, const Names& names, Output& out) {
  std::string buffer;
  JsonWriter json(buffer);
  std::array<char, 20> fingerprint;
  std::snprintf(fingerprint.data(), fingerprint.size(), "%016llx", static_cast<unsigned long long>(plan.instance()));
  json.begin_object();
  json.line(2).key("stowage_plan").whole(1);
  json.line(2).key("instance").text(fingerprint.data());
  json.line(2).key("planner").text(plan.planner()->str());
  json.line(2).key("status").text(word_of<wire::PlanStatus>(plan.status()));
  json.line(2).key("seed").whole(plan.seed());
  json.line(2).key("work").whole(plan.work());
  write_values(json, plan, names);
  write_promises(json, plan, 2);
  write_judgement(json, plan, names);
  write_plan_nodes(json, buffer, plan, names, out);
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

void write_goals(JsonWriter& json, const wire::Plan& plan, const Names& names) {
  json.begin_array();
  if (plan.goals() != nullptr) {
    for (const wire::ReachedGoal* goal : *plan.goals()) {
      json.begin_object().key("goal").text(word_of<wire::GoalKind>(goal->what()));
      if (goal->resource() < names.instance().resources()->size()) json.key("resource").text(names.resource(goal->resource()));
      if (goal->beside()) json.key("beside").flag(true);
      if (goal->weight() != 1) json.key("weight").number(goal->weight());
      if (goal->tolerance() != 0) json.key("tolerance").number(goal->tolerance());
      json.key("value").number(goal->value());
      if (goal->bound() >= 0) json.key("bound").number(goal->bound());
      if (goal->proven()) json.key("proven").flag(true);
      json.end_object();
    }
  }
  json.end_array();
}

void write_trace(JsonWriter& json, const wire::Plan& plan) {
  json.begin_array();
  if (plan.trace() != nullptr) {
    for (const wire::TracedPart* part : *plan.trace()) {
      json.begin_object().key("name").text(part->name()->string_view());
      json.key("calls").whole(part->calls()).key("gains").whole(part->gains()).key("work").whole(part->work()).end_object();
    }
  }
  json.end_array();
}

void write_promises(JsonWriter& json, const wire::Plan& plan, int indent) {
  if (plan.survive() != nullptr) {
    json.line(indent).key("survive").text(plan.survive()->string_view()).line(indent).key("not_survived");
    plan.not_survived() == std::numeric_limits<std::uint64_t>::max() ? json.null() : json.whole(plan.not_survived());
  }
  if (plan.leave_free() != nullptr) {
    json.line(indent).key("leave_free").text(plan.leave_free()->string_view());
    json.line(indent).key("domains_in_use").whole(plan.domains_in_use());
    json.line(indent).key("domain_bound").whole(plan.domain_bound());
  }
}

void write_left_over(JsonWriter& json, const wire::Plan& plan, int indent) {
  if (plan.left_over_bound() != nullptr) {
    json.line(indent).list("left_over_bound", plan.left_over_bound(), [&](const wire::LeftOver* one) {
      json.begin_object().key("priority").integer(one->priority()).key("replicas").whole(one->replicas()).end_object();
    });
  }
  if (plan.left_over_bound() != nullptr || plan.places_most()) {
    json.line(indent).key("places_most").flag(plan.places_most());
  }
}

}  // namespace stowage::cli
