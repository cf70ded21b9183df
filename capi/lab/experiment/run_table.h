// Tables of runs: CSV files with one line per run, including the machine and build that measured it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {

/// The figures that runs of all experiments have.
struct MeasuredRun {
  std::string label;              ///< of the contender
  std::uint64_t deadline_ms = 0;  ///< 0: none
  std::string status;             ///< of the plan; kRefused where the planner refuses the instance
  std::uint64_t nodes = 0;
  std::uint64_t unplaced = 0;
  std::uint64_t violations = 0;  ///< constraints that the plan breaks
  double seconds = 0;            ///< the planner alone, the best of `repeats`
  double call_seconds = 0;       ///< with bounds and the final check
  std::uint32_t repeats = 0;
  std::string machine;
  std::string build;

  /// A plan that the checker accepts.
  [[nodiscard]] bool accepted() const { return status != kRefused && violations == 0; }
  /// The same of everything.
  [[nodiscard]] bool counts() const { return accepted() && unplaced == 0; }
  [[nodiscard]] bool proven() const { return status == "optimal"; }

  static constexpr const char* kRefused = "refused";
  static constexpr const char* kFailed = "failed";  ///< by a defect; never written
};

/// Processor and cores of this machine; compiler and version of this program.
std::string this_machine();
std::string this_build();

/// Fails where `machine` or `build`, of a run in `path`, is not this one.
void check_origin(const std::string& path, const std::string& machine, const std::string& build);

/// Seconds in whole nanoseconds, or with all digits where a double is coarser.
std::string seconds_text(double seconds);

/// One line of a table, to be named, written or read field by field: a kind of lines says once, in fields(line), which ones it
/// has.
class RunLine {
 public:
  enum class Task { kName, kWrite, kRead };
  /// Names or writes fields.
  explicit RunLine(Task task) : task_(task) {}
  /// Reads these fields. Fails, naming file, line and column, where a field is not of its kind.
  RunLine(const std::vector<std::string>& columns, std::vector<std::string> fields, const std::string& path, std::size_t line)
      : task_(Task::kRead), columns_(columns), fields_(std::move(fields)), path_(path), line_(line) {}

  /// A field that is written as text(). take(text) reads it, and returns false for what is not possible.
  RunLine& field(const char* column, const std::function<std::string()>& text,
                 const std::function<bool(const std::string&)>& take);
  RunLine& field(const char* column, std::string& value);
  RunLine& field(const char* column, std::uint64_t& value) { return whole(column, value); }
  RunLine& field(const char* column, std::uint32_t& value) { return whole(column, value); }
  RunLine& field(const char* column, bool& value) { return whole(column, value); }
  /// A number that is not below 0; the tables have no others. An optional one is empty where there is none.
  RunLine& field(const char* column, double& value);
  RunLine& field(const char* column, std::optional<double>& value);
  /// A text that check(text) lets pass: it fails for others.
  RunLine& checked(const char* column, std::string& value, const std::function<void(const std::string&)>& check);
  /// A value that word_of(value) names, and that find(word) returns if there is one.
  template <class Value, class WordOf, class Find>
  RunLine& word(const char* column, Value& value, WordOf&& word_of, Find&& find) {
    return field(
        column, [&] { return std::string(word_of(value)); }, [&](const std::string& text) { return put(find(text), value); });
  }
  /// Refuses the field that was read last.
  RunLine& refuse_if(bool wrong) {
    if (task_ == Task::kRead && wrong) refuse();
    return *this;
  }

  /// Groups of fields: planner, deadline and status; unplaced and violations; seconds, call_seconds, repeats, machine and
  /// build, which end a line.
  RunLine& contender(MeasuredRun& run);
  RunLine& label(std::string& label);
  RunLine& defects(MeasuredRun& run);
  RunLine& origin(MeasuredRun& run);

  /// What was named, written or read.
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Fails; the message names the line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// Takes what was found, if it is anything.
  template <class Found, class Value>
  static bool put(const std::optional<Found>& found, Value& value) {
    if (found) value = static_cast<Value>(*found);
    return found.has_value();
  }
  template <class Whole>
  RunLine& whole(const char* column, Whole& value) {
    return field(
        column, [&] { return std::to_string(std::uint64_t{value}); },
        [&](const std::string& text) { return put(whole_in(text, std::numeric_limits<Whole>::max()), value); });
  }
  static std::optional<std::uint64_t> whole_in(const std::string& text, std::uint64_t most);
  static std::optional<double> number_in(const std::string& text);
  RunLine& seconds(const char* column, double& value);
  /// Fails; the message names the field that was read last.
  [[noreturn]] void refuse() const;

  Task task_;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
  std::string path_;
  std::size_t line_ = 0;
  std::size_t at_ = 0;
};

/// The names of the fields of a kind of lines.
template <class Row>
std::vector<std::string> columns_of() {
  RunLine line(RunLine::Task::kName);
  Row().fields(line);
  return line.fields();
}

/// Writes such lines as CSV.
template <class Row>
void write_runs(const std::vector<Row>& rows, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(columns_of<Row>()));
  for (Row row : rows) {
    RunLine line(RunLine::Task::kWrite);
    row.fields(line);
    out.write(csv_line(line.fields()));
  }
  out.commit();
}

/// Calls read(line) for each line of a CSV with this header. Fails where the file has another header or ends within a line.
void read_lines(const std::string& path, const std::vector<std::string>& columns,
                const std::function<void(RunLine& line)>& read);

/// The runs in such a file. Fails where two lines have the same key, the instance and the contender: both would count.
template <class Run>
std::vector<Run> read_runs(const std::string& path) {
  std::vector<Run> runs;
  std::map<decltype(Run().key()), std::size_t> lines;
  read_lines(path, columns_of<Run>(), [&](RunLine& line) {
    runs.emplace_back().fields(line);
    const auto [first, is_new] = lines.emplace(runs.back().key(), line.line());
    if (!is_new) line.fail("repeats the run of line " + std::to_string(first->second));
  });
  return runs;
}

}  // namespace stowage::cli::lab
