// Calls that a deadline or a cancel ends before they have an answer: CANCELLED, and nothing has changed. The inputs take much
// longer than the deadline of a millisecond, so that a call that does not look at it has an answer, and fails the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <stowage.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "derivation_generated.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"
#include "session_generated.h"

namespace {

namespace wire = stowage::wire;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kMany = 100'000;

template <class Root>
Bytes finished(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<Root> root, const char* identifier) {
  builder.Finish(root, identifier);
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

/// Apps with names and limits in rows that are out of order, on as many listed nodes, one replica of each app running.
Bytes cluster_of(std::uint32_t many) {
  flatbuffers::FlatBufferBuilder builder(1 << 24);
  std::vector<std::uint32_t> replicas(many, 2);
  std::vector<double> demand(many * 2, 1);
  std::vector<std::uint32_t> row_begin = {0};
  std::vector<std::uint32_t> app;
  std::vector<std::uint32_t> at_most;
  std::vector<wire::Residence> running;
  for (std::uint32_t i = 0; i < many; ++i) {
    for (std::uint32_t k = 8; k > 0; --k) {
      app.push_back((i + k) % many);
      at_most.push_back(k);
    }
    row_begin.push_back(static_cast<std::uint32_t>(app.size()));
    running.emplace_back(i, i % many, 1);
  }
  std::vector<flatbuffers::Offset<flatbuffers::String>> names;
  std::vector<flatbuffers::Offset<flatbuffers::String>> node_names;
  for (std::uint32_t i = 0; i < many; ++i) names.push_back(builder.CreateString("app " + std::to_string(i * 7919ull % many)));
  for (std::uint32_t n = 0; n < many; ++n) node_names.push_back(builder.CreateString("node " + std::to_string(n)));
  const std::vector<std::uint32_t> node_class(many, 0);
  const std::vector<double> load(many * 2, 0.5);
  const std::vector<double> capacity = {64, 64};
  const auto resources = builder.CreateVector(
      std::vector{wire::CreateResourceDirect(builder, "cpu"), wire::CreateResourceDirect(builder, "memory")});
  const auto apps = wire::CreateAppsDirect(builder, &names, &replicas, &demand);
  const auto classes = builder.CreateVector(std::vector{wire::CreateNodeClassDirect(builder, "m", &capacity)});
  const auto nodes = wire::CreateNodesDirect(builder, &node_class, &node_names, &load);
  const auto limits = wire::CreateAffinityLimitsDirect(builder, &row_begin, &app, &at_most);
  const auto residences = builder.CreateVectorOfStructs(running);
  wire::InstanceBuilder instance(builder);
  instance.add_resources(resources);
  instance.add_apps(apps);
  instance.add_classes(classes);
  instance.add_nodes(nodes);
  instance.add_limits(limits);
  instance.add_running(residences);
  return finished(builder, instance.Finish(), wire::InstanceIdentifier());
}

const Bytes& cluster() {
  static const Bytes bytes = cluster_of(kMany);
  return bytes;
}

Bytes request(const char* planner, bool compact) {
  flatbuffers::FlatBufferBuilder builder;
  const auto name = builder.CreateString(planner);
  wire::RequestBuilder made(builder);
  made.add_planner(name);
  made.add_compact(compact);
  return finished(builder, made.Finish(), wire::RequestIdentifier());
}

/// Many apps join.
Bytes many_operations() {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<wire::Operation>> all;
  const std::vector<double> demand = {1, 1};
  for (int k = 0; k < 50'000; ++k) {
    const auto app = builder.CreateString("new " + std::to_string(k));
    const auto amounts = builder.CreateVector(demand);
    wire::OperationBuilder one(builder);
    one.add_kind(wire::OperationKind::Submit);
    one.add_app(app);
    one.add_replicas(1);
    one.add_demand(amounts);
    all.push_back(one.Finish());
  }
  const auto list = builder.CreateVector(all);
  return finished(builder, wire::CreateOperations(builder, 1, list), wire::OperationsIdentifier());
}

stowage::Control with_deadline(std::uint64_t milliseconds) {
  stowage::Control control;
  EXPECT_EQ(stowage_control_set_deadline(control.get(), milliseconds), STOWAGE_OK);
  return control;
}

Bytes snapshot(const stowage_session* session) {
  stowage_buffer bytes{nullptr, 0};
  EXPECT_EQ(stowage_session_snapshot(session, &bytes, nullptr), STOWAGE_OK);
  Bytes copy(bytes.data, bytes.data + bytes.size);
  stowage_buffer_free(&bytes);
  return copy;
}

TEST(Deadline, EndsWhatMakesInstances) {
  const stowage::Control control = with_deadline(1);
  stowage_error error{};
  stowage_instance* instance = nullptr;
  EXPECT_EQ(stowage_check(STOWAGE_KIND_INSTANCE, cluster().data(), cluster().size(), nullptr, control.get(), &error),
            STOWAGE_CANCELLED)
      << error.message;
  EXPECT_EQ(stowage_instance_load_watched(cluster().data(), cluster().size(), nullptr, control.get(), &instance, &error),
            STOWAGE_CANCELLED);
  EXPECT_EQ(instance, nullptr);
  EXPECT_EQ(error.status, STOWAGE_CANCELLED);
  ASSERT_EQ(stowage_instance_load(cluster().data(), cluster().size(), nullptr, &instance, &error), STOWAGE_OK) << error.message;
  flatbuffers::FlatBufferBuilder builder;
  const Bytes derivation = finished(builder, wire::CreateDerivation(builder, 1, 0, 1.5), wire::DerivationIdentifier());
  stowage_instance* derived = nullptr;
  EXPECT_EQ(
      stowage_instance_derive_watched(instance, derivation.data(), derivation.size(), nullptr, control.get(), &derived, &error),
      STOWAGE_CANCELLED);
  EXPECT_EQ(derived, nullptr);
  EXPECT_EQ(stowage_instance_derive(instance, derivation.data(), derivation.size(), nullptr, &derived, &error), STOWAGE_OK);
  stowage_buffer bytes{nullptr, 0};
  EXPECT_EQ(stowage_instance_save_watched(derived, control.get(), &bytes, &error), STOWAGE_CANCELLED);
  EXPECT_EQ(bytes.data, nullptr);
  stowage_instance_free(derived);
  stowage_instance_free(instance);
}

TEST(Deadline, EndsWhatSessionsDoAndLeavesThemAsTheyWere) {
  const stowage::Control control = with_deadline(1);
  stowage_error error{};
  stowage_session* session = nullptr;
  EXPECT_EQ(stowage_session_open_watched(cluster().data(), cluster().size(), nullptr, control.get(), &session, &error),
            STOWAGE_CANCELLED);
  EXPECT_EQ(session, nullptr);
  ASSERT_EQ(stowage_session_open(cluster().data(), cluster().size(), nullptr, &session, &error), STOWAGE_OK) << error.message;
  const Bytes before = snapshot(session);
  const Bytes operations = many_operations();
  EXPECT_EQ(stowage_session_apply_watched(session, operations.data(), operations.size(), control.get(), &error),
            STOWAGE_CANCELLED);
  stowage_instance* batch = nullptr;
  EXPECT_EQ(stowage_session_instance_watched(session, control.get(), &batch, &error), STOWAGE_CANCELLED);
  EXPECT_EQ(batch, nullptr);
  stowage_buffer bytes{nullptr, 0};
  EXPECT_EQ(stowage_session_snapshot_watched(session, control.get(), &bytes, &error), STOWAGE_CANCELLED);
  EXPECT_EQ(bytes.data, nullptr);
  const Bytes asked = request("ff", false);
  stowage_buffer plan{nullptr, 0};
  ASSERT_EQ(stowage_session_plan(session, asked.data(), asked.size(), nullptr, &plan, &error), STOWAGE_OK) << error.message;
  EXPECT_EQ(stowage_session_commit_watched(session, plan.data, plan.size, STOWAGE_COMMIT_WHOLE, control.get(), &bytes, &error),
            STOWAGE_CANCELLED);
  EXPECT_EQ(bytes.data, nullptr);
  EXPECT_EQ(snapshot(session), before);
  EXPECT_EQ(stowage_session_commit(session, plan.data, plan.size, STOWAGE_COMMIT_WHOLE, &bytes, &error), STOWAGE_OK)
      << error.message;
  EXPECT_NE(snapshot(session), before);
  stowage_buffer_free(&bytes);
  stowage_buffer_free(&plan);
  stowage_session_free(session);
}

// The plan is read before anything is asked about it, and looks at the deadline, too: what tells is that a call with a tenth of
// its time takes less than half of it. The shortest of some tries counts, since other programs may be busy.
TEST(Deadline, EndsWhatAnswersAboutPlans) {
  const Bytes bytes = cluster_of(20'000);
  stowage_instance* instance = nullptr;
  ASSERT_EQ(stowage_instance_load(bytes.data(), bytes.size(), nullptr, &instance, nullptr), STOWAGE_OK);
  const Bytes asked = request("ff", false);
  stowage_buffer plan{nullptr, 0};
  ASSERT_EQ(stowage_plan(instance, asked.data(), asked.size(), nullptr, &plan, nullptr), STOWAGE_OK);
  using Call = std::function<void(stowage_control*, stowage_buffer*)>;
  const std::vector<std::pair<const char*, Call>> calls = {
      {"verify", [&](auto* c, auto* to) { stowage_verify_watched(instance, plan.data, plan.size, c, to, nullptr); }},
      {"headroom of apps",
       [&](auto* c, auto* to) { stowage_headroom_of_apps_watched(instance, plan.data, plan.size, 0, c, to, nullptr); }},
  };
  for (const auto& [name, call] : calls) {
    const auto shortest = [&call = call](int tries, stowage_control* control) {
      double least = 1e9;
      for (int k = 0; k < tries; ++k) {
        const std::clock_t begin = std::clock();
        stowage_buffer answer{nullptr, 0};
        call(control, &answer);
        least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        stowage_buffer_free(&answer);
      }
      return least;
    };
    const double whole = shortest(1, nullptr);
    const stowage::Control control = with_deadline(static_cast<std::uint64_t>(std::max(1.0, whole * 100)));
    EXPECT_LT(shortest(5, control.get()), whole / 2) << name << ", " << whole << " s";
  }
  stowage_buffer_free(&plan);
  stowage_instance_free(instance);
}

// An app that runs on all nodes leaves them in time that is proportional to their number.
TEST(Session, ReplicasOnManyNodesEndAtOnce) {
  constexpr std::uint32_t kNodes = 300'000;
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<std::uint32_t> replicas = {kNodes};
  const std::vector<double> demand = {1};
  const std::vector<double> capacity = {1};
  const auto resources = builder.CreateVector(std::vector{wire::CreateResourceDirect(builder, "cpu")});
  const auto apps = wire::CreateAppsDirect(builder, nullptr, &replicas, &demand);
  const auto classes = builder.CreateVector(std::vector{wire::CreateNodeClassDirect(builder, "m", &capacity)});
  const std::vector<std::uint32_t> node_class(kNodes, 0);
  std::vector<wire::Residence> running;
  for (std::uint32_t n = 0; n < kNodes; ++n) running.emplace_back(0, n, 1);
  const auto nodes = wire::CreateNodesDirect(builder, &node_class);
  const auto residences = builder.CreateVectorOfStructs(running);
  wire::InstanceBuilder instance(builder);
  instance.add_resources(resources);
  instance.add_apps(apps);
  instance.add_classes(classes);
  instance.add_nodes(nodes);
  instance.add_running(residences);
  const Bytes bytes = finished(builder, instance.Finish(), wire::InstanceIdentifier());
  stowage_session* session = nullptr;
  stowage_error error{};
  ASSERT_EQ(stowage_session_open(bytes.data(), bytes.size(), nullptr, &session, &error), STOWAGE_OK) << error.message;
  flatbuffers::FlatBufferBuilder removal;
  const auto app = removal.CreateString("app-0");
  wire::OperationBuilder one(removal);
  one.add_kind(wire::OperationKind::Remove);
  one.add_app(app);
  const auto list = removal.CreateVector(std::vector{one.Finish()});
  const Bytes operations = finished(removal, wire::CreateOperations(removal, 1, list), wire::OperationsIdentifier());
  const std::clock_t begin = std::clock();
  EXPECT_EQ(stowage_session_apply(session, operations.data(), operations.size(), &error), STOWAGE_OK) << error.message;
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10) << "seconds; node by node, it takes minutes";
  stowage_session_free(session);
}

/// Apps of two replicas each, on nodes of one class with the same capacity of each resource.
Bytes twins(const std::vector<const char*>& names, const std::vector<double>& demand, double capacity) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<wire::Resource>> of_names;
  for (const char* name : names) of_names.push_back(wire::CreateResourceDirect(builder, name));
  const std::vector<std::uint32_t> replicas(demand.size() / names.size(), 2);
  const std::vector<double> capacities(names.size(), capacity);
  const auto resources = builder.CreateVector(of_names);
  const auto apps = wire::CreateAppsDirect(builder, nullptr, &replicas, &demand);
  const auto classes = builder.CreateVector(std::vector{wire::CreateNodeClassDirect(builder, "m", &capacities)});
  wire::InstanceBuilder made(builder);
  made.add_resources(resources);
  made.add_apps(apps);
  made.add_classes(classes);
  return finished(builder, made.Finish(), wire::InstanceIdentifier());
}

// While a long run of a session is under way.
TEST(Busy, WhoComesSecondIsToldSo) {
  constexpr std::uint32_t kSome = 2'000;
  std::vector<double> demand;
  for (std::uint32_t k = 0; k < 2 * kSome; ++k) demand.push_back(3 + k * 7919 % 31);
  const Bytes bytes = twins({"cpu", "memory"}, demand, 64);
  stowage_session* session = nullptr;
  ASSERT_EQ(stowage_session_open(bytes.data(), bytes.size(), nullptr, &session, nullptr), STOWAGE_OK);
  flatbuffers::FlatBufferBuilder wish;
  const Bytes asked = finished(wish, wire::CreateRequestDirect(wish, 1, "auto", nullptr, 0, 60'000), wire::RequestIdentifier());
  stowage::Control control;
  std::thread run([&] {
    stowage_buffer plan{nullptr, 0};
    EXPECT_EQ(stowage_session_plan(session, asked.data(), asked.size(), control.get(), &plan, nullptr), STOWAGE_OK);
    stowage_buffer_free(&plan);
  });
  while (control.progress().work == 0) std::this_thread::yield();
  stowage_buffer answer{nullptr, 0};
  EXPECT_EQ(stowage_session_snapshot(session, &answer, nullptr), STOWAGE_BUSY);
  EXPECT_EQ(answer.data, nullptr);
  EXPECT_EQ(stowage_check(STOWAGE_KIND_INSTANCE, bytes.data(), bytes.size(), nullptr, control.get(), nullptr), STOWAGE_BUSY);
  control.cancel();
  control.reset();
  EXPECT_NE(control.progress().cancelled, 0u) << "a reset during a run loses no cancel";
  run.join();
  EXPECT_EQ(stowage_session_snapshot(session, &answer, nullptr), STOWAGE_OK);
  stowage_buffer_free(&answer);
  stowage_session_free(session);
}

// Whoever comes second is told so, whatever both do; nothing else happens to them.
TEST(Busy, SessionsAndControlsServeOneCallAtATime) {
  stowage_session* session = nullptr;
  const Bytes bytes = twins({"cpu"}, std::vector<double>(50, 1), 4);
  ASSERT_EQ(stowage_session_open(bytes.data(), bytes.size(), nullptr, &session, nullptr), STOWAGE_OK);
  stowage_instance* instance = nullptr;
  ASSERT_EQ(stowage_instance_load(bytes.data(), bytes.size(), nullptr, &instance, nullptr), STOWAGE_OK);
  const stowage::Control control;
  const Bytes asked = request("ff", false);
  stowage_buffer plan{nullptr, 0};
  ASSERT_EQ(stowage_plan(instance, asked.data(), asked.size(), nullptr, &plan, nullptr), STOWAGE_OK);

  const auto buffer_call = [](const std::function<stowage_status(stowage_buffer*)>& call) {
    stowage_buffer answer{nullptr, 0};
    const stowage_status status = call(&answer);
    EXPECT_EQ(answer.data != nullptr, status == STOWAGE_OK) << status;
    stowage_buffer_free(&answer);
    return status;
  };
  const std::vector<std::function<stowage_status()>> calls = {
      [&] {
        stowage_instance* loaded = nullptr;
        const auto status = stowage_instance_load_watched(bytes.data(), bytes.size(), nullptr, control.get(), &loaded, nullptr);
        stowage_instance_free(loaded);
        return status;
      },
      [&] {
        return buffer_call([&](auto* to) { return stowage_instance_save_watched(instance, control.get(), to, nullptr); });
      },
      [&] {
        return buffer_call(
            [&](auto* to) { return stowage_plan(instance, asked.data(), asked.size(), control.get(), to, nullptr); });
      },
      [&] {
        return buffer_call(
            [&](auto* to) { return stowage_verify_watched(instance, plan.data, plan.size, control.get(), to, nullptr); });
      },
      [&] {
        return buffer_call([&](auto* to) {
          return stowage_explain(instance, plan.data, plan.size, STOWAGE_ALL_UNPLACED, control.get(), to, nullptr);
        });
      },
      [&] { return buffer_call([&](auto* to) { return stowage_bound_watched(instance, control.get(), to, nullptr); }); },
      [&] { return stowage_check(STOWAGE_KIND_PLAN, plan.data, plan.size, nullptr, control.get(), nullptr); },
      [&] {
        stowage_instance* batch = nullptr;
        const auto status = stowage_session_instance_watched(session, control.get(), &batch, nullptr);
        stowage_instance_free(batch);
        return status;
      },
      [&] {
        return buffer_call(
            [&](auto* to) { return stowage_session_plan(session, asked.data(), asked.size(), nullptr, to, nullptr); });
      },
      [&] {
        return buffer_call([&](auto* to) {
          return stowage_session_commit(session, plan.data, plan.size, STOWAGE_COMMIT_FITTING, to, nullptr);
        });
      },
      [&] { return stowage_session_reject(session, plan.data, plan.size, nullptr); },
      [&] { return buffer_call([&](auto* to) { return stowage_session_snapshot(session, to, nullptr); }); },
      [&] {
        stowage_control_reset(control.get());
        return STOWAGE_OK;
      },
  };
  std::atomic<int> done{0};
  std::atomic<bool> known{true};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t k = 0; k < 200; ++k) {
        const stowage_status status = calls[(t * 5 + k * (t + 1)) % calls.size()]();
        // A plan can be for no remembered state once another thread has rejected it.
        known = known && (status == STOWAGE_OK || status == STOWAGE_BUSY || status == STOWAGE_INVALID);
        done += status == STOWAGE_OK ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(known);
  EXPECT_GT(done, 0);
  // Nobody uses them any more.
  EXPECT_EQ(calls[0](), STOWAGE_OK);
  EXPECT_EQ(calls.back()(), STOWAGE_OK);
  EXPECT_EQ(buffer_call([&](auto* to) { return stowage_session_snapshot(session, to, nullptr); }), STOWAGE_OK);
  stowage_buffer_free(&plan);
  stowage_instance_free(instance);
  stowage_session_free(session);
}

}  // namespace
