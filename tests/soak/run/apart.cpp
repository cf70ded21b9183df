#include "tests/soak/run/apart.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "tests/effort.h"
#include "tests/soak/run/tally.h"

namespace stowage::soak {
namespace {

// Sanitizers reserve most of the address space, and take many times as long.
constexpr bool kSanitized = test::kShare > 1;
constexpr rlim_t kMostAddressSpace = 4ul << 30;
constexpr rlim_t kMostSeconds = kSanitized ? 3600 : 40;  ///< of processor time
constexpr int kMostWaiting = kSanitized ? 7200 : 1800;   ///< seconds on the wall clock: a case that sleeps for ever

void (*at_crash)() = nullptr;

void ends_in_signal(int signal) {
  std::signal(signal, SIG_DFL);
  if (at_crash != nullptr) at_crash();
  std::raise(signal);
}

void limit(int resource, rlim_t most) {
  rlimit both{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &both);
  both.rlim_cur = std::min(most, both.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

[[noreturn]] void be_child(int out, const std::function<void(Tally&)>& work, void (*leave_files)()) {
  at_crash = leave_files;
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) std::signal(signal, ends_in_signal);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kMostSeconds);
  if (!kSanitized) limit(RLIMIT_AS, kMostAddressSpace);
  Tally tally;
  std::string found;
  try {
    work(tally);
  } catch (const std::exception& error) {
    found = error.what();
    if (found.empty()) found = "an exception without words";
  }
  const std::string told = to_text(tally) + "found\t" + found;
  for (std::size_t at = 0; at < told.size();) {
    const ssize_t written = write(out, told.data() + at, told.size() - at);
    if (written <= 0) _exit(1);
    at += static_cast<std::size_t>(written);
  }
  _exit(0);
}

/// What the child tells, until it ends. A child that tells nothing for too long is ended.
std::string listen(int in, pid_t child, bool& hung) {
  std::string told;
  char part[4096];
  for (;;) {
    pollfd one{in, POLLIN, 0};
    if (poll(&one, 1, kMostWaiting * 1000) == 0) {
      hung = true;
      kill(child, SIGABRT);
      sleep(1);
      kill(child, SIGKILL);
      return told;
    }
    const ssize_t count = read(in, part, sizeof part);
    if (count <= 0) return told;
    told.append(part, static_cast<std::size_t>(count));
  }
}

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

}  // namespace

Outcome run_apart(const std::function<void(Tally&)>& work, void (*leave_files)()) {
  int ends[2];
  require(pipe(ends) == 0, "no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  require(child >= 0, "no further process");
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], work, leave_files);
  }
  close(ends[1]);
  bool hung = false;
  const std::string told = listen(ends[0], child, hung);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Outcome outcome;
  outcome.processor = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  outcome.peak_megabytes = static_cast<double>(usage.ru_maxrss) / 1e3;
  constexpr const char* kFound = "found\t";
  const std::size_t end = told.rfind(kFound);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && end != std::string::npos) {
    outcome.found = told.substr(end + std::strlen(kFound));
    outcome.tally = from_text(told.substr(0, end));
  } else if (hung) {
    outcome.found = "DOES NOT END: it waits for " + std::to_string(kMostWaiting) + " s";
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    outcome.found = "DOES NOT END: more than " + std::to_string(kMostSeconds) + " s of processor time";
  } else if (WIFSIGNALED(status)) {
    outcome.found = std::string("CRASHED: ") + strsignal(WTERMSIG(status));
  } else {
    outcome.found = "CRASHED: exit code " + std::to_string(WEXITSTATUS(status));
  }
  return outcome;
}

}  // namespace stowage::soak
