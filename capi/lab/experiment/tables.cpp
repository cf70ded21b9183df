#include "capi/lab/experiment/tables.h"

#include <filesystem>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

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

void check_between(const std::string& path, const std::string& word) { read_frame(path, word); }

void Page::head(const std::string& command, const std::set<std::string>& origins) {
  text_ = "```\n" + command + "\n```\n\n";
  for (const std::string& origin : origins) text_ += "On " + origin + ".\n";
}

Page& Page::terminal(const std::string& text) {
  if (!is_markdown()) console_->out << text;
  return *this;
}

Page& Page::markdown(const std::string& text) {
  if (is_markdown()) text_ += text;
  return *this;
}

Page& Page::title(const std::string& text) {
  if (!is_markdown()) console_->out << toned(*console_, Tone::kStrong, text) << '\n';
  return markdown("\n### " + text + "\n");
}

Page& Page::grid(const Grid& grid) {
  if (!is_markdown()) print_grid(grid, *console_);
  return markdown(markdown_grid(grid));
}

Page& Page::opening(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) markdown("\n" + note + ".\n");
  return *this;
}

Page& Page::closing(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (!is_markdown()) console_->out << toned(*console_, Tone::kFaint, note) << '\n';
  }
  return *this;
}

Page& Page::chart(const std::string& file, const std::string& title) {
  if (!charts_) return *this;
  const std::filesystem::path from = std::filesystem::absolute(path_).parent_path();
  const auto link = std::filesystem::absolute(std::filesystem::path(*charts_) / (file + ".svg")).lexically_relative(from);
  return markdown("\n![" + file + ": " + title + "](" + link.generic_string() + ")\n");
}

void Page::write() const {
  const Frame frame = read_frame(path_, word_);
  OutputFile out(path_);
  out.write(frame.before);
  out.write(text_);
  out.write(frame.after);
  out.commit();
}

std::string missing_text(const std::vector<std::string>& planners, const char* quote) {
  std::string text = "Not in this build:";
  for (const std::string& one : planners) text += " " + (quote + one) + quote;
  return text;
}

Figures::Figures(Form form) : is_json_(form == Form::kJson) {
  if (is_json_) json_.begin_array();
}

Figures& Figures::record() {
  end_record();
  in_record_ = true;
  if (is_json_) json_.line(2).begin_object();
  return *this;
}

void Figures::end_record() {
  if (!in_record_) return;
  in_record_ = false;
  if (is_json_) {
    json_.end_object();
    return;
  }
  if (text_.empty()) text_ = csv_line(names_);
  text_ += csv_line(fields_);
  fields_.clear();
}

JsonWriter* Figures::json_at(const char* name, bool known) {
  if (!is_json_) return nullptr;
  json_.key(name);
  if (!known) json_.null();
  return known ? &json_ : nullptr;
}

void Figures::field(const char* name, std::string value) {
  if (is_json_) return;
  if (text_.empty()) names_.push_back(prefix_ + name);
  fields_.push_back(blank_ ? std::string() : std::move(value));
}

Figures& Figures::text(const char* name, std::string_view value, bool known) {
  if (JsonWriter* json = json_at(name, known)) json->text(value);
  field(name, known ? std::string(value) : std::string());
  return *this;
}

Figures& Figures::whole(const char* name, std::uint64_t value) {
  if (JsonWriter* json = json_at(name, true)) json->whole(value);
  field(name, std::to_string(value));
  return *this;
}

Figures& Figures::flag(const char* name, bool value) {
  if (JsonWriter* json = json_at(name, true)) json->flag(value);
  field(name, value ? "1" : "0");
  return *this;
}

Figures& Figures::number(const char* name, double value, bool known) {
  if (JsonWriter* json = json_at(name, known)) json->number(value);
  field(name, known ? shortest(value) : std::string());
  return *this;
}

Figures& Figures::seconds(const char* name, double value, bool known) {
  if (JsonWriter* json = json_at(name, known)) json->number(value);
  field(name, known ? seconds_text(value) : std::string());
  return *this;
}

bool Figures::begin_part(const char* name, bool known) {
  if (is_json_) {
    json_.key(name);
    known ? json_.begin_object() : json_.null();
    return known;
  }
  prefix_ = std::string(name) + "_";
  blank_ = !known;
  return true;
}

void Figures::end_part(bool known) {
  if (is_json_ && known) json_.end_object();
  prefix_.clear();
  blank_ = false;
}

std::string Figures::finish() {
  end_record();
  if (!is_json_) return std::move(text_);
  json_.line(0).end_array();
  return text_ + "\n";
}

}  // namespace stowage::cli::lab
