// SPDX-License-Identifier: Apache-2.0

#include "shutdown.hpp"

#include "building_blocks.hpp"
#include "dvs.hpp"
#include "policies.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

namespace ebb::policy {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

ShutdownDecision::ShutdownDecision(std::span<const NextHopSet> rows) {
  for (const NextHopSet& row : rows)
    channels_.insert(channels_.end(), row.channels.begin(), row.channels.end());
  sort_unique(channels_);
  appearances_.resize(channels_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Choice& choice = choices_.emplace_back();
    for (const ChannelId channel : rows[i].channels) choice.push_back(place_of(channel));
    for (const std::size_t place : choice) ++appearances_[place];
    if (i == 0 || rows[i].destination != rows[i - 1].destination) outputs_.emplace_back();
    outputs_.back().insert(outputs_.back().end(), choice.begin(), choice.end());
  }
  for (Choice& outputs : outputs_) sort_unique(outputs);
  sort_unique(outputs_);
  sort_unique(choices_);
}

std::size_t ShutdownDecision::place_of(ChannelId channel) const {
  const auto at = std::lower_bound(channels_.begin(), channels_.end(), channel);
  return static_cast<std::size_t>(at - channels_.begin());
}

std::vector<bool> ShutdownDecision::keep(std::span<const std::int64_t> used,
                                         const ShutdownLimits& limits) const {
  const auto is_crowded = [&](const Choice& outputs) {
    const auto add = [&](std::int64_t sum, std::size_t place) { return sum + used[place]; };
    return is_above(std::accumulate(outputs.begin(), outputs.end(), std::int64_t{0}, add),
                    limits.t_max);
  };
  std::vector<bool> kept(channels_.size(), false);
  if (std::all_of(outputs_.begin(), outputs_.end(), is_crowded)) {
    for (std::size_t place = 0; place < kept.size(); ++place)
      kept[place] = !is_below(used[place], limits.t_idle);
  } else {
    for (const Choice& outputs : outputs_) {
      if (!is_crowded(outputs)) continue;
      for (const std::size_t place : outputs) kept[place] = true;
    }
  }
  keep_one_of_each(kept);
  return kept;
}

void ShutdownDecision::keep_one_of_each(std::vector<bool>& kept) const {
  for (;;) {
    std::optional<std::size_t> best;
    for (const Choice& choice : choices_) {
      if (std::any_of(choice.begin(), choice.end(), [&](std::size_t p) { return kept[p]; }))
        continue;
      for (const std::size_t place : choice) {
        const bool better = !best || appearances_[place] > appearances_[*best] ||
                            (appearances_[place] == appearances_[*best] && place < *best);
        if (better) best = place;
      }
    }
    if (!best) return;
    kept[*best] = true;
  }
}

}  // namespace ebb::policy

