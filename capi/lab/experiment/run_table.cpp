#include "capi/lab/experiment/run_table.h"

#include <sys/utsname.h>
#include <stowage.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include "capi/cli/formats/plan_file.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::lab {
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

RunLine& RunLine::field(const char* column, const std::function<std::string()>& text,
                        const std::function<bool(const std::string&)>& take) {
  if (task_ == Task::kName) fields_.emplace_back(column);
  if (task_ == Task::kWrite) fields_.push_back(text());
  if (task_ == Task::kRead && !take(fields_[at_++])) refuse();
  return *this;
}

RunLine& RunLine::field(const char* column, std::string& value) {
  return checked(column, value, [](const std::string&) {});
}

RunLine& RunLine::checked(const char* column, std::string& value, const std::function<void(const std::string&)>& check) {
  const auto take = [&](const std::string& text) {
    value = text;
    try {
      check(value);
    } catch (const Failure&) {
      return false;
    }
    return true;
  };
  return field(
      column, [&] { return value; }, take);
}

std::optional<std::uint64_t> RunLine::whole_in(const std::string& text, std::uint64_t most) {
  const auto number = parse_whole(text);
  return number && *number <= most ? number : std::nullopt;
}

std::optional<double> RunLine::number_in(const std::string& text) {
  const auto number = parse_number(text);
  return number && *number >= 0 ? number : std::nullopt;
}

RunLine& RunLine::field(const char* column, double& value) {
  return field(
      column, [&] { return shortest(value); }, [&](const std::string& text) { return put(number_in(text), value); });
}

RunLine& RunLine::field(const char* column, std::optional<double>& value) {
  return field(
      column, [&] { return value ? shortest(*value) : std::string(); },
      [&](const std::string& text) {
        value = number_in(text);
        return value || text.empty();
      });
}

RunLine& RunLine::seconds(const char* column, double& value) {
  return field(
      column, [&] { return seconds_text(value); }, [&](const std::string& text) { return put(number_in(text), value); });
}

RunLine& RunLine::label(std::string& label) { return checked("planner", label, parse_contender); }
RunLine& RunLine::contender(MeasuredRun& run) {
  label(run.label).field("deadline_ms", run.deadline_ms).field("status", run.status);
  return refuse_if(!find_word<wire::PlanStatus>(run.status) && run.status != MeasuredRun::kRefused);
}
RunLine& RunLine::defects(MeasuredRun& run) { return field("unplaced", run.unplaced).field("violations", run.violations); }
RunLine& RunLine::origin(MeasuredRun& run) {
  seconds("seconds", run.seconds).seconds("call_seconds", run.call_seconds).field("repeats", run.repeats);
  return field("machine", run.machine).field("build", run.build);
}

void RunLine::refuse() const {
  constexpr std::size_t kShown = 40;  // of a long text
  const std::string& text = fields_[at_ - 1];
  fail(columns_[at_ - 1] + ": \"" + printable(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "") +
       "\" is not possible here");
}

void RunLine::fail(const std::string& what) const { throw Failure(path_ + ":" + std::to_string(line_) + ": " + what); }

void read_lines(const std::string& path, const std::vector<std::string>& columns,
                const std::function<void(RunLine& line)>& read) {
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
    read(one);
  }
}

}  // namespace stowage::cli::lab
