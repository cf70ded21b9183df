// What a plan says, in the words of who asked for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capi/text/base/table.h"
#include "capi/text/formats/names.h"
#include "capi/text/words/use.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::cli {

/// Lines of the table of nodes, where nothing else is asked for.
inline constexpr std::size_t kShownNodes = 10;

/// Whether the request let running replicas move, which a plan does not say.
enum class Moves : std::uint8_t { kUnknown, kForbidden, kAllowed };

/// The answer in a sentence: which nodes to buy, use, keep and free, how many that are, and what they cost. Without a full
/// stop.
std::string answer_text(const wire::Plan& plan, const Names& names);

/// Prints how sure the answer is, what the plan lacks and promises, and what decides the number of nodes: a sentence a line,
/// each after two spaces; more spaces begin what belongs to the sentence before. `nodes` names the plan's nodes.
void print_conclusion(const Console& console, const wire::Plan& plan, const wire::Verification& verification,
                      const UseTable& use, const Names& names, const std::vector<std::string>& nodes,
                      Moves moves = Moves::kUnknown);

/// What the plan reaches of each goal; empty where it has none.
TextTable goals_table(const wire::Plan& plan, const Names& names);

/// Prints the answer, print_conclusion(), and the nodes by class and one by one. `verification` is the checker's report on the
/// plan, which belongs to the instance of `names`.
/// @param shown lines of the table of nodes at most
void print_answer(const Console& console, const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                  std::size_t shown, Moves moves = Moves::kUnknown);

/// Prints how a plan came to be, for who wants to know: planner, seed and work, bounds with their names, and all notes.
void print_how(const Console& console, const wire::Plan& plan, const Names& names);

/// Whether a plan without moves has to have its nodes, because all of them run something: nothing else is in use, and nothing
/// waits. False where it is proven best anyway.
[[nodiscard]] bool keeps_what_runs(const wire::Plan& plan, const wire::Instance& instance);

/// Whether the plan is judged by its nodes, or their cost where they have prices.
[[nodiscard]] bool counts_nodes(const wire::Plan& plan);

[[nodiscard]] bool has_soft_rules(const wire::Instance& instance);

/// Traffic of pairs of apps both of which want replicas.
[[nodiscard]] double all_traffic(const wire::Instance& instance);

/// Replicas that the plan keeps room for.
[[nodiscard]] std::uint64_t reserved_replicas(const wire::Plan& plan);

/// The replicas of a list, which may be missing.
[[nodiscard]] std::uint64_t replicas_of(const flatbuffers::Vector<const wire::Unplaced*>* list);

/// The particulars of a note, or its code where it has none.
[[nodiscard]] std::string note_text(const wire::Note& note);

}  // namespace stowage::cli
