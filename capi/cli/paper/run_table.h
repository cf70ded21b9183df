// Files that keep what was measured, a line per run, and where it was measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stowage::cli::paper {

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

/// Calls `line` for each line of a CSV with this header. Fails where the file has another one.
void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunReader reader)>& line);

}  // namespace stowage::cli::paper
