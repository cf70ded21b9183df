#include "core/planners/notes.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "core/annealing/period_search.h"
#include "core/placement/fits_empty.h"

namespace stowage {
namespace {

/// Apps that a note names; it counts the others.
constexpr std::size_t kMostNamed = 5;

template <class Unit>
std::vector<AppId> fits_nowhere(const Instance& instance, const Plan& plan) {
  const Residuals<Unit> residuals(instance);
  typename Residuals<Unit>::Need need;
  std::vector<AppId> found;
  for (const Unplaced& left : plan.unplaced) {
    residuals.prepare(left.app, need);
    bool fits = false;
    for (ClassId c = 0; c < instance.classes() && !fits; ++c) fits = fits_empty(instance, residuals, need, left.app, c);
    if (!fits) found.push_back(left.app);
  }
  return found;
}

/// What carries each tag of the instance.
class TagCarriers {
 public:
  explicit TagCarriers(const Instance& instance) : app_(instance.data().tags.size()), node_(instance.data().tags.size()) {
    const InstanceData& data = instance.data();
    for (const std::uint32_t tag : instance.app_tags().index) app_[tag] = 1;
    for (const std::uint32_t tag : data.node_tags.index) node_[tag] = 1;
    std::set<std::string_view> labels;
    for (const NodeClass& node_class : data.classes) labels.insert(node_class.labels.begin(), node_class.labels.end());
    for (std::size_t tag = 0; tag < node_.size() && !labels.empty(); ++tag) {
      if (labels.contains(data.tags[tag])) node_[tag] = 1;
    }
  }
  [[nodiscard]] bool app(std::uint32_t tag) const { return app_[tag] != 0; }
  [[nodiscard]] bool any(std::uint32_t tag) const { return app(tag) || node_[tag] != 0; }

 private:
  std::vector<std::uint8_t> app_, node_;
};

/// Why the rule binds less than it seems to; empty where every condition has a bound and tags that something carries.
std::string why_idle(const PlacementRule& rule, const std::vector<std::string>& tags, const TagCarriers& carriers) {
  for (const std::vector<Cardinality>& conjunction : rule.any_of) {
    for (const Cardinality& one : conjunction) {
      for (const std::uint32_t tag : one.subject) {
        if (!carriers.app(tag)) return "no app carries its tag \"" + tags[tag] + "\"";
      }
      for (const std::uint32_t tag : one.target) {
        if (!carriers.any(tag)) return "neither an app nor a node carries its tag \"" + tags[tag] + "\"";
      }
      const bool bound = one.max != kNone || (one.min > 0 && one.kind != CardinalityKind::kSkew);
      if (!bound) return "a condition has neither a minimum nor a maximum";
    }
  }
  return {};
}

}  // namespace

std::string not_honoured(const Instance& instance, const PlannerInfo& info) {
  const FeatureSet missing = instance.features() & ~info.honours;
  std::vector<std::string> names;
  for (FeatureSet bit = 1; bit < static_cast<FeatureSet>(Feature::kEnd); bit <<= 1) {
    if ((missing & bit) != 0) names.emplace_back(feature_name(static_cast<Feature>(bit)));
  }
  return listed(names);
}

void note_off(const PlannerInput& input, std::string_view what, const std::string& why) {
  input.run.notes.add(NoteCode::kNotImproved, std::string(what) + ": " + why + ".");
}

void note_minimum(const PlannerInput& input) {
  const TagModel& rules = input.instance.tag_model();
  for (std::uint32_t p = 0; p < rules.parts(); ++p) {
    const TagPart& part = rules.part(p);
    if (!part.hard || part.min == 0) continue;
    note_off(input, kNotImproved, "rule " + input.instance.rule_name(part.rule) + " asks for a minimum");
    return;
  }
}

void note_no_exchanges(const PlannerInput& input) {
  note_off(input, "Periods are planned less closely",
           input.instance.uncertain() ? "demand is uncertain and changes over time"
                                      : "there are more than " + std::to_string(kMostAnnealed) + " replicas");
}

std::vector<Note> notes_for(const Plan& plan, const Notes& of_run) {
  std::vector<Note> notes = of_run.all();
  if (plan.status == PlanStatus::kOptimal) {
    std::erase_if(notes, [](const Note& note) { return note.code == NoteCode::kNotImproved; });
  }
  return notes;
}

void note_left_out(const Instance& instance, const Plan& plan, std::vector<Note>& notes) {
  if (plan.unplaced.empty()) return;
  const std::vector<AppId> apps = instance.visit_unit([&](auto unit) { return fits_nowhere<decltype(unit)>(instance, plan); });
  if (apps.empty()) return;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(apps.size(), kMostNamed); ++k) names.push_back(instance.app_name(apps[k]));
  std::string text = "No node takes a replica of " + listed(names);
  if (apps.size() > kMostNamed)
    text += " and " + std::to_string(apps.size() - kMostNamed) + (apps.size() == kMostNamed + 1 ? " other app" : " other apps");
  notes.push_back({NoteCode::kLeftOut,
                   text + ", not even an empty one; the others were planned without " + (apps.size() == 1 ? "it." : "them.")});
}

void note_idle_rules(const Instance& instance, std::vector<Note>& notes) {
  const InstanceData& data = instance.data();
  if (data.rules.empty()) return;
  const TagCarriers carriers(instance);
  std::size_t idle = 0;
  for (std::size_t r = 0; r < data.rules.size(); ++r) {
    const std::string why = why_idle(data.rules[r], data.tags, carriers);
    if (why.empty() || ++idle > kMostNamed) continue;
    notes.push_back({NoteCode::kIdleRule, "Rule " + instance.rule_name(r) + " has no effect: " + why + "."});
  }
  if (idle > kMostNamed) {
    const char* const rules = idle == kMostNamed + 1 ? " other rule." : " other rules.";
    notes.push_back({NoteCode::kIdleRule, "The same holds for " + std::to_string(idle - kMostNamed) + rules});
  }
}

}  // namespace stowage
