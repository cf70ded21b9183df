#include "capi/cli/paper/run_table.h"

#include <sys/utsname.h>
#include <stowage.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include "capi/cli/csv.h"
#include "capi/cli/failure.h"
#include "capi/cli/files.h"
#include "capi/cli/quantities.h"

namespace stowage::cli::paper {

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
    throw Failure("--output: " + path + " is there already; go on with --resume, or name another folder");
  }
  return path;
}

void check_origin(const std::string& path, const std::string& machine, const std::string& build) {
  if (machine == this_machine() && build == this_build()) return;
  throw Failure("--resume: " + path + " holds runs of another machine or build (" + machine + "; " + build +
                "), whose times do not compare");
}

std::string seconds_text(double seconds) { return shortest(std::round(seconds * 1e9) / 1e9); }

std::uint64_t RunReader::whole() {
  const auto value = parse_whole(text());
  if (!value) refuse();
  return *value;
}

double RunReader::number() {
  const auto value = parse_number(text());
  if (!value) refuse();
  return *value;
}

std::optional<double> RunReader::optional_number() {
  if (!fields_[at_].empty()) return number();
  ++at_;
  return std::nullopt;
}

void RunReader::refuse() const {
  throw Failure(where_ + ": " + columns_[at_ - 1] + ": \"" + fields_[at_ - 1] + "\" is not possible here");
}

void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunReader reader)>& line) {
  const InputFile file(path);
  const std::vector<std::string_view> lines = split_lines(file.text());
  if (lines.empty() || split_fields(lines[0], ',') != columns) {
    throw Failure(path + ": is not a table of runs that this version wrote");
  }
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const std::vector<std::string> fields = split_fields(lines[l], ',');
    const std::string where = path + ":" + std::to_string(l + 1);
    if (fields.size() != columns.size()) throw Failure(where + ": does not have as many fields as the header");
    line(RunReader(columns, fields, where));
  }
}

void read_contender(RunReader& reader, MeasuredRun& run) {
  run.label = reader.text();
  run.deadline_ms = reader.whole();
  run.status = reader.text();
}
void read_defects(RunReader& reader, MeasuredRun& run) {
  run.unplaced = reader.whole();
  run.violations = reader.whole();
}
void read_origin(RunReader& reader, MeasuredRun& run) {
  run.seconds = reader.number();
  run.call_seconds = reader.number();
  run.repeats = static_cast<std::uint32_t>(reader.whole());
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

}  // namespace stowage::cli::paper
