// Every function that takes a control, on inputs of up to 10^8 replicas and 10^6 listed nodes with any features: time after
// deadlines of 1, 100 and 1,000 ms, time after a cancel, longest time between two looks at the clock, and memory.
//
// Usage: soak_large [COUNT [SEED [REPLICAS [LISTED [FUNCTION [MS]]]]]]
// COUNT inputs are drawn; by default 12, seed 1, 10^8 replicas, 10^6 nodes. Prints a Markdown table of the worst of all inputs
// per function, or of one FUNCTION; all measurements go to stderr. Calls that go on after their end print where they are every
// MS of processor time. Exit code 1: a call went on for longer than it may.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "tests/soak/calls.h"
#include "tests/soak/cut.h"
#include "tests/soak/large/apart.h"
#include "tests/soak/large/looks.h"
#include "tests/soak/large/shapes.h"
#include "tests/soak/stacks.h"

namespace stowage::soak {
namespace {

constexpr std::array<double, 3> kDeadlines = {1, 100, 1'000};  // milliseconds
/// A call may go on for this share of its deadline, or for kMostOverrun.
constexpr double kMostShare = 0.05;

struct Function {
  const char* name;
  bool needs_plan;
  /// The deadline is that of the control; planners also get it in their request.
  std::function<Answer(const stowage_instance*, const Bytes&, stowage_control*)> call;
};

std::vector<Function> functions() {
  const auto with = [](auto function) {
    return [function](const stowage_instance* instance, const Bytes& plan, stowage_control* control) {
      return ask(
          [&](stowage_buffer* report, stowage_error* error) { return function(instance, plan, control, report, error); });
    };
  };
  using Instance = const stowage_instance*;
  using Control = stowage_control*;
  return {
      {"plan", false,
       [](Instance instance, const Bytes& request, Control control) { return plan(instance, request, control); }},
      {"bound", false, with([](Instance i, const Bytes&, Control c, stowage_buffer* report, stowage_error* error) {
         return stowage_bound_watched(i, c, report, error);
       })},
      {"verify", true, with([](Instance i, const Bytes& p, Control c, stowage_buffer* report, stowage_error* error) {
         return stowage_verify_watched(i, p.data(), p.size(), c, report, error);
       })},
      {"explain", true, [](Instance instance, const Bytes& made, Control control) { return explain(instance, made, control); }},
      {"headroom", true, with([](Instance i, const Bytes& p, Control c, stowage_buffer* report, stowage_error* error) {
         return stowage_headroom_watched(i, p.data(), p.size(), 0, STOWAGE_NO_NODE, c, report, error);
       })},
      {"headroom_of_apps", true, with([](Instance i, const Bytes& p, Control c, stowage_buffer* report, stowage_error* error) {
         return stowage_headroom_of_apps_watched(i, p.data(), p.size(), 0, c, report, error);
       })},
      {"losses", true, with([](Instance i, const Bytes& p, Control c, stowage_buffer* report, stowage_error* error) {
         return stowage_losses(i, p.data(), p.size(), nullptr, 0, nullptr, 0, c, report, error);
       })},
      {"order_moves", true,
       [](Instance instance, const Bytes& made, Control control) { return order_moves(instance, made, control); }},
  };
}

struct LargeMeasured {
  int status = STOWAGE_INTERNAL;
  double late = 0;     ///< milliseconds of processor time after the end
  double longest = 0;  ///< between two looks at the clock
  double memory = 0;
};

/// @param deadline milliseconds; @param cancels whether a cancel ends the call, instead of the control's deadline
LargeMeasured measure(const test::Generated& made, const Request& asked, const Function& function, double deadline,
                      bool cancels) {
  const InstanceHandle instance = load(encode(made));
  Request request = asked;
  request.deadline_ms = 2'000;
  Bytes bytes = encode(request);
  if (function.needs_plan) {
    const Answer answer = plan(instance.get(), bytes);
    if (answer.status != STOWAGE_OK) return {answer.status};
    bytes = answer.bytes;
  }
  const ControlHandle control = new_control();
  if (!cancels) stowage_control_set_deadline(control.get(), static_cast<std::uint64_t>(deadline));
  const double before = peak_memory();
  Answer answer;
  Looks looks;
  Stacks stacks;
  const auto at_end = [&] {
    if (cancels) stowage_control_cancel(control.get());
    stacks.start();
  };
  const Overrun over = measure_overrun(deadline, at_end, [&] {
    begin_looks();
    answer = function.call(instance.get(), bytes, control.get());
    looks = end_looks();
  });
  return {answer.status, std::min(over.wall, over.processor), looks.longest, peak_memory() - before};
}

struct Worst {
  std::array<double, kDeadlines.size()> late{};
  double cancelled = 0;
  double longest = 0;
  double memory = 0;
};

bool is_answer(int status) {
  return status == STOWAGE_OK || status == STOWAGE_CANCELLED || status == STOWAGE_UNSUPPORTED ||
         status == STOWAGE_LIMIT_EXCEEDED || status == STOWAGE_INVALID;
}

bool measure_all(std::uint64_t seed, std::uint64_t count, std::uint32_t replicas, std::uint32_t listed,
                 const std::string& only) {
  std::map<std::string, Worst> worst;
  bool well = true;
  for (std::uint64_t k = 0; k < count; ++k) {
    test::Random random(seed + k);
    const LargeShape shape = draw_shape(random, replicas, listed);
    const test::Generated made = make_large(shape, seed + k);
    const Request request = draw_request(random, made);
    for (const Function& function : functions()) {
      if (!only.empty() && function.name != only) continue;
      Worst& of = worst[function.name];
      for (std::size_t d = 0; d <= kDeadlines.size(); ++d) {
        const bool cancels = d == kDeadlines.size();
        const double deadline = cancels ? 100 : kDeadlines[d];
        const auto m = apart<LargeMeasured>([&] { return measure(made, request, function, deadline, cancels); });
        const bool is_late = m.late > std::max(kMostOverrun, kMostShare * deadline);
        std::fprintf(stderr, "%s, seed %llu (%s), %s after %.0f ms: %s, %.0f ms late, %.0f ms between looks, %.0f MB%s\n",
                     function.name, static_cast<unsigned long long>(seed + k), shape.name().c_str(),
                     cancels ? "cancel" : "deadline", deadline, stowage_status_text(static_cast<stowage_status>(m.status)),
                     m.late, m.longest, m.memory / 1e6, is_late ? " LATE" : "");
        double& late = cancels ? of.cancelled : of.late[d];
        late = std::max(late, m.late);
        of.longest = std::max(of.longest, m.longest);
        of.memory = std::max(of.memory, m.memory);
        well = well && !is_late && is_answer(m.status);
      }
    }
  }
  std::printf("| function | ms after 1 ms | after 100 ms | after 1 s | after a cancel | longest between two looks | MB |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const auto& [name, of] : worst) {
    std::printf("| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", name.c_str(), of.late[0], of.late[1], of.late[2],
                of.cancelled, of.longest, of.memory / 1e6);
  }
  return well;
}

}  // namespace
}  // namespace stowage::soak

int main(int argc, char** argv) {
  const auto given = [&](int k, std::uint64_t by_default) {
    return argc > k ? std::strtoull(argv[k], nullptr, 10) : by_default;
  };
  stowage::soak::print_stacks(static_cast<double>(given(6, 0)));
  const bool well = stowage::soak::measure_all(given(2, 1), given(1, 12), static_cast<std::uint32_t>(given(3, 100'000'000)),
                                               static_cast<std::uint32_t>(given(4, 1'000'000)), argc > 5 ? argv[5] : "");
  return well ? 0 : 1;
}
