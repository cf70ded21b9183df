#include "capi/lab/experiment/run_table.h"

#include <sys/utsname.h>
#include <stowage.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"

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

template <class TextOf>
const std::string* RunLine::next(const char* column, TextOf&& text_of) {
  if (task_ == Task::kRead) return &fields_[at_++];
  if (task_ == Task::kName) {
    columns_.emplace_back(column);
  } else {
    fields_.push_back(text_of());
  }
  return nullptr;
}

RunLine& RunLine::field(const char* column, std::string& value) {
  if (const std::string* text = next(column, [&] { return value; })) value = *text;
  return *this;
}

RunLine& RunLine::field(const char* column, std::uint64_t& value) {
  const std::string* text = next(column, [&] { return std::to_string(value); });
  if (text == nullptr) return *this;
  const auto number = parse_whole(*text);
  if (!number) refuse();
  value = *number;
  return *this;
}

RunLine& RunLine::field(const char* column, std::uint32_t& value) {
  std::uint64_t wide = value;
  field(column, wide);
  refuse_if(wide > UINT32_MAX);
  value = static_cast<std::uint32_t>(wide);
  return *this;
}

RunLine& RunLine::field(const char* column, bool& value) {
  std::uint32_t number = value ? 1 : 0;
  field(column, number);
  refuse_if(number > 1);
  value = number == 1;
  return *this;
}

RunLine& RunLine::field(const char* column, double& value) {
  std::optional<double> given = value;
  field(column, given);
  refuse_if(!given);
  value = given.value_or(0);
  return *this;
}

RunLine& RunLine::field(const char* column, std::optional<double>& value) {
  const std::string* text = next(column, [&] { return value ? shortest(*value) : std::string(); });
  if (text == nullptr) return *this;
  value.reset();
  if (text->empty()) return *this;
  value = parse_number(*text);
  if (!value || *value < 0) refuse();
  return *this;
}

void RunLine::seconds(const char* column, double& value) {
  std::string text = task_ == Task::kWrite ? seconds_text(value) : std::string();
  if (task_ == Task::kRead) {
    field(column, value);
  } else {
    field(column, text);
  }
}

RunLine& RunLine::label(std::string& label) {
  return checked("planner", label, [](const std::string& text) { parse_contender(text); });
}
RunLine& RunLine::contender(MeasuredRun& run) {
  label(run.label).field("deadline_ms", run.deadline_ms).field("status", run.status);
  return refuse_if(!find_word<wire::PlanStatus>(run.status) && run.status != MeasuredRun::kRefused);
}
RunLine& RunLine::defects(MeasuredRun& run) { return field("unplaced", run.unplaced).field("violations", run.violations); }
RunLine& RunLine::origin(MeasuredRun& run) {
  seconds("seconds", run.seconds);
  seconds("call_seconds", run.call_seconds);
  return field("repeats", run.repeats).field("machine", run.machine).field("build", run.build);
}

void RunLine::refuse() const { fail(columns_[at_ - 1] + ": \"" + excerpt(fields_[at_ - 1]) + "\" is not possible here"); }

void RunLine::fail(const std::string& what) const { throw Failure(path_ + ":" + std::to_string(line_) + ": " + what); }

void write_lines(const std::string& path, const std::vector<std::string>& columns, const std::vector<RunLine>& lines) {
  OutputFile out(path);
  out.write(csv_line(columns));
  for (const RunLine& line : lines) out.write(csv_line(line.fields()));
  out.commit();
}

void read_run_table(const std::string& path, const std::vector<std::string>& columns,
                    const std::function<void(RunLine& line)>& line) {
  const InputFile file(path);
  CsvReader records(file.text(), path);
  std::vector<std::string> fields;
  if (!records.next(fields) || fields != columns) {
    throw Failure(path + ": is not a table of runs that this version wrote");
  }
  // A number that was cut off would read as another number.
  if (!file.text().ends_with('\n')) throw Failure(path + ": ends within a line");
  while (records.next(fields)) {
    RunLine one(columns, fields, path, records.line());
    if (fields.size() != columns.size()) one.fail("has a different number of fields than the header");
    line(one);
  }
}

}  // namespace stowage::cli::lab
