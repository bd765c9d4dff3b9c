// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the frame that answers a host's request for an address: refused, or an address that
// a host may have. The first bytes choose the request, the rest is laid over its right answer,
// which a fuzzer would not guess.
#include "ebb/core/check.hpp"
#include "ebb/forwarding/dmp_frame.hpp"

#include <algorithm>

namespace {

using namespace ebb;

void check(std::span<const std::uint8_t> frame, const dmp::MacBytes& own, std::uint64_t nonce) {
  const auto mac = dmp::read_answer(frame, own, nonce);
  if (!mac) return;
  EBB_CHECK(frame.size() >= 30, "a whole frame");
  EBB_CHECK(((*mac)[0] & 3U) == 2, "of one host, and locally administered");
  EBB_CHECK(dmp::ip_of(*mac)[0] == 10, "an address of the fabric");
  const dmp::Frame asked = dmp::request(own, nonce);
  EBB_CHECK(std::equal(asked.begin() + 12, asked.begin() + 30, frame.begin() + 12), "our request");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kChoice = 8;  // six of the MAC, then two of the nonce
  if (size < kChoice) return 0;
  dmp::MacBytes own{};
  std::copy_n(data, own.size(), own.begin());
  const std::uint64_t nonce = data[6] * 257U + data[7];
  const std::span<const std::uint8_t> rest(data + kChoice, size - kChoice);
  check(rest, own, nonce);
  dmp::Frame laid = dmp::request(own, nonce);
  for (std::size_t i = 0; i < std::min(rest.size(), laid.size()); ++i) laid[i] ^= rest[i];
  check(laid, own, nonce);
  check(std::span(laid).first(std::min(rest.size(), laid.size())), own, nonce);
  return 0;
}
