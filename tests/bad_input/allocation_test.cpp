// Out of memory: the Nth allocation of a call fails, for every N until the call succeeds, with operator new and with malloc.
// Each failing call returns OUT_OF_MEMORY and leaks nothing (which LeakSanitizer checks), and the instance remains usable.
// CTest runs every test in its own process, so that allocations that the library makes once per process fail too.
#include <algorithm>

#include "catalogue_generated.h"
#include "derivation_generated.h"
#include "tests/bad_input/harness.h"
#include "tests/bad_input/memory/failing_memory.h"

namespace {

using stowage::test::allowance;
using stowage::test::Bytes;
using stowage::test::kNever;
using stowage::test::Loaded;
namespace test = stowage::test;
namespace wire = stowage::wire;

/// Runs `call(error)` with 0, 1, 2, ... allocations allowed until it returns OK. Each failing call has to return OUT_OF_MEMORY,
/// and `empty()` has to hold after it. Returns the number of failing calls.
template <class Call, class Empty>
long exhaust(Call call, Empty empty) {
  for (long allowed = 0; allowed < 1'000'000; ++allowed) {
    stowage_error error{};
    allowance = allowed;
    const stowage_status status = call(&error);
    allowance = kNever;
    if (status == STOWAGE_OK) return allowed;
    EXPECT_EQ(status, STOWAGE_OUT_OF_MEMORY) << "with " << allowed << " allocations: " << error.message;
    EXPECT_EQ(error.status, status);
    EXPECT_STRNE(error.message, "");
    EXPECT_TRUE(empty()) << "with " << allowed << " allocations";
    if (::testing::Test::HasFailure()) return allowed;
  }
  ADD_FAILURE() << "never gets through";
  return 0;
}

/// The same for calls that fill a buffer. Returns the buffer of the successful call.
template <class Call>
stowage::Buffer exhaust_buffer(Call call) {
  stowage_buffer output{nullptr, 0};
  const long failures = exhaust([&](stowage_error* error) { return call(&output, error); },
                                [&] { return output.data == nullptr && output.size == 0; });
  EXPECT_GT(failures, 0);
  return stowage::Buffer(output);
}

/// A request to `planner` that uses as many features as possible.
Bytes request_for(const std::string& planner) {
  wire::RequestT request;
  request.planner = planner;
  request.node_limit = 2;     // some replicas stay unplaced and are explained
  request.work_limit = 5000;  // the same plan each time
  return test::pack(request);
}

bool same(const stowage::Buffer& a, const stowage::Buffer& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

TEST(OutOfMemory, Load) {
  for (const wire::InstanceT& data : {test::tiny_instance(), test::busy_instance(), test::full_instance()}) {
    const Bytes bytes = test::pack(data);
    stowage_instance* instance = nullptr;
    exhaust([&](stowage_error* error) { return stowage_instance_load(bytes.data(), bytes.size(), nullptr, &instance, error); },
            [&] { return instance == nullptr; });
    stowage_instance_free(instance);
  }
}

TEST(OutOfMemory, DeriveAndSave) {
  wire::DerivationT data;
  data.demand = 0.5;
  data.by_app.push_back(std::make_unique<wire::AppChangeT>());
  data.by_app[0]->name = "web";
  data.by_app[0]->replicas = 5;
  data.limits = 0.5;
  const Bytes derivation = test::finished(data, wire::DerivationIdentifier());
  for (const wire::InstanceT& one : {test::busy_instance(), test::full_instance()}) {
    const Loaded instance(test::pack(one));
    stowage_instance* derived = nullptr;
    const long failures = exhaust(
        [&](stowage_error* error) {
          return stowage_instance_derive(instance.get(), derivation.data(), derivation.size(), nullptr, &derived, error);
        },
        [&] { return derived == nullptr; });
    EXPECT_GT(failures, 0);
    const stowage::Buffer saved = exhaust_buffer(
        [&](stowage_buffer* output, stowage_error* error) { return stowage_instance_save(derived, output, error); });
    EXPECT_EQ(stowage_instance_fingerprint(Loaded(saved.data(), saved.size(), nullptr).get()),
              stowage_instance_fingerprint(derived));
    stowage_instance_free(derived);
  }
}

TEST(OutOfMemory, LoadOfAMisalignedBuffer) {
  Bytes bytes = test::pack(test::busy_instance());
  const std::size_t size = bytes.size();
  bytes.insert(bytes.begin(), 3, 0);
  stowage_instance* instance = nullptr;
  exhaust([&](stowage_error* error) { return stowage_instance_load(bytes.data() + 3, size, nullptr, &instance, error); },
          [&] { return instance == nullptr; });
  stowage_instance_free(instance);
}

// The refusal needs memory for its message; without it, the call returns OUT_OF_MEMORY.
TEST(OutOfMemory, WhileRefusingAnInstance) {
  wire::InstanceT data = test::full_instance();
  data.rules[0]->any_of[0]->all_of[0]->target[0] = 9;
  const Bytes bytes = test::pack(data);
  stowage_instance* instance = nullptr;
  bool refused_in_the_end = false;
  for (long allowed = 0; allowed < 100'000 && !refused_in_the_end; ++allowed) {
    stowage_error error{};
    allowance = allowed;
    const stowage_status status = stowage_instance_load(bytes.data(), bytes.size(), nullptr, &instance, &error);
    allowance = kNever;
    refused_in_the_end = status == STOWAGE_INVALID;
    if (!refused_in_the_end) {
      ASSERT_EQ(status, STOWAGE_OUT_OF_MEMORY) << allowed;
    }
    ASSERT_EQ(instance, nullptr);
  }
  EXPECT_TRUE(refused_in_the_end);
}

TEST(OutOfMemory, Planners) {
  const stowage::Buffer catalogue =
      exhaust_buffer([](stowage_buffer* output, stowage_error* error) { return stowage_planners(output, error); });
  EXPECT_GT(wire::GetCatalogue(catalogue.data())->planners()->size(), 40u);
}

// The first run of a process sets up the table of planners.
TEST(OutOfMemory, FirstPlanOfAProcess) {
  const Loaded instance(test::pack(test::busy_instance()));
  const Bytes request = request_for("ff");
  const stowage::Buffer plan = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_plan(instance.get(), request.data(), request.size(), nullptr, output, error);
  });
  EXPECT_TRUE(test::verify(instance, plan).verification().ok());
}

