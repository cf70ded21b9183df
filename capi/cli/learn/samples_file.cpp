#include "capi/cli/learn/samples_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli::learn {
namespace {

constexpr std::string_view kFeature = "x_";
constexpr std::string_view kAsked = "asked_";
constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

class SamplesReader : private CsvTable {
 public:
  SamplesReader(std::string_view text, const std::string& file)
      : CsvTable(text, file, "app, the resources, and performance or latency_ms") {}

  SamplesTable read() {
    read_header();
    while (next()) read_row(fields());
    if (read_.apps.empty()) throw Failure(file() + ": holds no app");
    finish_features();
    return std::move(read_);
  }

 private:
  void read_header() {
    for (std::size_t c = 0; c < header().size(); ++c) read_column(header()[c], c);
    require("app", app_);
    if (resources_.empty()) fail("there is no column with a resource");
    for (const std::string& name : asked_names_) {
      const auto found = std::find(read_.resources.begin(), read_.resources.end(), name);
      if (found == read_.resources.end())
        fail(std::string("there is no column \"").append(name).append("\" for asked_").append(name));
      asked_resource_.push_back(static_cast<std::size_t>(found - read_.resources.begin()));
    }
    if (!asked_.empty() && asked_.size() != resources_.size()) fail("asked_ is given for some resources only");
  }

  void read_column(const std::string& name, std::size_t column) {
    if (!is_column_name(name))
      fail("column " + std::to_string(column + 1) + " has no name, or one that is not UTF-8 or has control characters");
    if (name == "app") {
      app_ = column;
    } else if (name == "collocation") {
      collocation_ = column;
    } else if (name == "performance" || name == "latency_ms") {
      if (read_.has_measure) fail("there are both performance and latency_ms");
      read_.has_measure = true;
      read_.measure = name == "performance" ? wire::Measure::Performance : wire::Measure::Latency;
      value_ = column;
      value_name_ = name;
    } else if (name.starts_with(kFeature) && name.size() > kFeature.size()) {
      read_.features.push_back({.name = name.substr(kFeature.size())});
      features_.push_back(column);
    } else if (name.starts_with(kAsked) && name.size() > kAsked.size()) {
      asked_.push_back(column);
      asked_names_.push_back(name.substr(kAsked.size()));
    } else {
      resources_.push_back(column);
      read_.resources.push_back(name);
    }
  }

  [[nodiscard]] double positive(const std::string& column, const std::string& text) const {
    const double value = number(column, text);
    if (!(value > 0)) fail(column + ": must be above 0");
    return value;
  }

  void read_row(const std::vector<std::string>& fields) {
    const std::string& name = fields[app_];
    if (!is_column_name(name)) fail("app: is empty or not UTF-8");
    const auto [found, added] = app_number_.emplace(name, static_cast<std::uint32_t>(read_.apps.size()));
    if (added) add_app(name);
    const std::uint32_t app = found->second;
    for (std::size_t f = 0; f < features_.size(); ++f) read_feature(read_.features[f], app, fields[features_[f]]);
    for (std::size_t k = 0; k < asked_.size(); ++k) read_asked(k, app, fields[asked_[k]]);
    read_measurement(fields, app);
  }

  void add_app(const std::string& name) {
    read_.apps.push_back(name);
    read_.app_line.push_back(line());
    for (FeatureData& feature : read_.features) feature.words.emplace_back();
    if (!asked_.empty()) read_.asked.resize(read_.apps.size() * resources_.size(), kNotGiven);
  }

  /// Rows of an app have one value of a feature, or none.
  void read_feature(FeatureData& feature, std::uint32_t app, const std::string& text) const {
    if (text.empty()) return;
    if (!is_utf8(text)) fail("x_" + feature.name + ": is not UTF-8");
    std::string& known = feature.words[app];
    if (!known.empty() && known != text)
      fail("x_" + feature.name + ": is \"" + text + "\", but \"" + known + "\" in another row of the app");
    known = text;
  }

  void read_asked(std::size_t k, std::uint32_t app, const std::string& text) {
    if (text.empty()) return;
    const std::string column = "asked_" + asked_names_[k];
    const double value = positive(column, text);
    double& known = read_.asked[app * resources_.size() + asked_resource_[k]];
    if (!std::isnan(known) && known != value) fail(column + ": differs from another row of the app");
    known = value;
  }

