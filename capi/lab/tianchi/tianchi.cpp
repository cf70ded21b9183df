#include "capi/lab/tianchi/tianchi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "capi/cli/base/files.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

constexpr std::size_t kResources = 6;
constexpr std::array<std::pair<const char*, const char*>, kResources> kResourceUnits = {
    {{"cpu", "cores"}, {"memory", "GiB"}, {"disk", "GiB"}, {"P", ""}, {"M", ""}, {"PM", ""}}};
/// The first two are profiles.
constexpr std::size_t kProfileColumns = 2;
constexpr const char* kP0Node = "cpu=64,memory=128";

/// The lines of a comma-separated file without quoting.
class Table {
 public:
  Table(const std::string& path, const char* option, std::size_t columns)
      : file_(path), option_(option), columns_(columns), rest_(file_.text()) {
    if (path.empty()) throw Failure(std::string(option) + ": is missing");
  }

  /// The next line that is not empty; false at the end.
  bool next(std::vector<std::string_view>& fields) {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      fields.clear();
      for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) break;
        line.remove_prefix(comma + 1);
      }
      if (fields.size() != columns_) {
        fail("has " + std::to_string(fields.size()) + " columns; expected " + std::to_string(columns_) + " for " + option_);
      }
      return true;
    }
    return false;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Failure(file_.name() + ": line " + std::to_string(line_) + ": " + message);
  }

  [[nodiscard]] double number(std::string_view text) const {
    const auto value = parse_number(text);
    if (!value || *value < 0) fail("\"" + std::string(text) + "\" is not a number of at least 0");
    return *value;
  }

  [[nodiscard]] std::uint32_t count(std::string_view text) const {
    const auto value = parse_whole(text);
    if (!value || *value >= kNone) fail("\"" + std::string(text) + "\" is not a whole number");
    return static_cast<std::uint32_t>(*value);
  }

 private:
  InputFile file_;
  std::string option_;
  std::size_t columns_;
  std::string_view rest_;
  std::size_t line_ = 0;
};

class TianchiReader {
 public:
  explicit TianchiReader(TianchiOptions options) : options_(std::move(options)) {
    if (options_.p0) {
      if (!options_.node) options_.node = kP0Node;
      if (options_.resources.empty()) options_.resources = {"cpu", "memory"};
      if (options_.fixed) options_.round_up = true;
    }
  }

  InstanceData read() {
    choose_resources();
    read_apps();
    index_.emplace(data_.apps.names);
    if (index_->duplicate())
      throw Failure(options_.apps + ": app " + data_.apps.names[index_->duplicate()->first] + " occurs twice");
    read_interference();
    if (options_.node) {
      set_single_class(data_, *options_.node);
    } else {
      read_machines();
    }
    read_deployment();
    data_.name = options_.p0 ? "Alibaba Tianchi 2018, data set B, setting of P0" : "Alibaba Tianchi 2018, data set B";
    return std::move(data_);
  }

 private:
  void choose_resources() {
    for (const std::string& name : options_.resources) {
      const auto known = [&](const auto& one) { return name == one.first; };
      if (std::none_of(kResourceUnits.begin(), kResourceUnits.end(), known)) {
        throw Failure("--resources: there is no resource \"" + name + "\"; the files have cpu, memory, disk, P, M, PM");
      }
    }
    for (std::size_t r = 0; r < kResources; ++r) {
      const std::string name = kResourceUnits[r].first;
      const auto& wanted = options_.resources;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
      kept_.push_back(r);
      data_.resources.push_back({name, kResourceUnits[r].second});
    }
  }

  void read_apps() {
    Table table(options_.apps, "--apps", 1 + kResources);
    std::vector<std::string_view> fields;
    std::vector<double> samples;
    while (table.next(fields)) {
      data_.apps.names.emplace_back(fields[0]);
      data_.apps.replicas.push_back(0);
      std::array<std::vector<double>, kProfileColumns> profiles;
      for (std::size_t r = 0; r < kProfileColumns; ++r) profiles[r] = read_samples(table, fields[1 + r]);
      if (profiles[0].size() != profiles[1].size()) table.fail("has different numbers of CPU and memory samples");
      const auto periods = static_cast<std::uint32_t>(options_.fixed ? 1 : profiles[0].size());
      if (data_.apps.names.size() == 1) data_.periods = periods;
      if (periods != data_.periods) table.fail("has a different number of samples than the first line");
      for (const std::size_t r : kept_) {
        if (r >= kProfileColumns) {
          data_.apps.demand.insert(data_.apps.demand.end(), periods, demand(table.number(fields[1 + r])));
        } else if (options_.fixed) {
          data_.apps.demand.push_back(demand(*std::max_element(profiles[r].begin(), profiles[r].end())));
        } else {
          for (const double sample : profiles[r]) data_.apps.demand.push_back(demand(sample));
        }
      }
    }
    if (data_.apps.names.empty()) throw Failure(options_.apps + ": has no apps");
  }