TEST(OutOfMemory, PlanOfEveryPlanner) {
  const stowage::Buffer catalogue = stowage::planners();
  const Loaded busy(test::pack(test::busy_instance()));
  wire::InstanceT of_one_kind = test::tiny_instance();
  of_one_kind.apps->kind = {0};
  of_one_kind.interference = std::make_unique<wire::InterferenceT>();
  of_one_kind.interference->coefficient = {1};
  const Loaded plain(test::pack(of_one_kind));
  for (const auto* info : *wire::GetCatalogue(catalogue.data())->planners()) {
    if (info->needs_solver()) continue;
    SCOPED_TRACE(info->name()->str());
    const auto pursues = [&](const char* objective) {
      return std::any_of(info->objectives()->begin(), info->objectives()->end(),
                         [&](const auto* name) { return name->string_view() == objective; });
    };
    wire::RequestT wish;
    wish.planner = info->name()->str();
    if (!pursues("nodes") && pursues("admitted")) {
      wish.objective = wire::Objective::Admitted;
    } else if (!pursues("nodes")) {
      ASSERT_TRUE(pursues("worst"));
      wish.objective = wire::Objective::Worst;
      wish.node_limit = 2;
    }
    const Bytes request = test::pack(wish);
    // Some planners do not honour all features of the busy instance.
    const Loaded& instance = test::plan(busy, request).result.status == STOWAGE_UNSUPPORTED ? plain : busy;
    const stowage::Buffer plan = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
      return stowage_plan(instance.get(), request.data(), request.size(), nullptr, output, error);
    });
    ASSERT_FALSE(HasFailure());
    // The instance is unchanged.
    EXPECT_TRUE(same(test::plan(instance, request).buffer, plan));
    EXPECT_TRUE(test::verify(instance, plan).verification().ok());
  }
}

