// Tables for terminals and Markdown pages, and figures for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/output.h"

namespace stowage::cli::lab {

/// The header and the rows; all have the same number of fields.
using Grid = std::vector<std::vector<std::string>>;

void print_grid(const Grid& grid, const Console& console);
std::string markdown_grid(const Grid& grid);

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
  Page& terminal(const std::string& text);
  Page& markdown(const std::string& text);
  /// A line that stands out, or a heading.
  Page& title(const std::string& text);
  Page& grid(const Grid& grid);
  /// What is to be known of all tables: before them in Markdown, in lines of their own; after them on a terminal.
  Page& opening(const std::vector<std::string>& notes);
  Page& closing(const std::vector<std::string>& notes);
  /// Links a chart, if charts are drawn, relative to the page.
  Page& chart(const std::string& file, const std::string& title);
  /// Writes Markdown between the lines of the file that are named above. Makes the file, with these lines, if it does not
  /// exist.
  void write() const;

 private:
  const Console* console_ = nullptr;
  std::string path_;
  std::optional<std::string> charts_;
  std::string word_;
  std::string text_;
};

/// "Not in this build:" and the planners, each in `quote`.
std::string missing_text(const std::vector<std::string>& planners, const char* quote = "");

/// The figures of a benchmark, record by record: a list of JSON or a table of CSV, with the same names. A figure that is not
/// known is null, or empty.
class Figures {
 public:
  Figures(const Figures&) = delete;
  Figures(Figures&&) = delete;
  Figures& operator=(const Figures&) = delete;
  Figures& operator=(Figures&&) = delete;
  enum class Form { kJson, kCsv };
  explicit Figures(Form form);
  ~Figures() = default;

  [[nodiscard]] bool is_json() const { return is_json_; }
  /// Begins a record. All records have the same figures in CSV.
  Figures& record();
  Figures& text(const char* name, std::string_view value, bool known = true);
  Figures& whole(const char* name, std::uint64_t value);
  Figures& flag(const char* name, bool value);
  Figures& number(const char* name, double value, bool known = true);
  Figures& seconds(const char* name, double value, bool known = true);
  /// Figures that belong together, by add(*this): an object, or columns whose names begin with this one.
  template <class Add>
  Figures& part(const char* name, bool known, Add&& add) {
    if (begin_part(name, known)) std::forward<Add>(add)(*this);
    end_part(known);
    return *this;
  }
  std::string finish();

 private:
  bool begin_part(const char* name, bool known);
  void end_part(bool known);
  /// The place for a value of JSON; nullptr where it is not known, or where CSV is written.
  JsonWriter* json_at(const char* name, bool known);
  void field(const char* name, std::string value);
  void end_record();

  bool is_json_;
  bool in_record_ = false;
  std::string text_;
  JsonWriter json_{text_};
  std::vector<std::string> names_;
  std::vector<std::string> fields_;
  std::string prefix_;  ///< of the part's columns
  bool blank_ = false;  ///< the part is not known
};

}  // namespace stowage::cli::lab
