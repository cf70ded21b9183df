#include "capi/text/formats/instance_json.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/amounts/resource_json.h"
#include "capi/text/formats/rule_json.h"
#include "capi/text/formats/words.h"
#include "capi/text/records/instance_codec.h"

namespace stowage::cli {
namespace {

/// "#3" refers to the fourth entry of a list whose entries have no names.
std::uint32_t position_reference(std::string_view text, std::size_t size) {
  if (!text.starts_with('#')) return kNone;
  const auto position = parse_whole(text.substr(1));
  return position && *position < size ? static_cast<std::uint32_t>(*position) : kNone;
}

// ---------------------------------------------------------------------------------------------------------------- reading

const std::string& not_empty(const JsonAt& at) {
  if (at.text().empty()) at.fail("must not be empty");
  return at.text();
}

constexpr std::size_t kFewEnoughToCompare = 10'000;
constexpr std::size_t kFewEnoughToName = 16;

/// Names of apps, listed nodes or classes, and their positions.
class References {
 public:
  References(const char* what, const std::vector<std::string>& names, std::size_t size)
      : what_(what), names_(names), size_(size), index_(names) {}

  [[nodiscard]] std::uint32_t resolve(const JsonAt& at, const std::string& name) const {
    std::uint32_t position = index_.find(name);
    if (position == kNone) position = position_reference(name, names_.empty() ? size_ : 0);
    if (position == kNone) {
      std::string hint;
      // What rules call an app, other places call by its name alone.
      std::string_view called = name;
      if (called.starts_with(kOwnTag)) called.remove_prefix(kOwnTag.size());
      if (names_.size() <= kFewEnoughToName) {
        hint = what_there_is(called, {names_.begin(), names_.end()});
      } else if (names_.size() <= kFewEnoughToCompare) {
        hint = did_you_mean(called, {names_.begin(), names_.end()});
      }
      at.fail("there is no " + std::string(what_) + " \"" + name + "\"" + hint);
    }
    return position;
  }

  /// Fails where a name occurs twice in `list`, such as "apps".
  void refuse_duplicates(const std::string& file, const char* list) const {
    const auto duplicate = index_.duplicate();
    if (!duplicate) return;
    throw Failure::in(
        file, list + ("[" + std::to_string(duplicate->second) + "].name"),
        "\"" + names_[duplicate->first] + "\" is already the name of " + list + "[" + std::to_string(duplicate->first) + "]");
  }

 private:
  const char* what_;
  const std::vector<std::string>& names_;
  std::size_t size_;
  NameIndex index_;
};

class TagTable {
 public:
  explicit TagTable(std::vector<std::string>& tags) : tags_(tags) {}
  std::uint32_t intern(const std::string& tag) {
    const auto [found, inserted] = positions_.emplace(tag, static_cast<std::uint32_t>(tags_.size()));
    if (inserted) tags_.push_back(tag);
    return found->second;
  }

 private:
  std::vector<std::string>& tags_;
  NameMap<std::string, std::uint32_t> positions_;
};

class InstanceReader {
 public:
  InstanceReader(std::string_view text, const std::string& file, std::uint64_t most_column_bytes)
      : text_(text), file_(file), column_bytes_(most_column_bytes), tags_(data_.tags) {}

  InstanceData read() {
    first_pass();
    read_head();
    second_pass();
    read_tail();
    return std::move(data_);
  }

 private:
  /// Apps and nodes refer to other parts by name, wherever those are in the text. So names and small parts are read first.
  void first_pass() {
    std::size_t nameless_app = kNone;
    std::size_t nameless_node = kNone;
    JsonVisitor visitor;
    visitor.by_element = {"apps", "nodes"};
    visitor.keep = {"name"};
    visitor.member = [&](const std::string& key, const JsonValue& value) {
      if (key == "apps" || key == "nodes") {
        JsonAt(value, file_, key).expect(JsonValue::Type::kArray, R"([{"name": ...}, ...])");
        has_apps_ = has_apps_ || key == "apps";
      } else {
        parts_.emplace(key, value);
      }
    };
    visitor.element = [&](const std::string& key, std::size_t index, const JsonValue& value) {
      const JsonAt at(value, file_, key, index);
      const bool is_app = key == "apps";
      std::vector<std::string>& names = is_app ? app_names_ : node_names_;
      std::size_t& nameless = is_app ? nameless_app : nameless_node;
      at.expect(JsonValue::Type::kObject);
      at.member("name", [&](const JsonAt& name) { names.push_back(not_empty(name)); });
      if (value.find("name") == nullptr && nameless == kNone) nameless = index;
      if (nameless != kNone && !names.empty()) {
        throw Failure::in(file_, key + "[" + std::to_string(nameless) + "]",
                          "has no name; give one to all " + key + " or to none");
      }
      (is_app ? app_count_ : node_count_) = index + 1;
    };
    read_json(text_, file_, visitor);
    for (const auto& [key, value] : parts_) {
      static const std::vector<std::string_view> kKnown = {"stowage",     "$schema",      "name",   "resources", "periods",
                                                           "apps",        "classes",      "nodes",  "groups",    "rules",
                                                           "uncertainty", "interference", "traffic"};
      if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end()) {
        if (key == "apiVersion") throw Failure::in(file_, "", "is what kubectl prints; stowage-k8s reads that");
        throw Failure::in(file_, key, "unknown key" + what_there_is(key, kKnown));
      }
    }
  }

  [[nodiscard]] const JsonValue* part(const std::string& key) const {
    const auto found = parts_.find(key);
    return found == parts_.end() ? nullptr : &found->second;
  }

