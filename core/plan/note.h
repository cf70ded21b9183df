// What a plan tells of the run that made it, beyond figures.
#pragma once

#include <algorithm>
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

/// A planner, a search or a neighbourhood of a run.
struct TracedPart {
  std::string name;         ///< such as "rebuilding", or "rebuilding: gangs" for a neighbourhood of it
  std::uint64_t calls = 0;  ///< how often it was asked
  std::uint64_t gains = 0;  ///< calls that found a better plan than their search had before
  std::uint64_t work = 0;   ///< units of work, with those of the parts that it asked in turn
  friend bool operator==(const TracedPart&, const TracedPart&) = default;
};

/// The parts of a run, in the order in which they were first asked. They depend on the run's work, never on the time.
class Trace {
 public:
  void add(std::string_view name, std::uint64_t calls, std::uint64_t gains, std::uint64_t work) {
    auto at = std::find_if(parts_.begin(), parts_.end(), [&](const TracedPart& part) { return part.name == name; });
    if (at == parts_.end()) at = parts_.insert(at, {.name = std::string(name)});
    at->calls += calls;
    at->gains += gains;
    at->work += work;
  }
  [[nodiscard]] const std::vector<TracedPart>& parts() const { return parts_; }

 private:
  std::vector<TracedPart> parts_;
};

}  // namespace stowage
