#include "capi/cli/formats/instance/instance_tsv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "capi/text/base/failure.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/amounts/profile_column.h"
#include "capi/text/records/instance_codec.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kHeader = "app_id\tnb_instances\tcore\tmemory\tinter_degree\tinter_aff";
constexpr std::size_t kColumns = 6;
constexpr const char* kColumnNames[kColumns] = {"app_id", "nb_instances", "core", "memory", "inter_degree", "inter_aff"};

struct Line {
  std::string_view columns[kColumns];
  std::size_t number;
};

std::string_view trimmed_field(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

class TsvReader {
 public:
  TsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  InstanceData read() {
    split_lines();
    InstanceData data;
    data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
    data.periods = periods();
    read_apps(data);
    index_names(data.apps.names);
    read_limits(data.limits);
    return data;
  }

 private:
  [[noreturn]] void fail(const Line& line, std::size_t column, const std::string& message) const {
    throw Failure(file_ + ": line " + std::to_string(line.number) + ": " + kColumnNames[column] + ": " + message);
  }

  static std::string quoted(std::string_view text) {
    constexpr std::size_t kShown = 40;
    return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "") + "\"";
  }

  void split_lines() {
    const char* at = text_.data();
    const char* const end = at + text_.size();
    std::size_t number = 0;
    while (at < end) {
      const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (stop == nullptr) stop = end;
      ++number;
      const std::string_view content = trimmed_field({at, static_cast<std::size_t>(stop - at)});
      if (number > 1 && !content.empty()) split_columns(content, number);
      at = stop + 1;
    }
  }

  void split_columns(std::string_view content, std::size_t number) {
    Line& line = lines_.emplace_back();
    line.number = number;
    for (std::size_t column = 0; column < kColumns; ++column) {
      const std::size_t tab = column + 1 < kColumns ? content.find('\t') : std::string_view::npos;
      line.columns[column] = trimmed_field(content.substr(0, tab));
      if (tab != std::string_view::npos) {
        content.remove_prefix(tab + 1);
      } else if (column + 1 < kColumns) {
        throw Failure(file_ + ": line " + std::to_string(number) + ": has " + std::to_string(column + 1) +
                      " columns; expected 6, separated by tabs");
      }
    }
    if (line.columns[kColumns - 1].find('\t') != std::string_view::npos) {
      throw Failure(file_ + ": line " + std::to_string(number) + ": has more than 6 columns");
    }
  }

  /// The number of values in the lists; 1 without lists.
  [[nodiscard]] std::uint32_t periods() const {
    for (const Line& line : lines_) {
      for (const std::size_t column : {2, 3}) {
        const std::string_view text = line.columns[column];
        if (!text.starts_with('[')) continue;
        return static_cast<std::uint32_t>(1 + std::count(text.begin(), text.end(), ','));
      }
    }
    return 1;
  }

  void read_apps(InstanceData& data) const {
    AppsData& apps = data.apps;
    apps.names.reserve(lines_.size());
    apps.replicas.reserve(lines_.size());
    std::uint64_t budget = default_column_bytes(text_.size());
    ProfileColumn demand(lines_.size(), 2, data.periods, budget, file_, "core and memory");
    for (std::size_t app = 0; app < lines_.size(); ++app) {
      const Line& line = lines_[app];
      if (line.columns[0].empty()) fail(line, 0, "is empty");
      apps.names.emplace_back(line.columns[0]);
      apps.replicas.push_back(count(line, 1, line.columns[1]));
      for (const std::size_t column : {2, 3}) read_profile(line, column, data.periods, app, demand);
    }
    apps.demand = std::move(demand).values();
  }

  [[nodiscard]] std::uint32_t count(const Line& line, std::size_t column, std::string_view text) const {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(line, column, quoted(text) + " is not a whole number from 0 to 4294967295");
    }
    return value;
  }

  [[nodiscard]] double number(const Line& line, std::size_t column, std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0) {
      fail(line, column, quoted(text) + " is not a number of at least 0");
    }
    return value;
  }

  void read_profile(const Line& line, std::size_t column, std::uint32_t periods, std::size_t app, ProfileColumn& demand) const {
    const std::size_t resource = column - 2;
    std::string_view text = line.columns[column];
    if (!text.starts_with('[')) {
      demand.set(app, resource, number(line, column, text));
      return;
    }
    if (!text.ends_with(']')) fail(line, column, "the list has no end \"]\"");
    text = text.substr(1, text.size() - 2);
    std::vector<double> values;
    for (;;) {
      const std::size_t comma = text.find(',');
      values.push_back(number(line, column, trimmed_field(text.substr(0, comma))));
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
    }
    if (values.size() != periods) {
      fail(line, column,
           "the list has " + std::to_string(values.size()) + " values; the first list of the file has " +
               std::to_string(periods));
    }
    demand.set(app, resource, values);
  }

  /// Ids that are small whole numbers, as in all published files, are looked up in an array; other ids by their text.
  void index_names(const std::vector<std::string>& names) {
    constexpr std::uint64_t kSpread = 8;
    std::vector<std::uint64_t> numbers;
    numbers.reserve(names.size());
    for (const std::string& name : names) {
      const auto number = parse_whole(name);
      if (!number || *number > kSpread * names.size() + 1000 || (name.size() > 1 && name.front() == '0')) break;
      numbers.push_back(*number);
    }
    dense_ = numbers.size() == names.size();
    for (std::size_t app = 0; app < names.size(); ++app) {
      bool fresh = true;
      if (dense_) {
        if (numbers[app] >= by_number_.size()) by_number_.resize(numbers[app] + 1, kNone);
        fresh = by_number_[numbers[app]] == kNone;
        by_number_[numbers[app]] = static_cast<std::uint32_t>(app);
      } else {
        fresh = by_name_.emplace(names[app], static_cast<std::uint32_t>(app)).second;
      }
      if (!fresh) fail(lines_[app], 0, quoted(names[app]) + " occurs twice");
    }
  }

  void read_limits(AffinityLimitsData& limits) const {
    std::uint64_t total = 0;
    for (const Line& line : lines_) total += count(line, 4, line.columns[4]);
    // Every limit takes at least the seven characters of "(1, 0),".
    total = std::min<std::uint64_t>(total, text_.size() / 7 + 1);
    limits.app.reserve(total);
    limits.at_most.reserve(total);
    limits.row_begin.reserve(lines_.size() + 1);
    limits.row_begin.push_back(0);
    for (const Line& line : lines_) {
      const std::size_t before = limits.app.size();
      read_row(line, limits);
      const std::size_t found = limits.app.size() - before;
      if (found != count(line, 4, line.columns[4])) {
        fail(line, 4, "is " + std::string(line.columns[4]) + ", but inter_aff has " + std::to_string(found) + " entries");
      }
      if (limits.app.size() >= kNone) throw Failure(file_ + ": has more affinity limits than the format holds");
      limits.row_begin.push_back(static_cast<std::uint32_t>(limits.app.size()));
    }
  }

  void read_row(const Line& line, AffinityLimitsData& limits) const {
    constexpr std::size_t kColumn = 5;
    const std::string_view text = line.columns[kColumn];
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto skip_spaces = [&] {
      while (at < end && *at == ' ') ++at;
    };
    const auto expect = [&](char letter) {
      skip_spaces();
      if (at == end || *at != letter) {
        const std::string_view rest(at, static_cast<std::size_t>(end - at));
        fail(line, kColumn, std::string("expected '") + letter + "' at " + quoted(rest) + "; write [(other app, limit), ...]");
      }
      ++at;
    };
    expect('[');
    skip_spaces();
    if (at < end && *at == ']') {
      ++at;
    } else {
      for (;;) {
        expect('(');
        skip_spaces();
        limits.app.push_back(read_app(line, at, end));
        expect(',');
        skip_spaces();
        std::uint32_t at_most = 0;
        const auto [stop, error] = std::from_chars(at, end, at_most);
        if (error != std::errc()) {
          fail(line, kColumn,
               quoted({at, static_cast<std::size_t>(end - at)}) + " does not start with a limit (a whole number)");
        }
        at = stop;
        limits.at_most.push_back(at_most);
        expect(')');
        skip_spaces();
        if (at < end && *at == ']') {
          ++at;
          break;
        }
        expect(',');
      }
    }
    skip_spaces();
    if (at != end) fail(line, kColumn, "has text after the list: " + quoted({at, static_cast<std::size_t>(end - at)}));
  }

  /// The app whose id starts at `at`; moves `at` behind the id.
  std::uint32_t read_app(const Line& line, const char*& at, const char* end) const {
    const char* const begin = at;
    std::uint32_t app = kNone;
    if (dense_) {
      std::uint64_t number = 0;
      const auto [stop, error] = std::from_chars(at, end, number);
      if (error == std::errc() && number < by_number_.size()) app = by_number_[number];
      at = error == std::errc() ? stop : end;
    } else {
      while (at < end && *at != ',') ++at;
      std::string_view id = trimmed_field({begin, static_cast<std::size_t>(at - begin)});
      if (id.size() > 1 && (id.front() == '\'' || id.front() == '"') && id.back() == id.front())
        id = id.substr(1, id.size() - 2);
      const auto found = by_name_.find(id);
      if (found != by_name_.end()) app = found->second;
    }
    if (app == kNone) {
      const std::string_view id(begin, static_cast<std::size_t>(at - begin));
      fail(line, 5, "there is no app " + quoted(id.substr(0, id.find(','))));
    }
    return app;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Line> lines_;
  bool dense_ = false;
  std::vector<std::uint32_t> by_number_;
  NameMap<std::string_view, std::uint32_t> by_name_;
};