  const JsonValue& required(const std::string& key, const char* example) const {
    const JsonValue* value = part(key);
    if (value == nullptr) throw Failure::in(file_, "", "has no \"" + key + "\" (such as " + example + ")");
    return *value;
  }

  void read_head() {
    const JsonAt version(required("stowage", "\"stowage\": 1, the version of the format"), file_, "stowage");
    if (version.count() != 1) version.fail("is a version of the format that this program does not know; it knows 1");
    if (!has_apps_) throw Failure::in(file_, "", "has no \"apps\"");
    if (const JsonValue* name = part("name")) data_.name = JsonAt(*name, file_, "name").text();
    if (const JsonValue* periods = part("periods")) {
      const JsonAt at(*periods, file_, "periods");
      data_.periods = at.count();
      if (data_.periods == 0) at.fail("must be at least 1");
    }
    const JsonAt resources(required("resources", R"("resources": {"cpu": "cores", "memory": "GiB"})"), file_, "resources");
    resources.members([&](const std::string& key, const JsonAt& resource) { read_resource(key, resource); },
                      R"({"cpu": "cores", "memory": "GiB"})");
    data_.apps.names = app_names_;
    data_.nodes.names = node_names_;
    apps_.emplace("app", data_.apps.names, app_count_);
    apps_->refuse_duplicates(file_, "apps");
    nodes_.emplace("listed node", data_.nodes.names, node_count_);
    nodes_->refuse_duplicates(file_, "nodes");

    const JsonAt classes(required("classes", R"("classes": [{"name": "large", "capacity": {"cpu": 64, "memory": "128Gi"}}])"),
                         file_, "classes");
    classes.elements([&](std::size_t, const JsonAt& at) { read_class(at); });
    for (const NodeClassData& node_class : data_.classes) class_names_.push_back(node_class.name);
    class_index_.emplace(class_names_);
    if (const JsonValue* interference = part("interference")) read_interference(JsonAt(*interference, file_, "interference"));
    if (const JsonValue* traffic = part("traffic")) read_traffic(JsonAt(*traffic, file_, "traffic"));
    if (data_.interference) kinds_.emplace("kind", data_.interference->kinds, data_.interference->kinds.size());
  }

  void read_resource(const std::string& key, const JsonAt& at) {
    if (key.empty()) at.fail("a resource needs a name");
    constexpr std::size_t kMostResources = 256;  // as many as the library takes
    if (data_.resources.size() == kMostResources) {
      throw Failure::in(file_, "resources", "has more than " + std::to_string(kMostResources) + " resources", Fault::kSize);
    }
    ResourceData resource{.name = key};
    if (!at.is(JsonValue::Type::kObject)) {
      resource.unit = at.text();
    } else {
      at.only({"unit", "device"});
      at.read("unit", resource.unit).read("device", resource.device);
    }
    if (const std::string meant = suggest_unit(resource.unit); !meant.empty()) {
      at.fail("\"" + resource.unit + "\" is not a unit (did you mean \"" + meant + "\"?)");
    }
    data_.resources.push_back(std::move(resource));
  }

  void read_class(const JsonAt& at) {
    at.only({"name", "capacity", "count", "price", "labels", "daemon"});
    NodeClassData& node_class = data_.classes.emplace_back();
    at.member("name", [&](const JsonAt& name) { node_class.name = not_empty(name); });
    node_class.capacity.assign(data_.resources.size(), -1);
    at.required("capacity", [&](const JsonAt& capacity) {
      amounts_.per_resource(capacity, [&](std::size_t resource, const JsonAt& value) {
        node_class.capacity[resource] = amounts_.quantity(value, resource);
      });
      for (std::size_t r = 0; r < data_.resources.size(); ++r) {
        if (node_class.capacity[r] < 0) capacity.fail("has no \"" + data_.resources[r].name + "\"");
      }
    });
    at.read("count", node_class.count);
    at.member("price", [&](const JsonAt& price) {
      node_class.price = price.number();
      if (node_class.price < 0) price.fail("must not be negative; leave it out where there is no price");
    });
    at.member("daemon", [&](const JsonAt& daemon) {
      read_profiles(daemon, 0, class_daemons_.emplace_back(column(1, "classes.daemon")).value());
    });
    class_daemons_.resize(data_.classes.size());
    at.member("labels", [&](const JsonAt& labels) {
      read_tags_json(labels, [&](const std::string& label) { node_class.labels.push_back(label); });
    });
  }

  /// Sets the amounts of the resources that are given.
  void read_profiles(const JsonAt& at, std::size_t item, ProfileColumn& column) const {
    amounts_.per_resource(at, [&](std::size_t resource, const JsonAt& value) {
      const auto set = [&](const auto& amount) { column.set(item, resource, amount); };
      amounts_.profile(value, resource, set, set);
    });
  }

  void read_interference(const JsonAt& at) {
    at.only({"kinds", "coefficient", "resource", "max_cost"});
    InterferenceData& interference = data_.interference.emplace();
    std::size_t kind_count = 0;
    at.member("kinds", [&](const JsonAt& kinds) {
      kinds.elements([&](std::size_t, const JsonAt& kind) { interference.kinds.push_back(kind.text()); });
    });
    at.required("coefficient", [&](const JsonAt& rows) {
      rows.expect(JsonValue::Type::kArray);
      rows.elements([&](std::size_t, const JsonAt& row) {
        row.expect(JsonValue::Type::kArray);
        if (row.value().items.size() != rows.value().items.size()) row.fail("must be as long as there are rows");
        row.elements([&](std::size_t, const JsonAt& value) { interference.coefficient.push_back(not_negative(value)); });
      });
      kind_count = rows.value().items.size();
    });
    at.member("resource", [&](const JsonAt& name) {
      const auto found = std::find_if(data_.resources.begin(), data_.resources.end(),
                                      [&](const ResourceData& resource) { return resource.name == name.text(); });
      if (found == data_.resources.end()) name.fail("there is no resource \"" + name.text() + "\"");
      interference.resource = static_cast<std::uint32_t>(found - data_.resources.begin());
    });
    at.member("max_cost", [&](const JsonAt& limits) {
      interference.max_cost.assign(kind_count, std::numeric_limits<double>::infinity());
      limits.members([&](const std::string& name, const JsonAt& value) {
        const auto named = std::find(interference.kinds.begin(), interference.kinds.end(), name);
        const auto position = named == interference.kinds.end()
                                  ? parse_whole(name)
                                  : std::optional<std::uint64_t>(named - interference.kinds.begin());
        if (!position || *position >= kind_count) value.fail("there is no kind \"" + name + "\"");
        interference.max_cost[*position] = not_negative(value);
      });
    });
  }

