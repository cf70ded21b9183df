#include "capi/cli/paper/runs.h"

#include <sys/utsname.h>
#include <stowage.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include "capi/cli/csv.h"
#include "capi/cli/failure.h"
#include "capi/cli/files.h"
#include "capi/cli/quantities.h"

namespace stowage::cli::paper {
namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> kColumns = {"demand",       "apps",        "density",     "graph",      "sizes",
                                                    "seed",         "planner",     "deadline_ms", "status",     "nodes",
                                                    "bound_eq4",    "lower_bound", "unplaced",    "violations", "seconds",
                                                    "call_seconds", "repeats",     "machine",     "build"};
  return kColumns;
}

/// To the nanosecond.
std::string seconds_text(double seconds) { return shortest(std::round(seconds * 1e9) / 1e9); }

/// The fields of one line, by position in columns().
class Reader {
 public:
  Reader(const std::vector<std::string>& fields, std::string where) : fields_(fields), where_(std::move(where)) {}

  const std::string& text() { return fields_[at_++]; }
  std::uint64_t whole() { return converted(parse_whole(text())); }
  double number() { return converted(parse_number(text())); }
  std::optional<double> optional_number() {
    if (!fields_[at_].empty()) return number();
    ++at_;
    return std::nullopt;
  }
  [[noreturn]] void refuse() const {
    throw Failure(where_ + ": " + columns()[at_ - 1] + ": \"" + fields_[at_ - 1] + "\" is not possible here");
  }

 private:
  template <class Value>
  Value converted(const std::optional<Value>& value) const {
    if (!value) refuse();
    return *value;
  }

  const std::vector<std::string>& fields_;
  std::string where_;
  std::size_t at_ = 0;
};

Run read_run(Reader reader) {
  Run run;
  const std::string& demand = reader.text();
  run.of.profile = demand == demand_word(true);
  if (demand != demand_word(run.of.profile)) reader.refuse();
  run.of.apps = static_cast<std::uint32_t>(reader.whole());
  run.of.density = reader.number();
  run.of.graph = parse_graph(reader.text());
  run.sizes = reader.text();
  run.seed = reader.whole();
  run.label = reader.text();
  run.deadline_ms = reader.whole();
  run.status = reader.text();
  run.nodes = reader.whole();
  run.bound = reader.whole();
  if (run.bound == 0) reader.refuse();
  run.lower_bound = reader.optional_number();
  run.unplaced = reader.whole();
  run.violations = reader.whole();
  run.seconds = reader.number();
  run.call_seconds = reader.number();
  run.repeats = static_cast<std::uint32_t>(reader.whole());
  run.machine = reader.text();
  run.build = reader.text();
  return run;
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

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(columns()));
  for (const Run& run : runs) {
    out.write(
        csv_line({demand_word(run.of.profile), std::to_string(run.of.apps), shortest(run.of.density), graph_word(run.of.graph),
                  run.sizes, std::to_string(run.seed), run.label, std::to_string(run.deadline_ms), run.status,
                  std::to_string(run.nodes), std::to_string(run.bound), run.lower_bound ? shortest(*run.lower_bound) : "",
                  std::to_string(run.unplaced), std::to_string(run.violations), seconds_text(run.seconds),
                  seconds_text(run.call_seconds), std::to_string(run.repeats), run.machine, run.build}));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  const InputFile file(path);
  const std::vector<std::string_view> lines = split_lines(file.text());
  if (lines.empty() || split_fields(lines[0], ',') != columns()) {
    throw Failure(path + ": is not a table of runs that this version wrote");
  }
  std::vector<Run> runs;
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const std::vector<std::string> fields = split_fields(lines[l], ',');
    const std::string where = path + ":" + std::to_string(l + 1);
    if (fields.size() != columns().size()) throw Failure(where + ": does not have as many fields as the header");
    runs.push_back(read_run(Reader(fields, where)));
  }
  return runs;
}

}  // namespace stowage::cli::paper
