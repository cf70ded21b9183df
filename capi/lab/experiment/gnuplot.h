// Scripts for gnuplot, and charts drawn by it.
#pragma once

#include <array>
#include <string>

namespace stowage::cli::lab {

/// Fails where gnuplot is missing; the message names its package.
void need_gnuplot();

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
inline constexpr std::array<const char*, 8> kColors = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                                       "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F"};

/// `text` as a string literal of gnuplot.
std::string quoted(const std::string& text);
/// The number if `known`, else gnuplot's mark of a missing value.
std::string value_text(bool known, double value);
/// The beginning of every script: output to the SVG NAME.svg of `width` x `height` pixels.
std::string script_head(const std::string& name, int width, int height);

/// Writes NAME.gp into `folder`, and draws NAME.svg beside it with gnuplot.
void draw_chart(const std::string& folder, const std::string& name, const std::string& script);

}  // namespace stowage::cli::lab
