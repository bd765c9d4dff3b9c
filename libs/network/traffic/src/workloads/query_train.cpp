// SPDX-License-Identifier: Apache-2.0
#include "workloads/query_train.hpp"

#include <vector>

namespace ebb::traffic {
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

}  // namespace ebb::traffic
