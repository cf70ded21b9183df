#include "capi/lab/experiment/contenders.h"

#include <algorithm>
#include <cmath>

#include "capi/cli/base/console.h"
#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {

Contender parse_contender(const std::string& label) {
  const auto fail = [&](const std::string& part, const char* what) {
    throw Failure("--planners: \"" + part + "\" in \"" + label + "\" is not " + what);
  };
  Contender contender;
  contender.label = label;
  const std::size_t at = std::min(label.find('@'), label.size());
  const std::vector<std::string> parts = split_fields(label.substr(0, at), ':');
  contender.planner = parts[0];
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::size_t equals = std::min(parts[k].find('='), parts[k].size());
    const std::string name = parts[k].substr(0, equals);
    const auto number = parse_number(parts[k].substr(std::min(equals + 1, parts[k].size())));
    if (!number) fail(parts[k], "an option (try \"bf-nsigma:n=1.15\")");
    if (name != "moves") {
      contender.options.emplace_back(name, *number);
      continue;
    }
    // Of the request, not of the planner.
    if (!(*number >= 0 && *number <= UINT32_MAX && std::floor(*number) == *number)) fail(parts[k], "a number of moves");
    contender.move_budget = static_cast<std::uint32_t>(*number);
  }
  if (at == label.size()) return contender;
  const std::string text = label.substr(at + 1);
  const auto deadline = parse_duration(text);
  if (!deadline || deadline->count() <= 0) fail(text, "a deadline (try \"auto@10s\")");
  contender.deadline_ms = static_cast<std::uint64_t>(deadline->count());
  return contender;
}

std::string contender_text(const std::string& label) {
  const Contender contender = parse_contender(label);
  std::string text = contender.planner;
  for (const auto& [name, number] : contender.options) text += ", " + name + " = " + shortest(number);
  if (contender.move_budget > 0) text += ", " + counted(contender.move_budget, "move");
  if (contender.deadline_ms > 0) text += ", " + duration_text(static_cast<double>(contender.deadline_ms) / 1000);
  return text;
}

}  // namespace stowage::cli::lab
