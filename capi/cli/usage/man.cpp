#include "capi/cli/usage/table.h"

#include <algorithm>

namespace stowage::cli {
namespace {

/// Text as roff takes it, where each line is text.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const bool first = at == 0 || text[at - 1] == '\n';
    if (first && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";  // else it would be a hyphen, which no shell takes
    } else if (letter == '\'') {
      out += "\\(aq";
    } else if (letter == '`') {
      out += "\\(ga";
    } else if (letter == '^') {
      out += "\\(ha";
    } else if (letter == '~') {
      out += "\\(ti";
    } else {
      out += letter;
    }
  }
  return out;
}

/// Lines as they are.
std::string verbatim(const std::string& text) {
  std::string lines = text;
  lines.erase(lines.find_last_not_of('\n') + 1);
  lines.erase(0, lines.find_first_not_of('\n'));
  return lines.empty() ? std::string() : ".nf\n" + roff(lines) + "\n.fi\n";
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char one) { return one >= 'a' && one <= 'z' ? static_cast<char>(one - 'a' + 'A') : one; });
  return text;
}

std::string option_entry(const OptionRow& row) {
  std::string head;
  for (const std::string& name : row.names) head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!row.value.empty() && row.value != " ") head += " \\fI" + roff(row.value) + "\\fR";
  return ".TP\n" + head + "\n" + roff(row.text) + "\n";
}

std::string synopsis(const CommandRow& command) {
  std::string line = "\\fB" + roff(command.path) + "\\fR";
  if (!command.options.empty()) line += " [\\fIOPTIONS\\fR]";
  for (const OptionRow& row : command.arguments) {
    const std::string name = "\\fI" + roff(row.names.front()) + "\\fR";
    line += row.required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) line += " [\\fICOMMAND\\fR]";
  return line + "\n";
}

/// --help or --help-all, which every command has.
bool is_help(const OptionRow& row) { return row.names.back().starts_with("--help"); }

std::string command_section(const CommandRow& command) {
  std::string text = ".SS " + roff(command.path) + "\n" + roff(command.text) + ".\n.PP\n" + synopsis(command);
  for (const OptionRow& row : command.arguments) text += option_entry(row);
  for (const OptionRow& row : command.options) {
    if (!is_help(row)) text += option_entry(row);
  }
  return command.footer.empty() ? text : text + ".PP\n" + verbatim(command.footer);
}

constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
.B 0
The work is done.
.TP
.B 1
The usage or the input is wrong, or the output cannot be written.
.TP
.B 2
The work is done, but replicas are unplaced, the run was cancelled, or the plan breaks constraints.
.TP
.B 3
A defect of Stowage.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Where it is set and not empty, nothing is coloured.
.TP
.B TERM
Where it is "dumb", nothing is coloured, and no progress is shown.
)";

}  // namespace

std::string man_page(const CommandRow& program, const std::string& version, const std::string& legend) {
  std::string text = ".\\\" Made by: " + program.name + " help --man\n";
  text += ".TH " + upper_case(roff(program.name)) + " 1 \"\" \"Stowage " + roff(version) + "\" \"User Commands\"\n.nh\n.ad l\n";
  std::string purpose = program.text;
  if (purpose.ends_with('.')) purpose.pop_back();
  text += ".SH NAME\n" + roff(program.name) + " \\- " + roff(purpose) + "\n.SH SYNOPSIS\n" + synopsis(program);
  text += ".SH DESCRIPTION\n" + roff(program.text) + "\n.PP\n" + verbatim(program.footer);
  text += ".SH OPTIONS\n";
  for (const OptionRow& row : program.options) text += option_entry(row);
  text += ".SH COMMANDS\nEach has the options of help.\n";
  for (const CommandRow& command : program.commands) {
    visit_commands(command, [&](const CommandRow& one) { text += command_section(one); });
  }
  text += kEnd;
  if (!legend.empty()) text += ".SH PAPERS\n" + verbatim(legend);
  return text;
}

}  // namespace stowage::cli
