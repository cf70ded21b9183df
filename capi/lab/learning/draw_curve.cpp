#include <algorithm>
#include <filesystem>
#include <utility>

#include "capi/cli/commands/learn/question.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

using Panel = std::vector<std::uint32_t>;  ///< configurations

/// An app's answer, and the tables that it is drawn from.
class Curve {
 public:
  /// @param measured drawn beside the curve; may be nullptr
  /// @param degrees over degrees of collocation instead of sizes
  Curve(const learn::SamplesTable& samples, const learn::SamplesTable* measured, const AskedGoal& goal,
        const wire::Recommendations& answer, std::size_t app, bool degrees)
      : samples_(samples),
        measured_(measured),
        goal_(goal),
        answer_(answer),
        app_(static_cast<std::uint32_t>(app)),
        degrees_(degrees) {}

  [[nodiscard]] std::string script(const std::string& name) const {
    const std::vector<Panel> panels = degrees_ ? degree_panel() : size_panels();
    constexpr int kLeft = 70;
    constexpr int kKey = 230;
    const int of_panel = panels.size() == 1 ? 480 : 170;
    const int width = kLeft + of_panel * static_cast<int>(panels.size()) + kKey;
    const std::string x_label = degrees_ ? "containers per node" : resource(resources() - 1);
    std::string text = script_head(name, width, 420) + "set multiplot title " + quoted(title()) + "\n";
    text += "set tmargin at screen 0.76\nset bmargin at screen 0.14\nset logscale x 2\nset xlabel " + quoted(x_label) +
            "\nset style fill solid 0.25 noborder\nset key at screen 0.995,0.76 right top vertical maxrows 8 samplen 1.5\n";
    // One range for all panels. Latency spans decades.
    text += is_latency() ? "set logscale y\n" : "set yrange [0:1.05]\n";
    const double left = static_cast<double>(kLeft) / width;
    const double step = static_cast<double>(of_panel) / width;
    for (std::size_t p = 0; p < panels.size(); ++p) {
      const double at = left + step * static_cast<double>(p);
      text += "set lmargin at screen " + shortest(at) + "\nset rmargin at screen " + shortest(at + step * 0.9) + "\n";
      if (p == 0) text += "set ylabel " + quoted(is_latency() ? "latency, ms" : "performance") + "\n";
      if (p == 1) text += "unset ylabel\nset format y ''\n";
      text += panel_script(panels[p], p);
    }
    return text + "unset multiplot\n";
  }

 private:
  [[nodiscard]] bool is_latency() const { return goal_.measure == wire::Measure::Latency; }
  [[nodiscard]] std::size_t resources() const { return answer_.resources()->size(); }
  [[nodiscard]] std::uint32_t configurations() const { return answer_.collocation()->size(); }
  [[nodiscard]] std::vector<double> amounts(std::uint32_t configuration) const {
    const auto from = answer_.amounts()->begin() + static_cast<std::ptrdiff_t>(configuration * resources());
    return {from, from + static_cast<std::ptrdiff_t>(resources())};
  }
  [[nodiscard]] std::uint32_t choice() const { return answer_.choice()->Get(app_); }
  [[nodiscard]] std::string resource(std::size_t r) const {
    return answer_.resources()->Get(static_cast<std::uint32_t>(r))->str();
  }
  [[nodiscard]] double x_of(std::uint32_t configuration) const {
    return degrees_ ? answer_.collocation()->Get(configuration) : amounts(configuration).back();
  }

  /// The sizes with the lowest degree of collocation; a panel for each amount of all resources but the last.
  [[nodiscard]] std::vector<Panel> size_panels() const {
    std::vector<Panel> panels;
    std::vector<double> of;
    for (std::uint32_t c = 0; c < configurations(); ++c) {
      std::vector<double> key = amounts(c);
      if (c > 0 && amounts(c - 1) == key) continue;
      key.pop_back();
      if (panels.empty() || key != of) panels.emplace_back();
      of = std::move(key);
      panels.back().push_back(c);
    }
    return panels;
  }

