#include "capi/lab/imports/imports.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/base/files.h"
#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"

namespace stowage::cli {
namespace {

constexpr std::uint64_t kDrawJobs = 601;

/// Returns read(root), of the object that a file holds.
template <class Read>
auto read_object(const std::string& path, Read&& read) {
  const InputFile input(path);
  JsonValue root;
  root.type = JsonValue::Type::kObject;
  JsonVisitor visitor;
  visitor.member = [&](const std::string& key, const JsonValue& value) {
    root.keys.push_back(key);
    root.items.push_back(value);
  };
  read_json(input.text(), input.name(), visitor);
  return read(JsonAt(root, input.name(), ""));
}

/// A number that is not below 0.
double amount_at(const JsonAt& at) {
  if (!(at.number() >= 0)) at.fail("must not be below 0");
  return at.number();
}

/// The throughputs on one kind of GPU of all types of jobs that run on one GPU.
struct Throughputs {
  std::vector<std::string> types;  ///< in alphabetical order
  std::vector<double> alone;       ///< above 0
  std::vector<double> beside;      ///< types x types: of the first beside the second; 0: they do not share
};

/// The throughput of a job beside another one; 0 where that was not measured, or where one of them stands still.
double throughput_beside(const JsonAt& pair) {
  std::vector<double> both;
  if (pair.is(JsonValue::Type::kArray)) pair.elements([&](std::size_t, const JsonAt& at) { both.push_back(amount_at(at)); });
  return both.size() == 2 && both[1] > 0 ? both[0] : 0;
}

Throughputs throughputs_on(const JsonAt& gpu) {
  // A key is ('ResNet-18 (batch size 16)', 1): the type and the number of GPUs.
  std::map<std::string, double> alone;
  std::map<std::pair<std::string, std::string>, double> beside;
  gpu.members([&](const std::string& key, const JsonAt& row) {
    if (!key.starts_with("('") || !key.ends_with("', 1)")) return;
    row.required("null", [&](const JsonAt& at) { alone[key] = amount_at(at); });
    row.members([&](const std::string& other, const JsonAt& pair) { beside[{key, other}] = throughput_beside(pair); });
  });
  std::erase_if(alone, [](const auto& entry) { return entry.second == 0; });
  if (alone.empty()) gpu.fail("has no jobs on one GPU");
  Throughputs result;
  for (const auto& [key, throughput] : alone) {
    result.types.push_back(key.substr(2, key.size() - 7));
    result.alone.push_back(throughput);
    for (const auto& [other, unused] : alone) result.beside.push_back(beside[{key, other}]);
  }
  return result;
}

/// Half of the jobs of a type.
struct Half {
  std::size_t type;
  std::uint32_t jobs;
  const char* suffix;
};

class RasaReader {
 public:
  InstanceData read(const JsonAt& root) {
    data_.resources = {{"cpu", ""}, {"memory", ""}};
    each(root, "ServiceList", [&](const JsonAt& service) { read_service(service); });
    each(root, "MachineList", [&](const JsonAt& machine) { read_machine(machine); });
    each(root, "TrafficList", [&](const JsonAt& pair) {
      data_.traffic.emplace_back(service(pair, "Service1"), service(pair, "Service2"), amount(pair, "Traffic"));
    });
    data_.name =
        "RASA, " + counted(data_.apps.replicas.size(), "service") + " on " + counted(data_.nodes.node_class.size(), "machine");
    return std::move(data_);
  }

 private:
  static void each(const JsonAt& of, const char* key, const std::function<void(const JsonAt& at)>& visit) {
    of.required(key, [&](const JsonAt& list) { list.elements([&](std::size_t, const JsonAt& at) { visit(at); }); });
  }
  static std::string text(const JsonAt& of, const char* key) {
    std::string found;
    of.required(key, [&](const JsonAt& at) { found = at.text(); });
    return found;
  }
  static double amount(const JsonAt& of, const char* key) {
    double found = 0;
    of.required(key, [&](const JsonAt& at) { found = amount_at(at); });
    return found;
  }
  [[nodiscard]] std::uint32_t service(const JsonAt& of, const char* key) const {
    const auto found = services_.find(text(of, key));
    if (found == services_.end()) of.fail(std::string("\"") + key + "\" is not a service");
    return found->second;
  }

