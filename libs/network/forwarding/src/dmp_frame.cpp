// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/dmp_frame.hpp"

#include <algorithm>

namespace ebb::dmp {
namespace {

constexpr MacBytes kTo = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e};
constexpr std::array<std::uint8_t, 8> kMagic = {'e', 'b', 'b', '-', 'd', 'm', 'p', '\1'};
constexpr std::size_t kSource = 6;
constexpr std::size_t kType = 12;
constexpr std::size_t kMagicAt = 14;
constexpr std::size_t kNonceAt = 22;
constexpr std::size_t kEnd = 30;

}  // namespace

Frame request(const MacBytes& own, std::uint64_t nonce) {
  Frame frame{};
  std::copy(kTo.begin(), kTo.end(), frame.begin());
  std::copy(own.begin(), own.end(), frame.begin() + kSource);
  frame[kType] = kEtherType >> 8U;
  frame[kType + 1] = kEtherType & 0xffU;
  std::copy(kMagic.begin(), kMagic.end(), frame.begin() + kMagicAt);
  for (std::size_t i = 0; i < 8; ++i)
    frame[kNonceAt + i] = static_cast<std::uint8_t>(nonce >> (56 - 8 * i));
  return frame;
}

Result<MacBytes> read_answer(std::span<const std::uint8_t> frame, const MacBytes& own,
                             std::uint64_t nonce) {
  if (frame.size() < kEnd) return fail("the frame is too short");
  const Frame asked = request(own, nonce);
  if (!std::equal(asked.begin() + kType, asked.begin() + kEnd, frame.begin() + kType))
    return fail("the frame answers another request");
  MacBytes mac{};
  std::copy_n(frame.begin() + kSource, mac.size(), mac.begin());
  // A host that asks again has its address already. They begin with 02 in all networks of up to 40
  // address bits; any other MAC of its own is a request that something sent back unchanged.
  if (mac == own && mac[0] != 0x02) return fail("the frame is the request itself");
  if ((mac[0] & 1U) != 0) return fail("the address is that of a group");
  if ((mac[0] & 2U) == 0) return fail("the address is not locally administered");
  return mac;
}

std::array<std::uint8_t, 4> ip_of(const MacBytes& mac) { return {10, mac[3], mac[4], mac[5]}; }

}  // namespace ebb::dmp
