// SPDX-License-Identifier: Apache-2.0
//
// Counts what arrives, and the latencies of what was sent or born while the run is measured.
#pragma once

#include "ebb/netsim/histogram.hpp"
#include "ebb/netsim/observer.hpp"

#include <cstdint>

namespace ebb::netsim {

class Tally final : public Observer {
 public:
  void open(TimePoint from, TimePoint to) {
    from_ = from;
    to_ = to;
  }

  void packet_delivered(const PacketDelivered& packet) override {
    delivered_ += packet.size;
    if (packet.sent >= from_ && packet.sent < to_) packets_.add(packet.at - packet.sent);
  }
  void message_delivered(const MessageDelivered& message) override {
    ++delivered_messages_;
    if (message.born >= from_ && message.born < to_) messages_.add(message.at - message.born);
  }

  // Since the beginning.
  [[nodiscard]] DataSize delivered() const { return delivered_; }
  [[nodiscard]] std::uint64_t delivered_messages() const { return delivered_messages_; }

  [[nodiscard]] const Histogram& packets() const { return packets_; }
  [[nodiscard]] const Histogram& messages() const { return messages_; }

 private:
  TimePoint from_ = TimePoint::max();
  TimePoint to_ = TimePoint::max();
  DataSize delivered_;
  std::uint64_t delivered_messages_ = 0;
  Histogram packets_;
  Histogram messages_;
};

}  // namespace ebb::netsim
