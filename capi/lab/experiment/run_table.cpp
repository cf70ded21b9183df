#include "capi/lab/experiment/run_table.h"

#include <sys/utsname.h>
#include <stowage.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

/// A text for a message: cut to a moderate length, without control characters.
std::string excerpt(const std::string& text) {
  constexpr std::size_t kShown = 40;
  std::string shown = text.substr(0, kShown);
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }, '?');
  return text.size() > kShown ? shown + "..." : shown;
}

}  // namespace

std::string this_machine() {
  std::string model;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; model.empty() && std::getline(info, line);) {
    if (line.starts_with("model name")) model = line.substr(std::min(line.find(':') + 2, line.size()));
  }
  struct utsname system {};
  if (model.empty() && ::uname(&system) == 0) model = system.machine;
  const unsigned cores = std::thread::hardware_concurrency();
  return model + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

std::string this_build() {
#if defined(__clang__)
  const std::string compiler = "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
                               std::to_string(__clang_patchlevel__);
#else
  const std::string compiler = std::string("g++ ") + __VERSION__;
#endif
#if defined(NDEBUG)
  const char* const checks = "";
#else
  const char* const checks = ", with assertions";
#endif
  return "stowage " + std::string(stowage::version()) + ", " + compiler + checks;
}

std::string prepare_folder(const std::string& folder, bool resume) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Failure("--output: " + folder + ": cannot be made: " + error.message());
  std::string path = (std::filesystem::path(folder) / "runs.csv").string();
  if (std::filesystem::exists(path) && !resume) {
    throw Failure("--output: " + path + " exists; continue with --resume, or name another folder");
  }
  return path;
}

void check_origin(const std::string& path, const std::string& machine, const std::string& build) {
  if (machine == this_machine() && build == this_build()) return;
  throw Failure("--resume: " + path + " holds runs of another machine or build (" + machine + "; " + build +
                "), whose times do not compare");
}

std::string seconds_text(double seconds) {
  // From here on, doubles are about as coarse as nanoseconds: rounding would change the number or make it infinite.
  constexpr double kCoarse = 1 << 22;
  return shortest(seconds < kCoarse ? std::round(seconds * 1e9) / 1e9 : seconds);
}

const std::string& RunReader::label() {
  const std::string& label = text();
  try {
    parse_contender(label);
  } catch (const Failure&) {
    refuse();
  }
  return label;
}

std::uint64_t RunReader::whole() {
  const auto value = parse_whole(text());
  if (!value) refuse();
  return *value;
}

std::uint32_t RunReader::count() {
  const std::uint64_t value = whole();
  if (value > UINT32_MAX) refuse();
  return static_cast<std::uint32_t>(value);
}

double RunReader::number() {
  const auto value = parse_number(text());
  if (!value || *value < 0) refuse();
  return *value;
}

std::optional<double> RunReader::optional_number() {
  if (!fields_[at_].empty()) return number();
  ++at_;
  return std::nullopt;
}

void RunReader::refuse() const { fail(columns_[at_ - 1] + ": \"" + excerpt(fields_[at_ - 1]) + "\" is not possible here"); }

void RunReader::fail(const std::string& what) const { throw Failure(path_ + ":" + std::to_string(line_) + ": " + what); }

void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunReader& reader)>& line) {
  const InputFile file(path);
  CsvReader records(file.text(), path);
  std::vector<std::string> fields;
  if (!records.next(fields) || fields != columns) {
    throw Failure(path + ": is not a table of runs that this version wrote");
  }
  // A number that was cut off would read as another number.
  if (!file.text().ends_with('\n')) throw Failure(path + ": ends within a line");
  while (records.next(fields)) {
    RunReader reader(columns, fields, path, records.line());
    if (fields.size() != columns.size()) reader.fail("has a different number of fields than the header");
    line(reader);
  }
}

void read_contender(RunReader& reader, MeasuredRun& run) {
  run.label = reader.label();
  run.deadline_ms = reader.whole();
  run.status = reader.text();
  if (!find_status(run.status) && run.status != MeasuredRun::kRefused) reader.refuse();
}
void read_defects(RunReader& reader, MeasuredRun& run) {
  run.unplaced = reader.whole();
  run.violations = reader.whole();
}
void read_origin(RunReader& reader, MeasuredRun& run) {
  run.seconds = reader.number();
  run.call_seconds = reader.number();
  run.repeats = reader.count();
  run.machine = reader.text();
  run.build = reader.text();
}
std::vector<std::string> contender_fields(const MeasuredRun& run) {
  return {run.label, std::to_string(run.deadline_ms), run.status};
}
std::vector<std::string> defect_fields(const MeasuredRun& run) {
  return {std::to_string(run.unplaced), std::to_string(run.violations)};
}
std::vector<std::string> origin_fields(const MeasuredRun& run) {
  return {seconds_text(run.seconds), seconds_text(run.call_seconds), std::to_string(run.repeats), run.machine, run.build};
}
std::vector<std::string> joined(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}
std::string optional_text(const std::optional<double>& value) { return value ? shortest(*value) : std::string(); }

}  // namespace stowage::cli::lab
