// Every planner, bound, verify and explain on the largest inputs: time after the deadline, time after a cancel, and memory.
//
// Usage: soak_limits [FILE.stow...]    beside the inputs that it makes itself
// Prints a Markdown table. Every measurement has a process of its own, which gives its peak memory. The table has the worst
// planner of each family of names; all measurements go to stderr. Exit code 1: a call went on for longer than it may.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "core/planners/planner.h"
#include "tests/property/workload.h"
#include "tests/soak/calls.h"
#include "tests/soak/cut.h"
#include "tests/soak/large/apart.h"

namespace stowage::soak {
namespace {

constexpr double kDeadline = 100;  // milliseconds

struct Input {
  std::string name;
  Bytes bytes;
};

/// What one process measured. Milliseconds of wall-clock and of processor time; bytes.
struct Measured {
  int status = STOWAGE_INTERNAL;
  Overrun over;
  double memory = 0;  ///< more than after loading
  double loaded = 0;  ///< after loading
};

/// A call that fills a plan or a report, with a control that cancels it.
using Call = std::function<Answer(const stowage_instance*, stowage_control*)>;

Measured measure(const Input& input, const std::function<Call(const stowage_instance*)>& prepare, bool cancels) {
  const InstanceHandle handle = load(input.bytes);
  const Call call = prepare(handle.get());
  const ControlHandle control = new_control();
  Measured measured;
  measured.loaded = peak_memory();
  Answer answer;
  const auto at_end = cancels ? std::function<void()>([&] { stowage_control_cancel(control.get()); }) : nullptr;
  measured.over = measure_overrun(kDeadline, at_end, [&] { answer = call(handle.get(), control.get()); });
  measured.status = answer.status;
  measured.memory = peak_memory() - measured.loaded;
  return measured;
}

Request request_for(const PlannerInfo& info, std::uint64_t deadline) {
  Request request;
  request.planner = info.name;
  request.deadline_ms = deadline;
  request.compact = true;
  if (!info.pursues.contains(Objective::kNodes)) request.objective = Objective::kAdmitted;
  return request;
}

test::Generated one_app(std::uint32_t replicas, std::uint32_t periods, std::uint32_t nodes) {
  test::Generated result;
  InstanceData& d = result.data;
  d.resources = {{"cpu", "cores"}};
  d.periods = periods;
  d.classes.resize(1);
  d.classes[0].name = "node";
  d.classes[0].capacity = {64};
  d.classes[0].count = nodes;
  d.replicas = {replicas};
  for (std::uint32_t t = 0; t < periods; ++t) d.demand.push_back(1 + t);
  return result;
}

std::vector<Input> inputs(int argc, char** argv) {
  std::vector<Input> all;
  all.push_back({"1 app x 10^8 replicas, 3 periods, 1 node", encode(one_app(100'000'000, 3, 1))});
  all.push_back({"1 app x 10^7 replicas, as many nodes as needed", encode(one_app(10'000'000, 1, 0))});
  all.push_back({"20,000 apps, 4 million limits", encode(test::make_workload({.seed = 1, .apps = 20'000, .density = 0.02}))});
  all.push_back(
      {"5,000 apps, 98 periods", encode(test::make_workload({.seed = 1, .apps = 5'000, .density = 0.01, .periods = 98}))});
  for (int k = 1; k < argc; ++k) {
    std::ifstream stream(argv[k], std::ios::binary);
    require(stream.good(), std::string("cannot read ") + argv[k]);
    const std::string path = argv[k];
    all.push_back({path.substr(path.find_last_of('/') + 1), {std::istreambuf_iterator<char>(stream), {}}});
  }
  return all;
}

class Table {
 public:
  /// Measures a call that a deadline ends where `deadline` is given, and that a cancel ends where `cancel` is.
  void add(const Input& input, const std::string& name, const std::function<Call(const stowage_instance*)>& deadline,
           const std::function<Call(const stowage_instance*)>& cancel) {
    Worst& worst = worst_[{input.name, name.substr(0, name.find('-'))}];
    const auto take = [&](const std::function<Call(const stowage_instance*)>& prepare, bool cancels, double& most) {
      if (!prepare) return;
      const Measured m = apart<Measured>([&] { return measure(input, prepare, cancels); });
      std::fprintf(stderr, "%s, %s, %s: %s, %.0f ms later, %.0f ms of them on the processor, %.0f MB\n", input.name.c_str(),
                   name.c_str(), cancels ? "cancel" : "deadline", stowage_status_text(static_cast<stowage_status>(m.status)),
                   m.over.wall, m.over.processor, m.memory / 1e6);
      const double spent = std::min(m.over.wall, m.over.processor);
      if (m.status == STOWAGE_UNSUPPORTED) return;
      if (spent >= most) most = spent;
      if (spent > kMostOverrun) worst.late = name;
      worst.memory = std::max(worst.memory, m.memory);
      ++worst.calls;
      well_ = well_ && spent <= kMostOverrun && m.status != STOWAGE_INTERNAL;
    };
    take(deadline, false, worst.deadline);
    take(cancel, true, worst.cancel);
  }

  [[nodiscard]] bool print() const {
    std::printf(
        "| input | call | ms after the deadline | ms after a cancel | MB beyond the loaded instance "
        "|\n|---|---|---|---|---|\n");
    for (const auto& [key, worst] : worst_) {
      if (worst.calls == 0) continue;
      const auto cell = [](double ms) { return ms < 0 ? std::string("-") : std::to_string(static_cast<int>(ms)); };
      std::printf("| %s | %s%s%s | %s | %s | %.0f |\n", key.first.c_str(), key.second.c_str(), worst.late.empty() ? "" : ": ",
                  worst.late.c_str(), cell(worst.deadline).c_str(), cell(worst.cancel).c_str(), worst.memory / 1e6);
    }
    return well_;
  }

 private:
  struct Worst {
    double deadline = -1;
    double cancel = -1;
    double memory = 0;
    int calls = 0;
    std::string late;
  };
  std::map<std::pair<std::string, std::string>, Worst> worst_;
  bool well_ = true;
};

void measure_input(const Input& input, Table& table) {
  for (const PlannerInfo& info : planners()) {
    if (info.needs_solver) continue;
    const auto planning = [&](std::uint64_t deadline) {
      return [&info, deadline](const stowage_instance*) -> Call {
        return [bytes = encode(request_for(info, deadline))](const stowage_instance* instance, stowage_control* control) {
          return plan(instance, bytes, control);
        };
      };
    };
    table.add(input, info.name, planning(static_cast<std::uint64_t>(kDeadline)), planning(60'000));
  }
  table.add(input, "bound", nullptr, [](const stowage_instance*) -> Call {
    return [](const stowage_instance* instance, stowage_control*) { return bound(instance); };
  });
  const auto with_plan = [](const std::function<Answer(const stowage_instance*, const Bytes&, stowage_control*)>& call) {
    return [call](const stowage_instance* instance) -> Call {
      const Answer made = plan(instance, encode(request_for(*find_planner("auto"), 1'000)));
      require(made.status == STOWAGE_OK, made.message);
      return [call, bytes = made.bytes](const stowage_instance* one, stowage_control* control) {
        return call(one, bytes, control);
      };
    };
  };
  table.add(input, "verify", nullptr, with_plan([](const stowage_instance* instance, const Bytes& bytes, stowage_control*) {
              return verify(instance, bytes);
            }));
  table.add(input, "explain", nullptr,
            with_plan([](const stowage_instance* instance, const Bytes& bytes, stowage_control* control) {
              return explain(instance, bytes, control);
            }));
}

}  // namespace
}  // namespace stowage::soak

int main(int argc, char** argv) {
  using namespace stowage::soak;  // NOLINT(google-build-using-namespace)
  try {
    Table table;
    for (const Input& input : inputs(argc, argv)) {
      try {
        measure_input(input, table);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", input.name.c_str(), error.what());
      }
    }
    return table.print() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak_limits: %s\n", error.what());
    return 2;
  }
}
