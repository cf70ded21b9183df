// Scripts for gnuplot, and charts drawn by it.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace stowage::cli::lab {

/// A chart of an experiment.
struct Chart {
  std::string file;  ///< without its ending
  std::string title;
  std::string script;
};

/// Fails where gnuplot is missing; the message names its package.
void need_gnuplot();

/// `text` as a string literal of gnuplot.
std::string quoted(const std::string& text);
/// Colours that people with any colour vision can tell apart: there are so many.
inline constexpr std::size_t kColors = 8;
/// The end of a style: the colour of the n-th line, and its title in the key, or none.
std::string colored(std::size_t n, const std::string& title = "");
/// Labels at 0, 1, 2, ... of an axis.
std::string tics(const std::vector<std::string>& labels);
/// A row of data, in which missing values have gnuplot's mark.
std::string row_of(const std::vector<double>& values);
/// The number if `known`, else what row_of() takes for a missing value.
inline double or_missing(bool known, double value) { return known ? value : std::numeric_limits<double>::quiet_NaN(); }
/// The beginning of every script: output to the SVG NAME.svg of `width` x `height` pixels.
std::string script_head(const std::string& name, int width, int height);

/// A script, or a part of one: blocks of data, and what is plotted of them.
class Plot {
 public:
  Plot() = default;
  Plot(const std::string& name, int width, int height) : text_(script_head(name, width, height)) {}
  /// Plots the rows of data in this style. Nothing where there are none.
  void add(const std::string& block, const std::string& rows, const std::string& style);
  /// Plots the block that was added last once more.
  void again(const std::string& style) { also("$" + block_ + " " + style); }
  /// Plots something else beside.
  void also(const std::string& what) { plots_ += ", " + what; }
  [[nodiscard]] std::string script(const std::string& settings = "") const { return text_ + settings + plots_ + "\n"; }

 private:
  std::string text_;
  std::string plots_;
  std::string block_;
};

/// Writes NAME.gp into `folder`, and draws NAME.svg beside it with gnuplot.
void draw_chart(const std::string& folder, const std::string& name, const std::string& script);

}  // namespace stowage::cli::lab
