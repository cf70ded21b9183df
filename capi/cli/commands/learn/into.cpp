#include "capi/cli/commands/learn/into.h"

#include <memory>

#include "capi/cli/library/library.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"

namespace stowage::cli {

void check_into(const std::optional<std::string>& into, const std::optional<std::string>& output) {
  if (output && !into) throw Failure("--output: needs --into INSTANCE");
  if (into == "-" || output == "-") {
    throw Failure("--into and --output: name files, because standard input and output have other uses here");
  }
}

void write_into(const std::string& into, const std::optional<std::string>& output, const Console& console,
                const std::function<std::vector<std::string>(InstanceData& data)>& change) {
  InstanceBytes given = read_instance(std::make_unique<InputFile>(into), GivenNodes{});
  load_bytes(given, into);
  InstanceData data = decode_instance(given.root());
  const std::vector<std::string> left_out = change(data);
  write_checked(InstanceBytes(encode_instance(std::move(data))), into, output.value_or(into), console);
  for (const std::string& sentence : left_out) console.err << printable(into) << ": " << printable(sentence) << '\n';
}

void write_demand_into(const learn::LearnedDemand& learned, const std::string& into, const std::optional<std::string>& output,
                       const Console& console) {
  write_into(into, output, console, [&](InstanceData& data) { return learn::put_into(data, learned, into); });
}

}  // namespace stowage::cli
