#include "capi/lab/clusters/runs.h"

#include "capi/cli/base/console.h"
#include "capi/cli/generate/cluster/cluster.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::clusters {
void Run::fields(Run& run, lab::RunLine& line) {
  line.checked("features", run.of.features, [](const std::string& features) {
    cluster::Options options;
    cluster::add_features(features, "features", options);
  });
  line.field("apps", run.of.apps).field("seed", run.seed).contender(run);
  std::string objective = run.priced ? "cost" : "nodes";
  line.field("objective", objective).refuse_if(objective != "cost" && objective != "nodes");
  run.priced = objective == "cost";
  line.field("value", run.value).field("bound", run.bound).field("nodes", run.nodes).defects(run);
  line.field("rule_violations", run.rule_violations).origin(run);
}

std::string class_text(const Class& of) { return counted(of.apps, "app") + ", " + of.features; }

const std::vector<std::string>& default_features() {
  static const std::vector<std::string> kFeatures = {"none",        "limits",     "selectors",  "spread-hard",
                                                     "spread-soft", "soft-apart", "all",        "continuous",
                                                     "periods",     "uncertain",  "exclusions", "periods+uncertain+exclusions",
                                                     "one-class"};
  return kFeatures;
}

const std::vector<std::uint32_t>& default_sizes() {
  static const std::vector<std::uint32_t> kSizes = {300, 1000, 5000};
  return kSizes;
}

const std::vector<std::string>& default_deadlines() {
  static const std::vector<std::string> kDeadlines = {"100ms", "1s", "10s"};
  return kDeadlines;
}

std::optional<double> Run::gap() const {
  if (!counts() || !bound || *bound <= 0) return std::nullopt;
  return value / *bound - 1;
}

}  // namespace stowage::cli::clusters
