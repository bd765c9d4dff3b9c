// SPDX-License-Identifier: Apache-2.0
//
// Counts what arrives, and the latencies of what was sent or born while the run is measured. With a
// deadline also by how much messages missed it.
#pragma once

#include "ebb/netsim/histogram.hpp"
#include "ebb/netsim/observer.hpp"

#include <cstdint>
#include <optional>

namespace ebb::netsim {

class Tally final : public Observer {
 public:
  void open(TimePoint from, TimePoint to, std::optional<Duration> deadline) {
    from_ = from;
    to_ = to;
    deadline_ = deadline.value_or(Duration::max());
  }

  void packet_delivered(const PacketDelivered& packet) override {
    delivered_ += packet.size;
    if (packet.sent >= from_ && packet.sent < to_) packets_.add(packet.at - packet.sent);
  }
  void message_delivered(const MessageDelivered& message) override {
    ++delivered_messages_;
    if (message.born < from_ || message.born >= to_) return;
    const Duration latency = message.at - message.born;
    messages_.add(latency);
    if (latency > deadline_) lateness_.add(latency - deadline_);
  }

  // Since the beginning.
  [[nodiscard]] DataSize delivered() const { return delivered_; }
  [[nodiscard]] std::uint64_t delivered_messages() const { return delivered_messages_; }

  [[nodiscard]] const Histogram& packets() const { return packets_; }
  [[nodiscard]] const Histogram& messages() const { return messages_; }
  [[nodiscard]] const Histogram& lateness() const { return lateness_; }

 private:
  TimePoint from_ = TimePoint::max();
  TimePoint to_ = TimePoint::max();
  Duration deadline_ = Duration::max();
  DataSize delivered_;
  std::uint64_t delivered_messages_ = 0;
  Histogram packets_;
  Histogram messages_;
  Histogram lateness_;
};

}  // namespace ebb::netsim
