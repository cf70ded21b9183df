#include "capi/cli/usage/table.h"

#include <algorithm>

namespace stowage::cli {
namespace {

/// "first|last" as a list; empty where the text stands for something else, such as "10s|500ms" or "ct1..ct10".
std::vector<std::string> alternatives(const std::string& text) {
  if (text.find('|') == std::string::npos) return {};
  std::vector<std::string> words = CLI::detail::split(text, '|');
  const auto is_word = [](const std::string& word) {
    return !word.empty() && word.front() >= 'a' && word.front() <= 'z' && std::all_of(word.begin(), word.end(), [](char one) {
      return (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') || one == '-';
    });
  };
  return std::all_of(words.begin(), words.end(), is_word) ? words : std::vector<std::string>();
}

bool names_file(const std::string& value) {
  for (const char* const word : {"FILE", "PLAN.", "CURVE.", "SIZES.", "INSTANCE", "CSV", "DIR"}) {
    if (value.find(word) != std::string::npos) return true;
  }
  return false;
}

OptionRow row_of(const CLI::Option& option, const std::string& command, const KnownValues& known) {
  OptionRow row;
  const std::string& usage = option.get_option_text();
  row.takes_value = option.get_items_expected_max() != 0;
  row.required = option.get_required() || option.get_default_str() == kRequired;
  row.text = description_of(option);
  if (option.get_positional()) {
    row.names = {option.get_name(true)};
    row.values = known(command, row.names.front());
    row.takes_file = row.values.empty();
    return row;
  }
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  if (row.takes_value) row.value = usage;
  row.values = known(command, row.names.back());
  if (row.values.empty()) row.values = alternatives(usage);
  row.takes_file = row.values.empty() && names_file(usage);
  return row;
}

}  // namespace

CommandRow table_of(const CLI::App& app, const KnownValues& known, const std::string& path) {
  CommandRow command;
  command.name = app.get_name();
  command.path = path.empty() ? command.name : path + " " + command.name;
  command.text = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? command.arguments : command.options).push_back(row_of(*option, command.name, known));
  }
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    if (!sub->get_group().empty()) command.commands.push_back(table_of(*sub, known, command.path));
  }
  return command;
}

void visit_commands(const CommandRow& command, const std::function<void(const CommandRow&)>& visit) {
  visit(command);
  for (const CommandRow& sub : command.commands) visit_commands(sub, visit);
}

std::string description_of(const CLI::Option& option) {
  const std::string& text = option.get_description();
  if (option.get_items_expected_max() == 0) return text;  // a flag
  const std::string given = option.get_default_str();
  if (option.get_required() || given == kRequired) return text + " (required)";
  return text + " (default: " + (given.empty() ? "none" : given) + ")";
}

}  // namespace stowage::cli
