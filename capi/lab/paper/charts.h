// Figures as SVG, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "capi/lab/paper/results.h"

namespace stowage::cli::paper {

/// File names of a figure's charts, without folder: gap and time by graph, then gap against time.
std::vector<std::string> chart_names(const FigureResult& result);

/// Writes the charts into `folder`, each with the script that draws it.
void draw_charts(const FigureResult& result, const std::string& folder);

}  // namespace stowage::cli::paper
