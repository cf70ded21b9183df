// A stream of commands for a session, drawn from the input: operations with any names and numbers, bytes as operations, plans,
// commits and rejections of old and new plans, and snapshots that are opened, intact or damaged. A refused command changes
// nothing. After an accepted one, the session can be planned, and its snapshot can be opened.
#include <algorithm>
#include <deque>
#include <string>

#include "report_generated.h"
#include "session_generated.h"
#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::Bytes;
using stowage::fuzz::RequestData;
using stowage::fuzz::Source;
namespace fuzz = stowage::fuzz;
namespace wire = stowage::wire;

stowage_limits session_limits() {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_apps = 12;
  limits.max_replicas = 4000;
  limits.max_limits = 60;
  limits.max_nodes = 16;
  limits.max_cells = 400;
  return limits;
}

class Stream {
 public:
  explicit Stream(Source& source)
      : source_(source), session_(stowage::Session::open(fuzz::busy_instance(), session_limits())) {}

  void run() {
    for (int steps = 0; !source_.empty() && steps < 60; ++steps) {
      switch (source_.below(12)) {
        case 0:
          plan();
          break;
        case 1:
          take();
          break;
        case 2:
          reopen();
          break;
        case 3:
          apply(noise());
          break;
        default:
          apply(operations());
      }
    }
    plan();
    reopen();
  }

