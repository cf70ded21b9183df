// The cluster as an instance: for all other questions about it, and for the other planners.
#include "capi/k8s/questions/questions.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/instance_json.h"

namespace stowage::k8s {
namespace {

/// What runs and may not leave its node now is pinned, since nothing else says so to planners that move replicas.
cli::InstanceData pinned_instance(const Model& model) {
  cli::InstanceData made = model.instance(Scope::kHere, {}, true);
  made.pinned.clear();
  for (const wire::Residence& one : made.running) {
    const App& app = model.cluster.apps[one.app()];
    if (app.pinned || app.held || model.uncounted[one.app()] != 0) made.pinned.push_back(one);
  }
  return made;
}

std::vector<std::string> held_of(const Cluster& cluster) {
  std::vector<std::string> all;
  for (const App& app : cluster.apps) {
    if ((app.pinned || app.held) && !app.running.empty()) all.push_back(app.workload() + ": " + app.held_by);
  }
  return all;
}

}  // namespace

Outcome answer_instance(Objects& from, const ReadCall& with) {
  const Model model(read_cluster(from), with.options.prices);
  const flatbuffers::DetachedBuffer bytes = cli::encode_instance(pinned_instance(model));
  cli::TextOutput json;
  cli::write_instance_json(*wire::GetInstance(bytes.data()), json);
  const int code = exit_code_of(true, model.cluster);
  if (!with.options.json) return {json.text(), code};
  return {json_object([&](cli::JsonWriter& to) {
            to.line(2).key("instance").json(json.text());
            write_notes(to, model.cluster);
            write_texts(to, "held", held_of(model.cluster));
          }),
          code};
}

}  // namespace stowage::k8s
