// Any text as a CSV of profiles or samples: refused with its name and a reason, or columns of equal length, which the library
// takes or refuses with the path of a field.
#include "capi/cli/learn/samples_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/records/learning/samples_codec.h"
#include "tests/fuzz/support/reasons.h"
#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace learn = stowage::cli::learn;
  namespace wire = stowage::wire;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string file = "samples.csv";
  try {
    const learn::SamplesTable table = learn::read_samples(text, file);
    const std::size_t rows = table.row_app.size();
    FUZZ_REQUIRE(table.row_value.size() == rows && table.row_collocation.size() == rows && table.row_line.size() == rows,
                 "rows are lost");
    FUZZ_REQUIRE(table.row_amounts.size() == rows * table.resources.size(), "amounts are lost");
    FUZZ_REQUIRE(!table.apps.empty() && table.app_line.size() == table.apps.size(), "apps are lost");
    stowage::cli::SamplesData profiles = table;
    stowage::cli::codec::Builder builder;
    const auto samples = stowage::cli::codec::write_samples(builder, profiles);
    wire::FinishLearningBuffer(builder, wire::CreateLearning(builder, 1, wire::LearningBody::Samples, samples.Union()));
    stowage_model* model = nullptr;
    stowage_error error{};
    const stowage_status status = stowage_model_learn(builder.GetBufferPointer(), builder.GetSize(), nullptr, &model, &error);
    stowage_model_free(model);
    stowage::fuzz::require_status(status, error, {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
    if (status != STOWAGE_OK)
      stowage::fuzz::require_reason(learn::place_of(error.path, table, file) + error.message, file, text);
  } catch (const stowage::cli::Failure& failure) {
    stowage::fuzz::require_reason(failure.what(), file, text);
  }
  return 0;
}
