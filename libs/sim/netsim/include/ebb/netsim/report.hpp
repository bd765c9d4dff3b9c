// SPDX-License-Identifier: Apache-2.0
//
// What a run measured. Everything is an exact integer; shares and means are formed where they are
// printed.
#pragma once

#include "ebb/netsim/histogram.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/program/job.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/metrics.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::netsim {

// What channels did in equal parts ("frames") of the measured time. Frames add up exactly to what
// the report says of the whole. Vectors hold frame after frame, in each channel after channel:
// [frame * channels + channel].
struct Series {
  Duration every{};
  std::uint32_t channels = 0;
  std::vector<TimePoint> ends;  // of the frames; the last one may be shorter
  std::vector<Duration> busy;   // in the frame
  std::vector<DataSize> sent;   // in the frame
  std::vector<Energy> energy;   // in the frame
  // At its end, before the policy acts at that moment.
  std::vector<DataSize> queued;  // what waits, the packet on the wire not counted
  std::vector<std::uint8_t>
      states;  // as the ledger numbers them: asleep, changing, rates ascending

  bool operator==(const Series&) const = default;
};

// Frames times channels. More would take a few hundred megabytes.
inline constexpr std::int64_t kMostSeriesValues = 4'000'000;

[[nodiscard]] constexpr std::int64_t frames_in(Duration measure, Duration every) {
  return (measure.count() - 1) / every.count() + 1;
}

// A stretch of the run, to see whether it was steady.
struct Batch {
  TimePoint from{};
  TimePoint to{};
  DataSize delivered;
  std::uint64_t messages = 0;  // delivered
  Energy energy;               // of the channels
};

// Whether power and throughput were the same, within what chance explains.
[[nodiscard]] bool agree(const Batch& a, const Batch& b);
// The last two batches agree with the two before.
[[nodiscard]] bool settled(const std::vector<Batch>& batches);

// How the run found its beginning.
struct WarmUp {
  TimePoint end{};
  bool found = false;    // or given by the user
  bool settled = false;  // power and throughput no longer moved when it ended
};

// What one channel did while it was measured.
struct ChannelUse {
  Duration busy{};
  DataSize sent;

  bool operator==(const ChannelUse&) const = default;
};

// Nothing moves any more although packets wait.
struct Stall {
  TimePoint since{};
  std::uint64_t packets = 0;
  std::vector<std::string> chain;  // each line waits for what the next one says
};

// What was offered, as time on the links of the hosts that offered it.
struct LinkTimes {
  Duration offered{};
  Duration sendable_second_half{};
  Int128 cubes_ns3 = 0;       // the third powers of the times of messages, added up
  std::uint64_t senders = 0;  // hosts that offered anything

  LinkTimes& operator+=(const LinkTimes& other) {
    offered += other.offered;
    sendable_second_half += other.sendable_second_half;
    cubes_ns3 += other.cubes_ns3;
    senders += other.senders;
    return *this;
  }
};

// Times of messages by level of the links that they spent them at (topology::link_levels).
using topology::kLinkLevels;
using LevelTimes = std::array<Duration, kLinkLevels>;

// The critical path of a job, by what it consists of. The parts add up to the time of the job.
struct CriticalPath {
  Duration computing{};
  Duration overhead{};      // of CPUs, for sends and receives
  Duration transmission{};  // of messages, as in an idle network with all links at full rate
  LevelTimes waking{};      // messages waited for links that slept or changed their rate
  Duration slower{};        // and took longer because links did not run at full rate
  Duration queueing{};      // the rest: other messages were in the way, or the way was longer
  std::uint64_t messages = 0;

  [[nodiscard]] Duration total() const {
    Duration sum = computing + overhead + transmission + slower + queueing;
    for (const Duration time : waking) sum += time;
    return sum;
  }
  bool operator==(const CriticalPath&) const = default;
};

struct JobReport {
  std::string name;
  std::string program;  // its file
  TimePoint start{};
  TimePoint end{};  // of its last rank; of a job that is not done, of what was done
  bool done = false;
  // Of channels and switch cores from its start to its end. Jobs that run at the same time share it
  // by the number of their hosts.
  Energy energy;
  Energy at_full_rate;  // had all channels run at full rate, for the same time
  CriticalPath path;
  std::vector<program::RankTimes> ranks;
  // Of its hosts from its start to its end, where somebody knows their power.
  std::optional<Energy> hosts_energy = {};
  // What the same job took with links that are always on, where somebody has run that.
  struct Reference {
    Duration time{};
    Energy energy;
    std::optional<Energy> hosts_energy = {};
  };
  std::optional<Reference> reference;

  [[nodiscard]] Duration time() const { return end - start; }
};

struct Report {
  WarmUp warm_up;
  TimePoint from{};  // measured from here ...
  TimePoint to{};    // ... to here

