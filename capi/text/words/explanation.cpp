#include "capi/text/words/explanation.h"

#include "capi/text/base/quantities.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

constexpr std::size_t kMostClosestNodes = 5;

}  // namespace

void print_explanation(const Console& console, const wire::Explanation& explanation, const wire::Verification& verification,
                       const wire::Plan& plan, const Names& names, const std::vector<std::string>& nodes) {
  console.out << counted(explanation.nodes(), "node") << " in use";
  if (explanation.node_bound() > 0)
    console.out << "; no complete plan uses fewer than " << for_people(explanation.node_bound(), 2);
  console.out << '\n';
  if (explanation.drivers() != nullptr && explanation.drivers()->size() > 0) {
    console.out << "\nWhat drives the number of nodes\n";
    for (const wire::Driver* driver : *explanation.drivers()) console.out << "  " << driver_text(*driver, names) << '\n';
  }
  if (explanation.suffering() != nullptr) {
    console.out << "\nSide effects\n  " << suffering_text(*explanation.suffering(), names, nodes) << '\n';
  }
  if (explanation.resources() != nullptr && explanation.resources()->size() > 0) {
    console.out << '\n';
    TextTable table({"resource", "demand at its peak", "of capacity", "used", "stranded"});
    for (const wire::ResourceUse* use : *explanation.resources()) {
      table.add({place_text(names, use->resource(), use->peak_period()), names.amount(use->demand(), use->resource()),
                 names.amount(use->capacity(), use->resource()),
                 percent_text(use->capacity() > 0 ? use->demand() / use->capacity() : 0),
                 names.amount(use->stranded(), use->resource())});
    }
    table.print(console);
    console.out << "  Stranded: free capacity of nodes on which no further replica fits.\n";
  }
  for_each_overridden(explanation, [&](std::uint32_t rule, std::uint32_t other) {
    console.out << "The rule " << names.rule(rule) << " gives way to the operator's rule " << names.rule(other) << '\n';
  });
  print_rule_violations(console, verification, names, nodes);
  if (explanation.apps() == nullptr || explanation.apps()->size() == 0) {
    console.out << "\nEverything is placed\n";
    return;
  }
  console.out << '\n';
  if (const std::string least = left_over_text(plan); !least.empty()) {
    console.out << "Not everything is placed; " << least << '\n';
  }
  for (const wire::AppExplanation* app : *explanation.apps()) {
    print_app_explanation(console, *app, plan, names, nodes, kMostClosestNodes);
  }
}

}  // namespace stowage::cli
