#include "capi/lab/packing/runs.h"

#include "capi/cli/base/console.h"
#include "capi/cli/generate/packing.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::packing {
namespace {

const std::vector<std::uint32_t>& published_items(const std::string& word) {
  static const std::vector<std::uint32_t> kUniform = {120, 250, 500};
  static const std::vector<std::uint32_t> kTriplets = {60, 120, 249};
  static const std::vector<std::uint32_t> kVectors = {60, 120, 249, 500};
  return word == "u" ? kUniform : word == "t" ? kTriplets : kVectors;
}

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  line.checked("class", run.of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("dims", run.of.dims).field("items", run.of.items).field("merged", run.merged).field("seed", run.seed);
  line.contender(run).field("nodes", run.nodes).field("bound", run.bound).defects(run).origin(run);
}

std::string class_text(const Class& of) {
  return of.word + ", " + counted(of.dims, "dimension") + ", " + counted(of.items, "item");
}

std::vector<Class> classes_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& dims,
                              const std::vector<std::uint32_t>& items) {
  std::vector<Class> all;
  for (const std::string& word : words) {
    const bool vectors = word.starts_with("ct");
    for (const std::uint32_t one : vectors ? dims : std::vector<std::uint32_t>{usual_dims(word)}) {
      for (const std::uint32_t count : items.empty() ? published_items(word) : items) {
        if (word != "t" || count % 3 == 0) all.push_back({word, one, count});
      }
    }
  }
  return all;
}

bool Run::proven() const { return status == word_of<wire::PlanStatus>(wire::PlanStatus::Optimal); }

}  // namespace stowage::cli::packing
