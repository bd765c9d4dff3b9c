// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what an operator's program sends to a controller: cut into the same lines however
// the bytes come in pieces, none longer than the limit, and none lost.
#include "ebb/core/check.hpp"
#include "ebb/transport/stream.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t kLongest = 40;  // short: a fuzzer reaches it often

struct Cut {
  std::vector<std::string> lines;
  bool refused = false;
};

Cut cut(std::string_view input, std::size_t piece) {
  ebb::transport::LineFramer framer(kLongest);
  Cut found;
  for (std::size_t at = 0; at < input.size() && !found.refused; at += piece) {
    framer.feed(input.substr(at, piece));
    for (;;) {
      auto next = framer.next();
      found.refused = !next;
      if (!next || !*next) break;
      found.lines.push_back(**next);
    }
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Cut whole = cut(input, std::max<std::size_t>(size, 1));
  const Cut bits = cut(input, 3);
  EBB_CHECK(whole.lines == bits.lines && whole.refused == bits.refused, "pieces do not matter");
  std::string again;
  for (const std::string& line : whole.lines) {
    EBB_CHECK(line.size() <= kLongest, "a line within the limit");
    again += line + '\n';
  }
  EBB_CHECK(input.starts_with(again), "lines are what was sent");
  EBB_CHECK(whole.refused || input.size() - again.size() <= kLongest, "nothing whole is kept back");
  return 0;
}
