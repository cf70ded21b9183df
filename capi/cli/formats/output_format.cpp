#include "capi/cli/formats/output_format.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "capi/cli/base/files.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/table.h"

namespace stowage::cli {
namespace {

/// The word that the extension of a path is or means; empty where it is none.
std::string word_of_extension(const std::string& path, const Formats& formats) {
  const std::string end = extension(path);
  for (const auto& [other, word] : formats.also) {
    if (end == other) return word;
  }
  return std::find(formats.words.begin(), formats.words.end(), end) == formats.words.end() ? std::string() : end;
}

/// "json, csv or html", each after `before`.
std::string one_of_formats(const Formats& formats, const char* before) {
  std::vector<std::string> words;
  words.reserve(formats.words.size());
  for (const std::string& word : formats.words) words.push_back(before + word);
  return enumerated(words, " or ");
}

}  // namespace

const Formats& table_formats() {
  static const Formats kFormats = {"tables", {"json", "csv"}, "json"};
  return kFormats;
}

bool names_folder(const std::string& path) {
  std::error_code unknown;
  return path.ends_with('/') || std::filesystem::is_directory(path, unknown);
}

std::string file_in(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

std::string format_of(const std::string& path, const std::string& asked, const Formats& formats) {
  if (formats.folders && names_folder(path)) return kAsTables;
  if (std::string word = word_of_extension(path, formats); !word.empty()) return word;
  const char* const folder = formats.folders ? "; tables go into a folder, such as tables/" : "";
  if (!asked.empty()) {
    if (std::find(formats.words.begin(), formats.words.end(), asked) != formats.words.end()) return asked;
    throw Failure("--format: " + formats.what + " are not written as " + asked + "; use " + one_of_formats(formats, "") +
                  folder);
  }
  if (path == "-") return formats.standard;
  throw Failure(path + ": the extension does not name a format for " + formats.what + "; use " + one_of_formats(formats, ".") +
                folder);
}

void refuse_bytes_on_terminal(const std::string& path) {
  if (path != "-" || ::isatty(STDOUT_FILENO) != 1) return;
  throw Failure("standard output: is a terminal, and this is not text; name a file");
}

void check_outputs(const std::vector<std::string>& outputs, const std::string& asked, const Formats& formats) {
  bool is_used = asked.empty();
  for (const std::string& path : outputs) {
    const std::string format = format_of(path, asked, formats);
    is_used = is_used || (format != kAsTables && word_of_extension(path, formats).empty());
    if (format == "stow") refuse_bytes_on_terminal(path);
  }
  if (std::count(outputs.begin(), outputs.end(), "-") > 1) {
    throw Failure("standard output (-) takes one output; it is named twice");
  }
  if (!is_used) {
    throw Failure("--format: is for standard output (-) and for names without an extension; there is no such output here");
  }
}

}  // namespace stowage::cli
