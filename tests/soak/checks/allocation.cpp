#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "core/planners/planner.h"
#include "session_generated.h"
#include "tests/bad_input/memory/failing_memory.h"
#include "tests/property/agreement.h"
#include "tests/soak/soak.h"

namespace stowage::soak {
namespace {

using test::allowance;
using test::live_blocks;

class Exhaustion {
 public:
  explicit Exhaustion(Case& one) : one_(one) {}

  /// Makes the call with 0, 1, 2, ... allocations allowed until it answers as it does with enough memory; beyond a hundred, in
  /// growing random steps. Each other answer has to be OUT_OF_MEMORY, and no block may stay behind. `release` frees what the
  /// call handed out, or does nothing. Returns the last answer.
  stowage_status run(const std::string& name, const std::function<stowage_status(stowage_error*)>& call,
                     const std::function<void()>& release) {
    // The first call of a process sets up tables that stay.
    const stowage_status expected = call(nullptr);
    release();
    long allowed = 0;
    for (;; allowed += allowed < 100 ? 1 : 1 + one_.random.below(static_cast<std::uint32_t>(allowed / 8))) {
      const long before = live_blocks;
      stowage_error error{};
      allowance = allowed;
      const stowage_status status = call(&error);
      allowance = test::kNever;
      release();
      const long left = live_blocks - before;
      const std::string where = name + " with " + std::to_string(allowed) + " allocations";
      require(left == 0, where + " leaves " + std::to_string(left) + " blocks behind");
      if (status == expected) break;
      require(status == STOWAGE_OUT_OF_MEMORY, where + ": " + error.message);
      require(error.status == status && error.message[0] != '\0', where + ": no message");
      ++failures_;
    }
    one_.count("allocation: calls");
    return expected;
  }
  /// The same for a call that fills a buffer. Returns its bytes.
  Bytes fill(const std::string& name, const std::function<stowage_status(stowage_buffer*, stowage_error*)>& call) {
    stowage_buffer buffer{nullptr, 0};
    run(
        name, [&](stowage_error* error) { return call(&buffer, error); }, [&] { stowage_buffer_free(&buffer); });
    return ask(call).bytes;
  }
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

 private:
  Case& one_;
  std::uint64_t failures_ = 0;
};

Bytes read_file(const std::string& name) {
  std::ifstream stream(std::string(STOWAGE_TEST_DATA "/") + name, std::ios::binary);
  require(stream.good(), "cannot read the test data " + name);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A new app, which is pinned nowhere and then scaled.
Bytes operations(std::uint32_t resources) {
  flatbuffers::FlatBufferBuilder builder;
  const auto submit = [&](wire::OperationKind kind, std::uint32_t replicas) {
    const auto app = builder.CreateString("an app with a name that needs memory of its own");
    const auto demand = builder.CreateVector(std::vector<double>(resources, 0.5));
    wire::OperationBuilder operation(builder);
    operation.add_kind(kind);
    operation.add_app(app);
    operation.add_replicas(replicas);
    if (kind == wire::OperationKind::Submit) operation.add_demand(demand);
    return operation.Finish();
  };
  const std::vector list = {submit(wire::OperationKind::Submit, 2), submit(wire::OperationKind::Scale, 1)};
  wire::FinishOperationsBuffer(builder, wire::CreateOperations(builder, 1, builder.CreateVector(list)));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

void exhaust_instance(Case& one, Exhaustion& memory, const test::Generated& generated) {
  const Bytes& bytes = one.instance();
  stowage_instance* loaded = nullptr;
  memory.run(
      "stowage_instance_load",
      [&](stowage_error* error) { return stowage_instance_load(bytes.data(), bytes.size(), nullptr, &loaded, error); },
      [&] { stowage_instance_free(std::exchange(loaded, nullptr)); });
  const InstanceHandle handle = load(bytes);
  const Instance instance = generated.build();
  const PlannerInfo& info = any_planner(one.random);
  Request request = test::any_request(info, generated, instance, one.random);
  if (request.work_limit > 0) request.work_limit = 3'000;
  request.threads = 1;
  one.asks(request);
  const Bytes asked = one.request();
  const Bytes plan = memory.fill(info.name, [&](stowage_buffer* output, stowage_error* error) {
    return stowage_plan(handle.get(), asked.data(), asked.size(), nullptr, output, error);
  });
  memory.fill("stowage_bound",
              [&](stowage_buffer* output, stowage_error* error) { return stowage_bound(handle.get(), output, error); });
  if (plan.empty()) return;
  memory.fill("stowage_verify", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify(handle.get(), plan.data(), plan.size(), output, error);
  });
  memory.fill("stowage_explain", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_explain(handle.get(), plan.data(), plan.size(), STOWAGE_ALL_UNPLACED, nullptr, output, error);
  });
  memory.fill("stowage_headroom", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_headroom(handle.get(), plan.data(), plan.size(), 0, STOWAGE_NO_NODE, output, error);
  });
  memory.fill("stowage_headroom_of_apps", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_headroom_of_apps(handle.get(), plan.data(), plan.size(), 0, output, error);
  });
  memory.fill("stowage_losses", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_losses(handle.get(), plan.data(), plan.size(), nullptr, 0, nullptr, 0, nullptr, output, error);
  });
  memory.fill("stowage_order_moves", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_order_moves(handle.get(), plan.data(), plan.size(), 1, 0.5, nullptr, output, error);
  });
}

