#include "tests/soak/stacks.h"

#include <execinfo.h>
#include <unistd.h>

#include <csignal>

namespace stowage::soak {
namespace {

double between_stacks_ms = 0;

}  // namespace

void print_stacks(double milliseconds) { between_stacks_ms = milliseconds; }

Stacks::Stacks() {
  if (between_stacks_ms == 0) return;
  void* frames[1];
  backtrace(frames, 1);  // loads what a handler may not
  std::signal(SIGPROF, [](int) {
    void* all[64];
    backtrace_symbols_fd(all, backtrace(all, 64), STDERR_FILENO);
    if (write(STDERR_FILENO, "\n", 1) < 0) return;
  });
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGPROF;
  made_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
}

Stacks::~Stacks() {
  if (made_) timer_delete(timer_);
}

void Stacks::start() {
  if (!made_) return;
  const timespec between{0, static_cast<long>(between_stacks_ms * 1e6)};
  const itimerspec times{between, between};
  timer_settime(timer_, 0, &times, nullptr);
}

}  // namespace stowage::soak
