// Operations and snapshots with one thing wrong: the status and the path of the call, and that the session does not change.
#include <algorithm>

#include "tests/bad_input/harness.h"

namespace stowage::test {
namespace {

stowage_buffer snapshot_of(const stowage_session* session) {
  stowage_buffer buffer{nullptr, 0};
  EXPECT_EQ(stowage_session_snapshot(session, &buffer, nullptr), STOWAGE_OK);
  return buffer;
}

wire::OperationsT one_operation(const std::function<void(wire::OperationT&)>& fill) {
  wire::OperationsT all;
  all.operations.push_back(std::make_unique<wire::OperationT>());
  all.operations[0]->kind = wire::OperationKind::Submit;
  all.operations[0]->app = "new";
  all.operations[0]->demand = {1, 1};
  fill(*all.operations[0]);
  return all;
}

class SessionTable : public ::testing::Test {
 protected:
  Outcome apply(ByteView bytes) {
    const Buffer before = session_.snapshot();
    stowage_error error{};
    const stowage_status status = stowage_session_apply(session_.get(), bytes.data(), bytes.size(), &error);
    if (status != STOWAGE_OK) {
      const Buffer after = session_.snapshot();
      EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end()));
    }
    return outcome(status, error);
  }
  void expect(const std::function<void(wire::OperationT&)>& fill, stowage_status status, const std::string& path) {
    const Outcome result = apply(pack(one_operation(fill)));
    EXPECT_EQ(result.status, status) << result.message;
    EXPECT_EQ(result.path, path) << result.message;
  }

  Session session_ = Session::open(pack(full_instance()));
};

TEST_F(SessionTable, WhatTheDecoderRefuses) {
  expect([](auto& o) { o.kind = static_cast<wire::OperationKind>(200); }, STOWAGE_INVALID, "operations[0].kind");
  expect([](auto& o) { o.app = "\xC0\x80"; }, STOWAGE_MALFORMED, "operations[0].app");
  expect([](auto& o) { o.tags = {"fine", "\xFF"}; }, STOWAGE_MALFORMED, "operations[0].tags[1]");
  expect([](auto& o) { o.limit_app = {"\xED\xA0\x80"}; }, STOWAGE_MALFORMED, "operations[0].limit_app[0]");
  const auto rule = [](const std::function<void(wire::NamedRuleT&)>& spoil) {
    return [spoil](wire::OperationT& o) {
      o.kind = wire::OperationKind::AddRule;
      o.rule = std::make_unique<wire::NamedRuleT>();
      o.rule->name = "rule";
      o.rule->any_of.push_back(std::make_unique<wire::NamedConjunctionT>());
      o.rule->any_of[0]->all_of.push_back(std::make_unique<wire::NamedCardinalityT>());
      o.rule->any_of[0]->all_of[0]->subject = {"front"};
      o.rule->any_of[0]->all_of[0]->target = {"front"};
      spoil(*o.rule);
    };
  };
  expect(rule([](auto&) {}), STOWAGE_OK, "");
  expect(rule([](auto& r) { r.origin = 2; }), STOWAGE_INVALID, "operations[0].rule.origin");
  expect(rule([](auto& r) { r.name = "\xFF"; }), STOWAGE_MALFORMED, "operations[0].rule.name");
  expect(rule([](auto& r) { r.name = ""; }), STOWAGE_INVALID, "operations[0].rule.name");
  expect(rule([](auto& r) { r.name = "n", r.any_of.clear(); }), STOWAGE_INVALID, "operations[0].rule.any_of");
  expect(rule([](auto& r) { r.name = "n", r.weight = -1; }), STOWAGE_INVALID, "operations[0].rule.weight");
  expect(rule([](auto& r) { r.name = "n", r.any_of[0]->all_of.clear(); }), STOWAGE_INVALID,
         "operations[0].rule.any_of[0].all_of");
  expect(rule([](auto& r) { r.any_of[0]->all_of[0]->kind = 3; }), STOWAGE_INVALID,
         "operations[0].rule.any_of[0].all_of[0].kind");
  expect(rule([](auto& r) { r.name = "n", r.any_of[0]->all_of[0]->min = 3, r.any_of[0]->all_of[0]->max = 2; }), STOWAGE_INVALID,
         "operations[0].rule.any_of[0].all_of[0].min");
  expect(rule([](auto& r) { r.name = "n", r.any_of[0]->all_of[0]->subject.clear(); }), STOWAGE_INVALID,
         "operations[0].rule.any_of[0].all_of[0].subject");
}

TEST_F(SessionTable, BytesThatAreNoOperations) {
  const Bytes good = pack(one_operation([](auto& o) { o.app_kind = 1; }));
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Outcome result = apply(ByteView(good.data(), size));
    ASSERT_EQ(result.status, STOWAGE_MALFORMED) << size;
  }
  EXPECT_EQ(apply(pack(tiny_instance())).status, STOWAGE_MALFORMED) << "another kind of buffer";
  wire::OperationsT later = one_operation([](auto&) {});
  later.format = 2;
  EXPECT_EQ(apply(pack(later)).status, STOWAGE_MALFORMED);
  Bytes misaligned(1, 0);
  misaligned.insert(misaligned.end(), good.begin(), good.end());
  EXPECT_EQ(apply(ByteView(misaligned.data() + 1, good.size())).status, STOWAGE_OK);
}

