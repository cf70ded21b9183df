#include "capi/lab/experiment/tables.h"

#include <array>
#include <cstdio>
#include <filesystem>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
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

std::string fixed_percent(double share, int digits) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*f %%", digits, share * 100);
  return text.data();
}

void check_between(const std::string& path, const std::string& word) { read_frame(path, word); }

void Page::head(const std::string& command, const std::set<std::string>& origins) {
  text_ = "```\n" + command + "\n```\n\n";
  for (const std::string& origin : origins) text_ += "On " + origin + ".\n";
}

Page& Page::grid(const Grid& grid) {
  if (is_markdown()) return markdown(markdown_grid(grid));
  TextTable table(grid[0]);
  for (std::size_t r = 1; r < grid.size(); ++r) table.add(grid[r]);
  table.print(*console_);
  return *this;
}

Page& Page::link(const std::vector<Chart>& charts) {
  if (!charts_) return *this;
  const std::filesystem::path from = std::filesystem::absolute(path_).parent_path();
  for (const Chart& chart : charts) {
    const auto to = std::filesystem::absolute(std::filesystem::path(*charts_) / (chart.file + ".svg")).lexically_relative(from);
    markdown("\n![" + chart.file + ": " + chart.title + "](" + to.generic_string() + ")\n");
    linked_.push_back(chart);
  }
  return *this;
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

Figures& Figures::add(const char* name, bool known, std::string csv, std::function<void(JsonWriter& json)> write) {
  if (!known) write = [](JsonWriter& json) { json.null(); };
  records_.back().push_back({name, known ? std::move(csv) : std::string(), std::move(write)});
  return *this;
}

Figures& Figures::counts(const Tally& tally, std::initializer_list<const char*> names) {
  for (const char* name : names) whole(name, tally.count(name));
  return *this;
}

Figures& Figures::means(const Tally& tally, std::initializer_list<const char*> names) {
  for (const char* name : names) number(name, tally.mean(name), tally.has(name));
  return *this;
}

Figures& Figures::part(const char* name, bool known, const std::function<void(Figures& part)>& add_all) {
  Figures inner(form_);
  add_all(inner.record());
  const Record& figures = inner.records_.front();
  if (is_json()) return add(name, known, {}, [figures](JsonWriter& json) { write_object(figures, json); });
  for (const Figure& one : figures) add((std::string(name) + "_" + one.name).c_str(), known, one.csv, one.write);
  return *this;
}

void Figures::write_object(const Record& record, JsonWriter& json) {
  json.begin_object();
  for (const Figure& one : record) one.write(json.key(one.name));
  json.end_object();
}

std::string Figures::finish() const {
  std::string text;
  if (is_json()) {
    JsonWriter json(text);
    json.begin_array();
    for (const Record& record : records_) write_object(record, json.line(2));
    json.line(0).end_array();
    return text + "\n";
  }
  const auto line = [](const Record& record, std::string Figure::*part) {
    std::vector<std::string> cells;
    for (const Figure& one : record) cells.push_back(one.*part);
    return csv_line(cells);
  };
  if (!records_.empty()) text = line(records_.front(), &Figure::name);
  for (const Record& record : records_) text += line(record, &Figure::csv);
  return text;
}

}  // namespace stowage::cli::lab
