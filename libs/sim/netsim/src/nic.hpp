// SPDX-License-Identifier: Apache-2.0
//
// The network card of a host. It works on the oldest messages of each virtual lane, as many as
// `open_messages` says, and cuts them into packets as they are sent. Open messages to different
// destinations take turns, a packet each; those to one destination go one after the other, as on
// one connection. Messages that wait need no memory: they stay in their source until there is room
// for them, unless a trigger of the channel asks how many there are or there are several lanes.
#pragma once

#include "ebb/topology/graph.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/units/quantity.hpp"

#include <algorithm>
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
  [[nodiscard]] const SequencedMessage& front() const { return messages_[first_]; }
  [[nodiscard]] bool empty() const { return first_ == messages_.size(); }
  [[nodiscard]] DataSize size() const { return size_; }

 private:
  std::vector<SequencedMessage> messages_;
  std::size_t first_ = 0;
  DataSize size_;
};

// A message of which packets are still to be sent.
struct OpenMessage {
  TimePoint created{};
  std::int64_t left_bits = 0;
  std::uint32_t destination = 0;
  std::uint32_t number = 0;
  std::uint32_t packets = 0;  // that it has
  bool first = true;          // the oldest one to its destination: it takes part in the turns
};
static_assert(sizeof(OpenMessage) == 32);

// The messages of one lane.
struct TransmitState {
  Backlog backlog;                // created and not yet open
  std::vector<OpenMessage> open;  // in the order of their birth
  std::int64_t open_bits = 0;     // that are left of them
  TimePoint fetched{};            // when the next packet is in the card; it is that of `turn`
  TimePoint packet_sent{};        // the packet in hand, of which some flits are still to be sent
  std::uint32_t packet_left_bits = 0;
  std::uint16_t turn = 0;  // whose packet is next or in hand: a place in `open`
  std::uint16_t flits : 15 = 1;
  bool next_announced : 1 = false;  // the first of the backlog has been

  [[nodiscard]] OpenMessage& current() { return open[turn]; }
  [[nodiscard]] const OpenMessage& current() const { return open[turn]; }
  [[nodiscard]] DataSize waiting() const { return bits(open_bits) + backlog.size(); }

  // Adds the youngest message; packets have at most `packet_bits`.
  void add(const SequencedMessage& one, std::int64_t packet_bits) {
    const std::int64_t size = one.message.size.count();
    const std::uint32_t to = one.message.destination;
    const bool first = std::none_of(open.begin(), open.end(), [to](const OpenMessage& other) {
      return other.destination == to;
    });
    open.push_back({.created = one.message.at,
                    .left_bits = size,
                    .destination = to,
                    .number = one.number,
                    .packets = static_cast<std::uint32_t>((size + packet_bits - 1) / packet_bits),
                    .first = first});
    open_bits += size;
  }

  // The message at this place has been sent. Gives the one that follows it to its destination, if
  // there is one.
  OpenMessage* close(std::size_t place) {
    const std::uint32_t to = open[place].destination;
    const auto after = open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
    const auto heir = std::find_if(after, open.end(),
                                   [to](const OpenMessage& one) { return one.destination == to; });
    if (heir == open.end()) return nullptr;
    heir->first = true;
    return &*heir;
  }

  // After a packet: a message that has been sent is closed, and the next one has its turn.
  void pass_turn() {
    if (current().left_bits > 0) {
      ++turn;
    } else {
      (void)close(turn);
    }
    if (turn >= open.size()) turn = 0;
    if (open.empty()) return;
    while (!current().first) {
      ++turn;
      if (turn == open.size()) turn = 0;
    }
  }
};
static_assert(sizeof(TransmitState) == 96);

struct Nic {
  std::optional<traffic::Message> next;  // created already or later
  topology::ChannelId channel{};         // to the host's switch
  std::uint32_t taken = 0;               // messages before it
  bool fetches_early = false;            // messages leave their source when they are created
  std::uint16_t next_interface = 0;      // of the first one: looked at first for the next message
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
