#include "capi/text/words/picture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/words/answer.h"

namespace stowage::cli {
namespace {

// Units of the picture, about a pixel each.
constexpr double kWidth = 960;
constexpr double kStripHeight = 96;
constexpr double kStripGap = 34;
constexpr double kClassGap = 10;
constexpr double kWidestNode = 160;
constexpr double kNarrowestColumn = 4;
constexpr double kLetter = 6.6;  // the width of a letter, about
constexpr std::size_t kMostStrips = 4;

/// What fills a column, from below: load, the apps that take most, and all others.
constexpr std::size_t kNamedApps = 8;
constexpr std::size_t kLoad = 0;
constexpr std::size_t kOthers = kNamedApps + 1;
constexpr std::size_t kFillings = kNamedApps + 2;
using Shares = std::array<double, kFillings>;

/// Below a thousand, of which numbers for people separate none.
std::string coordinate(double value) { return for_people(value, 1); }

class Picture {
 public:
  Picture(const wire::Plan& plan, const UseTable& use, const Names& names)
      : plan_(plan), use_(use), names_(names), nodes_(names.plan_nodes(plan)), placed_(plan) {
    choose_resources();
    choose_apps();
    arrange();
  }

  std::string draw(const std::string& style) {
    const double top = 8;
    const double foot = top + static_cast<double>(resources_.size()) * (kStripHeight + kStripGap);
    std::string body;
    for (std::size_t s = 0; s < resources_.size(); ++s) {
      draw_strip(resources_[s], top + kStripGap - 10 + static_cast<double>(s) * (kStripHeight + kStripGap), body);
    }
    draw_names(foot + 12, body);
    const double end = draw_legend(foot + 30, body);
    draw_titles(top + kStripGap - 10, foot, body);
    std::string svg = R"(<svg xmlns="http://www.w3.org/2000/svg" class="stowage" role="img" viewBox="0 0 )" +
                      coordinate(kWidth) + ' ' + coordinate(end) + "\">\n<title>" + escaped(answer_text(plan_, names_)) +
                      "</title>\n";
    if (!style.empty()) svg += "<style>\n" + style + "</style>\n";
    return svg + body + "</svg>\n";
  }

 private:
  /// Nodes that stand side by side, drawn as columns.
  struct Column {
    double left;
    double width;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  // of the plan, with how many each stands for
    std::uint64_t idle = 0;                                      // listed nodes that are not in use
  };
  struct ClassPlace {
    std::uint32_t node_class;
    double left;
    double width;
    std::size_t first;    // its first column
    std::size_t columns;  // how many it has
  };

  // The scarcest resources, in the order of the instance.
  void choose_resources() {
    std::vector<double> share;
    for (std::size_t r = 0; r < use_.resources(); ++r) {
      share.push_back(use_.capacity(r) > 0 ? use_.demand(r, use_.peak(r)) / use_.capacity(r) : -1);
      if (use_.capacity(r) > 0) resources_.push_back(r);
    }
    std::stable_sort(resources_.begin(), resources_.end(), [&](std::size_t a, std::size_t b) { return share[a] > share[b]; });
    if (!resources_.empty()) scarcest_ = resources_.front();
    if (resources_.size() > kMostStrips) resources_.resize(kMostStrips);
    std::sort(resources_.begin(), resources_.end());
  }
  // The apps that take most of the scarcest resource.
  void choose_apps() {
    const std::uint32_t apps = names_.instance().apps()->replicas()->size();
    filling_of_.assign(apps, kOthers);
    if (resources_.empty()) return;
    std::vector<double> taken(apps, 0);
    for (const wire::Placed* one : *plan_.placed()) {
      const std::uint32_t c = plan_.node_class()->Get(one->node());
      taken[one->app()] += copies_of(plan_, one->node()) * use_.capacity_of(scarcest_, c) *
                           use_.share_of_replicas(scarcest_, use_.peak(scarcest_), c, *one);
    }
    std::vector<std::uint32_t> order(apps);
    std::iota(order.begin(), order.end(), 0);
    const auto named = order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(apps, kNamedApps));
    std::partial_sort(order.begin(), named, order.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return taken[a] != taken[b] ? taken[a] > taken[b] : a < b; });
    for (auto at = order.begin(); at != named && taken[*at] > 0; ++at) {
      legend_.push_back(names_.app(*at));
      filling_of_[*at] = legend_.size();
    }
  }

