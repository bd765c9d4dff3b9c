// SPDX-License-Identifier: Apache-2.0
//
// Cuts a stream of bytes into whole messages. It holds at most one unfinished message beside what
// was fed and not yet taken.
//
//   framer.feed(bytes);
//   for (;;) { const auto message = framer.next(); if (!message || message->empty()) break; ... }
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/core/result.hpp"

namespace ebb::openflow {

class Framer {
 public:
  void feed(std::span<const std::byte> bytes);

  // The next whole message; empty when more bytes are needed. Fails on a length below a header's,
  // on a stream that does not begin with hello, and on a version other than 1.3 after it. A
  // stream that failed once is lost: the next message cannot be found in it.
  [[nodiscard]] Result<Bytes> next();

 private:
  Bytes waiting_;
  std::size_t taken_ = 0;     // bytes at the front of `waiting_` that were given out
  std::uint64_t offset_ = 0;  // of the next message in the stream
  bool greeted_ = false;
};

}  // namespace ebb::openflow
