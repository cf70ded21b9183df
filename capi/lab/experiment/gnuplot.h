// Scripts for gnuplot, and charts drawn by it.
#pragma once

#include <array>
#include <string>

namespace stowage::cli::lab {

/// Fails, naming the package, where there is no gnuplot.
void need_gnuplot();

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
inline constexpr std::array<const char*, 8> kColors = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                                       "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F"};

/// A string of gnuplot's.
std::string quoted(const std::string& text);
/// A number, or what gnuplot takes for a missing one.
std::string value_text(bool known, double value);
/// How every script begins: an SVG NAME.svg of so many pixels.
std::string script_head(const std::string& name, int width, int height);

/// Writes NAME.gp into `folder` and has it draw NAME.svg beside.
void draw_chart(const std::string& folder, const std::string& name, const std::string& script);

}  // namespace stowage::cli::lab
