// SPDX-License-Identifier: Apache-2.0
//
// The sending side of a host: messages one after the other, each cut into packets as they are sent.
// Messages that wait need no memory: they stay in their source until it is their turn, unless a
// trigger of the channel asks how many there are.
#pragma once

#include "ebb/traffic/message.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

// Messages in the order of their birth. Needs memory only while it holds some.
class Backlog {
 public:
  void push(const traffic::Message& message) {
    size_ += message.size;
    messages_.push_back(message);
  }
  // It must not be empty.
  [[nodiscard]] traffic::Message pop() {
    const traffic::Message message = messages_[first_++];
    size_ -= message.size;
    if (2 * first_ >= messages_.size()) {
      messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return message;
  }
  [[nodiscard]] bool empty() const { return first_ == messages_.size(); }
  [[nodiscard]] DataSize size() const { return size_; }

 private:
  std::vector<traffic::Message> messages_;
  std::size_t first_ = 0;
  DataSize size_;
};

struct Nic {
  std::optional<traffic::Message> next;  // born already or later
  Backlog backlog;                       // born before it and not yet in hand
  std::uint32_t channel = 0;             // to the host's switch
  // The message being sent.
  TimePoint born{};
  std::int64_t left_bits = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;  // its number
  std::uint32_t message_packets = 0;
  std::uint32_t started = 0;  // messages begun

  // Data born by `now` that has not been sent: of the message in hand, the backlog and the next
  // one. There is a backlog only where the channel has a trigger; elsewhere messages behind the
  // next one are not looked at.
  [[nodiscard]] DataSize waiting(TimePoint now) const {
    const bool next_waits = next && next->at <= now;
    return bits(left_bits) + backlog.size() + (next_waits ? next->size : DataSize{});
  }
};

}  // namespace ebb::netsim
