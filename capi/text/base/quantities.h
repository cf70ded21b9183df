// Quantities as people write them: "500m", "2Gi", "1.5", "250GiB", "10s".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::cli {

/// The value of `text` in `unit`, or nothing where it is not a quantity.
///
/// A bare number is in the unit. A suffix n, u, m, k, M, G, T, P, E or Ki, Mi, Gi, Ti, Pi, Ei scales the unit's base: where the
/// unit is "GiB", "512Mi" is 0.5; where it is "cores", "500m" is 0.5. The base itself may follow ("250GiB", "3 cores").
std::optional<double> parse_quantity(std::string_view text, std::string_view unit);

/// A correction of `text`, such as "2Gi" for "2GI"; empty where none is known.
std::string suggest_quantity(std::string_view text, std::string_view unit);

/// What a number that is far too large in its unit was most likely meant as: with a smaller prefix, such as "4096Mi" for 4096
/// in GiB and "500m" for 500 in cores. The largest such quantity of at most `most`; empty where there is none.
std::string likely_quantity(double number, std::string_view unit, double most);

/// The unit that `unit` is a misspelling of, such as "GiB" for "gib"; empty where it is none.
std::string suggest_unit(std::string_view unit);

/// A finite decimal number, all of `text`.
std::optional<double> parse_number(std::string_view text);

/// A non-negative whole number, all of `text`.
std::optional<std::uint64_t> parse_whole(std::string_view text);

/// "10s", "500ms", "2m", "1h"; a bare number is in seconds.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// A share of one: "0.01" or "1%".
std::optional<double> parse_share(std::string_view text);

/// The shortest text that reads back as the same number.
std::string shortest(double value);

/// The same of a product or sum of decimal numbers: to so many digits, as what follows is rounding.
std::string shortest_of_sum(double value, int digits = 12);

/// A number for people: at most `digits` decimals, no trailing zeros, thousands separated.
std::string for_people(double value, int digits = 2);

}  // namespace stowage::cli
