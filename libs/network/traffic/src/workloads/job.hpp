// SPDX-License-Identifier: Apache-2.0
//
// One kind of work of a service: what a job sends, and how much that is on average.
#pragma once

#include "pareto_count.hpp"
#include "workloads/roles.hpp"
#include "workloads/trace.hpp"

#include "ebb/core/random.hpp"
#include "ebb/units/data.hpp"

#include <chrono>
#include <cstdint>

namespace ebb::traffic {

// A server needs this long to answer ...
inline constexpr Duration kServiceTime = std::chrono::microseconds(100);
// ... and those who were asked at once answer within this time of each other.
inline constexpr Duration kAnswerSpread = std::chrono::microseconds(20);
// Requests for a chunk and acknowledgements of one.
inline constexpr DataSize kControl = bytes(256);
// 512 KiB, the message of the published Uniform workload; 128 of them are a 64 MiB block of GFS.
inline constexpr DataSize kChunk = bytes(524'288);

class Job {
 public:
  // Of 1 to 128 pieces, each of which keeps the busiest host link for `busy`.
  explicit Job(Duration busy) : pace_(2 * busy), pieces_(Ratio(3, 2), kMostPieces) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  // Of one piece.
  [[nodiscard]] virtual DataSize piece_size() const = 0;
  [[nodiscard]] virtual std::int64_t piece_messages() const = 0;

  // The messages of a job that begins at `begin`.
  virtual void run(TimePoint begin, const Roles& roles, RandomStream& stream,
                   Trace& trace) const = 0;

  [[nodiscard]] double pieces() const { return pieces_.mean(); }
  // More than any job takes from its beginning to its last message.
  [[nodiscard]] Duration longest() const { return 2 * pieces_.most() * pace_ + kLongestPiece; }

 protected:
  [[nodiscard]] std::uint32_t draw_pieces(RandomStream& stream) const {
    return pieces_.draw(stream);
  }
  // From a piece to the next one: half to three halves of the pace.
  [[nodiscard]] Duration gap(RandomStream& stream) const {
    const auto drawn = stream.below(static_cast<std::uint64_t>(pace_.count()));
    return pace_ / 2 + Duration(static_cast<std::int64_t>(drawn));
  }

 private:
  static constexpr std::uint32_t kMostPieces = 128;
  static constexpr Duration kLongestPiece = std::chrono::milliseconds(1);

  Duration pace_;
  ParetoCount pieces_;
};

[[nodiscard]] inline std::uint32_t any_of(std::span<const std::uint32_t> hosts,
                                          RandomStream& stream) {
  return hosts[stream.below(hosts.size())];
}

}  // namespace ebb::traffic
