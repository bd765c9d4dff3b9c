// SPDX-License-Identifier: Apache-2.0
#include "workloads/file_read.hpp"

namespace ebb::traffic {

void FileRead::run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const {
  const std::uint32_t client = any_of(roles.application(), stream);
  const std::uint32_t server = any_of(roles.servers(), stream);
  TimePoint at = begin;
  for (std::uint32_t left = draw_pieces(stream); left > 0; --left) {
    trace.add({at, client, server, kControl});
    trace.add({at + kServiceTime, server, client, kChunk});
    at += gap(stream);
  }
}

}  // namespace ebb::traffic