 private:
  /// Arbitrary bytes, or valid ones with a few changed.
  Bytes noise() {
    Bytes bytes = source_.once_in(4) ? Bytes(1 + source_.below(60)) : operations();
    for (std::uint32_t k = source_.below(4); k > 0 && !bytes.empty(); --k) {
      bytes[source_.below(static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), 65536)))] = source_.byte();
    }
    return bytes;
  }

  std::string app_name() { return source_.once_in(12) ? std::string() : "app" + std::to_string(source_.below(6)); }
  std::string node_name() {
    return source_.once_in(4) ? "small-" + std::to_string(source_.below(4)) : "node" + std::to_string(source_.below(8));
  }
  std::vector<double> amounts() {
    std::vector<double> row(source_.pick({2u, 2u, 2u, 4u, 6u, 1u, 0u}));
    for (double& value : row) {
      value = source_.once_in(8) ? source_.pick({0.0, -1.0, 1e-100, 1e-30, 1.0 / 3, 1e6, 1e7, 1e100, 1e200, 0.1})
                                 : 0.25 * source_.below(40);
    }
    return row;
  }

  Bytes operations() {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<wire::Operation>> list;
    for (std::uint32_t k = 1 + (source_.once_in(4) ? source_.below(4) : 0); k > 0; --k) list.push_back(operation(builder));
    wire::FinishOperationsBuffer(builder, wire::CreateOperations(builder, 1, builder.CreateVector(list)));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

  flatbuffers::Offset<wire::Operation> operation(flatbuffers::FlatBufferBuilder& builder) {
    const auto kind = static_cast<wire::OperationKind>(source_.below(15));
    const auto names = [&](std::uint32_t count, const auto& name) {
      std::vector<std::string> list;
      while (list.size() < count) list.push_back(name());
      return builder.CreateVectorOfStrings(list);
    };
    const std::uint32_t limits = source_.below(4);
    const auto app = builder.CreateString(app_name());
    const auto node = builder.CreateString(node_name());
    const auto demand = builder.CreateVector(amounts());
    const auto variance = source_.once_in(3) ? builder.CreateVector(amounts()) : 0;
    const auto least = source_.once_in(6) ? builder.CreateVector(amounts()) : 0;
    const auto most = source_.once_in(6) ? builder.CreateVector(amounts()) : 0;
    const auto tags = names(source_.below(3), [&] { return "tag" + std::to_string(source_.below(3)); });
    const auto limit_app = names(limits, [&] { return app_name(); });
    std::vector<std::uint32_t> values(source_.once_in(16) ? 1 : limits);
    for (std::uint32_t& value : values) value = source_.pick({0u, 1u, 2u, 5u, 4294967295u});
    const auto at_most = builder.CreateVector(values);
    const auto node_class = builder.CreateString(source_.pick<const char*>({"small", "large", "", "none"}));
    const auto load = source_.once_in(2) ? builder.CreateVector(amounts()) : 0;
    const auto load_variance = source_.once_in(6) ? builder.CreateVector(amounts()) : 0;
    flatbuffers::Offset<wire::NamedRule> rule;
    if (kind == wire::OperationKind::AddRule || kind == wire::OperationKind::RemoveRule) {
      const auto subject = builder.CreateVectorOfStrings(std::vector<std::string>{"tag1"});
      const auto part = wire::CreateNamedCardinality(builder, source_.byte() % 4, subject, subject, source_.below(3), 5);
      const auto all_of = builder.CreateVector(std::vector{part});
      const auto any_of = builder.CreateVector(std::vector{wire::CreateNamedConjunction(builder, all_of)});
      rule = wire::CreateNamedRule(builder, builder.CreateString("rule"), any_of, source_.once_in(2), 1, source_.byte() % 3);
    }
    const auto peer = builder.CreateString(app_name());
    const std::uint32_t replicas = source_.once_in(10) ? source_.pick({0u, 4000u, 300'000u, 4294967295u}) : source_.below(9);
    wire::OperationBuilder operation(builder);
    operation.add_kind(kind);
    operation.add_app(app);
    operation.add_node(node);
    operation.add_replicas(replicas);
    operation.add_demand(demand);
    operation.add_priority(static_cast<std::int32_t>(source_.below(3)) - 1);
    operation.add_variance(variance);
    operation.add_support_min(least);
    operation.add_support_max(most);
    operation.add_tags(tags);
    operation.add_limit_app(limit_app);
    operation.add_limit_at_most(at_most);
    operation.add_node_class(node_class);
    operation.add_load(load);
    operation.add_load_variance(load_variance);
    operation.add_rule(rule);
    operation.add_peer(peer);
    operation.add_amount(source_.pick({0.0, 1.0, 2.5, -1.0, 1e300}));
    return operation.Finish();
  }

  std::uint64_t fingerprint() { return session_.instance().fingerprint(); }

  void apply(const Bytes& bytes) {
    const std::uint64_t before = fingerprint();
    const std::uint64_t version = session_.version();
    stowage_error error{};
    const stowage_status status = stowage_session_apply(session_.get(), bytes.data(), bytes.size(), &error);
    fuzz::require_status(status, error,
                         {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_NOT_FOUND, STOWAGE_LIMIT_EXCEEDED});
    // An accepted state can be planned: the call throws where the cluster is no valid instance.
    const std::uint64_t after = fingerprint();
    FUZZ_REQUIRE(status == STOWAGE_OK || (after == before && session_.version() == version), "a refusal left something behind");
  }

  void plan() {
    RequestData request;
    request.planner = source_.pick<const char*>({"ff", "bfd-avg", "wf-max"});
    request.ignore_running = source_.once_in(8);
    request.node_limit = source_.once_in(8) ? 1 + source_.below(4) : 0;
    request.compact = source_.once_in(3);
    const Bytes bytes = fuzz::encode(request);
    stowage_buffer buffer{nullptr, 0};
    stowage_error error{};
    const stowage_status status = stowage_session_plan(session_.get(), bytes.data(), bytes.size(), nullptr, &buffer, &error);
    fuzz::require_status(status, error, {STOWAGE_OK, STOWAGE_UNSUPPORTED, STOWAGE_LIMIT_EXCEEDED});
    if (status != STOWAGE_OK) return;
    plans_.emplace_back(buffer);
    if (plans_.size() > 10) plans_.pop_front();
  }

  void take() {
    if (plans_.empty()) return;
    const stowage::Buffer& plan = plans_[source_.below(static_cast<std::uint32_t>(plans_.size()))];
    Bytes bytes(plan.begin(), plan.end());
    if (source_.once_in(8)) bytes[source_.below(static_cast<std::uint32_t>(bytes.size()))] ^= source_.byte();
    const std::uint64_t before = fingerprint();
    stowage_error error{};
    if (source_.once_in(10)) {
      fuzz::require_status(stowage_session_reject(session_.get(), bytes.data(), bytes.size(), &error), error,
                           {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_MALFORMED});
      FUZZ_REQUIRE(fingerprint() == before, "reject changed the cluster");
      return;
    }
    stowage_buffer buffer{nullptr, 0};
    const stowage_status status =
        stowage_session_commit(session_.get(), bytes.data(), bytes.size(), source_.below(3), &buffer, &error);
    const stowage::Buffer report(buffer);
    fuzz::require_status(status, error, {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_MALFORMED, STOWAGE_LIMIT_EXCEEDED});
    const bool committed = status == STOWAGE_OK && wire::GetReport(report.data())->body_as_Commit()->committed();
    const std::uint64_t after = fingerprint();
    FUZZ_REQUIRE(committed || after == before, "nothing was committed, and yet the cluster is another");
  }

  void reopen() {
    const stowage::Buffer snapshot = session_.snapshot();
    Bytes bytes(snapshot.begin(), snapshot.end());
    if (source_.once_in(3)) {
      for (std::uint32_t k = 1 + source_.below(3); k > 0; --k) {
        bytes[source_.below(static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), 65536)))] = source_.byte();
      }
      const stowage_limits limits = session_limits();
      stowage_session* handle = nullptr;
      stowage_error error{};
      const stowage_status status = stowage_session_open(bytes.data(), bytes.size(), &limits, &handle, &error);
      fuzz::require_status(status, error, {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_MALFORMED, STOWAGE_LIMIT_EXCEEDED});
      stowage_session_free(handle);
      return;
    }
    stowage::Session again = stowage::Session::open(bytes, session_limits());
    FUZZ_REQUIRE(again.version() == session_.version(), "another version");
    FUZZ_REQUIRE(again.instance().fingerprint() == fingerprint(), "another cluster");
    const stowage::Buffer second = again.snapshot();
    FUZZ_REQUIRE(std::equal(second.begin(), second.end(), bytes.begin(), bytes.end()), "another snapshot");
    if (source_.once_in(2)) session_ = std::move(again);
  }

  Source& source_;
  stowage::Session session_;
  std::deque<stowage::Buffer> plans_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Source source(data, size);
  Stream(source).run();
  return 0;
}
