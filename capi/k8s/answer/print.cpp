#include <algorithm>
#include <cmath>

#include "capi/k8s/answer/output.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/printable.h"

namespace stowage::k8s {
namespace {

std::string four_digits(double value) { return decimal_text(value, 4); }

std::string share(const NodeRow& row, int resource) {
  const std::int64_t capacity = row.capacity.get(resource);
  if (capacity == 0) return "-";
  const double percent = 100.0 * static_cast<double>(row.used.get(resource)) / static_cast<double>(capacity);
  return std::to_string(std::llround(percent)) + " %";
}

void print_node_rows(std::string& out, const Answer& answer, const ResourceNames& names) {
  std::vector<std::vector<std::string>> rows = {{"NODE", "CLASS", "STATE", "PODS", "CPU", "MEMORY", "OTHER"}};
  for (const NodeRow& one : answer.table) {
    std::string others;
    for (const auto& [resource, amount] : one.capacity) {
      // Devices and the like have names with a domain.
      if (names.name(resource).find('/') == std::string::npos || amount == 0) continue;
      others += (others.empty() ? "" : ", ") + names.name(resource) + " " + std::to_string(one.used.get(resource)) + " of " +
                std::to_string(amount);
    }
    rows.push_back({one.node, one.kind, one.state, std::to_string(one.pods), share(one, ResourceNames::kCpu),
                    share(one, ResourceNames::kMemory), others.empty() ? "-" : others});
  }
  out += "\n";
  print_table(out, rows);
}

void print_needs(std::string& out, const std::vector<Need>& needs) {
  if (needs.empty()) out += "  none\n";
  for (const Need& one : needs) out += "  " + std::to_string(one.nodes) + " of " + one.kind + "\n";
}

std::string joined_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 40;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kShown); ++k) text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more (-json lists all)";
  return text;
}

void print_afresh(std::string& out, const Answer& answer) {
  out += "\nNodes needed if everything were planned afresh (at least " + decimal_text(answer.bound) + ")\n";
  print_needs(out, answer.afresh);
  if (answer.cost_now && answer.cost_afresh) {
    out += "  they cost " + four_digits(*answer.cost_afresh) + " per hour; all nodes there are cost " +
           four_digits(*answer.cost_now) + "\n";
  }
}

void print_consolidate(std::string& out, const Answer& answer) {
  out += "\nNodes that could be emptied\n";
  if (answer.emptied.empty()) {
    out += "  none\n";
  } else {
    out += "  " + joined_names(answer.emptied) + ", by moving " + std::to_string(answer.moves) +
           (answer.moves == 1 ? " replica\n" : " replicas\n");
  }
  if (!answer.replace.empty()) {
    out += "  with these nodes in their place:\n";
    print_needs(out, answer.replace);
  }
  if (answer.free) {
    const std::string values = joined_names(answer.free->values);
    out += "  " + answer.free->label + " without pods: " + (values.empty() ? "none" : values) + "; " +
           std::to_string(answer.free->in_use) + " in use, at least " + std::to_string(answer.free->bound) + "\n";
  }
  if (!answer.idle.empty()) out += "  empty now, but for daemon pods: " + joined_names(answer.idle) + "\n";
  if (answer.saved) out += "  without these nodes, " + four_digits(*answer.saved) + " per hour less\n";
  print_lines(out, "Pods that cannot leave their nodes now", answer.held);
}

}  // namespace

void print_table(std::string& out, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  for (const auto& row : rows) {
    out += "  ";
    for (std::size_t k = 0; k < row.size(); ++k) {
      out += row[k];
      if (k + 1 < row.size()) out += std::string(widths[k] + 2 - row[k].size(), ' ');
    }
    out += "\n";
  }
}

void print_lines(std::string& out, const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  out += "\n" + title + "\n";
  for (const std::string& one : lines) out += "  " + cli::printable(one) + "\n";
}

void print_moves(std::string& out, const std::vector<Move>& moves) {
  const bool waves = ranges::any_of(moves, [](const Move& one) { return one.wave > 1; });
  std::vector<std::vector<std::string>> rows = {{"WORKLOAD", "REPLICAS", "FROM", "TO"}};
  if (waves) rows[0].emplace_back("WAVE");
  for (const Move& one : moves) {
    rows.push_back({one.workload, std::to_string(one.replicas), one.from.empty() ? "-" : one.from, one.to});
    if (waves) rows.back().push_back(one.wave > 0 ? std::to_string(one.wave) : "-");
  }
  print_table(out, rows);
}

void print_unplaced(std::string& out, const std::vector<Unplaced>& list) {
  if (list.empty()) out += "  nothing\n";
  for (const Unplaced& one : list) {
    out += "  " + cli::printable(one.workload) + ": " + std::to_string(one.replicas) + " of " + std::to_string(one.of) +
           " replicas\n";
    for (const std::string& line : one.why) out += "    " + cli::printable(line) + "\n";
    std::string help;
    for (const std::string& line : one.help) help += (help.empty() ? "" : ", or ") + line;
    if (!help.empty()) out += "    what would help: " + cli::printable(help) + "\n";
  }
}

void print_fit(std::string& out, const Answer& answer) {
  out += "\nWhat does not fit on the nodes there are\n";
  print_unplaced(out, answer.unplaced);
  if (answer.unplaced.empty()) return;
  if (answer.room) {
    const Room& room = *answer.room;
    out += "\nBy moving " + std::to_string(room.count) + (room.count == 1 ? " running replica" : " running replicas") +
           " between the nodes there are, " + (room.unplaced.empty() ? "all of it fits\n" : "more of it fits\n");
    print_moves(out, room.moves);
    if (!room.unplaced.empty()) {
      out += "  and even then does not fit:\n";
      print_unplaced(out, room.unplaced);
    }
  }
  out += "\nNodes to add, with all that runs left where it is\n";
  print_needs(out, answer.add);
  if (!answer.still_unplaced.empty()) {
    out += "  and even then does not fit:\n";
    print_unplaced(out, answer.still_unplaced);
  }
}

void print_tail(std::string& out, const Cluster& of) {
  print_lines(out, "Read with care", of.notes);
  print_lines(out, "Missing from the input, and could change the answer", of.missing);
  print_lines(out, "Not taken into account", of.left_out);
}

void print_answer(const Answer& answer, const Cluster& of, const Parts& parts, std::string& out) {
  if (answer.broken > 0) {
    out += "Constraints that are broken by what runs now: " + std::to_string(answer.broken) + "\n";
    for (const std::string& one : answer.broken_list) out += "  " + cli::printable(one) + "\n";
  }
  if (parts.table) {
    print_node_rows(out, answer, of.from.resources);
    if (!answer.unplaced.empty()) {
      out += "\nNodes to add, with all that runs left where it is\n";
      print_needs(out, answer.add);
    }
  } else if (parts.fit) {
    print_fit(out, answer);
  }
  if (parts.afresh) print_afresh(out, answer);
  if (parts.consolidate) print_consolidate(out, answer);
  if (parts.consolidate && !parts.fit) {
    print_drains(out, answer);
    print_curve(out, answer.curve);
    if (!answer.move_list.empty()) {
      out += "\nMoves\n";
      print_moves(out, answer.move_list);
    }
    print_lines(out, "Moves that take several rounds", answer.rounds);
  }
  if (!answer.unmet.empty()) {
    out += "\nPreferences that are not met on the nodes there are\n";
    for (const Unmet& one : answer.unmet)
      out += "  " + cli::printable(one.preference) + ": " + std::to_string(one.replicas) + "\n";
  }
  print_tail(out, of);
}

}  // namespace stowage::k8s
