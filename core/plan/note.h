// What a plan tells of the run that made it, beyond figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// What a note is about. Mirrors NoteCode of plan.fbs.
enum class NoteCode : std::uint8_t { kSearchOff, kNotImproved, kEndedEarly, kLeftOut, kIdleRule, kPromise, kStartPlan, kEnd };

/// A code as people and machines read it.
struct NoteInfo {
  NoteCode code;
  std::string_view name;
  std::string_view meaning;
};

/// One entry per enumerator, in their order.
std::span<const NoteInfo> note_table();
inline const NoteInfo& info_of(NoteCode code) { return note_table()[static_cast<std::size_t>(code)]; }

/// Something that the reader of a plan should know: what, and in `text` the particulars, a sentence.
struct Note {
  NoteCode code = NoteCode::kSearchOff;
  std::string text;
  friend bool operator==(const Note&, const Note&) = default;
};

/// The notes of a run, in the order in which they came up, each once. They depend on what the run did, never on the time,
/// except for kEndedEarly.
class Notes {
 public:
  void add(NoteCode code, std::string text);
  [[nodiscard]] const std::vector<Note>& all() const { return notes_; }

 private:
  std::vector<Note> notes_;
};

}  // namespace stowage
