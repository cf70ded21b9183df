// stowage_check(): each field of each kind of buffer, spoiled in every way that a reader would trip over. The buffers are made
// of schema_rows.h, so that a new field is among them.

#include <cstring>
#include <functional>
#include <set>

#include "catalogue_generated.h"
#include "derivation_generated.h"
#include "learning_generated.h"
#include "tests/bad_input/check/synthetic.h"
#include "tests/bad_input/harness.h"

namespace {

using namespace stowage;
using capi::Count;
using capi::Length;
using capi::Part;
using test::Bytes;
using test::Outcome;
using test::Place;

constexpr std::uint32_t kKinds = 8;

Outcome check(std::uint32_t kind, const Bytes& bytes, const stowage_limits* limits = nullptr) {
  stowage_error error{};
  return test::outcome(stowage_check(kind, bytes.data(), bytes.size(), limits, nullptr, &error), error);
}

template <class Value>
void put(Bytes& bytes, std::size_t at, Value value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <class Value>
Value get(const Bytes& bytes, std::size_t at) {
  Value value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Calls visit(kind, buffer) for every body of every kind.
void for_each_buffer(const std::function<void(std::uint32_t, const test::Synthetic&)>& visit) {
  for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
    for (std::size_t body = 0; body < test::bodies(kind); ++body) visit(kind, test::synthetic(kind, body));
  }
}

bool is_column(const Place& place) {
  return place.row->part == Part::kNumbers || place.row->part == Part::kTexts || place.row->part == Part::kStructs ||
         place.row->part == Part::kTables;
}

/// A copy of the buffer with the fields as spoil(copy, place) leaves them: refused with one of these statuses, and named.
void expect_refused(std::uint32_t kind, const test::Synthetic& good, const Place& place, const char* how, bool names_path,
                    const std::function<void(Bytes&)>& spoil) {
  Bytes bad = good.bytes;
  spoil(bad);
  const Outcome result = check(kind, bad);
  EXPECT_TRUE(result.status == STOWAGE_MALFORMED || result.status == STOWAGE_INVALID)
      << how << ": kind " << kind << ", " << place.path << ": " << result.status << " " << result.message;
  // An earlier field may be refused for what another one counts.
  if (!names_path) return;
  EXPECT_EQ(result.path.rfind(place.path, 0), 0u) << how << ": " << place.path << ", not " << result.path;
}

template <class Root>
bool is_verified(const Bytes& bytes, const char* identifier) {
  return flatbuffers::Verifier(bytes.data(), bytes.size()).VerifyBuffer<Root>(identifier);
}

TEST(Check, AcceptsEveryKindWithAllFields) {
  std::set<const capi::FieldRow*> seen;
  for_each_buffer([&](std::uint32_t kind, const test::Synthetic& good) {
    const Outcome result = check(kind, good.bytes);
    EXPECT_EQ(result.status, STOWAGE_OK) << kind << ": " << result.path << ": " << result.message;
    for (const Place& place : good.places) seen.insert(place.row);
    for (std::uint32_t other = 0; other < kKinds; ++other) {
      EXPECT_EQ(check(other, good.bytes).status == STOWAGE_OK, other == kind);
    }
  });
  EXPECT_EQ(seen.size(), std::size(capi::kFieldRows));
  EXPECT_TRUE(is_verified<wire::Instance>(test::synthetic(0, 0).bytes, wire::InstanceIdentifier()));
  EXPECT_TRUE(is_verified<wire::Plan>(test::synthetic(2, 0).bytes, wire::PlanIdentifier()));
  EXPECT_TRUE(is_verified<wire::Report>(test::synthetic(3, 1).bytes, wire::ReportIdentifier()));
  EXPECT_TRUE(is_verified<wire::Learning>(test::synthetic(6, 3).bytes, wire::LearningIdentifier()));
}

TEST(Check, RefusesReferencesAndNumbersOutsideOfTheBuffer) {
  for_each_buffer([&](std::uint32_t kind, const test::Synthetic& good) {
    for (const Place& place : good.places) {
      const auto refused = [&](const char* how, const std::function<void(Bytes&)>& spoil) {
        expect_refused(kind, good, place, how, false, spoil);
      };
      refused("far field", [&](Bytes& b) { put<std::uint16_t>(b, place.slot, 0xFFFC); });
      if (place.row->required) refused("absent", [&](Bytes& b) { put<std::uint16_t>(b, place.slot, 0); });
      if (place.row->part == Part::kNumber) continue;
      refused("far", [&](Bytes& b) { put<std::uint32_t>(b, place.at, static_cast<std::uint32_t>(b.size())); });
      refused("nowhere", [&](Bytes& b) { put<std::uint32_t>(b, place.at, 0); });
      refused("crooked", [&](Bytes& b) { put(b, place.at, get<std::uint32_t>(b, place.at) + 1); });
      refused("huge", [&](Bytes& b) { put<std::uint32_t>(b, place.at, 0xFFFFFFFC); });
      const std::size_t target = place.at + get<std::uint32_t>(good.bytes, place.at);
      if (is_column(place) || place.row->part == Part::kText) {
        refused("long", [&](Bytes& b) { put<std::uint32_t>(b, target, 0xFFFFFFF0); });
        refused("past the end", [&](Bytes& b) { put(b, target, static_cast<std::uint32_t>(b.size())); });
      } else {
        refused("no table", [&](Bytes& b) { put<std::int32_t>(b, target, static_cast<std::int32_t>(target) + 2); });
      }
      if (place.row->part == Part::kUnion) {
        refused("no body", [&](Bytes& b) { b[place.type_at] = 0; });
        refused("unknown body", [&](Bytes& b) { b[place.type_at] = static_cast<std::uint8_t>(place.row->values + 1); });
      }
    }
  });
}

TEST(Check, RefusesTextThatIsNotUtf8AndUnknownValues) {
  for_each_buffer([&](std::uint32_t kind, const test::Synthetic& good) {
    for (const Place& place : good.places) {
      const auto target = [&](std::size_t at) { return at + get<std::uint32_t>(good.bytes, at); };
      if (place.row->part == Part::kText) {
        expect_refused(kind, good, place, "text", true, [&](Bytes& b) { b[target(place.at) + 5] = 0xFF; });
        expect_refused(kind, good, place, "open end", false, [&](Bytes& b) { b[target(place.at) + 8] = 'x'; });
      } else if (place.row->part == Part::kTexts) {
        expect_refused(kind, good, place, "texts", true, [&](Bytes& b) { b[target(target(place.at) + 8) + 4] = 0xC3; });
      } else if (place.row->values != 0 && place.row->part == Part::kNumber) {
        expect_refused(kind, good, place, "value", true, [&](Bytes& b) { b[place.at] = place.row->values; });
      } else if (place.row->values != 0 && place.row->part == Part::kNumbers) {
        expect_refused(kind, good, place, "values", true, [&](Bytes& b) { b[target(place.at) + 5] = place.row->values; });
      }
    }
  });
}

TEST(Check, RefusesColumnsThatDoNotBelongTogetherAndIndicesOfNothing) {
  for_each_buffer([&](std::uint32_t kind, const test::Synthetic& good) {
    for (const Place& place : good.places) {
      const capi::FieldRow& row = *place.row;
      if (row.part == Part::kNumber && row.rule.index != Count::kOne) {
        expect_refused(kind, good, place, "index", true, [&](Bytes& b) { put<std::uint32_t>(b, place.at, 1000); });
      }
      if (!is_column(place)) continue;
      const std::size_t target = place.at + get<std::uint32_t>(good.bytes, place.at);
      const auto length = get<std::uint32_t>(good.bytes, target);
      const auto refused = [&](const char* how, const std::function<void(Bytes&)>& spoil) {
        expect_refused(kind, good, place, how, row.rule.length != Length::kCounts && row.rule.length != Length::kOwnStarts,
                       spoil);
      };
      if (row.rule.length == Length::kPer || row.rule.length == Length::kSquare || row.rule.length == Length::kStarts) {
        refused("one less", [&](Bytes& b) { put(b, target, length - 1); });
      }
      if (row.rule.length == Length::kStarts || row.rule.length == Length::kOwnStarts) {
        refused("late start", [&](Bytes& b) { put<std::uint32_t>(b, target + 4, 1); });
      }
      if (row.rule.length == Length::kStarts || row.rule.length == Length::kOwnStarts || row.rule.length == Length::kEnds) {
        refused("early end", [&](Bytes& b) { put(b, target + 4 * length, get<std::uint32_t>(b, target + 4 * length) - 1); });
        refused("down", [&](Bytes& b) { put<std::uint32_t>(b, target + 4 * (length - 1), 1000); });
      }
      if (row.rule.index != Count::kOne) {
        refused("index", [&](Bytes& b) { put<std::uint32_t>(b, target + 4 * length, 1000); });
        if (!row.rule.or_none) refused("none", [&](Bytes& b) { put<std::uint32_t>(b, target + 4, test::kNone); });
      }
      if (row.part != Part::kStructs) continue;
      for (std::size_t m = capi::kStructRows[row.what].first; m < capi::kStructRows[row.what].end; ++m) {
        const capi::MemberRow& member = capi::kMemberRows[m];
        expect_refused(kind, good, place, member.name, true,
                       [&](Bytes& b) { put<std::uint32_t>(b, target + 4 + row.size + member.offset, 1000); });
      }
    }
  });
}

TEST(Check, RefusesWhatItIsNotGiven) {
  const Bytes good = test::synthetic(0, 0).bytes;
  stowage_error error{};
  EXPECT_EQ(stowage_check(0, nullptr, 0, nullptr, nullptr, &error), STOWAGE_INVALID_ARGUMENT);
  EXPECT_EQ(check(kKinds, good).status, STOWAGE_INVALID_ARGUMENT);
  constexpr std::size_t kPadding = 4;
  for (std::size_t size = 1; size + kPadding < good.size(); ++size) {
    EXPECT_EQ(check(0, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}).status, STOWAGE_MALFORMED) << size;
  }
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_bytes = good.size() - 1;
  EXPECT_EQ(check(0, good, &limits).status, STOWAGE_LIMIT_EXCEEDED);
  limits = STOWAGE_LIMITS_INIT;
  limits.max_apps = 2;
  EXPECT_EQ(check(0, good, &limits).path, "apps.replicas");
  // At any address.
  Bytes moved(good.size() + 1);
  std::copy(good.begin(), good.end(), moved.begin() + 1);
  EXPECT_EQ(stowage_check(0, moved.data() + 1, good.size(), nullptr, nullptr, &error), STOWAGE_OK);
}

/// A plan whose notes all refer to one text.
Bytes shared_text(std::size_t notes, std::size_t length) {
  flatbuffers::FlatBufferBuilder builder;
  const auto text = builder.CreateString(std::string(length, 'x'));
  std::vector<flatbuffers::Offset<wire::Note>> list;
  for (std::size_t k = 0; k < notes; ++k) list.push_back(wire::CreateNote(builder, wire::NoteCode::LeftOut, text));
  const auto all = builder.CreateVector(list);
  const auto planner = builder.CreateString("auto");
  const auto none = builder.CreateVector(std::vector<std::uint32_t>());
  const auto placed = builder.CreateVectorOfStructs(std::vector<wire::Placed>());
  const auto unplaced = builder.CreateVectorOfStructs(std::vector<wire::Unplaced>());
  wire::PlanBuilder plan(builder);
  plan.add_planner(planner);
  plan.add_node_class(none);
  plan.add_listed(none);
  plan.add_placed(placed);
  plan.add_unplaced(unplaced);
  plan.add_notes(all);
  builder.Finish(plan.Finish(), wire::PlanIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

TEST(Check, RefusesWhatUnfoldsToMuchMoreThanItsSize) {
  const Outcome bomb = check(STOWAGE_KIND_PLAN, shared_text(100'000, 500'000));
  EXPECT_EQ(bomb.status, STOWAGE_LIMIT_EXCEEDED) << bomb.message;
  EXPECT_EQ(check(STOWAGE_KIND_PLAN, shared_text(10, 500'000)).status, STOWAGE_OK);
  EXPECT_EQ(check(STOWAGE_KIND_PLAN, shared_text(100'000, 5)).status, STOWAGE_OK);
  // Whoever reads a plan has the same limit.
  const test::Loaded instance(test::pack(test::busy_instance()));
  EXPECT_EQ(test::verify(instance, shared_text(100'000, 500'000)).result.status, STOWAGE_LIMIT_EXCEEDED);
}

TEST(Check, AcceptsWhatTheLibraryMakes) {
  const Bytes bytes = test::pack(test::full_instance());
  EXPECT_EQ(check(STOWAGE_KIND_INSTANCE, bytes).status, STOWAGE_OK);
  const test::Loaded instance(bytes);
  const test::Answer plan = test::plan(instance, test::request_for("ff"));
  ASSERT_TRUE(plan.ok()) << plan.result.message;
  const auto checked = [](std::uint32_t kind, const Buffer& buffer) {
    const Outcome result = check(kind, Bytes(buffer.begin(), buffer.end()));
    EXPECT_EQ(result.status, STOWAGE_OK) << result.path << ": " << result.message;
  };
  checked(STOWAGE_KIND_PLAN, plan.buffer);
  checked(STOWAGE_KIND_REPORT, test::verify(instance, plan.buffer).buffer);
  checked(STOWAGE_KIND_REPORT, test::explain(instance, plan.buffer).buffer);
  checked(STOWAGE_KIND_REPORT, test::headroom(instance, plan.buffer, 0).buffer);
  checked(STOWAGE_KIND_REPORT, test::headroom_of_apps(instance, plan.buffer).buffer);
  checked(STOWAGE_KIND_REPORT, test::losses(instance, plan.buffer).buffer);
  checked(STOWAGE_KIND_REPORT, test::bound(instance).buffer);
  checked(STOWAGE_KIND_CATALOGUE, test::ask([](auto* buffer, auto* error) { return stowage_planners(buffer, error); }).buffer);
}

}  // namespace
