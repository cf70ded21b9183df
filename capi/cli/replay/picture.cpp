#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "capi/cli/replay/replay.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::replay {
namespace {

constexpr double kPictureWidth = 860;
constexpr double kLeft = 64;
constexpr double kRight = 130;  // for the legend
constexpr double kPanel = 110;
constexpr double kGap = 34;
constexpr double kTop = 30;
constexpr int kTicks = 3;
// Distinct for people who do not see all colours (Okabe and Ito 2008).
constexpr std::array<const char*, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"};

/// A line of a chart: its value at each entry, constant until the next one.
struct ChartLine {
  std::string name;
  std::function<double(const Step&)> value;
};
struct ChartPanel {
  std::string title;
  bool percent = false;
  std::vector<ChartLine> lines;
};

std::string coordinate(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

/// 1, 2 or 5 times a power of ten: the least that is at least `value` / steps.
double tick_of(double value, int steps) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value / steps)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power * steps >= value) return times * power;
  }
  return 10 * power;
}

class Drawing {
 public:
  explicit Drawing(const Replay& replay) : steps_(replay.steps) {
    begin_ = steps_.front().time;
    length_ = std::max(1.0, steps_.back().time - begin_);
  }

  std::string draw(const std::vector<ChartPanel>& panels) {
    const double height = kTop + static_cast<double>(panels.size()) * (kPanel + kGap) + 16;
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(kPictureWidth) + " " + coordinate(height) +
           "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    top_ = kTop;
    for (const ChartPanel& panel : panels) {
      draw_panel(panel);
      top_ += kPanel + kGap;
    }
    draw_times();
    return svg_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double x(double time) const { return kLeft + (time - begin_) / length_ * (kPictureWidth - kLeft - kRight); }

  void text(double at_x, double at_y, const char* anchor, const std::string& words, const char* color = "#333333") {
    svg_ += "<text x=\"" + coordinate(at_x) + "\" y=\"" + coordinate(at_y) + "\" text-anchor=\"" + anchor + "\" fill=\"" +
            color + "\">" + escaped(words) + "</text>\n";
  }

  void draw_panel(const ChartPanel& panel) {
    double most = panel.percent ? 1 : 0;
    for (const Step& step : steps_) {
      for (const ChartLine& line : panel.lines) most = std::max(most, line.value(step));
    }
    const double tick = panel.percent && most <= 1 ? 0.5 : tick_of(most, kTicks);
    const double top = std::max(tick, std::ceil(most / tick - 1e-9) * tick);
    const auto y = [&](double value) { return top_ + kPanel * (1 - value / top); };
    text(kLeft, top_ - 8, "start", panel.title, "#000000");
    for (double value = 0; value <= top * (1 + 1e-9); value += tick) {
      svg_ += "<path d=\"M" + coordinate(kLeft) + " " + coordinate(y(value)) + "H" + coordinate(kPictureWidth - kRight) +
              "\" stroke=\"#dddddd\"/>\n";
      text(kLeft - 6, y(value) + 4, "end", panel.percent ? for_people(value * 100) + " %" : for_people(value));
    }
    for (std::size_t k = 0; k < panel.lines.size(); ++k) {
      const ChartLine& line = panel.lines[k];
      const char* const color = kColors.at(k % kColors.size());
      std::string path = "M" + coordinate(x(begin_)) + " " + coordinate(y(line.value(steps_.front())));
      for (const Step& step : steps_) path += "H" + coordinate(x(step.time)) + "V" + coordinate(y(line.value(step)));
      svg_ += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + color + "\" stroke-width=\"1.5\"/>\n";
      if (panel.lines.size() > 1) {
        text(kPictureWidth - kRight + 10, top_ + 12 + 15 * static_cast<double>(k), "start", line.name, color);
      }
    }
  }

  void draw_times() {
    const bool days = length_ > 3 * 86'400;
    const bool hours = length_ > 3 * 3'600;
    const double unit = days ? 86'400 : hours ? 3'600 : length_ > 180 ? 60 : 1;
    const char* const name = days ? "days" : hours ? "hours" : length_ > 180 ? "minutes" : "seconds";
    const double tick = tick_of(length_ / unit, 6);
    const double at_y = top_ - kGap + 16;
    for (double time = 0; time * unit <= length_ * (1 + 1e-9); time += tick) {
      text(x(begin_ + time * unit), at_y, "middle", for_people(time));
    }
    text(kPictureWidth - kRight + 10, at_y, "start", name);
  }

  const std::vector<Step>& steps_;
  double begin_ = 0;
  double length_ = 1;
  double top_ = 0;
  std::string svg_;
};

}  // namespace

std::string picture_svg(const Replay& replay, const std::vector<std::string>& resources) {
  const auto count = [](std::uint64_t Step::*member) {
    return [member](const Step& step) { return static_cast<double>(step.*member); };
  };
  std::vector<ChartPanel> panels;
  panels.push_back({"nodes in use", false, {{"nodes", count(&Step::nodes)}}});
  ChartPanel use{"use of the nodes in use", true, {}};
  for (std::size_t r = 0; r < resources.size(); ++r) {
    use.lines.push_back({resources[r], [r](const Step& step) { return step.use[r]; }});
  }
  panels.push_back(std::move(use));
  panels.push_back({"replicas", false, {{"running", count(&Step::running)}, {"waiting", count(&Step::waiting)}}});
  panels.push_back({"moves and broken rules", false, {{"moves", count(&Step::moves)}, {"rules", count(&Step::violations)}}});
  if (replay.steps.front().cost >= 0)
    panels.push_back({"cost of an hour", false, {{"cost", [](const Step& step) { return step.cost; }}}});
  return Drawing(replay).draw(panels);
}

}  // namespace stowage::cli::replay
