// Any text as an instance in JSON, after a vertical tab in YAML or, with form feeds between them, as tables of apps, node
// classes, what runs and prices. An instance that the library accepts must survive the conversion to JSON or YAML and back;
// tables hold it or are refused.
#include "capi/cli/base/files.h"
#include "capi/cli/formats/instance/instance_tables.h"
#include "capi/cli/formats/instance/tables_of_instance.h"
#include "capi/cli/formats/instance/yaml_text.h"
#include "capi/text/base/failure.h"
#include "capi/text/formats/instance_json.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

namespace {

constexpr std::uint64_t kMostColumnBytes = std::uint64_t{1} << 28;

stowage::cli::InstanceData read(std::string_view text) {
  namespace cli = stowage::cli;
  if (text.starts_with('\v')) {
    return cli::read_instance_json(cli::json_of_yaml(text.substr(1), "input.yaml"), "input.yaml", kMostColumnBytes);
  }
  const std::size_t apps = text.find('\f');
  if (apps == text.npos) return cli::read_instance_json(text, "input.json", kMostColumnBytes);
  const std::string_view beside = text.substr(apps + 1);
  const std::size_t classes = beside.find('\f');
  const std::string_view behind = classes == beside.npos ? std::string_view() : beside.substr(classes + 1);
  const std::size_t prices = behind.find('\f');
  std::optional<cli::TableText> running;
  if (classes != beside.npos) running = {behind.substr(0, prices), "running.csv"};
  std::vector<std::string> unused;
  cli::InstanceData data =
      cli::read_tables({text.substr(0, apps), "apps.csv"}, cli::TableText{beside.substr(0, classes), "classes.csv"}, running,
                       std::nullopt, unused, prices != behind.npos);
  if (prices != behind.npos) cli::set_prices(data, {behind.substr(prices + 1), "prices.csv"});
  return data;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cli = stowage::cli;
  using stowage::fuzz::Scratch;
  flatbuffers::DetachedBuffer bytes;
  try {
    bytes = cli::encode_instance(read({reinterpret_cast<const char*>(data), size}));
  } catch (const cli::Failure&) {
    return 0;
  }
  const auto instance = stowage::fuzz::load(bytes.data(), bytes.size());
  if (!instance) return 0;

  const std::string path = Scratch::folder().path("instance.json");
  {
    cli::OutputFile out(path);
    cli::write_instance_json(*stowage::wire::GetInstance(bytes.data()), out);
    out.commit();
  }
  flatbuffers::DetachedBuffer again;
  try {
    std::string written(cli::InputFile(path).text());
    if (size > 0 && data[0] == '\v') written = cli::json_of_yaml(cli::yaml_of_json(written), "written.yaml");
    again = cli::encode_instance(cli::read_instance_json(written, "written", kMostColumnBytes));
  } catch (const cli::Failure& failure) {
    FUZZ_REQUIRE(false, std::string("what was written is not read again: ") + failure.what());
  }
  FUZZ_REQUIRE(bytes.size() == again.size() && std::equal(bytes.data(), bytes.data() + bytes.size(), again.data()),
               "the way to text and back changes the instance");
  try {
    cli::tables_of(*stowage::wire::GetInstance(bytes.data()), cli::CsvCells::kExact);
  } catch (const cli::Failure&) {  // tables lack something
  }
  return 0;
}
