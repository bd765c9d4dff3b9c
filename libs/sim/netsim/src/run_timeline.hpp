// SPDX-License-Identifier: Apache-2.0
//
// A run as a timeline: states of channels, watts, messages as flows from host to host, and what
// ranks do where programs run.
//
// Partitions keep what happens in logs of their own. Between two steps of the run these are
// emptied, put into the order of time, and written up to then, so the file is the same on any
// number of threads. What is told before it happens waits until it has.
#pragma once

#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/timeline/power_counter.hpp"
#include "ebb/timeline/timeline.hpp"
#include "ebb/traffic/message.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::netsim {

// What one partition has seen since its log was emptied, on the way to another observer.
class TimelineLog final : public Observer {
 public:
  struct Message {
    MessageDelivered delivered;
    TimePoint last_sent{};  // its last packet
  };

  explicit TimelineLog(Observer& next) : next_(next) {}

  void packet_delivered(const PacketDelivered& packet) override {
    last_sent_ = packet.sent;
    next_.packet_delivered(packet);
  }
  void data_delivered(DataSize size) override { next_.data_delivered(size); }
  // At flow fidelity nothing is known of packets.
  void message_delivered(const MessageDelivered& message) override {
    messages.push_back({message, last_sent_ == TimePoint{} ? message.at : last_sent_});
    next_.message_delivered(message);
  }
  [[nodiscard]] bool watches_channels() const override { return true; }
  void channel_changes(const ChannelChange& change) override {
    changes.push_back(change);
    next_.channel_changes(change);
  }
  void packet_held(const PacketHeld& held) override { next_.packet_held(held); }

  std::vector<Message> messages;
  std::vector<ChannelChange> changes;

 private:
  Observer& next_;
  TimePoint last_sent_{};
};

// What hosts do, by host: calls about two hosts may come from two threads.
class HostLog final : public traffic::HostObserver {
 public:
  explicit HostLog(std::uint32_t hosts) : work(hosts) {}

  void host_works(std::uint32_t host, const traffic::HostWork& what) override {
    work[host].push_back(what);
  }

  std::vector<std::vector<traffic::HostWork>> work;
};

class RunTimeline {
 public:
  // `loop` is what runs on hosts, or nothing. All must outlive it.
  RunTimeline(const Experiment& experiment, traffic::ClosedLoop* loop);

  // For each partition, in their place.
  [[nodiscard]] std::vector<Observer*> observe(const std::vector<Observer*>& observers);

  // It is `now`: writes what happened before.
  void advance(TimePoint now);
  void add_phase(std::string_view name, TimePoint from, TimePoint to);
  // The run has ended.
  void finish(TimePoint end);

 private:
  // Something to be written, at its time.
  struct Moment {
    enum class Kind : std::uint8_t { state, message, work };

    TimePoint at{};
    Kind kind = Kind::state;
    std::uint32_t who = 0;    // the channel, or the host
    std::uint32_t other = 0;  // of a message: its source; of work: the CPU
    std::uint32_t number = 0;
    std::uint8_t what = 0;  // the state of the channel, or the kind of work
    Power power;            // of the channel from then on
    TimePoint begin{};      // of a message or of work
    TimePoint last_sent{};
  };
  struct ChannelLine {
    timeline::TrackId track{};
    TimePoint since{};
    Power power;
    std::uint8_t state = 0;
    std::uint8_t level = 0;
  };
  // A track for each slice that overlaps others of the same host.
  struct Lane {
    timeline::TrackId track{};
    TimePoint end{};
  };
  struct HostLanes {
    std::vector<Lane> sends;
    std::vector<Lane> receives;
    std::vector<std::optional<Lane>> cpus;
  };

  void add_channels();
  void add_power();
  void fetch();
  void fetch(const ChannelChange& change);
  void take(const Moment& moment);
  void enter(const Moment& moment);    // a state of a channel
  void deliver(const Moment& moment);  // a message
  void work(const Moment& moment);
  void close_state(ChannelLine& line, std::uint32_t channel, TimePoint at);
  void close(TimePoint at);
  [[nodiscard]] timeline::TrackId lane(std::vector<Lane>& lanes, std::uint32_t host, bool sends,
                                       TimePoint begin, TimePoint end);
  [[nodiscard]] std::string_view state_name(std::uint32_t channel, std::uint8_t state) const;

  const Experiment& experiment_;
  timeline::Timeline& out_;
  traffic::ClosedLoop* loop_;
  HostLog host_log_;
  std::deque<TimelineLog> logs_;
  std::vector<Moment> pending_;
  timeline::TrackId phases_{};
  timeline::TrackId hosts_{};
  std::optional<timeline::TrackId> ranks_;
  std::vector<std::vector<std::string>> state_names_;  // by rate table
  std::vector<std::string> to_names_;                  // by host
  std::vector<std::string> from_names_;
  std::vector<ChannelLine> channels_;
  std::vector<timeline::PowerCounter> watts_;  // in all, then by level of the link
  std::vector<HostLanes> lanes_;
  std::uint64_t flows_ = 0;
};

}  // namespace ebb::netsim
