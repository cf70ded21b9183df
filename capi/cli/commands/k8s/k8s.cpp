#include <sys/stat.h>

#include <memory>

#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/k8s/k8s.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

bool is_file(const std::string& name) {
  struct stat found {};
  return stat(name.c_str(), &found) == 0;
}

}  // namespace

int run_k8s_command(const std::vector<std::string>& arguments, const Console& console) {
  const k8s::Call call = k8s::read_call(arguments, is_file);
  if (call.help) {
    console.out << k8s::usage();
    return kExitOk;
  }
  std::vector<std::unique_ptr<InputFile>> files;
  std::vector<k8s::Input> inputs;
  for (const std::string& name : call.files.empty() ? std::vector<std::string>{"-"} : call.files) {
    files.push_back(std::make_unique<InputFile>(name));
    inputs.push_back({call.files.size() > 1 ? files.back()->name() : "the input", files.back()->text()});
  }
  std::map<std::string, std::string> prices;
  for (const std::string& name : call.price_files) prices[name] = std::string(InputFile(name).text());
  const k8s::Outcome found = k8s::answer(call, inputs, prices);
  console.out << found.text;
  return found.exit_code;
}

}  // namespace stowage::cli
