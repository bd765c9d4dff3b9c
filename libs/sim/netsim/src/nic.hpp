// SPDX-License-Identifier: Apache-2.0
//
// The network card of a host. Messages of a virtual lane are sent one after the other, each cut
// into packets as they are sent. Messages that wait need no memory: they stay in their source until
// it is their turn, unless a trigger of the channel asks how many there are or there are several
// lanes.
#pragma once

#include "ebb/traffic/message.hpp"
#include "ebb/units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

struct SequencedMessage {
  traffic::Message message;
  std::uint32_t number = 0;  // counts those of the host
};

// Messages in the order of their birth. Needs memory only while it holds some.
class Backlog {
 public:
  void push(const SequencedMessage& one) {
    size_ += one.message.size;
    messages_.push_back(one);
  }
  // It must not be empty.
  [[nodiscard]] SequencedMessage pop() {
    const SequencedMessage one = messages_[first_++];
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
  std::vector<SequencedMessage> messages_;
  std::size_t first_ = 0;
  DataSize size_;
};

// The messages of one lane.
struct TransmitState {
  Backlog backlog;  // created and not yet in hand
  // The message in hand.
  TimePoint created{};
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
  std::optional<traffic::Message> next;  // created already or later
  std::uint32_t channel = 0;             // to the host's switch
  std::uint32_t taken = 0;               // messages before it
  TimePoint dma_free{};                  // when its DMA engine can fetch the next packet
  TimePoint stored{};                    // when the latest packet received is in memory
};

// What the components of a node have done, since the beginning: what their energy is counted from.

struct NodeWork {
  std::uint64_t packets = 0;  // through the switch; of a host: sent or received
  std::int64_t bits = 0;      // of them
  // Time for which cells of the switch's buffers held data, added up over cells and doubled, in ps.
  Int128 cell_time_twice = 0;

  [[nodiscard]] NodeWork operator-(const NodeWork& earlier) const {
    return {packets - earlier.packets, bits - earlier.bits,
            cell_time_twice - earlier.cell_time_twice};
  }
};

}  // namespace ebb::netsim
