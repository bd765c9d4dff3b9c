// SPDX-License-Identifier: Apache-2.0
//
// Messages, host by host, as a run takes them.
#pragma once

#include "ebb/traffic/message.hpp"

#include <cstdint>
#include <optional>

namespace ebb::traffic {

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