  static std::vector<double> read_samples(const Table& table, std::string_view text) {
    std::vector<double> samples;
    for (;;) {
      const std::size_t bar = text.find('|');
      samples.push_back(table.number(text.substr(0, bar)));
      if (bar == std::string_view::npos) return samples;
      text.remove_prefix(bar + 1);
    }
  }

  [[nodiscard]] double demand(double value) const { return options_.round_up ? std::ceil(value) : value; }

  std::uint32_t app(const Table& table, std::string_view name) const {
    const std::uint32_t found = index_->find(name);
    if (found == kNone) table.fail("there is no app \"" + std::string(name) + "\" in " + options_.apps);
    return found;
  }

  void read_interference() {
    Table table(options_.interference, "--interference", 3);
    std::vector<std::map<std::uint32_t, std::uint32_t>> rows(data_.apps.names.size());
    std::vector<std::string_view> fields;
    while (table.next(fields)) {
      const std::uint32_t imposing = app(table, fields[0]);
      const std::uint32_t limited = app(table, fields[1]);
      std::uint32_t at_most = table.count(fields[2]);
      if (imposing == limited) {
        if (options_.p0) continue;
        ++at_most;
      }
      const auto [entry, inserted] = rows[imposing].emplace(limited, at_most);
      if (!inserted) entry->second = std::min(entry->second, at_most);
    }
    AffinityLimitsData& limits = data_.limits;
    limits.row_begin.push_back(0);
    for (const auto& row : rows) {
      for (const auto& [limited, at_most] : row) {
        limits.app.push_back(limited);
        limits.at_most.push_back(at_most);
      }
      limits.row_begin.push_back(static_cast<std::uint32_t>(limits.app.size()));
    }
  }

  /// Machines of the same capacity are a class, named after its first two resources.
  void read_machines() {
    if (options_.machines.empty())
      throw Failure("--machines: is missing; or give --node cores=64,memory=128 for open-ended nodes");
    Table table(options_.machines, "--machines", 1 + kResources);
    std::vector<std::string_view> fields;
    while (table.next(fields)) {
      std::vector<double> capacity;
      for (const std::size_t r : kept_) capacity.push_back(table.number(fields[1 + r]));
      const auto same = [&](const NodeClassData& one) { return one.capacity == capacity; };
      auto found = std::find_if(data_.classes.begin(), data_.classes.end(), same);
      if (found == data_.classes.end()) {
        NodeClassData node_class;
        node_class.name = shortest(capacity[0]) + (capacity.size() > 1 ? "x" + shortest(capacity[1]) : "");
        const auto same_name = [&](const NodeClassData& one) { return one.name == node_class.name; };
        if (std::any_of(data_.classes.begin(), data_.classes.end(), same_name)) {
          node_class.name += "-" + std::to_string(data_.classes.size());
        }
        node_class.capacity = std::move(capacity);
        found = data_.classes.insert(data_.classes.end(), std::move(node_class));
      }
      ++found->count;
      data_.nodes.node_class.push_back(static_cast<std::uint32_t>(found - data_.classes.begin()));
      data_.nodes.names.emplace_back(fields[0]);
    }
  }

  /// Counts the replicas, and where they run unless the machines are replaced.
  void read_deployment() {
    Table table(options_.deploy, "--deploy", 3);
    const NameIndex machines(data_.nodes.names);
    if (machines.duplicate()) {
      throw Failure(options_.machines + ": machine " + data_.nodes.names[machines.duplicate()->first] + " occurs twice");
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> running;
    std::vector<std::string_view> fields;
    while (table.next(fields)) {
      const std::uint32_t deployed = app(table, fields[1]);
      ++data_.apps.replicas[deployed];
      if (options_.node || fields[2].empty()) continue;
      const std::uint32_t machine = machines.find(fields[2]);
      if (machine == kNone) table.fail("there is no machine \"" + std::string(fields[2]) + "\" in " + options_.machines);
      ++running[{machine, deployed}];
    }
    for (const auto& [place, replicas] : running) data_.running.emplace_back(place.second, place.first, replicas);
  }

  TianchiOptions options_;
  InstanceData data_;
  std::vector<std::size_t> kept_;
  std::optional<NameIndex> index_;
};

}  // namespace

InstanceData import_tianchi(TianchiOptions options) { return TianchiReader(std::move(options)).read(); }

}  // namespace stowage::cli
