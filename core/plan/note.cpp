#include "core/plan/note.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

constexpr NoteInfo kNoteTable[] = {
    {NoteCode::kSearchOff, "search-off", "as not-improved, in plans of earlier versions"},
    {NoteCode::kNotImproved, "not-improved", "a part of the search did not run"},
    {NoteCode::kEndedEarly, "ended-early", "the run ended before its limit"},
    {NoteCode::kLeftOut, "left-out", "replicas that fit on no node, not even an empty one, were left out"},
    {NoteCode::kIdleRule, "idle-rule", "a placement rule names a tag that nothing carries, or sets no bound"},
    {NoteCode::kPromise, "promise", "there is not all the room that was to be kept, or some loss is not survived"},
    {NoteCode::kStartPlan, "start-plan", "the planner failed, and the plan is that of the start"},
};
static_assert(std::size(kNoteTable) == static_cast<std::size_t>(NoteCode::kEnd));

}  // namespace

std::span<const NoteInfo> note_table() { return kNoteTable; }

void Notes::add(NoteCode code, std::string text) {
  Note note{code, std::move(text)};
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(std::move(note));
}

}  // namespace stowage
