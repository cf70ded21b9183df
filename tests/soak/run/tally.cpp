#include "tests/soak/run/tally.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace stowage::soak {

void add(Tally& sum, const Tally& more) {
  for (const auto& [what, count] : more.counts) sum.counts[what] += count;
  for (const auto& [what, longest] : more.longest) sum.longest[what] = std::max(sum.longest[what], longest);
}

std::string to_text(const Tally& tally) {
  std::string text;
  for (const auto& [what, count] : tally.counts) text += "count\t" + what + "\t" + std::to_string(count) + "\n";
  for (const auto& [what, longest] : tally.longest) text += "longest\t" + what + "\t" + std::to_string(longest) + "\n";
  return text;
}

Tally from_text(const std::string& text) {
  Tally tally;
  std::istringstream lines(text);
  std::string sort;
  std::string what;
  std::string number;
  while (std::getline(lines, sort, '\t') && std::getline(lines, what, '\t') && std::getline(lines, number)) {
    (sort == "count" ? tally.counts : tally.longest)[what] = std::stoull(number);
  }
  return tally;
}

void print(const Ran& ran) {
  for (const auto& [what, count] : ran.tally.counts) {
    std::printf("  %s: %llu\n", what.c_str(), static_cast<unsigned long long>(count));
  }
  for (const auto& [what, longest] : ran.tally.longest) {
    std::printf("  longest %s: %.1f ms\n", what.c_str(), static_cast<double>(longest) / 1e3);
  }
  std::printf("  most memory of a case: %.0f MB\n", ran.peak_megabytes);
  std::printf("soak: %llu cases in %.0f s, %.0f s of processor time, %llu found\n", static_cast<unsigned long long>(ran.cases),
              ran.wall, ran.processor, static_cast<unsigned long long>(ran.findings));
}

void record(const Ran& ran, const std::string& file) {
  const auto of = [](const std::map<std::string, std::uint64_t>& values, const char* what) {
    const auto at = values.find(what);
    return at == values.end() ? std::uint64_t{0} : at->second;
  };
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  const year_month_day today(floor<days>(system_clock::now()));
  char day[32];
  std::snprintf(day, sizeof day, "%04d-%02u-%02u", static_cast<int>(today.year()), static_cast<unsigned>(today.month()),
                static_cast<unsigned>(today.day()));
  const auto tenths = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return std::string(text);
  };
  std::ofstream stream(file, std::ios::app);
  stream << day << '\t' << ran.build << '\t' << ran.seed << '\t' << tenths(ran.processor) << '\t' << ran.cases << '\t'
         << of(ran.tally.counts, "instances") << '\t' << of(ran.tally.counts, "plans") << '\t'
         << of(ran.tally.counts, "plans by auto") << '\t' << ran.findings << '\t'
         << tenths(of(ran.tally.longest, "after a deadline") / 1e3) << '\t'
         << tenths(of(ran.tally.longest, "after a cancel") / 1e3) << '\t'
         << tenths(of(ran.tally.longest, "between two looks at the clock") / 1e3) << '\t' << tenths(ran.peak_megabytes) << '\n';
  require(stream.flush().good(), "cannot write " + file);
}

}  // namespace stowage::soak
