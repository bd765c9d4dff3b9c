// SPDX-License-Identifier: Apache-2.0
//
// The jobs of a service: who plays which part in them, what each kind of job sends, and how much
// that is on average.
#pragma once

#include "injections/draws.hpp"
#include "workloads/trace.hpp"

#include "ebb/core/random.hpp"
#include "ebb/units/data.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace ebb::traffic {

inline constexpr std::uint32_t kHostsPerFileServer = 4;
inline constexpr std::uint32_t kReplicas = 3;

// Who plays which part: the hosts in an order drawn by the seed, the first quarter of them file
// servers, the rest running the application.
class Roles {
 public:
  Roles(std::uint32_t hosts, std::uint64_t seed);

  [[nodiscard]] static std::uint32_t servers_of(std::uint32_t hosts);

  [[nodiscard]] std::span<const std::uint32_t> servers() const {
    return std::span(order_).first(servers_);
  }
  [[nodiscard]] std::span<const std::uint32_t> application() const {
    return std::span(order_).subspan(servers_);
  }

 private:
  std::vector<std::uint32_t> order_;
  std::uint32_t servers_;
};

// A server needs this long to answer ...
inline constexpr Duration kServiceTime = std::chrono::microseconds(100);
// ... and those who were asked at once answer within this time of each other.
inline constexpr Duration kAnswerSpread = std::chrono::microseconds(20);
// Requests for a chunk and acknowledgements of one.
inline constexpr DataSize kControl = bytes(256);
// 512 KiB, the message of the published Uniform workload; 128 of them are a 64 MiB block of GFS.
inline constexpr DataSize kChunk = bytes(524'288);

// One kind of work of a service.
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

// Partition and aggregate: an application host asks `fan_out` others, all at once, and they answer
// nearly together. Whoever was asked once is asked again by the next query of the train.
class QueryTrain final : public Job {
 public:
  // `fan_out` is below the number of application hosts.
  QueryTrain(std::uint32_t fan_out, DataSize answer, DataRate host_rate);

  [[nodiscard]] DataSize piece_size() const override;
  [[nodiscard]] std::int64_t piece_messages() const override { return 2 * std::int64_t{fan_out_}; }
  void run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const override;

 private:
  std::uint32_t fan_out_;
  DataSize answer_;
};

// A client reads a file from one server: it asks for a chunk, which comes a service time later, and
// then for the next.
class FileRead final : public Job {
 public:
  explicit FileRead(DataRate host_rate) : Job(serialization_time(kChunk, host_rate)) {}

  [[nodiscard]] DataSize piece_size() const override { return kControl + kChunk; }
  [[nodiscard]] std::int64_t piece_messages() const override { return 2; }
  void run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const override;
};

// A client writes a file to three servers in a chain: each passes a chunk on shortly after it began
// to come, and the first acknowledges it a service time later.
class FileWrite final : public Job {
 public:
  explicit FileWrite(DataRate host_rate) : Job(serialization_time(kChunk, host_rate)) {}

  [[nodiscard]] DataSize piece_size() const override { return kReplicas * kChunk + kControl; }
  [[nodiscard]] std::int64_t piece_messages() const override { return kReplicas + 1; }
  void run(TimePoint begin, const Roles& roles, RandomStream& stream, Trace& trace) const override;
};

}  // namespace ebb::traffic
