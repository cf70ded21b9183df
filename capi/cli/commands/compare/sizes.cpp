// Which size of node for an instance: plans it on each node class alone, and on all of them together.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/names.h"
#include "capi/text/words/judged.h"
#include "capi/text/words/use.h"

namespace stowage::cli {
namespace {

/// The time of all plans together, and the least of one.
constexpr std::uint64_t kAllMilliseconds = 10'000;
constexpr std::uint64_t kLeastMilliseconds = 50;
/// The relative difference below which two values count as equal.
constexpr double kAlike = 1e-9;

/// What the instance needs on the nodes of one class, or of all together.
struct Size {
  std::string name;  ///< empty: all classes
  std::uint64_t nodes = 0;
  std::optional<double> cost;
  std::optional<double> bound;  ///< on the cost, or without prices the number of nodes, of any complete plan
  std::uint64_t unplaced = 0;
  std::string fullest;  ///< the resource of which the nodes hold most, and the share that is taken
  double share = 0;

  [[nodiscard]] double value() const { return cost.value_or(static_cast<double>(nodes)); }
  /// The bound, as a whole number where it counts nodes; 0 where there is none.
  [[nodiscard]] double at_least() const { return cost ? bound.value_or(0) : std::ceil(bound.value_or(0) - kAlike); }
  [[nodiscard]] bool is_proven() const { return unplaced == 0 && bound && value() <= at_least() * (1 + kAlike); }
};

Size size_of(const Workload& workload, const wire::Plan& plan, std::string name) {
  Size size;
  size.name = std::move(name);
  size.nodes = nodes_in_use(plan);
  if (plan.cost() >= 0) size.cost = plan.cost();
  if (const wire::Bound* bound = bound_of(plan); bound != nullptr) size.bound = bound->value();
  size.unplaced = replicas_of(plan.unplaced());
  const std::vector<double> shares = utilization(plan, workload.root());
  const auto most = std::max_element(shares.begin(), shares.end());
  if (most != shares.end()) {
    size.fullest = Names(workload.root()).resource(static_cast<std::uint32_t>(most - shares.begin()));
    size.share = *most;
  }
  return size;
}

/// The instance on the nodes of one of its classes.
Workload only(const InstanceData& data, std::size_t node_class) {
  InstanceData alone = data;
  alone.classes = {data.classes[node_class]};
  InstanceBytes bytes(encode_instance(std::move(alone)));
  Instance instance = load_bytes(bytes, "class \"" + data.classes[node_class].name + "\"");
  return {data.classes[node_class].name, std::move(bytes), std::move(instance)};
}

InstanceData classes_of(const Workload& workload) {
  InstanceData data = decode_instance(workload.root());
  if (!data.nodes.node_class.empty() || !data.running.empty() || !data.pinned.empty()) {
    throw Failure(workload.source + ": sizes compares node classes, and this instance has nodes of its own; take out what is " +
                  "listed, runs or is pinned");
  }
  return data;
}

std::string csv_text(const std::vector<Size>& sizes) {
  std::string text = csv_line({"class", "nodes", "cost", "bound", "proven", "unplaced", "fullest", "share"});
  for (const Size& size : sizes) {
    text += csv_line({size.name.empty() ? "(all)" : size.name, std::to_string(size.nodes),
                      size.cost ? shortest(*size.cost) : "", size.bound ? shortest(*size.bound) : "",
                      size.is_proven() ? "true" : "false", std::to_string(size.unplaced), size.fullest, shortest(size.share)});
  }
  return text;
}

std::string json_text(const std::vector<Size>& sizes) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("sizes").begin_array();
  for (const Size& size : sizes) {
    json.line(2).begin_object().key("class");
    size.name.empty() ? json.null() : json.text(size.name);
    json.key("nodes").whole(size.nodes);
    if (size.cost) json.key("cost").number(*size.cost);
    json.number_or_null("bound", size.bound).key("proven").flag(size.is_proven()).key("unplaced").whole(size.unplaced);
    json.key("fullest").text(size.fullest).key("share").number(size.share).end_object();
  }
  json.line(0).end_array().end_object();
  return text + "\n";
}

/// "5 nodes", or where nodes have prices "5 nodes, 3.84".
std::string value_text(const Size& size) {
  return counted(size.nodes, "node") + (size.cost ? ", " + for_people(*size.cost, 4) : "");
}

void print_sizes(const std::vector<Size>& sizes, const Console& console) {
  const auto alone = std::find_if(sizes.begin(), sizes.end(), [](const Size& one) { return !one.name.empty(); });
  const auto all = std::find_if(sizes.begin(), sizes.end(), [](const Size& one) { return one.name.empty(); });
  if (alone == sizes.end() || alone->unplaced > 0) {
    console.out << "No class holds everything alone.";
  } else {
    console.out << "Best alone: " << printable(alone->name) << " (" << value_text(*alone) << ").";
  }
  if (all != sizes.end() && all->unplaced == 0) {
    console.out << " All classes together: " << value_text(*all);
    if (alone != sizes.end() && alone->unplaced == 0 && alone->value() > all->value() * (1 + kAlike)) {
      console.out << ", " << percent_text(1 - all->value() / alone->value()) << " less";
    }
    console.out << '.';
  }
  console.out << "\n\n";
  const bool priced = std::any_of(sizes.begin(), sizes.end(), [](const Size& one) { return one.cost.has_value(); });
  std::vector<std::string> header = {"class", "nodes"};
  if (priced) header.emplace_back("cost");
  header.insert(header.end(), {"at least", "unplaced", "fullest"});
  TextTable table(header);
  table.last_is_text();
  for (const Size& size : sizes) {
    const bool holds_all = size.unplaced == 0;
    std::vector<std::string> row = {size.name.empty() ? "all together" : printable(size.name),
                                    holds_all ? std::to_string(size.nodes) : "-"};
    if (priced) row.push_back(holds_all ? for_people(size.value(), 4) : "-");
    row.push_back(!holds_all || !size.bound ? "-" : size.is_proven() ? "proven" : for_people(size.at_least(), 4));
    row.insert(row.end(), {std::to_string(size.unplaced), printable(size.fullest) + " " + percent_text(size.share)});
    table.add(std::move(row));
  }
  table.print(console, 0);
}

/// Complete ones first, then the cheapest, of equal ones that with fewer nodes.
void rank(std::vector<Size>& sizes) {
  std::stable_sort(sizes.begin(), sizes.end(), [](const Size& a, const Size& b) {
    return std::make_tuple(a.unplaced, a.value(), a.nodes) < std::make_tuple(b.unplaced, b.value(), b.nodes);
  });
}

}  // namespace

