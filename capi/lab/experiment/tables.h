// Tables for terminals and Markdown pages, and figures for programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/text/base/json_text.h"

namespace stowage::cli::lab {

/// The header and the rows; all have the same number of fields.
using Grid = std::vector<std::vector<std::string>>;

void print_grid(const Grid& grid, const Console& console);
std::string markdown_grid(const Grid& grid);

/// Markdown for the chart `name` of `folder`, linked relative to the page `path`.
std::string markdown_chart(const std::string& folder, const std::string& name, const std::string& title,
                           const std::string& path);

/// Fails in the cases in which write_between() fails.
void check_between(const std::string& path, const std::string& word);

/// Writes `text` between the lines "<!-- WORD: begin -->" and "<!-- WORD: end -->" of `path`. Makes the file, with these lines,
/// if it does not exist. Fails, and changes nothing, where an existing file lacks them.
void write_between(const std::string& path, const std::string& word, const std::string& text);

/// "Not in this build:" and the planners, each in `quote`.
std::string missing_text(const std::vector<std::string>& planners, const char* quote = "");

/// The figures of a benchmark, record by record: a list of JSON or a table of CSV, with the same names. A figure that is not
/// known is null, or empty.
class Figures {
 public:
  enum class Form { kJson, kCsv };
  explicit Figures(Form form);
  Figures(const Figures&) = delete;
  Figures(Figures&&) = delete;
  Figures& operator=(const Figures&) = delete;
  Figures& operator=(Figures&&) = delete;
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