// A thousand operations that share one list of a hundred thousand tags: 400 kB unfold to gigabytes.
TEST_F(SessionTable, SharedListsDoNotUnfold) {
  flatbuffers::FlatBufferBuilder builder;
  const auto tag = builder.CreateString("tag");
  const auto tags = builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>(100'000, tag));
  std::vector<flatbuffers::Offset<wire::Operation>> list;
  for (int k = 0; k < 1000; ++k) {
    wire::OperationBuilder operation(builder);
    operation.add_tags(tags);
    list.push_back(operation.Finish());
  }
  wire::FinishOperationsBuffer(builder, wire::CreateOperations(builder, 1, builder.CreateVector(list)));
  EXPECT_EQ(apply(ByteView(builder.GetBufferPointer(), builder.GetSize())).status, STOWAGE_LIMIT_EXCEEDED);
}

TEST(SessionArguments, NullAndUnknown) {
  const Bytes bytes = pack(tiny_instance());
  stowage_error error{};
  stowage_session* session = nullptr;
  stowage_buffer buffer{nullptr, 0};
  stowage_instance* instance = nullptr;
  EXPECT_EQ(stowage_session_open(nullptr, 0, nullptr, &session, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_open(bytes.data(), bytes.size(), nullptr, nullptr, &error), STOWAGE_INVALID_ARGUMENT);
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.struct_size += 8;
  EXPECT_EQ(stowage_session_open(bytes.data(), bytes.size(), &limits, &session, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_STREQ(error.path, "limits.struct_size");
  stowage_session_free(nullptr);
  EXPECT_EQ(stowage_session_version(nullptr), 0u);
  EXPECT_EQ(stowage_session_apply(nullptr, bytes.data(), bytes.size(), &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_instance(nullptr, &instance, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_plan(nullptr, bytes.data(), bytes.size(), nullptr, &buffer, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_commit(nullptr, bytes.data(), bytes.size(), 0, &buffer, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_reject(nullptr, bytes.data(), bytes.size(), &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_snapshot(nullptr, &buffer, &error), STOWAGE_INVALID_ARGUMENT);
  ASSERT_EQ(stowage_session_open(bytes.data(), bytes.size(), nullptr, &session, &error), STOWAGE_OK);
  EXPECT_EQ(stowage_session_apply(session, nullptr, 0, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_instance(session, nullptr, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_plan(session, nullptr, 0, nullptr, &buffer, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_commit(session, nullptr, 0, 0, &buffer, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_commit(session, bytes.data(), bytes.size(), STOWAGE_COMMIT_END, &buffer, &error),
            STOWAGE_INVALID_ARGUMENT);
  EXPECT_STREQ(error.path, "mode");
  EXPECT_EQ(stowage_session_commit(session, bytes.data(), bytes.size(), 0, &buffer, &error), STOWAGE_MALFORMED);
  EXPECT_EQ(stowage_session_reject(session, bytes.data(), bytes.size(), &error), STOWAGE_MALFORMED);
  EXPECT_EQ(stowage_session_snapshot(session, nullptr, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(stowage_session_plan(session, bytes.data(), bytes.size(), nullptr, &buffer, &error), STOWAGE_MALFORMED);
  const Bytes unknown = request_for("no such planner");
  EXPECT_EQ(stowage_session_plan(session, unknown.data(), unknown.size(), nullptr, &buffer, &error), STOWAGE_NOT_FOUND);
  EXPECT_EQ(buffer.data, nullptr);
  stowage_session_free(session);
}

// Whoever reads a snapshot as an instance may read its session as well.
TEST(SessionSnapshot, IsRefusedAsAnInstanceToo) {
  const Buffer snapshot = Session::open(pack(full_instance())).snapshot();
  const std::unique_ptr<wire::InstanceT> table(wire::GetInstance(snapshot.data())->UnPack());
  ASSERT_NE(table->session, nullptr);
  EXPECT_TRUE(Loaded(pack(*table)).ok());
  table->session->node_state.pop_back();
  const Loaded loaded(pack(*table));
  EXPECT_EQ(loaded.result().status, STOWAGE_INVALID);
  EXPECT_EQ(loaded.result().path, "session.node_state");
}

// A snapshot with any byte changed is either refused or opened.
TEST(SessionSnapshot, ChangedBytes) {
  const Session session = Session::open(pack(full_instance()));
  const Buffer snapshot = session.snapshot();
  const stowage_limits limits = small_limits();
  int opened = 0;
  for (std::size_t k = 0; k < snapshot.size(); ++k) {
    Bytes bytes(snapshot.begin(), snapshot.end());
    bytes[k] = static_cast<std::uint8_t>(bytes[k] ^ (1u << (k % 8)));
    stowage_session* handle = nullptr;
    stowage_error error{};
    if (stowage_session_open(bytes.data(), bytes.size(), &limits, &handle, &error) != STOWAGE_OK) continue;
    ++opened;
    Session::open(Buffer(snapshot_of(handle)), limits);
    stowage_session_free(handle);
  }
  EXPECT_GT(opened, 0);
}

}  // namespace
}  // namespace stowage::test
