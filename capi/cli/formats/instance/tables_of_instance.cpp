#include "capi/cli/formats/instance/tables_of_instance.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "capi/cli/base/files.h"
#include "capi/cli/formats/instance/instance_tables.h"
#include "capi/cli/formats/output_format.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {
namespace {

constexpr const char* kInstead = "; write .json, .yaml or .stow";

std::string field_in(const char* list, std::size_t index, const char* key) {
  return list + ("[" + std::to_string(index) + "].") + key;
}

/// The first field of the instance that no table has; empty where there is none.
std::string field_without_column(const InstanceData& data) {
  if (data.periods > 1) return "periods";
  for (const ResourceData& resource : data.resources) {
    if (resource.device > 0) return "resources." + resource.name + ".device";
  }
  const auto has_daemon = [](const NodeClassData& one) { return !one.daemon.empty(); };
  if (std::any_of(data.classes.begin(), data.classes.end(), has_daemon)) return "classes[].daemon";
  if (!data.groups.empty()) return "groups";
  if (!data.rules.empty()) return "rules";
  if (data.uncertainty) return "uncertainty";
  if (data.interference || !data.apps.kind.empty()) return "interference";
  if (!data.traffic.empty()) return "traffic";
  if (!data.apps.support_min.empty()) return "apps[].support";
  if (!data.nodes.load.empty()) return "nodes[].load";
  if (!data.nodes.load_variance.empty()) return "nodes[].load_variance";
  if (!data.nodes.daemon.empty()) return "nodes[].daemon";
  if (std::find(data.nodes.closed.begin(), data.nodes.closed.end(), 1) != data.nodes.closed.end()) return "nodes[].closed";
  if (!data.nodes.tag_index.empty()) return "nodes[].tags";
  return data.pinned.empty() ? "" : "nodes[].pinned";
}

/// A word in a cell that lists several. `separators` would end it.
const std::string& listed_word(const std::string& word, const std::string& path, std::string_view separators = " ,;|") {
  if (word.empty() || word.find_first_of(separators) != std::string::npos) {
    throw Failure(path + ": a list in a table cannot hold \"" + word + "\"" + kInstead);
  }
  return word;
}

/// Columns of a table, of which only those are written that say something.
class Columns {
 public:
  explicit Columns(std::size_t rows) : rows_(rows) {}

  /// @param cell cell(row): the text, empty for what holds without one
  template <class Cell>
  void add(const std::string& header, const Cell& cell, bool is_always = false) {
    std::vector<std::string> cells;
    cells.reserve(rows_);
    for (std::size_t row = 0; row < rows_; ++row) cells.push_back(cell(row));
    const bool says = std::any_of(cells.begin(), cells.end(), [](const std::string& one) { return !one.empty(); });
    if (!says && !is_always) return;
    headers_.push_back(header);
    cells_.push_back(std::move(cells));
  }
  [[nodiscard]] std::string text(CsvCells safe) const {
    std::string text = csv_line(headers_, safe);
    std::vector<std::string> fields(cells_.size());
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t k = 0; k < cells_.size(); ++k) fields[k] = cells_[k][row];
      text += csv_line(fields, safe);
    }
    return text;
  }

 private:
  std::size_t rows_;
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> cells_;  // by column
};

class TablesOfInstance {
 public:
  explicit TablesOfInstance(const InstanceData& data) : data_(data) {}

  [[nodiscard]] TextOfTables texts(CsvCells safe) const {
    return {apps().text(safe), classes().text(safe), data_.nodes.node_class.empty() ? "" : running().text(safe)};
  }

 private:
  using Rows = std::vector<std::uint32_t>;

