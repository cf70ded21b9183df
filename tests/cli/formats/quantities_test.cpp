#include "capi/text/base/quantities.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stowage::cli {
namespace {

TEST(Quantities, BareNumbersAreInTheUnit) {
  EXPECT_EQ(parse_quantity("1.5", "cores"), 1.5);
  EXPECT_EQ(parse_quantity("64", "GiB"), 64);
  EXPECT_EQ(parse_quantity("2e3", ""), 2000);
  EXPECT_EQ(parse_quantity(" 7 ", "GiB"), 7);
}

TEST(Quantities, SuffixesScaleTheBaseOfTheUnit) {
  EXPECT_EQ(parse_quantity("500m", "cores"), 0.5);
  EXPECT_EQ(parse_quantity("2Gi", "GiB"), 2);
  EXPECT_EQ(parse_quantity("512Mi", "GiB"), 0.5);
  EXPECT_EQ(parse_quantity("512Mi", "MiB"), 512);
  EXPECT_EQ(parse_quantity("1Ti", "GiB"), 1024);
  EXPECT_EQ(parse_quantity("3G", "GB"), 3);
  EXPECT_EQ(parse_quantity("1G", "GiB"), 1e9 / 1073741824.0);
  EXPECT_EQ(parse_quantity("1048576", "B"), 1048576);
  EXPECT_EQ(parse_quantity("1Mi", "B"), 1048576);
  EXPECT_EQ(parse_quantity("2k", ""), 2000);
  EXPECT_EQ(parse_quantity("100n", "cores"), 1e-7);
  EXPECT_EQ(parse_quantity("250u", "cores"), 250e-6);
  EXPECT_EQ(parse_quantity("10G", "Gbit/s"), 10);
}

TEST(Quantities, PowersOfTenRoundOnce) {
  for (int thousandths = 1; thousandths < 5000; ++thousandths) {
    EXPECT_EQ(parse_quantity(std::to_string(thousandths) + "m", "cores"), thousandths / 1000.0);
  }
}

TEST(Quantities, TheBaseMayFollow) {
  EXPECT_EQ(parse_quantity("250GiB", "GiB"), 250);
  EXPECT_EQ(parse_quantity("1 TiB", "GiB"), 1024);
  EXPECT_EQ(parse_quantity("3 cores", "cores"), 3);
  EXPECT_EQ(parse_quantity("500mcores", "cores"), 0.5);
}

TEST(Quantities, AnExponentIsNotASuffix) {
  EXPECT_EQ(parse_quantity("1E3", "B"), 1000);
  EXPECT_EQ(parse_quantity("1E", "B"), 1e18);
  EXPECT_EQ(parse_quantity("1Ei", "B"), std::ldexp(1.0, 60));
}

TEST(Quantities, AUnitThatLooksLikeASuffixIsAUnit) {
  EXPECT_EQ(parse_quantity("5m", "m"), 5);
  EXPECT_EQ(parse_quantity("5k", "m"), 5000);
}

TEST(Quantities, RefusesWhatIsNone) {
  for (const char* text : {"", "Gi", "2Gx", "2Gi x", "abc", "1,5", "nan", "inf", "0x10", "2GiGi", "--1", "1.2.3"}) {
    EXPECT_EQ(parse_quantity(text, "GiB"), std::nullopt) << text;
  }
}

TEST(Quantities, SuggestsWhatWasMeant) {
  EXPECT_EQ(suggest_quantity("2Gx", "GiB"), "2Gi");
  EXPECT_EQ(suggest_quantity("2gi", "GiB"), "2Gi");
  EXPECT_EQ(suggest_quantity("512MIB", "GiB"), "512Mi");
  EXPECT_EQ(suggest_quantity("2 apples", "cores"), "2 ");
  EXPECT_EQ(suggest_quantity("apples", "cores"), "");
}

TEST(Quantities, AFarTooLargeNumberLacksItsPrefix) {
  EXPECT_EQ(likely_quantity(4096, "GiB", 128), "4096Mi");
  EXPECT_EQ(likely_quantity(4194304, "GiB", 128), "4194304Ki");
  EXPECT_EQ(likely_quantity(4294967296, "GiB", 128), "4294967296B");
  EXPECT_EQ(likely_quantity(4000, "GB", 128), "4000M");
  EXPECT_EQ(likely_quantity(500, "cores", 32), "500m");
  EXPECT_EQ(likely_quantity(5e8, "cores", 32), "500m");
  EXPECT_EQ(likely_quantity(2500, "", 32), "2500m");
  EXPECT_EQ(likely_quantity(500, "millicores", 32), "");
  EXPECT_EQ(likely_quantity(4096, "B", 128), "");
}

TEST(Quantities, Durations) {
  using std::chrono::milliseconds;
  EXPECT_EQ(parse_duration("10s"), milliseconds(10'000));
  EXPECT_EQ(parse_duration("500ms"), milliseconds(500));
  EXPECT_EQ(parse_duration("1.5"), milliseconds(1500));
  EXPECT_EQ(parse_duration("2m"), milliseconds(120'000));
  EXPECT_EQ(parse_duration("1h"), milliseconds(3'600'000));
  EXPECT_EQ(parse_duration("0.2ms"), milliseconds(1));
  for (const char* text : {"", "s", "-1s", "10 days", "1e300h", "nan"}) EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Quantities, Shares) {
  EXPECT_EQ(parse_share("1%"), 0.01);
  EXPECT_EQ(parse_share("0.005"), 0.005);
  // As close as text can be: 99.9 / 100 is not 0.999.
  EXPECT_EQ(parse_share("99.9%"), 0.999);
  EXPECT_EQ(parse_share(" 12.5 % "), 0.125);
  EXPECT_EQ(parse_share("1e1%"), 0.1);
  EXPECT_EQ(parse_share("1"), 1);
  for (const char* text : {"", "10", "150%", "-1%", "a lot"}) EXPECT_EQ(parse_share(text), std::nullopt) << text;
}

TEST(Quantities, ShortestReadsBack) {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 64.0})
    EXPECT_EQ(parse_number(shortest(value)), value);
  EXPECT_EQ(shortest(64), "64");
}

TEST(Quantities, ForPeople) {
  EXPECT_EQ(for_people(1234567.5, 2), "1,234,567.5");
  EXPECT_EQ(for_people(-1234, 0), "-1,234");
  EXPECT_EQ(for_people(0.126, 2), "0.13");
  EXPECT_EQ(for_people(999, 0), "999");
}

TEST(Quantities, SumsOfDecimalsAreShort) {
  EXPECT_EQ(shortest(3 * 0.1), "0.30000000000000004");
  EXPECT_EQ(shortest_of_sum(3 * 0.1), "0.3");
  EXPECT_EQ(shortest_of_sum(-3 * 1.1), "-3.3");
  EXPECT_EQ(shortest_of_sum(0), "0");
  EXPECT_EQ(shortest_of_sum(17179869184), "17179869184");
  EXPECT_EQ(shortest_of_sum(1e-300), "1e-300");
}

}  // namespace
}  // namespace stowage::cli
