// SPDX-License-Identifier: Apache-2.0
#include "ebb/openflow/framer.hpp"

#include "kinds.hpp"

#include <fmt/format.h>

namespace ebb::openflow {

void Framer::feed(std::span<const std::byte> bytes) {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
  append_all(waiting_, bytes);
}

Result<Bytes> Framer::next() {
  const std::span<const std::byte> rest = std::span(waiting_).subspan(taken_);
  if (rest.size() < 4) return Bytes{};
  const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(rest[i]); };
  const std::size_t length = at(2) << 8U | at(3);
  if (length < kHeaderBytes) {
    return fail(
        fmt::format("OpenFlow: a message of {} bytes at byte {} of the stream", length, offset_));
  }
  if (!greeted_ && at(1) != kHelloType) {
    return fail(fmt::format(
        "OpenFlow: the stream begins with a message of type {} instead of hello", at(1)));
  }
  if (greeted_ && at(0) != kVersion) {
    return fail(fmt::format("OpenFlow: version {:#04x} instead of {:#04x} at byte {} of the stream",
                            at(0), kVersion, offset_));
  }
  if (rest.size() < length) return Bytes{};
  greeted_ = true;
  taken_ += length;
  offset_ += length;
  return Bytes(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
}

}  // namespace ebb::openflow
