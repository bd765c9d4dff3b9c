// SPDX-License-Identifier: Apache-2.0
//
// Messages that were made before the run, kept host by host in 16 bytes each. Only those that a
// start asks for are kept: of its hosts, created from time 0 to its end.
#pragma once

#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

// 1.6 GB.
inline constexpr std::int64_t kMostTraceMessages = 100'000'000;

// Refuses a run that would have about so many; empty when they can be kept.
[[nodiscard]] Errors too_many_messages(double messages, TimePoint until);

class Trace final : public MessageSource {
 public:
  Trace(std::uint32_t hosts, const Start& start) : start_(start), messages_(hosts), given_(hosts) {}

  // In any order of time. Sizes are whole bytes, below 4 GB.
  void add(const Message& message);
  // After the last one. Messages of a host that share a time stay in the order of adding.
  void sort();

  [[nodiscard]] std::optional<Message> next(std::uint32_t host) override;

 private:
  struct Kept {
    TimePoint at;
    std::uint32_t destination : 28;  // of fewer than 268 million hosts
    std::uint32_t service : 4;
    std::uint32_t bytes;
  };
  static_assert(sizeof(Kept) == 16);
  Start start_;
  std::vector<std::vector<Kept>> messages_;  // by host
  std::vector<std::uint32_t> given_;         // how many of them
};

}  // namespace ebb::traffic
