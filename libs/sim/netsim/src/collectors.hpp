// SPDX-License-Identifier: Apache-2.0
//
// What is counted while a run is measured: offered load, latencies of what arrives, and series of
// what channels do.
#pragma once

#include "ebb/netsim/histogram.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/netsim/report.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

// Stands between hosts and their source and counts, host by host since hosts live on threads, what
// is offered while the run is measured. Hosts that cannot keep up leave messages in the source;
// those are fetched, counted and kept for them.
class OfferedLoadCounter final : public MessageSource {
 public:
  OfferedLoadCounter(MessageSource& source, std::uint32_t hosts)
      : source_(source), fetched_(hosts) {}

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override;

  // Counts messages created in [from, to), those included that hosts have already fetched; data
  // also from `middle` on.
  void open(TimePoint from, TimePoint middle, TimePoint to);
  // Fetches what hosts have left behind of them.
  void fetch_rest();

  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] DataSize data() const;
  [[nodiscard]] DataSize data_from_middle() const;

 private:
  struct Host {
    std::optional<traffic::Message> last;  // that was fetched from the source
    std::vector<traffic::Message> kept;    // of these, not yet handed on, the next at the back
    std::uint64_t messages = 0;            // counted
    DataSize data;
    DataSize from_middle;
  };
  void fetch(std::uint32_t host);
  void count(Host& host) const;  // its last

  MessageSource& source_;
  std::vector<Host> fetched_;
  TimePoint from_ = TimePoint::max();
  TimePoint middle_ = TimePoint::max();
  TimePoint to_ = TimePoint::max();
};

// Counts what arrives, and the latencies of what was sent or created while the run is measured.
// With a deadline also by how much messages missed it.
class LatencyCollector final : public Observer {
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
    if (message.created < from_ || message.created >= to_) return;
    const Duration latency = message.at - message.created;
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

// Looks at a network at the end of each frame. It has counters of its own: neither the network nor
// the samples of its policy notice.
class SeriesRecorder {
 public:
  // From now on; the meters of the network have been started.
  SeriesRecorder(Network& network, Duration every);

  // As Network::run_until, stopping on the way where frames end.
  void run_until(TimePoint end);
  // Closes a frame that has begun. On ranks other than 0 only their own channels are filled in.
  [[nodiscard]] Series finish() &&;

 private:
  void close_frame();

  Network& network_;
  TimePoint frame_end_;
  std::vector<Network::ChannelSnapshot> before_;  // by channel, at the beginning of the frame
  Series series_;
};

}  // namespace ebb::netsim