  void read_service(const JsonAt& service) {
    const auto app = static_cast<std::uint32_t>(data_.apps.replicas.size());
    const std::string name = text(service, "Service");
    if (!services_.emplace(name, app).second) service.fail("the service " + name + " stands twice");
    service.required("CompatibleMachines", [&](const JsonAt& at) {
      if (at.is(JsonValue::Type::kText) && at.text() == "*") return;
      at.fail("only some machines take the service " + name + ", which the importer does not read");
    });
    data_.apps.names.push_back(name);
    data_.apps.demand.push_back(amount(service, "RequestCPU"));
    data_.apps.demand.push_back(amount(service, "RequestMem"));
    data_.apps.replicas.push_back(0);
    each(service, "ContainerList", [&](const JsonAt& container) {
      service_of_[container.text()] = app;
      ++data_.apps.replicas.back();
    });
  }

  void read_machine(const JsonAt& machine) {
    const auto node = static_cast<std::uint32_t>(data_.nodes.node_class.size());
    data_.nodes.names.push_back(text(machine, "MachineIP"));
    const std::pair capacity(amount(machine, "TotalCPU"), amount(machine, "TotalMem"));
    const auto [found, is_new] = classes_.emplace(capacity, static_cast<std::uint32_t>(data_.classes.size()));
    if (is_new) {
      NodeClassData& node_class = data_.classes.emplace_back();
      node_class.name = "type-" + std::to_string(data_.classes.size());
      node_class.capacity = {capacity.first, capacity.second};
    }
    data_.nodes.node_class.push_back(found->second);
    ++data_.classes[found->second].count;
    std::map<std::uint32_t, std::uint32_t> replicas;
    each(machine, "InitialDeployingContainers", [&](const JsonAt& container) {
      const auto of = service_of_.find(container.text());
      if (of == service_of_.end()) container.fail("is a container of no service");
      ++replicas[of->second];
    });
    for (const auto& [app, number] : replicas) data_.running.emplace_back(app, node, number);
  }

  InstanceData data_;
  std::map<std::string, std::uint32_t> services_;
  std::map<std::string, std::uint32_t> service_of_;  // per container
  std::map<std::pair<double, double>, std::uint32_t> classes_;
};

}  // namespace

InstanceData import_gavel(const GavelOptions& options) {
  if (options.jobs > 2 * std::uint64_t{options.gpus}) throw Failure("--jobs: a GPU holds two jobs at most");
  const Throughputs known = read_object(options.file, [&](const JsonAt& root) {
    if (root.value().find(options.gpu) != nullptr)
      return throughputs_on(JsonAt(*root.value().find(options.gpu), root.file(), options.gpu));
    throw Failure("--gpu: \"" + options.gpu + "\" is not in " + root.file() + ", which has " + enumerated(root.value().keys));
  });
  std::vector<std::uint32_t> jobs(known.types.size(), 0);
  Random random(options.seed, kDrawJobs, 0);
  for (std::uint32_t j = 0; j < options.jobs; ++j) ++jobs[random.below(static_cast<std::uint32_t>(jobs.size()))];
  std::vector<Half> halves;
  for (std::size_t t = 0; t < jobs.size(); ++t) {
    if (jobs[t] > 0) halves.push_back({t, (jobs[t] + 1) / 2, jobs[t] > 1 ? ", first half" : ""});
    if (jobs[t] > 1) halves.push_back({t, jobs[t] / 2, ", second half"});
  }
  InstanceData data;
  data.name = counted(options.jobs, "job") + " on " + std::to_string(options.gpus) + " " + options.gpu + ", seed " +
              std::to_string(options.seed);
  data.resources.push_back({"jobs", ""});
  NodeClassData gpu;
  gpu.name = options.gpu;
  gpu.capacity = {2};
  gpu.count = options.gpus;
  data.classes.push_back(std::move(gpu));
  InterferenceData interference;
  data.limits.row_begin.push_back(0);
  for (std::uint32_t a = 0; a < halves.size(); ++a) {
    data.apps.names.push_back(known.types[halves[a].type] + halves[a].suffix);
    data.apps.replicas.push_back(halves[a].jobs);
    data.apps.demand.push_back(1);
    data.apps.kind.push_back(a);
    interference.kinds.push_back(data.apps.names.back());
    data.limits.app.push_back(a);
    data.limits.at_most.push_back(1);
    for (std::uint32_t b = 0; b < halves.size(); ++b) {
      const double beside = known.beside[halves[a].type * known.types.size() + halves[b].type];
      const double slowdown = beside > 0 ? known.alone[halves[a].type] / beside : 1;
      interference.coefficient.push_back(a == b ? 1 : std::max(0.0, slowdown - 1));
      if (beside > 0 || a == b) continue;
      data.limits.app.push_back(b);
      data.limits.at_most.push_back(0);
    }
    data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
  }
  data.interference = std::move(interference);
  return data;
}

InstanceData import_rasa(const std::string& file) {
  return read_object(file, [](const JsonAt& root) { return RasaReader().read(root); });
}

}  // namespace stowage::cli
