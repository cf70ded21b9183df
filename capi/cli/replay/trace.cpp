#include "capi/cli/replay/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capi/cli/base/text/csv.h"
#include "capi/cli/learn/usage_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli::replay {
namespace {

// The number of intervals up to there is exact.
constexpr double kMostSeconds = 1e12;
constexpr std::uint64_t kMostReplicas = std::numeric_limits<std::uint32_t>::max();

class TraceReader : private CsvTable {
 public:
  TraceReader(std::string_view text, const std::string& file, const wire::Instance& cluster)
      : CsvTable(text, file, "app, arrives and the resources"), cluster_(cluster) {}

  std::vector<TraceApp> read() {
    read_header();
    while (next()) read_row(fields());
    if (apps_.empty()) throw Failure(file() + ": holds no application");
    std::stable_sort(apps_.begin(), apps_.end(), [](const TraceApp& a, const TraceApp& b) { return a.arrives < b.arrives; });
    refuse_overlaps();
    return std::move(apps_);
  }

 private:
  struct Column {
    const char* name;
    std::size_t at = kAbsent;
  };

  void read_header() {
    resource_.assign(cluster_.resources()->size(), kAbsent);
    for (std::size_t c = 0; c < header().size(); ++c) place(header()[c], c);
    for (const Column* column : {&app_, &arrives_}) require(column->name, column->at);
    for (std::size_t r = 0; r < resource_.size(); ++r) {
      if (resource_[r] == kAbsent) fail("there is no column \"" + resource_name(r) + "\", a resource of the cluster");
    }
  }

  void place(const std::string& name, std::size_t column) {
    for (Column* known : {&app_, &arrives_, &departs_, &replicas_, &priority_, &limits_}) {
      if (name != known->name) continue;
      known->at = column;
      return;
    }
    for (std::size_t r = 0; r < resource_.size(); ++r) {
      if (name != resource_name(r)) continue;
      resource_[r] = column;
      return;
    }
    fail("the column \"" + name + "\" is neither known nor a resource of the cluster");
  }

  [[nodiscard]] std::string resource_name(std::size_t r) const {
    return cluster_.resources()->Get(static_cast<std::uint32_t>(r))->name()->str();
  }
  [[nodiscard]] static std::string optional(const std::vector<std::string>& fields, const Column& column) {
    return column.at == kAbsent ? std::string() : fields[column.at];
  }
  [[nodiscard]] double time(const std::vector<std::string>& fields, const Column& column) const {
    const double seconds = learn::parse_time(fields[column.at]);
    if (std::abs(seconds) <= kMostSeconds) return seconds;
    if (!std::isnan(seconds))
      fail(std::string(column.name) + ": \"" + fields[column.at] + "\" is further away than 10^12 seconds");
    fail(std::string(column.name) + ": \"" + fields[column.at] + "\" is neither seconds nor such as 2026-01-31T12:00:00Z");
  }

  void read_row(const std::vector<std::string>& fields) {
    TraceApp app;
    app.line = line();
    app.name = fields[app_.at];
    if (app.name.empty() || !is_utf8(app.name)) fail("app: is empty or not UTF-8");
    app.arrives = time(fields, arrives_);
    app.departs = optional(fields, departs_).empty() ? std::numeric_limits<double>::infinity() : time(fields, departs_);
    if (app.departs < app.arrives) fail("departs: is before it arrives");
    if (const std::string text = optional(fields, replicas_); !text.empty()) {
      const auto count = parse_whole(text);
      if (!count || *count > kMostReplicas) fail("replicas: \"" + text + "\" is not a whole number up to 4,294,967,295");
      app.replicas = static_cast<std::uint32_t>(*count);
    }
    if (const std::string text = optional(fields, priority_); !text.empty()) {
      const auto number = parse_number(text);
      if (!number || *number != std::trunc(*number) || std::abs(*number) > std::numeric_limits<std::int32_t>::max()) {
        fail("priority: \"" + text + "\" is not a whole number");
      }
      app.priority = static_cast<std::int32_t>(*number);
    }
    for (std::size_t r = 0; r < resource_.size(); ++r) app.demand.push_back(amount(r, fields[resource_[r]]));
    read_limits(optional(fields, limits_), app);
    apps_.push_back(std::move(app));
  }

  [[nodiscard]] double amount(std::size_t r, const std::string& text) const {
    const wire::Resource& resource = *cluster_.resources()->Get(static_cast<std::uint32_t>(r));
    const auto value = parse_quantity(text, resource.unit() == nullptr ? std::string_view() : resource.unit()->string_view());
    if (!value || !std::isfinite(*value) || *value < 0) fail(resource_name(r) + ": \"" + text + "\" is not an amount");
    return *value;
  }

  /// "db:1;cache:0"
  void read_limits(const std::string& text, TraceApp& app) const {
    if (text.empty()) return;
    for (const std::string& one : split_fields(text, ';')) {
      const std::size_t colon = one.rfind(':');
      const auto most = colon == std::string::npos ? std::nullopt : parse_whole(std::string_view(one).substr(colon + 1));
      if (!most || *most > kMostReplicas || colon == 0) fail("limits: \"" + one + "\" is not app:number (such as db:1)");
      app.limits.emplace_back(one.substr(0, colon), static_cast<std::uint32_t>(*most));
    }
  }

  /// In the order of arrival.
  void refuse_overlaps() const {
    NameMap<std::string_view, double> until;
    if (cluster_.apps()->names() != nullptr) {
      for (const flatbuffers::String* name : *cluster_.apps()->names()) {
        until[name->string_view()] = std::numeric_limits<double>::infinity();
      }
    }
    for (const TraceApp& app : apps_) {
      const auto [at, first] = until.emplace(app.name, app.departs);
      if (first) continue;
      if (at->second > app.arrives) fail(app.line, "\"" + app.name + "\" arrives while an application of this name is there");
      at->second = app.departs;
    }
  }

  const wire::Instance& cluster_;
  Column app_{"app"};
  Column arrives_{"arrives"};
  Column departs_{"departs"};
  Column replicas_{"replicas"};
  Column priority_{"priority"};
  Column limits_{"limits"};
  std::vector<std::size_t> resource_;  // per resource: its column
  std::vector<TraceApp> apps_;
};

}  // namespace

std::vector<TraceApp> read_trace(std::string_view text, const std::string& file, const wire::Instance& cluster) {
  return TraceReader(text, file, cluster).read();
}

}  // namespace stowage::cli::replay