// Each call is made on a session of its own that is opened anew, because a successful call changes it.
void exhaust_session(Case& one, Exhaustion& memory, std::uint32_t resources) {
  const Bytes& bytes = one.instance();
  stowage_session* opened = nullptr;
  const auto open = [&](stowage_error* error) {
    return stowage_session_open(bytes.data(), bytes.size(), nullptr, &opened, error);
  };
  const auto close = [&] { stowage_session_free(std::exchange(opened, nullptr)); };
  if (memory.run("stowage_session_open", open, close) != STOWAGE_OK) return;
  require(open(nullptr) == STOWAGE_OK, "a session cannot be opened twice");
  const SessionHandle session(std::exchange(opened, nullptr));
  stowage_session* const handle = session.get();
  const Bytes changes = operations(resources);
  if (stowage_session_apply(handle, changes.data(), changes.size(), nullptr) == STOWAGE_OK) {
    memory.run(
        "stowage_session_apply, refused",
        [&](stowage_error* error) { return stowage_session_apply(handle, changes.data(), changes.size(), error); }, [] {});
  }
  stowage_instance* current = nullptr;
  memory.run(
      "stowage_session_instance", [&](stowage_error* error) { return stowage_session_instance(handle, &current, error); },
      [&] { stowage_instance_free(std::exchange(current, nullptr)); });
  memory.fill("stowage_session_snapshot",
              [&](stowage_buffer* output, stowage_error* error) { return stowage_session_snapshot(handle, output, error); });
  Request request;
  request.planner = "ff";
  const Bytes asked = encode(request);
  const Bytes plan = memory.fill("stowage_session_plan", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_session_plan(handle, asked.data(), asked.size(), nullptr, output, error);
  });
  if (plan.empty()) return;
  // Each changes the session once it succeeds, and nothing before.
  const auto once = [&](const std::string& name, const std::function<stowage_status(stowage_buffer*)>& call) {
    stowage_status status = STOWAGE_OUT_OF_MEMORY;
    for (long allowed = 0; status == STOWAGE_OUT_OF_MEMORY; ++allowed) {
      const std::uint64_t version = stowage_session_version(handle);
      stowage_buffer report{nullptr, 0};
      allowance = allowed;
      status = call(&report);
      allowance = test::kNever;
      stowage_buffer_free(&report);
      require(status == STOWAGE_OK || stowage_session_version(handle) == version, name + " fails and changes the session");
    }
    require(status == STOWAGE_OK, name + " is refused");
    one.count("allocation: calls");
  };
  once("stowage_session_commit", [&](stowage_buffer* report) {
    return stowage_session_commit(handle, plan.data(), plan.size(), STOWAGE_COMMIT_EXACT, report, nullptr);
  });
  const Answer next = ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_session_plan(handle, asked.data(), asked.size(), nullptr, output, error);
  });
  if (next.status != STOWAGE_OK) return;
  once("stowage_session_reject",
       [&](stowage_buffer*) { return stowage_session_reject(handle, next.bytes.data(), next.bytes.size(), nullptr); });
}

void exhaust_learning(Exhaustion& memory) {
  const Bytes profiles = read_file("profiles.stowl");
  const Bytes question = read_file("question.stowl");
  const Bytes usage = read_file("usage.stowl");
  stowage_model* model = nullptr;
  const auto free_model = [&] { stowage_model_free(std::exchange(model, nullptr)); };
  const auto learn = [&](stowage_error* error) {
    return stowage_model_learn(profiles.data(), profiles.size(), nullptr, &model, error);
  };
  memory.run("stowage_model_learn", learn, free_model);
  require(learn(nullptr) == STOWAGE_OK, "no model is learned");
  stowage_model* const learned = std::exchange(model, nullptr);
  const Bytes saved = memory.fill("stowage_model_save", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_model_save(learned, output, error);
  });
  memory.fill("stowage_model_recommend", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_model_recommend(learned, question.data(), question.size(), output, error);
  });
  stowage_model_free(learned);
  memory.run(
      "stowage_model_load",
      [&](stowage_error* error) { return stowage_model_load(saved.data(), saved.size(), nullptr, &model, error); }, free_model);
  memory.fill("stowage_size", [&](stowage_buffer* output, stowage_error* error) {
    return stowage_size(usage.data(), usage.size(), output, error);
  });
}

void no_solution(void*, const stowage_program*, const stowage_control*, stowage_answer*) {}

void exhaust_controls(Exhaustion& memory) {
  stowage_control* control = nullptr;
  memory.run(
      "stowage_control_new", [&](stowage_error* error) { return stowage_control_new(&control, error); },
      [&] { stowage_control_free(std::exchange(control, nullptr)); });
  const ControlHandle owner = new_control();
  stowage_solver solver = STOWAGE_SOLVER_INIT;
  solver.solve = no_solution;
  memory.run(
      "stowage_control_set_solver",
      [&](stowage_error* error) { return stowage_control_set_solver(owner.get(), &solver, error); },
      [&] { stowage_control_set_solver(owner.get(), nullptr, nullptr); });
  memory.fill("stowage_planners", [](stowage_buffer* output, stowage_error* error) { return stowage_planners(output, error); });
}

}  // namespace

void check_allocation(Case& one) {
  const test::Generated generated = any_instance(one.random, small_size());
  one.looks_at(generated);
  Exhaustion memory(one);
  exhaust_instance(one, memory, generated);
  exhaust_session(one, memory, generated.resources());
  if (one.random.chance(0.1)) exhaust_learning(memory);
  if (one.random.chance(0.1)) exhaust_controls(memory);
  one.count("allocation: failures", memory.failures());
}

}  // namespace stowage::soak
