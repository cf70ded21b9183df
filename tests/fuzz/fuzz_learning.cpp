// Any bytes as usage, as profiles, as a question and as a model: a status that is documented, and answers of the right length.
#include "learning_generated.h"
#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::require_status;
namespace wire = stowage::wire;

struct ModelHandle {
  stowage_model* model = nullptr;
  ModelHandle() = default;
  ModelHandle(const ModelHandle&) = delete;
  ModelHandle& operator=(const ModelHandle&) = delete;
  ~ModelHandle() { stowage_model_free(model); }
};

void require_recommendations(const stowage_model* model, const std::uint8_t* data, std::size_t size) {
  stowage_buffer answer{nullptr, 0};
  stowage_error error{};
  const stowage_status status = stowage_model_recommend(model, data, size, &answer, &error);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  if (status != STOWAGE_OK) return;
  const auto& body = *wire::GetLearning(answer.data)->body_as_Recommendations();
  const std::size_t configurations = body.collocation()->size();
  FUZZ_REQUIRE(body.choice()->size() == body.apps()->size(), "an app is lost");
  for (const std::uint32_t choice : *body.choice())
    FUZZ_REQUIRE(choice == 4294967295 || choice < configurations, "a choice that dangles");
  for (const double probability : *body.probability()) FUZZ_REQUIRE(probability >= 0 && probability <= 1, "no probability");
  stowage_buffer_free(&answer);
}

/// A model that the bytes are: saved and loaded again, it gives the same bytes.
void require_saved(const stowage_model* model) {
  stowage_buffer bytes{nullptr, 0};
  stowage_buffer again{nullptr, 0};
  FUZZ_REQUIRE(stowage_model_save(model, &bytes, nullptr) == STOWAGE_OK, "a model that cannot be saved");
  ModelHandle loaded;
  FUZZ_REQUIRE(stowage_model_load(bytes.data, bytes.size, nullptr, &loaded.model, nullptr) == STOWAGE_OK,
               "a saved model is refused");
  FUZZ_REQUIRE(stowage_model_save(loaded.model, &again, nullptr) == STOWAGE_OK, "a model that cannot be saved");
  FUZZ_REQUIRE(bytes.size == again.size && std::equal(bytes.data, bytes.data + bytes.size, again.data), "other bytes");
  stowage_buffer_free(&bytes);
  stowage_buffer_free(&again);
}

const stowage_model* known_model() {
  static const ModelHandle* const kModel = [] {
    flatbuffers::FlatBufferBuilder builder;
    const std::vector<std::string> names = {"a", "b", "c", "d"};
    const auto apps = builder.CreateVectorOfStrings(names);
    const auto resources = builder.CreateVectorOfStrings(std::vector<std::string>{"cpu"});
    const auto row_app = builder.CreateVector(std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2, 3, 3});
    const auto amounts = builder.CreateVector(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2});
    const auto values = builder.CreateVector(std::vector<double>{0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92});
    const auto samples =
        wire::CreateSamples(builder, wire::Measure::Performance, resources, apps, 0, 0, row_app, amounts, 0, values);
    wire::FinishLearningBuffer(builder, wire::CreateLearning(builder, 1, wire::LearningBody::Samples, samples.Union()));
    auto* made = new ModelHandle;
    FUZZ_REQUIRE(
        stowage_model_learn(builder.GetBufferPointer(), builder.GetSize(), nullptr, &made->model, nullptr) == STOWAGE_OK,
        "no model");
    return made;
  }();
  return kModel->model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::initializer_list<stowage_status> possible = {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID,
                                                          STOWAGE_LIMIT_EXCEEDED};
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_apps = 1000;
  limits.max_cells = 10'000;
  for (const auto make : {stowage_model_learn, stowage_model_load}) {
    ModelHandle made;
    stowage_error error{};
    require_status(make(data, size, &limits, &made.model, &error), error, possible);
    if (made.model != nullptr) require_saved(made.model);
  }
  require_recommendations(known_model(), data, size);
  stowage_buffer sizes{nullptr, 0};
  stowage_error error{};
  require_status(stowage_size(data, size, &sizes, &error), error, possible);
  stowage_buffer_free(&sizes);
  return 0;
}