  void read_measurement(const std::vector<std::string>& fields, std::uint32_t app) {
    const auto empty = [&](std::size_t column) { return fields[column].empty(); };
    if (std::all_of(resources_.begin(), resources_.end(), empty) && (value_ == kAbsent || empty(value_))) return;
    if (value_ == kAbsent) fail("there is no column performance or latency_ms");
    for (std::size_t r = 0; r < resources_.size(); ++r)
      read_.row_amounts.push_back(positive(read_.resources[r], fields[resources_[r]]));
    std::uint32_t collocation = 1;
    if (collocation_ != kAbsent && !empty(collocation_)) {
      const auto value = parse_whole(fields[collocation_]);
      if (!value || *value == 0 || *value > 1'000'000)
        fail("collocation: \"" + fields[collocation_] + "\" is not a whole number from 1 to 1,000,000");
      collocation = static_cast<std::uint32_t>(*value);
    }
    const double value = number(value_name_, fields[value_]);
    if (read_.measure == wire::Measure::Latency ? !(value > 0) : !(value >= 0 && value <= 1)) {
      fail(value_name_ + (read_.measure == wire::Measure::Latency ? ": must be above 0" : ": must be from 0 to 1"));
    }
    read_.row_app.push_back(app);
    read_.row_collocation.push_back(collocation);
    read_.row_value.push_back(value);
    read_.row_line.push_back(line());
  }

  /// A feature is of numbers where each of its fields is one. One of which nothing is known is neither, and dropped.
  void finish_features() {
    const auto is_empty = [](const std::string& text) { return text.empty(); };
    std::erase_if(read_.features, [&](const FeatureData& feature) {
      return std::all_of(feature.words.begin(), feature.words.end(), is_empty);
    });
    for (FeatureData& feature : read_.features) {
      const auto is_word = [](const std::string& text) { return !text.empty() && !parse_number(text); };
      if (std::any_of(feature.words.begin(), feature.words.end(), is_word)) continue;
      for (const std::string& text : feature.words) feature.numbers.push_back(text.empty() ? kNotGiven : *parse_number(text));
      feature.words.clear();
    }
  }

  SamplesTable read_;
  NameMap<std::string, std::uint32_t> app_number_;
  std::size_t app_ = kAbsent;
  std::size_t collocation_ = kAbsent;
  std::size_t value_ = kAbsent;
  std::string value_name_;
  std::vector<std::size_t> resources_;  ///< columns
  std::vector<std::size_t> asked_;      ///< columns
  std::vector<std::size_t> features_;   ///< columns
  std::vector<std::string> asked_names_;
  std::vector<std::size_t> asked_resource_;  ///< of each column of what is asked, the resource
};

/// The number after "`list`[" in a path, or nothing.
std::optional<std::size_t> index_in(const std::string& path, std::string_view list) {
  const std::size_t begin = path.find(std::string(list) + "[");
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t open = begin + list.size() + 1;
  const auto index = parse_whole(std::string_view(path).substr(open, path.find(']', open) - open));
  return index ? std::optional<std::size_t>(static_cast<std::size_t>(*index)) : std::nullopt;
}

}  // namespace

SamplesTable read_samples(std::string_view text, const std::string& file) { return SamplesReader(text, file).read(); }

std::string place_of(const std::string& path, const SamplesTable& table, const std::string& file) {
  const auto at = [&](std::size_t line, const std::string& column) {
    return file + ":" + std::to_string(line) + ": " + column + ": ";
  };
  if (const auto row = index_in(path, "rows"); row && *row < table.row_line.size()) {
    const auto amount = index_in(path, "amounts");
    const bool of_value = path.find(".value") != std::string::npos;
    const std::string measured = table.measure == wire::Measure::Latency ? "latency_ms" : "performance";
    const std::string column = amount && *amount < table.resources.size() ? table.resources[*amount]
                               : of_value                                 ? measured
                                                                          : "collocation";
    if (amount || of_value || path.find(".collocation") != std::string::npos) return at(table.row_line[*row], column);
    return file + ":" + std::to_string(table.row_line[*row]) + ": ";
  }
  if (const auto feature = index_in(path, "features"); feature && *feature < table.features.size()) {
    const auto app = index_in(path, table.features[*feature].words.empty() ? "numbers" : "words");
    return at(app && *app < table.app_line.size() ? table.app_line[*app] : 1, "x_" + table.features[*feature].name);
  }
  if (const auto app = index_in(path, "apps"); app && *app < table.app_line.size()) return at(table.app_line[*app], "app");
  if (const auto asked = index_in(path, "asked"); asked && *asked / table.resources.size() < table.app_line.size()) {
    return at(table.app_line[*asked / table.resources.size()], "asked_" + table.resources[*asked % table.resources.size()]);
  }
  if (const auto resource = index_in(path, "resources"); resource && *resource < table.resources.size())
    return at(1, table.resources[*resource]);
  return file + ": " + (path.empty() ? "" : path + ": ");
}

}  // namespace stowage::cli::learn