  void read_traffic(const JsonAt& list) {
    list.elements([&](std::size_t, const JsonAt& at) {
      at.only({"app", "peer", "amount"});
      std::uint32_t one = 0;
      std::uint32_t other = 0;
      at.required("app", [&](const JsonAt& app) { one = apps_->resolve(app, app.text()); });
      at.required("peer", [&](const JsonAt& peer) {
        other = apps_->resolve(peer, peer.text());
        if (other == one) peer.fail("is the app itself");
      });
      at.required("amount", [&](const JsonAt& amount) { data_.traffic.emplace_back(one, other, not_negative(amount)); });
    });
  }

  ProfileColumn column(std::size_t items, const char* path) {
    return {items, data_.resources.size(), data_.periods, column_bytes_, file_, path};
  }

  void second_pass() {
    AppsData& apps = data_.apps;
    apps.replicas.reserve(app_count_);
    demand_.emplace(column(app_count_, "apps.demand"));
    codec::app_numbers(apps, [&](const char*, auto& column, auto absent) { column.assign(app_count_, absent); });
    for (auto* begin : {&apps.tag_begin, &apps.only_begin, &apps.not_begin}) begin->assign(1, 0);
    data_.limits.row_begin.reserve(app_count_ + 1);
    data_.limits.row_begin.push_back(0);
    data_.nodes.tag_begin.assign(1, 0);
    JsonVisitor visitor;
    visitor.by_element = {"apps", "nodes"};
    visitor.member = [](const std::string&, const JsonValue&) {};
    visitor.element = [&](const std::string& key, std::size_t index, const JsonValue& value) {
      const JsonAt at(value, file_, key, index);
      if (key == "apps") {
        read_app(at, index);
      } else {
        read_node(at, index);
      }
    };
    read_json(text_, file_, visitor);
    if (app_count_ == 0) data_.limits.row_begin.clear();
  }

  static const std::vector<std::string_view>& app_keys() {
    static const std::vector<std::string_view> kKeys = [] {
      std::vector<std::string_view> keys = {"name",         "replicas", "demand",   "tags",      "only",    "not",
                                            "max_per_node", "limits",   "variance", "deviation", "support", "kind"};
      AppsData none;
      codec::app_numbers(none, [&](const char* key, auto&, auto) { keys.emplace_back(key); });
      return keys;
    }();
    return kKeys;
  }

  void read_app(const JsonAt& at, std::size_t app) {
    at.only(app_keys());
    AppsData& apps = data_.apps;
    apps.replicas.push_back(1);
    at.read("replicas", apps.replicas.back());
    at.required("demand", [&](const JsonAt& values) { read_profiles(values, app, *demand_); });
    codec::app_numbers(apps, [&](const char* key, auto& column, auto) {
      at.member(key, [&](const JsonAt& value) { value.read(column[app]); });
    });
    read_tag_row(at, "tags", apps.tag_begin, apps.tag_index);
    read_tag_row(at, "only", apps.only_begin, apps.only_index);
    read_tag_row(at, "not", apps.not_begin, apps.not_index);

    bool own_limit = false;
    at.member("max_per_node", [&](const JsonAt& limit) {
      add_limit(app, static_cast<std::uint32_t>(app), limit);
      own_limit = true;
    });
    at.member("limits", [&](const JsonAt& limits) {
      limits.members(
          [&](const std::string& name, const JsonAt& limit) {
            const std::uint32_t other = apps_->resolve(limit, name);
            if (other == app && own_limit) limit.fail("is given twice: here and as \"max_per_node\"");
            add_limit(app, other, limit);
          },
          R"({"web": 0})");
    });
    if (data_.limits.app.size() >= kNone)
      throw Failure::in(file_, "", "has more affinity limits than the format holds", Fault::kSize);
    data_.limits.row_begin.push_back(static_cast<std::uint32_t>(data_.limits.app.size()));

    read_variance(at, "", apps.variance, app, app_count_);
    at.member("support", [&](const JsonAt& support) { read_support(support, app); });
    read_kind(at, app);
  }

  void add_limit(std::size_t app, std::uint32_t other, const JsonAt& limit) {
    data_.limits.app.push_back(other);
    data_.limits.at_most.push_back(limit.count());
    // The library refuses it, too, but does not know by which of two keys it was given.
    if (other == app && data_.limits.at_most.back() == 0 && data_.apps.replicas[app] > 0) {
      limit.fail("allows no replica of the app, which wants " + std::to_string(data_.apps.replicas[app]) +
                 " (leave it out where there is no limit)");
    }
  }

  /// Writes variances into the item's row of `column` (items x resources).
  void read_variance(const JsonAt& at, const std::string& prefix, std::vector<double>& column, std::size_t item,
                     std::size_t items) const {
    amounts_.variance(at, prefix, [&](std::size_t resource, double variance) {
      if (column.empty()) column.assign(items * data_.resources.size(), 0);
      column[item * data_.resources.size() + resource] = variance;
    });
  }

