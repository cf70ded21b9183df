// The buffers in tests/data, as built by flatc.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace stowage::test {

inline std::vector<std::uint8_t> read_data(const std::string& name) {
  const std::string path = std::string(STOWAGE_TEST_DATA) + "/" + name;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace stowage::test
