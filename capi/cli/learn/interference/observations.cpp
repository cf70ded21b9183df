#include "capi/cli/learn/interference/observations.h"

#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli::learn {
namespace {

constexpr std::string_view kLoad = "load_";
/// The least and the largest number other than 0. Squares of quotients of such numbers neither overflow nor vanish.
constexpr double kLeast = 1e-15;
constexpr double kMost = 1e15;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const Model& model)
      : file_(file), model_(model), csv_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text, file) {}

  Observations read() {
    read_header();
    const NameIndex kinds(read_.kinds);
    std::vector<std::string> fields;
    while (csv_.next(fields)) {
      if (fields.size() != columns_) fail("has a different number of fields than the header");
      read_row(fields, kinds);
    }
    if (read_.count == 0) throw Failure(file_ + ": holds no observation");
    return std::move(read_);
  }

 private:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  [[noreturn]] void fail(const std::string& message) const {
    throw Failure(file_ + ":" + std::to_string(csv_.line()) + ": " + message);
  }

  void read_header() {
    std::vector<std::string> header;
    if (!csv_.next(header)) throw Failure(file_ + ": is empty; its first line must name the columns kind, cost and load_KIND");
    columns_ = header.size();
    if (const auto twice = NameIndex(header).duplicate()) fail("the column \"" + header[twice->first] + "\" stands twice");
    for (std::size_t c = 0; c < columns_; ++c) read_column(header[c], c);
    for (const auto& [name, column] : {std::pair{"kind", kind_}, std::pair{"cost", cost_}}) {
      if (column == kAbsent) fail(std::string("there is no column \"") + name + "\"");
    }
    if (loads_.empty()) fail("there is no column with a load; such a column has the name load_KIND");
    if (loads_.size() > kMostKinds) fail("has loads of more than " + std::to_string(kMostKinds) + " kinds");
    read_.of.resize(loads_.size());
    read_.without_own_load.resize(loads_.size());
  }

  void read_column(const std::string& name, std::size_t column) {
    if (name == "kind") {
      kind_ = column;
    } else if (name == "cost") {
      cost_ = column;
    } else if (name == "weight") {
      weight_ = column;
    } else if (name.starts_with(kLoad) && name.size() > kLoad.size()) {
      if (!is_utf8(name)) fail("the name of a column is not UTF-8");
      loads_.push_back(column);
      load_names_.push_back(name);
      read_.kinds.push_back(name.substr(kLoad.size()));
    } else {
      if (const std::string hint = did_you_mean(name, {"kind", "cost", "weight"}); !hint.empty()) {
        fail("there is no column \"" + name + "\"" + hint);
      }
      read_.ignored.push_back(name);
    }
  }

  /// A number that is 0, or of a size with which one can compute.
  [[nodiscard]] double number(const std::string& column, const std::string& text) const {
    const auto value = parse_number(text);
    if (!value) fail(column + ": \"" + text + "\" is not a number");
    if (*value < 0) fail(column + ": must not be negative");
    if (*value > kMost || (*value > 0 && *value < kLeast)) fail(column + ": " + text + " is out of range; use another unit");
    return *value;
  }

  void read_row(const std::vector<std::string>& fields, const NameIndex& kinds) {
    const std::uint32_t kind = kinds.find(fields[kind_]);
    if (kind == kNone) {
      fail("kind: there is no column load_" + fields[kind_] +
           did_you_mean(fields[kind_], {read_.kinds.begin(), read_.kinds.end()}));
    }
    const double cost = number("cost", fields[cost_]);
    if (cost == 0 && model_.relative)
      fail("cost: must be above 0, because errors are relative to it (or use --errors absolute)");
    KindObservations& to = read_.of[kind];
    if (weight_ != kAbsent) {
      const double weight = number("weight", fields[weight_]);
      if (weight == 0) fail("weight: must be above 0");
      to.weight.push_back(weight);
    }
    bool loaded = false;
    for (std::size_t u = 0; u < loads_.size(); ++u) {
      const double load = number(load_names_[u], fields[loads_[u]]);
      loaded |= load > 0;
      if (u == kind && load == 0) ++read_.without_own_load[u];
      to.load.push_back(load);
    }
    if (!loaded && !model_.baseline) fail("has no load that could explain its cost (or use --baseline)");
    to.cost.push_back(cost);
    ++read_.count;
  }

  const std::string& file_;
  const Model& model_;
  CsvReader csv_;
  Observations read_;
  std::size_t columns_ = 0;
  std::size_t kind_ = kAbsent;
  std::size_t cost_ = kAbsent;
  std::size_t weight_ = kAbsent;
  std::vector<std::size_t> loads_;  ///< columns
  std::vector<std::string> load_names_;
};

}  // namespace

Observations read_observations(std::string_view text, const std::string& file, const Model& model) {
  return Reader(text, file, model).read();
}

}  // namespace stowage::cli::learn