  /// A resource for which an app has no support gets the range of the app's demand over the periods.
  void read_support(const JsonAt& at, std::size_t app) {
    const std::size_t resources = data_.resources.size();
    has_support_.resize(app_count_ * resources, false);
    if (data_.apps.support_min.empty()) {
      data_.apps.support_min.assign(app_count_ * resources, 0);
      data_.apps.support_max.assign(app_count_ * resources, 0);
    }
    amounts_.ranges(at, [&](std::size_t resource, bool largest, double quantity) {
      const std::size_t cell = app * resources + resource;
      (largest ? data_.apps.support_max : data_.apps.support_min)[cell] = quantity;
      has_support_[cell] = true;
    });
  }

  void read_kind(const JsonAt& at, std::size_t app) {
    at.member("kind", [&](const JsonAt& kind) {
      if (data_.apps.kind.size() != app) missing_kind(data_.apps.kind.size());
      if (kind.is(JsonValue::Type::kWhole)) {
        data_.apps.kind.push_back(kind.count());
      } else if (kinds_) {
        data_.apps.kind.push_back(kinds_->resolve(kind, kind.text()));
      } else {
        kind.fail("needs \"interference\" with \"kinds\" that names it");
      }
    });
    if (!data_.apps.kind.empty() && data_.apps.kind.size() != app + 1) missing_kind(app);
  }

  [[noreturn]] void missing_kind(std::size_t app) const {
    throw Failure::in(file_, "apps[" + std::to_string(app) + "]", "has no \"kind\"; give one to all apps or to none");
  }

  void read_node(const JsonAt& at, std::size_t node) {
    at.only({"name", "class", "load", "load_variance", "load_deviation", "daemon", "closed", "tags", "running", "pinned"});
    NodesData& nodes = data_.nodes;
    if (at.value().find("class") == nullptr) {
      if (data_.classes.size() != 1) at.fail("has no \"class\"");
      nodes.node_class.push_back(0);
    }
    at.member("class", [&](const JsonAt& name) { nodes.node_class.push_back(resolve_class(name)); });
    at.member("load", [&](const JsonAt& load) {
      if (!load_) load_.emplace(column(node_count_, "nodes.load"));
      read_profiles(load, node, *load_);
    });
    at.member("daemon", [&](const JsonAt& daemon) {
      if (!daemon_) daemon_.emplace(column(node_count_, "nodes.daemon"));
      has_daemon_.resize(node_count_, false);
      has_daemon_[node] = true;
      read_profiles(daemon, node, *daemon_);
    });
    read_variance(at, "load_", nodes.load_variance, node, node_count_);
    nodes.closed.push_back(0);
    at.member("closed", [&](const JsonAt& closed) { nodes.closed.back() = closed.flag() ? 1 : 0; });
    read_tag_row(at, "tags", nodes.tag_begin, nodes.tag_index);
    at.member("running", [&](const JsonAt& running) { read_residences(running, node, data_.running); });
    at.member("pinned", [&](const JsonAt& pinned) { read_residences(pinned, node, data_.pinned); });
  }

  [[nodiscard]] std::uint32_t resolve_class(const JsonAt& at) const {
    const std::string& name = at.text();
    if (const std::uint32_t named = class_index_->find(name); named != kNone && !name.empty()) return named;
    const std::uint32_t position = position_reference(name, class_names_.size());
    if (position == kNone) {
      std::string hint;
      if (class_names_.size() <= kFewEnoughToCompare) hint = what_there_is(name, {class_names_.begin(), class_names_.end()});
      at.fail("there is no class \"" + name + "\"" + hint);
    }
    return position;
  }

  void read_residences(const JsonAt& at, std::size_t node, std::vector<wire::Residence>& residences) const {
    at.members(
        [&](const std::string& name, const JsonAt& replicas) {
          residences.emplace_back(apps_->resolve(replicas, name), static_cast<std::uint32_t>(node), replicas.count());
        },
        R"({"web": 1})");
  }

  void read_tag_row(const JsonAt& at, const char* key, std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& index) {
    at.member(key, [&](const JsonAt& tags) { read_tags(tags, index); });
    begin.push_back(static_cast<std::uint32_t>(index.size()));
  }

  void read_tags(const JsonAt& at, std::vector<std::uint32_t>& index) {
    read_tags_json(at, [&](const std::string& tag) { index.push_back(tags_.intern(tag)); });
  }

  /// A node without a daemon load of its own carries that of its class.
  void fill_daemons() {
    for (std::size_t node = 0; node < has_daemon_.size(); ++node) {
      const std::optional<ProfileColumn>& of_class = class_daemons_[data_.nodes.node_class[node]];
      if (!has_daemon_[node] && of_class) daemon_->set(node, *of_class);
    }
  }

  void hand_over_columns() {
    data_.apps.demand = std::move(*demand_).values();
    if (load_) data_.nodes.load = std::move(*load_).values();
    if (daemon_) data_.nodes.daemon = std::move(*daemon_).values();
    for (std::size_t c = 0; c < data_.classes.size(); ++c) {
      if (class_daemons_[c]) data_.classes[c].daemon = std::move(*class_daemons_[c]).values();
    }
  }

