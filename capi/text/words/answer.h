// What a plan says, in the words of who asked for it.
#pragma once

#include <cstddef>
#include <string>

#include "capi/text/base/table.h"
#include "capi/text/formats/names.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::cli {

/// Lines of the table of nodes, where nothing else is asked for.
inline constexpr std::size_t kShownNodes = 10;

/// The answer in a sentence: which nodes to buy, use, keep and free, how many that are, and what they cost. Without a full
/// stop.
std::string answer_text(const wire::Plan& plan, const Names& names);

/// Prints the answer, how sure it is, what the plan lacks and promises, what decides the number of nodes, and the nodes by
/// class and one by one. `verification` is the checker's report on the plan, which belongs to the instance of `names`.
/// @param shown lines of the table of nodes at most
void print_answer(const Console& console, const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                  std::size_t shown);

/// Prints how a plan came to be, for who wants to know: planner, seed and work, bounds with their names, and all notes.
void print_how(const Console& console, const wire::Plan& plan, const Names& names);

/// Whether the plan is judged by its nodes, or their cost where they have prices.
[[nodiscard]] bool counts_nodes(const wire::Plan& plan);

/// Traffic of pairs of apps both of which want replicas.
[[nodiscard]] double all_traffic(const wire::Instance& instance);

/// Replicas that the plan keeps room for.
[[nodiscard]] std::uint64_t reserved_replicas(const wire::Plan& plan);

/// The replicas of a list, which may be missing.
[[nodiscard]] std::uint64_t replicas_of(const flatbuffers::Vector<const wire::Unplaced*>* list);

/// The particulars of a note, or its code where it has none.
[[nodiscard]] std::string note_text(const wire::Note& note);

}  // namespace stowage::cli
