// Any text as the four files of the Tianchi data: parts of the input, separated by lines that consist of "%".
#include "capi/lab/tianchi/tianchi.h"
#include "capi/text/base/failure.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cli = stowage::cli;
  using stowage::fuzz::Scratch;
  if (size == 0) return 0;
  const std::uint8_t settings = data[0];
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto part = [&rest](const char* name) {
    constexpr std::string_view kSeparator = "%\n";
    const std::size_t end = rest.find(kSeparator);
    const std::string path = Scratch::folder().file(name, rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + kSeparator.size());
    return path;
  };
  cli::TianchiOptions options;
  options.apps = part("apps");
  options.interference = part("interference");
  options.deploy = part("deploy");
  options.machines = part("machines");
  options.fixed = (settings & 1) != 0;
  options.round_up = (settings & 2) != 0;
  if ((settings & 4) != 0) options.resources = {"memory", "cpu"};
  if ((settings & 8) != 0) options.node = "cpu=32,memory=64";
  options.p0 = (settings & 16) != 0;
  try {
    const flatbuffers::DetachedBuffer bytes = cli::encode_instance(cli::import_tianchi(std::move(options)));
    stowage::fuzz::load(bytes.data(), bytes.size());
  } catch (const cli::Failure&) {
    return 0;
  }
  return 0;
}