  void read_tail() {
    fill_support();
    fill_daemons();
    hand_over_columns();
    if (const JsonValue* groups = part("groups")) {
      JsonAt(*groups, file_, "groups").elements([&](std::size_t, const JsonAt& at) { read_group(at); });
    }
    if (const JsonValue* rules = part("rules")) {
      JsonAt(*rules, file_, "rules").elements([&](std::size_t, const JsonAt& at) { read_rule(at); });
    }
    if (const JsonValue* uncertainty = part("uncertainty")) {
      const JsonAt at(*uncertainty, file_, "uncertainty");
      at.only({"model", "confidence", "factor"});
      UncertaintyData& target = data_.uncertainty.emplace();
      at.read("model", target.model);
      at.member("confidence", [&](const JsonAt& confidence) {
        if (!confidence.is(JsonValue::Type::kText)) {
          target.confidence = confidence.number();
          return;
        }
        const auto share = parse_share(confidence.text());
        if (!share) confidence.fail("\"" + confidence.text() + "\" is not a share (try \"99.9%\" or 0.999)");
        target.confidence = *share;
      });
      at.read("factor", target.factor);
    }
  }

  void fill_support() {
    if (data_.apps.support_min.empty()) return;
    has_support_.resize(data_.apps.support_min.size(), false);
    for (std::size_t cell = 0; cell < has_support_.size(); ++cell) {
      if (has_support_[cell]) continue;
      const std::size_t resources = data_.resources.size();
      const auto [least, most] = demand_->range(cell / resources, cell % resources);
      data_.apps.support_min[cell] = least;
      data_.apps.support_max[cell] = most;
    }
  }

  void read_group(const JsonAt& at) {
    at.only({"name", "sets", "by_label"});
    NodeGroupData& group = data_.groups.emplace_back();
    at.required("name", [&](const JsonAt& name) {
      if (not_empty(name) == "node") name.fail("\"node\" is the predefined group of single nodes; choose another name");
      group.name = name.text();
    });
    at.read("by_label", group.by_label);
    at.member("sets", [&](const JsonAt& sets) {
      group.set_begin.push_back(0);
      const auto add_set = [&](const JsonAt& set) {
        set.elements([&](std::size_t, const JsonAt& node) { group.node.push_back(nodes_->resolve(node, node.text())); });
        group.set_begin.push_back(static_cast<std::uint32_t>(group.node.size()));
      };
      if (sets.is(JsonValue::Type::kArray)) {
        sets.elements([&](std::size_t, const JsonAt& set) { add_set(set); });
      } else {
        sets.members([&](const std::string& name, const JsonAt& set) {
          group.set_names.push_back(name);
          add_set(set);
        });
      }
    });
  }

  void read_rule(const JsonAt& at) {
    check_rule_keys(at);
    read_rule_json(at, data_.rules.emplace_back(), [&](const JsonAt& one, CardinalityData& condition) {
      read_condition_json(
          one, condition, [&](const JsonAt& tags, std::vector<std::uint32_t>& index) { read_tags(tags, index); },
          [&](const JsonAt& group) { condition.group = group_of(group); });
    });
  }

  /// Which groups there are or, where nodes carry a label of that name, how to make one of it.
  [[nodiscard]] std::string how_to_group(const std::string& label) const {
    const auto carries = [&](const std::string& one) { return one.starts_with(label + "="); };
    for (const NodeClassData& node_class : data_.classes) {
      if (std::any_of(node_class.labels.begin(), node_class.labels.end(), carries)) {
        std::string group = "{\"name\": \"";
        group.append(label).append("\", \"by_label\": \"").append(label).append("\"}");
        return "; \"groups\": [" + group + "] makes one of the nodes' label";
      }
    }
    std::vector<std::string_view> known = {"node", "rack"};
    for (const NodeGroupData& group : data_.groups) known.push_back(group.name);
    return what_there_is(label, known);
  }

  std::uint32_t group_of(const JsonAt& at) {
    if (at.text() == "node") return kNone;
    const auto named = [&](const NodeGroupData& group) { return group.name == at.text(); };
    const auto found = std::find_if(data_.groups.rbegin(), data_.groups.rend(), named);
    if (found != data_.groups.rend()) return static_cast<std::uint32_t>(data_.groups.rend() - found - 1);
    if (at.text() != "rack") at.fail("there is no group \"" + at.text() + "\"" + how_to_group(at.text()));
    // The group "rack" is predefined unless declared: nodes with the same label "rack".
    data_.groups.push_back({.name = "rack", .by_label = "rack"});
    return static_cast<std::uint32_t>(data_.groups.size() - 1);
  }

  std::string_view text_;
  const std::string& file_;
  std::uint64_t column_bytes_;  // that are left
  InstanceData data_;
  const ResourceJson amounts_{data_.resources, data_.periods};
  TagTable tags_;
  std::map<std::string, JsonValue> parts_;
  bool has_apps_ = false;
  std::vector<std::string> app_names_;
  std::vector<std::string> node_names_;
  std::vector<std::string> class_names_;
  std::optional<NameIndex> class_index_;
  std::size_t app_count_ = 0;
  std::size_t node_count_ = 0;
  std::optional<References> apps_;
  std::optional<References> nodes_;
  std::optional<References> kinds_;
  std::optional<ProfileColumn> demand_;
  std::optional<ProfileColumn> load_;
  std::optional<ProfileColumn> daemon_;
  std::vector<std::optional<ProfileColumn>> class_daemons_;
  std::vector<bool> has_support_;
  std::vector<bool> has_daemon_;  // per node, or empty
};

// ---------------------------------------------------------------------------------------------------------------- writing

using Doubles = flatbuffers::Vector<double>;
using Indices = flatbuffers::Vector<std::uint32_t>;

class InstanceWriter {
 public:
  InstanceWriter(const wire::Instance& instance, Output& out)
      : instance_(instance),
        out_(out),
        json_(buffer_),
        resources_(instance.resources()->size()),
        periods_(instance.periods()) {}

