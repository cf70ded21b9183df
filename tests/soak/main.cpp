// Random instances until the time is over, and what is claimed of them held against references (docs/reliability.md).
//
// Usage: soak [--hours H] [--seed S|day] [--case N] [--only KIND,...] [--late MS] [--files FOLDER]
//        soak --wasm FOLDER [--seed S] [--cases N]
// Calls may end MS after their deadline or cancel, default 50. The last line gives the counts. Exit code 1: something was
// found. A finding is printed with the command that repeats it, and its instance and request are written to FOLDER (default:
// .).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "tests/soak/cut.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

struct Kind {
  std::string_view name;
  void (*check)(Case&);
  unsigned turns;  ///< of every 16 cases
};

// About the same time for each of them; tiny instances have the most to show.
constexpr Kind kKinds[] = {
    {"claims", check_claims, 6},     {"agreement", check_agreement, 4}, {"sessions", check_session, 2},
    {"parallel", check_parallel, 1}, {"overruns", check_overrun, 1},    {"allocation", check_allocation, 2},
};

const Kind& kind_of(std::uint64_t number) {
  auto turn = static_cast<unsigned>(number % 16);
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
  std::uint64_t cases = 20;
  std::string only;
  double late_ms = kMostOverrun;
  std::string files = ".";
  std::string wasm;
  [[nodiscard]] bool wants(std::string_view kind) const {
    return only.empty() || ("," + only + ",").find("," + std::string(kind) + ",") != std::string::npos;
  }
};

// What is being looked at, for the handler of signals.
const Case* looked_at = nullptr;
char instance_file[512];
char request_file[512];
char repeat_command[128];

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
void crashed(int signal) {
  leave_files();
  for (const char* text : {"\nsoak: CRASHED; repeat with: ", static_cast<const char*>(repeat_command), "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Returns whether nothing was found.
bool run_case(const Settings& settings, std::uint64_t number, Tally& tally) {
  Case one(settings.seed, number, tally);
  one.late_ms = settings.late_ms;
  const std::string stem = settings.files + "/soak-" + std::to_string(settings.seed) + "-" + std::to_string(number);
  std::snprintf(instance_file, sizeof instance_file, "%s.stow", stem.c_str());
  std::snprintf(request_file, sizeof request_file, "%s.stowreq", stem.c_str());
  std::snprintf(repeat_command, sizeof repeat_command, "soak --seed %llu --case %llu",
                static_cast<unsigned long long>(settings.seed), static_cast<unsigned long long>(number));
  looked_at = &one;
  bool well = true;
  try {
    kind_of(number).check(one);
  } catch (const std::exception& error) {
    well = false;
    leave_files();
    std::printf("FOUND (%s): %s\n  repeat with: %s\n  instance: %s\n", std::string(kind_of(number).name).c_str(), error.what(),
                repeat_command, instance_file);
    std::fflush(stdout);
  }
  if (well && settings.number) leave_files();
  looked_at = nullptr;
  return well;
}

void print_counts(const Tally& tally, std::uint64_t cases, std::uint64_t findings, double seconds) {
  for (const auto& [what, count] : tally.counts)
    std::printf("  %s: %llu\n", what.c_str(), static_cast<unsigned long long>(count));
  const test::ClaimCounts& c = tally.claims;
  const std::pair<const char*, std::uint64_t> claims[] = {{"with a complete plan", c.feasible},
                                                          {"without one", c.infeasible},
                                                          {"plans", c.plans},
                                                          {"bounds", c.bounds},
                                                          {"plans called optimal", c.optimal},
                                                          {"plans called infeasible", c.proven_too_few},
                                                          {"plans said to place the most", c.places_most}};
  for (const auto& [what, count] : claims) std::printf("  claims: %s: %llu\n", what, static_cast<unsigned long long>(count));
  std::printf("soak: %llu cases in %.0f s, %llu found\n", static_cast<unsigned long long>(cases), seconds,
              static_cast<unsigned long long>(findings));
}

int run(const Settings& settings) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, crashed);
  testing::InitGoogleTest();
  GTEST_FLAG_SET(throw_on_failure, true);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  Tally tally;
  if (settings.number) return run_case(settings, *settings.number, tally) ? 0 : 1;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::uint64_t cases = 0;
  std::uint64_t findings = 0;
  constexpr std::uint64_t kMostFindings = 20;
  for (std::uint64_t number = 0; seconds() < settings.hours * 3600 && findings < kMostFindings; ++number) {
    if (!settings.wants(kind_of(number).name)) continue;
    ++cases;
    findings += run_case(settings, number, tally) ? 0 : 1;
  }
  print_counts(tally, cases, findings, seconds());
  return findings == 0 ? 0 : 1;
}

/// Such as 20250131, in UTC.
std::uint64_t day() {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  const year_month_day today(floor<days>(system_clock::now()));
  return static_cast<std::uint64_t>(static_cast<int>(today.year())) * 10'000 + static_cast<unsigned>(today.month()) * 100 +
         static_cast<unsigned>(today.day());
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
      settings.seed = value == "day" ? day() : std::stoull(value);
    } else if (name == "--case") {
      settings.number = std::stoull(value);
    } else if (name == "--cases") {
      settings.cases = std::stoull(value);
    } else if (name == "--only") {
      settings.only = value;
    } else if (name == "--late") {
      settings.late_ms = std::stod(value);
    } else if (name == "--files") {
      settings.files = value;
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
    write_for_wasm(settings.wasm, settings.seed, settings.cases);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 2;
  }
}
