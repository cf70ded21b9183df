// Tables of runs: CSV files with one line per run, including the machine and build that measured it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Reads the fields of one line in turn. Fails, naming file, line and column, where a field is not of the kind asked for.
class RunReader {
 public:
  RunReader(const std::vector<std::string>& columns, const std::vector<std::string>& fields, const std::string& path,
            std::size_t line)
      : columns_(columns), fields_(fields), path_(path), line_(line) {}

  const std::string& text() { return fields_[at_++]; }
  /// A label that parse_contender() accepts.
  const std::string& label();
  std::uint64_t whole();
  /// A whole number that 32 bits hold.
  std::uint32_t count();
  /// A number that is not below 0; the tables have no others.
  double number();
  /// A number, or nothing where the field is empty.
  std::optional<double> optional_number();
  /// Fails; the message names the field that was read last.
  [[noreturn]] void refuse() const;
  /// Fails; the message names the line.
  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  const std::vector<std::string>& columns_;
  const std::vector<std::string>& fields_;
  const std::string& path_;
  std::size_t line_;
  std::size_t at_ = 0;
};

/// Groups of fields: planner, deadline and status; unplaced and violations; seconds, call_seconds, repeats, machine and build,
/// which end a line.
void read_contender(RunReader& reader, MeasuredRun& run);
void read_defects(RunReader& reader, MeasuredRun& run);
void read_origin(RunReader& reader, MeasuredRun& run);
std::vector<std::string> contender_fields(const MeasuredRun& run);
std::vector<std::string> defect_fields(const MeasuredRun& run);
std::vector<std::string> origin_fields(const MeasuredRun& run);
/// The concatenation of the lists.
std::vector<std::string> joined(const std::vector<std::vector<std::string>>& lists);
/// The number's shortest text, or "".
std::string optional_text(const std::optional<double>& value);

/// Calls `line` for each line of a CSV with this header. Fails where the file has another header or ends within a line.
void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunReader& reader)>& line);

/// The runs of such a file. Fails where two lines have the same key, the instance and the contender: both would count.
template <class Read, class Key>
auto read_distinct_runs(const std::string& path, const std::vector<std::string>& columns, Read&& read, Key&& key) {
  std::vector<std::invoke_result_t<Read, RunReader&>> runs;
  std::map<std::invoke_result_t<Key, decltype(runs.front())>, std::size_t> lines;
  read_run_table(path, columns, [&](RunReader& reader) {
    runs.push_back(read(reader));
    const auto [first, is_new] = lines.emplace(key(runs.back()), reader.line());
    if (!is_new) reader.fail("repeats the run of line " + std::to_string(first->second));
  });
  return runs;
}

/// The first lines of tables in Markdown: the command, and the machines and builds on which the runs were measured.
/// @param detail stands behind each machine and build
template <class Run>
std::string markdown_head(const std::string& command, const std::vector<Run>& runs, const std::string& detail = "") {
  std::set<std::string> origins;
  for (const Run& run : runs) origins.insert(run.machine + "; " + run.build);
  std::string text = "```\n" + command + "\n```\n\n";
  for (const std::string& origin : origins) text.append("On ").append(origin).append(detail).append(".\n");
  return text;
}

}  // namespace stowage::cli::lab
