#include "capi/text/base/name_map.h"

#include <array>
#include <bit>
#include <cstdint>
#include <random>

namespace stowage::cli {
namespace {

using Key = std::array<std::uint64_t, 2>;

Key draw_key() {
  std::random_device device;
  Key key{};
  for (std::uint64_t& half : key) half = (std::uint64_t{device()} << 32) ^ device();
  return key;
}

struct SipState {
  std::array<std::uint64_t, 4> v;

  explicit SipState(const Key& key)
      : v{key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
          key[1] ^ 0x7465646279746573u} {}
  void round() {
    v[0] += v[1];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[3];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[2] = std::rotl(v[2], 32);
  }
  void add(std::uint64_t word) {
    v[3] ^= word;
    round();
    v[0] ^= word;
  }
};

}  // namespace

std::size_t NameHash::operator()(std::string_view text) const {
  static const Key kKey = draw_key();
  SipState state(kKey);
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    word |= std::uint64_t{static_cast<unsigned char>(text[k])} << (8 * (k % 8));
    if (k % 8 != 7) continue;
    state.add(word);
    word = 0;
  }
  state.add(word | (std::uint64_t{text.size()} << 56));
  state.v[2] ^= 0xff;
  for (int k = 0; k < 3; ++k) state.round();
  return static_cast<std::size_t>(state.v[0] ^ state.v[1] ^ state.v[2] ^ state.v[3]);
}

}  // namespace stowage::cli