  [[nodiscard]] static std::string header_of(const ResourceData& resource) {
    return resource.unit.empty() ? resource.name : resource.name + " (" + resource.unit + ")";
  }
  /// The tags of an app, as the words of a cell.
  [[nodiscard]] std::string tags_of(const Rows& begin, const Rows& index, std::size_t app, const char* key) const {
    if (begin.empty()) return {};
    std::string cell;
    for (std::size_t k = begin[app]; k < begin[app + 1]; ++k) {
      cell += (cell.empty() ? "" : " ") + listed_word(data_.tags[index[k]], field_in("apps", app, key));
    }
    return cell;
  }
  /// The limits of an app on others, or that on its own replicas.
  [[nodiscard]] std::string limits_of(std::size_t app, bool own) const {
    const AffinityLimitsData& limits = data_.limits;
    if (limits.app.empty()) return {};
    std::string cell;
    for (std::size_t k = limits.row_begin[app]; k < limits.row_begin[app + 1]; ++k) {
      if ((limits.app[k] == app) != own) continue;
      if (own) return std::to_string(limits.at_most[k]);
      const std::string& other = listed_word(data_.apps.names[limits.app[k]], field_in("apps", app, "limits"), " ,;|=");
      cell += (cell.empty() ? "" : " ") + other + "=" + std::to_string(limits.at_most[k]);
    }
    return cell;
  }
  void add_amounts(Columns& table) const {
    const AppsData& apps = data_.apps;
    const std::size_t resources = data_.resources.size();
    for (std::size_t r = 0; r < resources; ++r) {
      const auto demand = [&](std::size_t app) { return shortest(apps.demand[app * resources + r]); };
      table.add(header_of(data_.resources[r]), demand, true);
    }
    for (std::size_t r = 0; r < resources && !apps.variance.empty(); ++r) {
      const auto variance = [&](std::size_t app) {
        const double value = apps.variance[app * resources + r];
        return value == 0 ? std::string() : shortest(value);
      };
      table.add(data_.resources[r].name + "_variance", variance);
    }
  }

  [[nodiscard]] Columns apps() const {
    const AppsData& apps = data_.apps;
    Columns table(apps.replicas.size());
    table.add(
        "name", [&](std::size_t app) { return apps.names[app]; }, true);
    table.add(
        "replicas", [&](std::size_t app) { return std::to_string(apps.replicas[app]); }, true);
    add_amounts(table);
    table.add("priority", [&](std::size_t app) {
      return apps.priority.empty() || apps.priority[app] == 0 ? std::string() : std::to_string(apps.priority[app]);
    });
    table.add("weight", [&](std::size_t app) {
      return apps.weight.empty() || apps.weight[app] == 1 ? std::string() : shortest(apps.weight[app]);
    });
    table.add("max_per_node", [&](std::size_t app) { return limits_of(app, true); });
    table.add("limits", [&](std::size_t app) { return limits_of(app, false); });
    table.add("tags", [&](std::size_t app) { return tags_of(apps.tag_begin, apps.tag_index, app, "tags"); });
    table.add("only", [&](std::size_t app) { return tags_of(apps.only_begin, apps.only_index, app, "only"); });
    table.add("not", [&](std::size_t app) { return tags_of(apps.not_begin, apps.not_index, app, "not"); });
    table.add("title", [&](std::size_t app) { return app == 0 ? data_.name : std::string(); });
    return table;
  }

  [[nodiscard]] Columns classes() const {
    const std::vector<NodeClassData>& classes = data_.classes;
    Columns table(classes.size());
    table.add(
        "name", [&](std::size_t c) { return classes[c].name; }, true);
    for (std::size_t r = 0; r < data_.resources.size(); ++r) {
      table.add(
          header_of(data_.resources[r]), [&](std::size_t c) { return shortest(classes[c].capacity[r]); }, true);
    }
    table.add("count", [&](std::size_t c) { return classes[c].count == 0 ? std::string() : std::to_string(classes[c].count); });
    table.add("price", [&](std::size_t c) { return classes[c].price < 0 ? std::string() : shortest(classes[c].price); });
    table.add("labels", [&](std::size_t c) {
      std::string cell;
      for (const std::string& label : classes[c].labels) {
        cell += (cell.empty() ? "" : " ") + listed_word(label, field_in("classes", c, "labels"));
      }
      return cell;
    });
    return table;
  }

  [[nodiscard]] std::string class_of(std::uint32_t node) const {
    const std::uint32_t at = data_.nodes.node_class[node];
    const std::string& name = data_.classes[at].name;
    const bool is_clear = !name.empty() && std::count_if(data_.classes.begin(), data_.classes.end(),
                                                         [&](const auto& one) { return one.name == name; }) == 1;
    return is_clear ? name : "#" + std::to_string(at);
  }

