#include "capi/cli/usage/table.h"

#include <algorithm>

namespace stowage::cli {
namespace {

std::string words_joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

/// A word in single quotes; `quote` is how the shell writes one inside.
std::string single_quoted(const std::string& text, const char* quote, bool double_backslash = false) {
  std::string word = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      word += quote;
    } else if (letter == '\\' && double_backslash) {
      word += "\\\\";
    } else {
      word += letter;
    }
  }
  return word + "'";
}

constexpr const char* kPosixQuote = "'\\''";

/// The name of the shell function.
std::string function_name(const CommandRow& program) {
  std::string name = "_" + program.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// All paths below the program, as patterns of a case.
std::string path_patterns(const CommandRow& program) {
  std::vector<std::string> paths;
  visit_commands(program, [&](const CommandRow& command) {
    if (command.path != program.path) paths.push_back("'" + command.path + "'");
  });
  return words_joined(paths, " | ");
}

bool takes_file(const CommandRow& command) {
  return std::any_of(command.arguments.begin(), command.arguments.end(), [](const OptionRow& row) { return row.takes_file; });
}

/// Values of arguments, and names of subcommands.
std::vector<std::string> plain_words(const CommandRow& command) {
  std::vector<std::string> words;
  for (const CommandRow& sub : command.commands) words.push_back(sub.name);
  for (const OptionRow& row : command.arguments) words.insert(words.end(), row.values.begin(), row.values.end());
  return words;
}

// -------------------------------------------------------------------------------------------------------------------- bash

std::string bash_case(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& row : command.options) names.insert(names.end(), row.names.begin(), row.names.end());
  std::string text = "    '" + command.path + "')\n      options='" + words_joined(names, " ") + "'\n      words='" +
                     words_joined(plain_words(command), " ") + "'\n";
  if (takes_file(command)) text += "      files=1\n";
  std::string values;
  for (const OptionRow& row : command.options) {
    if (!row.takes_value) continue;
    values += "        " + words_joined(row.names, " | ") + ") options= words='" + words_joined(row.values, " ") +
              "' files=" + (row.takes_file ? "1" : "") + " ;;\n";
  }
  if (!values.empty()) text += "      case $before in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

std::string bash_script(const CommandRow& program) {
  const std::string name = function_name(program);
  std::string text = "# bash completion for " + program.name + "; made by: " + program.name + " completion bash\n" + name +
                     "() {\n"
                     "  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                     "  local at=" +
                     program.name +
                     " options= words= files= k\n"
                     "  # --summary=json comes in three words.\n"
                     "  if [[ $now == = ]]; then\n"
                     "    now=\n"
                     "  elif [[ $before == = ]]; then\n"
                     "    before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                     "  fi\n"
                     "  for ((k = 1; k < COMP_CWORD; ++k)); do\n"
                     "    case \"$at ${COMP_WORDS[k]}\" in\n"
                     "      " +
                     path_patterns(program) +
                     ") at+=\" ${COMP_WORDS[k]}\" ;;\n"
                     "    esac\n"
                     "  done\n"
                     "  case $at in\n";
  visit_commands(program, [&](const CommandRow& command) { text += bash_case(command); });
  return text +
         "  esac\n"
         "  [[ $now == -* && -n $options ]] && words=$options files=\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
         "  if [[ -n $files ]]; then compopt -o default 2>/dev/null; fi\n"
         "}\n"
         "complete -F " +
         name + " " + program.name + "\n";
}

// --------------------------------------------------------------------------------------------------------------------- zsh

/// 'name:text' for _describe.
std::string described(const std::string& name, const std::string& text) {
  std::string escaped;
  for (const char letter : name) escaped += (letter == ':' ? "\\" : "") + std::string(1, letter);
  return single_quoted(escaped + ":" + text, kPosixQuote);
}

std::string zsh_case(const CommandRow& command) {
  std::string text = "    '" + command.path + "')\n      options=(";
  for (const OptionRow& row : command.options) {
    for (const std::string& name : row.names) text += "\n        " + described(name, row.text);
  }
  text += ")\n      words_here=(";
  for (const CommandRow& sub : command.commands) text += "\n        " + described(sub.name, sub.text);
  for (const OptionRow& row : command.arguments) {
    for (const std::string& value : row.values) text += "\n        " + described(value, "");
  }
  text += ")\n";
  if (takes_file(command)) text += "      files=1\n";
  std::string values;
  for (const OptionRow& row : command.options) {
    if (!row.takes_value) continue;
    values += "        " + words_joined(row.names, "|") + ") options=() words_here=(" + words_joined(row.values, " ") +
              ") files=" + (row.takes_file ? "1" : "") + " ;;\n";
  }
  if (!values.empty()) text += "      case $before in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

std::string zsh_script(const CommandRow& program) {
  const std::string name = function_name(program);
  std::string text = "#compdef " + program.name + "\n# Made by: " + program.name + " completion zsh\n" + name +
                     "() {\n"
                     "  local now=${words[CURRENT]} before=${words[CURRENT-1]} at=" +
                     program.name +
                     " word files=\n"
                     "  local -a options words_here\n"
                     "  for word in ${words[2,CURRENT-1]}; do\n"
                     "    case \"$at $word\" in\n"
                     "      " +
                     path_patterns(program) +
                     ") at=\"$at $word\" ;;\n"
                     "    esac\n"
                     "  done\n"
                     "  if [[ $now == --*=* ]]; then\n"
                     "    before=${now%%=*}\n"
                     "    compset -P '*='\n"
                     "    now=${now#*=}\n"
                     "  fi\n"
                     "  case $at in\n";
  visit_commands(program, [&](const CommandRow& command) { text += zsh_case(command); });
  return text +
         "  esac\n"
         "  if [[ $now == -* && ${#options} -gt 0 ]]; then\n"
         "    _describe -o option options\n"
         "    return\n"
         "  fi\n"
         "  local failed=1\n"
         "  if (( ${#words_here} )); then _describe word words_here && failed=0; fi\n"
         "  if [[ -n $files ]]; then _files && failed=0; fi\n"
         "  return failed\n"
         "}\n"
         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then " +
         name + " \"$@\"; else compdef " + name + " " + program.name + "; fi\n";
}

// -------------------------------------------------------------------------------------------------------------------- fish

std::string fish_quoted(const std::string& text) { return single_quoted(text, "\\'", true); }

/// Whether the words so far name this command, and none below it.
std::string fish_condition(const CommandRow& command) {
  std::string text;
  std::size_t begin = command.path.find(' ');
  while (begin != std::string::npos) {
    const std::size_t end = std::min(command.path.find(' ', begin + 1), command.path.size());
    text += (text.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
            command.path.substr(begin + 1, end - begin - 1);
    begin = end == command.path.size() ? std::string::npos : end;
  }
  std::vector<std::string> below;
  for (const CommandRow& sub : command.commands) below.push_back(sub.name);
  if (!below.empty()) {
    text += (text.empty() ? "" : "; and ") + std::string("not __fish_seen_subcommand_from ") + words_joined(below, " ");
  }
  return text;
}

std::string fish_script(const CommandRow& program) {
  std::string text = "# fish completion for " + program.name + "; made by: " + program.name + " completion fish\ncomplete -c " +
                     program.name + " -f\n";
  visit_commands(program, [&](const CommandRow& command) {
    const std::string begin = "complete -c " + program.name + " -n " + fish_quoted(fish_condition(command));
    for (const CommandRow& sub : command.commands) text += begin + " -a " + sub.name + " -d " + fish_quoted(sub.text) + "\n";
    for (const OptionRow& row : command.arguments) {
      if (row.takes_file) text += begin + " -F\n";
      if (!row.values.empty()) text += begin + " -a " + fish_quoted(words_joined(row.values, " ")) + "\n";
    }
    for (const OptionRow& row : command.options) {
      text += begin;
      for (const std::string& name : row.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (row.takes_value) text += row.takes_file ? " -r -F" : " -x";
      if (!row.values.empty()) text += " -a " + fish_quoted(words_joined(row.values, " "));
      text += " -d " + fish_quoted(row.text) + "\n";
    }
  });
  return text;
}

}  // namespace

std::string completion_script(const CommandRow& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  return shell == "zsh" ? zsh_script(program) : fish_script(program);
}

}  // namespace stowage::cli