  void write() {
    json_.begin_object();
    json_.line(2).key("stowage").whole(1);
    if (const auto* name = instance_.name(); given(name)) json_.line(2).key("name").text(view(*name));
    json_.line(2).key("resources").begin_object();
    for (const wire::Resource* resource : *instance_.resources()) {
      const auto unit = resource->unit() == nullptr ? std::string_view() : view(*resource->unit());
      json_.key(view(*resource->name()));
      if (resource->device() == 0) {
        json_.text(unit);
        continue;
      }
      json_.begin_object().key("unit").text(unit).key("device").number(resource->device()).end_object();
    }
    json_.end_object();
    if (periods_ > 1) json_.line(2).key("periods").whole(periods_);
    json_.line(2).key("classes").begin_array();
    for (const wire::NodeClass* node_class : *instance_.classes()) write_class(*node_class);
    json_.line(2).end_array();
    write_apps();
    write_nodes();
    write_groups();
    write_rules();
    write_uncertainty();
    write_interference();
    write_traffic();
    json_.line(0).end_object();
    buffer_ += '\n';
    out_.write(buffer_);
  }

 private:
  static std::string_view view(const flatbuffers::String& text) { return {text.c_str(), text.size()}; }

  void flush() {
    if (buffer_.size() < Output::kFlushSize) return;
    out_.write(buffer_);
    buffer_.clear();
  }

  std::string_view resource_name(std::size_t resource) const {
    return view(*instance_.resources()->Get(static_cast<flatbuffers::uoffset_t>(resource))->name());
  }

  /// A list of objects, one per line, whose members write(item) adds. Nothing where there are none.
  template <class Items, class Write>
  void lines(const char* key, const Items* items, Write&& write) {
    if (!given(items)) return;
    json_.line(2).key(key).begin_array();
    for (const auto* item : *items) {
      json_.line(4).begin_object();
      write(*item);
      json_.end_object();
      flush();
    }
    json_.line(2).end_array();
  }

  /// A member with a row of a column that may be missing, where it has a number other than 0.
  void sparse_row(const char* key, const Doubles* column, std::size_t items, std::size_t item) {
    if (!given(column)) return;
    const std::size_t width = column->size() / items;
    if (!any(*column, item * width, width)) return;
    json_.key(key);
    per_resource(*column, items, item, true);
  }

  /// Writes a row of items x resources, or of items x resources x periods. `sparse` leaves zeros out.
  void per_resource(const Doubles& column, std::size_t items, std::size_t item, bool sparse) {
    const bool profiles = column.size() != items * resources_;
    const std::size_t width = profiles ? periods_ : 1;
    json_.begin_object();
    for (std::size_t r = 0; r < resources_; ++r) {
      const double* values = column.data() + (item * resources_ + r) * width;
      const bool constant = std::all_of(values, values + width, [values](double value) { return value == values[0]; });
      if (sparse && constant && values[0] == 0) continue;
      json_.key(resource_name(r));
      if (constant) {
        json_.number(values[0]);
        continue;
      }
      json_.begin_array();
      for (std::size_t p = 0; p < width; ++p) json_.number(values[p]);
      json_.end_array();
    }
    json_.end_object();
  }

  static bool any(const Doubles& column, std::size_t begin, std::size_t count) {
    return std::any_of(column.data() + begin, column.data() + begin + count, [](double value) { return value != 0; });
  }

  void write_class(const wire::NodeClass& node_class) {
    json_.line(4).begin_object();
    if (given(node_class.name())) json_.key("name").text(view(*node_class.name()));
    json_.key("capacity");
    per_resource(*node_class.capacity(), 1, 0, false);
    if (node_class.count() != 0) json_.key("count").whole(node_class.count());
    if (node_class.price() >= 0) json_.key("price").number(node_class.price());
    if (given(node_class.labels())) {
      json_.key("labels");
      write_labels(*node_class.labels());
    }
    sparse_row("daemon", node_class.daemon(), 1, 0);
    json_.end_object();
  }

  /// Writes an object where no key occurs twice, else the list itself.
  void write_labels(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>& labels) {
    std::vector<std::string_view> keys;
    for (const flatbuffers::String* label : labels) keys.push_back(view(*label).substr(0, view(*label).find('=')));
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
      json_.begin_array();
      for (const flatbuffers::String* label : labels) json_.text(view(*label));
      json_.end_array();
      return;
    }
    json_.begin_object();
    for (const flatbuffers::String* label : labels) {
      const std::string_view text = view(*label);
      const std::size_t equals = text.find('=');
      json_.key(text.substr(0, equals));
      if (equals == std::string_view::npos) {
        json_.flag(true);
      } else {
        json_.text(text.substr(equals + 1));
      }
    }
    json_.end_object();
  }

  template <class Names>
  static std::string reference(const Names* names, std::uint32_t index) {
    return given(names) ? names->Get(index)->str() : "#" + std::to_string(index);
  }

  std::string class_reference(std::uint32_t index) const {
    const auto* name = instance_.classes()->Get(index)->name();
    if (given(name)) {
      const auto same = [&](const wire::NodeClass* other) {
        return other->name() != nullptr && view(*other->name()) == view(*name);
      };
      if (std::count_if(instance_.classes()->begin(), instance_.classes()->end(), same) == 1) return name->str();
    }
    return "#" + std::to_string(index);
  }

  void write_tags(const char* key, const Indices* begin, const Indices* index, std::uint32_t item) {
    if (!given(begin) || begin->Get(item) == begin->Get(item + 1)) return;
    json_.key(key).begin_array();
    for (std::uint32_t k = begin->Get(item); k < begin->Get(item + 1); ++k) json_.text(tag(index->Get(k)));
    json_.end_array();
  }

