#include "core/base/numbers/decimal.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

TEST(Decimal, ReadsWhatPeopleWrite) {
  EXPECT_EQ(read_decimal("12"), 12);
  EXPECT_EQ(read_decimal("0.1"), 0.1);
  EXPECT_EQ(read_decimal(".5"), 0.5);
  EXPECT_EQ(read_decimal("5."), 5);
  EXPECT_EQ(read_decimal("2e-3"), 0.002);
  EXPECT_EQ(read_decimal("1.5E+2"), 150);
  EXPECT_EQ(read_decimal("99.9", -2), 0.999);
  EXPECT_EQ(read_decimal("0." + std::string(400, '0') + "1e401"), 1);
  EXPECT_EQ(read_decimal("1e-999999999999"), 0);
}

TEST(Decimal, RefusesEverythingElse) {
  for (const char* text : {"", ".", "-1", "+1", "1x", " 1", "e5", "1e", "1e+", "nan", "inf", "0x10", "1.2.3", "1e400", "1,5"}) {
    EXPECT_EQ(read_decimal(text), std::nullopt) << text;
  }
  EXPECT_EQ(read_decimal(std::string(100'000, '9')), std::nullopt);
}

}  // namespace
}  // namespace stowage