  [[nodiscard]] Columns running() const {
    std::vector<wire::Residence> rows;  // what runs, node by node; no app where nothing does
    for (std::uint32_t node = 0; node < data_.nodes.node_class.size(); ++node) rows.emplace_back(kNone, node, 0);
    for (const wire::Residence& one : data_.running) rows.push_back(one);
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.node() < b.node(); });
    std::vector<wire::Residence> shown;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const bool runs_something = k + 1 < rows.size() && rows[k + 1].node() == rows[k].node();
      if (rows[k].app() != kNone || !runs_something) shown.push_back(rows[k]);
    }
    Columns table(shown.size());
    const auto holds = [&](std::size_t row) { return shown[row].app() != kNone; };
    table.add(
        "node", [&](std::size_t row) { return data_.nodes.names[shown[row].node()]; }, true);
    table.add(
        "class", [&](std::size_t row) { return class_of(shown[row].node()); }, true);
    table.add(
        "app", [&](std::size_t row) { return holds(row) ? data_.apps.names[shown[row].app()] : std::string(); }, true);
    table.add("replicas", [&](std::size_t row) { return holds(row) ? std::to_string(shown[row].replicas()) : std::string(); });
    return table;
  }

  const InstanceData& data_;
};

void refuse_resource(const ResourceData& is, const ResourceData& reads) {
  if (is.name == reads.name && is.unit == reads.unit) return;
  const std::string unit = reads.unit.empty() ? (is.unit.empty() ? "" : " without a unit") : " in \"" + reads.unit + "\"";
  throw Failure("resources." + is.name + ": tables would read it as " + reads.name + unit + kInstead);
}

/// Fails where the tables say another instance than this one.
void refuse_other_meaning(const InstanceData& data, const TextOfTables& tables) {
  std::vector<std::string> unused;
  const auto running = tables.running.empty() ? std::nullopt : std::optional(TableText{tables.running, kRunningFile});
  InstanceData again = [&] {
    try {
      return read_tables({tables.apps, kAppsFile}, TableText{tables.classes, kClassesFile}, running, std::nullopt, unused);
    } catch (const Failure& failure) {
      throw Failure(std::string("tables do not hold this instance: ") + failure.what() + kInstead);
    }
  }();
  for (std::size_t r = 0; r < std::min(data.resources.size(), again.resources.size()); ++r) {
    refuse_resource(data.resources[r], again.resources[r]);
  }
  const flatbuffers::DetachedBuffer is = encode_instance(data);
  const flatbuffers::DetachedBuffer reads = encode_instance(std::move(again));
  if (!std::equal(is.data(), is.data() + is.size(), reads.data(), reads.data() + reads.size())) {
    throw Failure(std::string("tables would say another instance than this one") + kInstead);
  }
}

}  // namespace

TextOfTables tables_of(const wire::Instance& instance, CsvCells cells) {
  const InstanceData data = decode_instance(instance);
  if (const std::string field = field_without_column(data); !field.empty()) {
    throw Failure("tables have no column for " + field + kInstead);
  }
  const auto need_names = [](const char* list, std::size_t names, std::size_t size) {
    if (names != size) throw Failure(std::string("tables need names of ") + list + kInstead);
  };
  need_names("apps", data.apps.names.size(), data.apps.replicas.size());
  need_names("nodes", data.nodes.names.size(), data.nodes.node_class.size());
  const TablesOfInstance tables(data);
  TextOfTables exact = tables.texts(CsvCells::kExact);
  refuse_other_meaning(data, exact);
  return cells == CsvCells::kExact ? exact : tables.texts(cells);
}

void write_tables(const wire::Instance& instance, const std::string& folder, CsvCells cells) {
  const TextOfTables tables = tables_of(instance, cells);
  const std::string running = file_in(folder, kRunningFile);
  std::error_code error;
  if (tables.running.empty() && std::filesystem::exists(running, error)) {
    throw Failure(running + ": would be read with the tables, in which nothing runs; remove it, or name another folder");
  }
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) throw Failure(folder + ": cannot be made: " + error.message());
  const auto write = [&](const char* name, const std::string& text) {
    OutputFile out(file_in(folder, name));
    out.write(text);
    out.commit();
  };
  write(kAppsFile, tables.apps);
  write(kClassesFile, tables.classes);
  if (!tables.running.empty()) write(kRunningFile, tables.running);
}

}  // namespace stowage::cli
