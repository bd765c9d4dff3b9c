// SPDX-License-Identifier: Apache-2.0
//
// The network card of a host. Messages of a virtual lane are sent one after the other, each cut
// into packets as they are sent. Messages that wait need no memory: they stay in their source until
// it is their turn, unless a trigger of the channel asks how many there are or there are several
// lanes.
#pragma once

#include "ebb/traffic/message.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

struct Numbered {
  traffic::Message message;
  std::uint32_t number = 0;  // counts those of the host
};

// Messages in the order of their birth. Needs memory only while it holds some.
class Backlog {
 public:
  void push(const Numbered& one) {
    size_ += one.message.size;
    messages_.push_back(one);
  }
  // It must not be empty.
  [[nodiscard]] Numbered pop() {
    const Numbered one = messages_[first_++];
    size_ -= one.message.size;
    if (2 * first_ >= messages_.size()) {
      messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return one;
  }
  [[nodiscard]] bool empty() const { return first_ == messages_.size(); }
  [[nodiscard]] DataSize size() const { return size_; }

 private:
  std::vector<Numbered> messages_;
  std::size_t first_ = 0;
  DataSize size_;
};

// The messages of one lane.
struct Sending {
  Backlog backlog;  // born and not yet in hand
  // The message in hand.
  TimePoint born{};
  TimePoint fetched{};  // when its next packet is in the card
  std::int64_t left_bits = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;  // its number
  std::uint32_t message_packets = 0;
  // The packet in hand, of which some flits are still to be sent.
  std::uint32_t packet_left_bits = 0;
  TimePoint packet_sent{};
  std::uint16_t flits = 1;

  [[nodiscard]] DataSize waiting() const { return bits(left_bits) + backlog.size(); }
};

struct Nic {
  std::optional<traffic::Message> next;  // born already or later
  std::uint32_t channel = 0;             // to the host's switch
  std::uint32_t taken = 0;               // messages before it
  TimePoint dma_free{};                  // when its DMA engine can fetch the next packet
  TimePoint stored{};                    // when the latest packet received is in memory
};

}  // namespace ebb::netsim
