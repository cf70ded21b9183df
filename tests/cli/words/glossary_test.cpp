// The glossary says what the words of answers mean.

#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

TEST(GlossaryTest, SaysWhatAWordMeans) {
  const Outcome all = run({"words"});
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_TRUE(has(all.out, "\n  bound           a proven limit: no plan of this instance has less"));
  EXPECT_TRUE(has(run({"help", "words"}).out, all.out));
  EXPECT_EQ(run({"words", "gap"}).out.substr(0, 18), "  gap             ");
  EXPECT_EQ(run({"words", "cost"}).out, run({"words", "price"}).out);
}

TEST(GlossaryTest, UnknownWordsAreRefused) {
  const Outcome outcome = run({"words", "bonud"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "the glossary has no word \"bonud\" (did you mean \"bound\"?)")) << outcome.err;
}

// Two screens of 24 lines.
TEST(GlossaryTest, IsShort) {
  const Outcome all = run({"words"});
  EXPECT_LE(std::count(all.out.begin(), all.out.end(), '\n'), 48);
}

}  // namespace
}  // namespace stowage::cli::testing
