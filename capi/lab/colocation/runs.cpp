#include "capi/lab/colocation/runs.h"

#include "capi/cli/generate/colocation.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::colocation {
void Run::fields(Run& run, lab::RunLine& line) {
  line.checked("class", run.of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("kinds", run.of.kinds).field("apps", run.of.apps).field("nodes", run.of.nodes).field("seed", run.seed);
  line.field("largest", run.largest).field("paper_bound", run.paper_bound).contender(run);
  line.field("cost", run.cost).field("bound", run.bound).defects(run).origin(run);
}

bool Run::proven() const { return status == word_of<wire::PlanStatus>(wire::PlanStatus::Optimal); }

}  // namespace stowage::cli::colocation