TEST(OutOfMemory, VerifyExplainAndBound) {
  const Loaded instance(test::pack(test::busy_instance()));
  const test::Answer plan = test::plan(instance, request_for("ff"));
  ASSERT_TRUE(plan.ok());
  ASSERT_GT(plan.plan().unplaced()->size(), 0u);
  const stowage::Buffer report = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify(instance.get(), plan.buffer.data(), plan.buffer.size(), output, error);
  });
  EXPECT_TRUE(same(report, test::verify(instance, plan.buffer).buffer));
  const stowage::Buffer explanation = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_explain(instance.get(), plan.buffer.data(), plan.buffer.size(), STOWAGE_ALL_UNPLACED, nullptr, output,
                           error);
  });
  EXPECT_TRUE(same(explanation, test::explain(instance, plan.buffer).buffer));
  const stowage::Buffer order = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_order_moves(instance.get(), plan.buffer.data(), plan.buffer.size(), 1, 0.5, nullptr, output, error);
  });
  EXPECT_TRUE(same(order, test::order_moves(instance, plan.buffer, 1, 0.5).buffer));
  const stowage::Buffer headroom = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_headroom(instance.get(), plan.buffer.data(), plan.buffer.size(), 0, 0, output, error);
  });
  EXPECT_TRUE(same(headroom, test::headroom(instance, plan.buffer, 0, 0).buffer));
  const stowage::Buffer every = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_headroom_of_apps(instance.get(), plan.buffer.data(), plan.buffer.size(), 0, output, error);
  });
  EXPECT_TRUE(same(every, test::headroom_of_apps(instance, plan.buffer).buffer));
  const stowage::Buffer losses = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_losses(instance.get(), plan.buffer.data(), plan.buffer.size(), nullptr, 0, nullptr, 0, nullptr, output,
                          error);
  });
  EXPECT_TRUE(same(losses, test::losses(instance, plan.buffer).buffer));
  const stowage::Buffer bounds = exhaust_buffer(
      [&](stowage_buffer* output, stowage_error* error) { return stowage_bound(instance.get(), output, error); });
  EXPECT_TRUE(same(bounds, test::bound(instance).buffer));
}

TEST(OutOfMemory, Control) {
  stowage_control* control = nullptr;
  const long failures =
      exhaust([&](stowage_error* error) { return stowage_control_new(&control, error); }, [&] { return control == nullptr; });
  EXPECT_GT(failures, 0);
  stowage_control_free(control);
}

// Many violations make long lists, so that the allocations of the report fail too.
TEST(OutOfMemory, VerifyOfAHostilePlan) {
  const Loaded instance(test::pack(test::busy_instance()));
  wire::PlanT hostile;
  hostile.planner = "hostile";
  for (std::uint32_t k = 0; k < 300; ++k) {
    hostile.node_class.push_back(k % 3);
    hostile.listed.push_back(k % 4);
    hostile.placed.emplace_back(k % 4, k % 301, k % 5);
    hostile.unplaced.emplace_back(k % 5, k % 3);
  }
  const Bytes bytes = test::pack(hostile);
  const stowage::Buffer report = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify(instance.get(), bytes.data(), bytes.size(), output, error);
  });
  EXPECT_TRUE(same(report, test::verify(instance, bytes).buffer));
}

/// Operations of every kind, on the busy instance.
wire::OperationsT many_operations() {
  wire::OperationsT all;
  const auto add = [&](wire::OperationKind kind) -> wire::OperationT& {
    all.operations.push_back(std::make_unique<wire::OperationT>());
    all.operations.back()->kind = kind;
    return *all.operations.back();
  };
  wire::OperationT& submit = add(wire::OperationKind::Submit);
  submit.app = "a long name that needs memory of its own";
  submit.replicas = 3;
  submit.demand = {1, 1};
  submit.tags = {"front", "another long name of a tag that is new"};
  submit.limit_app = {submit.app, "an app of a long name that is not there yet"};
  submit.limit_at_most = {2, 17};
  submit.variance = {0.25, 0};
  wire::OperationT& join = add(wire::OperationKind::AddNode);
  join.node = "a node with a long name that needs memory";
  join.node_class = "small";
  join.load = {1, 1};
  wire::OperationT& pin = add(wire::OperationKind::Pin);
  pin.app = submit.app;
  pin.node = join.node;
  pin.replicas = 1;
  wire::OperationT& scale = add(wire::OperationKind::Scale);
  scale.app = submit.app;
  scale.replicas = 2;
  for (const auto kind : {wire::OperationKind::Drain, wire::OperationKind::Uncordon, wire::OperationKind::Cordon,
                          wire::OperationKind::Fail, wire::OperationKind::Uncordon}) {
    add(kind).node = join.node;
  }
  wire::OperationT& rule = add(wire::OperationKind::AddRule);
  rule.rule = std::make_unique<wire::NamedRuleT>();
  rule.rule->name = "a rule with a name that needs memory of its own";
  rule.rule->any_of.push_back(std::make_unique<wire::NamedConjunctionT>());
  rule.rule->any_of[0]->all_of.push_back(std::make_unique<wire::NamedCardinalityT>());
  rule.rule->any_of[0]->all_of[0]->subject = {"front"};
  rule.rule->any_of[0]->all_of[0]->target = {"front"};
  wire::OperationT& no_rule = add(wire::OperationKind::RemoveRule);
  no_rule.rule = std::make_unique<wire::NamedRuleT>();
  no_rule.rule->name = rule.rule->name;
  return all;
}

