#include "capi/text/formats/names.h"

#include <algorithm>
#include <string_view>

#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {
namespace {

/// The numbers from 1 that no name takes. Steps over many numbers at once, as a node may stand for any number of copies.
class Numbering {
 public:
  /// Takes the number that follows the prefix in a name.
  void leave_out(std::string_view text) {
    const auto number = parse_whole(text);
    if (number && std::to_string(*number) == text) taken_.push_back(*number);
  }
  void begin() { std::sort(taken_.begin(), taken_.end()); }
  /// The `steps`-th number after the last one.
  std::uint64_t advance(std::uint64_t steps) {
    for (; next_ < taken_.size(); last_ = std::max(last_, taken_[next_++])) {
      const std::uint64_t free = taken_[next_] > last_ ? taken_[next_] - last_ - 1 : 0;
      if (steps <= free) break;
      steps -= free;
    }
    return last_ += steps;
  }

 private:
  std::vector<std::uint64_t> taken_;
  std::size_t next_ = 0;
  std::uint64_t last_ = 0;
};

/// Numbers of anonymous nodes per class. Skips numbers that names of listed nodes take.
class AnonymousNumbers {
 public:
  explicit AnonymousNumbers(const Names& names) : numbers_(names.instance().classes()->size() + std::size_t{1}) {
    std::unordered_multimap<std::string, Numbering*> by_class;
    for (std::uint32_t c = 0; c < numbers_.size(); ++c) by_class.emplace(names.node_class(c), &numbers_[c]);
    const wire::Nodes* nodes = names.instance().nodes();
    for (std::uint32_t node = 0; nodes != nullptr && node < nodes->node_class()->size(); ++node) {
      const std::string taken = names.listed(node);
      const std::size_t dash = taken.find_last_of('-');
      if (dash == std::string::npos) continue;
      const auto [first, last] = by_class.equal_range(taken.substr(0, dash));
      for (auto one = first; one != last; ++one) one->second->leave_out(std::string_view(taken).substr(dash + 1));
    }
    for (Numbering& one : numbers_) one.begin();
  }
  /// Classes that do not exist share one numbering.
  Numbering& of(std::uint32_t node_class) { return numbers_[std::min<std::size_t>(node_class, numbers_.size() - 1)]; }

