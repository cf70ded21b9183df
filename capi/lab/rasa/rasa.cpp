#include "capi/lab/rasa/rasa.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "capi/cli/base/console.h"
#include "capi/cli/base/files.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

using Json = nlohmann::json;

class RasaReader {
 public:
  explicit RasaReader(const std::string& path) : input_(path) {}

  InstanceData read() {
    const Json root = Json::parse(input_.text(), nullptr, false);
    if (!root.is_object()) refuse("is not a JSON object");
    data_.resources = {{"cpu", ""}, {"memory", ""}};
    for (const Json& service : list(root, "ServiceList")) read_service(service);
    for (const Json& machine : list(root, "MachineList")) read_machine(machine);
    for (const Json& pair : list(root, "TrafficList")) {
      data_.traffic.emplace_back(service(pair, "Service1"), service(pair, "Service2"), amount(pair, "Traffic"));
    }
    data_.name =
        "RASA, " + counted(data_.apps.replicas.size(), "service") + " on " + counted(data_.nodes.node_class.size(), "machine");
    return std::move(data_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Failure(input_.name() + ": " + what + "; expected a cluster of RASA's data set");
  }
  const Json& member(const Json& of, const char* key) const {
    if (!of.is_object() || !of.contains(key)) refuse(std::string("has no \"") + key + "\"");
    return of[key];
  }
  const Json& list(const Json& of, const char* key) const {
    const Json& value = member(of, key);
    if (!value.is_array()) refuse(std::string("\"") + key + "\" is not a list");
    return value;
  }
  std::string text(const Json& value, const char* key) const {
    if (!value.is_string()) refuse(std::string("\"") + key + "\" is not a text");
    return value.get<std::string>();
  }
  double amount(const Json& of, const char* key) const {
    const Json& value = member(of, key);
    if (!value.is_number() || !(value.get<double>() >= 0)) refuse(std::string("\"") + key + "\" is not a number from 0");
    return value.get<double>();
  }
  std::uint32_t service(const Json& of, const char* key) const {
    const auto found = services_.find(text(member(of, key), key));
    if (found == services_.end()) refuse(std::string("\"") + key + "\" is not a service");
    return found->second;
  }

  void read_service(const Json& service) {
    const auto app = static_cast<std::uint32_t>(data_.apps.replicas.size());
    const std::string name = text(member(service, "Service"), "Service");
    if (!services_.emplace(name, app).second) refuse("the service " + name + " stands twice");
    const Json& machines = member(service, "CompatibleMachines");
    if (!machines.is_string() || machines.get<std::string>() != "*") {
      refuse("only some machines take the service " + name + ", which the importer does not read");
    }
    data_.apps.names.push_back(name);
    data_.apps.demand.push_back(amount(service, "RequestCPU"));
    data_.apps.demand.push_back(amount(service, "RequestMem"));
    const Json& containers = list(service, "ContainerList");
    data_.apps.replicas.push_back(static_cast<std::uint32_t>(containers.size()));
    for (const Json& container : containers) service_of_[text(container, "ContainerList")] = app;
  }

  void read_machine(const Json& machine) {
    const auto node = static_cast<std::uint32_t>(data_.nodes.node_class.size());
    data_.nodes.names.push_back(text(member(machine, "MachineIP"), "MachineIP"));
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
    for (const Json& container : list(machine, "InitialDeployingContainers")) {
      const auto of = service_of_.find(text(container, "InitialDeployingContainers"));
      if (of == service_of_.end()) refuse("a container of no service is deployed");
      ++replicas[of->second];
    }
    for (const auto& [app, number] : replicas) data_.running.emplace_back(app, node, number);
  }

  InputFile input_;
  InstanceData data_;
  std::map<std::string, std::uint32_t> services_;
  std::map<std::string, std::uint32_t> service_of_;  // per container
  std::map<std::pair<double, double>, std::uint32_t> classes_;
};

}  // namespace

InstanceData import_rasa(const std::string& file) { return RasaReader(file).read(); }

}  // namespace stowage::cli
