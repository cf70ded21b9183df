#include "tests/soak/cases/timed.h"

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>

#include "tests/effort.h"
#include "tests/soak/clock.h"
#include "tests/soak/cut.h"

namespace stowage::soak {
namespace {

// Programs with sanitizers are not optimized either.
constexpr double kSlowness = test::kShare > 1 ? 60 : 1;

double between_stacks_ms = 0;  // 0: none is printed

// Prints the stack of the thread that made it, from start() on, each time that the thread has used some processor time.
class Stacks {
 public:
  Stacks() {
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
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() {
    if (made_) timer_delete(timer_);
  }
  void start() {
    if (!made_) return;
    const timespec between{0, static_cast<long>(between_stacks_ms * 1e6)};
    const itimerspec times{between, between};
    timer_settime(timer_, 0, &times, nullptr);
  }

 private:
  bool made_ = false;
  timer_t timer_{};
};

}  // namespace

void print_stacks(double milliseconds) { between_stacks_ms = milliseconds; }

Answer timed(Case& one, const std::string& name, Cut cut, double delay_ms, stowage_control* control,
             const std::function<Answer()>& call) {
  for (int attempt = 1;; ++attempt) {
    if (control != nullptr) stowage_control_reset(control);
    Answer answer;
    const bool cancels = cut == Cut::kCancel;
    Stacks stacks;
    const auto at_end = [&] {
      if (cancels) stowage_control_cancel(control);
      stacks.start();
    };
    LookMeter looks;
    const Overrun over = measure_overrun(delay_ms, at_end, [&] { answer = call(); });
    one.took("between two looks at the clock", static_cast<double>(looks.stop()));
    const double spent = std::min(over.wall, over.processor);
    if (spent <= one.late_ms * kSlowness) {
      one.took(cancels ? "after a cancel" : "after a deadline", spent * 1000);
      one.count(cancels ? "timed: cancels" : "timed: deadlines");
      return answer;
    }
    require(attempt < 3, name + " goes on for " + std::to_string(spent) + " ms after its " + (cancels ? "cancel" : "deadline") +
                             " at " + std::to_string(delay_ms) + " ms");
  }
}

}  // namespace stowage::soak
