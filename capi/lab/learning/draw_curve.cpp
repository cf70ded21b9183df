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

/// The app's answer, and the tables that it is drawn from.
class Curve {
 public:
  Curve(const DrawCurveCommand& command, const learn::SamplesTable& samples, const learn::SamplesTable* measured,
        const AskedGoal& goal, const wire::Recommendations& answer)
      : command_(command), samples_(samples), measured_(measured), goal_(goal), answer_(answer) {
    const auto at = std::find(samples.apps.begin(), samples.apps.end(), command.app);
    if (samples.apps.empty()) throw Failure(command.file + ": has no app to draw");
    if (command.app.empty()) return;
    if (at == samples.apps.end()) throw Failure("--app: " + command.file + " has no app \"" + command.app + "\"");
    app_ = static_cast<flatbuffers::uoffset_t>(at - samples.apps.begin());
  }

  [[nodiscard]] std::string script(const std::string& name) const {
    const std::vector<std::vector<std::uint32_t>> panels = command_.degrees ? degree_panel() : size_panels();
    constexpr int kLeft = 70;
    constexpr int kKey = 230;
    const int of_panel = panels.size() == 1 ? 480 : 170;
    const int width = kLeft + of_panel * static_cast<int>(panels.size()) + kKey;
    std::string text = script_head(name, width, 420) + "set multiplot title " + quoted(title()) + "\n";
    text += "set tmargin at screen 0.76\nset bmargin at screen 0.14\nset logscale x 2\nset xlabel " + quoted(x_label()) +
            "\nset style fill solid 0.25 noborder\nset key at screen 0.995,0.76 right top vertical maxrows 8 samplen 1.5\n" +
            y_axis();
    const double left = static_cast<double>(kLeft) / width;
    const double step = static_cast<double>(of_panel) / width;
    for (std::size_t p = 0; p < panels.size(); ++p) {
      text += "set lmargin at screen " + shortest(left + step * static_cast<double>(p)) + "\nset rmargin at screen " +
              shortest(left + step * static_cast<double>(p) + step * 0.9) + "\n";
      if (p == 0) text += "set ylabel " + quoted(latency() ? "latency, ms" : "performance") + "\n";
      if (p == 1) text += "unset ylabel\nset format y ''\n";
      text += panel(panels[p], p);
    }
    return text + "unset multiplot\n";
  }

