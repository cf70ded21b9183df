// What values of options may be, and what is said where they are something else. CLI11 puts the option's name before it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace stowage::cli {

inline constexpr std::uint64_t kMostOf32Bits = std::numeric_limits<std::uint32_t>::max();

/// Whole numbers, in decimal digits.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
/// Finite numbers.
CLI::Validator number_between(double least, double most);
CLI::Validator number_above(double limit);
/// One of these words, in upper or lower case. The value becomes the word as it stands here.
CLI::Validator one_of(std::vector<std::string> words);

/// Has every option that holds a number refuse other text, and every flag any value, for the app and all its subcommands.
void require_values(CLI::App& app);

}  // namespace stowage::cli
