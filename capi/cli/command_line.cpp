#include "capi/cli/command_line.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ios>
#include <new>
#include <stowage.hpp>
#include <string_view>
#include <utility>

#include "capi/cli/base/papers.h"
#include "capi/cli/usage/mistakes.h"
#include "capi/cli/usage/table.h"
#include "capi/cli/usage/values.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

/// An argument as a shell takes it.
std::string shell_word(const std::string& argument) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string word = "'";
  for (const char letter : argument) {
    word += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return word + "'";
}

/// Help with every default, in lines of at most 100 columns, and with a legend of the papers it cites.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
  }

  std::string make_option_desc(const CLI::Option* option) const override { return description_of(*option); }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    constexpr std::string_view kSubcommand = " [SUBCOMMAND]";
    std::string text = CLI::Formatter::make_usage(app, std::move(name));
    const bool any_shown = !app->get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); }).empty();
    if (const std::size_t at = text.find(kSubcommand); !any_shown && at != std::string::npos)
      text.erase(at, kSubcommand.size());
    return text;
  }

  std::string make_subcommand(const CLI::App* sub) const override { return entry(sub->get_name(), sub->get_description()); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    const std::string legend = papers_legend(text);
    return legend.empty() || mode == CLI::AppFormatMode::Sub ? text : text + "\n" + legend;
  }

 private:
  static std::string entry(const std::string& name, const std::string& text) {
    constexpr std::size_t kColumn = 30;
    constexpr std::size_t kMostIndentation = 4;  // in the help of all commands
    std::string head = "  " + name;
    head.erase(head.find_last_not_of(' ') + 1);
    return hanging_text(std::move(head), text, kColumn, kTextWidth - kMostIndentation);
  }
};

}  // namespace

CommandLine::CommandLine(const Console& console, const char* purpose, const char* footer)
    : console_(console),
      app_(purpose, console.program),
      repeatable_(console.program),
      version_(console.program + std::string(" ") + stowage::version()) {
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.set_help_flag("-h,--help", "Print this help and exit");
  app_.set_help_all_flag("--help-all", "Print the help of all commands and exit");
  app_.set_version_flag("-V,--version", version_, "Print the version and exit");
  app_.footer(footer);
  app_.require_subcommand(0, 1);
}

int CommandLine::run(std::vector<std::string> arguments) {
  for (const std::string& argument : arguments) {
    if (argument != "--resume") repeatable_ += " " + shell_word(argument);
  }
  add_usage();
  require_values(app_);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app_.parse(arguments);
  } catch (const CLI::Success& success) {
    app_.exit(success, console_.out, console_.err);
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    const std::string program = console_.program;
    console_.err << program << ": " << printable(mistake_text(app_, error)) << "\n"
                 << program << " --help, or " << program << " COMMAND --help, shows what is possible\n";
    return kExitInput;
  }
  if (!action_) {
    console_.out << app_.help();
    return kExitOk;
  }
  return action_();
}

CLI::App* CommandLine::command(CLI::App& parent, const char* name, const char* summary, const char* footer, Action action) {
  CLI::App* sub = parent.add_subcommand(name, summary);
  sub->footer(footer);
  // Called from the innermost one outwards.
  sub->callback([this, action = std::move(action)] {
    if (!action_) action_ = action;
  });
  return sub;
}

void CommandLine::add_usage() {
  CLI::App* help = command(app_, "help", "Print the help of a command", "", [this] { return print_help(); });
  option(help, "COMMAND", help_words_, "The command, and those below it", " ", "all commands");
  help->add_flag("--man", man_page_, "Print the manual page")->group("");
  command(app_, "version", "Print the version", "", [this] {
    console_.out << version_ << '\n';
    return kExitOk;
  });
  const std::string program = console_.program;
  const std::string examples = "Examples:\n  . <(" + program + " completion bash)\n  " + program +
                               " completion fish >~/.config/fish/completions/" + program + ".fish";
  CLI::App* completion = command(app_, "completion", "Print a script that completes command lines in a shell", "", [this] {
    console_.out << completion_script(table(), shell_);
    return kExitOk;
  });
  completion->footer(examples);
  option(completion, "SHELL", shell_, "The shell: bash, zsh or fish", " ")
      ->required()
      ->transform(one_of({"bash", "zsh", "fish"}));
}

int CommandLine::print_help() const {
  if (man_page_) {
    console_.out << man_page(table(), stowage::version(), papers_legend("P0 P1 P2 P3 P4"));
    return kExitOk;
  }
  const CLI::App* found = &app_;
  std::string path;
  for (const std::string& word : help_words_) {
    const CLI::App* next = find_command(*found, word);
    if (next == nullptr) throw Failure(no_command_text(*found, word));
    path += (path.empty() ? "" : " ") + found->get_name();
    found = next;
  }
  if (help_words_.empty()) {
    console_.out << app_.get_formatter()->make_help(&app_, app_.get_name(), CLI::AppFormatMode::Normal);
  } else {
    console_.out << found->help(path);
  }
  return kExitOk;
}