  std::string_view tag(std::uint32_t index) const { return view(*instance_.tags()->Get(index)); }

  void write_apps() {
    const wire::Apps& apps = *instance_.apps();
    const std::size_t count = apps.replicas()->size();
    json_.line(2).key("apps").begin_array();
    for (std::uint32_t app = 0; app < count; ++app) {
      json_.line(4).begin_object();
      if (given(apps.names())) json_.key("name").text(view(*apps.names()->Get(app)));
      json_.key("replicas").whole(apps.replicas()->Get(app));
      json_.key("demand");
      per_resource(*apps.demand(), count, app, false);
      codec::app_numbers(apps, [&](const char* key, const auto* column, auto absent) {
        if (given(column) && column->Get(app) != absent) write_number(key, column->Get(app));
      });
      write_tags("tags", apps.tag_begin(), apps.tag_index(), app);
      write_tags("only", apps.only_begin(), apps.only_index(), app);
      write_tags("not", apps.not_begin(), apps.not_index(), app);
      write_limits(app);
      sparse_row("variance", apps.variance(), count, app);
      if (given(apps.support_min()) && given(apps.support_max())) {
        json_.key("support").begin_object();
        for (std::size_t r = 0; r < resources_; ++r) {
          const auto cell = static_cast<flatbuffers::uoffset_t>(app * resources_ + r);
          json_.key(resource_name(r)).begin_array();
          json_.number(apps.support_min()->Get(cell)).number(apps.support_max()->Get(cell)).end_array();
        }
        json_.end_object();
      }
      if (given(apps.kind())) write_kind(apps.kind()->Get(app));
      json_.end_object();
      flush();
    }
    json_.line(2).end_array();
  }

  void write_number(const char* key, double value) { json_.key(key).number(value); }
  void write_number(const char* key, std::int32_t value) { json_.key(key).integer(value); }
  void write_number(const char* key, std::uint32_t value) { json_.key(key).whole(value); }

  void write_kind(std::uint32_t kind) {
    json_.key("kind");
    const wire::Interference* interference = instance_.interference();
    if (interference != nullptr && interference->kinds() != nullptr && kind < interference->kinds()->size()) {
      json_.text(view(*interference->kinds()->Get(kind)));
    } else {
      json_.whole(kind);
    }
  }

  void write_limits(std::uint32_t app) {
    const wire::AffinityLimits* limits = instance_.limits();
    if (limits == nullptr) return;
    const std::uint32_t begin = limits->row_begin()->Get(app);
    const std::uint32_t end = limits->row_begin()->Get(app + 1);
    bool others = false;
    for (std::uint32_t k = begin; k < end; ++k) {
      if (limits->app()->Get(k) == app) {
        json_.key("max_per_node").whole(limits->at_most()->Get(k));
      } else {
        others = true;
      }
    }
    if (!others) return;
    const auto* names = instance_.apps()->names();
    json_.key("limits").begin_object();
    for (std::uint32_t k = begin; k < end; ++k) {
      if (limits->app()->Get(k) == app) continue;
      json_.key(reference(names, limits->app()->Get(k))).whole(limits->at_most()->Get(k));
      flush();
    }
    json_.end_object();
  }

  void write_nodes() {
    const wire::Nodes* nodes = instance_.nodes();
    if (nodes == nullptr || !given(nodes->node_class())) return;
    const std::size_t count = nodes->node_class()->size();
    const auto running = by_node(instance_.running(), count);
    const auto pinned = by_node(instance_.pinned(), count);
    json_.line(2).key("nodes").begin_array();
    for (std::uint32_t node = 0; node < count; ++node) {
      json_.line(4).begin_object();
      if (given(nodes->names())) json_.key("name").text(view(*nodes->names()->Get(node)));
      json_.key("class").text(class_reference(nodes->node_class()->Get(node)));
      sparse_row("load", nodes->load(), count, node);
      sparse_row("load_variance", nodes->load_variance(), count, node);
      if (given(nodes->daemon()) && has_own_daemon(*nodes, node)) {
        json_.key("daemon");
        per_resource(*nodes->daemon(), count, node, true);
      }
      if (given(nodes->closed()) && nodes->closed()->Get(node) != 0) json_.key("closed").flag(true);
      write_tags("tags", nodes->tag_begin(), nodes->tag_index(), node);
      write_residences("running", running[node]);
      write_residences("pinned", pinned[node]);
      json_.end_object();
      flush();
    }
    json_.line(2).end_array();
  }

  /// Whether the node's daemon load is another than its class's.
  bool has_own_daemon(const wire::Nodes& nodes, std::uint32_t node) const {
    const Doubles* of_class = instance_.classes()->Get(nodes.node_class()->Get(node))->daemon();
    const auto amount = [&](const Doubles* column, std::size_t items, std::size_t item, std::size_t r, std::size_t p) {
      if (!given(column)) return 0.0;
      const std::size_t cell = item * resources_ + r;
      return column->data()[column->size() == items * resources_ ? cell : cell * periods_ + p];
    };
    for (std::size_t r = 0; r < resources_; ++r) {
      for (std::size_t p = 0; p < periods_; ++p) {
        if (amount(nodes.daemon(), nodes.node_class()->size(), node, r, p) != amount(of_class, 1, 0, r, p)) return true;
      }
    }
    return false;
  }

  using Residences = std::vector<std::vector<const wire::Residence*>>;

  static Residences by_node(const flatbuffers::Vector<const wire::Residence*>* residences, std::size_t nodes) {
    Residences result(nodes);
    if (residences == nullptr) return result;
    for (const wire::Residence* one : *residences) result[one->node()].push_back(one);
    return result;
  }

