// Tables of runs: CSV files with one line per run, including the machine and build that measured it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

  /// A complete plan that the checker accepts.
  [[nodiscard]] bool counts() const { return status != kRefused && unplaced == 0 && violations == 0; }
  [[nodiscard]] bool proven() const { return status == "optimal"; }

  static constexpr const char* kRefused = "refused";
  static constexpr const char* kFailed = "failed";  ///< by a defect; never written
};

/// Processor and cores of this machine; compiler and version of this program.
std::string this_machine();
std::string this_build();

/// Makes `folder` if needed, and returns the path of the table of runs in it. Fails if the table exists and `resume` is false.
std::string prepare_folder(const std::string& folder, bool resume);

/// Fails where `machine` or `build`, of a run in `path`, is not this one.
void check_origin(const std::string& path, const std::string& machine, const std::string& build);

/// Seconds in whole nanoseconds, or with all digits where a double is coarser.
std::string seconds_text(double seconds);

/// One line of a table of runs, to be named, written or read field by field: an experiment says once which fields a run has.
class RunLine {
 public:
  /// Names the fields.
  RunLine() = default;
  /// Reads these fields. Fails, naming file, line and column, where a field is not of its kind.
  RunLine(const std::vector<std::string>& columns, std::vector<std::string> fields, const std::string& path, std::size_t line)
      : task_(Task::kRead), columns_(columns), fields_(std::move(fields)), path_(path), line_(line) {}
  static RunLine to_write() {
    RunLine line;
    line.task_ = Task::kWrite;
    return line;
  }

  RunLine& field(const char* column, std::string& value);
  RunLine& field(const char* column, std::uint64_t& value);
  RunLine& field(const char* column, std::uint32_t& value);
  RunLine& field(const char* column, bool& value);
  /// A number that is not below 0; the tables have no others. An optional one is empty where there is none.
  RunLine& field(const char* column, double& value);
  RunLine& field(const char* column, std::optional<double>& value);
  /// A text that check(text) lets pass: it fails for others.
  template <class Check>
  RunLine& checked(const char* column, std::string& value, Check&& check) {
    field(column, value);
    if (task_ != Task::kRead) return *this;
    try {
      check(value);
    } catch (const Failure&) {
      refuse();
    }
    return *this;
  }
  /// A value that word_of(value) names, and that find(word) returns if there is one.
  template <class Value, class WordOf, class Find>
  RunLine& word(const char* column, Value& value, WordOf&& word_of, Find&& find) {
    std::string text;
    if (task_ == Task::kWrite) text = word_of(value);
    field(column, text);
    if (task_ != Task::kRead) return *this;
    const auto found = find(text);
    if (!found) refuse();
    value = *found;
    return *this;
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

  /// The names, or what was written.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Fails; the message names the field that was read last.
  [[noreturn]] void refuse() const;
  /// Fails; the message names the line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  enum class Task { kName, kWrite, kRead };
  /// Names or writes a field, or returns the text of the next one to read.
  template <class TextOf>
  const std::string* next(const char* column, TextOf&& text_of);
  void seconds(const char* column, double& value);

  Task task_ = Task::kName;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
  std::string path_;
  std::size_t line_ = 0;
  std::size_t at_ = 0;
};

/// The names of the fields that fields(run, line) visits.
template <class Run>
std::vector<std::string> columns_of(void (*fields)(Run&, RunLine&)) {
  RunLine line;
  Run run;
  fields(run, line);
  return line.columns();
}

/// Writes a CSV of these columns with the lines.
void write_lines(const std::string& path, const std::vector<std::string>& columns, const std::vector<RunLine>& lines);

/// Calls `line` for each line of a CSV with this header. Fails where the file has another header or ends within a line.
void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunLine& line)>& line);

/// Writes the runs, whose fields are those that fields(run, line) visits.
template <class Run>
void write_run_table(std::vector<Run> runs, const std::string& path, void (*fields)(Run&, RunLine&)) {
  std::vector<RunLine> lines(runs.size(), RunLine::to_write());
  for (std::size_t k = 0; k < runs.size(); ++k) fields(runs[k], lines[k]);
  write_lines(path, columns_of(fields), lines);
}

/// The runs of such a file. Fails where two lines have the same key, the instance and the contender: both would count.
template <class Run, class Key>
std::vector<Run> read_distinct_runs(const std::string& path, void (*fields)(Run&, RunLine&), Key&& key) {
  std::vector<Run> runs;
  std::map<std::invoke_result_t<Key, Run&>, std::size_t> lines;
  read_run_table(path, columns_of(fields), [&](RunLine& line) {
    fields(runs.emplace_back(), line);
    const auto [first, is_new] = lines.emplace(key(runs.back()), line.line());
    if (!is_new) line.fail("repeats the run of line " + std::to_string(first->second));
  });
  return runs;
}

/// The same for runs that say themselves which fields they have, and what their key is.
template <class Run>
void write_runs(const std::vector<Run>& runs, const std::string& path) {
  write_run_table(runs, path, Run::fields);
}
template <class Run>
std::vector<Run> read_runs(const std::string& path) {
  return read_distinct_runs(path, Run::fields, [](const Run& run) { return run.key(); });
}

}  // namespace stowage::cli::lab