CommandRow CommandLine::table() const {
  return table_of(app_, [this](const auto& command, const auto& option) { return known_values(command, option); });
}

std::vector<std::string> CommandLine::known_values(const std::string& /*command*/, const std::string& option) const {
  if (option == "SHELL") return {"bash", "zsh", "fish"};
  std::vector<std::string> names;
  if (option != "COMMAND") return names;
  for (const CLI::App* sub : app_.get_subcommands(nullptr)) {
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  }
  return names;
}

int run_reporting(const Console& console, const std::function<int()>& program) {
  const auto report = [&](const std::vector<std::string>& lines, int code) {
    console.out.exceptions(std::ios_base::goodbit);
    console.out.flush();  // what was said before
    console.err << console.program << ": ";
    for (const std::string& line : lines) console.err << printable(line) << '\n';
    return code;
  };
  try {
    // Output that cannot be written ends the command where it is noticed, while errno still says why.
    console.out.exceptions(std::ios_base::badbit);
    const int code = program();
    console.out.flush();
    return code;
  } catch (const Failure& failure) {
    return report(failure.lines(), failure.exit_code());
  } catch (const std::ios_base::failure&) {
    const std::string why = std::strerror(errno);
    return report({"standard output: cannot be written: " + why}, kExitInput);
  } catch (const std::bad_alloc&) {
    return report({"out of memory"}, kExitInternal);
  } catch (const std::exception& defect) {
    return report({std::string("a defect of Stowage, please report it: ") + defect.what()}, kExitInternal);
  }
}

void add_summary(CLI::App* sub, Summary& summary) {
  sub->add_option_function<std::string>(
         "--summary", [&summary](const std::string& word) { summary = word == "json" ? Summary::kJson : Summary::kText; },
         "Format of the summary on standard output")
      ->transform(one_of({"text", "json"}))
      ->option_text("text|json")
      ->default_str("text");
}

void add_format(CLI::App* sub, std::string& format, const Formats& formats) {
  std::string words;
  for (const std::string& word : formats.words) words += (words.empty() ? "" : "|") + word;
  option(sub, "--format", format, "Format of standard output (-), and of outputs whose names have no extension", words.c_str(),
         formats.standard)
      ->transform(one_of(formats.words));
}

void add_csv_safe(CLI::App* sub, CsvCells& cells) {
  sub->add_flag_callback(
      "--csv-safe", [&cells] { cells = CsvCells::kSafe; },
      "In CSV files, put an apostrophe before what a spreadsheet would take for a formula");
}

void add_node(CLI::App* sub, GivenNodes& nodes) {
  CLI::Option* node = option(sub, "--node", nodes.node, "Capacity of the nodes, of which there are as many as needed",
                             "cores=64,memory=128", "the node classes in FILE");
  option(sub, "--classes", nodes.classes, "Where FILE is a table of apps: the table of node classes", "CSV", "none")
      ->excludes(node);
  option(sub, "--running", nodes.running, "Where FILE is a table of apps: the table of what runs on which node", "CSV", "none")
      ->excludes(node);
  option(sub, "--price-list", nodes.prices, "Prices of the node classes: a table with the columns name and price", "CSV",
         "those in FILE")
      ->excludes(node);
}

void add_scale(CLI::App* sub, std::vector<std::string>& scales) {
  option(sub, "--scale", scales,
         "Multiply demand, replicas, capacity, load, price or limits of the instance, or those of a resource (demand.cpu) "
         "or an app (replicas.web); may be given several times",
         "WHAT=FACTOR", "none")
      ->allow_extra_args(false);
}

void add_file(CLI::App* sub, std::string& file) {
  option(sub, "FILE", file,
         "The instance: .stow, .json, .yaml, .tsv, a table of apps, or a folder of tables; - is standard input", " ")
      ->required();
}

CLI::Option* add_duration(CLI::App* sub, const char* name, std::string& text, const std::string& what) {
  return option(sub, name, text, what + "; a bare number is in seconds", "10s|500ms");
}

std::uint64_t parse_milliseconds(const std::string& option, const std::string& text) {
  const auto parsed = parse_duration(text);
  if (!parsed) throw Failure(option + ": \"" + text + "\" is not a duration (try \"10s\" or \"500ms\")");
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parsed->count()));
}

double parse_confidence(const std::string& option, const std::string& text) {
  const auto share = parse_share(text);
  if (!share || *share <= 0 || *share >= 1) {
    throw Failure(option + ": \"" + text + "\" is not a probability between 0 and 1 (try \"99.9%\" or \"0.999\")");
  }
  return *share;
}

}  // namespace stowage::cli