namespace ebb::policy::shutdown {
namespace {

using Channels = std::vector<const ChannelSample*>;

bool is_up(const ChannelSample& channel) {
  return channel.state.mode == Mode::active && !channel.state.changing;
}

// Empty when one is not in the sample.
Channels channels_of(const ShutdownDecision& device, const Sample& sample) {
  Channels channels;
  for (const ChannelId id : device.channels()) {
    const auto at = find(sample, id);
    if (!at) return {};
    channels.push_back(&sample.channels[*at]);
  }
  return channels;
}

// Adds to what is kept the channels that are up of rows in which nothing that is kept is up yet.
void keep_until_others_are_up(const ShutdownDecision& device, const Channels& channels,
                              std::vector<bool>& kept) {
  const std::vector<bool> decided = kept;
  for (const ShutdownDecision::Choice& choice : device.choices()) {
    const bool served = std::any_of(choice.begin(), choice.end(), [&](std::size_t place) {
      return decided[place] && is_up(*channels[place]);
    });
    if (served) continue;
    for (const std::size_t place : choice) {
      if (is_up(*channels[place])) kept[place] = true;
    }
  }
}

}  // namespace

Shutdown::Shutdown(const Parameters& parameters)
    : limits_{parameters.ratio("t_max"), parameters.ratio("t_idle")},
      window_(parameters.duration("window")) {}

void Shutdown::set_next_hops(std::span<const NextHopSet> next_hops) {
  while (!next_hops.empty()) {
    const auto end = std::find_if(next_hops.begin(), next_hops.end(), [&](const NextHopSet& row) {
      return row.device != next_hops.front().device;
    });
    const auto rows = static_cast<std::size_t>(end - next_hops.begin());
    devices_.emplace_back(next_hops.first(rows));
    next_hops = next_hops.subspan(rows);
  }
}

std::vector<Action> Shutdown::decide(const Sample& sample) {
  std::vector<Action> actions;
  for (const ShutdownDecision& device : devices_) {
    const Channels channels = channels_of(device, sample);
    for (const ChannelSample* channel : channels) {
      if (!channel->state.changing) wake_on_need_.arm(*channel, actions);
    }
    if (!channels.empty() && channels.front()->window > Duration{})
      decide_for(device, channels, actions);
  }
  sort_by_channel(actions);
  return actions;
}

void Shutdown::decide_for(const ShutdownDecision& device, const Channels& channels,
                          std::vector<Action>& actions) {
  std::vector<std::int64_t> used;
  for (const ChannelSample* channel : channels)
    used.push_back(channel->state.mode == Mode::asleep ? 0 : utilisation(*channel));
  std::vector<bool> kept = device.keep(used, limits_);
  keep_until_others_are_up(device, channels, kept);
  for (std::size_t place = 0; place < channels.size(); ++place)
    open_or_close(*channels[place], kept[place], actions);
}

void Shutdown::open_or_close(const ChannelSample& channel, bool open,
                             std::vector<Action>& actions) {
  if (channel.state.changing) return;
  const bool asleep = channel.state.mode == Mode::asleep;
  bool& to_close = asked_[channel.id].to_close;
  if (open && (asleep || to_close)) actions.push_back({channel.id, Wake{}});
  if (!open && !asleep) actions.push_back({channel.id, Sleep{}});
  to_close = !open && !asleep;
}

std::vector<Parameter> parameters() {
  return {{"t_max", Range<Ratio>{Ratio(1, 1000), Ratio(256, 1)}, "60%",
           "usage of a destination, summed over its channels, above which it keeps them all"},
          {"t_idle", Range<Ratio>{Ratio(0, 1), Ratio(1, 1)}, "5%",
           "utilisation below which a channel is closed when all destinations are above t_max"}};
}

namespace {

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Shutdown>(parameters);
}

}  // namespace

Entry entry() {
  Entry entry{.name = "shutdown",
              .summary = "switches close links that they do not need to reach everyone (DLS)",
              .parameters = parameters(),
              .make = make};
  entry.parameters.push_back(dvs::window_parameter());
  return entry;
}

}  // namespace ebb::policy::shutdown

namespace ebb::policy::dvs_shutdown {

// dvs and shutdown together: shutdown decides which channels sleep, dvs sets the rates of the
// others. "Integration of both DVS and DLS results in the best energy optimization" (Kim et al.,
// 2005). One window serves both.
namespace {

class DvsShutdown final : public Policy {
 public:
  explicit DvsShutdown(const Parameters& parameters) : dvs_(parameters), shutdown_(parameters) {}

  [[nodiscard]] Duration sample_period() const override { return shutdown_.sample_period(); }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep, Ability::set_rate}; }
  [[nodiscard]] bool needs_next_hops() const override { return true; }
  [[nodiscard]] bool needs_independent_channels() const override { return true; }
  void set_next_hops(std::span<const NextHopSet> next_hops) override {
    shutdown_.set_next_hops(next_hops);
  }

  // A rate level for a channel that is to be closed would keep it open.
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    std::vector<Action> actions = shutdown_.decide(sample);
    std::vector<ChannelId> closed;
    for (const Action& action : actions) {
      if (std::holds_alternative<Sleep>(action.order)) closed.push_back(action.channel);
    }
    for (const Action& action : dvs_.decide(sample)) {
      if (!std::binary_search(closed.begin(), closed.end(), action.channel))
        actions.push_back(action);
    }
    sort_by_channel(actions);
    return actions;
  }

  void on_outcome(const Outcome& outcome) override {
    dvs_.on_outcome(outcome);
    shutdown_.on_outcome(outcome);
  }

 private:
  dvs::Dvs dvs_;
  shutdown::Shutdown shutdown_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<DvsShutdown>(parameters);
}

}  // namespace

Entry entry() {
  Entry entry{.name = "dvs-shutdown",
              .summary = "shutdown decides which links sleep, dvs sets the rates of the others",
              .parameters = shutdown::parameters(),
              .make = make};
  const auto more = dvs::parameters();
  entry.parameters.insert(entry.parameters.end(), more.begin(), more.end());
  entry.parameters.push_back(dvs::window_parameter());
  return entry;
}

}  // namespace ebb::policy::dvs_shutdown