template <class Number>
void append(std::string& out, Number value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append_profile(std::string& out, const double* values, std::size_t periods) {
  if (periods == 1) {
    append(out, values[0]);
    return;
  }
  for (std::size_t p = 0; p < periods; ++p) {
    out += p == 0 ? "[" : ", ";
    append(out, values[p]);
  }
  out += ']';
}

/// The first feature of the instance that the layout cannot express, or nothing.
std::string inexpressible(const wire::Instance& instance) {
  const wire::Apps& apps = *instance.apps();
  if (instance.resources()->size() != 2 || instance.resources()->Get(0)->name()->str() != "cpu" ||
      instance.resources()->Get(1)->name()->str() != "memory") {
    return "resources other than cpu and memory";
  }
  std::string number;
  codec::app_numbers(apps, [&](const char* key, const auto* column, auto) {
    if (number.empty() && given(column)) number = std::string("\"") + key + "\" of apps";
  });
  if (!number.empty()) return number;
  if (given(apps.variance()) || given(apps.support_min()) || instance.uncertainty() != nullptr) return "uncertain demand";
  if (given(apps.kind()) || instance.interference() != nullptr) return "kinds and interference";
  if (given(instance.traffic())) return "traffic";
  if (given(apps.only_index()) || given(apps.not_index())) return "eligibility";
  const auto has_daemon = [](const wire::NodeClass* c) { return given(c->daemon()); };
  if (std::any_of(instance.classes()->begin(), instance.classes()->end(), has_daemon)) return "daemon load";
  if (given(apps.tag_index()) || given(instance.rules()) || given(instance.groups())) return "tags, groups and rules";
  if (instance.nodes() != nullptr && given(instance.nodes()->node_class())) return "listed nodes";
  return {};
}

}  // namespace

