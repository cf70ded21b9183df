// Random instances until the time or their number is over, and what is claimed of them held against references
// (docs/contribute/reliability.md).
//
// Usage: soak [--hours H] [--cases N] [--seed S] [--case N [--stacks MS]] [--only KIND,...] [--late MS] [--files FOLDER]
//             [--record FILE --build NAME]
//        soak --wasm FOLDER [--seed S] [--cases N]
// Calls may end MS after their deadline or cancel, default 50. The last lines give the counts, and FILE gets a line of them.
// Exit code 1: something was found. A finding is printed with the command that repeats it, and its instance and request are
// written to FOLDER (default: .). With --case, the case runs in this process, for a debugger; with --stacks, calls that go
// on after their end print where they are every MS of processor time.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "tests/effort.h"
#include "tests/soak/cases/timed.h"
#include "tests/soak/cut.h"
#include "tests/soak/run/apart.h"
#include "tests/soak/run/tally.h"
#include "tests/soak/stacks.h"

namespace stowage::soak {
namespace {

struct Kind {
  std::string_view name;
  void (*check)(Case&);
  unsigned turns;  ///< of every kTurns cases
};

// Tiny instances, of which most take part in a minute, have the most to show.
constexpr Kind kKinds[] = {
    {"claims", check_claims, 10},           {"rebalance", check_rebalance, 10}, {"small-work", check_small_work, 20},
    {"node-limits", check_node_limits, 12}, {"agreement", check_agreement, 3},  {"crowd", check_crowd, 5},
    {"sessions", check_session, 1},         {"parallel", check_parallel, 1},    {"overruns", check_overrun, 1},
    {"allocation", check_allocation, 1},
};
constexpr unsigned kTurns = 64;

const Kind& kind_of(std::uint64_t number) {
  // Kinds take turns, so that a short run has some of each.
  auto turn = static_cast<unsigned>(number * 27 % kTurns);
  for (const Kind& kind : kKinds) {
    if (turn < kind.turns) return kind;
    turn -= kind.turns;
  }
  return kKinds[0];
}

struct Settings {
  double hours = 0.05;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> number;
  std::optional<std::uint64_t> cases;
  std::string only;
  double late_ms = kMostOverrun;
  std::string files = ".";
  std::string wasm;
  std::string record;
  std::string build = "soak";
  [[nodiscard]] bool wants(std::string_view kind) const {
    return only.empty() || ("," + only + ",").find("," + std::string(kind) + ",") != std::string::npos;
  }
};

// What is being looked at, for the handler of signals.
const Case* looked_at = nullptr;
char instance_file[512];
char request_file[512];

void write_bytes(const char* path, const Bytes& bytes) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  if (write(file, bytes.data(), bytes.size()) < 0) static_cast<void>(unlink(path));
  close(file);
}
void leave_files() {
  if (looked_at == nullptr) return;
  if (!looked_at->instance().empty()) write_bytes(instance_file, looked_at->instance());
  if (!looked_at->request().empty()) write_bytes(request_file, looked_at->request());
}

/// A small input may not take much memory. A case with a larger one, or with none of its own, is not judged.
constexpr std::size_t kSmallInput = 10'000;
constexpr double kMostMegabytes = 600;

void run_in_this_process(const Settings& settings, std::uint64_t number, Tally& tally) {
  Case one(settings.seed, number, tally);
  one.late_ms = settings.late_ms;
  looked_at = &one;
  try {
    kind_of(number).check(one);
  } catch (...) {
    leave_files();
    looked_at = nullptr;
    throw;
  }
  if (!one.instance().empty() && one.instance().size() < kSmallInput) ++tally.counts["small inputs"];
  looked_at = nullptr;
}

/// Runs a case in a process of its own. A call that is late has to be late in one of three further processes, too: other
/// programs may have held the memory of the machine for as long as the case lasted.
Outcome run_apart_until_sure(const Settings& settings, std::uint64_t number) {
  constexpr int kFurther = 3;
  const auto once = [&] { return run_apart([&](Tally& tally) { run_in_this_process(settings, number, tally); }, leave_files); };
  Outcome outcome = once();
  const bool is_late = outcome.found.find(kGoesOn) != std::string::npos;
  for (int k = 0; is_late && k < kFurther; ++k) {
    sleep(1);
    const double before = outcome.processor;
    outcome = once();
    outcome.processor += before;
    if (!outcome.found.empty()) return outcome;
  }
  if (is_late) ++outcome.tally.counts["cases that were late once"];
  return outcome;
}

Outcome run_case(const Settings& settings, std::uint64_t number) {
  const std::string stem = settings.files + "/soak-" + std::to_string(settings.seed) + "-" + std::to_string(number);
  std::snprintf(instance_file, sizeof instance_file, "%s.stow", stem.c_str());
  std::snprintf(request_file, sizeof request_file, "%s.stowreq", stem.c_str());
  Outcome outcome = run_apart_until_sure(settings, number);
  const bool small = outcome.tally.counts.contains("small inputs");
  if (outcome.found.empty() && small && test::kShare == 1 && outcome.peak_megabytes > kMostMegabytes) {
    outcome.found = "takes " + std::to_string(static_cast<int>(outcome.peak_megabytes)) + " MB of memory";
  }
  if (outcome.found.empty()) return outcome;
  std::printf("FOUND (%s): %s\n  repeat with: soak --seed %llu --case %llu\n  instance: %s\n",
              std::string(kind_of(number).name).c_str(), outcome.found.c_str(), static_cast<unsigned long long>(settings.seed),
              static_cast<unsigned long long>(number), instance_file);
  std::fflush(stdout);
  return outcome;
}

int run(const Settings& settings) {
  testing::InitGoogleTest();
  GTEST_FLAG_SET(throw_on_failure, true);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  if (settings.number) {
    Tally tally;
    std::snprintf(instance_file, sizeof instance_file, "%s/soak.stow", settings.files.c_str());
    std::snprintf(request_file, sizeof request_file, "%s/soak.stowreq", settings.files.c_str());
    run_in_this_process(settings, *settings.number, tally);
    return 0;
  }
  static_cast<void>(planners());  // made once, and not in every process
  Ran ran;
  ran.build = settings.build;
  ran.seed = settings.seed;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  constexpr std::uint64_t kMostFindings = 50;
  const std::uint64_t most = settings.cases.value_or(std::numeric_limits<std::uint64_t>::max());
  for (std::uint64_t number = 0; number < most && seconds() < settings.hours * 3600 && ran.findings < kMostFindings; ++number) {
    if (!settings.wants(kind_of(number).name)) continue;
    const Outcome outcome = run_case(settings, number);
    ++ran.cases;
    ran.findings += outcome.found.empty() ? 0 : 1;
    ran.processor += outcome.processor;
    ran.peak_megabytes = std::max(ran.peak_megabytes, outcome.peak_megabytes);
    add(ran.tally, outcome.tally);
    const std::string kind(kind_of(number).name);
    ran.tally.counts[kind + ": milliseconds of processor time"] += static_cast<std::uint64_t>(outcome.processor * 1e3);
    ++ran.tally.counts[kind + ": cases"];
  }
  ran.wall = seconds();
  print(ran);
  if (!settings.record.empty()) record(ran, settings.record);
  return ran.findings == 0 ? 0 : 1;
}

Settings read_arguments(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k) {
    const std::string_view name = argv[k];
    if (k + 1 == argc) throw std::invalid_argument(std::string(name) + " needs a value");
    const std::string value = argv[++k];
    if (name == "--hours") {
      settings.hours = std::stod(value);
    } else if (name == "--seed") {
      settings.seed = std::stoull(value);
    } else if (name == "--case") {
      settings.number = std::stoull(value);
    } else if (name == "--cases") {
      settings.cases = std::stoull(value);
    } else if (name == "--only") {
      settings.only = value;
    } else if (name == "--late") {
      settings.late_ms = std::stod(value);
    } else if (name == "--stacks") {
      print_stacks(std::stod(value));
    } else if (name == "--files") {
      settings.files = value;
    } else if (name == "--record") {
      settings.record = value;
    } else if (name == "--build") {
      settings.build = value;
    } else if (name == "--wasm") {
      settings.wasm = value;
    } else {
      throw std::invalid_argument("there is no option " + std::string(name));
    }
  }
  return settings;
}

}  // namespace
}  // namespace stowage::soak

int main(int argc, char** argv) {
  using namespace stowage::soak;  // NOLINT(google-build-using-namespace)
  try {
    const Settings settings = read_arguments(argc, argv);
    if (settings.wasm.empty()) return run(settings);
    write_for_wasm(settings.wasm, settings.seed, settings.cases.value_or(20));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 2;
  }
}
