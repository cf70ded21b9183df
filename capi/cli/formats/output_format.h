// In which format a command writes a file: the one that its name says or, of standard output and the like, the one that
// --format asks for.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stowage::cli {

/// What things of one kind are written as.
struct Formats {
  std::string what;                                         ///< the things, such as "plans"
  std::vector<std::string> words;                           ///< extensions without their dot
  std::string standard;                                     ///< of standard output, where none is asked for
  std::vector<std::pair<std::string, std::string>> also{};  ///< other extensions, each with the word that it means
  bool folders = false;                                     ///< whether a folder takes them, as tables
};

/// What tables of answers are written as.
const Formats& table_formats();

/// The format of a folder.
inline constexpr const char* kAsTables = "tables";
/// Whether an output is a folder: one that exists, or a path that ends with a slash.
bool names_folder(const std::string& path);
/// The path of a file in a folder; without "./" before it.
std::string file_in(const std::string& folder, const std::string& name);

/// The format of an output: the one that the path's extension names; else `asked`, the value of --format; else, on standard
/// output ("-"), the standard one. Fails, naming the path or the option and what is possible, where that is none of these.
std::string format_of(const std::string& path, const std::string& asked, const Formats& formats);

/// Fails where the output is standard output, and that is a terminal, which bytes would confuse.
void refuse_bytes_on_terminal(const std::string& path);

/// Checks the outputs of a command before it works. Fails as format_of() does, where standard output is to take two of them or
/// is a terminal and would take bytes, and where `asked` is of no use, because the name of every output says its format.
void check_outputs(const std::vector<std::string>& outputs, const std::string& asked, const Formats& formats);

}  // namespace stowage::cli
