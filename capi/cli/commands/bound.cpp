#include <algorithm>
#include <cmath>

#include "capi/cli/base/papers.h"
#include "capi/cli/commands/commands.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

void print_json(const wire::Bounds& bounds, const Names& names, const Console& console) {
  JsonObject json(console.out);
  json.list("bounds", bounds.entries(), [&](const wire::BoundEntry* entry) {
    json.begin_object();
    json.key("name").text(entry->name()->str());
    json.key("objective").text(entry->objective()->str());
    json.key("value").number(entry->value() == 0 ? 0 : entry->value());  // never "-0"
    if (entry->resource() < names.instance().resources()->size()) json.key("resource").text(names.resource(entry->resource()));
    if (entry->period() != kNone) json.key("period").whole(entry->period());
    if (entry->source() != nullptr) json.key("source").text(entry->source()->str());
    json.end_object();
  });
  json.print();
}

void print_text(const wire::Bounds& bounds, const Names& names, const Console& console) {
  if (bounds.entries()->size() == 0) {
    console.out << "No bound is known for this instance\n";
    return;
  }
  TextTable table({"bound", "objective", "at least", "given by", "source"});
  table.right_from(5);
  std::string sources;
  for (const wire::BoundEntry* entry : *bounds.entries()) {
    if (entry->source() != nullptr) sources += entry->source()->str() + '\n';
    const bool whole = entry->objective()->str() == "nodes";
    table.add({entry->name()->str(), entry->objective()->str(),
               whole ? for_people(std::max(0.0, std::ceil(entry->value() - 1e-9)), 0) : for_people(entry->value(), 4),
               place_text(names, entry->resource(), entry->period()),
               entry->source() == nullptr ? "" : entry->source()->str()});
  }
  table.print(console, 0);
  if (const std::string legend = papers_legend(sources); !legend.empty()) console.out << '\n' << legend;
}

}  // namespace

int run_bound_command(const BoundCommand& command, const Console& console) {
  const Workload workload = load_workload(command.file, command.node, console, command.scales);
  const auto report = bounds(workload.instance);
  const Names names(workload.root(), command.summary);
  if (report.body().entries() == nullptr) throw Failure("the library gave a report without bounds", kExitInternal);
  command.summary == Summary::kJson ? print_json(report.body(), names, console) : print_text(report.body(), names, console);
  return kExitOk;
}

}  // namespace stowage::cli