  /// All degrees at the size chosen.
  [[nodiscard]] std::vector<Panel> degree_panel() const {
    if (choice() == kNone) throw Failure("--degrees: no size is recommended for the app, so that no degrees can be drawn");
    Panel panel;
    for (std::uint32_t c = 0; c < configurations(); ++c)
      if (amounts(c) == amounts(choice())) panel.push_back(c);
    return {panel};
  }

  [[nodiscard]] std::string size_text(std::uint32_t configuration, std::size_t count) const {
    std::string text;
    for (std::size_t r = 0; r < count; ++r)
      text += (r > 0 ? ", " : "") + for_people(amounts(configuration)[r]) + " " + resource(r);
    return text;
  }

  [[nodiscard]] std::string title() const {
    std::string text = samples_.apps[app_] + ": " + counted(answer_.samples()->Get(app_), "sample") + ", goal " +
                       for_people(goal_.value) + (is_latency() ? " ms" : "") + "; ";
    if (choice() == kNone) return text + "nothing is recommended yet";
    text += size_text(choice(), resources());
    if (degrees_) text += ", " + std::to_string(answer_.collocation()->Get(choice())) + " per node";
    return text + " meets it with probability " + percent_text(answer_.probability()->Get(app_));
  }

  /// The rows of the app in a table that are drawn in a panel.
  [[nodiscard]] std::string rows_in(const Panel& panel, const learn::SamplesTable& table) const {
    std::string rows;
    for (std::size_t row = 0; row < table.row_app.size(); ++row) {
      if (table.apps[table.row_app[row]] != samples_.apps[app_]) continue;
      for (const std::uint32_t c : panel) {
        bool same = table.row_collocation[row] == answer_.collocation()->Get(c);
        for (std::size_t r = 0; r < table.resources.size(); ++r) {
          for (std::size_t own = 0; own < resources(); ++own) {
            same = same && (table.resources[r] != resource(own) ||
                            table.row_amounts[row * table.resources.size() + r] == amounts(c)[own]);
          }
        }
        if (same) rows += row_of({x_of(c), table.row_value[row]});
      }
    }
    return rows;
  }

  [[nodiscard]] std::string panel_script(const Panel& panel, std::size_t number) const {
    std::string curve;
    std::string chosen;
    for (const std::uint32_t c : panel) {
      const std::uint32_t at = app_ * configurations() + c;
      const double mean = answer_.curve_mean()->Get(at);
      curve += row_of({x_of(c), mean, answer_.curve_low()->Get(at), answer_.curve_high()->Get(at)});
      const bool is_chosen = choice() != kNone && (degrees_ ? c == choice() : amounts(c) == amounts(choice()));
      if (is_chosen) chosen = row_of({x_of(c), mean});
    }
    Plot plot;
    // Only the first panel has a key, which names what other panels hold too.
    const auto add = [&](const std::string& kind, const std::string& rows, const std::string& style, const std::string& name) {
      const std::string titled = style + (number == 0 ? " title " + quoted(name) : " notitle");
      plot.add(kind + std::to_string(number), rows, titled);
      if (rows.empty() && number == 0) plot.also("NaN " + titled);
    };
    add("band", curve, "using 1:3:4 with filledcurves lc rgb '#56B4E9'", "9 of 10 lie here");
    add("curve", curve, "using 1:2 with lines lw 2 lc rgb '#0072B2'", "expected");
    if (measured_ != nullptr)
      add("measured", rows_in(panel, *measured_), "with points pt 6 ps 0.6 lc rgb '#7F7F7F'", "measured afterwards");
    add("samples", rows_in(panel, samples_), "with points pt 7 ps 1 lc rgb '#000000'", "sample");
    add("chosen", chosen, "with points pt 9 ps 1.6 lc rgb '#D55E00'", "chosen");
    plot.also(shortest(goal_.value) + " with lines dt 2 lc rgb '#009E73'" + (number == 0 ? " title 'goal'" : " notitle"));
    const bool named = !degrees_ && resources() > 1;
    return plot.script(named ? "set title " + quoted(size_text(panel.front(), resources() - 1)) + "\n" : "");
  }

