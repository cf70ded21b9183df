// Figures summed up over runs; tables for terminals and Markdown pages, and figures for programs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {

/// Sums of figures, each by its name. What was never added is 0.
class Tally {
 public:
  Tally& add(const std::string& figure, double value = 1) {
    Sum& sum = sums_[figure];
    ++sum.count;
    sum.total += value;
    sum.most = std::max(sum.most, value);
    return *this;
  }
  /// Adds what is known.
  Tally& add(const std::string& figure, const std::optional<double>& value) { return value ? add(figure, *value) : *this; }

  [[nodiscard]] bool has(const std::string& figure) const { return sums_.contains(figure); }
  [[nodiscard]] double sum(const std::string& figure) const { return of(figure).total; }
  /// The sum as a whole number, of what is counted.
  [[nodiscard]] std::uint64_t count(const std::string& figure) const { return static_cast<std::uint64_t>(sum(figure)); }
  [[nodiscard]] double mean(const std::string& figure) const { return of(figure).total / std::max(1.0, of(figure).count); }
  /// The largest value, at least 0.
  [[nodiscard]] double most(const std::string& figure) const { return of(figure).most; }

 private:
  struct Sum {
    double count = 0;
    double total = 0;
    double most = 0;
  };
  [[nodiscard]] Sum of(const std::string& figure) const {
    const auto found = sums_.find(figure);
    return found == sums_.end() ? Sum() : found->second;
  }

  std::map<std::string, Sum> sums_;
};

/// Tallies of runs, by what they are of and by contender.
template <class Of>
class Tallies {
 public:
  Tally& at(const Of& of, const std::string& label) { return all_[{of, label}]; }
  /// Without runs: an empty one.
  [[nodiscard]] const Tally& of(const Of& of, const std::string& label) const {
    static const Tally kNone{};
    const auto found = all_.find({of, label});
    return found == all_.end() ? kNone : found->second;
  }
  /// The contenders with runs of any of these, or for which also(of, label) holds.
  [[nodiscard]] std::vector<Contender> known(
      std::vector<Contender> contenders, const std::vector<Of>& all,
      const std::function<bool(const Of&, const std::string&)>& also = [](const Of&, const std::string&) {
        return false;
      }) const {
    std::erase_if(contenders, [&](const Contender& one) {
      return std::none_of(all.begin(), all.end(),
                          [&](const Of& of) { return this->of(of, one.label).has("runs") || also(of, one.label); });
    });
    return contenders;
  }

 private:
  std::map<std::pair<Of, std::string>, Tally> all_;
};

/// The tallies of runs, each of which adds itself.
template <class Run>
auto tallied(const std::vector<Run>& runs) {
  Tallies<decltype(Run::of)> tallies;
  for (const Run& run : runs) run.add_to(tallies.at(run.of, run.label));
  return tallies;
}

/// The header and the rows; all have the same number of fields.
using Grid = std::vector<std::vector<std::string>>;

std::string markdown_grid(const Grid& grid);
/// "1.50 %", with all digits.
std::string fixed_percent(double share, int digits);

/// Fails where an existing file lacks the lines "<!-- WORD: begin -->" and "<!-- WORD: end -->", between which a Page is
/// written.
void check_between(const std::string& path, const std::string& word);

/// What an experiment shows, on a terminal or as Markdown.
class Page {
 public:
  explicit Page(const Console& console) : console_(&console) {}
  /// @param charts the folder with the charts, if they are drawn
  Page(std::string path, std::optional<std::string> charts, std::string word)
      : path_(std::move(path)), charts_(std::move(charts)), word_(std::move(word)) {}

  [[nodiscard]] bool is_markdown() const { return console_ == nullptr; }
  [[nodiscard]] bool links_charts() const { return charts_.has_value(); }
  /// The command, and the machines and builds on which the runs were measured.
  void head(const std::string& command, const std::set<std::string>& origins);
  /// Text of one of the two.
  Page& terminal(const std::string& text) {
    if (!is_markdown()) console_->out << text;
    return *this;
  }
  Page& markdown(const std::string& text) {
    if (is_markdown()) text_ += text;
    return *this;
  }
  /// A line that stands out, or a heading.
  Page& title(const std::string& text) { return toned_line(Tone::kStrong, text).markdown("\n### " + text + "\n"); }
  Page& grid(const Grid& grid);
  /// What is to be known of all tables: before them in Markdown, in lines of their own; after them on a terminal.
  Page& opening(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) markdown("\n" + note + ".\n");
    return *this;
  }
  Page& closing(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) toned_line(Tone::kFaint, note);
    return *this;
  }
  /// Links charts, if charts are drawn, relative to the page.
  Page& link(const std::vector<Chart>& charts);
  [[nodiscard]] const std::vector<Chart>& linked() const { return linked_; }
  /// Writes Markdown between the lines of the file that are named above. Makes the file, with these lines, if it does not
  /// exist.
  void write() const;

 private:
  Page& toned_line(Tone tone, const std::string& text) {
    return is_markdown() ? *this : terminal(toned(*console_, tone, text) + "\n");
  }

  const Console* console_ = nullptr;
  std::string path_;
  std::optional<std::string> charts_;
  std::string word_;
  std::string text_;
  std::vector<Chart> linked_;
};

/// "Not in this build:" and the planners, each in `quote`.
std::string missing_text(const std::vector<std::string>& planners, const char* quote = "");

/// The figures of a benchmark, record by record: a list of JSON or a table of CSV, with the same names. A figure that is not
/// known is null, or empty.
class Figures {
 public:
  enum class Form { kJson, kCsv };
  explicit Figures(Form form) : form_(form) {}

  [[nodiscard]] bool is_json() const { return form_ == Form::kJson; }
  /// Begins a record. All records have the same figures in CSV.
  Figures& record() {
    records_.emplace_back();
    return *this;
  }
  Figures& text(const char* name, std::string_view value, bool known = true) {
    return add(name, known, std::string(value), [text = std::string(value)](JsonWriter& json) { json.text(text); });
  }
  Figures& whole(const char* name, std::uint64_t value) {
    return add(name, true, std::to_string(value), [value](JsonWriter& json) { json.whole(value); });
  }
  Figures& flag(const char* name, bool value) {
    return add(name, true, value ? "1" : "0", [value](JsonWriter& json) { json.flag(value); });
  }
  Figures& number(const char* name, double value, bool known = true) {
    return add(name, known, shortest(value), [value](JsonWriter& json) { json.number(value); });
  }
  Figures& seconds(const char* name, double value, bool known = true) {
    return add(name, known, seconds_text(value), [value](JsonWriter& json) { json.number(value); });
  }
  /// Figures of a tally: what it counted, and means of what it has.
  Figures& counts(const Tally& tally, std::initializer_list<const char*> names);
  Figures& means(const Tally& tally, std::initializer_list<const char*> names);
  /// Figures that belong together, by add_all(part): an object, or columns whose names begin with this one.
  Figures& part(const char* name, bool known, const std::function<void(Figures& part)>& add_all);
  [[nodiscard]] std::string finish() const;

 private:
  struct Figure {
    std::string name;
    std::string csv;
    std::function<void(JsonWriter& json)> write;
  };
  using Record = std::vector<Figure>;
  Figures& add(const char* name, bool known, std::string csv, std::function<void(JsonWriter& json)> write);
  static void write_object(const Record& record, JsonWriter& json);

  Form form_;
  std::vector<Record> records_;
};

}  // namespace stowage::cli::lab