  void write_residences(const char* key, const std::vector<const wire::Residence*>& residences) {
    if (residences.empty()) return;
    json_.key(key).begin_object();
    for (const wire::Residence* one : residences) {
      json_.key(reference(instance_.apps()->names(), one->app())).whole(one->replicas());
    }
    json_.end_object();
  }

  void write_groups() {
    const auto* node_names = instance_.nodes() == nullptr ? nullptr : instance_.nodes()->names();
    lines("groups", instance_.groups(), [&](const wire::NodeGroup& group) {
      json_.key("name").text(view(*group.name()));
      if (given(group.by_label())) json_.key("by_label").text(view(*group.by_label()));
      const Indices* begin = group.set_begin();
      if (!given(begin)) return;
      const auto* names = group.set_names();
      json_.key("sets");
      given(names) ? json_.begin_object() : json_.begin_array();
      for (std::uint32_t set = 0; set + 1 < begin->size(); ++set) {
        if (given(names)) json_.key(view(*names->Get(set)));
        json_.begin_array();
        for (std::uint32_t k = begin->Get(set); k < begin->Get(set + 1); ++k) {
          json_.text(reference(node_names, group.node()->Get(k)));
        }
        json_.end_array();
      }
      given(names) ? json_.end_object() : json_.end_array();
    });
  }

  void write_rules() {
    lines("rules", instance_.rules(), [&](const wire::PlacementRule& rule) {
      if (given(rule.name())) json_.key("name").text(view(*rule.name()));
      const bool single = rule.any_of()->size() == 1;
      json_.key(single ? "all_of" : "any_of");
      if (!single) json_.begin_array();
      for (const wire::Conjunction* conjunction : *rule.any_of()) {
        json_.begin_array();
        for (const wire::Cardinality* one : *conjunction->all_of()) write_cardinality(*one);
        json_.end_array();
      }
      if (!single) json_.end_array();
      if (!rule.hard()) json_.key("hard").flag(false);
      if (rule.weight() != 1) json_.key("weight").number(rule.weight());
      if (rule.origin() == wire::Origin::Operator) json_.key("origin").text("operator");
    });
  }

  void write_cardinality(const wire::Cardinality& one) {
    json_.begin_object();
    if (one.kind() != wire::CardinalityKind::Replicas) json_.key("kind").text(word_of<wire::CardinalityKind>(one.kind()));
    write_tag_list("subject", one.subject());
    if (given(one.target())) write_tag_list("target", one.target());
    if (one.min() != 0) json_.key("min").whole(one.min());
    if (one.max() != kNone) json_.key("max").whole(one.max());
    if (one.group() != kNone) json_.key("group").text(view(*instance_.groups()->Get(one.group())->name()));
    if (one.negated()) json_.key("negated").flag(true);
    json_.end_object();
  }

  void write_tag_list(const char* key, const Indices* tags) {
    json_.list(key, tags, [&](const std::uint32_t index) { json_.text(tag(index)); });
  }

  void write_uncertainty() {
    const wire::Uncertainty* uncertainty = instance_.uncertainty();
    if (uncertainty == nullptr) return;
    json_.line(2).key("uncertainty").begin_object().key("model").text(word_of<wire::ChanceModel>(uncertainty->model()));
    json_.key("confidence").number(uncertainty->confidence());
    if (uncertainty->factor() != 0) json_.key("factor").number(uncertainty->factor());
    json_.end_object();
  }

  void write_interference() {
    const wire::Interference* interference = instance_.interference();
    if (interference == nullptr) return;
    json_.line(2).key("interference").begin_object();
    if (given(interference->kinds())) {
      json_.list("kinds", interference->kinds(), [&](const flatbuffers::String* kind) { json_.text(view(*kind)); });
    }
    const Doubles& coefficient = *interference->coefficient();
    std::uint32_t size = 0;
    while (std::uint64_t{size} * size < coefficient.size()) ++size;
    json_.key("coefficient").begin_array();
    for (std::uint32_t row = 0; row < size; ++row) {
      json_.begin_array();
      for (std::uint32_t column = 0; column < size; ++column) json_.number(coefficient.Get(row * size + column));
      json_.end_array();
    }
    json_.end_array();
    if (interference->resource() > 0) json_.key("resource").text(resource_name(interference->resource()));
    if (given(interference->max_cost())) {
      json_.key("max_cost").begin_object();
      for (std::uint32_t kind = 0; kind < interference->max_cost()->size(); ++kind) {
        if (std::isfinite(interference->max_cost()->Get(kind))) {
          json_.key(kind_name(kind)).number(interference->max_cost()->Get(kind));
        }
      }
      json_.end_object();
    }
    json_.end_object();
  }

  void write_traffic() {
    const auto* names = instance_.apps()->names();
    lines("traffic", instance_.traffic(), [&](const wire::Traffic& one) {
      json_.key("app").text(reference(names, one.app())).key("peer").text(reference(names, one.peer()));
      json_.key("amount").number(one.amount());
    });
  }

  // The name of a kind or, where kinds have none, its position.
  std::string kind_name(std::uint32_t kind) {
    const auto* names = instance_.interference()->kinds();
    return given(names) ? names->Get(kind)->str() : std::to_string(kind);
  }

  const wire::Instance& instance_;
  Output& out_;
  std::string buffer_;
  JsonWriter json_;
  std::size_t resources_;
  std::uint32_t periods_;
};

}  // namespace

InstanceData read_instance_json(std::string_view text, const std::string& file, std::uint64_t most_column_bytes) {
  return InstanceReader(text, file, most_column_bytes).read();
}

void write_instance_json(const wire::Instance& instance, Output& out) { InstanceWriter(instance, out).write(); }

}  // namespace stowage::cli
