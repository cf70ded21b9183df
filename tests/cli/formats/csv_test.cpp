#include "capi/cli/base/text/csv.h"

#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

using Fields = std::vector<std::string>;

/// Each record's line, and its fields after it.
std::vector<Fields> records_of(std::string_view text) {
  CsvReader reader(text, "t.csv");
  std::vector<Fields> records;
  for (Fields fields; reader.next(fields);) records.push_back(joined({std::to_string(reader.line())}, fields));
  return records;
}

TEST(Csv, FieldsSurviveTheLine) {
  const Fields fields = {"", "plain", "a,b", "say \"so\"", "\"", "1.5"};
  const std::string line = csv_line(fields);
  EXPECT_EQ(line, ",plain,\"a,b\",\"say \"\"so\"\"\",\"\"\"\",1.5\n");
  EXPECT_EQ(split_fields(split_lines(line)[0], ','), fields);
  EXPECT_EQ(records_of(line), (std::vector<Fields>{joined({"1"}, fields)}));
  EXPECT_EQ(split_fields("a\tb\t", '\t'), (Fields{"a", "b", ""}));
  EXPECT_EQ(split_lines("a\r\n\nb").size(), 2U);
}

TEST(Csv, RecordsKnowTheirLines) {
  EXPECT_EQ(records_of(""), (std::vector<Fields>{}));
  EXPECT_EQ(records_of("\n\r\n"), (std::vector<Fields>{}));
  EXPECT_EQ(records_of("\na,b\r\n\r\n\n,\n\"\"\nlast"),
            (std::vector<Fields>{{"2", "a", "b"}, {"5", "", ""}, {"6", ""}, {"7", "last"}}));
}

TEST(Csv, QuotedFieldsHoldLineBreaks) {
  const Fields fields = {"two\nlines", "\r", "\"\n\"", "end\r\n"};
  EXPECT_EQ(records_of(csv_line(fields) + "next\n"), (std::vector<Fields>{joined({"1"}, fields), {"5", "next"}}));
  EXPECT_EQ(records_of("\"a\"\r\n5\" disk,\"b\"\r"), (std::vector<Fields>{{"1", "a"}, {"2", "5\" disk", "b"}}));
}

TEST(Csv, QuotesOutOfOrderAreRefused) {
  for (const auto& [text, message] :
       std::vector<std::pair<std::string, std::string>>{{"a\n\n\"b,c\n", "t.csv:3: a quoted field has no end"},
                                                        {"\"", "t.csv:1: a quoted field has no end"},
                                                        {"a,\"b\"\"", "t.csv:1: a quoted field has no end"},
                                                        {"\"a\nb\" c\n", "t.csv:1: a quoted field goes on after its end"},
                                                        {"\"a\"\rb", "t.csv:1: a quoted field goes on after its end"}}) {
    try {
      records_of(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.what(), message);
    }
  }
}

}  // namespace
}  // namespace stowage::cli::testing