  void arrange() {
    const wire::Instance& instance = names_.instance();
    const std::uint32_t classes = instance.classes()->size();
    std::vector<std::vector<std::uint32_t>> nodes(classes);
    std::vector<std::uint64_t> count(classes, 0);
    std::vector<std::uint64_t> idle(classes, 0);
    for (std::uint32_t node = 0; node < plan_.node_class()->size(); ++node) {
      nodes[plan_.node_class()->Get(node)].push_back(node);
      count[plan_.node_class()->Get(node)] += copies_of(plan_, node);
    }
    if (instance.nodes() != nullptr) {
      for (const std::uint32_t c : *instance.nodes()->node_class()) ++idle[c];
      for (std::uint32_t node = 0; node < plan_.node_class()->size(); ++node) {
        if (plan_.listed()->Get(node) != kNone) --idle[plan_.node_class()->Get(node)];
      }
    }
    // How wide a node of each class is, if all were drawn one by one.
    std::vector<double> size(classes, 0);
    double largest = 0;
    double all = 0;
    double gaps = 0;
    for (std::uint32_t c = 0; c < classes; ++c) {
      if (count[c] + idle[c] == 0) continue;
      size[c] = std::max(1e-9, resources_.empty() ? 1 : use_.capacity_of(scarcest_, c));
      largest = std::max(largest, size[c]);
      all += size[c] * static_cast<double>(count[c] + idle[c]);
      gaps += kClassGap;
    }
    if (all <= 0) return;
    const double scale = std::min((kWidth - std::min(gaps, kWidth / 2)) / all, kWidestNode / largest);
    double left = 0;
    for (std::uint32_t c = 0; c < classes; ++c) {
      if (count[c] + idle[c] == 0) continue;
      const double width = std::max(1.0, size[c] * scale * static_cast<double>(count[c] + idle[c]));
      const std::size_t first = columns_.size();
      add_columns(nodes[c], count[c], idle[c], left, width);
      places_.push_back({c, left, width, first, columns_.size() - first});
      left += width + std::min(kClassGap, kWidth / 2 / classes);
    }
  }
  // Columns of the nodes of a class.
  void add_columns(std::vector<std::uint32_t>& nodes, std::uint64_t count, std::uint64_t idle, double left, double width) {
    const std::uint64_t all = count + idle;
    const auto room = static_cast<std::uint64_t>(std::max(1.0, width / kNarrowestColumn));
    const std::uint64_t columns = std::min(all, room);
    if (columns < all) sort_by_use(nodes);
    std::uint64_t done = 0;
    std::size_t at = 0;
    std::uint32_t used = 0;  // copies of the node at `at` that have a column
    for (std::uint64_t k = 0; k < columns; ++k) {
      const std::uint64_t end = all / columns * (k + 1) + std::min(k + 1, all % columns);
      Column column{
          left + width * static_cast<double>(k) / static_cast<double>(columns), width / static_cast<double>(columns), {}, 0};
      while (done < end && at < nodes.size()) {
        const auto taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(copies_of(plan_, nodes[at]) - used, end - done));
        column.nodes.emplace_back(nodes[at], taken);
        done += taken;
        used += taken;
        if (used < copies_of(plan_, nodes[at])) continue;
        ++at;
        used = 0;
      }
      column.idle = end - done;
      done = end;
      columns_.push_back(std::move(column));
    }
  }
  void sort_by_use(std::vector<std::uint32_t>& nodes) const {
    if (resources_.empty()) return;
    std::vector<std::pair<double, std::uint32_t>> order;
    order.reserve(nodes.size());
    for (const std::uint32_t node : nodes) {
      order.emplace_back(-use_.share_of_node(scarcest_, use_.peak(scarcest_), node, placed_.on(node)), node);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < nodes.size(); ++k) nodes[k] = order[k].second;
  }

  [[nodiscard]] Shares shares_of(const Column& column, std::size_t resource) const {
    Shares sum{};
    double all = static_cast<double>(column.idle);
    for (const auto& [node, count] : column.nodes) {
      const std::uint32_t c = plan_.node_class()->Get(node);
      for (const wire::Placed& one : placed_.on(node)) {
        sum[filling_of_[one.app()]] += count * use_.share_of_replicas(resource, use_.peak(resource), c, one);
      }
      sum[kLoad] += count * use_.share_of_load(resource, use_.peak(resource), node);
      all += count;
    }
    for (double& one : sum) one = all > 0 ? one / all : 0;
    return sum;
  }

  static void add_box(std::string& path, double left, double top, double width, double height) {
    path += 'M' + coordinate(left) + ' ' + coordinate(top) + 'h' + coordinate(width) + 'v' + coordinate(height) + "h-" +
            coordinate(width) + 'z';
  }
  void draw_strip(std::size_t resource, double top, std::string& body) const {
    body += "<text x=\"0\" y=\"" + coordinate(top - 7) + "\">" + escaped(use_header(use_, names_, resource)) + ": " +
            percent_text(use_.demand(resource, use_.peak(resource)) / use_.capacity(resource)) + " taken</text>\n";
    std::string empty;
    std::string idle;
    std::array<std::string, kFillings> filled;
    for (const Column& column : columns_) {
      // A hair between columns, where there is room for one.
      const double width = column.width - (column.width >= 3 ? 1 : 0);
      add_box(column.nodes.empty() ? idle : empty, column.left, top, width, kStripHeight);
      const Shares shares = shares_of(column, resource);
      double taken = 0;
      for (std::size_t k = 0; k < kFillings; ++k) {
        // What a node exceeds its capacity by is cut off.
        const double share = std::min(shares[k], 1 - taken);
        if (share * kStripHeight < 0.05) continue;
        taken += share;
        add_box(filled[k], column.left, top + kStripHeight * (1 - taken), width, kStripHeight * share);
      }
    }
    body += "<path class=\"empty\" d=\"" + empty + "\"/>\n";
    if (!idle.empty()) body += "<path class=\"idle\" d=\"" + idle + "\"/>\n";
    for (std::size_t k = 0; k < kFillings; ++k) {
      if (!filled[k].empty()) body += "<path class=\"" + filling_class(k) + "\" d=\"" + filled[k] + "\"/>\n";
    }
  }
  static std::string filling_class(std::size_t k) {
    return k == kLoad ? "load" : k == kOthers ? "others" : "app" + std::to_string(k - 1);
  }

  // Names of nodes where they have room, else how many there are of a class.
  void draw_names(double y, std::string& body) const {
    const auto draw = [&](double left, const std::string& name) {
      body += "<text x=\"" + coordinate(left) + "\" y=\"" + coordinate(y) + "\">" + escaped(name) + "</text>\n";
    };
    double free = 0;  // where no name stands yet
    for (const ClassPlace& place : places_) {
      const std::span columns = std::span(columns_).subspan(place.first, place.columns);
      const bool all_fit = std::all_of(columns.begin(), columns.end(), [&](const Column& column) {
        return column.nodes.size() + column.idle == 1 && column.nodes.size() == 1 && column.nodes.front().second == 1 &&
               copies_of(plan_, column.nodes.front().first) == 1 && room_for(nodes_[column.nodes.front().first]) < column.width;
      });
      if (all_fit) {
        for (const Column& column : columns) draw(column.left, nodes_[column.nodes.front().first]);
        free = place.left + place.width;
        continue;
      }
      if (place.left < free) continue;
      const std::string name =
          for_people(static_cast<double>(use_.nodes(place.node_class)), 0) + ' ' + names_.node_class(place.node_class);
      draw(place.left, name);
      free = place.left + room_for(name);
    }
  }
  static double room_for(const std::string& name) { return static_cast<double>(name.size() + 1) * kLetter; }
  // Returns where it ends.
  double draw_legend(double top, std::string& body) const {
    std::vector<std::pair<std::string, std::string>> entries;  // class and name
    for (std::size_t k = 0; k < legend_.size(); ++k) entries.emplace_back(filling_class(k + 1), legend_[k]);
    if (std::any_of(filling_of_.begin(), filling_of_.end(), [](std::size_t k) { return k == kOthers; }))
      entries.emplace_back("others", "other apps");
    const wire::Nodes* nodes = names_.instance().nodes();
    if (nodes != nullptr && nodes->load() != nullptr) entries.emplace_back("load", "load");
    if (std::any_of(columns_.begin(), columns_.end(), [](const Column& column) { return column.nodes.empty(); }))
      entries.emplace_back("idle", "not in use");
    double left = 0;
    double y = top;
    for (const auto& [filling, name] : entries) {
      const double width = 22 + static_cast<double>(name.size()) * kLetter;
      if (left > 0 && left + width > kWidth) {
        left = 0;
        y += 20;
      }
      body += "<path class=\"" + filling + "\" d=\"";
      add_box(body, left, y, 12, 12);
      body += "\"/><text x=\"" + coordinate(left + 17) + "\" y=\"" + coordinate(y + 10) + "\">" + escaped(name) + "</text>\n";
      left += width + 12;
    }
    return y + 20;
  }
  // What a pointer over a column tells.
  void draw_titles(double top, double bottom, std::string& body) const {
    for (const Column& column : columns_) {
      std::string text;
      std::uint64_t count = column.idle;
      for (const auto& [node, copies] : column.nodes) count += copies;
      if (count != 1) {
        text = counted(count, "node");
      } else if (column.nodes.empty()) {
        text = "not in use";
      } else {
        const std::uint32_t node = column.nodes.front().first;
        text = nodes_[node] + ": " + apps_text(placed_.on(node), names_);
      }
      body += "<path class=\"over\" d=\"";
      add_box(body, column.left, top, column.width, bottom - top - kStripGap + 10);
      body += "\"><title>" + escaped(text) + "</title></path>\n";
    }
  }

  const wire::Plan& plan_;
  const UseTable& use_;
  const Names& names_;
  std::vector<std::string> nodes_;  // names of the nodes of the plan
  PlacedByNode placed_;
  std::vector<std::size_t> resources_;
  std::size_t scarcest_ = 0;
  std::vector<std::size_t> filling_of_;  // per app
  std::vector<std::string> legend_;
  std::vector<ClassPlace> places_;
  std::vector<Column> columns_;
};

}  // namespace

