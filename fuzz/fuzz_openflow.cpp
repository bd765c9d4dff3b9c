// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an OpenFlow message: refused, or a message that is written and read as itself. The
// same bytes as a stream: the framer never gives out more than it was fed.
#include "ebb/core/check.hpp"
#include "ebb/openflow/message.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using namespace ebb;

void check_stream(std::span<const std::byte> bytes) {
  openflow::Framer framer;
  std::size_t taken = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 13) {
    framer.feed(bytes.subspan(at, std::min<std::size_t>(13, bytes.size() - at)));
    for (auto next = framer.next(); next && !next->empty(); next = framer.next()) {
      taken += next->size();
      static_cast<void>(openflow::decode(*next));
    }
  }
  EBB_CHECK(taken <= bytes.size(), "no message that was not fed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check_stream(bytes);
  // The length is mended: a fuzzer seldom finds the right one.
  Bytes mended(bytes.begin(), bytes.end());
  if (size >= openflow::kHeaderBytes && size <= openflow::kMostBytes) {
    mended[2] = static_cast<std::byte>(size >> 8U);
    mended[3] = static_cast<std::byte>(size);
  }
  const auto message = openflow::decode(mended);
  if (!message) return 0;
  const auto written = openflow::encode(*message);
  EBB_CHECK(written, "a message that was read can be written");
  const auto again = openflow::decode(*written);
  EBB_CHECK(again && *again == *message, "a message survives its own bytes");
  return 0;
}