  const learn::SamplesTable& samples_;
  const learn::SamplesTable* measured_;
  const AskedGoal& goal_;
  const wire::Recommendations& answer_;
  std::uint32_t app_;
  bool degrees_;
};

class DrawCurve {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "MODEL", model_, "The model that stowage learn wrote", " ")->required();
    option(sub, "SAMPLES", file_, "Samples of the app: a CSV; - is standard input", " ")->required();
    option(sub, "--app", app_, "The app to draw", "NAME", "the first one");
    CLI::Option* goal = option(sub, "--goal", goal_.goal, "Performance to reach, of 1", "0.9", "none");
    option(sub, "--latency-goal", goal_.latency_goal, "Latency in ms not to exceed", "MS", "none")->excludes(goal);
    option(sub, "--confidence", goal_.confidence, "Probability with which the goal is to be met", "80%", "80%");
    option(sub, "--cost", goal_.cost, "What one unit of each resource costs", "cpu=1,memory=.5",
           "each resource 1 for its largest amount");
    option(sub, "--measured", measured_, "Measurements of the app to draw beside the curve: a CSV", "FILE", "none");
    sub->add_flag("--degrees", degrees_, "Draw over degrees of collocation, at the size that is chosen");
    option(sub, "-o,--output", output_, "File to draw: NAME.svg; its script NAME.gp goes beside it", "FILE")->required();
  }

  int run(const Console& console) const {
    const std::filesystem::path output(output_);
    if (output.extension() != ".svg") throw Failure("--output: \"" + output_ + "\" does not end with .svg");
    need_gnuplot();
    const Model model = load_model(model_);
    const InputFile input(file_);
    const learn::SamplesTable samples = read_table(input, console);
    std::optional<learn::SamplesTable> measured;
    if (measured_) measured = read_table(InputFile(*measured_), console);
    const AskedGoal goal = read_goal(goal_, samples, input.name());
    const flatbuffers::DetachedBuffer question = encode_question(samples, goal, false, true);
    const Buffer bytes = with_places(samples, input.name(), [&] { return model.recommend(question); });
    const auto app = app_.empty() ? samples.apps.begin() : std::find(samples.apps.begin(), samples.apps.end(), app_);
    if (samples.apps.empty()) throw Failure(file_ + ": has no app to draw");
    if (app == samples.apps.end()) throw Failure("--app: " + file_ + " has no app \"" + app_ + "\"");
    const Curve curve(samples, measured ? &*measured : nullptr, goal,
                      *wire::GetLearning(bytes.data())->body_as_Recommendations(),
                      static_cast<std::size_t>(app - samples.apps.begin()), degrees_);
    const std::string folder = output.has_parent_path() ? output.parent_path().string() : ".";
    draw_chart(folder, output.stem().string(), curve.script(output.stem().string()));
    return kExitOk;
  }

 private:
  std::string model_;
  std::string file_;
  std::string app_;  ///< empty: the first one
  GoalOptions goal_;
  std::optional<std::string> measured_;
  bool degrees_ = false;
  std::string output_;  ///< NAME.svg
};

}  // namespace

void add_draw_curve(LabLine& line, CLI::App* parent) {
  line.add<DrawCurve>(parent, "curve", "Draw an app's curve with its band, samples, goal and choice", R"(Examples:
  stowage-lab draw curve model.stowm samples.csv --goal 0.9 -o curve.svg
  stowage-lab draw curve model.stowm samples.csv --goal 0.9 --app shop --degrees -o degrees.svg

For each size: the expected performance or latency, with a band that leaves out one in twenty below and
above; the samples, the goal and the size chosen. Over the last resource, a panel for each amount of the
others. Needs gnuplot.)");
}

}  // namespace stowage::cli::lab
