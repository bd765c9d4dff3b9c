// SPDX-License-Identifier: Apache-2.0
#include "workloads/file_write.hpp"

#include <algorithm>
#include <array>

namespace ebb::traffic {
namespace {

constexpr Duration kPassedOnAfter = std::chrono::microseconds(20);

// The client, then different servers.
using Chain = std::array<std::uint32_t, kReplicas + 1>;

Chain draw_chain(const Roles& roles, RandomStream& stream) {
  Chain chain{any_of(roles.application(), stream)};
  for (std::size_t i = 1; i < chain.size();) {
    chain[i] = any_of(roles.servers(), stream);
    const auto end = chain.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(chain.begin(), end, chain[i]) == end) ++i;
  }
  return chain;
}

}  // namespace

void FileWrite::run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const {
  const Chain chain = draw_chain(roles, stream);
  TimePoint at = begin;
  for (std::uint32_t left = draw_pieces(stream); left > 0; --left) {
    for (std::uint32_t i = 0; i < kReplicas; ++i) {
      trace.add({at + i * kPassedOnAfter, chain[i], chain[i + 1], kChunk});
    }
    trace.add({at + kServiceTime, chain[1], chain[0], kControl});
    at += gap(stream);
  }
}

}  // namespace ebb::traffic
