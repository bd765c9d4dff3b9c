// SPDX-License-Identifier: Apache-2.0
//
// What is counted while a run is measured: offered load, latencies of what arrives, and series of
// what channels do.
#pragma once

#include "job_collector.hpp"

#include "ebb/netsim/histogram.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/netsim/report.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

// How long messages take on the links of their hosts. Integers, so that sums do not depend on their
// order.
struct MessageTimes {
  Duration longest{};
  Int128 sum = 0;      // in picoseconds
  Int128 squares = 0;  // in their squares

  void add(Duration time) {
    longest = std::max(longest, time);
    sum += time.count();
    squares += static_cast<Int128>(time.count()) * time.count();
  }
  MessageTimes& operator+=(const MessageTimes& other) {
    longest = std::max(longest, other.longest);
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
  [[nodiscard]] Duration mean_residual() const {
    return sum == 0 ? Duration{} : Duration(static_cast<std::int64_t>(squares / (2 * sum)));
  }
};

// Stands between hosts and their source and counts, host by host since hosts live on threads, what
// is offered while the run is measured, and what a link that is never held up would have sent of
// it. Hosts that cannot keep up leave messages in the source; those are fetched, counted and kept
// for them.
class OfferedLoadCounter final : public MessageSource {
 public:
  // With the rates of the hosts' links.
  OfferedLoadCounter(MessageSource& source, const std::vector<DataRate>& rates);

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override;
  [[nodiscard]] traffic::ClosedLoop* closed_loop() override { return source_.closed_loop(); }

  // Counts messages created in [from, to), those included that hosts have already fetched; data
  // also from `middle` on.
  void open(TimePoint from, TimePoint middle, TimePoint to);
  // Fetches what hosts have left behind of them.
  void fetch_rest();

  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] DataSize data() const;
  [[nodiscard]] DataSize data_from_middle() const;
  // What the links of the hosts could have sent from `middle` on, and the data of hosts that had
  // more to send than that all the measured time.
  [[nodiscard]] DataSize sendable_from_middle() const;
  [[nodiscard]] DataSize data_of_overloaded() const;
  [[nodiscard]] MessageTimes times() const;
  // On the links: of what was counted, what could be sent from `middle` on, and third powers.
  [[nodiscard]] LinkTimes link_times() const;

 private:
  struct Host {
    DataRate rate;
    std::optional<traffic::Message> last;  // that was fetched from the source
    std::vector<traffic::Message> kept;    // of these, not yet handed on, the next at the back
    std::uint64_t messages = 0;            // counted
    Duration time{};                       // of them on the link
    Int128 time_cubes = 0;                 // in ns^3
    DataSize data;
    DataSize from_middle;
    // Of a link that sends one message after the other at its full rate.
    TimePoint free_before{};  // when it could send the last message, at the earliest
    TimePoint free{};         // when it has sent it
    Duration busy{};          // while measured
    Duration busy_from_middle{};
    MessageTimes times;
  };
  void fetch(std::uint32_t host);
  void count(Host& host) const;  // its last
  void count_busy(Host& host, TimePoint begin, TimePoint end) const;
  void count_busy_with_last(Host& host) const;

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
  void data_delivered(DataSize size) override { delivered_ += size; }
  void message_delivered(const MessageDelivered& message) override {
    ++delivered_messages_;
    if (message.created < from_ || message.created >= to_) return;
    const Duration latency = message.at - message.created;
    messages_.add(latency);
    if (latency > deadline_) lateness_.add(latency - deadline_);
  }

  [[nodiscard]] bool watches_channels() const override { return jobs_ != nullptr; }
  void channel_changes(const ChannelChange& change) override {
    if (jobs_ != nullptr) jobs_->channel_changes(change);
  }
  void packet_held(const PacketHeld& packet) override {
    if (jobs_ != nullptr) jobs_->packet_held(packet);
  }
  // It tells `jobs` what it hears of; before there is a network.
  void collect_for_jobs(JobCollector& jobs) { jobs_ = &jobs; }

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
  JobCollector* jobs_ = nullptr;
};

// On the first process those of all.
void gather_latencies(const std::vector<LatencyCollector>& collectors,
                      mpi::Communicator& communicator, Report& report);

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
