// Malformed buffers: cut short, changed, misaligned, of another kind or a later version, and huge ones.
#include <sys/mman.h>

#include <algorithm>
#include <array>

#include "tests/bad_input/harness.h"
#include "tests/effort.h"

namespace {

using stowage::test::Answer;
using stowage::test::Bytes;
using stowage::test::Loaded;
namespace test = stowage::test;
namespace wire = stowage::wire;

bool same(const stowage::Buffer& a, const stowage::Buffer& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// Uses a loaded instance in all calls: if loading accepts an instance, no later call may fail with an internal error.
void use(const Loaded& instance) {
  EXPECT_EQ(test::bound(instance).result.status, STOWAGE_OK);
  const Answer plan = test::plan(instance, test::request_for("ff", 1000));
  if (!plan.ok()) {
    EXPECT_TRUE(plan.result.status == STOWAGE_UNSUPPORTED || plan.result.status == STOWAGE_LIMIT_EXCEEDED)
        << plan.result.message;
    return;
  }
  const Answer report = test::verify(instance, plan.buffer);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.verification().ok());
}

void expect_loads_or_refuses(const Bytes& bytes) {
  const stowage_limits limits = test::small_limits();
  const Loaded instance(bytes, &limits);
  if (instance.ok()) {
    use(instance);
    return;
  }
  const stowage_status status = instance.result().status;
  EXPECT_TRUE(status == STOWAGE_MALFORMED || status == STOWAGE_INVALID || status == STOWAGE_LIMIT_EXCEEDED)
      << stowage_status_text(status) << ": " << instance.result().message;
}

/// A plan of the busy instance with entries in every table.
Bytes some_plan(const Loaded& instance) {
  const Answer plan = test::plan(instance, test::request_for("wfd-max"));
  EXPECT_TRUE(plan.ok());
  return {plan.buffer.begin(), plan.buffer.end()};
}

Bytes some_request() {
  wire::RequestT request;
  request.planner = "bfd-avgexp";
  request.options.push_back(std::make_unique<wire::OptionT>());
  request.options[0]->name = "alpha";
  request.options[0]->number = 0.5;
  request.seed = 3;
  request.work_limit = 1000;
  request.node_limit = 7;
  request.move_budget = 1;
  return test::pack(request);
}

TEST(Bytes, InstancesCutShort) {
  for (const Bytes& whole : {test::pack(test::tiny_instance()), test::pack(test::full_instance())}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // A copy of this size, so that sanitizers see a read past its end.
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const Loaded instance(size == 0 ? whole.data() : cut.data(), size, nullptr);
      // The last bytes may be padding, and not missed.
      if (size + 8 < whole.size()) {
        EXPECT_EQ(instance.result().status, STOWAGE_MALFORMED) << size;
      }
      if (instance.ok()) use(instance);
    }
  }
}

TEST(Bytes, EveryByteOfATinyInstanceSetToEveryValue) {
  const Bytes whole = test::pack(test::tiny_instance());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes changed = whole;
    for (std::size_t value = at % test::kShare; value < 256; value += test::kShare) {
      if (value == whole[at]) continue;
      changed[at] = static_cast<std::uint8_t>(value);
      expect_loads_or_refuses(changed);
      if (HasFailure()) FAIL() << "byte " << at << " = " << value;
    }
  }
}

TEST(Bytes, EveryByteOfALargerInstanceChanged) {
  for (const Bytes& whole : {test::pack(test::busy_instance()), test::pack(test::full_instance())}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      Bytes changed = whole;
      const std::array values = {0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF, whole[at] ^ 0x01, whole[at] ^ 0x10, whole[at] + 1};
      for (std::size_t k = at % test::kShare; k < values.size(); k += test::kShare) {
        changed[at] = static_cast<std::uint8_t>(values[k]);
        expect_loads_or_refuses(changed);
        if (HasFailure()) FAIL() << "byte " << at << " = " << values[k];
      }
    }
  }
}

TEST(Bytes, RequestsCutShortAndChanged) {
  const Loaded instance(test::pack(test::busy_instance()));
  const Bytes whole = some_request();
  ASSERT_TRUE(test::plan(instance, whole).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Answer plan = test::plan(instance, {size == 0 ? whole.data() : cut.data(), size});
    if (size + 8 < whole.size()) {
      EXPECT_EQ(plan.result.status, STOWAGE_MALFORMED) << size;
    }
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes changed = whole;
    for (std::size_t value = at % test::kShare; value < 256; value += test::kShare) {
      changed[at] = static_cast<std::uint8_t>(value);
      const Answer plan = test::plan(instance, changed);
      if (plan.ok()) {
        EXPECT_TRUE(test::verify(instance, plan.buffer).verification().ok());
      } else {
        EXPECT_NE(plan.result.status, STOWAGE_INTERNAL) << plan.result.message;
      }
      if (HasFailure()) FAIL() << "byte " << at << " = " << value;
    }
  }
}

