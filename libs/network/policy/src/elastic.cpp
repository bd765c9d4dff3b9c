// SPDX-License-Identifier: Apache-2.0
//
// The smallest part of the network that carries the load stays on, after "ElasticTree: Saving
// Energy in Data Center Networks" (NSDI 2010): whole planes, groups of switches without hosts, and
// single links of those that are parallel. Which ones, ebb/consolidation decides in every period,
// with a margin for bursts and so that any one failure leaves everybody a way.
//
//   load of a leaf   busy time of the channels between it and its hosts, and between it and other
//                    switches, in all planes; the larger one of both directions
//   demand           the peak of the last `hold`; with `ahead` also what the day before was from
//                    the same time on until `ahead` later
//
// Switches are emptied before they sleep, and awake before they are used. The channels that lead
// into a part that is to sleep, from hosts into a plane and from leaves into a group, sleep first,
// and the others when those do. They wake in the opposite order. A packet that has no other next
// hop wakes a channel, as in stages.cpp. A choice that still suffices is kept unless another takes
// less power.
//
// Where a link sleeps in both directions or in none, `channels` = paired asks for both directions
// of a link between a leaf and a group at once, and leaves it to the world that nothing is led into
// a link that goes to sleep.
#include "building_blocks.hpp"
#include "load_history.hpp"
#include "policies.hpp"
#include "switch_map.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ebb::policy::elastic {
namespace {

using consolidation::Demand;
using consolidation::PlaneSelection;
using consolidation::Selection;

// What a part of the network may do with its channels now.
struct Gate {
  bool enter = false;  // channels that lead into it may be awake
  bool open = false;   // and they are
  bool leave = false;  // nothing leads into it any more: its other channels may sleep
};

class Elastic final : public Policy {
 public:
  explicit Elastic(const Parameters& parameters)
      : margin_(parameters.ratio("margin")),
        core_(parameters.ratio("core")),
        paired_(parameters.choice("channels") == "paired"),
        period_(parameters.duration("period")),
        recent_(static_cast<std::size_t>(
            (parameters.duration("hold") + period_ - Duration(1)) / period_ + 1)) {
    const Duration ahead = parameters.duration("ahead");
    if (ahead > Duration{}) day_before_.emplace(parameters.duration("day"), ahead);
  }

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::sleep}; }
  [[nodiscard]] bool needs_next_hops() const override { return true; }
  void set_next_hops(std::span<const NextHopSet> next_hops) override {
    choices_ = choices_of(next_hops);
  }
  // It empties a part by one direction of its links, and waits for them.
  [[nodiscard]] bool needs_independent_channels() const override { return !paired_; }
  [[nodiscard]] std::optional<std::string> objection(
      const Sample& sample, std::span<const NextHopSet> next_hops) const override {
    if (std::ranges::all_of(sample.channels,
                            [](const ChannelSample& one) { return one.full == Power{}; }))
      return "weighs what switches and links draw, and nothing is known of that";
    if (read_switches(sample, choices_of(next_hops), core_)) return std::nullopt;
    return "finds no two planes, and no two groups of switches without hosts that can stand in for "
           "each other at every leaf";
  }
  void on_outcome(const Outcome& outcome) override { wake_on_need_.on_outcome(outcome); }

  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override {
    if (!looked_ && !choices_.empty()) map_ = read_switches(sample, choices_, core_);
    looked_ = true;
    if (!map_ || !is_of_map(sample)) return {};
    std::vector<Action> actions;
    for (const ChannelSample& channel : sample.channels) {
      if (!channel.state.changing) wake_on_need_.arm(channel, actions);
    }
    if (sample.channels.front().window > Duration{}) {
      learn(sample);
      if (recent_.is_known()) {
        choose(sample.at);
        open_and_close(sample, actions);
      }
    }
    sort_by_channel(actions);
    return actions;
  }

 private:
  [[nodiscard]] bool is_of_map(const Sample& sample) const {
    return std::ranges::equal(sample.channels, map_->channels, {}, &ChannelSample::id);
  }

  // Of hosts by leaf, then of the network by leaf.
  void learn(const Sample& sample) {
    const auto sum = [&](const Places& places) {
      std::int64_t shares = 0;
      for (const std::size_t place : places) shares += utilisation(sample.channels[place]);
      return shares;
    };
    Loads loads;
    for (const LeafChannels& leaf : map_->leaves)
      loads.push_back(std::max(sum(leaf.from_hosts), sum(leaf.to_hosts)));
    for (const LeafChannels& leaf : map_->leaves)
      loads.push_back(std::max(sum(leaf.out), sum(leaf.in)));
    if (day_before_) day_before_->add(sample.at, loads);
    recent_.add(std::move(loads));
  }

  void choose(TimePoint now) {
    Loads loads = recent_.peak();
    if (day_before_) raise_to(day_before_->expected(now), loads);
    Demand demand{{}, {}, margin_};
    const std::size_t leaves = map_->leaves.size();
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      demand.hosts.push_back(bits_per_second(loads[leaf]));
      demand.network.push_back(bits_per_second(loads[leaves + leaf]));
    }
    Selection best = consolidation::select(map_->network, demand);
    const bool keeps = chosen_ && chosen_->power <= best.power &&
                       consolidation::suffices(map_->network, demand, *chosen_);
    if (!keeps) chosen_ = std::move(best);
  }

  void open_and_close(const Sample& sample, std::vector<Action>& actions) {
    asked_to_sleep_.resize(map_->channels.size());
    for (std::size_t p = 0; p < map_->planes.size(); ++p)
      move_plane(sample, map_->planes[p], chosen_->planes[p], actions);
  }

  void move_plane(const Sample& sample, const PlaneChannels& plane, const PlaneSelection& selection,
                  std::vector<Action>& actions) {
    const bool hosts_out = all_asleep(sample, plane.from_hosts);
    bool empty = hosts_out;
    bool ready = all_awake(sample, plane.inside);
    for (std::size_t g = 0; g < plane.groups.size(); ++g) {
      const Gate gate =
          move_group(sample, plane.groups[g], {selection, g, selection.on || hosts_out}, actions);
      empty = empty && gate.leave;
      ready = ready && (gate.open || !selection.groups[g]);
    }
    for (const std::size_t place : plane.inside)
      move(sample, place, selection.on, selection.on || empty, actions);
    for (const std::size_t place : plane.from_hosts)
      move(sample, place, selection.on, ready || !selection.on, actions);
  }

  // Packets of hosts keep a plane's groups in use until hosts have left the plane.
  struct GroupOrder {
    const PlaneSelection& plane;
    std::size_t number = 0;
    bool may_empty = false;
  };
  Gate move_group(const Sample& sample, const GroupChannels& group, const GroupOrder& order,
                  std::vector<Action>& actions) {
    const std::vector<std::uint32_t>& links = order.plane.links[order.number];
    Gate gate{all_awake(sample, group.inside), true, true};
    for_each_link(group, [&](std::size_t leaf, std::size_t link, const LinkPlaces& places) {
      if (link < links[leaf]) {
        gate.enter = gate.enter && (paired_ || is_awake(sample.channels[places.down]));
        gate.open = gate.open && is_awake(sample.channels[places.up]);
      } else {
        gate.leave = gate.leave && is_asleep(sample.channels[places.up]);
      }
    });
    for_each_link(group, [&](std::size_t leaf, std::size_t link, const LinkPlaces& places) {
      const bool wanted = link < links[leaf];
      const bool up = wanted ? gate.enter : order.may_empty;
      move(sample, places.up, wanted, up, actions);
      move(sample, places.down, wanted, paired_ ? up : wanted || gate.leave, actions);
    });
    const bool on = order.plane.groups[order.number];
    for (const std::size_t place : group.inside) move(sample, place, on, on || gate.leave, actions);
    return gate;
  }

  template <class Visit>
  static void for_each_link(const GroupChannels& group, const Visit& visit) {
    for (std::size_t leaf = 0; leaf < group.to_leaf.size(); ++leaf) {
      for (std::size_t link = 0; link < group.to_leaf[leaf].size(); ++link)
        visit(leaf, link, group.to_leaf[leaf][link]);
    }
  }

  static bool is_awake(const ChannelSample& channel) {
    return channel.state.mode == Mode::active && !channel.state.changing;
  }
  static bool is_asleep(const ChannelSample& channel) {
    return channel.state.mode == Mode::asleep && !channel.state.changing;
  }
  static bool all_awake(const Sample& sample, const Places& places) {
    return std::ranges::all_of(places, [&](std::size_t p) { return is_awake(sample.channels[p]); });
  }
  static bool all_asleep(const Sample& sample, const Places& places) {
    return std::ranges::all_of(places,
                               [&](std::size_t p) { return is_asleep(sample.channels[p]); });
  }

  // Wakes or puts to sleep, if that is wanted and its time has come. A channel that was told to
  // sleep can be drained for a while; waking then takes the order back.
  void move(const Sample& sample, std::size_t place, bool wanted, bool now,
            std::vector<Action>& actions) {
    const ChannelSample& channel = sample.channels[place];
    if (channel.state.changing || !now) return;
    const bool asleep = channel.state.mode == Mode::asleep;
    const bool draining = !asleep && asked_to_sleep_[place];
    if (wanted && (asleep || draining)) actions.push_back({channel.id, Wake{}});
    if (!wanted && !asleep) actions.push_back({channel.id, Sleep{}});
    asked_to_sleep_[place] = !wanted;
  }

  Ratio margin_;
  Ratio core_;
  bool paired_;
  Duration period_;
  RecentPeak recent_;
  std::optional<DayBefore> day_before_;
  Choices choices_;
  bool looked_ = false;
  std::optional<SwitchMap> map_;
  std::optional<Selection> chosen_;
  std::vector<bool> asked_to_sleep_;  // by place
  WakeOnNeed wake_on_need_;
};