int run_sizes_command(const SizesCommand& command, const Console& console) {
  check_outputs(command.outputs, command.format, table_formats());
  const InterruptGuard guard;
  const Workload all = load_workload(command.file, command.node, console, command.scales);
  const InstanceData data = classes_of(all);
  RequestOptions request = command.request;
  if (request.work_limit == 0) {
    const std::uint64_t whole = request.deadline_ms == 0 ? kAllMilliseconds : request.deadline_ms;
    request.deadline_ms = std::max(kLeastMilliseconds, whole / (data.classes.size() + 1));
  }
  std::vector<Size> sizes;
  sizes.push_back(size_of(all, run_plan(all, request, console).root(), ""));
  for (std::size_t k = 0; data.classes.size() > 1 && k < data.classes.size() && !InterruptGuard::interrupted(); ++k) {
    const Workload workload = only(data, k);
    sizes.push_back(size_of(workload, run_plan(workload, request, console).root(), data.classes[k].name));
  }
  rank(sizes);
  for (const std::string& output : command.outputs) {
    OutputFile out(output);
    out.write(format_of(output, command.format, table_formats()) == "csv" ? csv_text(sizes) : json_text(sizes));
    out.commit();
  }
  const Console answer = answer_console(console, command.outputs);
  if (command.summary == Summary::kJson) {
    answer.out << json_text(sizes);
  } else {
    print_sizes(sizes, answer);
    answer.out << "\nNext: stowage plan " << arguments_of(command.file, command.node, command.scales)
               << "  which replicas run on which node\n";
    for (const std::string& output : command.outputs) {
      if (output != "-") answer.out << "Written to " << printable(output) << '\n';
    }
  }
  const bool unmet = std::all_of(sizes.begin(), sizes.end(), [](const Size& one) { return one.unplaced > 0; });
  return unmet || InterruptGuard::interrupted() ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
