#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/paper/runs.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::paper {
namespace {

struct Family {
  const char* prefix;
  const char* name;
};
constexpr std::array<Family, 8> kFamilies = {{{"auto", "auto"},
                                              {"ff", "first fit"},
                                              {"bf", "best fit"},
                                              {"wf", "worst fit"},
                                              {"ncd", "node-centric"},
                                              {"spread", "spreading"},
                                              {"match", "matching"},
                                              {"", "others"}}};

std::size_t family_of(std::string_view planner) {
  if (planner == "medea-tp") return 1;
  if (planner == "lrasched-fitness") return 4;
  return static_cast<std::size_t>(
      std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& one) { return planner.starts_with(one.prefix); }) -
      kFamilies.begin());
}

/// A logarithmic time axis of whole decades, with labels in µs, ms, s and ks.
class TimeAxis {
 public:
  void add(double seconds) {
    low_ = std::min(low_, seconds);
    high_ = std::max(high_, seconds);
  }

  [[nodiscard]] std::string text() const {
    const int low = static_cast<int>(std::floor(std::log10(low_)));
    const int high = std::max(low + 1, static_cast<int>(std::ceil(std::log10(high_))));
    std::string tics;
    for (int power = low; power <= high; ++power) tics += (tics.empty() ? "" : ", ") + tic(power);
    return "set logscale x\nset xrange [1e" + std::to_string(low) + ":1e" + std::to_string(high) + "]\nset xtics (" + tics +
           ") font ',10'\n";
  }

 private:
  static std::string tic(int power) {
    const auto scaled = [&](int unit) { return for_people(std::pow(10, power - unit), 1); };
    const std::string word = power < -3  ? scaled(-6) + " µs"
                             : power < 0 ? scaled(-3) + " ms"
                             : power < 3 ? scaled(0) + " s"
                                         : scaled(3) + "k s";
    return lab::quoted(word) + " 1e" + std::to_string(power);
  }

  double low_ = 1;
  double high_ = 1;
};

/// The name of a figure's chart.
std::string file_of(const Figure& figure, const std::string& what) {
  return "figure" + std::to_string(figure.number) + "-" + what;
}

/// Gap and time side by side: a row per contender, a colour per class, hollow marks for published figures.
std::string graph_script(const FigureResult& result, Graph graph) {
  const Figure& figure = *result.figure;
  const auto rows = static_cast<int>(result.contenders.size());
  constexpr int kAbove = 62;
  constexpr int kBelow = 56;
  const int height = kAbove + 34 * rows + kBelow;
  const auto share = [&](int pixels) { return shortest(static_cast<double>(pixels) / height); };
  TimeAxis axis;
  std::string text = lab::script_head(file_of(figure, graph_word(graph)), 1000, height);
  const std::vector<std::size_t> classes = result.classes_with(graph);
  // Row, our gap and time, published gap and time.
  for (std::size_t i = 0; i < classes.size(); ++i) {
    text += "$class" + std::to_string(i) + " << EOD\n";
    const double shift = (static_cast<double>(i + 1) / static_cast<double>(classes.size() + 1) - 0.5) * 0.8;
    for (std::size_t c = 0; c < result.contenders.size(); ++c) {
      std::vector<double> row = {static_cast<double>(c) + shift};
      const auto& [ours, published] = result.cell(classes[i], c);
      for (const lab::Tally* tally : {&ours, &published}) {
        const bool known = tally->has("gap");
        if (known) axis.add(tally->mean("seconds"));
        row.push_back(lab::or_missing(known, tally->mean("gap") * 100));
        row.push_back(lab::or_missing(known, tally->mean("seconds")));
      }
      text += lab::row_of(row);
    }
    text += "EOD\n";
  }
  const auto plot = [&](int column, bool with_key) {
    std::string lines;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::string title = variation_text(figure, result.classes[classes[i]]) + (figure.by_apps ? " apps" : "");
      const auto add = [&](int data_column, int type, bool named) {
        lines += (lines.empty() ? "plot $class" : ", $class") + std::to_string(i) + " using " + std::to_string(data_column) +
                 ":1 with points pt " + std::to_string(type) + " ps 0.8" + lab::colored(i + 1, named ? title : "");
      };
      add(column, 7, with_key);
      if (result.has_published) add(column + 2, 6, false);
    }
    return lines + "\n";
  };
  text += "set multiplot title " +
          lab::quoted("Figure " + std::to_string(figure.number) + ": " + figure.title + ", " + graph_word(graph) + " graph" +
                      (result.has_published ? " (hollow: as published)" : "")) +
          "\nset tmargin at screen " + share(height - kAbove) + "\nset bmargin at screen " + share(kBelow) + "\nset yrange [" +
          std::to_string(rows) + "-0.5:-0.5]\n";
  text += "set key at screen 0.97," + share(height - 34) + " right top horizontal maxrows 1 samplen 1\n";
  std::vector<std::string> names;
  for (const lab::Contender& one : result.contenders) names.push_back(lab::contender_text(one.label));
  text +=
      "set ytics (" + lab::tics(names) +
      ")\nset lmargin at screen 0.23\nset rmargin at screen 0.60\nset xlabel 'nodes above the bound, %'\nset xrange [0:*]\n";
  text += plot(2, true) + "set lmargin at screen 0.65\nset rmargin at screen 0.97\nset format y ''\nset ytics (" +
          lab::tics(std::vector<std::string>(names.size())) + ")\nset xlabel 'time'\n" + axis.text();
  return text + plot(3, false) + "unset multiplot\n";
}

