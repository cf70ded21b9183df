#include "capi/cli/commands/learn/into.h"

#include <memory>

#include "capi/cli/library/library.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"

namespace stowage::cli {

Console check_into(const LearnCommand& command, const Console& console) {
  if (command.output && !command.into) throw Failure("--output: needs --into INSTANCE");
  if (command.into == "-") throw Failure("--into: names a file; standard input has the measurements");
  const std::vector<std::string> outputs = command.output ? std::vector{*command.output} : std::vector<std::string>();
  check_outputs(outputs, command.format, instance_formats());
  return answer_console(console, outputs);
}

void write_into(const LearnCommand& command, const Console& console,
                const std::function<std::vector<std::string>(InstanceData& data)>& change) {
  const std::string& into = *command.into;
  GivenNodes nodes;
  auto file = open_instance(into, nodes);
  InstanceBytes given = read_instance(std::move(file), nodes);
  load_bytes(given, into);
  InstanceData data = decode_instance(given.root());
  const std::vector<std::string> left_out = change(data);
  write_checked(InstanceBytes(encode_instance(std::move(data))), into, command.output.value_or(into), console, command.format);
  for (const std::string& sentence : left_out) console.err << printable(into) << ": " << printable(sentence) << '\n';
}

void write_demand_into(const learn::LearnedDemand& learned, const LearnCommand& command, const Console& console) {
  write_into(command, console, [&](InstanceData& data) { return learn::put_into(data, learned, *command.into); });
}

}  // namespace stowage::cli
