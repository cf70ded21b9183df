#include "capi/cli/base/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

/// Signals that end a process and that it can catch.
constexpr std::array kEndings = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};

/// All temporary files there have been. Entries stay until the process ends: a signal may come at any time, and on any thread.
std::atomic<TemporaryFile::Entry*> temporaries = nullptr;
static_assert(std::atomic<TemporaryFile::Entry*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "signal handlers read them");
std::atomic<const char*> program_name = "stowage";

void remove_temporaries() {
  for (const TemporaryFile::Entry* entry = temporaries; entry != nullptr; entry = entry->next) {
    if (entry->exists) ::unlink(entry->path.c_str());
  }
}

void say(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // nobody listens
}

void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  // Only a page beyond the end of a mapped file gives this code.
  if (info->si_code != BUS_ADRERR) end_by_signal(signal);
  remove_temporaries();
  say(program_name);
  say(": an input file became shorter while it was read\n");
  ::_exit(kExitInput);
}

/// All endings are held back while this lives.
class HeldSignals {
 public:
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals(HeldSignals&&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  HeldSignals& operator=(HeldSignals&&) = delete;
  HeldSignals() {
    sigset_t endings;
    sigemptyset(&endings);
    for (const int signal : kEndings) sigaddset(&endings, signal);
    ::pthread_sigmask(SIG_BLOCK, &endings, &before_);
  }
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

void settle_process(const char* program) {
  program_name = program;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // Opened the wrong way round, it fails with EBADF where it is used. Lower numbers are taken, so that it gets this one.
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) ::_exit(kExitInput);
  }
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  for (const int signal : kEndings) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;  // such as SIGHUP under nohup
    action.sa_handler = end_by_signal;
    ::sigaction(signal, &action, nullptr);
  }
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = on_bus_error;
  ::sigaction(SIGBUS, &action, nullptr);
}

void end_by_signal(int signal) {
  remove_temporaries();
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  sigset_t this_one;
  sigemptyset(&this_one);
  sigaddset(&this_one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
  ::raise(signal);
}

TemporaryFile::TemporaryFile(const std::string& beside) {
  auto* entry = new Entry;
  entry->path = beside + ".XXXXXX";
  {
    const HeldSignals held;
    descriptor_ = ::mkostemp(entry->path.data(), O_CLOEXEC);
    if (descriptor_ >= 0) {
      entry->next = temporaries;
      while (!temporaries.compare_exchange_weak(entry->next, entry)) continue;
      entry_ = entry;
    }
  }
  if (entry_ == nullptr) {
    const int why = errno;
    delete entry;
    errno = why;
  }
}

TemporaryFile::~TemporaryFile() {
  if (entry_ == nullptr || !entry_->exists) return;
  ::unlink(entry_->path.c_str());
  entry_->exists = false;
}

bool TemporaryFile::rename_to(const std::string& path) {
  if (::rename(entry_->path.c_str(), path.c_str()) != 0) return false;
  entry_->exists = false;
  return true;
}

}  // namespace stowage::cli
