// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace ebb::traffic {

std::uint32_t Roles::servers_of(std::uint32_t hosts) {
  return std::max(kReplicas, hosts / kHostsPerFileServer);
}

Roles::Roles(std::uint32_t hosts, std::uint64_t seed) : order_(hosts), servers_(servers_of(hosts)) {
  RandomStream stream(seed, "traffic/service/roles");
  std::iota(order_.begin(), order_.end(), 0U);
  for (std::uint32_t i = hosts; i > 1; --i) std::swap(order_[i - 1], order_[stream.below(i)]);
}

namespace {

constexpr DataSize kRequest = bytes(1'600);

// They follow each other in the random order of hosts, from a random one on.
std::vector<std::uint32_t> draw_asked(std::span<const std::uint32_t> hosts, std::uint32_t asking,
                                      std::uint32_t count, RandomStream& stream) {
  std::vector<std::uint32_t> asked;
  for (std::size_t i = stream.below(hosts.size()); asked.size() < count; ++i) {
    if (hosts[i % hosts.size()] != asking) asked.push_back(hosts[i % hosts.size()]);
  }
  return asked;
}

}  // namespace

QueryTrain::QueryTrain(std::uint32_t fan_out, DataSize answer, DataRate host_rate)
    : Job(serialization_time(std::int64_t{fan_out} * answer, host_rate)),
      fan_out_(fan_out),
      answer_(answer) {}

DataSize QueryTrain::piece_size() const { return std::int64_t{fan_out_} * (kRequest + answer_); }

void QueryTrain::run(TimePoint begin, const Roles& roles, RandomStream& stream,
                     Trace& trace) const {
  const std::uint32_t asking = any_of(roles.application(), stream);
  const auto asked = draw_asked(roles.application(), asking, fan_out_, stream);
  TimePoint at = begin;
  for (std::uint32_t left = draw_pieces(stream); left > 0; --left) {
    for (const std::uint32_t host : asked) {
      const auto late = stream.below(static_cast<std::uint64_t>(kAnswerSpread.count()));
      trace.add({at, asking, host, kRequest});
      trace.add(
          {at + kServiceTime + Duration(static_cast<std::int64_t>(late)), host, asking, answer_});
    }
    at += gap(stream);
  }
}

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
