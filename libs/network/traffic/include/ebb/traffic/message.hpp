// SPDX-License-Identifier: Apache-2.0
//
// Messages: what a host wants sent, created at a time, of a size, for another host, and the source
// from which a run takes them host by host. Hosts are the indices of the network, 0 .. hosts-1. How
// a message becomes packets is the simulator's business.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>

namespace ebb::traffic {

inline constexpr std::uint8_t kMostServices = 16;

struct Message {
  TimePoint at;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;  // never the source
  DataSize size;
  std::uint8_t service = 0;  // level, below kMostServices; switches may treat it by itself

  bool operator==(const Message&) const = default;
};

// Messages, host by host, as a run takes them.
class MessageSource {
 public:
  MessageSource() = default;
  MessageSource(const MessageSource&) = delete;
  MessageSource& operator=(const MessageSource&) = delete;
  virtual ~MessageSource() = default;

  // The next message of a host, in the order of time; nothing when there are no more. Two threads
  // may ask for different hosts at once.
  [[nodiscard]] virtual std::optional<Message> next(std::uint32_t host) = 0;
};

}  // namespace ebb::traffic