std::unique_ptr<Policy> make(const Parameters& parameters) {
  return std::make_unique<Elastic>(parameters);
}

}  // namespace

Entry entry() {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  return {
      .name = "elastic",
      .summary = "the fewest planes, switches and links stay on that carry the load (ElasticTree)",
      .parameters = {{"margin", Range<Ratio>{Ratio(0, 1), Ratio(100, 1)}, "20%",
                      "how much more than the load must fit"},
                     {"hold", Range<Duration>{Duration{}, hours(24)}, "300us",
                      "a load counts for so long after it has fallen"},
                     {"ahead", Range<Duration>{Duration{}, hours(24)}, "0ps",
                      "how long before the load of the day before comes again what carries it "
                      "wakes; 0: never"},
                     {"day", Range<Duration>{nanoseconds(1), hours(240)}, "24h",
                      "when loads come again"},
                     {"core", Range<Ratio>{Ratio(0, 1), Ratio(1000, 1)}, "170%",
                      "what a switch draws beside its links, of what its outputs draw"},
                     {"channels", Choice{{"independent", "paired"}}, "independent",
                      "paired: the two directions of a link sleep and wake together"},
                     {"period", Range<Duration>{nanoseconds(1), hours(1)}, "100us",
                      "time between two decisions"}},
      .make = make};
}

}  // namespace ebb::policy::elastic
