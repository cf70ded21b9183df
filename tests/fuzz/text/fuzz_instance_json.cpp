// Any text as an instance in JSON or, with form feeds between them, as tables of apps, node classes and what runs. An instance
// that the library accepts must survive the conversion to JSON and back.
#include "capi/cli/base/files.h"
#include "capi/cli/formats/instance/instance_tables.h"
#include "capi/text/base/failure.h"
#include "capi/text/formats/instance_json.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

namespace {

stowage::cli::InstanceData read(std::string_view text) {
  namespace cli = stowage::cli;
  const std::size_t apps = text.find('\f');
  if (apps == text.npos) return cli::read_instance_json(text, "input.json", std::uint64_t{1} << 28);
  const std::string_view beside = text.substr(apps + 1);
  const std::size_t classes = beside.find('\f');
  std::optional<cli::TableText> running;
  if (classes != beside.npos) running = {beside.substr(classes + 1), "running.csv"};
  std::vector<std::string> unused;
  return cli::read_tables({text.substr(0, apps), "apps.csv"}, cli::TableText{beside.substr(0, classes), "classes.csv"}, running,
                          std::nullopt, unused);
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
    again = cli::encode_instance(cli::read_instance_json(cli::InputFile(path).text(), "written.json", std::uint64_t{1} << 28));
  } catch (const cli::Failure& failure) {
    FUZZ_REQUIRE(false, std::string("what was written is not read again: ") + failure.what());
  }
  FUZZ_REQUIRE(bytes.size() == again.size() && std::equal(bytes.data(), bytes.data() + bytes.size(), again.data()),
               "the way to text and back changes the instance");
  return 0;
}
