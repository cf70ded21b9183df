// Learning buffers with one thing wrong: the status and the path that learning, recommending and sizing return.
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>

#include "learning_generated.h"
#include "tests/bad_input/harness.h"

namespace {

using stowage::test::Bytes;
using stowage::test::Outcome;
namespace test = stowage::test;
namespace wire = stowage::wire;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

template <class Body>
Bytes packed_body(const Body& body) {
  using Table = typename Body::TableType;
  flatbuffers::FlatBufferBuilder builder;
  const auto offset = Table::Pack(builder, &body);
  wire::FinishLearningBuffer(builder,
                             wire::CreateLearning(builder, 1, wire::LearningBodyTraits<Table>::enum_value, offset.Union()));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

wire::UsageT good_usage() {
  wire::UsageT usage;
  usage.apps = {"web", "db"};
  usage.resources = {"cpu", "memory"};
  usage.app = {0, 0, 1};
  usage.replica = {0, 0, 0};
  usage.time = {0, 60, 0};
  usage.amount = {1, 2, 2, kNotANumber, 0.5, 8};
  usage.out_of_memory = {0, 1, 0};
  for (int r = 0; r < 2; ++r) usage.rules.push_back(std::make_unique<wire::SizeRuleT>());
  return usage;
}

Outcome size_outcome(const Bytes& bytes) {
  stowage_buffer sizes{nullptr, 0};
  stowage_error error{};
  const Outcome result = test::outcome(stowage_size(bytes.data(), bytes.size(), &sizes, &error), error);
  EXPECT_EQ(sizes.data != nullptr, result.status == STOWAGE_OK);
  stowage_buffer_free(&sizes);
  return result;
}

struct UsageCase {
  const char* name;
  void (*spoil)(wire::UsageT&);
  stowage_status status;
  const char* path;
};

void PrintTo(const UsageCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

const UsageCase kUsageCases[] = {
    {"NothingWrong", [](wire::UsageT&) {}, STOWAGE_OK, ""},
    {"NoSample", [](wire::UsageT& u) { u.app.clear(); }, STOWAGE_INVALID, "app"},
    {"DanglingApp", [](wire::UsageT& u) { u.app[2] = 2; }, STOWAGE_INVALID, "app[2]"},
    {"AppTwice", [](wire::UsageT& u) { u.apps[1] = "web"; }, STOWAGE_INVALID, "apps[1]"},
    {"AppNotUtf8", [](wire::UsageT& u) { u.apps[1] = "\xFF"; }, STOWAGE_MALFORMED, "apps[1]"},
    {"NegativeAmount", [](wire::UsageT& u) { u.amount[4] = -1; }, STOWAGE_INVALID, "amount[4]"},
    {"InfiniteAmount", [](wire::UsageT& u) { u.amount[4] = INFINITY; }, STOWAGE_INVALID, "amount[4]"},
    {"HugeAmount", [](wire::UsageT& u) { u.amount[4] = 1e200; }, STOWAGE_LIMIT_EXCEEDED, "amount[4]"},
    {"ShortAmounts", [](wire::UsageT& u) { u.amount.pop_back(); }, STOWAGE_INVALID, "amount"},
    {"NanTime", [](wire::UsageT& u) { u.time[1] = kNotANumber; }, STOWAGE_INVALID, "time[1]"},
    {"SampleTwice", [](wire::UsageT& u) { u.time[1] = 0; }, STOWAGE_INVALID, "time[1]"},
    {"ShortReplicas", [](wire::UsageT& u) { u.replica.pop_back(); }, STOWAGE_INVALID, "replica"},
    {"KilledTwice", [](wire::UsageT& u) { u.out_of_memory[0] = 2; }, STOWAGE_INVALID, "out_of_memory[0]"},
    {"NoRules", [](wire::UsageT& u) { u.rules.clear(); }, STOWAGE_INVALID, "rules"},
    {"PercentileAboveOne", [](wire::UsageT& u) { u.rules[1]->percentile = 1.1; }, STOWAGE_INVALID, "rules[1].percentile"},
    {"PercentileNan", [](wire::UsageT& u) { u.rules[1]->percentile = kNotANumber; }, STOWAGE_INVALID, "rules[1].percentile"},
    {"NegativeHalfLife", [](wire::UsageT& u) { u.rules[0]->half_life = -1; }, STOWAGE_INVALID, "rules[0].half_life"},
    {"TinyWindow", [](wire::UsageT& u) { u.rules[0]->window = 1e-9; }, STOWAGE_INVALID, "rules[0].window"},
    {"CeilingBelowFloor",
     [](wire::UsageT& u) {
       u.rules[0]->floor = 2;
       u.rules[0]->ceiling = 1;
     },
     STOWAGE_INVALID, "rules[0].ceiling"},
    {"NoPeriods", [](wire::UsageT& u) { u.periods = 0; }, STOWAGE_INVALID, "periods"},
    {"ManyPeriods", [](wire::UsageT& u) { u.periods = 4294967295; }, STOWAGE_INVALID, "periods"},
    {"NanCycle", [](wire::UsageT& u) { u.cycle = kNotANumber; }, STOWAGE_INVALID, "cycle"},
};

class UsageCases : public ::testing::TestWithParam<UsageCase> {};

TEST_P(UsageCases, HasItsStatus) {
  wire::UsageT usage = good_usage();
  GetParam().spoil(usage);
  const Outcome result = size_outcome(packed_body(usage));
  EXPECT_EQ(result.status, GetParam().status) << result.message;
  EXPECT_EQ(result.path, GetParam().path) << result.message;
}

INSTANTIATE_TEST_SUITE_P(Learning, UsageCases, ::testing::ValuesIn(kUsageCases),
                         [](const auto& one) { return one.param.name; });

/// Eight apps measured with two configurations.
wire::SamplesT good_samples() {
  wire::SamplesT samples;
  samples.resources = {"cpu"};
  samples.features.push_back(std::make_unique<wire::FeatureT>());
  samples.features[0]->name = "load";
  for (std::uint32_t a = 0; a < 8; ++a) {
    samples.apps.push_back("app-" + std::to_string(a));
    samples.features[0]->numbers.push_back(1 + a);
    for (const double cpu : {1.0, 2.0}) {
      samples.row_app.push_back(a);
      samples.row_amounts.push_back(cpu);
      samples.row_collocation.push_back(1);
      samples.row_value.push_back(cpu == 1 ? 0.3 + 0.05 * a : 0.9);
    }
  }
  return samples;
}

/// A model handle and the result of making it.
class Made {
 public:
  explicit Made(const Bytes& bytes, decltype(stowage_model_learn)* make = stowage_model_learn,
                const stowage_limits* limits = nullptr) {
    stowage_error error{};
    result_ = test::outcome(make(bytes.data(), bytes.size(), limits, &model_, &error), error);
    EXPECT_EQ(model_ != nullptr, result_.status == STOWAGE_OK);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() { stowage_model_free(model_); }
  [[nodiscard]] const stowage_model* get() const { return model_; }
  [[nodiscard]] const Outcome& result() const { return result_; }

 private:
  stowage_model* model_ = nullptr;
  Outcome result_;
};

struct SamplesCase {
  const char* name;
  void (*spoil)(wire::SamplesT&);
  stowage_status status;
};

void PrintTo(const SamplesCase& one, std::ostream* out) { *out << one.name; }  // NOLINT(readability-identifier-naming)

const SamplesCase kSamplesCases[] = {
    {"NothingWrong", [](wire::SamplesT&) {}, STOWAGE_OK},
    {"NoRows",
     [](wire::SamplesT& s) {
       s.row_app.clear();
       s.row_amounts.clear();
       s.row_collocation.clear();
       s.row_value.clear();
     },
     STOWAGE_INVALID},
    {"UnknownMeasure", [](wire::SamplesT& s) { s.measure = static_cast<wire::Measure>(2); }, STOWAGE_INVALID},
    {"NanValue", [](wire::SamplesT& s) { s.row_value[3] = kNotANumber; }, STOWAGE_INVALID},
    {"ValueAboveOne", [](wire::SamplesT& s) { s.row_value[3] = 1.5; }, STOWAGE_INVALID},
    {"NegativeAmount", [](wire::SamplesT& s) { s.row_amounts[3] = -1; }, STOWAGE_INVALID},
    {"DanglingApp", [](wire::SamplesT& s) { s.row_app[3] = 8; }, STOWAGE_INVALID},
    {"AppTwice", [](wire::SamplesT& s) { s.apps[3] = "app-0"; }, STOWAGE_INVALID},
    {"AppNotUtf8", [](wire::SamplesT& s) { s.apps[3] = "\xFF"; }, STOWAGE_MALFORMED},
    {"ShortValues", [](wire::SamplesT& s) { s.row_value.pop_back(); }, STOWAGE_INVALID},
    {"ShortCollocation", [](wire::SamplesT& s) { s.row_collocation.pop_back(); }, STOWAGE_INVALID},
    {"NoCollocation", [](wire::SamplesT& s) { s.row_collocation[0] = 0; }, STOWAGE_INVALID},
    {"InfiniteFeature", [](wire::SamplesT& s) { s.features[0]->numbers[0] = INFINITY; }, STOWAGE_INVALID},
    {"ShortFeature", [](wire::SamplesT& s) { s.features[0]->numbers.pop_back(); }, STOWAGE_INVALID},
    {"RowTwiceWithTwoValues",
     [](wire::SamplesT& s) {
       s.row_app.push_back(0);
       s.row_amounts.push_back(1);
       s.row_collocation.push_back(1);
       s.row_value.push_back(0.99);
     },
     STOWAGE_INVALID},
};

class SamplesCases : public ::testing::TestWithParam<SamplesCase> {};

TEST_P(SamplesCases, HasItsStatus) {
  wire::SamplesT samples = good_samples();
  GetParam().spoil(samples);
  const Made made(packed_body(samples));
  EXPECT_EQ(made.result().status, GetParam().status) << made.result().path << ": " << made.result().message;
  if (made.result().status == STOWAGE_INVALID) {
    EXPECT_NE(made.result().path, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Learning, SamplesCases, ::testing::ValuesIn(kSamplesCases),
                         [](const auto& one) { return one.param.name; });

Outcome recommend_outcome(const Made& made, const wire::QuestionT& question) {
  const Bytes bytes = packed_body(question);
  stowage_buffer answer{nullptr, 0};
  stowage_error error{};
  const Outcome result = test::outcome(stowage_model_recommend(made.get(), bytes.data(), bytes.size(), &answer, &error), error);
  EXPECT_EQ(answer.data != nullptr, result.status == STOWAGE_OK);
  if (result.status == STOWAGE_OK) {
    const auto* body = wire::GetLearning(answer.data)->body_as_Recommendations();
    EXPECT_EQ(body->choice()->size(), question.samples->apps.size());
    EXPECT_EQ(body->curve_mean() != nullptr, question.curves);
  }
  stowage_buffer_free(&answer);
  return result;
}

TEST(LearningQuestion, GoalsAreChecked) {
  const Made made(packed_body(good_samples()));
  wire::QuestionT question;
  question.samples = std::make_unique<wire::SamplesT>(good_samples());
  question.goal = std::make_unique<wire::GoalT>();
  question.goal->value = 0.8;
  EXPECT_EQ(recommend_outcome(made, question).status, STOWAGE_OK);
  question.curves = true;
  EXPECT_EQ(recommend_outcome(made, question).status, STOWAGE_OK);
  for (const double value : {0.0, -1.0, 1.5, kNotANumber}) {
    question.goal->value = value;
    EXPECT_EQ(recommend_outcome(made, question).status, STOWAGE_INVALID) << value;
  }
  question.goal->value = 0.8;
  for (const double confidence : {0.0, 1.0, kNotANumber}) {
    question.goal->confidence = confidence;
    EXPECT_EQ(recommend_outcome(made, question).status, STOWAGE_INVALID) << confidence;
  }
  question.goal->confidence = 0.8;
  for (const std::vector<double>& cost : {std::vector<double>{0}, {-1}, {kNotANumber}, {1, 1}}) {
    question.goal->cost = cost;
    EXPECT_EQ(recommend_outcome(made, question).status, STOWAGE_INVALID);
  }
}

TEST(LearningBytes, OfOtherKindsAreRefused) {
  const Bytes usage = packed_body(good_usage());
  const Bytes samples = packed_body(good_samples());
  EXPECT_EQ(size_outcome(samples).status, STOWAGE_MALFORMED);
  EXPECT_EQ(Made(usage).result().status, STOWAGE_MALFORMED);
  EXPECT_EQ(size_outcome(test::pack(test::busy_instance())).status, STOWAGE_MALFORMED);
  for (std::size_t size = 1; size < usage.size(); size += 3) {
    EXPECT_EQ(size_outcome(Bytes(usage.begin(), usage.begin() + static_cast<std::ptrdiff_t>(size))).status, STOWAGE_MALFORMED)
        << size;
  }
}

TEST(LearningBytes, DamagedModelsAreRefused) {
  const Made made(packed_body(good_samples()));
  ASSERT_NE(made.get(), nullptr);
  stowage_buffer saved{nullptr, 0};
  ASSERT_EQ(stowage_model_save(made.get(), &saved, nullptr), STOWAGE_OK);
  const Bytes bytes(saved.data, saved.data + saved.size);
  stowage_buffer_free(&saved);
  EXPECT_EQ(Made(bytes, stowage_model_load).result().status, STOWAGE_OK);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes damaged = bytes;
    damaged[at] ^= 0x20;
    EXPECT_EQ(Made(damaged, stowage_model_load).result().status, STOWAGE_MALFORMED) << at;
    damaged.resize(at);
    EXPECT_EQ(Made(damaged, stowage_model_load).result().status, STOWAGE_MALFORMED) << at;
  }
}

TEST(LearningLimits, AreTheCallers) {
  const Bytes samples = packed_body(good_samples());
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_apps = 7;
  EXPECT_EQ(Made(samples, stowage_model_learn, &limits).result().status, STOWAGE_LIMIT_EXCEEDED);
  limits = STOWAGE_LIMITS_INIT;
  limits.max_bytes = samples.size() - 1;
  EXPECT_EQ(Made(samples, stowage_model_learn, &limits).result().status, STOWAGE_LIMIT_EXCEEDED);
  limits.struct_size = 1;
  EXPECT_EQ(Made(samples, stowage_model_learn, &limits).result().status, STOWAGE_INVALID_ARGUMENT);
}

}  // namespace
