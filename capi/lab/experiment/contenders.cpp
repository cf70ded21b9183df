#include "capi/lab/experiment/contenders.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "capi/cli/base/console.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

/// An option in a label that sets the request's move budget; it is not an option of the planner.
constexpr std::string_view kMoves = "moves";
constexpr double kMostMoves = 4294967295;

}  // namespace

Contender parse_contender(const std::string& label) {
  Contender contender;
  contender.label = label;
  const std::size_t at = std::min(label.find('@'), label.size());
  std::string_view rest(label.data(), at);
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  contender.planner = rest.substr(0, colon);
  rest.remove_prefix(colon);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view option = rest.substr(0, rest.find(':'));
    rest.remove_prefix(option.size());
    const std::size_t equals = option.find('=');
    const auto number = equals == std::string_view::npos ? std::nullopt : parse_number(option.substr(equals + 1));
    if (!number) {
      throw Failure("--planners: \"" + std::string(option) + "\" in \"" + label +
                    "\" is not an option (try \"bf-nsigma:n=1.15\")");
    }
    if (option.substr(0, equals) == kMoves) {
      if (!(*number >= 0 && *number <= kMostMoves && std::floor(*number) == *number))
        throw Failure("--planners: \"" + std::string(option) + "\" in \"" + label + "\" is not a number of moves");
      contender.move_budget = static_cast<std::uint32_t>(*number);
      continue;
    }
    contender.options.emplace_back(option.substr(0, equals), *number);
  }
  if (at == label.size()) return contender;
  const std::string text = label.substr(at + 1);
  const auto deadline = parse_duration(text);
  if (!deadline || deadline->count() <= 0) {
    throw Failure("--planners: \"" + text + "\" in \"" + label + "\" is not a deadline (try \"auto@10s\")");
  }
  contender.deadline_ms = static_cast<std::uint64_t>(deadline->count());
  return contender;
}

bool offered(const wire::Catalogue& catalogue, const std::string& planner) {
  return std::any_of(catalogue.planners()->begin(), catalogue.planners()->end(),
                     [&](const wire::PlannerInfo* one) { return one->name()->str() == planner; });
}

Contender known_contender(const std::string& label, const wire::Catalogue& catalogue) {
  Contender contender = parse_contender(label);
  if (offered(catalogue, contender.planner)) return contender;
  std::vector<std::string> known;
  for (const wire::PlannerInfo* one : *catalogue.planners()) known.push_back(one->name()->str());
  throw Failure("there is no planner \"" + contender.planner + "\"" +
                did_you_mean(contender.planner, {known.begin(), known.end()}) + "; stowage planners lists them");
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