  // Of messages created while measured.
  DataSize offered;
  DataSize offered_second_half;  // of it, created in the second half of the measured time
  // What the links of the hosts could have sent in that half, had nothing ever held them up.
  DataSize sendable_second_half;
  // Of the offered data, that of hosts that had more to send all the time than their links carry.
  DataSize offered_by_overloaded;
  // The messages of the run on the links of their hosts: the longest, and what is left on average
  // of the message that data belongs to, E[t^2] / (2 E[t]).
  Duration longest_message{};
  Duration mean_residual{};
  LinkTimes link_times;
  std::uint64_t messages = 0;
  std::uint64_t messages_unfinished = 0;  // when the run gave up waiting for them
  Histogram message_latency;              // from birth to the last bit at the destination

  // Of the same messages, where the workload has a deadline. One that was unfinished has missed it
  // too, by a time that nobody knows.
  std::optional<Duration> deadline;
  Histogram lateness;  // by how much they missed it, of those that did

  // Of packets that began to leave their host while measured.
  Histogram packet_latency;  // from then to the last bit at the destination
  std::uint64_t packets_unfinished = 0;

  DataSize delivered;  // at destinations while measured
  Batch first_half;
  Batch second_half;

  power::Ledger ledger = power::Ledger({}, {}, {});  // over [from, to)
  Energy always_on;  // of the channels, had each run at its full rate
  // Of those between switches alone: what they drew, and had each run at its full rate.
  Energy between_switches;
  Energy between_switches_always_on;
  Energy ideal;                      // had each drawn power in proportion to what it sent
  std::vector<ChannelUse> channels;  // by channel number
  std::uint64_t outcomes_done = 0;   // what became of the policy's actions while measured
  std::uint64_t outcomes_refused = 0;
  std::optional<Series> series;  // when the experiment asks for it

  std::vector<JobReport> jobs;  // if the hosts ran some; then there is no warm-up

  std::optional<Stall> stall;  // the run ended there

  // Of the whole run, for speed. They may depend on how the work was divided; nothing else does.
  std::uint64_t events = 0;
  std::uint64_t packet_hops = 0;  // packets through switches
  std::uint64_t windows = 0;      // des/conservative_scheduler.hpp
};

// Delivered and offered load as a share of what the sending hosts' links can carry.
[[nodiscard]] double load(const Report& report, DataSize data, DataRate host_rate,
                          std::uint32_t hosts);

// A run tells something of messages that it can hold: it measures at least as long as the longest
// of them takes on its host's link, and ten times as long as what is left on average of a message
// under way, so that those which the ends of the measured time cut are few.
inline constexpr int kLeastResiduals = 10;
[[nodiscard]] Duration least_measure(Duration longest_message, Duration mean_residual);
[[nodiscard]] Duration least_measure(const traffic::MessageSizes& sizes, DataRate host_rate);

// The share of what could be sent in the second half by which arrivals fall short in one run of
// twenty at most, because messages happen to meet at their destinations in a network that keeps up.
[[nodiscard]] double shortfall_by_chance(const Report& report);
// Enough for the messages, and for the shortfall that was seen to be told from chance.
[[nodiscard]] Duration least_measure(const Report& report);
// Then nothing is said of saturation.
[[nodiscard]] bool too_short(const Report& report);

// In the second half of the measured time, when a network that can keep up is no longer filling,
// less data arrived than this share of what the links of the hosts could have sent then, by more
// than chance explains; or most of what was offered is of hosts whose links carry less than they
// offer. In any case less arrived than was offered.
inline constexpr Ratio kSaturatedBelow{95, 100};
[[nodiscard]] bool saturated(const Report& report);

// Messages that missed the deadline, unfinished ones included; none without a deadline.
[[nodiscard]] std::uint64_t missed(const Report& report);

// Both halves of the measured time agree on power and throughput.
[[nodiscard]] bool steady(const Report& report);

// The first so many classes of the ledger are of channels, one per rate table. Then come those of
// switches beside their channels: "switch core", and one for each power group, "switch asic". Then
// those of components where these are metered.
inline constexpr const char* kSwitchClasses = "switch ";
inline constexpr const char* kSwitchCores = "switch core";
[[nodiscard]] std::size_t channel_classes(const power::Ledger& ledger);
[[nodiscard]] std::size_t switch_classes(const power::Ledger& ledger);
[[nodiscard]] Energy channel_energy(const power::Ledger& ledger);

// Energy of the channels over what they would have drawn at full rate; 1 is always-on.
[[nodiscard]] double relative_power(const Report& report);
// Of the channels between switches; none where there are none.
[[nodiscard]] std::optional<double> relative_power_between_switches(const Report& report);
[[nodiscard]] double ideal_relative_power(const Report& report);

}  // namespace ebb::netsim
