#include "capi/text/words/page.h"

#include <locale>
#include <sstream>
#include <string_view>
#include <vector>

#include "capi/text/base/printable.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/answer.h"
#include "capi/text/words/judged.h"
#include "capi/text/words/picture.h"
#include "capi/text/words/render.h"
#include "capi/text/words/use.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kStyle = R"(:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1f2937; background: #fff; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .2rem 0 .6rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
p { margin: .25rem 0; }
.of { color: #4b5563; }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 40rem; height: auto; margin: 1.5rem 0 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #d1d5db; }
th { font-weight: 600; }
th, td:first-child { white-space: nowrap; }
td:last-child:not(.right) { min-width: 14rem; }
.right { text-align: right; white-space: nowrap; }
@media (prefers-color-scheme: dark) {
  body { color: #e5e7eb; background: #111827; }
  .of { color: #9ca3af; }
  th, td { border-color: #374151; }
}
@media print {
  body { color: #000; background: #fff; font-size: 11px; }
  main { max-width: none; padding: 0; }
  svg { min-width: 0; }
  tr, svg { break-inside: avoid; }
}
)";

/// Begins what a narrow screen scrolls by itself.
void begin_scroll(std::string& page, const char* name) {
  page += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + escaped(name) + "\">\n";
}

void add_table(std::string& page, const char* title, const TextTable& table) {
  if (table.empty()) return;
  page += "<section>\n<h2>" + escaped(title) + "</h2>\n";
  begin_scroll(page, title);
  page += "<table>\n";
  bool is_header = true;
  for (const std::vector<std::string>& row : table.rows()) {
    page += is_header ? "<thead><tr>" : "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const char* const side = table.is_right(c) ? " class=\"right\"" : "";
      if (is_header) {
        page += "<th scope=\"col\"" + std::string(side) + '>' + escaped(row[c]) + "</th>";
      } else {
        page += "<td" + std::string(side) + '>' + escaped(row[c]) + "</td>";
      }
    }
    page += is_header ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
    is_header = false;
  }
  page += "</tbody>\n</table>\n</div>\n</section>\n";
}

/// What the plan was to have least of.
std::string purpose_text(const wire::Plan& plan, const Names& names) {
  if (plan.goals() == nullptr) {
    if (!counts_nodes(plan)) return std::string("the objective ") + word_of<wire::Objective>(plan.objective());
    return plan.cost() >= 0 ? "the least cost" : "the fewest nodes";
  }
  std::vector<std::string> goals;
  goals.reserve(plan.goals()->size());
  for (const wire::ReachedGoal* goal : *plan.goals()) {
    const std::string words = goal_words(*goal, names);
    if (goal->beside() && !goals.empty()) {
      goals.back() += ' ' + words;
    } else {
      goals.push_back(words);
    }
  }
  return "the goals " + enumerated(goals);
}

}  // namespace

std::string page_of(const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                    const std::string& source) {
  const std::vector<std::string> nodes = names.plan_nodes(plan);
  const UseTable use(plan, names.instance());
  std::stringstream conclusion;
  // A stream would otherwise take the separators of the process's global locale.
  conclusion.imbue(std::locale::classic());
  print_conclusion(Console{conclusion, conclusion}, plan, verification, use, names, nodes);
  const std::string answer = escaped(answer_text(plan, names));
  const std::string of = (names.instance().name() != nullptr ? escaped(names.instance().name()->string_view()) + ": " : "") +
                         escaped(instance_text(names.instance()));

  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      answer + "</title>\n<style>\n" + std::string(kStyle) + picture_style() +
      "</style>\n</head>\n<body>\n<main>\n<p class=\"of\">" + of + "</p>\n<p class=\"of\">Planned " +
      (source.empty() ? "" : "from " + escaped(source) + " ") + "for " + escaped(purpose_text(plan, names)) + ".</p>\n<h1>" +
      answer + ".</h1>\n";
  for (std::string line; std::getline(conclusion, line);)
    page += "<p>" + escaped(line.substr(line.find_first_not_of(' '))) + "</p>\n";
  if (!nodes.empty()) {
    begin_scroll(page, "Picture of all nodes");
    page += picture_of(plan, use, names, "") + "</div>\n";
  }
  add_table(page, "Goals", goals_table(plan, names));
  add_table(page, "Nodes by class", classes_table(plan, use, names));
  add_table(page, "Nodes", nodes_table(plan, use, names, nodes, kNodesOfAPage));
  page += "</main>\n</body>\n</html>\n";
  return page;
}

}  // namespace stowage::cli
