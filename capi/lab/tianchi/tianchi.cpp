#include "capi/lab/tianchi/tianchi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
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

/// The lines of a file without a header. Failures name file and line.
class Lines {
 public:
  Lines(const std::string& path, const char* option, std::size_t columns)
      : file_(path), option_(option), columns_(columns), csv_(file_.text(), file_.name()) {}

  /// Reads the next line; returns false at the end.
  bool next() {
    if (!csv_.next(fields_)) return false;
    if (fields_.size() != columns_) {
      fail("has " + std::to_string(fields_.size()) + " columns; expected " + std::to_string(columns_) + " for " + option_);
    }
    return true;
  }
  [[nodiscard]] const std::string& field(std::size_t column) const { return fields_[column]; }

  [[nodiscard]] double number(std::string_view text) const {
    const auto value = parse_number(text);
    if (!value || *value < 0) fail("\"" + std::string(text) + "\" is not a number of at least 0");
    return *value;
  }
  /// Numbers between bars.
  [[nodiscard]] std::vector<double> numbers(std::string_view text) const {
    std::vector<double> all;
    for (const std::string& one : split_fields(text, '|')) all.push_back(number(one));
    return all;
  }
  [[nodiscard]] std::uint32_t count(std::size_t column) const {
    const auto value = parse_whole(fields_[column]);
    if (!value || *value >= kNone) fail("\"" + fields_[column] + "\" is not a whole number");
    return static_cast<std::uint32_t>(*value);
  }
  /// The index of the name in a column, of those in another file.
  [[nodiscard]] std::uint32_t index(std::size_t column, const char* what, const NameIndex& names, const std::string& in) const {
    const std::uint32_t found = names.find(fields_[column]);
    if (found == kNone) fail(std::string("there is no ") + what + " \"" + fields_[column] + "\" in " + in);
    return found;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw Failure(file_.name() + ":" + std::to_string(csv_.line()) + ": " + message);
  }

 private:
  InputFile file_;
  std::string option_;
  std::size_t columns_;
  CsvReader csv_;
  std::vector<std::string> fields_;
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
    refuse_twice(*index_, data_.apps.names, options_.apps + ": app ");
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
    Lines lines(options_.apps, "--apps", 1 + kResources);
    while (lines.next()) {
      data_.apps.names.push_back(lines.field(0));
      data_.apps.replicas.push_back(0);
      std::array<std::vector<double>, kProfileColumns> profiles;
      for (std::size_t r = 0; r < kProfileColumns; ++r) profiles[r] = lines.numbers(lines.field(1 + r));
      if (profiles[0].size() != profiles[1].size()) lines.fail("has different numbers of CPU and memory samples");
      const auto periods = static_cast<std::uint32_t>(options_.fixed ? 1 : profiles[0].size());
      if (data_.apps.names.size() == 1) data_.periods = periods;
      if (periods != data_.periods) lines.fail("has a different number of samples than the first line");
      for (const std::size_t r : kept_) {
        std::vector<double> samples(periods);
        if (r >= kProfileColumns) {
          samples.assign(periods, lines.number(lines.field(1 + r)));
        } else if (options_.fixed) {
          samples[0] = *std::max_element(profiles[r].begin(), profiles[r].end());
        } else {
          samples = profiles[r];
        }
        for (const double sample : samples) data_.apps.demand.push_back(options_.round_up ? std::ceil(sample) : sample);
      }
    }
    if (data_.apps.names.empty()) throw Failure(options_.apps + ": has no apps");
  }

  [[nodiscard]] std::uint32_t app(const Lines& lines, std::size_t column) const {
    return lines.index(column, "app", *index_, options_.apps);
  }

  void read_interference() {
    Lines lines(options_.interference, "--interference", 3);
    std::vector<std::map<std::uint32_t, std::uint32_t>> rows(data_.apps.names.size());
    while (lines.next()) {
      const std::uint32_t imposing = app(lines, 0);
      const std::uint32_t limited = app(lines, 1);
      std::uint32_t at_most = lines.count(2);
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
    Lines lines(options_.machines, "--machines", 1 + kResources);
    const auto has = [&](const auto& holds) { return std::find_if(data_.classes.begin(), data_.classes.end(), holds); };
    while (lines.next()) {
      std::vector<double> capacity;
      for (const std::size_t r : kept_) capacity.push_back(lines.number(lines.field(1 + r)));
      auto found = has([&](const NodeClassData& one) { return one.capacity == capacity; });
      if (found == data_.classes.end()) {
        NodeClassData node_class;
        node_class.name = shortest(capacity[0]) + (capacity.size() > 1 ? "x" + shortest(capacity[1]) : "");
        const auto same_name = has([&](const NodeClassData& one) { return one.name == node_class.name; });
        if (same_name != data_.classes.end()) node_class.name += "-" + std::to_string(data_.classes.size());
        node_class.capacity = std::move(capacity);
        found = data_.classes.insert(data_.classes.end(), std::move(node_class));
      }
      ++found->count;
      data_.nodes.node_class.push_back(static_cast<std::uint32_t>(found - data_.classes.begin()));
      data_.nodes.names.push_back(lines.field(0));
    }
  }

  /// Counts the replicas, and where they run unless the machines are replaced.
  void read_deployment() {
    Lines lines(options_.deploy, "--deploy", 3);
    const NameIndex machines(data_.nodes.names);
    refuse_twice(machines, data_.nodes.names, options_.machines + ": machine ");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> running;
    while (lines.next()) {
      const std::uint32_t deployed = app(lines, 1);
      ++data_.apps.replicas[deployed];
      if (options_.node || lines.field(2).empty()) continue;
      ++running[{lines.index(2, "machine", machines, options_.machines), deployed}];
    }
    for (const auto& [place, replicas] : running) data_.running.emplace_back(place.second, place.first, replicas);
  }

  static void refuse_twice(const NameIndex& index, const std::vector<std::string>& names, const std::string& what) {
    if (index.duplicate()) throw Failure(what + names[index.duplicate()->first] + " occurs twice");
  }

  TianchiOptions options_;
  InstanceData data_;
  std::vector<std::size_t> kept_;
  std::optional<NameIndex> index_;
};

}  // namespace

InstanceData import_tianchi(TianchiOptions options) { return TianchiReader(std::move(options)).read(); }

}  // namespace stowage::cli
