// Scripts for gnuplot, and charts drawn by it.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace stowage::cli::lab {

/// Fails where gnuplot is missing; the message names its package.
void need_gnuplot();

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
inline constexpr std::array<const char*, 8> kColors = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                                       "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F"};

/// `text` as a string literal of gnuplot.
std::string quoted(const std::string& text);
/// The colour of the n-th line, as a literal.
std::string color(std::size_t n);
/// Labels at 0, 1, 2, ... of an axis.
std::string tics(const std::vector<std::string>& labels);
/// The number if `known`, else gnuplot's mark of a missing value.
std::string value_text(bool known, double value);
/// The beginning of every script: output to the SVG NAME.svg of `width` x `height` pixels.
std::string script_head(const std::string& name, int width, int height);

/// A script of blocks of data, and what is plotted of them.
class Plot {
 public:
  Plot(const std::string& name, int width, int height) : text_(script_head(name, width, height)) {}
  /// Plots the points ("x y" per line, or more columns) in this style. Nothing where there are none.
  void add(const std::string& block, const std::string& points, const std::string& style);
  /// Plots the block that was added last once more.
  void again(const std::string& style) { plots_ += ", $" + block_ + " " + style; }
  [[nodiscard]] bool empty() const { return plots_.empty(); }
  [[nodiscard]] std::string script(const std::string& settings) const { return text_ + settings + plots_ + "\n"; }

 private:
  std::string text_;
  std::string plots_;
  std::string block_;
};

/// Writes NAME.gp into `folder`, and draws NAME.svg beside it with gnuplot.
void draw_chart(const std::string& folder, const std::string& name, const std::string& script);

}  // namespace stowage::cli::lab
