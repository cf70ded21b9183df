#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <system_error>

#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/instance/yaml_text.h"
#include "capi/k8s/k8s.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

bool is_file(const std::string& name) {
  struct stat found {};
  return stat(name.c_str(), &found) == 0;
}

/// The files that a name stands for: itself or, of a folder, those of JSON and YAML in it.
std::vector<std::string> files_of(const std::string& name) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(name, unknown)) return {name};
  std::vector<std::string> all;
  for (const auto& one : std::filesystem::directory_iterator(name)) {
    const std::string ending = one.path().extension().string();
    if (ending == ".json" || ending == ".yaml" || ending == ".yml") all.push_back(one.path().string());
  }
  std::ranges::sort(all);
  if (all.empty()) throw Failure(name + ": the folder has no file that ends in .json, .yaml or .yml");
  return all;
}

/// What was read, as JSON.
class ReadObjects {
 public:
  explicit ReadObjects(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      for (const std::string& file : files_of(name)) files_.push_back(std::make_unique<InputFile>(file));
    }
    for (const auto& file : files_) {
      std::string_view text = file->text();
      if (looks_like_yaml(text)) text = converted_.emplace_back(json_documents_of_yaml(text, file->name()));
      inputs_.push_back({files_.size() > 1 ? file->name() : "the input", text});
    }
  }
  [[nodiscard]] const std::vector<k8s::Input>& inputs() const { return inputs_; }

 private:
  std::vector<std::unique_ptr<InputFile>> files_;
  std::deque<std::string> converted_;
  std::vector<k8s::Input> inputs_;
};

}  // namespace

int run_k8s_command(const std::vector<std::string>& arguments, const Console& console) {
  const k8s::Call call = k8s::read_call(arguments, is_file);
  if (call.help) {
    console.out << k8s::usage();
    return kExitOk;
  }
  const ReadObjects objects(call.files.empty() ? std::vector<std::string>{"-"} : call.files);
  std::map<std::string, std::string> prices;
  for (const std::string& name : call.price_files) prices[name] = std::string(InputFile(name).text());
  const k8s::Outcome found = k8s::answer(call, objects.inputs(), prices);
  console.out << found.text;
  return found.exit_code;
}

}  // namespace stowage::cli
