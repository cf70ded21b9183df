// Files that keep what was measured, a line per run, and where it was measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stowage::cli::paper {

/// What every run has, whatever was planned.
struct MeasuredRun {
  std::string label;              ///< of the contender
  std::uint64_t deadline_ms = 0;  ///< 0: none
  std::string status;             ///< kRefused where the planner does not take the instance
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

/// Makes `folder` where it is not there, and returns the path of the table of runs in it. Fails where that is there already and
/// is not to be gone on with.
std::string prepare_folder(const std::string& folder, bool resume);

/// Fails where a run in `path` is of another machine or build than this.
void check_origin(const std::string& path, const std::string& machine, const std::string& build);

/// Seconds to the nanosecond.
std::string seconds_text(double seconds);

/// The fields of one line, one after the other. Fails, naming file, line and column, where one is not what is asked for.
class RunReader {
 public:
  RunReader(const std::vector<std::string>& columns, const std::vector<std::string>& fields, std::string where)
      : columns_(columns), fields_(fields), where_(std::move(where)) {}

  const std::string& text() { return fields_[at_++]; }
  std::uint64_t whole();
  double number();
  /// Nothing where the field is empty.
  std::optional<double> optional_number();
  /// Fails about the field that was read last.
  [[noreturn]] void refuse() const;

 private:
  const std::vector<std::string>& columns_;
  const std::vector<std::string>& fields_;
  std::string where_;
  std::size_t at_ = 0;
};

/// Planner, deadline and status; `unplaced` and `violations`; and how a line ends: seconds, call_seconds, repeats, machine,
/// build.
void read_contender(RunReader& reader, MeasuredRun& run);
void read_defects(RunReader& reader, MeasuredRun& run);
void read_origin(RunReader& reader, MeasuredRun& run);
std::vector<std::string> contender_fields(const MeasuredRun& run);
std::vector<std::string> defect_fields(const MeasuredRun& run);
std::vector<std::string> origin_fields(const MeasuredRun& run);
/// One list after the other.
std::vector<std::string> joined(const std::vector<std::vector<std::string>>& lists);
/// Nothing for nothing.
std::string optional_text(const std::optional<double>& value);

/// Calls `line` for each line of a CSV with this header. Fails where the file has another one.
void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunReader reader)>& line);

}  // namespace stowage::cli::paper
