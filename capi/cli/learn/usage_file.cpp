#include "capi/cli/learn/usage_file.h"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/records/learning/usage_codec.h"

namespace stowage::cli::learn {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Numbers names by first use.
class NameNumbers {
 public:
  explicit NameNumbers(std::vector<std::string>* names = nullptr) : names_(names) {}
  std::uint32_t of(const std::string& name) {
    const auto [found, added] = numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
    if (added && names_ != nullptr) names_->push_back(name);
    return found->second;
  }

 private:
  NameMap<std::string, std::uint32_t> numbers_;
  std::vector<std::string>* names_;
};

class UsageReader : private CsvTable {
 public:
  UsageReader(std::string_view text, const std::string& file)
      : CsvTable(text, file, "app, time and the resources"), apps_(&read_.apps) {}

  UsageTable read() {
    read_header();
    while (next()) read_row(fields());
    if (read_.app.empty()) throw Failure(file() + ": holds no sample");
    return std::move(read_);
  }

 private:
  void read_header() {
    for (std::size_t c = 0; c < header().size(); ++c) {
      const std::string& name = header()[c];
      std::size_t* const special = name == "app"       ? &app_
                                   : name == "time"    ? &time_
                                   : name == "replica" ? &replica_
                                   : name == "oom"     ? &oom_
                                                       : nullptr;
      if (special != nullptr) {
        *special = c;
        continue;
      }
      if (!is_column_name(name))
        fail("column " + std::to_string(c + 1) + " has no name, or one that is not UTF-8 or has control characters");
      resources_.push_back(c);
      read_.resources.push_back(name);
    }
    require("app", app_);
    require("time", time_);
    if (resources_.empty()) fail("there is no column with a resource");
  }

  void read_row(const std::vector<std::string>& fields) {
    const std::string& app = fields[app_];
    if (app.empty() || !is_utf8(app)) fail("app: is empty or not UTF-8");
    const double time = parse_time(fields[time_]);
    if (std::isnan(time)) fail("time: \"" + fields[time_] + "\" is neither seconds nor such as 2026-01-31T12:00:00Z");
    read_.app.push_back(apps_.of(app));
    read_.time.push_back(time);
    read_.line.push_back(line());
    if (replica_ != kAbsent) {
      replicas_.resize(read_.apps.size());
      read_.replica.push_back(replicas_[read_.app.back()].of(fields[replica_]));
    }
    if (oom_ != kAbsent) {
      const std::string& text = fields[oom_];
      if (text != "1" && text != "0" && !text.empty()) fail("oom: \"" + text + "\" is neither 0 nor 1");
      read_.out_of_memory.push_back(text == "1" ? 1 : 0);
    }
    for (std::size_t r = 0; r < resources_.size(); ++r) {
      read_.amount.push_back(amount(read_.resources[r], fields[resources_[r]]));
    }
  }

  [[nodiscard]] double amount(const std::string& resource, const std::string& text) const {
    if (text.empty()) return kNoNumber;
    const double value = number(resource, text);
    if (value < 0) fail(resource + ": must not be negative");
    return value;
  }

  UsageTable read_;
  NameNumbers apps_;
  std::vector<NameNumbers> replicas_;  ///< per app
  std::size_t app_ = kAbsent;
  std::size_t time_ = kAbsent;
  std::size_t replica_ = kAbsent;
  std::size_t oom_ = kAbsent;
  std::vector<std::size_t> resources_;  ///< columns
};

/// The number of the next digits of a date, which are taken off; -1 where these are none.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (text[k] < '0' || text[k] > '9') return -1;
    value = value * 10 + (text[k] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take_letter(std::string_view& text, std::string_view letters) {
  if (text.empty() || letters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds by which a time zone is ahead; NaN where the text is none.
double zone_offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  const double sign = text.starts_with('-') ? -1 : 1;
  if (!take_letter(text, "+-")) return kNoNumber;
  const int hours = take_digits(text, 2);
  if (!take_letter(text, ":")) return kNoNumber;
  const int minutes = take_digits(text, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !text.empty()) return kNoNumber;
  return sign * (hours * 3600 + minutes * 60);
}

/// Seconds since 1970 of a date and time as in RFC 3339.
double date_seconds(std::string_view text) {
  std::array<int, 6> part = {};
  constexpr std::array<std::size_t, 6> kDigits = {4, 2, 2, 2, 2, 2};
  constexpr std::array<std::string_view, 6> kBefore = {"", "-", "-", "Tt ", ":", ":"};
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (k > 0 && !take_letter(text, kBefore[k])) return kNoNumber;
    part[k] = take_digits(text, kDigits[k]);
    if (part[k] < 0) return kNoNumber;
  }
  const std::chrono::year_month_day date{std::chrono::year(part[0]), std::chrono::month(static_cast<unsigned>(part[1])),
                                         std::chrono::day(static_cast<unsigned>(part[2]))};
  if (!date.ok() || part[3] > 23 || part[4] > 59 || part[5] > 60) return kNoNumber;
  double seconds = part[3] * 3600.0 + part[4] * 60.0 + part[5];
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    const auto fraction = parse_number("0" + std::string(text.substr(0, end)));
    if (!fraction || end == 1) return kNoNumber;
    seconds += *fraction;
    text.remove_prefix(end);
  }
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) * 86'400 + seconds - zone_offset(text);
}

}  // namespace

double parse_time(std::string_view text) {
  const auto number = parse_number(text);
  return number ? *number : date_seconds(text);
}

flatbuffers::DetachedBuffer encode_usage(const UsageTable& table, const std::vector<SizeRuleData>& rules, std::uint32_t periods,
                                         double cycle) {
  UsageData data = static_cast<const UsageData&>(table);
  data.rules = rules;
  data.periods = periods;
  data.cycle = cycle;
  codec::Builder builder;
  const auto usage = codec::write_usage(builder, data);
  wire::FinishLearningBuffer(builder, wire::CreateLearning(builder, 1, wire::LearningBody::Usage, usage.Union()));
  return builder.Release();
}

UsageTable read_usage(std::string_view text, const std::string& file) { return UsageReader(text, file).read(); }

}  // namespace stowage::cli::learn
