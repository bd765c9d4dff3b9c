// SPDX-License-Identifier: Apache-2.0
//
// How flows share channels. A switch sends data in the order in which it came: flows whose next
// data came within a moment of each other share the channel by weight, and what one of
// them cannot use goes to the others (max-min fair; Bertsekas and Gallager, Data Networks, section
// 6.5.2); later data has to wait. A host sends its messages in turns: all share its channel. A flow
// cannot use more of a channel than comes in while the buffer before it is empty, or than goes out
// while the buffer behind it is full. So a change spreads along paths only over buffers that are
// empty or full; others take up the difference.
//
//   shares.set_capacity(channel, 40'000'000'000);
//   shares.join(flow, hop);
//   shares.solve(now, [&](FlowIndex f) { ...see what it can use... },
//                [&](FlowIndex f, std::uint32_t hop) { ...count what was sent so far... });
#pragma once

#include "flow.hpp"

#include "ebb/core/large_vector.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ebb::netsim {

class ChannelShares {
 public:
  // The weight of a message, which its paths divide among them.
  static constexpr std::int64_t kWholeWeight = 720'720;  // can be divided by 1 to 16
  // Changes below this part of a capacity do not spread.
  static constexpr std::int64_t kTolerance = 1024;

  ChannelShares(Flows& flows, std::size_t channels) : flows_(flows) { channels_.resize(channels); }

  void set_capacity(ChannelId channel, std::int64_t bits_per_second) {
    if (channels_[channel].capacity == bits_per_second) return;
    channels_[channel].capacity = bits_per_second;
    review(channel);
  }
  [[nodiscard]] std::int64_t capacity(ChannelId channel) const {
    return channels_[channel].capacity;
  }

  // The flow begins to use the channel of the hop, or has ended that.
  void join(FlowIndex flow, std::uint32_t hop);
  void leave(FlowIndex flow, std::uint32_t hop);
  [[nodiscard]] const std::vector<std::pair<FlowIndex, std::uint32_t>>& flows_on(
      ChannelId channel) const {
    return channels_[channel].flows;
  }

  // What the channel has carried since it was asked last; to be asked before rates change.
  struct Carried {
    std::int64_t bits = 0;
    std::int64_t rate = 0;
    Duration time{};
  };
  [[nodiscard]] Carried take_carried(ChannelId channel, TimePoint now);
  // Rates are rounded: a flow has sent so much more, or less. What this makes is taken with what is
  // carried next; the rest of it is known when the last flow has left.
  void correct(ChannelId channel, std::int64_t bits) { channels_[channel].pending_bits += bits; }
  [[nodiscard]] std::int64_t take_correction(ChannelId channel);

  // What a flow could use of the channel has changed.
  void review(ChannelId channel) {
    if (channels_[channel].changed) return;
    channels_[channel].changed = true;
    changed_.push_back(channel);
  }
  [[nodiscard]] bool changed() const { return !changed_.empty(); }

  // Divides channels until nothing changes any more. Calls look(flow), which may find buffers empty
  // or full, before it asks what a flow can use, and change(flow, hop) before a rate of it changes.
  template <class Look, class Change>
  void solve(TimePoint now, Look look, Change change) {
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      const ChannelId channel = changed_[i];
      channels_[channel].changed = false;
      for (const auto& [flow, hop] : channels_[channel].flows) look(flow);
      divide(channel, now);
      for (const Demand& demand : demands_) set_rate(demand, channel, change);
    }
    changed_.clear();
  }

  // After how long the flow has sent on the channel of the hop what came before data that has to
  // wait for its turn there; nothing where none does.
  [[nodiscard]] std::optional<Duration> next_turn(const Flow& flow, std::size_t hop,
                                                  TimePoint now) const;
  void review_if_others_wait(ChannelId channel) {
    if (channels_[channel].next_turn != kNever) review(channel);
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Sharing {
    std::int64_t capacity = 0;      // bit/s
    std::int64_t rate = 0;          // bit/s that all flows together have of it
    std::int64_t fraction = 0;      // of a bit carried beyond those that were taken, in 10^-12
    TimePoint taken{};              // up to when what it has carried was
    std::int64_t pending_bits = 0;  // that are to be taken with the next ones; less, if negative
    std::int64_t ahead_bits = 0;    // that were taken, without what flows have sent that left
    TimePoint next_turn = kNever;   // when that data came which is to be sent next
    Duration moment{};              // data that came within this time is sent together
    bool changed = false;
    std::vector<std::pair<FlowIndex, std::uint32_t>> flows;  // and the hop of each
  };
  struct Demand {
    FlowIndex flow{};
    std::uint32_t hop = 0;
    std::int64_t weight = 1;
    std::int64_t most = 0;  // bit/s that it can use; then, what it gets
    TimePoint came{};       // when that of its data came which it sends next
  };

  void divide(ChannelId channel, TimePoint now);
  void divide_in_order(Sharing& sharing, TimePoint now);
  [[nodiscard]] Duration moment_of(const Sharing& sharing) const;
  static void divide_fairly(std::span<Demand> demands, std::int64_t& rest);
  [[nodiscard]] static TimePoint came(const Flow& flow, std::size_t hop, TimePoint now);
  [[nodiscard]] static std::int64_t most_of(const Flow& flow, std::uint32_t hop);

  template <class Change>
  void set_rate(const Demand& demand, ChannelId channel, Change& will_change) {
    Flow& flow = flows_[demand.flow];
    FlowHop& hop = flow.path[demand.hop];
    const std::int64_t change = demand.most - hop.rate;
    if (change == 0) return;
    will_change(demand.flow, demand.hop);
    hop.rate = demand.most;
    channels_[channel].rate += change;
    if ((change < 0 ? -change : change) * kTolerance < channels_[channel].capacity) return;
    if (hop.full && demand.hop > flow.done) review(flow.path[demand.hop - 1].channel);
    const std::size_t next = demand.hop + std::size_t{1};
    if (next < flow.path.size() && flow.path[next].empty) review(flow.path[next].channel);
  }

  Flows& flows_;
  ById<ChannelId, Sharing> channels_;
  std::vector<ChannelId> changed_;
  std::vector<Demand> demands_;  // of the channel in hand
};

}  // namespace ebb::netsim
