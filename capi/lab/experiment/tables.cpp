#include "capi/lab/experiment/tables.h"

#include <filesystem>

#include "capi/cli/base/files.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

struct Frame {
  std::string before;
  std::string after;
};

/// The text of `path` before and after the generated part.
Frame read_frame(const std::string& path, const std::string& word) {
  const std::string opening = "<!-- " + word + ": begin -->";
  const std::string closing = "<!-- " + word + ": end -->";
  if (!std::filesystem::exists(path)) return {opening + "\n", closing + "\n"};
  const InputFile file(path);
  const std::string text(file.text());
  const std::size_t begin = text.find(opening);
  const std::size_t end = begin == std::string::npos ? begin : text.find(closing, begin);
  if (end == std::string::npos) {
    throw Failure("--markdown: " + path + ": exists, and has no lines \"" + opening + "\" and \"" + closing +
                  "\" to write between");
  }
  return {text.substr(0, begin) + opening + "\n", text.substr(end)};
}

}  // namespace

void print_grid(const Grid& grid, const Console& console) {
  TextTable table(grid[0]);
  for (std::size_t r = 1; r < grid.size(); ++r) table.add(grid[r]);
  table.print(console);
}

std::string markdown_grid(const Grid& grid) {
  std::string text;
  for (std::size_t r = 0; r < grid.size(); ++r) {
    text += "|";
    for (const std::string& field : grid[r]) text += " " + field + " |";
    text += '\n';
    if (r > 0) continue;
    text += "|---|";
    for (std::size_t c = 1; c < grid[0].size(); ++c) text += "--:|";
    text += '\n';
  }
  return text;
}

std::string markdown_chart(const std::string& folder, const std::string& name, const std::string& title,
                           const std::string& path) {
  const std::filesystem::path from = std::filesystem::absolute(path).parent_path();
  const auto link = std::filesystem::absolute(std::filesystem::path(folder) / name).lexically_relative(from);
  return "\n![" + std::filesystem::path(name).stem().string() + ": " + title + "](" + link.generic_string() + ")\n";
}

void check_between(const std::string& path, const std::string& word) { read_frame(path, word); }

void write_between(const std::string& path, const std::string& word, const std::string& text) {
  const Frame frame = read_frame(path, word);
  OutputFile out(path);
  out.write(frame.before);
  out.write(text);
  out.write(frame.after);
  out.commit();
}

}  // namespace stowage::cli::lab
