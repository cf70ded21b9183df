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

class Reader : private CsvTable {
 public:
  Reader(std::string_view text, const std::string& file, const Model& model)
      : CsvTable(text, file, "kind, cost and load_KIND"), model_(model) {}

  Observations read() {
    read_header();
    const NameIndex kinds(read_.kinds);
    while (next()) read_row(fields(), kinds);
    if (read_.count == 0) throw Failure(file() + ": holds no observation");
    return std::move(read_);
  }

 private:
  void read_header() {
    for (std::size_t c = 0; c < header().size(); ++c) read_column(header()[c], c);
    require("kind", kind_);
    require("cost", cost_);
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
  [[nodiscard]] double amount(const std::string& column, const std::string& text) const {
    const double value = number(column, text);
    if (value < 0) fail(column + ": must not be negative");
    if (value > kMost || (value > 0 && value < kLeast)) fail(column + ": " + text + " is out of range; use another unit");
    return value;
  }

  void read_row(const std::vector<std::string>& fields, const NameIndex& kinds) {
    const std::uint32_t kind = kinds.find(fields[kind_]);
    if (kind == kNone) {
      fail("kind: there is no column load_" + fields[kind_] +
           did_you_mean(fields[kind_], {read_.kinds.begin(), read_.kinds.end()}));
    }
    const double cost = amount("cost", fields[cost_]);
    if (cost == 0 && model_.relative)
      fail("cost: must be above 0, because errors are relative to it (or use --errors absolute)");
    KindObservations& to = read_.of[kind];
    if (weight_ != kAbsent) {
      const double weight = amount("weight", fields[weight_]);
      if (weight == 0) fail("weight: must be above 0");
      to.weight.push_back(weight);
    }
    bool loaded = false;
    for (std::size_t u = 0; u < loads_.size(); ++u) {
      const double load = amount(load_names_[u], fields[loads_[u]]);
      loaded |= load > 0;
      if (u == kind && load == 0) ++read_.without_own_load[u];
      to.load.push_back(load);
    }
    if (!loaded && !model_.baseline) fail("has no load that could explain its cost (or use --baseline)");
    to.cost.push_back(cost);
    ++read_.count;
  }

  const Model& model_;
  Observations read_;
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