TEST(Bytes, PlansCutShortAndChanged) {
  const Loaded instance(test::pack(test::busy_instance()));
  const Bytes whole = some_plan(instance);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const std::uint8_t* data = size == 0 ? whole.data() : cut.data();
    const Answer report = test::verify(instance, {data, size});
    if (size + 8 < whole.size()) {
      EXPECT_EQ(report.result.status, STOWAGE_MALFORMED) << size;
      EXPECT_EQ(test::explain(instance, {data, size}).result.status, STOWAGE_MALFORMED) << size;
      EXPECT_EQ(test::headroom(instance, {data, size}, 0).result.status, STOWAGE_MALFORMED) << size;
      EXPECT_EQ(test::order_moves(instance, {data, size}, 0, 1).result.status, STOWAGE_MALFORMED) << size;
      EXPECT_EQ(test::headroom_of_apps(instance, {data, size}).result.status, STOWAGE_MALFORMED) << size;
      EXPECT_EQ(test::losses(instance, {data, size}).result.status, STOWAGE_MALFORMED) << size;
    }
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes changed = whole;
    for (std::size_t value = at % test::kShare; value < 256; value += test::kShare) {
      changed[at] = static_cast<std::uint8_t>(value);
      const Answer report = test::verify(instance, changed);
      EXPECT_TRUE(report.ok() || report.result.status == STOWAGE_MALFORMED) << report.result.message;
      const stowage_status explained = test::explain(instance, changed).result.status;
      EXPECT_TRUE(explained == STOWAGE_OK || explained == STOWAGE_MALFORMED || explained == STOWAGE_INVALID);
      // Headroom asks the same of a plan as an explanation, the order of moves the same as the checker.
      EXPECT_EQ(test::headroom(instance, changed, 0).result.status, explained);
      EXPECT_EQ(test::headroom_of_apps(instance, changed).result.status, explained);
      const stowage_status ordered = test::order_moves(instance, changed, 0, 1).result.status;
      EXPECT_EQ(test::losses(instance, changed).result.status, ordered);
      if (report.ok() && report.verification().ok()) {
        EXPECT_EQ(explained, STOWAGE_OK);
        EXPECT_EQ(ordered, STOWAGE_OK);
      } else {
        EXPECT_EQ(ordered, report.ok() ? STOWAGE_INVALID : STOWAGE_MALFORMED);
      }
      if (HasFailure()) FAIL() << "byte " << at << " = " << value;
    }
  }
}

TEST(Bytes, AnyAlignment) {
  const Bytes instance_bytes = test::pack(test::busy_instance());
  const Bytes request_bytes = some_request();
  const Loaded straight(instance_bytes);
  ASSERT_TRUE(straight.ok());
  const Answer expected = test::plan(straight, request_bytes);
  ASSERT_TRUE(expected.ok());
  const Answer expected_report = test::verify(straight, expected.buffer);
  const Answer expected_explanation = test::explain(straight, expected.buffer);
  const auto shifted = [](stowage::ByteView bytes, std::size_t by) {
    Bytes result(by);
    result.insert(result.end(), bytes.data(), bytes.data() + bytes.size());
    return result;
  };
  for (std::size_t by = 1; by < 8; ++by) {
    const Bytes moved_instance = shifted(instance_bytes, by);
    const Bytes moved_request = shifted(request_bytes, by);
    const Bytes moved_plan = shifted(expected.buffer, by);
    const Loaded instance(moved_instance.data() + by, instance_bytes.size(), nullptr);
    ASSERT_TRUE(instance.ok()) << by;
    const Answer plan = test::plan(instance, {moved_request.data() + by, request_bytes.size()});
    EXPECT_TRUE(same(plan.buffer, expected.buffer)) << by;
    const stowage::ByteView plan_view(moved_plan.data() + by, expected.buffer.size());
    EXPECT_TRUE(same(test::verify(instance, plan_view).buffer, expected_report.buffer)) << by;
    EXPECT_TRUE(same(test::explain(instance, plan_view).buffer, expected_explanation.buffer)) << by;
    // An empty buffer at a misaligned address.
    EXPECT_EQ(Loaded(moved_instance.data() + by, 0, nullptr).result().status, STOWAGE_MALFORMED);
  }
}

TEST(Bytes, OfAnotherKind) {
  const Bytes instance_bytes = test::pack(test::busy_instance());
  const Loaded instance(instance_bytes);
  const Bytes request_bytes = some_request();
  const Bytes plan_bytes = some_plan(instance);
  for (const Bytes& wrong : {request_bytes, plan_bytes}) {
    EXPECT_EQ(Loaded(wrong).result().status, STOWAGE_MALFORMED);
    EXPECT_NE(Loaded(wrong).result().message.find("STOI"), std::string::npos);
  }
  EXPECT_EQ(test::plan(instance, instance_bytes).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::plan(instance, plan_bytes).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::verify(instance, request_bytes).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::explain(instance, instance_bytes).result.status, STOWAGE_MALFORMED);
  // Valid content without a file identifier.
  flatbuffers::FlatBufferBuilder builder;
  const wire::InstanceT content = test::tiny_instance();
  builder.Finish(wire::Instance::Pack(builder, &content));
  EXPECT_EQ(Loaded(builder.GetBufferPointer(), builder.GetSize(), nullptr).result().status, STOWAGE_MALFORMED);
}

