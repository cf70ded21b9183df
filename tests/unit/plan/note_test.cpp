#include "core/plan/note.h"

#include <gtest/gtest.h>

#include <set>

namespace stowage {
namespace {

TEST(NoteTest, TheTableHasOneEntryPerCodeInOrder) {
  std::set<std::string_view> names;
  ASSERT_EQ(note_table().size(), static_cast<std::size_t>(NoteCode::kEnd));
  for (std::size_t k = 0; k < note_table().size(); ++k) {
    EXPECT_EQ(note_table()[k].code, static_cast<NoteCode>(k));
    EXPECT_TRUE(names.insert(note_table()[k].name).second);
  }
}

TEST(NoteTest, EachNoteIsKeptOnce) {
  Notes notes;
  notes.add(NoteCode::kSearchOff, "a");
  notes.add(NoteCode::kLeftOut, "a");
  notes.add(NoteCode::kSearchOff, "b");
  notes.add(NoteCode::kSearchOff, "a");
  ASSERT_EQ(notes.all().size(), 3u);
  EXPECT_EQ(notes.all()[1], (Note{NoteCode::kLeftOut, "a"}));
  EXPECT_EQ(notes.all()[2].text, "b");
}

}  // namespace
}  // namespace stowage