 private:
  [[nodiscard]] bool latency() const { return goal_.measure == wire::Measure::Latency; }
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
    return command_.degrees ? answer_.collocation()->Get(configuration) : amounts(configuration).back();
  }

  /// The sizes with the lowest degree of collocation; a panel for each amount of all resources but the last.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> size_panels() const {
    std::vector<std::vector<std::uint32_t>> panels;
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
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> degree_panel() const {
    if (choice() == kNone) throw Failure("--degrees: no size is recommended for the app, so that no degrees can be drawn");
    std::vector<std::uint32_t> panel;
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
                       for_people(goal_.value) + (latency() ? " ms" : "") + "; ";
    if (choice() == kNone) return text + "nothing is recommended yet";
    text += size_text(choice(), resources());
    if (command_.degrees) text += ", " + std::to_string(answer_.collocation()->Get(choice())) + " per node";
    return text + " meets it with probability " + percent_text(answer_.probability()->Get(app_));
  }

  [[nodiscard]] std::string x_label() const { return command_.degrees ? "containers per node" : resource(resources() - 1); }

  /// One range for all panels. Latency spans decades.
  [[nodiscard]] std::string y_axis() const { return latency() ? "set logscale y\n" : "set yrange [0:1.05]\n"; }

  /// The rows of the app in a table that are drawn in a panel: "x value" per line.
  [[nodiscard]] std::string rows_in(const std::vector<std::uint32_t>& panel, const learn::SamplesTable& table) const {
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
        if (same) rows += shortest(x_of(c)) + " " + shortest(table.row_value[row]) + "\n";
      }
    }
    return rows;
  }

  [[nodiscard]] std::string panel(const std::vector<std::uint32_t>& configurations, std::size_t number) const {
    std::string curve;
    std::string chosen;
    for (const std::uint32_t c : configurations) {
      const std::uint32_t at = app_ * this->configurations() + c;
      curve += shortest(x_of(c)) + " " + shortest(answer_.curve_mean()->Get(at)) + " " +
               shortest(answer_.curve_low()->Get(at)) + " " + shortest(answer_.curve_high()->Get(at)) + "\n";
      const bool is_chosen = choice() != kNone && (command_.degrees ? c == choice() : amounts(c) == amounts(choice()));
      if (is_chosen) chosen = shortest(x_of(c)) + " " + shortest(answer_.curve_mean()->Get(at)) + "\n";
    }
    std::string text;
    std::string plots;
    const auto block = [&](const char* kind, const std::string& data, const char* columns, const std::string& style,
                           const char* name) {
      // Only the first panel has a key, which names what other panels hold too.
      const std::string title = number == 0 ? " title " + quoted(name) : " notitle";
      if (data.empty()) {
        if (number == 0) plots.append(", NaN with ").append(style).append(title);
        return;
      }
      const std::string block_name = std::string("$") + kind + std::to_string(number);
      text.append(block_name).append(" << EOD\n").append(data).append("EOD\n");
      plots.append(plots.empty() ? "plot " : ", ")
          .append(block_name)
          .append(columns)
          .append(" with ")
          .append(style)
          .append(title);
    };
    block("band", curve, " using 1:3:4", "filledcurves lc rgb '#56B4E9'", "9 of 10 lie here");
    block("curve", curve, " using 1:2", "lines lw 2 lc rgb '#0072B2'", "expected");
    if (measured_ != nullptr)
      block("measured", rows_in(configurations, *measured_), "", "points pt 6 ps 0.6 lc rgb '#7F7F7F'", "measured afterwards");
    block("samples", rows_in(configurations, samples_), "", "points pt 7 ps 1 lc rgb '#000000'", "sample");
    block("chosen", chosen, "", "points pt 9 ps 1.6 lc rgb '#D55E00'", "chosen");
    plots += ", " + shortest(goal_.value) + " with lines dt 2 lc rgb '#009E73'" + (number == 0 ? " title 'goal'" : " notitle");
    if (!command_.degrees && resources() > 1)
      text += "set title " + quoted(size_text(configurations.front(), resources() - 1)) + "\n";
    return text + plots + "\n";
  }

  const DrawCurveCommand& command_;
  const learn::SamplesTable& samples_;
  const learn::SamplesTable* measured_;
  const AskedGoal& goal_;
  const wire::Recommendations& answer_;
  flatbuffers::uoffset_t app_ = 0;
};

}  // namespace

int run_draw_curve_command(const DrawCurveCommand& command, const Console& console) {
  const std::filesystem::path output(command.output);
  if (output.extension() != ".svg") throw Failure("--output: \"" + command.output + "\" does not end with .svg");
  need_gnuplot();
  const Model model = load_model(command.model);
  const InputFile input(command.file);
  const learn::SamplesTable samples = read_table(input, console);
  std::optional<learn::SamplesTable> measured;
  if (command.measured) measured = read_table(InputFile(*command.measured), console);
  const AskedGoal goal = read_goal(command, samples, input.name());
  const flatbuffers::DetachedBuffer question = encode_question(samples, goal, false, true);
  const Buffer bytes = with_places(samples, input.name(), [&] { return model.recommend(question); });
  const Curve curve(command, samples, measured ? &*measured : nullptr, goal,
                    *wire::GetLearning(bytes.data())->body_as_Recommendations());
  const std::string folder = output.has_parent_path() ? output.parent_path().string() : ".";
  draw_chart(folder, output.stem().string(), curve.script(output.stem().string()));
  return kExitOk;
}

}  // namespace stowage::cli::lab
