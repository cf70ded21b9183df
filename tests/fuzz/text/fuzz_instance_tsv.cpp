// Any text as a .tsv of apps. If the library accepts the instance, on a node of some capacity, it must survive the conversion
// to text and back, except for the number of periods of constant demand.
#include "capi/cli/formats/instance/instance_tsv.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/text/base/failure.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

namespace {

flatbuffers::DetachedBuffer read(std::string_view text) {
  stowage::cli::InstanceData data = stowage::cli::read_instance_tsv(text, "input.tsv");
  stowage::cli::set_single_class(data, "cores=64,memory=128");
  const bool changes = [&] {
    for (std::size_t cell = 0; cell < data.apps.demand.size(); ++cell) {
      if (data.apps.demand[cell] != data.apps.demand[cell - cell % data.periods]) return true;
    }
    return false;
  }();
  if (!changes && data.periods > 1) {
    // Encoding stores constant demand once, so that only the number of periods differs.
    std::vector<double> constant;
    for (std::size_t cell = 0; cell < data.apps.demand.size(); cell += data.periods) constant.push_back(data.apps.demand[cell]);
    data.apps.demand = std::move(constant);
    data.periods = 1;
  }
  return stowage::cli::encode_instance(std::move(data));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cli = stowage::cli;
  using stowage::fuzz::Scratch;
  // The header is given, because guessing it would waste most inputs.
  std::string text = "app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff\n";
  text.append(reinterpret_cast<const char*>(data), size);
  FUZZ_REQUIRE(cli::is_instance_tsv(text), "the header is not recognized");
  flatbuffers::DetachedBuffer bytes;
  try {
    bytes = read(text);
  } catch (const cli::Failure&) {
    return 0;
  }
  const auto instance = stowage::fuzz::load(bytes.data(), bytes.size());
  if (!instance) return 0;

  const std::string path = Scratch::folder().path("instance.tsv");
  flatbuffers::DetachedBuffer again;
  try {
    cli::OutputFile out(path);
    cli::write_instance_tsv(*stowage::wire::GetInstance(bytes.data()), out);
    out.commit();
  } catch (const cli::Failure&) {
    return 0;  // names that the layout cannot quote
  }
  try {
    again = read(cli::InputFile(path).text());
  } catch (const cli::Failure& failure) {
    FUZZ_REQUIRE(false, std::string("what was written is not read again: ") + failure.what());
  }
  FUZZ_REQUIRE(bytes.size() == again.size() && std::equal(bytes.data(), bytes.data() + bytes.size(), again.data()),
               "the way to text and back changes the instance");
  return 0;
}