 private:
  std::vector<Numbering> numbers_;
};

/// "cores" as "core"; symbols, such as "GiB" or "bps", as they are.
std::string singular(const std::string& unit) {
  constexpr std::size_t kLeast = 4;
  const auto letter = [](char one) { return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z'); };
  const bool word = unit.size() >= kLeast && std::all_of(unit.begin(), unit.end(), letter);
  if (!word || !unit.ends_with("s") || unit.ends_with("ss") || unit.ends_with("ps")) return unit;
  for (const char* const ending : {"sses", "xes", "ches", "shes"}) {
    if (unit.ends_with(ending)) return unit.substr(0, unit.size() - 2);
  }
  return unit.substr(0, unit.size() - 1);
}

}  // namespace

std::string Names::given(const flatbuffers::String& name) const {
  return summary_ == Summary::kText ? printable(name.string_view()) : name.str();
}

std::uint32_t Names::find_app(const std::string& name, const char* option) const {
  const std::uint32_t count = instance_.apps()->replicas()->size();
  for (std::uint32_t index = 0; index < count; ++index) {
    if (app(index) == name) return index;
  }
  throw Failure(std::string(option) + ": the instance has no app \"" + name + "\"");
}

std::uint32_t Names::find_resource(std::string_view name, const char* option) const {
  std::vector<std::string_view> known;
  for (const wire::Resource* resource : *instance_.resources()) {
    if (resource->name()->string_view() == name) return static_cast<std::uint32_t>(known.size());
    known.push_back(resource->name()->string_view());
  }
  throw Failure(std::string(option) + ": there is no resource \"" + printable(std::string(name)) + "\"" +
                did_you_mean(name, known));
}

std::string Names::app(std::uint32_t index) const {
  const auto* names = instance_.apps()->names();
  if (names != nullptr && index < names->size()) return given(*names->Get(index));
  return "#" + std::to_string(index);
}

std::string Names::node_class(std::uint32_t index) const {
  const auto& classes = *instance_.classes();
  if (index < classes.size() && classes.Get(index)->name() != nullptr && classes.Get(index)->name()->size() > 0) {
    return given(*classes.Get(index)->name());
  }
  return classes.size() == 1 && index == 0 ? "node" : "class" + std::to_string(index);
}

std::string Names::listed(std::uint32_t index) const {
  const auto* nodes = instance_.nodes();
  if (nodes != nullptr && nodes->names() != nullptr && index < nodes->names()->size())
    return given(*nodes->names()->Get(index));
  return "#" + std::to_string(index);
}

std::string Names::resource(std::uint32_t index) const {
  const auto& resources = *instance_.resources();
  return index < resources.size() ? given(*resources.Get(index)->name()) : "resource " + std::to_string(index);
}

std::string Names::unit(std::uint32_t resource) const {
  const auto& resources = *instance_.resources();
  const bool has = resource < resources.size() && resources.Get(resource)->unit() != nullptr;
  return has ? given(*resources.Get(resource)->unit()) : std::string();
}

double Names::device(std::uint32_t resource) const {
  return resource < instance_.resources()->size() ? instance_.resources()->Get(resource)->device() : 0;
}

std::string Names::kind(std::uint32_t index) const {
  const wire::Interference* table = instance_.interference();
  if (table != nullptr && table->kinds() != nullptr && index < table->kinds()->size())
    return given(*table->kinds()->Get(index));
  return "#" + std::to_string(index);
}

std::string Names::rule(std::uint32_t index) const {
  const auto* rules = instance_.rules();
  if (rules != nullptr && index < rules->size() && rules->Get(index)->name() != nullptr &&
      rules->Get(index)->name()->size() > 0) {
    return given(*rules->Get(index)->name());
  }
  return "rule " + std::to_string(index);
}

std::string Names::tag(std::uint32_t index) const {
  const auto* tags = instance_.tags();
  return tags != nullptr && index < tags->size() ? given(*tags->Get(index)) : "tag " + std::to_string(index);
}

std::string Names::amount(double value, std::uint32_t resource) const {
  std::string text = for_people(value, value != 0 && value < 1 && value > -1 ? 4 : 2);
  if (const std::string of = unit(resource); !of.empty()) text += " " + (text == "1" ? singular(of) : of);
  return text;
}

std::vector<std::string> Names::plan_nodes(const wire::Plan& plan) const {
  AnonymousNumbers numbers(*this);
  std::vector<std::string> names;
  const std::uint32_t count = std::min(plan.node_class()->size(), plan.listed()->size());
  names.reserve(count);
  for (std::uint32_t node = 0; node < count; ++node) {
    const std::uint32_t node_class = plan.node_class()->Get(node);
    const std::uint32_t copies = copies_of(plan, node);
    if (plan.listed()->Get(node) != kNone) {
      names.push_back(listed(plan.listed()->Get(node)));
      continue;
    }
    names.push_back(this->node_class(node_class) + "-" + std::to_string(numbers.of(node_class).advance(1)));
    if (copies > 1) numbers.of(node_class).advance(copies - 1);
  }
  return names;
}

void Names::visit_copies(const wire::Plan& plan, const std::function<void(std::uint32_t, const std::string&)>& visit) const {
  AnonymousNumbers numbers(*this);
  for (std::uint32_t node = 0; node < std::min(plan.node_class()->size(), plan.listed()->size()); ++node) {
    if (plan.listed()->Get(node) != kNone) {
      visit(node, listed(plan.listed()->Get(node)));
      continue;
    }
    const std::uint32_t node_class = plan.node_class()->Get(node);
    const std::string prefix = this->node_class(node_class) + "-";
    Numbering& number = numbers.of(node_class);
    for (std::uint32_t copy = 0; copy < copies_of(plan, node); ++copy) visit(node, prefix + std::to_string(number.advance(1)));
  }
}

std::uint32_t copies_of(const wire::Plan& plan, std::uint32_t node) {
  return plan.copies() != nullptr && node < plan.copies()->size() ? plan.copies()->Get(node) : 1;
}

std::uint64_t nodes_in_use(const wire::Plan& plan) {
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < plan.node_class()->size(); ++node) sum += copies_of(plan, node);
  return sum;
}

std::uint64_t replicas_placed(const wire::Plan& plan) {
  std::uint64_t sum = 0;
  for (const wire::Placed* one : *plan.placed()) sum += std::uint64_t{one->replicas()} * copies_of(plan, one->node());
  return sum;
}

}  // namespace stowage::cli
