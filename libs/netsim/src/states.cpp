// SPDX-License-Identifier: Apache-2.0
//
// Rates, sleep and triggers. The rule for every change: the packet on the wire finishes as it
// began, then the channel carries nothing, neither packets nor the credits of the reverse channel,
// for the time of the change, then it is in its new state.
#include "ebb/netsim/network.hpp"

#include <algorithm>
#include <variant>

namespace ebb::netsim {

using policy::Mode;
using policy::Reason;
using policy::State;

policy::Outcome Network::apply(const policy::Action& action) {
  const std::uint32_t which = index(action.channel);
  if (which >= channels_.size()) return {action, now_, {}, Reason::unknown_channel};
  const Reason reason =
      std::visit([&](const auto& order) { return obey(which, order); }, action.order);
  return {action, now_, state(topology::ChannelId{which}), reason};
}

policy::State Network::state(topology::ChannelId channel) const {
  const ChannelControl& control = controls_[index(channel)];
  return now_ < control.change_end ? policy::changing(control.state, control.change_end)
                                   : control.state;
}

Reason Network::obey(std::uint32_t which, const policy::SetStep& order) {
  const auto& model = build_.models[channels_[which].model];
  if (index(order.step) >= model.steps.size()) return Reason::not_supported;
  if (is_changing(which)) return Reason::changing;
  set_step(which, order.step);
  return Reason::done;
}

Reason Network::obey(std::uint32_t which, const policy::Sleep& /*order*/) {
  if (!build_.models[channels_[which].model].sleep) return Reason::not_supported;
  if (is_changing(which)) return Reason::changing;
  if (controls_[which].state.mode == Mode::active) fall_asleep(which);
  return Reason::done;
}

Reason Network::obey(std::uint32_t which, const policy::Wake& /*order*/) {
  if (is_changing(which)) return Reason::changing;
  if (controls_[which].state.mode == Mode::asleep) wake(which);
  return Reason::done;
}

Reason Network::obey(std::uint32_t which, const policy::SleepWhenIdle& order) {
  if (!build_.models[channels_[which].model].sleep) return Reason::not_supported;
  channels_[which].armed = true;
  controls_[which].sleep_when_idle = order;
  if (must_wake(which)) wake(which);
  idle_check_after(which, now_);
  return Reason::done;
}

Reason Network::obey(std::uint32_t which, const policy::WakeWhenQueued& order) {
  if (!build_.models[channels_[which].model].sleep) return Reason::not_supported;
  channels_[which].armed = true;
  controls_[which].wake_when_queued = order;
  if (must_wake(which)) wake(which);
  return Reason::done;
}

Reason Network::obey(std::uint32_t which, const policy::JumpWhenQueued& order) {
  const auto& model = build_.models[channels_[which].model];
  if (index(order.step) >= model.steps.size()) return Reason::not_supported;
  channels_[which].armed = true;
  controls_[which].jump_when_queued = order;
  on_queued(which);
  return Reason::done;
}

Reason Network::obey(std::uint32_t which, const policy::Disarm& /*order*/) {
  channels_[which].armed = false;
  controls_[which].sleep_when_idle.reset();
  controls_[which].wake_when_queued.reset();
  controls_[which].jump_when_queued.reset();
  return Reason::done;
}

void Network::change(std::uint32_t which, State to) {
  Channel& channel = channels_[which];
  ChannelControl& control = controls_[which];
  meter_change(which, kNever);
  control.before = control.state;
  control.state = to;
  control.change_begin = std::max(now_, channel.wire_end);
  control.change_end =
      control.change_begin + build_.models[channel.model].change_time(control.before, to);
  control.metered = 0;
  channel.step = index(to.step);
  channel.free_at = to.mode == Mode::asleep ? kNever : control.change_end;
  if (control.before.mode == Mode::active &&
      (to.mode == Mode::asleep || control.change_begin < control.change_end)) {
    tell_credits(which, control.change_begin, What::credits_dark);
  }
  if (to.mode == Mode::asleep) return;
  if (control.before.mode == Mode::asleep || control.change_begin < control.change_end) {
    tell_credits(which, control.change_end, What::credits_lit);
  }
  idle_check_after(which, control.change_end);
  if (has_waiting(which)) attempt_at(which, channel.free_at);
}

// The far end learns, a cable later, whether credits come. Hosts need none to receive.
void Network::tell_credits(std::uint32_t carrier, TimePoint at, What what) {
  const Channel& channel = channels_[carrier];
  const std::uint32_t served = carrier ^ 1U;
  if (channels_[served].to_host) return;
  schedule(source_of(carrier), channel.target, at + Duration(channel.latency_ps), what, served);
}

void Network::set_step(std::uint32_t which, policy::RateStep step) {
  ChannelControl& control = controls_[which];
  if (control.state.step == step) return;
  State to = control.state;
  to.step = step;
  if (to.mode == Mode::active) return change(which, to);
  control.state = to;
  channels_[which].step = index(step);
}

void Network::fall_asleep(std::uint32_t which) {
  ChannelControl& control = controls_[which];
  change(which, policy::asleep(control.state.step));
  control.withheld_bits = control.last_credit > control.change_begin ? control.promised_bits : 0;
  // With a packet on the wire sleep lies ahead: whatever wakes the channel is looked at then.
  if (control.change_begin > now_) {
    const std::uint32_t node = source_of(which);
    schedule(node, node, control.change_begin, What::idle_check, which);
  } else if (must_wake(which)) {
    wake(which);
  }
}

void Network::wake(std::uint32_t which) {
  change(which, policy::active(controls_[which].state.step));
}

bool Network::has_waiting(std::uint32_t which) const { return waiting(which) > DataSize{}; }

DataSize Network::waiting(std::uint32_t which) const {
  const Channel& channel = channels_[which];
  if (!channel.from_host) return bits(channel.queued_bits);
  return nics_[source_of(which) - build_.graph.switch_count()].waiting(now_);
}

// The least amount of waiting data that wakes the channel, if any does.
std::optional<DataSize> Network::wakes_at(std::uint32_t which) const {
  const ChannelControl& control = controls_[which];
  std::optional<DataSize> least;
  if (control.sleep_when_idle) least = control.sleep_when_idle->wake;
  if (control.wake_when_queued) {
    least = std::min(least.value_or(control.wake_when_queued->queued),
                     control.wake_when_queued->queued);
  }
  return least;
}

// A channel that can wake by itself also does so when half a buffer of credits waits to be carried,
// or so many that the far end may lack those for one packet: it would run dry without them.
bool Network::must_wake(std::uint32_t which) const {
  const ChannelControl& control = controls_[which];
  if (control.state.mode != Mode::asleep || is_changing(which)) return false;
  const auto least = wakes_at(which);
  if (!least) return false;
  const std::int64_t buffer = build_.hardware.input_buffer.count();
  return waiting(which) >= *least || 2 * control.withheld_bits >= buffer ||
         control.withheld_bits > buffer - packet_bits_;
}

void Network::on_queued(std::uint32_t which) {
  if (must_wake(which)) return wake(which);
  const ChannelControl& control = controls_[which];
  if (!control.jump_when_queued || control.state.mode != Mode::active || is_changing(which)) return;
  const bool slower = control.state.step < control.jump_when_queued->step;
  if (slower && waiting(which) >= control.jump_when_queued->queued) {
    set_step(which, control.jump_when_queued->step);
  }
}

void Network::on_sent(std::uint32_t which) {
  if (!has_waiting(which)) idle_check_after(which, channels_[which].wire_end);
}

// The channel carries a credit at `at`, or would if it were awake.
void Network::on_credit(std::uint32_t carrier, std::uint32_t bits, TimePoint at) {
  ChannelControl& control = controls_[carrier];
  if (control.last_credit <= now_) control.promised_bits = 0;
  control.promised_bits += bits;
  control.last_credit = std::max(control.last_credit, at);
  if (control.state.mode != Mode::asleep) return;
  control.withheld_bits += bits;
  if (must_wake(carrier)) wake(carrier);
}

void Network::idle_check_after(std::uint32_t which, TimePoint quiet_since) {
  ChannelControl& control = controls_[which];
  if (!control.sleep_when_idle || control.idle_check_pending) return;
  control.idle_check_pending = true;
  const std::uint32_t node = source_of(which);
  schedule(node, node, quiet_since + control.sleep_when_idle->idle, What::idle_check, which);
}

void Network::idle_check(std::uint32_t which) {
  ChannelControl& control = controls_[which];
  control.idle_check_pending = false;
  if (must_wake(which)) return wake(which);
  if (!control.sleep_when_idle || control.state.mode == Mode::asleep) return;
  if (has_waiting(which)) return;  // on_sent comes back to this
  const TimePoint quiet_since =
      std::max({channels_[which].wire_end, control.change_end, control.last_credit});
  if (quiet_since + control.sleep_when_idle->idle > now_) {
    return idle_check_after(which, quiet_since);
  }
  fall_asleep(which);
}

policy::Sample Network::sample() {
  samples_.resize(channels_.size());
  for (std::uint32_t which = 0; which < channels_.size(); ++which) {
    samples_[which] = sample_of(which);
  }
  sampled_at_ = now_;
  return {now_, samples_};
}

policy::ChannelSample Network::sample_of(std::uint32_t which) {
  const topology::ChannelId id{which};
  const ChannelUse so_far = use(id);
  ChannelControl& control = controls_[which];
  const policy::ChannelSample sample{
      .id = policy::ChannelId{which},
      .reverse = policy::ChannelId{which ^ 1U},
      .ladder = static_cast<std::uint8_t>(build_.models[channels_[which].model].steps.size()),
      .window = now_ - sampled_at_,
      .busy = so_far.busy - control.sampled_busy,
      .sent = so_far.sent - bits(control.sampled_bits),
      .queued = waiting(which),
      .state = state(id)};
  control.sampled_busy = so_far.busy;
  control.sampled_bits = so_far.sent.count();
  return sample;
}

ChannelUse Network::use(topology::ChannelId which) const {
  const Channel& channel = channels_[index(which)];
  if (channel.wire_end <= now_) return {channel.busy, bits(channel.sent_bits)};
  return {channel.busy - (channel.wire_end - now_), bits(channel.sent_bits - channel.wire_bits)};
}

}  // namespace ebb::netsim
