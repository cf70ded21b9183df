#include "capi/cli/usage/mistakes.h"

#include <vector>

#include "capi/text/base/json_text.h"
#include "capi/text/base/table.h"

namespace stowage::cli {
namespace {

/// The command that was being parsed.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.back());
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  }
  return names;
}

std::string unexpected_text(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return "there are too many arguments";
  const std::string& first = words.front();
  if (first.size() > 1 && first.starts_with('-')) {
    const std::string name = first.substr(0, first.find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group().empty()) continue;
      for (const std::string& one : option->get_lnames()) names.push_back("--" + one);
    }
    return "there is no option " + name + did_you_mean(name, {names.begin(), names.end()});
  }
  if (!command_names(app).empty()) return no_command_text(app, first);
  std::string list;
  for (const std::string& word : words) list += " \"" + word + "\"";
  return (words.size() == 1 ? "unexpected argument" : "unexpected arguments") + list;
}

std::string missing_text(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_required() && option->count() == 0) names.push_back(option->get_name());
  }
  if (!names.empty()) return enumerated(names, ", ") + (names.size() == 1 ? " is required" : " are required");
  return app.get_name() + " needs a command: " + enumerated(command_names(app), ", ");
}

/// Two options that are given and do not go together.
std::string conflict_text(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    for (const CLI::Option* other : option->get_excludes()) {
      if (option->count() > 0 && other->count() > 0) return option->get_name() + " does not go with " + other->get_name();
    }
  }
  return "some options do not go together";
}

std::string count_text(const CLI::App& app, const std::string& name) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name() != name) continue;
    if (option->get_items_expected_max() == 0) return name + ": takes no value";
    if (option->count() > 1) return name + ": is given more than once";
  }
  return name + ": needs a value";
}

}  // namespace

std::string mistake_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected_text(command);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing_text(command);
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return conflict_text(command);
  // The name of the option comes first; what follows is our own only where a validator says it.
  std::string text = error.what();
  const std::size_t colon = text.find(": ");
  const bool named = colon != std::string::npos;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && named) return count_text(command, text.substr(0, colon));
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return text;
  const std::string first = text.substr(0, text.find(' '));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() == 0 && option->check_lname(first)) return option->get_name() + ": takes no value";
  }
  return text;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    if (sub->get_name() == name && !sub->get_group().empty()) return sub;
  }
  return nullptr;
}

std::string no_command_text(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> names = command_names(app);
  const std::string where = app.get_parent() == nullptr ? "" : " of " + app.get_name();
  return "there is no command \"" + name + "\"" + where + did_you_mean(name, {names.begin(), names.end()});
}

}  // namespace stowage::cli
