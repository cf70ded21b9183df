// A folder of its own for each process, for parsers that read files by name.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace stowage::fuzz {

/// Removed with its content when the process ends normally.
class Scratch {
 public:
  static const Scratch& folder() {
    static const Scratch kFolder;
    return kFolder;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, std::string_view content) const {
    std::string whole = path(name);
    std::ofstream(whole, std::ios::binary | std::ios::trunc)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return whole;
  }

  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  Scratch();
  ~Scratch();

  std::filesystem::path folder_;
};

}  // namespace stowage::fuzz