/// A session with its last known state, to check that a failing call does not change it.
class WatchedSession {
 public:
  explicit WatchedSession(const Bytes& bytes) : session_(stowage::Session::open(bytes)) { look(); }
  [[nodiscard]] stowage_session* get() const { return session_.get(); }
  void look() {
    version_ = session_.version();
    snapshot_ = session_.snapshot();
  }
  /// Whether the session is as it was at the last look().
  [[nodiscard]] bool unchanged() const {
    const long before = allowance.exchange(kNever);
    const bool same_again = session_.version() == version_ && same(session_.snapshot(), snapshot_);
    allowance = before;
    return same_again;
  }

 private:
  stowage::Session session_;
  std::uint64_t version_ = 0;
  stowage::Buffer snapshot_;
};

TEST(OutOfMemory, SessionOpenAndSnapshot) {
  const Bytes bytes = test::pack(test::full_instance());
  stowage_session* session = nullptr;
  exhaust([&](stowage_error* error) { return stowage_session_open(bytes.data(), bytes.size(), nullptr, &session, error); },
          [&] { return session == nullptr; });
  const stowage::Buffer snapshot = exhaust_buffer(
      [&](stowage_buffer* output, stowage_error* error) { return stowage_session_snapshot(session, output, error); });
  stowage_session* again = nullptr;
  exhaust([&](stowage_error* error) { return stowage_session_open(snapshot.data(), snapshot.size(), nullptr, &again, error); },
          [&] { return again == nullptr; });
  stowage_session_free(again);
  stowage_session_free(session);
}

TEST(OutOfMemory, SessionApply) {
  WatchedSession session(test::pack(test::busy_instance()));
  const Bytes operations = test::pack(many_operations());
  const long failures = exhaust(
      [&](stowage_error* error) { return stowage_session_apply(session.get(), operations.data(), operations.size(), error); },
      [&] { return session.unchanged(); });
  EXPECT_GT(failures, 50);
  EXPECT_EQ(stowage_session_version(session.get()), many_operations().operations.size());
}

TEST(OutOfMemory, SessionFromPlanToCommit) {
  WatchedSession session(test::pack(test::busy_instance()));
  const Bytes operations = test::pack(many_operations());
  ASSERT_EQ(stowage_session_apply(session.get(), operations.data(), operations.size(), nullptr), STOWAGE_OK);
  session.look();
  stowage_instance* instance = nullptr;
  exhaust([&](stowage_error* error) { return stowage_session_instance(session.get(), &instance, error); },
          [&] { return instance == nullptr && session.unchanged(); });
  stowage_instance_free(instance);
  const Bytes request = test::request_for("ff");
  const stowage::Buffer plan = exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_session_plan(session.get(), request.data(), request.size(), nullptr, output, error);
  });
  EXPECT_TRUE(session.unchanged());
  // The part of an older plan that fits, with a node that is opened and an app that was removed.
  wire::OperationsT more;
  more.operations.push_back(std::make_unique<wire::OperationT>());
  more.operations[0]->kind = wire::OperationKind::Submit;
  more.operations[0]->app = "later";
  more.operations[0]->replicas = 1;
  more.operations[0]->demand = {1, 1};
  const Bytes later = test::pack(more);
  ASSERT_EQ(stowage_session_apply(session.get(), later.data(), later.size(), nullptr), STOWAGE_OK);
  session.look();
  for (const stowage_commit_mode mode : {STOWAGE_COMMIT_EXACT, STOWAGE_COMMIT_FITTING}) {
    stowage_buffer report{nullptr, 0};
    exhaust(
        [&](stowage_error* error) {
          return stowage_session_commit(session.get(), plan.data(), plan.size(), mode, &report, error);
        },
        [&] { return report.data == nullptr && session.unchanged(); });
    const stowage::Buffer owner(report);
    const auto& commit = *wire::GetReport(owner.data())->body_as_Commit();
    EXPECT_EQ(commit.committed(), mode == STOWAGE_COMMIT_FITTING);
    session.look();
  }
  const stowage::Buffer next =
      test::ask([&](stowage_buffer* output, stowage_error* error) {
        return stowage_session_plan(session.get(), request.data(), request.size(), nullptr, output, error);
      }).buffer;
  exhaust([&](stowage_error* error) { return stowage_session_reject(session.get(), plan.data(), plan.size(), error); },
          [&] { return session.unchanged(); });
  stowage_buffer report{nullptr, 0};
  exhaust(
      [&](stowage_error* error) {
        return stowage_session_commit(session.get(), next.data(), next.size(), STOWAGE_COMMIT_EXACT, &report, error);
      },
      [&] { return report.data == nullptr && session.unchanged(); });
  const stowage::Buffer owner(report);
  EXPECT_TRUE(wire::GetReport(owner.data())->body_as_Commit()->committed());
}

}  // namespace