struct Point {
  double seconds;
  double gap;
  std::string name;
};

/// The points that no other point beats in both time and gap, fastest first.
std::vector<Point> best_trades(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.seconds != b.seconds ? a.seconds < b.seconds : a.gap < b.gap; });
  std::vector<Point> best;
  for (Point& point : points) {
    if (best.empty() || point.gap < best.back().gap) best.push_back(std::move(point));
  }
  return best;
}

/// Gap against time, averaged over the figure's classes. Hollow marks are published figures; the undominated points are joined
/// and named.
std::string tradeoff_script(const FigureResult& result) {
  const Figure& figure = *result.figure;
  lab::Plot plot(file_of(figure, "tradeoff"), 900, 560);
  // Ours, or the published ones.
  struct Side {
    std::vector<Point> points;
    std::array<std::string, kFamilies.size()> rows;
  };
  Side ours;
  Side theirs;
  TimeAxis axis;
  double highest = 0;
  const auto add = [&](const lab::Tally& tally, const std::string& planner, const std::string& name, Side& side) {
    if (!tally.has("gap")) return;
    const Point& point = side.points.emplace_back(Point{std::max(tally.mean("seconds"), 1e-6), tally.mean("gap") * 100, name});
    side.rows[family_of(planner)] += lab::row_of({point.seconds, point.gap});
    highest = std::max(highest, point.gap);
    axis.add(point.seconds);
  };
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    const lab::Contender& contender = result.contenders[c];
    const FigurePlanner* known = find_figure_planner(contender.label);
    add(result.averages[c].ours, contender.planner, lab::contender_text(contender.label), ours);
    if (known != nullptr && known->paper_name != nullptr)
      add(result.averages[c].published, contender.planner, known->paper_name, theirs);
  }
  const auto trades = [&](const std::string& name, const std::vector<Point>& points, const std::string& color) {
    const std::vector<Point> best = best_trades(points);
    // Names that would overlap are left out; the last one, of the smallest gap, stays.
    constexpr double kLabelHeight = 0.04;
    const double distance = kLabelHeight * highest;
    double below = std::numeric_limits<double>::infinity();
    std::string data;
    for (const Point& point : best) {
      const bool last = &point == &best.back();
      const bool named = last || (below - point.gap >= distance && point.gap - best.back().gap >= distance);
      if (named) below = point.gap;
      data += shortest(point.seconds) + " " + shortest(point.gap) + " \"" + (named ? point.name : "") + "\"\n";
    }
    if (best.empty()) return;
    plot.add(name, data, "using 1:2 with steps lw 1 lc rgb '" + color + "' notitle");
    plot.again("using 1:2:3 with labels left offset 0.6,0.6 font ',10' tc rgb '" + color + "' notitle");
  };
  trades("best", ours.points, "#333333");
  trades("best_published", theirs.points, "#999999");
  for (std::size_t f = 0; f < kFamilies.size(); ++f) {
    const std::string name = kFamilies[f].name;
    plot.add("ours" + std::to_string(f), ours.rows[f], "using 1:2 with points pt 7 ps 0.9" + lab::colored(f, name));
    plot.add("published" + std::to_string(f), theirs.rows[f],
             "using 1:2 with points pt 6 ps 0.9" + lab::colored(f, ours.rows[f].empty() ? name + " (published)" : ""));
  }
  return plot.script("set title " +
                     lab::quoted("Figure " + std::to_string(figure.number) + ": what time buys, " +
                                 demand_word(figure.profile) + (figure.by_apps ? " by number of apps" : " by density") +
                                 ", means over all classes") +
                     "\nset xlabel 'time" + (result.has_published ? " (hollow: as published)" : "") +
                     "'\nset ylabel 'nodes above the bound, %'\nset yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n"
                     "set key outside right top\n" +
                     axis.text());
}

}  // namespace

std::vector<lab::Chart> charts_of(const FigureResult& result) {
  const Figure& figure = *result.figure;
  std::vector<lab::Chart> all;
  bool any = false;
  for (const Graph graph : result.graphs()) {
    bool has_runs = false;
    for (const std::size_t k : result.classes_with(graph)) {
      for (std::size_t c = 0; c < result.contenders.size(); ++c) has_runs |= result.cell(k, c).ours.has("counted");
    }
    any |= has_runs;
    if (!has_runs || figure.number == kFirstFigure) continue;
    all.push_back({file_of(figure, graph_word(graph)), figure.title, graph_script(result, graph)});
  }
  if (any) all.push_back({file_of(figure, "tradeoff"), figure.title, tradeoff_script(result)});
  return all;
}

}  // namespace stowage::cli::paper
