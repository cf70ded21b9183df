// Runs summed up by figure.
#pragma once

#include <optional>
#include <vector>

#include "capi/lab/experiment/experiment.h"
#include "capi/lab/paper/figures.h"
#include "capi/lab/paper/published.h"
#include "capi/lab/paper/runs.h"

namespace stowage::cli::paper {

/// Means over the runs of one contender on one class; only plans that count.
struct Mean {
  std::uint32_t runs = 0;
  std::uint32_t counted = 0;
  std::uint32_t proven = 0;  ///< proven optimal
  std::uint32_t cut = 0;     ///< ended by the deadline
  double nodes = 0;
  double bound = 0;
  double gap = 0;
  double seconds = 0;
};

struct Cell {
  Mean ours;
  std::optional<PublishedMean> published;
};

struct FigureResult {
  const Figure* figure = nullptr;
  std::vector<InstanceClass> classes;
  std::vector<lab::Contender> contenders;
  std::vector<Cell> cells;     ///< class by class
  std::vector<Cell> averages;  ///< per contender, over the classes that were run; counts are sums
  bool has_published = false;

  [[nodiscard]] const Cell& cell(std::size_t of, std::size_t contender) const {
    return cells[of * contenders.size() + contender];
  }
  /// The graphs of its classes.
  [[nodiscard]] std::vector<Graph> graphs() const;
};

/// Gap and time by graph, then gap against time, where there are runs that count.
std::vector<lab::Chart> charts_of(const FigureResult& result);

}  // namespace stowage::cli::paper