std::string picture_style() {
  // Colours that people with any colour vision tell apart (Okabe and Ito 2008), with two more.
  return R"(svg.stowage { font: 12px system-ui, sans-serif; }
svg.stowage text { fill: #1f2937; }
svg.stowage .empty { fill: #e5e7eb; }
svg.stowage .idle { fill: #e5e7eb; fill-opacity: .45; }
svg.stowage .over { fill: transparent; }
svg.stowage .others { fill: #9ca3af; }
svg.stowage .load { fill: #4b5563; }
svg.stowage .app0 { fill: #0072b2; }
svg.stowage .app1 { fill: #e69f00; }
svg.stowage .app2 { fill: #009e73; }
svg.stowage .app3 { fill: #cc79a7; }
svg.stowage .app4 { fill: #56b4e9; }
svg.stowage .app5 { fill: #d55e00; }
svg.stowage .app6 { fill: #7a6bc4; }
svg.stowage .app7 { fill: #8a8d00; }
@media (prefers-color-scheme: dark) {
  svg.stowage text { fill: #e5e7eb; }
  svg.stowage .empty, svg.stowage .idle { fill: #374151; }
  svg.stowage .others { fill: #6b7280; }
  svg.stowage .load { fill: #d1d5db; }
}
@media print {
  svg.stowage text { fill: #000; }
  svg.stowage .empty, svg.stowage .idle { fill: #e5e7eb; }
}
)";
}

std::string picture_of(const wire::Plan& plan, const UseTable& use, const Names& names, const std::string& style) {
  return Picture(plan, use, names).draw(style);
}

}  // namespace stowage::cli