bool is_instance_tsv(std::string_view text) {
  if (!text.starts_with(kHeader)) return false;
  text.remove_prefix(kHeader.size());
  return text.empty() || text.front() == '\n' || text.front() == '\r';
}

InstanceData read_instance_tsv(std::string_view text, const std::string& file) { return TsvReader(text, file).read(); }

void write_instance_tsv(const wire::Instance& instance, OutputFile& out) {
  if (const std::string feature = inexpressible(instance); !feature.empty()) {
    throw Failure("the .tsv layout cannot express " + feature + "; write .json or .stow");
  }
  const wire::Apps& apps = *instance.apps();
  const std::size_t count = apps.replicas()->size();
  const std::size_t width = count == 0 ? 1 : apps.demand()->size() / (count * 2);
  std::vector<std::string> ids;
  ids.reserve(count);
  for (std::uint32_t app = 0; app < count; ++app) {
    ids.push_back(given(apps.names()) ? apps.names()->Get(app)->str() : std::to_string(app + 1));
    if (ids.back().find_first_of("\t\n\r,") != std::string::npos) {
      throw Failure("the .tsv layout cannot express app name \"" + ids.back() + "\"; write .json or .stow");
    }
  }
  std::string buffer(kHeader);
  buffer += '\n';
  for (std::uint32_t app = 0; app < count; ++app) {
    buffer += ids[app];
    buffer += '\t';
    append(buffer, apps.replicas()->Get(app));
    for (std::size_t resource = 0; resource < 2; ++resource) {
      buffer += '\t';
      append_profile(buffer, apps.demand()->data() + (std::size_t{app} * 2 + resource) * width, width);
    }
    const wire::AffinityLimits* limits = instance.limits();
    const std::uint32_t begin = limits == nullptr ? 0 : limits->row_begin()->Get(app);
    const std::uint32_t end = limits == nullptr ? 0 : limits->row_begin()->Get(app + 1);
    buffer += '\t';
    append(buffer, end - begin);
    buffer += "\t[";
    for (std::uint32_t k = begin; k < end; ++k) {
      buffer += k == begin ? "(" : ", (";
      buffer += ids[limits->app()->Get(k)];
      buffer += ", ";
      append(buffer, limits->at_most()->Get(k));
      buffer += ')';
    }
    buffer += "]\n";
    if (buffer.size() >= OutputFile::kFlushSize) {
      out.write(buffer);
      buffer.clear();
    }
  }
  out.write(buffer);
}

}  // namespace stowage::cli