TEST(Bytes, OfALaterFormat) {
  wire::InstanceT later = test::tiny_instance();
  later.format = 2;
  EXPECT_EQ(Loaded(test::pack(later)).result().status, STOWAGE_MALFORMED);
  EXPECT_NE(Loaded(test::pack(later)).result().message.find("later format"), std::string::npos);

  const Loaded instance(test::pack(test::busy_instance()));
  wire::RequestT request;
  request.planner = "ff";
  request.format = 65535;
  EXPECT_EQ(test::plan(instance, test::pack(request)).result.status, STOWAGE_MALFORMED);
  wire::PlanT plan;
  plan.planner = "ff";
  plan.format = 2;
  EXPECT_EQ(test::verify(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
  EXPECT_EQ(test::explain(instance, test::pack(plan)).result.status, STOWAGE_MALFORMED);
}

// The address space is reserved, but no memory: the call has to refuse the buffer by its size alone.
TEST(Bytes, OfTwoGibibytesAndMore) {
  for (const std::size_t size : {(std::size_t{1} << 31) - 1, std::size_t{1} << 31, (std::size_t{1} << 32) + 4096}) {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    auto* const bytes = static_cast<std::uint8_t*>(memory);
    const Bytes start = test::pack(test::tiny_instance());
    std::copy(start.begin(), start.end(), bytes);
    EXPECT_EQ(Loaded(bytes, size, nullptr).result().status, STOWAGE_LIMIT_EXCEEDED) << size;
    stowage_limits limits = STOWAGE_LIMITS_INIT;
    limits.max_bytes = UINT64_MAX;
    EXPECT_EQ(Loaded(bytes, size, &limits).result().status, STOWAGE_LIMIT_EXCEEDED) << size;
    const Loaded instance(start);
    EXPECT_EQ(test::plan(instance, {bytes, size}).result.status, STOWAGE_MALFORMED) << size;
    EXPECT_EQ(test::verify(instance, {bytes, size}).result.status, STOWAGE_MALFORMED) << size;
    EXPECT_EQ(test::explain(instance, {bytes, size}).result.status, STOWAGE_MALFORMED) << size;
    munmap(memory, size);
  }
}

/// Lists that repeat one string or table many times: 8 bytes of buffer unfold to a thousand bytes of memory.
TEST(Bytes, ThatUnfoldToMuchMoreThanTheirSize) {
  constexpr std::size_t kMany = 20'000;
  const auto instance_with = [](bool shared_names, bool shared_classes) {
    flatbuffers::FlatBufferBuilder builder;
    const auto text = builder.CreateString(std::string(kMany, 'x'));
    const std::vector<flatbuffers::Offset<flatbuffers::String>> texts(kMany, text);
    const auto list = builder.CreateVector(texts);
    const std::vector<std::uint32_t> replicas(shared_names ? kMany : 1, 1);
    const std::vector<double> demand(replicas.size(), 1);
    const auto replica_column = builder.CreateVector(replicas);
    const auto demand_column = builder.CreateVector(demand);
    wire::AppsBuilder apps(builder);
    apps.add_replicas(replica_column);
    apps.add_demand(demand_column);
    if (shared_names) apps.add_names(list);
    const auto app_table = apps.Finish();
    const auto capacity = builder.CreateVector(std::vector<double>{8});
    wire::NodeClassBuilder node_class(builder);
    node_class.add_capacity(capacity);
    if (shared_classes) node_class.add_labels(list);
    const auto class_table = node_class.Finish();
    const auto classes =
        builder.CreateVector(std::vector<flatbuffers::Offset<wire::NodeClass>>(shared_classes ? kMany : 1, class_table));
    const auto resources = builder.CreateVector(std::vector{wire::CreateResourceDirect(builder, "cpu")});
    wire::InstanceBuilder instance(builder);
    instance.add_resources(resources);
    instance.add_apps(app_table);
    instance.add_classes(classes);
    builder.Finish(instance.Finish(), wire::InstanceIdentifier());
    return Bytes(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  };
  EXPECT_EQ(Loaded(instance_with(true, false)).result().status, STOWAGE_LIMIT_EXCEEDED);
  EXPECT_EQ(Loaded(instance_with(false, true)).result().status, STOWAGE_LIMIT_EXCEEDED);
  EXPECT_EQ(Loaded(instance_with(false, false)).result().status, STOWAGE_OK);
}

}  // namespace
