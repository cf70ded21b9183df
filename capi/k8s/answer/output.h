// Answers as text and as JSON.
#pragma once

#include "capi/k8s/answer/planning.h"
#include "capi/text/base/json_text.h"

namespace stowage::k8s {

/// The parts of an answer that a question asks for.
struct Parts {
  bool fit = false, afresh = false, consolidate = false, table = false;
};

void print_answer(const Answer& answer, const Cluster& of, const Parts& parts, std::string& out);
void print_lines(std::string& out, const std::string& title, const std::vector<std::string>& lines);
void print_moves(std::string& out, const std::vector<Move>& moves);
void print_unplaced(std::string& out, const std::vector<Unplaced>& list);
/// What does not fit, and what would take it.
void print_fit(std::string& out, const Answer& answer);
/// A shell script that empties nodes in their order.
void print_script(const Answer& answer, const Cluster& of, std::string& out);
/// What the plans do not take into account, and what is missing.
void print_tail(std::string& out, const Cluster& of);
/// Lines whose columns stand below each other.
void print_table(std::string& out, const std::vector<std::vector<std::string>>& rows);
/// The order in which nodes are emptied, and what becomes of their pods.
void print_drains(std::string& out, const Answer& answer);
void print_curve(std::string& out, const std::vector<CurvePoint>& curve);

/// Members of an object, whose end the caller writes. `moves`: the number, and the list as "moveList".
void write_answer(cli::JsonWriter& to, const Answer& answer, const Planning& of, bool moves);
void write_texts(cli::JsonWriter& to, std::string_view name, const std::vector<std::string>& list);
void write_moves(cli::JsonWriter& to, std::string_view name, const std::vector<Move>& moves);
void write_unplaced(cli::JsonWriter& to, std::string_view name, const std::vector<Unplaced>& list);
void write_notes(cli::JsonWriter& to, const Cluster& of);

}  // namespace stowage::k8s
