// What the tests of the command line share: temporary files, running commands in this process, the published data.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "capi/cli/app.h"
#include "capi/cli/base/files.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/instance_json.h"

namespace stowage::cli::testing {

/// A folder of its own for each test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "stowage-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// One list of arguments after the other.
inline std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

/// Runs a command line in this process.
template <class App>
Outcome run_with(App&& app, const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = app(arguments, Console{out, err});
  return {code, out.str(), err.str()};
}

inline Outcome run(const std::vector<std::string>& arguments) { return run_with(run_app, arguments); }

/// Help has lines of at most 100 columns, says of each value that it is required or has a default, and explains P0 to P4.
inline void expect_good_help(const std::string& help) {
  std::istringstream lines(help);
  std::string entry;  // of an option that takes a value
  const auto finish = [&] {
    EXPECT_TRUE(entry.empty() || has(entry, "(default: ") || has(entry, "(required)")) << entry;
    entry.clear();
  };
  bool options = true;  // examples come below them
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100U) << line;
    options &= !has(line, "Examples:");
    const std::size_t dash = line.find_first_not_of(' ');
    const std::string text = dash == std::string::npos ? "" : line.substr(dash);
    if (!options || dash == std::string::npos || dash < 10) finish();
    if (dash != std::string::npos && dash >= 10 && !entry.empty()) entry += " " + text;
    // "--node cores=64": one space between the name and the value.
    const std::size_t space = text.find(' ');
    if (options && dash < 10 && text.starts_with("-") && space != std::string::npos && text[space + 1] != ' ') entry = text;
  }
  finish();
  for (const char* paper : {"P0", "P1", "P2", "P3", "P4"}) {
    EXPECT_TRUE(!has(help, paper) || has(help, std::string("\n") + paper + "  ")) << paper << help;
  }
}

inline std::vector<std::uint8_t> bytes_of(const flatbuffers::DetachedBuffer& buffer) {
  return {buffer.data(), buffer.data() + buffer.size()};
}

/// More than the columns of any text of the tests take.
inline constexpr std::uint64_t kColumnBytes = std::uint64_t{1} << 30;

/// The wire bytes of an instance as JSON text.
inline std::vector<std::uint8_t> encoded(const std::string& json) {
  return bytes_of(encode_instance(read_instance_json(json, "test.json", kColumnBytes)));
}

/// Why `json` is refused; fails where it is not.
inline std::string refusal(const std::string& json) {
  try {
    encoded(json);
  } catch (const std::exception& failure) {
    return failure.what();
  }
  ADD_FAILURE() << "accepted: " << json;
  return {};
}

/// A file of the published data, or "" where it is not here.
inline std::string shared_file(const std::string& name) {
  const char* folder = std::getenv("STOWAGE_SHARED");
  const std::filesystem::path path = std::filesystem::path(folder != nullptr ? folder : STOWAGE_DEFAULT_SHARED) / name;
  return std::filesystem::exists(path) ? path.string() : std::string();
}

}  // namespace stowage::cli::testing

/// Skips a test, naming what it lacks.
#define STOWAGE_NEEDS_SHARED(variable, name)                               \
  const std::string variable = ::stowage::cli::testing::shared_file(name); \
  if (variable.empty()) GTEST_SKIP() << "needs " << name << " in $STOWAGE_SHARED"
